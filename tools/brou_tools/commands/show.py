"""`brou show`: a clause or an open passage with its source, rules, readings, proofs and scenarios."""

from __future__ import annotations

import argparse
import json
import os
import shutil
from pathlib import Path

from brou.errors import NoFile
from brou.shelf.library import root
from brou.words.text import language
from brou.written import read_named
from brou_tools.exits import Exit
from brou_tools.questions.clause import FORMAT, document, gather, resolve
from brou_tools.questions.clause_telling import tell, tell_topic

#: The folder of the source texts, where none is named.
_SOURCES = "BROU_SOURCES"


def run(options: argparse.Namespace) -> int:
    """Show the clauses that are named, or list those of a topic."""
    if options.schema:
        print(read_named(root() / "schemas" / "clause.schema.json").decode(), end="")
        return Exit.FINE
    lang = language(options.lang, os.environ)
    texts = _texts(options.sources or os.environ.get(_SOURCES))
    named = {name: resolve(name) for name in options.clauses}
    if options.json:
        ids = dict.fromkeys(id_ for ids in named.values() for id_ in ids)
        told = {"format": FORMAT, "lang": lang, "clauses": [document(gather(id_, lang, texts)) for id_ in ids]}
        print(json.dumps(told, ensure_ascii=False))
        return Exit.FINE
    width = shutil.get_terminal_size().columns
    parts = (
        tell(gather(name, lang, texts), width) if ids == (name,) else tell_topic(name, ids, lang, width)
        for name, ids in named.items()
    )
    print("\n".join(parts), end="")
    return Exit.FINE


def _texts(named: str | None) -> Path | None:
    """Return the folder of the source texts."""
    if not named:
        return None
    folder = Path(named)
    if not folder.is_dir():
        raise NoFile(folder, "the folder that holds them as *.txt", "no folder of source texts")
    return folder
