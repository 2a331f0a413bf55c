"""A command that had nothing to do says so and ends with a finding; silence would read as if all were well."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from brou import book, house
from brou_tools.ambiguities import command as ambiguities
from brou_tools.cli import main
from brou_tools.mutate import command as mutate
from brou_tools.mutate.fates import INVALID, MutantFate
from brou_tools.prove import command as prove
from brou_tools.smt import proving
from brou_tools.smt.obligations import ProofObligations, obligations
from brou_tools.witness import command as witness

GAME, OTHER = "brouc", "brusquembille"
#: An open passage that needs no witness, with the reason in the data, and one that is no reading.
EXEMPT, PLAIN = "brouc.amb.37", "brouc.amb.04.a"


def said(capsys: pytest.CaptureFixture[str], *line: str) -> tuple[int, str, str]:
    """Return what a command ends with, and what it says."""
    code = main(list(line))
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.fixture(name="unasked")
def _unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no game have obligations."""
    monkeypatch.setattr(proving, "obligations", lambda game, *_: ProofObligations(game, (), {}))


@pytest.fixture(name="unread")
def _unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no game have open passages."""
    for command in (witness, ambiguities):
        monkeypatch.setattr(command, "questions", lambda *_: {})
    monkeypatch.setattr(witness, "pairs", lambda *_: iter(()))
    monkeypatch.setattr(witness, "witnesses", lambda *_: ())
    monkeypatch.setattr(ambiguities, "book", lambda game, *_: replace(book(game), readings={}))


# Proofs ---------------------------------------------------------------------------------------------------------------

solver = pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")


@pytest.mark.usefixtures("unasked")
def test_a_game_without_obligations_is_not_proved(capsys: pytest.CaptureFixture[str]) -> None:
    """That nothing was asked of it is said instead of that nothing of it failed."""
    assert said(capsys, "prove", GAME) == (1, f"{GAME}: nothing to prove: it has no obligations\n", "")


@pytest.mark.usefixtures("unasked")
def test_no_game_with_obligations_is_not_proved(capsys: pytest.CaptureFixture[str]) -> None:
    """The same where no game is named."""
    assert said(capsys, "prove") == (1, "nothing to prove: no game has obligations\n", "")


@pytest.mark.usefixtures("unasked")
def test_a_document_about_nothing_is_one_still(capsys: pytest.CaptureFixture[str]) -> None:
    """Programs get their document, people the sentence beside it."""
    code, out, err = said(capsys, "prove", GAME, "--json")

    assert (code, json.loads(out)["games"][0]["obligations"]) == (1, [])
    assert err == f"{GAME}: nothing to prove: it has no obligations\n"


def test_a_game_of_slow_obligations_names_the_option(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all of them are left out it is said with what they are asked."""
    slow = next(one for one in obligations(GAME, house()).obligations if one.slow)
    monkeypatch.setattr(proving, "obligations", lambda game, *_: ProofObligations(game, (slow,), {}))

    assert said(capsys, "prove", GAME) == (
        1,
        f"{GAME}: nothing to prove: all its obligations are slow (--slow): {slow.id}\n",
        "",
    )


def test_a_game_that_is_named_beside_another_may_be_passed_over(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one obligation alone is wanted, other games have none to be asked, and that is no finding."""
    one = next(one for one in obligations(GAME, house()).obligations if one.id == "brouc.values")
    plainly = replace(one, readings="default", editions=(next(iter(book(GAME).editions)),))
    for module in (proving, prove):
        monkeypatch.setattr(
            module, "obligations", lambda game, *_: ProofObligations(game, (plainly,) if game == GAME else (), {})
        )
    code, out, _ = said(capsys, "prove", GAME, OTHER, "--only", "brouc.values")

    assert (code, GAME in out, OTHER in out) == (0, True, False)


@pytest.mark.usefixtures("unasked")
def test_a_second_solver_that_is_not_there_is_missed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever wants a second opinion learns that there is none."""
    monkeypatch.setattr(prove, "has_second", lambda: False)

    assert said(capsys, "prove", GAME, "--second")[2] == "no second solver answers: pip install 'brou[second]'\n"


# What the texts leave open --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["--search"]])
def test_a_passage_that_needs_no_witness_says_why(capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    """The reason stands in the data."""
    code, out, _ = said(capsys, "witness", EXEMPT, *options)

    assert (code, out.startswith(f"{EXEMPT}: nothing to show: A number that players agree on")) == (1, True)


def test_a_passage_without_readings_has_nothing_to_show(capsys: pytest.CaptureFixture[str]) -> None:
    """A document is written all the same, and the sentence stands beside it."""
    code, out, err = said(capsys, "witness", PLAIN, "--json")

    assert (code, json.loads(out)["witnesses"]) == (1, [])
    assert err == f"{PLAIN}: nothing to show: it has no two readings that a program could follow\n"


def test_what_has_a_witness_is_shown_beside_what_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    """One passage that is named in vain hides no other."""
    code, out, _ = said(capsys, "witness", "brouc.amb.47", PLAIN)

    assert (code, "brouc.amb.47" in out, f"{PLAIN}: nothing to show" in out) == (1, True, True)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["witness"], "nothing to show: no game has a witness"),
        (["witness", GAME], f"{GAME}: nothing to distinguish: it has no open question with two readings"),
        (["witness", "--search"], "nothing to show: no game has a witness"),
        (["witness", GAME, "--write"], f"{GAME}: nothing to distinguish: it has no open question with two readings"),
        (["ambiguities", GAME], f"{GAME}: nothing to list: no passage of it is open"),
        (["ambiguities", GAME, "--count", "3"], f"{GAME}: nothing to count: it has no readings"),
    ],
)
def test_a_game_that_leaves_nothing_open_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: list[str], told: str
) -> None:
    """Neither is anything listed, nor parted, nor counted, nor written."""
    monkeypatch.setattr(witness, "catalogue", lambda _project: [GAME])

    assert said(capsys, *line) == (1, f"{told}\n", "")


# Mutants --------------------------------------------------------------------------------------------------------------


def test_rules_without_mutants_bear_no_witness(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no damage can be done, that none lives says nothing."""
    monkeypatch.setattr(mutate, "draw_mutants", lambda *_: [])

    assert said(capsys, "mutate", GAME, "--write") == (1, f"{GAME}: nothing to ask: its rules have no mutants\n", "")


def test_mutants_that_are_no_other_rules_bear_no_witness(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where none of them loads, nobody could notice one."""
    fate = MutantFate("brouc:params/x", "number", "brouc.x.01", INVALID)
    monkeypatch.setattr(mutate, "_fates", lambda *_: [fate])
    code, out, _ = said(capsys, "mutate", GAME)

    assert (code, "nothing to ask: none of them is another rule base" in out) == (1, True)
