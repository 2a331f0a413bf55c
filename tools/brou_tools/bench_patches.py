"""What loading a variant of rules costs beside loading it from scratch; that the games are the same is checked too."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brou import Crash, Impossible, book, choose
from brou.errors import Unusable
from brou.language.load import load
from brou.language.memo import Memo
from brou.language.patch import apply
from brou.language.source import Node
from brou.language.syntax import Game
from brou.shelf.library import Choice, patched, with_readings
from brou.shelf.mutants import mutants, sample

#: How often both are timed, in turn; the median counts.
_ROUNDS = 5
#: What is hoped for.
_TARGET = 0.1
#: How many mutants are drawn.
_MUTANTS = 30


@dataclass(frozen=True, slots=True)
class Share:
    """What part of the time from scratch it takes to load variants of rules, and on what work."""

    what: str
    value: float
    target: float
    work: str


def shares(game: str) -> Iterator[Share]:
    """Yield the rows of a game: its mutants, and its other readings."""
    choice = choose(game)
    rules = patched(choice)
    wrong = [apply(rules, [one.patch]) for one in sample(mutants(rules), _MUTANTS, 1)]
    yield Share("loading a mutant over loading it anew", _shared(rules, wrong), _TARGET, f"{len(wrong)} mutants")
    other = [patched(one) for one in _singles(choice)]
    work = f"{len(other)} rule bases that differ in one reading"
    yield Share("loading a reading over loading it anew", _shared(rules, other), _TARGET, work)


def _singles(choice: Choice) -> Iterator[Choice]:
    """Yield the rule bases that differ from an edition's own in one reading."""
    data = book(choice.game)
    for key in data.editions[choice.edition].readings:
        for value in sorted(data.readings[key].values.keys() - {data.editions[choice.edition].readings[key]}):
            try:
                yield with_readings(choice, {key: value})
            except Impossible:
                continue


def _shared(rules: Node, variants: Sequence[Node]) -> float:
    """Return the time of loading variants of rules that were just loaded over that of loading each from scratch."""
    found = []
    for _ in range(_ROUNDS):
        memo = Memo()
        known = _loaded(rules, memo)
        begun = time.process_time()
        ours = [_loaded(node, memo) for node in variants]
        between = time.process_time()
        theirs = [_loaded(node, Memo()) for node in variants]
        ended = time.process_time()
        if ours != theirs or known is None:
            raise Crash("rules are not the same from the memo: the figures would compare different work")
        found.append((between - begun) / (ended - between))
    return statistics.median(found)


def _loaded(rules: Node, memo: Memo) -> Game | None:
    """Return a rule base, or None where the rules are at fault."""
    try:
        return load(rules, None, memo)
    except Unusable:
        return None
