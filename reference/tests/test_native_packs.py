"""Engines in C with packs of one to four words: a pack of cards, a tarot pack, doubled packs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from brou.errors import TooCostly
from brou.language.syntax import Game
from brou.native.batch import BatchPolicy, EngineWish
from brou.native.c_header import Label
from brou.native.c_module import write_engine
from brou.native.data_engine import DataEngine
from brou.native.data_machine import compile_machine
from brou.native.generated_engine import GeneratedEngine
from brou.native.native import NativeEngine
from brou.native.shared_object import find_compiler

STATE = {
    "match": {"boss": {"type": "player?"}, "tally": {"type": "int 0..999"}},
    "round": {
        "nest": {
            "type": "cards[player]",
        },
        "heap": {"type": "pile"},
        "seen": {"type": "card?"},
        "lost": {"type": "cards?"},
        "owner": {"type": "player?[card]"},
    },
}
ACTIONS = {
    "lay": {
        "by": {"who": "players"},
        "params": {"deck": {"in": "orders(pack)"}},
        "legal": "len(heap) == 0",
        "do": [{"set": "heap", "to": "deck"}, {"set": "seen", "to": "top(heap)"}],
    },
    "gather": {
        "by": {"who": "players"},
        "params": {"c": {"in": "pack - nest[me]"}},
        "legal": "all(weight(d) <= weight(c) for d in nest[me] if suit(d) == suit(c))",
        "do": [
            {"set": "nest[me]", "to": "nest[me] | {c}"},
            {"set": "owner[c]", "to": "me"},
            {"set": "lost", "to": "{d for d in nest[me] if suit(d) == suit(c)}"},
        ],
    },
    "drop": {
        "by": {"who": "players"},
        "params": {"cs": {"in": "subsets(nest[me], 1, 3)"}},
        "legal": "len(nest[me]) > 3",
        "do": [{"set": "nest[me]", "to": "nest[me] - cs"}, {"set": "lost", "to": "None"}],
    },
}
VIEW = {
    "mine": "nest[me]",
    "heap": "heap",
    "lost": "lost",
    "weights": "sum(weight(c) for c in nest[me])",
    "first": "first(c for c in nest[me])",
    "owners": "owner",
}


def build_game(tiny: Callable[..., Game], suits: str, ranks: str) -> Game:
    """Return a game with a pack of so many suits and ranks."""
    deck = {
        "suits": {code: f"suit_{code.lower()}" for code in suits},
        "ranks": {code: f"rank_{code.lower()}" for code in ranks},
        "clause": "b.deck",
    }
    weights = {code: (place * 7) % 11 - 3 for place, code in enumerate(ranks)}
    attributes = {"weight": {"by": "rank", "values": weights, "clause": "b.weight"}}
    return tiny(deck=deck, attributes=attributes, state=STATE, actions=ACTIONS, view=VIEW, phases=PHASES)


PHASES: dict[str, Any] = {"perch": {"actions": ["lay", "gather", "drop"]}, "night": {"final": True}}


@pytest.mark.sampled(6)
@pytest.mark.slow
@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize(
    ("suits", "ranks", "words"),
    [("MR", "123456789", 1), ("ABCDEFGHI", "1234567", 1), ("ABCDEFGH", "12345678", 2), ("ABCDEF", "123456789TJQK", 2),
     ("ABCDEFGH", "123456789TJQKUVW", 3), ("ABCDEFGHIJ", "123456789TJQKUVWXYZP", 4)],
)  # fmt: skip
def test_packs_of_several_words_play_the_same(tiny: Callable[..., Game], suits: str, ranks: str, words: int) -> None:
    """Random acts, states, offers and views are those of generated Python; 63 cards are one word, 64 are two."""
    game = build_game(tiny, suits, ranks)
    native = NativeEngine(game, keep=False, flags=("-O1", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"))
    generated = GeneratedEngine(game, keep=False)
    policy = BatchPolicy({"gather": 9})

    cell = next(one for one in native.tables["state"]["cells"] if one["name"] == "lost")
    assert cell["size"] == 8 * words
    acts = native.play(native.begin(), 1, 300, policy, hashed=True)
    assert acts == generated.play(generated.begin(), 1, 300, policy, hashed=True)
    state, other = native.begin(), generated.begin()
    stream, chance = native.open_stream(5), generated.open_stream(5)
    for _ in range(40):
        assert native.digest(state) == generated.digest(other)
        assert native.view(state, 1) == generated.view(other, 1)
        assert native.step(state, stream) == generated.step(other, chance)
    assert native.encode_state(generated.decode_state(other)).raw == state.raw


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize(
    ("suits", "ranks", "words"),
    [("ABCDEFGHI", "1234567", 1), ("ABCDEF", "123456789TJQK", 2), ("ABCDEFGHIJ", "123456789TJQKUVWXYZP", 4)],
)
def test_packs_of_several_words_run_as_data(tiny: Callable[..., Game], suits: str, ranks: str, words: int) -> None:
    """So are those of the machine that runs rules as data, for a pack, a tarot pack and two hundred cards."""
    game = build_game(tiny, suits, ranks)
    flags = ("-O1", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
    data, generated = DataEngine(game, run=compile_machine(words, flags)), GeneratedEngine(game, keep=False)
    weights = {"gather": 9}

    acts = data.play(data.begin(), 1, 300, weights)
    assert acts.acted == generated.play(generated.begin(), 1, 300, BatchPolicy(weights), hashed=True).counts["hash"]
    state, other = data.begin(), generated.begin()
    stream, chance = data.open_stream(5), generated.open_stream(5)
    for _ in range(40):
        assert data.digest(state) == generated.digest(other)
        assert data.step(state, stream) == generated.step(other, chance)
    assert bytes(data.encode_state(generated.decode_state(other))) == bytes(state)


def test_a_pack_beyond_four_words_is_refused(tiny: Callable[..., Game]) -> None:
    """An engine in C counts cards in bytes, and says so where the pack has more."""
    game = build_game(tiny, "ABCDEFGHIJKLM", "123456789TJQKUVWXYZP")

    with pytest.raises(TooCostly, match="fewer than 256 cards, birds has 260"):
        write_engine(game, Label.of(game), EngineWish())
