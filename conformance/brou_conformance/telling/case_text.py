"""One case in words: how it came about, what was asked, both answers, the rule, its source, and what tells more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from brou_conformance.protocol import Message, shorten
from brou_conformance.scenarios.corpus import translations
from brou_conformance.telling.page import Page
from brou_conformance.telling.sentences import Sentences, join
from brou_conformance.telling.sources import tell_clause
from brou_conformance.telling.summary import Summary

#: How many acts of a story are told, the last ones, and how long a text of the program may be.
_STORY, _LONG = 12, 1000


@dataclass(frozen=True, slots=True)
class Teller:
    """Who tells: in a language, on a page."""

    words: Sentences = field(default_factory=Sentences)
    page: Page = field(default_factory=Page)

    def line(self, text: str, indent: str) -> Iterator[str]:
        """Yield a text that somebody else has written, in lines."""
        yield from self.page.wrap(shorten(text, _LONG), indent)

    def clause(self, summary: Summary, clause: str, setup: str, indent: str) -> Iterator[str]:
        """Yield what a clause says, and where it comes from."""
        choice, data = summary.choice(setup), summary.data
        text = tell_clause(choice, clause, self.words.lang, data)
        yield from self.page.wrap(text, indent)

    def sources(self, case: Message, clause: str, indent: str) -> Iterator[str]:
        """Yield where a clause of a case comes from."""
        if cited := case.get("sources", {}).get(clause):
            yield from self.page.wrap(self.words.say("source", places=tell_sources(cited, self.words)), indent)

    def translate(self, summary: Summary, case: Message) -> tuple[str, str]:
        """Return title and reason of a case in the language, in English where there is no translation."""
        found = translations(case["game"], self.words.lang, summary.corpus).get(case["id"])
        return (case["title"], case["because"]) if found is None else (found.title, found.because)

    def moment(self, summary: Summary, case: Message, indent: str) -> Iterator[str]:
        """Yield how a case came about, what was asked, what was said, and what the rules say."""
        words, shown = self.words, case["shown"]
        title, because = self.translate(summary, case)
        yield from self.line(title, indent)
        for start in shown["start"]:
            yield from self.line(join(map(words.echo, start.split(", "))), indent)
        if shown["acts"]:
            yield from self.line(self.story(shown["acts"]), indent)
        yield from self.line(words.echo(shown["question"]), indent)
        yield from self.answers(
            (words.say("program"), self._said(shown)), (words.say("rules"), words.echo(shown["wanted"])), indent + "  "
        )
        yield from self.line(because, indent)
        if "command" in case:
            # Whole, so that it can be copied.
            yield f"{indent}{case['command']}"

    def answers(self, said: tuple[str, str], wanted: tuple[str, str], indent: str) -> Iterator[str]:
        """Yield two answers, each with the name of whose it is, one below the other."""
        width = max(len(said[0]), len(wanted[0])) + 1
        for (name, text), style in ((said, "bad"), (wanted, "good")):
            lines = list(self.page.wrap(text, f"{indent}{name:{width}}", indent + " " * width))
            first, *others = lines or [f"{indent}{name}"]
            yield first.replace(name, self.page.paint(name, style), 1)
            yield from others

    def _said(self, shown: Message) -> str:
        said = self.words.echo(shown["said"])
        return self.words.say("reasoning", said=said, reason=shown["reason"]) if "reason" in shown else said

    def story(self, acts: Sequence[str]) -> str:
        """Return some acts in one line, of many only the last."""
        words, before = self.words, len(acts) - _STORY
        skipped = [words.say("acts_before", acts=words.count(before, "act"))] if before > 0 else []
        return ", ".join([*skipped, *acts[-_STORY:]])

    def whole(self, summary: Summary, case: Message) -> Iterator[str]:
        """Yield a case by itself, with its clauses and where they come from."""
        if "shown" not in case:
            yield str(case["trace"])
            return
        yield f"{case['shown']['step']} ({case['shown']['place']})"
        yield from self.moment(summary, case, "  ")
        for clause in case["clauses"]:
            yield f"  {clause}"
            yield from self.clause(summary, clause, case["setup"], "    ")
            yield from self.sources(case, clause, "    ")


def tell_sources(cited: list[Message], words: Sentences) -> str:
    """Return some passages in words, those of one work together."""
    works: dict[str, list[str]] = {}
    for one in cited:
        begins = one.get("words")
        told = words.say("begins", place=one["at"], words=begins) if begins else one["at"]
        works.setdefault(str(one.get("title", one["work"])), []).append(told)
    return "; ".join(f"{title}, {', '.join(places)}" for title, places in works.items())
