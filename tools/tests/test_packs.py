"""Any pack: suits and ranks with letters and names of the game's own, from its rules to its book."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from brou import choose, rules
from brou.words.wording import Words
from brou_tools.cli import main
from brou_tools.new.skeleton import list_skeleton_files

#: What the six ranks and four suits of a new game become in a pack, by its name; where they lie, and what is left out.
SUITS, RANKS = "SHDC", "AKQJT9"
SWISS = """\
format: brou-packs/2
packs:
  swiss:
    suits: {R: roses, S: shields, E: acorns, G: bells}
    ranks: {A: ace, K: king, O: over, U: under, B: banner, "9": nine, "8": eight, "7": seven, "6": six}
"""
SPANISH = """\
format: brou-packs/2
packs:
  spanish:
    suits: {O: oros, C: copas, E: espadas, B: bastos}
    ranks:
      {A: as, R: rey, C: caballo, S: sota, "7": siete, "6": seis, "5": cinco, "4": cuatro, "3": tres, "2": dos}
"""
JOKERS = """\
format: brou-packs/2
packs:
  joker:
    suits: {S: spades, H: hearts, D: diamonds, C: clubs, X: jokers}
    ranks: {A: ace, K: king, Q: queen, J: jack, T: ten, "9": nine, L: little, B: big}
"""
DOUBLED = """\
format: brou-packs/2
packs:
  doubled:
    suits:
      {S: spades, H: hearts, D: diamonds, C: clubs, P: spades_too, O: hearts_too, N: diamonds_too, M: clubs_too}
    ranks:
      {A: ace, K: king, Q: queen, J: jack, T: ten, "9": nine, "8": eight, "7": seven, "6": six, "5": five, "4": four,
       "3": three, "2": two}
"""
TRUMPS = dict(zip("LMNOPRSUWXYZ", [*range(11, 22), "excuse"], strict=True))
LOW = "987654321"
TAROT = f"""\
format: brou-packs/2
packs:
  tarot:
    suits: {{S: swords, H: cups, D: coins, C: batons, T: trumps}}
    ranks:
      {{K: king, Q: queen, C: knight, V: knave, T: ten, {", ".join(f'"{one}": number_{one}' for one in LOW)},
       {", ".join(f"{letter}: number_{number}" for letter, number in TRUMPS.items())}}}
"""
COURTS = "KQCV"
TAROT_RANKS = f"{COURTS}T{LOW}{''.join(TRUMPS)}"
NO_TAROT = [f"{rank}T" for rank in COURTS] + [f"{rank}{suit}" for suit in "SHDC" for rank in TRUMPS]

#: By name: the file of packs, ranks from the highest down, the letters of the new game in it, what the pack lacks, how
#: many cards it has, a card and what it is called.
PACKS = {
    "italian": ("", "ARCF76", ("ARCF76", "DCSB"), (), 24, ("RC", "king of cups")),
    "german": ("", "AKOUT9876", ("AKOUT9", "EGHS"), (), 36, ("OG", "over of leaves")),
    "spanish": (SPANISH, "ARCS765432", ("ARCS76", "OCEB"), (), 40, ("CB", "caballo of bastos")),
    "swiss": (SWISS, "AKOUB9876", ("AKOUB9", "RSEG"), (), 36, ("US", "under of shields")),
    "joker": (
        JOKERS,
        "AKQJT9LB",
        (RANKS, SUITS),
        [f"{rank}{suit}" for suit in SUITS for rank in "LB"] + [f"{rank}X" for rank in RANKS],
        26,
        ("BX", "big of jokers"),
    ),
    "doubled": (DOUBLED, "AKQJT98765432", (RANKS, SUITS), (), 104, ("QP", "queen of spades too")),
    "tarot": (TAROT, TAROT_RANKS, ("KQCVT9", SUITS), NO_TAROT, 78, ("YT", "number 21 of trumps")),
}


def write_game(name: str, folder: Path) -> Path:
    """Write a new project whose game is played with a pack; its scenarios have cards of that pack."""
    packs, ranks, (six, four), without, _, _ = PACKS[name]
    names = {one + suit: six[at] + four[of] for at, one in enumerate(RANKS) for of, suit in enumerate(SUITS)}
    for path, written in list_skeleton_files("trial").items():
        listed = f", without: [{', '.join(without)}]" if without else ""
        text = written.replace("cards: french, ranks: A K Q J T 9", f"cards: {name}, ranks: {' '.join(ranks)}{listed}")
        text = text.replace("descending: A K Q J T 9", f"descending: {' '.join(ranks)}")
        if path.startswith("scenarios/"):
            text = re.sub(r"\b[AKQJT9][SHDC]\b", lambda found: names[found[0]], text)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    if packs:
        (folder / "prelude").mkdir()
        (folder / "prelude" / f"packs.{name}.yaml").write_text(packs, encoding="utf-8")
    return folder


@pytest.fixture(name="project", params=PACKS)
def _project(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    return request.param, write_game(request.param, tmp_path)


@pytest.mark.sampled(4)
@pytest.mark.slow
def test_a_game_is_played_with_any_pack(project: tuple[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """It is sound, a program is judged by its scenarios, matches are played, and a refusal is explained."""
    name, folder = project
    cards = rules(choose("trial", folder)).deck.cards
    at = ["--data", str(folder)]

    assert len(cards) == PACKS[name][4] == len(set(cards))
    for line in ("check", "verify --program mine", "simulate trial:3 -n 1", "explain trial.follow.suit#s3"):
        ended = main([*line.split(), *at])
        told = capsys.readouterr()
        assert ended == 0, f"{line}\n{told.out}{told.err}"


def test_a_sign_that_nobody_has_drawn_is_a_letter(tmp_path: Path) -> None:
    """A project may give a suit a sign of its own, or a name without a sign."""
    folder = write_game("italian", tmp_path)
    words = "  S: {symbol: †, name: {en: blades}}\n  B: {name: {en: clubs}}\n"
    (folder / "glossary.yaml").write_text(f"format: brou-glossary/1\nsuits:\n{words}", encoding="utf-8")

    assert main(["check", "--data", str(folder)]) == 0
    assert main(["draw", "hand", "RS", "AB", "--data", str(folder), "-o", str(tmp_path / "hand.svg")]) == 0


def test_cards_are_called_as_their_pack_calls_them(project: tuple[str, Path]) -> None:
    """Whatever the house calls a card with the same letters."""
    name, folder = project
    card, called = PACKS[name][5]

    assert Words(rules(choose("trial", folder)), "en", folder).glossary.card(card, "en") == called


@pytest.mark.slow
@pytest.mark.parametrize("name", ["italian", "german", "spanish", "tarot"])
def test_cards_of_any_pack_are_drawn(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In pictures and in the book, with the names of the pack; a card that it does not have is told."""
    folder = write_game(name, tmp_path)
    card, called = PACKS[name][5]
    at = ["--data", str(folder)]

    assert main(["draw", "card", card, *at]) == 0
    assert called in capsys.readouterr().out
    assert main(["draw", "card", "QX", *at]) == 2
    capsys.readouterr()
    assert main(["rulebook", "trial", "--format", "html", "-o", str(tmp_path / "book"), *at]) == 0
    book = (tmp_path / "book" / "trial-house-en.html").read_text(encoding="utf-8")
    assert "of spades" not in book
    assert called.rpartition(" ")[2] in book


SHORT = """\
- id: trial.follow.suit
  title: Whoever has the suit led follows it
  clauses: {trial.play.02: [permits, refuses]}
  level: must
  origin: hand
  because: Leaves are led, and the dealer holds one.
  setup: "2"
  deal:
    dealer: 0
    hands: {"0": [AE, KE, OE, TG], "1": [AG, KG, OG, UG]}
    turnup: AH
    stock: [KH, OH, UH, TH, AS, KS, OS, US, TS, UE, TE]
  steps:
  - {by: 1, act: {play: AG}}
  - {legal: 0, expect: {play: [TG]}}
  - {by: 0, act: {play: AE}, expect: {"no": must_follow}}
"""


@pytest.mark.slow
def test_a_game_is_played_with_twenty_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five German ranks, and hands of four, so that four players leave a card to be turned up."""
    folder = write_game("german", tmp_path)
    rules_file = folder / "games" / "trial" / "10-rules.yaml"
    text = rules_file.read_text(encoding="utf-8").replace("A K O U T 9 8 7 6", "A K O U T")
    text = text.replace("hand_size: 5, packet_patterns: [[2, 3], [3, 2]]", "hand_size: 4, packet_patterns: [[2, 2]]")
    rules_file.write_text(text, encoding="utf-8")
    (folder / "scenarios" / "trial" / "first.yaml").write_text(SHORT, encoding="utf-8")
    at = ["--data", str(folder)]

    assert len(rules(choose("trial", folder)).deck.cards) == 20
    for line in ("check", "verify --program mine", "simulate trial:4 -n 1", "explain trial.follow.suit#s3"):
        ended = main([*line.split(), *at])
        told = capsys.readouterr()
        assert ended == 0, f"{line}\n{told.out}{told.err}"


EQUAL = """\
- id: trial.equal.first
  title: The first of two equal cards takes the trick
  clauses: {trial.equal.01: [permits]}
  level: must
  origin: hand
  because: Both aces of clubs are played. Whoever played the first of them leads to the next trick.
  setup: "2"
  deal:
    dealer: 0
    hands: {"0": [AC, KS, LS, QS, PS], "1": [BC, KC, LC, QC, PC]}
    turnup: AH
    stock: [KH]
  steps:
  - {play: ["1: BC AC"]}
  - {view: 0, expect: {turn: 1}}
"""


@pytest.mark.slow
def test_equal_cards_are_told_apart_by_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A doubled pack as the page on families has it: the first of two equal cards wins, whichever letter it has."""
    for path, text in list_skeleton_files("trial").items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    page = (Path(__file__).parents[2] / "docs" / "families.md").read_text(encoding="utf-8")
    _, section = page.split("## Doubled packs", 1)
    written = dict(re.findall(r"^```yaml\n# (\S+)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL))
    for path, text in written.items():
        file = tmp_path / path.replace("slagen", "trial")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text.replace("slagen", "trial"), encoding="utf-8")
    pack, strength = re.findall(r"`((?:pack|cards): \{[^`]*\})`", section)
    rules_file = tmp_path / "games" / "trial" / "10-rules.yaml"
    text = rules_file.read_text(encoding="utf-8")
    text = text.replace("pack: {cards: french, ranks: A K Q J T 9}", pack)
    text = text.replace("cards: {strength: {descending: A K Q J T 9}}", " ".join(strength.split()))
    rules_file.write_text(text, encoding="utf-8")
    scenarios = tmp_path / "scenarios" / "trial" / "equal.yaml"
    scenarios.write_text(EQUAL, encoding="utf-8")
    at = ["--lang", "en", "--data", str(tmp_path)]

    assert (len(written), main(["check", *at[2:]])) == (3, 0), capsys.readouterr().out
    assert main(["explain", "trial.equal.first", *at]) == 0
    told = capsys.readouterr().out
    assert "on turn: seat 1" in told
    assert "own hand: K♠ K♠ Q♠ Q♠" in told
    scenarios.write_text(
        EQUAL.replace("BC AC", "AC BC").replace("[AC,", "[XC,").replace("[BC,", "[AC,").replace("[XC,", "[BC,"), "utf-8"
    )
    assert main(["explain", "trial.equal.first", *at]) == 0
    assert "on turn: seat 1" in capsys.readouterr().out
    for card in ("AC", "BC"):
        assert main(["draw", "card", card, *at]) == 0
        assert "<title>ace of clubs</title>" in capsys.readouterr().out


def test_what_a_prelude_lacks_is_that_of_brou(tmp_path: Path) -> None:
    """A file of packs of one's own takes no module away; one of the same name takes its place."""
    folder = write_game("swiss", tmp_path)
    assert rules(choose("trial", folder)).deck.suits == {"R": "roses", "S": "shields", "E": "acorns", "G": "bells"}


def test_the_cards_of_the_house_are_called_as_ever() -> None:
    """A French pack has the words of the glossary, in every language, whatever its rules call a rank."""
    for game in ("brouc", "hombre", "homme-d-auvergne"):
        words = Words(rules(choose(game)), "fr")
        assert words.glossary.card("QH", "fr") == "dame de cœur"
        assert words.glossary.card("KS", "fr") == "roi de pique"
        assert words.glossary.short("AS", "fr") == "A♠"
