"""Terms as Python expressions, and what does not fit into an expression as statements or functions of its own."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable

from brou.compiler.emit_lines import Lines
from brou.compiler.kinds import absent
from brou.compiler.lowered import Kind, Program, Term
from brou.compiler.term_builder import FLIPPED

_RESERVED = frozenset(
    {"s", "out", "new", "found", "most", "me", "min", "max", "abs", "len", "range", "tuple", "list", "dict", "sum"}
    | {"bottom", "bounded", "cards_in", "crash", "cut", "lowest", "spread", "stack", "top", "fired"}
    | {"best", "peak", "floor", "total", "shown", "count", "size", "weight", "chance", "choose_counted", "fill_bounds"}
)
#: How the names of functions and of helping locals begin.
_OWN = re.compile(r"(rule|reset)_|(any|all|count|sum|first|min|max|gather|union|sift|best|only|it|shown)_\d+\Z")

#: How tightly Python binds: the lowest first.
_LEVELS = ("if", "or", "and", "not", "compare", "|", "&", "+", "*", "-x", "atom")
_AT = {name: level for level, name in enumerate(_LEVELS)}
_BINARY = {"union": "|", "common": "&", "+": "+", "-": "+", "*": "*", "//": "*"}
_SIGNS = {"union": "|", "common": "&"}


def local(name: str) -> str:
    """Return how a local of the rules is written."""
    taken = name != "me" and (name in _RESERVED or keyword.iskeyword(name) or _OWN.match(name))
    return f"{name}_X" if taken else name


def variable(name: str) -> str:
    """Return how a variable of the rules is written."""
    return f"{name}_X" if keyword.iskeyword(name) or name == "copy" else name


class Printer:
    """Writes the terms of one program; loops that stand inside an expression become functions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.constants: set[str] = set()
        self._helpers: dict[Term, tuple[str, str]] = {}
        self._settled = 0

    def helpers(self) -> list[str]:
        """Return the functions that were needed."""
        return [text for _, text in self._helpers.values()]

    def length(self, kind: Kind) -> int:
        """Return how many elements an array has."""
        count = 1
        for side in kind.shape:
            count *= side
        return count

    # Statements ---------------------------------------------------------------

    def hoist_lets(self, lines: Lines, term: Term, *, truth: bool = False) -> str:
        """Return a term as an expression, its lets added as lines before it."""
        while term.op == "let":
            self.assign(lines, local(term.bound), term.parts[0])
            term = term.parts[1]
        # The lets of a branch may stand only in that branch: before the whole expression they would be evaluated in
        # both cases, and one might crash.
        if term.op == "choose" and has_let(term):
            self._settled += 1
            name = f"it_{self._settled}"
            self.assign(lines, name, term)
            return name
        return self.truth(term) if truth else self.value(term)

    def hoist_negation(self, lines: Lines, term: Term) -> str:
        """Return the contrary of a test, its lets added as lines before it."""
        if term.op == "not":
            return self.hoist_lets(lines, term.parts[0], truth=True)
        if term.op == "compare":
            one, two = (self.at(part, "|") for part in term.parts)
            return f"{one} {FLIPPED[term.name]} {two}"
        while term.op == "let":
            self.assign(lines, local(term.bound), term.parts[0])
            term = term.parts[1]
        if term.op == "choose" and has_let(term):
            return f"not {self.hoist_lets(lines, term)}"
        return self._no(term)[0]

    def assign(self, lines: Lines, target: str, term: Term) -> None:
        """Add the lines that give a term to a target."""
        while term.op == "let":
            self.assign(lines, local(term.bound), term.parts[0])
            term = term.parts[1]
        if term.op == "choose" and (term.cost > _LONG or any(has_let(part) for part in term.parts[1:])):
            lines.open(f"if {self.hoist_lets(lines, term.parts[0], truth=True)}:")
            self.assign(lines, target, term.parts[1])
            lines.shut()
            lines.open("else:")
            self.assign(lines, target, term.parts[2])
            lines.shut()
        elif term.op == "unique":
            self._unique(lines, term, lambda inner: self.assign(lines, target, inner))
        elif term.op == "demand":
            self._demand(lines, term)
            self.assign(lines, target, term.parts[1])
        else:
            lines.add(f"{target} = {self.value(term)}")

    def tail(self, lines: Lines, term: Term) -> None:
        """Add the lines that return a term."""
        while term.op == "let":
            self.assign(lines, local(term.bound), term.parts[0])
            term = term.parts[1]
        if term.op == "choose" and (has_let(term) or term.cost > _LONG):
            lines.open(f"if {self.hoist_lets(lines, term.parts[0], truth=True)}:")
            self.tail(lines, term.parts[1])
            lines.shut()
            self.tail(lines, term.parts[2])
        elif term.op in ("and", "or") and (has_let(term.parts[-1]) or term.cost > _LONG):
            for part in term.parts[:-1]:
                shown = (
                    self.hoist_lets(lines, part, truth=True) if term.op == "or" else self.hoist_negation(lines, part)
                )
                lines.open(f"if {shown}:")
                # Each part that decides returns at once, so the lines of a later part are reached just where it is
                # asked.
                lines.add(f"return {term.op == 'or'}")
                lines.shut()
            self.tail(lines, term.parts[-1])
        elif term.op == "unique":
            self._unique(lines, term, lambda inner: self.tail(lines, inner))
        elif term.op == "demand":
            self._demand(lines, term)
            self.tail(lines, term.parts[1])
        elif term.op == "loop":
            self._loop(lines, term)
        else:
            lines.add(f"return {self.value(term)}")

    def _unique(self, lines: Lines, term: Term, write: Callable[[Term], None]) -> None:
        whens, thens = term.parts[::2], term.parts[1::2]
        # All tests are evaluated, even behind one that holds: a second row that fires is a fault of the rules.
        lines.add(f"fired = ({''.join(f'{self.value(when)}, ' for when in whens)})")
        lines.open("if sum(fired) != 1:")
        lines.add(f"crash({f'of {term.name} exactly one row fires'!r})")
        lines.shut()
        for number, then in enumerate(thens):
            lines.open(f"if fired[{number}]:" if number < len(thens) - 1 else "else:")
            write(then)
            lines.shut()
            # Exactly one fires here, so the last row needs no test of its own.
            if number < len(thens) - 2:
                lines.open("else:")
        for _ in thens[2:]:
            lines.shut()

    def _demand(self, lines: Lines, term: Term) -> None:
        lines.open(f"if {self.hoist_negation(lines, term.parts[0])}:")
        lines.add(f"crash({f'{term.name} was used where what it requires does not hold'!r})")
        lines.shut()

    def loop(self, lines: Lines, name: str, domain: Term) -> None:
        """Open a loop over a list or a set."""
        shown = self.hoist_lets(lines, domain)
        lines.open(f"for {name} in {f'cards_in({shown})' if domain.kind.form == 'set' else shown}:")

    def _loop(self, lines: Lines, term: Term) -> None:
        """Add the lines of a loop and the return of its result."""
        domain, test, body, *default = term.parts
        first, step, last = _LOOPS[term.name]
        none = repr(absent(term.kind, len(self.program.cards)))
        if first:
            lines.add(first.format(none=none))
        name = local(term.bound)
        self.loop(lines, name, domain)
        always = test.op == "const" and test.value is True
        if not always:
            lines.open(f"if {self.hoist_lets(lines, test, truth=True)}:")
        shown = self.hoist_lets(lines, body, truth=term.name in ("any", "all", "count"))
        for line in step.format(body=shown, bound=name).splitlines():
            lines.add(line)
        if not always:
            lines.shut()
        lines.shut()
        otherwise = self.hoist_lets(lines, default[0]) if default else ""
        lines.add(last.format(none=none, default=otherwise))

    # Expressions --------------------------------------------------------------

    def value(self, term: Term) -> str:
        """Return a term as an expression that gives its value."""
        return self._show(term, truth=False)[0]

    def truth(self, term: Term) -> str:
        """Return a truth as an expression that is as good as it in a test."""
        return self._show(term, truth=True)[0]

    def at(self, term: Term, level: str, *, truth: bool = False) -> str:
        """Return a term for a place that binds as tightly as a level."""
        text, own = self._show(term, truth=truth)
        return text if own >= _AT[level] else f"({text})"

    def _show(self, term: Term, *, truth: bool) -> tuple[str, int]:
        op, parts = term.op, term.parts
        atom = _AT["atom"]
        match op:
            case "const":
                return self._const(term), atom if not _negative(term) else _AT["-x"]
            case "local":
                return local(term.name), atom
            case "state":
                return f"s.{variable(term.name)}", atom
            case "element":
                return f"{self.at(parts[0], 'atom')}[{self.value(parts[1])}]", atom
            case "part":
                start = self.at(parts[1], "+")
                return f"{self.at(parts[0], 'atom')}[{start}:{start} + {self.length(term.kind)}]", atom
            case "call":
                return f"rule_{term.name}({', '.join(['s', *map(self.value, parts)])})", atom
            case "trait" | "lookup":
                return f"{self._constant(term.name)}[{self.value(parts[0])}]", atom
            case "total" | "best" | "peak" | "floor":
                given = ", ".join([self._constant(term.name), *map(self.value, parts)])
                return f"{op}({given})", atom
            case "and" | "or":
                return f" {op} ".join(self.at(part, "not", truth=truth) for part in parts), _AT[op]
            case "not":
                return self._no(parts[0])
            case "some":
                # A mask is true in Python unless it is 0, which has no card.
                if truth:
                    return self._show(parts[0], truth=False)
                return f"{self.at(parts[0], '|')} != 0", _AT["compare"]
            case "choose":
                test, yes, no = parts
                sides = (self.at(yes, "or", truth=truth), self._show(no, truth=truth)[0])
                return f"{sides[0]} if {self.at(test, 'or', truth=True)} else {sides[1]}", _AT["if"]
            case "compare":
                return f"{self.at(parts[0], '|')} {term.name} {self.at(parts[1], '|')}", _AT["compare"]
            case "contains":
                return f"{self.at(parts[1], '|')} in {self.at(parts[0], '|')}", _AT["compare"]
            case "without":
                # The contrary of a mask has all bits above the pack set; the other mask takes them away again.
                return f"{self.at(parts[0], '&')} & ~{self.at(parts[1], '-x')}", _AT["&"]
            case "let":
                given = f"{local(term.bound)} := {self.value(parts[0])}"
                # A tuple evaluates its members from left to right, so the name has its value when the body asks for it.
                return f"(({given}), {self.at(parts[1], 'or', truth=truth)})[1]", atom
            case "loop" | "unique" | "demand":
                return self._outline(term), atom
        if op in _BINARY:
            level = _BINARY[op]
            right = _LEVELS[_AT[level] + 1]
            return f"{self.at(parts[0], level)} {_SIGNS.get(op, op)} {self.at(parts[1], right)}", _AT[level]
        return self._emit_call(term), atom

    def _emit_call(self, term: Term) -> str:
        op, parts = term.op, term.parts
        match op:
            case "size":
                return f"{self.at(parts[0], 'atom')}.bit_count()"
            case "length":
                return f"len({self.value(parts[0])})"
            case "place":
                return f"({self.at(parts[0], 'atom')}.bit_length() - 1)"
            case "range":
                return f"tuple(range({self.value(parts[0])}, {self.at(parts[1], '+')} + 1))"
            case "take":
                return f"{self.at(parts[0], 'atom')}[:{self.value(parts[1])}]"
            case "drop":
                return f"{self.at(parts[0], 'atom')}[{self.value(parts[1])}:]"
            case "onto":
                return f"({self.at(parts[0], '+')} + {self.at(parts[1], '*')})"
            case "list":
                # A list with a name has each value once, in the order in which they came first; a dict keeps just that.
                listed = f"({''.join(f'{self.value(part)}, ' for part in parts)})"
                return f"tuple(dict.fromkeys({listed}))" if term.name else listed
        return f"{op}({', '.join(map(self.value, parts))})"

    def _no(self, part: Term) -> tuple[str, int]:
        if part.op == "some":
            return f"not {self.at(part.parts[0], 'not')}", _AT["not"]
        if part.op == "contains":
            return f"{self.at(part.parts[1], '|')} not in {self.at(part.parts[0], '|')}", _AT["compare"]
        return f"not {self.at(part, 'not', truth=True)}", _AT["not"]

    def _constant(self, name: str) -> str:
        self.constants.add(name)
        return name.upper()

    def _const(self, term: Term) -> str:
        if term.kind.form in ("set", "card") and isinstance(term.value, int):
            return f"{term.value:#x}" if term.value else "0"
        return repr(term.value)

    def _outline(self, term: Term) -> str:
        """Return the call of a function that goes through a loop or the rows of a table."""
        names = [local(name) for name in sorted(term.free)]
        if term not in self._helpers:
            name = f"{term.name if term.op == 'loop' else 'only'}_{len(self._helpers) + 1}"
            # Entered before its lines are written: those may need further helpers, which must get other numbers.
            self._helpers[term] = (name, "")
            lines = Lines()
            lines.add(f"def {name}({', '.join(['s', *names])}):")
            with lines.inside():
                self.tail(lines, term)
            self._helpers[term] = (name, lines.text())
        return f"{self._helpers[term][0]}({', '.join(['s', *names])})"


#: What is longer than so many operations is written in several lines.
_LONG = 10

#: Before, inside and behind the loop of each quantifier.
_LOOPS = {
    "any": ("", "if {body}:\n    return True", "return False"),
    "all": ("", "if not ({body}):\n    return False", "return True"),
    "count": ("found = 0", "if {body}:\n    found += 1", "return found"),
    "sum": ("found = 0", "found += {body}", "return found"),
    "first": ("", "return {body}", "return {none}"),
    "min": ("found = []", "found.append({body})", "return min(found) if found else {default}"),
    "max": ("found = []", "found.append({body})", "return max(found) if found else {default}"),
    "gather": ("found = []", "found.append({body})", "return tuple(dict.fromkeys(found))"),
    "union": ("found = 0", "found |= {body}", "return found"),
    "sift": ("found = 0", "found |= {body}", "return found"),
    "best": (
        "found, most = {none}, None",
        "new = {body}\nif most is None or new > most:\n    found, most = {bound}, new",
        "return found",
    ),
}


def _negative(term: Term) -> bool:
    return isinstance(term.value, int) and term.value < 0


def has_let(term: Term) -> bool:
    """Say whether something in a term is computed once and used several times."""
    return term.op == "let" or any(has_let(part) for part in term.parts)
