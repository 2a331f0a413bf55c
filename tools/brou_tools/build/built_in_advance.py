"""`make engines`: the engines in WebAssembly that a wheel carries, one for each rule base, and the machine.

They are what `open_engine` opens where there is no compiler: the rules alone, without the conduct of players, which
would be a second file for each.
"""

from __future__ import annotations

import sys
from pathlib import Path

import brou.native
from brou import EngineWish, NoCompiler, catalogue, rules, spread
from brou.atomic import make_folder, put, remove
from brou.native import (
    BUILT_FOLDER,
    Label,
    compile_wasm,
    make_prefix,
    make_wasm_machine,
    name_built,
    name_machine,
    write_engine,
)
from brou_tools.terminal.exits import Exit

#: The machine that runs rules as data is made for sets of one word up to so many.
_WORDS = 4


def build_all(folder: Path) -> list[Path]:
    """Write the engines that a folder lacks and remove those that are of other rules; return all of them."""
    make_folder(folder)
    wish, wanted = EngineWish(), []
    for choice in (one for game in catalogue() for one in spread(game)):
        game = rules(choice)
        path = folder / name_built(game, wish)
        wanted.append(path)
        if not path.exists():
            label = Label.of(game, str(choice), dict(choice.readings))
            put(path, compile_wasm(write_engine(game, label, wish)[0], make_prefix(game.id)))
    for words in range(1, _WORDS + 1):
        path = folder / name_machine(words)
        wanted.append(path)
        if not path.exists():
            put(path, make_wasm_machine(words))
    for old in set(folder.iterdir()) - set(wanted):
        remove(old)
    return wanted


def main() -> int:
    """Build them in the package, and say how large they are."""
    try:
        made = build_all(Path(brou.native.__path__[0]) / BUILT_FOLDER)
    except NoCompiler as error:
        print(f"brou: {error}", file=sys.stderr)
        return Exit.USAGE
    size = sum(path.stat().st_size for path in made)
    print(f"{len(made)} files, {size:,} bytes: {made[0].parent}")
    return Exit.FINE


if __name__ == "__main__":
    sys.exit(main())
