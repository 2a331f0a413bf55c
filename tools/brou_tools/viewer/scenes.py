"""Scenes of a scenario: for each step what the seat concerned sees, which of its cards are legal, and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from brou import BadAct, Folder, Json, Machine, State, Words, begin
from brou_conformance.protocol import words_in
from brou_conformance.scenarios.course import ScriptMoment, follow, take
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.scenarios.script import Script, machine

#: Names of a view that the protocol gives a meaning in every game.
_HAND, _TRICK, _TRUMP, _PHASE = "hand", "trick", "trump", "phase"


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of a hand: whether it may be played now, nothing where none may be; and why not, with the clause."""

    card: str
    allowed: bool | None = None
    why: str = ""
    clause: str = ""


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card of the open trick, with who played it."""

    card: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A step of a scenario with the table before it, as the seat concerned sees it."""

    step: str
    #: The act or the question in words.
    told: str
    #: Whose hand and view these are.
    seat: str
    hand: tuple[HeldCard, ...]
    trick: tuple[LyingCard, ...]
    #: What trump is, with its name; nothing where there is none, or none yet.
    trump: tuple[tuple[str, str], ...]
    #: What else that seat sees: names and values in words.
    seen: tuple[tuple[str, str], ...]
    #: The answer of the rules: names and values in words.
    answer: tuple[tuple[str, str], ...]
    #: Whether the act is accepted; nothing of a question.
    accepted: bool | None = None
    #: The reading on which the answer depends, and its values; nothing of most steps.
    reading: str = ""
    values: tuple[str, ...] = ()

    @property
    def legal(self) -> frozenset[str] | None:
        """Return the cards that may be played; nothing where none may be."""
        found = frozenset(one.card for one in self.hand if one.allowed)
        return found or None

    @property
    def refused(self) -> Sequence[tuple[tuple[str, ...], str, str]]:
        """Return the cards that may not be played, those refused alike together, with reason and clause."""
        held = sorted((one for one in self.hand if one.allowed is False), key=lambda one: (one.clause, one.why))
        return [
            (tuple(one.card for one in alike), why, clause)
            for (why, clause), alike in groupby(held, lambda one: (one.why, one.clause))
        ]


def list_scenes(script: Script, words: Words, folder: Folder = None) -> Iterator[Scene]:
    """Yield the scenes of a script as the rules have it; an act that is refused changes nothing."""
    teller = _SceneTeller(machine(script.choice, folder), words)
    yield from map(teller.tell, follow(script, teller.player))


def tell_score(script: Script, words: Words, folder: Folder = None) -> tuple[tuple[str, str], ...]:
    """Return what the score is when a script is at its end: names and values in words."""
    player = machine(script.choice, folder)
    state = begin(player, script.start)
    for step in script.steps:
        _, state = take(player, state, step.message)
    return _SceneTeller(player, words).tell_pairs(player.score(state))


def find_scene(script: Script, step: str, words: Words, folder: Folder = None) -> Scene | None:
    """Return the scene of one step; nothing if the script has no such step."""
    player = machine(script.choice, folder)
    found = next((moment for moment in follow(script, player) if moment.step.id == step), None)
    return None if found is None else _SceneTeller(player, words).tell(found)


@dataclass(frozen=True, slots=True)
class _SceneTeller:
    player: Machine
    words: Words

    def tell(self, moment: ScriptMoment) -> Scene:
        seat = next(
            (int(str(moment.step.message[key])) for key in ("by", "legal", "view") if key in moment.step.message), None
        )
        seen = self.player.view(moment.state, seat or 0)
        return Scene(
            step=moment.step.id,
            told=self._tell_step(moment),
            seat="" if seat is None else self.words.seat(seat),
            hand=() if seat is None else tuple(self._hold(moment.state, seat, seen)),
            trick=tuple(self._lay(seen.get(_TRICK))),
            trump=self.tell_pairs({key: seen[key] for key in (_TRUMP,) if key in seen}),
            seen=self.tell_pairs({key: seen[key] for key in seen if key not in (_HAND, _TRICK, _TRUMP)}),
            answer=tuple(self._answer(moment.answer)),
            accepted="ok" in moment.answer if moment.step.verb == "act" else None,
            reading=moment.step.reading,
            values=tuple(moment.step.values),
        )

    def _tell_step(self, moment: ScriptMoment) -> str:
        if moment.step.verb == "act":
            return self.words.typeset(self.words.act(*moment.step.deed))
        seat = str(moment.step.message[moment.step.verb])
        return self.words.frame(f"{moment.step.verb}_of", seat=seat)

    def _hold(self, state: State, seat: int, seen: Mapping[str, Json]) -> Iterator[HeldCard]:
        """Yield the hand of a seat; where no card may be played, without a word on any."""
        cards = words_in(seen.get(_HAND))
        if PLAY not in self.player.game.actions:
            yield from map(HeldCard, cards)
            return
        try:
            found = [(card, self.player.refusal(state, seat, {PLAY: card})) for card in cards]
        except BadAct:
            found = []
        if all(refusal is not None for _, refusal in found):
            yield from map(HeldCard, cards)
            return
        for card, refusal in found:
            if refusal is None:
                yield HeldCard(card, allowed=True)
            else:
                why = self.words.typeset(self.words.glossary.code(refusal.code, self.words.lang))
                yield HeldCard(card, False, why, refusal.clause)  # noqa: FBT003 - the field says what it means

    def _lay(self, lying: Json) -> Iterator[LyingCard]:
        for one in lying if isinstance(lying, list) else ():
            if isinstance(one, str):
                yield LyingCard(one)
            elif isinstance(one, dict) and isinstance(one.get("card"), str):
                by = one.get("seat")
                yield LyingCard(str(one["card"]), self.words.seat(by) if isinstance(by, int) else "")

    def _answer(self, answer: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
        """Yield what the rules say: of legal acts each with its values, of a view or score each entry."""
        for key, value in answer.items():
            if key == "no":
                yield "", self.words.verdict(allowed=False, why=self.words.glossary.code(str(value), self.words.lang))
            elif key == "ok":
                yield "", self.words.verdict(allowed=True, why="")
            elif key == "winner":
                yield "", self.words.seat(value) if isinstance(value, int) else self.words.frame("nothing")
            elif key == "legal" and isinstance(value, dict):
                yield from ((self.words.doing(name), self._tell(item)) for name, item in value.items() if item)
            elif isinstance(value, dict):
                yield from self._pairs(value)
            else:
                yield "", str(value)

    def tell_pairs(self, entries: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
        """Return the entries of a view or a score in words, empty ones left out."""
        return tuple(self._pairs(entries))

    def _pairs(self, entries: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
        for key, value in entries.items():
            if value not in (None, [], {}):
                told = self.words.name("phases", str(value)) if key == _PHASE else self._tell(value)
                yield self.words.capital(self.words.name("fields", key)), told

    def _tell(self, value: Json) -> str:
        """Return a value in words: cards short, suits and words by their names, members one after the other."""
        deck = self.player.game.deck
        match value:
            case None:
                return self.words.frame("nothing")
            case bool():
                return self.words.frame("yes" if value else "no")
            case int():
                return self.words.number(value)
            case str() if value in deck.cards:
                return value
            case str() if value in deck.suits:
                return self.words.glossary.suit(value, self.words.lang)
            case str():
                return self.words.name("values", value)
            case dict():
                named = (
                    (self.words.name("fields", key), self._tell(item))
                    for key, item in value.items()
                    if item is not None
                )
                return ", ".join(self.words.frame("is", what=name, value=told) for name, told in named)
            case list():
                apart = "; " if any(isinstance(one, (dict, list)) for one in value) else ", "
                told = (self.words.frame("yes") if one is True else self._tell(one) for one in value)
                return apart.join(told) or self.words.frame("nothing")
        return str(value)
