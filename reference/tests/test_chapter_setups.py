"""Chapters of a game with several set-ups: clauses, numbers and questions of some of them, and effects of modules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from brou import Impossible, Machine, State, book, choose, rules
from brou.errors import Unusable
from brou.words.text import citable, prose

#: What a game is written from: some clauses and the modules that they use, as YAML.
Write: TypeAlias = Callable[..., Path]

FRAME = """
format: brou-game/2
game: purse
title: Purse
source: nowhere
prefix: pu
names: {p: player, q: player, n: size, x: int}
scopes: [match]
course: {play: play.01, over: end.01}
start: {phase: play, deal: take, given: {}}
setups: {two: two players, three: three players, four: four players}
groups: {more: [three, four]}
editions:
  plain:
    title: Plain
    setups: [two, three, four]
    readings: {left_out: ace, late: "no"}
"""

HEAD = """
format: brou-chapter/2
game: purse
chapter: play
title: Play
"""

CLAUSES = """
clauses:
- clause: seat.01
  from: p1
  text: Two play with a few cards.
  seats: 2
  numbers: {most: 3}
  pack: {cards: french, ranks: A K Q, without: [AS]}
  cards: {strength: {descending: A K Q}}
  open:
  - id: amb.01
    key: left_out
    ask: Which card is left out?
    readings:
      ace: {why: The first.}
      queen: {why: The last., without: [QS]}
- clause: seat.02
  from: p2
  only: {setup: more}
  text: More than two take at most {most}, and {extra} more at the end.
  seats: 3
  numbers: {most: 2, extra: 1}
  deny: take(p, n)
  when: n > most
  code: bad_amount
- clause: seat.03
  from: p3
  only: {setup: four}
  text: Four are seated.
  seats: 4
  rules:
  - {rule: seat.03/one, deny: "take(p, n)", when: n == 1, code: bad_amount}
  open:
  - id: amb.02
    key: late
    ask: May one be taken late?
    because: only four ask this
    readings:
      "no": {why: It says so.}
      "yes": {why: It is late., changes: {seat.03/one: {when: n == 3}}}
- clause: play.01
  from: p4
  text: Whoever is on turn takes some.
  types: {size: 1..3}
  keeps:
    match: {log: int -99..99, seen: int -99..99, turn: "player, first 0"}
  act: take(p, n)
  in: play
  by: turn
  takes: {count: {in: size, code: bad_amount}}
  do:
  - happen: gone(p, n)
  - {set: {turn: next(p)}}
  - {when: log > 50, do: [{go: over}]}
- clause: end.01
  from: p5
  text: It ends.
  score: {log: log, seen: seen}
"""

GAINED = """
- clause: gain.01
  from: p6
  text: What is taken is gained.
  upon: gone(p, n)
  do: [{run: "gain(n)"}]
"""

MODULE = """
format: brou-prelude/2
module: gains
takes: {why: the clause of it, account: what the account is called}
defaults: {account: log}
names: {p: player, n: size, x: int}
keeps: {match: {account: "int -99..99"}}
rules:
- {rule: gain, effect: gain(x), do: [{add: {account: x}}]}
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a game of a purse into a folder: its clauses and more of them, and what it uses."""

    def written(more: str = "", *, uses: str = "", clauses: str = CLAUSES) -> Path:
        game = tmp_path / "games" / "purse"
        game.mkdir(parents=True, exist_ok=True)
        (tmp_path / "prelude").mkdir(exist_ok=True)
        packs = "format: brou-packs/2\npacks: {french: {suits: {S: spades}, ranks: {A: ace, K: king, Q: queen}}}\n"
        (tmp_path / "prelude" / "packs.yaml").write_text(packs)
        (tmp_path / "prelude" / "gains.yaml").write_text(MODULE)
        (game / "game.yaml").write_text(FRAME.lstrip())
        (game / "10-play.yaml").write_text(HEAD.lstrip() + uses + clauses.lstrip() + more)
        return tmp_path

    return written


def take(machine: Machine, *counts: int) -> State:
    """Returns the state after some seats have taken something in turn."""
    state = machine.begin()
    for number, count in enumerate(counts):
        after = machine.act(state, number % machine.game.seats, {"take": count})
        assert isinstance(after, State), after
        state = after
    return state


def offered(machine: Machine) -> object:
    """Returns what the first seat may take at the beginning."""
    return machine.legal(machine.begin(), 0)["take"]


def test_clauses_are_limited_to_groups_of_set_ups(write: Write) -> None:
    """A clause holds in every set-up of the group that it names, and in no other."""
    folder = write()
    found = [Machine(rules(f"purse:{setup}", folder)) for setup in ("two", "three", "four")]
    assert [offered(machine) for machine in found] == [[1, 2, 3], [1, 2], [2]]
    assert [machine.game.seats for machine in found] == [2, 3, 4]


def test_a_group_of_unknown_set_ups_is_a_fault(write: Write) -> None:
    """The message names the set-ups that there are."""
    folder = write()
    frame = folder / "games" / "purse" / "game.yaml"
    frame.write_text(frame.read_text().replace("more: [three, four]", "more: [three, five]"))
    with pytest.raises(Unusable, match="setup has no value 'five'"):
        book("purse", folder)


def test_numbers_are_those_of_the_set_up_and_all_are_there(write: Write) -> None:
    """A limited clause goes before one for all; its numbers are there too where it does not hold: texts say them."""
    folder = write()
    two, three = (rules(f"purse:{setup}", folder).params for setup in ("two", "three"))
    assert [(one["most"].value, one["extra"].value) for one in (two, three)] == [(3, 1), (2, 1)]


def test_two_clauses_of_one_set_up_cannot_give_a_number_each(write: Write) -> None:
    """Neither of them goes before the other."""
    folder = write("- clause: seat.04\n  from: p9\n  only: {setup: three}\n  text: Three.\n  numbers: {most: 1}\n")
    with pytest.raises(Unusable, match="a second 'most'"):
        rules("purse:three", folder)


def test_a_reading_leaves_other_cards_out(write: Write) -> None:
    """The pack is then without those cards, and with the others."""
    folder = write()
    found = [rules(f"purse[left_out={value}]", folder).deck.cards for value in ("ace", "queen")]
    assert [set(cards) for cards in found] == [{"KS", "QS"}, {"AS", "KS"}]


def test_a_question_of_one_set_up_changes_rules_of_its_clause(write: Write) -> None:
    """The rules that a reading changes need not be there in every set-up."""
    folder = write()
    assert offered(Machine(rules("purse:four[late=yes]", folder))) == [1, 2]
    with pytest.raises(Impossible, match="only four ask this"):
        choose("purse:two[late=yes]", folder)


def test_what_a_reading_changes_is_found_where_its_question_arises(write: Write) -> None:
    """Its changes are those of the set-ups that it has a meaning in, though the first is none of them."""
    changes = book("purse", write()).readings["late"].values
    assert [change.path for change in changes["yes"]] == ["tables/may_take/rows/seat_03_one"]
    assert not changes["no"]


def test_what_a_reading_changes_is_found_under_a_reading_that_no_edition_takes(write: Write) -> None:
    """A question that arises under such a reading alone has its changes; choosing the value without it is refused."""
    folder = write(
        clauses=CLAUSES.replace("    because: only four", "    under: {left_out: queen}\n    because: only four")
    )
    data = book("purse", folder)
    assert [change.path for change in data.readings["late"].values["yes"]] == ["tables/may_take/rows/seat_03_one"]
    assert rules("purse:four[left_out=queen,late=yes]", folder).tables.keys() == {"may_take"}
    with pytest.raises(Impossible, match="only four ask this"):
        choose("purse:four[late=yes]", folder)


def test_ids_begin_with_the_prefix_of_the_game(write: Write) -> None:
    """Rules cite clauses by it."""
    game = rules("purse", write())
    assert game.actions["take"].clause == "pu.play.01"


def test_an_effect_of_a_module_cites_the_clause_that_runs_it(write: Write) -> None:
    """Where its label names no slot for a clause."""
    clauses = CLAUSES.replace("log: int -99..99, ", "")
    folder = write(GAINED, uses="uses: {gains: {why: play.01}}\n", clauses=clauses)
    game = rules("purse", folder)
    cited = [effect.clause for effect in game.actions["take"].do]
    assert cited == ["pu.gain.01", "pu.play.01", "pu.play.01"]


def test_a_slot_may_name_a_variable_of_the_module(write: Write) -> None:
    """It is then called so wherever the module declares or writes it."""
    folder = write(GAINED, uses="uses: {gains: {why: play.01, account: purse}}\n")
    machine = Machine(rules("purse", folder))
    state = take(machine, 3, 2)
    assert (machine.get(state, "purse"), machine.get(state, "log")) == (5, 0)


def test_clauses_at_an_event_read_what_was_before_the_effects_of_others(write: Write) -> None:
    """A clause that reads a variable comes before one that runs an effect which writes it, in whatever order."""
    clauses = CLAUSES.replace("log: int -99..99, ", "")
    reader = "- clause: see.01\n  from: p7\n  text: Seen.\n  upon: gone(p, n)\n  do: [{set: {seen: log}}]\n"
    folder = write(GAINED + reader, uses="uses: {gains: {why: play.01}}\n", clauses=clauses)
    machine = Machine(rules("purse", folder))
    assert machine.score(take(machine, 3, 2)) == {"log": 5, "seen": 3}


STOCKS = {"brus.stock.01": "21", "brus.two.01": "26", "brus.four.01": "20", "brus.five.01": "15"}


@pytest.mark.parametrize("name", ["brusquembille:3", "brusquembille:2", "brusquembille:4-partners-points"])
def test_texts_have_their_figures_in_every_set_up(name: str) -> None:
    """A clause of some set-ups reads in any of them as in the first, with its own numbers, in every language."""
    first, other = (
        {
            (id_, lang): prose(text, game, lang)
            for id_, text in citable(game.id, None).items()
            for lang in ("en", "fr", "de")
        }
        for game in (rules("brusquembille"), rules(name))
    )
    assert other == first
    assert not [text for text in other.values() if "{" in text]
    assert [id_ for id_, figure in STOCKS.items() if figure not in other[id_, "en"]] == []
