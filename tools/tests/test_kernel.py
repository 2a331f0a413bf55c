"""The kernels by hand play the games of the rules: the same cards are legal, and the same comes of random play."""

from __future__ import annotations

import math
from typing import Any

import pytest

from brou import Chance, choose
from brou.native.shared_object import find_compiler
from brou_tools.bench.engines import SkippedRow
from brou_tools.bench.kernel import Kernel, compare_kernel, find_kernel
from brou_tools.matches.plan import MatchPlan, play_seeds
from brou_tools.matches.policy import Players, weights

#: The games that somebody has written, the acts that nobody makes so that cards alone are played, the figure of a vole.
GAMES = {
    "brouc": ({"announce": "0", "claim": "0", "declare": "0"}, "cape"),
    "homme-de-brou": ({"announce": "0", "claim": "0", "declare": "0", "stop": "0"}, "vole"),
}
#: The ranks as the kernel has them, from the lowest; any order of suits would do.
RANKS, SUITS = "789JQKTA", "SHDC"
#: How many standard errors two means may lie apart.
APART = 4

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


def open_kernel(game: str) -> Kernel:
    """Return the kernel of a game."""
    found = find_kernel(game)
    assert found is not None
    return found


def bit(card: str) -> int:
    """Return a card as the kernel has it."""
    return 1 << (8 * SUITS.index(card[-1]) + RANKS.index(card[0]))


def bits(cards: list[str]) -> int:
    """Return some cards."""
    return sum(map(bit, cards))


def suit(name: str) -> int:
    """Return all cards of a suit."""
    return 0xFF << 8 * SUITS.index(name)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_same_cards_may_be_played(game: str) -> None:
    """Whoever is on turn in twenty random deals has the same legal cards in the kernel as in the rules."""
    kernel, (silent, _) = open_kernel(game), GAMES[game]
    players, chance = Players(choose(game), weights(silent)), Chance(5)
    engine, tried, bound = players.engine, 0, 0
    state = engine.begin()
    while tried < 20 * 32:
        view: Any = engine.view(state, 0)
        turn, table = view["turn"], [laid["card"] for laid in view["trick"]]
        if turn is not None:
            own: Any = engine.view(state, turn)
            open_: Any = engine.legal(state, turn)
            hand, offered = own["hand"], open_.get("play", [])
            led = suit(table[0][-1]) if table else 0
            assert kernel.find_legal(bits(hand), bits(table), led, suit(view["trump"])) == bits(offered)
            tried += 1
            bound += len(offered) < len(hand)
        made = players.pick(state, chance)
        if made is None:
            state = engine.begin()
        else:
            engine.play(state, made[1], made[0], made[2])
    assert bound > tried / 4


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_random_play_comes_to_the_same(game: str) -> None:
    """The points of the side that leads first and the share of voles differ from a simulation by chance alone."""
    silent, vole = GAMES[game]
    kernel = open_kernel(game).play(3, 200_000)
    tally = play_seeds(MatchPlan(choose(game), tuple(silent.items())), range(300))
    points, voles = tally.told["points", ""], tally.told[vole, ""]
    share = kernel.voles / kernel.deals
    error = math.sqrt(share * (1 - share) * (1 / kernel.deals + 1 / voles.count))

    assert voles.count > 10_000
    # The points of a side spread over no more than the 120 of the pack; half of that is the most they deviate.
    assert points.sums.value / points.count == pytest.approx(
        kernel.points / kernel.deals, abs=APART * 60 / math.sqrt(points.count)
    )
    assert abs(share - voles.sums.value / voles.count) < APART * error


def test_a_game_without_a_kernel_says_so() -> None:
    """Its row is passed over with the reason."""
    row = next(compare_kernel("hombre"))
    assert isinstance(row, SkippedRow)
    assert row.reason == "nobody has written this game by hand"
