"""What a target of the fuzzer is: sound inputs, a way to mutate them, and a way to feed one that must end well."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol
from unicodedata import category
from unittest.mock import patch

from brou import BrouError, Crash
from brou.language.source import parse_yaml
from brou_tools.cli import main
from fuzzing.mutation import make_bomb, mutate_bytes, mutate_structure, write_json, write_yaml

#: How an input can end well.
REFUSED, ACCEPTED, INCOMPLETE = "refused", "accepted", "incomplete"
#: No message of ours is longer, however many faults it tells.
_LONGEST = 1 << 20
#: The kinds of characters that stand in no message, line ends and tabs aside: such as a terminal obeys or nobody sees.
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


class Broken(AssertionError):
    """A promise is broken; the first argument says which, a second one may tell more of this time."""

    @property
    def promise(self) -> str:
        """Return which promise it is, the same each time."""
        return str(self.args[0])


class Apart:
    """Seconds of computing of an input that are held to a bound of their own, and count for no other."""

    seconds = 0.0

    @classmethod
    @contextmanager
    def counted(cls) -> Iterator[None]:
        """Count what is computed inside apart."""
        begun = time.process_time()
        try:
            yield
        finally:
            cls.seconds += time.process_time() - begun


@dataclass(frozen=True, slots=True)
class Input:
    """Something to feed: the name of the sound input it was made of, and its bytes."""

    base: str
    data: bytes


class Target(Protocol):
    """Something that reads what others wrote."""

    @property
    def name(self) -> str:
        """Return how the target is called."""

    @property
    def weight(self) -> int:
        """Return how many inputs of ten thousand are its own, more or less."""

    def make(self, chance: Random) -> Input:
        """Return a mutated input."""

    def keep_sound(self, base: str) -> Input:
        """Return a sound input of the kind of that of a name, whose cost is the measure of all of this kind."""

    def feed(self, given: Input, folder: Path, seen: set[str]) -> str:
        """Feed an input in an empty folder and return how it ended; note in `seen` what it covered.

        Raise `Broken` where a promise is broken. A `BrouError` is a clean refusal; any other exception is a finding.
        """


@dataclass(frozen=True, slots=True)
class FileTarget:
    """A kind of file, with what is done with one."""

    name: str
    weight: int
    #: The sound files by name.
    bases: Callable[[], Mapping[str, bytes]]
    #: What is done with a file: its base, the bytes, a folder to work in.
    use: Callable[[str, bytes, Path], str]
    #: Whether it is data, whose structure can be mutated; otherwise its lines are.
    structured: bool = True
    #: Further mutations of its own.
    own: Sequence[Callable[[bytes, Random], bytes]] = field(default=())
    #: The kind of a base, where there are many of a kind.
    kind: Callable[[str], str] = str

    def make(self, chance: Random) -> Input:
        """Return a mutated file."""
        bases = self.bases()
        base = chance.choice(sorted(bases))
        return Input(base, self._mutate(bases[base], chance))

    def _mutate(self, data: bytes, chance: Random) -> bytes:
        how = chance.random()
        if how < 0.04:
            return make_bomb(chance)
        if self.own and how < 0.14:
            return chance.choice(self.own)(data, chance)
        if self.structured and how < 0.65:
            plain = mutate_structure(parse_yaml(data, "base").plain(), chance)
            data = write_yaml(plain, chance)
            return mutate_bytes(data, chance, 1) if how < 0.2 else data
        return mutate_bytes(data, chance)

    def keep_sound(self, base: str) -> Input:
        """Return the first file of the kind of a base as it is."""
        bases = self.bases()
        first = next(name for name in bases if self.kind(name) == self.kind(base))
        return Input(first, bases[first])

    def feed(self, given: Input, folder: Path, seen: set[str]) -> str:
        """Use a file."""
        seen.add(given.base)
        return self.use(given.base, given.data, folder)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def word(self) -> str:
        """Return whether the command took what it was given."""
        return ACCEPTED if self.code == 0 else REFUSED


def call(*arguments: str | Path, codes: Container[int] = (0, 1, 2, 3)) -> Ended:
    """Run `brou` in this process; what is no error of an input is raised as it is.

    Raise `Broken` for an output that no input may bring about, or an exit code that is none of `codes`.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    said = ""
    with redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, {"BROU_DEBUG": "1"}):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as error:
            code = int(str(error.code or 0))
        except Crash:
            raise
        except (BrouError, OSError) as error:  # as the command line tells them: exit code 2 and a message
            code, said = 2, f"brou: {error}\n"
    texts = [said]
    for stream in (out, err):
        stream.flush()
        written = stream.buffer
        assert isinstance(written, io.BytesIO)
        texts.append(written.getvalue().decode("utf-8"))
    ended = Ended(code, texts[1], texts[2] + said)
    if code not in codes:
        raise Broken(f"exit code {code}", (ended.err or ended.out)[-2000:])
    _hold_message(ended)
    return ended


def _hold_message(ended: Ended) -> None:
    """Raise `Broken` where a command ends without a word, or says what a terminal would obey."""
    if ended.code and not (ended.out + ended.err).strip():
        raise Broken(f"exit code {ended.code} without a word")
    if len(ended.out) + len(ended.err) > _LONGEST:
        raise Broken(f"more than {_LONGEST} characters of messages", f"{len(ended.out) + len(ended.err)}")
    strange = {sign for sign in ended.out + ended.err if category(sign) in _UNSEEN} - {"\n", "\t"}
    if strange:
        raise Broken("unprintable characters in messages", f"{sorted(map(ascii, strange))[:9]}")


__all__ = [
    "ACCEPTED", "INCOMPLETE", "REFUSED", "Broken", "Ended", "FileTarget", "Input", "Target", "call", "write_json",
]  # fmt: skip
