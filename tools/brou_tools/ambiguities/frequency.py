"""How often readings differ: matches of sensible random players, each other reading beside that of the edition.

Before each deal every other reading is put where the match is. It differs in
the deal if it offers somebody something that has any weight under the conduct
of the game where the edition's does not, or the other way round, or if another
score stands at the end of the deal or once it has been written down. Deals of
all set-ups in which a reading can be chosen are counted together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from brou import Chance, Choice, CompiledState, NoCompiler, Project, State, TooCostly, book, choose, identity, rules
from brou.atomic import put
from brou.compiler import Act, Bounds, Counting, Offer
from brou.language.types import Value
from brou_tools.ambiguities.native_partings import count_natively, open_reading
from brou_tools.matches.play import LONGEST, Deals
from brou_tools.matches.policy import Players, conduct
from brou_tools.questions.compatible import pair_readings
from brou_tools.questions.register import path_of
from brou_tools.terminal.cluster import Sharing, work_alone

SEED = 20260101
#: From so many deals on engines in C are made, which takes a second or two for each reading.
_MANY = 5_000
#: The most deals that generated Python counts beside engines in C, which play as many in a tenth of a second.
MOST_GENERATED = 10_000

#: A rule base with those beside it, and who shares out the work on several of them.
_Compared: TypeAlias = tuple[Choice, tuple[tuple[str, Choice], ...]]
_Sharing: TypeAlias = "Sharing[_Compared, dict[str, ReadingCount]]"
#: What is offered and has any weight, without the weight; what is described with its bounds in this pack.
_Meant: TypeAlias = list[tuple[Offer, tuple[Bounds, ...], tuple[str, ...]]]


@dataclass(slots=True)
class _OtherValue:
    """Another value of a reading while a match is played: whether it still answers the same in this deal."""

    key: str
    players: Players
    state: CompiledState = field(init=False)
    alike: bool = True

    def list_offers(self) -> _Meant:
        """Return the offers under this reading."""
        return _describe_offers(self.players, self.state, self.players.counting(self.state)[1])


@dataclass(slots=True)
class ReadingCount:
    """Deals in which a reading was followed, and those in which it differed."""

    deals: int = 0
    parted: int = 0

    def merge(self, other: ReadingCount) -> None:
        """Add other deals."""
        self.deals += other.deals
        self.parted += other.parted


def count(game: str, project: Project, deals: int, share: _Sharing = work_alone) -> str:
    """Write down how often the readings of a game differ in a number of deals of each set-up; return a summary.

    `share` shares the work out; a part is one rule base with all that are compared with it.
    """
    found = {
        edition: count_partings(game, project, edition, deals, share=share) for edition in book(game, project).editions
    }
    keys = [key for key in book(game, project).readings if any(key in tallies for tallies in found.values())]
    told = f"`brou ambiguities {game} --count {deals}`"
    lines = [f"# Written by {told}: in how many random deals the readings of a question differ.\n"]
    lines += [f"format: brou-frequencies/1\ngame: {game}\nseed: {SEED}\nrules:\n"]
    lines += [f'  "{edition}": {hash_counted(game, project, edition)}\n' for edition in found]
    lines += ["frequencies:\n"]
    for key in keys:
        lines.append(f"  {key}:\n")
        for edition, tallies in found.items():
            if key in tallies:
                tally = tallies[key]
                lines.append(f'    "{edition}": {{deals: {tally.deals}, parted: {tally.parted}}}\n')
    put(path_of(game, project, "frequencies"), "".join(lines))
    return f"{game}: {len(keys)} questions in {deals} deals of each set-up of {len(found)} edition(s)"


def hash_counted(game: str, project: Project, edition: str) -> str:
    """Return the hash of all that a count of an edition depends on: its rules in each set-up, its readings, conduct."""
    data = book(game, project).editions[edition]
    said = [identity(rules(choose(f"{game}@{edition}:{setup}", project))) for setup in data.setups]
    said += [f"{key} {value}" for key, value in data.readings.items()]
    said += [f"{name} {weight.text}" for name, weight in conduct(game, project).acts.items()]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def count_partings(  # noqa: PLR0913, PLR0917 - what a count can be held to
    game: str,
    project: Project,
    edition: str,
    deals: int,
    setups: Sequence[str] = (),
    keys: Sequence[str] = (),
    *,
    share: _Sharing = work_alone,
) -> dict[str, ReadingCount]:
    """Return by key how often readings differ in a number of deals of each set-up of an edition.

    With `setups` or `keys` it counts only in these set-ups, or only these readings; the counts of those are the same.
    """
    whole: dict[str, ReadingCount] = {}
    parts = [
        (base, tuple((key, other) for key, other in others if not keys or key in keys))
        for setup in setups or book(game, project).editions[edition].setups
        for base, others in pair_readings(choose(f"{game}@{edition}:{setup}", project)).items()
    ]
    with closing(share(partial(_count_part, deals), [part for part in parts if part[1]])) as found:
        done = dict(found)
    for part in parts:
        for key, counted in done.get(part, {}).items():
            whole.setdefault(key, ReadingCount()).merge(counted)
    return whole


def _count_part(deals: int, part: _Compared) -> dict[str, ReadingCount]:
    return count_beside(*part, deals)


def count_beside(
    base: Choice, others: Sequence[tuple[str, Choice]], deals: int, *, native: bool | None = None
) -> dict[str, ReadingCount]:
    """Return by key in how many of so many deals of a rule base some of the others beside it answers otherwise.

    Engines in C count where there are many deals and a compiler. A reading whose states have another form, because it
    is played with other cards, is counted in generated Python, which gives the same, in `MOST_GENERATED` deals at most:
    with other cards every deal is another.
    """
    if native is False or (native is None and deals < _MANY):
        return _count_generated(base, others, deals)
    try:
        first = open_reading(base)
        readings = [(key, choice, open_reading(choice)) for key, choice in others]
    except (NoCompiler, TooCostly):
        return _count_generated(base, others, deals)
    odd = {key for key, _, reading in readings if not reading.has_form_of(first)}
    alike = [(key, reading) for key, _, reading in readings if key not in odd]
    parted = count_natively(first, alike, SEED, deals, LONGEST) if alike else {}
    found = {key: ReadingCount(deals, number) for key, number in parted.items()}
    rest = [(key, choice) for key, choice, _ in readings if key in odd]
    return found | _count_generated(base, rest, min(deals, MOST_GENERATED))


def _count_generated(base: Choice, others: Sequence[tuple[str, Choice]], deals: int) -> dict[str, ReadingCount]:
    return _ReadingComparison(base, others).count_deals(deals) if others else {}


class _ReadingComparison:
    """One rule base, and others beside it that have another value for one reading."""

    def __init__(self, base: Choice, others: Sequence[tuple[str, Choice]]) -> None:
        acts = conduct(base.game, base.project).acts
        self.players = Players(base, acts, apart=True)
        self.deals = Deals(self.players.engine)
        self.others = [_OtherValue(key, Players(choice, acts, apart=True)) for key, choice in others]
        self.tallies = {other.key: ReadingCount() for other in self.others}

    def count_deals(self, deals: int) -> dict[str, ReadingCount]:
        """Play matches until so many deals have been counted."""
        played, seed = 0, SEED
        while played < deals:
            played += self._match(Chance(seed), deals - played)
            seed += 1
        return self.tallies

    def _match(self, chance: Chance, most: int) -> int:
        """Play a match, at most so many deals of it, and return how many there were."""
        engine, found = self.players.engine, 0
        state = engine.begin()
        for other in self.others:
            other.state, other.alike = other.players.engine.begin(), True
        ended = False
        for _ in range(LONGEST):
            acts = self.players.counting(state)[1]
            here = _describe_offers(self.players, state, acts)
            if ended:
                self._close(state, here)
                found += 1
            else:
                self._compare_offers(here)
            made = engine.draw(state, chance, acts) if found < most else None
            if made is None:
                break
            ended = self.deals.ends(state, made[0])
            if ended:
                self._compare_scores(state)
            self._play(state, made)
            if ended:
                self._compare_scores(state)
        return found

    def _play(self, state: CompiledState, made: Act) -> None:
        name, seat, values = made
        self.players.engine.play(state, seat, name, values)
        for other in self._alike():
            other.players.engine.play(other.state, seat, name, values)

    def _alike(self) -> Iterator[_OtherValue]:
        return (other for other in self.others if other.alike)

    def _compare_offers(self, here: _Meant) -> None:
        """Leave behind the readings that offer otherwise."""
        for other in self._alike():
            other.alike = other.list_offers() == here

    def _compare_scores(self, state: CompiledState) -> None:
        """Leave behind the readings with another score."""
        score = self.players.engine.score(state)
        for other in self._alike():
            other.alike = score == other.players.engine.score(other.state)

    def _close(self, state: CompiledState, here: _Meant) -> None:
        """Count a deal, and put every reading where the match is.

        An offer that a reading has there, but not once it has been put there, is an outcome of the deal.
        """
        there = self.players.engine.decode_state(state)
        known = dict(zip(self.players.game.state, there.values, strict=True))
        parted: set[str] = set()
        for other in self.others:
            before, left = other.alike, other.alike and other.list_offers() != here
            other.state = _put(other.players, there.phase, known)
            other.alike = other.list_offers() == here
            if not before or (left and other.alike):
                parted.add(other.key)
        for key, tally in self.tallies.items():
            tally.deals += 1
            tally.parted += key in parted


def _describe_offers(players: Players, state: CompiledState, acts: Sequence[Counting]) -> _Meant:
    """Return the acts with any weight, those that are described with the bounds of their values in this pack."""
    engine, pack = players.engine, players.game.deck.cards
    return [
        ((name, seat, values, cards), *((engine.bounds(state, seat, name), pack) if values is None else ((), ())))
        for _, _, name, seat, values, cards in acts
    ]


def _put(players: Players, phase: str, known: dict[str, Value]) -> CompiledState:
    """Return a state in which variables have known values, and all others those that they begin with."""
    engine = players.engine
    fresh = engine.decode_state(engine.module["fresh"]())
    values = (known.get(name, value) for name, value in zip(players.game.state, fresh.values, strict=True))
    return engine.encode_state(State(phase, tuple(values)))
