"""From scenarios to lines: requests as they go over the wire, and for each step the answers that conform."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brou import BrouError, Choice, book, choose, with_readings
from brou.games.folder import Folder
from brou.games.readings import others
from brou.shapes import ABSENT
from brou_conformance.messages import ABILITIES
from brou_conformance.portable.derivations import Derivations, ScriptDeriver
from brou_conformance.portable.lines import (
    CaseLine,
    ExpectedAnswer,
    PositionQuestion,
    StepExpectation,
    ValidRange,
)
from brou_conformance.programs.capabilities import Query, find_needed, find_off_turn, find_positions
from brou_conformance.programs.session import Hello
from brou_conformance.protocol import Message
from brou_conformance.scenarios.corpus import Corpus, applying, scenarios
from brou_conformance.scenarios.course import find_duties
from brou_conformance.scenarios.scenario import PLAY, Pattern, Scenario, ScriptStep
from brou_conformance.scenarios.script import Script, machine, spell
from brou_conformance.verdicts.plan import is_answered_as_expected

#: A program that can do everything; it is asked whatever there is.
_ABLE = Hello({}, (), {}, frozenset(ABILITIES))
#: Questions that need an ability of their own.
_OPTIONAL = ("winner", "view", "score")


def spell_edition(game: str, edition: str, corpus: Corpus = None, data: Folder = None) -> Iterator[CaseLine]:
    """Yield the line of each scenario of an edition, set-up by set-up, in the order of the files."""
    setups = list(book(game, data).editions[edition].setups)
    number = 0
    for setup in setups:
        usual = choose(f"{game}@{edition}:{setup}", data)
        for scenario in applying(scenarios(game, corpus), edition, setup, first=setup == setups[0]):
            speller = _Speller(scenario, with_readings(usual, scenario.premise, data), data)
            line = speller.spell(number + 1)
            number += 1 + len(line.positions)
            yield line


@dataclass(slots=True)
class _Speller:
    """Spells out one scenario under the rules that it was written for."""

    scenario: Scenario
    choice: Choice
    data: Folder

    def spell(self, number: int) -> CaseLine:
        """Return the line; its requests have numbers from this one on."""
        scenario, choice = self.scenario, self.choice
        script = spell(scenario, choice, self.data)
        player = machine(choice, self.data)
        deriver = ScriptDeriver(script, self.data)
        derived = list(deriver.derive())
        off_turn = find_off_turn(script, player)
        positions = list(find_positions(script, _ABLE, player))
        silent, within = self._find_silent(deriver)
        messages = [step.message for step in script.steps]
        return CaseLine(
            id=scenario.id,
            game=choice.game,
            edition=choice.edition,
            setup=choice.setup,
            title=scenario.title,
            because=scenario.because,
            clauses=scenario.clauses,
            level=scenario.level,
            premise=dict(scenario.premise) or ABSENT,
            silent=silent or ABSENT,
            within=within or ABSENT,
            needs=tuple(sorted(find_needed(script, player))),
            request=_request(script, number, messages, script.start),
            steps=tuple(self._steps(script, derived, off_turn)),
            positions=tuple(
                _position(script, step, query, number + place) for place, (step, query) in enumerate(positions, 1)
            ),
        )

    def _steps(
        self, script: Script, derived: Sequence[Derivations], off_turn: frozenset[int]
    ) -> Iterator[StepExpectation]:
        otherwise = self._derive_otherwise(script)
        for number, step in enumerate(script.steps):
            needs = (*([step.verb] if step.verb in _OPTIONAL else []), *(["offturn"] if number in off_turn else []))
            if step.expected is not None:
                expect = self._list_answers(script, number, step.expected, derived[number])
                yield StepExpectation(id=step.id, needs=needs, expect=expect)
                continue
            own = script.readings[step.reading]
            values = {
                value: self._list_answers(
                    *((script, number) if value == own else (otherwise[step.reading, value][0], number)),
                    pattern,
                    derived[number] if value == own else otherwise[step.reading, value][1][number],
                )
                for value, pattern in step.values.items()
            }
            yield StepExpectation(id=step.id, needs=needs, reading=step.reading, values=values)

    def _derive_otherwise(self, script: Script) -> Mapping[tuple[str, str], tuple[Script, Sequence[Derivations]]]:
        """Return the script under each other value that its steps name, with the derivations of those steps."""
        wanted: dict[tuple[str, str], set[int]] = {}
        for number, step in enumerate(script.steps):
            for value in step.values:
                if value != script.readings[step.reading]:
                    wanted.setdefault((step.reading, value), set()).add(number)
        found: dict[tuple[str, str], tuple[Script, Sequence[Derivations]]] = {}
        for (key, value), numbers in wanted.items():
            try:
                other = spell(self.scenario, with_readings(self.choice, {key: value}, self.data), self.data)
                found[key, value] = other, list(ScriptDeriver(other, self.data).derive(numbers))
            except BrouError:  # the rules exclude the value together with the others: nothing is derived
                found[key, value] = script, [()] * len(script.steps)
        return found

    def _list_answers(self, script: Script, number: int, pattern: Pattern, because: Derivations) -> ExpectedAnswer:
        members: dict[str, Any] = {pattern.key: pattern.value}
        if pattern.key == "no" and pattern.value is not True:
            duties = find_duties(script, machine(script.choice, self.data), number)
            members = {"no": tuple(dict.fromkeys([pattern.value, *sorted(duties)]))}
        if pattern.hides:
            members["hides"] = pattern.hides
        return ExpectedAnswer(**members, because=because)

    def _find_silent(self, deriver: ScriptDeriver) -> tuple[dict[str, tuple[str, ...]], dict[str, ValidRange]]:
        """Return the values of readings under which the rules themselves answer otherwise than is expected."""
        known = book(self.choice.game, self.data).readings
        silent: dict[str, tuple[str, ...]] = {}
        within: dict[str, ValidRange] = {}
        own = dict(self.choice.readings)

        def ask(other: Choice) -> bool:
            return is_answered_as_expected(self.scenario, other, self.data)

        for found in others(self.choice, deriver.touched, True, ask, self.data):  # noqa: FBT003 - the answer
            if known[found.key].number is None:
                silent[found.key] = (*silent.get(found.key, ()), found.value)
                continue
            value, range_ = int(found.value), within.get(found.key, ValidRange())
            least, greatest = (value + 1, range_.greatest) if value < int(own[found.key]) else (range_.least, value - 1)
            within[found.key] = ValidRange(least=least, greatest=greatest)
        return silent, within


def _request(script: Script, number: int, messages: Sequence[Mapping[str, Any]], start: Mapping[str, Any]) -> Message:
    return {"op": "run", "id": number, **script.request(messages, start, readings=False)}


def _position(script: Script, number: int, query: Query, id_: int) -> PositionQuestion:
    step: ScriptStep = script.steps[number]
    act = step.message.get("act")
    card = act.get(PLAY, ABSENT) if isinstance(act, dict) else ABSENT
    return PositionQuestion(
        step=number,
        needs=("winner",) if step.verb == "winner" else (),
        card=card if isinstance(card, str) else ABSENT,
        request=_request(script, id_, query.messages, query.start),
    )
