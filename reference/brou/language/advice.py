"""What to write instead of an expression, or of a name in one, that is none of this language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from warnings import catch_warnings

from brou.errors import ask_if_meant
from brou.language.scope import Names
from brou.language.tree import Literal
from brou.language.types import Int, Named, Option, Type

#: So many names are listed in a message.
_FEW = 16


@lru_cache(maxsize=2048)
def parse_text(text: str) -> ast.expr:
    """Return the tree of an expression; it is shared, and nobody may change it."""
    with catch_warnings(action="error"):
        return ast.parse(text, mode="eval").body


def explain_syntax(text: str) -> tuple[str, str] | None:
    """Return the fault of a text that is no expression and its remedy; None for an expression."""
    try:
        parse_text(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "too deep or not text"
        return f"no expression: {text[:80]!r} ({reason.partition('. ')[0]})", _mend_expression(text)
    return None


#: Words for truth and absence elsewhere, with what they are here.
_LIKE_ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("yes", "on", "true"), "write True"),
    **dict.fromkeys(("no", "off", "false"), "write False"),
    **dict.fromkeys(("null", "nil", "none", "nobody", "nothing"), "write None"),
}
#: Signs that are none of this language, with what is written instead.
_SIGNS = (
    ("&&", "write `and` instead of &&"),
    ("||", "write `or` instead of ||"),
    ("<>", "write != instead of <>"),
    ("=>", "write >= instead of =>"),
    ("=<", "write <= instead of =<"),
)
#: An equals sign by itself, and an exclamation mark that is no part of `!=`.
_ASSIGNED, _NEGATED = re.compile(r"(?<![=!<>])=(?!=)"), re.compile(r"!(?!=)")


def is_of_another_language(text: str) -> bool:
    """Say whether a text has a sign that other languages have in expressions, and this one does not."""
    return bool(_find_sign(text))


def _find_sign(text: str) -> str:
    """Return what to write instead of such a sign; nothing where there is none."""
    found = next((instead for sign, instead in _SIGNS if sign in text), "")
    if not found and _NEGATED.search(text):
        found = "write `not` instead of !"
    if not found and _ASSIGNED.search(text):
        found = "write == to compare"
    return found


def _mend_expression(text: str) -> str:
    """Return what to write instead of a text that is no expression."""
    if found := _find_sign(text):
        return found
    if text.count("(") != text.count(")"):
        return "close every bracket"
    return "use names, numbers, and/or/not, comparisons, + - * //"


def _present(type_: Type) -> Type:
    return type_.inner if isinstance(type_, Option) else type_


def list_members(one: Type, two: Type, names: Names) -> str:
    """Return the advice for a comparison of a number with values that have names: which names there are."""
    one, two = _present(one), _present(two)
    named = next((type_ for type_ in (one, two) if isinstance(type_, Named)), None)
    if named is None or not (isinstance(one, Int) or isinstance(two, Int)):
        return ""
    words = [name for name, literal in names.constants.items() if literal.type == named]
    if not words:
        return f"a {named} has no number in rules: compare it with another {named}"
    shown = ", ".join(words[:_FEW]) + (", ..." if len(words) > _FEW else "")
    return f"write one of {shown}"


def _spell_letter(letter: str, names: Names) -> str:
    """Return the advice for a letter of suits or ranks, which is only for cards: the name of it."""
    called = (name for name, one in names.constants.items() if isinstance(one, Literal) and one.value == letter)
    return next((f"{letter} is only for cards: write {name}" for name in called if name != letter), "")


def advise_name(name: str, names: Names, local: Iterable[str]) -> str:
    """Return what to write instead of a name that stands for nothing."""
    known = _LIKE_ELSEWHERE.get(name.casefold(), "") or _spell_letter(name, names)
    return known or ask_for_nearest(name, [*local, *names.known()])


def ask_for_nearest(name: str, known: Iterable[str]) -> str:
    """Return the question after the name that one is like; nothing if it is like none."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a message

    return ask_if_meant(get_close_matches(name, list(known), n=1))
