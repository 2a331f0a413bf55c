"""`brou site`: the games of a project as static pages, a clause a page, in every language."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from brou import ORIGINAL, Impossible, Project, Unknown, book, catalogue, glossary
from brou.atomic import make_folder, put
from brou.chapters import Variants
from brou.games import find_language
from brou.words import find_user_language
from brou_tools.pages.page_writer import read_asset, read_fonts
from brou_tools.site.change_pages import ChangePages, list_pages
from brou_tools.site.docs_pages import DocsPages
from brou_tools.site.engine.engine_files import PlacedEngine, check_package, list_engine_files, place_engine
from brou_tools.site.example_verdict import ExampleVerdict
from brou_tools.site.game_pages import GamePages
from brou_tools.site.home_pages import write_entrance, write_home
from brou_tools.site.options import SiteOptions
from brou_tools.site.program_pages import ProgramPages
from brou_tools.site.search_page import SEARCH_FILES, write_search
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.progress import ProgressLine

#: What pages of all languages share.
_ASSETS = ("fonts.css", "look.css", "page.js", "play.css", "live.js", "play.js", "agree.js", "score.js", "search.js")


def run(options: SiteOptions) -> int:
    """Write the site into a folder; other files in the folder stay."""
    games = _choose_games(options)
    langs = _choose_languages(options)
    engine = None if options.engine is None else _make_engine(Path(options.engine), games, options.project)
    changes = ChangePages.find(games, options.project)
    docs = None if options.docs is None else DocsPages(Path(options.docs))
    told = {
        lang: [
            GamePages(
                game,
                lang,
                options.project,
                langs,
                plays=not options.brief,
                engine=engine,
                compared=[one.kin for one in changes if game in {side.game for side in one.compared.choices}],
                reads=not options.brief,
                games=games,
            )
            for game in games
        ]
        for lang in langs
    }
    programs = _judge_programs(options, told[langs[0]])
    total = len(_ASSETS) + len(read_fonts()) + 1
    total += len(langs) * (len(changes) + SEARCH_FILES + (programs.page_count if programs else 0))
    total += (docs.page_count if docs else 0) + (len(engine.files) if engine else 0)
    total += sum(1 + sum(game.page_count for game in listed) for listed in told.values())
    target, progress = Path(options.output), ProgressLine()
    pages = _make_pages(told, changes, programs, docs, options.project)
    for number, (path, content) in enumerate(chain(pages, engine.files.items() if engine else ()), 1):
        place = target / path
        make_folder(place.parent)
        put(place, content)
        progress.show("pages", number, total)
    progress.clear()
    conclude(f"wrote {count(total, 'file')}")
    print(f"{target / 'index.html'}: {total} files; {', '.join(games)}; {', '.join(langs)}")
    return Exit.FINE


def _judge_programs(options: SiteOptions, games: Sequence[GamePages]) -> ProgramPages | ExampleVerdict | None:
    """Judge the programs of a site again, or where it has none an example; return None where no example is found."""
    if options.reports is not None:
        return ProgramPages.read(Path(options.reports), options.project)
    return ExampleVerdict.find(games[0])


def _make_engine(package: Path, games: Sequence[str], project: Project) -> PlacedEngine:
    """Make what answers in a browser."""
    check_package(package)
    progress, files = ProgressLine(), dict[str, bytes]()
    for name, content in list_engine_files(package, games, project):
        files[name] = content
        progress.show("rules", min(len(files), len(games)), len(games))
    progress.clear()
    return place_engine(files, games)


def _make_pages(
    told: Mapping[str, Sequence[GamePages]],
    changes: Sequence[ChangePages],
    programs: ProgramPages | ExampleVerdict | None,
    docs: DocsPages | None,
    project: Project,
) -> Iterator[tuple[str, str | bytes]]:
    """Yield every file of the site with its content, by its place below the folder."""
    yield from ((name, read_asset(name)) for name in _ASSETS)
    yield from read_fonts().items()
    if docs:
        yield from docs.write_all()
    langs = list(told)
    for lang, games in told.items():
        for game in games:
            for path, content in game.write_all():
                yield f"{lang}/{path}", content
        for path, content in [*write_search(games, langs, docs=docs is not None), *list_pages(changes, games)]:
            yield f"{lang}/{path}", content
        for path, content in programs.write_all(games, langs) if programs else ():
            yield f"{lang}/{path}", content
        yield f"{lang}/index.html", write_home(games, langs, programs, docs)
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
        return _list_written(options.project)
    return list(dict.fromkeys(find_user_language(one, {}, options.project) for one in names))


def _list_written(project: Project) -> list[str]:
    """Return the languages of the glossary; of a project written in one of its own, those that its games speak."""
    every, own = list(glossary(project).languages), find_language(project.data)
    if own == ORIGINAL:
        return every
    told = {own}
    for game in catalogue(project):
        maker = book(game, project).maker
        files = maker.volume.texts.files if isinstance(maker, Variants) else {}
        told |= {lang for lang, found in files.items() if any(file.game == game for file in found)}
    return [own, *(lang for lang in every if lang in told and lang != own)]
