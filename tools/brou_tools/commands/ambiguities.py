"""`brou ambiguities`: what the old texts leave open, with all readings and what parts them."""

from __future__ import annotations

import argparse
import json
import os
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from brou import catalogue, choose, rules
from brou.library import root
from brou.text import language, render
from brou_tools.exits import Exit
from brou_tools.register import entries

_WIDTH = 110


def run(options: argparse.Namespace) -> int:
    """Print the register of the games named, or of all; or write down anew how often readings part."""
    if options.schema:
        print((root() / "schemas" / "register.schema.json").read_text(encoding="utf-8"), end="")
        return Exit.FINE
    games = [choose(game).game for game in options.games] or list(catalogue())
    if options.count:
        from brou_tools.frequency import count  # noqa: PLC0415 - plays many deals

        for game in games:
            print(count(game, options.count))
        return Exit.FINE
    found = [entry for game in games for entry in entries(game)]
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
        return Exit.FINE
    lang = language(options.lang, os.environ)
    for entry in found:
        print("\n".join(_told(entry, lang)))
    return Exit.FINE


def _told(entry: Mapping[str, Any], lang: str) -> Iterator[str]:
    """Yield the lines of one entry."""
    game = rules(entry["game"])

    def said(texts: Mapping[str, str] | None) -> str:
        return "" if not texts else render(texts.get(lang, texts["en"]), game, lang)

    yield f"{entry['id']}  {entry['treatment']}  {entry['key'] or ''}".rstrip()
    yield from _wrapped(said(entry["question"]), "  ")
    for reading in entry["readings"]:
        chosen = ", ".join(name for name, value in entry["default"].items() if value == reading["value"])
        yield f"  - {reading['value']}" + (f"  ({chosen})" if chosen else "")
        yield from _wrapped(said(reading["argument"]), "      ")
    for witness in entry["witness"]:
        yield f"  {' / '.join(witness['pair'])}: {witness['scenario']}"
    for harmless in entry["harmless"]:
        yield from _wrapped(f"{' / '.join(harmless['pair'])}: {harmless['because']}", "  ")
    for rate in entry["frequency"] or ():
        low, high = rate["interval"]
        told = f"{rate['parted']} of {rate['deals']} random deals ({low:.4f} to {high:.4f})"
        yield f"  {rate['edition']}: parts in {told}"
    yield ""


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent) if text else []
