"""Moments: where and when an expression of the rules is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from brou.dataclass import dataclass, field
from brou.language.tree import Expression
from brou.language.types import Value, Values

#: What stands for a local: an expression with the moment in which it is judged.
Meant: TypeAlias = "tuple[Expression, Moment]"


@dataclass(frozen=True, slots=True)
class Moment:
    """Where an expression is judged: the values of the state, the locals with their places, what some of them mean."""

    values: Values
    env: Mapping[str, int] = field(default_factory=dict)
    locals: tuple[Value, ...] = ()
    meanings: Mapping[str, Meant] = field(default_factory=dict)
