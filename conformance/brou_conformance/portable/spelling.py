"""From scenarios to lines: requests as they go over the wire, and for each step the answers that conform."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from brou import Choice, Folder, Impossible, book, choose, with_readings
from brou.games import find_other_answers
from brou_conformance.messages import ABILITIES
from brou_conformance.portable.asking import Under, ask_positions, ask_script, name_play
from brou_conformance.portable.derivations import Derivations, ScriptDeriver
from brou_conformance.portable.lines import AskingWay, CaseLine, ExpectedAnswer, StepExpectation
from brou_conformance.programs.capabilities import find_needed, find_off_turn, find_positions
from brou_conformance.programs.session import Hello
from brou_conformance.scenarios.corpus import Corpus, applying, scenarios
from brou_conformance.scenarios.course import find_duties
from brou_conformance.scenarios.scenario import Pattern, Scenario
from brou_conformance.scenarios.script import Script, machine, spell
from brou_conformance.verdicts.plan import is_answered_as_expected

#: A program that can do everything; it is asked whatever there is.
_ABLE = Hello({}, (), {}, frozenset(ABILITIES))
#: Of a reading that is a number, so many values are listed under which a check counts; it counts under no other.
_NUMBERS = 100


def spell_edition(game: str, edition: str, corpus: Corpus = None, data: Folder = None) -> Iterator[CaseLine]:
    """Yield the line of each scenario of an edition, set-up by set-up, in the order of the files."""
    setups = list(book(game, data).editions[edition].setups)
    for setup in setups:
        usual = choose(f"{game}@{edition}:{setup}", data)
        for scenario in applying(scenarios(game, corpus), edition, setup, first=setup == setups[0]):
            yield _Speller(scenario, with_readings(usual, scenario.premise, data), data).spell()


@dataclass(slots=True)
class _Speller:
    """Spells out one scenario under the rules that it was written for."""

    scenario: Scenario
    choice: Choice
    data: Folder

    def spell(self) -> CaseLine:
        """Return the line."""
        scenario, choice = self.scenario, self.choice
        script = spell(scenario, choice, self.data)
        player = machine(choice, self.data)
        deriver = ScriptDeriver(script, self.data)
        derived = list(deriver.derive())
        off_turn = find_off_turn(script, player)
        positions = list(find_positions(script, _ABLE, player))
        under = self._find_under(deriver)
        plays = name_play(choice)
        needs = (plays, *sorted(find_needed(script, player)))
        steps = tuple(self._steps(script, derived))
        return CaseLine(
            id=scenario.id,
            title=scenario.title,
            because=scenario.because,
            clauses=scenario.clauses,
            level=scenario.level,
            steps=steps,
            ways=(
                ask_script(script, steps, under, needs, off_turn),
                ask_positions(script, steps, under, plays, positions),
                AskingWay(needs=(), requests=()),
            ),
        )

    def _steps(self, script: Script, derived: Sequence[Derivations]) -> Iterator[StepExpectation]:
        otherwise = self._derive_otherwise(script)
        for number, step in enumerate(script.steps):
            if step.expected is not None:
                expect = self._list_answers(script, number, step.expected, derived[number])
                yield StepExpectation(id=step.id, expect=expect)
                continue
            own = {(step.reading, script.readings[step.reading]): (script, derived)}
            played = {value: found for (key, value), found in {**otherwise, **own}.items() if key == step.reading}
            values = {
                value: self._list_answers(played[value][0], number, pattern, played[value][1][number])
                for value, pattern in step.values.items()
                if value in played
            }
            yield StepExpectation(id=step.id, reading=step.reading, values=values)

    def _derive_otherwise(self, script: Script) -> Mapping[tuple[str, str], tuple[Script, Sequence[Derivations]]]:
        """Return the script under each other value that its steps name, with the derivations of those steps.

        Values that the rules exclude in this edition are left out: nobody can play by them.
        """
        wanted: dict[tuple[str, str], set[int]] = {}
        for number, step in enumerate(script.steps):
            for value in step.values:
                if value != script.readings[step.reading]:
                    wanted.setdefault((step.reading, value), set()).add(number)
        found: dict[tuple[str, str], tuple[Script, Sequence[Derivations]]] = {}
        for (key, value), numbers in wanted.items():
            with suppress(Impossible):
                other = spell(self.scenario, with_readings(self.choice, {key: value}, self.data), self.data)
                found[key, value] = other, list(ScriptDeriver(other, self.data).derive(numbers))
        return found

    def _list_answers(self, script: Script, number: int, pattern: Pattern, because: Derivations) -> ExpectedAnswer:
        members: dict[str, Any] = {pattern.key: pattern.value}
        if pattern.key == "no" and pattern.value is not True:
            duties = find_duties(script, machine(script.choice, self.data), number)
            members = {"no": tuple(dict.fromkeys([pattern.value, *sorted(duties)]))}
        if pattern.hides:
            members["hides"] = pattern.hides
        return ExpectedAnswer(**members, because=because)

    def _find_under(self, deriver: ScriptDeriver) -> Under:
        """Return the values of readings under which the line says something.

        They are those of its premise, and all under which the rules themselves answer as is expected.
        """
        known = book(self.choice.game, self.data or self.choice.project).readings
        under: dict[str, tuple[str, ...]] = {key: (value,) for key, value in self.scenario.premise.items()}
        within: dict[str, tuple[int, int]] = {}
        own = dict(self.choice.readings)

        def ask(other: Choice) -> bool:
            return is_answered_as_expected(self.scenario, other, self.data)

        for found in find_other_answers(self.choice, deriver.touched, True, ask, self.data):  # noqa: FBT003 - the answer
            bounds = known[found.key].number
            if bounds is None:
                allowed = under.get(found.key, tuple(known[found.key].values))
                under[found.key] = tuple(value for value in allowed if value != found.value)
                continue
            value, (least, greatest) = int(found.value), within.get(found.key, bounds[:2])
            is_below = value < int(own[found.key])
            within[found.key] = (value + 1, greatest) if is_below else (least, value - 1)
        numbers = {key: _list_near(int(own[key]), *bounds) for key, bounds in within.items()}
        return {**under, **{key: values for key, values in numbers.items() if key not in under}}


def _list_near(own: int, least: int, greatest: int) -> tuple[str, ...]:
    """Return the numbers of a range, of a long one those near the edition's own."""
    first = max(least, own - _NUMBERS // 2)
    return tuple(map(str, range(first, min(greatest + 1, first + _NUMBERS))))
