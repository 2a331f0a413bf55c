"""The Java program of the adapters, compiled once and spoken to over its pipes.

Expectations of single deals are worked out by hand from the texts; whole random matches are compared with the oracles.
In the deals laid out by hand the dealer is seat 3, so that seat 0 leads, and spades are trump.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from oracle_loader import load

SOURCES = Path(__file__).resolve().parents[1] / "adapters" / "java"
HOMME, BROUC = "homme-de-brou", "brouc"
EDITION = {HOMME: "1802", BROUC: "2022"}
PACK = [rank + suit for suit in "SHDC" for rank in "AKQJT987"]

JAVAC, JAVA = shutil.which("javac"), shutil.which("java")

pytestmark = pytest.mark.skipif(
    JAVAC is None or JAVA is None, reason="no Java compiler (javac) and runtime on the path"
)

Json = dict[str, Any]
OK: Json = {"ok": True}
NEXT: Json = {"by": 0, "act": {"next": True}}
SCORE: Json = {"score": True}


class Program:
    """A running adapter."""

    def __init__(self, classes: Path) -> None:
        command = [str(JAVA), "-cp", str(classes), "Adapter"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, line: bytes) -> None:
        """Write one line to the program."""
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def reply(self) -> Json:
        """Read one line from the program."""
        assert self.process.stdout
        reply = json.loads(self.process.stdout.readline())
        assert isinstance(reply, dict)
        return reply

    def close(self) -> int:
        """End the input; the exit code."""
        self.process.communicate(timeout=30)
        return self.process.returncode

    def run(self, game: str, start: Json | None, steps: Sequence[Json]) -> list[Json]:
        """The results of one script."""
        self.send(script(game, start, steps))
        reply = self.reply()
        assert reply["ok"] is True, reply
        assert len(reply["results"]) == len(steps)
        return list(reply["results"])


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled program."""
    folder = tmp_path_factory.mktemp("java")
    command = [str(JAVAC), "-Xlint:all", "-Werror", "-d", str(folder), *map(str, sorted(SOURCES.glob("*.java")))]
    subprocess.run(command, check=True, timeout=120)
    return folder


@pytest.fixture
def fresh(classes: Path) -> Iterator[Program]:
    """A program that nobody has spoken to."""
    program = Program(classes)
    yield program
    program.close()


@pytest.fixture(scope="module")
def program(classes: Path) -> Iterator[Program]:
    """A program that the tests of this module share."""
    program = Program(classes)
    yield program
    assert program.close() == 0


def script(game: str, start: Json | None, steps: Sequence[Json], number: int = 1, **more: Any) -> bytes:
    """A run request on one line."""
    request: Json = {"op": "run", "id": number, "game": game, "edition": EDITION[game], "setup": "4"}
    request |= {"steps": list(steps)} | ({} if start is None else {"start": start}) | more
    return json.dumps(request).encode()


def act(seat: int, name: str, value: object = True) -> Json:
    """A step in which a seat does something."""
    return {"by": seat, "act": {name: value}}


def plays(leader: int, cards: str) -> list[Json]:
    """The steps of one trick, or of its beginning."""
    return [act((leader + place) % 4, "play", card) for place, card in enumerate(cards.split())]


def hands(*by_seat: str) -> Json:
    """A start with these hands; the dealer, seat 3, has turned up his last spade."""
    held = {str(seat): hand.split() for seat, hand in enumerate(by_seat)}
    return {"dealer": 3, "hands": held, "turnup": [card for card in held["3"] if card.endswith("S")][-1]}


# The conversation ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_greets_and_parts(fresh: Program) -> None:
    """A greeting with unknown keys names both games, and goodbye ends the program with code 0."""
    fresh.send(b'{"op":"hello","id":4,"protocol":1,"mood":{"good":[true,null,-1.5e3,"\\u00e9"]}}')
    hello = fresh.reply()
    assert (hello["id"], hello["ok"], hello["protocol"], hello["engine"]["language"]) == (4, True, 1, "java")
    assert {(play["game"], *play["editions"], *play["setups"]) for play in hello["plays"]} == {
        (HOMME, "1802", "4"),
        (BROUC, "2022", "4"),
    }
    fresh.send(b'{"op":"bye","id":5}')
    assert fresh.reply() == {"id": 5, "ok": True}
    assert fresh.process.wait(timeout=30) == 0


def test_ends_with_its_input(fresh: Program) -> None:
    """Without a goodbye the program ends with code 0 when its input does."""
    fresh.send(b'{"op":"ping","id":1}')
    assert fresh.reply() == {"id": 1, "ok": True}
    assert fresh.close() == 0


def test_answers_several_requests_in_order(fresh: Program) -> None:
    """Requests written together, blank lines between them, are answered one by one in their order."""
    lines = [script(BROUC, None, [act(0, "lot", 1), {"view": 0}], number) for number in range(16)]
    fresh.send(b"\n \r\n".join(lines))
    replies = [fresh.reply() for _ in lines]
    assert [reply["id"] for reply in replies] == list(range(16))
    assert all(reply["results"] == replies[0]["results"] for reply in replies)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"not json", None),
        (b"\xff\xfe", None),
        (b"[1]", None),
        (b"[" * 50_000, None),
        (b'{"op":"ping","id":1} x', None),
        (b'{"op":"ping","id":01}', None),
        (b'{"op":"ping","id":"1"}', None),
        (b'{"op":"ping","id":1.0}', None),
        (b'{"op":"sing","id":4}', 4),
        (b'{"op":"hello","id":4,"protocol":2}', 4),
        (b'{"op":"run","id":4,"game":"brouc","edition":"2022","setup":"4"}', 4),
        (b'{"op":"run","id":4,"game":"brouc","edition":"2022","steps":[]}', 4),
        (script(BROUC, {"dealer": 4}, [SCORE], 4), 4),
        (script(BROUC, {"dealer": 3, "accounts": [1]}, [SCORE], 4), 4),
        (script(BROUC, {"dealer": 3, "deck": PACK[1:]}, [SCORE], 4), 4),
        (script(BROUC, {"dealer": 3, "deck": PACK, "packets": [3, 3, 2]}, [SCORE], 4), 4),
        (script(HOMME, {"dealer": 3, "hands": {"0": PACK}, "turnup": "AS"}, [SCORE], 4), 4),
    ],
)
def test_answers_what_it_cannot_take_with_an_error(program: Program, line: bytes, number: int | None) -> None:
    """A request that makes no sense gets an error in its place, and the conversation goes on."""
    program.send(line)
    reply = program.reply()
    assert (reply["id"], reply["ok"], type(reply["error"])) == (number, False, str)
    program.send(b'{"op":"ping","id":99}')
    assert program.reply() == {"id": 99, "ok": True}


@pytest.mark.parametrize(
    "line",
    [
        script(BROUC, None, [NEXT, SCORE], edition="club-2026"),
        script(BROUC, None, [NEXT, SCORE]).replace(b"brouc", b"bouillotte"),
        script(BROUC, None, [NEXT, SCORE], readings={"marking": "explicit-any"}),
        script(HOMME, {"deck": PACK}, [NEXT, SCORE]),
    ],
)
def test_skips_what_it_does_not_play(program: Program, line: bytes) -> None:
    """Other games, editions and readings, and cards without a dealer, are skipped step by step with a reason."""
    program.send(line)
    assert [list(result) for result in program.reply()["results"]] == [["skip"], ["skip"]]


def test_takes_readings_that_it_follows(program: Program) -> None:
    """A request may name the readings that are played here anyway, and others that nobody knows."""
    program.send(script(BROUC, None, [SCORE], readings={"marking": "implicit", "match_ticks": 5, "weather": "fine"}))
    assert list(program.reply()["results"][0]) == ["score"]


def test_answers_each_step_that_makes_no_sense(program: Program) -> None:
    """A broken step is an error of that step alone, and an unknown one is skipped."""
    steps: list[Any] = [7, {"by": 9, "act": {"lot": 1}}, {"by": 1, "act": {}}, {"legal": "0"}, {"dream": 1}, SCORE]
    results = program.run(BROUC, None, steps)
    assert [list(result) for result in results] == [["err"], ["err"], ["err"], ["err"], ["skip"], ["score"]]


@pytest.mark.parametrize("value", [None, True, 1, -1, 10**30, 0.5, "", "XS", [], ["AS"], {}, {"suit": "S", "kind": 1}])
@pytest.mark.parametrize("game", [HOMME, BROUC])
def test_refuses_nonsense(program: Program, game: str, value: object) -> None:
    """Values of the wrong kind are refused and change nothing."""
    names = ["draw", "cut", "deal", "play", "announce", "declare", "stop", "answer", "mark", "lot", "dance"]
    steps = [act(0, name, value) for name in names]
    results = program.run(game, GRANDS | {"accounts": [200, 0]}, [SCORE, {"legal": 0}, *steps, SCORE, {"legal": 0}])
    assert all(list(result) == ["no"] for result in results[2:-2])
    assert results[:2] == results[-2:]


# Hands and tricks laid out -------------------------------------------------------------------------------------------

#: Four grand marriages, each in a trick that seat 0 takes with an ace.
GRANDS = hands(
    "AS AH AD AC TS TH TD 7C",
    "KS KH KD KC 7S 7H 7D TC",
    "QS QH QD QC 8S 8H 8D 8C",
    "JS JH JD JC 9S 9H 9D 9C",
)
#: Seat 0 may announce in spades and hearts.
HOLDING = hands(
    "AC 7C KS QS JS KH QH JH",
    "KC AS TS 9S 8S AH TH 9H",
    "8H AD KD QD JD TD QC 9C",
    "7H 9D 8D 7D JC TC 8C 7S",
)
#: How the cards of a suit fall for so many points of team 0, which wins a trick with + by the first card named.
FALL = {
    30: "+AK98 +TQJ7",
    27: "+ATKJ -Q987",
    26: "+ATQJ -K987",
    25: "+ATK9 -QJ87",
    24: "+ATQ9 -KJ87",
    17: "+AKJ9 -TQ87",
    16: "+AQJ9 -TK87",
    15: "+AK98 -TQJ7",
    14: "+AQ98 -TKJ7",
    6: "-ATQ9 +KJ87",
    5: "-ATK9 +QJ87",
    4: "-ATQJ +K987",
    3: "-ATKJ +Q987",
    0: "-AK98 -TQJ7",
}


def fallen(*shares: int) -> tuple[Json, list[Json]]:
    """A start in which team 0 gets so many points of each suit, and the steps of its eight tricks."""
    tricks = [
        (part[0], part[1:], suit) for suit, share in zip("SHDC", shares, strict=True) for part in FALL[share].split()
    ]
    held: dict[int, list[str]] = {seat: [] for seat in range(4)}
    steps: list[Json] = []
    leader = 0
    for sign, ranks, suit in sorted(tricks, key=lambda trick: trick[0] == "-"):
        winner = "+-".index(sign)
        cards = {(winner + place) % 4: rank + suit for place, rank in enumerate(ranks)}
        steps += [act((leader + place) % 4, "play", cards[(leader + place) % 4]) for place in range(4)]
        for seat, card in cards.items():
            held[seat].append(card)
        leader = winner
    return hands(*(" ".join(held[seat]) for seat in range(4))), steps


def played(program: Program, game: str, shares: Sequence[int], after: Sequence[Json], **start: Any) -> list[Json]:
    """Play such a deal to its end; the results of the steps after it."""
    position, steps = fallen(*shares)
    results = program.run(game, position | start, [*steps, *after])
    assert results[: len(steps)] == [OK] * len(steps)
    return results[len(steps) :]


def boss(lost: int | None = None) -> tuple[Json, list[list[Json]]]:
    """Seat 0 takes every trick, seven of them with spades; or all up to the lost one, to which he leads a heart."""
    high, low = ("AH", "7H") if lost is None else ("7H", "AH")
    start = hands(
        f"AS KS QS JS TS 9S 8S {high}",
        f"8H 9H TH JH QH KH AD {low}",
        "7D 8D 9D TD JD QD KD AC",
        "7C 8C 9C TC JC QC KC 7S",
    )
    mine = ["AS", "KS", "QS", "JS", "TS", "9S", "8S"]
    hearts = ["8H", "9H", "TH", "JH", "QH", "KH", "AD"]
    mine.insert(7 if lost is None else lost - 1, high)
    hearts.insert(7 if lost is None else lost - 1, low)
    others = ["7D 7S", "8D 7C", "9D 8C", "TD 9C", "JD TC", "QD JC", "KD QC", "AC KC"]
    return start, [plays(0, f"{mine[trick]} {hearts[trick]} {others[trick]}") for trick in range(8)]


def flat(tricks: Sequence[Sequence[Json]]) -> list[Json]:
    """The steps of several tricks."""
    return [step for trick in tricks for step in trick]


def verdict(score: Json) -> tuple[str, int, int]:
    """Result, winner and worth."""
    return score["score"]["result"], score["score"]["winner"], score["score"]["worth"]


# Worked examples of both games ---------------------------------------------------------------------------------------


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
@pytest.mark.parametrize("game", [HOMME, BROUC])
def test_marks_tens(program: Program, game: str, shares: tuple[int, ...], raw: int, marked: int) -> None:
    """A total ending in 0 to 4 is marked without its units, one ending in 5 to 9 as the next ten."""
    counted, _, after = played(program, game, shares, [SCORE, NEXT, SCORE])
    assert counted["score"]["points"] == [raw, 120 - raw]
    assert after["score"]["before"][0] == marked


@pytest.mark.parametrize("game", [HOMME, BROUC])
def test_75_and_45_make_80_and_50(program: Program, game: str) -> None:
    """When both totals end in 5 the deal gives out 130."""
    _, after = played(program, game, (30, 30, 15, 0), [NEXT, SCORE])
    assert after["score"]["before"] == [80, 50]


@pytest.mark.parametrize(("game", "trump", "plain"), [(HOMME, (98, -80), (156, -120)), (BROUC, (58, -40), (96, -60))])
def test_simple_marriages_on_the_table(
    program: Program, game: str, trump: tuple[int, int], plain: tuple[int, int]
) -> None:
    """King and queen in a trick give and take 80 in trump and 40 elsewhere, in Brouc half of it; 18 are the cards."""
    steps = [*plays(0, "AS KS QS 9S"), SCORE, *plays(0, "AH KH QH 9H"), SCORE, {"view": 1}]
    results = program.run(game, GRANDS, steps)
    assert results[4]["score"]["accounts"] == list(trump)
    assert results[9]["score"]["accounts"] == list(plain)
    assert results[10]["view"]["markers"] == [
        {"trick": 1, "suit": "S", "kind": "simple", "team": 0},
        {"trick": 2, "suit": "H", "kind": "simple", "team": 0},
    ]


@pytest.mark.parametrize(
    ("game", "trump", "plain"), [(HOMME, (140, -120), (220, -180)), (BROUC, (80, -60), (130, -90))]
)
def test_grand_marriages_on_the_table(
    program: Program, game: str, trump: tuple[int, int], plain: tuple[int, int]
) -> None:
    """With the jack they give and take 120 and 60, in Brouc half of it; 20 are the cards."""
    steps = [*plays(0, "AS KS QS JS"), SCORE, *plays(0, "AH KH QH JH"), SCORE, {"view": 1}]
    results = program.run(game, GRANDS, steps)
    assert results[4]["score"]["accounts"] == list(trump)
    assert results[9]["score"]["accounts"] == list(plain)
    assert results[10]["view"]["markers"][0] == {"trick": 1, "suit": "S", "kind": "grand", "team": 0}


@pytest.mark.parametrize(
    ("suit", "kind", "value"), [("H", "simple", 20), ("H", "grand", 30), ("S", "simple", 40), ("S", "grand", 60)]
)
@pytest.mark.parametrize("game", [HOMME, BROUC])
def test_marriages_in_hand(program: Program, game: str, suit: str, kind: str, value: int) -> None:
    """An announced marriage gives 20, 30, 40 or 60 to one team, not before its first trick and not twice."""
    said = act(0, "announce", {"suit": suit, "kind": kind})
    results = program.run(game, HOLDING, [said, *plays(0, "AC KC 9C 8C"), said, said, SCORE, {"view": 3}])
    assert [list(result) for result in results[:7]] == [["no"], ["ok"], ["ok"], ["ok"], ["ok"], ["ok"], ["no"]]
    assert results[7]["score"]["accounts"] == [15 + value, 0]
    assert results[8]["view"]["announced"] == [{"seat": 0, "suit": suit, "kind": kind}]


def test_the_moment_of_announcing(program: Program) -> None:
    """After the next card is led nothing may be announced in 1802, while in Brouc anything may."""
    late = act(0, "announce", {"suit": "H", "kind": "grand"})
    steps = [*plays(0, "AC KC 9C 8C"), *plays(0, "7C"), late]
    assert list(program.run(HOMME, HOLDING, steps)[-1]) == ["no"]
    assert list(program.run(BROUC, HOLDING, steps)[-1]) == ["ok"]


@pytest.mark.parametrize(
    ("game", "packets", "hand"),
    [
        (HOMME, [3, 3, 2], "AS KS QS TH 9H 8H AC KC"),
        (HOMME, [2, 3, 3], "AS KS AH KH QH TD 9D 8D"),
        (HOMME, [3, 2, 3], "AS KS QS TH 9H TD 9D 8D"),
        (BROUC, [1, 3, 4], "AS TS 9S 8S AD KD QD JD"),
    ],
)
def test_deals_in_packets(program: Program, game: str, packets: list[int], hand: str) -> None:
    """One deck gives other hands for other packets; the last card is the dealer's, turned up."""
    deal = act(3, "deal", {"deck": PACK, "packets": packets})
    results = program.run(game, {"dealer": 3}, [act(0, "deal", deal["act"]["deal"]), deal, {"view": 0}, {"view": 3}])
    assert [list(result) for result in results[:2]] == [["no"], ["ok"]]
    assert sorted(results[2]["view"]["hand"]) == sorted(hand.split())
    assert results[3]["view"]["turnup"] == {"card": "7C", "exposed": game == HOMME}
    assert "7C" in results[3]["view"]["hand"]
    assert results[3]["view"]["turn"] == 0


@pytest.mark.parametrize(("game", "packets"), [(HOMME, [1, 3, 4]), (HOMME, [4, 4]), (BROUC, [3, 3, 2])])
def test_deals_in_no_other_packets(program: Program, game: str, packets: list[int]) -> None:
    """The packets of the other game are refused."""
    results = program.run(game, {"dealer": 3}, [act(3, "deal", {"deck": PACK, "packets": packets})])
    assert list(results[0]) == ["no"]


@pytest.mark.parametrize("game", [HOMME, BROUC])
def test_the_left_neighbour_cuts(program: Program, game: str) -> None:
    """The dealer's left neighbour may cut once; the cards taken off go under the rest."""
    packets = [3, 3, 2] if game == HOMME else [1, 3, 4]
    steps = [act(0, "cut", 1), act(2, "cut", 32), act(2, "cut", 1), act(2, "cut", 1)]
    results = program.run(
        game, {"dealer": 3}, [*steps, act(3, "deal", {"deck": PACK, "packets": packets}), {"view": 3}]
    )
    assert [list(result) for result in results[:5]] == [["no"], ["no"], ["ok"], ["no"], ["ok"]]
    assert results[5]["view"]["turnup"]["card"] == "AS"


@pytest.mark.parametrize(
    ("game", "accounts", "worth"),
    [(HOMME, [230, 120], 1), (HOMME, [120, 230], 2), (BROUC, [230, 120], 2), (BROUC, [120, 230], 1)],
)
def test_a_wrong_claim(program: Program, game: str, accounts: list[int], worth: int) -> None:
    """It is judged by the claimants' own account in 1802 and by the slate of the others in Brouc."""
    results = program.run(game, HOLDING | {"accounts": accounts}, [*plays(0, "AC KC"), act(2, "claim"), SCORE])
    assert verdict(results[-1]) == ("claim-wrong", 1, worth)


# Worked examples of 1802 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "raw"),
    [
        ((30, 30, 5, 0), 65),
        ((30, 30, 6, 0), 66),
        ((30, 17, 17, 3), 67),
        ((30, 24, 14, 0), 68),
        ((30, 25, 14, 0), 69),
        ((30, 26, 14, 0), 70),
    ],
)
def test_230_and_up_to_70_go_on(program: Program, shares: tuple[int, ...], raw: int) -> None:
    """From 230, 65 to 70 points make 300, and the partie goes on."""
    counted, _, after = played(program, HOMME, shares, [SCORE, NEXT, SCORE], accounts=[230, 0])
    assert counted["score"]["accounts"][0] == 230 + raw
    assert after["score"]["before"][0] == 300
    assert after["score"]["parties"] == [0, 0]


@pytest.mark.parametrize(
    ("shares", "raw"),
    [
        ((30, 27, 14, 0), 71),
        ((30, 26, 16, 0), 72),
        ((30, 27, 16, 0), 73),
        ((30, 30, 14, 0), 74),
        ((30, 30, 15, 0), 75),
    ],
)
def test_230_and_71_win(program: Program, shares: tuple[int, ...], raw: int) -> None:
    """From 230, 71 points and more win the partie unrounded, and a new one begins at nothing."""
    counted, _, after = played(program, HOMME, shares, [SCORE, NEXT, SCORE], accounts=[230, 0])
    assert counted["score"]["accounts"][0] == 230 + raw
    assert verdict(counted) == ("partie", 0, 2)
    assert after["score"]["before"] == [0, 0]
    assert after["score"]["parties"] == [2, 0]


@pytest.mark.parametrize(
    ("shares", "others", "worth"),
    [((30, 26, 14, 0), 100, 1), ((30, 27, 14, 0), 100, 2), ((30, 26, 14, 0), -50, 2), ((30, 27, 14, 0), -50, 4)],
)
def test_simple_double_and_quadruple(program: Program, shares: tuple[int, ...], others: int, worth: int) -> None:
    """The losers' unrounded account, 150, 149, 0 or -1 with this deal's 50 or 49 points, makes 1, 2, 2 or 4 parties."""
    (counted,) = played(program, HOMME, shares, [SCORE], accounts=[240, others])
    assert verdict(counted) == ("partie", 0, worth)


@pytest.mark.parametrize(("tricks", "found"), [(3, ("claim-wrong", 1, 2)), (4, ("claim-right", 0, 4))])
def test_claims_at_300_and_380(program: Program, tricks: int, found: tuple[str, int, int]) -> None:
    """Three grand marriages make 300, one short; four make 380 against -300, a quadruple partie."""
    four = [plays(0, f"A{suit} K{suit} Q{suit} J{suit}") for suit in "SHDC"]
    results = program.run(HOMME, GRANDS, [*flat(four[:tricks]), act(2, "claim"), SCORE])
    assert verdict(results[-1]) == found


@pytest.mark.parametrize("accounts", [[0, 0], [170, 40]])
def test_a_vole_leaves_the_accounts(program: Program, accounts: list[int]) -> None:
    """Three parties, and all points of the deal are void."""
    start, tricks = boss()
    results = program.run(HOMME, start | {"accounts": accounts}, [*flat(tricks), SCORE, NEXT, SCORE])
    assert verdict(results[-3]) == ("vole", 0, 3)
    assert results[-1]["score"]["before"] == accounts
    assert results[-1]["score"]["parties"] == [3, 0]


@pytest.mark.parametrize(("account", "answer"), [(190, "ok"), (180, "no")])
def test_partie_et_vole_needs_190(program: Program, account: int, answer: str) -> None:
    """The player on lead may declare with 190, not with 180; nobody may before the first trick or after the fourth."""
    start, tricks = boss()
    said = act(0, "declare", "vole")
    steps = [said, *tricks[0], act(2, "declare", "vole"), said]
    results = program.run(HOMME, start | {"accounts": [account, 0]}, steps)
    assert [list(results[place]) for place in (0, 5, 6)] == [["no"], ["no"], [answer]]
    late = program.run(HOMME, start | {"accounts": [account, 0]}, [*flat(tricks[:5]), said])
    assert list(late[-1]) == ["no"]


@pytest.mark.parametrize(("others", "worth"), [(150, 4), (140, 5), (-10, 7)])
@pytest.mark.parametrize("lost", [None, 5, 6, 7, 8])
def test_partie_et_vole(program: Program, others: int, worth: int, lost: int | None) -> None:
    """It is worth 4, 5 or 7 parties by the opponents' account; the first lost trick gives them to the opponents."""
    start, tricks = boss(lost)
    steps = [*flat(tricks[:4]), act(0, "declare", "vole"), *flat(tricks[4:lost]), SCORE, NEXT, SCORE]
    results = program.run(HOMME, start | {"accounts": [200, others]}, steps)
    made = ("partie-et-vole-made", 0, worth) if lost is None else ("partie-et-vole-failed", 1, worth)
    assert verdict(results[-3]) == made
    assert results[-3]["score"]["accounts"][1] == others
    assert results[-1]["score"]["before"] == [0, 0]


@pytest.mark.parametrize("tricks", [1, 2, 3, 4])
def test_asking_for_a_stop(program: Program, tricks: int) -> None:
    """Accepted it ends the partie at the accounts of the moment; refused it binds the others to the vole."""
    start, made = boss()
    ask, yes, no = act(3, "stop"), act(2, "answer", value=True), act(2, "answer", value=False)
    position = start | {"accounts": [290, 100]}
    accepted = program.run(HOMME, position, [*flat(made[:tricks]), act(0, "stop"), ask, act(1, "answer"), yes, SCORE])
    assert [list(result) for result in accepted[-5:-1]] == [["no"], ["ok"], ["no"], ["ok"]]
    assert verdict(accepted[-1]) == ("stop", 0, 2)
    refused = program.run(HOMME, position, [*flat(made[:tricks]), ask, no, *flat(made[tricks:]), SCORE])
    assert verdict(refused[-1]) == ("partie-et-vole-made", 0, 5)
    start, failed = boss(tricks + 1)
    broken = program.run(
        HOMME, start | {"accounts": [290, 100]}, [*flat(failed[:tricks]), ask, no, *failed[tricks], SCORE]
    )
    assert verdict(broken[-1]) == ("partie-et-vole-failed", 1, 5)


@pytest.mark.parametrize(("account", "tricks"), [(280, 1), (300, 5), (300, 0)])
def test_no_asking_for_a_stop(program: Program, account: int, tricks: int) -> None:
    """There is nothing to ask with 291 (280 and an ace), after the fifth trick, or before the first."""
    start, made = boss()
    results = program.run(HOMME, start | {"accounts": [account, 0]}, [*flat(made[:tricks]), act(1, "stop")])
    assert list(results[-1]) == ["no"]


@pytest.mark.parametrize(("parties", "over"), [([9, 11], 0), ([8, 11], None)])
def test_the_match_goes_to_twelve(program: Program, parties: list[int], over: int | None) -> None:
    """The first team with twelve parties has won, even by a vole in the middle of a partie."""
    start, tricks = boss()
    results = program.run(HOMME, start | {"parties": parties}, [*flat(tricks), NEXT, SCORE, {"view": 0}])
    assert results[-2]["score"]["over"] == over
    assert results[-1]["view"]["phase"] == ("deal" if over is None else "over")


def test_the_lowest_card_in_piquet_order_deals(program: Program) -> None:
    """Ten is below the jack in the draw; those with equal lowest cards draw again."""
    steps = [act(seat, "draw", card) for seat, card in enumerate(["JH", "TC", "TS", "AD"])]
    again = [act(0, "draw", "7S"), act(1, "draw", "8D"), act(2, "draw", "9D"), {"view": 0}]
    results = program.run(HOMME, None, [*steps, *again])
    assert [list(result) for result in results[4:7]] == [["no"], ["ok"], ["ok"]]
    assert (results[7]["view"]["phase"], results[7]["view"]["dealer"]) == ("deal", 1)


# Worked examples of Brouc --------------------------------------------------------------------------------------------


def test_23_and_71_are_out(program: Program) -> None:
    """With 23 written and 71 points the claim is right, with 70 wrong; unclaimed 71 are written as 30."""
    claim = [act(0, "claim"), SCORE]
    assert verdict(played(program, BROUC, (30, 27, 14, 0), claim, accounts=[230, 150])[-1]) == ("claim-right", 0, 1)
    assert verdict(played(program, BROUC, (30, 26, 14, 0), claim, accounts=[230, 150])[-1]) == ("claim-wrong", 1, 1)
    silent = played(program, BROUC, (30, 27, 14, 0), [NEXT, SCORE], accounts=[230, 150])
    assert silent[-1]["score"]["before"] == [300, 200]
    assert silent[-1]["score"]["coches"] == [0, 0]


@pytest.mark.parametrize(("others", "worth"), [(150, 1), (140, 2), (-50, 2)])
@pytest.mark.parametrize(("own", "winner"), [(310, 0), (300, 1)])
def test_a_claim_costs_what_the_others_write(program: Program, others: int, worth: int, own: int, winner: int) -> None:
    """One tick if the others write 15 or more, two below, for them if it is right and for the claimants if wrong."""
    results = program.run(
        BROUC, {"dealer": 3, "accounts": [own, others]}, [act(0, "claim"), SCORE, NEXT, SCORE, {"view": 0}]
    )
    assert verdict(results[1])[1:] == (winner, worth)
    assert results[3]["score"]["coches"] == ([0, worth] if winner == 0 else [worth, 0])
    assert results[3]["score"]["before"] == [0, 0]
    assert results[4]["view"]["dealer"] == 3


def test_a_plain_cape(program: Program) -> None:
    """Two ticks; the slate stays, although 19 and 120 would have been out, and so does what was announced."""
    start, tricks = boss()
    said = act(0, "announce", {"suit": "S", "kind": "simple"})
    steps = [*tricks[0], said, *flat(tricks[1:]), act(0, "claim"), SCORE, NEXT, SCORE]
    results = program.run(BROUC, start | {"accounts": [190, 100]}, steps)
    assert results[4] == OK
    assert list(results[-4]) == ["no"]
    assert verdict(results[-3]) == ("cape", 0, 2)
    after = results[-1]["score"]
    assert (after["before"], after["carry"], after["coches"]) == ([190, 100], [40, 0], [0, 2])


def test_a_slate_above_300_outlives_a_cape(program: Program) -> None:
    """Who wrote 31 before a cape may still say so after it; the marriages that it took on the table cost nothing."""
    start = hands(
        "AS AH AD AC TS TH TD TC", "KS KH KD KC 7S 7H 7D 7C", "QS QH QD QC 8S 8H 8D 8C", "JS JH JD JC 9H 9D 9C 9S"
    )
    steps = flat([plays(0, " ".join(rank + suit for rank in ranks)) for ranks in ("AKQJ", "T789") for suit in "SHDC"])
    results = program.run(BROUC, start | {"accounts": [0, 310]}, [*steps, act(2, "claim"), act(1, "claim"), SCORE])
    assert [list(result) for result in results[-3:-1]] == [["no"], ["ok"]]
    assert verdict(results[-1]) == ("claim-right", 1, 2)


@pytest.mark.parametrize(
    ("accounts", "call", "answer"),
    [
        ([190, 150], "cape-dehors", "ok"),
        ([180, 150], "cape-dehors", "no"),
        ([190, 140], "pas-dedouble", "ok"),
        ([190, 150], "pas-dedouble", "no"),
        ([180, 140], "pas-dedouble", "no"),
    ],
)
def test_who_may_call_a_cape(program: Program, accounts: list[int], call: str, answer: str) -> None:
    """It takes 19 on the slate, and 14 at most on that of the others to deny them the single mark."""
    start, _ = boss()
    assert list(program.run(BROUC, start | {"accounts": accounts}, [act(2, "declare", call)])[0]) == [answer]


def test_a_cape_is_called_in_time(program: Program) -> None:
    """A player may call it before his own card to the seventh trick, even in that trick, and not with one card."""
    start, tricks = boss()
    call = act(2, "declare", "cape-dehors")
    steps = flat(tricks[:7])
    assert list(program.run(BROUC, start | {"accounts": [190, 0]}, [*steps[:26], call])[-1]) == ["ok"]
    assert list(program.run(BROUC, start | {"accounts": [190, 0]}, [*steps[:27], call])[-1]) == ["no"]
    start, tricks = boss(2)
    lost = program.run(BROUC, start | {"accounts": [190, 0]}, [*flat(tricks[:2]), call])
    assert list(lost[-1]) == ["no"]


@pytest.mark.parametrize(("call", "worth"), [("cape-dehors", 3), ("pas-dedouble", 4)])
@pytest.mark.parametrize("lost", [None, 2, 8])
def test_a_called_cape(program: Program, call: str, worth: int, lost: int | None) -> None:
    """Three ticks, or four, for the others if all tricks are made, for the callers at the first one lost."""
    start, tricks = boss(lost)
    steps = [act(0, "declare", call), *flat(tricks[:lost]), SCORE, NEXT, SCORE]
    results = program.run(BROUC, start | {"accounts": [190, 100]}, steps)
    assert verdict(results[-3]) == ((f"{call}-made", 0, worth) if lost is None else (f"{call}-failed", 1, worth))
    assert results[-1]["score"]["before"] == [0, 0]
    assert results[-1]["score"]["coches"] == ([0, worth] if lost is None else [worth, 0])


@pytest.mark.parametrize(("coches", "over"), [([4, 3], 0), ([4, 2], None)])
def test_five_ticks_lose_the_match(program: Program, coches: list[int], over: int | None) -> None:
    """The match is over as soon as a party has five ticks."""
    start, tricks = boss()
    results = program.run(BROUC, start | {"coches": coches}, [*flat(tricks), NEXT, SCORE])
    assert results[-1]["score"]["over"] == over


def surrounded(before: str, hand: str) -> tuple[Json, list[Json]]:
    """A deal in which cards lie before a player with these trumps or these cards; diamonds are with seat 0."""
    lying = before.split()
    held: list[list[str]] = [[card] for card in lying] + [[] for _ in range(4 - len(lying))]
    held[len(lying)] = hand.split()
    rest = [card for card in PACK if card not in lying and card not in hand.split()]
    places = {"S": [3], "D": [0] if before.startswith("7D") else [3, 2, 1, 0], "H": [2, 1, 0, 3], "C": [1, 2, 0, 3]}
    for card in rest:
        held[next(seat for seat in [*places[card[1]], 1, 2, 0] if len(held[seat]) < 8)].append(card)
    return hands(*map(" ".join, held)), plays(0, before)


@pytest.mark.parametrize(
    ("before", "hand", "open_"),
    [
        ("KS", "AS QS", "AS QS"),
        ("KS", "AS JS", "AS"),
        ("KS", "AS QS 7S", "AS QS"),
        ("KS", "TS QS", "TS QS"),
        ("TS", "AS KS", "AS"),
        ("QS TS", "AS KS", "AS KS"),
        ("KS QS", "AS JS", "AS JS"),
        ("AS", "KS 7S", "KS 7S"),
        ("7D AS", "TS 7C", "7C"),
        ("7D KS", "AS QS 7C", "AS 7C"),
        ("7D", "TS 7C", "TS 7C"),
    ],
)
def test_trumps_are_beaten(program: Program, before: str, hand: str, open_: str) -> None:
    """A trump must beat the trumps before it, unless none can or it completes a marriage where trump is a duty."""
    start, steps = surrounded(before, hand)
    results = program.run(BROUC, start, [*steps, {"legal": len(steps)}])
    assert results[:-1] == [OK] * len(steps)
    assert sorted(set(results[-1]["legal"]["play"]) & set(hand.split())) == sorted(open_.split())


@pytest.mark.parametrize(
    ("game", "ruff", "hand", "open_"),
    [
        (BROUC, "AS", "KS QS JS TS 9S 8S", "KS QS JS TS 9S 8S"),
        (BROUC, "JS", "AS KS QS TS 9S 8S", "AS KS QS TS"),
        (HOMME, "JS", "AS KS QS TS 9S 8S", "AS KS QS TS 9S 8S"),
    ],
)
def test_a_hand_of_trumps_alone(program: Program, game: str, ruff: str, hand: str, open_: str) -> None:
    """It must beat a ruff if it can and is free if not; in 1802 it is free anyway."""
    start = hands("AD KD QD JD TD 9D 8D 7D", f"{ruff} AH KH QH JH TH 9H AC", f"{hand} 7H 8H", "KC QC JC TC 9C 8C 7C 7S")
    steps = [*plays(0, "AD 9H 7H 7C"), *plays(0, "KD TH 8H 8C"), *plays(0, f"7D {ruff}")]
    assert sorted(program.run(game, start, [*steps, {"legal": 2}])[-1]["legal"]["play"]) == sorted(open_.split())


# Whole matches -------------------------------------------------------------------------------------------------------

LONGEST = 10_000
WEIGHT = {"play": 60, "announce": 8, "answer": 30, "next": 8, "deal": 30, "draw": 5, "lot": 5, "stop": 4, "declare": 6}
CLAIMED = {"deal", "claim-right", "claim-wrong"}
KINDS = {
    HOMME: CLAIMED | {"vole", "partie", "stop", "partie-et-vole-made", "partie-et-vole-failed"},
    BROUC: CLAIMED
    | {"cape", *(f"{call}-{end}" for call in ("cape-dehors", "pas-dedouble") for end in ("made", "failed"))},
}


def ordered(value: Any) -> str:
    """JSON with the keys of each object in one order."""
    return json.dumps(value, sort_keys=True)


def plain(value: Any) -> Any:
    """An answer with the choices of each act in one order."""
    if isinstance(value, dict) and set(value) == {"legal"}:
        return {
            name: sorted(map(ordered, choices)) if isinstance(choices, list) else choices
            for name, choices in value["legal"].items()
        }
    return "refused" if isinstance(value, dict) and "no" in value else value


class Match:
    """A random match at an oracle's table, told as the steps of a script and what each must answer."""

    def __init__(self, game: str, seed: int) -> None:
        self.chance = random.Random(f"{game} {seed}")
        self.game = game
        self.start: Json | None = None
        self.steps: list[Json] = []
        self.expected: list[Any] = []
        self.kinds: Counter[str] = Counter()
        if seed % 2:
            self.start = {"dealer": self.chance.randrange(4), "accounts": [self.account(), self.account()]}
            self.start["parties" if game == HOMME else "coches"] = [self.chance.randrange(4), self.chance.randrange(4)]
            if game == BROUC:
                self.start["carry"] = [self.chance.choice([0, 0, 20, 60]), self.chance.choice([0, 0, 40])]
        renamed = {"parties" if key == "coches" else key: value for key, value in (self.start or {}).items()}
        self.oracle = load(game.replace("-", "_")).Match(f"{game}@{EDITION[game]}", {}, **renamed)
        self.strong = self.chance.randrange(2)

    def until(self, place: int) -> str:
        """The story up to a step, for the reader of a failure."""
        done = [step for step, answer in zip(self.steps[:place], self.expected, strict=False) if answer == OK]
        return f"start {self.start}\n{json.dumps(done)}\nstep {self.steps[place]}: oracle {self.expected[place]}"

    def account(self) -> int:
        """An account within reach of everything."""
        return 10 * self.chance.choice([-8, 0, 10, 14, 15, 19, 22, 26, 28, 30])

    def ask(self, name: str, value: object, answer: object) -> None:
        """Add a question and what the oracle says."""
        self.steps.append({name: value})
        self.expected.append(plain({name: answer}))

    def tell(self) -> None:
        """Play until the match is over or the script is full."""
        while len(self.steps) < LONGEST - 10:
            for seat in range(4):
                self.ask("legal", seat, self.oracle.legal(seat))
            for seat in {self.chance.randrange(4), self.chance.randrange(4)}:
                self.ask("view", seat, self.oracle.view(seat))
            score = self.oracle.score()
            self.ask("score", value=True, answer=score)
            self.kinds[str(score["result"])] += 1
            if self.oracle.over:
                return
            seat, act = self.attempt() if self.chance.random() < 0.25 else self.choose(score)
            self.steps.append({"by": seat, "act": act})
            self.expected.append(OK if self.oracle.act(seat, act) else "refused")

    def choose(self, score: Json) -> tuple[int, Json]:
        """An act that is legal; wrong claims are rare."""
        found: list[tuple[int, str, Any]] = []
        weights: list[float] = []
        for seat in range(4):
            for name, choices in self.oracle.legal(seat).items():
                right = score["accounts"][seat % 2] > 300
                found.append((seat, name, choices))
                weights.append((3 if right else 0.05) if name == "claim" else WEIGHT.get(name, 1))
        seat, name, choices = self.chance.choices(found, weights)[0]
        return seat, {name: self.value(seat, name, choices)}

    def value(self, seat: int, name: str, choices: Any) -> Any:
        """One of the choices of an act; a strong team plays its highest cards."""
        if name == "cut":
            return self.chance.randint(choices["min"], choices["max"])
        if name == "deal":
            self.strong = self.chance.randrange(4)
            packets = self.chance.choice(choices["packets"])
            return {"deck": self.deck(seat, packets), "packets": packets}
        if name == "play" and self.strong == seat % 2:
            return max(choices, key=lambda card: "789JQKTA".index(card[0]))
        return self.chance.choice(choices)

    def deck(self, dealer: int, packets: Sequence[int]) -> list[str]:
        """A shuffled deck; often one team gets a long suit and nearly all high cards."""
        cards = self.chance.sample(PACK, len(PACK))
        if self.strong > 1:
            return cards
        long = self.chance.choice("SHDC")
        cards.sort(key=lambda card: "789JQKTA".index(card[0]) + 5 * (card[1] == long) + 2 * self.chance.random())
        piles = {self.strong: cards[16:], 1 - self.strong: cards[:16]}
        for pile in piles.values():
            self.chance.shuffle(pile)
        seats = [(dealer + place) % 4 for _ in packets for place in range(1, 5)]
        sizes = [size for size in packets for _ in range(4)]
        return [piles[seat % 2].pop() for seat, size in zip(seats, sizes, strict=True) for _ in range(size)]

    def attempt(self) -> tuple[int, Json]:
        """An act that may well be refused."""
        suit, kind = self.chance.choice("SHDC"), self.chance.choice(["simple", "grand"])
        acts: list[Json] = [
            *({"play": card} for card in self.chance.sample(PACK, 6)),
            {"draw": self.chance.choice(PACK)},
            {"announce": {"suit": suit, "kind": kind}},
            {"declare": self.chance.choice(["vole", "cape-dehors", "pas-dedouble"])},
            {"cut": self.chance.randint(-1, 33)},
            {"deal": {"deck": PACK, "packets": self.chance.choice([[3, 3, 2], [1, 3, 4], [8]])}},
            {"answer": self.chance.choice([True, False])},
            {"stop": True},
            {"mark": 1},
            {"next": True},
        ]
        return self.chance.randrange(4), self.chance.choice(acts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seeds"),
    [
        pytest.param(HOMME, [9, 13, 19, 21], id=HOMME),
        pytest.param(BROUC, [5, 7, 9, 11, 17, 28], id=BROUC),
        pytest.param(HOMME, range(30), marks=pytest.mark.thorough, id=f"{HOMME}-many"),
        pytest.param(BROUC, range(30), marks=pytest.mark.thorough, id=f"{BROUC}-many"),
    ],
)
def test_plays_like_the_oracle(program: Program, game: str, seeds: Sequence[int]) -> None:
    """In random matches the same acts are open, the same are refused, and views and scores are equal throughout."""
    kinds: Counter[str] = Counter()
    for match in (Match(game, seed) for seed in seeds):
        match.tell()
        kinds += match.kinds
        for place, result in enumerate(program.run(game, match.start, match.steps)):
            assert plain(result) == match.expected[place], match.until(place)
    assert KINDS[game] <= set(kinds)
