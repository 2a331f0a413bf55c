"""Sound conversations: scripts of the corpus under readings drawn at random, and an honest program to answer them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from brou import BrouError, Choice, book, catalogue
from brou.games.catalogue import spread, with_readings
from brou_conformance.messages import ABILITIES, VERSION
from brou_conformance.programs.child import Failure
from brou_conformance.protocol import Message, NoMessage, decode, encode
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import Script, spell
from fuzzing.files import list_corpus
from fuzzing.mutation import write_json
from fuzzing.subject import keep_engine

#: Stands in a recorded answer for the number of the request, which is another one each time.
NUMBER = 7777777777


def draw_readings(choice: Choice, chance: Random, share: float = 1.0) -> dict[str, str]:
    """Return values for some readings that an edition leaves open, each possible by itself."""
    found: dict[str, str] = {}
    for key in dict(choice.readings):
        reading = book(choice.game).readings[key]
        if chance.random() >= share:
            continue
        low, high, _ = reading.number or (0, 0, "")
        value = str(chance.randint(low, high)) if reading.number else chance.choice(sorted(reading.values))
        with suppress(BrouError):
            with_readings(choice, {**found, key: value})
            found[key] = value
    return found


def draw_choice(game: str, chance: Random) -> Choice:
    """Return an edition and set-up of a game under readings drawn at random, most of them the edition's own."""
    plain = chance.choice(spread(game))
    return with_readings(plain, draw_readings(plain, chance, chance.choice((0, 0.1, 0.5))))


def draw_script(choice: Choice, chance: Random) -> Script | None:
    """Return a scenario spelt out for a rule base; None where the one that is drawn does not fit."""
    first = next(iter(book(choice.game).editions[choice.edition].setups))
    applies = corpus.applying(corpus.scenarios(choice.game), choice.edition, choice.setup, first=choice.setup == first)
    if not applies:
        return None
    one = chance.choice(applies)
    with suppress(BrouError):
        return spell(one, with_readings(choice, one.premise))
    return None


def draw_requests(game: str, chance: Random, count: int, seen: set[str]) -> Iterator[Message]:
    """Yield requests to the reference engine: scripts of the corpus, reasons, greetings."""
    while count:
        script = draw_script(draw_choice(game, chance), chance)
        if script is None:
            continue
        count -= 1
        seen.add(script.scenario.id)
        seen |= {f"{key}={value}" for key, value in script.choice.readings}
        steps = [step.message for step in script.steps]
        number, kind = chance.randrange(1000), chance.random()
        if kind < 0.08:
            yield {"op": "hello", "id": number, "protocol": VERSION}
            continue
        acts = [place for place, step in enumerate(script.steps) if step.verb == "act"]
        why = kind < 0.2 and bool(acts)
        steps = steps[: acts[-1] + 1] if why else steps
        yield {"op": "why" if why else "run", "id": number, **script.request(steps, script.start, readings=True)}


# A program ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Talker:
    """An honest program of one game: what it says of itself, and the readings that it follows."""

    game: str
    greeting: Message
    #: The readings that it follows by `game@edition`, whatever it says.
    followed: Mapping[str, Mapping[str, str]]

    @classmethod
    def draw(cls, game: str, chance: Random) -> Talker:
        """Return a program that plays some editions and set-ups, can more or less, and declares readings or not."""
        bases = spread(game)
        chosen = chance.sample(bases, chance.randint(1, len(bases)))
        plays: dict[str, dict[str, Any]] = {}
        declared, followed = {}, {}
        for one in chosen:
            play = plays.setdefault(one.edition, {"game": game, "editions": [one.edition], "setups": []})
            play["setups"].append(one.setup)
            name = f"{game}@{one.edition}"
            said = draw_readings(one, chance, chance.choice((0, 0, 0.3, 1)))
            if chance.random() < 0.6:
                declared[name] = {key: int(value) if value.isdecimal() else value for key, value in said.items()}
            followed[name] = {**said, **draw_readings(one, chance, chance.choice((0, 0, 0, 0.1, 1)))}
        abilities = [one for one in ABILITIES if chance.random() < 0.9]
        if not {"deal", "match"}.intersection(abilities) or chance.random() < 0.05:
            abilities.append("position")
        greeting: Message = {
            "protocol": VERSION,
            "engine": {"name": "fuzzed", "version": "1", "language": "python"},
            "plays": list(plays.values()),
            "readings": declared,
            "can": abilities,
            "max_in_flight": chance.choice((1, 1, 4, 16)),
        }
        if chance.random() < 0.1:
            greeting["acts"] = ["play", "deal"]
        return cls(game, greeting, followed)

    @classmethod
    def able(cls, game: str, can: Sequence[str] = ABILITIES) -> Talker:
        """Return a program that plays all of a game and can everything, or only that, and follows every request."""
        plays = [{"game": game, "editions": [one.edition], "setups": [one.setup]} for one in spread(game)]
        return cls(game, {"protocol": VERSION, "engine": {"name": "able"}, "plays": plays, "can": [*can]}, {})

    def answer(self, request: Message) -> bytes:
        """Return the line that answers a request."""
        if request["op"] == "hello":
            return write_json({"id": request["id"], "ok": True, **self.greeting})
        followed = self.followed.get(f"{request.get('game')}@{request.get('edition')}", {})
        asked = {**request, "readings": {**followed, **request.get("readings", {})}} if followed else request
        number = str(request["id"]).encode()
        return _answer_once(self.game, name_request(asked)).replace(str(NUMBER).encode(), number, 1)


@lru_cache(maxsize=4096)
def _answer_once(game: str, request: str) -> bytes:
    """Return the line that answers a request named by its content; the same few scenarios are asked again and again."""
    return write_json(keep_engine(game).answer({**json.loads(request), "id": NUMBER}))


class Wire:
    """A program in this process that answers with lines, as a child would; what is no message is its mishap."""

    def __init__(self, answer: Callable[[Message], bytes]) -> None:
        self._answer = answer
        self._asked: list[Message] = []

    def send(self, message: Message) -> None:
        """Keep a request until its answer is awaited."""
        self._asked.append(decode(encode(message)))

    def receive(self, seconds: float) -> Message | Failure:  # noqa: ARG002 - it answers at once
        """Return the answer to the oldest request."""
        line = self._answer(self._asked.pop(0)).partition(b"\n")[0]
        try:
            return decode(line)
        except NoMessage as error:
            return Failure("protocol", str(error))

    def close(self) -> None:
        """Forget what was asked."""
        self._asked.clear()


def name_request(request: Message) -> str:
    """Return what names a request by its content, without its number."""
    return write_json({key: request[key] for key in sorted(request) if key != "id"}).decode("ascii")


@lru_cache(maxsize=8)
def cover_editions(game: str) -> tuple[dict[str, Any], ...]:
    """Return few scenarios of a game, so many that each edition and set-up has one whatever the readings are."""
    items = {str(item["id"]): item for item in list_corpus()[game]}
    plain = [one for one in corpus.scenarios(game) if not one.premise]
    found: dict[str, dict[str, Any]] = {}
    for edition, record in book(game).editions.items():
        for number, setup in enumerate(record.setups):
            applies = corpus.applying(plain, edition, setup, first=number == 0)
            if applies and not any(one.id in found for one in applies):
                shortest = min(applies, key=lambda one: len(one.lines))
                found[shortest.id] = items[shortest.id]
    return tuple(found.values())


def draw_scenarios(talker: Talker, chance: Random, count: int) -> list[dict[str, Any]]:
    """Return scenarios of what a program plays, and those without which an edition would have none."""
    editions = {edition for play in talker.greeting["plays"] for edition in play["editions"]}
    fitting: Sequence[Scenario] = [
        one for one in corpus.scenarios(talker.game) if not one.editions or editions.intersection(one.editions)
    ]
    items = {str(item["id"]): item for item in list_corpus()[talker.game]}
    # Scenarios that any answer satisfies are few, and judged in a way of their own.
    loose = [one for one in fitting if one.level == "open"]
    drawn = {one.id: items[one.id] for one in chance.sample(fitting, min(count, len(fitting)))}
    drawn |= {one.id: items[one.id] for one in chance.sample(loose, min(len(loose), chance.choice((0, 0, 1))))}
    return [*{**drawn, **{str(item["id"]): item for item in cover_editions(talker.game)}}.values()]


__all__ = [
    "NUMBER", "Talker", "Wire", "catalogue", "cover_editions", "draw_requests", "draw_scenarios", "name_request",
]  # fmt: skip
