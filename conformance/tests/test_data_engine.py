"""Rules that run as data play what everybody plays, in C and in WebAssembly, damaged rules too."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from identity import Pair, Work, damaged, draw_alike, match, worked

from brou import BadAct, Crash, DataEngine, Machine, catalogue, rules
from brou.compiler.compiled import Compiled
from brou.games.catalogue import spread
from brou.native import built_engines, data_machine
from brou.native.batch import BatchPolicy
from brou.native.native import NativeEngine
from brou.native.shared_object import NoCompiler, find_compiler, find_zig
from brou.native.wasm_interface import has_wasmtime

GAMES = list(catalogue())
#: A state or what is open would be read or written outside of its bounds, or something undefined done.
CHECKED = ("-O1", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


@pytest.fixture(scope="module")
def checked() -> data_machine.MachineFunctions:
    """Return the machine, which ends the process where something undefined is done."""
    return data_machine.compile_machine(1, CHECKED)


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_rules_as_data_are_the_same_rules(game: str, checked: data_machine.MachineFunctions) -> None:
    """States, offers, refusals and random acts are those of the interpreter and of generated code."""
    played, tally = rules(game), Counter[str]()
    engine = DataEngine(played, run=checked)
    match(Pair(played, Machine(played), engine, f"{game} as data"), 3, 60, tally)

    assert tally["accepted"] > 30
    assert draw_alike(engine, Compiled(played), 1, 80) > 60
    with pytest.raises(BadAct, match="there is no seat"):
        engine.view(engine.begin(), played.seats)


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_set_up_runs_as_data(game: str) -> None:
    """So are all editions and set-ups."""
    for base in spread(game):
        played = rules(base)
        assert draw_alike(DataEngine(played), Compiled(played), 2, 120) > 90


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("count", [3, pytest.param(6, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("game", GAMES)
def test_damaged_rules_are_damaged_alike(game: str, count: int) -> None:
    """Mutants are the same wrong rules to the machine, those that crash too."""
    total: Counter[str] = Counter()
    for base, mutant in damaged(game, count, 9):
        total += worked(Work(base, mutant, 25, 0, as_data=True))[1]

    assert total["mutants"] > 0
    assert total["accepted as data"] > 0


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_batches_make_the_acts_of_the_engine_in_c(game: str) -> None:
    """The same seed gives the same acts by hash, with weights and without."""
    played = rules(game)
    native, data = NativeEngine(played, flags=("-O0",)), DataEngine(played)
    for weights in (None, {name: place % 3 for place, name in enumerate(played.actions)}):
        policy = None if weights is None else BatchPolicy(weights)
        ours = native.play(native.begin(), 4, 2_000, policy, hashed=True).counts
        theirs = data.play(data.begin(), 4, 2_000, weights)
        assert (theirs.acted, theirs.acts, theirs.matches) == (ours["hash"], ours["acts"], ours["matches"])
        assert theirs.passed == 0
        assert not theirs.crashed


def test_what_is_watched_tells_states_apart() -> None:
    """The hash of states and offers is the same again, and another where the rules are."""
    first, other = DataEngine(rules("brouc")), DataEngine(rules("brouc[announce_window=own-turn]"))
    runs = [one.play(one.begin(), 1, 2_000, watched=True).passed for one in (first, first, other)]

    assert first.is_like(other)
    assert runs[0] == runs[1] != 0
    assert runs[2] != runs[0]


@pytest.mark.slow
@pytest.mark.skipif(find_zig() is None or not has_wasmtime(), reason="ziglang and wasmtime are not installed")
def test_the_machine_plays_in_webassembly() -> None:
    """One module for all rules of a size of sets: the same acts and states as in C."""
    run = data_machine.load_wasm_machine(data_machine.make_wasm_machine(1))
    for game in ("brusquembille", "hombre"):
        played = rules(game)
        wasm, native = DataEngine(played, run=run), DataEngine(played)
        assert wasm.play(wasm.begin(), 5, 400, watched=True) == native.play(native.begin(), 5, 400, watched=True)
        assert wasm.legal(wasm.begin(), 0) == native.legal(native.begin(), 0)


@pytest.mark.slow
def test_without_a_compiler_the_module_that_was_built_is_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where there is neither, the error says what to install."""
    game = rules("brusquembille")
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setattr(built_engines, "files", lambda _room: tmp_path)
    monkeypatch.setattr(built_engines, "_hash_makers", lambda: "made of this")
    data_machine.open_machine.cache_clear()
    with pytest.raises(NoCompiler, match="install one"):
        DataEngine(game)
    if find_zig() is not None and has_wasmtime():
        (tmp_path / "built").mkdir()
        (tmp_path / "built" / built_engines.name_machine(1)).write_bytes(data_machine.make_wasm_machine(1))
        engine = DataEngine(game)
        assert engine.score(engine.begin()) == Machine(game).score(Machine(game).begin())
    data_machine.open_machine.cache_clear()


def test_a_state_that_cannot_be_ends_no_process(checked: data_machine.MachineFunctions) -> None:
    """Lengths and places that no state has are answered somehow or crash; so does a phase that there is not."""
    engine = DataEngine(rules("brouc"), run=checked)
    state, stream = engine.begin(), engine.open_stream(1)
    for _ in range(12):
        engine.step(state, stream)
    for wrong in (10**6, -7):
        worse = engine.copy(state)
        worse[2:] = [wrong] * (len(state) - 2)
        with suppress(Crash):
            engine.legal(worse, 0)
        with suppress(Crash):
            engine.step(worse, stream)
    state[0] = 99
    with pytest.raises(Crash):
        engine.step(state, stream)
