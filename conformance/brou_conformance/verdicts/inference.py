"""Inference: the undeclared readings that a program follows, found from all its answers together.

A reading is not decided step by step. The answers that tell its values apart are weighed together, those that fit no
value against all of them, and an answer that looks odd because of one reading may be explained by another. So the
search is joint: it begins with the evidence of each reading alone, plays every case with an unexpected answer by the
rules under the readings supposed, and changes one of them, or two at once, as long as more is explained than before. An
answer that only shows that a program does not know an act decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, product

from brou import BrouError, Choice, Folder, Machine, Reading, State, begin, book, with_readings
from brou_conformance.judging.answered import AnsweredScript
from brou_conformance.judging.judge import Criteria, Unsent, ask_alike, matches
from brou_conformance.protocol import Message
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import ScriptStep
from brou_conformance.scenarios.script import machine
from brou_conformance.verdicts.plan import EditionPlan
from brou_conformance.verdicts.tally import Tally, Witnesses

#: How many cases are played under each supposition, how often something is changed, how many pairs are tried,
#: and how many steps are named that show a reading.
_PLAYED, _CHANGES, _PAIRS, _SHOWN = 60, 12, 24, 3
#: A change is looked at closely if it explains one of so many cases; two at once are tried if no more are left over.
_TRIED = 12
#: Of a number the values that are tried: so many from the least on, then each so many times the one before.
_NUMBERS, _GROWTH = 12, 1.6


@dataclass(frozen=True, slots=True)
class Inferred:
    """A reading that a program follows undeclared."""

    #: What its answers cannot tell apart; of a number the least and the greatest that fit, as in `3..7`.
    values: tuple[str, ...]
    #: The value that it is judged under.
    value: str
    #: Steps whose answers show it.
    shown: tuple[str, ...]
    #: Another reading that would explain as much instead, as `reading=value`.
    instead: tuple[str, ...] = ()


def infer(plan: EditionPlan, tally: Tally) -> dict[str, Inferred]:
    """Return the readings that explain a program's answers better than those that it is judged under.

    Declared readings are not touched. Where others explain no more, nothing is returned.
    """
    free = plan.free
    if not free or not tally.suspects:
        return {}
    search = _ReadingSearch(plan, tally, free)
    found = search.withdraw(search.improve(search.begin()))
    return {key: search.describe(found, key) for key, value in found.items() if value != free[key]}


@dataclass(slots=True)
class _ReadingSearch:
    """A search for the readings that a program plays by: those under which the fewest answers are wrong."""

    plan: EditionPlan
    tally: Tally
    #: What the program is judged under.
    free: Mapping[str, str]
    _loss: dict[tuple[tuple[str, str], ...], float] = field(default_factory=dict)
    _explained: dict[tuple[int, tuple[tuple[str, str], ...]], bool] = field(default_factory=dict)

    @property
    def data(self) -> Folder:
        """Return the folder of the rules."""
        return self.plan.wanted.data

    @property
    def suspects(self) -> Sequence[AnsweredScript]:
        """Return the cases that are played."""
        return self.tally.suspects[:_PLAYED]

    # Suppositions -----------------------------------------------------------------

    def begin(self) -> dict[str, str]:
        """Return the readings that their witnesses alone suggest, if they explain more than the present ones."""
        supposed = dict(self.free)
        for key, heard in self.tally.witnesses.items():
            if key in supposed:
                supposed[key] = self._prefer(key, heard)
        return min((dict(self.free), supposed), key=self.lose)

    def _prefer(self, key: str, heard: Witnesses) -> str:
        """Return the value that most answers fit; where several do, that judged under, else the first."""
        fits: dict[str, int] = dict.fromkeys(self._values(key), 0)
        for (values, lacking), count in heard.counts.items():
            if self._tells(lacking):
                for value in values & fits.keys():
                    fits[value] += count
        own = self.free[key]
        return max(fits, key=lambda value: (fits[value], value == own))

    def _tells(self, lacking: frozenset[str]) -> bool:
        """Say whether an answer tells anything: not if it only shows that the program does not know an act."""
        return not lacking or bool(lacking & self.tally.made)

    def improve(self, supposed: dict[str, str]) -> dict[str, str]:
        """Return a supposition that no single change makes better, nor, where cases are left over, two changes."""
        for _ in range(_CHANGES):
            left = self._list_unexplained(supposed)
            if not left:
                break
            words, numbers = self._singles(left, numeric=False), self._singles(left, numeric=True)
            # Numbers explain much that a word explains as well, and there are many: they come last.
            better = (
                self._best(supposed, left, words)
                or self._best(supposed, left, self._pairs(left))
                or self._best(supposed, left, numbers)
            )
            if better is None:
                break
            supposed = better
        return supposed

    def _best(
        self, supposed: Mapping[str, str], left: Sequence[AnsweredScript], changes: Iterable[Mapping[str, str]]
    ) -> dict[str, str] | None:
        """Return the change after which least is unexplained, if that is less than now."""
        best, least = None, self.lose(supposed)
        for change in changes:
            changed = {**supposed, **change}
            if changed == supposed:
                continue
            naming = [suspect for suspect in left if change.keys() <= self._find_named([suspect]).keys()]
            if any(self._explains(changed, suspect) for suspect in (naming or left)[:_TRIED]):
                loss = self.lose(changed)
                if loss < least:
                    best, least = changed, loss
        return best

    def _singles(self, left: Sequence[AnsweredScript], *, numeric: bool) -> list[dict[str, str]]:
        """Return changes of one reading that cases have to do with, those that are numbers or the others."""
        related = [key for key in self._find_related(left) if (self._reading(key).number is not None) is numeric]
        return [{key: value} for key in related for value in self._values(key)]

    def _pairs(self, left: Sequence[AnsweredScript]) -> list[dict[str, str]]:
        """Return changes of two readings that a case which is left over names together."""
        found: dict[tuple[tuple[str, str], ...], None] = {}
        for suspect in left if len(left) <= _TRIED else ():
            related = [key for key in self._find_related([suspect]) if self._reading(key).number is None]
            for one, two in combinations(related, 2):
                for values in product(self._values(one), self._values(two)):
                    if values[0] != self.free[one] and values[1] != self.free[two]:
                        found[(one, values[0]), (two, values[1])] = None
        return [dict(pair) for pair in list(found)[:_PAIRS]]

    def withdraw(self, found: dict[str, str]) -> dict[str, str]:
        """Return a supposition without the changes that explain nothing."""
        for key in [key for key, value in found.items() if value != self.free[key]]:
            without = {**found, key: self.free[key]}
            if self.lose(without) <= self.lose(found) or self._shows_a_lack(found, without):
                found = without
        return found

    def _shows_a_lack(self, found: Mapping[str, str], without: Mapping[str, str]) -> bool:
        """Say whether all that a change explains is that an act is never taken, which is refused elsewhere as well."""
        tried = {act for one in self._list_unexplained(found) for act in one.script.acts} - self.tally.made
        gained = [one for one in self.suspects if self._explains(found, one) and not self._explains(without, one)]
        return bool(tried) and all(one.script.acts & tried for one in gained)

    def describe(self, found: Mapping[str, str], key: str) -> Inferred:
        """Return a reading with all values that explain as much as the one found, and some steps that show it."""
        return Inferred(
            self._find_equals(found, key),
            found[key],
            tuple(self._show(found, key)),
            tuple(self._find_others(found, key)),
        )

    def _find_equals(self, found: Mapping[str, str], key: str) -> tuple[str, ...]:
        """Return the values of a reading that explain as much as the one found; of a number the least and greatest."""
        reading = self._reading(key)
        if reading.number is not None:
            return self._stretch(found, key, reading.number[0], reading.number[1])
        return tuple(value for value in reading.values if self._fits(found, key, value))

    def _find_others(self, found: Mapping[str, str], key: str) -> Iterator[str]:
        """Yield other readings that would explain as much instead of the one found."""
        without = {**found, key: self.free[key]}
        explained = [one for one in self.suspects if self._explains(found, one) and not self._explains(without, one)]
        for change in self._singles(explained, numeric=False) + self._singles(explained, numeric=True):
            ((other, value),) = change.items()
            if found[other] == self.free[other] != value and self.lose({**without, **change}) <= self.lose(found):
                yield f"{other}={'|'.join(self._find_equals({**without, **change}, other))}"
                return

    def _fits(self, found: Mapping[str, str], key: str, value: str) -> bool:
        return self.lose({**found, key: value}) <= self.lose(found)

    def _stretch(self, found: Mapping[str, str], key: str, low: int, high: int) -> tuple[str, ...]:
        """Return the numbers round the one found that explain as much; they are taken to form a range."""
        value, own = int(found[key]), int(self.free[key])
        low, high = (max(low, own + 1), high) if own < value else (low, min(high, own - 1))
        ends = []
        for end in (low, high):
            good, bad = value, end
            if self._fits(found, key, str(end)):
                good = end
            while abs(bad - good) > 1:
                middle = (good + bad) // 2
                good, bad = (middle, bad) if self._fits(found, key, str(middle)) else (good, middle)
            ends.append(good)
        return (str(value),) if ends[0] == ends[1] else (f"{ends[0]}..{ends[1]}",)

    def _show(self, found: Mapping[str, str], key: str) -> Iterator[str]:
        """Yield steps whose answers are those of the value found and not of that judged under, else cases."""
        heard = self.tally.witnesses.get(key)
        direct = heard.shown.items() if heard else ()
        steps = [
            step for values, shown in direct if found[key] in values and self.free[key] not in values for step in shown
        ]
        without = {**found, key: self.free[key]}
        cases = (
            suspect.script.scenario.id
            for suspect in self.suspects
            if self._explains(found, suspect) and not self._explains(without, suspect)
        )
        yield from islice(steps or cases, _SHOWN)

    # What is left unexplained -------------------------------------------------------

    def lose(self, supposed: Mapping[str, str]) -> float:
        """Return how much a supposition leaves unexplained: cases, and answers of others that speak against it."""
        changed = self._list_changes(supposed)
        if changed not in self._loss:
            played = self.suspects
            left = sum(not self._explains(supposed, suspect) for suspect in played)
            self._loss[changed] = left + sum(self._count_broken(supposed, key, value) for key, value in changed)
        return self._loss[changed]

    def _count_broken(self, supposed: Mapping[str, str], key: str, value: str) -> int:
        """Return how many cases that pass, and do not seem to fit a value, are not explained under it."""
        heard = self.tally.witnesses.get(key)
        passing = heard.passing if heard else ()
        return sum(value not in values and not self._explains(supposed, case) for values, case in passing)

    def _list_unexplained(self, supposed: Mapping[str, str]) -> list[AnsweredScript]:
        return [suspect for suspect in self.suspects if not self._explains(supposed, suspect)]

    def _explains(self, supposed: Mapping[str, str], suspect: AnsweredScript) -> bool:
        changed = self._list_changes(supposed)
        key = (id(suspect), changed)
        if key not in self._explained:
            self._explained[key] = self._plays_alike(dict(changed), suspect)
        return self._explained[key]

    def _plays_alike(self, changed: Mapping[str, str], suspect: AnsweredScript) -> bool:
        try:
            choice = with_readings(suspect.script.choice, changed, self.data, fitting=True)
        except BrouError:
            return False
        return plays_alike(suspect, choice, self.data, codes="codes" in self.plan.hello.can)

    def _list_changes(self, supposed: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        return tuple(sorted((key, value) for key, value in supposed.items() if value != self.free[key]))

    # What may be supposed -----------------------------------------------------------

    def _find_related(self, left: Iterable[AnsweredScript]) -> list[str]:
        """Return the readings that cases have to do with: those they name or cite, else all."""
        return [key for key in self._find_named(left) or self.free if key in self.free]

    def _find_named(self, left: Iterable[AnsweredScript]) -> dict[str, None]:
        """Return the readings that cases name, or whose open passage they cite."""
        readings = book(self.plan.choice.game, self.plan.choice.project).readings
        named: dict[str, None] = {}
        for suspect in left:
            scenario = suspect.script.scenario
            cited = [key for key, reading in readings.items() if reading.ambiguity in scenario.clauses]
            named |= dict.fromkeys([*scenario.keys, *cited])
        return named

    def _reading(self, key: str) -> Reading:
        return book(self.plan.choice.game, self.plan.choice.project).readings[key]

    def _values(self, key: str) -> list[str]:
        reading = self._reading(key)
        return list(reading.values) if reading.number is None else list(spread_number(reading, self.free[key]))


def spread_number(reading: Reading, own: str) -> Iterator[str]:
    """Yield the values to try for a number: the smallest, those next to `own`, then ever fewer up to the greatest."""
    low, high, _ = reading.number or (0, 0, "")
    tried = {*range(low, min(high + 1, low + _NUMBERS)), *(max(low, int(own) + step) for step in (-2, -1, 0, 1, 2))}
    value = float(low + _NUMBERS)
    while value <= high:
        tried.add(int(value))
        value *= _GROWTH
    yield from map(str, sorted(value for value in {*tried, high} if low <= value <= high))


def plays_alike(suspect: AnsweredScript, choice: Choice, data: Folder = None, *, codes: bool = False) -> bool:
    """Say whether some rules answer a script as a program did, each going on in its own way."""
    script, player = suspect.script, machine(choice, data)
    terms = Criteria(script.readings, codes=False)
    only_positions = suspect.asks_positions_only
    try:
        state = begin(player, script.start)
    except BrouError:
        return False
    for step, answer in zip(script.steps, suspect.answers, strict=True):
        if isinstance(answer, Unsent) and not only_positions:
            continue
        told, after = take(player, state, step.message)
        if not isinstance(answer, Unsent) and not matches(answer, ask_alike(step, told), terms):
            return False
        if codes and not isinstance(answer, Unsent) and not _names_a_duty(player, state, step, answer):
            return False
        # An act that is to be refused is asked of a position of its own, from which play does not go on.
        is_tried = only_positions and step.expected is not None and step.expected.key == "no"
        state = state if is_tried else after
    return True


def _names_a_duty(player: Machine, state: State, step: ScriptStep, answer: Message) -> bool:
    """Say whether the code of a refusal, if there is one, is that of a duty which the act breaks."""
    said, act, seat = answer.get("no"), step.message.get("act"), step.message.get("by")
    if not isinstance(said, str) or not isinstance(act, dict) or not isinstance(seat, int):
        return True
    return said in {refusal.code for refusal in player.refusals(state, seat, act)}
