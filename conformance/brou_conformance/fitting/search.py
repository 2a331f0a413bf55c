"""The search for roots: which single changes of the rules, one after the other, explain what a program answers.

Every change is tried on some failing scripts; those that explain any of them on all, and the best on the scripts that
pass as well, for what a change would break there speaks against it. The change that fits best is a root. The scripts
that it explains are set aside, and on top of it another is looked for that explains the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from brou import Change, Choice, Machine, State, changes
from brou.games import NAMING_OPERATORS
from brou_conformance.fitting.behaviour import Behaviour, list_behaviours
from brou_conformance.fitting.comparison import (
    ShownSteps,
    StepBudget,
    compare,
    find_state,
    is_answered_alike,
    is_ruled_out,
)
from brou_conformance.fitting.slices import Slice, VariedGround, find_first
from brou_conformance.judging.judge import Unsent
from brou_conformance.protocol import Message

#: The steps that a search may play, of a pack of so many cards; no more roots are looked for than this.
WORK, _USUAL_PACK, _ROOTS = 48_000, 32, 8
#: How many failing scripts a change is tried on first, and what counts a script that a change explains beyond the first
#: wrong answer, and not to its end.
_SAMPLE, _PARTLY = 4, 0.6
#: How many of the scripts in which a root shows must come out as the program has them.
_PRECISION = 0.75
#: What the suspicion that failing cases cast on a clause counts beside how well a change fits.
_SUSPICION = 0.5
#: What a name in a wrong place has to fit better than a change without one.
_ODD = 0.1
#: A change that explains so many cases does not do so by chance.
_EVIDENT = 3
#: How many changes that explain nothing to its end are tried with a second one on top.
_JOINT = 3
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
    #: Those that it explains by itself, and among them those in which no other root shows.
    alone: tuple[int, ...] = ()
    untouched: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FailureExplanation:
    """The roots of what a program answers otherwise than the rules."""

    roots: tuple[Root, ...] = ()
    #: The failing cases that no root explains, and what the program does in them.
    unexplained: tuple[int, ...] = ()
    behaviours: tuple[Behaviour, ...] = ()
    #: Whether the rules with all roots, made in their text and loaded, answer every case as the program does.
    is_whole: bool = False
    #: How well the best change of each clause fits, between 0 and 1.
    fits: Mapping[str, float] = field(default_factory=dict)
    #: By the number of a failing case the clauses that it cites and that had no part in it.
    unused: Mapping[int, frozenset[str]] = field(default_factory=dict)
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
        """Say whether it would still count as sound if it contradicted `broken` scripts."""
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
    #: By the number of a failing case the clauses that it cites and that had no part in it.
    unused: Mapping[int, frozenset[str]] = field(default_factory=dict)
    work: StepBudget = field(init=False)
    #: Whether it ended before everything was tried.
    is_cut_short: bool = False
    #: The places of passing scripts, those first that spoke against a change last: most likely they do so again.
    witnesses: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.work = self._make_budget()

    def _make_budget(self) -> StepBudget:
        """Return the steps that may be played; of a large pack fewer, for each takes its cards times cards longer."""
        cards = max(len(self.grounds[0].rules.game.deck.cards), _USUAL_PACK)
        return StepBudget(WORK * _USUAL_PACK**2 // cards**2)

    def explain(self) -> FailureExplanation:
        """Return the roots, the one that explains most first."""
        origin = self.grounds[0]
        candidates = self._rank(changes(origin.rules.game))
        roots: list[Root] = []
        fits: dict[str, float] = {}
        left = list(self.failing)
        while left and len(roots) < _ROOTS and not self.work.is_spent:
            known = [root.change for root in roots]
            round_ = _SearchRound(self, known, left)
            tried = candidates if not known else self._rank(self._change_again(candidates, known))
            sound = round_.trials(tried)
            if not roots:
                for trial in (one for one in sound if one.change.operator not in NAMING_OPERATORS):
                    clause, fit = trial.change.clause, trial.fit(len(left))
                    fits[clause] = max(fit, fits.get(clause, 0.0))
            sound = [trial for trial in sound if self._is_evident(trial, left)]
            found = [sound[:1]] if sound else self._find_joint(round_, candidates, known, left)
            if not found:
                break
            for trials in found:
                best = trials[0]
                same = [one for one in sound if (one.alike, one.broken) == (best.alike, best.broken)] or trials
                explained = [left[number][1] for number in sorted(found[-1][0].alike)]
                named = (self._find_clause(one.change, explained) for one in same)
                clauses = tuple(dict.fromkeys(clause for clause in named if clause))
                explains = tuple(sorted(one.number for one in explained))
                clause = self._find_clause(best.change, explained)
                roots.append(Root(best.change, clause, clauses, explains, best.broken))
            left = [one for number, one in enumerate(left) if number not in found[-1][0].alike]
        unexplained = tuple(one.number for _, one in left)
        whole = bool(roots) and not left and self._confirm([root.change for root in roots])
        is_cut_short = self.is_cut_short or bool(left and self.work.is_spent)
        measured = tuple(self._measure(roots))
        behaviours = self._behave(roots, left)
        return FailureExplanation(measured, unexplained, behaviours, whole, fits, self.unused, is_cut_short)

    def _is_evident(self, trial: _ChangeTrial, left: Sequence[tuple[VariedGround, Slice]]) -> bool:
        """Say whether a change explains enough not to do so by chance: several cases, or one about its clause."""
        if len(trial.alike) >= _EVIDENT or len(trial.alike) == len(left):
            return True
        return any(trial.change.clause == left[number][1].script.scenario.clauses[0] for number in trial.alike)

    def _find_clause(self, change: Change, explained: Sequence[Slice]) -> str:
        """Return the clause of a change.

        A name of the game put in the wrong place stands in a line of some clause that need not be the one misread;
        then it is the most suspect of the clauses that most of the explained cases cite. An effect is as much about
        its variable as about its line, and bears the one of their two clauses that most of the cases cite.
        """
        cited = Counter(clause for one in explained for clause in one.script.scenario.clauses)
        if change.operator not in NAMING_OPERATORS:
            about = {change.clause, *self.grounds[0].rules.written.get(change.part, ())}
            cited = Counter({clause: number for clause, number in cited.items() if clause in about})
        weigh = {clause: number * self.suspicion.get(clause, 0.0) for clause, number in cited.items()}
        return max(weigh, key=lambda clause: (weigh[clause], clause == change.clause), default=change.clause)

    def _rank(self, found: Iterable[Change]) -> list[Change]:
        """Return changes in the order in which they are tried: those of suspect clauses first.

        A name in a wrong place may stand in a line of any clause, and has half the suspicion of the most suspect one.
        """
        least = max(self.suspicion.values(), default=0.0) / 2

        def suspect(change: Change) -> float:
            own = self.suspicion.get(change.clause, 0.0)
            return -max(own, least) if change.operator in NAMING_OPERATORS else -own

        return sorted(found, key=suspect)

    def _change_again(self, candidates: Iterable[Change], known: Sequence[Change]) -> Iterator[Change]:
        """Yield changes beside some that are known; those of the same records are made in what these have become."""
        taken, game = {change.record for change in known}, self.grounds[0].rules.game
        yield from (change for change in candidates if change.record not in taken)
        for change in known:
            game = change.apply(game)
        yield from changes(game, taken)

    def _find_joint(
        self,
        round_: _SearchRound,
        candidates: Sequence[Change],
        known: Sequence[Change],
        left: Sequence[tuple[VariedGround, Slice]],
    ) -> list[list[_ChangeTrial]]:
        """Return two changes that explain scripts together and neither alone, the later one with what both explain.

        The first is one that leads scripts beyond their first wrong answer, and the second is looked for on top of it.
        """
        best: list[list[_ChangeTrial]] = []
        for first in round_.partial[:_JOINT]:
            if self.work.is_spent:
                break
            made = [*known, first.change]
            tried = self._rank(self._change_again(candidates, made))
            second = [one for one in _SearchRound(self, made, left).trials(tried) if self._is_evident(one, left)]
            if second and (not best or len(second[0].alike) > len(best[-1][0].alike)):
                best = [[first], second[:1]]
        return best

    def _measure(self, roots: Sequence[Root]) -> Iterator[Root]:
        """Yield roots with the failing cases that each explains by itself, and those in which no other one shows."""
        alone: list[set[int]] = [set() for _ in roots]
        shows: list[set[int]] = [set() for _ in roots]
        plain = _SearchRound(self, [], [])
        for ground, one in self.failing:
            own = replace(one, answers=_answer_by_rules(one), wrong=0)
            for place, root in enumerate(roots):
                if plain.compare(ground, one, [root.change]) == len(one.answers):
                    alone[place].add(one.number)
                if len(roots) > 1 and plain.compare(ground, own, [root.change]) < len(one.answers):
                    shows[place].add(one.number)
        for place, root in enumerate(roots):
            others = set[int]().union(*shows[:place], *shows[place + 1 :])
            yield replace(root, alone=tuple(sorted(alone[place])), untouched=tuple(sorted(alone[place] - others)))

    def _behave(self, roots: Sequence[Root], left: Sequence[tuple[VariedGround, Slice]]) -> tuple[Behaviour, ...]:
        """Return what the program does otherwise where no root explains it, at the first such step of each script."""
        known = [root.change for root in roots]
        last = _SearchRound(self, known, left)
        steps = ((one, reach) for (_, one), reach in zip(left, last.reached, strict=True) if reach < len(one.answers))
        return list_behaviours((one, reach if one.wrong >> reach & 1 else one.first_wrong) for one, reach in steps)

    def _confirm(self, made: Sequence[Change]) -> bool:
        """Say whether rules built with some changes answer all scripts as the program does, those that pass as well."""
        origin, work = self.grounds[0].rules, self._make_budget()
        built: dict[Choice, Machine | None] = {}
        for ground, one in [*self.failing, *self.find_passing()]:
            fitting = [change for change in made if ground.rules.knows(change, origin)]
            shown = ShownSteps.find(ground.rules, one.course, fitting)
            if ground.choice not in built:
                built[ground.choice] = ground.build(fitting)
            player = built[ground.choice]
            if player is None or compare(player, shown, one, ground.terms, work) < len(one.answers):
                return False
        return True


class _SearchRound:
    """One round: some changes are known, and one more is looked for that explains the scripts that are left."""

    def __init__(self, search: RootSearch, known: Sequence[Change], left: Sequence[tuple[VariedGround, Slice]]) -> None:
        self.search, self.known, self.left = search, known, left
        self.origin = search.grounds[0]
        self._made: tuple[tuple[int, tuple[int, ...]], Machine] = ((0, ()), self.origin.rules.machine)
        self.reached = [self.compare(ground, one, known) if known else one.first_wrong for ground, one in left]
        self._states = [self._find_state(number) for number in range(len(left))]
        #: Changes that lead scripts beyond their first wrong answer and none to its end, the best first.
        self.partial: list[_ChangeTrial] = []

    def trials(self, candidates: Iterable[Change]) -> list[_ChangeTrial]:
        """Return the changes that explain something and break little, the best first."""
        sample, work = self._draw_sample(), self.search.work
        kept = work.left // 2
        found: list[_ChangeTrial] = []
        for change in candidates:
            if work.left <= kept:
                self.search.is_cut_short = True
                break
            if any(self._gains(change, number) for number in sample):
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
        self.partial = [trial for trial in found if not trial.alike]
        return sorted(sound, key=self._rate)

    def _rate(self, trial: _ChangeTrial) -> float:
        """Return how good an explanation a change is, by how it fits and by what failing cases cite; less is better."""
        suspicion = self.search.suspicion.get(trial.change.clause, 0.0)
        odd = _ODD if trial.change.operator in NAMING_OPERATORS else 0.0
        return odd - trial.fit(len(self.left)) - _SUSPICION * suspicion

    def _draw_sample(self) -> list[int]:
        """Return some of the scripts that are left: the shortest to their first wrong answer, of many topics."""
        order = sorted(range(len(self.left)), key=lambda number: (self.reached[number], number))
        first: dict[str, int] = {}
        for number in order:
            first.setdefault(self.left[number][1].script.scenario.clauses[0], number)
        chosen = list(islice(first.values(), _SAMPLE))
        return [*chosen, *[number for number in order if number not in chosen][: _SAMPLE - len(chosen)]]

    def _find_state(self, number: int) -> State | None:
        """Return the state in which a script comes to its first wrong answer under the known changes."""
        (ground, one), reach = self.left[number], self.reached[number]
        if not self.known:
            return one.course.states[reach]
        return find_state(self._machine(ground, self.known), one, reach)

    def _gains(self, change: Change, number: int) -> bool:
        """Say whether a change leads a script beyond its first wrong answer.

        One that leads to no other states has to answer that single step as the program does, which is soon asked.
        """
        ground, one = self.left[number]
        reach, state = self.reached[number], self._states[number]
        if not ground.rules.knows(change, self.origin.rules):
            return False
        if state is not None and reach < len(one.answers) and not ground.rules.moves(change):
            if not ground.rules.find_touched(change, one.course.touched) >> reach & 1 and not self.known:
                return False
            player = self._machine(ground, [*self.known, change])
            if is_ruled_out(player, one, reach, state):
                self.search.work.left -= 1
                return False
            self.search.work.charge(one.script.steps[reach])
            if not is_answered_alike(player, one, reach, state, ground.terms):
                return False
        return self.compare(ground, one, [*self.known, change], change) > self.reached[number]

    def _try(self, change: Change) -> _ChangeTrial:
        alike, partly = set[int](), 0
        for number, (ground, one) in enumerate(self.left):
            reach = self.compare(ground, one, [*self.known, change], change)
            if reach == len(one.answers):
                alike.add(number)
            else:
                partly += reach > self.reached[number]
        return _ChangeTrial(change, frozenset(alike), partly)

    def _count_broken(self, trial: _ChangeTrial, passing: Sequence[tuple[VariedGround, Slice]]) -> int:
        """Return how many passing scripts come out otherwise; counting ends where that is too many."""
        broken, change, witnesses = 0, trial.change, self.search.witnesses
        if not witnesses:
            witnesses.extend(range(len(passing)))
        against = []
        for place in witnesses:
            ground, one = passing[place]
            if self.compare(ground, one, [*self.known, change], change) < len(one.answers):
                broken += not self.known or self.compare(ground, one, self.known) == len(one.answers)
                against.append(place)
                if not trial.would_be_sound(broken):
                    break
        for place in against:
            witnesses.remove(place)
        witnesses[:0] = against
        return broken

    def compare(self, ground: VariedGround, one: Slice, made: Sequence[Change], new: Change | None = None) -> int:
        """Return the first step that the rules with some changes answer otherwise than the program."""
        fitting = [change for change in made if ground.rules.knows(change, self.origin.rules)]
        if new in fitting and not self.known:
            steps = ground.rules.find_touched(new, one.course.touched)
            if find_first(steps, 0, len(one.answers)) > one.first_wrong:
                return one.first_wrong
        shown = ShownSteps.find(ground.rules, one.course, fitting)
        if not shown.steps:
            return one.first_wrong
        return compare(self._machine(ground, made), shown, one, ground.terms, self.search.work)

    def _machine(self, ground: VariedGround, made: Sequence[Change]) -> Machine:
        """Return the machine of the rules with some changes; keep the last one for the next script."""
        key = (id(ground), tuple(map(id, made)))
        if self._made[0] != key:
            fitting = [change for change in made if ground.rules.knows(change, self.origin.rules)]
            self.search.work.charge_making(fitting)
            self._made = (key, ground.rules.vary(fitting))
        return self._made[1]


def _answer_by_rules(one: Slice) -> list[Message | Unsent]:
    """Return the answers of the rules to those steps of a script that went to the program."""
    pairs = zip(one.answers, one.course.told, strict=True)
    return [answer if isinstance(answer, Unsent) else told for answer, told in pairs]
