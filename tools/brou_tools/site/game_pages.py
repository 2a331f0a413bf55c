"""The pages of one game in one language: its clauses in order, each clause, its open questions, its scenarios."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from brou import BrouError, Choice, Project, Words, rules, spread
from brou_conformance.reports.sources import tell_clause
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import spell
from brou_tools.pages.card_text import CardText
from brou_tools.pages.page_writer import write_data
from brou_tools.questions.bite_scores import BiteScores, ClauseBite, read_bites
from brou_tools.questions.mutation_scores import MutationScores, read_scores
from brou_tools.show.clause import Clause, Opening, gather
from brou_tools.site.book_pages import BookPages, can_print
from brou_tools.site.engine.engine_files import PlacedEngine
from brou_tools.site.play_page import PlayPage
from brou_tools.site.site_words import SiteWords, write_site_page
from brou_tools.site.table_pages import has_sheet, write_pages
from brou_tools.situation.edition import Matter
from brou_tools.situation.examples import choose_rules
from brou_tools.viewer.scenes import Scene, list_scenes, tell_score

#: Treatments of questions that are settled; with the others a table has to agree on something.
_SETTLED = ("FIX", "LINT")
#: The files of a game beside the pages of its clauses and scenarios.
_OWN = ("cards.css", "index.html", "register.html", "play.html", "situations.json")


@dataclass(frozen=True, slots=True)
class ShownChapter:
    """A chapter with its clauses: ids and texts."""

    id: str
    title: str
    clauses: tuple[tuple[str, str], ...]


class KinPage(NamedTuple):
    """A page that sets two rule bases side by side: its place, both of them, and the row of each clause it cites."""

    place: str
    choices: tuple[Choice, Choice]
    rows: Mapping[str, str]


@dataclass(frozen=True)
class GamePages:
    """Writes the pages of a game; `plays` says whether its scenarios have pages."""

    game: str
    lang: str
    project: Project
    langs: Sequence[str]
    plays: bool
    #: The rules that answer what is not written down; None where the site has none.
    engine: PlacedEngine | None = None
    #: The pages that set it beside another game, or an edition of it beside another one.
    compared: Sequence[KinPage] = ()
    #: Whether its books have pages.
    reads: bool = False
    #: The games of the site, this one among them.
    games: Sequence[str] = ()

    @cached_property
    def words(self) -> SiteWords:
        """Return the words of the site."""
        return SiteWords(self.lang, self.project)

    @cached_property
    def matter(self) -> Matter:
        """Return the data of the first edition."""
        return Matter(spread(self.game, self.project)[0], self.lang)

    @property
    def title(self) -> str:
        """Return the name of the game."""
        return self.matter.title

    @cached_property
    def editions(self) -> Sequence[tuple[str, str]]:
        """Return the editions with their names."""
        first = {choice.edition: choice for choice in reversed(spread(self.game, self.project))}
        return [(name, Matter(first[name], self.lang).edition) for name in self.matter.book.editions if name in first]

    @cached_property
    def chapters(self) -> Sequence[ShownChapter]:
        """Return the chapters with the texts of their clauses."""
        return [
            ShownChapter(
                node.string("id"),
                self.matter.fill_text(node.fields["title"]),
                tuple((id_, self.matter.fill_text(self.matter.clauses[id_].fields["text"])) for id_ in ids),
            )
            for node, ids in self.matter.placed
            if ids
        ]

    @cached_property
    def scenarios(self) -> Sequence[Scenario]:
        """Return the scenarios of the game, in their language."""
        return [corpus.translate(one, self.lang, self.project) for one in corpus.scenarios(self.game, self.project)]

    @property
    def clause_count(self) -> int:
        """Return how many clauses there are."""
        return sum(len(chapter.clauses) for chapter in self.chapters)

    @cached_property
    def cards(self) -> CardText:
        """Return what draws the cards of the game, in all its set-ups."""
        games = [rules(choice) for choice in spread(self.game, self.project)]
        words = Words(games[0], self.lang, self.project)
        return CardText(frozenset(card for game in games for card in game.deck.cards), self.lang, words.glossary)

    @cached_property
    def older(self) -> str:
        """Return the older game that a page sets it beside, with its edition; nothing where there is no such page."""
        pairs = [one.choices for one in self.compared if one.choices[1].game == self.game != one.choices[0].game]
        return self._name_rules(pairs[0][0]) if pairs else ""

    def _name_rules(self, choice: Choice) -> str:
        return f"{Matter(choice, self.lang).title} ({choice.edition})"

    @property
    def kin(self) -> Iterator[tuple[str, str]]:
        """Yield the pages that set it beside another game or its editions beside each other: place and title."""
        yield from ((one.place, self._name_kin(one)) for one in self.compared)

    def find_kin(self, id_: str) -> Iterator[tuple[str, str]]:
        """Yield the places on these pages that set a clause beside another one, each with the title of its page."""
        for one in self.compared:
            if id_ in one.rows:
                yield f"{one.place}#{one.rows[id_]}", self._name_kin(one)

    def _name_kin(self, page: KinPage) -> str:
        old, new = page.choices
        if old.game == new.game:
            return self.words.say("editions_beside", new=new.edition, old=old.edition)
        return self.words.say("since", title=self._name_rules(old if new.game == self.game else new))

    @cached_property
    def books(self) -> BookPages | None:
        """Return its books; None where they have no pages."""
        return BookPages(self.game, self.words, self.project, prints=can_print()) if self.reads else None

    # Evidence ---------------------------------------------------------------------

    @cached_property
    def mutants(self) -> MutationScores | None:
        """Return what notices damages to its rules."""
        return read_scores(self.game, self.project)

    @cached_property
    def bites(self) -> BiteScores | None:
        """Return for which of its clauses statements bite."""
        return read_bites(self.game, self.project)

    @property
    def damaged(self) -> int:
        """Return how many clauses have rules that can be damaged."""
        return sum(one.damages > 0 for one in self.bites.clauses.values()) if self.bites else 0

    @property
    def biting(self) -> int:
        """Return for how many of them a statement bites."""
        return sum(one.damages > 0 and one.bites for one in self.bites.clauses.values()) if self.bites else 0

    def find_bite(self, id_: str) -> ClauseBite | None:
        """Return what came of the damages to the rules of a clause; None where there are none."""
        found = self.bites.clauses.get(id_) if self.bites else None
        return found if found is not None and found.damages else None

    def excuse_bite(self, id_: str) -> str:
        """Return why no statement bites for a clause, as the data say it in English."""
        return self.bites.exempt.get(id_, "") if self.bites else ""

    # Places -----------------------------------------------------------------------

    @property
    def _trail(self) -> list[tuple[str, str]]:
        return [("index.html", "Brou"), (f"{self.game}/index.html", self.title)]

    def place_clause(self, id_: str) -> str:
        """Return the place of the page of a clause, of a question its place in the register; nothing of no id."""
        if id_ in self.matter.clauses:
            return f"{self.game}/{id_}.html"
        return f"{self.game}/register.html#{id_}" if id_ in self.matter.questions else ""

    def place_scenario(self, id_: str) -> str:
        """Return the place of the page of a scenario; nothing where scenarios have none."""
        return f"{self.game}/scenarios/{id_}.html" if self.plays and id_ in self._played else ""

    # Pages ------------------------------------------------------------------------

    @property
    def page_count(self) -> int:
        """Return how many files there are of the game."""
        own = len(_OWN) + 1 + self.has_sheet + self.clause_count + (self.books.page_count if self.books else 0)
        return own + (len(self._played) if self.plays else 0)

    def write_all(self) -> Iterator[tuple[str, str | bytes]]:
        """Yield every page below the folder of the language, by its place."""
        yield f"{self.game}/cards.css", self.cards.style_cards()
        yield f"{self.game}/index.html", self._write("site_game.html.jinja", "index.html", self._trail[:1], game=self)
        yield f"{self.game}/register.html", self._write_register()
        yield f"{self.game}/play.html", self._write_play()
        yield f"{self.game}/situations.json", json.dumps(self._play.list_situations(), ensure_ascii=False)
        yield from write_pages(self, self._write_below)
        if self.books:
            yield from self.books.write_all(self.title)
        for chapter in self.chapters:
            for id_, _ in chapter.clauses:
                yield f"{self.game}/{id_}.html", self._write_clause(id_, chapter)
        for one in self.scenarios if self.plays else ():
            if one.id in self._played:
                yield f"{self.game}/scenarios/{one.id}.html", self._write_scenario(one)

    def _write(self, template: str, name: str, trail: Sequence[tuple[str, str]], **values: object) -> str:
        path = f"{self.game}/{name}"
        return write_site_page(template, path, self.words, self.langs, trail, cards=self.cards, **values)

    def _write_clause(self, id_: str, chapter: ShownChapter) -> str:
        found: Clause = gather(id_, self.project, self.lang)
        return self._write(
            "site_clause.html.jinja", f"{id_}.html", self._trail, game=self, clause=found, chapter=chapter
        )

    @cached_property
    def questions(self) -> Sequence[Opening]:
        """Return what the text leaves open."""
        found: dict[str, Opening] = {}
        for id_ in self.matter.questions:
            for one in gather(id_, self.project, self.lang).open:
                if one.id == id_:
                    found[id_] = one
        return list(found.values())

    @property
    def open_count(self) -> int:
        """Return how many questions are open, whether readings can be chosen or not."""
        return sum(one.treatment not in _SETTLED for one in self.questions)

    def tell_questions(self) -> str:
        """Return in words how many questions are open, and how many are settled."""
        number = self.words.number
        settled = len(self.questions) - self.open_count
        return self.words.say("open_and_settled", open=number(self.open_count), settled=number(settled))

    def _write_register(self) -> str:
        return self._write("site_register.html.jinja", "register.html", self._trail, game=self)

    # Asking about cards ------------------------------------------------------------

    @cached_property
    def _play(self) -> PlayPage:
        return PlayPage(self.game, self.lang, self.project)

    def _write_play(self) -> str:
        described = self._play.describe(dict(self.editions))
        told = {
            **described,
            "passages": list(self.matter.questions),
            "words": self.words.list_words("play_", "agree_other", "agree_same", "agree_own"),
            "situations": self._play.list_written(),
            "answers": self._play.list_answered(),
            **self.engine_places,
        }
        return self._write(
            "site_play.html.jinja",
            "play.html",
            self._trail,
            game=self,
            games=self.name_games(),
            described=described,
            told=write_data(told),
        )

    def name_games(self, *, with_sheet: bool = False) -> Sequence[tuple[str, str]]:
        """Return the games of the site with their titles, or those `with_sheet`, a score sheet."""
        listed = [(one, spread(one, self.project)) for one in self.games]
        return [
            (one, Matter(choices[0], self.lang).title)
            for one, choices in listed
            if not with_sheet or has_sheet(choices)
        ]

    @property
    def engine_places(self) -> Mapping[str, str]:
        """Return where a page finds the worker that answers, and the name of its bundle; empty where there is none."""
        worker = f"../../{self.engine.worker}" if self.engine else ""
        return {"engine": worker, "bundle": self.engine.bundles[self.game] if self.engine else ""}

    @property
    def has_sheet(self) -> bool:
        """Say whether the evening can be settled from its score sheet."""
        return has_sheet(spread(self.game, self.project))

    def _write_below(self, template: str, name: str, **values: object) -> str:
        """Return a page that lies below that of the game."""
        return self._write(template, name, self._trail, game=self, **values)

    # Scenarios --------------------------------------------------------------------

    @cached_property
    def _played(self) -> frozenset[str]:
        """Return the scenarios that can be dealt by the rules that they hold for first."""
        return frozenset(one.id for one in self.scenarios if self._can_play(one))

    def _can_play(self, one: Scenario) -> bool:
        try:
            spell(one, choose_rules(one, None, self.project))
        except BrouError:
            return False
        return True

    def _write_scenario(self, one: Scenario) -> str:
        choice = choose_rules(one, None, self.project)
        words, script = Words(rules(choice), self.lang, self.project), spell(one, choice)
        return self._write(
            "site_scenario.html.jinja",
            f"scenarios/{one.id}.html",
            self._trail,
            game=self,
            scenario=one,
            rules=str(choice),
            scenes=list(list_scenes(script, words)),
            score=tell_score(script, words),
            clauses=[(id_, tell_clause(choice, id_, self.lang)) for id_ in one.clauses],
            anchor=lambda id_: f"../../{place}" if (place := self.place_clause(id_)) else "",
        )

    @cached_property
    def sample(self) -> tuple[Scenario, Scene] | None:
        """Return a scenario in which some cards may not be played, with the scene that asks about them.

        Those in which most clauses are in the way come first.
        """
        telling = [one.scenario.id for one in self._play.written]
        for one in sorted(self.scenarios, key=lambda one: one.id not in telling):
            if one.id in self._played:
                choice = choose_rules(one, None, self.project)
                words = Words(rules(choice), self.lang, self.project)
                for scene in list_scenes(spell(one, choice), words):
                    if scene.accepted is None and scene.legal and any(clause for _, _, clause in scene.refused):
                        return one, scene
        return None
