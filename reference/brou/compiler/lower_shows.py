"""Lowers the score, the view and the invariants.

As everywhere, expressions keep the order and the laziness of the language: a term that may crash is evaluated where the
interpreter evaluates it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from brou.compiler import lowered
from brou.compiler.cse import share
from brou.compiler.kinds import SET, number
from brou.compiler.lower_expressions import Expressions
from brou.compiler.lower_kinds import Env, cite, element_kind, places
from brou.language.syntax import Show
from brou.language.tree import Expression
from brou.language.types import Array, Domain, Named, Option, Type

#: The invariant of every game whose cards lie in zones.
CONSERVATION = "conservation"


class Shows:
    """Lowers what one game shows."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.terms = expressions.terms
        self.game = expressions.game

    def score(self) -> tuple[lowered.ShownKey, ...]:
        """Return the score, which is the same for everybody."""
        return self._keys(self.game.score, Env())

    def view(self) -> tuple[lowered.ShownKey, ...]:
        """Return the view of the seat `me`."""
        _, env = Env().bind(self.terms, "me", self.expressions.kinds.of(self.game.types["player"]))
        return self._keys(self.game.view, env)

    def _keys(self, shows: Sequence[Show], env: Env) -> tuple[lowered.ShownKey, ...]:
        return tuple(lowered.ShownKey(show.id, self._lower_show(show, env), cite(show)) for show in shows)

    def _lower_show(self, show: Show, env: Env) -> lowered.Shown:
        if show.seen is None:
            return self._lower_visible(show, env)
        test = self.expressions.term(show.seen, env)
        return lowered.Withheld(self._share(test, env), self._lower_visible(show, env.knowing(test)))

    def _lower_visible(self, show: Show, env: Env) -> lowered.Shown:
        """Lower an entry without its condition of visibility."""
        if show.value is not None:
            return self._value(show.value, env)
        if show.inner is None:
            return lowered.ShownRecord(self._keys(show.fields, env))
        if show.domain is not None:
            return self._list(show, show.inner, show.domain, env)
        if show.when is None:
            return self._lower_show(show.inner, env)
        test = self.expressions.term(show.when, env)
        return lowered.ShownOptional(self._share(test, env), self._lower_show(show.inner, env.knowing(test)))

    def _list(self, show: Show, inner: Show, over: Expression, env: Env) -> lowered.ShownList:
        domain = self.expressions.term(over, env)
        own, inside = env.bind(self.terms, show.each, element_kind(domain))
        test = self.terms.true if show.when is None else self.expressions.term(show.when, inside)
        shown = self._lower_show(inner, inside.knowing(test))
        return lowered.ShownList(own, self._share(domain, env), self._share(test, inside), shown, show.flat)

    def _value(self, expression: Expression, env: Env) -> lowered.ShownValue:
        kind = self.expressions.kinds.of(expression.type)
        return lowered.ShownValue(
            self._share(self.expressions.term(expression, env, kind), env), kind, find_members(expression.type)
        )

    def _share(self, term: lowered.Term, env: Env) -> lowered.Term:
        return share(self.terms, term, env.live, env.known)

    # Invariants ---------------------------------------------------------------

    def invariants(self) -> Iterator[lowered.Invariant]:
        """Yield the invariants of a game, and that no card is lost or doubled."""
        for name, condition in self.game.invariants.items():
            yield lowered.Invariant(name, self._share(self.expressions.term(condition, Env()), Env()))
        zones = [name for name, variable in self.game.state.items() if variable.zone]
        if zones:
            yield lowered.Invariant(CONSERVATION, self._share(self._test_conservation(zones), Env()))

    def _test_conservation(self, zones: Sequence[str]) -> lowered.Term:
        """Return whether the cards of all zones are the pack, each once, or none lies anywhere."""
        t = self.terms
        lying = [self._lying(name) for name in zones]
        count = reduce(t.add, (number_ for _, number_ in lying), t.count(0))
        cards = reduce(t.union, (cards for cards, _ in lying), t.nothing)
        whole = t.both(t.compare("==", count, t.count(t.cards)), t.compare("==", cards, t.pack))
        return t.either(t.compare("==", count, t.count(0)), whole)

    def _lying(self, zone: str) -> tuple[lowered.Term, lowered.Term]:
        """Return the cards that lie in a zone, and how many they are."""
        return self._inside(self.terms.make("state", self.expressions.kinds.of(self.game.state[zone].type), name=zone))

    def _inside(self, zone: lowered.Term) -> tuple[lowered.Term, lowered.Term]:
        """Return the cards that lie in a zone or an element of one, and how many they are."""
        t = self.terms
        match zone.kind.form:
            case "array":
                return self._within(zone)
            case "pile":
                return t.make("spread", SET, zone), t.length(zone)
        cards = t.as_set(zone)
        return cards, t.size(cards)

    def _within(self, row: lowered.Term) -> tuple[lowered.Term, lowered.Term]:
        """Return the cards that lie in any element of an array, and how many they are."""
        t, count = self.terms, places(row.kind.shape)
        place = number(0, count - 1)
        each = t.const(lowered.Kind("list", element=place), tuple(range(count)))
        inside = t.make("element", element_kind(row), row, t.local("place", place))
        cards, size = self._inside(inside)
        every = t.make("loop", SET, each, t.true, cards, name="union", bound="place")
        most = number(0, count * size.kind.high)
        return every, t.make("loop", most, each, t.true, size, name="sum", bound="place")


def find_members(type_: Type) -> str:
    """Return the type whose members' names the values of a type are made of, or nothing."""
    match type_:
        case Option(inner):
            return find_members(inner)
        case Array(_, element) | Domain(element):
            return find_members(element)
        case Named(name=name, members=members) if name != "card" and isinstance(members[0], str):
            return name
    return ""
