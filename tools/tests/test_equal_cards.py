"""A doubled pack whose equal cards nobody can tell apart: the game Doppel of the page on families."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from brou import Chance, Json, Machine, Refusal, Unusable, choose, rules
from brou.errors import Impossible, TooCostly
from brou.interpreter.dealing import begin, complete
from brou.interpreter.machine import State
from brou.interpreter.sight import OpenAnswer, SeatPosition
from brou.native.c_header import Label
from brou.native.c_module import write_engine
from brou.native.generated_engine import GeneratedEngine
from brou_tools.cli import main
from brou_tools.new.skeleton import list_skeleton_files

PAGE = Path(__file__).parents[2] / "docs" / "families.md"
FILE = re.compile(r"^```\{code-block\} \S+\n:caption: (\S*doppel\S*)\n\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HANDS: dict[str, Json] = {
    "0": ["KS", "KS", "AD", "AD", "TD", "TD"],
    "1": ["AS", "AH", "AH", "TH", "TH", "KH"],
    "2": ["TS", "TS", "KH", "KD", "KD", "AC"],
    "3": ["AS", "AC", "TC", "TC", "KC", "KC"],
}


@pytest.fixture
def doppel(tmp_path: Path) -> Path:
    """Return a project with Doppel as the page has it."""
    for path, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / "brou.toml").touch()
    return tmp_path


def change(folder: Path, before: str, after: str) -> None:
    """Change the chapter of Doppel."""
    file = folder / "games" / "doppel" / "10-doppel.yaml"
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


def act(machine: Machine, state: State, seat: int, card: str) -> State:
    """Return the state after a card has been played."""
    after = machine.act(state, seat, {"play": card})
    assert not isinstance(after, Refusal)
    return after


def test_a_card_is_drawn_as_often_as_the_pack_has_it(
    doppel: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice, and no more."""
    monkeypatch.chdir(doppel)

    assert main(["draw", "hand", "AS", "AS", "-o", "hand.svg"]) == 0
    assert main(["draw", "hand", "AS", "AS", "AS"]) == 2
    assert "AS is named 3 times, and the pack has it 2 times" in capsys.readouterr().err


def test_the_first_of_two_equal_cards_wins(doppel: Path) -> None:
    """Whichever copy a deal has put where."""
    machine = Machine(rules("doppel", doppel))
    for dealer in range(4):
        hands: dict[str, Json] = {str((int(seat) + dealer) % 4): cards for seat, cards in HANDS.items()}
        state = begin(machine, {"dealer": dealer, "hands": hands})
        for seat, card in ((1, "AS"), (2, "TS"), (3, "AS"), (0, "KS")):
            state = act(machine, state, (seat + dealer) % 4, card)
        assert machine.view(state, 0)["turn"] == (1 + dealer) % 4


def test_a_card_is_offered_once_and_held_twice(doppel: Path) -> None:
    """When one copy has been played the other one is still there, and then none."""
    machine = Machine(rules("doppel", doppel))
    state = act(machine, begin(machine, {"dealer": 0, "hands": HANDS}), 1, "AS")

    assert machine.legal(state, 2) == {"play": ["TS"]}
    assert machine.view(state, 2)["hand"] == ["TS", "TS", "KH", "KD", "KD", "AC"]
    state = act(machine, state, 2, "TS")
    assert machine.view(state, 2)["hand"] == ["TS", "KH", "KD", "KD", "AC"]
    state = act(machine, act(machine, state, 3, "AS"), 0, "KS")
    refusal = machine.refusal(state, 1, {"play": "AS"})
    assert refusal is not None
    assert refusal.code == "not_in_hand"


def test_the_number_of_a_copy_means_nothing_outside(doppel: Path) -> None:
    """A card is its two letters; whoever writes more names no card."""
    machine = Machine(rules("doppel", doppel))
    state = begin(machine, {"dealer": 0, "hands": HANDS})
    refusal = machine.refusal(state, 1, {"play": "AS2"})

    assert "AS2" in machine.game.deck.cards
    assert refusal is not None
    assert refusal.code == "no_such_card"


def test_interpreter_and_compiled_rules_play_alike(doppel: Path) -> None:
    """Random cards of random packs: both offer and show the same at every step, no card twice."""
    game = rules("doppel", doppel)
    machine, engine, chance = Machine(game), GeneratedEngine(game, keep=False), Chance(7)
    faces = [card[:2] for card in game.deck.cards]
    for dealer in range(4):
        pack: list[Json] = [*chance.shuffle(faces)]
        start = {"dealer": dealer, **complete(machine, machine.start({"dealer": dealer}), {"deck": pack})}
        state = begin(machine, start)
        compiled = engine.encode_state(state)
        while "play" in (legal := machine.legal(state, turn := int(str(machine.view(state, 0)["turn"])))):
            assert [engine.view(compiled, seat) for seat in range(4)] == [
                machine.view(state, seat) for seat in range(4)
            ]
            cards = legal["play"]
            assert isinstance(cards, list)
            assert len({*map(str, cards)}) == len(cards)
            card = str(cards[chance.below(len(cards))])
            state, after = act(machine, state, turn, card), engine.act(compiled, turn, {"play": card})
            assert not isinstance(after, Refusal)
            compiled = after
            if machine.view(state, 0)["turn"] is None:
                break
        assert sum(map(int, map(str, machine.score(state)["made"]))) == 2 * 4 * (11 + 10 + 4)  # type: ignore[arg-type]


def test_a_pack_has_so_many_of_each_card(doppel: Path) -> None:
    """Two aces of spades can be dealt, and three cannot."""
    machine = Machine(rules("doppel", doppel))
    three: dict[str, Json] = {**HANDS, "2": ["AS", "TS", "KH", "KD", "KD", "AC"]}

    assert Counter(card[:2] for card in machine.game.deck.cards) == dict.fromkeys(machine.game.deck.faces, 2)
    with pytest.raises(Impossible, match="AS is dealt more than 2 times"):
        begin(machine, {"dealer": 0, "hands": three})


def test_a_copy_is_turned_up_where_the_deal_turns_one_up(tmp_path: Path) -> None:
    """The other copy may lie in a hand, or in the stock."""
    for path, text in list_skeleton_files("slagen").items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text.replace("Q J T 9}", "Q J T 9, copies: 2}", 1), encoding="utf-8")
    chapter = tmp_path / "games" / "slagen" / "10-rules.yaml"
    text = chapter.read_text(encoding="utf-8")
    chapter.write_text(
        text.replace(
            "its player leads to the next one.\n",
            "its player leads to the next one.\n"
            "  means:\n    height(p): rating(laid[now][p]) if laid[now][p] != None else 0\n"
            "  changes:\n"
            '    tricks.winning: {is: "max(seats(leader), key=height) if leader != None else None"}\n'
            '    tricks.best_card: {is: "laid[now][winning] if winning != None else None"}\n',
        ),
        encoding="utf-8",
    )
    machine = Machine(rules("slagen:2", tmp_path))
    for other in ("AH", "KH"):
        hands: dict[str, Json] = {"0": [other, "9S", "9S", "9D", "9D"], "1": ["TS", "TS", "TD", "TD", "TC"]}
        state = begin(machine, {"dealer": 0, "hands": hands, "turnup": "AH"})
        assert "AH" in str(machine.view(state, 0)["turnup"])
        assert Counter(map(str, machine.view(state, 0)["hand"])) == Counter(hands["0"])  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_program_that_takes_the_last_of_two_is_found_out(doppel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Over the wire, with equal cards in hands and in acts."""
    adapter = doppel / "adapters" / "doppel.py"
    command = ["verify", "--data", str(doppel), "--", sys.executable, str(adapter)]
    assert main(command) == 0
    assert "doppel follows the edition" in capsys.readouterr().out

    text = adapter.read_text(encoding="utf-8")
    adapter.write_text(
        text.replace("key=lambda laid: height(laid[1], led)", "key=lambda laid: (*height(laid[1], led), laid[0])")
    )
    assert adapter.read_text(encoding="utf-8") != text
    assert main(command) == 1
    told = capsys.readouterr().out
    assert "doppel deviates from the edition" in told
    assert "It plays doppel@house, but one rule differs (doppel.trick.01)" in " ".join(told.split())
    assert "doppel.trick.01" in told


def test_nothing_that_is_written_has_the_number_of_a_copy(doppel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Explanations, books and the guide for adapters."""
    at = ["--data", str(doppel)]
    for step in ("s1", "s3", "s7", "s11"):
        assert main(["explain", f"doppel.equal.first#{step}", *at]) == 0
    assert main(["export", "doppel", "--adapter", *at]) == 0
    assert main(["rulebook", "doppel", "--format", "html", "-o", str(doppel / "book.html"), *at]) == 0
    told = capsys.readouterr().out + (doppel / "book.html").read_text(encoding="utf-8")

    assert re.findall(r"\b[ATK][SHDC]2\b|[♠♥♦♣]2", told) == []


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("max(table, key=strength) == None", "max chooses a card, and there are several that nobody can tell apart"),
        ("first(c for c in hand[p]) == None", "first chooses a card, and there are several that nobody can tell apart"),
        ("card(ace, spades) in hand[p]", "card(rank, suit) is one card, and there are several"),
    ],
)
def test_rules_that_would_tell_copies_apart_are_refused(doppel: Path, after: str, told: str) -> None:
    """The place of a card in the pack decides nothing."""
    change(doppel, "when: suit(c) != led and can_follow(p)", f'when: "suit(c) != led and can_follow(p) and {after}"')

    with pytest.raises(Unusable, match=re.escape(told)):
        rules("doppel", doppel)


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("dealer", range(4))
def test_a_position_tells_what_a_deal_does(doppel: Path, dealer: int) -> None:
    """What a seat sees settles what it may play, and why not, wherever the copies of a card lie."""
    machine, chance = Machine(rules("doppel", doppel)), Chance(3 + dealer)
    pack: list[Json] = [*chance.shuffle([card[:2] for card in machine.game.deck.cards])]
    start = {"dealer": dealer, **complete(machine, machine.start({"dealer": dealer}), {"deck": pack})}
    state = begin(machine, start)
    asked = twice = 0
    while isinstance(seat := machine.view(state, 0)["turn"], int):
        view, legal = machine.view(state, seat), machine.legal(state, seat)
        seen = SeatPosition(machine, view, seat)
        assert seen.sight(seat, ["play"]).legal == legal
        for face in machine.game.deck.faces:
            refusal, told = machine.refusal(state, seat, {"play": face}), seen.refusals(seat, {"play": face})
            assert not isinstance(told, OpenAnswer)
            assert {one.code for one in told} == (set() if refusal is None else {refusal.code})
        held, laid = Counter(map(str, view["hand"])), {str(one["card"]) for one in view["trick"]}  # type: ignore[arg-type,call-overload,index,union-attr]
        asked, twice = asked + 1, twice + bool(laid & held.keys())
        cards = legal["play"]
        assert isinstance(cards, list)
        state = act(machine, state, seat, str(cards[chance.below(len(cards))]))

    assert asked == 24
    assert twice > 0


def test_acts_that_are_written_alike_count_once(doppel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As many sequences as the interpreter offers, one card after the other."""

    def follow(state: State, depth: int) -> int:
        acts = [(by, one) for by in range(4) for name in ("play",) for one in _list(machine.legal(state, by), name)]
        if depth == 1:
            return len(acts)
        return sum(follow(act(machine, state, by, card), depth - 1) for by, card in acts)

    assert main(["perft", "doppel", "--depth", "4", "--json", "--data", str(doppel)]) == 0
    (position,) = json.loads(capsys.readouterr().out)["games"][0]["positions"]
    machine = Machine(rules("doppel", doppel))

    assert position["counts"] == [follow(begin(machine, position["start"]), depth) for depth in range(1, 5)]
    assert position["counts"][0] < 6 or position["counts"][3] < 6**4


def _list(legal: dict[str, Json], name: str) -> list[str]:
    found = legal.get(name, [])
    assert isinstance(found, list)
    return [*map(str, found)]


def test_what_would_tell_copies_apart_says_so(doppel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An engine in C; the fastest engine that there can be is in Python."""
    at = ["--data", str(doppel)]
    game = rules("doppel", doppel)
    assert main(["build", "doppel", *at]) == 2
    assert "an engine in C tells copies of a card apart, doppel does not" in capsys.readouterr().err
    with pytest.raises(TooCostly):
        write_engine(game, Label.of(game))
    assert main(["simulate", "doppel", "-n", "1", *at]) == 0
    assert str(choose("doppel", doppel)) in capsys.readouterr().out
