"""One case in words: its story, the question, both answers, the rule, its source, and the command that tells more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from brou.shapes import ABSENT
from brou_conformance.judging.case import CaseReport, ShownReport
from brou_conformance.protocol import shorten
from brou_conformance.reports.page import Page
from brou_conformance.reports.sentences import Sentences, join
from brou_conformance.reports.sources import SourceReport, tell_clause
from brou_conformance.reports.summary import Summary, ToldCase
from brou_conformance.scenarios.corpus import translations

#: How many acts of a story are told, the last ones, and how long a text of the program may be.
_STORY, _LONG = 12, 1000


@dataclass(frozen=True, slots=True)
class Teller:
    """Puts cases into words, in a language, on a page."""

    words: Sentences = field(default_factory=Sentences)
    page: Page = field(default_factory=Page)

    def line(self, text: str, indent: str) -> Iterator[str]:
        """Yield a text that somebody else has written, in lines."""
        yield from self.page.wrap(shorten(text, _LONG), indent)

    def clause(self, summary: Summary, clause: str, setup: str, indent: str) -> Iterator[str]:
        """Yield the text of a clause, and its source."""
        choice, data = summary.choice(setup), summary.data
        text = tell_clause(choice, clause, self.words.lang, data)
        yield from self.page.wrap(text, indent)

    def sources(self, case: ToldCase, clause: str, indent: str) -> Iterator[str]:
        """Yield where a clause of a case comes from."""
        if cited := case.sources.get(clause):
            yield from self.page.wrap(self.words.say("source", places=tell_sources(cited, self.words)), indent)

    def translate(self, summary: Summary, case: CaseReport) -> tuple[str, str]:
        """Return title and reason of a case in the language, in English where there is no translation."""
        found = translations(case.game, self.words.lang, summary.corpus).get(case.id)
        title, because = (case.title, case.because) if found is None else (found.title, found.because)
        return title or "", because or ""

    def moment(self, summary: Summary, case: ToldCase, shown: ShownReport, indent: str) -> Iterator[str]:
        """Yield the story of a case, the question, and the answers of the program and of the rules."""
        words = self.words
        title, because = self.translate(summary, case.report)
        yield from self.line(title, indent)
        for start in shown.start:
            yield from self.line(join(map(words.echo, start.split(", "))), indent)
        if shown.acts:
            yield from self.line(self.story(shown.acts), indent)
        yield from self.line(words.echo(shown.question), indent)
        yield from self.answers(
            (words.say("program"), self._tell_answer(shown)),
            (words.say("rules"), words.echo(shown.wanted)),
            indent + "  ",
        )
        yield from self.line(because, indent)
        if case.command:
            # Whole, so that it can be copied.
            yield f"{indent}{case.command}"

    def answers(self, said: tuple[str, str], wanted: tuple[str, str], indent: str) -> Iterator[str]:
        """Yield two answers, each with the name of whose it is, one below the other."""
        width = max(len(said[0]), len(wanted[0])) + 1
        for (name, text), style in ((said, "bad"), (wanted, "good")):
            lines = list(self.page.wrap(text, f"{indent}{name:{width}}", indent + " " * width))
            first, *others = lines or [f"{indent}{name}"]
            yield first.replace(name, self.page.paint(name, style), 1)
            yield from others

    def _tell_answer(self, shown: ShownReport) -> str:
        said = self.words.echo(shown.said)
        return said if shown.reason is ABSENT else self.words.say("reasoning", said=said, reason=shown.reason)

    def story(self, acts: Sequence[str]) -> str:
        """Return some acts in one line, of many only the last."""
        words, before = self.words, len(acts) - _STORY
        skipped = [words.say("acts_before", acts=words.count(before, "act"))] if before > 0 else []
        return ", ".join([*skipped, *acts[-_STORY:]])

    def whole(self, summary: Summary, case: ToldCase) -> Iterator[str]:
        """Yield a case by itself, with its clauses and where they come from."""
        shown = case.report.shown
        if shown is ABSENT:
            yield str(case.report.trace)
            return
        yield f"{shown.step} ({shown.place})"
        yield from self.moment(summary, case, shown, "  ")
        for clause in case.report.clauses:
            yield f"  {clause}"
            yield from self.clause(summary, clause, case.report.setup, "    ")
            yield from self.sources(case, clause, "    ")


def tell_sources(cited: Iterable[SourceReport], words: Sentences) -> str:
    """Return some passages in words, those of one work together."""
    works: dict[str, list[str]] = {}
    for one in cited:
        told = one.at if one.words is ABSENT else words.say("begins", place=one.at, words=one.words)
        works.setdefault(one.work if one.title is ABSENT else one.title, []).append(told)
    return "; ".join(f"{title}, {', '.join(places)}" for title, places in works.items())
