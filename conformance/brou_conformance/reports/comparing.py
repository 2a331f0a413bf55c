"""Several programs, or versions of one, beside each other: what each plays, and the cases in which they differ.

Everything is taken from the summaries of their editions, as every other output is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from brou import Impossible
from brou_conformance.judging.case import CaseReport
from brou_conformance.protocol import shorten
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.record import RunRecord
from brou_conformance.reports.roots_text import tell_play
from brou_conformance.reports.sentences import join
from brou_conformance.reports.summary import CaseKind, Summary, ToldCase, expect_shown, summarise
from brou_conformance.reports.text import tell_kinds, tell_rest
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import Report

#: How many cases are told one by one on a terminal.
_TOLD = 20
_FAILING = (CaseKind.FAILED, CaseKind.KNOWN)


@dataclass(frozen=True, slots=True)
class ComparedProgram:
    """A program by the name that it has in a comparison, with the record of its answers."""

    name: str
    #: Its name where no other program has that, else its record.
    label: str
    record: str
    report: Report


class ProgramResult(NamedTuple):
    """What came of a case for one program: None twice where its record has no such case."""

    kind: CaseKind | None
    report: CaseReport | None


@dataclass(frozen=True, slots=True)
class ComparedCase:
    """A case with what came of it for each program, in their order."""

    setup: str
    id: str
    title: str
    clauses: tuple[str, ...]
    results: tuple[ProgramResult, ...]
    #: The readings that it hangs on and that the programs were judged under otherwise.
    readings: tuple[str, ...]

    @property
    def parts(self) -> bool:
        """Say whether the programs differ: one passes and another fails, or their answers differ, or their readings."""
        passed = any(one.kind is CaseKind.PASSED for one in self.results)
        failed = {_name_answer(one.report) for one in self.results if one.kind in _FAILING and one.report}
        return bool(self.readings) or (passed and bool(failed)) or len(failed) > 1

    @property
    def fails(self) -> bool:
        """Say whether some program fails in it."""
        return any(one.kind in _FAILING for one in self.results)


def _name_answer(report: CaseReport) -> tuple[str, str]:
    """Return a wrong answer by its step and its words."""
    shown = expect_shown(ToldCase(report))
    return shown.step, shown.said


class ComparedReading(NamedTuple):
    """A reading that the programs were judged under otherwise: the value of each."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class ComparedEdition:
    """An edition that two or more programs play."""

    programs: tuple[ComparedProgram, ...]
    #: The result of each program, in their order.
    summaries: tuple[Summary, ...]
    teller: Teller

    @property
    def name(self) -> str:
        """Return the edition."""
        return self.summaries[0].name

    @cached_property
    def readings(self) -> tuple[ComparedReading, ...]:
        """Return the readings that the programs were judged under otherwise."""
        keys = dict.fromkeys(key for one in self.summaries for key in one.run.readings)
        rows = (ComparedReading(key, tuple(one.run.readings.get(key, "") for one in self.summaries)) for key in keys)
        return tuple(row for row in rows if len(set(row.values)) > 1)

    @cached_property
    def cases(self) -> tuple[ComparedCase, ...]:
        """Return every case of any program: first those in which they differ, then those in which some fails."""
        found: dict[tuple[str, str], list[ProgramResult]] = {}
        for place, summary in enumerate(self.summaries):
            for number, report in enumerate(summary.run.cases):
                row = found.setdefault((report.setup, report.id), [ProgramResult(None, None)] * len(self.summaries))
                row[place] = ProgramResult(summary.kind(number), report)
        cases = [self._compare(*name, tuple(row)) for name, row in found.items()]
        return tuple(sorted(cases, key=lambda one: (not one.parts, not one.fails)))

    def _compare(self, setup: str, id_: str, results: tuple[ProgramResult, ...]) -> ComparedCase:
        first = self.summaries[0]
        scenario = self._scenarios[id_]
        report = next(one.report for one in results if one.report is not None)
        title, _ = self.teller.translate(first, replace(report, title=scenario.title, because=scenario.because))
        apart = tuple(row.key for row in self.readings if row.key in scenario.keys)
        return ComparedCase(setup, id_, title, scenario.clauses, results, apart)

    @cached_property
    def _scenarios(self) -> dict[str, Scenario]:
        first = self.summaries[0]
        return {one.id: one for one in corpus.scenarios(first.run.game, first.corpus)}

    @property
    def parting(self) -> tuple[ComparedCase, ...]:
        """Return the cases in which the programs differ."""
        return tuple(one for one in self.cases if one.parts)

    def tell_parting(self) -> str:
        """Return in how many of its cases the programs differ."""
        words = self.teller.words
        number, cases = words.number(len(self.parting)), words.count(len(self.cases), "of_case")
        return words.say("they_part", number=number, cases=cases) if self.parting else words.say("they_agree")


@dataclass(frozen=True, slots=True)
class ComparedPrograms:
    """The programs, and the editions that two or more of them play."""

    programs: tuple[ComparedProgram, ...]
    editions: tuple[ComparedEdition, ...]


def check_comparable(records: Sequence[RunRecord], selection: Selection) -> None:
    """Raise `Impossible` for a record without cases to compare, or of no edition that another record is of."""
    played = [sorted({one for one in _list_editions(record) if _is_wanted(one, selection)}) for record in records]
    for record, editions in zip(records, played, strict=True):
        if not editions:
            raise Impossible(f"{record.path}: it holds no case to compare")
        others = {one for other, found in zip(records, played, strict=True) if other is not record for one in found}
        if others.isdisjoint(editions):
            raise Impossible(
                f"{record.path}: it is of {', '.join(editions)}, and the others are of {', '.join(sorted(others))}: "
                "compare records of one edition"
            )


def _list_editions(record: RunRecord) -> Iterator[str]:
    yield from (f"{game}@{edition}" for game, edition, _ in record.played)


def _is_wanted(name: str, selection: Selection) -> bool:
    game, _, edition = name.partition("@")
    return selection.game in ("", game) and selection.edition in ("", edition)


def compare_reports(paths: Sequence[Path], reports: Sequence[Report], teller: Teller) -> ComparedPrograms:
    """Return the programs of some records beside each other; `reports` are the verdicts on them."""
    names = [_name_program(report) for report in reports]
    labels = [name if name and names.count(name) == 1 else str(path) for name, path in zip(names, paths, strict=True)]
    programs = tuple(map(ComparedProgram, names, labels, map(str, paths), reports))
    by_edition: dict[str, list[tuple[ComparedProgram, Summary]]] = {}
    for program in programs:
        for summary in summarise(program.report.runs):
            by_edition.setdefault(summary.name, []).append((program, summary))
    return ComparedPrograms(
        programs,
        tuple(
            ComparedEdition(tuple(one for one, _ in found), tuple(summary for _, summary in found), teller)
            for found in by_edition.values()
            if len(found) > 1
        ),
    )


def _name_program(report: Report) -> str:
    return shorten(" ".join(report.engine[key] for key in ("name", "version") if key in report.engine))


# In words -----------------------------------------------------------------------------


def tell_comparison(compared: ComparedPrograms, teller: Teller) -> str:
    """Return a comparison for a terminal."""
    return "\n".join(_list_lines(compared, teller)) + "\n"


def _list_lines(compared: ComparedPrograms, teller: Teller) -> Iterator[str]:
    words, page = teller.words, teller.page
    for number, edition in enumerate(compared.editions):
        yield from [""] * (number > 0) + [page.paint(edition.name, "strong")]
        for program, summary in zip(edition.programs, edition.summaries, strict=True):
            told = " ".join(filter(None, (tell_kinds(summary, teller), tell_play(summary, teller))))
            yield from page.wrap(words.say("topic_of", topic=program.label, told=told), "  ", "    ")
        for reading in edition.readings:
            yield from page.wrap(tell_reading(edition, reading, teller), "  ", "    ")
        yield from page.wrap(edition.tell_parting(), "  ", "    ")
        for case in edition.parting[:_TOLD]:
            yield from page.wrap(f"{case.id}: {tell_results(edition, case, teller)}", "    ", "      ")
        if len(edition.parting) > _TOLD:
            yield f"    {words.say('and_more', number=words.number(len(edition.parting) - _TOLD))}"
    for program in compared.programs:
        rest = tell_rest(program.report, teller)
        yield from [f"{program.label}:", *rest.splitlines()] if rest else []


def tell_reading(edition: ComparedEdition, reading: ComparedReading, teller: Teller) -> str:
    """Return how the programs read a passage, each with its value."""
    values = zip(edition.programs, reading.values, strict=True)
    told = join(teller.words.say("topic_of", topic=one.label, told=value) for one, value in values)
    return teller.words.say("read_otherwise", key=reading.key, values=told)


def tell_results(edition: ComparedEdition, case: ComparedCase, teller: Teller) -> str:
    """Return what came of a case for each program."""
    results = zip(edition.programs, case.results, strict=True)
    told = join((f"{one.label} {tell_kind(found.kind, teller)}" for one, found in results), "; ")
    return f"{told} ({', '.join(case.readings)})" if case.readings else told


def tell_kind(kind: CaseKind | None, teller: Teller) -> str:
    """Return what came of a case in a word."""
    return teller.words.name_one("absent" if kind is None else kind.value)
