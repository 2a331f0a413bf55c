"""The scalars of chapter files: words that know their place, some of them out of a few that are known."""

from __future__ import annotations

from typing import ClassVar, Literal, Self, TypeAlias, get_args

from brou.errors import NOWHERE, Place
from brou.language.node import Node
from brou.language.skills import SKILLS
from brou.refusal_codes import CodeOfRefusal

#: What an obligation in chapters may say of the rules. No rule of theirs stands before another.
KindInChapters: TypeAlias = Literal[
    "cases",
    "claim",
    "conserved",
    "dead_rows",
    "gap_free",
    "invariant",
    "maximum",
    "never_empty",
    "order",
    "reachable",
    "refines",
    "require",
    "separates",
    "unique",
    "zero_sum",
]
#: What one about rules in one file may say, too: which of their rows depend on their order.
KindOfObligation: TypeAlias = Literal[KindInChapters, "order_matters"]


class Token(str):
    """A scalar of a file that is a word or a text: a string that knows its place."""

    __slots__ = ("place",)
    place: Place

    @classmethod
    def at(cls, text: str, place: Place = NOWHERE) -> Self:
        """Return a word at a place."""
        made = cls(text)
        made.place = place
        return made


class Snippet(Token):
    """An expression as it is written, not typed yet."""

    __slots__ = ()

    @property
    def node(self) -> Node:
        """Return the expression as a node."""
        return Node(str(self), self.place)


class Tokens(tuple[Token, ...]):
    """A list of words; in a file one word may stand for a list of one."""

    __slots__ = ()


#: A list without words.
NOTHING = Tokens()


class Keyword(Token):
    """A word that is one of a few."""

    __slots__ = ()
    options: ClassVar[tuple[str, ...]] = ()


class Observation(Keyword):
    """Where it can be observed whether a program keeps a clause."""

    __slots__ = ()
    options = ("play", "score", "view", "table", "advisory")


class ClauseKind(Keyword):
    """What a clause is: definition, play, scoring, table procedure, advice or history."""

    __slots__ = ()
    options = tuple("DPSTAH")


class ClauseStatus(Keyword):
    """What a clause rests on."""

    __slots__ = ()
    options = ("stated", "inferred", "silent", "editor")


class Confidence(Keyword):
    """How sure the editors are."""

    __slots__ = ()
    options = ("high", "medium", "low")


class RefusalCode(Keyword):
    """Why an act is refused, in one word of the protocol."""

    __slots__ = ()
    options = get_args(CodeOfRefusal)


class ActSkill(Keyword):
    """To what part of a game an act belongs."""

    __slots__ = ()
    options = SKILLS


class ObligationKind(Keyword):
    """What an obligation says of the rules."""

    __slots__ = ()
    options = get_args(KindInChapters)


class Expectation(Keyword):
    """What should come of an obligation."""

    __slots__ = ()
    options = ("proved", "refuted")


class ViewLevel(Keyword):
    """Whether a seat has to be shown something, or may be."""

    __slots__ = ()
    options = ("must", "may")
