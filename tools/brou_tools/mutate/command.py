"""`brou mutate`: mutation scores: how many mutants of the rules the scenarios or the obligations notice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from brou import catalogue, choose
from brou.atomic import put, read_named
from brou.games.folder import root
from brou_tools.documents.json_document import print_document
from brou_tools.documents.part_record import Parts, open_record
from brou_tools.mutate.fates import INVALID, SAME, Fates, MutantFate, document, draw_mutants, fates, share
from brou_tools.mutate.options import MutateOptions
from brou_tools.questions.register import path_of
from brou_tools.smt.solve import z3
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.progress import ProgressLine

#: Of what is kept of a game, in its file and in the document.
FORMAT = "brou-mutants/1"
_COLUMNS = ("drawn", INVALID, SAME, "scenarios", "obligations", "alive")
_GROUPS: tuple[Literal["operators", "sections"], ...] = ("operators", "sections")


def run(options: MutateOptions) -> int:
    """Put mutants of some games to the evidence, and print or write the scores; 1 if one lives, or there is none."""
    if options.schema:
        print(read_named(root() / "schemas" / "mutants.schema.json").decode(), end="")
        return Exit.FINE
    games = [choose(game).game for game in options.games] or list(catalogue())
    z3()
    about = {"command": "mutate", "games": games, "seed": options.seed, "mutants": options.mutants}
    with open_record(Path(options.report) if options.report else None, about, resume=options.resume) as parts:
        found = [document(game, options.seed, _fates(game, options, parts)) for game in games]
    for one in (one for one in found if options.write and one["all"]):
        put(path_of(one["game"], "mutants"), "".join(f"{line}\n" for line in _file(one)))
    if options.json:
        print_document("mutation", {"games": [{"format": FORMAT, **one} for one in found]})
    else:
        print("\n\n".join("\n".join(_tell_fates(one)) for one in found))
    return Exit.FINDING if any(one["alive"] or not _count_others(one) for one in found) else Exit.FINE


def _count_others(one: Fates) -> int:
    """Return how many mutants of a game were other rules, so that something could notice them."""
    return share(one["all"], "drawn")[1] if one["all"] else 0


def _fates(game: str, options: MutateOptions, parts: Parts) -> Sequence[MutantFate]:
    """Return the fates of the mutants of a game, in the order of the draw; those in the record are not tried again."""
    chosen, progress = draw_mutants(game, options.mutants, options.seed), ProgressLine()
    done = {
        one.id: MutantFate(**parts.known[f"{game} {one.id}"]) for one in chosen if f"{game} {one.id}" in parts.known
    }
    with closing(fates(game, [one for one in chosen if one.id not in done], options.jobs)) as found:
        for fate in found:
            parts.keep(f"{game} {fate.mutant}", asdict(fate))
            done[fate.mutant] = fate
            progress.show(f"{game}: mutants", len(done), len(chosen))
    progress.clear()
    return [done[one.id] for one in chosen]


def _tell_fates(one: Fates) -> Iterator[str]:
    """Yield the mutation scores of a game, as people read them."""
    sums, others = one["all"], _count_others(one)
    if not sums:
        yield f"{one['game']}: nothing to ask: its rules have no mutants"
        return
    yield f"{one['game']}: {sums['drawn']} mutants, seed {one['seed']}"
    yield f"  {sums[INVALID]} do not load, {sums[SAME]} are the same rules; of the {others} others"
    for key, who in (("scenarios", "a scenario notices"), ("obligations", "an obligation notices")):
        part, whole = share(sums, key)
        yield f"  {who} {part} ({part / whole:.1%})" if whole else f"  {who} none"
    yield f"  neither notices {sums['alive']}" if others else "  nothing to ask: none of them is another rule base"
    width = max(len(name) for group in _GROUPS for name in one[group])
    for group in _GROUPS:
        yield ""
        yield f"  {group:<{width}}" + "".join(f"{column:>13}" for column in _COLUMNS)
        for name, tally in one[group].items():
            yield f"  {name:<{width}}" + "".join(f"{tally[column]:>13}" for column in _COLUMNS)
    if one["alive"]:
        yield ""
        yield "  alive:"
        yield from (f"    {mutant}" for mutant in one["alive"])


def _file(one: Fates) -> Iterator[str]:
    """Yield the lines of the file that keeps it."""
    yield "# What notices the mutants of these rules; written by `brou mutate --write`."
    yield f"format: {FORMAT}"
    yield f"game: {one['game']}"
    yield f"seed: {one['seed']}"
    yield f"all: {_sums(one['all'])}"
    for group in _GROUPS:
        yield f"{group}:"
        yield from (f"  {name}: {_sums(tally)}" for name, tally in one[group].items())
    yield "alive:" if one["alive"] else "alive: []"
    yield from (f"- {json.dumps(mutant)}" for mutant in one["alive"])


def _sums(tally: Mapping[str, int]) -> str:
    return f"{{{', '.join(f'{key}: {tally[key]}' for key in _COLUMNS)}}}"
