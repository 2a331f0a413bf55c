"""The findings of a smoke test: each with the question, the answer, the likely cause, and a passage of the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from brou.shapes import Limit, shape


class AdapterCheck(StrEnum):
    """The checks of an adapter, in the order of the report."""

    HELLO = "hello"
    ECHO = "echo"
    ABILITIES = "abilities"
    CARDS = "cards"
    DEALING = "order of dealing"
    SEATS = "seats"
    TEAMS = "teams"
    UNITS = "units"
    WHOLE_DEAL = "whole deal"
    #: What is no matter of the adapter.
    RULES = "rules"


class Severity(StrEnum):
    """How much a finding says against an adapter."""

    #: The adapter is not sound.
    FAULT = "fault"
    #: Nothing is wrong; something could be better, or remains open.
    REMARK = "remark"


class ProtocolPassage(StrEnum):
    """Sentences of the protocol, word for word."""

    ONE_LINE = "Every message is one JSON object on one line, UTF-8, ended by LF."
    REPLIES_ALONE = "Standard output is for replies alone"
    ID = "Each request has a number, `id`, which its reply repeats."
    NUMBERS = "Numbers are integers of at most 64 bits"
    UNKNOWN_KEYS = "unknown keys are ignored, wrong values are not"
    IN_ORDER = "replies come in the order of the requests all the same"
    PLAYS = "The reply says what the program plays and what it can."
    READINGS = "`readings` says how it reads passages that the texts leave open"
    ABILITIES = "The runner only asks for what the program declares"
    ACTS = "`acts` lists the acts that it knows, if it does not know all of the rules"
    SURVIVES = "Nothing survives it: each script starts afresh."
    START = "the deal both by `hands` and by `deck` with `packets`"
    FIRST_CARD = "the first card of the pack is dealt first"
    BEFORE = "A list of numbers has a place for each team, or for each seat where every player has an account"
    SEATS = "Seats are 0 to n-1, seat s+1 sits at the right of seat s."
    CARDS = "Cards are rank then suit"
    RESULTS = "The reply has one result for each step, in their order."
    LEGAL = "Choices are the values `v` for which `{act: v}` would be accepted now."
    SKIP = "if the program cannot take it"
    TIME = "A program has thirty seconds for its first reply and five for each later one"


@shape(closed=True)
class FindingReport:
    """A fault or a remark."""

    check: Annotated[AdapterCheck, "the check that found it"]
    level: Annotated[Severity, "whether it is a fault of the adapter or a remark"]
    setup: Annotated[str, "the set-ups in which it was found, with commas; empty if it concerns all"]
    cause: Annotated[str, Limit(min_length=1), "the likely cause, in a sentence"]
    asked: Annotated[str, "what was asked"]
    came: Annotated[str, "what the program answered"]
    wanted: Annotated[str, "what a sound adapter answers; empty if that is obvious"]
    protocol: Annotated[str, Limit(min_length=1), "the passage of PROTOCOL.md, word for word"]


@shape(closed=True)
class SetupReport:
    """The checks of one set-up."""

    setup: Annotated[str, Limit(pattern="^[a-z0-9-]+@[a-z0-9-]+:[a-z0-9-]+$"), "game@edition:setup"]
    asked: Annotated[Mapping[AdapterCheck, Annotated[int, Limit(minimum=0)]], "by check, how many answers it examined"]
    unasked: Annotated[
        Mapping[AdapterCheck, Annotated[str, Limit(min_length=1)]], "the checks that were not possible, and why"
    ]


@shape(closed=True)
class SmokeDocument:
    """What `brou verify --smoke --json` writes."""

    format: Literal["brou-smoke/1"] = "brou-smoke/1"
    sound: Annotated[bool, "whether no fault was found"]
    usable: Annotated[bool, "whether anything could be asked"]
    engine: Annotated[Mapping[str, str], "the name and version that the program gives itself"]
    setups: Annotated[tuple[SetupReport, ...], "the set-ups that were checked"]
    findings: Annotated[tuple[FindingReport, ...], "faults first, in the order in which to mend them"]


@dataclass(frozen=True, slots=True)
class AdapterFinding:
    """A finding; its texts are English, and sentences among them can be translated."""

    check: AdapterCheck
    level: Severity
    #: The likely cause, a sentence for the author of the adapter.
    cause: str
    asked: str
    came: str
    #: What a sound adapter answers; nothing where that is plain.
    wanted: str
    passage: ProtocolPassage
    setup: str = ""

    def report(self) -> FindingReport:
        """Return it as a report has it."""
        return FindingReport(
            check=self.check,
            level=self.level,
            setup=self.setup,
            cause=self.cause,
            asked=self.asked,
            came=self.came,
            wanted=self.wanted,
            protocol=self.passage,
        )


@dataclass(slots=True)
class Examination:
    """The checks of one set-up."""

    setup: str
    findings: list[AdapterFinding] = field(default_factory=list)
    #: How many steps were asked for each check.
    asked: dict[AdapterCheck, int] = field(default_factory=dict)
    #: What was not looked at, and why.
    unasked: dict[AdapterCheck, str] = field(default_factory=dict)

    def count(self, check: AdapterCheck, steps: int) -> None:
        """Count so many steps for a check."""
        self.asked[check] = self.asked.get(check, 0) + steps

    def report(self) -> SetupReport:
        """Return it as a report has it."""
        return SetupReport(setup=self.setup, asked=self.asked, unasked=self.unasked)


@dataclass(frozen=True, slots=True)
class Smoke:
    """All that a smoke test came to."""

    engine: Mapping[str, str]
    findings: tuple[AdapterFinding, ...]
    examinations: tuple[Examination, ...] = ()
    #: Whether nothing could be asked of the program at all.
    unusable: bool = False

    def report(self) -> SmokeDocument:
        """Return it as it is written."""
        return SmokeDocument(
            sound=not self.faults,
            usable=not self.unusable,
            engine=self.engine,
            setups=tuple(one.report() for one in self.examinations),
            findings=tuple(one.report() for one in (*self.faults, *self.remarks)),
        )

    @property
    def faults(self) -> tuple[AdapterFinding, ...]:
        """Return the findings against the adapter, in the order of the checks."""
        order = list(AdapterCheck)
        return tuple(
            sorted(
                (one for one in self.findings if one.level is Severity.FAULT), key=lambda one: order.index(one.check)
            )
        )

    @property
    def remarks(self) -> tuple[AdapterFinding, ...]:
        """Return the other findings."""
        return tuple(one for one in self.findings if one.level is Severity.REMARK)
