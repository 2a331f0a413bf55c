"""Write scenarios of whole deals: acts drawn at random, what has to come of them counted by the oracle alone.

python tests/write_played.py > scenarios/tarot/played.yaml
"""

from random import Random

from oracle import DECK, Deal, deal_out
from playing import choose, stack

HEAD = """\
# Whole deals, by `python tests/write_played.py`: the acts are drawn at random, the results counted by tests/oracle.py.
"""
TITLES = {
    "petite": "A petite",
    "garde": "A garde",
    "garde-sans": "A garde sans",
    "garde-contre": "A garde contre",
    "last-one": "The one of trumps in the last trick",
    "handful": "A handful goes to the winner of the deal",
    "slam-announced": "A slam that was announced",
    "slam-silent": "A slam that was not announced",
    "slam-failed": "A slam that fails",
    "slam-suffered": "The others make every trick",
    "excuse-last": "The excuse in the last trick",
    "half": "Half a point of the difference",
    "excuse-slam": "The excuse takes the last trick of a slam",
}
CLAUSES = {
    "petite": "{tarot.end.01: [value], tarot.end.02: [value], tarot.cards.02: [value], tarot.end.05: [value]}",
    "garde": "{tarot.end.01: [value], tarot.end.02: [value]}",
    "garde-sans": "{tarot.dog.04: [value], tarot.end.02: [value]}",
    "garde-contre": "{tarot.dog.04: [value], tarot.end.02: [value]}",
    "last-one": "{tarot.end.03: [value]}",
    "handful": "{tarot.end.04: [value]}",
    "slam-announced": "{tarot.slam.02: [value]}",
    "slam-silent": "{tarot.slam.02: [value]}",
    "slam-failed": "{tarot.slam.02: [value, boundary]}",
    "slam-suffered": "{tarot.slam.02: [value]}",
    "excuse-last": "{tarot.excuse.04: [value, boundary], tarot.amb.01: [value]}",
    "half": "{tarot.amb.02: [value]}",
    "excuse-slam": "{tarot.excuse.03: [interaction]}",
}


def find_features(oracle):
    """Yield what a deal that has been played shows."""
    yield oracle.contract
    winner, last = oracle.tricks[-1]
    cards = {card: seat for seat, card in last}
    sides = {oracle.is_taker(w) for w, _ in oracle.tricks}
    if "1A" in cards:
        yield "last-one"
    if oracle.handfuls and oracle.result()[oracle.taker] < 0:
        yield "handful"
    if "XE" in cards:
        yield "excuse-slam" if cards["XE"] == winner else "excuse-last"
    if sides == {True}:
        yield "slam-announced" if oracle.slam else "slam-silent"
    if oracle.slam and sides != {True}:
        yield "slam-failed"
    if sides == {False}:
        yield "slam-suffered"
    if oracle.taken()[0] % 2:
        yield "half"


def play_deal(seed, seats):
    """Return the oracle after a random deal, its hands and dog, and the acts as steps."""
    chance = Random(f"played {seats} {seed}")
    dealer = chance.randrange(seats)
    hands, dog = deal_out(stack(chance, seats, dealer), seats, dealer)
    oracle = Deal(seats, dealer, hands, dog)
    steps, eager = [], chance.random() < 0.7
    while oracle.phase != "over":
        turn = oracle.turn
        act, value = choose(chance, oracle, turn, eager)
        oracle.do(turn, act, value)
        if act != "play":
            written = {True: "true", False: "false"}.get(value, value)
            steps.append(f"{{by: {turn}, act: {{{act}: {written}}}}}")
        else:
            steps.append((turn, value))
    return oracle, hands, dog, steps


def with_readings(oracle, **readings):
    """Return the same deal under other readings."""
    oracle.readings = readings
    return oracle.taken(), oracle.result()


def write_score(oracle):
    """Yield the last steps: what the score is under each reading that matters."""

    def shown(**readings):
        (own, oudlers), gains = with_readings(oracle, **readings)
        return f"{{halves: {own}, oudlers: {oudlers}, gains: {gains}}}"

    usual = shown()
    for key, values in {
        "last_excuse": ["other-side", "with-the-trick", "stays"],
        "half_points": ["up", "down"],
    }.items():
        answers = {value: shown(**{key: value}) for value in values}
        if len(set(answers.values())) > 1:
            lines = ", ".join(f"{value}: {answer}" for value, answer in answers.items())
            yield f"{{score: true, readings: {{{key}: {{{lines}}}}}}}"
            return
    yield f"{{score: true, expect: {usual}}}"


def write_steps(steps, seats):
    """Yield steps, with whole tricks in one line where nothing else is done meanwhile."""
    at = 0
    while at < len(steps):
        trick = steps[at : at + seats]
        if all(isinstance(one, tuple) for one in trick):
            yield f'{{play: ["{trick[0][0]}: {" ".join(card for _, card in trick)}"]}}'
            at += seats
        else:
            # In the first trick a handful may be shown between two cards.
            while at < len(steps) and isinstance(steps[at], str):
                yield steps[at]
                at += 1
            first = at
            while at < len(steps) and at - first < seats and isinstance(steps[at], tuple):
                at += 1
            if at - first == seats:
                at = first
                continue
            count = 0
            at = first
            while count < seats and at < len(steps):
                if isinstance(steps[at], tuple):
                    yield f"{{by: {steps[at][0]}, act: {{play: {steps[at][1]}}}}}"
                    count += 1
                else:
                    yield steps[at]
                at += 1


def write_scenario(feature, seats, oracle, hands, dog, steps):
    """Return the text of a scenario."""
    lines = [
        f"- id: tarot.played.{feature}",
        f"  title: {TITLES[feature]}",
        f"  clauses: {CLAUSES[feature]}",
        f"  level: {'reading' if 'amb' in CLAUSES[feature] else 'must'}",
        "  origin: fuzz",
        "  because: >-",
        "    The cards were counted trick by trick by tests/oracle.py, which was written from rules.md.",
        f'  setup: "{seats}"',
        "  deal:",
        f"    dealer: {oracle.dealer}",
        "    hands:",
        *[f'      "{seat}": [{", ".join(c for c in DECK if c in hand)}]' for seat, hand in enumerate(hands)],
        f"    stock: [{', '.join(dog)}]",
        "  steps:",
        *[f"  - {step}" for step in write_steps(steps, seats)],
        *[f"  - {step}" for step in write_score(oracle)],
    ]
    by_seat = with_readings(oracle)[1]
    if "readings" not in lines[-1]:
        lines += ["  - {by: 0, act: {next: true}}", f"  - {{score: true, expect: {{points: {by_seat}}}}}"]
    return "\n".join(lines) + "\n"


def write_all():
    """Return the whole file: for each feature the first deal that shows it, with three or with four players."""
    found = {}
    for seed in range(3000):
        seats = 3 + seed % 2
        oracle, *rest = play_deal(seed, seats)
        if oracle.taker is None:
            continue
        for feature in find_features(oracle):
            if feature not in found:
                found[feature] = write_scenario(feature, seats, oracle, *rest)
        if len(found) == len(TITLES):
            break
    return HEAD + "\n".join(found[one] for one in TITLES if one in found)


if __name__ == "__main__":
    print(write_all(), end="")
