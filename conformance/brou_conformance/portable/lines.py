"""Lines of the portable corpus: the statement of each, from which their JSON Schemas are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.reasons import Derivation
from brou.shapes import ABSENT, Absent, Defined, Limit, shape
from brou_conformance.messages import VERSION, Code, Name, Readings, Seat
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import Level

_Hash: TypeAlias = Annotated[str, Limit(pattern="^[0-9a-f]{64}$"), "SHA-256, in hexadecimal digits"]
_Needs: TypeAlias = Annotated[
    tuple[str, ...],
    Limit(unique_items=True),
    "only for programs that have all of these: abilities, acts that they know (`act:NAME`), and rules that they play "
    "(`plays:GAME@EDITION:SETUP`)",
]
_Number: TypeAlias = Annotated[int, Limit(minimum=0)]


@shape(name="expected", closed=True, one_of=[("ok",), ("no",), ("legal",), ("winner",), ("view",), ("score",)])
class ExpectedAnswer:
    """The conforming answers to a step, and why they conform."""

    ok: Annotated[Literal[True], "the act is accepted"] | Absent = ABSENT
    no: (
        Annotated[
            Literal[True] | tuple[Code, ...],
            "the act is refused; a code, if the program gives one, is one of these: the act breaks all these duties",
        ]
        | Absent
    ) = ABSENT
    legal: (
        Annotated[Mapping[str, object], "the legal choices of each of these acts; other acts are not judged"] | Absent
    ) = ABSENT
    winner: Annotated[Seat | None, "who won the last complete trick"] | Absent = ABSENT
    view: Annotated[Mapping[str, object], "the values of these keys; a program may leave out any of them"] | Absent = (
        ABSENT
    )
    hides: Annotated[tuple[str, ...], "keys that the seat must not see"] | Absent = ABSENT
    score: Annotated[Mapping[str, object], "the values of these keys; a program may leave out any of them"] | Absent = (
        ABSENT
    )
    because: Annotated[tuple[Derivation, ...], "the derivation from the rules"]


@shape(name="stepExpectation", closed=True, one_of=[("expect",), ("reading", "values")])
class StepExpectation:
    """The conforming answers to a step."""

    id: Annotated[str, "its name within the scenario"]
    expect: ExpectedAnswer | Absent = ABSENT
    reading: Annotated[str, "the key of the reading on which the answer depends"] | Absent = ABSENT
    values: Annotated[Mapping[str, ExpectedAnswer], "the answers, by the value of that reading"] | Absent = ABSENT


@shape(name="check", closed=True)
class AnswerCheck:
    """A condition on the result of a step: the value there is one of these, compared as a whole."""

    at: Annotated[
        tuple[str, ...],
        "the path to the value in the result, key by key; a card as a key asks whether a list contains it",
    ]
    equals: Annotated[tuple[object, ...], "the value is one of these"]
    absent: Annotated[bool, "whether a missing value is accepted"]
    set: Annotated[bool, "whether lists are compared as sets"]
    needs: _Needs
    under: Annotated[
        Mapping[str, tuple[str, ...]],
        "values by reading; a failed check counts only if the program follows one of them for each reading",
    ]


@shape(name="askedStep", closed=True)
class WayStep:
    """A step in the form in which a runner sends it, with the checks of its result."""

    id: Annotated[str, "its name within the scenario"]
    send: Annotated[Message, "the step, of the form `step` in the protocol"]
    kinds: Annotated[tuple[str, ...], "an answer has at least one of these keys"]
    needs: _Needs
    leads: Annotated[bool, "whether later steps are not judged if this one has no answer"]
    checks: Annotated[tuple[AnswerCheck, ...], "the conditions that the result must meet"]


@shape(name="askedRequest", closed=True)
class AskedRequest:
    """A request, sent with those of its steps that the program can answer."""

    id: Annotated[str, "the scenario"]
    premise: Annotated[Readings, "readings to add to the request, for programs that accept `readings`"]
    request: Annotated[Message, "the request without its steps, of the form `run.request` in the protocol"]
    steps: tuple[WayStep, ...]


@shape(name="way", closed=True)
class AskingWay:
    """A way to ask a program."""

    needs: _Needs
    requests: tuple[AskedRequest, ...]


@shape(name="range", closed=True)
class ValidRange:
    """The values of a reading that is a number."""

    least: Annotated[int, "the least value"]
    greatest: Annotated[int, "the greatest value"]


@shape(closed=True)
class CaseLine:
    """A scenario in one edition and set-up: the requests, and the answers that conform."""

    id: Annotated[str, "the scenario"]
    title: Annotated[str, "what it shows"]
    because: Annotated[str, "why the text demands it"]
    clauses: Annotated[tuple[str, ...], "the clauses and open questions that it cites, the most specific first"]
    level: Annotated[Level, "what it demands; answers to an `open` scenario show readings and are never wrong"]
    steps: Annotated[
        tuple[StepExpectation, ...], "for each step of the script, the conforming answers and why they conform"
    ]
    ways: Annotated[
        tuple[AskingWay, ...],
        "how to ask it: take the first way that the program can do, which may be a whole script, positions, or nothing",
    ]


# The index ---------------------------------------------------------------------------


@shape(name="file", closed=True)
class BundledFile:
    """A file of the bundle."""

    sha256: _Hash
    bytes: Annotated[_Number, "its length in bytes"]
    lines: Annotated[int, Limit(minimum=1), "how many cases it has"] | Absent = ABSENT


@shape(name="reading", closed=True)
class ListedReading:
    """A reading of an edition, with its values."""

    key: Annotated[str, "its key"]
    ambiguity: Annotated[str, "the id of the open question"]
    values: Annotated[tuple[str, ...], "all its values; empty for a number"]
    number: ValidRange | Absent = ABSENT


@shape(name="editionEntry", closed=True)
class EditionEntry:
    """An edition with its cases."""

    name: Annotated[str, "GAME@EDITION"]
    cases: Annotated[str, "the file of its cases"]
    texts: Annotated[str, "the file with its clauses, and with the texts that derivations name"]
    setups: Annotated[tuple[str, ...], "its set-ups"]
    plays: Annotated[tuple[str, ...], "abilities; judge the edition if the program has one of them"]
    defaults: Annotated[Readings, "the edition's own value of each reading"]
    readings: Annotated[tuple[ListedReading, ...], "its readings, in the order in which a runner tries their values"]


@shape(closed=True)
class BundleIndex:
    """The index of a portable corpus."""

    format: Literal["brou-corpus-bundle/4"] = "brou-corpus-bundle/4"
    version: Annotated[str, "the version of the suite that wrote it"]
    protocol: Literal[1] = VERSION
    corpus: Annotated[_Hash, "the hash of the names and hashes of all files; it identifies the corpus"]
    acts: Annotated[tuple[str, ...], "all acts; a program that names none in its greeting knows them all"]
    editions: tuple[EditionEntry, ...]
    files: Annotated[Mapping[str, BundledFile], "every other file, by its path"]


Texts: TypeAlias = Annotated[Mapping[str, str], "by language", Defined("texts")]


@shape(closed=True)
class BundledTexts:
    """Clauses and other texts of an edition, in the languages that the game has."""

    format: Literal["brou-corpus-texts/1"] = "brou-corpus-texts/1"
    game: Annotated[Name, "the game"]
    edition: Annotated[Name, "the edition"]
    clauses: Annotated[Mapping[str, Texts], "clauses and open questions, by id"]
    texts: Annotated[Mapping[str, Texts], "the texts that derivations name; values replace the names in braces"]
