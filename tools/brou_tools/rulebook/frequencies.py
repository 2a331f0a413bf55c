"""How often it matters: in how many of a hundred deals played at random the readings of a question differ."""

from __future__ import annotations

from brou_tools.questions.register import Frequency, frequencies
from brou_tools.situation.edition import Matter

#: Shares are told in so many deals: the first in which a number above nothing stands.
_WHOLES = (100, 1_000, 10_000, 100_000, 1_000_000)
#: So many figures of a bound are told; the others would say more than is known.
_FIGURES = 2
#: From so much on a number is rounded up.
_HALF = 0.5


def tell_frequency(matter: Matter, key: str) -> str:
    """Return how often the readings of a key differ in this edition, nothing where nobody has counted."""
    choice = matter.choice
    found = [one for one in frequencies(choice.game, choice.project).get(key, ()) if one.edition == choice.edition]
    return tell_count(matter, found[0]) if found else ""


def tell_count(matter: Matter, one: Frequency) -> str:
    """Return a count in words, with the bounds of the share."""
    number = matter.words.number
    if not one.parted:
        most = matter.say("at_most", many=number(_cut(1 / one.high)))
        return matter.say("never_parts", deals=number(one.deals), interval=most)
    share = one.parted / one.deals
    whole = next((many for many in _WHOLES if _tells(one, many)), _WHOLES[-1])
    low, high = (number(_round_share(bound, whole)) for bound in (one.low, one.high))
    interval = matter.say("between", low=low, high=high, whole=number(whole), deals=number(one.deals))
    if one.parted == one.deals:
        return matter.say("always_parts", deals=number(one.deals), interval=interval)
    return matter.say("parts", share=number(_round_share(share, whole)), whole=number(whole), interval=interval)


def _cut(many: float) -> int:
    """Return the whole part of a number with two figures, the others nought."""
    whole = int(many)
    least = int(10 ** max(0, len(str(whole)) - _FIGURES))
    return whole // least * least


def _round_share(share: float, whole: int) -> int:
    return int(share * whole + _HALF)


def _tells(one: Frequency, whole: int) -> bool:
    """Say whether in so many deals the lower bound is above nothing and the upper one above it."""
    low, high = _round_share(one.low, whole), _round_share(one.high, whole)
    return 0 < low < high
