"""A compass game in which the declarer plays from a second, open hand stands on the prelude and a hundred lines."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brou import Machine, Refusal, State, rules
from brou.chance import Chance
from brou.check import check
from brou.compiler.compiled import Compiled
from brou.compiler.playing import draw_act

#: The seats by their part in the first deal.
DEALER, DECLARER, LEADER, DUMMY = 0, 1, 2, 3
#: The acts before the first lead, and those of a whole deal.
BEFORE, DEAL = 3, 3 + 52


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder of data with the game; it has no prelude but that of the house."""
    made = tmp_path_factory.mktemp("dummy")
    shutil.copytree(Path(__file__).parent / "dummy", made / "games" / "dummy")
    return made


@pytest.fixture(scope="module")
def machine(folder: Path) -> Machine:
    """Returns what plays the game as its text has it."""
    return Machine(rules("dummy", folder))


def moves(machine: Machine, seed: int, most: int = DEAL) -> Iterator[tuple[int, dict[str, Any], State]]:
    """Yields random acts with the state after each, of one deal unless more are asked for."""
    chance, state = Chance(seed), machine.begin()
    for _ in range(most):
        drawn = draw_act(machine, state, chance)
        if drawn is None:
            return
        after = machine.act(state, *drawn)
        assert isinstance(after, State)
        state = after
        yield *drawn, state


def in_play(machine: Machine, seed: int) -> Iterator[State]:
    """Yields the states of a random deal in which a card is to be played."""
    yield from (state for *_, state in moves(machine, seed) if state.phase == "play")


def seat_of(machine: Machine, state: State) -> int:
    """Returns the seat whose turn it is."""
    return int(str(machine.get(state, "turn")))


def look(machine: Machine, state: State, seat: int) -> Any:
    """Returns what a seat sees."""
    return machine.view(state, seat)


def playable(machine: Machine, state: State, seat: int) -> list[str]:
    """Returns the cards that a seat may play."""
    offered: Any = machine.legal(state, seat)["play"]
    return list(offered)


def test_the_game_stands_on_a_hundred_lines() -> None:
    """Its files have no more, beside the prelude and what only tells: texts, questions, places in the source."""
    files = (Path(__file__).parent / "dummy").iterdir()
    told = re.compile(r" *(- )?((text|title|ask|why|from):|#)")
    lines = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    assert len([line for line in lines if not told.match(line)]) <= 100


def test_the_game_is_sound(folder: Path) -> None:
    """Nothing is wrong with its chapter or its readings; the passages that it names stand in no source."""
    assert [fault.what for fault in check(folder) if "passage" not in fault.what] == []


def test_the_dummy_is_never_to_act(machine: Machine) -> None:
    """The declarer is in the dummy's turn, and everybody else in their own."""
    turns = set()
    for state in in_play(machine, 1):
        turn = seat_of(machine, state)
        turns.add(turn)
        acting = [seat for seat in range(4) if machine.legal(state, seat)]
        assert acting == [DECLARER if turn == DUMMY else turn]
    assert turns == {0, 1, 2, 3}


@pytest.mark.parametrize("seed", [2, 3])
def test_each_hand_follows_for_itself(machine: Machine, seed: int) -> None:
    """What may be played is of the suit led if the hand whose turn it is has that suit, and else is that whole hand."""
    bound = 0
    for state in in_play(machine, seed):
        turn = seat_of(machine, state)
        trick = look(machine, state, turn)["trick"]
        hand = look(machine, state, turn)["hand"]
        same = [card for card in hand if trick and card[1] == trick[0]["card"][1]]
        bound += turn == DUMMY and 0 < len(same) < len(hand)
        offered = playable(machine, state, DECLARER if turn == DUMMY else turn)
        assert sorted(offered) == sorted(same or hand)
    assert bound


def hands_seen(machine: Machine, state: State) -> list[Any]:
    """Returns what each seat sees of the dummy."""
    return [look(machine, state, seat).get("dummy") for seat in range(4)]


@pytest.mark.parametrize(("reading", "opened"), [("first-lead", BEFORE + 1), ("trump", BEFORE)])
def test_the_open_hand_is_seen_from_the_moment_that_the_rules_name(folder: Path, reading: str, opened: int) -> None:
    """Before nobody sees it, and from then on everybody sees what is left of it."""
    machine = Machine(rules(f"dummy[opening={reading}]", folder))
    for number, (_, _, state) in enumerate(moves(machine, 4, DEAL - 1), 1):
        hand = look(machine, state, DUMMY)["hand"]
        shown = {"seat": DUMMY, "cards": hand} if number >= opened else None
        assert hands_seen(machine, state) == [shown] * 4


def test_no_other_hand_is_seen(machine: Machine) -> None:
    """The cards in a view are those of the own hand, of the dummy and of the trick."""
    for state in in_play(machine, 5):
        for seat in range(4):
            seen = look(machine, state, seat)
            open_cards = {one["card"] for one in seen["trick"]} | set((seen.get("dummy") or {"cards": ()})["cards"])
            other = {card for one in range(4) if one != seat for card in look(machine, state, one)["hand"]}
            text = str({key: value for key, value in seen.items() if key != "hand"})
            assert {card for card in other if f"'{card}'" in text} <= open_cards


def test_a_played_card_is_always_somewhere(machine: Machine) -> None:
    """Every card lies in a hand or in a trick as soon as the cards are dealt, and no invariant is broken."""
    for *_, state in moves(machine, 6):
        assert machine.find_broken_invariants(state) == []


def test_what_is_played_in_the_turn_of_the_dummy_leaves_its_hand(machine: Machine) -> None:
    """It lies in the trick in front of the dummy; the declarer has as many cards as before."""
    before = next(state for state in in_play(machine, 7) if seat_of(machine, state) == DUMMY)
    card = playable(machine, before, DECLARER)[0]
    after = machine.act(before, DECLARER, {"play": card})
    assert isinstance(after, State)
    hands = [[look(machine, state, seat)["hand"] for seat in (DECLARER, DUMMY)] for state in (before, after)]
    assert hands[0][0] == hands[1][0]
    assert sorted([*hands[1][1], card]) == sorted(hands[0][1])
    assert {"seat": DUMMY, "card": card} in look(machine, after, DEALER)["trick"]


def test_a_dummy_that_takes_a_trick_leads_by_the_declarer(machine: Machine) -> None:
    """The lead is from the hand that took the trick."""
    states = list(in_play(machine, 8))
    leads = [one for one in states if not look(machine, one, 0)["trick"] and machine.get(one, "last") is not None]
    by_dummy = [one for one in leads if seat_of(machine, one) == DUMMY]
    assert all(machine.get(one, "last") == machine.get(one, "leader") for one in leads)
    assert by_dummy
    for one in by_dummy:
        assert sorted(playable(machine, one, DECLARER)) == sorted(look(machine, one, DUMMY)["hand"])


def test_a_random_match_ends(machine: Machine) -> None:
    """Deals follow each other until a team has the points, which are those of tricks above six."""
    phases, scores = list[str](), list[Any]()
    for *_, state in moves(machine, 9, 20 * DEAL):
        phases.append(state.phase)
        score: Any = machine.score(state)
        scores.append(score["points"])
    assert phases[-1] == "over"
    assert max(scores[-1]) >= 7 > max(scores[-2])
    changes = [
        [two - one for one, two in zip(*pair, strict=True)] for pair in zip([[0, 0], *scores], scores, strict=False)
    ]
    gains = [sorted(change) for change in changes if any(change)]
    assert all(low == 0 < high <= 7 for low, high in gains)


def test_interpreter_and_generated_code_play_alike(folder: Path) -> None:
    """They offer the same and come to the same states."""
    game = rules("dummy", folder)
    machine, engine = Machine(game), Compiled(game, keep=False)
    other = engine.encode_state(machine.begin())
    for seat, act, state in moves(machine, 10, DEAL + 5):
        after = engine.act(other, seat, act)
        assert not isinstance(after, Refusal)
        other = after
        assert engine.decode_state(other) == state
        assert [engine.legal(other, one) for one in range(4)] == [machine.legal(state, one) for one in range(4)]


def refusals(machine: Machine, state: State, seat: int, card: str) -> list[tuple[str, str]]:
    """Returns the clauses and codes by which a card is refused."""
    return [(one.clause, one.code) for one in machine.refusals(state, seat, {"play": card})]


def test_only_the_declarer_plays_in_the_turn_of_the_dummy(machine: Machine) -> None:
    """The dummy, and everybody else, is refused under the clause on the dummy."""
    state = next(state for state in in_play(machine, 11) if seat_of(machine, state) == DUMMY)
    card = playable(machine, state, DECLARER)[0]
    assert refusals(machine, state, DUMMY, card)[0] == ("dummy.dummy.02", "not_your_turn")
    assert refusals(machine, state, LEADER, look(machine, state, LEADER)["hand"][0])[0] == (
        "dummy.dummy.02",
        "not_your_turn",
    )


def test_a_card_of_the_wrong_hand_is_refused(machine: Machine) -> None:
    """In the dummy's turn the declarer may not play a card of the own hand, nor in the own turn one of the dummy."""
    states = {seat_of(machine, state): state for state in in_play(machine, 12)}
    for turn, other in ((DUMMY, DECLARER), (DECLARER, DUMMY)):
        state = next(one for one in in_play(machine, 12) if seat_of(machine, one) == turn)
        card = look(machine, state, other)["hand"][0]
        assert ("dummy.play.01", "not_in_hand") in refusals(machine, state, DECLARER, card)
    assert states.keys() == {0, 1, 2, 3}


def test_a_revoke_of_the_dummy_is_refused_by_the_duty_to_follow(machine: Machine) -> None:
    """Whatever the declarer holds."""
    found = 0
    for state in in_play(machine, 13):
        hand = look(machine, state, DUMMY)["hand"]
        if seat_of(machine, state) == DUMMY:
            offered = playable(machine, state, DECLARER)
            for card in set(hand) - set(offered):
                assert refusals(machine, state, DECLARER, card) == [("dummy.play.02", "must_follow")]
                found += 1
    assert found
