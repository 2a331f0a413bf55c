"""What a line of the portable corpus takes: in bytes, and in time beside answering its request."""

from __future__ import annotations

import statistics
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from brou import Folder, book, open_project
from brou.shapes import write_object
from brou_conformance.portable.spelling import spell_edition
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.protocol import Message, encode

#: How many lines are made: those of one edition, from its first scenario on.
_LINES = 12


@dataclass(frozen=True, slots=True)
class MeasuredFigure:
    """A figure with its unit, and the work that it is of."""

    what: str
    value: float
    unit: str
    target: float
    work: str


def portable_figures(game: str, folder: Folder = None) -> Iterator[MeasuredFigure]:
    """Yield how large a line of the bundle is, and how many times as long it takes as answering its request."""
    edition = next(iter(book(game, folder).editions))
    engine = ReferenceEngine(choices([game], folder))
    sizes, packed, ratios = [], [], []
    project = open_project(folder)
    lines = spell_edition(game, edition, project, project)
    begun = time.process_time()
    for line in islice(lines, _LINES):
        made = time.process_time() - begun
        content = encode(write_object(line))
        sizes.append(len(content))
        packed.append(len(zlib.compress(content)))
        (script,) = line.ways[0].requests
        request = {"op": "run", "id": 1, **script.request, "steps": [step.send for step in script.steps]}
        ratios.append(made / _time_answer(engine, request))
        begun = time.process_time()
    work = f"{len(sizes)} lines of {game}@{edition}, {sum(sizes) / len(sizes) / 1000:.1f} kB each before"
    yield MeasuredFigure("a line of the bundle, compressed", sum(packed) / len(packed) / 1000, "kB", 5, work)
    median = statistics.median(ratios)
    yield MeasuredFigure("making a line over answering it", median, "times", 100, f"{len(sizes)} lines, median")


def _time_answer(engine: ReferenceEngine, request: Message) -> float:
    begun = time.process_time()
    engine.answer(request)
    return time.process_time() - begun
