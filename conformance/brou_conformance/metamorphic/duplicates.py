"""Duplicates: scenarios that differ in nothing but the names of seats and suits are one scenario.

They are compared by their rules, their start, their acts and their questions; expectations do not count.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from brou import (
    HANDS,
    STOCK,
    TURNUP,
    Choice,
    Folder,
    Game,
    book,
    hands_of,
    keep_until_changed,
    with_readings,
)
from brou_conformance.metamorphic.renaming import Renaming, before, canonical, message, renamings
from brou_conformance.protocol import Data, Message
from brou_conformance.scenarios.scenario import PLAY, Scenario
from brou_conformance.scenarios.script import Script, machine, spell


def twins(found: Iterable[Scenario], data: Folder = None) -> Iterator[tuple[str, str]]:
    """Yield the ids of every two scenarios that are the same under other names, with the same level of demand.

    The result of a deal, and the part of it that is open, may each have a scenario of its own.
    """
    alike: dict[str, list[Script]] = {}
    for one in found:
        script = spell(one, _choice(one, data), data)
        alike.setdefault(f"{one.level} {_likeness(script)}", []).append(script)
    for group in alike.values():
        seen: dict[str, str] = {}
        for script in group if len(group) > 1 else ():
            form = _form(script, data)
            if form in seen:
                yield seen[form], script.scenario.id
            seen.setdefault(form, script.scenario.id)


def _choice(one: Scenario, data: Folder) -> Choice:
    """Return the first rules that a scenario holds for."""
    editions = book(one.game, data).editions
    edition = next(name for name in one.editions or editions)
    setup = next(name for name in one.setups or editions[edition].setups)
    return with_readings(Choice(one.game, edition, setup, ()), one.premise, data)


def _likeness(script: Script) -> str:
    """Return a key that all duplicates share, and that is quickly computed."""
    acts = [act for step in script.steps if isinstance(act := step.message.get("act"), dict)]
    ranks = [str(act[PLAY])[:1] for act in acts if PLAY in act]
    verbs = [step.verb for step in script.steps]
    return json.dumps([_terms(script), sorted(script.start), verbs, [list(act) for act in acts], ranks])


def _terms(script: Script) -> list[Any]:
    one = script.scenario
    return [sorted(one.editions), sorted(one.setups), sorted(one.premise.items())]


def _form(script: Script, data: Folder) -> str:
    """Return the first of all forms that a scenario has under other names, the same for all of them."""
    game = machine(script.choice, data).game
    return min(canonical(_rename_script(script, game, names)) for names in _renamings(script.choice, data))


@keep_until_changed(maxsize=32)
def _renamings(choice: Choice, data: Folder) -> tuple[Renaming, ...]:
    return tuple(renamings(choice, data))


def _rename_script(script: Script, game: Game, names: Renaming) -> Data:
    steps = [message(step.message, game, names) for step in script.steps]
    return [_terms(script), _start(script.start, game, names), steps]


def _start(start: Mapping[str, Any], game: Game, names: Renaming) -> Message:
    """Return where it begins; the pack is left out, for it follows from hands and stock."""
    renamed: Message = before(start, game, names)
    if HANDS in start:
        hands = {
            names.seats[seat]: sorted(names.words.get(card, card) for card in hand)
            for seat, hand in hands_of(start).items()
        }
        renamed |= {HANDS: hands, **{key: names.of(start.get(key), None) for key in (TURNUP, STOCK)}}
    return renamed
