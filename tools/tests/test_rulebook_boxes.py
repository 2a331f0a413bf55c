"""Boxes of a rulebook: what a reader has to know to follow an example stands in it."""

from __future__ import annotations

from docutils import nodes

from brou import choose
from brou_tools.rulebook.boxes import Boxes
from brou_tools.rulebook.examples import course, fitting, found
from brou_tools.rulebook.matter import Matter
from brou_tools.rulebook.nodes import drawing, gallery, together


def box(game: str, id_: str, lang: str = "en") -> list[nodes.Node]:
    """Return what the box of an example holds."""
    choice = choose(game)
    one = found(choice.game, id_)
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
    one = found("brouc", "brouc.claim.carry-before-the-first-card")
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
    assert list(described.asked("brouc.round.02")) == []
    assert list(sheet.asked("brouc.round.02")) == ["brouc.amb.52", "brouc.amb.52.b"]


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
