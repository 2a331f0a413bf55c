"""Facts: the statements of an answer, name by name, so that two answers can be compared where both make one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from brou import Game, Json
from brou_conformance.judging.judge import Unsent
from brou_conformance.metamorphic.renaming import AnswerReader, Renaming, canonical
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.smoke.probes import Probe

#: What the steps of a probe say: for each step, by name, in a form that can be compared.
Fact: TypeAlias = "str | bool"
Facts: TypeAlias = Sequence[dict[str, Fact]]

#: The fact of an act: whether it is taken.
TAKEN = "taken"


@dataclass(frozen=True, slots=True)
class FactPlace:
    """Where a fact is: the probe, the step, and its name."""

    probe: int
    step: int
    name: str


def same_names(game: Game) -> Renaming:
    """Return the names that change nothing."""
    words = {word: word for word in (*game.deck.suits, *game.deck.cards)}
    return Renaming(tuple(range(game.seats)), tuple(range(len(game.teams))), words)


def is_answered(answer: Message | Unsent | None) -> TypeGuard[Message]:
    """Say whether something came that answers the step."""
    return answer is not None and not isinstance(answer, Unsent) and "skip" not in answer and "err" not in answer


def read_facts(game: Game, answers: Iterable[Message | Unsent | None], names: Renaming) -> Facts:
    """Return the facts that answers state, under new names; of the legal acts only the cards.

    A missing answer states nothing.
    """
    reader = AnswerReader(game, whole=False)
    return [_read_answer(reader, answer, names) if is_answered(answer) else {} for answer in answers]


def read_fact(fact: Fact) -> Json:
    """Return the value that a fact holds."""
    value: Json = json.loads(fact) if isinstance(fact, str) else fact
    return value


def _read_answer(reader: AnswerReader, answer: Message, names: Renaming) -> dict[str, Fact]:
    if "ok" in answer or "no" in answer:
        return {TAKEN: "ok" in answer}
    try:
        said = reader.read(answer, names)
    except (TypeError, ValueError, KeyError, AttributeError, IndexError):
        return {}  # a view or score of another shape than the rules' says nothing that could be compared
    if "legal" in answer:
        return {PLAY: canonical(said.get(PLAY, []))}
    kind = next((kind for kind in ("view", "score") if kind in answer), "")
    return {f"{kind}.{key}" if kind else key: canonical(value) for key, value in said.items()}


def compare(
    probes: Sequence[Probe], told: Sequence[Facts], true: Sequence[Facts], *, apart: bool = False
) -> dict[FactPlace, bool]:
    """Return for each fact that both tell whether it agrees with the rules, up to the first act taken otherwise.

    Where each step stands `apart` as a position of its own, no act is made, and none leads astray.
    """
    found: dict[FactPlace, bool] = {}
    for number in range(len(probes)):
        for step, (said, wanted) in enumerate(zip(told[number], true[number], strict=True)):
            for name in said.keys() & wanted.keys():
                found[FactPlace(number, step, name)] = said[name] == wanted[name]
            if not apart and said.get(TAKEN) is not wanted.get(TAKEN):
                break
    return found
