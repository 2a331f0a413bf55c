"""Acts in wire form: one action with its values; anything else is a `BadAct`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brou.chance import Chance
from brou.errors import BadAct, Crash
from brou.language.codec import Json, outside
from brou.language.syntax import Action


def single(act: object) -> tuple[str, object]:
    """Return the one action of an act, as the data write it, and the one value."""
    if not isinstance(act, Mapping) or len(act) != 1 or not isinstance(name := next(iter(act)), str):
        raise BadAct('an act is an object with one key, such as {"play": card}')
    return name.replace("-", "_"), act[name]


def extract_values(action: Action, value: object) -> Sequence[object]:
    """Return the values of an act, one for each parameter."""
    names = [outside(parameter.id) for parameter in action.parameters]
    if len(names) == 1:
        return [value]
    if not names:
        if value is not True:
            raise BadAct(f"{action.id} takes no parameter: write true")
        return []
    if not isinstance(value, Mapping):
        raise BadAct(f"{action.id} takes {', '.join(names)}")
    if missing := [name for name in names if name not in value]:
        raise BadAct(f"{action.id} lacks {', '.join(missing)}")
    return [value[name] for name in names]


def fill_act(action: Action, offer: Json, chance: Chance) -> Json:
    """Return values for an act that is described."""
    if len(action.parameters) == 1 or not isinstance(offer, dict):
        return _draw_one(offer, chance)
    return {outside(parameter.id): _draw_one(offer[outside(parameter.id)], chance) for parameter in action.parameters}


def _draw_one(offer: Json, chance: Chance) -> Json:
    """Return one of the values that a description stands for."""
    match offer:
        case list():
            return chance.pick(offer)
        case {"order": list(cards)}:
            return chance.order(cards)
        case {"from": list(cards), "min": int(low), "max": int(high)}:
            least, most = max(low, 0), min(high, len(cards))
            size = least + chance.below(most - least + 1)
            return chance.shuffle(cards)[:size]
        case {"min": int(low), "max": int(high)}:
            return low + chance.below(high - low + 1)
    raise Crash(f"{offer!r} describes no values")
