"""The report as a page of Markdown, for a build's summary."""

from __future__ import annotations

from collections.abc import Iterator

from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.escaping import code, prose
from brou_conformance.reports.summary import Summary, ToldCase, expect_shown, summarise
from brou_conformance.reports.text import tell_part, tell_skills, tell_suspicion, tell_verdict
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import Report

_COLUMNS = ("cases", "passed", "failed", "known", "unjudged", "errors")
_MARKS = {EditionVerdict.FOLLOWS: "✅", EditionVerdict.FOLLOWS_READINGS: "✅", EditionVerdict.DEVIATES: "❌"}
_LOST, _KNOWN = "⚠️", "☑️"


def markdown(report: Report, teller: Teller | None = None, *, every: bool = False) -> str:
    """Return the report as a page for a build's summary."""
    return "\n".join(_lines(report, teller or Teller(), every=every)) + "\n"


def _lines(report: Report, teller: Teller, *, every: bool) -> Iterator[str]:
    words, summaries = teller.words, summarise(report.runs, every=every)
    yield f"## {prose(words.say('heading'))}"
    yield ""
    if report.unusable is not None:
        yield f"**{prose(words.say('cannot_be_used', what=words.echo(report.unusable.what)))}**"
        yield ""
    if summaries:
        columns = [name for name in _COLUMNS if any(getattr(one.figures, name) for one in summaries)]
        heads = [words.say(f"column_{name}") for name in ("rules", "verdict", *columns)]
        yield f"| {' | '.join(map(prose, heads))} |"
        yield f"|---|---|{'---:|' * len(columns)}"
        for one in summaries:
            numbers = [words.number(getattr(one.figures, name)) for name in columns]
            yield f"| {' | '.join([prose(one.name), _tell_mark(one, teller), *numbers])} |"
        yield ""
    for one in summaries:
        yield from _tell_edition(one, teller)
    yield from (f"- {prose(words.say('not_judged', note=words.echo(note)))}" for note in report.notes)


def _tell_mark(summary: Summary, teller: Teller) -> str:
    mark = _KNOWN if summary.run.as_known else _MARKS.get(summary.run.verdict, _LOST)
    name = "known" if summary.run.as_known else summary.run.verdict.value
    return f"{mark} {prose(teller.words.word('badges', name))}"


def _tell_edition(summary: Summary, teller: Teller) -> Iterator[str]:
    words, blamed = teller.words, summary.blamed
    yield f"### {prose(tell_verdict(summary, teller))}"
    yield ""
    yield prose(tell_skills(summary, teller))
    yield ""
    if summary.run.whole:
        yield f"- {prose(tell_part(summary, teller))}"
        yield ""
    if summary.run.tally.kept:
        yield f"- {prose(words.say('kept', number=words.number(summary.run.tally.kept)))}"
        yield ""
    if summary.suspects_adapter:
        yield f"**{prose(tell_suspicion(teller))}**"
        yield ""
    if not blamed:
        return
    heads = [words.say(f"column_{name}") for name in ("clause", "failed", "case", "program", "the_rules")]
    yield f"| {' | '.join(map(prose, heads))} |"
    yield "|---|---:|---|---|---|"
    cases: dict[str, ToldCase] = {}
    for one in blamed:
        case = summary.case(one.shown)
        shown = expect_shown(case)
        cases.setdefault(shown.step, case)
        answers = [prose(words.echo(shown.said)), prose(words.echo(shown.wanted))]
        yield f"| {' | '.join([prose(one.clause), words.number(one.failing), code(shown.step), *answers])} |"
    yield ""
    for step, case in cases.items():
        summary_line = prose(words.say("full_story", step=step))
        yield f"<details><summary>{summary_line}</summary>"
        yield ""
        yield from (f"    {line}" for line in teller.whole(summary, case))
        yield ""
        yield "</details>"
        yield ""
