"""A whole engine in C: one file with its interface, which any compiler of C99 takes, and the tables of its names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from brou.compiler.finding import Weighing
from brou.compiler.lower import lower_whole
from brou.compiler.lower_shows import find_members
from brou.compiler.lowered import NO_INDEX, NO_NUMBER, Constant, CoreAct, Kind, Program, Routine, ShownKey, Stage
from brou.compiler.optimise import optimise
from brou.compiler.set_words import WORD, words
from brou.errors import TooCostly
from brou.language.codec import Json, outside
from brou.language.copies import is_copy
from brou.language.syntax import Game
from brou.native.batch import EngineWish
from brou.native.c_acts import PASSING, ActsWriter
from brou.native.c_facts import FactWriter
from brou.native.c_finding import FINDS, Finders, SingleFinders, count_offers, passed_weight
from brou.native.c_header import Label, Sizes, make_prefix, write_header
from brou.native.c_json import JsonWriter, write_names
from brou.native.c_reading import ReadingWriter
from brou.native.c_steps import CStepWriter, can_crash, declare_local
from brou.native.c_tables import TableWriter
from brou.native.c_terms import Pool, TermWriter
from brou.native.c_text import FunctionText, join_declaration, read_source, write_name
from brou.native.c_types import (
    Lengths,
    StateLayout,
    is_pointer,
    local_type,
    stored_type,
    write_initial,
    write_number,
)

#: A mask of acts has so many bits.
_ACTS = 64


#: The engine and its interface as text, and the tables of its names as JSON.
Texts: TypeAlias = "tuple[str, str, dict[str, Json]]"


def write_engine(game: Game, label: Label, wish: EngineWish | None = None) -> Texts:
    """Return an engine in C, the header of its interface and the tables of its names.

    Raise `TooCostly` for rules with more acts than a mask has bits, more cards than a byte counts, copies of cards,
    arrays that may be absent, or lists as values of acts that the state decides.
    """
    wish = wish or EngineWish()
    return _EngineWriter(game, lower_whole(game, wish.asked), label, wish).texts()


class _EngineWriter:
    """Writes one engine."""

    def __init__(self, game: Game, program: Program, label: Label, wish: EngineWish) -> None:
        self.game = game
        self.program = program
        self.played = optimise(program)
        self.label = label
        self.wish = wish
        self.prefix = make_prefix(program.game)
        _check(program)
        terms = (part for one in (self.program, self.played) for part in one.terms)
        kinds = [cell.kind for cell in program.cells.values()]
        kinds += [constant.kind for constant in program.constants.values()]
        self.bounds = Lengths.of([*kinds, *(term.kind for term in terms)])
        self.layout = StateLayout(program, self.bounds)
        self.pool = Pool(self.played, self.layout)
        members = {
            name: [find_members(parameter.type) for parameter in action.parameters]
            for name, action in game.actions.items()
        }
        self.acts = ActsWriter(self.pool, members)
        self.facts = FactWriter(game, program, self.pool, wish.facts)
        self._counting = [*self.facts.write()]
        self.reading = ReadingWriter(game, self.pool, self.layout, members)

    @cached_property
    def sizes(self) -> Sizes:
        """Return the greatest sizes of acts, offers and batches."""
        acts = self.program.acts.values()
        cards = [sum(_list_passed(act)) * len(self.program.cards) for act in acts]
        offers = [count_offers(self.program, stage) for stage in self.program.stages.values()]
        return Sizes(
            max([1, *(len(act.choosing) for act in acts)]), max([1, *cards]), max([1, *offers]),
            max(1, len(self.wish.figures)), max(1, len(self.facts.facts)), max(1, len(self.facts.numbers)),
        )  # fmt: skip

    def texts(self) -> Texts:
        """Return engine, interface and tables."""
        header = write_header(self.program, self.layout, self.bounds, self.sizes, self.label)
        questions = [self.played.routines[name] for name in self._questions()]
        figures = [one.key for one in self.wish.figures]
        tables = TableWriter(self.game, self.program, self.layout).write(
            self.label, self.sizes, questions, figures, self.facts
        )
        functions = list(self._functions())
        surface = read_source("engine.c")
        surface = surface.replace("prefix_", self.prefix).replace("PREFIX_", self.prefix.upper())
        parts = [
            header,
            self._definitions(),
            read_source("runtime.h"),
            "\n".join(self._statics(tables)),
            "\n".join(self.pool.declarations()),
            *functions,
            surface,
        ]
        return "\n".join(parts), header, tables

    # Declarations -------------------------------------------------------------

    def _definitions(self) -> str:
        upper = self.prefix.upper()
        defined = [
            read_source("memory.h"),
            *(f"#define BROU_{name} {upper}{name}" for name in ("CARDS", "WORDS", "VALUES", "PASSED", "OFFERS")),
            f"#define BROU_ACTS_MOST {upper}ACTS",
            f"#define BROU_PILE {self.bounds.pile}",
            f"#define BROU_NO_NUMBER {upper}NO_NUMBER", "",
            *(f"typedef {self.prefix}{name} brou_{name};" for name in ("set", "pile", "list", "sets")),
            *(f"typedef {self.prefix}{name.lower()} {name};" for name in _STRUCTURES),
            "",
        ]  # fmt: skip
        return "\n".join(defined)

    def _statics(self, tables: Mapping[str, Json]) -> Iterable[str]:
        """Yield the constants of every engine: names, tables, the first state."""
        program = self.program
        listed = {"card": program.cards, **program.members}
        for name, members in listed.items():
            yield write_names(name, [outside(one) for one in members])
        yield write_names("Act", [outside(name) for name in program.acts])
        yield write_names("Phase", [outside(name) for name in program.stages])
        yield write_names("Stage", list(program.stages))
        order = sorted(range(len(program.acts)), key=lambda place: outside(list(program.acts)[place]))
        yield f"static const uint8_t Order[] = {{{', '.join(map(str, order))}}};"
        for constant in program.constants.values():
            yield self._constant(constant)
        yield f'static const char Rules[] = "{self.label.rules} [{self.label.readings}]";'
        yield f'static const char Hash[] = "{self.label.hash}";'
        text = json.dumps(tables, ensure_ascii=True, separators=(",", ":"))
        pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
        yield "static const char Tables[] =\n" + "\n".join(f"    {json.dumps(piece)}" for piece in pieces) + ";"
        yield f"static const State Fresh = {self._fresh()};"

    def _constant(self, constant: Constant) -> str:
        kind, values = constant.kind, list(constant.values)
        if kind.form == "set" and not constant.by_card:
            values = [values[-1], *values]
        listed = ", ".join(write_initial(kind, value, len(self.program.cards)) for value in values)
        c_type = stored_type(kind) if kind.form in ("set", "card", "list") else "int32_t"
        return f"static const {c_type} Table_{constant.name}[] BROU_UNUSED = {{{listed}}};"

    def _fresh(self) -> str:
        """Return the state before anything has happened."""
        pack = len(self.program.cards)
        scopes = []
        for scope in self.program.scopes:
            values = [write_initial(one.cell.kind, one.cell.default, pack) for one in self.layout.scope_fields(scope)]
            scopes.append(f"{{{', '.join([*values, *(['{0}'] if self.layout.padding[scope] else [])])}}}")
        return f"{{{', '.join(['0', '0', *scopes])}}}"

    # Functions ----------------------------------------------------------------

    def _functions(self) -> Iterable[str]:
        """Yield all functions, each behind those that it calls."""
        program, played = self.program, self.played
        for scope in program.scopes:
            yield self._reset(scope)
        for routine in played.routines.values():
            yield self._routine(routine)
        stages = [stage for stage in played.stages.values() if stage.do]
        yield "\n".join(f"static int32_t Stage_{stage.name}(State *S);" for stage in stages) + "\n"
        for stage in stages:
            yield self._stage(stage)
        for act in played.acts.values():
            yield from self.acts.write(act)
        yield from self._finders("Find", {name: passed_weight(name) for name in program.acts})
        if self.wish.weights:
            yield from self._finders("Weigh", self.wish.weights)
        else:
            yield "#define Weigh Find\n"
        yield from SingleFinders(self.pool, program).write()
        yield self._show_section("Score", program.score)
        yield self._show_section("View", program.view)
        yield self._state()
        yield self._find_broken()
        yield self._ask()
        yield from self._batches()
        yield from self._counting
        yield self._tests()
        yield self._switches()
        yield from self.reading.write()

    def _reset(self, scope: str) -> str:
        function = FunctionText(f"BROU_INLINE void Reset_{scope}(State *S)", "")
        for inner in self.program.scopes[self.program.scopes.index(scope) :]:
            name = write_name(inner)
            function.add(f"memcpy(&S->{name}, &Fresh.{name}, sizeof S->{name});")
        return function.text()

    def _routine(self, routine: Routine) -> str:
        """Return a function of the rules; one that can crash says whether it has a value, and puts it into `Out`."""
        result, crashes = routine.kind, self.pool.routine_crashes(routine.name)
        given = ["const State *S", *(declare_local(name, kind) for name, kind in routine.arguments)]
        stored = result.form in ("pile", "list")
        if stored:
            given.append(f"{stored_type(result)} *Store")
        c_type = local_type(result)
        if crashes:
            given.append(join_declaration(f"{c_type} *", "Out").replace("* *", "**"))
        head = "int32_t " if crashes else c_type if c_type.endswith("*") else f"{c_type} "
        text = f"BROU_INLINE {head}Rule_{routine.name}({', '.join(given)})"
        function = FunctionText(text, "return 0;")
        function.add(f"/* {routine.says} */", "(void)S;")
        function.add(*(f"(void){write_name(name)};" for name, _ in routine.arguments))
        value = TermWriter(self.pool, function).value(routine.body)
        if stored:
            function.declare("Value", f"{join_declaration(c_type, 'Value')}")
            function.add(f"Value = {value};", "if (Value) memcpy(Store, Value, sizeof *Store);")
            value = "Value ? Store : 0"
        function.add(*([f"*Out = {value};", "return 1;"] if crashes else [f"return {value};"]))
        return function.text()

    def _stage(self, stage: Stage) -> str:
        writer = CStepWriter(self.pool, FunctionText(f"static int32_t Stage_{stage.name}(State *S)", _CRASHED))
        writer.function.add(f"/* {stage.says} */")
        writer.steps(stage.do)
        writer.function.add("return BROU_FINE;")
        return writer.function.text()

    def _finders(self, name: str, weights: Weighing) -> Iterable[str]:
        finders = Finders(self.pool, self.program, weights, name)
        stages = [stage for stage in self.program.stages.values() if not stage.do]
        for stage in stages:
            yield finders.write(stage)
        head = f"static int64_t {name}({FINDS})"
        function = FunctionText(head, "")
        with function.block("switch (S->phase)"):
            for place, stage in enumerate(self.program.stages.values()):
                if not stage.do:
                    function.add(f"case {place}: return {name}_{stage.name}(S, Weights, Found, Many);")
        function.add("*Many = 0;", "return 0;")
        yield function.text()

    # What is shown ------------------------------------------------------------

    def _show_section(self, name: str, keys: Sequence[ShownKey]) -> str:
        """Return the function that writes the score, or the view of the seat `me`."""
        function = FunctionText(f"static int32_t Show_{name}(const State *S, int32_t me_, brou_json *J)", _CRASHED)
        function.add("(void)S; (void)me_;", "brou_open(J, '{');")
        if name == "View":
            function.add('brou_key(J, "phase"); brou_quote(J, Names_Phase[S->phase]);')
        JsonWriter(self.pool, function).keys(keys)
        function.add("brou_close(J, '}');", "return BROU_FINE;")
        return function.text()

    def _state(self) -> str:
        """Return the function that writes the state, keys in alphabetical order."""
        function = FunctionText("static int32_t Show_State(const State *S, brou_json *J)", _CRASHED)
        writer = JsonWriter(self.pool, function)
        function.add("brou_open(J, '{');")
        for name in sorted([*self.program.cells, _PHASE]):
            function.add(f'brou_key(J, "{name}");')
            if name == _PHASE:
                function.add("brou_quote(J, Names_Stage[S->phase]);")
            else:
                cell, type_ = self.program.cells[name], self.game.state[name].type
                writer.value(cell.kind, find_members(type_), self.pool.variable(name))
        function.add("brou_close(J, '}');", "return BROU_FINE;")
        return function.text()

    def _find_broken(self) -> str:
        function = FunctionText("static uint64_t Broken(const State *S)", "return UINT64_MAX;")
        function.declare("Broken_", "uint64_t Broken_ = 0")
        terms = TermWriter(self.pool, function)
        function.add("(void)S;")
        for place, invariant in enumerate(self.program.invariants):
            function.add(f"if (!{terms.value(invariant.holds)}) Broken_ |= UINT64_C(1) << {place};")
        function.add("return Broken_;")
        return function.text()

    # Questions and batches ----------------------------------------------------

    def _questions(self) -> list[str]:
        """Return the functions for questions from outside: they take numbers and places, and give one.

        A card is its place; a set, where it is one word, that word.
        """
        found = []
        for name in self.wish.asked:
            routine = self.played.routines[name]
            given = [kind for _, kind in routine.arguments]
            narrow = routine.kind.form != "set" or words(len(self.program.cards)) == 1
            if (
                narrow
                and not any(is_pointer(kind) for kind in (*given, routine.kind))
                and "set" not in {k.form for k in given}
            ):
                found.append(name)
        return found

    def _ask(self) -> str:
        head = "static int32_t Ask(const State *S, int32_t Question, const int32_t *Given, int64_t *Answer)"
        function = FunctionText(head, _CRASHED)
        function.add("(void)S; (void)Given; (void)Answer;")
        with function.block("switch (Question)"):
            for place, name in enumerate(self._questions()):
                routine = self.played.routines[name]
                given = [
                    (f"(Given[{at}] < 0 ? brou_nothing() : brou_card(Given[{at}]))")
                    if kind.form == "card"
                    else f"Given[{at}]"
                    for at, (_, kind) in enumerate(routine.arguments)
                ]
                with function.block(f"case {place}:"):
                    for at, (_, kind) in enumerate(routine.arguments):
                        function.add(f"if ({self._lies_outside(kind, f'Given[{at}]')}) return BROU_NO_ACT;")
                    self._answer(function, name, given)
                    function.add("return BROU_FINE;")
        function.add("return BROU_NO_ACT;")
        return function.text()

    def _lies_outside(self, kind: Kind, text: str) -> str:
        """Return the test whether a number passed from outside is no value of a kind."""
        low, high = {"card": (0, len(self.program.cards) - 1), "truth": (0, 1)}.get(kind.form, (kind.low, kind.high))
        outside_ = f"({text} < {write_number(low)} || {text} > {write_number(high)})"
        none = write_number(NO_NUMBER if kind.form == "number" else NO_INDEX)
        return f"{text} != {none} && {outside_}" if kind.optional else outside_

    def _answer(self, function: FunctionText, name: str, given: Sequence[str]) -> None:
        """Add the answer of a routine."""
        listed, kind = "".join(f", {one}" for one in given), self.played.routines[name].kind
        out = function.make(local_type(kind))
        if self.pool.routine_crashes(name):
            function.add(f"if (!Rule_{name}(S{listed}, &{out})) {function.crash}")
        else:
            function.add(f"{out} = Rule_{name}(S{listed});")
        place = f"brou_some({out}) ? brou_place({out}) : -1" if kind.form == "card" else f"(int64_t){out}"
        function.add(f"*Answer = {place};")

    def _batches(self) -> Iterable[str]:
        """Yield what batches need: which acts end a deal, whether cards lie anywhere, and the figures."""
        ends = ", ".join(str(int(name in self.wish.endings)) for name in self.program.acts)
        yield f"static const uint8_t Ends[] = {{{ends}}};\n"
        function = FunctionText("static int32_t Dealt(const State *S)", "return 0;")
        function.add("(void)S;")
        for name, variable in self.game.state.items():
            if variable.zone:
                self._lies_anything(function, name)
        function.add("return 0;")
        yield function.text()
        head = "static int32_t Figure(const State *S, int32_t Place, int64_t *Answer)"
        function = FunctionText(head, _CRASHED)
        function.add("(void)S; (void)Answer;")
        with function.block("switch (Place)"):
            for place, figure in enumerate(self.wish.figures):
                given = [str(one) for one in figure.given]
                with function.block(f"case {place}:"):
                    if figure.among:
                        self._answer(function, figure.among, given)
                        function.add("if (!*Answer) return BROU_REFUSED;")
                    self._answer(function, figure.routine, given)
                    function.add("return BROU_FINE;")
        function.add("return BROU_NO_ACT;")
        yield function.text()
        rows = ", ".join(f"{{{int(one.per == 'match')}, {int(bool(one.among))}}}" for one in self.wish.figures)
        yield f"static const uint8_t Figures[][2] = {{{rows or '{0, 0}'}}};\n"
        yield f"enum {{ FIGURES = {len(self.wish.figures)} }};\n"

    def _lies_anything(self, function: FunctionText, name: str) -> None:
        """Add the test whether a card lies in a zone."""
        one = self.layout.fields[name]
        kind = one.cell.kind.element if one.cell.kind.form == "array" else one.cell.kind
        text = f"S->{write_name(one.cell.scope)}.{write_name(name)}"
        each = f"{text}[Place]" if one.cell.kind.form == "array" else text
        if kind is None:
            return
        test = f"{each}.n > 0" if kind.form == "pile" else f"brou_some({each})"
        if kind.form == "set" and kind.optional:
            test += f" && !brou_holds({each}, BROU_CARDS)"
        with function.block(f"for (int32_t Place = 0; Place < {one.count}; Place++)"):
            function.add(f"if ({test}) return 1;")

    # Which act, which phase ---------------------------------------------------

    def _tests(self) -> str:
        """Return tables: the acts of each phase, the last phases, which acts can crash or are described, and weights.

        What acts weigh under the conduct is -1 where the state decides.
        """
        names, stages, acts = list(self.program.acts), self.program.stages.values(), self.played.acts.values()
        masks = [sum(1 << names.index(name) for name in stage.acts) for stage in stages]
        crashing = [can_crash(self.pool, self.played, act.do) or self.pool.can_crash(act.terms) for act in acts]
        fixed = [self.wish.weights.get(name, 1) for name in names]
        passed = [f"{{{', '.join(str(int(is_passed)) for is_passed in _list_passed(act)) or '0'}}}" for act in acts]
        return "\n".join(
            [
                _table("uint64_t", "Acts[]", [f"UINT64_C({mask:#x})" for mask in masks]),
                _table("uint8_t", "Final[]", [int(stage.final) for stage in stages]),
                _table("uint8_t", "Crashes[]", map(int, crashing)),
                _table("uint8_t", "Described[]", [int(act.described) for act in acts]),
                _table("uint8_t", "Counts[]", [len(act.choosing) for act in acts]),
                _table("uint8_t", "Passed[][BROU_VALUES]", passed),
                _table("int32_t", "Alike[]", [1 for _ in acts]),
                _table("int32_t", "Fixed[]", [max(one, 0) if isinstance(one, int) else -1 for one in fixed]),
                "",
            ]
        )

    def _switches(self) -> str:
        """Return the functions that lead to those of an act."""
        first = next(iter(self.program.stages.values()))
        begin = f"return Stage_{first.name}(S);" if first.do else "return BROU_FINE;"
        play = self._switch("Play", "State *S, const Act *A, int32_t Checked", "A->act", "S, A, Checked")
        write = self._switch("Write", "const State *S, brou_json *J, const Offer *O", "O->act", "S, J, O")
        described = [name for name, act in self.program.acts.items() if act.described]
        bounds = self._switch(
            "Bounds", "const State *S, int32_t Act_, int32_t me_, Bound *B", "Act_", "S, me_, B", described
        )
        return "\n".join([f"static int32_t Begin(State *S) {{\n    (void)S;\n    {begin}\n}}\n", play, write, bounds])

    def _switch(self, name: str, parameters: str, by: str, given: str, only: Sequence[str] | None = None) -> str:
        function = FunctionText(f"static int32_t {name}({parameters})", "")
        function.add("".join(f"(void){one.rpartition(' ')[2].lstrip('*')};" for one in parameters.split(", ")))
        with function.block(f"switch ({by})"):
            for place, act in enumerate(self.program.acts):
                if only is None or act in only:
                    function.add(f"case {place}: return {name}_{act}({given});")
        function.add("return BROU_NO_ACT;")
        return function.text()


#: The structures of the interface, as the engine itself calls them.
_STRUCTURES = ("State", "Act", "Offer", "Bound", "Policy", "Sums", "Number")
_PHASE = "phase"
_CRASHED = "return BROU_CRASHED;"
#: A place in a pack is a byte.
_WORDS = 4
#: So many characters of a long text stand in one line.
_PIECE = 100


def _table(c_type: str, name: str, values: Iterable[object]) -> str:
    """Return the declaration of a table; one of nothing has one entry, as C wants it."""
    return f"static const {c_type} {name} = {{{', '.join(map(str, values)) or '0'}}};"


def _list_passed(act: CoreAct) -> list[bool]:
    """Return for each value of an act whether it is passed as cards."""
    return [item.form in PASSING for item in act.choosing]


def _check(program: Program) -> None:
    """Raise `TooCostly` for rules that an engine in C cannot hold."""
    if len(program.acts) > _ACTS:
        raise TooCostly(f"an engine in C has at most {_ACTS} acts, {program.game} has {len(program.acts)}")
    if words(len(program.cards)) > _WORDS:
        raise TooCostly(f"an engine in C has fewer than {_WORDS * WORD} cards, {program.game} has {len(program.cards)}")
    if any(map(is_copy, program.cards)):
        raise TooCostly(f"an engine in C tells copies of a card apart, {program.game} does not; take one in Python")
    for cell in program.cells.values():
        if cell.kind.form == "array" and cell.kind.optional:
            raise TooCostly(f"{cell.name} is an array that may be absent; an engine in C has none of these")
