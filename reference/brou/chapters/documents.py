"""What the chapters say beside the rules: clauses, open questions, editions, and readings that exclude each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from brou.chapters.law import Volume
from brou.chapters.nodes import Built, build
from brou.chapters.notation import ClauseForm, QuestionForm
from brou.chapters.texts import name_title, name_value
from brou.chapters.tokens import Token
from brou.language.node import Node
from brou.language.patch import Patch

#: To what a clause belongs where it does not say so, by where it is tested.
_KINDS = dict(zip(("play", "score", "table", "view", "advisory"), "PSPTT", strict=True))


class Documents:
    """Writes the clauses, open questions, editions and exclusions of a game."""

    def __init__(
        self,
        volume: Volume,
        exclusions: Sequence[tuple[Mapping[str, Collection[str]], str]],
        codes: Mapping[str, str],
        changes: Mapping[str, Mapping[str, Sequence[Patch]]],
    ) -> None:
        self.volume = volume
        self.frame = volume.frame
        self.exclusions = exclusions
        self.codes = codes
        self.changes = changes

    def write(self, section: str) -> Node:
        """Return a section: `clauses`, `ambiguities` or `editions`, each by id, or `exclusions`."""
        sections: Mapping[str, Callable[[], Built]] = {
            "clauses": self._list_clauses,
            "ambiguities": self._list_questions,
            "editions": self._editions,
            "exclusions": self._list_exclusions,
        }
        return build(sections[section](), self.volume.frame.game.place)

    def _list_clauses(self) -> Built:
        return {
            self.frame.spell_id(one.clause): build(self._clause(one), one.clause.place) for one in self.volume.clauses()
        }

    def _list_questions(self) -> Built:
        return {
            self.frame.spell_id(one.id): build(self._question(clause, one), one.id.place)
            for clause, one in self.volume.questions()
        }

    def _list_exclusions(self) -> list[Built]:
        """Return the readings that exclude each other, with the reasons."""
        return [
            {"together": {key: sorted(values) for key, values in together.items()}, "because": because}
            for together, because in self.exclusions
        ]

    def _clause(self, clause: ClauseForm) -> Built:
        tested = str(clause.tests or "advisory")
        return {
            "anchors": [self._anchor(word) for word in clause.source],
            "status": str(clause.status or "stated"),
            "kind": str(clause.kind or _KINDS.get(tested, "")),
            "testable": tested,
            "code": self.codes.get(self.frame.spell_id(clause.clause)),
            "text": self.volume.texts.of(clause.clause, clause.text),
            "note": None if clause.note is None else self.volume.texts.of(f"{clause.clause}.note", clause.note),
            "lacks": {
                cell: self.volume.texts.of(f"{clause.clause}.lacks.{cell}", word)
                for cell, word in clause.lacks.list_reasons().items()
            }
            or None,
        }

    def _anchor(self, word: Token) -> Built:
        """Return a place in the source, such as `spiel.p2 b1`."""
        passage, _, part = word.partition(" ")
        return build({"source": str(self.volume.frame.source), "at": passage, "part": part or None}, word.place)

    def _question(self, clause: ClauseForm, question: QuestionForm) -> Built:
        id_, say = question.id, self.volume.texts.of
        decision = next(((key, word) for key in _DECISIONS if (word := getattr(question, key)) is not None), None)
        number = question.number
        readings = {value: self._reading(question, value) for value in question.readings}
        passages = question.source or tuple(word.split()[0] for word in clause.source)
        return {
            "treatment": _treatment(question),
            "key": None if question.key is None else str(question.key),
            "code": self.codes.get(self.frame.spell_id(id_)),
            "title": self._name(name_title(question), question.title),
            "question": say(f"{id_}.ask", question.ask),
            "passages": list(map(str, passages)),
            "quote": None if question.quote is None else str(question.quote),
            "clauses": [self.frame.spell_id(label) for label in question.about or (clause.clause,)],
            "number": None
            if number is None
            else {
                "name": self._name(name_value(question, number.of), number.name),
                "from": number.low,
                "to": number.high,
                "at": f"params/{number.of}/value",
            },
            "readings": readings or None,
            "excluded": {
                value: {"reason": say(f"{id_}.not.{value}", word)} for value, word in question.excluded.items()
            }
            or None,
            "decision": None if decision is None else say(f"{id_}.{decision[0]}", decision[1]),
            "confidence": None if question.confidence is None else str(question.confidence),
            "note": None if question.note is None else say(f"{id_}.note", question.note),
        }

    def _reading(self, question: QuestionForm, value: str) -> Built:
        reading = question.readings[value]
        changes = self.changes.get(str(question.key), {}).get(value, ())
        return {
            "name": self._name(name_value(question, value), reading.name),
            "argument": self.volume.texts.of(f"{question.id}.{value}", reading.why),
            "confidence": None if reading.confidence is None else str(reading.confidence),
            "patch": [dict(change.node.fields) for change in changes],
        }

    def _name(self, id_: str, name: Token | None) -> Built:
        return None if name is None else dict(self.volume.texts.of(id_, name))

    def _editions(self) -> Built:
        return {id_: dict(self._edition(id_)) for id_ in self.volume.frame.editions}

    def _edition(self, id_: str) -> Iterator[tuple[str, Built]]:
        edition = self.volume.frame.editions[id_]
        yield "title", self.volume.texts.of(f"editions.{id_}", edition.title)
        chosen = self.volume.choose_readings(id_)
        yield "readings", {key: int(value) if value.isdigit() else value for key, value in chosen.items()}
        yield "setups", {str(setup): self._setup(setup) for setup in edition.setups}

    def _setup(self, id_: str) -> Built:
        title = self.volume.frame.setups.get(id_)
        return {} if title is None else {"title": self.volume.texts.of(f"setups.{id_}", title)}


#: The keys under which a question has an answer for all.
_DECISIONS = ("settled", "agree", "decided")


def _treatment(question: QuestionForm) -> str:
    """Return the word of registers for what becomes of a question."""
    if question.readings or question.number is not None:
        return "VAR"
    if question.agree is not None:
        return "OPEN"
    return "FIX" if question.same is None else "LINT"
