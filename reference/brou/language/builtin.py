"""Built-in functions: signature, examples, meaning, and the terms that a call is compiled to.

Each built-in is one module of `brou.language.builtins`. The compiler hands it `Core` to build terms with, so a built-in
does not know the compiler; of the terms that go in and out it knows nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Literal

from brou.dataclass import dataclass
from brou.language.copies import is_copy
from brou.language.making import Core, Meaning, Part
from brou.language.types import UNBOUNDED, Cards, Domain, Named, Numbers, Pile, Type, Value, as_number


@dataclass(frozen=True, slots=True)
class World:
    """What built-ins may know of a game: its seats, teams and pack."""

    seats: int
    teams: tuple[tuple[int, ...], ...]
    cards: tuple[str, ...]
    types: Mapping[str, Type]

    @property
    def has_copies(self) -> bool:
        """Say whether there are several of each card, which nobody can tell apart."""
        return any(map(is_copy, self.cards))

    def team_of(self, player: int) -> int:
        """Return the team that a seat belongs to."""
        return next(number for number, seats in enumerate(self.teams) if player in seats)


@dataclass(frozen=True, slots=True)
class Use:
    """One call in the rules of a game: the game, the types of the arguments, and the type of the result."""

    world: World
    takes: tuple[Type, ...]
    gives: Type


@dataclass(frozen=True, slots=True)
class Example:
    """What a built-in gives for some values, by hand: types or their names, the values, what they give.

    `edge` says of which boundary it is an example; `world` is another game than the made-up one, if it needs one.
    """

    takes: tuple[Type | str, ...]
    given: tuple[Value, ...]
    gives: Value
    edge: str = ""
    world: World | None = None


# Built-ins ------------------------------------------------------------------------------------------------------------


class Builtin(ABC):
    """One built-in function; it is total on its argument types."""

    @property
    @abstractmethod
    def form(self) -> str:
        """How it is called: `next(player)`."""

    @property
    @abstractmethod
    def says(self) -> str:
        """The result, in the words of docs/language.md."""

    @property
    @abstractmethod
    def shown(self) -> str:
        """A call in the whole game of docs/language.md, with a seat `me` and a card `c`."""

    @property
    @abstractmethod
    def examples(self) -> Sequence[Example]:
        """Values with what they give; at least two, and one of them of a boundary."""

    @abstractmethod
    def signature(self, world: World, types: Sequence[Type]) -> Type | None:
        """Return the result type for some argument types, or None where they do not fit."""

    @abstractmethod
    def meaning(self, world: World) -> Meaning:
        """Return the function that computes the result, as the interpreter calls it."""

    @abstractmethod
    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return the term that a call is compiled to."""

    @property
    def name(self) -> str:
        """Return the name of the function."""
        return self.form.partition("(")[0]

    @property
    def row(self) -> str:
        """Return its row in docs/language.md."""
        return f"| `{self.form}` | {self.says} | `{self.shown}` |"


class Tabled(Builtin):
    """A built-in of one seat or one team, compiled to a table of its results (`brou.compiler.constants`).

    A result is a number, a seat, a team, or several of them in order.
    """

    @property
    @abstractmethod
    def of(self) -> Literal["player", "team"]:
        """Return the type of the argument."""

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Return the core form: a look-up in the table of results, by the seat or team."""
        return make.lookup(use.gives, self.name, parts[0])

    def table(self, world: World) -> tuple[int | tuple[int, ...], ...]:
        """Return the result for each seat or team."""
        given = map(self.meaning(world), range(world.seats if self.of == "player" else len(world.teams)))
        return tuple(tuple(map(as_number, one)) if isinstance(one, tuple) else as_number(one) for one in given)


class Described(Builtin):
    """A built-in whose values are described and never listed: a parameter's domain, and no value of an expression."""

    def core(self, make: Core[Part], use: Use, parts: Sequence[Part]) -> Part:
        """Give up: an action reads the description itself."""
        make.refuse(f"{self.name}: its values are described and never listed")


def fitting(world: World, types: Sequence[Type], *takes: str, gives: str) -> Type | None:
    """Return the type of a name if some types are just those of other names."""
    return world.types[gives] if list(types) == [world.types[name] for name in takes] else None


def size_of(world: World, types: Sequence[Type]) -> int | None:
    """Return how many members the only argument can have, if it is one that has members."""
    match types:
        case [Cards() | Pile()]:
            return len(world.cards)
        case [Numbers()]:
            return UNBOUNDED
        case [Domain(size=size)]:
            return size
    return None


# The registry ---------------------------------------------------------------------------------------------------------


class Registry(MutableMapping[str, Builtin]):
    """The built-ins of a package by name: each of its modules holds one, of the same name, read when it is needed."""

    def __init__(self, package: str, path: Iterable[str]) -> None:
        self._package = package
        self._read: dict[str, Builtin | None] = dict.fromkeys(sorted(name for one in path for name in _modules(one)))

    def __getitem__(self, name: str) -> Builtin:
        found = self._read[name]
        if found is None:
            found = self._read[name] = self._find(name)
        return found

    def _find(self, name: str) -> Builtin:
        whole = f"{self._package}.{name}"
        held = [one for one in vars(import_module(whole)).values() if isinstance(one, Builtin)]
        if [one.name for one in held] != [name]:
            names = ", ".join(one.name for one in held) or "none"
            raise TypeError(f"{whole} holds {names}; it is to hold one built-in, {name!r}")
        return held[0]

    def __setitem__(self, name: str, builtin: Builtin) -> None:
        self._read[name] = builtin

    def __delitem__(self, name: str) -> None:
        del self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)


def _modules(folder: str) -> Iterable[str]:
    """Return the names of the modules in a folder."""
    if Path(folder).is_dir():
        files = (path.name.partition(".") for path in Path(folder).iterdir())
        return {stem for stem, _, rest in files if rest in _MODULES} - _ALL
    import pkgutil  # noqa: PLC0415 - only in an archive; it imports `inspect`

    return [module.name for module in pkgutil.iter_modules([folder])]


#: What files of modules end with, as text or compiled, and the one that is no built-in.
_MODULES, _ALL = ("py", "pyc"), {"__init__"}


# The game of the examples ---------------------------------------------------------------------------------------------


def made_up(seats: int, teams: Sequence[Sequence[int]], without: Sequence[str] = ()) -> World:
    """Return a made-up game of two suits and three ranks, from which cards may be left out."""
    suits, ranks = ("M", "R"), ("E", "W", "O")
    cards = tuple(rank + suit for suit in suits for rank in ranks if rank + suit not in without)
    members: dict[str, Sequence[str | int]] = {
        "player": range(seats), "team": range(len(teams)), "suit": suits, "rank": ranks, "card": cards,
    }  # fmt: skip
    types: dict[str, Type] = {name: Named(name, tuple(those)) for name, those in members.items()}
    return World(seats, tuple(map(tuple, teams)), cards, types)


#: The game of all examples that name no other: four seats in two teams, and the cards EM WM OM ER WR OR.
MADE_UP = made_up(4, [[0, 2], [1, 3]])
