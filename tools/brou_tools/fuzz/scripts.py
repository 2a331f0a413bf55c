"""Scripts of matches: the acts with questions between them and acts that are refused, each with the rules' answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from brou import Chance, Choice, Folder, Json, Machine, Place, State, begin, outside
from brou_conformance.protocol import Message
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import PLAY, Pattern, Scenario, ScriptStep, Verb
from brou_conformance.scenarios.script import Script, machine
from brou_tools.fuzz.drawing import DrawnMatch

#: What makes another seed of a seed, for the questions.
_QUESTIONS = 0x9E3779B97F4A7C15
#: One in so many: seats off turn that are asked, acts that are tried and refused, views, and scores.
_OFF_TURN, _TRIED, _VIEWED, _SCORED = 4, 2, 6, 6
_PLACE = Place("<fuzz>", 1, 1)
_VERBS: tuple[Verb, ...] = ("act", "legal", "winner", "view", "score")


def write_script(match: DrawnMatch, data: Folder = None) -> Script:
    """Return the script of a match, with questions that its seed decides."""
    player = machine(match.choice, data)
    chance = Chance(match.seed ^ _QUESTIONS)
    messages = list(_list_messages(player, match, chance))
    return make_script(match.choice, match.start, messages, f"seed-{match.seed}", data=data)


def make_script(  # noqa: PLR0913 - rules, where it begins, what is asked, and what it is called
    choice: Choice,
    start: Mapping[str, Any],
    messages: Iterable[Mapping[str, Any]],
    name: str,
    *,
    data: Folder = None,
    clauses: Sequence[str] = (),
) -> Script:
    """Return a script of some messages that expects what the rules answer."""
    player = machine(choice, data)
    steps: list[ScriptStep] = []
    state = begin(player, start)
    for number, message in enumerate(messages, 1):
        told, after = take(player, state, message)
        if "err" not in told and "skip" not in told:
            steps.append(expect(player, f"s{number}", message, told))
        state = after
    scenario = Scenario(
        game=choice.game,
        id=name,
        title=name,
        cells=dict.fromkeys(clauses, ()),
        level="must",
        origin="fuzz",
        because=name,
        lines=tuple(steps),
        place=_PLACE,
    )
    return Script(scenario, choice, tuple(steps), start)


def expect(player: Machine, name: str, message: Mapping[str, Any], told: Message) -> ScriptStep:
    """Return a step that expects an answer whole: every act that the rules have, and every key of a view or score."""
    verb = write_step(message).verb
    if verb == "act":
        # By which code an act is refused is no rule of a game; scenarios ask for it where a text makes it plain.
        pattern = Pattern("ok" if "ok" in told else "no", value=True)
    elif verb == "legal":
        offered = told["legal"]
        pattern = Pattern("legal", {outside(act): offered.get(outside(act), []) for act in player.game.actions})
    elif verb == "view":
        shown = told["view"]
        pattern = Pattern("view", shown, tuple(show.id for show in player.game.view if show.id not in shown))
    else:
        pattern = Pattern(verb, told[verb])
    return ScriptStep(name, verb, dict(message), _PLACE, pattern)


def write_step(message: Mapping[str, Any]) -> ScriptStep:
    """Return a message as a step that expects nothing, for whoever tells it."""
    verb = next(verb for verb in _VERBS if verb in message)
    return ScriptStep("", verb, dict(message), _PLACE)


def _list_messages(player: Machine, match: DrawnMatch, chance: Chance) -> Iterator[Message]:
    """Yield the acts of a match and the questions between them."""
    seats = range(player.game.seats)
    state = begin(player, match.start)
    for seat, act in match.acts:
        yield {"legal": seat}
        if chance.below(_OFF_TURN) == 0:
            yield {"legal": chance.pick(seats)}
        if chance.below(_TRIED) == 0 and (tried := _try_another(player, state, seat, chance)) is not None:
            yield tried
        yield {"by": seat, "act": act}
        state = _carry_out(player, state, seat, act)
        if PLAY in act and not player.view(state, 0, only=("trick",)).get("trick"):
            yield {"winner": True}
        if chance.below(_VIEWED) == 0:
            yield {"view": chance.pick(seats)}
        if chance.below(_SCORED) == 0:
            yield {"score": True}
    yield {"score": True}
    yield from ({"view": seat} for seat in seats)
    yield from ({"legal": seat} for seat in seats)


def _carry_out(player: Machine, state: State, seat: int, act: Mapping[str, Json]) -> State:
    after = player.act(state, seat, act)
    return after if isinstance(after, State) else state


def _try_another(player: Machine, state: State, seat: int, chance: Chance) -> Message | None:
    """Return an act that the rules refuse, of those that the seat could think of; now and then by another seat."""
    by = seat if chance.below(_OFF_TURN) else chance.pick(range(player.game.seats))
    thought = list(player.imaginable(state, by))
    for act in chance.shuffle(thought):
        if player.refusal(state, by, act) is not None:
            return {"by": by, "act": act}
    return None
