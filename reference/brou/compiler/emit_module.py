"""What generated modules have in common: what numbers stand for, tables that stand fast, functions of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from brou.compiler.emit_lines import WIDTH, Lines, fill_lines
from brou.compiler.emit_terms import Printer, local
from brou.compiler.lowered import Program, Routine

#: What every generated module may call.
HELPERS = """\
from brou.compiler.compiled_sets import (
    best, bottom, bounded, cards_in, crash, cut, floor, lowest, peak, spread, stack, top, total,
)
"""


def head(says: str, printer: Printer) -> str:
    """Return the head of a module: its docstring, the helpers it imports, the legend of its numbers, and its tables."""
    program = printer.program
    described = says.format(game=program.game, seats=program.seats)
    return f"{described}\n{HELPERS}\n{legend(program)}\n{constants(printer)}"


def join_parts(parts: Sequence[str]) -> str:
    """Return the text of a module that has these parts."""
    return "\n\n\n".join(part.strip("\n") for part in parts) + "\n"


def add_heading(title: str, parts: Sequence[str]) -> list[str]:
    """Return parts of a module with a line above the first that says what they are."""
    if not parts:
        return []
    return [f"# {title} {'-' * (WIDTH - len(title))}\n\n\n" + parts[0].lstrip("\n"), *parts[1:]]


def legend(program: Program) -> str:
    """Return what the numbers stand for, as comments."""
    named = {"card": program.cards, **program.members}
    lines: list[str] = []
    for name, members in named.items():
        first, *others = fill_lines(f"{place} {member}" for place, member in enumerate(members))
        lines += [f"{name}: {first}", *(f"    {line}" for line in others)]
    return "".join(f"# {line}\n" for line in lines)


def constants(printer: Printer) -> str:
    """Return the tables that stand fast, those that were used while the rest was written."""
    lines = Lines()
    for name in sorted(printer.constants):
        constant = printer.program.constants[name]
        if constant.by_card:
            values = [f"{1 << place:#x}: {value!r}" for place, value in enumerate(constant.values)]
            lines.add_list(f"{name.upper()} = {{", values, "}")
        else:
            sets = name == "card" or name.endswith(("_set", "_from"))
            values = [hex(one) if sets and isinstance(one, int) else repr(one) for one in constant.values]
            lines.add_list(f"{name.upper()} = (", values, ",)")
    return lines.text()


def routine_text(printer: Printer, routine: Routine) -> str:
    """Return a function or table of the rules as a function."""
    lines = Lines()
    names = ", ".join(["s", *(local(name) for name, _ in routine.arguments)])
    lines.add(f"def rule_{routine.name}({names}):")
    with lines.inside():
        add_docstring(lines, routine.says, routine.rows)
        printer.tail(lines, routine.body)
    return lines.text()


def add_docstring(lines: Lines, says: str, rows: Sequence[str]) -> None:
    """Add a docstring: what the rules call it, and the rows that decide."""
    if not rows:
        lines.add(f'"""{says}"""')
        return
    lines.add(f'"""{says}')
    lines.add("")
    lines.add("Rows:")
    for line in fill_lines(rows):
        lines.add(f"    {line}")
    lines.add('"""')
