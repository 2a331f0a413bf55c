"""What written code takes for granted: cards one by one, piles, and how it crashes.

A card is a word with one bit, a set of cards a word, a pile a tuple of cards.
"""

from __future__ import annotations

from typing import NoReturn

from brou.errors import BrokenPromise
from brou.language.types import UNBOUNDED


def crash(says: str) -> NoReturn:
    """Stop, because the rules broke a promise."""
    raise BrokenPromise(says)


def cards_in(cards: int) -> list[int]:
    """Return the cards of a set, in the order of the pack."""
    found = []
    while cards:
        card = cards & -cards
        found.append(card)
        cards ^= card
    return found


def lowest(cards: int) -> int:
    """Return the first card of a set, or nothing."""
    return cards & -cards


def stack(cards: int) -> tuple[int, ...]:
    """Return the cards of a set as a pile, in the order of the pack."""
    return tuple(cards_in(cards))


def spread(pile: tuple[int, ...]) -> int:
    """Return the cards of a pile as a set."""
    cards = 0
    for card in pile:
        cards |= card
    return cards


def top(pile: tuple[int, ...]) -> int:
    """Return the first card of a pile, or nothing."""
    return pile[0] if pile else 0


def bottom(pile: tuple[int, ...]) -> int:
    """Return the last card of a pile, or nothing."""
    return pile[-1] if pile else 0


def cut(pile: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return a pile with its top cards put under the rest."""
    return pile[count:] + pile[:count] if 0 < count < len(pile) else pile


def bounded(number: int) -> int:
    """Return a number; beyond what any type allows it is a crash."""
    return number if abs(number) <= UNBOUNDED else crash(f"a number beyond {UNBOUNDED}")


def best(numbers: dict[int, int], cards: int) -> int:
    """Return the first card of a set with the greatest number, or nothing."""
    found = cards & -cards
    if found == cards:
        return found
    most = numbers[found]
    cards ^= found
    while cards:
        card = cards & -cards
        cards ^= card
        if numbers[card] > most:
            found, most = card, numbers[card]
    return found


def peak(numbers: dict[int, int], cards: int, default: int) -> int:
    """Return the greatest number of any card of a set, or the default for none."""
    return numbers[best(numbers, cards)] if cards else default


def floor(numbers: dict[int, int], cards: int, default: int) -> int:
    """Return the least number of any card of a set, or the default for none."""
    return min([numbers[card] for card in cards_in(cards)]) if cards else default


def total(numbers: dict[int, int], cards: int) -> int:
    """Return the sum of the numbers of a set."""
    found = 0
    while cards:
        card = cards & -cards
        found += numbers[card]
        cards ^= card
    return found
