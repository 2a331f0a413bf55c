"""Questions and answers of the smoke test in words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from brou import Json
from brou_conformance.judging.judge import Unsent
from brou_conformance.protocol import Message, shorten
from brou_conformance.smoke.facts import TAKEN, FactPlace
from brou_conformance.smoke.probes import Probe
from brou_conformance.smoke.translatable import hear, say


def show_result(answer: Message | Unsent | None) -> str:
    """Return a result as it came, or why there is none."""
    if answer is None:
        return say("nothing")
    if isinstance(answer, Unsent):
        return hear(shorten(answer.why))
    return shorten(json.dumps(answer, ensure_ascii=False))


def show_fact(place: FactPlace, value: Json) -> str:
    """Return a fact with its name."""
    if place.name == TAKEN:
        return say("act_taken") if value else say("act_refused")
    return f"{place.name} {shorten(json.dumps(value, ensure_ascii=False))}"


def show_place(probes: Sequence[Probe], place: FactPlace) -> str:
    """Return the question behind a fact, and the step that asked it."""
    probe = probes[place.probe]
    step = shorten(json.dumps(probe.steps[place.step]))
    return say("at_step", about=probe.about, number=place.step + 1, step=step)


def show_step(about: str, step: Mapping[str, Any]) -> str:
    """Return a step as it goes over the wire, with its subject."""
    return say("at", about=about, step=write_step(step))


def write_step(step: Mapping[str, Any]) -> str:
    """Return a step as it goes over the wire."""
    return shorten(json.dumps(step, ensure_ascii=False))
