"""Python that finds what is open in each phase with how often it counts, for whoever draws one act of all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import assert_never

from brou.compiler.emit_lines import Lines
from brou.compiler.emit_module import constants, joined
from brou.compiler.emit_terms import Printer, local
from brou.compiler.finding import Block, Each, Finding, Guarded, Item, Keep, Open, Weighing
from brou.compiler.lowered import Program, Stage, Term
from brou.compiler.once import names_in, share_block
from brou.compiler.share import shared

_HEAD = '''"""What is open in {game} for {seats}, phase by phase: how often it all counts, and every act that counts.

An act stands as (how often it counts with all its cards, how often with each,
name, seat, values, cards): as `offers` has it, with its weight before it.
"""
'''


def emit_finding(program: Program, weights: Weighing) -> str:
    """Return the text of a module that is run in the names of the one that plays a rule base."""
    return _Emitter(program, weights).module()


class _Emitter:
    def __init__(self, program: Program, weights: Weighing) -> None:
        self.program = program
        self.finding = Finding(program, weights)
        self.printer = Printer(program)

    def module(self) -> str:
        """Return a function for each phase, with what it needs."""
        stages = [stage for stage in self.program.stages.values() if not stage.do]
        found = [self._stage(stage) for stage in stages]
        table = Lines()
        table.listed("FIND = {", [f"{stage.name!r}: find_{stage.name}" for stage in stages], "}")
        head = f"{_HEAD.format(game=self.program.game, seats=self.program.seats)}\n{constants(self.printer)}"
        parts = [head, *self.printer.helpers(), *found, table.text()]
        return joined(parts)

    def _stage(self, stage: Stage) -> str:
        block = share_block(self.finding.terms, self.finding.block(stage))
        self._taken = names_in(block)
        lines = Lines()
        lines.add(f"def find_{stage.name}(s):")
        with lines.inside():
            lines.add(f'"""{stage.says}"""')
            lines.add("count, out = 0, []")
            self._block(lines, block)
            lines.add("return count, out")
        return lines.text()

    def _block(self, lines: Lines, block: Block) -> None:
        for fixed, items in groupby(block, _is_fixed):
            several = list(items)
            if fixed and len(several) > 1:
                self._open_all(lines, [item for item in several if isinstance(item, Open)])
                continue
            for item in several:
                self._item(lines, item)

    def _item(self, lines: Lines, item: Item) -> None:
        match item:
            case Guarded():
                lines.open(f"if {self.printer.settled(lines, self._shared(item.condition), truth=True)}:")
                self._block(lines, item.body)
                lines.shut()
            case Keep():
                self.printer.assign(lines, local(item.name), self._shared(item.value))
            case Each():
                self.printer.loop(lines, local(item.name), self._shared(item.domain))
                self._block(lines, item.body)
                lines.shut()
            case Open():
                self._open(lines, item)
            case _:
                assert_never(item)

    def _open_all(self, lines: Lines, items: Sequence[Open]) -> None:
        """Add acts of which all is known."""
        weights = [self.printer.value(item.weight) for item in items]
        lines.add(f"count += {sum(map(int, weights))}")
        lines.listed(
            "out += (", [self._entry(item, weight, weight) for item, weight in zip(items, weights, strict=True)], ")"
        )

    def _entry(self, item: Open, size: str, weight: str) -> str:
        show = self.printer.value
        values = "None" if item.values is None else f"({''.join(f'{show(value)}, ' for value in item.values).rstrip()})"
        cards = "None" if item.cards is None else show(item.cards)
        return f"({size}, {weight}, {item.act!r}, {show(item.seat)}, {values}, {cards})"

    def _open(self, lines: Lines, item: Open) -> None:
        weight = size = self.printer.value(item.weight)
        if item.weight.op not in ("const", "local"):
            lines.add(f"weight = {weight}")
            weight = size = "weight"
        if item.cards is not None:
            each = f"{self.printer.value(item.cards)}.bit_count()"
            lines.add(f"size = {each}" if weight == "1" else f"size = {each} * {weight}")
            size = "size"
        lines.add(f"count += {size}")
        lines.add(f"out.append({self._entry(item, size, weight)})")

    def _shared(self, term: Term) -> Term:
        return shared(self.finding.terms, term, self._taken)


def _is_fixed(item: Item) -> bool:
    """Say whether an item is an act of which all is known."""
    return (
        isinstance(item, Open)
        and all(
            term is None or term.op == "const" for term in (item.seat, item.weight, item.cards, *(item.values or ()))
        )
        and item.cards is None
    )
