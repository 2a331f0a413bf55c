"""The shape of the files of the prelude: modules and packs (`notation` has those of the chapters)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from brou.chapters.notation import RuleKeys, Shape, ShownEntry
from brou.chapters.tokens import Snippet, Token, Tokens


class ModuleRule(RuleKeys, frozen=True, kw_only=True):
    """A rule of a module; the slot whose clause it cites is the head of its label unless it names another."""

    inherits_behind: ClassVar[str] = "rule"

    rule: Token
    clause: Token | None = None


class ModuleForm(Shape, frozen=True, kw_only=True):
    """A part of the prelude: rules in the language, with slots that a game fills, some of them by clauses to cite.

    `about` has by slot the variables, types and named expressions that its clause is about; others are those of the
    clause in `cites`.
    `gives` has the meaning of each name that it declares.
    `defaults` are put into the slots that a game gives nothing for; one that names another slot is as that one.
    """

    format: Token
    module: Token
    takes: Mapping[str, Token]
    defaults: Mapping[str, Token] = {}
    cites: Token | None = None
    about: Mapping[str, Tokens] = {}
    needs: Mapping[str, Token] = {}
    gives: Mapping[str, Token] = {}
    names: Mapping[str, Token] = {}
    numbers: Mapping[str, Token] = {}
    types: Mapping[str, Tokens] = {}
    places: Mapping[str, Mapping[str, Token]] = {}
    keeps: Mapping[str, Mapping[str, Token]] = {}
    means: Mapping[str, Snippet] = {}
    says: Mapping[str, Token] = {}
    rules: tuple[ModuleRule, ...] = ()
    show: Mapping[str, ShownEntry] = {}
    always: Mapping[str, Snippet] = {}

    def find_clause(self, heading: str) -> str:
        """Return the clause that says what this heading declares, such as `laid[r][p]` or `can_follow(p)`."""
        name = heading.partition("[")[0].partition("(")[0]
        return next((clause for clause, names in self.about.items() if name in names), self.cites or "")


class CardsForm(Shape, frozen=True, kw_only=True):
    """A kind of pack: its suits and ranks, each a letter with a name."""

    suits: Mapping[str, Token]
    ranks: Mapping[str, Token]


class PacksForm(Shape, frozen=True, kw_only=True):
    """The packs of the prelude."""

    format: Token
    packs: Mapping[str, CardsForm]
