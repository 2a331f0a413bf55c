"""A game beside an older one: the clauses of both topic by topic, the changes in brief, and what is the same."""

from __future__ import annotations

import re

import pytest

from brou import house
from brou_tools.diff.comparison import comparison
from brou_tools.site.change_pages import ChangePages
from brou_tools.site.game_pages import GamePages

GAMES = ["brouc", "homme-de-brou"]
OLD, NEW = "homme-de-brou@1802", "brouc@2022"


@pytest.fixture(scope="module")
def changes() -> ChangePages:
    """Return the one comparison that the data of the two games hold."""
    (found,) = ChangePages.find(GAMES, house())
    return found


def write_page(changes: ChangePages, lang: str) -> str:
    """Return the page in a language."""
    pages = {game: GamePages(game, lang, house(), [lang], plays=True, compares=game == "brouc") for game in GAMES}
    place, page = changes.write(pages)
    assert place == "brouc/since.html"
    return page


@pytest.fixture(scope="module")
def page(changes: ChangePages) -> str:
    """Return the page in English."""
    return write_page(changes, "en")


@pytest.mark.slow
def test_every_topic_of_the_comparison_stands_on_the_page_once(page: str) -> None:
    """Those that differ and those that are the same, each by its id."""
    topics = re.findall(r'<div class=case data-about="" id="([^"]+)">', page)

    assert sorted(topics) == sorted(row.id for row in comparison(OLD, NEW, house()).rows)


def test_a_topic_has_the_clauses_of_both_games_with_links(page: str) -> None:
    """Each side its own, the older game first."""
    topic = page[page.index('id="f07"') : page.index('id="f08"')]

    assert topic.index('href="../homme-de-brou/brou.play.04.html"') < topic.index('href="../brouc/brouc.over.01.html"')
    assert "Nobody is ever obliged to play high" in topic


def test_a_change_is_shown_by_a_moment_with_both_answers(page: str) -> None:
    """The cards lie there, and a link leads to the whole scenario."""
    topic = page[page.index('id="f07"') : page.index('id="f08"')]
    example = topic[topic.index("<details>") :]

    assert "<dt>Homme de Brou 1802<dd>" in example
    assert "<dt>Brouc 2022<dd>" in example
    assert "class=cards" in example
    assert 'href="../brouc/scenarios/brouc.over.lower-trump-refused.html"' in example


def test_the_same_stands_apart_from_what_changed(page: str) -> None:
    """What is proved of both comes behind all changes."""
    changed, same = page.split("<h2 id=same>")

    assert 'id="f06"' in same
    assert "Proved: A player without the suit led may throw any card that is no trump." in same
    assert 'id="f07"' in changed


def test_the_changes_in_brief_come_first_in_the_order_of_the_book(page: str) -> None:
    """The duty to beat a trump is the greatest; points on which both agree are left out."""
    brief = page[page.index("<h2 id=brief>") : page.index("<h2 id=topics>")]
    points = re.findall("<th scope=row>(.*?)</th>", brief)

    assert points[:2] == ["Playing a trump", "A marriage taken on the table"]
    assert "Points that make a partie" not in points


def test_only_games_that_the_data_map_have_such_a_page() -> None:
    """A game alone, or one that nobody has compared, has none."""
    assert ChangePages.find(["hombre"], house()) == []


@pytest.mark.parametrize(("lang", "told"), [("fr", "Ce qui est pareil"), ("de", "Was gleich ist")])
def test_the_page_speaks_a_language(changes: ChangePages, lang: str, told: str) -> None:
    """Headings and clauses are in the language of the page."""
    page = write_page(changes, lang)

    assert told in page
    assert "What changed" not in page
    assert "Nobody is ever obliged to play high" not in page
