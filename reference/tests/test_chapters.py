"""Chapters: duties and exceptions, values, events, readings and modules mean what docs/language.md says of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest
import yaml

from brou import Impossible, Machine, State, book, choose, rules
from brou.chapters.checks import check_volume
from brou.chapters.conditions import Conditions
from brou.chapters.decisions import tabulate
from brou.chapters.law import Volume, make_law
from brou.chapters.reading import read_volume
from brou.chapters.schema import FORMS, make_schema
from brou.chapters.terms import conjoin, disjoin, imply, merge, replace_names
from brou.chapters.texts import mark_text
from brou.chapters.variants import Variants
from brou.errors import Crash, Malformed, Unusable
from brou.games.folder import list_files, read_file, root
from brou.language.load import load_rules
from brou.language.node import Node
from brou.language.schema import find_kind
from brou.language.source import parse_yaml, read
from brou.language.unparse import unparse_expression

#: What a game is written from: some clauses, as YAML.
Write: TypeAlias = Callable[..., Path]

FRAME = """
format: brou-game/2
game: heap
title: Heap
source: nowhere
names: {p: player, q: player, n: size, t: team, x: int}
scopes: [match, deal]
course: {play: play.01, over: end.01}
start: {phase: play, deal: take, given: {}}
editions:
  plain:
    title: Plain
    setups: [two, three]
    readings: {}
"""

PLAY = """
- clause: seat.01
  from: p1
  text: Two play with a few cards.
  seats: 2
  pack: {cards: french, ranks: A K}
  cards: {strength: {descending: A K}}
- clause: play.01
  from: p2
  text: Whoever is on turn takes one, two or three from the heap.
  types: {size: 1..3}
  keeps:
    match: {heap: "int 0..20, first 9", turn: "player, first 0"}
    deal: {log: int -99..99, other: int -99..99}
  act: take(p, n)
  in: play
  by: turn
  takes: {count: {in: size, code: bad_amount}}
  do:
  - add: {heap: -n}
  - happen: gone(p, n)
  - set: {turn: next(p)}
  - when: heap == 0
    do: [{go: over}]
- clause: play.02
  from: p2
  text: Nobody takes more than there is.
  deny: take(p, n)
  when: n > heap
  code: not_available
- clause: end.01
  from: p3
  text: It ends with the heap.
  show: {heap: heap}
  score: {log: log, other: other}
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a game of a heap into a folder: its clauses and more of them, and keys of its frame."""

    def written(more: str = "", *, play: str = PLAY, uses: str = "", **frame: Any) -> Path:
        game = tmp_path / "games" / "heap"
        game.mkdir(parents=True, exist_ok=True)
        (tmp_path / "prelude").mkdir(exist_ok=True)
        packs = {
            "format": "brou-packs/2",
            "packs": {"french": {"suits": {"S": "spades"}, "ranks": {"A": "ace", "K": "king"}}},
        }
        (tmp_path / "prelude" / "packs.yaml").write_text(yaml.safe_dump(packs))
        (game / "game.yaml").write_text(yaml.safe_dump({**yaml.safe_load(FRAME), **frame}, sort_keys=False))
        head = "format: brou-chapter/2\ngame: heap\nchapter: play\ntitle: Play\n"
        (game / "10-play.yaml").write_text(f"{head}{uses}clauses:{play}{more}")
        return tmp_path

    return written


def volume_of(folder: Path) -> Volume:
    """Returns the chapters of a folder, unchecked."""
    return read_volume("heap", partial(list_files, folder), partial(read_file, folder))


def faults_of(folder: Path) -> list[str]:
    """Returns what is wrong with the game of a folder, or nothing."""
    try:
        rules("heap", folder)
    except Unusable as error:
        return [str(fault) for fault in error.faults]
    return []


def play(machine: Machine, *acts: int) -> State:
    """Returns the state after some acts of whoever is on turn."""
    state = machine.begin()
    for count in acts:
        seat = int(str(machine.get(state, "turn")))
        after = machine.act(state, seat, {"take": count})
        assert isinstance(after, State), after
        state = after
    return state


def refused(machine: Machine, state: State, act: int) -> list[tuple[str, str]]:
    """Returns the clauses and codes by which an act of the seat on turn is refused."""
    seat = int(str(machine.get(state, "turn")))
    return [(one.clause, one.code) for one in machine.refusals(state, seat, {"take": act})]


# Shape ----------------------------------------------------------------------------------------------------------------


def test_a_key_that_is_not_known_is_a_fault_with_its_line(write: Write) -> None:
    """The message names file and line, and asks for a similar key."""
    folder = write("- clause: x.01\n  from: p1\n  text: Said.\n  wehn: True\n")
    assert faults_of(folder) == ["games/heap/10-play.yaml:43:3: unknown key 'wehn'; did you mean 'when'?"]


def test_a_key_that_is_not_known_is_found_deep_inside(write: Write) -> None:
    """The line is that of the key itself."""
    folder = write("- clause: x.01\n  from: p1\n  text: Said.\n  act: pass(p)\n  in: play\n  do:\n  - sett: {log: 1}\n")
    assert faults_of(folder)[0].startswith("games/heap/10-play.yaml:46:5: unknown key 'sett'")


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("Doubt", "other", "45:10: 'Doubt' is no key of a question; write small letters, digits and underscores"),
        ("doubt", "a,@owed", "50:14: 'a,@owed' is no name of a reading; write small letters, digits and hyphens"),
        ("doubt", "b=1", "50:14: 'b=1' is no name of a reading; write small letters, digits and hyphens"),
    ],
)
def test_keys_and_names_of_readings_can_be_written_behind_the_name_of_a_game(
    write: Write, key: str, value: str, fault: str
) -> None:
    """So no comma, sign of equality or bracket is in one; the fault has its line."""
    question = f"  - id: amb.09\n    key: {key}\n    ask: Which?\n    readings:\n      usual: {{why: So.}}\n"
    other = f'      "{value}":\n        why: Otherwise.\n        numbers: {{limit: 9}}\n'
    folder = write(f"- clause: x.01\n  from: p1\n  text: Said.\n  open:\n{question}{other}")
    assert any(fault in one for one in faults_of(folder))


def test_the_faults_of_several_clauses_are_told_together(write: Write) -> None:
    """One reading of a chapter tells what is wrong with each clause."""
    folder = write("- clause: x.01\n  from: p1\n- clause: x.02\n  from: p1\n  text: Said.\n  seats: many\n")
    assert [fault.split(": ", 1)[1].split(";")[0] for fault in faults_of(folder)] == [
        "object missing required field `text`",
        "expected `int | object | null`, got `str`",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("deny: take(p, n)\n  when: n > 1\n  act: pass(p)\n  do: []", "is of 2 kinds: deny, act"),
        ("deny: take(p, n)\n  code: not_available", "deny without when"),
        ("when: n > 1", "does not say of what kind of rule"),
        ("deny: leave(p)\n  when: 'True'", "which is no act; acts are take"),
        ("deny: take(p, n, x)\n  when: 'True'", "gives take 3 letters; write take(p, n)"),
        ("except: play.09\n  when: 'True'", "an exception of 'play.09', which is no rule"),
        ("except: play.02\n  when: 'True'\n  is: 1", "does not fit play.02"),
        ("narrows: play.03\n  when: 'True'", "narrows 'play.03', which is no rule"),
        ("adds: total(t)\n  term: a\n  is: 1", "total is not defined by a sum"),
        ("upon: nothing(p)\n  do: [{set: {log: 1}}]", "no event 'nothing'; events are gone"),
        ("upon: gone(p)\n  do: [{set: {log: 1}}]", "gives 2 letters; write it like gone(p)"),
        ("define: twice(y)\n  is: 2 * y", "nobody says what 'y' stands for"),
        ("effect: more(p)\n  do: [{run: most(p)}]\n  upon: x", "is of 2 kinds"),
        ("except: take(p, n)\n  when: n > heap and heap < n", "play.02 never binds: x.01 always lifts it"),
        ("except: take(p, n)\n  when: n > heap and heap < 2", ""),
    ],
)
def test_a_rule_that_cannot_be_is_refused(write: Write, clause: str, message: str) -> None:
    """What is wrong with a rule is said in its own words, with what to write."""
    found = "\n".join(faults_of(write(f"- clause: x.01\n  from: p1\n  text: Said.\n  {clause}\n")))
    assert message in found if message else not found


# Duties ---------------------------------------------------------------------------------------------------------------

EVEN = """
- clause: even.01
  from: p4
  text: Nobody takes two.
  deny: take(p, n)
  when: n == 2
  code: bad_amount
"""
UNLESS = """
- clause: even.02
  from: p4
  text: The second player may.
  except: even.01
  when: next(p) == first(q for q in players)
"""
RESTORED = """
- clause: even.03
  from: p4
  text: Even that player may not with six left.
  except: even.02
  when: heap == 6
"""


def test_a_duty_refuses_where_its_condition_holds(write: Write) -> None:
    """It is refused under its clause and code, all else is open."""
    machine = Machine(rules("heap", write(EVEN)))
    assert refused(machine, machine.begin(), 2) == [("heap.even.01", "bad_amount")]
    assert machine.legal(machine.begin(), 0) == {"take": [1, 3]}


def test_an_exception_lifts_the_duty_that_it_names(write: Write) -> None:
    """It lifts it where its own condition holds."""
    machine = Machine(rules("heap", write(EVEN + UNLESS)))
    assert [machine.legal(play(machine, *acts), seat)["take"] for seat, acts in ((0, ()), (1, (1,)))] == [
        [1, 3],
        [1, 2, 3],
    ]


def test_an_exception_of_an_exception_restores_the_duty(write: Write) -> None:
    """Where it holds the duty binds again."""
    machine = Machine(rules("heap", write(EVEN + UNLESS + RESTORED)))
    assert machine.legal(play(machine, 3), 1) == {"take": [1, 3]}


def test_an_exception_of_an_act_lifts_all_its_duties(write: Write) -> None:
    """Those of later clauses too."""
    free = "- clause: free.01\n  from: p5\n  text: At nine all is free.\n  except: take(p, n)\n  when: heap == 9\n"
    machine = Machine(rules("heap", write(free + EVEN.lstrip("\n"))))
    assert machine.legal(machine.begin(), 0) == {"take": [1, 2, 3]}
    assert machine.legal(play(machine, 1), 1) == {"take": [1, 3]}


def test_a_refusal_names_every_duty_that_binds(write: Write) -> None:
    """They stand in the order of the text."""
    machine = Machine(rules("heap", write(EVEN)))
    state = play(machine, 3, 3, 1, 1)
    assert refused(machine, state, 2) == [("heap.play.02", "not_available"), ("heap.even.01", "bad_amount")]


def test_a_refusal_tells_where_its_duty_stands(write: Write) -> None:
    """The place is that of the condition in the chapter; a folder may be named as a text."""
    folder = write(EVEN)
    machine = Machine(rules("heap", str(folder)))
    (first, *_) = machine.refusals(play(machine, 3, 3, 1, 1), 0, {"take": 2})

    text = (folder / "games" / "heap" / "10-play.yaml").read_text().splitlines()
    assert first.place is not None
    assert (first.place.file, text[first.place.line - 1].strip()) == ("games/heap/10-play.yaml", "when: n > heap")


def test_what_is_legal_depends_on_no_order(write: Write) -> None:
    """Clauses in another order allow the same acts."""
    parts = [EVEN, UNLESS, RESTORED]
    found = []
    for order in (parts, parts[::-1]):
        machine = Machine(rules("heap", write("".join(order))))
        states = [play(machine, *acts) for acts in ((), (1,), (3,), (3, 3), (1, 1, 1))]
        found.append([machine.legal(state, seat) for state in states for seat in (0, 1)])
        book.__globals__["_book"].cache_clear()
        rules.__globals__["_rules"].cache_clear()
    assert found[0] == found[1]


NARROWED = """
- clause: even.04
  from: p4
  text: Least of all two of two.
  narrows: even.01
  when: heap == 2
  code: not_your_role
"""


def test_a_special_case_of_a_duty_refuses_under_its_own_clause(write: Write) -> None:
    """It never changes what is legal."""
    machine = Machine(rules("heap", write(EVEN + NARROWED)))
    assert refused(machine, play(machine, 3, 3, 1), 2) == [("heap.even.04", "not_your_role")]
    assert refused(machine, play(machine, 3), 2) == [("heap.even.01", "bad_amount")]


def test_special_cases_that_exclude_each_other_deny_each_other_nowhere(write: Write) -> None:
    """Each row has its own case alone, and the row of the duty denies what the cases have in common."""
    cases = NARROWED.replace("heap == 2", "heap == 2 and p == turn") + NARROWED.replace("04", "05").replace(
        "heap == 2", "heap == 2 and not p == turn"
    )
    rows = {
        row.id: unparse_expression(row.when)
        for row in rules("heap", write(EVEN + cases)).tables["may_take"].rows
        if row.when
    }
    assert [rows[id_].count("heap") for id_ in ("even_04", "even_05", "even_01")] == [1, 1, 1]
    assert [rows[id_].count("turn") for id_ in ("even_04", "even_05", "even_01")] == [1, 1, 0]


@pytest.mark.parametrize(
    ("when", "denied"),
    [("heap != 2", ["even_01"]), ("heap == 2 and p == turn", ["even_04"]), ("p == turn", ["even_04", "even_01"])],
)
def test_an_exception_is_denied_where_it_can_lift(write: Write, when: str, denied: list[str]) -> None:
    """Not where the special case excludes it, nor in the other cases where it is part of a special case."""
    lifts = f"- clause: even.06\n  from: p4\n  text: Then anything.\n  except: even.01\n  when: {when}\n"
    rows = rules("heap", write(EVEN + NARROWED + lifts)).tables["may_take"].rows
    assert [row.id for row in rows if row.when and "even_06" in unparse_expression(row.when)] == denied


KNOWING = """
- clause: more.01
  from: p4
  text: Play goes on behind whoever was named.
  keeps:
    match: {named: player or None, "seen[p]": player or None}
  act: follow(p)
  in: play
  do: [{set: {turn: "next(READ)"}}]
  rules:
  - rule: more.01/nobody
    deny: DUTY
"""


@pytest.mark.parametrize(
    ("duty", "known"),
    [
        ("follow(p)\n    when: named == None", True),
        ("follow(p)\n    when: named == None or named == p", True),
        ("follow(p)\n    when: seen[p] == None", True),
        ("follow(p)\n    when: named == None and p == turn", False),
        ("follow(p)\n    when: named == p", False),
        ("follow(p)\n    when: seen[turn] == None", False),
    ],
)
def test_an_act_knows_what_its_duties_have_refused(write: Write, duty: str, *, known: bool) -> None:
    """Where a duty refuses an absent value, what is done may take it as there; a duty that may not is no help."""
    read = "seen[p]" if "seen" in duty else "named"
    instead = "seen[me]" if "seen" in duty else read
    faults = faults_of(write(KNOWING.replace("DUTY", duty).replace("READ", read)))
    assert [fault.partition("; ")[2] for fault in faults] == (
        [] if known else [f"`{instead}` may be None: test it first"]
    )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (EVEN + UNLESS.replace("next(p) == first(q for q in players)", "n != 2"), "lifts even.01 where it never binds"),
        (EVEN + NARROWED.replace("heap == 2", "n != 2"), "that never comes to pass"),
        (
            EVEN + NARROWED + NARROWED.replace("04", "05").replace("heap == 2", "p == turn"),
            "may both be the special case",
        ),
        (
            "- clause: x.01\n  from: p1\n  text: Said.\n  except: leave(p)\n  when: heap == 1\n",
            "lifts the duties of leave",
        ),
        (EVEN + UNLESS.replace("except: even.01", "except: even.02"), "is an exception of itself"),
    ],
)
def test_an_exception_that_is_dead_is_found_when_loading(write: Write, more: str, message: str) -> None:
    """An exception that lifts nothing and a special case that is none are faults."""
    assert message in "\n".join(faults_of(write(more)))


EITHER = UNLESS.replace("next(p) == first(q for q in players)", "heap > 4")
OR = EITHER.replace("02", "03").replace("heap > 4", "heap <= 4")
FREE = "- clause: x.01\n  from: p1\n  text: Said.\n  except: take(p, n)\n"
MEANT = """
- clause: mean.01
  from: p4
  text: Few are left.
  means: {few: heap < 4, much(x): not few and x > 0}
"""


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (EVEN + UNLESS.replace("  when: next(p) == first(q for q in players)\n", ""), "even.02 always lifts it"),
        (EVEN + UNLESS.replace("next(p) == first(q for q in players)", "n == 2"), "even.02 always lifts it"),
        (EVEN + EITHER + OR, "even.01 never binds: even.02 or even.03 always lifts it"),
        (EVEN + FREE, "even.01 never binds: x.01 always lifts it"),
        (EVEN.replace("n == 2", "n == 2 and n > 2"), "even.01 never binds: its condition contradicts itself"),
        (EVEN.replace("n == 2", "few") + MEANT + UNLESS.replace("next(p) == first(q for q in players)", "much(n)"),
         "even.02 lifts even.01 where it never binds"),
        (EVEN + EITHER + RESTORED.replace("heap == 6", "heap == 3"), "even.03 is an exception of even.02 that never"),
        (EVEN + EITHER + RESTORED.replace("  when: heap == 6\n", ""), "even.02 is an exception of even.01 that never"),
        (EVEN + EITHER + NARROWED.replace("heap == 2", "heap == 6"), "even.04 is a special case of even.01 that never"),
        (EVEN + FREE + "  when: n < 2 and n > heap and n <= heap\n", "x.01 lifts the duties of take where none binds"),
    ],
)  # fmt: skip
def test_a_rule_that_never_comes_to_anything_is_found_when_loading(write: Write, more: str, message: str) -> None:
    """A duty that is always lifted and an exception that never applies are faults, with place and remedy."""
    found = [fault for fault in faults_of(write(more)) if message in fault]
    assert found and all(re.match(r"games/heap/10-play.yaml:[0-9]+:[0-9]+: .*; \w+", fault) for fault in found)


@pytest.mark.parametrize(
    ("more", "remedy"),
    [
        (EVEN + FREE, "write `except: x.01` with a `when:` under which even.01 stands"),
        (EVEN + EITHER + OR, "write `except: even.02` or `except: even.03` with a `when:`"),
    ],
)
def test_a_duty_that_is_always_lifted_is_told_its_remedy(write: Write, more: str, remedy: str) -> None:
    """An exception of what lifts it."""
    assert remedy in "\n".join(faults_of(write(more)))


@pytest.mark.parametrize(
    "more",
    [
        EVEN + EITHER + OR.replace("heap <= 4", "heap < 4"),
        EVEN + EITHER + RESTORED,
        EVEN + MEANT + UNLESS.replace("next(p) == first(q for q in players)", "not much(n)"),
        EVEN + UNLESS.replace("  when: next(p) == first(q for q in players)", "  only: {setup: three}"),
    ],
)
def test_a_rule_that_comes_to_something_somewhere_is_none_of_them(write: Write, more: str) -> None:
    """Be it in one set-up alone, or where no part of a condition plainly says otherwise."""
    assert faults_of(write(more)) == []


def test_the_duties_of_an_act_are_tabulated(write: Write) -> None:
    """A duty binds in the lines of its table and nowhere else; what lifts it is spelt out."""
    law = make_law(volume_of(write(EVEN + UNLESS + NARROWED)), "plain", "two", {})
    _, tables = tabulate(law, "take")
    assert [(table.duty, table.conditions) for table in tables] == [
        ("play.02", ("n > heap",)),
        ("even.01", ("n == 2", "next(p) == first((q for q in players))", "heap == 2")),
    ]
    lines = [(line.answers, line.refused.label) for line in tables[1].lines]
    assert lines == [((True, False, True), "even.04"), ((True, False, False), "even.01")]


# Values ---------------------------------------------------------------------------------------------------------------

VALUE = """
- clause: worth.01
  from: p6
  text: Taking is worth one.
  define: worth(x)
  is: 1
  rules:
  - {rule: worth.01/log, upon: "gone(p, n)", do: [{set: {log: worth(n)}}]}
- clause: worth.02
  from: p6
  text: Three are worth five.
  except: worth.01
  when: x == 3
  is: 5
- clause: worth.03
  from: p6
  text: But at most four with an empty heap.
  except: worth.02
  when: heap == 0
  is: 4
"""


def test_an_exception_gives_the_value_in_the_place_of_another(write: Write) -> None:
    """One of an exception gives it in its place."""
    machine = Machine(rules("heap", write(VALUE)))
    assert [machine.score(play(machine, *acts))["log"] for acts in ((1,), (3,), (3, 3, 3))] == [1, 5, 4]


def test_an_exception_of_an_exception_stands_alone(write: Write) -> None:
    """It gives the value where the exception that it is one of does not come to pass."""
    machine = Machine(rules("heap", write(VALUE)))
    assert machine.score(play(machine, 3, 3, 2, 1))["log"] == 4


def test_an_exception_that_always_holds_is_the_value(write: Write) -> None:
    """In the set-up that it is limited to there is no table with rows that never fire; its clause is cited."""
    always = VALUE.partition("  when: x == 3\n")
    machine = Machine(rules("heap", write(f"{always[0]}  only: {{setup: two}}\n  is: 5\n")))

    assert machine.score(play(machine, 1))["log"] == 5
    assert "worth" not in machine.game.tables
    assert machine.game.functions["worth"].clause == "heap.worth.02"


def test_an_exception_that_always_holds_is_what_a_phase_does(write: Write) -> None:
    """It does that without asking for anything, under its own clause."""
    phase = """
- clause: count.01
  from: p6
  text: The deal is worth one.
  phase: count
  do: [{add: {log: 1}}, {go: over}]
- clause: count.02
  from: p6
  text: The deal is worth two.
  except: count.01
  only: {setup: two}
  do: [{add: {log: 2}}, {go: over}]
"""
    machine = Machine(rules("heap", write(phase, play=PLAY.replace("do: [{go: over}]", "do: [{go: count}]"))))

    assert machine.score(play(machine, 3, 3, 3))["log"] == 2
    assert [effect.clause for effect in machine.game.phases["count"].do] == ["heap.count.02", "heap.count.02"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (VALUE.replace("  when: x == 3\n", ""), "worth.01 never comes to pass: worth.03 or worth.02 always replaces"),
        (VALUE.replace("x == 3", "x == 3 and x == 2"), "worth.02 is an exception of worth.01 that never comes to pass"),
        (VALUE.replace("  is: 1\n", "  cases: {low: {when: x < 3, is: 1}, high: {when: x == 3, is: 2}}\n", 1),
         "the line 'high' of worth.01 never comes to pass"),
    ],
)  # fmt: skip
def test_a_value_that_never_comes_to_pass_is_found_when_loading(write: Write, more: str, message: str) -> None:
    """Where something else always stands in its place, or its condition contradicts itself."""
    assert message in "\n".join(faults_of(write(more)))


def test_two_exceptions_at_once_crash(write: Write) -> None:
    """Rules that contradict each other in play say so."""
    twice = "- clause: worth.04\n  from: p6\n  text: Or six.\n  except: worth.01\n  when: heap == 6\n  is: 6\n"
    machine = Machine(rules("heap", write(VALUE + twice)))
    with pytest.raises(Crash, match="exactly one row fires"):
        play(machine, 3)


SUM = """
- clause: sum.01
  from: p7
  text: Counted are what was taken and one more.
  define: total(x)
  sum: {taken: x, one: 1}
  rules:
  - {rule: sum.01/log, upon: "gone(p, n)", do: [{set: {log: total(n)}}]}
- clause: sum.02
  from: p7
  text: And ten.
  adds: total(n)
  term: ten
  is: 10
"""


def test_other_clauses_add_terms_to_a_sum(write: Write) -> None:
    """A sum is the sum of all its terms."""
    machine = Machine(rules("heap", write(SUM)))
    assert machine.score(play(machine, 3))["log"] == 14


def test_two_terms_of_one_name_are_a_fault(write: Write) -> None:
    """Each term has a name of its own."""
    assert "total has a second term 'one'" in "\n".join(faults_of(write(SUM.replace("term: ten", "term: one"))))


# Events ---------------------------------------------------------------------------------------------------------------


def handler(number: int, do: str, when: str = "") -> str:
    """Returns a clause that does something when something is taken."""
    condition = f"  when: {when}\n" if when else ""
    return f"- clause: on.{number:02}\n  from: p8\n  text: Then.\n  upon: gone(q, x)\n{condition}  do: {do}\n"


def test_what_happens_at_an_event_reads_what_was_before_it(write: Write) -> None:
    """A clause that reads a variable reads it before another writes it, wherever they stand."""
    first, second = handler(1, "[{add: {log: x}}]"), handler(2, "[{set: {other: log}}]")
    machine = Machine(rules("heap", write(first + second)))
    assert machine.score(play(machine, 3, 2)) == {"log": 5, "other": 3}


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        (handler(1, "[{set: {log: 1}}]"), handler(2, "[{set: {log: 2}}]"), "both change log"),
        (handler(1, "[{set: {log: 1}}]"), handler(2, "[{add: {log: 2}}]"), "both change log"),
        (handler(1, "[{set: {log: other}}]"), handler(2, "[{set: {other: log}}]"), "read and write the same"),
        (handler(1, "[{set: {log: 1}}]", "heap == 1"), handler(2, "[{set: {log: 2}}]", "heap != 1"), ""),
        (handler(1, "[{add: {log: 1}}]"), handler(2, "[{add: {log: 2}}]"), ""),
    ],
)
def test_clauses_that_contradict_each_other_at_an_event_are_found(
    write: Write, one: str, two: str, message: str
) -> None:
    """They may not set the same unless their conditions exclude each other; additions add up."""
    found = "\n".join(faults_of(write(one + two)))
    assert message in found if message else not found


def test_where_a_clause_goes_at_an_event_it_goes_after_all_changes(write: Write) -> None:
    """Whether it goes is decided before the event has changed anything."""
    going = handler(1, "[{go: over}]", "log == 0")
    machine = Machine(rules("heap", write(going + handler(2, "[{add: {log: 1}}]"))))
    state = play(machine, 1)
    assert machine.over(state)
    assert machine.score(state)["log"] == 1


def test_a_clause_may_change_something_before_it_goes(write: Write) -> None:
    """What it changes and where it goes hang on the same condition."""
    machine = Machine(rules("heap", write(handler(1, "[{set: {log: 5}}, {go: over}]", "log == 0"))))
    state = play(machine, 1)
    assert machine.over(state)
    assert machine.score(state)["log"] == 5


def test_a_local_of_one_clause_is_none_of_another(write: Write) -> None:
    """Two clauses that happen at once may call their locals alike."""
    one = handler(1, "[{let: {y: 10 * x}}, {add: {log: y}}]")
    two = handler(2, "[{let: {y: 100}}, {set: {other: y - x}}]")
    machine = Machine(rules("heap", write(one + two)))
    assert machine.score(play(machine, 3)) == {"log": 30, "other": 97}


LIFTED = """
- clause: off.01
  from: p8
  text: Three leave no trace.
  except: on.01
  when: x == 3
- clause: off.02
  from: p8
  text: The last three do.
  except: off.01
  when: heap == 0
"""


@pytest.mark.parametrize(("acts", "log"), [((2,), 2), ((3,), 0), ((3, 3, 3), 3)])
def test_an_exception_of_what_a_clause_does_leaves_it_out(write: Write, acts: tuple[int, ...], log: int) -> None:
    """An exception of the exception brings it back; the letters are those of the clause that does it."""
    machine = Machine(rules("heap", write(handler(1, "[{add: {log: x}}]") + LIFTED.lstrip("\n"))))
    assert machine.score(play(machine, *acts))["log"] == log


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("  except: on.01\n  when: x == 3\n  do: [{set: {log: 1}}]\n", "off.01 does not fit on.01"),
        ("  except: on.01\n  when: x != 1\n", "off.01 lifts on.01 where it does nothing"),
    ],
)
def test_an_exception_that_cannot_be_one_of_what_a_clause_does_is_a_fault(
    write: Write, more: str, message: str
) -> None:
    """It does nothing itself, and it holds where the clause does something."""
    exception = f"- clause: off.01\n  from: p8\n  text: No trace.\n{more}"
    assert message in "\n".join(faults_of(write(handler(1, "[{add: {log: x}}]", "x == 1") + exception)))


def test_a_clause_does_something_and_then_goes_on(write: Write) -> None:
    """Under a condition its changes come first, then it goes."""
    machine = Machine(rules("heap", write(handler(1, "[{set: {log: 5}}, {go: over}]", "x == 2"))))
    assert [(machine.over(play(machine, x)), machine.score(play(machine, x))["log"]) for x in (1, 2)] == [
        (False, 0),
        (True, 5),
    ]


# Readings -------------------------------------------------------------------------------------------------------------

QUESTION = """
  open:
  - id: amb.01
    key: strict
    ask: May two be taken?
    readings:
      "no": {why: It says so.}
      "yes": {why: Nothing forbids it., drops: even.01}
      never-three: {why: It means three., changes: {even.01: {when: n == 3}}}
      both:
        why: It means both.
        adds:
        - {rule: amb.01, deny: "take(p, n)", when: n == 3, code: not_available}
"""
CHOSEN = {"plain": {"title": "Plain", "setups": ["two"], "readings": {"strict": "no"}}}


@pytest.mark.parametrize(
    ("value", "legal"), [("yes", [1, 2, 3]), ("no", [1, 3]), ("never-three", [1, 2]), ("both", [1])]
)
def test_a_reading_changes_rules_by_label(write: Write, value: str, legal: list[int]) -> None:
    """It drops, changes and adds rules where the passage is open."""
    folder = write(EVEN + QUESTION, editions=CHOSEN)
    machine = Machine(rules(f"heap[strict={value}]", folder))
    assert machine.legal(machine.begin(), 0) == {"take": legal}


def test_the_usual_reading_stands_first(write: Write) -> None:
    """A question of which the first edition plays another reading than the first is a fault."""
    other = {"plain": {**CHOSEN["plain"], "readings": {"strict": "both"}}}
    assert "the edition plain plays strict=both, which is not the first reading" in "\n".join(
        faults_of(write(EVEN + QUESTION, editions=other))
    )


NUMBERED = """
- clause: most.01
  from: p9
  text: At most {most} are taken.
  numbers: {most: 2}
  deny: take(p, n)
  when: n > most
  code: bad_amount
  open:
  - id: amb.01
    key: strict
    ask: How many may be taken?
    readings:
      "no": {why: It says so.}
      "yes": {why: One is meant., numbers: {most: 1}}
"""


@pytest.mark.parametrize(("value", "legal", "most"), [("no", [1, 2], 2), ("yes", [1], 1)])
def test_a_reading_changes_a_number(write: Write, value: str, legal: list[int], most: int) -> None:
    """Rules and texts have the number of the reading."""
    game = rules(f"heap[strict={value}]", write(NUMBERED, editions=CHOSEN))
    machine = Machine(game)
    assert machine.legal(machine.begin(), 0) == {"take": legal}
    assert game.params["most"].value == most


def test_ids_may_begin_otherwise_than_with_the_name_of_the_game(write: Write) -> None:
    """Clauses are cited with the prefix of the game."""
    machine = Machine(rules("heap", write(EVEN, prefix="hp")))
    assert refused(machine, machine.begin(), 2) == [("hp.even.01", "bad_amount")]


OTHER = """
- clause: odd.01
  from: p9
  text: Odd.
  open:
  - id: amb.02
    key: other
    ask: Is it odd?
    under: {strict: ["no", both]}
    because: there is nothing to be odd
    readings:
      "no": {why: No.}
      "yes": {why: Yes., adds: [{rule: amb.02, deny: "take(p, n)", when: n == 1, code: bad_amount}]}
"""
BOTH = {"plain": {"title": "Plain", "setups": ["two"], "readings": {"strict": "no", "other": "no"}}}


def test_a_question_that_does_not_arise_cannot_be_answered(write: Write) -> None:
    """Its other readings are refused there, with the reason; elsewhere they are not."""
    folder = write(EVEN + QUESTION + OTHER, editions=BOTH)
    assert Machine(rules("heap[other=yes]", folder)).legal(Machine(rules("heap", folder)).begin(), 0) == {"take": [3]}
    with pytest.raises(Impossible, match="there is nothing to be odd"):
        choose("heap[strict=yes,other=yes]", folder)


def test_two_readings_that_change_the_same_rule_are_a_fault(write: Write) -> None:
    """Unless they exclude each other."""
    clash = OTHER.replace(
        'adds: [{rule: amb.02, deny: "take(p, n)", when: n == 1, code: bad_amount}]', "drops: even.01"
    )
    folder = write(EVEN + QUESTION + clash.replace('under: {strict: ["no", both]}', "under: {}"), editions=BOTH)
    assert "strict=yes and other=yes both change even.01" in "\n".join(faults_of(folder))


def test_a_clause_may_hold_in_some_set_ups_alone(write: Write) -> None:
    """Elsewhere neither its rules nor its questions are there."""
    folder = write(EVEN.rstrip() + "\n  only: {setup: three}\n")
    found = [Machine(rules(f"heap@plain:{setup}", folder)) for setup in ("two", "three")]
    assert [machine.legal(machine.begin(), 0)["take"] for machine in found] == [[1, 2, 3], [1, 3]]


MATERIAL = """
- clause: seat.02
  from: p1
  text: Three sit without the ace of spades, and their king is a lord.
  only: {setup: three}
  seats: {two: 5, three: 3}
  pack: {without: AS, names: {K: lord}}
"""


def test_a_clause_may_have_other_seats_and_cards_in_some_set_ups(write: Write) -> None:
    """Seats stand by set-up, and what is not said of the pack is as before."""
    found = [rules(f"heap@plain:{setup}", write(MATERIAL)) for setup in ("two", "three")]
    assert [(game.seats, game.deck.cards, game.deck.ranks) for game in found] == [
        (2, ("AS", "KS"), {"A": "ace", "K": "king"}),
        (3, ("KS",), {"A": "ace", "K": "lord"}),
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [("two: 5", "four: 4", "seat.02 has seats for the set-up 'four'"), ("K: lord", "Q: lady", "no rank 'Q'")],
)
def test_seats_and_names_are_those_of_known_set_ups_and_ranks(
    write: Write, right: str, wrong: str, message: str
) -> None:
    """Others are faults."""
    assert message in "\n".join(faults_of(write(MATERIAL.replace(right, wrong))))


def deal_by_suit(write: Write, ranks: str) -> Path:
    """Writes the game with a pack of two suits, and with ranks by suit."""
    folder = write(play=PLAY.replace("ranks: A K}", f"ranks: {{{ranks}}}}}"))
    pack = {"suits": {"S": "spades", "H": "hearts"}, "ranks": {"A": "ace", "K": "king"}}
    packs = {"format": "brou-packs/2", "packs": {"french": pack}}
    (folder / "prelude" / "packs.yaml").write_text(yaml.safe_dump(packs, sort_keys=False))
    return folder


def test_suits_may_have_ranks_of_their_own(write: Write) -> None:
    """Whatever a suit does not have is left out of the pack, as if it stood under `without`."""
    game = rules("heap", deal_by_suit(write, "S: A K, H: K"))
    assert game.deck.cards == ("AS", "KS", "KH")


@pytest.mark.parametrize(
    ("ranks", "message"),
    [("S: A K", "ranks by suit are not given for S H; name each suit"), ("S H: A X", "no rank 'X'")],
)
def test_ranks_by_suit_are_of_the_pack_and_of_all_its_suits(write: Write, ranks: str, message: str) -> None:
    """A suit that is left out, or a letter that the pack does not have, is a fault."""
    assert message in faults_of(deal_by_suit(write, ranks))[0]


def test_a_pack_that_no_clause_names_cannot_be_changed(write: Write) -> None:
    """The message says what to write."""
    folder = write(play=PLAY.replace("pack: {cards: french, ranks: A K}", "pack: {without: AS}"))
    assert "seat.01 changes a pack that no clause names; write `cards:`" in faults_of(folder)[0]


ACE = """
- clause: high.01
  from: p1
  text: A card is higher than another.
  show: {strong: count(strength(c) > 8 for c in pack)}
  open:
  - id: amb.03
    key: order
    ask: Which is the higher card?
    readings:
      ace: {why: The ace.}
      king: {why: The king., cards: {strength: {K: 9, A: 8}}, always: {high: "any(strength(c) > 8 for c in pack)"}}
"""


def test_a_reading_may_give_cards_other_numbers_and_add_invariants(write: Write) -> None:
    """Both stand where the passage is open."""
    editions = {"plain": {"title": "Plain", "setups": ["two"], "readings": {"order": "ace"}}}
    folder = write(ACE, editions=editions)
    found = [rules(f"heap[order={value}]", folder) for value in ("ace", "king")]
    assert [Machine(game).view(Machine(game).begin(), 0)["strong"] for game in found] == [0, 1]
    assert [list(game.invariants) for game in found] == [[], ["high"]]


def test_a_clause_may_hold_in_one_edition_alone(write: Write) -> None:
    """Editions differ by clauses as set-ups do."""
    editions: dict[str, Any] = {id_: {"title": id_, "setups": ["two"], "readings": {}} for id_ in ("old", "new")}
    folder = write(EVEN.rstrip() + "\n  only: {edition: new}\n", editions=editions)
    found = [Machine(rules(f"heap@{edition}", folder)) for edition in ("old", "new")]
    assert [machine.legal(machine.begin(), 0)["take"] for machine in found] == [[1, 2, 3], [1, 3]]


def test_a_question_of_some_set_ups_cannot_be_answered_in_others(write: Write) -> None:
    """There the edition's own reading stands for none."""
    only = EVEN + QUESTION.replace("    key: strict", "    only: {setup: three}\n    key: strict")
    editions = {"plain": {"title": "Plain", "setups": ["two", "three"], "readings": {"strict": "no"}}}
    folder = write(only, editions=editions)
    assert choose("heap:three[strict=never-three]", folder).setup == "three"
    with pytest.raises(Impossible, match="the question does not arise"):
        choose("heap:two[strict=never-three]", folder)


def test_a_variable_begins_with_its_first_value(write: Write) -> None:
    """A truth or a number that is named behind its type."""
    kept = PLAY.replace("other: int -99..99", 'other: int -99..99, first 7, fresh: "bool, first True"')
    kept = kept.replace(
        "deal: {log: int -99..99, other: int -99..99, first 7,",
        'deal: {log: int -99..99, other: "int -99..99, first 7",',
    )
    machine = Machine(rules("heap", write(play=kept)))
    assert [machine.get(machine.begin(), name) for name in ("heap", "other", "fresh")] == [9, 7, True]


GRID = """
- clause: worth.01
  from: p6
  text: An ace is worth eleven, a king four; a second player's ace one more.
  define: worth(v)
  names: {v: rank}
  cases:
    ace: 11
    king: {is: 4, clause: play.01}
  rules:
  - {rule: worth.01/log, upon: "gone(p, n)", do: [{set: {log: worth(ace), other: worth(king)}}]}
  - {rule: worth.01/next, except: worth.01, when: v == ace and heap == 8, is: 12}
"""


@pytest.mark.parametrize(
    ("lines", "found"),
    [("ace: 11\n    king: {is: 4, clause: play.01}", {"log": 11, "other": 4}), ("ace king: 7", {"log": 7, "other": 7})],
)
def test_a_line_of_a_grid_may_be_called_by_values(write: Write, lines: str, found: dict[str, int]) -> None:
    """It holds where the first letter is one of them; a value alone stands for the line."""
    text = GRID.replace("ace: 11\n    king: {is: 4, clause: play.01}", lines)
    machine = Machine(rules("heap", write(text)))
    assert machine.score(play(machine, 3)) == found


def test_a_grid_may_have_exceptions(write: Write) -> None:
    """They stand in the place of any of its lines."""
    machine = Machine(rules("heap", write(GRID)))
    assert machine.score(play(machine, 1)) == {"log": 12, "other": 4}


@pytest.mark.parametrize("kind", FORMS)
def test_a_file_of_chapters_alone_is_told_to_be_checked_with_its_folder(kind: str) -> None:
    """Whoever names one file learns what to name instead, whichever file it is."""
    with pytest.raises(Malformed, match="means nothing alone; run `brou check` on the folder"):
        find_kind(parse_yaml(f"format: brou-{kind}/2\n", "file.yaml"))


def test_a_line_of_a_grid_without_letters_needs_a_condition(write: Write) -> None:
    """There is nothing that its values could be compared with."""
    text = "- clause: x.01\n  from: p1\n  text: Said.\n  define: worth\n  cases: {ace: 11}\n"
    assert "write `when:`" in "\n".join(faults_of(write(text)))


def test_what_a_value_requires_is_taken_as_given(write: Write) -> None:
    """Where it does not hold in play, the rules have broken a promise."""
    asked = SUM.replace("sum: {taken: x, one: 1}", "sum: {taken: x, one: 1}\n  require: x != 2")
    machine = Machine(rules("heap", write(asked)))
    assert machine.score(play(machine, 3))["log"] == 14
    with pytest.raises(Crash, match="requires does not hold"):
        play(machine, 2)


def test_numbers_of_cards_may_differ_by_suit(write: Write) -> None:
    """A group of suits has the numbers of its ranks."""
    ranks = PLAY.replace("{strength: {descending: A K}}", "{strength: {S: {descending: K A}}, worth: {A: 11, K: 4}}")
    game = rules("heap", write(play=ranks))
    assert game.attributes["strength"].values == {"AS": 1, "KS": 2}
    assert game.attributes["worth"].values == {"AS": 11, "KS": 4}


# Modules and texts ----------------------------------------------------------------------------------------------------

MODULE = """
format: brou-prelude/2
module: bonus
takes: {size: how much, why: the clause of it}
names: {p: player, m: size}
rules:
- {rule: why, upon: "gone(p, m)", do: [{add: {log: size * m}}]}
"""


def test_a_module_takes_numbers_and_clauses(write: Write) -> None:
    """Its rules cite the clause in the slot."""
    folder = write(uses="uses: {bonus: {size: 7, why: play.01}}\n")
    (folder / "prelude" / "bonus.yaml").write_text(MODULE)
    game = rules("heap", folder)
    machine = Machine(game)
    assert machine.score(play(machine, 2))["log"] == 14
    assert {effect.clause for effect in game.actions["take"].do} == {"heap.play.01"}


COUNTING = """
format: brou-prelude/2
module: counting
takes: {who: the seats that are counted, log: where they are counted, why: the clause of it}
defaults: {who: players, log: log}
names: {p: player, m: size}
rules:
- rule: why
  upon: gone(p, m)
  do:
  - for: q in who
    do: [{add: {log: 1}}]
"""


@pytest.mark.parametrize(
    ("given", "found"),
    [("", {"log": 2, "other": 0}), (", log: other, who: '{q for q in players if q != p}'", {"log": 0, "other": 1})],
)
def test_a_module_has_defaults_that_a_game_may_replace(write: Write, given: str, found: dict[str, int]) -> None:
    """What stands in a loop may be replaced, and so may a variable that is set or added to."""
    folder = write(uses=f"uses: {{counting: {{why: play.01{given}}}}}\n")
    (folder / "prelude" / "counting.yaml").write_text(COUNTING)
    machine = Machine(rules("heap", folder))
    assert machine.score(play(machine, 2)) == found


@pytest.mark.parametrize(("given", "message"), [("why: play.01", "bonus takes size"), ("more: 1", "bonus takes")])
def test_a_slot_that_is_not_filled_is_a_fault(write: Write, given: str, message: str) -> None:
    """So is one that a module does not have."""
    folder = write(uses=f"uses: {{bonus: {{{given}}}}}\n")
    (folder / "prelude" / "bonus.yaml").write_text(MODULE)
    assert message in "\n".join(faults_of(folder))


LENT = """
format: brou-prelude/2
module: bonus
takes: {size: how much, why: the clause of it, more: the clause of passing, when: a phase}
defaults: {size: "4", more: why}
names: {p: player, m: size}
rules:
- {rule: why, upon: "gone(p, m)", do: [{add: {log: size * m}}]}
- {rule: more, act: wait(p), in: when, by: turn, do: [{set: {turn: next(p)}}]}
"""


@pytest.mark.parametrize(
    ("given", "log", "clause"), [("", 8, "heap.play.01"), (", size: 7, more: play.02", 14, "heap.play.02")]
)
def test_a_slot_may_have_a_default(write: Write, given: str, log: int, clause: str) -> None:
    """What a game gives goes before it; a default that names another slot is as that one. A phase is a slot too."""
    folder = write(uses=f"uses: {{bonus: {{why: play.01, when: play{given}}}}}\n")
    (folder / "prelude" / "bonus.yaml").write_text(LENT)
    game = rules("heap", folder)
    machine = Machine(game)
    assert machine.score(play(machine, 2))["log"] == log
    assert game.actions["wait"].clause == clause
    assert "wait" in machine.legal(machine.begin(), 0)


VARIED = """
format: brou-prelude/2
module: bonus
takes: {size: how much, why: the clause of it}
about: {why: worth}
names: {p: player, m: size}
means: {"worth(m)": size * m}
rules:
- {rule: why, upon: "gone(p, m)", do: [{add: {log: worth(m)}}]}
- {rule: why/more, upon: "gone(p, m)", do: [{add: {other: m}}]}
"""


def test_a_named_expression_of_a_module_cites_a_clause(write: Write) -> None:
    """It is that of the slot under which `about` has it; an expression without is refused at its place."""
    folder = write(uses="uses: {bonus: {size: 7, why: play.01}}\n")
    module = folder / "prelude" / "bonus.yaml"
    module.write_text(VARIED)
    assert rules("heap", folder).functions["worth"].clause == "heap.play.01"
    module.write_text(VARIED.replace("about: {why: worth}\n", ""))
    assert "worth(m) has no clause; write it into `about` below a slot" in "\n".join(faults_of(folder))


@pytest.mark.parametrize(
    ("more", "log", "other"),
    [
        ("", 14, 2),
        ("changes: {bonus.why: {do: [{add: {log: m}}]}}", 2, 2),
        ("changes: {bonus.worth: {is: m + 1}}", 3, 2),
        ("drops: bonus.why/more", 14, 0),
        ("only: {setup: three}\n  changes: {bonus.worth: {is: m + 1}}", 14, 2),
    ],
)
def test_a_clause_changes_rules_of_a_module(write: Write, more: str, log: int, other: int) -> None:
    """It names a rule or a named expression by label; where the clause does not hold, nothing is changed."""
    clause = "- clause: more.01\n  from: p4\n  text: Things differ here.\n"
    folder = write(f"{clause}  {more}\n" if more else "", uses="uses: {bonus: {size: 7, why: play.01}}\n")
    (folder / "prelude" / "bonus.yaml").write_text(VARIED)
    machine = Machine(rules("heap@plain:two", folder))
    assert machine.score(play(machine, 2)) == {"log": log, "other": other}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("bonus.less: {is: m}", "no rule 'bonus.less'"),
        ("bonus.worth: {when: m > 1}", "bonus.worth is a named expression"),
        ("bonus.why: {is: m}", "no is beside upon"),
    ],
)
def test_a_clause_cannot_change_what_is_not_there(write: Write, change: str, message: str) -> None:
    """Nor give a rule a key that it cannot have."""
    clause = f"- clause: more.01\n  from: p4\n  text: Things differ here.\n  changes: {{{change}}}\n"
    folder = write(clause, uses="uses: {bonus: {size: 7, why: play.01}}\n")
    (folder / "prelude" / "bonus.yaml").write_text(VARIED)
    assert message in "\n".join(faults_of(folder))


def test_two_clauses_cannot_change_the_same(write: Write) -> None:
    """A rule of a module is changed by one clause of a set-up."""
    clauses = "".join(
        f"- clause: more.0{n}\n  from: p4\n  text: Things differ here.\n  changes: {{bonus.worth: {{is: m + {n}}}}}\n"
        for n in (1, 2)
    )
    folder = write(clauses, uses="uses: {bonus: {size: 7, why: play.01}}\n")
    (folder / "prelude" / "bonus.yaml").write_text(VARIED)
    assert "more.02 and more.01 both change bonus.worth" in "\n".join(faults_of(folder))


def test_words_of_a_game_go_before_those_of_a_module(write: Write) -> None:
    """Games call the same thing differently; words that a module has in another language are none of the game's."""
    clause = "- clause: more.01\n  from: p4\n  text: Things differ here.\n  says: {heap > 1: there is more}\n"
    folder = write(clause, uses="uses: {bonus: {size: 7, why: play.01}}\n")
    (folder / "prelude" / "bonus.yaml").write_text(VARIED + "says: {heap > 1: enough, heap == 0: it is gone}\n")
    french = {"format": "brou-words/2", "game": "prelude", "language": "fr"}
    marked = {id_: mark_text(text) for id_, text in (("says.heap_above_1", "enough"), ("says.heap_0", "it is gone"))}
    words = {**french, "words": {"says.heap_above_1": "assez", "says.heap_0": "il est épuisé"}, "of": marked}
    (folder / "prelude" / "words.fr.yaml").write_text(yaml.safe_dump(words))
    said = {phrase.id: phrase.say for phrase in rules("heap@plain:two", folder).phrases}
    assert said == {"heap_above_1": {"en": "there is more"}, "heap_0": {"en": "it is gone", "fr": "il est épuisé"}}


def test_words_of_a_module_that_a_game_replaces_are_not_outdated(write: Write) -> None:
    """The game has its own in every language, and those of the module stay what they are."""
    clause = "- clause: more.01\n  from: p4\n  text: Things differ here.\n  says: {heap > 1: there is more}\n"
    folder = write(clause, uses="uses: {bonus: {size: 7, why: play.01}}\n")
    (folder / "prelude" / "bonus.yaml").write_text(VARIED + "says: {heap > 1: enough}\n")
    for place, game, text, made_from in (
        ("prelude", "prelude", "assez", "enough"),
        ("games/heap", "heap", "il en reste", "there is more"),
    ):
        words = {"words": {"says.heap_above_1": text}, "of": {"says.heap_above_1": mark_text(made_from)}}
        frame = {"format": "brou-words/2", "game": game, "language": "fr"}
        (folder / place / "words.fr.yaml").write_text(yaml.safe_dump({**frame, **words}))
    listed = [fault.what for fault in Variants(volume_of(folder)).find_outdated()]
    assert not [what for what in listed if what.startswith("says.")]


def test_an_outdated_text_falls_back_to_english_and_is_listed(write: Write) -> None:
    """One that was made from the present English text is used."""
    folder = write()
    words = {"format": "brou-words/2", "game": "heap", "language": "fr", "words": {"play.01": "Jeu.", "end.01": "Fin."}}
    words["of"] = {"play.01": mark_text("Another game."), "end.01": mark_text("It ends\nwith the heap.")}
    (folder / "games" / "heap" / "words.fr.yaml").write_text(yaml.safe_dump(words))
    variants = Variants(volume_of(folder))
    texts = variants.volume.list_texts()
    found = [variants.volume.texts.of(id_, texts[id_]).get("fr") for id_ in ("play.01", "end.01", "play.02")]
    assert found == [None, "Fin.", None]
    listed = [fault.what for fault in variants.find_outdated()]
    assert "play.01 was made from another text" in listed
    assert "play.02 is missing in 'fr'" in listed


def test_a_text_without_a_mark_is_told_the_mark(write: Write) -> None:
    """Nobody can work out a mark by hand."""
    folder = write()
    words = {"format": "brou-words/2", "game": "heap", "language": "fr", "words": {"play.01": "Jeu."}, "of": {}}
    (folder / "games" / "heap" / "words.fr.yaml").write_text(yaml.safe_dump(words))
    variants = Variants(volume_of(folder))
    (fault,) = (one for one in variants.find_outdated() if one.what.startswith("play.01"))

    assert fault.what == "play.01 has no mark"
    assert fault.instead.startswith("write `play.01: ")


def test_a_game_may_say_what_its_ids_begin_with(write: Write) -> None:
    """Its clauses are cited so; without it, by the name of the game."""
    machine = Machine(rules("heap", write(prefix="hp")))
    assert {clause for clause, _ in refused(machine, play(machine, 3, 3, 1), 3)} == {"hp.play.02"}


# The games of the house -----------------------------------------------------------------------------------------------


# Bounds ---------------------------------------------------------------------------


def clauses(*bodies: str) -> str:
    """Returns clauses x.01, x.02 and so on, each with some keys of its own."""
    heads = (
        f"\n- {{clause: x.{number:02}, from: p1, text: One more., {body}}}" for number, body in enumerate(bodies, 1)
    )
    return "".join(heads)


#: What comes first, what each later one runs or lets happen twice, and what begins the last.
DOUBLING = [
    ("effect: e0(p), do: [{set: {turn: p}}]", "effect: e{1}(p), do: [{{run: e{0}(p)}}, {{run: e{0}(p)}}]", "run: e"),
    (
        "upon: v0(p), do: [{add: {log: 1}}]",
        "upon: v{1}(p), do: [{{happen: v{0}(p)}}, {{happen: v{0}(p)}}]",
        "happen: v",
    ),
]


@pytest.mark.parametrize("doubling", DOUBLING, ids=["effects", "events"])
@pytest.mark.parametrize(
    ("count", "message"), [(4, None), (15, "run more than 200 others"), (60, "nested deeper than 20")]
)
def test_effects_that_run_others_over_and_over_are_bounded(
    write: Write, doubling: tuple[str, str, str], count: int, message: str | None
) -> None:
    """Each of them doubles the steps of an act, so that a dozen are more than anybody could wait for."""
    first, later, begin = doubling
    begun = f"upon: 'gone(p, n)', do: [{{{begin}{count - 1}(p)}}]"
    found = faults_of(write(clauses(first, *(later.format(one - 1, one) for one in range(1, count)), begun)))
    assert [message in fault for fault in found if message] == [True] * (message is not None)
    assert bool(found) == bool(message)


@pytest.mark.parametrize(("count", "refused"), [(5, False), (12, True), (40, True)])
def test_exceptions_of_exceptions_of_each_other_are_bounded(write: Write, count: int, *, refused: bool) -> None:
    """Where each is an exception of all before it, spelling them out takes twice as long for every further one."""
    labels = [["play.02", *(f"x.{one:02}" for one in range(1, number))] for number in range(1, count + 1)]
    bodies = [f"except: [{', '.join(named)}], when: heap > {len(named)}" for named in labels]
    found = faults_of(write(clauses(*bodies)))
    assert [" in 30 ways or more" in fault for fault in found] == [True] * refused


@pytest.mark.parametrize(
    "condition",
    [
        " + ".join(["n"] * 900) + " > 0",
        "True if n > 1 else " * 300 + "False",
        "n" + ".a" * 900,
        "not " * 4000 + "True",
    ],
    ids=["sum", "choice", "path", "contraries"],
)
@pytest.mark.parametrize("rule", ["deny: 'take(p, n)', when: ", "except: play.02, when: ", "means: {'m(n)': "])
def test_expressions_of_any_depth_are_refused_with_a_place(write: Write, rule: str, condition: str) -> None:
    """They are too long, and that is all that is said of them."""
    found = faults_of(write(clauses(f"{rule}'{condition}'{'}' * rule.count('{')}")))
    assert re.match(r"games/heap/10-play\.yaml:\d+:\d+: an expression of \d+ characters; at most 600", found[0])


@pytest.mark.slow
def test_conditions_made_of_many_parts_are_searched_without_end_of_the_stack() -> None:
    """Hundreds of parts, each an answer to be found, are no deeper than a few."""
    apart = [f"heap != {number}" for number in range(450)]
    assert Conditions(frozenset(), {}).can_hold(*apart)
    assert not Conditions(frozenset(), {}).can_hold(*apart, "heap == 449")


def test_names_that_stand_for_each_other_again_and_again_may_hold() -> None:
    """What is too deep to be spelt out is not judged."""
    deep = {f"m{number}": ((), "a if b else " * 60 + f"m{number - 1}") for number in range(1, 9)}
    assert Conditions(frozenset(), deep).can_hold("m8")


@pytest.mark.filterwarnings("error")
def test_an_expression_that_python_warns_of_is_none(write: Write) -> None:
    """A number with letters behind it is refused by us, and nothing else is written."""
    assert "no expression" in faults_of(write(clauses("deny: 'take(p, n)', when: n == 1if True else n == 2")))[0]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"editions": {}}, "a game without an edition"),
        ({"editions": {"plain": {"title": "P", "setups": [], "readings": {}}}}, "the edition plain has no set-up"),
    ],
)
def test_a_game_has_an_edition_with_a_set_up(write: Write, frame: dict[str, Any], message: str) -> None:
    """Without them there are no rules that it could be played by."""
    assert message in faults_of(write(**frame))[0]


def test_a_module_that_is_given_nothing_is_named_all_the_same(write: Write) -> None:
    """There is a fault even where no word of it has a place."""
    assert "the prelude has no module 'play'" in faults_of(write(uses="uses: {play: {}}\n"))[0]


def games() -> list[Path]:
    """Returns the folders of the games of the house."""
    return sorted(path.parent for path in root().glob("games/*/game.yaml"))


@pytest.mark.parametrize("place", games(), ids=lambda place: place.name)
def test_the_chapters_of_the_house_are_sound(place: Path) -> None:
    """Questions, editions, readings and exceptions agree, and every text stands in every language."""
    folder = place.parents[1]
    volume = read_volume(place.name, partial(list_files, folder), partial(read_file, folder))
    assert not [*check_volume(volume), *Variants(volume).find_outdated()]


@pytest.mark.parametrize("kind", FORMS)
def test_the_schemas_are_those_of_the_classes(kind: str) -> None:
    """The files for editors are made from the classes that chapters are decoded into."""
    assert json.loads((root() / "schemas" / "chapters" / f"{kind}.schema.json").read_text()) == make_schema(FORMS[kind])


def paths() -> Iterable[Path]:
    """Returns all chapter files."""
    found = [
        *(path for place in games() for path in place.glob("*.yaml")),
        *root().glob("prelude/*.yaml"),
    ]
    return sorted(path for path in found if "/2\n" in path.read_text(encoding="utf-8").partition("\ngame:")[0] + "\n")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", paths(), ids=lambda path: str(path.relative_to(root())))
def test_chapters_are_valid_for_any_reader(path: Path) -> None:
    """The commonest reader of YAML finds in them what we find, and they hold to the schema of their format."""
    import jsonschema_rs  # noqa: PLC0415 - only here

    found = yaml.safe_load(path.read_text())
    assert found == read(path).plain()
    kind = str(found["format"]).removeprefix("brou-").removesuffix("/2")
    assert not list(jsonschema_rs.validator_for(make_schema(FORMS[kind])).iter_errors(found))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_damaged_chapters_are_refused_with_a_place(seed: int) -> None:
    """Whatever becomes of a line, there are faults that name a file, or rules."""
    chance = Random(seed)
    names = [path.relative_to(root()).as_posix() for path in paths() if not path.name.startswith("words.")]
    name = chance.choice([one for one in names if one.startswith("games/")])
    lines = (root() / name).read_text().split("\n")
    for _ in range(8):
        damaged = list(lines)
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        damaged[at : at + chance.randrange(2)] = [lines[at].split(":")[0] + ":" + lines[other].partition(":")[2]]
        places = places_of_faults(name, "\n".join(damaged))
        assert places <= set(names), places


def places_of_faults(name: str, text: str) -> set[str]:
    """Returns the files in which there are faults if one file of a game has another text."""

    def altered(one: str) -> Node:
        return parse_yaml(text, one) if one == name else read(root() / one, one)

    try:
        variants = Variants.read(name.split("/")[1], partial(list_files, root()), altered)
        edition, (readings, setups) = next(iter(variants.editions().items()))
        load_rules(variants.write_rules(edition, setups[0], readings), variants.codes())
    except Unusable as error:
        return {fault.place.file for fault in error.faults}
    return set()


# Expressions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "instead", "found"),
    [
        ("hand[p] - {c}", {"p": "me", "c": "playing"}, "hand[me] - {playing}"),
        ("any(p == q for q in players)", {"q": "me"}, "any(p == q for q in players)"),
        ("any(p == q for q in players)", {"p": "next(q)"}, "any((next(q) == q_ for q_ in players))"),
        ("trump", {"p": "me"}, "trump"),
    ],
)
def test_names_are_replaced_and_never_caught(text: str, instead: dict[str, str], found: str) -> None:
    """A name that an expression binds itself is left alone, and renamed where it would catch what is put in."""
    assert replace_names(text, instead) == found


@pytest.mark.parametrize(
    ("one", "two", "apart"),
    [
        ("result == deal", "result == cape", True),
        ("result == deal", "result == other", False),
        ("a and b", "not b", True),
        ("x < 3", "x >= 3 and y", True),
        ("c in a", "c not in a", True),
        ("a", "b", False),
        ("a or b", "not a and not b", True),
        ("a <= b", "b < a", True),
        ("not a <= b", "not b < a", False),
        ("not len(a) <= x", "not x < len(a)", True),
        ("0 < x < 3", "x != 1 and x != 2", False),
        ("0 < x < 2", "x != 1", True),
        ("3 > x", "x == y and y == 3", False),
        ("x == 3", "x > 3 or 3 != x", True),
        ("deal == result", "result == None", True),
        ("a if b else c", "not a and not c", True),
        ("a if b else c", "not a", False),
        ("twice(x)", "x <= 4", True),
        ("twice(y)", "x <= 4", False),
    ],
)
def test_conditions_that_exclude_each_other_are_seen(one: str, two: str, apart: bool) -> None:
    """Names that are no constants of the game may stand for the same; those of expressions are spelt out."""
    meanings = {"twice": (("z",), "z > 4")}
    assert Conditions(frozenset({"deal", "cape"}), meanings).exclude(one, two) is apart
    assert Conditions(frozenset({"deal", "cape"}), meanings).exclude(two, one) is apart


def test_nothing_is_said_twice() -> None:
    """A part that two conditions share stands in what they say together where it comes first."""
    assert conjoin(["a and b", "c", "b"]) == "a and b and c"
    assert disjoin(["a or b", "c", "b"]) == "a or b or c"
    assert disjoin(["a", "a"]) == "a"


@pytest.mark.parametrize(
    ("one", "two", "implied"),
    [
        ("a and b", "b", True),
        ("a", "a", True),
        ("a and not b", "not b", True),
        ("a", "a and b", False),
        ("a", "b", False),
    ],
)
def test_a_condition_that_has_every_part_of_another_implies_it(one: str, two: str, implied: bool) -> None:
    """Nothing is found that only reasoning could find."""
    assert imply(one, two) is implied


@pytest.mark.parametrize(
    ("conditions", "merged"),
    [
        (["a and not b", "b and h(p)", "b and not h(p)"], ["a and not b", "b"]),
        (["a and b and c", "a and not b and c"], ["a and c"]),
        (["a and b", "a and not b", "not a and c"], ["not a and c", "a"]),
        (["a and b", "a and not b and c"], ["a and b", "a and not b and c"]),
        (["a", "not a"], ["a", "not a"]),
        ([], []),
    ],
)
def test_cases_that_one_part_tells_apart_become_one(conditions: list[str], merged: list[str]) -> None:
    """What holds whether the part holds or not is said without it; nothing else is changed."""
    assert merge(conditions) == merged


def test_conditions_too_long_to_be_searched_may_hold() -> None:
    """The search ends; what it has not decided is not called impossible."""
    many = " and ".join(f"(a{n} or b{n})" for n in range(30))
    assert Conditions(frozenset(), {}).can_hold(many, "not a29 and not b29")
    assert not Conditions(frozenset(), {}).can_hold("not a0 and not b0", many)
