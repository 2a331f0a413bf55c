"""Names and sentences of the packages: functions are verbs, a class name means one thing, docstrings have a subject.

`make check` runs this file. A name or sentence that has to stay stands in EXCEPTIONS with its reason.
"""

import ast
import gc
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("reference/brou", "conformance/brou_conformance", "tools/brou_tools")

#: What stays as it is: a function, a class or the owner of a docstring, with the reason.
EXCEPTIONS = {
    "brou.compiler.compiled_sets.bounded": "generated code calls it by the name of its operation in the lowered form",
}

#: Participles that do not end in -ed, and are no verbs in the base form.
IRREGULAR = re.compile(
    "told|said|kept|meant|made|found|given|shown|drawn|known|seen|held|left|lost|built|bound|sent|spelt|written|"
    "taken|thrown|broken|chosen|spoken|heard|gone|done"
)
REGULAR = re.compile("(?!speed|hundred)[a-z]{3,}ed")

#: A relative clause in the place of a noun: "what is shown", "whatever stands behind it", "who may act".
HEADLESS = re.compile(
    r"\b(what|who|whom|that which|whatever)\s+(is|are|was|were|has|have|stands?|lies|may|can|must|would|comes?|"
    r"goes|holds?|matters?|remains?|it)\b",
    re.IGNORECASE,
)
#: A passive without an actor: "is told", "are kept".
PASSIVE = re.compile(r"\b(is|are|was|were|be|been) (told|said|kept|asked|meant)\b", re.IGNORECASE)

Owner = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module


def is_participle(name: str) -> bool:
    """Say whether a name is one bare participle: `told`, `_lowered`."""
    word = name.strip("_")
    return bool(IRREGULAR.fullmatch(word) or REGULAR.fullmatch(word))


def is_riddle(text: str) -> bool:
    """Say whether a docstring has a headless relative clause, or a passive that hides the actor."""
    return bool(HEADLESS.search(text) or PASSIVE.search(text))


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Say whether a function is read like an attribute, so that its name is a noun."""
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def walk(node: ast.AST, name: str) -> Iterator[tuple[str, Owner]]:
    """Yield all modules, classes and functions in a tree with their dotted names."""
    if isinstance(node, Owner):
        yield name, node
    # No expression holds any of them.
    for child in (one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.expr)):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from walk(child, f"{name}.{child.name}")
        else:
            yield from walk(child, name)


def owners() -> Iterator[tuple[str, Owner]]:
    """Yield the modules, classes and functions of all packages."""
    for package in map(ROOT.joinpath, PACKAGES):
        for path in sorted(package.rglob("*.py")):
            parts = path.relative_to(package.parent).with_suffix("").parts
            name = ".".join(parts).removesuffix(".__init__")
            yield from walk(ast.parse(path.read_text(encoding="utf-8")), name)


@pytest.fixture(scope="module")
def found() -> Iterator[dict[str, Owner]]:
    """Return everything that has a name or a docstring, by its dotted name.

    The collector of garbage would go through millions of nodes again and again, and find none.
    """
    gc.disable()
    yield dict(owners())
    gc.enable()


def participles(found: dict[str, Owner]) -> set[str]:
    """Return the functions that are called by a bare participle."""
    functions = ((n, o) for n, o in found.items() if isinstance(o, ast.FunctionDef | ast.AsyncFunctionDef))
    return {name for name, one in functions if is_participle(one.name) and not is_property(one)}


def twins(found: dict[str, Owner]) -> set[str]:
    """Return the classes that share their names with another."""
    classes: dict[str, list[str]] = defaultdict(list)
    for name, one in found.items():
        if isinstance(one, ast.ClassDef):
            classes[one.name.strip("_")].append(name)
    return {name for names in classes.values() if len(names) > 1 for name in names}


def riddles(found: dict[str, Owner]) -> set[str]:
    """Return the owners of docstrings that are riddles."""
    return {name for name, one in found.items() if is_riddle(ast.get_docstring(one) or "")}


@pytest.mark.slow
def test_functions_are_called_by_verbs(found: dict[str, Owner]) -> None:
    """No function is called by a bare participle: it is `lower`, not `lowered`."""
    assert sorted(participles(found) - EXCEPTIONS.keys()) == []


def test_a_class_name_means_one_thing(found: dict[str, Owner]) -> None:
    """No two classes of the packages have the same name, underscores aside."""
    assert sorted(twins(found) - EXCEPTIONS.keys()) == []


def test_docstrings_have_a_subject(found: dict[str, Owner]) -> None:
    """No docstring says `what is ...` in place of a noun, or `is told` without an actor."""
    assert sorted(riddles(found) - EXCEPTIONS.keys()) == []


def test_every_exception_is_needed(found: dict[str, Owner]) -> None:
    """An exception that is no longer one is taken off the list."""
    assert EXCEPTIONS.keys() - participles(found) - twins(found) - riddles(found) == set()


@pytest.mark.parametrize(
    ("name", "seen"),
    [("told", True), ("_lowered", True), ("lower", False), ("need", False), ("bid", False), ("find_written", False)],
)
def test_a_participle_is_seen(name: str, seen: bool) -> None:
    """Regular and irregular participles are seen, private ones too; verbs and nouns pass."""
    assert is_participle(name) == seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Return what is shown.", True),
        ("Yield whatever stands behind it.", True),
        ("A watch that is told of everything.", True),
        ("Return the shown value.", False),
        ("Say whether a seat may act.", False),
    ],
)
def test_a_riddle_is_seen(text: str, seen: bool) -> None:
    """A relative clause without a noun and a passive without an actor are seen; plain sentences pass."""
    assert is_riddle(text) == seen
