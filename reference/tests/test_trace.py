"""Tracing: every row judged on the way to a verdict, with its reason, and who wrote what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from brou import Machine, Refusal, State
from brou.interpreter.trace import Tracing, Verdict
from brou.language.show import show

Tiny = Callable[..., Any]

ROWS = [
    {"id": "late", "when": "now > three", "then": "False", "clause": "b.late"},
    {"id": "wild", "when": "flag and feel == wild", "then": "False", "clause": "b.wild"},
    {"id": "low", "when": "n < 2", "then": "False", "clause": "b.low", "code": "too_low"},
    {"id": "fine", "else": "True", "clause": "b.fine"},
]
GAME = {
    "tables": {"may": {"args": {"n": "lap"}, "type": "bool", "policy": "first", "rows": ROWS}},
    "actions": {
        "go": {
            "by": {"who": "players"},
            "params": {"n": {"in": "lap"}},
            "legal": "may(n)",
            "do": [
                {"set": "now", "to": "n", "clause": "b.now"},
                {"id": "bump", "add": "tally", "by": "three"},
                {"goto": "dusk"},
            ],
            "clause": "b.go",
        }
    },
    "phases": {
        "perch": {"actions": ["go"]},
        "dusk": {"do": [{"set": "flag", "to": "True", "clause": "b.dusk"}, {"goto": "perch"}]},
    },
}


def traced(tiny: Tiny, number: int) -> tuple[Tracing, Verdict]:
    """Return what became of going so far, and the tracer."""
    tracing = Tracing(tiny(**GAME))
    return tracing, tracing.act(Machine(tracing.machine.game).begin(), 0, {"go": number})


def test_accepted(tiny: Tiny) -> None:
    """An accepted act tells every row passed over and the row that fired, in their order."""
    _, verdict = traced(tiny, 2)
    rows = [(event.kind, event.id, event.clause) for event in verdict.events if event.kind in ("fired", "skipped")]

    assert verdict.accepted
    assert rows == [
        ("skipped", "may/late", "b.late"),
        ("skipped", "may/wild", "b.wild"),
        ("skipped", "may/low", "b.low"),
        ("fired", "may/fine", "b.fine"),
    ]


def test_refused(tiny: Tiny) -> None:
    """A refused act ends with the row that forbade it, and rows behind it are not judged."""
    _, verdict = traced(tiny, 1)
    rows = [(event.kind, event.id) for event in verdict.events if event.kind in ("fired", "skipped")]

    assert not verdict.accepted
    assert rows[-1] == ("fired", "may/low")
    assert ("fired", "may/fine") not in rows


def test_reason(tiny: Tiny) -> None:
    """A row that was passed over says which part of its condition failed."""
    _, verdict = traced(tiny, 2)

    assert {event.id: event.why for event in verdict.events if event.kind == "skipped"} == {
        "may/late": "now > three does not hold",
        "may/wild": "flag does not hold",
        "may/low": "n < 2 does not hold",
    }


def test_places(tiny: Tiny) -> None:
    """Every event has the place of its row in the rules file."""
    tracing, verdict = traced(tiny, 2)
    rows = tracing.machine.game.tables["may"].rows
    judged = [event.place for event in verdict.events if event.kind in ("fired", "skipped")]

    assert judged == [row.place for row in rows]
    assert len({place.line for place in judged}) == 4


def test_parameters_read(tiny: Tiny) -> None:
    """A number of the rules that was read is told with its value and clause."""
    _, verdict = traced(tiny, 2)
    read = {(event.id, event.clause, event.why) for event in verdict.events if event.kind == "read"}

    assert read == {("three", "b.three", "3")}


def test_writes(tiny: Tiny) -> None:
    """Every write is told with its effect and clause, those of automatic phases too."""
    _, verdict = traced(tiny, 2)

    assert [(event.id, event.clause) for event in verdict.events if event.kind == "wrote"] == [
        ("now by set-now", "b.now"),
        ("tally by bump", "b.go"),
        ("flag by set-flag", "b.dusk"),
    ]


def test_last_writer(tiny: Tiny) -> None:
    """The last write of a variable is known, and of one never written nothing."""
    tracing, _ = traced(tiny, 2)
    writer = tracing.writer("now")

    assert writer is not None
    assert (writer.clause, tracing.writer("boss")) == ("b.now", None)


def test_refused_act_writes_nothing(tiny: Tiny) -> None:
    """A refused act has no writes."""
    _, verdict = traced(tiny, 1)

    assert [event for event in verdict.events if event.kind == "wrote"] == []


def test_events_of_one_act(tiny: Tiny) -> None:
    """A verdict holds the events of its own act."""
    tracing, first = traced(tiny, 2)
    assert isinstance(first.outcome, State)
    second = tracing.act(first.outcome, 0, {"go": 2})

    assert len(second.events) == len(first.events)


def test_unique_table(tiny: Tiny) -> None:
    """Of a `unique` table every row is judged, also behind the one that fires."""
    rows = [{"id": "a", "when": "now == 1", "then": "1"}, {"id": "b", "when": "now > 1", "then": "2"}]
    tables = {"size": {"type": "int 0..9", "policy": "unique", "rows": rows}}
    act = {"by": {"who": "players"}, "legal": "True", "do": [{"set": "tally", "to": "size"}]}
    tracing = Tracing(tiny(tables=tables, actions={"go": act}, phases={"perch": {"actions": ["go"]}}))
    verdict = tracing.act(tracing.machine.begin(), 0, {"go": True})

    assert [(event.kind, event.id) for event in verdict.events if event.kind != "wrote"] == [
        ("fired", "size/a"),
        ("skipped", "size/b"),
    ]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_same_answer(tiny: Tiny, number: int) -> None:
    """Tracing changes no answer."""
    tracing, verdict = traced(tiny, number)
    plain = Machine(tracing.machine.game)
    outcome = plain.act(plain.begin(), 0, {"go": number})

    assert (verdict.outcome, isinstance(outcome, Refusal)) == (outcome, not verdict.accepted)


@pytest.mark.parametrize(
    "text",
    [
        "flag and (feel == wild or not flag)",
        "not (flag and feel == calm)",
        "(not flag) == (feel == calm)",
        "(flag if now == 1 else True) if flag else False",
        "now - (now - 1) == (now - now) - 1",
        "(now + 1) * 2 // three == -now",
        "1 - -1 == -(-2)",
        "card(hawk, moss) in pack - {card(owl, rust)} & pack",
        "suit(card(wren, moss)) in [moss, rust]",
        "any(weight(c) > now for c in pack if suit(c) == rust if flag)",
        "max((weight(c) for c in pack), default=-1) > min((now for p in players), default=0)",
        "max(pack, key=weight) == max(pack, key=lambda c: shade(c) - weight(c))",
        "len({suit(c) for c in pack}) == count(flag for p in players)",
        "first(p for p in seats(boss)) != boss if boss != None else None == seen",
        "1 < now <= three",
        "now not in [1, 2]",
    ],
)
def test_shown_condition(tiny: Tiny, text: str) -> None:
    """A condition that is shown reads as a rules file would write it: read again it is the same."""
    body = tiny(functions={"f": {"type": "bool", "is": text}}).functions["f"].body

    assert body == tiny(functions={"f": {"type": "bool", "is": show(body)}}).functions["f"].body


def test_shown_word_of_the_grammar(tiny: Tiny) -> None:
    """A name that is a word of the grammar is shown with the `_` that it is written with."""
    bodies = [
        tiny(
            functions={"f": {"type": "bool", "is": text}, "lambda": {"type": "int", "is": "3"}},
            types={
                "mood": {"values": ["calm", "wild", "pass"], "clause": "b.mood"},
                "lap": {"from": 1, "to": "three", "clause": "b.lap"},
            },
        )
        .functions["f"]
        .body
        for text in ("feel == pass_", "lambda_ == 1")
    ]

    assert [show(body) for body in bodies] == ["feel == pass_", "lambda_ == 1"]
