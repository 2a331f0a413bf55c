"""Replays a recorded game deal by deal: the rules carry out every entry and every act.

The first impossible step of a record ends it, with the objection of the rules and suggested corrections.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from brou.answers.history import History
from brou.answers.short_entry import Entering, Item, RefusedAct, Unenterable
from brou.dataclass import dataclass, field
from brou.errors import BadAct, BrouError, Crash, Impossible, Malformed
from brou.errors import Fault as Misspelt
from brou.games.record import COUNT, WRITTEN, Dealt, GameRecord, RecordedAct
from brou.interpreter.dealing import dealt, parts
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.codec import Json, outside, writer
from brou.language.effects import reset_scopes
from brou.language.syntax import Action, Game
from brou.reasons.reason import Acted, Happened, Noted, RoutineStep, Unlike

#: The step in which a deal is dealt.
DEAL = "deal"


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that a record tells, with the state after it."""

    deal: Dealt
    #: `act`, `entry`, `deal`, `count` or `written`.
    kind: str
    step: str
    before: State
    after: State
    told: RecordedAct | None = None
    item: Item | None = None


#: Why a record goes no further: what cannot be entered, an act that is refused, a figure that is another, any other
#: error; nothing where only the deal is not over.
Cause: TypeAlias = "Unenterable | RefusedAct | Unlike | BrouError | None"


class Stuck(Exception):
    """The first thing that cannot be: in which deal and step, and what the rules have against it."""

    def __init__(self, deal: Dealt | None, step: str, state: State | None, cause: Cause) -> None:
        self.deal, self.step, self.state, self.cause = deal, step, state, cause
        super().__init__(step)


@dataclass(slots=True)
class RecordReplay:
    """Goes through a record under one rule base."""

    record: GameRecord
    machine: Machine
    history: History | None = None
    state: State = field(init=False)
    entering: Entering = field(init=False)

    def __post_init__(self) -> None:
        self.entering = Entering(self.machine, self.history)

    def happenings(self) -> Iterator[Happening]:
        """Yield everything that the record tells, in its order; raise `Stuck` where it cannot be."""
        self.state = self.begin_game()
        for deal in self.record.deals:
            yield from self.replay_deal(deal)

    def begin_game(self) -> State:
        """Return where the game begins: at the start that is recorded, or where the rules begin."""
        self._begin("")
        first = self.record.deals[0]
        dealt_at_once = bool(first.deal) or first.short is not None
        try:
            if not self.record.start and (first.opening or not dealt_at_once):
                return self.machine.begin()
            given = {} if first.opening else parts(self.machine, first.deal)[0]
            return self.machine.start({**given, **self.record.start})
        except (Impossible, BadAct) as error:
            raise Stuck(None, "start", None, error) from error

    def upto(self, deal: Dealt) -> State:
        """Return where the game stands when a deal is about to be dealt or entered."""
        self.state = self.begin_game()
        for one in self.record.deals[: self.record.deals.index(deal)]:
            for _ in self.replay_deal(one):
                pass
        for told in deal.opening:
            self._act(deal, told)
        return self.state

    def _begin(self, step: str) -> None:
        if self.history is not None:
            self.history.begin(step)

    def replay_deal(self, deal: Dealt) -> Iterator[Happening]:
        """Yield what one deal tells, from the state in which the game stands."""
        if self.history is not None:
            self.history.prefix = f"{deal.id}."
        for told in deal.opening:
            yield self._act(deal, told)
        if deal.deal:
            yield self._dealt(deal)
        if deal.short is not None:
            yield from self._short(deal, deal.short)
        written = False
        for told in deal.steps:
            action = self.machine.game.actions.get(next(iter(told.act)).replace("-", "_"))
            if not written and action is not None and not action.parameters and reset_scopes(action.do):
                yield from self._count(deal)
                yield self._act(deal, told, "written")
                written = True
            else:
                yield self._act(deal, told)
        if not written:
            yield from self._count(deal)
            yield from self._goes_on(deal)
        self._compare(deal, WRITTEN)

    def _count(self, deal: Dealt) -> Iterator[Happening]:
        yield Happening(deal, "count", COUNT, self.state, self.state)
        self._compare(deal, COUNT)

    def _act(self, deal: Dealt, told: RecordedAct, kind: str = "act") -> Happening:
        before = self.state
        self._begin(told.step)
        try:
            after = self.machine.act(before, told.seat, told.act)
        except BadAct as error:
            raise Malformed([Misspelt(told.place, str(error))]) from error
        if isinstance(after, Refusal):
            raise Stuck(deal, told.step, before, RefusedAct(told.seat, told.act, after, before))
        self.state = after
        return Happening(deal, kind, told.step, before, after, told)

    def _encode_variable(self, state: State, variable: str) -> Json:
        """Return the value of a variable as records write it."""
        return writer(self.machine.game.state[variable].type, self.machine.game.deck)(self.machine.get(state, variable))

    def _dealt(self, deal: Dealt) -> Happening:
        before = self.state
        self._begin(DEAL)
        given, cards = parts(self.machine, deal.deal)
        start = self.machine.game.start
        for name, value in given.items():
            known = self._encode_variable(before, start.given[name]) if name in start.given else None
            if known != value:
                raise Stuck(deal, DEAL, before, Unlike(name, value, known))
        if before.phase != start.phase:
            raise Stuck(deal, DEAL, before, None)
        try:
            self.state = dealt(self.machine, before, cards)
        except (Impossible, BadAct) as error:
            raise Stuck(deal, DEAL, before, error) from error
        return Happening(deal, "deal", DEAL, before, self.state)

    def _short(self, deal: Dealt, short: Mapping[str, Json]) -> Iterator[Happening]:
        known = {outside(name) for name in self.machine.game.summary}
        for name, place in deal.entered.items():
            if name not in known:
                instead = f"entries are {', '.join(sorted(known))}" if known else "these rules have no short form"
                raise Malformed([Misspelt(place, f"unknown entry {name!r}", instead)])
        if self.state.phase != self.machine.game.start.phase:
            raise Stuck(deal, DEAL, self.state, None)
        try:
            for item in self.entering.items(short):
                before = self.state
                self.state = self.entering.enter(before, item)
                yield Happening(deal, "entry", item.step, before, self.state, item=item)
        except Unenterable as error:
            raise Stuck(deal, error.item.step if error.item else "short", self.state, error) from error
        if self.writing(self.state) is None:
            raise Stuck(deal, "short", self.state, None)

    def _goes_on(self, deal: Dealt) -> Iterator[Happening]:
        """Yield how a deal that is over is written to the accounts; the last deal of a record may be unfinished."""
        before = self.state
        found = self.writing(before)
        if found is None:
            if deal is not self.record.deals[-1]:
                raise Stuck(deal, WRITTEN, before, None)
            return
        self._begin(WRITTEN)
        if self.history is not None:
            self.history.touched |= {("phases", before.phase), ("actions", found[1].id)}
        after = self.machine.act(before, found[0], {outside(found[1].id): True})
        if isinstance(after, Refusal):
            raise Crash(f"{found[1].id} was open and is refused")
        self.state = after
        yield Happening(deal, "written", WRITTEN, before, after)

    def writing(self, state: State) -> tuple[int, Action] | None:
        """Return the act that writes a deal down and begins anew, without parameters, and a seat that may do it."""
        for name in self.machine.game.phases[state.phase].actions:
            action = self.machine.game.actions[name]
            if action.parameters or not reset_scopes(action.do):
                continue
            for seat in range(self.machine.game.seats):
                if outside(name) in self.machine.legal(state, seat):
                    return seat, action
        return None

    def _compare(self, deal: Dealt, when: str) -> None:
        score = self.machine.score(self.state)
        for name, figure in deal.sheet.get(when, {}).items():
            if name not in score:
                raise Malformed([Misspelt(deal.place, f"{when}: no figure {name!r}", f"there are {', '.join(score)}")])
            if score[name] != figure:
                raise Stuck(deal, when, self.state, Unlike(name, figure, score[name]))


# The route of a record -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordRoute:
    """A route through a record up to a step: before it if it is an act, after it if it is an entry or a figure."""

    record: GameRecord
    deal: str
    step: str

    def follow(self, machine: Machine, history: History) -> tuple[State, list[str]]:
        """Return where the record stands at the step."""
        settling, ends = RecordReplay(self.record, machine, history), list[str]()
        try:
            for one in settling.happenings():
                here = one.deal.id == self.deal and one.step == self.step
                if here and one.kind == "act":
                    return one.before, ends
                ends.append(f"{one.deal.id}.{one.step} ")
                if here:
                    return one.after, ends
        except Stuck as stuck:
            if stuck.deal is not None and stuck.state is not None and stuck.deal.id == self.deal:
                return stuck.state, [*ends, f"{stuck.deal.id}.{stuck.step} stuck"]
            where = f"deal {stuck.deal.id}, {stuck.step}" if stuck.deal else f"its {stuck.step}"
            raise Impossible(f"the record cannot be from {where} on; settle it (`brou score`) to see why") from stuck
        return settling.state, ends

    def steps(self, game: Game) -> Mapping[str, Happened]:
        """Return every act and entry."""
        return steps(self.record, game)


def steps(record: GameRecord, game: Game) -> dict[str, Happened]:
    """Return what happens at each step of a record."""
    found: dict[str, Happened] = {}
    for deal in record.deals:
        for told in (*deal.opening, *deal.steps):
            found[f"{deal.id}.{told.step}"] = Acted(told.seat, told.act)
        found[f"{deal.id}.{WRITTEN}"] = RoutineStep.WRITTEN
        found[f"{deal.id}.{DEAL}"] = RoutineStep.DEALT
        for name in game.summary:
            value = (deal.short or {}).get(outside(name), [])
            for number in range(1, len(value) + 1 if isinstance(value, list) else 1):
                found[f"{deal.id}.{outside(name)}.{number}"] = Noted(name)
            found[f"{deal.id}.{outside(name)}"] = Noted(name)
    return found
