"""Finding what may be drawn: the acts that are offered, in their order, each asked once and counted as it weighs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from brou import Crash, catalogue, rules
from brou.chance import Chance
from brou.compiler.compiled import Compiled
from brou.compiler.cse import Sharing
from brou.compiler.cse_steps import share_steps
from brou.compiler.emit_finding import emit_finding
from brou.compiler.finding import Block, FinderBuilder, Weighing
from brou.compiler.kinds import NUMBER, TRUTH
from brou.compiler.lower import lower
from brou.compiler.lowered import Constant, Kind, Step, Term, Value, every_inner
from brou.compiler.playing import RandomPlayer, step
from brou.compiler.rebuild import Rebuilding
from brou.compiler.term_builder import TermBuilder
from brou.language.syntax import Game

Tiny = Callable[..., Game]

#: What is too long to be written out where it is asked.
HEAVY = "max((sum(weight(c) for c in nest[p]) + sum(shade(c) for c in nest[p]) for p in players), default=0)"
FREE = {"by": {"who": "players"}, "do": []}


def opening(tiny: Tiny, actions: Mapping[str, Any], **sections: Any) -> Game:
    """Return the made-up game with other actions, all of them open in its first phase."""
    return tiny(actions=actions, phases={"perch": {"actions": list(actions)}, "night": {"final": True}}, **sections)


def text(game: Game, weights: Weighing, asked: tuple[str, ...] = ()) -> str:
    """Return the generated function that finds what is open in the first phase."""
    written = emit_finding(lower(game, asked), weights)
    return written[written.index("def find_perch") :].split("\n\n\n")[0]


def opened(block: Block) -> list[tuple[Value, ...]]:
    """Return who may act, and with what, of a block of which all is known."""
    listed = [one.value.parts for one in every_inner(block) if one.op == "open" and one.value is not None]
    return sorted(tuple(part.value for part in parts) for parts in listed)


# What is found --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", catalogue())
def test_what_is_found_is_counted(name: str) -> None:
    """At every decision of a random match the acts found count together as often as each of them, a card once."""
    engine, chance = Compiled(rules(name)), Chance(3)
    state = engine.begin()
    for _ in range(150):
        count, found = engine.finder[state.PHASE](state)
        assert count == sum(size for size, *_ in found)
        assert all(size == (1 if cards is None else cards.bit_count()) for size, *_, cards in found)
        if step(engine, state, chance) is None:
            break


@pytest.mark.parametrize("name", catalogue())
def test_what_is_drawn_is_one_of_what_is_found(name: str) -> None:
    """Drawing an act where it is found comes to the same as listing all of them, and takes as many random numbers."""
    engine, chance, other = Compiled(rules(name)), Chance(5), Chance(5)
    state = engine.begin()
    for _ in range(150):
        found = engine.finder[state.PHASE](state)
        drawn = step(engine, state.copy(), chance)
        assert drawn == engine.draw(state, other, found[1])
        if drawn is None:
            break
        engine.play(state, drawn[1], drawn[0], drawn[2])
    assert chance.word() == other.word()


def test_a_local_is_no_card_of_a_loop(tiny: Tiny) -> None:
    """Two acts that choose a card by the same name, and test it against others, do not take each other's card."""
    lone = "all(weight(lone) >= weight(c) for c in nest[me])"
    choose = {"by": {"who": "players"}, "params": {"lone": {"in": "nest[me]"}}, "legal": lone, "do": []}
    rust = {**choose, "legal": f"suit(lone) == rust and {lone}"}
    held = {"set": "nest[p]", "to": "{card(hawk, moss), card(owl, rust)}"}
    deal = [{"for": "p", "in": "players", "do": [held]}, {"goto": "perch"}]
    actions = {"moss": choose, "rust": rust}
    phases = {"opening": {"do": deal}, "perch": {"actions": list(actions)}, "night": {"final": True}}
    engine = Compiled(tiny(actions=actions, phases=phases), keep=False)
    state = engine.begin()

    assert [engine.legal(state, seat) for seat in range(4)] == [
        engine.machine.legal(engine.decode_state(state), seat) for seat in range(4)
    ]
    assert [act for act, *_ in engine.offers(state)] == ["moss"] * 4


def test_what_crashes_when_it_is_offered_crashes_when_it_is_found(tiny: Tiny) -> None:
    """A condition that breaks a promise is not passed by because something else is asked first."""
    broken = {"args": {}, "type": "bool", "require": "tally == 3", "is": "True"}
    engine = Compiled(opening(tiny, {"stay": {**FREE, "legal": "broken()"}}, functions={"broken": broken}), keep=False)
    state = engine.begin()

    with pytest.raises(Crash):
        engine.machine.legal(engine.decode_state(state), 0)
    with pytest.raises(Crash):
        engine.offers(state)


# What is asked --------------------------------------------------------------------------------------------------------


def test_loops_over_fixed_values_are_written_out(tiny: Tiny) -> None:
    """Each seat and each value of an act has its own tests, so that the seat is known in them."""
    wish = {**FREE, "params": {"what": {"in": "mood"}}, "legal": "wish != what and not flag"}
    program = lower(opening(tiny, {"wish": wish}))
    found = opened(FinderBuilder(program, {}).block(program.stages["perch"]))

    assert found == [(seat, mood) for seat in range(4) for mood in range(2)]


def test_long_loops_stay_loops(tiny: Tiny) -> None:
    """An act of very many values is not written out value by value."""
    many = {**FREE, "params": {name: {"in": "lap"} for name in ("a", "b", "c")}, "legal": "a != b or b != c"}
    written = text(opening(tiny, {"many": many}), {})

    assert "for me in" in written
    assert written.count("out") < 30


def test_what_several_acts_ask_is_asked_once(tiny: Tiny) -> None:
    """A function that two acts ask of the same is called once in a decision."""
    heavy = {"args": {}, "type": "int", "is": HEAVY}
    acts = {"one": {**FREE, "legal": "heavy() > 3"}, "two": {**FREE, "legal": "heavy() > 1"}}
    written = text(opening(tiny, acts, functions={"heavy": heavy}), {})

    assert written.count("total(WEIGHT") == 4


def test_what_may_not_be_asked_at_all_is_not_asked_beforehand(tiny: Tiny) -> None:
    """A costly function behind a test of each act stays behind it, although both acts ask it."""
    heavy = {"args": {}, "type": "int", "is": HEAVY}
    acts = {
        name: {**FREE, "legal": f"{test} and heavy() > 3"} for name, test in (("one", "flag"), ("two", "tally == 2"))
    }
    written = text(opening(tiny, acts, functions={"heavy": heavy}), {})

    assert written.index("s.flag") < written.index("total(WEIGHT")


@pytest.mark.parametrize("name", ["chance", "choose_counted", "fill_bounds", "count", "out", "size", "weight"])
def test_a_value_may_be_called_like_anything(tiny: Tiny, name: str) -> None:
    """What generated code calls its own does not stand in the way of a value of that name."""
    acts = {"one": {**FREE, "params": {name: {"in": "pack"}}, "legal": f"{name} in pack"}}
    engine = Compiled(opening(tiny, {**acts, "two": {**FREE, "legal": "True"}}), keep=False)
    state = engine.begin()
    drawn = {step(engine, state.copy(), Chance(seed))[0] for seed in range(20)}  # type: ignore[index]

    assert drawn == {"one", "two"}


# Weights --------------------------------------------------------------------------------------------------------------


def test_what_weighs_nothing_is_not_even_asked(tiny: Tiny) -> None:
    """An act of weight 0 has no code; a greater weight counts."""
    acts = {"one": {**FREE, "legal": "flag"}, "two": {**FREE, "legal": "True"}}
    game = opening(tiny, acts)

    assert "s.flag" in text(game, {})
    assert "s.flag" not in text(game, {"one": 0})
    assert Compiled(game, keep=False).weighing({"one": 0, "two": 3})["perch"](Compiled(game).begin())[0] == 12


def test_what_weighs_nothing_is_made_where_nothing_else_is_open(tiny: Tiny) -> None:
    """Where nothing that is open has any weight, everything counts once."""
    engine = Compiled(opening(tiny, {"one": {**FREE, "legal": "flag"}, "two": {**FREE, "legal": "True"}}), keep=False)
    player, state = RandomPlayer(engine, {"two": 0, "one": 5}), engine.begin()

    assert player.counting(state)[0] == 4
    setattr(state, "flag", True)  # noqa: B010 - each game has slots of its own
    assert player.counting(state)[0] == 20


def test_a_weight_that_is_a_function_is_a_test_and_a_number(tiny: Tiny) -> None:
    """Of a weight that is nothing for some values, these are not found; the others count as often as it says."""
    wish = {**FREE, "params": {"what": {"in": "mood"}}, "legal": "True"}
    weighed = {"args": {"me": "player", "what": "mood"}, "type": "int", "is": "7 if what == wild else 0"}
    engine = Compiled(opening(tiny, {"wish": wish}, functions={"weighed": weighed}), keep=False, asked=["weighed"])
    count, found = engine.weighing({"wish": "weighed"})["perch"](engine.begin())

    assert count == 28
    assert [(weight, seat, values) for _, weight, _, seat, values, _ in found] == [(7, seat, (1,)) for seat in range(4)]


def test_a_weight_may_ask_for_the_card(tiny: Tiny) -> None:
    """Cards that weigh differently are found one by one, each with its weight, and those that weigh nothing not."""
    choose = {**FREE, "params": {"bird": {"in": "pack"}}, "legal": "True"}
    heavy = {"args": {"me": "player", "bird": "card"}, "type": "int", "is": "weight(bird)"}
    engine = Compiled(opening(tiny, {"choose": choose}, functions={"heavy": heavy}), keep=False, asked=["heavy"])
    count, found = engine.weighing({"choose": "heavy"})["perch"](engine.begin())

    assert [weight for _, weight, *_ in found] == [5, 2, 5, 2] * 4
    assert count == 4 * (5 + 2 + 5 + 2)


# Terms and steps ------------------------------------------------------------------------------------------------------


def test_a_known_value_is_computed_at_once() -> None:
    """A term on a local becomes a constant where the local is known, lets written out."""
    terms = TermBuilder(4, {})
    x, y = terms.local("x", NUMBER), terms.local("y", NUMBER)
    term = terms.let("y", terms.add(x, terms.count(1)), terms.compare(">", terms.multiply(y, y), x))

    assert Rebuilding(terms, {}).put(term, {"x": terms.count(3)}) is terms.true


def test_a_value_that_may_crash_keeps_its_let() -> None:
    """A let whose value may crash is evaluated once, as before."""
    terms = TermBuilder(4, {})
    one = terms.make("product", NUMBER, terms.local("x", NUMBER), terms.local("x", NUMBER), total=False)
    term = terms.let("y", one, terms.add(terms.local("y", NUMBER), terms.local("y", NUMBER)))

    assert Rebuilding(terms, {}).put(term, {}).op == "let"


def test_a_value_under_a_bound_name_is_told() -> None:
    """A value that asks for a local which is bound inside the term would be captured, and that is said."""
    terms = TermBuilder(4, {})
    index = Kind("list", element=NUMBER)
    loop = terms.make(
        "loop", TRUTH, terms.const(index, (1, 2)), terms.true,
        terms.compare(">", terms.local("x", NUMBER), terms.local("n", NUMBER)), name="any", bound="n",
    )  # fmt: skip
    rebuilding = Rebuilding(terms, {})

    assert rebuilding.captures(loop, {"x": terms.local("n", NUMBER)})
    assert not rebuilding.captures(loop, {"x": terms.local("m", NUMBER)})


def test_a_loop_over_fixed_values_is_written_out() -> None:
    """Steps of a short loop stand once for each value, and cases whose outcome is known are gone."""
    terms = TermBuilder(4, {})
    n = terms.local("n", NUMBER)
    other = Step("cases", cases=((terms.compare("==", n, terms.count(2)), (put("b", n),)), (None, (put("c", n),))))
    loop = Step("loop", "n", value=terms.const(Kind("list", element=NUMBER), (1, 2)), body=(put("a", n), other))
    made = Rebuilding(terms, {}).steps((loop,), {})

    assert [(one.variable, one.value.value) for one in made if one.value] == [("a", 1), ("c", 1), ("a", 2), ("b", 2)]


def test_a_demand_that_holds_is_dropped() -> None:
    """What is known to hold is not tested, as a step or inside a term; what is not known is."""
    terms = TermBuilder(4, {})
    x = terms.local("x", NUMBER)
    inside = terms.make("demand", NUMBER, terms.compare(">", x, terms.count(0)), x, name="one", total=False)
    steps = (Step("demand", "no", value=terms.compare(">", x, terms.count(1))), put("a", inside))
    made = Rebuilding(terms, {}).steps(steps, {"x": terms.count(2)})

    assert [(one.op, one.value) for one in made] == [("put", terms.count(2))]
    assert [one.op for one in Rebuilding(terms, {}).steps(steps, {})] == ["demand", "put"]


def test_what_tests_prove_outlives_their_local() -> None:
    """A term behind a test needs no more than before when a local stands for that test."""
    terms = TermBuilder(4, {"rank": Constant("rank", NUMBER, by_card=True, values=(1, 2, 3, 4))})
    card = terms.local("card", Kind("card", optional=True))
    there = terms.some(card)
    term = terms.choose(there, terms.trait(NUMBER, "rank", terms.present(card)), terms.count(0))

    assert not term.needs
    assert not Sharing(terms, set()).replace_part(term, there, terms.local("kept", TRUTH)).needs


def call(terms: TermBuilder, *given: Term) -> Term:
    """Return a call of the routine of these tests."""
    return terms.make("call", NUMBER, *given, name="asked")


def lets(steps: tuple[Step, ...]) -> list[str]:
    """Return the names of the lets of steps, those inside others too."""
    return [name for one in steps for name in [*([one.name] if one.op == "let" else []), *lets(one.body)]]


def put(variable: str, value: Term) -> Step:
    """Return the step that writes a variable."""
    return Step("put", variable=variable, value=value)


def test_a_call_is_made_once_until_what_it_reads_is_written() -> None:
    """Steps share a call as long as no variable changes that it reads, and make it anew behind that."""
    terms = TermBuilder(4, {})
    asked = call(terms)
    before = (put("a", asked), put("b", asked), put("read", asked), put("c", asked), put("d", asked))
    after = share_steps(terms, before, lambda _: frozenset(["read"]))
    kept = terms.local("asked_", NUMBER)

    assert lets(after) == ["asked_", "asked_2"]
    assert [one.value for one in after if one.op == "put"] == [kept] * 3 + [terms.local("asked_2", NUMBER)] * 2
    assert [one.op for one in after] == ["let", "put", "put", "put", "let", "put", "put"]


def test_a_call_that_may_crash_is_not_shared() -> None:
    """What may crash stays where it is asked."""
    terms = TermBuilder(4, {})
    asked = terms.make("call", NUMBER, name="asked", total=False)

    assert lets(share_steps(terms, (put("a", asked), put("b", asked)), lambda _: frozenset())) == []


def test_a_loop_asks_what_does_not_change_before_it() -> None:
    """A call in a loop over fixed values that comes to the same each time stands before the loop; others do not."""
    terms = TermBuilder(4, {})
    index = Kind("list", element=NUMBER)
    same, other = call(terms), call(terms, terms.local("n", NUMBER))
    loop = Step("loop", "n", value=terms.const(index, (1, 2)), body=(put("a", same), put("b", other)))
    first, second = share_steps(terms, (loop,), lambda _: frozenset())

    assert (first.op, first.value) == ("let", same)
    assert second.body[1].value is other


def test_a_local_that_is_set_anew_is_another() -> None:
    """A call of a local is made again behind a let of the same name."""
    terms = TermBuilder(4, {})
    asked = call(terms, terms.local("n", NUMBER))
    steps = (put("a", asked), Step("let", "n", value=terms.count(2)), put("b", asked))

    assert share_steps(terms, steps, lambda _: frozenset())[-1].value is asked
