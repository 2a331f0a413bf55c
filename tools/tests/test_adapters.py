"""The pages for authors of adapters: whole, and every example on them is what the interpreter answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest

from brou import catalogue, choose, house, rules
from brou.games.catalogue import spread
from brou.language.codec import outside
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.protocol import decode, fault
from brou_conformance.scenarios import corpus
from brou_tools.cli import main
from brou_tools.guides.course import dealt
from brou_tools.guides.forms import members
from brou_tools.guides.guide import PHASE, Guide, guide, name_rules
from brou_tools.guides.guide_page import page
from brou_tools.guides.moments import moments
from brou_tools.terminal.doctree import lines

pytestmark = pytest.mark.slow

#: The tests of one file draw the same two games, so that few guides are made; the others are thorough.
GAMES = [
    pytest.param(game, marks=[] if game in ("brusquembille", "hombre") else pytest.mark.thorough)
    for game in catalogue()
]


@lru_cache(maxsize=8)
def printed(game: str) -> tuple[str, ...]:
    """Return the lines of a page as a terminal shows them."""
    return tuple(line for part in page(guide(game, house())) for line in lines(part))


def exchanged(game: str) -> Iterator[tuple[Any, Any]]:
    """Yield what is printed as sent and as answered, line by line."""
    shown = [line.strip() for line in printed(game)]
    for sent, answered in pairwise(shown):
        if sent.startswith("> "):
            assert answered.startswith("< "), sent
            yield json.loads(sent[2:]), json.loads(answered[2:])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("game", GAMES)
def test_every_request_is_valid_and_answered_as_told(game: str) -> None:
    """Each request behind an example follows the protocol, and an engine of its own answers it with that reply."""
    engine = ReferenceEngine(choices([]))
    found = list(guide(game, house()).examples)

    assert found
    for example in found:
        request = decode(json.dumps(example.request).encode())
        assert fault("run.request", request) is None
        assert fault("run.reply", example.reply) is None
        assert engine.answer(request) == example.reply


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_printed_is_what_was_asked(game: str) -> None:
    """Each printed step stands in an example with that result; of a view there may be fewer keys."""
    asked = [(step, result) for example in guide(game, house()).examples for step, result in example.exchanges]
    whole = [(example.request, example.reply) for example in guide(game, house()).examples]
    for step, result in exchanged(game):
        if "op" in step:
            assert (step, result) in whole
        elif "view" in step:
            views = [found["view"] for sent, found in asked if sent == step]
            assert any(result["view"].items() <= view.items() for view in views)
        else:
            assert (step, result) in asked


@pytest.mark.parametrize("game", GAMES)
def test_no_step_is_refused_or_skipped_but_as_told(game: str) -> None:
    """In an example of an act, of the end of a deal and of a trick every act is accepted."""
    found = guide(game, house())
    accepted = [found.example(act) for act in found.acts]
    accepted += [found.trick, found.dealing, *(one and one[0] for one in (found.ending, found.over))]
    for example in accepted:
        assert example is not None
        assert all(
            "err" not in result and "skip" not in result and "no" not in result for _, result in example.exchanges
        )


@pytest.mark.parametrize("game", GAMES)
def test_every_act_is_there(game: str) -> None:
    """The page has every act of every rule base, and in its example the choice that is made is open."""
    found = guide(game, house())
    acts = {outside(act) for choice in spread(game) for act in rules(choice).actions}

    assert set(found.acts) == acts
    for act in acts:
        example = found.example(act)
        assert example is not None
        (question, offer), (step, result) = example.exchanges[-2:]
        assert result == {"ok": True}
        assert question == {"legal": step["by"]}
        assert act in offer["legal"]
        if isinstance(offer["legal"][act], list):
            assert step["act"][act] in offer["legal"][act]


@pytest.mark.parametrize("game", GAMES)
def test_every_key_is_there(game: str) -> None:
    """Views and scores have no key at any moment of the corpus that the page lacks, and the page shows all of them."""
    found = guide(game, house())
    views, scores = ({one.item.name for one in keys} for keys in (found.views, found.scores))
    seen: set[str] = set()
    scored: set[str] = set()
    for moment in moments(game, house())[::7]:
        seen |= set(moment.machine.view(moment.after, 0))
        scored |= set(moment.machine.score(moment.after))

    assert seen <= views
    assert scored <= scores
    assert set(found.seen) == views
    assert set(found.scored) == scores


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_that_is_seen_is_listed(game: str) -> None:
    """A view names only phases of the list, and the acts that are open are among those that the list has for it."""
    listed: dict[str, set[str]] = {}
    for variant in guide(game, house()).phases:
        listed.setdefault(variant.item.phase, set()).update(variant.item.acts)
    for moment in moments(game, house())[::11]:
        phase = moment.machine.view(moment.after, 0)[PHASE]
        assert isinstance(phase, str)
        for seat in range(moment.machine.game.seats):
            assert set(moment.machine.legal(moment.after, seat)) <= listed[phase]


@pytest.mark.parametrize("game", GAMES)
def test_phases_lead_where_they_are_said_to_lead(game: str) -> None:
    """No act of the corpus goes from a phase to another that the page does not name."""
    leads: dict[str, set[str]] = {}
    for variant in guide(game, house()).phases:
        named = {*variant.item.leads, *(phase for phase, _ in variant.item.detours)}
        leads.setdefault(variant.item.phase, set()).update(named)
    for moment in moments(game, house()):
        before, after = outside(moment.before.phase), outside(moment.after.phase)
        assert after == before or after in leads[before]


@pytest.mark.parametrize("game", GAMES)
def test_values_have_the_form_that_is_told(game: str) -> None:
    """Each value of a view or a score has the kind that its form names: null, a truth, a number, a word, a list."""
    found = guide(game, house())
    words = {word for choice in spread(game) for _, values in members(rules(choice)) for word in values}
    for keys, told in ((found.views, found.seen), (found.scores, found.scored)):
        for name, seen in told.items():
            forms = " ".join(one.item.form for one in keys if one.item.name == name)
            assert fits(seen.value, forms, words), (name, seen, forms)


def fits(value: Any, forms: str, words: set[str]) -> bool:
    """Say whether a value may have one of some forms."""
    match value:
        case None:
            return "null" in forms
        case bool():
            return "true | false" in forms
        case int():
            return any(kind in forms for kind in ("integer", "seat", "team"))
        case str():
            return "card" in forms or value in words or json.dumps(value) in forms
        case list():
            return "[" in forms and all(fits(item, forms, words) for item in value)
    return all(f'"{key}"' in forms and fits(item, forms, words) for key, item in value.items())


@pytest.mark.parametrize("game", GAMES)
def test_each_code_is_shown_by_an_act_that_gets_it(game: str) -> None:
    """Every code that a scenario expects has an example whose last act is refused with it, and a clause."""
    expected = {
        value
        for one in corpus.scenarios(game)
        for line in one.lines
        for pattern in (getattr(line, "expected", None), *getattr(line, "values", {}).values())
        if pattern is not None and pattern.key == "no" and isinstance(value := pattern.value, str)
    }
    shown = {one.code: one for one in guide(game, house()).refusals}

    assert expected <= set(shown)
    for code, one in shown.items():
        assert one.example.exchanges[-1][1] == {"no": code}
        assert main(["explain", one.example.case, "--json"]) == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_ends_by_an_act_and_another_begins(game: str) -> None:
    """The example of the end of a deal goes from the last card to the phase in which the next one is dealt."""
    found = guide(game, house()).ending
    assert found is not None
    example, start = found
    acts = [step["act"] for step, _ in example.exchanges[start:] if "act" in step]
    phases = [result["view"][PHASE] for _, result in example.exchanges[start:] if "view" in result]

    assert "play" in acts[0]
    assert all("play" not in act for act in acts[1:])
    assert len(set(phases)) > 1
    assert phases[-1] == outside(rules(choose(game)).start.phase)


@pytest.mark.parametrize("game", GAMES)
def test_the_pack_goes_out_as_the_start_says(game: str) -> None:
    """Dealt by the runs of the page, the pack of each start gives each seat its hand, and the stock what is left."""
    told = {name: variant.item for variant in guide(game, house()).dealt for name in variant.where}
    for moment in moments(game, house())[::17]:
        start: Any = moment.script.start
        if "hands" not in start or dealt(moment.machine, start) != told[name_rules(moment.choice)]:
            continue  # a script may choose other packets
        deck = list(start["deck"])
        given: dict[str, set[str]] = {}
        for who, count in told[name_rules(moment.choice)]:
            given.setdefault(who.removesuffix(" (turned up)"), set()).update(deck[:count])
            deck = deck[count:]
        assert deck == []
        for seat, hand in start["hands"].items():
            assert given[f"dealer+{(int(seat) - start['dealer']) % moment.machine.game.seats}"] == set(hand)


@pytest.mark.parametrize("game", GAMES)
def test_the_example_of_a_deal_shows_what_is_done_before_it(game: str) -> None:
    """The last act of the example deals, another one has come before it, and the hands hold cards of the pack dealt."""
    example = guide(game, house()).dealing
    assert example is not None
    *before, last = [step["act"] for step, _ in example.exchanges if "act" in step]
    hands = [result["view"]["hand"] for step, result in example.exchanges if "view" in step]

    assert before
    assert list(last) == [outside(rules(choose(game)).start.deal)]
    assert any(hands)
    assert {card for hand in hands for card in hand} <= set(last["deal"]["deck"])


@pytest.mark.slow
def test_a_start_of_the_page_can_be_played() -> None:
    """Each key of a start is among those listed, and the interpreter takes it."""
    for game in catalogue():
        found = guide(game, house())
        assert set(found.start) <= {one.item.key for one in found.starts}


def test_one_set_up_is_told_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """A name with a set-up gives its page alone, in which nothing differs by set-up."""
    one = spread("brusquembille")[1]
    assert main(["export", str(one), "--adapter"]) == 0
    shown = capsys.readouterr().out

    assert f"\n    {name_rules(one)} " in shown
    assert f"only {one.edition}" not in shown
    assert f"In {one.edition}" not in shown


def test_items_that_differ_name_their_rules() -> None:
    """What only some rule bases have is told with their names, and what all have without any."""
    found = Guide("hombre", house())

    assert {one.item.seats: one.where for one in found.seats} == {3: ("danish:3",), 4: ("danish:4",)}
    assert all(one.where == () for one in found.packs)


def test_an_act_without_a_scenario_is_told_as_such() -> None:
    """Under rules for which no scenario does an act there is no example of it."""
    found = Guide("hombre", house(), [choose("hombre@danish:4")])

    assert found.example("show") is None
    assert any(
        line.strip() == "No scenario does this under these rules." for part in page(found) for line in lines(part)
    )
