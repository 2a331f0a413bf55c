"""Reading in C: the values of acts, and the variables that a start gives, from JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod

from brou.compiler.lower_shows import find_members
from brou.compiler.lowered import ActParameter, CoreAct, Kind
from brou.language.codec import outside
from brou.language.syntax import Game
from brou.native.c_acts import PASSING, list_rows
from brou.native.c_terms import Pool
from brou.native.c_text import FunctionText, write_name
from brou.native.c_types import CellPlace, StateLayout, write_absent, write_number

_NO = "return BROU_NO_ACT;"
_FINE = "return BROU_FINE;"
_PARSED = "brou_span V, Act *A, int32_t *From"


class ReadingWriter:
    """Writes the functions that read acts and starts; `members` names the types of the parameters of acts."""

    def __init__(self, game: Game, pool: Pool, layout: StateLayout, members: Mapping[str, Sequence[str]]) -> None:
        self.game = game
        self.pool = pool
        self.program = pool.program
        self.layout = layout
        self.members = members

    def write(self) -> Iterable[str]:
        """Yield the functions and tables."""
        yield self._name_values()
        yield self._parse()
        yield self._give()
        yield self._begin_deal()

    def _name_values(self) -> str:
        rows = []
        for act in self.program.acts.values():
            names = ", ".join(f'"{outside(item.name)}"' for item in act.choosing)
            rows.append(f"{{{names or '0'}}}")
        listed = ", ".join(rows) or "{0}"
        return f"static const char *const Value_names[][BROU_VALUES] BROU_UNUSED = {{{listed}}};\n"

    # Acts ---------------------------------------------------------------------

    def _parse(self) -> str:
        """Return the function that reads a value of an act."""
        function = FunctionText(f"static int32_t Parse(int32_t Act_, int32_t Place, {_PARSED})", "")
        function.add("(void)Place; (void)V; (void)A; (void)From;")
        with function.block("switch (Act_)"):
            for number, act in enumerate(self.program.acts.values()):
                if act.choosing:
                    self._parse_act(function, number, act)
        function.add(_NO)
        return function.text()

    def _parse_act(self, function: FunctionText, number: int, act: CoreAct) -> None:
        with function.block(f"case {number}: switch (Place)"):
            for place, item in enumerate(act.choosing):
                with function.block(f"case {place}:"):
                    self._parse_value(function, f"A->value[{place}]", item, self.members[act.name][place])
                    function.add(_FINE)
        function.add("break;")

    def _parse_value(self, function: FunctionText, target: str, item: ActParameter, members: str) -> None:
        kind = item.kind
        if item.form in PASSING:
            into = "V, Names_card, A->cards + *From, BROU_PASSED - *From"
            function.add(f"{target} = brou_read_places({into});", f"if ({target} < 0) {_NO}", f"*From += {target};")
        elif kind.form == "list":
            rows = self.pool.constant(Kind("list", element=kind), list_rows(item))
            function.declare("Numbers", "brou_list Numbers")
            function.add(
                f"{target} = brou_read_numbers(V, &Numbers) ? brou_find_list({rows}, &Numbers) : -1;",
                f"if ({target} < 0) {_NO}",
            )
        elif kind.form == "card":
            function.add(f"{target} = brou_read_name(V, Names_card, BROU_CARDS);", f"if ({target} < 0) {_NO}")
        else:
            self._read_scalar(function, "V", kind, members, target)

    # Starts -------------------------------------------------------------------

    def _give(self) -> str:
        """Return the function that sets a variable which a start gives; other keys it leaves alone."""
        function = FunctionText("static int32_t Give(State *S, brou_span Key, brou_span V)", "")
        function.add("(void)S; (void)Key; (void)V;")
        for name, variable in self.game.start.given.items():
            with function.block(f'if (brou_is_name(Key, "{name}"))'):
                self._give_one(function, self.layout.fields[variable], find_members(self.game.state[variable].type))
                function.add(_FINE)
        function.add(_FINE)
        return function.text()

    def _give_one(self, function: FunctionText, one: CellPlace, members: str) -> None:
        kind = one.cell.kind
        target = f"S->{write_name(one.cell.scope)}.{write_name(one.cell.name)}"
        if kind.form != "array":
            self._read_cell(function, "V", kind, members, target)
            return
        function.declare("Item", "brou_span Item")
        function.declare("Count", "int32_t Count")
        function.add("Count = 0;", f"if (!brou_enter(&V, '[')) {_NO}")
        with function.block("while (brou_next(&V, &Item))"):
            function.add(f"if (Count >= {prod(kind.shape)}) {_NO}")
            self._read_cell(function, "Item", kind.element or Kind("none"), members, f"{target}[Count]")
            function.add("Count++;")
        function.add(f"if (Count != {prod(kind.shape)}) {_NO}")

    def _read_cell(self, function: FunctionText, span: str, kind: Kind, members: str, target: str) -> None:
        """Add what reads a variable or an element of one: numbers, names, truths, cards and sets of them."""
        local = function.make("int32_t")
        match kind.form:
            case "number" | "index" | "truth":
                self._read_scalar(function, span, kind, members, local)
                function.add(f"{target} = {local};")
            case "card":
                function.add(f"{local} = brou_read_name({span}, Names_card, BROU_CARDS);")
                absent = f'brou_is_text({span}, "null")' if kind.optional else "0"
                function.add(f"if ({local} < 0 && !{absent}) {_NO}")
                function.add(f"{target} = {local} < 0 ? {write_absent(kind, self.pool.pack)} : brou_card({local});")
            case _:
                function.add(_NO)

    def _read_scalar(self, function: FunctionText, span: str, kind: Kind, members: str, target: str) -> None:
        """Add what reads a number, a place or a truth, or that there is none."""
        if kind.form == "truth":
            function.add(f"if (!brou_read_truth({span}, &{target})) {_NO}")
            return
        read = f"if (!brou_read_whole({span}, &{target})) {_NO}"
        if kind.form == "index" and members:
            count = f"(int32_t)(sizeof Names_{members} / sizeof *Names_{members})"
            read = f"{target} = brou_read_name({span}, Names_{members}, {count});"
        low, high = write_number(kind.low), write_number(kind.high)
        checked = [read, f"if ({target} < {low} || {target} > {high}) {_NO}"]
        if not kind.optional:
            function.add(*checked)
            return
        with function.block(f'if (brou_is_text({span}, "null"))'):
            function.add(f"{target} = {write_absent(kind, self.pool.pack)};")
        with function.block("else"):
            function.add(*checked)

    def _begin_deal(self) -> str:
        """Return where a start begins, and which act deals with which of its values the order of the pack."""
        start, stages = self.game.start, list(self.program.stages)
        phase = self.program.stages.get(start.phase) if start.phase else None
        act = self.program.acts.get(start.deal) if start.deal else None
        order = next((n for n, item in enumerate(act.choosing) if item.form == "orders"), -1) if act else -1
        dealing = list(self.program.acts).index(start.deal) if act and order >= 0 else -1
        starting = stages.index(start.phase) if phase else -1
        run = f"return Stage_{start.phase}(S);" if phase and phase.do else _FINE
        return (
            f"enum {{ STARTING = {starting}, DEALING = {dealing}, DEALT = {max(order, 0)} }};\n\n"
            f"static int32_t Start(State *S) {{\n    (void)S;\n    {run}\n}}\n"
        )
