"""All that is known of one clause or open question: text, source, rules, readings, proofs and scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from brou import (
    Choice,
    Node,
    Project,
    Unknown,
    book,
    catalogue,
    keep_until_changed,
    patch_rules,
    spread,
)
from brou.chapters import Variants, find_restored
from brou.language import Patch, find_id
from brou.shapes import shape
from brou.words import find_slots
from brou_conformance.portable.errata import Errata, find_errata
from brou_conformance.reports.sources import quote_passage
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.coverage import CoverageRow, coverage
from brou_conformance.scenarios.scenario import Level, Scenario
from brou_tools.questions.mutation_scores import read_scores
from brou_tools.questions.register import Rate, RegisterEntry, Treatment, entries
from brou_tools.situation.edition import Matter, read_works
from brou_tools.situation.excerpts import Rule, by_key, find_stated, quote_clause, quote_reading
from brou_tools.smt.obligations import obligations


@shape(closed=True)
class SourcePassage:
    """A passage that a clause rests on."""

    source: Annotated[str, "the work"]
    title: Annotated[str, "its title"]
    author: Annotated[str, "its author"]
    year: Annotated[str, "when it was published or revised"]
    at: Annotated[str, "the passage"]
    place: Annotated[str, "section and paragraph, as they are cited"]
    part: Annotated[str, "the part of the passage that counts; empty for all of it"]
    sha256: Annotated[str, "the fingerprint of the passage"]
    words: Annotated[str, "its first words, at most eight; empty if the text of the source is missing"]


@shape(closed=True)
class Value:
    """A value that a reading may have."""

    value: Annotated[str, "the value"]
    name: Annotated[str, "its short name; empty if there is none"]
    argument: Annotated[str, "what speaks for it"]
    confidence: Annotated[str, "how strongly"]
    editions: Annotated[tuple[str, ...], "the editions that follow it"]
    changes: Annotated[tuple[Rule, ...], "its changes in the rules of the clause"]


@shape(closed=True)
class Opening:
    """An open question about a clause: how it is settled, and the values that it may have."""

    id: Annotated[str, "its id"]
    treatment: Annotated[
        Treatment, "`FIX`: settled; `VAR`: varied by editions; `OPEN`: left open; `LINT`: a slip of the text"
    ]
    key: Annotated[str, "the key of its reading; empty if it has none"]
    title: Annotated[str, "its short name; empty if there is none"]
    question: Annotated[str, "what it asks"]
    decision: Annotated[str, "how it is settled; empty if it is left open"]
    number: Annotated[str, "what the values count, if they are numbers; else empty"]
    bounds: Annotated[tuple[int, int] | None, "the least and the greatest value, if they are numbers; else null"]
    values: Annotated[tuple[Value, ...], "the values that the reading may have"]
    defaults: Annotated[Mapping[str, str], "edition -> value"]
    frequency: Annotated[tuple[Rate, ...], "in how many deals the values differ, by edition"]


@shape(closed=True)
class Proof:
    """An obligation that is about a clause."""

    id: Annotated[str, "the obligation"]
    kind: Annotated[str, "its kind"]
    says: Annotated[str, "what it says"]
    expect: Annotated[str, "the expected result"]
    file: Annotated[str, "the file that contains it"]
    line: Annotated[int, "its line"]


@shape(name="change", closed=True)
class ClauseChange:
    """A change of the meaning of a clause, or its first meaning."""

    since: Annotated[str, "the day from which the new meaning holds"]
    because: Annotated[str, "the reason"]
    source: Annotated[str, "the work with the passage that demanded it; empty if none did"]
    at: Annotated[str, "the passage"]


@shape(closed=True)
class Citation:
    """A scenario that cites a clause, or is an example of it."""

    id: Annotated[str, "the scenario"]
    title: Annotated[str, "what it shows"]
    cells: Annotated[tuple[str, ...], "the cells of the clause that it fills"]
    level: Annotated[Level, "what it demands"]
    editions: Annotated[tuple[str, ...], "the editions to which it applies; empty for all"]
    setups: Annotated[tuple[str, ...], "the set-ups to which it applies; empty for all"]
    premise: Annotated[Mapping[str, str], "the readings under which it applies"]


@shape(name="clause", closed=True)
class Clause:
    """A clause or open question with everything known of it, in one language."""

    id: Annotated[str, "its id"]
    game: Annotated[str, "the game"]
    title: Annotated[str, "the name of the game"]
    lang: Annotated[str, "the language of the texts"]
    text: Annotated[str, "its text; for an open question, the question"]
    by: Annotated[str, "the rules whose numbers its texts contain"]
    otherwise: Annotated[Mapping[str, str], "rules -> the text with their numbers, if these differ"]
    note: Annotated[str, "a remark"]
    status: Annotated[str, "`stated`, `inferred`, `silent` or `editor`; empty for an open question"]
    kind: Annotated[str, "the letter of its kind; empty for an open question"]
    testable: Annotated[str, "how it can be tested; empty for an open question"]
    code: Annotated[str, "the code of a refusal that rests only on it"]
    origins: Annotated[tuple[SourcePassage, ...], "the passages that it rests on"]
    rules: Annotated[tuple[Rule, ...], "the rules that implement it"]
    restores: Annotated[
        Mapping[str, tuple[str, ...]],
        "for each exception to an exception, the duties that bind again where it applies",
    ]
    open: Annotated[tuple[Opening, ...], "the open questions about it"]
    proofs: Annotated[tuple[Proof, ...], "the obligations about it"]
    unproved: Annotated[str, "why nothing about it needs a proof"]
    examples: Annotated[tuple[Citation, ...], "the scenarios that it names as its worked examples"]
    scenarios: Annotated[tuple[Citation, ...], "the scenarios that cite it"]
    lacks: Annotated[Mapping[str, str], "cell -> why no scenario can fill it"]
    alive: Annotated[tuple[str, ...], "mutants of these rules that nothing notices"]
    since: Annotated[str, "the day since which its meaning is known to be the same; empty without errata"]
    changes: Annotated[tuple[ClauseChange, ...], "its changes since the first index of meanings, the oldest first"]


@shape(closed=True)
class ClausesReport:
    """Clauses and open questions with all their evidence, in one language."""

    format: Literal["brou-clause/1"] = "brou-clause/1"
    lang: Annotated[str, "the language of the texts"]
    clauses: Annotated[tuple[Clause, ...], "each clause that was asked for, once"]


def resolve(name: str, project: Project) -> tuple[str, ...]:
    """Return the ids that a name stands for: itself, or all below a topic; raise `Unknown` for any other name."""
    found = _find_ids(name, project)
    if not found:
        raise _unknown(name, project)
    return found


def is_known(name: str, project: Project) -> bool:
    """Say whether a name is the id of a clause or open passage, or that of a topic."""
    return bool(_find_ids(name, project))


def _find_ids(name: str, project: Project) -> tuple[str, ...]:
    known = [id_ for game in catalogue(project) for id_ in _citable(game, project)]
    below = (id_ for id_ in known if id_.startswith(f"{name.removesuffix('.')}."))
    return (name,) if name in known else tuple(below)


def gather(id_: str, project: Project, lang: str, texts: Path | None = None) -> Clause:
    """Return everything known of a clause or open passage, its words in a language.

    `texts` is a folder with the source texts. Raises `Unknown` for an id that no game has.
    """
    return _Gathering(_game(id_, project), project, id_, lang, texts).clause()


def _game(id_: str, project: Project) -> str:
    """Return the game that a clause or open passage belongs to."""
    game = next((one for one in catalogue(project) if id_ in _citable(one, project)), None)
    if game is None:
        raise _unknown(id_, project)
    return game


def _unknown(name: str, project: Project) -> Unknown:
    known = [id_ for game in catalogue(project) for id_ in _citable(game, project)]
    return Unknown("clause", name, known, "brou show GAME")


@keep_until_changed(maxsize=16)
def _citable(game: str, project: Project) -> Mapping[str, Node]:
    return corpus.clauses(game, project)


def _text(node: Node) -> Node | None:
    """Return the text of a clause, or the question of an open passage."""
    return node.get("text") or node.get("question")


def texts_of(ids: Iterable[str], project: Project, lang: str) -> dict[str, str]:
    """Return the texts of clauses, or the questions of open passages, in a language."""
    found: dict[str, str] = {}
    for id_ in ids:
        game = _game(id_, project)
        found[id_] = _matter(spread(game, project)[0], lang).fill_text(_text(_citable(game, project)[id_]))
    return found


def _list_changes(errata: Errata, id_: str) -> Iterator[ClauseChange]:
    """Yield what the errata tell of a clause."""
    for entry in errata.tell_history(id_):
        source, at = (entry.passage.source, entry.passage.at) if entry.passage else ("", "")
        yield ClauseChange(since=entry.since, because=" ".join(entry.because.split()), source=source, at=at)


class _Gathering:
    def __init__(self, game: str, project: Project, id_: str, lang: str, texts: Path | None) -> None:
        self.game, self.project, self.id, self.lang, self.texts = game, project, id_, lang, texts
        self.node = _citable(game, project)[id_]
        self.book = book(game, project)
        if not isinstance(self.book.maker, Variants):
            raise _unknown(id_, project)
        self.volume = self.book.maker.volume
        #: The addresses of the rules that carry the clause out.
        self.paths = tuple("/".join(path) for path in _citing(self.book.rules, id_, ()))
        self.choices = spread(game, project)
        carried = (one for one in self.choices if id_ in _find_cited(one))
        self.choice = next(carried, self.choices[0])
        self.matter = _matter(self.choice, lang)

    def clause(self) -> Clause:
        text = _text(self.node)
        errata = find_errata(self.project)
        changes = () if errata is None else tuple(_list_changes(errata, self.id))
        index = "" if errata is None else errata.index
        return Clause(
            id=self.id,
            game=self.game,
            title=self.matter.title,
            lang=self.lang,
            text=self.matter.fill_text(text),
            by=str(self.choice),
            otherwise=self._otherwise(text),
            note=self.matter.fill_text(self.node.get("note")),
            status=self.node.string("status"),
            kind=self.node.string("kind"),
            testable=self.node.string("testable"),
            code=self.node.string("code"),
            origins=tuple(self._origins()),
            rules=tuple(quote_clause(self.volume, self.project, self.id)),
            restores=self._restores(),
            open=tuple(self._open()),
            proofs=tuple(self._proofs()),
            unproved=obligations(self.game, self.project).exempt.get(self.id, ""),
            examples=tuple(self._examples()),
            scenarios=tuple(self._scenarios()),
            lacks=self._lacks(),
            alive=tuple(self._alive()),
            since=changes[-1].since if changes else index,
            changes=changes,
        )

    def _otherwise(self, text: Node | None) -> dict[str, str]:
        """Return the text under rules that give it other numbers."""
        if text is None or not any(find_slots(item.text) for item in text.fields.values()):
            return {}
        own = self.matter.fill_text(text)
        told = {str(choice): _matter(choice, self.lang).fill_text(text) for choice in self.choices}
        return {name: said for name, said in told.items() if said != own}

    # Sources --------------------------------------------------------------------

    def _origins(self) -> Iterator[SourcePassage]:
        anchors = self.node.get("anchors")
        if anchors is not None:
            for anchor in anchors.items:
                yield self._origin(anchor.string("source"), anchor.string("at"), anchor.string("part"))
            return
        passages = self.node.get("passages")
        for item in () if passages is None else passages.items:
            for source in self._works:
                if item.text in _places(source, self.project):
                    yield self._origin(source, item.text, "")

    @property
    def _works(self) -> list[str]:
        """Return the works that the clauses of the game rest on."""
        anchored = (
            anchor.string("source")
            for clause in self.matter.clauses.values()
            for anchor in clause.fields["anchors"].items
        )
        return list(dict.fromkeys(anchored))

    def _origin(self, source: str, at: str, part: str) -> SourcePassage:
        work = self.matter.works[source]
        passage = _places(source, self.project).get(at)
        original = work.get("original")
        year = "" if original is None else original.string("year")
        return SourcePassage(
            source=source,
            title=work.string("title"),
            author=work.string("author"),
            year=year or work.string("revised") or work.string("published"),
            at=at,
            place=self.matter.place(at if passage is None else passage.string("at")),
            part=part,
            sha256="" if passage is None else passage.string("sha256"),
            words="" if self.texts is None else quote_passage(source, at, part, self.texts, self.project),
        )

    # Rules ----------------------------------------------------------------------

    def _restores(self) -> dict[str, tuple[str, ...]]:
        """Return the duties that each of its exceptions of an exception restores."""
        form = find_stated(self.volume, self.id)
        return {} if form is None else {one.label: one.duties for one in find_restored(self.volume, form)}

    def _touches(self, patch: Patch) -> bool:
        """Say whether a patch changes a rule that cites the clause, or puts such a rule in."""
        at = patch.path
        own = any(at == path or at.startswith(f"{path}/") for path in self.paths)
        return own or any(_citing(patch.node, self.id, patch.at))

    def _open(self) -> Iterator[Opening]:
        for entry in _entries(self.game, self.project):
            reading = self.book.readings.get(entry.key or "")
            touching = (
                []
                if reading is None
                else [patch for patches in reading.values.values() for patch in patches if self._touches(patch)]
            )
            number = None if reading is None else reading.number
            numbered = number is not None and number[2].rpartition("/")[0] in self.paths
            if self.id in (entry.id, *entry.clauses) or touching or numbered:
                yield self._opening(entry)

    def _opening(self, entry: RegisterEntry) -> Opening:
        node = self.matter.questions[entry.id]
        reading = self.book.readings.get(entry.key or "")
        listed = node.get("readings")
        texts = {} if listed is None else listed.fields
        values = tuple(
            Value(
                value=one.value,
                name=self.matter.fill_text(texts[one.value].get("name")),
                argument=self.matter.fill_text(texts[one.value].get("argument")),
                confidence=one.confidence or "",
                editions=tuple(edition for edition, value in entry.default.items() if value == one.value),
                changes=tuple(quote_reading(self.project, by_key(self.volume)[entry.id], one.value)),
            )
            for one in entry.readings
        )
        return Opening(
            id=entry.id,
            treatment=entry.treatment,
            key=entry.key or "",
            title=self.matter.fill_text(node.get("title")),
            question=self.matter.fill_text(node.get("question")),
            decision=self.matter.fill_text(node.get("decision")),
            number="" if (counted := node.get("number")) is None else self.matter.fill_text(counted.get("name")),
            bounds=None if reading is None or reading.number is None else reading.number[:2],
            values=values,
            defaults=entry.default,
            frequency=entry.frequency or (),
        )

    # Evidence -------------------------------------------------------------------

    def _proofs(self) -> Iterator[Proof]:
        for one in obligations(self.game, self.project).obligations:
            if self.id in one.clauses:
                place = one.place
                yield Proof(
                    id=one.id, kind=one.kind, says=one.says, expect=one.expect, file=place.file, line=place.line
                )

    def _examples(self) -> Iterator[Citation]:
        """Yield the worked examples of the clause, in the order in which it names them."""
        form = find_stated(self.volume, self.id)
        if form is None:
            return
        known = {one.id: one for one in corpus.scenarios(self.game, self.project)}
        for example in form.examples:
            if (one := known.get(self.volume.frame.spell_id(example))) is not None:
                yield self._cite(one)

    def _scenarios(self) -> Iterator[Citation]:
        return (self._cite(one) for one in corpus.scenarios(self.game, self.project) if self.id in one.cells)

    def _cite(self, one: Scenario) -> Citation:
        return Citation(
            id=one.id,
            title=corpus.translate(one, self.matter.lang, self.project).title,
            cells=one.cells.get(self.id, ()),
            level=one.level,
            editions=one.editions,
            setups=one.setups,
            premise=one.premise,
        )

    def _lacks(self) -> dict[str, str]:
        row = next((row for row in _coverage(self.game, self.project) if row.clause == self.id), None)
        lacks = self.node.get("lacks")
        if row is None or lacks is None:
            return {}
        return {cell: self.matter.fill_text(lacks.fields[cell]) for cell in row.lacking}

    def _alive(self) -> Iterator[str]:
        scores = read_scores(self.game, self.project)
        for mutant in () if scores is None else scores.alive:
            address = mutant.partition(":")[2].partition("#")[0]
            if any(address == path or address.startswith(f"{path}/") for path in self.paths):
                yield mutant


# Where things stand --------------------------------------------------------------


@keep_until_changed(maxsize=64)
def _find_cited(choice: Choice) -> frozenset[str]:
    """Return the clauses that records of the rules of a choice cite."""
    return frozenset(_list_cited(patch_rules(choice)))


def _list_cited(node: Node) -> Iterator[str]:
    """Yield the clause of each record below a node that cites one."""
    if isinstance(node.value, dict):
        cited = node.value.get("clause")
        if cited is not None and isinstance(cited.value, str):
            yield cited.value
        for member in node.value.values():
            yield from _list_cited(member)
    elif isinstance(node.value, tuple):
        for item in node.value:
            yield from _list_cited(item)


def _citing(node: Node, clause: str, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the address of each record below a node that cites a clause."""
    if isinstance(node.value, dict):
        cited = node.value.get("clause")
        if cited is not None and cited.value == clause:
            yield path
        for key, member in node.value.items():
            yield from _citing(member, clause, (*path, key))
    elif isinstance(node.value, tuple):
        for number, item in enumerate(node.value, 1):
            yield from _citing(item, clause, (*path, _step(item, number)))


def _step(item: Node, number: int) -> str:
    """Return the name of a list's member in an address."""
    return (find_id(item) if isinstance(item.value, dict) else "") or str(number)


@keep_until_changed(maxsize=64)
def _matter(choice: Choice, lang: str) -> Matter:
    return Matter(choice, lang)


@keep_until_changed(maxsize=8)
def _entries(game: str, project: Project) -> tuple[RegisterEntry, ...]:
    return tuple(entries(game, project))


@keep_until_changed(maxsize=8)
def _coverage(game: str, project: Project) -> tuple[CoverageRow, ...]:
    return coverage(game, project, project).rows


@keep_until_changed(maxsize=16)
def _places(source: str, project: Project) -> Mapping[str, Node]:
    """Return the passages of a work by id."""
    passages = read_works(project)[source].get("passages")
    return {} if passages is None else {item.string("id"): item for item in passages.items}
