"""`brou ambiguities`: the passages that the old texts leave open, with all readings and their witnesses."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from brou import Project, book, catalogue, choose
from brou.words import find_user_language
from brou_tools.ambiguities.options import AmbiguitiesOptions
from brou_tools.documents.json_document import print_report, print_schema
from brou_tools.questions.register import RegisterReport, entries, questions
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit


def run(options: AmbiguitiesOptions) -> int:
    """Print the register of some games or of all, or count again how often readings differ; 1 if nothing is open."""
    if options.schema:
        print_schema("register")
        return Exit.FINE
    project = options.project
    games = [choose(game, project).game for game in options.games] or list(catalogue(project))
    idle = [game for game in games if not (book(game, project).readings if options.count else questions(game, project))]
    games = [game for game in games if game not in idle]
    if options.count:
        _count(games, project, options)
    elif options.json:
        print_report(RegisterReport(passages=tuple(entry for game in games for entry in entries(game, project))))
    else:
        _tell(games, project, find_user_language(options.lang, os.environ, project))
    conclude(f"looked at {count(len(games) + len(idle), 'game')}")
    for game in idle:
        why = "it has no readings" if options.count else "no passage of it is open"
        print(
            f"{game}: nothing to {'count' if options.count else 'list'}: {why}",
            file=sys.stderr if options.json else sys.stdout,
        )
    return Exit.FINDING if idle or not games else Exit.FINE


def _count(games: Sequence[str], project: Project, options: AmbiguitiesOptions) -> None:
    """Count again how often the readings of some games differ, and write it down."""
    from brou_tools.ambiguities.frequency import count  # noqa: PLC0415 - plays many deals
    from brou_tools.terminal.cluster import open_sharing  # noqa: PLC0415 - for the same

    share = open_sharing(options.jobs, options.scheduler)
    for game in games:
        print(count(game, project, options.count or 0, share), flush=True)


def _tell(games: Sequence[str], project: Project, lang: str) -> None:
    """Print the registers of some games, as people read them."""
    from brou_tools.ambiguities.register_pages import Register  # noqa: PLC0415 - people read what a document does not need

    for game in games:
        register = Register(game, project, lang)
        print("\n".join([register.title, "", *map(register.terminal, register.entries)]))
