"""Hearing a program: a question goes to it with the acts that lead there, and its answer is held against outcomes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from brou.language.codec import Json
from brou_conformance.judging.judge import Unsent, told
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message, shorten
from brou_conformance.questioning.asking import Interpreter
from brou_conformance.questioning.outcomes import Outcome, Vocabulary, fits, words_of
from brou_conformance.questioning.splitting import Question
from brou_conformance.scenarios.scenario import Step
from brou_conformance.scenarios.script import Script
from brou_conformance.verdicts.inquiry import Inquiry


@dataclass(frozen=True, slots=True)
class Heard:
    """What a program said: the outcomes that its answer agrees with, and the answer in words."""

    outcomes: frozenset[Outcome]
    said: str


@dataclass(slots=True)
class Respondent:
    """A program that is asked questions; it plays by readings of its own, and is told none."""

    session: Session
    hello: Hello
    interpreter: Interpreter
    vocabulary: Vocabulary = field(default_factory=Vocabulary)

    @classmethod
    def of(cls, session: Session, hello: Hello, interpreter: Interpreter) -> Respondent:
        """Return a program as one that is asked; what it declares to know it is taken to know."""
        known = Vocabulary(hello.acts or frozenset())
        return cls(session, replace(hello, can=hello.can - {"readings"}), interpreter, known)

    def ask(self, question: Question, choice: Mapping[str, str]) -> Heard:
        """Return what the program answers; `choice` is one that is left, by which it is looked what it can be asked.

        What is not answered, or not asked, agrees with all outcomes and so decides nothing. An act on the way that
        every choice allows and the program refuses is an answer that agrees with none.
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
            return Heard(every, answer.why)
        self.vocabulary = self.vocabulary.learn(question.step, answer)
        return self._judged(question, answer, every)

    def _on_the_way(self, step: Step, answer: Message | Unsent, every: frozenset[Outcome]) -> Heard | None:
        """Return what follows from an act on the way that is not taken, None from one that is."""
        if isinstance(answer, Unsent):
            return Heard(every, answer.why)
        self.vocabulary = self.vocabulary.learn(step, answer)
        if "ok" in answer:
            return None
        if "no" in answer:
            return Heard(frozenset(), f"on the way: {told('no', answer['no'])}: {step.message['act']}")
        return Heard(every, _unanswered(answer))

    def _judged(self, question: Question, answer: Mapping[str, Json], every: frozenset[Outcome]) -> Heard:
        verdicts = {outcome: fits(question.step, answer, outcome, self.vocabulary) for outcome in every}
        if all(verdict is None for verdict in verdicts.values()):
            return Heard(every, _unanswered(answer))
        return Heard(frozenset(one for one, verdict in verdicts.items() if verdict is not False), _said(answer, every))


def _said(answer: Mapping[str, Json], every: Collection[Outcome]) -> str:
    """Return an answer in words, of a longer one what is compared."""
    key, value = next(iter(answer.items()))
    if isinstance(value, Mapping):
        compared = {name for outcome in every for name in words_of(outcome)}
        value = {name: value[name] for name in value if name in compared}
    return told(key, value)


def _unanswered(answer: Mapping[str, Json]) -> str:
    """Return why an answer is none: a reason for leaving it out, an error, or that it lacks what is asked."""
    for key in ("skip", "err"):
        if key in answer:
            return f"{key}: {shorten(str(answer[key]))}"
    return "its answer holds nothing of what is asked"


def outcomes_told(question: Question) -> Sequence[Outcome]:
    """Return the outcomes of a question in the order of the values that lead to them."""
    return tuple(dict.fromkeys(question.outcomes[row] for row in sorted(question.outcomes)))
