"""Symbolic operations of the lowered form, as `docs/lowered.md` defines each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from brou.compiler import Constant, Kind, Term
from brou.compiler.kinds import absent
from brou.compiler.lower_kinds import places
from brou.compiler.lowered import Value
from brou_tools.smt.formula import Formula, Truth
from brou_tools.smt.symbols import CardSet, Listing, Stack, Symbol, Symbols, Untranslatable

#: Values in order, each with the truth that it is there.
Items: TypeAlias = "Sequence[tuple[Truth, Symbol]]"

#: More numbers than this are not gone through one by one.
_FEW = 200


def within(kind: Kind) -> range | None:
    """Return the numbers of a kind, None where they are many."""
    return range(kind.low, kind.high + 1) if kind.high - kind.low < _FEW else None


class SymbolicOperations:
    """Carries out the operations of one game."""

    def __init__(self, symbols: Symbols, constants: Mapping[str, Constant]) -> None:
        self.symbols = symbols
        self.forms = symbols.forms
        self._constants = constants
        self._tables: dict[str, tuple[Any, ...]] = {}

    def operation(self, term: Term, parts: Sequence[Symbol]) -> Symbol:  # noqa: C901, PLR0912 - an operation a case
        """Return the result of an operation on its parts."""
        forms, symbols = self.forms, self.symbols
        match term.op:
            case "not":
                return forms.no(parts[0])
            case "compare":
                return self._compare(term, *parts)
            case "contains":
                return symbols.member(parts[1], parts[0])
            case "+" | "-" | "*" | "//":
                return symbols.calculate(term.op, *parts)
            case "min" | "max":
                if not any(isinstance(part, Formula) for part in parts):
                    return symbols.map(min if term.op == "min" else max, *parts)
                return symbols.either_of(symbols.compare_order("<=" if term.op == "min" else ">=", *parts), *parts)
            case "abs":
                less = symbols.calculate("-", 0, parts[0])
                return symbols.either_of(symbols.compare_order(">=", parts[0], 0), parts[0], less)
            # Beyond all bounds the interpreter crashes; here play goes on, and a statement is about more positions than
            # there are. A counterexample among those is refused when the interpreter plays it.
            case "bounded":
                return parts[0]
            case "union" | "common" | "without":
                return self._combine_sets(term.op, *parts)
            case "some":
                is_set = isinstance(parts[0], CardSet)
                return forms.any(parts[0].bits) if is_set else forms.no(symbols.equal(parts[0], None))
            case "size":
                return forms.linear((1, bit) for bit in symbols.set(parts[0]).bits)
            case "lowest":
                return self.first(symbols.items(symbols.set(parts[0])))
            case "place":
                return parts[0]
            case "trait":
                return symbols.map(self.table(term.name).__getitem__, parts[0])
            case "total":
                bits = symbols.set(parts[0]).bits
                return forms.linear(zip(self.table(term.name), bits, strict=True))
            case "peak" | "floor":
                numbers = self.table(term.name)
                rated = [(truth, numbers[card]) for truth, card in symbols.items(symbols.set(parts[0]))]
                return self.extreme("max" if term.op == "peak" else "min", rated, parts[1])
            case "best":
                numbers, items = self.table(term.name), symbols.items(symbols.set(parts[0]))
                return self.best(items, [{numbers[card]: truth} for truth, card in items])
            case "length":
                return forms.linear((1, truth) for truth, _ in symbols.items(parts[0]))
            case "list":
                items = [(True, part) for part in parts]
                return self.once(items) if term.name == "once" else Listing(tuple(items))
            case "range":
                return self._range(term, *parts)
        return self._of_pile(term, parts)

    def _of_pile(self, term: Term, parts: Sequence[Symbol]) -> Symbol:
        """Return the result of an operation on piles."""
        symbols = self.symbols
        if term.op == "spread":
            return symbols.set(symbols.stack(parts[0]))
        if term.op == "stack":
            return symbols.pile_up(symbols.set(parts[0]), ())
        slots = symbols.stack(parts[0]).slots
        match term.op:
            case "top":
                return slots[0] if slots else None
            case "bottom":
                return self.first([*reversed(symbols.items(Stack(slots)))])
            case "take" | "drop":
                fitting = self._numbers(parts[1], len(slots))
                cut = [(truth, Stack(slots[:n] if term.op == "take" else slots[n:])) for n, truth in fitting]
                return symbols.select(cut) or Stack(())
            case "cut":
                return self._cut(slots, parts[1])
            case "onto":
                below = symbols.stack(parts[1]).slots
                lengths = [(symbols.long(slots, n), n) for n in range(len(slots) + 1)]
                piles = [(truth, Stack((*slots[:n], *below)[: len(symbols.cards)])) for truth, n in lengths]
                return symbols.select(piles)
        raise Untranslatable(f"the operation {term.op}")

    def _cut(self, slots: Sequence[Symbol], count: Symbol) -> Stack:
        if any(map(self.symbols.may_be_absent, slots)):
            raise Untranslatable("cutting a pile of unknown length")
        fitting = self._numbers(count, len(slots) - 1)
        turned = [(truth, Stack((*slots[n:], *slots[:n]))) for n, truth in fitting if n]
        # Cutting by nothing, or by a number that no pile of this length allows, leaves the order.
        whole = self.forms.no(self.forms.any(truth for truth, _ in turned))
        found: Stack = self.symbols.select([*turned, (whole, Stack(tuple(slots)))])
        return found

    def _numbers(self, count: Symbol, most: int) -> list[tuple[int, Truth]]:
        """Return each number up to a greatest one that a value may be, with the truth that it is."""
        options = self.symbols.options(count, range(most + 1))
        return [(n, truth) for n, truth in options.items() if n is not None and 0 <= n <= most]

    # Values that stand fast -------------------------------------------------------------------------------------------

    def constant(self, kind: Kind, value: Value) -> Symbol:
        """Return a constant of a program as a symbol; an absent value is None, a card its place."""
        if value is None or (kind.optional and value == absent(kind, len(self.symbols.cards))):
            return None
        if isinstance(value, tuple):
            element = Kind("card") if kind.form == "pile" else kind.element
            items = tuple(value if element is None else self.constant(element, one) for one in value)
            return Stack(items) if kind.form == "pile" else items
        if kind.form == "card":
            return int(value).bit_length() - 1 if value else None
        if kind.form == "set":
            return CardSet(tuple(bool(int(value) >> place & 1) for place in self.symbols.cards))
        return bool(value) if kind.form == "truth" else value

    def stand_in(self, kind: Kind) -> Symbol:
        """Return some value of a kind, for one that rules do not have: no table row gives it, no place holds it."""
        match kind.form:
            case "truth":
                return False
            case "number" | "index":
                return min(max(kind.low, 0), kind.high)
            case "card":
                return self.symbols.cards[0]
            case "set":
                return CardSet((False,) * len(self.symbols.cards))
            case "pile":
                return Stack(())
            case "array" if kind.element is not None:
                return (self.stand_in(kind.element),) * places(kind.shape)
        return () if kind.form == "list" else None

    def table(self, name: str) -> tuple[Any, ...]:
        """Return a table that stands fast."""
        if name not in self._tables:
            constant = self._constants[name]
            self._tables[name] = tuple(self.constant(constant.kind, value) for value in constant.values)
        return self._tables[name]

    def _compare(self, term: Term, one: Symbol, two: Symbol) -> Truth:
        match term.name:
            case "==":
                return self.symbols.equal(one, two)
            case "<" | "<=" | ">" | ">=" as order:
                return self.symbols.compare_order(order, one, two)
        return self.forms.no(self.symbols.equal(one, two))

    # Sets and lists ---------------------------------------------------------------------------------------------------

    def _combine_sets(self, op: str, one: Symbol, two: Symbol) -> CardSet:
        forms = self.forms
        pairs = zip(self.symbols.set(one).bits, self.symbols.set(two).bits, strict=True)
        if op == "union":
            return CardSet(tuple(forms.either(a, b) for a, b in pairs))
        return CardSet(tuple(forms.both(a, b if op == "common" else forms.no(b)) for a, b in pairs))

    def once(self, items: Items) -> Listing:
        """Return values without repetitions, each where it came first."""
        forms, symbols = self.forms, self.symbols
        kept: list[tuple[Truth, Symbol]] = []
        for truth, value in items:
            # Of equal values only the first that is there counts, and `kept` has no two that are there and equal.
            before = forms.any(forms.both(held, symbols.equal(value, other)) for held, other in kept)
            kept.append((forms.both(truth, forms.no(before)), value))
        return Listing(tuple((truth, value) for truth, value in kept if truth is not False))

    def _range(self, term: Term, low: Symbol, high: Symbol) -> Listing:
        element = term.kind.element
        numbers = None if element is None else within(element)
        if numbers is None:
            raise Untranslatable("a range of so many numbers")
        ordered = self.symbols.compare_order
        items = ((self.forms.both(ordered("<=", low, n), ordered("<=", n, high)), n) for n in numbers)
        return Listing(tuple((truth, n) for truth, n in items if truth is not False))

    def gather(self, items: Items) -> CardSet:
        """Return the set of all cards that are there, alone or in sets."""
        forms, symbols = self.forms, self.symbols
        sets = [(truth, symbols.set(held).bits) for truth, held in items]
        each = ([(truth, bits[card]) for truth, bits in sets if bits[card] is not False] for card in symbols.cards)
        return CardSet(tuple(forms.any(forms.both(truth, bit) for truth, bit in found) for found in each))

    def first(self, items: Items) -> Symbol:
        """Return the first value that is there, or None."""
        cases: list[tuple[Truth, Symbol]] = []
        before: list[Truth] = []
        for truth, value in items:
            cases.append((self.forms.all([truth, *before]), value))
            before.append(self.forms.no(truth))
        return self.symbols.select([*cases, (self.forms.all(before), None)])

    def extreme(self, bound: str, items: Items, default: Symbol) -> Symbol:
        """Return the least or the greatest of some numbers, or the default where there are none."""
        forms, symbols = self.forms, self.symbols
        if not any(isinstance(value, Formula) for _, value in items):
            found: dict[int, list[Truth]] = {}
            for truth, value in items:
                for plain, held in symbols.options(value).items():
                    if plain is not None:
                        found.setdefault(plain, []).append(forms.both(truth, held))
            cases: list[tuple[Truth, Symbol]] = []
            beyond: list[Truth] = []
            for plain in sorted(found, reverse=bound == "max"):
                here = forms.any(found[plain])
                cases.append((forms.all([here, *beyond]), plain))
                beyond.append(forms.no(here))
            return symbols.select([*cases, (forms.all(beyond), default)])
        made: Symbol = default
        some: Truth = False
        for truth, value in items:
            better = symbols.compare_order(">" if bound == "max" else "<", value, made)
            made = symbols.either_of(forms.both(truth, forms.either(forms.no(some), better)), value, made)
            some = forms.either(some, truth)
        return made

    def best(self, items: Items, rated: Sequence[Mapping[int, Truth]]) -> Symbol:
        """Return the first of some values with the greatest number, each of which has the numbers that it may have."""
        forms = self.forms
        winners: list[list[Truth]] = [[] for _ in items]
        beyond: Truth = True
        for number in sorted({number for options in rated for number in options}, reverse=True):
            here = [options.get(number, False) for options in rated]
            none_before: Truth = beyond
            for place, truth in enumerate(here):
                if truth is not False:
                    winners[place].append(forms.both(none_before, truth))
                    none_before = forms.both(none_before, forms.no(truth))
            beyond = none_before
        cases = [(forms.any(truths), value) for truths, (_, value) in zip(winners, items, strict=True)]
        return self.symbols.select([*cases, (beyond, None)])
