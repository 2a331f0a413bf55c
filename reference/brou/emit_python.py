"""Python for a rule base in the lowered form: one module, to be read by people and run by `compiled`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brou.emit_terms import Lines, Printer, denied, local, variable
from brou.lowered import Act, Cell, Choosing, Level, Program, Routine, Stage, Step, Term

_HEAD = '''"""{game} for {seats}, written from its rules by brou: change those, not this."""

from brou.compiled_sets import (
    best, bottom, cards_in, crash, cut, floor, lowest, peak, product, spread, stack, top, total,
)
'''


def emit(program: Program) -> str:
    """Return the text of a module that plays a rule base."""
    return _Emitter(program).module()


class _Emitter:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.printer = Printer(program)

    def module(self) -> str:
        program, parts = self.program, [_HEAD.format(game=self.program.game, seats=self.program.seats)]
        body = [
            self._state(),
            *(self._reset(scope) for scope in program.scopes),
            *(self._routine(routine) for routine in program.routines.values()),
            *(text for act in program.acts.values() for text in self._act(act)),
            *(self._stage(stage) for stage in program.stages.values() if stage.do),
            self._tables(),
        ]
        parts += [self._constants(), *self.printer.helpers(), *body]
        return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"

    # The state ----------------------------------------------------------------

    def _state(self) -> str:
        cells = self.program.cells.values()
        names = ["PHASE", *(variable(cell.name) for cell in cells)]
        lines = Lines()
        lines.add("class State:")
        lines.add(f"    __slots__ = ({', '.join(map(repr, names))},)")
        lines.add("")
        lines.add("    def copy(self):")
        lines.add("        new = State.__new__(State)")
        lines.add("        new.PHASE = self.PHASE")
        for cell in cells:
            name = variable(cell.name)
            lines.add(f"        new.{name} = self.{name}{'[:]' if _is_array(cell) else ''}")
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
        lines.add("    pass")
        for cell in program.cells.values():
            if cell.scope == scope:
                value = f"[{', '.join(map(repr, cell.default))}]" if _is_array(cell) else repr(cell.default)  # type: ignore[arg-type]
                lines.add(f"    s.{variable(cell.name)} = {value}")
        lines.add("")
        lines.add("")
        lines.add(f"def reset_{scope}(s):")
        inside = program.scopes[program.scopes.index(scope) :]
        lines.add("    " + "; ".join(f"reset_{one}_alone(s)" for one in inside))
        return lines.text()

    def _constants(self) -> str:
        lines = Lines()
        for name in sorted(self.printer.constants):
            constant = self.program.constants[name]
            if constant.by_card:
                values = ", ".join(f"{1 << place:#x}: {value!r}" for place, value in enumerate(constant.values))
                lines.add(f"{name.upper()} = {{{values}}}")
            else:
                lines.add(f"{name.upper()} = ({', '.join(map(repr, constant.values))},)")
        return lines.text()

    # Functions ----------------------------------------------------------------

    def _routine(self, routine: Routine) -> str:
        lines = Lines()
        names = ", ".join(["s", *(local(name) for name, _ in routine.arguments)])
        lines.add(f"def rule_{routine.name}({names}):")
        with lines.inside():
            lines.add(f'"""{routine.says}"""')
            self.printer.tail(lines, routine.body)
        return lines.text()

    def _demand(self, lines: Lines, test: Term, says: str) -> None:
        lines.add(f"if {denied(self.printer.settled(lines, test, truth=True))}:")
        lines.add(f"    crash({says!r})")

    # Acts ---------------------------------------------------------------------

    def _act(self, act: Act) -> Iterable[str]:
        names = ", ".join(["s", "me", *(local(item.name) for item in act.choosing)])
        yield self._offer(act)
        if act.described:
            yield self._bounds(act)
        lines = Lines()
        lines.add(f"def may_{act.name}({names}):")
        with lines.inside():
            lines.add(f'"""Whether the seat may do this, with these values: {act.says}"""')
            for shown in (self.printer.truth(act.by), *map(self._holds, act.choosing)):
                if shown != "True":
                    lines.add(f"if {denied(shown)}:")
                    lines.add("    return False")
            self.printer.tail(lines, act.legal)
        yield lines.text()
        lines = Lines()
        lines.add(f"def do_{act.name}({names}):")
        with lines.inside():
            lines.add(f'"""{act.says}"""')
            self._steps(lines, act.do)
        yield lines.text()

    def _holds(self, item: Choosing) -> str:
        """Return the test whether a value lies in the domain of its parameter."""
        show, name = self.printer.value, local(item.name)
        match item.form, item.domain:
            case "range", _:
                return f"{show(item.bounds[0])} <= {name} <= {show(item.bounds[1])}"
            case "subsets", Term() as domain:
                size = f"({show(item.bounds[0])}) <= {name}.bit_count() <= ({show(item.bounds[1])})"
                return f"{name} & ~({show(domain)}) == 0 and {size}"
            case "orders", Term() as domain:
                return f"spread({name}) == ({show(domain)}) and len({name}) == ({show(domain)}).bit_count()"
            case _, Term() as domain if domain.kind.form == "set":
                return f"{name} & ({show(domain)})"
            case _, Term() as domain if _everything(item):
                return "True"
            case _, Term() as domain:
                return f"{name} in {show(domain)}"
        return "True"

    def _bounds(self, act: Act) -> str:
        """Return the function that describes what the values of an act are chosen from."""
        lines, show = Lines(), self.printer.value
        lines.add(f"def bounds_{act.name}(s, me):")
        described = [
            f"({', '.join([repr(item.form), *map(show, ([item.domain] if item.domain else []) + list(item.bounds))])},)"
            for item in act.choosing
        ]
        lines.add(f"    return ({', '.join(described)},)")
        return lines.text()

    def _offer(self, act: Act) -> str:
        """Return the function that finds all that is offered of an act."""
        lines = Lines()
        lines.add(f"def offer_{act.name}(s, out):")
        with lines.inside():
            lines.add(f'"""{act.says}"""')
            names = [local(item.name) for item in act.choosing]
            last = act.offers[-1]
            cards = not act.described and act.choosing and last.domain is not None and last.domain.kind.form == "set"
            for level in act.offers[:-1] if cards else act.offers:
                self._level(lines, level)
            if cards and not last.guards:
                self.printer.assign(lines, names[-1], last.domain or act.legal)
                lines.add(f"if {names[-1]}:")
                lines.add(f"    out.append(({act.name!r}, me, ({_tuple(names[:-1])}), {names[-1]}))")
            else:
                if cards:
                    self._level(lines, last)
                values = "None" if act.described else f"({_tuple(names)})"
                lines.add(f"out.append(({act.name!r}, me, {values}, None))")
            lines.close()
        return lines.text()

    def _level(self, lines: Lines, level: Level) -> None:
        """Open a loop; what follows is inside it."""
        if level.domain is not None:
            name = local(level.local)
            if level.domain.kind.form in ("set", "list"):
                self.printer.loop(lines, name, level.domain)
            else:
                lines.add(f"{name} = {self.printer.settled(lines, level.domain)}")
                if level.domain.kind.optional:
                    lines.open(f"if {name} >= 0:")
        for guard in level.guards:
            lines.open(f"if {self.printer.settled(lines, guard, truth=True)}:")

    # Steps --------------------------------------------------------------------

    def _stage(self, stage: Stage) -> str:
        lines = Lines()
        lines.add(f"def stage_{stage.name}(s):")
        with lines.inside():
            lines.add(f'"""{stage.says}"""')
            self._steps(lines, stage.do)
        return lines.text()

    def _steps(self, lines: Lines, steps: Sequence[Step]) -> None:
        for step in steps:
            self._step(lines, step)

    def _step(self, lines: Lines, step: Step) -> None:
        match step.op, step.value:
            case "goto", _:
                lines.add(f"return {step.name!r}")
            case "reset", _:
                lines.add(f"reset_{step.name}(s)")
            case "cases", _:
                self._cases(lines, step.cases)
            case "let", Term() as value:
                self.printer.assign(lines, local(step.name), value)
            case "demand", Term() as value:
                self._demand(lines, value, step.name)
            case "loop", Term() as value:
                self.printer.loop(lines, local(step.name), value)
                self._steps(lines, step.body)
                if not step.body:
                    lines.add("pass")
                lines.shut()
            case _, Term() as value:
                self._put(lines, step, value)

    def _put(self, lines: Lines, step: Step, value: Term) -> None:
        target = f"s.{variable(step.variable)}"
        if step.index is not None:
            place = self.printer.settled(lines, step.index)
            if value.kind.form == "array" and not value.kind.optional:
                length = self.printer.length(value.kind)
                place = f"{place}:{place} + {length}"
            self.printer.assign(lines, f"{target}[{place}]", value)
        elif _is_array(self.program.cells[step.variable]):
            lines.add(f"{target}[:] = {self.printer.settled(lines, value)}")
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
                lines.open(f"if {self.printer.settled(lines, test, truth=True)}:")
            self._steps(lines, body)
            if not body:
                lines.add("pass")
            if test is not None or number:
                lines.shut()
        for _ in range(opened):
            lines.shut()

    # Tables -------------------------------------------------------------------

    def _tables(self) -> str:
        program, lines = self.program, Lines()
        lines.add("STAGES = {" + ", ".join(f"{n!r}: stage_{n}" for n, s in program.stages.items() if s.do) + "}")
        lines.add("OFFERS = {")
        for name, stage in program.stages.items():
            lines.add(f"    {name!r}: ({_tuple([f'offer_{act}' for act in stage.acts])}),")
        lines.add("}")
        for table, prefix in (("MAY", "may"), ("DO", "do")):
            lines.add(f"{table} = {{{', '.join(f'{name!r}: {prefix}_{name}' for name in program.acts)}}}")
        described = [name for name, act in program.acts.items() if act.described]
        lines.add(f"BOUNDS = {{{', '.join(f'{name!r}: bounds_{name}' for name in described)}}}")
        return lines.text()


def _tuple(names: Sequence[str]) -> str:
    return "".join(f"{name}, " for name in names).rstrip()


def _everything(item: Choosing) -> bool:
    """Say whether a parameter may have every value of its kind."""
    domain, kind = item.domain, item.kind
    listed = domain is not None and domain.op == "const" and isinstance(domain.value, tuple)
    if not listed or domain is None or not isinstance(domain.value, tuple) or kind.form not in ("index", "number"):
        return False
    return (
        set(domain.value) >= set(range(kind.low, kind.high + 1)) if kind.high - kind.low < len(domain.value) else False
    )


def _is_array(cell: Cell) -> bool:
    return cell.kind.form == "array" and not cell.kind.optional
