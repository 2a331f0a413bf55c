"""Putting questions to people: the situation in words, numbered answers, and the answer on a line that they write."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import TextIO

from brou import Words
from brou.atomic import read_named
from brou_conformance.questioning.outcomes import ALLOWED, FORBIDDEN, HIDDEN, Outcome, read_outcome
from brou_conformance.questioning.respondent import outcomes_told
from brou_conformance.questioning.splitting import SplittingQuestion
from brou_conformance.scenarios.scenario import ScriptStep
from brou_tools.questions.phrasing import (
    phrase_key,
    phrase_pair,
    phrase_question,
    phrase_route,
    phrase_start,
    wrap_lines,
)

#: What people write for an answer that is not among those numbered, and where they do not know.
OTHER, UNKNOWN = "0", "?"
#: A line that begins so is none of the answers.
_REMARK = "#"


class NoMore(Exception):
    """The answers have come to their end."""


@dataclass(slots=True)
class AskedPeople:
    """People at a table: questions are shown to them, and their answers come line by line.

    The `transcript` holds everything shown and answered. Of answers from a file, empty lines and those that begin with
    # are left out.
    """

    words: Words
    answers: TextIO
    shown: TextIO
    prompting: bool
    transcript: list[str] = field(default_factory=list)

    def show(self, lines: Sequence[str] | Iterator[str]) -> None:
        """Show some lines."""
        for line in lines:
            self.transcript.append(line)
            print(line, file=self.shown)

    def ask(self, number: int, question: SplittingQuestion) -> tuple[frozenset[Outcome], str]:
        """Return the outcomes that an answer agrees with, and its words; raise `NoMore` at the end of answers."""
        outcomes = outcomes_told(question)
        told = [phrase_outcome(question.step, outcome, outcomes, self.words) for outcome in outcomes]
        self.show(["", self.words.frame("asked_number", number=str(number))])
        self.show(phrase_start(question.course.start, self.words))
        self.show(phrase_route([step.deed for step in question.route], self.words, told=bool(question.route)))
        self.show([_question(question.step, self.words)])
        options = [*(f"{place}" for place in range(1, len(told) + 1)), OTHER, UNKNOWN]
        others = [self.words.frame("asked_other"), self.words.frame("asked_unknown")]
        for option, text in zip(options, [*told, *others], strict=True):
            self.show(_option(option, text))
        answer = self._read(options)
        if answer == UNKNOWN:
            return frozenset(outcomes), others[1]
        if answer == OTHER:
            return frozenset(), others[0]
        place = int(answer) - 1
        return frozenset({outcomes[place]}), told[place]

    def ask_number(self, number: int, text: str, low: int, high: int) -> str | None:
        """Return a number within bounds, None where people do not know it."""
        self.show(["", self.words.frame("asked_number", number=str(number)), *wrap_lines(text, "")])
        bounds = {"low": self.words.number(low), "high": self.words.number(high)}
        self.show([self.words.frame("asked_within", **bounds)])
        while True:
            answer = self._line()
            if answer == UNKNOWN:
                return None
            if answer.isdecimal() and len(answer) <= len(str(high)) and low <= int(answer) <= high:
                return str(int(answer))
            self._refuse(answer, f"{low}..{high}, {UNKNOWN}")

    def _read(self, options: Sequence[str]) -> str:
        while True:
            answer = self._line()
            if answer in options:
                return answer
            self._refuse(answer, ", ".join(options))

    def _line(self) -> str:
        """Return the next answer without the space round it."""
        while True:
            if self.prompting:
                print("> ", end="", file=self.shown, flush=True)
            line = self.answers.readline()
            if not line:
                raise NoMore
            answer = line.strip()
            if answer and not answer.startswith(_REMARK):
                self.transcript.append(f"> {answer}")
                return answer

    def _refuse(self, answer: str, options: str) -> None:
        said = "".join(character for character in answer if character.isprintable())[:_SHOWN]
        self.show([self.words.frame("asked_again", answer=said, answers=options)])


#: So many characters of an answer that is none are shown.
_SHOWN = 40


def open_answers(name: str) -> TextIO:
    """Return the answers of a file, or of the standard input for `-`; raise an `OSError` that names the file."""
    return sys.stdin if name == "-" else StringIO(read_named(Path(name)).decode(errors="replace"))


def phrase_outcome(step: ScriptStep, outcome: Outcome, outcomes: Sequence[Outcome], words: Words) -> str:
    """Return an outcome in words, as far as the others differ from it."""
    if outcome == ALLOWED:
        return words.frame("allowed")
    if outcome == FORBIDDEN:
        return words.frame("refused")
    mine = read_outcome(outcome)
    if step.verb == "winner":
        return words.frame("nothing") if mine["winner"] is None else words.seat(mine["winner"])
    whole = [read_outcome(one) for one in outcomes]
    parts = [
        phrase_pair(phrase_key(step, key, words), value, words)
        for key, value in mine.items()
        if key != HIDDEN and any(other.get(key) != value for other in whole)
    ]
    hidden = [key for key in mine.get(HIDDEN, []) if any(key not in other.get(HIDDEN, []) for other in whole)]
    parts += [words.frame("is", what=words.name("fields", key), value=words.frame("asked_hidden")) for key in hidden]
    if not parts:
        parts = [words.frame("is", what=words.name("fields", key), value=words.frame("asked_shown"))
                 for one in whole for key in one.get(HIDDEN, [])]  # fmt: skip
    return "; ".join(dict.fromkeys(parts))


def _option(option: str, text: str) -> list[str]:
    first, *rest = wrap_lines(text, "     ") or [""]
    return [f"  {option}) {first.strip()}", *rest]


def _question(step: ScriptStep, words: Words) -> str:
    if step.verb == "act":
        return words.frame("asked_act", act=words.act(*step.deed))
    return words.frame("asked_score") if step.verb == "score" else phrase_question(step, words)
