"""Effects: one frozen class for each thing that rules do to a state, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, TypeAlias, assert_never

from brou.dataclass import dataclass, field
from brou.errors import Place
from brou.language.recent import Recent
from brou.language.tree import Expression, Index
from brou.language.types import Type

__all__ = [
    "Add",
    "Assign",
    "Branch",
    "Cases",
    "Draw",
    "Effect",
    "For",
    "Goto",
    "Let",
    "Move",
    "Reset",
    "Target",
    "bodies",
    "gotos",
    "name_effect",
    "operand",
    "reset_scopes",
    "targets",
    "walk_effects",
]


@dataclass(frozen=True, slots=True)
class _EffectBase:
    """What all effects have: an id, a clause, a place in a file, and the word for their form in rules files."""

    op: ClassVar[str]
    id: str
    clause: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an effect: a variable of the state, or an element of one.

    `expression` reads its value; `steps` lead to it, the outermost array first.
    """

    expression: Expression
    variable: str
    steps: tuple[Index, ...]

    @property
    def type(self) -> Type:
        """Return the type of the target."""
        return self.expression.type


@dataclass(frozen=True, slots=True)
class Assign(_EffectBase):
    """A target gets a value."""

    op: ClassVar[str] = "set"
    target: Target
    value: Expression


@dataclass(frozen=True, slots=True)
class Add(_EffectBase):
    """A number is added to a target."""

    op: ClassVar[str] = "add"
    target: Target
    value: Expression


@dataclass(frozen=True, slots=True)
class Let(_EffectBase):
    """A local gets a value, for the effects behind it."""

    op: ClassVar[str] = "let"
    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Move(_EffectBase):
    """Cards go from one set to another, or onto a pile."""

    op: ClassVar[str] = "move"
    cards: Expression
    source: Target
    target: Target


@dataclass(frozen=True, slots=True)
class Draw(_EffectBase):
    """So many cards go from the top of a pile to a set, or onto a pile."""

    op: ClassVar[str] = "draw"
    count: Expression
    source: Target
    target: Target


@dataclass(frozen=True, slots=True)
class For(_EffectBase):
    """Effects take place once for each member of a domain."""

    op: ClassVar[str] = "for"
    name: str
    domain: Expression
    body: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch of a `cases` effect; `when` is None in the last one (else)."""

    id: str
    when: Expression | None
    body: tuple[Effect, ...]
    clause: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Cases(_EffectBase):
    """The first branch whose condition holds takes place."""

    op: ClassVar[str] = "cases"
    cases: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class Reset(_EffectBase):
    """The variables of a scope, and of those inside it, get their first values back."""

    op: ClassVar[str] = "reset"
    scope: str


@dataclass(frozen=True, slots=True)
class Goto(_EffectBase):
    """The phase is left for another."""

    op: ClassVar[str] = "goto"
    phase: str


Effect: TypeAlias = Assign | Add | Let | Move | Draw | For | Cases | Reset | Goto


def name_effect(effect: Effect) -> str:
    """Return what tells an effect from all others of its rules."""
    return f"{effect.place} {effect.id}"


def bodies(effect: Effect) -> Iterator[tuple[Effect, ...]]:
    """Yield the lists of effects inside an effect."""
    match effect:
        case For():
            yield effect.body
        case Cases():
            yield from (case.body for case in effect.cases)
        case Assign() | Add() | Let() | Move() | Draw() | Reset() | Goto():
            return
        case _:
            assert_never(effect)


def walk_effects(body: Iterable[Effect]) -> Iterator[Effect]:
    """Yield some effects and all inside them."""
    for effect in body:
        yield effect
        for inside in bodies(effect):
            yield from walk_effects(inside)


def targets(effect: Effect) -> tuple[Target, ...]:
    """Return the targets that an effect writes itself, without those of inner effects; a reset names no target."""
    match effect:
        case Assign() | Add():
            return (effect.target,)
        case Move() | Draw():
            return effect.target, effect.source
        case Let() | For() | Cases() | Reset() | Goto():
            return ()
        case _:
            assert_never(effect)


def operand(effect: Effect) -> Expression | None:
    """Return the expression that an effect takes its value, cards, number or domain from."""
    match effect:
        case Assign() | Add() | Let():
            return effect.value
        case Move():
            return effect.cards
        case Draw():
            return effect.count
        case For():
            return effect.domain
        case Cases() | Reset() | Goto():
            return None
        case _:
            assert_never(effect)


def gotos(*lists: tuple[Effect, ...]) -> set[str]:
    """Return the phases that lists of effects can lead to."""
    return set[str]().union(*map(_gotos, lists))


#: Where lists of effects lead to, lately.
_LATELY: Recent[frozenset[str]] = Recent(maxsize=2048)


def _gotos(body: tuple[Effect, ...]) -> frozenset[str]:
    found = _LATELY.find("", body)
    if found is None:
        phases = frozenset(effect.phase for effect in walk_effects(body) if isinstance(effect, Goto))
        found = _LATELY.keep(phases, "", body)
    return found


def reset_scopes(body: Iterable[Effect]) -> set[str]:
    """Return the scopes that a list of effects can reset."""
    return {effect.scope for effect in walk_effects(body) if isinstance(effect, Reset)}
