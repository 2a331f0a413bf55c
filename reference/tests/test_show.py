"""Expressions shown: they read as a rules file would write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from brou.language.unparse import unparse_expression

Tiny = Callable[..., Any]


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

    assert body == tiny(functions={"f": {"type": "bool", "is": unparse_expression(body)}}).functions["f"].body


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

    assert [unparse_expression(body) for body in bodies] == ["feel == pass_", "lambda_ == 1"]
