"""The first screen of the site, and the page that leads to it in each language."""

from __future__ import annotations

from collections.abc import Sequence

from brou import Project
from brou_tools.pages.page_writer import write_linked_page
from brou_tools.site.docs_pages import DocsPages
from brou_tools.site.example_verdict import ExampleVerdict
from brou_tools.site.game_pages import GamePages
from brou_tools.site.program_pages import ProgramPages
from brou_tools.site.site_words import SiteWords, write_site_page


def write_home(
    games: Sequence[GamePages],
    langs: Sequence[str],
    programs: ProgramPages | ExampleVerdict | None,
    docs: DocsPages | None,
) -> str:
    """Return the first screen: the claim, three ways in, a card that is refused, a verdict, the games, the docs."""
    verdict = None if programs is None else programs.show_sample(games)
    values = {
        "games": games,
        "first": games[0],
        "verdict": verdict,
        "has_programs": isinstance(programs, ProgramPages),
        "docs": docs.list_named() if docs else [],
    }
    return write_site_page("site_home.html.jinja", "index.html", games[0].words, langs, [], **values)


def write_entrance(langs: Sequence[str], project: Project) -> str:
    """Return the page at the root, which leads to the first screen of each language."""
    spoken = {lang: SiteWords(lang, project) for lang in langs}
    tongues = [(f"{lang}/index.html", lang, words.name_language(lang)) for lang, words in spoken.items()]
    claims = {lang: words.say("claim") for lang, words in spoken.items()}
    return write_linked_page("site_entrance.html.jinja", "", lang=langs[0], tongues=tongues, claims=claims, trail=[])
