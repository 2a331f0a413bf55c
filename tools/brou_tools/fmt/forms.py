"""What a value of a file is by the classes of the notation, and which values always have a line for each member."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Final, Union, get_args, get_origin

from msgspec.structs import fields

from brou.chapters import (
    Alternative,
    PictureForm,
    Shape,
    ShownEntry,
    Snippet,
    StepForm,
    list_keys,
    notation,
    prelude_notation,
    sheet_notation,
)

#: The records that have a line for each key, however short they are.
_TALL: Final = frozenset({
    notation.ClauseForm,
    notation.EditionForm,
    notation.ExclusionForm,
    prelude_notation.ModuleRule,
    notation.ObligationForm,
    notation.PositionForm,
    notation.QuestionForm,
    notation.ReadingForm,
    notation.StartForm,
    sheet_notation.CheckForm,
    sheet_notation.EntryForm,
})  # fmt: skip
#: The keys behind which a mapping has a line for each member, and those of some records alone.
_TALL_KEYS: Final = frozenset({
    "always", "cases", "course", "editions", "effects", "exempt", "forbid", "groups", "heeds", "keeps", "lacks",
    "means", "not", "of", "packs", "places", "positions", "proves", "readings", "says", "setups", "uses", "words",
})  # fmt: skip
_TALL_KEYS_OF: Final[frozenset[tuple[type[Shape] | None, str]]] = frozenset(
    {(prelude_notation.ModuleForm, "takes"), (prelude_notation.ModuleForm, "gives"), (notation.GameForm, "names")}
)
#: The keys, with the levels below them, of mappings of names to their types.
_UNQUOTED: Final = frozenset({("keeps", 1), ("places", 1), ("needs", 0)})
#: Lists whose members a blank line separates.
_PARTED: Final = frozenset({notation.ClauseForm, sheet_notation.EntryForm})


@dataclass(frozen=True, slots=True)
class Standing:
    """The type of a value in the notation, with its record and key."""

    shape: object
    owner: type[Shape] | None = None
    key: str = ""
    #: How many lists and mappings there are between the key and this.
    level: int = 0

    @property
    def form(self) -> type[Shape] | None:
        """Return the class of a record; other mappings have none."""
        return self.shape if isinstance(self.shape, type) and issubclass(self.shape, Shape) else None

    @property
    def member(self) -> type[Shape] | None:
        """Return the class of the records that a list has for members, if it has some."""
        return Standing(_find_member(self.shape)).form if get_origin(self.shape) is tuple else None

    @property
    def is_parted(self) -> bool:
        """Say whether a blank line separates the members of a list."""
        return self.member in _PARTED

    @property
    def is_step(self) -> bool:
        """Say whether this is a step."""
        return self.form is StepForm

    @property
    def is_picture(self) -> bool:
        """Say whether this is what a view or a score shows, key by key."""
        return _find_member(self.shape) is ShownEntry

    @property
    def is_unquoted(self) -> bool:
        """Say whether this is a mapping of names to types, which is in one line only if that takes no quotes."""
        return (self.key, self.level) in _UNQUOTED

    @property
    def is_mark(self) -> bool:
        """Say whether this is the mark of a text, which has quotes even if its digits have letters among them."""
        return self.owner is notation.WordsForm and (self.key, self.level) == ("of", 1)

    @property
    def is_expression(self) -> bool:
        """Say whether this is an expression, and no prose."""
        return isinstance(self.shape, type) and issubclass(self.shape, (Snippet, Alternative))

    def is_tall(self, kind: str) -> bool:
        """Say whether a list or a mapping has a line for each member, however short it is."""
        if kind == "list":
            return self.member not in {None, StepForm}
        behind = self.key in _TALL_KEYS or (self.owner, self.key) in _TALL_KEYS_OF
        return self.owner is None or self.form in _TALL or (behind and self.level == 0)

    def order(self, keys: Collection[str]) -> list[str]:
        """Return the keys of a mapping in the order in which they are written."""
        return list(keys) if self.form is None else [key for key in list_keys(self.form) if key in keys]

    def enter(self, key: str, kind: str, keys: Collection[str]) -> Standing:
        """Return the standing of a member; the kind of its value is given, and the keys of a mapping."""
        if self.form is None:
            return Standing(_narrow(_find_member(self.shape), kind, keys), self.owner, self.key, self.level + 1)
        return Standing(_narrow(_types(self.form)[key], kind, keys), self.form, key)


@cache
def _types(form: type[Shape]) -> Mapping[str, object]:
    return {one.encode_name: one.type for one in fields(form)}


def _find_member(type_: object) -> object:
    """Return the type of the members of a list or a mapping."""
    members = [one for one in get_args(type_) if one is not Ellipsis]
    return members[-1] if members else None


def _narrow(type_: object, kind: str, keys: Collection[str]) -> object:
    """Return what a type with alternatives is for a value of a kind."""
    if get_origin(type_) in {Union, UnionType}:
        return next((one for one in get_args(type_) if _find_kind(one) == kind), None)
    if kind != "mapping" or not (isinstance(type_, type) and issubclass(type_, Alternative)):
        return type_
    if type_ is ShownEntry:
        return PictureForm if "show" in keys else Mapping[str, ShownEntry]
    content = get_args(vars(type_)["__orig_bases__"][0])[0]
    return content if isinstance(content, type) else None


def _find_kind(type_: object) -> str:
    origin = get_origin(type_) or type_
    if isinstance(origin, type) and issubclass(origin, (Mapping, Shape, Alternative)):
        return "mapping"
    return "list" if origin is tuple else "scalar"
