"""Copies of a card that nobody can tell apart: cards of their own inside, one face outside.

A card is two letters, its face. The second copy and those after it bear a number behind them, which nothing outside
has: a face there means the first copy that fits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

_LETTERS = 2


def find_face(card: str) -> str:
    """Return the face of a card: its two letters, without the number of the copy."""
    return card[:_LETTERS]


def is_copy(card: str) -> bool:
    """Say whether a card is another copy than the first."""
    return find_face(card) != card


def list_copies(face: str, copies: int) -> tuple[str, ...]:
    """Return the copies of a face, the first one by its letters alone."""
    return (face, *(f"{face}{number}" for number in range(2, copies + 1)))


def pick_copies(faces: Iterable[str], among: Iterable[str]) -> tuple[str, ...] | None:
    """Return a card for each face, the first ones among some that are not taken yet; None if there are too few."""
    free: dict[str, list[str]] = defaultdict(list)
    for card in among:
        free[find_face(card)].append(card)
    picked = tuple(free[face].pop(0) if free[face] else None for face in faces)
    found = tuple(card for card in picked if card is not None)
    return found if len(found) == len(picked) else None
