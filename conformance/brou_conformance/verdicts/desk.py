"""The desk: scripts go to a program in one or several sessions, its replies come back and are judged, case by case."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TypeAlias

from brou import Folder
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message, encode
from brou_conformance.scenarios.script import Script
from brou_conformance.verdicts.detour_search import ask_round
from brou_conformance.verdicts.inquiry import Inquiry

#: Replies of an earlier run, by the key of their case and then by the request as it went over the wire.
Earlier: TypeAlias = Mapping[str, Mapping[bytes, Sequence[Message | Unsent]]]
#: Who is given each case, with its number.
Sink: TypeAlias = Callable[[int, Case], None]
#: How many scripts a session takes at a time, at most; what fails is asked once more before the next are taken. Where
#: several sessions share the work, each takes so many shares of it at least, so that none is left with much at the end.
_AT_ONCE, _SHARES = 64, 8


@dataclass(frozen=True, slots=True)
class Desk:
    """Asks and judges scripts: it holds the sessions that share the work, and the replies known already.

    A fault of our own in asking or judging one script costs that script alone: its case has the status `suite`, with
    the trace.
    """

    hello: Hello
    sessions: Sequence[Session]
    earlier: Earlier
    data: Folder = None
    #: Whether a key that a scenario names has to be told.
    whole: bool = False

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
        """Yield the cases of some scripts; those that fail are repeated and come last."""
        fresh: list[tuple[int, Inquiry]] = []
        for number, script in taken:
            found = script if isinstance(script, Case) else self._look_up(script, session)
            if isinstance(found, Inquiry):
                fresh.append((number, found))
            else:
                yield number, found
        failing: list[tuple[int, Inquiry, Case]] = []
        for number, inquiry, replies in _replies(session, fresh):
            case = _spare(inquiry.script, partial(inquiry.judge, replies)) if isinstance(replies, list) else replies
            if case.status in _ASKED_AGAIN:
                failing.append((number, inquiry, case))
            else:
                yield number, case
        for number, inquiry, case in failing:
            yield number, _spare(inquiry.script, partial(_look_closely, inquiry, case, session))

    def _look_up(self, script: Script, session: Session) -> Inquiry | Case:
        """Return the inquiry to put, or the case by the replies of an earlier run."""
        try:
            inquiry = Inquiry.of(script, self.hello, self.data, whole=self.whole)
            known = self.earlier.get(inquiry.key) if self.earlier else None
            if known is None:
                return inquiry
            case = inquiry.judge([known[encode(request)] for request in inquiry.requests], kept=True)
            return ask_round(inquiry, case, session, known) if case.status in _ASKED_AGAIN else case
        except Exception:  # noqa: BLE001 - whatever it is costs this case alone, and is told with it
            return _own_fault(script)


#: Cases of which something is asked once more: what fails, and what play was led astray by.
_ASKED_AGAIN = (Status.FAIL, Status.SKIP)


def _look_closely(inquiry: Inquiry, case: Case, session: Session) -> Case:
    """Return a case after a second try, with answers gathered round the acts that went another way."""
    if case.status is Status.FAIL:
        case = inquiry.confirm(case, session)
    return ask_round(inquiry, case, session)


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
    """Return the case that some work gives, or a case with the trace if it breaks down."""
    try:
        return work()
    except Exception:  # noqa: BLE001 - whatever it is costs this case alone, and is told with it
        return _own_fault(script)


def _own_fault(script: Script) -> Case:
    """Return the case of a script over which this suite broke down just now."""
    return Case(script, (), trace=traceback.format_exc())
