"""Translations of scenarios: title and reason in another language, in files beside those of the scenarios.

Beside `NAME.yaml` lies one file a language, `NAME.fr.yaml`: a mapping from the id of each scenario to its two texts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from brou import Fault, Folder, Malformed, Node, ask_if_meant, glossary, nearest, shape_faults
from brou.check import find_schemas
from brou.games import find_language, locate

_NAME = re.compile(r"(.+)\.([a-z]{2})\.yaml")


@dataclass(frozen=True, slots=True)
class Translation:
    """Title and reason of a scenario in another language."""

    title: str
    because: str


def split_name(name: str) -> tuple[str, str] | None:
    """Return scenario file and language of a file that is called like a translation; of any other None."""
    found = _NAME.fullmatch(name)
    return (f"{found[1]}.yaml", found[2]) if found else None


def schema_file() -> Path:
    """Return the schema of translations."""
    return find_schemas() / "translation.schema.json"


def read_translations(node: Node) -> dict[str, Translation]:
    """Return the translations of a file by id, as they are typed; raise `Malformed` for another shape."""
    faults = list(_shape_faults(node))
    if faults:
        raise Malformed(faults)
    return {id_: Translation(one.string("title"), one.string("because")) for id_, one in node.fields.items()}


def translation_faults(
    node: Node, base: str, lang: str, ids: Collection[str] | None, folder: Folder = None
) -> Iterator[Fault]:
    """Yield the faults in the translations of a scenario file into a language of a project.

    `ids` are the scenarios of that file; None says that it is missing or cannot be read.
    """
    yield from _shape_faults(node)
    original = find_language(locate(folder))
    others = [known for known in glossary(folder).languages if known != original]
    if lang == original:
        yield Fault(node.place, f"the language of scenarios is {lang!r} already", f"put these texts into {base}")
    elif lang not in others:
        yield Fault(node.place, f"no language of the glossary: {lang!r}", f"there are {', '.join(others)}")
    if ids is None or not isinstance(node.value, dict):
        return
    for id_, one in node.fields.items():
        if id_ not in ids:
            instead = ask_if_meant(nearest(id_, ids)) or "leave it out"
            yield Fault(one.place, f"{base} has no scenario {id_!r}", instead)
    for id_ in ids:
        if id_ not in node.fields:
            yield Fault(node.place, f"no translation of {id_!r}", "give its title and because")


def _shape_faults(node: Node) -> Iterator[Fault]:
    if isinstance(node.value, tuple):
        what = "a list in a file that is called like a translation"
        yield Fault(node.place, what, "scenarios are read from NAME.yaml alone: call it so")
        return
    faults = list(shape_faults(node, schema_file()))
    yield from faults
    for one in () if faults else node.fields.values():
        for key, text in one.fields.items():
            if not text.text.strip():
                yield Fault(text.place, f"{key} is blank", "write it")
