"""Proofs of earlier runs: taken over where nothing has changed that they rest on, and asked again everywhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from brou import book, cache, choose, house, key, rules
from brou.chapters.tokens import KindOfObligation
from brou.language.node import Node
from brou.language.syntax import Game
from brou.language.tree import Literal
from brou_tools.cli import main
from brou_tools.prove import command as prove
from brou_tools.smt import proving
from brou_tools.smt.asking import Asking, ObligationResult
from brou_tools.smt.known_proofs import KnownProofs, is_plain, name_proof
from brou_tools.smt.obligations import Obligation, ProofObligations, obligations
from brou_tools.smt.prover import prove_obligation
from brou_tools.smt.slices import slice_of
from brou_tools.smt.solve import LIMIT
from brou_tools.terminal.progress import ProgressLine

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

GAME = "brouc"
#: A statement that is asked under one choice of rules here.
STATEMENT = next(one for one in obligations(GAME, house()).obligations if one.id == "brouc.values")
ONE = replace(STATEMENT, readings="default", editions=(next(iter(book(GAME, house()).editions)),))
RULES = rules(choose(GAME))
#: A statement that rests on functions.
RESTING = next(one for one in obligations(GAME, house()).obligations if slice_of(RULES, one) & RULES.functions.keys())


@pytest.fixture(autouse=True)
def _own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a test have a cache of its own, and one statement to ask, in this process."""
    monkeypatch.setenv("BROU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for module in (proving, prove):
        monkeypatch.setattr(module, "obligations", lambda game, _project: ProofObligations(game, (ONE,), {}))
    for known in (cache.place, key.place, key.own_key):
        known.cache_clear()
    yield
    for known in (cache.place, key.place, key.own_key):
        known.cache_clear()


@pytest.fixture(name="asked")
def _asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of statements that are really asked from now on."""
    asked: list[str] = []

    def note(asking: Asking, one: Obligation) -> ObligationResult:
        asked.append(one.id)
        return prove_obligation(asking, one)

    monkeypatch.setattr(proving, "prove_obligation", note)
    return asked


def run(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Return what a run says of the statement, which holds."""
    assert main(["prove", GAME, *options]) == 0
    return capsys.readouterr().out


def test_what_is_proved_is_not_asked_again(capsys: pytest.CaptureFixture[str], asked: list[str]) -> None:
    """The second run takes the proof over and says so."""
    first, second = run(capsys), run(capsys)

    assert (asked, "proved before" in first) == ([ONE.id], False)
    assert "  1 were proved before, and nothing has changed that they rest on (--afresh asks again)" in second


def test_the_document_tells_what_was_known(capsys: pytest.CaptureFixture[str]) -> None:
    """A program sees which proofs were taken over; all else but the time is as it was."""
    first, second = (json.loads(run(capsys, "--json"))["games"][0]["obligations"][0] for _ in range(2))

    assert second.pop("known") is True
    assert {**first, "seconds": 0} == second


@pytest.mark.parametrize("option", [["--afresh"], ["--second"], ["--smtlib", "written"]])
def test_all_is_asked_where_that_is_wanted(
    capsys: pytest.CaptureFixture[str],
    asked: list[str],
    option: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever wants questions written down, or a second opinion, gets them of what was proved before, too."""
    monkeypatch.chdir(tmp_path)
    run(capsys)
    run(capsys, *option)

    assert asked == [ONE.id, ONE.id]


def test_an_interrupted_run_keeps_what_it_proved(
    capsys: pytest.CaptureFixture[str], asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was proved before the interruption is not asked again."""
    with monkeypatch.context() as patch:
        patch.setattr(ProgressLine, "show", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        main(["prove", GAME])
    capsys.readouterr()
    run(capsys)

    assert asked == [ONE.id]


@pytest.mark.parametrize(
    ("result", "plain"),
    [
        (ObligationResult("proved"), True),
        (ObligationResult("proved", witness={}), False),
        (ObligationResult("refuted", witness={}), False),
        (ObligationResult("unknown", "the budget is spent"), False),
    ],
)
def test_only_plain_proofs_are_kept(result: ObligationResult, plain: bool) -> None:
    """What shows a position is played anew each time, and what nobody could tell is asked anew."""
    assert is_plain(ONE, result) is plain


@pytest.mark.parametrize("kind", ["refines", "separates"])
def test_statements_about_two_rule_bases_are_not_kept(kind: KindOfObligation) -> None:
    """They rest on more than the slice of one."""
    assert not is_plain(replace(ONE, kind=kind), ObligationResult("proved"))


# What a proof rests on ------------------------------------------------------------------------------------------------


def with_another_function(game: Game, name: str) -> Game:
    """Return rules in which a function has one more promise, which holds."""
    function = game.functions[name]
    true = Literal(type=function.type, place=function.place, value=True)
    return replace(game, functions={**game.functions, name: replace(function, requires=(*function.requires, true))})


def test_an_edit_elsewhere_leaves_a_proof_standing() -> None:
    """A function outside the slice may change."""
    beside = next(name for name in RULES.functions if name not in slice_of(RULES, RESTING))

    assert name_proof(with_another_function(RULES, beside), RESTING, LIMIT) == name_proof(RULES, RESTING, LIMIT)


def test_every_record_of_the_slice_counts() -> None:
    """No record that a proof rests on can change without another name of the proof."""
    plain = name_proof(RULES, RESTING, LIMIT)
    inside = [name for name in slice_of(RULES, RESTING) if name in RULES.functions]

    assert inside
    assert all(name_proof(with_another_function(RULES, name), RESTING, LIMIT) != plain for name in inside)


def test_what_all_records_rest_on_counts() -> None:
    """A proof for four seats is none for five."""
    assert name_proof(replace(RULES, seats=RULES.seats + 1), RESTING, LIMIT) != name_proof(RULES, RESTING, LIMIT)


def test_whether_a_function_is_an_exception_counts() -> None:
    """Statements about exceptions ask which functions are some."""
    name = next(name for name in slice_of(RULES, RESTING) if name in RULES.functions)
    function = RULES.functions[name]
    other = replace(RULES, functions={**RULES.functions, name: replace(function, exception=not function.exception)})

    assert name_proof(other, RESTING, LIMIT) != name_proof(RULES, RESTING, LIMIT)


def test_the_statement_counts() -> None:
    """Another claim, another budget or another expectation has another name."""
    shown = replace(RESTING.node, value={**RESTING.node.fields, "show": Node("True", RESTING.place)})
    variants = [
        (replace(RESTING, node=shown), LIMIT),
        (RESTING, LIMIT + 1),
        (replace(RESTING, expect="refuted"), LIMIT),
    ]
    names = [name_proof(RULES, one, limit) for one, limit in variants]

    assert len({name_proof(RULES, RESTING, LIMIT), *names}) == len(names) + 1


def test_the_kind_of_position_counts() -> None:
    """A condition more, and the same words are about other positions."""
    one = next(one for one in obligations(GAME, house()).obligations if one.position is not None)
    assert one.position is not None
    position = replace(one.position, where=(*one.position.where, Node("True", one.place)))

    assert name_proof(RULES, replace(one, position=position), LIMIT) != name_proof(RULES, one, LIMIT)


def test_the_place_of_a_statement_does_not_count() -> None:
    """A line more above it moves a statement, and says nothing else."""
    moved = replace(RESTING, place=replace(RESTING.place, line=RESTING.place.line + 1))

    assert name_proof(RULES, moved, LIMIT) == name_proof(RULES, RESTING, LIMIT)


def test_two_runs_keep_the_proofs_of_both() -> None:
    """A run that ends later keeps what another stored meanwhile."""
    one, other = KnownProofs(GAME), KnownProofs(GAME)
    one.add({"first": 1})
    other.add({"second": 2})
    later = KnownProofs(GAME)

    assert (later.steps("first"), later.steps("second"), later.steps("third")) == (1, 2, None)
