"""`brou verify`: judge a program under test."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from brou.errors import NoFile, nearest
from brou.written import expect, put
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status
from brou_conformance.programs.child import Child
from brou_conformance.programs.inside import opener
from brou_conformance.programs.session import Hello, Limits, Opener, Session
from brou_conformance.protocol import encode, schema
from brou_conformance.scenarios import corpus
from brou_conformance.telling.known import known_failing
from brou_conformance.telling.outputs import badge, junit, markdown
from brou_conformance.telling.record import Record, Recorder, change, read_record
from brou_conformance.telling.report import changes, document, listed, told_rest
from brou_conformance.verdicts.verdict import Verdict
from brou_conformance.verdicts.verify import Inquiry, Report, Selection, Watch, plans, verify
from brou_tools.exits import Exit
from brou_tools.watching import Interruption, Progress, Settling, Several, Told
from brou_tools.working import ended

#: Stands for the standard output where a file is named.
_STANDARD = "-"


def run(options: argparse.Namespace) -> int:
    """Judge the program and write the report."""
    if options.schema:
        print(json.dumps(schema("report"), indent=2))
        return Exit.FINE
    for name in (options.junit, options.markdown, options.badge, options.report):
        if name not in (None, _STANDARD):
            expect(Path(name))
    selection = Selection(
        options.game,
        options.edition,
        options.text,
        _folder(options.scenarios),
        known_failing=known_failing(Path(options.known_failing)) if options.known_failing else frozenset(),
        families=options.families,
    )
    for name in sorted(_unheard(selection)):
        print(
            f"brou: {options.known_failing}: there is no scenario {name!r}{_perhaps(name, selection)}", file=sys.stderr
        )
    since = read_record(Path(options.since)) if options.since else None
    kept = read_record(Path(options.report)) if options.resume and Path(options.report).exists() else None
    with _sessions(options) as (session, *helpers):
        if options.list:
            return _list(session, selection)
        if kept is not None and isinstance(session.hello(), Hello) and session.greeting != kept.greeting:
            print("brou: the program says something else of itself than in the report: starting anew", file=sys.stderr)
            kept = None
        with _watched(options, kept) as watch:
            report = verify(session, selection, watch, helpers=helpers, earlier=kept.answers if kept else None)
    _written(options, report, since)
    return code(report)


@contextmanager
def _sessions(options: argparse.Namespace) -> Iterator[list[Session]]:
    """Open as many sessions with the program as there are jobs."""
    usual = Limits()
    limits = Limits(start=options.start_timeout or usual.start, request=options.timeout or usual.request)
    with ExitStack() as stack:
        stack.enter_context(ended())
        yield [stack.enter_context(Session(_opener(options), limits)) for _ in range(options.jobs)]


def _opener(options: argparse.Namespace) -> Opener:
    if options.python:
        return opener(options.python)
    return lambda: Child.start(options.program)


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


def _unheard(selection: Selection) -> frozenset[str]:
    """Return what is known to fail and is no scenario, so that a slip of the pen is told."""
    return selection.known_failing - set(_scenarios(selection)) if selection.known_failing else frozenset()


def _perhaps(name: str, selection: Selection) -> str:
    return "".join(f"; perhaps {found!r} is meant" for found in nearest(name, _scenarios(selection)))


def code(report: Report) -> Exit:
    """Return the exit code for a report: the gravest thing in it."""
    verdicts = {run.verdict for run in report.runs}
    if Verdict.SUITE in verdicts:
        return Exit.OURS
    if report.unusable is not None or not report.runs:
        return Exit.UNUSABLE
    known = all(run.as_known or (run.verdict is Verdict.CONFORMS and not run.surprising) for run in report.runs)
    return Exit.FINE if known else Exit.FINDING


def _list(session: Session, selection: Selection) -> Exit:
    """Print what would be asked, case by case, and ask nothing."""
    hello = session.hello()
    if not isinstance(hello, Hello):
        print(f"The program cannot be used: {hello.what}.", file=sys.stderr)
        return Exit.UNUSABLE
    for plan in plans(hello, selection, []):
        for script in plan.scripts:
            print(listed(Inquiry.of(script, hello)))
    return Exit.FINE


# What comes out -----------------------------------------------------------------


@contextmanager
def _watched(options: argparse.Namespace, kept: Record | None) -> Iterator[Watch]:
    """Keep the record if there is to be one, and show progress on a terminal; in a pipe nothing is shown."""
    watches: list[Watch] = [Settling(), *([Progress()] if sys.stderr.isatty() else [])]
    watches += [Told()] if _reading(options) else []
    with ExitStack() as stack:
        if options.report:
            program = [options.python] if options.python else options.program
            watches.insert(0, stack.enter_context(closing(Recorder(Path(options.report), program, kept))))
        interruption = stack.enter_context(Interruption())
        yield Several([interruption, *watches])


def _written(options: argparse.Namespace, report: Report, since: Record | None) -> None:
    """Write every output that is asked for."""
    cases = [case for run in report.runs for case in run.cases]
    changed = change(since, cases) if since else None
    if options.junit:
        _put(options.junit, junit(report))
    if options.markdown:
        _put(options.markdown, markdown(report))
    if options.badge:
        _put(options.badge, json.dumps(badge(report)) + "\n")
    if options.trace:
        print(_wire(cases), end="", file=sys.stderr)
    if options.json:
        print(json.dumps({**document(report), **({"since": changed.document()} if changed else {})}))
    elif _reading(options):
        rest = told_rest(report)
        print("\n" * bool(rest and report.runs), rest, sep="", end="", file=sys.stdout if report.runs else sys.stderr)
        print(changes(changed) if changed else "", end="")


def _reading(options: argparse.Namespace) -> bool:
    """Say whether a person reads the standard output, and no program."""
    return not options.json and _STANDARD not in (options.junit, options.markdown, options.badge)


def _put(name: str, text: str) -> None:
    if name == _STANDARD:
        print(text, end="")
    else:
        put(Path(name), text)


def _wire(cases: Sequence[Case]) -> str:
    """Return what went over the wire in every case that is no pass."""
    lines = []
    for case in cases:
        if case.status not in (Status.PASS, Status.UNSUPPORTED):
            lines.append(f"{case.name}: {case.status.value}")
            lines += [f"  > {encode({'op': 'run', **request}).decode().rstrip()}" for request in case.requests]
            lines += [f"  < {step}" for step in case.wire]
    return "".join(f"{line}\n" for line in lines)
