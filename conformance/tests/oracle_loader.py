"""Loads an oracle by its path, so that tests need no package around it."""

import importlib.util
import sys
from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

_DIRECTORY = Path(__file__).resolve().parent / "oracles"

#: What some oracles call otherwise than the rules do.
_OTHERWISE = {"coches": "parties"}


def begun(
    game: str, edition: str, setup: str, readings: Mapping[str, str], start: Mapping[str, Any] | None = None
) -> Any:
    """Give the match of an oracle under these readings, with what a start writes before the deal."""
    match = load(game.replace("-", "_")).Match
    known = signature(match).parameters
    given = {key if key in known else _OTHERWISE.get(key, key): value for key, value in (start or {}).items()}
    values = {key: int(value) if value.isdigit() else value for key, value in readings.items()}
    return match(f"{game}@{edition}", values, **({"setup": setup} if "setup" in known else {}), **given)


def load(name: str) -> ModuleType:
    """Give the module `oracles/<name>.py`, executed once for each process."""
    key = f"oracle_{name}"
    if key in sys.modules:
        return sys.modules[key]
    specification = importlib.util.spec_from_file_location(key, _DIRECTORY / f"{name}.py")
    if specification is None or specification.loader is None:
        raise ImportError(f"no oracle named {name}")
    module = importlib.util.module_from_spec(specification)
    sys.modules[key] = module
    try:
        specification.loader.exec_module(module)
    except BaseException:
        del sys.modules[key]
        raise
    return module
