"""A question at the end of a route through a game, explained: the reasons, and what open readings would change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any, Protocol, TypeAlias

from brou.answers.explain_state import Explainer, FigurePlace
from brou.answers.history import History
from brou.dataclass import dataclass, field
from brou.errors import BadAct, Impossible
from brou.games.catalogue import Choice, rules
from brou.games.folder import Folder
from brou.games.readings import VariedReading, differences, find_other_answers
from brou.interpreter.dealing import begin
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.syntax import Deck, Game
from brou.reasons.explanation import (
    AlternativeReading,
    Answer,
    Explained,
    Explanation,
    Found,
    Judgement,
    Question,
    Unreached,
    Verdict,
    Visible,
    Worth,
)
from brou.reasons.reason import Act, Acted, Figure, Happened, encode_value
from brou.reasons.reasoner import Reasoner

#: What is answered, by the name of each part.
Answers: TypeAlias = Mapping[str, Answer]


class Route(Protocol):
    """A way through a game that can be gone under any rules of it."""

    def follow(self, machine: Machine, history: History) -> tuple[State, list[str]]:
        """Return where it leads, and for each step its name with how it ended."""

    def steps(self, game: Game) -> Mapping[str, Happened]:
        """Return what happens at each step."""


@dataclass(frozen=True, slots=True)
class RouteAct:
    """An act of a route, with the name of its step."""

    step: str
    seat: int
    act: Act


@dataclass(frozen=True, slots=True)
class ActRoute:
    """A route of acts from a start."""

    start: Mapping[str, Any] = field(default_factory=dict)
    moves: tuple[RouteAct, ...] = ()

    def follow(self, machine: Machine, history: History) -> tuple[State, list[str]]:
        """Carry out every act; one that is refused changes nothing."""
        history.begin("")
        state, ends = begin(machine, self.start), list[str]()
        for move in self.moves:
            history.begin(move.step)
            state, end = carry_out(machine, history, state, move)
            ends.append(f"{move.step} {end}")
        return state, ends

    def steps(self, game: Game) -> Mapping[str, Happened]:  # noqa: ARG002 - one signature for all routes
        """Return the acts."""
        return {move.step: Acted(move.seat, move.act) for move in self.moves}


def carry_out(machine: Machine, history: History, state: State, move: RouteAct) -> tuple[State, str]:
    """Return the state after an act, and how it ended: nothing, or the code of a refusal."""
    history.touched |= {("phases", state.phase), ("actions", next(iter(move.act), "").replace("-", "_"))}
    after = machine.act(state, move.seat, move.act)
    if isinstance(after, Refusal):
        return state, after.code
    return after, ""


def explain(choice: Choice, route: Route, question: Question, folder: Folder = None) -> Explanation:
    """Return the full answer to a question at the end of a route.

    Raise `Impossible` where the route has no possible beginning, and `BadAct` for a malformed act or a seat that is
    not there.
    """
    there = _RouteEnd.reach(choice, route, folder)
    there.machine.game.check_seat(question.seat)
    answers = there.answers(question, ())
    universe = [item.act for item in answers.values() if isinstance(item, Verdict)]

    def ask(other: Choice) -> _RouteOutcome:
        try:
            place = _RouteEnd.reach(other, route, folder)
        except (Impossible, BadAct):
            return _RouteOutcome(diverged="start")
        diverged = place.find_divergence(there.ends)
        return _RouteOutcome(diverged=diverged) if diverged else _RouteOutcome(place.answers(question, universe))

    unreached, changed = list[Unreached](), list[tuple[VariedReading[_RouteOutcome], Mapping[str, Answer | None]]]()
    for other in find_other_answers(choice, there.history.touched, _RouteOutcome(answers), ask, folder):
        if other.then.diverged:
            unreached.append(Unreached(other.key, other.value, other.then.diverged))
        else:
            changed.append((other, dict(differences(answers, other.then.answers))))
    new = (item for _, then in changed for name, item in then.items() if name not in answers)
    more = [item.act for item in new if isinstance(item, Verdict)]
    entries = (
        Explained(
            entry,
            tuple(
                AlternativeReading(other.key, other.value, other.ambiguity, then[part(entry, there.deck)])
                for other, then in changed
                if part(entry, there.deck) in then
            ),
        )
        for entry in there.explainer.answer(question, more)
    )
    return Explanation(choice, question, tuple(entries), tuple(unreached))


def explain_briefly(choice: Choice, route: Route, question: Question, folder: Folder = None) -> Judgement:
    """Return why an act at the end of a route is accepted or refused, without comparing readings."""
    there = _RouteEnd.reach(choice, route, folder)
    there.machine.game.check_seat(question.seat)
    return there.explainer.act(question.seat, question.act or {})


def part(entry: Found, deck: Deck) -> str:
    """Return the name of the part of an answer that an entry explains."""
    match entry:
        case Judgement():
            return _of_act(entry.seat, entry.act)
        case Figure():
            return _of_figure(entry, deck)
    return json.dumps(entry.name)


def _of_figure(figure: Figure | FigurePlace, deck: Deck) -> str:
    return json.dumps([figure.name, *(encode_value(key, deck) for key in figure.of)])


def _of_act(seat: int, act: Act) -> str:
    return json.dumps([seat, act])


@dataclass(frozen=True, slots=True)
class _RouteOutcome:
    """The answers at the end of a route, or the first step that diverged."""

    answers: Answers = field(default_factory=dict)
    diverged: str = ""


@dataclass(frozen=True, slots=True)
class _RouteEnd:
    """The end of a route under one choice of readings."""

    machine: Machine
    state: State
    history: History
    ends: list[str]
    explainer: Explainer

    @classmethod
    def reach(cls, choice: Choice, route: Route, folder: Folder) -> _RouteEnd:
        """Go a route."""
        game = rules(choice, folder)
        history = History(game)
        machine = Machine(game, history)
        state, ends = route.follow(machine, history)
        steps = route.steps(game)
        explainer = Explainer(machine, Reasoner(machine.evaluator), history, state, history.writes, steps)
        return cls(machine, state, history, ends, explainer)

    @property
    def deck(self) -> Deck:
        """Return the pack that is played with."""
        return self.machine.game.deck

    def find_divergence(self, ends: list[str]) -> str:
        """Return the first step that ends otherwise than it should; nothing if all end so."""
        both = zip_longest(ends, self.ends, fillvalue="")
        return next(((new or old).partition(" ")[0] for old, new in both if old != new), "")

    def answers(self, question: Question, universe: Iterable[Act]) -> Answers:
        """Return the answers to a question part by part; for acts, also those of the universe of other readings."""
        offered = self.machine.game.phases[self.state.phase].actions
        self.history.touched |= {("phases", self.state.phase), *(("actions", name) for name in offered)}
        match question.kind:
            case "act":
                return self._verdicts(question.seat, [question.act or {}])
            case "legal":
                return self._judge_legal(question.seat, list(universe))
            case "view":
                seen = self.machine.view(self.state, question.seat)
                return {json.dumps(name): Visible(value) for name, value in seen.items()}
        score = question.kind == "score"
        places = self.explainer.places(self.state) if score else self.explainer.taker_places()
        return {_of_figure(one, self.deck): Worth(encode_value(one.shown, self.deck), one.shown) for one in places}

    def _judge_legal(self, seat: int, universe: list[Act]) -> Answers:
        """Return the verdicts on the acts open to a seat; given a universe, on all of it and on other allowed acts."""
        verdicts = self._verdicts(seat, [*universe, *self.machine.imaginable(self.state, seat)])
        within = {_of_act(seat, act) for act in universe}
        kept = {name: item for name, item in verdicts.items() if item.allowed or name in within or not within}
        acts = [{name: what} for name, what in self.machine.legal(self.state, seat).items() if isinstance(what, dict)]
        return {**kept, **{_of_act(seat, act): Verdict(act, allowed=True) for act in acts}}

    def _verdicts(self, seat: int, acts: Iterable[Act]) -> Mapping[str, Verdict]:
        refusals = ((dict(act), self.machine.refusal(self.state, seat, act)) for act in acts)
        return {
            _of_act(seat, act): Verdict(act, refusal is None, "" if refusal is None else refusal.code)
            for act, refusal in refusals
        }
