"""Inquiries: the requests that a program gets for one script, and how its replies become a judged case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from brou import Folder, Json
from brou_conformance.judging.case import Case, Replies, key, name_case
from brou_conformance.judging.judge import Criteria, Status, Unsent, judge
from brou_conformance.programs.capabilities import Projection, gather, project
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.course import find_duties
from brou_conformance.scenarios.script import Script, machine


@dataclass(slots=True)
class Inquiry:
    """A script with the requests for the program."""

    script: Script
    hello: Hello
    projection: Projection
    requests: tuple[Message, ...]
    data: Folder = None
    #: Whether a key that a scenario names has to be told.
    whole: bool = False

    @property
    def key(self) -> str:
        """Return a hash of script and requests."""
        return key(name_case(self.script), self.requests)

    @classmethod
    def of(cls, script: Script, hello: Hello, data: Folder = None, *, whole: bool = False) -> Inquiry:
        """Return the inquiry of a script for a program."""
        projection = project(script, hello, data)
        inquiry = cls(script, hello, projection, (), data, whole)
        inquiry.requests = tuple([inquiry.request(query.messages, query.start) for query in projection.queries])
        return inquiry

    def request(self, messages: Iterable[Mapping[str, Json]], start: Mapping[str, Json]) -> Message:
        """Return a request of the script's rules."""
        return self.script.request(messages, start, readings="readings" in self.hello.can)

    @property
    def terms(self) -> Criteria:
        """Return the criteria for its answers."""
        script = self.script
        duties = self._find_duties
        codes = "codes" in self.hello.can
        return Criteria(
            script.readings, script.scenario.level, codes, self.hello.acts, self.projection.apart, self.whole, duties
        )

    def _find_duties(self, number: int) -> frozenset[str]:
        return find_duties(self.script, machine(self.script.choice, self.data), number)

    def gather(self, replies: Replies) -> list[Message | Unsent]:
        """Return an answer for each step of the script from the replies to all requests."""
        if not self.projection.unsent and not self.projection.apart:
            return list(replies[0])
        return gather(self.projection, self.script, replies)

    def judge(self, replies: Replies, *, kept: bool = False) -> Case:
        """Judge the script by the replies to its requests."""
        judgements = judge(self.script.steps, self.gather(replies), self.terms)
        return Case(self.script, judgements, self.requests, replies, apart=self.projection.apart, kept=kept)

    def confirm(self, case: Case, session: Session) -> Case:
        """Ask once more, and return the case without the results that are other ones now."""
        if session.unusable is not None:
            return case
        again = list(session.runs(self.requests))
        same = [list(map(_unless_changed, *pair)) for pair in zip(case.replies, again, strict=True)]
        if same == [list(reply) for reply in case.replies]:
            return replace(case, reason=self._reason(case, session))
        return self.judge(same)

    def _reason(self, case: Case, session: Session) -> str:
        """Return why the program took or refused the act that fails, if it can say so."""
        found = case.judgements[case.culprit]
        if "why" not in self.hello.can or found.step.verb != "act" or self.projection.apart:
            return ""
        sent = [self.script.steps[number] for number in self.projection.sent if number <= case.culprit]
        steps = [step.message for step in sent if step.verb == "act"]
        return session.why(self.request(steps, self.script.start))


_CHANGED = Unsent(Status.PROTOCOL, "asked once more, it answers otherwise")


def _unless_changed(first: Message | Unsent, again: Message | Unsent) -> Message | Unsent:
    return first if first == again else _CHANGED
