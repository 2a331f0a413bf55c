"""Readings that cannot be followed alone: the one other reading that has to change with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brou import Choice, Impossible, book, with_readings


def fit_readings(plain: Choice, wanted: Sequence[Mapping[str, str]]) -> tuple[Choice, ...] | None:
    """Return a choice for each of some readings, with at most one other reading changed, the same for all; or None."""
    for companion in ({}, *_companions(plain, {key for readings in wanted for key in readings})):
        try:
            return tuple(with_readings(plain, {**companion, **readings}) for readings in wanted)
        except Impossible:
            continue
    return None


def _companions(plain: Choice, taken: set[str]) -> Iterator[dict[str, str]]:
    """Yield each other reading of an edition with each other value."""
    data = book(plain.game, plain.project)
    for key, chosen in data.editions[plain.edition].readings.items():
        if key not in taken:
            yield from ({key: value} for value in data.readings[key].values if value != chosen)


def pair_readings(plain: Choice) -> dict[Choice, list[tuple[str, Choice]]]:
    """Return each reading with each value that an edition has not, by the rule base that it is to be compared with.

    That is the edition itself; where no value of a reading can be chosen so, one with another reading changed.
    """
    data = book(plain.game, plain.project)
    found: dict[Choice, list[tuple[str, Choice]]] = {plain: []}
    for key, chosen in data.editions[plain.edition].readings.items():
        pairs = [
            fit_readings(plain, [{key: chosen}, {key: value}]) for value in data.readings[key].values if value != chosen
        ]
        known = [pair for pair in pairs if pair is not None]
        for base, other in [pair for pair in known if pair[0] == plain] or known:
            found.setdefault(base, []).append((key, other))
    return found


def full_name(choice: Choice) -> str:
    """Return the name by which a choice can be chosen: with the readings that are not those of its edition."""
    own = book(choice.game, choice.project).editions[choice.edition].readings
    varied = ",".join(f"{key}={value}" for key, value in choice.readings if own.get(key) != value)
    return f"{choice}[{varied}]" if varied else str(choice)
