"""Plants damages in the files of the rules, one at a time, and says which statement about the rules is refuted then.

    python tools/tests/planting.py TABLE [NAME ...]

A table is YAML: by the name of each damage its `game`, the full id of the `clause` whose rules it damages, what is
wrong then (`says`), the `file` of the rules below `spec/`, a chapter or the prelude, and in it `old`, a text that
stands there just once, and `new`, what stands there instead. Statements are those of the sound rules; those citing the
clause are asked first. The exit code is 1 if a damage is noticed by none.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from brou import BrouError, Project, book, choose, house, open_project, root, rules
from brou.language.source import parse_yaml
from brou_tools.smt.biting import notice_for_all
from brou_tools.smt.obligations import obligations
from brou_tools.smt.slices import differing


@dataclass(frozen=True, slots=True)
class PlantedDamage:
    """A text in the files of the rules, and what stands there instead."""

    name: str
    game: str
    clause: str
    says: str
    file: str
    old: str
    new: str
    #: The statement that was found to notice it; nothing if none was asked yet.
    by: str


def read_table(path: Path) -> list[PlantedDamage]:
    """Return the damages of a table."""
    fields = PlantedDamage.__dataclass_fields__
    found = parse_yaml(path.read_text(encoding="utf-8"), path.name).fields.items()
    return [PlantedDamage(name, **{key: node.string(key) for key in fields if key != "name"}) for name, node in found]


def plant(one: PlantedDamage, folder: Path) -> None:
    """Write the rules of a game with a damage into a folder; raise `ValueError` if its text is not there once."""
    shutil.copytree(root() / "games" / one.game, folder / "games" / one.game, dirs_exist_ok=True)
    sound = (root() / one.file).read_text(encoding="utf-8")
    if sound.count(one.old) != 1:
        raise ValueError(f"{one.name}: {one.file} has the old text {sound.count(one.old)} times, not once")
    damaged = folder / one.file
    damaged.parent.mkdir(parents=True, exist_ok=True)
    damaged.write_text(sound.replace(one.old, one.new), encoding="utf-8")


def find_damaged(one: PlantedDamage, there: Project) -> list[str]:
    """Return the editions and set-ups, as `game@edition:setup`, whose rules differ; raise where they do not load."""
    editions = book(one.game, house()).editions.items()
    named = [f"{one.game}@{edition}:{setup}" for edition, record in editions for setup in record.setups]
    return [name for name in named if differing(rules(choose(name)), rules(choose(name, there))) != frozenset()]


def judge(one: PlantedDamage) -> tuple[bool, str]:
    """Return whether a damage is noticed, and what is to be said of it."""
    with tempfile.TemporaryDirectory() as name:
        there = open_project(name)
        try:
            plant(one, Path(name))
            damaged = find_damaged(one, there)
        except ValueError as error:
            return False, str(error)
        except BrouError as error:
            return True, f"such rules do not load: {str(error).splitlines()[0]}"
        if not damaged:
            return False, "the same rules"
        unstated = ""
        for notice in notice_for_all(one.game, house(), one.clause, there):
            if notice.turned:
                cited = {each.id: each.clauses for each in obligations(one.game, house()).obligations}
                how = "cites the clause" if one.clause in cited[notice.obligation] else "does not cite the clause"
                return True, f"refuted: {notice.obligation}, which {how}"
            unstated = unstated or notice.obligation
    if unstated:
        return True, f"no longer to be stated: {unstated}"
    return False, f"stands, under {', '.join(damaged)}"


def main(arguments: Sequence[str]) -> int:
    """Print what becomes of each damage; return 1 if one stands."""
    path, *names = arguments
    every = [one for one in read_table(Path(path)) if not names or one.name in names]
    fine = True
    for one in every:
        noticed, told = judge(one)
        fine = fine and noticed
        print(f"{one.name}: {told}", flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
