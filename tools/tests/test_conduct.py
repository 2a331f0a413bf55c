"""How random players behave and what is told of it: as data, judged with its places, and true to the census."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from brou import Choice, Invalid, Malformed, Unknown, book, catalogue, choose, rules
from brou.chance import Chance
from brou.compiler.playing import pick_act
from brou.games.catalogue import spread
from brou.games.folder import root
from brou.language.export import identity
from brou.language.source import read
from brou.words.glossary import glossary
from brou.words.translation import text_faults
from brou_tools.cli import main
from brou_tools.matches.counts import compile_figures, name_figures
from brou_tools.matches.play import MatchTally, simulate
from brou_tools.matches.policy import Players, conduct, merge_weights, teach_rules, weights
from brou_tools.questions.compatible import fit_readings

GAMES = list(catalogue())
SETUPS = [choice for game in GAMES for choice in spread(game)]

#: What is said or claimed never; the cards are played at random.
SILENT = weights({"claim": "0", "announce": "0", "declare": "0", "stop": "0"})


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("choice", SETUPS, ids=str)
def test_every_set_up_understands_the_conduct_of_its_game(choice: Choice) -> None:
    """Weights and figures are well typed in every edition and set-up; each figure can be asked at the beginning."""
    found = conduct(choice.game)
    players = Players(choice, found.acts, found.tellings)
    state = players.engine.begin()

    for figure in compile_figures(players.engine, found.tellings):
        assert not figure.concerns(state) or isinstance(figure.value(state), int)
    assert found.tellings


@pytest.mark.sampled(8)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_reading_understands_the_conduct_of_its_game(game: str) -> None:
    """Weights are well typed under every value of every reading of each edition."""
    for name, edition in book(game).editions.items():
        plain = choose(f"{game}@{name}")
        for key, chosen in edition.readings.items():
            for value in book(game).readings[key].values:
                choice = fit_readings(plain, [{key: value}]) if value != chosen else None
                if choice is not None:
                    assert teach_rules(choice[0], conduct(game).acts)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_told_is_said_in_every_language(game: str) -> None:
    """Names of figures speak all languages of the house, with numbers by name and without words to avoid."""
    node = read(root() / "games" / game / "conduct.yaml")
    words = glossary()

    assert list(text_faults(node, tuple(rules(game).params), words, tuple(words.languages))) == []


@pytest.mark.parametrize("game", GAMES)
def test_conduct_is_no_rule(game: str) -> None:
    """The hash of a rule base is what it was before players were taught anything."""
    before = identity(rules(game))
    Players(choose(game), conduct(game).acts, conduct(game).tellings)

    assert identity(rules(game)) == before
    assert not {name for name in rules(game).functions if name.startswith(("weight_of_", "told_"))}


# What is refused ------------------------------------------------------------------------------------------------------


def written(folder: Path, said: str) -> Path:
    """Return a copy of a game's data with another conduct."""
    shutil.copytree(root() / "games" / "brouc", folder / "games" / "brouc")
    text = f"format: brou-conduct/1\ngame: brouc\n{said}"
    (folder / "games" / "brouc" / "conduct.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("acts", "place", "what"),
    [
        ("fly: 1", "conduct.yaml:4:8", "unknown action"),
        ("claim: nobody(me)", "conduct.yaml:4:10", "unknown function"),
        ("claim: claimed(team(me)) >= target", "conduct.yaml:4:10", "bool"),
        ("declare: 3 if what == pass_ else 0", "conduct.yaml:4:12", "unknown name"),
        ("cut: at", "conduct.yaml:4:8", "described"),
        ("claim: '1 if'", "conduct.yaml:4:10", "no expression"),
    ],
)
def test_a_weight_that_means_nothing_is_refused(acts: str, place: str, what: str, tmp_path: Path) -> None:
    """Unknown acts, unknown names and weights that are no numbers are told with their place in the file."""
    folder = written(tmp_path, f"acts:\n  {acts}\n")
    with pytest.raises(Invalid) as refused:
        Players(choose("brouc", folder), conduct("brouc", folder).acts, folder=folder)

    assert place in str(refused.value)
    assert what in str(refused.value)


@pytest.mark.parametrize(
    "tell", ["{id: x, say: {en: a, fr: a, de: a}}", "{id: x, say: {}, share: 'True'}", "{share: 'True', mean: 1}"]
)
def test_a_conduct_out_of_shape_is_refused(tell: str, tmp_path: Path) -> None:
    """A figure needs an id, a name, and one thing that is counted."""
    folder = written(tmp_path, f"acts: {{}}\ntell:\n- {tell}\n")
    with pytest.raises(Malformed) as refused:
        conduct("brouc", folder)

    assert "conduct.yaml:5" in str(refused.value)


def test_a_figure_that_means_nothing_is_refused(tmp_path: Path) -> None:
    """What is counted is typed like any rule, and told with its place."""
    folder = written(tmp_path, "acts: {}\ntell:\n- {id: x, say: {en: a, fr: a, de: a}, share: worth}\n")
    with pytest.raises(Invalid, match=r"conduct\.yaml:5"):
        Players(choose("brouc", folder), {}, conduct("brouc", folder).tellings, folder)


def figures_of(each: str, folder: Path) -> list[str]:
    """Return for which values of a list there is a figure."""
    said = f"{{id: x, say: {{en: a, fr: a, de: a}}, share: 'True', each: {{e: {each}}}}}"
    choice = choose("brouc", written(folder, f"acts: {{}}\ntell:\n- {said}\n"))
    tellings = conduct("brouc", folder).tellings
    return [member for _, member in name_figures(Players(choice, {}, tellings, folder).game, tellings)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("each", "members"), [("truths", ("False", "True")), ("suits", tuple(rules("brouc").deck.suits))]
)
def test_there_is_a_figure_for_each_value_of_a_list(each: str, members: tuple[str, ...], tmp_path: Path) -> None:
    """Any list of the language will do, that of the truths too."""
    assert tuple(figures_of(each, tmp_path)) == members


def test_a_figure_for_each_of_nothing_is_refused(tmp_path: Path) -> None:
    """A list that the language does not have is told with those that it has."""
    with pytest.raises(Unknown, match=r"figure x 'seats'; known: .*players"):
        figures_of("seats", tmp_path)


def test_a_game_without_conduct_is_played_mindlessly(tmp_path: Path) -> None:
    """A game that nobody has written a conduct for has no weights and no figures of its own."""
    folder = written(tmp_path, "")
    (folder / "games" / "brouc" / "conduct.yaml").unlink()

    assert (conduct("brouc", folder).acts, conduct("brouc", folder).tellings) == ({}, ())


# How is played --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_without_weights_play_is_that_of_the_format(game: str) -> None:
    """Without any weight the same seed gives the same match as random play that knows no weights."""
    players = Players(choose(game), {})
    engine, chances = players.engine, (Chance(4), Chance(4))
    state = engine.begin()
    for _ in range(120):
        one, two = players.pick(state, chances[0]), pick_act(engine, state, chances[1])
        assert one == two
        if one is None:
            break
        engine.play(state, one[1], one[0], one[2])


@pytest.mark.slow
def test_a_weight_may_ask_for_values() -> None:
    """Of two values of an act, one that weighs nothing is never chosen, the other one is."""
    acts = weights({"bid": "1 if what == pass_ or what == tourne else 0", "surrender": "0"})
    tally = simulate(choose("hombre"), acts, range(2))
    bids = {what for part, what in tally.per_deal if part == "acts" and what.startswith("bid ")}

    assert bids == {"bid what=pass", "bid what=tourne"}


@pytest.mark.slow
def test_weights_in_mixed_decisions_are_proportions() -> None:
    """An act of weight three is made three times as often as one of weight one beside it."""
    acts = weights({"say": "3 if word == play else 1"})
    players = Players(choose("homme-d-auvergne"), acts)
    chance = Chance(1)
    state = players.engine.begin()
    while state.PHASE != "speak":
        name, seat, values = players.pick(state, chance) or pytest.fail("nothing to do")
        players.engine.play(state, seat, name, values)
    offers = [(values, weight) for (name, _, values, _), weight in players.weigh(state) if name == "say"]

    assert [weight for _, weight in offers] == [3, 1]
    drawn = [players.pick(state, chance) for _ in range(800)]
    said = [act[2] for act in drawn if act is not None and act[0] == "say"]
    assert sum(values == offers[0][0] for values in said) == pytest.approx(0.75 * len(said), rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["brouc@2022", "brouc@club-2026", "homme-de-brou"])
def test_sensible_players_claim_rightly_alone(game: str) -> None:
    """No partie ends by a wrong claim, many by a right one, and a match takes as many deals as it needs parties."""
    choice = choose(game)
    tally = simulate(choice, merge_weights(choice.game, {}), range(6))

    assert ("score", "result claim-wrong") not in tally.per_deal
    assert tally.per_deal["score", "result claim-right"].value > 10
    assert tally.deals > 8 * tally.matches


def test_marriages_on_the_table_are_marked_where_marking_counts() -> None:
    """Under the sheet of the club, which wants marks, most table marriages that are made are also counted."""
    tally = simulate(choose("brouc@club-2026"), merge_weights("brouc", {}), range(6))

    assert tally.told["tabled", ""].sums.value > 0.5 * tally.told["tabled", ""].count


@pytest.mark.slow
def test_many_contracts_are_played() -> None:
    """Every contract of L'Hombre that can be bought by chance is played in some deal, none in most of them."""
    tally = simulate(choose("hombre"), merge_weights("hombre", {}), range(40))
    played = {value: cases for (name, value), cases in tally.told.items() if name == "contract"}
    shares = {value: cases.sums.value / cases.count for value, cases in played.items() if cases.count}

    assert sum(shares.values()) == pytest.approx(1)
    assert sum(share > 0.02 for share in shares.values()) >= 5
    assert max(shares.values()) < 0.5


def told(tally: MatchTally) -> Mapping[str, float]:
    """Return the figures that are told first, those of a single value."""
    return {name: cases.sums.value / cases.count for (name, value), cases in tally.told.items() if not value}


@pytest.mark.slow
def test_what_the_census_counted_is_found_again() -> None:
    """Under uniformly random play (brou.clm.25) 68 % of deals have a table marriage, 2.0 % a vole, 10 % 130 points."""
    tally = simulate(choose("homme-de-brou"), SILENT, range(60))
    found = told(tally)

    assert tally.deals > 1500
    assert found["tabled"] == pytest.approx(0.68, abs=0.04)
    assert found["tabled_number"] == pytest.approx(1.0, abs=0.08)
    assert found["vole"] == pytest.approx(0.020, abs=0.012)
    assert found["surplus"] == pytest.approx(0.10, abs=0.025)


# Commands -------------------------------------------------------------------------------------------------------------


def test_what_is_told_first_speaks_a_language(capsys: pytest.CaptureFixture[str]) -> None:
    """The figures come first, in the language asked for."""
    assert main(["simulate", "homme-d-auvergne:2", "-n", "2", "--lang", "de"]) == 0
    shown = capsys.readouterr().out.splitlines()

    assert shown[2] == "  how often things happen"
    assert shown[3].startswith("    Spiele, die jemand spielt")


@pytest.mark.slow
def test_the_mindless_do_whatever_they_may(capsys: pytest.CaptureFixture[str]) -> None:
    """Without conduct claims are wrong; a weight that is given still counts."""
    outcomes = []
    for words in (["--mindless"], ["--mindless", "--weigh", "claim=0"], []):
        assert main(["simulate", "brouc@2022", "-n", "1", "--json", *words]) == 0
        found = json.loads(capsys.readouterr().out)["games"][0]["figures"]
        outcomes.append({one["what"] for one in found if one["part"] == "score"})

    assert ["result claim-wrong" in names for names in outcomes] == [True, False, False]
