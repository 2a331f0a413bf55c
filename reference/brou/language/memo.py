"""A memo of typing: a record is typed once for each of its surroundings.

A record of a rules file (a function, a table, an action, a phase, ...) is taken as it was typed before if three things
are the same: its node, as an object; the meaning of each word in it in this game; and the signature of each function
that was looked up while it was typed. Functions are looked up again in the same order, so that they are typed in the
order in which they would be without a memo, and circles and long chains of calls are found in the same places. A faulty
record is never kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar, cast
from unicodedata import normalize

from brou.dataclass import dataclass, field
from brou.errors import Place, TooMany, Unusable
from brou.language.cost import CountedRecord
from brou.language.declarations import Faults, Material, gather, param_expression
from brou.language.node import Node
from brou.language.recent import Recent
from brou.language.scope import Signature
from brou.language.syntax import Action
from brou.language.types import Type

_Record = TypeVar("_Record")

#: Sections that `gather` reads, and those whose keys are names for the others.
_MATERIAL = ("deck", "params", "seating", "types", "attributes", "state")
_NAMED = ("phases", "actions", "summary")

#: The word for what all expressions hang on.
_FRAME = ""
#: Names that the loader puts into expressions of its own making.
_IMPLIED = (_FRAME, "it", "me", "p", "players")

#: A name as expressions have it, and what parts names in types.
_NAME = re.compile(r"[^\W\d]\w*")
_BETWEEN = re.compile(r"[\s\[\]?]+|\.\.")


@dataclass(eq=False, frozen=True, slots=True)
class Meaning:
    """What a word can mean in a game, functions and tables apart: the same object where it means the same."""

    content: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """The surroundings of the records of a game: its material, and what each name of it means."""

    material: Material
    meanings: Mapping[str, Meaning]
    #: Whether the rules come from chapters, whose rows may have longer conditions than those of a table by hand.
    in_chapters: bool = False


@dataclass(frozen=True, slots=True)
class _Lookup:
    """A lookup of a function or table while a record was typed: its place, and the signature that was found."""

    name: str
    place: Place
    signature: Signature


@dataclass(slots=True)
class _Lookups:
    """The lookups of a record while it is typed; incomplete once a lookup meets a faulty function."""

    by_name: dict[str, _Lookup] = field(default_factory=dict)
    incomplete: bool = False


@dataclass(slots=True)
class _Typing:
    """A record as it was typed: its last setting, its meanings and signatures, and its other dependencies."""

    record: object
    setting: Setting
    meanings: tuple[Meaning | None, ...]
    asked: tuple[_Lookup, ...]
    beside: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Typings:
    """The latest typings of one node, with its words."""

    words: tuple[str, ...]
    found: list[_Typing] = field(default_factory=list)


#: So many typings are kept of one node.
_VERSIONS = 16


class TypingMemo:
    """All that was typed lately, of whatever games."""

    def __init__(self) -> None:
        self.settings: Recent[Setting] = Recent(maxsize=256)
        self.meanings: Recent[Meaning] = Recent(maxsize=8192)
        self.typings: Recent[_Typings] = Recent(maxsize=4096)
        self.depths: Recent[tuple[Mapping[str, int], int]] = Recent(maxsize=4096)
        self.skilled: Recent[Action] = Recent(maxsize=1024)
        self.costs: Recent[list[CountedRecord]] = Recent(maxsize=4096)

    def setting(self, rules: Node, faults: Faults) -> Setting:
        """Return the setting of the records of a rules file; faults go into `faults`."""
        nodes = tuple(rules.fields.get(name) for name in _MATERIAL)
        names = tuple(tuple(section.fields) if (section := rules.get(name)) else () for name in _NAMED)
        in_chapters = rules.get("chapters") is not None
        found = self.settings.find((in_chapters, names), *nodes)
        if found is not None:
            return found
        material = gather(rules, faults)
        if faults.found:
            return Setting(material, {}, in_chapters)
        meanings = {word: self._intern(content) for word, content in _contents(material, names)}
        return self.settings.keep(Setting(material, meanings, in_chapters), (in_chapters, names), *nodes)

    def _intern(self, content: tuple[object, ...]) -> Meaning:
        return self.meanings.find(content) or self.meanings.keep(Meaning(content), content)

    def skill(self, action: Action, made: Action) -> Action:
        """Return an action with its skill: the one made before of the same action, if there is one."""
        return self.skilled.find(made.skill, action) or self.skilled.keep(made, made.skill, action)


class TypingReuse:
    """Takes records of one rules file from the memo, or has them typed; `ask` answers for functions and tables."""

    def __init__(
        self, memo: TypingMemo, setting: Setting, faults: Faults, ask: Callable[[str, Place], Signature | None]
    ) -> None:
        self._memo = memo
        self._setting = setting
        self._faults = faults
        self._ask = ask
        #: What was asked for by the records that are being typed, the innermost last.
        self._looking_up: list[_Lookups] = []

    def signature(self, name: str, place: Place) -> Signature | None:
        """Answer what an expression asks of a function or table; it is noted for the record being typed."""
        try:
            found = self._ask(name, place)
        except Unusable:  # told where the function stands, so no fault of the record shows that it is incomplete
            if self._looking_up:
                self._looking_up[-1].incomplete = True
            raise
        if found is not None and self._looking_up:
            self._looking_up[-1].by_name.setdefault(name, _Lookup(name, place, found))
        return found

    def record(
        self,
        kind: str,
        name: str,
        node: Node,
        build: Callable[[str, Node], _Record],
        beside: Callable[[Collection[str]], tuple[object, ...]] = lambda _: (),
    ) -> _Record:
        """Return a record of a kind, typed if need be; `beside` picks by its words what else it hangs on."""
        key = (kind, name, self._setting.in_chapters)
        typings = self._memo.typings.find(key, node)
        if typings is None:
            words = (*_IMPLIED, *sorted(set(_words(node))))
            typings = self._memo.typings.keep(_Typings(words), key, node)
        others = beside(typings.words)
        for typing in reversed(typings.found):
            if self._holds(typing, typings.words, others):
                return cast(_Record, typing.record)  # one kind has records of one class
        before = len(self._faults.found)
        self._looking_up.append(_Lookups())
        try:
            record = build(name, node)
        finally:
            lookups = self._looking_up.pop()
        is_sound = len(self._faults.found) == before and not lookups.incomplete
        if is_sound:
            asked = tuple(lookups.by_name.values())
            typings.found.append(_Typing(record, self._setting, self._meanings(typings.words), asked, others))
            del typings.found[:-_VERSIONS]
        return record

    def _holds(self, typing: _Typing, words: tuple[str, ...], others: tuple[object, ...]) -> bool:
        """Say whether a record would be typed as it was then."""
        if typing.setting is not self._setting and typing.meanings != self._meanings(words):
            return False
        typing.setting = self._setting
        return typing.beside == others and self._has_same_signatures(typing.asked)

    def _meanings(self, words: tuple[str, ...]) -> tuple[Meaning | None, ...]:
        return tuple(map(self._setting.meanings.get, words))

    def _has_same_signatures(self, asked: tuple[_Lookup, ...]) -> bool:
        """Ask for functions and tables again; say whether the answers are those of before."""
        try:
            return all(one.signature == self._ask(one.name, one.place) for one in asked)
        except TooMany:
            raise
        except Unusable:  # the expression that asks will meet it again, where it belongs
            return False


def _words(node: Node) -> Iterator[str]:
    """Yield everything in a node that can be a name, keys included, as written and as expressions read it."""
    if isinstance(node.value, dict):
        for key, member in node.value.items():
            yield key
            yield from _words(member)
    elif isinstance(node.value, tuple):
        for item in node.value:
            yield from _words(item)
    else:
        yield node.text
        for text in {node.text, normalize("NFKC", node.text)}:
            yield from (word for name in _NAME.findall(text) for word in (name, name.removesuffix("_")))
            yield from _BETWEEN.split(text)


def _contents(material: Material, names: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Yield each name of a game with all that it means there."""
    world = material.world
    basic: list[Type] = [world.types[name] for name in ("card", "suit", "rank", "player", "team")]
    yield _FRAME, (world.seats, world.teams, world.cards, *basic)
    within: dict[str, frozenset[str]] = {
        scope: frozenset(name for name, one in material.state.items() if one.scope in material.scopes[place:])
        for place, scope in enumerate(material.scopes)
    }
    tables: tuple[Mapping[str, Any], ...] = (
        {name: variable.type for name, variable in material.state.items()},
        material.constants,
        {name: param_expression(param) for name, param in material.params.items()},
        {name: material.reach(attribute) for name, attribute in material.attributes.items()},
        material.domains,
        world.types,
        within,
    )
    for word in {word for known in (*tables, *names) for word in known}:
        yield word, (*(table.get(word) for table in tables), *(word in known for known in names))
