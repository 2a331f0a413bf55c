"""Clause texts: every number comes from the data, by the name of a parameter or attribute in braces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brou.errors import Fault
from brou.source import Node
from brou.syntax import Game

_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_DIGIT = re.compile(r"[0-9]")


def render(text: str, game: Game) -> str:
    """Return a clause text with every `{name}` replaced by what the rule base says."""
    return _SLOT.sub(lambda match: value(match[1], game), text)


def value(name: str, game: Game) -> str:
    """Return how a parameter or an attribute is written in a text."""
    if name in game.attributes:
        return _attribute(name, game)
    number = game.params[name].value
    if isinstance(number, int):
        return str(number)
    lists = [item if isinstance(item, tuple) else (item,) for item in number]
    if all(isinstance(item, int) for item in number):
        return "-".join(str(item) for item in number)
    return ", ".join("-".join(str(part) for part in item) for item in lists)


def _attribute(name: str, game: Game) -> str:
    """Return ranks with their numbers, or from high to low where every rank has another number."""
    values = game.attributes[name].values
    ranks = {card[0]: number for card, number in values.items()}
    high_first = sorted(ranks, key=lambda rank: -ranks[rank])
    if len(set(ranks.values())) == len(ranks):
        return " ".join(high_first)
    return ", ".join(f"{rank} {ranks[rank]}" for rank in high_first)


def text_faults(node: Node, game: Game) -> Iterator[Fault]:
    """Yield what is wrong with one text: a bare digit, or braces around no name of the game."""
    text = node.text
    for match in _SLOT.finditer(text):
        if match[1] not in game.params and match[1] not in game.attributes:
            known = ", ".join([*game.params, *game.attributes])
            yield Fault(node.place, f"{{{match[1]}}} names no parameter or attribute", f"there are {known}")
    if _DIGIT.search(_SLOT.sub("", text)):
        yield Fault(node.place, "a bare digit in a text", "write the name of the parameter in braces")
