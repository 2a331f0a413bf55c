"""Results of a million random acts under the rules of the house (`make golden`), for wrappers to check themselves.

A seed draws the acts, all alike, and another match follows one that ends; the hash is that of all acts, the
digest that of the last state with all that is open in it. A shorter run is there as well, for tests.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TypedDict

from brou import Choice, Game, catalogue, identity, open_engine, rules, spread
from brou.atomic import put
from brou.native import AnyEngine, LoadedEngine
from brou_tools.terminal.exits import Exit

#: Where they are written down, and the seed and lengths of the runs.
_FILE = "golden.json"
SEED = 1
SHORT, LONG = 1_000, 1_000_000


class GoldenRun(TypedDict):
    """So many acts of a seed and what they lead to."""

    seed: int
    acts: int
    hash: str
    digest: str


class GoldenRules(TypedDict):
    """The runs of one rule base, and the hash of its rules."""

    rules: str
    short: GoldenRun
    long: GoldenRun


def find_golden(choice: Choice, game: Game) -> GoldenRun | None:
    """Return the long run of a rule base, None where it was not written down for just these rules."""
    found = read_golden().get(str(choice))
    return found["long"] if found is not None and found["rules"] == identity(game) else None


def read_golden() -> Mapping[str, GoldenRules]:
    """Return all that is written down, by rule base."""
    found: Mapping[str, GoldenRules] = json.loads(files("brou_tools.build").joinpath(_FILE).read_text(encoding="ascii"))
    return found


def make_run(engine: AnyEngine, acts: int) -> GoldenRun:
    """Return what so many acts lead to."""
    if isinstance(engine, LoadedEngine):
        state = engine.begin()
        hash_, digest = engine.play(state, SEED, acts, hashed=True).counts["hash"], engine.digest(state)
    else:
        other = engine.begin()
        hash_, digest = engine.play(other, SEED, acts, hashed=True).counts["hash"], engine.digest(other)
    return {"seed": SEED, "acts": acts, "hash": f"{hash_:016x}", "digest": digest}


def main() -> int:
    """Write all anew."""
    golden = {}
    for choice in (one for game in catalogue() for one in spread(game)):
        game = rules(choice)
        engine = open_engine(game)
        golden[str(choice)] = {
            "rules": identity(game),
            "short": make_run(engine, SHORT),
            "long": make_run(engine, LONG),
        }
    put(Path(__file__).with_name(_FILE), f"{json.dumps(golden, indent=1)}\n")
    print(f"{len(golden)} rule bases, {LONG:,} acts each")
    return Exit.FINE


if __name__ == "__main__":
    sys.exit(main())
