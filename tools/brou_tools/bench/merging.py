"""The cost of adding up the documents of many shards: a command of its own, from its start to its end."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from brou import Folder, choose, open_project
from brou.atomic import put
from brou.shapes import write_object
from brou_conformance.protocol import encode
from brou_tools.bench.growth import measure_process
from brou_tools.bench.patches import BROU, Share
from brou_tools.matches.plan import MatchPlan, play_seeds
from brou_tools.simulate.report import SimulationReport, SimulationResult

#: So many documents of so many matches each; how often they are added up, the least counts.
_SHARDS, _MATCHES, _ROUNDS = 1_000, 20, 3
#: Seconds of computing.
_TARGET = 1.0


def measure_merging(game: str, folder: Folder = None) -> Share:
    """Return the seconds of computing that `brou simulate --merge` takes for the documents of a thousand shards."""
    project = open_project(folder)
    plan = MatchPlan(choose(game, project))
    tally = play_seeds(plan, range(_MATCHES))
    whole = SimulationResult(plan, [(0, _MATCHES)], tally, None, "en").report()
    with tempfile.TemporaryDirectory() as room:
        paths = [Path(room) / f"{number}.json" for number in range(_SHARDS)]
        for number, path in enumerate(paths):
            first = number * _MATCHES
            shard = replace(whole, seed=first, seeds=((first, _MATCHES),))
            put(path, encode(write_object(SimulationReport(games=(shard,)))))
        asked = [*BROU, "simulate", "--merge", "--data", str(project.data), "-q", *map(str, paths)]
        least = min(measure_process(_SHARDS, asked).seconds for _ in range(_ROUNDS))
    return Share(f"merging {_SHARDS:,} shards", least, _TARGET, f"all of the command, {_MATCHES} matches a shard")
