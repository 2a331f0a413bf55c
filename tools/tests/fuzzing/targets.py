"""All targets of the fuzzer."""

from __future__ import annotations

from fuzzing import files, wire
from fuzzing.target import Target

TARGETS: tuple[Target, ...] = (*files.TARGETS, *wire.TARGETS)
