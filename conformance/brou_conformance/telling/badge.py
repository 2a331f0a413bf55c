"""What a badge says, in the form that badge services read (shields.io)."""

from __future__ import annotations

from typing import TypedDict

from brou_conformance.telling.sentences import Sentences
from brou_conformance.telling.summary import summarise
from brou_conformance.verdicts.verdict import Verdict
from brou_conformance.verdicts.verify import Report

#: From the best to the gravest; a badge says the gravest of all editions.
_ORDER = (Verdict.FOLLOWS, Verdict.FOLLOWS_READINGS, "known", Verdict.DEVIATES, Verdict.ADAPTER, Verdict.SUITE)
_COLOURS = {
    Verdict.FOLLOWS: "brightgreen",
    Verdict.FOLLOWS_READINGS: "green",
    "known": "yellow",
    Verdict.DEVIATES: "red",
}


class Badge(TypedDict):
    """A badge, by the names that services give its parts."""

    schemaVersion: int
    label: str
    message: str
    color: str


def badge(report: Report, words: Sentences | None = None) -> Badge:
    """Return a word, how many cases pass, and a colour; red only for what is not known."""
    told, summaries = words or Sentences(), summarise(report.runs)
    names = ["known" if one.run.as_known else one.run.verdict for one in summaries]
    lost = report.unusable is not None or not names
    gravest = Verdict.ADAPTER if lost and Verdict.DEVIATES not in names else max(names, key=_ORDER.index)
    passed, cases = sum(one.figures.passed for one in summaries), sum(one.figures.cases for one in summaries)
    kept = sum(one.run.tally.kept for one in summaries)
    parts = [f"{told.word('badges', str(gravest))} {passed}/{cases}"]
    parts += [told.say("kept", number=told.number(kept))] if kept else []
    colour = _COLOURS.get(gravest, "lightgrey")
    return {"schemaVersion": 1, "label": "brou", "message": ", ".join(parts), "color": colour}
