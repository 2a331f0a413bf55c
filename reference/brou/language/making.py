"""The interface with which built-in functions build terms of the compiler.

It is all that a built-in knows of the compiler; `brou.compiler.lower_builtins` implements it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NoReturn, Protocol, TypeAlias, TypeVar

from brou.language.types import Type, Value

#: What a term of the compiler is: nobody here knows more of it.
Part = TypeVar("Part")

Meaning: TypeAlias = Callable[..., Value]
#: How two numbers can compare.
Order: TypeAlias = Literal["<", "<=", ">", ">="]


class Core(Protocol[Part]):
    """Makes terms of the lowered form (docs/lowered.md): what a built-in is compiled to."""

    def number(self, value: int) -> Part:
        """Return a number that stands fast."""

    def lookup(self, gives: Type, table: str, place: Part) -> Part:
        """Return what a table of the game has at a place; a seat, a suit and the like are places.

        The tables are `suit_set` and `rank_set` (the cards of a suit or a rank, none for an absent one), `card` (by
        rank, and within it by suit), for each attribute `..._from` (the cards with so high a number, from its least one
        on, where they are not too many), and one for each `Tabled` built-in, named like it (`next`, `team` ...).
        """

    def trait(self, gives: Type, table: str, card: Part) -> Part:
        """Return what a table of the game has for a card: `suit`, `rank`, or an attribute by its name."""

    def add(self, one: Part, two: Part) -> Part:
        """Return a sum."""

    def subtract(self, one: Part, two: Part) -> Part:
        """Return a difference."""

    def multiply(self, one: Part, two: Part) -> Part:
        """Return a product."""

    def least(self, one: Part, two: Part) -> Part:
        """Return the smaller number."""

    def most(self, one: Part, two: Part) -> Part:
        """Return the greater number."""

    def magnitude(self, number: Part) -> Part:
        """Return a number without its sign."""

    def span(self, gives: Type, low: Part, high: Part) -> Part:
        """Return the numbers from one to another, both included."""

    def compare(self, order: Order | Literal["==", "!="], one: Part, two: Part) -> Part:
        """Return how two values compare; only numbers have an order."""

    def no(self, truth: Part) -> Part:
        """Return the contrary."""

    def both(self, *truths: Part) -> Part:
        """Return whether all hold, from left to right and no further than needed."""

    def either(self, *truths: Part) -> Part:
        """Return whether one holds, from left to right and no further than needed."""

    def choose(self, test: Part, yes: Part, no: Part) -> Part:
        """Return one of two values; the other one is not evaluated."""

    def let(self, value: Part, body: Callable[[Part], Part]) -> Part:
        """Return a body with a value that is evaluated once, before it."""

    def common(self, one: Part, two: Part) -> Part:
        """Return the cards that two sets have in common."""

    def union(self, one: Part, two: Part) -> Part:
        """Return the cards of both sets."""

    def without(self, one: Part, two: Part) -> Part:
        """Return the cards of one set that are not in the other."""

    def some(self, cards: Part) -> Part:
        """Return whether a set has any card."""

    def size(self, cards: Part) -> Part:
        """Return how many cards a set has."""

    def length(self, values: Part) -> Part:
        """Return how many cards a pile has, or how many values there are."""

    def top(self, pile: Part) -> Part:
        """Return the first card of a pile, or none."""

    def bottom(self, pile: Part) -> Part:
        """Return the last card of a pile, or none."""

    def cut(self, pile: Part, count: Part) -> Part:
        """Return the pile with its top cards put under the rest."""

    def spread(self, pile: Part) -> Part:
        """Return the cards of a pile as a set."""

    def absent(self, value: Part) -> Part:
        """Return whether a value that may be None is None."""

    def present(self, value: Part) -> Part:
        """Return a value as one that is there, where that has been tested."""

    def is_none(self, value: Part) -> bool:
        """Say whether a value is None for certain."""

    def is_optional(self, value: Part) -> bool:
        """Say whether a value may be None."""

    def is_simple(self, value: Part) -> bool:
        """Say whether a value is as cheap as a local, so that it may stand twice."""

    def is_total(self, value: Part) -> bool:
        """Say whether a value cannot crash, so that it need not be evaluated."""

    def refuse(self, why: str) -> NoReturn:
        """Give up."""
