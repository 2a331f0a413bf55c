"""The types of the rule language: finite scalars, card sets, piles, options and arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from brou.dataclass import dataclass
from brou.errors import Crash

__all__ = [
    "NUMBERS",
    "Array",
    "Bool",
    "Cards",
    "Domain",
    "Int",
    "Named",
    "Numbers",
    "Option",
    "Orders",
    "Pile",
    "Type",
    "Value",
    "Values",
    "as_number",
    "element_of",
    "finite",
    "inner",
    "list_values",
    "lists_of",
]

#: What a variable, a local or an expression of the rules has: nothing, a truth, a number or a seat, a name or the code
#: of a card, a set of cards, or values in order (a pile, an array, a list to range over).
Value: TypeAlias = "None | bool | int | str | frozenset[str] | tuple[Value, ...]"
#: The values of all variables of a state, in the order of the rules file.
Values: TypeAlias = Sequence[Value]
#: The values of the names that are bound where an expression stands; an effect may bind more.
Locals: TypeAlias = list[Value]

#: No number of a match lies beyond it; one that would is a crash.
UNBOUNDED = 10**9


class Type:
    """Base of all types; `str(type)` is how rule files write it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Int(Type):
    """Whole numbers from `low` to `high`, both included; the widest bounds if nothing is known."""

    low: int = -UNBOUNDED
    high: int = UNBOUNDED

    def __str__(self) -> str:
        return "int" if self.low <= -UNBOUNDED and self.high >= UNBOUNDED else f"int {self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class Bool(Type):
    """True or false."""

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class Named(Type):
    """A finite type without arithmetic: card, suit, rank, player, team or a declared enumeration."""

    name: str
    members: tuple[str | int, ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Cards(Type):
    """A set of cards."""

    def __str__(self) -> str:
        return "cards"


@dataclass(frozen=True, slots=True)
class Pile(Type):
    """Cards in order, the top card first."""

    def __str__(self) -> str:
        return "pile"


@dataclass(frozen=True, slots=True)
class Numbers(Type):
    """A fixed list of numbers from the data."""

    def __str__(self) -> str:
        return "numbers"


@dataclass(frozen=True, slots=True)
class Nothing(Type):
    """The type of `None` alone."""

    def __str__(self) -> str:
        return "None"


@dataclass(frozen=True, slots=True)
class Option(Type):
    """A value of the inner type, or None."""

    inner: Type

    def __str__(self) -> str:
        return f"{self.inner}?"


@dataclass(frozen=True, slots=True)
class Array(Type):
    """One element for each value of a finite index type."""

    index: Type
    element: Type

    def __str__(self) -> str:
        indexes, element = [str(self.index)], self.element
        while isinstance(element, Array):
            indexes.append(str(element.index))
            element = element.element
        return f"{element}[{']['.join(indexes)}]"


@dataclass(frozen=True, slots=True)
class Domain(Type):
    """Values to iterate over, at most `size` of them, in a fixed order."""

    element: Type
    size: int

    def __str__(self) -> str:
        return f"values of {self.element}"


@dataclass(frozen=True, slots=True)
class Orders(Type):
    """Every order of the cards of a set: the domain of a shuffled pack, described and never listed."""

    def __str__(self) -> str:
        return "orders"


@dataclass(frozen=True, slots=True)
class Subsets(Type):
    """Every subset of a set of cards within bounds of size, described and never listed."""

    def __str__(self) -> str:
        return "subsets"


BOOL, CARDS, PILE, NUMBERS, NOTHING = Bool(), Cards(), Pile(), Numbers(), Nothing()


def as_number(value: Value) -> int:
    """Return a value as a number, which may be a seat or a team."""
    if isinstance(value, int):
        return value
    raise Crash(f"{value!r} is no number")


def as_name(value: Value) -> str:
    """Return a value as the card, the suit or the other name that it is."""
    if isinstance(value, str):
        return value
    raise Crash(f"{value!r} is no name")


def as_cards(value: Value) -> frozenset[str]:
    """Return a value as the set of cards that it is."""
    if isinstance(value, frozenset):
        return value
    raise Crash(f"{value!r} is no set of cards")


def as_row(value: Value) -> tuple[Value, ...]:
    """Return a value as the array, the list or the pile that it is."""
    if isinstance(value, tuple):
        return value
    raise Crash(f"{value!r} is no array, list or pile")


def cards_of(value: Value) -> Iterator[str]:
    """Yield the cards that lie in a zone: a card, a set, a pile, or an array of them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (frozenset, tuple)):
        for item in value:
            yield from cards_of(item)


def finite(type_: Type) -> tuple[str | int, ...] | None:
    """Return the values of a finite index type in order, or None."""
    if isinstance(type_, Named):
        return type_.members
    if isinstance(type_, Int) and type_.high - type_.low < 1000:
        return tuple(range(type_.low, type_.high + 1))
    return None


def element_of(type_: Type, card: Type) -> Type | None:
    """Return what one gets in ranging over a type's values, or None where there is nothing to range over."""
    if isinstance(type_, Domain):
        return type_.element
    if type_ == NUMBERS:
        return Int()
    return card if isinstance(type_, Cards) else None


#: The types that no rules file declares, and the lists of their values; a declared type is called like its own list.
_LISTS = {"player": "players", "team": "teams", "suit": "suits", "rank": "ranks"}


def lists_of(types: Mapping[str, Type]) -> dict[str, Domain]:
    """Return the lists of the language by name, for the types of a game: `players`, ..., `truths`, declared types."""
    elements = {_LISTS.get(name, name): type_ for name, type_ in types.items() if name != "card"}
    return {name: Domain(type_, len(list_values(type_))) for name, type_ in {**elements, "truths": BOOL}.items()}


def list_values(domain: Type) -> tuple[str | int, ...]:
    """Return the values that a list of the language (`players`, `suits`, `truths`, ...) has, in order."""
    element = domain.element if isinstance(domain, Domain) else domain
    return (False, True) if isinstance(element, Bool) else finite(element) or ()


def inner(type_: Type) -> Type:
    """Return the inner type of an option, or the type itself."""
    return type_.inner if isinstance(type_, Option) else type_


def fits(have: Type, want: Type) -> bool:
    """Say whether every value of `have` may stand where `want` is needed; number bounds are judged apart."""
    if isinstance(want, Option):
        return isinstance(have, Nothing) or fits(inner(have), want.inner)
    if isinstance(have, Int) and isinstance(want, Int):
        return True
    return have == want


def within(have: Type, want: Type) -> bool:
    """Say whether the numbers of `have` are all numbers of `want`."""
    if isinstance(have, Int) and isinstance(want, Int):
        return want.low <= have.low and have.high <= want.high
    return have == want


def open_ended(type_: Type) -> bool:
    """Say whether nothing is known of how low, or of how high, numbers of a type lie."""
    return isinstance(type_, Int) and (type_.low <= -UNBOUNDED or type_.high >= UNBOUNDED)


def fits_bounds(have: Type, want: Type) -> bool:
    """Say whether the numbers of `have`, or of the option that it is, are all numbers of `want`; others always are."""
    have, want = inner(have), inner(want)
    return within(have, want) if isinstance(have, Int) and isinstance(want, Int) else True


def meet(one: Type, two: Type) -> bool:
    """Say whether two ranges of numbers have one in common; other types always may."""
    return not isinstance(one, Int) or not isinstance(two, Int) or (one.low <= two.high and two.low <= one.high)


def join(one: Type, two: Type) -> Type | None:
    """Return the least type that holds both, or None."""
    if isinstance(one, Int) and isinstance(two, Int):
        return Int(min(one.low, two.low), max(one.high, two.high))
    if one == two:
        return one
    if isinstance(one, Domain) and isinstance(two, Domain):
        if 0 in (one.size, two.size):
            return one if one.size else two
        element = join(one.element, two.element)
        return Domain(element, max(one.size, two.size)) if element else None
    if isinstance(one, Nothing):
        return two if isinstance(two, Option) else Option(two)
    if isinstance(two, Nothing):
        return join(two, one)
    if isinstance(one, Option) or isinstance(two, Option):
        both = join(inner(one), inner(two))
        return Option(both) if both else None
    return None
