"""The rules of card games as data: load them, play them, ask why.

`__all__` lists what most callers need, and `__all__` of each package below what tools need besides. A name is imported
at its first use. `docs/interface.md` and `docs/rooms.md` describe each name.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brou.answers.explain_route import ActRoute, RouteAct, explain, explain_briefly
    from brou.chance import Chance, PackChance
    from brou.compiler.compiled import Compiled
    from brou.compiler.compiled_values import CompiledState
    from brou.errors import (
        BadAct,
        BrokenPromise,
        BrouError,
        Crash,
        Fault,
        Impossible,
        Invalid,
        Malformed,
        NoFile,
        Place,
        TooCostly,
        Unknown,
        Unusable,
        ask_if_meant,
        escape,
        nearest,
    )
    from brou.games.catalogue import (
        Book,
        Choice,
        book,
        catalogue,
        choose,
        patch_rules,
        rules,
        spread,
        with_readings,
    )
    from brou.games.change import Change
    from brou.games.changes import changes, load_changed
    from brou.games.folder import Folder, Project, find_project, house, open_project, root
    from brou.games.freshness import keep_until_changed
    from brou.games.open_passage import Reading
    from brou.games.varying import Varying
    from brou.interpreter.dealing import HANDS, STOCK, TURNUP, begin, complete, hands_of, parts
    from brou.interpreter.machine import Machine, Refusal, State
    from brou.language.codec import Json, outside, writer
    from brou.language.export import identity
    from brou.language.node import Node, Plain
    from brou.language.schema import shape_faults
    from brou.language.source import read
    from brou.language.syntax import Action, Game, Parameter, Phase, Row, Show, Table
    from brou.language.tree import Expression
    from brou.native.batch import BatchPolicy, EngineWish
    from brou.native.data_engine import DataEngine
    from brou.native.open_engine import open_engine
    from brou.native.shared_object import NoCompiler
    from brou.reasons.explanation import Question
    from brou.refusal_codes import CodeOfRefusal
    from brou.words.glossary import ORIGINAL, choose_text, glossary
    from brou.words.text import phrase, prose, render
    from brou.words.wording import Words

#: The module of each name.
_HOMES = {
    "brou.answers.explain_route": ("ActRoute", "RouteAct", "explain", "explain_briefly"),
    "brou.chance": ("Chance", "PackChance"),
    "brou.native.batch": ("BatchPolicy", "EngineWish"),
    "brou.native.data_engine": ("DataEngine",),
    "brou.native.open_engine": ("open_engine",),
    "brou.native.shared_object": ("NoCompiler",),
    "brou.compiler.compiled": ("Compiled",),
    "brou.compiler.compiled_values": ("CompiledState",),
    "brou.errors": (
        *("BadAct", "BrokenPromise", "BrouError", "Crash", "Fault", "Impossible", "Invalid", "Malformed"),
        *("NoFile", "Place", "TooCostly", "Unknown", "Unusable", "ask_if_meant", "escape", "nearest"),
    ),
    "brou.games.catalogue": (
        *("Book", "Choice", "book", "catalogue", "choose", "patch_rules", "rules", "spread", "with_readings"),
    ),
    "brou.games.change": ("Change",),
    "brou.games.changes": ("changes", "load_changed"),
    "brou.games.freshness": ("keep_until_changed",),
    "brou.games.folder": ("Folder", "Project", "find_project", "house", "open_project", "root"),
    "brou.games.open_passage": ("Reading",),
    "brou.games.varying": ("Varying",),
    "brou.interpreter.dealing": ("HANDS", "STOCK", "TURNUP", "begin", "complete", "hands_of", "parts"),
    "brou.interpreter.machine": ("Machine", "Refusal", "State"),
    "brou.language.codec": ("Json", "outside", "writer"),
    "brou.language.export": ("identity",),
    "brou.language.node": ("Node", "Plain"),
    "brou.language.schema": ("shape_faults",),
    "brou.language.source": ("read",),
    "brou.language.syntax": ("Action", "Game", "Parameter", "Phase", "Row", "Show", "Table"),
    "brou.language.tree": ("Expression",),
    "brou.reasons.explanation": ("Question",),
    "brou.refusal_codes": ("CodeOfRefusal",),
    "brou.words.glossary": ("ORIGINAL", "choose_text", "glossary"),
    "brou.words.text": ("phrase", "prose", "render"),
    "brou.words.wording": ("Words",),
}

__all__ = [
    "HANDS",
    "ORIGINAL",
    "STOCK",
    "TURNUP",
    "ActRoute",
    "Action",
    "BadAct",
    "BatchPolicy",
    "Book",
    "BrokenPromise",
    "BrouError",
    "Chance",
    "Change",
    "Choice",
    "CodeOfRefusal",
    "Compiled",
    "CompiledState",
    "Crash",
    "DataEngine",
    "EngineWish",
    "Expression",
    "Fault",
    "Folder",
    "Game",
    "Impossible",
    "Invalid",
    "Json",
    "Machine",
    "Malformed",
    "NoCompiler",
    "NoFile",
    "Node",
    "PackChance",
    "Parameter",
    "Phase",
    "Place",
    "Plain",
    "Project",
    "Question",
    "Reading",
    "Refusal",
    "RouteAct",
    "Row",
    "Show",
    "State",
    "Table",
    "TooCostly",
    "Unknown",
    "Unusable",
    "Varying",
    "Words",
    "ask_if_meant",
    "begin",
    "book",
    "catalogue",
    "changes",
    "choose",
    "choose_text",
    "complete",
    "escape",
    "explain",
    "explain_briefly",
    "find_project",
    "glossary",
    "hands_of",
    "house",
    "identity",
    "keep_until_changed",
    "load_changed",
    "nearest",
    "open_engine",
    "open_project",
    "outside",
    "parts",
    "patch_rules",
    "phrase",
    "prose",
    "read",
    "render",
    "root",
    "rules",
    "shape_faults",
    "spread",
    "with_readings",
    "writer",
]


if not TYPE_CHECKING:  # a type checker would take every name for one that may be there

    def __getattr__(name: str) -> object:
        from brou.garbage import pause_collection  # noqa: PLC0415 - importing `brou` imports nothing of it

        for module, names in _HOMES.items():
            if name in names:
                with pause_collection():
                    found = getattr(import_module(module), name)
                globals()[name] = found
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
