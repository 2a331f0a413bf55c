"""What lowering need not do again: a record or expression is lowered once for all that it depends on.

Games of the same pack, seats, types and variables share a ground: their equal terms are one object. In a ground, what a
part of the rules comes to depends on the part itself, on the functions and tables that it calls, on those that these
call, on the numbers of the attributes that any of them asks for, and on the lists of numbers that there are in the data
if any of them is about lists of numbers; nothing else of a game is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar, cast

from brou.compiler.lower_kinds import Kinds
from brou.compiler.lowered import Term
from brou.dataclass import dataclass, fields, is_dataclass
from brou.errors import Place
from brou.language.recent import Recent
from brou.language.syntax import Game
from brou.language.tree import AttributeOf, Call, Expression, walk
from brou.language.types import Array, Domain, Numbers, Option, Type

_Made = TypeVar("_Made")

#: A ground with more terms than this is left, and the next game begins another.
_MOST_TERMS = 50_000


@dataclass(eq=False, frozen=True, slots=True)
class Closure:
    """Something that parts of rules depend on, a function with all that it depends on say: the same where it is so."""

    content: object


class Ground:
    """The terms and lowered parts that were made lately for games of one kind."""

    def __init__(self) -> None:
        #: Terms by what they are, and what was made of them.
        self.terms: dict[object, Term] = {}
        self.contents: dict[object, Closure] = {}
        self.closures: Recent[Closure] = Recent(maxsize=4096)
        self.made: Recent[object] = Recent(maxsize=32768)


class LoweringMemo:
    """The grounds that were lowered on lately, by what all games on one have in common."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop all grounds; the next lowering starts from scratch."""
        self._grounds: Recent[Ground] = Recent(maxsize=4)

    def ground(self, game: Game) -> Ground:
        """Return the ground of a game."""
        common = (
            game.deck.cards, tuple(game.deck.suits), tuple(game.deck.ranks), game.seats, game.teams,
            tuple(game.types.items()), tuple((name, variable.type) for name, variable in game.state.items()),
        )  # fmt: skip
        found = self._grounds.find(common)
        if found is None or len(found.terms) > _MOST_TERMS:
            return self._grounds.keep(Ground(), common)
        return found


class LoweringReuse:
    """Makes parts of one game, or takes them from its ground."""

    def __init__(self, game: Game, kinds: Kinds, ground: Ground) -> None:
        self._game = game
        self._kinds = kinds
        self._ground = ground
        self._closures: dict[str, Closure] = {}

    def once(self, part: object, make: Callable[[], _Made], *label: Hashable) -> _Made:
        """Return the memo's result of `make` for a part of the rules; the label names its kind and its other inputs."""
        depends = self._depends(part)
        found = self._ground.made.find(label, part, *depends)
        if found is None:
            found = self._ground.made.keep(make(), label, part, *depends)
        return cast(_Made, found)  # under one label one kind of thing is made

    def _depends(self, part: object) -> tuple[Closure, ...]:
        return tuple(map(self._closure, _names(part)))

    def _closure(self, name: str) -> Closure:
        if name not in self._closures:
            self._closures[name] = self._close(name)
        return self._closures[name]

    def _close(self, name: str) -> Closure:
        game, ground = self._game, self._ground
        if name == _NUMBERS:
            return ground.contents.setdefault(self._kinds.numbers, Closure(self._kinds.numbers))
        if name in game.attributes:
            numbers = tuple(game.attributes[name].values[card] for card in game.deck.cards)
            return ground.contents.setdefault(numbers, Closure(numbers))
        record = game.functions[name] if name in game.functions else game.tables[name]
        depends = self._depends(record)
        found = ground.closures.find("", record, *depends)
        return found or ground.closures.keep(Closure((record, depends)), "", record, *depends)


#: What stands for the lists of numbers in the data.
_NUMBERS = ""
#: The names that parts of rules ask for, lately.
_LATELY: Recent[tuple[str, ...]] = Recent(maxsize=32768)


def _names(part: object) -> tuple[str, ...]:
    """Return the names of what a part of the rules depends on beside itself, in alphabetical order."""
    found = _LATELY.find("", part)
    return _LATELY.keep(tuple(sorted(set(_find_names(part)))), "", part) if found is None else found


def _find_names(part: object) -> Iterator[str]:
    if isinstance(part, Expression):
        for one in walk(part):
            if isinstance(one, (Call, AttributeOf)):
                yield one.name
            yield from _find_names(one.type)
    elif isinstance(part, tuple):
        for item in part:
            yield from _find_names(item)
    elif isinstance(part, Type):
        if _holds_numbers(part):
            yield _NUMBERS
    elif is_dataclass(part) and not isinstance(part, Place):
        for field in fields(part):
            yield from _find_names(getattr(part, field.name))


def _holds_numbers(type_: Type) -> bool:
    """Say whether values of a type are lists of numbers, or hold some."""
    match type_:
        case Option(inner):
            return _holds_numbers(inner)
        case Array(_, element) | Domain(element):
            return _holds_numbers(element)
    return isinstance(type_, Numbers)
