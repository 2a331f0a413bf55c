"""Lines of the portable corpus: the statement of each, from which their JSON Schemas are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from brou.reasons.derivation import Derivation
from brou.shapes import ABSENT, Absent, Defined, Limit, shape
from brou_conformance.messages import ABILITIES, VERSION, Card, Code, Name, Readings, Seat
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import Level

_Hash: TypeAlias = Annotated[str, Limit(pattern="^[0-9a-f]{64}$"), "SHA-256, in hexadecimal digits"]
_Needs: TypeAlias = Annotated[tuple[Annotated[str, Limit(enum=ABILITIES)], ...], Limit(unique_items=True)]
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
        Annotated[Mapping[str, object], "the values of these keys; a key that a program does not tell is not wrong"]
        | Absent
    ) = ABSENT
    hides: Annotated[tuple[str, ...], "keys that the seat must not see"] | Absent = ABSENT
    score: Annotated[Mapping[str, object], "the values of these keys, likewise"] | Absent = ABSENT
    because: Annotated[tuple[Derivation, ...], "the derivation from the rules"]


@shape(name="stepExpectation", closed=True, one_of=[("expect",), ("reading", "values")])
class StepExpectation:
    """The answers to a step that conform, and the abilities that it needs."""

    id: Annotated[str, "its name within the scenario"]
    needs: Annotated[_Needs, "a program that cannot do all this is not asked this step; the others stay as they are"]
    expect: ExpectedAnswer | Absent = ABSENT
    reading: Annotated[str, "the reading that the answer hangs on"] | Absent = ABSENT
    values: Annotated[Mapping[str, ExpectedAnswer], "by value of that reading, the answers"] | Absent = ABSENT


@shape(closed=True)
class PositionQuestion:
    """A step asked by itself, of a program that takes positions and not the script."""

    step: Annotated[_Number, "the number of the step"]
    needs: Annotated[_Needs, "a program that cannot do all this is not asked"]
    card: Annotated[Card, "the step plays this card: it counts as accepted if it is among the legal cards"] | Absent = (
        ABSENT
    )
    request: Annotated[Message, "what is sent, as run.request has it; the last result counts"]


@shape(name="range", closed=True)
class ValidRange:
    """The values of a reading that is a number under which a line holds."""

    least: Annotated[int, "none of them is less"] | Absent = ABSENT
    greatest: Annotated[int, "none of them is greater"] | Absent = ABSENT


_Silent: TypeAlias = Annotated[
    Mapping[str, tuple[str, ...]], "by reading, the values under which the line says nothing: its course is another one"
]


@shape(closed=True)
class CaseLine:
    """A scenario in one edition and set-up: the requests, and the answers that conform."""

    id: Annotated[str, "the scenario"]
    game: Name
    edition: Name
    setup: Name
    title: Annotated[str, "what it shows"]
    because: Annotated[str, "why the text wants it so"]
    clauses: Annotated[tuple[str, ...], "the clauses and open passages that it speaks for, the most specific first"]
    level: Annotated[Level, "`open` answers are heard for readings, and never wrong"]
    premise: Annotated[Readings, "the readings that a program must follow for the line to be judged"] | Absent = ABSENT
    silent: _Silent | Absent = ABSENT
    within: Annotated[Mapping[str, ValidRange], "for readings that are numbers, when the line holds"] | Absent = ABSENT
    needs: Annotated[_Needs, "what a program must be able to do to be asked the whole script"]
    request: Annotated[
        Message, "what is sent, as run.request has it; `readings` is added for a program that follows those of requests"
    ]
    steps: Annotated[tuple[StepExpectation, ...], "for each step of the request what is expected"]
    positions: Annotated[tuple[PositionQuestion, ...], "the same for a program that cannot be asked the whole script"]


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

    ambiguity: Annotated[str, "the id of the passage"]
    default: Annotated[str, "the value that the edition itself has"]
    values: Annotated[tuple[str, ...], "all values; none for a number"]
    number: ValidRange | Absent = ABSENT


@shape(name="editionEntry", closed=True)
class EditionEntry:
    """An edition with its cases."""

    cases: Annotated[str, "the file of its cases"]
    texts: Annotated[str, "the file with its clauses, and with the texts that derivations name"]
    setups: Annotated[tuple[str, ...], "its set-ups"]
    readings: Annotated[Mapping[str, ListedReading], "its readings"]


@shape(closed=True)
class BundleIndex:
    """The index of a portable corpus."""

    format: Literal["brou-corpus-bundle/1"] = "brou-corpus-bundle/1"
    version: Annotated[str, "the version of the suite that wrote it"]
    protocol: Literal[1] = VERSION
    corpus: Annotated[_Hash, "the hash of names and hashes of all files, which names this corpus and no other"]
    editions: Annotated[Mapping[str, EditionEntry], "by GAME@EDITION"]
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
