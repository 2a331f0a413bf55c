"""`brou perft`: how many sequences of acts lead on from some deals, for authors of engines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Literal

from brou import TooCostly
from brou.shapes import ABSENT, Absent, Limit, read, shape
from brou_conformance.programs.engine import choices
from brou_conformance.protocol import schema
from brou_tools.documents.json_document import print_report
from brou_tools.perft.counting import DEEPEST, Counter, dealt
from brou_tools.perft.options import PerftOptions
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit


@shape()
class CountedAct:
    """An act that leads to a position."""

    by: Annotated[int, "the seat that takes it"]
    act: Annotated[Mapping[str, object], "the act"]


@shape()
class CountedPosition:
    """A position, and how many sequences of acts are possible from there."""

    seed: Annotated[int, "the seed of the deal"]
    start: Annotated[Mapping[str, object], "the start of a script of the protocol"]
    acts: Annotated[tuple[CountedAct, ...], "the acts from the start to the position"]
    counts: Annotated[tuple[Annotated[int, Limit(minimum=0)], ...], "the number of sequences of one act, of two, ..."]
    divide: Annotated[Mapping[str, int], "the last count, split by the first act"] | Absent = ABSENT


@shape()
class CountedGame:
    """The counts of a rule base."""

    game: Annotated[str, "the game"]
    rules: Annotated[str, "game@edition:setup"]
    readings: Annotated[Mapping[str, str], "readings that differ from the edition's own"]
    positions: Annotated[tuple[CountedPosition, ...], "one entry per position"]


@shape()
class PerftReport:
    """Counts of the sequences of acts that are possible from some deals (brou perft --json)."""

    format: Literal["brou-perft/1"] = "brou-perft/1"
    games: Annotated[tuple[CountedGame, ...], "one entry per rule base"]


def run(options: PerftOptions) -> int:
    """Count and print."""
    if options.schema:
        print(json.dumps(schema("perft"), indent=2))
        return Exit.FINE
    if options.depth > DEEPEST:
        raise TooCostly(f"sequences of {options.depth} acts; count those of {DEEPEST} at most")
    counters = [Counter(choice) for choice in choices(options.rules, options.project)]
    report = PerftReport(games=tuple(_count(counter, options) for counter in counters))
    conclude(f"counted the sequences of {count(len(report.games), 'rule base')}")
    if options.json:
        print_report(report)
        return Exit.FINE
    for game in report.games:
        print(game.rules)
        for position in game.positions:
            behind = f" after {len(position.acts)} acts" if position.acts else ""
            print(f"  seed {position.seed}{behind}: {' '.join(map(str, position.counts))}")
            for act, number in (position.divide or {}).items():
                print(f"    {act}: {number}")
    return Exit.FINE


def _count(counter: Counter, options: PerftOptions) -> CountedGame:
    choice = counter.choice
    wanted = [(seed, after) for seed in options.seed or (1,) for after in options.after or (0,)]
    positions = tuple(_position(counter, seed, after, options) for seed, after in wanted)
    return CountedGame(game=choice.game, rules=str(choice), readings=dict(choice.readings), positions=positions)


def _position(counter: Counter, seed: int, after: int, options: PerftOptions) -> CountedPosition:
    start = dealt(counter.engine.machine, seed)
    state, acts = counter.position(start, seed, after)
    divided = counter.divide(state, options.depth) if options.divide else ()
    divide = {json.dumps({"by": seat, "act": act}): count for seat, act, count in divided}
    return CountedPosition(
        seed=seed,
        start=start,
        acts=tuple(read(CountedAct, act) for act in acts),
        counts=tuple(counter.count(state, depth) for depth in range(1, options.depth + 1)),
        divide=divide if options.divide else ABSENT,
    )
