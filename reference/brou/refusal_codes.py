"""The codes of refusals: what rules, scenarios and messages of the protocol call the reason why an act is refused."""

from __future__ import annotations

from typing import Literal, TypeAlias

CodeOfRefusal: TypeAlias = Literal[
    "not_your_turn",
    "not_your_role",
    "not_in_hand",
    "no_such_card",
    "must_follow",
    "must_beat",
    "must_trump",
    "too_low",
    "bad_amount",
    "window_closed",
    "condition_not_met",
    "not_available",
    "already_done",
]
