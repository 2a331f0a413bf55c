"""What a recorded game comes to: every entry with its clauses, the sums as on the sheet, or what cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from brou.answers.explain_state import Explainer, FigurePlace, inmost
from brou.answers.history import History, Write, element
from brou.answers.replay import Happening, RecordReplay, Stuck, steps
from brou.answers.short_entry import Item, RefusedAct, Unenterable
from brou.answers.suggest import alternatives, other_readings
from brou.dataclass import dataclass, field, replace
from brou.games.catalogue import Choice, rules
from brou.games.folder import Folder
from brou.games.record import GameRecord
from brou.interpreter.machine import Machine, State
from brou.language.codec import outside
from brou.language.effects import Add, Reset
from brou.language.syntax import Check, Parameter
from brou.language.tree import VariableUse
from brou.language.types import Array, Int, as_number
from brou.reasons.explanation import Judgement
from brou.reasons.moment import Moment
from brou.reasons.reason import (
    Acted,
    Entered,
    Failed,
    Figure,
    FigureTerm,
    FilledText,
    FixedReason,
    Name,
    NotOver,
    RoutineStep,
    TextId,
    Unlike,
    Within,
    each_once,
)
from brou.reasons.reasoner import Reasoner
from brou.reasons.settlement import Deal, Line, Moved, RecordFault, Settlement, Sheet, SheetRow


def settle_record(record: GameRecord, choice: Choice, folder: Folder = None) -> Settlement:
    """Return everything that a record comes to under a choice of rules."""
    return _Settler(record, choice, folder).settlement()


@dataclass(slots=True)
class _GrowingRow:
    """A row of a sheet that grows."""

    values: list[int]
    parts: list[FigureTerm | None]
    clauses: dict[str, None] = field(default_factory=dict)


class _Settler:
    """Settles one record."""

    def __init__(self, record: GameRecord, choice: Choice, folder: Folder) -> None:
        self.record, self.choice, self.folder = record, choice, folder
        self.game = rules(choice, folder)
        self.history = History(self.game)
        self.machine = Machine(self.game, self.history)
        self.reasoner = Reasoner(self.machine.evaluator)
        self.settling = RecordReplay(record, self.machine, self.history)
        self.steps = steps(record, self.game)

    def settlement(self) -> Settlement:
        """Return the settlement: its deals, the score so far, and the first thing that contradicts the rules."""
        deals: dict[str, Deal] = {}
        fault: RecordFault | None = None
        try:
            for one in self.settling.happenings():
                deals[one.deal.id] = self._add(deals.get(one.deal.id, Deal(one.deal.id)), one)
        except Stuck as stuck:
            fault = self._fault(stuck)
        standing = None if fault and not deals else self.machine.score(self.settling.state)
        return Settlement(self.choice, self.record.title, self.record.players, tuple(deals.values()), standing, fault)

    def _explainer(self, state: State) -> Explainer:
        return Explainer(self.machine, self.reasoner, self.history, state, self.history.writes, self.steps)

    def _add(self, deal: Deal, one: Happening) -> Deal:
        """Return a deal with one more happening entered."""
        score = self.machine.score
        if one.kind == "count":
            return replace(deal, count=score(one.after), result=self._result(one.after))
        if one.kind == "written":
            return replace(deal, slate=tuple(self._slate(one)), written=score(one.after))
        changes = tuple(self._changes(one))
        if not changes and one.item is None:
            return deal
        return replace(deal, lines=(*deal.lines, self._line(one, changes)))

    def _line(self, one: Happening, changes: tuple[Moved, ...]) -> Line:
        step = f"{one.deal.id}.{one.step}"
        clauses = [one.item.entry.clause] if one.item else []
        for write in self.history.writes:
            if write.step == step and write.variable in self._reported and write.effect.clause:
                clauses.append(write.effect.clause)
                number = isinstance(inmost(self.game.state[write.variable].type), Int)
                if number and not isinstance(write.effect, Reset):
                    terms = self.reasoner.terms(write.effect.value, write.moment)
                    clauses += [clause for term in terms for clause in term.clauses]
        happened = _describe_item(one.item) if one.item else self.steps.get(step)
        return Line(one.step, happened, one.item.each if one.item else None, changes, each_once(clauses))

    @cached_property
    def _reported(self) -> frozenset[str]:
        """Return the variables worth reporting: those of the score, and numbers that have words of their own."""
        shown = {show.id for show in self.game.score}
        figures = self.reasoner.named_figures
        return frozenset(
            name
            for name, variable in self.game.state.items()
            if name in shown or (isinstance(inmost(variable.type), Int) and name in figures)
        )

    def _changes(self, one: Happening) -> Iterator[Moved]:
        """Yield the figures of the score that a step has changed."""
        explainer = self._explainer(one.after)
        before = {place.key: place.shown.value for place in explainer.places(one.before)}
        for place in explainer.places(one.after):
            if place.key not in before or before[place.key] == place.shown.value:
                continue
            old, new = before[place.key], place.shown.value
            by = (
                new - old
                if isinstance(place.shown.type, Int) and isinstance(old, int) and isinstance(new, int)
                else None
            )
            yield Moved(place.name, place.of, by, place.shown)

    # What a deal comes to ---------------------------------------------------------

    def _result(self, state: State) -> tuple[Figure, ...]:
        """Return the single figures of the deal, such as its result and its worth, each explained."""
        explainer = self._explainer(state)
        places = (place for place in explainer.places(state) if not place.of and not place.shown.empty)
        return tuple(explainer.figure(place) for place in places)

    def _slate(self, one: Happening) -> Iterator[Sheet]:
        """Yield the sums on the sheet, for every variable that carries over from deal to deal."""
        step = f"{one.deal.id}.{one.step}"
        writes = [write for write in self.history.writes if write.step == step]
        for name, kept in self.game.start.given.items():
            variable = self.game.state[kept]
            if not isinstance(inmost(variable.type), Int) or not isinstance(variable.type, Array):
                continue
            columns = list(self._explainer(one.after).elements(kept))
            old = self.machine.get(one.before, kept)
            before = [as_number(element(old, place.path)) for place in columns]
            after = [as_number(place.shown.value) for place in columns]
            added = [write for write in writes if write.variable == kept]
            if any(before) or any(after):
                yield Sheet(
                    name,
                    self._find_score_key(kept),
                    tuple(place.of for place in columns),
                    tuple(before),
                    tuple(self._rows(added, columns)),
                    any(isinstance(write.effect, Reset) for write in added),
                    tuple(after),
                )

    def _find_score_key(self, variable: str) -> str:
        """Return the key of the score that shows a variable."""
        for show in self.game.score:
            # A value with a clause of its own is shown inside a record that names the clause.
            shown = show.inner if show.inner is not None and show.domain is None else show
            if isinstance(shown.value, VariableUse) and shown.value.name == variable:
                return "accounts" if show.id == "before" else show.id
        return variable

    def _rows(self, writes: Iterable[Write], columns: list[FigurePlace]) -> Iterator[SheetRow]:
        """Yield the additions as rows, one for each kind of term."""
        rows: dict[Name | None, _GrowingRow] = {}
        explainer = self._explainer(self.settling.state)
        for write in writes:
            if isinstance(write.effect, Reset):
                continue
            for term in self.reasoner.parts(write.effect.value, write.moment):
                row = rows.setdefault(term.name, _GrowingRow([0] * len(columns), [None] * len(columns)))
                for number, place in enumerate(columns):
                    if place.path == write.path and isinstance(write.effect, Add):
                        row.values[number] += term.value
                        row.parts[number] = explainer.term(term, self.history.writes[: write.number])
                row.clauses |= dict.fromkeys([write.effect.clause, *term.clauses])
        for name, row in rows.items():
            if any(row.values):
                yield SheetRow(name, tuple(row.values), tuple(row.parts), tuple(row.clauses))

    # What cannot be ---------------------------------------------------------------

    def _fault(self, stuck: Stuck) -> RecordFault:
        """Return the first impossible step: the act or entry, the objection of the rules, the suggested corrections."""
        deal, step = stuck.deal, stuck.step
        happened = None if deal is None else self.steps.get(f"{deal.id}.{step}")
        if deal is not None and step in deal.sheet:
            happened = RoutineStep.SHEET
        phase = stuck.state.phase if stuck.state else ""
        fault = self._add_cause(RecordFault(deal.id if deal else "", step, happened, NotOver(phase)), stuck)
        touched = self.history.touched | ({("phases", phase)} if phase else set())
        slips = (
            *alternatives(self.record, self.choice, stuck, self.folder),
            *other_readings(self.record, self.choice, touched, self.folder),
        )
        return replace(fault, meant=slips)

    def _add_cause(self, fault: RecordFault, stuck: Stuck) -> RecordFault:
        """Return a fault with what the rules have against it; without a cause it is that the deal is not over."""
        match stuck.cause:
            case None:
                return fault
            case Unenterable(item=None):
                return replace(fault, entry="", because=FixedReason.NO_ENDING)
            case Unenterable(item=Item() as item) as error:
                return self._unenterable(
                    replace(fault, entry=outside(item.entry.id), happened=_describe_item(item)), error
                )
            case RefusedAct() as refused:
                judgement = self._judge(refused)
                return _forbidden(replace(fault, happened=Acted(refused.seat, refused.act)), judgement)
            case Unlike() as unlike:
                return replace(fault, because=unlike)
            case error:
                return replace(fault, because=Failed(error))

    def _judge(self, cause: RefusedAct) -> Judgement:
        return self._explainer(cause.state).act(cause.seat, cause.act)

    def _unenterable(self, fault: RecordFault, error: Unenterable) -> RecordFault:
        match error.cause:
            case Check() as check if error.item is not None:
                env = self.reasoner.evaluator.frame(self.settling.entering.names(error.item.entry))
                moment = Moment(error.state.values if error.state else (), env, error.locals)
                text = TextId("checks", f"{error.item.entry.id}/{check.id}", "say")
                said = FilledText(text, compared=self.reasoner.list_compared(check.when, moment))
                return replace(fault, because=said, code=check.code, clauses=each_once([check.clause]))
            case RefusedAct() as refused:
                return _forbidden(fault, self._judge(refused))
            case Parameter() as parameter:
                return replace(fault, because=Within(parameter.type), clauses=each_once([parameter.clause]))
        return replace(fault, because=FixedReason.TWO_ENDINGS)


def _describe_item(item: Item) -> Entered:
    return Entered(item.entry.id, item.each, item.value)


def _forbidden(fault: RecordFault, judgement: Judgement) -> RecordFault:
    """Return a fault with the reasons for which an act is refused."""
    because = judgement.because or fault.because
    clauses, code = each_once(judgement.clauses), judgement.code
    return replace(fault, because=because, code=code, clauses=clauses, decisions=judgement.decisions)
