"""The corpus of Brouc against the census of its text: every example, settled passage and difference has its scenarios.

The numbers are those of the census: worked examples, open passages that the text settles (as the register has them),
the rows in which Brouc differs from L'Homme de Brou, and the worked material of its annexes.
"""

from __future__ import annotations

from itertools import chain

import pytest

from brou_conformance.scenarios.corpus import clauses, scenarios

GAME = "brouc"

EXAMPLES = {
    "ex.01": ["ann.twenty-thirty-forty", "ann.sixty-in-trumps"],
    "ex.02": ["count.seventy-five-and-forty-five"],
    "ex.03": ["claim.twenty-three-and-seventy-one", "claim.twenty-three-and-seventy", "count.seventy-one-unclaimed"],
    "ex.04": ["tab.extended-60-and-30", "tab.simple-40-and-20"],
    "ex.05": ["cape.dehors-made", "cape.eighteen-is-too-little"],
    "ex.06": ["cape.dehors-made", "cape.dehors-failed", "cape.pas-dedouble-made", "cape.pas-dedouble-failed"],
    "ex.07": ["cape.nineteen-and-silent"],
    "ex.08": ["claim.losers-write-fifteen", "claim.losers-write-fourteen"],
    "ex.09": ["claim.wrong-against-fifteen", "claim.wrong-against-fourteen"],
    "ex.10": ["match.fifth-tick", "match.four-is-not-five"],
    "ex.11": ["count.fifty-two-and-twenty", "count.club-fifty-two-and-twenty"],
}

SETTLED = {
    "amb.04.a": ["claim.thirty-one-written-in-silence", "claim.others-got-there-silently"],
    "amb.06": ["claim.wrong-at-twenty-three-against-twelve", "claim.wrong-at-twelve-against-twenty-three"],
    "amb.08": ["claim.announced-forty-is-enough", "claim.announced-and-taken-marriages"],
    "amb.13": ["over.king-completes-the-three", "over.queen-completes-the-three", "over.jack-extends-the-marriage"],
    "amb.15": ["over.underruff-only-without-a-plain-card", "over.four-trumps-and-four-clubs"],
    "amb.16": ["play.void-need-not-ruff", "play.free-under-the-others-ace"],
    "amb.17": ["over.trumps-only-can-beat", "over.trumps-alone-above-the-ruff"],
    "amb.18": [
        "over.partner-must-be-beaten-too",
        "over.partners-ruff-is-beaten-too",
        "over.last-seat-over-the-partner",
    ],
    "amb.20": ["ann.not-before-an-own-trick", "ann.third-trick-is-the-first"],
    "amb.26": ["claim.carry-before-the-first-card"],
    "amb.28": ["game.carry-over-dies-with-the-partie"],
    "amb.29.b": ["cape.inside-the-seventh-trick", "cape.on-lead-with-two-cards", "cape.too-late"],
    "amb.30": ["cape.three-for-a-poor-opponent", "cape.dehors-made"],
    "amb.32": ["cape.trick-already-lost", "cape.others-after-a-trick"],
    "amb.34.b": ["cape.failed-and-played-out", "cape.dehors-failed"],
    "amb.35": ["cape.claim-before-it"],
    "amb.36": ["cape.no-claim-after-it", "cape.slate-above-the-target", "cape.carry-over-outlives-a-cape"],
    "amb.39": [
        "cape.next-dealer-after-it",
        "game.new-partie-from-nothing",
        "claim.dealer-stays-where-nothing-was-dealt",
    ],
    "amb.41": ["cape.marriages-do-not-raise-the-ticks"],
    "amb.42": ["claim.nothing-happens-by-itself", "count.thirty-one-written"],
    "amb.43.a": ["play.nothing-changes-by-a-refusal"],
    "amb.44": ["claim.losers-below-zero", "claim.wrong-against-a-minus"],
    "amb.45": ["over.nothing-but-lower-trumps"],
    "amb.46": ["over.only-the-forming-card-is-free"],
}

#: Rows of the comparison with L'Homme de Brou that name a test, and to which Brouc has an answer of its own.
DIFFERENCES = {
    3: ["deal.second-deal-from-the-right"],
    4: ["deal.one-three-four", "deal.no-other-packets"],
    6: ["play.void-need-not-ruff"],
    7: ["over.lower-trump-refused"],
    8: ["over.ruff-must-beat-the-ruff", "over.four-trumps-and-four-clubs"],
    9: ["over.queen-on-the-king"],
    10: ["ann.in-the-others-trick", "ann.while-the-own-card-lies-there"],
    11: ["ann.partner-of-the-winner"],
    12: ["ann.king-that-took-the-trick"],
    14: ["ann.credited-after-the-deal"],
    15: ["ann.both-parties"],
    16: ["tab.winner-adds-the-king", "credit.not-doubled"],
    17: ["credit.one-each-cancels", "credit.hand-against-table"],
    18: ["mark.left-unmarked", "mark.forgotten"],
    20: ["count.minus-thirty-five", "count.five-below-nought", "count.below-nought-without-a-half"],
    22: ["count.seventy-two-unclaimed", "count.seventy-four-unclaimed"],
    23: ["claim.twenty-three-and-seventy-one", "claim.twenty-three-and-seventy"],
    24: ["claim.between-two-deals", "claim.wrong-between-two-deals"],
    25: ["claim.marriage-lost-on-the-table", "claim.lost-marriage-on-the-others-trick"],
    26: ["claim.losers-below-zero"],
    27: ["claim.figure-of-the-losers", "claim.figure-with-a-ten-in-tricks"],
    28: ["claim.wrong-at-twenty-three-against-twelve", "claim.wrong-at-twelve-against-twenty-three"],
    29: ["match.fifth-tick"],
    30: ["cape.made-by-both-partners"],
    31: ["cape.announced-and-table-marriages", "cape.carry-is-written-with-the-next-deal"],
    33: ["cape.fifteen-and-forty-announced"],
    34: ["cape.before-the-sixth-trick"],
    35: ["cape.partner-out-of-turn", "cape.partner-on-turn"],
    36: ["cape.pas-dedouble-against-a-minus"],
    37: ["cape.failed-and-played-out"],
    39: ["cape.no-stop-request"],
    40: ["cape.nineteen-and-silent"],
    41: ["match.to-three", "match.to-seven"],
    44: ["count.hundred-and-twenty-in-all"],
    46: ["four.all-points-no-cape"],
}

ANNEXES = {
    "V1, four extended marriages": ["four.played-out"],
    "V2, all points and no cape": ["four.all-points-no-cape", "cape.worthless-trick-lost"],
    "V3, two marriages in a trick": ["tab.two-in-one-trick", "tab.plain-and-trump-together"],
    "V4, what may be played": [
        "over.queen-on-the-king",
        "over.jack-on-the-king",
        "over.queen-instead-of-the-ten",
        "over.king-while-the-queen-may-come",
        "over.king-under-the-ten",
        "over.jack-extends-the-marriage",
        "over.underruff-only-without-a-plain-card",
        "over.marriage-in-a-free-ruff",
        "over.free-ruff-and-no-higher-trump",
    ],
    "V5, rounding takes the win": ["count.seventy-two-unclaimed", "claim.written-thirty-is-too-little"],
}

TABLES: dict[str, dict[str, list[str]]] = {
    "examples": EXAMPLES,
    "settled": SETTLED,
    "differences": {str(row): names for row, names in DIFFERENCES.items()},
    "annexes": ANNEXES,
}


def cited() -> dict[str, tuple[str, ...]]:
    """Return what each scenario of the game cites, by its name without that of the game."""
    return {one.id.partition(".")[2]: one.clauses for one in scenarios(GAME)}


@pytest.mark.parametrize("table", TABLES)
def test_the_named_scenarios_are_there(table: str) -> None:
    """Nothing that the census asks for has been renamed or dropped."""
    assert set(chain(*TABLES[table].values())) - set(cited()) == set()


def test_all_settled_passages_have_scenarios() -> None:
    """Every passage that the register decides is shown, and no other is listed for it."""
    register = {id_: node for id_, node in clauses(GAME).items() if node.string("treatment") == "FIX"}

    assert {f"{GAME}.{passage}" for passage in SETTLED} == set(register)


@pytest.mark.parametrize("passage", SETTLED)
def test_a_settled_passage_is_shown_by_a_clause_of_its_own(passage: str) -> None:
    """One scenario at least speaks for a clause that the register connects with the passage."""
    concerned = {node.text for node in clauses(GAME)[f"{GAME}.{passage}"].fields["clauses"].items}
    spoken = {clause for name in SETTLED[passage] for clause in cited()[name]}

    assert spoken & concerned
