"""Acts in C: which are open, what they are chosen from, and how one is checked, written and carried out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from brou.compiler.lowered import ActParameter, CoreAct, Kind, Term, Value
from brou.errors import TooCostly
from brou.native.c_json import JsonWriter
from brou.native.c_steps import CStepWriter, declare_local
from brou.native.c_terms import Pool
from brou.native.c_text import FunctionText, join_declaration, write_name
from brou.native.c_types import as_values, is_scalar, local_type, write_absent, write_number

#: What values of acts are chosen from, as the interface numbers it.
FORMS = ("listed", "orders", "subsets", "range")
#: Those of which the cards are passed with the act.
PASSING = ("orders", "subsets")
_CODE = "return BROU_CRASHED;"


class ActsWriter:
    """Writes the functions of the acts of one program; `members` names the types of their parameters for JSON."""

    def __init__(self, pool: Pool, members: Mapping[str, Sequence[str]]) -> None:
        self.pool = pool
        self.program = pool.program
        self.members = members

    # Checking and carrying out ------------------------------------------------

    def write(self, act: CoreAct) -> Iterable[str]:
        """Yield the functions of one act."""
        yield self._may(act)
        yield self._do(act)
        if act.described:
            yield self._bounds(act)
        yield self._play(act)
        yield self._write(act)

    def _arguments(self, act: CoreAct) -> str:
        return "".join(f", {declare_local(item.name, item.kind)}" for item in act.choosing)

    def _may(self, act: CoreAct) -> str:
        """Return the function that says whether an act with its values is open in a phase that has it."""
        head = f"static int32_t May_{act.name}(const State *S, int32_t me_{self._arguments(act)})"
        writer = CStepWriter(self.pool, FunctionText(head, _CODE))
        function, terms = writer.function, writer.terms
        function.add(f"/* {act.says} */", "(void)S; (void)me_;")
        function.add(*(f"(void){write_name(item.name)};" for item in act.choosing))
        refuse = "return BROU_REFUSED;"
        function.add(f"if (!{terms.value(act.by)}) {refuse}")
        for item in act.choosing:
            function.add(f"if (!{self._lies(writer, item)}) {refuse}")
        function.add(f"return {terms.value(act.legal)} ? BROU_FINE : BROU_REFUSED;")
        return function.text()

    def _lies(self, writer: CStepWriter, item: ActParameter) -> str:
        """Return the test whether a value lies in the domain of its parameter."""
        terms, name = writer.terms, write_name(item.name)
        bounds = [terms.simple(bound) for bound in item.bounds]
        match item.form, item.domain:
            case "range", _:
                return f"({bounds[0]} <= {name} && {name} <= {bounds[1]})"
            case "subsets", Term() as domain:
                size = f"{bounds[0]} <= brou_size({name}) && brou_size({name}) <= {bounds[1]}"
                return f"(!brou_some(brou_without({name}, {terms.value(domain)})) && {size})"
            case "orders", Term() as domain:
                cards = terms.simple(domain)
                return f"(brou_same(brou_spread({name}), {cards}) && {name}->n == brou_size({cards}))"
            case _, Term() as domain if domain.kind.form in ("set", "card"):
                return f"brou_some(brou_common({name}, {terms.value(domain)}))"
            case _, Term() as domain:
                local = Term("local", item.kind, name=item.name)
                return terms.value(Term("contains", Kind("truth"), (domain, local)))
        raise TypeError(f"a parameter with the form {item.form}")

    def _do(self, act: CoreAct) -> str:
        head = f"static int32_t Do_{act.name}(State *S, int32_t me_{self._arguments(act)})"
        writer = CStepWriter(self.pool, FunctionText(head, _CODE))
        writer.function.add(f"/* {act.says} */", "(void)me_;")
        writer.function.add(*(f"(void){write_name(item.name)};" for item in act.choosing))
        writer.steps(act.do)
        writer.function.add("return BROU_FINE;")
        return writer.function.text()

    def _bounds(self, act: CoreAct) -> str:
        """Return the function that describes what the values of an act are chosen from."""
        head = f"static int32_t Bounds_{act.name}(const State *S, int32_t me_, Bound *B)"
        writer = CStepWriter(self.pool, FunctionText(head, _CODE))
        function, terms = writer.function, writer.terms
        function.add("(void)S; (void)me_;")
        for place, item in enumerate(act.choosing):
            function.add(f"memset(B + {place}, 0, sizeof *B);", f"B[{place}].form = {FORMS.index(item.form)};")
            if item.domain is not None and item.domain.kind.form in ("set", "card"):
                terms.assign(f"B[{place}].cards", item.domain)
            elif item.domain is not None and is_scalar(item.kind):
                function.add(f"B[{place}].list = *{terms.value(item.domain)};")
            elif item.domain is not None:
                function.add(f"B[{place}].high = {len(list_rows(item)) - 1};")
            for bound, side in zip(item.bounds, ("low", "high"), strict=False):
                terms.assign(f"B[{place}].{side}", bound)
        function.add("return BROU_FINE;")
        return function.text()

    # An act as it is passed ---------------------------------------------------

    def _play(self, act: CoreAct) -> str:
        """Return the function that checks an act, if that is wanted, and carries it out."""
        head = f"static int32_t Play_{act.name}(State *S, const Act *A, int32_t Checked)"
        function = FunctionText(head, _CODE)
        names = ["A->seat"]
        function.declare("From", "int32_t From = 0")
        for place, item in enumerate(act.choosing):
            names.append(self._read(function, place, item))
        given = f"S, {', '.join(names)}"
        function.add("(void)From;")
        with function.block("if (!Checked)"):
            function.add(f"int32_t May = May_{act.name}({given});", "if (May != BROU_FINE) return May;")
        function.add(f"return Do_{act.name}({given});")
        return function.text()

    def _read(self, function: FunctionText, place: int, item: ActParameter) -> str:
        """Add what reads a value of an act into a local; a value that there cannot be is no act."""
        name, kind, value = write_name(item.name), item.kind, f"A->value[{place}]"
        function.declare(name, join_declaration(local_type(kind), name))
        no = "return BROU_NO_ACT;"
        match kind.form:
            case "pile" | "set" if item.form != "listed":
                store = function.declare(f"Kept_{item.name}", f"brou_pile Kept_{item.name}")
                function.add(f"if (!brou_read_cards(A->cards, {value}, &From, &{store})) {no}")
                function.add(f"{name} = {f'&{store}' if kind.form == 'pile' else f'brou_spread(&{store})'};")
            case "card":
                function.add(f"if ({value} < 0 || {value} >= BROU_CARDS) {no}", f"{name} = brou_card({value});")
            case "list":
                rows = list_rows(item)
                domain = self.pool.constant(Kind("list", element=kind), rows)
                function.add(f"if ({value} < 0 || {value} >= {len(rows)}) {no}", f"{name} = {domain}->at + {value};")
            case "truth":
                function.add(f"if ({value} < 0 || {value} > 1) {no}", f"{name} = {value};")
            case _:
                least, most = write_number(kind.low), write_number(kind.high)
                there = f"{value} != {write_absent(kind, self.pool.pack)} && " if kind.optional else ""
                function.add(f"if ({there}({value} < {least} || {value} > {most})) {no}", f"{name} = {value};")
        return name

    # JSON ---------------------------------------------------------------------

    def _write(self, act: CoreAct) -> str:
        """Return the function that writes what an act is offered with: its values, or what they are chosen from."""
        head = f"static int32_t Write_{act.name}(const State *S, brou_json *J, const Offer *O)"
        function = FunctionText(head, _CODE)
        writer = JsonWriter(self.pool, function)
        function.add("(void)S; (void)O;")
        if not act.choosing:
            function.add("brou_truth(J, 1);")
        if act.described:
            function.declare("B", "Bound B[BROU_VALUES]")
            function.add(f"if (Bounds_{act.name}(S, O->seat, B)) {_CODE}")
        order = sorted(range(len(act.choosing)), key=lambda place: act.choosing[place].name)
        keyed = len(act.choosing) > 1
        if keyed:
            function.add("brou_open(J, '{');")
        for place in order:
            item, members = act.choosing[place], self.members[act.name][place]
            if keyed:
                function.add(f'brou_key(J, "{item.name.replace("_", "-")}");')
            if act.described:
                self._describe(writer, place, item, members)
            else:
                self._value(writer, place, item, members)
        if keyed:
            function.add("brou_close(J, '}');")
        function.add("return BROU_FINE;")
        return function.text()

    def _value(self, writer: JsonWriter, place: int, item: ActParameter, members: str) -> None:
        value = f"O->value[{place}]"
        match item.kind.form:
            case "card":
                writer.function.add(f"brou_quote(J, Names_card[{value}]);")
            case "list":
                rows = self.pool.constant(Kind("list", element=item.kind), list_rows(item))
                writer.value(item.kind, members, f"({rows}->at + {value})")
            case _:
                writer.value(item.kind, members, value)

    def _describe(self, writer: JsonWriter, place: int, item: ActParameter, members: str) -> None:
        """Add what writes what a value is chosen from."""
        add, bound = writer.function.add, f"B[{place}]"
        cards = f"brou_open(J, '['); brou_cards(J, Names_card, {bound}.cards); brou_close(J, ']');"
        least, most = (
            f'brou_key(J, "{name}"); brou_number(J, {bound}.{side});'
            for name, side in (("min", "low"), ("max", "high"))
        )
        match item.form:
            case "orders":
                add("brou_open(J, '{');", f'brou_key(J, "order"); {cards}', "brou_close(J, '}');")
            case "subsets":
                add("brou_open(J, '{');", f'brou_key(J, "from"); {cards}', most, least, "brou_close(J, '}');")
            case "range":
                add("brou_open(J, '{');", most, least, "brou_close(J, '}');")
            case _ if item.domain is not None and item.domain.kind.form in ("set", "card"):
                add(cards)
            case _ if item.domain is not None:
                fast = item.domain.op == "const"
                listed = writer.terms.value(item.domain) if fast else f"(&{bound}.list)"
                writer.value(item.domain.kind, members, listed)


def list_rows(item: ActParameter) -> Sequence[Value]:
    """Return the lists that a parameter is one of, which an act names by their place."""
    if item.kind.form == "list" and item.domain is not None and item.domain.op == "const":
        return as_values(item.domain.value)
    raise TooCostly(f"the state decides which lists {item.name} may be; let its rules list them as a param")
