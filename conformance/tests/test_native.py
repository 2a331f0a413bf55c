"""Engines in C: a share of what `make identity` compares, what the interface promises, and that faults are seen."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from identity import Disagreement, Pair, draw_alike, match, replay, scripts, singles

from brou import Crash, Refusal, catalogue, choose, rules
from brou.compiler.compiled import Compiled
from brou.games.catalogue import spread
from brou.native.batch import BatchPolicy
from brou.native.c_header import Label
from brou.native.generated_engine import GeneratedEngine
from brou.native.native import NativeEngine
from brou.native.open_engine import open_engine
from brou.native.shared_object import NoCompiler, find_compiler, load_shared

GAMES = list(catalogue())

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_in_c_agrees_on_random_matches(game: str) -> None:
    """Random matches go the same way with the interpreter and in C: states, offers, refusals, scores and views."""
    tally: Counter[str] = Counter()
    match(Pair.in_c(rules(game), game), 3, 90, tally)

    assert tally["accepted"] > 50
    assert tally["refused"] > 0


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_in_c_agrees_on_scenarios(game: str) -> None:
    """Every twentieth scenario goes the same way, and is offered the same after every act."""
    tally: Counter[str] = Counter()
    pair = Pair.in_c(rules(game), game)
    for script in scripts(choose(game))[::20]:
        replay(pair, script, tally, closely=True)

    assert tally["accepted in scenarios"] > 0


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_in_c_draws_the_same_acts(game: str) -> None:
    """One seed is one match, with the same fingerprints of states and offers, in an engine as people have it."""
    rule_base = rules(game)
    native = NativeEngine(rule_base, keep=False)

    assert draw_alike(native, Compiled(rule_base), 1, 150) > 100


# Three engines are compiled, which `make identity` does for all readings; it guards that readings are lowered to C.
@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_in_c_agrees_on_readings(game: str) -> None:
    """So it is with other editions, set-ups and readings."""
    bases = spread(game)
    total: Counter[str] = Counter()
    for choice in (bases[-1], *islice(singles(bases[0]), 1, 3)):
        match(Pair.in_c(rules(choice), str(choice)), 4, 30, total)

    assert total["accepted"] > 0


@pytest.fixture(scope="module")
def native() -> NativeEngine:
    """Return an engine in C."""
    return NativeEngine(rules("brouc"), Label.of(rules("brouc"), "brouc@2022:4"), keep=False, flags=("-O0",))


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_batches_are_the_same_in_python(game: str) -> None:
    """A batch of acts, and one of matches, has the same hash and the same counts in C and in generated Python."""
    rule_base = rules(game)
    native, generated = NativeEngine(rule_base, keep=False, flags=("-O0",)), GeneratedEngine(rule_base)
    policy = BatchPolicy({name: place % 3 for place, name in enumerate(rule_base.actions)}, longest=120)
    acts = native.play(native.begin(), 3, 300, policy, hashed=True)

    assert acts.counts["hash"] != 0
    assert generated.play(generated.begin(), 3, 300, policy, hashed=True) == acts
    assert generated.play_matches(5, 2, policy, hashed=True) == native.play_matches(5, 2, policy, hashed=True)


def test_where_there_is_no_compiler_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for an engine gets generated Python where C cannot be compiled."""
    monkeypatch.setenv("CC", "no-such-compiler")

    assert open_engine(rules("brouc")).way == "python"


def test_what_cannot_be_loaded_is_told() -> None:
    """A shared object that is none counts as no compiler, so that generated Python plays."""
    with pytest.raises(NoCompiler, match="cannot be loaded"):
        load_shared(b"no engine")


@pytest.mark.slow
def test_another_state_is_seen(native: NativeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the engine in C comes to another state than generated code, the comparison fails."""
    monkeypatch.setattr(native, "step", lambda state, stream: bool(state) and bool(stream))

    with pytest.raises(Disagreement, match="other states or offers after 1"):
        draw_alike(native, Compiled(native.game), 1, 3)


def test_an_act_that_is_refused_leaves_the_state_alone(native: NativeEngine) -> None:
    """A refusal is the interpreter's, and nothing has changed."""
    state = native.begin()
    before = state.raw

    assert isinstance(native.act(state, 0, {"play": native.game.deck.cards[0]}), Refusal)
    assert state.raw == before


def test_equal_states_have_equal_bytes(native: NativeEngine) -> None:
    """Two ways to one state lead to the same bytes, which can be stored and sent."""
    state, stream = native.begin(), native.open_stream(7)
    for _ in range(200):
        if not native.step(state, stream):
            break
    again = native.encode_state(native.decode_state(state))

    assert again.raw == state.raw


def test_an_engine_knows_its_rules(native: NativeEngine) -> None:
    """The tables hold the name of the rule base, the hash of its rules, cards and acts."""
    assert native.tables["rules"] == "brouc@2022:4"
    assert native.tables["cards"] == list(native.game.deck.cards)
    assert [one["name"].replace("-", "_") for one in native.tables["acts"]] == list(native.game.actions)


def test_a_broken_promise_is_a_crash(native: NativeEngine) -> None:
    """A batch that cannot go on raises, as acts do."""
    with pytest.raises(Crash, match="broke a promise"):
        native._check(2)  # noqa: SLF001 - no rule of the game breaks one
