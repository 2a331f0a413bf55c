"""Packs the library of a page. It runs inside Pyodide, whose own compiler has to compile the modules that it loads.

It imports the modules of `/work/brou.zip`, asks about the rules of `/work/rules.json` in the bundle beside it, and
writes `/work/library.zip`: everything of `brou.zip`, and those modules of the standard library that were imported on
the way, compiled.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import marshal
import sys
import sysconfig
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

_WORK = Path("/work")
#: Where Pyodide keeps the standard library.
_LIBRARY = next(path for path in sys.path if path.endswith(".zip"))
#: What is imported late, in answers to questions that are seldom asked or go wrong.
_LATE = ("_ast_unparse", "_colorize", "ast", "linecache", "textwrap", "traceback", "tokenize", "encodings.idna")
#: A compiled module is taken as it is, its source looked at neither for its time nor for its content.
_UNCHECKED = (1).to_bytes(4, "little") + bytes(8)
#: Files are of no day, so that equal libraries are equal bytes.
_DAY = (1980, 1, 1, 0, 0, 0)


def pack() -> None:
    """Write the library."""
    sys.path.insert(0, str(_WORK / "brou.zip"))
    ask = importlib.import_module("brou.page").ask
    for name in json.loads((_WORK / "rules.json").read_text(encoding="utf-8")):
        _try_out(name, lambda question: json.loads(ask(json.dumps(question), _WORK / "bundle")))
    for name in _LATE:
        if importlib.util.find_spec(name) is not None:
            importlib.import_module(name)
    with zipfile.ZipFile(_WORK / "library.zip", "w") as packed:
        for name, source in sorted({**dict(_list_standard()), **dict(_list_own())}.items()):
            code = _strip(compile(source, name, "exec", dont_inherit=True, optimize=2))
            packed.writestr(
                zipfile.ZipInfo(f"{name}c", _DAY), importlib.util.MAGIC_NUMBER + _UNCHECKED + marshal.dumps(code)
            )


def _try_out(name: str, ask: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Ask a question of each kind, about a deal that is played."""
    asked = {"rules": name, "lang": "en", "seat": 0, "seed": 1}
    dealt = ask({**asked, "ask": "play"})
    view = dealt.get("view", {})
    position = {**{key: view[key] for key in ("trump", "leader", "hand", "trick") if key in view}, "seat": 0}
    ask({**asked, "ask": "legal", "position": position})
    for card in position.get("hand", [])[:1]:
        ask({**asked, "ask": "why", "position": position, "act": {"play": card}})
    behind = {"start": dealt.get("start", {}), "moves": dealt.get("moves", [])}
    ask({**asked, "ask": "explain", **behind, "question": {"kind": "score", "seat": 0}})
    ask({**asked, "ask": "score", "record": {"deals": [{"short": {}}]}})


def _strip(code: CodeType) -> CodeType:
    """Return a code object without the lines of its source, which only a trace would tell."""
    inner = tuple(_strip(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_consts=inner, co_linetable=b"", co_filename="")


def _list_standard() -> Iterator[tuple[str, bytes]]:
    """Yield the modules of the standard library that were imported, by their places, with their sources."""
    with zipfile.ZipFile(_LIBRARY) as library:
        for module in list(sys.modules.values()):
            place = getattr(module, "__file__", None) or ""
            if place.startswith(f"{_LIBRARY}/"):
                name = place.removeprefix(f"{_LIBRARY}/").removesuffix("c")
                yield name, library.read(name)
        data = f"_sysconfigdata_{sys.abiflags}_{sys.platform}_{sysconfig.get_config_var('MULTIARCH') or ''}.py"
        if data in library.namelist():
            yield data, library.read(data)


def _list_own() -> Iterator[tuple[str, bytes]]:
    """Yield the modules of Brou."""
    with zipfile.ZipFile(_WORK / "brou.zip") as own:
        yield from ((name, own.read(name)) for name in own.namelist())


pack()
