"""Readers of option values: numbers within bounds, seconds, sizes, names of files."""

from __future__ import annotations

#: More copies of a program than this do not help on any machine that we know.
_JOBS = 256
#: More seats than a digit can name are not drawn.
_TABLE = 10
#: No count is higher, and no time longer in seconds.
_MOST = 1_000_000_000
#: What stands behind a size of memory, each 1024 times the one before it.
_UNITS = "KMG"
#: Seeds are words of the generator.
_SEEDS = (1 << 64) - 1


class UnreadableOption(ValueError):
    """A text that is not the value of an option; the message names the form that it lacks."""


def read_number(text: str) -> int:
    """Return a whole number above zero."""
    return _read_within(text, 1, _MOST, "number")


def read_seed(text: str) -> int:
    """Return a whole number that may be zero and is a word of the generator."""
    return _read_within(text, 0, _SEEDS, "whole number")


def read_seats(text: str) -> int:
    """Return a number of seats."""
    return _read_within(text, 1, _TABLE, "number")


def read_jobs(text: str) -> int:
    """Return a number of processes."""
    return _read_within(text, 1, _JOBS, "number")


def _read_within(text: str, low: int, high: int, what: str) -> int:
    if not _is_within(text, low, high):
        raise UnreadableOption(f"{text!r} is no {what} from {low} to {high}")
    return int(text)


def _is_within(text: str, low: int, high: int = _MOST) -> bool:
    """Say whether digits are a number within bounds; no more of them are read than the greatest has."""
    digits = text.lstrip("0") or text[:1]
    return text.isdecimal() and len(digits) <= len(str(high)) and low <= int(digits) <= high


def read_deals(text: str) -> int:
    """Return a number of deals."""
    if not _is_within(text, 1):
        raise UnreadableOption(f"{text!r} is no number of deals")
    return int(text)


def read_width(text: str) -> float:
    """Return how far an interval may reach, as a number above zero or a percentage."""
    if text.endswith("%"):
        return _read_above_zero(text[:-1], "hundredths") / 100
    return _read_above_zero(text, "units")


def read_seconds(text: str) -> float:
    """Return a time in seconds, above zero."""
    return _read_above_zero(text, "seconds")


def read_millimetres(text: str) -> float:
    """Return a length in millimetres, above zero."""
    return _read_above_zero(text, "millimetres")


def _read_above_zero(text: str, unit: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= _MOST:
        raise UnreadableOption(f"{text!r} is no number of {unit} above zero, and below {_MOST}")
    return value


def read_bytes(text: str) -> int:
    """Return a size in bytes, of which a letter behind the number names the unit."""
    number, unit = text[:-1], text[-1:].upper()
    if not unit or unit not in _UNITS or not _is_within(number, 1):
        raise UnreadableOption(f"{text!r} is no size: a whole number and K, M or G, as in 512M")
    return int(number) << 10 * (1 + _UNITS.index(unit))


def read_name(text: str) -> str:
    """Return the name of a file or folder, which need not be there."""
    if not text or "\0" in text:
        raise UnreadableOption(f"{text!r} is no name of a file or folder")
    return text
