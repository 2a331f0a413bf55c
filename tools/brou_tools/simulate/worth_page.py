"""The page of compared rules: rule bases beside others on the same deals, from the numbers kept beside it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from brou import Choice, Project, book, choose, identity, rules
from brou.atomic import put
from brou.shapes import read, shape, write
from brou_tools.questions.compatible import full_name
from brou_tools.questions.register import RegisterEntry, entries
from brou_tools.simulate.differences import FigureDifference
from brou_tools.simulate.figures import TOLD
from brou_tools.simulate.report import SimulationResult
from brou_tools.situation.edition import Matter

#: The language of the page.
LANG = "en"
#: So many digits of a number are kept.
_DIGITS = 6


@shape()
class WorthRow:
    """What the headline figures of two rule bases came to on the same deals."""

    ours: Annotated[str, "the rule base, with the readings that are not those of its edition"]
    theirs: Annotated[str, "the other one"]
    hashes: Annotated[tuple[str, str], "the hashes of the rules of both"]
    matches: Annotated[int, "how many matches were played by each"]
    deals: Annotated[int, "how many deals these had under the first"]
    same: Annotated[bool, "whether every sum of both is the same"]
    differences: Annotated[tuple[FigureDifference, ...], "the headline figures of both"]


@shape()
class WorthPage:
    """The numbers of a page, and the command that made them."""

    format: Literal["brou-worth/1"] = "brou-worth/1"
    command: Annotated[str, "the command that played"]
    pairs: Annotated[tuple[WorthRow, ...], "two rule bases each"]


def measure_worth(result: SimulationResult) -> WorthRow:
    """Return what came out for two rule bases; the result is one of a pair."""
    pair, other = result.pair, result.other
    if pair is None or other is None:
        raise ValueError("a rule base alone is worth nothing")
    ours, theirs = result.plan.choice, other.choice
    return WorthRow(
        ours=full_name(ours),
        theirs=full_name(theirs),
        hashes=hash_pair(ours, theirs),
        matches=pair.ours.matches,
        deals=pair.ours.deals,
        same=pair.ours == pair.theirs,
        differences=tuple(_round(one) for one in result.differences() if one.part == TOLD),
    )


def hash_pair(ours: Choice, theirs: Choice) -> tuple[str, str]:
    """Return the hashes of the rules of both."""
    return identity(rules(ours)), identity(rules(theirs))


def _round(one: FigureDifference) -> FigureDifference:
    """Return a difference with as many digits as anybody can use."""
    kept = {
        name: round(value, _DIGITS) if math.isfinite(value := getattr(one, name)) else value
        for name in ("ours", "theirs", "difference", "low", "high")
    }
    return FigureDifference(part=one.part, what=one.what, per=one.per, share=one.share, **kept)


def write_worth(path: Path, command: str, results: Sequence[SimulationResult], project: Project) -> None:
    """Write a page, and the numbers that it is made of beside it."""
    page = WorthPage(command=command, pairs=tuple(map(measure_worth, results)))
    put(path.with_suffix(".json"), write_numbers(page))
    put(path, write_page(page, project))


def write_numbers(page: WorthPage) -> str:
    """Return the numbers of a page, two rule bases on a line."""
    pairs = ",\n".join(f"    {json.dumps(write(one), ensure_ascii=False)}" for one in page.pairs)
    head = f'{{\n  "format": {json.dumps(page.format)},\n  "command": {json.dumps(page.command)},\n'
    return f'{head}  "pairs": [\n{pairs}\n  ]\n}}\n'


def read_worth(text: str) -> WorthPage:
    """Return the numbers in a file that was written here."""
    return read(WorthPage, json.loads(text))


# The page -------------------------------------------------------------------------------------------------------------


def write_page(page: WorthPage, project: Project) -> str:
    """Return the page in Markdown."""
    pairs = [(one, choose(one.ours, project), choose(one.theirs, project)) for one in page.pairs]
    first = pairs[0][1]
    readings = all(ours.game == theirs.game and ours.edition == theirs.edition for _, ours, theirs in pairs)
    title = (
        f"What each reading of {_name_rules(first)} is worth"
        if readings
        else " and ".join(map(_name_rules, pairs[0][1:]))
    )
    lines = [f"# {title}", "", *_HEAD.format(command=page.command).splitlines(), ""]
    if readings:
        lines += [*_tell_shortly(pairs), ""]
    for one, ours, theirs in pairs:
        lines += [*_tell_pair(one, ours, theirs, alone=not readings), ""]
    return "\n".join(lines).rstrip() + "\n"


_HEAD = """`{command}` writes this page, and beside it the numbers
that the page is made of. Sensible beginners play each match by both rules, with the same packs. An interval contains
the true difference in nineteen cases of twenty; a star marks an interval without zero. One figure in twenty
has a star by chance alone, so an interval that begins close to zero may mean nothing.
"""


def _name_rules(choice: Choice) -> str:
    """Return the name of the game with its edition."""
    return f"{Matter(choice, LANG).title} ({choice.edition})"


_Pair = tuple[WorthRow, Choice, Choice]


def _tell_shortly(pairs: Sequence[_Pair]) -> Iterator[str]:
    """Yield a table: each other reading, and how many figures it changes."""
    yield "| question | instead | figures with a star |"
    yield "|---|---|---:|"
    for one, ours, theirs in pairs:
        question, _, other = _name_reading(ours, theirs)
        clear = sum(row.is_clear for row in one.differences)
        yield f"| {question} | {other} | {'nothing differs' if one.same else f'{clear} of {len(one.differences)}'} |"


def _tell_pair(one: WorthRow, ours: Choice, theirs: Choice, *, alone: bool) -> Iterator[str]:
    """Yield heading and table of two rule bases."""
    if alone:
        names = _name_rules(ours), _name_rules(theirs)
        yield f"{one.matches:,} matches of each, {one.deals:,} deals of the first."
        shown = list(one.differences)
    else:
        question, own, other = _name_reading(ours, theirs)
        names = own, other
        yield f"## {question}: {other}"
        yield ""
        yield f"Instead of: {own}. {one.matches:,} matches, {one.deals:,} deals.{_tell_companions(ours)}"
        shown = [row for row in one.differences if row.is_clear]
    yield ""
    if one.same:
        yield "Nothing that is counted differs: everything came to the same sums."
        return
    if not shown:
        yield f"No figure differs beyond chance.{_tell_rest(one)}"
        return
    yield f"| figure | {names[0]} | {names[1]} | difference | interval |"
    yield "|---|---:|---:|---:|---:|"
    for row in shown:
        values = " | ".join(_write(row, value) for value in (row.ours, row.theirs))
        bounds = " to ".join(_write(row, bound, signed=True) for bound in (row.low, row.high))
        mark = " *" if row.is_clear else ""
        yield f"| {row.what} | {values} | {_write(row, row.difference, signed=True)} | {bounds}{mark} |"
    if not alone:
        yield ""
        yield f"All others may be alike.{_tell_rest(one)}"


def _tell_rest(one: WorthRow) -> str:
    """Return how far shares that may be alike can still lie from each other."""
    rest = [row for row in one.differences if row.share and not row.is_clear]
    if not rest:
        return ""
    widest = max(rest, key=lambda row: max(row.high, -row.low))
    return f" None of the shares is farther apart than {max(widest.high, -widest.low):.1%} ({widest.what})."


def _name_reading(ours: Choice, theirs: Choice) -> tuple[str, str, str]:
    """Return the question in which two rule bases differ, and what each answers."""
    other = dict(theirs.readings)
    key, value = next((key, value) for key, value in ours.readings if other[key] != value)
    entry = next((one for one in entries(ours.game, ours.project) if one.key == key), None)
    question = key if entry is None or entry.title is None else entry.title[LANG]
    return question, _name_value(entry, value), _name_value(entry, other[key])


def _name_value(entry: RegisterEntry | None, value: str) -> str:
    names = {one.value: one.name for one in entry.readings} if entry is not None else {}
    name = names.get(value)
    return value if name is None else name[LANG]


def _tell_companions(ours: Choice) -> str:
    """Return which other readings both have that are not those of the edition, because the other one needs them."""
    own = book(ours.game, ours.project).editions[ours.edition].readings
    changed = ", ".join(f"`{key}={value}`" for key, value in ours.readings if own.get(key) != value)
    return f" Both are played with {changed}, without which there is no such reading." if changed else ""


def _write(row: FigureDifference, value: float, *, signed: bool = False) -> str:
    sign = "+" if signed else ""
    return f"{value:{sign}.2%}" if row.share else f"{value:{sign}.3f}"
