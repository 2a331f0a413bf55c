"""Examining one set-up: ask its probes, and separate the faults of the adapter from the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from brou import TURNUP, Action, Json, Parameter, hands_of, outside
from brou.language.types import Bool, Cards, Int, Named, Orders, Pile
from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.smoke.attribution import Evidence, explain
from brou_conformance.smoke.facts import FactPlace, compare, is_answered, read_fact, read_facts
from brou_conformance.smoke.findings import AdapterCheck, AdapterFinding, Examination, ProtocolPassage, Severity
from brou_conformance.smoke.mishaps import find_mishap
from brou_conformance.smoke.playing import play_deal, play_positions
from brou_conformance.smoke.probes import Probe
from brou_conformance.smoke.request_forms import list_forms
from brou_conformance.smoke.suspects import ExaminedSetup
from brou_conformance.smoke.translatable import count, say
from brou_conformance.smoke.wire import ProbeAsker
from brou_conformance.smoke.words import show_fact, show_place, show_result, show_step, write_step

_KINDS = ("view", "score", "winner")
_ALL_KINDS = (*_KINDS, "legal", "act")


@dataclass(slots=True)
class Examiner:
    """Looks at one set-up."""

    asker: ProbeAsker
    table: ExaminedSetup
    found: Examination
    told: list[list[Message | Unsent | None]] = field(default_factory=list)

    @property
    def probes(self) -> tuple[Probe, ...]:
        """Return the probes."""
        return self.table.probes

    @property
    def apart(self) -> bool:
        """Say whether each step goes to the program as a position of its own."""
        return not {"deal", "match"} & self.asker.hello.can

    def examine(self) -> None:
        """Ask everything; the examination holds the findings."""
        if not self.probes:
            for check in (
                AdapterCheck.CARDS,
                AdapterCheck.SEATS,
                AdapterCheck.DEALING,
                AdapterCheck.TEAMS,
                AdapterCheck.UNITS,
                AdapterCheck.WHOLE_DEAL,
            ):
                self.found.unasked[check] = say("no_way")
            return
        if not self._ask_probes():
            return
        self._remember()
        self._note_abilities()
        broken = self._note_unanswered()
        self._note_facts()
        if not broken:
            self._note_acts()
        if any(one.level is Severity.FAULT for one in self.found.findings):
            self.found.unasked[AdapterCheck.WHOLE_DEAL] = say("would_show_again")
        else:
            self._play()
        self._count()

    # Asking ------------------------------------------------------------------------------

    def _ask_probes(self) -> bool:
        """Ask every probe; say whether there is more to be found out than a mishap of the wire."""
        self.found.count(AdapterCheck.ECHO, len(self.probes))
        for probe in self.probes:
            answers = self.asker.ask(probe)
            self.told.append(answers)
            mishap = find_mishap(self.asker.wire, probe.about, self.found.setup) if _is_lost(answers) else None
            # Who is silent would be waited for in every other form, too.
            silent = mishap is not None and mishap.passage is ProtocolPassage.TIME
            if mishap is None or (not silent and self._goes_otherwise(probe)):
                continue
            self.found.findings.append(mishap)
            self.told += [[None] * len(one.steps) for one in self.probes[len(self.told) :]]
            return False
        return True

    def _goes_otherwise(self, probe: Probe) -> bool:
        """Say whether the program answers a probe in another form; if so, that is found."""
        request = next(iter(self.asker.requests(probe)), None)
        if request is None:
            return False
        self.asker.session.renew()
        for form in list_forms(self.table.game, request):
            answers = self.asker.session.run(form.request)
            if any(map(is_answered, answers)) and not _is_lost(answers):
                came, wanted = say("otherwise_answered"), say("every_step")
                self._add(form.check, form.cause, probe.about, came, wanted, form.passage)
                return True
        return False

    def _remember(self) -> None:
        """Ask everything again in another order, suspicious probes of a new process too; note a changed answer."""
        again: dict[int, list[Message | Unsent | None]] = {}
        for number in reversed(range(len(self.probes))):
            again[number] = self.asker.ask(self.probes[number])
        other = [number for number, answers in again.items() if not _are_same(answers, self.told[number])]
        if not other:
            evidence = self._evidence()
            suspicious = sorted({place.probe for place in evidence.wrong})[:2] or self._list_lost()[:1]
            anew = {number: self.asker.ask_anew(self.probes[number]) for number in suspicious}
            other = [number for number, answers in anew.items() if not _are_same(answers, self.told[number])]
            again |= anew
        if not other:
            return
        number = min(other)
        alone = [self.asker.ask_anew(self.probes[number]) for _ in range(2)]
        cause = say("survives" if _are_same(*alone) else "chance")
        step, first, second = _first_difference(self.probes[number], again[number], self.told[number])
        self._add(
            AdapterCheck.ECHO,
            cause,
            say("at_twice", about=self.probes[number].about, step=step),
            say("then", first=first, second=second),
            say("same_answer"),
            ProtocolPassage.SURVIVES,
        )
        self.told = [self.asker.ask_anew(probe) for probe in self.probes]

    # What is not answered ------------------------------------------------------------------

    def _note_abilities(self) -> None:
        """Note abilities that are declared and never answered, though other steps of the same scripts are."""
        for kind in _ALL_KINDS:
            steps = [(probe, step, answer) for probe, step, answer in self._answers() if kind in step]
            answered = [is_answered(answer) for _, _, answer in steps]
            others = any(is_answered(answer) for _, step, answer in self._answers() if kind not in step)
            if not steps or any(answered) or not others:
                continue
            probe, step, answer = steps[0]
            told = show_result(answer)
            sentence = "never_answered" if kind in _KINDS else "no_step_answered"
            if isinstance(answer, Unsent) and answer.status is Status.PROTOCOL:
                sentence = "form_of_answers"
            self._add(
                AdapterCheck.ABILITIES,
                say(sentence, kind=kind),
                show_step(probe.about, step),
                told,
                say("answer_to", kind=kind),
                ProtocolPassage.ABILITIES,
            )

    def _note_unanswered(self) -> bool:
        """Note scripts that are not answered as wholes; say whether there are any."""
        lost = self._list_lost()
        if not lost:
            self._note_errors()
            return False
        if any(one.level is Severity.FAULT for one in self.found.findings):
            return True
        whole = len(lost) == len(self.probes)
        probe = self.probes[lost[0]]
        if self._goes_otherwise(probe):
            return True
        answer = next(answer for answer in self.told[lost[0]] if answer is not None)
        first = (next((v for v in self.probes[number].start.values() if type(v) is int), None) for number in lost)
        dealers = {dealer for dealer in first if dealer is not None}
        cause = say("none_answered")
        check, passage = AdapterCheck.HELLO, ProtocolPassage.PLAYS
        if not whole:
            dealt = [number for number, one in enumerate(self.probes) if one.dealt]
            cause = say("cards_unanswered")
            check, passage = AdapterCheck.DEALING, ProtocolPassage.START
            if set(lost) != set(dealt):
                seats = ", ".join(str(seat) for seat in sorted(dealers))
                cause = say("dealers_unanswered", seats=seats)
                check, passage = AdapterCheck.SEATS, ProtocolPassage.SEATS
        self._add(check, cause, probe.about, show_result(answer), say("every_step"), passage)
        return True

    def _note_errors(self) -> None:
        """Note a step that ends in an error of the program."""
        for probe, step, answer in self._answers():
            failed = isinstance(answer, Unsent) and answer.status in (Status.PROTOCOL, Status.CRASH, Status.TIMEOUT)
            if failed or (isinstance(answer, dict) and "err" in answer):
                kinds = [one for one in self.found.findings if one.check is AdapterCheck.ABILITIES]
                if not any(f"`{next(iter(step))}`" in one.cause for one in kinds):
                    asked, came = show_step(probe.about, step), show_result(answer)
                    self._add(
                        AdapterCheck.ABILITIES,
                        say("goes_wrong"),
                        asked,
                        came,
                        say("an_answer"),
                        ProtocolPassage.RESULTS,
                    )
                return

    def _list_lost(self) -> list[int]:
        return [number for number, answers in enumerate(self.told) if _is_lost(answers)]

    # What is answered otherwise --------------------------------------------------------------

    def _evidence(self) -> Evidence:
        game, same = self.table.game, self.table.same
        told = [read_facts(game, answers, same) for answers in self.told]
        true = [read_facts(game, probe.truth, same) for probe in self.probes]
        return Evidence(self.table, told, true, compare(self.probes, told, true, apart=self.apart))

    def _note_facts(self) -> None:
        """Note the faults that explain answers other than those of the rules."""
        evidence = self._evidence()
        explanations, left = explain(evidence)
        for one in explanations:
            places = one.places
            place = places[0]
            names = ", ".join(dict.fromkeys(f"`{place.name}`" for place in places))
            where, answers = show_place(self.probes, place), count(len(places), "answer")
            asked = say("in_all", asked=where, answers=answers, names=names)
            suspect = one.suspect
            self._add(suspect.check, suspect.cause, asked, *_both(evidence, place), suspect.passage)
        plain = [place for place in sorted(left, key=_order) if self._is_plain(place, evidence)]
        for place in plain[:1]:
            check, cause, passage = self._plain_cause(place)
            self._add(check, cause, show_place(self.probes, place), *_both(evidence, place), passage)
        if left and not plain:
            place = min(left, key=_order)
            self._add(
                AdapterCheck.RULES,
                say("unexplained"),
                show_place(self.probes, place),
                *_both(evidence, place),
                ProtocolPassage.RESULTS,
                Severity.REMARK,
            )

    def _is_plain(self, place: FactPlace, evidence: Evidence) -> bool:
        """Say whether a wrong fact hangs on no rule: a hand as dealt, or a figure as written."""
        probe = self.probes[place.probe]
        end = next((number for number, step in enumerate(probe.steps) if "act" in step), len(probe.steps))
        if place.step >= end or not probe.start:
            return False
        told, true = _both_raw(evidence, place)
        if place.name == "view.hand" and probe.dealt:
            turned = {probe.start.get(TURNUP)}
            if not isinstance(told, list) or not isinstance(true, list):
                return True
            return not {*map(str, told)} ^ {*map(str, true)} <= turned
        key = place.name.partition(".")[2]
        return not probe.dealt and key in probe.start and probe.start[key] == true

    def _plain_cause(self, place: FactPlace) -> tuple[AdapterCheck, str, ProtocolPassage]:
        if place.name == "view.hand":
            return AdapterCheck.CARDS, say("hand_otherwise"), ProtocolPassage.START
        return AdapterCheck.UNITS, say("written_otherwise", key=place.name.partition(".")[2]), ProtocolPassage.BEFORE

    # Acts ----------------------------------------------------------------------------------------

    def _note_acts(self) -> None:
        """Try each act that the program should know, and one of a seat that is not on turn."""
        hello, game = self.asker.hello, self.table.game
        known = {outside(name): action for name, action in game.actions.items()}
        probe = next((probe for probe in self.probes if probe.dealt), None)
        if self.apart or probe is None:
            return
        seat = next((step["by"] for step in probe.steps if "by" in step), 0)
        names = [name for name in known if hello.acts is None or name in hello.acts]
        steps: list[dict[str, Any]] = [{"by": seat, "act": {name: _sample(known[name], probe)}} for name in names]
        answers = self.asker.session.run(self.asker.request(probe.start, steps)) if steps else []
        self.found.count(AdapterCheck.ABILITIES, len(steps))
        for step, answer in zip(steps, answers, strict=True):
            if not is_answered(answer):
                name = next(iter(step["act"]))
                cause = say("unknown_act" if hello.acts is None else "unknown_act_named", name=name)
                asked, wanted = show_step(probe.about, step), say("taken_or_refused")
                self._add(AdapterCheck.ABILITIES, cause, asked, show_result(answer), wanted, ProtocolPassage.ACTS)
                break
        self._note_refusals(probe, seat)

    def _note_refusals(self, probe: Probe, seat: int) -> None:
        """Try a card of a seat that is not on turn: whether it is refused, and with a code if these are declared."""
        hello = self.asker.hello
        others = [(other, hand) for other, hand in hands_of(probe.start).items() if other != seat and hand]
        if "offturn" not in hello.can or not others or (hello.acts is not None and PLAY not in hello.acts):
            return
        other, hand = others[0]
        step = {"by": other, "act": {PLAY: hand[0]}}
        answer = self.asker.session.run(self.asker.request(probe.start, [step]))[0]
        self.found.count(AdapterCheck.ABILITIES, 1)
        asked, told = show_step(probe.about, step), show_result(answer)
        if not is_answered(answer):
            cause = say("offturn_unanswered")
            self._add(AdapterCheck.ABILITIES, cause, asked, told, say("refused"), ProtocolPassage.ABILITIES)
        elif answer.get("no") is True and "codes" in hello.can:
            self._add(AdapterCheck.ABILITIES, say("no_code"), asked, told, say("a_code"), ProtocolPassage.ABILITIES)
        elif isinstance(answer.get("no"), str) and "codes" not in hello.can:
            self._add(
                AdapterCheck.ABILITIES,
                say("codes_undeclared"),
                asked,
                told,
                "",
                ProtocolPassage.ABILITIES,
                Severity.REMARK,
            )

    def _play(self) -> None:
        """Let the program play a deal by its own answers."""
        if self.apart:
            steps, found = play_positions(self.asker, self.table)
        else:
            probe = next((probe for probe in self.probes if probe.dealt), None)
            if probe is None:
                self.found.unasked[AdapterCheck.WHOLE_DEAL] = say("deal_alone")
                return
            steps, found = play_deal(self.asker, self.table, probe)
        if isinstance(found, str):
            self.found.unasked[AdapterCheck.WHOLE_DEAL] = found
        elif found is not None:
            self.found.findings.append(found)
        self.found.count(AdapterCheck.WHOLE_DEAL, steps)

    # Telling what was done --------------------------------------------------------------------------

    def _count(self) -> None:
        """Note for each check how many answers it could look at, and why where there are none."""
        names = [place.name for place in self._evidence().same]
        for check, wanted in _LOOKED_AT.items():
            seen = sum(any(part in name for part in wanted) for name in names)
            if self.apart and check is not AdapterCheck.CARDS:
                self.found.unasked.setdefault(check, say("cards_alone"))
            elif seen:
                self.found.count(check, seen)
            elif check not in self.found.unasked:
                self.found.unasked[check] = say("cards_not_shown" if check is AdapterCheck.CARDS else "not_shown")

    def _answers(self) -> Iterator[tuple[Probe, Mapping[str, Any], Message | Unsent]]:
        """Yield each step with its answer, of scripts that have any."""
        for probe, answers in zip(self.probes, self.told, strict=True):
            lost = _is_lost(answers)
            for step, answer in zip(probe.steps, answers, strict=True):
                if answer is not None and not lost:
                    yield probe, step, answer

    def _add(  # noqa: PLR0913, PLR0917 - what a finding is made of
        self,
        check: AdapterCheck,
        cause: str,
        asked: str,
        came: str,
        wanted: str,
        passage: ProtocolPassage,
        level: Severity = Severity.FAULT,
    ) -> None:
        self.found.findings.append(AdapterFinding(check, level, cause, asked, came, wanted, passage, self.found.setup))


#: Parts of the names of facts that show something of each check.
_LOOKED_AT: Mapping[AdapterCheck, tuple[str, ...]] = {
    AdapterCheck.CARDS: ("hand", PLAY, "trump"),
    AdapterCheck.DEALING: ("hand", PLAY),
    AdapterCheck.SEATS: ("turn", "leader", "dealer", "winner", PLAY),
    AdapterCheck.TEAMS: ("accounts", "before", "won", "gains"),
    AdapterCheck.UNITS: ("accounts", "before", "gains"),
}


def _is_lost(answers: Sequence[Message | Unsent | None]) -> bool:
    """Say whether a script has no answer at all, though it went to the program."""
    asked = [answer for answer in answers if answer is not None]
    return bool(asked) and not any(map(is_answered, asked))


def _are_same(one: Sequence[Message | Unsent | None], other: Sequence[Message | Unsent | None]) -> bool:
    """Say whether two answers to the same script agree; why there is none does not count."""
    return all(
        (is_answered(a) == is_answered(b)) and (not is_answered(a) or a == b) for a, b in zip(one, other, strict=True)
    )


def _first_difference(
    probe: Probe, one: Sequence[Message | Unsent | None], other: Sequence[Message | Unsent | None]
) -> tuple[str, str, str]:
    for step, first, second in zip(probe.steps, one, other, strict=True):
        if not _are_same([first], [second]):
            return write_step(step), show_result(second), show_result(first)
    return "", "", ""


def _both_raw(evidence: Evidence, place: FactPlace) -> tuple[Json, Json]:
    told, true = (facts[place.probe][place.step][place.name] for facts in (evidence.told, evidence.true))
    return read_fact(told), read_fact(true)


def _both(evidence: Evidence, place: FactPlace) -> tuple[str, str]:
    told, true = _both_raw(evidence, place)
    return show_fact(place, told), show_fact(place, true)


def _order(place: FactPlace) -> tuple[int, int, str]:
    return place.probe, place.step, place.name


def _sample(action: Action, probe: Probe) -> Json:
    """Return a value of an act's parameters that is written rightly, whether or not it is open."""
    values = {outside(one.id): _value(one, probe) for one in action.parameters}
    return True if not values else next(iter(values.values())) if len(values) == 1 else values


def _value(parameter: Parameter, probe: Probe) -> Json:
    hand = next(iter(hands_of(probe.start).values()))
    lists: list[list[Json]] = [value for value in probe.start.values() if isinstance(value, list)]
    if isinstance(parameter.domain.type, Orders):
        return max(lists, key=len)
    match parameter.type:
        case Named(name, members):
            first = members[0]
            return hand[0] if name == "card" else outside(first) if isinstance(first, str) else first
        case Int(low, _):
            return low
        case Bool():
            return True
        case Cards() | Pile():
            return [*hand[:1]]
    return min(lists, key=len)
