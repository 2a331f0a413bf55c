"""Asking otherwise: a program that does not answer is asked in other forms, and the one that it answers tells why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from brou.interpreter.dealing import HANDS
from brou.language.syntax import Game
from brou_conformance.likeness.renaming import Names, before, message
from brou_conformance.protocol import Message
from brou_conformance.smoke.findings import Check, Passage
from brou_conformance.smoke.notation import notations


@dataclass(frozen=True, slots=True)
class Form:
    """A request in another form, and what it says if this one is answered."""

    check: Check
    cause: str
    passage: Passage
    request: Message


def list_forms(game: Game, request: Message) -> Iterator[Form]:
    """Yield a request in the forms that authors of adapters expect instead of the protocol's."""
    start = request.get("start", {})
    if HANDS in start or "position" in start:
        for name, words in notations(game):
            example = next(f"{word} for {card}" for card, word in words.items() if word != card)
            cause = f"The program expects cards in another notation, {name} ({example})."
            yield Form(Check.CARDS, cause, Passage.CARDS, {**request, **_reworded(request, words)})
    if "position" not in start:
        names = Names(tuple(seat + 1 for seat in range(game.seats)), tuple(range(len(game.teams))), {})
        cause = "The program expects seats from 1 to n instead of from 0 to n-1: add one on the way in."
        yield Form(Check.SEATS, cause, Passage.SEATS, _reseated(game, request, names))
    for key in start:
        left = {name: value for name, value in start.items() if name != key}
        cause = f"The program cannot take `{key}` in `start`: without it there is an answer."
        yield Form(Check.DEALING, cause, Passage.START, {**request, "start": left})
    if "readings" in request:
        cause = "The program cannot take `readings`, though it declares that it follows them."
        bare = {key: value for key, value in request.items() if key != "readings"}
        yield Form(Check.ABILITIES, cause, Passage.ABILITIES, bare)


def _reworded(value: Any, words: Mapping[str, str]) -> Any:
    """Return a value with every card in another notation, and every suit that stands alone."""
    if isinstance(value, dict):
        return {key: _reworded(item, words) for key, item in value.items() if key in value}
    if isinstance(value, list):
        return [_reworded(item, words) for item in value]
    return words.get(value, value) if isinstance(value, str) else value


def _reseated(game: Game, request: Message, names: Names) -> Message:
    start = request.get("start", {})
    moved = {**start, **{key: value for key, value in before(start, game, names).items() if type(value) is int}}
    if HANDS in start:
        moved[HANDS] = {str(int(seat) + 1): hand for seat, hand in start[HANDS].items()}
    steps = [message(step, game, names) for step in request["steps"]]
    return {**request, **({"start": moved} if moved else {}), "steps": steps}
