"""Terms of the lowered form as formulas: what `docs/lowered.md` says of each operation, where a state is not known.

Where a program would crash a truth is noted that tells when. A routine is translated once for the same arguments and
the same values of the variables that it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from brou.compiler.kinds import absent
from brou.compiler.lower import Lowering
from brou.compiler.lowered import Kind, Step, Term, Value
from brou.language.syntax import Action, Game, Phase, Row, Table
from brou.language.tree import Expression
from brou_tools.smt.formula import Forms, Formula, Truth
from brou_tools.smt.symbols import PLAIN, CardSet, Listing, Stack, Symbol, Symbols, Untranslatable, Values, key_of

Env: TypeAlias = Mapping[str, Symbol]
#: The conditions around a term, the innermost first.
Guard: TypeAlias = "tuple[Truth, Guard] | None"
#: Values in order, each with the truth that it is there.
Items: TypeAlias = "Sequence[tuple[Truth, Symbol]]"

#: More numbers than this are not gone through one by one.
_FEW = 200
#: A place is computed of numbers within so many.
_MOST = 1000


@dataclass(frozen=True, slots=True)
class Crash:
    """When a promise of the rules would be broken: a row missing or doubled, a `require`, a bound, cards not there."""

    when: Truth
    kind: str


class Translator:
    """Translates the lowered form of one game, and expressions by way of it."""

    def __init__(self, game: Game, forms: Forms, lowering: Lowering | None = None) -> None:
        self.game = game
        self.forms = forms
        self.lowering = Lowering(game) if lowering is None else lowering
        self.symbols = Symbols(forms, game.deck.cards)
        self.crashes: list[Crash] = []
        self._memo: dict[Any, tuple[Symbol, tuple[Crash, ...], Any]] = {}
        self._reads: dict[str, tuple[str, ...]] = {}
        self._lowered: dict[int, tuple[Term, Expression]] = {}
        self._done: dict[tuple[str, str], tuple[Step, ...]] = {}
        self._constants: dict[str, tuple[Symbol, ...]] = {}

    def copy(self) -> Translator:
        """Return a translator that knows what this one has translated, and makes what is new for itself."""
        made = Translator(self.game, self.forms.copy(), self.lowering)
        made._memo.update(self._memo)
        made._lowered, made._done, made._constants = self._lowered, self._done, self._constants
        return made

    # Expressions ------------------------------------------------------------------------------------------------------

    def expression(self, e: Expression, s: Values, env: Env, guard: Guard = None) -> Symbol:
        """Return what an expression means in a state, with these locals."""
        if id(e) not in self._lowered:
            self._lowered[id(e)] = self.lowering.expression(e), e
        return self.term(self._lowered[id(e)][0], s, env, guard)

    def holds(self, e: Expression, s: Values, env: Env, guard: Guard = None) -> Truth:
        """Return whether a condition holds."""
        truth: Truth = self.expression(e, s, env, guard)
        return truth

    def fired(self, table: Table, s: Values, env: Env, guard: Guard = None) -> list[tuple[Truth, Row]]:
        """Return each row of a table with the truth that it fires: in a `first` table the rows above do not."""
        found: list[tuple[Truth, Row]] = []
        before: list[Truth] = []
        for row in table.rows:
            known = guard
            if table.policy == "first":
                for truth in before:
                    known = (truth, known)
            test = True if row.when is None else self.holds(row.when, s, env, known)
            found.append((self.forms.all([test, *before]) if table.policy == "first" else test, row))
            before.append(self.forms.no(test))
        return found

    def done(self, record: Action | Phase) -> tuple[Step, ...]:
        """Return the steps of an action or a phase."""
        name = (type(record).__name__, record.id)
        if name not in self._done:
            self._done[name] = self.lowering.done(record)
        return self._done[name]

    # Crashes ----------------------------------------------------------------------------------------------------------

    def crash(self, when: Truth, guard: Guard, kind: str) -> None:
        """Note when something would break a promise."""
        conditions = [when]
        while guard is not None:
            conditions.append(guard[0])
            guard = guard[1]
        whole = self.forms.all(conditions)
        if whole is not False:
            self.crashes.append(Crash(whole, kind))

    @contextmanager
    def noting(self) -> Iterator[list[Crash]]:
        """Collect the crashes of what is translated inside, and of nothing else."""
        outer, self.crashes = self.crashes, []
        try:
            yield self.crashes
        finally:
            self.crashes = outer

    # Terms ------------------------------------------------------------------------------------------------------------

    def term(self, term: Term, s: Values, env: Env, guard: Guard = None) -> Symbol:  # noqa: PLR0912 - an operation a case
        """Return what a term gives in a state, with these locals."""
        match term.op:
            case "const":
                return self._constant(term.kind, term.value)
            case "local":
                return self._there(term.kind, env[term.name])
            case "state":
                return self._there(term.kind, s[term.name])
            case "let":
                value, body = term.parts
                return self.term(body, s, {**env, term.bound: self.term(value, s, env, guard)}, guard)
            case "demand":
                test = self.term(term.parts[0], s, env, guard)
                self.crash(self.forms.no(test), guard, "require")
                return self.term(term.parts[1], s, env, (test, guard))
            case "and":
                return self._and(term.parts, s, env, guard)
            case "or":
                return self._or(term.parts, s, env, guard)
            case "choose":
                return self._choose(term, s, env, guard)
            case "unique":
                return self._unique(term, s, env, guard)
            case "call":
                return self._call(term.name, [self.term(part, s, env, guard) for part in term.parts], s, guard)
            case "element":
                return self._there(term.kind, self._element(term, s, env, guard))
            case "part":
                row = self.term(term.parts[0], s, env, guard) or ()
                found = self.places(term.parts[1], len(row), s, env, guard)
                return self.symbols.select((truth, row[place : place + _size(term.kind)]) for place, truth in found)
            case "loop":
                return self._loop(term, s, env, guard)
            case "lookup":
                values = self._table(term.name)
                found = self.places(term.parts[0], len(values), s, env, guard, absent=len(values) - 1)
                return self.symbols.select((truth, values[place]) for place, truth in found)
        return self._given(term, [self.term(part, s, env, guard) for part in term.parts])

    def _there(self, kind: Kind, value: Symbol) -> Symbol:
        """Return a value without its being absent, where a kind says that it is there; the set of no card is."""
        return value if kind.optional or kind.form == "set" else self.symbols.present(value)

    def _element(self, term: Term, s: Values, env: Env, guard: Guard) -> Symbol:
        """Return an element of a row; of one that has several sides the row along the last ones is found first."""
        row = self.term(term.parts[0], s, env, guard) or ()
        place, select = term.parts[1], self.symbols.select
        if place.op != "+":
            return select((truth, row[at]) for at, truth in self.places(place, len(row), s, env, guard))
        starts, steps = (self._parts(part, s, env, guard) for part in place.parts)
        columns = [
            (truth, select((here, row[start + step]) for start, here in starts if 0 <= start + step < len(row)))
            for step, truth in steps
        ]
        return select(columns)

    def places(
        self, place: Term, count: int, s: Values, env: Env, guard: Guard, absent: int | None = None
    ) -> list[tuple[int, Truth]]:
        """Return each place of a row that a term may give, with the truth that it does; `absent` is that of none."""
        options = dict(self._options(place, range(count), s, env, guard))
        if absent is not None and None in options:
            options[absent] = self.forms.either(options.get(absent, False), options[None])
        return [(number, options[number]) for number in range(count) if options.get(number, False) is not False]

    def _options(self, place: Term, numbers: range, s: Values, env: Env, guard: Guard) -> Mapping[Any, Truth]:
        """Return each number that a place may be, also where these are many."""
        if place.op not in PLAIN:
            return self.symbols.options(self.term(place, s, env, guard), numbers)
        one, two = (self._parts(part, s, env, guard) for part in place.parts)
        found: dict[Any, list[Truth]] = {}
        for (a, here), (b, there) in product(one, two):
            found.setdefault(PLAIN[place.op](a, b), []).append(self.forms.both(here, there))
        return {number: self.forms.any(truths) for number, truths in found.items()}

    def _parts(self, part: Term, s: Values, env: Env, guard: Guard) -> list[tuple[int, Truth]]:
        """Return each number that a part of a place may be, with the truth that it is."""
        low, high = part.kind.low, part.kind.high
        options = self._options(part, range(low, min(high, low + _MOST) + 1), s, env, guard)
        return [(number, truth) for number, truth in options.items() if number is not None]

    def _given(self, term: Term, parts: Sequence[Symbol]) -> Symbol:  # noqa: PLR0912 - an operation a case
        """Return what an operation gives for its parts."""
        forms, symbols = self.forms, self.symbols
        match term.op:
            case "not":
                return forms.no(parts[0])
            case "compare":
                return self._compare(term, *parts)
            case "contains":
                return self.member(parts[1], parts[0])
            case "+" | "-" | "*" | "//":
                return symbols.calculated(term.op, *parts)
            case "min" | "max":
                if not any(isinstance(part, Formula) for part in parts):
                    return symbols.map(min if term.op == "min" else max, *parts)
                return symbols.either_of(symbols.ordered("<=" if term.op == "min" else ">=", *parts), *parts)
            case "abs":
                less = symbols.calculated("-", 0, parts[0])
                return symbols.either_of(symbols.ordered(">=", parts[0], 0), parts[0], less)
            case "bounded":
                return parts[0]
            case "union" | "common" | "without":
                return self._joined(term.op, *parts)
            case "some":
                return forms.any(symbols.set(parts[0]).bits)
            case "size":
                return forms.linear((1, bit) for bit in symbols.set(parts[0]).bits)
            case "lowest":
                return self._first(symbols.items(symbols.set(parts[0])))
            case "place":
                return parts[0]
            case "trait":
                return symbols.map(self._table(term.name).__getitem__, parts[0])
            case "total":
                bits = symbols.set(parts[0]).bits
                return forms.linear(zip(self._table(term.name), bits, strict=True))
            case "peak" | "floor":
                numbers = self._table(term.name)
                rated = [(truth, numbers[card]) for truth, card in symbols.items(symbols.set(parts[0]))]
                return self._extreme("max" if term.op == "peak" else "min", rated, parts[1])
            case "best":
                numbers, items = self._table(term.name), symbols.items(symbols.set(parts[0]))
                return self._best(items, [{numbers[card]: truth} for truth, card in items])
            case "length":
                return forms.linear((1, truth) for truth, _ in symbols.items(parts[0]))
            case "list":
                items = [(True, part) for part in parts]
                return self._once(items) if term.name == "once" else Listing(tuple(items))
            case "range":
                return self._range(term, *parts)
        return self._of_pile(term, parts)

    def _of_pile(self, term: Term, parts: Sequence[Symbol]) -> Symbol:
        """Return what an operation on piles gives for its parts."""
        symbols = self.symbols
        if term.op == "spread":
            return symbols.set(symbols.stack(parts[0]))
        if term.op == "stack":
            return symbols.piled(symbols.set(parts[0]), ())
        slots = symbols.stack(parts[0]).slots
        match term.op:
            case "top":
                return slots[0] if slots else None
            case "bottom":
                return self._first([*reversed(symbols.items(Stack(slots)))])
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
        whole = self.forms.no(self.forms.any(truth for truth, _ in turned))
        found: Stack = self.symbols.select([*turned, (whole, Stack(tuple(slots)))])
        return found

    def _numbers(self, count: Symbol, most: int) -> list[tuple[int, Truth]]:
        """Return each number up to a greatest one that a value may be, with the truth that it is."""
        options = self.symbols.options(count, range(most + 1))
        return [(n, truth) for n, truth in options.items() if n is not None and 0 <= n <= most]

    # Values that stand fast -------------------------------------------------------------------------------------------

    def _constant(self, kind: Kind, value: Value) -> Symbol:
        """Return a value that is kept in a program; what is absent is None, a card its place."""
        if value is None or (kind.optional and value == absent(kind, len(self.symbols.cards))):
            return None
        if isinstance(value, tuple):
            element = Kind("card") if kind.form == "pile" else kind.element
            items = tuple(value if element is None else self._constant(element, one) for one in value)
            return Stack(items) if kind.form == "pile" else items
        if kind.form == "card":
            return int(value).bit_length() - 1 if value else None
        if kind.form == "set":
            return CardSet(tuple(bool(int(value) >> place & 1) for place in self.symbols.cards))
        return bool(value) if kind.form == "truth" else value

    def _table(self, name: str) -> tuple[Any, ...]:
        """Return a table that stands fast."""
        if name not in self._constants:
            constant = self.lowering.constants[name]
            self._constants[name] = tuple(self._constant(constant.kind, value) for value in constant.values)
        return self._constants[name]

    # Conditions -------------------------------------------------------------------------------------------------------

    def _and(self, conditions: Sequence[Term], s: Values, env: Env, guard: Guard) -> Truth:
        held: list[Truth] = []
        for condition in conditions:
            held.append(self.term(condition, s, env, guard))
            if held[-1] is False:
                return False
            guard = (held[-1], guard)
        return self.forms.all(held)

    def _or(self, conditions: Sequence[Term], s: Values, env: Env, guard: Guard) -> Truth:
        held: list[Truth] = []
        for condition in conditions:
            held.append(self.term(condition, s, env, guard))
            if held[-1] is True:
                return True
            guard = (self.forms.no(held[-1]), guard)
        return self.forms.any(held)

    def _choose(self, term: Term, s: Values, env: Env, guard: Guard) -> Symbol:
        test, yes, no = term.parts
        truth = self.term(test, s, env, guard)
        if isinstance(truth, bool):
            return self.term(yes if truth else no, s, env, guard)
        here = self.term(yes, s, env, (truth, guard))
        return self.symbols.either_of(truth, here, self.term(no, s, env, (self.forms.no(truth), guard)))

    def _unique(self, term: Term, s: Values, env: Env, guard: Guard) -> Symbol:
        whens = [self.term(when, s, env, guard) for when in term.parts[::2]]
        self.crash(self.forms.no(exactly_one(self.forms, whens)), guard, "unique")
        cases = [
            (when, self.term(then, s, env, (when, guard)))
            for when, then in zip(whens, term.parts[1::2], strict=True)
            if when is not False
        ]
        return self.symbols.select(cases)

    def _compare(self, term: Term, one: Symbol, two: Symbol) -> Truth:
        match term.name:
            case "==":
                return self.symbols.equal(one, two)
            case "<" | "<=" | ">" | ">=" as order:
                return self.symbols.ordered(order, one, two)
        return self.forms.no(self.symbols.equal(one, two))

    def member(self, one: Symbol, two: Symbol) -> Truth:
        """Return whether a value is among those of a set or a list."""
        forms, symbols = self.forms, self.symbols
        if isinstance(two, CardSet):
            options = symbols.options(one).items()
            return forms.any(forms.both(truth, two.bits[card]) for card, truth in options if card is not None)
        return forms.any(forms.both(truth, symbols.equal(one, item)) for truth, item in symbols.items(two))

    # Sets and lists ---------------------------------------------------------------------------------------------------

    def _joined(self, op: str, one: Symbol, two: Symbol) -> CardSet:
        forms = self.forms
        pairs = zip(self.symbols.set(one).bits, self.symbols.set(two).bits, strict=True)
        if op == "union":
            return CardSet(tuple(forms.either(a, b) for a, b in pairs))
        return CardSet(tuple(forms.both(a, b if op == "common" else forms.no(b)) for a, b in pairs))

    def _once(self, items: Items) -> Listing:
        """Return values without repetitions, each where it came first."""
        forms, symbols = self.forms, self.symbols
        kept: list[tuple[Truth, Symbol]] = []
        for truth, value in items:
            before = forms.any(forms.both(held, symbols.equal(value, other)) for held, other in kept)
            kept.append((forms.both(truth, forms.no(before)), value))
        return Listing(tuple((truth, value) for truth, value in kept if truth is not False))

    def _range(self, term: Term, low: Symbol, high: Symbol) -> Listing:
        element = term.kind.element
        if element is None or element.high - element.low >= _FEW:
            raise Untranslatable("a range of so many numbers")
        ordered = self.symbols.ordered
        items = (
            (self.forms.both(ordered("<=", low, n), ordered("<=", n, high)), n)
            for n in range(element.low, element.high + 1)
        )
        return Listing(tuple((truth, n) for truth, n in items if truth is not False))

    def _loop(self, term: Term, s: Values, env: Env, guard: Guard) -> Symbol:
        forms, symbols = self.forms, self.symbols
        if term.name == "best":
            return self._rated(term, s, env, guard)
        bodies = self._bodies(term, s, env, guard)
        match term.name:
            case "any":
                return forms.any([forms.both(truth, held) for truth, held in bodies])
            case "all":
                return forms.no(forms.any([forms.both(truth, forms.no(held)) for truth, held in bodies]))
            case "count":
                return forms.linear((1, forms.both(truth, held)) for truth, held in bodies)
            case "sum":
                return forms.linear((1, forms.pick(truth, symbols.number(held), 0)) for truth, held in bodies)
            case "first":
                return self._first(bodies)
            case "min" | "max":
                return self._extreme(term.name, bodies, self.term(term.parts[3], s, env, guard))
            case "gather":
                return self._once(bodies)
            case "union" | "sift":
                within = [(truth, symbols.set(held).bits) for truth, held in bodies]
                return CardSet(
                    tuple(
                        forms.any(forms.both(truth, bits[card]) for truth, bits in within if bits[card] is not False)
                        for card in symbols.cards
                    )
                )
        raise Untranslatable(f"the loop {term.name}")

    def _items(self, domain: Term, s: Values, env: Env, guard: Guard) -> Items:
        value = self.term(domain, s, env, guard)
        return self.symbols.items(self.symbols.set(value) if domain.kind.form in ("set", "card") else value)

    def _bodies(self, term: Term, s: Values, env: Env, guard: Guard) -> Items:
        """Return for each value of a domain the truth that a loop takes it, and what the body is there."""
        domain, condition, body, *_ = term.parts
        found: list[tuple[Truth, Symbol]] = []
        for truth, value in self._items(domain, s, env, guard):
            inside = {**env, term.bound: value}
            whole = self.forms.both(truth, self.term(condition, s, inside, (truth, guard)))
            if whole is not False:
                found.append((whole, self.term(body, s, inside, (whole, guard))))
                guard = self._further(term, guard, *found[-1])
        return found

    def _further(self, term: Term, guard: Guard, truth: Truth, held: Symbol) -> Guard:
        """Return what is known behind a value of a loop: one that may crash is not asked further than needed."""
        if term.total or term.name not in ("any", "all", "first"):
            return guard
        met = (
            truth
            if term.name == "first"
            else self.forms.both(truth, held if term.name == "any" else self.forms.no(held))
        )
        return (self.forms.no(met), guard)

    def _first(self, items: Items) -> Symbol:
        cases: list[tuple[Truth, Symbol]] = []
        before: list[Truth] = []
        for truth, value in items:
            cases.append((self.forms.all([truth, *before]), value))
            before.append(self.forms.no(truth))
        return self.symbols.select([*cases, (self.forms.all(before), None)])

    def _extreme(self, bound: str, items: Items, default: Symbol) -> Symbol:
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
            better = symbols.ordered(">" if bound == "max" else "<", value, made)
            made = symbols.either_of(forms.both(truth, forms.either(forms.no(some), better)), value, made)
            some = forms.either(some, truth)
        return made

    def _rated(self, term: Term, s: Values, env: Env, guard: Guard) -> Symbol:
        """Return the first value of a domain with the greatest key."""
        domain, _, key = term.parts
        reach = key.kind
        numbers = range(reach.low, reach.high + 1) if reach.high - reach.low < _FEW else None
        items = self._items(domain, s, env, guard)
        rated = []
        for truth, value in items:
            inside = self.term(key, s, {**env, term.bound: value}, (truth, guard))
            options = self.symbols.options(inside, numbers)
            rated.append({number: self.forms.both(truth, here) for number, here in options.items()})
        return self._best(items, rated)

    def _best(self, items: Items, rated: Sequence[Mapping[int, Truth]]) -> Symbol:
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

    # Routines ---------------------------------------------------------------------------------------------------------

    def _call(self, name: str, arguments: Sequence[Symbol], s: Values, guard: Guard) -> Symbol:
        """Return what a routine gives."""
        read = tuple(s[variable] for variable in self.reads(name))
        key = (name, tuple(map(key_of, arguments)), tuple(map(id, read)))
        if key not in self._memo:
            routine = self.lowering.routine(name)
            env = {own: value for (own, _), value in zip(routine.arguments, arguments, strict=True)}
            with self.noting() as noted:
                value = self.term(routine.body, s, env)
            self._memo[key] = (value, tuple(noted), (read, arguments))
        value, crashes, _ = self._memo[key]
        for crash in crashes:
            self.crash(crash.when, guard, crash.kind)
        return value

    def reads(self, name: str) -> tuple[str, ...]:
        """Return the variables that a routine reads, and those that it calls."""
        if name not in self._reads:
            self._reads[name] = tuple(sorted(self.lowering.reads(self.lowering.routine(name).body)))
        return self._reads[name]


def _size(kind: Kind) -> int:
    """Return how many elements an array has."""
    count = 1
    for side in kind.shape:
        count *= side
    return count


def exactly_one(forms: Forms, truths: Sequence[Truth]) -> Truth:
    """Return whether exactly one of some truths holds."""
    return forms.equal(forms.linear((1, truth) for truth in truths), 1)
