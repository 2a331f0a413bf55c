"""The command line: the commands by name, and the exit code of each.

A command is imported only when it runs, so that `brou --help` answers at once: first its options, which are in its
room, and then its work.
"""

import sys

from brou_tools.cli.help import ASKING, EXITS, Group, show_help

#: For type checkers; `typing` would take longer to load than all of help.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from brou_tools.options.declare import CommandOptions

#: What a command ends with that was interrupted, as every shell has it.
_INTERRUPTED = 130
_VERSION = "--version"
#: The commands, each with what it does; each has the room of its name.
COMMANDS = {
    "verify": "test a program: brou verify [options] -- COMMAND...",
    "fuzz": "play random matches with a program: brou fuzz [options] -- COMMAND...",
    "serve": "run the reference engine on standard input and output",
    "attested": "check a signed statement about a program",
    "implementations": "make a table of programs and their verdicts",
    "show": "show a clause: its text, its source and what rests on it",
    "explain": "say why an act is allowed, why a figure is so, why something is seen",
    "score": "settle a game from its record",
    "rulebook": "make a book of the rules, to print or to read on a screen",
    "site": "make static pages of the games, clauses and scenarios",
    "draw": "draw cards, a hand, a trick, a slate, tokens or an auction as SVG",
    "ambiguities": "list what the texts leave open, with all readings",
    "ask": "find out by which readings a program, or people at a table, play",
    "witness": "show the smallest situation in which two readings differ",
    "diff": "compare two rule bases, with an example of each difference",
    "dispute": "draft an objection to a case or a clause",
    "new": "start a game of your own: a project that runs, to be edited",
    "words": "begin a language of a project, and list the texts still in English",
    "check": "find faults in rules, scenarios and citations",
    "fmt": "format chapter files; with --check, only report",
    "corpus": "list the scenarios, show one, show what they cover, or bundle them",
    "export": "write typed rules as JSON, for programs without a parser",
    "build": "make an engine from the rules: C, WebAssembly, Python and others",
    "simulate": "play random matches, and report how often things happen",
    "perft": "count the legal sequences of acts from a deal",
    "prove": "prove properties of the rules with a solver",
    "mutate": "damage the rules, and report which scenarios and proofs notice",
    "bench": "measure speed, each figure a ratio within one run",
    "completion": "write the completion script of a shell",
}
#: What commands are for, before the first of each kind.
_KINDS = {
    "verify": "test a program:",
    "show": "read and apply the rules:",
    "ambiguities": "what the texts leave open:",
    "new": "write rules:",
    "simulate": "count, prove, measure:",
    "completion": "set up:",
}


class _Whole(Group):
    description = (
        "Rules of historical card games as data: test programs that play them, ask why an act is allowed, "
        "settle a game, print a rule book."
    )
    example = """
$ brou verify --game brouc -k ruff-must-beat -- brou serve brouc@2022
brouc@2022: brou ... follows the edition.
...
"""
    epilog = f"brou COMMAND --help shows the options of a command, and an example. {EXITS}"
    headings = _KINDS
    options = ((_VERSION, "show the version and exit"),)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _run(given: list[str]) -> int:
    own, program = _split(given)
    whole = _Whole("brou", "COMMAND", COMMANDS)
    command, words, unknown = whole.choose(own)
    if command == _VERSION:
        return _print_version()
    from brou_tools.options.declare import UsageError  # noqa: PLC0415 - nothing is loaded before a command is named

    try:
        options = _read(command, words, unknown, program if "--" in given else None)
    except UsageError as error:
        raise SystemExit(whole.refuse(str(error))) from None
    from brou_tools.terminal.main import run_guarded  # noqa: PLC0415 - nor before its options are read

    return run_guarded(command, options)


def find_kinds(command: str) -> "dict[str, type[CommandOptions]]":
    """Return what the options of a command are read into: by the names of its commands, or by none if it has none."""
    from importlib import import_module  # noqa: PLC0415 - help needs none of it

    room = import_module(f"brou_tools.{command}.options")
    if hasattr(room, own := f"{command.capitalize()}Options"):
        return {"": getattr(room, own)}
    if not hasattr(room, "COMMANDS"):
        raise ImportError(f"{room.__name__} has neither {own}, for a command, nor COMMANDS, for a group")
    return dict(room.COMMANDS)


def _read(command: str, words: list[str], unknown: list[str], program: list[str] | None) -> "CommandOptions":
    """Return the options of a command, or of the one of its commands that is named; no program is None."""
    kinds, name = find_kinds(command), f"brou {command}"
    if "" in kinds:
        kind = kinds[""]
    else:
        group = Group(name, "COMMAND", {name: one.about for name, one in kinds.items()})
        chosen, words, before = group.choose(words)
        name, kind, unknown = f"{name} {chosen}", kinds[chosen], [*unknown, *before]
    if any(word in ASKING for word in words):
        from brou_tools.cli.command_help import tell_help  # noqa: PLC0415 - nor does it need the parser

        show_help(tell_help(name, kind))
        raise SystemExit(0)
    from brou_tools.cli.parser import read_options  # noqa: PLC0415 - likewise
    from brou_tools.options.declare import UsageError  # noqa: PLC0415 - likewise

    options = read_options(name, kind, words, program or (), unknown)
    if program is not None and not kind.takes_program:
        raise UsageError("only `brou verify`, `brou fuzz` and `brou ask` take a program after `--`")
    return options


def _print_version() -> int:
    """Print the version, which is looked up only then."""
    from importlib.metadata import version  # noqa: PLC0415 - only whoever asks waits for it

    print(f"brou {version('brou')}")
    return 0


def _split(given: list[str]) -> tuple[list[str], list[str]]:
    """Split at the first `--`: our own arguments, and the program under test with its arguments."""
    if "--" not in given:
        return given, []
    cut = given.index("--")
    return given[:cut], given[cut + 1 :]
