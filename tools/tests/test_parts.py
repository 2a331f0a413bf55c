"""Long runs that go on after whatever has ended them: what is done is not done again, and the result is the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path

import pytest

from brou import Project, choose, house
from brou.errors import NoFile
from brou.games.mutants import Mutant
from brou_tools.cli import main
from brou_tools.documents.part_record import open_record
from brou_tools.matches.play import MatchTally, simulate
from brou_tools.matches.policy import merge_weights
from brou_tools.mutate import fates as mutating
from brou_tools.terminal.workers import work

RULES = ["brusquembille:3", "homme-d-auvergne:2"]
PLAYED = ["simulate", *RULES, "-n", "4", "--seed", "7", "--json"]
MUTATED = ["mutate", "brusquembille", "-n", "4", "--json"]


def asked(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int | None = None) -> str:
    """Return what a command prints, which ends with 0 or 1 or as it is said."""
    ended = main(arguments)
    told = capsys.readouterr()
    assert ended in ((0, 1) if code is None else (code,)), told.err
    return told.err if code else told.out


def cut(path: Path, lines: int, torn: bytes = b"") -> None:
    """Leave so many lines of a record, as a process does that is killed."""
    kept = path.read_bytes().splitlines(keepends=True)[:lines]
    path.write_bytes(b"".join(kept) + torn)


@pytest.fixture
def fates(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let what becomes of a mutant be told by its name at once; return which were asked."""
    asked: list[str] = []

    def fate(game: str, _project: Project, mutant: Mutant) -> mutating.MutantFate:
        asked.append(mutant.id)
        kinds = ["invalid", "same", "other"]
        return mutating.MutantFate(mutant.id, mutant.operator, mutant.clause, kinds[len(mutant.id) % 3], "", game)

    monkeypatch.setattr(mutating, "fate", fate)
    return asked


def test_a_tally_is_the_same_as_a_document() -> None:
    """What a record holds is what was counted, to the last number."""
    choice = choose(RULES[0])
    tally = simulate(choice, merge_weights(choice.game, {}, mindless=False), range(5))

    assert MatchTally.of(json.loads(json.dumps(tally.document()))) == tally


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("lines", [1, 3, 6, 100])
def test_a_simulation_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lines: int
) -> None:
    """After any part, with a torn line at the end, in more processes: byte for byte what an unbroken run prints."""
    record = tmp_path / "record"
    whole = asked([*PLAYED, "--report", str(record)], capsys)
    assert whole == asked(PLAYED, capsys)
    all_parts = len(record.read_bytes().splitlines()) - 1
    cut(record, lines, b'{"kind":"part","part":"0 9')
    handed: list[range] = []

    def watched(
        jobs: int, do: Callable[[range], MatchTally], parts: Iterable[range]
    ) -> Generator[tuple[range, MatchTally]]:
        taken = list(parts)
        handed.extend(taken)
        return work(jobs, do, taken)

    monkeypatch.setattr("brou_tools.terminal.cluster.work", watched)
    again = asked([*PLAYED, "--report", str(record), "--resume", "--jobs", "2"], capsys)

    assert again == whole
    done = min(lines - 1, all_parts)
    assert sum(map(len, handed)) == 2 * 4 - done
    assert asked([*PLAYED, "--report", str(record), "--resume"], capsys) == whole
    assert sum(map(len, handed)) == 2 * 4 - done


@pytest.mark.parametrize("lines", [1, 2, 3, 100])
def test_mutants_are_not_asked_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fates: list[str], lines: int
) -> None:
    """Only those that the record does not hold; the result is that of an unbroken run."""
    record = tmp_path / "record"
    whole = asked([*MUTATED, "--report", str(record)], capsys)
    first = list(fates)
    cut(record, lines, b"{")
    fates.clear()

    assert asked([*MUTATED, "--report", str(record), "--resume"], capsys) == whole
    assert fates == first[lines - 1 :]


def test_a_part_is_counted_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """However often its line stands in the record."""
    record = tmp_path / "record"
    whole = asked([*PLAYED, "--report", str(record)], capsys)
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join([*lines[:5], *lines[3:5], *lines[2:8]]))

    assert asked([*PLAYED, "--report", str(record), "--resume"], capsys) == whole


@pytest.mark.slow
def test_nothing_altered_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A number that was changed in the record is found out, and its part done again."""
    record = tmp_path / "record"
    whole = asked([*PLAYED, "--report", str(record)], capsys)
    lines = record.read_bytes().splitlines(keepends=True)
    altered = lines[2].replace(b'"matches":1', b'"matches":2')
    assert altered != lines[2]
    record.write_bytes(b"".join([*lines[:2], altered, *lines[3:]]))

    assert asked([*PLAYED, "--report", str(record), "--resume"], capsys) == whole


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simulate", *RULES, "-n", "5", "--seed", "7"], "matches 4, not 5"),
        (["simulate", *RULES, "-n", "4", "--seed", "8"], "seed 7, not 8"),
        (["simulate", RULES[0], "-n", "4", "--seed", "7"], "other rules"),
        (["simulate", *RULES, "-n", "4", "--seed", "7", "--mindless"], "mindless False, not True"),
        (["simulate", *RULES, "-n", "4", "--seed", "7", "--weigh", "play=2"], "weights [], not ['play=2']"),
        (["mutate", "brusquembille", "--seed", "7"], "command simulate, not mutate"),
    ],
)
def test_the_record_of_another_run_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    """In one sentence that says in what they differ; the record stays as it is."""
    record = tmp_path / "record"
    asked([*PLAYED, "--report", str(record)], capsys)
    before = record.read_bytes()
    told = asked([*arguments, "--report", str(record), "--resume"], capsys, 2)

    assert f"{record}: the record of another run (" in told
    assert said in told
    assert record.read_bytes() == before


@pytest.mark.parametrize("what", ["_code", "_data"])
def test_the_record_of_other_rules_or_another_version_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Whatever has changed in them since."""
    record = tmp_path / "record"
    asked([*PLAYED, "--report", str(record)], capsys)
    monkeypatch.setattr(f"brou_tools.documents.part_record.{what}", lambda *_project: "another")

    told = asked([*PLAYED, "--report", str(record), "--resume"], capsys, 2)
    assert f"other {what.strip('_')}" in told


@pytest.mark.parametrize("content", [b"", b"hello", b"{}\n", b'{"kind":"begin","format":"brou-parts/1"}\n'])
def test_what_is_no_record_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    """It is named, and not replaced."""
    record = tmp_path / "record"
    record.write_bytes(content)
    told = asked([*PLAYED, "--report", str(record), "--resume"], capsys, 2)

    assert told.startswith(f"brou: {record}: no record of a long run; name one that this command wrote")
    assert record.read_bytes() == content


@pytest.mark.slow
def test_without_a_record_a_run_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So that the same command may be given first and again; without --resume an old record is replaced."""
    record = tmp_path / "record"
    whole = asked([*PLAYED, "--report", str(record), "--resume"], capsys)
    lines = sorted(record.read_bytes().splitlines())
    record.write_bytes(b"another\n")

    assert asked([*PLAYED, "--report", str(record)], capsys) == whole
    assert sorted(record.read_bytes().splitlines()) == lines


def test_resuming_needs_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    """Which has to be named."""
    with pytest.raises(SystemExit) as caught:
        main([*PLAYED, "--resume"])

    assert caught.value.code == 2
    assert "name it with --report FILE" in capsys.readouterr().err


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to("/dev/null")])
def test_what_cannot_be_read_again_is_no_record(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A folder, or a device."""
    make(tmp_path / "record")
    with pytest.raises((NoFile, IsADirectoryError)), open_record(tmp_path / "record", {}, house(), resume=True):
        pass


def test_mutants_are_told_in_the_order_of_the_draw(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, fates: list[str]
) -> None:
    """Whichever of them are ready first."""
    whole = asked(MUTATED, capsys)
    known = mutating.fates

    def backwards(
        game: str, project: Project, found: Sequence[Mutant], jobs: int, scheduler: str | None
    ) -> Generator[mutating.MutantFate]:
        yield from reversed(list(known(game, project, found, jobs, scheduler)))

    monkeypatch.setattr("brou_tools.mutate.command.fates", backwards)
    assert asked(MUTATED, capsys) == whole
    assert len(fates) == 8
