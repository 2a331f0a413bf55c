"""Lines of generated code: each as deep as the blocks that are open, and folded where it would be long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

#: Longer lines are folded, if they can be.
WIDTH = 110
_INDENT = "    "
#: Where an expression is folded: at all operators of one kind outside of brackets, those that bind least first.
_FOLDS = (r" if | else ", " or ", " and ", " (?:[<>]=?|[=!]=) ", r" \| ", r" & ", r" \+ | - ")
#: What stands before an operand.
_OPERATOR = re.compile(r"(?:(?:if|else|or|and|[<>]=?|[=!]=|\||&|\+|-) )?(?:not )?")
_STATEMENT = re.compile(r"(?P<before>(?:return|if|[\w.\[\]]+ (?:\+|\|)?=) )(?P<expression>[^\"'#]*?)(?P<behind>:?)\Z")


class Lines:
    """Lines of code, each as deep as the blocks that are open."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._depth = 0

    def add(self, text: str) -> None:
        """Add a line."""
        self._lines += [
            _INDENT * self._depth + line if line else "" for line in fold_statement(text, _INDENT * self._depth)
        ]

    def add_list(self, opening: str, items: Sequence[str], closing: str) -> None:
        """Add a list, in one line or in several."""
        whole = f"{opening}{', '.join(items)}{closing}"
        if len(whole) <= WIDTH:
            self.add(whole)
            return
        self.add(opening)
        for line in fill_lines(items):
            self.add(f"{_INDENT}{line},")
        self.add(closing.lstrip(","))

    def open(self, text: str) -> None:
        """Add a line that opens a block."""
        self.add(text)
        self._depth += 1

    def shut(self) -> None:
        """Close the innermost block."""
        self._depth -= 1

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Add lines one block further in."""
        self._depth += 1
        yield
        self._depth -= 1

    def text(self) -> str:
        """Return all lines."""
        return "\n".join(self._lines) + "\n"


def fill_lines(items: Iterable[str]) -> list[str]:
    """Return items one after the other, as many in a line as it takes."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + len(item) < WIDTH:
            lines[-1] += f", {item}"
        else:
            lines.append(item)
    return lines


def fold_statement(text: str, indent: str = "") -> list[str]:
    """Return a statement in several lines if it is too long for one and has an operator to be folded at."""
    found = _STATEMENT.match(text) if len(indent) + len(text) > WIDTH else None
    if found is None:
        return [text]
    inner = _fold_expression(found["expression"], indent + _INDENT)
    if len(inner) == 1:
        return [text]
    return [f"{found['before']}(", *(_INDENT + line for line in inner), f"){found['behind']}"]


def _fold_expression(text: str, indent: str) -> list[str]:
    """Return an expression in several lines, brackets in it too."""
    if len(indent) + len(text) <= WIDTH:
        return [text]
    lines: list[str] = []
    for piece in _pieces(text):
        found = _OPERATOR.match(piece)
        operator = found[0] if found else ""
        inner = piece[len(operator) :]
        if inner.startswith("(") and _bracket(inner) == len(inner) - 1:
            within = _fold_expression(inner[1:-1], indent + _INDENT)
            if len(within) > 1:
                lines += [f"{operator}(", *(_INDENT + line for line in within), ")"]
                continue
        first, *others = _fold_expression(inner, indent + _INDENT) if _folds(inner) else [inner]
        lines += [f"{operator}{first}", *(_INDENT + line for line in others)]
    return lines


def _folds(text: str) -> bool:
    return len(_pieces(text)) > 1


def _pieces(text: str) -> list[str]:
    """Return an expression cut before each of the operators that bind least."""
    outside = _outside(text)
    for fold in _FOLDS:
        cuts = [found.start() for found in re.finditer(fold, text) if outside[found.start()]]
        if cuts:
            edges = [0, *cuts, len(text)]
            return [text[one:two].strip() for one, two in pairwise(edges)]
    return [text]


def _outside(text: str) -> list[bool]:
    """Return for each character whether it stands outside of all brackets."""
    depth, found = 0, []
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        found.append(depth == 0)
    return found


def _bracket(text: str) -> int:
    """Return where the bracket closes that opens a text."""
    return _outside(text).index(True)
