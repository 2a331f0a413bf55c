"""Deals of `brou simulate`, with everything that it tells, beside those of C written by hand for one game."""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from brou import Folder, NoCompiler, choose
from brou.native import compile_shared, load_shared, own_flags
from brou_tools.bench.engines import Gain, SkippedRow
from brou_tools.matches.plan import MatchPlan, NativePlayer

#: How often both are timed, in turn; the median counts.
_ROUNDS = 5
#: Deals of a turn by hand, and matches of one with everything told.
_DEALS, _MATCHES = 300_000, 400
_SEED = 1
#: The part of its speed that is to be left.
_TARGET = 0.025
#: Why there is no figure of a game without one.
NOBODY = "nobody has written this game by hand"
_WHAT = "deals simulated over a kernel by hand"
#: What the kernels of several games share.
_SHARED = "tricks.c"


class _PassedSums(ctypes.Structure):
    _fields_ = (("deals", ctypes.c_int64), ("points", ctypes.c_int64), ("voles", ctypes.c_int64))


@dataclass(frozen=True, slots=True)
class KernelSums:
    """What deals played at random came to: the points of the side that led first, and deals with a vole."""

    deals: int
    points: int
    voles: int


class Kernel:
    """One game in C by hand. Cards are bits: eight to a suit, in the order of their strength from the lowest."""

    def __init__(self, text: str) -> None:
        library = load_shared(compile_shared(text, own_flags()))
        self._play = library["brou_kernel_play"]
        self._play.argtypes, self._play.restype = (ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p), None
        self._legal = library["brou_kernel_legal"]
        self._legal.argtypes, self._legal.restype = (ctypes.c_uint32,) * 4, ctypes.c_uint32

    def play(self, seed: int, deals: int) -> KernelSums:
        """Play so many deals at random."""
        sums = _PassedSums()
        self._play(seed, deals, ctypes.byref(sums))
        return KernelSums(sums.deals, sums.points, sums.voles)

    def find_legal(self, hand: int, table: int, led: int, trumps: int) -> int:
        """Return the cards of a hand that may be played, with some on the table, a suit led and one that is trump."""
        found: int = self._legal(hand, table, led, trumps)
        return found


def find_kernel(game: str) -> Kernel | None:
    """Return the kernel of a game; None where nobody has written it. Raise `NoCompiler` without a compiler."""
    folder = files("brou_tools.bench.kernels")
    source = folder.joinpath(f"{game}.c")
    if not source.is_file():
        return None
    texts = [one.read_text(encoding="ascii") for one in (source, folder.joinpath(_SHARED))]
    return Kernel("\n".join(texts))


def compare_kernel(game: str, folder: Folder = None) -> Iterator[Gain | SkippedRow]:
    """Yield how many deals a second are simulated for one by hand, if somebody has written the game by hand."""
    choice = choose(game, folder)
    try:
        kernel = find_kernel(choice.game)
        if kernel is None:
            yield SkippedRow(_WHAT, NOBODY)
            return
        player = NativePlayer(MatchPlan(choice))
    except NoCompiler as error:
        yield SkippedRow(_WHAT, str(error))
        return
    turns = []
    for _ in range(_ROUNDS):
        begun = time.process_time()
        deals = player.play(range(_SEED, _SEED + _MATCHES)).deals
        between = time.process_time()
        kernel.play(_SEED, _DEALS)
        ours, theirs = deals / (between - begun), _DEALS / (time.process_time() - between)
        turns.append((ours / theirs, ours, theirs))
    ratio, ours, theirs = (statistics.median(values) for values in zip(*turns, strict=True))
    work = f"{ours:,.0f} deals a second with everything told, {theirs:,.0f} of cards alone"
    yield Gain(_WHAT, ratio, _TARGET, work)
