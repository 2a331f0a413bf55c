"""`brou verify`: judge a program under test."""

from __future__ import annotations

import json
import os
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import SystemRandom

from brou import BrouError, NoFile, ask_if_meant, nearest
from brou.atomic import expect, put
from brou.shapes import write_object
from brou.words import find_user_language
from brou_conformance.judging.case import UnsentReport
from brou_conformance.judging.case import key as name_content
from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.programs.child import Child
from brou_conformance.programs.containment import Bounds, is_contained
from brou_conformance.programs.identity import ProgramName, identify, name_program
from brou_conformance.programs.in_process import file_of, opener
from brou_conformance.programs.session import Hello, Limits, Opener, Session
from brou_conformance.protocol import encode, schema, shorten
from brou_conformance.reports.attestation import attest
from brou_conformance.reports.badge import badge
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.comparing import check_comparable, compare_reports, tell_comparison
from brou_conformance.reports.document import document
from brou_conformance.reports.forking import write_forks
from brou_conformance.reports.junit import junit
from brou_conformance.reports.known_failures import known_failing, list_failing
from brou_conformance.reports.markdown import markdown
from brou_conformance.reports.page import Page
from brou_conformance.reports.record import (
    RunRecord,
    Stale,
    change,
    check_replayable,
    check_same,
    draw_sample,
    name_recorded,
    read_record,
    read_replies,
    summarise_data,
)
from brou_conformance.reports.recorder import Recorder
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.sources import find_texts
from brou_conformance.reports.summary import summarise
from brou_conformance.reports.text import tell_changes, tell_inquiry, tell_nothing, tell_rest
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.script import Script
from brou_conformance.verdicts.desk import Earlier
from brou_conformance.verdicts.fork import read_forks
from brou_conformance.verdicts.inquiry import Inquiry
from brou_conformance.verdicts.plan import Selection, plans
from brou_conformance.verdicts.tally import Ledger
from brou_conformance.verdicts.verdict import EditionVerdict, RunChange
from brou_conformance.verdicts.verify import Report, RunObserver, verify
from brou_tools.options.agreed import read_agreement
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.workers import exit_on_sigterm
from brou_tools.verify import smoke
from brou_tools.verify.options import STANDARD, VerifyOptions
from brou_tools.verify.replaying import judge_again
from brou_tools.verify.watches import BroadcastObserver, CaseProgress, HeapFreezer, Interruption, VerdictPrinter

#: Of names that are no scenarios so many are told one by one.
_TOLD = 20


def run(options: VerifyOptions) -> int:
    """Judge the program, or a record of it, and write the report."""
    if options.smoke:
        return smoke.run(options, _opener(options), _limits(options))
    if options.schema:
        print(json.dumps(schema("report"), indent=2))
        return Exit.FINE
    _expect_outputs(options)
    selection = _select(options)
    _tell_unheard(selection, options)
    since = read_record(Path(options.since)) if options.since else None
    teller = Teller(
        Sentences(find_user_language(options.lang, os.environ, options.project), options.project), Page.of(sys.stdout)
    )
    if options.records:
        return _compare(options, selection, teller)
    if options.replay:
        return _replay(options, options.replay, selection, since, teller)
    if options.games:
        return _judge_games(options, Path(options.games), selection, teller)
    kept = (
        read_record(Path(options.report))
        if options.report and options.resume and Path(options.report).exists()
        else None
    )
    with _sessions(options) as (session, *helpers):
        if options.list:
            return _list(session, selection, teller)
        program = _identify(options) if options.report else ProgramName(command=())
        hello = session.hello()
        earlier = _take_over(session, kept, program) if kept is not None and isinstance(hello, Hello) else {}
        recorder = None
        if options.report:
            data = (lambda: summarise_data(hello, selection)) if isinstance(hello, Hello) else dict
            chosen = _tell_selection(options)
            recorder = Recorder(Path(options.report), program, data, kept if earlier else None, chosen)
        with _observe(options, recorder, teller) as (watch, told):
            keep = recorder.ledger if recorder else Ledger
            report = verify(session, selection, watch, helpers=helpers, earlier=earlier, keep=keep)
            ended_with = _conclude(options, report, since, told, teller)
    left = [one.left.what for one in (session, *helpers) if one.left]
    for what in left:
        print(f"brou: the program is ended, but {what}", file=sys.stderr)
    return max(ended_with, Exit.UNUSABLE) if left else ended_with


def _expect_outputs(options: VerifyOptions) -> None:
    """Raise an error now, and not after a long run, where an output cannot be written or signed."""
    for name in (
        options.junit,
        options.markdown,
        options.html,
        options.badge,
        options.attest,
        options.report,
        options.write_known_failing,
        options.fork,
    ):
        if name not in (None, STANDARD):
            expect(Path(name))
    if options.sign:
        from brou_conformance.reports.signing import check_key  # noqa: PLC0415 - only who signs needs keys

        check_key(Path(options.sign))


def _select(options: VerifyOptions) -> Selection:
    """Return what chooses the cases, and the rules to judge by."""
    agreed = read_agreement(options.agreement, options.project) if options.agreement else None
    return Selection(
        options.game if agreed is None else agreed.game,
        options.edition if agreed is None else agreed.edition,
        options.text,
        _folder(options.scenarios) or options.project,
        options.project,
        known_failing=known_failing(Path(options.known_failing)) if options.known_failing else frozenset(),
        quick=options.quick,
        families=options.families,
        texts=find_texts(options.sources, os.environ),
        forks=read_forks(Path(options.under), options.project) if options.under else (),
        agreed=() if agreed is None else agreed.readings,
    )


def _replay(options: VerifyOptions, name: str, selection: Selection, since: RunRecord | None, teller: Teller) -> int:
    """Judge a record without its program."""
    record = read_record(Path(name))
    check_replayable(record)
    with _observe(options, None, teller) as (watch, told):
        return _conclude(options, judge_again(record, selection, watch), since, told, teller)


def _judge_games(options: VerifyOptions, path: Path, selection: Selection, teller: Teller) -> int:
    """Judge a program by the deals that it played."""
    from brou_tools.verify.replaying import judge_log  # noqa: PLC0415 - only who has a log needs it

    with _observe(options, None, teller) as (watch, told):
        return _conclude(options, judge_log(path, selection, watch), None, told, teller)


def _compare(options: VerifyOptions, selection: Selection, teller: Teller) -> int:
    """Judge records again and tell where their programs differ; the exit code is the gravest of those of each alone."""
    records = [read_record(Path(name)) for name in options.records]
    check_comparable(records, selection)
    with Interruption() as interruption:
        watch = BroadcastObserver([interruption, HeapFreezer(), CaseProgress()])
        reports = [judge_again(record, selection, watch) for record in records]
    compared = compare_reports([record.path for record in records], reports, teller)
    if options.html:
        from brou_tools.verify.comparison_page import write_comparison_page  # noqa: PLC0415 - templates take long

        command = shlex.join(["brou", "verify", *options.records, *_spell_choice(options)])
        _put(options.html, lambda: write_comparison_page(compared, Teller(teller.words), command))
    if options.html != STANDARD:
        print(tell_comparison(compared, teller), end="")
    conclude(f"compared {count(len(records), 'record')}")
    return max(code(report) for report in reports)


def _conclude(
    options: VerifyOptions, report: Report, since: RunRecord | None, told: VerdictPrinter, teller: Teller
) -> int:
    """Write every output and return the exit code; a fault of our own in one of them costs only that."""
    faults = _write_outputs(options, report, since, teller)
    name = options.replay or options.games or options.python or options.registered or name_program(options.program)
    conclude(f"judged {name}")
    for what, trace in [*told.faults, *faults]:
        print(f"brou: a fault of our own: {what}:\n{trace}", file=sys.stderr)
    return Exit.OURS if faults or told.faults else code(report, strict=options.strict)


def _tell_selection(options: VerifyOptions) -> str:
    """Return the options that choose a part of the cases or the rules to judge by; nothing without any."""
    named = {"-k": options.text, "--agreement": options.agreement}
    words = [f"{name} {value}" for name, value in named.items() if value]
    return " ".join([*(["--quick"] if options.quick else []), *words])


def _identify(options: VerifyOptions) -> ProgramName:
    """Return the identity of the program under test; the files that this run writes are no part of it."""
    outputs = (
        *(options.report, options.junit, options.markdown, options.html, options.badge, options.attest),
        *(options.known_failing, options.write_known_failing, options.since, options.fork, options.under),
        options.agreement,
    )
    ours = [Path(name) for name in outputs if name not in (None, STANDARD)]
    command = [file_of(options.python)] if options.python else options.command
    found = identify(command, options.build or "", ours)
    return replace(found, command=(options.python,)) if options.python else found


def _take_over(session: Session, kept: RunRecord, program: ProgramName) -> Earlier:
    """Return the replies of an earlier run to use again; raise `Stale` for a run of another program.

    The program answers a sample of the cases anew all the same. If one answer differs, nothing is taken over.
    """
    check_same(kept, program)
    if session.greeting != kept.greeting:
        raise Stale(f"{kept.path}: the program says something else of itself now; leave out --resume")
    sample = list(draw_sample(kept, SystemRandom().sample))
    for case in sample:
        again = list(session.runs(case.requests or ()))
        if any(map(_is_other, read_replies(case), again)):
            told = "asked again, the program answers otherwise: nothing is taken over from the report"
            print(f"brou: {kept.path}: {case.id}: {told}", file=sys.stderr)
            return {}
    return kept.replies_without({name_content(name_recorded(case), case.requests or ()) for case in sample})


def _is_other(before: Sequence[object], now: Sequence[object]) -> bool:
    """Say whether a result differs from the recorded one; a step without a recorded result never differs."""
    return any(one != other for one, other in zip(before, now, strict=False) if not isinstance(one, Unsent))


@contextmanager
def _sessions(options: VerifyOptions) -> Iterator[list[Session]]:
    """Open as many sessions with the program as there are jobs."""
    limits = _limits(options)
    with ExitStack() as stack:
        stack.enter_context(exit_on_sigterm())
        yield [stack.enter_context(Session(_opener(options), limits)) for _ in range(options.jobs)]


def _limits(options: VerifyOptions) -> Limits:
    return Limits.choose(options.timeout, options.start_timeout)


def _opener(options: VerifyOptions) -> Opener:
    if options.python:
        return opener(options.python)
    bounds = Bounds(options.memory, options.cpu)
    if bounds != Bounds() and not is_contained():
        raise BrouError(
            "--memory and --cpu are held on Linux alone, where /proc shows who started whom; leave them out"
        )
    command = options.command
    return lambda: Child.start(command, bounds)


def _folder(name: str | None) -> Path | None:
    if name is None:
        return None
    if not Path(name).is_dir():
        raise NoFile(name, "a folder that holds GAME/*.yaml", "no folder of scenarios")
    return Path(name).resolve()


def _scenarios(selection: Selection) -> Iterator[str]:
    """Yield the ids of all scenarios."""
    folder = selection.corpus
    yield from (one.id for game in corpus.games(folder) for one in corpus.scenarios(game, folder))


def _tell_unheard(selection: Selection, options: VerifyOptions) -> None:
    """Print the names known to fail that are no scenarios, of very many the first."""
    unheard = sorted(_unheard(selection))
    for name in unheard[:_TOLD]:
        print(
            f"brou: {options.known_failing}: there is no scenario {shorten(name)!r}{_suggest(name, selection)}",
            file=sys.stderr,
        )
    if len(unheard) > _TOLD:
        print(f"brou: {options.known_failing}: {len(unheard) - _TOLD} more that are no scenarios", file=sys.stderr)


def _unheard(selection: Selection) -> frozenset[str]:
    """Return the known failures that are no scenarios, so that a slip of the pen is reported."""
    return selection.known_failing - set(_scenarios(selection)) if selection.known_failing else frozenset()


def _suggest(name: str, selection: Selection) -> str:
    question = ask_if_meant(nearest(name, _scenarios(selection)))
    return f"; {question}" if question else ""


def code(report: Report, *, strict: bool = False) -> Exit:
    """Return the exit code for a report: the gravest thing in it; `strict` finds fault with undeclared readings."""
    verdicts = {run.verdict for run in report.runs}
    if EditionVerdict.SUITE in verdicts:
        return Exit.OURS
    if not report.runs and report.unusable is None and not report.notes:
        return Exit.FINDING
    if report.unusable is not None or not report.runs:
        return Exit.UNUSABLE
    fine = all(one.is_fine for one in summarise(report.runs))
    return Exit.FINE if fine and not (strict and EditionVerdict.FOLLOWS_READINGS in verdicts) else Exit.FINDING


def _list(session: Session, selection: Selection, teller: Teller) -> Exit:
    """Print the questions for the program, case by case, and ask none of them."""
    hello = session.hello()
    if not isinstance(hello, Hello):
        print(teller.words.say("cannot_be_used", what=teller.words.echo(hello.what)), file=sys.stderr)
        return Exit.UNUSABLE
    listed_any = False
    for plan in plans(hello, selection, []):
        for one in plan.subjects():
            print(
                tell_inquiry(Inquiry.of(one, hello), teller) if isinstance(one, Script) else f"{one.name}: {one.trace}"
            )
            listed_any = True
    if not listed_any:
        print(f"brou: {tell_nothing(teller)}", end="", file=sys.stderr)
    return Exit.FINE if listed_any else Exit.FINDING


# What comes out -----------------------------------------------------------------


@contextmanager
def _observe(
    options: VerifyOptions, recorder: Recorder | None, teller: Teller
) -> Iterator[tuple[RunObserver, VerdictPrinter]]:
    """Keep the record if there is to be one, and show progress on a terminal; in a pipe nothing is shown."""
    told = VerdictPrinter(teller, shown=_reading(options), every=options.all)
    watches: list[RunObserver] = [HeapFreezer(), CaseProgress(), told]
    with ExitStack() as stack:
        if recorder is not None:
            watches.insert(0, stack.enter_context(closing(recorder)))
        interruption = stack.enter_context(Interruption())
        yield BroadcastObserver([interruption, *watches]), told


def _write_outputs(
    options: VerifyOptions, report: Report, since: RunRecord | None, teller: Teller
) -> list[tuple[str, str]]:
    """Write every output that the options name; return those over which we broke down, each with its trace.

    An error of the system is raised once all others are written.
    """
    faults: list[tuple[str, str]] = []
    refused: OSError | None = None
    for what, write in _outputs(options, report, since, teller):
        try:
            write()
        except OSError as error:
            refused = refused or error
        except Exception:  # noqa: BLE001 - whatever it is costs this output alone, and is told
            faults.append((what, traceback.format_exc()))
    if refused is not None and not faults:
        raise refused
    return faults


def _outputs(
    options: VerifyOptions, report: Report, since: RunRecord | None, teller: Teller
) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the outputs beside the record and the editions printed so far, each with its writer."""
    yield from _files(options, report, Teller(teller.words))
    if options.trace:
        yield "the trace", lambda: _print_wire(report)
    if options.json:
        yield "the report", lambda: _print_report(report, since, every=options.all)
    elif _reading(options):
        yield "the report", lambda: _print_rest(report, teller)
        if since is not None:
            yield "what has changed", lambda: print(tell_changes(_change(report, since), teller), end="")


def _files(options: VerifyOptions, report: Report, plain: Teller) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the outputs that have names of files, each with its writer."""
    if options.junit:
        yield "JUnit", partial(_put, options.junit, lambda: junit(report, plain))
    if options.markdown:
        yield "Markdown", partial(_put, options.markdown, lambda: markdown(report, plain, every=options.all))
    if options.html:
        yield "the page", partial(_put, options.html, lambda: _write_page(options, report, plain))
    if options.badge:
        yield "the badge", partial(_put, options.badge, lambda: json.dumps(badge(report, plain.words)) + "\n")
    if options.attest:
        yield "the statement", partial(_put, options.attest, lambda: _write_statement(options, report))
    if options.write_known_failing:
        yield "the known failures", partial(_put, options.write_known_failing, lambda: list_failing(report))
    if options.fork:
        yield "the fork", partial(_put, options.fork, lambda: write_forks(report))


def _write_page(options: VerifyOptions, report: Report, teller: Teller) -> str:
    from brou_tools.verify.verdict_page import write_verdict_page  # noqa: PLC0415 - templates are slow to import

    return write_verdict_page(report, teller, _spell_command(options), every=options.all)


def _spell_command(options: VerifyOptions) -> str:
    """Return the command that gives the same verdict again: what chooses cases, and the program, as one types them."""
    words = _spell_choice(options)
    return shlex.join(["brou", "verify", *words, *(["--", *options.program] if options.program else [])])


def _spell_choice(options: VerifyOptions) -> list[str]:
    """Return the options that choose the cases, the rules, and who answers."""
    chosen = {
        "--replay": options.replay,
        "--games": options.games,
        "--game": options.game,
        "--edition": options.edition,
        "-k": options.text,
        "--scenarios": options.scenarios,
        "--under": options.under,
        "--agreement": options.agreement,
        "--python": options.python,
        "--program": options.registered if not options.program else None,
    }
    flags = {"--quick": options.quick, "--families": options.families}
    words = [word for name, value in chosen.items() if value for word in (name, value)]
    return [*words, *(name for name, given in flags.items() if given)]


def _write_statement(options: VerifyOptions, report: Report) -> str:
    """Return the statement about the record that was written or read."""
    name = options.report or options.replay or ""
    chosen = _tell_selection(options)
    stated = json.dumps(write_object(attest(report, Path(name), replayed=bool(options.replay), selection=chosen)))
    if options.sign is None:
        return f"{stated}\n"
    from brou_conformance.reports.signing import sign  # noqa: PLC0415 - only who signs needs keys

    return f"{json.dumps(write_object(sign(stated.encode(), Path(options.sign))))}\n"


def _change(report: Report, since: RunRecord) -> RunChange:
    return change(since, (case for run in report.runs for case in run.cases))


def _print_report(report: Report, since: RunRecord | None, *, every: bool) -> None:
    changed = None if since is None else _change(report, since)
    print(json.dumps(document(report, every=every, since=changed)))


def _print_rest(report: Report, teller: Teller) -> None:
    """Print the report on the program apart from its editions, which are printed already."""
    rest = tell_rest(report, teller)
    if not report.runs and not rest:
        rest = tell_nothing(teller)
    print("\n" * bool(rest and report.runs), rest, sep="", end="", file=sys.stdout if report.runs else sys.stderr)


def _reading(options: VerifyOptions) -> bool:
    """Say whether a person reads the standard output, and no program."""
    pages = (options.junit, options.markdown, options.html, options.badge, options.attest)
    outputs = (*pages, options.write_known_failing, options.fork)
    return not options.json and STANDARD not in outputs


def _put(name: str, make: Callable[[], str]) -> None:
    if name == STANDARD:
        print(make(), end="")
    else:
        put(Path(name), make())


def _print_wire(report: Report) -> None:
    """Print the requests and replies of every case that neither passes nor is unsupported."""
    quiet = (Status.PASS, Status.UNSUPPORTED)
    for case in (case for run in report.runs for case in run.cases if case.status not in quiet):
        print(f"{name_recorded(case)}: {case.status}", file=sys.stderr)
        for request, reply in zip(case.requests or (), case.replies or (), strict=False):
            print(f"  > {encode({'op': 'run', **request}).decode().rstrip()}", file=sys.stderr)
            for step, result in zip(request["steps"], reply, strict=False):
                said = write_object(result) if isinstance(result, UnsentReport) else result
                print(f"  < {encode(step).decode().rstrip()}: {encode(said).decode().rstrip()}", file=sys.stderr)
