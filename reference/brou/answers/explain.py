"""Why: each act with the rows that judge it, each figure with what it is made of, each sight with its condition.

What is found is plain data, the same for programs and for people; only its texts are in a language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from brou.answers.history import History, Reason, Write, element
from brou.errors import BadAct
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.codec import Json, writer
from brou.language.effects import Add, Reset
from brou.language.syntax import Action, Show, Variable
from brou.language.tree import And, Call, Expression, VariableUse, walk
from brou.language.types import Array, Int, Named, Option, Type, Value, as_number, as_row, element_of, finite
from brou.words.moment import Moment
from brou.words.wording import Term, Words

Entry: TypeAlias = dict[str, Any]

#: The variable in which a rules file keeps who took the last trick.
TAKER = "last"
_ME = "me"


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be explained: an act, what a seat may do or sees, the score, who took the last trick."""

    kind: str
    seat: int = 0
    act: Mapping[str, Json] | None = None
    #: Keys of a view that are asked for beside those that the rules have.
    keys: tuple[str, ...] = ()

    def plain(self) -> Entry:
        """Return the question as it goes over the wire."""
        if self.kind == "act":
            return {"by": self.seat, "act": dict(self.act or {})}
        return {self.kind: self.seat if self.kind in ("legal", "view") else True}


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or another value that a score shows, with the expression behind it."""

    name: str
    #: The seat, team, suit or whatever it belongs to, as JSON and in words.
    of: tuple[Json, ...]
    whose: tuple[str, ...]
    expression: Expression
    moment: Moment
    #: The element, where the expression is a whole array.
    path: tuple[int, ...]
    value: Value


class Explainer:
    """Explains one state, which a history has led to, in one language."""

    def __init__(
        self, words: Words, machine: Machine, state: State, history: History, steps: Mapping[str, str] | None = None
    ) -> None:
        self.words = words
        #: What happened at each step, in words.
        self.steps = steps or {}
        self.game = machine.game
        self.machine = machine
        self.state = state
        self.history = history

    def answer(self, question: Question, more: Iterable[Mapping[str, Json]] = ()) -> list[Entry]:
        """Return an entry for everything that the question asks for, and for some acts beside it."""
        match question.kind:
            case "act":
                return [self.act(question.seat, question.act or {})]
            case "legal":
                return self.legal(question.seat, more)
            case "view":
                return self.view(question.seat, question.keys)
            case "score":
                return self.score()
        return self.taker()

    # Acts -----------------------------------------------------------------------

    def legal(self, seat: int, more: Iterable[Mapping[str, Json]] = ()) -> list[Entry]:
        """Explain every act that one can think of here, those that are described as such."""
        acts = [*self.machine.imaginable(self.state, seat), *more]
        described = {
            name: what for name, what in self.machine.legal(self.state, seat).items() if isinstance(what, dict)
        }
        return [*(self.act(seat, act) for act in acts), *(self._described(seat, *item) for item in described.items())]

    def act(self, seat: int, act: Mapping[str, Json]) -> Entry:
        """Explain why an act is accepted or refused, and what it changes at once."""
        before = len(self.history.writes)
        self.history.begin("")
        outcome = self.machine.act(self.state, seat, act)
        writes = self.history.writes[before:]
        del self.history.writes[before:]
        entry: Entry = {"act": dict(act), "by": seat, "said": self.words.act(seat, act)}
        if isinstance(outcome, Refusal):
            return {**entry, **self._refused(seat, act, outcome)}
        action, moment = self._asked(seat, act)
        rows, clauses = self._judged(action.legal, moment)
        clauses = clauses or [action.clause]
        changes = self._changes(outcome, writes)
        return {
            **entry,
            "allowed": True,
            "code": "",
            "because": self._reason(rows),
            "clauses": self.cited(clauses),
            "rows": rows,
            "changes": changes,
        }

    def _described(self, seat: int, name: str, described: Json) -> Entry:
        action = self.game.actions[name.replace("-", "_")]
        moment = Moment(self.state.values, {_ME: 0}, (seat,))
        rows, clauses = self._judged(action.legal, moment)
        return {
            "act": {name: described},
            "by": seat,
            "said": f"{self.words.seat(seat)} {self.words.doing(name)}",
            "allowed": True,
            "code": "",
            "because": self._reason(rows),
            "clauses": self.cited(clauses or [action.clause]),
            "rows": rows,
            "changes": [],
        }

    def _asked(self, seat: int, act: Mapping[str, Json]) -> tuple[Action, Moment]:
        """Return the action of an act of the right form, and the moment in which it is judged."""
        action, values = self.machine.meant(seat, act)
        names = [_ME, *(parameter.id for parameter in action.parameters)]
        return action, Moment(self.state.values, self.words.evaluator.frame(names), tuple(values))

    def _refused(self, seat: int, act: Mapping[str, Json], refusal: Refusal) -> Entry:
        name, rows, clauses = next(iter(act)).replace("-", "_"), list[Entry](), [refusal.clause]
        because = self.words.typeset(self.words.glossary.code(refusal.code, self.words.lang))
        action = self.game.actions.get(name)
        if action is not None and any(item.id == refusal.row for item in action.parameters):
            because = self._outside(action, refusal.row, seat, act) or because
        elif action is not None and name not in self.game.phases[self.state.phase].actions:
            because = self._elsewhere(name)
        elif action is not None and refusal.row == "by":
            because = self._whose(action)
        elif action is not None:
            rows, cited = self._judged(action.legal, self._asked(seat, act)[1])
            because, clauses = self._reason(rows) or because, [*clauses, *cited]
        head = {"allowed": False, "code": refusal.code, "because": because}
        return {**head, "clauses": self.cited(clauses), "rows": rows, "changes": []}

    def _elsewhere(self, name: str) -> str:
        """Return that the phase does not offer an action, and which phases do."""
        offering = [phase for phase, record in self.game.phases.items() if name in record.actions]
        there = ", ".join(self.words.name("phases", phase) for phase in offering)
        here = self.words.name("phases", self.state.phase)
        return self.words.frame("elsewhere", here=here, there=there or self.words.frame("nothing"))

    def _whose(self, action: Action) -> str:
        """Return whose act it is."""
        seats = self.words.at(action.by, Moment(self.state.values))
        if not seats:
            return self.words.frame("nobodys")
        return self.words.frame("theirs", seats=", ".join(self.words.seat(as_number(seat)) for seat in as_row(seats)))

    def _outside(self, action: Action, row: str, seat: int, act: Mapping[str, Json]) -> str:
        """Return what a parameter may be, where the values can be listed."""
        parameter = next((item for item in action.parameters if item.id == row), None)
        if parameter is None or parameter.described:
            return ""
        try:
            moment = self._asked(seat, act)[1]
        except BadAct:
            return ""
        domain = self.words.evaluator.items(self.words.at(parameter.domain, moment))
        values = ", ".join(self.words.value(parameter.type, value) for value in domain)
        return self.words.frame("among", values=values or self.words.frame("nothing"))

    def _judged(self, legal: Expression, moment: Moment) -> tuple[list[Entry], list[str]]:
        """Return the rows that were judged up to the one that decides, and the clauses that this one rests on."""
        rows: list[Entry] = []
        clauses: list[str] = []
        for call in _conjuncts(legal):
            if not isinstance(call, Call) or call.name not in self.game.tables:
                continue
            table, inside = self.game.tables[call.name], self.words.inside(call, moment)
            for row in table.rows:
                fired = row.when is None or bool(self.words.at(row.when, inside))
                because = self.words.row(table, row, inside)
                rows.append({"table": table.id, "row": row.id, "fired": fired, "because": because})
                if fired:
                    called = () if row.when is None else _called(row.when)
                    resting = [self.game.functions[name].clause for name in called if name in self.game.functions]
                    clauses += [row.clause, *resting]
                    break
            if not self.words.at(call, moment):
                break
        return rows, clauses

    def _reason(self, rows: Sequence[Entry]) -> str:
        """Return why the last row decides; of the row for everything else, what the rows above it lack."""
        if not rows:
            return ""
        last = rows[-1]
        above = [row["because"] for row in rows[:-1] if row["table"] == last["table"] and not row["fired"]]
        if last["because"] == self.words.frame("else") and above:
            return self.words.frame("and").join(dict.fromkeys(above))
        return str(last["because"])

    def cited(self, clauses: Iterable[str]) -> list[Entry]:
        """Return clauses with their texts, each once."""
        return [{"id": id_, "text": self.words.clause(id_)} for id_ in dict.fromkeys(clauses) if id_]

    def _changes(self, after: State, writes: list[Write]) -> list[Entry]:
        """Return the figures of the score that an act has changed at once."""
        old = {(figure.name, figure.of): figure.value for figure in self.figures(self.state)}
        changed = [figure for figure in self.figures(after) if old.get((figure.name, figure.of)) != figure.value]
        history = History(self.game)
        history.writes = [*self.history.writes, *writes]
        later = Explainer(self.words, self.machine, after, history, self.steps)
        made = [later.figure(figure) for figure in changed]
        shown = {(figure.name, figure.of): figure for figure in self.figures(self.state)}
        return [
            {**entry, "before": self.plain(shown[figure.name, figure.of])}
            for entry, figure in zip(made, changed, strict=True)
            if (figure.name, figure.of) in shown
        ]

    # Figures ----------------------------------------------------------------------

    def score(self) -> list[Entry]:
        """Explain every figure of the score."""
        return [self.figure(figure) for figure in self.figures(self.state)]

    def taker(self) -> list[Entry]:
        """Explain who took the last trick; nothing where the rules do not keep it."""
        variable = self.game.state.get(TAKER)
        if variable is None or variable.type != Option(self.game.types["player"]):
            return []
        kept = VariableUse(variable.type, TAKER)
        moment = Moment(self.state.values)
        return [self.figure(Figure(TAKER, (), (), kept, moment, (), self.words.at(kept, moment)))]

    def figures(self, state: State) -> Iterator[Figure]:
        """Yield what the score shows at a state."""
        for show in self.game.score:
            yield from self._figures(show, show.id, Moment(state.values), (), ())

    def _figures(
        self, show: Show, name: str, moment: Moment, of: tuple[Json, ...], whose: tuple[str, ...]
    ) -> Iterator[Figure]:
        if show.seen is not None and not self.words.at(show.seen, moment):
            return
        if show.value is not None:
            yield from self._elements(show.value, name, moment, of, whose)
            return
        for field in show.fields:
            yield from self._figures(field, f"{name}/{field.id}", moment, of, whose)
        if show.inner is None:
            return
        for inside, key, told in self._each(show, moment):
            if show.when is None or self.words.at(show.when, inside):
                yield from self._figures(show.inner, name, inside, (*of, *key), (*whose, *told))

    def _each(self, show: Show, moment: Moment) -> Iterator[tuple[Moment, tuple[Json, ...], tuple[str, ...]]]:
        """Yield a moment for each value that a show goes through, with the value as JSON and in words."""
        if show.domain is None:
            yield moment, (), ()
            return
        slot = max(moment.env.values(), default=-1) + 1
        card = self.game.types["card"]
        element_type = element_of(show.domain.type, card) or card
        for value in self.words.evaluator.items(self.words.at(show.domain, moment)):
            env, locals_ = {**moment.env, show.each: slot}, (*moment.locals[:slot], value)
            key = writer(element_type, self.game.deck)(value)
            yield Moment(moment.values, env, locals_, moment.meanings), (key,), (self.words.value(element_type, value),)

    def elements(self, variable: str, moment: Moment) -> Iterator[Figure]:
        """Yield every element of a variable of the state."""
        kept = VariableUse(self.game.state[variable].type, variable)
        yield from self._elements(kept, variable, moment, (), ())

    def _elements(
        self, expression: Expression, name: str, moment: Moment, of: tuple[Json, ...], whose: tuple[str, ...]
    ) -> Iterator[Figure]:
        whole = self.words.at(expression, moment)
        for path, keys, told in self._keys(expression.type):
            yield Figure(name, (*of, *keys), (*whose, *told), expression, moment, path, element(whole, path))

    def _keys(self, type_: Type) -> Iterator[tuple[tuple[int, ...], tuple[Json, ...], tuple[str, ...]]]:
        """Yield positions, keys and their names for every element of an array, of a plain value the empty ones."""
        if not isinstance(type_, Array):
            yield (), (), ()
            return
        for position, key in enumerate(finite(type_.index) or ()):
            shown, told = writer(type_.index, self.game.deck)(key), self.words.value(type_.index, key)
            for path, rest, more in self._keys(type_.element):
                yield (position, *path), (shown, *rest), (told, *more)

    def figure(self, figure: Figure) -> Entry:
        """Explain a figure: what it is made of, and who wrote that when and why."""
        type_, now = inmost(figure.expression.type), len(self.history.writes)
        place = self.words.place(figure.expression, figure.moment)
        if place is None and not isinstance(type_, Int):
            place = self.words.place(*self.words.behind(figure.expression, figure.moment))
        terms: list[Entry] = []
        if place is None and isinstance(type_, Int) and figure.value is not None and not figure.path:
            terms = [self.term(term, now) for term in self.words.terms(figure.expression, figure.moment)]
        writes = [] if place is None else self.writes(place[0], (*place[1], *figure.path), now)
        clauses = [*_cited(terms), *_cited(writes)]
        return {
            "figure": figure.name,
            "of": list(figure.of),
            "said": ", ".join([self.words.name("fields", figure.name.split("/")[-1]), *figure.whose]),
            "value": self.plain(figure),
            "shown": self.words.value(type_, figure.value),
            "empty": _empty(type_, figure.value),
            "terms": terms,
            "writes": writes,
            "clauses": self.cited(clauses),
        }

    def plain(self, figure: Figure) -> Json:
        """Return the value of a figure as JSON."""
        plain: Json = writer(Option(inmost(figure.expression.type)), self.game.deck)(figure.value)
        return plain

    def term(self, term: Term, before: int) -> Entry:
        """Return a part of a sum as data, with who wrote it before the sum was made."""
        return {
            "value": term.value,
            "empty": not term.value,
            "what": term.words,
            "because": term.because,
            "clauses": list(term.clauses),
            "parts": [self.term(part, before) for part in term.of],
            "writes": [] if term.kept is None else self.writes(*term.kept, before),
        }

    def writes(self, variable: str, path: tuple[int, ...], before: int) -> list[Entry]:
        """Return who wrote a figure, or part of it, since it was last put down anew."""
        record = self.game.state[variable]
        found = self.history.since(variable, path, before)
        told = [self._write(write, record, path[len(write.path) :]) for write in found]
        told = [write for write in told if write["value"] or not write["adds"]]
        base = element(found[0].moment.values[self.machine.slots[variable]], path) if found else 0
        if base and isinstance(found[0].effect, Add):
            told.insert(0, self._given(variable, record, base))
        return told

    def _given(self, variable: str, record: Variable, value: Value) -> Entry:
        """Return what stood there before anything was added."""
        head = {"variable": variable, "step": "", "when": self.words.frame("given"), "effect": "", "adds": False}
        shown = self.words.value(inmost(record.type), value)
        return {**head, "value": value, "shown": shown, "empty": not value, "because": "", "clauses": [], "terms": []}

    def _write(self, write: Write, record: Variable, rest: tuple[int, ...]) -> Entry:
        type_ = inmost(record.type)
        value, terms = element(record.default, rest), list[Term]()
        if not isinstance(write.effect, Reset):
            value = element(self.words.at(write.effect.value, write.moment), rest)
            if isinstance(type_, Int) and value is not None and not rest:
                terms = self.words.terms(write.effect.value, write.moment)
        because = [*(self.reason(reason) for reason in write.reasons[-1:]), *(term.because for term in terms)]
        made = [self.term(term, write.number) for term in terms]
        return {
            "variable": write.variable,
            "step": write.step,
            "when": self.steps.get(write.step, ""),
            "effect": write.effect.id,
            "adds": isinstance(write.effect, Add),
            "value": writer(Option(type_), self.game.deck)(value),
            "shown": self.words.value(type_, value),
            "empty": _empty(type_, value),
            "because": self.words.frame("and").join(dict.fromkeys(text for text in because if text)),
            "clauses": list(dict.fromkeys([write.effect.clause, *_cited(made)])),
            "terms": made,
        }

    def reason(self, reason: Reason) -> str:
        """Return why a case was taken: its condition, or that those before it fail."""
        if reason.case.when is not None:
            return self.words.told(reason.case.when, reason.moment)
        before = [case.when for case in reason.effect.cases if case.when is not None]
        return self.words.frame("and").join(dict.fromkeys(self.words.told(when, reason.moment) for when in before))

    # Sight ------------------------------------------------------------------------

    def view(self, seat: int, keys: Iterable[str] = ()) -> list[Entry]:
        """Explain for every key of the view, and some beside it, why the seat sees it or does not."""
        seen = self.machine.view(self.state, seat)
        shown = {show.id for show in self.game.view}
        entries = [self._sight(show, seat, seen) for show in self.game.view]
        return [*entries, *(self._hidden(name) for name in keys if name not in shown)]

    def _sight(self, show: Show, seat: int, seen: Mapping[str, Json]) -> Entry:
        moment = Moment(self.state.values, {_ME: 0}, (seat,))
        if show.seen is not None:
            because = self.words.told(show.seen, moment)
        elif show.when is not None and show.domain is None:
            because = self.words.told(show.when, moment)
        else:
            because = self.words.frame("always_seen")
        return {
            "sight": show.id,
            "said": self.words.name("fields", show.id),
            "seen": show.id in seen,
            "value": seen.get(show.id),
            "shown": self._sighted(show, moment) if show.id in seen else "",
            "level": show.level,
            "because": because,
            "clauses": self.cited([show.clause]),
        }

    def _sighted(self, show: Show, moment: Moment) -> str:
        """Return what is shown, as people read it."""
        if show.value is not None:
            return self._listed(show.value.type, self.words.at(show.value, moment))
        if show.inner is None:
            fields = [field for field in show.fields if field.seen is None or self.words.at(field.seen, moment)]
            return ", ".join(self._field(field, moment) for field in fields)
        shown = [
            self._sighted(show.inner, inside)
            for inside, *_ in self._each(show, moment)
            if show.when is None or self.words.at(show.when, inside)
        ]
        nothing = self.words.frame("nothing")
        return self.words.frame("and").join(text for text in shown if not show.flat or text != nothing) or nothing

    def _field(self, field: Show, moment: Moment) -> str:
        """Return a field of a record with its name; seats and teams say themselves what they are."""
        shown = self._sighted(field, moment)
        if field.value is not None and str(inmost(field.value.type)) in ("player", "team"):
            return shown
        return self.words.frame("is", what=self.words.name("fields", field.id), value=shown)

    def _listed(self, type_: Type, value: Value) -> str:
        if isinstance(type_, Array):
            return ", ".join(self._listed(type_.element, item) for item in as_row(value))
        return self.words.value(type_, value)

    def _hidden(self, name: str) -> Entry:
        return {
            "sight": name,
            "said": self.words.name("fields", name),
            "seen": False,
            "value": None,
            "shown": "",
            "level": "hidden",
            "because": self.words.frame("in_no_view"),
            "clauses": [],
        }


def inmost(type_: Type) -> Type:
    """Return the type of what stands in an array, and of what may be absent."""
    while isinstance(type_, (Array, Option)):
        type_ = type_.element if isinstance(type_, Array) else type_.inner
    return type_


def _empty(type_: Type, value: Value) -> bool:
    """Say whether a value is what stands there when nothing has been written."""
    return value is None or (not isinstance(type_, Named) and not value)


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, And):
        for part in condition.conditions:
            yield from _conjuncts(part)
    else:
        yield condition


def _called(condition: Expression) -> Iterator[str]:
    """Yield the functions that a condition names."""
    yield from (one.name for one in walk(condition) if isinstance(one, Call))


def _cited(parts: Iterable[Entry]) -> Iterator[str]:
    """Yield the clauses of terms and writes, and of what these are made of."""
    for item in parts:
        yield from item["clauses"]
        for key in ("parts", "terms", "writes"):
            yield from _cited(item.get(key, ()))
