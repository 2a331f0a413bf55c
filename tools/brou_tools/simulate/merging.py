"""Documents of simulations become one: the sums of matches with other seeds are added, and nothing is counted twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from brou import BrouError, NoFile, Project, identity, rules
from brou.atomic import read_named
from brou.shapes import Absent, read
from brou_tools.matches.pairs import PairTally
from brou_tools.matches.play import MatchTally
from brou_tools.simulate.report import (
    SimulatedGame,
    SimulationReport,
    SimulationResult,
    join_rows,
    read_pair,
    read_plans,
)

_WANTED = "documents that brou simulate --json wrote"


def merge_documents(paths: Sequence[Path], project: Project, lang: str) -> list[SimulationResult]:
    """Return what the matches in some documents came to together; raise `NoFile` for one that does not fit."""
    found: dict[object, _Merging] = {}
    for path in paths:
        for game in _read_document(path).games:
            known = found.get(_about(game))
            if known is None:
                found[_about(game)] = _Merging(path, project, game)
            else:
                known.add(path, game)
    return [one.result(lang) for one in found.values()]


class _Merging:
    """The sums of one rule base while documents are read."""

    def __init__(self, path: Path, project: Project, game: SimulatedGame) -> None:
        self._game, self._project = game, project
        self._tally = read_pair(game)
        self._rows = list(game.seeds)
        self._check_rules(path, game)
        self._join(path, game)

    def add(self, path: Path, game: SimulatedGame) -> None:
        """Add the matches of another document."""
        self._rows += game.seeds
        self._join(path, game)
        more = read_pair(game)
        if isinstance(self._tally, PairTally):
            if isinstance(more, PairTally):
                self._tally.merge(more)
        elif isinstance(more, MatchTally):
            self._tally.merge(more)

    def _join(self, path: Path, game: SimulatedGame) -> None:
        """Join the rows of seeds; refuse a seed that is there twice."""
        joined = join_rows(self._rows)
        if joined is None:
            first = game.seeds[0][0]
            raise NoFile(path, "documents of other seeds", f"matches from seed {first} on are counted already")
        self._rows = list(joined)

    def _check_rules(self, path: Path, game: SimulatedGame) -> None:
        """Refuse other rules than the present ones; documents that are added name the same hash as the first."""
        try:
            plans = read_plans(game, self._project)
            hashes = [identity(rules(plan.choice)) for plan in plans if plan is not None]
        except BrouError as error:
            raise NoFile(path, _WANTED, str(error)) from error
        told = [game.hash, *([] if isinstance(game.against, Absent) else [game.against.hash])]
        if hashes != told:
            raise NoFile(path, "documents of these rules", f"{game.rules} has changed since; play its matches again")

    def result(self, lang: str) -> SimulationResult:
        """Return the whole."""
        self._tally.settle()
        ours, theirs = read_plans(self._game, self._project)
        return SimulationResult(ours, self._rows, self._tally, theirs, lang)


def _read_document(path: Path) -> SimulationReport:
    """Return the document in a file; raise `NoFile` for a file without one."""
    if not path.is_file():
        raise NoFile(path, _WANTED)
    try:
        document = msgspec.json.decode(read_named(path))
        for game in document["games"]:
            # Figures are made anew from the sums, and reading them would take longer than all else.
            game["figures"] = []
            if "against" in game:
                game["against"]["differences"] = []
        return read(SimulationReport, document)
    except (ValueError, TypeError, KeyError, AttributeError, msgspec.MsgspecError) as error:
        raise NoFile(path, _WANTED, f"no document of a simulation with sums ({error})") from error


def _about(game: SimulatedGame) -> object:
    """Return everything that matches must have alike to be counted together."""
    against = game.against
    other = None
    if not isinstance(against, Absent):
        other = against.rules, tuple(sorted(against.readings.items())), tuple(sorted(against.weights.items()))
    readings, weights = (tuple(sorted(one.items())) for one in (game.readings, game.weights))
    return game.rules, readings, weights, game.mindless, game.packs, game.longest, game.hash, other
