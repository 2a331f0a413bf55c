"""One input fed and measured: how it ended, what it cost, by how much the memory grew.

An input costs at most `GRACE` seconds of computing more than `TIMES` as much
as the sound input that it was made of, measured in the same process, and
memory grows by at most `ROOM` bytes. Most inputs cost less than the grace
alone; what the sound one costs is measured for the others, once in a process.
"""

from __future__ import annotations

import gc
import random
import tempfile
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from brou import BrouError, Crash
from fuzzing.target import REFUSED, Apart, Broken, Input, Target

GRACE, TIMES = 1.0, 3.0
ROOM = 200 << 20
_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an input ended; `finding` is empty where all went well, and `told` holds what is needed to mend it."""

    target: str
    seed: int
    word: str
    finding: str = ""
    told: str = ""
    #: Seconds of computing, and what they may be, or the grace alone where they are fewer.
    cost: float = 0.0
    budget: float = 0.0
    #: Bytes by which the memory grew at most.
    growth: int = 0
    seen: frozenset[str] = field(default=frozenset())


def make_input(target: Target, seed: int) -> Input:
    """Return the input of a target that a seed names."""
    return target.make(random.Random(f"{target.name} {seed}"))


def feed_seed(target: Target, seed: int) -> Outcome:
    """Feed the input that a seed names."""
    return feed(target, make_input(target, seed), seed)


def feed(target: Target, given: Input, seed: int = 0) -> Outcome:
    """Feed an input and measure it; one that seems to cost too much is fed once more, and the lesser cost counts.

    What exceeds the grace may have loaded what stays. It is measured anew once the sound input has loaded that too.
    """
    outcome = _feed_once(target, given, seed, GRACE + TIMES * _COSTS.get((target.name, given.base), 0))
    if outcome.finding not in _MEASURED:
        return outcome
    budget = GRACE + TIMES * _sound_cost(target, given.base)
    outcome = _feed_once(target, given, seed, budget)
    if outcome.finding in _MEASURED:
        again = _feed_once(target, given, seed, budget)
        outcome = again if again.cost < outcome.cost or not again.finding else outcome
    return outcome


#: What sound inputs cost in this process, by target and name.
_COSTS: dict[tuple[str, str], float] = {}
_MEASURED = _COST, _MEMORY = "costs too much computing", "takes too much memory"


def _feed_once(target: Target, given: Input, seed: int, budget: float) -> Outcome:
    seen: set[str] = set()
    finding = told = ""
    gc.unfreeze()
    before = _forget_peak()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        begun, Apart.seconds = time.process_time(), 0.0
        try:
            word = target.feed(given, Path(name), seen)
        except Broken as error:
            word, finding, told = "broken", error.promise, "\n".join(map(str, error.args))
        except Crash as error:
            word, finding, told = "crash", f"Crash: {_first_line(error)} at {_place(error)}", traceback.format_exc()
        except BrouError:
            word = REFUSED
        except Exception as error:  # noqa: BLE001 - any other exception is what is looked for
            word, finding, told = "exception", f"{type(error).__name__} at {_place(error)}", traceback.format_exc()
        cost = time.process_time() - begun - Apart.seconds
        growth = _peak() - before
    if not finding and cost > budget:
        finding, told = _COST, f"{cost:.1f} s of computing, {budget:.1f} s are allowed"
    elif not finding and growth > ROOM:
        finding, told = _MEMORY, f"{growth >> 20} MB more memory"
    return Outcome(target.name, seed, word, finding, told, cost, budget, growth, frozenset(seen))


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0][:200]


def _place(error: BaseException) -> str:
    """Return the innermost place of our own packages in a traceback, else the innermost at all."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/brou" in frame.filename and "site-packages" not in frame.filename]
    frame = (own or frames)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"


def _sound_cost(target: Target, base: str) -> float:
    """Return what a sound input of this kind costs once everything is loaded that stays; it is measured once."""
    if (target.name, base) not in _COSTS:
        given = target.keep_sound(base)
        measured = _COSTS.get((target.name, given.base))
        _COSTS[target.name, given.base] = _COSTS[target.name, base] = measured or _measure_sound(target, given)
    return _COSTS[target.name, base]


def _measure_sound(target: Target, given: Input) -> float:
    costs = []
    for _ in range(2):
        with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
            begun, Apart.seconds = time.process_time(), 0.0
            target.feed(given, Path(name), set())
            costs.append(time.process_time() - begun - Apart.seconds)
    return min(costs)


def _forget_peak() -> int:
    """Let the peak of memory begin anew, where the system can do that; return what is in use, in bytes."""
    with suppress(OSError):
        _CLEAR.write_text("5", encoding="ascii")
    return _read_status("VmRSS")


def _peak() -> int:
    return _read_status("VmHWM")


def _read_status(key: str) -> int:
    """Return a size of this process in bytes, 0 where the system does not tell it."""
    try:
        text = _STATUS.read_text(encoding="ascii")
    except OSError:
        return 0
    found: Mapping[str, str] = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return int(found.get(key, "0 kB").split()[0]) << 10
