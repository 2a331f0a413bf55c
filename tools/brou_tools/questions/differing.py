"""Two answers side by side: their differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brou import Json
from brou_conformance.metamorphic.renaming import canonical


def compare_answers(
    one: Mapping[str, Json], two: Mapping[str, Json], keys: Sequence[str] = ()
) -> tuple[Json, Json] | None:
    """Return the differences of two answers, where both rule bases have a name for them; None if there are none."""
    if set(one) != set(two):
        return dict(one), dict(two)
    (kind,) = one
    if kind == "no":
        return None
    here, there = one[kind], two[kind]
    if not isinstance(here, dict) or not isinstance(there, dict):
        return None if canonical(here) == canonical(there) else (here, there)
    every = {**here, **there}
    shared = [key for key in every if key in keys] if keys else list(every)
    if not keys and kind != "legal":
        shared = [key for key in every if key in here and key in there]
    return _narrow_members(here, there, shared, deep=kind == "legal")


def _narrow_members(
    here: Mapping[str, Json], there: Mapping[str, Json], keys: Sequence[str], *, deep: bool
) -> tuple[Json, Json] | None:
    """Return those members of two mappings that differ; if it goes deep, of members that are mappings likewise."""
    sides: tuple[dict[str, Json], dict[str, Json]] = ({}, {})
    for key in keys:
        one, two = here.get(key), there.get(key)
        if canonical(one) == canonical(two):
            continue
        if deep and isinstance(one, dict) and isinstance(two, dict):
            one, two = _narrow_members(one, two, list({**one, **two}), deep=True) or (one, two)
        sides[0][key], sides[1][key] = one, two
    return sides if sides[0] else None
