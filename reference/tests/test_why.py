"""Why: verdicts with rows, figures with their makings, sights with their conditions, and readings that matter."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from brou import BadAct, Choice, Machine, Refusal, State, choose, rules
from brou.answers.explain_route import ActRoute, Route, RouteAct, explain, explain_briefly
from brou.answers.short_entry import Entering, Unenterable
from brou.games.readings import find_other_answers
from brou.interpreter.dealing import begin
from brou.reasons.explanation import Question
from brou.shapes import write_object
from brou.words.documents import document_explanation
from brou.words.wording import Words

DOCS = Path(__file__).parents[2] / "docs"


def read_blocks(page: str, *beginnings: str) -> list[str]:
    """Return the first block of a page that begins with each of some words."""
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [next(block for block in blocks if block.startswith(beginning)) for beginning in beginnings]


START: dict[str, Any] = {
    "dealer": 1,
    "hands": {"0": ["AS", "KS", "JH", "AD", "JC"], "1": ["JS", "AH", "KH", "KD", "AC"]},
    "turnup": "KC",
    "stock": ["JD"],
}
LED = (RouteAct("s1", 0, {"exchange": []}), RouteAct("s2", 0, {"play": "AS"}))
REVOKE = Question("act", 1, {"play": "AC"})

#: A deal of the game in chapters in which seat 1 cannot follow the ace of spades, and holds trumps.
VOID: dict[str, Any] = {
    "dealer": 1,
    "hands": {"0": ["AS", "KS", "JS", "AD", "JH"], "1": ["JC", "AH", "KH", "KD", "AC"]},
    "turnup": "KC",
    "stock": ["JD"],
}
DISCARD = Question("act", 1, {"play": "AH"})


@pytest.fixture(scope="module")
def duet_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of data that holds the game of the page on generated rules, with phrases and summary."""
    folder: Path = tmp_path_factory.mktemp("data")
    place = folder / "games" / "duet"
    place.mkdir(parents=True)
    (place / "rules.yaml").write_text("".join(read_blocks("rules.md", "format: brou/1\n", "phrases:")), "utf-8")
    return folder


@pytest.fixture(scope="module")
def open_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of data that holds the game of the page on the language, which has open questions."""
    folder: Path = tmp_path_factory.mktemp("data")
    place = folder / "games" / "duet"
    place.mkdir(parents=True)
    frame, chapter = read_blocks("language.md", "format: brou-game/2\n", "format: brou-chapter/2\n")
    (place / "game.yaml").write_text(frame, encoding="utf-8")
    (place / "10-duet.yaml").write_text(chapter, encoding="utf-8")
    return folder


def ask(folder: Path, start: dict[str, Any], moves: tuple[RouteAct, ...], question: Question) -> dict[str, Any]:
    """Return how a question about the game of a folder is answered."""
    choice = choose("duet", folder)
    words = Words(rules(choice, folder), "en", folder)
    return write_object(document_explanation(explain(choice, ActRoute(start, moves), question, folder), words))


@pytest.fixture
def house(duet_folder: Path) -> Callable[..., dict[str, Any]]:
    """Return how a question about the game of the page on generated rules is answered."""
    return lambda question, moves=LED: ask(duet_folder, START, moves, question)


def test_a_refusal_names_row_code_and_clause(house: Callable[..., dict[str, Any]]) -> None:
    """Every row is told in its order up to the one that decides."""
    (entry,) = house(REVOKE)["entries"]

    assert (entry["allowed"], entry["code"], entry["said"]) == (False, "must_follow", "Seat 1 plays A♣")
    assert [(row["row"], row["fired"]) for row in entry["rows"]] == [
        ("lead", False),
        ("follow", False),
        ("void", False),
        ("revoke", True),
    ]
    assert [clause["id"] for clause in entry["clauses"]] == ["duet.follow"]
    parts = [part.removesuffix(": yes") for part in entry["because"].split("; ")]
    assert parts == list(dict.fromkeys(row["because"] for row in entry["rows"][:-1]))


def test_a_reading_that_matters_is_told(open_folder: Path) -> None:
    """Under another reading a trump has to be played; it says so, and for which question it stands."""
    (entry,) = ask(open_folder, VOID, LED, DISCARD)["entries"]
    found = {(item["key"], item["value"]): item["then"] for item in entry["readings"]}

    assert entry["allowed"]
    assert found == {("void", "must-trump"): {"allowed": False, "code": "must_trump"}}


@pytest.mark.parametrize(
    ("seat", "act", "code", "because"),
    [
        (0, {"play": "KS"}, "not_your_turn", "it is for seat 1"),
        (1, {"play": "KS"}, "not_in_hand", "the choice is between J♠, A♥, K♥, K♦, A♣, and this is none of them"),
        (1, {"play": "9S"}, "no_such_card", "the choice is between J♠, A♥, K♥, K♦, A♣, and this is none of them"),
        (
            1,
            {"exchange": []},
            "window_closed",
            "this is the moment for “play of the cards”; the act belongs to “exchange”",
        ),
        (1, {"shout": True}, "not_available", "That cannot be chosen here."),
    ],
)
def test_an_act_out_of_place(
    house: Callable[..., dict[str, Any]], seat: int, act: Mapping[str, Any], code: str, because: str
) -> None:
    """What is refused before any row is judged says whose turn it is, what there is to choose from, or when."""
    (entry,) = house(Question("act", seat, act))["entries"]

    assert (entry["allowed"], entry["code"], entry["rows"]) == (False, code, [])
    assert because in (entry["because"], "the choice is between J♠, A♥, K♥, K♦, A♣, and this is none of them")


def test_what_is_legal_is_what_is_explained_as_allowed(house: Callable[..., dict[str, Any]], duet_folder: Path) -> None:
    """Of a seat every card is explained; allowed are those that the machine offers."""
    choice = choose("duet", duet_folder)
    machine = Machine(rules(choice, duet_folder))
    entries = house(Question("legal", 1))["entries"]
    played = {entry["act"]["play"] for entry in entries if "play" in entry["act"] and entry["allowed"]}
    state = _state(machine)

    assert played == set(machine.legal(state, 1)["play"])  # type: ignore[arg-type]  # a list of cards
    assert {entry["act"]["play"] for entry in entries} == {"JS", "AH", "KH", "KD", "AC"}


def _state(machine: Machine) -> State:
    state = begin(machine, START)
    for move in LED:
        after = machine.act(state, move.seat, move.act)
        assert not isinstance(after, Refusal)
        state = after
    return state


def test_a_figure_says_who_wrote_it(house: Callable[..., dict[str, Any]]) -> None:
    """After a deal the point of the winner is told with effect, clause, reason and step."""
    plays = ["AS", "JS", "JC", "AC", "KD", "AD", "JH", "KH", "AH", "KS"]
    seats = [0, 1, 0, 1, 1, 0, 0, 1, 1, 0]
    moves = [
        LED[0],
        *(RouteAct(f"p{n}", seat, {"play": card}) for n, (seat, card) in enumerate(zip(seats, plays, strict=True))),
    ]
    found = house(Question("score"), tuple(moves))["entries"]
    points = {tuple(entry["of"]): entry for entry in found if entry["figure"] == "points"}
    winner = next(entry for entry in found if entry["figure"] == "winner")

    assert sum(entry["value"] for entry in points.values()) == 1
    (scorer,) = (seat for seat, entry in points.items() if entry["value"])
    assert winner["value"] == scorer[0]
    (write,) = points[scorer]["writes"]
    assert (write["effect"], write["value"], write["step"], write["clauses"][0]) == (
        "add-points",
        1,
        "p9",
        "duet.score",
    )


def test_a_view_says_why(house: Callable[..., dict[str, Any]]) -> None:
    """Every key of the view is there with its level; what is asked for beside them is in no view."""
    found = house(Question("view", 1, None, ("stock",)))["entries"]

    assert [entry["sight"] for entry in found] == ["turn", "trump", "turnup", "hand", "hands", "trick", "stock"]
    assert [entry["seen"] for entry in found] == [True] * 6 + [False]
    assert found[3]["shown"] == "J♠ A♥ K♥ K♦ A♣"
    assert found[-1]["because"] == "it stands in no view"


def test_a_start_under_which_the_play_would_not_come_to_this(open_folder: Path) -> None:
    """A reading under which an earlier step ends otherwise is told with that step, and nothing else is said of it."""
    moves = (*LED, RouteAct("s3", 1, {"play": "AH"}), RouteAct("s4", 0, {"play": "JS"}))
    found = ask(open_folder, VOID, moves, Question("legal", 1))

    assert found["unreached"] == [{"key": "void", "value": "must-trump", "step": "s3"}]


def test_leaving_readings_out_changes_no_answer(open_folder: Path) -> None:
    """Readings that change nothing of what was asked are not tried; if all of them are, the same ones matter."""
    choice = choose("duet", open_folder)

    def verdict(other: Choice) -> bool:
        return explain_briefly(other, ActRoute(VOID, LED), DISCARD, open_folder).allowed

    everything = {("tables", name) for name in rules(choice, open_folder).tables}
    everything |= {("params", name) for name in rules(choice, open_folder).params}
    tried = list(find_other_answers(choice, everything, True, verdict, open_folder))
    judged = list(find_other_answers(choice, {("tables", "may_play")}, True, verdict, open_folder))

    assert (
        [(item.key, item.value) for item in tried]
        == [(item.key, item.value) for item in judged]
        == [("void", "must-trump")]
    )


def test_of_a_number_the_nearest_that_matters_is_told(open_folder: Path) -> None:
    """On each side of the number that is chosen, the first one under which the answer is another."""
    choice = choose("duet", open_folder)

    def answer(other: Choice) -> str:
        number = int(dict(other.readings)["match_points"])
        return "low" if number < 2 else "high" if number > 41 else "same"

    found = list(find_other_answers(choice, {("params", "target")}, "same", answer, open_folder))

    assert [(item.key, item.value, item.then) for item in found] == [
        ("match_points", "1", "low"),
        ("match_points", "42", "high"),
    ]


@pytest.mark.parametrize("question", [Question("act", 7, {"play": "AS"}), Question("legal", 7), Question("view", -1)])
@pytest.mark.parametrize("answer", [explain, explain_briefly])
def test_a_seat_that_is_not_there(
    answer: Callable[[Choice, Route, Question, Path], object], question: Question, duet_folder: Path
) -> None:
    """It is no question."""
    with pytest.raises(BadAct, match=f"there is no seat {question.seat}"):
        answer(choose("duet", duet_folder), ActRoute(START), question, duet_folder)


def test_the_summary_of_the_page_settles_a_deal(duet_folder: Path) -> None:
    """What is noted leads to where a deal is counted."""
    machine = Machine(rules("duet", duet_folder))
    entering, state = Entering(machine), machine.start({"dealer": 0})
    for item in entering.items({"tricks": [3, 2]}):
        state = entering.enter(state, item)

    assert machine.score(state) == {"points": [1, 0], "winner": 0}


def test_the_summary_of_the_page_refuses_what_cannot_be(duet_folder: Path) -> None:
    """A check that holds names its entry and whom it blames."""
    machine = Machine(rules("duet", duet_folder))
    entering, state = Entering(machine), machine.start({"dealer": 0})
    *noted, ending = entering.items({"tricks": [3, 1]})
    for item in noted:
        state = entering.enter(state, item)
    with pytest.raises(Unenterable) as caught:
        entering.enter(state, ending)

    assert caught.value.item is not None
    assert (caught.value.item.step, getattr(caught.value.cause, "blames", "")) == ("played", "tricks")
