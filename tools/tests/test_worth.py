"""Pages of compared rules: side by side on the same deals, made of numbers of the present rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from brou import Choice, book, catalogue, choose, house
from brou_tools.cli import main
from brou_tools.questions.compatible import full_name, pair_readings
from brou_tools.simulate.worth_page import WorthPage, hash_pair, read_worth, write_numbers, write_page

FOLDER = Path(__file__).parents[2] / "docs" / "worth"
PAGES = sorted(path.stem for path in FOLDER.glob("*.json"))
needs_no_play = pytest.mark.parametrize("name", PAGES)


def read_page(name: str) -> WorthPage:
    """Return the numbers of a page of the docs."""
    return read_worth((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


@needs_no_play
def test_a_page_is_made_of_its_numbers(name: str) -> None:
    """Page and file of numbers are what is written of these numbers."""
    page = read_page(name)

    assert (FOLDER / f"{name}.md").read_text(encoding="utf-8") == write_page(page, house())
    assert (FOLDER / f"{name}.json").read_text(encoding="utf-8") == write_numbers(page)
    assert page.command.endswith(f"--page docs/worth/{name}.md")


@pytest.mark.slow
@needs_no_play
def test_the_numbers_are_of_the_present_rules(name: str) -> None:
    """Both rule bases of each comparison are the same today as when they were played."""
    for one in read_page(name).pairs:
        assert one.hashes == hash_pair(choose(one.ours), choose(one.theirs)), f"{one.theirs}: play the page again"


@needs_no_play
def test_every_other_reading_is_there(name: str) -> None:
    """A page of readings has each value that the edition has not, beside rules that differ in it alone."""
    page = read_page(name)
    if "--readings" not in page.command:
        assert len(page.pairs) == 1
        return
    wanted = pair_readings(choose(page.command.split()[2]))

    assert [(one.ours, one.theirs) for one in page.pairs] == [
        (full_name(base), full_name(other)) for base, others in wanted.items() for _, other in others
    ]


@pytest.mark.parametrize("game", catalogue())
def test_every_value_of_a_reading_is_compared_somewhere(game: str) -> None:
    """Each value that an edition has not, in any of its set-ups, stands beside that of the edition on some page."""
    pairs = [one for name in PAGES for one in read_page(name).pairs]
    compared = {find_change(choose(one.ours), choose(one.theirs)) for one in pairs}
    wanted = {
        find_change(base, other)
        for edition, data in book(game).editions.items()
        for setup in data.setups
        for base, others in pair_readings(choose(f"{game}@{edition}:{setup}")).items()
        for _, other in others
    }

    assert wanted
    assert wanted <= compared


def find_change(base: Choice, other: Choice) -> tuple[str, str, frozenset[tuple[str, str]]]:
    """Return game and edition, and the readings of another rule base that the first has not."""
    return base.game, base.edition, frozenset(other.readings) - frozenset(base.readings)


def test_both_brou_games_are_compared() -> None:
    """There is a page of the game of 1802 beside that of 2022, and one of the readings of each."""
    assert {"homme-de-brou-brouc", "brouc", "homme-de-brou"} <= set(PAGES)


@pytest.mark.slow
def test_a_page_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command plays each other reading on the same deals, and writes the page with its numbers beside it."""
    path = tmp_path / "page.md"
    assert main(["simulate", "brusquembille@1718:3", "--readings", "-n", "3", "--page", str(path)]) == 0
    printed, page = capsys.readouterr().out, read_worth(path.with_suffix(".json").read_text(encoding="utf-8"))

    assert printed.count("the same deals") == len(page.pairs) == 5
    assert path.read_text(encoding="utf-8") == write_page(page, house())
    assert all(row.low <= row.difference <= row.high for one in page.pairs for row in one.differences)
    assert any(not one.same for one in page.pairs)


@pytest.mark.parametrize(
    "words",
    [
        ["--readings", "--against", "brouc@club-2026"],
        ["--readings", "--vary"],
        ["--page", "page.md"],
        ["--readings", "--page", "page.html"],
    ],
)
def test_ways_that_do_not_go_together_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Two comparisons at once, and a page of none, are errors of use."""
    with pytest.raises(SystemExit, match="2"):
        main(["simulate", "brouc", *words])
    assert "--" in capsys.readouterr().err
