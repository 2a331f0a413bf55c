"""The list of components: every package that Brou needs or may need, as CycloneDX 1.6.

`make components` writes it. It has no date and no number of its own, so that the same packages make the same file.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from brou import NoFile
from brou.atomic import make_folder, put

#: Extras for those who change Brou, which none of its users installs.
_OWN = {"dev", "docs", "bench"}
_FORMAT, _VERSION = "CycloneDX", "1.6"


def list_components(project: Path) -> dict[str, object]:
    """Return the list of the packages that a checkout names, and of all that those need, as installed here.

    An optional package that is not installed has no version. Raises `PackageNotFoundError` where one lacks that
    everybody needs, and `NoFile` where there is no project.
    """
    if not project.is_file():
        raise NoFile(project, "the pyproject.toml of a checkout")
    about = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    needed = _close(list(_read_requirements(about["dependencies"])))
    extras = [word for name, words in about["optional-dependencies"].items() if name not in _OWN for word in words]
    wanted = [one for one in _read_requirements(extras) if canonicalize_name(one.name) != about["name"]]
    every = {**_close(wanted), **needed}
    own = f"pkg:pypi/{about['name']}@{about['version']}"
    direct = {canonicalize_name(one.name) for one in (*_read_requirements(about["dependencies"]), *wanted)}
    return {
        "bomFormat": _FORMAT,
        "specVersion": _VERSION,
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": about["name"],
                "version": about["version"],
                "licenses": [{"license": {"id": about["license"]}}],
                "purl": own,
            }
        },
        "components": [_describe(name, found, needed=name in needed) for name, found in sorted(every.items())],
        "dependencies": [
            {"ref": own, "dependsOn": [_name_package(name, every[name]) for name in sorted(direct)]},
            *(
                {
                    "ref": _name_package(name, found),
                    "dependsOn": [_name_package(other, every[other]) for other in sorted(_needs(found))],
                }
                for name, found in sorted(every.items())
            ),
        ],
    }


def _read_requirements(words: Sequence[str], extras: Sequence[str] = ("",)) -> Iterator[Requirement]:
    """Yield the requirements that hold on this machine, with or without extras."""
    for one in map(Requirement, words):
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in (*extras, "")):
            yield one


def _close(wanted: Sequence[Requirement]) -> Mapping[str, Distribution | None]:
    """Return the packages of some requirements and all that they need; None for one that is not installed."""
    found: dict[str, Distribution | None] = {}
    left = list(wanted)
    while left:
        one = left.pop()
        name = canonicalize_name(one.name)
        known = name in found
        if not known:
            found[name] = _find(name)
        if not known or one.extras:
            extras = sorted(one.extras)
            left += [
                more
                for more in _read_requirements((found[name].requires if found[name] else None) or [], extras)
                if canonicalize_name(more.name) not in found
            ]
    return found


def _find(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _needs(found: Distribution | None) -> set[str]:
    """Return the names of the packages that one needs without extras."""
    words = (found.requires if found else None) or []
    return {canonicalize_name(one.name) for one in _read_requirements(words)}


def _name_package(name: str, found: Distribution | None) -> str:
    return f"pkg:pypi/{name}@{found.version}" if found else f"pkg:pypi/{name}"


def _describe(name: str, found: Distribution | None, *, needed: bool) -> dict[str, object]:
    """Return the entry of a package."""
    if needed and found is None:
        raise PackageNotFoundError(name)
    purl = _name_package(name, found)
    version = {"version": found.version} if found else {}
    said = _read_licence(found) if found else ""
    licences = {"licenses": [{"license": {"name": said}}]} if said else {}
    scope = "required" if needed else "optional"
    return {"type": "library", "bom-ref": purl, "name": name, **version, "scope": scope, **licences, "purl": purl}


def _read_licence(found: Distribution) -> str:
    """Return what a package says of its licence in a line; nothing if it says nothing."""
    about = found.metadata
    named = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or [] if line.startswith("License ::")]
    said = about.get("License-Expression") or ", ".join(named) or about.get("License") or ""
    return said.strip().partition("\n")[0]


if __name__ == "__main__":
    target = Path(sys.argv[1])
    make_folder(target.parent)
    put(target, f"{json.dumps(list_components(Path('pyproject.toml')), indent=2)}\n")
