"""Steps of the lowered form as Python statements."""

from __future__ import annotations

from collections.abc import Sequence

from brou.compiler.emit_lines import Lines
from brou.compiler.emit_terms import Printer, local, variable
from brou.compiler.lowered import Cell, Step, Term


class StepPrinter:
    """Writes the steps of one program."""

    def __init__(self, printer: Printer) -> None:
        self.printer = printer
        self.program = printer.program

    def steps(self, lines: Lines, steps: Sequence[Step]) -> None:
        """Add steps, with what the rules file calls them."""
        said = ""
        for step in steps:
            if step.says not in ("", said):
                lines.add(f"# {step.says}")
            said = step.says
            self.step(lines, step)

    def step(self, lines: Lines, step: Step) -> None:
        """Add one step."""
        match step.op, step.value:
            case "goto", _:
                does = self.program.stages[step.name].do
                lines.add(f"return stage_{step.name}(s)" if does else f"return {step.name!r}")
            case "reset", _:
                lines.add(f"reset_{step.name}(s)")
            case "cases", _:
                self._cases(lines, step.cases)
            case "let", Term() as value:
                self.printer.assign(lines, local(step.name), value)
            case "demand", Term() as value:
                lines.add(f"if {self.printer.hoist_negation(lines, value)}:")
                lines.add(f"    crash({step.name!r})")
            case "loop", Term() as value:
                self.printer.loop(lines, local(step.name), value)
                self.steps(lines, step.body)
                if not step.body:
                    lines.add("pass")
                lines.shut()
            case _, Term() as value:
                self._put(lines, step, value)

    def _put(self, lines: Lines, step: Step, value: Term) -> None:
        target = f"s.{variable(step.variable)}"
        if step.index is not None:
            place = self.printer.hoist_lets(lines, step.index)
            if value.kind.form == "array" and not value.kind.optional:
                length = self.printer.length(value.kind)
                place = f"{place}:{place} + {length}"
            self.printer.assign(lines, f"{target}[{place}]", value)
        elif is_array(self.program.cells[step.variable]):
            lines.add(f"{target}[:] = {self.printer.hoist_lets(lines, value)}")
        else:
            self.printer.assign(lines, target, value)

    def _cases(self, lines: Lines, cases: Sequence[tuple[Term | None, tuple[Step, ...]]]) -> None:
        opened = 0
        for number, (test, body) in enumerate(cases):
            if test is None:
                if number:
                    lines.open("else:")
            else:
                if number:
                    lines.open("else:")
                    opened += 1
                lines.open(f"if {self.printer.hoist_lets(lines, test, truth=True)}:")
            self.steps(lines, body)
            if not body:
                lines.add("pass")
            if test is not None or number:
                lines.shut()
        for _ in range(opened):
            lines.shut()


def is_array(cell: Cell) -> bool:
    """Say whether a variable has a row of its own in every state."""
    return cell.kind.form == "array" and not cell.kind.optional
