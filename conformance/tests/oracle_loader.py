"""Loads an oracle by its path, so that tests need no package around it."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

_DIRECTORY = Path(__file__).resolve().parent / "oracles"


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
