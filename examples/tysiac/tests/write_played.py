"""Write scenarios of whole deals: acts drawn at random, what has to come of them counted by the oracle alone.

python tests/write_played.py > scenarios/tysiac/played.yaml
"""

from random import Random

from oracle import DECK, Deal, deal_out
from playing import choose, shuffle, to_wire

HEAD = """\
# Whole deals, by `python tests/write_played.py`: the acts are drawn at random, the results counted by tests/oracle.py.
"""
#: What a deal shows: its title, and the clauses and questions that it is about.
FEATURES = {
    "made": ("The declarer makes the bid", "{tysiac.end.01: [value], tysiac.end.02: [value]}"),
    "lost": ("The declarer does not make the bid", "{tysiac.end.02: [value, boundary], tysiac.cards.02: [value]}"),
    "meld": ("Two melds, and two trumps one after the other", "{tysiac.meld.01: [value], tysiac.meld.02: [value]}"),
    "rounding": ("What the others write is rounded", "{tysiac.end.03: [value, boundary], tysiac.amb.03: [value]}"),
    "barrel": ("An opponent on the barrel", "{tysiac.end.04: [value, boundary], tysiac.amb.04: [value]}"),
    "end": ("The end of the match", "{tysiac.end.05: [value]}"),
}


def play_deal(seed):
    """Return the oracle after a random deal, with its hands, its musik, what was written before, and its steps."""
    chance = Random(f"played {seed}")
    dealer = chance.randrange(3)
    totals = [chance.choice([0, 120, 640, 790, 800, 900, 950]) for _ in range(3)]
    hands, musik = deal_out(shuffle(chance), dealer)
    oracle, steps = Deal(dealer, hands, musik, totals), []
    while oracle.phase != "over":
        turn = oracle.turn
        act, value = choose(chance, oracle)
        oracle.do(turn, act, value)
        if act == "play":
            steps.append((turn, value))
        elif act == "give":
            steps.append(f"{{by: {turn}, act: {{give: {{to: {value['to']}, card: {value['card']}}}}}}}")
        else:
            steps.append(f"{{by: {turn}, act: {{{act}: {'true' if value is True else to_wire(act, value)}}}}}")
    return oracle, hands, musik, totals, steps


def find_features(oracle):
    """Yield what a deal that has been played shows."""
    gains = oracle.result()
    yield "made" if gains[oracle.declarer] > 0 else "lost"
    if sum(value > 0 for value in oracle.melds) + sum(value > 100 for value in oracle.melds) > 1:
        yield "meld"
    others = [seat for seat in range(3) if seat != oracle.declarer]
    if any((oracle.cards[seat] + oracle.melds[seat]) % 10 == 5 and gains[seat] for seat in others):
        yield "rounding"
    if any(oracle.totals[seat] >= 800 and oracle.cards[seat] > 9 for seat in others):
        yield "barrel"
    if any(total + gain >= 1000 for total, gain in zip(oracle.totals, gains)):
        yield "end"


def find_gains(oracle, **readings):
    """Return what each seat writes under other readings."""
    oracle.readings = readings
    gains = oracle.result()
    oracle.readings = {}
    return gains


def write_scenario(feature, oracle, hands, musik, totals, steps):
    """Return the text of a scenario."""
    title, clauses = FEATURES[feature]
    counted = [own + melds for own, melds in zip(oracle.cards, oracle.melds)]
    usual, open_ = find_gains(oracle), find_gains(oracle, barrel="open")
    after = [total + gain for total, gain in zip(totals, usual)]
    lines = [
        f"- id: tysiac.played.{feature}",
        f"  title: {title}",
        f"  clauses: {clauses}",
        f"  level: {'reading' if 'amb' in clauses else 'must'}",
        "  origin: fuzz",
        "  because: >-",
        "    The cards were counted trick by trick by tests/oracle.py, which was written from rules.md.",
        *["  readings: {rounding: 10}"],
        f"  before: {{totals: {totals}}}",
        "  deal:",
        f"    dealer: {oracle.dealer}",
        "    hands:",
        *[f'      "{seat}": [{", ".join(c for c in DECK if c in hand)}]' for seat, hand in enumerate(hands)],
        f"    stock: [{', '.join(musik)}]",
        "  steps:",
    ]
    acts = [step for step in steps if isinstance(step, str)]
    cards = [step for step in steps if not isinstance(step, str)]
    lines += [f"  - {step}" for step in acts]
    for at in range(0, len(cards), 3):
        lines.append(f'  - {{play: ["{cards[at][0]}: {" ".join(card for _, card in cards[at : at + 3])}"]}}')
    lines.append(f"  - {{score: true, expect: {{counted: {counted}}}}}")
    if usual == open_:
        lines.append(f"  - {{score: true, expect: {{gains: {usual}}}}}")
        lines.append("  - {by: 0, act: {next: true}}")
        over = max(after) >= 1000
        lines.append(f"  - {{score: true, expect: {{totals: {after}}}}}")
        lines.append(f"  - {{view: 0, expect: {{phase: {'over' if over else 'deal'}}}}}")
    else:
        told = f"closed: {{gains: {usual}}}, open: {{gains: {open_}}}"
        lines.append(f"  - {{score: true, readings: {{barrel: {{{told}}}}}}}")
    return "\n".join(lines) + "\n"


def write_all():
    """Return the whole file: for each feature the first deal that shows it."""
    found = {}
    for seed in range(2000):
        played = play_deal(seed)
        differs = find_gains(played[0]) != find_gains(played[0], barrel="open")
        for feature in find_features(played[0]):
            if differs == (feature == "barrel"):
                found.setdefault(feature, write_scenario(feature, *played))
        if len(found) == len(FEATURES):
            break
    return HEAD + "\n".join(found[one] for one in FEATURES if one in found)


if __name__ == "__main__":
    print(write_all(), end="")
