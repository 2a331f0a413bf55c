"""The register of open passages: whole, true to the data, and with a witness for every two readings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from brou import Choice, book, catalogue
from brou.dealing import HANDS, STOCK, TURNUP, parts
from brou.library import root
from brou.shape import validator
from brou_conformance import corpus
from brou_conformance.renaming import canonical
from brou_conformance.scenario import Step
from brou_conformance.script import machine, spell
from brou_tools.cli import main
from brou_tools.comparing import comparison, example
from brou_tools.parting import compared, pairs, told
from brou_tools.register import entries, interval, questions, witnesses
from brou_tools.smt.obligations import obligations
from oracle_loader import begun

PAIRS = [(game, reading.key, pair) for game in catalogue() for reading, pair in pairs(game)]
#: The differences for which the comparison of the two texts names a test.
TOLD = "02 03 04 05 06 07 08 09 10 11 14 16 17 18 20 22 24 25 26 27 28 29 30 31 33 34 35 36 37 38 39 40 41 42 44 46"


def witness_of(game: str, key: str, pair: tuple[str, str]) -> Any:
    """Return what is written down to part two values."""
    ambiguity = book(game).readings[key].ambiguity
    return next((one for one in witnesses(game) if (one.ambiguity, one.pair) == (ambiguity, pair)), None)


@pytest.mark.parametrize(("game", "key", "pair"), PAIRS, ids=str)
def test_every_two_readings_part_or_are_said_to_be_harmless(game: str, key: str, pair: tuple[str, str]) -> None:
    """Interpreter and oracle answer the witness under one value as under the other nowhere before, and then not."""
    witness = witness_of(game, key, pair)
    assert witness is not None
    if witness.harmless:
        return
    scenario = next(one for one in corpus.scenarios(game) if one.id == witness.scenario)
    choices = compared(scenario, key, pair)
    assert choices is not None
    ours = [told(scenario, choice) for choice in choices]
    theirs = [oracle(scenario, choice) for choice in choices]

    assert canonical(list(ours[0] or ())) != canonical(list(ours[1] or ()))
    assert canonical(theirs[0]) != canonical(theirs[1])


def oracle(scenario: Any, choice: Choice) -> list[Any]:
    """Return what the oracle answers to a scenario under a choice of rules."""
    script = spell(scenario, choice)
    given, deal = parts(machine(choice), script.start)
    match = begun(choice.game, choice.edition, choice.setup, dict(choice.readings), given)
    if deal:
        own = {key: value for key, value in deal.items() if key not in (HANDS, STOCK, TURNUP)}
        assert match.act(given["dealer"], {"deal": own if len(own) > 1 else next(iter(own.values()))})
    return [answer(match, step) for step in script.steps]


def answer(match: Any, step: Step) -> Mapping[str, Any]:
    """Return what an oracle answers to a step."""
    message: Any = step.message
    if step.verb == "act":
        return {"ok": bool(match.act(message["by"], message["act"]))}
    asked = {"legal": match.legal, "view": match.view}.get(step.verb)
    return {step.verb: asked(message[step.verb]) if asked else match.score()}


@pytest.mark.parametrize("game", catalogue())
def test_the_register_has_every_question(game: str) -> None:
    """Each open passage is listed with its treatment and readings, as its schema has it."""
    found = entries(game)

    assert validator(root() / "schemas" / "register.schema.json").is_valid(found)
    assert [entry["id"] for entry in found] == list(questions(game))
    assert {entry["key"] for entry in found if entry["key"]} == set(book(game).readings)


def test_the_register_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes the entries of all games as one list."""
    assert main(["ambiguities", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert [entry["id"] for entry in found] == [id_ for game in catalogue() for id_ in questions(game)]


@pytest.mark.parametrize("game", catalogue())
def test_frequencies_are_shares_of_counted_deals(game: str) -> None:
    """Every reading that was counted has a share within its interval."""
    rates = [rate for entry in entries(game) for rate in entry["frequency"] or ()]

    assert rates
    assert all(rate["interval"][0] <= rate["share"] <= rate["interval"][1] for rate in rates)


def test_an_interval_narrows_with_the_count() -> None:
    """The same share of more deals lies within closer bounds, and none at all is no certainty."""
    few, many = interval(5, 50), interval(50, 500)

    assert few[0] < many[0] < 0.1 < many[1] < few[1]
    assert interval(0, 100)[1] > 0


def test_the_two_texts_are_compared_topic_by_topic() -> None:
    """Each difference that can be tested has an example that both rule bases answer differently, or a proof."""
    found = comparison("homme-de-brou@1802", "brouc@2022")
    proved = {one.id for game in catalogue() for one in obligations(game).obligations}
    bare = [row.id for row in found.rows if not (row.open or row.proved in proved or example(found, row))]

    assert bare == []
    assert {f"f{number}" for number in TOLD.split()} == {row.id for row in found.rows if row.id.startswith("f")}


def test_a_comparison_can_be_turned() -> None:
    """Named the other way round, the rows are the same with their sides exchanged."""
    one, two = comparison("homme-de-brou@1802", "brouc@2022"), comparison("brouc@2022", "homme-de-brou@1802")

    assert [row.clauses for row in one.rows] == [row.clauses[::-1] for row in two.rows]
