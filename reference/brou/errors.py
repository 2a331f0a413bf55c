"""What can go wrong, by phase: a file, its rules, an act, or our own code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something stands: a file, a line and a column, both counted from one."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Place("<none>", 1, 1)


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing wrong in a data file: where, what, and what to write instead."""

    place: Place
    what: str
    instead: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" + (f"; {self.instead}" if self.instead else "")


class BrouError(Exception):
    """Everything that this library raises on purpose."""


class Unusable(BrouError):
    """One or more data files cannot be used; `faults` lists all that was found."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(str(fault) for fault in self.faults)


class Malformed(Unusable):
    """A file is no data file of this kind: bad YAML, or another shape than its schema."""


class Invalid(Unusable):
    """A file has the right shape and says something that cannot be: a type error, an unknown name."""


class Unknown(BrouError):
    """A name given from outside names nothing: a game, an edition, a reading, a scenario."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        super().__init__(kind, name, self.known)

    def __str__(self) -> str:
        return f"unknown {self.kind} {self.name!r}; known: {', '.join(self.known) or 'none'}"


class Impossible(BrouError):
    """A choice of readings or a start position that the rules exclude."""


class BadAct(BrouError):
    """An act or a start is not even of the declared form (a refused act is no error)."""


class Crash(BrouError):
    """A promise that well-typed rules make was broken while playing: a fault of rules or interpreter."""
