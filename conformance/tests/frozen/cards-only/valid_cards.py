"""A program that knows one thing of Brouc: which cards may be played."""

from __future__ import annotations

ORDER = "789JQKTA"


def valid_cards(hand: list[str], trick: list[str], trump: str) -> list[str]:
    """Return the cards of a hand that may be played to the cards on the table."""
    if not trick:
        return hand
    led = trick[0][1]
    following = [card for card in hand if card[1] == led]
    if following and led != trump:
        return following
    plain = [] if following else [card for card in hand if card[1] != trump]
    trumps = [card for card in hand if card[1] == trump]
    rising = [card for card in trumps if rises(card, trick, trump)]
    if plain:
        return plain + rising
    return rising + [card for card in trumps if rising and card not in rising and freed(card, trick, trump)] or trumps


def rises(card: str, trick: list[str], trump: str) -> bool:
    """Say whether a trump beats every trump that lies in the trick."""
    return all(ORDER.index(card[0]) > ORDER.index(other[0]) for other in trick if other[1] == trump)


def freed(card: str, trick: list[str], trump: str) -> bool:
    """Say whether a trump is part of a marriage of trumps that is complete with it in the trick."""
    lying = {*trick, card}
    return card[0] in "KQJ" and {"K" + trump, "Q" + trump} <= lying
