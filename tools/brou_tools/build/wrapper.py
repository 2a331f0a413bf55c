"""What makes an engine at home in a language: wrapper, an example and an adapter, from templates and the tables."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from brou import Choice, Game
from brou.native import make_prefix
from brou_tools.build.golden import GoldenRun, find_golden

_ROOM = "brou_tools.build"
_TEMPLATES = "wrappers"
_SUFFIX = ".in"
_MARK = re.compile(r"@([A-Z_]+)@")
#: The variable in which rules keep who took the last trick.
_TAKER = "last"
#: What every engine can, in the words of the protocol.
_CAN = ("deal", "match", "view", "score", "offturn")
_PROTOCOL = 1
#: The suffix of a wrapper that has the name of the game in front, by language; the rest keep their names.
_NAMED = ("wrapper.mjs", "wrapper.d.mts", "wrapper.py", "wrapper.go")


def write_wrapper(choice: Choice, game: Game, tables: Mapping[str, Any], language: str) -> dict[str, str]:
    """Return the files of a wrapper by name: all but the engine itself."""
    filled = _fill(choice, game, tables, language)
    named = filled["MODULE"] if language in ("python", "go") else game.id
    found = {}
    for path, template in _list_templates(files(_ROOM).joinpath(_TEMPLATES, language)):
        name = f"{named}{path.removeprefix('wrapper')}" if path in _NAMED else path
        found[name] = _MARK.sub(lambda mark: filled.get(mark[1], mark[0]), template.read_text(encoding="utf-8"))
    return found


def _list_templates(folder: Traversable, inside: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _list_templates(entry, f"{inside}{entry.name}/")
        elif entry.is_file():
            yield f"{inside}{entry.name.removesuffix(_SUFFIX)}", entry


def _fill(choice: Choice, game: Game, tables: Mapping[str, Any], language: str) -> dict[str, str]:
    """Return the text for each mark of the templates."""
    prefix, module = make_prefix(game.id), game.id.replace("-", "_")
    has_winner = any(cell["name"] == _TAKER and cell["form"] == "index" for cell in tables["state"]["cells"])
    can = [*_CAN, *(["winner"] if has_winner else [])]
    hello = {
        "protocol": _PROTOCOL,
        "engine": {"name": f"{game.id}.{language}", "version": tables["hash"][:8], "language": language},
        "plays": [{"game": choice.game, "editions": [choice.edition], "setups": [choice.setup]}],
        "readings": {f"{choice.game}@{choice.edition}": dict(choice.readings)},
        "can": can,
    }
    said = json.dumps(hello, separators=(",", ":"))
    return {
        "RULES": tables["rules"],
        "GAME": game.id,
        "NAME": choice.game,
        "EDITION": choice.edition,
        "SETUP": choice.setup,
        "MODULE": module,
        "LIBRARY": f"lib{game.id}.so",
        "PREFIX": prefix,
        "UPPER": prefix.upper(),
        "GOLDEN": _GOLDEN[language](find_golden(choice, game)),
        "CAN": json.dumps(can),
        "READINGS": json.dumps(dict(choice.readings)),
        "HELLO": json.dumps(said[1:-1])[1:-1],
        "HELLO_GO": said,
        "HAS_WINNER": str(int(has_winner)),
        "HAS_WINNER_GO": str(has_winner).lower(),
        "TYPES": _write_types(tables),
    }


def _in_c(run: GoldenRun | None) -> str:
    return f'{{{run["seed"]}, {run["acts"]}, "{run["hash"]}", "{run["digest"]}"}}' if run else '{0, 0, "", ""}'


#: How a golden run is written in each language.
_GOLDEN: Mapping[str, Callable[[GoldenRun | None], str]] = {
    "javascript": json.dumps,
    "python": repr,
    "c": _in_c,
    "go": _in_c,
}

# Types of TypeScript ---------------------------------------------------------


def _write_types(tables: Mapping[str, Any]) -> str:
    """Return the types of cards and acts, from their names in the tables."""
    lines = [f"export type Card = {_union(tables['cards'])};", "", "export interface Acts {"]
    for act in tables["acts"]:
        values = [(one["name"], _type_value(one, tables["members"])) for one in act["values"]]
        match values:
            case []:
                written = "true"
            case [(_, only)]:
                written = only
            case _:
                written = f"{{ {' '.join(f'{json.dumps(name)}: {type_};' for name, type_ in values)} }}"
        lines.append(f"  {json.dumps(act['name'])}: {written};")
    return "\n".join([*lines, "}"])


def _type_value(value: Mapping[str, Any], members: Mapping[str, list[str]]) -> str:
    """Return the type of a value of an act."""
    if value["form"] in ("orders", "subsets"):
        return "Card[]"
    named = _union(members[value["members"]]) if value["members"] else "number"
    return {"card": "Card", "list": "number[]", "truth": "boolean", "index": named}.get(value["kind"], "number")


def _union(names: list[str]) -> str:
    return " | ".join(map(json.dumps, names))
