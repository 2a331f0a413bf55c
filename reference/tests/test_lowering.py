"""The lowered form: cards as masks without loops, nothing computed too early, nothing lost that crashes."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from textwrap import indent
from typing import Any

import pytest

from brou import Machine, catalogue, rules
from brou.compiler.case_analysis import has_exactly_one
from brou.compiler.compiled import Compiled
from brou.compiler.cse import share
from brou.compiler.emit_lines import WIDTH, fold_statement
from brou.compiler.emit_python import emit
from brou.compiler.kinds import CARD, NUMBER, SET, TRUTH, number
from brou.compiler.lower import lower
from brou.compiler.lowered import NO_INDEX, Kind, Program, Term, every_part
from brou.compiler.term_builder import TermBuilder, there
from brou.language.syntax import Game

Tiny = Callable[..., Game]
INDEX = Kind("index", 0, 2)
MAYBE = Kind("index", 0, 2, optional=True)


def body(tiny: Tiny, text: str, type_: str = "cards", **functions: Any) -> str:
    """Return the function that an expression becomes, which may ask for a seat `p` and a card `d`."""
    it = {"args": {"p": "player", "d": "card"}, "type": type_, "is": text}
    written = emit(lower(tiny(functions={"it": it, **functions}), ["it"]))
    return written[written.index("def rule_it") :].split("\n\n")[0]


CONDITIONS = [
    "suit(c) == moss",
    "suit(c) == suit(d)",
    "rank(c) != owl",
    "rank(c) in [owl, wren]",
    "c == d",
    "c != d and c in nest[p]",
    "c not in nest[p] or weight(c) > tally",
    "weight(c) == tally",
    "weight(c) != shade(d)",
    "tally <= shade(c)",
    "not (suit(c) == moss and weight(c) < 3)",
    "weight(c) > 2 if suit(c) == moss else shade(c) < 2",
    "(weight(c) if suit(c) == moss else shade(c)) >= tally",
    "weight(c) + 1 > 3",
    "seen != None and suit(c) == suit(seen)",
    "seen == None or c == seen",
    "flag and c in nest[p]",
    "pack - nest[p] <= {c}",
    "not nest[p] <= nest[next(p)] | {c}",
    "any(c in nest[q] for q in players)",
    "all(flown[n] != c for n in lap)",
    "light(c) or light(d)",
    "table_of(p, c)",
]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_on_a_card_becomes_a_mask(tiny: Tiny, condition: str) -> None:
    """The cards that meet a condition are found without going through cards."""
    rows = [
        {"id": "a", "when": "suit(c) == moss and not empty(nest[p])", "then": "True"},
        {"id": "b", "when": "light(c)", "then": "False"},
        {"id": "z", "else": "tally > 3"},
    ]
    table = {"args": {"p": "player", "c": "card"}, "type": "bool", "policy": "first", "rows": rows}
    light = {"args": {"c": "card"}, "type": "bool", "is": "weight(c) < 3"}
    it = {
        "args": {"p": "player", "d": "card"},
        "type": "cards",
        "is": f"{{c for c in nest[p] | {{d}} if ({condition})}}",
    }
    game = tiny(functions={"it": it, "light": light}, tables={"table_of": table})
    written = emit(lower(game, ["it"]))

    assert not re.search(r"\bfor \w+ in|cards_in\(", written[written.index("def rule_it") :].split("\n\n")[0])
    assert "def sift" not in written


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("any(suit(c) == moss for c in nest[p])", "bool"),
        ("all(weight(c) > 2 for c in nest[p] if c != d)", "bool"),
        ("count(suit(c) == suit(d) for c in nest[p])", "int 0..6"),
        ("first(c for c in nest[p] if weight(c) < tally)", "card?"),
        ("sum(weight(c) for c in nest[p] if suit(c) == rust)", "int"),
        ("max((weight(c) for c in nest[p]), default=0)", "int"),
        ("max(nest[p], key=weight)", "card?"),
        ("max(nest[p], key=lambda c: weight(c) + 9 if suit(c) == moss else shade(c))", "card?"),
        ("{c for c in pack if suit(c) == moss} & nest[p]", "cards"),
        ("{nest_card for nest_card in nest[p]}", "cards"),
    ],
)
def test_quantifiers_over_cards_need_no_loop(tiny: Tiny, text: str, type_: str) -> None:
    """So it is with every quantifier over a set of cards whose condition can be turned into a mask."""
    assert " for " not in body(tiny, text, type_)


def test_what_cannot_be_a_mask_is_a_loop(tiny: Tiny) -> None:
    """A condition that compares each card with each is gone through, after what can be a mask."""
    written = body(tiny, "{c for c in nest[p] if suit(c) == moss and count(weight(e) > weight(c) for e in pack) == 1}")

    assert "for c in cards_in(s.nest[p] & 0x7):" in written


# Terms ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def terms() -> TermBuilder:
    """Return a maker of terms for a pack of six cards."""
    return TermBuilder(6, {})


def crashing(terms: TermBuilder, kind: Kind = TRUTH) -> Term:
    """Return a term that may crash."""
    return terms.make("unique", kind, terms.true, terms.none(kind), name="gap", total=False)


def test_equal_terms_are_one(terms: TermBuilder) -> None:
    """A term made twice is the same object, and truth is not one."""
    assert terms.local("p", INDEX) is terms.local("p", INDEX)
    assert terms.const(TRUTH, value=True) is not terms.const(NUMBER, 1)
    assert terms.count(1) is terms.count(1)


def test_what_is_known_is_computed(terms: TermBuilder) -> None:
    """Constants are folded, and bounds decide comparisons."""
    five = terms.local("n", number(0, 5))
    assert terms.add(terms.count(2), terms.count(3)) is terms.count(5)
    assert terms.subtract(terms.add(five, terms.count(3)), terms.count(3)) is five
    assert terms.compare("<", five, terms.count(6)) is terms.true
    assert terms.compare(">", five, terms.count(5)) is terms.false
    assert terms.compare("==", terms.local("p", INDEX), terms.none(MAYBE)) is terms.false
    assert terms.both(terms.true, terms.local("b", TRUTH)) is terms.local("b", TRUTH)
    assert terms.extreme("max", five, terms.count(-1)) is five
    assert terms.without(terms.pack, terms.pack) is terms.nothing
    assert terms.some(terms.local("c", CARD)) is terms.true


def test_what_may_crash_is_kept(terms: TermBuilder) -> None:
    """Nothing that may crash is dropped or asked where it was not."""
    bad, fine = crashing(terms), terms.local("b", TRUTH)
    assert terms.both(bad, terms.false) is not terms.false
    assert terms.both(terms.false, bad) is terms.false
    assert terms.either(bad, terms.true) is not terms.true
    assert terms.choose(bad, fine, fine) is not fine
    assert terms.let("x", crashing(terms, NUMBER), fine) is not fine
    assert terms.common(crashing(terms, SET), terms.nothing) is not terms.nothing
    assert not terms.both(fine, bad).total


def test_numbers_beyond_all_bounds_are_a_crash(terms: TermBuilder) -> None:
    """A product, a sum or a difference that may lie beyond all bounds is checked, one within bounds is not."""
    small, large = terms.local("n", number(0, 9)), terms.local("m", NUMBER)

    for made in (terms.multiply(small, small), terms.add(small, small), terms.subtract(small, small)):
        assert terms.check_bounds(made) is made
    for made in (terms.multiply(small, large), terms.add(small, large), terms.subtract(small, large)):
        assert not terms.check_bounds(made).total
        assert terms.check_bounds(made).kind == NUMBER


def test_a_sum_has_the_bounds_of_its_parts(terms: TermBuilder) -> None:
    """The kind of a sum holds, however far it reaches: no comparison is decided by bounds that it may exceed."""
    large = terms.local("m", NUMBER)
    twice = terms.add(large, large)

    assert (twice.kind.low, twice.kind.high) == (2 * NUMBER.low, 2 * NUMBER.high)
    assert terms.compare("<=", twice, terms.count(NUMBER.high)) is not terms.true


def test_no_local_hides_another(tiny: Tiny) -> None:
    """In one function or phase each name is bound once, whatever the rules call it: the second has a number."""
    alone = "empty(nest[q]) and count(weight(c) > weight(d) for d in nest[q]) == 0 for c in nest[q]"
    it = {
        "args": {"q": "player", "d": "card"},
        "type": "int",
        "is": " + ".join(f"len({{{what} for q in players if any({alone})}})" for what in ("q", "team(q)")),
    }
    effects = [{"add": "tally", "by": 1}, {"add": "tally", "by": 2, "id": "more"}, {"goto": "perch"}]
    phases = {"opening": {"do": effects}, "perch": {"actions": ["stay"]}}
    program = lower(tiny(functions={"it": it}, phases=phases), ["it"])
    bound = [term.bound for term in every_part([program.routines["it"].body]) if term.bound]

    assert len(bound) > len({name.rstrip("_0123456789") for name in bound})
    assert len({*bound, "q", "d"}) == len(bound) + 2
    assert [step.name for step in program.stages["opening"].do if step.op == "let"] == ["changed", "changed_2"]


def test_what_is_chosen_from_a_list_has_its_bounds(tiny: Tiny) -> None:
    """A number that is one of a list of the data is as large as those of the list, and lists are as long."""
    domain = "{n for n in steps if n > tally}"
    params = {"n": {"in": domain}, "plan": {"in": "plans"}}
    act = {"by": {"who": "players"}, "params": params, "legal": "True", "do": []}
    number_, plan = lower(tiny(actions={"stay": act})).acts["stay"].choosing

    assert (number_.kind.low, number_.kind.high) == (1, 3)
    assert plan.kind.most == 2
    assert plan.domain is not None and plan.domain.kind.most == 2


def test_terms_know_what_has_to_be_there(terms: TermBuilder) -> None:
    """A term that takes something for present needs it, except behind its own test of that."""
    leader = terms.make("state", MAYBE, name="leader")
    asked = terms.make("lookup", INDEX, terms.present(leader), name="next")
    test = terms.compare("!=", leader, terms.none(MAYBE))

    assert asked.needs == {leader}
    assert there(test) == {leader}
    assert terms.choose(test, asked, terms.none(INDEX)).needs == frozenset()
    assert terms.both(test, terms.compare("==", asked, leader)).needs == frozenset()
    assert terms.both(terms.compare("==", asked, leader), test).needs == {leader}


# Sharing --------------------------------------------------------------------------------------------------------------


def test_what_is_used_twice_is_computed_once(terms: TermBuilder) -> None:
    """A call that stands in a term twice becomes a local."""
    call = terms.make("call", SET, name="table")
    found = share(
        terms, terms.union(terms.common(call, terms.local("x", SET)), terms.without(call, terms.local("y", SET)))
    )

    assert found.op == "let"
    assert found.parts[0] is call
    assert call not in every_part([found.parts[1]])


def test_nothing_is_computed_before_it_has_a_meaning(terms: TermBuilder) -> None:
    """What needs something to be there is computed behind the test of that, however often it is used."""
    leader = terms.make("state", MAYBE, name="leader")
    asked = terms.make("call", INDEX, terms.present(leader), name="beside")
    test = terms.compare("!=", leader, terms.none(MAYBE))
    found = share(
        terms, terms.both(test, terms.either(*(terms.compare("==", asked, terms.const(INDEX, n)) for n in (0, 1))))
    )

    assert found.op == "and"
    assert found.parts[0] is test
    assert found.parts[1].op == "let"


def test_what_may_crash_is_not_shared(terms: TermBuilder) -> None:
    """A part that may crash stays where it is."""
    bad = terms.make("call", SET, name="gap", total=False)
    whole = terms.union(terms.common(bad, terms.local("x", SET)), bad)

    assert share(terms, whole) is whole


# One row of a table ---------------------------------------------------------------------------------------------------


def test_one_row_fires_is_seen_by_cases(terms: TermBuilder) -> None:
    """Exactly one of some conditions holds if it does for all members, on all sides of numbers, for all cards."""
    one, two = terms.local("p", INDEX), terms.local("q", INDEX)
    n, m, card = terms.local("n", number(-99, 99)), terms.local("m", number(-99, 99)), terms.local("c", CARD)
    three = [terms.compare("==", one, terms.const(INDEX, place)) for place in range(3)]
    same = terms.compare("==", one, two)
    sides = [terms.compare(name, n, m) for name in ("<", "==", ">")]
    steps = [terms.compare("<", n, terms.count(0)), terms.compare(">=", n, terms.count(0))]
    held = [terms.some(terms.common(card, terms.const(SET, mask))) for mask in (0b111, 0b111000)]

    assert has_exactly_one(terms, three, [])
    assert has_exactly_one(terms, [terms.both(three[0], same), terms.both(three[0], terms.no(same)), *three[1:]], [])
    assert has_exactly_one(terms, sides, [])
    assert has_exactly_one(terms, steps, [])
    assert has_exactly_one(terms, held, [])
    assert has_exactly_one(terms, three[:2], [terms.no(three[2])])


def test_gaps_and_overlaps_are_seen(terms: TermBuilder) -> None:
    """Where no condition holds or two do, or nothing is known, it is not claimed."""
    one, n = terms.local("p", INDEX), terms.local("n", number(-99, 99))
    three = [terms.compare("==", one, terms.const(INDEX, place)) for place in range(3)]

    assert not has_exactly_one(terms, three[:2], [])
    assert not has_exactly_one(terms, [*three, three[0]], [])
    assert not has_exactly_one(
        terms, [terms.compare("<", n, terms.count(0)), terms.compare(">", n, terms.count(0))], []
    )
    assert not has_exactly_one(
        terms, [terms.compare("<=", n, terms.count(0)), terms.compare(">=", n, terms.count(0))], []
    )
    assert not has_exactly_one(terms, [terms.local("a", TRUTH), terms.local("b", TRUTH)], [])
    assert not has_exactly_one(terms, [crashing(terms), terms.no(crashing(terms))], [])
    maybe = terms.local("r", MAYBE)
    assert not has_exactly_one(terms, [terms.compare("==", maybe, terms.const(INDEX, place)) for place in range(3)], [])


# Lines ----------------------------------------------------------------------------------------------------------------


def test_folding_changes_nothing() -> None:
    """A statement that is folded is the same statement, in lines that are short as far as it has operators."""
    names = [f"number_{n}" for n in range(12)]
    for sign in ("or", "and", "|", "&", "+", "-", "==", "<="):
        whole = f" {sign} ".join(names)
        nested = f"({whole}) if {whole} else 0 - ({whole} if not ({whole}) else -1)"
        for before, expression, behind in (("return ", nested, ""), ("x[0] += ", nested, ""), ("if ", whole, ":")):
            text = f"{before}{expression}{behind}"
            lines = fold_statement(text)
            end = "\n    pass" if behind else ""
            assert max(map(len, lines)) < WIDTH + 10 < len(text)
            assert ast.dump(ast.parse(inside("\n".join(lines) + end))) == ast.dump(ast.parse(inside(text + end)))
    text = f"crash('{' or '.join(names * 2)}')"
    assert fold_statement(text) == [text]


def inside(text: str) -> str:
    """Return lines as the body of a function."""
    return "def it():\n" + indent(text, "    ")


@pytest.mark.parametrize("name", catalogue())
def test_every_line_of_the_generated_code_can_be_read(name: str) -> None:
    """Lines are short, but for a call or a place within brackets; what is done stands behind its effect and clause."""
    written = emit(lower(rules(name)))

    assert sum(len(line) > WIDTH + 10 for line in written.splitlines()) <= len(written.splitlines()) / 200
    for action in rules(name).actions.values():
        for effect in action.do:
            assert f"# {effect.id} [{effect.clause}]" in written


# Programs -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", catalogue())
def test_a_program_is_whole(name: str) -> None:
    """A program has all variables, acts and phases of its rules, and every routine and constant that it uses."""
    game = rules(name)
    program = lower(game)

    assert list(program.cells) == list(game.state)
    assert list(program.acts) == list(game.actions)
    assert list(program.stages) == list(game.phases)
    assert called(program) <= set(program.routines)
    assert looked_up(program) <= set(program.constants)


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue())
def test_words_are_wide_enough(name: str) -> None:
    """The pack of every game fits into a word of 64 bits, and every array into as many places as its first value."""
    program = lower(rules(name))

    assert len(program.cards) < 64
    for cell in program.cells.values():
        if cell.kind.form == "array":
            size = 1
            for side in cell.kind.shape:
                size *= side
            assert isinstance(cell.default, tuple)
            assert len(cell.default) == size


def test_absent_values_are_out_of_range(tiny: Tiny) -> None:
    """No card is the empty set, no seat is below the first."""
    program = lower(tiny())

    assert program.cells["boss"].default == NO_INDEX
    assert program.cells["seen"].default == 0


def test_a_seat_that_acts_alone_is_not_looked_for(tiny: Tiny) -> None:
    """Where one seat may act, the offer is for that seat; where several may, all are asked."""
    alone = {"by": {"who": "boss"}, "legal": "True", "do": []}
    several = {"by": {"who": "{p for p in players if empty(nest[p])}"}, "legal": "True", "do": []}
    game = tiny(actions={"alone": alone, "several": several}, phases={"perch": {"actions": ["alone", "several"]}})
    program = lower(game)
    compiled = Compiled(game, keep=False)

    assert [level.domain.op for level in program.acts["alone"].offers if level.domain] == ["state"]
    assert [level.domain.op for level in program.acts["several"].offers if level.domain] == ["const"]
    assert [offer[:2] for offer in compiled.offers(compiled.begin())] == [("several", seat) for seat in range(4)]
    assert "alone" not in Machine(game).legal(Machine(game).begin(), 0)


def called(program: Program) -> set[str]:
    """Return the routines that a program calls."""
    return {term.name for term in program.terms if term.op == "call"}


def looked_up(program: Program) -> set[str]:
    """Return the constants that a program reads."""
    read = ("lookup", "trait", "total", "best", "peak", "floor")
    return {term.name for term in program.terms if term.op in read}


def test_terms_that_share_their_parts_are_written_briefly() -> None:
    """A term whose parts stand twice in each of forty others is written in a line, not in gigabytes."""
    terms = TermBuilder(4, {})
    term = terms.local("n", number(0, 9))
    for _ in range(40):
        term = Term("+", number(0, 9), (term, term))

    assert repr(Term("+", number(0, 9), (terms.local("n", number(0, 9)), terms.const(number(1, 1), 1)))) == (
        "+(local n, const 1)"
    )
    assert len(repr(term)) < 1000
