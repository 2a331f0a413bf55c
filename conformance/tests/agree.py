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
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from brou import Impossible, Machine, Refusal, book, catalogue, choose, rules
from brou.chance import Chance
from oracle_loader import load

MAX_DEALS = 60
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
}


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


def beginning(machine: Machine, chance: Chance) -> dict[str, Any]:
    """Return a start in the middle of a partie, where declarations and requests are within reach."""
    start: dict[str, Any] = {"dealer": chance.below(machine.game.seats)}
    for name in machine.game.start.given:
        if name == "accounts":
            start[name] = [10 * (chance.below(45) - 14) for _ in machine.game.teams]
        elif name == "carry":
            start[name] = [chance.pick([0, 0, 20, 40]) for _ in machine.game.teams]
        elif name != "dealer":
            start[name] = [chance.below(4) for _ in machine.game.teams]
    return start


def options(legal: Mapping[int, Mapping[str, Any]], chance: Chance) -> Iterator[tuple[int, dict[str, Any], int]]:
    """Yield every act open to a seat with a weight; described ones filled at random."""
    for seat, acts in legal.items():
        for name, choices in acts.items():
            weight = EAGER.get(name, 1)
            if isinstance(choices, list):
                for value in choices:
                    yield seat, {name: value}, weight
            elif "min" in choices and "max" in choices:
                yield seat, {name: choices["min"] + chance.below(choices["max"] - choices["min"] + 1)}, weight
            else:
                value = {
                    part: chance.shuffled(rule["order"]) if isinstance(rule, dict) else chance.pick(rule)
                    for part, rule in choices.items()
                }
                yield seat, {name: value}, weight


def weigh(act: Mapping[str, Any], weight: int, seat: int, score: Mapping[str, Any], chance: Chance) -> int:
    """Make claims rare unless they are right, so that most deals are played out."""
    if "claim" not in act:
        return weight
    right = score["accounts"][seat % 2] > 300
    return (20 if chance.below(8) == 0 else 0) if right else (1 if chance.below(12) == 0 else 0)


def attempt(chance: Chance, cards: list[str], seen: list[dict[str, Any]]) -> tuple[int, dict[str, Any]]:
    """Return an act that may well be refused: of a kind seen before, by any seat, with any value."""
    act = chance.pick(seen)
    name, value = next(iter(act.items()))
    if name in ("play", "draw"):
        value = chance.pick(cards)
    elif name == "announce":
        value = {"suit": chance.pick(sorted({card[1] for card in cards})), "kind": chance.pick(["simple", "grand"])}
    elif name in ("mark", "unmark", "cut"):
        value = chance.below(40)
    elif name == "deal" and chance.below(2):
        value = {**value, "packets": chance.pick([[3, 3, 2], [1, 3, 4], [4, 4], [2, 3, 3], [8]])}
    return chance.below(4), {name: value}


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


def match(name: str, seed: int, tally: Counter[str]) -> int:
    """Play one match with both witnesses and random readings; return how many deals it had."""
    chance = Chance(seed)
    choice = choose(name)
    readings = readings_of(choice, chance)
    try:
        choice = choose(f"{name}[{','.join(f'{k}={v}' for k, v in readings.items())}]")
    except Impossible:
        return 0
    machine = Machine(rules(choice))
    start = beginning(machine, chance) if chance.below(2) else {}
    values = {key: int(value) if value.isdigit() else value for key, value in readings.items()}
    counted = {"parties" if key == "coches" else key: value for key, value in start.items()}
    oracle = load(choice.game.replace("-", "_")).Match(f"{choice.game}@{choice.edition}", values, **counted)
    cards, seats = list(machine.game.deck.cards), range(machine.game.seats)
    state, deals = machine.start(start) if start else machine.begin(), 0
    told: list[Any] = [{"seed": seed, "readings": readings, "start": start}]
    seen: list[dict[str, Any]] = []
    while not machine.over(state) and deals < MAX_DEALS:
        legal = {seat: machine.legal(state, seat) for seat in seats}
        for seat in seats:
            compare(told, f"legal of {seat}", canonical(legal[seat]), canonical(oracle.legal(seat)))
            compare(told, f"view of {seat}", machine.view(state, seat), oracle.view(seat))
        score = machine.score(state)
        compare(told, "score", score, oracle.score())
        compare(told, "over", machine.over(state), oracle.over)
        compare(told, "invariants", machine.broken(state), [])
        if seen and chance.below(3) == 0:
            by, act = attempt(chance, cards, seen)
        else:
            weighted = [(s, a, weigh(a, w, s, score, chance)) for s, a, w in options(legal, chance)]
            pool = [(s, a) for s, a, w in weighted for _ in range(w)] or [(s, a) for s, a, _ in weighted]
            by, act = chance.pick(pool)
        kind = next(iter(act))
        seen = [item for item in seen if kind not in item] + [act]
        told.append({"by": by, "act": act})
        after = machine.act(state, by, act)
        accepted = not isinstance(after, Refusal)
        compare(told, "accepted", accepted, oracle.act(by, act))
        tally[f"{kind} {'accepted' if accepted else 'refused'}"] += 1
        if not isinstance(after, Refusal):
            state = after
            deals += kind == "deal"
    return deals


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
