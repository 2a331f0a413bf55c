"""Explains acts by the rows that judge them, figures by their terms, and sights by their conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain

from brou.answers.history import History, Taken, Write, element, since
from brou.dataclass import dataclass, replace
from brou.errors import BadAct
from brou.interpreter.machine import Machine, Refusal, State
from brou.interpreter.refusing import UNASKABLE
from brou.language.codec import Json
from brou.language.effects import Add, Reset
from brou.language.syntax import Action, Row, Show, Table, Variable
from brou.language.tree import And, Call, Expression, Literal, VariableUse, uses_local, walk
from brou.language.types import Array, Int, Option, Type, Value, as_number, as_row, element_of, finite
from brou.reasons.explanation import (
    Decision,
    Display,
    DisplayList,
    DisplayRow,
    FigureChange,
    Found,
    Judgement,
    Labelled,
    Question,
    RowReason,
    ViewEntry,
    displays_nothing,
)
from brou.reasons.moment import Moment
from brou.reasons.reason import (
    Act,
    Among,
    Coded,
    Elsewhere,
    Figure,
    FigureTerm,
    FixedReason,
    Happened,
    Origin,
    Reason,
    Spot,
    Theirs,
    TypedValue,
    collect_clauses,
    each_once,
    if_any,
)
from brou.reasons.reasoner import ME, Reasoner

#: The variable in which a rules file keeps who took the last trick.
TAKER = "last"


@dataclass(frozen=True, slots=True)
class FigurePlace:
    """Where a figure of the score is read: the expression, where it is judged, and of an array the element."""

    name: str
    #: The seat, team, suit or whatever it belongs to.
    of: tuple[TypedValue, ...]
    expression: Expression
    moment: Moment
    path: tuple[int, ...]
    shown: TypedValue

    @property
    def key(self) -> tuple[str, tuple[TypedValue, ...]]:
        """Return what tells one figure of a score from the others."""
        return self.name, self.of


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains one state of a machine, which a history has led to."""

    machine: Machine
    reasoner: Reasoner
    history: History
    state: State
    #: What has been written on the way to the state.
    writes: Sequence[Write]
    #: What happened at each step.
    steps: Mapping[str, Happened]

    def answer(self, question: Question, more: Iterable[Act] = ()) -> Sequence[Found]:
        """Return everything that the question asks for, and some acts beside it, each with its reasons."""
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

    def legal(self, seat: int, more: Iterable[Act] = ()) -> list[Judgement]:
        """Explain every act that one can think of here, those that are described as such."""
        acts = [*self.machine.imaginable(self.state, seat), *more]
        offered = self.machine.legal(self.state, seat).items()
        described = [(name, what) for name, what in offered if isinstance(what, dict)]
        return [*(self.act(seat, act) for act in acts), *(self._judge_described(seat, *item) for item in described)]

    def act(self, seat: int, act: Act) -> Judgement:
        """Explain why an act is accepted or refused, and list its immediate changes."""
        with self.history.branch() as writes:
            outcome = self.machine.act(self.state, seat, act)
        if isinstance(outcome, Refusal):
            return self._explain_refusal(seat, act, outcome)
        later = replace(self, state=outcome, writes=writes)
        return replace(self.judge_act(seat, act), changes=tuple(later.changes(self.state)))

    def judge_act(self, seat: int, act: Act) -> Judgement:
        """Explain why an act is accepted or refused, its consequences aside."""
        refusal = self.machine.refusal(self.state, seat, act)
        if refusal is not None:
            return self._explain_refusal(seat, act, refusal)
        return self._judgement(seat, act, *self._resolve_act(seat, act))

    def judge_choices(self, seat: int, name: str) -> list[Judgement]:
        """Explain each choice of an act that a seat can think of; or the choices as described, or why there is none."""
        tried = [act for act in self.machine.imaginable(self.state, seat) if name in act]
        if tried:
            return [self.judge_act(seat, act) for act in tried]
        offered = self.machine.legal(self.state, seat)
        if name in offered:
            return [self._judge_described(seat, name, offered[name])]
        return [self._explain_absence(seat, name)]

    def _explain_absence(self, seat: int, name: str) -> Judgement:
        """Return why a seat has nothing to choose in an act: the phase, the seat, its values or its condition."""
        action, nothing, moment = self._find_action(name), {name: list[Json]()}, Moment(self.state.values)
        if action.id not in self.machine.game.phases[self.state.phase].actions:
            return Judgement(seat, nothing, "window_closed", self._elsewhere(action.id), (action.clause,))
        seats = tuple(map(as_number, self.reasoner.items(action.by, moment)))
        if seat not in seats:
            return Judgement(seat, nothing, action.by_code or "not_your_turn", Theirs(seats), (action.by_clause,))
        moment = Moment(self.state.values, {ME: 0}, (seat,))
        empty = next((one for one in action.parameters if not self.reasoner.items(one.domain, moment)), None)
        if empty is not None:
            return Judgement(seat, nothing, empty.code or "not_available", Among(()), (empty.clause,))
        refusal = Refusal("not_available", action.clause, "", action.place)
        return self._judgement(seat, nothing, action, moment, refusal)

    def _judge_described(self, seat: int, name: str, described: Json) -> Judgement:
        action = self._find_action(name)
        moment = Moment(self.state.values, {ME: 0}, (seat,))
        return replace(self._judgement(seat, {name: described}, action, moment), described=True)

    def _find_action(self, name: str) -> Action:
        return self.machine.game.actions[name.replace("-", "_")]

    def _resolve_act(self, seat: int, act: Act) -> tuple[Action, Moment]:
        """Return the action of an act of the right form, and the moment in which it is judged."""
        action, values = self.machine.resolve(self.state, seat, act)
        names = [ME, *(parameter.id for parameter in action.parameters)]
        return action, Moment(self.state.values, self.reasoner.evaluator.frame(names), tuple(values))

    def _judgement(
        self, seat: int, act: Act, action: Action, moment: Moment, refusal: Refusal | None = None
    ) -> Judgement:
        """Return an act with the tables that decide on it, and the clauses that the deciding rows rest on."""
        decisions, clauses = self._collect_decisions(action.legal, moment)
        because = decisions[-1].because if decisions else None
        if refusal is not None:
            return Judgement(
                seat, act, refusal.code, because or Coded(refusal.code), (refusal.clause, *clauses), decisions
            )
        return Judgement(seat, act, "", because, clauses or (action.clause,), decisions)

    def _explain_refusal(self, seat: int, act: Act, refusal: Refusal) -> Judgement:
        name = next(iter(act)).replace("-", "_")
        action = self.machine.game.actions.get(name)
        because: Reason = Coded(refusal.code)
        if action is None:
            pass
        elif any(item.id == refusal.row for item in action.parameters):
            because = self._outside(action, refusal.row, seat, act) or because
        elif name not in self.machine.game.phases[self.state.phase].actions:
            because = self._elsewhere(name)
        elif refusal.row == "by":
            because = Theirs(tuple(map(as_number, self.reasoner.items(action.by, Moment(self.state.values)))))
        else:
            return self._judgement(seat, act, *self._resolve_act(seat, act), refusal)
        return Judgement(seat, act, refusal.code, because, (refusal.clause,))

    def _elsewhere(self, name: str) -> Elsewhere:
        """Return that the phase does not offer an action, and which phases do."""
        phases = self.machine.game.phases.items()
        return Elsewhere(self.state.phase, tuple(phase for phase, record in phases if name in record.actions))

    def _outside(self, action: Action, row: str, seat: int, act: Act) -> Among | None:
        """Return what a parameter may be, where the values can be listed."""
        parameter = next(item for item in action.parameters if item.id == row)
        if parameter.described:
            return None
        try:
            moment = self._resolve_act(seat, act)[1]
        except BadAct:
            return None
        return Among(
            tuple(TypedValue(parameter.type, value) for value in self.reasoner.items(parameter.domain, moment))
        )

    def list_waived(self, seat: int, act: Act) -> tuple[str, ...]:
        """Return the clauses of the duties that would refuse an act if the player held other cards.

        The conditions of such a duty that are about the act hold; one about the rest, such as the hand, fails.
        """
        action, moment = self._resolve_act(seat, act)
        values, clauses = [parameter.id for parameter in action.parameters], list[str]()
        for call in _conjuncts(action.legal):
            if not isinstance(call, Call) or call.name not in self.machine.game.tables:
                continue
            table, inside = self.machine.game.tables[call.name], self.reasoner.inside(call, moment)
            given = zip(table.arguments, call.arguments, strict=True)
            own = [argument.name for argument, part in given if uses_local(part, *values)]
            for row in filter(_is_refusal, table.rows):
                of_act: list[Expression] = []
                of_rest: list[Expression] = []
                for part in self.reasoner.list_own_parts(table, row):
                    (of_act if uses_local(part, *own) else of_rest).append(part)
                if all(self.reasoner.at(part, inside) for part in of_act) and not all(
                    self.reasoner.at(part, inside) for part in of_rest
                ):
                    clauses.append(row.clause)
        return each_once(clauses)

    def _collect_decisions(self, legal: Expression, moment: Moment) -> tuple[tuple[Decision, ...], tuple[str, ...]]:
        """Return what the tables decide up to the one that forbids, and the clauses that the firing rows rest on."""
        game, decisions, clauses = self.machine.game, list[Decision](), list[str]()
        for call in _conjuncts(legal):
            if not isinstance(call, Call) or call.name not in game.tables:
                continue
            table, inside = game.tables[call.name], self.reasoner.inside(call, moment)
            fired = self.reasoner.find_row(call, moment)
            decisions.append(self._decide(table, fired, inside))
            own = chain.from_iterable(map(walk, self.reasoner.list_own_parts(table, fired)))
            called = (one.name for one in own if isinstance(one, Call))
            clauses += [
                *decisions[-1].clauses,
                *(game.functions[name].clause for name in called if name in game.functions),
            ]
            if not self.reasoner.at(call, moment):
                break
        return tuple(decisions), tuple(clauses)

    def _decide(self, table: Table, fired: Row, inside: Moment) -> Decision:
        """Return what a table decides, row by row; where every row forbids, the rows behind the one that fired too."""
        place = table.rows.index(fired)
        *skipped, last = (self.reasoner.judge_row(table, row, inside) for row in table.rows[: place + 1])
        duties = [row for row in table.rows if row.when is not None]
        if not all(_is_refusal(row) for row in duties):
            return Decision(table.id, tuple(skipped), last)
        others: list[RowReason] = []
        for row in duties:
            # What cannot be evaluated once a duty is broken is no other duty.
            with suppress(*UNASKABLE):
                others += [self.reasoner.judge_row(table, row, inside)] if row in table.rows[place + 1 :] else []
        return Decision(table.id, tuple(skipped), last, tuple(others), forbids=True)

    def changes(self, before: State) -> Iterator[FigureChange]:
        """Yield the figures of the score that are other than in a state before this one, if both have them."""
        old = {place.key: place.shown for place in self.places(before)}
        for place in self.places(self.state):
            if place.key in old and old[place.key].value != place.shown.value:
                yield FigureChange(self.figure(place), old[place.key])

    # Figures ----------------------------------------------------------------------

    def score(self) -> list[Figure]:
        """Explain every figure of the score."""
        return [self.figure(place) for place in self.places(self.state)]

    def taker(self) -> list[Figure]:
        """Explain who took the last trick; nothing where the rules do not keep it."""
        return [self.figure(place) for place in self.taker_places()]

    def taker_places(self) -> Iterator[FigurePlace]:
        """Yield where it is read who took the last trick."""
        variable = self.machine.game.state.get(TAKER)
        if variable is not None and variable.type == Option(self.machine.game.types["player"]):
            yield from self.elements(TAKER)

    def places(self, state: State) -> Iterator[FigurePlace]:
        """Yield where the score at a state is read."""
        for show in self.machine.game.score:
            yield from self._places(show, show.id, Moment(state.values), ())

    def _places(self, show: Show, name: str, moment: Moment, of: tuple[TypedValue, ...]) -> Iterator[FigurePlace]:
        if show.seen is not None and not self.reasoner.at(show.seen, moment):
            return
        if show.value is not None:
            yield from self._elements(show.value, name, moment, of)
            return
        for part in show.fields:
            yield from self._places(part, f"{name}/{part.id}", moment, of)
        if show.inner is None:
            return
        for inside, key in self._each(show, moment):
            if show.when is None or self.reasoner.at(show.when, inside):
                yield from self._places(show.inner, name, inside, (*of, *key))

    def _each(self, show: Show, moment: Moment) -> Iterator[tuple[Moment, tuple[TypedValue, ...]]]:
        """Yield a moment for each value that a show goes through, with the value."""
        if show.domain is None:
            yield moment, ()
            return
        card = self.machine.game.types["card"]
        type_ = element_of(show.domain.type, card) or card
        for inside in self.reasoner.members(show.domain, show.each, moment):
            yield inside, (TypedValue(type_, inside.locals[-1]),)

    def elements(self, variable: str) -> Iterator[FigurePlace]:
        """Yield every element of a variable of the state."""
        kept = VariableUse(self.machine.game.state[variable].type, variable)
        yield from self._elements(kept, variable, Moment(self.state.values), ())

    def _elements(
        self, expression: Expression, name: str, moment: Moment, of: tuple[TypedValue, ...]
    ) -> Iterator[FigurePlace]:
        whole, type_ = self.reasoner.at(expression, moment), inmost(expression.type)
        for path, keys in _keys(expression.type):
            yield FigurePlace(name, (*of, *keys), expression, moment, path, TypedValue(type_, element(whole, path)))

    def figure(self, place: FigurePlace) -> Figure:
        """Explain a figure by the terms that it is the sum of, or by the writes that it comes from."""
        number, expression, moment = isinstance(place.shown.type, Int), place.expression, place.moment
        kept = self.reasoner.place(expression, moment)
        if kept is None and not number:
            kept = self.reasoner.place(*self.reasoner.behind(expression, moment))
        if kept is not None:
            origins = self.origins((kept[0], (*kept[1], *place.path)), self.writes)
            return Figure(place.name, place.of, place.shown, (), origins, each_once(collect_clauses(origins)))
        terms: tuple[FigureTerm, ...] = ()
        if number and place.shown.value is not None and not place.path:
            terms = tuple(self.term(term, self.writes) for term in self.reasoner.terms(expression, moment))
        return Figure(place.name, place.of, place.shown, terms, (), each_once(collect_clauses(terms)))

    def term(self, term: FigureTerm, writes: Sequence[Write]) -> FigureTerm:
        """Return a part of a sum with those of some writes that it comes from."""
        parts = tuple(self.term(part, writes) for part in term.parts)
        return replace(term, parts=parts, origins=() if term.kept is None else self.origins(term.kept, writes))

    def origins(self, kept: Spot, writes: Sequence[Write]) -> tuple[Origin, ...]:
        """Return who wrote a figure, or part of it, since it was last put down anew."""
        variable, path = kept
        record = self.machine.game.state[variable]
        found = since(writes, variable, path)
        origins = [self._origin(write, record, path[len(write.path) :]) for write in found]
        origins = [one for one in origins if one.shown.value or not one.adds]
        base = element(found[0].moment.values[self.machine.slots[variable]], path) if found else 0
        if base and isinstance(found[0].effect, Add):
            origins.insert(0, Origin(variable, "", None, "", adds=False, shown=TypedValue(inmost(record.type), base)))
        return tuple(origins)

    def _origin(self, write: Write, record: Variable, rest: tuple[int, ...]) -> Origin:
        type_, effect = inmost(record.type), write.effect
        value, terms = element(record.default, rest), tuple[FigureTerm, ...]()
        if not isinstance(effect, Reset):
            value = element(self.reasoner.at(effect.value, write.moment), rest)
            if isinstance(type_, Int) and value is not None and not rest:
                before = self.writes[: write.number]
                terms = tuple(self.term(term, before) for term in self.reasoner.terms(effect.value, write.moment))
        because = if_any([*map(self.explain_case, write.reasons[-1:]), *(term.because for term in terms)])
        clauses = tuple(dict.fromkeys([effect.clause, *collect_clauses(terms)]))
        happened, adds = self.steps.get(write.step), isinstance(effect, Add)
        return Origin(
            write.variable, write.step, happened, effect.id, adds, TypedValue(type_, value), because, clauses, terms
        )

    def explain_case(self, taken: Taken) -> Reason | None:
        """Return why a case was taken: its condition, or that those before it fail."""
        if taken.case.when is not None:
            return self.reasoner.reason(taken.case.when, taken.moment)
        before = (case.when for case in taken.effect.cases if case.when is not None)
        return if_any(self.reasoner.reason(when, taken.moment) for when in before)

    # Sight ------------------------------------------------------------------------

    def view(self, seat: int, keys: Iterable[str] = ()) -> list[ViewEntry]:
        """Explain for every key of the view, and some beside it, why the seat sees it or does not."""
        seen, shows = self.machine.view(self.state, seat), self.machine.game.view
        known = {show.id for show in shows}
        hidden = [ViewEntry(name, "hidden", FixedReason.IN_NO_VIEW) for name in keys if name not in known]
        return [*(self._sight(show, seat, seen) for show in shows), *hidden]

    def _sight(self, show: Show, seat: int, seen: Mapping[str, Json]) -> ViewEntry:
        moment = Moment(self.state.values, {ME: 0}, (seat,))
        condition = show.seen if show.seen is not None or show.domain is not None else show.when
        because = FixedReason.ALWAYS_SEEN if condition is None else self.reasoner.reason(condition, moment)
        if show.id not in seen:
            return ViewEntry(show.id, show.level, because, show.clause)
        return ViewEntry(show.id, show.level, because, show.clause, self._display(show, moment), seen[show.id])

    def _display(self, show: Show, moment: Moment) -> Display:
        """Return the display of one entry of the score or the view."""
        if show.value is not None:
            return _display_value(show.value.type, self.reasoner.at(show.value, moment))
        if show.inner is None:
            fields = (one for one in show.fields if one.seen is None or self.reasoner.at(one.seen, moment))
            return DisplayRow(tuple(self._field(one, moment) for one in fields))
        shown = [
            self._display(show.inner, inside)
            for inside, _ in self._each(show, moment)
            if show.when is None or self.reasoner.at(show.when, inside)
        ]
        return DisplayList(tuple(one for one in shown if not show.flat or not displays_nothing(one)))

    def _field(self, field_: Show, moment: Moment) -> Display:
        """Return a field of a record with its name; seats and teams say themselves what they are."""
        shown = self._display(field_, moment)
        if field_.value is not None and str(inmost(field_.value.type)) in ("player", "team"):
            return shown
        return Labelled(field_.id, shown)


def inmost(type_: Type) -> Type:
    """Return the innermost element type of an array or an option."""
    while isinstance(type_, (Array, Option)):
        type_ = type_.element if isinstance(type_, Array) else type_.inner
    return type_


def _display_value(type_: Type, value: Value) -> Display:
    if isinstance(type_, Array):
        return DisplayRow(tuple(_display_value(type_.element, item) for item in as_row(value)))
    return TypedValue(type_, value)


def _keys(type_: Type) -> Iterator[tuple[tuple[int, ...], tuple[TypedValue, ...]]]:
    """Yield positions and keys of every element of an array, of a plain value the empty ones."""
    if not isinstance(type_, Array):
        yield (), ()
        return
    for position, key in enumerate(finite(type_.index) or ()):
        for path, rest in _keys(type_.element):
            yield (position, *path), (TypedValue(type_.index, key), *rest)


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, And):
        for part in condition.conditions:
            yield from _conjuncts(part)
    else:
        yield condition


def _is_refusal(row: Row) -> bool:
    """Say whether a row forbids, whatever else is so."""
    return isinstance(row.then, Literal) and row.then.value is False
