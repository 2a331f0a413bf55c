"""Whether the evidence bites: what becomes of rules that are wrong in one thing."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from brou import DataEngine, Project, catalogue, choose, house, rules
from brou.games.catalogue import patch_rules
from brou.games.folder import root
from brou.games.mutants import MUTANT_OPERATORS, Mutant, list_mutants, load_mutant
from brou.language.schema import validator
from brou.native.shared_object import find_compiler
from brou_conformance.scenarios import corpus
from brou_tools.cli import main
from brou_tools.mutate import command
from brou_tools.mutate.fates import MutantFate, count_fates, draw_mutants, fate, noticed_by_scenario, score_fates
from brou_tools.mutate.random_play import find_parting, tell_random_play
from brou_tools.questions.mutation_scores import FateCounts, read_scores, sum_counts
from brou_tools.smt.obligations import obligations


def mutant(game: str, start: str) -> Mutant:
    """Return the first mutant whose id begins so."""
    return next(one for one in list_mutants(patch_rules(choose(game))) if one.id.startswith(start))


@pytest.mark.slow
def test_a_wrong_card_order_is_noticed_by_scenarios_and_obligations() -> None:
    """Both kinds of evidence speak of who may play what."""
    game = "homme-d-auvergne"
    found = fate(game, house(), mutant(game, "negate:functions/can_follow/is"))

    assert found.kind == "other"
    assert found.scenario in {one.id for one in corpus.scenarios(game)}
    assert found.obligation in {one.id for one in obligations(game, house()).obligations}
    assert not found.alive


@pytest.mark.slow
def test_what_is_shown_is_noticed_by_scenarios_alone() -> None:
    """No obligation speaks of the view; a field that is gone is missed by a scenario."""
    found = fate("brouc", house(), mutant("brouc", "drop-row:view/leader"))

    assert (found.kind, bool(found.scenario), found.obligation) == ("other", True, "")


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(catalogue()))
def test_undamaged_rules_are_noticed_by_no_scenario(game: str) -> None:
    """A scenario that fails on the rules as they are would notice every mutant."""
    any_one = list_mutants(patch_rules(choose(game)))[0]

    assert noticed_by_scenario(game, house(), any_one, rules) == ""


def test_rules_that_do_not_load_are_invalid() -> None:
    """A table without its last row is no table: nothing has to notice it."""
    rows = patch_rules(choose("brouc")).fields["tables"].fields["may_play"].fields["rows"].items
    found = fate("brouc", house(), mutant("brouc", f"drop-row:tables/may_play/rows/{rows[-1].string('id')}"))

    assert (found.kind, found.alive) == ("invalid", False)


def test_the_draw_is_that_of_the_seed() -> None:
    """The same seed draws the same mutants, every operator in its turn."""
    found = draw_mutants("brusquembille", house(), 22, 5)

    assert found == draw_mutants("brusquembille", house(), 22, 5) != draw_mutants("brusquembille", house(), 22, 6)
    assert len({one.operator for one in found[: len(MUTANT_OPERATORS)]}) > len(MUTANT_OPERATORS) // 2


FATES = [
    MutantFate("negate:tables/a/rows/x#1", "negate", "c", "other", "s", "o"),
    MutantFate("negate:tables/a/rows/y#1", "negate", "c", "other", "s"),
    MutantFate("negate:view/turn#1", "negate", "c", "other"),
    MutantFate("drop-row:tables/a/rows/x#1", "drop-row", "c", "invalid"),
    MutantFate("drop-row:tables/a/rows/y#1", "drop-row", "c", "same"),
]


def test_mutants_are_counted_by_what_notices_them() -> None:
    """A share is of those that are other rules."""
    whole = count_fates(FATES, lambda _: "all")["all"]

    assert whole == FateCounts(drawn=5, invalid=1, same=1, scenarios=2, obligations=1, alive=1)
    assert whole.others == 3
    assert count_fates(FATES, lambda one: one.section)["view"].alive == 1
    assert score_fates("a-game", 1, FATES).alive == ("negate:view/turn#1",)


def test_games_are_summed_name_by_name() -> None:
    """What is drawn in several games is counted together."""
    tallies = count_fates(FATES, lambda one: one.section)

    assert sum_counts([tallies, tallies])["view"].drawn == 2 * tallies["view"].drawn


@pytest.mark.slow
def test_the_command_tells_what_came_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    """One document, an entry a game, of the shape that is promised."""
    code = main(["mutate", "brusquembille", "-n", "1", "--json"])
    (found,) = json.loads(capsys.readouterr().out)["games"]

    assert code == int(bool(found["alive"]))
    assert found["all"]["drawn"] == 1
    assert validator(root() / "schemas" / "mutants.schema.json").is_valid(found)


@pytest.mark.slow
def test_a_run_in_which_no_mutant_loads_is_not_written_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a finding, and what stands in the data stays."""
    shutil.copytree(root() / "games" / "brusquembille", tmp_path / "games" / "brusquembille")
    kept = tmp_path / "games" / "brusquembille" / "mutants.yaml"
    before = kept.read_bytes()

    def refuse_all(_game: str, _project: Project, chosen: Sequence[Mutant], *_: object) -> Iterator[MutantFate]:
        return (MutantFate(one.id, one.operator, one.clause, "invalid") for one in chosen)

    monkeypatch.setattr(command, "fates", refuse_all)

    assert main(["mutate", "brusquembille", "-n", "2", "--write", "--data", str(tmp_path)]) == 1
    assert kept.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_what_is_written_down_adds_up(game: str) -> None:
    """Operators and sections each come to all that were drawn, and those alive are named."""
    found = read_scores(game, house())
    assert found is not None
    for group in (found.operators, found.sections):
        for key, number in found.all.items():
            assert sum(dict(tally.items())[key] for tally in group.values()) == number, key
    assert len(found.alive) == found.all.alive
    known = {one.id for one in list_mutants(patch_rules(choose(game)))}
    assert set(found.alive) <= known


@pytest.mark.parametrize("game", catalogue())
def test_what_is_written_down_is_of_these_rules(game: str) -> None:
    """Most mutants load, and today's rules draw as many by each operator; `brou mutate --write` counts again."""
    found = read_scores(game, house())
    assert found is not None

    assert found.all.invalid * 2 < found.all.drawn
    drawn = Counter(one.operator for one in draw_mutants(game, house(), found.all.drawn, found.seed))
    assert {name: dict(tally.items())["drawn"] for name, tally in found.operators.items()} == drawn


@pytest.mark.slow
@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
def test_random_play_tells_mutants_apart_that_nothing_notices() -> None:
    """At the first act at which a state or an offer differs; a mutant that changes nothing is not told apart."""
    game = "brouc"
    apart, alike = mutant(game, "negate:functions/can_follow/is"), mutant(game, "drop-conjunct:view/trick/when")
    told = tell_random_play(game, house(), [apart, alike])
    plain = choose(game)
    engines = [DataEngine(rules(plain)), DataEngine(load_mutant(plain, apart))]
    parted = find_parting(engines[0], engines[1])

    assert told == {
        apart.id: f"random play differs at act {parted}",
        alike.id: "20,000 random acts show no difference",
    }
    before, after = (
        [engine.play(engine.begin(), 1, acts, watched=True) for engine in engines] for acts in (parted - 1, parted)
    )
    assert before[0] == before[1]
    assert after[0] != after[1]
