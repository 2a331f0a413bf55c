"""Rules: one frozen class for each kind, and what a rule of a file is among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeVar

from brou.chapters.decode import refuse
from brou.chapters.notation import ActorsEntry, CaseEntry, DomainEntry, RuleKeys, StepForm
from brou.chapters.terms import read_call
from brou.chapters.tokens import Snippet, Token, Tokens
from brou.dataclass import dataclass
from brou.language.expression import unescape

_Text = TypeVar("_Text", bound=Token)


@dataclass(frozen=True, slots=True)
class Heading:
    """A name with letters, such as `play(p, c)`: of an act, a value, an effect or an event."""

    name: str
    letters: tuple[str, ...]
    word: Token

    @classmethod
    def of(cls, word: Token) -> Heading:
        """Read a head; raise `Invalid` where it is none."""
        found = read_call(word)
        if found is None:
            raise refuse(word.place, f"{word!r} is no name with letters", "write it like `play(p, c)`")
        name, letters = found
        return cls(unescape(name), letters, word)


@dataclass(frozen=True, slots=True)
class _RuleBase:
    """What all rules have: a label, the clause that they cite, and what their letters stand for."""

    label: Token
    clause: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Duty(_RuleBase):
    """An act is refused where a condition holds, unless an exemption lifts the duty."""

    act: Heading
    when: Snippet
    code: str


@dataclass(frozen=True, slots=True)
class Exemption(_RuleBase):
    """What lifts duties or what clauses do at events, or replaces a value or a phase, under a condition.

    It names rules by label, or with `act` all duties of an act.
    """

    lifts: Tokens
    act: Heading | None
    when: Snippet | None
    gives: Snippet | None
    do: tuple[StepForm, ...] | None


@dataclass(frozen=True, slots=True)
class Narrowing(_RuleBase):
    """A special case of a duty: it refuses what the duty refuses, under a clause and code of its own."""

    duty: Token
    when: Snippet
    code: str


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line of a grid: a condition, a value, and a clause to cite if that is not the one of the grid."""

    when: Snippet
    gives: Snippet
    clause: Token | None


@dataclass(frozen=True, slots=True)
class Definition(_RuleBase):
    """A value: an expression, a sum of named terms, or a grid of which exactly one line holds."""

    head: Heading
    gives: Snippet | None
    terms: Mapping[str, Snippet] | None
    cases: Mapping[str, GridLine] | None
    require: Tokens


@dataclass(frozen=True, slots=True)
class Addend(_RuleBase):
    """One more term of a sum."""

    to: Heading
    term: Token
    gives: Snippet


@dataclass(frozen=True, slots=True)
class ActRule(_RuleBase):
    """An act of a seat: its phases, its seats, its parameters, and its changes."""

    head: Heading
    by: ActorsEntry | None
    phases: Tokens
    takes: Mapping[str, DomainEntry]
    require: Tokens
    do: tuple[StepForm, ...]
    skill: str


@dataclass(frozen=True, slots=True)
class Procedure(_RuleBase):
    """A named effect."""

    head: Heading
    do: tuple[StepForm, ...]


@dataclass(frozen=True, slots=True)
class Handler(_RuleBase):
    """What a clause does at an event."""

    event: Heading
    when: Snippet | None
    do: tuple[StepForm, ...]


@dataclass(frozen=True, slots=True)
class PhaseRule(_RuleBase):
    """A phase in which nobody decides."""

    phase: Token
    require: Tokens
    do: tuple[StepForm, ...]


Rule: TypeAlias = Duty | Exemption | Narrowing | Definition | Addend | ActRule | Procedure | Handler | PhaseRule

#: The key that says of which kind a rule is, with the keys that may and those that must stand beside it.
RULE_KINDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    key: (frozenset(may.split()), frozenset(must.split()))
    for key, may, must in (
        ("deny", "when code", "when"),
        ("except", "when is do", ""),
        ("narrows", "when code", "when"),
        ("define", "is sum cases require", ""),
        ("adds", "term is", "term is"),
        ("act", "by in takes require do skill", "do"),
        ("effect", "do", "do"),
        ("upon", "when do", "do"),
        ("phase", "require do", "do"),
    )
}
_NAMES = {"lifts": "except", "gives": "is", "phases": "in"}
_KEYS = tuple(name for name in RuleKeys.__struct_fields__ if name != "only")


def written_keys(keys: RuleKeys) -> frozenset[str]:
    """Return the keys of a rule that a file gives, as files write them."""
    default = RuleKeys()
    return frozenset(_NAMES.get(name, name) for name in _KEYS if getattr(keys, name) != getattr(default, name))


def classify(keys: RuleKeys, label: Token, clause: str, names: Mapping[str, str]) -> Rule | None:
    """Return the rule that some keys make, or None if they make none; raise `Invalid` where they do not go together."""
    given = written_keys(keys)
    kinds = [kind for kind in RULE_KINDS if kind in given]
    if not kinds:
        if given - {"code"}:
            what = f"{label} has {', '.join(sorted(given))} and does not say of what kind of rule"
            raise refuse(label.place, what, f"write one of {', '.join(RULE_KINDS)}")
        return None
    if len(kinds) > 1:
        raise refuse(
            label.place, f"{label} is of {len(kinds)} kinds: {', '.join(kinds)}", "put all but one into rules:"
        )
    _check_keys(kinds[0], given, label)
    return _make(kinds[0], keys, label, clause, names)


def _check_keys(kind: str, given: frozenset[str], label: Token) -> None:
    may, must = RULE_KINDS[kind]
    if wrong := given - may - {kind}:
        beside = ", ".join(sorted(may))
        raise refuse(label.place, f"{label}: no {', '.join(sorted(wrong))} beside {kind}", f"{kind} takes {beside}")
    if lacking := must - given:
        raise refuse(label.place, f"{label}: {kind} without {', '.join(sorted(lacking))}", "write it")
    if kind == "define" and len(given & {"is", "sum", "cases"}) != 1:
        raise refuse(label.place, f"{label}: a value is one of is, sum and cases", "keep one of them")


def _make(kind: str, keys: RuleKeys, label: Token, clause: str, names: Mapping[str, str]) -> Rule:
    head = (label, clause, names)
    do = keys.do or ()
    match kind:
        case "deny":
            return Duty(*head, Heading.of(_there(keys.deny)), _there(keys.when), keys.code or "")
        case "except":
            named = keys.lifts[0]
            act = Heading.of(named) if "(" in named else None
            return Exemption(*head, Tokens() if act else keys.lifts, act, keys.when, keys.gives, keys.do)
        case "narrows":
            return Narrowing(*head, _there(keys.narrows), _there(keys.when), keys.code or "")
        case "define":
            heading = Heading.of(_there(keys.define))
            cases = None if keys.cases is None else _read_grid(keys.cases, heading)
            return Definition(*head, heading, keys.gives, keys.sum, cases, keys.require)
        case "adds":
            return Addend(*head, Heading.of(_there(keys.adds)), _there(keys.term), _there(keys.gives))
        case "act":
            act_ = Heading.of(_there(keys.act))
            return ActRule(*head, act_, keys.by, keys.phases, keys.takes or {}, keys.require, do, keys.skill or "")
        case "effect":
            return Procedure(*head, Heading.of(_there(keys.effect)), do)
        case "upon":
            return Handler(*head, Heading.of(_there(keys.upon)), keys.when, do)
        case _:
            return PhaseRule(*head, _there(keys.phase), keys.require, do)


def _read_grid(cases: Mapping[str, CaseEntry], heading: Heading) -> dict[str, GridLine]:
    """Return the lines of a grid."""
    return {
        name: GridLine(one.content.when or _name_values(name, heading), one.content.gives, one.content.clause)
        for name, one in cases.items()
    }


def _name_values(name: str, heading: Heading) -> Snippet:
    """Return the condition of a line without `when`: its first letter is one of the values in its name."""
    if not heading.letters:
        what = f"the line {name!r} of {heading.word} has no condition, and there is no letter that it could be about"
        raise refuse(heading.word.place, what, "write `when:`")
    letter, values = heading.letters[0], name.split()
    text = f"{letter} == {name}" if len(values) == 1 else f"{letter} in [{', '.join(values)}]"
    return Snippet.at(text, heading.word.place)


def _there(word: _Text | None) -> _Text:
    """Return a value that `_check_keys` has made sure of; raise `TypeError` for None."""
    if word is None:
        raise TypeError("a key that was found is missing")
    return word
