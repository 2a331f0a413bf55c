"""Terms as C: an expression where it can be one, with statements before it where it needs loops, lets or crashes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brou.compiler.lowered import Kind, Program, Term, Value, every_part, may_be_absent
from brou.dataclass import dataclass
from brou.native.c_text import FunctionText, join_declaration, write_name
from brou.native.c_types import (
    StateLayout,
    as_number,
    as_values,
    is_pointer,
    is_scalar,
    is_wide,
    list_type,
    local_type,
    stored_type,
    write_absent,
    write_initial,
    write_number,
    write_set,
)

_SETS = {"union": "brou_union", "common": "brou_common", "without": "brou_without"}
_TRAITS = {"total": "brou_total", "peak": "brou_peak", "floor": "brou_floor", "best": "brou_best"}
_ENDS = {"top": "brou_top", "bottom": "brou_bottom", "lowest": "brou_lowest", "spread": "brou_spread"}
#: Operations that end an act where rules break a promise.
_CRASHING = frozenset({"demand", "unique", "bounded"})
#: A list of so many values is asked value by value.
_FEW = 4


class Pool:
    """The constants of one program: its tables, lists and piles. It knows which routines can crash."""

    def __init__(self, program: Program, layout: StateLayout) -> None:
        self.program = program
        self.layout = layout
        self.pack = len(program.cards)
        self._texts: dict[tuple[str, str], str] = {}
        self._crashing: dict[str, bool] = {}

    def declarations(self) -> list[str]:
        """Return the declarations of everything that was needed."""
        return [
            f"static const {join_declaration(c_type, name)} BROU_UNUSED = {text};"
            for (c_type, text), name in self._texts.items()
        ]

    def place(self, c_type: str, text: str, *, many: bool = False) -> str:
        """Return the name of something that stands fast."""
        name = f"Fast_{len(self._texts) + 1}"
        return self._texts.setdefault((c_type, text), f"{name}[]" if many else name).removesuffix("[]")

    def constant(self, kind: Kind, values: Sequence[Value]) -> str:
        """Return a pointer to a list, or a pile, that stands fast."""
        element = kind.element or Kind("none")
        if kind.form == "list" and element.form == "list":
            inner = [write_initial(element, one, self.pack) for one in values]
            rows = self.place("brou_list", f"{{{', '.join(inner or ['{0, {0}}'])}}}", many=True)
            return f"(&{self.place('brou_lists', f'{{{len(inner)}, {rows}}}')})"
        text = write_initial(kind, tuple(values), self.pack)
        return f"(&{self.place(stored_type(kind), text)})"

    def variable(self, name: str) -> str:
        """Return a variable of the state as locals of its kind are held."""
        field = self.layout.fields[name]
        text = f"S->{write_name(field.cell.scope)}.{write_name(name)}"
        kind = field.cell.kind
        if kind.form == "pile" and kind.optional:
            return f"brou_there(&{text})"
        return f"(&{text})" if kind.form in ("pile", "list") else text

    def can_crash(self, terms: Iterable[Term]) -> bool:
        """Say whether any of some terms can crash, calls included."""
        return any(
            part.op in _CRASHING or (part.op == "call" and self.routine_crashes(part.name))
            for part in every_part(terms)
        )

    def routine_crashes(self, name: str) -> bool:
        """Say whether a routine can crash."""
        if name not in self._crashing:
            # Routines do not call themselves, so this ends.
            self._crashing[name] = self.can_crash([self.program.routines[name].body])
        return self._crashing[name]


@dataclass(frozen=True, slots=True)
class LoopShape:
    """The first value of a quantifier, and its statement for each body."""

    first: str
    each: str


_LOOPS = {
    "any": LoopShape("0", "if ({body}) {{ {out} = 1; break; }}"),
    "all": LoopShape("1", "if (!({body})) {{ {out} = 0; break; }}"),
    "count": LoopShape("0", "{out} += ({body}) != 0;"),
    "sum": LoopShape("0", "{out} += {body};"),
    "first": LoopShape("{none}", "{out} = {body}; break;"),
    "min": LoopShape("0", "{{ {item} = {body}; if (!{any} || {item} < {out}) {out} = {item}; {any} = 1; }}"),
    "max": LoopShape("0", "{{ {item} = {body}; if (!{any} || {item} > {out}) {out} = {item}; {any} = 1; }}"),
    "best": LoopShape(
        "{none}",
        "{{ {item} = {body}; if (!{any} || {item} > {most}) {{ {out} = {bound}; {most} = {item}; }} {any} = 1; }}",
    ),
    "union": LoopShape("brou_nothing()", "{out} = brou_union({out}, {body});"),
    "sift": LoopShape("brou_nothing()", "{out} = brou_union({out}, {body});"),
}


class TermWriter:
    """Writes terms into one function; what does not fit into an expression goes before it as statements."""

    def __init__(self, pool: Pool, function: FunctionText) -> None:
        self.pool = pool
        self.function = function

    # Values -------------------------------------------------------------------

    def value(self, term: Term) -> str:  # noqa: C901, PLR0912 - one flat match, a case an operation
        """Return a term as an expression that binds as tightly as any; statements that it needs are added before."""
        op, parts = term.op, term.parts
        match op:
            case "const":
                return self._const(term)
            case "local":
                return write_name(term.name)
            case "state":
                return self.pool.variable(term.name)
            case "element":
                read = f"{self.value(parts[0])}[{self.value(parts[1])}]"
                return f"(&{read})" if is_pointer(term.kind) else read
            case "part":
                return f"({self.value(parts[0])} + {self.value(parts[1])})"
            case "call":
                return self._call(term)
            case "let":
                self.bind(term.bound, parts[0])
                return self.value(parts[1])
            case "demand":
                self.demand(parts[0])
                return self.value(parts[1])
            case "and" | "or":
                return self._connect(term)
            case "not":
                return f"(!{self.value(parts[0])})"
            case "choose":
                return self._choose(term)
            case "unique":
                return self._unique(term)
            case "compare":
                return self._compare(term)
            case "contains":
                return self._contains(parts[0], parts[1])
            case "loop":
                return self._loop(term)
            case "list" | "range":
                return self._list(term)
            case "+" | "-" | "*" | "//" | "min" | "max" | "abs" | "bounded":
                return self._number(term)
            case "trait":
                return f"Table_{term.name}[brou_place({self.value(parts[0])})]"
            case "lookup":
                return self._lookup(term)
            case "some" | "size" | "place":
                return f"brou_{op}({self.value(parts[0])})"
            case "length":
                return f"({self.value(parts[0])}->n)"
            case "cut" | "take" | "drop" | "onto" | "stack":
                return self._pile(term)
            case "spread" if parts[0].op == "take":
                pile, count = parts[0].parts
                return f"brou_spread_first({self.value(pile)}, {self.value(count)})"
        name = _SETS.get(op) or _TRAITS.get(op) or _ENDS[op]
        table = [f"Table_{term.name}"] if op in _TRAITS else []
        return f"{name}({', '.join([*table, *map(self.value, parts)])})"

    def assign(self, target: str, term: Term) -> None:
        """Add the statements that give a term to a local or an element."""
        self.function.add(f"{target} = {self.value(term)};")

    def bind(self, name: str, term: Term) -> None:
        """Declare a local of the rules and give it its value."""
        self.declare(name, term.kind)
        self.assign(write_name(name), term)

    def declare(self, name: str, kind: Kind) -> None:
        """Declare a local of the rules."""
        self.function.declare(write_name(name), join_declaration(local_type(kind), write_name(name)))

    def demand(self, condition: Term) -> None:
        """Add the crash that follows where a condition fails."""
        self.function.add(f"if (!{self.value(condition)}) {self.function.crash}")

    def simple(self, term: Term) -> str:
        """Return a term as something that may be written twice."""
        text = self.value(term)
        if text.isalnum() or text.rstrip("_").isalnum():
            return text
        name = self.function.make(local_type(term.kind))
        self.function.add(f"{name} = {text};")
        return name

    # Leaves -------------------------------------------------------------------

    def _const(self, term: Term) -> str:
        kind, value = term.kind, term.value
        if value is None:
            return "0"
        if kind.form in ("set", "card"):
            return write_set(as_number(value), self.pool.pack)
        if kind.form in ("list", "pile"):
            return self.pool.constant(kind, as_values(value))
        if kind.form == "array":
            text = write_initial(kind, value, self.pool.pack)
            return self.pool.place(stored_type(kind.element), text, many=True)
        return f"({text})" if (text := write_number(as_number(value))).startswith("-") else text

    def _lookup(self, term: Term) -> str:
        constant = self.pool.program.constants[term.name]
        place = self.value(term.parts[0])
        if constant.kind.form == "list":
            return f"(&Table_{term.name}[{place}])"
        # Sets by place have the one for an absent place in front.
        first = constant.kind.form == "set" and not constant.by_card
        if may_be_absent(term.parts[0].kind) and not first:
            raise TypeError(f"{term.name} has nothing for an absent place")
        return f"Table_{term.name}[{place} + 1]" if first else f"Table_{term.name}[{place}]"

    def _call(self, term: Term) -> str:
        routine = self.pool.program.routines[term.name]
        given = "".join(f", {self.value(part)}" for part in term.parts)
        result = routine.kind
        if result.form in ("pile", "list"):
            given += f", &{self.function.make(stored_type(result))}"
        if not self.pool.routine_crashes(term.name):
            return f"Rule_{term.name}(S{given})"
        out = self.function.make(local_type(result))
        self.function.add(f"if (!Rule_{term.name}(S{given}, &{out})) {self.function.crash}")
        return out

    # Truths -------------------------------------------------------------------

    def _connect(self, term: Term) -> str:
        """Return `and` or `or`, whose parts are evaluated no further than needed."""
        sign = "&&" if term.op == "and" else "||"
        first, *others = term.parts
        texts = [self.value(first)]
        out = ""
        for part in others:
            with self.function.apart() as lines:
                text = self.value(part)
                if out or lines:
                    out = out or self.function.make("int32_t")
                    self.function.add(f"{out} = {text};")
            if out:
                if texts:
                    self.function.add(f"{out} = {f' {sign} '.join(texts)};")
                    texts = []
                self.function.splice(f"if ({'' if term.op == 'and' else '!'}{out})", lines)
            else:
                texts.append(text)
        return out or f"({f' {sign} '.join(texts)})"

    def _choose(self, term: Term) -> str:
        test, yes, no = term.parts
        condition = self.value(test)
        with self.function.apart() as first:
            one = self.value(yes)
        with self.function.apart() as second:
            two = self.value(no)
        if not first and not second:
            return f"({condition} ? {self._cast(term, one)} : {self._cast(term, two)})"
        out = self.function.make(local_type(term.kind))
        self.function.splice(f"if ({condition})", first, f"{out} = {one};")
        self.function.splice("else", second, f"{out} = {two};")
        return out

    def _cast(self, term: Term, text: str) -> str:
        """Return the value of one side, nothing at all as a pointer of the type that both sides have."""
        return f"({local_type(term.kind)})0" if text == "0" and is_pointer(term.kind) else text

    def _unique(self, term: Term) -> str:
        whens, thens = term.parts[::2], term.parts[1::2]
        function = self.function
        fired = []
        for when in whens:
            fired.append(function.make("int32_t"))
            self.assign(fired[-1], when)
        function.add(f"if ({' + '.join(fired)} != 1) {function.crash}")
        out = function.make(local_type(term.kind))
        for name, then in zip(fired, thens, strict=True):
            with function.apart() as lines:
                self.assign(out, then)
            function.splice(f"if ({name})", lines)
        return out

    def _compare(self, term: Term) -> str:
        one, two = term.parts
        kind = two.kind if one.kind.form == "none" else one.kind
        texts = [
            write_absent(kind, self.pool.pack)
            if part.kind.form == "none" and not is_pointer(kind)
            else self.value(part)
            for part in (one, two)
        ]
        no = "!" if term.name == "!=" else ""
        if kind.form in ("set", "card"):
            return f"({no}brou_same({texts[0]}, {texts[1]}))"
        if kind.form == "pile":
            return f"({no}brou_same_pile({texts[0]}, {texts[1]}))"
        return f"({texts[0]} {term.name} {texts[1]})"

    def _contains(self, domain: Term, value: Term) -> str:
        if domain.op == "range":
            one = self.simple(value)
            return f"({self.value(domain.parts[0])} <= {one} && {one} <= {self.value(domain.parts[1])})"
        element = domain.kind.element or Kind("none")
        if domain.op == "const" and is_scalar(element) and len(as_values(domain.value)) <= _FEW:
            one = self.simple(value)
            tests = [f"{one} == {write_number(as_number(each))}" for each in as_values(domain.value)]
            return f"({' || '.join(tests) or '0'})"
        if element.form == "list":
            return f"(brou_find_list({self.value(domain)}, {self.value(value)}) >= 0)"
        name = "brou_in_sets" if list_type(element) == "brou_sets" else "brou_in_list"
        return f"{name}({self.value(domain)}, {self.value(value)})"

    # Numbers ------------------------------------------------------------------

    def _number(self, term: Term) -> str:
        texts = [self.value(part) for part in term.parts]
        wide = is_wide(term.kind) or any(is_wide(part.kind) for part in term.parts)
        narrow = "" if is_wide(term.kind) else "(int32_t)"
        match term.op:
            case "min" | "max" | "abs":
                return f"({narrow}brou_{term.op}({', '.join(texts)}))"
            case "//":
                return f"({narrow}brou_divide({', '.join(texts)}))"
            case "bounded":
                number = self.function.make("int64_t")
                self.function.add(f"{number} = {texts[0]};")
                self.function.add(f"if (!brou_is_bounded({number})) {self.function.crash}")
                return f"({narrow}{number})"
        first = f"(int64_t){texts[0]}" if wide else texts[0]
        return f"({first} {term.op} {texts[1]})"

    # Piles and lists ----------------------------------------------------------

    def _pile(self, term: Term) -> str:
        store = self.function.make("brou_pile")
        if term.op in ("take", "drop"):
            return f"brou_slice(&{store}, {self.slice(term)})"
        given = ", ".join(map(self.value, term.parts))
        return f"brou_{term.op}(&{store}, {given})"

    def slice(self, term: Term) -> str:
        """Return the pile of which some cards are taken or dropped, and from where to where the rest lies."""
        pile, count = map(self.value, term.parts)
        return f"{pile}, 0, {count}" if term.op == "take" else f"{pile}, {count}, BROU_PILE"

    def _list(self, term: Term) -> str:
        store = self.function.make(stored_type(term.kind))
        self.function.add(f"{store}.n = 0;")
        if term.op == "range":
            low, high = (self.simple(part) for part in term.parts)
            place = self.function.make("int32_t")
            self.function.add(f"for ({place} = {low}; {place} <= {high}; {place}++) {store}.at[{store}.n++] = {place};")
        else:
            for part in term.parts:
                self._append(store, term.kind, part, once=term.name == "once")
        return f"(&{store})"

    def _append(self, store: str, kind: Kind, part: Term, *, once: bool) -> None:
        text = self.value(part)
        if not once:
            self.function.add(f"{store}.at[{store}.n++] = {text};")
            return
        item = self.function.make(local_type(part.kind))
        name = "brou_in_sets" if list_type(kind.element) == "brou_sets" else "brou_in_list"
        self.function.add(f"{item} = {text};")
        self.function.add(f"if (!{name}(&{store}, {item})) {store}.at[{store}.n++] = {item};")

    # Loops --------------------------------------------------------------------

    def loop(self, name: str, domain: Term) -> tuple[str, str]:
        """Return the head of a loop over a list or a set, and the statement inside it that sets its local, if any."""
        function, local = self.function, write_name(name)
        if domain.kind.form in ("set", "card"):
            self.declare(name, Kind("card"))
            left = function.make("brou_set")
            head = f"for ({left} = {self.value(domain)}; brou_some({left}); {left} = brou_rest({left}))"
            return head, f"{local} = brou_lowest({left});"
        element = domain.kind.element or Kind("none")
        self.declare(name, element)
        if domain.op == "range":
            low, high = (self.simple(part) for part in domain.parts)
            return f"for ({local} = {low}; {local} <= {high}; {local}++)", ""
        place, values = function.make("int32_t"), function.make(local_type(domain.kind))
        function.add(f"{values} = {self.value(domain)};")
        read = f"{values}->at[{place}]"
        return (
            f"for ({place} = 0; {place} < {values}->n; {place}++)",
            f"{local} = {f'&{read}' if is_pointer(element) else read};",
        )

    def _loop(self, term: Term) -> str:
        domain, test, body, *default = term.parts
        function, name = self.function, term.name
        gathers = name == "gather"
        out = function.make(stored_type(term.kind) if gathers else local_type(term.kind))
        names = {"out": out, "bound": write_name(term.bound)}
        if name in ("min", "max", "best"):
            names |= {"item": function.make(local_type(body.kind)), "any": function.make("int32_t")}
            function.add(f"{names['any']} = 0;")
        if name == "best":
            names["most"] = function.make(local_type(body.kind))
            function.add(f"{names['most']} = 0;")
        none = write_absent(term.kind, self.pool.pack)
        function.add(f"{out}.n = 0;" if gathers else f"{out} = {_LOOPS[name].first.format(none=none)};")
        head, step = self.loop(term.bound, domain)
        with function.block(head):
            if step:
                function.add(step)
            if not (test.op == "const" and test.value is True):
                function.add(f"if (!{self.value(test)}) continue;")
            if gathers:
                self._append(out, term.kind, body, once=True)
            else:
                function.add(_LOOPS[name].each.format(body=self.value(body), **names))
        if default:
            with function.apart() as lines:
                self.assign(out, default[0])
            function.splice(f"if (!{names['any']})", lines)
        return f"(&{out})" if gathers else out
