"""Settling real games: the worked examples of the texts as records, what cannot be, and what commands say to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from brou import Machine, State, choose, rules
from brou.answers.settlement import settle_record
from brou.answers.short_entry import Entering
from brou.games.folder import root
from brou.games.record import record
from brou.language.schema import validator
from brou.shapes import write_object
from brou.words.documents import document_settlement
from brou.words.wording import Words
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_tools.cli import main

GOLDEN = Path(__file__).parent / "golden"
WORKED: list[dict[str, Any]] = yaml.safe_load((GOLDEN / "worked.yaml").read_text(encoding="utf-8"))

Settle = Callable[..., dict[str, Any]]


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Return how a record is written to a file."""

    def write(**members: Any) -> Path:
        path = tmp_path / "record.yaml"
        path.write_text(json.dumps({"format": "brou-record/1", **members}), encoding="utf-8")
        return path

    return write


@pytest.fixture
def settle(written: Callable[..., Path]) -> Settle:
    """Return how a record of some members is settled."""

    def settle(lang: str = "en", **members: Any) -> dict[str, Any]:
        choice = choose(members["rules"])
        found = settle_record(record(written(**members), rules(choice)), choice)
        return dict(write_object(document_settlement(found, Words(rules(choice), lang))))

    return settle


@pytest.mark.slow
@pytest.mark.parametrize("one", WORKED, ids=lambda one: f"{one['example']}: {one['because']}")
def test_a_worked_example_comes_to_what_the_text_says(settle: Settle, one: dict[str, Any]) -> None:
    """The sheet that the text describes is the sheet that the rules write."""
    assert all("count" in deal or "written" in deal for deal in one["deals"])
    found = settle(rules=one["rules"], start=one["start"], deals=one["deals"])

    assert found["fault"] is None
    assert found["complete"]


PLAYED = [
    one
    for game in ("homme-de-brou", "brouc")
    for one in corpus.scenarios(game)
    if one.origin == "source-example" and getattr(one.lines[-1], "id", "") == "written"
]


def recorded(one: Scenario) -> dict[str, Any]:
    """Return a scenario as a record: its cards and the acts that are accepted, and what is written in the end."""
    name = f"{one.game}@{one.editions[0]}" if one.editions else one.game
    readings = dict(choose(name).readings)
    steps = one.steps(rules(name).seats)
    accepted = [step for step in steps if step.verb == "act" and step.choose_pattern(readings).key == "ok"]  # type: ignore[union-attr]  # as it is asked
    acts = [{"by": step.message["by"], "act": step.message["act"]} for step in accepted]
    assert acts.pop()["act"] == {"next": True}
    deal = {key: value for key, value in one.deal.items() if key != "dealer"}
    sheet = {"written": steps[-1].choose_pattern(readings).value}  # type: ignore[union-attr]  # as it is asked
    start = {"dealer": one.deal["dealer"], **one.before}
    return {"rules": name, "start": start, "deals": [{"deal": deal, "steps": acts, **sheet}]}


@pytest.mark.slow
@pytest.mark.parametrize("one", PLAYED, ids=lambda one: one.id)
def test_a_worked_example_that_is_played_comes_to_the_same(settle: Settle, one: Scenario) -> None:
    """A record with all cards and acts, and nobody writing it down, comes to the sheet of the scenario."""
    found = settle(**recorded(one))

    assert found["fault"] is None
    assert found["complete"]


def test_there_are_worked_examples_to_play() -> None:
    """Of both games, a good number."""
    assert {one.game for one in PLAYED} == {"homme-de-brou", "brouc"}
    assert len(PLAYED) > 20


def write_card(card: str) -> str:
    """Return a card as a club may write it: `7♠` or `10♠`."""
    return card[0].replace("T", "10") + dict(zip("SHDC", "♠♥♦♣", strict=True))[card[1]]


@pytest.mark.parametrize("spell", [write_card, lambda card: card[::-1], str.lower])
def test_cards_of_a_record_are_read_as_people_write_them(settle: Settle, spell: Callable[[str], str]) -> None:
    """A record with `7♠`, `S7` or `7s` in its hands, its turn-up and its acts comes to the same."""
    told = json.dumps(recorded(PLAYED[0]))
    cards = rules(choose(PLAYED[0].game)).deck.cards
    spelt = re.sub(r'"(\w\w)"', lambda one: f'"{spell(one[1])}"' if one[1] in cards else one[0], told)

    assert spelt != told
    assert settle(**json.loads(spelt)) == settle(**json.loads(told))


def test_tricks_of_a_record_are_read_as_people_write_them(settle: Settle) -> None:
    """Leader and cards in a line, the cards as symbols."""
    one = recorded(PLAYED[0])
    first, (deal,) = one["start"], one["deals"]
    plays = [act for act in deal["steps"] if "play" in act["act"]][:4]
    told = [f"{plays[0]['by']}: {' '.join(spell(act['act']['play']) for act in plays)}" for spell in (str, write_card)]
    found = [
        settle(rules=one["rules"], start=first, deals=[{"deal": deal["deal"], "steps": [{"play": [trick]}]}])
        for trick in told
    ]

    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["homme-de-brou", "brouc@2022", "brouc@club-2026"])
@pytest.mark.parametrize("points", [(120, 0), (75, 45), (61, 59), (0, 120)])
def test_short_and_played_agree(name: str, points: tuple[int, int]) -> None:
    """A deal that is only counted is written down as one that is played with the same points."""
    game = rules(choose(name))
    player = Machine(game)
    entering, state = Entering(player), player.start({"dealer": 0, "accounts": [50, 60]})
    for item in entering.items(
        {"points": list(points), "tricks": [5, 3]} if 0 not in points else {"points": list(points)}
    ):
        state = entering.enter(state, item)
    values = list(player.start({"dealer": 0, "accounts": [50, 60]}).values)
    for variable, value in (("points", points), ("won", (5, 3)), ("done", 8), ("trump", "S")):
        values[player.slots[variable]] = value
    played = player.run_effects(State("play", tuple(values)), _to("judge"), [])
    after = [player.act(one, 0, {"next": True}) for one in (state, played)]

    assert [player.score(one) for one in after if isinstance(one, State)] == [player.score(after[1])] * 2  # type: ignore[arg-type]  # it is a state


def _to(phase: str) -> Callable[[list[Any], list[Any]], str]:
    return lambda values, locals_: phase  # noqa: ARG005 - one signature for all effects


# What cannot be -------------------------------------------------------------------


def fault_of(settle: Settle, short: dict[str, Any], rules: str = "brouc@2022", **more: Any) -> dict[str, Any]:
    """Return the first thing that cannot be in a record of one short deal."""
    accounts = more.pop("accounts", [0, 0])
    found = settle(rules=rules, start={"dealer": 0, "accounts": accounts}, deals=[{"short": short, **more}])
    assert isinstance(found["fault"], dict)
    return found["fault"]


@pytest.mark.slow
def test_points_that_are_not_those_of_the_pack(settle: Settle) -> None:
    """Either number could be meant otherwise, so that they add up."""
    fault = fault_of(settle, {"points": [75, 54]})

    assert (fault["step"], fault["clauses"][0]["id"]) == ("played", "brouc.round.02")
    assert fault["because"].endswith("(75 + 54 = 129)")
    assert [slip["value"] for slip in fault["meant"]] == [[66, 54], [75, 45]]


TWICE = {
    "trump": "S",
    "announced": [{"team": 0, "suit": "H", "kind": "simple"}, {"team": 0, "suit": "H", "kind": "grand"}],
    "points": [60, 60],
}


def test_a_marriage_announced_twice(settle: Settle) -> None:
    """The second of them is named; it could be left out, be of another suit, or the reading be another."""
    fault = fault_of(settle, TWICE)

    assert (fault["step"], fault["code"], fault["clauses"][0]["id"]) == ("announced.2", "already_done", "brouc.amb.21")
    assert fault["meant"][0]["value"] == TWICE["announced"][:1]
    assert fault["meant"][-1]["reading"] == {"key": "extend_announced", "value": "difference"}
    assert fault_free(settle, TWICE, "brouc@2022[extend_announced=difference]") == [90, 60]


def fault_free(settle: Settle, short: dict[str, Any], rules: str) -> list[int]:
    """Return the accounts after a short deal that is without fault."""
    found = settle(rules=rules, start={"dealer": 0, "accounts": [0, 0]}, deals=[{"short": short}])
    assert found["fault"] is None
    return list(found["standing"]["accounts"])


def test_a_marriage_of_both_parties(settle: Settle) -> None:
    """There is one king and one queen of a suit."""
    announced = [{"team": 0, "suit": "H", "kind": "simple"}, {"team": 1, "suit": "H", "kind": "simple"}]
    fault = fault_of(settle, {**TWICE, "announced": announced})

    assert (fault["step"], fault["clauses"][0]["id"]) == ("announced.2", "brouc.mar.01")


@pytest.mark.parametrize("name", ["brouc@2022", "homme-de-brou"])
def test_a_marriage_announced_and_on_the_table(settle: Settle, name: str) -> None:
    """What one hand held cannot fall into one trick."""
    one = {"team": 0, "suit": "H", "kind": "simple"}
    fault = fault_of(settle, {"trump": "S", "announced": [one], "table": [one], "points": [60, 60]}, name)

    assert fault["step"] == "table.1"


def test_a_wrong_claim_that_was_written_as_right(settle: Settle) -> None:
    """The rules give the partie to the others; one point more would have been enough."""
    fault = fault_of(settle, {"points": [70, 30], "claim": 0}, accounts=[230, 100], count={"winner": 0})

    assert (fault["step"], fault["figure"], fault["written"], fault["found"]) == ("count", "winner", 0, 1)
    assert fault["meant"][0]["value"] == [71, 30]


@pytest.mark.slow
def test_a_sheet_that_is_right_under_another_reading(settle: Settle) -> None:
    """The reading is named."""
    announced = [{"team": 0, "suit": "H", "kind": "simple"}]
    short = {"trump": "S", "announced": announced, "points": [52, 68]}
    fault = fault_of(settle, short, "brouc@club-2026", written={"accounts": [70, 50]})

    assert {"key": "announced_debit", "value": "yes"} in [slip.get("reading") for slip in fault["meant"]]


def test_a_call_that_was_not_allowed(settle: Settle) -> None:
    """The entry heeds the duty of the call, and is refused under its clause and code."""
    fault = fault_of(settle, {"call": {"team": 0, "kind": "cape-dehors", "made": True}}, accounts=[180, 0])

    assert (fault["step"], fault["clauses"][0]["id"], fault["code"]) == ("call", "brouc.cd.01", "condition_not_met")


@pytest.mark.parametrize(
    ("short", "step", "said"),
    [
        ({"points": [75]}, "points", "the choice is between 0 … 120"),
        ({"points": [75, 145]}, "points.2", "the choice is between 0 … 120"),
        ({"trump": "X", "points": [60, 60]}, "trump", "the choice is between spades, hearts, diamonds, clubs"),
        ({"cape": 0, "claim": 0}, "claim", "the deal is noted to have ended in two ways"),
        ({"cape": 0, "points": [100, 20]}, "cape", "the other team has made no trick, and something"),
        ({"tricks": [8, 0], "points": [100, 20]}, "tricks.2", "a team without a trick has no card points"),
        ({"tricks": [6, 3], "points": [60, 60]}, "tricks.2", "a deal has 8 tricks"),
        ({"tricks": [4, 3], "points": [60, 60]}, "played", "a deal has 8 tricks, and fewer are noted"),
        ({"announced": [{"team": 0, "suit": "H", "kind": "simple"}]}, "announced.1", "the trump suit is not noted"),
    ],
)
def test_an_entry_that_cannot_be(settle: Settle, short: dict[str, Any], step: str, said: str) -> None:
    """The first one is named, with the words of the rules."""
    fault = fault_of(settle, short)

    assert fault["step"] == step
    assert fault["because"].startswith(said)


def test_who_was_first_must_be_noted_where_both_are_past_the_target(settle: Settle) -> None:
    """Unless the reading decides by something else."""
    short = {"points": [60, 60]}
    fault = fault_of(settle, short, "homme-de-brou", accounts=[250, 250])

    assert (fault["clauses"][0]["id"], fault["meant"][0]["entry"]) == ("brou.amb.02", "first")
    assert {"key": "both_over", "value": "leader-side"} in [slip.get("reading") for slip in fault["meant"]]


@pytest.mark.slow
def test_what_the_losers_stood_at_must_be_noted_where_the_reading_asks(settle: Settle) -> None:
    """The account at the end is not what it goes by then."""
    name = "homme-de-brou[loser_account_unclaimed=frozen]"
    fault = fault_of(settle, {"points": [60, 60]}, name, accounts=[250, 100])
    assert (fault["clauses"][0]["id"], fault["meant"][0]["entry"]) == ("brou.amb.04", "stood")

    deals = [{"short": {"points": [60, 60], "stood": 149}, "count": {"worth": 2}}]
    assert settle(rules=name, start={"dealer": 0, "accounts": [250, 100]}, deals=deals)["fault"] is None


def test_a_card_that_may_not_be_played(settle: Settle) -> None:
    """Who else could do it, and what else the player could have done, what is alike first."""
    hands = {
        "0": ["TS", "7S", "AH", "KH", "9H", "AD", "TD", "7C"],
        "1": ["AS", "KS", "QH", "8D", "9D", "QD", "KC", "9C"],
        "2": ["9S", "QS", "TH", "JH", "8H", "7H", "JD", "AC"],
        "3": ["JS", "8S", "7D", "KD", "QC", "JC", "TC", "8C"],
    }
    deal = {"hands": hands, "turnup": "JS"}
    found = settle(rules="brouc", start={"dealer": 3}, deals=[{"deal": deal, "steps": [{"play": ["0: TS KS"]}]}])
    fault = found["fault"]

    assert (fault["deal"], fault["step"], fault["code"]) == ("1", "s1.2", "must_beat")
    assert [slip.get("act") for slip in fault["meant"]] == [{"play": "AS"}, None]
    assert fault["meant"][1]["reading"] == {"key": "marriage_exception", "value": "potential"}


def test_a_deal_that_is_not_over_before_the_next(settle: Settle) -> None:
    """The next one cannot be dealt."""
    deals = [{"steps": [{"by": 0, "act": {"cut": 7}}]}, {"short": {"points": [60, 60]}}]
    found = settle(rules="brouc", start={"dealer": 1}, deals=deals)

    assert (found["fault"]["deal"], found["fault"]["step"]) == ("1", "written")
    assert found["fault"]["because"].startswith("the deal is not over")


def test_a_record_may_end_in_the_middle_of_a_deal(settle: Settle) -> None:
    """It is without fault and not complete."""
    found = settle(rules="brouc", start={"dealer": 1}, deals=[{"steps": [{"by": 0, "act": {"cut": 7}}]}])

    assert (found["fault"], found["complete"]) == (None, False)


@pytest.mark.parametrize(
    ("deal", "because"),
    [
        ({"hands": {"0": ["AS"]}}, "the hands: seat 0 has 1 cards"),
        ({"deck": ["AS"], "packets": [1, 3, 4]}, "the deck is no order of the pack"),
        ({"dealer": 2, "hands": {"0": ["AS"]}}, "dealer: 2 is written, the rules come to 1"),
    ],
)
def test_a_deal_that_cannot_be_dealt(settle: Settle, deal: dict[str, Any], because: str) -> None:
    """It says what is wrong with the cards, or with who deals."""
    found = settle(rules="brouc", start={"dealer": 1}, deals=[{"deal": deal}])

    assert found["fault"]["step"] == "deal"
    assert found["fault"]["because"].startswith(because)


def test_a_start_that_cannot_be(settle: Settle) -> None:
    """Accounts are multiples of ten."""
    fault = settle(rules="brouc", start={"accounts": [231, 0]}, deals=[{"short": {"points": [60, 60]}}])["fault"]

    assert (fault["deal"], fault["step"]) == ("", "start")
    assert "tens" in fault["because"]


# The command ----------------------------------------------------------------------


def ended(arguments: list[str]) -> int:
    """Return the exit code of a command, usage errors included."""
    try:
        return main(arguments)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else -1


@pytest.mark.parametrize(("points", "code"), [([75, 45], 0), ([75, 54], 1)])
def test_a_record_that_cannot_be_ends_with_one(
    written: Callable[..., Path], capsys: pytest.CaptureFixture[str], points: list[int], code: int
) -> None:
    """Whatever is found, the document has the shape of its schema."""
    path = written(rules="brouc", start={"dealer": 0}, deals=[{"short": {"points": points}}])
    assert ended(["score", "--json", "--lang", "de", str(path)]) == code
    document = json.loads(capsys.readouterr().out)
    assert [
        error.message for error in validator(root() / "schemas" / "settlement.schema.json").iter_errors(document)
    ] == []
    assert ended(["score", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "What brou score --json writes"


@pytest.mark.parametrize(
    ("members", "told"),
    [
        (
            {"rules": "brouc", "deals": [{"short": {"pionts": [75, 45]}}]},
            "unknown entry 'pionts'; entries are announced",
        ),
        ({"rules": "brouc", "deals": [{}]}, "record.yaml:1:"),
        ({"rules": "tarock", "deals": [{"short": {}}]}, "unknown game 'tarock'; known: brouc"),
        (
            {"rules": "brouc", "deals": [{"short": {"points": [60, 60]}, "count": {"scores": [1, 2]}}]},
            "count: no figure 'scores'; there are before",
        ),
        ({"rules": "brouc", "deals": [{"steps": [{"by": 0, "act": {"cut": 7, "lot": 1}}]}]}, "record.yaml:1:"),
    ],
)
def test_a_file_that_is_no_record_ends_with_two(
    written: Callable[..., Path], capsys: pytest.CaptureFixture[str], members: dict[str, Any], told: str
) -> None:
    """It says where and what instead."""
    assert ended(["score", str(written(**members))]) == 2
    assert told in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["score"], "name what to score, or --schema"),
        (["score", "/no/such.yaml"], "/no/such.yaml: no such file; name a record"),
        (["score", "--lang", "la", "x.yaml"], "unknown language 'la'; known: en, fr, de"),
    ],
)
def test_what_cannot_be_meant_ends_with_two(
    capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    """Bad input is answered with what is wrong and what there is instead."""
    assert ended(arguments) == 2
    assert told in " ".join(capsys.readouterr().err.split())
