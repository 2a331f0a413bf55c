"""Shrinking a difference over the wire: every smaller situation is put to the program again, and stands if it holds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from brou import BrouError, Refusal, begin
from brou_conformance.programs.child import Failure
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.script import machine
from brou_tools.fuzz.drawing import MatchSetting
from brou_tools.fuzz.lockstep import (
    MISHAPS,
    Finding,
    ProgramUnderTest,
    ask_script,
    find_finding,
    list_acts,
    open_conversation,
)
from brou_tools.fuzz.scripts import make_script
from brou_tools.questions.shrinking import (
    of_the_last_deal,
    with_plain_cards,
    with_plain_names,
    with_small_numbers,
    without_idle_acts,
    without_stretches,
)
from brou_tools.questions.situation import Situation

#: How often a program is asked for one difference at most; and for a mishap, each of which may take its whole time.
_TRIES, _MISHAP_TRIES = 600, 12


@dataclass(frozen=True, slots=True)
class ShrinkTask:
    """A difference to be made small."""

    subject: ProgramUnderTest
    setting: MatchSetting
    finding: Finding


def shrink_finding(task: ShrinkTask) -> Finding:
    """Return the smallest finding that the steps lead to, with the same difference at its end.

    One that does not come about again, or not with the acts alone, is returned as it is.
    """
    with open_conversation(task.subject) as session:
        hello = session.hello()
        if isinstance(hello, Failure):
            return task.finding
        return _Shrinker(task, session, hello).shrink()


class _Shrinker:
    """Asks a program about smaller and smaller situations, a bounded number of times."""

    def __init__(self, task: ShrinkTask, session: Session, hello: Hello) -> None:
        self.setting, self.finding, self.session, self.hello = task.setting, task.finding, session, hello
        self.choice = next(one for one in task.setting.choices if one.setup == task.finding.setup)
        self.is_mishap = self.finding.behaviour[0] in MISHAPS
        self.left = _MISHAP_TRIES if self.is_mishap else _TRIES
        self.asked: dict[str, bool] = {}
        self.best = self.finding

    def shrink(self) -> Finding:
        *_, question = self.finding.messages
        acts = tuple(list_acts(self.finding.messages[:-1]))
        one = _Disputed((self.choice, self.choice), self.finding.start, acts, question, self)
        if not one.holds():
            return self.finding
        if self.is_mishap:
            self._shorten(one)
            return self.best
        while True:
            size = one.size
            for step in (of_the_last_deal, without_stretches, without_idle_acts, with_small_numbers):
                one = step(one)
            if one.size >= size or not self.left:
                break
        with_plain_names(with_plain_cards(one))
        return self.best

    def _shorten(self, one: _Disputed) -> None:
        """Find the fewest acts, from the first on, after which the program does not answer."""
        low, high = 0, len(one.acts)
        while low < high and self.left:
            middle = (low + high) // 2
            if replace(one, acts=one.acts[:middle]).holds():
                high = middle
            else:
                low = middle + 1

    def holds(self, one: _Disputed) -> bool:
        """Say whether a program differs at the end of a situation as it did, and nowhere before."""
        messages = [*({"by": seat, "act": act} for seat, act in one.acts), dict(one.question)]
        written = repr((one.start, messages))
        if written not in self.asked:
            if not self.left or not self._is_played(one):
                return False
            self.left -= 1
            self.asked[written] = self._differs(one, messages)
        return self.asked[written]

    def _is_played(self, one: _Disputed) -> bool:
        """Say whether the rules accept every act."""
        player = machine(self.choice, self.setting.data)
        try:
            state = begin(player, one.start)
            for seat, act in one.acts:
                after = player.act(state, seat, act)
                if isinstance(after, Refusal):
                    return False
                state = after
        except BrouError:
            return False
        return True

    def _differs(self, one: _Disputed, messages: list[Message]) -> bool:
        script = make_script(self.choice, one.start, messages, "shrunk", data=self.setting.data)
        if len(script.steps) < len(messages):
            return False
        found = find_finding(
            ask_script(script, self.hello, self.session, self.setting.data), self.finding.seed, self.setting
        )
        if found is None or found.behaviour != self.finding.behaviour:
            return False
        if not self.is_mishap and len(found.messages) < len(messages):
            return False
        self.best = found
        return True


@dataclass(frozen=True, slots=True)
class _Disputed(Situation):
    """A situation in which a program answers otherwise than the rules."""

    shrinker: _Shrinker

    def holds(self) -> bool:
        """Say whether it does."""
        return self.shrinker.holds(self)
