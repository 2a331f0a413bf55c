"""Ways to ask a program a script, written out so that a runner of some lines looks everything up.

Each step bears everything that a program must be able to do to be sent it, each check everything that it hangs on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from brou.shapes import ABSENT, Absent
from brou_conformance.messages import Card
from brou_conformance.portable.lines import AnswerCheck, AskingWay, ExpectedAnswer, StepExpectation, WayStep
from brou_conformance.programs.capabilities import Query
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.scenarios.script import Script

#: By a reading the value that an answer hangs on.
_Under: TypeAlias = Mapping[str, tuple[str, ...]] | Absent
#: Questions that need an ability of their own.
_OPTIONAL = ("winner", "view", "score")
#: A range of so many numbers is also spelt out: either way of telling it conforms.
_SPELT = 1000


def ask_script(
    script: Script, expected: Sequence[StepExpectation], needs: Sequence[str], off_turn: frozenset[int]
) -> AskingWay:
    """Return the whole script as one request; each step needs what all acts before it that play goes on from need."""
    steps = []
    behind: tuple[str, ...] = ()
    for number, (step, one) in enumerate(zip(script.steps, expected, strict=True)):
        message = dict(step.message)
        acts = _list_acts(message)
        verb = [step.verb] if step.verb in _OPTIONAL else []
        own = _join(behind, verb, ["offturn"] if number in off_turn else [], (f"act {name}" for name in acts))
        taken = step.verb == "act" and any(answer.ok for answer, _ in _list_answers(one))
        refused = step.verb == "act" and all(answer.no for answer, _ in _list_answers(one))
        steps.append(
            WayStep(
                id=one.id,
                send=message,
                needs=own,
                leads=step.verb == "act" and not refused,
                checks=tuple(_check_answers(one)),
            )
        )
        behind = own if taken else behind
    return AskingWay(needs=tuple(needs), request=_request(script, script.start), steps=tuple(steps))


def ask_position(script: Script, one: StepExpectation, number: int, query: Query, instead: Sequence[str]) -> AskingWay:
    """Return a step asked by itself, of a program that takes positions and not the script."""
    step = script.steps[number]
    act = step.message.get("act")
    card = act.get(PLAY) if isinstance(act, dict) else None
    checks = tuple(_check_card(one, card) if isinstance(card, str) else _check_answers(one))
    last = len(query.messages) - 1
    return AskingWay(
        needs=("position", *(["winner"] if step.verb == "winner" else [])),
        instead=tuple(instead),
        request=_request(script, query.start),
        steps=tuple(
            WayStep(id=one.id, send=dict(message), needs=(), leads=False, checks=checks if place == last else ())
            for place, message in enumerate(query.messages)
        ),
    )


def _request(script: Script, start: Mapping[str, Any]) -> Message:
    made = {"op": "run", **script.request((), start, readings=False)}
    return {key: value for key, value in made.items() if key != "steps"}


def _list_acts(message: Message) -> Sequence[str]:
    act = message.get("act")
    return tuple(act) if isinstance(act, dict) else ()


def _join(*parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name for part in parts for name in part}))


# Checks ---------------------------------------------------------------------------------------------------------------


def _list_answers(one: StepExpectation) -> Iterator[tuple[ExpectedAnswer, _Under]]:
    """Yield the answers that conform, each with the reading that it hangs on."""
    if one.expect:
        yield one.expect, ABSENT
    for value, answer in (one.values or {}).items():
        yield answer, {str(one.reading): (value,)}


def _check_answers(one: StepExpectation) -> Iterator[AnswerCheck]:
    for answer, under in _list_answers(one):
        yield from _check_answer(answer, under)


def _check_card(one: StepExpectation, card: Card) -> Iterator[AnswerCheck]:
    """Yield the checks of a single card: the program accepts it by naming it among the legal ones."""
    for answer, under in _list_answers(one):
        yield AnswerCheck(at=("legal",), under=under)
        yield AnswerCheck(at=("legal", PLAY), has=card, equals=(bool(answer.ok),), under=under)


def _check_answer(answer: ExpectedAnswer, under: _Under) -> Iterator[AnswerCheck]:
    if answer.ok:
        yield AnswerCheck(at=("ok",), equals=(True,), under=under)
    if answer.no:
        yield AnswerCheck(at=("no",), under=under)
        if answer.no is not True:
            yield AnswerCheck(at=("no",), equals=(True, *answer.no), needs=("codes",), under=under)
    if not isinstance(answer.winner, Absent):
        yield AnswerCheck(at=("winner",), equals=(answer.winner,), under=under)
    yield from _check_choices(answer, under)
    yield from _check_told(answer, under)


def _check_choices(answer: ExpectedAnswer, under: _Under) -> Iterator[AnswerCheck]:
    if not isinstance(answer.legal, Absent):
        yield AnswerCheck(at=("legal",), under=under)
        for name, choices in answer.legal.items():
            yield AnswerCheck(
                at=("legal", name),
                equals=tuple(_spell_choices(choices)),
                unordered=True,
                needs=(f"act {name}",),
                under=under,
            )


def _check_told(answer: ExpectedAnswer, under: _Under) -> Iterator[AnswerCheck]:
    for kind, told in (("view", answer.view), ("score", answer.score)):
        if not isinstance(told, Absent):
            yield AnswerCheck(at=(kind,), under=under)
            for key, value in told.items():
                yield AnswerCheck(at=(kind, key), equals=(value,), optional=True, under=under)
            for key in answer.hides or ():
                yield AnswerCheck(at=(kind, key), equals=(None,), under=under)


def _spell_choices(choices: object) -> Iterator[object]:
    """Yield the ways to tell the choices of an act: as they are, numbers one by one, and nothing for none."""
    yield choices
    if choices == []:
        yield None
    if isinstance(choices, dict) and choices.keys() == {"min", "max"} and choices["max"] - choices["min"] < _SPELT:
        yield list(range(choices["min"], choices["max"] + 1))
