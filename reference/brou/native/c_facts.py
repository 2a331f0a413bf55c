"""What batches count of deals and matches: the acts that were made, and what the score and the view enumerate, in C.

A fact has a part (acts, acts a deal, score, view, match) and a name. It is counted in a deal or at the end of a match:
whether something was so, or how much it was. Of a number outside a list each value is counted as well, as long as it
has few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from math import prod

from brou.compiler import lowered
from brou.compiler.lowered import Kind, Program, ShownKey, Term
from brou.dataclass import dataclass, field
from brou.errors import Crash
from brou.language.codec import outside
from brou.language.syntax import Game, Show
from brou.language.tree import DomainUse
from brou.language.types import Array, Bool, Domain, Int, Named, Option, Type
from brou.native.batch import BatchFacts, Fact
from brou.native.c_json import JsonWriter
from brou.native.c_terms import Pool
from brou.native.c_text import FunctionText

#: The types that have names on cards or at the table; all other named ones are enumerations of the rules.
_PRINTED = frozenset({"card", "suit", "rank"})
_SEATED = frozenset({"player", "team"})


def is_enumerated(type_: Type) -> bool:
    """Say whether a type has few values that the rules name, with which figures tell acts."""
    return isinstance(type_, Bool) or (isinstance(type_, Named) and type_.name not in _PRINTED | _SEATED)


def is_seated(type_: Type) -> bool:
    """Say whether the values of a type are seats or teams."""
    return isinstance(type_, Named) and type_.name in _SEATED


def is_printed(type_: Type) -> bool:
    """Say whether the values of a type stand on cards."""
    return isinstance(type_, Named) and type_.name in _PRINTED


def is_fixed(show: Show) -> bool:
    """Say whether a list that is shown has an element for every value of a type, which is its name."""
    every = isinstance(show.domain, DomainUse)
    return every and show.when is None and not show.flat and show.inner is not None and show.inner.seen is None


def list_shown(game: Game) -> list[str]:
    """Return the lists of the view that are counted where all seats see them alike."""
    return [show.id for show in game.view if show.domain is not None and show.seen is None and not is_fixed(show)]


def _asks_who(shown: lowered.Shown) -> bool:
    """Say whether an entry of the view asks for the seat that looks."""
    return any("me" in term.free for term in _terms(shown))


def _terms(shown: lowered.Shown) -> Iterator[Term]:
    match shown:
        case lowered.ShownValue():
            yield shown.value
        case lowered.ShownRecord():
            for key in shown.keys:
                yield from _terms(key.shown)
        case lowered.ShownList():
            yield from (shown.domain, shown.condition)
            yield from _terms(shown.inner)
        case lowered.ShownOptional() | lowered.Withheld():
            yield shown.condition
            yield from _terms(shown.inner)


@dataclass(frozen=True, slots=True)
class _CounterPlace:
    """Where facts are counted: their part and name, the place in C of the first of them, and whether inside a list."""

    part: str
    name: str
    at: str = ""
    listed: bool = False
    placed: bool = False

    def inside(self, name: str) -> _CounterPlace:
        """Return the same with a longer name."""
        return _CounterPlace(self.part, f"{self.name} {name}", self.at, self.listed, self.placed)


@dataclass(slots=True)
class FactWriter:
    """Writes the functions that count, and collects what they count."""

    game: Game
    program: Program
    pool: Pool
    wish: BatchFacts | None
    facts: list[Fact] = field(default_factory=list)
    numbers: list[Fact] = field(default_factory=list)
    _lines: list[str] = field(default_factory=list)
    _strides: int = 0
    _function: FunctionText = field(init=False)
    _json: JsonWriter = field(init=False)

    def write(self) -> Iterator[str]:
        """Yield the C text: numbers of facts, and the functions that count acts, deals and matches."""
        tell, made = self._tell_act()
        deal = self._count("Count_deal", self.program.score, self.game.score, "score", lasting=False)
        lasting, lasting_numbers = len(self.facts), len(self.numbers)
        match = self._count("Count_match", self.program.score, self.game.score, "match", lasting=True)
        yield (
            f"enum {{ MADE = {made}, FACTS = {len(self.facts)}, LASTING = {lasting}, "
            f"NUMBERS = {len(self.numbers)}, LASTING_NUMBERS = {lasting_numbers} }};\n"
        )
        yield "static void Count_number(Number *, int32_t);\n"
        yield "\n".join(self._lines) + "\n"
        yield from (tell, deal, match)

    # Acts ---------------------------------------------------------------------

    def _tell_act(self) -> tuple[str, int]:
        """Return the function that counts an act of a deal, and how many counters it has."""
        function = FunctionText("static void Tell_act(const Act *A, int32_t *Made)", "")
        function.add("(void)A; (void)Made;")
        made = 0
        with function.block("switch (A->act)"):
            for place, (name, action) in enumerate(self.game.actions.items() if self.wish else ()):
                told = [at for at, one in enumerate(action.parameters) if is_enumerated(one.type)]
                words = [
                    [f"{outside(action.parameters[at].id)}={word}" for word in _words(action.parameters[at].type)]
                    for at in told
                ]
                steps = [f"Made[{made}]++;"]
                if told:
                    sizes = [prod(map(len, words[at + 1 :])) for at in range(len(words))]
                    tests = " && ".join(f"A->value[{at}] >= 0" for at in told)
                    sum_ = " + ".join(f"A->value[{at}] * {size}" for at, size in zip(told, sizes, strict=True))
                    steps.append(f"if ({tests}) Made[{made + 1} + {sum_}]++;")
                function.add(f"case {place}: {' '.join(steps)} return;")
                for said in ([], *product(*words)) if told else ([],):
                    what = " ".join([outside(name), *said])
                    self.facts += [
                        Fact("acts", what, share=True, per="deal"),
                        Fact("acts a deal", what, share=False, per="deal"),
                    ]
                    made += 1
        return function.text(), made

    # Deals and matches --------------------------------------------------------

    def _count(self, name: str, keys: Sequence[ShownKey], shows: Sequence[Show], part: str, *, lasting: bool) -> str:
        """Return the function that counts the score, and at the end of a deal also the lists that all see."""
        head = f"static int32_t {name}(const State *S, int64_t *F, Number *N)"
        self._function = FunctionText(head, "return BROU_CRASHED;")
        self._json = JsonWriter(self.pool, self._function)
        self._function.add("(void)S; (void)F; (void)N;")
        if self.wish:
            wanted = self.wish.lasting
            for key, show in zip(keys, shows, strict=True):
                if (show.id in wanted) == lasting:
                    self._entry(show, key.shown, _CounterPlace(part, show.id))
            shown = [] if lasting else list_shown(self.game)
            for key, show in zip(self.program.view, self.game.view, strict=True):
                if show.id in shown:
                    with self._seen_alike(key.shown):
                        self._entry(show, key.shown, _CounterPlace("view", show.id))
        self._function.add("return BROU_FINE;")
        return self._function.text()

    @contextmanager
    def _seen_alike(self, shown: lowered.Shown) -> Iterator[None]:
        """Add a condition that all seats see the same of an entry of the view: its text has one hash for all."""
        function = self._function
        if not _asks_who(shown):
            yield
            return
        function.declare("me_", "int32_t me_ = 0")
        function.declare("Text", "brou_json Text, *J = &Text")
        alike, first = function.make("int32_t"), function.make("uint64_t")
        function.add(f"{alike} = 1;", f"{first} = 0;")
        with function.block(f"for (me_ = 0; me_ < {self.game.seats} && {alike}; me_++)"):
            function.add("memset(J, 0, sizeof *J);")
            self._json.entry(shown)
            function.add(f"if (!me_) {first} = J->hash;", f"{alike} = J->hash == {first};")
        function.add("me_ = 0;")
        with function.block(f"if ({alike})"):
            yield

    def _entry(self, show: Show, shown: lowered.Shown, where: _CounterPlace) -> None:
        """Add what counts an entry, as far as it is shown."""
        function, terms = self._function, self._json.terms
        match shown:
            case lowered.Withheld():
                with function.block(f"if ({terms.value(shown.condition)})"):
                    self._entry(show, shown.inner, where)
            case lowered.ShownOptional() if show.inner is not None:
                with function.block(f"if ({terms.value(shown.condition)})"):
                    self._entry(show.inner, shown.inner, where)
            case lowered.ShownValue() if show.value is not None:
                self._value(show.value.type, shown.kind, self._json.hold(shown.value, shown.kind), where)
            case lowered.ShownRecord():
                for part, key in zip(show.fields, shown.keys, strict=True):
                    self._entry(part, key.shown, where.inside(part.id))
            case lowered.ShownList() if is_fixed(show) and show.inner is not None:
                self._count_fixed(show, show.inner, shown, where)
            case lowered.ShownList():
                self._list(show, shown, where)
            case _ if show.inner is not None:
                self._entry(show.inner, shown, where)

    def _count_fixed(self, show: Show, inner: Show, shown: lowered.ShownList, where: _CounterPlace) -> None:
        """Add what counts each element of a list that has one for every value of a type."""
        domain = show.domain.type if show.domain is not None else None
        if not isinstance(domain, Domain):
            raise Crash(f"{show.id} is a list over {domain}")
        head, step = self._json.terms.loop(shown.local, shown.domain)
        with self._loop_places(domain.size, where, head, step) as inside:
            self._entry(inner, shown.inner, inside)

    def _list(self, show: Show, shown: lowered.ShownList, where: _CounterPlace) -> None:
        """Add what counts how long a list is, whether it is empty, and how often it shows what the rules enumerate."""
        function = self._function
        count = function.make("int32_t")
        function.add(f"{count} = 0;")
        self._items(show, shown, where, count)
        if where.listed:
            function.add(f"if ({count}) {self._fact(where, f'any {where.name}', share=False)}++;")
            return
        function.add(f"{self._fact(where, where.name, share=False)} += {count};")
        function.add(f"if ({count}) {self._fact(where, f'any {where.name}', share=True)}++;")

    def _items(self, show: Show, shown: lowered.ShownList, where: _CounterPlace, count: str) -> None:
        function, terms = self._function, self._json.terms
        head, step = terms.loop(shown.local, shown.domain)
        with function.block(head):
            if step:
                function.add(step)
            condition = shown.condition
            if not (condition.op == "const" and condition.value is True):
                function.add(f"if (!{terms.value(condition)}) continue;")
            inner, part = shown.inner, show.inner
            if shown.flat and isinstance(inner, lowered.ShownList) and part is not None:
                self._items(part, inner, where, count)
            elif shown.flat and isinstance(inner, lowered.ShownValue):
                function.add(f"{count} += {_length(inner.kind, self._json.hold(inner.value, inner.kind))};")
            elif isinstance(inner, lowered.Withheld):
                with function.block(f"if ({terms.value(inner.condition)})"):
                    function.add(f"{count}++;")
                    self._within(part, inner.inner, where)
            else:
                function.add(f"{count}++;")
                self._within(part, inner, where)

    def _within(self, show: Show | None, shown: lowered.Shown, where: _CounterPlace) -> None:
        """Add statements that count an element of a list; elements of a list in a list do not count."""
        if show is not None and not where.listed:
            self._entry(show, shown, _CounterPlace(where.part, where.name, where.at, listed=True, placed=where.placed))

    # Values -------------------------------------------------------------------

    def _value(self, type_: Type, kind: Kind, text: str, where: _CounterPlace) -> None:
        """Add what counts a value; its text may be written twice."""
        function = self._function
        if isinstance(type_, Option):
            with function.block(f"if (!({self._json.absent(kind, text)}))" if kind.optional else ""):
                self._value(type_.inner, kind, text, where)
            return
        match type_:
            case Bool():
                function.add(f"{self._fact(where, where.name, share=not where.listed)} += {text};")
            case Named() if not is_printed(type_):
                kind_ = f"{type_.name} " if is_seated(type_) else ""
                first = len(self.facts)
                for word in _words(type_):
                    self._fact(where, f"{where.name} {kind_}{word}", share=not where.listed)
                function.add(f"{_write_place(where, first, text)}++;")
            case Int() if not where.listed:
                function.add(f"{self._fact(where, where.name, share=False)} += {text};")
                if not where.placed:
                    function.add(f"Count_number(N + {len(self.numbers)}, {text});")
                    self.numbers.append(Fact(where.part, where.name, share=True, per=_per(where)))
            case Array():
                self._row(type_, kind, kind.shape, text, where)

    def _row(self, type_: Array, kind: Kind, shape: Sequence[int], text: str, where: _CounterPlace) -> None:
        """Add what counts each element of an array."""
        if not isinstance(type_.index, Named) or kind.element is None:
            return
        side, *others = shape
        place = self._function.make("int32_t")
        head = f"for ({place} = 0; {place} < {side}; {place}++)"
        with self._loop_places(side, where, head, "") as inside:
            if others and isinstance(type_.element, Array):
                self._row(type_.element, kind, others, f"({text} + {prod(others)} * {place})", inside)
            else:
                self._value(type_.element, kind.element, self._json.element(kind.element, f"{text}[{place}]"), inside)

    # Places -------------------------------------------------------------------

    @contextmanager
    def _loop_places(self, count: int, where: _CounterPlace, head: str, step: str) -> Iterator[_CounterPlace]:
        """Add a loop over places, inside which each fact stands for as many facts as there are places."""
        function = self._function
        self._strides += 1
        stride, first = f"Stride{self._strides}", len(self.facts)
        mark, place = f"<{stride}>", function.make("int32_t")
        function.add(f"{place} = -1;")
        with function.block(head):
            function.add(*filter(None, [step, f"{place}++;"]))
            at = " + ".join(filter(None, [where.at, f"{place} * {stride}"]))
            yield _CounterPlace(where.part, f"{where.name} {mark}", at, where.listed, placed=True)
        block = self.facts[first:]
        self._lines.append(f"enum {{ {stride} = {len(block)} }};")
        self.facts[first:] = [
            Fact(one.part, one.what.replace(mark, str(place)), one.share, one.per)
            for place in range(count)
            for one in block
        ]

    def _fact(self, where: _CounterPlace, what: str, *, share: bool) -> str:
        """Return the counter of a new fact."""
        self.facts.append(Fact(where.part, what, share=share, per=_per(where)))
        return _write_place(where, len(self.facts) - 1)


def _write_place(where: _CounterPlace, first: int, more: str = "") -> str:
    return f"F[{' + '.join(filter(None, (where.at, str(first), more)))}]"


def _per(where: _CounterPlace) -> str:
    return "match" if where.part == "match" else "deal"


def _words(type_: Type) -> list[str]:
    """Return the names of the values of an enumerated or seated type, by their place."""
    if isinstance(type_, Bool):
        return ["false", "true"]
    if not isinstance(type_, Named):
        raise Crash(f"{type_} enumerates nothing")
    return [outside(one) if isinstance(one, str) else str(one) for one in type_.members]


def _length(kind: Kind, text: str) -> str:
    """Return how many elements a set, a pile or a list has."""
    if kind.form == "set":
        return f"brou_size({text})"
    return str(prod(kind.shape)) if kind.form == "array" else f"({text})->n"
