"""Engines that know how sensible beginners play: the conduct of a game and its headline figures as a wish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from brou import Choice, Crash, EngineWish, Game, Node, open_engine, rules
from brou.compiler import lowering
from brou.native import AnyEngine, BatchFacts, BatchFigure, Label
from brou_tools.matches.counts import Key, list_members, make_key
from brou_tools.matches.play import find_endings, find_lasting
from brou_tools.matches.policy import HeadlineFigure, conduct, find_weights, teach_rules


@dataclass(frozen=True, slots=True)
class TaughtRules:
    """A rule base with functions for weights and figures, its own label, and the wish for an engine of it."""

    game: Game
    label: Label
    wish: EngineWish


def teach_engine(
    choice: Choice, *, mindless: bool = False, acts: Mapping[str, Node] | None = None, apart: bool = False
) -> TaughtRules:
    """Return a rule base with all that an engine is to know of its conduct; with `mindless` nothing.

    With `acts` these are the weights, and what the rules enumerate is counted beside the figures. With `apart` every
    deal ends by an act of its own.
    """
    plain = rules(choice)
    label = Label.of(plain, str(choice), dict(choice.readings))
    if mindless:
        return TaughtRules(plain, label, EngineWish(endings=frozenset(find_endings(plain))))
    known = conduct(choice.game, choice.project)
    weighed = known.acts if acts is None else acts
    game, functions = teach_rules(choice, weighed, known.tellings, apart=apart)
    endings = frozenset(find_endings(game))
    figures = tuple(figure for telling in known.tellings for figure in _find_figures(game, telling))
    facts = None if acts is None else BatchFacts(frozenset(show.id for show in find_lasting(plain)))
    wish = EngineWish(tuple(functions), find_weights(choice, weighed), figures, endings, facts)
    return TaughtRules(game, label, wish)


def list_keys(game: Game, tellings: Sequence[HeadlineFigure]) -> list[tuple[Key, HeadlineFigure]]:
    """Return the keys of all figures in the order in which an engine has them."""
    return [(make_key(telling, member), telling) for telling in tellings for member in list_members(game, telling)]


def open_taught(choice: Choice) -> AnyEngine:
    """Return the fastest engine of a rule base that knows its conduct."""
    taught = teach_engine(choice)
    return open_engine(taught.game, taught.label, taught.wish)


def _find_figures(game: Game, telling: HeadlineFigure) -> list[BatchFigure]:
    """Return the figures of a telling, one for each value of its list if it has one."""
    type_, found = telling.type_in(game), []
    for member in list_members(game, telling):
        word = None if type_ is None else lowering(type_, game.deck)(member)
        if word is not None and not isinstance(word, int):
            raise Crash(f"{telling.id} has a figure for {member!r}, which is no place")
        key = " ".join(filter(None, make_key(telling, member)))
        among = f"among_{telling.id}" if telling.when is not None else ""
        given = () if word is None else (int(word),)
        found.append(BatchFigure(key, f"told_{telling.id}", among, given, telling.per))
    return found
