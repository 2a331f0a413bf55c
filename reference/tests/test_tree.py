"""The tree of the language is closed: whoever goes over it is told by the type checker of a form that it lacks."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from brou import catalogue, rules
from brou.language.effects import Effect, walk_effects
from brou.language.reach import of_callable
from brou.language.syntax import Function, Game, Table
from brou.language.tree import Expression, Literal, head, map_parts, parts, walk
from brou.language.types import BOOL

ROOT = Path(__file__).parents[2]


def expressions(game: Game) -> Iterator[Expression]:
    """Yield every expression of a game's functions and tables with all that it is made of."""
    records: list[Function | Table] = [*game.functions.values(), *game.tables.values()]
    for record in records:
        for one in of_callable(record):
            yield from walk(one)


def effects(game: Game) -> Iterator[Effect]:
    """Yield every effect of a game."""
    for body in (*(action.do for action in game.actions.values()), *(phase.do for phase in game.phases.values())):
        yield from walk_effects(body)


@pytest.fixture(scope="module")
def games() -> list[Game]:
    """Return the first rule base of every game."""
    return [rules(name) for name in catalogue()]


def test_the_games_use_every_form(games: list[Game]) -> None:
    """What is shown for the games below is shown for the whole language."""
    assert {type(one) for game in games for one in expressions(game)} == set(get_args(Expression))
    assert {type(one) for game in games for one in effects(game)} == set(get_args(Effect))


def test_changing_no_part_changes_nothing(games: list[Game]) -> None:
    """An expression put together again from its own operands is the same one."""
    found = [one for game in games for one in expressions(game)]

    assert [map_parts(one, lambda part: part) for one in found] == found


def test_every_part_is_changed(games: list[Game]) -> None:
    """Whatever the form, `map_parts` changes all that `parts` returns, and nothing else."""
    other = Literal(BOOL, value=True, name="other")
    for one in (one for game in games for one in expressions(game)):
        changed = map_parts(one, lambda _: other)

        assert parts(changed) == (other,) * len(parts(one))
        assert head(changed) == head(one)


# What a new form takes ------------------------------------------------------------------------------------------------

NEW_EXPRESSION = """

@dataclass(frozen=True, slots=True)
class Mystery(_ExpressionBase):
    op: ClassVar[str] = "mystery"
    inside: Expression

"""
NEW_EFFECT = NEW_EXPRESSION.replace("Mystery(_ExpressionBase)", "Marvel(_EffectBase)")

#: Who goes over all forms: the tree itself, the text of it, what it means, what it is lowered to.
OF_EXPRESSIONS = {
    "reference/brou/compiler/lower_expressions.py",
    "reference/brou/interpreter/evaluate.py",
    "reference/brou/language/unparse.py",
    "reference/brou/language/tree.py",
}
OF_EFFECTS = {
    "reference/brou/answers/history.py",
    "reference/brou/compiler/lower_steps.py",
    "reference/brou/games/change.py",
    "reference/brou/interpreter/change.py",
    "reference/brou/language/effects.py",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the packages that the type checker has been over."""
    folder = tmp_path_factory.mktemp("house")
    for room in ("reference/brou", "conformance/brou_conformance", "tools/brou_tools"):
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def lacking(house: Path, module: str, before: str, new: str, union: str) -> set[str]:
    """Return the files in which the type checker misses a new form, put into a module before a line."""
    tree = house / "reference" / "brou" / "language" / module
    text = (ROOT / tree.relative_to(house)).read_text(encoding="utf-8")
    assert text.count(before) == 1
    tree.write_text(text.replace(before, f"{new}\n{before} {union} |"), encoding="utf-8")
    path = [str(house / room) for room in ("reference", "conformance", "tools")]
    checked = [str(house / room) for room in ("reference/brou", "tools/brou_tools/smt")]
    options = ["--strict", "--explicit-package-bases", "--no-error-summary", "--config-file", ""]
    found = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir", str(house / ".mypy_cache"), *checked],
        cwd=house,
        env={"MYPYPATH": ":".join(path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    wanted = rf'^(\S+?):\d+: error: Argument 1 to "assert_never" has incompatible type "{union}"'
    assert found.returncode == 1, found.stdout + found.stderr
    return set(re.findall(wanted, found.stdout, re.MULTILINE))


# The type checker goes over three packages, which takes a quarter of a minute. These two guard that every visitor ends
# with `assert_never`, which nobody takes away by the way.
@pytest.mark.thorough
def test_a_new_expression_is_missed_wherever_it_is_lacking(house: Path) -> None:
    """Every visitor of expressions fails the type checker until it knows a new form; so none is forgotten."""
    assert lacking(house, "tree.py", "Expression: TypeAlias = (", NEW_EXPRESSION, "Mystery") == OF_EXPRESSIONS


@pytest.mark.thorough
def test_a_new_effect_is_missed_wherever_it_is_lacking(house: Path) -> None:
    """So does every visitor of effects."""
    assert lacking(house, "effects.py", "Effect: TypeAlias =", NEW_EFFECT, "Marvel") == OF_EFFECTS
