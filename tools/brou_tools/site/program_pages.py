"""The table of programs: each with its verdict, from the records of a folder, and a page of the verdict beside it.

A list of programs in the folder (`implementations.yaml`, as `brou implementations` reads it) adds where a program is
found, the day of its verdict and its known deviations. It finds a record by the hash that the statement names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from brou import NoFile, Project
from brou.atomic import read_named
from brou_conformance.protocol import shorten
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.implementations import Implementation, read_entries
from brou_conformance.reports.record import RunRecord, read_record
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.summary import Summary, summarise
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import Report
from brou_tools.site.game_pages import GamePages
from brou_tools.site.site_words import SiteWords, write_site_page
from brou_tools.verify.replaying import judge_again
from brou_tools.verify.verdict_page import ShownEdition, SitePlace, write_verdict_page
from brou_tools.verify.watches import BroadcastObserver, CaseProgress, HeapFreezer

_LIST, _RECORDS = "implementations.yaml", "*.ndjson"
_PLACE = "programs.html"


@dataclass(frozen=True, slots=True)
class JudgedRecord:
    """A record with the verdicts on its program, and the entry of the program, if it is in the list."""

    record: RunRecord
    report: Report
    entry: Implementation | None

    @property
    def place(self) -> str:
        """Return the place of its page below the folder of a language."""
        return f"programs/{self.record.path.stem}.html"

    @property
    def date(self) -> str:
        """Return the day of the verdict: that of the list, else the day on which the record was last written."""
        if self.entry is not None:
            return self.entry.date
        return datetime.fromtimestamp(self.record.path.stat().st_mtime, UTC).date().isoformat()


class NamedLink(NamedTuple):
    """A name and the place that it leads to, empty for none, with a remark."""

    name: str
    place: str
    remark: str = ""


class ProgramRow(NamedTuple):
    """A row of the table: a program by one edition that it plays."""

    program: NamedLink
    version: str
    edition: str
    #: The verdict in few words; it leads to its page.
    verdict: NamedLink
    is_fine: bool
    passing: str
    readings: tuple[str, ...]
    #: The clauses of the changes of the rules that explain what fails.
    roots: tuple[NamedLink, ...]
    date: str
    deviations: tuple[NamedLink, ...]
    remarks: tuple[str, ...]


class SampleVerdict(NamedTuple):
    """A verdict for the first screen: the verdict in a sentence, what explains it, the page of it."""

    told: str
    is_fine: bool
    clause: NamedLink
    theirs: Markup
    rules: Markup
    place: str


@dataclass(frozen=True, slots=True)
class ProgramPages:
    """Writes the table and the pages of the verdicts; each record is judged once for all languages."""

    judged: Sequence[JudgedRecord]
    project: Project

    @classmethod
    def read(cls, folder: Path, project: Project) -> ProgramPages:
        """Judge the records of a folder; raise `NoFile` where there is none, or where one is no record."""
        paths = sorted(folder.glob(_RECORDS)) if folder.is_dir() else []
        if not paths:
            raise NoFile(folder, f"a folder of records ({_RECORDS}) that `brou verify --report` wrote")
        known = _read_list(folder / _LIST)
        records = [read_record(path) for path in paths]
        selection = Selection(corpus=project, data=project)
        watch = BroadcastObserver([HeapFreezer(), CaseProgress()])
        return cls(
            [JudgedRecord(one, judge_again(one, selection, watch), known.get(_hash_file(one.path))) for one in records],
            project,
        )

    @property
    def page_count(self) -> int:
        """Return how many pages there are in each language."""
        return 1 + len(self.judged)

    def show_sample(self, games: Sequence[GamePages]) -> SampleVerdict:
        """Return the first verdict that has an explanation, or where there is none the first."""
        found = [(one, summary) for one in self.judged for summary in summarise(one.report.runs)]
        one, summary = next(((one, summary) for one, summary in found if summary.roots), found[0])
        return show_verdict(summary, one.place, games)

    def write_all(self, games: Sequence[GamePages], langs: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield every page in the language of some games, by its place."""
        words = games[0].words
        teller = Teller(Sentences(words.lang, self.project))
        places = {game.game: game for game in games}
        alike = Counter(map(_name_engine, self.judged))
        rows = [
            row
            for one in self.judged
            for row in _list_rows(one, places, words, teller, is_alone=alike[_name_engine(one)] == 1)
        ]
        yield (
            _PLACE,
            write_site_page("site_programs.html.jinja", _PLACE, words, langs, [("index.html", "Brou")], rows=rows),
        )
        for one in self.judged:
            command = f"brou verify --replay {one.record.path.name}"
            above = [("../index.html", "Brou"), (f"../{_PLACE}", words.say("programs"))]
            tongues = [(f"../../{lang}/{one.place}", lang, words.name_language(lang)) for lang in langs]
            yield one.place, write_verdict_page(one.report, teller, command, place=SitePlace(above, tongues))


def show_verdict(summary: Summary, place: str, games: Sequence[GamePages]) -> SampleVerdict:
    """Return a verdict for the first screen in the language of some games; `place` is that of its page."""
    words, places = games[0].words, {game.game: game for game in games}
    shown = ShownEdition(summary, Teller(Sentences(words.lang, words.project)))
    root = shown.roots[0] if shown.roots else None
    return SampleVerdict(
        told=shown.verdict,
        is_fine=summary.is_fine,
        clause=next(_list_roots(summary, places), NamedLink("", "")),
        theirs=(Markup.escape(root.told.told) if root.told.told else root.after) if root else Markup(),
        rules=(Markup.escape(root.text) if root.text else root.before) if root else Markup(),
        place=f"{place}#{summary.name}",
    )


def _read_list(path: Path) -> Mapping[str, Implementation]:
    """Return the programs of a list by the hashes of their records; nothing where there is no list."""
    if not path.exists():
        return {}
    return {subject.digest.sha256: one for one, stated in read_entries(path) for subject in stated.subject}


def _hash_file(path: Path) -> str:
    return sha256(read_named(path)).hexdigest()


def _name_engine(one: JudgedRecord) -> tuple[str, str]:
    """Return the name and version that a program gives of itself."""
    return shorten(one.report.engine.get("name", "")), shorten(one.report.engine.get("version", ""))


def _list_rows(
    one: JudgedRecord, games: Mapping[str, GamePages], words: SiteWords, teller: Teller, *, is_alone: bool
) -> Iterator[ProgramRow]:
    """Yield the rows of a program; where others give themselves the same name, its record tells it apart."""
    (name, version), record = _name_engine(one), one.record
    named = NamedLink(name or words.say("unnamed_program"), _find_address(one), "" if is_alone else record.path.stem)
    remarks = [words.say("record_in_part", selection=record.selection)] if record.selection else []
    remarks += [] if record.complete else [words.say("record_cut_off")]
    for summary in summarise(one.report.runs):
        shown, figures = ShownEdition(summary, teller), summary.figures
        yield ProgramRow(
            program=named,
            version=version,
            edition=summary.name,
            verdict=NamedLink(shown.badge, f"{one.place}#{summary.name}"),
            is_fine=summary.is_fine,
            passing=words.say("passing_of", passed=words.number(figures.passed), cases=words.number(figures.cases)),
            readings=tuple(f"{key} = {value}" for key, value in summary.otherwise_read),
            roots=tuple(dict.fromkeys(_list_roots(summary, games))),
            date=one.date,
            deviations=tuple(_list_deviations(one, summary, words)),
            remarks=(*_list_unjudged(summary, words), *remarks),
        )


def _list_unjudged(summary: Summary, words: SiteWords) -> Iterator[str]:
    """Yield a remark that counts the cases not judged in full."""
    if summary.figures.unjudged:
        yield words.say("judged_in_part", number=words.number(summary.figures.unjudged))


def _find_address(one: JudgedRecord) -> str:
    """Return where a program is found on the web; a path leads nowhere from a site."""
    return one.entry.link if one.entry is not None and _is_address(one.entry.link) else ""


def _is_address(link: str) -> bool:
    return link.startswith("https://")


def _list_roots(summary: Summary, games: Mapping[str, GamePages]) -> Iterator[NamedLink]:
    game = games.get(summary.run.game)
    for one in summary.roots:
        clause = one.root.clause
        place = game.place_clause(clause) if game is not None and clause else ""
        yield NamedLink(clause or "/".join(one.root.change.at), place)


def _list_deviations(one: JudgedRecord, summary: Summary, words: SiteWords) -> Iterator[NamedLink]:
    """Yield the known deviations from clauses of an edition, each with where it is described."""
    blamed = {found.clause for found in summary.run.blamed}
    for known in (one.entry.deviations or ()) if one.entry is not None else ():
        if known.clause in blamed:
            place = known.link if _is_address(known.link) else ""
            since = words.say("known_since", date=known.date)
            yield NamedLink(known.clause, place, since if place else f"{since}, {known.link}")
