"""What a verification says to people and to programs; both are made from the same record."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from brou import Choice, rules
from brou.words.text import render
from brou_conformance.judging.case import tell_act, tell_question, tell_start, tell_value
from brou_conformance.judging.diagnosis import Blame
from brou_conformance.judging.judge import Status, told
from brou_conformance.judging.outcome import Outcome
from brou_conformance.likeness.pairs import Example, Kind
from brou_conformance.protocol import Message, shorten
from brou_conformance.scenarios.corpus import clauses
from brou_conformance.scenarios.scenario import Step
from brou_conformance.verdicts.asking import Inquiry
from brou_conformance.verdicts.verdict import Change, Run, Verdict
from brou_conformance.verdicts.verify import Report

#: How many mishaps, last lines of a program, steps of a story and changes are shown before the rest is counted.
_MISHAPS, _TAIL, _STORY, _CHANGES, _TRACE = 5, 8, 12, 20, 12
#: Where lines are broken, and how long a text may be at all.
_WIDTH, _LONG = 110, 1000


def document(report: Report) -> Message:
    """Return the report as JSON; `schemas/report.schema.json` describes it."""
    runs = []
    for run in report.runs:
        every = [finding for case in run.cases for finding in case["findings"]]
        runs.append({**run_document(run), "findings": every})
    found: Message = {"runs": runs}
    if report.notes:
        found["notes"] = list(report.notes)
    if report.unusable is not None:
        found["unusable"] = {
            "kind": report.unusable.kind,
            "what": report.unusable.what,
            "stderr": report.unusable.stderr,
        }
    return found


def run_document(run: Run) -> Message:
    """Return what an edition came to as JSON, but for what was found case by case."""
    faulty = [run.describe(one) for one in run.outcomes if one.status is Status.SUITE]
    found: Message = {
        "verdict": run.verdict.value,
        "game": run.game,
        "edition": run.edition,
        "engine": dict(run.engine),
        "readings": dict(run.readings),
        "declared": sorted(run.declared),
        "follows": {key: sorted(values) for key, values in run.inferred.items()},
        "mixed": sorted(run.contradicted),
        "notes": [*run.notes, *([run.wrong] if run.wrong else [])],
        "left_out": {"readings": run.left_out},
        "cases": {"discovered": run.discovered, **run.counts},
        "not_asked_again": run.tally.kept,
        "clauses": [_blame(blame) for blame in run.blamed],
    }
    if faulty or run.trace:
        traces = [{"case": case["id"], "trace": case["trace"]} for case in faulty]
        found["suite"] = [*traces, *([{"case": "", "trace": run.trace}] if run.trace else [])]
    if run.families:
        found["families"] = {kind.value: family.document() for kind, family in run.families.items()}
    if run.tally.known_failing:
        found["surprising"] = sorted(run.surprising)
    return found


def _blame(blame: Blame) -> Message:
    cases = [case.step for case in blame.cases]
    return {"id": blame.clause, "fail": len(cases), "pass": blame.passing, "cases": cases}


# For people -------------------------------------------------------------------


def summary(report: Report, data: Path | None = None) -> str:
    """Return what a person wants to read of the whole report."""
    return "\n".join([*(told_run(run, data) for run in report.runs), told_rest(report)]).strip() + "\n"


def told_run(run: Run, data: Path | None = None) -> str:
    """Return the verdict on an edition, what was not asked, then for each suspect clause its smallest case."""
    lines = [verdict_line(run), *_remarks(run), *_not_asked(run)]
    told: set[str] = set()
    for blame in run.blamed:
        lines += ["", *_clause_lines(run, blame, data), *_case_lines(run.describe(blame.cases[0]), told)]
    return "\n".join([*lines, *_rest(run), *_mishaps(run), *_own_faults(run), *_families(run)]) + "\n"


def told_rest(report: Report) -> str:
    """Return what is to be said of the program apart from its editions; nothing if all went well."""
    lines: list[str] = []
    if report.unusable is not None:
        how = "could not be used to the end" if report.runs else "cannot be used"
        lines += [f"The program {how}: {report.unusable.what}.", *_tail(report.unusable.stderr)]
    lines += [f"Not judged: {note}." for note in report.notes]
    return "".join(f"{line}\n" for line in lines)


def changes(change: Change) -> str:
    """Return what has changed since an earlier report."""
    kinds = {"worse": change.worse, "better": change.better, "new": change.new, "no longer judged": change.gone}
    counts = ", ".join(f"{len(names)} {kind}" for kind, names in kinds.items() if names) or "nothing has changed"
    short = "" if change.complete else " (that report is not complete)"
    lines = [f"Since the earlier report{short}: {counts}."]
    lines += [f"  {kind}: {name}" for kind in ("worse", "better") for name in kinds[kind][:_CHANGES]]
    return "\n".join(lines) + "\n"


def listed(inquiry: Inquiry) -> str:
    """Return a case that would be judged, and what of it cannot be asked."""
    steps, sent = len(inquiry.script.steps), len(inquiry.projection.sent)
    why = sorted({unsent.why for unsent in inquiry.projection.unsent.values()})
    short = f" ({sent} of {steps} steps: {'; '.join(why)})" if why else ""
    choice = inquiry.script.choice
    return f"{choice.game}@{choice.edition}:{choice.setup} {inquiry.script.scenario.id}{short}"


_SAYS = {
    Verdict.CONFORMS: "conforms",
    Verdict.DEVIATES: "deviates",
    Verdict.ADAPTER: "could not be judged throughout",
    Verdict.SUITE: "cannot be judged: the suite is at fault",
}


def verdict_line(run: Run) -> str:
    """Return the verdict of one edition in a line."""
    name = " ".join(run.engine[key] for key in ("name", "version") if key in run.engine)
    counts = [f"{count} {status}" for status, count in run.counts.items() if count and status != Status.PASS]
    passed = f"{run.counts[Status.PASS]} of {run.discovered} cases pass"
    kept = [f"not asked again: {run.tally.kept}"] if run.tally.kept else []
    return f"{run.game}@{run.edition}: {shorten(name)} {_SAYS[run.verdict]}; {', '.join([passed, *counts, *kept])}."


def _remarks(run: Run) -> Iterator[str]:
    for key, values in run.inferred.items():
        yield f"  It follows another reading than the edition: {key}={'|'.join(sorted(values))}."
    for key in sorted(run.contradicted):
        played = sorted(run.followed.get(key, ()))
        what = f"it plays {key}={'|'.join(played)}" if played else f"its answers on {key} fit no one reading"
        against = f", declared is {run.readings[key]}" if key in run.declared else ""
        yield f"  It does not follow its readings: {what}{against}."
    failing = {case.id for case in run.failing}
    for name in run.surprising if run.tally.known_failing else ():
        yield f"  {'Not known to fail, and does' if name in failing else 'Known to fail and does not'}: {name}"
    if run.as_known:
        yield f"  It deviates as is known, in {_many(len(run.failing), 'case')}."
    if run.left_out:
        yield f"  {_many(run.left_out, 'scenario')} of other readings left out."
    if run.wrong:
        yield f"  {run.wrong}"
    yield from (f"  Note: {note}." for note in run.notes)
    if run.discovered and run.tally.counts[Status.UNSUPPORTED] == run.discovered:
        yield "  Nothing was asked: it can do nothing of what the scenarios need."
    if not run.discovered and not run.wrong:
        yield "  There is no scenario for it: nothing was asked."


def _clause_lines(run: Run, blame: Blame, data: Path | None) -> Iterator[str]:
    """Yield a clause with how many of its cases fail, and what it says."""
    total = len(blame.cases) + blame.passing
    yield f"  {blame.clause}: {len(blame.cases)} of {_many(total, 'case')} fail"
    yield from _wrapped(_clause(run, blame.clause, data), "    ")


def _case_lines(case: Message, told: set[str]) -> Iterator[str]:
    """Yield a case: how it came about, what was asked, what was said, what the rules say; each only once."""
    shown = case["shown"]
    if shown["step"] in told:
        yield f"    smallest case: {shown['step']}, as above"
        return
    told.add(shown["step"])
    yield f"    smallest case: {shown['step']} ({shown['place']})"
    yield f"      {case['title']}"
    yield from (f"      {line}" for line in shown["start"])
    if shown["acts"]:
        yield from _wrapped(_story(shown["acts"]), "      ")
    yield f"      {shown['question']}"
    reason = f", as {shown['reason']!r}" if "reason" in shown else ""
    yield f"        the program: {shown['said']}{reason}"
    yield f"        the rules:   {shown['wanted']}"
    yield from _wrapped(case["because"], "      ")


def told_case(case: Message) -> str:
    """Return a case by itself: how it came about, what was asked, what was said, what the rules say."""
    if "shown" not in case:
        return str(case["trace"])
    clauses = f"clauses: {', '.join(case['clauses'])}"
    lines = [line.removeprefix("    ").removeprefix("smallest case: ") for line in _case_lines(case, set())]
    return "\n".join([*lines, clauses])


def _clause(run: Run, clause: str, data: Path | None) -> str:
    """Return the text of a clause with its numbers, if it has one."""
    node = clauses(run.game, data).get(clause)
    text = "" if node is None or node.get("text") is None else node.fields["text"].string("en")
    if not text:
        return ""
    setup = run.outcomes[0].setup
    plain = Choice(run.game, run.edition, setup, tuple(sorted(run.readings.items())))
    return render(text, rules(plain, data))


def _story(acts: Sequence[str]) -> str:
    """Return some acts in one line, of many only the last."""
    skipped = [f"({len(acts) - _STORY} acts)"] if len(acts) > _STORY else []
    return ", ".join([*skipped, *acts[-_STORY:]])


def _not_asked(run: Run) -> Iterator[str]:
    """Yield why steps were not asked, with how many cases that concerns."""
    why = sorted(run.tally.unasked.items(), key=lambda item: (-item[1], item[0]))
    if why:
        told = [f"{reason} ({_many(count, 'case')})" for reason, count in why]
        yield from _wrapped(f"Not asked: {'; '.join(told)}.", "  ")


def _rest(run: Run) -> Iterator[str]:
    """Yield the failing cases of which nothing was said, by topic."""
    told = {case.number for blame in run.blamed for case in blame.cases}
    topics: dict[str, list[Outcome]] = {}
    for case in run.failing:
        if case.number not in told:
            topics.setdefault(case.clauses[0].rpartition(".")[0], []).append(case)
    if topics:
        yield ""
        yield "  Failing beside that, by topic:"
    for topic, cases in sorted(topics.items()):
        yield f"    {topic}: {_many(len(cases), 'case')}, such as {cases[0].step}"


def _mishaps(run: Run) -> Iterator[str]:
    """Yield the cases that could not be judged, and why."""
    kinds = (Status.TIMEOUT, Status.CRASH, Status.PROTOCOL, Status.SKIP)
    troubled = [case for case in run.outcomes if case.status in kinds]
    for case in troubled[:_MISHAPS]:
        findings = run.describe(case)["findings"]
        found = next(finding for finding in findings if finding["status"] == case.status.value)
        yield f"  {case.status.value}: {found['step']}: {found['said']}"
    if len(troubled) > _MISHAPS:
        yield f"  ... and {len(troubled) - _MISHAPS} more"


def _own_faults(run: Run) -> Iterator[str]:
    """Yield the cases over which this suite broke down, the first with its trace."""
    faulty = [case for case in run.outcomes if case.status is Status.SUITE]
    for number, case in enumerate(faulty[:_MISHAPS]):
        lines = run.describe(case)["trace"].strip().splitlines()
        yield f"  our own fault: {case.id}: {shorten(lines[-1], _LONG)}"
        yield from (f"    {shorten(line, _LONG)}" for line in lines[-_TRACE:-1] if not number)
    if len(faulty) > _MISHAPS:
        yield f"  ... and {len(faulty) - _MISHAPS} more"
    yield from (f"  our own fault: {shorten(line, _LONG)}" for line in run.trace.strip().splitlines()[-_TRACE:])


# Pairs ------------------------------------------------------------------------

_PAIRS = {
    Kind.HIDDEN: ("deal", "that a seat cannot tell apart"),
    Kind.SEATS: ("script", "at a turned table"),
    Kind.SUITS: ("script", "with suits exchanged"),
    Kind.POSITION: ("script", "shown as positions"),
    Kind.REFUSED: ("script", "with a refused act in between"),
}
#: What is said of the two answers: of that which follows from the first script, and of that to the second.
_ANSWERS = {
    Kind.HIDDEN: ("in the one deal", "in the other"),
    Kind.SEATS: ("so at the table not turned", "the program"),
    Kind.SUITS: ("so with suits not exchanged", "the program"),
    Kind.POSITION: ("in a row", "as a position"),
    Kind.REFUSED: ("without that", "the program"),
}


def _families(run: Run) -> Iterator[str]:
    """Yield what was asked in pairs, and the smallest pair of each kind that is answered differently."""
    if not run.families:
        return
    names = {kind: _PAIRS[kind] for kind, family in run.families.items() if family.pairs}
    asked = [f"{_many(run.families[kind].pairs, noun)} {what}" for kind, (noun, what) in names.items()]
    yield from _wrapped(f"Asked in pairs: {', '.join(asked) or 'nothing'}.", "  ")
    lost = sum(family.lost for family in run.families.values())
    if lost:
        yield f"  {_many(lost, 'pair')} came to nothing: no answer, or another one when asked again."
    for kind, family in run.families.items():
        for example in family.examples[:1]:
            yield ""
            noun, what = _PAIRS[kind]
            yield f"  {noun}s {what}: {family.differ} of {_many(family.pairs, 'pair')} answered differently"
            yield from _pair_lines(example)


def _pair_lines(example: Example) -> Iterator[str]:
    """Yield a pair: what is dealt and done, what was asked, and the two answers."""
    pair, (_, number) = example.pair, example.difference.numbers
    step = pair.other.steps[number]
    yield f"    smallest pair: {pair.base.scenario.id} ({pair.base.scenario.place})"
    yield from (f"      {line}" for line in _names(example))
    shown = pair.base if pair.kind is Kind.HIDDEN else pair.other
    yield from (f"      {line}" for line in tell_start(shown.start))
    if pair.kind is Kind.HIDDEN:
        yield from (
            f"      or {line}" for line in tell_start(pair.other.start) if line not in {*tell_start(pair.base.start)}
        )
    marked = {pair.other.steps[one].id for one in pair.refused}
    acts = [f"{tell_act(one)}{' [refused]' * (one.id in marked)}" for one in shown.steps[:number] if one.verb == "act"]
    if acts:
        yield from _wrapped(_story(acts), "      ")
    yield f"      {tell_question(step)}"
    wanted, said = (_pair_answer(step, answer) for answer in (example.difference.wanted, example.difference.said))
    first, second = (f"{name}:" for name in _ANSWERS[pair.kind])
    first = "the rules:" if number in pair.refused else first
    width = max(len(first), len(second))
    yield f"        {first:{width}} {wanted}"
    yield f"        {second:{width}} {said}"


def _names(example: Example) -> Iterator[str]:
    """Yield who cannot tell the deals apart, or what is called how."""
    pair = example.pair
    if pair.seat is not None:
        yield f"seat {pair.seat} cannot tell these deals apart"
    if pair.kind is Kind.SEATS:
        yield f"seats {tell_value(list(range(len(pair.names.seats))))} have become {tell_value(list(pair.names.seats))}"
    if pair.kind is Kind.SUITS:
        yield f"suits {tell_value(list(pair.names.suits))} have become {tell_value(list(pair.names.suits.values()))}"


def _pair_answer(step: Step, said: Message) -> str:
    if step.verb in ("act", "winner"):
        return next(told(key, value) for key, value in said.items())
    known = {key: value for key, value in said.items() if value is not None}
    return told(step.verb, known, [key for key in said if key not in known])


def _tail(stderr: str) -> Sequence[str]:
    lines = stderr.strip().splitlines()[-_TAIL:]
    return ["Its last words:", *(f"  {shorten(line)}" for line in lines)] if lines else []


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(shorten(text, _LONG), _WIDTH, initial_indent=indent, subsequent_indent=indent)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
