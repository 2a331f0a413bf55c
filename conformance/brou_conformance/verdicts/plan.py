"""Plans: which scenarios a program is judged by, edition by edition, and under which readings."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from brou import (
    BrouError,
    Choice,
    Folder,
    Unknown,
    Unusable,
    book,
    catalogue,
    keep_until_changed,
    open_project,
    with_readings,
)
from brou.cache import load_or_make
from brou.games import list_rule_files
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Criteria, matches
from brou_conformance.programs.session import Hello
from brou_conformance.scenarios.corpus import Batch, Corpus, applying, batches
from brou_conformance.scenarios.course import follow
from brou_conformance.scenarios.quick import rank_quick
from brou_conformance.scenarios.scenario import Scenario, ScriptStep
from brou_conformance.scenarios.script import Script, Starts, machine, spell, starts
from brou_conformance.verdicts.fork import Fork


@dataclass(frozen=True, slots=True)
class Selection:
    """The declarations of a program to verify, and the data to use."""

    game: str = ""
    edition: str = ""
    #: Only scenarios whose id, title or clauses contain this.
    text: str = ""
    corpus: Corpus = None
    data: Folder = None
    #: Only the few scenarios that notice most, in their order (brou_conformance.scenarios.quick).
    quick: bool = False
    #: Only these scenarios, if any are named: those that a record of a part of them holds.
    only: frozenset[str] = frozenset()
    #: Scenarios of which it is known that they fail.
    known_failing: frozenset[str] = frozenset()
    #: Whether variants of the scenarios are asked beside them.
    families: bool = False
    #: Whether a key that a scenario names has to be told; of a program an absent key is unknown and never wrong.
    whole: bool = False
    #: The folder of the source texts, where they are at hand; nothing of the verdict depends on it.
    texts: Path | None = None
    #: Editions of one's own to judge by, in the place of those that they differ from.
    forks: tuple[Fork, ...] = ()
    #: Readings that a program has to follow whatever it declares, by their keys: those that a table has agreed on.
    agreed: tuple[tuple[str, str], ...] = ()

    def find_fork(self, name: str) -> Fork | None:
        """Return the fork of an edition, if there is one."""
        return next((one for one in self.forks if one.name == name), None)

    @property
    def is_partial(self) -> bool:
        """Say whether it leaves out scenarios of an edition, so that no verdict speaks of the whole."""
        return self.quick or bool(self.text) or bool(self.only)

    def picks(self, scenario: Scenario) -> bool:
        """Say whether a scenario is wanted, apart from the choice of a quick run."""
        if self.only and scenario.id not in self.only:
            return False
        return any(self.text in words for words in (scenario.id, scenario.title, *scenario.clauses))


@dataclass(slots=True)
class EditionPlan:
    """One edition as it will be judged."""

    choice: Choice
    hello: Hello
    wanted: Selection
    #: The readings that the program must follow: those it declares, or all if it follows requests.
    declared: frozenset[str]
    notes: list[str] = field(default_factory=list)
    #: What is impossible in the program's declaration.
    wrong: str = ""
    #: How many scenarios apply, and how many are premised on other readings.
    discovered: int = 0
    left_out: int = 0
    #: How many expectations of those that apply are for other values of a reading, by `reading=value`.
    elsewhere: Counter[str] = field(default_factory=Counter)
    #: How many would apply if all were wanted; 0 if all are.
    whole: int = 0
    #: The readings that were found in its answers, undeclared.
    found: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the edition."""
        return f"{self.choice.game}@{self.choice.edition}"

    @property
    def free(self) -> dict[str, str]:
        """Return the readings that the program need not follow, with the values that it is judged under."""
        return {key: value for key, value in self.choice.readings if key not in self.declared}

    def under(self, found: Mapping[str, str]) -> EditionPlan:
        """Return the plan by which the program is judged once these of its readings have been found."""
        own = dict(with_readings(replace(self.choice, readings=()), {}, self.wanted.data).readings)
        readings = {**dict(self.choice.readings), **found}
        changed = {key: readings[key] for key in self.free if readings[key] != own[key]}
        plan = replace(self, choice=replace(self.choice, readings=tuple(sorted(readings.items()))), found=changed)
        plan.count()
        return plan

    def scripts(self) -> Iterator[Script]:
        """Yield the script of each scenario that applies and can be spelt out."""
        return (one for one in self.subjects() if isinstance(one, Script))

    def subjects(self) -> Iterator[Script | Case]:
        """Yield the script of each scenario that applies, or the case of one that cannot be spelt out."""
        ranks = self._ranks
        if ranks is None:
            yield from self._spell_all()
        else:
            yield from sorted(self._spell_all(), key=lambda one: ranks[_find_scenario(one).id])

    @property
    def _ranks(self) -> Mapping[str, int] | None:
        """Return the order of the scenarios of a quick run; None if all are wanted, in that of their files."""
        if not self.wanted.quick:
            return None
        return rank_quick(self.choice.game, self.choice.edition, self.wanted.data) or {}

    def _spell_all(self) -> Iterator[Script | Case]:
        for usual, batch, found in self._applying():
            known = self._starts(usual, batch, found)
            unfit = self._unfit(usual, batch, found)
            for scenario in found:
                choice = self._premise(scenario, usual)
                if choice is not None and scenario.id not in unfit:
                    yield self._spell(scenario, choice, known if choice == usual else None)

    def count(self) -> None:
        """Count the scenarios that apply, without spelling them out; raise `Malformed` for an unreadable corpus."""
        self.discovered = self.left_out = 0
        self.elsewhere = Counter()
        for usual, batch, found in self._applying():
            unfit = self._unfit(usual, batch, found)
            for scenario in found:
                choice = self._premise(scenario, usual)
                if choice is None or scenario.id in unfit:
                    self.left_out += 1
                else:
                    self.discovered += 1
                    self.elsewhere.update(_list_elsewhere(scenario, choice))

    def _applying(self) -> Iterator[tuple[Choice, Batch, list[Scenario]]]:
        """Yield batch by batch for each set-up its usual rules, and the wanted scenarios that apply to it."""
        if self.wrong:
            return
        choice, data = self.choice, self.wanted.data
        setups = list(book(choice.game, data or choice.project).editions[choice.edition].setups)
        usual = {
            setup: with_readings(
                Choice(choice.game, choice.edition, setup, choice.readings, choice.project), {}, data, fitting=True
            )
            for setup in setups
            if (choice.game, choice.edition, setup) in self.hello.plays
        }
        ranks = self._ranks
        for batch in batches(choice.game, self.wanted.corpus):
            picked = [one for one in batch.scenarios if self.wanted.picks(one) and (ranks is None or one.id in ranks)]
            for setup, rules in usual.items():
                if found := applying(picked, choice.edition, setup, first=setup == setups[0]):
                    yield rules, batch, found

    def _starts(self, usual: Choice, batch: Batch, found: list[Scenario]) -> Starts | None:
        """Return where scenarios begin; None if one of them is such that each has to be looked at alone."""
        try:
            return starts(found, usual, batch.files, self.wanted.data)
        except Exception:  # noqa: BLE001 - spelling the scenarios one by one shows which it is
            return None

    def _unfit(self, usual: Choice, batch: Batch, found: list[Scenario]) -> frozenset[str]:
        """Return the scenarios that have another premise than they say, since the rules themselves answer otherwise.

        Each is written for the readings that it names and those of the edition. With others beside them its course may
        be another one; then it says nothing of a program that follows them. One that the rules answer otherwise even
        without those others is wrong, and stays.
        """
        data = self.wanted.data
        if usual == with_readings(replace(usual, readings=()), {}, data, fitting=True):
            return frozenset()
        premised = [(one, choice) for one in found if (choice := self._premise(one, usual)) is not None]

        def judge() -> frozenset[str]:
            return frozenset(one.id for one, choice in premised if _is_led_astray(one, choice, data))

        about = (usual, usual.readings, [(one.id, choice.readings) for one, choice in premised])
        return load_or_make("unfit", [*batch.files, *list_rule_files(usual.game, data)], about, judge)

    def _spell(self, scenario: Scenario, choice: Choice, known: Starts | None) -> Script | Case:
        try:
            script, fork = spell(scenario, choice, self.wanted.data, known), self.wanted.find_fork(self.name)
            return script if fork is None else fork.refit(script)
        except Unusable as error:
            return Case(Script(scenario, choice, (), {}), (), trace=str(error))
        except Exception:  # noqa: BLE001 - whatever it is costs this case alone, and is told with it
            return Case(Script(scenario, choice, (), {}), (), trace=traceback.format_exc())

    def _premise(self, scenario: Scenario, usual: Choice) -> Choice | None:
        """Return the readings to judge a scenario under: the usual, or its premise if the program follows requests."""
        readings = dict(usual.readings)
        if all(readings.get(key) == value for key, value in scenario.premise.items()):
            return usual
        if "readings" not in self.hello.can:
            return None
        return _apply_premise(usual, tuple(scenario.premise.items()), self.wanted.data)


def _find_scenario(subject: Script | Case) -> Scenario:
    return subject.scenario if isinstance(subject, Script) else subject.script.scenario


def is_answered_as_expected(scenario: Scenario, choice: Choice, data: Folder = None) -> bool:
    """Say whether the rules answer as a scenario expects; a scenario that breaks down counts as if they did."""
    try:
        script = spell(scenario, choice, data)
        terms = Criteria(script.readings)
        moments = list(follow(script, machine(choice, data)))
    except Exception:  # noqa: BLE001 - whatever it is is told with the case
        return True
    wanted = ((moment.step.choose_pattern(script.readings), moment.answer) for moment in moments)
    return all(pattern is None or matches(answer, pattern, terms) for pattern, answer in wanted)


def _is_led_astray(scenario: Scenario, choice: Choice, data: Folder) -> bool:
    """Say whether readings that a scenario does not name have the rules answer otherwise than it expects."""
    if is_answered_as_expected(scenario, choice, data):
        return False
    readings = dict(choice.readings)
    named = {key: readings[key] for key in scenario.keys if key in readings}
    try:
        alone = with_readings(replace(choice, readings=()), named, data)
    except BrouError:
        return True
    return alone != choice and is_answered_as_expected(scenario, alone, data)


def _list_elsewhere(scenario: Scenario, choice: Choice) -> Iterator[str]:
    """Yield for each expectation that is not for these rules the value of the reading that it is for."""
    readings = dict(choice.readings)
    for line in scenario.lines:
        if isinstance(line, ScriptStep) and line.reading:
            yield from (f"{line.reading}={value}" for value in line.values if value != readings.get(line.reading))


@keep_until_changed(maxsize=256)
def _apply_premise(usual: Choice, premise: tuple[tuple[str, str], ...], data: Folder) -> Choice | None:
    try:
        return with_readings(usual, dict(premise), data)
    except BrouError:
        return None


def plans(hello: Hello, wanted: Selection, notes: list[str]) -> Iterator[EditionPlan]:
    """Yield a plan for each edition; note the declarations that cannot be judged."""
    played = list(dict.fromkeys((game, edition) for game, edition, _ in _select_plays(hello, wanted, notes)))
    if wanted.text and not any(map(wanted.picks, _scenarios(played, wanted))):
        raise Unknown("scenario", wanted.text, (one.id for one in _scenarios(played, wanted)), "brou corpus list")
    for game, edition in played:
        setups = list(book(game, wanted.data).editions[edition].setups)
        plan = _make_plan(hello, Choice(game, edition, setups[0], (), open_project(wanted.data)), wanted)
        plan.count()
        if wanted.is_partial:
            every = replace(plan, wanted=replace(wanted, text="", quick=False, only=frozenset()))
            every.count()
            plan.whole = every.discovered
        if plan.discovered or not wanted.text:
            yield plan


def _scenarios(played: Iterable[tuple[str, str]], wanted: Selection) -> Iterator[Scenario]:
    for game in dict.fromkeys(game for game, _ in played):
        for batch in batches(game, wanted.corpus):
            yield from batch.scenarios


def _select_plays(hello: Hello, wanted: Selection, notes: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield game, edition and set-up of each declaration that we know and the selection wants."""
    known = catalogue(wanted.data)
    declared = [f"{game}@{edition}:{setup}" for game, edition, setup in hello.plays]
    if wanted.game and wanted.game not in known:
        raise Unknown("game", wanted.game, known)
    chosen = [
        play
        for play in hello.plays
        if wanted.game in ("", play[0]) and wanted.edition in ("", play[1], f"{play[0]}@{play[1]}")
    ]
    if not chosen:
        name = "@".join(part for part in (wanted.game, wanted.edition) if part)
        raise Unknown("declaration of the program", name, declared)
    for game, edition, setup in chosen:
        if game not in known:
            notes.append(f"it plays {game}, which we do not know")
        elif edition not in book(game, wanted.data).editions:
            notes.append(f"it plays {game}@{edition}; known are {', '.join(book(game, wanted.data).editions)}")
        elif setup not in book(game, wanted.data).editions[edition].setups:
            setups = ", ".join(book(game, wanted.data).editions[edition].setups)
            notes.append(f"it plays {game}@{edition}:{setup}; known set-ups are {setups}")
        else:
            yield game, edition, setup


def _make_plan(hello: Hello, choice: Choice, wanted: Selection) -> EditionPlan:
    """Return an edition under the readings that are agreed on or that the program declares, its own for the rest."""
    declared = hello.readings.get(f"{choice.game}@{choice.edition}", {})
    usual = with_readings(choice, {}, wanted.data)
    agreed = {key: value for key, value in wanted.agreed if key in dict(usual.readings)}
    known = {key: value for key, value in declared.items() if key in dict(usual.readings)} | agreed
    ignored = sorted(set(declared) - set(known))
    notes = (
        [f"it declares {', '.join(ignored)}, which {choice.game}@{choice.edition} does not leave open"]
        if ignored
        else []
    )
    try:
        with_readings(choice, known, wanted.data, fitting=True)
    except BrouError as error:
        wrong = f"its readings cannot be followed: {error}"
        return EditionPlan(usual, hello, wanted, frozenset(), notes=notes, wrong=wrong)
    if agreed:
        otherwise = ", ".join(f"{key}={value}" for key, value in agreed.items() if declared.get(key, value) != value)
        notes.append("judged by the readings that are agreed on, whatever it declares")
        notes += [f"it declares other readings than those agreed on: {otherwise} is agreed"] if otherwise else []
    fork = wanted.find_fork(f"{choice.game}@{choice.edition}")
    if fork is not None:
        notes.append(f"judged by a fork of the edition, which changes {fork.summary}")
    chosen = {**dict(usual.readings), **(fork.readings if fork else {}), **known}
    followed = chosen if "readings" in hello.can else known
    return EditionPlan(replace(usual, readings=tuple(chosen.items())), hello, wanted, frozenset(followed), notes=notes)
