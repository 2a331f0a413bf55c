"""The score sheet as generated rules have it: entries with checks, effects and acts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brou.chapters.decode import refuse
from brou.chapters.duties import DutyTables
from brou.chapters.law import Law
from brou.chapters.nodes import Built
from brou.chapters.rules import Duty, Heading
from brou.chapters.sheet_notation import EntryActForm, EntryForm
from brou.chapters.steps import Names, StepWriter, read_loop
from brou.chapters.terms import replace_names, slug
from brou.chapters.tokens import Token
from brou.language.node import Node


class SheetWriter:
    """Writes the entries of the score sheet of a law."""

    def __init__(self, law: Law, duties: DutyTables, steps: StepWriter) -> None:
        self.law = law
        self.duties = duties
        self.steps = steps

    def entries(self) -> dict[str, Built]:
        """Return all entries by name, in the order in which they are carried out."""
        sheet = self.law.sheet
        return {} if sheet is None else {Heading.of(one.entry).name: dict(self._entry(one)) for one in sheet.entries}

    def _entry(self, entry: EntryForm) -> Iterator[tuple[str, Built]]:
        head = Heading.of(entry.entry)
        if len(head.letters) != len(entry.takes):
            what = f"{entry.entry} has {len(head.letters)} letters and takes {len(entry.takes)} values"
            raise refuse(entry.entry.place, what, "write a letter for each value that it takes")
        names = dict(zip(head.letters, entry.takes, strict=True))
        yield "clause", str(entry.clause)
        yield "say", self.law.texts.of(f"sheet.{head.name}", entry.says)
        if entry.each is not None:
            bound, domain = read_loop(entry.each)
            yield "each", bound
            yield "in", Node(domain, entry.each.place)
        yield "many", entry.many or None
        yield "settles", entry.settles or None
        takes = {name: one.content.within for name, one in entry.takes.items()}
        yield "params", {name: {"in": _put(within, names)} for name, within in takes.items()} or None
        yield "refuse", [*self._checks(entry, head.name, names)] or None
        yield "do", self.steps.write(entry.do, names, entry.clause) or None
        yield "acts", [self._act(act, names) for act in _list_acts(entry)] or None
        yield "then", self.steps.write(entry.then, names, entry.clause) or None

    def _checks(self, entry: EntryForm, name: str, names: Names) -> Iterator[Built]:
        """Yield what cannot be, the duties that an entry heeds after its own checks."""
        for check, form in entry.forbid.items():
            yield {
                "id": check,
                "when": _put(form.when, names),
                "clause": None if form.clause is None else str(form.clause),
                "blames": None if form.blames is None else str(form.blames),
                "say": self.law.texts.of(f"sheet.{name}.{check}", form.says),
            }
        for label, says in entry.heeds.items():
            yield from self._check_duty(entry, label, says, name, names)

    def _check_duty(self, entry: EntryForm, label: str, says: Token, name: str, names: Names) -> Iterator[Built]:
        """Yield the check of a duty that binds a note as it binds the act, if the readings have it."""
        if entry.by is None:
            raise refuse(entry.entry.place, f"{name} heeds {label} and says of no seat", "write `by: p in members(t)`")
        duty = self.law.rules.get(label)
        if not isinstance(duty, Duty):
            return
        act = self.duties.acts[duty.act.name]
        seat, seats = read_loop(entry.by)
        bound = next(one for one in self.duties.binding(act) if one.label == label)
        inside = replace_names(bound.when, {act.head.letters[0]: seat})
        when = replace_names(f"any({inside} for {seat} in {seats})", names)
        said = self.law.texts.of(f"sheet.{name}.{label}", says)
        yield {
            "id": slug(label),
            "when": Node(when, entry.by.place),
            "clause": duty.clause,
            "code": duty.code,
            "say": said,
        }

    def _act(self, form: EntryActForm, names: Names) -> Built:
        """Return an act that belongs to an entry: its letters are those of the entry, or bound by it."""
        called = Heading.of(form.act)
        if called.name not in self.duties.acts:
            known = ", ".join(self.duties.acts)
            raise refuse(form.act.place, f"{form.act} is no act of a seat", f"write one of {known}")
        act = self.duties.acts[called.name]
        given: Mapping[str, str] = dict(zip(act.takes, called.letters[1:], strict=False))
        values = {name: replace_names(text, names) for name, text in given.items()}
        by = Node(replace_names(read_loop(form.by)[1], names), form.by.place)
        when = None if form.when is None else _put(form.when, names)
        return {"act": called.name, "by": by, "with": values or None, "when": when}


def _list_acts(entry: EntryForm) -> Iterator[EntryActForm]:
    if entry.act is not None:
        if entry.by is None:
            raise refuse(entry.act.place, f"{entry.act} is no act of a seat", "write `by: p in members(t)`")
        yield EntryActForm(act=entry.act, by=entry.by)
    yield from entry.acts


def _put(word: Token, names: Names) -> Node:
    return Node(replace_names(word, names), word.place)
