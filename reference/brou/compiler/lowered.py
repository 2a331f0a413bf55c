"""The lowered form: a rule base as words and bit masks, from which code for any machine can be written.

A set of cards is a word with a bit for each card, a card the set that holds it
alone, no card the empty set. Suits, ranks, seats, teams and enumerated values
are their places in their lists. Functions are pure; acts and automatic phases
are straight steps on a state. `docs/lowered.md` is the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, TypeAlias, assert_never

from brou.dataclass import dataclass, field

#: The form of this form: it changes with the meaning of any operation.
FORMAT = "brou-core/1"

#: The number that stands for an absent number.
NO_NUMBER = -(1 << 31)
#: The place that stands for an absent member of a finite type.
NO_INDEX = -1


@dataclass(frozen=True, slots=True)
class Kind:
    """The representation of a term: number, index, truth, card, set, pile, list or array.

    Numbers and indexes lie from `low` to `high`; a list has elements of one kind, a list or pile at most `most` of
    them, an array so many along each side of its `shape`, the last side running fastest. An `optional` term may be
    absent.
    """

    form: str
    low: int = 0
    high: int = 0
    element: Kind | None = None
    shape: tuple[int, ...] = ()
    optional: bool = False
    most: int = 0


def may_be_absent(place: Kind) -> bool:
    """Say whether the index of a table lookup may be -1, the code of an absent value."""
    return place.optional or place.low < 0


Value: TypeAlias = "int | bool | None | tuple[Value, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A pure operation on terms; equal terms of one program are one object.

    `free` are the locals that it depends on, `total` says that it cannot crash, `needs` are the terms that may be
    absent and have to be there for it to have a meaning, `cost` is how many operations it takes.
    """

    op: str
    kind: Kind
    parts: tuple[Term, ...] = ()
    name: str = ""
    bound: str = ""
    value: Value = None
    free: frozenset[str] = frozenset()
    total: bool = True
    needs: frozenset[Term] = frozenset()
    cost: int = 1

    def __repr__(self) -> str:
        """Write the term a few operations deep; parts that many terms share would fill gigabytes."""
        return _write_briefly(self, _DEEPEST)


#: So many operations deep a term is written for a programmer.
_DEEPEST = 4


def _write_briefly(term: Term, depth: int) -> str:
    """Write a term as operation, name and parts, with `...` for deeper parts."""
    called = " ".join(str(part) for part in (term.op, term.name, term.bound, term.value) if part not in ("", None))
    if not term.parts:
        return called
    inside = ", ".join(_write_briefly(part, depth - 1) for part in term.parts) if depth else "..."
    return f"{called}({inside})"


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the state.

    put: `variable` (at the place `index`, if any) becomes `value` - let: the local `name` becomes `value` -
    demand: a crash with `name` unless `value` - loop: `body` for the local `name` in `value` - cases: the body of
    the first case that holds - reset: the variables of the scope `name` and of those inside it become their first
    values - goto: on to the phase `name` - open, only in what `finding` makes: the act `name` counts as often as
    `index` says for the seat and the values that `value` lists; `variable` says whether the last of them is a set of
    `cards`, any of which it may be, or the values are `described`.
    """

    op: str
    name: str = ""
    variable: str = ""
    index: Term | None = None
    value: Term | None = None
    body: tuple[Step, ...] = ()
    cases: tuple[tuple[Term | None, tuple[Step, ...]], ...] = ()
    #: What the rules file calls it: the effect, its clause.
    says: str = ""
    #: Which promise of the rules a demand holds them to: require, cards (that they lie there, or have room) or bounds.
    promise: str = ""

    @property
    def terms(self) -> tuple[Term, ...]:
        """Return its own terms, not those of steps inside it."""
        return tuple(term for term in (self.index, self.value, *(test for test, _ in self.cases)) if term is not None)


@dataclass(frozen=True, slots=True)
class Routine:
    """A function of the rules: pure, of the state and some arguments."""

    name: str
    arguments: tuple[tuple[str, Kind], ...]
    kind: Kind
    body: Term
    says: str
    #: What decides, row by row, of a table: each row with its clause.
    rows: tuple[str, ...] = ()

    @property
    def total(self) -> bool:
        """Say whether it cannot crash."""
        return self.body.total


@dataclass(frozen=True, slots=True)
class LoopLevel:
    """One loop on the way to the acts that are offered: the local goes through `domain`, and `guards` hold inside.

    Without a domain it is no loop, and the guards alone count.
    """

    local: str
    kind: Kind | None
    domain: Term | None
    guards: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class ActParameter:
    """A parameter of an act: a value is allowed if it lies in `domain`; a described one is given by its `bounds`.

    `form` is listed, orders (of the set in `domain`), subsets (of it, with least and greatest size in `bounds`) or
    range (from the first of `bounds` to the second).
    """

    name: str
    kind: Kind
    form: str
    domain: Term | None
    bounds: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class CoreAct:
    """An action: the seats that may take it (`by`, of the local me), its parameters, its condition and its steps.

    `offers` are the loops that lead to all that is offered; of a described act they end at the seat. `rows` are the
    rows of the tables that make it legal, each with its clause.
    """

    name: str
    by: Term
    choosing: tuple[ActParameter, ...]
    legal: Term
    offers: tuple[LoopLevel, ...]
    do: tuple[Step, ...]
    says: str
    rows: tuple[str, ...] = ()

    @property
    def described(self) -> bool:
        """Say whether the act is offered by a description of its values."""
        return any(item.form != "listed" for item in self.choosing)

    @property
    def locals(self) -> tuple[str, ...]:
        """Return the locals that stand for who acts, and with what."""
        return ("me", *(item.name for item in self.choosing))

    @property
    def terms(self) -> Iterator[Term]:
        """Yield the terms of seat, parameters and condition, not those of the steps."""
        yield from (self.by, self.legal)
        for item in self.choosing:
            yield from (item.bounds if item.domain is None else (item.domain, *item.bounds))
        for level in self.offers:
            yield from (level.guards if level.domain is None else (level.domain, *level.guards))


@dataclass(frozen=True, slots=True)
class Stage:
    """A phase: automatic (`do`), a decision between acts, or the end."""

    name: str
    do: tuple[Step, ...]
    acts: tuple[str, ...]
    final: bool
    says: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A variable of the state."""

    name: str
    kind: Kind
    scope: str
    default: Value


@dataclass(frozen=True, slots=True)
class Constant:
    """A table of the rules: a value of a kind for each place of an index, or for each card (`by_card`)."""

    name: str
    kind: Kind
    by_card: bool
    values: tuple[Value, ...]


# What is shown ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value as JSON has it, which its `kind` decides.

    Places of a type with names are written as these, which are under `members` in the members of the program;
    places of other types (seats, teams) are written as numbers.
    """

    form: ClassVar[str] = "value"
    value: Term
    kind: Kind
    members: str = ""


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """An object with these keys, in this order."""

    form: ClassVar[str] = "record"
    keys: tuple[ShownKey, ...]


@dataclass(frozen=True, slots=True)
class ShownOptional:
    """The inner entry, or null where a condition fails."""

    form: ClassVar[str] = "optional"
    condition: Term
    inner: Shown


@dataclass(frozen=True, slots=True)
class ShownList:
    """The inner entry for each value of a domain that meets a condition; `flat` runs inner lists together."""

    form: ClassVar[str] = "list"
    local: str
    domain: Term
    condition: Term
    inner: Shown
    flat: bool = False


@dataclass(frozen=True, slots=True)
class Withheld:
    """The inner entry; where a condition fails, the key or the element of a list is left out."""

    form: ClassVar[str] = "withheld"
    condition: Term
    inner: Shown


Shown: TypeAlias = ShownValue | ShownRecord | ShownOptional | ShownList | Withheld


@dataclass(frozen=True, slots=True)
class ShownKey:
    """A key of an object and its entry; `says` is the label that the rules give a key of the score or the view."""

    name: str
    shown: Shown
    says: str = ""


@dataclass(frozen=True, slots=True)
class Invariant:
    """A condition that holds in every state that a match comes to."""

    name: str
    holds: Term


# The whole ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Program:
    """A whole rule base in the lowered form, or the part of it that is played, or the part that is only asked."""

    game: str
    seats: int
    cards: tuple[str, ...]
    scopes: tuple[str, ...]
    #: What the places of suits, ranks and enumerated values are called.
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    constants: Mapping[str, Constant] = field(default_factory=dict)
    cells: Mapping[str, Cell] = field(default_factory=dict)
    routines: Mapping[str, Routine] = field(default_factory=dict)
    acts: Mapping[str, CoreAct] = field(default_factory=dict)
    stages: Mapping[str, Stage] = field(default_factory=dict)
    score: tuple[ShownKey, ...] = ()
    #: What the seat that is the local `me` sees.
    view: tuple[ShownKey, ...] = ()
    invariants: tuple[Invariant, ...] = ()

    @property
    def steps(self) -> Iterator[Step]:
        """Yield every step, those inside others too."""
        return every_step(self.acts.values(), self.stages.values())

    @property
    def terms(self) -> Iterator[Term]:
        """Yield every term and its parts, each once."""
        bodies = (routine.body for routine in self.routines.values())
        return every_part((*bodies, *whole_terms(self.acts.values(), self.stages.values()), *self.asked_terms))

    @property
    def asked_terms(self) -> Iterator[Term]:
        """Yield the terms of score, view and invariants, without their parts."""
        for shown in every_shown((*self.score, *self.view)):
            yield from shown_terms(shown)
        yield from (invariant.holds for invariant in self.invariants)


# Going through it ---------------------------------------------------------------


def every_step(acts: Iterable[CoreAct], stages: Iterable[Stage]) -> Iterator[Step]:
    """Yield the steps of acts and stages, those inside others too."""
    return every_inner(step for done in (*(act.do for act in acts), *(stage.do for stage in stages)) for step in done)


def every_inner(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield steps, those inside others too."""
    waiting = list(steps)
    while waiting:
        step = waiting.pop()
        yield step
        waiting += inner_steps(step)


def inner_steps(step: Step) -> tuple[Step, ...]:
    """Return the steps inside a step, without those inside them."""
    return (*step.body, *(inner for _, body in step.cases for inner in body))


def whole_terms(acts: Iterable[CoreAct], stages: Iterable[Stage]) -> Iterator[Term]:
    """Yield the terms of acts and stages, without their parts."""
    acts = tuple(acts)
    for act in acts:
        yield from act.terms
    for step in every_step(acts, stages):
        yield from step.terms


def every_shown(keys: Iterable[ShownKey]) -> Iterator[Shown]:
    """Yield the entries under some keys, and all entries inside them."""
    waiting = [key.shown for key in keys]
    while waiting:
        shown = waiting.pop()
        yield shown
        match shown:
            case ShownValue():
                pass
            case ShownRecord():
                waiting += [key.shown for key in shown.keys]
            case ShownOptional() | ShownList() | Withheld():
                waiting.append(shown.inner)
            case _:
                assert_never(shown)


def shown_terms(shown: Shown) -> tuple[Term, ...]:
    """Return the terms of an entry itself, without their parts and without those of inner entries."""
    match shown:
        case ShownValue():
            return (shown.value,)
        case ShownRecord():
            return ()
        case ShownOptional() | Withheld():
            return (shown.condition,)
        case ShownList():
            return shown.domain, shown.condition
        case _:
            assert_never(shown)


def every_part(terms: Iterable[Term]) -> Iterator[Term]:
    """Yield terms and all that they are made of, each once."""
    waiting, seen = list(terms), set[Term]()
    while waiting:
        term = waiting.pop()
        if term not in seen:
            seen.add(term)
            yield term
            waiting += term.parts
