"""The options of `brou site`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_flag, take_option
from brou_tools.options.values import read_name
from brou_tools.options.vocabulary import LANGUAGES, take_games, take_language
from brou_tools.site.engine import PACKAGE


class SiteOptions(CommandOptions):
    """Options of `brou site`."""

    description: ClassVar[str] = (
        "Write the pages of the games for a browser: each rule with its source, its open questions and its scenarios."
    )
    example: ClassVar[str] = """
$ brou site brouc --lang en --brief
brou-site/index.html: ... files; brouc; en
"""

    games: tuple[str, ...] = take_games()
    lang: str | None = take_language(
        f"{LANGUAGES}, or one of the project; several with commas, else all that its games speak"
    )
    output: str = take_option(read_name, "DIR", "the folder for the pages (brou-site)", "-o", default="brou-site")
    brief: bool = take_flag("leave out the books, and the pages on which scenarios are played")
    reports: str | None = take_option(
        read_name, "DIR", "a folder of records of `brou verify --report`: a table of their programs, and a verdict each"
    )
    docs: str | None = take_option(
        read_name,
        "FOLDER",
        "pages that Sphinx made with `brou_tools.site.sphinx_directives`: they become `docs/`, and can be searched",
    )
    engine: str | None = take_option(
        read_name,
        "FOLDER",
        f"the folder of {PACKAGE} from npm: pages then answer every question themselves",
        "--engine",
    )
