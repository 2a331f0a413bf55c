"""Witnesses of open passages: every pair has one, each replays as it is told, and what makes them small keeps them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from brou import Choice, book, catalogue, choose, house
from brou.games.folder import root
from brou.language.schema import validator
from brou_conformance.metamorphic.renaming import canonical
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Pattern
from brou_conformance.scenarios.script import spell
from brou_conformance.scenarios.translation import Translation
from brou_tools.cli import main
from brou_tools.questions.parting import SeparatingScenario, bare, find_parting, pairs
from brou_tools.questions.register import Witness, entries, exempt, questions, witnesses
from brou_tools.questions.shrinking import shrunk
from brou_tools.questions.situation import Situation, of
from brou_tools.witness.search import harmless, search, starts
from brou_tools.witness.witness_text import parting_of
from oracle_loader import answer, open_match

WITNESSES = [(game, one) for game in catalogue() for one in witnesses(game, house()) if one.scenario]
LONG = ("brouc.cape.dehors-after-the-call", "dehors_after_cape_announcement", ("refused", "allowed"))


def scenario_of(name: str) -> Any:
    """Return a scenario by its id."""
    return next(one for game in corpus.games() for one in corpus.scenarios(game) if one.id == name)


def long_one() -> tuple[SeparatingScenario, Situation]:
    """Return a scenario that parts two values late, as it stands."""
    name, key, pair = LONG
    found = find_parting(scenario_of(name), house(), key, pair)
    assert found is not None
    known = of(found)
    assert known is not None
    return found, known


@pytest.mark.parametrize("game", catalogue())
def test_every_open_passage_is_parted_or_exempt(game: str) -> None:
    """Each passage with several readings has a witness or a reason for every two of them; only numbers are exempt."""
    varied = [entry for entry in entries(game, house()) if entry.treatment == "VAR"]
    told = {(one.ambiguity, one.pair) for one in witnesses(game, house())}
    wanted = {(reading.ambiguity, pair) for reading, pair in pairs(game, house())}
    numeric = {reading.ambiguity for reading in book(game).readings.values() if reading.number}

    assert told == wanted
    assert set(exempt(game, house())) == numeric
    assert {entry.id for entry in varied} == {id_ for id_, _ in told} | numeric


@pytest.mark.parametrize(("game", "one"), WITNESSES, ids=lambda each: str(getattr(each, "scenario", each)))
def test_a_witness_is_as_small_as_is_said(game: str, one: Witness) -> None:
    """The step that parts the two comes after so many deals and decisions, and the text expects both answers."""
    found = parting_of(one, house())

    assert (found.deals, found.decisions, found.expected) == (one.deals, one.decisions, True)
    assert found.scenario.game == game


@pytest.mark.slow
@pytest.mark.parametrize(("game", "one"), WITNESSES, ids=lambda each: str(getattr(each, "scenario", each)))
def test_interpreter_and_oracle_answer_as_is_expected(game: str, one: Witness) -> None:
    """Under either value both give the answer that the scenario expects from the text."""
    found = parting_of(one, house())
    answers = list(zip(one.pair, found.choices, found.answers, strict=True))
    key = questions(game, house())[one.ambiguity].string("key")

    assert all(dict(choice.readings)[key] == value for value, choice, _ in answers)
    assert all(fits(found.step.values[value], said) for value, _, said in answers)
    assert all(fits(found.step.values[value], oracle(found, choice)) for value, choice, _ in answers)


def fits(wanted: Pattern, said: Mapping[str, Any]) -> bool:
    """Say whether an answer is what a pattern wants; of a refusal only that it is one."""
    if wanted.key in ("ok", "no"):
        return (said.get("ok") is True) == (wanted.key == "ok")
    here: Mapping[str, Any] = said[wanted.key]
    return all(canonical(ordered(here.get(key))) == canonical(ordered(value)) for key, value in wanted.members.items())


def ordered(value: Any) -> Any:
    """Return a value with lists of words in one order, and nothing where nothing is offered."""
    listed = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return sorted(value) if listed else value or None


def oracle(found: SeparatingScenario, choice: Choice) -> Mapping[str, Any]:
    """Return what the oracle answers to the step that parts two values."""
    script = spell(found.scenario, choice)
    match = open_match(choice, script.start)
    return [answer(match, step.message) for step in script.steps[: found.number + 1]][-1]


# Making them small ----------------------------------------------------------------------------------------------------


def test_what_is_made_smaller_still_parts() -> None:
    """Of a long scenario a few acts are left, both rules accept them, and they answer otherwise in the end."""
    _, known = long_one()
    small = shrunk(known)

    assert small.holds()
    assert small.size < known.size
    assert small.decisions <= 1
    assert canonical(small.answers()[0]) != canonical(small.answers()[1])


def test_what_is_made_smaller_bears_plain_names() -> None:
    """The last seat deals, and what is made smaller once more stays as it is."""
    small = shrunk(long_one()[1])

    assert small.start["dealer"] == small.game.seats - 1
    assert shrunk(small) == small


def test_a_search_finds_less_than_a_long_scenario() -> None:
    """Random plays from the starts of the corpus come to a parting, and to none after nought decisions."""
    found, known = long_one()
    looked = search(known.rules, starts(known.rules, LONG[1]), found.decisions, 300)

    assert looked.found is not None
    assert 0 < looked.found.decisions <= found.decisions
    assert search(known.rules, starts(known.rules, LONG[1]), 0, 20).found is None


def test_nothing_parts_the_same_rules() -> None:
    """A value beside itself is harmless without bound, and a search of it finds nothing."""
    plain = choose("brouc")

    assert harmless((plain, plain), LONG[1]) == "harmless without bound: both values make the same rules"
    assert search((plain, plain), starts((plain, plain), LONG[1]), 5, 20).found is None


def test_rules_that_part_late_are_harmless_up_to_a_bound() -> None:
    """Two values that part only when a whole deal is counted are harmless as far as a short search goes."""
    both = next(bare("brouc", house(), "rounding_order", ("cards-then-marriages", "sum-half-away")))

    assert harmless(both, "rounding_order", 30).startswith("harmless up to ")


@pytest.mark.slow
def test_rules_that_part_are_not_harmless() -> None:
    """Where a search finds a parting nothing is said to be harmless."""
    name, key, pair = LONG
    both = next(bare(scenario_of(name).game, house(), key, pair))

    assert harmless(both, key, 2000) == ""


@pytest.mark.slow
def test_a_solver_finds_the_fewest_cards() -> None:
    """Whether a free ruff may be low matters from two cards in hand on: with one there is no choice."""
    pytest.importorskip("z3")
    from brou_tools.smt.separate import prove_least  # noqa: PLC0415 - needs the solver

    (one,) = (one for one in witnesses("brouc", house()) if one.ambiguity == "brouc.amb.14")
    known = of(parting_of(one, house()))
    assert known is not None
    found = prove_least(known)

    assert found is not None
    assert (found.act, found.cards) == ("play", one.cards)


# The command ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "question"),
    [("en", "What may seat 1 do?"), ("fr", "Que peut faire la place 1"), ("de", "Was darf Platz 1")],
)
def test_a_witness_is_told_in_words(capsys: pytest.CaptureFixture[str], lang: str, question: str) -> None:
    """Readings, hands, the trick and both answers are told in the language asked for."""
    assert main(["witness", "brouc.amb.11", "--lang", lang]) == 0
    told = capsys.readouterr().out

    assert question in told
    assert "complete-in-trick" in told
    assert "brou explain brouc.over.jack-on-the-king#" in told
    assert "♠" in told
    assert "{" not in told


def test_the_scenario_of_a_witness_is_named_in_the_language(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its title is the translation where there is one."""
    one = next(one for one in witnesses("brouc", house()) if one.ambiguity == "brouc.amb.47" and one.scenario)
    french = {parting_of(one, house()).scenario.id: Translation("Un titre", "Une raison")}
    monkeypatch.setattr(corpus, "translations", lambda _game, lang, _folder: french if lang == "fr" else {})

    assert main(["witness", "brouc.amb.47", "--lang", "fr"]) == 0
    assert "  Un titre\n" in capsys.readouterr().out


def test_witnesses_are_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    """The document is as its schema has it, which the command writes too."""
    assert main(["witness", "brouc.amb.01.a", "brouc.amb.11", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert main(["witness", "--schema"]) == 0
    schema = json.loads(capsys.readouterr().out)

    assert schema["title"]
    assert validator(root() / "schemas" / "witness.schema.json").is_valid(found)
    assert [one["ambiguity"] for one in found["witnesses"]] == ["brouc.amb.01.a", *["brouc.amb.11"] * 3]


def test_a_search_that_finds_nothing_smaller_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a witness without a decision there is nothing smaller."""
    assert main(["witness", "brouc.amb.47", "--search"]) == 0
    assert capsys.readouterr().out == "nothing smaller was found\n"
