"""Words for what was asked and what came."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from brou_conformance.judging.judge import Unsent
from brou_conformance.protocol import Message, shorten
from brou_conformance.smoke.facts import TAKEN, Place
from brou_conformance.smoke.probes import Probe


def show_result(answer: Message | Unsent | None) -> str:
    """Return a result as it came, or why there is none."""
    if answer is None:
        return "nothing"
    if isinstance(answer, Unsent):
        return shorten(answer.why)
    return shorten(json.dumps(answer, ensure_ascii=False))


def show_fact(place: Place, value: Any) -> str:
    """Return a fact with its name."""
    if place.name == TAKEN:
        return "the act is taken" if value else "the act is refused"
    return f"{place.name} {shorten(json.dumps(value, ensure_ascii=False))}"


def show_place(probes: Sequence[Probe], place: Place) -> str:
    """Return what was asked, and where."""
    probe = probes[place.probe]
    step = shorten(json.dumps(probe.steps[place.step]))
    return f"{probe.about}: step {place.step + 1}, {step}"
