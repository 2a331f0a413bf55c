"""Changes of typed rules: what they change, how they are made in the text, and what they can touch in play."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

import pytest

from brou import BrouError, Chance, Change, Game, Machine, State, Varying, changes, choose, load_changed, rules
from brou.games.changes import FORMS, find_record

GAMES = ("brouc@2022", "brusquembille", "homme-d-auvergne@1665")
each_game = pytest.mark.parametrize("name", GAMES)


def some(game: Game, step: int) -> list[Change]:
    """Return every so manieth change of some rules."""
    return list(islice(changes(game), 0, None, step))


@pytest.mark.sampled(3)
@pytest.mark.slow
@each_game
def test_every_change_says_what_it_is(name: str) -> None:
    """Its operator is listed, its record is there, and what stands there afterwards is something else."""
    game = rules(choose(name))
    found = list(changes(game))

    assert {change.operator for change in found} <= set(FORMS)
    assert [change.at for change in found if change.before == change.after] == []
    assert [change.record for change in found if find_record(game, change.record) is None] == []


@pytest.mark.sampled(3)
@pytest.mark.slow
@each_game
def test_changes_of_some_records_are_those_among_all(name: str) -> None:
    """Whoever asks for the changes of two records gets them as they stand among all changes, in the same order."""
    game = rules(choose(name))
    found = list(changes(game))
    within = {found[0].record, found[-1].record}
    wanted = [change for change in found if change.record in within]

    told = [(change.operator, change.at, change.after) for change in changes(game, within)]
    assert told == [(change.operator, change.at, change.after) for change in wanted]


@pytest.mark.sampled(3)
@pytest.mark.slow
@each_game
def test_a_change_changes_its_record_alone(name: str) -> None:
    """All other records stay the same objects, and the rules that were given are not touched."""
    game = rules(choose(name))
    for change in some(game, 25):
        made = change.apply(game)
        assert find_record(made, change.record) != find_record(game, change.record)
        others = [other for other in game.functions if ("functions", other) != change.record]
        assert all(made.functions[other] is game.functions[other] for other in others)


@pytest.mark.sampled(3)
@pytest.mark.slow
@each_game
def test_most_changes_can_be_made_in_the_text(name: str) -> None:
    """The address is one of the generated rules, and the text is one that loads, but for what no rules may say."""
    choice = choose(name)
    game = rules(choice)
    tried = some(game, 60)
    loaded = 0
    for change in tried:
        try:
            made = load_changed(choice, [change])
        except BrouError as error:
            assert "there is no" not in str(error), change.at  # noqa: PT017 - most load
        else:
            assert made != game, change.at
            loaded += 1

    assert loaded * 4 >= 3 * len(tried)


@pytest.mark.sampled(3)
@pytest.mark.slow
@each_game
def test_what_an_effect_sets_is_changed_in_the_text(name: str) -> None:
    """A change of it that loads gives other rules than before; several variables that get one value all change."""
    choice = choose(name)
    game = rules(choice)
    tried = [change for change in changes(game) if change.at[-1] == "to"]
    made = []
    for change in tried[::4]:
        with suppress(BrouError):
            made.append(load_changed(choice, [change]))

    assert made
    assert game not in made
    assert any(change.also for change in tried)


def walk(machine: Machine, seed: int, steps: int) -> list[str]:
    """Return a random walk of legal acts as text; what breaks down ends it."""
    chance, told = Chance(seed), list[str]()
    try:
        state = machine.begin()
        for _ in range(steps):
            offers = [
                (seat, {name: value})
                for seat in range(machine.game.seats)
                for name, values in machine.legal(state, seat).items()
                for value in (values if isinstance(values, list) else [values])
                if values is True or isinstance(values, list)
            ]
            if not offers:
                break
            seat, act = offers[chance.below(len(offers))]
            after = machine.act(state, seat, act)
            told.append(f"{seat} {act} {getattr(after, 'phase', after)} {sorted(machine.score(state).items())}")
            if not isinstance(after, State):
                break
            state = after
    except Exception as error:  # noqa: BLE001 - changed rules may break anywhere, and must do so alike
        told.append(type(error).__name__)
    return told


@pytest.mark.sampled(3)
@pytest.mark.slow
@each_game
def test_a_varied_machine_plays_as_one_made_anew(name: str) -> None:
    """What is taken over from the unchanged rules is what the change does not reach."""
    game = rules(choose(name))
    varying = Varying(game)
    walk(varying.machine, 1, 12)
    for change in some(game, 40):
        assert walk(varying.vary([change]), 2, 12) == walk(Machine(change.apply(game)), 2, 12), change.at


@pytest.mark.sampled(3)
@pytest.mark.slow
@each_game
def test_a_change_made_in_the_text_is_the_one_that_was_tried(name: str) -> None:
    """Rules loaded from the changed text play as those in which the typed record was replaced."""
    choice = choose(name)
    varying = Varying(rules(choice))
    effects = [change for change in changes(varying.game) if change.at[-1] in ("to", "by") or change.beside]
    for change in effects[::70]:
        try:
            loaded = Machine(load_changed(choice, [change]))
        except BrouError:
            continue
        assert walk(varying.vary([change]), 3, 60) == walk(loaded, 3, 60), change.at


def test_what_is_touched_is_noted_step_by_step() -> None:
    """A number that a step looks up is touched at that step, and one that nothing looks up never is."""
    varying = Varying(rules(choose("brusquembille")))
    state = varying.machine.begin()
    varying.watch()
    varying.watch_step(3, "legal")
    varying.watched.legal(state, 0)
    found = {change.at: varying.find_touched(change, varying.touches) for change in changes(varying.game)}

    assert found["actions", "draw", "legal"] == 1 << 3
    assert found["params", "points_target", "value"] == 0
