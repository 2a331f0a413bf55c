"""Judging played deals: what a log shows is compared with the rules as the answers of a program would be.

A deal is a script of its own. Acts that the log has were accepted; a score, a view or a list of acts that it shows is
an answer. What nobody saw is not guessed: a step is judged where every world answers it alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from brou import BrouError, Choice, Fault, Folder, Json, Machine, Malformed, Place, State, begin, outside, parts, writer
from brou.answers import RecordReplay
from brou.games.record import GameRecord
from brou.language.effects import reset_scopes
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Criteria, Status, Unsent, judge
from brou_conformance.judging.reasons import AnswerReason, DisputedAnswer, find_reason
from brou_conformance.played.reading import LoggedGame, PlayedDeal, PlayedLog, SeenStep
from brou_conformance.played.worlds import PossibleDeals, list_worlds
from brou_conformance.programs.child import Failure
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.corpus import clauses
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import PLAY, Pattern, Scenario, ScriptStep, Verb
from brou_conformance.scenarios.script import Script, machine
from brou_conformance.verdicts.desk import Desk
from brou_conformance.verdicts.plan import EditionPlan, Selection
from brou_conformance.verdicts.verdict import EditionRun, PlayedEvidence
from brou_conformance.verdicts.verify import Report, RunObserver, judge_edition

#: Why a step has no answer that could be compared.
_HANGS = Unsent(Status.UNSUPPORTED, "it hangs on cards that nobody saw")
_LOST = Unsent(Status.UNSUPPORTED, "the deal before it went another way, and no sheet says how it ended")
#: Why judging stops before the end of a deal or a game.
_REFUSED = "an act that the rules refuse"
_UNSEEN = "which hangs on cards that nobody saw"
_NO_HANDS = "for no deal of the unseen cards fits it"
_NO_SHEET = "for no sheet says how the one before it ended"
_REFUSALS = "what it refuses, which played deals do not show"
#: How many stops are told one by one.
_TOLD_STOPS = 5


def verify_log(log: PlayedLog, wanted: Selection, watch: RunObserver) -> Report:
    """Judge the games of a log, edition by edition, under the readings that they show."""
    editions: dict[tuple[str, str], list[LoggedGame]] = {}
    for one in log.games:
        editions.setdefault((one.choice.game, one.choice.edition), []).append(one)
    chosen = {
        (game, edition): games
        for (game, edition), games in editions.items()
        if wanted.game in ("", game) and wanted.edition in ("", edition, f"{game}@{edition}")
    }
    plays = tuple(dict.fromkeys((one.choice.game, one.choice.edition, one.choice.setup) for one in log.games))
    hello = Hello(dict(log.engine), plays, {}, frozenset({"deal", "match", "score", "view", "winner", "offturn"}))
    runs = []
    for games in chosen.values():
        plan = _make_plan(games, hello, wanted)
        watch.on_plan(plan.name, plan.discovered)
        run = judge_edition(plan, Desk(hello, [_Nobody()], {}, wanted.data), watch)
        runs.append(replace(run, played=_count_unseen(plan, run), notes=(*run.notes, *_tell_stops(plan.stops))))
        watch.on_edition_end(runs[-1])
    report = Report(hello.engine, tuple(runs))
    watch.on_finish(report)
    return report


def _make_plan(games: Sequence[LoggedGame], hello: Hello, wanted: Selection) -> PlayedPlan:
    """Return the plan of the games of one edition; readings that all of them name, or that are agreed on, are given."""
    first = games[0].choice
    agreed = dict(wanted.agreed)
    named = [dict(one.choice.readings) for one in games if one.names_readings]
    declared = frozenset(agreed) | (frozenset(named[0]) if len(named) == len(games) else frozenset())
    readings = {**dict(first.readings), **agreed}
    choice = replace(first, readings=tuple(sorted(readings.items())))
    notes = ["what it refuses is judged only where the deals show a refusal"]
    plan = PlayedPlan(choice, hello, wanted, declared, notes, games=tuple(games))
    plan.count()
    return plan


@dataclass(slots=True)
class PlayedPlan(EditionPlan):
    """The played deals of an edition, each a case of its own."""

    games: tuple[LoggedGame, ...] = ()
    #: What is counted of the deals beside their cases; plans under other readings share it.
    unseen: Counter[str] = field(default_factory=Counter)
    #: Where the judging of a deal or a game stopped before its end, shared likewise.
    stops: list[str] = field(default_factory=list)

    def subjects(self) -> Iterator[Script | Case]:
        """Yield the case of each deal under the readings of the plan."""
        self.unseen.clear()
        self.stops.clear()
        for game in self.games:
            choice = replace(self.choice, setup=game.choice.setup)
            yield from _DealJudge(game, choice, self.wanted.data, self.unseen, self.stops).cases()

    def count(self) -> None:
        """Count the deals, and what opens a game before its first one."""
        self.discovered = sum(1 + bool(deal.opening) for game in self.games for deal in game.deals)


class _Nobody(Session):
    """A session that is never asked: every answer is in the log."""

    def __init__(self) -> None:
        super().__init__(lambda: Failure("crash", "a log is not started"))


def _tell_stops(stops: Sequence[str]) -> Iterator[str]:
    """Yield where judging stopped, the first ones each by itself."""
    yield from stops[:_TOLD_STOPS]
    if left := len(stops[_TOLD_STOPS:]):
        yield f"judging also stopped in other deals of the log: {left}"


def _count_unseen(plan: PlayedPlan, run: EditionRun) -> PlayedEvidence:
    """Return what the deals are as evidence, and count refusals that nobody saw as unasked."""
    unseen = plan.unseen
    if unseen["refusals"]:
        counted = run.tally.asked[plan.games[0].choice.setup]
        counted.judged[Status.UNSUPPORTED, ("act", (PLAY,))] += unseen["refusals"]
        run.tally.unasked[_REFUSALS] += run.tally.total
    return PlayedEvidence(
        games=len(plan.games),
        deals=sum(len(game.deals) for game in plan.games),
        acts=unseen["acts"],
        refusals=unseen["refusals"],
        seen_refusals=unseen["seen"],
        hidden=unseen["hidden"],
    )


_VERBS: tuple[Verb, ...] = ("act", "legal", "winner", "view", "score")


@dataclass(slots=True)
class _LaidDeal:
    """A possible deal with the state that the log has come to in it."""

    start: Mapping[str, Any]
    state: State


class _DealJudge:
    """Judges the deals of one game under one choice of rules."""

    def __init__(self, game: LoggedGame, choice: Choice, data: Folder, unseen: Counter[str], stops: list[str]) -> None:
        self.game, self.choice, self.data, self.unseen, self.stops = game, choice, data, unseen, stops
        self.player: Machine = machine(choice, data)
        #: What stands written before the next deal, and whether nobody knows.
        self.given: dict[str, Json] = {}
        self.is_lost = False
        #: Whether it is noted that the deals at hand are lost.
        self.has_stopped = False
        self.possible = PossibleDeals(())

    def cases(self) -> Iterator[Case]:
        start = self.player.game.start
        self.given = {key: value for key, value in self.game.start.items() if key in start.given}
        for number, deal in enumerate(self.game.deals):
            if deal.opening:
                yield self._open(deal, {} if not self.game.start and number == 0 else self.given)
            yield self._judge(deal)

    def _open(self, deal: PlayedDeal, start: Mapping[str, Any]) -> Case:
        """Return the case of the acts before a deal."""
        worlds = [_LaidDeal(start, begin(self.player, start))]
        case, worlds = self._follow(deal, deal.opening, worlds, f"{deal.id}.opening")
        self.given = self._stand(worlds[0].state)
        return case

    def _judge(self, deal: PlayedDeal) -> Case:
        if self.is_lost:
            if not self.has_stopped:
                where = f"game {self.game.id} stopped at deal {deal.id} ({deal.place})"
                self.stops.append(f"judging of {where}, {_NO_SHEET}")
            self.has_stopped = True
            return self._leave_out(deal, [])
        self.has_stopped = False
        known, start = parts(self.player, deal.dealt)[0], self.player.game.start.given
        if unknown := [key for key in known if key not in start]:
            raise _complain(deal.place, f"deal {deal.id}: unknown {unknown[0]!r}", f"a deal has {', '.join(start)}")
        self.given |= known
        try:
            self.possible = list_worlds(self.player, self.given, deal)
            worlds = [_LaidDeal(one, begin(self.player, one)) for one in self.possible.starts]
        except BrouError as error:
            raise _complain(deal.place, f"deal {deal.id}: {error}", "write the deal as it was played") from error
        steps = self._list_steps(deal)
        if worlds:
            case, worlds = self._follow(deal, steps, worlds, deal.id)
            self._go_on(deal, worlds, case)
            return case
        self.stops.append(f"judging of deal {deal.id} stopped at its beginning ({deal.place}), {_NO_HANDS}")
        return self._leave_out(deal, steps)

    def _list_steps(self, deal: PlayedDeal) -> list[SeenStep]:
        """Return the steps of a deal with what the sheet says, before the act that writes it down and after it."""
        actions = self.player.game.actions
        writing = [
            number
            for number, one in enumerate(deal.steps)
            if (action := actions.get(next(iter(one.message.get("act", {""})), "").replace("-", "_"))) is not None
            and not action.parameters
            and reset_scopes(action.do)
        ]
        cut = writing[0] if writing else len(deal.steps)
        counted = [SeenStep({"score": True}, {"score": dict(deal.count)}, deal.place)] if deal.count else []
        sheet = [SeenStep({"score": True}, {"score": dict(deal.written)}, deal.place)] if deal.written else []
        between = [] if writing or not sheet else [SeenStep({}, {}, deal.place)]
        return [*deal.steps[:cut], *counted, *deal.steps[cut:], *between, *sheet]

    def _leave_out(self, deal: PlayedDeal, seen: Sequence[SeenStep]) -> Case:
        """Return the case of a deal of which nobody knows how it began, or, with its steps, who held what."""
        steps: list[ScriptStep] = []
        answers: list[Message | Unsent] = []
        self._leave_open(seen, steps, answers)
        if not seen:
            steps = [ScriptStep("s1", "score", {"score": True}, deal.place, Pattern("score", {}))]
            answers = [_LOST]
        start = self.player.game.start.given
        self.given |= {key: value for key, value in deal.written.items() if key in start}
        self.is_lost = not deal.written
        script = self._write_script(deal, deal.id, {}, steps, AnswerReason())
        return Case(script, judge(script.steps, answers, Criteria(script.readings)))

    # One deal ---------------------------------------------------------------------------------------------------------

    def _follow(
        self, deal: PlayedDeal, seen: Sequence[SeenStep], worlds: list[_LaidDeal], name: str
    ) -> tuple[Case, list[_LaidDeal]]:
        """Return the case of some steps, and the worlds that are left with the states that they come to."""
        steps: list[ScriptStep] = []
        answers: list[Message | Unsent] = []
        disputed: DisputedAnswer | None = None
        for number, each in enumerate(seen):
            one = each if each.message else self._find_writing(each, worlds[0].state)
            if one is None:
                continue
            told = [take(self.player, world.state, one.message) for world in worlds]
            accepted = "act" in one.message and "ok" in one.said
            if accepted and not any("ok" in found for found, _ in told):
                worlds, told = self._look_farther(worlds, told, steps, one)
                if not self.possible.settles and not any("ok" in found for found, _ in told):
                    self._note_stop(name, len(steps) + 1, one, _UNSEEN)
                    self._leave_open(seen[number:], steps, answers)
                    break
            if wrong := next((answer["err"] for answer, _ in told if "err" in answer), ""):
                raise _complain(one.place, str(wrong), "write it as it was played")
            self._count(one, worlds[0])
            kinds = [_cut(answer, one.said) for answer, _ in told]
            alike = all(kind == kinds[0] for kind in kinds)
            step = _expect(f"s{len(steps) + 1}", one, kinds[0])
            answer: Message | Unsent = one.said if alike else _HANGS
            self.unseen["hidden"] += not alike
            criteria = Criteria(dict(self.choice.readings), codes=False)
            if disputed is None and alike and judge([step], [answer], criteria).worst is Status.FAIL:
                acts = [it.deed for it in steps if it.accepted]
                about = next((key for key, _ in find_apart(one.said, told[0][0])), "")
                disputed = DisputedAnswer(worlds[0].start, acts, one.message, one.said, told[0][0], about)
            steps.append(step)
            answers.append(answer)
            going = [number for number, (found, _) in enumerate(told) if not accepted or "ok" in found]
            worlds = [_LaidDeal(worlds[number].start, told[number][1]) for number in going or range(len(worlds))]
            if not going:  # what follows is of another game than the rules can play
                if number + 1 < len(seen):
                    self._note_stop(name, len(steps), one, _REFUSED)
                break
        reason = AnswerReason() if disputed is None else find_reason(disputed, self.choice, self.data)
        if disputed is not None and not reason.clauses:
            reason = AnswerReason((_find_any_clause(self.choice, self.data),), reason.sentence)
        script = self._write_script(deal, name, worlds[0].start, steps, reason)
        return Case(script, judge(script.steps, answers, Criteria(script.readings, codes=False))), worlds

    def _note_stop(self, deal: str, number: int, one: SeenStep, why: str) -> None:
        """Note the step of a deal behind which nothing of it is judged, and why."""
        self.stops.append(f"judging of deal {deal} stopped at {deal}#s{number} ({one.place}), {why}")

    def _leave_open(self, seen: Sequence[SeenStep], steps: list[ScriptStep], answers: list[Message | Unsent]) -> None:
        """Add steps of which nobody knows what the rules say to them."""
        for one in (one for one in seen if one.message):
            steps.append(_expect(f"s{len(steps) + 1}", one, one.said))
            answers.append(_HANGS)
            self.unseen["hidden"] += 1

    def _look_farther(
        self,
        worlds: list[_LaidDeal],
        told: list[tuple[Message, State]],
        steps: Sequence[ScriptStep],
        one: SeenStep,
    ) -> tuple[list[_LaidDeal], list[tuple[Message, State]]]:
        """Return the worlds of an act that all refuse, with one in which it may be made if there is any."""
        acts = [step.deed for step in steps if step.accepted or step.verb == "act"]
        found = self.possible.reach([world.start for world in worlds], len(acts))
        if found is None:
            return worlds, told
        state = begin(self.player, found)
        for seat, act in acts:
            state = take(self.player, state, {"by": seat, "act": act})[1]
        return [*worlds, _LaidDeal(found, state)], [*told, take(self.player, state, one.message)]

    def _find_writing(self, one: SeenStep, state: State) -> SeenStep | None:
        """Return the act that writes a deal down, which a log need not have; None where nothing is to be written."""
        record = GameRecord("", "", (), {}, (), self.game.place)
        found = RecordReplay(record, self.player).writing(state)
        if found is None:
            return None
        return SeenStep({"by": found[0], "act": {outside(found[1].id): True}}, {"ok": True}, one.place)

    def _count(self, one: SeenStep, world: _LaidDeal) -> None:
        """Count an act, and whether the rules refuse another one that its player could think of."""
        if "act" not in one.message:
            return
        self.unseen["acts"] += 1
        if "no" in one.said:
            self.unseen["seen"] += 1
            return
        seat = one.message["by"]
        thought = self.player.imaginable(world.state, seat)
        self.unseen["refusals"] += any(self.player.refusal(world.state, seat, act) is not None for act in thought)

    def _write_script(
        self,
        deal: PlayedDeal,
        name: str,
        start: Mapping[str, Any],
        steps: Sequence[ScriptStep],
        reason: AnswerReason,
    ) -> Script:
        scenario = Scenario(
            game=self.choice.game,
            id=name,
            title=f"deal {name}",
            cells=dict.fromkeys(reason.clauses, ()),
            level="must",
            origin="hand",
            because=reason.sentence,
            lines=tuple(steps),
            place=deal.place,
        )
        return Script(scenario, self.choice, tuple(steps), start)

    # From deal to deal ------------------------------------------------------------------------------------------------

    def _go_on(self, deal: PlayedDeal, worlds: Sequence[_LaidDeal], case: Case) -> None:
        """Note the accounts before the next deal: those of the rules, or of the sheet where that has others."""
        state = worlds[0].state
        writing = self._find_writing(SeenStep({}, {}, deal.place), state)
        if writing is not None:
            state = take(self.player, state, writing.message)[1]
        start = self.player.game.start
        self.given = self._stand(state)
        sheet = {key: value for key, value in deal.written.items() if key in start.given}
        self.given |= sheet
        self.is_lost = state.phase != start.phase and not sheet and deal is not self.game.deals[-1]
        if self.is_lost and case.status is Status.PASS:
            raise _complain(
                deal.place, f"deal {deal.id} is not over", "write the rest of it, or `written:` with the sheet"
            )

    def _stand(self, state: State) -> dict[str, Json]:
        game = self.player.game
        return {
            key: writer(game.state[name].type, game.deck)(self.player.get(state, name))
            for key, name in game.start.given.items()
        }


def _cut(answer: Message, said: Message) -> Message:
    """Return what of an answer a log could tell: whether an act is taken, and the keys that it has."""
    key = next(iter(answer))
    if key in ("ok", "no"):
        return {key: True}
    value, told = answer[key], said.get(key)
    if not isinstance(value, dict) or not isinstance(told, dict):
        return answer
    absent: Json = [] if key == "legal" else None
    return {key: {name: value.get(name, absent) for name in told}}


def _expect(name: str, one: SeenStep, answer: Message) -> ScriptStep:
    """Return a step that expects what the rules answer, as far as a log tells of it."""
    verb = next(verb for verb in _VERBS if verb in one.message)
    key, value = next(iter(answer.items()))
    return ScriptStep(name, verb, dict(one.message), one.place, Pattern(key, value))


def find_apart(said: Message, wanted: Message) -> Iterator[tuple[str, Json]]:
    """Yield the members in which two answers differ, of a list of acts, a view or a score, with what the rules have."""
    for key in ("legal", "view", "score"):
        if key in said and key in wanted:
            yield from (
                (name, wanted[key].get(name)) for name, item in said[key].items() if wanted[key].get(name) != item
            )


def _find_any_clause(choice: Choice, data: Folder) -> str:
    """Return the first clause of a game, for what no clause is known to decide."""
    return next(iter(clauses(choice.game, data or choice.project)))


def _complain(place: Place, what: str, instead: str) -> Malformed:
    return Malformed([Fault(place, what, instead)])
