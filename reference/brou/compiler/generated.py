"""Generated code as a module that runs: written once for a rule base, and kept in the user's cache."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from brou.cache import load_or_make
from brou.compiler.lowered import FORMAT
from brou.errors import TooCostly
from brou.language.export import identity
from brou.language.syntax import Game


def run_module(
    game: Game, write: Callable[[], str], about: tuple[str, ...], *, keep: bool, within: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Run the module whose text `write` gives, and return its names; `about` identifies it in the cache.

    It may use the names of another module that it is run `within`; those stay as they are.
    """

    def make_code() -> bytes:
        try:
            code = compile(write(), f"<{game.id}>", "exec", dont_inherit=True)
        except (SyntaxError, RecursionError, MemoryError) as error:
            what = f"generated code of {game.id} nests too deep ({error})"
            raise TooCostly(f"{what}; give cases, parameters and loops less depth") from error
        return marshal.dumps(code)

    raw = load_or_make("python", (), (FORMAT, identity(game), about), make_code) if keep else make_code()
    code: CodeType = marshal.loads(raw)  # noqa: S302 - from the user's own cache
    # The names of a module are of any kind; whoever asks for one knows what was written under it.
    module: dict[str, Any] = {**(within or {}), "__name__": f"brou.atomic.{game.id}"}
    exec(code, module)  # noqa: S102 - what we wrote ourselves from typed rules
    return module
