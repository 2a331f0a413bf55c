"""Escaping: a program's answers on a page of Markdown, as text that has no effect there.

A page may be shown by GitHub, GitLab or a plain renderer. Some of them look for mentions, references and addresses in
the finished page, where no backslash helps: there an invisible WORD JOINER splits them.
"""

from __future__ import annotations

import re

from brou_conformance.protocol import shorten

_JOINER = "\N{WORD JOINER}"
#: What would act in a finished page, each with an empty group where it is split.
_ACTING = re.compile(
    r"""
    (?<![A-Za-z0-9_])@()(?=[A-Za-z0-9])            # a mention of a person or a group
    | (?<=[A-Za-z0-9.+_-])@()(?=[A-Za-z0-9-]+\.)   # an address of electronic post
    | \#()(?=[0-9])                                # a reference to an issue
    | (?<![A-Za-z0-9_])!()(?=[0-9])                # one to a request to merge
    | \b(?:https?|ftp|mailto|xmpp)()(?=:)          # an address
    | \bwww()(?=\.)
    | \bGH()(?=-[0-9])
    | :()(?=[a-z0-9_+-]+:)                         # a small picture
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_SPECIAL = re.compile(r"[\\`*_{}\[\]#|~!$^]")


def prose(text: str) -> str:
    """Return a text for a paragraph, a heading or a cell of a table: on one line, with nothing in it that acts."""
    parted = _insert_joiners(shorten(text).strip())
    plain = re.sub("[<>&]", lambda found: _ENTITIES[found[0]], parted)
    return _SPECIAL.sub(r"\\\g<0>", plain)


def code(text: str) -> str:
    """Return a text as a span of code for such a place; a stroke, which would separate cells, only looks like one."""
    plain = shorten(text).strip().replace("|", "\N{BOX DRAWINGS LIGHT VERTICAL}")
    fence = "`" * (max(map(len, re.findall("`+", plain)), default=0) + 1)
    edge = " " if len(fence) > 1 or not plain else ""
    return f"{fence}{edge}{plain}{edge}{fence}"


def _insert_joiners(text: str) -> str:
    def part(found: re.Match[str]) -> str:
        place = next(found.start(group) for group in range(1, _GROUPS + 1) if found[group] is not None)
        return text[found.start() : place] + _JOINER + text[place : found.end()]

    return _ACTING.sub(part, text)


_GROUPS = _ACTING.groups
