"""The register of open passages: whole, true to the data, and with a witness for every two readings."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from docutils import nodes

from brou import Choice, book, catalogue, house
from brou.games.folder import root
from brou.language.schema import validator
from brou.language.source import read
from brou.shapes import write_object
from brou_conformance.metamorphic.renaming import canonical
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.script import spell
from brou_tools.ambiguities.register_pages import Register
from brou_tools.cli import main
from brou_tools.diff.command import bare
from brou_tools.diff.comparison import answer_alike, comparison, example
from brou_tools.diff.wording import Differences, alike
from brou_tools.documents.nodes import drawing, together
from brou_tools.questions.parting import answer_steps, find_choices, pairs
from brou_tools.questions.register import RegisterReport, SeparatedValues, entries, interval, questions, witnesses
from brou_tools.site.sphinx_nodes import anchor, on_page
from brou_tools.smt.obligations import obligations
from brou_tools.terminal.doctree import lines
from oracle_loader import answer, open_match

PAIRS = [(game, reading.key, pair) for game in catalogue() for reading, pair in pairs(game, house())]
LANGUAGES = ("en", "fr", "de")
#: The differences for which the comparison of the two texts names a test.
TOLD = "02 03 04 05 06 07 08 09 10 11 14 16 17 18 20 22 24 25 26 27 28 29 30 31 33 34 35 36 37 38 39 40 41 42 44 46"


def witness_of(game: str, key: str, pair: tuple[str, str]) -> Any:
    """Return what is written down to part two values."""
    ambiguity = book(game).readings[key].ambiguity
    return next((one for one in witnesses(game, house()) if (one.ambiguity, one.pair) == (ambiguity, pair)), None)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "key", "pair"), PAIRS, ids=str)
def test_every_two_readings_part_or_are_said_to_be_harmless(game: str, key: str, pair: tuple[str, str]) -> None:
    """Interpreter and oracle answer the witness under one value as under the other nowhere before, and then not."""
    witness = witness_of(game, key, pair)
    assert witness is not None
    if witness.harmless:
        return
    scenario = next(one for one in corpus.scenarios(game) if one.id == witness.scenario)
    choices = find_choices(scenario, house(), key, pair)
    assert choices is not None
    ours = [answer_steps(scenario, choice) for choice in choices]
    theirs = [oracle(scenario, choice) for choice in choices]

    assert canonical(list(ours[0] or ())) != canonical(list(ours[1] or ()))
    assert canonical(theirs[0]) != canonical(theirs[1])


def oracle(scenario: Any, choice: Choice) -> list[Any]:
    """Return what the oracle answers to a scenario under a choice of rules."""
    script = spell(scenario, choice)
    match = open_match(choice, script.start)
    return [answer(match, step.message) for step in script.steps]


@pytest.mark.parametrize("game", catalogue())
def test_the_register_has_every_question(game: str) -> None:
    """Each open passage is listed with its treatment and readings, as its schema has it."""
    found = entries(game, house())

    assert validator(root() / "schemas" / "register.schema.json").is_valid(
        write_object(RegisterReport(passages=tuple(found)))
    )
    assert [entry.id for entry in found] == list(questions(game, house()))
    assert {entry.key for entry in found if entry.key} == set(book(game).readings)


def test_the_register_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes the entries of all games as one list."""
    assert main(["ambiguities", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["passages"]

    assert [entry["id"] for entry in found] == [id_ for game in catalogue() for id_ in questions(game, house())]


@pytest.mark.parametrize("game", catalogue())
def test_frequencies_are_shares_of_counted_deals(game: str) -> None:
    """Every reading that was counted has a share within its interval."""
    rates = [rate for entry in entries(game, house()) for rate in entry.frequency or ()]

    assert rates
    assert all(rate.interval[0] <= rate.share <= rate.interval[1] for rate in rates)


def test_an_interval_narrows_with_the_count() -> None:
    """The same share of more deals lies within closer bounds, and none at all is no certainty."""
    few, many = interval(5, 50), interval(50, 500)

    assert few[0] < many[0] < 0.1 < many[1] < few[1]
    assert interval(0, 100)[1] > 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_entry_reads_as_it_should(lang: str) -> None:
    """One entry, drawn example and all, is told word for word as it stands in a file."""
    found = Register("brouc", house(), lang)
    entry = next(one for one in found.entries if one.id == "brouc.amb.14")

    pair = ("forced-only", "any-trump-play")
    witness = SeparatedValues(pair=pair, scenario="brouc.over.free-ruff-and-no-higher-trump")
    told_ = found.entry(replace(entry, frequency=None, witness=(witness,)))

    assert golden(f"register-brouc-amb-14.{lang}.txt") == "\n".join(lines(told_))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_people_are_told_the_whole_register(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every entry of every game is told, and nothing of how the data holds it."""
    assert main(["ambiguities", "--lang", lang]) == 0
    said = capsys.readouterr().out

    assert [id_ for game in catalogue() for id_ in questions(game, house()) if f"[{id_}]" not in said] == []
    assert raw(said) == []


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", catalogue())
def test_a_page_has_every_entry_and_what_it_names(game: str, lang: str) -> None:
    """The page of a game has a section for each entry and an anchor for each clause, and no link leads nowhere."""
    found = Register(game, house(), lang)
    clauses = {id_ for entry in found.entries for id_ in entry.clauses}
    parts = [on_page(part, {*questions(game, house()), *clauses}) for part in found.sections()]
    anchors = {id_ for part in parts for node in part.findall(nodes.Element) for id_ in node["ids"]}
    links = {node["refid"] for part in parts for node in part.findall(nodes.reference)}

    assert {anchor(id_) for id_ in (*questions(game, house()), *clauses)} <= anchors
    assert links and links <= anchors
    assert raw("\n".join(words(part) for part in parts)) == []


@pytest.mark.parametrize("game", catalogue())
def test_every_witness_is_drawn(game: str) -> None:
    """For each scenario that parts two readings of an entry its page shows one example, with an answer of each."""
    found = Register(game, house(), "en")
    for entry in found.entries:
        section = found.entry(entry)
        boxes = list(section.findall(together))

        assert len(boxes) == len({one.scenario for one in entry.witness}), entry.id
        assert all(len({row.astext() for row in rows(box)}) > 1 for box in boxes), entry.id


def test_every_picture_has_words() -> None:
    """Whoever cannot see a picture of the register is told what it shows."""
    pictures = [node for entry in Register("brouc", house(), "fr").sections() for node in entry.findall(drawing)]

    assert pictures
    assert all(node["picture"].words for node in pictures)


def test_what_the_sources_have_lost_is_told() -> None:
    """Each loss is of known passages, and the entry that it names is in a register."""
    works = read(root() / "sources.yaml", "sources.yaml").fields["works"].items
    known = {id_ for game in catalogue() for id_ in questions(game, house())}
    lost = [(work, item) for work in works if work.get("losses") for item in work.fields["losses"].items]
    for work, item in lost:
        listed = work.get("passages")
        passages = set() if listed is None else {passage.string("id") for passage in listed.items}

        assert {at.text for at in item.fields["at"].items} <= passages
        assert not item.string("question") or item.string("question") in known

    assert {"loss", "contradiction"} == {item.string("kind") for _, item in lost}


# Comparisons ---------------------------------------------------------------------------------------------------------

OLD, NEW = "homme-de-brou@1802", "brouc@2022"


@pytest.mark.slow
def test_the_two_texts_are_compared_topic_by_topic() -> None:
    """Each difference that can be tested has an example that both rule bases answer differently, or a proof."""
    found = comparison(OLD, NEW, house())
    shown = {row.id for row in found.rows if example(found, row) or row.proved or row.open}

    assert bare(found) == []
    assert {f"f{number}" for number in TOLD.split()} <= shown
    assert [row.id for row in found.rows if row.id.startswith("f")] == [f"f{number:02}" for number in range(1, 47)]


def test_a_row_names_what_there_is() -> None:
    """Clauses, scenarios, steps, readings and parameters of the comparison are all to be found in the data."""
    found = comparison(OLD, NEW, house())
    citable = [{*corpus.clauses(choice.game), *questions(choice.game, house())} for choice in found.choices]
    scenarios = {one.id: one for choice in found.choices for one in corpus.scenarios(choice.game)}
    readings = {key for choice in found.choices for key in dict(choice.readings)}
    for row in found.rows:
        assert all(set(side) <= known for side, known in zip(row.clauses, citable, strict=True)), row.id
        assert {row.scenario, row.agree} - {""} <= set(scenarios), row.id
        assert not row.step or row.step in {line.id for line in scenarios[row.scenario].lines}, row.id
        assert not row.open or row.open in readings, row.id


def test_a_step_that_a_row_names_is_the_one_that_is_shown() -> None:
    """Where a row names scenario and step, both answer just that step differently."""
    found = comparison(OLD, NEW, house())
    named = [(row, example(found, row)) for row in found.rows if row.scenario]

    assert [row.id for row, shown in named if shown is None or shown.scenario.id != row.scenario] == []
    assert [row.id for row, shown in named if row.step and shown and shown.step.id != row.step] == []


def test_what_is_called_alike_is_alike() -> None:
    """Parameters that a row calls the same have one value, and scenarios that it calls the same have one answer."""
    found = comparison(OLD, NEW, house())

    assert [row.id for row in found.rows if row.agree and not answer_alike(found, row.agree)] == []
    assert [name for row in found.rows for name in row.alike if not alike(found.choices, name)] == []
    assert not answer_alike(found, "brouc.over.lower-trump-refused")
    assert not alike(found.choices, "packet_patterns")


@pytest.mark.sampled(8)
@pytest.mark.slow
@pytest.mark.parametrize("id_", sorted({row.proved for row in comparison(OLD, NEW, house()).rows} - {""}))
def test_what_a_row_calls_proved_is_proved(id_: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The prover proves the obligation of a row under the edition that is compared."""
    game = NEW.partition("@")[0]
    assert id_ in {one.id for one in obligations(game, house()).obligations}
    assert main(["prove", game, "--only", id_, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["games"][0]["obligations"]

    assert {one["status"] for one in found if one["edition"].startswith(NEW)} == {"proved"}


def test_a_comparison_can_be_turned() -> None:
    """Named the other way round, the rows are the same with their sides exchanged, and so are the answers."""
    one, two = comparison(OLD, NEW, house()), comparison(NEW, OLD, house())

    assert [row.clauses for row in one.rows] == [row.clauses[::-1] for row in two.rows]
    shown, turned = (example(found, next(row for row in found.rows if row.id == "f07")) for found in (one, two))
    assert shown and turned and shown.answers == turned.answers[::-1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_row_reads_as_it_should(lang: str) -> None:
    """One difference is told word for word as it stands in a file: clauses, cards, question, both answers."""
    found = comparison(OLD, NEW, house())
    row = next(row for row in found.rows if row.id == "f07")

    told_ = "\n".join(lines(Differences(found, lang).row(row, example(found, row))))
    assert golden(f"difference-f07.{lang}.txt") == told_


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "pair", [(OLD, NEW), (NEW, "brouc@club-2026"), ("homme-d-auvergne@1665", "homme-d-auvergne@1725")]
)
def test_a_comparison_is_told_in_words(pair: tuple[str, str], lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of how the data holds it is printed, in no language."""
    assert main(["diff", *pair, "--lang", lang]) == 0
    said = capsys.readouterr().out

    assert said.count("\n\n") > len(comparison(*pair, house()).rows) / 2
    assert raw(said) == []


def test_two_readings_of_one_game_are_compared() -> None:
    """Where one reading differs there is one row, with its values and a scenario that they part."""
    found = comparison(NEW, f"{NEW}[announce_window=own-turn]", house())
    (row,) = found.rows
    shown = example(found, row)

    assert (row.id, row.key, row.values) == ("brouc.amb.19", "announce_window", ("any-time", "own-turn"))
    assert shown and shown.answers == ({"ok": True}, {"no": "window_closed"})


def test_editions_of_one_game_are_compared_record_by_record() -> None:
    """Each record that an edition changes is a row, and is shown by what it changes alone."""
    found = comparison("homme-d-auvergne@1665", "homme-d-auvergne@1718", house())
    rows_ = {row.id: row for row in found.rows}
    shown = example(found, rows_["functions/counting"])

    assert rows_["functions/counting"].clauses == (("auv.king.02",), ("auv.1718.03",))
    assert shown and shown.scenario.id.startswith("auv.1718.")
    assert example(found, rows_["params/target"]) is None


def test_a_rule_base_does_not_differ_from_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """Compared with itself, a rule base has no rows, and people are told so."""
    assert comparison(NEW, NEW, house()).rows == ()
    assert main(["diff", NEW, NEW, "--lang", "en"]) == 0
    assert "the same" in capsys.readouterr().out


@pytest.mark.parametrize("names", [["brouc", "hombre"], ["brouc"], ["brouc", "nothing"], []])
def test_what_cannot_be_compared_is_refused(names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Games that nobody has set side by side, one name or an unknown one end with a message and 2."""
    assert main(["diff", *names]) == 2
    assert capsys.readouterr().err.startswith("brou")


@pytest.mark.slow
@pytest.mark.parametrize("pair", [(OLD, NEW), (NEW, "brouc@club-2026"), ("brusquembille:2", "brusquembille:3")])
def test_a_comparison_is_one_document(pair: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON it is as its schema has it."""
    assert main(["diff", "--schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert main(["diff", *pair, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert jsonschema_rs.validator_for(schema).is_valid(found)
    assert [row["id"] for row in found["rows"]] == [row.id for row in comparison(*pair, house()).rows]


def golden(name: str) -> str:
    """Return a text as it should be."""
    return (Path(__file__).parent / "golden" / name).read_text(encoding="utf-8").rstrip("\n") + "\n"


def raw(said: str) -> list[str]:
    """Return the lines that show how the data is written: absent values, braces, quoted keys, truth values."""
    return [
        line for line in said.splitlines() if re.search(r"\bNone\b(?! that)|\bTrue\b|\bFalse\b|[{}]|\": |': ", line)
    ]


def words(node: nodes.Node) -> str:
    """Return what people read of a node, pictures aside."""
    return "\n".join(text.astext() for text in node.findall(nodes.Text) if not isinstance(text.parent, nodes.raw))


def rows(box: nodes.Element) -> list[nodes.Node]:
    """Return what is answered in each row of the tables in a box."""
    return [row.children[-1] for body in box.findall(nodes.tbody) for row in body.children]
