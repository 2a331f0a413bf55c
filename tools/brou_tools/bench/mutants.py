"""Loading and lowering mutants by any version of `brou`, the first on the path: a script of its own.

    python mutants.py GAME COUNT

For every line that it reads it loads and lowers so many mutants of a game, other ones each time, and writes one line:
where `brou` lies, which mutants could be lowered, and the processor time. The rules themselves were loaded and lowered
before. Older versions run it as well.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import brou
from brou import Unusable, choose
from brou.compiler.lower import lower

if TYPE_CHECKING:
    from brou import Node
    from brou.games import Mutant

#: Two versions draw the same mutants by a seed; any would do.
_SEED = 1
#: Where games stand, and where they stood.
_ROOMS = ("games", "shelf")


def main(game: str, count: int) -> None:
    """Load and lower as often as a line is read."""
    rules = _find("brou.games.catalogue:patch_rules", "brou.shelf.library:patched")(choose(game))
    found = _find("brou.games:list_mutants", *(f"brou.{room}.mutants:mutants" for room in _ROOMS))(rules)
    drawn = _find("brou.games:sample_mutants", *(f"brou.{room}.mutants:sample" for room in _ROOMS))(
        found, len(found), _SEED
    )
    _lower_rules(rules)
    for number, _ in enumerate(sys.stdin):
        begun = time.process_time()
        lowered = _lower_mutants(rules, drawn[number * count : (number + 1) * count])
        took = time.process_time() - begun
        print(json.dumps({"brou": brou.__file__, "lowered": lowered, "seconds": took}), flush=True)


def _lower_mutants(rules: Node, drawn: Sequence[Mutant]) -> list[bool]:
    """Load and lower the rules with each patch; return which could be."""
    made: list[bool] = []
    patch = _find("brou.language:apply_patches", "brou.language.patch:apply")
    for one in drawn:
        try:
            _lower_rules(patch(rules, [one.patch]))
        except Unusable:
            made.append(False)
        else:
            made.append(True)
    return made


def _lower_rules(rules: Node) -> None:
    lower(_find("brou.language:load_rules", "brou.language.load:load")(rules))


def _find(*places: str) -> Any:  # noqa: ANN401 - whatever has the name
    """Return the first thing that this version has of those named `module:name`, the newest name first."""
    for place in places:
        module, _, name = place.partition(":")
        with suppress(ModuleNotFoundError, AttributeError):
            return getattr(import_module(module), name)
    raise ImportError(f"there is none of {', '.join(places)}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
