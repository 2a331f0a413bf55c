"""The players' book of a game: pages composed of what its file holds, pictures and figures by the interpreter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from docutils import nodes
from docutils.utils import new_document

from brou import Choice, Impossible, Machine, Node, Words
from brou.language.types import as_number
from brou_conformance.protocol import words_in
from brou_conformance.scenarios.scenario import Scenario, ScriptStep
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
from brou_tools.drawing.ledger import Column, Purse, slate, tokens
from brou_tools.drawing.seated import (
    CARD_UNITS,
    draw_deal,
    draw_fan,
    draw_order,
    draw_seated_trick,
    draw_small_hand,
    draw_table,
)
from brou_tools.drawing.svg import Picture
from brou_tools.options.agreed import shorten_agreement
from brou_tools.rulebook.agreement import list_agreed, list_boxes, list_questions
from brou_tools.rulebook.players import (
    Sample,
    ToldActs,
    ToldTrick,
    list_rows,
    play_sample,
    read_players,
    seat_players,
    stands,
    texts_for,
)
from brou_tools.situation.edition import Matter
from brou_tools.situation.examples import AskedStep, Laid, SpokenAct, course, find_scenario, fitting
from brou_tools.terminal.heap import keep_garbage

#: How wide things are printed, in millimetres.
_ORDER, _FAN, _TABLE, _DEAL, _TRICK, _SLATE, _CARD = 106.0, 74.0, 60.0, 118.0, 25.5, 32.0, 8.2
#: A line of tokens at most, and each unit of it.
_TOKENS, _TOKEN = 78.0, 0.26
#: A line of cards, and how many of them are as wide as `_ORDER`.
_LINE, _SUIT = 119.0, 8
#: A card that is shown by itself.
_SHOWN = 15.0
#: How wide a card of a hand round the table is at most.
_HELD = 8.9
#: The share of a line that a trick takes beside its remark, and the share of the remark.
_SHARES = (27, 92)
#: A number that a table of the rules has for a value: `{table@value}`.
_LOOKED_UP = re.compile(r"\{([a-z_]+)@([a-z_]+)\}")
_MARKED = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*")


def compose_booklet(choice: Choice, lang: str, *, agreed: bool = False) -> nodes.document:
    """Return the players' book of an edition in a language; raise `Impossible` where there is none.

    Where a table has agreed on the rules, a list of its answers stands in place of the questions.
    """
    with keep_garbage():
        return _BookletComposer(choice, lang, agreed=agreed).document()


def compose_agreement(choice: Choice, lang: str) -> nodes.document:
    """Return the sheet on which a table ticks by which answers it plays: every open question of an edition."""
    matter = Matter(choice, lang)
    data = read_players(choice.game, choice.project)
    found = _begin(matter, matter.say("agreement"))
    questions = list_questions(matter, None if data is None else data.get("agree"))
    title = f"{matter.title}: {matter.say('agreement')}"
    edition = paragraph(matter.edition, classes=["aside"])
    short = [
        paragraph(matter.say("agreement_short"), classes=["aside"]),
        paragraph(nodes.literal(text=shorten_agreement(choice))),
    ]
    boxes = list_boxes(questions, lettered=True)
    found += leaf("", section("agreement", title, edition, *boxes, *short), kind="flow")
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
    def __init__(self, choice: Choice, lang: str, *, agreed: bool) -> None:
        self.data = texts_for(choice)
        self.matter = Matter(seat_players(self.data, choice), lang, agreed=agreed)
        self.style = Style(lang, words=self.matter.words.glossary)
        self.names = [item.text for item in self.data.fields["names"].items]
        sides = self.data.get("sides")
        self.sides = self.names if sides is None else [self.matter.fill_text(item) for item in sides.items]

    @property
    def ledger(self) -> Node:
        """Return how accounts are drawn; raise `Impossible` where the layout does not say so."""
        found = self.matter.layout.get("ledger")
        if found is None:
            game = self.matter.choice.game
            raise Impossible(
                f"games/{game}/book.yaml does not say how accounts are drawn: write "
                "`ledger: {form: slate, accounts: KEY}` into it, with the key of the score that holds them"
            )
        return found

    def document(self) -> nodes.document:
        found = _begin(self.matter, self.matter.say("players_book"))
        answered = False
        for page in self.data.fields["pages"].items:
            asks = any(block.get("agreement") is not None for block in page.fields["blocks"].items)
            if not (asks and self.matter.agreed):
                title, parts = page.fields["title"], list(self._blocks(page.fields["blocks"]))
                found += leaf(
                    "",
                    section(page.string("id"), self.matter.fill_text(title), *parts),
                    kind=page.string("kind", "page"),
                )
            elif not answered:
                answered = True
                found += self._list_agreed()
        return found

    def _list_agreed(self) -> leaf:
        """Return the page of a table's own answers."""
        questions = list_questions(self.matter, self.data.get("agree"))
        edition = paragraph(self.matter.edition, classes=["aside"])
        answers = list_agreed(self.matter, questions)
        return leaf("", section("agreed", self.matter.say("agreed"), edition, *answers), kind="page")

    # Blocks ---------------------------------------------------------------------

    def _blocks(self, blocks: Node) -> Iterator[nodes.Node]:
        for block in blocks.items:
            if stands(block, self.matter.choice, agreed=self.matter.agreed):
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
        elif key == "opening":
            first, last = (int(item.text) for item in node.items)
            yield from (self._say(one) for one in self.sample.opening[first - 1 : last])
        elif key == "tricks":
            first, last = (int(item.text) for item in node.items)
            yield from (self._trick(one) for one in self.sample.tricks[first - 1 : last])
        elif key == "agreement":
            chapters = {item.text for item in node.items}
            yield from list_boxes(list_questions(self.matter, self.data.get("agree"), chapters))

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
            "paid": self._pay,
            "hands": lambda _: self._hands(),
            "ranking": self._ranking,
            "count": self._count,
        }

    def _hands(self) -> nodes.Element:
        drawn = draw_deal(self.sample.hands, self.names, self.sample.turnup, self.style)
        return make_drawing(drawn, min(_DEAL, drawn.width * _HELD / CARD_UNITS))

    def _paragraph(self, node: Node, *classes: str) -> nodes.paragraph:
        return paragraph(*self._inline(node), classes=classes)

    def _inline(self, node: Node) -> Iterator[nodes.Node]:
        """Yield a text of the data with its numbers, **bold** and *emphasis* as nodes."""
        yield from self._mark(_LOOKED_UP.sub(self._look_up, self.matter.fill_text(node)))

    def _look_up(self, found: re.Match[str]) -> str:
        """Return the number that a table of the rules has for a value."""
        values = [variable.default for variable in self.machine.game.state.values()]
        return self.matter.words.number(as_number(self.machine.evaluator.find_callable(found[1])(values, [found[2]])))

    @staticmethod
    def _mark(said: str) -> Iterator[nodes.Node]:
        at = 0
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
        suits = [[card for card in game.deck.faces if card[1:] == suit] for suit in game.deck.suits]
        cards = max(suits, key=len)
        cards.sort(key=lambda card: -game.attributes[name].values[card])
        below = [self.matter.words.number(game.attributes[figures].values[card]) if figures else "" for card in cards]
        return self._line_up(cards, below)

    def _ranking(self, node: Node) -> nodes.Element:
        """Return the cards of a suit as a function of the rules ranks them, where some variables have given values."""
        machine = self.machine
        given = {name: item.text for name, item in node.fields["given"].fields.items()}
        values = [given.get(name, variable.default) for name, variable in machine.game.state.items()]
        suit_of, height = (machine.evaluator.find_callable(node.string(key)) for key in ("of", "by"))
        cards = [card for card in machine.game.deck.faces if suit_of(values, [card]) == node.string("suit")]
        cards.sort(key=lambda card: as_number(height(values, [card])), reverse=True)
        labels = node.get("labels")
        named = {} if labels is None else labels.fields
        return self._line_up(cards, [self.matter.fill_text(named.get(card)) for card in cards])

    def _line_up(self, cards: Sequence[str], below: Sequence[str]) -> nodes.Element:
        """Return cards side by side, each as wide in every picture, as far as a line has room."""
        return make_drawing(draw_order(cards, below, self.style), min(_LINE, _ORDER / _SUIT * len(cards)))

    def _hand(
        self, cards: Sequence[str], pale: Sequence[str] = (), caption: str = "", width: float = _CARD
    ) -> nodes.Element:
        drawn = draw_small_hand(cards, self.style, pale)
        return make_drawing(drawn, width * drawn.width / CARD_UNITS, caption)

    def _table(self, node: Node) -> nodes.Element:
        head = [self.matter.fill_text(item) for item in node.fields["head"].items]
        standing = list_rows(node, self.matter.choice)
        rows = [[paragraph(*self._inline(cell)) for cell in row.items] for row in standing]
        return table(head, rows, [4, *[2] * (len(head) - 1)])

    def _seats(self, node: Node) -> nodes.Element:
        roles = {int(seat): self.matter.fill_text(role) for seat, role in node.fields.items()}
        return make_drawing(draw_table(self.names, roles, self.sample.turnup, self.style), _TABLE)

    # Scenarios ------------------------------------------------------------------

    def _find(self, id_: str) -> tuple[Scenario, Choice]:
        """Return a scenario of the edition with its rules.

        One of the edition that this one inherits from serves as well if all its clauses hold here. Raise `Impossible`
        for any other.
        """
        matter = self.matter
        one = find_scenario(matter.choice.game, matter.choice.project, id_)
        found = fitting(one, matter.choice)
        if found is None and matter.parent and not any(clause in matter.replaced for clause in one.clauses):
            found = fitting(one, matter.choose_setup(matter.choice.setup, matter.parent))
        if found is None:
            raise Impossible(f"{id_} is no scenario of {matter.choice}, and a page for players shows it")
        return one, found

    def _panel(self, node: Node) -> nodes.Element:
        """Return the trick so far and the hand of the player on turn, its forbidden cards pale, beside the words."""
        one, choice = self._find(node.string("scenario"))
        step = next(line for line in one.lines if isinstance(line, ScriptStep) and line.id == node.string("step"))
        whole = course(one, choice, step)
        seat = int(str(step.message["legal"]))
        held = [*words_in(whole.player.view(whole.last, seat).get("hand"))]
        open_ = {*words_in(whole.player.legal(whole.last, seat).get("play"))}
        laid = next(event for event in reversed(whole.events) if isinstance(event, Laid) and event.winner is None)
        trick = make_drawing(draw_seated_trick(laid.cards, self.names, self.style), _TRICK)
        hand = self._hand(held, [card for card in held if card not in open_], self.names[seat])
        title, trump = self.matter.fill_text(node.fields["title"]), whole.player.view(whole.last, seat).get("trump")
        if trump:
            suit = self.matter.words.glossary.suit(str(trump), self.matter.lang)
            title += f" ({self.matter.say('trump_is', suit=suit)})"
        told = [nodes.container("", trick), nodes.container("", hand, self._paragraph(node.fields["text"]))]
        return panel("", columns("", *told, shares=list(_SHARES)), kind="", label="", title=title, name="")

    def _pay(self, node: Node) -> nodes.Element:
        """Return the trick of a scenario beside the words on it, with the changes of the accounts."""
        whole = course(*self._find(node.string("scenario")))
        number, laid = next(
            (number, event)
            for number, event in enumerate(whole.events)
            if isinstance(event, Laid) and event.winner is not None
        )
        scores = [whole.player.score(whole.first), *_list_scores(whole.events[:number]), whole.player.score(whole.last)]
        before, after = ([*map(int, score[self.ledger.string("accounts")])] for score in scores[-2:])
        drawn = make_drawing(draw_seated_trick(laid.cards, self.names, self.style, laid.winner), _TRICK)
        told = emphasis(f"({self._tell_gains(before, after)})")
        said = nodes.container("", paragraph(*self._inline(node.fields["text"]), text(" "), told))
        return columns("", nodes.container("", drawn), said, shares=list(_SHARES))

    def _claim(self, node: Node) -> nodes.Element:
        """Return the slate before and after a scenario beside what happens in it, with the sum that is checked."""
        whole = course(*self._find(node.string("scenario")))
        scores = [whole.player.score(whole.first), *_list_scores(whole.events), whole.player.score(whole.last)]
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
    def machine(self) -> Machine:
        """Return the interpreter of the rules."""
        return Machine(self.matter.game)

    @cached_property
    def sample(self) -> Sample:
        """Return the sample deal, played once."""
        return play_sample(self.data, self.matter.choice, self.ledger.string("accounts"))

    def _say(self, one: ToldActs) -> nodes.Element:
        """Return the acts of a moment before the first trick in words, with the remark on them."""
        words = Words(self.matter.game, self.matter.lang, self.matter.choice.project, self.names)
        told = ". ".join(self.matter.set(words.act(seat, act)) for seat, act in one.acts)
        return paragraph(strong(f"{told}."), text(" "), *self._inline(one.remark), classes=["remark"])

    def _trick(self, one: ToldTrick) -> nodes.Element:
        drawn = make_drawing(draw_seated_trick(one.cards, self.names, self.style, one.winner), _TRICK)
        words = [strong(str(one.number)), text("\u2002"), *self._inline(one.remark)]
        if told := self._tell_figures(one):
            words += [text(" "), emphasis(f"({told})")]
        said = [paragraph(*words, classes=["remark"])]
        if self.data.fields["sample"].get("open_hands") is not None:
            said.insert(0, paragraph(self._tell_hands(one), classes=["aside"]))
        return columns("", nodes.container("", drawn), nodes.container("", *said), shares=list(_SHARES))

    def _tell_figures(self, one: ToldTrick) -> str:
        """Return what a trick has changed in the accounts, or how many tricks each has, as the file asks."""
        number = self.matter.words.number
        if self.data.fields["sample"].string("tally") == "tricks":
            won = ", ".join(
                f"{name}\u00a0{number(many)}" for name, many in zip(self.names, one.won, strict=True) if many
            )
            return self.matter.say("tricks_won", won=won)
        return self._tell_gains(one.before, one.after)

    def _tell_gains(self, before: Sequence[int], after: Sequence[int]) -> str:
        """Return what each side has gained or lost, if it has."""
        gains = [now - then for then, now in zip(before, after, strict=True)]
        return ", ".join(
            f"{side}\u00a0{self._sign(gain)}" for side, gain in zip(self.sides, gains, strict=True) if gain
        )

    def _tell_hands(self, one: ToldTrick) -> str:
        """Return what each player holds before a trick."""
        short, lang = self.style.words.short, self.matter.lang
        return " · ".join(
            f"{name}\u00a0" + "\u00a0".join(short(card, lang) for card in held)
            for name, held in zip(self.names, one.held, strict=True)
        )

    def _sign(self, number: int) -> str:
        return f"+{self.matter.words.number(number)}" if number > 0 else self.matter.words.number(number)

    def _count(self, node: Node) -> nodes.Element:
        """Return what the sample comes to in figures, and the slate or the tokens after it."""
        rows = self._list_figures(node) if isinstance(node.value, tuple) else self._list_rounded()
        counted = table([self.matter.say("count"), *self.sides], rows, [5, *[2] * len(self.sides)])
        if self.ledger.string("form") == "tokens":
            held = self._draw_tokens()
            drawn = make_drawing(held, min(_TOKENS, held.width * _TOKEN))
            if drawn["width"] > _SLATE:
                return tinted("", counted, drawn)
        else:
            drawn = make_drawing(self._slate([self.sample.before, self.sample.written], None), _SLATE)
        return tinted("", columns("", nodes.container("", counted), nodes.container("", drawn), shares=[80, 32]))

    def _list_figures(self, node: Node) -> list[list[str]]:
        """Return the rows that the file asks for: tricks, points, the change of the accounts, or lists of the score."""
        sample, rows = self.sample, []
        for item in node.items:
            name = item.string("of")
            if name == "tricks":
                found = [self.matter.words.number(many) for many in sample.tricks[-1].won]
            elif name == "points":
                found = [self.matter.words.number(one) for one in sample.points]
            elif name == "change":
                found = [self._sign(now - then) for then, now in zip(sample.before, sample.written, strict=True)]
            else:
                found = [self.matter.words.number(one) for one in sample.figures[name]]
            rows.append([self.matter.fill_text(item.fields["title"]), *found])
        return rows

    def _draw_tokens(self) -> Picture:
        """Return the tokens of each player when the sample is over."""
        name = self.ledger.string("unit")
        unit = self.matter.game.params[name].value if name else 0
        held = zip(self.names, self.sample.written, strict=True)
        return tokens([Purse(player, sum_) for player, sum_ in held], unit if isinstance(unit, int) else 0)

    def _list_rounded(self) -> list[list[str]]:
        """Return the rows of a count of card points: cards, rounded cards, marriages, the sum to write."""
        sample, number = self.sample, self.matter.words.number
        gained = [now - then for then, now in zip(sample.before, sample.tricks[-1].after, strict=True)]
        rest = [all_ - cards for all_, cards in zip(gained, sample.points, strict=True)]
        written = [now - then for then, now in zip(sample.before, sample.written, strict=True)]
        rounded = (number(all_ - more) for all_, more in zip(written, rest, strict=True))
        return [
            [self.matter.say("count_cards"), *map(number, sample.points)],
            [self.matter.say("count_rounded"), *rounded],
            [self.matter.say("count_other"), *map(self._sign, rest)],
            [self.matter.say("count_written"), *map(number, written)],
        ]


def _list_scores(events: Sequence[Laid | SpokenAct | AskedStep]) -> Iterator[Mapping[str, Any]]:
    """Yield the scores that a scenario asks for among some of its events."""
    for event in events:
        if isinstance(event, AskedStep) and "score" in event.answer:
            yield event.answer["score"]
