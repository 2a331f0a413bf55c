"""Emits Python that finds the open acts of each phase with their weights, or draws one of them."""

from __future__ import annotations

from brou.compiler.cse_steps import reading, share_steps
from brou.compiler.emit_lines import Lines
from brou.compiler.emit_module import constants, join_parts
from brou.compiler.emit_steps import StepPrinter
from brou.compiler.emit_terms import Printer
from brou.compiler.finding import FinderBuilder, Weighing
from brou.compiler.lowered import Program, Stage, Step, every_inner
from brou.compiler.naming import Naming

_HEAD = '''"""What is open in {game} for {seats}, phase by phase: how often it all counts, and every act that counts.

An act stands as (how often it counts with all its cards, how often with each,
name, seat, values, cards): as `offers` has it, with its weight before it.
Whoever draws gets one of them, with its values.
"""

from brou.compiler.drawing import choose_counted, fill_bounds
'''


def emit_finding(program: Program, weights: Weighing, *, draws: bool = False) -> str:
    """Return the text of a module that runs in the names of the one that plays a rule base.

    It lists the open acts, or with `draws` draws one of them.
    """
    return _FinderEmitter(program, weights, draws=draws).module()


class _FinderEmitter(StepPrinter):
    def __init__(self, program: Program, weights: Weighing, *, draws: bool) -> None:
        super().__init__(Printer(program))
        self.finding = FinderBuilder(program, weights)
        self.reads = reading(lambda name: program.routines[name].body)
        self.draws = draws
        #: Whether at most one act is open, so that it is drawn where it is found.
        self.alone = False

    def module(self) -> str:
        """Return one function for each phase, with the helpers that they need."""
        stages = [stage for stage in self.program.stages.values() if not stage.do]
        found = [self._stage(stage) for stage in stages]
        table = Lines()
        table.add_list("FIND = {", [f"{stage.name!r}: find_{stage.name}" for stage in stages], "}")
        head = f"{_HEAD.format(game=self.program.game, seats=self.program.seats)}\n{constants(self.printer)}"
        return join_parts([head, *self.printer.helpers(), *found, table.text()])

    def _stage(self, stage: Stage) -> str:
        named = Naming(self.finding.terms).steps(self.finding.block(stage))
        block = share_steps(self.finding.terms, named, self.reads)
        inside = list(every_inner(block))
        self.alone = (
            self.draws
            and len([step for step in inside if step.op == "open"]) <= 1
            and not any(step.op == "loop" for step in inside)
        )
        lines = Lines()
        lines.add(f"def find_{stage.name}(s{', chance' if self.draws else ''}):")
        with lines.inside():
            lines.add(f'"""{stage.says}"""')
            if not self.alone:
                lines.add("count, out = 0, []")
            self.steps(lines, block)
            if self.alone:
                lines.add("return None")
            else:
                lines.add(f"return {'choose_counted(chance, count, out, s, BOUNDS)' if self.draws else 'count, out'}")
        return lines.text()

    def step(self, lines: Lines, step: Step) -> None:
        """Add one step."""
        if step.op == "open":
            (self._draw if self.alone else self._open)(lines, step)
        else:
            super().step(lines, step)

    def _open(self, lines: Lines, step: Step) -> None:
        weight = size = self._weight(lines, step)
        if step.variable == "cards":
            each = f"{self._emit_values(step)[-1]}.bit_count()"
            lines.add(f"size = {each}" if weight == "1" else f"size = {each} * {weight}")
            size = "size"
        lines.add(f"count += {size}")
        lines.add(f"out.append({self._entry(step, size, weight)})")

    def _draw(self, lines: Lines, step: Step) -> None:
        """Add the lines that draw the only act that is open."""
        weight, (seat, *values) = self._weight(lines, step), self._emit_values(step)
        if step.variable == "cards":
            *values, cards = values
            many, once = (f" * {weight}", f" // {weight}") if weight != "1" else ("", "")
            lines.add(f"size = chance.below({cards}.bit_count(){many}){once}")
            lines.open("while size:")
            lines.add(f"{cards} &= {cards} - 1")
            lines.add("size -= 1")
            lines.shut()
            values.append(f"{cards} & -{cards}")
        else:
            lines.add(f"chance.below({weight})")
        told = f"({''.join(f'{value}, ' for value in values).rstrip()})"
        told = f"fill_bounds(BOUNDS[{step.name!r}](s, {seat}), chance)" if step.variable == "described" else told
        lines.add(f"return {step.name!r}, {seat}, {told}")

    def _weight(self, lines: Lines, step: Step) -> str:
        """Return how often an act counts, as something that may be written twice."""
        weight = self.printer.hoist_lets(lines, step.index) if step.index is not None else "1"
        if weight.isalnum():
            return weight
        lines.add(f"weight = {weight}")
        return "weight"

    def _emit_values(self, step: Step) -> list[str]:
        return [self.printer.value(part) for part in (step.value.parts if step.value is not None else ())]

    def _entry(self, step: Step, size: str, weight: str) -> str:
        seat, *values = self._emit_values(step)
        cards = values.pop() if step.variable == "cards" else "None"
        told = "None" if step.variable == "described" else f"({''.join(f'{value}, ' for value in values).rstrip()})"
        return f"({size}, {weight}, {step.name!r}, {seat}, {told}, {cards})"
