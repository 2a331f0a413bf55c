"""Plain sentences: pages, help and messages have none of the phrases that readers stumbled over.

Most are German in English words, or riddles that say with a relative clause what a noun would say. `make check` runs
this file. Each phrase stands with what to write instead; whoever reads another that is hard to understand adds it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from brou_tools.cli import COMMANDS, find_kinds

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "*/README.md", "conformance/*.md", "conformance/**/README.md")
    for path in ROOT.glob(pattern)
    if "frozen" not in path.parts
)

#: What is not written, as a regular expression, and what is written instead.
PHRASES = {
    r"\b(is|are|was|were|be|being) told\b(?! apart)": "reported, shown, described",
    r"\btold like this\b": "the report says",
    r"\bputs? [^.]{0,40}to the (suite|evidence)\b": "run the suite against",
    r"\blets? it speak\b": "implement the protocol",
    r"\blikewise\b": "also, in the same way, or the sentence again",
    r"\bset down in\b": "placed in, replayed",
    r"\bbe it (only|in|by)\b": "whether ... or, even if only",
    r"\breadings? parts?\b|\bparts? (two|the) readings\b|\bwhat parts\b": "differ, distinguish",
    r"\bparted\b": "distinguished, separated",
    r"\banew\b": "again, afresh",
    r"\bwhat frees from\b": "its exceptions",
    r"\b(comes?|came|coming) to pass\b": "happens",
    r"\bwhat (came|comes|becomes) of it\b": "the result, the outcome",
    r"\bthe one form\b": "the standard format",
    r"\bdoes it bite\b|\bbite score\b": "would the tests notice; mutation score",
    r"\bjudged in pairs\b": "metamorphic tests",
    r"\btwo witnesses\b": "differential testing",
    r"\bwithout us\b": "without Brou",
    r"\bhas to be\b.{0,20}\bbe it\b": "whether",
    r"\bnothing of the machine\b": "the thing that is not needed",
    r"\bat odds with each other\b": "contradict each other",
    r"\bwhat it cannot do it is not asked\b": "the runner only asks for what the program declares",
    r"\bevery reading singly\b": "each reading alone",
    r"\bis so in every\b|\bis it so in every\b": "holds in every",
    r"\bmake whatever act they may\b": "play uniformly at random",
    r"\| who (asks|wants|lets|settles|writes|uses|builds|prints|reads)\b": "a noun: authors of adapters",
    r"\ba statement about nothing\b": "a vacuous statement",
    r"\bis shown both ways\b": "needs a scenario in which it is granted and one in which it is refused",
    r"\bof the one and the other\b": "of both",
    r"\bthe same holds good for\b": "so does",
    r"\bspeaks? the protocol\b": "implements the protocol",
    r"\b(plays|asks|makes|draws|counts) so many\b": "this number of, or the number itself",
    r"\bmay be relied on\b": "you can rely on",
    r"\bJSON objects? a line\b": "JSON object per line",
    r"\bwithout heed\b": "ignoring",
    r"\bthe next to the right\b": "the player to the right",
    r"\b(is|are) spoken to\b": "how the runner talks to a program",
    r"\bread first to last\b": "in reading order",
    r"\bmay (play|be played) otherwise\b": "can choose",
    r"\bin the place of\b": "instead of, replacing",
    r"\bwhat is left open\b": "open questions",
    r"\bstands? fast\b": "is constant",
    r"\bas one likes\b": "any number of times, in any order",
    r"\bcom(e|es|ing) to (nothing|something)\b": "never has an effect, has a result",
    r"\b(leads?|goes) in a circle\b": "form a cycle",
    r"\bcounts? for nothing\b": "is ignored, does not count",
    r"\bno further than (is )?needed\b": "only as far as needed",
    r"\bstands? in quotes\b": "is quoted, quote it",
    r"\btells? of\b": "describes",
    r"\bbehind so many\b": "after n",
    r"\bcalled otherwise\b|\bcalls? \w+ \w* ?otherwise\b": "rename",
}
EVERY = re.compile("|".join(f"(?:{phrase})" for phrase in PHRASES), re.IGNORECASE)


def list_faults(text: str) -> list[str]:
    """Return each phrase of a text that is not written, with what to write instead."""
    flat = " ".join(text.split())
    return [f"{found[0]!r}: write {find_better(found[0])}" for found in EVERY.finditer(flat)]


def find_better(words: str) -> str:
    """Return what to write instead of a phrase."""
    return next(better for phrase, better in PHRASES.items() if re.search(phrase, words, re.IGNORECASE))


def strip_code(page: str) -> str:
    """Return a page without blocks of code, code in lines, addresses of links, and the names of headings in them."""
    page = re.sub(r"^(`{3,}|~{3,}).*?^\1", "", page, flags=re.MULTILINE | re.DOTALL)
    page = re.sub(r"^(?: {4}|\t).*$", "", page, flags=re.MULTILINE)
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`\n]*`", "", page))


def list_messages(path: Path) -> Iterator[str]:
    """Yield the texts of a module that people may read: strings of several words that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value.strip(", :")
            and id(node) not in docstrings
        ):
            yield node.value


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_are_plain(path: Path) -> None:
    """No page has a phrase of the list outside of code."""
    assert list_faults(strip_code(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_plain(command: str) -> None:
    """Nor has the help of a command."""
    kinds = find_kinds(command).values()
    texts = [COMMANDS[command], *(text for kind in kinds for text in (kind.description, kind.about))]
    helps = [one.help for kind in kinds for one in kind.written.values()]

    assert list_faults(" | ".join([*texts, *helps])) == []


@pytest.mark.slow
@pytest.mark.parametrize("package", ["conformance/brou_conformance", "tools/brou_tools"])
def test_messages_are_plain(package: str) -> None:
    """Nor has a string in the code of the runner or of a command."""
    found = [
        f"{path.relative_to(ROOT)}: {fault}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for message in list_messages(path)
        for fault in list_faults(message)
    ]

    assert found == []


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("The misreading is told\nlike this.", 1),
        ("Two readings part here, and likewise there.", 2),
        ("They cannot be told apart.", 0),
        ("Both readings differ.", 0),
    ],
)
def test_a_phrase_is_seen(text: str, faults: int) -> None:
    """Over the end of a line, too; what only looks like one passes."""
    assert len(list_faults(text)) == faults


def test_code_is_no_prose() -> None:
    """Output and names stand as they are."""
    block = "```text\nIt is told anew.\n```\n\n    it is told anew\n"
    page = f"It is `told anew`.\n\n{block}\nSee [this](that.md#what-is-told-anew).\n"

    assert list_faults(strip_code(page)) == []
