"""Asking otherwise: a program that does not answer is asked in other forms, and the one that it answers tells why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from brou.interpreter.dealing import HANDS, hands_of
from brou.language.codec import Json
from brou.language.syntax import Game
from brou_conformance.likeness.renaming import Names, before, message
from brou_conformance.protocol import Message
from brou_conformance.smoke.findings import Check, Passage
from brou_conformance.smoke.notation import give_example, notations
from brou_conformance.smoke.saying import say


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
            cause = say("expects_notation", notation=say(name), example=give_example(words))
            yield Form(
                Check.CARDS, cause, Passage.CARDS, {key: _reworded(value, words) for key, value in request.items()}
            )
    if "position" not in start:
        names = Names(tuple(seat + 1 for seat in range(game.seats)), tuple(range(len(game.teams))), {})
        yield Form(Check.SEATS, say("expects_from_one"), Passage.SEATS, _reseated(game, request, names))
    for key in start:
        left = {name: value for name, value in start.items() if name != key}
        cause = say("key_not_taken", key=key)
        yield Form(Check.DEALING, cause, Passage.START, {**request, "start": left})
    if "readings" in request:
        bare = {key: value for key, value in request.items() if key != "readings"}
        yield Form(Check.ABILITIES, say("readings_not_taken"), Passage.ABILITIES, bare)


def _reworded(value: Json, words: Mapping[str, str]) -> Json:
    """Return a value with every card in another notation, and every suit that stands alone."""
    if isinstance(value, dict):
        return {key: _reworded(item, words) for key, item in value.items()}
    if isinstance(value, list):
        return [_reworded(item, words) for item in value]
    return words.get(value, value) if isinstance(value, str) else value


def _reseated(game: Game, request: Message, names: Names) -> Message:
    start = request.get("start", {})
    moved = {**start, **{key: value for key, value in before(start, game, names).items() if type(value) is int}}
    if HANDS in start:
        moved[HANDS] = {str(seat + 1): hand for seat, hand in hands_of(start).items()}
    steps = [message(step, game, names) for step in request["steps"]]
    return {**request, **({"start": moved} if moved else {}), "steps": steps}
