"""Python for a rule base in the lowered form: one module, to be read by people and run by `compiled`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brou.compiler.emit_lines import Lines
from brou.compiler.emit_module import add_docstring, add_heading, head, join_parts, routine_text
from brou.compiler.emit_steps import StepPrinter, is_array
from brou.compiler.emit_terms import Printer, local, variable
from brou.compiler.lowered import ActParameter, CoreAct, Kind, Program, Stage, Term

_HEAD = '''"""{game} for {seats}, written from its rules by brou: change those, not this.

A card is a bit, a set of cards a word. Behind what is done stand the effect and
the clause of the rules file that it comes from.
"""
'''


def emit(program: Program) -> str:
    """Return the text of a module that plays a rule base."""
    return _ModuleEmitter(Printer(program)).module()


class _ModuleEmitter(StepPrinter):
    def module(self) -> str:
        program = self.program
        state = [self._state(), *(self._reset(scope) for scope in program.scopes)]
        routines = [routine_text(self.printer, routine) for routine in program.routines.values()]
        acts = [text for act in program.acts.values() for text in self._act(act)]
        stages = [self._stage(stage) for stage in program.stages.values() if stage.do]
        parts = [
            head(_HEAD, self.printer),
            *add_heading("The state", state),
            *add_heading("Quantifiers that go through what they range over", self.printer.helpers()),
            *add_heading("Functions and tables", routines),
            *add_heading("Acts: what may be done, what it does", acts),
            *add_heading("Phases that go by themselves", stages),
            *add_heading("The whole", [self._tables()]),
        ]
        return join_parts(parts)

    # The state ----------------------------------------------------------------

    def _state(self) -> str:
        cells = self.program.cells.values()
        names = ["PHASE", *(variable(cell.name) for cell in cells)]
        lines = Lines()
        lines.add("class State:")
        lines.add("    __slots__ = (")
        lines.add("        'PHASE',")
        for cell, name in zip(cells, names[1:], strict=True):
            lines.add(f"        {name!r},  # {cell.scope}: {_describe_kind(cell.kind)}")
        lines.add("    )")
        lines.add("")
        lines.add("    def copy(self):")
        lines.add("        new = State.__new__(State)")
        lines.add("        new.PHASE = self.PHASE")
        for cell in cells:
            name = variable(cell.name)
            lines.add(f"        new.{name} = self.{name}{'[:]' if is_array(cell) else ''}")
        lines.add("        return new")
        lines.add("")
        lines.add("")
        lines.add("def fresh():")
        lines.add("    s = State.__new__(State)")
        lines.add(f"    s.PHASE = {next(iter(self.program.stages))!r}")
        lines.add("    " + "; ".join(f"reset_{scope}_alone(s)" for scope in self.program.scopes) or "    pass")
        lines.add("    return s")
        return lines.text()

    def _reset(self, scope: str) -> str:
        program, lines = self.program, Lines()
        lines.add(f"def reset_{scope}_alone(s):")
        cells = [cell for cell in program.cells.values() if cell.scope == scope]
        for cell in cells:
            value = _row(cell.default) if isinstance(cell.default, tuple) and is_array(cell) else repr(cell.default)
            lines.add(f"    s.{variable(cell.name)} = {value}")
        if not cells:
            lines.add("    pass")
        lines.add("")
        lines.add("")
        lines.add(f"def reset_{scope}(s):")
        inside = program.scopes[program.scopes.index(scope) :]
        lines.add("    " + "; ".join(f"reset_{one}_alone(s)" for one in inside))
        return lines.text()

    # Acts ---------------------------------------------------------------------

    def _act(self, act: CoreAct) -> Iterable[str]:
        names = ", ".join(["s", "me", *(local(item.name) for item in act.choosing)])
        if act.described:
            yield self._bounds(act)
        lines = Lines()
        lines.add(f"def may_{act.name}({names}):")
        with lines.inside():
            add_docstring(lines, f"Whether the seat may do this, with these values: {act.says}", act.rows)
            if act.by.op != "const" or not act.by.value:
                lines.add(f"if {self.printer.hoist_negation(lines, act.by)}:")
                lines.add("    return False")
            for shown in filter(None, map(self._fails, act.choosing)):
                lines.add(f"if {shown}:")
                lines.add("    return False")
            self.printer.tail(lines, act.legal)
        yield lines.text()
        lines = Lines()
        lines.add(f"def do_{act.name}({names}):")
        with lines.inside():
            lines.add(f'"""{act.says}"""')
            self.steps(lines, act.do)
        yield lines.text()

    def _fails(self, item: ActParameter) -> str:
        """Return the test whether a value lies outside the domain of its parameter, or nothing where none does."""
        show, at, name = self.printer.value, self.printer.at, local(item.name)
        match item.form, item.domain:
            case "range", _:
                return f"not {at(item.bounds[0], '|')} <= {name} <= {at(item.bounds[1], '|')}"
            case "subsets", Term() as domain:
                size = f"{at(item.bounds[0], '|')} <= {name}.bit_count() <= {at(item.bounds[1], '|')}"
                return f"{name} & ~{at(domain, '-x')} or not {size}"
            case "orders", Term() as domain:
                return f"spread({name}) != {at(domain, '|')} or len({name}) != {at(domain, 'atom')}.bit_count()"
            case _, Term() as domain if domain.kind.form == "set":
                return f"not {name} & {at(domain, '+')}"
            case _, Term() as domain if not _everything(item):
                return f"{name} not in {show(domain)}"
        return ""

    def _bounds(self, act: CoreAct) -> str:
        """Return the function that describes what the values of an act are chosen from."""
        lines, show = Lines(), self.printer.value
        lines.add(f"def bounds_{act.name}(s, me):")
        described = [
            f"({', '.join([repr(item.form), *map(show, ([item.domain] if item.domain else []) + list(item.bounds))])},)"
            for item in act.choosing
        ]
        lines.add(f"    return ({', '.join(described)},)")
        return lines.text()

    # Phases -------------------------------------------------------------------

    def _stage(self, stage: Stage) -> str:
        lines = Lines()
        lines.add(f"def stage_{stage.name}(s):")
        with lines.inside():
            lines.add(f'"""{stage.says}"""')
            self.steps(lines, stage.do)
        return lines.text()

    # Tables -------------------------------------------------------------------

    def _tables(self) -> str:
        program, lines = self.program, Lines()
        lines.add_list("STAGES = {", [f"{n!r}: stage_{n}" for n, s in program.stages.items() if s.do], "}")
        for table, prefix in (("MAY", "may"), ("DO", "do")):
            lines.add_list(f"{table} = {{", [f"{name!r}: {prefix}_{name}" for name in program.acts], "}")
        described = [name for name, act in program.acts.items() if act.described]
        lines.add_list("BOUNDS = {", [f"{name!r}: bounds_{name}" for name in described], "}")
        return lines.text()


def _describe_kind(kind: Kind) -> str:
    """Return a kind in words."""
    if kind.form == "array" and kind.element is not None:
        return f"{'x'.join(map(str, kind.shape))} times {_describe_kind(kind.element)}"
    bounds = f" {kind.low}..{kind.high}" if kind.form in ("number", "index") else ""
    return f"{kind.form}{bounds}{' or none' if kind.optional else ''}"


def _row(values: Sequence[object]) -> str:
    """Return a list as it is written, shorter where all elements are alike."""
    listed = f"[{', '.join(map(repr, values))}]"
    alike = f"[{values[0]!r}] * {len(values)}" if len(set(values)) == 1 else listed
    return min(listed, alike, key=len)


def _everything(item: ActParameter) -> bool:
    """Say whether a parameter may have every value of its kind."""
    domain, kind = item.domain, item.kind
    listed = domain is not None and domain.op == "const" and isinstance(domain.value, tuple)
    if not listed or domain is None or not isinstance(domain.value, tuple) or kind.form not in ("index", "number"):
        return False
    return (
        set(domain.value) >= set(range(kind.low, kind.high + 1)) if kind.high - kind.low < len(domain.value) else False
    )
