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
    "it is for programs that have all of these: abilities, acts that they know (`act:NAME`), and rules that they play "
    "(`plays:GAME@EDITION:SETUP`)",
]
_Number: TypeAlias = Annotated[int, Limit(minimum=0)]


@shape(name="expected", closed=True, one_of=[("ok",), ("no",), ("legal",), ("winner",), ("view",), ("score",)])
class ExpectedAnswer:
    """The answers to a step that conform, and why."""

    ok: Annotated[Literal[True], "the act is accepted"] | Absent = ABSENT
    no: (
        Annotated[
            Literal[True] | tuple[Code, ...],
            "the act is refused; with a code, it is one of these, as the act breaks all these duties",
        ]
        | Absent
    ) = ABSENT
    legal: Annotated[Mapping[str, object], "the choices of these acts; nothing is said of other acts"] | Absent = ABSENT
    winner: Annotated[Seat | None, "who won the last complete trick"] | Absent = ABSENT
    view: (
        Annotated[Mapping[str, object], "the values of these keys; a key that a program leaves out is not wrong"]
        | Absent
    ) = ABSENT
    hides: Annotated[tuple[str, ...], "keys that the seat must not see"] | Absent = ABSENT
    score: Annotated[Mapping[str, object], "the values of these keys, in the same way"] | Absent = ABSENT
    because: Annotated[tuple[Derivation, ...], "the derivation from the rules"]


@shape(name="stepExpectation", closed=True, one_of=[("expect",), ("reading", "values")])
class StepExpectation:
    """The answers to a step that conform."""

    id: Annotated[str, "its name within the scenario"]
    expect: ExpectedAnswer | Absent = ABSENT
    reading: Annotated[str, "the reading that the answer hangs on"] | Absent = ABSENT
    values: Annotated[Mapping[str, ExpectedAnswer], "by value of that reading, the answers"] | Absent = ABSENT


@shape(name="check", closed=True)
class AnswerCheck:
    """A condition on the result of a step: the value there is one of these, compared as a whole."""

    at: Annotated[
        tuple[str, ...], "the way to the value, key by key into the result; a card leads to whether a list has it"
    ]
    equals: Annotated[tuple[object, ...], "the value is one of these"]
    absent: Annotated[bool, "whether it holds where there is no value"]
    set: Annotated[bool, "whether lists are compared as sets"]
    needs: _Needs
    under: Annotated[Mapping[str, tuple[str, ...]], "by reading its values; the step counts if one of them is followed"]


@shape(name="askedStep", closed=True)
class WayStep:
    """A step in the form in which a runner sends it, with the checks of its result."""

    id: Annotated[str, "its name within the scenario"]
    send: Annotated[Message, "the step, as step has it"]
    kinds: Annotated[tuple[str, ...], "an answer has one of these keys"]
    needs: _Needs
    leads: Annotated[bool, "whether later steps are not judged if it is skipped"]
    checks: Annotated[tuple[AnswerCheck, ...], "what has to hold of the result"]


@shape(name="askedRequest", closed=True)
class AskedRequest:
    """A request, sent with those of its steps that the program can answer."""

    id: Annotated[str, "the scenario"]
    premise: Annotated[Readings, "readings added to those of a program that can `readings`"]
    request: Annotated[Message, "what is sent with the steps, as run.request has it"]
    steps: tuple[WayStep, ...]


@shape(name="way", closed=True)
class AskingWay:
    """A way to ask a program."""

    needs: _Needs
    requests: tuple[AskedRequest, ...]


@shape(name="range", closed=True)
class ValidRange:
    """The values of a reading that is a number."""

    least: Annotated[int, "none of them is less"]
    greatest: Annotated[int, "none of them is greater"]


@shape(closed=True)
class CaseLine:
    """A scenario in one edition and set-up: the requests, and the answers that conform."""

    id: Annotated[str, "the scenario"]
    title: Annotated[str, "what it shows"]
    because: Annotated[str, "why the text wants it so"]
    clauses: Annotated[tuple[str, ...], "the clauses and open passages that it speaks for, the most specific first"]
    level: Annotated[Level, "`open` answers are heard for readings, and never wrong"]
    steps: Annotated[tuple[StepExpectation, ...], "for each step of the script the answers that conform, and why"]
    ways: Annotated[
        tuple[AskingWay, ...],
        "how it is asked, the first way that a program can: as a script; as positions, each for a step; not at all",
    ]


# The index ---------------------------------------------------------------------------


@shape(name="file", closed=True)
class BundledFile:
    """A file of the bundle."""

    sha256: _Hash
    bytes: Annotated[_Number, "how long it is"]
    lines: Annotated[int, Limit(minimum=1), "how many cases it has"] | Absent = ABSENT


@shape(name="reading", closed=True)
class ListedReading:
    """A passage that a text leaves open."""

    key: Annotated[str, "the reading"]
    ambiguity: Annotated[str, "the id of the passage"]
    values: Annotated[tuple[str, ...], "all values; none for a number"]
    number: ValidRange | Absent = ABSENT


@shape(name="editionEntry", closed=True)
class EditionEntry:
    """An edition with its cases."""

    name: Annotated[str, "GAME@EDITION"]
    cases: Annotated[str, "the file of its cases"]
    texts: Annotated[str, "the file with its clauses, and with the texts that derivations name"]
    setups: Annotated[tuple[str, ...], "its set-ups"]
    plays: Annotated[tuple[str, ...], "abilities; a program with none of them does not play it"]
    defaults: Annotated[Readings, "its own value of each reading"]
    readings: Annotated[tuple[ListedReading, ...], "what its texts leave open, in the order in which a runner tries"]


@shape(closed=True)
class BundleIndex:
    """The index of a portable corpus."""

    format: Literal["brou-corpus-bundle/4"] = "brou-corpus-bundle/4"
    version: Annotated[str, "the version of the suite that wrote it"]
    protocol: Literal[1] = VERSION
    corpus: Annotated[_Hash, "the hash of names and hashes of all files, which names this corpus and no other"]
    acts: Annotated[tuple[str, ...], "all acts: a program that names none in its greeting knows them"]
    editions: tuple[EditionEntry, ...]
    files: Annotated[Mapping[str, BundledFile], "every file but this one, by its path"]


Texts: TypeAlias = Annotated[Mapping[str, str], "by language", Defined("texts")]


@shape(closed=True)
class BundledTexts:
    """Clauses and other texts of an edition, in the languages that the game has."""

    format: Literal["brou-corpus-texts/1"] = "brou-corpus-texts/1"
    game: Name
    edition: Name
    clauses: Annotated[Mapping[str, Texts], "clauses and open passages by id"]
    texts: Annotated[Mapping[str, Texts], "the texts that derivations name; values fill the names in braces"]
