"""Chance: the published vectors of the generator, and draws and shuffles worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from brou.chance import Chance

#: The published first words of splitmix64 for the seed 1234567.
WORDS = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]


def test_words() -> None:
    """The generator is splitmix64."""
    chance = Chance(1234567)

    assert [chance.word() for _ in WORDS] == WORDS


def test_seed_has_64_bits() -> None:
    """Seeds that agree in their low 64 bits give the same words."""
    assert Chance(7).word() == Chance(7 + 2**64).word() == Chance(7 - 2**64).word()


def test_below() -> None:
    """A number below a bound is the remainder of a word."""
    chance = Chance(1234567)

    assert [chance.below(10) for _ in WORDS] == [7, 3, 3, 1, 1]


def test_rejection() -> None:
    """Words at or above the greatest multiple of the bound are skipped: here the third and the fifth."""
    chance = Chance(1234567)
    bound = 2**63 + 1

    assert [chance.below(bound) for _ in range(3)] == [WORDS[0], WORDS[1], WORDS[3]]


@pytest.mark.parametrize("bound", [1, 2, 2**32, 2**64])
def test_powers_of_two_reject_nothing(bound: int) -> None:
    """A bound that divides two to the 64th uses every word."""
    chance = Chance(1234567)

    assert [chance.below(bound) for _ in WORDS] == [word % bound for word in WORDS]


def test_shuffle() -> None:
    """A shuffle swaps from the last place down: by 2 of 5, 1 of 4, 0 of 3 and 1 of 2, the remainders of the words."""
    assert Chance(1234567).shuffle("abcde") == ["e", "d", "a", "b", "c"]


def test_shuffle_uses_a_word_a_place() -> None:
    """A shuffle of n things draws n - 1 words, and of one thing none."""
    chance = Chance(1234567)
    chance.shuffle(["only"])
    chance.shuffle(range(5))

    assert chance.word() == WORDS[4]


def test_shuffle_leaves_its_argument() -> None:
    """A shuffle gives a new list."""
    items = [1, 2, 3, 4, 5]
    Chance(1234567).shuffle(items)

    assert items == [1, 2, 3, 4, 5]


def test_pick() -> None:
    """A pick takes the place that the next word gives."""
    assert Chance(1234567).pick("abcdefghij") == "h"


def test_every_order_is_reached() -> None:
    """All orders of three things come up about equally often."""
    chance = Chance(1)
    found = Counter("".join(chance.shuffle("abc")) for _ in range(6000))

    assert sorted(found) == ["abc", "acb", "bac", "bca", "cab", "cba"]
    assert all(850 < number < 1150 for number in found.values())


def plain_words(seed: int) -> Iterator[int]:
    """Yield the words of splitmix64 one by one, as it is published."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
        yield mixed ^ (mixed >> 31)


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_blocks_of_words_follow_each_other(seed: int) -> None:
    """Words that are mixed side by side are those that are mixed one by one, over several blocks."""
    chance = Chance(seed)

    assert [chance.word() for _ in range(200)] == list(islice(plain_words(seed), 200))


def test_a_shuffle_skips_words_as_a_draw_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that is too great for one place of a shuffle is skipped, and the next one taken for that place."""
    most = 2**64 - 1
    blocks = iter([(most, 5, 7, most, most, 1, 9, 4)])
    monkeypatch.setattr("brou.chance._mix_block", lambda _: next(blocks))
    chance = Chance(1)

    # Of 5 places the last word is too great by one; of 4, a power of two, none is; of 3 it is again.
    assert chance.shuffle("abcde") == shuffled_by("abcde", [5 % 5, 7 % 4, 1 % 3, 9 % 2])
    assert chance.word() == 4


def shuffled_by(items: str, places: list[int]) -> list[str]:
    """Return items after the last, the last but one ... is exchanged with what lies in some places."""
    pile = list(items)
    for top, other in zip(range(len(pile) - 1, 0, -1), places, strict=True):
        pile[top], pile[other] = pile[other], pile[top]
    return pile
