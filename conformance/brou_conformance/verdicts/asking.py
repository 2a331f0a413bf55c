"""Asking: scripts go to a program, its replies come back and are judged, case by case, in one or several sessions."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from brou_conformance.judging.case import Case, Replies, key
from brou_conformance.judging.judge import Status, Terms, Unsent, judge
from brou_conformance.programs.project import Projection, heard, project
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.script import Script

#: Replies of an earlier run by the key of their case.
Earlier: TypeAlias = Mapping[str, Replies]
#: Who is given each case, with its number.
Sink: TypeAlias = Callable[[int, Case], None]
#: How many scripts a session takes at a time, at most; what fails is asked once more before the next are taken. Where
#: several sessions share the work, each takes so many shares of it at least, so that none is left with much at the end.
_AT_ONCE, _SHARES = 64, 8


@dataclass(slots=True)
class Inquiry:
    """A script with what is asked of the program for it."""

    script: Script
    hello: Hello
    projection: Projection
    requests: tuple[Message, ...]

    @property
    def key(self) -> str:
        """Return what names script and requests by their content."""
        return key(self.script, self.requests)

    @classmethod
    def of(cls, script: Script, hello: Hello, data: Path | None = None) -> Inquiry:
        """Return what a program is asked for a script."""
        projection = project(script, hello, data)
        readings = "readings" in hello.can
        requests = tuple(
            [script.request(query.steps.values(), query.start, readings=readings) for query in projection.queries]
        )
        return cls(script, hello, projection, requests)

    def gathered(self, replies: Replies) -> list[Message | Unsent]:
        """Return an answer for each step of the script from the replies to all requests."""
        projection = self.projection
        if not projection.unsent and not projection.apart:
            return list(replies[0])
        found: dict[int, Message | Unsent] = dict(projection.unsent)
        for query, reply in zip(projection.queries, replies, strict=True):
            found |= zip(query.steps, reply, strict=True)
        answers = [found[number] for number in range(len(self.script.steps))]
        return list(map(heard, self.script.steps, answers)) if projection.apart else answers

    def judge(self, replies: Replies, *, kept: bool = False) -> Case:
        """Judge the script by the replies to its requests."""
        can, level = self.hello.can, self.script.scenario.level
        terms = Terms(self.script.readings, level, "codes" in can, self.hello.acts, self.projection.apart)
        judgements = judge(self.script.steps, self.gathered(replies), terms)
        return Case(self.script, judgements, self.requests, replies, kept=kept)

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
        return session.why(self.script.request(steps, self.script.start, readings="readings" in self.hello.can))


_CHANGED = Unsent(Status.PROTOCOL, "asked once more, it answers otherwise")


def _unless_changed(first: Message | Unsent, again: Message | Unsent) -> Message | Unsent:
    return first if first == again else _CHANGED


@dataclass(frozen=True, slots=True)
class Desk:
    """Where scripts are asked and judged: the sessions that share the work, and what is known already.

    Whatever goes wrong here in asking or judging one script costs that script
    alone: its case has the status `suite`, with the trace.
    """

    hello: Hello
    sessions: Sequence[Session]
    earlier: Earlier
    data: Path | None = None

    def ask(self, scripts: Iterator[Script | Case], sink: Sink, total: int = 1) -> None:
        """Give every case to the sink, with its number in the order of the scripts; `total` says how many there are."""
        numbered, lock = enumerate(scripts), threading.Lock()
        most = _AT_ONCE if len(self.sessions) == 1 else max(1, min(_AT_ONCE, total // (_SHARES * len(self.sessions))))

        def work(session: Session) -> None:
            while True:
                with lock:
                    taken = list(islice(numbered, most))
                if not taken:
                    return
                for number, case in self._judge(session, taken):
                    with lock:
                        sink(number, case)

        if len(self.sessions) == 1:
            work(self.sessions[0])
            return
        with ThreadPoolExecutor(len(self.sessions)) as pool:
            list(pool.map(work, self.sessions))

    def _judge(self, session: Session, taken: Sequence[tuple[int, Script | Case]]) -> Iterator[tuple[int, Case]]:
        """Yield the cases of some scripts; those that fail are asked once more and come last."""
        fresh: list[tuple[int, Inquiry]] = []
        for number, script in taken:
            if isinstance(script, Case):
                yield number, script
                continue
            found = self._look_up(script)
            if isinstance(found, Inquiry):
                fresh.append((number, found))
            else:
                yield number, found
        failing: list[tuple[int, Inquiry, Case]] = []
        for number, inquiry, replies in _replies(session, fresh):
            case = _spare(inquiry.script, partial(inquiry.judge, replies)) if isinstance(replies, list) else replies
            if case.status is Status.FAIL:
                failing.append((number, inquiry, case))
            else:
                yield number, case
        for number, inquiry, case in failing:
            yield number, _spare(inquiry.script, partial(inquiry.confirm, case, session))

    def _look_up(self, script: Script) -> Inquiry | Case:
        """Return what is to be asked, or the case by the replies of an earlier run."""
        try:
            inquiry = Inquiry.of(script, self.hello, self.data)
            known = self.earlier.get(inquiry.key) if self.earlier else None
            return inquiry if known is None else inquiry.judge(known, kept=True)
        except Exception:  # noqa: BLE001 - whatever it is costs this case alone, and is told with it
            return _own_fault(script)


def _replies(
    session: Session, asked: Sequence[tuple[int, Inquiry]]
) -> Iterator[tuple[int, Inquiry, list[list[Message | Unsent]] | Case]]:
    """Yield the replies to each inquiry, or the case of one over which the conversation itself broke down."""
    left = list(asked)
    while left:
        replies = session.runs([request for _, inquiry in left for request in inquiry.requests])
        for number, inquiry in list(left):
            left.pop(0)
            try:
                yield number, inquiry, [next(replies) for _ in inquiry.requests]
            except Exception:  # noqa: BLE001 - whatever it is costs this case alone, and is told with it
                session.renew()
                yield number, inquiry, _own_fault(inquiry.script)
                break


def _spare(script: Script, work: Callable[[], Case]) -> Case:
    """Return what some work comes to, or the case of a script that it broke down over."""
    try:
        return work()
    except Exception:  # noqa: BLE001 - whatever it is costs this case alone, and is told with it
        return _own_fault(script)


def _own_fault(script: Script) -> Case:
    """Return the case of a script over which this suite broke down just now."""
    return Case(script, (), trace=traceback.format_exc())
