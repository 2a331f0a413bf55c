"""Letters and labels of a law: what types letters have, how labels are called in expressions, what hangs on what."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from brou.chapters.conditions import Conditions
from brou.chapters.declared import StateVariable
from brou.chapters.decode import refuse
from brou.chapters.law import Law
from brou.chapters.rules import Addend, Definition, Exemption
from brou.chapters.terms import free_names
from brou.chapters.tokens import Token
from brou.errors import Place
from brou.language.node import Node

_OPTION = re.compile(r"(.*?)\s+or\s+None\Z")
_RANGE = re.compile(r"(\S+)\.\.(\S+)\Z")


class Letters:
    """What the names of one law stand for."""

    def __init__(self, law: Law) -> None:
        self.law = law

    def type_of(self, letter: str, names: Mapping[str, str], place: Place) -> str:
        """Return the type that a letter stands for; raise `Invalid` where nobody says so."""
        if letter not in names:
            what = f"nobody says what {letter!r} stands for"
            raise refuse(place, what, f"write it into `names:`; there are {', '.join(names)}")
        return spell_type(names[letter])

    def arguments(self, letters: Iterable[str], names: Mapping[str, str], place: Place) -> dict[str, str]:
        """Return letters with their types, as arguments of a function."""
        return {letter: self.type_of(letter, names, place) for letter in letters}

    def type_of_variable(self, variable: StateVariable) -> str:
        """Return the type of a variable, its indexes included."""
        indexes = (f"[{self.type_of(letter, variable.names, variable.type.place)}]" for letter in variable.letters)
        return spell_type(variable.type) + "".join(indexes)

    @cached_property
    def conditions(self) -> Conditions:
        """Return what conditions of the law plainly say of each other."""
        meanings = {one.name: (one.letters, str(one.gives)) for one in self.law.means.values()}
        return Conditions(self._constants(), meanings)

    def _constants(self) -> frozenset[str]:
        """Return the names that stand for one value each, no two of a type for the same."""
        suits_and_ranks = [*self.law.pack.suits.values(), *self.law.pack.ranks.values()] if self.law.pack else []
        values = (word for words, _ in self.law.types.values() if not is_range(words) for word in words)
        return frozenset(map(str, (*suits_and_ranks, *values)))

    def reads(self, expressions: Iterable[str]) -> frozenset[str]:
        """Return the variables that some expressions hang on, through whatever they call."""
        waiting, seen = {name for text in expressions for name in free_names(text)}, set[str]()
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting |= self._bodies.get(name, frozenset()) - seen
        return frozenset(seen & set(self.law.variables))

    @cached_property
    def _bodies(self) -> Mapping[str, frozenset[str]]:
        """Return the names in the body of each named expression and each value, its exemptions and terms included."""
        found: dict[str, frozenset[str]] = {}
        for meaning in self.law.means.values():
            found[meaning.name] = free_names(meaning.gives)
        for rule in self.law.of_kind(Definition):
            found[rule.head.name] = frozenset(name for text in self._texts(rule) for name in free_names(text))
        return found

    def _texts(self, value: Definition) -> Iterable[str]:
        yield from [value.gives] if value.gives is not None else []
        yield from (value.terms or {}).values()
        for line in (value.cases or {}).values():
            yield from (line.when, line.gives)
        for addend in self.law.of_kind(Addend):
            if addend.to.name == value.head.name:
                yield addend.gives
        yield from self._exceptions(value.label)

    def _exceptions(self, label: str) -> Iterable[str]:
        for rule in self.law.of_kind(Exemption):
            if label in rule.lifts:
                yield from (text for text in (rule.when, rule.gives) if text is not None)
                yield from self._exceptions(rule.label)


def spell_type(text: str) -> str:
    """Return a type as generated rules write it: `card or None` is `card?`."""
    match = _OPTION.match(text.strip())
    return f"{match[1]}?" if match else text.strip()


def is_range(words: Collection[str]) -> bool:
    """Say whether a type is a range of numbers such as `1..tricks`."""
    return len(words) == 1 and _RANGE.match(next(iter(words))) is not None


def range_of(word: Token) -> dict[str, Node]:
    """Return the ends of a range of numbers."""
    match = _RANGE.match(word)
    if match is None:
        raise refuse(word.place, f"{word!r} is no range", "write it like `1..tricks`")
    ends = zip(("from", "to"), match.groups(), strict=True)
    return {end: Node(int(text) if text.isdigit() else text, word.place) for end, text in ends}
