"""Other forms of a request: a program that does not answer gets them, and the one that it answers tells why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from brou import HANDS, Game, Json, hands_of
from brou_conformance.metamorphic.renaming import Renaming, before, message
from brou_conformance.protocol import Message
from brou_conformance.smoke.findings import AdapterCheck, ProtocolPassage
from brou_conformance.smoke.notation import give_example, notations
from brou_conformance.smoke.translatable import say


@dataclass(frozen=True, slots=True)
class RequestForm:
    """A request in another form, and the finding if the program answers this one."""

    check: AdapterCheck
    cause: str
    passage: ProtocolPassage
    request: Message


def list_forms(game: Game, request: Message) -> Iterator[RequestForm]:
    """Yield a request in the forms that authors of adapters expect instead of the protocol's."""
    start = request.get("start", {})
    if HANDS in start or "position" in start:
        for name, words in notations(game):
            cause = say("expects_notation", notation=say(name), example=give_example(words))
            yield RequestForm(
                AdapterCheck.CARDS,
                cause,
                ProtocolPassage.CARDS,
                {key: _replace_cards(value, words) for key, value in request.items()},
            )
    if "position" not in start:
        names = Renaming(tuple(seat + 1 for seat in range(game.seats)), tuple(range(len(game.teams))), {})
        yield RequestForm(
            AdapterCheck.SEATS, say("expects_from_one"), ProtocolPassage.SEATS, _renumber_seats(game, request, names)
        )
    for key in start:
        left = {name: value for name, value in start.items() if name != key}
        cause = say("key_not_taken", key=key)
        yield RequestForm(AdapterCheck.DEALING, cause, ProtocolPassage.START, {**request, "start": left})
    if "readings" in request:
        bare = {key: value for key, value in request.items() if key != "readings"}
        yield RequestForm(AdapterCheck.ABILITIES, say("readings_not_taken"), ProtocolPassage.ABILITIES, bare)


def _replace_cards(value: Json, words: Mapping[str, str]) -> Json:
    """Return a value with every card in another notation, and every suit that stands alone."""
    if isinstance(value, dict):
        return {key: _replace_cards(item, words) for key, item in value.items()}
    if isinstance(value, list):
        return [_replace_cards(item, words) for item in value]
    return words.get(value, value) if isinstance(value, str) else value


def _renumber_seats(game: Game, request: Message, names: Renaming) -> Message:
    start = request.get("start", {})
    moved = {**start, **{key: value for key, value in before(start, game, names).items() if type(value) is int}}
    if HANDS in start:
        moved[HANDS] = {str(seat + 1): hand for seat, hand in hands_of(start).items()}
    steps = [message(step, game, names) for step in request["steps"]]
    return {**request, **({"start": moved} if moved else {}), "steps": steps}
