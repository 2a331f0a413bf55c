"""How often readings differ, in the words of each language, with as many digits as the count bears."""

from __future__ import annotations

import math

from brou_tools.questions.register import Rate
from brou_tools.situation.edition import Matter
from brou_tools.situation.view import say

#: Below this share a second digit is told, and as many more as two figures need.
_SMALL = 0.01


def tell_rate(rate: Rate, matter: Matter) -> str:
    """Return how often a reading differs under an edition, with the interval, or within which bound it never did."""
    low, high = rate.interval
    share = rate.share
    least = share or high
    digits = max(2, math.ceil(-math.log10(least)) - 1) if least < _SMALL else 1

    def format_share(number: float) -> str:
        return f"{number:.{digits}%}".rstrip("%").replace(".", say(matter, "decimal_sign"))

    parts = {"low": format_share(low), "high": format_share(high), "deals": matter.words.number(rate.deals)}
    if rate.parted:
        return say(matter, "parts_in", share=format_share(share), **parts)
    return say(matter, "parts_in_none", high=parts["high"], deals=parts["deals"])
