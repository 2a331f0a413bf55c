"""The command line: the commands by name, and the exit code of each.

A command is imported only when it runs, so that `brou --help` answers at once: first its options, which stand in its
room, and then its work.
"""

import sys

from brou_tools.cli.help import ASKING, EXITS, Group, show

#: What a command ends with that was interrupted, as every shell has it.
_INTERRUPTED = 130
_VERSION = "--version"
#: The commands, each with what it does; each has the room of its name.
COMMANDS = {
    "verify": "judge a program: brou verify [options] -- COMMAND...",
    "attested": "check who stands for a signed statement, and tell what it says",
    "implementations": "make a table of programs from statements about their records",
    "serve": "be the reference engine: speak the protocol on standard input and output",
    "new": "begin a game of your own: a project that runs, to be edited",
    "check": "look for faults in rules, scenarios and what they cite",
    "fmt": "write chapter files in the one form; with --check, 1 if one has another",
    "export": "write typed rules as JSON, for programs that need no parser",
    "build": "make an engine from the rules, in C or in Python",
    "corpus": "list the scenarios, show one, tell what they cover, or bundle them",
    "show": "show a clause: its text and source, and what in the data rests on it",
    "dispute": "begin an objection to a case or a clause, with all that speaks for it",
    "explain": "say why an act is allowed, why a figure is so, why something is seen",
    "score": "settle a game from its record; 1 if something in it cannot be",
    "draw": "draw cards, a hand, a trick, a slate, tokens or an auction as SVG",
    "rulebook": "make a book of the rules, to print or to read on a screen",
    "site": "make static pages of the games: a page a game, a clause and a scenario, in every language",
    "simulate": "play random matches, and tell what comes to pass how often",
    "perft": "count the sequences of acts that lead on from some deals",
    "prove": "prove what is said of the rules; 1 if something does not hold",
    "mutate": "tell what notices rules that are wrong; 1 if nothing does",
    "ambiguities": "list what the texts leave open, with all readings",
    "witness": "show the smallest situation that parts two readings",
    "diff": "tell in what two rule bases differ, with an example of each difference",
    "ask": "find out by which readings a program, or people at a table, play",
    "bench": "measure: each figure a ratio or a difference within one run",
}


class _Whole(Group):
    description = "Judge programs that play historical card games by the rules of the old texts."
    epilog = EXITS
    options = ((_VERSION, "say which version this is, and end"),)


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


def _read(command: str, words: list[str], unknown: list[str], program: list[str] | None) -> object:
    """Return the options of a command, or of the one of its commands that is named; no program is None."""
    from importlib import import_module  # noqa: PLC0415 - help needs none of it

    room, name = import_module(f"brou_tools.{command}.options"), f"brou {command}"
    if hasattr(room, own := f"{command.capitalize()}Options"):
        kind = getattr(room, own)
    elif not hasattr(room, "METAVAR"):
        raise ImportError(f"{room.__name__} has neither {own}, for a command, nor METAVAR and COMMANDS, for a group")
    else:
        group = Group(name, room.METAVAR, {name: one.about for name, one in room.COMMANDS.items()})
        chosen, words, before = group.choose(words)
        name, kind, unknown = f"{name} {chosen}", room.COMMANDS[chosen], [*unknown, *before]
    if any(word in ASKING for word in words):
        from brou_tools.cli.command_help import tell_help  # noqa: PLC0415 - nor does it need the parser

        show(tell_help(name, kind), sys.stdout)
        raise SystemExit(0)
    from brou_tools.cli.parser import read_options  # noqa: PLC0415 - likewise
    from brou_tools.options.declare import UsageError  # noqa: PLC0415 - likewise

    options = read_options(name, kind, words, program or (), unknown)
    if program is not None and not kind.takes_program:
        raise UsageError("only `brou verify` and `brou ask` take a program after `--`")
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
