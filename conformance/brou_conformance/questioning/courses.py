"""Courses: the scenarios of a game as lines of acts and questions, answered by the interpreter under any readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from brou import (
    BrouError,
    Choice,
    Game,
    Impossible,
    Json,
    Machine,
    State,
    begin,
    book,
    complete,
    keep_until_changed,
    parts,
    with_readings,
)
from brou.games import find_mattering_readings, rules_of_play
from brou.interpreter import Observer
from brou.language.effects import Effect, Goto, walk_effects
from brou.language.types import Value, Values
from brou_conformance.questioning.outcomes import ALLOWED, NONE, Outcome, outcome_of
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import Scenario, ScriptStep


@dataclass(frozen=True, slots=True)
class ScenarioCourse:
    """A scenario that begins at one place under all readings."""

    scenario: Scenario
    start: Mapping[str, Json] = field(compare=False, hash=False)
    steps: tuple[ScriptStep, ...] = field(compare=False, hash=False)

    @property
    def id(self) -> str:
        """Return the name of its scenario."""
        return self.scenario.id

    @property
    def start_name(self) -> str:
        """Return the accounts before the deal as text; they tell apart two courses of one scenario."""
        return repr(self.scenario.before)


@dataclass(frozen=True, slots=True)
class Tale:
    """A course told under one choice: an outcome for each step, and the keys that could matter by then."""

    outcomes: tuple[Outcome, ...]
    mattering: tuple[frozenset[str], ...]


def set_out(scenario: Scenario, choice: Choice) -> ScenarioCourse | None:
    """Return the course of a scenario as it begins under a choice, None where it cannot begin there."""
    try:
        player, _ = _build_watched(choice)
        given, deal = parts(player, {**scenario.deal, **scenario.before})
        start = {**given, **(complete(player, player.start(given), deal) if deal else {})} if scenario.deal else {}
        begin(player, start)
    except BrouError:
        return None
    return ScenarioCourse(scenario, start, scenario.steps(player.game.seats))


@keep_until_changed(maxsize=64)
def _build_watched(choice: Choice) -> tuple[Machine, _Looking]:
    """Return the interpreter of a choice, and its watch."""
    game = rules_of_play(choice)
    looking = _Looking(game)
    return Machine(game, looking), looking


class Interpreter:
    """Answers courses under any readings of one edition and set-up, and remembers its answers."""

    def __init__(self, plain: Choice) -> None:
        self.plain = plain
        self._own = dict(plain.readings)
        self._tales: dict[tuple[str, str, Choice], Tale] = {}
        #: The keys that have mattered in a course by some step, whatever the readings were.
        self._touched: dict[tuple[str, str], frozenset[str]] = {}

    def tell(self, course: ScenarioCourse, upto: int, readings: Mapping[str, str]) -> Tale:
        """Return the outcomes of a course up to a step, including that step.

        Only the keys that can matter are given their values: the others change nothing, and fewer rule bases have to be
        made.
        """
        place = (course.id, course.start_name)
        needed = self._touched.get(place, frozenset(course.scenario.keys) & set(self._own))
        while True:
            tale = self._recall_tale(course, upto, self._choice(readings, needed))
            more = needed.union(*tale.mattering)
            if more <= needed:
                self._touched[place] = needed
                return tale
            needed = more

    def known_to_matter(self, course: ScenarioCourse) -> frozenset[str]:
        """Return the keys of which it has been seen that they can matter in a course."""
        return self._touched.get((course.id, course.start_name), frozenset())

    def is_number(self, key: str) -> bool:
        """Say whether a reading is a number within bounds."""
        return book(self.plain.game, self.plain.project).readings[key].number is not None

    def choice(self, readings: Mapping[str, str]) -> Choice:
        """Return the choice of these readings."""
        return with_readings(self.plain, readings)

    def _choice(self, readings: Mapping[str, str], needed: frozenset[str]) -> Choice:
        try:
            return with_readings(self.plain, {key: value for key, value in readings.items() if key in needed})
        except Impossible:
            return with_readings(self.plain, readings)

    def _recall_tale(self, course: ScenarioCourse, upto: int, choice: Choice) -> Tale:
        key = (course.id, course.start_name, choice)
        known = self._tales.get(key)
        if known is None or len(known.outcomes) <= upto:
            known = self._tales[key] = tell(course, upto, choice)
        return Tale(known.outcomes[: upto + 1], known.mattering[: upto + 1])


def tell(course: ScenarioCourse, upto: int, choice: Choice) -> Tale:
    """Return the interpreter's answers under a choice to the steps of a course up to one."""
    player, looking = _build_watched(choice)
    looking.restart()
    steps = course.steps[: upto + 1]
    try:
        state = begin(player, course.start)
    except BrouError:
        every = frozenset(book(choice.game, choice.project).editions[choice.edition].readings)
        return Tale((NONE,) * len(steps), (every,) * len(steps))
    outcomes: list[Outcome] = []
    keys: list[frozenset[str]] = []
    for step in steps:
        state, outcome = _take_step(player, looking, state, step)
        outcomes.append(outcome)
        keys.append(looking.mattering(choice))
    return Tale(tuple(outcomes), tuple(keys))


def _take_step(player: Machine, looking: _Looking, state: State, step: ScriptStep) -> tuple[State, Outcome]:
    """Return the state after a step, and the outcome that counts; note the records that the step reads."""
    looking.touched.add(("phases", state.phase))
    if step.verb == "act":
        looking.touched.add(("actions", next(iter(step.deed[1]), "").replace("-", "_")))
    else:
        looking.touched |= {("actions", name) for name in player.game.phases[state.phase].actions}
    answer, after = take(player, state, step.message)
    return after, outcome_of(step, answer)


class _Looking(Observer):
    """A watch that notes which records, and which rows of tables, the rules consult."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.touched: set[tuple[str, str]] = set()
        self.rows: set[tuple[str, str]] = set()
        bodies = [
            *((("actions", name), action.do) for name, action in game.actions.items()),
            *((("phases", name), phase.do) for name, phase in game.phases.items()),
        ]
        self._owners = {id(effect): owner for owner, body in bodies for effect in walk_effects(body)}
        self._known = (0, 0)
        self._mattering: frozenset[str] = frozenset()

    def restart(self) -> None:
        """Forget the records and rows asked so far."""
        self.touched.clear()
        self.rows.clear()
        self._known, self._mattering = (0, 0), frozenset()

    def mattering(self, choice: Choice) -> frozenset[str]:
        """Return the keys that could have changed something up to now."""
        size = len(self.touched), len(self.rows)
        if size != self._known:
            self._known, self._mattering = size, find_mattering_readings(choice, self._game, self.touched, self.rows)
        return self._mattering

    def note_lookup(self, section: str, name: str) -> None:
        """Note that the rules consult a record."""
        self.touched.add((section, name))

    def note_row(self, table: str, row: str) -> None:
        """Keep that a row was judged."""
        self.rows.add((table, row))

    def note_effect(self, effect: Effect, env: Mapping[str, int], values: Values, locals_: Sequence[Value]) -> None:
        """Keep whose effect is carried out, and which phase it leads to."""
        self.touched.add(self._owners[id(effect)])
        if isinstance(effect, Goto):
            self.touched.add(("phases", effect.phase))


def route(course: ScenarioCourse, number: int, tale: Tale) -> Sequence[ScriptStep]:
    """Return the acts that lead to a step, those that are refused left out."""
    return [
        step
        for step, outcome in zip(course.steps[:number], tale.outcomes, strict=False)
        if step.verb == "act" and outcome == ALLOWED
    ]
