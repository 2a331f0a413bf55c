"""What becomes of types in the lowered form, and what locals stand for while expressions are lowered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import TypeGuard

from brou.compiler.kinds import CARD, SET, TRUTH, exact, join_kinds, number
from brou.compiler.lowered import Kind, Term, Value
from brou.compiler.term_builder import TermBuilder
from brou.dataclass import dataclass, field, replace
from brou.language.syntax import Action, Function, Game, Phase, Row, Show, Table
from brou.language.tree import Comprehension, Expression, LocalUse
from brou.language.types import Array, Bool, Cards, Domain, Int, Named, Numbers, Option, Orders, Pile, Type, finite


class Kinds:
    """The kinds of the values of one game's types."""

    def __init__(self, game: Game) -> None:
        self._found: dict[Type, Kind] = {}
        self._pile = Kind("pile", most=len(game.deck.cards))
        #: Lists of numbers stand in the data and nowhere else, so that all of them are known.
        written = [one for param in game.params.values() for one in _lists(param.value) if one]
        no_numbers = Kind("list", element=number(0, 0))
        self.numbers = reduce(join_kinds, (exact(no_numbers, one) for one in written)) if written else no_numbers

    def of(self, type_: Type) -> Kind:
        """Return the kind of the values of a type."""
        if type_ not in self._found:
            self._found[type_] = self._of(type_)
        return self._found[type_]

    def _of(self, type_: Type) -> Kind:  # noqa: C901 - one flat match, a case a type
        match type_:
            case Option(inner):
                return replace(self.of(inner), optional=True)
            case Bool():
                return TRUTH
            case Int(low, high):
                return number(low, high)
            case Named(name="card"):
                return CARD
            case Named(members=members):
                return Kind("index", 0, len(members) - 1)
            case Cards() | Orders():
                return SET
            case Pile():
                return self._pile
            case Numbers():
                return self.numbers
            case Domain(element, size):
                return Kind("list", element=self.of(element), most=size)
            case Array(index, element):
                each, side = self.of(element), len(finite(index) or ())
                if each.form == "array" and not each.optional:
                    return Kind("array", element=each.element, shape=(side, *each.shape))
                return Kind("array", element=each, shape=(side,))
        return Kind("none", optional=True)


def _lists(value: Value) -> Iterator[tuple[Value, ...]]:
    """Yield the lists of numbers that the value of a param is, or holds."""
    if isinstance(value, tuple):
        inner = [one for one in value if isinstance(one, tuple)]
        yield from inner or [value]


def places(shape: Sequence[int]) -> int:
    """Return how many elements an array has."""
    count = 1
    for side in shape:
        count *= side
    return count


@dataclass(frozen=True, slots=True)
class Env:
    """What the locals in sight stand for, and which truths are known to hold.

    Calls that depend on one of `opened` are written out to be turned over. Where types are not `trusted`, what they say
    to be there may be absent all the same.
    """

    values: Mapping[str, Term] = field(default_factory=dict)
    live: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()
    known: frozenset[Term] = frozenset()
    trusted: bool = True

    def make_name(self, name: str) -> str:
        """Return a name for a local that no other one in sight has."""
        number_, found = 1, name
        while found in self.live:
            number_ += 1
            found = f"{name}_{number_}"
        return found

    def bind(self, terms: TermBuilder, name: str, kind: Kind) -> tuple[str, Env]:
        """Return a new local and the locals with it."""
        own = self.make_name(name)
        return own, self.binding(name, terms.local(own, kind))

    def binding(self, name: str, value: Term) -> Env:
        """Return the locals with one more."""
        return replace(self, values={**self.values, name: value}, live=self.live | value.free)

    def knowing(self, *tests: Term) -> Env:
        """Return the locals where tests hold."""
        parts = [part for test in tests for part in (test.parts if test.op == "and" else (test,))]
        return replace(self, known=self.known.union(parts))


def cite(record: Function | Table | Action | Phase | Row | Show) -> str:
    """Return the label of a record: its id, and its clause where it has one."""
    return f"{record.id} [{record.clause}]" if record.clause else record.id


def element_kind(values: Term) -> Kind:
    """Return the kind of what one gets in ranging over a list or a set."""
    if values.kind.form == "set":
        return CARD
    element = values.kind.element
    return Kind("none", optional=True) if element is None else element


def inside(kind: Kind, wanted: Kind | None) -> bool:
    """Say whether every value of a kind is there and one of another kind."""
    if kind.optional or wanted is None or kind.form != wanted.form:
        return False
    return kind.form not in ("number", "index") or (wanted.low <= kind.low and kind.high <= wanted.high)


def filters(values: Expression) -> TypeGuard[Comprehension]:
    """Say whether a set is what another one has that meets a condition."""
    match values:
        case Comprehension(body=LocalUse(name=name), bound=bound):
            return name == bound
    return False
