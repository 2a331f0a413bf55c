"""Conditions and figures in words: phrases that match, what is said where none does, and sums taken apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from brou import Machine
from brou.answers.history import History, since
from brou.interpreter.evaluate import Evaluator
from brou.language.syntax import Game
from brou.reasons.moment import Moment
from brou.reasons.reasoner import Reasoner
from brou.words.wording import Words

Tiny = Callable[..., Game]
Faults = Callable[..., list[str]]

PHRASES = {
    "low": {"args": {"n": "int"}, "is": "n < three", "say": {"en": "{n} is below {three}"}, "deny": {"en": "enough"}},
    "calm": {"is": "feel == calm", "say": {"en": "all is calm"}},
    "flagged": {"is": "flag", "say": {"en": "the flag is up"}, "deny": {"en": "the flag is down"}},
    "tallied": {"is": "tally", "say": {"en": "tally"}},
    "owned": {"args": {"t": "team"}, "is": "total[t]", "say": {"en": "total of {t}"}},
    "whole": {"args": {"t": "team"}, "is": "doubled(t)", "say": {"en": "doubled"}},
}
FUNCTIONS = {
    "lofty": {"type": "bool", "is": "now >= three", "say": {"en": "the lap is late"}},
    "named": {"type": "bool", "is": "flag and feel == calm"},
    "sum_up": {"args": {"t": "team"}, "type": "int", "is": "total[t] - tally + three"},
    "doubled": {"args": {"t": "team"}, "type": "int", "is": "2 * total[t]"},
    "every": {"type": "int", "is": "sum(total[t] for t in teams)"},
}


@pytest.fixture
def telling(tiny: Tiny) -> Callable[..., str]:
    """Return how a condition of the made-up game is told, some variables set before."""

    def tell(condition: str, **values: Any) -> str:
        functions = {**FUNCTIONS, "probe": {"type": "bool", "is": condition}}
        game = tiny(phrases=PHRASES, functions=functions)
        reason = Reasoner(Evaluator(game)).reason(game.functions["probe"].body, _moment(game, **values))
        return Words(game, "en").sentence(reason)

    return tell


@pytest.fixture
def summing(tiny: Tiny) -> Callable[..., list[tuple[int, str]]]:
    """Return the terms that a number of the made-up game is made of."""

    def terms(number: str, **values: Any) -> list[tuple[int, str]]:
        functions = {**FUNCTIONS, "probe": {"type": "int", "is": number}}
        game = tiny(phrases=PHRASES, functions=functions)
        words = Words(game, "en")
        found = Reasoner(Evaluator(game)).terms(game.functions["probe"].body, _moment(game, **values))
        return [(term.value, words.number_name(term.name)) for term in found]

    return terms


def _moment(game: Game, **values: Any) -> Moment:
    state = list(Machine(game).begin().values)
    slots = {name: number for number, name in enumerate(game.state)}
    for name, value in values.items():
        state[slots[name]] = value
    return Moment(tuple(state))


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("now < three", "1 is below 3 (1)"),
        ("three > now", "1 is below 3 (1)"),
        ("not now >= three", "1 is below 3 (1)"),
        ("now >= three", "1 is below 3 (1)"),
        ("feel == calm", "all is calm"),
        ("calm == feel", "all is calm"),
        ("feel != calm", "all is calm"),
        ("flag", "the flag is down"),
        ("not flag", "the flag is down"),
        ("lofty", "the lap is late: no"),
        ("not lofty", "the lap is late: no"),
        ("not flag and feel == calm", "the flag is down; all is calm"),
        ("flag and feel == calm", "the flag is down"),
        ("flag or feel == calm", "all is calm"),
        ("flag or feel != calm", "the flag is down; all is calm"),
        ("named", "the flag is down"),
        ("flag if feel == calm else lofty", "the flag is down"),
        ("boss == None", "boss == None"),
        ("boss != None", "boss == None"),
        ("boss != None and boss == next(boss)", "boss == None"),
        ("tally == 0", "tally == 0"),
        ("tally > 2", "2 >= tally (0)"),
    ],
)
def test_a_condition_is_told(telling: Callable[..., str], condition: str, told: str) -> None:
    """A phrase tells its condition and the opposite; without one the parts are told, in the end as they are written."""
    assert telling(condition) == told


def test_a_condition_is_told_as_it_stands(telling: Callable[..., str]) -> None:
    """What holds is said, what fails is denied, whatever way the condition is written."""
    assert telling("now < three", now=3) == telling("now >= three", now=3) == "enough (3)"
    assert telling("flag", flag=True) == "the flag is up"
    assert telling("feel == calm", feel="wild") == "all is calm: no"
    assert telling("lofty", now=3) == "the lap is late"


@pytest.mark.parametrize(
    ("number", "terms"),
    [
        ("sum(sum_up(t) for t in teams if total[t] > 0)", [(5, "total of team 0"), (-4, "tally"), (3, "")]),
        ("tally", [(4, "tally")]),
        ("tally + three", [(4, "tally"), (3, "")]),
        ("tally - three", [(4, "tally"), (-3, "")]),
        ("three - (tally - three)", [(3, ""), (-4, "tally"), (3, "")]),
        ("every", [(5, "total of team 0"), (-2, "total of team 1")]),
        (
            "every - every",
            [(5, "total of team 0"), (-2, "total of team 1"), (-5, "total of team 0"), (2, "total of team 1")],
        ),
        ("tally if flag else three", [(3, "")]),
        ("tally * three", [(12, "4 \N{MULTIPLICATION SIGN} 3")]),
        ("0", [(0, "")]),
    ],
)
def test_a_number_is_taken_apart(
    summing: Callable[..., list[tuple[int, str]]], number: str, terms: list[tuple[int, str]]
) -> None:
    """Sums, differences, chosen sides, functions and sums over values are told part by part, nothing left out."""
    assert summing(number, tally=4, total=(5, -2)) == terms


def test_a_figure_with_words_of_its_own_is_not_split(tiny: Tiny) -> None:
    """It says what it was made from instead."""
    game = tiny(
        phrases=PHRASES, functions={**FUNCTIONS, "probe": {"type": "int", "is": "sum(doubled(t) for t in teams)"}}
    )
    words = Words(game, "en")
    found = Reasoner(Evaluator(game)).terms(game.functions["probe"].body, _moment(game, total=(5, -2)))
    told = [[(part.value, words.number_name(part.name)) for part in term.parts] for term in found]

    assert [(term.value, words.number_name(term.name), parts) for term, parts in zip(found, told, strict=True)] == [
        (10, "doubled", [(5, "total of team 0")]),
        (-4, "doubled", [(-2, "total of team 1")]),
    ]
    assert found[0].clauses == ("b.doubled",)


def test_what_was_written_is_known_with_its_reason(tiny: Tiny) -> None:
    """Every write is kept with the case that led to it, its place and the step; a reset counts as a write."""
    cases = [
        {"id": "small", "when": "n < 2", "do": [{"set": "tally", "to": 1}]},
        {"id": "big", "else": True, "do": [{"add": "tally", "by": "n"}, {"add": "total[team(me)]", "by": "n"}]},
    ]
    act = {"by": {"who": "players"}, "params": {"n": {"in": "lap"}}, "legal": "True", "do": [{"cases": cases}]}
    clear = {"by": {"who": "players"}, "legal": "True", "do": [{"reset": "round"}]}
    game = tiny(
        actions={"go": act, "clear": clear}, phases={"perch": {"actions": ["go", "clear"]}}, score={"tally": "tally"}
    )
    history = History(game)
    machine = Machine(game, history)
    state = machine.begin()
    for step, seat, done in (("one", 0, {"go": 1}), ("two", 1, {"go": 3}), ("three", 3, {"go": 2})):
        history.begin(step)
        after = machine.act(state, seat, done)
        assert not hasattr(after, "code")
        state = after

    told = [(write.step, write.variable, write.path, write.reasons[-1].case.id) for write in history.writes]
    assert told == [
        ("one", "tally", (), "small"),
        ("two", "tally", (), "big"),
        ("two", "total", (1,), "big"),
        ("three", "tally", (), "big"),
        ("three", "total", (1,), "big"),
    ]
    assert [write.step for write in since(history.writes, "tally", ())] == ["one", "two", "three"]
    assert [write.step for write in since(history.writes, "total", (1,))] == ["two", "three"]
    assert since(history.writes, "total", (0,)) == []
    machine.act(state, 0, {"clear": True})
    assert [write.effect.op for write in since(history.writes, "tally", ())] == ["reset"]
    assert ("actions", "go") in history.touched


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ({"is": "tally", "deny": {"en": "no"}}, "probe is int 0..9, which cannot fail; leave `deny` out"),
        (
            {"args": {"n": "int"}, "is": "flag", "say": {"en": "yes"}},
            "probe does not speak of n; leave out arguments that its expression does not use",
        ),
        ({"is": "flag", "say": {"en": "{who} waves"}}, "{who} is no argument, parameter or attribute"),
        ({"is": "flags", "say": {"en": "yes"}}, "unknown name 'flags'"),
    ],
)
def test_a_phrase_that_cannot_be(faults: Faults, phrase: dict[str, Any], told: str) -> None:
    """A phrase is typed like any expression, and its words use what is there."""
    assert any(fault.startswith(told) for fault in faults(phrases={"probe": phrase}))
