"""Nothing is proved of what is not there: no table, no position, no act, no other rules than those that were asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from brou import Choice, choose, house, rules
from brou.chapters.tokens import KindOfObligation
from brou.errors import Unknown
from brou.games.catalogue import with_readings
from brou.language.node import Node
from brou.language.syntax import Game
from brou.language.tree import Literal
from brou.language.types import BOOL
from brou_tools.smt import proving
from brou_tools.smt.asking import PROVED, REFUTED, UNKNOWN, Asking, SolverOptions
from brou_tools.smt.ground import ProofContext
from brou_tools.smt.obligations import Obligation, ProofObligations, Where, choices, obligations
from brou_tools.smt.prover import join_rules, prove_obligation
from brou_tools.smt.proving import tasks
from brou_tools.smt.slices import slice_of
from brou_tools.smt.solve import LIMIT

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

GAME, OTHER, KINGS = "brouc", "homme-de-brou", "homme-d-auvergne"
#: A table that gives one value for each call of that game.
TABLE, VALUES = "call_ticks", "calling"


def named(game: str, id_: str) -> Obligation:
    """Return an obligation by its id."""
    return next(one for one in obligations(game, house()).obligations if one.id == id_)


def of_kind(game: str, kind: str) -> Obligation:
    """Return the first obligation of a kind."""
    return next(one for one in obligations(game, house()).obligations if one.kind == kind)


def saying(one: Obligation, **changes: Any) -> Obligation:
    """Return an obligation that says something else."""

    def node(value: Any) -> Node:
        if isinstance(value, list):
            return Node(tuple(map(node, value)), one.place)
        if isinstance(value, dict):
            return Node({key: node(member) for key, member in value.items()}, one.place)
        return Node(value, one.place)

    fields = {**one.node.fields, **{key: node(value) for key, value in changes.items()}}
    return replace(one, node=replace(one.node, value=fields))


def asked(choice: Choice, one: Obligation, game: Game | None = None) -> tuple[str, str]:
    """Return what comes of an obligation, of other rules than those of the choice if any are given."""
    made = game or rules(choice)
    found = prove_obligation(
        Asking(choice, SolverOptions(LIMIT), make=lambda chosen: ProofContext.around(chosen, made)), one
    )
    return found.status, found.reason


def with_a_gap(game: Game) -> Game:
    """Return rules in which a table gives nothing for one of its arguments."""
    table = game.tables[TABLE]
    return replace(game, tables={**game.tables, TABLE: replace(table, rows=table.rows[1:])})


# What is not there ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["unique", "gap_free", "dead_rows"])
def test_a_table_that_is_not_there_is_not_proved(kind: str) -> None:
    """A misspelt table counts as unknown, and not as one of which nothing is wrong."""
    one = saying(of_kind(GAME, kind), tables=["no_such_table"])

    assert asked(choose(GAME), one) == (UNKNOWN, "there is no no_such_table")


@pytest.mark.slow
def test_an_exception_that_lifts_nothing_is_told() -> None:
    """A condition under which an exception comes to nothing is told with the exception."""
    game = rules(choose(GAME))
    lifting = game.functions["over_02"]
    never = replace(lifting, body=Literal(type=BOOL, place=lifting.place, value=False))
    made = replace(game, functions={**game.functions, "over_02": never})

    found = asked(choose(GAME), of_kind(GAME, "dead_rows"), made)

    assert found == (REFUTED, "the exception may_play/over_02 never lifts a duty alone")


@pytest.mark.slow
def test_an_exception_that_is_called_dead_and_lifts_a_duty_is_told() -> None:
    """What an obligation calls dead may not come to anything."""
    one = saying(of_kind(GAME, "dead_rows"), dead={"may_play/over_02": "it never lifts anything"})

    assert asked(choose(GAME), one) == (REFUTED, "the exception may_play/over_02 can lift a duty alone")


def test_a_row_that_is_not_there_is_not_dead() -> None:
    """A row is dead only if the rules have it."""
    one = saying(of_kind(GAME, "dead_rows"), dead={f"{TABLE}/no_such_row": "it never fires"})

    assert asked(choose(GAME), one) == (UNKNOWN, f"there is no {TABLE}/no_such_row")


@pytest.mark.parametrize("kind", ["reachable", "order_matters"])
def test_what_nothing_can_be_is_not_shown_to_be_never(kind: KindOfObligation) -> None:
    """Where nothing is as is supposed, neither that something is never so nor that no rows overlap is shown."""
    one = saying(named(GAME, "brouc.table.three-in-a-trick"), where=["now != now"], pairs={TABLE: []})
    assert asked(choose(GAME), replace(one, kind=kind)) == (UNKNOWN, "nothing is as it supposes")


def test_an_edition_that_is_not_there_is_bad_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """An obligation that is about no rules at all is not passed over in silence."""
    one = replace(named(GAME, "brouc.values"), editions=("no-such-edition",))
    monkeypatch.setattr(proving, "obligations", lambda game, _project: ProofObligations(game, (one,), {}))

    with pytest.raises(Unknown):
        list(tasks(GAME, house()))


# What cannot be told --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_a_table_does_not_give_is_not_proved_of_it() -> None:
    """A bound of what a table gives is not shown where the table gives nothing; where it has all its rows it is."""
    one = replace(
        saying(named(GAME, "brouc.values"), given={"c": VALUES}, where=[], show=f"{TABLE}(c) <= 999"), position=None
    )

    assert asked(choose(GAME), one)[0] == PROVED
    assert asked(choose(GAME), one, with_a_gap(rules(choose(GAME))))[0] == UNKNOWN


def test_what_cannot_be_told_of_a_position_is_not_kept() -> None:
    """A condition that crashes the interpreter after an act is lost by the act."""
    one = named(GAME, "brouc.positions.undealt")
    assert one.position is not None
    further = Node(f"all({TABLE}(c) <= 999 for c in {VALUES})", one.place)
    one = replace(one, position=replace(one.position, where=(*one.position.where, further)))

    assert asked(choose(GAME), one)[0] == PROVED
    assert asked(choose(GAME), one, with_a_gap(rules(choose(GAME))))[0] == REFUTED


def never_done(game: Game, act: str) -> Game:
    """Return rules in which an act always breaks a promise."""
    action = game.actions[act]
    never = Literal(BOOL, value=False)
    return replace(game, actions={**game.actions, act: replace(action, requires=(never,))})


@pytest.mark.parametrize("id_", ["auv.bid.in-order", "auv.score.kept", "auv.target.together.of-two"])
def test_an_act_that_cannot_be_carried_out_proves_nothing(id_: str) -> None:
    """What is said of the position after an act is not shown where every such act crashes."""
    one = named(KINGS, id_)
    choice = next(choices(KINGS, house(), one))[0]
    found = asked(choice, one, never_done(rules(choice), one.acts[0][0]))

    assert found == (UNKNOWN, "nothing is as it supposes")


def test_a_permission_that_cannot_be_told_is_a_broken_promise() -> None:
    """An act of which the interpreter cannot say if it is legal breaks a promise, though it is never carried out."""
    game, one = rules(choose(GAME)), named(GAME, "brouc.promises")
    table = game.tables["may_play"]
    never = Literal(BOOL, value=False)
    broken = replace(game, tables={**game.tables, "may_play": replace(table, requires=(never,))})
    of_play = replace(one, acts=tuple(pair for pair in one.acts if pair[0] == "play"))

    assert asked(choose(GAME), of_play, broken)[0] == UNKNOWN


# Where a match begins -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "outcome"),
    [(0, (PROVED, "")), (7, (REFUTED, "the start of a match loses it: all(before[p] == 7 for p in players)"))],
)
def test_what_acts_keep_and_the_start_has_not_is_not_kept(first: int, outcome: tuple[str, str]) -> None:
    """A position is kept only if a match that begins in its phase begins in one: induction needs its base."""
    one = named(KINGS, "auv.positions.drawing")
    assert one.position is not None
    condition = Node(f"all(before[p] == {first} for p in players)", one.place)
    where = Where("first", one.position.phase, where=(condition,))

    assert asked(choose(KINGS), replace(one, position=where, acts=())) == outcome


# Other rules ----------------------------------------------------------------------------------------------------------


def test_variables_of_another_type_are_others() -> None:
    """What is called alike in two games and has other values is unknown in each, whatever it is in the other."""
    at_work = Asking(choose(GAME), SolverOptions(LIMIT))
    ground = at_work.ground(None)
    other = join_rules(ground, choose(OTHER), {})
    equal = ground.translator.symbols.equal
    here, there = (equal(each.values["call"], None) for each in (ground, other))

    assert rules(choose(GAME)).state["call"].type != rules(choose(OTHER)).state["call"].type
    assert ground.ask(here, ground.forms.no(there)).status == "sat"


def renamed(game: Game, name: str) -> Game:
    """Return rules with one more table."""
    return replace(game, tables={**game.tables, name: replace(game.tables[TABLE], id=name)})


def zoned(game: Game, name: str) -> Game:
    """Return rules with one more place for cards."""
    return replace(game, state={**game.state, name: game.state["stock"]})


def entered(game: Game, name: str) -> Game:
    """Return rules with one more act that leads from the phase of drawing lots to that of dealing."""
    lot, own = game.phases["lot"], replace(game.actions["lot"], id=name)
    phase = replace(lot, actions=(*lot.actions, name))
    return replace(game, actions={**game.actions, name: own}, phases={**game.phases, "lot": phase})


def begun(game: Game, name: str) -> Game:
    """Return rules in which a variable has another first value."""
    caller = replace(game.state[name], default=1)
    return replace(game, state={**game.state, name: caller})


def judging(game: Game, name: str) -> Game:
    """Return rules in which a phase that no act belongs to, and to which an act leads, does nothing."""
    return replace(game, phases={**game.phases, name: replace(game.phases[name], do=())})


@pytest.mark.parametrize(
    ("id_", "change", "name"),
    [
        ("brouc.tables.no-gap", renamed, "another"),
        ("brouc.cards.conserved", zoned, "another"),
        ("brouc.positions.undealt", entered, "another"),
        ("brouc.positions.undealt", begun, "caller"),
        ("brouc.cards.conserved", judging, "trick_end"),
        ("brouc.cards.conserved", judging, "judge"),
    ],
)
def test_rules_with_something_more_are_asked_too(
    monkeypatch: pytest.MonkeyPatch, id_: str, change: Any, name: str
) -> None:
    """Another table, zone, way into a phase, first value or phase behind an act is a difference that counts."""
    one = of_kind(GAME, "gap_free") if id_.endswith("no-gap") else named(GAME, id_)
    plain, more = choose(GAME), with_readings(choose(GAME), {"marriage_exception": "any-two"})
    games = {plain: rules(plain), more: change(rules(plain), name)}
    monkeypatch.setattr(proving, "rules", games.__getitem__)
    monkeypatch.setattr(proving, "_find_changed", proving._find_changed.__wrapped__)  # noqa: SLF001 - what it remembers is of other rules
    plan = proving._ObligationPlan(one)  # noqa: SLF001 - the question is what it leaves out
    plan.add(plain, {})
    plan.add(more, {"marriage_exception": "any-two"})

    assert list(plan.asked) == [plain, more]


def test_a_reading_that_bites_only_with_another_is_asked_with_it() -> None:
    """Two readings are asked together also where one of them touches a statement only if the other is changed."""
    together = {("exception_scope", "forced-only"), ("marriage_exception", "any-two")}
    every = [task.choice for task in tasks(GAME, house(), ["brouc.play.some-card"])]

    assert "club-2026" in {choice.edition for choice in every if together <= set(choice.readings)}


def test_a_reading_compared_rests_on_both_of_its_values() -> None:
    """A statement that parts two values of a reading is asked again if what either of them uses is another."""
    one = named("brusquembille", "brus.readings.tour")
    key = one.node.string("key")
    choice = next(choices("brusquembille", house(), one))[0]
    plan = proving._ObligationPlan(one)  # noqa: SLF001 - the question is what it leaves out
    for value in one.texts("values"):
        rests = slice_of(rules(with_readings(choice, {key: value.text})), one)
        assert all(plan._is_touched(frozenset({name}), choice) for name in rests)  # noqa: SLF001


# Positions ------------------------------------------------------------------------------------------------------------


def standing(one: Obligation, positions: Sequence[Where]) -> dict[str, str]:
    """Return how positions stand where obligations about each of them are asked and hold."""
    every = tuple(replace(one, id=where.id, position=where, acts=one.acts) for where in positions[:1])
    return ProofObligations(GAME, every, {}, {where.id: where for where in positions}).standing(
        [each.id for each in every]
    )


@pytest.fixture(name="undealt")
def _undealt() -> Obligation:
    return replace(named(GAME, "brouc.positions.undealt"), readings="each")


def test_what_is_made_in_part_of_a_position_does_not_keep_it(undealt: Obligation) -> None:
    """Acts that are made in a narrower position than is kept say nothing of those made in the rest of it."""
    kept = Where("kept", "deal")
    part = Where("part", "deal", like="kept", where=(Node("now == now", undealt.place),))

    assert standing(replace(undealt, acts=(("deal", kept),)), [kept, part])["kept"] == "kept"
    assert standing(replace(undealt, acts=(("deal", part),)), [kept, part])["kept"] != "kept"


def test_a_position_of_another_phase_is_no_part(undealt: Obligation) -> None:
    """What takes over the conditions of a position that is kept, and is found in another phase, is assumed."""
    kept, other = Where("kept", "deal"), Where("other", "play", like="kept")

    assert standing(replace(undealt, acts=()), [kept, other]) == {"kept": "kept", "other": "assumed"}


def test_what_was_shown_under_some_rules_is_kept_there() -> None:
    """A position that was asked about under the readings of the editions alone is said to be kept with those."""
    found = obligations(GAME, house()).standing({"brouc.positions.undealt", "brouc.positions.opening"})

    assert found["opening"] == "kept, with readings those of the edition"


def test_what_rests_on_an_assumption_says_so() -> None:
    """A position that is entered from one of which something is assumed is kept as far as that one is."""
    data = obligations(OTHER, house())
    found = data.standing({one.id for one in data.obligations if one.kind == "invariant"})

    assert found["running"].startswith("kept, but by deal it is assumed")
    assert found["stopping"].startswith("kept, as far as running is")
