"""`brou export`: typed rules as one JSON document."""

from __future__ import annotations

import argparse
import json

from brou import rules
from brou.language.export import export
from brou_conformance.programs.engine import choices
from brou_tools.exits import Exit


def run(options: argparse.Namespace) -> int:
    """Write the rules that the names stand for."""
    games = [
        {"rules": str(choice), "readings": dict(choice.readings), **export(rules(choice))}
        for choice in choices(options.rules)
    ]
    print(json.dumps({"games": games}))
    return Exit.FINE
