"""The shape of the file of a score sheet (`notation` has those of the other files)."""

from __future__ import annotations

from collections.abc import Mapping

from brou.chapters.notation import DomainEntry, Shape, StepForm
from brou.chapters.tokens import Snippet, Token


class CheckForm(Shape, frozen=True, kw_only=True):
    """What cannot be when a deal is entered in short: the condition, and the words for it."""

    when: Snippet
    clause: Token | None = None
    blames: Token | None = None
    says: Token


class EntryActForm(Shape, frozen=True, kw_only=True):
    """An act that belongs to an entry: done by the first of some seats, perhaps only where a condition holds."""

    act: Token
    by: Token
    when: Snippet | None = None


class EntryForm(Shape, frozen=True, kw_only=True):
    """Something that is written down of a deal instead of its cards."""

    entry: Token
    clause: Token
    says: Token
    settles: bool = False
    many: bool = False
    each: Token | None = None
    takes: Mapping[str, DomainEntry] = {}
    by: Token | None = None
    heeds: Mapping[str, Token] = {}
    forbid: Mapping[str, CheckForm] = {}
    do: tuple[StepForm, ...] = ()
    act: Token | None = None
    acts: tuple[EntryActForm, ...] = ()
    then: tuple[StepForm, ...] = ()


class SheetForm(Shape, frozen=True, kw_only=True):
    """The score sheet of a game: its entries in the order in which they are carried out, and shared effects."""

    format: Token
    game: Token
    effects: Mapping[str, tuple[StepForm, ...]] = {}
    entries: tuple[EntryForm, ...]
