"""How often readings part: matches of sensible random players, each other reading beside that of the edition.

Before each deal every other reading is put where the match stands. It parts in
the deal if it offers somebody something that has any weight under the conduct
of the game where the edition's does not, or the other way round, or if another
score stands at the end of the deal or once it has been written down. Deals of
all set-ups in which a reading can be chosen are counted together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from brou import Chance, Choice, CompiledState, Project, State, book, choose
from brou.atomic import put
from brou.compiler.compiled import Offer
from brou.compiler.drawing import Act, Bounds, Counting
from brou.language.types import Value
from brou_tools.matches.play import LONGEST, Deals
from brou_tools.matches.policy import Players, conduct
from brou_tools.questions.compatible import fit_readings
from brou_tools.questions.register import path_of

SEED = 20260101

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
    """Deals in which a reading was followed, and those in which it parted."""

    deals: int = 0
    parted: int = 0


def count(game: str, project: Project, deals: int) -> str:
    """Write down how often the readings of a game part in so many deals of each set-up; return a summary."""
    found = {edition: count_partings(game, project, edition, deals) for edition in book(game, project).editions}
    keys = [key for key in book(game, project).readings if any(key in tallies for tallies in found.values())]
    lines = ["# Written by `brou ambiguities --count`: in how many random deals the readings of a question part.\n"]
    lines += [f"format: brou-frequencies/1\ngame: {game}\nseed: {SEED}\nfrequencies:\n"]
    for key in keys:
        lines.append(f"  {key}:\n")
        for edition, tallies in found.items():
            if key in tallies:
                tally = tallies[key]
                lines.append(f'    "{edition}": {{deals: {tally.deals}, parted: {tally.parted}}}\n')
    put(path_of(game, project, "frequencies"), "".join(lines))
    return f"{game}: {len(keys)} questions in {deals} deals of each set-up of {len(found)} edition(s)"


def count_partings(  # noqa: PLR0913, PLR0917 - what a count can be held to
    game: str, project: Project, edition: str, deals: int, setups: Sequence[str] = (), keys: Sequence[str] = ()
) -> dict[str, ReadingCount]:
    """Return by key how often readings part in so many deals of each set-up of an edition.

    With `setups` or `keys` it counts only in these set-ups, or only these readings; the counts of those are the same.
    """
    whole: dict[str, ReadingCount] = {}
    for setup in setups or book(game, project).editions[edition].setups:
        for base, others in beside(choose(f"{game}@{edition}:{setup}", project)).items():
            wanted = [(key, other) for key, other in others if not keys or key in keys]
            for key, tally in _ReadingComparison(base, wanted).count_deals(deals).items() if wanted else ():
                sums = whole.setdefault(key, ReadingCount())
                sums.deals += tally.deals
                sums.parted += tally.parted
    return whole


class _ReadingComparison:
    """One rule base, and others beside it that have another value for one reading."""

    def __init__(self, base: Choice, others: Sequence[tuple[str, Choice]]) -> None:
        acts = conduct(base.game, base.project).acts
        self.players = Players(base, acts)
        self.deals = Deals(self.players.engine)
        self.others = [_OtherValue(key, Players(choice, acts)) for key, choice in others]
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
        """Count a deal, and put every reading where the match stands.

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


def beside(plain: Choice) -> dict[Choice, list[tuple[str, Choice]]]:
    """Return each reading with each value that an edition has not, by the rule base that it is to be compared with.

    That is the edition itself; where no value of a reading can be chosen so, one with another reading changed.
    """
    data = book(plain.game, plain.project)
    found: dict[Choice, list[tuple[str, Choice]]] = {plain: []}
    for key, chosen in data.editions[plain.edition].readings.items():
        pairs = [
            fit_readings(plain, [{key: chosen}, {key: value}]) for value in data.readings[key].values if value != chosen
        ]
        known = [pair for pair in pairs if pair is not None]
        for base, other in [pair for pair in known if pair[0] == plain] or known:
            found.setdefault(base, []).append((key, other))
    return found


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
