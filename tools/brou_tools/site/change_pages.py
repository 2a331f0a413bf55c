"""A game beside an older one, or an edition beside another: the changes in brief, the greatest first, then by topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from brou import Project, Words, rules, spread
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.script import spell
from brou_tools.diff.comparison import Comparison, comparison, example, maps
from brou_tools.diff.rows import DifferenceExample, DifferenceRow
from brou_tools.diff.wording import Differences
from brou_tools.pages.card_text import CardText
from brou_tools.site.game_pages import GamePages, KinPage
from brou_tools.site.site_words import write_site_page
from brou_tools.situation.edition import Matter
from brou_tools.situation.since import ChangesSince, list_changes
from brou_tools.viewer.scenes import Scene, find_scene

CHANGES = "since.html"


class ShownExample(NamedTuple):
    """A moment that both games answer differently: the scenario with its place, the table, and both answers."""

    title: str
    place: str
    scene: Scene | None
    cards: CardText
    outcomes: Sequence[tuple[str, str]]


class ShownSide(NamedTuple):
    """A side of a topic: the rules, their reading of an open passage, and the clauses with their texts and places."""

    name: str
    reading: str
    clauses: Sequence[tuple[str, str, str]]


class ShownTopic(NamedTuple):
    """A topic with the clauses of the older and of the newer rules; `question` is the place of an open passage."""

    id: str
    title: str
    question: str
    sides: Sequence[ShownSide]
    settled: Sequence[str]
    example: ShownExample | None


@dataclass(frozen=True)
class ChangePages:
    """Writes the page of two rule bases; the comparison is made once for all languages."""

    game: str
    compared: Comparison
    examples: Mapping[str, DifferenceExample | None]

    @classmethod
    def find(cls, games: Sequence[str], project: Project) -> Sequence[ChangePages]:
        """Compare each of some games with the older one that the data map it to, and its editions with each other."""
        pairs = [tuple(node.string(key) for key in ("game", "old", "new")) for node in maps(project)]
        for game in games:
            editions = dict.fromkeys(choice.edition for choice in spread(game, project))
            pairs += [(game, f"{game}@{old}", f"{game}@{new}") for old, new in combinations(editions, 2)]
        return [cls._compare(game, old, new, project) for game, old, new in pairs if game in games]

    @classmethod
    def _compare(cls, game: str, old: str, new: str, project: Project) -> ChangePages:
        found = comparison(old, new, project)
        return cls(game, found, {row.id: example(found, row) for row in found.rows})

    @property
    def place(self) -> str:
        """Return the place of the page below the folder of a language."""
        old, new = self.compared.choices
        return f"{self.game}/{f'{old.edition}-{new.edition}.html' if self.compared.within else CHANGES}"

    @cached_property
    def kin(self) -> KinPage:
        """Return the page as the pages of both games refer to it."""
        rows: dict[str, str] = {}
        for row in self.compared.rows:
            for id_ in (*row.clauses[0], *row.clauses[1]):
                rows.setdefault(id_, row.id)
        return KinPage(self.place, self.compared.choices, rows)

    def _tell(self, lang: str) -> Differences:
        """Return the comparison in a language, with editions of one game by the title of the game."""
        one, two = (f"{Matter(choice, lang).title} {choice.edition}" for choice in self.compared.choices)
        return Differences(replace(self.compared, asked=(one, two)), lang)

    def write(self, games: Mapping[str, GamePages]) -> tuple[str, str]:
        """Return the page in the language of some games, with its place below the folder of the language."""
        own = games[self.game]
        told, place = self._tell(own.lang), self.place
        topics = [self._show_topic(row, told, games) for row in self.compared.rows]
        alike = {row.id for row in self.compared.rows if row.proved or row.alike or row.agree}
        since: ChangesSince | None = None if self.compared.within else list_changes(own.matter)
        page = write_site_page(
            "site_since.html.jinja",
            place,
            own.words,
            own.langs,
            [("index.html", "Brou"), (f"{self.game}/index.html", own.title)],
            title=told.title,
            called=told.called,
            styles=[one.game for one in games.values() if one.game in {side.game for side in self.compared.choices}],
            points=() if since is None else since.points,
            changed=[one for one in topics if one.id not in alike],
            alike=[one for one in topics if one.id in alike],
        )
        return place, page

    def _show_topic(self, row: DifferenceRow, told: Differences, games: Mapping[str, GamePages]) -> ShownTopic:
        sides = []
        for side, choice in enumerate(self.compared.choices):
            pages = games.get(choice.game)
            clauses = [
                (id_, text, pages.place_clause(id_) if pages is not None else "")
                for id_, text in told.list_clauses(row, side)
            ]
            sides.append(ShownSide(told.called[side], told.tell_reading(row, side) if row.key else "", clauses))
        shown = self.examples[row.id]
        seen = None if shown is None else self._show_example(row, shown, told, games)
        own = games[self.game]
        question = own.place_clause(row.id) if row.key else ""
        return ShownTopic(row.id, told.topic(row), question, sides, told.list_settled(row), seen)

    def _show_example(
        self, row: DifferenceRow, shown: DifferenceExample, told: Differences, games: Mapping[str, GamePages]
    ) -> ShownExample:
        choice, pages = shown.own, games.get(shown.own.game)
        words = Words(rules(choice), told.lang, choice.project)
        return ShownExample(
            title=corpus.translate(shown.scenario, told.lang, choice.project).title,
            place=pages.place_scenario(shown.scenario.id) if pages is not None else "",
            scene=find_scene(spell(shown.scenario, choice), shown.step.id, words),
            cards=CardText(frozenset(words.game.deck.cards), told.lang, words.glossary),
            outcomes=told.list_outcomes(row, shown),
        )


def list_pages(found: Sequence[ChangePages], games: Sequence[GamePages]) -> Iterator[tuple[str, str]]:
    """Yield the pages of some comparisons in the language of some games, by their places."""
    by_name = {game.game: game for game in games}
    yield from (one.write(by_name) for one in found)
