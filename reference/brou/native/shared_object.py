"""Shared objects and WebAssembly from C: made by a compiler, once for each rule base, and kept in the user's cache."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from brou.cache import load_or_make
from brou.errors import BrouError
from brou.native.c_text import read_source
from brou.native.interface import SURFACE, TEXTS

#: What the compiler is told where no caller says otherwise; the code is C99, and asks for nothing of the machine that
#: others of its kind lack.
FLAGS = ("-O2",)
#: What a processor may have beyond the least of its kind, as Linux calls it, and how a compiler is told.
_GAINS = {"popcnt": "-mpopcnt", "bmi1": "-mbmi", "bmi2": "-mbmi2"}
_PROCESSOR = Path("/proc/cpuinfo")
#: Before this family AMD's processors take longer for what bmi2 adds than a loop does.
_SLOW_VENDOR, _FAST_FAMILY = "AuthenticAMD", 25
_ALWAYS = ("-std=c99", "-shared", "-fPIC", "-w")
_NAMES = ("cc", "gcc", "clang")
#: What WebAssembly without a system is made with: nothing but the engine and its own memory. The stack lies first, so
#: that what passes its end traps.
_BARE = ("-target", "wasm32-freestanding", "-std=c99", "-w", "-nostdlib", "-Wl,--no-entry", "-Wl,--strip-all")
_MEMORY = ("-Wl,-z,stack-size=262144", "-Wl,--export=__heap_base")
#: What every engine is written with beside its rules.
_TEXTS = ("engine.c", "interface.h", "memory.h", "runtime.h")


class NoCompiler(BrouError):
    """There is no C compiler, or it fails."""


def find_compiler() -> list[str] | None:
    """Return the command of the C compiler: `CC`, else one that is usual, else that of `ziglang`; None without any."""
    wanted = shlex.split(os.environ.get("CC", ""))
    if wanted:
        return wanted if shutil.which(wanted[0]) else None
    for name in _NAMES:
        if path := shutil.which(name):
            return [path]
    return [sys.executable, "-m", "ziglang", "cc"] if find_spec("ziglang") else None


def find_zig() -> list[str] | None:
    """Return the command of the compiler for other machines and for WebAssembly, that of `ziglang`; None without it."""
    return [sys.executable, "-m", "ziglang", "cc"] if find_spec("ziglang") else None


@lru_cache(maxsize=1)
def find_gains() -> tuple[str, ...]:
    """Return what a compiler may ask of the processor of this machine; nothing where that is not told."""
    try:
        first = _PROCESSOR.read_text(encoding="utf-8", errors="replace").partition("\n\n")[0]
    except OSError:
        return ()
    told = dict(line.split(":", 1) for line in first.splitlines() if ":" in line)
    told = {name.strip(): value.strip() for name, value in told.items()}
    family = told.get("cpu family", "")
    slow = told.get("vendor_id") == _SLOW_VENDOR and not (family.isdigit() and int(family) >= _FAST_FAMILY)
    has = set(told.get("flags", "").split()) - ({"bmi2"} if slow else set())
    return tuple(flag for name, flag in _GAINS.items() if name in has)


def own_flags() -> tuple[str, ...]:
    """Return the flags for an engine that runs on this machine alone."""
    return (*FLAGS, *find_gains())


def compile_shared(text: str, flags: Sequence[str] | None = None, target: str | None = None) -> bytes:
    """Return the shared object of a C text, for this machine or a target as `ziglang` names it.

    Raise `NoCompiler` where none can be made.
    """
    if target is None:
        compiler, of_target = find_compiler(), []
        if compiler is None:
            raise NoCompiler("no C compiler was found; install one, name it in CC, or install brou[build]")
    else:
        compiler, of_target = _need_zig(), ["-target", target]
    return _compile([*compiler, *of_target, *_ALWAYS, *(flags or FLAGS)], text)


def compile_wasm(
    text: str, prefix: str, flags: Sequence[str] | None = None, names: Sequence[str] = (*SURFACE, *TEXTS)
) -> bytes:
    """Return an engine in WebAssembly with the functions of these names; raise `NoCompiler` without `ziglang`."""
    exported = [f"-Wl,--export={prefix}{name}" for name in names]
    return _compile([*_need_zig(), *_BARE, *_MEMORY, *exported, *(flags or FLAGS)], text)


def _need_zig() -> list[str]:
    compiler = find_zig()
    if compiler is None:
        raise NoCompiler("WebAssembly and other targets need the compiler of ziglang: install brou[build]")
    return compiler


def _compile(command: Sequence[str], text: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="brou-") as folder:
        source, made = Path(folder) / "engine.c", Path(folder) / "engine.so"
        source.write_text(text, encoding="ascii")
        code, said = _run_whole([*command, "-o", str(made), str(source)])
        if code or not made.exists():
            raise NoCompiler(f"{Path(command[0]).name} does not compile the engine: {said.strip()[:500]}")
        return made.read_bytes()


def _run_whole(command: Sequence[str]) -> tuple[int, str]:
    """Run a command that starts others; return its code and its complaints. Whatever ends this, ends all of them."""
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 - the machine's own compiler
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=pipe, text=True, start_new_session=True
    ) as child:
        try:
            said = child.communicate()[1]
        except BaseException:
            if hasattr(os, "killpg"):
                os.killpg(child.pid, signal.SIGKILL)
            raise
        return child.returncode, said


def keep_shared(about: object, write: Callable[[], str], flags: Sequence[str] | None = None) -> bytes:
    """Return the shared object of the C text that `write` gives, from the cache if it was made of the same before."""
    named = (_hash_texts(), find_compiler(), *(flags or FLAGS), about)
    return load_or_make("native", (), named, lambda: compile_shared(write(), flags))


def keep_wasm(about: object, write: Callable[[], str], prefix: str, flags: Sequence[str] | None = None) -> bytes:
    """Return the engine in WebAssembly of the C text that `write` gives, from the cache if it was made before."""
    named = (_hash_texts(), *(flags or FLAGS), about)
    return load_or_make("wasm", (), named, lambda: compile_wasm(write(), prefix, flags))


def load_shared(made: bytes) -> ctypes.CDLL:
    """Return a loaded shared object; the file it is loaded from has a name that nothing was loaded from before.

    Raise `NoCompiler` where nothing can be loaded from a temporary folder, or it was made for another machine.
    """
    with tempfile.TemporaryDirectory(prefix="brou-") as folder:
        path = Path(folder) / f"engine-{hashlib.sha256(made).hexdigest()[:16]}.so"
        path.write_bytes(made)
        try:
            return ctypes.CDLL(str(path))
        except OSError as error:
            raise NoCompiler(f"the engine cannot be loaded: {error}") from error


@lru_cache(maxsize=1)
def _hash_texts() -> str:
    """Return what changes with the C that every engine contains."""
    summed = hashlib.sha256()
    for name in _TEXTS:
        summed.update(read_source(name).encode())
    return summed.hexdigest()
