"""`brou witness`: for each two readings of an open passage the smallest situation in which they part."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from brou import catalogue, choose
from brou.errors import Unknown
from brou_conformance import corpus
from brou_tools.exits import Exit
from brou_tools.parting import Parting, pairs, smallest
from brou_tools.register import Witness, path_of, questions, witnesses


def run(options: argparse.Namespace) -> int:
    """Show what parts the readings of some passages, or write it down anew; 1 if something is lacking."""
    if options.write:
        games = [choose(name).game for name in options.ambiguities] or list(catalogue())
        lacking = [line for game in games for line in _written(game)]
        print("\n".join(lacking) or "every two readings are parted")
        return Exit.FINDING if lacking else Exit.FINE
    found = list(_found(options.ambiguities))
    if options.json:
        print(json.dumps([_document(one) for one in found], ensure_ascii=False))
    else:
        print("\n".join(_told(one) for one in found))
    return Exit.FINE


def _found(names: Sequence[str]) -> Iterator[Witness]:
    """Yield the witnesses of the passages, or games, that are named."""
    every = {id_: game for game in catalogue() for id_ in questions(game)}
    for name in names:
        if name not in every and name not in every.values():
            raise Unknown("open passage", name, [id_ for id_ in every if name in id_])
    for game in catalogue():
        for witness in witnesses(game):
            if not names or witness.ambiguity in names or game in names:
                yield witness


def _document(one: Witness) -> dict[str, Any]:
    document: dict[str, Any] = {"ambiguity": one.ambiguity, "pair": list(one.pair)}
    if not one.scenario:
        return {**document, "harmless": one.harmless}
    return {**document, "scenario": corpus.source(_scenario(one)).plain()}


def _told(one: Witness) -> str:
    head = f"{one.ambiguity}: {one.pair[0]} or {one.pair[1]}"
    return f"{head}\n{corpus.text(_scenario(one))}" if one.scenario else f"{head}\n  {one.harmless}\n"


def _scenario(one: Witness) -> Any:
    scenarios = (found for game in corpus.games() for found in corpus.scenarios(game))
    return next(found for found in scenarios if found.id == one.scenario)


def _written(game: str) -> list[str]:
    """Write down the witnesses of a game; return the pairs that nothing parts and for which no reason is given."""
    kept = {(one.ambiguity, one.pair): one.harmless for one in witnesses(game) if one.harmless}
    lines: dict[str, list[str]] = {}
    lacking: list[str] = []
    for reading, pair in pairs(game):
        found = smallest(game, reading, pair)
        harmless = kept.get((reading.ambiguity, pair), "")
        if found is None and not harmless:
            lacking.append(f"{reading.ambiguity}: nothing parts {pair[0]} and {pair[1]}")
            continue
        lines.setdefault(reading.ambiguity, []).append(_line(pair, found, harmless))
    text = "".join(f"  {id_}:\n{''.join(items)}" for id_, items in lines.items())
    head = "# The smallest scenario that parts each two readings; written by `brou witness --write`.\n"
    body = f"{head}format: brou-witnesses/1\ngame: {game}\nwitnesses:\n{text}"
    path_of(game, "witnesses").write_text(body, encoding="utf-8")
    return lacking


def _line(pair: tuple[str, str], found: Parting | None, harmless: str) -> str:
    names = ", ".join(json.dumps(value) for value in pair)
    what = f"scenario: {found.scenario.id}" if found else f"harmless: {json.dumps(harmless)}"
    return f"  - {{pair: [{names}], {what}}}\n"
