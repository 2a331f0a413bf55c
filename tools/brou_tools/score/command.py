"""`brou score`: a recorded game settled, every entry with its clause, or the first that cannot be."""

from __future__ import annotations

import os
from pathlib import Path

from brou import NoFile, Words, choose, rules
from brou.answers import settle_record
from brou.games.record import RECORD, identify, record
from brou.words import SettlementReport, document_settlement, find_user_language
from brou_tools.documents.json_document import print_report, print_schema
from brou_tools.options.agreed import read_agreement
from brou_tools.score.options import ScoreOptions
from brou_tools.score.settlement_text import tell_settlement
from brou_tools.terminal.closing import conclude
from brou_tools.terminal.exits import Exit


def run(options: ScoreOptions) -> int:
    """Settle a record; 1 if something in it cannot be."""
    if options.schema:
        print_schema("settlement")
        return Exit.FINE
    lang = find_user_language(options.lang, os.environ, options.project)
    path = Path(options.record)
    if not path.is_file():
        raise NoFile(path, "a record (brou-record/1)")
    kind, name = identify(path)
    if kind != RECORD:
        raise NoFile(path, f"a record (brou-record/1), or ask `brou explain {path}`", "a position, no record")
    agreed = options.agreement and read_agreement(options.agreement, options.project)
    choice = agreed or choose(options.rules or name, options.project)
    game = rules(choice)
    found = settle_record(record(path, game), choice)
    words = Words(game, lang, options.project, found.players)
    conclude(f"settled {options.record}")
    if options.json:
        print_report(SettlementReport(games=(document_settlement(found, words),)))
    else:
        print(tell_settlement(found, words), end="")
    return Exit.FINDING if found.fault else Exit.FINE
