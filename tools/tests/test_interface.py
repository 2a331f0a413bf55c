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
from pkgutil import iter_modules

import pytest

import brou
import brou_conformance
import brou_tools
from brou_tools.site.interface_entries import describe_names, tell_head

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "interface.md"
TEXT = PAGE.read_text(encoding="utf-8")
#: The modules of which most callers need something, and those that only tools need; all declared names of each may be
#: relied on.
FIRST = ("brou", "brou.atomic", "brou.language.types", "brou.shapes")
ROOMS = (
    *("brou.answers", "brou.cache", "brou.chapters", "brou.check", "brou.compiler", "brou.games", "brou.games.record"),
    *("brou.interpreter", "brou.language", "brou.language.effects", "brou.language.tree", "brou.native", "brou.page"),
    *("brou.reasons", "brou.validation", "brou.words"),
)
PAGES = {PAGE: FIRST, DOCS / "rooms.md": ROOMS}
PUBLIC = (*FIRST, *ROOMS)
#: Modules of the other packages that import what is not declared, with those names and the reason.
PAST = {
    "brou_tools.bench.engines": ("digest step", "it times one stage of an engine alone"),
    "brou_tools.bench.mutants": ("lower", "it times one stage of the compiler alone"),
    "brou_tools.bench.patches": ("TypingMemo lower memo", "it measures what the memos of two stages save"),
    "brou_tools.fmt.forms": (
        "notation prelude_notation sheet_notation",
        "it goes through all classes of the notation, and needs no list of them that must be kept",
    ),
    "brou_tools.smt.ground": (
        "Context Faults Material Names Scope Signature gather param_expression parse",
        "statements are typed in the scope of loaded rules, which nobody else does from outside",
    ),
    "brou_tools.smt.operations": ("Value absent places", "formulas have the codes of the lowered form"),
    "brou_tools.smt.slices": ("of_callable of_offer", "a slice follows the reach of a rule as the loader does"),
    "brou_tools.smt.translate": ("Lowering places share_steps", "formulas are made by the stages of the compiler"),
}


def declared() -> Iterator[tuple[str, str]]:
    """Yield every declared name with its module."""
    yield from ((module, name) for module in PUBLIC for name in import_module(module).__all__)


def described(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the names that a page describes."""
    for found in re.finditer(r"^```\{brou-names\} (\S+)\n([^`]+)^```", page.read_text(encoding="utf-8"), re.MULTILINE):
        yield from ((found[1], name) for name in found[2].split())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_describes_what_is_declared(page: Path) -> None:
    """Each name once, and none that is not there."""
    assert Counter(described(page)) == Counter(one for one in declared() if one[0] in PAGES[page])


@pytest.mark.parametrize("room", [one for one in ROOMS if hasattr(import_module(one), "__path__")])
def test_no_name_of_a_room_is_one_of_its_modules(room: str) -> None:
    """A module that is imported would stand in place of what is declared."""
    module = import_module(room)
    assert {one.name for one in iter_modules(module.__path__)} & set(module.__all__) == set()


@pytest.mark.parametrize(("module", "name"), list(declared()))
def test_every_name_is_there_with_types(module: str, name: str) -> None:
    """It is found where it is declared, says what it promises, and all of its arguments have types."""
    value = getattr(import_module(module), name)
    assert name in tell_head(name, value)
    if inspect.isroutine(value):
        parameters = inspect.signature(value).parameters.values()
        assert inspect.getdoc(value)
        assert [one.name for one in parameters if one.annotation is one.empty] == []


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_are_true(page: Path) -> None:
    """What stands behind each line is what comes."""
    found = doctest.testfile(str(page), module_relative=False)

    assert found.attempted > len(PAGES[page])
    assert found.failed == 0


def test_every_name_has_an_example() -> None:
    """Each name that most callers need is used on the page."""
    lines = re.findall(r"^(?:>>>|\.\.\.) (.*)$", TEXT, re.MULTILINE)
    used = set(re.findall(r"\w+", " ".join(lines)))

    assert sorted({name for module, name in declared() if module in FIRST} - used) == []


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


def imports() -> Iterator[tuple[str, str, str]]:
    """Yield each name that a module of the other packages imports from a module of `brou`."""
    for package in (brou_conformance, brou_tools):
        folder = Path(str(package.__file__)).parent
        for path in folder.rglob("*.py"):
            importer = ".".join(path.relative_to(folder.parent).with_suffix("").parts)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "brou":
                    yield from ((importer, str(node.module), alias.name) for alias in node.names)


@pytest.mark.slow
def test_the_other_packages_keep_to_the_interface() -> None:
    """What `brou` itself declares is imported from there, and what is not declared by the listed modules alone."""
    public = set(declared())
    homes = {(getattr(getattr(brou, name), "__module__", ""), name) for name in brou.__all__}
    found = list(imports())
    past = {(importer, name) for importer, module, name in found if (module, name) not in public}

    assert [one for one in found if one[1:] in homes] == []
    assert past == {(importer, name) for importer, (names, _) in PAST.items() for name in names.split()}
