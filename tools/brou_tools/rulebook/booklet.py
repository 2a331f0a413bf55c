"""The players' book of a game: pages composed of what its file holds, pictures and figures by the interpreter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from docutils import nodes
from docutils.utils import new_document

from brou import Choice, Impossible, Node
from brou_conformance.protocol import words_in
from brou_conformance.scenarios.scenario import ScriptStep
from brou_tools.documents.nodes import (
    columns,
    emphasis,
    leaf,
    make_drawing,
    make_list,
    panel,
    paragraph,
    section,
    strong,
    table,
    text,
    tinted,
)
from brou_tools.drawing.cards import Style
from brou_tools.drawing.ledger import Column, slate
from brou_tools.drawing.seated import (
    draw_deal,
    draw_fan,
    draw_order,
    draw_seated_trick,
    draw_small_hand,
    draw_table,
)
from brou_tools.drawing.svg import Picture
from brou_tools.rulebook.agreement import list_answers
from brou_tools.rulebook.players import Sample, ToldTrick, play_sample, read_players, stands, texts_for
from brou_tools.situation.edition import Matter
from brou_tools.situation.examples import AskedStep, Laid, PlayedScenario, course, find_scenario, fitting
from brou_tools.terminal.heap import keep_garbage

#: How wide things are printed, in millimetres.
_ORDER, _FAN, _TABLE, _DEAL, _TRICK, _SLATE, _CARD = 106.0, 74.0, 60.0, 118.0, 25.5, 32.0, 8.2
#: A card that is shown by itself.
_SHOWN = 15.0
#: How wide a drawn card is in a small hand, in its own units.
_UNITS = 40.0
#: The share of a line that a trick takes beside its remark, and the share of the remark.
_SHARES = (27, 92)
_MARKED = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*")


def compose_booklet(choice: Choice, lang: str) -> nodes.document:
    """Return the players' book of an edition in a language; raise `Impossible` where there is none."""
    with keep_garbage():
        return _BookletComposer(choice, lang).document()


def compose_agreement(choice: Choice, lang: str) -> nodes.document:
    """Return the sheet on which a table ticks by which answers it plays: every open question of an edition."""
    matter = Matter(choice, lang)
    data = read_players(choice.game, choice.project)
    found = _begin(matter, matter.say("agreement"))
    asked = list_answers(matter, None if data is None else data.get("agree"))
    title = f"{matter.title}: {matter.say('agreement')}"
    found += leaf("", section("agreement", title, paragraph(matter.edition, classes=["aside"]), *asked), kind="flow")
    return found


def _begin(matter: Matter, running: str) -> nodes.document:
    found = new_document("booklet")
    found.attributes |= {
        "title": matter.title,
        "subtitle": matter.edition,
        "lang": matter.lang,
        "running": running,
        "contents": matter.say("contents"),
        "date": "",
        "form": "booklet",
    }
    return found


class _BookletComposer:
    def __init__(self, choice: Choice, lang: str) -> None:
        self.data = texts_for(choice)
        self.matter = Matter(choice, lang)
        self.style = Style(lang, project=choice.project)
        self.names = [item.text for item in self.data.fields["names"].items]
        self.sides = [self.matter.fill_text(item) for item in self.data.fields["sides"].items]
        self.ledger = self.matter.layout.fields["ledger"]

    def document(self) -> nodes.document:
        found = _begin(self.matter, self.matter.say("players_book"))
        for page in self.data.fields["pages"].items:
            parts = list(self._blocks(page.fields["blocks"]))
            title = self.matter.fill_text(page.fields["title"])
            found += leaf("", section(page.string("id"), title, *parts), kind=page.string("kind", "page"))
        return found

    # Blocks ---------------------------------------------------------------------

    def _blocks(self, blocks: Node) -> Iterator[nodes.Node]:
        for block in blocks.items:
            if stands(block, self.matter.choice):
                for key, node in block.fields.items():
                    yield from self._block(key, node, block)

    def _block(self, key: str, node: Node, block: Node) -> Iterator[nodes.Node]:
        """Yield what one key of a block stands for; those that only say something of it stand for nothing."""
        if key in self._simple:
            yield self._simple[key](node)
        elif key == "row":
            yield self._side_by_side(node, block.get("shares"))
        elif key == "order":
            yield self._order(node.text, block.string("figures"))
        elif key == "tricks":
            first, last = (int(item.text) for item in node.items)
            yield from (self._trick(one) for one in self.sample.tricks[first - 1 : last])
        elif key == "agreement":
            yield from list_answers(self.matter, self.data.get("agree"), {item.text for item in node.items})

    @cached_property
    def _simple(self) -> Mapping[str, Callable[[Node], nodes.Node]]:
        """Return what makes one node of one key of a block."""
        return {
            "heading": lambda node: nodes.rubric(text=self.matter.fill_text(node)),
            "text": self._paragraph,
            "small": lambda node: self._paragraph(node, "aside"),
            "list": lambda node: make_list([[self._paragraph(item)] for item in node.items]),
            "tinted": lambda node: tinted("", *self._blocks(node)),
            "fan": lambda node: make_drawing(draw_fan([item.text for item in node.items], self.style), _FAN),
            "cards": lambda node: self._hand([item.text for item in node.items], width=_SHOWN),
            "table": self._table,
            "seats": self._seats,
            "panel": self._panel,
            "slate": self._claim,
            "hands": lambda _: self._hands(),
            "count": lambda _: self._count(),
        }

    def _hands(self) -> nodes.Element:
        return make_drawing(draw_deal(self.sample.hands, self.names, self.sample.turnup, self.style), _DEAL)

    def _paragraph(self, node: Node, *classes: str) -> nodes.paragraph:
        return paragraph(*self._inline(node), classes=classes)

    def _inline(self, node: Node) -> Iterator[nodes.Node]:
        """Yield a text of the data with its numbers, **bold** and *emphasis* as nodes."""
        said, at = self.matter.fill_text(node), 0
        for found in _MARKED.finditer(said):
            if found.start() > at:
                yield text(said[at : found.start()])
            yield strong(found[1]) if found[1] else emphasis(found[2])
            at = found.end()
        if at < len(said):
            yield text(said[at:])

    def _side_by_side(self, node: Node, shares: Node | None) -> nodes.Element:
        cells = [nodes.container("", *self._blocks(cell)) for cell in node.items]
        told = [1] * len(cells) if shares is None else [int(item.text) for item in shares.items]
        return columns("", *cells, shares=told)

    def _order(self, name: str, figures: str) -> nodes.Element:
        game = self.matter.game
        suit = next(suit for suit in game.deck.suits if any(card[1:] == suit for card in game.deck.cards))
        cards = [card for card in game.deck.cards if card[1:] == suit]
        cards.sort(key=lambda card: -game.attributes[name].values[card])
        below = [self.matter.words.number(game.attributes[figures].values[card]) for card in cards]
        return make_drawing(draw_order([card[0] for card in cards], suit, below, self.style), _ORDER)

    def _hand(
        self, cards: Sequence[str], pale: Sequence[str] = (), caption: str = "", width: float = _CARD
    ) -> nodes.Element:
        drawn = draw_small_hand(cards, self.style, pale)
        return make_drawing(drawn, width * drawn.width / _UNITS, caption)

    def _table(self, node: Node) -> nodes.Element:
        head = [self.matter.fill_text(item) for item in node.fields["head"].items]
        rows = [[paragraph(*self._inline(cell)) for cell in row.items] for row in node.fields["rows"].items]
        return table(head, rows, [4, *[2] * (len(head) - 1)])

    def _seats(self, node: Node) -> nodes.Element:
        roles = {int(seat): self.matter.fill_text(role) for seat, role in node.fields.items()}
        return make_drawing(draw_table(self.names, roles, self.sample.turnup, self.style), _TABLE)

    # Scenarios ------------------------------------------------------------------

    def _play(self, id_: str) -> PlayedScenario:
        one = find_scenario(self.matter.choice.game, self.matter.choice.project, id_)
        choice = fitting(one, self.matter.choice)
        if choice is None:
            raise Impossible(f"{id_} is no scenario of {self.matter.choice}, and a page for players shows it")
        return course(one, choice)

    def _panel(self, node: Node) -> nodes.Element:
        """Return the trick so far and the hand of the player on turn, its forbidden cards pale, beside the words."""
        one = find_scenario(self.matter.choice.game, self.matter.choice.project, node.string("scenario"))
        step = next(line for line in one.lines if isinstance(line, ScriptStep) and line.id == node.string("step"))
        choice = fitting(one, self.matter.choice)
        if choice is None:
            raise Impossible(f"{one.id} is no scenario of {self.matter.choice}, and a page for players shows it")
        whole = course(one, choice, step)
        seat = int(str(step.message["legal"]))
        held = [*words_in(whole.player.view(whole.last, seat).get("hand"))]
        open_ = {*words_in(whole.player.legal(whole.last, seat).get("play"))}
        laid = next(event for event in reversed(whole.events) if isinstance(event, Laid) and event.winner is None)
        trick = make_drawing(draw_seated_trick(laid.cards, self.names, self.style), _TRICK)
        hand = self._hand(held, [card for card in held if card not in open_], self.names[seat])
        trump = self.matter.words.glossary.suit(str(whole.player.view(whole.last, seat).get("trump")), self.matter.lang)
        title = f"{self.matter.fill_text(node.fields['title'])} ({self.matter.say('trump_is', suit=trump)})"
        told = [nodes.container("", trick), nodes.container("", hand, self._paragraph(node.fields["text"]))]
        return panel("", columns("", *told, shares=list(_SHARES)), kind="", label="", title=title, name="")

    def _claim(self, node: Node) -> nodes.Element:
        """Return the slate before and after a scenario beside what happens in it, with the sum that is checked."""
        whole = self._play(node.string("scenario"))
        scores = [
            whole.player.score(whole.first),
            *(
                event.answer["score"]
                for event in whole.events
                if isinstance(event, AskedStep) and "score" in event.answer
            ),
            whole.player.score(whole.last),
        ]
        accounts, marks = self.ledger.string("accounts"), self.ledger.string("marks")
        before, *_, after = ([*map(int, score[accounts])] for score in scores)
        drawn = [
            make_drawing(self._slate([before], scores[0].get(marks)), _SLATE, self._add_up(before, scores)),
            make_drawing(self._slate([before, after], scores[-1].get(marks)), _SLATE),
        ]
        cells = [
            nodes.container("", self._paragraph(node.fields["text"])),
            *(nodes.container("", one) for one in drawn),
        ]
        return columns("", *cells, shares=[64, 28, 28])

    def _add_up(self, before: Sequence[int], scores: Sequence[Mapping[str, Any]]) -> str:
        """Return the sum that is checked when a side says that it has won: written before, in tricks, in all."""
        accounts, number = self.ledger.string("accounts"), self.matter.words.number
        team = next(score["winner"] for score in scores if score.get("winner") is not None)
        last = next(score for score in scores[1:] if score.get("points"))
        told = number(before[team]), number(last["points"][team]), number(last[accounts][team])
        return f"{told[0]} + {told[1]} = {told[2]}"

    def _slate(self, histories: Sequence[Sequence[int]], marks: object) -> Picture:
        name = self.ledger.string("unit")
        unit = self.matter.game.params[name].value if name else 1
        each = unit if isinstance(unit, int) else 1
        strokes = marks if isinstance(marks, list) else [0] * len(self.sides)
        sides = [
            Column(name, tuple(figures[number] // each for figures in histories), strokes[number])
            for number, name in enumerate(self.sides)
        ]
        return slate(sides)

    # The sample -----------------------------------------------------------------

    @cached_property
    def sample(self) -> Sample:
        """Return the sample deal, played once."""
        return play_sample(self.data, self.matter.choice, self.ledger.string("accounts"))

    def _trick(self, one: ToldTrick) -> nodes.Element:
        drawn = make_drawing(draw_seated_trick(one.cards, self.names, self.style, one.winner), _TRICK)
        gains = [now - then for then, now in zip(one.before, one.after, strict=True)]
        told = ", ".join(f"{side} {self._sign(gain)}" for side, gain in zip(self.sides, gains, strict=True) if gain)
        words = [strong(str(one.number)), text("\u2002"), *self._inline(one.remark), text(" "), emphasis(f"({told})")]
        said = nodes.container("", paragraph(*words, classes=["remark"]))
        return columns("", nodes.container("", drawn), said, shares=list(_SHARES))

    def _sign(self, number: int) -> str:
        return f"+{self.matter.words.number(number)}" if number > 0 else self.matter.words.number(number)

    def _count(self) -> nodes.Element:
        """Return the count of the sample: cards, rounded cards, marriages, the sum to write, and the slate."""
        sample, number = self.sample, self.matter.words.number
        gained = [now - then for then, now in zip(sample.before, sample.tricks[-1].after, strict=True)]
        rest = [all_ - cards for all_, cards in zip(gained, sample.points, strict=True)]
        written = [now - then for then, now in zip(sample.before, sample.written, strict=True)]
        rows = [
            [self.matter.say("count_cards"), *map(number, sample.points)],
            [
                self.matter.say("count_rounded"),
                *(number(all_ - more) for all_, more in zip(written, rest, strict=True)),
            ],
            [self.matter.say("count_other"), *map(self._sign, rest)],
            [self.matter.say("count_written"), *map(number, written)],
        ]
        counted = table([self.matter.say("count"), *self.sides], rows, [5, 2, 2])
        drawn = make_drawing(self._slate([sample.before, sample.written], None), _SLATE)
        return tinted("", columns("", nodes.container("", counted), nodes.container("", drawn), shares=[80, 32]))
