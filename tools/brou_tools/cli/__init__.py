"""The command line: what can be asked, and how every command ends.

Only the parser lives here. What a command needs is imported when it is asked
for, so that `brou --help` answers at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

_SUITE = "Judge programs that play historical card games by the rules of the old texts."
_EXITS = (
    "Exit codes: 0 fine, 1 a finding, 2 usage or bad input, 3 the program under test cannot be used, 4 our own fault."
)
#: More copies of a program than this do not help on any machine that we know.
_JOBS = 256
#: What a command ends with that was interrupted, as every shell has it.
_INTERRUPTED = 130
#: What some commands can do instead of telling.
_DONE = {"witness": ("search", "write"), "ambiguities": ("count",)}
#: More seats than a digit can name are not drawn.
_TABLE = 10
#: No count is higher, and no time longer in seconds.
_MOST = 1_000_000_000
#: What stands behind a size of memory, each 1024 times the one before it.
_UNITS = "KMG"
#: Seeds are words of the generator.
_SEEDS = (1 << 64) - 1
#: Outputs that may go to the standard output.
_WRITTEN = ("junit", "markdown", "badge", "write_known_failing")
_LANGUAGES = "fr, de or en; otherwise that of the locale, else English"
_RULES = "GAME[@EDITION][:SETUP][[READING=VALUE,...]]; all if none is named"


class _Version(argparse.Action):
    """Says the version; it is looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print it and end."""
        from importlib.metadata import version  # noqa: PLC0415 - only whoever asks waits for it

        print(f"brou {version('brou')}")
        parser.exit()


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    whole = argparse.ArgumentParser(prog="brou", description=_SUITE, epilog=_EXITS)
    whole.add_argument("--version", action=_Version, nargs=0, help="say which version this is, and end")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _verify(commands.add_parser("verify", help="judge a program: brou verify [options] -- COMMAND...", epilog=_EXITS))
    serve = commands.add_parser(
        "serve", help="be the reference engine: speak the protocol on standard input and output"
    )
    serve.add_argument("rules", nargs="*", metavar="RULES", help=_RULES)
    check = commands.add_parser("check", help="look for faults in rules, scenarios and what they cite")
    check.add_argument("path", nargs="?", metavar="PATH", help="a data file or a folder; our own data if none is named")
    check.add_argument(
        "--sources", type=_named, metavar="DIR", help="the source texts (*.txt), held against their fingerprints"
    )
    check.add_argument("--reviewed", action="store_true", help="first write down that all texts have been reviewed")
    export = commands.add_parser("export", help="write typed rules as JSON, for programs that need no parser")
    export.add_argument("rules", nargs="*", metavar="RULES", help=_RULES)
    export.add_argument(
        "--adapter", action="store_true", help="tell the author of an adapter its acts, keys and codes, with examples"
    )
    export.add_argument(
        "--core", action="store_true", help="write one rule base in the lowered form, from which engines are made"
    )
    export.add_argument(
        "--schema", action="store_true", help="write the schema of the lowered form, and do nothing else"
    )
    _corpus(commands.add_parser("corpus", help="list the scenarios, show one, or tell what they cover"))
    show = commands.add_parser("show", help="show a clause: its text and source, and what in the data rests on it")
    show.add_argument("clauses", nargs="*", metavar="CLAUSE", help="ids of clauses or open passages, or of topics")
    show.add_argument(
        "--sources", type=_named, metavar="DIR", help="the source texts (*.txt), to show how passages begin"
    )
    _told(show)
    explain = commands.add_parser(
        "explain", help="say why an act is allowed, why a figure is so, why something is seen"
    )
    explain.add_argument(
        "subject", nargs="?", metavar="WHAT", help="SCENARIO[#STEP], POSITION.yaml, or RECORD.yaml#DEAL.MOMENT"
    )
    explain.add_argument("--rules", metavar="NAME", help="rules to go by: GAME[@EDITION][:SETUP][[READING=VALUE,...]]")
    _told(explain)
    score = commands.add_parser("score", help="settle a game from its record; 1 if something in it cannot be")
    score.add_argument("record", nargs="?", metavar="RECORD.yaml", help="the record (brou-record/1)")
    score.add_argument("--rules", metavar="NAME", help="rules to go by, instead of those that the record names")
    _told(score)
    _draw(commands.add_parser("draw", help="draw cards, a hand, a trick, a slate, tokens or an auction as SVG"))
    _rulebook(commands.add_parser("rulebook", help="make a book of the rules, to print or to read on a screen"))
    _simulate(commands.add_parser("simulate", help="play random matches, and tell what comes to pass how often"))
    _perft(commands.add_parser("perft", help="count the sequences of acts that lead on from some deals"))
    _proof(commands)
    _ask(
        commands.add_parser(
            "ask", help="find out by which readings a program, or people at a table, play", epilog=_EXITS
        )
    )
    bench = commands.add_parser("bench", help="measure: each figure a ratio or a difference within one run")
    bench.add_argument("games", nargs="*", metavar="GAME", help="only these games")
    bench.add_argument("--json", action="store_true", help="write one JSON document")
    bench.add_argument("--against", metavar="COMMIT", help="how many times as fast random play is as in that commit")
    return whole


def _simulate(simulate: argparse.ArgumentParser) -> None:
    simulate.add_argument("rules", nargs="*", metavar="RULES", help=_RULES)
    simulate.add_argument("-n", dest="matches", type=_number, default=100, metavar="N", help="matches of each (100)")
    simulate.add_argument(
        "--seed", type=_seed, default=1, metavar="SEED", help="of the first match; the next has one more"
    )
    simulate.add_argument(
        "--weigh", action="append", metavar="ACT=EXPRESSION", help="how often an act of `me` counts instead"
    )
    simulate.add_argument("--mindless", action="store_true", help="let every act that is offered count alike")
    simulate.add_argument("--jobs", type=_count, default=1, metavar="N", help="play in so many processes (1)")
    simulate.add_argument("--svg", type=_named, metavar="FILE", help="draw the shares with their intervals")
    _resumed(simulate, "matches")
    _told(simulate)


def _resumed(command: argparse.ArgumentParser, what: str) -> None:
    """Let a long run keep a record, and go on with it."""
    command.add_argument(
        "--report", type=_named, metavar="FILE", help=f"record the {what} part by part as they are done (NDJSON)"
    )
    command.add_argument("--resume", action="store_true", help="take over what stands in the report already")


def _perft(perft: argparse.ArgumentParser) -> None:
    perft.add_argument("rules", nargs="*", metavar="RULES", help=_RULES)
    perft.add_argument("--depth", type=_number, default=3, metavar="N", help="acts in the longest sequences (3)")
    perft.add_argument("--seed", type=_seed, action="append", metavar="SEED", help="of a deal; may be given often (1)")
    perft.add_argument(
        "--after", type=_seed, action="append", metavar="N", help="count behind so many random acts; likewise (0)"
    )
    perft.add_argument("--divide", action="store_true", help="tell how many of the longest begin with each act")
    _documented(perft)


def _documented(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="write one JSON document")
    command.add_argument("--schema", action="store_true", help="write the schema of that document, and do nothing else")


def _verify(verify: argparse.ArgumentParser) -> None:
    verify.usage = "brou verify [options] -- COMMAND..."
    verify.description = "Run every scenario of what a program says it plays, and tell which clauses it breaks."
    verify.add_argument("--game", default="", metavar="GAME", help="only this game")
    verify.add_argument("--edition", default="", metavar="EDITION", help="only this edition")
    verify.add_argument(
        "-k", dest="text", default="", metavar="TEXT", help="only scenarios whose id, title or clauses contain it"
    )
    verify.add_argument("--json", action="store_true", help="write the report as one JSON document")
    verify.add_argument("--schema", action="store_true", help="write the schema of that document, and do nothing else")
    verify.add_argument("--strict", action="store_true", help="a reading that is followed undeclared is a finding")
    verify.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="for one request (5)")
    verify.add_argument("--start-timeout", type=_seconds, metavar="SECONDS", help="for the first answer (30)")
    verify.add_argument(
        "--memory", type=_bytes, metavar="SIZE", help="that the program and all it starts may hold (512M); Linux alone"
    )
    verify.add_argument(
        "--cpu", type=_seconds, metavar="SECONDS", help="of processor time from a start to its end; Linux alone"
    )
    verify.add_argument("--scenarios", type=_named, metavar="DIR", help="a folder of scenarios instead of our own")
    verify.add_argument("--python", metavar="MODULE:CLASS", help="judge a Python object in this process, no program")
    verify.add_argument("--jobs", type=_count, default=1, metavar="N", help="run so many copies of the program (1)")
    verify.add_argument("--families", action="store_true", help="also ask variants, which must be answered alike")
    verify.add_argument(
        "--smoke", action="store_true", help="tell whether the adapter is sound, before any rule is blamed"
    )
    verify.add_argument("--list", action="store_true", help="list the cases that would be judged, and ask nothing")
    verify.add_argument(
        "--known-failing", type=_named, metavar="FILE", help="ids that fail, one a line; if one passes, that is new"
    )
    verify.add_argument(
        "--write-known-failing",
        type=_named,
        metavar="FILE",
        help="write such a list of what fails; - is standard output",
    )
    verify.add_argument("--all", action="store_true", help="tell all clauses with failures, each by a case of its own")
    verify.add_argument("--lang", metavar="LANGUAGE", help=_LANGUAGES)
    verify.add_argument(
        "--sources", type=_named, metavar="DIR", help="the source texts (*.txt), to show how passages begin"
    )
    verify.add_argument("--report", type=_named, metavar="FILE", help="record every case as it is judged (NDJSON)")
    verify.add_argument("--resume", action="store_true", help="take over what stands in the report already")
    verify.add_argument("--build", metavar="ID", help="what names the program in the report, instead of its files")
    verify.add_argument("--replay", type=_named, metavar="REPORT", help="judge a report again, without the program")
    verify.add_argument("--since", type=_named, metavar="REPORT", help="tell what has changed since an earlier report")
    verify.add_argument("--trace", action="store_true", help="show what went over the wire in cases that do not pass")
    for form, what in (("junit", "JUnit XML"), ("markdown", "a Markdown summary"), ("badge", "a badge as JSON")):
        verify.add_argument(f"--{form}", type=_named, metavar="FILE", help=f"write {what} too; - is standard output")


def _proof(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add what is proved of the rules, and what they leave open."""
    prove = commands.add_parser("prove", help="prove what is said of the rules; 1 if something does not hold")
    prove.add_argument("games", nargs="*", metavar="GAME", help="only these games")
    prove.add_argument("--only", action="append", default=[], metavar="ID", help="only this obligation")
    prove.add_argument("--slow", action="store_true", help="the slow ones too")
    prove.add_argument("--smtlib", type=_named, metavar="DIR", help="write every question down as SMT-LIB")
    prove.add_argument("--second", action="store_true", help="let a second solver (cvc5) say the same, if it is there")
    prove.add_argument("--json", action="store_true", help="write one JSON document")
    prove.add_argument("--schema", action="store_true", help="write the schema of that document, and do nothing else")
    mutate = commands.add_parser("mutate", help="tell what notices rules that are wrong; 1 if nothing does")
    mutate.add_argument("games", nargs="*", metavar="GAME", help="only these games")
    mutate.add_argument("-n", dest="mutants", type=_number, default=200, metavar="N", help="mutants of each (200)")
    mutate.add_argument("--seed", type=_seed, default=1, metavar="SEED", help="of the draw (1)")
    mutate.add_argument("--jobs", type=_count, default=1, metavar="N", help="ask in so many processes (1)")
    mutate.add_argument("--write", action="store_true", help="write down anew what came of it")
    _resumed(mutate, "mutants")
    _documented(mutate)
    register = commands.add_parser("ambiguities", help="list what the texts leave open, with all readings")
    register.add_argument("games", nargs="*", metavar="GAME", help="only these games")
    register.add_argument("--count", type=_deals, metavar="N", help="write anew in how many of N deals readings part")
    _told(register)
    witness = commands.add_parser("witness", help="show the smallest situation that parts two readings")
    witness.add_argument(
        "ambiguities", nargs="*", metavar="AMBIGUITY", help="ids of open passages, or games; all if none"
    )
    witness.add_argument(
        "--search", action="store_true", help="look for smaller ones and draft them; 1 if there are any"
    )
    witness.add_argument("--write", action="store_true", help="write down anew what parts the readings of whole games")
    _told(witness)
    diff = commands.add_parser("diff", help="tell in what two rule bases differ, with an example of each difference")
    diff.add_argument(
        "editions", nargs="*", metavar="EDITION", help="two of them: GAME[@EDITION][:SETUP][[READING=VALUE]]"
    )
    _told(diff)


def _ask(ask: argparse.ArgumentParser) -> None:
    ask.usage = "brou ask GAME[@EDITION][:SETUP][[READING=VALUE,...]] [options] [-- COMMAND...]"
    ask.description = (
        "Ask a program, or without one people at a table, the situations that split the readings left best; then print "
        "the readings that are left. People answer with a number, 0 for something else, or ? where they do not know."
    )
    ask.add_argument("rules", nargs="?", metavar="RULES", help="the game; readings that are named are taken as known")
    ask.add_argument(
        "--answers", type=_named, metavar="FILE", help="answers of people, one a line; - is standard input"
    )
    ask.add_argument("--transcript", type=_named, metavar="FILE", help="write down questions, answers and result")
    ask.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="for one request to a program (5)")
    ask.add_argument("--start-timeout", type=_seconds, metavar="SECONDS", help="for its first answer (30)")
    _told(ask)


def _told(command: argparse.ArgumentParser) -> None:
    """Let a command speak a language, or answer in one JSON document."""
    command.add_argument("--lang", metavar="LANGUAGE", help=_LANGUAGES)
    command.add_argument("--json", action="store_true", help="write one JSON document")
    command.add_argument("--schema", action="store_true", help="write the schema of that document, and do nothing else")


def _corpus(corpus: argparse.ArgumentParser) -> None:
    actions = corpus.add_subparsers(dest="action", required=True, metavar="ACTION")
    described = (
        ("list", "the id and title of every scenario"),
        ("show", "one scenario as its file has it"),
        ("coverage", "which cells of each clause are filled; 1 if a needed one is empty, or a clause cited by none"),
    )
    for name, said in described:
        action = actions.add_parser(name, help=said)
        action.add_argument("--json", action="store_true", help="write one JSON document")
        action.add_argument("--scenarios", type=_named, metavar="DIR", help="a folder of scenarios instead of our own")
        if name != "coverage":
            action.add_argument("--lang", metavar="LANGUAGE", help="titles and reasons in fr, de or en (en)")
        if name == "show":
            action.add_argument("id", metavar="ID", help="the id of a scenario, or of one of its steps")
        else:
            told = "write the schema of that document, and do nothing else"
            action.add_argument("--schema", action="store_true", help=told)
            action.add_argument("games", nargs="*", metavar="GAME", help="only these games")


def _draw(draw: argparse.ArgumentParser) -> None:
    kinds = draw.add_subparsers(dest="what", required=True, metavar="WHAT")
    card = kinds.add_parser("card", help="one card: brou draw card AS")
    card.add_argument("card", metavar="CARD")
    back = kinds.add_parser("back", help="the back of a card")
    hand = kinds.add_parser("hand", help="cards side by side: brou draw hand AS KS 7D --mark AS")
    hand.add_argument("cards", nargs="+", metavar="CARD")
    hand.add_argument("--mark", metavar="'CARD ...'", help="raise these and let the others fade")
    trick = kinds.add_parser("trick", help="cards on the table: brou draw trick 0:9S 1:AS 2:KS 3:7H --winner 1")
    trick.add_argument("cards", nargs="+", metavar="SEAT:CARD")
    trick.add_argument("--seats", type=_seats, default=0, metavar="N", help="at a table of so many")
    trick.add_argument("--winner", type=int, metavar="SEAT")
    slate = kinds.add_parser("slate", help="figures on a slate: brou draw slate '0 2:0,23:3' '1 3:0,-4,15:7'")
    slate.add_argument("columns", nargs="+", metavar="NAME:FIGURES[:STROKES]")
    tokens = kinds.add_parser("tokens", help="what lies before players: brou draw tokens 0:127 1:-3 POT:60 --unit 20")
    tokens.add_argument("purses", nargs="+", metavar="NAME:SUM")
    tokens.add_argument("--unit", type=_seed, default=0, metavar="N", help="what a larger piece is worth")
    auction = kinds.add_parser("auction", help="calls in turn: brou draw auction 1:pass 2:demande 0:pass")
    auction.add_argument("calls", nargs="+", metavar="SEAT:CALL")
    auction.add_argument("--seats", type=_seats, default=0, metavar="N", help="at a table of so many")
    for kind in (card, back, hand, trick, slate, tokens, auction):
        kind.add_argument("--lang", metavar="LANG", help="indices of en, fr or de; else the locale's")
        kind.add_argument("--one-colour", action="store_true", help="for printing in black")
        kind.add_argument("--width", type=_millimetres, metavar="MM", help="width of it all; else a card has 30 mm")
        kind.add_argument("-o", "--output", type=_named, metavar="FILE", help="write to a file")


def _rulebook(rulebook: argparse.ArgumentParser) -> None:
    rulebook.add_argument("games", nargs="*", metavar="GAME", help="only these games, GAME or GAME@EDITION")
    rulebook.add_argument("--edition", metavar="EDITION", help="of this edition, or `all`; else the first of each game")
    rulebook.add_argument(
        "--lang", metavar="LANGUAGE", help="fr, de or en, several with commas, or `all`; else that of the locale"
    )
    rulebook.add_argument("--format", choices=("pdf", "html"), default="pdf", help="pdf (the default) or html")
    rulebook.add_argument("--paper", choices=("a5", "a4"), default="a5", help="the size of a page in print (a5)")
    rulebook.add_argument("--date", metavar="YYYY-MM-DD", help="the date to print in it; without it there is none")
    rulebook.add_argument(
        "-o", "--output", type=_named, metavar="FILE", help="the file for one book, the folder for several"
    )


def _within(text: str, low: int, high: int = _MOST) -> bool:
    """Say whether digits are a number within bounds; no more of them are read than the greatest has."""
    digits = text.lstrip("0") or text[:1]
    return text.isdecimal() and len(digits) <= len(str(high)) and low <= int(digits) <= high


def _deals(text: str) -> int:
    if not _within(text, 1):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of deals")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above zero, and below {_MOST}")
    return seconds


def _bytes(text: str) -> int:
    number, unit = text[:-1], text[-1:].upper()
    if not unit or unit not in _UNITS or not _within(number, 1):
        raise argparse.ArgumentTypeError(f"{text!r} is no size: a whole number and K, M or G, as in 512M")
    return int(number) << 10 * (1 + _UNITS.index(unit))


def _millimetres(text: str) -> float:
    try:
        return _seconds(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number of millimetres above zero, and below {_MOST}"
        ) from None


def _named(text: str) -> str:
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a file or folder")
    return text


def _number(text: str) -> int:
    if not _within(text, 1):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {_MOST}")
    return int(text)


def _seed(text: str) -> int:
    if not _within(text, 0, _SEEDS):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to {_SEEDS}")
    return int(text)


def _seats(text: str) -> int:
    if not _within(text, 1, _TABLE):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {_TABLE}")
    return int(text)


def _count(text: str) -> int:
    if not _within(text, 1, _JOBS):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {_JOBS}")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks and return the exit code."""
    try:
        return _done(arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _done(arguments: Sequence[str] | None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    own, program = _parted(given)
    whole = parser()
    options = whole.parse_args(own)
    if options.command not in ("verify", "ask") and len(own) < len(given):
        whole.error("only `brou verify` and `brou ask` take a program after `--`")
    if options.command == "ask" and program and options.answers:
        whole.error("--answers are those of people: leave it out, or the program after `--`")
    if options.command == "verify":
        _whole(whole, options, program)
        _alone(whole, options)
    if getattr(options, "resume", False) and not options.report:
        whole.error("--resume goes on with a report: name it with --report FILE")
    if options.command == "export":
        _lowered(whole, options)
    subject = {"explain": "subject", "score": "record", "show": "clauses", "ask": "rules"}.get(options.command)
    if subject and not getattr(options, subject) and not options.schema:
        whole.error(f"brou {options.command}: name what to {options.command}, or --schema")
    _documents(whole, options)
    options.program = program
    from brou_tools.terminal.main import guarded  # noqa: PLC0415 - nothing is loaded before it is known what for

    return guarded(options)


def _documents(whole: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse `--json` where something else is done than telling, and two things that are done instead of it."""
    done = [f"--{name}" for name in _DONE.get(options.command, ()) if getattr(options, name)]
    if done and options.json and not options.schema:
        whole.error(f"brou {options.command}: {done[0]} has no document: leave out --json")
    if len(done) > 1:
        whole.error(f"brou {options.command}: {' and '.join(done)} are two things: ask for one of them")


def _lowered(whole: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse the lowered form of anything but one rule base, and another form beside it."""
    if options.adapter and options.core:
        whole.error("brou export: --core and --adapter are two things: ask for one of them")
    if options.schema and not options.core:
        whole.error("brou export: --schema is that of --core: name both")
    if options.core and not options.schema and len(options.rules) != 1:
        whole.error("brou export: --core writes one rule base: name one")


def _whole(whole: argparse.ArgumentParser, options: argparse.Namespace, program: list[str]) -> None:
    """Refuse a `verify` without anything to judge, or with what cannot go together."""
    if options.replay:
        asked = {"python": "--python", "report": "--report", "resume": "--resume", "families": "--families"}
        others = [name for option, name in asked.items() if getattr(options, option)]
        others += ["a program after `--`"] * bool(program) + ["--list"] * options.list
        if others:
            whole.error(f"--replay judges a report and asks nobody: leave out {others[0]}")
    elif not program and not options.python and not options.schema:
        whole.error("name the program to judge after `--`: brou verify [options] -- COMMAND...")
    if program and options.python:
        whole.error("--python takes no program after `--`")
    if options.python and (options.memory or options.cpu):
        whole.error("--memory and --cpu bound a program; --python has none")
    if options.python and options.jobs > 1:
        whole.error("--jobs runs copies of a program; --python has none")
    if options.list and options.json:
        whole.error("--list tells people, and there is no document of it: leave out --json")
    written = [one for one in _WRITTEN if getattr(options, one) == "-"]
    if len(written) + options.json > 1:
        told = ", ".join(f"--{one.replace('_', '-')}" for one in (*written, *["json"] * options.json))
        whole.error(f"{told}: only one of them can go to the standard output")
    if options.build and not options.report:
        whole.error("--build names the program in a report: name that with --report FILE")


def _alone(whole: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse beside `--smoke` what belongs to the judging of scenarios."""
    if not options.smoke:
        return
    asked = (
        *("text", "scenarios", "families", "list", "known_failing", "report", "resume", "build", "replay", "since"),
        *("trace", "junit", "markdown", "badge", "sources"),
    )
    others = ["-k" if name == "text" else f"--{name.replace('_', '-')}" for name in asked if getattr(options, name)]
    others += ["--jobs"] * (options.jobs > 1)
    if others:
        whole.error(f"--smoke asks no scenario: leave out {others[0]}")


def _parted(given: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split at the first `--`: our own arguments, and the program under test with its arguments."""
    if "--" not in given:
        return list(given), []
    cut = given.index("--")
    return list(given[:cut]), list(given[cut + 1 :])


def run() -> None:
    """Leave the process with the exit code."""
    sys.exit(main())
