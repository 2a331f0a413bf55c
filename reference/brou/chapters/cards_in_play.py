"""The cards of a game: of a pack of the prelude the ranks that a clause names, for all suits or for each its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from brou.chapters.decode import refuse
from brou.chapters.notation import PackForm
from brou.chapters.prelude_notation import CardsForm
from brou.chapters.tokens import Token, Tokens
from brou.errors import Place


def choose_cards(cards: CardsForm, pack: PackForm, place: Place) -> tuple[CardsForm, Tokens]:
    """Return a pack with the ranks that a clause names, and the cards that it goes without.

    Raises:
        Invalid: A rank is none of the pack, or ranks by suit leave a suit out.

    """
    written = None if pack.ranks is None else pack.ranks.content
    by_suit = _find_ranks(written, cards, place)
    for rank in pack.names:
        _check_rank(rank, cards, place)
    # A word has an order of its own; by suits ranks stand in the order of the pack.
    ranks = [rank for rank in cards.ranks if any(rank in used for used in by_suit.values())]
    ranks = written.split() if isinstance(written, Token) else ranks
    lacking = (Token.at(rank + suit, place) for suit, used in by_suit.items() for rank in ranks if rank not in used)
    names = {**cards.ranks, **pack.names}
    return structs.replace(cards, ranks={rank: names[rank] for rank in ranks}), Tokens([*pack.without, *lacking])


def _find_ranks(
    written: Token | Mapping[str, Token] | None, cards: CardsForm, place: Place
) -> Mapping[str, Sequence[str]]:
    """Return the ranks that each suit of a pack has."""
    every = " ".join(cards.suits)
    whole = written if written is not None else Token.at(" ".join(cards.ranks), place)
    given = whole if isinstance(whole, Mapping) else {every: whole}
    suits = [suit for key in given for suit in key.split()]
    if sorted(suits) != sorted(cards.suits):
        raise refuse(place, f"ranks by suit are not given for {every}", "name each suit of the pack once")
    for ranks in given.values():
        for rank in ranks.split():
            _check_rank(rank, cards, ranks.place)
    return {suit: ranks.split() for key, ranks in given.items() for suit in key.split()}


def _check_rank(rank: str, cards: CardsForm, place: Place) -> None:
    if rank not in cards.ranks:
        raise refuse(place, f"no rank {rank!r}", f"there are {' '.join(cards.ranks)}")
