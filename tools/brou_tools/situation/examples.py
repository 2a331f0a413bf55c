"""Scenarios played out by the interpreter when a book is built: the tricks, the acts in words, the scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from brou import (
    Choice,
    Impossible,
    Json,
    Machine,
    Project,
    Refusal,
    State,
    Unknown,
    Unusable,
    begin,
    book,
    choose,
    hands_of,
    keep_until_changed,
    outside,
    with_readings,
)
from brou.cache import load_or_make
from brou.games import list_rule_files
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import PLAY, Scenario, ScriptStep
from brou_conformance.scenarios.script import machine, spell
from brou_tools.matches.policy import teach_rules

#: How many scenarios are tried for a question, the shortest first.
_TRIED = 6

#: Names of fields that the protocol gives a meaning in every game.
TRICK, TURNUP, TRUMP, DEALER, HANDS = "trick", "turnup", "trump", "dealer", "hands"

#: The act by which what a deal comes to is written down.
NEXT = "next"


@dataclass(frozen=True, slots=True)
class Laid:
    """A trick: the cards in the order of play, and its winner if it is complete."""

    cards: tuple[tuple[int, str], ...]
    winner: int | None
    #: Which trick of the deal it is, from 1 on; 0 if earlier ones are unknown.
    number: int = 0


@dataclass(frozen=True, slots=True)
class SpokenAct:
    """An act that is no card: the seat, the act, and the code if it was refused."""

    seat: int
    act: Mapping[str, Any]
    code: str = ""
    #: What lay in the trick that was not complete.
    lying: tuple[str, ...] = ()
    #: The card that it has turned up.
    turned: str = ""


@dataclass(frozen=True, slots=True)
class AskedStep:
    """A question of the scenario and the interpreter's answer: legal acts, a score, a view."""

    step: ScriptStep
    answer: Mapping[str, Any]
    #: What lay in the trick that was not complete.
    lying: tuple[str, ...] = ()


@dataclass(slots=True)
class PlayedScenario:
    """A scenario as it went: the start, then everything in order."""

    scenario: Scenario
    choice: Choice
    player: Machine
    start: Mapping[str, Any]
    first: State
    last: State
    events: list[Laid | SpokenAct | AskedStep] = field(default_factory=list)
    #: The acts that were accepted, each with its seat.
    acts: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    #: Whether some act of it was refused.
    refused: bool = False

    @property
    def hands(self) -> dict[int, list[str]]:
        """Return the hands that were dealt, none where the scenario begins before the deal."""
        return hands_of(self.start)

    def view_start(self, name: str, seat: int = 0) -> Json:
        """Return a value of a seat's view at the start."""
        return self.player.view(self.first, seat).get(name)


def find_scenario(game: str, project: Project, id_: str) -> Scenario:
    """Return a scenario by its id."""
    known = {one.id: one for one in corpus.scenarios(game, project)}
    if id_ not in known:
        raise Unknown("scenario", id_, known, "brou corpus list")
    return known[id_]


def fitting(one: Scenario, choice: Choice) -> Choice | None:
    """Return the rules that a scenario is played under in an edition, None if it is not of that edition."""
    if one.editions and choice.edition not in one.editions:
        return None
    setup = one.setups[0] if one.setups else choice.setup
    plain = choose(f"{choice.game}@{choice.edition}:{setup}", choice.project)
    try:
        return with_readings(plain, one.premise)
    except Unknown:
        return None


def choose_rules(one: Scenario, named: str | None, project: Project) -> Choice:
    """Return the rules named, else the first edition and set-up that a scenario holds for, under its premise.

    Raise `Unknown` for the rules of another game.
    """
    edition, setup = (f"{sign}{names[0]}" if names else "" for sign, names in (("@", one.editions), (":", one.setups)))
    choice = choose(named or f"{one.game}{edition}{setup}", project)
    if choice.game != one.game:
        raise Unknown(f"rules for {one.id}", str(choice), [one.game])
    return with_readings(choice, one.premise if named is None else {})


def course(one: Scenario, choice: Choice, upto: ScriptStep | None = None) -> PlayedScenario:
    """Play a scenario, whole or as far as a step, which is not taken."""
    script, player = spell(one, choice), machine(choice)
    state = begin(player, script.start)
    whole = PlayedScenario(one, choice, player, script.start, state, state)
    pending: list[tuple[int, str]] = []
    number = 0
    for step in script.steps:
        if upto is not None and step.id == upto.id:
            break
        if step.verb != "act":
            answer, _ = take(player, whole.last, step.message)
            whole.events.append(AskedStep(step, answer, _cards(pending)))
            continue
        number = _act(whole, step, pending, number)
    if pending:
        whole.events.append(Laid(tuple(pending), None, number + 1))
    return whole


def _act(whole: PlayedScenario, step: ScriptStep, pending: list[tuple[int, str]], number: int) -> int:
    """Make an act; return how many tricks are complete."""
    seat, act = step.deed
    after = whole.player.act(whole.last, seat, act)
    if isinstance(after, Refusal):
        whole.refused = True
        # What some reading alone would allow is told with its question.
        whole.events += [] if step.reading else [SpokenAct(seat, act, after.code, _cards(pending))]
        return number
    whole.acts.append((seat, act))
    played = act.get(PLAY)
    if played is None:
        whole.events.append(SpokenAct(seat, act, lying=_cards(pending), turned=_find_turned_up(whole, after)))
        whole.last = after
        return number
    pending.append((seat, str(played)))
    lying = whole.player.view(after, seat).get(TRICK)
    whole.last = after
    if isinstance(lying, list) and len(lying) == len(pending):
        return number
    whole.events.append(Laid(tuple(pending), _find_winner(whole), number + 1))
    pending.clear()
    return number + 1


def _find_winner(whole: PlayedScenario) -> int | None:
    """Return the winner of the last complete trick, also where the deal ends with it and nothing lies any more."""
    asked = {"winner": True}
    winner: int | None = take(whole.player, whole.last, asked)[0].get("winner")
    if winner is not None:
        return winner
    game = teach_rules(whole.choice, {}, apart=True)[0]
    player = Machine(game)
    state = begin(player, whole.start)
    for seat, act in whole.acts:
        while ends := [name for name in game.phases[state.phase].actions if name not in whole.player.game.actions]:
            state = _carry_out(player, state, 0, {outside(ends[0]): True})
        state = _carry_out(player, state, seat, act)
    return take(player, state, asked)[0].get("winner")


def _carry_out(player: Machine, state: State, seat: int, act: Mapping[str, Any]) -> State:
    after = player.act(state, seat, act)
    return state if isinstance(after, Refusal) else after


def settle_deal(whole: PlayedScenario) -> State:
    """Return how a course stands when its last deal is written down, as it is where that deal goes on."""
    after = (whole.player.act(whole.last, seat, {NEXT: True}) for seat in range(whole.player.game.seats))
    return next((state for state in after if not isinstance(state, Refusal)), whole.last)


def _cards(pending: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(card for _, card in pending)


def _find_turned_up(whole: PlayedScenario, after: State) -> str:
    """Return the card that an act has turned up, nothing if it has turned none."""
    before, now = (up(whole.player.view(state, 0).get(TURNUP)) for state in (whole.last, after))
    return now if now != before else ""


def up(turnup: Json) -> str:
    """Return the card of a turn-up as a seat sees it, nothing if there is none."""
    card = turnup.get("card") if isinstance(turnup, dict) else turnup
    return card if isinstance(card, str) else ""


# Readings -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeparatingCase:
    """The smallest case in which the readings of a question differ: its start, its question, each answer."""

    course: PlayedScenario
    step: ScriptStep
    #: By reading: the answer, None where it does not come to this.
    answers: Mapping[str, Mapping[str, Any] | None]


#: How the readings of a question differ, kept from one book to the next: the scenario, the step, each answer.
_Kept: TypeAlias = tuple[str, str, Mapping[str, Mapping[str, Any] | None]]


def parting(key: str, values: Sequence[str], choice: Choice) -> SeparatingCase | None:
    """Return the shortest of a few scenarios of an edition that tells most of the readings apart."""
    kept = _partings(choice).get(key)
    if kept is None:
        return None
    scenario, id_, answers = kept
    one = find_scenario(choice.game, choice.project, scenario)
    step = next(line for line in one.lines if isinstance(line, ScriptStep) and line.id == id_)
    rules = fitting(one, choice)
    if rules is None:
        return None
    return SeparatingCase(course(one, rules, step), step, {value: answers[value] for value in values})


@keep_until_changed(maxsize=32)
def _partings(choice: Choice) -> Mapping[str, _Kept]:
    """Return how the readings of an edition differ, by their keys; worked out again where a file has changed."""
    made_of = [
        *list_rule_files(choice.game, choice.project),
        *corpus.files(choice.game, choice.project),
        Path(__file__),
    ]
    return load_or_make("partings", made_of, choice, lambda: dict(_list_partings(choice)))


def _list_partings(choice: Choice) -> Iterator[tuple[str, _Kept]]:
    known = book(choice.game, choice.project).readings
    for key, _ in choice.readings:
        best = None if known[key].number else _best(key, tuple(known[key].values), choice)
        if best is not None:
            yield key, best


def _best(key: str, values: Sequence[str], choice: Choice) -> _Kept | None:
    best: _Kept | None = None
    for one, step, rules in sorted(_candidates(key, choice), key=lambda item: (_length(item[0]), item[0].id))[:_TRIED]:
        answers = {value: _answer_step(one, step, rules, key, value) for value in values}
        if _apart(answers) > (1 if best is None else _apart(best[2])):
            best = (one.id, step.id, answers)
        if _apart(answers) == len(values):
            break
    return best


def _apart(answers: Mapping[str, Mapping[str, Any] | None]) -> int:
    """Return how many different answers there are; one that does not arise counts as none."""
    return len({str(answer) for answer in answers.values() if answer is not None})


def _candidates(key: str, choice: Choice) -> Iterator[tuple[Scenario, ScriptStep, Choice]]:
    for one in corpus.scenarios(choice.game, choice.project):
        step = next((line for line in one.lines if isinstance(line, ScriptStep) and line.reading == key), None)
        rules = None if step is None else fitting(one, choice)
        if step is not None and rules is not None:
            yield one, step, rules


def _length(one: Scenario) -> int:
    return sum(
        1 if isinstance(line, ScriptStep) else len(line.tricks) * len(line.tricks[0].cards) for line in one.lines
    )


def _answer_step(one: Scenario, step: ScriptStep, rules: Choice, key: str, value: str) -> Mapping[str, Any] | None:
    """Return the answer to a step under a reading; None where play does not reach it."""
    try:
        played = with_readings(rules, {key: value})
        script, player = spell(one, played), machine(played)
        state = begin(player, script.start)
    except (Impossible, Unusable):
        return None
    for before in script.steps:
        if before.id == step.id:
            break
        if before.verb == "act":
            after = player.act(state, *before.deed)
            if isinstance(after, Refusal):
                return None
            state = after
    return take(player, state, step.message)[0]
