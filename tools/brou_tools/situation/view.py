"""A situation at the table with its question, and the answers of several rule bases, or readings.

It is made of nodes: the pages of the site draw them, `terminal.doctree` sets them as lines for a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from docutils import nodes

from brou import (
    Choice,
    Json,
    choose_text,
    keep_until_changed,
    phrase,
)
from brou.words import read_sentences
from brou_conformance.protocol import words_in
from brou_conformance.scenarios.scenario import PLAY, ScriptStep
from brou_tools.documents.nodes import make_gallery, paragraph, strong
from brou_tools.situation import REGISTER_PART, REGISTER_WORDS
from brou_tools.situation.edition import Matter
from brou_tools.situation.examples import TRUMP, Laid, PlayedScenario, SpokenAct
from brou_tools.situation.panels import Boxes, sentence, upper
from brou_tools.situation.pictures import CARD  # fmt: skip
from brou_tools.situation.pictures import TRICK as _WIDE

#: Of so many acts of a form the form alone is told.
_MANY = 6


@keep_until_changed(maxsize=128)
def boxes(choice: Choice, lang: str) -> Boxes:
    """Return the boxes for situations of one rule base in one language."""
    return Boxes(Matter(choice, lang))


def say(matter: Matter, name: str, **parts: str) -> str:
    """Return a sentence of the catalogue of the register, by its name, with its parts filled in."""
    known = read_sentences(REGISTER_WORDS, REGISTER_PART, matter.choice.project).fields
    return matter.set(choose_text(known[name], matter.lang).format(**parts))


class ScenarioSituation:
    """A scenario up to the step that asks."""

    def __init__(self, told: Boxes, course: PlayedScenario, step: ScriptStep, others: Sequence[Boxes] = ()) -> None:
        self.boxes, self.course, self.step = told, course, step
        #: Who else may have words for what is asked.
        self.others = others
        self.matter, self.telling = told.matter, told.telling
        self._seat = step.message.get("by", step.message.get("legal"))

    @property
    def _about_cards(self) -> bool:
        """Say whether the question is about the cards to play."""
        act = self.step.message.get("act")
        return PLAY in act if isinstance(act, Mapping) else self.step.verb == "legal"

    def build_nodes(self) -> Iterator[nodes.Node]:
        """Yield the situation, no more of it than the question needs, and the question."""
        yield from self._start()
        drawn = [*self._hand(), *self._tricks(), *self._ledger()]
        if drawn:
            yield make_gallery(drawn, len(drawn))
        laid = sum(isinstance(event, Laid) for event in self.course.events)
        if laid > len(list(self._lying_now())) and not self._about_cards:
            yield paragraph(f"({self.matter.say('and_more')})", classes=["aside"])
        said = [event for event in self.course.events if isinstance(event, SpokenAct)]
        if said:
            yield paragraph(" ".join(sentence(self.boxes.tell_act(event)) for event in said))
        yield paragraph(strong(self.phrase_question()))

    def _start(self) -> Iterator[nodes.Node]:
        trump = self._read_view(TRUMP)
        if self._about_cards and isinstance(trump, str):
            suit = self.matter.words.glossary.suit(trump, self.matter.lang)
            yield paragraph(sentence(say(self.matter, "trump", suit=suit)))
        else:
            yield from self.boxes.opening(self.course)

    def _read_view(self, name: str) -> Json:
        return self.course.player.view(self.course.last, 0).get(name)

    def _hand(self) -> Iterator[nodes.Node]:
        if not isinstance(self._seat, int):
            return
        cards = [*words_in(self.course.player.view(self.course.last, self._seat).get("hand"))]
        if cards:
            said = say(self.matter, "hand_of", seat=self.telling.seats([self._seat]))
            drawn = self.boxes.pictures.cards(cards, said, CARD)
            drawn["short"] = self.matter.words.frame("is", what=said, value=self.cards(cards))
            yield drawn

    def _lying_now(self) -> Iterator[Laid]:
        """Yield the open trick, else the last one if the question is not about cards."""
        laid = [event for event in self.course.events if isinstance(event, Laid)]
        lying = [event for event in laid if event.winner is None]
        yield from lying or ([] if self._about_cards else laid[-1:])

    def _ledger(self) -> Iterator[nodes.Node]:
        """Yield how the accounts stood before the deal, where they are not at nothing and may matter."""
        if self._about_cards or not any(self._before()):
            return
        drawn = self.boxes.pictures.ledger([self.course.player.score(self.course.first)])
        if drawn is not None:
            drawn["short"] = ""
            yield drawn

    def _before(self) -> Sequence[Json]:
        kept = self.matter.layout.get("ledger")
        figures = self.course.player.score(self.course.first).get(kept.string("accounts")) if kept is not None else None
        return figures if isinstance(figures, list) else ()

    def _tricks(self) -> Iterator[nodes.Node]:
        for one in self._lying_now():
            drawn = self.boxes.pictures.trick(one, self.course.player.game.seats, _WIDE)
            said = say(self.matter, "on_table") if one.winner is None else self._won(one)
            drawn["short"] = self.matter.words.frame("is", what=said, value=self._lying(one))
            if one.winner is None:
                drawn["caption"] = drawn["short"]
            yield drawn

    def _won(self, laid: Laid) -> str:
        winner = self.matter.say("wins", seat=self.telling.seats([laid.winner or 0]))
        return say(
            self.matter, "trick_won", trick=self.matter.say("trick_number", number=str(laid.number)), winner=winner
        )

    def _lying(self, laid: Laid) -> str:
        return self.telling.join(
            self.matter.say("lies", seat=self.telling.seats([seat]), card=self.cards([card]))
            for seat, card in laid.cards
        )

    def cards(self, cards: Sequence[str]) -> str:
        """Return cards as they are written in a line."""
        return " ".join(self.matter.words.glossary.short(card, self.matter.lang) for card in cards)

    def phrase_question(self) -> str:
        """Return the question."""
        if self.step.verb == "act":
            by, given = self.step.deed
            known = (self.boxes, *self.others)
            words = next((one for one in known if _name_act(given) in one.matter.game.actions), self.boxes).matter.words
            return self.matter.say("asked_act", act=upper(self.matter.set(words.act(by, given))))
        seat = ""
        if self.step.verb in ("legal", "view"):
            seat = self.telling.seats([int(str(self.step.message[self.step.verb]))])
        return self.matter.say(f"asked_{self.step.verb}", seat=seat)


def _name_act(act: Mapping[str, Json]) -> str:
    """Return the name of an act as the rules have it."""
    return next(iter(act)).replace("-", "_")


def outcome(told: Boxes, step: ScriptStep, answer: Json, other: Json, names: Mapping[str, str] | None = None) -> str:
    """Return an answer of a rule base in words, reduced to its differences from the other's answer.

    `names` maps keys that it calls otherwise.
    """
    matter = told.matter
    if answer is None:
        return matter.say("not_offered")
    if answer == {"ok": True} or answer is True:
        return matter.say("allowed")
    if isinstance(answer, dict) and set(answer) == {"no"}:
        why = matter.words.typeset(matter.words.glossary.code(str(answer["no"]), matter.lang))
        return f"{matter.say('refused')} ({why.rstrip('.')})"
    if not isinstance(answer, dict):
        return told.telling.seats([answer]) if isinstance(answer, int) else str(answer)
    if step.verb == "legal":
        return _choices(told, answer) or say(matter, "not_here")
    tell = told.telling.tell_score if step.verb == "score" else told.telling.tell_view
    pairs = []
    for key, value in answer.items():
        name = (names or {}).get(key, key)
        shown = _members(told, tell, name, value)
        pairs.append(told.telling.pair(name, shown))
    return told.telling.join(pairs) if pairs else matter.words.frame("nothing") if other else ""


def _members(told: Boxes, tell: Callable[[str, Json], str], name: str, value: Json) -> str:
    """Return a value that is shown; of one that has members, each with its name."""
    words = told.matter.words
    if isinstance(value, dict):
        pairs = [
            words.frame("is", what=told.telling.field(key), value=_part(told, item)) for key, item in value.items()
        ]
        return ", ".join(pairs)
    return (tell(name, value) if value not in (None, []) else "") or words.frame("nothing")


def _part(told: Boxes, value: Json) -> str:
    """Return a member of a value that is shown: truth, card, seat or word."""
    words, glossary = told.matter.words, told.matter.words.glossary
    if isinstance(value, bool):
        return words.frame("yes" if value else "no")
    if isinstance(value, str):
        deck = told.matter.game.deck
        return glossary.short(value, told.matter.lang) if value in deck.cards else words.name("values", value)
    return words.frame("nothing") if value is None else str(value)


def _choices(told: Boxes, legal: Mapping[str, Json]) -> str:
    """Return the acts open to a seat; of many acts of one form only their number."""
    return told.telling.join(one for name, values in legal.items() if (one := _choice(told, name, values)))


def _choice(told: Boxes, name: str, values: Json) -> str:
    matter, known = told.matter, told.matter.words
    if not values:
        return ""
    if isinstance(values, dict):
        inner = "; ".join(_parameter(key, value) for key, value in values.items() if value is not None)
        return known.frame("is", what=_form(told, name), value=inner) if inner else _form(told, name)
    each = values if isinstance(values, list) else [values]
    if name == PLAY:
        cards = [known.glossary.short(card, matter.lang) for card in words_in(each)]
        few = say(matter, "or").join([", ".join(cards[:-1]), cards[-1]] if cards[:-1] else cards)
        return say(matter, "may_play", cards=few)
    if len(each) <= _MANY:
        said = (phrase({name: value}, matter.game, matter.lang, matter.choice.project) for value in each)
        return told.telling.join(dict.fromkeys(said))
    return say(matter, "possibilities", act=_form(told, name), number=known.number(len(each)))


def _parameter(name: str, value: Json) -> str:
    """Return the possible values of a parameter of an act in words."""
    if isinstance(value, list):
        return ", ".join("-".join(map(str, item)) if isinstance(item, list) else str(item) for item in value)
    return name


def _form(told: Boxes, name: str) -> str:
    """Return the form of an act, dots in place of its parameters."""
    words, game = told.matter.words, told.matter.game
    action = game.actions[name.replace("-", "_")]
    said = words.glossary.name("acts", action.id, told.matter.lang, game.id)
    for parameter in action.parameters:
        said = said.replace(f"{{{parameter.id}}}", "…")
    return words.typeset(said)
