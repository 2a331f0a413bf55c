"""Terms of the lowered form as formulas: the value of each in an unknown state, with unknown locals.

Where a program would crash, the translator notes a truth that tells when. A routine is translated once for the same
arguments and the same values of the variables that it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from brou import Action, Expression, Game, Phase, Row, Table
from brou.compiler import Kind, Step, Term
from brou.compiler.cse_steps import share_steps
from brou.compiler.lower import Lowering
from brou.compiler.lower_kinds import places
from brou_tools.smt.formula import Forms, Truth
from brou_tools.smt.operations import Items, SymbolicOperations, within
from brou_tools.smt.symbols import PLAIN, Symbol, Symbols, Untranslatable, Values, key_of

Env: TypeAlias = Mapping[str, Symbol]
#: The conditions around a term, the innermost first.
Guard: TypeAlias = "tuple[Truth, Guard] | None"


@dataclass(frozen=True, slots=True)
class CrashCondition:
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
        self.given = SymbolicOperations(self.symbols, self.lowering.constants)
        self.crashes: list[CrashCondition] = []
        self._memo: dict[Any, tuple[Symbol, tuple[CrashCondition, ...], Any]] = {}
        self._reads: dict[str, tuple[str, ...]] = {}
        self._lowered: dict[int, tuple[Term, Expression]] = {}
        self._done: dict[tuple[str, str], tuple[Step, ...]] = {}

    def copy(self) -> Translator:
        """Return a translator with the translations so far; later ones are its own."""
        made = Translator(self.game, self.forms.copy(), self.lowering)
        made._memo.update(self._memo)
        made._lowered, made._done = self._lowered, self._done
        return made

    # Expressions ------------------------------------------------------------------------------------------------------

    def expression(self, e: Expression, s: Values, env: Env, guard: Guard = None) -> Symbol:
        """Return the symbol of an expression in a state, with these locals."""
        if id(e) not in self._lowered:
            # The expression is kept beside its term: as long as it lives, nothing else can have its id.
            self._lowered[id(e)] = self.lowering.expression(e), e
        return self.term(self._lowered[id(e)][0], s, env, guard)

    def holds(self, e: Expression, s: Values, env: Env, guard: Guard = None) -> Truth:
        """Return whether a condition holds."""
        truth: Truth = self.expression(e, s, env, guard)
        return truth

    def list_fired(self, table: Table, s: Values, env: Env) -> list[tuple[Truth, Row]]:
        """Return each row of a table with the truth that it fires: in a `first` table the rows above do not."""
        found: list[tuple[Truth, Row]] = []
        before: list[Truth] = []
        for row in table.rows:
            known: Guard = None
            if table.policy == "first":
                for truth in before:
                    known = (truth, known)
            test = True if row.when is None else self.holds(row.when, s, env, known)
            found.append((self.forms.all([test, *before]) if table.policy == "first" else test, row))
            before.append(self.forms.no(test))
        return found

    def lower_steps(self, record: Action | Phase) -> tuple[Step, ...]:
        """Return the steps of an action or a phase."""
        name = (type(record).__name__, record.id)
        if name not in self._done:
            steps = self.lowering.lower_effects(record)
            self._done[name] = share_steps(self.lowering.terms, steps, self.lowering.reads)
        return self._done[name]

    # Crashes ----------------------------------------------------------------------------------------------------------

    def crash(self, when: Truth, guard: Guard, kind: str) -> None:
        """Note when something would break a promise."""
        conditions = [when]
        while guard is not None:
            conditions.append(guard[0])
            guard = guard[1]
        # The interpreter comes here only where all conditions around the place hold, so only there does it crash.
        whole = self.forms.all(conditions)
        if whole is not False:
            self.crashes.append(CrashCondition(whole, kind))

    @contextmanager
    def noting(self) -> Iterator[list[CrashCondition]]:
        """Collect the crashes of terms translated inside, and no others."""
        outer, self.crashes = self.crashes, []
        try:
            yield self.crashes
        finally:
            self.crashes = outer

    # Terms ------------------------------------------------------------------------------------------------------------

    def term(self, term: Term, s: Values, env: Env, guard: Guard = None) -> Symbol:  # noqa: PLR0912 - an operation a case
        """Return the symbol of a term in a state, with these locals."""
        match term.op:
            case "const":
                return self.given.constant(term.kind, term.value)
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
            case "and" | "or":
                return self._conditions(term, s, env, guard)
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
                parts = ((truth, row[place : place + places(term.kind.shape)]) for place, truth in found)
                return self._there(term.kind, self.symbols.select(parts))
            case "loop":
                return self._loop(term, s, env, guard)
            case "lookup":
                values = self.given.table(term.name)
                found = self.places(term.parts[0], len(values), s, env, guard, absent=len(values) - 1)
                return self._there(term.kind, self.symbols.select((truth, values[place]) for place, truth in found))
        return self.given.operation(term, [self.term(part, s, env, guard) for part in term.parts])

    def _there(self, kind: Kind, value: Symbol) -> Symbol:
        """Return a value as one that cannot be absent, where its kind says so; a set of cards never is.

        Rules that have no value at all crash, and the crash is noted; the stand-in has the form of a value and nothing
        reads it.
        """
        if value is None and not kind.optional:
            return self.given.stand_in(kind)
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

    def _options(self, place: Term, numbers: range | None, s: Values, env: Env, guard: Guard) -> Mapping[Any, Truth]:
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
        options = self._options(part, within(part.kind), s, env, guard)
        return [(number, truth) for number, truth in options.items() if number is not None]

    # Conditions -------------------------------------------------------------------------------------------------------

    def _conditions(self, term: Term, s: Values, env: Env, guard: Guard) -> Truth:
        """Return whether all conditions hold, or one, each asked where those before it leave that open."""
        every, held = term.op == "and", list[Truth]()
        for condition in term.parts:
            held.append(self.term(condition, s, env, guard))
            # The outcome is known, and the interpreter stops here: what stands behind is not evaluated and notes no
            # crash.
            if held[-1] is not every and isinstance(held[-1], bool):
                return held[-1]
            guard = (held[-1] if every else self.forms.no(held[-1]), guard)
        return self.forms.all(held) if every else self.forms.any(held)

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
        return self._there(term.kind, self.symbols.select(cases))

    # Loops ------------------------------------------------------------------------------------------------------------

    def _loop(self, term: Term, s: Values, env: Env, guard: Guard) -> Symbol:
        forms, symbols = self.forms, self.symbols
        if term.name == "best":
            return self._find_best(term, s, env, guard)
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
                return self.given.first(bodies)
            case "min" | "max":
                return self.given.extreme(term.name, bodies, self.term(term.parts[-1], s, env, guard))
            case "gather":
                return self.given.once(bodies)
            case "union" | "sift":
                return self.given.gather(bodies)
        raise Untranslatable(f"the loop {term.name}")

    def _items(self, domain: Term, s: Values, env: Env, guard: Guard) -> Items:
        value = self.term(domain, s, env, guard)
        return self.symbols.items(self.symbols.set(value) if domain.kind.form in ("set", "card") else value)

    def _bodies(self, term: Term, s: Values, env: Env, guard: Guard) -> Items:
        """Return for each value of a domain the truth that a loop takes it, and the body there."""
        domain, condition, body, *_ = term.parts
        found: list[tuple[Truth, Symbol]] = []
        for truth, value in self._items(domain, s, env, guard):
            inside = {**env, term.bound: value}
            whole = self.forms.both(truth, self.term(condition, s, inside, (truth, guard)))
            # The body is defined only where the condition holds, so it is translated behind it.
            if whole is not False:
                found.append((whole, self.term(body, s, inside, (whole, guard))))
                guard = self._further(term, guard, *found[-1])
        return found

    def _further(self, term: Term, guard: Guard, truth: Truth, held: Symbol) -> Guard:
        """Return the guard behind a value of a loop: a loop that may crash ends at the first value that decides it."""
        if term.total or term.name not in ("any", "all", "first"):
            return guard
        ends = {"any": held, "all": self.forms.no(held)}[term.name] if term.name != "first" else True
        met = self.forms.both(truth, ends)
        return (self.forms.no(met), guard)

    def _find_best(self, term: Term, s: Values, env: Env, guard: Guard) -> Symbol:
        """Return the first value of a domain with the greatest key."""
        domain, _, key = term.parts
        items = self._items(domain, s, env, guard)
        rated = []
        for truth, value in items:
            inside = self.term(key, s, {**env, term.bound: value}, (truth, guard))
            options = self.symbols.options(inside, within(key.kind))
            rated.append({number: self.forms.both(truth, here) for number, here in options.items()})
        return self.given.best(items, rated)

    # Routines ---------------------------------------------------------------------------------------------------------

    def _call(self, name: str, arguments: Sequence[Symbol], s: Values, guard: Guard) -> Symbol:
        """Return the result of a routine."""
        read = tuple(s[variable] for variable in self.reads(name))
        key = (name, tuple(map(key_of, arguments)), tuple(map(id, read)))
        if key not in self._memo:
            routine = self.lowering.routine(name)
            env = {own: value for (own, _), value in zip(routine.arguments, arguments, strict=True)}
            # Translated without what surrounds the call, it serves every caller. The crashes are noted for each call
            # with the conditions around it.
            with self.noting() as noted:
                value = self.term(routine.body, s, env)
            # The values are kept, too: they are known by their ids, which must not be given to others.
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


def exactly_one(forms: Forms, truths: Sequence[Truth]) -> Truth:
    """Return whether exactly one of some truths holds."""
    return forms.equal(forms.linear((1, truth) for truth in truths), 1)
