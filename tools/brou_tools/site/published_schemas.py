"""Published JSON Schemas: made from the shapes that state the documents, and written where users find them.

`make schemas` writes the files; a test holds them to the shapes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from brou import root
from brou.atomic import put
from brou.chapters import FORMS, find_schema
from brou.chapters import make_schema as make_chapter_schema
from brou.check import find_schemas
from brou.compiler import CoreDocument
from brou.shapes import Schema, make_schema
from brou.words import ExplanationReport, SettlementReport
from brou_conformance.messages import HOME, make_message_schemas
from brou_conformance.portable.errata import Errata
from brou_conformance.portable.lines import BundledTexts, BundleIndex, CaseLine
from brou_conformance.protocol import SCHEMAS
from brou_conformance.reports.attestation import Attestation
from brou_conformance.reports.document import VerificationReport
from brou_conformance.reports.implementations import Implementations
from brou_conformance.reports.record import RecordLine
from brou_conformance.reports.signing import SignedStatement
from brou_conformance.scenarios.corpus import CorpusReport
from brou_conformance.scenarios.coverage import CoverageReport
from brou_conformance.scenarios.quick import QuickChoice
from brou_conformance.smoke.findings import SmokeDocument
from brou_conformance.verdicts.fork import ForkDocument
from brou_tools.ask.findings import InterviewFindings
from brou_tools.diff.report import ComparisonReport
from brou_tools.fuzz.report import FuzzReport
from brou_tools.perft.command import PerftReport
from brou_tools.questions.bite_scores import BiteScores
from brou_tools.questions.mutation_scores import MutationScores
from brou_tools.questions.register import RegisterReport
from brou_tools.show.clause import ClausesReport
from brou_tools.simulate.report import SimulationReport
from brou_tools.smt.report import ProofsReport
from brou_tools.witness.report import WitnessReport

#: What the commands of the suite write, by the name of its schema.
EVIDENCE: Mapping[str, Any] = {
    "attestation": Attestation,
    "bundle": BundleIndex,
    "case": CaseLine,
    "corpus": CorpusReport,
    "coverage": CoverageReport,
    "envelope": SignedStatement,
    "fuzz": FuzzReport,
    "perft": PerftReport,
    "record": RecordLine,
    "report": VerificationReport,
    "simulation": SimulationReport,
    "smoke": SmokeDocument,
    "texts": BundledTexts,
}


#: What is answered about the rules, and what is kept of them, likewise.
ANSWERS: Mapping[str, Any] = {
    "asked": InterviewFindings,
    "bites": BiteScores,
    "clause": ClausesReport,
    "comparison": ComparisonReport,
    "core": CoreDocument,
    "errata": Errata,
    "explanation": ExplanationReport,
    "fork": ForkDocument,
    "implementations": Implementations,
    "mutants": MutationScores,
    "proofs": ProofsReport,
    "quick": QuickChoice,
    "register": RegisterReport,
    "settlement": SettlementReport,
    "witness": WitnessReport,
}

#: Every document that a command writes.
DOCUMENTS: Mapping[str, Any] = {**EVIDENCE, **ANSWERS}


def make_all() -> Iterator[tuple[Path, Schema]]:
    """Yield every schema that is made, with the file that holds it."""
    made = make_message_schemas()
    made |= {name: make_schema(stated, id_=f"{HOME}/{name}.schema.json") for name, stated in EVIDENCE.items()}
    yield from ((SCHEMAS / f"{name}.schema.json", schema) for name, schema in made.items())
    for name, stated in ANSWERS.items():
        yield find_schemas() / f"{name}.schema.json", make_schema(stated)
    for name, form in FORMS.items():
        yield find_schema(root(), name), make_chapter_schema(form)


def format_schema(schema: Schema) -> str:
    """Return a schema as in its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write every schema."""
    for path, schema in make_all():
        put(path, format_schema(schema))


if __name__ == "__main__":
    main()
