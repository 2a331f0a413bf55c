"""Interpreter and generated code: a fast share of what `make identity` compares, and that it would see a fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain, islice
from typing import Any

import pytest
from identity import Disagreement, Pair, Work, damaged, match, pairs, replay, scripts, singles, worked

from brou import book, catalogue, choose, rules
from brou.compiler.compiled import Finder
from brou.games.catalogue import patch_rules, spread
from brou.games.mutants import MUTANT_OPERATORS, list_mutants, load_mutant

GAMES = list(catalogue())


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_engines_agree_on_random_matches(game: str) -> None:
    """Random matches of a game go the same way with both engines in every hash of state and offers."""
    tally: Counter[str] = Counter()
    match(Pair.of(rules(game), game), 3, 90, tally)

    assert tally["accepted"] > 50
    assert tally["refused"] > 0


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_engines_agree_on_scenarios(game: str) -> None:
    """Every twentieth scenario goes the same way with both engines, and is offered the same after every act."""
    tally: Counter[str] = Counter()
    pair = Pair.of(rules(game), game)
    for script in scripts(choose(game))[::20]:
        replay(pair, script, tally, closely=True)

    assert tally["accepted in scenarios"] > 0


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_engines_agree_on_mutants(game: str) -> None:
    """Rules with something wrong in them are the same wrong rules to both engines."""
    total: Counter[str] = Counter()
    for base, mutant in damaged(game, 4, 5):
        total += worked(Work(base, mutant, 20, 0))[1]

    assert total["mutants"] > 0
    assert total["accepted"] > 0
    assert total["mutants that change what is open or shown, or a state"] > 0


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_engines_agree_on_readings(game: str) -> None:
    """So are rules under another reading, or under two that meet in one rule."""
    bases = spread(game)
    varied = chain(islice(singles(bases[-1]), 2, 4), islice(pairs(bases[0]), 1))
    total: Counter[str] = Counter()
    for choice in varied:
        match(Pair.of(rules(choice), str(choice)), 4, 25, total)

    assert total["accepted"] > 0


@pytest.mark.slow
def test_rules_are_told_from_others_alone() -> None:
    """A mutant counts as asked only where the rules without it answer something else."""
    base = spread("brouc")[0]
    pair = Pair.of(rules(base), "alike", rules(base))
    match(pair, 1, 15, Counter())
    mutant = next(m for m in list_mutants(patch_rules(base)) if m.operator == "legal-always")
    changed = Pair.of(load_mutant(base, mutant), "changed", rules(base))
    match(changed, 1, 15, Counter())

    assert pair.sound is not None
    assert not pair.sound.told_apart
    assert changed.sound is not None
    assert changed.sound.told_apart


@pytest.mark.slow
def test_mutants_come_from_every_edition_and_operator() -> None:
    """A hundred mutants of a game are of all its editions and set-ups, and of nearly all kinds."""
    for game in GAMES:
        drawn = damaged(game, 100, 1)
        entries = [(edition, setup) for edition, e in book(game).editions.items() for setup in e.setups]

        assert len(drawn) == 100
        assert {(base.edition, base.setup) for base, _ in drawn} == set(entries)
        assert len({mutant.operator for _, mutant in drawn}) >= len(MUTANT_OPERATORS) - 2


def replay_all(pair: Pair) -> None:
    """Go through all scenarios of a game."""
    for script in scripts(choose("brouc")):
        replay(pair, script, Counter(), closely=True)


def planted(wrong: Callable[[Finder, Any], Any]) -> Pair:
    """Return both engines of a game, of which the compiled one finds something else in its phase of play."""
    pair = Pair.of(rules("brouc"), "planted")
    found = pair.compiled.finder
    pair.compiled.finder = {**found, "play": lambda state: wrong(found, state)}
    return pair


def test_a_wrong_offer_is_seen() -> None:
    """Where generated code offers something else, the act and the row that decides are told."""

    def forgetful(found: Finder, state: Any) -> tuple[int, list[Any]]:
        count, acts = found["play"](state)
        return count, [(*act[:5], state.hand[act[3]]) if act[2] == "play" else act for act in acts]

    with pytest.raises(Disagreement, match=r"offered to \d by the generated code alone.*may_play/play_01"):
        replay_all(planted(forgetful))


@pytest.mark.slow
def test_a_wrong_value_is_seen() -> None:
    """Generated code that writes another number is caught, with the variable and the effect that wrote it."""
    pair = Pair.of(rules("brouc"), "planted")
    announce = pair.compiled.module["DO"]["announce"]

    def forgetful(state: Any, me: int, *values: int) -> str | None:
        phase: str | None = announce(state, me, *values)
        state.told[me % 2] = 0
        return phase

    pair.compiled.module["DO"]["announce"] = forgetful
    with pytest.raises(Disagreement, match=r"(?s)told: interpreter .*generated code .*add-told .*brouc\.credit\.02"):
        replay_all(pair)


@pytest.mark.slow
def test_a_wrong_score_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated code that shows another figure is caught, with what was asked."""
    pair = Pair.of(rules("brouc"), "planted")
    score = pair.compiled.score
    monkeypatch.setattr(pair.compiled, "score", lambda state: {**score(state), "points": [1, 0]})

    with pytest.raises(Disagreement, match=r"the score at .* interpreter .*\[0, 0\].* generated code .*\[1, 0\]"):
        match(pair, 1, 60, Counter())


def test_keys_in_another_order_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is a view with its keys in another order, whatever stands under them."""
    pair = Pair.of(rules("brouc"), "planted")
    view = pair.compiled.view
    monkeypatch.setattr(pair.compiled, "view", lambda state, seat: dict(reversed(view(state, seat).items())))

    with pytest.raises(Disagreement, match="the view of seat 0"):
        match(pair, 1, 60, Counter())


@pytest.mark.slow
def test_a_mutant_in_what_is_shown_is_told_apart() -> None:
    """A mutant counts as asked where it shows something else, even if nothing else is open."""
    base = spread("brouc")[0]
    mutant = next(m for m in list_mutants(patch_rules(base)) if m.patch.at[0] == "score")
    pair = Pair.of(load_mutant(base, mutant), "changed", rules(base))
    match(pair, 1, 60, Counter())

    assert pair.sound is not None
    assert pair.sound.told_apart


def test_a_crash_of_one_engine_is_seen() -> None:
    """Generated code that breaks where the interpreter does not is a disagreement, not an error of the test."""

    def broken(_found: Finder, _state: object) -> int:
        raise IndexError

    with pytest.raises(Disagreement, match="IndexError"):
        match(planted(broken), 1, 60, Counter())
