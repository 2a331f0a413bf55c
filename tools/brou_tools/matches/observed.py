"""What somebody chose in recorded games, and what else there was to choose: the evidence that conduct is fitted to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from brou import BrouError, Choice, CompiledState, Fault, Json, Malformed, Node, Refusal, begin, outside, writer
from brou.answers import RecordReplay
from brou.compiler import Counting, expand_offer
from brou.games.record import GameRecord
from brou_conformance.played.reading import LoggedGame, PlayedDeal, PlayedLog, SeenStep
from brou_conformance.played.worlds import list_worlds
from brou_tools.matches.policy import Players

#: An act and what the conduct has it weigh.
Weighed: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class ObservedChoice:
    """A moment at which acts of several weights were offered: the weight of each kind in all, and the choice."""

    offered: tuple[tuple[Weighed, int], ...]
    chosen: Weighed


@dataclass(slots=True)
class ObservedGames:
    """The decisions of some games, each with how often it was met."""

    decisions: Counter[ObservedChoice] = field(default_factory=Counter)
    games: int = 0
    deals: int = 0
    #: Deals that were left out, because nobody knows all cards of them or how they began.
    unknown: int = 0
    #: By act how often it was done where the conduct gives it no weight.
    unexpected: Counter[str] = field(default_factory=Counter)


def observe_log(log: PlayedLog, acts: Mapping[str, Node]) -> ObservedGames:
    """Return what the games of a log show of the conduct of one game; raise `Malformed` for what cannot be played."""
    found, players = ObservedGames(), dict[Choice, Players]()
    for game in log.games:
        if game.choice not in players:
            players[game.choice] = Players(game.choice, acts)
        _GameObserver(game, players[game.choice], found).observe()
    return found


class _GameObserver:
    """Plays one game again, as it was played, and notes its choices."""

    def __init__(self, game: LoggedGame, players: Players, found: ObservedGames) -> None:
        self._game, self._players, self._found = game, players, found
        self._engine = players.engine
        self._machine = players.engine.machine
        self._given = {key: value for key, value in game.start.items() if key in self._machine.game.start.given}

    def observe(self) -> None:
        self._found.games += 1
        for place, deal in enumerate(self._game.deals):
            state = self._begin(deal)
            if state is None:
                self._found.unknown += 1
            else:
                self._found.deals += 1
                self._given = self._stand(self._follow(state, deal))
            self._given |= {key: deal.written[key] for key in self._machine.game.start.given if key in deal.written}
            if state is None and not deal.written:
                self._found.unknown += len(self._game.deals) - place - 1
                return

    def _begin(self, deal: PlayedDeal) -> CompiledState | None:
        """Return the state in which a deal begins; None where not all cards are known."""
        try:
            possible = list_worlds(self._machine, self._given, deal)
            if possible.filler is not None:
                return None
            return self._engine.encode_state(begin(self._machine, possible.starts[0]))
        except BrouError as error:
            fault = Fault(deal.place, f"deal {deal.id}: {error}", "write the deal as it was played")
            raise Malformed([fault]) from error

    def _follow(self, state: CompiledState, deal: PlayedDeal) -> CompiledState:
        """Return the state behind a deal, once it has been written down if that is to be done."""
        for step in deal.steps:
            if "act" in step.message and "ok" in step.said:
                state = self._make(state, step)
        record = GameRecord("", "", (), {}, (), self._game.place)
        writing = RecordReplay(record, self._machine).writing(self._engine.decode_state(state))
        if writing is not None:
            self._engine.play(state, writing[0], writing[1].id, ())
        return state

    def _make(self, state: CompiledState, step: SeenStep) -> CompiledState:
        seat, act = step.message["by"], step.message["act"]
        after = self._engine.act(state, seat, act)
        if isinstance(after, Refusal):
            what = f"the rules refuse {next(iter(act))!r} of seat {seat}"
            raise Malformed([Fault(step.place, what, "judge the log first: brou verify --games FILE")])
        self._note(state, seat, act)
        return after

    def _note(self, state: CompiledState, seat: int, act: Mapping[str, Any]) -> None:
        if self._machine.game.start.phase == state.PHASE:  # a log tells of a deal, not of how it came about
            return
        total, acts = self._engine.weighing(self._players.weights)[state.PHASE](state)
        if not total:  # then everything counts alike, and says nothing of the weights
            return
        chosen = self._find_weight(acts, seat, act)
        if chosen is None:
            self._found.unexpected[next(iter(act))] += 1
            return
        offered: Counter[Weighed] = Counter()
        for size, weight, name, *_ in acts:
            offered[name, weight] += size
        if len(offered) > 1:
            self._found.decisions[ObservedChoice(tuple(sorted(offered.items())), chosen)] += 1

    def _find_weight(self, acts: Sequence[Counting], seat: int, act: Mapping[str, Any]) -> Weighed | None:
        """Return the act that was made and its weight; None where it has none."""
        for _, weight, name, by, values, cards in acts:
            if by != seat or outside(name) not in act:
                continue
            if values is None or any(self._engine.write_act(name, one) == act for one in expand_offer(values, cards)):
                return name, weight
        return None

    def _stand(self, state: CompiledState) -> dict[str, Json]:
        game, known = self._machine.game, self._engine.decode_state(state)
        return {
            key: writer(game.state[name].type, game.deck)(self._machine.get(known, name))
            for key, name in game.start.given.items()
        }
