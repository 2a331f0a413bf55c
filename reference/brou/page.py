"""Questions of a page to the rules: each question is a JSON text, and so is its answer.

A question is an object with `ask`, the rules by name (`rules`), a language (`lang`) and its subject. The answer
has the form of the documents that commands write, or `error` with a sentence. Nothing here needs more than the standard
library, as long as the rules come from a bundle.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, cast

from brou.answers.explain_route import ActRoute, RouteAct, explain
from brou.answers.explain_sight import explain_sight, find_grounds, find_legal, find_verdict
from brou.answers.settlement import settle_record
from brou.chance import Chance
from brou.dataclass import dataclass
from brou.errors import NOWHERE, BrouError, Fault, Impossible, Malformed, Unknown
from brou.games.catalogue import Choice, choose, rules
from brou.games.folder import Folder, locate
from brou.games.freshness import keep_until_changed
from brou.games.record import parse_record
from brou.interpreter.acts import fill_act
from brou.interpreter.dealing import begin, list_hands, spread_pack
from brou.interpreter.machine import Machine, Refusal, State
from brou.interpreter.sight import OpenAnswer
from brou.interpreter.thumb import ThumbPlayer
from brou.language.codec import Json, outside
from brou.language.node import make_node
from brou.language.skills import PLAY
from brou.language.syntax import Action, Game
from brou.language.types import Option
from brou.reasons.explanation import Explanation, Judgement, Question
from brou.shapes import write_object
from brou.words.documents import cite, document_explanation, document_settlement
from brou.words.reports import ExplanationReport, SettlementReport
from brou.words.text import find_user_language, phrase_choice
from brou.words.wording import Words

__all__ = ["ask"]

_Object: TypeAlias = dict[str, Json]
_Told: TypeAlias = Mapping[str, object]


def ask(text: str, folder: Folder = None) -> str:
    """Return the answer to a question, both as JSON texts; a question that has none is answered with `error`.

    The kinds of questions are: `legal`, which cards of a hand may be played in a `position` as one seat sees it; `why`,
    the reasons for one `act` there; `explain`, the answer to a `question` behind the `moves` from a `start`; `score`,
    what a `record` comes to; and `play`, how a deal goes on against players at random or by rule of thumb.
    """
    try:
        return json.dumps(_answer(text, locate(folder)), ensure_ascii=False)
    except BrouError as error:
        return json.dumps({"error": str(error)}, ensure_ascii=False)


def _answer(text: str, data: Path) -> _Told:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Impossible("a question is a JSON object") from error
    if not isinstance(said, dict):
        raise Impossible("a question is a JSON object")
    kind = said.get("ask")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise Unknown("kind of question", str(kind), _KINDS)
    return _KINDS[kind](_Asked(said, data))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question: its parts, and where the rules lie."""

    said: _Object
    data: Path

    def text(self, key: str) -> str:
        """Return a part that is a text."""
        return cast("str", self._part(key, str, "a text"))

    def number(self, key: str) -> int:
        """Return a part that is a whole number."""
        return cast("int", self._part(key, int, "a whole number"))

    def object(self, key: str) -> _Object:
        """Return a part that is an object; one that is not there is empty."""
        return cast("_Object", self._part(key, dict, "an object")) if key in self.said else {}

    def truth(self, key: str) -> bool:
        """Say whether a part is true; one that is not there is."""
        return self.said.get(key) is not False

    def _part(self, key: str, wanted: type, told: str) -> Json:
        found = self.said.get(key)
        if not isinstance(found, wanted) or (isinstance(found, bool) and wanted is int):
            raise Impossible(f"the question's {key} is {told}")
        return found

    @property
    def choice(self) -> Choice:
        """Return the choice of rules that the question names."""
        return choose(self.text("rules"), self.data)

    @property
    def game(self) -> Game:
        """Return the rule base."""
        return rules(self.choice, self.data)

    @property
    def words(self) -> Words:
        """Return the words of its language."""
        return Words(self.game, find_user_language(self.text("lang"), {}, self.data), self.data)

    @property
    def seat(self) -> int:
        """Return the seat that asks."""
        seat = self.number("seat")
        if seat not in range(self.game.seats):
            raise Impossible(f"there is no seat {seat}; seats are 0 to {self.game.seats - 1}")
        return seat

    @property
    def moves(self) -> tuple[RouteAct, ...]:
        """Return the acts that led to the question, each written as its seat and the act."""
        moves = self.said.get("moves", [])
        if not isinstance(moves, list):
            raise Impossible("the question's moves are a list")
        return tuple(_read_move(move) for move in moves)


def _read_move(move: Json) -> RouteAct:
    match move:
        case {"step": str(step), "by": int(seat), "act": dict(act)} if act:
            return RouteAct(step, seat, act)
    raise Impossible("a move is written as {step, by, act}")


# What one seat sees --------------------------------------------------------------------


def _tell_legal(asked: _Asked) -> _Told:
    """Answer for each card of a hand `yes`, `no` or `open`, and on what open answers hang, in words."""
    choice, position, seat = asked.choice, asked.object("position"), asked.seat
    held = position.get("hand")
    cards = [card for card in held if isinstance(card, str)] if isinstance(held, list) else []
    sight = find_legal(choice, position, seat, asked.data)
    playable = sight.legal.get(PLAY, [])
    if PLAY not in sight.unsettled and isinstance(playable, list):
        return {"cards": {card: "yes" if card in playable else "no" for card in cards}, "hangs": []}
    found = {card: find_verdict(choice, position, seat, {PLAY: card}, asked.data) for card in cards}
    hangs = sorted({name for one in found.values() if isinstance(one, OpenAnswer) for name in one.hangs})
    words = asked.words
    return {
        "cards": {
            card: "open" if isinstance(one, OpenAnswer) else "yes" if one else "no" for card, one in found.items()
        },
        "hangs": [words.name("fields", name) for name in hangs],
    }


def _tell_why(asked: _Asked) -> _Told:
    """Answer with the document of an explanation, or with what the answer hangs on.

    Of a card that may be played, `grounds` has the clauses by which it may.
    """
    position, act, words = asked.object("position"), asked.object("act"), asked.words
    question = Question("act", asked.seat, act)
    found = explain_sight(asked.choice, position, question, asked.data, varied=asked.truth("readings"))
    if isinstance(found, OpenAnswer):
        return {"hangs": [words.name("fields", name) for name in found.hangs]}
    document = write_object(ExplanationReport(games=(document_explanation(found, words),)))
    first = found.entries[0].found
    if PLAY not in act or not isinstance(first, Judgement) or not first.allowed:
        return document
    grounds = find_grounds(found, position, asked.data)
    return {**document, "grounds": [write_object(one) for one in cite(grounds, words)]}


# What all hands are known of -----------------------------------------------------------


def _tell_explanation(asked: _Asked) -> _Told:
    """Answer with the document of an explanation, as `brou explain --json` writes it."""
    kept = {name: part for name, part in asked.said.items() if name not in ("lang", "subject")}
    found = _find_explanation(json.dumps(kept), asked.data, asked.choice)
    subject = asked.said.get("subject")
    told = document_explanation(found, asked.words, subject if isinstance(subject, str) else "")
    return write_object(ExplanationReport(games=(told,)))


@keep_until_changed(maxsize=1)
def _find_explanation(text: str, data: Path, choice: Choice) -> Explanation:
    """Return the explanation of a question, and keep the last one: another language may ask for it next."""
    asked = _Asked(json.loads(text), data)
    wanted = asked.object("question")
    keys = wanted.get("keys", [])
    act = wanted.get("act")
    match wanted:
        case {"kind": ("act" | "legal" | "view" | "score" | "winner") as kind, "seat": int(seat)}:
            question = Question(
                kind,
                seat,
                act if isinstance(act, dict) else None,
                tuple(key for key in keys if isinstance(key, str)) if isinstance(keys, list) else (),
            )
        case _:
            raise Impossible("the question behind the moves is written as {kind, seat}")
    return explain(choice, ActRoute(asked.object("start"), asked.moves), question, data)


def _tell_score(asked: _Asked) -> _Told:
    """Answer with the document of a settlement, as `brou score --json` writes it."""
    try:
        record = parse_record(make_node(asked.object("record"), NOWHERE), asked.game)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Malformed([Fault(NOWHERE, "this is no record (brou-record/1)")]) from error
    found = settle_record(record, asked.choice, asked.data)
    words = Words(asked.game, find_user_language(asked.text("lang"), {}, asked.data), asked.data, found.players)
    return write_object(SettlementReport(games=(document_settlement(found, words),)))


# Playing -------------------------------------------------------------------------------


def _play_on(asked: _Asked) -> _Told:
    """Let everybody but one seat act until that seat has a choice, or the deal is over.

    A deal that has no `start` yet is dealt from `seed`. The others are `players` of a kind: `random`, whoever may play
    a card does and announces nothing, or `thumb`, by rule of thumb. The answer has the `start` and all `moves`, what
    the seat sees, the acts that it may make, each with its words, and in `described` those of too many values to list.
    """
    seat, words, chance = asked.seat, asked.words, Chance(asked.number("seed"))
    machine = Machine(asked.game)
    choose_act = _open_player(asked, machine, chance)
    start = asked.object("start") or _deal(machine, chance)
    state, moves = begin(machine, start), list(asked.moves)
    for move in moves:
        state = _carry_on(machine, state, move)
    while (other := _find_next(machine, state, seat)) is not None:
        drawn = [
            {name: fill_act(action, offer, chance)} for name, action, offer in _list_described(machine, state, other)
        ]
        move = RouteAct(
            f"m{len(moves) + 1}", other, choose_act(state, other, [*_list_acts(machine, state, other), *drawn])
        )
        state = _carry_on(machine, state, move)
        moves.append(move)
    return {
        "start": start,
        "moves": [
            {"step": one.step, "by": one.seat, "act": dict(one.act), "said": words.act(one.seat, one.act)}
            for one in moves
        ],
        "view": machine.view(state, seat),
        "score": machine.score(state),
        "acts": [
            {"act": act, "said": phrase_choice(act, asked.game, words.lang, asked.data)}
            for act in _list_acts(machine, state, seat)
        ],
        "described": [
            {"name": name, "said": words.offer(action.id), "text": words.clause(action.clause), "values": offer}
            for name, action, offer in _list_described(machine, state, seat)
        ],
        "over": _is_played_out(machine, state),
    }


def _open_player(asked: _Asked, machine: Machine, chance: Chance) -> Callable[[State, int, Sequence[_Object]], _Object]:
    """Return what chooses the acts of others: a function of the state, the seat, and the acts open to it."""
    kind = asked.said.get("players", "random")
    if kind == "thumb":
        return ThumbPlayer(machine, chance).choose
    if kind != "random":
        raise Unknown("kind of players", str(kind), ("random", "thumb"))
    return lambda _state, _seat, acts: chance.pick([act for act in acts if PLAY in act] or acts)


def _deal(machine: Machine, chance: Chance) -> _Object:
    """Return a start with a shuffled pack; whoever it has to name, such as the dealer, is drawn."""
    game = machine.game
    player = game.types["player"]
    named = (name for name, kept in game.start.given.items() if game.state[kept].type in (player, Option(player)))
    given: _Object = {name: chance.below(game.seats) for name in named}
    found = spread_pack(machine, machine.start(given))
    return {**given, found.order: [*chance.shuffle(found.cards)], **found.parameters}


def _carry_on(machine: Machine, state: State, move: RouteAct) -> State:
    after = machine.act(state, move.seat, move.act)
    if isinstance(after, Refusal):
        raise Impossible(f"the move {move.step} is refused: {after.code} ({after.clause})")
    return after


def _find_next(machine: Machine, state: State, seat: int) -> int | None:
    """Return who else acts before a seat does; None where it is the seat's choice, nobody acts or the deal is over."""
    if _is_played_out(machine, state):
        return None
    offers = {one: acts for one in range(machine.game.seats) if (acts := machine.legal(state, one))}
    acting = [one for one, acts in offers.items() if PLAY in acts] or list(offers)
    return None if seat in acting or not acting else acting[0]


def _list_acts(machine: Machine, state: State, seat: int) -> list[_Object]:
    """Return the acts that a seat may make, those left out whose values are described."""
    legal = {} if machine.over(state) else machine.legal(state, seat)
    described = {name for name, _, _ in _list_described(machine, state, seat)}
    return [
        {name: value}
        for name, values in legal.items()
        if name not in described and isinstance(values, list)
        for value in values
    ]


def _list_described(machine: Machine, state: State, seat: int) -> list[tuple[str, Action, Json]]:
    """Return the acts of a seat whose values are too many to list, each with what describes them."""
    legal = {} if machine.over(state) else machine.legal(state, seat)
    found = ((outside(action.id), action) for action in machine.game.actions.values())
    return [
        (name, action, legal[name])
        for name, action in found
        if name in legal and not isinstance(legal[name], list) and action.parameters
    ]


def _is_played_out(machine: Machine, state: State) -> bool:
    """Say whether a match or deal has ended: a dealt game in which nobody holds a card."""
    return machine.over(state) or not any(held for _, held in list_hands(machine, state))


_KINDS: Mapping[str, Callable[[_Asked], _Told]] = {
    "legal": _tell_legal,
    "why": _tell_why,
    "explain": _tell_explanation,
    "score": _tell_score,
    "play": _play_on,
}
