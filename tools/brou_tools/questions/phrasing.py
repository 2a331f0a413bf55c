"""A situation as people read it: where it begins, what has been done, the question, and values of an answer."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from brou.interpreter.dealing import STOCK, TURNUP, hands_of
from brou.language.codec import Json
from brou.words.wording import Words
from brou_conformance.scenarios.scenario import PLAY, Step

_WIDTH = 110


def phrase_start(start: Mapping[str, Json], words: Words) -> Iterator[str]:
    """Yield what stands before the deal, who holds what, and what lies on the table."""
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
    """Yield what has been done, cards played one after the other in one line; `told` says that something was tried."""
    if told:
        yield f"  {words.frame('so_far')}"
    cards: list[str] = []
    for by, act in acts:
        if PLAY in act:
            cards.append(phrase_pair(words.seat(by), act[PLAY], words))
            continue
        yield from _joined(cards)
        cards = []
        yield from wrapped(words.act(by, act), "    ")
    yield from _joined(cards)


def _joined(cards: Sequence[str]) -> Iterator[str]:
    if cards:
        yield from wrapped(", ".join(cards), "    ")


def phrase_question(step: Step, words: Words) -> str:
    """Return what a step asks."""
    if step.verb == "act":
        return f"{words.act(*step.deed)}?"
    return words.frame(f"{step.verb}_of", seat=str(step.message[step.verb]))


def phrase_key(step: Step, key: str, words: Words) -> str:
    """Return how a key of an answer is called: an act, or what a score or a view shows."""
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


def wrapped(text: str, indent: str) -> list[str]:
    """Return a text in lines."""
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
