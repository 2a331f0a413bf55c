"""Errors by phase: in a file, in its rules, in an act, in our own code."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brou.dataclass import dataclass, field

#: How many characters of a name are shown.
_LONGEST = 1000
#: Up to so many known names are all told beside an unknown one; of more, so many at most that are like it.
_FEW, _NEAR = 24, 3
#: From how much in common two names are like each other, between nought and one.
_LIKE = 0.7


#: What no message writes as it stands: control characters, marks that turn its direction, characters that nobody sees,
#: and bytes that are no text.
_UNSHOWN = (
    "[\\x00-\\x1f\\x7f-\\x9f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f"
    "\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff\\U000e0000-\\U000e007f]"
)


def escape(text: str) -> str:
    """Return a text on one line that moves no cursor and can be written anywhere: what cannot be shown is escaped.

    Names of files may hold any bytes but two; those that are no UTF-8 are lone surrogates in Python.
    """
    return re.sub(_UNSHOWN, lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def find_unseen(text: str) -> str:
    """Return the first character of a text that no message writes as it stands, escaped; line ends and tabs aside."""
    found = re.search(_UNSHOWN, text.translate(_SPACING))
    return escape(found[0]) if found else ""


#: Takes the characters out that lay a text out.
_SPACING = dict.fromkeys(map(ord, "\n\t"))


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place in a file: its name, a line and a column, both counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{escape(self.file)}:{self.line}:{self.column}"


NOWHERE = Place("<none>", 1, 1)


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing wrong in a data file: where, what, and what to write instead."""

    place: Place
    what: str
    instead: str = ""
    #: Whether nothing is wrong with the data itself: a translation or a review lags behind it.
    is_lagging: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.place}: " + escape(self.what + (f"; {self.instead}" if self.instead else ""))


class BrouError(Exception):
    """The base of all exceptions that this library raises deliberately."""


class Unusable(BrouError):
    """One or more data files cannot be used; `faults` lists everything found."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(str(fault) for fault in self.faults)


class Malformed(Unusable):
    """A file is not a data file of its kind: invalid YAML, or a structure that its schema does not allow."""


class Invalid(Unusable):
    """A file has the right structure but an invalid content: a type error, an unknown name."""


#: So many faults of one file are told at once.
MOST_FAULTS = 100


class TooMany(Invalid):
    """A file has so many faults that the rest is not looked for."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        told = list(faults)
        rest = Fault(told[-1].place, f"these are {MOST_FAULTS} faults, and there may be more", "mend them first")
        super().__init__([*told, rest])


class Unknown(BrouError):
    """A name of a game, an edition, a reading or a scenario that does not exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *listing: str) -> None:
        """`known` are the names that would do; `listing` are the commands that list them, where they may be many."""
        self.kind, self.name, self.known, self.listing = kind, name, tuple(known), listing
        super().__init__(kind, name, self.known, *listing)

    def __str__(self) -> str:
        name = self.name if len(self.name) <= _LONGEST else f"{self.name[:_LONGEST]}..."
        known = self._list_all() if len(self.known) <= _FEW else self._list_like()
        return f"unknown {self.kind} {name!r}; {known}"

    def _list_all(self) -> str:
        question = ask_if_meant(nearest(self.name, self.known)) if len(self.known) > 1 else ""
        return "; ".join(filter(None, [f"known: {', '.join(self.known) or 'none'}", question]))

    def _list_like(self) -> str:
        """Return those of many names that are like this one, or the first few, and where all of them are listed."""
        holding = [one for one in self.known if self.name and self.name in one]
        like = (holding or nearest(self.name, self.known, _NEAR))[:_NEAR]
        commands = " and ".join(f"`{command}`" for command in self.listing)
        everything = f"{len(self.known)} are known" + (f" (see {commands})" if commands else "")
        if not like:
            return f"{everything}, such as {', '.join(map(repr, self.known[:_NEAR]))}"
        return f"{ask_if_meant(like)} {everything}"


def nearest(name: str, known: Iterable[str], count: int = 1) -> list[str]:
    """Return the most similar names, the closest first, for a name that is misspelt or in another letter case."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where a name is wrong

    folded: dict[str, str] = {}
    for one in known:
        folded.setdefault(one.casefold(), one)
    return [folded[found] for found in get_close_matches(name[:_LONGEST].casefold(), folded, count, _LIKE)]


def ask_if_meant(names: Iterable[str]) -> str:
    """Return a question that offers some names, "did you mean ...?"; nothing without a name."""
    listed = " or ".join(map(repr, names))
    return f"did you mean {listed}?" if listed else ""


class NoFile(BrouError):
    """A file or folder that does not exist, or lacks the expected content."""

    def __init__(self, path: object, wanted: str, reason: str = "no such file") -> None:
        super().__init__(escape(f"{path}: {reason}; name {wanted}"))


class Impossible(BrouError):
    """A choice of readings or a start position that the rules exclude."""


class BadAct(BrouError):
    """An act or a start is malformed (a refused act is no error)."""


class Crash(BrouError):
    """An internal error: a bug in this library."""


class BrokenPromise(Crash):
    """Rules led a game to a state that they promise to exclude, such as a table of which no row fires."""


class WrongBuiltin(BrouError):
    """A built-in function that cannot be compiled: a fault of its module."""

    def __init__(self, name: str, why: object) -> None:
        super().__init__(f"the built-in {name!r} cannot be compiled: {why}")


class TooCostly(BrouError):
    """An answer would take more steps than allowed, or code that nests too deeply to be written."""
