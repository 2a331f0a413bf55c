"""The pages on engines: the lowered form has all its operations, and the figures are those that are counted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from brou import catalogue, choose, rules
from brou.compiler.emit_finding import emit_finding
from brou.compiler.lower import lower
from brou.games.catalogue import spread
from brou.language.load import load_rules
from brou.language.source import parse_yaml
from brou_tools.bench import command as bench
from brou_tools.bench.engines import gains
from brou_tools.perft.counting import Counter, dealt

DOCS = Path(__file__).parents[2] / "docs"
LOWERED = (DOCS / "lowered.md").read_text(encoding="utf-8")
PLAYING = (DOCS / "playing.md").read_text(encoding="utf-8")
COUNTED: list[dict[str, Any]] = json.loads((DOCS / "perft.json").read_text(encoding="utf-8"))["games"]


def written(page: str, heading: str) -> set[str]:
    """Return the words in the first column of the table whose header begins so."""
    lines = page[page.index(heading) :].split("\n\n", maxsplit=1)[0].split("\n")[2:]
    return {word for line in lines for word in re.findall(r"`([^`]+)`", line.split("|")[1])}


@pytest.mark.parametrize("game", catalogue())
def test_the_page_has_every_operation(game: str) -> None:
    """Every operation and step that any game becomes is on the page of the lowered form."""
    program = lower(rules(game))

    assert {term.op for term in program.terms} <= written(LOWERED, "| operation |")
    assert {step.op for step in program.steps} <= written(LOWERED, "| step |")


def test_the_example_of_the_page_is_what_is_generated() -> None:
    """The generated function on the page is that of the game of the page on generated rules."""
    page = (DOCS / "rules.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    duet = next(block for block in blocks if block.startswith("format: brou/1\n"))
    example = re.findall(r"^```text\n(.*?)^```$", LOWERED, re.DOTALL | re.MULTILINE)[-1]

    game = load_rules(parse_yaml(duet, "rules.md"))
    assert example in emit_finding(lower(game), {}, draws=True)


def test_the_table_of_counts_is_the_data() -> None:
    """The table of the page has the counts of the data file, of all editions and set-ups."""
    rows = {entry["rules"]: [" ".join(map(str, p["counts"])) for p in entry["positions"]] for entry in COUNTED}
    shown = re.findall(r"^\| `(\S+)` \| (.*) \|$", PLAYING, re.MULTILINE)

    assert {name: cells.split(" | ") for name, cells in shown} == rows
    assert list(rows) == [str(choice) for game in catalogue() for choice in spread(game)]


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("entry", COUNTED, ids=lambda entry: entry["rules"])
def test_the_counts_are_counted(entry: dict[str, Any]) -> None:
    """Start, acts and counts of the data file are what is found: the first to full depth, the others to two acts."""
    counter = Counter(choose(entry["rules"]))
    for number, position in enumerate(entry["positions"]):
        start = dealt(counter.engine.machine, position["seed"])
        state, acts = counter.position(start, position["seed"], 6 * (number % 2))
        depth = len(position["counts"]) if number == 0 else 2
        assert (start, acts) == (position["start"], position["acts"])
        assert [counter.count(state, n) for n in range(1, depth + 1)] == position["counts"][:depth]


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_generated_code_is_as_fast_as_hoped(game: str) -> None:
    """Generated code plays at least half as many times as fast as hoped, whatever else the machine does."""
    for gain in gains(game):
        assert gain.value > gain.target / 2


def test_a_gain_is_met_from_its_target_on() -> None:
    """Of a gain more is better, of a cost less."""
    gain = bench.BenchRow("game", "what", 8.0, "times", 8, "work", more=True)
    cost = bench.BenchRow("game", "what", 9.0, "us", 8, "work")

    assert gain.met
    assert not cost.met
