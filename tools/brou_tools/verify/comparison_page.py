"""Several programs beside each other as one page for browsers: verdicts, what each plays instead, and every case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import NamedTuple

from brou_conformance.judging.outcome import CaseOutcome
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.comparing import ComparedCase, ComparedEdition, ComparedPrograms, ProgramResult, tell_kind
from brou_conformance.reports.page import Page
from brou_conformance.reports.summary import CaseKind
from brou_conformance.reports.text import EditionText, tell_rest
from brou_tools.pages.page_writer import write_whole_page
from brou_tools.verify.verdict_page import WIDTH, ShownCase, ShownEdition, ShownRoot

_MARKS = {CaseKind.PASSED: ("✓", "ok"), CaseKind.FAILED: ("✗", "no"), CaseKind.KNOWN: ("✗", "no")}
_NO_MARK = ("·", "aside")


class ResultCell(NamedTuple):
    """What came of a case for one program, in words and with a mark; its wrong answer, if it gave one."""

    label: str
    told: str
    mark: str
    style: str
    case: ShownCase | None


class RootRow(NamedTuple):
    """A change of the rules that some program plays, with the change as each plays it; None where one does not."""

    clause: str
    place: str
    roots: tuple[ShownRoot | None, ...]


class ReadingRow(NamedTuple):
    """A passage that the programs read otherwise."""

    key: str
    question: str
    values: tuple[str, ...]


class CaseRow(NamedTuple):
    """A case with what came of it for each program."""

    key: str
    case: ComparedCase
    cells: tuple[ResultCell, ...]
    #: The first wrong answer, with the moment in which it was given; None where no program failed.
    shown: ShownCase | None
    #: By what it is picked from the list.
    about: str


def write_comparison_page(compared: ComparedPrograms, teller: Teller, command: str) -> str:
    """Return a comparison as a page that needs no other file; `command` leads to the same."""
    plain = Teller(teller.words, Page(WIDTH))
    editions = [ShownComparison(one, plain) for one in compared.editions]
    faces = {one.cards.pack: one.cards.style_cards() for edition in editions for one in edition.shown[:1]}

    def word(entry: str, /, **parts: object) -> str:
        return teller.words.tell("page", entry, **parts)

    return write_whole_page(
        "comparison.html.jinja",
        "".join(faces.values()),
        lang=teller.words.lang,
        word=word,
        names=", ".join(one.label for one in compared.programs),
        programs=[(one, tell_rest(one.report, plain).splitlines()) for one in compared.programs],
        editions=editions,
        command=command,
        version=version("brou"),
    )


@dataclass(frozen=True)
class ShownComparison:
    """An edition that several programs play, as the page shows it."""

    compared: ComparedEdition
    teller: Teller

    @property
    def id(self) -> str:
        """Return the edition, by which the page finds it."""
        return self.compared.name

    @cached_property
    def shown(self) -> Sequence[ShownEdition]:
        """Return the edition as the page of each program alone shows it."""
        return [ShownEdition(one, self.teller) for one in self.compared.summaries]

    @property
    def verdicts(self) -> Sequence[tuple[str, ShownEdition, str]]:
        """Return each program with its edition, and how many of its cases pass."""
        words = self.teller.words
        told = words.word("page", "passing_of")
        return [
            (
                program.label,
                shown,
                told.format(
                    passed=words.number(shown.summary.figures.passed), cases=words.number(shown.summary.figures.cases)
                ),
            )
            for program, shown in zip(self.compared.programs, self.shown, strict=True)
        ]

    @cached_property
    def roots(self) -> Sequence[RootRow]:
        """Return the changes of the rules that explain failures; one that several programs play is one row."""
        rows: dict[tuple[str, str], list[ShownRoot | None]] = {}
        for place, shown in enumerate(self.shown):
            for root in shown.roots:
                row = rows.setdefault((root.told.clause, root.told.place), [None] * len(self.shown))
                row[place] = root
        return [RootRow(*name, tuple(row)) for name, row in rows.items()]

    @property
    def readings(self) -> Sequence[ReadingRow]:
        """Return the passages that the programs read otherwise, each with its question."""
        text = EditionText(self.compared.summaries[0], self.teller)
        return [ReadingRow(one.key, text.question(one.key), one.values) for one in self.compared.readings]

    @property
    def parting(self) -> str:
        """Return in how many cases the programs differ."""
        return self.compared.tell_parting()

    @property
    def choices(self) -> Sequence[tuple[str, str]]:
        """Return what cases can be picked by."""
        word = self.teller.words.word
        fails = [
            (f"fails-{number}", word("page", "where_it_fails").format(name=one.label))
            for number, one in enumerate(self.compared.programs, 1)
        ]
        others = [("pass", "where_all_pass"), ("left", "where_not_asked")]
        return [
            ("part", word("page", "where_they_part")),
            *fails,
            *((value, word("page", name)) for value, name in others),
        ]

    def list_cases(self) -> Iterator[CaseRow]:
        """Yield every case, those in which the programs differ first."""
        for case in self.compared.cases:
            cells = tuple(self._show_result(place, case, one) for place, one in enumerate(case.results))
            shown = next((one.case for one in cells if one.case is not None), None)
            yield CaseRow(f"{self.id}:{case.setup}/{case.id}", case, cells, shown, " ".join(_list_picks(case)))

    def _show_result(self, place: int, case: ComparedCase, result: ProgramResult) -> ResultCell:
        mark, style = _NO_MARK if result.kind is None else _MARKS.get(result.kind, _NO_MARK)
        outcome = self._failing[place].get((case.setup, case.id))
        return ResultCell(
            label=self.compared.programs[place].label,
            told=tell_kind(result.kind, self.teller),
            mark=mark,
            style=style,
            case=None if outcome is None else self.shown[place].show_case(outcome),
        )

    @cached_property
    def _failing(self) -> Sequence[dict[tuple[str, str], CaseOutcome]]:
        return [{(one.setup, one.id): one for one in summary.run.failing} for summary in self.compared.summaries]


def _list_picks(case: ComparedCase) -> Iterator[str]:
    """Yield what a case is picked by: that the programs differ, who fails, that all pass, that one is not judged."""
    kinds = [one.kind for one in case.results]
    if case.parts:
        yield "part"
    yield from (f"fails-{number}" for number, kind in enumerate(kinds, 1) if kind in (CaseKind.FAILED, CaseKind.KNOWN))
    if set(kinds) == {CaseKind.PASSED}:
        yield "pass"
    if any(kind in (None, CaseKind.UNJUDGED, CaseKind.ERROR) for kind in kinds):
        yield "left"
