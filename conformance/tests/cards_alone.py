"""Which cards may be played, in five games: a program that knows nothing else, as its author would write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

#: What is on the table: hand, cards of the trick in their order, suit of trumps.
Valid = Callable[[list[str], list[str], "str | None"], list[str]]

_BROUC = "789JQKTA"
_HIGHEST = 20


def valid_in_brouc(hand: list[str], trick: list[str], trump: str | None) -> list[str]:
    """Follow plain suits; rise on trumps, discard freely, and mix in the marriage that a trick completes."""
    if not trick:
        return hand
    following = [card for card in hand if card[1] == trick[0][1]]
    if following and trick[0][1] != trump:
        return following
    plain = [] if following else [card for card in hand if card[1] != trump]
    trumps = [card for card in hand if card[1] == trump]
    lying = [_BROUC.index(card[0]) for card in trick if card[1] == trump]
    rising = [card for card in trumps if all(_BROUC.index(card[0]) > height for height in lying)]
    if plain:
        return plain + rising
    pair = {f"K{trump}", f"Q{trump}"}
    wedded = [card for card in trumps if card[0] in "KQJ" and pair <= {*trick, card}]
    return list(dict.fromkeys([*rising, *wedded])) if rising else trumps


def valid_in_homme_de_brou(hand: list[str], trick: list[str], trump: str | None) -> list[str]:  # noqa: ARG001 - one form
    """Follow suit, else play what you like."""
    return [card for card in hand if trick and card[1] == trick[0][1]] or hand


def valid_in_brusquembille(hand: list[str], trick: list[str], trump: str | None) -> list[str]:  # noqa: ARG001 - one form
    """Play what you like."""
    return hand


def valid_in_auvergne(hand: list[str], trick: list[str], trump: str | None) -> list[str]:
    """Follow suit, else trump, else play what you like."""
    following = [card for card in hand if trick and card[1] == trick[0][1]]
    return following or [card for card in hand if trick and card[1] == trump] or hand


def valid_in_hombre(hand: list[str], trick: list[str], trump: str | None) -> list[str]:
    """Follow suit, trumps with the black aces; a matador may be held back unless a higher one was led."""
    if not trick:
        return hand
    matadors = [] if trump is None else ["AC", ("7" if trump in "HD" else "2") + trump, "AS"]
    forces = {card: _HIGHEST + place for place, card in enumerate(matadors)}

    def is_trump(card: str) -> bool:
        return card in forces or card[1] == trump

    led = trick[0]
    if not is_trump(led):
        return [card for card in hand if card[1] == led[1] and not is_trump(card)] or hand
    trumps = [card for card in hand if is_trump(card)]
    held_back = all(card in forces and forces[card] > forces.get(led, 0) for card in trumps)
    return hand if held_back else trumps


VALID: Mapping[str, Valid] = {
    "brouc": valid_in_brouc,
    "brusquembille": valid_in_brusquembille,
    "hombre": valid_in_hombre,
    "homme-d-auvergne": valid_in_auvergne,
    "homme-de-brou": valid_in_homme_de_brou,
}


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results of a request for one position."""
    position = request["start"]["position"]
    trick = [laid["card"] for laid in position["trick"]]
    cards = VALID[request["game"]](position["hand"], trick, position["trump"])
    return {"results": [{"legal": {"play": cards}} for _ in request["steps"]]}
