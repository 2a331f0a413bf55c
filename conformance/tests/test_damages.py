"""Damages that an audit planted in the rules: whichever of them is made alone, some scenario notices it.

Statements of a clause may notice fewer of them: one that writes a formula of the rules out again proves its copy.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from brou import BrouError, Machine, book, rules, spread, with_readings
from brou.dataclass import dataclass
from brou.games.folder import root
from brou_conformance.judging.judge import Criteria, matches
from brou_conformance.scenarios.corpus import applying, scenarios
from brou_conformance.scenarios.course import follow
from brou_conformance.scenarios.script import spell


@dataclass(frozen=True, slots=True)
class Damage:
    """A piece of a chapter that stands there first, or once, and says something else."""

    name: str
    chapter: str
    piece: str
    instead: str


_BROUC, _BROU, _AUVERGNE = "brouc", "homme-de-brou", "homme-d-auvergne"

DAMAGES = {
    _BROUC: (
        Damage("losers-pay-nothing", "40-marriages", "else -in_trick(r) for r in round", "else 0 for r in round"),
        Damage("table-twice", "50-count", "table: tabled(t)}", "table: 2 * tabled(t)}"),
        Damage("unrounded", "50-count", "  is: rounded(points[t])\n", "  is: points[t]\n"),
        Damage("claim-above", "60-partie", "- when: claimed(t) >= target\n", "- when: claimed(t) > target\n"),
        Damage("call-ten-early", "70-cape", "< call_from\n", "< call_from - rounding_unit\n"),
        Damage("carry-of-losers", "70-cape", "told[t] if won[t] == tricks", "told[other(t)] if won[t] == 0"),
    ),
    _BROU: (
        Damage("table-once", "60-marriages", 'gain: "table_factor * ', 'gain: "'),
        Damage("slam-six", "70-vole", "partie: parties_for(slam_figure(other(t)))", "partie: vole_parties"),
        Damage("lost-slam-six", "70-vole", "{worth: slam_worth(caller)}", "{worth: 2 * vole_parties}"),
        Damage("unrounded", "40-counting", 'cards: "rounded(points[t])"', 'cards: "points[t]"'),
        Damage("reached-above", "50-partie", "reached(t): live(t) >= target", "reached(t): live(t) > target"),
        Damage("announced-twice", "60-marriages", '{"gains[team(p)]": x}', '{"gains[team(p)]": 2 * x}'),
        Damage("declare-ten-early", "70-vole", "< declare_from\n", "< declare_from - rounding_unit\n"),
        Damage("stop-early", "80-stop", "(team(p))) < target, code", "(team(p))) < target - 100, code"),
        Damage("vole-four", "70-vole", "{worth: vole_parties}, clause", "{worth: vole_parties + 1}, clause"),
    ),
    _AUVERGNE: (Damage("man-never-first", "70-result", "and ahead(man)\n", "and ahead(man) and won[man] > 2\n"),),
}


def damage_chapter(damage: Damage, game: str, folder: Path) -> Path:
    """Return a folder of data with the damaged game; the prelude is that of the house."""
    shutil.copytree(root() / "games" / game, folder / "games" / game)
    chapter = folder / "games" / game / f"{damage.chapter}.yaml"
    before = chapter.read_text(encoding="utf-8")
    assert damage.piece in before
    chapter.write_text(before.replace(damage.piece, damage.instead, 1), encoding="utf-8")
    return folder


def is_noticed(game: str, folder: Path) -> bool:
    """Say whether rules of a folder answer some scenario of the game otherwise than is expected."""
    for name in spread(game):
        first = name.setup == next(iter(book(game).editions[name.edition].setups))
        for one in applying(scenarios(game), name.edition, name.setup, first=first):
            choice = with_readings(name, dict(one.premise))
            script, wrong = spell(one, choice), Machine(rules(choice.full, folder))
            try:
                for moment in follow(script, wrong):
                    wanted = moment.step.choose_pattern(script.readings)
                    if wanted is not None and not matches(moment.answer, wanted, Criteria(script.readings)):
                        return True
            except BrouError:
                return True
    return False


@pytest.mark.sampled(8)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "damage"), [pytest.param(game, one, id=one.name) for game, kept in DAMAGES.items() for one in kept]
)
def test_a_scenario_notices_each_damage(game: str, damage: Damage, tmp_path: Path) -> None:
    """What a deal, a claim, a call or a marriage comes to is asked of play, so no such damage passes."""
    assert is_noticed(game, damage_chapter(damage, game, tmp_path))


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", DAMAGES)
def test_rules_without_damage_are_what_is_expected(game: str, tmp_path: Path) -> None:
    """The control: the same copy, undamaged, answers every scenario as is expected."""
    nothing = Damage("nothing", DAMAGES[game][0].chapter, DAMAGES[game][0].piece, DAMAGES[game][0].piece)
    assert not is_noticed(game, damage_chapter(nothing, game, tmp_path))
