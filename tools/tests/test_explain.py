"""Explaining: what people read in three languages, the document for programs, and what cannot be asked.

The golden texts were read line by line, in each language, when they were written down; whoever changes one reads it
again. There is no switch that writes them anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from brou import Choice, choose, rules
from brou.answers.explain_route import ActRoute, explain
from brou.games.folder import root
from brou.language.schema import validator
from brou.reasons.explanation import Question
from brou.shapes import write_object
from brou.words.documents import document_explanation
from brou.words.wording import Words
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.script import machine, spell
from brou_tools.cli import main
from brou_tools.explain.command import _move, _question

GOLDEN = Path(__file__).parent / "golden"
TEXTS = sorted(path for name in ("explain", "score") for path in GOLDEN.glob(f"{name}-*.txt"))
#: The first line of a golden text is the command that writes the rest; files are those of the folder.
_COMMAND = re.compile(r"\$ brou (.*)\n")


def ended(arguments: list[str]) -> int:
    """Return the exit code of a command, usage errors included."""
    try:
        return main(arguments)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else -1


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_golden_text(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The command in the first line writes the lines below it."""
    wanted = path.read_text(encoding="utf-8")
    command = _COMMAND.match(wanted)
    assert command is not None
    monkeypatch.chdir(GOLDEN)
    ended(command[1].split())
    shown = capsys.readouterr()

    assert shown.out + shown.err == wanted[command.end() :], (
        f"read the new text of `brou {command[1]}`; if each sentence is right, put it below the head of {path.name}"
    )


def test_there_are_golden_texts_in_every_language() -> None:
    """Of both commands, in three languages."""
    commands = [_COMMAND.match(path.read_text(encoding="utf-8")) for path in TEXTS]
    found = {(command[1].split()[0], command[1].split()[2]) for command in commands if command}

    assert found == {(name, lang) for name in ("explain", "score") for lang in ("en", "fr", "de")}


def document(choice: Choice, script: ActRoute, question: Question) -> Mapping[str, Any]:
    """Return an explanation as data in one language."""
    return write_object(document_explanation(explain(choice, script, question), Words(rules(choice), "en")))


def asked() -> Iterator[str]:
    """Yield a step of each verb of both games, and steps that readings decide."""
    for game in ("brouc", "homme-de-brou"):
        verbs: dict[str, int] = {}
        for one in corpus.scenarios(game):
            for line in one.steps(machine(choose(game)).game.seats):
                many = verbs.setdefault(line.verb, 0)
                if many < 2 and not one.editions and not one.premise and "." not in line.id:
                    verbs[line.verb] = many + 1
                    yield f"{one.id}#{line.id}"


ASKED = list(asked())


def one_in_so_many(some: int, most: int) -> pytest.MarkDecorator:
    """Run a test with some scenarios of a game, and with most of them before something is called done."""
    return pytest.mark.parametrize("skip", [some, pytest.param(most, marks=pytest.mark.thorough)])


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("subject", ASKED)
def test_the_document_has_the_shape_of_its_schema(subject: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One document, with one entry a game."""
    assert ended(["explain", "--json", "--lang", "en", subject]) == 0
    document = json.loads(capsys.readouterr().out)
    found = validator(root() / "schemas" / "explanation.schema.json").iter_errors(document)

    assert [error.message for error in found] == []
    assert document["games"][0]["subject"] == subject


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("game", ["brouc", "homme-de-brou"])
def test_an_act_is_explained_as_it_is_judged(game: str) -> None:
    """Under every act of the corpus, allowed is what the scenario accepts, and the code is the one that it expects."""
    seen = 0
    for one in corpus.scenarios(game)[::7]:
        if one.editions or one.premise or not one.deal:
            continue
        choice = choose(game)
        script = spell(one, choice)
        acts = [number for number, step in enumerate(script.steps) if step.verb == "act"]
        wishes = {number: script.steps[number].choose_pattern(dict(choice.readings)) for number in acts}
        refused = [number for number, wish in wishes.items() if wish is not None and wish.key == "no"]
        for number in refused[:1]:
            moves = tuple(_move(step) for step in script.steps[:number] if step.verb == "act")
            found = document(choice, ActRoute(script.start, moves), _question(script.steps[number]))
            wanted = wishes[number]
            assert wanted is not None
            (entry,) = found["entries"]
            assert not entry["allowed"], one.id
            assert wanted.value in (True, entry["code"]), one.id
            assert entry["because"], one.id
            assert entry["clauses"] or entry["code"] in ("not_available", "no_such_card"), one.id
            seen += 1

    assert seen > 5


@pytest.mark.slow
@pytest.mark.parametrize("game", ["brouc", "homme-de-brou"])
def test_a_step_that_a_reading_decides_names_the_reading(game: str) -> None:
    """Where a scenario expects something else under each value of a reading, the explanation says so too."""
    seen = 0
    for one in corpus.scenarios(game):
        if one.editions or one.premise or not one.deal or seen >= 6:
            continue
        choice = choose(game)
        script = spell(one, choice)
        number = next(
            (n for n, step in enumerate(script.steps) if step.reading and step.verb in ("act", "legal")), None
        )
        if number is None:
            continue
        step = script.steps[number]
        moves = tuple(_move(before) for before in script.steps[:number] if before.verb == "act")
        found = document(choice, ActRoute(script.start, moves), _question(step))
        told = {(item["key"], item["value"]) for entry in found["entries"] for item in entry["readings"]}
        told |= {(item["key"], item["value"]) for item in found["unreached"]}
        here = step.values[dict(choice.readings)[step.reading]]
        other = {(step.reading, value) for value, pattern in step.values.items() if pattern != here}
        assert other & told, one.id
        seen += 1

    assert seen >= 3


@pytest.mark.slow
def test_a_reading_that_the_score_alone_asks_is_named() -> None:
    """What the play never asks and a figure is read by belongs to what was asked for the figure."""
    choice = choose("hombre")
    one = next(one for one in corpus.scenarios("hombre") if one.id == "omb.points.demande-a-pique-won")
    script = spell(one, choice)
    number = next(number for number, step in enumerate(script.steps) if step.id == "points")
    moves = tuple(_move(step) for step in script.steps[:number] if step.verb == "act")
    found = explain(choice, ActRoute(script.start, moves), Question("score"))

    assert {other.key for entry in found.entries for other in entry.readings} == {"contract_points"}


@pytest.mark.sampled(2)
@pytest.mark.slow
@one_in_so_many(90, 40)
@pytest.mark.parametrize("game", ["brouc", "homme-de-brou"])
def test_readings_that_are_not_tried_change_nothing(game: str, skip: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If every other value of every reading is tried, no other reading turns out to matter."""
    found: list[list[Any]] = []
    for everything in (False, True):
        if everything:
            monkeypatch.setattr("brou.games.readings._matters", lambda *_: True)
        found.append([])
        for one in [one for one in corpus.scenarios(game) if not one.editions and not one.premise][::skip]:
            choice = choose(game)
            script = spell(one, choice)
            moves = tuple(_move(step) for step in script.steps[:-1] if step.verb == "act")
            told = document(choice, ActRoute(script.start, moves), _question(script.steps[-1]))
            found[-1].append([told["unreached"], [entry["readings"] for entry in told["entries"]]])

    assert found[0] == found[1]
    assert len(found[0]) > 2


@pytest.mark.sampled(2)
@pytest.mark.slow
@one_in_so_many(25, 5)
@pytest.mark.parametrize("game", ["brouc", "homme-de-brou"])
def test_nothing_is_told_as_it_is_written(game: str, skip: int) -> None:
    """Every condition of these games that the corpus meets has words: no raw expression is shown."""
    raw: set[str] = set()
    seen = 0
    for one in corpus.scenarios(game)[::skip]:
        if one.editions or one.premise or not one.deal:
            continue
        seen += 1
        choice = choose(game)
        script = spell(one, choice)
        moves = tuple(_move(step) for step in script.steps[:-1] if step.verb == "act")
        found = document(choice, ActRoute(script.start, moves), _question(script.steps[-1]))
        raw |= {text for text in _told(found) if re.search(r"==|>=|\w\(\w|\w\[\w", text)}

    assert seen > 5
    assert raw == set()


def _told(value: Any) -> Iterator[str]:
    """Yield every reason and every name of a figure in an explanation."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("because", "what") and isinstance(item, str):
                yield item
            else:
                yield from _told(item)
    elif isinstance(value, list):
        for item in value:
            yield from _told(item)


POSITION = {"format": "brou-position/1", "rules": "brouc", "before": {"accounts": [0, 0]}, "deal": {"dealer": 3}}


def test_a_position_without_an_act_is_everything_that_a_seat_may_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the deal one may cut, one deal, and everybody claim."""
    path = tmp_path / "position.yaml"
    path.write_text(json.dumps({**POSITION, "seat": 2}), encoding="utf-8")
    assert ended(["explain", "--json", "--lang", "en", str(path)]) == 0
    entries = json.loads(capsys.readouterr().out)["games"][0]["entries"]

    assert {next(iter(entry["act"])) for entry in entries if entry["allowed"]} == {"cut", "claim"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["explain"], "name what to explain, or --schema"),
        (["explain", "brouc.over"], "unknown scenario 'brouc.over'; did you mean 'brouc.over."),
        (["explain", "brouc.over.lower-trump-refused#low"], "unknown step of brouc.over.lower-trump-refused 'low'"),
        (["explain", "/no/such.yaml"], "/no/such.yaml: no such file; name a position"),
        (["explain", "--lang", "la", "brouc.over.lower-trump-refused"], "unknown language 'la'; known: en, fr, de"),
        (["explain", "--rules", "homme-de-brou", "brouc.over.lower-trump-refused"], "unknown rules for brouc.over."),
        (["explain", "--rules", "tarock", "brouc.over.lower-trump-refused"], "unknown game 'tarock'"),
    ],
)
def test_what_cannot_be_asked_ends_with_two(
    capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    """It is answered with what is wrong and what there is instead."""
    assert ended(arguments) == 2
    assert told in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "step `club`, the last of choice, ten, seven, club; name another with `#`"),
        ("fr", "étape `club`, la dernière de choice, ten, seven, club ; pour une autre, ajoutez `#` et son nom"),
        ("de", "Schritt `club`, der letzte von choice, ten, seven, club; ein anderer wird mit `#` genannt"),
    ],
)
def test_without_a_step_the_last_is_explained_and_the_others_are_named(
    capsys: pytest.CaptureFixture[str], lang: str, told: str
) -> None:
    """The first line says so, and below it stands the explanation of that step."""
    name = "brouc.over.four-trumps-and-four-clubs"
    assert ended(["explain", "--lang", lang, f"{name}#club"]) == 0
    rest = capsys.readouterr().out
    assert ended(["explain", "--lang", lang, name]) == 0
    first, _, below = capsys.readouterr().out.partition("\n")

    assert (first.replace("\u202f", " ").replace("\xa0", " "), below) == (told, rest)


def test_of_a_single_step_no_other_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario with one step is explained as if the step had been named."""
    one = next(one for one in corpus.scenarios("brouc") if len(one.steps(4)) == 1)
    assert ended(["explain", "--lang", "en", one.id]) == 0

    assert capsys.readouterr().out.splitlines()[0].endswith(f"  {one.id}#{one.steps(4)[0].id}")


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        ("#2", "unknown deal of the record '2'; known: 1"),
        ("#1.s9", "unknown moment of deal 1 's9'; known: points, points.1, ..., count, written"),
    ],
)
def test_a_moment_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str], moment: str, told: str) -> None:
    """Deals and moments that there are follow."""
    path = tmp_path / "record.yaml"
    kept = {"format": "brou-record/1", "rules": "brouc", "deals": [{"short": {"points": [60, 60]}}]}
    path.write_text(json.dumps(kept), encoding="utf-8")

    assert ended(["explain", f"{path}{moment}"]) == 2
    assert told in " ".join(capsys.readouterr().err.split())


def test_a_position_has_no_moments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that is named nevertheless is not passed over."""
    path = tmp_path / "position.yaml"
    path.write_text(json.dumps({"format": "brou-position/1", "rules": "brouc", "seat": 0}), encoding="utf-8")

    assert ended(["explain", f"{path}#s1"]) == 2
    assert "unknown moment of a position 's1'" in capsys.readouterr().err


def test_a_record_that_cannot_begin_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With where it stops, and who says why."""
    path = tmp_path / "record.yaml"
    kept = {"format": "brou-record/1", "rules": "brouc", "deals": [{"short": {"points": [60, 60]}}]}
    path.write_text(json.dumps({**kept, "start": {"dealer": 9}}), encoding="utf-8")

    assert ended(["explain", str(path)]) == 2
    assert "the record cannot be from its start on; settle it (`brou score`)" in capsys.readouterr().err


def test_the_schema_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing else is done."""
    assert ended(["explain", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "What brou explain --json writes"


def walk_terms(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every term of a document that was written during the game."""
    if isinstance(node, dict):
        if node.get("writes"):
            yield node
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            yield from walk_terms(child)


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario",
    [
        "brou.stop.second-trick-accepted",
        "brus.brusq.four-win-with-a-ten",
        "omb.result.no-trick",
        "auv.debt.at-nought",
    ],
)
def test_what_was_written_adds_up(scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A deal that is tried to see where its cards go has written nothing: each write is listed once."""
    assert main(["explain", scenario, "--json"]) == 0
    written = walk_terms(json.loads(capsys.readouterr().out))
    terms = [one for one in written if type(one["value"]) is int]

    assert terms
    assert [term["value"] for term in terms] == [sum(write["value"] for write in term["writes"]) for term in terms]
