"""What the notation of games comes to today, in figures: `python reference/tests/notation_figures.py`.

Lines and words are those of the frame, the chapters and the score sheet, in English; blank lines and comments do not
count. Time is computing time of a fresh process without a cache, as a ratio to reading the same files with PyYAML's C
parser; it takes a minute.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from brou import book, catalogue
from brou.chapters.mentions import find_mentions
from brou.chapters.rules import RULE_KINDS
from brou.chapters.variants import Variants
from brou.games.folder import root

#: Shorter lines say nothing of a rule: `do:`, `open:`.
_TELLING = 16
#: So often each time is measured; the least counts.
_TIMES = 5


def list_files(game: str) -> list[Path]:
    """Return the files that hold the rules of a game and their English texts."""
    folder = root() / "games" / game
    return [folder / "game.yaml", *sorted(folder.glob("[0-9][0-9]-*.yaml")), *folder.glob("sheet.yaml")]


def read_lines(files: Sequence[Path]) -> list[str]:
    """Return the lines that say something, without indentation and dashes."""
    lines = (line.strip() for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return [line.removeprefix("- ") for line in lines if line and not line.startswith("#")]


def count_repeated(game: str, other: str) -> tuple[int, int]:
    """Return how many lines of a game stand word for word in another one, and of how many."""
    known = set(read_lines(list_files(other)))
    own = [line for line in read_lines(list_files(game)) if len(line) >= _TELLING]
    return sum(line in known for line in own), len(own)


def count_files(game: str) -> tuple[float, int]:
    """Return how many files a clause and all that names it stand in: on average, and at most."""
    maker = book(game).maker
    assert isinstance(maker, Variants)
    volume = maker.volume
    places = ([one.clause.place, *(found.place for found in find_mentions(volume, one))] for one in volume.clauses())
    counts = [len({place.file for place in found}) for found in places]
    return mean(counts), max(counts)


def measure(*code: str) -> float:
    """Return the seconds of computing that a program takes in a process of its own, the least of some runs."""

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def run() -> float:
        before = spent()
        subprocess.run([sys.executable, "-c", *code], check=True, env={**os.environ, "BROU_CACHE": "off"})
        return spent() - before

    run()  # what Python compiles it keeps
    return min(run() for _ in range(_TIMES))


def compare_loading(game: str) -> float:
    """Return how many times as long rules take to load as the files to be read by PyYAML, imports left out."""
    words = sorted((root() / "games" / game).glob("words.*.yaml"))
    files = [*list_files(game), *words, *sorted((root() / "prelude").glob("*.yaml"))]
    reading = "import sys, yaml\nfor file in sys.argv[1:]: yaml.load(open(file), Loader=yaml.CSafeLoader)"
    plain = measure(reading, *map(str, files)) - measure("import sys, yaml")
    loading = measure(f"import brou; brou.rules({game!r})") - measure("import brou; brou.rules")
    return loading / plain


def main() -> None:
    """Print the figures of every game, and what games share."""
    print("game, lines, words, files of a clause (average, most), loading to reading YAML")
    for game in catalogue():
        lines = read_lines(list_files(game))
        average, most = count_files(game)
        words = sum(len(line.split()) for line in lines)
        print(f"{game}, {len(lines)}, {words}, {average:.2f}, {most}, {compare_loading(game):.1f}")
    shared = read_lines([file for file in (root() / "prelude").glob("*.yaml") if not file.name.startswith("words.")])
    print(f"prelude, {len(shared)}, {sum(len(line.split()) for line in shared)}")
    repeated, lines_ = count_repeated("brouc", "homme-de-brou")
    print(f"lines of brouc that stand word for word in homme-de-brou: {repeated} of {lines_}")
    print(f"kinds of rule: {len(RULE_KINDS)} ({', '.join(RULE_KINDS)})")


if __name__ == "__main__":
    main()
