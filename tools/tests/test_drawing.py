"""Pictures: every card of every pack can be drawn, in every language and in one colour, and says what it shows."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from brou import catalogue, choose, rules
from brou.words.glossary import glossary
from brou_tools.cli import main
from brou_tools.drawing.cards import Style, back, face, hand, list_cards, size, trick
from brou_tools.drawing.svg import number

SVG = "{http://www.w3.org/2000/svg}"
LANGUAGES = sorted(glossary().languages)


def tree(text: str) -> ET.Element:
    """Return a picture as a tree."""
    return ET.fromstring(text)  # noqa: S314 - our own


def outlines(text: str) -> list[str]:
    """Return the colours of everything that is filled or drawn."""
    return [path.get("fill", "") + path.get("stroke", "") for path in tree(text).iter(f"{SVG}path")]


@pytest.mark.parametrize("game", catalogue())
def test_every_card_of_a_game_can_be_drawn(game: str) -> None:
    """No pack has a card without a face."""
    assert set(rules(choose(game)).deck.cards) <= set(list_cards())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_index_can_be_written(lang: str) -> None:
    """Each letter and digit of each language has a shape, so that no font is needed."""
    for card in list_cards():
        picture = face(card, Style(lang))
        index = glossary().index(card[0], lang)
        letters = [path for path in tree(picture.svg(30)).iter(f"{SVG}path") if path.get("stroke-width") == "1.7"]
        assert len(letters) == 2 * len(index)


def test_a_picture_says_what_it_shows() -> None:
    """Those who cannot see it are told, in their language."""
    root = tree(face(list_cards()[0], Style("de")).svg(30))

    assert root.get("role") == "img"
    assert (root.find(f"{SVG}title") or root[0]).text == glossary().card(list_cards()[0], "de")


def test_one_colour_tells_suits_apart_by_outlines() -> None:
    """In black alone red suits are hollow, and nothing is red."""
    cards = [card for card in list_cards() if card[0] == list_cards()[3][0]]
    printed = [face(card, Style(colours=False)).svg(15) for card in cards]

    assert len({colour for text in printed for colour in outlines(text)} - {"none", ""}) <= 3
    assert len({tuple(path.get("d") for path in tree(text).iter(f"{SVG}path")) for text in printed}) == len(cards)


def test_a_picture_has_no_letters_of_a_font() -> None:
    """Nothing depends on what fonts a machine has."""
    pictures = [
        *map(face, list_cards()),
        back(),
        hand(list_cards()[:5]),
        trick([(0, list_cards()[0]), (1, list_cards()[1])], 3),
    ]

    assert all(not list(tree(picture.svg(30)).iter(f"{SVG}text")) for picture in pictures)


def test_a_hand_shows_its_cards_in_their_order() -> None:
    """As many cards as there are, the marked ones above the others."""
    cards = list_cards()[:4]
    picture = hand(cards, marked={cards[1]: True})

    assert picture.width == pytest.approx(size()[0] * (1 + 0.42 * 3))
    assert picture.words.split(", ") == [glossary().short(card, "en") for card in cards]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_trick_has_room_for_every_seat(seats: int) -> None:
    """No card lies on another."""
    played = list(enumerate(list_cards()[:seats]))
    root = tree(trick(played, seats, winner=0).svg(60))
    moves = [
        group.get("transform", "") for group in root if group.tag == f"{SVG}g" and "scale" in group.get("transform", "")
    ]
    places = [tuple(float(part) for part in move[10 : move.index(")")].split()) for move in moves]
    width, height = size()

    assert len(places) == seats
    assert all(
        abs(one[0] - two[0]) > width * 0.9 or abs(one[1] - two[1]) > height * 0.9
        for number_, one in enumerate(places)
        for two in places[:number_]
    )


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1"), (0.0, "0"), (2.5004, "2.5"), (-0.25, "-0.25"), ("M1 1", "M1 1")]
)
def test_numbers_are_short(value: str | float, text: str) -> None:
    """As few digits as the eye can tell apart."""
    assert number(value) == text


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Or to the standard output."""
    path = tmp_path / "trick.svg"
    assert (
        main(["draw", "trick", f"0:{list_cards()[0]}", f"1:{list_cards()[1]}", "--winner", "0", "-o", str(path)]) == 0
    )
    assert main(["draw", "hand", *list_cards()[:3], "--mark", list_cards()[0], "--lang", "fr", "--one-colour"]) == 0

    assert tree(path.read_text(encoding="utf-8")).tag == f"{SVG}svg"
    assert tree(capsys.readouterr().out).tag == f"{SVG}svg"


@pytest.mark.parametrize(
    "arguments", [["card", "XX"], ["hand", "1S"], ["trick", "S:0"], ["card", "AS", "--lang", "la"]]
)
def test_what_cannot_be_drawn_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With what would do instead."""
    assert main(["draw", *arguments]) == 2
    assert "unknown" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["hand", "{0}", "--mark", "{1}"], "unknown card of the hand"),
        (["trick", "0:{0}", "0:{1}"], "seat 0 plays more than one card"),
        (["hand", "{0}", "{0}"], "{0} is named 2 times, and the pack has it once: leave one out"),
        (["trick", "0:{0}", "1:{0}"], "{0} is named 2 times"),
        (["trick", "0:{0}", "--winner", "1"], "unknown winner of the trick '1'; known: 0"),
    ],
)
def test_what_contradicts_itself_is_not_drawn(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A card that is not there, two cards of one seat, one card twice, a winner who did not play."""
    assert main(["draw", *(one.format(*list_cards()) for one in arguments)]) == 2
    assert told.format(*list_cards()) in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--seats", "11"], ["--seats", "0"], ["--width", "0"], ["-o", ""]])
def test_numbers_and_names_that_are_none_are_refused(arguments: list[str]) -> None:
    """As a fault of usage."""
    with pytest.raises(SystemExit) as end:
        main(["draw", "trick", f"0:{list_cards()[0]}", *arguments])

    assert end.value.code == 2
