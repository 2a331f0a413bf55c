"""Faults of cards: another notation, or letters exchanged on one of both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations

from brou import Game
from brou_conformance.smoke.findings import AdapterCheck, ProtocolPassage
from brou_conformance.smoke.suspects import (
    ExaminedSetup,
    Suspect,
    ask_under,
    new_names,
    retell,
    told_names,
)
from brou_conformance.smoke.translatable import join, say

_SIGNS = "♠♥♦♣"


def notations(game: Game) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield other ways to write the cards of a pack, each by its sentence and with the word for every card and suit."""
    ranks, suits = game.deck.ranks, game.deck.suits
    cards = {card: (card[:-1], card[-1]) for card in game.deck.cards}
    yield "suit_first", {card: suit + rank for card, (rank, suit) in cards.items()}
    lower = {word: word.lower() for word in (*cards, *suits)}
    yield "small_letters", lower
    number = {rank: str(place) for rank, place in _number_ranks(game) if len(str(place)) > 1 and not rank.isdecimal()}
    if number:
        yield "two_digits", {card: number.get(rank, rank) + suit for card, (rank, suit) in cards.items()}
    small = {card: rank + suit.lower() for card, (rank, suit) in cards.items()}
    yield "small_suits", {**small, **{suit: suit.lower() for suit in suits}}
    if len(suits) == len(_SIGNS):
        signs = dict(zip(suits, _SIGNS, strict=True))
        yield "suit_signs", {**{card: rank + signs[suit] for card, (rank, suit) in cards.items()}, **signs}
        yield (
            "suit_signs_first",
            {
                **{card: signs[suit] + rank for card, (rank, suit) in cards.items()},
                **signs,
            },
        )
    yield (
        "full_names",
        {
            **{card: f"{ranks[rank]} of {suits[suit]}" for card, (rank, suit) in cards.items()},
            **suits,
        },
    )
    yield "full_suits", dict(suits)
    yield "by_number", {card: str(place) for place, card in enumerate(cards)}


def _number_ranks(game: Game) -> Iterator[tuple[str, int]]:
    """Yield the ranks with the number that follows those below them, where a rank stands just above a number."""
    numbers = [int(rank) for rank in game.deck.ranks if rank.isdecimal()]
    ranks = list(game.deck.ranks)
    for place, rank in enumerate(ranks[:-1]):
        following = ranks[place + 1]
        if following.isdecimal() and int(following) == max(numbers):
            yield rank, int(following) + 1


def give_example(words: Mapping[str, str]) -> str:
    """Return a card with its word in another notation."""
    return next(say("in_place_of", word=word, card=card) for card, word in words.items() if word != card)


def list_notations(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield programs that tell cards in another notation."""
    for name, words in notations(table.game):
        cause = say("told_notation", notation=say(name), example=give_example(words))
        yield Suspect(
            AdapterCheck.CARDS,
            cause,
            ProtocolPassage.CARDS,
            retell(table, told_names(table, words=words)),
            by_name=True,
        )


def list_suits(table: ExaminedSetup) -> Iterator[Suspect]:
    """Yield programs that exchange suits or ranks on one of both ways."""
    deck = table.game.deck
    for order in permutations(deck.suits):
        suits = dict(zip(deck.suits, order, strict=True))
        words = {**suits, **{card: card[:-1] + suits[card[-1]] for card in deck.cards}}
        yield from _suspect_exchange(table, words, suits)
    ranks = list(deck.ranks)
    for number, one in enumerate(ranks):
        for other in ranks[number + 1 :]:
            swapped = {**{rank: rank for rank in ranks}, one: other, other: one}
            yield from _suspect_exchange(table, {card: swapped[card[:-1]] + card[-1] for card in deck.cards}, swapped)


def _suspect_exchange(table: ExaminedSetup, words: Mapping[str, str], letters: Mapping[str, str]) -> Iterator[Suspect]:
    changed = join(" ", (say("in_place_of", word=new, card=old) for old, new in letters.items() if old != new))
    if not changed:
        return
    cause = say("exchanged", changed=changed)
    yield Suspect(
        AdapterCheck.CARDS, cause, ProtocolPassage.CARDS, retell(table, told_names(table, words=words)), by_name=True
    )
    if set(words.values()) >= set(table.game.deck.cards):
        names = new_names(table, words=words)
        yield Suspect(AdapterCheck.CARDS, cause, ProtocolPassage.CARDS, ask_under(table, names, table.same))
