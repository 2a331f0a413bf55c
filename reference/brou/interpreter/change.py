"""What effects do: each list of them is turned once into a function that changes the values of a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, assert_never

from brou.errors import BrokenPromise
from brou.interpreter.evaluate import Evaluator
from brou.language.effects import (
    Add,
    Assign,
    Branch,
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
from brou.language.operations import Meaning, replace_element
from brou.language.types import Int, Locals, Pile, Value, inner

Change: TypeAlias = Callable[[list[Value], Locals], str | None]


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

        def all_of_them(s: list[Value], e: Locals) -> str | None:
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

        def notify_and_change(s: list[Value], e: Locals) -> str | None:
            watch.note_effect(effect, env, tuple(s), tuple(e))
            return change(s, e)

        return notify_and_change

    def _change(self, effect: Effect, env: Mapping[str, int]) -> Change:
        """Return what one effect does."""
        match effect:
            case Assign():
                write, value = self._writer(effect, effect.target, env), self._mean(effect.value, env)
                return lambda s, e: write(s, e, value(s, e))
            case Add():
                increase, more = self._writer(effect, effect.target, env), self.evaluator.number(effect.value, env)
                old = self.evaluator.number(effect.target.expression, env)
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

        def change(s: list[Value], e: Locals) -> None:
            result = value(s, e)
            while len(e) <= slot:
                e.append(None)
            e[slot] = result

        return change

    def _move(self, effect: Move, env: Mapping[str, int]) -> Change:
        source, moved = self.evaluator.cards(effect.source.expression, env), self.evaluator.cards(effect.cards, env)
        take, put = self._writer(effect, effect.source, env), self._receiver(effect, effect.target, env)
        in_order = self.evaluator.in_order if _is_pile(effect.target) else tuple

        def change(s: list[Value], e: Locals) -> None:
            cards = moved(s, e)
            if not cards <= source(s, e):
                raise BrokenPromise(f"{effect.place}: cards are moved from where they are not")
            take(s, e, source(s, e) - cards)
            put(s, e, in_order(cards))

        return change

    def _draw(self, effect: Draw, env: Mapping[str, int]) -> Change:
        source, count = self.evaluator.pile(effect.source.expression, env), self.evaluator.number(effect.count, env)
        take, put = self._writer(effect, effect.source, env), self._receiver(effect, effect.target, env)

        def change(s: list[Value], e: Locals) -> None:
            number, stock = count(s, e), source(s, e)
            if not 0 <= number <= len(stock):
                raise BrokenPromise(f"{effect.place}: {number} cards are drawn from {len(stock)}")
            take(s, e, stock[number:])
            put(s, e, stock[:number])

        return change

    def _receiver(
        self, effect: Effect, target: Target, env: Mapping[str, int]
    ) -> Callable[[list[Value], Locals, Sequence[str]], None]:
        """Return what puts cards on a pile, or into a set."""
        write = self._writer(effect, target, env)
        if _is_pile(target):
            pile = self.evaluator.pile(target.expression, env)
            return lambda s, e, cards: write(s, e, self._onto(effect, cards, pile(s, e)))
        held = self.evaluator.cards(target.expression, env)
        return lambda s, e, cards: write(s, e, held(s, e).union(cards))

    def _onto(self, effect: Effect, cards: Sequence[str], pile: Sequence[str]) -> tuple[str, ...]:
        """Return a pile with cards put on it; a pile has no more cards than the pack."""
        if len(cards) + len(pile) > len(self.evaluator.game.deck.cards):
            raise BrokenPromise(f"{effect.place}: {len(cards)} cards are put on {len(pile)}, more than the pack has")
        return (*cards, *pile)

    def _for(self, effect: For, env: Mapping[str, int]) -> Change:
        slot = max(env.values(), default=-1) + 1
        members, body = (
            self.evaluator.members(effect.domain, env),
            self.effects(effect.body, {**env, effect.name: slot}),
        )
        meter = self.evaluator.meter

        def change(s: list[Value], e: Locals) -> None:
            while len(e) <= slot:
                e.append(None)
            values = members(s, e)
            meter.spend(len(values), effect.place)
            for value in values:
                e[slot] = value
                body(s, e)

        return change

    def _cases(self, effect: Cases, env: Mapping[str, int]) -> Change:
        cases = [self._case(effect, case, env) for case in effect.cases]

        def change(s: list[Value], e: Locals) -> str | None:
            for test, body in cases:
                if test is None or test(s, e):
                    return body(s, e)
            return None

        return change

    def _case(self, effect: Cases, case: Branch, env: Mapping[str, int]) -> tuple[Meaning | None, Change]:
        test = None if case.when is None else self._mean(case.when, env)
        body, watch = self.effects(case.body, env), self.evaluator.watch
        if watch is None:
            return test, body

        def notify_and_run(s: list[Value], e: Locals) -> str | None:
            watch.note_case(effect, case)
            return body(s, e)

        return test, notify_and_run

    def _reset(self, effect: Reset) -> Change:
        game = self.evaluator.game
        scopes = game.scopes[game.scopes.index(effect.scope) :]
        fresh = [(self.evaluator.slots[name], v.default) for name, v in game.state.items() if v.scope in scopes]

        def change(s: list[Value], e: Locals) -> None:
            for slot, default in fresh:
                s[slot] = default

        return change

    def _writer(
        self, effect: Effect, target: Target, env: Mapping[str, int]
    ) -> Callable[[list[Value], Locals, Value], None]:
        places = [self.evaluator.place(step.key, step.whole, env) for step in target.steps]
        slot, name, watch = self.evaluator.slots[target.variable], target.variable, self.evaluator.watch
        kept = inner(target.type)
        bounds = kept if isinstance(kept, Int) else None

        def write(s: list[Value], e: Locals, value: Value) -> None:
            if bounds is not None and isinstance(value, int) and not bounds.low <= value <= bounds.high:
                raise BrokenPromise(f"{effect.place}: {name} is {bounds} and would become {value}")
            path = [place(s, e) for place in places]
            s[slot] = replace_element(s[slot], path, value) if path else value
            if watch is not None:
                watch.note_write(effect, path)

        return write


def _is_pile(target: Target) -> bool:
    return isinstance(target.type, Pile)
