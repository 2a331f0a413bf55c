"""Which obligation notices that rules are wrong: each is asked of the mutant if it rests on what was changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from brou import BrouError, Choice, rules
from brou.syntax import Game
from brou_tools.smt.asking import UNKNOWN, Disbelieved, Options
from brou_tools.smt.formula import Forms
from brou_tools.smt.ground import Ground
from brou_tools.smt.obligations import Obligation, choices, obligations
from brou_tools.smt.prover import Prover
from brou_tools.smt.slices import differing, slice_of
from brou_tools.smt.symbols import Symbol

#: Milliseconds for one question.
_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class _Asked:
    """An obligation, the first rules that it is about, and what it rests on there."""

    one: Obligation
    choice: Choice
    rests: frozenset[str]


@lru_cache(maxsize=8)
def _all(game: str) -> tuple[_Asked, ...]:
    found = []
    for one in obligations(game).obligations:
        first = None if one.slow else next(iter(choices(game, one)), None)
        if first is not None:
            found.append(_Asked(one, first[0], slice_of(rules(first[0]), one)))
    return tuple(found)


def bites(game: str, other: Callable[[Choice], Game | None]) -> str:
    """Return the first obligation that other rules do not keep, or that cannot be stated of them; nothing if all hold.

    `other` returns the rules to be asked instead of those of a choice, or None where they are the same.
    """
    provers: dict[Choice, Prover] = {}
    for asked in _all(game):
        made = other(asked.choice)
        changed = frozenset() if made is None else differing(rules(asked.choice), made)
        if made is None or (changed is not None and not changed & asked.rests):
            continue
        prover = provers.setdefault(asked.choice, Prover(asked.choice, Options(_LIMIT), _Made(made)))
        if _fails(prover, asked.one):
            return asked.one.id
    return ""


@dataclass(frozen=True, slots=True)
class _Made:
    """Makes the ground of other rules in the place of those of a choice."""

    game: Game

    def __call__(self, choice: Choice, forms: Forms | None = None, given: Mapping[str, Symbol] | None = None) -> Ground:
        return Ground.around(choice, self.game, forms, given)


def _fails(prover: Prover, one: Obligation) -> bool:
    """Say whether an obligation comes out otherwise; that the solver does not know is no finding against rules."""
    try:
        found = prover.prove(one)
    except (BrouError, Disbelieved, ArithmeticError, LookupError, TypeError):
        return True
    return found.status not in (one.expect, UNKNOWN) or (found.status == UNKNOWN and "nothing is as" in found.reason)
