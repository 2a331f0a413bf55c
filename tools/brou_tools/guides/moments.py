"""The corpus played through: every step with the interpreter's answer, and requests made of such steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from brou import (
    Choice,
    Impossible,
    Json,
    Machine,
    Project,
    State,
    begin,
    book,
    keep_until_changed,
    spread,
    with_readings,
)
from brou_conformance.programs.engine import ReferenceEngine
from brou_conformance.protocol import Message
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import ScriptStep
from brou_conformance.scenarios.script import Script, machine, spell


@dataclass(frozen=True, slots=True)
class GuideMoment:
    """A step of a scenario under one rule base: the state before it, the state after it, and the answer."""

    choice: Choice
    script: Script
    number: int
    before: State
    after: State
    result: Mapping[str, Json]
    #: The acts that were accepted before it.
    acts: tuple[Message, ...]

    @property
    def step(self) -> ScriptStep:
        """Return the step."""
        return self.script.steps[self.number]

    @property
    def case(self) -> str:
        """Return the name of the step, as `brou explain` takes it."""
        return f"{self.script.scenario.id}#{self.step.id}"

    @property
    def act(self) -> str:
        """Return the name of the act as on the wire; nothing for a question."""
        act = self.step.message.get("act")
        return next(iter(act)) if isinstance(act, dict) else ""

    @property
    def machine(self) -> Machine:
        """Return the interpreter of its rules."""
        return machine(_under(self.choice, self.script.scenario.premise))


@dataclass(frozen=True, slots=True)
class GuideExample:
    """A request on a page, and the reply of the interpreter to it."""

    case: str
    request: Message
    reply: Message

    @property
    def exchanges(self) -> list[tuple[Message, Message]]:
        """Return each step with its result."""
        return list(zip(self.request["steps"], self.reply["results"], strict=True))


@keep_until_changed(maxsize=8)
def moments(game: str, project: Project) -> tuple[GuideMoment, ...]:
    """Return every step of the scenarios of a game, under each rule base that they hold for."""
    return tuple(moment for choice in spread(game, project) for moment in _moments(choice))


def _moments(choice: Choice) -> Iterator[GuideMoment]:
    first = next(iter(book(choice.game, choice.project).editions[choice.edition].setups)) == choice.setup
    for one in corpus.applying(
        corpus.scenarios(choice.game, choice.project), choice.edition, choice.setup, first=first
    ):
        try:
            under = _under(choice, one.premise)
        except Impossible:  # a reading that means nothing in this set-up
            continue
        script, player = spell(one, under), machine(under)
        state = begin(player, script.start)
        acts: tuple[Message, ...] = ()
        for number, step in enumerate(script.steps):
            result, after = take(player, state, step.message)
            yield GuideMoment(choice, script, number, state, after, result, acts)
            acts = (*acts, dict(step.message)) if "ok" in result else acts
            state = after


def _under(choice: Choice, premise: Mapping[str, str]) -> Choice:
    return with_readings(choice, premise)


def ask(moment: GuideMoment, steps: Sequence[Message], engine: ReferenceEngine) -> GuideExample:
    """Return the example of a script that begins as that of a moment does, and goes through these steps."""
    body = moment.script.request(steps, moment.script.start, readings=bool(moment.script.scenario.premise))
    request = {"op": "run", "id": 1, **body}
    return GuideExample(moment.case, request, engine.answer(request))
