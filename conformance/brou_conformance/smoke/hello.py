"""The greeting of a program, checked against the rules: its games, set-ups, acts and readings must exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from brou import BrouError, Choice, Folder, book, catalogue, nearest, outside, with_readings
from brou_conformance.programs.session import Hello
from brou_conformance.scenarios.script import machine
from brou_conformance.smoke.findings import AdapterCheck, AdapterFinding, ProtocolPassage, Severity
from brou_conformance.smoke.translatable import say

_ASKED = "hello"


def find_choices(hello: Hello, data: Folder = None) -> Iterator[Choice | AdapterFinding]:
    """Yield the rules of every set-up that a program declares, and the faults of its declarations."""
    for game, edition, setup in hello.plays:
        name = f"{game}@{edition}:{setup}"
        known = list(_list_known(game, edition, data))
        if setup not in known[-1] or len(known) < len(_PARTS):
            part, word = _PARTS[len(known) - 1], (game, edition, setup)[len(known) - 1]
            yield _unknown(part, word, name, known[-1])
            continue
        yield from _check_play(hello, game, edition, setup, data)
    yield from _acts(hello, data)
    if not {"deal", "match", "position"} & hello.can:
        came = ", ".join(sorted(hello.can)) or say("nothing")
        wanted = say("one_of_them")
        yield AdapterFinding(
            AdapterCheck.HELLO, Severity.FAULT, say("none_of_three"), _ASKED, came, wanted, ProtocolPassage.ABILITIES
        )


#: What is told of a game, an edition and a set-up that there is not.
_PARTS = ("no_game", "no_edition", "no_setup")


def _list_known(game: str, edition: str, data: Folder) -> Iterator[tuple[str, ...]]:
    """Yield the games, then the editions of this one, then the set-ups of that, as far as they are known."""
    games = catalogue(data)
    yield games
    if game in games:
        editions = book(game, data).editions
        yield tuple(editions)
        if edition in editions:
            yield tuple(editions[edition].setups)


def _unknown(part: str, word: str, name: str, known: tuple[str, ...]) -> AdapterFinding:
    wanted = say("one_of", known=", ".join(known))
    return AdapterFinding(
        AdapterCheck.HELLO, Severity.FAULT, _say_unknown(part, word, known), _ASKED, name, wanted, ProtocolPassage.PLAYS
    )


def _say_unknown(sentence: str, word: str, known: Iterable[str]) -> str:
    """Return a sentence about an unknown word, which asks for a similar one."""
    meant = next(iter(nearest(word, known)), "")
    return say(sentence, word=repr(word), perhaps=say("perhaps", meant=repr(meant)) if meant else "")


def _check_play(hello: Hello, game: str, edition: str, setup: str, data: Folder) -> Iterator[Choice | AdapterFinding]:
    choice = with_readings(Choice(game, edition, setup, ()), {}, data, fitting=True)
    declared = hello.readings.get(f"{game}@{edition}", {})
    own = book(game, data).editions[edition].readings
    known = {key: value for key, value in declared.items() if key in own}
    first = (game, edition, setup) == next(play for play in hello.plays if play[:2] == (game, edition))
    for key in sorted(set(declared) - set(known)) if first else ():
        cause = _say_unknown("no_reading", key, own)
        yield AdapterFinding(
            AdapterCheck.HELLO, Severity.REMARK, cause, _ASKED, f"{key}: {declared[key]}", "", ProtocolPassage.READINGS
        )
    try:
        choice = with_readings(Choice(game, edition, setup, ()), known, data, fitting=True)
    except BrouError as error:
        cause = say("readings_impossible", why=error)
        yield AdapterFinding(
            AdapterCheck.HELLO, Severity.FAULT, cause, _ASKED, str(known), "", ProtocolPassage.READINGS, str(choice)
        )
    yield choice


def _acts(hello: Hello, data: Folder) -> Iterator[AdapterFinding]:
    """Yield the acts that a program names and none of its rules has."""
    games = {game for game, _, _ in hello.plays if game in catalogue(data)}
    known: set[str] = set()
    for game in games:
        edition = next(iter(book(game, data).editions))
        setup = next(iter(book(game, data).editions[edition].setups))
        rules = machine(with_readings(Choice(game, edition, setup, ()), {}, data, fitting=True), data).game
        known |= {outside(name) for name in rules.actions}
    for act in sorted((hello.acts or frozenset()) - known) if known else ():
        cause, wanted = _say_unknown("no_act", act, known), say("some_of", known=", ".join(sorted(known)))
        yield AdapterFinding(AdapterCheck.HELLO, Severity.FAULT, cause, _ASKED, act, wanted, ProtocolPassage.ACTS)
