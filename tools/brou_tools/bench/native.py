"""What an engine in C gains over generated Python: batches of random play, and one decision at a time.

Both make the same acts, which their hashes show before anything is timed; then they play in turn. How many acts each
makes in a turn differs, so that both take about as long.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from brou import Crash, Parameter, choose
from brou.games.folder import Folder
from brou.native.batch import BatchPolicy
from brou.native.generated_engine import GeneratedEngine
from brou.native.native import NativeEngine
from brou.native.shared_object import NoCompiler
from brou_tools.bench.engines import Gain
from brou_tools.matches.engines import teach_engine

#: How often both are timed, in turn; the median counts.
_ROUNDS = 5
#: Acts whose hashes are compared; and in a turn of generated code, of the engine in C, of its single decisions.
_COMPARED, _SLOW, _FAST, _SINGLE = 2_000, 4_000, 100_000, 20_000
#: Two runs of a seed are the same acts; any seed would do.
_SEED = 1
#: How many times as fast batches and single decisions are to be.
_BATCH_TARGET, _SINGLE_TARGET = 20, 1.5


def native_gains(game: str, folder: Folder = None) -> Iterator[Gain]:
    """Yield the rows of a game, none where there is no C compiler."""
    taught = teach_engine(choose(game, folder))
    try:
        native = NativeEngine(taught.game, taught.label, taught.wish)
    except NoCompiler:
        return
    generated = GeneratedEngine(taught.game, taught.wish)
    cards = [name for name, act in taught.game.actions.items() if act.parameters and _takes_card(act.parameters[-1])]
    phases = [set(phase.actions) for phase in taught.game.phases.values() if set(cards) & set(phase.actions)]
    silent = BatchPolicy(dict.fromkeys(sorted(set().union(*phases) - set(cards)), 0))
    ways = {"every act alike": None, "cards alone": silent, "sensible beginners": BatchPolicy(conduct=True)}
    for way, policy in ways.items():
        value, rate = _compare(native, generated, policy)
        work = f"the same acts by hash, {rate:,.0f} acts a second in C"
        yield Gain(f"engine in C over generated code, {way}", value, _BATCH_TARGET, work)
    yield _compare_single(native, generated)


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

    def play(engine: Any, count: int) -> None:
        state, stream = engine.begin(), engine.open_stream(_SEED)
        for _ in range(count):
            if not engine.step(state, stream):
                state = engine.begin()

    turns = [
        _time_acts(lambda: play(native, _SINGLE), _SINGLE) / _time_acts(lambda: play(generated, _SLOW), _SLOW)
        for _ in range(_ROUNDS)
    ]
    work = "random matches, a call a decision"
    return Gain("engine in C over the play loop, single decisions", statistics.median(turns), _SINGLE_TARGET, work)


def _time_acts(work: Callable[[], object], acts: int) -> float:
    """Return how many acts a second of the processor some work makes."""
    begun = time.process_time()
    work()
    return acts / (time.process_time() - begun)
