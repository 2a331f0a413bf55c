"""The search for roots: which single changes of the rules, one after the other, explain what a program answers.

Every change is tried on some failing scripts; those that explain any of them on all, and the best on the scripts that
pass as well, for what a change would break there speaks against it. The change that fits best is a root. The scripts
that it explains are set aside, and on top of it another is looked for that explains the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from brou import Change, Choice, Machine, changes
from brou_conformance.fitting.comparison import StepBudget, compare
from brou_conformance.fitting.slices import Slice, VariedGround, find_first

#: The steps that a search may play; no more roots are looked for than this.
WORK, _ROOTS = 24_000, 8
#: How many failing scripts a change is tried on first, and what counts a script that a change explains beyond the first
#: wrong answer, and not to its end.
_SAMPLE, _PARTLY = 6, 0.6
#: How many of the scripts in which a root shows must come out as the program has them.
_PRECISION = 0.75
#: What the suspicion that failing cases cast on a clause counts beside how well a change fits.
_SUSPICION = 0.5
#: Changes that fit so much worse than the best are not tried on the scripts that pass.
_NEAR = 0.3


@dataclass(frozen=True, slots=True)
class Root:
    """A change of the rules that explains answers of a program."""

    change: Change
    #: Its clause, and those of other changes that no script tells from it.
    clause: str
    clauses: tuple[str, ...]
    #: The failing cases that it explains, beside the roots before it, by their places in the order of the run.
    explains: tuple[int, ...]
    #: How many cases that pass would come out otherwise.
    contradicts: int


@dataclass(frozen=True, slots=True)
class FailureExplanation:
    """The roots of what a program answers otherwise than the rules."""

    roots: tuple[Root, ...] = ()
    #: The failing cases that no root explains.
    unexplained: tuple[int, ...] = ()
    #: Whether the rules with all roots, made in their text and loaded, answer every case as the program does.
    is_whole: bool = False
    #: How well the best change of each clause fits, between 0 and 1.
    fits: Mapping[str, float] = field(default_factory=dict)
    #: Whether the search ended before everything was tried.
    is_cut_short: bool = False
    #: What went wrong in the search, if so; then there are no roots.
    trace: str = ""


@dataclass(slots=True)
class _ChangeTrial:
    """A change tried: how far each failing script comes out as the program has it, and the scripts that it breaks."""

    change: Change
    alike: frozenset[int]
    partly: int
    broken: int = 0

    @property
    def gained(self) -> float:
        """Return how many scripts it explains."""
        return len(self.alike) + _PARTLY * self.partly

    def fit(self, total: int) -> float:
        """Return the share of the scripts that it explains among all failing ones and those that it breaks."""
        return self.gained / (total + self.broken)

    @property
    def is_sound(self) -> bool:
        """Say whether it explains some script to its end, and breaks few for it."""
        return self.would_be_sound(self.broken)

    def would_be_sound(self, broken: int) -> bool:
        """Say whether it would be sound if it broke so many scripts."""
        return bool(self.alike) and len(self.alike) >= _PRECISION * (len(self.alike) + broken)


@dataclass(slots=True)
class RootSearch:
    """A search over the failing scripts of a program and, once it needs them, those that pass."""

    grounds: Sequence[VariedGround]
    #: Failing scripts and passing ones, each with the rules that it is judged by.
    failing: Sequence[tuple[VariedGround, Slice]]
    find_passing: Callable[[], Sequence[tuple[VariedGround, Slice]]]
    #: How suspect each clause is by what failing cases cite, between 0 and 1.
    suspicion: Mapping[str, float]
    work: StepBudget = field(default_factory=lambda: StepBudget(WORK))
    #: Whether it ended before everything was tried.
    is_cut_short: bool = False

    def explain(self) -> FailureExplanation:
        """Return the roots, the one that explains most first."""
        origin = self.grounds[0]
        candidates = sorted(changes(origin.rules.game), key=lambda change: -self.suspicion.get(change.clause, 0.0))
        roots: list[Root] = []
        fits: dict[str, float] = {}
        left = list(self.failing)
        while left and len(roots) < _ROOTS and not self.work.is_spent:
            sound = _SearchRound(self, [root.change for root in roots], left).trials(candidates)
            if not roots:
                for trial in sound:
                    clause, fit = trial.change.clause, trial.fit(len(left))
                    fits[clause] = max(fit, fits.get(clause, 0.0))
            if not sound:
                break
            best = sound[0]
            same = [one for one in sound if (one.alike, one.broken) == (best.alike, best.broken)]
            clauses = tuple(dict.fromkeys(one.change.clause for one in same if one.change.clause))
            explains = tuple(sorted(left[number][1].number for number in best.alike))
            roots.append(Root(best.change, best.change.clause, clauses, explains, best.broken))
            left = [one for number, one in enumerate(left) if number not in best.alike]
        unexplained = tuple(one.number for _, one in left)
        whole = bool(roots) and not left and self._confirm([root.change for root in roots])
        is_cut_short = self.is_cut_short or bool(left and self.work.is_spent)
        return FailureExplanation(tuple(roots), unexplained, whole, fits, is_cut_short)

    def _confirm(self, made: Sequence[Change]) -> bool:
        """Say whether rules built with some changes answer all scripts as the program does, those that pass as well."""
        origin, work = self.grounds[0].rules, StepBudget(WORK)
        built: dict[Choice, Machine | None] = {}
        for ground, one in [*self.failing, *self.find_passing()]:
            fitting = [change for change in made if ground.rules.knows(change, origin)]
            touched = 0
            for change in fitting:
                touched |= ground.rules.find_touched(change, one.course.touched)
            if ground.choice not in built:
                built[ground.choice] = ground.build(fitting)
            player = built[ground.choice]
            if player is None or compare(player, touched, one, ground.terms, work) < len(one.answers):
                return False
        return True


class _SearchRound:
    """One round: some changes are known, and one more is looked for that explains the scripts that are left."""

    def __init__(self, search: RootSearch, known: Sequence[Change], left: Sequence[tuple[VariedGround, Slice]]) -> None:
        self.search, self.known, self.left = search, known, left
        self.origin = search.grounds[0]
        self.taken = {change.record for change in known}
        self._made: tuple[tuple[int, tuple[int, ...]], Machine] = ((0, ()), self.origin.rules.machine)
        self.reached = [self._compare(ground, one, known) for ground, one in left] if known else []
        if not known:
            self.reached = [one.first_wrong for _, one in left]

    def trials(self, candidates: Iterable[Change]) -> list[_ChangeTrial]:
        """Return the changes that explain something and break little, the best first."""
        sample, work = self._draw_sample(), self.search.work
        kept = work.left // 2
        found: list[_ChangeTrial] = []
        for change in candidates:
            if work.left <= kept:
                self.search.is_cut_short = True
                break
            if change.record not in self.taken and any(self._gains(change, number) for number in sample):
                found.append(self._try(change))
        found.sort(key=self._rate)
        passing = self.search.find_passing() if found else ()
        sound: list[_ChangeTrial] = []
        for trial in found:
            if work.is_spent:
                self.search.is_cut_short = True
                break
            if sound and self._rate(trial) > min(map(self._rate, sound)) + _NEAR:
                break
            if trial.alike:
                trial.broken = self._count_broken(trial, passing)
                sound += [trial] if trial.is_sound else []
        return sorted(sound, key=self._rate)

    def _rate(self, trial: _ChangeTrial) -> float:
        """Return how good an explanation a change is, by how it fits and by what failing cases cite; less is better."""
        suspicion = self.search.suspicion.get(trial.change.clause, 0.0)
        return -trial.fit(len(self.left)) - _SUSPICION * suspicion

    def _draw_sample(self) -> list[int]:
        """Return some of the scripts that are left: the shortest to their first wrong answer, of many topics."""
        order = sorted(range(len(self.left)), key=lambda number: (self.reached[number], number))
        first: dict[str, int] = {}
        for number in order:
            first.setdefault(self.left[number][1].script.scenario.clauses[0], number)
        chosen = list(islice(first.values(), _SAMPLE))
        return [*chosen, *[number for number in order if number not in chosen][: _SAMPLE - len(chosen)]]

    def _gains(self, change: Change, number: int) -> bool:
        ground, one = self.left[number]
        return self._compare(ground, one, [*self.known, change], change) > self.reached[number]

    def _try(self, change: Change) -> _ChangeTrial:
        alike, partly = set[int](), 0
        for number, (ground, one) in enumerate(self.left):
            reach = self._compare(ground, one, [*self.known, change], change)
            if reach == len(one.answers):
                alike.add(number)
            else:
                partly += reach > self.reached[number]
        return _ChangeTrial(change, frozenset(alike), partly)

    def _count_broken(self, trial: _ChangeTrial, passing: Sequence[tuple[VariedGround, Slice]]) -> int:
        """Return how many passing scripts come out otherwise; counting ends where that is too many."""
        broken, change = 0, trial.change
        for ground, one in passing:
            if self._compare(ground, one, [*self.known, change], change) < len(one.answers):
                broken += not self.known or self._compare(ground, one, self.known) == len(one.answers)
                if not trial.would_be_sound(broken):
                    break
        return broken

    def _compare(self, ground: VariedGround, one: Slice, made: Sequence[Change], new: Change | None = None) -> int:
        """Return the first step that the rules with some changes answer otherwise than the program."""
        touched = 0
        for change in made:
            if ground.rules.knows(change, self.origin.rules):
                steps = ground.rules.find_touched(change, one.course.touched)
                if change is new and find_first(steps, 0, len(one.answers)) > one.first_wrong and not self.known:
                    return one.first_wrong
                touched |= steps
        if not touched:
            return one.first_wrong
        return compare(self._machine(ground, made), touched, one, ground.terms, self.search.work)

    def _machine(self, ground: VariedGround, made: Sequence[Change]) -> Machine:
        """Return the machine of the rules with some changes; keep the last one for the next script."""
        key = (id(ground), tuple(map(id, made)))
        if self._made[0] != key:
            fitting = [change for change in made if ground.rules.knows(change, self.origin.rules)]
            self._made = (key, ground.rules.vary(fitting))
        return self._made[1]
