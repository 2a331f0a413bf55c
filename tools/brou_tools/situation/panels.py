"""Worked examples as boxes: the start, the hands, the cards played and the words said, the score and the accounts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeGuard

from docutils import nodes

from brou import Choice, Json, Node, State, choose, choose_text, phrase
from brou.language import SLOT
from brou_conformance.protocol import words_in
from brou_tools.documents.nodes import (
    RUN_IN,
    emphasis,
    gallery,
    in_lines,
    make_citation,
    make_gallery,
    panel,
    paragraph,
    table,
    text,
    together,
)
from brou_tools.situation.edition import Matter
from brou_tools.situation.examples import (
    DEALER,
    TRUMP,
    TURNUP,
    AskedStep,
    Laid,
    PlayedScenario,
    SpokenAct,
    course,
    find_scenario,
    fitting,
    settle_deal,
    up,
)
from brou_tools.situation.pictures import CARD, Pictures
from brou_tools.situation.values import ValueTeller, are_numbers

#: From how many cards on a hand is drawn a little smaller.
_MANY = 9
#: Up to how many cards all hands stand in one line.
_FEW = 5
#: From how many on acts of one kind are told together.
_SEVERAL = 2
_LESS = 0.9


class Boxes:
    """Makes the boxes of one book."""

    def __init__(self, matter: Matter) -> None:
        self.matter = matter
        self.telling = ValueTeller(matter)
        self.pictures = Pictures(self.telling)

    # Examples -------------------------------------------------------------------

    def example(self, id_: str, title: Node) -> nodes.Element | None:
        """Return a worked example, played out now; None if it is not of this edition."""
        one = find_scenario(self.matter.choice.game, self.matter.choice.project, id_)
        choice = fitting(one, self.matter.choice)
        if choice is None:
            return None
        told = self.of(choice)
        return panel(
            "",
            *told.whole(course(one, choice), one.clauses),
            kind="example",
            label=self.matter.say("example"),
            title=self.matter.fill_text(title),
            name=one.id,
        )

    def of(self, choice: Choice) -> Boxes:
        """Return the boxes of another set-up."""
        return self if choice.setup == self.matter.choice.setup else Boxes(Matter(choice, self.matter.lang))

    def whole(self, whole: PlayedScenario, clauses: Sequence[str]) -> Iterator[nodes.Node]:
        """Yield everything that an example shows."""
        events, closing = list(self._events(whole, whole.events)), list(self._closing(whole))
        opening, hands = list(self.opening(whole)), list(self._hands(whole.hands, up(whole.view_start(TURNUP))))
        # Where no hands are shown how it begins stays with what comes first.
        many = 1 if opening and not hands else 0
        begun, events = [*opening, *hands, *events[:many]], events[many:]
        if begun and (hands or events):
            yield together("", *begun)
            begun = []
        # What it comes to stays with how that is written down; all but the last line of tricks may stand a page before.
        before, last = _last_line(events)
        yield from before
        marks = [part for id_ in clauses for part in (make_citation(id_, here=id_ in self.matter.printed), text(" "))][
            :-1
        ]
        shown = paragraph(self.matter.say("shows", clauses=""), *marks, classes=["aside"])
        yield together("", *begun, *last, *closing, shown)

    def opening(self, whole: PlayedScenario) -> Iterator[nodes.Node]:
        """Yield how a course begins, if there is anything to say of it."""
        told = self.tell_opening(whole)
        if told:
            yield paragraph(told)

    def tell_opening(self, whole: PlayedScenario) -> str:
        """Return the start of an example in words: the dealer, the trump, the accounts."""
        first = next(iter(self.matter.setups))
        other = whole.choice.setup != first
        told = [self.matter.say("for_players", setup=self.matter.setup(whole.choice.setup))] if other else []
        told += list(self._readings(whole.choice))
        facts = list(self._facts(whole))
        told += [sentence(self.telling.join(facts))] if facts else []
        return " ".join(told)

    def _readings(self, choice: Choice) -> Iterator[str]:
        """Yield which readings of a course are not those of the edition."""
        followed = choose(f"{choice.game}@{choice.edition}:{choice.setup}", choice.project).readings
        other = [(key, value) for key, value in choice.readings if (key, value) not in followed]
        if other:
            told = [self._tell_reading(key, str(value)) for key, value in other]
            yield self.matter.say("other_readings", readings=self.telling.join(told))

    def _tell_reading(self, key: str, value: str) -> str:
        """Return a reading that is agreed on: the question and the letter or number that answers it."""
        id_ = next(id_ for id_, one in self.matter.questions.items() if one.string("key") == key)
        question, readings = (
            self.matter.fill_text(self.matter.questions[id_].fields["question"]),
            self.matter.readings(id_),
        )
        if value not in readings:
            return self.matter.say("read_as", question=question, reading=value)
        return self.matter.say("read_so", question=question, letter=readings[value], id=id_)

    def _facts(self, whole: PlayedScenario) -> Iterator[str]:
        dealer, turnup, trump = (whole.view_start(name) for name in (DEALER, TURNUP, TRUMP))
        if isinstance(dealer, int) and whole.hands:
            yield self.matter.say("dealer_is", seat=self.telling.seats([dealer]))
        if up(turnup):
            yield self._turnup(up(turnup))
        elif isinstance(trump, str):
            yield self.matter.say("trump_is", suit=self.matter.words.glossary.suit(trump, self.matter.lang))
        for name in self._accounts():
            value = whole.player.score(whole.first).get(name)
            if are_numbers(value) and any(value):
                told = self.telling.list_figures(value)
                yield self.matter.say("before", what=self.telling.field(name), values=told)
        kept = self.matter.layout.get("ledger")
        within = "" if kept is None else kept.string("within")
        held = whole.player.score(whole.first).get(within)
        if are_numbers(held) and any(held):
            yield self.matter.say("within", what=self.telling.field(within), values=self.telling.list_figures(held))

    def _turnup(self, card: str) -> str:
        return self.matter.say("turnup_is", card=self.matter.words.glossary.short(card, self.matter.lang))

    def _accounts(self) -> list[str]:
        kept = self.matter.layout.get("ledger")
        return [] if kept is None else [name for key in ("accounts", "marks") if (name := kept.string(key))]

    def _hands(self, held: Mapping[int, Sequence[str]], turnup: str = "") -> Iterator[nodes.Node]:
        """Yield hands: round the table where everybody holds cards, else side by side."""
        hands = [(seat, cards) for seat, cards in sorted(held.items()) if cards]
        if len(hands) == self.matter.game.seats:
            yield self.pictures.deal(dict(hands), turnup)
        elif hands:
            width = CARD * (_LESS if max(len(cards) for _, cards in hands) >= _MANY else 1)
            drawn = [self.pictures.cards(cards, self.telling.seats([seat]), width) for seat, cards in hands]
            yield make_gallery(drawn, 2 if max(len(cards) for _, cards in hands) > _FEW else len(hands))

    def _events(self, whole: PlayedScenario, events: Sequence[Laid | SpokenAct | AskedStep]) -> Iterator[nodes.Node]:
        before: tuple[str, ...] = ()
        for (kind, lying), group in groupby(events, _moment):
            if lying and lying != before:
                yield paragraph(emphasis(self.matter.say("in_trick", cards=self._cards(lying))))
            before = lying or before
            if kind is Laid:
                laid = [event for event in group if isinstance(event, Laid)]
                drawn = [self.pictures.trick(one, whole.player.game.seats) for one in laid]
                yield in_lines(drawn)
            elif kind is SpokenAct:
                said = [event for event in group if isinstance(event, SpokenAct)]
                yield paragraph(self.sentences(said))
            else:
                yield from self._show_answers(whole, [event for event in group if isinstance(event, AskedStep)])

    def sentences(self, said: Sequence[SpokenAct]) -> str:
        """Return acts in words, one after the other; the same act of several seats in turn makes one sentence."""
        groups = (list(group) for _, group in groupby(said, _deed))
        return " ".join(sentence(told) for group in groups for told in self._alike(group))

    def _alike(self, events: Sequence[SpokenAct]) -> Iterator[str]:
        """Yield one sentence for the same act of several seats, or one for each act if a seat acts twice."""
        first, *seats = (event.seat for event in events)
        if not seats or len({first, *seats}) < len(events):
            yield from map(self.tell_act, events)
            return
        word = "alike" if len(seats) == 1 else "all_alike"
        yield self.matter.say(word, told=self.tell_act(events[0]), seats=self.telling.seats(seats))

    def tell_act(self, event: SpokenAct) -> str:
        """Return an act in words, with the reason if it was refused."""
        told = upper(self.matter.set(self.matter.words.act(event.seat, event.act)))
        if not event.code:
            return f"{told} ({self._turnup(event.turned)})" if event.turned else told
        why = self.matter.words.typeset(self.matter.words.glossary.code(event.code, self.matter.lang))
        return self.matter.say("would", act=told, answer=f"{self.matter.say('refused')} ({why.rstrip('.')})")

    def _show_answers(self, whole: PlayedScenario, asked: Sequence[AskedStep]) -> Iterator[nodes.Node]:
        scored = [event for event in whole.events if isinstance(event, AskedStep) and event.step.verb == "score"]
        told: dict[str, Json] = {}
        for event in asked:
            wanted = event.step.choose_pattern(dict(whole.choice.readings))
            if event.step.verb == "score" and wanted is not None and wanted.members:
                score = event.answer["score"]
                names = dict.fromkeys([*self._accounts()[:1], *wanted.members])
                first = whole.player.score(whole.first) if event is scored[0] else {}
                shown = {key: score[key] for key in names if key in score and told.get(key, ()) != score[key]}
                told |= shown
                if shown:
                    yield self._scores(shown, first)
            elif event.step.verb == "legal":
                seat = self.telling.seats([int(str(event.step.message["legal"]))])
                answer = self.choices(event.answer["legal"])
                yield paragraph(
                    emphasis(self.matter.say("asked_legal", seat=seat)), text(f"{RUN_IN}{sentence(answer)}")
                )

    def _scores(self, shown: Mapping[str, Json], first: Mapping[str, Json]) -> nodes.Node:
        """Return figures of a score as a table of sides, the rest in words."""
        lists = {key: value for key, value in shown.items() if _figures(value)}
        rest = {key: value for key, value in shown.items() if key not in lists and self._says(key, value)}
        many = max((len(value) for value in lists.values()), default=0)
        body: list[nodes.Node] = []
        if lists:
            sides = [upper(side) for side in self.telling.sides(many)]
            rows = [
                [upper(self.telling.field(key)), *(self.matter.words.number(item) for item in value)]
                for key, value in lists.items()
                if len(value) == many
            ]
            rows[1:1] = self._change(shown, first)
            body.append(table([self.matter.say("then_score"), *sides], rows, [3, *[2] * many]))
        if rest:
            told = self.telling.join(map(self._figure, rest, rest.values()))
            body.append(paragraph(sentence(self.matter.set(told))))
        return together("", *body)

    def _change(self, shown: Mapping[str, Json], first: Mapping[str, Json]) -> Iterator[list[str]]:
        """Yield the gains of the accounts since the start, where they did not begin at nothing."""
        for name in self._accounts()[:1]:
            old, new = first.get(name), shown.get(name)
            if _figures(old) and _figures(new) and any(old) and old != new:
                gained = [two - one for one, two in zip(old, new, strict=True)]
                told = [
                    f"+{self.matter.words.number(one)}" if one > 0 else self.matter.words.number(one) for one in gained
                ]
                yield [self.matter.say("change"), *told]

    def _says(self, name: str, value: Json) -> bool:
        """Say whether there is anything in a figure."""
        return value is not None and self.telling.tell_score(name, value) != self.telling.nothing

    def _figure(self, name: str, value: Json) -> str:
        return self.telling.pair(name, self.telling.tell_score(name, value))

    def choices(self, legal: Mapping[str, Json]) -> str:
        """Return the acts open to a seat."""
        told = []
        for name, values in legal.items():
            if isinstance(values, list):
                told += self._among(name, values) if name != "play" else [self._cards([*words_in(values)])]
            else:
                told.append(self.matter.words.doing(name))
        return self.telling.join(one for one in told if one) or self.matter.say("no_act")

    def _cards(self, cards: Sequence[str]) -> str:
        return " ".join(self.matter.words.glossary.short(card, self.matter.lang) for card in cards)

    def _among(self, name: str, values: Sequence[Json]) -> list[str]:
        """Return acts of one kind in words; a common beginning is written once if the rest are bare values."""
        told = [self._choice(name, value) for value in values]
        lead = self._lead(name)
        if not lead or len(told) < _SEVERAL or not all(one.startswith(lead) for one in told):
            return told
        *most, last = (one.removeprefix(lead) for one in told)
        return [f"{lead}{', '.join(most)}{self.matter.words.frame('or')}{last}"]

    def _lead(self, name: str) -> str:
        """Return the words of an act before its value, nothing unless it has one, which ends it."""
        pattern = self.matter.words.glossary.find_name("acts", name.replace("-", "_"), self.matter.game.id)
        words = "" if pattern is None else choose_text(pattern, self.matter.lang)
        before, *values = SLOT.split(words)
        if len(values) != 2 or any(letter.isalnum() for letter in values[1]):
            return ""
        return self.matter.words.typeset(before[: before.rfind(" ") + 1])

    def _choice(self, name: str, value: Json) -> str:
        return phrase({name: value}, self.matter.game, self.matter.lang, self.matter.choice.project)

    def _closing(self, whole: PlayedScenario) -> Iterator[nodes.Node]:
        if not whole.hands and not any(isinstance(event, Laid) for event in whole.events):
            yield from self._hands(dealt(whole))
        drawn = list(self._show_ledger(whole))
        if drawn:
            yield make_gallery(drawn, len(drawn))

    def _show_ledger(self, whole: PlayedScenario) -> Iterator[nodes.Node]:
        named = self.matter.layout.get("auction")
        if named is not None:
            calls: Any = whole.player.view(whole.last, 0).get(named.string("calls"))
            if calls:
                yield self.pictures.calls(calls)
        first, last = (self._read_accounts(whole, state) for state in (whole.first, settle_deal(whole)))
        if any(first.get(name) != last.get(name) for name in self._accounts()):
            kept = self.pictures.ledger([first, last])
            if kept is not None:
                yield kept

    def _read_accounts(self, whole: PlayedScenario, state: State) -> Mapping[str, Json]:
        """Return a score with the accounts as the table sees them, without figures that are not written yet."""
        seen = whole.player.view(state, 0)
        return {**whole.player.score(state), **{name: seen[name] for name in self._accounts()[:1] if name in seen}}


def _deed(event: SpokenAct) -> tuple[str, int]:
    """Return a key of an event without its seat; events with the same key make one sentence."""
    alone = id(event) if event.code or event.turned else 0
    return repr(event.act), alone


def _moment(event: Laid | SpokenAct | AskedStep) -> tuple[type, tuple[str, ...]]:
    """Return the kind of an event and the cards in the trick then; no cards where it asks for a score."""
    scored = isinstance(event, AskedStep) and event.step.verb == "score"
    return type(event), () if isinstance(event, Laid) or scored else event.lying


def dealt(whole: PlayedScenario) -> Mapping[int, Sequence[str]]:
    """Return the hands as they are at the end of a course."""
    views = (whole.player.view(whole.last, seat) for seat in range(whole.player.game.seats))
    return {seat: list(words_in(view.get("hand"))) for seat, view in enumerate(views)}


def _figures(value: Json) -> TypeGuard[list[int]]:
    return are_numbers(value) and bool(value)


def _last_line(parts: Sequence[nodes.Node]) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return the parts of a box in two: the last one, of drawings only their last line, apart from all before it."""
    before, last = list(parts[:-1]), list(parts[-1:])
    if not last or not isinstance(last[0], gallery):
        return before, last
    columns, drawn = last[0]["columns"], last[0].children
    whole = (len(drawn) - 1) // columns * columns
    first, line = (make_gallery(some, columns) for some in (drawn[:whole], drawn[whole:]))
    return [*before, *([first] if whole else [])], [line]


def upper(words: str) -> str:
    """Return words with a capital first."""
    return words[:1].upper() + words[1:]


def sentence(words: str) -> str:
    """Return words as a sentence: a capital first, a full stop last."""
    return upper(words) + ("" if words.endswith((".", "!", "?", ")")) and not words.endswith(")") else ".")
