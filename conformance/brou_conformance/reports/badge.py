"""Badges in the form that badge services read (shields.io)."""

from __future__ import annotations

from typing import TypedDict

from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.summary import AGREED, DECLARED, summarise
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import Report

#: From the best to the gravest; a badge says the gravest of all editions.
_ORDER = (
    EditionVerdict.FOLLOWS,
    DECLARED,
    AGREED,
    EditionVerdict.FOLLOWS_READINGS,
    "known",
    EditionVerdict.DEVIATES,
    EditionVerdict.ADAPTER,
    EditionVerdict.SUITE,
)
_COLOURS = {
    EditionVerdict.FOLLOWS: "brightgreen",
    DECLARED: "brightgreen",
    AGREED: "brightgreen",
    EditionVerdict.FOLLOWS_READINGS: "green",
    "known": "yellow",
    EditionVerdict.DEVIATES: "red",
}


class Badge(TypedDict):
    """A badge, by the names that services give its parts."""

    schemaVersion: int
    label: str
    message: str
    color: str


def badge(report: Report, words: Sentences | None = None) -> Badge:
    """Return the badge: a word, how many cases pass, and a colour; only unknown failures make it red."""
    told, summaries = words or Sentences(), summarise(report.runs)
    names = ["known" if one.run.as_known else one.told_verdict for one in summaries]
    lost = report.unusable is not None or not names
    gravest = EditionVerdict.ADAPTER if lost and EditionVerdict.DEVIATES not in names else max(names, key=_ORDER.index)
    passed, cases = sum(one.figures.passed for one in summaries), sum(one.figures.cases for one in summaries)
    whole = sum(one.run.whole or one.run.discovered for one in summaries)
    partial = any(one.run.whole for one in summaries)
    kept = sum(one.run.tally.kept for one in summaries)
    parts = [f"{told.word('badges', str(gravest))} {passed}/{cases}"]
    parts += [told.say("part_of", cases=told.number(whole))] if partial else []
    parts += [told.say("kept", number=told.number(kept))] if kept else []
    colour = _COLOURS.get(gravest, "lightgrey")
    return {"schemaVersion": 1, "label": "brou", "message": ", ".join(parts), "color": colour}
