"""Reasons as data: the rows that were judged, who wrote what, and sentences made of them without asking again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import pytest

from brou import Machine, State
from brou.answers.explain_state import Explainer
from brou.answers.history import History
from brou.interpreter.evaluate import Evaluator
from brou.language.syntax import Game
from brou.reasons.explanation import Judgement
from brou.reasons.moment import Moment
from brou.reasons.reason import Every, FilledText, FixedReason, Reason, TextId, Unworded, if_any, join_reasons
from brou.reasons.reasoner import Reasoner, Unsaid
from brou.words.wording import Words

Tiny = Callable[..., Game]

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


PHRASES = {
    "late": {
        "args": {"n": "int"},
        "is": "now > n",
        "say": {"en": "after {n}", "fr": "après {n}", "de": "nach {n}"},
        "deny": {"en": "not after {n}", "fr": "pas après {n}", "de": "nicht nach {n}"},
    },
    "flagged": {
        "is": "flag",
        "say": {"en": "the flag is up", "fr": "le drapeau est levé", "de": "die Fahne weht"},
    },
    "low": {"args": {"n": "int"}, "is": "n < 2", "say": {"en": "too low", "fr": "trop bas", "de": "zu tief"}},
    "tallied": {"is": "tally", "say": {"en": "tally", "fr": "compte", "de": "Zähler"}},
}
SCORE = {"tally": "tally"}


def explainer(game: Game) -> Explainer:
    """Return what explains the beginning of a game."""
    history = History(game)
    machine = Machine(game, history)
    return Explainer(machine, Reasoner(machine.evaluator), history, machine.begin(), history.writes, {})


def gone(tiny: Tiny, number: int, **sections: Any) -> Judgement:
    """Return why one may go so far, or may not."""
    return explainer(tiny(**{**GAME, **sections})).act(0, {"go": number})


def reason(tiny: Tiny, condition: str) -> Reason:
    """Return why a condition holds or fails at the beginning."""
    game = tiny(phrases=PHRASES, functions={"probe": {"type": "bool", "is": condition}})
    return Reasoner(Evaluator(game)).reason(game.functions["probe"].body, Moment(Machine(game).begin().values))


def test_the_row_that_decides_stands_apart(tiny: Tiny) -> None:
    """Beside it stand the rows that were passed over, in their order; rows behind it are not judged."""
    (decision,) = gone(tiny, 1).decisions

    assert (decision.table, [row.row for row in decision.skipped], decision.fired.row) == (
        "may",
        ["late", "wild"],
        "low",
    )


def test_a_row_that_is_passed_over_has_the_part_that_fails(tiny: Tiny) -> None:
    """Of several conditions the first that is not so."""
    wild = tiny(**GAME).tables["may"].rows[1].when
    (decision,) = gone(tiny, 2).decisions

    assert decision.skipped[1].because == Unworded(wild.conditions[0], holds=False)  # type: ignore[union-attr]  # it is `and`
    assert decision.fired.because is FixedReason.ELSE


def test_of_the_row_for_everything_else_the_reason_is_what_the_others_lack(tiny: Tiny) -> None:
    """No sentence has to be read for that."""
    judgement = gone(tiny, 2)
    (decision,) = judgement.decisions

    assert judgement.because == Every(tuple(row.because for row in decision.skipped))


def test_of_a_unique_table_the_row_that_fires_decides(tiny: Tiny) -> None:
    """Rows behind it are not told."""
    rows = [
        {"id": "a", "when": "now == 1", "then": "True"},
        {"id": "b", "when": "now > 1", "then": "False"},
    ]
    tables = {"size": {"type": "bool", "policy": "unique", "rows": rows}}
    act = {"by": {"who": "players"}, "legal": "size", "do": [{"set": "tally", "to": "1"}]}
    game = tiny(tables=tables, actions={"go": act}, phases={"perch": {"actions": ["go"]}})
    (decision,) = explainer(game).act(0, {"go": True}).decisions

    assert (decision.skipped, decision.fired.row) == ((), "a")


def test_a_row_with_words_for_its_whole_condition_is_not_taken_apart(tiny: Tiny) -> None:
    """Although there are words for a part of it as well."""
    rows = [{"id": "a", "when": "now >= 1 and now < 3", "then": "True"}, {"id": "b", "else": "False"}]
    words = {
        "part": {"is": "now >= 1", "say": {"en": "begun"}},
        "whole": {"is": "now >= 1 and now < 3", "say": {"en": "early"}},
    }
    act = {"by": {"who": "players"}, "legal": "early", "do": [{"set": "tally", "to": "1"}]}
    tables = {"early": {"type": "bool", "policy": "first", "rows": rows}}
    game = tiny(tables=tables, phrases=words, actions={"go": act}, phases={"perch": {"actions": ["go"]}})
    (decision,) = explainer(game).act(0, {"go": True}).decisions

    assert isinstance(decision.fired.because, FilledText)
    assert decision.fired.because.text == TextId("phrases", "whole", "say")


def test_a_text_is_named_with_what_fills_it(tiny: Tiny) -> None:
    """The reason says which text of the rules speaks, and whether of the opposite alone; what it does not name is left.

    So reasons that read alike are alike.
    """
    late, flagged, low = (reason(tiny, condition) for condition in ("now > three", "flag", "now < 2"))

    assert isinstance(late, FilledText)
    assert (late.text, late.denied, late.compared) == (TextId("phrases", "late", "deny"), False, ((1,),))
    assert [(name, shown.value) for name, shown in late.fills] == [("n", 3)]
    assert flagged == FilledText(TextId("phrases", "flagged", "say"), denied=True)
    assert low == FilledText(TextId("phrases", "low", "say"), compared=((1,),))


def test_reasons_that_are_one_are_not_several() -> None:
    """Of two that are the same one is left; of none there is none."""
    assert if_any([FixedReason.ELSE, None, FixedReason.ELSE]) is FixedReason.ELSE
    assert join_reasons([FixedReason.ELSE, FixedReason.NEVER]) == Every((FixedReason.ELSE, FixedReason.NEVER))
    assert if_any([None]) is None


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("en", ["not after 3 (1)", "the flag is up: no", "too low (1)"]),
        ("fr", ["pas après 3 (1)", "le drapeau est levé\u00a0: non", "trop bas (1)"]),
        ("de", ["nicht nach 3 (1)", "die Fahne weht: nein", "zu tief (1)"]),
    ],
)
def test_one_reason_is_told_in_every_language(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch, lang: str, sentences: list[str]
) -> None:
    """Once it is found, nothing of the rules is evaluated any more."""
    game = tiny(**GAME, phrases=PHRASES, score=SCORE)
    (decision,) = explainer(game).act(0, {"go": 1}).decisions
    monkeypatch.setattr(Evaluator, "expression", never)
    words = Words(game, lang)

    assert [words.sentence(row.because) for row in (*decision.skipped, decision.fired)] == sentences


def never(*_: object) -> None:
    """Fail: it is asked what is no longer to be asked."""
    raise AssertionError("the rules were asked again")


def test_what_an_act_changes_is_told_with_its_writer(tiny: Tiny) -> None:
    """Figure, what it was before, the effect, its clause and what was added."""
    (change,) = gone(tiny, 2, score=SCORE, phrases=PHRASES).changes
    (origin,) = change.figure.origins

    assert (change.figure.name, change.before.value, change.figure.shown.value) == ("tally", 0, 3)
    assert (origin.effect, origin.adds, origin.shown.value, origin.clauses) == ("bump", True, 3, ("b.go", "b.three"))


def test_explaining_leaves_the_history_as_it_was(tiny: Tiny) -> None:
    """What an act would write is in a branch, which nobody has to take back."""
    one = explainer(tiny(**GAME, score=SCORE))
    before = [*one.history.writes]
    one.act(0, {"go": 2})
    one.act(0, {"go": 1})

    assert one.history.writes == before


def test_what_was_asked_is_known(tiny: Tiny) -> None:
    """Tables, numbers and actions that had a part in an act."""
    game = tiny(**GAME)
    history = History(game)
    machine = Machine(game, history)
    assert isinstance(machine.act(machine.begin(), 0, {"go": 2}), State)

    assert {("tables", "may"), ("params", "three"), ("actions", "go"), ("phases", "dusk")} <= history.touched


@pytest.mark.parametrize("number", [1, 2, 3])
def test_whoever_looks_on_changes_no_answer(tiny: Tiny, number: int) -> None:
    """A machine that is watched answers what one answers that is not."""
    game = tiny(**GAME)
    plain, watched = Machine(game), Machine(game, History(game))

    assert plain.act(plain.begin(), 0, {"go": number}) == watched.act(watched.begin(), 0, {"go": number})


def test_a_condition_without_a_moment_needs_words(tiny: Tiny) -> None:
    """Where a value would have to be known, or there is no text, it cannot be said."""
    functions = {name: {"type": "bool", "is": body} for name, body in (("a", "flag"), ("b", "now > three"))}
    game = tiny(phrases=PHRASES, functions=functions)
    reasoner = Reasoner(Evaluator(game))

    assert reasoner.statement(game.functions["a"].body) == FilledText(TextId("phrases", "flagged", "say"))
    with pytest.raises(Unsaid):
        reasoner.statement(game.functions["b"].body)


def test_finding_reasons_needs_no_words() -> None:
    """Neither reasons nor answers load what speaks a language."""
    script = (
        "import sys, brou.answers.explain_route, brou.answers.settlement, brou.reasons.reasoner;"
        "print(*(name for name in sys.modules if name.startswith('brou.words')))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")


def test_no_text_stands_in_a_reason(tiny: Tiny) -> None:
    """What is written in a reason are names of the rules."""
    found = gone(tiny, 2, score=SCORE, phrases=PHRASES)

    assert [text for text in strings(found) if " " in text] == []


def strings(value: object) -> Iterator[str]:
    """Yield every string in a tree of records, expressions aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (Enum, Unworded)):
        return
    elif is_dataclass(value):
        for one in fields(value):
            yield from strings(getattr(value, one.name))
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from strings(item)


def test_duties_behind_the_one_that_decides_are_judged_too(tiny: Tiny) -> None:
    """Where every row forbids, no order decides which of them bind; a duty that cannot be asked any more is none."""
    odd = {"id": "odd", "when": "n == 1 or n == three", "then": "False", "clause": "b.odd", "code": "bad_amount"}
    rows = [ROWS[2], ROWS[0], odd, ROWS[3]]
    (decision,) = gone(
        tiny, 1, tables={"may": {"args": {"n": "lap"}, "type": "bool", "policy": "first", "rows": rows}}
    ).decisions

    assert (decision.fired.row, decision.forbids) == ("low", True)
    assert [(row.row, row.holds, row.clause) for row in decision.others] == [
        ("late", False, "b.late"),
        ("odd", True, "b.odd"),
    ]
