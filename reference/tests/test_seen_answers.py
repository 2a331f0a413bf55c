"""Answers to one question are worked out once for all states that look alike where the question reads them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from brou import Game, State
from brou.interpreter.partial import Knowledge, Unsure
from brou.interpreter.seen_answers import SeenAnswers

Tiny = Callable[..., Any]

STATE = {
    "round": {
        "tally": {"type": "int 0..2"},
        "feel": {"type": "int 0..2"},
        "wish": {"type": "int 0..2"},
        "seen": {"type": "int 0..2[player]"},
        "nest": {"type": "cards[player]", "zone": True},
    }
}


def know(game: Game, **values: int) -> Knowledge:
    """Return the knowledge of some variables."""
    return Knowledge(game, {(name, ()): value for name, value in values.items()})


def read(state: State, game: Game, name: str) -> Any:
    """Return the value of a variable."""
    return state.values[list(game.state).index(name)]


def test_a_question_is_worked_out_once_for_what_it_does_not_read(tiny: Tiny) -> None:
    """States that differ elsewhere, and in what is not known, have its answer; others are asked themselves."""
    game, asked = tiny(state=STATE), list[State]()

    def ask(state: State) -> bool:
        asked.append(state)
        return bool(read(state, game, "tally") == 1 or read(state, game, "feel") == 2)

    answers = SeenAnswers(ask)
    assert answers.ask("perch", know(game, tally=1))
    assert answers.ask("perch", know(game, tally=1, feel=0, wish=2))
    assert len(asked) == 1
    assert not answers.ask("perch", know(game, tally=0, feel=1))
    assert answers.ask("perch", know(game, tally=0, feel=2))
    assert len(asked) == 3


def test_phases_have_answers_of_their_own(tiny: Tiny) -> None:
    """What was read in one phase says nothing of another."""
    game = tiny(state=STATE)
    answers = SeenAnswers(lambda state: state.phase)

    assert [answers.ask(phase, know(game)) for phase in ("perch", "night", "perch")] == ["perch", "night", "perch"]


def test_what_is_not_known_is_asked_for_again(tiny: Tiny) -> None:
    """A question without an answer for want of a cell has one once the cell is known."""
    game = tiny(state=STATE)
    answers = SeenAnswers(lambda state: read(state, game, "tally"))
    for _ in range(2):
        with pytest.raises(Unsure, match="tally"):
            answers.ask("perch", know(game, feel=1))

    assert answers.ask("perch", know(game, feel=1, tally=2)) == 2


def test_a_number_of_cards_is_no_value(tiny: Tiny) -> None:
    """Cards of which the number is known are told from others, and from cards that are known."""
    game = tiny(state=STATE)
    answers = SeenAnswers(lambda state: len(read(state, game, "nest")[0]))
    counted = [Knowledge(game, sizes={("nest", (0,)): size}) for size in (1, 3)]

    assert [answers.ask("perch", one) for one in [*counted, *counted]] == [1, 3, 1, 3]
    assert answers.ask("perch", Knowledge(game, values={("nest", (0,)): frozenset(["OM", "HM"])})) == 2


@pytest.mark.parametrize("order", [("tally", "feel", "wish"), ("wish", "tally", "feel")])
def test_answers_are_those_of_the_question(tiny: Tiny, order: tuple[str, ...]) -> None:
    """In every state, though it reads now these cells first and now those."""
    game, turns = tiny(state=STATE), list[int]()

    def ask(state: State) -> int:
        turns.append(1)
        names = order if len(turns) % 2 else order[::-1]
        total = 0
        for name in names:
            total += read(state, game, name)
            if name == "feel" and total > 1:
                break
        return sum(read(state, game, name) * 3**place for place, name in enumerate(order))

    answers = SeenAnswers(ask)
    states = [dict(zip(order, values, strict=True)) for values in product(range(3), repeat=3)] * 2
    wanted = [sum(one[name] * 3**place for place, name in enumerate(order)) for one in states]

    assert [answers.ask("perch", know(game, **one)) for one in states] == wanted
