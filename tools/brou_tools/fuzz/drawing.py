"""Matches drawn by a seed: where one begins, and the acts that are made in it.

A match is a deal from a start, or the first deals from the beginning. The seed decides all of it: the set-up, the start
(the beginning, a deal of a match under way, or the deal of a scenario), how sensibly is played, and every act.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from brou import (
    Chance,
    Choice,
    Compiled,
    CompiledState,
    Folder,
    Json,
    begin,
    complete,
    keep_until_changed,
    outside,
    writer,
)
from brou.compiler import Act as CompiledAct
from brou.compiler import RandomPlayer
from brou.games import locate
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.corpus import Corpus, applying
from brou_conformance.scenarios.script import machine, spell
from brou_tools.matches.policy import Players, conduct

#: Who does something, and what.
SeatAct = tuple[int, Mapping[str, Json]]
#: The acts of a match at most, the acts before its start, and how many deals are gone by before that at most.
_LONGEST, _BEFORE, _DEALS = 400, 4_000, 12
#: The deals of a match that begins at the beginning.
_WHOLE = 2
#: A match in so many is played with no sense at all, and one act in so many of half of the others.
_MINDLESS, _ODD = 8, 6
#: Of three starts one is a scenario's, where scenarios are wanted.
_KINDS = 3


@dataclass(frozen=True, slots=True)
class MatchSetting:
    """What the matches of one edition are drawn for: the rules of each set-up, and what the program takes."""

    choices: tuple[Choice, ...]
    #: Whether it takes a deal that is given, and a match from its beginning.
    deals: bool = True
    whole: bool = True
    #: Whether some matches begin with the deal of a scenario.
    scenarios: bool = False
    data: Folder = None
    corpus: Corpus = None

    @property
    def name(self) -> str:
        """Return the edition."""
        return f"{self.choices[0].game}@{self.choices[0].edition}"


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match: its rules, where it begins, and its acts, all of them accepted."""

    choice: Choice
    seed: int
    start: Mapping[str, Any]
    acts: tuple[SeatAct, ...]


def draw_match(setting: MatchSetting, seed: int) -> DrawnMatch:
    """Return the match of a seed; the same for the same setting everywhere."""
    chance = Chance(seed)
    choice = chance.pick(setting.choices)
    return _Drawer.of(setting, choice).draw(seed, chance)


class _Drawer:
    """Draws matches by one rule base."""

    def __init__(self, setting: MatchSetting, choice: Choice) -> None:
        self.setting, self.choice = setting, choice
        folder = setting.data or choice.project
        self.players = Players(choice, conduct(choice.game, folder).acts, (), locate(folder))
        self.engine: Compiled = self.players.engine
        self.plain = RandomPlayer(self.engine, {})
        self.player = machine(choice, setting.data)

    @staticmethod
    def of(setting: MatchSetting, choice: Choice) -> _Drawer:
        """Return the drawer of a rule base, made once."""
        return _drawer(setting, choice)

    @cached_property
    def _starts(self) -> Sequence[Mapping[str, Any]]:
        """Return the starts of the scenarios that hold for the rules, each once."""
        choice, found = self.choice, dict[str, Mapping[str, Any]]()
        for batch in corpus.batches(choice.game, self.setting.corpus):
            for one in applying(batch.scenarios, choice.edition, choice.setup, first=True):
                if one.deal and repr((one.deal, one.before)) not in found:
                    try:
                        found[repr((one.deal, one.before))] = spell(one, choice, self.setting.data).start
                    except Exception:  # noqa: BLE001, S112 - one that is not for these readings gives no start
                        continue
        return tuple(found.values())

    def draw(self, seed: int, chance: Chance) -> DrawnMatch:
        kinds = ["match"] * self.setting.whole + ["deal"] * self.setting.deals * 2
        if self.setting.scenarios and self.setting.deals and chance.below(_KINDS) == 0 and self._starts:
            kinds = ["scenario"]
        kind = chance.pick(kinds or ["deal"])
        sense = chance.below(_MINDLESS)
        if kind == "match":
            start: Mapping[str, Any] = {}
            state = self.engine.begin()
        elif kind == "scenario":
            start = chance.pick(self._starts)
            state = self._begin(start)
        else:
            start = self._draw_start(chance)
            state = self._begin(start)
        return DrawnMatch(self.choice, seed, start, tuple(self._play(state, chance, sense, _WHOLE if not start else 1)))

    def _begin(self, start: Mapping[str, Any]) -> CompiledState:
        return self.engine.encode_state(begin(self.player, start))

    def _draw_start(self, chance: Chance) -> Mapping[str, Any]:
        """Return the start of a deal of a match under way, cards and all."""
        game, engine = self.engine.game, self.engine
        state, deals = engine.begin(), chance.below(_DEALS)
        given: dict[str, Json] | None = None
        for _ in range(_BEFORE):
            if game.start.phase == state.PHASE:
                given = {
                    key: writer(game.state[name].type, game.deck)(engine.get(state, name))
                    for key, name in game.start.given.items()
                }
                deals -= 1
                if deals < 0:
                    break
            drawn = None if engine.over(state) else self.players.pick(state, chance)
            if drawn is None:
                break
            engine.play(state, drawn[1], drawn[0], drawn[2])
        if given is None:
            return {}
        before = self.player.start(given)
        while True:
            drawn = self.plain.pick(engine.encode_state(before), chance)
            if drawn is not None and drawn[0] == game.start.deal:
                break
        dealt = engine.write_act(drawn[0], drawn[2])[outside(drawn[0])]
        order = next(p.id for p in game.actions[game.start.deal].parameters if p.described)
        deal = dealt if isinstance(dealt, dict) else {outside(order): dealt}
        return {**given, **complete(self.player, before, deal)}

    def _play(self, state: CompiledState, chance: Chance, sense: int, deals: int) -> Iterator[SeatAct]:
        """Yield the acts of some deals."""
        game, left = self.engine.game, deals
        begun = game.start.phase != state.PHASE
        for _ in range(_LONGEST):
            if self.engine.over(state):
                return
            if begun and game.start.phase == state.PHASE:
                left -= 1
                if left == 0:
                    return
                begun = False
            drawn = self._pick(state, chance, sense)
            if drawn is None:
                return
            name, seat, values = drawn
            begun = begun or name == game.start.deal
            yield seat, self.engine.write_act(name, values)
            self.engine.play(state, seat, name, values)

    def _pick(self, state: CompiledState, chance: Chance, sense: int) -> CompiledAct | None:
        """Return an act of a beginner, or one without any sense."""
        odd = sense == 0 or (sense % 2 == 1 and chance.below(_ODD) == 0)
        return (self.plain if odd else self.players).pick(state, chance)


@keep_until_changed(maxsize=64)
def _drawer(setting: MatchSetting, choice: Choice) -> _Drawer:
    return _Drawer(setting, choice)
