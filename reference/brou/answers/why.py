"""A question at the end of a route through a game, explained: the entries, and what open readings would change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from brou.answers.explain import Entry, Explainer, Question
from brou.answers.history import History
from brou.errors import BadAct, BrouError, Impossible
from brou.interpreter.dealing import begin
from brou.interpreter.machine import Machine, Refusal, State
from brou.shelf.library import Choice, rules
from brou.shelf.readings import differences, others
from brou.words.wording import Words

#: What is answered, by the name of each part.
Answer: TypeAlias = "dict[str, Any]"


class Diverged(BrouError):
    """A route that goes another way under other rules: the first step that ends otherwise."""

    def __init__(self, step: str) -> None:
        self.step = step
        super().__init__(step)


class Route(Protocol):
    """A way through a game that can be gone under any rules of it."""

    def follow(self, machine: Machine, history: History) -> tuple[State, list[str]]:
        """Return where it leads, and for each step its name with how it ended."""

    def told(self, words: Words) -> Mapping[str, str]:
        """Return what happens at each step, in words."""


@dataclass(frozen=True, slots=True)
class Move:
    """An act of a route, with the name of its step."""

    step: str
    seat: int
    act: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Script:
    """A route of acts from a start."""

    start: Mapping[str, Any] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()

    def follow(self, machine: Machine, history: History) -> tuple[State, list[str]]:
        """Carry out every act; one that is refused changes nothing."""
        history.begin("")
        state, ends = begin(machine, self.start), list[str]()
        for move in self.moves:
            history.begin(move.step)
            state, end = moved(machine, history, state, move)
            ends.append(f"{move.step} {end}")
        return state, ends

    def told(self, words: Words) -> Mapping[str, str]:
        """Return each act in words."""
        return {move.step: words.act(move.seat, move.act) for move in self.moves}


def moved(machine: Machine, history: History, state: State, move: Move) -> tuple[State, str]:
    """Return the state after an act, and how it ended: nothing, or the code of a refusal."""
    history.touched |= {("phases", state.phase), ("actions", next(iter(move.act), "").replace("-", "_"))}
    after = machine.act(state, move.seat, move.act)
    if isinstance(after, Refusal):
        return state, after.code
    return after, ""


def explained(choice: Choice, route: Route, question: Question, lang: str, folder: Path | None = None) -> Entry:
    """Return everything that is to be said to a question at the end of a route.

    Raise `Impossible` where the route begins nowhere, `BadAct` for an act that is none.
    """
    there = _Place.reached(choice, route, lang, folder)
    answer = there.answers(question, ())
    universe = [item["act"] for item in answer.values() if "act" in item]
    unreached: list[Entry] = []
    found = list[tuple[str, str, str, Answer]]()

    def ask(other: Choice) -> Answer:
        try:
            place = _Place.reached(other, route, lang, folder, there.ends)
        except Diverged as error:
            return {"": error.step}
        except (Impossible, BadAct):
            return {"": "start"}
        return place.answers(question, universe)

    for other in others(choice, there.history.touched, answer, ask, folder):
        if "" in other.then:
            unreached.append({"key": other.key, "value": other.value, "step": other.then[""]})
        else:
            found.append((other.key, other.value, other.ambiguity, other.then))
    more = [
        item["act"]
        for *_, then in found
        for name, item in differences(answer, then)
        if name not in answer and item is not None and "act" in item
    ]
    entries = there.explainer.answer(question, more)
    for entry in entries:
        entry["readings"] = list(_readings(entry, answer, found, there.words))
    return {
        "game": choice.game,
        "edition": choice.edition,
        "setup": choice.setup,
        "readings": dict(choice.readings),
        "question": question.plain(),
        "entries": entries,
        "unreached": unreached,
    }


def briefly(choice: Choice, route: Route, question: Question, lang: str, folder: Path | None = None) -> Entry:
    """Return why an act at the end of a route is accepted or refused, open readings aside."""
    there = _Place.reached(choice, route, lang, folder)
    if question.seat not in range(there.machine.game.seats):
        raise BadAct(f"there is no seat {question.seat!r}; seats are 0 to {there.machine.game.seats - 1}")
    return there.explainer.act(question.seat, question.act or {})


def _readings(
    entry: Entry, answer: Answer, found: Iterable[tuple[str, str, str, Answer]], words: Words
) -> Iterable[Entry]:
    """Yield the readings under which an entry would be another."""
    name = part(entry)
    for key, value, ambiguity, then in found:
        new = then.get(name)
        if new != answer.get(name) and not (name not in answer and new is None):
            shown = {} if new is None else {k: item for k, item in new.items() if k != "act"}
            yield {"key": key, "value": value, "id": ambiguity, "text": words.clause(ambiguity), "then": shown}


def part(entry: Entry) -> str:
    """Return the name of the part of an answer that an entry explains."""
    if "act" in entry:
        return json.dumps([entry["by"], entry["act"]])
    if "figure" in entry:
        return json.dumps([entry["figure"], *entry["of"]])
    return json.dumps(entry["sight"])


@dataclass(frozen=True, slots=True)
class _Place:
    """The end of a route under one choice of readings."""

    machine: Machine
    state: State
    history: History
    ends: list[str]
    words: Words
    explainer: Explainer

    @classmethod
    def reached(
        cls, choice: Choice, route: Route, lang: str, folder: Path | None, ends: list[str] | None = None
    ) -> _Place:
        """Go a route; raise `Diverged` where a step ends otherwise than it should."""
        game = rules(choice, folder)
        history = History(game)
        machine = Machine(game, history)
        state, found = route.follow(machine, history)
        if ends is not None and found != ends:
            other = next((new for old, new in zip(ends, found, strict=False) if old != new), "")
            raise Diverged(other.partition(" ")[0])
        words = Words(game, lang, folder)
        return cls(machine, state, history, found, words, Explainer(words, machine, state, history, route.told(words)))

    def answers(self, question: Question, universe: Iterable[Mapping[str, Any]]) -> Answer:
        """Return what is answered, part by part; of acts that others think of, also those of a universe."""
        before = len(self.history.writes)
        found = self._answers(question, list(universe))
        del self.history.writes[before:]
        return found

    def _answers(self, question: Question, universe: list[Mapping[str, Any]]) -> Answer:
        offered = self.machine.game.phases[self.state.phase].actions
        self.history.touched |= {("phases", self.state.phase), *(("actions", name) for name in offered)}
        match question.kind:
            case "act":
                return self._verdicts(question.seat, [question.act or {}])
            case "legal":
                known = [*universe, *self.machine.imaginable(self.state, question.seat)]
                verdicts = self._verdicts(question.seat, known)
                within = {part({"act": act, "by": question.seat}) for act in universe}
                kept = {
                    name: item for name, item in verdicts.items() if item["allowed"] or name in within or not within
                }
                described = self.machine.legal(self.state, question.seat).items()
                acts = [{name: what} for name, what in described if isinstance(what, dict)]
                return kept | {part({"act": act, "by": question.seat}): {"allowed": True, "act": act} for act in acts}
            case "view":
                seen = self.machine.view(self.state, question.seat)
                return {json.dumps(name): {"seen": True, "value": value} for name, value in seen.items()}
        entries = self.explainer.score() if question.kind == "score" else self.explainer.taker()
        return {part(entry): {"value": entry["value"], "shown": entry["shown"]} for entry in entries}

    def _verdicts(self, seat: int, acts: Iterable[Mapping[str, Any]]) -> Answer:
        found: Answer = {}
        for act in acts:
            after = self.machine.act(self.state, seat, act)
            code = after.code if isinstance(after, Refusal) else ""
            found[part({"act": act, "by": seat})] = {"allowed": not code, "code": code, "act": dict(act)}
        return found
