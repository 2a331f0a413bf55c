"""Write scenarios of whole deals: acts drawn at random, what has to come of them counted by the oracle alone.

python tests/write_played.py > scenarios/differenzler/played.yaml
"""

from random import Random

from oracle import DECK, Deal, deal_out
from playing import play_deal, shuffle

HEAD = """\
# Whole deals, by `python tests/write_played.py`: the acts are drawn at random, the results counted by tests/oracle.py.
"""
CLAUSES = (
    "{differenzler.cards.02: [value], differenzler.cards.03: [value], differenzler.end.01: [value], "
    "differenzler.end.02: [value, boundary]}"
)


def write_scenario(seats, seed):
    """Return the text of a scenario."""
    chance = Random(f"played {seats} {seed}")
    dealer, deck = chance.randrange(seats), shuffle(chance)
    hands = deal_out(deck, seats, dealer)
    oracle = Deal(seats, dealer, hands, deck[-1])
    acts = list(play_deal(chance, oracle))
    cards = [(seat, value) for seat, act, value in acts if act == "play"]
    points = [10 * seat for seat in range(seats)]
    after = [total + gain for total, gain in zip(points, oracle.result())]
    lines = [
        f"- id: differenzler.played.{'three' if seats == 3 else 'four'}-{seed}",
        f"  title: A whole deal of {'three' if seats == 3 else 'four'} ({'first' if seed == 1 else 'second'})",
        f"  clauses: {CLAUSES}",
        "  level: must",
        "  origin: fuzz",
        "  because: >-",
        "    The cards were counted trick by trick by tests/oracle.py, which was written from rules.md.",
        f'  setup: "{seats}"',
        f"  before: {{points: {points}}}",
        "  deal:",
        f"    dealer: {dealer}",
        "    hands:",
        *[f'      "{seat}": [{", ".join(c for c in DECK if c in hand)}]' for seat, hand in enumerate(hands)],
        f"    turnup: {deck[-1]}",
        "  steps:",
        *[f"  - {{by: {seat}, act: {{announce: {value}}}}}" for seat, act, value in acts if act == "announce"],
        *[
            f'  - {{play: ["{cards[at][0]}: {" ".join(card for _, card in cards[at : at + seats])}"]}}'
            for at in range(0, len(cards), seats)
        ],
        f"  - {{score: true, expect: {{made: {oracle.made}, differences: {oracle.result()}}}}}",
        "  - {by: 0, act: {next: true}}",
        f"  - {{score: true, expect: {{points: {after}}}}}",
        f"  - {{view: 0, expect: {{phase: deal, dealer: {(dealer + 1) % seats}}}}}",
    ]
    return "\n".join(lines) + "\n"


def write_all():
    """Return the whole file: two deals of each set-up."""
    return HEAD + "\n".join(write_scenario(seats, seed) for seats in (4, 3) for seed in (1, 2))


if __name__ == "__main__":
    print(write_all(), end="")
