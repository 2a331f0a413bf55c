"""The pictures of a rulebook: hands, tricks, slates, tokens, calls, each with its text in the language of the book."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from docutils import nodes

from brou import Json
from brou_tools.documents.nodes import make_drawing
from brou_tools.drawing.cards import Style, hand, size, trick
from brou_tools.drawing.ledger import Column, Purse, auction, slate, tokens
from brou_tools.drawing.seated import CARD_UNITS, draw_deal
from brou_tools.drawing.svg import Picture, group, number
from brou_tools.situation.examples import Laid
from brou_tools.situation.values import ValueTeller

#: How wide things are printed, in millimetres: a card of a hand, one of a trick, a slate, all calls; a unit of tokens.
CARD, TRICK, SLATE, CALLS, TOKEN = 12.5, 10.5, 46.0, 105.0, 0.26
#: All hands round a table at most, and a card of them.
DEAL, HELD = 105.0, 8.9
#: What is left round the cards of a trick, in units of the drawing.
_EDGE = 3
#: Where the upper left corner of a card is.
_PLACED = re.compile(r"^translate\((\S+) (\S+)\) scale\(1\)$")


class Pictures:
    """Draws for one book."""

    def __init__(self, telling: ValueTeller) -> None:
        self.telling = telling
        self.matter = telling.matter
        self.style = Style(telling.matter.lang, words=telling.matter.words.glossary)
        self.layout = telling.matter.layout

    def _card(self, card: str) -> str:
        return self.matter.words.glossary.card(card, self.matter.lang)

    def cards(self, cards: Sequence[str], said: str = "", width: float = CARD) -> nodes.Element:
        """Return cards side by side, with a caption."""
        drawn = hand(cards, self.style)
        told = ", ".join(map(self._card, cards))
        words = self.matter.say("lies", seat=said, card=told) if said else told
        one = hand(cards[:1], self.style)
        picture = replace(drawn, words=words)
        return make_drawing(picture, width * drawn.width / one.width, said[:1].upper() + said[1:])

    def deal(self, hands: Mapping[int, Sequence[str]], turnup: str) -> nodes.Element:
        """Return all hands round the table, each with its seat, the card turned up or the stock in the middle."""
        seats = [self.telling.seats([seat]) for seat in range(self.matter.game.seats)]
        drawn = draw_deal(hands, [seat[:1].upper() + seat[1:] for seat in seats], turnup, self.style)
        return make_drawing(drawn, min(DEAL, HELD * drawn.width / CARD_UNITS))

    def trick(self, laid: Laid, seats: int, width: float = TRICK) -> nodes.Element:
        """Return a trick, its cards of a width, with its number and winner below."""
        drawn = _tight(trick(laid.cards, seats, self.style, winner=laid.winner))
        told = self.telling.join(
            self.matter.say("lies", seat=self.telling.seats([seat]), card=self._card(card)) for seat, card in laid.cards
        )
        said = self.matter.say("open_trick" if laid.winner is None else "trick_number", number=str(laid.number))
        if laid.winner is not None:
            won = self.matter.say("wins", seat=self.telling.seats([laid.winner]))
            told = self.telling.join([told, won])
            said = self.matter.words.frame("is", what=said, value=won)
        return make_drawing(replace(drawn, words=told), width * drawn.width / size()[0], said)

    def ledger(self, scores: Sequence[Mapping[str, Any]]) -> nodes.Element | None:
        """Return the accounts of some moments as the table keeps them; the last moment is the present one."""
        kept = self.layout.get("ledger")
        if kept is None:
            return None
        histories = [score[kept.string("accounts")] for score in scores]
        histories = [one for one, before in zip(histories, [None, *histories], strict=False) if one != before]
        if kept.string("form") == "slate":
            return self._slate(histories, scores[-1], kept.string("marks"), kept.string("unit"))
        return self._tokens(histories[-1], scores[-1], kept.string("pot"), kept.string("unit"))

    def _unit(self, name: str) -> int:
        found = self.matter.game.params[name].value if name else 0
        return found if isinstance(found, int) else 0

    def _slate(
        self, histories: Sequence[Sequence[int]], last: Mapping[str, Any], marks: str, unit: str
    ) -> nodes.Element | None:
        each = self._unit(unit) or 1
        if any(figure % each for figures in histories for figure in figures):
            return None
        sides = self.telling.sides(len(histories[-1]))
        teams = self.matter.game.teams
        strokes = last.get(marks) or [0] * len(teams)
        columns = [
            Column(" ".join(map(str, team)), tuple(figures[number] // each for figures in histories), strokes[number])
            for number, team in enumerate(teams)
        ]
        told = self.telling.join(
            self.matter.words.frame("is", what=side, value=", ".join(map(str, column.figures)))
            + (f" ({self.telling.pair(marks, str(column.marks))})" if marks else "")
            for side, column in zip(sides, columns, strict=True)
        )
        said = self.matter.say("written")
        return make_drawing(slate(columns, self.matter.set(f"{said}. {told}")), SLATE, said)

    def _tokens(self, sums: Sequence[int], last: Mapping[str, Any], pot: str, unit: str) -> nodes.Element:
        seats = self.telling.sides(len(sums))
        purses = [Purse(str(number), amount) for number, amount in enumerate(sums)]
        named = self.matter.words.frame
        told = [named("is", what=side, value=str(amount)) for side, amount in zip(seats, sums, strict=True)]
        if pot and isinstance(last.get(pot), int):
            purses.append(Purse(self.matter.say("pot"), last[pot]))
            told.append(named("is", what=self.matter.say("pot"), value=str(last[pot])))
        said = self.matter.say("tokens")
        drawn = tokens(purses, self._unit(unit), self.matter.set(f"{said}. {'; '.join(told)}"))
        return make_drawing(drawn, TOKEN * drawn.width, said)

    def calls(self, calls: Sequence[Mapping[str, Any]]) -> nodes.Element:
        """Return the calls of an auction in a grid."""
        named = self.layout.fields["auction"]
        told = [(call[named.string("seat")], self._name_call(call[named.string("call")])) for call in calls]
        words = self.telling.join(
            self.matter.say("lies", seat=self.telling.seats([seat]), card=call) for seat, call in told
        )
        said = self.matter.say("calls")
        drawn = auction(told, self.matter.game.seats, words=self.matter.set(f"{said}. {words}"))
        return make_drawing(drawn, min(TOKEN * drawn.width, CALLS), said)

    def _name_call(self, call: Json) -> str:
        return self.matter.words.name("values", str(call))


def _tight(drawn: Picture) -> Picture:
    """Return cards on a table without the room of those that are not there."""
    width, height = size()
    places = [
        tuple(map(float, at))
        for one in drawn.elements
        for at in _PLACED.findall(str(one.attributes.get("transform", "")))
    ]
    left, top = (min(at[axis] for at in places) - _EDGE for axis in (0, 1))
    right, bottom = (max(at[axis] for at in places) + side + _EDGE for axis, side in enumerate((width, height)))
    moved = group(drawn.elements, f"translate({number(-left)} {number(-top)})")
    return Picture(right - left, bottom - top, (moved,), drawn.words)
