"""`brou new`: writes a project that runs, and says what to edit first."""

from __future__ import annotations

import shlex
from pathlib import Path

from brou import Impossible
from brou.atomic import make_folder, put
from brou_tools.new.options import NewOptions
from brou_tools.new.skeleton import list_skeleton_files
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit

#: What to edit first, each file with what it says.
_FIRST = {
    "games/{game}/10-rules.yaml": "the rules: who plays with which pack, what is forbidden, what counts",
    "games/{game}/game.yaml": "what the game is called, its set-ups and editions",
    "scenarios/{game}/first.yaml": "what should come of some deals: write one for each rule",
    "adapters/adapter.py": "the program that the scenarios judge",
    "tests/test_rules.py": "a test that plays a deal: packets, tricks and points are those of your game",
}


def run(options: NewOptions) -> int:
    """Write every file of the project, or none if one of them is there already."""
    files = list_skeleton_files(options.game)
    home = Path(options.data or options.game)
    there = [name for name in files if (home / name).exists() or (home / name).is_symlink()]
    if there:
        raise Impossible(f"{home / there[0]} is there already, and nothing was written; name another folder by --data")
    for name, text in files.items():
        make_folder((home / name).parent)
        put(home / name, text)
    conclude(f"wrote {count(len(files), 'file')} into {home}")
    _tell(options.game, home)
    return Exit.FINE


def _tell(game: str, home: Path) -> None:
    """Say where it lies, what to edit first, and which commands try it."""
    print(f"{home}: a game for two to four that runs. Edit these, in this order:")
    names = [(name.format(game=game), said) for name, said in _FIRST.items()]
    widest = max(len(name) for name, _ in names)
    for name, said in names:
        print(f"  {name:{widest}}  {said}")
    print("Then ask, and after each edit again:")
    for command in (
        f"cd {shlex.quote(str(home))}",
        "brou check --watch",
        "brou verify --program mine",
        f"brou simulate {game}",
    ):
        print(f"  {command}")
