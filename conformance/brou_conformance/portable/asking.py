"""Ways to ask a program a script, written out so that a runner of some lines looks everything up.

Each step bears everything that a program must be able to do to be sent it, each check everything that it hangs on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from brou import Choice
from brou.shapes import Absent
from brou_conformance.messages import Card
from brou_conformance.portable.lines import (
    AnswerCheck,
    AskedRequest,
    AskingWay,
    ExpectedAnswer,
    StepExpectation,
    WayStep,
)
from brou_conformance.programs.capabilities import Query
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.scenarios.script import Script

#: By reading the values under which an answer, or all of a script, says something.
Under: TypeAlias = Mapping[str, tuple[str, ...]]
#: Questions that need an ability of their own.
_OPTIONAL = ("winner", "view", "score")
#: A range of so many numbers is also spelt out: either way of telling it conforms.
_SPELT = 1000


def ask_script(
    script: Script,
    expected: Sequence[StepExpectation],
    under: Under,
    needs: Sequence[str],
    off_turn: frozenset[int],
) -> AskingWay:
    """Return the whole script as one request; each step needs what all acts before it that play goes on from need."""
    steps = []
    needed: tuple[str, ...] = ()
    for number, (step, one) in enumerate(zip(script.steps, expected, strict=True)):
        message = dict(step.message)
        verb = [step.verb] if step.verb in _OPTIONAL else []
        own = _join(needed, verb, ["offturn"] if number in off_turn else [], _list_acts(message))
        taken = step.verb == "act" and any(answer.ok for answer, _ in _list_answers(one))
        refused = step.verb == "act" and all(answer.no for answer, _ in _list_answers(one))
        steps.append(
            WayStep(
                id=one.id,
                send=message,
                kinds=_list_kinds(step.verb),
                needs=own,
                leads=step.verb == "act" and not refused,
                checks=_check_answers(script, one, under),
            )
        )
        needed = own if taken else needed
    return AskingWay(needs=tuple(needs), requests=(_ask(script, script.start, steps),))


def ask_positions(
    script: Script,
    expected: Sequence[StepExpectation],
    under: Under,
    plays: str,
    positions: Iterable[tuple[int, Query]],
) -> AskingWay:
    """Return the steps asked one by one, of a program that takes positions and not the script."""
    requests = tuple(_ask_position(script, expected[number], under, number, query) for number, query in positions)
    return AskingWay(needs=(plays, "position"), requests=requests)


def _ask_position(script: Script, one: StepExpectation, under: Under, number: int, query: Query) -> AskedRequest:
    step = script.steps[number]
    act = step.message.get("act")
    card = act.get(PLAY) if isinstance(act, dict) else None
    checks = _check_answers(script, one, under, card if isinstance(card, str) else None)
    last = len(query.messages) - 1
    return _ask(
        script,
        query.start,
        (
            WayStep(
                id=one.id,
                send=dict(message),
                kinds=_list_kinds(next(verb for verb in _VERBS if verb in message)),
                needs=("winner",) if step.verb == "winner" else (),
                leads=False,
                checks=checks if place == last else (),
            )
            for place, message in enumerate(query.messages)
        ),
    )


_VERBS = ("act", "legal", *_OPTIONAL)


def _list_kinds(verb: str) -> tuple[str, ...]:
    return ("ok", "no") if verb == "act" else (verb,)


def _ask(script: Script, start: Mapping[str, Any], steps: Iterable[WayStep]) -> AskedRequest:
    request = {"op": "run", **script.request((), start, readings=False)}
    return AskedRequest(
        id=script.scenario.id,
        premise=dict(script.scenario.premise),
        request={key: value for key, value in request.items() if key != "steps"},
        steps=tuple(steps),
    )


def _list_acts(message: Message) -> Sequence[str]:
    act = message.get("act")
    return tuple(map(_name_act, act)) if isinstance(act, dict) else ()


def name_play(choice: Choice) -> str:
    """Return the need for a program that plays some rules."""
    return f"plays:{choice.game}@{choice.edition}:{choice.setup}"


def _name_act(name: str) -> str:
    return f"act:{name}"


def _join(*parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name for part in parts for name in part}))


# Checks ---------------------------------------------------------------------------------------------------------------


def _list_answers(one: StepExpectation) -> Iterator[tuple[ExpectedAnswer, Under]]:
    """Yield the answers that conform, each with the reading that it hangs on."""
    if one.expect:
        yield one.expect, {}
    for value, answer in (one.values or {}).items():
        yield answer, {str(one.reading): (value,)}


def _check_answers(
    script: Script, one: StepExpectation, under: Under, card: Card | None = None
) -> tuple[AnswerCheck, ...]:
    """Return the checks of a step, or of the one card in question; none where no answer is wrong."""
    if script.scenario.level == "open":
        return ()
    found = []
    for answer, further in _list_answers(one):
        both = _restrict(under, further)
        if all(both.values()):  # else it is of a reading under which the script says nothing
            checks = [_check_card(answer, card)] if card else _check_answer(answer)
            found += [replace(check, under=both) for check in checks]
    return tuple(found)


def _restrict(under: Under, further: Under) -> dict[str, tuple[str, ...]]:
    """Return the values that conform to both."""
    both = {key: tuple(one for one in values if one in further.get(key, values)) for key, values in under.items()}
    return {**further, **both}


def _check(
    *at: str,
    equals: Sequence[object],
    absent: bool = False,
    as_set: bool = False,
    needs: tuple[str, ...] = (),
) -> AnswerCheck:
    return AnswerCheck(at=at, equals=tuple(equals), absent=absent, set=as_set, needs=needs, under={})


def _check_card(answer: ExpectedAnswer, card: Card) -> AnswerCheck:
    """Return the check of a single card: the program accepts it by naming it among the legal ones."""
    return _check("legal", PLAY, card, equals=[bool(answer.ok)], absent=not answer.ok)


def _check_answer(answer: ExpectedAnswer) -> Iterator[AnswerCheck]:
    if answer.ok:
        yield _check("ok", equals=[True])
    if answer.no:
        yield _check("ok", equals=[], absent=True)
        if answer.no is not True:
            yield _check("no", equals=[True, *answer.no], needs=("codes",))
    if not isinstance(answer.winner, Absent):
        yield _check("winner", equals=[answer.winner])
    for name, choices in (answer.legal or {}).items():
        spelt = list(_spell_choices(choices))
        yield _check("legal", name, equals=spelt, absent=choices == [], as_set=True, needs=(_name_act(name),))
    for kind, told in (("view", answer.view), ("score", answer.score)):
        if not isinstance(told, Absent):
            yield from (_check(kind, key, equals=[value], absent=True) for key, value in told.items())
            yield from (_check(kind, key, equals=[None], absent=True) for key in answer.hides or ())


def _spell_choices(choices: object) -> Iterator[object]:
    """Yield the ways to tell the choices of an act: as they are, and numbers one by one."""
    yield choices
    if isinstance(choices, dict) and choices.keys() == {"min", "max"} and choices["max"] - choices["min"] < _SPELT:
        yield list(range(choices["min"], choices["max"] + 1))
