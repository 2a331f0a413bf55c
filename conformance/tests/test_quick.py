"""`brou verify --quick`: few scenarios, in their order, and nothing said of the others."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from brou import book, catalogue
from brou_conformance.reports.record import read_record
from brou_conformance.scenarios.corpus import scenarios
from brou_conformance.scenarios.quick import QuickCase, QuickEdition, rank_quick, read_quick
from brou_tools.cli import main

ADAPTERS = Path(__file__).resolve().parents[1] / "adapters" / "python"
RIGHT, WRONG = ([sys.executable, str(ADAPTERS / name)] for name in ("adapter.py", "misread/adapter.py"))
ONE = ["verify", "--quick", "--edition", "brouc@2022"]


def chosen(game: str, edition: str) -> QuickEdition:
    """Return the choice for an edition."""
    found = read_quick(game)
    assert found is not None
    return found.editions[edition]


@pytest.mark.parametrize("game", catalogue())
def test_every_edition_has_its_choice_of_scenarios_that_there_are(game: str) -> None:
    """Each is a scenario of it; they notice every mutant that they were chosen by, and nine in ten of the others."""
    known = {one.id: one for one in scenarios(game)}

    for edition in book(game).editions:
        choice = chosen(game, edition)
        assert choice.cases
        assert all(edition in (known[one.id].editions or (edition,)) for one in choice.cases)
        assert choice.reached == choice.noticed <= choice.mutants
        assert choice.unseen.reached <= choice.unseen.noticed
        assert 10 * choice.unseen.reached >= 9 * choice.unseen.noticed > 0


@pytest.mark.parametrize("game", catalogue())
def test_no_case_is_idle_and_none_adds_more_than_the_one_before(game: str) -> None:
    """Whoever stops early has asked what tells most; fewer cases than are proved to be needed there are not."""
    for edition in book(game).editions:
        added = [len(one.notices) for one in chosen(game, edition).cases]
        mutants = [name for one in chosen(game, edition).cases for name in one.notices]

        assert added == sorted(added, reverse=True)
        assert min(added) > 0
        assert all(mutants.count(one) <= 2 for one in mutants)
        assert len(added) >= chosen(game, edition).least


@pytest.mark.slow
def test_a_quick_run_asks_its_cases_in_order_and_says_that_they_are_a_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The record holds them one by one, the report how many there are, and the badge does not say more."""
    record, badge = tmp_path / "record.ndjson", tmp_path / "badge.json"
    assert main([*ONE, "--report", str(record), "--badge", str(badge), "--", *RIGHT]) == 0
    told = " ".join(capsys.readouterr().out.split())
    asked = [name.partition(" ")[2] for name in read_record(record).cases]

    assert asked == [one.id for one in chosen("brouc", "2022").cases]
    assert f"Only a part was asked: {len(asked)} of " in told
    assert f"{len(asked)}/{len(asked)}, of " in json.loads(badge.read_text())["message"]


@pytest.mark.slow
def test_a_quick_run_notices_the_misreading(capsys: pytest.CaptureFixture[str]) -> None:
    """The example program with a lower trump in a free ruff deviates in some of them."""
    assert main([*ONE, "--json", "--", *WRONG]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["part_of"] > sum(run["cases"].values())


def test_a_record_of_a_part_is_judged_again_as_that_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without an option, and although the choice may be another one by then; the statement says that it is a part."""
    record, stated = tmp_path / "record.ndjson", tmp_path / "stated.json"
    main([*ONE, "--report", str(record), "--", *RIGHT])
    rank_quick.cache_clear()
    capsys.readouterr()

    assert main(["verify", "--replay", str(record), "--attest", str(stated), "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["cases"]["blocked"] == 0
    assert run["part_of"] > run["cases"]["pass"] == len(chosen("brouc", "2022").cases)
    assert json.loads(stated.read_text())["predicate"]["selection"] == "--quick"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "code"),
    # What explains the misreading is looked for twice, which takes thirteen seconds.
    [(RIGHT, 0), pytest.param(WRONG, 1, marks=pytest.mark.thorough)],
    ids=["right", "wrong"],
)
def test_a_badge_says_what_its_record_says(tmp_path: Path, program: list[str], code: int) -> None:
    """Made of the record, without the program, it says the same, and that nothing was asked."""
    record, then, now = (tmp_path / name for name in ("record.ndjson", "then.json", "now.json"))
    main([*ONE, "--report", str(record), "--badge", str(then), "--", *program])

    assert main(["verify", "--replay", str(record), "--badge", str(now)]) == code
    said, again = (json.loads(path.read_text(encoding="utf-8")) for path in (then, now))
    cases = len(chosen("brouc", "2022").cases)
    assert again == {**said, "message": f"{said['message']}, not asked again: {cases}"}


def test_a_quick_run_is_of_our_own_scenarios(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of others nobody knows what they notice."""
    with pytest.raises(SystemExit, match="2"):
        main([*ONE, "--scenarios", str(tmp_path), "--", *RIGHT])
    assert "leave out --scenarios" in capsys.readouterr().err


def test_a_case_knows_what_it_is_there_for() -> None:
    """The order of a choice is that of its file."""
    choice = chosen("brouc", "2022")

    assert rank_quick("brouc", "2022") == {one.id: place for place, one in enumerate(choice.cases)}
    assert rank_quick("brouc", "nowhere") is None
    assert isinstance(choice.cases[0], QuickCase)
