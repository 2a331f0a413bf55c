"""A game beside an older one, an edition beside another: clauses of both by topic, changes in brief, and the same."""

from __future__ import annotations

import re

import pytest

from brou import house
from brou_tools.diff.comparison import comparison
from brou_tools.site.change_pages import ChangePages
from brou_tools.site.game_pages import GamePages

GAMES = ["brouc", "homme-de-brou"]
OLD, NEW = "homme-de-brou@1802", "brouc@2022"


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def changes() -> ChangePages:
    """Return the one comparison of the two games that the data hold."""
    (found,) = (one for one in ChangePages.find(GAMES, house()) if not one.compared.within)
    return found


def write_page(changes: ChangePages, lang: str) -> str:
    """Return the page in a language."""
    pages = {game: GamePages(game, lang, house(), [lang], plays=True, compared=[changes.kin]) for game in GAMES}
    place, page = changes.write(pages)
    assert place == "brouc/since.html"
    return page


@pytest.fixture(scope="module")
def page(changes: ChangePages) -> str:
    """Return the page in English."""
    return write_page(changes, "en")


def test_every_topic_of_the_comparison_stands_on_the_page_once(page: str) -> None:
    """Those that differ and those that are the same, each by its id."""
    topics = re.findall(r'<div class=case data-about="" id="([^"]+)">', page)

    assert sorted(topics) == sorted(row.id for row in comparison(OLD, NEW, house()).rows)


def test_a_topic_has_the_clauses_of_both_games_with_links(page: str) -> None:
    """Each side its own, the older game first."""
    topic = page[page.index('id="f07"') : page.index('id="f08"')]

    assert topic.index('href="../homme-de-brou/brou.play.04.html"') < topic.index('href="../brouc/brouc.over.01.html"')
    assert "Nobody ever has to play high" in topic


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


def test_games_without_kin_have_no_such_page() -> None:
    """A game of one edition that nobody has compared has none."""
    assert ChangePages.find(["hombre"], house()) == []


def test_every_two_editions_of_a_game_stand_beside_each_other() -> None:
    """The older one first, as the data list them."""
    found = ChangePages.find(["homme-d-auvergne", "brouc"], house())

    assert [one.place for one in found] == [
        "brouc/since.html",
        "homme-d-auvergne/1665-1718.html",
        "homme-d-auvergne/1665-1725.html",
        "homme-d-auvergne/1718-1725.html",
        "brouc/2022-club-2026.html",
    ]


@pytest.fixture(scope="module")
def editions() -> tuple[GamePages, str]:
    """Return the pages of L'Homme d'Auvergne in English, and that which sets 1718 beside 1665."""
    changes = ChangePages.find(["homme-d-auvergne"], house())
    pages = GamePages("homme-d-auvergne", "en", house(), ["en"], plays=True, compared=[one.kin for one in changes])
    return pages, changes[0].write({"homme-d-auvergne": pages})[1]


def test_editions_differ_by_clauses_and_by_answers(editions: tuple[GamePages, str]) -> None:
    """A king in the hand counts otherwise in 1718: both clauses with links, and a moment with both answers."""
    page = editions[1]
    topic = page[page.index('id="functions/counting"') : page.index('id="functions/gains_by_loss"')]

    assert re.search("<h1>[^<]*Auvergne 1665 against [^<]*Auvergne 1718</h1>", page)
    assert topic.index('href="../homme-d-auvergne/auv.king.02.html"') < topic.index("auv.1718.03.html")
    assert "1 more for each other king in the same hand" in topic
    assert "Auvergne 1718<dd>Points for kings: 0 / 3 / 0 / 0" in topic


def test_editions_that_read_a_passage_otherwise_name_both_readings(editions: tuple[GamePages, str]) -> None:
    """With the question, which leads to the register."""
    page = editions[1]
    topic = page[page.index('id="auv.amb.27"') : page.index('id="seating"')]

    assert 'href="../homme-d-auvergne/register.html#auv.amb.27"' in topic
    assert topic.index("=5") < topic.index("=7")


def test_a_clause_leads_to_where_it_is_set_beside_another(editions: tuple[GamePages, str]) -> None:
    """To its row on each page that cites it; a clause on which no page says anything leads nowhere."""
    pages = editions[0]

    assert list(pages.find_kin("auv.1718.03")) == [
        ("homme-d-auvergne/1665-1718.html#functions/counting", "1718 beside 1665"),
        ("homme-d-auvergne/1718-1725.html#functions/counting", "1725 beside 1718"),
    ]
    assert list(pages.find_kin("auv.trick.01")) == []


def test_games_of_two_names_lead_to_each_other(changes: ChangePages) -> None:
    """Each by the name of the other."""
    pages = [GamePages(game, "en", house(), ["en"], plays=True, compared=[changes.kin]) for game in GAMES]

    assert [list(one.kin) for one in pages] == [
        [("brouc/since.html", "beside Homme de Brou (1802)")],
        [("brouc/since.html", "beside Brouc (2022)")],
    ]


@pytest.mark.parametrize(("lang", "told"), [("fr", "Ce qui est pareil"), ("de", "Was gleich ist")])
def test_the_page_speaks_a_language(changes: ChangePages, lang: str, told: str) -> None:
    """Headings and clauses are in the language of the page."""
    page = write_page(changes, lang)

    assert told in page
    assert "What changed" not in page
    assert "Nobody ever has to play high" not in page
