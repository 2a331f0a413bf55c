"""The interface of an engine in C: its types, its functions, and what its numbers stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brou.compiler.lowered import Program
from brou.compiler.set_words import words
from brou.dataclass import dataclass
from brou.language.export import identity
from brou.language.syntax import Game
from brou.native.batch import VARIETY
from brou.native.c_text import read_source, write_name
from brou.native.c_types import Lengths, StateLayout

#: What the functions of an engine are called with in front of everything.
_MARK = "PREFIX_"


@dataclass(frozen=True, slots=True)
class Sizes:
    """The greatest sizes: values and cards that an act passes, entries of a list of offers, what batches sum up."""

    values: int
    passed: int
    offers: int
    figures: int
    facts: int
    numbers: int


@dataclass(frozen=True, slots=True)
class Label:
    """What an engine was made of: the name of the rule base, its readings and the hash of its rules."""

    rules: str
    readings: str
    hash: str

    @classmethod
    def of(cls, game: Game, rules: str = "", readings: Mapping[str, str] | None = None) -> Label:
        """Return the label of a game that is a rule base with this name and these readings."""
        listed = ", ".join(f"{key}={value}" for key, value in (readings or {}).items())
        return cls(rules or game.id, listed or "none", identity(game))


def make_prefix(game: str) -> str:
    """Return what the names of an engine begin with."""
    return write_name(game.replace("-", "_"))


def write_header(program: Program, layout: StateLayout, bounds: Lengths, sizes: Sizes, label: Label) -> str:
    """Return the text of the header."""
    prefix = make_prefix(program.game)
    filled = {
        "RULES": label.rules,
        "READINGS": label.readings,
        "HASH": label.hash,
        "WORDS": str(words(len(program.cards))),
        "CARDS": str(len(program.cards)),
        "SEATS": str(program.seats),
        "ACTS": str(len(program.acts)),
        "VALUES": str(sizes.values),
        "PASSED": str(sizes.passed),
        "OFFERS": str(sizes.offers),
        "FIGURES": str(sizes.figures),
        "FACTS": str(sizes.facts),
        "NUMBERS": str(sizes.numbers),
        "VARIETY": str(VARIETY),
        "PILE": str(bounds.pile),
        "LIST": str(bounds.list),
        "SETS": str(bounds.sets),
        "SET": "uint64_t"
        if words(len(program.cards)) == 1
        else f"struct {{ uint64_t word[{words(len(program.cards))}]; }}",
        "NAMES": "\n".join(_enumerations(program)),
        "STATE": "\n".join(_state(program, layout)),
    }
    text = read_source("interface.h")
    for name, value in filled.items():
        text = text.replace(f"@{name}@", value)
    return text.replace(_MARK.lower(), prefix).replace(_MARK, prefix.upper())


def _enumerations(program: Program) -> list[str]:
    """Return the numbers of acts and phases."""
    return [
        _enumeration("acts", "ACT", list(program.acts)),
        _enumeration("phases", "PHASE", list(program.stages)),
    ]


def _enumeration(what: str, kind: str, names: Sequence[str]) -> str:
    listed = ", ".join(f"{_MARK}{kind}_{name}" for name in names)
    return f"enum {{ {listed} }}; /* {what} */"


def _state(program: Program, layout: StateLayout) -> list[str]:
    """Return the fields of a state, scope by scope."""
    lines = ["    int32_t phase, unused;"]
    for scope in program.scopes:
        lines.append("    struct {")
        lines += [f"        {_local(one.declaration)};" for one in layout.scope_fields(scope)]
        if layout.padding[scope]:
            lines.append(f"        uint8_t unused[{layout.padding[scope]}];")
        lines.append(f"    }} {write_name(scope)};")
    return lines


def _local(declaration: str) -> str:
    """Return a declaration with the types of the interface."""
    return declaration.replace("brou_", _MARK.lower(), 1) if declaration.startswith("brou_") else declaration
