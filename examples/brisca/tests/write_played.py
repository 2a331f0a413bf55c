"""Escribe escenarios de manos enteras: las cartas salen al azar, y lo que resulta lo cuenta solo el oráculo.

python tests/write_played.py > scenarios/brisca/played.yaml
"""

from random import Random

from oracle import Deal
from playing import play_deal, shuffle

HEAD = """\
# Manos enteras, de `python tests/write_played.py`: las cartas salen al azar, las cuenta tests/oracle.py.
"""
FINAL = """\
- id: brisca.final
  title: Asistir cuando ya no queda mazo
  clauses: {{brisca.amb.01: [permits, refuses]}}
  level: reading
  origin: fuzz
  because: Ya no queda mazo, y quien juega segundo tiene del palo. Las lecturas difieren en si puede jugar otra cosa.
  setup: "2"
  deal:
    dealer: {dealer}
    deck: [{deck}]
  steps:
{acts}  - {{by: {seat}, act: {{play: {card}}}, readings: {{final: {{libre: ok, asistir: {{"no": must_follow}}}}}}}}
"""
CLAUSES = "{brisca.cartas.02: [value], brisca.baza.01: [value], brisca.fin.01: [value], brisca.fin.02: [value]}"


def write_scenario(seed):
    """Devuelve el texto de un escenario."""
    chance = Random(f"brisca {seed}")
    dealer, deck = chance.randrange(2), shuffle(chance)
    oracle = Deal(deck, dealer)
    plays = list(play_deal(chance, oracle))
    games = oracle.result()
    lines = [
        f"- id: brisca.played.{seed}",
        f"  title: Una mano entera ({seed})",
        f"  clauses: {CLAUSES}",
        "  level: must",
        "  origin: fuzz",
        "  because: Las cartas las ha contado, baza a baza, tests/oracle.py, escrito a partir de rules.md.",
        '  setup: "2"',
        "  deal:",
        f"    dealer: {dealer}",
        f"    deck: [{', '.join(deck)}]",
        "  steps:",
        *[f"  - {{by: {seat}, act: {{play: {card}}}}}" for seat, card in plays],
        f"  - {{score: true, expect: {{made: {oracle.made}}}}}",
        "  - {by: 0, act: {next: true}}",
        f"  - {{score: true, expect: {{games: {games}}}}}",
    ]
    return "\n".join(lines) + "\n"


def write_final():
    """Devuelve un escenario en el que, sin mazo, el segundo no asiste aunque puede."""
    chance = Random("brisca final")
    while True:
        dealer, deck, acts = chance.randrange(2), shuffle(chance), []
        oracle = Deal(deck, dealer)
        for seat, card in play_deal(chance, oracle):
            if oracle.trick and not oracle.stock:
                led = oracle.trick[0][1][1]
                if card[1] != led and any(one[1] == led for one in oracle.hands[seat]):
                    return FINAL.format(dealer=dealer, deck=", ".join(deck), acts="".join(acts), seat=seat, card=card)
            acts.append(f"  - {{by: {seat}, act: {{play: {card}}}}}\n")


def write_all():
    """Devuelve el fichero entero: tres manos, y una hasta donde difieren las lecturas."""
    return HEAD + "\n".join([*map(write_scenario, ("uno", "dos", "tres")), write_final()])


if __name__ == "__main__":
    print(write_all(), end="")
