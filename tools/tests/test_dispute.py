"""`brou dispute`: a template with everything that speaks for the suite, and where a dispute can lead to."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from brou_conformance.portable.errata import Errata, Erratum, apply_errata, find_due, read_errata
from brou_conformance.portable.meanings import index_meanings
from brou_conformance.protocol import fault
from brou_conformance.scenarios.corpus import corpus_root
from brou_tools.cli import main

CASE = "brouc.over.lower-trump-refused"


def told(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what the command prints."""
    assert main(["dispute", *words]) == 0
    return capsys.readouterr().out


def test_a_case_is_told_with_its_request_and_what_is_expected(capsys: pytest.CaptureFixture[str]) -> None:
    """The request is one of the protocol, as a program gets it."""
    page = told(f"{CASE}#seven", capsys=capsys)
    (request,) = re.findall(r"```json\n(.*)\n```", page)

    assert page.startswith(f"# Dispute: {CASE}#seven\n")
    assert "refused" in page
    assert fault("run.request", {"op": "run", "id": 1, **json.loads(request)}) is None


def test_a_case_is_told_with_its_clauses_passages_and_their_age(capsys: pytest.CaptureFixture[str]) -> None:
    """So that an objection begins where the rule comes from."""
    page = told("brouc.over.four-trumps-and-four-clubs", capsys=capsys)

    assert "**brouc.over.05** A player who" in page
    assert "- Ulf Martin, Brouc, Spiel p1" in page
    assert "- 2026-11-23: A card player who read the chapters" in page


def test_a_text_that_never_changed_is_told_with_the_day_from_which_that_is_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It may be older."""
    page = told("brouc.play.01", capsys=capsys)

    assert f"- unchanged since {read_errata().index} or earlier" in page


def test_a_clause_that_has_changed_tells_since_when_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    """The entry of the errata stands below its passages."""
    assert "- 2026-11-22: What the text states of a refusal" in told("brou.stop.03", capsys=capsys)


def test_every_reading_is_told_with_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """Where the expectation hangs on one."""
    readings = told("brouc.cape.both-partners-announced", capsys=capsys)

    assert re.search(r": \S.* if \w+=[\w-]+; \S.* if \w+=[\w-]+", readings)


def test_what_is_asked_for_stands_at_the_end(tmp_path: Path) -> None:
    """In the file that is named."""
    assert main(["dispute", "brouc.over.05", "-o", str(tmp_path / "dispute.md")]) == 0
    page = (tmp_path / "dispute.md").read_text(encoding="utf-8")

    assert page.count("- [ ] **") == 4
    assert page.index("## What that rests on") < page.index("## What should be said instead")


@pytest.mark.parametrize(
    ("subject", "meant"),
    [
        ("brouc.over.lower-trump-refusd", "; perhaps 'brouc.over.lower-trump-refused' "),
        (f"{CASE}#nowhere", "; known: "),
    ],
)
def test_what_is_not_there_is_named(subject: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With what may be meant."""
    assert main(["dispute", subject]) == 2
    assert meant in capsys.readouterr().err


def test_a_dispute_that_is_upheld_changes_an_expectation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a copy: the case is disputed, its expectation goes, an entry is due, and with it the dispute tells so."""
    assert "refused" in told(f"{CASE}#seven", capsys=capsys)
    copy = tmp_path / "scenarios"
    shutil.copytree(corpus_root() / "brouc", copy / "brouc")
    file = copy / "brouc" / "overtrumping.yaml"
    text = file.read_text(encoding="utf-8")
    before, case, after = text.partition(f"id: {CASE}\n")
    file.write_text(before + case + after.replace("level: must", "level: open", 1), encoding="utf-8")

    now, then = index_meanings(scenarios=copy), index_meanings(scenarios=corpus_root())
    then["scenarios"] = {id_: one for id_, one in then["scenarios"].items() if id_ in now["scenarios"]}
    (due,) = find_due(then, now)
    entry = Erratum(since="2099-01-01", because="No text says so.", scenarios={CASE: due[2]})
    errata = Errata(index="2026-11-21", entries=(entry,))

    assert due[:2] == ("scenarios", CASE)
    assert list(find_due(apply_errata(then, errata), now)) == []
    assert "- how strict: open" in told(CASE, "--scenarios", str(copy), capsys=capsys)
    assert errata.tell_history(CASE) == (entry,)
