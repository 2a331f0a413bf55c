"""Conduct fitted to recorded games: what somebody plays by is found again, within its intervals."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from brou import Choice, choose, writer
from brou.chance import Chance
from brou_conformance.played.reading import read_log
from brou_tools.cli import main
from brou_tools.matches.observed import ObservedChoice, ObservedGames, observe_log
from brou_tools.matches.policy import Players, conduct, weights
from brou_tools.simulate.fitting import FittedWeight, fit_weights, write_conduct

BROUC = choose("brouc@2022")
#: How those play whose games are recorded: they claim sooner, announce less, and cut never, which no log tells of.
PLAYED = {"announce": "2 if kind == grand or not trio(suit) <= hand[me] else 1", "cut": "0"}
PLAYED["claim"] = "9 if claimed(team(me)) >= target else 0"
#: The weights of these acts, by what the conduct of the game gives them.
WANTED = {("announce", 40): 2, ("announce", 2): 1, ("claim", 4): 9}


def record(choice: Choice, given: Mapping[str, str], seed: int, most: int) -> dict[str, Any]:
    """Play a match, at most so many deals of it, and return it as a log has it."""
    acts = {**conduct(choice.game).acts, **weights(given)}
    players, chance = Players(choice, acts), Chance(seed)
    engine, game = players.engine, players.game
    state, deals = engine.begin(), list[dict[str, Any]]()
    while (made := players.pick(state, chance)) is not None:
        name, seat, values = made
        act = engine.write_act(name, values)
        if name == "deal":
            if len(deals) == most:
                break
            known = engine.decode_state(state)
            written = {
                key: writer(game.state[var].type, game.deck)(engine.machine.get(known, var))
                for key, var in game.start.given.items()
            }
            deals.append({"deal": {**written, **act["deal"]}, "steps": []})  # type: ignore[dict-item]
        elif deals:
            deals[-1]["steps"].append({"by": seat, "act": act})
        engine.play(state, seat, name, values)
    return {"rules": str(choice), "deals": deals}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a log of some matches, a game a line."""
    path = tmp_path_factory.mktemp("log") / "games.ndjson"
    lines = [json.dumps(record(BROUC, PLAYED, seed, 60)) for seed in range(8)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def fit(path: Path) -> dict[tuple[str, int | None], FittedWeight]:
    """Return what is fitted to a log, by kind."""
    evidence = observe_log(read_log(path), conduct("brouc").acts)
    return {one.kind: one for one in fit_weights(evidence)}


@pytest.mark.slow
def test_the_conduct_that_games_were_played_by_is_found(log: Path) -> None:
    """Every weight lies within its interval; where there is much to see, the game's own weight does not."""
    found = fit(log)

    assert found["play", 1].is_reference
    for kind, weight in WANTED.items():
        one = found[kind]
        assert one.low * kind[1] < weight < one.high * kind[1], one
        assert kind == ("announce", 2) or not one.low < 1 < one.high, one
        assert 0 < one.chosen < one.offered


@pytest.mark.slow
def test_a_fitted_conduct_is_played_by(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `--fit` prints is a conduct file, and players by it announce as seldom as those in the log did."""
    monkeypatch.setenv("BROU_CACHE", "off")
    few = tmp_path / "few.ndjson"
    few.write_text("".join(log.read_text(encoding="utf-8").splitlines(keepends=True)[:2]), encoding="utf-8")
    assert main(["simulate", "--fit", str(few)]) == 0
    path = tmp_path / "fitted.yaml"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    announced = []
    for words in (["--conduct", str(path)], [], [f"--weigh=announce={PLAYED['announce']}", "--weigh=cut=0"]):
        assert main(["simulate", "brouc@2022", "-n", "12", "--json", *words]) == 0
        figures = json.loads(capsys.readouterr().out)["games"][0]["figures"]
        announced.append(next(one["value"] for one in figures if one["part"] == "told" and "announced" in one["what"]))
    fitted, usual, played = announced

    assert abs(fitted - played) < abs(usual - played) / 2


def test_weights_are_those_of_a_count_by_hand() -> None:
    """Of 100 decisions between an act and four cards 60 are for the act: it weighs 6, each of them 1."""
    offered = (("claim", 2), 2), (("play", 1), 4)
    decisions = Counter({ObservedChoice(offered, ("claim", 2)): 60, ObservedChoice(offered, ("play", 1)): 40})
    claim, play = fit_weights(ObservedGames(decisions, 1, 10))

    assert play.is_reference
    assert 2 * claim.factor == pytest.approx(6)
    # The logarithm of odds has the variance 1/60 + 1/40.
    assert claim.high / claim.factor == pytest.approx(2.718281828 ** (1.959964 * (1 / 60 + 1 / 40) ** 0.5), rel=1e-4)


def test_an_act_that_nobody_chose_has_a_bound() -> None:
    """Never chosen in 100 decisions beside four cards, it weighs nothing, and little in any case."""
    decisions = Counter({ObservedChoice(((("claim", 4), 4), (("play", 1), 4)), ("play", 1)): 100})
    claim, _ = fit_weights(ObservedGames(decisions, 1, 10))

    assert (claim.factor, claim.low) == (0, 0)
    # 100 * log(1 + x) is half the square of the quantile at x = 0.0194.
    assert claim.high == pytest.approx(0.0194, rel=0.01)


def test_an_act_that_was_hardly_ever_offered_stays() -> None:
    """Not chosen where it was offered once, an act keeps its weight: that says next to nothing."""
    decisions = Counter({ObservedChoice(((("claim", 4), 4), (("play", 1), 4)), ("play", 1)): 1})
    evidence = ObservedGames(decisions, 1, 1)

    assert '  claim: "400"' in write_conduct(
        "any", weights({"claim": "4"}), ("claim",), evidence, fit_weights(evidence)
    )


def test_acts_that_were_never_offered_together_are_not_compared() -> None:
    """Two groups of decisions have a reference each."""
    decisions = Counter(
        {
            ObservedChoice(((("bid", 1), 3), (("pass", 1), 1)), ("bid", 1)): 5,
            ObservedChoice(((("claim", 4), 4), (("play", 1), 4)), ("play", 1)): 7,
        }
    )

    assert sum(one.is_reference for one in fit_weights(ObservedGames(decisions, 1, 10))) == 2


def test_unseen_acts_keep_their_weights() -> None:
    """In a fitted file an act of which nothing was seen counts as before beside the others."""
    known = weights({"claim": "4 if ready else 0", "stop": "2"})
    decisions = Counter(
        {ObservedChoice(((("claim", 4), 4), (("play", 1), 4)), kind): 50 for kind in (("claim", 4), ("play", 1))}
    )
    evidence = ObservedGames(decisions, 1, 10)
    said = write_conduct("any", known, ("play", "claim", "stop", "next"), evidence, fit_weights(evidence))

    assert '  stop: "200"' in said
    assert '  next: "100"' in said
    assert '  claim: "400 if (4 if ready else 0) == 4 else (100 * (4 if ready else 0))"' in said


def test_a_log_that_the_rules_refuse_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the line of the act, and the command that judges it."""
    game = record(BROUC, PLAYED, 3, 2)
    game["deals"][0]["steps"][5] = game["deals"][0]["steps"][0]
    path = tmp_path / "games.json"
    path.write_text(json.dumps(game, indent=1), encoding="utf-8")

    assert main(["simulate", "--fit", str(path)]) == 2
    assert "brou verify --games" in capsys.readouterr().err


def test_a_conduct_with_an_act_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the place in the file, and the acts that there are."""
    path = tmp_path / "conduct.yaml"
    path.write_text('format: brou-conduct/1\ngame: brouc\nacts:\n  anounce: "3"\n', encoding="utf-8")

    assert main(["simulate", "brouc@2022", "-n", "1", "--conduct", str(path)]) == 2
    said = capsys.readouterr().err
    assert "conduct.yaml:4:" in said
    assert "unknown action 'anounce'; actions are announce, claim" in said


def test_a_conduct_of_another_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the place in the file."""
    path = tmp_path / "conduct.yaml"
    path.write_text("format: brou-conduct/1\ngame: hombre\nacts: {}\n", encoding="utf-8")

    assert main(["simulate", "brouc", "-n", "1", "--conduct", str(path)]) == 2
    assert "conduct.yaml:2:7" in capsys.readouterr().err
