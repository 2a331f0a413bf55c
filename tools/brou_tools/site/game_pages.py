"""The pages of one game in one language: its clauses in order, each clause, its open questions, its scenarios."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from brou import BrouError, Project, Words, rules, spread
from brou_conformance.reports.sources import tell_clause
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import spell
from brou_tools.pages.card_text import CardText
from brou_tools.pages.page_writer import write_data
from brou_tools.show.clause import Clause, Opening, gather
from brou_tools.site.engine.engine_files import RUN
from brou_tools.site.play_page import PlayPage
from brou_tools.site.site_words import SiteWords, write_site_page
from brou_tools.situation.edition import Matter
from brou_tools.situation.examples import choose_rules
from brou_tools.situation.since import list_changes
from brou_tools.viewer.scenes import Scene, list_scenes, tell_score

#: The files of a game beside the pages of its clauses and scenarios.
_OWN = ("cards.css", "index.html", "register.html", "play.html", "situations.json")


@dataclass(frozen=True, slots=True)
class ShownChapter:
    """A chapter with its clauses: ids and texts."""

    id: str
    title: str
    clauses: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class GamePages:
    """Writes the pages of a game; `plays` says whether its scenarios have pages."""

    game: str
    lang: str
    project: Project
    langs: Sequence[str]
    plays: bool
    #: Whether the site holds the rules that answer what is not written down.
    answers: bool = False
    #: Whether a page sets it beside an older game.
    compares: bool = False

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
        since = list_changes(self.matter) if self.compares else None
        return "" if since is None else f"{since.other.title} ({since.other.choice.edition})"

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
        return len(_OWN) + self.clause_count + (len(self._played) if self.plays else 0)

    def write_all(self) -> Iterator[tuple[str, str]]:
        """Yield every page below the folder of the language, by its place."""
        yield f"{self.game}/cards.css", self.cards.style_cards()
        yield f"{self.game}/index.html", self._write("site_game.html.jinja", "index.html", self._trail[:1], game=self)
        yield f"{self.game}/register.html", self._write_register()
        yield f"{self.game}/play.html", self._write_play()
        yield f"{self.game}/situations.json", json.dumps(self._play.list_situations(), ensure_ascii=False)
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
            "words": self.words.list_words("play_"),
            "situations": self._play.list_written(),
            "answers": self._play.list_answered(),
            "engine": f"../../{RUN}/worker.mjs" if self.answers else "",
        }
        return self._write(
            "site_play.html.jinja", "play.html", self._trail, game=self, described=described, told=write_data(told)
        )

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
        """Return the first scenario in which some cards may not be played, with the scene that asks about them."""
        for one in self.scenarios:
            if one.id in self._played:
                choice = choose_rules(one, None, self.project)
                words = Words(rules(choice), self.lang, self.project)
                for scene in list_scenes(spell(one, choice), words):
                    if scene.accepted is None and scene.legal and any(clause for _, _, clause in scene.refused):
                        return one, scene
        return None
