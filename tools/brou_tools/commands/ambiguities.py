"""`brou ambiguities`: what the old texts leave open, with all readings and what parts them."""

from __future__ import annotations

import argparse
import json
import os

from brou import catalogue, choose
from brou.shelf.library import root
from brou.words.text import language
from brou_tools.exits import Exit
from brou_tools.questions.register import entries


def run(options: argparse.Namespace) -> int:
    """Print the register of the games named, or of all; or write down anew how often readings part."""
    if options.schema:
        print((root() / "schemas" / "register.schema.json").read_text(encoding="utf-8"), end="")
        return Exit.FINE
    games = [choose(game).game for game in options.games] or list(catalogue())
    if options.count:
        from brou_tools.matches.frequency import count  # noqa: PLC0415 - plays many deals

        for game in games:
            print(count(game, options.count))
        return Exit.FINE
    found = [entry for game in games for entry in entries(game)]
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
        return Exit.FINE
    from brou_tools.questions.register_pages import Register  # noqa: PLC0415 - people read what a document does not need

    lang = language(options.lang, os.environ)
    for game in games:
        register = Register(game, lang)
        print("\n".join([register.title, "", *map(register.terminal, register.entries)]))
    return Exit.FINE
