"""`brou check`: faults of data files, found without playing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from brou import catalogue
from brou.check import check, source_faults
from brou.errors import Fault, NoFile, Unusable
from brou.language.source import read
from brou.shelf.library import book, root
from brou.words.reviewed import rewritten, spoken, write
from brou_conformance.programs.engine import choices
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import deal_faults
from brou_tools.exits import Exit
from brou_tools.matches.conduct import conduct, taught
from brou_tools.questions.register import shaped
from brou_tools.smt.obligations import obligations

#: What else is said of a game, each kind with a schema of its name.
_BESIDE = ("witnesses", "frequencies", "mutants", "differences")


def run(options: argparse.Namespace) -> int:
    """Write every fault, one a line, and how many there are; with `--reviewed`, first what was written down."""
    for named in (options.path, options.sources):
        if named is not None and not Path(named).exists():
            raise NoFile(named, "one that is there", "no such file or folder")
    if options.reviewed:
        folder = root() if options.path is None else Path(options.path)
        if not (folder / "games").is_dir():
            raise NoFile(folder, "one with the texts that are reviewed, below games/", "no folder of data")
        _review(folder)
    faults = _ours() if options.path is None else _faults(Path(options.path))
    texts = () if options.sources is None else source_faults(Path(options.sources))
    found = sorted({*faults, *texts})
    for fault in found:
        print(fault)
    if not found:
        return Exit.FINE
    print(f"{len(found)} fault{'s' if len(found) > 1 else ''}", file=sys.stderr)
    return Exit.FINDING


def _review(folder: Path) -> None:
    """Write down that the texts of every game that has any have been reviewed, and say which of them were new."""
    for game in filter(lambda game: spoken(game, folder), catalogue(folder)):
        new = write(game, folder)
        told = f"{len(new)} new: {', '.join(new)}" if new else "nothing new"
        print(f"games/{game}/reviewed.yaml: {told}")


def _ours() -> Iterable[Fault]:
    rules_at_fault = check()
    return [*rules_at_fault, *_scenarios(), *(() if rules_at_fault else _beside())]


def _beside() -> Iterator[Fault]:
    """Yield the faults of what stands beside sound rules: conduct, obligations, examples, counts."""
    looks: list[Callable[[str], object]] = [_conduct, obligations, *(partial(shaped, name=name) for name in _BESIDE)]
    for game in catalogue():
        for look in looks:
            try:
                look(game)
            except Unusable as error:
                yield from error.faults


def _conduct(game: str) -> None:
    """Read what random players do, and raise where it means nothing in some edition and set-up."""
    found = conduct(game)
    for choice in choices([game]):
        taught(choice, found.acts, found.tellings)


def _scenarios(folder: Path | None = None) -> list[Fault]:
    """Return the faults of a corpus; only one without any other is dealt."""
    found = corpus.check(folder)
    if found:
        return found
    known = [game for game in corpus.games(folder) if game in catalogue()]
    dealt = [fault for game in known for fault in deal_faults(corpus.scenarios(game, folder), game)]
    return [*dealt, *(fault for game in known for fault in _suspects(corpus.scenarios(game, folder), game))]


def _suspects(found: Iterable[Scenario], game: str) -> Iterator[Fault]:
    """Yield the scenarios that speak for a clause whose text has changed since it was reviewed."""
    try:
        changed = rewritten(game, root())
    except Unusable:
        return
    for one in found:
        cited = ", ".join(clause for clause in one.clauses if clause in changed)
        if cited:
            what = f"{one.id} speaks for {cited}, whose text has changed since it was reviewed"
            yield Fault(one.place, what, "see whether it still holds, then run `brou check --reviewed`")


def _faults(path: Path) -> Iterator[Fault]:
    """Yield the faults of a data file, a scenario file, or a folder of either."""
    if path.is_file() and path.suffix in (".yaml", ".yml"):
        yield from _of_file(path)
    elif path.is_dir() and not (path / "games").is_dir() and corpus.games(path):
        yield from _scenarios(path)
    else:
        yield from check(path)


def _of_file(path: Path) -> Iterator[Fault]:
    """Yield the faults of a file; one that holds a list is a scenario file, in a folder that bears its game's name."""
    try:
        listed = isinstance(read(path).value, tuple)
        if not listed:
            yield from check(path)
            return
        game = path.resolve().parent.name
        found = corpus.of_file(path, game)
        if game in catalogue():
            faults = list(corpus.reference_faults(found, book(game), corpus.clauses(game)))
            yield from faults or deal_faults(found, game)
    except Unusable as error:
        yield from error.faults
