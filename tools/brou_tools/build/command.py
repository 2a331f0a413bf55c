"""`brou build`: an engine of one rule base, with its header and the tables of its names beside it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from brou import NoCompiler, choose, rules
from brou.atomic import make_folder, put
from brou.compiler import write_source
from brou.native import compile_shared, keep_shared, keep_wasm, make_prefix, write_engine
from brou_tools.build.options import BuildOptions
from brou_tools.build.wrapper import write_wrapper
from brou_tools.matches.engines import TaughtRules, teach_engine
from brou_tools.terminal.closing import conclude
from brou_tools.terminal.exits import Exit


def run(options: BuildOptions) -> int:
    """Write the engine, or say why there can be none."""
    taught = teach_engine(choose(options.rules, options.project), mindless=options.mindless)
    conclude(f"made an engine of {taught.label}")
    if options.python:
        _write(options.output, write_source(taught.game, taught.wish.asked))
        return Exit.FINE
    text, header, tables = write_engine(taught.game, taught.label, taught.wish)
    try:
        if options.wrapper is not None and options.output is not None:
            _write_folder(options, taught, Path(options.output))
            return Exit.FINE
        _write(options.output, _compile(options, taught, text) if options.native or options.wasm else text)
    except NoCompiler as error:
        print(f"brou: {error}", file=sys.stderr)
        return Exit.USAGE
    if options.output is not None:
        put(Path(options.output).with_suffix(".h"), header)
        put(Path(options.output).with_suffix(".json"), f"{json.dumps(tables, indent=1)}\n")
    return Exit.FINE


def _write_folder(options: BuildOptions, taught: TaughtRules, folder: Path) -> None:
    """Write wrapper and engine of a language into a folder."""
    text, header, tables = write_engine(taught.game, taught.label, taught.wish)
    choice, name = choose(options.rules), taught.game.id
    written: dict[str, str | bytes] = {**write_wrapper(choice, rules(choice), tables, options.wrapper or "")}
    about = (taught.label, taught.wish.key)
    match options.wrapper:
        case "javascript":
            written[f"{name}.wasm"] = keep_wasm(about, lambda: text, make_prefix(name))
        case "python":
            written[f"lib{name}.so"] = keep_shared(about, lambda: text)
        case _:
            written |= {f"{name}.c": text, f"{name}.h": header}
    for path, content in written.items():
        make_folder((folder / path).parent)
        put(folder / path, content)


def _compile(options: BuildOptions, taught: TaughtRules, text: str) -> bytes:
    about = (taught.label, taught.wish.key)
    if options.wasm:
        return keep_wasm(about, lambda: text, make_prefix(taught.game.id))
    if options.target is not None:
        return compile_shared(text, target=options.target)
    return keep_shared(about, lambda: text)


def _write(output: str | None, content: str | bytes) -> None:
    if output is not None:
        put(Path(output), content)
    elif isinstance(content, str):
        sys.stdout.write(content)
