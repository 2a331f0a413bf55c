"""`brou dispute`: a template with everything that speaks for the suite, and where a dispute can lead to."""

from __future__ import annotations

import json
import lzma
import re
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from brou import Project, catalogue, open_project, root
from brou_conformance.judging.expectations import expectation_faults
from brou_conformance.portable.errata import apply_errata, find_due, read_errata
from brou_conformance.portable.meanings import index_meanings
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Session
from brou_conformance.protocol import fault
from brou_conformance.scenarios.corpus import corpus_root, scenarios
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import verify
from brou_tools.cli import main

FROZEN = Path(__file__).parents[2] / "conformance" / "tests" / "frozen" / "meanings.json.xz"
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
        ("brouc.over.lower-trump-refusd", "; did you mean 'brouc.over.lower-trump-refused'"),
        (f"{CASE}#nowhere", "; known: "),
    ],
)
def test_what_is_not_there_is_named(subject: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With what may be meant."""
    assert main(["dispute", subject]) == 2
    assert meant in capsys.readouterr().err


# An upheld dispute, in a scratch copy -----------------------------------------------------------------------------

#: The case in dispute: who neither follows nor beats, and has clubs, must play one of them.
GAME, DISPUTED, CLAUSE = "brouc", "brouc.over.four-trumps-and-four-clubs", "brouc.over.05"
REFUSALS = """  - {id: ten, by: 2, act: {play: TS}, expect: {"no": must_beat}}
  - {id: seven, by: 2, act: {play: 7S}, expect: {"no": must_beat}}
"""
ENTRY = """
- since: "2099-01-01"
  because: Who beats nothing may put a lower trump.
  passage: {source: brouc-martin-2022, at: spiel.p2}
"""
PROGRAMS = Path(__file__).parents[2] / "conformance" / "adapters" / "python"


@dataclass(frozen=True, slots=True)
class Scratch:
    """A copy of the rules, the errata and the scenarios, in which a dispute is followed to its end."""

    home: Path

    @property
    def project(self) -> Project:
        """Return it as it is now."""
        return open_project(self.home)

    def replace(self, file: str, behind: str, *changes: tuple[str, str]) -> None:
        """Change words of a file, the first behind a mark."""
        before, mark, after = (self.home / file).read_text(encoding="utf-8").partition(behind)
        for old, new in changes:
            assert old in after
            after = after.replace(old, new, 1)
        (self.home / file).write_text(before + mark + after, encoding="utf-8")

    def change_expectation(self) -> None:
        """Let the case expect every card, and no refusal."""
        low, every = "play: [AC, 9C, 8C, 7C]", "play: [TS, 9S, 8S, 7S, AC, 9C, 8C, 7C]"
        self.replace("scenarios/brouc/overruffing.yaml", f"id: {DISPUTED}\n", (low, every), (REFUSALS, ""))

    def change_rule(self) -> None:
        """Let the clause free who can neither follow nor beat, in its text and its rule."""
        self.replace(
            "data/games/brouc/30-play.yaml",
            "clause: over.05\n",
            (
                "must\n    discard: a lower trump is allowed only under the marriage exception.",
                "may\n    discard or put a lower trump.",
            ),
            ("narrows: over.01", "except: over.01"),
            (" and not all_trumps(p)\n  code: must_beat\n", "\n"),
        )

    def find_due(self) -> list[tuple[str, str, str | None]]:
        """Return what of the game lacks an entry, by the first index of meanings."""
        with lzma.open(FROZEN, "rt", encoding="utf-8") as source:
            index = {kind: ids for kind, ids in json.load(source).items() if kind != "interface"}
        now = index_meanings(self.project, self.project.scenarios)
        found = find_due(apply_errata(index, read_errata(self.project)), now)
        return [one for one in found if one[1].startswith(GAME)]

    def enter(self, due: Iterable[tuple[str, str, str | None]]) -> None:
        """Write the entry that is due."""
        lines = "".join(f'  {kind}:\n    {id_}: "{meaning}"\n' for kind, id_, meaning in due)
        with (self.home / "data" / "errata.yaml").open("a", encoding="utf-8") as file:
            file.write(ENTRY.lstrip("\n") + lines)

    def find_unmet(self) -> list[str]:
        """Return how the rules answer the case otherwise than it expects."""
        known = [one for one in scenarios("brouc", self.project) if one.id == DISPUTED]
        return [fault.what for fault in expectation_faults(known, "brouc", self.project)]

    def judge(self, program: str) -> EditionVerdict:
        """Return the verdict on a program by the case."""
        wanted = Selection("brouc", "2022", DISPUTED, corpus=self.project, data=self.project)
        with Session(lambda: Child.start([sys.executable, str(PROGRAMS / program)])) as session:
            (run,) = verify(session, wanted, explains=False).runs
        return run.verdict


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    """Return a copy of everything that a dispute about one game can change."""
    others = shutil.ignore_patterns(*(game for game in catalogue() if game != GAME))
    shutil.copytree(root(), tmp_path / "data", ignore=others)
    shutil.copytree(corpus_root(), tmp_path / "scenarios", ignore=others)
    (tmp_path / "brou.toml").write_text('data = "data"\n', encoding="utf-8")
    return Scratch(tmp_path)


@pytest.mark.slow
def test_an_expectation_that_a_dispute_changes_is_met_by_the_changed_rule_alone(scratch: Scratch) -> None:
    """The case fails by the rules as they are, and passes when they are changed."""
    scratch.change_expectation()
    (unmet,) = scratch.find_unmet()
    scratch.change_rule()

    assert unmet.startswith(f"{DISPUTED}#choice expects 'play TS 9S 8S 7S AC 9C 8C 7C', and brouc@2022:4 answers ")
    assert scratch.find_unmet() == []


@pytest.mark.slow
def test_an_upheld_dispute_needs_an_entry(scratch: Scratch) -> None:
    """The frozen index names the case and the clause until the errata do."""
    scratch.change_expectation()
    scratch.change_rule()
    due = scratch.find_due()
    scratch.enter(due)

    assert [(kind, id_) for kind, id_, _ in due] == [("texts", CLAUSE), ("scenarios", DISPUTED)]
    assert scratch.find_due() == []


@pytest.mark.thorough
def test_an_upheld_dispute_is_told_where_it_was_opened(scratch: Scratch, capsys: pytest.CaptureFixture[str]) -> None:
    """The case and its clause say since when they have meant something else, why, and by which passage."""
    opened = told(DISPUTED, "--data", str(scratch.home), capsys=capsys)
    scratch.change_expectation()
    scratch.change_rule()
    scratch.enter([("scenarios", DISPUTED, "0" * 16), ("texts", CLAUSE, "0" * 16)])
    closed = told(DISPUTED, "--data", str(scratch.home), capsys=capsys)
    entry = "- 2099-01-01: Who beats nothing may put a lower trump. (brouc-martin-2022, spiel.p2)\n"

    assert "play AC 9C 8C 7C\n" in opened
    assert entry not in opened
    assert "play TS 9S 8S 7S AC 9C 8C 7C\n" in closed
    assert closed.count(entry) == 2


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "before", "after"),
    [("adapter.py", "follows", "deviates"), ("misread/adapter.py", "deviates", "follows")],
)
def test_an_upheld_dispute_changes_the_verdict_of_programs(
    scratch: Scratch, program: str, before: str, after: str
) -> None:
    """Who read the passage as the dispute does is right from then on, and who did not is wrong."""
    then = scratch.judge(program)
    scratch.change_expectation()
    scratch.change_rule()

    assert (then, scratch.judge(program)) == (before, after)
