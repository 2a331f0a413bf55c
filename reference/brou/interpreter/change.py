"""What effects do: each list of them is turned once into a function that changes the values of a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, assert_never

from brou.errors import Crash
from brou.interpreter.evaluate import Evaluator
from brou.language.effects import (
    Add,
    Assign,
    Case,
    Cases,
    Draw,
    Effect,
    For,
    Goto,
    Let,
    Move,
    Reset,
    Target,
)
from brou.language.operations import Meaning, Value, position_of, replaced
from brou.language.types import CARDS, Int, Pile, inner

Change: TypeAlias = Callable[[list[Value], list[Value]], str | None]


class Changer:
    """The meaning of one game's effects."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._mean = evaluator.expression

    def effects(self, body: Sequence[Effect], env: Mapping[str, int]) -> Change:
        """Return what a list of effects does to the values of a state; it answers the phase to go to, or None."""
        changes: list[Change] = []
        for effect in body:
            changes.append(self._effect(effect, env))
            if isinstance(effect, Let):
                env = {**env, effect.name: max(env.values(), default=-1) + 1}

        def all_of_them(s: list[Value], e: list[Value]) -> str | None:
            for change in changes:
                phase = change(s, e)
                if phase is not None:
                    return phase
            return None

        return all_of_them

    def _effect(self, effect: Effect, env: Mapping[str, int]) -> Change:
        change, watch = self._change(effect, env), self.evaluator.watch
        if watch is None:
            return change

        def watched(s: list[Value], e: list[Value]) -> str | None:
            watch.doing(effect, env, tuple(s), tuple(e))
            return change(s, e)

        return watched

    def _change(self, effect: Effect, env: Mapping[str, int]) -> Change:
        """Return what one effect does."""
        match effect:
            case Assign():
                write, value = self._writer(effect, effect.target, env), self._mean(effect.value, env)
                return lambda s, e: write(s, e, value(s, e))
            case Add():
                increase, more = self._writer(effect, effect.target, env), self._mean(effect.value, env)
                old = self._mean(effect.target.expression, env)
                return lambda s, e: increase(s, e, old(s, e) + more(s, e))
            case Let():
                return self._let(effect, env)
            case Move():
                return self._move(effect, env)
            case Draw():
                return self._draw(effect, env)
            case For():
                return self._for(effect, env)
            case Cases():
                return self._cases(effect, env)
            case Reset():
                return self._reset(effect)
            case Goto():
                return lambda s, e: effect.phase
            case _:
                assert_never(effect)

    def _let(self, effect: Let, env: Mapping[str, int]) -> Change:
        slot = max(env.values(), default=-1) + 1
        value = self._mean(effect.value, env)

        def change(s: list[Value], e: list[Value]) -> None:
            result = value(s, e)
            while len(e) <= slot:
                e.append(None)
            e[slot] = result

        return change

    def _move(self, effect: Move, env: Mapping[str, int]) -> Change:
        source, target = (self._mean(one.expression, env) for one in (effect.source, effect.target))
        take, put = self._writer(effect, effect.source, env), self._writer(effect, effect.target, env)
        moved, pile, order = (
            self._mean(effect.cards, env),
            _is_pile(effect.target),
            self.evaluator.ordered(CARDS),
        )

        def change(s: list[Value], e: list[Value]) -> None:
            cards = moved(s, e)
            if not cards <= source(s, e):
                raise Crash(f"{effect.place}: cards are moved from where they are not")
            take(s, e, source(s, e) - cards)
            put(s, e, self._onto(effect, order(cards), target(s, e)) if pile else target(s, e) | cards)

        return change

    def _draw(self, effect: Draw, env: Mapping[str, int]) -> Change:
        source, target = (self._mean(one.expression, env) for one in (effect.source, effect.target))
        take, put = self._writer(effect, effect.source, env), self._writer(effect, effect.target, env)
        count, pile = self._mean(effect.count, env), _is_pile(effect.target)

        def change(s: list[Value], e: list[Value]) -> None:
            number, stock = count(s, e), source(s, e)
            if not 0 <= number <= len(stock):
                raise Crash(f"{effect.place}: {number} cards are drawn from {len(stock)}")
            take(s, e, stock[number:])
            drawn = stock[:number]
            put(s, e, self._onto(effect, drawn, target(s, e)) if pile else target(s, e) | frozenset(drawn))

        return change

    def _onto(self, effect: Effect, cards: Sequence[str], pile: Sequence[str]) -> tuple[str, ...]:
        """Return a pile with cards put on it; a pile has no more cards than the pack."""
        if len(cards) + len(pile) > len(self.evaluator.game.deck.cards):
            raise Crash(f"{effect.place}: {len(cards)} cards are put on {len(pile)}, more than the pack has")
        return (*cards, *pile)

    def _for(self, effect: For, env: Mapping[str, int]) -> Change:
        slot = max(env.values(), default=-1) + 1
        domain, body = (
            self._mean(effect.domain, env),
            self.effects(effect.body, {**env, effect.name: slot}),
        )
        order, meter = self.evaluator.ordered(effect.domain.type), self.evaluator.meter

        def change(s: list[Value], e: list[Value]) -> None:
            while len(e) <= slot:
                e.append(None)
            values = order(domain(s, e))
            meter.spend(len(values), effect.place)
            for value in values:
                e[slot] = value
                body(s, e)

        return change

    def _cases(self, effect: Cases, env: Mapping[str, int]) -> Change:
        cases = [self._case(case, env) for case in effect.cases]

        def change(s: list[Value], e: list[Value]) -> str | None:
            for test, body in cases:
                if test is None or test(s, e):
                    return body(s, e)
            return None

        return change

    def _case(self, case: Case, env: Mapping[str, int]) -> tuple[Meaning | None, Change]:
        test = None if case.when is None else self._mean(case.when, env)
        return test, self.effects(case.body, env)

    def _reset(self, effect: Reset) -> Change:
        game = self.evaluator.game
        scopes = game.scopes[game.scopes.index(effect.scope) :]
        fresh = [(self.evaluator.slots[name], v.default) for name, v in game.state.items() if v.scope in scopes]

        def change(s: list[Value], e: list[Value]) -> None:
            for slot, default in fresh:
                s[slot] = default

        return change

    def _writer(
        self, effect: Effect, target: Target, env: Mapping[str, int]
    ) -> Callable[[list[Value], list[Value], Value], None]:
        keys = [(self._mean(step.key, env), position_of(step.whole.index)) for step in target.steps]
        slot, name, watch = self.evaluator.slots[target.variable], target.variable, self.evaluator.watch
        kept = inner(target.type)
        bounds = kept if isinstance(kept, Int) else None

        def write(s: list[Value], e: list[Value], value: Value) -> None:
            if bounds is not None and value is not None and not bounds.low <= value <= bounds.high:
                raise Crash(f"{effect.place}: {name} is {bounds} and would become {value}")
            path = [key(s, e) - at if isinstance(at, int) else at[key(s, e)] for key, at in keys]
            s[slot] = replaced(s[slot], path, value) if path else value
            if watch is not None:
                watch.wrote(name, effect)

        return write


def _is_pile(target: Target) -> bool:
    return isinstance(target.type, Pile)
