"""How often readings part in random deals: what is counted, and in what words."""

from __future__ import annotations

from functools import partial

import pytest

from brou import book, catalogue, choose, house
from brou.compiler.compiled import Compiled
from brou.native.shared_object import find_compiler
from brou_tools.ambiguities import frequency
from brou_tools.ambiguities.frequency import ReadingCount, count_beside, count_partings, hash_counted
from brou_tools.ambiguities.rates import tell_rate
from brou_tools.questions.compatible import pair_readings
from brou_tools.questions.register import Frequency, Rate, interval, read_shaped
from brou_tools.situation.edition import Matter
from brou_tools.terminal.workers import work

BROUC = choose("brouc")
needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


@pytest.mark.slow
def test_a_claim_that_nobody_makes_parts_nothing() -> None:
    """Whether a claim may be made inside a trick matters where somebody could claim rightly, not in every deal."""
    found = count_partings("homme-de-brou", house(), "1802", 60, keys=["claim_window"])["claim_window"]

    assert found.deals == 60
    assert 0 < found.parted < 40


@pytest.mark.slow
def test_a_reading_of_the_score_parts_when_it_is_written() -> None:
    """Rounding cards first or all at once gives another account in some deals, and not in most."""
    found = count_partings("brouc", house(), "2022", 60, keys=["rounding_order"])["rounding_order"]

    assert 0 < found.parted < 30


@pytest.mark.slow
def test_what_follows_a_deal_is_counted_with_it() -> None:
    """Who deals after a partie parts at its end, and in no other deal."""
    found = count_partings("homme-de-brou", house(), "1802", 60, keys=["dealer_rotation"])["dealer_rotation"]

    assert 5 < found.parted < 30


@pytest.mark.slow
def test_another_pack_parts_every_deal() -> None:
    """Readings that leave out other cards part in the first deal as in the last of each match."""
    found = count_partings("brusquembille", house(), "1718", 30, ["3"], ["removed_sevens"])["removed_sevens"]

    assert found.parted == found.deals == 30


@pytest.mark.slow
def test_set_ups_are_counted_together() -> None:
    """Deals of several set-ups add up; where a reading cannot be chosen they do not count."""
    alone = [
        count_partings("homme-d-auvergne", house(), "1725", 8, [setup], ["draw_order"])["draw_order"]
        for setup in ("2", "5")
    ]
    both = count_partings("homme-d-auvergne", house(), "1725", 8, ["2", "5"], ["draw_order"])["draw_order"]
    ties = count_partings("brusquembille", house(), "1718", 2, ["2", "3"])

    assert (both.deals, both.parted) == (16, sum(one.parted for one in alone))
    assert both.parted > 0
    assert count_partings("brusquembille", house(), "1718", 2, ["2"]).keys() < ties.keys()
    assert all(one.deals in (2, 4) for one in ties.values())


def test_a_reading_is_compared_with_rules_that_differ_in_it_alone() -> None:
    """A value that needs another reading changed stands beside rules in which that one is changed as well."""
    for base, others in pair_readings(choose("brouc@club-2026")).items():
        for key, other in others:
            assert {name for name, value in other.readings if dict(base.readings)[name] != value} == {key}


@pytest.mark.slow
def test_a_count_is_reproducible() -> None:
    """The same number of deals gives the same count, whichever readings are counted beside."""
    whole = count_partings("homme-d-auvergne", house(), "1725", 10, ["2"])
    alone = count_partings("homme-d-auvergne", house(), "1725", 10, ["2"], ["show_before_call"])

    assert whole["show_before_call"] == alone["show_before_call"]
    assert whole["show_before_call"].deals == 10 > whole["show_before_call"].parted > 0


@pytest.mark.thorough
@needs_compiler
def test_engines_in_c_count_the_same() -> None:
    """The counts are those of generated Python, reading by reading, where several values of one reading part too.

    The test below compares both ways with few deals of another game.
    """
    base, others = next(iter(pair_readings(choose("homme-d-auvergne@1665:2")).items()))
    found = count_beside(base, others, 150, native=True)

    assert found == count_beside(base, others, 150, native=False)
    assert sum(0 < one.parted < one.deals == 150 for one in found.values()) >= 3


@needs_compiler
@pytest.mark.slow
def test_readings_with_other_cards_are_counted_beside_engines_in_c() -> None:
    """Their states have another form, so generated Python counts them; the others are counted in C all the same."""
    base, others = next(iter(pair_readings(choose("brusquembille@1718:3")).items()))
    found = count_beside(base, others, 20, native=True)

    assert found["removed_sevens"] == ReadingCount(deals=20, parted=20)
    assert found == count_beside(base, others, 20, native=False)


@needs_compiler
@pytest.mark.slow
def test_readings_with_other_cards_are_counted_in_fewer_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated Python is slow: it counts a bounded number of deals, and the result says how many."""
    monkeypatch.setattr(frequency, "MOST_GENERATED", 15)
    base, others = next(iter(pair_readings(choose("brusquembille@1718:3")).items()))
    found = count_beside(base, others, 20, native=True)

    assert found.pop("removed_sevens") == ReadingCount(deals=15, parted=15)
    assert {one.deals for one in found.values()} == {20}


@pytest.mark.slow
def test_processes_change_no_count() -> None:
    """What is compared with each rule base is a part of the work, whoever does it."""
    words = ("homme-d-auvergne", house(), "1725", 4, ["2", "3"], ["draw_order", "show_before_call"])
    assert count_partings(*words, share=partial(work, 2)) == count_partings(*words)


@pytest.mark.parametrize("game", catalogue())
def test_stored_counts_are_of_these_rules(game: str) -> None:
    """Every edition was counted with its present rules, readings and conduct."""
    node = read_shaped(game, house(), "frequencies")
    kept = node and node.get("rules")
    assert kept is not None
    hashes = {edition: said.text for edition, said in kept.fields.items()}

    assert hashes == {edition: hash_counted(game, house(), edition) for edition in book(game, house()).editions}


def test_a_fault_is_no_parting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong while deals are played ends the count."""

    def crash(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Compiled, "score", crash)
    with pytest.raises(ZeroDivisionError):
        count_partings("brusquembille", house(), "1718", 2, ["2"])


def rate(parted: int, deals: int) -> Rate:
    """Return a count as reports have it."""
    return Frequency("1", parted, deals, *interval(parted, deals)).rate


def test_rates_are_told_in_every_language() -> None:
    """A share with its interval, in hundredths, as each language writes numbers."""
    assert (
        tell_rate(rate(62, 2000), Matter(BROUC, "en"))
        == "makes a difference in 3.1 % of 2,000 random deals (2.4 to 4.0)"
    )
    assert "3,1 %" in tell_rate(rate(62, 2000), Matter(BROUC, "fr"))
    assert "(2,4 bis 4,0)" in tell_rate(rate(62, 2000), Matter(BROUC, "de"))


def test_what_never_parted_is_bounded() -> None:
    """No parting in so many deals tells below which share it must lie."""
    assert tell_rate(rate(0, 2000), Matter(BROUC, "en")) == "made no difference in 2,000 random deals (below 0.19 %)"
    assert (
        tell_rate(rate(0, 10_000_000), Matter(BROUC, "en"))
        == "made no difference in 10,000,000 random deals (below 0.000038 %)"
    )
    assert (
        tell_rate(rate(3, 2000), Matter(BROUC, "en"))
        == "makes a difference in 0.15 % of 2,000 random deals (0.05 to 0.44)"
    )
