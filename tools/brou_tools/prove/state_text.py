"""Positions in words: one line a variable, cards as their codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brou.language.codec import Json


def cards_in(witness: Mapping[str, Any]) -> list[str]:
    """Return the lines that tell a position: the rules, the phase, what is not as at the beginning, the names given."""
    lines = [f"rules: {witness['rules']}", f"phase: {witness['phase']}"]
    for name, value in {**witness["state"], **witness["given"]}.items():
        lines.append(f"{name}: {_said(value)}")
    return lines


def _said(value: Json) -> str:
    if isinstance(value, list):
        nested = any(isinstance(item, list) for item in value)
        return (" | " if nested else " ").join(_said(item) for item in value) or "-"
    return "-" if value is None else str(value)
