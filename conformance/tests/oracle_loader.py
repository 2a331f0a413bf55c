"""Loads an oracle by its path, so that tests need no package around it, and asks it what a program is asked."""

import importlib.util
import sys
from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

from brou import Choice
from brou.interpreter.dealing import HANDS, STOCK, TURNUP, parts
from brou_conformance.protocol import Message
from brou_conformance.scenarios.script import machine

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


def open_match(choice: Choice, start: Mapping[str, Any]) -> Any:
    """Give the match of an oracle at the start of a script, dealt where that has a deal."""
    given, deal = parts(machine(choice), start)
    match = begun(choice.game, choice.edition, choice.setup, dict(choice.readings), given)
    if deal:
        told = {key: value for key, value in deal.items() if key not in (HANDS, STOCK, TURNUP)}
        assert match.act(given["dealer"], {"deal": told if len(told) > 1 else next(iter(told.values()))})
    return match


def answer(match: Any, step: Mapping[str, Any]) -> Message:
    """Give what an oracle answers to a step of the protocol."""
    if "act" in step:
        return {"ok": True} if match.act(step["by"], step["act"]) else {"no": True}
    if "legal" in step:
        return {"legal": match.legal(step["legal"])}
    return {"view": match.view(step["view"])} if "view" in step else {"score": match.score()}


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
