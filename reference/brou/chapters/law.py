"""A law: all that the chapters of a game declare and decide under one set-up and one choice of readings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TypeVar

from msgspec import structs

from brou.chapters.cards_in_play import choose_cards
from brou.chapters.declared import ChapterKey, NamedExpression, Saying, StateVariable
from brou.chapters.decode import refuse
from brou.chapters.notation import (
    ChapterForm,
    ClauseForm,
    GameForm,
    QuestionForm,
    RanksEntry,
    RuleKeys,
    ShownEntry,
)
from brou.chapters.prelude import check_cited, fill, find_cited
from brou.chapters.prelude_notation import CardsForm, ModuleForm
from brou.chapters.rules import Rule, classify, written_keys
from brou.chapters.sheet_notation import SheetForm
from brou.chapters.texts import Texts, clause_texts, name_saying, sheet_texts
from brou.chapters.tokens import NOTHING, Snippet, Token, Tokens
from brou.dataclass import dataclass, field, replace
from brou.errors import Place
from brou.language.node import Node
from brou.language.recent import Recent

_Record = TypeVar("_Record")
_Kind = TypeVar("_Kind")

#: The keys under which `only` names editions and set-ups.
EDITION, SETUP = "edition", "setup"

#: The keys of which a value has one.
_BODIES = ("gives", "sum", "cases")

_INDEXED = re.compile(r"([a-z][a-z0-9_]*)((?:\[[a-z][a-z0-9_]*\])*)\Z")


@dataclass(slots=True)
class Law:
    """What one choice of readings makes of the chapters of a game; its rules by label, in the order of the text."""

    frame: GameForm
    texts: Texts
    sheet: SheetForm | None = None
    #: How many seats there are, and the clause that says so.
    seats: tuple[int, Token] | None = None
    teams: tuple[tuple[int, ...], ...] = ()
    pack: CardsForm | None = None
    #: The clause that says last which cards those are.
    packed: str = ""
    without: Tokens = NOTHING
    copies: int = 1
    attributes: dict[str, tuple[Mapping[str, RanksEntry], str]] = field(default_factory=dict)
    numbers: dict[str, tuple[Node, str]] = field(default_factory=dict)
    types: dict[str, tuple[Tokens, str]] = field(default_factory=dict)
    variables: dict[str, StateVariable] = field(default_factory=dict)
    means: dict[str, NamedExpression] = field(default_factory=dict)
    says: dict[str, Saying] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    #: The labels of all rules, those too that a reading has dropped.
    labels: set[str] = field(default_factory=set)
    view: dict[str, ChapterKey] = field(default_factory=dict)
    score: dict[str, ChapterKey] = field(default_factory=dict)
    always: dict[str, Snippet] = field(default_factory=dict)

    def copy(self) -> Law:
        """Return a law that says the same and shares no table with this one."""
        return replace(
            self,
            attributes=dict(self.attributes),
            numbers=dict(self.numbers),
            types=dict(self.types),
            variables=dict(self.variables),
            means=dict(self.means),
            says=dict(self.says),
            rules=dict(self.rules),
            labels=set(self.labels),
            view=dict(self.view),
            score=dict(self.score),
            always=dict(self.always),
        )

    def of_kind(self, kind: type[_Kind]) -> list[_Kind]:
        """Return the rules of a kind, in the order of the text."""
        return [rule for rule in self.rules.values() if isinstance(rule, kind)]


@dataclass(frozen=True, slots=True)
class _LabelledRule:
    """The keys of a rule before they are read, with the clause and the letters of their place."""

    keys: RuleKeys
    label: Token
    clause: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Volume:
    """All files of a game, decoded: its frame, its chapters in the order of the text, and the prelude."""

    frame: GameForm
    chapters: tuple[ChapterForm, ...]
    modules: Mapping[str, ModuleForm]
    packs: Mapping[str, CardsForm]
    texts: Texts
    sheet: SheetForm | None = None

    def choose_readings(self, edition: str) -> dict[str, str]:
        """Return the readings of an edition, those included that it has as another one does."""
        editions = self.frame.editions
        found, seen = dict[str, str](), [edition]
        while True:
            one = editions[seen[-1]]
            found = {**{str(key): str(value) for key, value in one.readings.items()}, **found}
            if one.like is None:
                return found
            if one.like not in editions or one.like in seen:
                known = ", ".join(id_ for id_ in editions if id_ not in seen)
                raise refuse(one.like.place, f"{edition} is like {one.like!r}", f"name another edition: {known}")
            seen.append(one.like)

    def list_texts(self) -> dict[str, Token]:
        """Return all English texts of a game by id, those of the prelude that it uses included."""
        frame = self.frame
        titles = {"title": frame.title, **{f"editions.{id_}": one.title for id_, one in frame.editions.items()}}
        titles |= {f"setups.{setup}": title for setup, title in frame.setups.items()}
        used = {name for chapter in self.chapters for name in chapter.uses}
        says = {name_saying(name): word for module in used for name, word in self.modules[module].says.items()}
        sheet = {} if self.sheet is None else dict(sheet_texts(self.sheet))
        return {**titles, **says, **sheet, **dict(pair for clause in self.clauses() for pair in clause_texts(clause))}

    def clauses(self) -> Iterator[ClauseForm]:
        """Yield all clauses in the order of the text."""
        for chapter in self.chapters:
            yield from chapter.clauses

    def list_examples(self) -> Iterator[Token]:
        """Yield the worked examples of chapters and clauses: scenarios, as they are named there."""
        for chapter in self.chapters:
            yield from chapter.examples
            yield from (example for clause in chapter.clauses for example in clause.examples)

    def questions(self) -> Iterator[tuple[ClauseForm, QuestionForm]]:
        """Yield all questions, each with the clause that leaves it open."""
        for clause in self.clauses():
            for question in clause.open:
                yield clause, question


def make_law(volume: Volume, edition: str, setup: str, readings: Mapping[str, str]) -> Law:
    """Return what the chapters say in an edition and set-up under some readings; raise `Invalid` if that cannot be."""
    return _collect(volume, {**readings, EDITION: edition, SETUP: setup}).make()


def find_touched(volume: Volume, question: QuestionForm, value: str) -> frozenset[tuple[str, str]]:
    """Return what a reading changes, as pairs of a label and a key; the key is empty where it is the whole rule."""
    clause = next(clause for clause, one in volume.questions() if one is question)
    limits = {key: values[0] for key, values in {**clause.only, **question.only}.items()}
    maker = _collect(volume, {**limits, str(question.key): value})
    maker.answer(clause, question)
    return frozenset(maker.touched)


def is_met(only: Mapping[str, Tokens], chosen: Mapping[str, str]) -> bool:
    """Say whether a choice of readings and a set-up is among those that something is limited to."""
    return all(chosen.get(key) in values for key, values in only.items())


#: What was collected lately, by the volume and by what of it holds.
_LATELY: Recent[_LawMaker] = Recent(maxsize=64)


def _collect(volume: Volume, chosen: Mapping[str, str]) -> _LawMaker:
    """Return a maker that has collected what modules and clauses declare and decide, before any reading.

    The set-up and the clauses that hold decide it, and no other choice: a recent maker serves again where they agree.
    """
    held = chosen.get(SETUP, ""), *(is_met(one.only, chosen) for one in volume.clauses() if one.only)
    known = _LATELY.find(held, volume)
    if known is None:
        known = _LawMaker(volume, chosen)
        known.collect()
        _LATELY.keep(known, held, volume)
    return known.begin(chosen)


class _LawMaker:
    """Collects what the clauses of a game declare, then makes the changes of clauses and of readings."""

    def __init__(self, volume: Volume, chosen: Mapping[str, str]) -> None:
        self.volume = volume
        self.chosen = chosen
        self.law = Law(volume.frame, volume.texts, volume.sheet)
        self.labelled: dict[str, _LabelledRule] = {}
        self.touched: dict[tuple[str, str], str] = {}
        #: The named expressions of modules, by the labels under which a clause changes them.
        self.meanings: dict[str, str] = {}
        #: The words of modules for expressions, called by the names in their files; those of clauses go before them.
        self.shared: dict[str, Saying] = {}

    def begin(self, chosen: Mapping[str, str]) -> _LawMaker:
        """Return another maker that has collected the same, for another choice."""
        other = _LawMaker(self.volume, chosen)
        other.law, other.labelled = self.law.copy(), dict(self.labelled)
        return other

    def make(self) -> Law:
        for clause, question in self._open():
            self.answer(clause, question)
        for one in self.labelled.values():
            if is_met(one.keys.only, self.chosen):
                rule = classify(one.keys, one.label, one.clause, one.names)
                if rule is not None:
                    self.law.rules[one.label] = rule
        return self.law

    def collect(self) -> None:
        """Collect what modules and clauses declare and decide, as it is written before any reading."""
        # What a module may be given: clauses, whether they hold here or not, and questions.
        citable = {one.clause for one in self.volume.clauses()} | {one.id for _, one in self.volume.questions()}
        for chapter in self.volume.chapters:
            for name, given in chapter.uses.items():
                self._use(name, given, chapter.game.place, citable)
        clauses = [clause for clause in self.volume.clauses() if is_met(clause.only, self.chosen)]
        for clause in clauses:
            self._declare(clause)
        self.law.says = {**self.shared, **self.law.says}
        self._count()
        for clause in clauses:
            self._amend(clause)
        self.touched.clear()

    def _open(self) -> Iterator[tuple[ClauseForm, QuestionForm]]:
        """Yield the questions that arise, each with its clause."""
        for clause, question in self.volume.questions():
            limits = (clause.only, question.only, question.under)
            if question.key is not None and all(is_met(only, self.chosen) for only in limits):
                yield clause, question

    # What stands in clauses and modules -----------------------------------------

    def _use(self, name: str, given: Mapping[str, Token], place: Place, citable: Collection[str]) -> None:
        place = next((word.place for word in given.values()), place)
        if name not in self.volume.modules:
            known = ", ".join(self.volume.modules)
            raise refuse(place, f"the prelude has no module {name!r}", f"there are {known or 'none'}")
        check_cited(given, citable)
        module = fill(self.volume.modules[name], given, place)
        cited = module.cites or ""
        for number, word in module.numbers.items():
            self._once(self.law.numbers, number, (_number(word), cited), word.place)
        for type_, words in module.types.items():
            self._once(self.law.types, type_, (words, module.find_clause(type_)), words[0].place)
        for kept, zone in ((module.places, True), (module.keeps, False)):
            for scope, variables in kept.items():
                for heading, type_ in variables.items():
                    self._keep({scope: {heading: type_}}, module.find_clause(heading), module.names, zone=zone)
        self._take_over(name, module)
        for said, (expression, word) in zip(self.volume.modules[name].says, module.says.items(), strict=True):
            self._once(self.shared, expression, Saying(name_saying(said), word, module.names), word.place)
        self._see(self.law.view, module.show, cited)
        self.law.always.update(module.always)
        for rule in module.rules:
            self._label(rule, rule.rule, rule.clause or "", module.names)

    def _take_over(self, name: str, module: ModuleForm) -> None:
        """Collect the named expressions of a module."""
        for heading, gives in module.means.items():
            self._mean({heading: gives}, find_cited(module, heading, gives.place), module.names)
            called = heading.partition("(")[0].strip()
            self.meanings[f"{name}.{called}"] = called

    def _declare(self, clause: ClauseForm) -> None:
        law, id_ = self.law, clause.clause
        names = {**self.volume.frame.names, **clause.names}
        self._seat(clause)
        if clause.pack is not None:
            self._deal_in(clause)
        for name, values in clause.cards.items():
            self._once(law.attributes, name, (values, id_), id_.place)
        for name, words in clause.types.items():
            self._once(law.types, name, (words, id_), words[0].place)
        self._keep(clause.places, id_, names, zone=True)
        self._keep(clause.keeps, id_, names, zone=False)
        self._mean(clause.means, id_, names)
        for expression, word in clause.says.items():
            self._once(law.says, expression, Saying(name_saying(expression), word, names), word.place)
        self._see(law.view, clause.show, id_)
        self._see(law.score, clause.score, id_)
        law.always.update(clause.always)
        self._label(clause, id_, id_, names)
        for rule in clause.rules:
            self._label(rule, rule.rule, rule.clause or _head(rule.rule), names)

    def _count(self) -> None:
        """Declare the numbers of all clauses: texts say them under every choice.

        Where two clauses give a number, a clause that is limited to this choice goes before a clause without limits.
        """
        clauses = sorted(self.volume.clauses(), key=self._rank_limits)
        ranks = dict[str, int]()
        for clause in clauses:
            rank = self._rank_limits(clause)
            for name, number in clause.numbers.items():
                if ranks.setdefault(name, rank) == rank:
                    self._once(self.law.numbers, name, (number.content, clause.clause), number.content.place)

    def _rank_limits(self, clause: ClauseForm) -> int:
        """Return 0 for a clause that is limited to this choice, 1 for a clause without limits, 2 for any other."""
        return 1 if not clause.only else 0 if is_met(clause.only, self.chosen) else 2

    def _seat(self, clause: ClauseForm) -> None:
        """Take the seats of a clause, and its teams; one that has them by set-up says nothing of other set-ups."""
        seats = clause.seats
        number = seats.get(self.chosen.get(SETUP, "")) if isinstance(seats, Mapping) else seats
        if number is not None:
            self.law.seats, self.law.teams = (number, clause.clause), clause.teams

    def _deal_in(self, clause: ClauseForm) -> None:
        """Take the pack of a clause: of the cards of the prelude the ranks that it names, or the pack so far."""
        pack = clause.pack
        if pack is None:
            return
        if pack.cards is not None:
            if pack.cards not in self.volume.packs:
                raise refuse(pack.cards.place, f"no pack {pack.cards!r}", f"there are {', '.join(self.volume.packs)}")
            self.law.pack = self.volume.packs[pack.cards]
        cards = self.law.pack
        if cards is None:
            raise refuse(clause.clause.place, f"{clause.clause} changes a pack that no clause names", "write `cards:`")
        self.law.pack, self.law.without = choose_cards(cards, pack, clause.clause.place)
        self.law.copies, self.law.packed = pack.copies or self.law.copies, clause.clause

    def _keep(
        self, kept: Mapping[str, Mapping[str, Token]], clause: str, names: Mapping[str, str], *, zone: bool
    ) -> None:
        for scope, variables in kept.items():
            for heading, type_ in variables.items():
                match = _INDEXED.match(heading)
                if match is None:
                    raise refuse(type_.place, f"{heading!r} is no variable", "write it like `laid[r][p]`")
                letters = tuple(match[2][1:-1].split("][")) if match[2] else ()
                variable = StateVariable(match[1], scope, letters, type_, zone, clause, names)
                self._once(self.law.variables, match[1], variable, type_.place)

    def _mean(self, means: Mapping[str, Snippet], clause: str, names: Mapping[str, str]) -> None:
        for heading, gives in means.items():
            meaning = _meaning(heading, gives, clause, names)
            self._once(self.law.means, meaning.name, meaning, gives.place)

    def _see(self, seen: dict[str, ChapterKey], shown: Mapping[str, ShownEntry], clause: str) -> None:
        for key, one in shown.items():
            seen[key] = ChapterKey(one, clause)

    def _label(self, keys: RuleKeys, label: Token, clause: str, names: Mapping[str, str]) -> None:
        self._once(self.labelled, label, _LabelledRule(keys, label, clause, names), label.place)
        self.law.labels.add(label)

    def _once(self, known: dict[str, _Record], name: str, record: _Record, place: Place) -> None:
        if name in known:
            raise refuse(place, f"a second {name!r}", "a name has one meaning: rename one of them")
        known[name] = record

    def _amend(self, clause: ClauseForm) -> None:
        """Make the changes of a clause to rules of modules and of other clauses."""
        for label, keys in clause.changes.items():
            meaning = self.law.means.get(self.meanings.get(label, ""))
            if meaning is None:
                self._change(label, keys, clause.clause, clause.clause.place)
                continue
            if keys.gives is None or written_keys(keys) != {"is"}:
                raise refuse(
                    clause.clause.place, f"{label} is a named expression", "write `is:` behind it, and only it"
                )
            self._touch(label, "is", clause.clause, clause.clause.place)
            self.law.means[meaning.name] = NamedExpression(
                meaning.name, meaning.letters, keys.gives, meaning.clause, meaning.names
            )
        for label in clause.drops:
            self._drop(label, clause.clause)

    # What readings change -------------------------------------------------------

    def answer(self, clause: ClauseForm, question: QuestionForm) -> None:
        """Make the changes of the reading that is chosen for a question."""
        key = question.key or Token()
        value = self.chosen.get(key)
        if question.number is not None:
            self._put_number(question, value)
            return
        if value is None:
            return
        reading = question.readings[value]
        where = f"{key}={value}"
        for label, keys in reading.changes.items():
            self._change(label, keys, where, reading.why.place)
        for label in reading.drops:
            self._drop(label, where)
        for rule in reading.adds:
            self._touch(rule.rule, "", where, rule.rule.place)
            self._label(rule, rule.rule, rule.clause or _head(rule.rule), {**self.volume.frame.names, **clause.names})
        for heading, gives in reading.means.items():
            self._touch(heading, "is", where, gives.place)
            meaning = _meaning(heading, gives, question.id, {**self.volume.frame.names, **clause.names})
            before = self.law.means.get(meaning.name)
            self.law.means[meaning.name] = meaning if before is None else _redefine(before, meaning)
        for name, values in reading.cards.items():
            self._touch(name, "cards", where, reading.why.place)
            self.law.attributes[name] = (values, question.id)
        for name, number in reading.numbers.items():
            self._touch(name, "numbers", where, number.content.place)
            self._renumber(name, number.content)
        self._see(self.law.view, reading.show, question.id)
        if reading.without:
            self._touch("pack", "without", where, reading.without[0].place)
            self.law.without = reading.without
        self.law.always.update(reading.always)

    def _put_number(self, question: QuestionForm, value: str | None) -> None:
        if question.number is None or value is None:
            return
        self._renumber(question.number.of, Node(int(value), question.number.of.place))

    def _renumber(self, name: str, number: Node) -> None:
        if name not in self.law.numbers:
            raise refuse(number.place, f"no number {name!r}", f"numbers are {', '.join(self.law.numbers)}")
        self.law.numbers[name] = (number, self.law.numbers[name][1])

    def _change(self, label: str, keys: RuleKeys, where: str, place: Place) -> None:
        one = self._find(label, place)
        given = {name: getattr(keys, name) for name in keys.__struct_fields__ if _is_given(keys, name)}
        for name in given:
            self._touch(label, name, where, place)
        if given.keys() & set(_BODIES):
            given = {**dict.fromkeys(_BODIES), **given}
        self.labelled[label] = _LabelledRule(structs.replace(one.keys, **given), one.label, one.clause, one.names)

    def _drop(self, label: Token, where: str) -> None:
        rule, _, term = label.rpartition(".")
        found = self.labelled.get(rule)
        if label not in self.labelled and found is not None and found.keys.sum and term in found.keys.sum:
            self._touch(rule, f"sum.{term}", where, label.place)
            rest = {name: gives for name, gives in found.keys.sum.items() if name != term}
            keys = structs.replace(found.keys, sum=rest)
            self.labelled[rule] = _LabelledRule(keys, found.label, found.clause, found.names)
            return
        self._find(label, label.place)
        self._touch(label, "", where, label.place)
        one = self.labelled[label]
        if written_keys(one.keys):
            del self.labelled[label]

    def _find(self, label: str, place: Place) -> _LabelledRule:
        if label not in self.labelled:
            raise refuse(place, f"no rule {label!r} to change or drop", f"rules are {', '.join(self.labelled)}")
        return self.labelled[label]

    def _touch(self, label: str, key: str, where: str, place: Place) -> None:
        """Note who changes a key of a rule, or with an empty key all of it; raise `Invalid` for a second change."""
        for known in [(label, key), (label, "")] if key else [one for one in self.touched if one[0] == label]:
            if known in self.touched and self.touched[known] != where:
                what = f"{where} and {self.touched[known]} both change {label}"
                raise refuse(
                    place, what, "let them change different rules, or say in `exclusions` that they exclude each other"
                )
        self.touched[label, key] = where


def _is_given(keys: RuleKeys, name: str) -> bool:
    return bool(getattr(keys, name) != getattr(RuleKeys(), name))


def _meaning(heading: str, gives: Snippet, clause: str, names: Mapping[str, str]) -> NamedExpression:
    name, _, letters = heading.strip().rstrip(")").partition("(")
    return NamedExpression(
        name, tuple(part.strip() for part in letters.split(",") if part.strip()), gives, clause, names
    )


def _redefine(before: NamedExpression, now: NamedExpression) -> NamedExpression:
    """Return a named expression with another meaning; it stays with its clause."""
    return NamedExpression(before.name, now.letters, now.gives, before.clause, now.names)


def _head(label: str) -> str:
    """Return the clause or question that a label belongs to."""
    return label.split("/", maxsplit=1)[0]


def _number(word: Token) -> Node:
    return Node(int(word), word.place) if re.fullmatch(r"-?[0-9]{1,18}", word) else Node(str(word), word.place)
