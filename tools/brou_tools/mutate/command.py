"""`brou mutate`: mutation scores: how many mutants of the rules the scenarios or the obligations notice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from brou import catalogue, choose
from brou.atomic import put
from brou_tools.documents.json_document import print_report, print_schema
from brou_tools.documents.part_record import Parts, open_record
from brou_tools.mutate.fates import MutantFate, draw_mutants, fates, score_fates
from brou_tools.mutate.options import MutateOptions
from brou_tools.questions.mutation_scores import FateCounts, MutationReport, MutationScores
from brou_tools.questions.register import path_of
from brou_tools.smt.solve import z3
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.progress import ProgressLine


def run(options: MutateOptions) -> int:
    """Put mutants of some games to the evidence, and print or write the scores; 1 if one lives, or there is none."""
    if options.schema:
        print_schema("mutants")
        return Exit.FINE
    games = [choose(game).game for game in options.games] or list(catalogue())
    z3()
    about = {"command": "mutate", "games": games, "seed": options.seed, "mutants": options.mutants}
    with open_record(Path(options.report) if options.report else None, about, resume=options.resume) as parts:
        found = [score_fates(game, options.seed, _fates(game, options, parts)) for game in games]
    for one in (one for one in found if options.write and one.all.drawn):
        put(path_of(one.game, "mutants"), "".join(f"{line}\n" for line in _file(one)))
    if options.json:
        print_report(MutationReport(games=tuple(found)))
    else:
        print("\n\n".join("\n".join(_tell_scores(one)) for one in found))
    return Exit.FINDING if any(one.alive or not one.all.others for one in found) else Exit.FINE


def _fates(game: str, options: MutateOptions, parts: Parts) -> Sequence[MutantFate]:
    """Return the fates of the mutants of a game, in the order of the draw; those in the record are not tried again."""
    chosen, progress = draw_mutants(game, options.mutants, options.seed), ProgressLine()
    done = {
        one.id: MutantFate(**parts.known[f"{game} {one.id}"]) for one in chosen if f"{game} {one.id}" in parts.known
    }
    with closing(fates(game, [one for one in chosen if one.id not in done], options.jobs, options.scheduler)) as found:
        for fate in found:
            parts.keep(f"{game} {fate.mutant}", asdict(fate))
            done[fate.mutant] = fate
            progress.show(f"{game}: mutants", len(done), len(chosen))
    progress.clear()
    return [done[one.id] for one in chosen]


def _tell_scores(one: MutationScores) -> Iterator[str]:
    """Yield the mutation scores of a game, as people read them."""
    sums, others = one.all, one.all.others
    if not sums.drawn:
        yield f"{one.game}: nothing to ask: its rules have no mutants"
        return
    yield f"{one.game}: {sums.drawn} mutants, seed {one.seed}"
    yield f"  {sums.invalid} do not load, {sums.same} are the same rules; of the {others} others"
    for part, who in ((sums.scenarios, "a scenario notices"), (sums.obligations, "an obligation notices")):
        yield f"  {who} {part} ({part / others:.1%})" if others else f"  {who} none"
    yield f"  neither notices {sums.alive}" if others else "  nothing to ask: none of them is another rule base"
    width = max(len(name) for _, group in _groups(one) for name in group)
    for title, group in _groups(one):
        yield ""
        yield f"  {title:<{width}}" + "".join(f"{column:>13}" for column, _ in sums.items())
        for name, tally in group.items():
            yield f"  {name:<{width}}" + "".join(f"{count:>13}" for _, count in tally.items())
    if one.alive:
        yield ""
        yield "  alive:"
        yield from (f"    {mutant}" for mutant in one.alive)


def _groups(one: MutationScores) -> tuple[tuple[str, Mapping[str, FateCounts]], ...]:
    return ("operators", one.operators), ("sections", one.sections)


def _file(one: MutationScores) -> Iterator[str]:
    """Yield the lines of the file that keeps it."""
    yield "# What notices the mutants of these rules; written by `brou mutate --write`."
    yield f"format: {one.format}"
    yield f"game: {one.game}"
    yield f"seed: {one.seed}"
    yield f"all: {_sums(one.all)}"
    for title, group in _groups(one):
        yield f"{title}:"
        yield from (f"  {name}: {_sums(tally)}" for name, tally in group.items())
    yield "alive:" if one.alive else "alive: []"
    yield from (f"- {json.dumps(mutant)}" for mutant in one.alive)


def _sums(tally: FateCounts) -> str:
    return f"{{{', '.join(f'{key}: {count}' for key, count in tally.items())}}}"
