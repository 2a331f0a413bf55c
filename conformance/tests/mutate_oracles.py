"""Changes the oracles and looks who notices: scenarios, matches of the interpreter, or the tests of the oracle.

Each change runs in a process of its own, forked from one that has made all
cases, so that a case costs milliseconds. Tests of random play are left out:
they take seconds, and matches of the interpreter come to the same states.
`oracles/mutants.json` has how many of each third change are noticed by what,
and each of them that nothing notices.

    .venv/bin/python conformance/tests/mutate_oracles.py
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from oracle_cases import Asked, Played, list_asked, list_played
from oracle_mutants import Mutant, list_mutants

from brou import catalogue

FOLDER = Path(__file__).resolve().parent
RESULT = FOLDER / "oracles" / "mutants.json"
#: A change that makes a case run for so many seconds of computing, or all tests, is noticed by that.
SECONDS, TESTED = 0.25, 20
#: One change in so many is tried: all of them take hours.
EVERY = 3
#: Who may notice, in the order in which they are asked.
SCENARIOS, MATCHES, TESTS = "scenarios", "matches", "tests"
#: What a process says that died of its change, which is noticed too.
_ENDED = {-signal.SIGPROF: "time", -signal.SIGSEGV: "crash"}


@dataclass
class Bench:
    """The cases of a game, those that noticed a change last in front."""

    game: str
    asked: list[Asked]
    played: list[Played]
    #: Whether the tests of the oracle are asked as well, which takes seconds for each change.
    tested: bool = True

    @property
    def module(self) -> str:
        """Return the name of the oracle, without its folder."""
        return self.game.replace("-", "_")

    @property
    def source(self) -> str:
        """Return the text of the oracle."""
        return (FOLDER / "oracles" / f"{self.module}.py").read_text(encoding="utf-8")

    def find_noticer(self, mutant: Mutant) -> str:
        """Return who notices a change; nothing if nobody does."""
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.close(reader)
            _become(self.module, mutant)
            os.write(writer, json.dumps(self._try(self._list_tests())).encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as told:
            answer = told.read()
        _, status = os.waitpid(child, 0)
        if not answer:
            return _ENDED.get(os.waitstatus_to_exitcode(status), "crash")
        noticer, number = json.loads(answer)
        found: dict[str, list[Any]] = {SCENARIOS: self.asked, MATCHES: self.played}
        if noticer in found:
            found[noticer].insert(0, found[noticer].pop(number))
        return str(noticer)

    def _list_tests(self) -> list[str]:
        path = FOLDER / f"test_oracle_{self.module}.py"
        return [str(path)] if self.tested and path.exists() else []

    def _try(self, tests: Sequence[str]) -> tuple[str, int]:
        """Return who notices the change of this process, and the number of the case."""
        kinds: tuple[tuple[str, Sequence[Asked | Played]], ...] = ((SCENARIOS, self.asked), (MATCHES, self.played))
        for name, cases in kinds:
            for number, case in enumerate(cases):
                if _has_fault(case):
                    return name, number
        return (TESTS, 0) if tests and run_tests(tests) else ("", 0)


def _has_fault(case: Asked | Played) -> bool:
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return bool(case.find_fault())
    except Exception:  # noqa: BLE001 - whatever a changed oracle raises, it is noticed
        return True


def run_tests(tests: Sequence[str]) -> bool:
    """Run some tests up to the first that fails, and say whether one does."""
    signal.setitimer(signal.ITIMER_PROF, TESTED)
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", "not random and not conserved"]
    return pytest.main([*options, *tests]) not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def _become(module: str, mutant: Mutant) -> None:
    """Let this process have the changed oracle for the true one."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        mutant.load(f"oracle_{module}")
    except BaseException:  # noqa: BLE001 - an oracle that cannot be loaded is noticed
        os._exit(1)


def open_bench(game: str, *, tested: bool = True) -> Bench:
    """Return the cases of a game, all of which its oracle passes."""
    bench = Bench(game, list(list_asked(game)), list(list_played(game)), tested)
    cases: list[Asked | Played] = [*bench.asked, *bench.played]
    faults = [fault for case in cases if (fault := case.find_fault())]
    if faults:
        raise AssertionError(faults[0])
    gc.freeze()
    return bench


def measure(game: str, every: int = EVERY) -> dict[str, Any]:
    """Return what of the changes of an oracle is noticed, of one in so many."""
    bench = open_bench(game)
    changes = islice(list_mutants(bench.source), 0, None, every)
    return tell(bench.source, every, [(one.name, bench.find_noticer(one)) for one in changes])


def sum_source(source: str) -> str:
    """Return what changes whenever an oracle does."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def tell(source: str, every: int, found: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the figures of an oracle, with the changes that nothing notices."""
    known = list(found)
    tally = Counter(noticer for _, noticer in known if noticer)
    return {
        "oracle": sum_source(source),
        "every": every,
        "mutants": len(known),
        "noticed": dict(sorted(tally.items())),
        "survivors": [name for name, noticer in known if not noticer],
    }


def main() -> int:
    """Measure all oracles and write the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=EVERY, help="one change in so many is tried")
    parser.add_argument("games", nargs="*", default=catalogue())
    options = parser.parse_args()
    known = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for game, found in zip(
            options.games, pool.map(partial(measure, every=options.every), options.games), strict=True
        ):
            known[game] = found
            print(game, found["mutants"], found["noticed"], len(found["survivors"]), flush=True)
    RESULT.write_text(json.dumps(known, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
