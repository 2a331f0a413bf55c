"""Scenario files: what they mean, and every fault told with its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from brou import book
from brou.errors import Malformed
from brou_conformance.scenarios.corpus import clauses, of_file, reference_faults, scenarios, source, text
from brou_conformance.scenarios.scenario import Pattern, Scenario

GOOD = """\
- id: test.one
  title: One
  clauses: {brouc.play.02: [refuses]}
  level: must
  origin: hand
  because: So it is.
  deal: {dealer: 3}
  steps:
"""


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], Scenario]:
    """Return what reads one scenario from YAML."""

    def one(yaml: str) -> Scenario:
        path = tmp_path / "some.yaml"
        path.write_text(yaml, encoding="utf-8")
        (found,) = of_file(path, "brouc", "some.yaml")
        return found

    return one


@pytest.fixture
def refused(read: Callable[[str], Scenario]) -> Callable[[str], str]:
    """Return what is wrong with a file."""

    def told(yaml: str) -> str:
        with pytest.raises(Malformed) as caught:
            read(yaml)
        return str(caught.value)

    return told


Read = Callable[[str], Scenario]
Refused = Callable[[str], str]


@pytest.mark.parametrize(
    ("step", "pattern"),
    [
        ("{by: 0, act: {play: 9S}}", Pattern("ok", value=True)),
        ("{by: 0, act: {play: 9S}, expect: ok}", Pattern("ok", value=True)),
        ("{by: 0, act: {play: 9S}, expect: no}", Pattern("no", value=True)),
        ("{by: 0, act: {play: 9S}, expect: {no: too_low}}", Pattern("no", "too_low")),
        ("{legal: 1, expect: {play: [AS], claim: []}}", Pattern("legal", {"play": ["AS"], "claim": []})),
        ("{winner: true, expect: 2}", Pattern("winner", 2)),
        ("{winner: true, expect: null}", Pattern("winner", None)),
        ("{score: true, expect: {accounts: [1, 2]}}", Pattern("score", {"accounts": [1, 2]})),
        ("{view: 0, expect: {turn: 1}, hides: [own]}", Pattern("view", {"turn": 1}, ("own",))),
        ("{view: 0, hides: [own]}", Pattern("view", {}, ("own",))),
    ],
)
def test_every_expectation_is_a_pattern_of_a_result(read: Read, step: str, pattern: Pattern) -> None:
    """The forms of the file all mean what a program would answer."""
    (found,) = read(f"{GOOD}  - {step}").steps(4)

    assert found.choose_pattern({}) == pattern


def test_an_act_is_sent_as_it_is_written(read: Read) -> None:
    """The file writes acts as the wire does, and keeps its expectations to itself."""
    (found,) = read(f"{GOOD}  - {{by: 1, act: {{announce: {{suit: S, kind: grand}}}}, expect: no}}").steps(4)

    assert found.message == {"by": 1, "act": {"announce": {"suit": "S", "kind": "grand"}}}


def test_tricks_are_spelt_out_card_by_card(read: Read) -> None:
    """The short form names the leader; the others follow in the order of the seats."""
    found = read(f'{GOOD}  - {{id: two, play: ["3: AS KS", "2: 7H 8H 9H"]}}').steps(4)

    assert [step.id for step in found] == ["two.1", "two.2", "two.3", "two.4", "two.5"]
    assert [step.message["by"] for step in found] == [3, 0, 2, 3, 0]
    assert {step.choose_pattern({}) for step in found if step.expected} == {Pattern("ok", value=True)}


def test_steps_without_an_id_are_counted(read: Read) -> None:
    """A step has an id whether or not the file gives one."""
    found = read(f"{GOOD}  - {{winner: true, expect: 1}}\n  - {{id: mine, winner: true, expect: 1}}").steps(4)

    assert [step.id for step in found] == ["s1", "mine"]


def test_an_expectation_may_depend_on_a_reading(read: Read) -> None:
    """Each value of the reading has a pattern of its own; `yes` and `no` are words."""
    step = "{by: 0, act: {claim: true}, readings: {claim_counts_open_trick: {yes: ok, no: {no: too_low}}}}"
    (found,) = read(f"{GOOD}  - {step}").steps(4)

    assert found.choose_pattern({"claim_counts_open_trick": "no"}) == Pattern("no", "too_low")
    assert found.choose_pattern({"claim_counts_open_trick": "yes"}) == Pattern("ok", value=True)
    assert found.choose_pattern({}) is None


def test_an_edition_may_look_like_a_number(read: Read) -> None:
    """Editions are names, however they are written."""
    found = read(
        GOOD.replace("  steps:", "  edition: 2022\n  readings: {match_ticks: 1}\n  steps:")
        + "  - {winner: true, expect: 1}"
    )

    assert (found.editions, found.premise) == (("2022",), {"match_ticks": "1"})


STEP = "  - {winner: true, expect: 1}\n"


@pytest.mark.parametrize(
    ("yaml", "told"),
    [
        (
            f"{GOOD}  - {{by: 0, act: {{play: 9S}}, expct: no}}",
            "some.yaml:9:30: unknown key 'expct'; write expect; see spec/schemas/scenario.schema.json",
        ),
        (
            f"{GOOD}  - {{winner: true, expect: 1}}\n  titel: x\n",
            "unknown key 'titel'; write title; see spec/schemas/scenario.schema.json",
        ),
        (f"{GOOD}  - {{act: {{play: 9S}}}}", "some.yaml:9:5: `by` is missing; write it"),
        (
            f"{GOOD}  - {{by: 0, act: {{play: 9S}}, expect: maybe}}",
            'some.yaml:9:38: "maybe" is not one of "ok" or "no"',
        ),
        (f"{GOOD}  - {{by: 0, act: {{play: 9S}}, expect: {{no: because}}}}", 'some.yaml:9:43: "because" is not one of'),
        (f"{GOOD}  - {{legal: 1}}", "some.yaml:9:5: "),
        (f'{GOOD}  - {{play: ["0; AS"]}}', "some.yaml:9:13: "),
        (
            GOOD + STEP.replace("{", "{id: A, "),
            "some.yaml:9:10: 'A' is not of the form that is wanted; write small letters, digits",
        ),
        (GOOD.replace("must", "perhaps") + STEP, 'some.yaml:4:10: "perhaps" is not one of'),
        (GOOD.replace("dealer: 3", "dealer: 3, turnup: 1S") + STEP, "some.yaml:7:"),
        (GOOD.replace("  because: So it is.\n", "") + STEP, "some.yaml:1:3: `because` is missing; write it"),
        (GOOD.replace("  deal: {dealer: 3}\n", "  before: {accounts: [1, 2]}\n") + STEP, "some.yaml:1:3: "),
        (GOOD.replace("  steps:", "  level: open\n  steps:") + STEP, "some.yaml:8:3: the key 'level' appears twice"),
        (f"{GOOD}{STEP}  - {{id: s1, winner: true, expect: 1}}", "some.yaml:10:5: test.one has two steps 's1'"),
        ("{}", "some.yaml:1:1: "),
        ("- [", "no YAML"),
    ],
)
def test_a_fault_is_told_with_its_place(refused: Refused, yaml: str, told: str) -> None:
    """A message names file, line and column of what is wrong."""
    assert told in refused(yaml)


def test_all_faults_of_a_file_are_told_together(refused: Refused) -> None:
    """Nobody has to mend one fault to hear of the next."""
    told = refused(GOOD.replace("must", "perhaps").replace("hand", "hearsay") + STEP)

    assert [line.split(":")[1] for line in told.splitlines()] == ["4", "5"]


def test_an_id_stands_once_in_a_game(corpus: Callable[..., Path]) -> None:
    """Two scenarios of one name cannot be told apart in a report."""
    folder = corpus("  steps:\n  - {winner: true, expect: null}")
    (folder / "brouc" / "more.yaml").write_bytes((folder / "brouc" / "some.yaml").read_bytes())

    with pytest.raises(
        Malformed, match=r"brouc/some.yaml:1:3: a second scenario 'test.n1'; the first is at brouc/more"
    ):
        scenarios("brouc", folder)


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("edition: no-such", "unknown edition 'no-such'; there are 2022, club-2026"),
        ("readings: {no_such: x}", "unknown reading 'no_such'; there are "),
        ("readings: {announced_debit: yes}", "announced_debit is not open in 2022; name the editions"),
        ("readings: {marking: loud}", "marking has no value 'loud'; there are "),
    ],
)
def test_what_a_scenario_names_is_there(read: Read, field: str, told: str) -> None:
    """Editions, readings and their values are those of the game."""
    found = read(GOOD.replace("  steps:", f"  {field}\n  steps:") + STEP)

    assert told in "\n".join(map(str, reference_faults([found], book("brouc"), clauses("brouc"))))


def test_a_clause_that_is_cited_is_written(read: Read) -> None:
    """A case cites a clause of the game."""
    found = read(GOOD.replace("brouc.play.02", "brouc.play.99") + STEP)

    assert "unknown clause 'brouc.play.99'" in "\n".join(
        map(str, reference_faults([found], book("brouc"), clauses("brouc")))
    )


def test_a_clause_without_its_prefix_is_told_whole(read: Read) -> None:
    """Ids of the chapters lack the prefix of the game; who cites one so is told what to write, and where."""
    found = read(GOOD.replace("brouc.play.02: [refuses]", "brouc.play.02: [refuses], amb.02: [refuses]") + STEP)

    (told,) = reference_faults([found], book("brouc"), clauses("brouc"))
    assert str(told).startswith("some.yaml:3:39: unknown clause 'amb.02'; write brouc.amb.02, with the prefix")


def test_a_clause_that_is_misspelt_is_guessed(read: Read) -> None:
    """Of a clause that is like one of the game that one is named."""
    (told,) = reference_faults([read(GOOD.replace("play.02", "paly.02") + STEP)], book("brouc"), clauses("brouc"))
    assert str(told).endswith("unknown clause 'brouc.paly.02'; did you mean 'brouc.play.02'?")


def test_every_value_of_a_reading_has_an_expectation(read: Read) -> None:
    """A reading that is forgotten could not be judged."""
    step = "{by: 0, act: {claim: true}, readings: {claim_between_deals: {yes: ok, never: no}}}"
    found = read(f"{GOOD}  - {step}")

    (fault,) = reference_faults([found], book("brouc"), clauses("brouc"))
    assert fault.what == "test.one#s1 says nothing of after-first-trick, no and names never"


def test_a_scenario_is_shown_as_its_file_has_it(corpus: Callable[..., Path]) -> None:
    """Showing repeats the lines of the file, those of one scenario alone."""
    folder = corpus(*["  steps: # why\n  - {winner: true, expect: null}"] * 2)
    first, second = scenarios("brouc", folder)

    assert "".join([text(first, folder), text(second, folder)]) == (folder / "brouc" / "some.yaml").read_text("utf-8")
    assert source(second, folder).string("id") == "test.n2"
