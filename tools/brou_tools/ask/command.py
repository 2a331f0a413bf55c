"""`brou ask`: find out by which readings a program, or people at a table, play."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path
from typing import TextIO

from brou import Choice, NoFile, Project, Words, book, choose, rules, spread
from brou.atomic import expect, put
from brou.words import find_user_language
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Hello, Limits, Session
from brou_conformance.questioning.interview import AskedQuestion, Interview
from brou_conformance.questioning.knowledge import begin
from brou_conformance.questioning.optimum import Optimum, best
from brou_conformance.questioning.respondent import Respondent
from brou_tools.ask.findings import AnsweredQuestion, InterviewFindings, LeastQuestions, OpenValues, SettledValue
from brou_tools.ask.options import AskOptions
from brou_tools.ask.people import AskedPeople, NoMore, open_answers
from brou_tools.documents.json_document import print_report, print_schema
from brou_tools.options.agreed import name_agreement
from brou_tools.questions.compatible import full_name
from brou_tools.questions.phrasing import wrap_lines
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.workers import exit_on_sigterm

#: More values than this are told by the least and the greatest.
_TOLD = 6


@dataclass(slots=True)
class Inquest:
    """An interview, with the numbers asked outright."""

    interview: Interview
    #: Numbers that were asked for outright, with what was said.
    numbers: list[tuple[str, str]] = field(default_factory=list)
    #: Whether no question was left at the end.
    complete: bool = False
    #: Whether those who are asked name a number outright.
    outright: bool = False

    @property
    def asked(self) -> int:
        """Return the number of questions so far."""
        return len(self.numbers) + len(self.interview.asked)


def run(options: AskOptions) -> int:
    """Ask, and print the readings left; return 1 if an answer fits no reading that was left."""
    if options.schema:
        print_schema("asked")
        return Exit.FINE
    for name in (options.transcript,):
        if name:
            expect(Path(name))
    lang = find_user_language(options.lang, os.environ, options.project)
    if options.program or options.registered:
        found = _ask_program(options, lang)
        return found if isinstance(found, int) else _conclude(found, options, lang, [])
    name = _name_rules(options)
    choice = choose(name, options.project)
    inquest = Inquest(_begin_interview(name, choice), outright=True)
    table = _table(options, choice, lang)
    try:
        _ask_people(inquest, table)
    except NoMore:
        table.show(["", table.words.frame("asked_ended")])
    return _conclude(inquest, options, lang, table.transcript)


def _name_rules(options: AskOptions) -> str:
    """Return the name of the rules that the questions are about, with the readings already known."""
    return name_agreement(options.agreement, options.project) if options.agreement else options.rules


def _begin_interview(name: str, choice: Choice) -> Interview:
    """Return an interview about a choice; the readings that its name has are known."""
    own = book(choice.game, choice.project).editions[choice.edition].readings
    named = name.partition("[")[2].rstrip("]")
    given = {part.partition("=")[0].strip() for part in named.split(",") if part.strip()}
    known = {key: value for key, value in choice.readings if key in given and key in own}
    return Interview.begin(choice, begin(choice, known))


# Programs -------------------------------------------------------------------------------------------------------------


def _ask_program(options: AskOptions, lang: str) -> Inquest | int:
    """Ask a program until no question splits the readings left; return the exit code if it cannot be used."""
    limits = Limits.choose(options.timeout, options.start_timeout)
    command, name = options.command, _name_rules(options)
    with exit_on_sigterm(), Session(lambda: Child.start(command), limits) as session:
        hello = session.hello()
        if not isinstance(hello, Hello):
            print(f"brou: the program cannot be used: {hello.what}", file=sys.stderr)
            return Exit.UNUSABLE
        choice = _find_played(name, hello, options.project)
        if choice is None:
            declared = ", ".join(f"{game}@{edition}:{setup}" for game, edition, setup in hello.plays)
            print(f"brou: the program does not play {name}; it plays {declared}", file=sys.stderr)
            return Exit.UNUSABLE
        inquest = Inquest(_begin_interview(name, choice))
        interview = inquest.interview
        program = Respondent.of(session, hello, interview.interpreter)
        while session.unusable is None and (question := interview.next()) is not None:
            heard = program.ask(question, dict(interview.choice.readings))
            interview.hear(question, heard.outcomes, heard.said)
            if not options.json:
                _print_progress(inquest, lang)
        if session.unusable is not None:
            print(f"brou: the program cannot be used any longer: {session.unusable.what}", file=sys.stderr)
            return Exit.UNUSABLE
        inquest.complete = True
        return inquest


def _find_played(name: str, hello: Hello, project: Project) -> Choice | None:
    """Return the first rules that a name leaves open and a program plays."""
    return next((one for one in spread(name, project) if (one.game, one.edition, one.setup) in hello.plays), None)


def _print_progress(inquest: Inquest, lang: str) -> None:
    """Tell the last question with its answer, on the standard error, while nothing is settled yet."""
    asked = inquest.interview.asked[-1]
    left = "; ".join(f"{key}: {', '.join(_ends(values))}" for key, values in asked.left.items())
    words = Words(rules(inquest.interview.plain), lang, inquest.interview.plain.project)
    number = words.frame("asked_number", number=str(inquest.asked))
    print(f"{number}: {asked.question.id}: {asked.said} -> {left}", file=sys.stderr)


# People ---------------------------------------------------------------------------------------------------------------


def _table(options: AskOptions, choice: Choice, lang: str) -> AskedPeople:
    """Return the people to ask; with a document on the standard output, questions go to standard error."""
    name = options.answers or "-"
    if name != "-" and not Path(name).is_file():
        raise NoFile(name, "a file with an answer a line", "no file that can be read")
    answers: TextIO = open_answers(name)
    shown = sys.stderr if options.json else sys.stdout
    return AskedPeople(Words(rules(choice), lang, choice.project), answers, shown, prompting=name == "-")


def _ask_people(inquest: Inquest, table: AskedPeople) -> None:
    """Ask people for their numbers, and then the best question, until no question splits the readings left."""
    interview = inquest.interview
    data = book(interview.plain.game, interview.plain.project)
    for key in interview.known.open:
        if not interview.interpreter.is_number(key):
            continue
        left = interview.known.list_left(key)
        text = table.words.clause(data.readings[key].ambiguity) or key
        answer = table.ask_number(inquest.asked + 1, text, int(left[0]), int(left[-1]))
        inquest.numbers.append((key, answer or "?"))
        if answer is not None:
            interview.settle(key, answer)
    skipped = {key for key, said in inquest.numbers if said == "?"}
    interview.leave_out(skipped)
    while (question := interview.next()) is not None:
        heard, said = table.ask(inquest.asked + 1, question)
        interview.hear(question, heard, said)
    inquest.complete = True


# What came of it ------------------------------------------------------------------------------------------------------


def _conclude(inquest: Inquest, options: AskOptions, lang: str, transcript: Sequence[str]) -> int:
    """Write the readings left, and the transcript if it is wanted; return the exit code."""
    found = _document(inquest)
    plain = inquest.interview.plain
    lines = list(_tell_findings(inquest, found, Words(rules(plain), lang, plain.project)))
    if options.json:
        print_report(found)
    else:
        print("\n".join(lines))
    if options.transcript:
        asked = [] if transcript else [f"{one.question}: {one.said}" for one in found.questions]
        put(Path(options.transcript), "\n".join([*transcript, *asked, *lines]) + "\n")
    return Exit.FINDING if found.misfits else Exit.FINE


def _document(inquest: Inquest) -> InterviewFindings:
    """Return the findings of an interview and of the numbers beside it."""
    interview = inquest.interview
    known, settling = interview.known, interview.settling
    settling |= {key: (key,) for key, said in inquest.numbers if said != "?"}
    doubted = interview.find_doubtful()
    settled = {
        key: value for key in known.domains if key not in doubted and (value := known.find_settled(key)) is not None
    }
    left = {key: interview.before.list_left(key) for key in doubted if interview.before.find_settled(key) is None}
    left = {**{key: known.list_left(key) for key in known.open}, **left}
    least = _optimum(inquest, [key for key in settled if interview.before.find_settled(key) is None])
    return InterviewFindings(
        rules=full_name(interview.choice),
        complete=inquest.complete,
        questions=(*starmap(_describe_number, inquest.numbers), *map(_describe_question, interview.asked)),
        settled={key: SettledValue(value=value, by=tuple(settling.get(key, ()))) for key, value in settled.items()},
        open={
            key: OpenValues(values=_ends(values), undecidable=inquest.complete and key not in doubted)
            for key, values in left.items()
        },
        misfits=tuple(one.question.id for one in interview.asked if not one.fits),
        optimum=LeastQuestions(
            average=round(least.average, 2), worst=least.worst, bits=round(least.bits, 2), exact=least.exact
        ),
    )


def _describe_number(key: str, said: str) -> AnsweredQuestion:
    return AnsweredQuestion(question=key, keys=(key,), said=said, fits=True, decides=said != "?", left={key: (said,)})


def _describe_question(one: AskedQuestion) -> AnsweredQuestion:
    return AnsweredQuestion(
        question=one.question.id,
        keys=tuple(one.question.keys),
        asked=dict(one.question.step.message),
        said=one.said,
        fits=one.fits,
        decides=one.decides,
        left={key: _ends(values) for key, values in one.left.items()},
    )


def _optimum(inquest: Inquest, found: Sequence[str]) -> Optimum:
    interview = inquest.interview
    numbers = {key: inquest.outright for key in found if interview.interpreter.is_number(key)}
    return best(interview.before, interview.scenarios, found, numbers)


def _tell_findings(inquest: Inquest, found: InterviewFindings, words: Words) -> Iterator[str]:
    """Yield the findings, line by line."""
    yield ""
    yield words.frame("asked_settled")
    for key, one in found.settled.items():
        by = ", ".join(one.by)
        if not by:
            given = inquest.interview.before.find_settled(key) is not None
            by = words.frame("asked_before" if given else "asked_follows")
        yield f"  {key}={one.value}  ({by})"
    if found.open:
        yield words.frame("asked_open")
    for key, left in found.open.items():
        why = words.frame("asked_undecidable" if left.undecidable else "asked_unasked")
        values = words.frame("asked_left", key=key, values=", ".join(left.values))
        yield from wrap_lines(f"{values} ({why})", "  ")
    if found.misfits:
        yield words.frame("asked_misfit")
    for asked in inquest.interview.asked:
        if not asked.fits:
            yield from wrap_lines(f"{asked.question.id}: {asked.said}", "  ")
    least = found.optimum
    average = f"{least.average:g}" if least.exact else words.frame("asked_about", average=f"{least.average:g}")
    counts = {"asked": str(inquest.asked), "worst": str(least.worst), "bits": f"{least.bits:g}"}
    yield words.frame("asked_count", average=average, **counts)
    yield words.frame("asked_rules", rules=found.rules)


def _ends(values: Sequence[str]) -> tuple[str, ...]:
    """Return values, of many that are numbers the least and the greatest."""
    return tuple(values) if len(values) <= _TOLD else (values[0], values[-1])
