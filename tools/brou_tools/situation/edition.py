"""The data of a rulebook: one edition in one language, read and in the order of its chapters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from brou import (
    Choice,
    Fault,
    Game,
    Invalid,
    Malformed,
    Node,
    Project,
    Unknown,
    Words,
    book,
    choose,
    choose_text,
    keep_until_changed,
    patch_rules,
    prose,
    render,
    root,
    rules,
    shape_faults,
)
from brou.chapters import Variants
from brou.games import has_file, read_file, read_section
from brou.interpreter import Evaluator
from brou.reasons import Reasoner
from brou.words import read_sentences
from brou_tools.options.agreed import letter_answers
from brou_tools.situation import BOOKS_PART, BOOKS_WORDS

_FILE = "book.yaml"
_STRAIGHT = re.compile(r'"([^"]*)"')


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: its title, the clauses group by group, and the examples that close it."""

    id: str
    title: Node
    clauses: tuple[str, ...]
    examples: tuple[tuple[str, Node], ...]
    #: Decision tables of the rules that are printed, with their titles.
    tables: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule comes from: the work and the passage."""

    work: Node
    place: str


_SOURCES = "sources.yaml"
#: How questions are treated that the text does not settle.
_UNDECIDED = ("VAR", "OPEN")


class Matter:
    """The data of an edition as a book in one language needs it."""

    def __init__(self, choice: Choice, lang: str, *, agreed: bool = False) -> None:
        self.choice = choice
        self.lang = lang
        #: Whether a table has agreed on these rules, so that its book leaves no question open.
        self.agreed = agreed
        self.game: Game = rules(choice)
        self.words = Words(self.game, lang, choice.project)
        self.book = book(choice.game, choice.project)
        self.clauses = self._members("clauses")
        self.questions = self._members("ambiguities")
        self.layout = _layout(choice.game, choice.project)

    def _members(self, name: str) -> Mapping[str, Node]:
        return read_section(self.choice.game, name, self.choice.project.data).fields

    @cached_property
    def reasoner(self) -> Reasoner:
        """Return the reasoner for conditions."""
        return Reasoner(Evaluator(self.game))

    @cached_property
    def exceptions(self) -> frozenset[str]:
        """Return the functions of the rules that are exceptions of duties."""
        return frozenset(name for name, function in self.game.functions.items() if function.exception)

    # Words ----------------------------------------------------------------------

    def say(self, name: str, **parts: str) -> str:
        """Return words of the book itself."""
        return self.set(self._find(name).format(**parts))

    def _find(self, name: str) -> str:
        return choose_text(read_sentences(BOOKS_WORDS, BOOKS_PART, self.choice.project).fields[name], self.lang)

    def set(self, words: str) -> str:
        """Return words as the language prints them, quotation marks included."""
        marks, space = self._find("quotes"), self._find("apart")
        quoted = _STRAIGHT.sub(lambda match: f"{marks[0]}{space}{match[1]}{space}{marks[-1]}", words)
        return self.words.typeset(quoted)

    def fill_text(self, node: Node | None) -> str:
        """Return a text of the data with its numbers; nothing where there is none."""
        return "" if node is None else self.set(prose(node, self.game, self.lang, self.choice.project))

    def fill_template(self, template: str, game: Game | None = None) -> str:
        """Return a template with the numbers of a game."""
        return self.set(render(template, game or self.game, self.lang, self.choice.project))

    def readings(self, question: str) -> Mapping[str, str]:
        """Return the letters of the readings of a question by their names in the data."""
        return letter_answers(self.questions[question])

    @property
    def title(self) -> str:
        """Return the name of the game."""
        return self.fill_text(self.book.rules.fields["title"])

    @property
    def edition(self) -> str:
        """Return the name of the edition."""
        return self.fill_text(self._edition.get("title")) or self.choice.edition

    @cached_property
    def _edition(self) -> Node:
        return self._members("editions")[self.choice.edition]

    @property
    def setups(self) -> Mapping[str, Node]:
        """Return the set-ups of the edition as its file has them."""
        return self._edition.fields["setups"].fields

    def choose_setup(self, name: str, edition: str = "") -> Choice:
        """Return the rules of a set-up of this edition, or of another."""
        return choose(f"{self.choice.game}@{edition or self.choice.edition}:{name}", self.choice.project)

    def setup(self, name: str) -> str:
        """Return the name of a set-up."""
        seats = rules(self.choose_setup(name)).seats
        return self.fill_text(self.setups[name].get("title")) or self.say("many", number=self.words.number(seats))

    @property
    def parent(self) -> str:
        """Return the edition that this one inherits its rules from, if it has rules of its own beside; else nothing."""
        first = next(iter(self.book.editions))
        return first if first != self.choice.edition and self.choice.edition in self._groups else ""

    @cached_property
    def replaced(self) -> Mapping[str, tuple[str, ...]]:
        """Return, by clause that the edition inherits, the clauses of its own that replace it."""
        if not self.parent:
            return {}
        inherited = rules(choose(f"{self.choice.game}@{self.parent}", self.choice.project))
        pairs = ((inherited.functions, self.game.functions), (inherited.params, self.game.params))
        found: dict[str, dict[str, None]] = {}
        for there, here in pairs:
            for name in there.keys() & here.keys():
                old, new = there[name].clause, here[name].clause
                if old != new and new in self.printed:
                    found.setdefault(old, {})[new] = None
        for old, new in self._seatings():
            if old != new and new in self.printed:
                found.setdefault(old, {})[new] = None
        return {old: tuple(sorted(new)) for old, new in found.items()}

    def _seatings(self) -> Iterator[tuple[str, str]]:
        """Yield by which clauses as many play in the edition inherited from and in this one, with other cards."""
        for name in self.setups.keys() & set(self.book.editions[self.parent].setups):
            pair = [
                choose(f"{self.choice.game}@{edition}:{name}", self.choice.project)
                for edition in (self.parent, self.choice.edition)
            ]
            if rules(pair[0]).deck.cards != rules(pair[1]).deck.cards:
                old, new = (patch_rules(choice).fields["seating"].string("clause") for choice in pair)
                yield old, new

    @property
    def _groups(self) -> frozenset[str]:
        return frozenset(id_.split(".")[1] for id_ in self.clauses)

    # Order ----------------------------------------------------------------------

    @cached_property
    def placed(self) -> Sequence[tuple[Node, Sequence[str]]]:
        """Return the chapters of the layout, each with the clauses of all editions in it, in the order of its groups.

        Raise `Invalid` where a clause is in none.
        """
        parts: dict[str, str] = {}
        nodes = self.layout.fields["chapters"].items
        for node in nodes:
            parts |= {part.text: node.string("id") for part in node.fields["groups"].items}
        order = list(parts)
        placed: dict[str, list[tuple[int, str]]] = {node.string("id"): [] for node in nodes}
        for id_, clause in self.clauses.items():
            part = id_.partition(".")[2]
            group = part if part in parts else part.rpartition(".")[0]
            if group not in parts:
                raise Invalid([Fault(clause.place, f"{id_} is in no chapter", f"name its group in {_FILE}")])
            placed[parts[group]].append((order.index(group), id_))
        return [(node, [id_ for _, id_ in _sort_by_group(placed[node.string("id")])]) for node in nodes]

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """Return the chapters that this edition has."""
        found = (self._chapter(node, placed) for node, placed in self.placed)
        return tuple(chapter for chapter in found if chapter.clauses)

    def _chapter(self, node: Node, placed: Sequence[str]) -> Chapter:
        others = self.book.editions.keys() - {self.choice.edition}
        clauses = tuple(id_ for id_ in placed if id_.split(".")[1] not in others)
        examples, tables = _list_titles(node, "examples", "scenario"), _list_titles(node, "tables", "table")
        return Chapter(node.string("id"), node.fields["title"], clauses, examples, tables)

    @cached_property
    def printed(self) -> frozenset[str]:
        """Return the ids of all clauses in the book."""
        return frozenset(id_ for chapter in self.chapters for id_ in chapter.clauses)

    def list_questions(self, clause: str) -> Iterator[str]:
        """Yield the open questions that a clause is part of."""
        for id_ in self.open:
            if any(item.text == clause for item in self.questions[id_].fields["clauses"].items):
                yield id_

    @cached_property
    def open(self) -> tuple[str, ...]:
        """Return the questions that the book asks: those of the edition, unless a table has agreed on its rules."""
        return () if self.agreed else self.questions_of_edition

    @cached_property
    def questions_of_edition(self) -> tuple[str, ...]:
        """Return what the text leaves open in this edition: nothing about clauses or readings that only others have."""
        return tuple(
            id_
            for id_, node in self.questions.items()
            if node.string("treatment") in _UNDECIDED
            and any(item.text in self.printed for item in node.fields["clauses"].items)
            and not self._foreign(id_)
            and not self._foreign(id_.rpartition(".")[0])
        )

    def _foreign(self, id_: str) -> bool:
        """Say whether a question has readings of which this edition knows none."""
        node = self.questions.get(id_)
        return node is not None and node.string("treatment") == "VAR" and node.string("key") not in self._keys

    @cached_property
    def _keys(self) -> frozenset[str]:
        choices = (
            choose(f"{self.choice.game}@{self.choice.edition}:{name}", self.choice.project) for name in self.setups
        )
        return frozenset(key for choice in choices for key, _ in choice.readings)

    def home(self, question: str) -> str:
        """Return the chapter in which the book has a question; nothing if it does not ask it."""
        asked = not self.agreed or self.questions[question].string("treatment") not in _UNDECIDED
        return self.find_chapter(question) if asked else ""

    def find_chapter(self, question: str) -> str:
        """Return the chapter of the first clause of a question that is in the book; else nothing."""
        for item in self.questions[question].fields["clauses"].items:
            for chapter in self.chapters:
                if item.text in chapter.clauses:
                    return chapter.id
        return ""

    @property
    def summary(self) -> tuple[str, ...]:
        """Return the clauses on the page for the table, as far as this edition has them."""
        prefix = next(iter(self.clauses)).split(".")[0]
        wanted = [f"{prefix}.{item.text}" for item in self.layout.fields["summary"].items]
        unknown = [id_ for id_ in wanted if id_ not in self.clauses]
        if unknown:
            raise Unknown("clause", unknown[0], self.clauses)
        return tuple(id_ for id_ in wanted if id_ in self.printed)

    @property
    def summary_tables(self) -> tuple[tuple[str, Node], ...]:
        """Return the tables on the page for the table, which a chapter has too, with their titles."""
        named = self.layout.get("summary_tables")
        wanted = [] if named is None else [item.text for item in named.items]
        known = {name: title for chapter in self.chapters for name, title in chapter.tables}
        return tuple((name, known[name]) for name in wanted if name in known)

    # Sources --------------------------------------------------------------------

    @property
    def works(self) -> Mapping[str, Node]:
        """Return all works by id."""
        return read_works(self.choice.project)

    def sources(self, clause: str) -> Iterator[Source]:
        """Yield where a clause comes from."""
        for anchor in self.clauses[clause].fields["anchors"].items:
            work = self.works[anchor.string("source")]
            places = {item.string("id"): item.string("at") for item in work.fields["passages"].items}
            yield Source(work, self.place(places.get(anchor.string("at"), anchor.string("at"))))

    def place(self, at: str) -> str:
        """Return a passage as people cite it."""
        said = [
            (r"^intro\b", self.say("introduction")),
            (r"^title\b", self.say("what")),
            (r"^s\.(\S+)", r"§ \1"),
            (r"^l\.(\d+)", self.say("line", number=r"\1")),
            (r"\btable (\d+)", ", " + self.say("table_place", number=r"\1")),
            (r" C\b", f", {self.say('comment')}"),
            (r" p(\d+)$", ", ¶ \\1"),
        ]
        for pattern, instead in said:
            at = re.sub(pattern, instead, at)
        return re.sub(r"\s+,", ",", at)


def is_in(clause: str, part: str) -> bool:
    """Say whether a part of ids is the group of a clause, or the one clause itself."""
    own = clause.partition(".")[2]
    return part in (own, own.rpartition(".")[0])


def _sort_by_group(placed: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return clauses in the order of their groups, those of a group in the order of their file."""
    return sorted(placed, key=lambda item: item[0])


def _list_titles(node: Node, key: str, name: str) -> tuple[tuple[str, Node], ...]:
    listed = node.get(key)
    return () if listed is None else tuple((item.string(name), item.fields["title"]) for item in listed.items)


@keep_until_changed(maxsize=8)
def read_works(project: Project) -> Mapping[str, Node]:
    """Return all works of `sources.yaml` by id; a project without that file has those of the house."""
    node = read_file(project.data if has_file(project.data, _SOURCES) else root(), _SOURCES)
    return {item.string("id"): item for item in node.fields["works"].items}


def _layout(game: str, project: Project) -> Node:
    """Return how the book of a game is laid out; without a file of its own, as its chapters are, with all clauses."""
    name = f"games/{game}/{_FILE}"
    if not has_file(project.data, name):
        return _lay_out_chapters(game, project)
    node = read_file(project.data, name)
    faults = list(shape_faults(node, root() / "schemas" / "book.schema.json"))
    if faults:
        raise Malformed(faults)
    return node


def _lay_out_chapters(game: str, project: Project) -> Node:
    """Return a layout with the chapters of a game; raise `Unknown` for rules in one file, which have none."""
    maker = book(game, project).maker
    if not isinstance(maker, Variants):
        raise Unknown("rulebook", game, sorted(item.parent.name for item in project.data.glob(f"games/*/{_FILE}")))
    volume = maker.volume

    def write(value: object) -> Node:
        if isinstance(value, dict):
            return Node({key: write(member) for key, member in value.items()}, volume.frame.title.place)
        members = tuple(map(write, value)) if isinstance(value, list) else str(value)
        return Node(members, volume.frame.title.place)

    chapters = [
        {
            "id": chapter.chapter,
            "title": {volume.texts.find_language(chapter.title): chapter.title},
            "groups": [clause.clause for clause in chapter.clauses],
        }
        for chapter in volume.chapters
        if chapter.clauses
    ]
    summary = [clause.clause for clause in volume.clauses()]
    return write({"game": game, "chapters": chapters, "summary": summary})
