"""The doctree of a rulebook: title, contents, chapters of rules, then the parts for reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from docutils import nodes
from docutils.utils import new_document

from brou import Choice, Node, choose, choose_text, identity, rules
from brou.language import Attribute
from brou_tools.documents.nodes import (
    RUN_IN,
    emphasis,
    leaf,
    locate,
    make_citation,
    make_gallery,
    make_list,
    note,
    paragraph,
    rule,
    section,
    set_beside,
    strong,
    table,
    text,
    together,
)
from brou_tools.rulebook.agreement import list_agreed, list_questions
from brou_tools.rulebook.conditions import PrintedRow, lines
from brou_tools.rulebook.players import read_players
from brou_tools.rulebook.questions import Questions
from brou_tools.rulebook.signposts import Signposts
from brou_tools.rulebook.terms import TermEntry, TermLinks, sort_letters
from brou_tools.situation.edition import Chapter, Matter
from brou_tools.situation.panels import Boxes, upper
from brou_tools.situation.since import list_changes
from brou_tools.situation.written import WrittenRules
from brou_tools.terminal.heap import keep_garbage

#: How wide a card is in an order of cards, in millimetres.
_CARD = 14.0
#: How many cards the title shows, from the highest down.
_SHOWN = 5
#: What a rule is unless its note says otherwise: stated in its source.
_USUAL = "stated"
#: Up to how many letters a result fits in a narrow column.
_SHORT = 16


def compose(
    choice: Choice, lang: str, date: str = "", *, annotated: bool = False, agreed: bool = False
) -> nodes.document:
    """Return the rulebook of an edition in a language; the date is printed if there is one.

    An annotated one sets beside each rule and each reading how the chapters write it. Where a table has agreed on the
    rules, a list of its answers stands in place of the questions.
    """
    with keep_garbage():
        return _Composer(choice, lang, annotated=annotated, agreed=agreed).document(date)


class _Composer:
    def __init__(self, choice: Choice, lang: str, *, annotated: bool, agreed: bool) -> None:
        self.matter = Matter(choice, lang, agreed=agreed)
        self.boxes = Boxes(self.matter)
        self.chapters = WrittenRules(choice.game, choice.project) if annotated else None
        self.questions = Questions(self.matter, self.boxes, self.chapters)
        self.terms = TermLinks(self.matter)
        self.say = self.matter.say
        #: The numbers of articles, by the ids of their rules: that of the chapter and that in it.
        self.numbers = {
            id_: f"{number}.{place}"
            for number, chapter in enumerate(self.matter.chapters, 1)
            for place, id_ in enumerate(chapter.clauses, 1)
        }
        data = read_players(choice.game, choice.project)
        self.agree = None if data is None else data.get("agree")
        self.signposts = Signposts(self.matter, self.numbers, self.agree)

    def document(self, date: str) -> nodes.document:
        found = new_document("rulebook")
        matter = self.matter
        found.attributes |= {
            "title": matter.title,
            "subtitle": matter.edition,
            "lang": matter.lang,
            "running": self.say("rules_of"),
            "contents": self.say("contents"),
            "page": self.say("page_word"),
            "date": date,
        }
        found += self._title()
        found += leaf("", kind="contents")
        found += self._about()
        for chapter in matter.chapters:
            found += self._chapter(chapter)
        found.extend(part for part in self._after(date) if part is not None)
        return found

    def _title(self) -> nodes.Element:
        deck = self.matter.game.deck
        suit = [card for card in deck.faces if card[1:] == next(iter(deck.suits))]
        high = sorted(suit, key=self._rank, reverse=True)[:_SHOWN]
        drawn = self.boxes.pictures.cards(high, width=_CARD * 1.4)
        parts = [
            nodes.title(text=self.matter.title),
            nodes.subtitle(text=self.matter.edition),
            paragraph(self.say("rules_of"), classes=["kind"]),
        ]
        return leaf("", *parts, drawn, kind="title")

    def _rank(self, card: str) -> int:
        """Return how high a card is by the first attribute that ranks a whole suit; all alike where none does."""
        for attribute in self.matter.game.attributes.values():
            if any(len(set(values.values())) == len(values) > 2 for _, values in self._alike(attribute)):
                return attribute.values[card]
        return 0

    def _about(self) -> nodes.section:
        asked = () if self.matter.agreed else ("about_open",)
        names = ("about_rules", *asked, "about_examples", *(("about_written",) if self.chapters else ()))
        told = [paragraph(self.say(name)) for name in names]
        if letters := self._list_letters():
            told.append(paragraph(self.say("about_letters", letters=letters)))
        if self.matter.parent:
            told.insert(0, paragraph(self.say("partial", edition=self.matter.parent)))
        return section("about", self.say("about"), *told)

    def _list_letters(self) -> str:
        """Return the letters in the corners of cards with their ranks; nothing where there are numbers alone."""
        words, lang = self.matter.words.glossary, self.matter.lang
        ranks = dict.fromkeys(card[0] for card in self.matter.game.deck.cards)
        indexes = {rank: words.index(rank, lang) for rank in ranks}
        return ", ".join(f"{index} {words.rank(rank, lang)}" for rank, index in indexes.items() if index.isalpha())

    # Chapters -------------------------------------------------------------------

    def _chapter(self, chapter: Chapter) -> nodes.section:
        found = section(chapter.id, self.matter.fill_text(chapter.title))
        for id_ in chapter.clauses:
            found += self._annotate(id_, self._rule(id_))
            found.extend(self._attributes(id_))
        if chapter is self.matter.chapters[0]:
            found.extend(self._setups())
        for name, title in chapter.tables:
            found.extend(self._table(name, title))
        for name, title in chapter.examples:
            example = self.boxes.example(name, title)
            if example is not None:
                found += example
        found.extend(self.questions.question(id_) for id_ in self._questions(chapter.id))
        return found

    def _questions(self, chapter: str) -> Iterator[str]:
        yield from (id_ for id_ in self.matter.open if self.matter.home(id_) == chapter)

    def _rule(self, id_: str) -> rule:
        clause = self.matter.clauses[id_]
        said = self.terms.add_links(self.matter.fill_text(clause.fields["text"]))
        questions = [
            locate(one.id, f"{'→' if one.settled else '?'} {one.name}") for one in self.signposts.list_pointers(id_)
        ]
        article = (strong(self.numbers[id_]), text(RUN_IN))
        return rule("", *article, *said, self._note(id_), *self._instead(id_), clause=id_, questions=questions)

    def _annotate(self, id_: str, said: nodes.Element) -> nodes.Element:
        """Return a rule; an annotated book shows the lines of its chapter beside it."""
        written = () if self.chapters is None else self.chapters.of_clause(id_, self._here)
        return set_beside([said], written) if written else said

    def _instead(self, id_: str) -> Sequence[nodes.Node]:
        """Return the citations of this edition's own clauses that replace an inherited rule."""
        own = [part for one in self.matter.replaced.get(id_, ()) for part in (text(" "), make_citation(one))]
        return [text(" "), emphasis(self.say("replaced_by")), *own] if own else []

    def _note(self, id_: str) -> note:
        """Return where a rule comes from, and how sure that is."""
        clause = self.matter.clauses[id_]
        cited_: dict[str, list[str]] = {}
        for source in self.matter.sources(id_):
            cited_.setdefault(self._short(source.work), []).append(source.place)
        told = self.matter.words.frame("and").join(f"{work}, {self._places(places)}" for work, places in cited_.items())
        status = clause.string("status")
        if status != _USUAL:
            told = self.matter.words.frame("is", what=told, value=self.matter.words.name("statuses", status))
        comment = self.matter.fill_text(clause.get("note"))
        parts = [text(f"{told}.")]
        if comment:
            parts.append(text(f" {comment}"))
        return note("", "", *parts)

    def _places(self, places: Iterable[str]) -> str:
        """Return passages for a note: their common part is written once, runs by first and last."""
        groups: dict[str, list[str]] = {}
        for place in dict.fromkeys(places):
            head, _, last = place.rpartition(" ")
            groups.setdefault(head, []).append(last)
        told = ((self._several(head, len(last)), _runs(last)) for head, last in groups.items())
        return self.matter.words.frame("and").join(f"{head} {last}".strip() for head, last in told)

    def _several(self, head: str, many: int) -> str:
        """Return the head of passage numbers: the word for several lines if there is more than one."""
        one, more = (self.say(word, number="").strip() for word in ("line", "lines"))
        return more if head == one and many > 1 else head

    def _short(self, work: Node) -> str:
        """Return a work as a note cites it: author, title, its own year, never that of the book that it rests on."""
        year = work.string("revised") or work.string("published")
        name = f"{work.string('author')}, {work.string('title')}"
        return self.matter.set(f"{name} ({year[:4]})" if year else name)

    # Tables and pictures of the data ---------------------------------------------

    def _attributes(self, clause: str, *, away: bool = False) -> Iterator[nodes.Node]:
        """Yield the drawn card attributes of a clause; away from it the pictures name it."""
        for attribute in self.matter.game.attributes.values():
            if attribute.clause == clause:
                yield from self._attribute(attribute, clause if away else "")

    def _attribute(self, attribute: Attribute, clause: str) -> Iterator[nodes.Node]:
        """Yield an order of cards as cards, values as a table; suits that are alike together."""
        groups = self._alike(attribute)
        orders = [group for group in groups if len(set(group[1].values())) == len(group[1]) > 2]
        drawn = self.matter.layout.get("orders")
        chosen = "" if drawn is None else drawn.string(attribute.id)
        for suits, values in orders:
            cards = sorted((rank + (chosen or suits[0]) for rank in values), key=lambda card: -values[card[0]])
            named = ", ".join(self.matter.words.glossary.suit(suit, self.matter.lang) for suit in suits)
            every = len(suits) == len(self.matter.game.deck.suits)
            said = self.say("order") if every else self.say("of_suits", order=self.say("order"), suits=named)
            said = self.say("of_suits", order=said, suits=clause) if clause else said
            yield together("", make_gallery([self.boxes.pictures.cards(cards, said, _CARD)], 1))
        for suits, values in groups:
            if (suits, values) not in orders:
                yield self._values(values)

    def _alike(self, attribute: Attribute) -> list[tuple[tuple[str, ...], Mapping[str, int]]]:
        deck = self.matter.game.deck
        found: list[tuple[tuple[str, ...], Mapping[str, int]]] = []
        for suit in deck.suits:
            values = {card[0]: attribute.values[card] for card in deck.faces if card[1:] == suit}
            for number, (suits, known) in enumerate(found):
                if all(known.get(rank, value) == value for rank, value in values.items()):
                    longer = known if len(known) >= len(values) else values
                    found[number] = ((*suits, suit), longer)
                    break
            else:
                found.append(((suit,), values))
        return [(tuple(sorted(suits, key=lambda s: -self._holds(s))), values) for suits, values in found]

    def _holds(self, suit: str) -> int:
        return sum(card[1:] == suit for card in self.matter.game.deck.faces)

    def _values(self, values: Mapping[str, int]) -> nodes.Node:
        words = self.matter.words
        ordered = sorted(values, key=lambda rank: -values[rank])
        head = [words.glossary.index(rank, self.matter.lang) for rank in ordered]
        row = [words.number(values[rank]) for rank in ordered]
        return table(head, [row], [1] * len(row))

    def _table(self, name: str, title: Node, *, cite: bool = True) -> Iterator[nodes.Node]:
        """Yield a decision table in words, with the clause of each row unless told not to."""
        record = self.matter.game.tables.get(name)
        found = () if record is None else lines(record, self.matter)
        if record is None or not found:
            return
        columns = 3 if cite else 2
        rows = [self._cells(line)[:columns] for line in found]
        first = record.policy == "first" and len(found) > 1
        named = ("table_when", "table_then") if first else ("table_case", "table_value")
        head = [self.say(word) for word in (*named, "table_rule")][:columns]
        shown = self.matter.fill_text(title)
        told = f"{shown}. {self.say('table_first')}" if first else shown
        widths = [6, 2, 3] if max(len(line.then) for line in found) <= _SHORT else [5, 3, 2]
        yield table(head, rows, widths[:columns], title=told)

    def _cells(self, line: PrintedRow) -> list[nodes.Node | str]:
        clause = paragraph(make_citation(line.clause, here=self._here(line.clause)))
        return [upper(line.when), upper(line.then), clause]

    def _here(self, id_: str) -> bool:
        return id_ in self.matter.printed or (id_ in self.matter.questions and bool(self.matter.home(id_)))

    def _setups(self) -> Iterator[nodes.Node]:
        if len(self.matter.setups) < 2:
            return
        rows = []
        for name in self.matter.setups:
            game = rules(
                choose(f"{self.matter.choice.game}@{self.matter.choice.edition}:{name}", self.matter.choice.project)
            )
            sides = ["+".join(map(str, team)) for team in game.teams if len(team) > 1]
            told = ", ".join(sides) or self.say("alone")
            rows.append([upper(self.matter.setup(name)), str(game.seats), str(len(game.deck.cards)), told])
        head = [self.say(word) for word in ("setup", "players", "cards_in_pack", "teams")]
        yield table(head, rows, [4, 2, 2, 3], title=self.say("setups"))

    # After the rules -----------------------------------------------------------------

    def _after(self, date: str) -> Iterator[nodes.Node | None]:
        yield self._list_agreed()
        yield self._since()
        yield self._list_settled()
        yield self._glossary()
        yield self.signposts.make_index()
        yield self._sources()
        yield self._colophon(date)
        yield self._summary()

    def _list_agreed(self) -> nodes.Node | None:
        """Return the answers of a table; nothing in the book of an edition, which asks its questions."""
        if not self.matter.agreed:
            return None
        questions = list_questions(self.matter, self.agree)
        return section("agreed", self.say("agreed"), *list_agreed(self.matter, questions))

    def _since(self) -> nodes.Node | None:
        since = list_changes(self.matter)
        if since is None:
            return None
        other, points = since
        head = [self.say("what"), other.title, self.matter.title]
        named = f"{other.title} ({other.choice.edition})"
        return section("since", self.say("since", title=named), table(head, points, [5, 3, 3]))

    def _list_settled(self) -> nodes.Node | None:
        items = []
        for id_, node in self.matter.questions.items():
            if node.string("treatment") != "FIX" or not self.matter.home(id_):
                continue
            head = paragraph(strong(self.matter.fill_text(node.fields["question"])), text(" "), make_citation(id_))
            items.append(
                together(
                    "", head, paragraph(self.matter.fill_text(node.get("decision")), classes=["answer"]), ids=[id_]
                )
            )
        return section("settled", self.say("settled"), *items) if items else None

    def _summary(self) -> nodes.Node:
        told = [
            [
                paragraph(
                    self.matter.fill_text(self.matter.clauses[id_].fields["text"]),
                    *self._instead(id_),
                    text(" "),
                    make_citation(id_),
                )
            ]
            for id_ in self.matter.summary
        ]
        drawn = [part for id_ in self.matter.summary for part in self._attributes(id_, away=True)]
        drawn += [part for name, title in self.matter.summary_tables for part in self._table(name, title, cite=False)]
        return leaf("", section("summary", self.say("summary"), make_list(told), *drawn), kind="summary")

    def _glossary(self) -> nodes.Node:
        entries = [(choose_text(entry.word, self.matter.lang), entry) for entry in self.terms.entries]
        ordered = sorted(entries, key=lambda entry: sort_letters(entry[0]))
        return section("glossary", self.say("glossary"), *(self._entry(*entry) for entry in ordered))

    def _entry(self, own: str, entry: TermEntry) -> nodes.Node:
        others = [lang for lang in self.matter.words.glossary.languages if lang != self.matter.lang]
        foreign: list[nodes.Node] = []
        for lang in others:
            foreign += [text(f"{lang} "), emphasis(self.matter.set(choose_text(entry.word, lang))), text(", ")]
        head = [strong(self.matter.set(own)), text(" ("), *foreign[:-1], text(") ")]
        told = paragraph(*head, text(self.matter.fill_text(entry.meaning)), classes=["entry"])
        return together("", told, ids=[entry.id])

    def _sources(self) -> nodes.Node | None:
        """Return the works that rules rest on, and those that were consulted; nothing where there are none."""
        used = dict.fromkeys(
            anchor.string("source")
            for id_ in self.matter.printed
            for anchor in self.matter.clauses[id_].fields["anchors"].items
        )
        named = self.matter.layout.get("consulted")
        consulted = () if named is None else tuple(item.text for item in named.items)
        told = [[self._work(self.matter.works[id_])] for id_ in (*sorted(used), *consulted)]
        return section("sources", self.say("sources"), make_list(told)) if told else None

    def _work(self, work: Node) -> nodes.paragraph:
        """Return a work for the list: author, title, publisher, place, date, and notes on its original and use."""
        original = work.get("original")
        rest = [work.string("publisher"), work.string("site"), work.string("revised") or work.string("published")]
        told = f". {', '.join(dict.fromkeys(part for part in rest if part))}"
        if original is not None:
            parts = {key: original.string(key) for key in ("title", "place", "year")}
            told += f"; {self.say('after', **parts)}"
        if work.get("outside") is not None:
            told += f" ({self.say('outside_source')})"
        lead = text(self.matter.set(f"{author}, ") if (author := work.string("author")) else "")
        return paragraph(lead, emphasis(self.matter.set(work.string("title"))), text(self.matter.set(f"{told}.")))

    def _colophon(self, date: str) -> nodes.Node:
        matter = self.matter
        hashes: list[list[nodes.Node | str]] = [
            [upper(matter.setup(name)), paragraph(nodes.literal(text=self._hash(name)))] for name in matter.setups
        ]
        told = (nodes.literal(text=f"{key}={value}") for key, value in matter.choice.readings)
        readings = [part for one in told for part in (one, text(", "))][:-1]
        body: list[nodes.Node] = [
            paragraph(self._label("edition"), text(f"{matter.title}. {matter.edition}.")),
        ]
        if date:
            body.append(paragraph(self._label("date"), text(date)))
        body.append(paragraph(strong(f"{self.say('identity')}. "), text(self.say("identity_told"))))
        body.append(table([self.say("setup"), f"{matter.choice.game}@{matter.choice.edition}"], hashes, [3, 7]))
        if readings:
            named = paragraph(self._label("readings_of"), classes=["lead"])
            body += [named, paragraph(*readings, classes=["ragged"])]
        body.insert(1, paragraph(self.say("made")))
        return leaf("", section("colophon", self.say("colophon"), *body), kind="colophon")

    def _label(self, name: str) -> nodes.strong:
        return strong(self.matter.words.frame("is", what=self.say(name), value=""))

    def _hash(self, setup: str) -> str:
        return identity(rules(self.matter.choose_setup(setup)))


def _runs(numbers: Sequence[str]) -> str:
    """Return numbers one after the other, three and more that follow each other as a run."""
    found: list[list[str]] = []
    for one in numbers:
        if found and one.isdecimal() and found[-1][-1].isdecimal() and int(one) == int(found[-1][-1]) + 1:
            found[-1].append(one)
        else:
            found.append([one])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(run) for run in found)  # noqa: RUF001 - a dash
