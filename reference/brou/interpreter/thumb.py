"""A player by rule of thumb, for any game of tricks, by the values and the order of its rules.

It wins a trick that holds points, as cheaply as it can; gives them to a partner who wins; and otherwise throws the card
that counts and ranks least. It announces all that scores at once, and makes no act that costs its side at once.
Of cards it knows its own hand and the trick. What another act would score it finds by making it on a copy of the state:
where an act turns up a card that nobody has seen, it chooses as if it had seen that card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from brou.chance import Chance
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.codec import Json, read
from brou.language.skills import PLAY
from brou.language.types import Value

#: The words of the prelude that it asks about: who wins the trick so far and by which card, how high a card is in the
#: trick and by itself, and what it counts. A game that has no such word is played without what the word would tell.
WINNING, BEST, RATING, STRENGTH, PIPS, TABLE = "winning", "best_card", "rating", "strength", "pips", "table"

#: An act in wire form.
Act: TypeAlias = dict[str, Json]


class ThumbPlayer:
    """Chooses among the acts that are open to a seat; what the rule of thumb leaves open is drawn by chance."""

    def __init__(self, machine: Machine, chance: Chance) -> None:
        self._machine, self._chance = machine, chance

    def choose(self, state: State, seat: int, acts: Sequence[Act]) -> Act:
        """Return one of the acts that a seat may make, of which there is at least one."""
        plays = [act for act in acts if isinstance(act.get(PLAY), str)]
        others = [act for act in acts if act not in plays]
        tried = [(act, *self._try_out(state, seat, act)) for act in others]
        gain = max((gained for _, gained, _ in tried), default=0)
        if gain > 0:
            return next(act for act, gained, _ in tried if gained == gain)
        if plays:
            return self._play(state, seat, plays)
        # To pass changes less than to bid, and is as likely as all bids; of these the lower ones are likelier.
        modest = sorted(tried, key=lambda one: (one[1] < 0, one[2]))
        return next((act for act, _, _ in modest if self._chance.below(2)), modest[0][0])

    # Cards -----------------------------------------------------------------------------

    def _play(self, state: State, seat: int, plays: Sequence[Act]) -> Act:
        """Return the card that the rule of thumb lays."""
        tell = _TrickWords(self._machine, state)
        least = sorted(plays, key=lambda act: (tell.count(act[PLAY]), tell.rate(act[PLAY]), tell.rank(act[PLAY])))
        lying = tell.lying
        if not lying:
            return max(plays, key=lambda act: (tell.rank(act[PLAY]), -tell.count(act[PLAY])))
        last = len(lying) == self._machine.game.seats - 1
        if tell.is_won_by(self._side(seat)):
            # The partner's trick is filled once nobody can take it any more.
            kept = [act for act in least if not tell.wins(act[PLAY])] or least
            return max(kept, key=lambda act: tell.count(act[PLAY])) if last else kept[0]
        winners = [act for act in least if tell.wins(act[PLAY])]
        if winners and (tell.worth or not tell.counts or (last and tell.count(winners[-1][PLAY]))):
            return min(winners, key=lambda act: tell.rate(act[PLAY]))
        return next((act for act in least if not tell.wins(act[PLAY])), least[0])

    def _side(self, seat: int) -> Sequence[int]:
        return next(team for team in self._machine.game.teams if seat in team)

    # What scores -------------------------------------------------------------------------

    def _try_out(self, state: State, seat: int, act: Act) -> tuple[int, int]:
        """Return how far an act brings the side of a seat ahead at once, and how many values of a state it changes."""
        after = self._machine.act(state, seat, act)
        if isinstance(after, Refusal):
            return 0, len(state.values)
        before, then = (dict(self._list_figures(one, seat)) for one in (state, after))
        changed = sum(old != new for old, new in zip(state.values, after.values, strict=True))
        return sum(then[key] - before[key] for key in then if key in before), changed

    def _list_figures(self, state: State, seat: int) -> Iterator[tuple[str, int]]:
        """Yield how far the side of a seat is ahead in each figure of the score that every side has."""
        teams = self._machine.game.teams
        side = teams.index(tuple(self._side(seat)))
        for key, shown in self._machine.score(state).items():
            if not isinstance(shown, list) or any(type(one) is not int for one in shown):
                continue
            figures = [one for one in shown if isinstance(one, int)]
            if len(figures) == len(teams):
                yield key, figures[side] * (len(teams) - 1) - sum(figures[:side] + figures[side + 1 :])


class _TrickWords:
    """What the words of the rules say of the cards in a state."""

    def __init__(self, machine: Machine, state: State) -> None:
        self._machine, self._state = machine, state
        self.counts = PIPS in machine.game.attributes
        self._best = self._ask(BEST)
        self._high = 0 if self._best is None else self._ask(RATING, self._best)

    @property
    def lying(self) -> Sequence[Value]:
        """Return the cards that lie in the trick."""
        found = self._ask(TABLE)
        return sorted(found) if isinstance(found, frozenset) else ()

    @property
    def worth(self) -> int:
        """Return what the trick counts so far."""
        return sum(self._of_card(PIPS, card) for card in self.lying)

    def is_won_by(self, side: Sequence[int]) -> bool:
        """Say whether one of these seats wins the trick so far."""
        return self._ask(WINNING) in side

    def wins(self, card: Json) -> bool:
        """Say whether a card would win the trick as it lies."""
        return self.rate(card) > self._as_number(self._high)

    def rate(self, card: Json) -> int:
        """Return how high a card is in the trick."""
        return self._of_card(RATING, self._read(card))

    def rank(self, card: Json) -> int:
        """Return how high a card is by itself."""
        return self._of_card(STRENGTH, self._read(card))

    def count(self, card: Json) -> int:
        """Return what a card counts."""
        return self._of_card(PIPS, self._read(card))

    def _read(self, card: Json) -> Value:
        return read(self._machine.game.types["card"], card, self._machine.game.deck)

    def _of_card(self, word: str, card: Value) -> int:
        attribute = self._machine.game.attributes.get(word)
        return self._as_number(self._ask(word, card) if attribute is None else attribute.values[str(card)])

    def _ask(self, word: str, *given: Value) -> Value:
        if word not in self._machine.game.functions:
            return None
        return self._machine.evaluator.find_callable(word)(self._state.values, list(given))

    @staticmethod
    def _as_number(value: Value) -> int:
        return value if isinstance(value, int) else 0
