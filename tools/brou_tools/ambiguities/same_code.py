"""The parts of two engines in C with the same code, so that one of them answers for both in equal states.

Most readings change the offers of one phase, the effect of one act, or the score. The functions that answer for a phase
or an act are compared as they are written, with all that they call and all tables that they read: where the texts are
equal, so are the answers in equal states. Code that differs may still answer alike; then both answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from brou.native import write_engine
from brou_tools.matches.engines import TaughtRules

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"\w+")
#: The first of the texts that come from the rules; before it stand structures and what is the same in all engines.
_FIRST = "static const char *const Names_"
#: Texts that name the rules and answer nothing.
_LABELS = frozenset(("Rules", "Hash", "Tables"))
#: A definition at the beginning of a line: a table with its values, a number behind a word, or a function.
_DEFINED = re.compile(
    r"^(?:static|BROU_INLINE|BROU_APART|BROU_UNUSED)[^\n;{=(]*?(\w+)\s*(?:\[[^\n]*?\])*(?:\s+BROU_UNUSED)?\s*[=(]"
)
_CASE = re.compile(r"case (\d+): return (\w+)\(")
#: The functions that lead to those of a phase or an act, and are not followed.
_SWITCHES = ("Find", "Weigh", "Play", "Write", "Bounds")
#: The tables that are read for every phase and every act. Whether an act is made on a copy changes no answer.
_TABLES = ("Acts", "Alike", "Counts", "Described", "Fresh")


@dataclass(frozen=True)
class EngineCode:
    """The code of an engine, by its answers; codes of engines whose states have one form can be compared."""

    text: str
    phases: int
    acts: int

    @classmethod
    def of(cls, taught: TaughtRules) -> EngineCode:
        """Return the code of the engine of rules that know their conduct."""
        text = write_engine(taught.game, taught.label, taught.wish)[0]
        return cls(_COMMENT.sub("", text), len(taught.game.phases), len(taught.game.actions))

    @cached_property
    def _common(self) -> str:
        """Return the text before all that comes from the rules."""
        return self.text[: self.text.index(_FIRST)]

    @cached_property
    def _definitions(self) -> Mapping[str, str]:
        found: dict[str, list[str]] = {}
        name = ""
        for line in self.text[self.text.index(_FIRST) :].split("\n"):
            if line and not line[0].isspace() and line[0] not in "}#":
                head = _DEFINED.match(line)
                name = head[1] if head else _WORD.findall(line.split("(")[0].split("{")[0])[-1]
            found.setdefault(name, []).append(line)
        return {name: "\n".join(lines) for name, lines in found.items() if name not in _LABELS}

    @cached_property
    def _words(self) -> Mapping[str, frozenset[str]]:
        """Return the other definitions in each definition."""
        known = self._definitions.keys()
        return {name: frozenset(_WORD.findall(text)) & known - {name} for name, text in self._definitions.items()}

    def _switch(self, name: str) -> Mapping[int, str]:
        return {int(place): function for place, function in _CASE.findall(self._definitions.get(name, ""))}

    def _reach(self, roots: Sequence[str]) -> Mapping[str, str]:
        """Return the texts of some definitions and of all that they lead to."""
        waiting, seen = [*roots, *_TABLES], set(_SWITCHES)
        while waiting:
            name = waiting.pop()
            if name not in seen and name in self._definitions:
                seen.add(name)
                waiting += self._words[name]
        return {name: self._definitions[name] for name in seen - set(_SWITCHES)}

    def _list_offering(self, phase: int) -> Sequence[str]:
        """Return the functions that find the offers of a phase, and write those that are described."""
        listed = [self._switch(name).get(phase, "") for name in ("Find", "Weigh")]
        return [*listed, *self._switch("Write").values()]

    def compare(self, other: EngineCode) -> CodeDifference:
        """Return where the code of another engine differs from this one."""
        if self._common != other._common:
            return CodeDifference((True,) * self.phases, (True,) * self.acts, score=True)

        def differ(one: Sequence[str], two: Sequence[str]) -> bool:
            return self._reach(one) != other._reach(two)

        def each_act() -> Iterator[bool]:
            ours, theirs = self._switch("Play"), other._switch("Play")
            for act in range(self.acts):
                yield differ([ours[act]], [theirs[act]])

        return CodeDifference(
            tuple(differ(self._list_offering(phase), other._list_offering(phase)) for phase in range(self.phases)),
            tuple(each_act()),
            score=differ(["Show_Score"], ["Show_Score"]),
        )


@dataclass(frozen=True, slots=True)
class CodeDifference:
    """Whether two engines may answer otherwise in equal states: offers by phase, states after an act by act, scores."""

    phases: tuple[bool, ...]
    acts: tuple[bool, ...]
    score: bool
