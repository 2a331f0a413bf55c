"""Plurals: which form of a noun follows a number, by rules that a language file or the glossary has as data.

A rule is written as in Unicode CLDR (UTS #35, part 3, "Language Plural Rules"), for whole numbers: `n = 1`, or
`n % 10 = 2..4 and n % 100 != 12..14`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: What is taken for the rules of a language that names none: one, and everything else.
USUAL = ("n = 1",)

#: One relation: the number, perhaps its remainder, and the values that it has or has not. Schemas have the same.
_RELATION = re.compile(r"n(?: % ([1-9][0-9]{0,8}))? (!?=) ([0-9.,]+)\Z")


def choose_form(rules: Sequence[str], number: int) -> int:
    """Return the place of the form that goes with a whole number: that of the first rule that holds, else the last.

    The sign of the number does not matter. Raise `ValueError` for a rule that is none.
    """
    return next((place for place, rule in enumerate(rules) if _holds(rule, abs(number))), len(rules))


def _holds(rule: str, number: int) -> bool:
    return any(all(_relates(one, number) for one in part.split(" and ")) for part in rule.split(" or "))


def _relates(relation: str, number: int) -> bool:
    found = _RELATION.match(relation)
    if found is None:
        raise ValueError(f"no plural rule: {relation!r}")
    divisor, sign, values = found.groups()
    left = number % int(divisor) if divisor else number
    return (sign == "=") == any(_is_within(left, one) for one in values.split(","))


def _is_within(number: int, values: str) -> bool:
    low, _, high = values.partition("..")
    return int(low) <= number <= int(high or low)
