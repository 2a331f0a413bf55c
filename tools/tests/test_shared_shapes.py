"""Pictures of a page share their shapes: each stands once, and every picture keeps its title and its place."""

from __future__ import annotations

import re

from brou_tools.drawing.cards import face, hand
from brou_tools.drawing.sharing import share_shapes

CARDS = ("KH", "QH", "7S")


def draw_page(*hands: tuple[str, ...]) -> str:
    """Return a page with pictures of hands."""
    return "<main>" + "".join(f"<p>{' '.join(cards)}</p>{hand(cards).svg(60)}" for cards in hands) + "</main>"


def expand(page: str) -> str:
    """Return a shared page as it was before: each shape where it is used."""
    shapes = dict(re.findall(r'<g id="(drawn-\d+)">(.*?)</g>(?=<g id=|</defs>)', page))
    page = page.partition('<svg width="0"')[0]
    while (
        wider := re.sub(r'<use href="#([^"]+)"([^>]*)/>', lambda use: f"<g{use[2]}>{shapes[use[1]]}</g>", page)
    ) != page:
        page = wider
    return page


def test_shapes_in_place_of_their_uses_give_the_page_as_it_was() -> None:
    """Nothing else changes."""
    page = draw_page(CARDS, CARDS[:2], ("QH", "KH", "AC"))

    assert "<use" in share_shapes(page)
    assert expand(share_shapes(page)) == page


def test_a_card_stands_once_however_often_it_is_drawn() -> None:
    """A third hand of the same cards adds little to a page."""
    two, three = (len(share_shapes(draw_page(*[CARDS] * times))) for times in (2, 3))

    assert three - two < len(draw_page(CARDS)) / 3
    assert len(face("KH").svg(60)) > 500


def test_every_picture_keeps_its_title() -> None:
    """What screen readers tell stays where the picture stands."""
    page = draw_page(CARDS, CARDS)

    assert share_shapes(page).count("<title>") == page.count("<title>") == 2


def test_a_page_without_repetition_stays_as_it_is() -> None:
    """There is nothing to share, and nothing is added; groups written out in text are no pictures."""
    for page in ("<main><p>No picture.</p></main>", "<pre>&lt;g&gt;" + "x" * 90 + "&lt;/g&gt;</pre>" * 2):
        assert share_shapes(page) == page


def test_sharing_twice_changes_nothing() -> None:
    """What is shared has nothing left to share."""
    shared = share_shapes(draw_page(CARDS, CARDS))

    assert share_shapes(shared) == shared
