"""Emits one Python module with the score, the view and the invariants of a rule base.

A function of the score or the view adds its key to a JSON object, or leaves it out. Names of generated tables and
objects begin in a way that no name of the rules does.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import assert_never

from brou.compiler import lowered
from brou.compiler.emit_lines import Lines
from brou.compiler.emit_module import add_docstring, add_heading, head, join_parts, routine_text
from brou.compiler.emit_terms import Printer, has_let, local
from brou.dataclass import dataclass
from brou.language.codec import outside
from brou.language.copies import find_face

_HEAD = '''"""What may be asked of {game} for {seats}, written from its rules by brou: change those, not this.

A card is a bit, a set of cards a word. What is shown is JSON.
"""
'''


def emit_shows(program: lowered.Program) -> str:
    """Return the text of a module that computes score, view and invariants."""
    return _ShowEmitter(program).module()


@dataclass(frozen=True, slots=True)
class _Into:
    """Where something that is shown goes: the statement that puts it there has this before and behind it."""

    before: str
    behind: str = ""

    def put(self, lines: Lines, text: str) -> None:
        """Add the statement that puts an expression there."""
        lines.add(f"{self.before}{text}{self.behind}")


class _ShowEmitter:
    def __init__(self, program: lowered.Program) -> None:
        self.program = program
        self.printer = Printer(program)
        self._made = 0

    def module(self) -> str:
        program = self.program
        score = [self._key(f"score_{key.name}(s, shown)", key) for key in program.score]
        view = [self._key(f"view_{key.name}(s, me, shown)", key) for key in program.view]
        holding = [self._invariant(invariant) for invariant in program.invariants]
        routines = [routine_text(self.printer, routine) for routine in program.routines.values()]
        parts = [
            head(_HEAD, self.printer) + self._names(),
            *add_heading("Quantifiers that go through what they range over", self.printer.helpers()),
            *add_heading("Functions and tables", routines),
            *add_heading("The score", score),
            *add_heading("What a seat sees", view),
            *add_heading("What holds of every state", holding),
            *add_heading("The whole", [self._tables()]),
        ]
        return join_parts(parts)

    def _names(self) -> str:
        """Return the tables of how cards and members of types are written; an absent value is null."""
        program, lines = self.program, Lines()
        codes = [f"{1 << place:#x}: {find_face(card)!r}" for place, card in enumerate(program.cards)]
        lines.add_list("_CODE = {", ["0: None", *codes], "}")
        for name, members in program.members.items():
            lines.add_list(f"{_table(name)} = (", [*map(repr, map(outside, members)), "None"], ",)")
        return lines.text()

    def _tables(self) -> str:
        program, lines = self.program, Lines()
        for section, keys in (("score", program.score), ("view", program.view)):
            lines.add_list(f"_{section.upper()} = {{", [f"{key.name!r}: {section}_{key.name}" for key in keys], "}")
        named = [f"({one.name!r}, holds_{one.name})" for one in program.invariants]
        lines.add_list("_INVARIANTS = (", named, ",)" if named else ")")
        return lines.text()

    def _invariant(self, invariant: lowered.Invariant) -> str:
        lines = Lines()
        lines.add(f"def holds_{invariant.name}(s):")
        with lines.inside():
            self.printer.tail(lines, invariant.holds)
        return lines.text()

    # What is shown ------------------------------------------------------------

    def _key(self, head: str, key: lowered.ShownKey) -> str:
        lines = Lines()
        self._made = 0
        lines.add(f"def {head}:")
        with lines.inside():
            add_docstring(lines, key.says, ())
            self._show(lines, key.shown, _Into(f"shown[{key.name!r}] = "))
        return lines.text()

    def _new(self) -> str:
        """Return a name that nothing in this function has yet."""
        self._made += 1
        return f"shown_{self._made}"

    def _show(self, lines: Lines, shown: lowered.Shown, into: _Into) -> None:
        """Add the lines that put a shown value into its place, or nothing where it is left out."""
        match shown:
            case lowered.ShownValue():
                into.put(lines, self._value(lines, shown))
            case lowered.ShownRecord():
                into.put(lines, self._record(lines, shown))
            case lowered.ShownList():
                name = self._new()
                lines.add(f"{name} = []")
                self._each(lines, shown, name)
                into.put(lines, name)
            case lowered.ShownOptional():
                self._where(lines, shown.condition)
                self._show(lines, shown.inner, into)
                lines.shut()
                lines.open("else:")
                into.put(lines, "None")
                lines.shut()
            case lowered.Withheld():
                self._where(lines, shown.condition)
                self._show(lines, shown.inner, into)
                lines.shut()
            case _:
                assert_never(shown)

    def _where(self, lines: Lines, condition: lowered.Term) -> None:
        """Open a block for where a condition holds."""
        lines.open(f"if {self.printer.hoist_lets(lines, condition, truth=True)}:")

    def _record(self, lines: Lines, record: lowered.ShownRecord) -> str:
        """Return an object, with lines before it if it cannot be written in one expression."""
        values = [key.shown for key in record.keys]
        plain = [shown for shown in values if isinstance(shown, lowered.ShownValue) and not has_let(shown.value)]
        if len(plain) == len(values):
            texts = [self._value(lines, shown) for shown in plain]
            return f"{{{', '.join(f'{key.name!r}: {text}' for key, text in zip(record.keys, texts, strict=True))}}}"
        name = self._new()
        lines.add(f"{name} = {{}}")
        for key in record.keys:
            self._show(lines, key.shown, _Into(f"{name}[{key.name!r}] = "))
        return name

    def _each(self, lines: Lines, shown: lowered.ShownList, target: str) -> None:
        """Add the loop that puts the elements of a list at the end of another one."""
        always = shown.condition.op == "const" and shown.condition.value is True
        self.printer.loop(lines, local(shown.local), shown.domain)
        if not always:
            self._where(lines, shown.condition)
        if shown.flat and isinstance(shown.inner, lowered.ShownList):
            self._each(lines, shown.inner, target)
        else:
            self._show(lines, shown.inner, _Into(f"{target}.{'extend' if shown.flat else 'append'}(", ")"))
        if not always:
            lines.shut()
        lines.shut()

    # Values -------------------------------------------------------------------

    def _value(self, lines: Lines, shown: lowered.ShownValue) -> str:
        """Return a value as an expression that is JSON, with lines before it if they are needed."""
        text = self.printer.hoist_lets(lines, shown.value)
        if _named_first(shown):
            name = self._new()
            lines.add(f"{name} = {text}")
            text = name
        return _json(shown.kind, shown.members, text, len(self.program.cards))


def _table(members: str) -> str:
    """Return what the table of the names of a type is called."""
    return f"_{members.upper()}_NAMES"


def _named_first(shown: lowered.ShownValue) -> bool:
    """Say whether a value gets a name before its JSON is written.

    It does if it is written twice, or gone through: Python allows few expressions there, and in an array with several
    sides the loops have names of their own.
    """
    kind, value = shown.kind, shown.value
    if len(kind.shape) > 1:
        return value.op != "state"
    if kind.form in ("set", "pile", "list", "array"):
        element = value.op == "element" and not kind.optional and not has_let(value)
        return not element and value.op not in ("local", "state")
    return kind.optional and not _find_table(kind, shown.members) and value.op not in ("local", "state")


def _find_table(kind: lowered.Kind, members: str) -> str:
    """Return the table with the JSON of a value, or null for an absent one; nothing if it is in none."""
    if kind.form == "card":
        return "_CODE"
    return _table(members) if kind.form == "index" and members else ""


def _json(kind: lowered.Kind, members: str, text: str, cards: int) -> str:
    """Return the JSON of a value; its text is a name if it is written twice."""
    if kind.form == "none":
        return "None"
    if table := _find_table(kind, members):
        return f"{table}[{text}]"
    if not kind.optional:
        return _present(kind, members, text, cards)
    return f"None if {_absent(kind, text, cards)} else {_present(kind, members, text, cards)}"


def _absent(kind: lowered.Kind, text: str, cards: int) -> str:
    """Return the test whether a value is absent."""
    match kind.form:
        case "number":
            return f"{text} == {lowered.NO_NUMBER}"
        case "index" | "truth":
            return f"{text} == {lowered.NO_INDEX}"
        case "set":
            return f"{text} == {1 << cards:#x}"
    return f"{text} is None"


def _present(kind: lowered.Kind, members: str, text: str, cards: int) -> str:
    """Return the JSON of a value that is there."""
    match kind.form, kind.element:
        case "set", _:
            return f"[_CODE[card] for card in cards_in({text})]"
        case "pile", _:
            return f"[_CODE[card] for card in {text}]"
        case "list", lowered.Kind() as element:
            return _row(_json(element, members, "item", cards), text)
        case "array", lowered.Kind() as element:
            return _rows(_json(element, members, "item", cards), kind.shape, text)
    return text


def _rows(item: str, shape: Sequence[int], text: str) -> str:
    """Return the JSON of an array: lists of lists where it has several sides."""
    if len(shape) == 1:
        return _row(item, text)
    side, *others = shape
    width, at = prod(others), f"at_{len(others)}"
    return f"[{_rows(item, others, f'{text}[{at}:{at} + {width}]')} for {at} in range(0, {side * width}, {width})]"


def _row(item: str, text: str) -> str:
    """Return the JSON of a list, from that of an item."""
    return f"list({text})" if item == "item" else f"[{item} for item in {text}]"
