"""Two witnesses, one story: the interpreter and the oracle of a game play the same random matches.

After every act both must offer every seat the same acts and show it the same
view and score; acts drawn at random, most of them out of order, must be
accepted or refused by both.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from brou import Choice, Impossible, Machine, Refusal, State, book, catalogue, choose, rules
from brou.chance import Chance
from brou.games.catalogue import with_readings
from brou.language.codec import outside
from brou.language.types import CARDS, Bool, Cards, Named, Type
from oracle_loader import begun

MAX_DEALS = 60
PACKETS = [[3, 3, 2], [1, 3, 4], [4, 4], [2, 3, 3], [8], [3, 2], [2, 3], [4, 1], [5], [1, 1, 1], [3], [2, 1]]
EAGER = {
    "play": 60,
    "announce": 6,
    "answer": 30,
    "declare": 40,
    "stop": 60,
    "next": 8,
    "deal": 30,
    "draw": 5,
    "lot": 5,
    "mark": 3,
    "show": 20,
    "turn": 4,
    "say": 4,
    "choose": 10,
    "surrender": 8,
    "discard": 40,
    "rest": 120,
}

#: What stands before a deal when a match does not begin at its beginning, by the name that a start gives it.
Start = Callable[[Machine, Mapping[str, str], Chance], dict[str, Any]]


def slates(machine: Machine, readings: Mapping[str, str], chance: Chance) -> dict[str, Any]:
    """Return accounts in tens, where declarations and requests are within reach, of a match that nobody has won."""
    written: dict[str, Any] = {}
    to_win = next((int(value) for key, value in readings.items() if key in ("match_ticks", "match_parties")), 4)
    for name in machine.game.start.given:
        if name == "accounts":
            written[name] = [10 * (chance.below(45) - 14) for _ in machine.game.teams]
        elif name == "carry":
            written[name] = [chance.pick([0, 0, 20, 40]) for _ in machine.game.teams]
        elif name != "dealer":
            written[name] = [chance.below(min(4, to_win)) for _ in machine.game.teams]
    return written


def below_the_target(machine: Machine, readings: Mapping[str, str], chance: Chance) -> dict[str, Any]:
    """Return accounts with which the partie is not yet won; a single debt is of one point."""
    least = -1 if readings["debt"] == "single" else -3
    return {"accounts": [least + chance.below(int(readings["target"]) - least) for _ in machine.game.teams]}


def in_mid_partie(machine: Machine, readings: Mapping[str, str], chance: Chance) -> dict[str, Any]:
    """Return tokens won and lost with what lies in the pot, or totals about the target, before a coup of the partie."""
    for_points = not any(machine.score(machine.begin())["accounts"])  # type: ignore[arg-type]  # a list of numbers
    target, sides = int(readings["points_target"]), range(len(machine.game.teams))
    while True:
        pot = 0 if for_points else chance.pick([0, 1, 40, 100])
        gains = [chance.below(target + 20) if for_points else chance.below(300) - 150 for _ in sides]
        if not for_points:
            gains[0] -= sum(gains) + pot
        coups = chance.below(int(readings["tours"]) * machine.game.seats)
        start = {"dealer": chance.below(machine.game.seats), "gains": gains, "pot": pot, "coups": coups}
        with suppress(Impossible):
            machine.start(start)
            return start


def in_mid_match(machine: Machine, _readings: Mapping[str, str], chance: Chance) -> dict[str, Any]:
    """Return accounts on both sides of nought, and so many deals played that the match ends sooner or later."""
    length = 10 * machine.game.seats
    played = length - 1 - chance.below(4) if chance.below(2) else chance.below(length)
    return {"accounts": [chance.below(61) - 30 for _ in machine.game.teams], "deals": played}


#: The starts of games that are not played for slates.
STARTS: dict[str, Start] = {
    "homme-d-auvergne": below_the_target,
    "brusquembille": in_mid_partie,
    "hombre": in_mid_match,
}

#: Another order of a pack, for games in which what matters seldom comes about by chance.
Pack = Callable[[list[str], Chance], list[str]]


def lopsided(deck: list[str], chance: Chance) -> list[str]:
    """Return a pack that now and then deals one of three players, three by three, a suit and the black aces."""
    if chance.below(3):
        return deck
    suit = chance.pick(sorted({card[1] for card in deck}))
    strong = [card for card in deck if card[1] == suit or card in ("AS", "AC")][:9]
    others = [card for card in deck if card not in strong]
    lucky = chance.below(3)
    rounds = [others[6 * n : 6 * n + 6] for n in range(3)]
    dealt = [[*cards[: 3 * lucky], *strong[3 * n : 3 * n + 3], *cards[3 * lucky :]] for n, cards in enumerate(rounds)]
    used = [card for cards in dealt for card in cards]
    return [*used, *(card for card in deck if card not in used)]


PACKS: dict[str, Pack] = {"hombre": lopsided}


class Disagreement(AssertionError):
    """The two witnesses differ; the message holds the whole match up to there."""


def readings_of(choice: Any, chance: Chance) -> dict[str, str]:
    """Return a random value for every reading of an edition; half of the time the default."""
    data = book(choice.game)
    chosen: dict[str, str] = {}
    for key, default in data.editions[choice.edition].readings.items():
        reading = data.readings[key]
        values = (
            list(reading.values) or [str(reading.number[0] + n) for n in range(6)]
            if reading.number
            else list(reading.values)
        )
        chosen[key] = default if chance.below(2) else chance.pick(values)
    return chosen


def beginning(machine: Machine, readings: Mapping[str, str], chance: Chance) -> dict[str, Any]:
    """Return a start in the middle of a partie."""
    dealer = chance.below(machine.game.seats)
    return {"dealer": dealer, **STARTS.get(machine.game.id, slates)(machine, readings, chance)}


def options(legal: Mapping[int, Mapping[str, Any]], chance: Chance) -> Iterator[tuple[int, dict[str, Any], int]]:
    """Yield every act open to a seat with a weight; described ones filled at random, low bids and passes preferred."""
    for seat, acts in legal.items():
        for name, choices in acts.items():
            weight = EAGER.get(name, 1)
            if name == "bid":
                for place, value in enumerate(choices):
                    yield (
                        seat,
                        {name: value},
                        (len(choices) - place) ** 2 if value != choices[-1] else len(choices) ** 3,
                    )
            elif isinstance(choices, list):
                for value in choices:
                    yield seat, {name: value}, weight
            elif "from" in choices:
                size = choices["min"] + chance.below(choices["max"] - choices["min"] + 1)
                yield seat, {name: chance.shuffle(choices["from"])[:size]}, weight
            elif "min" in choices and "max" in choices:
                yield seat, {name: choices["min"] + chance.below(choices["max"] - choices["min"] + 1)}, weight
            else:
                value = {
                    part: chance.shuffle(rule["order"]) if isinstance(rule, dict) else chance.pick(rule)
                    for part, rule in choices.items()
                }
                yield seat, {name: value}, weight


def weigh(act: Mapping[str, Any], weight: int, seat: int, score: Mapping[str, Any], chance: Chance) -> int:
    """Make claims rare unless they are right, so that most deals are played out."""
    if "claim" not in act:
        return weight
    right = score["accounts"][seat % 2] > 300
    return (20 if chance.below(8) == 0 else 0) if right else (1 if chance.below(12) == 0 else 0)


def kinds_of(machine: Machine) -> dict[str, Type]:
    """Return what kind of value each act takes, of those that take a single one."""
    actions = machine.game.actions.values()
    return {outside(action.id): action.parameters[0].type for action in actions if len(action.parameters) == 1}


def anything(kind: Type, chance: Chance, cards: list[str]) -> Any:
    """Return some value of a kind, whether or not it is open."""
    match kind:
        case Named(name="card"):
            return chance.pick(cards)
        case Named(members=members):
            return chance.pick([outside(one) if isinstance(one, str) else one for one in members])
        case Cards():
            return chance.shuffle(cards)[: chance.below(12)]
        case Bool():
            return bool(chance.below(2))
    return chance.below(len(cards) + 1)


def attempt(
    chance: Chance, cards: list[str], seats: range, kinds: Mapping[str, Type], seen: list[dict[str, Any]]
) -> tuple[int, dict[str, Any]]:
    """Return an act that may well be refused: of a kind seen before, by any seat, with any value."""
    act = chance.pick(seen)
    name, value = next(iter(act.items()))
    if name in kinds and (kinds[name] != CARDS or chance.below(3)):
        value = anything(kinds[name], chance, cards)
    elif name == "announce":
        value = {"suit": chance.pick(sorted({card[1] for card in cards})), "kind": chance.pick(["simple", "grand"])}
    elif name == "deal" and chance.below(2):
        value = {**value, "packets": chance.pick(PACKETS)}
    return chance.pick(seats), {name: value}


def canonical(value: Any) -> Any:
    """Return JSON with the lists of `legal` in one order."""
    if isinstance(value, dict):
        return {key: canonical(item) for key, item in value.items()}
    return sorted(json.dumps(item, sort_keys=True) for item in value) if isinstance(value, list) else value


def compare(told: list[Any], what: str, ours: Any, theirs: Any) -> None:
    """Raise unless both say the same."""
    if ours != theirs:
        if isinstance(ours, dict) and isinstance(theirs, dict):
            keys = [key for key in {**ours, **theirs} if ours.get(key, "-") != theirs.get(key, "-")]
            ours, theirs = {k: ours.get(k, "-") for k in keys}, {k: theirs.get(k, "-") for k in keys}
        story = "\n".join(json.dumps(item) for item in told)
        raise Disagreement(f"{story}\n{what}: interpreter {json.dumps(ours)}, oracle {json.dumps(theirs)}")


def set_up(name: str, seed: int) -> Any:
    """Return the rules of a name; where it names no set-up, all of them have their turn from seed to seed."""
    choice = choose(name)
    setups = [choice.setup] if ":" in name else list(book(choice.game).editions[choice.edition].setups)
    return choose(f"{choice.game}@{choice.edition}:{setups[seed % len(setups)]}")


@dataclass(frozen=True)
class Moment:
    """What the interpreter says before an act, seat by seat, and whether it accepts the act; no act is the end."""

    legal: list[Any]
    views: list[dict[str, Any]]
    score: dict[str, Any]
    broken: list[Any]
    over: bool
    by: int = 0
    act: dict[str, Any] | None = None
    accepted: bool = False


@dataclass(frozen=True)
class Opening:
    """The rules of a match and what stands before its first deal."""

    choice: Choice
    seed: int
    start: dict[str, Any]

    @property
    def story(self) -> dict[str, Any]:
        """Return what is told of it."""
        choice = self.choice
        return {"rules": str(choice), "seed": self.seed, "readings": dict(choice.readings), "start": self.start}

    def begin(self) -> Any:
        """Return the oracle of the match."""
        choice = self.choice
        return begun(choice.game, choice.edition, choice.setup, dict(choice.readings), self.start)


def open_match(name: str, seed: int, chance: Chance) -> Opening | None:
    """Return a match with random readings, half of the time in the middle of a partie; None if they do not fit."""
    choice = set_up(name, seed)
    try:
        choice = with_readings(choice, readings_of(choice, chance), fitting=True)
    except Impossible:
        return None
    return Opening(
        choice, seed, beginning(Machine(rules(choice)), dict(choice.readings), chance) if chance.below(2) else {}
    )


def play(opening: Opening, chance: Chance) -> Iterator[Moment]:
    """Yield a random match as the interpreter plays it, act by act; one act in three is drawn without a look at it."""
    choice, start = opening.choice, opening.start
    machine = Machine(rules(choice))
    deck = machine.game.deck
    cards, seats = [rank + suit for suit in deck.suits for rank in deck.ranks], range(machine.game.seats)
    state, deals = machine.start(start) if start else machine.begin(), 0
    seen: list[dict[str, Any]] = []
    kinds = kinds_of(machine)
    while not machine.over(state) and deals < MAX_DEALS:
        legal = {seat: machine.legal(state, seat) for seat in seats}
        score = machine.score(state)
        if seen and chance.below(3) == 0:
            by, act = attempt(chance, cards, seats, kinds, seen)
        else:
            weighted = [(s, a, weigh(a, w, s, score, chance)) for s, a, w in options(legal, chance)]
            pool = [(s, a) for s, a, w in weighted for _ in range(w)] or [(s, a) for s, a, _ in weighted]
            by, act = chance.pick(pool)
        kind = next(iter(act))
        if kind == "deal" and choice.game in PACKS:
            act = {kind: {**act[kind], "deck": PACKS[choice.game](act[kind]["deck"], chance)}}
        seen = [item for item in seen if kind not in item] + [act]
        after = machine.act(state, by, act)
        accepted = not isinstance(after, Refusal)
        yield replace(look(machine, state), by=by, act=act, accepted=accepted)
        if not isinstance(after, Refusal):
            state = after
            deals += kind == "deal"
    # What is seen of a match that is over no text says.
    yield replace(look(machine, state), views=[])


def look(machine: Machine, state: State) -> Moment:
    """Return what the interpreter says in a state."""
    seats = range(machine.game.seats)
    legal = [canonical(machine.legal(state, seat)) for seat in seats]
    views = [machine.view(state, seat) for seat in seats]
    return Moment(legal, views, machine.score(state), list(machine.find_broken_invariants(state)), machine.over(state))


def follow(opening: Opening, moments: Iterable[Moment], tally: Counter[str]) -> int:
    """Let the oracle play a match after the interpreter; count its acts, and return how many deals it had."""
    oracle, deals = opening.begin(), 0
    told: list[Any] = [opening.story]
    for moment in moments:
        for seat, offered in enumerate(moment.legal):
            compare(told, f"legal of {seat}", offered, canonical(oracle.legal(seat)))
        for seat, view in enumerate(moment.views):
            compare(told, f"view of {seat}", view, oracle.view(seat))
        compare(told, "score", moment.score, oracle.score())
        compare(told, "over", moment.over, oracle.over)
        compare(told, "invariants", moment.broken, [])
        if moment.act is None:
            break
        told.append({"by": moment.by, "act": moment.act})
        compare(told, "accepted", moment.accepted, oracle.act(moment.by, moment.act))
        kind = next(iter(moment.act))
        tally[f"{kind} {'accepted' if moment.accepted else 'refused'}"] += 1
        deals += moment.accepted and kind == "deal"
    return deals


def match(name: str, seed: int, tally: Counter[str]) -> int:
    """Play one match with both witnesses and random readings; return how many deals it had."""
    chance = Chance(seed)
    opening = open_match(name, seed, chance)
    return follow(opening, play(opening, chance), tally) if opening else 0


def stretch(name: str, first: int, matches: int, deals: int) -> tuple[int, int, Counter[str]]:
    """Play matches until both numbers are reached; return how many deals and matches, and the acts by kind."""
    tally: Counter[str] = Counter()
    played = done = 0
    seed = first
    while played < deals or done < matches:
        got = match(name, seed, tally)
        played, done, seed = played + got, done + (got > 0), seed + 1
    return played, done, tally


def main() -> int:
    """Play what the command line asks for; 0 if the witnesses agree throughout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--least", type=int, default=100, help="how often each kind of act is at least accepted and refused"
    )
    parser.add_argument("names", nargs="*")
    options_ = parser.parse_args()
    names = options_.names or [f"{game}@{edition}" for game in catalogue() for edition in book(game).editions]
    for name in names:
        jobs = options_.jobs
        with ProcessPoolExecutor(jobs) as pool:
            work = [
                pool.submit(
                    stretch, name, options_.seed + (job << 32), -(-options_.matches // jobs), -(-options_.deals // jobs)
                )
                for job in range(jobs)
            ]
            parts = [item.result() for item in work]
        tally = sum((part[2] for part in parts), Counter[str]())
        print(f"{name}: {sum(p[0] for p in parts)} deals, {sum(p[1] for p in parts)} matches agree")
        for kind, count in sorted(tally.items()):
            print(f"  {kind}: {count}")
        rare = [kind for kind, count in tally.items() if count < options_.least]
        if rare:
            print(f"  fewer than {options_.least}: {', '.join(rare)}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
