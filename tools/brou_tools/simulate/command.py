"""`brou simulate`: figures from random matches, with intervals."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from brou import Choice, Unknown, rules
from brou.atomic import expect, put
from brou.shapes import Limit, shape
from brou.words.text import language
from brou_conformance.programs.engine import choices
from brou_conformance.protocol import schema
from brou_tools.documents.json_document import print_report
from brou_tools.documents.part_record import Parts, open_record
from brou_tools.matches.counts import name_figures
from brou_tools.matches.play import MatchTally, simulate
from brou_tools.matches.policy import check_weights, conduct, merge_weights
from brou_tools.simulate.bars import draw_shares
from brou_tools.simulate.figures import Statistic, figures, table
from brou_tools.simulate.idle import find_idle
from brou_tools.simulate.options import SimulateOptions
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.progress import ProgressLine
from brou_tools.terminal.workers import work

#: Matches are handed out in so many parts for each process.
_PARTS = 8
#: At most so many are one part where a record is kept: no more are lost with the process.
_KEPT = 100


def run(options: SimulateOptions) -> int:
    """Play and print."""
    if options.schema:
        print(json.dumps(schema("simulation"), indent=2))
        return Exit.FINE
    if options.svg:
        expect(Path(options.svg))
    played = choices(options.rules, options.project)
    if options.idle:
        for choice in played:
            idle = find_idle(choice, range(options.seed, options.seed + options.matches))
            print(f"{choice}:", "\n".join(idle.lines()))
        return Exit.FINE
    given = _parse_weights(options.weigh, played)
    lang = language(options.lang, os.environ, options.project)
    report = Path(options.report) if options.report else None
    with open_record(report, _about(options, played), options.project, resume=options.resume) as parts:
        found = [
            _SimulationResult(choice, _play_matches(number, choice, own, options, parts), lang)
            for number, (choice, own) in enumerate(zip(played, given, strict=True))
        ]
    if options.svg:
        put(Path(options.svg), draw_shares([(one.name, list(one.figures())) for one in found]))
    if options.json:
        print_report(SimulationReport(games=tuple(one.report(options.seed) for one in found)))
    else:
        print("\n".join(table(one.name, one.tally, options.seed, one.names) for one in found), end="")
    return Exit.FINE


_Count: TypeAlias = Annotated[int, Limit(minimum=0)]


@shape()
class SimulatedGame:
    """What random matches of a rule base came to."""

    game: Annotated[str, "the game"]
    rules: Annotated[str, "game@edition:setup"]
    readings: Annotated[Mapping[str, str], "readings that are not the edition's own"]
    seed: Annotated[int, "match k is played with the seed seed + k"]
    matches: Annotated[int, Limit(minimum=1), "how many matches were played"]
    deals: Annotated[_Count, "how many deals they had"]
    unfinished: Annotated[_Count, "matches that were stuck or too long"]
    figures: Annotated[tuple[Statistic, ...], "what came to pass, and how often"]


@shape()
class SimulationReport:
    """What random matches came to (brou simulate --json)."""

    format: Literal["brou-simulation/1"] = "brou-simulation/1"
    games: Annotated[tuple[SimulatedGame, ...], "a rule base each"]


class _SimulationResult:
    """The tally of a rule base's matches, and the names of its figures in a language."""

    def __init__(self, choice: Choice, tally: MatchTally, lang: str) -> None:
        self.choice, self.tally, self.name = choice, tally, str(choice)
        self.names = name_figures(rules(choice), conduct(choice.game, choice.project).tellings, lang, choice.project)

    def figures(self) -> Iterator[Statistic]:
        """Yield every figure."""
        return figures(self.tally, self.names)

    def report(self, seed: int) -> SimulatedGame:
        """Return the whole as a report has it."""
        return SimulatedGame(
            game=self.choice.game,
            rules=self.name,
            readings=dict(self.choice.readings),
            seed=seed,
            matches=self.tally.matches,
            deals=self.tally.deals,
            unfinished=self.tally.unfinished,
            figures=tuple(self.figures()),
        )


def _parse_weights(said: Sequence[str], played: Sequence[Choice]) -> list[dict[str, str]]:
    """Return the weights that concern each rule base; one that concerns none is refused, as the last of them does."""
    given: list[dict[str, str]] = [{} for _ in played]
    for text in said:
        name, equals, weight = text.partition("=")
        if not equals:
            raise Unknown("form of a weight", text, ["ACTION=EXPRESSION"])
        one = {name.strip().replace("-", "_"): weight}
        refusals: list[Unknown] = []
        for choice, own in zip(played, given, strict=True):
            try:
                check_weights(choice, one)
            except Unknown as error:
                refusals.append(error)
            else:
                own.update(one)
        if len(refusals) == len(played):
            raise refusals[-1]
    return given


def _about(options: SimulateOptions, played: Sequence[Choice]) -> dict[str, Any]:
    """Return everything that the result of a run depends on."""
    return {
        "command": "simulate",
        "rules": [[str(choice), dict(choice.readings)] for choice in played],
        "seed": options.seed,
        "matches": options.matches,
        "weights": list(options.weigh),
        "mindless": options.mindless,
    }


def _play_matches(
    number: int, choice: Choice, given: Mapping[str, str], options: SimulateOptions, parts: Parts
) -> MatchTally:
    """Play all matches of a rule base that the record does not hold already, in several processes if so wanted."""
    acts = merge_weights(choice.game, given, choice.project, mindless=options.mindless)
    whole, progress = MatchTally(), ProgressLine()
    seeds = range(options.seed, options.seed + options.matches)
    kept = _find_kept(number, seeds, parts.known)
    for part in kept:
        whole.merge(MatchTally.of(parts.known[_name(number, part)]))
    most = _KEPT if options.report else options.matches
    size = min(most, max(1, options.matches // (_PARTS * options.jobs)))
    pieces = [gap[at : at + size] for gap in _gaps(seeds, kept) for at in range(0, len(gap), size)]
    with closing(work(options.jobs, partial(simulate, choice, acts), pieces)) as found:
        for part, tally in found:
            parts.keep(_name(number, part), tally.document())
            whole.merge(tally)
            progress.show(f"{choice}: matches", whole.matches, options.matches)
    progress.clear()
    return _sort_keys(whole)


def _name(number: int, seeds: range) -> str:
    """Return the name in a record of the matches with some seeds of one of the rule bases."""
    return f"{number} {seeds.start} {seeds.stop}"


def _find_kept(number: int, seeds: range, known: Iterable[str]) -> list[range]:
    """Return which seeds of a rule base a record holds, in their order and none twice."""
    found: list[range] = []
    named = sorted(tuple(map(int, name.split())) for name in known)
    for first, last in ((first, last) for of, first, last in named if of == number):
        if (found[-1].stop if found else seeds.start) <= first < last <= seeds.stop:
            found.append(range(first, last))
    return found


def _gaps(seeds: range, kept: Sequence[range]) -> list[range]:
    """Return the seeds between the recorded ones."""
    starts = [seeds.start, *(part.stop for part in kept)]
    stops = [*(part.start for part in kept), seeds.stop]
    return [range(start, stop) for start, stop in zip(starts, stops, strict=True) if start < stop]


def _sort_keys(tally: MatchTally) -> MatchTally:
    """Return a tally with its keys sorted, the same for any order of arrival."""
    tally.per_deal = dict(sorted(tally.per_deal.items()))
    tally.per_match = dict(sorted(tally.per_match.items()))
    return tally
