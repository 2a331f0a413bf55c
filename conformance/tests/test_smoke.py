"""The smoke test: faults of adapters, each planted into the Python program of the adapters, and sound programs.

A fault is a function between the protocol and the program: it changes what the program hears, what it tells, or both.
The rules behind it are right, so that whatever is told of them would be wrong.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest

from brou import Unknown
from brou.shapes import write_object
from brou.words.glossary import glossary
from brou_conformance.judging.judge import Status
from brou_conformance.programs.child import Child, Failure
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.programs.in_process import Inside
from brou_conformance.programs.session import Limits
from brou_conformance.protocol import Message, fault
from brou_conformance.reports.sentences import Sentences
from brou_conformance.smoke.adapter import Wanted, smoke
from brou_conformance.smoke.findings import AdapterCheck, ProtocolPassage, Smoke
from brou_conformance.smoke.hint import fails_from_the_start
from brou_conformance.smoke.report import summary
from brou_conformance.smoke.translatable import count, join, known_sentences, name_check, say, tell

ROOM = Path(__file__).resolve().parents[1]
PYTHON = ROOM / "adapters" / "python"
SEATS = 4
BROUC = Wanted("brouc")

Fault: TypeAlias = Callable[[Message, Callable[[Message], Message]], "Message | Failure"]


def honest(request: Message) -> Message:
    """Return the answer of the Python program of the adapters."""
    if str(PYTHON) not in sys.path:
        sys.path.insert(0, str(PYTHON))
    program = import_module("adapter")
    said, _ = program.answer(json.dumps(request).encode(), program.Tables(program.Brouc, program.HommeDeBrou))
    return json.loads(json.dumps(said))  # type: ignore[no-any-return]


def examine(planted: Fault, wanted: Wanted = BROUC) -> Smoke:
    """Return what is found of the program behind a fault."""
    return smoke(lambda: Inside(lambda request: planted(request, honest)), wanted=wanted)


# What faults are made of ----------------------------------------------------------------------------------------


def reworded(value: Any, word: Callable[[str], str]) -> Any:
    """Return a value with every card and suit in it written otherwise."""
    if isinstance(value, dict):
        return {key: reworded(item, word) for key, item in value.items()}
    if isinstance(value, list):
        return [reworded(item, word) for item in value]
    return word(value) if isinstance(value, str) and re.fullmatch(r"[AKQJT987][SHDC]|[SHDC]", value) else value


def scripted(request: Message) -> bool:
    """Say whether a request is a script."""
    return bool(request["op"] == "run")


def told(change: Callable[[Message], Message]) -> Fault:
    """Return a fault on the way out of a script."""
    return lambda request, answer: (
        {**reply, "results": [change(result) for result in reply["results"]]}
        if "results" in (reply := answer(request))
        else reply
    )


def heard(change: Callable[[Message], Message]) -> Fault:
    """Return a fault on the way in of a script."""
    return lambda request, answer: answer(change(request) if scripted(request) else request)


def said(**words: Any) -> Fault:
    """Return a fault of the greeting."""
    return lambda request, answer: {**answer(request), **(words if request["op"] == "hello" else {})}


def both(inward: Fault, outward: Fault) -> Fault:
    """Return two faults, one for each way."""
    return lambda request, answer: outward(request, lambda asked: inward(asked, answer))  # type: ignore[return-value,arg-type]


def seated(value: Any, seat: Callable[[int], int]) -> Any:
    """Return a message with all its seats changed: those of steps, starts and views."""
    if isinstance(value, list):
        return [seated(item, seat) for item in value]
    if not isinstance(value, dict):
        return value
    changed = {key: seated(item, seat) for key, item in value.items()}
    for key in ("by", "legal", "view", "dealer", "turn", "leader", "winner", "seat"):
        if type(value.get(key)) is int:
            changed[key] = seat(value[key])
    if isinstance(value.get("hands"), dict):
        changed["hands"] = {str(seat(int(key))): hand for key, hand in value["hands"].items()}
    return changed


def paired(value: Any, pair: Callable[[list[int]], list[Any]], keys: tuple[str, ...] = ()) -> Any:
    """Return a message with the figures of both teams changed."""
    if isinstance(value, list):
        return [paired(item, pair, keys) for item in value]
    if not isinstance(value, dict):
        return value
    named = keys or ("accounts", "coches", "carry", "before", "won", "points")
    return {key: pair(item) if key in named else paired(item, pair, keys) for key, item in value.items()}


def dealing(order: Callable[[list[str], int], dict[str, list[str]]]) -> Fault:
    """Return a program that takes no hands, but deals the pack in an order of its own."""

    def dealt(request: Message) -> Message:
        start = request.get("start", {})
        if "deck" not in start:
            return request
        hands = order(start["deck"], start["dealer"])
        own = hands[str(start["dealer"])]
        return {**request, "start": {"dealer": start["dealer"], "hands": hands, "turnup": own[-1]}}

    return heard(dealt)


def round_the_table(deck: list[str], dealer: int, packets: tuple[int, ...]) -> dict[str, list[str]]:
    """Return the hands that a pack gives, the first card dealt first, to the dealer's right-hand neighbour."""
    waiting = deque(deck)
    hands: dict[str, list[str]] = {str(seat): [] for seat in range(SEATS)}
    for packet in packets:
        for place in range(SEATS):
            hands[str((dealer + 1 + place) % SEATS)] += [waiting.popleft() for _ in range(packet)]
    return hands


def letters(one: str, other: str) -> Callable[[str], str]:
    """Return what exchanges two letters."""
    return lambda card: card.translate(str.maketrans(one + other, other + one))


def expecting(word: Callable[[str], str]) -> Fault:
    """Return a program that knows cards in another notation alone, and tells them so."""

    def planted(request: Message, answer: Callable[[Message], Message]) -> Message:
        known = json.loads(json.dumps(request))
        start = known.get("start", {})
        proper = {word(rank + suit): rank + suit for rank in "AKQJT987" for suit in "SHDC"}
        if "hands" in start:
            if any(card not in proper for card in start["deck"]):
                return {"id": request["id"], "ok": False, "error": "no such card"}
            known = renamed(known, proper)
        return answer(known)

    return planted


def renamed(value: Any, words: dict[str, str]) -> Any:
    """Return a value with some words exchanged."""
    if isinstance(value, dict):
        return {key: renamed(item, words) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, words) for item in value]
    return words.get(value, value) if isinstance(value, str) else value


# The faults -----------------------------------------------------------------------------------------------------


def without_id(request: Message, answer: Callable[[Message], Message]) -> Message:
    """The id of a script does not come back."""
    reply = answer(request)
    return {key: value for key, value in reply.items() if key != "id"} if scripted(request) else reply


def text_for_id(request: Message, answer: Callable[[Message], Message]) -> Message:
    """The id comes back as a text."""
    reply = answer(request)
    return {**reply, "id": str(reply["id"])}


def without_acts(request: Message, answer: Callable[[Message], Message]) -> Message:
    """Acts have no result."""
    reply = answer(request)
    if not scripted(request):
        return reply
    pairs = zip(request["steps"], reply["results"], strict=True)
    return {**reply, "results": [result for step, result in pairs if "act" not in step]}


def remembering() -> Fault:
    """A table that outlives its script: once cards are dealt, they stay."""
    kept: dict[str, Any] = {}

    def planted(request: Message, answer: Callable[[Message], Message]) -> Message:
        if not scripted(request):
            return answer(request)
        if "hands" in request.get("start", {}):
            kept.setdefault("start", request["start"])
        return answer({**request, **kept})

    return planted


def seat_of_leader(request: Message, answer: Callable[[Message], Message]) -> Message:
    """Everybody is shown the hand of seat 2."""
    if not scripted(request):
        return answer(request)
    other = [{"view": 2} if "view" in step else step for step in request["steps"]]
    return answer({**request, "steps": other})


def dealer_begins(request: Message, answer: Callable[[Message], Message]) -> Message:
    """The table is made with the dealer as the first to play."""
    start = request.get("start", {})
    if "hands" not in start:
        return answer(request)
    before = (start["dealer"] - 1) % SEATS
    other = {**start, "dealer": before, "turnup": start["hands"][str(before)][0]}
    other |= {"deck": None, "hands": start["hands"]}
    reply = answer({**request, "start": {key: value for key, value in other.items() if value is not None}})
    results = [
        {"view": {**result["view"], "dealer": start["dealer"], "trump": start["turnup"][1]}}
        if "view" in result
        else result
        for result in reply.get("results", [])
    ]
    return {**reply, "results": results}


def by_seat(pair: list[int]) -> list[int]:
    """The figures of two teams, one for each seat."""
    return [pair[seat % 2] for seat in range(SEATS)]


def without_codes(result: Message) -> Message:
    """A refusal without its reason."""
    return {"no": True} if "no" in result else result


def skipping(verb: str) -> Fault:
    """A kind of step that is never answered."""

    def planted(request: Message, answer: Callable[[Message], Message]) -> Message:
        reply = answer(request)
        if not scripted(request):
            return reply
        pairs = zip(request["steps"], reply["results"], strict=True)
        return {**reply, "results": [{"skip": "not yet"} if verb in step else result for step, result in pairs]}

    return planted


def skipping_act(name: str) -> Fault:
    """An act that is not known."""

    def planted(request: Message, answer: Callable[[Message], Message]) -> Message:
        reply = answer(request)
        if not scripted(request):
            return reply
        pairs = zip(request["steps"], reply["results"], strict=True)
        return {
            **reply,
            "results": [{"skip": "unknown"} if name in step.get("act", {}) else result for step, result in pairs],
        }

    return planted


def strict(request: Message, answer: Callable[[Message], Message]) -> Message:
    """Requests with unknown keys are refused."""
    if "unknown" in request:
        return {"id": request["id"], "ok": False, "error": "unknown key"}
    return answer(request)


def whole_hand(request: Message, answer: Callable[[Message], Message]) -> Message:
    """What may be played is told as the whole hand."""
    reply = answer(request)
    if not scripted(request):
        return reply
    results = []
    for number, (step, result) in enumerate(zip(request["steps"], reply["results"], strict=True)):
        if "legal" in step and result["legal"].get("play"):
            looked = {**request, "steps": [*request["steps"][:number], {"view": step["legal"]}]}
            result = {"legal": {**result["legal"], "play": answer(looked)["results"][-1]["view"]["hand"]}}  # noqa: PLW2901
        results.append(result)
    return {**reply, "results": results}


def from_one(request: Message, answer: Callable[[Message], Message]) -> Message:
    """Seats are known from 1 to 4 alone."""
    if scripted(request) and not all(
        1 <= step[key] <= SEATS for step in request["steps"] for key in ("by", "legal", "view") if key in step
    ):
        return {"id": request["id"], "ok": False, "error": "no such seat"}
    return answer(seated(request, lambda seat: seat - 1))


FAULTS: dict[str, tuple[Fault, AdapterCheck, str]] = {
    "no id": (without_id, AdapterCheck.ECHO, "does not repeat the id"),
    "id as text": (text_for_id, AdapterCheck.ECHO, "another kind of value"),
    "no results of acts": (without_acts, AdapterCheck.ECHO, "Acts have no result"),
    "a table that survives": (remembering(), AdapterCheck.ECHO, "survives"),
    "unknown keys": (strict, AdapterCheck.ECHO, "unknown key"),
    "misspelt game": (
        said(plays=[{"game": "brouk", "editions": ["2022"], "setups": ["4"]}]),
        AdapterCheck.HELLO,
        "Did you mean 'brouc'?",
    ),
    "misspelt act": (said(acts=["play", "anounce"]), AdapterCheck.HELLO, "Did you mean 'announce'?"),
    "impossible reading": (
        said(readings={"brouc@2022": {"marking": "whenever"}}),
        AdapterCheck.HELLO,
        "cannot be followed",
    ),
    "view not there": (skipping("view"), AdapterCheck.ABILITIES, "`can` names `view`"),
    "score not there": (skipping("score"), AdapterCheck.ABILITIES, "`can` names `score`"),
    "act not there": (skipping_act("announce"), AdapterCheck.ABILITIES, "does not know the act `announce`"),
    "codes not there": (told(without_codes), AdapterCheck.ABILITIES, "`can` names `codes`"),
    "suit first": (
        told(lambda result: reworded(result, lambda word: word[::-1])),
        AdapterCheck.CARDS,
        "suit before rank",
    ),
    "two digits": (
        told(lambda result: reworded(result, lambda word: word.replace("T", "10"))),
        AdapterCheck.CARDS,
        "numbers of two digits",
    ),
    "suits exchanged on the way out": (
        told(lambda result: reworded(result, letters("H", "D"))),
        AdapterCheck.CARDS,
        "D for H H for D) on one way",
    ),
    "suits exchanged on the way in": (
        heard(lambda request: reworded(request, letters("S", "C"))),
        AdapterCheck.CARDS,
        "on one way, in or out",
    ),
    "ranks exchanged on the way in": (
        heard(lambda request: reworded(request, letters("Q", "J"))),
        AdapterCheck.CARDS,
        "on one way, in or out",
    ),
    "suit first expected": (expecting(lambda word: word[::-1]), AdapterCheck.CARDS, "suit before rank"),
    "two digits expected": (
        expecting(lambda word: word.replace("T", "10")),
        AdapterCheck.CARDS,
        "numbers of two digits",
    ),
    "small letters expected": (expecting(str.lower), AdapterCheck.CARDS, "small letters"),
    "turned the other way": (
        both(
            heard(lambda request: seated({**request, "start": undealt(request)}, lambda seat: -seat % SEATS)),
            told(lambda result: seated(result, lambda seat: -seat % SEATS)),
        ),
        AdapterCheck.SEATS,
        "the wrong way",
    ),
    "seats told from 1": (
        told(lambda result: seated(result, lambda seat: seat + 1)),
        AdapterCheck.SEATS,
        "from 1 to n",
    ),
    "seats expected from 1": (from_one, AdapterCheck.SEATS, "expects seats from 1"),
    "seats taken from 1": (
        heard(lambda request: seated({**request, "start": undealt(request)}, lambda seat: (seat - 1) % SEATS)),
        AdapterCheck.SEATS,
        "comes back as seat s - 1",
    ),
    "the dealer begins": (dealer_begins, AdapterCheck.SEATS, "The dealer is taken for the leader"),
    "one hand for all": (seat_of_leader, AdapterCheck.SEATS, "hand of seat 2"),
    "last card first": (
        dealing(lambda deck, dealer: round_the_table(deck[::-1], dealer, (1, 3, 4))),
        AdapterCheck.DEALING,
        "The last card of the pack",
    ),
    "packets not heeded": (
        dealing(lambda deck, dealer: round_the_table(deck, dealer, (1,) * 8)),
        AdapterCheck.DEALING,
        "one by one",
    ),
    "dealer first": (
        dealing(lambda deck, dealer: round_the_table(deck, (dealer - 1) % SEATS, (1, 3, 4))),
        AdapterCheck.DEALING,
        "dealer is dealt to first",
    ),
    "teams exchanged on the way out": (
        told(lambda result: paired(result, lambda pair: pair[::-1])),
        AdapterCheck.TEAMS,
        "are told in another order",
    ),
    "teams exchanged on the way in": (
        heard(lambda request: paired(request, lambda pair: pair[::-1])),
        AdapterCheck.TEAMS,
        "in another order",
    ),
    "accounts by seat": (
        told(lambda result: paired(result, by_seat, ("accounts", "before"))),
        AdapterCheck.TEAMS,
        "seat by seat",
    ),
    "ten times": (
        told(lambda result: paired(result, lambda pair: [10 * one for one in pair], ("accounts", "before"))),
        AdapterCheck.UNITS,
        "multiplied by ten",
    ),
    "a tenth": (
        told(lambda result: paired(result, lambda pair: [one // 10 for one in pair], ("accounts", "before"))),
        AdapterCheck.UNITS,
        "divided by ten",
    ),
    "figures as text": (
        told(lambda result: paired(result, lambda pair: [str(one) for one in pair], ("accounts",))),
        AdapterCheck.UNITS,
        "told as text",
    ),
    "nothing taken over": (
        heard(lambda request: {**request, "start": bare(request)}),
        AdapterCheck.UNITS,
        "not taken over",
    ),
    "offers what it refuses": (whole_hand, AdapterCheck.WHOLE_DEAL, "What `legal` offers is refused"),
}


def undealt(request: Message) -> Message:
    """The start of a script, its deal by hands alone."""
    return {key: value for key, value in request.get("start", {}).items() if key not in ("deck", "packets")}


def bare(request: Message) -> Message:
    """The start of a script without what is written before the deal."""
    return {key: value for key, value in request.get("start", {}).items() if key not in ("accounts", "coches", "carry")}


@pytest.mark.sampled(6)
@pytest.mark.slow
@pytest.mark.parametrize(("planted", "check", "cause"), FAULTS.values(), ids=FAULTS)
def test_a_fault_of_the_adapter_is_told_first(planted: Fault, check: AdapterCheck, cause: str) -> None:
    """The first fault that is told is the one planted, under its check."""
    found = examine(planted, Wanted() if check is AdapterCheck.HELLO else BROUC)

    assert found.faults
    assert (found.faults[0].check, cause in found.faults[0].cause) == (check, True), found.faults[0]


def test_a_fault_of_the_adapter_is_never_told_as_one_of_rules() -> None:
    """What follows from a fault is not told beside it as an answer that the rules do not have."""
    found = examine(FAULTS["turned the other way"][0])

    assert [one.check for one in found.findings] == [AdapterCheck.SEATS]


def test_two_faults_are_both_told() -> None:
    """Figures in other units do not hide that seats are told from 1."""
    found = examine(both(FAULTS["seats told from 1"][0], FAULTS["ten times"][0]))

    assert {AdapterCheck.SEATS, AdapterCheck.UNITS} <= {one.check for one in found.faults}


def _begin(planted: Fault) -> Callable[[Message], Message | Failure]:
    return lambda request: planted(request, honest)


def test_what_survives_is_told_though_all_else_is_right() -> None:
    """A program that answers the second script alone wrongly has no other fault."""
    found = smoke(lambda: Inside(_begin(remembering())), wanted=BROUC)

    assert [one.check for one in found.faults] == [AdapterCheck.ECHO]


# Faults of the wire -----------------------------------------------------------------------------------------------

PROXY = """
import json, sys
sys.path.insert(0, {folder!r})
from adapter import Brouc, HommeDeBrou, Tables, answer
tables = Tables(Brouc, HommeDeBrou)
for line in sys.stdin.buffer:
    request, said = json.loads(line), answer(line, tables)[0]
    script = request["op"] == "run"
    {does}
"""
WIRED = {
    "words among the replies": (
        'print("dealing ..." if script else json.dumps(said), flush=True)',
        "Something other than a reply",
    ),
    "several lines": (
        "print(json.dumps(said, indent=2 if script else None), flush=True)",
        "Something other than a reply",
    ),
    "a fraction": (
        'print(json.dumps(said).replace("230", "23.5").replace(\'"before": [\', \'"before": [0.5, \'), flush=True)',
        "A number is written with a fraction",
    ),
    "silence": ("script or print(json.dumps(said), flush=True)", "No reply comes in time"),
    "an end": ("print(json.dumps(said), flush=True) if not script else sys.exit(1)", "The program ends"),
    "no greeting": ("sys.exit('no such option')", "The program ends"),
}


def through(does: str) -> Smoke:
    """Return what is found of the program behind a proxy in a process of its own."""
    command = [sys.executable, "-c", PROXY.format(folder=str(PYTHON), does=does)]
    return smoke(lambda: Child.start(command), Limits(request=2, farewell=0.5), BROUC)


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(("does", "cause"), WIRED.values(), ids=WIRED)
def test_a_fault_of_the_wire_is_told_first(does: str, cause: str) -> None:
    """The way in which replies are written is told before anything that they say."""
    found = through(does)

    assert found.faults
    assert (found.faults[0].check, cause in found.faults[0].cause) == (AdapterCheck.ECHO, True), found.faults[0]


class Hasty:
    """A program that answers the newest request first."""

    def __init__(self) -> None:
        self.asked: list[Message] = []

    def send(self, message: Message) -> None:
        """Keep it."""
        self.asked.append(message)

    def receive(self, seconds: float) -> Message | Failure:  # noqa: ARG002 - as every player
        """Answer the newest."""
        return honest(self.asked.pop())

    def close(self) -> None:
        """Forget what was asked."""
        self.asked.clear()


def test_replies_in_another_order_are_told() -> None:
    """Asked one by one all is well; asked at once, replies come in another order."""
    found = smoke(Hasty, wanted=BROUC)

    assert [(one.check, "`max_in_flight`" in one.cause) for one in found.faults] == [(AdapterCheck.ECHO, True)]


# Sound programs ---------------------------------------------------------------------------------------------------

ADAPTERS = ROOM / "adapters"
NODE = shutil.which("node")
SOUND = {
    "python": [sys.executable, str(PYTHON / "adapter.py")],
    "another reading": [sys.executable, str(PYTHON / "misread" / "adapter.py")],
    "cards only": [sys.executable, str(ADAPTERS / "cards-only" / "adapter.py")],
    "a game object": [sys.executable, str(ADAPTERS / "game-object" / "adapter.py")],
}


@pytest.mark.parametrize("command", SOUND.values(), ids=SOUND)
def test_a_sound_adapter_has_no_finding(command: list[str]) -> None:
    """Nothing is said against the example programs, however little they can."""
    found = smoke(lambda: Child.start(command))

    assert (found.findings, found.unusable) == ((), False)
    assert all(one.asked for one in found.examinations)


# All games take six seconds; it guards that smoke accuses nobody of what a game other than the Brou games has.
@pytest.mark.thorough
def test_a_sound_adapter_of_all_games_has_no_finding() -> None:
    """Nothing is said against the program that plays every game in all set-ups."""
    if NODE is None:
        pytest.skip("node is not installed")
    found = smoke(lambda: Child.start([NODE, str(ADAPTERS / "javascript" / "adapter.mjs")]))

    assert found.findings == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "games", [["brouc"], pytest.param([], marks=pytest.mark.thorough)], ids=["one game", "all games"]
)
def test_the_reference_has_no_finding(games: list[str]) -> None:
    """Nothing is said against the interpreter that speaks the protocol."""
    found = smoke(lambda: Inside(ReferenceEngine(choices(games)).answer))

    assert found.findings == ()
    assert {check for one in found.examinations for check in one.asked} >= set(AdapterCheck) - {
        AdapterCheck.HELLO,
        AdapterCheck.RULES,
    }


# The compiler takes its time; it guards that nothing hangs on the language of a program, as the test above does.
@pytest.mark.thorough
def test_a_sound_program_in_java_has_no_finding(tmp_path: Path) -> None:
    """Nothing is said against the Java program."""
    java, javac = shutil.which("java"), shutil.which("javac")
    if java is None or javac is None:
        pytest.skip("java is not installed")
    files = [str(path) for path in sorted((ADAPTERS / "java").glob("*.java"))]
    subprocess.run([javac, "-d", str(tmp_path), *files], check=True)
    found = smoke(lambda: Child.start([java, "-cp", str(tmp_path), "Adapter"]))

    assert found.findings == ()


MISREAD = sorted(path for path in (ROOM / "zoo").glob("*/*.py") if path.stem != "twin")


@pytest.mark.sampled(6)
@pytest.mark.slow
@pytest.mark.parametrize("path", MISREAD, ids=lambda path: path.stem)
def test_a_misread_rule_is_no_fault_of_the_adapter(path: Path) -> None:
    """Programs with one misreading each have sound adapters, and at most a remark that points to their rules."""
    found = smoke(lambda: Child.start([sys.executable, str(path)]))

    assert found.faults == ()
    assert {one.check for one in found.remarks} <= {AdapterCheck.RULES}


# What can be asked ------------------------------------------------------------------------------------------------


def test_a_program_that_only_matches_is_asked_from_the_draw() -> None:
    """Without `deal` a match from its beginning is asked; that a deal cannot be given is said."""
    can = ["match", "view", "score", "winner", "offturn"]
    found = examine(said(can=can))

    assert found.faults == ()
    assert found.examinations[0].asked[AdapterCheck.CARDS] > 0
    assert "deal" in found.examinations[0].unasked[AdapterCheck.WHOLE_DEAL]


def test_a_program_that_can_nothing_is_unsound() -> None:
    """Who can neither deal nor match nor take a position cannot be asked anything."""
    found = examine(said(can=["view"]))

    assert "neither `deal` nor `match`" in found.faults[0].cause
    assert found.examinations[0].unasked


def test_what_is_not_declared_and_there_is_a_remark() -> None:
    """A program that answers `score` without declaring it is sound, and told that it could be judged by more."""
    found = examine(said(can=["deal", "match", "view", "codes", "offturn"]))

    assert found.faults == ()
    assert {"`score`" in one.cause or "`winner`" in one.cause for one in found.remarks} == {True}


def test_an_edition_that_is_not_declared_is_refused() -> None:
    """What the program does not say it plays is not examined."""
    with pytest.raises(Unknown, match="hombre"):
        examine(said(), Wanted("hombre"))


# Telling ----------------------------------------------------------------------------------------------------------


def test_the_document_has_the_shape_of_its_schema() -> None:
    """Findings, remarks and what was asked are written as the schema says."""
    for planted in (said(), FAULTS["ten times"][0], FAULTS["misspelt act"][0], said(can=["view"])):
        assert fault("smoke", write_object(examine(planted).report())) is None


@pytest.mark.parametrize("width", [40, 80])
def test_the_text_keeps_to_its_width(width: int) -> None:
    """The report fits the page, and tells cause, question, both answers and the protocol."""
    text = summary(examine(FAULTS["ten times"][0]), width)

    assert max(map(len, text.splitlines())) <= width
    for word in ("1. units:", "asked:", "came:", "wanted:", "protocol:"):
        assert word in text


def test_a_name_cannot_move_the_cursor() -> None:
    """What the program calls itself is told without signs that a terminal would obey."""
    assert "\x1b" not in summary(examine(said(engine={"name": "\x1b[2Jsound"})), 80)


HOSTILE = {
    "view": {"hand": {"a": [[1]]}, "turn": [{}], "trick": {"x": 1}, "accounts": "a", "markers": [[{"team": [9]}]]},
    "legal": {"play": [{"q": 1}, None, 5]},
    "score": {"accounts": [{}], "before": {"1": 2}},
}


def test_values_of_no_type_are_a_finding() -> None:
    """A program whose views and scores hold anything at all is not sound, and nothing breaks over it."""
    found = examine(told(lambda result: {key: HOSTILE.get(key, value) for key, value in result.items()}))

    assert found.faults


def test_passages_stand_in_the_protocol() -> None:
    """Every sentence that is cited stands in PROTOCOL.md, word for word."""
    text = " ".join((ROOM / "PROTOCOL.md").read_text(encoding="utf-8").split())

    assert [passage.value for passage in ProtocolPassage if passage.value not in text] == []


def statuses(*given: str) -> Any:
    """Return a run whose cases have these statuses."""
    others = [
        SimpleNamespace(number=number, status=Status(status)) for number, status in enumerate(given) if status != "pass"
    ]
    return SimpleNamespace(outcomes=others, tally=SimpleNamespace(total=len(given)))


def test_where_all_first_cases_fail_the_adapter_is_suspected() -> None:
    """What could not be asked is left aside."""
    assert fails_from_the_start(statuses("unsupported", *["fail", "crash"] * 5, "pass"))


@pytest.mark.parametrize("given", [["fail"] * 9, ["pass", *["fail"] * 20], ["unsupported"] * 20, []])
def test_where_something_passes_nothing_is_said(given: list[str]) -> None:
    """Few cases, or one that passes, say nothing of the adapter."""
    assert not fails_from_the_start(statuses(*given))


# In other languages -----------------------------------------------------------------------------------------------

LANGUAGES = set(glossary().languages)
PART = re.compile(r"(?<!\{)\{([a-z]+)\}")


def test_every_sentence_is_there_in_every_language() -> None:
    """Sentences, names of checks and nouns; none is left in English."""
    entries = {
        f"{group}.{name}": entry
        for group, node in known_sentences().items()
        if group != "format"
        for name, entry in node.fields.items()
    }

    assert entries
    assert [name for name, entry in entries.items() if set(entry.fields) != LANGUAGES] == []


def test_translations_take_the_same_parts() -> None:
    """Nothing is lost or made up in a language, and braces that stay are doubled."""
    for name, entry in known_sentences()["sentences"].fields.items():
        parts = [set(PART.findall(text.text)) for text in entry.fields.values()]
        filled = [text.text.format(**dict.fromkeys(parts[0], "x")) for text in entry.fields.values()]
        assert parts == [parts[0]] * len(LANGUAGES), name
        assert all(filled), name


def test_nouns_have_two_forms() -> None:
    """One for one, one for several."""
    nouns = known_sentences()["nouns"].fields.values()

    assert {len(forms.items) for entry in nouns for forms in entry.fields.values()} == {2}


def test_checks_have_names() -> None:
    """Each that there is, and in English its own."""
    assert {name_check(check.value, Sentences()) for check in AdapterCheck} == {check.value for check in AdapterCheck}
    assert known_sentences()["checks"].fields.keys() == {check.value for check in AdapterCheck}


def test_no_sentence_is_idle() -> None:
    """Each is said somewhere in the smoke test."""
    room = ROOM / "brou_conformance" / "smoke"
    texts = {
        node.value
        for path in room.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }

    assert sorted(known_sentences()["sentences"].fields.keys() - texts) == []


@pytest.mark.parametrize(
    ("lang", "numbers"),
    [
        ("en", ["0 acts", "1 act", "2 acts"]),
        ("fr", ["0 action", "1 action", "2 actions"]),
        ("de", ["0 Handlungen", "1 Handlung", "2 Handlungen"]),
    ],
)
def test_numbers_go_with_their_nouns(lang: str, numbers: list[str]) -> None:
    """As the language has it."""
    assert [tell(count(number, "act"), Sentences(lang)) for number in range(3)] == numbers


def test_a_sentence_is_english_by_itself() -> None:
    """It can be compared, looked through and written down, and is told in a language with all its parts."""
    wrong = join("; ", [say("last_card_first"), say("dealer_first")], is_capital=True)
    said_ = say("dealt_so", wrong=wrong)

    assert said_.startswith("The last card of the pack is dealt first; the dealer is dealt to first. The hands that")
    assert tell(said_, Sentences("de")).startswith(
        "Die letzte Karte des Kartenspiels wird als erste gegeben; der Geber bekommt"
    )
    assert tell("a text of a program", Sentences("de")) == "a text of a program"


@pytest.mark.parametrize(
    ("lang", "head"),
    [
        ("en", "1. units: Numbers that were written before the deal are multiplied by ten."),
        ("fr", "1. unités\N{NO-BREAK SPACE}: Les nombres inscrits avant le coup sont multipliés par dix."),
        ("de", "1. Einheiten: Zahlen, die vor dem Spiel angeschrieben waren, sind verzehnfacht."),
    ],
)
def test_findings_are_told_in_a_language(lang: str, head: str) -> None:
    """All but what the program said and what is quoted of the protocol."""
    found = examine(FAULTS["ten times"][0])
    text = summary(found, 500, Sentences(lang))
    english = {line.strip() for line in summary(found, 500).splitlines()}
    same = [line for line in map(str.strip, text.splitlines()) if line and line in english]

    assert head in text.splitlines()
    assert lang == "en" or same == []


@pytest.mark.slow
def test_why_there_is_no_answer_is_told_in_a_language() -> None:
    """As the verdict tells it."""
    found = through(WIRED["an end"][0])

    assert "es hat sich beendet (Rückgabewert 1)" in summary(found, 200, Sentences("de"))


@pytest.mark.parametrize("name", ["ten times", "seats told from 1", "packets not heeded", "view not there", "no id"])
def test_the_document_is_the_same_in_every_language(name: str) -> None:
    """It holds English, as records do, whatever was told before."""
    found = examine(FAULTS[name][0])
    before = json.dumps(write_object(found.report()))
    summary(found, 80, Sentences("fr"))

    assert json.dumps(write_object(found.report())) == before
    told: Any = write_object(found.report())
    assert all(type(one[key]) is str for one in told["findings"] for key in ("cause", "asked", "came"))
