"""Effects as formulas: every branch is gone through, each write is made where its branch is taken.

A state after an act is one state again: each variable has the value of the branch that was taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import assert_never

from brou.language.effects import Add, Assign, Case, Cases, Draw, Effect, For, Goto, Let, Move, Reset, Target, bodies
from brou.language.syntax import Action, Phase
from brou.language.tree import Expression
from brou.language.types import Array, Int, Option, Type, inner
from brou_tools.smt.formula import Formula, Truth
from brou_tools.smt.symbols import CardSet, Stack, Symbol, Values
from brou_tools.smt.translate import Env, Translator
from brou_tools.smt.unknown import known


@dataclass(slots=True)
class Run:
    """A state that effects change, and the phases that they lead to, each with the truth that they do."""

    values: Values
    gone: dict[str, Truth] = field(default_factory=dict)


class Runner:
    """Carries out the effects of one game."""

    def __init__(self, translator: Translator) -> None:
        self.t = translator
        self.forms = translator.forms
        self.symbols = translator.symbols
        self.game = translator.game

    def act(self, action: Action, values: Values, env: Env, when: Truth = True) -> Run:
        """Return the state after an action and the automatic phases behind it."""
        run = Run(values.copy())
        self.t.promised(action, run.values, env, (when, None))
        rest = self.effects(action.do, run, dict(env), when)
        run.gone[STAYS] = rest
        return self.settled(run)

    def settled(self, run: Run) -> Run:
        """Carry out the automatic phases that a state has been led to, in an order in which each comes once."""
        for name in self._order():
            when = run.gone.pop(name, False)
            if when is False:
                continue
            phase = self.game.phases[name]
            self.t.promised(phase, run.values, {}, (when, None))
            self.effects(phase.do, run, {}, when)
        return run

    def _order(self) -> list[str]:
        """Return the automatic phases so that those behind another one come later."""
        ahead = {name: [goto for goto in _led_to(p.do) if self.game.phases[goto].do] for name, p in self._automatic()}
        found: list[str] = []

        def visit(name: str) -> None:
            if name not in found:
                for after in ahead[name]:
                    visit(after)
                found.append(name)

        for name in ahead:
            visit(name)
        return found[::-1]

    def _automatic(self) -> list[tuple[str, Phase]]:
        return [(name, phase) for name, phase in self.game.phases.items() if phase.do]

    def effects(self, body: Sequence[Effect], run: Run, env: dict[str, Symbol], when: Truth) -> Truth:
        """Carry out a list of effects where a truth holds; return where it is gone through to the end."""
        env = dict(env)
        for effect in body:
            if when is False:
                return False
            when = self._effect(effect, run, env, when)
        return when

    def _effect(self, effect: Effect, run: Run, env: dict[str, Symbol], when: Truth) -> Truth:
        """Carry out an effect where a truth holds; return where the effects behind it take place."""
        match effect:
            case Assign():
                self._write(effect, effect.target, run, env, when, self._tell(effect.value, run, env, when))
            case Add():
                more = self._tell(effect.value, run, env, when)
                old = self._tell(effect.target.expression, run, env, when)
                self._write(effect, effect.target, run, env, when, self.symbols.calculated("+", old, more))
            case Let():
                env[effect.name] = self._tell(effect.value, run, env, when)
            case Move():
                self._move(effect, run, env, when)
            case Draw():
                self._draw(effect, run, env, when)
            case For():
                for truth, value in self.symbols.items(self._tell(effect.domain, run, env, when)):
                    self.effects(effect.body, run, {**env, effect.name: value}, self.forms.both(when, truth))
            case Cases():
                return self._cases(effect, run, env, when)
            case Reset():
                self._reset(effect, run, when)
            case Goto():
                run.gone[effect.phase] = self.forms.either(run.gone.get(effect.phase, False), when)
                return False
            case _:
                assert_never(effect)
        return when

    def _move(self, effect: Move, run: Run, env: Env, when: Truth) -> None:
        forms, symbols = self.forms, self.symbols
        cards = symbols.set(self._tell(effect.cards, run, env, when)).bits
        source = symbols.set(self._tell(effect.source.expression, run, env, when)).bits
        there = forms.all(map(forms.implies, cards, source))
        self.t.crash(forms.no(there), (when, None), effect.id, "cards")
        left = CardSet(tuple(forms.both(a, forms.no(b)) for a, b in zip(source, cards, strict=True)))
        self._write(effect, effect.source, run, env, when, left)
        target = self._tell(effect.target.expression, run, env, when)
        if isinstance(target, Stack):
            made: Symbol = self._kept(self._piled(CardSet(cards), target), effect, when)
        else:
            made = CardSet(tuple(map(forms.either, symbols.set(target).bits, cards)))
        self._write(effect, effect.target, run, env, when, made)

    def _piled(self, cards: CardSet, target: Stack) -> Stack:
        """Return a pile with the cards of a set on its top, in the order of the pack."""
        made = target.slots
        for bit, card in reversed(list(zip(cards.bits, self.symbols.cards, strict=True))):
            if bit is not False:
                made = self.symbols.either_of(bit, Stack((card, *made)), Stack(made)).slots
        return Stack(made)

    def _kept(self, pile: Stack, effect: Move | Draw, when: Truth) -> Stack:
        """Return a pile as far as there are cards; that it has more than the pack is a crash."""
        most = len(self.symbols.cards)
        if len(pile.slots) > most:
            self.t.crash(self._long(pile.slots, most + 1), (when, None), effect.id, "cards")
        return Stack(pile.slots[:most])

    def _draw(self, effect: Draw, run: Run, env: Env, when: Truth) -> None:
        forms, symbols = self.forms, self.symbols
        count = self._tell(effect.count, run, env, when)
        slots = symbols.stack(self._tell(effect.source.expression, run, env, when)).slots
        options = symbols.options(count, range(len(slots) + 1))
        fine = [forms.both(truth, self._long(slots, n)) for n, truth in options.items() if 0 <= n <= len(slots)]
        self.t.crash(forms.no(forms.any(fine)), (when, None), effect.id, "cards")
        fitting = [(truth, n) for n, truth in options.items() if 0 <= n <= len(slots)]
        drawn = [(truth, Stack(slots[:n])) for truth, n in fitting]
        left = symbols.select([(truth, Stack(slots[n:])) for truth, n in fitting]) or Stack(())
        self._write(effect, effect.source, run, env, when, left)
        target = self._tell(effect.target.expression, run, env, when)
        if isinstance(target, Stack):
            piles = [(truth, Stack(stack.slots + target.slots)) for truth, stack in drawn]
            made: Symbol = self._kept(symbols.stack(symbols.select(piles) or target), effect, when)
        else:
            bits = symbols.set(symbols.select(drawn) or Stack(())).bits
            made = CardSet(tuple(map(forms.either, symbols.set(target).bits, bits)))
        self._write(effect, effect.target, run, env, when, made)

    def _long(self, slots: Sequence[Symbol], count: int) -> Truth:
        """Return whether a pile has so many cards."""
        return True if count == 0 else self.forms.no(self.symbols.equal(slots[count - 1], None))

    def _cases(self, effect: Cases, run: Run, env: dict[str, Symbol], when: Truth) -> Truth:
        ends: list[Truth] = []
        left = when
        before = run.values.copy()
        for case in effect.cases:
            here = self._holds(case, before, env, left)
            ends.append(self.effects(case.body, run, env, self.forms.both(left, here)))
            left = self.forms.both(left, self.forms.no(here))
        return self.forms.any([*ends, left])

    def _holds(self, case: Case, values: Values, env: Env, when: Truth) -> Truth:
        return True if case.when is None else self.t.holds(case.when, values, env, (when, None))

    def _reset(self, effect: Reset, run: Run, when: Truth) -> None:
        scopes = self.game.scopes[self.game.scopes.index(effect.scope) :]
        for name, variable in self.game.state.items():
            if variable.scope in scopes:
                fresh = known(variable.type, variable.default, self.symbols)
                run.values[name] = fresh if when is True else self.symbols.either_of(when, fresh, run.values[name])

    # Values ---------------------------------------------------------------------------------------------------------

    def _tell(self, e: Expression, run: Run, env: Env, when: Truth) -> Symbol:
        """Return what an expression means where an effect takes place."""
        return self.t.expression(e, run.values, env, (when, None))

    def _write(self, effect: Effect, target: Target, run: Run, env: Env, when: Truth, value: Symbol) -> None:
        self._bounded(effect, target.type, value, when)
        path = [(step.whole, self._tell(step.key, run, env, when)) for step in reversed(target.steps)]
        value = known(target.type, value, self.symbols) if isinstance(value, (frozenset, tuple)) else value
        value = self._chosen(target.type, value)
        run.values[target.variable] = self._written(run.values[target.variable], path[::-1], value, when)

    def _chosen(self, type_: Type, value: Symbol) -> Symbol:
        """Return a number as one of the values that its variable can have, where that may be absent too."""
        bounds = inner(type_)
        if isinstance(type_, Option) and isinstance(bounds, Int) and isinstance(value, Formula):
            return self.symbols.choice(self.symbols.options(value, range(bounds.low, bounds.high + 1)))
        return value

    def _written(self, old: Symbol, path: Sequence[tuple[Array, Symbol]], value: Symbol, when: Truth) -> Symbol:
        """Return what a variable is after a write."""
        if not path:
            return self.symbols.either_of(when, value, old)
        (array, key), rest = path[0], path[1:]
        places = dict(self.t.places(array, key))
        return tuple(
            self._written(item, rest, value, self.forms.both(when, places[place])) if place in places else item
            for place, item in enumerate(old)
        )

    def _bounded(self, effect: Effect, type_: Type, value: Symbol, when: Truth) -> None:
        """Note where a number would leave the bounds of its variable."""
        bounds = inner(type_)
        if not isinstance(bounds, Int) or value is None:
            return
        number = value
        if isinstance(type_, Option) and not isinstance(value, Formula):
            when = self.forms.both(when, self.forms.no(self.symbols.equal(value, None)))
            number = self.symbols.present(value)
        low = self.symbols.ordered("<", number, bounds.low)
        high = self.symbols.ordered(">", number, bounds.high)
        self.t.crash(self.forms.either(low, high), (when, None), effect.id, "bounds")


#: What leads nowhere: the action stays in its phase.
STAYS = ""


def _led_to(body: Sequence[Effect]) -> list[str]:
    """Return the phases that effects may lead to, those of the branches inside them last."""
    found = [effect.phase for effect in body if isinstance(effect, Goto)]
    for effect in body:
        for inside in bodies(effect):
            found += _led_to(inside)
    return found


def leaves(body: Sequence[Effect]) -> bool:
    """Say whether every path through some effects ends in a `goto`."""
    last = body[-1] if body else None
    match last:
        case Goto():
            return True
        case Cases():
            return any(case.when is None for case in last.cases) and all(leaves(case.body) for case in last.cases)
        case None | Assign() | Add() | Let() | Move() | Draw() | For() | Reset():
            return False
        case _:
            assert_never(last)
