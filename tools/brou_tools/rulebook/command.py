"""`brou rulebook`: the rules of a game as a book, in print or as a page."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from brou import Choice, Impossible, Project, Unknown, book, catalogue, choose, glossary
from brou.atomic import make_folder, put
from brou.words import find_user_language
from brou_tools.options.agreed import read_agreement
from brou_tools.rulebook import printing
from brou_tools.rulebook.booklet import compose_agreement, compose_booklet
from brou_tools.rulebook.compose import compose
from brou_tools.rulebook.html_writer import page
from brou_tools.rulebook.options import Audience, RulebookOptions
from brou_tools.rulebook.players import has_players_book
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.progress import ProgressLine

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
#: Stands for every edition of a game, or every language.
_ALL = "all"
#: What files of the forms of a book are called.
_SUFFIXES = (".pdf", ".html")


def run(options: RulebookOptions) -> int:
    """Write the books that the options name: to a file if there is one, else into a folder."""
    if options.date and not _is_date(options.date):
        raise Unknown("date", options.date, ["YYYY-MM-DD, a day of the calendar"])
    if options.annotated and options.audience in ("players", "table"):
        raise Impossible("only the book for arbiters is annotated: leave out --annotated, or ask with --for arbiters")
    wanted = dict.fromkeys(
        (choice, lang) for choice in _choices(options) for lang in _languages(options.lang, options.project)
    )
    target = Path(options.output) if options.output else Path()
    single = len(wanted) == 1 and options.output and not target.is_dir() and target.suffix
    if len(wanted) > 1 and target.suffix:
        raise Impossible(f"{len(wanted)} books do not go into the one file {target}: name a folder")
    if single and target.suffix in _SUFFIXES and target.suffix != f".{options.format}":
        raise Impossible(f"{target} is no name for {options.format}: leave out the suffix, or ask with --format")
    progress = ProgressLine()
    for made, (choice, lang) in enumerate(wanted):
        progress.show(f"{choice} in {lang}: books", made, len(wanted))
        path = target if single else target / _name(choice, lang, options)
        make_folder(path.parent)
        put(path, _make_book(choice, lang, options))
        progress.clear()
        print(path, file=sys.stderr)
    conclude(f"made {count(len(wanted), 'book')}")
    return Exit.FINE


def _is_date(text: str) -> bool:
    """Say whether there is such a day."""
    try:
        return bool(_DATE.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


def _make_book(choice: Choice, lang: str, options: RulebookOptions) -> bytes:
    audience, agreed = find_audience(choice, options), options.agreement is not None
    if audience == "players":
        document = compose_booklet(choice, lang, agreed=agreed)
    elif audience == "table":
        document = compose_agreement(choice, lang)
    else:
        document = compose(choice, lang, options.date or "", annotated=options.annotated, agreed=agreed)
    if options.format == "html":
        return page(document).encode()
    return printing.pdf(document, options.paper)


def find_audience(choice: Choice, options: RulebookOptions) -> Audience:
    """Return the readers of a book: those that the options name, else players where a game has texts for them.

    Readings that those texts do not tell have a book for arbiters, and so has an annotated or dated one.
    """
    plain = not options.annotated and options.date is None
    return options.audience or ("players" if plain and has_players_book(choice) else "arbiters")


def _choices(options: RulebookOptions) -> Iterator[Choice]:
    """Yield the editions that the options name, or the first of each game."""
    if options.agreement:
        if options.games or options.edition:
            raise Impossible("an agreement names the rules already: leave out games and --edition")
        yield read_agreement(options.agreement, options.project)
        return
    for name in options.games or catalogue(options.project):
        if options.edition and "@" in name:
            raise Impossible(f"{name} names an edition already: leave out --edition")
        if options.edition == _ALL:
            yield from _editions(name, options.project)
        else:
            yield choose(f"{name}@{options.edition}" if options.edition else name, options.project)


def _editions(game: str, project: Project) -> Iterator[Choice]:
    for edition in book(game, project).editions:
        yield choose(f"{game}@{edition}", project)


def _languages(asked: str | None, project: Project) -> list[str]:
    if asked == _ALL:
        return list(glossary(project).languages)
    names = [one.strip() for one in asked.split(",")] if asked else []
    return [find_user_language(one, os.environ, project) for one in (filter(None, names) if any(names) else [None])]


def _name(choice: Choice, lang: str, options: RulebookOptions) -> str:
    """Return the name of a file: game, edition, language; its readers unless they are arbiters, or `annotated`."""
    audience = find_audience(choice, options)
    kind = "-annotated" if options.annotated else "" if audience == "arbiters" else f"-{audience}"
    return f"{choice.game}-{choice.edition}-{lang}{kind}.{options.format}"
