"""Boxes of a rulebook: what a reader has to know to follow an example stands in it."""

from __future__ import annotations

import pytest
from docutils import nodes

from brou import choose, house
from brou_tools.documents.nodes import drawing, gallery, reading, together
from brou_tools.rulebook.questions import Questions
from brou_tools.situation.edition import Matter
from brou_tools.situation.examples import course, find_scenario, fitting
from brou_tools.situation.panels import Boxes


def box(game: str, id_: str, lang: str = "en") -> list[nodes.Node]:
    """Return what the box of an example holds."""
    choice = choose(game)
    one = find_scenario(choice.game, house(), id_)
    fit = fitting(one, choice)
    assert fit is not None
    return list(Boxes(Matter(fit, lang)).whole(course(one, fit), one.clauses))


def told(parts: list[nodes.Node]) -> str:
    """Return the words of a box."""
    return " ".join(part.astext() for part in parts)


def test_a_card_that_an_act_turns_up_is_told() -> None:
    """Each time another one, and never for an act that turns none."""
    words = told(box("homme-d-auvergne", "auv.cap.ruffed-by-the-man"))

    assert words.count("(turn-up 9♥)") == 1
    assert words.count("(turn-up") == 2
    assert "(turn-up" in told(box("hombre", "omb.contracts.tourne-turns-the-top-card"))
    assert "(turn-up" not in told(box("hombre", "omb.result.demande-won"))


def test_what_closes_a_box_does_not_stand_alone() -> None:
    """A single line of drawings stays with it where nothing else does; several lines may stand on the page before."""
    *_, close = box("homme-d-auvergne", "auv.play.follow-suit")

    assert isinstance(close, together)
    assert [type(part) for part in close.children] == [gallery, nodes.paragraph]


def test_points_that_are_not_written_yet_are_told_apart() -> None:
    """A carry-over is part of the account, and is said to be."""
    choice = choose("brouc")
    one = find_scenario("brouc", house(), "brouc.claim.carry-before-the-first-card")
    fit = fitting(one, choice)
    assert fit is not None
    boxes = Boxes(Matter(fit, "en"))

    words = told(list(boxes.opening(course(one, fit))))

    assert "Accounts at the start: seats 0 and 2: 320" in words
    assert "carry-over included: seats 0 and 2: 40" in words


def test_what_lies_in_the_trick_is_told_before_what_is_asked_in_it() -> None:
    """Once for everything asked or refused over the same cards, and not where no card lies."""
    words = told(box("brusquembille", "brus.play.any-card"))

    assert words.index("In the trick: K♠.") < words.index("What may seat 1 do?")
    assert words.index("In the trick: K♠ 7♦.") < words.index("What may seat 2 do?")
    assert words.count("In the trick") == 2


def test_a_question_of_another_edition_is_not_asked() -> None:
    """Neither one whose readings this edition lacks nor a part of it; the edition that has them asks both."""
    described, sheet = (Matter(choose(name), "en") for name in ("brouc@2022", "brouc@club-2026"))

    assert {"brouc.amb.51", "brouc.amb.52", "brouc.amb.52.b"} == set(sheet.open) - set(described.open)
    assert list(described.list_questions("brouc.round.02")) == []
    assert list(sheet.list_questions("brouc.round.02")) == ["brouc.amb.52", "brouc.amb.52.b"]


@pytest.mark.slow
def test_what_several_seats_do_in_turn_is_told_once() -> None:
    """With the seats that do the same; who does something else has a sentence."""
    words = told(box("homme-d-auvergne", "auv.trump.same-suit-again"))

    assert "Seat 0 says: I pass, and seats 1, 2 and 3 do the same." in words
    assert "Seat 1 says: I pass" not in words
    assert "Seat 1 says: I play." in words


def test_what_may_be_called_has_its_verb_once() -> None:
    """Where an act ends with its value; the last one after the word for a choice."""
    words = told(box("hombre", "omb.auction.example-two-is-in-error", "de"))

    assert "Sagt „Grand tourné“, „Sans prendre“" in words
    assert "„Nolo ouvert“ oder „ich passe“" in words


def test_a_figure_without_a_value_is_left_out() -> None:
    """Nobody has won yet: no empty line says so."""
    words = told(box("homme-d-auvergne", "auv.king.four-in-one-hand"))

    assert "Points for kings" in words
    assert "Winners of the partie" not in words


def asked(game: str, id_: str, lang: str = "en") -> nodes.Element:
    """Return the box of a question."""
    matter = Matter(choose(game), lang)
    return Questions(matter, Boxes(matter)).question(id_)


def test_a_reading_under_which_nothing_comes_to_pass_says_so() -> None:
    """In words, and not with a dash for each figure that it lacks."""
    words = asked("homme-d-auvergne", "auv.amb.12").astext()

    assert "None of this" in words
    assert "—" not in words


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_names_of_the_data_are_no_words_of_a_question(lang: str) -> None:
    """They stand beside the readings, apart from what is read."""
    box_ = asked("brouc", "brouc.amb.11", lang)
    names = [one["name"] for one in box_.findall(reading)]

    assert names == ["complete-in-trick", "any-two", "potential", "none", "held-in-hand"]
    assert box_["key"] == "marriage_exception"
    assert not [name for name in names if "-" in name and name in box_.astext()]


def test_a_reading_that_is_agreed_on_is_told_by_its_letter() -> None:
    """With the question that it answers, and where that stands."""
    words = told(box("homme-d-auvergne@1725", "auv.1725.two-at-the-target", "de"))

    assert "Vereinbart ist hier:" in words
    assert "Lesart B von auv.amb.12." in words


def test_a_question_stands_with_what_its_readings_answer() -> None:
    """Where and how often they part is one piece with it, on whatever page."""
    *_, last = asked("homme-d-auvergne", "auv.amb.12").children

    assert isinstance(last, together)
    assert [phrase in last.astext() for phrase in ("How does the score stand?", "What follows", "random deals")] == [
        True
    ] * 3


def kept(parts: list[nodes.Node]) -> list[str]:
    """Return the words of how accounts are written down in a box."""
    drawn = [one for part in parts for one in part.findall(drawing)]
    return [one["picture"].words for one in drawn if one["caption"] == "As it is written down"]


def test_what_is_not_written_yet_is_not_in_the_picture_of_what_is_written() -> None:
    """Of a deal that goes on the marriages alone in one game, nothing in the other; of one that is over, all."""
    assert kept(box("homme-de-brou", "brou.ann.twenty-thirty-forty")) == [
        "As it is written down. seats 0 and 2: 0, 90 (parties: 0); seats 1 and 3: 0, 0 (parties: 0)"
    ]
    assert kept(box("brouc", "brouc.tab.extended-60-and-30")) == []
    (lost,) = kept(box("homme-de-brou", "brou.stop.third-trick-refused"))
    assert lost.endswith("seats 1 and 3: 150, 0 (parties: 4)")
