"""The smoke test of an adapter: its greeting, then its answers set-up by set-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from brou import Folder, Unknown
from brou_conformance.judging.judge import Unsent
from brou_conformance.programs.child import Failure
from brou_conformance.programs.session import Limits, Opener
from brou_conformance.protocol import Message, fault
from brou_conformance.scenarios.script import machine
from brou_conformance.smoke.examine import Examiner
from brou_conformance.smoke.facts import is_answered
from brou_conformance.smoke.findings import AdapterCheck, AdapterFinding, Examination, ProtocolPassage, Severity, Smoke
from brou_conformance.smoke.hello import find_choices
from brou_conformance.smoke.mishaps import find_mishap
from brou_conformance.smoke.probes import list_probes
from brou_conformance.smoke.suspects import ExaminedSetup
from brou_conformance.smoke.translatable import hear, say
from brou_conformance.smoke.wire import ProbeAsker, overhear
from brou_conformance.smoke.words import show_result, show_step


@dataclass(frozen=True, slots=True)
class Wanted:
    """The declarations of a program to examine, and the data to use."""

    game: str = ""
    edition: str = ""
    data: Folder = None

    def picks(self, play: tuple[str, str, str]) -> bool:
        """Say whether a set-up is wanted, given by game, edition and its own name."""
        game, edition, _ = play
        return self.game in ("", game) and self.edition in ("", edition, f"{game}@{edition}")


def smoke(opener: Opener, limits: Limits | None = None, wanted: Wanted | None = None) -> Smoke:
    """Tell whether the adapter of a program is sound."""
    session, wire = overhear(opener, limits or Limits())
    want = wanted or Wanted()
    with session:
        hello = session.hello()
        if isinstance(hello, Failure):
            return Smoke({}, (_unusable(find_mishap(wire, "hello"), hello, wire.came),), unusable=True)
        if not any(map(want.picks, hello.plays)):
            name = "@".join(part for part in (want.game, want.edition) if part)
            raise Unknown("declaration of the program", name, [f"{game}@{edition}" for game, edition, _ in hello.plays])
        findings: list[AdapterFinding] = []
        examinations: list[Examination] = []
        for found in find_choices(hello, want.data):
            if isinstance(found, AdapterFinding):
                findings.append(found)
            elif want.picks((found.game, found.edition, found.setup)):
                asker = ProbeAsker(session, wire, hello, found)
                examinations.append(_examine(asker, want.data, first=not examinations))
                if any(one.passage is ProtocolPassage.TIME for one in examinations[-1].findings):
                    break  # nobody waits once more for each set-up
        told = [*findings, *(finding for one in examinations for finding in one.findings)]
        return Smoke(hello.engine, _merge_setups(told), tuple(examinations), unusable=session.unusable is not None)


def _unusable(mishap: AdapterFinding | None, failure: Failure, came: Message | Failure | None) -> AdapterFinding:
    """Return why there is no greeting."""
    if mishap is not None:
        return mishap
    problem = fault("hello.reply", came) if isinstance(came, dict) and came.get("ok") is not False else None
    if came is None:
        cause = say("cannot_start")
    else:
        cause = say("greeting_form", problem=problem) if problem else say("no_greeting")
    return AdapterFinding(
        AdapterCheck.HELLO, Severity.FAULT, cause, "hello", hear(failure.what), say("greeting"), ProtocolPassage.PLAYS
    )


def _examine(asker: ProbeAsker, data: Folder, *, first: bool) -> Examination:
    table = ExaminedSetup(machine(asker.choice, data), list_probes(asker.choice, asker.hello, data))
    found = Examination(str(asker.choice))
    examiner = Examiner(asker, table, found)
    examiner.examine()
    if first and not any(one.level is Severity.FAULT for one in found.findings):
        found.findings += _examine_wire(asker, examiner)
    return found


def _examine_wire(asker: ProbeAsker, examiner: Examiner) -> Iterator[AdapterFinding]:
    """Yield the faults of overlapping requests, and of requests with keys that the program does not know."""
    requests = [request for probe in examiner.probes for request in asker.requests(probe)]
    alone = [asker.session.run(request) for request in requests]
    if asker.hello.max_in_flight > 1 and not all(map(_same, asker.session.runs(requests), alone)):
        asked, others, wanted = say("all_at_once"), say("other_than_alone"), say("same_answers")
        yield AdapterFinding(
            AdapterCheck.ECHO, Severity.FAULT, say("overlap"), asked, others, wanted, ProtocolPassage.IN_ORDER
        )
    if requests and any(map(is_answered, alone[0])):
        answers = asker.session.run({**requests[0], "unknown": True})
        if not _same(answers, alone[0]):
            came = next(show_result(one) for one, other in zip(answers, alone[0], strict=True) if one != other)
            yield AdapterFinding(
                AdapterCheck.ECHO,
                Severity.FAULT,
                say("unknown_key"),
                say("with_unknown"),
                came,
                say("same_answers"),
                ProtocolPassage.UNKNOWN_KEYS,
            )
    yield from _find_undeclared(asker, examiner)


def _same(one: Sequence[Message | Unsent], other: Sequence[Message | Unsent]) -> bool:
    return list(one) == list(other)


def _find_undeclared(asker: ProbeAsker, examiner: Examiner) -> Iterator[AdapterFinding]:
    """Yield abilities that the program evidently has and does not declare; other answers speak against nobody."""
    probe = next((probe for probe in examiner.probes if probe.dealt), None)
    if probe is None or "deal" not in asker.hello.can:
        return
    for kind in ("view", "score", "winner"):
        if kind in asker.hello.can:
            continue
        step = {kind: 0 if kind == "view" else True}
        answer = asker.session.run(asker.request(probe.start, [step]))[0]
        if is_answered(answer) and kind in answer:
            cause, asked = say("undeclared", kind=kind), show_step(probe.about, step)
            yield AdapterFinding(
                AdapterCheck.ABILITIES,
                Severity.REMARK,
                cause,
                asked,
                show_result(answer),
                "",
                ProtocolPassage.ABILITIES,
            )


def _merge_setups(findings: Sequence[AdapterFinding]) -> tuple[AdapterFinding, ...]:
    """Return findings with those of several set-ups that say the same made one."""
    merged: dict[tuple[AdapterCheck, Severity, str], AdapterFinding] = {}
    setups: dict[tuple[AdapterCheck, Severity, str], list[str]] = {}
    for one in findings:
        key = one.check, one.level, one.cause
        merged.setdefault(key, one)
        setups.setdefault(key, [])
        if one.setup and one.setup not in setups[key]:
            setups[key].append(one.setup)
    return tuple(replace(one, setup=", ".join(setups[key])) for key, one in merged.items())
