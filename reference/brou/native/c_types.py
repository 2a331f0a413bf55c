"""C types for kinds, the fields of a state, and values that stand fast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import prod

from brou.compiler.kinds import absent
from brou.compiler.lowered import NO_NUMBER, Cell, Kind, Program, Value
from brou.compiler.set_words import WORD, words
from brou.dataclass import dataclass
from brou.native.c_text import write_name

#: Numbers beyond this need 64 bits; the least number of 32 bits says that there is none.
_NARROW = (1 << 31) - 1

#: How many bytes an element takes in a state, by form; a set takes eight for each word.
_BYTES = {"number": 4, "index": 2, "truth": 2}
_STORED = {"number": "int32_t", "index": "int16_t", "truth": "int16_t"}
_SET_BYTES = 8
_SCALARS = frozenset({"number", "index", "truth"})
_POINTERS = frozenset({"pile", "list", "array"})


def is_wide(kind: Kind) -> bool:
    """Say whether a number may need more than 32 bits."""
    return kind.form == "number" and max(abs(kind.low), abs(kind.high)) > _NARROW


def is_pointer(kind: Kind) -> bool:
    """Say whether values of a kind are pointers to what they are."""
    return kind.form in _POINTERS


def local_type(kind: Kind) -> str:
    """Return the C type of a local of a kind."""
    match kind.form:
        case "number" if is_wide(kind):
            return "int64_t"
        case "set" | "card":
            return "brou_set"
        case "pile":
            return "const brou_pile *"
        case "list":
            return f"const {list_type(kind.element)} *"
        case "array":
            return f"const {stored_type(kind.element)} *"
    return "int32_t"


def list_type(element: Kind | None) -> str:
    """Return the C type of lists of some elements."""
    forms = {"set": "brou_sets", "card": "brou_sets", "list": "brou_lists"}
    return forms.get(element.form if element else "none", "brou_list")


def stored_type(kind: Kind | None) -> str:
    """Return the C type in which a state keeps values of a kind, and arrays their elements."""
    form = kind.form if kind else "none"
    if form in ("set", "card"):
        return "brou_set"
    return {"pile": "brou_pile", "list": list_type(kind.element if kind else None)}.get(
        form, _STORED.get(form, "int32_t")
    )


def write_set(cards: int, pack: int, *, initial: bool = False) -> str:
    """Return a set of cards in C; `initial` as it stands in the initial value of something static."""
    count = words(pack)
    listed = [f"UINT64_C({cards >> WORD * place & (1 << WORD) - 1:#x})" for place in range(count)]
    if count == 1:
        return listed[0]
    return f"{{{{{', '.join(listed)}}}}}" if initial else f"((brou_set){{{{{', '.join(listed)}}}}})"


def write_number(number: int) -> str:
    """Return a number in C."""
    if number == NO_NUMBER:
        return "BROU_NO_NUMBER"
    return f"INT64_C({number})" if abs(number) > _NARROW else str(int(number))


def write_absent(kind: Kind, pack: int) -> str:
    """Return what says that there is no value of a kind."""
    value = absent(kind, pack)
    if value is None:
        return "0"
    return (
        write_set(int(value), pack)
        if kind.form in ("set", "card") and isinstance(value, int)
        else write_number(as_number(value))
    )


def as_number(value: Value) -> int:
    """Return a value that is a number, a place or a truth as a number."""
    if isinstance(value, int):
        return int(value)
    raise TypeError(f"{value!r} is no number")


def as_values(value: Value) -> Sequence[Value]:
    """Return a value that is several ones as these."""
    if isinstance(value, tuple):
        return value
    raise TypeError(f"{value!r} are no values")


def write_initial(kind: Kind, value: Value, pack: int) -> str:
    """Return the initial value of a variable, a row or a table in C."""
    element = kind.element or Kind("none")
    match kind.form:
        case "set" | "card":
            return write_set(as_number(value), pack, initial=True)
        case "array":
            if value is None:
                return f"{{{write_initial(element, absent(element, pack) or 0, pack)}}}"
            return f"{{{', '.join(write_initial(element, one, pack) for one in as_values(value))}}}"
        case "pile":
            if value is None:
                return "{-1, {0}}"
            cards = [str(as_number(card).bit_length() - 1) for card in as_values(value)]
            return f"{{{len(cards)}, {{{', '.join(cards or ['0'])}}}}}"
        case "list":
            if value is None:
                return "{-1, {0}}"
            listed = [write_initial(element, one, pack) for one in as_values(value)]
            return f"{{{len(listed)}, {{{', '.join(listed or [_nothing(element, pack)])}}}}}"
    return write_number(as_number(value))


def _nothing(element: Kind, pack: int) -> str:
    return write_set(0, pack, initial=True) if element.form in ("set", "card") else "0"


@dataclass(frozen=True, slots=True)
class Lengths:
    """The greatest lengths in a program: of piles, of lists of numbers or places, and of lists of sets."""

    pile: int
    list: int
    sets: int

    @classmethod
    def of(cls, kinds: Iterable[Kind]) -> Lengths:
        """Return the bounds of some kinds and of what they hold."""
        pile = listed = sets = 1
        waiting = list(kinds)
        while waiting:
            kind = waiting.pop()
            if kind.form == "pile":
                pile = max(pile, kind.most)
            elif kind.form == "list" and list_type(kind.element) == "brou_sets":
                sets = max(sets, kind.most)
            elif kind.form == "list":
                listed = max(listed, kind.most)
            if kind.element is not None:
                waiting.append(kind.element)
        return cls(pile + pile % 2, listed, sets)


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A variable in the state: where it lies and how many elements it has; an optional array has a word of its own."""

    cell: Cell
    offset: int
    size: int
    count: int

    @property
    def declaration(self) -> str:
        """Return it as a field of a C structure."""
        kind = self.cell.kind
        if kind.form == "array":
            return f"{stored_type(kind.element)} {write_name(self.cell.name)}[{self.count}]"
        return f"{stored_type(kind)} {write_name(self.cell.name)}"


class StateLayout:
    """Where variables lie in a state: scope after scope, without a gap, so that states may be compared by bytes."""

    def __init__(self, program: Program, bounds: Lengths) -> None:
        self._words = words(len(program.cards))
        self._bounds = bounds
        self.fields: dict[str, CellPlace] = {}
        self.padding: dict[str, int] = {}
        #: The phase and an unused word stand before everything.
        offset = _SET_BYTES
        for scope in program.scopes:
            cells = [cell for cell in program.cells.values() if cell.scope == scope]
            cells.sort(key=self._alignment, reverse=True)
            sizes = [self._size(cell.kind) for cell in cells]
            places = accumulate(sizes, initial=offset)
            for cell, place, size in zip(cells, places, sizes, strict=False):
                count = prod(cell.kind.shape) if cell.kind.form == "array" else 1
                self.fields[cell.name] = CellPlace(cell, place, size, count)
            whole = sum(sizes)
            self.padding[scope] = -whole % _SET_BYTES or (_SET_BYTES if not whole else 0)
            offset += whole + self.padding[scope]
        self.size = offset

    def scope_fields(self, scope: str) -> list[CellPlace]:
        """Return the fields of a scope as they lie."""
        return [one for one in self.fields.values() if one.cell.scope == scope]

    def _alignment(self, cell: Cell) -> int:
        kind = cell.kind.element if cell.kind.form == "array" and cell.kind.element else cell.kind
        return {"pile": 1, "list": _SET_BYTES if list_type(kind.element) == "brou_sets" else 4}.get(
            kind.form, self._size(kind)
        )

    def _size(self, kind: Kind) -> int:
        match kind.form:
            case "array":
                return prod(kind.shape) * self._size(kind.element or Kind("none"))
            case "pile":
                return 2 + self._bounds.pile
            case "list" if list_type(kind.element) == "brou_sets":
                return _SET_BYTES + _SET_BYTES * self._words * self._bounds.sets
            case "list":
                return 4 + 4 * self._bounds.list
            case "set" | "card":
                return _SET_BYTES * self._words
        return _BYTES.get(kind.form, 4)


def is_scalar(kind: Kind) -> bool:
    """Say whether values of a kind are one number, place or truth."""
    return kind.form in _SCALARS
