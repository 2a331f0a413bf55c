"""A situation as people read it: its start, the acts so far, the question, and values of an answer."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from brou import STOCK, TURNUP, Json, Words, hands_of
from brou_conformance.scenarios.scenario import PLAY, ScriptStep
from brou_tools.terminal.columns import count_columns


def phrase_start(start: Mapping[str, Json], words: Words) -> Iterator[str]:
    """Yield the accounts before the deal, the hands, and the cards on the table."""
    for key in (key for key in start if key in words.game.start.given):
        given = start[key]
        value = words.seat(given) if key == "dealer" and isinstance(given, int) else phrase_value(given, words)
        yield _field("before" if key == "accounts" else key, value, words)
    for seat, hand in hands_of(start).items():
        yield f"  {phrase_pair(words.seat(seat), [*hand], words)}"
    for key in (TURNUP, STOCK):
        if key in start:
            yield _field(key, phrase_value(start[key], words), words)


def _field(name: str, value: str, words: Words) -> str:
    return f"  {words.frame('is', what=words.name('fields', name), value=value)}"


def phrase_route(acts: Sequence[tuple[int, Mapping[str, Json]]], words: Words, *, told: bool) -> Iterator[str]:
    """Yield the acts so far, cards played one after the other in one line; `told` heads them."""
    if told:
        yield f"  {words.frame('so_far')}"
    cards: list[str] = []
    for by, act in acts:
        if PLAY in act:
            cards.append(phrase_pair(words.seat(by), act[PLAY], words))
            continue
        yield from _join_cards(cards)
        cards = []
        yield from wrap_lines(words.act(by, act), "    ")
    yield from _join_cards(cards)


def _join_cards(cards: Sequence[str]) -> Iterator[str]:
    if cards:
        yield from wrap_lines(", ".join(cards), "    ")


def phrase_question(step: ScriptStep, words: Words) -> str:
    """Return the question of a step in words."""
    if step.verb == "act":
        return f"{words.act(*step.deed)}?"
    return words.frame(f"{step.verb}_of", seat=str(step.message[step.verb]))


def phrase_key(step: ScriptStep, key: str, words: Words) -> str:
    """Return the name of a key of an answer: an act, or a field of a score or a view."""
    return words.doing(key) if step.verb == "legal" else words.name("fields", key)


def phrase_pair(what: str, value: Json, words: Words) -> str:
    """Return something with its value."""
    return words.frame("is", what=what, value=phrase_value(value, words))


def phrase_value(value: Json, words: Words) -> str:
    """Return a value of an answer as people read it: cards by their short names, numbers, lists one by one."""
    match value:
        case None | [] | {}:
            return words.frame("nothing")
        case bool():
            return words.frame("yes" if value else "no")
        case int():
            return words.number(value)
        case str() if value in words.game.deck.cards:
            return words.glossary.short(value, words.lang)
        case str() if value in words.game.deck.suits:
            return words.glossary.suit(value, words.lang)
        case str():
            return words.name("values", value)
        case [str(), *_] if all(item in words.game.deck.cards for item in value):
            return " ".join(phrase_value(item, words) for item in value)
        case list():
            return words.frame("beside").join(phrase_value(item, words) for item in value)
        case dict():
            return ", ".join(phrase_pair(words.name("fields", key), value[key], words) for key in value)
    return str(value)


def wrap_lines(text: str, indent: str) -> list[str]:
    """Return a text in lines."""
    return textwrap.wrap(text, count_columns(), initial_indent=indent, subsequent_indent=indent)
