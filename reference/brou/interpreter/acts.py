"""Acts in wire form: one action with its values; anything else is a `BadAct`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brou.errors import BadAct
from brou.language.codec import outside
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
