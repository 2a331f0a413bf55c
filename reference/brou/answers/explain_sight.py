"""A question about what one player sees, explained: why a card may be played or not, whatever the others hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from brou.answers.explain_state import Explainer
from brou.answers.history import History
from brou.errors import Impossible
from brou.games.catalogue import Choice, rules
from brou.games.folder import Folder, locate
from brou.games.readings import find_other_answers
from brou.interpreter.acts import single
from brou.interpreter.machine import Machine, State
from brou.interpreter.sight import OpenAnswer, SeatPosition, Sight
from brou.language.codec import Json
from brou.language.skills import PLAY
from brou.language.tree import Call, walk
from brou.reasons.explanation import AlternativeReading, Explained, Explanation, Judgement, Question, Verdict
from brou.reasons.reason import Act, Coded, each_once
from brou.reasons.reasoner import Reasoner

#: What a view says, by its keys.
View: TypeAlias = Mapping[str, Json]


def find_legal(choice: Choice, position: View, seat: int, folder: Folder = None) -> Sight:
    """Return which cards a seat may play in a position, as `find_sight` has it."""
    return SeatPosition(_machine(choice, locate(folder)), position, seat).sight(seat, (PLAY,))


def find_verdict(choice: Choice, position: View, seat: int, act: Act, folder: Folder = None) -> bool | OpenAnswer:
    """Say whether an act is allowed in a position, or on what the answer hangs."""
    found = SeatPosition(_machine(choice, locate(folder)), position, seat).refusals(seat, act)
    return found if isinstance(found, OpenAnswer) else not found


def explain_sight(
    choice: Choice, position: View, question: Question, folder: Folder = None, *, varied: bool = True
) -> Explanation | OpenAnswer:
    """Return why an act is allowed or refused in a position, or the variables that an open answer hangs on.

    There is an entry for each duty that may be the one in the way. Reasons that differ from case to case are left
    out. With `varied`, each entry has the readings under which the answer is another one; where that one is open,
    the reading comes without an answer. Raise `Impossible` if no game comes to the position, `BadAct` for a malformed
    act.
    """
    seat, act = question.seat, question.act or {}
    game = rules(choice, folder)
    history = History(game)
    found = _judge(Machine(game, history), history, position, seat, act)
    if isinstance(found, OpenAnswer):
        return found

    def ask(other: Choice) -> Verdict | None:
        try:
            refusals = SeatPosition(_machine(other, locate(folder)), position, seat).refusals(seat, act)
        except Impossible:
            return None
        return None if isinstance(refusals, OpenAnswer) else _conclude(act, (one.code for one in refusals))

    readings: tuple[AlternativeReading, ...] = ()
    if varied:
        action = next(iter(act)).replace("-", "_")
        touched = history.touched | {("actions", action), *(("phases", name) for name in game.phases)}
        base: Verdict | None = _conclude(act, (one.code for one in found))
        readings = tuple(
            AlternativeReading(one.key, one.value, one.ambiguity, one.then)
            for one in find_other_answers(choice, touched, base, ask, folder)
        )
    return Explanation(choice, question, tuple(Explained(one, readings) for one in found), ())


def find_grounds(found: Explanation, position: View, folder: Folder = None) -> tuple[str, ...]:
    """Return the clauses by which a card may be played, none where no clause decides; `found` explains it.

    They are the exceptions that free the card, with the duties that they lift. Without one they are the duties that
    refuse other cards of the hand, and those that would refuse this one if the hand were another: whoever has no card
    of the suit led is not bound to follow. Where the rules know no duty, it is the clause by which cards are played.
    """
    game, seat, act = rules(found.choice, folder), found.question.seat, found.question.act or {}
    action = game.actions[single(act)[0]]
    plain = action.clause
    if not any(isinstance(part, Call) and part.name in game.tables for part in walk(action.legal)):
        return (plain,)
    told = [one.found for one in found.entries if isinstance(one.found, Judgement)]
    judged = [row for one in told for decision in one.decisions for row in decision.rows]
    lifted = [(clause, row.clause) for row in judged for clause, _ in row.lifting if clause != plain]
    if lifted:
        return each_once(clause for pair in lifted for clause in pair)
    if not position.get("trick"):
        return ()
    clauses = _find_duties(found.choice, position, seat, act, folder)
    rows = (row.clause for table in game.tables.values() for row in table.rows)
    return tuple(clause for clause in each_once(rows) if clause in clauses)


def _find_duties(choice: Choice, position: View, seat: int, act: Act, folder: Folder) -> Collection[str]:
    """Return the clauses that refuse other cards of the hand, and those that would refuse this one in another hand."""
    game, held = rules(choice, folder), position.get("hand")
    history = History(game)
    machine = Machine(game, history)
    reasoner = Reasoner(machine.evaluator)
    there = SeatPosition(machine, position, seat)
    others = [{PLAY: card} for card in held if isinstance(card, str)] if isinstance(held, list) else []
    refusing = (there.refusals(seat, other) for other in others if other != act)
    found = {one.clause for refusals in refusing if not isinstance(refusals, OpenAnswer) for one in refusals}
    waived = there.settle(
        act, lambda state: Explainer(machine, reasoner, history, state, (), {}).list_waived(seat, act), lambda _: ()
    )
    if not isinstance(waived, OpenAnswer) and len(waived) == 1:
        found |= {*waived[0]}
    return found


def _conclude(act: Act, codes: Iterable[str]) -> Verdict:
    """Return the verdict that some codes of refusal come to; of several, none is the code."""
    known = {code for code in codes if code}
    return Verdict(act, not known, (next(iter(known)) if len(known) == 1 else None) if known else "")


def _judge(
    machine: Machine, history: History, position: View, seat: int, act: Act
) -> tuple[Judgement, ...] | OpenAnswer:
    """Return the judgements on an act in a position, one for each duty that may be in the way."""
    there, reasoner = SeatPosition(machine, position, seat), Reasoner(machine.evaluator)

    def judge(state: State) -> Judgement:
        return Explainer(machine, reasoner, history, state, (), {}).judge_act(seat, act)

    told = there.settle(act, judge, lambda judgement: judgement.allowed)
    if not isinstance(told, OpenAnswer):
        return tuple(_merge(told))
    # Reasons may hang on more than the answer does.
    bare = there.settle(act, lambda state: machine.refusal(state, seat, act), lambda refusal: refusal is None)
    if isinstance(bare, OpenAnswer):
        return bare
    clause = machine.game.actions[single(act)[0]].clause
    codes = {("", clause) if one is None else (one.code, one.clause) for one in bare}
    return tuple(Judgement(seat, act, code, Coded(code) if code else None, (cited,)) for code, cited in sorted(codes))


def _merge(told: Iterable[Judgement]) -> Iterator[Judgement]:
    """Yield one judgement for each duty; where its reasons differ from case to case, it has none but the code."""
    for (code, clauses), alike in groupby(sorted(told, key=_rest_on), _rest_on):
        first, *more = alike
        because = Coded(code) if code else None
        yield Judgement(first.seat, first.act, code, because, clauses) if any(one != first for one in more) else first


def _rest_on(judgement: Judgement) -> tuple[str, tuple[str, ...]]:
    return judgement.code, judgement.clauses


@lru_cache(maxsize=16)
def _machine(choice: Choice, data: Path) -> Machine:
    return Machine(rules(choice, data))
