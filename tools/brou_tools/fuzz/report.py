"""The report of a fuzzing run: for people, and as one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from brou import ORIGINAL, Choice, Folder
from brou.shapes import ABSENT, Absent, Limit, shape
from brou_conformance.judging.case import tell_act, tell_question, tell_start
from brou_conformance.judging.judge import tell_result
from brou_conformance.judging.reasons import AnswerReason, find_reason
from brou_conformance.messages import Name
from brou_conformance.protocol import Message
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.sentences import Sentences
from brou_tools.fuzz.explaining import ExplainedFindings, FuzzDifference, tell_cause
from brou_tools.fuzz.lockstep import MISHAPS, Finding
from brou_tools.fuzz.scripts import write_step

#: How many seeds are named.
_SEEDS = 5
_Count = Annotated[int, Limit(minimum=0)]


@shape(closed=True)
class ReportedDifference:
    """A difference between a program and the rules."""

    words: Annotated[str, "the rule that the program plays instead, or its behaviour if no rule explains it"]
    clauses: Annotated[tuple[str, ...], "the clauses that are changed, the main one first; else those that decide"]
    explained: Annotated[bool, "whether a change of the rules or a reading explains it"]
    matches: Annotated[int, Limit(minimum=1), "in how many matches it is the first difference"]
    seeds: Annotated[tuple[str, ...], "the seeds of some of them, the match that shows it soonest first"]
    setup: Annotated[str, "the set-up of that match"]
    acts: Annotated[int, Limit(minimum=0), "how many acts lead to it in that match after shrinking"]
    question: Annotated[str, "what is asked"]
    said: Annotated[str, "what the program says"]
    wanted: Annotated[str, "what the rules say"]
    why: Annotated[str, "why the rules say so"]
    scenario: Annotated[str, "the id of the scenario that shows it; empty if the program gave no valid answer"]
    file: Annotated[str, "the file to which that was written; empty if it was not"]


@shape(closed=True)
class ReportedScenarios:
    """The results of the scenarios, which precede the matches."""

    asked: Annotated[_Count, "how many questions of scenarios were asked"]
    wrong: Annotated[_Count, "how many of them were answered wrongly"]


@shape(closed=True)
class FuzzedEdition:
    """The results of the matches of an edition."""

    game: Annotated[Name, "the game"]
    edition: Annotated[Name, "the edition"]
    setups: Annotated[tuple[str, ...], "the set-ups that were played"]
    readings: Annotated[Mapping[str, str], "all readings that it was judged under"]
    inferred: Annotated[Mapping[str, str], "those of them that the program did not declare and its answers show"]
    matches: Annotated[_Count, "matches that were played"]
    statuses: Annotated[Mapping[str, _Count], "how many of them have each status"]
    asked: Annotated[_Count, "questions that were answered"]
    seeds: Annotated[tuple[str, str], "the first seed tried, and the first one after those tried"]
    reached: Annotated[_Count, "how many rows, effects, acts and outcomes of the rules the matches reached"]
    once: Annotated[_Count, "how many of them only one match reached"]
    scenarios: ReportedScenarios
    differences: Annotated[tuple[ReportedDifference, ...], "every difference, those that most matches show first"]
    whole: Annotated[bool, "whether the rules with all changes explain every known answer of the program"]
    cut_short: Annotated[bool, "whether the search for changes ended before every one was tried"]


@shape(closed=True)
class FuzzReport:
    """What `brou fuzz --json` writes."""

    format: Literal["brou-fuzz/1"] = "brou-fuzz/1"
    engine: Annotated[Mapping[str, str], "the name and version that the program gives itself"]
    seed: Annotated[str, "the seed of the campaign"]
    directed: Annotated[bool, "whether matches were chosen that reach what few others had reached"]
    editions: Annotated[tuple[FuzzedEdition, ...], "one entry per edition"]
    notes: Annotated[tuple[str, ...], "remarks"] | Absent = ABSENT
    unusable: Annotated[str, "why the program could not be used to the end"] | Absent = ABSENT


@dataclass(frozen=True, slots=True)
class ToldDifference:
    """A difference with the reason that the rules have, and its scenario."""

    difference: FuzzDifference
    reason: AnswerReason
    choice: Choice
    scenario: str = ""
    file: str = ""
    data: Folder = None

    @property
    def shown(self) -> Finding:
        """Return the smallest finding."""
        return self.difference.shown

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return the clauses that are changed, or else those that decide."""
        root = self.difference.root
        named = (root.clause, *root.clauses) if root is not None else ()
        return tuple(dict.fromkeys(one for one in (*named, *(() if root else self.reason.clauses)) if one))

    def tell_cause(self, words: Sentences) -> str:
        """Return what the program plays instead, or does."""
        return tell_cause(self.difference, self.choice, words, self.data)

    def tell_reason(self, words: Sentences) -> str:
        """Return why the rules say what they say."""
        if words.lang == ORIGINAL:
            return self.reason.sentence
        return find_reason(self.shown.disputed, self.choice, self.data, words.lang).sentence

    @property
    def question(self) -> str:
        """Return the question in words."""
        return tell_question(write_step(self.shown.messages[-1]))

    def tell(self, answer: Message) -> str:
        """Return an answer in words, of a list, a view or a score only what differs."""
        return tell_answer(self.shown, answer)

    def report(self) -> ReportedDifference:
        """Return it as the document has it."""
        found, shown = self.difference, self.shown
        return ReportedDifference(
            words=self.tell_cause(Sentences()),
            clauses=self.clauses,
            explained=found.root is not None or bool(found.reading),
            matches=len(found.findings),
            seeds=tuple(str(one.raw.seed) for one in found.findings[:_SEEDS]),
            setup=shown.setup,
            acts=len(shown.messages) - 1,
            question=self.question,
            said=self.tell(shown.said),
            wanted=self.tell(shown.wanted),
            why=self.reason.sentence,
            scenario=self.scenario,
            file=self.file,
        )


def tell_answer(finding: Finding, answer: Message) -> str:
    """Return an answer to the question of a finding in words; nothing of a mishap."""
    if not answer:
        return finding.mishap
    key = next(iter(answer))
    value, what = answer[key], finding.behaviour[1]
    if isinstance(value, dict) and key in ("legal", "view", "score"):
        absent = [] if key == "legal" else "not told"
        return tell_result(key, {what: value.get(what, absent)})
    return tell_result(key, value)


@dataclass(frozen=True, slots=True)
class ToldEdition:
    """An edition with everything that the report tells of it."""

    document: FuzzedEdition
    differences: tuple[ToldDifference, ...] = ()
    explained: ExplainedFindings = field(default_factory=ExplainedFindings)

    @property
    def name(self) -> str:
        """Return the edition."""
        return f"{self.document.game}@{self.document.edition}"

    def lines(self, again: str, teller: Teller) -> Iterator[str]:
        """Yield the report of an edition; `again` is the command that plays a match again, with SEED for its seed."""
        found, words = self.document, teller.words
        yield from self._tell_figures(words)
        for number, one in enumerate(self.differences, 1):
            yield ""
            yield from _tell_difference(number, one, again, teller)
        if found.cut_short and not all(one.explained for one in found.differences):
            yield "  " + words.tell("fuzz", "cut_short")

    def _tell_figures(self, words: Sentences) -> Iterator[str]:
        found, told = self.document, len(self.differences)
        first, last = found.seeds
        counts = {"matches": words.count(found.matches, "match"), "questions": words.count(found.asked, "question")}
        yield words.tell("fuzz", "played", name=self.name, first=first, last=last, **counts)
        yield "  " + (words.count(told, "difference") if told else words.tell("fuzz", "no_difference"))
        for key, value in found.inferred.items():
            yield "  " + words.tell("fuzz", "inferred", key=key, value=value)
        if found.scenarios.asked:
            kind = "scenarios_wrong" if found.scenarios.wrong else "scenarios_right"
            wrong, questions = words.number(found.scenarios.wrong), words.count(found.scenarios.asked, "question")
            yield "  " + words.tell("fuzz", kind, questions=questions, wrong=wrong)
        yield "  " + words.tell("fuzz", "reached", reached=words.number(found.reached), once=words.number(found.once))
        for status in MISHAPS:
            if mishaps := found.statuses.get(status.value):
                yield "  " + words.tell("fuzz", status.value, matches=words.count(mishaps, "match"))


def _tell_difference(number: int, one: ToldDifference, again: str, teller: Teller) -> Iterator[str]:
    found, shown, words = one.difference, one.shown, teller.words
    clauses = f" ({', '.join(one.clauses[:3])})" if one.clauses else ""
    cause = one.tell_cause(words)
    yield f"  {number}. {cause[:1].upper()}{cause[1:]}{clauses}"
    matches, command = words.count(len(found.findings), "match"), again.replace("SEED", str(shown.seed))
    yield "     " + words.tell("fuzz", "first_seen", matches=matches, again=command)
    indent = "       "
    for line in tell_start(shown.start):
        yield indent + ", ".join(map(words.echo, line.split(", ")))
    if acts := [tell_act(write_step(message)) for message in shown.messages[:-1]]:
        yield indent + teller.story(acts)
    if not shown.mishap:
        yield indent + words.echo(one.question)
        said, wanted = (words.echo(one.tell(answer)) for answer in (shown.said, shown.wanted))
        yield from teller.answers((words.say("program"), said), (words.say("rules"), wanted), indent + "  ")
        if reason := one.tell_reason(words):
            yield from teller.page.wrap(reason, indent)
    if one.file:
        yield indent + words.tell("fuzz", "written", file=one.file)
