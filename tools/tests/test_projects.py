"""A game of one's own in a folder of one's own: every command takes it, named or found, and knows no other game."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from brou import Choice, Malformed, catalogue, choose, find_project, house, open_project, rules
from brou_tools.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
FRAME, CHAPTER = (
    next(
        block for block in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE) if block.startswith(head)
    )
    for head in ("format: brou-game/2\n", "format: brou-chapter/2\n")
)
SCENARIO = """\
- id: duet.follow.suit
  title: Whoever has the suit led follows it
  clauses: {duet.play.02: [permits, refuses]}
  level: must
  origin: hand
  because: >-
    Hearts are trumps. Against the king of clubs a player with a club plays a club, and no spade.
  deal:
    dealer: 0
    hands:
      "0": [AC, JS, KS, KD, AS]
      "1": [KC, AD, JD, KH, JC]
    turnup: AH
    stock: [JH]
  steps:
  - {by: 1, act: {exchange: []}}
  - {by: 1, act: {play: KC}}
  - {by: 0, act: {play: JS}, expect: {"no": must_follow}}
  - {legal: 0, expect: {play: [AC]}}
"""


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Path:
    """Return a folder with the game of the language page, a scenario and a program, and nothing else."""
    for name, text in (
        ("games/duet/game.yaml", FRAME),
        ("games/duet/10-duet.yaml", CHAPTER),
        ("scenarios/duet/follow.yaml", SCENARIO),
        ("brou.toml", f"[programs]\nmine = {json.dumps([sys.executable, '-P', '-m', 'brou_tools.cli', 'serve'])}\n"),
    ):
        file = tmp_path / "home" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "home"


@pytest.fixture(name="inside")
def _inside(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder below the project, in which one stands."""
    below = home / "games" / "duet"
    monkeypatch.chdir(below)
    return below


#: A line for each command that looks at a game, with what it ends with and a word of what it says.
LINES = [
    ("ambiguities duet", 0, "May a player who cannot follow discard"),
    ("check", 0, ""),
    ("corpus list", 0, "duet.follow.suit"),
    ("diff duet duet[void=must-trump]", 0, "void"),
    ("explain duet.follow.suit#s3", 0, "Whoever has a card of the suit led must follow suit."),
    ("export duet", 0, '"duet@house:1"'),
    ("mutate duet -n 2", 1, "duet"),
    ("perft duet --depth 2", 0, "duet@house:1"),
    ("prove", 1, "nothing to prove"),
    ("rulebook duet --format html -o book", 0, "duet-house-en.html"),
    ("show duet.play.02", 0, "games/duet/10-duet.yaml:"),
    ("show duet.play.02 --chapters", 0, "Whoever has a card of the suit led must follow suit."),
    ("simulate duet -n 2", 0, "duet@house:1: 2 matches"),
    ("witness duet.amb.01", 1, "write all of duet: brou witness duet --write"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("line", "code", "said"), LINES, ids=[line for line, _, _ in LINES])
def test_every_command_finds_the_project(
    line: str, code: int, said: str, inside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a folder below the project, without its name."""
    assert inside.is_dir()
    ended = main(line.split())
    told = capsys.readouterr()

    assert ended == code, told.err
    assert said in told.out + told.err


@pytest.mark.parametrize(("line", "code", "said"), [LINES[1], LINES[5], LINES[10]])
def test_a_project_can_be_named(
    line: str, code: int, said: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From anywhere."""
    assert main([*line.split(), "--data", str(home)]) == code
    assert said in capsys.readouterr().out


@pytest.mark.slow
def test_a_program_is_judged_by_the_scenarios_of_its_project(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name under which `brou.toml` has it is enough; the interpreter answers here."""
    monkeypatch.chdir(home)

    assert main(["verify", "--program", "mine", "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert (run["game"], run["edition"], run["verdict"], run["failures"]) == ("duet", "house", "follows", [])


#: A duty on the first lead, with an exception of the exception that frees whoever leads, and an exception of its own.
FIRST_LEAD = """
- clause: play.04
  from: []
  tests: play
  status: editor
  text: Nobody may lead a trump to the first trick.
  deny: play(p, c)
  when: empty(table) and done == 0 and suit(c) == trump
  code: not_available
  rules:
  - {rule: play.04/lead, except: tricks.play/lead, when: suit(c) == trump and done == 0}

- clause: play.05
  from: []
  tests: play
  status: editor
  text: Whoever has nothing but trumps may lead one all the same.
  except: play.04
  when: all(suit(d) == trump for d in hand[p])
"""
LED = SCENARIO.replace("  - {by: 1, act: {play: KC}}\n", "  - {id: lead, by: 1, act: {play: KH}}\n")


def test_an_exception_that_is_lifted_in_turn_is_told_as_such(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It would apply but for an exception of it, so it is none of those that do not apply."""
    chapter = home / "games" / "duet" / "10-duet.yaml"
    chapter.write_text(chapter.read_text(encoding="utf-8") + FIRST_LEAD, encoding="utf-8")
    (home / "scenarios" / "duet" / "follow.yaml").write_text(LED, encoding="utf-8")

    assert main(["explain", "duet.follow.suit#lead", "--lang", "en", "--data", str(home)]) == 0
    told = capsys.readouterr().out
    assert (
        "  None of its exceptions applies:\n"
        "    duet.play.05  all(suit(d) == trump for d in hand[p]): no\n"
        "  Exceptions of it that are lifted in turn:\n"
        "    duet.play.01, lifted by duet.play.04  suit(c) == trump: yes; no trick has been made yet: yes\n"
    ) in told
    assert main(["explain", "duet.follow.suit#lead", "--lang", "en", "--json", "--data", str(home)]) == 0
    ((entry,),) = (game["entries"] for game in json.loads(capsys.readouterr().out)["games"])
    found = [one for row in entry["rows"] for one in row["exceptions"] if "lifted_by" in one]
    assert [(one["clause"], one["lifted_by"], one["applies"]) for one in found] == [
        ("duet.play.01", "duet.play.04", False)
    ]


@pytest.mark.slow
def test_what_never_comes_to_anything_in_random_matches_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody has five trumps where three are in the pack and one is turned up; the jack of trumps is freed soon."""
    chapter = home / "games" / "duet" / "10-duet.yaml"
    chapter.write_text(chapter.read_text(encoding="utf-8") + FIRST_LEAD, encoding="utf-8")

    assert main(["simulate", "duet", "--idle", "-n", "12", "--data", str(home)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("duet@house:1: 12 matches, ")
    assert "  no duty was lifted by duet.play.05\n" in told
    assert "duet.play.03" not in told
    assert "may_play" not in told


def test_an_exception_of_an_exception_tells_which_duties_it_restores(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where it applies all of them bind, not only that of its own clause, under other readings too."""
    chapter = home / "games" / "duet" / "10-duet.yaml"
    chapter.write_text(chapter.read_text(encoding="utf-8") + FIRST_LEAD, encoding="utf-8")

    assert main(["show", "--chapters", "duet.play.04", "--data", str(home)]) == 0
    assert capsys.readouterr().out.endswith(
        "play.04/lead lifts tricks.play/lead; where it applies, each of these binds if its condition holds:\n"
        "  play.02\n  amb.01 (void=must-trump)\n  play.04\n"
    )
    assert main(["show", "duet.play.04", "--lang", "en", "--json", "--data", str(home)]) == 0
    (clause,) = json.loads(capsys.readouterr().out)["clauses"]
    assert clause["restores"] == {"play.04/lead": ["play.02", "amb.01 (void=must-trump)", "play.04"]}


def test_a_question_has_the_rules_that_its_readings_add(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They cite it, so it is not said that no rule does."""
    assert main(["show", "duet.amb.01", "--data", str(home)]) == 0
    told = capsys.readouterr().out
    assert "No rule of play cites it." not in told
    assert " void=must-trump\n    - rule: amb.01\n      deny: play(p, c)\n" in told


@pytest.mark.slow
def test_check_plays_the_scenarios_of_a_project(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An expectation that the rules do not meet is told, though it is about a reading that no edition plays."""
    file = home / "scenarios" / "duet" / "follow.yaml"
    wrong = "readings: {void: {free: {play: [AC]}, must-trump: {play: [JS]}}}"
    file.write_text(SCENARIO.replace("expect: {play: [AC]}", wrong), encoding="utf-8")

    assert main(["check", "--data", str(home)]) == 1
    assert capsys.readouterr().out.partition("\n")[0] == (
        "scenarios/duet/follow.yaml:19:5: duet.follow.suit#s4 expects 'play JS', "
        "and duet@house:1[void=must-trump] answers 'play AC'; mend the one that is wrong: "
        "brou explain duet.follow.suit#s4 --rules 'duet@house:1[void=must-trump]'"
    )


def test_a_project_has_its_own_games_alone(home: Path) -> None:
    """No game of the house is among them, and the house has none of theirs."""
    assert list(catalogue(home)) == ["duet"]
    assert "duet" not in catalogue()


def test_a_choice_knows_its_project(home: Path) -> None:
    """Rules, scenarios and texts are looked up where the choice was made."""
    chosen = choose("duet", home)

    assert isinstance(chosen, Choice)
    assert chosen.project == open_project(home)
    assert rules(chosen).seats == 2


def test_the_nearest_project_is_found(home: Path, tmp_path: Path) -> None:
    """Upwards from where one stands; where there is none, it is the house."""
    assert find_project(home / "games" / "duet") == open_project(home)
    assert find_project(tmp_path) == house()


def test_a_project_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was named, what is wrong, what to name instead."""
    assert main(["check", "--data", str(tmp_path / "nowhere")]) == 2
    assert "no such folder; name a folder with brou.toml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('dtaa = "."', "brou.toml:1:1: unknown key `dtaa`; write `data`"),
        ('data = "none"', "brou.toml:1:1: there is no none; make the folder, or let `data` name one that is there"),
        (
            'data = "/etc"',
            "brou.toml:1:1: `data` leads out of the project: /etc; name a folder below that of brou.toml",
        ),
        ("data = .", "brou.toml:1:8: no TOML"),
        (
            'language = "Spanish"',
            'brou.toml:1:1: `language` is two small letters; write `language = "es"` for instance',
        ),
        ("[programs]\nmine = 3", "brou.toml:2:1: the command of `mine` is a list of words, or a line as in a shell"),
        ('[programs]\nmine = ""', "brou.toml:2:1: the program `mine` has no command"),
        ("programs = 3", "brou.toml:1:1: `programs` is a table; write [programs], and below it"),
    ],
)
def test_a_broken_project_file_is_told(
    text: str, told: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line, what is wrong in it and what to write instead."""
    (home / "brou.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(home)

    assert main(["check"]) == 2
    assert told in capsys.readouterr().err


def test_a_link_out_of_a_project_is_refused(home: Path, tmp_path: Path) -> None:
    """A folder that is a link elsewhere is no folder of the project."""
    (tmp_path / "elsewhere" / "games").mkdir(parents=True)
    (home / "rules").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (home / "brou.toml").write_text('data = "rules"', encoding="utf-8")

    with pytest.raises(Malformed, match="is a link that leads out of the project"):
        open_project(home)


def test_a_changed_project_file_is_read_anew(home: Path) -> None:
    """Another folder of scenarios holds from then on."""
    before = open_project(home).scenarios
    (home / "cases").mkdir()
    (home / "brou.toml").write_text('scenarios = "cases"', encoding="utf-8")

    assert (before, open_project(home).scenarios) == (home / "scenarios", home / "cases")
