"""Faults of scenarios: shape and references, deals that cannot be, wrong expectations, clauses that have changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from brou import Fault, Place, Project, Unusable, book, catalogue
from brou.chapters import Variants
from brou.check import game_files, remembered_faults
from brou.words import list_rewritten
from brou_conformance.judging.expectations import expectation_faults
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import deal_faults


def find_file_faults(path: Path, project: Project) -> Iterator[Fault]:
    """Yield the faults of a file of scenarios, which lies in a folder that bears its game's name."""
    game = path.parent.resolve().name
    found = corpus.of_file(path, game)
    if game not in catalogue(project):
        what = f"scenarios of {game!r}, which is no game of ours: their shape alone was looked at"
        yield Fault(Place(str(path), 1, 1), what, "put them into a folder that bears the name of its game")
        return
    faults = list(corpus.reference_faults(found, book(game, project), corpus.clauses(game, project)))
    faults = faults or list(deal_faults(found, game, project))
    yield from faults or expectation_faults(found, game, project)


def find_game_faults(game: str, project: Project) -> Iterator[Fault]:
    """Yield the faults of the scenarios of a game; only those without any other are dealt, and then played."""
    made_of = [*sorted((project.scenarios / game).glob("*.yaml")), *game_files(game, project.data)]
    yield from remembered_faults("scenarios", made_of, lambda: _scenario_faults(game, project))


def _scenario_faults(game: str, project: Project) -> Iterator[Fault]:
    found = list(corpus.game_faults(game, project, project))
    yield from found
    if found:
        return
    known = corpus.scenarios(game, project)
    faults = list(deal_faults(known, game, project))
    yield from faults or expectation_faults(known, game, project)
    yield from _suspects(known, game, project.data)
    if project.scenarios == corpus.corpus_root() or not project.is_house:
        yield from _find_unknown_examples(known, game, project)


def _find_unknown_examples(found: Iterable[Scenario], game: str, project: Project) -> Iterator[Fault]:
    """Yield the worked examples in the chapters of a game that are no scenarios of it."""
    maker = book(game, project).maker if game in catalogue(project) else None
    if not isinstance(maker, Variants):
        return
    known = {one.id for one in found}
    for example in maker.volume.list_examples():
        if (id_ := maker.volume.frame.spell_id(example)) not in known:
            yield Fault(example.place, f"no scenario {id_!r}", "name one by its id without the prefix")


def _suspects(found: Iterable[Scenario], game: str, data: Path) -> Iterator[Fault]:
    """Yield the scenarios that speak for a clause whose text has changed since it was reviewed."""
    try:
        changed = list_rewritten(game, data)
    except Unusable:
        return
    for one in found:
        cited = ", ".join(clause for clause in one.clauses if clause in changed)
        if cited:
            what = f"{one.id} speaks for {cited}, whose text has changed since it was reviewed"
            yield Fault(
                one.place, what, "see whether it still holds, then run `brou check --reviewed`", is_lagging=True
            )
