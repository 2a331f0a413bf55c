"""The page on which players lay cards and ask about them: its data of a game, and the answers that it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from brou import BrouError, Choice, Game, Json, Project, Reading, Show, Words, book, choose, rules, spread
from brou.interpreter import PHASE, SEAT
from brou.language.types import Named, Option
from brou.page import ask
from brou_conformance.protocol import words_in
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.course import ScriptMoment, follow
from brou_conformance.scenarios.scenario import PLAY, Scenario
from brou_conformance.scenarios.script import machine, spell
from brou_tools.situation.examples import choose_rules

#: The keys of a view that the page lays by cards and buttons, and those that follow from them.
_HAND, _TRICK, _TRUMP, _LEADER = "hand", "trick", "trump", "leader"
_LAID = frozenset({_HAND, _TRICK, _TRUMP, _LEADER, "turn", "dealer", "turnup"})
#: How many situations have their answers written down.
_WRITTEN = 2


@dataclass(frozen=True, slots=True)
class LaidPosition:
    """A position of card play as a seat sees it, with the scenario that it is from."""

    scenario: Scenario
    #: The name of the rules, with the readings in which they differ from their edition.
    rules: str
    position: Mapping[str, Json]
    #: The clauses by which cards of the hand are refused.
    clauses: frozenset[str]

    @property
    def seat(self) -> int:
        """Return the seat that sees it."""
        seat = self.position[SEAT]
        return seat if isinstance(seat, int) else 0

    @property
    def hand(self) -> Sequence[str]:
        """Return its hand."""
        return tuple(words_in(self.position[_HAND]))


@dataclass(frozen=True)
class PlayPage:
    """The data of the page of a game, in one language."""

    game: str
    lang: str
    project: Project

    @cached_property
    def _choices(self) -> Sequence[Choice]:
        return spread(self.game, self.project)

    @cached_property
    def _words(self) -> Words:
        return Words(rules(self._choices[0]), self.lang, self.project)

    # What there is to choose -----------------------------------------------------------

    def describe(self, editions: Mapping[str, str]) -> dict[str, Json]:
        """Return what the page needs of the game as data: rules to choose, readings, packs and names."""
        return {
            "game": self.game,
            "lang": self.lang,
            "rules": [self._describe_rules(choice, editions) for choice in self._choices],
            "readings": describe_readings(self.game, self.lang, self.project),
            "cards": {card: {"short": short, "name": name} for card, short, name in self._name_cards()},
        }

    def _describe_rules(self, choice: Choice, editions: Mapping[str, str]) -> Json:
        game = rules(choice)
        words = Words(game, self.lang, self.project)
        return {
            **describe_rules(choice, editions, self.lang, self.project),
            "plain": game.actions[PLAY].clause,
            "pack": list(game.deck.faces),
            "suits": [{"id": one, "name": words.glossary.suit(one, self.lang)} for one in game.deck.suits],
            "trumpless": any(one.position.get(_TRUMP, "") is None for one in self.situations),
            "others": [one for show in game.view if (one := self._describe_other(show, game, words)) is not None],
        }

    def _describe_other(self, show: Show, game: Game, words: Words) -> Json:
        """Return a key of the view that has one value of few, with its values; nothing of other keys."""
        inner = _find_few(show)
        if inner is None:
            return None
        values: list[Json] = [
            {"value": member, "name": words.seat(member) if isinstance(member, int) else words.name("values", member)}
            for member in inner.members
            if inner.name != "player" or (isinstance(member, int) and member < game.seats)
        ]
        return {"key": show.id, "name": words.capital(words.name("fields", show.id)), "values": values}

    def _name_cards(self) -> Iterator[tuple[str, str, str]]:
        for card in dict.fromkeys(card for choice in self._choices for card in rules(choice).deck.faces):
            yield card, self._words.glossary.short(card, self.lang), self._words.glossary.card(card, self.lang)

    # Situations --------------------------------------------------------------------------

    @property
    def situations(self) -> Sequence[LaidPosition]:
        """Return a situation of each scenario in which a card is played, one with refused cards if there is one."""
        return _find_situations(self.game, self.project)

    @property
    def written(self) -> Sequence[LaidPosition]:
        """Return the situations whose answers are written down: the first of those with most clauses in the way."""
        return sorted(self.situations, key=lambda one: -len(one.clauses))[:_WRITTEN]

    def list_answered(self) -> list[Json]:
        """Return questions about the first situations, each with its answer, written down beforehand."""
        return [[asked, json.loads(ask(json.dumps(asked), self.project))] for asked in self._list_questions()]

    def _list_questions(self) -> Iterator[dict[str, Json]]:
        for one in self.written:
            asked: dict[str, Json] = {
                "rules": one.rules,
                "lang": self.lang,
                "seat": one.seat,
                "position": dict(one.position),
            }
            yield {"ask": "legal", **asked}
            for card in one.hand:
                yield {"ask": "why", **asked, "act": {PLAY: card}}

    def list_situations(self) -> list[Json]:
        """Return the situations whose answers are not written down, as data."""
        return [self._tell_situation(one) for one in self.situations if one not in self.written]

    def list_written(self) -> list[Json]:
        """Return the situations whose answers are written down, as data."""
        return [self._tell_situation(one) for one in self.written]

    def _tell_situation(self, one: LaidPosition) -> Json:
        title = corpus.translate(one.scenario, self.lang, self.project).title
        return {"id": one.scenario.id, "title": title, "rules": one.rules, "position": dict(one.position)}


def describe_rules(choice: Choice, editions: Mapping[str, str], lang: str, project: Project) -> dict[str, Json]:
    """Return an edition in a set-up as data: id, name, seats and readings; `editions` has the names of editions."""
    game = rules(choice)
    words = Words(game, lang, project)
    several = sum(one.edition == choice.edition for one in spread(choice.game, project)) > 1
    name = editions.get(choice.edition, choice.edition)
    return {
        "id": str(choice),
        "name": f"{name} ({choice.setup})" if several else name,
        "seats": [words.seat(seat) for seat in range(game.seats)],
        "readings": dict(choice.readings),
    }


def describe_readings(game: str, lang: str, project: Project) -> dict[str, Json]:
    """Return the readings of a game as data: title, question, and the values with their short names, or bounds."""
    words = Words(rules(spread(game, project)[0]), lang, project)
    return {key: _describe_reading(one, key, words) for key, one in book(game, project).readings.items()}


def _describe_reading(reading: Reading, key: str, words: Words) -> Json:
    told: dict[str, Json] = {
        "title": words.text(reading.title) or key,
        "question": words.clause(reading.ambiguity),
        "id": reading.ambiguity,
    }
    if reading.number is not None:
        low, high, _ = reading.number
        return {**told, "from": low, "to": high, "name": words.text(reading.find_name(str(low)))}
    return {**told, "values": {one: words.text(reading.find_name(one)) or one for one in reading.values}}


def _asked_seat(moment: ScriptMoment) -> int | None:
    return next((int(str(moment.step.message[key])) for key in ("by", "legal") if key in moment.step.message), None)


def _find_few(show: Show) -> Named | None:
    """Return the type of a key of a view that has one value of few and is not laid; nothing of other keys."""
    part = show if show.value is not None else show.inner
    if show.id in _LAID or show.each or part is None or part.value is None:
        return None
    type_ = part.value.type
    inner = type_.inner if isinstance(type_, Option) else type_
    return inner if isinstance(inner, Named) and inner.name != "card" else None


@lru_cache(maxsize=16)
def _find_situations(game: str, project: Project) -> Sequence[LaidPosition]:
    found = (_find_situation(one, project) for one in corpus.scenarios(game, project))
    return [one for one in found if one is not None]


def _find_situation(one: Scenario, project: Project) -> LaidPosition | None:
    """Return the first moment of a scenario at which a seat may play some cards and others not, or else any card."""
    try:
        choice = choose_rules(one, None, project)
        script, player = spell(one, choice), machine(choice)
        moments = list(follow(script, player))
    except BrouError:
        return None
    free: LaidPosition | None = None
    for moment in moments:
        seat = _asked_seat(moment)
        if seat is None or PLAY not in player.game.phases[moment.state.phase].actions:
            continue
        legal = player.offer(moment.state, seat, PLAY)
        seen = player.view(moment.state, seat)
        held = tuple(words_in(seen.get(_HAND)))
        if isinstance(legal, list) and legal and held and isinstance(seen.get(_LEADER), int):
            refusals = (player.refusal(moment.state, seat, {PLAY: card}) for card in held)
            clauses = frozenset(refusal.clause for refusal in refusals if refusal is not None)
            found = LaidPosition(one, _shorten(choice, project), _lay(player.game, seen, seat), clauses)
            if clauses:
                return found
            free = free or found
    return free


def _shorten(choice: Choice, project: Project) -> str:
    """Return the name of a choice with the readings in which it differs from its edition."""
    own = dict(choose(str(choice), project).readings)
    given = ",".join(f"{key}={value}" for key, value in choice.readings if own[key] != value)
    return f"{choice}[{given}]" if given else str(choice)


def _lay(game: Game, seen: Mapping[str, Json], seat: int) -> Mapping[str, Json]:
    """Return what the page would lay of a view, in the order in which it writes it."""
    others = [show.id for show in game.view if _find_few(show) is not None and seen.get(show.id) is not None]
    return {
        SEAT: seat,
        PHASE: seen[PHASE],
        **({_TRUMP: seen[_TRUMP]} if _TRUMP in seen else {}),
        _LEADER: seen[_LEADER],
        _HAND: seen[_HAND],
        _TRICK: seen.get(_TRICK) or [],
        **{key: seen[key] for key in others},
    }
