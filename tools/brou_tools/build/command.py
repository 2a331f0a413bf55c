"""`brou build`: an engine of one rule base, with its header and the tables of its names beside it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from brou import choose
from brou.atomic import put
from brou.compiler.compiled import source
from brou.native.c_module import write_engine
from brou.native.shared_object import NoCompiler, keep_shared
from brou_tools.build.options import BuildOptions
from brou_tools.matches.engines import teach_engine
from brou_tools.terminal.exits import Exit


def run(options: BuildOptions) -> int:
    """Write the engine, or say why there can be none."""
    taught = teach_engine(choose(options.rules, options.project), mindless=options.mindless)
    if options.python:
        _write(options.output, source(taught.game, taught.wish.asked))
        return Exit.FINE
    text, header, tables = write_engine(taught.game, taught.label, taught.wish)
    if not options.native:
        _write(options.output, text)
    elif options.output is not None:
        try:
            put(Path(options.output), keep_shared((taught.label, taught.wish), lambda: text))
        except NoCompiler as error:
            print(f"brou: {error}", file=sys.stderr)
            return Exit.USAGE
    if options.output is not None:
        put(Path(options.output).with_suffix(".h"), header)
        put(Path(options.output).with_suffix(".json"), f"{json.dumps(tables, indent=1)}\n")
    return Exit.FINE


def _write(output: str | None, text: str) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        put(Path(output), text)
