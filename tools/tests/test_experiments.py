"""Simulations of any size: the same sums whoever plays, in whatever parts, up to whatever limit, alone or in pairs."""

from __future__ import annotations

import csv
import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from brou import Choice, catalogue, choose
from brou.chance import Chance, PackChance
from brou.games.catalogue import spread
from brou.native.shared_object import find_compiler
from brou_tools.cli import main
from brou_tools.matches.counts import CaseSums, Sums
from brou_tools.matches.pairs import PairTally, play_pairs
from brou_tools.matches.plan import MatchPlan, NativePlayer, open_player, play_seeds
from brou_tools.matches.play import MatchTally
from brou_tools.matches.policy import conduct
from brou_tools.simulate.differences import find_differences
from brou_tools.simulate.figures import SIDES
from brou_tools.simulate.report import join_rows
from brou_tools.simulate.shards import list_shards
from brou_tools.terminal.cluster import NoCluster, work_on

GAMES = list(catalogue())
SMALL = "homme-d-auvergne:2"
needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


def asked(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    """Return what a command prints that ends so."""
    ended = main(arguments)
    told = capsys.readouterr()
    assert ended == code, told.err
    return told.err if code else told.out


# Who plays ------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("game", GAMES)
def test_everything_told_is_the_same_in_c(game: str) -> None:
    """Acts, figures, scores and views of some matches have the same sums in C and in generated Python."""
    for packs in (False, True):
        plan = MatchPlan(choose(game), packs=packs)
        tally = NativePlayer(plan).play(range(3, 6))
        tally.settle()

        assert tally == play_seeds(plan, range(3, 6), native=False)
        assert tally.matches == 3
        assert len(tally.per_deal) > 20


@pytest.mark.sampled(10)
@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("choice", [choice for game in GAMES for choice in spread(game)], ids=str)
def test_other_rule_bases_have_the_same_sums(choice: Choice) -> None:
    """So it is under other editions and set-ups."""
    plan = MatchPlan(choice)
    assert play_seeds(plan, range(4)) == play_seeds(plan, range(4), native=False)


@pytest.mark.slow
@needs_compiler
def test_the_same_call_gives_the_same_figures_without_a_compiler(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has no C compiler waits longer, and reads the same."""
    words = ["simulate", SMALL, "-n", "20", "--json"]
    whole = asked(words, capsys)
    monkeypatch.setenv("CC", "no-such-compiler")
    open_player.cache_clear()

    assert asked(words, capsys) == whole


def test_matches_that_do_not_end_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A match is left after as many acts as are asked for, and the table says how many were."""
    told = asked(["simulate", SMALL, "-n", "3", "--longest", "10"], capsys)

    assert "3 matches" in told.splitlines()[0]
    assert "3 unfinished: stuck, or longer than 10 acts" in told.splitlines()[0]


def test_a_match_that_crashes_is_left_out_and_told() -> None:
    """Its deals are not counted, and the number of such matches is."""
    tally, other = MatchTally(matches=2, crashed=1), MatchTally(matches=1, crashed=2)
    tally.merge(other)

    assert (tally.matches, tally.crashed, tally.played) == (3, 3, 6)


# Shards and limits ----------------------------------------------------------------------------------------------------


def test_shards_are_all_seeds_once() -> None:
    """They follow each other, grow, and do not depend on how many matches are wanted, but for the last of them."""
    shards = list(list_shards(7, 1_000_000))

    assert [seed for shard in shards[:200] for seed in shard] == list(range(7, shards[199].stop))
    assert shards[-1].stop == 1_000_007
    assert len(shards) < 2_000
    assert list(islice(list_shards(7, 5_000_000), len(shards) - 1)) == shards[:-1]


def test_as_many_deals_as_are_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    """Play ends with the first match at which there are so many deals, in however many processes."""
    words = ["simulate", SMALL, "--deals", "150", "--json"]
    told = [asked([*words, "--jobs", jobs], capsys) for jobs in ("1", "2")]
    entry = json.loads(told[0])["games"][0]
    one_less = play_seeds(MatchPlan(choose(SMALL)), range(1, entry["matches"]))

    assert told[0] == told[1]
    assert one_less.deals < 150 <= entry["deals"]
    assert entry["seeds"] == [[1, entry["matches"]]]


@pytest.mark.slow
def test_until_an_interval_is_narrow(capsys: pytest.CaptureFixture[str]) -> None:
    """Play ends with the first shard after which no interval is wider, and the same one whoever plays."""
    words = ["simulate", SMALL, "--within", "2%", "--figure", "played", "--json"]
    told = [asked([*words, "--jobs", jobs], capsys) for jobs in ("1", "2")]
    entry = json.loads(told[0])["games"][0]
    figure = entry["figures"][0]
    ends = {shard.stop - 1 for shard in list_shards(1, 10_000)}

    assert told[0] == told[1]
    assert max(figure["high"] - figure["value"], figure["value"] - figure["low"]) <= 0.02
    assert entry["matches"] in ends
    assert 100 <= entry["matches"] < 10_000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--within", "0"], "no number of units"),
        (["--figure", "played"], "--figure names the figure of --within"),
        (["--within", "1%", "--figure", "plaid"], "did you mean 'played'?"),
        (["--rows", "rows.txt"], "ends in .csv or .parquet"),
        (["--jobs", "2", "--scheduler", "tcp://nowhere:1"], "choose one of them"),
        (["--merge", "-n", "4"], "--merge plays nothing"),
        (["--weigh-against", "show=0"], "--weigh-against weighs the acts of --against"),
        (["--vary", "--mindless"], "leave out --against and --mindless"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is played, and in words."""
    try:
        code = main(["simulate", SMALL, *words])
    except SystemExit as end:
        code = int(str(end.code))

    assert code == 2
    assert said in capsys.readouterr().err


# Merging --------------------------------------------------------------------------------------------------------------


def document(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Write the document of a simulation into a folder and return its name."""
    path = folder / f"{len(list(folder.iterdir()))}.json"
    path.write_text(asked(["simulate", *words, "--json"], capsys), encoding="utf-8")
    return str(path)


def test_documents_are_merged_exactly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In any order they come to what one run of all their seeds prints, to the last digit, with gaps or without."""
    parts = [
        document(tmp_path, capsys, SMALL, "-n", str(count), "--seed", str(seed))
        for seed, count in ((16, 5), (1, 10), (11, 5))
    ]

    for flag in ([], ["--json"]):
        whole = asked(["simulate", SMALL, "-n", "20", *flag], capsys)
        assert asked(["simulate", "--merge", *parts, *flag], capsys) == whole
    gap = json.loads(asked(["simulate", "--merge", *parts[:2], "--json"], capsys))["games"][0]
    assert gap["seeds"] == [[1, 10], [16, 5]]


def test_nothing_is_counted_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Documents that have a seed in common are refused."""
    one = document(tmp_path, capsys, SMALL, "-n", "4")
    two = document(tmp_path, capsys, SMALL, "-n", "4", "--seed", "4")

    assert "matches from seed 4 on are counted already" in asked(["simulate", "--merge", one, two], capsys, 2)


def test_other_weights_stay_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was played otherwise is no sample of the same: it has a table of its own."""
    one = document(tmp_path, capsys, SMALL, "-n", "2")
    two = document(tmp_path, capsys, SMALL, "-n", "2", "--mindless")

    assert asked(["simulate", "--merge", one, two], capsys).count("2 matches, ") == 2


@pytest.mark.parametrize("text", ["", "{}", '{"format": "brou-simulation/1", "games": [{}]}', "[1]", '{"games": 3}'])
def test_what_is_no_document_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    """With the name of the file and what is wanted instead."""
    path = tmp_path / "it"
    path.write_text(text, encoding="utf-8")

    assert "name documents that brou simulate --json wrote" in asked(["simulate", "--merge", str(path)], capsys, 2)


def test_other_rules_are_not_merged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A document of rules that have changed since is refused."""
    path = Path(document(tmp_path, capsys, SMALL, "-n", "2"))
    changed = json.loads(path.read_text(encoding="utf-8"))
    changed["games"][0]["hash"] = "0" * 64
    path.write_text(json.dumps(changed), encoding="utf-8")

    assert "has changed since; play its matches again" in asked(["simulate", "--merge", str(path)], capsys, 2)


def test_rows_of_seeds_are_joined() -> None:
    """Those that follow each other become one; a seed in two of them is found."""
    assert join_rows([(5, 5), (1, 4), (20, 1)]) == ((1, 9), (20, 1))
    assert join_rows([(1, 5), (5, 1)]) is None


# Two rule bases -------------------------------------------------------------------------------------------------------


def test_packs_come_from_the_seed_alone() -> None:
    """The k-th pack of a seed is the same whatever is drawn between."""
    one, other = PackChance(5), PackChance(5)
    first = [one.order(range(32)), one.order(range(32))]
    other.word()
    second = other.order(range(32))
    other.below(7)

    assert first == [second, other.order(range(32))]
    assert first[0] != first[1]
    assert one.word() == Chance(5).word()


def test_rules_against_themselves_do_not_differ(capsys: pytest.CaptureFixture[str]) -> None:
    """The same deals by the same rules are the same matches: every difference is nought, and certain."""
    told = json.loads(asked(["simulate", SMALL, "-n", "6", "--against", SMALL, "--json"], capsys))
    found = told["games"][0]["against"]["differences"]

    assert found
    assert {(one["difference"], one["low"], one["high"]) for one in found} == {(0.0, 0.0, 0.0)}


@pytest.mark.slow
def test_pairs_are_the_same_in_parts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Merged documents of pairs are those of one run, and every process plays the same."""
    words = ["homme-d-auvergne@1665:2", "--against", "homme-d-auvergne@1718:2"]
    parts = [document(tmp_path, capsys, *words, "-n", "5", "--seed", seed) for seed in ("1", "6")]
    whole = asked(["simulate", *words, "-n", "10", "--json"], capsys)

    assert asked(["simulate", "--merge", *parts, "--json"], capsys) == whole
    assert asked(["simulate", *words, "-n", "10", "--json", "--jobs", "2"], capsys) == whole


@pytest.mark.slow
@needs_compiler
def test_pairs_are_the_same_in_python() -> None:
    """With the engine in C and in generated Python."""
    ours, theirs = (MatchPlan(choose(name), packs=True) for name in (SMALL, "homme-d-auvergne@1718:2"))

    assert play_pairs(ours, theirs, range(1, 5)) == play_pairs(ours, theirs, range(1, 5), native=False)


def single(value: int, deals: int) -> MatchTally:
    """Return the tally of one match with one figure."""
    tally = MatchTally(1, deals, deals * deals, per_deal={("score", "it"): Sums(share=False)})
    tally.per_deal["score", "it"].add(value, deals)
    return tally


def test_a_difference_has_the_error_of_paired_ratios() -> None:
    """Worked out by hand from the residuals of each pair: what both have in common is no error."""
    pairs = [((2, 1), (1, 1)), ((3, 2), (3, 1)), ((1, 1), (2, 2))]
    tally = PairTally()
    for ours, theirs in pairs:
        tally.add(single(*ours), single(*theirs))
    found = next(one for one in find_differences(tally, {}) if one.what == "it")
    first, second = 6 / 4, 6 / 4
    residuals = [(a - first * n) / 4 - (b - second * m) / 4 for (a, n), (b, m) in pairs]
    error = math.sqrt(3 / 2 * sum(one * one for one in residuals))

    assert found.difference == 0
    assert found.high == pytest.approx(SIDES * error)
    assert found.low == pytest.approx(-SIDES * error)
    assert not found.is_clear


def test_pairing_narrows_the_interval() -> None:
    """The difference of two like rule bases is known better on the same deals than on others."""
    names = {("won", ""): ("won", "match")}
    paired, apart = PairTally(), PairTally()
    values = [1, 0, 1, 1, 0, 0, 1, 0]
    for place, value in enumerate(values):
        for tally, other in ((paired, value), (apart, values[place - 3])):
            tally.add(replace(single(0, 1), told=told(value)), replace(single(0, 1), told=told(other)))

    narrow, wide = (next(iter(find_differences(tally, names))) for tally in (paired, apart))
    assert narrow.high == narrow.low == 0 < wide.high


def told(value: int) -> dict[tuple[str, str], CaseSums]:
    """Return a headline figure of one match."""
    cases = CaseSums(Sums())
    cases.add(value, 1)
    return {("won", ""): cases}


@pytest.mark.slow
def test_a_comparison_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Both values of a figure, the difference with its bounds, and a mark where it is no chance."""
    words = ["simulate", "homme-d-auvergne@1665:2", "--against", "homme-d-auvergne@1725:2", "-n", "12"]
    lines = asked(words, capsys).splitlines()

    assert lines[0].startswith("homme-d-auvergne@1665:2: 12 matches, ")
    assert lines[1].startswith("against homme-d-auvergne@1725:2: 12 matches, ")
    assert any(line.endswith("*") for line in lines[3:])
    assert any(" to " in line and not line.endswith("*") for line in lines[3:])


@pytest.mark.slow
def test_ways_to_play_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """Weights of one side alone: there nobody shows a king, in the same deals by the same rules."""
    words = ["simulate", SMALL, "--against", SMALL, "--weigh-against", "show=0", "-n", "8"]
    lines = asked(words, capsys).splitlines()
    found = json.loads(asked([*words, "--json"], capsys))["games"][0]["against"]
    shown = next(one for one in found["differences"] if one["part"] == "acts" and one["what"] == "show")

    assert "there show counts 0" in lines
    assert found["weights"] == {"show": "0"}
    assert shown["theirs"] == 0 < shown["ours"]


@pytest.mark.slow
def test_each_weight_is_varied(capsys: pytest.CaptureFixture[str]) -> None:
    """Act by act with its weight doubled, and each as if that alone had been asked for."""
    varied = json.loads(asked(["simulate", SMALL, "--vary", "-n", "4", "--json"], capsys))["games"]
    weights = {name: text for one in varied for name, text in one["against"]["weights"].items()}
    plain = {name: said.text for name, said in conduct("homme-d-auvergne").acts.items()}
    name, text = next(iter(weights.items()))
    alone = ["simulate", SMALL, "--against", SMALL, "--weigh-against", f"{name}={text}", "-n", "4", "--json"]

    assert weights == {name: f"2 * ({said})" for name, said in plain.items()}
    assert json.loads(asked(alone, capsys))["games"] == varied[:1]


# Rows -----------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_rows_as_csv_and_parquet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both hold the figures of the document, a row each."""
    parquet = pytest.importorskip("pyarrow.parquet")
    plain, columns = tmp_path / "rows.csv", tmp_path / "rows.parquet"
    played = ["simulate", SMALL, "-n", "4", "--json", "--rows"]
    told = [asked([*played, str(path)], capsys) for path in (plain, columns)]
    figures = json.loads(told[0])["games"][0]["figures"]

    with plain.open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    stored = parquet.read_table(columns).to_pylist()
    for rows in (written, stored):
        assert [(row["part"], row["what"], int(row["seen"])) for row in rows] == [
            (one["part"], one["what"], one["seen"]) for one in figures
        ]
    assert [row["value"] for row in stored] == [pytest.approx(one["value"]) for one in figures]


def test_parquet_without_pyarrow_is_told_before_the_play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody waits for matches whose rows cannot be written."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setattr("brou_tools.simulate.command.play_seeds", None)

    assert main(["simulate", SMALL, "--rows", str(tmp_path / "it.parquet")]) != 0
    assert "install brou[parquet]" in capsys.readouterr().err


# A cluster ------------------------------------------------------------------------------------------------------------


def play_and_die(mark: str, seeds: range) -> MatchTally:
    """Play some matches; whoever is the first to come to seed 5 is killed."""
    path = Path(mark)
    if 5 in seeds and not path.exists():
        path.write_text("killed", encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    return play_seeds(MatchPlan(choose(SMALL)), seeds, native=False)


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its part is given to another one; `brou simulate` prints on a cluster what it prints here."""
    pytest.importorskip("distributed")
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER, encoding="utf-8")
    folder = str(Path(__file__).parent)
    environment = {**os.environ, "PYTHONPATH": folder, "DASK_TEMPORARY_DIRECTORY": str(tmp_path)}
    command = [sys.executable, "-W", "ignore", "-c", KILLING]
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", str(script)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
    ) as cluster:  # fmt: skip
        try:
            assert cluster.stdout is not None
            told = subprocess.run(
                [*command, cluster.stdout.readline().strip(), str(tmp_path / "mark")],
                capture_output=True, text=True, check=False, env=environment,
            )  # fmt: skip
        finally:
            cluster.kill()

    assert told.returncode == 0, told.stderr
    assert (tmp_path / "mark").read_text(encoding="utf-8") == "killed"
    first, rest = told.stdout.split("\n", 1)
    whole = play_seeds(MatchPlan(choose(SMALL)), range(1, 11), native=False)
    assert json.loads(first) == json.loads(json.dumps(whole.document()))
    assert rest == asked(["simulate", SMALL, "-n", "20", "--json"], capsys)


#: A scheduler with two workers, each a process that is begun anew when it is lost.
CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""
#: Shares out work of which one worker dies, and then a whole simulation.
KILLING = """
import json, sys
from functools import partial
from test_experiments import play_and_die
from brou_tools.cli import main
from brou_tools.matches.play import MatchTally
from brou_tools.terminal.cluster import work_on
whole = MatchTally()
parts = [range(seed, seed + 2) for seed in range(1, 11, 2)]
for _, tally in work_on(sys.argv[1], partial(play_and_die, sys.argv[2]), parts):
    whole.merge(tally)
whole.settle()
print(json.dumps(whole.document()), flush=True)
sys.exit(main(["simulate", "homme-d-auvergne:2", "-n", "20", "--json", "--scheduler", sys.argv[1]]))
"""


def test_a_scheduler_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its address, and how one is started."""
    pytest.importorskip("distributed")

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("timed out")

    monkeypatch.setattr("distributed.Client", refuse)
    with pytest.raises(NoCluster, match="tcp://nowhere:1: no Dask scheduler answers"):
        next(work_on("tcp://nowhere:1", str, ["part"]))


def test_a_cluster_without_its_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is to be installed."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NoCluster, match=r"install brou\[cluster\]"):
        next(work_on("tcp://nowhere:1", str, ["part"]))
