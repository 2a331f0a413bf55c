"""The interface of `brou`: what is declared is there and described, and the two other packages keep to it."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import brou
import brou_conformance
import brou_tools
from brou_tools.site.interface_entries import describe_names, tell_head

PAGE = Path(__file__).parents[2] / "docs" / "interface.md"
TEXT = PAGE.read_text(encoding="utf-8")
#: The modules of which all declared names may be relied on.
PUBLIC = ("brou", "brou.atomic", "brou.language.types", "brou.shapes")
#: One name of so many that the other packages import may be one that is not declared.
OF = 4


def declared() -> Iterator[tuple[str, str]]:
    """Yield every declared name with its module."""
    yield from ((module, name) for module in PUBLIC for name in import_module(module).__all__)


def described() -> Iterator[tuple[str, str]]:
    """Yield the names that the page describes."""
    for found in re.finditer(r"^```\{brou-names\} (\S+)\n([^`]+)^```", TEXT, re.MULTILINE):
        yield from ((found[1], name) for name in found[2].split())


def test_the_page_describes_what_is_declared() -> None:
    """Each name once, and none that is not there."""
    assert Counter(described()) == Counter(declared())


@pytest.mark.parametrize(("module", "name"), list(declared()))
def test_every_name_is_there_with_types(module: str, name: str) -> None:
    """It is found where it is declared, says what it promises, and all of its arguments have types."""
    value = getattr(import_module(module), name)
    assert name in tell_head(name, value)
    if inspect.isroutine(value):
        parameters = inspect.signature(value).parameters.values()
        assert inspect.getdoc(value)
        assert [one.name for one in parameters if one.annotation is one.empty] == []


def test_the_examples_of_the_page_are_true() -> None:
    """What stands behind each line is what comes."""
    found = doctest.testfile(str(PAGE), module_relative=False)

    assert found.attempted > len(PUBLIC)
    assert found.failed == 0


def test_every_name_has_an_example() -> None:
    """Each declared name is used on the page."""
    lines = re.findall(r"^(?:>>>|\.\.\.) (.*)$", TEXT, re.MULTILINE)
    used = set(re.findall(r"\w+", " ".join(lines)))

    assert sorted({name for _, name in declared()} - used) == []


def test_a_class_is_described_with_its_members() -> None:
    """Its entry has the signature, the promise, and the methods that anybody may call."""
    text = describe_names("brou", ["Chance", "HANDS", "Refusal"]).astext()

    assert "class Chance(seed: int)" in text
    assert "class Refusal(code: str, clause: str, row: str, place: Place)" in text
    assert "below(" in text
    assert "HANDS = 'hands'" in text
    assert "_mix" not in text


def test_importing_the_interface_loads_nothing() -> None:
    """A name costs what it needs when it is first asked for."""
    script = "import sys, brou; print([name for name in sys.modules if name.startswith('brou.')])"
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="no attribute 'shuffle'"):
        brou.shuffle  # type: ignore[attr-defined] # noqa: B018


def statements() -> Iterator[ast.ImportFrom]:
    """Yield the statements by which the other packages import something of `brou`."""
    for package in (brou_conformance, brou_tools):
        for path in Path(str(package.__file__)).parent.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "brou":
                    yield node


@pytest.mark.slow
def test_the_other_packages_keep_to_the_interface() -> None:
    """What `brou` itself declares is imported from there, and little is imported that is not declared."""
    public = set(declared())
    homes = {(getattr(getattr(brou, name), "__module__", ""), name) for name in brou.__all__}
    found = [(str(one.module), alias.name) for one in statements() for alias in one.names]

    assert [one for one in found if one in homes] == []
    assert sum(one not in public for one in found) * OF <= len(found)
