"""`brou corpus`: the scenarios, listed or shown."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from brou import Unknown
from brou_conformance import corpus
from brou_conformance.scenario import Scenario
from brou_tools.exits import Exit

#: How many ids are offered for one that is not quite there.
_NEAR = 5


def run(options: argparse.Namespace) -> int:
    """List scenarios or show one."""
    folder = Path(options.scenarios) if options.scenarios else corpus.corpus_root()
    if options.action == "show":
        _show(options.id, folder, as_json=options.json)
    else:
        _list(options.games, folder, as_json=options.json)
    return Exit.FINE


def _list(games: list[str], folder: Path, *, as_json: bool) -> None:
    known = corpus.games(folder)
    for game in games:
        if game not in known:
            raise Unknown("game with scenarios", game, known)
    listed = {game: corpus.scenarios(game, folder) for game in games or known}
    if as_json:
        entries = [{"game": game, "scenarios": [_entry(one) for one in found]} for game, found in listed.items()]
        print(json.dumps({"games": entries}))
        return
    for found in listed.values():
        for one in found:
            print(f"{one.id}  {one.title}")


def _entry(one: Scenario) -> dict[str, Any]:
    return {"id": one.id, "title": one.title, "clauses": list(one.clauses), "level": one.level, "origin": one.origin}


def _show(name: str, folder: Path, *, as_json: bool) -> None:
    wanted = name.split("#", maxsplit=1)[0]
    everything = [one for game in corpus.games(folder) for one in corpus.scenarios(game, folder)]
    found = next((one for one in everything if one.id == wanted), None)
    if found is None:
        near = [one.id for one in everything if wanted in one.id]
        raise Unknown("scenario", wanted, [*near[:_NEAR], "... (`brou corpus list` shows them all)"])
    source = corpus.source(found, folder)
    if as_json:
        print(json.dumps({"games": [{"game": found.game, "scenarios": [source.plain()]}]}))
    else:
        print(corpus.text(found, folder), end="")
