"""`brou perft`: how many sequences of acts lead on from some deals, for those who write an engine of their own."""

from __future__ import annotations

import json
from typing import NotRequired, TypedDict

from brou.errors import TooCostly
from brou.language.codec import Json
from brou_conformance.programs.engine import choices
from brou_conformance.protocol import schema
from brou_tools.documents.json_document import print_document
from brou_tools.perft.counting import DEEPEST, Counter, dealt
from brou_tools.perft.options import Options
from brou_tools.terminal.exits import Exit


class Position(TypedDict):
    """What was counted from a position: by depth, and where it was asked for by the first act."""

    seed: int
    start: dict[str, Json]
    acts: list[dict[str, Json]]
    counts: list[int]
    divide: NotRequired[dict[str, int]]


class Entry(TypedDict):
    """What was counted of a rule base."""

    game: str
    rules: str
    readings: dict[str, str]
    positions: list[Position]


def run(options: Options) -> int:
    """Count and print."""
    if options.schema:
        print(json.dumps(schema("perft"), indent=2))
        return Exit.FINE
    if options.depth > DEEPEST:
        raise TooCostly(f"sequences of {options.depth} acts; count those of {DEEPEST} at most")
    counters = [Counter(choice) for choice in choices(options.rules)]
    entries = [_entry(counter, options) for counter in counters]
    if options.json:
        print_document("perft", {"games": entries})
        return Exit.FINE
    for entry in entries:
        print(entry["rules"])
        for position in entry["positions"]:
            behind = f" after {len(position['acts'])} acts" if position["acts"] else ""
            print(f"  seed {position['seed']}{behind}: {' '.join(map(str, position['counts']))}")
            for act, count in position.get("divide", {}).items():
                print(f"    {act}: {count}")
    return Exit.FINE


def _entry(counter: Counter, options: Options) -> Entry:
    choice = counter.choice
    wanted = [(seed, after) for seed in options.seed or (1,) for after in options.after or (0,)]
    positions = [_position(counter, seed, after, options) for seed, after in wanted]
    return {"game": choice.game, "rules": str(choice), "readings": dict(choice.readings), "positions": positions}


def _position(counter: Counter, seed: int, after: int, options: Options) -> Position:
    start = dealt(counter.engine.machine, seed)
    state, acts = counter.position(start, seed, after)
    counts = [counter.count(state, depth) for depth in range(1, options.depth + 1)]
    found: Position = {"seed": seed, "start": start, "acts": acts, "counts": counts}
    if options.divide:
        divided = counter.divided(state, options.depth)
        found["divide"] = {json.dumps({"by": seat, "act": act}): count for seat, act, count in divided}
    return found
