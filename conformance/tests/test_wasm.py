"""Engines in WebAssembly play what the engine in C plays, and the three ways to run an engine are chosen right."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from identity import Pair, draw_alike, match

from brou import BadAct, Machine, Unknown, catalogue, rules
from brou.compiler.compiled import Compiled
from brou.native import built_engines, open_engine, wasm_interface
from brou.native.batch import BatchPolicy, EngineWish
from brou.native.built_engines import find_built, name_built
from brou.native.c_header import Label, make_prefix
from brou.native.c_module import write_engine
from brou.native.generated_engine import GeneratedEngine
from brou.native.native import WasmEngine
from brou.native.shared_object import NoCompiler, compile_wasm, find_zig
from brou.native.wasm_interface import has_wasmtime

needs_zig = pytest.mark.skipif(find_zig() is None, reason="ziglang, which makes WebAssembly, is not installed")
needs_wasmtime = pytest.mark.skipif(not has_wasmtime(), reason="wasmtime is not installed")
OTHERS = [pytest.param(game, marks=pytest.mark.slow) for game in list(catalogue())[1:]]


@pytest.fixture(scope="module")
def wasm(request: pytest.FixtureRequest) -> WasmEngine:
    """Return the engine of a game in WebAssembly."""
    return WasmEngine(rules(request.param), keep=False, flags=("-O1",))


@pytest.mark.sampled(5)
@pytest.mark.slow
@needs_zig
@needs_wasmtime
@pytest.mark.parametrize("wasm", [next(iter(catalogue())), *OTHERS], indirect=True)
def test_webassembly_plays_as_everybody_does(wasm: WasmEngine) -> None:
    """Acts, fingerprints, batches, refusals, scores and views are those of generated Python and the interpreter."""
    game, tally = wasm.game, Counter[str]()
    generated = GeneratedEngine(game)
    policy = BatchPolicy({name: place % 3 for place, name in enumerate(game.actions)}, longest=120)
    match(Pair(game, Machine(game), wasm, f"{game.id} in WebAssembly"), 3, 40, tally)

    assert tally["accepted"] > 20
    assert draw_alike(wasm, Compiled(game), 1, 60) > 50
    assert wasm.play(wasm.begin(), 3, 200, policy, hashed=True) == generated.play(
        generated.begin(), 3, 200, policy, hashed=True
    )
    assert wasm.play_matches(5, 2, policy) == generated.play_matches(5, 2, policy)
    with pytest.raises(BadAct, match="there is no seat"):
        wasm.view(wasm.begin(), game.seats)


@pytest.mark.slow
@needs_zig
@needs_wasmtime
def test_an_engine_that_was_built_is_opened_without_a_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a compiler WebAssembly plays where it was built, and Python where it was not, or nothing runs it."""
    if find_zig() is None:
        pytest.skip("ziglang, which makes WebAssembly, is not installed")
    game = rules("brusquembille")
    monkeypatch.setattr(built_engines, "files", lambda _room: tmp_path)
    monkeypatch.setattr(built_engines, "_hash_makers", lambda: "")
    monkeypatch.setenv("CC", "no-such-compiler")
    assert open_engine.open_engine(game).way == "python"

    (tmp_path / "built").mkdir()
    text = write_engine(game, Label.of(game), EngineWish())[0]
    (tmp_path / "built" / name_built(game, EngineWish())).write_bytes(
        compile_wasm(text, make_prefix(game.id), ("-O1",))
    )
    engine = open_engine.open_engine(game)
    assert isinstance(engine, WasmEngine)
    assert engine.legal(engine.begin(), 0) == Machine(game).legal(Machine(game).begin(), 0)

    monkeypatch.setattr(wasm_interface, "find_spec", lambda _name: None)
    assert open_engine.open_engine(game).way == "python"
    with pytest.raises(NoCompiler, match=r"install brou\[fast\]"):
        open_engine.open_engine(game, way="wasm")


def test_what_was_built_of_other_rules_is_not_found() -> None:
    """The name of a file changes with the edition and with what an engine is to know beside the rules."""
    game, other = rules("brouc@2022"), rules("brouc@club-2026")
    wish = EngineWish(endings=frozenset(["next"]))

    assert len({name_built(game, EngineWish()), name_built(other, EngineWish()), name_built(game, wish)}) == 3
    assert find_built(game, wish) is None


def test_a_way_that_there_is_not_is_told() -> None:
    """An engine is run in one of three ways."""
    with pytest.raises(Unknown, match="unknown way 'java'; known: native, wasm, python"):
        open_engine.open_engine(rules("brouc"), way="java")
