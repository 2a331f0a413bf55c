"""Values of a view or a score in words: every value by the type that the rules give it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeGuard

from brou import Json, Show
from brou.language.types import Array, Domain, Named, Option, Type
from brou_tools.situation.edition import Matter


class ValueTeller:
    """Puts shown values into the words of one book."""

    def __init__(self, matter: Matter) -> None:
        self.matter = matter
        self.words = matter.words
        self._score = {show.id: show for show in matter.game.score}
        self._counts = {len(matter.game.teams), matter.game.seats}
        self._view = {show.id: show for show in matter.game.view}

    @property
    def nothing(self) -> str:
        """Return the word for a missing value."""
        return self.words.frame("nothing")

    def seats(self, seats: Sequence[int]) -> str:
        """Return one seat, or several that play together."""
        *most, last = map(str, seats)
        listed = self.matter.say("and").join([", ".join(most), last] if most else [last])
        return self.matter.say("side" if len(seats) == 1 else "sides", seats=listed)

    def sides(self, many: int) -> list[str]:
        """Return the names of all teams, or of all seats if there are so many."""
        teams = self.matter.game.teams
        groups = teams if many == len(teams) else [(seat,) for seat in range(many)]
        return [self.seats(group) for group in groups]

    def list_figures(self, figures: Sequence[int]) -> str:
        """Return figures with whose they are."""
        told = zip(self.sides(len(figures)), map(self.words.number, figures), strict=True)
        return self.join(self.words.frame("is", what=side, value=figure) for side, figure in told)

    def join(self, parts: Iterable[str]) -> str:
        """Join parts with the word for "and"."""
        return self.words.frame("and").join(parts)

    def pair(self, name: str, value: str) -> str:
        """Return a field with its label."""
        return self.words.frame("is", what=self.field(name), value=value)

    def figures(self, figures: Sequence[int]) -> str:
        """Return figures in the order of teams or seats."""
        return " / ".join(map(self.words.number, figures))

    def field(self, name: str) -> str:
        """Return the name of a key of a view or a score."""
        return self.words.name("fields", name)

    def tell_score(self, name: str, value: Json) -> str:
        """Return a value of a score."""
        return self._tell_shown(self._score[name], value) if name in self._score else str(value)

    def tell_view(self, name: str, value: Json) -> str:
        """Return a value of a view."""
        if name == "phase":
            return self.words.name("phases", str(value))
        return self._tell_shown(self._view[name], value) if name in self._view else str(value)

    def _tell_shown(self, show: Show, value: Json) -> str:
        if value is None:
            return self.nothing
        if isinstance(value, dict) and show.fields:
            known = {field.id: field for field in show.fields}
            return ", ".join(self._tell_shown(known[key], item) for key, item in value.items() if key in known)
        if are_numbers(value) and not _people(show):
            return self.figures(value) if len(value) in self._counts else ", ".join(map(self.words.number, value))
        if show.inner is not None:
            if isinstance(value, list) and show.domain is not None:
                return self.join(self._tell_shown(show.inner, item) for item in value) or self.nothing
            return self._tell_shown(show.inner, value)
        return self._tell_typed(show.value.type, value) if show.value is not None else str(value)

    def _tell_typed(self, type_: Type, value: Json) -> str:
        match type_:
            case _ if value is None:
                return self.nothing
            case Option(inner):
                return self._tell_typed(inner, value)
            case Array(index, element) if isinstance(value, list):
                return self._array(index, element, value)
            case Domain(element) if isinstance(value, list):
                return self.join(self._tell_typed(element, item) for item in value) or self.nothing
            case Named(name="team") if isinstance(value, int):
                return self.seats(self.matter.game.teams[value])
            case Named(name="player") if isinstance(value, int):
                return self.seats([value])
        return self.words.plain(type_, value)

    def _array(self, index: Type, element: Type, value: list[Json]) -> str:
        told = [self._tell_typed(element, item) for item in value]
        if isinstance(index, Named) and index.name in ("team", "player"):
            sides = zip(self.sides(len(told)), told, strict=True)
            return self.join(self.words.frame("is", what=side, value=item) for side, item in sides)
        return ", ".join(told) or self.nothing


def are_numbers(value: Json) -> TypeGuard[list[int]]:
    """Say whether a value is a list of numbers and nothing else."""
    return isinstance(value, list) and all(type(item) is int for item in value)


def _people(show: Show) -> bool:
    """Say whether a shown value holds seats or teams, not figures."""
    while show.inner is not None:
        show = show.inner
    type_ = None if show.value is None else show.value.type
    while isinstance(type_, (Array, Domain, Option)):
        type_ = type_.inner if isinstance(type_, Option) else type_.element
    return isinstance(type_, Named) and type_.name in ("player", "team")
