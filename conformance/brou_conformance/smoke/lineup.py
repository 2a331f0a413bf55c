"""The line-up: every fault of an adapter that is looked for."""

from __future__ import annotations

from collections.abc import Iterator

from brou_conformance.smoke.accounts import list_teams, list_units
from brou_conformance.smoke.notation import list_notations, list_suits
from brou_conformance.smoke.packs import list_dealing
from brou_conformance.smoke.seating import list_first, list_hands, list_heard, list_mirrored, list_told
from brou_conformance.smoke.suspects import ExaminedSetup, Suspect


def list_suspects(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield the faults that are looked for, the plainest first."""
    yield from list_mirrored(table)
    yield from list_dealing(table)
    yield from list_told(table)
    yield from list_hands(table)
    yield from list_first(table)
    yield from list_heard(table)
    yield from list_teams(table)
    yield from list_notations(table)
    yield from list_suits(table)
    yield from list_units(table)
