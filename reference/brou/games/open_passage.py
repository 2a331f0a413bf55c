"""What an open passage may mean: the values of its reading, what each changes, and its short name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from brou.dataclass import dataclass, field
from brou.errors import Place, Unknown
from brou.language.node import Node
from brou.language.patch import Patch, read_patches


@dataclass(frozen=True, slots=True)
class Reading:
    """The possible answers to an open question: a key with its values, each a patch, or a number within bounds."""

    key: str
    ambiguity: str
    values: Mapping[str, tuple[Patch, ...]]
    number: tuple[int, int, str] | None
    #: The short title of the question by language; empty where it has none.
    title: Mapping[str, str] = field(default_factory=dict)
    #: The short name of each value by language; for a number, the name of what is counted, under its name in the rules.
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def check(self, value: str) -> None:
        """Raise `Unknown` for a value that the reading does not have; the changes of a value take longer to make."""
        if self.number is None:
            if value not in self.values:
                raise Unknown(f"value of {self.key}", value, self.values)
            return
        low, high, _ = self.number
        if not re.fullmatch(r"[0-9]{1,6}", value) or not low <= int(value) <= high:
            raise Unknown(f"value of {self.key}", value, [f"{low} to {high}"])

    def patch(self, value: str) -> tuple[Patch, ...]:
        """Return the changes that a value makes; raise `Unknown` for one that the reading does not have."""
        self.check(value)
        if self.number is None:
            return self.values[value]
        return (_number_patch(self.number[2], int(value), f"[{self.key}={value}]"),)

    def changes(self) -> tuple[Patch, ...]:
        """Return the changes of all values together; for a number, those of one value."""
        if self.number is not None:
            return self.patch(str(self.number[0]))
        return tuple(patch for patches in self.values.values() for patch in patches)

    def find_name(self, value: str) -> Mapping[str, str]:
        """Return the short name of a value by language; all values of a number share one."""
        return self.names.get(value if self.number is None else name_number(self.number[2]), {})


def name_number(address: str) -> str:
    """Return the name of a number of the rules: `match_ticks` of `params/match_ticks/value`."""
    return address.split("/")[1]


@lru_cache(maxsize=1024)
def _number_patch(address: str, value: int, shown: str) -> Patch:
    """Return the patch that puts a number to an address; messages name its place as shown."""
    place = Place(shown, 1, 1)
    return Patch(tuple(address.split("/")), Node({"value": Node(value, place)}, place))


def list_readings(ambiguity: str, node: Node) -> Iterator[Reading]:
    """Yield the reading of an open passage as chapters say it in a section, if it has one."""
    key, title = node.string("key"), read_texts(node.get("title"))
    if not key:
        return
    number = node.get("number")
    if number is not None:
        fields = number.fields
        bounds = (int(fields["from"].text), int(fields["to"].text), fields["at"].text)
        called = {name_number(bounds[2]): read_texts(fields.get("name"))}
        yield Reading(key, ambiguity, {}, bounds, title, called)
        return
    listed = node.get("readings")
    members = {} if listed is None else listed.fields
    values = {value: read_patches(item.get("patch")) for value, item in members.items()}
    names = {value: read_texts(item.get("name")) for value, item in members.items()}
    yield Reading(key, ambiguity, values, None, title, names)


def read_texts(node: Node | None) -> dict[str, str]:
    """Return a text by language; none where nothing is written."""
    return {} if node is None else {lang: item.text for lang, item in node.fields.items()}
