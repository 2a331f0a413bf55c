"""`brou verify --games`: a program judged by deals that it played, whole or as one seat saw them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from brou import Chance, Game, Machine, Refusal, State, choose, load_changed, rules, spread
from brou.compiler.playing import draw_act
from brou.games.changes import changes
from brou.interpreter.dealing import begin
from brou.validation import compile_schema
from brou_conformance.protocol import schema
from brou_tools.cli import main
from brou_tools.fuzz.drawing import MatchSetting, draw_match

Judged = Callable[..., tuple[int, dict[str, Any]]]
#: A deal of Brouc to its end, in tricks: seat 0 follows suit throughout.
TRICKS = ["2: TD JD KD 7D", "2: 9C QC 8C TC", "1: 8S TS QS AS", "0: 7H 9H TH KH"]


@pytest.fixture
def judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Judged:
    """Return what judges a log and gives the exit code and the report on its edition."""

    def judge(log: object, *more: str, name: str = "log.yaml") -> tuple[int, dict[str, Any]]:
        path = tmp_path / name
        text = "\n".join(map(json.dumps, log)) if isinstance(log, list) else json.dumps(log)
        path.write_text(text, encoding="utf-8")
        code = main(["verify", "--games", str(path), "--json", *more])
        said = capsys.readouterr()
        if code == 2:
            return code, {"error": said.err}
        document = json.loads(said.out)
        assert list(compile_schema(schema("report")).iter_errors(document)) == []
        return code, document["runs"][0]

    return judge


def play(game: Game, start: Mapping[str, Any], seed: int) -> Iterator[tuple[int, dict[str, Any], Any]]:
    """Yield the acts of a deal by some rules, each with the score before it."""
    machine, chance = Machine(game), Chance(seed)
    state: State = begin(machine, start)
    while (drawn := _draw(machine, state, chance)) is not None:
        yield (*drawn, machine.score(state))
        after = machine.act(state, *drawn)
        assert not isinstance(after, Refusal)
        state = after
        if "next" in drawn[1]:
            yield -1, {}, machine.score(state)
            return


def write_log(name: str, number: int, game: Game | None = None, seat: int | None = None) -> dict[str, Any]:
    """Return a log of some deals by the rules of a name, or by changed ones; of one seat with its hand alone."""
    games = []
    setting = MatchSetting((choose(name),), whole=False)
    for seed in range(number):
        start = dict(draw_match(setting, seed).start)
        choice = setting.choices[0]
        acts = list(play(game or rules(choice), start, seed))
        given = {key: start.pop(key) for key in [*start] if key in rules(choice).start.given and key != "dealer"}
        start.pop("deck", None)
        if seat is not None:
            start["hands"] = {str(seat): start["hands"][str(seat)]}
            start.pop("stock", None)
        deal = {"deal": start, "steps": [{"by": by, "act": act} for by, act, _ in acts if act]}
        if acts and acts[-1][0] == -1:
            deal["written"] = {"accounts": acts[-1][2]["accounts"]}
        games.append({"start": given, "deals": [deal]})
    return {"program": "my-site", "rules": name, "games": games}


def _draw(machine: Machine, state: State, chance: Chance) -> tuple[int, dict[str, Any]] | None:
    """Return a random act, seldom a claim, so that deals are played out."""
    drawn = None
    for _ in range(20):
        drawn = draw_act(machine, state, chance)
        if drawn is None or "claim" not in drawn[1]:
            break
    return drawn


@pytest.mark.slow
@pytest.mark.parametrize("name", [str(spread(name)[0]) for name in ("brouc", "brusquembille", "hombre")])
def test_a_log_of_right_play_is_not_accused(name: str, judged: Judged) -> None:
    """Every act and score is judged; what the rules refuse and nobody tried is counted as unasked."""
    code, run = judged(write_log(name, 6))

    assert (code, run["verdict"], run["cases"]["pass"]) == (0, "follows", 6)
    assert run["engine"]["name"] == "my-site"
    assert run["played"]["acts"] > 60
    assert run["skills"]["play"].get("unasked", 0) == run["played"]["refusals"]


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", [str(spread(name)[0]) for name in ("brouc", "brusquembille", "homme-d-auvergne")])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_log_as_one_seat_saw_it_is_not_accused(name: str, seat: int, judged: Judged) -> None:
    """What hangs on cards that it did not see is said, and not guessed."""
    code, run = judged(write_log(name, 4, seat=seat))

    assert (code, run["verdict"]) == (0, "follows")
    assert run["played"]["hidden"] or run["cases"]["pass"] == 4


@pytest.mark.slow
def test_a_changed_rule_is_found_in_a_log(judged: Judged) -> None:
    """The root is the change by which the deals were played."""
    choice = choose("brouc@2022")
    change = next(one for one in changes(rules(choice)) if (one.before, one.after) == ("K 4, Q 3", "K 3, Q 4"))
    code, run = judged(write_log("brouc@2022", 8, load_changed(choice, [change])))

    assert (code, run["verdict"]) == (1, "deviates")
    assert run["roots"][0]["clauses"][0] == "brouc.value.01"
    assert run["roots"][0]["brief"]


@pytest.mark.slow
def test_a_reading_is_found_in_a_log(judged: Judged) -> None:
    """What the deals show is inferred, and nothing is accused."""
    code, run = judged(write_log("brouc@2022", 40, rules(choose("brouc@2022[marriage_exception=potential]"))))

    assert (code, run["verdict"]) == (0, "follows-readings")
    assert "potential" in run["readings"]["inferred"]["marriage_exception"]


DEAL = {
    "deal": {
        "dealer": 1,
        "hands": {
            "0": "AS JH 7H KD QD JC 8C 7C",
            "Beat": ["9s", "8S", "H9", "A♦", "9♦", "7♦", "KC", "10C"],
            "2": ["JS", "TS", "AH", "TH", "TD", "8D", "AC", "9C"],
            "3": ["KS", "QS", "7S", "KH", "QH", "8H", "JD", "QC"],
        },
        "turnup": "9H",
    },
    "steps": [*TRICKS[:1], {"play": TRICKS[1]}, {"by": "Beat", "play": "8S"}, {"winner": "Beat"}],
}
GAME = {"rules": "homme-de-brou@1802", "players": ["Anna", "Beat", "Claire", "Denis"], "deals": [DEAL]}


def test_cards_seats_and_tricks_are_read_as_people_write_them(judged: Judged) -> None:
    """Symbols, small letters, `10`, suits first, names for seats; a trick is a line or a step a card."""
    code, run = judged(GAME)
    assert (code, run["cases"]["pass"]) == (0, 1)


@pytest.mark.slow
@pytest.mark.usefixtures("unexplained")
def test_where_judging_stops_is_told(judged: Judged) -> None:
    """With the step and its line, and with the first deal of the game that cannot be judged for it."""
    revoke = {**DEAL, "steps": [*DEAL["steps"], {"by": 2, "play": "8D"}, {"by": 3, "play": "7S"}]}
    code, run = judged({**GAME, "deals": [revoke, {"deal": {"dealer": 2}}, {"deal": {"dealer": 3}}]})
    told = [re.sub(r"\(\S+/log.yaml:1:\d+\)", "(PLACE)", note) for note in run["notes"] if note.startswith("judging")]

    assert code == 1
    assert told == [
        "judging of deal 1.1 stopped at 1.1#s11 (PLACE), an act that the rules refuse",
        "judging of game 1 stopped at deal 1.2 (PLACE), for no sheet says how the one before it ended",
    ]


def test_a_game_judged_to_its_end_has_no_stop(judged: Judged) -> None:
    """Be its last deal unfinished."""
    _, run = judged(GAME)

    assert not [note for note in run["notes"] if note.startswith("judging")]


def test_a_line_of_json_a_game(judged: Judged) -> None:
    """With a head for all of them, or without."""
    head = {"rules": GAME["rules"], "players": GAME["players"], "program": "app", "version": "3"}
    code, run = judged([head, {"deals": [DEAL]}, GAME], name="log.ndjson")

    assert (code, run["cases"]["pass"]) == (0, 2)
    assert run["engine"] == {"name": "app", "version": "3"}


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_what_the_log_shows_beside_acts_is_judged(judged: Judged) -> None:
    """A refusal that was seen, a list of acts, a view and a score."""
    shown = [
        TRICKS[0],
        {"by": 3, "refused": {"play": "KS"}, "code": "not_your_turn"},
        {"by": 2, "legal": {"play": ["TS", "JS", "AH", "TH", "8D", "AC", "9C"]}},
        {"by": 2, "view": {"turn": 2}},
        {"score": {"accounts": [25, 0]}},
    ]
    code, run = judged({**GAME, "deals": [{**DEAL, "steps": shown}]})

    assert code == 1
    assert [one["wanted"] for one in run["failures"]] == [run["failures"][0]["wanted"]]
    assert run["played"]["seen_refusals"] == 1
    assert "accounts" in run["failures"][0]["said"]


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_a_revoke_shows_when_the_card_comes(judged: Judged) -> None:
    """As one seat saw it: another one does not follow, and plays a card of the suit later."""
    deal = {
        "deal": {"dealer": 3, "hands": {"0": "AH KH QH 7D 8D 9D TD JD"}, "turnup": "7S"},
        "steps": ["0: AH 7C 8H 9H", "0: KH TH JH KS"],
    }
    code, run = judged({"rules": "brouc@2022", "deals": [deal]})
    (failure,) = run["failures"]

    assert code == 1
    assert failure["question"] == "then 1: 7C"
    assert failure["clauses"][0]["id"] == "brouc.play.01"


def test_what_may_have_been_legal_is_no_fault(judged: Judged) -> None:
    """Without the later card nobody knows whether seat 1 could have followed."""
    deal = {
        "deal": {"dealer": 3, "hands": {"0": "AH KH QH 7D 8D 9D TD JD"}, "turnup": "7S"},
        "steps": ["0: AH 7C 8H 9H", "0: KH"],
    }
    code, run = judged({"rules": "brouc@2022", "deals": [deal]})

    assert (code, run["verdict"]) == (0, "follows")
    assert run["played"]["hidden"] >= 1


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ({"deals": []}, "a game without `rules`"),
        ({"rules": "brouc@2022"}, "no game; write `rules:` and `deals:`"),
        ({"rules": "brouc@2022", "games": [{}]}, "a game without `deals`"),
        ({"rules": "brouk", "deals": [{}]}, "brouk"),
        ({**GAME, "deels": []}, "did you mean 'deals'?"),
        ({**GAME, "deals": [{**DEAL, "steps": ["2: TD JD XD"]}]}, "'XD' is no card of this game"),
        ({**GAME, "deals": [{**DEAL, "steps": ["Ann: TD"]}]}, "'Ann' is no seat"),
        ({**GAME, "deals": [{**DEAL, "steps": ["TD JD"]}]}, "is no trick"),
        ({**GAME, "deals": [{**DEAL, "steps": [{"play": "TD", "by": 9}]}]}, "'9' is no seat"),
        ({**GAME, "deals": [{**DEAL, "steps": [{"by": 1, "fold": True}]}]}, "a step without an act"),
        ({**GAME, "deals": [{**DEAL, "steps": [{"by": 1, "act": {"fold": 1}}]}]}, "'fold' is no act of this game"),
        ({**GAME, "deals": [{"short": {"points": [1, 2]}}]}, "only the sheet is known"),
        ({**GAME, "deals": [{"deal": {"dealer": 0, "hands": {"0": "AS AS"}}, "steps": []}]}, "deal 1.1"),
        ({**GAME, "deals": [DEAL, DEAL]}, "is not over"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(log: object, said: str, judged: Judged) -> None:
    """File, line and column, what is wrong, and mostly what to write."""
    code, run = judged(log)

    assert code == 2
    assert said in run["error"]
    assert "log.yaml:1:" in run["error"] or "brouk" in said


def test_a_broken_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its number."""
    path = tmp_path / "log.ndjson"
    path.write_text(json.dumps(GAME) + '\n{"rules": \n', encoding="utf-8")

    assert main(["verify", "--games", str(path)]) == 2
    assert "log.ndjson:2:1: no JSON" in capsys.readouterr().err


def test_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    """It is said what is wanted."""
    assert main(["verify", "--games", "no-such.yaml"]) == 2
    assert "played deals" in capsys.readouterr().err


def test_options_that_ask_a_program_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody is there to be asked."""
    with pytest.raises(SystemExit):
        main(["verify", "--games", "x.yaml", "--", "program"])
    assert "--games judges played deals" in capsys.readouterr().err
