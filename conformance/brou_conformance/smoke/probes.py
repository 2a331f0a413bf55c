"""Probes: a handful of short scripts for one set-up, with the answers of the rules.

They keep to facts that hardly depend on a rule: the cards as they are dealt, the first to play, the figures written
before the deal, one trick in which everybody can follow suit. All of it is made from the rules' own data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

from brou import (
    BrouError,
    Chance,
    Choice,
    Folder,
    Game,
    Json,
    Machine,
    Refusal,
    State,
    begin,
    complete,
    keep_until_changed,
    outside,
)
from brou.language.types import Array, Int, Named, finite, inner
from brou_conformance.programs.session import Hello
from brou_conformance.protocol import Message
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.scenarios.script import machine
from brou_conformance.smoke.translatable import say

Start: TypeAlias = Mapping[str, Any]
Steps: TypeAlias = Sequence[Mapping[str, Any]]

#: The seed of all probes, so that a program is always asked the same.
_SEED = 20221
#: How many packs are tried for a trick in which everybody can follow suit, and how many ways for one to the play.
_PACKS, _WAYS = 8, 8
#: How many acts lead to the play of the cards at most.
_FAR = 60


@dataclass(frozen=True, slots=True)
class Probe:
    """A script, its subject in words, and the answers of the rules to each of its steps."""

    name: str
    about: str
    start: Start
    steps: tuple[Mapping[str, Any], ...]
    truth: tuple[Message, ...]
    #: For each step the position that its seat sees before it, if it is one on turn that asks what may be played.
    positions: tuple[Mapping[str, Json] | None, ...] = field(default=(), compare=False)

    @property
    def dealt(self) -> bool:
        """Say whether cards are dealt at its start."""
        return "hands" in self.start


def play_out(player: Machine, start: Start, steps: Steps) -> tuple[tuple[Message, ...], tuple[State, ...]]:
    """Return the answers of the rules to a script, and the state before each step; raise `BrouError` for no start."""
    state, results, states = begin(player, start), [], []
    for step in steps:
        states.append(state)
        result, state = take(player, state, step)
        results.append(result)
    return tuple(results), tuple(states)


def list_probes(choice: Choice, hello: Hello, folder: Folder = None) -> tuple[Probe, ...]:
    """Return the probes of a set-up that a program can answer with the abilities it declares."""
    player = machine(choice, folder)
    if "deal" in hello.can:
        return tuple(_before(player, hello)) + tuple(_dealt(player, hello))
    if "match" in hello.can:
        return tuple(_from_the_draw(player, hello))
    return tuple(_positions(player)) if "position" in hello.can else ()


# Before the deal ----------------------------------------------------------------------


def _before(player: Machine, hello: Hello) -> Iterator[Probe]:
    """Yield probes of the figures written before a deal: the same numbers must come back."""
    asked = [*({"view": seat} for seat in range(player.game.seats) if "view" in hello.can)]
    asked += [{"score": True}] if "score" in hello.can else []
    if not asked:
        return
    for number, start in enumerate(written_before(player), 1):
        yield _probe(player, f"before the deal, {number}", say("about_written"), start, asked)


def written_before(player: Machine) -> tuple[Message, ...]:
    """Return two starts before the deal, by other dealers and with other numbers, no two of a list alike."""
    dealers = [
        start for seat in range(player.game.seats) if _is_start(player, start := _seat_of_dealer(player.game, seat))
    ]
    if not dealers:
        return ()
    return tuple(_fill(player, start, turned=turned) for start, turned in ((dealers[0], False), (dealers[-1], True)))


def _is_start(player: Machine, start: Start) -> bool:
    try:
        player.start(start)
    except BrouError:
        return False
    return True


def _fill(player: Machine, start: Start, *, turned: bool) -> Message:
    """Return a start with figures written beside it that the rules allow, key by key."""
    filled = dict(start)
    for number, (key, name) in enumerate(player.game.start.given.items()):
        fitting = (
            value for value in _values(player, name, number, turned=turned) if _is_start(player, {**filled, key: value})
        )
        value = next(fitting, None)
        if value is not None:
            filled[key] = value
    return filled


#: What is written: numbers that no rounding leaves alone, round ones, and such as add up to nothing.
_SCALES = (1, 10)


def _values(player: Machine, name: str, lift: int, *, turned: bool) -> Iterator[list[int]]:
    """Yield values for a variable; lists of numbers have no two alike."""
    type_ = player.game.state[name].type
    if not isinstance(type_, Array) or not isinstance(type_.element, Int):
        return
    size, low, high = len(finite(type_.index) or ()), type_.element.low, type_.element.high
    for scale in _SCALES:
        row = [scale * (2 + lift + place * place + place) for place in range(1, size + 1)]
        balanced = [*row[:-1], -sum(row[:-1])]
        for numbers in (row, balanced):
            ordered = numbers[::-1] if turned else numbers
            if all(low <= number <= high for number in ordered):
                yield ordered


def _seat_of_dealer(game: Game, seat: int) -> dict[str, int]:
    """Return the start's key for a seat, which is that of the dealer."""
    keys = (key for key, name in game.start.given.items() if _is_seat(game, name))
    return dict.fromkeys(islice(keys, 1), seat)


def dealer_key(game: Game) -> str:
    """Return how the start calls the dealer; nothing if no seat can be given."""
    return next(iter(_seat_of_dealer(game, 0)), "")


def _is_seat(game: Game, name: str) -> bool:
    type_ = inner(game.state[name].type)
    return isinstance(type_, Named) and type_.name == "player"


# Cards as they are dealt -----------------------------------------------------------------


def _dealt(player: Machine, hello: Hello) -> Iterator[Probe]:
    """Yield for each dealer a deal, the hands as they are dealt, and one trick."""
    for dealer in range(player.game.seats):
        made = _deal(player, dealer)
        if made is not None:
            start, way = made
            steps = _list_steps(player, start, way, hello)
            yield _probe(player, f"a deal by seat {dealer}", say("about_deal", dealer=dealer), start, steps)


@keep_until_changed(maxsize=64)
def _deal(player: Machine, dealer: int) -> tuple[Message, tuple[Message, ...]] | None:
    """Return a deal by a seat and the acts up to the end of its first trick; of some packs, the plainest trick's."""
    best: tuple[int, Message, tuple[Message, ...]] | None = None
    for number in range(_PACKS):
        chance = Chance(_SEED + _PACKS * dealer + number)
        given = _seat_of_dealer(player.game, dealer)
        try:
            before = player.start(given)
            start = {**given, **complete(player, before, {_order(player): chance.shuffle(player.game.deck.cards)})}
            state = begin(player, start)
        except BrouError:
            continue
        way = _find_play(player, state, chance)
        if way is None:
            continue
        acts, state = way
        trick, strayed = _trick(player, state)
        if best is None or strayed < best[0]:
            best = strayed, start, (*acts, *trick)
        if not strayed:
            break
    return None if best is None else best[1:]


def _order(player: Machine) -> str:
    """Return the parameter of the deal that takes the order of the pack, which every deal has."""
    action = player.game.actions[player.game.start.deal]
    return next(outside(one.id) for one in action.parameters if str(one.domain.type) == "orders")


def _find_play(player: Machine, state: State, chance: Chance) -> tuple[list[Message], State] | None:
    """Return acts that lead from a deal to the play of its cards, the fewest of some ways, and the state there."""
    found: list[tuple[list[Message], State]] = []
    for _ in range(_WAYS):
        way = _wander(player, state, chance)
        if way is not None:
            found.append(way)
        if way is not None and not way[0]:
            break
    return min(found, key=lambda one: len(one[0]), default=None)


def _wander(player: Machine, state: State, chance: Chance) -> tuple[list[Message], State] | None:
    """Return some acts up to the play of cards; None if it is not reached."""
    acts: list[Message] = []
    for _ in range(_FAR):
        offers = [(seat, legal) for seat in range(player.game.seats) if (legal := player.legal(state, seat))]
        if any(PLAY in legal for _, legal in offers):
            return acts, state
        if not offers:
            return None
        seat, legal = chance.pick(offers)
        name = chance.pick(list(legal))
        value = _pick(legal[name], chance)
        after = player.act(state, seat, {name: value})
        if isinstance(after, Refusal):
            return None
        acts.append({"by": seat, "act": {name: value}})
        state = after
    return None


def _pick(choices: Json, chance: Chance) -> Json:
    """Return one of the choices of an act; of a described set its least, of an order the one written."""
    match choices:
        case list():
            return chance.pick(choices)
        case {"from": list(cards), "min": int(least)}:
            return cards[:least]
        case {"order": list(cards)}:
            return cards
        case {"min": int(least)}:
            return least
        case dict():
            return {name: _pick(value, chance) for name, value in choices.items()}
    return choices


def _trick(player: Machine, state: State) -> tuple[list[Message], int]:
    """Return one round of cards, everybody following suit where he can, and how many do not follow a plain suit."""
    acts: list[Message] = []
    led, strayed = "", 0
    for _ in range(player.game.seats):
        seat = player.view(state, 0).get("turn")
        if not isinstance(seat, int):
            break
        open_ = player.legal(state, seat).get(PLAY)
        cards = [str(card) for card in open_] if isinstance(open_, list) else []
        if not cards:
            break
        follows = (card for card in cards if card.endswith(led))
        card = next(follows, cards[0]) if led else _lead(player, state, seat, cards)
        strayed += bool(led) and not card.endswith(led)
        led = led or card[-1]
        after = player.act(state, seat, {PLAY: card})
        if isinstance(after, Refusal):
            break
        acts.append({"by": seat, "act": {PLAY: card}})
        state = after
        view = player.view(state, 0)
        if not view.get("trick"):
            break
    return acts, strayed + (not acts)


def _lead(player: Machine, state: State, seat: int, cards: Sequence[str]) -> str:
    """Return the card of a plain suit that most others hold too."""
    trump = player.view(state, seat).get("trump")
    hands = [player.view(state, other).get("hand") for other in range(player.game.seats) if other != seat]

    def weigh_card(card: str) -> tuple[bool, int]:
        holding = sum(any(str(one)[-1] == card[-1] for one in hand) for hand in hands if isinstance(hand, list))
        return card[-1] != trump, holding

    return max(cards, key=weigh_card)


def _list_steps(player: Machine, start: Start, way: Steps, hello: Hello) -> list[Mapping[str, Any]]:
    """Return the steps of a deal: every view, the leader's legal cards, the acts, and the results."""
    seats = range(player.game.seats)
    views: list[Mapping[str, Any]] = [{"view": seat} for seat in seats] if "view" in hello.can else []
    steps: list[Mapping[str, Any]] = [*views]
    state = begin(player, start)
    first = True
    for act in way:
        name = next(iter(act["act"]))
        if hello.acts is not None and name not in hello.acts:
            return steps
        if name == PLAY:
            steps.append({"legal": act["by"]})
        steps.append(act)
        after = player.act(state, act["by"], act["act"])
        state = after if isinstance(after, State) else state
        if views and name == PLAY and first:
            steps.append(views[(act["by"] + 1) % len(views)])
            first = False
    steps += [{"winner": True}] if "winner" in hello.can else []
    steps += views[:1]
    steps += [{"score": True}] if "score" in hello.can else []
    turn = player.view(state, 0).get("turn")
    if isinstance(turn, int) and PLAY in player.legal(state, turn):
        steps.append({"legal": turn})
    return steps


def _probe(player: Machine, name: str, about: str, start: Start, steps: Steps) -> Probe:
    truth, states = play_out(player, start, steps)
    positions = tuple(_position(player, state, step) for state, step in zip(states, steps, strict=True))
    return Probe(name, about, start, tuple(steps), truth, positions)


def _position(player: Machine, state: State, step: Mapping[str, Any]) -> Mapping[str, Json] | None:
    seat = step.get("legal")
    if not isinstance(seat, int) or player.view(state, seat).get("turn") != seat:
        return None
    return {"seat": seat, **player.view(state, seat)}


# From the draw, and by positions ------------------------------------------------------------


def _from_the_draw(player: Machine, hello: Hello) -> Iterator[Probe]:
    """Yield deals that a program reaches only by playing a match from its beginning."""
    for number in range(player.game.seats):
        chance = Chance(_SEED + number)
        way = _wander(player, player.begin(), chance)
        if way is None:
            continue
        acts, state = way
        trick, _ = _trick(player, state)
        steps = _asked_from_the_draw(player, [*acts, *trick], hello)
        yield _probe(player, f"a match from its beginning, {number + 1}", say("about_match"), {}, steps)


def _asked_from_the_draw(player: Machine, way: Steps, hello: Hello) -> list[Mapping[str, Any]]:
    """Return the steps of a match: its acts, and every view once the cards are dealt."""
    deal = outside(player.game.start.deal)
    steps: list[Mapping[str, Any]] = []
    for act in way:
        name = next(iter(act["act"]))
        if hello.acts is not None and name not in hello.acts:
            return steps
        steps += [{"legal": act["by"]}] * (name == PLAY) + [act]
        if name == deal and "view" in hello.can:
            steps += [{"view": seat} for seat in range(player.game.seats)]
    steps += [{kind: True} for kind in ("winner", "score") if kind in hello.can]
    return steps


def _positions(player: Machine) -> Iterator[Probe]:
    """Yield probes that ask for the positions of a deal alone."""
    for dealer in range(player.game.seats):
        made = _deal(player, dealer)
        if made is not None:
            start, way = made
            steps = [step for act in way for step in (*([{"legal": act["by"]}] * (PLAY in act["act"])), act)]
            yield _probe(player, f"a deal by seat {dealer}", say("about_position", dealer=dealer), start, steps)
