"""`brou dispute`: the template of an objection, filled in with the case or clause that it is about."""

from __future__ import annotations

import os
from pathlib import Path

from brou import Choice, Project, Unknown, catalogue, choose, with_readings
from brou.atomic import put
from brou_conformance.reports.sources import find_texts, read_citable
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_tools.dispute.options import DisputeOptions
from brou_tools.dispute.template import write_case, write_clause
from brou_tools.terminal.closing import conclude
from brou_tools.terminal.exits import Exit


def run(options: DisputeOptions) -> int:
    """Write the template for a case or a clause."""
    texts = find_texts(options.sources, os.environ)
    project = options.project
    folder: corpus.Corpus = project if options.scenarios is None else Path(options.scenarios)
    game = next((game for game in catalogue(project) if options.subject in read_citable(game, project)), None)
    if game is None:
        found, step = _find_case(options.subject, folder, project)
        written = write_case(found, _choose(found, options.rules, project), step, texts)
    else:
        written = write_clause(options.subject, choose(options.rules or game, project), texts)
    conclude(f"drafted an objection to {options.subject}")
    if options.output is None:
        print(written, end="")
    else:
        put(Path(options.output), written)
    return Exit.FINE


def _find_case(subject: str, folder: corpus.Corpus, project: Project) -> tuple[Scenario, str]:
    """Return a scenario, and the id of its step if the subject names one."""
    name, _, step = subject.partition("#")
    known = {one.id: one for game in corpus.games(folder) for one in corpus.scenarios(game, folder)}
    if name not in known:
        citable = [*known, *(id_ for game in catalogue(project) for id_ in read_citable(game, project))]
        raise Unknown("case or clause", subject, citable, "brou corpus list", "brou show GAME")
    return known[name], step


def _choose(one: Scenario, named: str | None, project: Project) -> Choice:
    """Return the rules that are named, else the first that a scenario holds for, under its premise."""
    if named is not None:
        return choose(named, project)
    edition, setup = (f"{sign}{names[0]}" if names else "" for sign, names in (("@", one.editions), (":", one.setups)))
    return with_readings(choose(f"{one.game}{edition}{setup}", project), one.premise)
