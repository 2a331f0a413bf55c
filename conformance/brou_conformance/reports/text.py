"""The report for people, edition by edition: the verdict by skill, then for each suspect clause a case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brou_conformance.judging.judge import Status
from brou_conformance.protocol import shorten
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.roots_text import tell_play, tell_roots
from brou_conformance.reports.sources import read_citable
from brou_conformance.reports.summary import Blamed, Summary, expect_shown
from brou_conformance.reports.variants_text import tell_variants
from brou_conformance.smoke.hint import FIRST
from brou_conformance.verdicts.inquiry import Inquiry
from brou_conformance.verdicts.tally import SkillCount
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict, RunChange
from brou_conformance.verdicts.verify import Report

#: How many mishaps, last lines of a program, lines of a trace and changes are shown before the rest is counted.
_MISHAPS, _TAIL, _TRACE, _CHANGES = 5, 8, 12, 20
#: How many readings are named that expectations are for, beside those that the program plays.
_ELSEWHERE = 3
_LONG = 1000
_STYLES = {EditionVerdict.FOLLOWS: "good", EditionVerdict.FOLLOWS_READINGS: "good", EditionVerdict.DEVIATES: "bad"}


def tell_report(report: Report, teller: Teller | None = None, *, every: bool = False) -> str:
    """Return the whole report for people."""
    told = teller or Teller()
    runs = (tell_run(Summary(run, every=every), told) for run in report.runs)
    return "\n".join([*runs, tell_rest(report, told)]).strip() + "\n"


def tell_run(summary: Summary, teller: Teller) -> str:
    """Return the verdict on an edition, the skills left unasked, then for each suspect clause a case."""
    return "\n".join(EditionText(summary, teller).lines()) + "\n"


def tell_rest(report: Report, teller: Teller) -> str:
    """Return the report on the program apart from its editions; nothing if all went well."""
    words, lines = teller.words, list[str]()
    if report.unusable is not None:
        how = "not_to_the_end" if report.runs else "cannot_be_used"
        lines += teller.page.wrap(words.say(how, what=words.echo(report.unusable.what)))
        tail = report.unusable.stderr.strip().splitlines()[-_TAIL:]
        lines += [words.say("last_words"), *(f"  {shorten(line)}" for line in tail)] if tail else []
    for note in report.notes:
        lines += teller.page.wrap(words.say("not_judged", note=words.echo(note)))
    return "".join(f"{line}\n" for line in lines)


def tell_nothing(teller: Teller) -> str:
    """Return the message for a run without anything to judge."""
    return teller.words.say("nothing_applies") + "\n"


def tell_changes(change: RunChange, teller: Teller) -> str:
    """Return the changes since an earlier report."""
    words = teller.words
    kinds = {"worse": change.worse, "better": change.better, "new": change.new, "gone": change.gone}
    counts = [words.count(len(names), kind) for kind, names in kinds.items() if names]
    told = ", ".join(counts) or words.say("unchanged")
    lines = list(teller.page.wrap(words.say("since" if change.complete else "since_incomplete", counts=told)))
    lines += [
        f"  {words.say(f'is_{kind}', name=name)}" for kind in ("worse", "better") for name in kinds[kind][:_CHANGES]
    ]
    return "\n".join(lines) + "\n"


def tell_inquiry(inquiry: Inquiry, teller: Teller) -> str:
    """Return a case that would be judged, and the reasons for its steps that the program cannot answer."""
    words, choice = teller.words, inquiry.script.choice
    name = f"{choice.game}@{choice.edition}:{choice.setup} {inquiry.script.scenario.id}"
    why = sorted({words.echo(unsent.why) for unsent in inquiry.projection.unsent.values()})
    steps, sent = len(inquiry.script.steps), len(inquiry.projection.sent)
    return words.say("listed", case=name, sent=sent, steps=steps, reasons="; ".join(why)) if why else name


def tell_verdict(summary: Summary, teller: Teller) -> str:
    """Return the verdict on an edition in a sentence; it names the readings that are declared and not the edition's."""
    own = ", ".join(f"{key}={value}" for key, value in summary.run.declared_otherwise.items())
    said = teller.words.tell("verdicts", summary.told_verdict, name=shorten(summary.program), readings=own)
    name = teller.words.say("forked", name=summary.name) if summary.run.is_forked else summary.name
    return f"{name}: {said}"


def tell_part(summary: Summary, teller: Teller) -> str:
    """Return the number of scenarios that the run asked, and of all scenarios, for a run of a part of them."""
    words, run = teller.words, summary.run
    asked, scenarios = words.number(run.discovered), words.count(run.whole, "of_scenario")
    return words.say("partial", asked=asked, scenarios=scenarios)


def tell_skills(summary: Summary, teller: Teller) -> str:
    """Return for each skill how many questions it had and how many wrong answers, and the skills left unasked."""
    words, counts = teller.words, summary.run.skills
    parts = [_tell_skill(skill, count, teller) for skill, count in counts.items() if count.asked or count.behind]
    unasked = [words.word("skills", skill) for skill, count in counts.items() if not count.asked and not count.behind]
    told = "; ".join([*parts, *([words.say("skills_unasked", skills=", ".join(unasked))] if unasked else [])])
    return f"{told}." if told else ""


def _tell_skill(skill: str, count: SkillCount, teller: Teller) -> str:
    words = teller.words
    wrong = words.count(count.wrong, "wrong") if count.wrong else words.say("none_wrong")
    more = [
        words.count(number, name) for name, number in (("unasked", count.unasked), ("behind", count.behind)) if number
    ]
    questions = words.count(count.asked, "question")
    return words.say("skill", skill=words.word("skills", skill), questions=questions, wrong=", ".join([wrong, *more]))


def tell_figures(summary: Summary, teller: Teller) -> str:
    """Return how many cases there are of each kind, and how many were not asked again."""
    kept = summary.run.tally.kept
    return tell_kinds(summary, teller, [teller.words.say("kept", number=teller.words.number(kept))] if kept else [])


def tell_kinds(summary: Summary, teller: Teller, more: Sequence[str] = ()) -> str:
    """Return how many cases there are of each kind, with `more` behind that."""
    words, figures = teller.words, summary.figures
    numbers = {"passed": figures.passed, "failed": figures.failed, "known": figures.known}
    numbers |= {"unjudged": figures.unjudged, "errors": figures.errors}
    parts = [words.count(number, name) for name, number in numbers.items() if number]
    return words.say("cases", cases=words.count(figures.cases, "case"), parts=", ".join([*parts, *more]))


def tell_suspicion(teller: Teller) -> str:
    """Return the advice for a program that fails from the start."""
    return teller.words.say("look_at_adapter", number=teller.words.number(FIRST))


@dataclass(frozen=True, slots=True)
class EditionText:
    """One edition as text."""

    summary: Summary
    teller: Teller

    @property
    def run(self) -> EditionRun:
        """Return the result of the edition."""
        return self.summary.run

    def say(self, name: str, indent: str = "  ", **parts: object) -> Iterator[str]:
        """Yield a sentence in lines."""
        yield from self.teller.page.wrap(self.teller.words.say(name, **parts), indent, indent + "  ")

    def lines(self) -> Iterator[str]:
        """Yield everything."""
        yield from self.head()
        told: set[str] = set()
        yield from tell_roots(self.summary, self.teller, told)
        yield from (f"  {self._own(shorten(line, _LONG))}" for line in _last(self.run.explanation.trace))
        for blamed in self.summary.suspects:
            yield ""
            yield from self.clause(blamed, told)
        yield from self.rest()
        yield from self.mishaps()
        yield from self.own_faults()
        yield from tell_variants(self.run, self.teller)

    def head(self) -> Iterator[str]:
        """Yield the verdict with its figures, and the remarks."""
        page, run = self.teller.page, self.run
        style = "aside" if run.as_known else _STYLES.get(run.verdict, "aside")
        verdict, skills = tell_verdict(self.summary, self.teller), tell_skills(self.summary, self.teller)
        yield from (page.paint(line, style) for line in page.wrap(verdict, "", "  "))
        yield from page.wrap(tell_play(self.summary, self.teller), "  ", "    ")
        yield from page.wrap(skills[:1].upper() + skills[1:], "  ", "    ")
        if any(count.behind for count in run.skills.values()):
            yield from self.say("behind")
        if self.summary.figures.cases:
            yield from page.wrap(tell_figures(self.summary, self.teller), "  ", "    ")
        if self.summary.suspects_adapter:
            yield from page.wrap(tell_suspicion(self.teller), "  ", "    ")
        yield from self.readings()
        yield from self.known_failures()
        yield from self.remarks()
        yield from self.not_asked()

    def readings(self) -> Iterator[str]:
        """Yield the readings that it follows undeclared, those it declares and does not follow, and nearer rules."""
        run, words = self.run, self.teller.words
        for key, one in run.inferred.items():
            yield from self.say("inferred", key=key, values="|".join(one.values))
            yield from self.teller.page.wrap(self.question(key), "    ")
            if one.shown:
                yield from self.say("shown_by", "    ", steps=", ".join(one.shown))
            if one.instead:
                yield from self.say("instead", "    ", others=", ".join(one.instead))
        if run.inferred:
            yield from self.say("could_be_a_fault")
        for key in sorted(run.contradicted & run.declared):
            if played := sorted(run.followed.get(key, ())):
                yield from self.say("contradicted", key=key, declared=run.readings[key], values="|".join(played))
        for nearer in run.nearer:
            cases = words.count(nearer.failing, "of_case")
            yield from self.say("nearer", rules=nearer.rules, setup=nearer.setup, left=nearer.left, cases=cases)

    def question(self, key: str) -> str:
        """Return the question that a reading answers."""
        for node in read_citable(self.run.game, self.summary.data).values():
            question = node.get("question")
            if question is not None and node.get("key") is not None and node.string("key") == key:
                return self.teller.words.read(question)
        return ""

    def known_failures(self) -> Iterator[str]:
        """Yield the differences from the list of known failures."""
        run = self.run
        failing = {case.id for case in run.failing}
        for id_ in run.surprising if run.tally.known_failing else ():
            yield from self.say("new_failure" if id_ in failing else "mended", id=id_)
        if run.as_known:
            yield from self.say("as_known", cases=self.teller.words.count(len(run.failing), "of_case"))

    def remarks(self) -> Iterator[str]:
        """Yield remarks on scenarios left out, an impossible declaration, and an edition without questions."""
        run, words = self.run, self.teller.words
        if run.whole:
            yield from self.teller.page.wrap(tell_part(self.summary, self.teller), "  ", "    ")
        if run.left_out:
            yield from self.say("left_out", scenarios=words.count(run.left_out, "scenario"))
        if run.elsewhere:
            yield from self.elsewhere()
        if run.wrong:
            yield from self.teller.line(words.echo(run.wrong), "  ")
        for note in run.notes:
            yield from self.say("note", note=words.echo(note))
        if run.discovered and not run.asked and run.tally.counts[Status.UNSUPPORTED] == run.discovered:
            yield from self.say("nothing_asked")
        if not run.discovered and not run.wrong:
            yield from self.say("left_out_all" if run.left_out else "no_scenario")

    def elsewhere(self) -> Iterator[str]:
        """Yield a line on the expectations for other readings, with a command that asks some of them."""
        words, told = self.teller.words, list(self.run.elsewhere)
        names = ", ".join([*told[:_ELSEWHERE], *(["..."] if len(told) > _ELSEWHERE else [])])
        expectations = words.count(sum(self.run.elsewhere.values()), "expectation")
        yield from self.say("elsewhere", expectations=expectations, readings=names)
        command = f"brou serve '{self.summary.name}[{told[0]}]'"
        # Whole, so that it can be copied.
        yield f"    {words.say('elsewhere_asked', command=command)}"

    def not_asked(self) -> Iterator[str]:
        """Yield why steps were not asked, with how many cases that concerns."""
        words = self.teller.words
        why = sorted(self.run.tally.unasked.items(), key=lambda item: (-item[1], item[0]))
        told = [words.say("reason", why=words.echo(one), cases=words.count(count, "case")) for one, count in why]
        if told:
            yield from self.say("not_asked", reasons="; ".join(told))

    def clause(self, blamed: Blamed, told: set[str]) -> Iterator[str]:
        """Yield a clause with the number of its failing cases, its text and source, and a case not shown before."""
        words, page, summary = self.teller.words, self.teller.page, self.summary
        cases = words.count(blamed.total, "of_case")
        failing, fail = words.number(blamed.failing), words.name_number(blamed.failing, "failed")
        head = words.say("clause_fails", clause=blamed.clause, failing=failing, cases=cases, fail=fail)
        yield f"  {page.paint(head, 'strong')}"
        yield from self.teller.clause(summary, blamed.clause, blamed.shown.setup, "    ")
        case = summary.case(blamed.shown)
        yield from self.teller.sources(case, blamed.clause, "    ")
        shown = expect_shown(case)
        if shown.step in told:
            yield from self.say("as_above", "    ", step=shown.step)
            return
        told.add(shown.step)
        yield from self.say("example", "    ", step=shown.step, place=shown.place)
        if not blamed.direct:
            yield from self.say("breaks_earlier", "    ")
        yield from self.teller.moment(summary, case, shown, "      ")

    def rest(self) -> Iterator[str]:
        """Yield the failing cases that the report has not shown, by topic."""
        topics = self.summary.rest()
        if not topics:
            return
        yield ""
        yield from self.say("rest")
        for topic, cases in topics.items():
            count = self.teller.words.count(len(cases), "case")
            yield from self.say("topic", "    ", topic=topic, cases=count, step=cases[0].step)
        if not self.summary.every:
            yield from self.say("all_shown")

    def mishaps(self) -> Iterator[str]:
        """Yield the cases that could not be judged, and why."""
        kinds = (Status.TIMEOUT, Status.CRASH, Status.PROTOCOL, Status.SKIP)
        troubled = [case for case in self.run.outcomes if case.status in kinds]
        for case in troubled[:_MISHAPS]:
            found = next(one for one in self.run.describe(case).findings if one.status is case.status)
            said = self.teller.words.echo(found.said)
            yield from self.teller.line(f"{case.status.value}: {found.step}: {said}", "  ")
        yield from self._more(len(troubled))

    def own_faults(self) -> Iterator[str]:
        """Yield the cases over which this suite broke down, the first with its trace."""
        faulty = [case for case in self.run.outcomes if case.status is Status.SUITE]
        for number, case in enumerate(faulty[:_MISHAPS]):
            lines = str(self.run.describe(case).trace).strip().splitlines()
            yield f"  {self._own(f'{case.id}: {shorten(lines[-1], _LONG)}')}"
            yield from (f"    {shorten(line, _LONG)}" for line in lines[-_TRACE:-1] if not number)
        yield from self._more(len(faulty))
        yield from (f"  {self._own(shorten(line, _LONG))}" for line in _last(self.run.trace))

    def _own(self, what: str) -> str:
        return self.teller.words.say("own_fault", what=what)

    def _more(self, total: int) -> Iterator[str]:
        if total > _MISHAPS:
            yield from self.say("and_more", number=total - _MISHAPS)


def _last(trace: str) -> Sequence[str]:
    return trace.strip().splitlines()[-_TRACE:]
