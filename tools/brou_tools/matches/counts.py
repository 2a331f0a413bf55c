"""Headline figures: the definitions in `conduct.yaml`, evaluated on states, added up and named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from brou import ORIGINAL, Compiled, CompiledState, Folder, Game, glossary, prose
from brou.compiler import Word, lowering
from brou.language.types import Named, list_values
from brou_tools.matches.policy import HeadlineFigure

#: What is counted: where it was seen (acts, score, view or match; of what is told first, its id) and its name.
Key = tuple[str, str]


@dataclass
class Sums:
    """Sums over matches of a value and of its square and its product with the number of deals."""

    value: float = 0
    square: float = 0
    product: float = 0
    share: bool = True

    def add(self, value: float, deals: int) -> None:
        """Add one match."""
        self.value += value
        self.square += value * value
        self.product += value * deals

    def merge(self, other: Sums) -> None:
        """Add other matches."""
        self.value += other.value
        self.square += other.square
        self.product += other.product
        self.share = self.share and other.share

    def list_words(self) -> list[float | bool]:
        """Return the sums in the order in which they are given; `astuple` copies each and takes ten times as long."""
        return [self.value, self.square, self.product, self.share]


@dataclass
class CaseSums:
    """Sums over matches of a value, with the number of cases in each match in place of that of its deals."""

    sums: Sums
    count: int = 0
    squared: int = 0

    def add(self, value: float, cases: int) -> None:
        """Add one match."""
        self.sums.add(value, cases)
        self.count += cases
        self.squared += cases * cases

    def merge(self, other: CaseSums) -> None:
        """Add other matches."""
        self.sums.merge(other.sums)
        self.count += other.count
        self.squared += other.squared


@dataclass(frozen=True, slots=True)
class Figured:
    """A figure that can be evaluated on states, one for each value of its list if it has one."""

    telling: HeadlineFigure
    key: Key
    among: Callable[..., int] | None
    counted: Callable[..., int]
    given: tuple[Word, ...]

    def concerns(self, state: CompiledState) -> bool:
        """Say whether a state is one of those that are counted."""
        return self.among is None or bool(self.among(state, *self.given))

    def value(self, state: CompiledState) -> int:
        """Return the value of the figure in a state, 1 or 0 for a share."""
        return int(self.counted(state, *self.given))


def compile_figures(engine: Compiled, tellings: Sequence[HeadlineFigure]) -> list[Figured]:
    """Return the figures of a compiled rule base to which their functions were added."""
    return [figure for telling in tellings for figure in _figures(engine, telling)]


def _figures(engine: Compiled, telling: HeadlineFigure) -> Iterator[Figured]:
    counted = engine.ask_number(f"told_{telling.id}")
    among = engine.ask_number(f"among_{telling.id}") if telling.when is not None else None
    type_ = telling.type_in(engine.game)
    for member in list_members(engine.game, telling):
        given = () if type_ is None else (lowering(type_, engine.game.deck)(member),)
        yield Figured(telling, make_key(telling, member), among, counted, given)


def make_key(telling: HeadlineFigure, member: str | int | None) -> Key:
    """Return the key of a figure, for one value of its list if it has one."""
    return telling.id, "" if member is None else str(member)


def list_members(game: Game, telling: HeadlineFigure) -> tuple[str | int | None, ...]:
    """Return the values that there is a figure for; one figure without any value where there is none for each."""
    type_ = telling.type_in(game)
    return (None,) if type_ is None else list_values(type_)


def name_figures(
    game: Game, tellings: Sequence[HeadlineFigure], lang: str = ORIGINAL, folder: Folder = None
) -> dict[Key, tuple[str, str]]:
    """Return by key the name of each figure in a language, and whether it is per deal or per match."""
    return {
        make_key(telling, member): (_label(game, telling, member, lang, folder), telling.per)
        for telling in tellings
        for member in list_members(game, telling)
    }


def _label(game: Game, telling: HeadlineFigure, member: str | int | None, lang: str, folder: Folder) -> str:
    said = prose(telling.say, game, lang, folder)
    if member is None:
        return said
    words, type_ = glossary(folder).of_pack(game.deck.suits, game.deck.ranks), telling.type_in(game)
    match type_:
        case Named(name="player"):
            value = words.frame("seat", lang, seat=str(member))
        case Named(name="team"):
            value = words.frame("team", lang, team=str(member))
        case Named(name="suit"):
            value = words.suit(str(member), lang)
        case Named(name="rank"):
            value = words.rank(str(member), lang)
        case _:
            value = words.name("values", str(member), lang, game.id)
    return words.frame("is", lang, what=said, value=words.language(lang).typeset(value))
