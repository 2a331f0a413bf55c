"""What the prover found of each statement, under the first rules that it is about, kept as data.

`python -P tools/tests/proved.py` asks every statement whose rules or words have changed since and writes `proved.json`
anew; `--slow` asks those as well that take minutes each, and `--afresh` every one. A result stands as long as its name
does, which is made of all that it rests on: the records of its slice, the statement with its positions, the budget.
Statements about two rule bases rest on more than a slice of one, and are not kept.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from brou import Choice, catalogue, house, rules
from brou_tools.smt.asking import Asking, SolverOptions
from brou_tools.smt.known_proofs import COMPARING, name_proof
from brou_tools.smt.obligations import Obligation, choices, obligations
from brou_tools.smt.prover import prove_obligation
from brou_tools.smt.proving import SLOW_LIMIT
from brou_tools.smt.solve import LIMIT

FILE = Path(__file__).with_name("proved.json")


@dataclass(frozen=True, slots=True)
class KeptResult:
    """The result of a statement: `proved` or `refuted`, under the name that says what it rests on."""

    status: str
    name: str


def list_kept(game: str) -> Iterator[Obligation]:
    """Yield the statements of a game of which a result is kept."""
    yield from (one for one in obligations(game, house()).obligations if one.kind not in COMPARING)


def name_result(game: str, one: Obligation) -> str:
    """Return the name of a result, the same only where all is the same that it rests on."""
    choice = next(choices(game, house(), one))[0]
    return name_proof(rules(choice), one, find_limit(one))


def find_limit(one: Obligation) -> int:
    """Return the steps that a question about a statement may take."""
    return SLOW_LIMIT if one.slow else LIMIT


def read() -> dict[str, dict[str, KeptResult]]:
    """Return the results that are kept, by game and statement."""
    if not FILE.exists():
        return {}
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return {game: {id_: KeptResult(**one) for id_, one in found.items()} for game, found in data.items()}


def write(found: dict[str, dict[str, KeptResult]]) -> None:
    """Write results down, a line each."""
    lines = [
        f" {json.dumps(game)}: {{\n"
        + ",\n".join(f"  {json.dumps(id_)}: {json.dumps(asdict(one))}" for id_, one in sorted(kept.items()))
        + "\n }"
        for game, kept in sorted(found.items())
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> int:
    """Ask what is not known yet, write it down, and return 1 if something does not come out as it should."""
    parser = argparse.ArgumentParser(description="Ask every statement that has changed, and write its result down.")
    parser.add_argument("--slow", action="store_true", help="ask those as well that take minutes each")
    parser.add_argument("--afresh", action="store_true", help="ask every statement")
    options = parser.parse_args()
    known, found, wrong = read(), dict[str, dict[str, KeptResult]](), 0
    for game in catalogue():
        found[game] = {}
        askings: dict[Choice, Asking] = {}
        for one in list_kept(game):
            name = name_result(game, one)
            kept = known.get(game, {}).get(one.id)
            if kept is not None and kept.name == name and not options.afresh:
                found[game][one.id] = kept
                continue
            if one.slow and not options.slow:
                continue
            choice = next(choices(game, house(), one))[0]
            asking = askings.setdefault(choice, Asking(choice, SolverOptions(LIMIT)))
            asking.options.limit = find_limit(one)
            status = prove_obligation(asking, one).status
            print(f"{one.id}: {status}", flush=True)
            wrong += status != one.expect
            found[game][one.id] = KeptResult(status, name)
        write({**known, **found})
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
