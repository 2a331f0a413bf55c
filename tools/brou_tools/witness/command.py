"""`brou witness`: for each two readings of an open question the smallest situation in which they differ."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence

from brou import Project, Unknown, catalogue, choose
from brou.atomic import put
from brou.words import find_user_language
from brou_tools.documents.json_document import print_report, print_schema
from brou_tools.questions.parting import SeparatingScenario, bare, pairs, smallest
from brou_tools.questions.register import Witness, exempt, path_of, questions, witnesses
from brou_tools.questions.shrinking import shrunk
from brou_tools.questions.situation import Situation, of
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit
from brou_tools.witness.options import WitnessOptions
from brou_tools.witness.report import WitnessReport
from brou_tools.witness.search import SearchResult, harmless, search, starts
from brou_tools.witness.witness_text import describe, draft_scenario, parting_of, tell_witness


def run(options: WitnessOptions) -> int:
    """Show witnesses for the readings of some passages, search for smaller ones, or write all anew; 1 if one lacks."""
    if options.schema:
        print_schema("witness")
        return Exit.FINE
    project = options.project
    if options.write:
        games = [choose(name, project).game for name in options.ambiguities] or list(catalogue(project))
        lacking = [
            line
            for game in games
            for line in (_write_witnesses(game, project) if any(pairs(game, project)) else [_unread(game)])
        ]
        print("\n".join(lacking) or "every two readings are distinguished")
        return Exit.FINDING if lacking else Exit.FINE
    found = list(_find_witnesses(options.ambiguities, project))
    idle = list(_idle(options.ambiguities, found, project))
    conclude(f"looked at {count(len(found), 'pair')} of readings")
    if options.search:
        return _print_drafts(found, idle, project)
    if options.json:
        print_report(WitnessReport(witnesses=tuple(describe(one, project) for _, one in found)))
    else:
        lang = find_user_language(options.lang, os.environ, project)
        print("\n".join(tell_witness(one, game, project, lang) for game, one in found), end="")
    for line in idle:
        print(line, file=sys.stderr if options.json else sys.stdout)
    return Exit.FINDING if idle else Exit.FINE


def _unread(game: str) -> str:
    return f"{game}: nothing to distinguish: it has no open question with two readings"


def _idle(names: Sequence[str], found: Sequence[tuple[str, Witness]], project: Project) -> Iterator[str]:
    """Yield for each passage or game that was named why there is nothing to show of it; or that there is nothing."""
    shown = {name for game, one in found for name in (game, one.ambiguity)}
    if not names and not found:
        yield "nothing to show: no game has a witness"
    for name in names:
        if name in shown:
            continue
        if name in catalogue(project):
            yield f"{name}: nothing to show: no witness is written down" if any(pairs(name, project)) else _unread(name)
            continue
        game = next(game for game in catalogue(project) if name in questions(game, project))
        unwritten = any(reading.ambiguity == name for reading, _ in pairs(game, project))
        none = f"no witness is written down; write all of {game}: brou witness {game} --write"
        why = exempt(game, project).get(name) or (
            none if unwritten else "it has no two readings that a program could follow"
        )
        yield f"{name}: nothing to show: {why}"


def _find_witnesses(names: Sequence[str], project: Project) -> Iterator[tuple[str, Witness]]:
    """Yield the witnesses of the passages, or games, that are named, each with its game."""
    every = {id_: game for game in catalogue(project) for id_ in questions(game, project)}
    for name in names:
        if name not in every and name not in catalogue(project):
            raise Unknown("open passage or game", name, [*catalogue(project), *every], "brou ambiguities")
    for game in catalogue(project):
        for witness in witnesses(game, project):
            if not names or witness.ambiguity in names or game in names:
                yield game, witness


# Smaller ones ---------------------------------------------------------------------


def _print_drafts(found: Sequence[tuple[str, Witness]], idle: Sequence[str], project: Project) -> int:
    """Print a draft of each situation that is smaller than a witness; 1 if there is any, or nothing to search from."""
    if not any(one.scenario for _, one in found):
        print("\n".join(idle) or "nothing to search from: no scenario distinguishes these readings")
        return Exit.FINDING
    drafts = []
    for game, one in found:
        if one.scenario:
            less = _less(parting_of(one, project), questions(game, project)[one.ambiguity].string("key"))[1]
            drafts += (
                [f"# {one.ambiguity}: {' or '.join(one.pair)}\n{draft_scenario(less)}"] if less is not None else []
            )
    print("\n".join(drafts) or "nothing smaller was found")
    return Exit.FINDING if drafts else Exit.FINE


def _less(witness: SeparatingScenario, key: str) -> tuple[SearchResult | None, Situation | None]:
    """Return the search for a situation with fewer decisions, and the smallest one if it beats the witness."""
    known = of(witness)
    if known is None:
        return None, None
    least = shrunk(known)
    looked = search(known.rules, starts(known.rules, key), min(least.decisions, witness.decisions) - 1)
    less = least if looked.found is None else shrunk(looked.found)
    return looked, less if (less.deals, less.decisions) < (witness.deals, witness.decisions) else None


# Writing down ---------------------------------------------------------------------


def _write_witnesses(game: str, project: Project) -> list[str]:
    """Write down the witnesses of a game and say which pairs less would distinguish; return the pairs without one."""
    if not any(pairs(game, project)):
        return [_unread(game)]
    lines: dict[str, list[str]] = {}
    lacking: list[str] = []
    for reading, pair in pairs(game, project):
        name = f"{reading.ambiguity}: {pair[0]} and {pair[1]}"
        found = smallest(game, project, reading, pair)
        if found is not None:
            looked, less = _less(found, reading.key)
            lines.setdefault(reading.ambiguity, []).append(_line(pair, found, looked, _cards(found)))
            if less is not None:
                print(f"{name} differ in {less.deals} deal(s) and {less.decisions} decision(s) too: --search drafts it")
            continue
        reasons = [harmless(both, reading.key) for both in bare(game, project, reading.key, pair)]
        if reasons and all(reasons):
            item = f"  - {{pair: {_names(pair)}, harmless: {json.dumps(reasons[0])}}}\n"
            lines.setdefault(reading.ambiguity, []).append(item)
        else:
            lacking.append(f"{name}: they differ, but in no scenario")
    _put(game, project, lines)
    return lacking


def _cards(found: SeparatingScenario) -> int:
    """Return with how few cards in hand a solver finds the two different, none where it is not asked or not there."""
    from brou_tools.smt.separate import prove_least  # noqa: PLC0415 - needs a solver
    from brou_tools.smt.solve import NoSolver  # noqa: PLC0415 - likewise

    known = of(found)
    try:
        separation = None if known is None else prove_least(known)
    except NoSolver:
        return 0
    return 0 if separation is None else separation.cards


def _line(pair: tuple[str, str], found: SeparatingScenario, looked: SearchResult | None, cards: int) -> str:
    counted = f"deals: {found.deals}, decisions: {found.decisions}"
    tried = f", tried: {looked.tried}" if looked is not None else ""
    least = f", cards: {cards}" if cards else ""
    return f"  - {{pair: {_names(pair)}, scenario: {found.scenario.id}, {counted}{tried}{least}}}\n"


def _names(pair: tuple[str, str]) -> str:
    return f"[{', '.join(json.dumps(value) for value in pair)}]"


def _put(game: str, project: Project, lines: dict[str, list[str]]) -> None:
    """Write the witnesses of a game, with its exemptions unchanged."""
    text = "".join(f"  {id_}:\n{''.join(items)}" for id_, items in lines.items())
    head = "# The smallest scenario that distinguishes each two readings; written by `brou witness --write`.\n"
    kept = "".join(f"  {id_}: {json.dumps(why)}\n" for id_, why in exempt(game, project).items())
    spared = f"# Written by hand: what needs no witness.\nexempt:\n{kept}" if kept else ""
    body = f"{head}format: brou-witnesses/1\ngame: {game}\n{spared}witnesses:\n{text}"
    put(path_of(game, project, "witnesses"), body)
