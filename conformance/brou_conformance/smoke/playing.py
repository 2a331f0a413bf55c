"""Playing a deal by the program's own answers: it must take every card that it offers, and answer every step."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from brou import Chance, Json, Refusal, State, begin
from brou_conformance.judging.judge import Unsent
from brou_conformance.protocol import Message, shorten, words_in
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.smoke.facts import is_answered
from brou_conformance.smoke.findings import AdapterCheck, AdapterFinding, ProtocolPassage, Severity
from brou_conformance.smoke.probes import Probe
from brou_conformance.smoke.suspects import ExaminedSetup
from brou_conformance.smoke.translatable import count, say
from brou_conformance.smoke.wire import ProbeAsker
from brou_conformance.smoke.words import show_result

#: How many cards are played at most, in packs.
_FAR = 2


def play_deal(asker: ProbeAsker, table: ExaminedSetup, probe: Probe) -> tuple[int, AdapterFinding | str | None]:
    """Let a program play on from a deal with the cards that it offers; return the number of requests and the finding.

    A text instead of a finding says why the deal could not be played to its end.
    """
    player = table.player
    state = begin(player, probe.start)
    acts: list[Mapping[str, Any]] = []
    for step in (step for step in probe.steps if "act" in step and PLAY not in step["act"]):
        after = player.act(state, step["by"], step["act"])
        if isinstance(after, Refusal):
            break
        acts.append(step)
        state = after
    asked = 0
    for _ in range(_FAR * len(table.game.deck.cards)):
        turn = player.view(state, 0).get("turn")
        if not isinstance(turn, int) or PLAY not in player.legal(state, turn):
            return asked, None
        steps = [*acts, {"legal": turn}]
        answers = asker.session.run(asker.request(probe.start, steps))
        asked += 1
        refused = _find_refused(acts, answers, probe, asked)
        if refused is not None:
            return asked, refused
        answer = answers[-1]
        if not is_answered(answer):
            return asked, _finding(probe, acts, steps[-1], answer, say("no_answer_in_deal"))
        offered = answer["legal"].get(PLAY, []) if "legal" in answer else []
        wanted = [*words_in(player.legal(state, turn)[PLAY])]
        found = _try_others(asker, probe, steps, offered, wanted)
        if found is not None:
            return asked, found
        common = [card for card in wanted if card in offered] if isinstance(offered, list) else []
        if not common:
            return asked, say("no_card_in_common", acts=count(len(acts), "act"))
        state = _after(table, state, turn, common[0])
        acts.append({"by": turn, "act": {PLAY: common[0]}})
    return asked, None


def _try_others(
    asker: ProbeAsker, probe: Probe, steps: Sequence[Mapping[str, Any]], offered: Json, wanted: Sequence[str]
) -> AdapterFinding | None:
    """Return a finding if the program offers a card beyond the rules and then refuses it."""
    others = [card for card in offered if card not in wanted] if isinstance(offered, list) else []
    if not others:
        return None
    *acts, question = steps
    act = {"by": question["legal"], "act": {PLAY: others[0]}}
    answer = asker.session.run(asker.request(probe.start, [*acts, act]))[-1]
    if isinstance(answer, dict) and "no" in answer:
        return _finding(probe, acts, act, answer, say("disagree"))
    return None


def _after(table: ExaminedSetup, state: State, seat: int, card: str) -> State:
    after = table.player.act(state, seat, {PLAY: card})
    return state if isinstance(after, Refusal) else after


def _find_refused(
    acts: Sequence[Mapping[str, Any]], answers: Sequence[Message | Unsent], probe: Probe, asked: int
) -> AdapterFinding | str | None:
    """Return a finding on the first act that was offered and is not taken."""
    for number, (act, answer) in enumerate(zip(acts, answers, strict=False)):
        if isinstance(answer, dict) and "ok" in answer:
            continue
        if PLAY not in act["act"] or asked == 1:
            return say("way_not_taken", act=shorten(json.dumps(act)))
        cause = say("disagree" if is_answered(answer) else "neither")
        return _finding(probe, acts[:number], act, answer, cause)
    return None


def _finding(
    probe: Probe, acts: Sequence[Mapping[str, Any]], step: Mapping[str, Any], answer: Message | Unsent, cause: str
) -> AdapterFinding:
    behind, sent = count(len(acts), "act"), shorten(json.dumps(step))
    asked = say("at_behind", about=probe.about, acts=behind, step=sent)
    wanted = say("taken") if "act" in step else say("may_be_played")
    return AdapterFinding(
        AdapterCheck.WHOLE_DEAL, Severity.FAULT, cause, asked, show_result(answer), wanted, ProtocolPassage.LEGAL
    )


def play_positions(asker: ProbeAsker, table: ExaminedSetup) -> tuple[int, AdapterFinding | str | None]:
    """Ask for the legal cards at each card of a deal, each time of the position; return as `play_deal` does."""
    player, probe = table.player, table.probes[0]
    state, chance = begin(player, probe.start), Chance(1)
    for step in (step for step in probe.steps if "act" in step and PLAY not in step["act"]):
        after = player.act(state, step["by"], step["act"])
        state = state if isinstance(after, Refusal) else after
    asked = 0
    for _ in range(_FAR * len(table.game.deck.cards)):
        turn = player.view(state, 0).get("turn")
        if not isinstance(turn, int) or PLAY not in player.legal(state, turn):
            break
        view: Message = dict(player.view(state, turn))
        step = {"legal": turn}
        answer = asker.session.run(asker.request({"position": {"seat": turn, **view}}, [step]))[0]
        asked += 1
        if not is_answered(answer):
            return asked, _finding(probe, [{}] * asked, step, answer, say("no_answer_in_deal"))
        offered = answer["legal"].get(PLAY, []) if "legal" in answer else []
        strange = [card for card in offered if card not in view["hand"]] if isinstance(offered, list) else [offered]
        if strange:
            cause = say("strange_card", card=shorten(json.dumps(strange[0])))
            return asked, _finding(probe, [{}] * asked, step, answer, cause)
        cards = [*words_in(player.legal(state, turn)[PLAY])]
        state = _after(table, state, turn, chance.pick(cards))
    return asked, None
