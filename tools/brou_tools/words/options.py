"""The options of `brou words`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_argument, take_flag


class WordsOptions(CommandOptions):
    """Options of `brou words`."""

    description: ClassVar[str] = (
        "Begin a language of the project: files with every sentence of Brou and every text of its games in English, "
        "each with room for a translation; of a language that Brou speaks, the texts of the games alone. A file that "
        "is there already gets the texts that it lacks."
    )
    example: ClassVar[str] = """
$ brou words nl
languages/nl.yaml: ... texts to translate
games/tressette/words.nl.yaml: ... texts to translate
"""

    language: str = take_argument("LANGUAGE", "the language, as ISO 639-1 calls it: two small letters")
    missing: bool = take_flag("write nothing, list the texts that are still in English; 1 if there are some")
