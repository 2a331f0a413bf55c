"""What a smoke test came to, for people and as data."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from brou_conformance.protocol import shorten
from brou_conformance.smoke.findings import Check, Examination, Finding, Smoke

FORMAT = "brou-smoke/1"
#: Columns by which what belongs to a finding is indented.
_INDENT = "  "


def document(smoke: Smoke) -> dict[str, Any]:
    """Return it as data."""
    return {
        "format": FORMAT,
        "sound": not smoke.faults,
        "usable": not smoke.unusable,
        "engine": dict(smoke.engine),
        "setups": [one.document() for one in smoke.examinations],
        "findings": [one.document() for one in (*smoke.faults, *smoke.remarks)],
    }


def summary(smoke: Smoke, width: int) -> str:
    """Return it as text in lines of at most so many columns, where words allow it."""
    return "\n".join(_lines(smoke, width)) + "\n"


def _lines(smoke: Smoke, width: int) -> Iterator[str]:
    told = " ".join(str(smoke.engine[key]) for key in ("name", "version") if key in smoke.engine)
    name = shorten(told) or "The program"
    faults = smoke.faults
    if faults:
        mend = "One fault: mend it" if len(faults) == 1 else f"{len(faults)} faults: mend them, the first one first,"
        yield from wrap(f"{name}: the adapter is not sound. {mend} before any rule is looked at.", width)
    elif not smoke.examinations:
        yield from wrap(f"{name}: nothing could be asked.", width)
    else:
        yield from wrap(f"{name}: the adapter is sound as far as it could be asked.", width)
    for number, finding in enumerate(faults, 1):
        yield ""
        yield from _finding(finding, f"{number}. {finding.check.value}: ", width)
    if smoke.remarks:
        yield ""
        yield "Remarks"
    for finding in smoke.remarks:
        yield from _finding(finding, f"- {finding.check.value}: ", width)
    if not smoke.unusable:
        yield ""
        yield from _extent(smoke.examinations, width)


def _finding(finding: Finding, head: str, width: int) -> Iterator[str]:
    yield from wrap(f"{head}{finding.cause}", width, subsequent_indent=_INDENT)
    told = (
        ("set-up", finding.setup),
        ("asked", finding.asked),
        ("came", finding.came),
        ("wanted", finding.wanted),
        ("protocol", f'PROTOCOL.md: "{finding.passage.value}"'),
    )
    for name, text in told:
        if text:
            yield from wrap(f"{name}: {text}", width, initial_indent=_INDENT, subsequent_indent=_INDENT * 2)


def _extent(examinations: tuple[Examination, ...], width: int) -> Iterator[str]:
    """Yield what was looked at, and what was not."""
    for one in examinations:
        asked = ", ".join(f"{check.value} {one.asked[check]}" for check in Check if one.asked.get(check))
        yield from wrap(f"{one.setup}: {asked or 'nothing asked'}.", width, subsequent_indent=_INDENT)
        for check, why in one.unasked.items():
            yield from wrap(
                f"not looked at: {check.value}: {why}.", width, initial_indent=_INDENT, subsequent_indent=_INDENT * 2
            )
