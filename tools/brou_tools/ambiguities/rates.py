"""How often readings part, in the words of each language, with as many digits as the count bears."""

from __future__ import annotations

from brou import glossary
from brou_tools.questions.register import Rate

#: By language: the sentence where some deals parted, that where none did, and the decimal sign.
_SAID = {
    "en": (
        "parts in {share} % of {deals} random deals ({low} to {high})",
        "in none of {deals} random deals (below {high} %)",
        ".",
    ),
    "fr": (
        "change quelque chose dans {share} % de {deals} coups au hasard (de {low} à {high})",
        "ne change rien en {deals} coups au hasard (moins de {high} %)",
        ",",
    ),
    "de": (
        "macht in {share} % von {deals} Zufallsspielen einen Unterschied ({low} bis {high})",
        "in keinem von {deals} Zufallsspielen (unter {high} %)",
        ",",
    ),
}

#: Below this share a second digit is told.
_SMALL = 0.01


def tell_rate(rate: Rate, lang: str) -> str:
    """Return how often a reading parts under an edition, with the interval, or within which bound it never did."""
    some, none, sign = _SAID[lang]
    words = glossary(None).languages[lang]
    low, high = rate.interval
    share = rate.share
    digits = 2 if (share or high) < _SMALL else 1

    def format_share(number: float) -> str:
        return f"{number:.{digits}%}".rstrip("%").replace(".", sign)

    parts = {
        "share": format_share(share),
        "low": format_share(low),
        "high": format_share(high),
        "deals": words.number(rate.deals),
    }
    return words.typeset((some if rate.parted else none).format(**parts))
