"""JSON in C: a value, an entry of the score or the view, and the state as everybody writes it."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import assert_never

from brou.compiler import lowered
from brou.compiler.lowered import Kind
from brou.native.c_terms import Pool, TermWriter
from brou.native.c_text import FunctionText
from brou.native.c_types import is_pointer, local_type, write_absent


class JsonWriter:
    """Writes into one function statements that write JSON into `J`."""

    def __init__(self, pool: Pool, function: FunctionText) -> None:
        self.pool = pool
        self.function = function
        self.terms = TermWriter(pool, function)

    # Entries ------------------------------------------------------------------

    def keys(self, keys: Sequence[lowered.ShownKey]) -> None:
        """Add the keys of an object that is open."""
        for key in keys:
            self.entry(key.shown, key.name)

    def entry(self, shown: lowered.Shown, key: str = "") -> None:
        """Add what writes an entry with its key, if it has one; nothing where the entry is withheld."""
        function = self.function
        match shown:
            case lowered.ShownValue():
                text = self.hold(shown.value, shown.kind)
                self._key(key)
                self.value(shown.kind, shown.members, text)
            case lowered.ShownRecord():
                self._key(key)
                function.add("brou_open(J, '{');")
                self.keys(shown.keys)
                function.add("brou_close(J, '}');")
            case lowered.ShownList():
                self._key(key)
                function.add("brou_open(J, '[');")
                self._items(shown)
                function.add("brou_close(J, ']');")
            case lowered.ShownOptional():
                with function.block(f"if ({self.terms.value(shown.condition)})"):
                    self.entry(shown.inner, key)
                with function.block("else"):
                    self._key(key)
                    function.add('brou_plain(J, "null");')
            case lowered.Withheld():
                with function.block(f"if ({self.terms.value(shown.condition)})"):
                    self.entry(shown.inner, key)
            case _:
                assert_never(shown)

    def _key(self, name: str) -> None:
        if name:
            self.function.add(f'brou_key(J, "{name}");')

    def _items(self, shown: lowered.ShownList) -> None:
        """Add what writes the elements of a list; where it is flat, those of the lists inside it."""
        head, step = self.terms.loop(shown.local, shown.domain)
        with self.function.block(head):
            if step:
                self.function.add(step)
            condition = shown.condition
            if not (condition.op == "const" and condition.value is True):
                self.function.add(f"if (!{self.terms.value(condition)}) continue;")
            inner = shown.inner
            if shown.flat and isinstance(inner, lowered.ShownList):
                self._items(inner)
            elif shown.flat and isinstance(inner, lowered.ShownValue):
                self._contents(inner.kind, inner.members, self.hold(inner.value, inner.kind))
            else:
                self.entry(inner)

    def hold(self, term: lowered.Term, kind: Kind) -> str:
        """Return a value that may be written twice."""
        if kind.form == "none":
            return "0"
        text = self.terms.value(term)
        if is_pointer(kind) and term.op in ("state", "local", "element"):
            return text
        name = self.function.make(local_type(kind))
        self.function.add(f"{name} = {text};")
        return name

    # Values -------------------------------------------------------------------

    def value(self, kind: Kind, members: str, text: str) -> None:
        """Add what writes a value; its text may be written twice."""
        function = self.function
        if kind.form == "none":
            function.add('brou_plain(J, "null");')
            return
        if not kind.optional:
            self._present(kind, members, text)
            return
        with function.block(f"if ({self.absent(kind, text)})"):
            function.add('brou_plain(J, "null");')
        with function.block("else"):
            self._present(kind, members, text)

    def absent(self, kind: Kind, text: str) -> str:
        """Return the test whether an optional value is not there."""
        none = write_absent(kind, self.pool.pack)
        match kind.form:
            case "card" | "set":
                return f"brou_same({text}, {none})"
            case "pile" | "list" | "array":
                return f"!{text}"
        return f"{text} == {none}"

    def _present(self, kind: Kind, members: str, text: str) -> None:
        """Add the C statements that write a value of this kind as JSON; it is known not to be None."""
        add = self.function.add
        match kind.form:
            case "truth":
                add(f"brou_truth(J, {text});")
            case "index" if members:
                add(f"brou_quote(J, Names_{members}[{text}]);")
            case "card":
                add(f"brou_quote(J, Names_card[brou_place({text})]);")
            case "number" | "index":
                add(f"brou_number(J, {text});")
            case _:
                add("brou_open(J, '[');")
                self._contents(kind, members, text)
                add("brou_close(J, ']');")

    def _contents(self, kind: Kind, members: str, text: str) -> None:
        """Add what writes the elements of a set, a pile, a list or an array one after the other."""
        element = kind.element or Kind("none")
        match kind.form:
            case "set":
                self.function.add(f"brou_cards(J, Names_card, {text});")
            case "pile":
                self.function.add(f"brou_pile_cards(J, Names_card, {text});")
            case "list":
                place = self.function.make("int32_t")
                with self.function.block(f"for ({place} = 0; {place} < {text}->n; {place}++)"):
                    self.value(element, members, self.element(element, f"{text}->at[{place}]"))
            case "array":
                self._row(element, kind.shape, members, text)

    def _row(self, element: Kind, shape: Sequence[int], members: str, text: str) -> None:
        """Add what writes the elements of an array, lists of them where it has several sides."""
        side, *others = shape
        place = self.function.make("int32_t")
        with self.function.block(f"for ({place} = 0; {place} < {side}; {place}++)"):
            if others:
                self.function.add("brou_open(J, '[');")
                self._row(element, others, members, f"({text} + {prod(others)} * {place})")
                self.function.add("brou_close(J, ']');")
            else:
                self.value(element, members, self.element(element, f"{text}[{place}]"))

    def element(self, element: Kind, text: str) -> str:
        """Return an element of an array or a list as values of its kind are held."""
        if element.form == "pile":
            return f"brou_there(&{text})" if element.optional else f"(&{text})"
        return f"(&{text})" if element.form == "list" else text


def write_names(name: str, members: Sequence[str]) -> str:
    """Return the table of how the members of a type are written."""
    listed = ", ".join(f'"{one}"' for one in members)
    return f"static const char *const Names_{name}[] BROU_UNUSED = {{{listed}}};"
