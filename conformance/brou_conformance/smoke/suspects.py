"""Suspects: faults that adapters have, each with the answers that it would lead to.

A suspect makes claims: the answers of a program that is sound but for this one fault. They come from the rules, asked
with other seats or other cards, or from the right answers, told otherwise. It claims nothing where the fault leaves the
answer open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from brou import HANDS, STOCK, TURNUP, BrouError, Game, Json, Machine, complete, hands_of, parts
from brou.language.types import Int, Named, Option, Type
from brou_conformance.metamorphic.renaming import Renaming, before, canonical, message
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.smoke.facts import TAKEN, Fact, Facts, read_facts, same_names
from brou_conformance.smoke.findings import AdapterCheck, ProtocolPassage
from brou_conformance.smoke.probes import Probe, play_out

#: For each step of a probe what would be told, by name; what is missing is not known.
Claims: TypeAlias = Facts
HAND, TURN, LEADER, DEALER = "view.hand", "view.turn", "view.leader", "view.dealer"


@dataclass(frozen=True, slots=True)
class Suspect:
    """A fault that adapters have."""

    check: AdapterCheck
    cause: str
    passage: ProtocolPassage
    #: What a program with this fault tells for a probe, whose right facts are given too.
    claim: Callable[[Probe, Facts], Claims]
    #: Whether each name is told by itself, so that the fault may be in one of them and not in the others.
    by_name: bool = False

    def touches(self, name: str) -> bool:
        """Say whether the fault can change the fact of a name."""
        parts = _TOUCHED.get(self.check, ())
        return not parts or any(part in name for part in parts)


#: Parts of the names of facts that faults of a kind can change; all of them if none is named.
_TOUCHED: Mapping[AdapterCheck, tuple[str, ...]] = {
    AdapterCheck.CARDS: ("hand", PLAY, "trump", "turn", "trick", TAKEN),
    AdapterCheck.DEALING: ("hand", PLAY, TAKEN),
}


@dataclass(frozen=True, slots=True)
class FaultyRenaming(Renaming):
    """Names that need not be a seat, a team or a card again, and new numbers."""

    numbers: Callable[[int], Json] = field(default=lambda number: number)
    #: For each seat the team whose place it takes, where lists of teams are told seat by seat.
    spread: tuple[int, ...] = ()

    def of(self, value: Json, type_: Type | None) -> Json:
        """Return a value of a type as the faulty adapter tells it."""
        if isinstance(type_, Int) and type(value) is int:
            return self.numbers(value)
        if isinstance(type_, Option) and value is not None:
            return self.of(value, type_.inner)
        return Renaming.of(self, value, type_)

    def place_items(self, items: list[Json], members: Sequence[str | int], index: Type) -> list[Json]:
        """Return a list as the faulty adapter tells it: by seats instead of teams, or in the order of the new names."""
        if len(items) != len(members):
            return items
        if self.spread and isinstance(index, Named) and index.name == "team":
            return [items[team] for team in self.spread]
        moved = {self.of(member, index): item for member, item in zip(members, items, strict=True)}
        return [moved[member] for member in members] if set(moved) == set(members) else items


@dataclass(frozen=True, slots=True)
class ExaminedSetup:
    """The basis of suspects: the rules and the probes of one set-up."""

    player: Machine
    probes: tuple[Probe, ...]

    @property
    def game(self) -> Game:
        """Return the rules."""
        return self.player.game

    @property
    def same(self) -> Renaming:
        """Return the names that change nothing."""
        return same_names(self.game)


# Two ways to make claims -----------------------------------------------------------------


def ask_under(
    table: ExaminedSetup, heard: Renaming, told: Renaming, *, by_pack: bool = False
) -> Callable[[Probe, Facts], Claims]:
    """Return the claims of a program that hears names otherwise, deals by hands or by the pack, and tells it so."""

    def claim(probe: Probe, facts: Facts) -> Claims:
        steps = [message(step, table.game, heard) for step in probe.steps]
        try:
            results, _ = play_out(table.player, _start_under(table, probe.start, heard, by_pack=by_pack), steps)
        except (BrouError, LookupError):
            return [{} for _ in facts]
        return read_facts(table.game, results, told)

    return claim


def _start_under(table: ExaminedSetup, start: Mapping[str, Any], names: Renaming, *, by_pack: bool) -> Message:
    """Return a start under other names, its deal made whole again from the hands or from the pack."""
    game = table.game
    given, found = parts(table.player, start)
    deal: Message = dict(found)
    moved = before(given, game, names)
    if not deal:
        return moved
    words = names.words
    hands = {str(names.seats[seat]): [words[card] for card in hand] for seat, hand in hands_of(deal).items()}
    kept: Message = {
        HANDS: hands,
        **{key: [words[card] for card in deal[key]] for key in (STOCK,) if key in deal},
    }
    kept |= {TURNUP: words[deal[TURNUP]]} if TURNUP in deal else {}
    lists = {key: value for key, value in deal.items() if key not in (HANDS, STOCK, TURNUP)}
    order = next(key for key, value in lists.items() if len(value) == len(game.deck.cards))
    others = {key: value for key, value in lists.items() if key != order}
    wanted: Message = {order: [words[card] for card in lists[order]]} if by_pack else kept
    return {**moved, **complete(table.player, table.player.start(moved), {**wanted, **others})}


def retell(table: ExaminedSetup, told: Renaming) -> Callable[[Probe, Facts], Claims]:
    """Return the claims of a program that is right and tells it under other names."""
    return lambda probe, facts: read_facts(table.game, probe.truth, told)  # noqa: ARG005 - one signature for all


def new_names(
    table: ExaminedSetup,
    *,
    seats: Sequence[int] = (),
    teams: Sequence[int] = (),
    words: Mapping[str, str] | None = None,
) -> Renaming:
    """Return names of which only those given are new."""
    same = table.same
    return Renaming(tuple(seats) or same.seats, tuple(teams) or same.teams, {**same.words, **(words or {})})


def teams_under(game: Game, seats: Sequence[int]) -> tuple[int, ...]:
    """Return where each team goes with its seats; where it was, if they do not stay together."""
    found = [frozenset(team) for team in game.teams]
    moved = [frozenset(seats[seat] for seat in team) for team in game.teams]
    return tuple(found.index(team) for team in moved) if set(found) == set(moved) else tuple(range(len(found)))


def told_names(  # noqa: PLR0913 - what is told otherwise, each by its name
    table: ExaminedSetup,
    *,
    seats: Sequence[int] = (),
    teams: Sequence[int] = (),
    words: Mapping[str, str] | None = None,
    numbers: Callable[[int], Json] | None = None,
    spread: Sequence[int] = (),
) -> FaultyRenaming:
    """Return names for telling, of which only those given are new."""
    names = new_names(table, seats=seats, teams=teams, words=words)
    return FaultyRenaming(names.seats, names.teams, names.words, numbers or (lambda number: number), tuple(spread))


def team_of(game: Game) -> tuple[int, ...]:
    """Return the team of each seat."""
    return tuple(next(number for number, team in enumerate(game.teams) if seat in team) for seat in range(game.seats))


# Hands as they are dealt ---------------------------------------------------------------------


def until_act(probe: Probe) -> int:
    """Return how many steps come before the first act."""
    return next((number for number, step in enumerate(probe.steps) if "act" in step), len(probe.steps))


def dealt_hands(probe: Probe, facts: Facts) -> dict[int, Fact]:
    """Return each hand as seen before the first act, or as given where it is not seen."""
    found: dict[int, Fact] = {seat: canonical(sorted(hand)) for seat, hand in hands_of(probe.start).items()}
    for step, fact in zip(probe.steps[: until_act(probe)], facts, strict=False):
        if "view" in step and HAND in fact:
            found[step["view"]] = fact[HAND]
    return found


def claim_hands(probe: Probe, facts: Facts, hands: Mapping[int, Fact]) -> Claims:
    """Return the claim that these are the hands before the first act; a whole hand may be led from."""
    true, end = dealt_hands(probe, facts), until_act(probe)
    claims: list[dict[str, Fact]] = [{} for _ in facts]
    for number, (step, fact) in enumerate(zip(probe.steps[:end], facts, strict=False)):
        if "view" in step and HAND in fact and hands.get(step["view"]):
            claims[number] = {HAND: hands[step["view"]]}
        if "legal" in step and fact.get(PLAY) == true.get(step["legal"]) and hands.get(step["legal"]):
            claims[number] = {PLAY: hands[step["legal"]]}
    return claims
