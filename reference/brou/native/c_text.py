"""The text of a C function while it is written: declarations in front, statements as deep as their blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files

_INDENT = "    "
_ROOM = "brou.native"


def read_source(name: str) -> str:
    """Return a text in C from a file beside this module."""
    return files(_ROOM).joinpath(name).read_text(encoding="ascii")


def write_name(name: str) -> str:
    """Return a name of the rules as C has it: with an underscore behind it, so that it is no word of C."""
    return f"{name}_"


class FunctionText:
    """One function: its head, its locals and its statements; `crash` is the statement that ends it where rules crash.

    Names that the emitter makes begin with a capital letter, as no name of the rules does.
    """

    def __init__(self, head: str, crash: str) -> None:
        self.head = head
        self.crash = crash
        self._locals: dict[str, str] = {}
        self._lines: list[str] = []
        self._depth = 1
        self._made = 0

    def add(self, *lines: str) -> None:
        """Add statements."""
        self._lines += [_INDENT * self._depth + line for line in lines]

    def declare(self, name: str, declaration: str) -> str:
        """Declare a local at the head of the function, once; return its name."""
        self._locals.setdefault(name, declaration)
        return name

    def make(self, c_type: str) -> str:
        """Declare a helping local of a type and return its name."""
        self._made += 1
        name = f"Temp{self._made}"
        return self.declare(name, join_declaration(c_type, name))

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Add statements inside a block."""
        self.add(f"{head} {{")
        self._depth += 1
        yield
        self._depth -= 1
        self.add("}")

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """Collect statements in a list of their own, to be added later or not at all."""
        outside, self._lines = self._lines, []
        self._depth += 1
        yield self._lines
        self._depth -= 1
        self._lines = outside

    def splice(self, head: str, lines: Sequence[str], *others: str) -> None:
        """Add a block of statements that were collected, and others behind them."""
        with self.block(head):
            self._lines += lines
            self.add(*others)

    def text(self) -> str:
        """Return the whole function."""
        declared = [f"{_INDENT}{declaration};" for declaration in self._locals.values()]
        return "\n".join([f"{self.head} {{", *declared, *self._lines, "}"]) + "\n"


def join_declaration(c_type: str, name: str) -> str:
    """Return the declaration of a name."""
    return f"{c_type}{name}" if c_type.endswith("*") else f"{c_type} {name}"
