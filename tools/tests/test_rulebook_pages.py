"""Pages of rulebooks: well filled, nothing torn apart, nothing outside the page."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from pathlib import Path

import pypdf
import pytest
from docutils import nodes

from brou import catalogue, choose
from brou.words.glossary import glossary
from brou_tools.cli import main
from brou_tools.documents.nodes import drawing, in_lines, panel, pictured, together
from brou_tools.drawing.cards import face
from brou_tools.rulebook import printing
from brou_tools.rulebook.compose import compose
from brou_tools.rulebook.typst_writer import source
from brou_tools.situation.edition import Matter

BOOKS = [(game, lang) for game in catalogue() for lang in glossary().languages]
#: Dots of an inch, and how high a page of the smaller paper with its margins is, in millimetres.
DOTS, HEIGHT, MARGIN = 24, 210, 19
#: A strip without ink that is higher is a gap, in millimetres; a dot that is darker is ink.
GAP, INK = 12, 225
#: What every page in the middle of a book holds, and what all but one in so many hold.
LEAST, GOOD, SELDOM = 0.5, 0.6, 10


@lru_cache(maxsize=2)
def document(game: str, lang: str) -> nodes.document:
    """Return a book as a doctree."""
    return compose(choose(game), lang)


def filled(game: str, lang: str) -> list[float]:
    """Return of each page which share of its height is not a gap."""
    return [share(inked(page)) for page in printing.pages(document(game, lang), resolution=DOTS)]


def share(lines: list[bool]) -> float:
    """Return the share of lines that are not in a gap."""
    high = GAP * len(lines) / (HEIGHT - 2 * MARGIN)
    runs = [(ink, len(list(run))) for ink, run in groupby(lines)]
    return 1 - sum(length for ink, length in runs if not ink and length > high) / len(lines)


def inked(page: bytes) -> list[bool]:
    """Return of each line of dots between the margins whether there is ink in it."""
    lines = list(unfiltered(page))
    margin = round(MARGIN / HEIGHT * len(lines))
    return [min(line) < INK for line in lines[margin:-margin]]


def unfiltered(page: bytes) -> Iterator[bytes]:
    """Yield the lines of a PNG with four bytes a dot."""
    wide, data = int.from_bytes(page[16:20]) * 4, bytearray()
    assert page[24:26] == b"\x08\x06"
    at = 8
    while at < len(page):
        length = int.from_bytes(page[at : at + 4])
        if page[at + 4 : at + 8] == b"IDAT":
            data += page[at + 8 : at + 8 + length]
        at += length + 12
    raw, before = zlib.decompress(data), bytes(wide)
    for start in range(0, len(raw), wide + 1):
        line = bytearray(raw[start + 1 : start + 1 + wide])
        for number in range(wide):
            left, corner = (line[number - 4], before[number - 4]) if number >= 4 else (0, 0)
            line[number] = (line[number] + guessed(raw[start], left, before[number], corner)) % 256
        before = bytes(line)
        yield before


def guessed(kind: int, left: int, above: int, corner: int) -> int:
    """Return what a filter of PNG takes a byte for."""
    if kind == 4:
        return min((left, above, corner), key=lambda byte: abs(left + above - corner - byte))
    return (0, left, above, (left + above) // 2)[kind]


def starts(game: str, lang: str) -> dict[str, int]:
    """Return on which page each chapter begins, from 0 on."""
    reader = pypdf.PdfReader(BytesIO(printing.pdf(document(game, lang))))
    titles = [part["ids"][0] for part in document(game, lang).findall(nodes.section)]
    marks = [mark for mark in reader.outline if isinstance(mark, dict)]
    return {id_: reader.get_destination_page_number(mark) or 0 for id_, mark in zip(titles, marks, strict=True)}


# The measure --------------------------------------------------------------------------


def test_a_gap_is_told_from_the_space_between_lines() -> None:
    """Half a page without ink is a gap, and so is a page without any; a few empty lines are none."""
    assert share([True, False] * 50) == 1
    assert share([True] * 50 + [False] * 50) == 0.5
    assert share([False] * 100) == 0


# The doctree --------------------------------------------------------------------------


def test_as_many_drawings_stand_in_a_line_as_there_is_room_for() -> None:
    """Narrow ones close together, never more columns than drawings, wide ones alone."""
    picture = face("AS")

    def columns(many: int, width: float) -> int:
        return int(in_lines([pictured(picture, width) for _ in range(many)])["columns"])

    assert [columns(9, 33), columns(2, 33), columns(9, 11), columns(3, 90)] == [3, 2, 5, 1]


@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_what_an_example_comes_to_stays_with_how_it_is_written_down(game: str) -> None:
    """An example ends with a part that is kept together, and what is kept of accounts is in that part."""
    captions = {Matter(choose(game), "en").say(name) for name in ("written", "tokens")}
    examples = [found for found in document(game, "en").findall(panel) if found["kind"] == "example"]
    ledgers = [found for example in examples for found in example.findall(drawing) if found["caption"] in captions]
    ends = [example.children[-1] for example in examples]

    assert all(isinstance(end, together) for end in ends)
    assert ledgers
    assert [found for end in ends for found in end.findall(drawing) if found["caption"] in captions] == ledgers


@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_a_heading_is_kept_with_rules_not_with_boxes(game: str) -> None:
    """A box in what may not be parted could be longer than a page."""
    written = source(document(game, "en"), "a5")
    for part in written.split("chapter(")[1:]:
        opening = part.partition("\n}, {")[0]
        assert "panel(" not in opening


# The pages ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_pages_are_well_filled(game: str, lang: str) -> None:
    """At least half, nearly all to three fifths; but for the title, the contents, before the summary, and the last."""
    shares, at = filled(game, lang), starts(game, lang)
    apart = {0, 1, at["summary"] - 1, len(shares) - 1}
    inner = {number + 1: round(share, 2) for number, share in enumerate(shares) if number not in apart}

    assert {number: share for number, share in inner.items() if share < LEAST} == {}
    assert len([share for share in inner.values() if share < GOOD]) <= len(inner) / SELDOM


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_nothing_reaches_into_the_lower_margin(game: str, lang: str) -> None:
    """What is kept together is never longer than a page: below the text there is the number of the page alone."""
    for page in printing.pages(document(game, lang), resolution=DOTS):
        lines = list(unfiltered(page))
        below = lines[-round(7 / HEIGHT * len(lines)) :]
        assert all(min(line) >= INK for line in below)


def test_the_drawing_of_the_documentation_is_what_its_command_draws(capsys: pytest.CaptureFixture[str]) -> None:
    """As the page tells it."""
    pages = Path(__file__).parents[2] / "docs"
    told = re.search(r"^    brou (draw .*)$", (pages / "rulebook.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert told is not None
    assert main([*told[1].split(), "--lang", "en"]) == 0
    assert capsys.readouterr().out == (pages / "_static" / "trick.svg").read_text(encoding="utf-8")
