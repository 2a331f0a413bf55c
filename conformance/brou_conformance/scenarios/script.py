"""From a scenario to a script: the start in full, and the steps as they go over the wire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from brou import (
    BrouError,
    Choice,
    Fault,
    Folder,
    Game,
    Invalid,
    Json,
    Machine,
    Unusable,
    book,
    choose,
    complete,
    keep_until_changed,
    outside,
    parts,
    rules,
    with_readings,
)
from brou.cache import load_or_make
from brou.games import list_rule_files
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import Scenario, ScriptStep


# Whoever looks for the readings of a program plays each script under some two hundred rule bases, one after the other:
# fewer places than that, and every one is built anew for each script.
@keep_until_changed(maxsize=64)
def machine(choice: Choice, folder: Folder = None) -> Machine:
    """Return the interpreter of a rule base, built once."""
    return Machine(rules(choice, folder))


@dataclass(frozen=True, slots=True)
class Script:
    """A scenario spelt out for one rule base."""

    scenario: Scenario
    choice: Choice
    steps: tuple[ScriptStep, ...]
    #: Where it begins, as it goes over the wire; nothing is the beginning of a match.
    start: Mapping[str, Any]
    #: The readings that it is judged under, and the names of the acts that are tried in it.
    readings: Mapping[str, str] = field(init=False, compare=False)
    acts: frozenset[str] = field(init=False, compare=False)
    #: The acts that are accepted in it.
    made: frozenset[str] = field(init=False, compare=False)
    #: Every step as it goes over the wire, by its number.
    messages: Mapping[int, Mapping[str, Any]] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "readings", dict(self.choice.readings))
        object.__setattr__(self, "messages", {number: step.message for number, step in enumerate(self.steps)})
        acts = (act for step in self.steps if isinstance(act := step.message.get("act"), dict))
        object.__setattr__(self, "acts", frozenset(name for act in acts for name in act))
        object.__setattr__(self, "made", frozenset(step.topics[0] for step in self.steps if step.accepted))

    def request(self, steps: Iterable[Mapping[str, Any]], start: Mapping[str, Any], *, readings: bool) -> Message:
        """Return the request for some steps, without operation and id; it tells nothing of the expectations."""
        choice = self.choice
        message: Message = {"game": choice.game, "edition": choice.edition, "setup": choice.setup}
        if readings:
            message["readings"] = self.readings
        if start:
            message["start"] = start
        message["steps"] = list(steps)
        return message


Starts: TypeAlias = Mapping[str, "Mapping[str, Any] | tuple[Fault, ...]"]


def starts(found: Sequence[Scenario], choice: Choice, made_of: Sequence[Path], folder: Folder = None) -> Starts:
    """Return the start of each scenario under a choice, or the faults of its deal; cached by the files."""

    def make_starts() -> Starts:
        return {one.id: _start(one, choice, folder) for one in found if one.deal}

    ids = [one.id for one in found]
    return load_or_make(
        "starts",
        [*made_of, *list_rule_files(choice.game, folder or choice.project)],
        (choice, choice.readings, ids),
        make_starts,
    )


def spell(scenario: Scenario, choice: Choice, folder: Folder = None, known: Starts | None = None) -> Script:
    """Return the script of a scenario; raise `Invalid` where its deal cannot be dealt."""
    steps = scenario.steps(machine(choice, folder).game.seats)
    unsaid = [step for step in steps if step.choose_pattern(dict(choice.readings)) is None]
    if unsaid:
        what = f"{scenario.id}#{unsaid[0].id} expects nothing under {unsaid[0].reading}, as {choice} is played"
        raise Invalid([Fault(unsaid[0].place, what, "give an expectation for each value of the reading")])
    if not scenario.deal:
        return Script(scenario, choice, steps, {})
    start = (known or {}).get(scenario.id) or _start(scenario, choice, folder)
    if isinstance(start, tuple):
        raise Invalid(start)
    return Script(scenario, choice, steps, start)


def deal_faults(found: Iterable[Scenario], game: str, folder: Folder = None) -> Iterator[Fault]:
    """Yield scenarios that cannot be dealt or asked in the first edition that they hold for, set-up by set-up."""
    editions = book(game, folder).editions
    for one in found:
        edition = next((name for name in one.editions or editions if name in editions), None)
        if edition is None:
            continue
        for setup in one.setups or tuple(editions[edition].setups)[:1]:
            try:
                choice = with_readings(choose(f"{game}@{edition}:{setup}", folder), one.premise, folder)
                yield from _step_faults(spell(one, choice, folder), machine(choice, folder).game)
            except Unusable as error:
                yield from error.faults
            except BrouError as error:
                yield Fault(one.place, f"{one.id}: {error}")


def _step_faults(script: Script, game: Game) -> Iterator[Fault]:
    """Yield the steps of a script that name a seat or, in an act to be accepted, a card that the game does not have."""
    for step in script.steps:
        asked = step.message.get("by" if step.verb == "act" else step.verb)
        if isinstance(asked, int) and not isinstance(asked, bool) and asked >= game.seats:
            what = f"{script.scenario.id}#{step.id} names seat {asked}, and this set-up has {game.seats}"
            yield Fault(step.place, what, f"seats are 0 to {game.seats - 1}")
        act = step.message.get("act")
        if not step.accepted or not isinstance(act, dict):
            continue
        for card in (card for name, value in act.items() for card in _list_cards(game, name, value)):
            if card not in game.deck.cards:
                what = f"{script.scenario.id}#{step.id} plays {card!r}, which is no card of this pack"
                yield Fault(
                    step.place, what, f"ranks are {' '.join(game.deck.ranks)}, suits {' '.join(game.deck.suits)}"
                )


def _list_cards(game: Game, name: str, value: object) -> Iterator[str]:
    """Yield the cards that the value of an act names, where the act takes one card and nothing else."""
    action = next((one for one in game.actions.values() if outside(one.id) == name), None)
    if action is not None and [str(one.type) for one in action.parameters] == ["card"] and isinstance(value, str):
        yield value


def _start(scenario: Scenario, choice: Choice, folder: Folder) -> dict[str, Json] | tuple[Fault, ...]:
    """Return the start of a scenario, cards and all, or its faults."""
    player = machine(choice, folder)
    try:
        given, deal = parts(player, {**scenario.deal, **scenario.before})
        state = player.start(given)
        return {**given, **(complete(player, state, deal) if deal else {})}
    except BrouError as error:
        return (Fault(scenario.place, f"{scenario.id}: {error}"),)
