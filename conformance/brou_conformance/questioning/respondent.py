"""Hearing a program: a question goes to it with the acts that lead there, and its answer is held against outcomes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from brou import Json
from brou_conformance.judging.judge import Unsent, tell_result
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message, shorten
from brou_conformance.questioning.courses import Interpreter
from brou_conformance.questioning.outcomes import Outcome, Vocabulary, fits, words_of
from brou_conformance.questioning.splitting import SplittingQuestion
from brou_conformance.scenarios.scenario import ScriptStep
from brou_conformance.scenarios.script import Script
from brou_conformance.verdicts.inquiry import Inquiry


@dataclass(frozen=True, slots=True)
class HeardAnswer:
    """A program's answer: the outcomes that it agrees with, and its words."""

    outcomes: frozenset[Outcome]
    said: str


@dataclass(slots=True)
class Respondent:
    """A program that answers questions; it plays by readings of its own, and gets none from us."""

    session: Session
    hello: Hello
    interpreter: Interpreter
    vocabulary: Vocabulary = field(default_factory=Vocabulary)

    @classmethod
    def of(cls, session: Session, hello: Hello, interpreter: Interpreter) -> Respondent:
        """Return a program as a respondent; it is taken to know everything that it declares."""
        known = Vocabulary(hello.acts or frozenset())
        return cls(session, replace(hello, can=hello.can - {"readings"}), interpreter, known)

    def ask(self, question: SplittingQuestion, choice: Mapping[str, str]) -> HeardAnswer:
        """Return the program's answer to a question.

        `choice` is one of the choices left; it decides which steps the program can answer. A missing answer agrees with
        all outcomes and so decides nothing. If the program refuses an act on the way that every choice allows, its
        answer agrees with none.
        """
        every = frozenset(question.weights)
        steps = (*question.route, question.step)
        script = Script(question.course.scenario, self.interpreter.choice(choice), steps, question.course.start)
        inquiry = Inquiry.of(script, self.hello)
        answers = inquiry.gather([list(reply) for reply in self.session.runs(inquiry.requests)])
        if not inquiry.projection.apart:
            for step, answer in zip(question.route, answers, strict=False):
                if (heard := self._on_the_way(step, answer, every)) is not None:
                    return heard
        answer = answers[-1]
        if isinstance(answer, Unsent):
            return HeardAnswer(every, answer.why)
        self.vocabulary = self.vocabulary.learn(question.step, answer)
        return self._match_outcomes(question, answer, every)

    def _on_the_way(self, step: ScriptStep, answer: Message | Unsent, every: frozenset[Outcome]) -> HeardAnswer | None:
        """Return the answer that a refused or missing act on the way amounts to; None if the act is taken."""
        if isinstance(answer, Unsent):
            return HeardAnswer(every, answer.why)
        self.vocabulary = self.vocabulary.learn(step, answer)
        if "ok" in answer:
            return None
        if "no" in answer:
            return HeardAnswer(frozenset(), f"on the way: {tell_result('no', answer['no'])}: {step.message['act']}")
        return HeardAnswer(every, _explain_silence(answer))

    def _match_outcomes(
        self, question: SplittingQuestion, answer: Mapping[str, Json], every: frozenset[Outcome]
    ) -> HeardAnswer:
        verdicts = {outcome: fits(question.step, answer, outcome, self.vocabulary) for outcome in every}
        if all(verdict is None for verdict in verdicts.values()):
            return HeardAnswer(every, _explain_silence(answer))
        return HeardAnswer(
            frozenset(one for one, verdict in verdicts.items() if verdict is not False), _tell_answer(answer, every)
        )


def _tell_answer(answer: Mapping[str, Json], every: Collection[Outcome]) -> str:
    """Return an answer in words, of a longer one only the keys that are compared."""
    key, value = next(iter(answer.items()))
    if isinstance(value, Mapping):
        compared = {name for outcome in every for name in words_of(outcome)}
        value = {name: value[name] for name in value if name in compared}
    return tell_result(key, value)


def _explain_silence(answer: Mapping[str, Json]) -> str:
    """Return why an answer is none: a reason for leaving it out, an error, or that it lacks the keys asked for."""
    for key in ("skip", "err"):
        if key in answer:
            return f"{key}: {shorten(str(answer[key]))}"
    return "its answer holds nothing of what is asked"


def outcomes_told(question: SplittingQuestion) -> Sequence[Outcome]:
    """Return the outcomes of a question in the order of the values that lead to them."""
    return tuple(dict.fromkeys(question.outcomes[row] for row in sorted(question.outcomes)))
