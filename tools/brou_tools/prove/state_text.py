"""Positions in words: one line a variable, cards as their codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brou import Json


def cards_in(witness: Mapping[str, Any]) -> list[str]:
    """Return a position in words: the rules, the phase, the variables that have changed, the names given."""
    lines = [f"rules: {witness['rules']}", f"phase: {witness['phase']}"]
    for name, value in {**witness["state"], **witness["given"]}.items():
        lines.append(f"{name}: {_tell_value(value)}")
    return lines


def _tell_value(value: Json) -> str:
    if isinstance(value, list):
        nested = any(isinstance(item, list) for item in value)
        return (" | " if nested else " ").join(_tell_value(item) for item in value) or "-"
    return "-" if value is None else str(value)
