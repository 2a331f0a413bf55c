"""What a recorded game comes to, as data: every entry with its clauses, the sums as on the sheet, or what cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from brou.answers.entering import Item, RefusedAct, Unenterable
from brou.answers.explain import Explainer, Figure, inmost
from brou.answers.history import History, Write, element
from brou.answers.meant import Slip, alternatives, other_readings
from brou.answers.settle import Happening, Settling, Stuck, Unlike, steps
from brou.interpreter.machine import Machine, State
from brou.language.codec import Json, outside
from brou.language.effects import Add, Reset
from brou.language.syntax import Check, Parameter
from brou.language.tree import VariableUse
from brou.language.types import Array, Bool, Int, Type, element_of
from brou.shelf.library import Choice, rules
from brou.shelf.record import Record
from brou.words.moment import Moment
from brou.words.wording import Words

Entry: TypeAlias = dict[str, Any]


def settled(record: Record, choice: Choice, lang: str, folder: Path | None = None) -> Entry:
    """Return everything that a record comes to under a choice of rules."""
    return _Settlement(record, choice, lang, folder).document()


@dataclass(slots=True, init=False)
class _Settlement:
    record: Record
    choice: Choice
    folder: Path | None
    words: Words
    history: History
    settling: Settling
    steps: Mapping[str, str]

    def __init__(self, record: Record, choice: Choice, lang: str, folder: Path | None) -> None:
        game = rules(choice, folder)
        self.record, self.choice, self.folder = record, choice, folder
        self.words = Words(game, lang, folder, record.players)
        self.history = History(game)
        self.settling = Settling(record, Machine(game, self.history), self.history)
        self.steps = steps(record, self.words)

    def document(self) -> Entry:
        """Return the settlement: its deals, where the game stands, and the first thing that cannot be."""
        deals: list[Entry] = []
        fault: Entry | None = None
        try:
            for one in self.settling.happenings():
                if not deals or deals[-1]["id"] != one.deal.id:
                    deals.append(_begun(one))
                self._add(deals[-1], one)
        except Stuck as stuck:
            fault = self._fault(stuck)
        standing = None if fault and not deals else self.settling.machine.score(self.settling.state)
        return {
            "game": self.choice.game,
            "edition": self.choice.edition,
            "setup": self.choice.setup,
            "readings": dict(self.choice.readings),
            "title": self.record.title,
            "players": list(self.record.players),
            "deals": deals,
            "standing": standing,
            "complete": fault is None and bool(deals) and deals[-1]["written"] is not None,
            "fault": fault,
        }

    def _add(self, deal: Entry, one: Happening) -> None:
        explainer = Explainer(self.words, self.settling.machine, one.after, self.history, self.steps)
        if one.kind == "count":
            deal["count"] = self.settling.machine.score(one.after)
            deal["result"] = self._result(explainer)
        elif one.kind == "written":
            deal["slate"] = list(self._slate(one))
            deal["written"] = self.settling.machine.score(one.after)
        else:
            changes = list(self._changes(one))
            if changes or one.item is not None:
                deal["lines"].append(self._line(one, changes))

    def _line(self, one: Happening, changes: list[Entry]) -> Entry:
        step = f"{one.deal.id}.{one.step}"
        said = self.entered(one.item) if one.item else self.steps.get(step, one.step)
        clauses = [one.item.entry.clause] if one.item else []
        told = {name for name, variable in self.words.game.state.items() if self._spoken(name, variable.type)}
        for write in self.history.writes:
            if write.step == step and write.variable in told and write.effect.clause:
                clauses.append(write.effect.clause)
                number = isinstance(inmost(self.words.game.state[write.variable].type), Int)
                if number and not isinstance(write.effect, Reset):
                    terms = self.words.terms(write.effect.value, write.moment)
                    clauses += [clause for term in terms for clause in term.clauses]
        each = one.item.each if one.item else None
        return {"step": one.step, "said": said, "each": each, "changes": changes, "clauses": self._cited(clauses)}

    def _spoken(self, name: str, type_: Type) -> bool:
        """Say whether people are told of a variable: it stands in the score, or is a number with words of its own."""
        return any(show.id == name for show in self.words.game.score) or (
            isinstance(inmost(type_), Int) and name in self.words.named_figures
        )

    def entered(self, item: Item) -> str:
        """Return an entry in words: its name, whom it is for, its value."""
        entry = item.entry
        said = self.words.text(entry.say) if entry.say else outside(entry.id)
        value = item.value
        names = [outside(parameter.id) for parameter in entry.parameters]
        given = value if len(names) > 1 and isinstance(value, dict) else dict.fromkeys(names, value)
        told = []
        if entry.each and entry.domain is not None:
            of = element_of(entry.domain.type, self.words.game.types["card"]) or entry.domain.type
            told.append(self.words.value(of, item.each))
        for name, parameter in zip(names, entry.parameters, strict=True):
            one = self.words.plain(parameter.type, given.get(name))
            named = isinstance(parameter.type, Bool)
            told.append(
                self.words.frame("is", what=self.words.name("fields", parameter.id), value=one) if named else one
            )
        return self.words.frame("is", what=said, value=", ".join(told)) if told else said

    def _cited(self, clauses: list[str]) -> list[Entry]:
        return [{"id": id_, "text": self.words.clause(id_)} for id_ in dict.fromkeys(clauses) if id_]

    def _changes(self, one: Happening) -> Iterator[Entry]:
        """Yield the figures of the score that a step has changed."""
        explainer = Explainer(self.words, self.settling.machine, one.after, self.history)
        before = {(figure.name, figure.of): figure for figure in explainer.figures(one.before)}
        for figure in explainer.figures(one.after):
            old = before.get((figure.name, figure.of))
            if old is None or old.value == figure.value:
                continue
            type_, by = inmost(figure.expression.type), None
            if isinstance(type_, Int) and isinstance(old.value, int) and isinstance(figure.value, int):
                by = figure.value - old.value
            yield {
                "figure": figure.name,
                "of": list(figure.of),
                "said": self.words.name("fields", figure.name.split("/")[-1]),
                "whose": ", ".join(figure.whose),
                "by": by,
                "value": explainer.plain(figure),
                "shown": self.words.value(type_, figure.value),
            }

    # What a deal comes to ---------------------------------------------------------

    def _result(self, explainer: Explainer) -> list[Entry]:
        """Return the single figures of the deal, such as its result and its worth, each explained."""
        shown = [figure for figure in explainer.figures(explainer.state) if not figure.of]
        entries = [explainer.figure(figure) for figure in shown]
        return [entry for entry in entries if not entry["empty"]]

    def _slate(self, one: Happening) -> Iterator[Entry]:
        """Yield the sums as they stand on the sheet, for everything that is kept from deal to deal."""
        step = f"{one.deal.id}.{one.step}"
        writes = [write for write in self.history.writes if write.step == step]
        for name, variable in self.words.game.start.given.items():
            type_ = self.words.game.state[variable].type
            if not isinstance(inmost(type_), Int) or not isinstance(type_, Array):
                continue
            shown = self._shown(variable, one.after)
            before = [element(self.settling.machine.get(one.before, variable), figure.path) for figure in shown]
            after = [figure.value for figure in shown]
            rows, struck = self._rows([write for write in writes if write.variable == variable], shown)
            if any(before) or any(after):
                yield {
                    "figure": name,
                    "said": self.words.name("fields", self._named(variable)),
                    "of": [list(figure.of) for figure in shown],
                    "whose": [", ".join(figure.whose) for figure in shown],
                    "before": before,
                    "rows": rows,
                    "struck": struck,
                    "after": after,
                }

    def _named(self, variable: str) -> str:
        """Return the key of the score under which a variable stands."""
        for show in self.words.game.score:
            if isinstance(show.value, VariableUse) and show.value.name == variable:
                return "accounts" if show.id == "before" else show.id
        return variable

    def _shown(self, variable: str, state: State) -> list[Figure]:
        explainer = Explainer(self.words, self.settling.machine, state, self.history)
        return list(explainer.elements(variable, Moment(state.values)))

    def _rows(self, writes: list[Write], shown: list[Figure]) -> tuple[list[Entry], bool]:
        """Return what was added, a row for each kind of thing, and whether all began anew after that."""
        rows: dict[str, Entry] = {}
        struck = False
        explainer = Explainer(self.words, self.settling.machine, self.settling.state, self.history)
        for write in writes:
            if isinstance(write.effect, Reset):
                struck = True
                continue
            for term in self.words.parts(write.effect.value, write.moment):
                row = rows.setdefault(
                    term.words,
                    {"what": term.words, "values": [0] * len(shown), "parts": [None] * len(shown), "clauses": []},
                )
                for number, figure in enumerate(shown):
                    if figure.path == write.path and isinstance(write.effect, Add):
                        row["values"][number] += term.value
                        row["parts"][number] = explainer.term(term, write.number)
                row["clauses"] = list(dict.fromkeys([*row["clauses"], write.effect.clause, *term.clauses]))
        return [row for row in rows.values() if any(row["values"])], struck

    # What cannot be ---------------------------------------------------------------

    def _fault(self, stuck: Stuck) -> Entry:
        """Return the first thing that cannot be: what it is, what the rules say, what could have been meant."""
        said = self.steps.get(f"{stuck.deal.id}.{stuck.step}", stuck.step) if stuck.deal else ""
        entry: Entry = {"deal": stuck.deal.id if stuck.deal else "", "step": stuck.step, "said": said, "code": ""}
        if stuck.deal is not None and stuck.step in stuck.deal.sheet:
            entry["said"] = self.words.frame("sheet_says")
        entry |= {"because": "", "clauses": [], "rows": [], **self._cause(stuck)}
        touched = self.history.touched | ({("phases", stuck.state.phase)} if stuck.state else set())
        slips = [
            *alternatives(self.record, self.choice, stuck, self.folder),
            *other_readings(self.record, self.choice, touched, self.folder),
        ]
        entry["meant"] = [self._slip(slip) for slip in slips]
        return entry

    def _slip(self, slip: Slip) -> Entry:
        """Return in words what could have been meant."""
        if slip.reading:
            key, value = slip.reading
            said = self.words.frame("read_as", reading=f"{key}={value}")
            return {"said": said, "reading": {"key": key, "value": value}}
        if slip.act is not None:
            seat, act = slip.act
            return {"said": self.words.act(seat, act), "by": seat, "act": dict(act)}
        entry = self.words.game.summary[slip.entry]
        said = self.words.text(entry.say) if entry.say else outside(entry.id)
        if slip.value is None:
            return {"said": self.words.frame("left_out", what=said), "entry": outside(entry.id)}
        if slip.missing:
            return {"said": self.words.frame("noted", what=said), "entry": outside(entry.id)}
        told = (
            self.entered(Item(slip.entry, entry, None, slip.value))
            if not isinstance(slip.value, list)
            else (
                self.words.frame(
                    "is",
                    what=said,
                    value=self.words.frame("beside").join(self._one(slip.entry, one) for one in slip.value),
                )
            )
        )
        return {"said": told, "entry": outside(entry.id), "value": slip.value}

    def _one(self, name: str, value: Json) -> str:
        entry = self.words.game.summary[name]
        names = [outside(parameter.id) for parameter in entry.parameters]
        given = value if len(names) > 1 and isinstance(value, dict) else dict.fromkeys(names, value)
        return ", ".join(
            self.words.plain(parameter.type, given.get(key))
            for key, parameter in zip(names, entry.parameters, strict=True)
        )

    def _cause(self, stuck: Stuck) -> Entry:
        cause = stuck.cause
        if isinstance(cause, Unenterable):
            if cause.item is not None:
                head: Entry = {"said": self.entered(cause.item), "entry": outside(cause.item.entry.id)}
            else:
                head = {"entry": ""}
            return head | self._unenterable(cause)
        if isinstance(cause, RefusedAct):
            return self._refused(cause)
        if isinstance(cause, Unlike):
            because = self.words.frame(
                "otherwise",
                what=self.words.name("fields", cause.name),
                written=self._plainly(cause.written),
                found=self._plainly(cause.found),
            )
            return {"because": because, "figure": cause.name, "written": cause.written, "found": cause.found}
        if cause is None:
            phase = self.words.name("phases", stuck.state.phase) if stuck.state else ""
            return {"because": self.words.frame("not_over", phase=phase)}
        return {"because": str(cause)}

    def _plainly(self, value: Json) -> str:
        if isinstance(value, list):
            return ", ".join(map(self._plainly, value))
        if isinstance(value, int) and not isinstance(value, bool):
            return self.words.number(value)
        return self.words.frame("nothing") if value is None else self.words.name("values", str(value))

    def _refused(self, cause: RefusedAct) -> Entry:
        explainer = Explainer(self.words, self.settling.machine, cause.state, self.history, self.steps)
        found = explainer.act(cause.seat, cause.act)
        return {key: found[key] for key in ("said", "because", "code", "clauses", "rows")}

    def _unenterable(self, error: Unenterable) -> Entry:
        match error.cause:
            case Check() as check:
                names = [] if error.item is None else self.settling.entering.names(error.item.entry)
                moment = Moment(
                    error.state.values if error.state else (), self.words.evaluator.frame(names), error.locals
                )
                figures = self.words.figured(check.when, moment)
                return {"because": self.words.text(check.say) + figures, "clauses": self._cited([check.clause])}
            case RefusedAct() as refused:
                found = self._refused(refused)
                del found["said"]
                return found
            case Parameter() as parameter:
                return {"because": self._outside(parameter), "clauses": self._cited([parameter.clause])}
        if error.item is None:
            return {"because": self.words.frame("no_ending")}
        return {"because": self.words.frame("two_endings")}

    def _outside(self, parameter: Parameter) -> str:
        values = self.words.range(parameter.type)
        return self.words.frame("among", values=values)


def _begun(one: Happening) -> Entry:
    return {"id": one.deal.id, "lines": [], "count": None, "result": [], "slate": [], "written": None}
