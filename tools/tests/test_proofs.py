"""What is said of the rules is proved, and a statement that does not hold is caught with a position that shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import proved
import pytest

from brou import Choice, book, choose, house, patch_rules
from brou.games.folder import root
from brou.language.load import load_rules
from brou.language.patch import apply_patches, read_patches
from brou.language.schema import validator
from brou.language.source import parse_yaml
from brou_tools.cli import main
from brou_tools.smt.asking import PROVED, REFUTED, UNKNOWN, Asking, SolverOptions, make_act, play_act
from brou_tools.smt.ground import ProofContext
from brou_tools.smt.obligations import KINDS, Obligation, choices, obligations
from brou_tools.smt.prover import prove_obligation
from brou_tools.smt.proving import SLOW_LIMIT
from brou_tools.smt.solve import LIMIT, second_opinion

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

#: How many claims can be derived from the text of each game.
CLAIMS = {"brouc": 19, "brusquembille": 13, "hombre": 14, "homme-d-auvergne": 12, "homme-de-brou": 25}
#: So many times what any question takes it may take that is not about a slow obligation.
MARGIN = 5
#: What is to be proved of this game takes a few seconds, of the others as long as all other tests together.
QUICK = "homme-d-auvergne"


def every() -> Iterator[Any]:
    """Yield every obligation as a case of its own; those that are slow by their data take as long as all others."""
    for game in sorted(CLAIMS):
        for one in obligations(game, house()).obligations:
            mark = [pytest.mark.thorough] if one.slow else [pytest.mark.slow] if game != QUICK else []
            yield pytest.param(game, one, id=one.id, marks=mark)


@lru_cache(maxsize=8)
def prover(choice: Choice) -> Asking:
    """Return the prover of a rule base, which makes its formulas once."""
    return Asking(choice, SolverOptions(LIMIT))


@pytest.mark.slow
@pytest.mark.sampled(40)
@pytest.mark.parametrize(("game", "one"), list(every()))
def test_an_obligation_comes_out_as_it_should(game: str, one: Obligation) -> None:
    """Under the first choice of rules that it is about the statement is proved, or refuted, as expected."""
    at_work = prover(next(choices(game, house(), one))[0])
    at_work.options.limit = SLOW_LIMIT if one.slow else LIMIT
    found = prove_obligation(at_work, one)

    assert found.status == one.expect, found.reason


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(CLAIMS))
def test_results_that_are_kept_are_those_of_the_rules(game: str) -> None:
    """Each statement came out as it should, of the very rules and words that stand there now.

    A statement without a result, or with that of other rules, is asked by `python -P tools/tests/proved.py --slow`.
    """
    kept = proved.read()[game]
    every_one = list(proved.list_kept(game))
    wanted = {one.id: proved.KeptResult(one.expect, proved.name_result(game, one)) for one in every_one}
    stale = [id_ for id_, one in wanted.items() if kept.get(id_) != one]

    assert (stale, sorted(kept.keys() - wanted.keys())) == ([], [])


def hold(capsys: pytest.CaptureFixture[str], game: str, *only: str) -> None:
    """Assert that obligations of a game hold under all rules, far from the budget; those that are named, or all."""
    named_ids = (word for id_ in only for word in ("--only", id_))
    assert main(["prove", game, *named_ids, "--afresh", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["games"]

    assert found["proved"] == len({one["id"] for one in found["obligations"]}) > 0
    assert max(one["steps"] for one in found["obligations"]) * MARGIN <= LIMIT


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "id_"),
    [
        # It guards what the others do, of the game whose rules have most readings.
        pytest.param("brouc", "brouc.tables.gap-free", marks=pytest.mark.thorough),
        ("brusquembille", "brus.pack.points"),
        ("hombre", "omb.bid.some-call"),
        ("homme-d-auvergne", "auv.pack.enough"),
        ("homme-de-brou", "brou.tables.gap-free"),
    ],
)
def test_every_choice_of_rules_is_asked_about(capsys: pytest.CaptureFixture[str], game: str, id_: str) -> None:
    """An obligation holds under each edition, set-up, reading and pair of readings that meet."""
    hold(capsys, game, id_)


# Beyond the tests above it guards what is slow, and all others under rules that are not the first.
@pytest.mark.thorough
@pytest.mark.parametrize("game", sorted(CLAIMS))
def test_every_choice_of_rules_comes_out_as_it_should(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing fails under any edition, reading or pair of readings that meet, and no question is near its budget."""
    hold(capsys, game)


@pytest.mark.parametrize("game", sorted(CLAIMS))
def test_every_claim_is_answered(game: str) -> None:
    """Each claim that can be derived from the text has an obligation, or a reason why it can have none, never both."""
    data = obligations(game, house())
    claimed, exempt = {one.claim for one in data.obligations if one.claim}, set(data.exempt)
    (stem,) = {claim.rpartition(".")[0] for claim in claimed | exempt}

    assert claimed | exempt == {f"{stem}.{number:02}" for number in range(1, CLAIMS[game] + 1)}
    assert not claimed & exempt


def test_the_schema_allows_the_kinds_that_the_prover_knows() -> None:
    """An obligation of every kind that the schema allows can be read, and the schema allows every kind."""
    schema = json.loads((root() / "schemas" / "obligations.schema.json").read_text(encoding="utf-8"))
    kinds = schema["properties"]["obligations"]["additionalProperties"]["properties"]["kind"]["enum"]

    assert set(kinds) == set(KINDS)


@pytest.mark.parametrize("game", sorted(CLAIMS))
def test_no_position_is_kept_before_it_is_proved(game: str) -> None:
    """Where nothing has been asked every kind of position is assumed."""
    data = obligations(game, house())
    standing = data.standing()

    assert set(standing) == set(data.positions)
    assert all(word.startswith("assumed") for word in standing.values())


def test_a_position_is_kept_once_that_is_proved() -> None:
    """What was asked and holds is kept, and what narrows it down is a part of it."""
    standing = obligations("brouc", house()).standing({"brouc.positions.undealt", "brouc.positions.opening"})

    assert standing["undealt"].startswith("kept, with")
    assert standing["uncut"] == "part of undealt"


def test_a_position_is_not_kept_where_the_one_before_it_is_not() -> None:
    """What acts begin in must be kept itself; what was asked and failed is said to be so."""
    asked = {"brouc.positions.undealt", "brouc.positions.opening"}
    standing = obligations("brouc", house()).standing({"brouc.positions.undealt"}, asked)

    assert standing["undealt"] == "kept, if those are that brouc.positions.undealt begins with"
    assert standing["opening"] == "not kept: brouc.positions.opening fails"


def test_a_fixed_variable_has_no_other_value() -> None:
    """Nothing of a position is asked where it is another, and the interpreter is told the value as a condition."""
    where = obligations("brusquembille", house()).positions["final"]
    ground = prover(choose("brusquembille")).ground(where)

    assert {name: node.text for name, node in where.fixed.items()} == {"done": "tricks - 1", "now": "tricks"}
    assert {"done == tricks - 1", "now == tricks"} <= {condition.text for condition in where.where}
    assert ground.say("done == tricks - 1 and now == tricks", where.where[0].place) is True


def variant(one: Obligation, **changes: str) -> Obligation:
    """Return an obligation that says something else."""
    fields = dict(one.node.fields)
    fields |= {key: replace(fields[key], value=value) for key, value in changes.items()}
    return replace(one, node=replace(one.node, value=fields))


def named(game: str, id_: str) -> Obligation:
    """Return an obligation by its id."""
    return next(one for one in obligations(game, house()).obligations if one.id == id_)


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "id_", "changes"),
    [
        ("brouc", "brouc.play.within-whist", {"show": "suit(c) == led"}),
        ("brouc", "brouc.round.example", {"show": "rounded(75) == 70"}),
        ("brouc", "brouc.rank.order", {"less": "pips(one) < pips(two)"}),
        ("homme-de-brou", "brou.play.whist", {"show": "may_play(turn, c) == (suit(c) == led)"}),
        ("homme-de-brou", "brou.points.after-one", {"value": "43"}),
        ("homme-de-brou", "brou.table.zero-sum", {"of": "sum(gains[t] for t in teams)"}),
    ],
)
def test_a_false_statement_is_refuted(game: str, id_: str, changes: dict[str, str]) -> None:
    """The prover finds a position against it, which the interpreter has seen too."""
    found = prove_obligation(prover(choose(game)), variant(named(game, id_), **changes))

    assert found.status == REFUTED
    assert found.witness
    assert found.witness["rules"].startswith(game)


def test_a_duty_that_binds_too_widely_is_caught() -> None:
    """Where a void player too must follow suit, there is nothing to play, and the interpreter sees that too."""
    choice = choose("homme-de-brou")
    duty = "tables/may_play/rows/play_02/when"
    wider = parse_yaml(f'[{{at: {duty}, value: "suit(c) != led and not tricks_play_lead"}}]', "wider.yaml")
    broken = load_rules(apply_patches(patch_rules(choice), read_patches(wider)), book(choice.game).codes)
    found = prove_obligation(
        Asking(choice, SolverOptions(LIMIT), make=lambda chosen: ProofContext.around(chosen, broken)),
        named("homme-de-brou", "brou.play.some-card"),
    )

    assert found.status == REFUTED
    assert found.witness


@pytest.mark.slow
def test_what_is_read_first_within_an_act_is_part_of_the_position() -> None:
    """The interpreter, set down in a position found for what an act leads to, is led there too."""
    at_work = Asking(choose("homme-de-brou"), SolverOptions(LIMIT))
    ground = at_work.ground(None)
    action, run = make_act(ground, "next")
    answer = ground.ask(*ground.unbroken, ground.translator.symbols.equal(run.values["dealer"], 2))

    state = play_act(ground.position(answer.model), action)

    assert ground.words.machine.get(state, "dealer") == 2


def test_a_statement_about_nothing_is_not_proved() -> None:
    """Where nothing is as a statement supposes, it does not count as proved."""
    one = named("brouc", "brouc.round.lost")
    where = one.node.fields["where"]
    nothing = replace(where, value=(*where.items, replace(where.items[0], value="x < 0")))
    found = prove_obligation(
        prover(choose("brouc")), replace(one, node=replace(one.node, value={**one.node.fields, "where": nothing}))
    )

    assert (found.status, found.reason) == (UNKNOWN, "nothing is as it supposes")


@pytest.mark.parametrize(
    ("id_", "said"),
    [("brouc.round.example", "unsat"), ("brouc.values", "unsat"), ("brouc.table.two-in-a-trick", "sat")],
)
def test_another_solver_says_the_same(tmp_path: Path, id_: str, said: str) -> None:
    """A question written down in SMT-LIB is answered alike by a second solver."""
    pytest.importorskip("cvc5", reason="no second solver is installed")
    prove_obligation(Asking(choose("brouc"), SolverOptions(LIMIT, tmp_path)), named("brouc", id_))
    (first,) = tmp_path.glob(f"{id_}.*.1.smt2")

    assert second_opinion(first.read_text(encoding="utf-8")) == said


@pytest.mark.slow
def test_prove_answers_in_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    """The document of a run follows its schema and names the rules, the clauses and the status."""
    assert main(["prove", "brouc", "--only", "brouc.values", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (game,) = document["games"]

    assert validator(root() / "schemas" / "proofs.schema.json").is_valid(document)
    assert (game["game"], game["proved"], game["failed"]) == ("brouc", 1, [])
    assert {entry["status"] for entry in game["obligations"]} == {PROVED}
    assert game["positions"] == obligations("brouc", house()).standing({"brouc.values"}, {"brouc.values"})


def test_an_unknown_obligation_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt id ends with 2 and the ids that there are."""
    assert main(["prove", "brouc", "--only", "no-such-thing"]) == 2
    assert "unknown obligation" in capsys.readouterr().err
