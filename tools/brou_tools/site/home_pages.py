"""The first screen of the site, and the page that leads to it in each language."""

from __future__ import annotations

from collections.abc import Sequence

from brou_tools.pages.page_writer import write_linked_page
from brou_tools.site.game_pages import GamePages
from brou_tools.site.site_words import LANGUAGES, SiteWords, write_site_page


def write_home(games: Sequence[GamePages], lang: str, langs: Sequence[str]) -> str:
    """Return the first screen: the claim, three ways in, a card that may not be played with its clause, the games."""
    return write_site_page(
        "site_home.html.jinja", "index.html", SiteWords(lang), langs, [], games=games, first=games[0]
    )


def write_entrance(langs: Sequence[str]) -> str:
    """Return the page at the root, which leads to the first screen of each language."""
    tongues = [(f"{lang}/index.html", lang, LANGUAGES.get(lang, lang)) for lang in langs]
    claims = {lang: SiteWords(lang).say("claim") for lang in langs}
    return write_linked_page("site_entrance.html.jinja", "", lang=langs[0], tongues=tongues, claims=claims, trail=[])
