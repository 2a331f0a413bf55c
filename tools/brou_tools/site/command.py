"""`brou site`: the games of a project as static pages, a clause a page, in every language."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from brou import Impossible, Project, Unknown, book, catalogue, glossary
from brou.atomic import make_folder, put
from brou.chapters.variants import Variants
from brou.words.text import language
from brou_tools.pages.page_writer import read_asset
from brou_tools.site.change_pages import ChangePages, list_pages
from brou_tools.site.engine.engine_files import OWN_FILES, RUN, check_package, list_engine_files
from brou_tools.site.game_pages import GamePages
from brou_tools.site.home_pages import write_entrance, write_home
from brou_tools.site.options import SiteOptions
from brou_tools.site.program_pages import ProgramPages
from brou_tools.site.search_page import SEARCH_FILES, write_search
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.progress import ProgressLine

#: What pages of all languages share.
_ASSETS = ("look.css", "page.js", "play.css", "play.js", "search.js")


def run(options: SiteOptions) -> int:
    """Write the site into a folder; what else stands in the folder stays."""
    games = _choose_games(options)
    langs = _choose_languages(options)
    if options.engine is not None:
        check_package(Path(options.engine))
    changes = ChangePages.find(games, options.project)
    compared = {one.game for one in changes}
    told = {
        lang: [
            GamePages(
                game,
                lang,
                options.project,
                langs,
                plays=not options.brief,
                answers=options.engine is not None,
                compares=game in compared,
            )
            for game in games
        ]
        for lang in langs
    }
    programs = None if options.reports is None else ProgramPages.read(Path(options.reports), options.project)
    total = len(_ASSETS) + 1 + len(langs) * (len(changes) + SEARCH_FILES + (programs.page_count if programs else 0))
    total += sum(1 + sum(game.page_count for game in listed) for listed in told.values())
    target, progress = Path(options.output), ProgressLine()
    for number, (path, content) in enumerate(_make_pages(told, changes, programs, options.project), 1):
        place = target / path
        make_folder(place.parent)
        put(place, content)
        progress.show("pages", number, total)
    progress.clear()
    if options.engine is not None:
        total += _write_engine(Path(options.engine), target, games, options.project)
    conclude(f"wrote {count(total, 'file')}")
    print(f"{target / 'index.html'}: {total} files; {', '.join(games)}; {', '.join(langs)}")
    return Exit.FINE


def _write_engine(package: Path, target: Path, games: Sequence[str], project: Project) -> int:
    """Write what answers in a browser beside the pages; return how many files it is."""
    make_folder(target / RUN)
    progress = ProgressLine()
    total = OWN_FILES + len(games)
    for number, (name, content) in enumerate(list_engine_files(package, games, project), 1):
        put(target / RUN / name, content)
        progress.show("rules", number, total)
    progress.clear()
    return total


def _make_pages(
    told: Mapping[str, Sequence[GamePages]],
    changes: Sequence[ChangePages],
    programs: ProgramPages | None,
    project: Project,
) -> Iterator[tuple[str, str]]:
    """Yield every file of the site with its content, by its place below the folder."""
    yield from ((name, read_asset(name)) for name in _ASSETS)
    langs = list(told)
    for lang, games in told.items():
        for game in games:
            for path, content in game.write_all():
                yield f"{lang}/{path}", content
        for path, content in [*write_search(games, langs), *list_pages(changes, games)]:
            yield f"{lang}/{path}", content
        for path, content in programs.write_all(games, langs) if programs else ():
            yield f"{lang}/{path}", content
        yield f"{lang}/index.html", write_home(games, langs, programs=programs is not None)
    yield "index.html", write_entrance(langs, project)


def _choose_games(options: SiteOptions) -> list[str]:
    """Return the games that are named, or all; a game whose rules are no chapters has no clauses to make pages of."""
    known = catalogue(options.project)
    for game in options.games:
        if game not in known:
            raise Unknown("game", game, known)
    wanted = list(dict.fromkeys(options.games or known))
    found = [game for game in wanted if _has_chapters(game, options.project)]
    if not found:
        raise Impossible("none of these games is written in chapters: there are no clauses to make pages of")
    for game in wanted:
        if game not in found:
            print(f"brou: no pages of {game}: its rules are not written in chapters", file=sys.stderr)
    return found


def _has_chapters(game: str, project: Project) -> bool:
    return isinstance(book(game, project).maker, Variants)


def _choose_languages(options: SiteOptions) -> list[str]:
    names = [one.strip() for one in (options.lang or "").split(",") if one.strip()]
    if not names:
        return list(glossary(options.project).languages)
    return list(dict.fromkeys(language(one, {}, options.project) for one in names))
