"""Figures of `brou simulate` beside a count by hand: the tricks of one match, laid out and marked by a reader.

Whoever doubts a figure can lay these cards on a table. Brouc says: king and queen of one suit in one trick are
a marriage on the table; the jack with them makes it worth more, and king and queen of two suits are none.
"""

from __future__ import annotations

import pytest

from brou import Chance, choose
from brou_tools.matches.plan import MatchPlan, play_seeds
from brou_tools.matches.policy import Players, conduct

#: The seed of the match, the shortest of the first sixty.
SEED = 12
#: Its deals, trick by trick in the order of play. A star marks a trick with king and queen of one suit, set by hand.
#: The third deal ends with a claim that is right.
LAID_OUT = """
8S 9S AS TS, 8C QC 7C JC, JH KH 7H TH, JS KS 7S JD, 8H 9H TD AH, TC 8D AC KC, QD 9D KD 7D*, AD QS QH 9C
QH JH TH KH*, 8S AS 8H 9S, 9D JD 8C KD, JC 9C AH QC, KC 7C TS TD, 7D 7H QS QD, JS 9H AC 7S, 8D AD TC KS
9D 8D 7D KD, TH 8H 7H AH, 8S JC QS AS, QC TC 7C AC, TS KC 9S JS, 9H KH QD KS, QH AD 9C JH
7D QD AD TD, AC 9C 8C TS, QC TC 7C QS, 7H TH 8H 9D, KS 8S 7S AS, JH JD KH JC, 9H 8D AH 9S, QH JS KD KC
AC JC 9C KC, KD AD 7D 8D, JS 8S KS QS*, JH 7H KH 8H, TS TC AS 9S, QH TH 8C AH, 7C 9H QC 9D, QD JD TD 7S
8C KC AC TC, AH 8H JH 7H, 9S QS KS JC*, JD TD AD 9C, TS 8S KD 9D, 7S JS 7C KH
"""
#: Deals in which somebody announced a marriage, and deals that began with a call, counted in the same record.
ANNOUNCED, CALLED = 6, 1

BROUC = choose("brouc@2022")
DEALS = [line.split(", ") for line in LAID_OUT.split("\n") if line]


def test_the_match_is_the_one_that_was_laid_out() -> None:
    """Every card falls as it lies on the table, deal by deal."""
    players = Players(BROUC, conduct(BROUC.game, BROUC.project).acts)
    engine, chance = players.engine, Chance(SEED)
    state, deals = engine.begin(), list[list[str]]()
    while (made := players.pick(state, chance)) is not None:
        name, seat, values = made
        if name == "deal":
            deals.append([])
        elif name == "play":
            assert isinstance(values[0], int)
            deals[-1].append(players.game.deck.cards[values[0].bit_length() - 1])
        engine.play(state, seat, name, values)

    assert deals == [" ".join(tricks).replace("*", "").split() for tricks in DEALS]


@pytest.mark.slow
@pytest.mark.parametrize("native", [False, True])
def test_marriages_are_counted_as_by_hand(native: bool) -> None:
    """So many deals have a marriage on the table, and so many marriages lie there, as a reader has marked."""
    tally = play_seeds(MatchPlan(BROUC), range(SEED, SEED + 1), native=native)
    marked = [sum(trick.endswith("*") for trick in tricks) for tricks in DEALS]

    assert (tally.told["tabled", ""].sums.value, tally.told["tabled", ""].count) == (sum(map(bool, marked)), len(DEALS))
    assert tally.told["tabled_number", ""].sums.value == sum(marked)
    assert tally.told["announced", ""].sums.value == ANNOUNCED
    assert tally.told["called", ""].sums.value == CALLED
    assert 0 < sum(map(bool, marked)) < len(DEALS)
