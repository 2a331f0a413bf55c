"""The search of the site: its page, and the index of games, clauses, questions and scenarios as a script."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from brou_tools.site.docs_pages import DOCS_INDEX
from brou_tools.site.game_pages import GamePages
from brou_tools.site.site_words import write_site_page

SEARCH, _INDEX = "search.html", "search-index.js"
KINDS = ("game", "clause", "question", "scenario")
#: What documentation is found as.
_PAGE = "page"
#: How many finds are listed.
_MOST = 50
SEARCH_FILES = 2


class IndexEntry(NamedTuple):
    """Something that can be found: its kind, the name of its game, its id, its text and the place of its page."""

    kind: str
    game: str
    id: str
    text: str
    place: str


def write_search(games: Sequence[GamePages], langs: Sequence[str], *, docs: bool) -> Iterator[tuple[str, str]]:
    """Yield the page and the index of some games in their language, by their places; `docs` are found with them.

    The index is a script, since a page that is read from a file may load no data; it is fetched when the page is there.
    """
    kinds = (*KINDS, *((_PAGE,) if docs else ()))
    indices = [_INDEX, *((f"../{DOCS_INDEX}",) if docs else ())]
    values = {"games": games, "kinds": kinds, "indices": indices, "most": _MOST}
    words, trail = games[0].words, [("index.html", "Brou")]
    yield (
        SEARCH,
        write_site_page("site_search.html.jinja", SEARCH, words, langs, trail, **values),
    )
    entries = [entry for game in games for entry in list_entries(game)]
    yield _INDEX, f"const searchIndex = {json.dumps(entries, ensure_ascii=False, separators=(',', ':'))};\n"


def list_entries(game: GamePages) -> Iterator[IndexEntry]:
    """Yield the entries of a game: itself, its clauses, its questions, and the scenarios that have pages."""
    title = game.title
    editions = ", ".join(name for _, name in game.editions)
    yield IndexEntry("game", title, game.game, f"{title}: {editions}", f"{game.game}/index.html")
    for chapter in game.chapters:
        for id_, text in chapter.clauses:
            yield IndexEntry("clause", title, id_, text, game.place_clause(id_))
    for question in game.questions:
        yield IndexEntry("question", title, question.id, question.question, game.place_clause(question.id))
    for scenario in game.scenarios:
        if place := game.place_scenario(scenario.id):
            yield IndexEntry("scenario", title, scenario.id, scenario.title, place)
