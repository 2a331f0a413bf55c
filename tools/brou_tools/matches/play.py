"""Random matches and their counts: acts, the score and view at the end of a deal, how matches end.

Nothing here knows a game. The rules say which things to count: actions with their enumerated parameters, the fields of
the score, the lists of the view that are the same for all seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypedDict

from brou import (
    Chance,
    Choice,
    Compiled,
    CompiledState,
    Crash,
    Expression,
    Game,
    Json,
    Node,
    PackChance,
    Show,
    outside,
    rules,
    writer,
)
from brou.compiler import Word, raising
from brou.language.effects import Goto, Reset, walk_effects
from brou.language.tree import Call, VariableUse, walk
from brou.language.types import Array, Bool, Int, Named, Option, Type, Value
from brou.native import VARIETY, is_enumerated, is_fixed, is_printed, is_seated, list_shown
from brou_tools.matches.counts import CaseSums, Figured, Key, Sums, compile_figures
from brou_tools.matches.policy import Players, conduct

#: What stands in a name between a number and the value that it had.
IS = " = "

#: A match is left unfinished after so many acts, ten times as many and more as the longest of the published games has.
LONGEST = 20_000


class MatchTallyDocument(TypedDict):
    """A tally as records of runs keep it; a figure is a list of its keys and its sums."""

    matches: int
    deals: int
    deals_squared: int
    unfinished: int
    crashed: int
    per_deal: list[list[Any]]
    per_match: list[list[Any]]
    told: list[list[Any]]
    many: list[list[str]]


#: The counts of a tally, and its sums by key.
_COUNTS = ("matches", "deals", "deals_squared", "unfinished", "crashed")
_PER = ("per_deal", "per_match")


@dataclass
class MatchTally:
    """The counts of a number of matches."""

    matches: int = 0
    deals: int = 0
    deals_squared: int = 0
    unfinished: int = 0
    crashed: int = 0
    per_deal: dict[Key, Sums] = field(default_factory=dict)
    per_match: dict[Key, Sums] = field(default_factory=dict)
    told: dict[Key, CaseSums] = field(default_factory=dict)
    #: The numbers with more values than are told one by one.
    many: set[Key] = field(default_factory=set)

    @property
    def played(self) -> int:
        """Return how many matches were played, those that crashed among them."""
        return self.matches + self.crashed

    @property
    def dealt(self) -> int:
        """Return how many deals there were."""
        return self.deals

    def merge(self, other: Self) -> None:
        """Add the counts of other matches."""
        self.matches += other.matches
        self.deals += other.deals
        self.deals_squared += other.deals_squared
        self.unfinished += other.unfinished
        self.crashed += other.crashed
        self.many |= other.many
        for mine, theirs in ((self.per_deal, other.per_deal), (self.per_match, other.per_match)):
            for key, sums in theirs.items():
                known = mine.get(key)
                if known is None:
                    known = mine[key] = Sums(share=sums.share)
                known.merge(sums)
        for key, cases in other.told.items():
            self.told.setdefault(key, CaseSums(Sums(share=cases.sums.share))).merge(cases)

    def settle(self) -> None:
        """Drop facts that never came to pass and the values of numbers with many, and sort the others.

        Tallies of the same matches are equal then, whoever played them and in whatever order they were merged.
        """
        for name in _PER:
            kept: dict[Key, Sums] = getattr(self, name)
            values = Counter((part, what.split(IS)[0]) for part, what in kept if IS in what)
            self.many |= {key for key, count in values.items() if count > VARIETY}
            left = {
                (part, what): sums
                for (part, what), sums in sorted(kept.items())
                if sums.square and not (IS in what and (part, what.split(IS)[0]) in self.many)
            }
            setattr(self, name, left)

    def document(self) -> MatchTallyDocument:
        """Return it as JSON, from which `of` makes the same."""
        told = [[*key, cases.sums.list_words(), [cases.count, cases.squared]] for key, cases in self.told.items()]
        return {
            "matches": self.matches,
            "deals": self.deals,
            "deals_squared": self.deals_squared,
            "unfinished": self.unfinished,
            "crashed": self.crashed,
            "per_deal": [[*key, sums.list_words()] for key, sums in self.per_deal.items()],
            "per_match": [[*key, sums.list_words()] for key, sums in self.per_match.items()],
            "told": told,
            "many": sorted(map(list, self.many)),
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> MatchTally:
        """Return the tally in a document."""
        made = cls(**{name: document[name] for name in _COUNTS})
        for name in _PER:
            getattr(made, name).update({(part, what): Sums(*sums) for part, what, sums in document[name]})
        made.told = {(part, what): CaseSums(Sums(*sums), *counts) for part, what, sums, counts in document["told"]}
        made.many = {(part, what) for part, what in document["many"]}
        return made


class Deals:
    """Where the deals of compiled rules end: the acts that take all cards together."""

    def __init__(self, engine: Compiled) -> None:
        game = engine.game
        self._engine = engine
        self._zones = [name for name, variable in game.state.items() if variable.zone]
        self.endings = find_endings(game)

    def ends(self, state: CompiledState, name: str) -> bool:
        """Say whether an act may end a deal: it does if no cards lie behind it."""
        return name in self.endings and self.dealt(state)

    def dealt(self, state: CompiledState) -> bool:
        """Say whether cards lie anywhere."""
        return any(_cards(self._engine.get(state, name)) for name in self._zones)


def find_lasting(game: Game) -> list[Show]:
    """Return the entries of the score that belong to a match, because they read nothing that a deal begins anew."""
    return [show for show in game.score if _scopes(game, show) == {game.scopes[0]}]


def find_endings(game: Game) -> set[str]:
    """Return the acts that may take all cards together; every act where none does."""
    scopes = {variable.scope for variable in game.state.values() if variable.zone}
    return {name for name in game.actions if _resets(game, name, scopes)} or set(game.actions)


#: A fact about a deal or a match: its key, a number, and whether it is a matter of yes or no.
Fact = tuple[Key, float, bool]


class Simulation:
    """Plays random matches of one rule base; `acts` are weights, expressions of the rule language for some actions."""

    def __init__(
        self, choice: Choice, acts: Mapping[str, Node], *, packs: bool = False, longest: int | None = None
    ) -> None:
        tellings = conduct(choice.game, choice.project).tellings
        self.players = Players(choice, acts, tellings, apart=True)
        self.game = game = self.players.game
        self.compiled = self.players.engine
        self.asked: Sequence[Figured] = compile_figures(self.compiled, tellings)
        self._deals = Deals(self.compiled)
        self._open_chance = PackChance if packs else Chance
        self._longest = LONGEST if longest is None else longest
        self._per_match = find_lasting(game)
        self._per_deal = [show for show in game.score if show not in self._per_match]
        shown = list_shown(game)
        self._shown = [show for show in game.view if show.id in shown]
        self._told = {
            name: [place for place, p in enumerate(action.parameters) if is_enumerated(p.type)]
            for name, action in rules(choice).actions.items()
        }

    def match(self, seed: int, tally: MatchTally) -> None:
        """Play one match and add its counts; one in which the rules break a promise is counted as crashed alone."""
        try:
            self._match(seed, tally)
        except Crash:
            tally.crashed += 1

    def _match(self, seed: int, tally: MatchTally) -> None:
        engine, chance, state = self.compiled, self._open_chance(seed), self.compiled.begin()
        told = {figure.key: (0, 0) for figure in self.asked}
        acts: Counter[tuple[str, tuple[Word, ...]]] = Counter()
        seen: list[Fact] = []
        deals = 0
        for _ in range(self._longest):
            made = self.players.pick(state, chance)
            if made is None:
                break
            name, seat, values = made
            if name in self._told:
                acts[name, tuple(values[place] for place in self._told[name])] += 1
            if name not in self._deals.endings:
                engine.play(state, seat, name, values)
                continue
            before = state.copy()
            engine.play(state, seat, name, values)
            dealt = self._deals.dealt(before)
            if not dealt or not self._deals.dealt(state):
                self._ask("deal", before, told, dealt=dealt)
            if dealt and not self._deals.dealt(state):
                seen += self._end_deal(acts, before)
                deals += 1
                acts.clear()
        if self._deals.dealt(state):
            self._ask("deal", state, told, dealt=True)
            seen += self._end_deal(acts, state)
            deals += 1
        self._ask("match", state, told, dealt=True)
        for figure in self.asked:
            tally.told.setdefault(figure.key, CaseSums(Sums(share=figure.telling.share))).add(*told[figure.key])
        self._add(tally, deals, seen)
        self._end(tally, state, deals, over=engine.over(state))

    def _ask(self, per: str, state: CompiledState, told: dict[Key, tuple[int, int]], *, dealt: bool) -> None:
        """Add a deal or a match to the headline figures; one that ends undealt counts only for figures with `when`."""
        for figure in self.asked:
            telling = figure.telling
            if telling.per != per or not (dealt or telling.when is not None) or not figure.concerns(state):
                continue
            number, count = told[figure.key]
            told[figure.key] = number + figure.value(state), count + 1

    def _end_deal(self, acts: Counter[tuple[str, tuple[Word, ...]]], state: CompiledState) -> Iterator[Fact]:
        """Yield the facts of a deal at its end."""
        named: Counter[str] = Counter()
        for (name, values), count in acts.items():
            for told in dict.fromkeys(self._name_act(name, values)):
                named[told] += count
        yield from _count_acts(named)
        yield from self._collect_shown(state)

    def _add(self, tally: MatchTally, deals: int, seen: Iterable[Fact]) -> None:
        tally.matches += 1
        tally.deals += deals
        tally.deals_squared += deals * deals
        found: dict[Key, float] = {}
        shares: dict[Key, bool] = {}
        for key, number, share in seen:
            found[key] = found.get(key, 0) + number
            shares[key] = share
        for key, number in found.items():
            tally.per_deal.setdefault(key, Sums(share=shares[key])).add(number, deals)

    def _end(self, tally: MatchTally, state: CompiledState, deals: int, *, over: bool) -> None:
        tally.unfinished += not over
        facts: list[Fact] = [(("match", "deals played"), deals, False)]
        score = self.compiled.score(state)
        for show in self._per_match:
            if show.id in score:
                facts += _facts(show, score[show.id], ("match", show.id))
        for key, number, share in facts:
            tally.per_match.setdefault(key, Sums(share=share)).add(number, 1)

    def _name_act(self, name: str, values: Sequence[Word]) -> Iterator[str]:
        """Yield an act and, where it has values that the rules enumerate, the act with these."""
        yield outside(name)
        parameters = [self.game.actions[name].parameters[place] for place in self._told[name]]
        deck = self.game.deck
        said = [
            f"{outside(p.id)}={_word(writer(p.type, deck)(raising(p.type, deck)(value)))}"
            for p, value in zip(parameters, values, strict=True)
        ]
        if said:
            yield " ".join([outside(name), *said])

    def _collect_shown(self, state: CompiledState) -> Iterator[Fact]:
        """Yield the facts of the score at the end of a deal, and of lists of the view that all seats see alike."""
        engine, lists = self.compiled, {show.id for show in self._shown}
        score = engine.score(state)
        for show in self._per_deal:
            if show.id in score:
                yield from _facts(show, score[show.id], ("score", show.id))
        views = [engine.view(state, seat, only=lists) for seat in range(self.game.seats if lists else 0)]
        for show in self._shown:
            shown = [view.get(show.id) for view in views]
            if all(one == shown[0] for one in shown):
                yield from _facts(show, shown[0], ("view", show.id))


def simulate(choice: Choice, acts: Mapping[str, Node], seeds: Iterable[int]) -> MatchTally:
    """Return the tally of the matches with these seeds, played with these weights of acts."""
    simulation, tally = Simulation(choice, acts), MatchTally()
    for seed in seeds:
        simulation.match(seed, tally)
    return tally


# What is counted ------------------------------------------------------------------------------------------------------


def _count_acts(acts: Counter[str]) -> Iterator[Fact]:
    """Yield for each act how often it was made in a deal, and whether it was at all."""
    for name, count in acts.items():
        yield ("acts", name), 1, True
        yield ("acts a deal", name), count, False


def _facts(show: Show, value: Json, key: Key) -> Iterator[Fact]:
    """Yield the facts to count of a shown value."""
    where, name = key
    if value is None:
        return
    if show.value is not None:
        yield from _count_value(show.value.type, value, key)
    elif show.inner is None:
        parts = value if isinstance(value, dict) else {}
        for part in show.fields:
            yield from _facts(part, parts.get(part.id), (where, f"{name} {part.id}"))
    elif show.domain is None:
        yield from _facts(show.inner, value, key)
    elif isinstance(value, list) and is_fixed(show):
        for place, item in enumerate(value):
            facts = _facts(show.inner, item, (where, f"{name} {place}"))
            yield from (fact for fact in facts if IS not in fact[0][1])
    elif isinstance(value, list):
        yield from _count_list(_element(show), value, key)


def _count_list(element: Show | None, values: list[Json], key: Key) -> Iterator[Fact]:
    """Yield how long a list is, whether it is empty, and how often it shows each value that the rules enumerate."""
    where, name = key
    yield key, len(values), False
    if not values:
        return
    yield (where, f"any {name}"), 1, True
    if element is None:
        return
    found: Counter[Key] = Counter()
    for item in values:
        found.update(kind for kind, number, share in _facts(element, item, key) if share and number)
    yield from ((kind, count, False) for kind, count in found.items() if IS not in kind[1])


def _count_value(type_: Type, value: Json, key: Key) -> Iterator[Fact]:
    where, name = key
    match type_:
        case Option(inner):
            yield from _count_value(inner, value, key)
        case Bool():
            yield key, int(value is True), True
        case Named(name=kind) if is_seated(type_):
            yield (where, f"{name} {kind} {value}"), 1, True
        case Named() if not is_printed(type_):
            yield (where, f"{name} {value}"), 1, True
        case Int() if isinstance(value, int):
            yield key, value, False
            yield (where, f"{name}{IS}{value}"), 1, True
        case Array(index, element) if isinstance(index, Named) and isinstance(value, list):
            for place, item in enumerate(value):
                if item is not None:
                    facts = _count_value(element, item, (where, f"{name} {place}"))
                    yield from (fact for fact in facts if IS not in fact[0][1])


def _element(show: Show) -> Show | None:
    """Return the shown part of each value of a list; of nested lists that run together, that of the inner ones."""
    inner = show.inner
    if not show.flat or inner is None:
        return inner
    return _element(inner) if inner.domain is not None else None


def _word(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cards(value: Value) -> bool:
    """Say whether any card is inside a zone."""
    return any(map(_cards, value)) if isinstance(value, (tuple, frozenset)) else isinstance(value, str)


# The rules ------------------------------------------------------------------------------------------------------------


def _expressions(show: Show) -> Iterator[Expression]:
    yield from (one for one in (show.value, show.domain, show.when, show.seen) if one is not None)
    for part in (*show.fields, *([show.inner] if show.inner else [])):
        yield from _expressions(part)


def _scopes(game: Game, show: Show) -> set[str]:
    """Return the scopes of all that a show reads."""
    found: set[str] = set()
    for one in (one for expression in _expressions(show) for one in walk(expression)):
        if isinstance(one, VariableUse):
            found.add(game.state[one.name].scope)
        elif isinstance(one, Call):
            found.add("")
    return found


def _resets(game: Game, action: str, zones: set[str]) -> bool:
    """Say whether an action, or a later automatic phase, sets zones back to their first values."""
    waiting, seen = [game.actions[action].do], set()
    while waiting:
        for effect in walk_effects(waiting.pop()):
            if isinstance(effect, Reset) and zones & set(game.scopes[game.scopes.index(effect.scope) :]):
                return True
            if isinstance(effect, Goto) and effect.phase not in seen:
                seen.add(effect.phase)
                waiting.append(game.phases[effect.phase].do)
    return False
