"""The report of a smoke test, for people in their language, and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap

from brou_conformance.protocol import shorten
from brou_conformance.smoke.findings import AdapterCheck, AdapterFinding, Examination, Smoke
from brou_conformance.smoke.translatable import EnglishSpeaker, Speaker, name_check, say, tell

#: Columns by which what belongs to a finding is indented.
_INDENT = "  "


def summary(smoke: Smoke, width: int, words: Speaker | None = None) -> str:
    """Return it as text in lines of at most so many columns, where words allow it."""
    return "\n".join(_SmokeReport(width, words or EnglishSpeaker()).lines(smoke)) + "\n"


@dataclass(frozen=True, slots=True)
class _SmokeReport:
    """A page as wide as this, in a language."""

    width: int
    words: Speaker

    def say(self, sentence: str, /, **parts: object) -> str:
        """Return a sentence of the page."""
        return tell(say(sentence, **parts), self.words)

    def lines(self, smoke: Smoke) -> Iterator[str]:
        """Yield everything."""
        told = " ".join(str(smoke.engine[key]) for key in ("name", "version") if key in smoke.engine)
        name, faults = shorten(told) or say("nameless"), smoke.faults
        how = "one_fault" if len(faults) == 1 else "several_faults"
        if not faults:
            how = "sound" if smoke.examinations else "nothing_asked"
        parts = {"number": len(faults)} if how == "several_faults" else {}
        yield from wrap(self.say(how, name=name, **parts), self.width)
        for number, finding in enumerate(faults, 1):
            yield ""
            yield from self.finding(finding, "fault", number=number)
        if smoke.remarks:
            yield ""
            yield self.say("remarks")
        for finding in smoke.remarks:
            yield from self.finding(finding, "remark")
        if not smoke.unusable:
            yield ""
            yield from self.extent(smoke.examinations)

    def finding(self, finding: AdapterFinding, head: str, **parts: object) -> Iterator[str]:
        """Yield a finding, the likely cause first."""
        check = name_check(finding.check.value, self.words)
        yield from wrap(
            self.say(head, check=check, cause=finding.cause, **parts), self.width, subsequent_indent=_INDENT
        )
        told = (
            ("setup", finding.setup),
            ("asked", finding.asked),
            ("came", finding.came),
            ("wanted", finding.wanted),
            ("protocol", finding.passage.value),
        )
        for sentence, text in told:
            if text:
                yield from self.below(sentence, text=text)

    def extent(self, examinations: tuple[Examination, ...]) -> Iterator[str]:
        """Yield the checks that were made, and those that were not."""
        for one in examinations:
            counts = [
                f"{name_check(check.value, self.words)} {one.asked[check]}"
                for check in AdapterCheck
                if one.asked.get(check)
            ]
            asked = ", ".join(counts) or say("none_asked")
            yield from wrap(self.say("extent", setup=one.setup, asked=asked), self.width, subsequent_indent=_INDENT)
            for check, why in one.unasked.items():
                yield from self.below("not_looked_at", check=name_check(check.value, self.words), why=why)

    def below(self, sentence: str, **parts: object) -> Iterator[str]:
        """Yield a sentence that belongs to the lines above it."""
        told = self.say(sentence, **parts)
        yield from wrap(told, self.width, initial_indent=_INDENT, subsequent_indent=_INDENT * 2)
