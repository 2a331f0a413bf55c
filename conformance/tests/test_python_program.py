"""The Python program of the adapters, spoken to over its pipes; every expectation is worked out by hand.

In the laid-out deals each suit falls in two tricks of one suit, so that the points of the two teams can be read off
the table of shares; seat 0 wins for team 0, seat 1 for team 1, the dealer is seat 3 and spades are trump.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ADAPTER = Path(__file__).resolve().parents[1] / "adapters" / "python" / "adapter.py"
MISREAD = ADAPTER.parent / "misread" / "adapter.py"
PACK = [rank + suit for suit in "SHDC" for rank in "AKQJT987"]

Json = dict[str, Any]

SHARES: dict[int, tuple[list[str], list[str]]] = {
    30: (["AK98", "TQJ7"], []),
    27: (["ATKJ"], ["Q987"]),
    26: (["ATQJ"], ["K987"]),
    25: (["ATK9"], ["QJ87"]),
    24: (["ATQ9"], ["KJ87"]),
    17: (["AKJ9"], ["TQ87"]),
    16: (["AQJ9"], ["TK87"]),
    15: (["AK98"], ["TQJ7"]),
    14: (["AQ98"], ["TKJ7"]),
    6: (["KJ87"], ["ATQ9"]),
    5: (["QJ87"], ["ATK9"]),
    4: (["K987"], ["ATQJ"]),
    3: (["Q987"], ["ATKJ"]),
    0: ([], ["AK98", "TQJ7"]),
}


def seated(*hands: str) -> dict[str, list[str]]:
    """The hands of seats 0 to 3."""
    return {str(seat): hand.split() for seat, hand in enumerate(hands)}


GRANDS_ON_THE_TABLE = seated(
    "AS AH AD AC TS TH TD 7C",
    "KS KH KD KC 7S 7H 7D TC",
    "QS QH QD QC 8S 8H 8D 8C",
    "JS JH JD JC 9S 9H 9D 9C",
)
GRANDS_TRICKS = [
    (0, "AS KS QS JS"),
    (0, "AH KH QH JH"),
    (0, "AD KD QD JD"),
    (0, "AC KC QC JC"),
    (0, "TS 7S 8S 9S"),
    (0, "TH 7H 8H 9H"),
    (0, "TD 7D 8D 9D"),
    (0, "7C TC 8C 9C"),
]
MARRIAGES_IN_HAND = seated(
    "AC 7C KS QS JS KH QH JH",
    "KC 8C AS 7S AH 7H AD 7D",
    "QC 9C TS 8S TH 8H TD 8D",
    "JC TC 9S 9H KD QD JD 9D",
)
KING_LED = seated(
    "KS AH KH AD KD AC TC 7C",
    "AS QS 8H 7H 8D 7D 9C 8C",
    "JS TS QH TH QD TD QC JC",
    "9S 8S 7S JH 9H JD 9D KC",
)
DIAMONDS_RUFFED = seated(
    "9H 8H 7H AD KD QD 7D 7C",
    "AS KS AH KH QH AC KC QC",
    "TS 9S JH TH JC TC 9C 8C",
    "QS JS 8S 7S JD TD 9D 8D",
)
ALL_BUT_ONE_TRUMP = seated(
    "AS KS QS JS TS 9S 8S AH",
    "KH QH JH TH 9H 8H 7H AD",
    "KD QD JD TD 9D 8D 7D AC",
    "7S KC QC JC TC 9C 8C 7C",
)
CAPE_TRICKS = [
    (0, "AS 7H 7D 7S"),
    (0, "KS 8H 8D 7C"),
    (0, "QS 9H 9D 8C"),
    (0, "JS TH TD 9C"),
    (0, "TS JH JD TC"),
    (0, "9S QH QD JC"),
    (0, "8S AD AC QC"),
    (0, "AH KH KD KC"),
]


def converse(lines: Sequence[bytes], adapter: Path = ADAPTER) -> tuple[list[Json], int]:
    """Send the lines, close the pipe; the replies and the exit code."""
    process = subprocess.run(
        [sys.executable, str(adapter)], input=b"\n".join(lines) + b"\n", capture_output=True, timeout=30, check=False
    )
    return [json.loads(line) for line in process.stdout.splitlines()], process.returncode


def run(game: str, start: Json | None, steps: Sequence[Json], adapter: Path = ADAPTER) -> list[Json]:
    """The results of one script."""
    edition = {"brouc": "2022", "homme-de-brou": "1802"}[game]
    request: Json = {"op": "run", "id": 1, "game": game, "edition": edition, "setup": "4", "steps": list(steps)}
    if start is not None:
        request["start"] = start
    replies, code = converse([json.dumps(request).encode()], adapter)
    assert code == 0
    assert replies[0]["ok"] is True
    results = replies[0]["results"]
    assert len(results) == len(steps)
    return list(results)


def act(seat: int, name: str, value: object = True) -> Json:
    """A step in which a seat does something."""
    return {"by": seat, "act": {name: value}}


def plays(leader: int, cards: str) -> list[Json]:
    """The steps of one trick, or of its beginning."""
    return [act((leader + place) % 4, "play", card) for place, card in enumerate(cards.split())]


def laid_out(shares: Sequence[int]) -> tuple[Json, list[list[Json]]]:
    """Hands and tricks that give team 0 the share of each suit; its tricks come first."""
    tricks = []
    for team in (0, 1):
        for suit, share in zip("SHDC", shares, strict=True):
            for quartet in SHARES[share][team]:
                tricks.append({(team + place) % 4: rank + suit for place, rank in enumerate(quartet)})
    hands = {str(seat): [trick[seat] for trick in tricks] for seat in range(4)}
    leader, steps = 0, []
    for number, trick in enumerate(tricks):
        seats = [(leader + place) % 4 for place in range(4)]
        steps.append([act(seat, "play", trick[seat]) for seat in seats])
        leader = 0 if number < sum(len(SHARES[share][0]) for share in shares) else 1
    turnup = next(card for card in hands["3"] if card.endswith("S"))
    return {"dealer": 3, "hands": hands, "turnup": turnup}, steps


def played(
    game: str,
    shares: Sequence[int],
    after: Sequence[Json],
    *,
    tricks: int = 8,
    first: Sequence[Json] = (),
    **start: Any,
) -> list[Json]:
    """Play that many tricks of a laid-out deal, with some steps after the first; the results of the last steps."""
    position, steps = laid_out(shares)
    script = [*steps[0], *first, *(step for trick in steps[1:tricks] for step in trick)]
    results = run(game, position | start, [*script, *after])
    assert all(result == {"ok": True} for result in results[: len(script)])
    return results[len(script) :]


NEXT = act(0, "next")
SCORE: Json = {"score": True}


def test_says_hello_and_goodbye() -> None:
    """A greeting names both games, a ping is answered, and goodbye ends the program with code 0."""
    replies, code = converse(
        [b'{"op":"hello","id":7,"protocol":1,"new":[]}', b'{"op":"ping","id":8}', b'{"op":"bye","id":9}', b"never read"]
    )
    assert [reply["id"] for reply in replies] == [7, 8, 9]
    assert all(reply["ok"] is True for reply in replies)
    hello = replies[0]
    assert hello["protocol"] == 1
    assert hello["engine"]["language"] == "python"
    assert hello["plays"] == [
        {"game": "brouc", "editions": ["2022"], "setups": ["4"]},
        {"game": "homme-de-brou", "editions": ["1802"], "setups": ["4"]},
    ]
    assert hello["readings"]["brouc@2022"]["marking"] == "implicit"
    assert code == 0


def test_ends_with_its_input() -> None:
    """Without a goodbye the program ends quietly when its input does."""
    assert converse([b'{"op":"ping","id":1}']) == ([{"id": 1, "ok": True}], 0)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"not json", None),
        (b"\xff\xfe", None),
        (b"[1, 2]", None),
        (b"[" * 100_000, None),
        (b'{"op":"ping"}', None),
        (b'{"op":"ping","id":"one"}', None),
        (b'{"op":"dance","id":4}', 4),
        (b'{"op":"hello","id":4,"protocol":2}', 4),
        (b'{"op":"run","id":4,"game":"brouc","edition":"2022","setup":"4"}', 4),
        (b'{"op":"run","id":4,"game":"brouc","edition":"2022","steps":[]}', 4),
        (b'{"op":"run","id":4,"game":"brouc","edition":"2022","setup":"4","steps":[],"start":[]}', 4),
        (b'{"op":"run","id":4,"game":"brouc","edition":"2022","setup":"4","steps":[],"start":{"dealer":4}}', 4),
        (
            (
                b'{"op":"run","id":4,"game":"brouc","edition":"2022","setup":"4","steps":[],'
                b'"start":{"dealer":3,"deck":["AS"],"packets":[1,3,4]}}'
            ),
            4,
        ),
        (
            (
                b'{"op":"run","id":4,"game":"brouc","edition":"2022","setup":"4","steps":[],'
                b'"start":{"dealer":3,"hands":{"0":[[]]},"turnup":"AS"}}'
            ),
            4,
        ),
        (
            (
                b'{"op":"run","id":4,"game":"brouc","edition":"2022","setup":"4","steps":[],'
                b'"start":{"dealer":3,"accounts":[1]}}'
            ),
            4,
        ),
    ],
)
def test_answers_a_malformed_request_with_an_error(line: bytes, number: int | None) -> None:
    """A malformed request gets an error in its place, and the conversation goes on."""
    replies, code = converse([line, b'{"op":"ping","id":5}'])
    assert replies[0]["ok"] is False
    assert replies[0]["id"] == number
    assert isinstance(replies[0]["error"], str)
    assert replies[1:] == [{"id": 5, "ok": True}]
    assert code == 0


def test_skips_what_it_does_not_play() -> None:
    """Every step of an edition that it does not play is skipped with a reason."""
    request = {"op": "run", "id": 3, "game": "brouc", "edition": "club-2026", "setup": "4", "steps": [NEXT, SCORE]}
    replies, _ = converse([json.dumps(request).encode()])
    assert [list(result) for result in replies[0]["results"]] == [["skip"], ["skip"]]


def test_keeps_nothing_between_runs() -> None:
    """The same request gives the same reply again."""
    request = {"op": "run", "id": 3, "game": "brouc", "edition": "2022", "setup": "4"}
    line = json.dumps(request | {"steps": [act(2, "lot", 1), {"view": 0}, {"legal": 1}]}).encode()
    replies, _ = converse([line, line])
    assert replies[0] == replies[1]
    assert replies[0]["results"][1]["view"]["dealer"] == 1


def test_answers_a_step_it_cannot_read() -> None:
    """A broken step is an error of that step alone, an unknown one is skipped."""
    results = run("brouc", None, [{"by": 9, "act": {"lot": 1}}, {"dream": True}, {"by": 0}, {"legal": "0"}, SCORE])
    assert [list(result) for result in results] == [["err"], ["skip"], ["skip"], ["err"], ["score"]]


@pytest.mark.parametrize(
    ("shares", "raw", "marked"),
    [
        ((30, 15, 5, 0), 50, 50),
        ((30, 15, 6, 0), 51, 50),
        ((30, 16, 6, 0), 52, 50),
        ((30, 17, 6, 0), 53, 50),
        ((30, 24, 0, 0), 54, 50),
        ((30, 25, 0, 0), 55, 60),
        ((30, 26, 0, 0), 56, 60),
        ((30, 27, 0, 0), 57, 60),
        ((30, 24, 4, 0), 58, 60),
        ((30, 25, 4, 0), 59, 60),
    ],
)
@pytest.mark.parametrize("game", ["homme-de-brou", "brouc"])
def test_rounds_to_tens(game: str, shares: tuple[int, ...], raw: int, marked: int) -> None:
    """Units up to four are dropped, from five on they make a ten."""
    before, _, after = played(game, shares, [SCORE, NEXT, SCORE])
    assert before["score"]["points"] == [raw, 120 - raw]
    assert before["score"]["result"] == "deal"
    assert after["score"]["before"][0] == marked


@pytest.mark.parametrize("game", ["homme-de-brou", "brouc"])
def test_gives_out_130_when_both_end_in_five(game: str) -> None:
    """75 and 45 are written 80 and 50."""
    _, after = played(game, (30, 30, 15, 0), [NEXT, SCORE])
    assert after["score"]["before"] == [80, 50]


@pytest.mark.parametrize(
    ("shares", "raw"),
    [
        ((30, 15, 15, 5), 65),
        ((30, 30, 6, 0), 66),
        ((30, 30, 4, 3), 67),
        ((30, 30, 5, 3), 68),
        ((30, 30, 5, 4), 69),
        ((30, 30, 6, 4), 70),
    ],
)
def test_goes_on_at_300_in_1802(shares: tuple[int, ...], raw: int) -> None:
    """With 230 written, 65 to 70 points make 300 and the partie continues."""
    before, _, after = played("homme-de-brou", shares, [SCORE, NEXT, SCORE], accounts=[230, 0])
    assert before["score"]["accounts"][0] == 230 + raw
    assert before["score"]["result"] == "deal"
    assert after["score"]["before"][0] == 300
    assert after["score"]["parties"] == [0, 0]


@pytest.mark.parametrize(
    ("shares", "raw"),
    [
        ((30, 30, 6, 5), 71),
        ((30, 14, 14, 14), 72),
        ((30, 15, 14, 14), 73),
        ((30, 30, 14, 0), 74),
        ((30, 30, 15, 0), 75),
    ],
)
def test_wins_unrounded_in_1802(shares: tuple[int, ...], raw: int) -> None:
    """With 230 written, 71 points or more win the partie without a word."""
    before, _, after = played("homme-de-brou", shares, [SCORE, NEXT, SCORE], accounts=[230, 0])
    assert before["score"]["accounts"][0] == 230 + raw
    assert (before["score"]["result"], before["score"]["winner"], before["score"]["worth"]) == ("partie", 0, 2)
    assert after["score"]["before"] == [0, 0]
    assert after["score"]["parties"] == [2, 0]


@pytest.mark.parametrize(
    ("shares", "others", "worth"),
    [((30, 30, 6, 4), 100, 1), ((30, 30, 6, 5), 100, 2), ((30, 30, 6, 4), -50, 2), ((30, 30, 6, 5), -50, 4)],
)
def test_weighs_the_losers_account_in_1802(shares: tuple[int, ...], others: int, worth: int) -> None:
    """At 150 the losers cost one partie, at 149 two, at 0 two, at -1 four; they took 50 or 49 points in this deal."""
    (after,) = played("homme-de-brou", shares, [SCORE], accounts=[240, others])
    assert after["score"]["worth"] == worth


@pytest.mark.parametrize(
    ("suit", "kind", "value"), [("H", "simple", 20), ("H", "grand", 30), ("S", "simple", 40), ("S", "grand", 60)]
)
@pytest.mark.parametrize("game", ["homme-de-brou", "brouc"])
def test_credits_an_announced_marriage_to_one_team_only(game: str, suit: str, kind: str, value: int) -> None:
    """Announced marriages are worth ten a card, twenty in trump, and cost the others nothing."""
    results = run(
        game,
        {"dealer": 3, "hands": MARRIAGES_IN_HAND, "turnup": "9S"},
        [
            act(0, "announce", {"suit": suit, "kind": kind}),
            *plays(0, "AC 8C 9C TC"),
            act(3, "announce", {"suit": "D", "kind": "grand"}),
            act(0, "announce", {"suit": suit, "kind": kind}),
            act(0, "announce", {"suit": suit, "kind": kind}),
            SCORE,
            {"view": 2},
        ],
    )
    assert results[0] == {"no": "window_closed"}
    assert results[5:8] == [{"no": "window_closed"}, {"ok": True}, {"no": "already_done"}]
    assert results[8]["score"]["accounts"] == [21 + value, 0]
    assert results[9]["view"]["announced"] == [{"seat": 0, "suit": suit, "kind": kind}]


def test_announces_when_the_games_allow_it() -> None:
    """Once the next card is led the window of 1802 is shut, while in Brouc it stays open in and off turn."""
    steps = [*plays(0, "AC 8C 9C TC"), *plays(0, "7C KC"), act(0, "announce", {"suit": "H", "kind": "grand"})]
    start = {"dealer": 3, "hands": MARRIAGES_IN_HAND, "turnup": "9S"}
    assert run("homme-de-brou", start, steps)[-1] == {"no": "window_closed"}
    assert run("brouc", start, steps)[-1] == {"ok": True}


@pytest.mark.parametrize(
    ("game", "after_four_tricks", "at_the_end"),
    [("homme-de-brou", [380, -300], [410, -290]), ("brouc", [230, -150], [260, -140])],
)
def test_books_table_marriages_both_ways(game: str, after_four_tricks: list[int], at_the_end: list[int]) -> None:
    """Four grand marriages on the table add 300 and take 300 in 1802, half of that in Brouc."""
    first = [step for leader, cards in GRANDS_TRICKS[:4] for step in plays(leader, cards)]
    rest = [step for leader, cards in GRANDS_TRICKS[4:] for step in plays(leader, cards)]
    start = {"dealer": 3, "hands": GRANDS_ON_THE_TABLE, "turnup": "9S"}
    results = run(game, start, [*first, SCORE, {"view": 3}, *rest, SCORE])
    assert results[16]["score"]["accounts"] == after_four_tricks
    assert results[17]["view"]["markers"] == [
        {"trick": number, "suit": suit, "kind": "grand", "team": 0} for number, suit in enumerate("SHDC", start=1)
    ]
    assert results[-1]["score"]["accounts"] == at_the_end


def test_marks_a_simple_marriage_by_its_kind() -> None:
    """King and queen without the jack leave a simple marker."""
    start = {"dealer": 3, "hands": KING_LED, "turnup": "9S"}
    results = run("brouc", start, [*plays(0, "KS QS TS 7S"), {"view": 0}, {"winner": True}, SCORE])
    assert results[4]["view"]["markers"] == [{"trick": 1, "suit": "S", "kind": "simple", "team": 0}]
    assert results[5] == {"winner": 2}
    assert results[6]["score"]["accounts"] == [17 + 40, -40]


@pytest.mark.parametrize(("tricks", "result", "winner", "worth"), [(3, "claim-wrong", 1, 2), (4, "claim-right", 0, 4)])
def test_verifies_a_claim_in_1802(tricks: int, result: str, winner: int, worth: int) -> None:
    """With 300 the claim is wrong and judged on an account of nothing; with 380 it is right, the others at -300."""
    steps = [step for leader, cards in GRANDS_TRICKS[:tricks] for step in plays(leader, cards)]
    start = {"dealer": 3, "hands": GRANDS_ON_THE_TABLE, "turnup": "9S"}
    results = run("homme-de-brou", start, [*steps, act(2, "claim"), SCORE, NEXT, SCORE])
    judged = results[-3]["score"]
    assert (judged["result"], judged["winner"], judged["worth"]) == (result, winner, worth)
    assert results[-1]["score"]["parties"][winner] == worth
    assert results[-1]["score"]["before"] == [0, 0]


@pytest.mark.parametrize("accounts", [[0, 0], [100, 50]])
def test_vole_restores_the_accounts(accounts: list[int]) -> None:
    """A vole is worth three parties and leaves the accounts as they were before the deal."""
    before, _, after = played("homme-de-brou", (30, 30, 30, 30), [SCORE, NEXT, SCORE], accounts=accounts)
    assert (before["score"]["result"], before["score"]["worth"]) == ("vole", 3)
    assert after["score"]["before"] == accounts
    assert after["score"]["parties"] == [3, 0]


@pytest.mark.parametrize(("account", "answer"), [(190, {"ok": True}), (180, {"no": "condition_not_met"})])
def test_declares_partie_and_vole_from_190(account: int, answer: Json) -> None:
    """The player on lead declares with 190, not with 180, and nobody else does."""
    results = played(
        "homme-de-brou",
        (30, 30, 30, 30),
        [act(2, "declare", "vole"), act(1, "declare", "vole"), act(0, "declare", "vole")],
        tricks=1,
        accounts=[account, 0],
    )
    assert results == [{"no": "not_your_role"}, {"no": "not_your_role"}, answer]


@pytest.mark.parametrize(("others", "worth"), [(150, 4), (140, 5), (-10, 7)])
def test_declared_vole_made(others: int, worth: int) -> None:
    """Three parties for the vole and one, two or four for the partie."""
    declared = [act(0, "declare", "vole"), act(0, "claim"), act(1, "claim"), act(1, "stop")]
    position, steps = laid_out((30, 30, 30, 30))
    rest = [step for trick in steps[1:] for step in trick]
    start = position | {"accounts": [190, others]}
    results = run("homme-de-brou", start, [*steps[0], *declared, *rest, SCORE, NEXT, SCORE])
    assert [list(result) for result in results[4:8]] == [["ok"], ["no"], ["no"], ["no"]]
    judged = results[-3]["score"]
    assert (judged["result"], judged["winner"], judged["worth"]) == ("partie-et-vole-made", 0, worth)
    assert results[-1]["score"]["parties"] == [worth, 0]
    assert results[-1]["score"]["before"] == [0, 0]


@pytest.mark.parametrize(
    ("shares", "broken_on"),
    [
        ((15, 0, 0, 0), 2),
        ((30, 30, 0, 0), 5),
        ((30, 30, 15, 0), 6),
        ((30, 30, 30, 0), 7),
        ((30, 30, 30, 15), 8),
    ],
)
@pytest.mark.parametrize(("others", "worth"), [(150, 4), (140, 5), (-10, 7)])
def test_declared_vole_failed(shares: tuple[int, ...], broken_on: int, others: int, worth: int) -> None:
    """The first trick lost ends the partie, and its points do not raise the winners' account."""
    score, view, _, after = played(
        "homme-de-brou",
        shares,
        [SCORE, {"view": 0}, NEXT, SCORE],
        tricks=broken_on,
        first=[act(0, "declare", "vole")],
        accounts=[190, others],
    )
    judged = score["score"]
    assert (judged["result"], judged["winner"], judged["worth"]) == ("partie-et-vole-failed", 1, worth)
    assert judged["points"][1] == 0
    assert view["view"]["won"] == [broken_on - 1, 1]
    assert after["score"]["parties"] == [0, worth]


@pytest.mark.parametrize("tricks", [1, 2, 3, 4])
def test_stop_accepted(tricks: int) -> None:
    """Who sees the others hold 301 and every trick may ask to stop, and then nothing but an answer is heard."""
    results = played(
        "homme-de-brou",
        (30, 30, 30, 30),
        [
            act(0, "stop"),
            act(3, "stop"),
            {"legal": 3},
            {"legal": 2},
            act(0, "claim"),
            act(1, "answer"),
            act(2, "answer"),
            SCORE,
        ],
        tricks=tricks,
        accounts=[300, 140],
    )
    assert results[0] == {"no": "condition_not_met"}
    assert results[1:4] == [{"ok": True}, {"legal": {}}, {"legal": {"answer": [True, False]}}]
    assert results[4:7] == [{"no": "window_closed"}, {"no": "not_your_role"}, {"ok": True}]
    judged = results[7]["score"]
    assert (judged["result"], judged["winner"], judged["worth"]) == ("stop", 0, 2)


@pytest.mark.parametrize(
    ("shares", "result", "winner"),
    [((30, 30, 30, 30), "partie-et-vole-made", 0), ((30, 30, 30, 15), "partie-et-vole-failed", 1)],
)
def test_stop_refused(shares: tuple[int, ...], result: str, winner: int) -> None:
    """A refusal binds the leading team to the vole, which it makes or breaks as if it had declared it."""
    score, view = played(
        "homme-de-brou",
        shares,
        [SCORE, {"view": 1}],
        first=[act(1, "stop"), act(0, "answer", False)],
        accounts=[290, 150],
    )
    judged = score["score"]
    assert (judged["result"], judged["winner"], judged["worth"]) == (result, winner, 4)
    assert view["view"]["call"] == {"team": 0, "kind": "forced"}


@pytest.mark.parametrize(
    ("account", "tricks", "answer"),
    [
        (280, 1, {"no": "condition_not_met"}),
        (290, 1, {"ok": True}),
        (300, 5, {"no": "window_closed"}),
    ],
)
def test_stop_has_its_conditions(account: int, tricks: int, answer: Json) -> None:
    """With 15 points in the first trick 280 makes 295 and 290 makes 305; after the fifth trick it is too late."""
    results = played("homme-de-brou", (30, 30, 30, 30), [act(1, "stop")], tricks=tricks, accounts=[account, 0])
    assert results == [answer]


@pytest.mark.parametrize(
    ("game", "packets", "hand"),
    [
        ("homme-de-brou", [3, 3, 2], "AS KS QS TH 9H 8H AC KC"),
        ("homme-de-brou", [2, 3, 3], "AS KS AH KH QH TD 9D 8D"),
        ("homme-de-brou", [3, 2, 3], "AS KS QS TH 9H TD 9D 8D"),
        ("homme-de-brou", [1, 3, 4], None),
        ("brouc", [1, 3, 4], "AS TS 9S 8S AD KD QD JD"),
        ("brouc", [3, 3, 2], None),
    ],
)
def test_deals_in_packets(game: str, packets: list[int], hand: str | None) -> None:
    """From an ordered pack each pattern serves the dealer's right otherwise, and the last card is the dealer's."""
    steps = [act(3, "deal", {"deck": PACK, "packets": packets}), {"view": 0}]
    dealt, seen = run(game, {"dealer": 3}, steps)
    if hand is None:
        assert dealt == {"no": "bad_amount"}
        assert seen["view"]["phase"] == "deal"
    else:
        assert seen["view"]["hand"] == hand.split()
        assert seen["view"]["turnup"] == {"card": "7C", "exposed": game == "homme-de-brou"}
        assert (seen["view"]["trump"], seen["view"]["turn"]) == ("C", 0)


def test_cut_goes_under() -> None:
    """The dealer's left neighbour cuts once, and the cards cut off are dealt last."""
    deal = act(3, "deal", {"deck": PACK, "packets": [1, 3, 4]})
    cut, again, other, _, seen = run(
        "brouc", {"dealer": 3}, [act(2, "cut", 8), act(2, "cut", 8), act(0, "cut", 8), deal, {"view": 0}]
    )
    assert (cut, again, other) == ({"ok": True}, {"no": "already_done"}, {"no": "not_your_role"})
    assert seen["view"]["hand"] == ["AH", "TH", "9H", "8H", "AC", "KC", "QC", "JC"]
    assert seen["view"]["turnup"]["card"] == "7S"


@pytest.mark.parametrize(("parties", "over"), [(9, 0), (8, None)])
def test_match_of_1802_ends_at_twelve(parties: int, over: int | None) -> None:
    """Nine parties and a vole make twelve, eight do not."""
    _, score, view = played("homme-de-brou", (30, 30, 30, 30), [NEXT, SCORE, {"view": 0}], parties=[parties, 0])
    assert score["score"]["over"] == over
    assert view["view"]["phase"] == ("deal" if over is None else "over")


def test_lowest_card_drawn_deals() -> None:
    """In the draw the ten stands below the jack, and the lowest two draw again."""
    steps = [
        act(2, "draw", "JS"),
        act(2, "draw", "AS"),
        act(0, "draw", "JS"),
        act(0, "draw", "TS"),
        act(3, "draw", "TH"),
        act(1, "draw", "AH"),
        act(1, "draw", "7S"),
        act(3, "draw", "TS"),
        act(0, "draw", "9S"),
        {"view": 0},
    ]
    results = run("homme-de-brou", None, steps)
    refused = [position for position, result in enumerate(results[:-1]) if "no" in result]
    assert refused == [1, 2, 6]
    assert (results[-1]["view"]["dealer"], results[-1]["view"]["phase"]) == (0, "deal")


@pytest.mark.parametrize(
    ("shares", "result", "winner"), [((30, 30, 6, 5), "claim-right", 0), ((30, 30, 6, 4), "claim-wrong", 1)]
)
def test_claims_with_23_and_71_in_brouc(shares: tuple[int, ...], result: str, winner: int) -> None:
    """Writing 23, a party is out with 71 points and not with 70, and may say so until the deal is written."""
    _, score = played("brouc", shares, [act(2, "claim"), SCORE], accounts=[230, 0])
    assert (score["score"]["result"], score["score"]["winner"]) == (result, winner)


def test_unclaimed_71_is_written_30_in_brouc() -> None:
    """Nobody is out who has not said so: 23 and 71 points are written 30."""
    _, score = played("brouc", (30, 30, 6, 5), [NEXT, SCORE], accounts=[230, 0])
    assert score["score"]["before"] == [300, 50]
    assert score["score"]["coches"] == [0, 0]


@pytest.mark.parametrize("account", [290, 0])
@pytest.mark.parametrize(("others", "ticks"), [(150, 1), (140, 2), (-50, 2)])
def test_ticks_go_by_the_other_slate(account: int, others: int, ticks: int) -> None:
    """Right or wrong, a claim costs one tick if the other party writes 15, two if it writes less."""
    _, score, _, after = played(
        "brouc", (30, 30, 15, 0), [act(0, "claim"), SCORE, NEXT, SCORE], tricks=2, accounts=[account, others]
    )
    loser = 1 if account == 290 else 0
    assert (score["score"]["winner"], score["score"]["worth"]) == (1 - loser, ticks)
    assert after["score"]["coches"][loser] == ticks
    assert after["score"]["before"] == [0, 0]


@pytest.mark.parametrize(
    ("slates", "kind", "answer"),
    [
        ([190, 150], "cape-dehors", {"ok": True}),
        ([180, 150], "cape-dehors", {"no": "condition_not_met"}),
        ([190, 140], "pas-dedouble", {"ok": True}),
        ([190, 150], "pas-dedouble", {"no": "condition_not_met"}),
    ],
)
def test_calls_the_cape_from_19(slates: list[int], kind: str, answer: Json) -> None:
    """Either player calls from 19 on, and for the double only against 14 or less."""
    results = played("brouc", (30, 30, 30, 30), [act(2, "declare", kind)], tricks=1, accounts=slates)
    assert results == [answer]


@pytest.mark.parametrize(
    ("kind", "shares", "result", "coches"),
    [
        ("cape-dehors", (30, 30, 30, 30), "cape-dehors-made", [0, 3]),
        ("pas-dedouble", (30, 30, 30, 30), "pas-dedouble-made", [0, 4]),
        ("cape-dehors", (30, 30, 30, 15), "cape-dehors-failed", [3, 0]),
        ("pas-dedouble", (30, 30, 30, 15), "pas-dedouble-failed", [4, 0]),
    ],
)
def test_called_cape_costs_three_or_four(kind: str, shares: tuple[int, ...], result: str, coches: list[int]) -> None:
    """The losers mark three ticks, four for the double, and the partie is over either way."""
    score, _, after = played(
        "brouc", shares, [SCORE, NEXT, SCORE], first=[act(2, "declare", kind)], accounts=[190, 100]
    )
    assert score["score"]["result"] == result
    assert after["score"]["coches"] == coches
    assert after["score"]["before"] == [0, 0]


def test_last_moment_to_call_the_cape() -> None:
    """Inside trick 7 a player with two cards may still call, one with a single card may not."""
    position, steps = laid_out((30, 30, 30, 30))
    script = [step for trick in steps[:6] for step in trick] + steps[6][:1]
    calls = [act(0, "declare", "cape-dehors"), act(2, "declare", "cape-dehors")]
    results = run("brouc", position | {"accounts": [190, 0]}, [*script, *calls])
    assert results[-2:] == [{"no": "window_closed"}, {"ok": True}]


def test_uncalled_cape_is_a_plain_one() -> None:
    """All tricks with 19 written and no call: two ticks, no claim, and the slate stays."""
    claim, score, _, after = played(
        "brouc", (30, 30, 30, 30), [act(0, "claim"), SCORE, NEXT, SCORE], accounts=[190, 100]
    )
    assert claim == {"no": "condition_not_met"}
    assert (score["score"]["result"], score["score"]["worth"]) == ("cape", 2)
    assert after["score"]["before"] == [190, 100]
    assert after["score"]["coches"] == [0, 2]


def test_marriages_announced_in_a_cape_are_carried() -> None:
    """A grand marriage of trump announced in a cape is worth 60 in the next deal, from its beginning."""
    steps = plays(*CAPE_TRICKS[0])
    steps += [act(0, "announce", {"suit": "S", "kind": "grand"})]
    steps += [step for leader, cards in CAPE_TRICKS[1:] for step in plays(leader, cards)]
    start = {"dealer": 3, "hands": ALL_BUT_ONE_TRUMP, "turnup": "7S", "accounts": [250, 0]}
    results = run("brouc", start, [*steps, NEXT, SCORE, act(2, "claim"), SCORE, NEXT, {"view": 0}])
    carried, claimed, view = results[-5]["score"], results[-3]["score"], results[-1]["view"]
    assert (carried["before"], carried["carry"], carried["accounts"]) == ([250, 0], [60, 0], [310, 0])
    assert (claimed["result"], claimed["worth"]) == ("claim-right", 2)
    assert (view["dealer"], view["coches"], view["carry"]) == (0, [0, 4], [0, 0])


@pytest.mark.parametrize(("ticks", "over"), [(3, 0), (2, None)])
def test_match_of_brouc_ends_at_five_ticks(ticks: int, over: int | None) -> None:
    """Three ticks and two for a cape lose the match, two and two do not."""
    _, score = played("brouc", (30, 30, 30, 30), [NEXT, SCORE], coches=[4, ticks])
    assert score["score"]["over"] == over


def test_beats_or_marries_when_trump_is_led() -> None:
    """On the king the queen may wed, on king and queen the jack, and who has only lower trumps plays any of them."""
    start = {"dealer": 3, "hands": KING_LED, "turnup": "9S"}
    script = [
        act(0, "play", "KS"),
        {"legal": 1},
        act(1, "play", "8H"),
        act(1, "play", "QS"),
        {"legal": 2},
        act(2, "play", "TS"),
        {"legal": 3},
    ]
    results = run("brouc", start, script)
    assert results[1]["legal"]["play"] == ["AS", "QS"]
    assert results[2] == {"no": "must_follow"}
    assert results[4]["legal"]["play"] == ["JS", "TS"]
    assert results[6]["legal"]["play"] == ["9S", "8S", "7S"]


def test_need_not_beat_in_1802() -> None:
    """In 1802 every trump follows a trump."""
    start = {"dealer": 3, "hands": KING_LED, "turnup": "9S"}
    results = run("homme-de-brou", start, [*plays(0, "KS AS"), {"legal": 2}])
    assert results[-1]["legal"]["play"] == ["JS", "TS"]


@pytest.mark.parametrize(
    ("adapter", "open_cards", "answer"),
    [
        (ADAPTER, "JH TH JC TC 9C 8C", {"no": "must_beat"}),
        (MISREAD, "TS 9S JH TH JC TC 9C 8C", {"ok": True}),
    ],
)
def test_undertrumping(adapter: Path, open_cards: str, answer: Json) -> None:
    """Under a ruff with the ace a lower trump is closed to who can discard, and only the misread copy opens it."""
    start = {"dealer": 3, "hands": DIAMONDS_RUFFED, "turnup": "QS"}
    results = run("brouc", start, [*plays(0, "7D AS"), {"legal": 2}, act(2, "play", "TS")], adapter)
    assert results[2]["legal"]["play"] == open_cards.split()
    assert results[3] == answer


@pytest.mark.parametrize("adapter", [ADAPTER, MISREAD])
def test_the_misread_copy_beats_a_trump_lead(adapter: Path) -> None:
    """When trump is led the misread copy plays as the program does."""
    start = {"dealer": 3, "hands": KING_LED, "turnup": "9S"}
    results = run("brouc", start, [*plays(0, "KS QS"), {"legal": 2}], adapter)
    assert results[-1]["legal"]["play"] == ["JS", "TS"]


@pytest.mark.parametrize("game", ["homme-de-brou", "brouc"])
def test_refused_acts_change_nothing(game: str) -> None:
    """After a dozen refused acts every seat sees, may do and has scored what it did before."""
    questions: list[Json] = [{"view": seat} for seat in range(4)] + [{"legal": seat} for seat in range(4)] + [SCORE]
    refused = [
        act(1, "play", "KC"),
        act(2, "play", "AC"),
        act(3, "play", "TH"),
        act(3, "play", "XX"),
        act(3, "play", 7),
        act(3, "play", "9S"),
        act(0, "announce", {"suit": "H", "kind": "double"}),
        act(0, "announce", "H"),
        act(0, "claim", False),
        act(0, "declare", "everything"),
        act(0, "next"),
        act(3, "deal", {"deck": PACK, "packets": [3, 3, 2]}),
        act(2, "cut", 5),
        act(1, "answer"),
        act(1, "mark", 1),
        act(1, "unmark", 1),
        act(0, "lot", 0),
        act(0, "draw", "AS"),
        {"by": 0, "act": {}},
        {"by": 3, "act": {"play": "TC", "claim": True}},
    ]
    start = {"dealer": 3, "hands": MARRIAGES_IN_HAND, "turnup": "9S", "accounts": [200, 100]}
    results = run(game, start, [*plays(0, "AC 8C 9C"), *questions, *refused, *questions])
    before, answers, after = results[3:12], results[12 : 12 + len(refused)], results[12 + len(refused) :]
    assert all(list(answer) == ["no"] for answer in answers)
    assert [answer["no"] for answer in answers[:6]] == [
        "not_your_turn",
        "not_your_turn",
        "not_in_hand",
        "no_such_card",
        "no_such_card",
        "must_follow",
    ]
    assert before == after


def test_shows_the_tricks_of_1802_to_whose_turn_it_is() -> None:
    """The last trick and those of one's own team are shown only on one's own turn."""
    start = {"dealer": 3, "hands": MARRIAGES_IN_HAND, "turnup": "9S"}
    script = [*plays(0, "AC 8C 9C TC"), {"view": 0}, {"view": 1}, act(0, "play", "7C"), {"view": 1}]
    results = run("homme-de-brou", start, script)
    leader, waiting, next_one = (results[position]["view"] for position in (4, 5, 7))
    assert leader["own"] == [["AC", "8C", "9C", "TC"]]
    assert [play["seat"] for play in leader["last"]] == [0, 1, 2, 3]
    assert not {"own", "last"} & set(waiting)
    assert next_one["own"] == []
    assert next_one["last"] == leader["last"]
    assert leader["keeper"] == [0, None]
    assert leader["turnup"] == {"card": "9S", "exposed": False}
