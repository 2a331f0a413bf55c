"""Pages of rulebooks: well filled, nothing torn apart, nothing outside the page."""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from brou import book, catalogue, choose
from brou.words.glossary import glossary
from brou_tools.cli import main
from brou_tools.documents.nodes import drawing, in_lines, make_drawing, panel, rule, together
from brou_tools.drawing.cards import face
from brou_tools.rulebook import printing
from brou_tools.rulebook.typst_writer import source
from brou_tools.situation.edition import Matter
from printed import FONTS, bare, document, fonts, lacking, letters, starts

LANGUAGES = tuple(glossary().languages)
EDITIONS = [f"{game}@{edition}" for game in catalogue() for edition in book(game).editions]
#: The book that is looked at often: to read one takes longer than to make it. The others guard the same.
READ = {(f"{catalogue()[0]}@{choose(catalogue()[0]).edition}", LANGUAGES[-1])}
#: Dots of an inch, and how high a page of the smaller paper with its margins is, in millimetres.
DOTS, HEIGHT, MARGIN = 24, 210, 19
#: A strip without ink that is higher is a gap, in millimetres; a dot that is darker is ink.
GAP, INK = 12, 225
#: What every page in the middle of a book holds, what all but one in so many hold, and how much of one may be blank.
LEAST, GOOD, SELDOM, BAND = 0.5, 0.6, 10, 1 / 3


def books(often: Collection[tuple[str, str]]) -> list[Any]:
    """Return every book as a case of its own: some are looked at often, the others before something is called done."""
    every = [(name, lang) for name in EDITIONS for lang in LANGUAGES]
    return [pytest.param(*one, marks=[] if one in often else [pytest.mark.thorough]) for one in every]


@lru_cache(maxsize=2)
def inked(name: str, lang: str) -> list[list[bool]]:
    """Return of each page of a book, and each line of dots on it, whether there is ink in it."""
    made = printing.pages(document(name, lang), resolution=DOTS)
    return [[min(line) < INK for line in unfiltered(page)] for page in made]


def inner(lines: list[bool]) -> list[bool]:
    """Return the lines of a page between its margins."""
    margin = round(MARGIN / HEIGHT * len(lines))
    return lines[margin:-margin]


def band(lines: list[bool]) -> float:
    """Return how much of some lines the highest strip without ink takes."""
    return max((len(list(run)) for ink, run in groupby(lines) if not ink), default=0) / len(lines)


def share(lines: list[bool]) -> float:
    """Return the share of lines that are not in a gap."""
    high = GAP * len(lines) / (HEIGHT - 2 * MARGIN)
    runs = [(ink, len(list(run))) for ink, run in groupby(lines)]
    return 1 - sum(length for ink, length in runs if not ink and length > high) / len(lines)


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
    raw, line = zlib.decompress(data), bytes(wide)
    for start in range(0, len(raw), wide + 1):
        line = unfilter(raw[start], raw[start + 1 : start + 1 + wide], line)
        yield line


def unfilter(kind: int, line: bytes, above: bytes) -> bytes:
    """Undo what a filter of PNG did to a line below another: 0 nothing, 1 left, 2 above, 3 their mean, 4 a guess."""
    if kind == 2 and not any(line):
        return above
    found, above = bytearray(4) + line, bytes(4) + above
    for at in range(4, len(found)):
        left, up, corner = found[at - 4], above[at], above[at - 4]
        if kind == 4:
            near = left if up == corner else up if left == corner else guess(left, up, corner)
        else:
            near = (0, left, up, (left + up) // 2)[kind]
        found[at] = (found[at] + near) & 0xFF
    return bytes(found[4:])


def guess(left: int, above: int, corner: int) -> int:
    """Return the neighbour that is nearest to their plane, the first where several are."""
    return min((left, above, corner), key=lambda byte: abs(left + above - corner - byte))


# The measure --------------------------------------------------------------------------


def test_a_gap_is_told_from_the_space_between_lines() -> None:
    """Half a page without ink is a gap, and so is a page without any; a few empty lines are none."""
    assert share([True, False] * 50) == 1
    assert share([True] * 50 + [False] * 50) == 0.5
    assert share([False] * 100) == 0


def test_a_band_is_the_highest_strip_without_ink() -> None:
    """Not the sum of several."""
    assert band([True] * 4) == 0
    assert band([False, True, False, False]) == 0.5


# The doctree --------------------------------------------------------------------------


def test_as_many_drawings_stand_in_a_line_as_there_is_room_for() -> None:
    """Narrow ones close together, never more columns than drawings, wide ones alone."""
    picture = face("AS")

    def columns(many: int, width: float) -> int:
        return int(in_lines([make_drawing(picture, width) for _ in range(many)])["columns"])

    assert [columns(9, 33), columns(2, 33), columns(9, 11), columns(3, 90)] == [3, 2, 5, 1]


@pytest.mark.sampled(3)
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


@pytest.mark.sampled(3)
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
@pytest.mark.parametrize(("name", "lang"), books(READ), scope="module")
def test_every_edition_is_printed_whole(name: str, lang: str) -> None:
    """Every rule, question and note, and every letter, in the fonts that the file holds."""
    assert lacking(name, lang) == []
    assert letters(name, lang).undefined == []
    assert all(font.startswith(FONTS) for font in fonts(name, lang))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), books(READ), scope="module")
def test_the_page_for_the_table_is_one_page(name: str, lang: str) -> None:
    """It is the last page, with its first and its last rule, and nothing is left to be filled in."""
    at = starts(name, lang)

    assert max(at, key=lambda id_: at[id_]) == "summary"
    assert at["summary"] == len(inked(name, lang)) - 1 > at["colophon"]
    assert not re.search(r"[{}]|\?\?|: None\b", document(name, lang).astext())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), books(READ), scope="module")
def test_pages_are_well_filled(name: str, lang: str) -> None:
    """At least half, nearly all to three fifths, no band of a third of a page; not the title, nor where the text ends.

    The page for the table has a page to itself, so the text may end anywhere on the page before.
    """
    pages = {number: inner(lines) for number, lines in enumerate(inked(name, lang), 1)}
    composed = {number: lines for number, lines in pages.items() if number not in (1, len(pages) - 1)}
    shares = {number: round(share(lines), 2) for number, lines in composed.items()}
    bands = {number: round(band(lines), 2) for number, lines in composed.items()}

    assert {number: part for number, part in bands.items() if part > BAND} == {}
    assert {number: part for number, part in shares.items() if part < LEAST} == {}
    assert len([part for part in shares.values() if part < GOOD]) <= len(shares) / SELDOM


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), books(READ), scope="module")
def test_the_index_tells_the_pages_of_articles(name: str, lang: str) -> None:
    """Where it names a page behind an article, the id of that article stands on it."""
    ids = {found.children[0].astext(): found["clause"] for found in document(name, lang).findall(rule)}
    at, told = starts(name, lang), [bare(page) for page in letters(name, lang).pages]
    index = "".join(told[at["index"] : at["sources"] + 1])
    found = re.findall(r"(?<![\d.])(\d{1,2}\.\d{1,2})[pS]\.(\d+)", index)

    assert len(found) > len(ids) / 3
    assert [(number, page) for number, page in found if ids[number] not in told[int(page) - 1]] == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), books(READ), scope="module")
def test_nothing_reaches_into_the_lower_margin(name: str, lang: str) -> None:
    """What is kept together is never longer than a page: below the text there is the number of the page alone."""
    for lines in inked(name, lang):
        assert not any(lines[-round(7 / HEIGHT * len(lines)) :])


def test_the_drawing_of_the_documentation_is_what_its_command_draws(capsys: pytest.CaptureFixture[str]) -> None:
    """As the page tells it."""
    pages = Path(__file__).parents[2] / "docs"
    told = re.search(r"^    brou (draw .*)$", (pages / "rulebook.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert told is not None
    assert main([*told[1].split(), "--lang", "en"]) == 0
    assert capsys.readouterr().out == (pages / "_static" / "trick.svg").read_text(encoding="utf-8")
