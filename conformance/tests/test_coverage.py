"""What scenarios cover: cells of clauses, and the questions that editions leave open."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from brou.games.folder import root
from brou.shapes import write_object
from brou_conformance.protocol import fault, schema
from brou_conformance.scenarios.corpus import games
from brou_conformance.scenarios.coverage import (
    NEEDED,
    Coverage,
    CoverageReport,
    CoverageRow,
    coverage,
    report_coverage,
    table,
)
from brou_conformance.scenarios.scenario import CELLS

#: A cell is full with this many scenarios.
FULL = 8

SEVEN = "  steps:\n  - {by: 0, act: {play: 7S}}"


def row(found: Coverage, clause: str) -> CoverageRow:
    """Return the row of a clause."""
    return next(row for row in found.rows if row.clause == clause)


@pytest.fixture
def explained(tmp_path: Path) -> Callable[[str], Path]:
    """Return what copies our data with a line added to the clause that void players are free by."""

    def write(line: str) -> Path:
        data = tmp_path / "spec"
        shutil.copytree(root() / "prelude", data / "prelude")
        shutil.copytree(root() / "games" / "brouc", data / "games" / "brouc")
        chapter = data / "games" / "brouc" / "30-play.yaml"
        head = "- clause: play.02\n"
        text = chapter.read_text(encoding="utf-8")
        assert head in text
        chapter.write_text(text.replace(head, f"{head}  {line}\n"), encoding="utf-8")
        return data

    return write


def test_a_scenario_fills_the_cells_that_it_names(corpus: Callable[..., Path]) -> None:
    """Its id stands in each of them."""
    found = row(coverage("brouc", corpus(SEVEN, SEVEN)), "brouc.play.02")

    assert found.cells == {"refuses": ("test.n1", "test.n2")}


def test_a_needed_cell_without_a_scenario_is_empty(corpus: Callable[..., Path]) -> None:
    """A permission is shown both ways; that it is refused says nothing of when it is given."""
    found = row(coverage("brouc", corpus(SEVEN)), "brouc.play.02")

    assert (found.needed, found.empty, found.lacking) == (("permits", "refuses"), ("permits",), ())


@pytest.mark.slow
def test_a_reason_makes_up_for_a_scenario(corpus: Callable[..., Path], explained: Callable[[str], Path]) -> None:
    """A cell that cannot be filled says why, and is empty no longer."""
    data = explained("lacks: {permits: It cannot be.}")
    found = coverage("brouc", corpus(SEVEN), data)

    assert (row(found, "brouc.play.02").empty, row(found, "brouc.play.02").lacking) == ((), ("permits",))
    assert "brouc.play.02 permits: It cannot be.\n" in table(found)


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["refuses", "value"])
def test_a_reason_that_is_not_needed_is_told(
    corpus: Callable[..., Path], explained: Callable[[str], Path], cell: str
) -> None:
    """A filled cell needs no reason to be empty, nor does one that nobody asks for."""
    found = coverage("brouc", corpus(SEVEN), explained(f"lacks: {{{cell}: It cannot be.}}"))

    assert row(found, "brouc.play.02").stale == (cell,)
    assert f"brouc.play.02 {cell}: there is a reason to be empty, but no need\n" in table(found)


def test_a_testable_clause_that_no_scenario_cites_is_told(corpus: Callable[..., Path]) -> None:
    """A clause may need no cell in particular; it must be cited, and the corpus is not complete before."""
    found = coverage("brouc", corpus(SEVEN))

    assert (row(found, "brouc.equip.01").needed, row(found, "brouc.equip.01").uncited) == ((), True)
    assert row(found, "brouc.play.02").uncited is False
    assert "brouc.equip.01: no scenario cites it\n" in table(found)


@pytest.mark.parametrize("game", games())
def test_every_testable_clause_is_cited(game: str) -> None:
    """No rule that a program can follow or break is without a scenario."""
    found = coverage(game)

    assert [row.clause for row in found.rows if row.uncited] == []


def test_an_uncited_clause_alone_makes_a_corpus_incomplete() -> None:
    """It is a finding like an empty cell."""
    one = CoverageRow("brouc.equip.01", "table", {}, {})

    assert not Coverage("brouc", 0, 0, (one,), ()).complete
    assert Coverage("brouc", 0, 0, (CoverageRow("brouc.hist.01", "advisory", {}, {}),), ()).complete


def test_advice_needs_nothing(corpus: Callable[..., Path]) -> None:
    """What no program can show is listed and asks for no scenario."""
    found = row(coverage("brouc", corpus(SEVEN)), "brouc.hist.01")

    assert (found.testable, found.needed, found.uncited) == ("advisory", (), False)


def test_an_open_passage_is_listed_where_it_is_cited(corpus: Callable[..., Path]) -> None:
    """It needs nothing; those that nobody cites are left out."""
    folder = corpus(SEVEN)
    path = folder / "brouc" / "some.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("brouc.play.02", "brouc.amb.16"), encoding="utf-8")
    found = coverage("brouc", folder)

    assert [(one.clause, one.needed) for one in found.rows if not one.testable] == [("brouc.amb.16", ())]


OPEN = """\
  steps:
  - by: 0
    act: {play: 7S}
    readings: {marking: {implicit: ok, explicit-any: ok, explicit-before-lead: ok}}"""


def test_a_question_is_put_by_a_step_for_each_of_its_values(corpus: Callable[..., Path]) -> None:
    """It counts for every edition that the scenario holds for and that leaves the question open."""
    found = coverage("brouc", corpus(f"  edition: '2022'\n{OPEN}", SEVEN))

    put = [(one.edition, one.scenarios) for one in found.questions if one.key == "marking"]
    assert put == [("2022", ("test.n1",)), ("club-2026", ())]


def test_an_open_number_is_asked_for_by_a_premise(corpus: Callable[..., Path]) -> None:
    """There is no telling all numbers apart; a premise of another key puts no question."""
    premised = "  readings: {match_ticks: 3, marking: implicit}\n" + SEVEN
    found = coverage("brouc", corpus(premised))
    put = {one.key for one in found.questions if one.scenarios}

    assert put == {"match_ticks"}
    assert "brouc@2022: no scenario tells the values of marking apart\n" in table(found)


def test_totals_add_up() -> None:
    """Every needed cell is filled, empty for a reason, or empty."""
    for game in games():
        found = coverage(game)
        totals = found.totals

        assert totals.needed == totals.filled + totals.lacking + totals.empty
        assert totals.empty == sum(len(row.empty) for row in found.rows)
        assert f"{totals.scenarios} scenarios" in table(found)


@pytest.mark.parametrize("game", games())
def test_the_document_has_the_shape_of_its_schema(game: str) -> None:
    """What programs read is what is promised to them."""
    assert fault("coverage", write_object(CoverageReport(games=(report_coverage(coverage(game)),)))) is None


def test_the_schemas_know_the_cells() -> None:
    """Both schemas that speak of cells list them."""
    listed: list[list[str]] = [schema(kind)["$defs"]["cell"]["enum"] for kind in ("coverage", "corpus")]

    assert listed == [list(CELLS)] * 2
    assert {cell for needed in NEEDED.values() for cell in needed} <= set(CELLS)


@pytest.mark.parametrize("game", games())
def test_no_cell_is_fuller_than_need_be(game: str) -> None:
    """More scenarios of one kind prove no more, and make the clause look worse than it is played."""
    full = {
        (row.clause, cell): len(ids)
        for row in coverage(game).rows
        for cell, ids in row.cells.items()
        if len(ids) > FULL
    }

    assert full == {}


@pytest.mark.parametrize("game", games())
def test_no_reason_is_stale(game: str) -> None:
    """A reason to be empty goes when the cell is filled."""
    assert [(row.clause, row.stale) for row in coverage(game).rows if row.stale] == []


@pytest.mark.parametrize("game", games())
def test_everything_needed_is_covered(game: str) -> None:
    """Every needed cell has a scenario or a reason, and every open question is put in every edition."""
    found = coverage(game)

    assert [(row.clause, row.empty) for row in found.rows if row.empty] == []
    assert found.untold == ()
    assert found.complete
