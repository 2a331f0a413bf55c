"""`brou simulate`, `brou perft` and what they count: general, reproducible, with intervals that mean something."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from brou import Machine, Refusal, catalogue, choose, rules
from brou.chance import Chance
from brou.compiler.playing import draw_act, pick_act
from brou.interpreter.dealing import begin
from brou.language.types import as_number
from brou_conformance.programs.engine import choices
from brou_tools.cli import main
from brou_tools.matches import play as simulating
from brou_tools.matches.counts import CaseSums, Sums, name_figures
from brou_tools.matches.play import MatchTally, simulate
from brou_tools.matches.policy import Players, conduct, merge_weights, weights
from brou_tools.perft import counting
from brou_tools.perft.counting import Counter, dealt
from brou_tools.simulate.bars import draw_shares as bars
from brou_tools.simulate.figures import TOLD, figures, table, wilson

GAMES = list(catalogue())
#: Claims out of turn are rare, and right when they are made.
CALM = weights({"claim": "200 if claimed(team(me)) >= target else 0", "announce": "20", "declare": "0"})


def said(tally: MatchTally) -> dict[tuple[str, str], float]:
    """Return the value of each figure by part and name."""
    return {(one.part, one.what): one.value for one in figures(tally)}


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_simulated(game: str) -> None:
    """Matches of any game are played to the end, deals counted, and what the score enumerates adds up."""
    tally = simulate(choose(game), {}, range(3))
    found = said(tally)

    assert (tally.matches, tally.unfinished) == (3, 0)
    assert tally.deals >= 3
    assert found["acts", "deal"] == 1
    assert found["match", "deals played"] == tally.deals / 3
    results = [value for (part, what), value in found.items() if part == "score" and what.startswith("result ")]
    assert 0 < sum(results) <= 1 + 1e-9


def test_a_simulation_is_reproducible() -> None:
    """The same seeds give the same figures, other seeds others, and shares of the work add up to the whole."""
    choice = choose("homme-d-auvergne:2")
    whole = simulate(choice, {}, range(4))
    parts = simulate(choice, {}, range(2))
    parts.merge(simulate(choice, {}, range(2, 4)))

    assert said(simulate(choice, {}, range(4))) == said(whole)
    assert said(parts) == said(whole)
    assert said(simulate(choice, {}, range(4, 8))) != said(whole)


def test_what_is_counted_is_what_happened() -> None:
    """Acts a deal and results are those of the same match played step by step with the interpreter."""
    choice = choose("homme-d-auvergne:2")
    tally = simulate(choice, {}, [5])
    machine, chance, acts = Machine(rules(choice)), Chance(5), []
    state = machine.begin()
    results = []
    while (chosen := draw_act(machine, state, chance)) is not None:
        acts.append(next(iter(chosen[1])))
        if acts[-1] == "next":
            results.append(machine.score(state)["result"])
        after = machine.act(state, *chosen)
        assert not isinstance(after, Refusal)
        state = after

    found = said(tally)
    assert tally.deals == acts.count("deal") == len(results)
    for name in set(acts):
        assert found["acts a deal", name] == pytest.approx(acts.count(name) / tally.deals)
    for result in set(results):
        assert found["score", f"result {result}"] == pytest.approx(results.count(result) / tally.deals)


@pytest.mark.slow
def test_lists_that_all_seats_see_alike_are_counted() -> None:
    """Announced and table marriages, which every seat is shown, are counted by what the rules enumerate of them."""
    found = said(simulate(choose("brouc"), CALM, range(6)))

    assert found["view", "markers"] == pytest.approx(
        sum(found.get(("view", f"markers kind {kind}"), 0) for kind in ("simple", "grand"))
    )
    assert 0 < found["view", "any markers"] < 1
    assert found["acts a deal", "announce"] == pytest.approx(found["view", "announced"])
    assert ("view", "hand") not in found


def test_the_values_of_a_small_number_are_told_one_by_one() -> None:
    """How often a deal is worth one, two and so on is told; of the accounts only the mean."""
    found = said(simulate(choose("homme-de-brou"), {}, range(6)))
    worth = {what: value for (part, what), value in found.items() if part == "score" and what.startswith("worth = ")}

    assert sum(worth.values()) == pytest.approx(1)
    assert not any(what.startswith("accounts 0 = ") for _, what in found)


@pytest.mark.slow
def test_weights_are_expressions_of_the_rules() -> None:
    """An act of no weight is not made, and a weight may ask for the state."""
    never = said(simulate(choose("brouc"), weights({"claim": "0", "declare": "0"}), range(2)))
    calm = said(simulate(choose("brouc"), CALM, range(2)))

    assert ("acts", "claim") not in never
    assert ("acts", "declare") not in never
    assert ("score", "result claim-wrong") not in calm
    assert calm["score", "result claim-right"] > 0


@pytest.mark.slow
def test_without_any_weight_all_acts_are_alike() -> None:
    """Where nothing that is offered has any weight, one act is as likely as another."""
    players = Players(choose("brouc"), weights({"lot": "0"}))

    assert players.pick(players.engine.begin(), Chance(1)) is not None


# Figures --------------------------------------------------------------------------------------------------------------


def tallied(values: list[tuple[float, int]], *, share: bool) -> MatchTally:
    """Return a tally of matches, each with a value and a number of deals."""
    tally = MatchTally(len(values), sum(n for _, n in values), sum(n * n for _, n in values))
    sums = Sums(share=share)
    for value, deals in values:
        sums.add(value, deals)
    tally.per_deal["score", "it"] = sums
    return tally


def test_a_mean_has_the_error_of_a_ratio() -> None:
    """Worked out by hand: ratios 2/1, 3/2 and 1/1 come to 6/4, their error to the root of 3/2 times 1/2, by 4."""
    one = next(figures(tallied([(2, 1), (3, 2), (1, 1)], share=False)))
    error = math.sqrt(3 / 2 * ((2 - 1.5) ** 2 + (3 - 3) ** 2 + (1 - 1.5) ** 2)) / 4

    assert one.value == 1.5
    assert one.high - one.value == pytest.approx(1.959964 * error)
    assert one.value - one.low == pytest.approx(1.959964 * error)


def test_wilson() -> None:
    """Known values: 10 of 100 lie between 5.52 and 17.44 of a hundred, none of ten between nought and 27.75."""
    assert list(wilson(0.1, 0.03, 100)) == pytest.approx([0.0552, 0.1744], abs=1e-4)
    assert list(wilson(0.0, 0.0, 10)) == pytest.approx([0.0, 0.2775], abs=1e-4)
    assert wilson(0.3, math.inf, 10) == (0.0, 1.0)


def test_deals_of_one_match_are_no_many_witnesses() -> None:
    """Where all deals of a match are alike, the interval is that of so many matches, not of so many deals."""
    alike = next(figures(tallied([(10, 10), (0, 10)] * 5, share=True)))
    apart = next(figures(tallied([(5, 10), (5, 10), (4, 10), (6, 10)] * 3, share=True)))

    assert alike.high - alike.low > 2 * (apart.high - apart.low)


def test_one_match_tells_no_error() -> None:
    """From a single match a mean has no interval."""
    one = next(figures(tallied([(3, 2)], share=False)))

    assert (one.low, one.high) == (-math.inf, math.inf)


def test_a_figure_of_some_deals_is_a_share_of_these() -> None:
    """Two cases that hold of three are two thirds, whatever other deals there were."""
    tally = MatchTally(2, 9, 45, told={("it", ""): CaseSums(Sums())})
    for value, cases in ((1, 1), (1, 2)):
        tally.told["it", ""].add(value, cases)
    one = next(figures(tally, {("it", ""): ("It", "deal")}))

    assert (one.part, one.what, one.cases) == (TOLD, "It", 3)
    assert one.value == pytest.approx(2 / 3)
    assert 0 < one.low < one.value < one.high < 1


def test_a_figure_of_no_deal_is_not_told() -> None:
    """Where no deal was one of those that count, there is nothing to tell."""
    tally = MatchTally(1, 1, 1, told={("it", ""): CaseSums(Sums())})

    assert list(figures(tally, {("it", ""): ("It", "deal")})) == []


# Commands -------------------------------------------------------------------------------------------------------------


def test_simulate_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """The table names rules, matches, deals and seed, then each figure with its interval."""
    assert main(["simulate", "homme-d-auvergne:2", "-n", "2", "--seed", "7"]) == 0
    shown = capsys.readouterr().out

    name, game = "homme-d-auvergne:2", "homme-d-auvergne"
    tally = _sorted(simulate(choose(name), merge_weights(game, {}), [7, 8]))
    assert shown == table("homme-d-auvergne@1665:2", tally, 7, name_figures(rules(name), conduct(game).tellings))
    assert shown.startswith("homme-d-auvergne@1665:2: 2 matches, ")
    assert "result " in shown


def _sorted(tally: MatchTally) -> MatchTally:
    tally.settle()
    return tally


def test_simulate_writes_json_and_svg(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One document with an entry a rule base, and a drawing with a bar for every share that is told first."""
    picture = tmp_path / "shares.svg"
    assert main(["simulate", "homme-d-auvergne@1718:2", "-n", "2", "--json", "--svg", str(picture)]) == 0
    document = json.loads(capsys.readouterr().out)
    entry = document["games"][0]

    assert (entry["rules"], entry["matches"]) == ("homme-d-auvergne@1718:2", 2)
    assert main(["simulate", "--schema"]) == 0
    _fits(document, json.loads(capsys.readouterr().out))
    svg = ET.fromstring(picture.read_text(encoding="utf-8"))  # noqa: S314 - our own drawing
    shares = [one for one in entry["figures"] if one["share"] and one["part"] == TOLD]
    assert len(svg.findall(".//{*}rect")) == len(shares) + 1


def _fits(document: Any, schema: Any) -> None:
    import jsonschema_rs  # noqa: PLC0415 - for this alone

    jsonschema_rs.validator_for(schema).validate(document)


@pytest.mark.slow
def test_processes_make_no_difference(capsys: pytest.CaptureFixture[str]) -> None:
    """With several processes the figures are the same."""
    shown = []
    for jobs in ("1", "2"):
        assert main(["simulate", "homme-d-auvergne:2", "-n", "4", "--jobs", jobs]) == 0
        shown.append(capsys.readouterr().out)

    assert shown[0] == shown[1]


@pytest.mark.parametrize("weight", ["claim", "fly=1", "claim=nobody(me)", "claim=True"])
def test_a_weight_that_says_nothing_is_refused(weight: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A weight without a value, of no action, or that is no number is bad input, and is told so."""
    assert main(["simulate", "brouc@2022", "-n", "1", "--weigh", weight]) == 2
    assert capsys.readouterr().err.startswith("brou: ")


def test_a_weight_that_concerns_no_rules_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """However many rule bases are played: a slip of the pen must not play without it."""
    assert main(["simulate", "brouc", "-n", "1", "--weigh", "clam=1"]) == 2
    assert "did you mean 'claim'?" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_told_before_the_play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for matches that come to nothing."""
    monkeypatch.setattr("brou_tools.simulate.command.play_seeds", None)
    assert main(["simulate", "brouc", "--svg", "/no/such/file.svg"]) == 2
    assert capsys.readouterr().err.startswith("brou: /no/such/file.svg: No such file or directory")


def test_bars_of_several_rule_bases_stand_below_each_other() -> None:
    """Each rule base has its heading and, where nothing is told first, a bar for every share."""
    tally = tallied([(5, 10), (10, 10)], share=True)
    svg = ET.fromstring(bars([("one", list(figures(tally))), ("two", list(figures(tally)))]))  # noqa: S314 - our own

    heads = [text.text for text in svg.findall(".//{*}text") if text.get("font-weight") == "bold"]
    widths = [float(rect.get("width", "0")) for rect in svg.findall(".//{*}rect")][1:]
    assert heads == ["one", "two"]
    assert widths == [pytest.approx(0.75 * 420)] * 2


# Perft ----------------------------------------------------------------------------------------------------------------


def slowly(machine: Machine, state: Any, depth: int) -> int:
    """Count sequences with the interpreter, act by act as they go over the wire."""
    if not depth:
        return 1
    found = 0
    for seat in range(machine.game.seats):
        for act in spelt(machine, machine.legal(state, seat)):
            after = machine.act(state, seat, act)
            assert not isinstance(after, Refusal)
            found += slowly(machine, after, depth - 1)
    return found


def spelt(machine: Machine, legal: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every act that is open, those that would order a pack left out."""
    acts: list[dict[str, Any]] = []
    for name, offered in legal.items():
        if isinstance(offered, list):
            acts += [{name: value} for value in offered]
        elif "from" in offered:
            sizes = range(max(offered["min"], 0), min(offered["max"], len(offered["from"])) + 1)
            acts += [{name: list(cards)} for size in sizes for cards in combinations(offered["from"], size)]
        elif set(offered) == {"min", "max"}:
            acts += [{name: number} for number in range(offered["min"], offered["max"] + 1)]
        else:
            assert any(isinstance(rule, dict) and "order" in rule for rule in offered.values()), machine.game.id
    return acts


@pytest.mark.sampled(6)
@pytest.mark.slow
@pytest.mark.parametrize("choice", choices(GAMES), ids=str)
def test_counts_are_those_of_the_interpreter(choice: Any) -> None:
    """From a deal, and from the middle of one, as many sequences of two acts are counted as the interpreter finds."""
    counter = Counter(choice)
    machine = counter.engine.machine
    for after in (0, 9):
        start = dealt(machine, 3)
        state, acts = counter.position(start, 3, after)
        there = begin(machine, start)
        for act in acts:
            seat, made = act["by"], act["act"]
            assert isinstance(seat, int)
            assert isinstance(made, dict)
            following = machine.act(there, seat, made)
            assert not isinstance(following, Refusal)
            there = following
        assert counter.count(state, 2) == slowly(machine, there, 2)


def test_divided_counts_add_up() -> None:
    """What begins with each act comes to the whole."""
    counter = Counter(choose("hombre"))
    state, _ = counter.position(dealt(counter.engine.machine, 1))
    divided = list(counter.divide(state, 3))

    assert len(divided) == counter.count(state, 1)
    assert sum(count for _, _, count in divided) == counter.count(state, 3)


def test_chosen_subsets_are_counted_one_by_one() -> None:
    """From L'Hombre's talon the first hand may take nought to nine cards, or as many as there are: every way counts."""
    counter = Counter(choose("hombre"))
    state, chance = counter.position(dealt(counter.engine.machine, 1))[0], Chance(2)
    while "discard" not in {name for _, name, _ in counter.acts(state)}:
        made = pick_act(counter.engine, state, chance)
        assert made is not None
        counter.engine.play(state, made[1], made[0], made[2])
    bounds, *_ = counter.engine.bounds(state, as_number(counter.engine.get(state, "turn")), "discard")
    assert bounds[0] == "subsets"
    _, cards, low, high = bounds
    ways = sum(math.comb(cards.bit_count(), size) for size in range(low, min(high, cards.bit_count()) + 1))

    assert [name for _, name, _ in counter.acts(state)].count("discard") == ways


def test_perft_prints_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """A line a seed with the counts of each depth; as JSON with the start and the acts that lead there."""
    words = ["perft", "homme-d-auvergne:2", "--depth", "2", "--seed", "1", "--seed", "2", "--after", "3"]
    assert main(words) == 0
    shown = capsys.readouterr().out.splitlines()
    assert main([*words, "--json", "--divide"]) == 0
    document = json.loads(capsys.readouterr().out)
    entry = document["games"][0]

    assert shown[0] == "homme-d-auvergne@1665:2"
    assert [line.split(": ")[0] for line in shown[1:]] == ["  seed 1 after 3 acts", "  seed 2 after 3 acts"]
    for line, position in zip(shown[1:], entry["positions"], strict=True):
        assert line.split(": ")[1] == " ".join(map(str, position["counts"]))
        assert sum(position["divide"].values()) == position["counts"][-1]
        assert len(position["acts"]) == 3
    assert main(["perft", "--schema"]) == 0
    _fits(document, json.loads(capsys.readouterr().out))


def test_perft_ends(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts that would take too long, sequences that are too long and too many acts before are refused in words."""
    monkeypatch.setattr(counting, "MOST", 50)
    assert main(["perft", "brouc", "--depth", "4"]) == 2
    assert "more than 50 acts to be counted; choose a lesser depth" in capsys.readouterr().err
    assert main(["perft", "brouc", "--depth", "500"]) == 2
    assert "sequences of 500 acts; count those of 100 at most" in capsys.readouterr().err
    assert main(["perft", "brouc", "--after", "1000000000"]) == 2
    assert "no match is followed for more than" in capsys.readouterr().err


def test_matches_that_do_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that goes on and on is left, and the table says so."""
    monkeypatch.setattr(simulating, "LONGEST", 20)
    tally = simulate(choose("brusquembille"), {}, range(2))

    assert tally.unfinished == 2
    assert "2 unfinished: stuck, or longer than" in table("brusquembille", tally, 0)


@pytest.mark.parametrize("words", [["-n", "0"], ["--seed", "x"], ["--jobs", "0"]])
def test_numbers_that_are_none_are_refused(words: list[str]) -> None:
    """A number of matches, a seed or a number of processes that is none is a fault of usage."""
    with pytest.raises(SystemExit) as end:
        main(["simulate", *words])

    assert end.value.code == 2
