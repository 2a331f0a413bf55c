"""How time and memory grow: a process a point, and a page that is made of the points."""

from __future__ import annotations

from pathlib import Path

import pytest

from brou import Crash
from brou.native.shared_object import find_compiler
from brou_tools.bench.growth import GrowthPoint, list_sizes, measure_process, work
from brou_tools.bench.growth_page import draw_curve, read_curves, write_files

FOLDER = Path(__file__).parents[2] / "docs" / "growth"


def test_the_page_is_made_of_what_was_measured() -> None:
    """Page and pictures in `docs/growth` are those that its points give, of every curve."""
    game, curves = read_curves((FOLDER / "growth.json").read_text(encoding="utf-8"))
    made = write_files(game, curves)

    assert {path.name for path in FOLDER.iterdir()} == set(made)
    assert {name: (FOLDER / name).read_text(encoding="utf-8") for name in made} == made
    assert set(curves) == {"deals", "cases", "readings", "mutants"}


def test_memory_is_flat_in_what_was_measured() -> None:
    """No curve takes twice the memory at its end, and no process a hundred megabytes."""
    for points in read_curves((FOLDER / "growth.json").read_text(encoding="utf-8"))[1].values():
        assert points[-1].megabytes < 2 * points[0].megabytes
        assert max(point.megabytes for point in points) < 100


def test_a_process_is_measured_whole() -> None:
    """Its computing and its memory are its own; one that fails is no point."""
    point = measure_process(7, ["-c", "kept = bytearray(60_000_000); sum(range(2_000_000))"])

    assert point.size == 7
    assert point.seconds > 0
    assert point.megabytes > 60
    with pytest.raises(Crash, match="ended with 3"):
        measure_process(1, ["-c", "raise SystemExit(3)"])


# Beyond cases, readings and mutants guard that two more curves of a page of figures can be measured again.
@pytest.mark.slow
@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize(
    "curve", ["cases", *(pytest.param(curve, marks=pytest.mark.thorough) for curve in ("readings", "mutants"))]
)
def test_every_curve_has_work(curve: str) -> None:
    """Two cases, readings or mutants are worked through."""
    work(curve, "brusquembille", 2)


def test_deals_go_up_by_tens() -> None:
    """A curve of deals ends at the largest number that was asked for; others have sizes of their own."""
    assert list_sizes("deals", 100_000) == [1_000, 10_000, 100_000]
    assert list_sizes("mutants", 100_000) == list_sizes("mutants", 1)


def test_a_picture_tells_its_points() -> None:
    """Its title has them in words, and a dot stands for each in both panels."""
    picture = draw_curve("deals", [GrowthPoint(1_000, 0.5, 60), GrowthPoint(100_000, 20, 61)])

    assert "100,000 deals: 20 s, 61 MB" in picture
    assert picture.count("<circle") == 4
