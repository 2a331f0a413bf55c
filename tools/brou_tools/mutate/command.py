"""`brou mutate`: mutation scores: how many mutants of the rules the scenarios or the obligations notice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path

from brou import Choice, Project, book, catalogue, choose
from brou.atomic import put
from brou.shapes import write_object
from brou_conformance.scenarios.quick import QuickChoice, QuickEdition, read_quick
from brou_tools.documents.json_document import print_report, print_schema
from brou_tools.documents.part_record import Parts, open_record
from brou_tools.mutate.bites import bite_all, find_stale
from brou_tools.mutate.fates import MutantFate, draw_mutants, fates, score_fates
from brou_tools.mutate.options import MutateOptions
from brou_tools.mutate.quick import (
    SHARE,
    NoticedMutant,
    choose_cases,
    draw_apart,
    draw_edition_mutants,
    notice,
    try_choice,
)
from brou_tools.mutate.random_play import tell_random_play
from brou_tools.questions.bite_scores import BiteScores, ClauseBite, read_bites
from brou_tools.questions.mutation_scores import FateCounts, MutationReport, MutationScores
from brou_tools.questions.register import path_of
from brou_tools.smt.damages import list_damages
from brou_tools.smt.solve import z3
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.cluster import open_sharing
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.progress import ProgressLine


def run(options: MutateOptions) -> int:
    """Put mutants of some games to the evidence, and print or write the scores; 1 if one lives, or there is none."""
    if options.schema:
        print_schema("mutants")
        return Exit.FINE
    project = options.project
    games = [choose(game, project).game for game in options.games] or list(catalogue(project))
    if options.quick:
        return _choose_quick(games, options) if options.write else _check_quick(games, options)
    z3()
    if options.clauses:
        return _bite(games, options)
    about = {"command": "mutate", "games": games, "seed": options.seed, "mutants": options.mutants}
    report = Path(options.report) if options.report else None
    with open_record(report, about, project, resume=options.resume) as parts:
        found = [score_fates(game, options.seed, _fates(game, project, options, parts)) for game in games]
    # A run in which nothing loads tells of something else, and not of what notices mutants.
    for one in (one for one in found if options.write and one.all.others):
        put(path_of(one.game, project, "mutants"), "".join(f"{line}\n" for line in _file(one)))
    conclude(f"tried mutants of {count(len(found), 'game')}")
    if options.json:
        print_report(MutationReport(games=tuple(found)))
    else:
        print("\n\n".join("\n".join(_tell_scores(one, _try_alive(one, options))) for one in found))
    return Exit.FINDING if any(one.alive or not one.all.others for one in found) else Exit.FINE


def _fates(game: str, project: Project, options: MutateOptions, parts: Parts) -> Sequence[MutantFate]:
    """Return the fates of the mutants of a game, in the order of the draw; those in the record are not tried again."""
    chosen, progress = draw_mutants(game, project, options.mutants, options.seed), ProgressLine()
    done = {
        one.id: MutantFate(**parts.known[f"{game} {one.id}"]) for one in chosen if f"{game} {one.id}" in parts.known
    }
    left = [one for one in chosen if one.id not in done]
    with closing(fates(game, project, left, options.jobs, options.scheduler)) as found:
        for fate in found:
            parts.keep(f"{game} {fate.mutant}", asdict(fate))
            done[fate.mutant] = fate
            progress.show(f"{game}: mutants", len(done), len(chosen))
    progress.clear()
    return [done[one.id] for one in chosen]


# Clauses --------------------------------------------------------------------------------------------------------------


def _bite(games: Sequence[str], options: MutateOptions) -> Exit:
    """Damage the rules of clauses until a statement that cites each notices; 1 if none does, and for no reason.

    With `--write` each result is written down at once; a later run asks again where rules or statements have changed.
    """
    project, progress, found = options.project, ProgressLine(), list[BiteScores]()
    for game in games:
        known = read_bites(game, project) or BiteScores(game=game, clauses={}, exempt={})
        order = [one.clause for one in list_damages(game, project)]
        asked = find_stale(game, project, known) if options.write else order
        done = {clause: one for clause, one in known.clauses.items() if clause in order and clause not in asked}
        with closing(bite_all(game, project, asked, options.jobs, options.scheduler)) as made:
            for number, (clause, one) in enumerate(made, 1):
                done[clause] = one
                progress.show(f"{game}: clauses", number, len(asked))
                if options.write:
                    put(path_of(game, project, "bites"), _write_bites(known, order, done))
        if options.write:
            put(path_of(game, project, "bites"), _write_bites(known, order, done))
        found.append(BiteScores(game=game, clauses={one: done[one] for one in order}, exempt=known.exempt))
    progress.clear()
    conclude(f"damaged the clauses of {count(len(found), 'game')}")
    print("\n".join(line for one in found for line in _tell_bites(one)))
    return Exit.FINDING if any(one.toothless for one in found) else Exit.FINE


def _write_bites(known: BiteScores, order: Sequence[str], done: Mapping[str, ClauseBite]) -> str:
    """Return the text of the file that keeps which clauses bite."""
    lines = ["# For which clauses statements bite; written by `brou mutate --clauses --write`, but for `exempt`."]
    lines += [f"format: {known.format}", f"game: {known.game}", "clauses:"]
    for clause in (one for one in order if one in done):
        fields = write_object(done[clause])
        lines.append(f"  {clause}: {{{', '.join(f'{key}: {json.dumps(value)}' for key, value in fields.items())}}}")
    lines.append("exempt:" if known.exempt else "exempt: {}")
    lines += [f"  {clause}: {json.dumps(reason, ensure_ascii=False)}" for clause, reason in known.exempt.items()]
    return "\n".join(lines) + "\n"


def _tell_bites(one: BiteScores) -> Iterator[str]:
    """Yield for which clauses of a game statements bite, as people read it."""
    damaged = [clause for clause in one.clauses.values() if clause.damages]
    bitten = [clause for clause in damaged if clause.by]
    told = f"{len(bitten)} of {count(len(damaged), 'clause')} bite"
    untold = sum(not clause.turned for clause in bitten)
    yield f"{one.game}: {told}, {untold} of them as a statement can no longer be stated"
    if idle := len(one.clauses) - len(damaged):
        yield f"  {count(idle, 'clause')} without a rule of their own"
    for clause, why in one.exempt.items():
        yield f"  {clause} does not bite: {why}"
    for clause in one.toothless:
        cited = count(one.clauses[clause].statements, "statement")
        yield f"  {clause}: no damage turns a statement that cites it; {cited} cite it"


# Quick ----------------------------------------------------------------------------------------------------------------


def _choose_quick(games: Sequence[str], options: MutateOptions) -> Exit:
    """Choose the cases of each edition anew and write them down."""
    z3()
    about = {"command": "mutate --quick", "games": games, "seed": options.seed, "mutants": options.mutants}
    report, project = Path(options.report) if options.report else None, options.project
    with open_record(report, about, project, resume=options.resume) as parts:
        for game in games:
            chosen = {
                edition: choose_cases(*_notice_all(choose(f"{game}@{edition}", project), options, parts))
                for edition in book(game, project).editions
            }
            made = QuickChoice(game=game, seed=options.seed, drawn=options.mutants, editions=chosen)
            put(path_of(game, project, "quick"), "".join(f"{line}\n" for line in _write_quick(made)))
            print("\n".join(_tell_quick(f"{game}@{edition}", one) for edition, one in chosen.items()), flush=True)
    return Exit.FINE


def _notice_all(
    first: Choice, options: MutateOptions, parts: Parts
) -> tuple[Sequence[NoticedMutant], Sequence[NoticedMutant]]:
    """Return mutants to make a choice by and others to measure it, with all cases that notice them.

    Those in the record are not tried again.
    """
    name, progress = f"{first.game}@{first.edition}", ProgressLine()
    made_by, unseen = draw_apart(first, options.mutants, options.seed)
    drawn = [*made_by, *unseen]
    done = {
        one.id: NoticedMutant(one.id, *parts.known[f"{name} {one.id}"])
        for one in drawn
        if f"{name} {one.id}" in parts.known
    }
    left = [one for one in drawn if one.id not in done]
    with closing(open_sharing(options.jobs, options.scheduler)(partial(notice, first), left)) as found:
        for _, one in found:
            parts.keep(f"{name} {one.mutant}", [one.other, list(one.cases)])
            done[one.mutant] = one
            progress.show(f"{name}: mutants", len(done), len(drawn))
    progress.clear()
    return [done[one.id] for one in made_by], [done[one.id] for one in unseen]


def _check_quick(games: Sequence[str], options: MutateOptions) -> Exit:
    """Tell how many mutants the kept cases notice that were not used to choose them; 1 if too few."""
    enough = True
    for game in games:
        known = read_quick(game, options.project)
        if known is None:
            continue
        for edition, chosen in known.editions.items():
            name = f"{game}@{edition}"
            first = choose(name, options.project)
            made_by = {one.id for one in draw_apart(first, known.drawn, known.seed)[0]}
            drawn = [one for one in draw_edition_mutants(first, options.mutants, options.seed) if one.id not in made_by]
            ids = frozenset(one.id for one in chosen.cases)
            with closing(open_sharing(options.jobs, options.scheduler)(partial(try_choice, first, ids), drawn)) as made:
                tried = [found for _, found in made]
            by_choice, by_all = (sum(one[place] for one in tried) for place in (0, 1))
            enough = enough and by_choice >= SHARE * by_all
            share = f" ({by_choice / by_all:.1%})" if by_all else ""
            told = f"{len(ids)} cases notice {by_choice}{share} of the {by_all} mutants that all scenarios notice"
            fresh = f"of {len(drawn)} drawn with seed {options.seed} that the choice was not made by"
            print(f"{name}: {told}, {fresh}", flush=True)
    return Exit.FINE if enough else Exit.FINDING


def _tell_quick(name: str, one: QuickEdition) -> str:
    fewest = "no fewer do" if one.least == len(one.cases) else f"fewer than {one.least} never do"
    noticed = f"the {one.noticed} mutants that all scenarios notice, of {one.mutants}"
    unseen = one.unseen
    others = f"of {unseen.noticed} others they notice {unseen.reached} ({unseen.share:.1%})"
    return f"{name}: {len(one.cases)} cases notice {noticed}; {fewest}; {others}"


def _write_quick(made: QuickChoice) -> Iterator[str]:
    """Yield the lines of the file that keeps a choice."""
    yield "# The cases of `brou verify --quick`, in order; written by `brou mutate --quick --write`."
    yield f"format: {made.format}"
    yield f"game: {made.game}"
    yield f"seed: {made.seed}"
    yield f"drawn: {made.drawn}"
    yield "editions:"
    for edition, one in made.editions.items():
        yield f"  {json.dumps(edition)}:"
        yield f"    mutants: {one.mutants}"
        yield f"    noticed: {one.noticed}"
        yield f"    least: {one.least}"
        yield f"    unseen: {{noticed: {one.unseen.noticed}, reached: {one.unseen.reached}}}"
        yield "    cases:" if one.cases else "    cases: []"
        for case in one.cases:
            yield f"    - id: {case.id}"
            yield "      notices:"
            yield from (f"      - {json.dumps(mutant)}" for mutant in case.notices)


def _try_alive(one: MutationScores, options: MutateOptions) -> Mapping[str, str]:
    """Return what random play shows of the mutants of a game that nothing notices, by id."""
    drawn = draw_mutants(one.game, options.project, options.mutants, one.seed) if one.alive else []
    return tell_random_play(one.game, options.project, [mutant for mutant in drawn if mutant.id in one.alive])


def _tell_scores(one: MutationScores, played: Mapping[str, str]) -> Iterator[str]:
    """Yield the mutation scores of a game, as people read them, and what random play shows of mutants by id."""
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
        yield from (f"    {mutant}{f': {played[mutant]}' if mutant in played else ''}" for mutant in one.alive)


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
