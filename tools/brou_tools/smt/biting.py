"""Mutation testing by proof: the obligations that notice wrong rules.

An obligation is tried on a mutant if it rests on a changed record: once, under the first edition and set-up in which it
does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from brou import (
    BrouError,
    Choice,
    Game,
    Project,
    choose,
    keep_until_changed,
    rules,
)
from brou_tools.smt.asking import UNKNOWN, Asking, Disbelieved, SolverOptions
from brou_tools.smt.formula import Forms
from brou_tools.smt.ground import ProofContext
from brou_tools.smt.obligations import Obligation, choices, obligations
from brou_tools.smt.prover import prove_obligation
from brou_tools.smt.slices import differing, slice_of
from brou_tools.smt.solve import z3
from brou_tools.smt.symbols import Symbol

#: Steps for one question: fewer than where a proof is wanted, since there are many mutants.
_LIMIT = 10_000_000


@dataclass(frozen=True, slots=True)
class _AskedObligation:
    """An obligation, and the records that it rests on under each of its rules, one for each edition and set-up."""

    one: Obligation
    rests: Mapping[Choice, frozenset[str]]


@keep_until_changed(maxsize=8)
def _all(game: str, project: Project) -> tuple[_AskedObligation, ...]:
    return tuple(
        _AskedObligation(one, _rests(game, project, one))
        for one in obligations(game, project).obligations
        if not one.slow
    )


def _rests(game: str, project: Project, one: Obligation) -> dict[Choice, frozenset[str]]:
    first: dict[str, Choice] = {}
    for choice, _ in choices(game, project, one):
        first.setdefault(str(choice), choice)
    return {choice: slice_of(rules(choice), one) for choice in first.values()}


@dataclass(frozen=True, slots=True)
class Notice:
    """An obligation that does not come out as it should of other rules."""

    obligation: str
    #: It comes out otherwise; where it does not, it cannot be stated any more, or says nothing.
    turned: bool


def bites(game: str, project: Project, other: Callable[[Choice], Game | None]) -> str:
    """Return the first obligation that fails, or cannot be stated, under other rules; nothing if all hold.

    `other` returns the rules that replace those of a choice, or None where they are the same.
    """
    return next((one.obligation for one in _notice(_all(game, project), other)), "")


def notice_for_clause(
    game: str, project: Project, clause: str, other: Callable[[Choice], Game | None]
) -> Iterator[Notice]:
    """Yield the obligations citing a clause that fail under other rules, those that rest on fewest records first."""
    citing = [asked for asked in _all(game, project) if clause in asked.one.clauses]
    yield from _notice(sorted(citing, key=_count_records), other)


def notice_for_all(game: str, project: Project, clause: str, there: Project) -> Iterator[Notice]:
    """Yield the obligations of a game that fail of its rules in another project.

    Those that cite a clause come first, among them and the others those that rest on few records.
    """

    def move(choice: Choice) -> Choice:
        return choose(str(choice), there)

    every = sorted(_all(game, project), key=lambda asked: (clause not in asked.one.clauses, _count_records(asked)))
    yield from _notice(every, lambda choice: rules(move(choice)), move)


def _count_records(asked: _AskedObligation) -> int:
    """Return on how many records an obligation rests at most."""
    return max(map(len, asked.rests.values()), default=0)


def _notice(
    every: Iterable[_AskedObligation],
    other: Callable[[Choice], Game | None],
    move: Callable[[Choice], Choice] = lambda choice: choice,
) -> Iterator[Notice]:
    z3()
    provers: dict[Choice, Asking] = {}
    for asked in every:
        found = next(_find_touched(asked, other), None)
        if found is None:
            continue
        choice, made = found
        if choice not in provers:
            provers[choice] = Asking(choice, SolverOptions(_LIMIT), _Made(made, move(choice)))
        turned = _is_turned(provers[choice], asked.one)
        if turned is not None:
            yield Notice(asked.one.id, turned)


def _find_touched(asked: _AskedObligation, other: Callable[[Choice], Game | None]) -> Iterator[tuple[Choice, Game]]:
    """Yield the rules under which something is changed that an obligation rests on."""
    for choice, rests in asked.rests.items():
        made = other(choice)
        changed = frozenset() if made is None else differing(rules(choice), made)
        if made is not None and (changed is None or changed & rests):
            yield choice, made


@dataclass(frozen=True, slots=True)
class _Made:
    """Makes the ground of other rules in the place of those of a choice; `choice` has the words of the others."""

    game: Game
    choice: Choice

    def __call__(
        self, _choice: Choice, forms: Forms | None = None, given: Mapping[str, Symbol] | None = None
    ) -> ProofContext:
        return ProofContext.around(self.choice, self.game, forms, given)


def _is_turned(prover: Asking, one: Obligation) -> bool | None:
    """Say whether an obligation comes out otherwise, or at least cannot be stated; None where it stands.

    That the solver does not know is no finding against rules.
    """
    try:
        found = prove_obligation(prover, one)
    except (BrouError, Disbelieved, ArithmeticError, LookupError, TypeError):
        return False
    if found.vain:
        return False
    return None if found.status in (one.expect, UNKNOWN) else True
