"""Forks: rules that differ from an edition by readings and changes, in a file, and scenarios as such rules answer them.

A scenario expects what the text demands. Under a fork it expects what the changed rules answer, where that is something
else; all other expectations stay, so that a program that plays the fork conforms, and no other does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from brou import (
    Choice,
    Fault,
    Folder,
    Game,
    Machine,
    Malformed,
    Node,
    begin,
    book,
    choose,
    patch_rules,
    root,
    shape_faults,
    with_readings,
)
from brou import read as read_file
from brou.language import apply_patches, load_rules, read_patches
from brou.shapes import ABSENT, Absent, Limit, shape
from brou_conformance.judging.judge import Criteria, ask_alike, matches
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import ScriptStep
from brou_conformance.scenarios.script import Script

_Text: TypeAlias = Annotated[str, Limit(min_length=1)]
#: What an address may hold: a number or an expression, numbers by rank, a list of numbers or of such lists.
_Value: TypeAlias = str | int | bool | Mapping[str, int] | tuple[int | tuple[int, ...], ...]


@shape(closed=True)
class ForkedChange:
    """A change of the rules of an edition, as a patch makes it."""

    at: Annotated[_Text, "the address of the change in the generated rules"]
    clause: Annotated[str, "the clause that is changed"] | Absent = ABSENT
    says: Annotated[str, "the change in words"] | Absent = ABSENT
    setups: Annotated[tuple[str, ...], "the set-ups to which it applies; all if left out"] | Absent = ABSENT
    value: Annotated[_Value, "the new value"] | Absent = ABSENT
    order: Annotated[tuple[str, ...], "the members of a list in their new order"] | Absent = ABSENT
    remove: Annotated[Literal[True], "whether the rule is removed"] | Absent = ABSENT
    before: Annotated[tuple[Mapping[str, str], ...], "effects to carry out before it"] | Absent = ABSENT
    after: Annotated[tuple[Mapping[str, str], ...], "effects to carry out after it"] | Absent = ABSENT


@shape(closed=True)
class ForkedEdition:
    """An edition with other readings and changes."""

    rules: Annotated[_Text, "the edition with its readings, game@edition[reading=value,...]"]
    plays: Annotated[str, "what these rules explain of a program"] | Absent = ABSENT
    changes: Annotated[tuple[ForkedChange, ...], "the changes, in the order in which they are made"]


@shape(name="fork", closed=True)
class ForkDocument:
    """Changed editions, which `brou verify --fork` writes and `--under` reads."""

    format: Literal["brou-fork/1"] = "brou-fork/1"
    editions: Annotated[tuple[ForkedEdition, ...], "the editions, each once"]


@dataclass(eq=False)
class Fork:
    """An edition with other readings and changes; it builds the rules of each choice once."""

    choice: Choice
    #: The changes, each a patch with the set-ups that it is made in.
    changes: tuple[Node, ...]
    data: Folder = None
    _built: dict[Choice, Machine] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the edition."""
        return f"{self.choice.game}@{self.choice.edition}"

    @property
    def readings(self) -> Mapping[str, str]:
        """Return all its readings."""
        return dict(self.choice.readings)

    @property
    def summary(self) -> str:
        """Return the clauses that it changes, or the addresses of changes without a clause."""
        named = (change.string("clause") or change.string("at") for change in self.changes)
        return ", ".join(dict.fromkeys(named)) or "readings"

    def write(self, choice: Choice) -> Node:
        """Return the rules file of a choice with the changes made."""
        fitting = (change for change in self.changes if _is_for(change, choice.setup))
        made = [patch for change in fitting for patch in read_patches(Node((change,), change.place))]
        return apply_patches(patch_rules(choice, self.data), made)

    def load(self, choice: Choice) -> Game:
        """Return the rules of a choice with the changes made in their text; raise `Unusable` if that fails."""
        return load_rules(self.write(choice), book(choice.game, self.data or choice.project).codes)

    def refit(self, script: Script) -> Script:
        """Return a script that expects what the changed rules answer; the same where they cannot play it."""
        if not self.changes:
            return script
        if script.choice not in self._built:
            self._built[script.choice] = Machine(self.load(script.choice))
        try:
            return replace(script, steps=tuple(_refit_steps(script, self._built[script.choice])))
        except Exception:  # noqa: BLE001 - changed rules may break anywhere; the script then stays that of the edition
            return script


def _is_for(change: Node, setup: str) -> bool:
    """Say whether a change is made in a set-up."""
    named = change.get("setups")
    return named is None or setup in (item.text for item in named.items)


def _refit_steps(script: Script, player: Machine) -> Iterator[ScriptStep]:
    """Yield the steps of a script, those that the changed rules answer otherwise with their answer."""
    state, terms = begin(player, script.start), Criteria(script.readings)
    for step in script.steps:
        told, state = take(player, state, step.message)
        wanted = step.choose_pattern(script.readings)
        if wanted is not None and matches(told, wanted, terms):
            yield step
        else:
            yield replace(step, expected=ask_alike(step, told), reading="", values={})


def read_forks(path: Path, data: Folder = None) -> tuple[Fork, ...]:
    """Return the editions of one's own in a file; raise `Malformed` with every fault, or `Unknown` for unknown rules.

    It makes the changes for each set-up, so that a fault shows here and not in the middle of a run.
    """
    node = read_file(path)
    if faults := list(shape_faults(node, root() / "schemas" / "fork.schema.json")):
        raise Malformed(faults)
    forks = tuple(
        Fork(choose(one.string("rules"), data), one.fields["changes"].items, data)
        for one in node.fields["editions"].items
    )
    names = [fork.name for fork in forks]
    for number, (fork, one) in enumerate(zip(forks, node.fields["editions"].items, strict=True)):
        if fork.name in names[:number]:
            raise Malformed([Fault(one.place, f"{fork.name} is here twice", "write all its changes in one place")])
        for setup in book(fork.choice.game, data).editions[fork.choice.edition].setups:
            bare = replace(fork.choice, setup=setup, readings=())
            choice = with_readings(bare, fork.readings, data, fitting=True)
            if faults := list(shape_faults(fork.write(choice), root() / "schemas" / "rules.schema.json")):
                raise Malformed(faults)
            fork.load(choice)
    return forks
