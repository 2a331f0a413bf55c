"""`brou ask` finds the readings of programs and of people, and says what it does not know."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest

from brou import choose
from brou.games.folder import root
from brou.language.schema import validator
from brou_tools.cli import main

NODE = shutil.which("node")
ADAPTER = Path(__file__).parents[2] / "conformance" / "adapters" / "javascript" / "adapter.mjs"
GAME = "hombre@danish:3"
#: A table at which all but one of the readings are known.
ONE = (
    f"{GAME}[contract_points=union-table,score_contract=as-chosen,late_fifth_trick=no-engagement,"
    "grand_tourne_bid_without_aces=illegal,open_nolo_exposure=before-first-lead]"
)


def answered(tmp_path: Path, *lines: str) -> str:
    """Return the name of a file of answers."""
    path = tmp_path / "answers.txt"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_people_are_asked_until_nothing_is_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The answers of a file settle a reading; the rules that are printed are rules."""
    code = main(["ask", ONE, "--lang", "en", "--answers", answered(tmp_path, "# our evening", "", "2", "2")])
    said = capsys.readouterr().out
    name = said.rsplit("Rules: ", maxsplit=1)[-1].strip()

    assert code == 0
    assert "Question 1\n" in said
    assert "demande_spades=" in said
    assert str(choose(name)) == GAME
    assert "Left open" not in said


def test_the_document_is_of_its_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is written for programs says each question, what is settled by which of them, and the optimum."""
    main(["ask", ONE, "--json", "--answers", answered(tmp_path, "2", "2")])
    found = json.loads(capsys.readouterr().out)

    assert validator(root() / "schemas" / "asked.schema.json").is_valid(found)
    assert found["format"] == "brou-asked/1"
    assert set(found["settled"]["demande_spades"]["by"]) <= {one["question"] for one in found["questions"]}
    assert found["settled"]["score_contract"] == {"value": "as-chosen", "by": []}
    assert found["optimum"]["average"] == pytest.approx(5 / 3, abs=0.01)


def test_what_is_no_answer_is_asked_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A slip of the pen is told with the answers that there are, and costs nothing."""
    main(["ask", ONE, "--lang", "en", "--answers", answered(tmp_path, "perhaps", "7", "2", "2")])
    said = capsys.readouterr().out

    assert "“perhaps” is none of the answers: one of 1, 2" in said
    assert "“7” is none of the answers" in said
    assert said.count("Question 1\n") == 1


def test_the_end_of_answers_leaves_the_rest_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever stops early is told what is known, and what was not asked to the end."""
    code = main(["ask", ONE, "--json", "--answers", answered(tmp_path)])
    found = json.loads(capsys.readouterr().out)

    assert code == 0
    assert not found["complete"]
    assert found["open"]["demande_spades"] == {
        "values": ["allowed", "becomes-demande-a-pique", "forbidden"],
        "undecidable": False,
    }


def test_people_answer_on_the_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a file people are prompted, and a transcript keeps what was shown and answered."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n2\n"))
    kept = tmp_path / "evening.txt"
    code = main(["ask", ONE, "--lang", "en", "--transcript", str(kept)])
    text = kept.read_text(encoding="utf-8")

    assert code == 0
    assert "> 2\n" in text
    assert "Rules: hombre@danish:3" in text


@pytest.mark.thorough
def test_not_to_know_decides_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where people never know, everything stays open and is told as what no question tells apart for them."""
    main(["ask", ONE, "--json", "--answers", answered(tmp_path, *["?"] * 60)])
    found = json.loads(capsys.readouterr().out)

    assert found["complete"]
    assert found["open"]["demande_spades"]["undecidable"]
    assert found["misfits"] == []
    assert not any(one["decides"] for one in found["questions"])


def test_a_rule_that_no_reading_has_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An answer that fits nothing forces no reading; it is named, and the code is that of a finding."""
    code = main(["ask", ONE, "--json", "--answers", answered(tmp_path, "0")])
    found = json.loads(capsys.readouterr().out)

    assert code == 1
    assert found["misfits"] == [found["questions"][0]["question"]]
    assert len(found["open"]["demande_spades"]["values"]) == 3


@pytest.mark.parametrize("lang", ["fr", "de"])
def test_questions_are_asked_in_the_language_of_the_table(
    lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing of a question is left in English."""
    main(["ask", ONE, "--lang", lang, "--answers", answered(tmp_path, "2", "2")])
    said = capsys.readouterr().out

    assert {"fr": "nous ne savons pas", "de": "wissen wir nicht"}[lang] in said.replace("\N{NO-BREAK SPACE}", " ")
    assert "allowed" not in said.split(GAME)[0].replace("demande_spades=allowed", "")


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_a_program_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """The reading that a program follows is found without its being declared, and so are the others."""
    switched = ["--reading", "hombre.demande_spades=forbidden"]
    code = main(["ask", GAME, "--json", "--", str(NODE), str(ADAPTER), *switched])
    found = json.loads(capsys.readouterr().out)

    assert code == 0
    assert found["rules"] == f"{GAME}[demande_spades=forbidden]"
    assert (found["open"], found["misfits"]) == ({}, [])
    assert len(found["questions"]) <= found["optimum"]["worst"]


@pytest.mark.thorough
@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("brouc@2022:4", "exception_scope", "any-trump-play"),
        ("homme-de-brou@1802:4", "announce_window", "any-time"),
        ("brusquembille@1718:3", "tie_n", "carry"),
        ("homme-d-auvergne@1725:4", "debt", "single"),
    ],
)
def test_programs_of_all_games_are_asked(name: str, key: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is found is what the program was told to follow, and what it follows by itself."""
    values = dict(choose(f"{name}[{key}={value}]").readings)
    command = [str(NODE), str(ADAPTER), "--reading", f"{name.split('@', maxsplit=1)[0]}.{key}={value}"]
    main(["ask", name, "--json", "--", *command])
    found = json.loads(capsys.readouterr().out)

    assert {one: entry["value"] for one, entry in found["settled"].items()}.items() <= values.items()
    assert found["settled"][key]["value"] == value
    assert found["misfits"] == []


def test_a_program_that_cannot_be_started_is_unusable(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is that of an unusable program."""
    assert main(["ask", GAME, "--", "no-such-program"]) == 3
    assert "cannot be used" in capsys.readouterr().err


def test_answers_and_a_program_are_two_things(capsys: pytest.CaptureFixture[str]) -> None:
    """Answers of people for a program are refused."""
    with pytest.raises(SystemExit) as left:
        main(["ask", GAME, "--answers", "-", "--", "program"])

    assert left.value.code == 2
    assert "--answers" in capsys.readouterr().err


def test_a_game_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Without rules there is nothing to ask about."""
    with pytest.raises(SystemExit) as left:
        main(["ask"])

    assert left.value.code == 2
    assert "name what to ask" in capsys.readouterr().err


def test_a_file_of_answers_has_to_be_there(capsys: pytest.CaptureFixture[str]) -> None:
    """A file that cannot be read is a fault of the command line."""
    assert main(["ask", GAME, "--answers", "/no/such/answers"]) == 2
    assert "/no/such/answers" in capsys.readouterr().err


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The schema of the document needs no game."""
    assert main(["ask", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["properties"]["format"] == {"const": "brou-asked/1"}
