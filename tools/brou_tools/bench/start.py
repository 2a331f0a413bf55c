"""What starting costs beside an interpreter that does nothing: both in turn, with their code compiled before."""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from brou import Folder
from brou.games import locate
from brou_tools.bench.patches import BROU, Share, find_rules, time_interpreter

#: How often both are timed, in turn; the median counts.
_ROUNDS = 15
#: So many starts of a bare interpreter may the first legal acts take, and `brou check` of one file after an edit.
_FIRST_ACTS, _ENGINE, _ONE_FILE = 5, 3, 8
#: What somebody does first.
PLAY_FIRST = "from brou import Machine, rules; machine = Machine(rules({!r}, {!r})); machine.legal(machine.begin(), 0)"

#: And what somebody does who has an engine made before.
OPEN_FIRST = """
from brou import open_engine, rules

engine = open_engine(rules({!r}, {!r}))
engine.legal(engine.begin(), 0)
"""


def starts(game: str, folder: Folder = None) -> Iterator[Share]:
    """Yield the rows of a game: the first legal acts of a process, of an engine, and a check of edited rules."""
    with tempfile.TemporaryDirectory() as room:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"BROU_CACHE": str(Path(room) / "cache"), "PYTHONPYCACHEPREFIX": str(Path(room) / "code")}
        first = ["-c", PLAY_FIRST.format(game, str(locate(folder)))]
        value = _compare(lambda: time_interpreter(first, environment), environment)
        yield Share("first legal acts over python -c pass", value, _FIRST_ACTS, "imports, rules from the cache")
        opened = ["-c", OPEN_FIRST.format(game, str(locate(folder)))]
        value = _compare(lambda: time_interpreter(opened, environment), environment)
        yield Share("first acts of an engine over python -c pass", value, _ENGINE, "rules and engine from the cache")
        data = Path(room) / "data"
        shutil.copytree(locate(folder), data)
        rules = find_rules(data / "games" / game)

        def check_edited() -> float:
            with rules.open("a", encoding="utf-8") as file:
                file.write("# edited\n")
            return time_interpreter([*BROU, "check", str(rules)], environment)

        yield Share("checking a file over python -c pass", _compare(check_edited, environment), _ONE_FILE, "its rules")


def _compare(time: Callable[[], float], environment: Mapping[str, str]) -> float:
    """Return how many starts of a bare interpreter something takes that was done once before."""
    time()
    return statistics.median(time() / time_interpreter(["-c", "pass"], environment) for _ in range(_ROUNDS))
