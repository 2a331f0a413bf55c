"""Names of a package that are imported from its modules when they are first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from brou.garbage import pause_collection


def import_lazily(package: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package with some names in each of its modules; a name that was found stays."""
    modules = {name: f"{package}.{module}" for module, names in homes.items() for name in names}

    def find_name(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with pause_collection():
            found = getattr(import_module(modules[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return find_name
