"""The papers of a release: what it is made of, how it is cited, and what can be installed with it."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

from brou import NoFile
from brou_tools.site.components import list_components
from brou_tools.terminal.main import _EXTRAS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


@pytest.fixture(scope="module")
def components() -> Any:
    """Return the list of components."""
    return list_components(ROOT / "pyproject.toml")


def test_every_dependency_is_a_component(components: Any) -> None:
    """With the version that is installed, and as required only if everybody needs it."""
    found = {one["name"]: one for one in components["components"]}

    assert found["pyyaml"]["version"] == version("pyyaml")
    assert [found[name]["scope"] for name in ("pyyaml", "rich", "markdown-it-py", "z3-solver", "typst")] == [
        *("required", "required", "required"),
        *("optional", "optional"),
    ]
    assert found.keys() & {"pytest", "sphinx", "mypy", "brou"} == set()


def test_components_depend_on_components(components: Any) -> None:
    """Every reference names one, each is named once, and each can be reached from Brou."""
    refs = [components["metadata"]["component"]["bom-ref"], *(one["bom-ref"] for one in components["components"])]
    needs = {one["ref"]: one["dependsOn"] for one in components["dependencies"]}

    assert len(refs) == len(set(refs))
    assert set(refs) == set(needs) >= {other for others in needs.values() for other in others}


def test_every_installed_component_has_a_licence(components: Any) -> None:
    """Whoever ships Brou with them has to know; the wheel of one solver says nothing, its project the BSD licence."""
    silent = {one["name"] for one in components["components"] if "version" in one and "licenses" not in one}

    assert silent <= {"cvc5"}


def test_the_list_of_components_is_reproducible(components: Any) -> None:
    """It has no date and no number of its own."""
    assert list_components(ROOT / "pyproject.toml") == components


def test_components_of_no_project_are_refused(tmp_path: Path) -> None:
    """With what is wanted."""
    with pytest.raises(NoFile):
        list_components(tmp_path / "pyproject.toml")


def test_the_citation_is_of_this_version() -> None:
    """And has what the Citation File Format asks for."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert (cited["version"], cited["license"]) == (PROJECT["version"], PROJECT["license"])
    assert cited.keys() >= {"cff-version", "message", "title", "authors"}


def test_extras_that_are_promised_exist() -> None:
    """Those of the first release among them."""
    assert EXTRAS.keys() >= {
        "fast",
        "build",
        "prove",
        "books",
        "cluster",
        "all",
        "rulebook",
        "second",
        "parquet",
        "sign",
    }


def test_all_brings_every_extra_for_users() -> None:
    """But for names that stand for others, and what only those need who change Brou."""
    (named,) = EXTRAS["all"]
    within = set(re.fullmatch(r"brou\[(.*)\]", named)[1].split(","))  # type: ignore[index]

    assert within == EXTRAS.keys() - {"all", "rulebook", "dev", "docs", "bench"}


def test_messages_name_extras_that_exist() -> None:
    """In the code, the pages and the papers."""
    texts = [*(ROOT / "tools" / "brou_tools").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    named = {
        extra
        for path in texts
        for found in re.findall(r"\bbrou\[([a-z,]+)\]", path.read_text(encoding="utf-8"))
        for extra in found.split(",")
    }

    assert named - EXTRAS.keys() == set()
    assert set(_EXTRAS.values()) <= EXTRAS.keys()
