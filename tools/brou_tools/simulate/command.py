"""`brou simulate`: figures from random matches, with intervals."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from brou import Choice, Node, Unknown, choose, outside, rules
from brou.atomic import expect, put
from brou.words import find_user_language
from brou_conformance.programs.engine import choices
from brou_conformance.protocol import schema
from brou_tools.documents.json_document import print_report
from brou_tools.documents.part_record import Parts, open_record
from brou_tools.matches.pairs import PairTally, play_pairs
from brou_tools.matches.plan import FEW, MatchPlan, open_player, play_seeds
from brou_tools.matches.play import MatchTally
from brou_tools.matches.policy import check_weights, conduct, read_conduct, teach_rules
from brou_tools.questions.compatible import pair_readings
from brou_tools.simulate.bars import draw_shares
from brou_tools.simulate.figures import HEADS, TOLD, figures, table, write_head
from brou_tools.simulate.idle import find_idle
from brou_tools.simulate.merging import merge_documents
from brou_tools.simulate.options import SimulateOptions
from brou_tools.simulate.report import SimulationReport, SimulationResult
from brou_tools.simulate.rows import check_writer, write_rows
from brou_tools.simulate.shards import PlayLimits, ShardRun, TallyWay
from brou_tools.simulate.worth_page import LANG, write_worth
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.cluster import open_sharing
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.progress import ProgressLine
from brou_tools.terminal.workers import exit_on_sigterm

#: A rule base, and another one that plays the same deals.
_Pair: TypeAlias = "tuple[MatchPlan, MatchPlan | None]"
#: How many times as often an act counts whose weight is varied.
_VARIED = 2
#: So many matches are played where nothing is said; and at the most where an interval is to narrow.
_MATCHES, _PATIENT = 100, 10_000_000


def run(options: SimulateOptions) -> int:
    """Play and print."""
    if options.schema:
        print(json.dumps(schema("simulation"), indent=2))
        return Exit.FINE
    for name in filter(None, (options.svg, options.rows, options.page)):
        expect(Path(name))
    if options.rows:
        check_writer(Path(options.rows))
    if options.fit:
        return _fit(options, Path(options.fit))
    if options.idle:
        return _tell_idle(options)
    lang = LANG if options.page else find_user_language(options.lang, os.environ, options.project)
    files = [Path(name) for name in options.rules]
    with exit_on_sigterm():
        found = merge_documents(files, options.project, lang) if options.merge else _play_all(options, lang)
    if options.svg:
        put(Path(options.svg), draw_shares([(one.name, list(one.figures())) for one in found]))
    if options.rows:
        write_rows(Path(options.rows), found)
    if options.page:
        write_worth(Path(options.page), _recall(options), found, options.project)
    conclude(f"{'added up' if options.merge else 'played'} {count(len(found), 'rule base')}")
    if options.json:
        print_report(SimulationReport(games=tuple(one.report() for one in found)))
    else:
        print("\n".join(_tell(one) for one in found), end="")
    return Exit.FINE


# Playing --------------------------------------------------------------------------------------------------------------


def _tell_idle(options: SimulateOptions) -> int:
    """Tell which duties and exceptions came to nothing in some matches of each rule base."""
    count = _MATCHES if options.matches is None else options.matches
    progress = ProgressLine()
    for choice in choices(options.rules, options.project):
        idle = find_idle(choice, range(options.seed, options.seed + count), progress)
        progress.clear()
        print(f"{choice}:", "\n".join(idle.lines()))
    return Exit.FINE


def _fit(options: SimulateOptions, path: Path) -> int:
    """Print the conduct that the games in a log were likeliest played by."""
    from brou_conformance.played.reading import read_log  # noqa: PLC0415 - whoever plays reads no log
    from brou_tools.matches.observed import observe_log  # noqa: PLC0415 - likewise
    from brou_tools.simulate.fitting import fit_weights, write_conduct  # noqa: PLC0415 - likewise

    log = read_log(path, options.project)
    games = list(dict.fromkeys(one.choice.game for one in log.games))
    if len(games) > 1:
        raise Unknown("game of a log whose conduct is fitted", games[1], games[:1])
    known = _read_conduct(options, games) or conduct(games[0], options.project).acts
    evidence = observe_log(log, known)
    acts = dict.fromkeys(name for one in log.games for name in rules(one.choice).actions)
    print(write_conduct(games[0], known, acts, evidence, fit_weights(evidence)), end="")
    conclude(f"fitted to {count(evidence.deals, 'deal')}")
    return Exit.FINE if evidence.decisions else Exit.FINDING


def _read_conduct(options: SimulateOptions, games: Sequence[str]) -> Mapping[str, Node] | None:
    """Return the weights in the file that is to be played by, if any."""
    return read_conduct(Path(options.conduct), games).acts if options.conduct else None


def _play_all(options: SimulateOptions, lang: str) -> list[SimulationResult]:
    """Play every rule base that is named."""
    pairs = _list_pairs(options)
    for plan, _ in pairs:
        _check_figure(plan, options.figure)
    report = Path(options.report) if options.report else None
    with open_record(report, _about(options, pairs), options.project, resume=options.resume) as parts:
        whole = _Run(options, parts, lang)
        return [whole.play(number, plan, beside) for number, (plan, beside) in enumerate(pairs)]


def _list_pairs(options: SimulateOptions) -> list[_Pair]:
    """Return each rule base that is named, with another one that plays the same deals if one is wanted."""
    played = choices(options.rules, options.project)
    other = None if options.against is None else choose(options.against, options.project)
    given = _parse_weights(options.weigh, [*played, *([] if other is None else [other])])
    packs = other is not None or options.vary or options.readings
    own = _read_conduct(options, list(dict.fromkeys(choice.game for choice in played)))
    plans = [_plan(choice, more, options, own, packs=packs) for choice, more in zip(played, given, strict=False)]
    if options.vary:
        return [(plan, varied) for plan in plans for varied in _vary(plan)]
    if options.readings:
        return [pair for plan in plans for pair in _pair_readings(plan)]
    if other is None:
        return [(plan, None) for plan in plans]
    theirs = _parse_weights(options.weigh_against, [other])[0]
    usual = None if own is None else conduct(other.game, other.project).acts
    beside = _plan(other, {**given[-1], **theirs}, options, usual, packs=True)
    return [(plan, beside) for plan in plans]


def _plan(
    choice: Choice,
    given: Mapping[str, str],
    options: SimulateOptions,
    own: Mapping[str, Node] | None = None,
    *,
    packs: bool,
) -> MatchPlan:
    """Return how a rule base is played; with a conduct of its own nothing counts of that of the game.

    Raise `Invalid`, with the place in its file, for a conduct that means nothing in the rule base.
    """
    teach_rules(choice, own or {})
    acts = {} if own is None else {name: said.text for name, said in own.items()}
    mindless = options.mindless or own is not None
    return MatchPlan(choice, tuple(sorted({**acts, **given}.items())), mindless, packs, options.longest)


def _vary(plan: MatchPlan) -> Iterator[MatchPlan]:
    """Yield the same rule base as often as an act has a weight there, each time with the weight of one doubled."""
    known = rules(plan.choice).actions
    for name, said in plan.acts.items():
        if name in known and said.text.strip() != "0":
            doubled = {**dict(plan.given), name: f"{_VARIED} * ({said.text})"}
            yield replace(plan, given=tuple(sorted(doubled.items())))


def _pair_readings(plan: MatchPlan) -> Iterator[_Pair]:
    """Yield the rule base beside each other reading, or one beside which that reading can be chosen."""
    for base, others in pair_readings(plan.choice).items():
        for _, other in others:
            yield replace(plan, choice=base), replace(plan, choice=other)


class _Run:
    """A run of several rule bases, each alone or beside another one."""

    def __init__(self, options: SimulateOptions, parts: Parts, lang: str) -> None:
        self._options = options
        self._parts = parts
        self._lang = lang
        self._limits = _limit(options)
        self._native = self._limits.matches > FEW

    def play(self, number: int, plan: MatchPlan, beside: MatchPlan | None) -> SimulationResult:
        """Play one rule base."""
        options = self._options
        for one in (plan, beside):
            if one is not None and options.jobs > 1:
                open_player(one, native=self._native)  # processes that are forked later have it then
        share = open_sharing(options.jobs, options.scheduler)
        reach = partial(_reach, plan.choice, options.figure)
        tally: MatchTally | PairTally
        if beside is None:
            way = TallyWay(partial(play_seeds, plan, native=self._native), MatchTally.of, reach)
            run = ShardRun(number, str(plan.choice), way, self._parts, share)
            tally = run.play(options.seed, self._limits, MatchTally())
        else:
            pairs = TallyWay(partial(play_pairs, plan, beside, native=self._native), PairTally.of, reach)
            both = ShardRun(number, f"{plan.choice} against {beside.choice}", pairs, self._parts, share)
            tally = both.play(options.seed, self._limits, PairTally())
        return SimulationResult(plan, [(options.seed, tally.played)], tally, beside, self._lang)


def _limit(options: SimulateOptions) -> PlayLimits:
    """Return how far is played: a hundred matches, unless something else is wanted."""
    enough = options.deals is not None or options.within is not None
    if options.matches is not None:
        most = options.matches
    elif options.deals is not None:
        most = options.deals
    else:
        most = _PATIENT if enough else _MATCHES
    return PlayLimits(most, options.deals, options.within)


def _reach(choice: Choice, figure: str | None, found: MatchTally | PairTally) -> float:
    """Return how far the widest interval reaches to one side, of a headline figure or of all that are shares."""
    tally = found.ours if isinstance(found, PairTally) else found
    tellings = {telling.id: telling for telling in conduct(choice.game, choice.project).tellings}
    names = {
        key: (key[0], tellings[key[0]].per)
        for key in tally.told
        if (key[0] == figure if figure else tellings[key[0]].share)
    }
    told = [one for one in figures(tally, names) if one.part == TOLD]
    return max((max(one.high - one.value, one.value - one.low) for one in told), default=math.inf)


def _check_figure(plan: MatchPlan, figure: str | None) -> None:
    """Refuse a headline figure that there is not."""
    known = [telling.id for telling in conduct(plan.choice.game, plan.choice.project).tellings]
    if figure is not None and figure not in known:
        raise Unknown(f"headline figure of {plan.choice.game}", figure, known)


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


def _about(options: SimulateOptions, pairs: Sequence[_Pair]) -> dict[str, object]:
    """Return everything that the result of a run depends on."""
    limits = _limit(options)
    return {
        "command": "simulate",
        "rules": [[str(plan.choice), dict(plan.choice.readings)] for plan, _ in pairs],
        "against": [None if other is None else _identify(other) for _, other in pairs],
        "seed": options.seed,
        "matches": limits.matches,
        "deals": limits.deals,
        "within": limits.within,
        "figure": options.figure,
        "longest": options.longest,
        "weights": list(options.weigh),
        "mindless": options.mindless,
        "conduct": None if options.conduct is None else [_identify(plan) for plan, _ in pairs],
    }


def _identify(plan: MatchPlan) -> list[Any]:
    return [str(plan.choice), dict(plan.choice.readings), dict(plan.given)]


def _recall(options: SimulateOptions) -> str:
    """Return the command that plays this page again, in however many processes."""
    said = ["brou simulate", *options.rules]
    said += [f"--against {options.against}"] if options.against is not None else ["--readings"]
    limits = (("-n", options.matches), ("--deals", options.deals), ("--within", options.within))
    said += [f"{name} {value}" for name, value in limits if value is not None]
    return " ".join([*said, f"--page {options.page}"])


# Telling --------------------------------------------------------------------------------------------------------------


def _tell(one: SimulationResult) -> str:
    """Return what came out, as people read it."""
    seed, longest = one.seeds[0][0], one.plan.longest
    if one.pair is None or one.other is None:
        return table(one.name, one.tally, seed, one.names, longest)
    lines = [
        write_head(one.name, one.tally, seed, longest),
        f"against {write_head(str(one.other.choice), one.pair.theirs, seed, longest)}",
        *_tell_weights(one.plan, one.other),
        "the same deals: the k-th pack of a match is the same for both; * marks what differs beyond chance",
    ]
    same = one.plan.choice == one.other.choice
    # Two ways to play by the same rules differ nearly everywhere; what people ask first is enough.
    found = [row for row in one.differences() if row.part == TOLD or not same]
    wide = max((len(row.what) for row in found), default=0)
    for part in dict.fromkeys(row.part for row in found):
        lines += ["", f"  {HEADS[part]}"]
        for row in (row for row in found if row.part == part):
            values = " ".join(f"{_write(value, share=row.share):>9}" for value in (row.ours, row.theirs))
            bounds = " to ".join(_write(bound, share=row.share, signed=True) for bound in (row.low, row.high))
            more = _write(row.difference, share=row.share, signed=True)
            lines.append(
                f"    {row.what:{wide}}  {values}  {more:>9}   {bounds:22}{'*' if row.is_clear else ''}".rstrip()
            )
    return "\n".join(lines) + "\n"


def _tell_weights(plan: MatchPlan, other: MatchPlan) -> Iterator[str]:
    """Yield a line for each weight that the other rule base has instead, where both are played by other weights."""
    given = dict(plan.given)
    for name, said in other.given:
        if given.get(name) != said:
            yield f"there {outside(name)} counts {said}"


def _write(value: float, *, share: bool, signed: bool = False) -> str:
    sign = "+" if signed else ""
    return f"{value:{sign}.2%}" if share else f"{value:{sign}.3f}"
