"""The constant tables of a game: the suits and ranks of cards, the numbers they carry, the order of seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import or_

from brou.compiler.lowered import Constant, Kind, Value
from brou.language.builtin import Tabled, World
from brou.language.builtins import BUILTINS
from brou.language.syntax import Game
from brou.language.types import Domain, Int, Named, Type, finite


def constants(game: Game) -> Iterable[Constant]:
    """Yield all constant tables of a game.

    Each attribute has the numbers of the cards, and as `..._from` for each number the set of the cards that reach it,
    from the least number on, unless there are too many between the least and the greatest. Suits and ranks have their
    sets, with the empty one at the end, where the place of an absent suit leads.
    """
    yield from _list_card_constants(game)
    cards = game.deck.cards
    for name, attribute in game.attributes.items():
        numbers = [attribute.values[card] for card in cards]
        yield Constant(name, Kind("number", min(numbers), max(numbers)), by_card=True, values=tuple(numbers))
        between = finite(Int(min(numbers), max(numbers)))
        if between is not None:
            sets = Counter[int]()
            for place, number in enumerate(numbers):
                sets[number] |= 1 << place
            reached = accumulate((sets[int(number)] for number in reversed(between)), or_, initial=0)
            yield Constant(f"{name}_from", Kind("set"), by_card=False, values=tuple(reached)[::-1])
    yield from _list_seat_constants(game)


def reaching(numbers: Sequence[Value], least: int) -> int:
    """Return the set of the cards whose number, of those in the order of the pack, is at least so much."""
    return sum(1 << place for place, number in enumerate(numbers) if isinstance(number, int) and number >= least)


def _list_card_constants(game: Game) -> Iterable[Constant]:
    """Yield the suit and the rank of each card, the sets of equal ones, and the card of each rank and suit."""
    cards = game.deck.cards
    suits, ranks = list(game.deck.suits), list(game.deck.ranks)
    place = {card: number for number, card in enumerate(cards)}
    for name, codes, code_of in (("suit", suits, 1), ("rank", ranks, 0)):
        kind = Kind("index", 0, len(codes) - 1)
        yield Constant(name, kind, by_card=True, values=tuple(codes.index(card[code_of]) for card in cards))
        masks = [sum(1 << place[card] for card in cards if card[code_of] == code) for code in codes]
        yield Constant(f"{name}_set", Kind("set"), by_card=False, values=(*masks, 0))
    codes = [rank + suit for rank in ranks for suit in suits]
    kind = Kind("card", optional=any(code not in place for code in codes))
    yield Constant("card", kind, by_card=False, values=tuple(1 << place[c] if c in place else 0 for c in codes))


def _list_seat_constants(game: Game) -> Iterable[Constant]:
    """Yield what each built-in of a seat or of a team gives for each."""
    world = World(game.seats, game.teams, game.deck.cards, game.types)
    for builtin in BUILTINS.values():
        if isinstance(builtin, Tabled):
            gives = builtin.signature(world, [world.types[builtin.of]])
            yield Constant(builtin.name, _kind(gives), by_card=False, values=builtin.table(world))


def _kind(gives: Type | None) -> Kind:
    """Return the kind of the results in the table of a built-in: numbers, values of a named type by place, or lists."""
    match gives:
        case Int(low, high):
            return Kind("number", low, high)
        case Named(members=members):
            return Kind("index", 0, len(members) - 1)
        case Domain(element, size):
            return Kind("list", element=_kind(element), most=size)
    raise TypeError(f"a table of {gives}")
