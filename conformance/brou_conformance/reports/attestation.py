"""Attestations: in-toto statements about a record, with its program, its data and its verdicts.

The subject is the record by its hash, and so every question and answer in it. A signature stands for all of that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from brou.atomic import read_named
from brou.shapes import ABSENT, Absent, Limit, shape
from brou_conformance.messages import HOME
from brou_conformance.programs.engine import find_version
from brou_conformance.programs.identity import ProgramName
from brou_conformance.reports.record import GameHashes, read_record
from brou_conformance.reports.summary import Figures, summarise
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import Report


@shape(name="digest", closed=True)
class SubjectDigest:
    """The hash of a subject."""

    sha256: Annotated[str, Limit(pattern="^[0-9a-f]{64}$"), "the hash of all its bytes"]


@shape(name="subject", closed=True)
class AttestedRecord:
    """The record that a statement is about."""

    name: Annotated[str, "its file"]
    digest: SubjectDigest


@shape(name="edition", closed=True)
class AttestedEdition:
    """The verdict on an edition."""

    verdict: Annotated[EditionVerdict, "the verdict"]
    cases: Annotated[Figures, "the numbers of its cases, by kind"]
    readings: Annotated[Mapping[str, str], "the readings that it was judged under"]
    inferred: Annotated[tuple[str, ...], "those of them that the program did not declare and its answers show"]
    blamed: Annotated[tuple[str, ...], "the clauses that best explain what fails, the most suspect first"] = ()


@shape(closed=True)
class AttestedVerdict:
    """The program and the data that a record binds together, with the verdicts."""

    suite: Annotated[str, "the version of the suite that judged"]
    program: Annotated[ProgramName, "the program that answered"]
    engine: Annotated[Mapping[str, str], "the name and version that the program gives itself"]
    data: Annotated[Mapping[str, GameHashes], "for each game, the hashes of its scenarios and rules"]
    complete: Annotated[bool, "whether the record is whole, and was not changed after it was written"]
    replayed: Annotated[bool, "whether the record was judged again, without the program"]
    selection: Annotated[str, "the options by which the cases were chosen, if not all were asked"] | Absent = ABSENT
    unusable: Annotated[str, "why the program could not be used to the end"] | Absent = ABSENT
    editions: Annotated[Mapping[str, AttestedEdition], "the verdict on each edition, by GAME@EDITION"]


@shape(closed=True)
class Attestation:
    """An in-toto statement about a record."""

    _type: Literal["https://in-toto.io/Statement/v1"] = "https://in-toto.io/Statement/v1"
    subject: Annotated[tuple[AttestedRecord, ...], "the record"]
    predicateType: Annotated[str, "what kind of statement it is"] = f"{HOME}/attestation/1"  # noqa: N815 - as in-toto has it
    predicate: AttestedVerdict


def attest(report: Report, record: Path, *, replayed: bool, selection: str = "") -> Attestation:
    """Return the statement about a record that a report was made of; raise an `OSError` if it cannot be read."""
    known = read_record(record)
    return Attestation(
        subject=(
            AttestedRecord(
                name=record.name, digest=SubjectDigest(sha256=hashlib.sha256(read_named(record)).hexdigest())
            ),
        ),
        predicate=AttestedVerdict(
            suite=find_version(),
            program=known.program,
            engine=report.engine,
            data=known.data,
            complete=known.complete and not known.damaged,
            replayed=replayed,
            selection=selection or known.selection or ABSENT,
            unusable=ABSENT if report.unusable is None else report.unusable.what,
            editions={
                one.name: AttestedEdition(
                    verdict=one.run.verdict,
                    cases=one.figures,
                    readings=one.run.readings,
                    inferred=tuple(sorted(one.run.inferred)),
                    blamed=tuple(blame.clause for blame in one.blamed),
                )
                for one in summarise(report.runs)
            },
        ),
    )
