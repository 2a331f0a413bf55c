"""Proofs and examples that stand in chapters are held against the game, shown with their clauses, and named by line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from nowhere import SOURCES
from text_files import change

from brou import book, catalogue, house, root, rules, spread
from brou.chapters.tokens import Expectation
from brou.chapters.variants import Variants
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_tools.cli import main
from brou_tools.prove import command
from brou_tools.show.clause import gather
from brou_tools.show.clause_text import tell
from brou_tools.smt import proving
from brou_tools.smt.obligations import ProofObligations, obligations
from brou_tools.terminal.exits import Exit

LEVELS = Path(__file__).parents[2] / "reference" / "tests" / "levels"
CHAPTER = "games/levels/10-levels.yaml"
#: How a clause and a question begin.
HEADS = ("- clause: ", "- id: ")
#: What stands at the end of the first clause, and what the frame has besides.
PROVES = """\
  proves:
    follow.free:
      kind: claim
      says: Whoever leads may play any card.
      about: [bid.01]
      edition: house
      setup: ["4"]
      readings: {overtricks: counted}
      position: leading
      acts: {play: leading}
      promises: [require]
      given: {c: card}
      where: ["c in hand[turn]"]
      show: may_play(turn, c)
  examples: [deal.first]
"""
POSITIONS = """\
positions:
  trick: {phase: play, untouched: [passes]}
  leading: {like: trick, fixed: {now: 1}}
"""
SCENARIO = """\
- id: levels.deal.first
  title: Before the deal
  clauses:
    levels.deal.01: [shown]
  level: must
  origin: hand
  because: Seat 0 deals first.
  steps:
  - {id: begun, view: 0, expect: {dealer: 0}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a game in chapters that has an obligation, kinds of positions, and an example."""
    place = tmp_path / "own"
    game = place / "games" / "levels"
    shutil.copytree(LEVELS, game)
    (place / "sources.yaml").write_text(json.dumps(SOURCES), "utf-8")
    change(place / CHAPTER, "- clause: deal.01\n", f"{PROVES}- clause: deal.01\n")
    (game / "game.yaml").write_text((game / "game.yaml").read_text("utf-8") + POSITIONS, "utf-8")
    scenarios = place / "scenarios" / "levels"
    scenarios.mkdir(parents=True)
    (scenarios / "deal.yaml").write_text(SCENARIO, "utf-8")
    return place


@pytest.mark.slow
def test_sound_proofs_and_examples_are_passed_over(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """A folder without fault has nothing to tell, and neither has its chapter alone."""
    assert told(folder) == told(folder / CHAPTER) == []


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "what"),
    [
        ("10-levels.yaml", "position: leading", "position: lead", "unknown position 'lead'"),
        ("10-levels.yaml", "{play: leading}", "{play: lead}", "unknown position 'lead'"),
        ("10-levels.yaml", "{play: leading}", "{plays: leading}", "unknown action 'plays'"),
        ("10-levels.yaml", "about: [bid.01]", "about: [bid.99]", "unknown clause 'levels.bid.99'"),
        ("10-levels.yaml", "edition: house", "edition: club", "unknown edition 'club'"),
        ("10-levels.yaml", 'setup: ["4"]', 'setup: ["5"]', "unknown set-up '5'"),
        ("10-levels.yaml", "{overtricks: counted}", "{under: counted}", "unknown reading 'under'"),
        ("10-levels.yaml", "{overtricks: counted}", "{overtricks: all}", "unknown value of overtricks 'all'"),
        ("10-levels.yaml", "{overtricks: counted}", "singly", '"singly" is not one of "each" or "default"'),
        ("10-levels.yaml", "[require]", "[honour]", '"honour" is not one of'),
        ("game.yaml", "phase: play", "phase: plays", "unknown phase 'plays'"),
        ("game.yaml", "[passes]", "[passed]", "unknown variable 'passed'"),
        ("game.yaml", "like: trick", "like: tricks", "unknown position above 'tricks'"),
        ("game.yaml", "{now: 1}", "{soon: 1}", "unknown variable 'soon'"),
    ],
)
def test_what_proofs_name_must_be_there(
    folder: Path, told: Callable[[Path], list[str]], *, file: str, old: str, new: str, what: str
) -> None:
    """A name that the game does not have is told with its line, in the folder and of the file alone."""
    path = folder / "games" / "levels" / file
    change(path, old, new)
    line = next(number for number, text in enumerate(path.read_text("utf-8").splitlines(), 1) if new in text)
    inside, alone = told(folder), told(path)

    assert [one for one in inside if one.startswith(f"games/levels/{file}:{line}:") and what in one]
    assert [one.removeprefix(f"games/levels/{file}") for one in inside] == [
        one.removeprefix(str(path)) for one in alone
    ]


@pytest.mark.slow
def test_a_file_of_obligations_beside_chapters_is_a_fault(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """Obligations of a game in chapters stand in one place."""
    text = "format: brou-obligations/1\ngame: levels\nobligations: {}\n"
    (folder / "games" / "levels" / "obligations.yaml").write_text(text, "utf-8")
    (found,) = told(folder)

    assert found.startswith("games/levels/obligations.yaml:1:1: obligations beside chapters; write each under `proves`")


@pytest.mark.slow
def test_an_example_that_is_no_scenario_is_a_fault(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """An example is one of the scenarios that lie in the folder."""
    change(folder / CHAPTER, "examples: [deal.first]", "examples: [deal.first, deal.second]")
    (found,) = told(folder)

    assert found.startswith(CHAPTER)
    assert "no scenario 'levels.deal.second'" in found


@pytest.mark.parametrize("game", catalogue())
def test_every_worked_example_of_a_text_stands_with_a_clause_that_it_cites(game: str) -> None:
    """Clauses name the scenarios that come from examples of the text, and no scenario that does not cite them."""
    maker = book(game).maker
    assert isinstance(maker, Variants)
    spell = maker.volume.frame.spell_id
    known: dict[str, Scenario] = {one.id: one for one in corpus.scenarios(game)}
    named = [(spell(clause.clause), spell(one)) for clause in maker.volume.clauses() for one in clause.examples]

    assert [(clause, id_) for clause, id_ in named if clause not in known[id_].cells] == []
    assert {id_ for _, id_ in named} == {id_ for id_, one in known.items() if one.origin == "source-example"}


@pytest.mark.slow
def test_a_clause_is_shown_with_its_examples_and_the_lines_of_its_proofs() -> None:
    """Examples stand in the order of the clause, and a proof where its chapter has it."""
    clause = gather("brouc.claim.05", house(), "en")
    shown = tell(clause, house(), 100)

    assert [one.id for one in clause.examples] == [
        "brouc.claim.wrong-against-fifteen",
        "brouc.claim.wrong-against-fourteen",
    ]
    assert shown.index("Worked examples") < shown.index("brouc.claim.wrong-against-fifteen")
    for one in clause.proofs:
        assert f"{one.id}  [{one.file}:{one.line}]" in shown


@pytest.mark.parametrize("game", catalogue())
def test_obligations_stand_in_the_lines_of_chapters(game: str) -> None:
    """The place of an obligation is the line behind its name in a chapter, under the clause that it is about first."""
    for one in obligations(game, house()).obligations:
        lines = (root() / one.place.file).read_text("utf-8").splitlines()
        above = lines[one.place.line - 2].strip()
        assert one.id.endswith(f".{above.removesuffix(':')}"), one.place
        label = next(line for line in reversed(lines[: one.place.line]) if line.lstrip().startswith(HEADS))
        assert one.clauses[0].endswith("." + label.split()[-1].strip('"')), one.place


@pytest.mark.parametrize("game", catalogue())
def test_of_every_table_it_is_stated_that_its_rows_can_fire(game: str) -> None:
    """No duty, exception or special case stands there that the prover was not asked about."""
    alive = [one for one in obligations(game, house()).obligations if one.kind == "dead_rows"]
    stated = {table.text for one in alive for table in one.texts("tables")}
    tables = {table for choice in spread(game) for table in rules(choice).tables}
    assert tables
    assert tables - stated == set()


def test_the_line_of_what_does_not_hold_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where something else comes of an obligation than it expects, one is told where it stands."""
    pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")
    one = next(one for one in obligations("brouc", house()).obligations if one.id == "brouc.round.example")
    wrong = replace(one, expect="refuted", readings="default", editions=(next(iter(book("brouc").editions)),))
    for module in (proving, command):
        monkeypatch.setattr(module, "obligations", lambda game, _project: ProofObligations(game, (wrong,), {}))

    assert main(["prove", "brouc", "--only", one.id]) == Exit.FINDING
    assert f"    stated in {one.place.file}:{one.place.line}\n" in capsys.readouterr().out


def test_chapters_know_the_expectations_of_the_schema() -> None:
    """What may be expected of an obligation is the same in chapters and in a file of obligations."""
    schema = json.loads((root() / "schemas" / "obligations.schema.json").read_text("utf-8"))
    stated = schema["properties"]["obligations"]["additionalProperties"]["properties"]

    assert list(Expectation.options) == stated["expect"]["enum"]


def test_every_key_of_an_obligation_is_one_of_the_chapters() -> None:
    """What the schema of obligations allows can be said in chapters, and nothing else.

    Only rules in one file have rows in an order, whose pairs a statement may name.
    """
    schema = json.loads((root() / "schemas" / "obligations.schema.json").read_text("utf-8"))["properties"]
    chapter = json.loads((root() / "schemas" / "chapters" / "chapter.schema.json").read_text("utf-8"))["$defs"]
    frame = json.loads((root() / "schemas" / "chapters" / "game.schema.json").read_text("utf-8"))["$defs"]
    stated = schema["obligations"]["additionalProperties"]["properties"]

    assert stated.keys() - {"clauses", "pairs"} == chapter["ObligationForm"]["properties"].keys() - {"about"}
    assert (
        schema["positions"]["additionalProperties"]["properties"].keys() == frame["PositionForm"]["properties"].keys()
    )
