"""`brou fuzz`: random matches with a program, differences explained and shrunk."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from brou import BrouError, Choice, choose, identity, spread
from brou.atomic import expect
from brou.words import find_user_language
from brou_conformance.judging.judge import Status
from brou_conformance.judging.reasons import find_reason
from brou_conformance.programs.child import Failure
from brou_conformance.programs.containment import Bounds, is_contained
from brou_conformance.programs.identity import identify
from brou_conformance.programs.in_process import file_of
from brou_conformance.programs.session import Hello, Limits, Session
from brou_conformance.protocol import schema
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.page import Page
from brou_conformance.reports.sentences import Sentences
from brou_conformance.scenarios.script import machine
from brou_conformance.verdicts.desk import Desk
from brou_conformance.verdicts.plan import EditionPlan, Selection, plans
from brou_conformance.verdicts.tally import Tally
from brou_conformance.verdicts.verdict import EditionRun
from brou_conformance.verdicts.verify import RunObserver, judge_edition
from brou_tools.documents.json_document import print_report
from brou_tools.fuzz.campaign import Campaign, open_campaign
from brou_tools.fuzz.drawing import MatchSetting
from brou_tools.fuzz.explaining import explain_findings, group_findings
from brou_tools.fuzz.lockstep import MatchTask, ProgramUnderTest, close_conversations, play_match
from brou_tools.fuzz.options import FuzzOptions
from brou_tools.fuzz.report import FuzzedEdition, FuzzReport, ReportedScenarios, ToldDifference, ToldEdition
from brou_tools.fuzz.scenario_file import put_scenario, write_scenario
from brou_tools.fuzz.shrinking import ShrinkTask, shrink_finding
from brou_tools.options.agreed import read_agreement
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.cluster import work_on
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.progress import ProgressLine
from brou_tools.terminal.workers import exit_on_sigterm, workers

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")
#: How work is done: every part with its result, in the order of the parts.
_Doing = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]

#: The matches of a round, which are chosen by what the rounds before it reached; and the seeds that each chooses among.
ROUND, CANDIDATES = 16, 8
#: Of findings that behave alike so many are shrunk, and after those only such as are shorter than the smallest.
_SHRUNK, _MORE = 3, 8


def run(options: FuzzOptions) -> int:
    """Play, explain, print."""
    if options.schema:
        print(json.dumps(schema("fuzz"), indent=2))
        return Exit.FINE
    if options.campaign:
        expect(Path(options.campaign))
    with exit_on_sigterm():
        try:
            return _CampaignRun(options).run()
        finally:
            close_conversations()


@dataclass(slots=True)
class _EditionCampaign:
    """An edition under way: its plan under the readings that are found, and what the scenarios came to."""

    plan: EditionPlan
    setting: MatchSetting
    tally: Tally
    scenarios: ReportedScenarios
    inferred: dict[str, str]


class _CampaignRun:
    """One run of a campaign."""

    def __init__(self, options: FuzzOptions) -> None:
        self.options = options
        self.subject = _find_subject(options)
        self.selections = self._list_selections()
        self.engine: dict[str, str] = {}
        self.notes: list[str] = []
        self.unusable = ""
        self._words = Sentences(find_user_language(options.lang, os.environ, options.project), options.project)
        self._teller = Teller(self._words, Page.of(sys.stdout))
        self._progress = ProgressLine()

    def run(self) -> int:
        options = self.options
        editions = self._prepare()
        if editions is None:
            said = self._words.say("cannot_be_used", what=self._words.echo(self.unusable))
            print(f"brou: {said[:1].lower()}{said[1:].rstrip('.')}", file=sys.stderr)
            return Exit.UNUSABLE
        about = self._describe(editions)
        with open_campaign(Path(options.campaign) if options.campaign else None, about) as campaign:
            with self._share() as do:
                for edition in editions:
                    self._play(campaign, edition, do)
                    self._shrink(campaign, edition.setting, do)
            self._progress.clear()
            told = [self._tell(campaign, edition) for edition in editions]
        self._print(told)
        conclude(f"played {count(sum(one.document.matches for one in told), 'match', 'matches')}")
        if self.unusable:
            return Exit.UNUSABLE
        return Exit.FINDING if any(one.differences for one in told) else Exit.FINE

    # Before the matches -----------------------------------------------------------------------------------------------

    def _prepare(self) -> list[_EditionCampaign] | None:
        """Return every edition to play, judged by its scenarios; None if the program cannot be used."""
        with self.subject.open() as session:
            hello = session.hello()
            if isinstance(hello, Failure):
                self.unusable = hello.what
                return None
            self.engine = dict(hello.engine)
            return [self._judge(plan, setups, session) for plan, setups in self._list_plans(hello) if not plan.wrong]

    def _list_selections(self) -> list[tuple[Selection, tuple[str, ...]]]:
        """Return what the options want, with its set-ups; raise `Unknown` for rules that are not there."""
        options, project = self.options, self.options.project
        corpus = Path(options.scenarios).resolve() if options.scenarios else project
        base = Selection(corpus=corpus, data=project)
        if options.agreement:
            agreed = read_agreement(options.agreement, project)
            return [(replace(base, game=agreed.game, edition=agreed.edition, agreed=agreed.readings), ())]
        return [self._select(base, name) for name in options.rules] or [(base, ())]

    def _list_plans(self, hello: Hello) -> Iterator[tuple[EditionPlan, tuple[str, ...]]]:
        """Yield each edition that the program plays and the options want, with the set-ups that are wanted."""
        for selection, setups in self.selections:
            for plan in plans(hello, selection, self.notes):
                if plan.wrong:
                    self.notes.append(f"{plan.name}: {plan.wrong}")
                yield plan, setups

    def _select(self, base: Selection, name: str) -> tuple[Selection, tuple[str, ...]]:
        """Return the selection of a named rule base; readings that are named hold whatever the program declares."""
        spread(name, base.data)
        choice = choose(name, base.data)
        edition = choice.edition if "@" in name else ""
        setups = (choice.setup,) if ":" in name else ()
        agreed = choice.readings if "[" in name else ()
        return replace(base, game=choice.game, edition=edition, agreed=agreed), setups

    def _judge(self, plan: EditionPlan, setups: tuple[str, ...], session: Session) -> _EditionCampaign:
        """Ask the scenarios of an edition, and return it under the readings that the answers show."""
        hello, wanted = plan.hello, plan.wanted
        tally, asked, inferred = Tally(data=wanted.data, corpus=wanted.corpus), ReportedScenarios(asked=0, wrong=0), {}
        if not self.options.bare and plan.discovered:
            watch = _ScenarioProgress(self._progress, plan.name, plan.discovered)
            judged: EditionRun = judge_edition(plan, Desk(hello, [session], {}, wanted.data), watch, explains=False)
            inferred = {key: one.value for key, one in judged.inferred.items()}
            plan = plan.under(inferred) if inferred else plan
            tally = judged.tally
            wrong = sum(skill.wrong for skill in judged.skills.values())
            asked = ReportedScenarios(asked=judged.asked, wrong=wrong)
        played = [setup for game, name, setup in hello.plays if (game, name) == (plan.choice.game, plan.choice.edition)]
        choices = tuple(
            replace(plan.choice, setup=setup) for setup in dict.fromkeys(played) if not setups or setup in setups
        )
        by_position = not hello.can & {"deal", "match"}
        setting = MatchSetting(
            choices,
            deals="deal" in hello.can or by_position,
            whole={"match", "deal"} <= hello.can or ("match" in hello.can and "deal" not in hello.can),
            scenarios=not self.options.uniform,
            data=wanted.data,
            corpus=wanted.corpus,
        )
        return _EditionCampaign(plan, setting, tally, asked, inferred)

    def _describe(self, editions: Sequence[_EditionCampaign]) -> dict[str, object]:
        """Return everything that the matches of a campaign depend on."""
        options = self.options
        command = [file_of(options.python)] if options.python else options.command
        named = identify(command, "", [Path(options.campaign)] if options.campaign else [])
        return {
            "program": [list(named.command), sorted(map(list, (named.files or {}).items()))],
            "engine": self.engine,
            "seed": options.seed,
            "uniform": options.uniform,
            "rules": [
                [one.plan.name, dict(one.plan.choice.readings), [_hash(each, one) for each in one.setting.choices]]
                for one in editions
            ],
        }

    # Matches ----------------------------------------------------------------------------------------------------------

    @contextmanager
    def _share(self) -> Iterator[_Doing]:
        """Open whoever does the work: this process, several, or a cluster."""
        options = self.options
        with ExitStack() as stack:
            if options.scheduler:
                yield partial(_do_on_cluster, options.scheduler)
            elif options.jobs > 1:
                pool: ProcessPoolExecutor = stack.enter_context(workers(options.jobs))
                yield pool.map
            else:
                yield map

    def _play(self, campaign: Campaign, edition: _EditionCampaign, do: _Doing) -> None:
        """Play the matches of an edition that are not written down yet, round by round."""
        name, wanted = edition.plan.name, 1 if self.options.match is not None else self.options.matches
        done = campaign.count_matches(name)
        reached = campaign.count_reached(name)
        # What the rounds before this one reached: a run that goes on in the midst of one has to know that alone.
        if done % ROUND:
            reached = self._recall(campaign, edition, done - done % ROUND)
        while done < wanted and not self.unusable:
            numbers = range(done, min(wanted, done - done % ROUND + ROUND))
            tasks = [
                MatchTask(self.subject, edition.setting, self._list_seeds(number), dict(reached)) for number in numbers
            ]
            fresh = Counter[str]()
            for number, result in zip(numbers, do(play_match, tasks), strict=True):
                if result.unusable and result.status == Status.BLOCKED.value:
                    self.unusable = result.unusable
                    break
                campaign.keep(name, [(number, result)])
                fresh.update(result.reached)
                done = number + 1
                self._progress.show(f"{name}: match of seed {result.seed}", done, wanted)
            reached = campaign.count_reached(name) if done % ROUND == 0 else reached + fresh

    def _recall(self, campaign: Campaign, edition: _EditionCampaign, before: int) -> Counter[str]:
        """Return what the first so many matches reached."""
        from brou_tools.fuzz.coverage import find_reached  # noqa: PLC0415 - only a run that goes on asks
        from brou_tools.fuzz.drawing import draw_match  # noqa: PLC0415 - likewise

        found = Counter[str]()
        for seed in campaign.list_seeds(edition.plan.name)[:before]:
            found.update(find_reached(draw_match(edition.setting, seed), edition.setting.data))
        return found

    def _list_seeds(self, number: int) -> tuple[int, ...]:
        """Return the seeds that the match of a number is chosen among."""
        options = self.options
        if options.match is not None:
            return (options.match,)
        if options.uniform:
            return (options.seed + number,)
        first = options.seed + number * CANDIDATES
        return tuple(range(first, first + CANDIDATES))

    def _shrink(self, campaign: Campaign, setting: MatchSetting, do: _Doing) -> None:
        """Shrink the findings of an edition: some that behave alike, and those that are shorter still."""
        chosen = []
        for alike in group_findings(campaign.list_findings(setting.name)).values():
            in_order = sorted(alike, key=lambda one: (len(one.raw.messages), one.number))
            small = [len(one.small.messages) for one in alike if one.small]
            wanted = in_order[: max(_SHRUNK - len(small), 0)]
            shorter = [one for one in in_order if small and len(one.raw.messages) < min(small)]
            by_number = {one.number: one for one in [*wanted, *shorter[:_MORE]]}
            chosen += [one for one in by_number.values() if one.small is None]
        tasks = [ShrinkTask(self.subject, setting, one.raw) for one in chosen]
        for number, (one, small) in enumerate(zip(chosen, do(shrink_finding, tasks), strict=True), 1):
            campaign.keep_small(setting.name, one.number, small)
            self._progress.show(f"{setting.name}: differences shrunk", number, len(chosen))

    # Telling ----------------------------------------------------------------------------------------------------------

    def _tell(self, campaign: Campaign, edition: _EditionCampaign) -> ToldEdition:
        """Explain the findings of an edition and return its part of the report."""
        name, setting, options = edition.plan.name, edition.setting, self.options
        passing = campaign.list_seeds(name, [Status.PASS.value])
        explained = explain_findings(edition.plan, setting, edition.tally, campaign.list_findings(name), passing)
        told = []
        for difference in explained.differences:
            choice = next(one for one in setting.choices if one.setup == difference.shown.setup)
            written = write_scenario(difference.shown, choice, setting.data)
            file = put_scenario(written, Path(options.write), choice.game) if options.write and written else ""
            told.append(
                ToldDifference(
                    difference,
                    find_reason(difference.shown.disputed, choice, setting.data),
                    choice,
                    str(written["id"]) if written else "",
                    str(file),
                    setting.data,
                )
            )
        reached, matches = campaign.count_reached(name), campaign.count_matches(name)
        last = options.seed + matches * (1 if options.uniform else CANDIDATES)
        document = FuzzedEdition(
            game=edition.plan.choice.game,
            edition=edition.plan.choice.edition,
            setups=tuple(one.setup for one in setting.choices),
            readings=dict(edition.plan.choice.readings),
            inferred=edition.inferred,
            matches=matches,
            statuses=dict(sorted(campaign.count_statuses(name).items())),
            asked=campaign.count_asked(name),
            seeds=(str(options.seed), str(last)) if options.match is None else (str(options.match),) * 2,
            reached=len(reached),
            once=sum(1 for number in reached.values() if number == 1),
            scenarios=edition.scenarios,
            differences=tuple(one.report() for one in told),
            whole=explained.explanation.is_whole,
            cut_short=explained.explanation.is_cut_short,
        )
        return ToldEdition(document, tuple(told), explained)

    def _print(self, told: Sequence[ToldEdition]) -> None:
        if self.options.json:
            print_report(
                FuzzReport(
                    engine=self.engine,
                    seed=str(self.options.seed),
                    directed=not self.options.uniform,
                    editions=tuple(one.document for one in told),
                    notes=tuple(self.notes),
                    unusable=self.unusable,
                )
            )
            return
        for number, one in enumerate(told):
            print("\n" * bool(number) + "\n".join(one.lines(self._spell_again(one), self._teller)))
        for note in self.notes:
            print(self._words.tell("fuzz", "not_played", note=self._words.echo(note)))
        if self.unusable:
            print(self._words.say("not_to_the_end", what=self._words.echo(self.unusable)))

    def _spell_again(self, told: ToldEdition) -> str:
        """Return the command that plays a match again, with SEED for its seed."""
        options = self.options
        named = next((one for one in options.rules if one.startswith(told.document.game)), told.name)
        chosen = ["--agreement", options.agreement] if options.agreement else [named]
        flags = ["--uniform"] * options.uniform + ["--bare"] * options.bare
        for name, value in (("data", options.data), ("scenarios", options.scenarios), ("lang", options.lang)):
            flags += [f"--{name}", value] if value else []
        whom = ["--python", options.python] if options.python else ["--program", options.registered or ""]
        program = ["--", *options.program] if options.program else whom
        return shlex.join(["brou", "fuzz", *chosen, *flags, "--match", "SEED", *program])


class _ScenarioProgress(RunObserver):
    """Shows how many scenarios were put to the program."""

    def __init__(self, line: ProgressLine, name: str, total: int) -> None:
        self._line, self._name, self._total, self._done = line, name, total, 0

    def on_plan(self, name: str, total: int) -> None:
        """Begin to count anew."""
        self._name, self._total, self._done = name, total, 0

    def on_case(self, case: object) -> None:  # noqa: ARG002 - only that there was one counts
        """Count one more."""
        self._done += 1
        self._line.show(f"{self._name}: scenarios", self._done, self._total)


def _do_on_cluster(scheduler: str, do: Callable[[_Part], _Result], parts: Sequence[_Part]) -> Iterator[_Result]:
    """Yield the results of some parts that a cluster does, in the order of the parts."""
    numbered = list(enumerate(parts))
    done = {number: result for (number, _), result in work_on(scheduler, partial(_do_numbered, do), numbered)}
    yield from (done[number] for number, _ in numbered)


def _do_numbered(do: Callable[[_Part], _Result], part: tuple[int, _Part]) -> _Result:
    return do(part[1])


def _hash(choice: Choice, edition: _EditionCampaign) -> str:
    return identity(machine(choice, edition.setting.data).game)


def _find_subject(options: FuzzOptions) -> ProgramUnderTest:
    bounds = Bounds(options.memory, options.cpu)
    if bounds != Bounds() and not is_contained():
        raise BrouError(
            "--memory and --cpu are held on Linux alone, where /proc shows who started whom; leave them out"
        )
    limits = Limits.choose(options.timeout, options.start_timeout)
    return ProgramUnderTest(() if options.python else options.command, options.python, bounds, limits)
