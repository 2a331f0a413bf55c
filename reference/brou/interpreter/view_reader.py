"""Reads views back: from a seat's view to the states behind it.

A view shows expressions of the state. Where one is a variable, an element, a number of cards, a choice between such or
a list of them, the shown value is put back into the cells it comes from; where that needs a value that is not shown
(the number of the trick, say), every possible one is tried. An expression that cannot be read back is passed over: less
is known then, and never anything wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

from brou.dataclass import dataclass
from brou.errors import Crash, Impossible
from brou.interpreter.evaluate import Evaluator
from brou.interpreter.machine import Machine
from brou.interpreter.partial import Cell, Knowledge, Partial, Unsure
from brou.language.codec import Json, NoSuchValue, read, read_each
from brou.language.operations import Given, Meaning, MeaningOf, place_of
from brou.language.reach import variables
from brou.language.syntax import Show
from brou.language.tree import And, BuiltinCall, Call, Compare, Expression, If, Index, Not, Or, VariableUse
from brou.language.types import Array, Cards, Domain, Pile, Type, Value, as_number, cards_of

#: What evaluation raises in a state that no game comes to.
NOWHERE = (Crash, LookupError, TypeError, ValueError, AttributeError)
#: How many cases the keys of a view may leave open, and how many steps reading them back may take.
_MOST_CASES, _MOST_STEPS = 128, 3000


@dataclass(frozen=True, slots=True)
class Here:
    """The locals where an expression stands: the place of each name, and the values."""

    env: Mapping[str, int]
    frame: tuple[Value, ...]

    def bind(self, name: str, value: Value) -> Here:
        """Return the locals with one more."""
        slot = max(self.env.values(), default=-1) + 1
        return Here({**self.env, name: slot}, (*self.frame, value))


#: An expression, by its identity, and the places of the locals where it stands.
_Written: TypeAlias = tuple[int, tuple[tuple[str, int], ...]]


class _Unreadable(Exception):
    """A key of a view cannot be read back."""


class ViewReader:
    """Reads the views of one game back, within a number of steps; make a new reader for each call of `read`."""

    def __init__(self, machine: Machine) -> None:
        self.game, self.evaluator = machine.game, machine.evaluator
        self._meanings = _meanings(machine)
        self._steps = 0

    def read(
        self, position: Mapping[str, Json], seat: int, wanted: Iterable[str], *, narrow: bool = False
    ) -> list[Knowledge]:
        """Return the cases that a seat's view leaves of the variables that are wanted, and of those they hang on.

        Raise `Impossible` if no state shows what the view has.
        """
        cases = [Knowledge(self.game)]
        first = frozenset(wanted)
        for show in self._useful(position, first):
            if narrow and not self._is_near(show, first):
                continue
            found: dict[tuple[object, ...], Knowledge] = {}
            try:
                for known in cases:
                    for case in islice(
                        self._match(show, Here({"me": 0}, (seat,)), position[show.id], known), _MOST_CASES
                    ):
                        found[_key(case)] = case
                        if len(found) >= _MOST_CASES:
                            raise _Unreadable
            except _Unreadable:
                continue
            if not found:
                raise Impossible(f"no game comes to this position: nothing else that it says fits its {show.id}")
            cases = list(found.values())
        return cases

    def _useful(self, position: Mapping[str, Json], wanted: frozenset[str]) -> list[Show]:
        """Return the keys that tell of the variables wanted, and of those by which these can be read; lists last."""
        shows = {show.id: show for show in self.game.view if show.id in position}
        used: list[str] = []
        while True:
            new = [
                name for name in shows if name not in used and variables(self.game, _expressions(shows[name])) & wanted
            ]
            if not new:
                return sorted((shows[name] for name in used), key=lambda show: bool(show.each))
            used += new
            wanted = wanted.union(*(variables(self.game, _expressions(shows[name])) for name in new))

    def _is_near(self, show: Show, wanted: frozenset[str]) -> bool:
        """Say whether a key depends on little beside the wanted variables, and holds no nested lists."""
        nested = show.inner is not None and bool(show.inner.each)
        return not nested and len(variables(self.game, _expressions(show)) - wanted) <= 1

    # Shows ----------------------------------------------------------------------

    def _match(self, show: Show, here: Here, given: Json, known: Knowledge) -> Iterator[Knowledge]:
        """Yield the knowledge under which a show gives this value."""
        for case in self.assume(show.seen, here, known) if show.seen is not None else (known,):
            if show.value is not None:
                yield from self._match_value(show.value, here, given, case)
            elif show.inner is None:
                yield from self._match_record(show, here, given, case)
            elif show.domain is None:
                yield from self._optional(show, show.inner, here, given, case)
            elif isinstance(given, list):
                yield from (last for last, left in self._match_items(show, here, given, case) if not left)
            else:
                raise _unlike(show, "a list", given)

    def _match_value(self, value: Expression, here: Here, given: Json, known: Knowledge) -> Iterator[Knowledge]:
        if isinstance(value.type, Domain):
            yield known
            return
        try:
            meant = self._read(value.type, given, known)
        except NoSuchValue:
            return
        for wanted in meant:
            yield from self.invert(value, wanted, here, known)

    def _read(self, type_: Type, given: Json, known: Knowledge) -> Sequence[Value]:
        """Return the values that a shown one may be: of copies of a card those that may lie where it is shown."""
        deck = self.game.deck
        if deck.copies == 1:
            return [read(type_, given, deck)]
        seen = {card for value in known.values.values() for card in cards_of(value)}
        found = [*islice(read_each(type_, given, deck, seen), _MOST_CASES)]
        if len(found) == _MOST_CASES:
            raise _Unreadable
        return found

    def _match_record(self, show: Show, here: Here, given: Json, known: Knowledge) -> Iterator[Knowledge]:
        if not isinstance(given, dict):
            raise _unlike(show, "an object", given)
        cases: Iterable[Knowledge] = (known,)
        for part in show.fields:
            if part.id in given:
                cases = self._each_matched(part, here, given[part.id], cases)
        yield from cases

    def _each_matched(self, show: Show, here: Here, given: Json, cases: Iterable[Knowledge]) -> Iterator[Knowledge]:
        for case in cases:
            yield from self._match(show, here, given, case)

    def _optional(self, show: Show, inner: Show, here: Here, given: Json, known: Knowledge) -> Iterator[Knowledge]:
        if given is None and show.when is not None:
            yield from self.assume(show.when, here, known, truth=False)
        if given is not None or inner.value is not None:
            for case in self.assume(show.when, here, known) if show.when is not None else (known,):
                yield from self._match(inner, here, given, case)

    def _match_items(
        self, show: Show, here: Here, items: Sequence[Json], known: Knowledge
    ) -> Iterator[tuple[Knowledge, Sequence[Json]]]:
        """Yield the knowledge under which a show gives the first of some items, with the items that are left."""
        if show.domain is None or show.inner is None:
            raise _Unreadable
        through = self._meanings.members(show.domain, here.env)
        for members, case in self._try_cases(through, here, known):
            places = [here.bind(show.each, member) for member in members]
            yield from self._members(show, show.inner, places, items, case)

    def _members(
        self, show: Show, inner: Show, members: Sequence[Here], items: Sequence[Json], known: Knowledge
    ) -> Iterator[tuple[Knowledge, Sequence[Json]]]:
        self._count()
        if not members:
            yield known, items
            return
        here, rest = members[0], members[1:]
        if inner.seen is not None:
            raise _Unreadable
        for case in self.assume(show.when, here, known) if show.when is not None else (known,):
            if show.flat:
                for one, left in self._match_items(inner, here, items, case):
                    yield from self._members(show, inner, rest, left, one)
            elif items:
                for one in self._match(inner, here, items[0], case):
                    yield from self._members(show, inner, rest, items[1:], one)
        if show.when is not None:
            for case in self.assume(show.when, here, known, truth=False):
                yield from self._members(show, inner, rest, items, case)

    # Expressions ------------------------------------------------------------------

    def invert(self, expression: Expression, value: Value, here: Here, known: Knowledge) -> Iterator[Knowledge]:
        """Yield the knowledge under which an expression has a value."""
        self._count()
        match expression:
            case VariableUse() | Index():
                yield from self._put(expression, here, known, lambda case, cell: case.bind(cell, value))
            case If():
                for branch, truth in ((expression.then, True), (expression.other, False)):
                    for case in self.assume(expression.test, here, known, truth=truth):
                        yield from self.invert(branch, value, here, case)
            case And() | Or() | Not() | Compare():
                yield from self.assume(expression, here, known, truth=bool(value))
            case BuiltinCall(name="len", arguments=(counted,)) if _is_cards(counted):
                yield from self._put(counted, here, known, lambda case, cell: case.count(cell, as_number(value)))
            case Call(name=name) if name in self.game.functions:
                for inside, case in self._enter(expression, here, known):
                    yield from self.invert(self.game.functions[name].body, value, inside, case)
            case _:
                yield from self._filter(expression, lambda found: found == value, here, known)

    def assume(
        self, expression: Expression, here: Here, known: Knowledge, *, truth: bool = True
    ) -> Iterator[Knowledge]:
        """Yield the knowledge under which a condition holds, or fails."""
        self._count()
        match expression:
            case Not():
                yield from self.assume(expression.condition, here, known, truth=not truth)
            case VariableUse() | Index():
                yield from self._put(expression, here, known, lambda case, cell: case.bind(cell, truth))
            case And() | Or():
                join = self._all if isinstance(expression, And) == truth else self._any
                yield from join(expression.conditions, here, known, truth=truth)
            case Compare(operator=("==" | "!=") as operator, left=one, right=two):
                yield from self._equal((one, two), here, known, same=(operator == "==") == truth)
            case Call(name=name) if name in self.game.functions:
                for inside, case in self._enter(expression, here, known):
                    yield from self.assume(self.game.functions[name].body, inside, case, truth=truth)
            case _:
                yield from self._filter(expression, lambda found: bool(found) == truth, here, known)

    def _all(self, parts: Sequence[Expression], here: Here, known: Knowledge, *, truth: bool) -> Iterator[Knowledge]:
        """Yield the knowledge under which all parts have a truth value."""
        if not parts:
            yield known
            return
        for case in self.assume(parts[0], here, known, truth=truth):
            yield from self._all(parts[1:], here, case, truth=truth)

    def _any(self, parts: Sequence[Expression], here: Here, known: Knowledge, *, truth: bool) -> Iterator[Knowledge]:
        """Yield the knowledge under which any part has a truth value, part by part; the cases may overlap."""
        if any(next(self.assume(part, here, known, truth=not truth), None) is None for part in parts):
            yield known
            return
        for part in parts:
            yield from self.assume(part, here, known, truth=truth)

    def _equal(self, parts: Sequence[Expression], here: Here, known: Knowledge, *, same: bool) -> Iterator[Knowledge]:
        for one, other in (parts, reversed(parts)):
            try:
                value = self._value(other, here, known)
            except Unsure:
                continue
            except NOWHERE:
                return
            yield from self.invert(one, value, here, known) if same else self._differing(one, value, here, known)
            return
        yield known

    def _differing(self, expression: Expression, value: Value, here: Here, known: Knowledge) -> Iterator[Knowledge]:
        """Yield the knowledge under which an expression has another value than this."""
        if isinstance(expression, (VariableUse, Index)) and not isinstance(expression.type, Array):
            yield from self._put(expression, here, known, lambda case, cell: case.exclude(cell, value))
        else:
            yield from self._filter(expression, lambda found: found != value, here, known)

    def _filter(
        self, expression: Expression, fits: Callable[[Value], bool], here: Here, known: Knowledge
    ) -> Iterator[Knowledge]:
        """Yield the knowledge, unless the expression can be evaluated and does not fit."""
        try:
            if fits(self._value(expression, here, known)):
                yield known
        except Unsure:
            yield known
        except NOWHERE:
            return

    def evaluate(self, expression: Expression, here: Here, known: Knowledge) -> Iterator[tuple[Value, Knowledge]]:
        """Yield the values of an expression, each with the knowledge under which it has it."""
        return self._try_cases(self._meanings.value(expression, here.env), here, known)

    def _try_cases(self, meaning: MeaningOf[Given], here: Here, known: Knowledge) -> Iterator[tuple[Given, Knowledge]]:
        """Yield the possible results of a meaning, each with the knowledge under which it gives it."""
        self._count()
        try:
            found = meaning(Partial(known), list(here.frame))
        except Unsure as unsure:
            cases = known.split(unsure.cell)
            if cases is None:
                raise _Unreadable from unsure
            for case in cases:
                yield from self._try_cases(meaning, here, case)
        except NOWHERE:
            return
        else:
            yield found, known

    def _put(
        self,
        expression: Expression,
        here: Here,
        known: Knowledge,
        put: Callable[[Knowledge, Cell], Knowledge | None],
    ) -> Iterator[Knowledge]:
        """Yield the knowledge once something is put into the cell that an expression names."""
        for cell, case in self._cells(expression, here, known):
            after = put(case, cell)
            if after is not None:
                yield after

    def _cells(self, expression: Expression, here: Here, known: Knowledge) -> Iterator[tuple[Cell, Knowledge]]:
        """Yield the cells that an expression may name, each with the knowledge under which it does."""
        if isinstance(expression, VariableUse):
            yield (expression.name, ()), known
            return
        if not isinstance(expression, Index):
            raise _Unreadable
        for (name, path), case in self._cells(expression.array, here, known):
            for key, last in self.evaluate(expression.key, here, case):
                if key is not None:
                    yield (name, (*path, place_of(expression.whole.index, key))), last

    def _enter(self, call: Call, here: Here, known: Knowledge) -> Iterator[tuple[Here, Knowledge]]:
        """Yield the locals inside a function, with the knowledge under which its arguments have these values."""
        cases = [(Here({}, ()), known)]
        for argument, part in zip(self.game.functions[call.name].arguments, call.arguments, strict=True):
            cases = [
                (inside.bind(argument.name, value), after)
                for inside, case in cases
                for value, after in self.evaluate(part, here, case)
            ]
        yield from cases

    def _value(self, expression: Expression, here: Here, known: Knowledge) -> Value:
        return self._meanings.value(expression, here.env)(Partial(known), list(here.frame))

    def _count(self) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise _Unreadable


class _Meanings:
    """The meanings of a game's expressions found so far; the machine holds the expressions."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._values: dict[_Written, Meaning] = {}
        self._members: dict[_Written, MeaningOf[Sequence[Value]]] = {}

    def value(self, expression: Expression, env: Mapping[str, int]) -> Meaning:
        """Return the meaning of an expression."""
        key = id(expression), tuple(env.items())
        if key not in self._values:
            self._values[key] = self._evaluator.expression(expression, env)
        return self._values[key]

    def members(self, expression: Expression, env: Mapping[str, int]) -> MeaningOf[Sequence[Value]]:
        """Return the meaning of an expression that is gone through."""
        key = id(expression), tuple(env.items())
        if key not in self._members:
            self._members[key] = self._evaluator.members(expression, env)
        return self._members[key]


@lru_cache(maxsize=64)
def _meanings(machine: Machine) -> _Meanings:
    return _Meanings(machine.evaluator)


def _key(known: Knowledge) -> tuple[object, ...]:
    return frozenset(known.values.items()), frozenset(known.among.items()), frozenset(known.sizes.items())


def _unlike(show: Show, wanted: str, given: Json) -> Impossible:
    return Impossible(f"the position's {show.id or 'elements'}: {wanted} is wanted, not {given!r}"[:200])


def _is_cards(expression: Expression) -> bool:
    return isinstance(expression, (VariableUse, Index)) and isinstance(expression.type, (Cards, Pile))


def _expressions(show: Show) -> Iterator[Expression]:
    """Yield the expressions of a show: its value, its conditions and its domains."""
    yield from (part for part in (show.seen, show.when, show.domain) if part is not None)
    if show.value is not None:
        yield show.value
    for part in (*show.fields, *([show.inner] if show.inner is not None else [])):
        yield from _expressions(part)
