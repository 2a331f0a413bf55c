"""The built-in functions: what each takes, gives and means.

Each is total on its argument types. `signature` answers the result type for
argument types, or None where they do not fit; `meaning` computes. Both stand
side by side here, because a built-in that is wrong is wrong in every back-end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brou.language.types import (
    CARDS,
    PILE,
    UNBOUNDED,
    Bool,
    Cards,
    Domain,
    Int,
    Numbers,
    Option,
    Orders,
    Pile,
    Subsets,
    Type,
    finite,
    inner,
    join,
)


@dataclass(frozen=True, slots=True)
class World:
    """What built-ins may know of a game: its seats, teams and pack."""

    seats: int
    teams: tuple[tuple[int, ...], ...]
    cards: tuple[str, ...]
    types: Mapping[str, Type]

    def team_of(self, player: int) -> int:
        """Return the team that a seat belongs to."""
        return next(number for number, seats in enumerate(self.teams) if player in seats)


#: How many numbers a range may run over.
MOST_VALUES = 10_000

Signature = Callable[[World, Sequence[Type]], Type | None]
Meaning = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Builtin:
    """One built-in function."""

    name: str
    form: str
    says: str
    signature: Signature
    meaning: Callable[[World], Meaning]


def _takes(*names: str, gives: str) -> Signature:
    def signature(world: World, types: Sequence[Type]) -> Type | None:
        wanted = [world.types[name] for name in names]
        return world.types[gives] if list(types) == wanted else None

    return signature


def _card(world: World, types: Sequence[Type]) -> Type | None:
    if list(types) != [world.types["rank"], world.types["suit"]]:
        return None
    ranks, suits = finite(world.types["rank"]) or (), finite(world.types["suit"]) or ()
    whole = len(world.cards) == len(ranks) * len(suits)
    return world.types["card"] if whole else Option(world.types["card"])


def _card_meaning(world: World) -> Meaning:
    known = frozenset(world.cards)

    def meaning(rank: str, suit: str) -> str | None:
        code = rank + suit
        return code if code in known else None

    return meaning


def _players(wanted: str, size: Callable[[World], int]) -> Signature:
    def signature(world: World, types: Sequence[Type]) -> Type | None:
        return Domain(world.types["player"], size(world)) if list(types) == [world.types[wanted]] else None

    return signature


def _size(world: World, type_: Type) -> int | None:
    if isinstance(type_, (Cards, Pile)):
        return len(world.cards)
    if isinstance(type_, Numbers):
        return UNBOUNDED
    return type_.size if isinstance(type_, Domain) else None


def _len(world: World, types: Sequence[Type]) -> Type | None:
    size = _size(world, types[0]) if len(types) == 1 else None
    return None if size is None else Int(0, size)


def _empty(world: World, types: Sequence[Type]) -> Type | None:
    return Bool() if len(types) == 1 and _size(world, types[0]) is not None else None


def _end_of_pile(world: World, types: Sequence[Type]) -> Type | None:
    return Option(world.types["card"]) if list(types) == [PILE] else None


def _otherwise(world: World, types: Sequence[Type]) -> Type | None:
    if len(types) != 2:
        return None
    both = join(inner(types[0]), types[1])
    return None if isinstance(both, (Orders, Subsets)) else both


def _pair(pick: Callable[[int, int], int]) -> Signature:
    def signature(world: World, types: Sequence[Type]) -> Type | None:
        if len(types) != 2 or not all(isinstance(type_, Int) for type_ in types):
            return None
        one, two = types
        assert isinstance(one, Int) and isinstance(two, Int)  # noqa: S101 - narrows for the type checker only
        return Int(pick(one.low, two.low), pick(one.high, two.high))

    return signature


def _abs(world: World, types: Sequence[Type]) -> Type | None:
    if len(types) != 1 or not isinstance(types[0], Int):
        return None
    low, high = types[0].low, types[0].high
    return Int(0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))


def _cut(world: World, types: Sequence[Type]) -> Type | None:
    return PILE if len(types) == 2 and types[0] == PILE and isinstance(types[1], Int) else None


def _range(world: World, types: Sequence[Type]) -> Type | None:
    low, high = (types[0], types[1]) if len(types) == 2 else (None, None)
    if not isinstance(low, Int) or not isinstance(high, Int):
        return None
    if low.low <= -UNBOUNDED or high.high >= UNBOUNDED:
        return None
    size = max(0, high.high - low.low + 1)
    return Domain(Int(low.low, max(low.low, high.high)), size) if size <= MOST_VALUES else None


def _orders(world: World, types: Sequence[Type]) -> Type | None:
    return Orders() if list(types) == [CARDS] else None


def _subsets(world: World, types: Sequence[Type]) -> Type | None:
    fits = len(types) == 3 and types[0] == CARDS and all(isinstance(type_, Int) for type_ in types[1:])
    return Subsets() if fits else None


def _turn(pile: tuple[str, ...], count: int) -> tuple[str, ...]:
    return pile[count:] + pile[:count] if 0 < count < len(pile) else pile


BUILTINS: dict[str, Builtin] = {
    builtin.name: builtin
    for builtin in (
        Builtin(
            "suit", "suit(card)", "the suit printed on a card", _takes("card", gives="suit"), lambda w: lambda c: c[1]
        ),
        Builtin(
            "rank", "rank(card)", "the rank printed on a card", _takes("card", gives="rank"), lambda w: lambda c: c[0]
        ),
        Builtin("card", "card(rank, suit)", "the card; None where the pack lacks it", _card, _card_meaning),
        Builtin(
            "next",
            "next(player)",
            "the seat at the right of a seat",
            _takes("player", gives="player"),
            lambda w: lambda p: (p + 1) % w.seats,
        ),
        Builtin(
            "previous",
            "previous(player)",
            "the seat at the left of a seat",
            _takes("player", gives="player"),
            lambda w: lambda p: (p - 1) % w.seats,
        ),
        Builtin("team", "team(player)", "the team of a seat", _takes("player", gives="team"), lambda w: w.team_of),
        Builtin(
            "other",
            "other(team)",
            "the other team; the next one where there are more than two",
            _takes("team", gives="team"),
            lambda w: lambda t: (t + 1) % len(w.teams),
        ),
        Builtin(
            "seats",
            "seats(player)",
            "all seats in order of play, from one on",
            _players("player", lambda w: w.seats),
            lambda w: lambda p: tuple((p + i) % w.seats for i in range(w.seats)),
        ),
        Builtin(
            "members",
            "members(team)",
            "the seats of a team",
            _players("team", lambda w: max(map(len, w.teams))),
            lambda w: lambda t: w.teams[t],
        ),
        Builtin("len", "len(cards, pile or values)", "how many there are", _len, lambda w: len),
        Builtin("empty", "empty(cards, pile or values)", "whether there are none", _empty, lambda w: lambda x: not x),
        Builtin("top", "top(pile)", "the first card, or None", _end_of_pile, lambda w: lambda x: x[0] if x else None),
        Builtin(
            "bottom", "bottom(pile)", "the last card, or None", _end_of_pile, lambda w: lambda x: x[-1] if x else None
        ),
        Builtin("cut", "cut(pile, count)", "the pile with its top cards put under the rest", _cut, lambda w: _turn),
        Builtin(
            "cards",
            "cards(pile)",
            "the cards of a pile as a set",
            lambda w, t: CARDS if list(t) == [PILE] else None,
            lambda w: frozenset,
        ),
        Builtin(
            "otherwise",
            "otherwise(value or None, value)",
            "the first unless it is None, else the second",
            _otherwise,
            lambda w: lambda x, y: y if x is None else x,
        ),
        Builtin("least", "least(a, b)", "the smaller number", _pair(min), lambda w: min),
        Builtin("most", "most(a, b)", "the greater number", _pair(max), lambda w: max),
        Builtin("abs", "abs(a)", "a number without its sign", _abs, lambda w: abs),
        Builtin(
            "range",
            "range(low, high)",
            "the numbers from low to high, both included",
            _range,
            lambda w: lambda low, high: tuple(range(low, high + 1)),
        ),
        Builtin(
            "orders", "orders(cards)", "every order of the cards; for parameters only", _orders, lambda w: lambda c: c
        ),
        Builtin(
            "subsets",
            "subsets(cards, low, high)",
            "every subset of so many cards; for parameters only",
            _subsets,
            lambda w: lambda c, low, high: (c, low, high),
        ),
    )
}
