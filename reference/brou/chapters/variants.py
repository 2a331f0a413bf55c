"""The rules of a game in chapters under each choice of readings, and what each reading changes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import msgspec

from brou.chapters.checks import check_volume
from brou.chapters.desugar import desugar
from brou.chapters.documents import Documents
from brou.chapters.law import EDITION, SETUP, Volume, is_met, make_law
from brou.chapters.notation import ClauseForm, FurtherRule, QuestionForm
from brou.chapters.proofs import write_obligations
from brou.chapters.reading import LanguageTeller, Lister, Reader, read_volume, tell_original
from brou.chapters.short_names import find_unfit_names, name_readings
from brou.chapters.tokens import Token, Tokens
from brou.dataclass import dataclass
from brou.errors import NOWHERE, Fault, Invalid
from brou.language.node import Node
from brou.language.patch import Patch
from brou.language.recent import Recent
from brou.on_demand import OnDemand

#: Sections whose members are records; a table is compared row by row.
_ROWS = "tables"

_ENCODER = msgspec.json.Encoder()
#: Records that were made lately, by what they say: equal ones are one object, so that none is typed twice.
_LATELY: Recent[Node] = Recent(maxsize=8192)
#: Rules that were made lately, by their choice: those of each reading are compared, and then loaded and checked.
_WRITTEN: Recent[Node] = Recent(maxsize=256)


@dataclass(frozen=True, slots=True)
class Variants:
    """A game in chapters, and the rules that its chapters make under each choice of readings."""

    volume: Volume

    @classmethod
    def read(
        cls, game: str, list_files: Lister, read: Reader, tell_language: LanguageTeller = tell_original
    ) -> Variants:
        """Read all files of a game; raise `Unusable` with their faults."""
        volume = read_volume(game, list_files, read, tell_language)
        if faults := list(check_volume(volume)):
            raise Invalid(faults)
        return cls(volume)

    def write_rules(self, edition: str, setup: str, readings: Mapping[str, str]) -> Node:
        """Return the rules that the chapters amount to under a choice of rules."""
        chosen = edition, setup, *sorted(readings.items())
        return _WRITTEN.find(chosen, self.volume) or _WRITTEN.keep(
            self._write_rules(edition, setup, readings), chosen, self.volume
        )

    def _write_rules(self, edition: str, setup: str, readings: Mapping[str, str]) -> Node:
        node = desugar(make_law(self.volume, edition, setup, readings))
        sections = {name: _share_records(name, section) for name, section in node.fields.items()}
        return Node(sections, node.place)

    def editions(self) -> dict[str, tuple[dict[str, str], tuple[str, ...]]]:
        """Return the readings and the set-ups of each edition."""
        editions = self.volume.frame.editions
        return {id_: (self.volume.choose_readings(id_), tuple(map(str, one.setups))) for id_, one in editions.items()}

    def exclusions(self) -> Iterator[tuple[dict[str, frozenset[str]], str]]:
        """Yield the readings that exclude each other, with the reason."""
        excluded = ((one.together, str(one.because)) for one in self.volume.frame.exclusions)
        for together, because in (*excluded, *find_idle(self.volume)):
            yield {key: frozenset(map(str, values)) for key, values in together.items()}, because

    def readings(self) -> Iterator[tuple[str, str, OnDemand[tuple[Patch, ...]], tuple[int, int, str] | None]]:
        """Yield each key that may be varied: its question, the changes of each value, or the bounds of its number.

        Changes are found when they are first asked for: making all rules of all readings is most of the cost of loading
        a game, and whoever plays it under one choice never asks.
        """
        usual = UsualRules(self, {})
        for clause, question in self.volume.questions():
            if question.key is not None:
                number = question.number
                bounds = None if number is None else (number.low, number.high, f"params/{number.of}/value")
                changes = OnDemand(list(question.readings), partial(usual.find_changes, clause, question))
                yield str(question.key), self.volume.frame.spell_id(question.id), changes, bounds

    def find_arising(self, clause: ClauseForm, question: QuestionForm) -> list[tuple[str, str, dict[str, str]]]:
        """Return where a question arises: edition, set-up and readings, of the first edition in which it does.

        If it arises in none by itself, other readings are taken than those of the edition: the ones that it hangs on.
        """
        limits = {**clause.only, **question.only, **question.under}
        own = [(edition, chosen, setups) for edition, (chosen, setups) in self.editions().items()]
        for edition, chosen, setups in (*own, *((edition, _meet(limits, one), setups) for edition, one, setups in own)):
            named = {**chosen, EDITION: edition}
            if found := [setup for setup in setups if is_met(limits, {**named, SETUP: setup})]:
                return [(edition, setup, chosen) for setup in found]
        return []

    def write_section(self, section: str) -> Node:
        """Return what the chapters say beside the rules: `clauses`, `ambiguities`, `editions` or `exclusions`."""
        changes = {key: values for key, _, values, _ in self.readings()}
        return Documents(self.volume, tuple(self.exclusions()), self.codes(), changes).write(section)

    def write_obligations(self) -> Node:
        """Return the obligations as a file."""
        return write_obligations(self.volume)

    def name_readings(self) -> dict[str, tuple[dict[str, str], dict[str, dict[str, str]]]]:
        """Return by key the title of its question, and the names of its values or of its number, by language."""
        return name_readings(self.volume)

    def find_outdated(self) -> Iterator[Fault]:
        """Yield the texts that a language lacks, has from an older text, or has of nothing, and unfit short names."""
        yield from self.volume.texts.find_outdated(self.volume.frame.game, self.volume.list_texts())
        yield from find_unfit_names(self.volume)

    def codes(self) -> dict[str, str]:
        """Return the code of a refusal by each clause and open question that has one."""
        return find_codes(self.volume)


@dataclass(frozen=True, slots=True)
class UsualRules:
    """The rules of each edition and set-up under the readings of the edition, each made when it is first asked for."""

    maker: Variants
    made: dict[tuple[str, str], Node]

    def find_changes(self, clause: ClauseForm, question: QuestionForm, value: str) -> tuple[Patch, ...]:
        """Return what a value of a reading changes in the first edition in which its question arises.

        All set-ups of the edition count. The rules are made anew for each.
        """
        changes: tuple[Patch, ...] = ()
        for edition, setup, chosen in self.maker.find_arising(clause, question):
            if value != chosen.get(str(question.key)):
                after = self.maker.write_rules(edition, setup, {**chosen, str(question.key): value})
                changes = _unite(changes, _find_changes(self._write(edition, setup, chosen), after))
        return changes

    def _write(self, edition: str, setup: str, chosen: Mapping[str, str]) -> Node:
        if chosen != self.maker.editions()[edition][0]:
            return self.maker.write_rules(edition, setup, chosen)
        if (edition, setup) not in self.made:
            self.made[edition, setup] = self.maker.write_rules(edition, setup, chosen)
        return self.made[edition, setup]


def _meet(limits: Mapping[str, Tokens], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return readings, but where they do not meet a limit the first that does."""
    unmet = {key: str(limits[key][0]) for key in limits.keys() & chosen if chosen[key] not in limits[key]}
    return {**chosen, **unmet}


def _share_records(name: str, section: Node) -> Node:
    """Return a section in which each record that says the same as an earlier one is that very node."""
    if not isinstance(section.value, dict):
        return _intern(name, section)
    members = {key: _intern(f"{name}/{key}", member) for key, member in section.value.items()}
    label = name, tuple(members)
    return _LATELY.find(label, *members.values()) or _LATELY.keep(
        Node(members, section.place), label, *members.values()
    )


def _intern(label: str, node: Node) -> Node:
    key = (label, _ENCODER.encode(node.plain()))
    return _LATELY.find(key) or _LATELY.keep(node, key)


def _find_changes(before: Node, after: Node) -> tuple[Patch, ...]:
    """Return the changes that turn one generated rules file into another, record by record.

    The changes of two readings together are not those of each: the rules have to be made under both.
    """
    return tuple(_differences(before, after))


def _unite(known: tuple[Patch, ...], more: tuple[Patch, ...]) -> tuple[Patch, ...]:
    """Return some changes, followed by those of a second list that the first does not have."""
    said = {(one.at, _ENCODER.encode(one.node.plain())) for one in known}
    return (*known, *(one for one in more if (one.at, _ENCODER.encode(one.node.plain())) not in said))


def _differences(before: Node, after: Node) -> Iterator[Patch]:
    for section in before.fields:
        old, new = before.fields[section], after.fields[section]
        if old is new:
            continue
        if not (isinstance(old.value, dict) and isinstance(new.value, dict)):
            yield _patch((section,), old, new)
            continue
        for name in dict.fromkeys((*old.fields, *new.fields)):
            yield from _record((section, name), old.get(name), new.get(name))


def _record(at: tuple[str, ...], old: Node | None, new: Node | None) -> Iterator[Patch]:
    if old is new:
        return
    if at[0] != _ROWS or old is None or new is None or _find_heading(old) != _find_heading(new):
        yield _patch(at, old, new)
        return
    rows = [{row.string("id"): row for row in node.fields["rows"].items} for node in (old, new)]
    for id_ in dict.fromkeys((*rows[0], *rows[1])):
        one, two = (found.get(id_) for found in rows)
        if (None if one is None else one.plain()) != (None if two is None else two.plain()):
            yield _patch((*at, "rows", id_), one, two)


def _find_heading(table: Node) -> object:
    """Return what a table says apart from its rows."""
    return {key: member.plain() for key, member in table.fields.items() if key != "rows"}


def _patch(at: tuple[str, ...], old: Node | None, new: Node | None) -> Patch:
    place = old.place if new is None and old is not None else NOWHERE if new is None else new.place
    body = {"remove": Node(True, place)} if new is None else {"value": new}  # noqa: FBT003 - a value of a file
    return Patch(at, Node({"at": Node("/".join(at), place), **body}, place))


def find_codes(volume: Volume) -> dict[str, str]:
    """Return the code that a refusal by a clause or an open question has where no rule says another."""
    found: dict[str, str] = {}
    for clause in volume.clauses():
        if clause.code is not None:
            found[clause.clause] = clause.code
        for rule in (*clause.rules, *(one for question in clause.open for one in _find_added(question))):
            if rule.code is not None and "/" not in rule.rule:
                found.setdefault(rule.rule, rule.code)
    return {volume.frame.spell_id(label): str(code) for label, code in found.items()}


def _find_added(question: QuestionForm) -> Iterator[FurtherRule]:
    for reading in question.readings.values():
        yield from reading.adds


def find_idle(volume: Volume) -> Iterator[tuple[dict[str, Tokens], str]]:
    """Yield the readings that exclude each other because a question does not arise, with the reason.

    Where a question does not arise, its first reading stands for none, and the others cannot be chosen.
    """
    values: dict[str, list[str]] = {
        str(question.key): list(question.readings) for _, question in volume.questions() if question.key is not None
    }
    values[SETUP] = list(dict.fromkeys(str(setup) for one in volume.frame.editions.values() for setup in one.setups))
    for clause, question in volume.questions():
        limits = {**clause.only, **question.only, **question.under}
        for key, wanted in limits.items() if question.readings else ():
            without = Tokens(Token(value) for value in values.get(key, []) if value not in wanted)
            others = Tokens(map(Token, list(question.readings)[1:]))
            if without:
                yield {key: without, str(question.key): others}, str(question.because or "the question does not arise")
