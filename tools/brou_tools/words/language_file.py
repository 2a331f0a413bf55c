"""The file of a language as text: a new one, and one to which texts are added that it lacks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from brou import Impossible, Node
from brou.words import list_texts

#: No line is wider where a text and its translation share one.
_WIDTH = 120
#: Keys that other readers of YAML guess at.
_GUESSED = re.compile(r"[yn]|yes|no|on|off|true|false|null", re.IGNORECASE)
_HEAD = """\
# What Brou says in this language: behind `en` of each text write `{lang}: ...`, with the same words in braces.
# Until then English is used; `brou words {lang} --missing` lists such texts, `brou check` what does not fit.
format: brou-language/1
language: {lang}

# How the language writes: its own name, numbers, marks printed otherwise than they are typed (`set`), words that
# become others where they meet (`joins`), and for each form of a noun but the last which numbers it follows.
writes:
  name: {lang}
  minus: "\N{MINUS SIGN}"
  thousands: "."
  grouped_from: 5
  plural: ["n = 1"]
  joins: {{}}
  set: {{"'": "\N{RIGHT SINGLE QUOTATION MARK}"}}
"""


def write_new(lang: str, parts: Mapping[str, Node]) -> str:
    """Return the file of a new language, with every text in English."""
    lines = [_HEAD.format(lang=lang)]
    for part, texts in parts.items():
        entries = [_write_entry(path, text, "  ") for path, text in list_texts(texts)]
        lines += [f"{part}:", *entries, ""] if entries else []
    return "\n".join(lines).rstrip("\n") + "\n"


def add_missing(source: str, file: Node, parts: Mapping[str, Node]) -> str:
    """Return the text of a file with each text that it has no entry for, at the end of its part.

    Raise `Impossible` where a part is not written line by line.
    """
    lines = source.splitlines()
    for part, texts in reversed(list(parts.items())):
        known = file.fields.get(part)
        said = {} if known is None else known.fields
        lacking = [(path, text) for path, text in list_texts(texts) if path not in said]
        if not lacking:
            continue
        if known is None or not said:
            if known is not None:
                raise Impossible(f"{file.place.file} has an empty part {part!r}: take it out, and ask again")
            lines += ["", f"{part}:", *(_write_entry(path, text, "  ") for path, text in lacking)]
            continue
        first = known.find_key(next(iter(said)))
        if first.line == file.find_key(part).line:
            what = f"{file.place.file} has {part!r} in one line: write a line for each text, and ask again"
            raise Impossible(what)
        end = _find_end(lines, first.line)
        indent = " " * (first.column - 1)
        lines[end:end] = [_write_entry(path, text, indent) for path, text in lacking]
    return "\n".join(lines) + "\n"


def _find_end(lines: list[str], start: int) -> int:
    """Return the number of lines up to the last one that belongs to what begins on a line."""
    end = next((at for at in range(start, len(lines)) if re.match(r"[^\s#]", lines[at])), len(lines))
    while end > start and not (lines[end - 1].strip() and lines[end - 1].startswith((" ", "\t"))):
        end -= 1
    return end


def _write_entry(path: str, text: Node, indent: str) -> str:
    key = json.dumps(path) if _GUESSED.fullmatch(path) else path
    said = _quote(text.fields["en"])
    line = f"{indent}{key}: {{en: {said}}}"
    return line if len(line) <= _WIDTH else f"{indent}{key}:\n{indent}  en: {said}"


def _quote(text: Node) -> str:
    return json.dumps(text.plain(), ensure_ascii=False)


def write_game_words(game: str, lang: str, marks: Mapping[str, tuple[str, str]]) -> str:
    """Return a file of words of a game that has the first of its texts; each other one is a comment with its mark."""
    (first, (said, mark)), *others = marks.items()
    lines = [
        "# When a text is translated take away its `#`, and that of its mark below `of`, which tells what it was made",
        "# from. Until then the original is used.",
        "format: brou-words/2",
        f"game: {game}",
        f"language: {lang}",
        "words:",
        f"  {first}: {_quote_line(said)}",
        *(f"#  {id_}: {_quote_line(said)}" for id_, (said, _) in others),
        "of:",
        f"  {first}: {json.dumps(mark)}",
        *(f"#  {id_}: {json.dumps(mark)}" for id_, (_, mark) in others),
    ]
    return "\n".join(lines) + "\n"


def _quote_line(said: str) -> str:
    return json.dumps(" ".join(said.split()), ensure_ascii=False)
