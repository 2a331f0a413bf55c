"""What a program says of itself, held against the rules: games, set-ups, acts and readings that there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from brou import BrouError, Choice, book, catalogue
from brou.errors import nearest
from brou.language.codec import outside
from brou.shelf.library import with_readings
from brou_conformance.programs.session import Hello
from brou_conformance.scenarios.script import machine
from brou_conformance.smoke.findings import Check, Finding, Level, Passage
from brou_conformance.smoke.saying import say

_ASKED = "hello"


def find_choices(hello: Hello, data: Path | None = None) -> Iterator[Choice | Finding]:
    """Yield the rules of every set-up that a program declares, and what is wrong with its declarations."""
    for game, edition, setup in hello.plays:
        name = f"{game}@{edition}:{setup}"
        known = list(_known(game, edition, data))
        if setup not in known[-1] or len(known) < len(_PARTS):
            part, word = _PARTS[len(known) - 1], (game, edition, setup)[len(known) - 1]
            yield _unknown(part, word, name, known[-1])
            continue
        yield from _played(hello, game, edition, setup, data)
    yield from _acts(hello, data)
    if not {"deal", "match", "position"} & hello.can:
        came = ", ".join(sorted(hello.can)) or say("nothing")
        wanted = say("one_of_them")
        yield Finding(Check.HELLO, Level.FAULT, say("none_of_three"), _ASKED, came, wanted, Passage.ABILITIES)


#: What is told of a game, an edition and a set-up that there is not.
_PARTS = ("no_game", "no_edition", "no_setup")


def _known(game: str, edition: str, data: Path | None) -> Iterator[tuple[str, ...]]:
    """Yield the games, then the editions of this one, then the set-ups of that, as far as they are known."""
    games = catalogue(data)
    yield games
    if game in games:
        editions = book(game, data).editions
        yield tuple(editions)
        if edition in editions:
            yield tuple(editions[edition].setups)


def _unknown(part: str, word: str, name: str, known: tuple[str, ...]) -> Finding:
    wanted = say("one_of", known=", ".join(known))
    return Finding(Check.HELLO, Level.FAULT, _say_unknown(part, word, known), _ASKED, name, wanted, Passage.PLAYS)


def _say_unknown(sentence: str, word: str, known: Iterable[str]) -> str:
    """Return a sentence about a word that there is not, with the one that is perhaps meant."""
    meant = next(iter(nearest(word, known)), "")
    return say(sentence, word=repr(word), perhaps=say("perhaps", meant=repr(meant)) if meant else "")


def _played(hello: Hello, game: str, edition: str, setup: str, data: Path | None) -> Iterator[Choice | Finding]:
    choice = with_readings(Choice(game, edition, setup, ()), {}, data, fitting=True)
    declared = hello.readings.get(f"{game}@{edition}", {})
    own = book(game, data).editions[edition].readings
    known = {key: value for key, value in declared.items() if key in own}
    first = (game, edition, setup) == next(play for play in hello.plays if play[:2] == (game, edition))
    for key in sorted(set(declared) - set(known)) if first else ():
        cause = _say_unknown("no_reading", key, own)
        yield Finding(Check.HELLO, Level.REMARK, cause, _ASKED, f"{key}: {declared[key]}", "", Passage.READINGS)
    try:
        choice = with_readings(Choice(game, edition, setup, ()), known, data, fitting=True)
    except BrouError as error:
        cause = say("readings_impossible", why=error)
        yield Finding(Check.HELLO, Level.FAULT, cause, _ASKED, str(known), "", Passage.READINGS, str(choice))
    yield choice


def _acts(hello: Hello, data: Path | None) -> Iterator[Finding]:
    """Yield the acts that a program names and no rules of what it plays have."""
    games = {game for game, _, _ in hello.plays if game in catalogue(data)}
    known: set[str] = set()
    for game in games:
        edition = next(iter(book(game, data).editions))
        setup = next(iter(book(game, data).editions[edition].setups))
        rules = machine(with_readings(Choice(game, edition, setup, ()), {}, data, fitting=True), data).game
        known |= {outside(name) for name in rules.actions}
    for act in sorted((hello.acts or frozenset()) - known) if known else ():
        cause, wanted = _say_unknown("no_act", act, known), say("some_of", known=", ".join(sorted(known)))
        yield Finding(Check.HELLO, Level.FAULT, cause, _ASKED, act, wanted, Passage.ACTS)
