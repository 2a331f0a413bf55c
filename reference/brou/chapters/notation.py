"""The shape of every file of a game in chapters, stated once: frozen classes that files are decoded into.

The JSON Schemas of the files are made from the same classes (`decode.schema`). What a class says of a key is all that
the shape says; what the keys mean together is decided in `rules`. Keys are in the order in which they are written
(`list_keys`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Generic, TypeVar

from msgspec import Meta, Struct, field
from msgspec.structs import fields

from brou.chapters.tokens import (
    NOTHING,
    ActSkill,
    ClauseKind,
    ClauseStatus,
    Confidence,
    Expectation,
    ObligationKind,
    Observation,
    RefusalCode,
    Snippet,
    Token,
    Tokens,
    ViewLevel,
)
from brou.language.node import Node

#: The formats of the files.
GAME, CHAPTER, SHEET, WORDS = "brou-game/2", "brou-chapter/2", "brou-sheet/2", "brou-words/2"
PRELUDE, PACKS = "brou-prelude/2", "brou-packs/2"
_Content = TypeVar("_Content")


class Shape(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mapping of a file; keys that it does not know are faults."""

    #: The field behind which the fields of the class above stand, where they do not stand first.
    inherits_behind: ClassVar[str] = ""


class DomainForm(Shape, frozen=True, kw_only=True):
    """What a parameter of an act ranges over, and how a value outside of it is refused."""

    within: Snippet = field(name="in")
    code: RefusalCode | None = None
    clause: Token | None = None


class ActorsForm(Shape, frozen=True, kw_only=True):
    """The seats that may do an act, and how others are refused."""

    who: Snippet
    clause: Token | None = None
    code: RefusalCode | None = None


class Alternative(Generic[_Content]):
    """A place of a file that may hold several shapes; `decode` tells them apart."""

    __slots__ = ("content",)

    def __init__(self, content: _Content) -> None:
        self.content = content

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.content == self.content

    def __hash__(self) -> int:
        return hash((type(self), repr(self.content)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.content!r})"


class DomainEntry(Alternative[DomainForm]):
    """The domain of a parameter: a mapping, or its expression alone."""

    __slots__ = ()


class ActorsEntry(Alternative[ActorsForm]):
    """The value of `by`: a mapping, or only the expression of its key `who`."""

    __slots__ = ()


class PictureForm(Shape, frozen=True, kw_only=True):
    """What a key of the view or the score shows, once or for each member of one domain or of two."""

    each: Token | None = None
    loop: Token | None = field(name="for", default=None)
    when: Snippet | None = None
    show: ShownEntry
    seen: Snippet | None = None
    level: ViewLevel | None = None
    clause: Token | None = None


class ShownEntry(Alternative["Snippet | PictureForm | Mapping[str, ShownEntry]"]):
    """The value of a key of the view or the score: a value, a picture, or a record of such."""

    __slots__ = ()


class ReadingsEntry(Alternative["Token | Mapping[str, Token]"]):
    """The readings of a statement: a word for those that the prover goes through, or the values of some keys."""

    __slots__ = ()


class NumberEntry(Alternative[Node]):
    """A number of the rules, a list of numbers, or a list of such lists."""

    __slots__ = ()


class RanksEntry(Alternative["Token | Mapping[str, Token]"]):
    """A word about ranks or suits of cards, or one for each of some ranks or suits."""

    __slots__ = ()


class StepForm(Shape, frozen=True, kw_only=True):
    """One step of what an act, an effect, a phase or a handler does; one of its keys says which."""

    assign: Mapping[str, Snippet] = field(name="set", default={})
    add: Mapping[str, Snippet] = {}
    let: Mapping[str, Snippet] = {}
    move: Snippet | None = None
    draw: Snippet | None = None
    source: Snippet | None = field(name="from", default=None)
    target: Snippet | None = field(name="to", default=None)
    run: Token | None = None
    happen: Token | None = None
    leave: Token | None = None
    go: Token | None = None
    reset: Token | None = None
    loop: Token | None = field(name="for", default=None)
    when: Snippet | None = None
    clause: Token | None = None
    do: tuple[StepForm, ...] | None = None
    otherwise: tuple[StepForm, ...] | None = field(name="else", default=None)


class CaseForm(Shape, frozen=True, kw_only=True):
    """One line of a grid of which exactly one holds; without a condition it is of the values that it is called by."""

    when: Snippet | None = None
    gives: Snippet = field(name="is")
    clause: Token | None = None


class CaseEntry(Alternative[CaseForm]):
    """A line of a grid: a mapping, or its value alone."""

    __slots__ = ()


class RuleKeys(Shape, frozen=True, kw_only=True):
    """The keys of a rule; `rules` decides which of them go together."""

    only: Mapping[str, Tokens] = {}
    act: Token | None = None
    effect: Token | None = None
    upon: Token | None = None
    phase: Token | None = None
    define: Token | None = None
    adds: Token | None = None
    deny: Token | None = None
    lifts: Tokens = field(name="except", default=NOTHING)
    narrows: Token | None = None
    phases: Tokens = field(name="in", default=NOTHING)
    by: ActorsEntry | None = None
    term: Token | None = None
    takes: Mapping[str, DomainEntry] | None = None
    require: Tokens = NOTHING
    skill: ActSkill | None = None
    when: Snippet | None = None
    code: RefusalCode | None = None
    sum: Mapping[str, Snippet] | None = None
    cases: Mapping[str, CaseEntry] | None = None
    gives: Snippet | None = field(name="is", default=None)
    do: tuple[StepForm, ...] | None = None


class FurtherRule(RuleKeys, frozen=True, kw_only=True):
    """A rule with a label of its own; it cites the clause of its label unless it names another."""

    inherits_behind: ClassVar[str] = "rule"

    rule: Token
    clause: Token | None = None


class ObligationForm(Shape, frozen=True, kw_only=True):
    """A statement to be proved: of the clause or the question that contains it, and of those it is `about`.

    The schema of obligations says which keys a kind needs.
    """

    kind: ObligationKind
    says: Token
    about: Tokens = NOTHING
    claim: Token | None = None
    expect: Expectation | None = None
    slow: bool = False
    edition: Tokens = NOTHING
    setup: Tokens = NOTHING
    readings: ReadingsEntry | None = None
    unless: Mapping[str, Tokens] = {}
    tables: Tokens = NOTHING
    dead: Mapping[str, Token] = {}
    position: Token | None = None
    act: Token | None = None
    acts: Mapping[str, Token] = {}
    left_out: Mapping[str, Token] = field(name="except", default={})
    promises: Tokens = NOTHING
    among: Token | None = None
    key: Token | None = None
    values: Tokens = NOTHING
    given: Mapping[str, Token] = {}
    apart: Tokens = NOTHING
    let: Mapping[str, Snippet] = {}
    where: tuple[Snippet, ...] = ()
    less: Snippet | None = None
    of: Snippet | None = None
    value: Snippet | None = None
    relaxed: bool = False
    against: Token | None = None
    map: Mapping[str, Snippet] = {}
    show: Snippet | None = None
    cases: Mapping[str, tuple[Snippet, ...]] = {}
    there: Snippet | None = None
    witness: Token | None = None


class NumberForm(Shape, frozen=True, kw_only=True):
    """An open number: which one, what players call it in short, and within which bounds."""

    of: Token
    name: Token | None = None
    low: int = field(name="from")
    high: int = field(name="to")


class ReadingForm(Shape, frozen=True, kw_only=True):
    """One answer to an open question: what players call it in short, its reason, and its changes by label."""

    name: Token | None = None
    confidence: Confidence | None = None
    why: Token
    drops: Tokens = NOTHING
    cards: Mapping[str, Mapping[str, RanksEntry]] = {}
    without: Tokens = NOTHING
    means: Mapping[str, Snippet] = {}
    numbers: Mapping[str, NumberEntry] = {}
    changes: Mapping[str, RuleKeys] = {}
    adds: tuple[FurtherRule, ...] = ()
    show: Mapping[str, ShownEntry] = {}
    always: Mapping[str, Snippet] = {}


class QuestionForm(Shape, frozen=True, kw_only=True):
    """A question that the text leaves open, with one kind of answer."""

    id: Token
    same: Token | None = None
    source: Tokens = field(name="from", default=NOTHING)
    about: Tokens = NOTHING
    key: Token | None = None
    title: Token | None = None
    confidence: Confidence | None = None
    ask: Token
    quote: Token | None = None
    decided: Token | None = None
    settled: Token | None = None
    agree: Token | None = None
    excluded: Mapping[str, Token] = field(name="not", default={})
    note: Token | None = None
    code: RefusalCode | None = None
    only: Mapping[str, Tokens] = {}
    under: Mapping[str, Tokens] = {}
    because: Token | None = None
    number: NumberForm | None = None
    readings: Mapping[str, ReadingForm] = {}
    proves: Mapping[str, ObligationForm] = {}


class PackForm(Shape, frozen=True, kw_only=True):
    """The pack of a game: which cards, which of their ranks, single cards that are left out, and names of its own.

    What a clause does not say of it is as an earlier one has it.
    """

    cards: Token | None = None
    ranks: RanksEntry | None = None
    without: Tokens = NOTHING
    names: Mapping[str, Token] = {}
    copies: Annotated[int, Meta(ge=2)] | None = None


class LacksForm(Shape, frozen=True, kw_only=True):
    """What no scenario can show of a clause, each with the reason."""

    permits: Token | None = None
    refuses: Token | None = None
    value: Token | None = None
    boundary: Token | None = None
    shown: Token | None = None
    hidden: Token | None = None

    def list_reasons(self) -> dict[str, Token]:
        """Return the reasons by the cell that no scenario can fill."""
        return {key: reason for key in list_keys(LacksForm) if (reason := getattr(self, key)) is not None}


class ClauseForm(RuleKeys, frozen=True, kw_only=True):
    """One clause of the law: its text, source, declarations, rules, changes of other rules, view and open questions."""

    inherits_behind: ClassVar[str] = "says"

    clause: Token
    source: Tokens = field(name="from")
    tests: Observation | None = None
    kind: ClauseKind | None = None
    status: ClauseStatus | None = None
    only: Mapping[str, Tokens] = {}
    text: Token
    note: Token | None = None
    lacks: LacksForm = LacksForm()
    names: Mapping[str, Token] = {}
    seats: int | Mapping[str, int] | None = None
    teams: tuple[tuple[int, ...], ...] = ()
    pack: PackForm | None = None
    cards: Mapping[str, Mapping[str, RanksEntry]] = {}
    numbers: Mapping[str, NumberEntry] = {}
    types: Mapping[str, Tokens] = {}
    places: Mapping[str, Mapping[str, Token]] = {}
    keeps: Mapping[str, Mapping[str, Token]] = {}
    means: Mapping[str, Snippet] = {}
    says: Mapping[str, Token] = {}
    rules: tuple[FurtherRule, ...] = ()
    changes: Mapping[str, RuleKeys] = {}
    drops: Tokens = NOTHING
    show: Mapping[str, ShownEntry] = {}
    score: Mapping[str, ShownEntry] = {}
    always: Mapping[str, Snippet] = {}
    proves: Mapping[str, ObligationForm] = {}
    examples: Tokens = NOTHING
    open: tuple[QuestionForm, ...] = ()


class ChapterForm(Shape, frozen=True, kw_only=True):
    """A chapter: the clauses about one subject, in the order of the text."""

    format: Token
    game: Token
    chapter: Token
    title: Token
    examples: Tokens = NOTHING
    uses: Mapping[str, Mapping[str, Token]] = {}
    clauses: tuple[ClauseForm, ...] = ()


class StartForm(Shape, frozen=True, kw_only=True):
    """How a play may begin elsewhere than at the first phase."""

    phase: Token
    deal: Token
    given: Mapping[str, Token]


class EditionForm(Shape, frozen=True, kw_only=True):
    """A named choice of readings, alone or as another edition has them but for some."""

    title: Token
    like: Token | None = None
    setups: Tokens = field(default_factory=lambda: Tokens((Token.at("1"),)))
    readings: Mapping[str, Token]


class ExclusionForm(Shape, frozen=True, kw_only=True):
    """Readings that exclude each other, and why."""

    together: Mapping[str, Tokens]
    because: Token


class PositionForm(Shape, frozen=True, kw_only=True):
    """A kind of position that statements are about, perhaps one above it narrowed further."""

    like: Token | None = None
    phase: Token | None = None
    untouched: Tokens = NOTHING
    whole_pack: bool = False
    longest: Mapping[str, Snippet] = {}
    fixed: Mapping[str, Snippet] = {}
    where: tuple[Snippet, ...] = ()


class GameForm(Shape, frozen=True, kw_only=True):
    """The frame of a game: its name, what its ids begin with, source, letters, scopes, phases and editions.

    Besides, the kinds of positions that obligations are about, and the claims that need no proof.
    """

    format: Token
    game: Token
    prefix: Token | None = None
    title: Token
    source: Token
    names: Mapping[str, Token]
    scopes: Tokens
    course: Mapping[str, Token]
    start: StartForm
    setups: Mapping[str, Token] = {}
    groups: Mapping[str, Tokens] = {}
    editions: Mapping[str, EditionForm]
    exclusions: tuple[ExclusionForm, ...] = ()
    positions: Mapping[str, PositionForm] = {}
    exempt: Mapping[str, Token] = {}

    def spell_id(self, label: str) -> str:
        """Return the id of a clause or question as it is cited outside of the chapters: `brouc.over.05`."""
        return f"{self.prefix or self.game}.{label}"

    def read_label(self, id_: str) -> str:
        """Return the label of an id in the chapters, `over.05` of `brouc.over.05`; an id of another game as it is."""
        return id_.removeprefix(self.spell_id(""))


class WordsForm(Shape, frozen=True, kw_only=True):
    """The texts of a game in one language by id, each with the mark of the English text that it was made from."""

    format: Token
    game: Token
    language: Token
    words: Mapping[str, Token]
    of: Mapping[str, Token] = {}


def list_keys(form: type[Shape]) -> list[str]:
    """Return the keys of a record in the order in which they are written."""
    written = {one.name: one.encode_name for one in fields(form)}
    return [written[name] for name in _list_fields(form)]


def _list_fields(form: type[Shape]) -> Iterator[str]:
    """Yield the fields of a class, those of the class above in their place; one that is stated anew goes by that."""
    own = [name for name in form.__annotations__ if name in form.__struct_fields__]
    above = form.__base__
    inherited = [] if above is None or not issubclass(above, Shape) else _list_fields(above)
    rest = [name for name in inherited if name not in own]
    at = own.index(form.inherits_behind) + 1 if form.inherits_behind else 0
    yield from (*own[:at], *rest, *own[at:])
