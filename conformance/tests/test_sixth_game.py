"""A game of one's own: written from the documentation, kept outside the house, served like the games of the house."""

from __future__ import annotations

import json
import random
import re
import runpy
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from brou import Refusal, State, choose, rules
from brou.answers.explain_route import ActRoute, RouteAct, explain
from brou.check import check, find_schemas
from brou.language.export import export_rules
from brou.language.schema import validator
from brou.reasons.explanation import Question
from brou.shapes import write_object
from brou.words.documents import document_explanation
from brou.words.wording import Words
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.programs.in_process import Inside
from brou_conformance.programs.session import Session
from brou_conformance.reports.text import tell_report
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.script import machine
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import verify

DATA = Path(__file__).parent / "sixth"
SCENARIOS = Path(__file__).parent / "sixth-scenarios"
PAGE = Path(__file__).parents[2] / "docs" / "scenarios.md"
GAME = Path("games", "bower")
SEATS = range(4)
MATE = {"S": "C", "C": "S", "H": "D", "D": "H"}
HANDS = {
    "0": ["JH", "AH", "AS", "KS", "9C"],
    "1": ["JD", "TH", "QS", "AC", "QC"],
    "2": ["KH", "QH", "JS", "AD", "KC"],
    "3": ["TS", "9S", "KD", "QD", "JC"],
}
START = {"dealer": 3, "hands": HANDS, "turnup": "9H", "stock": ["TD", "9D", "TC"]}
ORDERED = (
    RouteAct("order", 0, {"order-up": "together"}),
    RouteAct("bury", 3, {"discard": "TS"}),
    RouteAct("lead", 0, {"play": "AH"}),
)
PASSED = tuple(RouteAct(f"pass-{number}", number % len(SEATS), {"pass": True}) for number in range(7))


def judged(data: Path, *, families: bool = False) -> tuple[EditionRun, str]:
    """Return what the suite says of the interpreter with rules from a folder, the scenarios being held to be right."""
    with Session(lambda: Inside(ReferenceEngine(choices(["bower"], data), data).answer)) as session:
        report = verify(session, Selection(corpus=SCENARIOS, data=DATA, families=families))
    (run,) = report.runs
    return run, tell_report(report)


def drawn(legal: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return one of the acts that are open."""
    name = chance.choice(list(legal))
    if name == "deal":
        deck = list(legal[name]["deck"]["order"])
        chance.shuffle(deck)
        return {name: {"deck": deck, "packets": chance.choice(legal[name]["packets"])}}
    return {name: chance.choice(legal[name])}


def belongs(card: str, trump: str) -> str:
    """Return the suit that a card counts in."""
    return trump if card == "J" + MATE[trump] else card[1]


def power(card: str, trump: str, led: str) -> int:
    """Return how high a card stands in a trick."""
    order = ["9", "T", "Q", "K", "A"] if belongs(card, trump) == trump else ["9", "T", "J", "Q", "K", "A"]
    if card[0] == "J" and belongs(card, trump) == trump:
        return 100 + (card[1] == trump)
    return order.index(card[0]) + (50 if belongs(card, trump) == trump else 1 if belongs(card, trump) == led else -50)


def followed(view: Mapping[str, Any], legal: Mapping[str, Any]) -> bool:
    """Say whether the cards that may be played are those that the rule of following suit leaves."""
    if "play" not in legal:
        return True
    lead = [laid["card"] for laid in view["trick"] if laid["seat"] == view["leader"]]
    suit = belongs(lead[0], view["trump"]) if lead else None
    following = [card for card in view["hand"] if belongs(card, view["trump"]) == suit]
    return bool(legal["play"] == (following or view["hand"]))


def taken(before: Mapping[str, Any], act: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Say whether the right player leads on, if this act was the last card of a trick."""
    players = 3 if before["alone"] else 4
    if "play" not in act or len(before["trick"]) + 1 < players:
        return True
    trick = {laid["seat"]: laid["card"] for laid in before["trick"]} | {before["turn"]: act["play"]}
    led = belongs(trick[before["leader"]], before["trump"])
    best = max(trick, key=lambda seat: power(trick[seat], before["trump"], led))
    return bool(after["last"] == best and after["leader"] in (best, None))


def paid(view: Mapping[str, Any], score: Mapping[str, Any]) -> list[int]:
    """Return what each side gains by a deal that is played out."""
    side = view["maker"] % 2
    tricks = score["tricks"][side]
    gain = {5: 4 if view["alone"] else 2, 4: 1, 3: 1}.get(tricks, -2)
    return [abs(gain) if (gain > 0) == (team == side) else 0 for team in (0, 1)]


def test_the_data_have_no_faults() -> None:
    """Chapters, readings, editions and scenarios cite nothing that is not there."""
    assert check(DATA) == []
    assert corpus.check(SCENARIOS, DATA) == []


@pytest.mark.parametrize("name", ["bower", "bower:half", "bower[last_word=stuck]"])
@pytest.mark.parametrize("seed", range(4))
def test_a_random_match_ends_and_keeps_its_promises(name: str, seed: int) -> None:
    """No invariant breaks; suit, tricks, points and the end are as a second reckoning has them."""
    play = machine(choose(name, DATA), DATA)
    chance = random.Random(seed)
    state = play.begin()
    accounts = [0, 0]
    while not play.over(state):
        open_to = [(seat, play.legal(state, seat)) for seat in SEATS]
        seat, legal = chance.choice([one for one in open_to if one[1]])
        act = drawn(legal, chance)
        before = play.view(state, seat)
        assert followed(before, legal)
        after = play.act(state, seat, act)
        assert isinstance(after, State)
        assert play.find_broken_invariants(after) == []
        assert taken(before, act, play.view(after, seat))
        if play.score(after)["accounts"] != accounts:
            gained = paid(play.view(after, seat), play.score(after))
            accounts = [old + new for old, new in zip(accounts, gained, strict=True)]
        assert play.score(after)["accounts"] == accounts
        state = after
    target = 5 if name.endswith("half") else 10
    assert max(accounts) >= target > min(accounts)
    assert play.score(state)["winner"] == accounts.index(max(accounts))


def test_a_stuck_dealer_never_loses_a_deal() -> None:
    """Under that reading the last pass is no choice, and the dealer has one all the same."""
    play = machine(choose("bower[last_word=stuck]", DATA), DATA)
    state = play.begin()
    deck = play.legal(state, 0)["deal"]["deck"]["order"]  # type: ignore[index, call-overload]
    state = _done(play.act(state, 0, {"deal": {"deck": deck, "packets": [3, 2]}}))
    for seat in (1, 2, 3, 0, 1, 2, 3):
        state = _done(play.act(state, seat, {"pass": True}))

    assert list(play.legal(state, 0)) == ["make"]


def _done(result: State | Refusal) -> State:
    assert isinstance(result, State)
    return result


@pytest.mark.slow
def test_the_interpreter_conforms_to_the_scenarios() -> None:
    """Through the protocol every scenario passes."""
    run, told = judged(DATA)

    assert run.verdict is EditionVerdict.FOLLOWS, told
    assert run.counts["pass"] == run.discovered == len(corpus.scenarios("bower", SCENARIOS))


# What the positions of all scenarios settle takes seven seconds to find; it guards that any game has its pairs.
@pytest.mark.thorough
def test_the_interpreter_answers_pairs_alike() -> None:
    """So does every pair that must be answered alike."""
    run, told = judged(DATA, families=True)

    assert run.verdict is EditionVerdict.FOLLOWS, told
    assert run.counts["pass"] == run.discovered
    assert "deals that a seat cannot tell apart" in told


@pytest.mark.sampled(6)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("chapter", "right", "wrong", "clause"),
    [
        ("40-play", "otherwise(trump, suit(c)) if left(c) else suit(c)", "suit(c)", "bower.left.01"),
        ("40-play", "right_rank: 8", "right_rank: 1", "bower.right.01"),
        ("50-score", "lone_march: 4", "lone_march: 2", "bower.march.02"),
        ("50-score", "enough: 3", "enough: 2", "bower.euchre.01"),
        ("40-play", ", seen: me == dealer", "", "bower.hidden.01"),
        (
            "30-trumps",
            'discarded: {in: "hand[p]"',
            'discarded: {in: "hand[p] - {c for c in pack if c == turned}"',
            "bower.discard.01",
        ),
    ],
)
def test_a_misreading_is_found(tmp_path: Path, *, chapter: str, right: str, wrong: str, clause: str) -> None:
    """A program with one rule wrong deviates, and the clause of that rule is among those blamed."""
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    path = tmp_path / GAME / f"{chapter}.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    run, told = judged(tmp_path)

    assert run.verdict is EditionVerdict.DEVIATES, told
    assert clause in [blame.clause for blame in run.blamed]


def explained_entry(route: ActRoute, question: Question) -> dict[str, Any]:
    """Return what is explained at the end of a route, as the document says it."""
    choice = choose("bower", DATA)
    found = explain(choice, route, question, DATA)
    document: dict[str, Any] = write_object(document_explanation(found, Words(rules(choice, DATA), "en", DATA)))
    (entry,) = document["entries"]
    return dict(entry)


def test_a_refusal_is_explained() -> None:
    """The code, the duty that binds and the clauses are told, in the words of the phrases."""
    question = Question("act", 1, {"play": "QS"})
    entry = explained_entry(ActRoute(START, ORDERED), question)

    assert (entry["allowed"], entry["code"], entry["rows"][-1]["row"]) == (False, "must_follow", "follow_01")
    assert "the card is of the suit led: no" in entry["because"]
    assert [clause["id"] for clause in entry["clauses"]] == ["bower.follow.01", "bower.left.01", "bower.play.01"]


def test_the_left_bower_is_explained() -> None:
    """It may be played to a trump, for it is of the suit led, whatever suit is printed on it."""
    question = Question("act", 1, {"play": "JD"})
    entry = explained_entry(ActRoute(START, ORDERED), question)
    duty = entry["rows"][0]

    assert entry["allowed"] is True
    assert (duty["row"], duty["holds"], duty["because"]) == ("follow_01", False, "the card is of the suit led")


def test_another_reading_is_told() -> None:
    """Beside the dealer's last pass stands the reading under which it is refused."""
    question = Question("act", 3, {"pass": True})
    entry = explained_entry(ActRoute(START, PASSED), question)

    assert entry["allowed"] is True
    assert "stuck" in json.dumps(entry["readings"])


def test_the_rules_are_exported() -> None:
    """The typed rules have the shape of their schema, and readings and set-ups make other rules."""
    names = ["bower", "bower:half", "bower[last_word=stuck]"]
    documents = [export_rules(rules(name, DATA)) for name in names]

    for document in documents:
        assert validator(find_schemas() / "ir.schema.json").is_valid(document)
    assert len({document["hash"] for document in documents}) == len(names)


def _fenced(language: str) -> list[str]:
    text = PAGE.read_text("utf-8")
    found = re.findall(rf"^```{{code-block}} {language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [block.strip("\n") for block in found]


def test_the_scenarios_of_the_page_are_some_of_these() -> None:
    """What the documentation shows of a scenario and of its translation stands in a file as it is shown there."""
    files = [path.read_text(encoding="utf-8") for path in sorted((SCENARIOS / "bower").glob("*.yaml"))]
    blocks = _fenced("yaml")

    assert len(blocks) == 2
    assert all(any(block in file for file in files) for block in blocks)


def test_the_program_of_the_page_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the documentation does with a folder of one's own finds no fault, exports and verifies."""
    program = next(block for block in _fenced("python") if "verify" in block)
    (tmp_path / "own.py").write_text(program, encoding="utf-8")
    monkeypatch.chdir(Path(__file__).parent)
    found = runpy.run_path(str(tmp_path / "own.py"))

    assert found["faults"] == []
    assert found["exported"] == export_rules(rules("bower:half", DATA))
    assert [run.verdict for run in found["report"].runs] == [EditionVerdict.FOLLOWS]
