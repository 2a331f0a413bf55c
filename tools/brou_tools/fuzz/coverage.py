"""What a match reaches: rows and effects of the rules, outcomes and acts; which of several matches is the rarest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from brou import Choice, Folder, Json, Machine, Refusal, begin, keep_until_changed, rules
from brou.interpreter import Touched
from brou_tools.fuzz.drawing import DrawnMatch, MatchSetting, draw_match

#: A number beyond this counts by its length in binary digits.
_EXACT = 4


def find_reached(match: DrawnMatch, data: Folder = None) -> frozenset[str]:
    """Return everything that a match reaches, by names that hold for all set-ups of an edition.

    That are the records and rows that decide anything, the effects, two acts one after the other, and each figure of
    the score at the end of a deal; numbers beyond a few count by their size.
    """
    player, watch = _watch_rules(match.choice, data)
    watch.steps = {}
    state = begin(player, match.start)
    found, before = set[str](), ""
    for seat, act in match.acts:
        name = next(iter(act))
        found |= {f"act {name}", f"acts {before} {name}", *_list_values(f"act {name}", act[name])}
        before = name
        after = player.act(state, seat, act)
        if isinstance(after, Refusal):  # the engines agree, so that this does not happen
            break
        if after.phase != state.phase:
            found.add(f"phase {state.phase} {after.phase}")
            for key, value in player.score(after).items():
                found.update(_list_values(f"score {key}", value))
        state = after
    found.update(" ".join(what) for what in watch.steps)
    return frozenset(found)


def choose_rarest(
    setting: MatchSetting, seeds: Sequence[int], reached: Mapping[str, int]
) -> tuple[DrawnMatch, frozenset[str]]:
    """Return the match of some seeds that reaches what few have reached so far, and all that it reaches."""
    drawn = [draw_match(setting, seed) for seed in seeds]
    found = [(match, find_reached(match, setting.data)) for match in drawn]
    return max(found, key=lambda one: (_weigh(one[1], reached), -one[0].seed))


def _weigh(found: Iterable[str], reached: Mapping[str, int]) -> float:
    """Return how rare it is: each thing counts the less, the more matches have reached it."""
    return sum(1 / (1 + reached.get(what, 0)) ** 2 for what in sorted(found))


def add_reached(total: Counter[str], found: Iterable[str]) -> None:
    """Count a match among those that reach something."""
    total.update(found)


def _list_values(name: str, value: Json) -> Iterator[str]:
    """Yield a figure by its value, the members of lists and records by their own; cards and long lists not at all."""
    match value:
        case None | bool():
            yield f"{name} = {value}"
        case int():
            size = value if abs(value) <= _EXACT else f"{'-' * (value < 0)}2^{abs(value).bit_length()}"
            yield f"{name} = {size}"
        case str():
            if len(value) > 2:
                yield f"{name} = {value}"
        case dict():
            for key, item in value.items():
                yield from _list_values(f"{name} {key}", item)
        case list():
            if len(value) <= _EXACT:
                for item in value:
                    yield from _list_values(name, item)


@keep_until_changed(maxsize=64)
def _watch_rules(choice: Choice, data: Folder) -> tuple[Machine, Touched]:
    watch = Touched()
    return Machine(rules(choice, data), watch), watch
