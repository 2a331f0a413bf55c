"""The report as one page for browsers: what explains the failures first, then readings, skills, and every failing case.

What a program says is put in as text and escaped; the page's own policy lets nothing in it act or ask a host.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from importlib.metadata import version
from typing import NamedTuple

from markupsafe import Markup, escape

from brou import BrouError, Words, book, open_project, rules
from brou_conformance.judging.case import ShownReport
from brou_conformance.judging.outcome import CaseOutcome
from brou_conformance.protocol import shorten
from brou_conformance.reports.case_text import Teller, tell_sources
from brou_conformance.reports.page import Page
from brou_conformance.reports.roots_text import RootText, describe_root, tell_behaviour, tell_play
from brou_conformance.reports.sentences import join
from brou_conformance.reports.sources import cite, tell_clause
from brou_conformance.reports.summary import Summary, ToldCase, ToldRoot, expect_shown, summarise
from brou_conformance.reports.text import EditionText, tell_figures, tell_part, tell_rest, tell_suspicion, tell_verdict
from brou_conformance.reports.variants_text import tell_variants
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.script import spell
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import Report
from brou_tools.pages.card_text import CardText
from brou_tools.pages.page_writer import write_whole_page
from brou_tools.viewer.scenes import Scene, find_scene

#: Wide enough for any paragraph: browsers break lines themselves.
WIDTH = 1_000_000
#: How long a text of the program may be.
_LONG = 1000


@dataclass(frozen=True, slots=True)
class ShownCase:
    """A failing case as the page shows it, everything in the language of the page."""

    #: Names it among all cases of the page.
    key: str
    id: str
    step: str
    place: str
    title: str
    because: str
    start: tuple[str, ...]
    acts: tuple[str, ...]
    question: Markup
    said: Markup
    wanted: Markup
    #: Both answers with their cards in short, those that only one of them has drawn.
    said_short: Markup
    wanted_short: Markup
    reason: str
    clauses: tuple[str, ...]
    #: What a reader may look for: the roots that explain it, and its clauses.
    about: str
    command: str


@dataclass(frozen=True, slots=True)
class ShownScene:
    """A drawn scene with the cards that the program would let be played, where its answer names cards of the hand."""

    scene: Scene
    offered: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class ShownRoot:
    """A change of the rules that explains failures."""

    number: int
    told: RootText
    #: The text of its clause, where the change has none of its own.
    text: str
    #: Both texts, those words marked that only one of them has.
    before: Markup
    after: Markup
    sources: str
    case: ShownCase
    scene: ShownScene | None


@dataclass(frozen=True, slots=True)
class ShownSuspect:
    """A clause with failures that no change of the rules explains."""

    clause: str
    head: str
    text: str
    sources: str
    case: ShownCase
    scene: ShownScene | None


@dataclass(frozen=True, slots=True)
class ShownClause:
    """A clause that failing cases cite, with its text and where it comes from."""

    id: str
    text: str
    sources: str


@dataclass(frozen=True, slots=True)
class SkillCell:
    """The questions of a skill in words, empty for none, and whether some answer is wrong."""

    told: str
    more: str
    wrong: bool


class SitePlace(NamedTuple):
    """Where a page is in a site: the pages above it with their titles, and itself by language with its name."""

    above: Sequence[tuple[str, str]]
    tongues: Sequence[tuple[str, str, str]]


#: Of a page that stands alone.
_ALONE = SitePlace((), ())


def write_verdict_page(
    report: Report, teller: Teller, command: str, *, every: bool = False, place: SitePlace = _ALONE
) -> str:
    """Return the report as a page that needs no other file; `command` leads to the same verdict.

    A page of a site says where it is.
    """
    plain = Teller(teller.words, Page(WIDTH))
    editions = [ShownEdition(summary, plain) for summary in summarise(report.runs, every=every)]
    lang = teller.words.lang
    # Games with the same cards share their faces.
    faces = {one.cards.pack: one.cards.style_cards() for one in editions}

    def word(entry: str, /, **parts: object) -> str:
        return teller.words.tell("page", entry, **parts)

    return write_whole_page(
        "verdict.html.jinja",
        "".join(faces.values()),
        lang=lang,
        word=word,
        name=shorten(editions[0].summary.program if editions else report.engine.get("name", "")) or word("program"),
        editions=editions,
        clauses=(cited := {one.id: one for edition in editions for one in edition.clauses}),
        anchor=lambda clause: f"#{clause}" if clause in cited else "",
        skills=_name_skills(editions, teller),
        rest=tell_rest(report, plain).splitlines(),
        command=command,
        above=place.above,
        tongues=place.tongues,
        version=version("brou"),
    )


def _name_skills(editions: Sequence[ShownEdition], teller: Teller) -> dict[str, str]:
    """Return the skills that some edition needs, each with its name."""
    needed = dict.fromkeys(skill for one in editions for skill in one.summary.run.skills)
    return {skill: teller.words.word("skills", skill) for skill in needed}


def mark_words(text: str, other: str) -> Markup:
    """Return a text in which the words that the other text has not are marked."""
    one, two = text.split(), other.split()
    parts = list[Markup]()
    for kind, start, end, _, _ in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if start < end:
            said = escape(" ".join(one[start:end]))
            parts.append(said if kind == "equal" else Markup("<mark>{}</mark>").format(said))
    return Markup(" ").join(parts)


@dataclass(frozen=True)
class ShownEdition:
    """An edition as the page shows it, all of it from the one summary."""

    summary: Summary
    teller: Teller

    @property
    def id(self) -> str:
        """Return the edition, by which the page finds it."""
        return self.summary.name

    @property
    def verdict(self) -> str:
        """Return the verdict in a sentence."""
        return tell_verdict(self.summary, self.teller)

    @property
    def badge(self) -> str:
        """Return the verdict in few words."""
        name = "known" if self.summary.run.as_known else self.summary.told_verdict
        return self.teller.words.word("badges", name)

    @property
    def fine(self) -> bool:
        """Say whether nothing has to be looked at."""
        return self.summary.is_fine

    @property
    def lead(self) -> Sequence[str]:
        """Return the first sentences: the rules that it plays, the number of cases, and the advice for its author."""
        run, told = self.summary.run, [tell_play(self.summary, self.teller)]
        told += [tell_figures(self.summary, self.teller)] if self.summary.figures.cases else []
        told += [tell_part(self.summary, self.teller)] if run.whole else []
        told += [tell_suspicion(self.teller)] if self.summary.suspects_adapter else []
        if any(count.behind for count in run.skills.values()):
            told.append(self.teller.words.say("behind"))
        return [one for one in told if one]

    @property
    def failing(self) -> int:
        """Return how many cases speak against the program."""
        return len(self.summary.run.failing)

    @property
    def deviates(self) -> bool:
        """Say whether something in it is to be explained."""
        return self.summary.run.verdict is EditionVerdict.DEVIATES

    # Words ----------------------------------------------------------------------

    @cached_property
    def cards(self) -> CardText:
        """Return what draws the cards of this game."""
        summary = self.summary
        setups = book(summary.run.game, summary.data).editions[summary.run.edition].setups
        games = [rules(summary.choice(setup), summary.data) for setup in setups]
        words = Words(games[0], self.teller.words.lang, open_project(summary.data))
        cards = frozenset(card for game in games for card in game.deck.cards)
        return CardText(cards, words.lang, words.glossary)

    @property
    def classes(self) -> str:
        """Return the classes that show cards, by their short forms, for the script of the page."""
        return json.dumps(self.cards.name_classes())

    def _paragraphs(self, lines: Iterator[str]) -> list[str]:
        return [line.strip() for line in lines if line.strip()]

    @property
    def readings(self) -> list[str]:
        """Return the readings that it follows undeclared, known failures, and the remarks."""
        text = EditionText(self.summary, self.teller)
        parts = (text.readings(), text.known_failures(), text.remarks(), text.not_asked())
        return [line for part in parts for line in self._paragraphs(part)]

    @property
    def mishaps(self) -> list[str]:
        """Return what could not be judged, and our own faults."""
        text = EditionText(self.summary, self.teller)
        parts = (text.mishaps(), text.own_faults())
        return [line for part in parts for line in self._paragraphs(part)]

    @property
    def variants(self) -> str:
        """Return what variants of the scenarios came to, in lines."""
        told = Teller(self.teller.words, Page())
        return "\n".join(tell_variants(self.summary.run, told)).strip("\n")

    def skill(self, name: str) -> SkillCell:
        """Return the questions of a skill in words."""
        words, count = self.teller.words, self.summary.run.skills.get(name)
        if count is None:
            return SkillCell("", "", wrong=False)
        number = {key: words.number(value) for key, value in (("asked", count.asked), ("wrong", count.wrong))}
        told = words.tell("page", "wrong_of" if count.wrong else "right", **number) if count.asked else ""
        left = (("unasked", count.unasked), ("behind", count.behind))
        more = [words.tell("page", key, number=words.number(value)) for key, value in left if value]
        return SkillCell(told, ", ".join(more), wrong=count.wrong > 0)

    # What explains it -------------------------------------------------------------

    @cached_property
    def roots(self) -> Sequence[ShownRoot]:
        """Return the changes of the rules that explain failures."""
        return [self._show_root(number, one) for number, one in enumerate(self.summary.roots, 1)]

    def _show_root(self, number: int, one: ToldRoot) -> ShownRoot:
        case, told = self.summary.case(one.shown), describe_root(self.summary, one, self.teller)
        return ShownRoot(
            number=number,
            told=told,
            text=self._tell_clause(told.clause, one.shown.setup) if told.cites_clause else "",
            before=mark_words(told.before, told.after),
            after=mark_words(told.after, told.before),
            sources=self._tell_sources(told.clause),
            case=self.show_case(one.shown, case),
            scene=self._show_scene(one.shown, case),
        )

    @property
    def unexplained(self) -> Sequence[str]:
        """Return what the program does where no change of the rules explains it, and what hindered the search."""
        words, found = self.teller.words, self.summary.run.explanation
        told = [words.say("no_explanation")] if found.trace else []
        if self.summary.behaviours:
            told.append(words.say("behaviours" if self.summary.roots else "behaviours_alone"))
        return [*told, *([words.say("cut_short")] if found.is_cut_short and not found.is_whole else [])]

    @property
    def behaviours(self) -> Sequence[tuple[str, ShownCase, ShownScene | None]]:
        """Return each such behaviour with the case that shows it soonest."""
        return [
            (tell_behaviour(one, self.teller), self.show_case(one.shown), self._show_scene(one.shown))
            for one in self.summary.behaviours
        ]

    @cached_property
    def suspects(self) -> Sequence[ShownSuspect]:
        """Return the clauses with failures that no change of the rules explains."""
        found, words = list[ShownSuspect](), self.teller.words
        for one in self.summary.suspects:
            case = self.summary.case(one.shown)
            number, cases = words.number(one.failing), words.count(one.total, "of_case")
            fail = words.name_number(one.failing, "failed")
            head = words.say("clause_fails", clause=one.clause, failing=number, cases=cases, fail=fail)
            text, sources = self._tell_clause(one.clause, one.shown.setup), self._tell_sources(one.clause)
            shown, scene = self.show_case(one.shown, case), self._show_scene(one.shown, case)
            found.append(ShownSuspect(one.clause, head, text, sources, shown, scene))
        return found

    def _show_scene(self, outcome: CaseOutcome, case: ToldCase | None = None) -> ShownScene | None:
        """Return the table before the step to look at; nothing where the rules come to no such step."""
        shown = expect_shown(case or self.summary.case(outcome))
        choice, data = self.summary.choice(outcome.setup), self.summary.data
        words = Words(rules(choice, data), self.teller.words.lang, choice.project)
        known = {one.id: one for one in corpus.scenarios(choice.game, self.summary.corpus)}
        try:
            script = spell(known[outcome.id], choice, data)
            scene = find_scene(script, shown.step.partition("#")[2], words, data)
        except (BrouError, LookupError):
            return None
        if scene is None:
            return None
        hand = {one.card for one in scene.hand}
        offered = self.cards.find_cards(shown.said) & hand
        asked = "legal" in {step.verb for step in script.steps if step.id == scene.step}
        return ShownScene(scene, offered if asked and offered else None)

    # Cases ------------------------------------------------------------------------

    def list_cases(self) -> Iterator[ShownCase]:
        """Yield every case that speaks against the program, in the order of the corpus."""
        yield from map(self.show_case, self.summary.run.failing)

    @cached_property
    def _explaining(self) -> dict[int, list[str]]:
        """Return by the number of a case the roots that explain it."""
        found: dict[int, list[str]] = {}
        for number, one in enumerate(self.summary.roots, 1):
            for case in one.root.explains:
                found.setdefault(case, []).append(f"change-{number}")
        return found

    def show_case(self, outcome: CaseOutcome, known: ToldCase | None = None) -> ShownCase:
        """Return a failing case in the language of the page."""
        case, words = known or self.summary.case(outcome), self.teller.words
        shown = expect_shown(case)
        title, because = self.teller.translate(self.summary, case.report)
        said, wanted = (shorten(words.echo(text), _LONG) for text in (shown.said, shown.wanted))
        here, there = self.cards.find_cards(said), self.cards.find_cards(wanted)
        return ShownCase(
            key=f"{self.id}:{outcome.setup}/{outcome.id}",
            id=outcome.id,
            step=shown.step,
            place=shown.place,
            title=title,
            because=because,
            start=tuple(self._spell_start(shown)),
            acts=tuple(self.cards.spell(act) for act in shown.acts),
            question=self.cards.draw(words.echo(shown.question)),
            said=self.cards.draw(said, here - there),
            wanted=self.cards.draw(wanted, there - here),
            said_short=self.cards.mark(said, here - there),
            wanted_short=self.cards.mark(wanted, there - here),
            reason=shorten(shown.reason, _LONG) if isinstance(shown.reason, str) else "",
            clauses=case.report.clauses,
            about=" ".join([*self._explaining.get(outcome.number, []), *case.report.clauses]),
            command=case.command,
        )

    def _spell_start(self, shown: ShownReport) -> Iterator[str]:
        for start in shown.start:
            yield self.cards.spell(join(map(self.teller.words.echo, start.split(", "))))

    @property
    def subjects(self) -> Sequence[tuple[str, str]]:
        """Return what cases can be picked by: the roots, and the clauses that failing cases cite."""
        word = self.teller.words.word("page", "change")
        roots = [
            (f"change-{one.number}", f"{word.format(number=one.number)}: {one.told.clause or one.told.place}")
            for one in self.roots
        ]
        return [*roots, *((one.id, one.id) for one in self.clauses)]

    @cached_property
    def clauses(self) -> Sequence[ShownClause]:
        """Return the clauses that failing cases cite, each once with its text and source."""
        first: dict[str, CaseOutcome] = {}
        for outcome in self.summary.run.failing:
            for clause in outcome.clauses:
                first.setdefault(clause, outcome)
        return [
            ShownClause(clause, self._tell_clause(clause, one.setup), self._tell_sources(clause))
            for clause, one in sorted(first.items())
        ]

    def _tell_clause(self, clause: str, setup: str) -> str:
        return tell_clause(self.summary.choice(setup), clause, self.teller.words.lang, self.summary.data)

    def _tell_sources(self, clause: str) -> str:
        run = self.summary.run
        cited = cite(run.game, clause, self.summary.data, run.tally.texts) if clause else ()
        return self.teller.words.say("source", places=tell_sources(cited, self.teller.words)) if cited else ""
