"""What an engine in C gains over generated Python and over peers: batches of random play, and one decision at a time.

Both make the same acts, which their hashes show before anything is timed; then they play in turn. How many acts each
makes in a turn differs, so that both take about as long.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from brou import BatchPolicy, Chance, Compiled, Crash, Folder, NoCompiler, Parameter, choose
from brou.compiler import RandomPlayer
from brou.native import GeneratedEngine, NativeEngine, WasmEngine
from brou_tools.bench.engines import Gain, SkippedRow
from brou_tools.bench.kernel import NOBODY, find_kernel
from brou_tools.bench.peers import OpenSpiel, find_peer
from brou_tools.matches.engines import TaughtRules, teach_engine

#: How often both are timed, in turn; the median counts.
_ROUNDS = 5
#: Acts whose hashes are compared; and in a turn of generated code, of the engine in C, of its single decisions.
_COMPARED, _SLOW, _FAST, _SINGLE = 2_000, 4_000, 100_000, 20_000
#: Two runs of a seed are the same acts; any seed would do.
_SEED = 1
#: How many times as fast batches and single decisions are to be.
_BATCH_TARGET, _SINGLE_TARGET = 20, 1.5
#: The part of its speed that the engine has in WebAssembly; and how many times as fast as OpenSpiel's skat it is to be,
#: played out at random in C++, and asked for one decision after the other from Python.
_WASM_TARGET, _ROLLOUT_TARGET, _LOOP_TARGET = 0.5, 12, 3
#: The part of the speed of a kernel that somebody wrote for one game, and the deals that it plays in a turn.
_HAND_TARGET, _DEALS = 0.35, 100_000
#: Acts of a turn beside it.
_MANY = 1_000_000

_ALIKE, _CARDS, _BEGINNERS = "every act alike", "cards alone", "sensible beginners"
_OVER_GENERATED = "engine in C over generated code, {}"
_SINGLES = "engine in C over the play loop, single decisions"
_WASM = "engine in WebAssembly over engine in C"
_ROLLOUTS = "engine in C over OpenSpiel's rollouts of skat"
_LOOP = "single decisions in C over OpenSpiel's loop"
_BY_HAND = "engine in C over a kernel by hand, cards alone"
_ALL = (*map(_OVER_GENERATED.format, (_ALIKE, _CARDS, _BEGINNERS)), _BY_HAND, _SINGLES, _WASM, _ROLLOUTS, _LOOP)


def native_gains(game: str, folder: Folder = None) -> Iterator[Gain | SkippedRow]:
    """Yield the rows of a game; one that needs a tool which is not installed says so."""
    taught = teach_engine(choose(game, folder))
    try:
        native = NativeEngine(taught.game, taught.label, taught.wish)
    except NoCompiler as error:
        yield from (SkippedRow(what, str(error)) for what in _ALL)
        return
    generated = GeneratedEngine(taught.game, taught.wish)
    cards = [name for name, act in taught.game.actions.items() if act.parameters and _takes_card(act.parameters[-1])]
    phases = [set(phase.actions) for phase in taught.game.phases.values() if set(cards) & set(phase.actions)]
    silent = BatchPolicy(dict.fromkeys(sorted(set().union(*phases) - set(cards)), 0))
    ways = {_ALIKE: None, _CARDS: silent, _BEGINNERS: BatchPolicy(conduct=True)}
    for way, policy in ways.items():
        value, rate = _compare(native, generated, policy)
        work = f"the same acts by hash, {rate:,.0f} acts a second in C"
        yield Gain(_OVER_GENERATED.format(way), value, _BATCH_TARGET, work)
    yield _compare_by_hand(native, silent, set(cards))
    yield _compare_single(native, generated)
    yield _compare_wasm(taught, native)
    peer = find_peer()
    if isinstance(peer, str):
        yield from (SkippedRow(what, peer) for what in (_ROLLOUTS, _LOOP))
        return
    yield _compare_rollouts(native, peer, silent, set(cards))
    yield _compare_loop(native, peer)


def _takes_card(parameter: Parameter) -> bool:
    return str(parameter.type) == "card"


def _compare(native: NativeEngine, generated: GeneratedEngine, policy: BatchPolicy | None) -> tuple[float, float]:
    """Return how many times as fast batches are in C, and how many acts a second that is."""
    ours = native.play(native.begin(), _SEED, _COMPARED, policy, hashed=True)
    if ours != generated.play(generated.begin(), _SEED, _COMPARED, policy, hashed=True):
        raise Crash("the engines make other acts: the figures would compare different work; see `make identity`")
    turns = []
    for _ in range(_ROUNDS):
        fast = _time_acts(lambda: native.play(native.begin(), _SEED, _FAST, policy), _FAST)
        turns.append((fast / _time_acts(lambda: generated.play(generated.begin(), _SEED, _SLOW, policy), _SLOW), fast))
    return statistics.median(ratio for ratio, _ in turns), statistics.median(fast for _, fast in turns)


def _compare_single(native: NativeEngine, generated: GeneratedEngine) -> Gain:
    """Return the gain of asking the engine in C for one decision after the other."""
    turns = [
        _time_acts(lambda: _play_singly(native, _SINGLE), _SINGLE)
        / _time_acts(lambda: _play_singly(generated, _SLOW), _SLOW)
        for _ in range(_ROUNDS)
    ]
    return Gain(_SINGLES, statistics.median(turns), _SINGLE_TARGET, "random matches, a call a decision")


def _play_singly(engine: Any, count: int) -> None:
    """Make so many random decisions, one call each."""
    state, stream = engine.begin(), engine.open_stream(_SEED)
    for _ in range(count):
        if not engine.step(state, stream):
            state = engine.begin()


# Beside others ----------------------------------------------------------------


def _compare_wasm(taught: TaughtRules, native: NativeEngine) -> Gain | SkippedRow:
    """Return the part of the speed of machine code that the same C has in WebAssembly."""
    try:
        wasm = WasmEngine(taught.game, taught.label, taught.wish)
    except NoCompiler as error:
        return SkippedRow(_WASM, str(error))
    if wasm.play(wasm.begin(), _SEED, _COMPARED, hashed=True) != native.play(
        native.begin(), _SEED, _COMPARED, hashed=True
    ):
        raise Crash("the engine makes other acts in WebAssembly: the figures would compare different work")
    turns = [
        _time_acts(lambda: wasm.play(wasm.begin(), _SEED, _FAST), _FAST)
        / _time_acts(lambda: native.play(native.begin(), _SEED, _FAST), _FAST)
        for _ in range(_ROUNDS)
    ]
    return Gain(_WASM, statistics.median(turns), _WASM_TARGET, "the same acts by hash, in wasmtime")


def _compare_by_hand(native: NativeEngine, silent: BatchPolicy, cards: set[str]) -> Gain | SkippedRow:
    """Return the part of the speed of a kernel by hand that the engine has where players do nothing but play cards."""
    kernel = find_kernel(native.game.id)
    if kernel is None:
        return SkippedRow(_BY_HAND, NOBODY)
    share, pack = _find_share(native, silent, cards), len(native.game.deck.cards)
    turns = []
    for _ in range(_ROUNDS):
        ours = _time_acts(lambda: native.play(native.begin(), _SEED, _MANY, silent), _MANY) * share
        theirs = _time_acts(lambda: kernel.play(_SEED, _DEALS), _DEALS) * pack
        turns.append((ours / theirs, ours))
    ratio, rate = (statistics.median(values) for values in zip(*turns, strict=True))
    work = f"{rate:,.0f} cards a second; the kernel has no state that is kept, and no score but points"
    return Gain(_BY_HAND, ratio, _HAND_TARGET, work)


def _compare_rollouts(native: NativeEngine, peer: OpenSpiel, silent: BatchPolicy, cards: set[str]) -> Gain:
    """Return how many cards are played for one of a rollout of skat; deals of ours are not counted."""
    share = _find_share(native, silent, cards)
    turns = []
    for _ in range(_ROUNDS):
        ours = _time_acts(lambda: native.play(native.begin(), _SEED, _FAST, silent), _FAST) * share
        turns.append(ours / peer.time_rollouts())
    work = f"cards a second in random play, {share:.0%} of our acts, and different games: the work is not the same"
    return Gain(_ROLLOUTS, statistics.median(turns), _ROLLOUT_TARGET, work)


def _find_share(native: NativeEngine, silent: BatchPolicy, cards: set[str]) -> float:
    """Return which part of the acts are cards where nothing else is done by choice."""
    compiled, chance, made = Compiled(native.game), Chance(_SEED), 0
    player, state = RandomPlayer(compiled, silent.weights), compiled.begin()
    for _ in range(_COMPARED):
        act = player.pick(state, chance)
        if act is None:
            state = compiled.begin()
            continue
        made += act[0] in cards
        compiled.play(state, act[1], act[0], act[2])
    return made / _COMPARED


def _compare_loop(native: NativeEngine, peer: OpenSpiel) -> Gain:
    """Return how many decisions are made one by one from Python for one of OpenSpiel's skat."""
    turns = [_time_acts(lambda: _play_singly(native, _SINGLE), _SINGLE) / peer.time_loop() for _ in range(_ROUNDS)]
    work = "random decisions a second, a call or two each, and different games: the work is not the same"
    return Gain(_LOOP, statistics.median(turns), _LOOP_TARGET, work)


def _time_acts(work: Callable[[], object], acts: int) -> float:
    """Return how many acts a second of the processor some work makes."""
    begun = time.process_time()
    work()
    return acts / (time.process_time() - begun)
