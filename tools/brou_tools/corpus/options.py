"""The options of `brou corpus` and its commands."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_argument, take_option, take_options
from brou_tools.options.values import read_name
from brou_tools.options.vocabulary import LANGUAGES, take_games, take_json, take_language, take_scenarios, take_schema

_LANGUAGES = f"titles and reasons in {LANGUAGES}, or in one of the project (en)"


class ListOptions(CommandOptions):
    """Which scenarios are listed."""

    description: ClassVar[str] = "List the id and title of every scenario."
    example: ClassVar[str] = """
$ brou corpus list brouc
brouc.cape.made-by-both-partners  Tricks of both partners make a cape
...
"""
    about: ClassVar[str] = "list the id and title of every scenario"

    json: bool = take_json()
    scenarios: str | None = take_scenarios()
    lang: str | None = take_language(_LANGUAGES)
    schema: bool = take_schema()
    games: tuple[str, ...] = take_games()


class CorpusShowOptions(CommandOptions):
    """Which scenario is shown."""

    description: ClassVar[str] = "Show one scenario as its file has it."
    example: ClassVar[str] = """
$ brou corpus show brouc.over.lower-trump-refused
- id: brouc.over.lower-trump-refused
  title: "Trump led: a higher one must be played"
...
"""
    about: ClassVar[str] = "show one scenario as its file has it"

    json: bool = take_json()
    scenarios: str | None = take_scenarios()
    lang: str | None = take_language(_LANGUAGES)
    html: str | None = take_option(read_name, "FILE", "write a page for browsers that shows it card by card")
    rules: str | None = take_option(
        str, "NAME", "rules by which the page plays it: GAME[@EDITION][:SETUP][[READING=VALUE,...]]"
    )
    id: str = take_argument("ID", "the id of a scenario, or of one of its steps")

    def check(self) -> None:
        """Refuse two forms at once, and rules where nothing is played."""
        if self.html and self.json:
            raise UsageError("--html writes a page, --json a document: leave out one of them")
        if self.rules and not self.html:
            raise UsageError("--rules says by which rules a page plays the scenario: name the page with --html FILE")


class CoverageOptions(CommandOptions):
    """Which scenarios are looked at."""

    description: ClassVar[str] = (
        "Show which aspects of each clause the scenarios cover. The exit code is 1 if a needed one is missing."
    )
    example: ClassVar[str] = """
$ brou corpus coverage brouc
clause           testable  permits  refuses  value  boundary  interaction ...
brouc.equip.01   table     ...
...
"""
    about: ClassVar[str] = (
        "which cells of each clause are filled; 1 if a needed one is empty, or a clause cited by none"
    )

    json: bool = take_json()
    scenarios: str | None = take_scenarios()
    schema: bool = take_schema()
    games: tuple[str, ...] = take_games()


class BundleOptions(CommandOptions):
    """Where the portable corpus goes, and its games."""

    description: ClassVar[str] = (
        "Write the scenarios as plain files that need no Brou: every request spelt out, with the answers that "
        "conform, and why."
    )
    example: ClassVar[str] = """
$ brou corpus bundle --game brouc -o brouc-corpus.zip --verbose
brouc-corpus.zip: ... files, ... cases, ... bytes
brou corpus: bundled 1 game into brouc-corpus.zip in ...
"""
    about: ClassVar[str] = "write the scenarios as plain files that need no Brou"

    output: str = take_option(read_name, "DIR|FILE.zip", "where it goes (brou-corpus)", "-o", default="brou-corpus")
    scenarios: str | None = take_scenarios()
    games: tuple[str, ...] = take_options(str, "GAME", "only this game", "--game")


COMMANDS = {"list": ListOptions, "show": CorpusShowOptions, "coverage": CoverageOptions, "bundle": BundleOptions}
