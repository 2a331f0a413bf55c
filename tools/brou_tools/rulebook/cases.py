"""The smallest case in which the readings of a question differ: the position, the question, and each answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_uppercase

from docutils import nodes

from brou import Json
from brou_conformance.protocol import words_in
from brou_conformance.scenarios.scenario import ScriptStep
from brou_tools.documents.nodes import RUN_IN, in_lines, make_citation, paragraph, strong, table, text, together
from brou_tools.situation.examples import Laid, SeparatingCase, SpokenAct
from brou_tools.situation.panels import Boxes, upper
from brou_tools.situation.pictures import CARD

#: Of a case that begins long before its question, so many complete tricks are shown.
_SHOWN = 1


class CaseTeller:
    """Tells cases of one set-up."""

    def __init__(self, boxes: Boxes) -> None:
        self.boxes = boxes
        self.matter, self.telling, self.pictures = boxes.matter, boxes.telling, boxes.pictures

    def show_case(self, case: SeparatingCase, after: Sequence[nodes.Node]) -> Iterator[nodes.Node]:
        """Yield the position, the question, and the answer of each reading, followed by `after`."""
        opening = self.boxes.tell_opening(case.course)
        heading = paragraph(strong(f"{self.matter.say('smallest')}."), text(f"{RUN_IN}{opening}"), classes=["lead"])
        asked = paragraph(strong(self._asking(case.step)), classes=["lead"])
        lettered = zip(ascii_uppercase, case.answers.values(), strict=False)
        rows = [[letter, upper(self._outcome(case, answer))] for letter, answer in lettered]
        answers = table([self.matter.say("reading"), self.matter.say("outcome")], rows, [1, 5])
        named = paragraph(make_citation(case.course.scenario.id, here=False), classes=["aside", "end"])
        drawn, said = list(self._draw_position(case)), list(self._tell_acts(case))
        if drawn:
            yield together("", heading, *drawn)
        yield together("", *([] if drawn else [heading]), *said, asked, answers, named, *after)

    def _asking(self, step: ScriptStep) -> str:
        if step.verb == "act":
            return self.matter.say("asked_act", act=upper(self.matter.set(self.matter.words.act(*step.deed))))
        seat = self.telling.seats([int(str(step.message[step.verb]))]) if step.verb in ("legal", "view") else ""
        return self.matter.say(f"asked_{step.verb}", seat=seat)

    def _draw_position(self, case: SeparatingCase) -> Iterator[nodes.Node]:
        """Yield the position of a question in pictures: the hand of the seat that must answer, the last tricks."""
        whole, step = case.course, case.step
        asked = step.message.get("by", step.message.get("legal"))
        drawn: list[nodes.Element] = []
        if isinstance(asked, int):
            cards = [*words_in(whole.player.view(whole.last, asked).get("hand"))]
            if cards:
                drawn.append(self.pictures.cards(cards, self.telling.seats([asked]), CARD))
        laid = [event for event in whole.events if isinstance(event, Laid)]
        tricks = laid[-1 - _SHOWN :] if laid and laid[-1].winner is None else laid[-_SHOWN:]
        drawn += [self.pictures.trick(one, whole.player.game.seats) for one in tricks]
        if drawn:
            yield in_lines(drawn)
        if len(tricks) < len(laid):
            yield paragraph(f"({self.matter.say('and_more')})", classes=["aside"])

    def _tell_acts(self, case: SeparatingCase) -> Iterator[nodes.Node]:
        """Yield the acts before a question in words."""
        said = [event for event in case.course.events if isinstance(event, SpokenAct)]
        if said:
            yield paragraph(self.boxes.sentences(said))

    def _outcome(self, case: SeparatingCase, answer: Mapping[str, Json] | None) -> str:
        if answer is None:
            return self.matter.say("not_offered")
        if "no" in answer:
            why = self.matter.words.typeset(self.matter.words.glossary.code(str(answer["no"]), self.matter.lang))
            return f"{self.matter.say('refused')} ({why.rstrip('.')})"
        if answer.get("ok"):
            return self.matter.say("allowed")
        verb = case.step.verb
        others = [other[verb] for other in case.answers.values() if other is not None and verb in other]
        return self._differing(verb, answer[verb], others)

    def _differing(self, verb: str, shown: Json, others: Sequence[Mapping[str, Json]]) -> str:
        """Return those parts of an answer in which the readings differ."""
        if not isinstance(shown, dict):
            return self.telling.seats([shown]) if isinstance(shown, int) else str(shown)
        apart = [key for key in shown if any(other.get(key) != shown[key] for other in others)]
        gone = [key for other in others for key in other if key not in shown]
        if verb == "legal":
            return self.boxes.choices({key: shown[key] for key in apart}) if apart else self._lacking(gone)
        tell = self.telling.tell_score if verb == "score" else self.telling.tell_view
        told = {key: tell(key, shown[key]) for key in apart}
        filled = [self.telling.pair(key, value) for key, value in told.items() if value != self.telling.nothing]
        if told and not filled:
            return self.matter.say("none_of_this")
        return self.telling.join(filled) or self._lacking(gone)

    def _lacking(self, gone: Sequence[str]) -> str:
        dash = self.telling.nothing
        return self.telling.join(self.telling.pair(key, dash) for key in dict.fromkeys(gone)) or dash
