"""The declarations of a rule base, typed and with ids, clauses and places: records of expressions and effects."""

from __future__ import annotations

from collections.abc import Mapping

from brou.dataclass import dataclass, field
from brou.errors import BadAct, Place
from brou.language.copies import is_copy
from brou.language.effects import Effect
from brou.language.tree import BuiltinCall, Expression
from brou.language.types import Orders, Subsets, Type, Value


@dataclass(frozen=True, slots=True)
class Argument:
    """A named argument of a function or table."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Function:
    """A named expression; `clause` is empty for what modules share alone.

    An `exception` is the condition under which duties do not bind.
    """

    id: str
    arguments: tuple[Argument, ...]
    type: Type
    body: Expression
    requires: tuple[Expression, ...]
    clause: str
    say: Mapping[str, str]
    exception: bool = field(compare=False)
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a decision table; `when` is None in the last row of a `first` table (else)."""

    id: str
    when: Expression | None
    then: Expression
    clause: str
    code: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Table:
    """A decision table: `first` gives the first row that fires, `unique` the only one."""

    id: str
    arguments: tuple[Argument, ...]
    type: Type
    policy: str
    rows: tuple[Row, ...]
    requires: tuple[Expression, ...]
    clause: str
    say: Mapping[str, str]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an action with the values it ranges over; `code` refuses others."""

    id: str
    type: Type
    domain: Expression
    clause: str
    code: str
    place: Place = field(compare=False)

    @property
    def described(self) -> bool:
        """Say whether moves describe the values: orders, subsets and ranges of numbers are, others are listed."""
        ranged = isinstance(self.domain, BuiltinCall) and self.domain.name == "range"
        return isinstance(self.domain.type, (Orders, Subsets)) or ranged


@dataclass(frozen=True, slots=True)
class Action:
    """An action of the game: its seats, its parameters, its condition and its effects.

    `skill` says to which part of the game it belongs: play, announce, claim or deal.
    """

    id: str
    by: Expression
    by_clause: str
    by_code: str
    parameters: tuple[Parameter, ...]
    legal: Expression
    requires: tuple[Expression, ...]
    do: tuple[Effect, ...]
    clause: str
    code: str
    place: Place = field(compare=False)
    skill: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Phase:
    """A state of the course of play: automatic (`do`), a decision (`actions`), or the end."""

    id: str
    requires: tuple[Expression, ...]
    do: tuple[Effect, ...]
    actions: tuple[str, ...]
    final: bool
    clause: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the state, set back to `default` when its scope is reset."""

    id: str
    type: Type
    scope: str
    default: Value
    zone: bool
    clause: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Param:
    """A number of the rules, or a list of numbers: the only place that has it."""

    id: str
    value: int | tuple[int, ...] | tuple[tuple[int, ...], ...]
    clause: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A number that every card carries, by rank or by suit and rank."""

    id: str
    values: Mapping[str, int]
    clause: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Show:
    """What a view or a score shows: a `value`, a record of `fields`, or an `inner` show.

    An inner show is given once, or for each value of a domain (`flat`: lists of lists run together);
    `when` gives None (or leaves an element out) where it fails, `seen` leaves the whole key out.
    """

    id: str
    value: Expression | None = None
    fields: tuple[Show, ...] = ()
    inner: Show | None = None
    each: str = ""
    flat: bool = False
    domain: Expression | None = None
    when: Expression | None = None
    seen: Expression | None = None
    level: str = "may"
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Deck:
    """The pack: codes and names of suits and ranks, and the cards in canonical order.

    Where there are copies of each card that nobody can tell apart, a card bears behind its two letters the number of
    its copy, from the second one on. Outside stand the letters alone, its face.
    """

    suits: Mapping[str, str]
    ranks: Mapping[str, str]
    cards: tuple[str, ...]

    @property
    def copies(self) -> int:
        """Return how many there are of each card."""
        return next((number for number, card in enumerate(self.cards) if number and not is_copy(card)), len(self.cards))

    @property
    def faces(self) -> tuple[str, ...]:
        """Return each face once, in canonical order."""
        return self.cards[:: self.copies]


@dataclass(frozen=True, slots=True)
class Start:
    """How a play may begin elsewhere than at the first phase: its phase and the variables that may be given."""

    phase: str
    given: Mapping[str, str]
    deal: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """The texts for an expression of the rules: one for it, and for a condition also one for its failure.

    The arguments stand for any expressions in their places.
    """

    id: str
    arguments: tuple[Argument, ...]
    body: Expression
    say: Mapping[str, str]
    deny: Mapping[str, str]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Check:
    """A condition that a short entry must not meet: its clause and code, its text, and the entry to blame."""

    id: str
    when: Expression
    clause: str
    code: str
    say: Mapping[str, str]
    blames: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Deed:
    """An act of the game that belongs to an entry: who does it, with which parameters, and when it is done at all."""

    action: str
    by: Expression
    given: Mapping[str, Expression]
    when: Expression | None
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a deal in short form, written instead of its cards.

    It is given once, once for `each` member of a `domain`, or as often as needed (`many`); one that `settles` ends the
    deal. Its checks come first; then its effects, its acts, and the effects after them.
    """

    id: str
    each: str
    domain: Expression | None
    many: bool
    settles: bool
    parameters: tuple[Parameter, ...]
    checks: tuple[Check, ...]
    do: tuple[Effect, ...]
    acts: tuple[Deed, ...]
    then: tuple[Effect, ...]
    clause: str
    say: Mapping[str, str]
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Game:
    """A rule base, complete: one game, one edition, one set-up, one choice of readings.

    Its texts (`phrases`) and short entries (`summary`) do not affect play.
    """

    id: str
    seats: int
    teams: tuple[tuple[int, ...], ...]
    deck: Deck
    types: Mapping[str, Type]
    attributes: Mapping[str, Attribute]
    params: Mapping[str, Param]
    scopes: tuple[str, ...]
    state: Mapping[str, Variable]
    functions: Mapping[str, Function]
    tables: Mapping[str, Table]
    actions: Mapping[str, Action]
    phases: Mapping[str, Phase]
    view: tuple[Show, ...]
    score: tuple[Show, ...]
    invariants: Mapping[str, Expression]
    start: Start
    codes: Mapping[str, str]
    phrases: tuple[Phrase, ...] = ()
    summary: Mapping[str, Entry] = field(default_factory=dict)

    def check_seat(self, seat: object) -> None:
        """Raise `BadAct` for a seat that the game does not have."""
        if seat not in range(self.seats):
            raise BadAct(f"there is no seat {seat!r}; seats are 0 to {self.seats - 1}")
