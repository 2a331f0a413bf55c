"""`brou attested`: check the signature and the record of a statement, and print its content."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from brou_conformance.reports.attestation import Attestation
from brou_conformance.reports.signing import Unsigned, check_subject, open_signed
from brou_tools.attested.options import AttestedOptions
from brou_tools.terminal.closing import conclude
from brou_tools.terminal.exits import Exit


def run(options: AttestedOptions) -> int:
    """Print the statement; 1 if the key does not stand for it, or it is about another record."""
    try:
        stated = open_signed(Path(options.statement), Path(options.key))
        if options.record is not None:
            check_subject(stated, Path(options.record))
    except Unsigned as refused:
        print(f"brou: {refused}", file=sys.stderr)
        return Exit.FINDING
    conclude("checked the signature")
    print("\n".join(_tell(stated, checked=options.record is not None)))
    return Exit.FINE


def _tell(stated: Attestation, *, checked: bool) -> Iterator[str]:
    """Yield the content of a statement, and whether the record was compared."""
    known = stated.predicate
    yield "The signature is by this key."
    mark = "this record" if checked else "not compared: name it with --record"
    for subject in stated.subject:
        yield f"about {subject.name}, SHA-256 {subject.digest.sha256} ({mark})"
    version = " ".join(filter(None, (known.engine.get("name"), known.engine.get("version"))))
    yield f"program: {version or 'without a name'} ({' '.join(known.program.command)})"
    yield f"judged by suite {known.suite}{', from the record alone' if known.replayed else ''}"
    if not known.complete:
        yield "the record is not whole"
    if known.selection:
        yield f"of a part of the scenarios only: {known.selection}"
    if known.unusable:
        yield f"it could not be used to the end: {known.unusable}"
    for name, one in known.editions.items():
        readings = "".join(f" {key}={one.readings[key]}" for key in one.inferred)
        yield f"{name}: {one.verdict}, {one.cases.passed} of {one.cases.cases} cases pass{readings}"
    for game, data in known.data.items():
        yield f"{game}: scenarios {data.corpus[:16]}, rules {data.rules[:16]}"
