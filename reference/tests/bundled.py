"""What rules say, from a folder or from a bundle: play, score, views and explanations, all as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from brou import Machine, Refusal, choose, rules
from brou.answers.explain_route import ActRoute, RouteAct, explain
from brou.chance import Chance
from brou.interpreter.dealing import spread_pack
from brou.reasons.explanation import Question
from brou.shapes import write
from brou.words.documents import document_explanation
from brou.words.wording import Words

#: So many acts are enough for a deal.
_ACTS = 50


def answer(name: str, folder: Path | None) -> Any:
    """Return a game played act by act, with its views and scores, and explanations before its second trick."""
    choice = choose(name, folder)
    machine = Machine(rules(choice, folder))
    state, told, moves = machine.begin(), list[Any](), list[RouteAct]()
    for number in range(_ACTS):
        legal = {seat: machine.legal(state, seat) for seat in range(machine.game.seats)}
        offers = [(seat, act, values) for seat, acts in legal.items() for act, values in acts.items()]
        if not offers:
            break
        seat, act, values = max(
            offers,
            key=lambda offer: (offer[1] == "play", offer[1] == machine.game.start.deal, isinstance(offer[2], list)),
        )
        if act == machine.game.start.deal:
            where = spread_pack(machine, state)
            order = Chance(number).shuffle(where.cards)
            made: Any = {where.order: order, **where.parameters} if where.parameters else order
        else:
            made = values[-1] if isinstance(values, list) else True
        views = [machine.view(state, seat) for seat in legal]
        told.append([state.phase, legal, views, machine.score(state), seat, {act: made}])
        after = machine.act(state, seat, {act: made})
        if isinstance(after, Refusal):
            told.append(after.code)
            break
        state = after
        moves.append(RouteAct(str(number), seat, {act: made}))
    played = [number for number, move in enumerate(moves) if "play" in move.act]
    asked = played[machine.game.seats]
    route = ActRoute({}, tuple(moves[:asked]))
    questions = [Question("legal", moves[asked].seat), Question("score"), Question("view", moves[asked].seat)]
    for question in questions:
        found = explain(choice, route, question, folder)
        for lang in ("fr", "de", "en"):
            told.append(document_explanation(found, Words(rules(choice, folder), lang, folder)))
    return json.loads(json.dumps(told, default=write))
