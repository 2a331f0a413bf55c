"""Domains of parameters: the values that a parameter of an act ranges over, listed or described."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from brou.dataclass import dataclass
from brou.errors import Crash
from brou.interpreter.evaluate import Evaluator
from brou.language.codec import Json, writer
from brou.language.copies import find_face, pick_copies
from brou.language.operations import MeaningOf
from brou.language.syntax import Deck, Parameter
from brou.language.types import CARDS, Locals, Orders, Subsets, Type, Value, Values, as_cards, as_name, as_row


@dataclass(frozen=True, slots=True)
class ListedDomain:
    """Values in order; moves list them, and of numbers in a row they name the least and the greatest."""

    type: Type
    held: MeaningOf[Collection[Value]]
    members: MeaningOf[Sequence[Value]]
    ranged: bool

    def has(self, s: Values, e: Locals, value: Value) -> bool:
        """Say whether a value is one of them."""
        return value in self.held(s, e)

    def has_any(self, s: Values, e: Locals) -> bool:
        """Say whether there is any value."""
        return bool(self.held(s, e))

    def list_values(self, s: Values, e: Locals) -> Sequence[Value]:
        """Return the values in order."""
        return self.members(s, e)

    def pick(self, s: Values, e: Locals, value: Value, deck: Deck) -> Value:
        """Return the first of them that is written like a value, or else the value itself."""
        write = writer(self.type, deck)
        written = write(value)
        return next((one for one in self.members(s, e) if write(one) == written), value)

    def description(self, s: Values, e: Locals, deck: Deck) -> Json:
        """Return how moves describe the values."""
        write, values = writer(self.type, deck), self.members(s, e)
        if self.ranged:
            return {"min": write(values[0]), "max": write(values[-1])}
        return write_once(map(write, values))


@dataclass(frozen=True, slots=True)
class Ordering:
    """Every order of some cards."""

    cards: MeaningOf[frozenset[str]]

    def has(self, s: Values, e: Locals, value: Value) -> bool:
        """Say whether a pile has just these cards."""
        cards = self.cards(s, e)
        return isinstance(value, tuple) and len(value) == len(cards) and frozenset(value) == cards

    def has_any(self, s: Values, e: Locals) -> bool:
        """Say whether there is any order, as there always is."""
        return True

    def list_values(self, s: Values, e: Locals) -> Sequence[Value]:
        """Refuse to list them."""
        raise Crash("orders of cards are described and never listed")

    def pick(self, s: Values, e: Locals, value: Value, deck: Deck) -> Value:
        """Return a pile of these cards that is written like one of any copies, or else that pile itself."""
        return _pick_cards(as_row(value), self.cards(s, e), deck) or value

    def description(self, s: Values, e: Locals, deck: Deck) -> Json:
        """Return how moves describe the orders."""
        return {"order": writer(CARDS, deck)(self.cards(s, e))}


@dataclass(frozen=True, slots=True)
class SubsetDomain:
    """Every choice of so many out of some cards."""

    bounds: MeaningOf[tuple[frozenset[str], int, int]]

    def has(self, s: Values, e: Locals, value: Value) -> bool:
        """Say whether a set of cards is such a choice."""
        cards, low, high = self.bounds(s, e)
        return isinstance(value, frozenset) and value <= cards and low <= len(value) <= high

    def has_any(self, s: Values, e: Locals) -> bool:
        """Say whether the bounds leave a choice."""
        cards, low, high = self.bounds(s, e)
        return max(low, 0) <= min(high, len(cards))

    def list_values(self, s: Values, e: Locals) -> Sequence[Value]:
        """Refuse to list them."""
        raise Crash("choices of cards are described and never listed")

    def pick(self, s: Values, e: Locals, value: Value, deck: Deck) -> Value:
        """Return a set of these cards that is written like one of any copies, or else that set itself."""
        picked = _pick_cards(tuple(as_cards(value)), self.bounds(s, e)[0], deck)
        return value if picked is None else frozenset(picked)

    def description(self, s: Values, e: Locals, deck: Deck) -> Json:
        """Return how moves describe the choices."""
        cards, low, high = self.bounds(s, e)
        return {"from": writer(CARDS, deck)(cards), "min": low, "max": high}


def _pick_cards(cards: Iterable[Value], among: frozenset[str], deck: Deck) -> tuple[str, ...] | None:
    """Return cards among some that look like others, one by one; None if there are too few."""
    return pick_copies((find_face(as_name(card)) for card in cards), filter(among.__contains__, deck.cards))


def write_once(written: Iterable[Json]) -> list[Json]:
    """Return some values as they are written, those that are written alike once."""
    once: list[Json] = []
    for one in written:
        if one not in once:
            once.append(one)
    return once


Domain: TypeAlias = ListedDomain | Ordering | SubsetDomain


def domain_of(evaluator: Evaluator, parameter: Parameter, env: Mapping[str, int]) -> Domain:
    """Return what a parameter ranges over."""
    domain = parameter.domain
    match domain.type:
        case Orders():
            return Ordering(evaluator.cards(domain, env))
        case Subsets():
            return SubsetDomain(evaluator.subsets(domain, env))
    held, members = evaluator.collection(domain, env), evaluator.members(domain, env)
    return ListedDomain(parameter.type, held, members, parameter.described)
