"""The page of the prelude: every name that a module declares stands there with its type and what it stands for."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path

import pytest

from brou import catalogue, rules
from brou.chapters.prelude_notation import ModuleForm
from brou.chapters.reading import read_volume
from brou.games.folder import list_files, read_file, root

PAGE = (Path(__file__).parents[2] / "docs" / "prelude.md").read_text(encoding="utf-8")
MODULES = dict(sorted(read_volume("brouc", partial(list_files, root()), partial(read_file, root())).modules.items()))


def kept(module: ModuleForm) -> dict[str, str]:
    """Return the state of a module, by name with letters, with its types."""
    return {
        name: str(type_)
        for group in (module.places, module.keeps)
        for one in group.values()
        for name, type_ in one.items()
    }


def deeds(module: ModuleForm) -> dict[str, str]:
    """Return the acts, effects, phases and events of a module."""
    found = {str(rule.act): "act" for rule in module.rules if rule.act}
    found |= {str(rule.effect): "effect" for rule in module.rules if rule.effect}
    found |= {str(rule.phase): "phase" for rule in module.rules if rule.phase}
    text = (root() / "prelude" / f"{module.module}.yaml").read_text(encoding="utf-8")
    return found | dict.fromkeys((one.strip('"') for one in re.findall(r"happen: (\"[^\"]*\"|[^\n}]*)", text)), "event")


@cache
def typed() -> dict[str, str]:
    """Return the types of named expressions and values in the games that use them, bounds of numbers aside."""
    found = [(name, one.type) for game in catalogue() for name, one in rules(game).functions.items()]
    found += [(name, one.type) for game in catalogue() for name, one in rules(game).tables.items()]
    return {name: re.sub(r"^int .*", "int", str(type_)).replace("?", " or None") for name, type_ in found}


def tell_type(module: ModuleForm, name: str) -> str:
    """Return the type of a name of a module, or what kind of deed it is."""
    told = {**kept(module), **deeds(module), **dict.fromkeys(module.numbers, "number")}
    told |= {type_: f"type: {', '.join(words)}" for type_, words in module.types.items()}
    return told.get(name) or typed()[re.split(r"[(\[]", name)[0]]


@pytest.mark.parametrize("name", MODULES)
def test_a_module_says_what_each_of_its_names_stands_for(name: str) -> None:
    """All that it declares, and nothing else."""
    module = MODULES[name]
    values = {str(rule.define) for rule in module.rules if rule.define}
    declared = {*kept(module), *deeds(module), *values, *module.means, *module.numbers, *module.types}
    assert set(module.gives) == declared
    assert all(module.gives.values())


@pytest.mark.parametrize("name", MODULES)
def test_the_page_has_the_names_of_a_module(name: str) -> None:
    """Each in a row with the type that it has in the games, and the words of the module."""
    section = PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    module = MODULES[name]
    assert rows == [f"| `{one}` | {tell_type(module, one)} | {said} |" for one, said in module.gives.items()]


def test_the_page_has_no_other_modules() -> None:
    """Its sections are the modules in alphabetical order."""
    assert re.findall(r"(?m)^## (.*)$", PAGE) == list(MODULES)
