"""Effects in the lowered form: steps on a state, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from brou.compiler.cse import share
from brou.compiler.kinds import SET
from brou.compiler.lower_expressions import Expressions
from brou.compiler.lower_kinds import Env, element_kind
from brou.compiler.lowered import Step, Term
from brou.dataclass import replace
from brou.language.effects import Add, Assign, Branch, Cases, Draw, Effect, For, Goto, Let, Move, Reset, Target
from brou.language.syntax import Action, Phase
from brou.language.tree import Expression
from brou.language.types import Int, inner


class Steps:
    """Lowers the effects of one game."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.terms = expressions.terms

    def demands(self, record: Action | Phase, env: Env) -> tuple[Step, ...]:
        """Return the steps that make sure of what a record requires."""
        says = f"{record.id} was used where what it requires does not hold"
        tests = self.expressions.find_demands(record, env)
        return tuple(Step("demand", says, value=self._share(test, env), promise="require") for test in tests)

    def steps(self, effects: Sequence[Effect], env: Env) -> tuple[Step, ...]:
        """Return the steps of effects; a `let` is in sight of those behind it."""
        made: list[Step] = []
        for effect in effects:
            steps, env = self._effect(effect, env)
            made += [replace(step, says=step.says or f"{effect.id} [{effect.clause}]") for step in steps]
        return tuple(made)

    def _effect(self, effect: Effect, env: Env) -> tuple[list[Step], Env]:
        match effect:
            case Assign() | Add():
                return self._lower_assignment(effect, env), env
            case Let():
                own, inside = env.bind(self.terms, effect.name, self._term(effect.value, env).kind)
                return [Step("let", own, value=self._value(effect.value, env))], inside
            case Move():
                return self._lower_move(effect, env), env
            case Draw():
                return self._lower_draw(effect, env), env
            case For():
                return [self._lower_for(effect, env)], env
            case Cases():
                return [Step("cases", cases=tuple(self._case(case, env) for case in effect.cases))], env
            case Reset():
                return [Step("reset", effect.scope)], env
            case Goto():
                return [Step("goto", effect.phase)], env
            case _:
                assert_never(effect)

    def _case(self, case: Branch, env: Env) -> tuple[Term | None, tuple[Step, ...]]:
        test = None if case.when is None else self._value(case.when, env)
        return test, self.steps(case.body, env)

    def _lower_for(self, effect: For, env: Env) -> Step:
        domain = self._value(effect.domain, env)
        kind = element_kind(domain)
        own, inside = env.bind(self.terms, effect.name, kind)
        return Step("loop", own, value=domain, body=self.steps(effect.body, inside))

    def _term(self, expression: Expression, env: Env) -> Term:
        return self.expressions.term(expression, env)

    def _value(self, expression: Expression, env: Env) -> Term:
        return self._share(self._term(expression, env), env)

    def _share(self, term: Term, env: Env) -> Term:
        return share(self.terms, term, env.live)

    # Writing ------------------------------------------------------------------

    def _place(self, target: Target, env: Env) -> tuple[Term | None, Term]:
        """Return the written place in the variable, or None for the whole variable, and its old value."""
        old = self._term(target.expression, env)
        return (self._share(old.parts[1], env) if target.steps else None), old

    def _lower_assignment(self, effect: Assign | Add, env: Env) -> list[Step]:
        target, variable = effect.target, effect.target.variable
        index, old = self._place(target, env)
        value = self.terms.fit(self._term(effect.value, env), self.expressions.kinds.of(target.type))
        if isinstance(effect, Add):
            value = self.terms.add(old, value)  # beyond all bounds it is beyond those of the variable
        bounds = inner(target.type)
        # The kind of a term has bounds that hold in every state. Where they lie within those of the variable, no demand
        # can fail, and none is made.
        if not isinstance(bounds, Int) or (bounds.low <= value.kind.low and value.kind.high <= bounds.high):
            return [Step("put", variable=variable, index=index, value=self._share(value, env))]
        new, _ = env.bind(self.terms, "changed", value.kind)
        local = self.terms.local(new, value.kind)
        return [
            Step("let", new, value=self._share(value, env)),
            self._demand_bounds(bounds, local, variable),
            Step("put", variable=variable, index=index, value=local),
        ]

    def _demand_bounds(self, bounds: Int, value: Term, variable: str) -> Step:
        """Return the demand that a number is within the bounds of its variable."""
        t = self.terms
        within = t.both(t.compare("<=", t.count(bounds.low), value), t.compare("<=", value, t.count(bounds.high)))
        if value.kind.optional:
            within = t.either(t.compare("==", value, t.none(value.kind)), within)
        says = f"{variable} is {bounds} and would become something else"
        return Step("demand", says, value=within, promise="bounds")

    def _lower_move(self, effect: Move, env: Env) -> list[Step]:
        """Return the steps of a move: the cards lie where they are taken from, and then where they are put."""
        t = self.terms
        # The set is held in a local, because taking the cards away changes what it may have been read from. A step
        # reads the state as those before it left it: where both places are one, the cards are taken and then put back.
        own, env = env.bind(self.terms, "moved", SET)
        cards = t.local(own, SET)
        source_index, source = self._place(effect.source, env)
        target_index, target = self._place(effect.target, env)
        there = t.no(t.some(t.without(cards, source)))
        pile = target.kind.form == "pile"
        stack = t.make("stack", target.kind, cards) if pile else cards
        whole = t.make("onto", target.kind, stack, target) if pile else t.union(target, cards)
        return [
            Step("let", own, value=self._value(effect.cards, env)),
            Step("demand", "cards are moved from where they are not", value=there, promise="cards"),
            *([self._room(t.size(cards), target)] if pile else []),
            Step("put", variable=effect.source.variable, index=source_index, value=t.without(source, cards)),
            Step("put", variable=effect.target.variable, index=target_index, value=whole),
        ]

    def _lower_draw(self, effect: Draw, env: Env) -> list[Step]:
        """Return the steps of a draw: so many cards lie in the pile, and then elsewhere."""
        t = self.terms
        source_index, source = self._place(effect.source, env)
        target_index, target = self._place(effect.target, env)
        amount = self._value(effect.count, env)
        number, env = env.bind(self.terms, "number", amount.kind)
        count = t.local(number, amount.kind)
        pile = target.kind.form == "pile"
        taken = t.make("take", source.kind, source, count)
        taken = taken if pile else t.spread(taken)
        drawn, env = env.bind(self.terms, "drawn", taken.kind)
        cards = t.local(drawn, taken.kind)
        length = t.length(source)
        enough = t.both(t.compare("<=", t.count(0), count), t.compare("<=", count, length))
        left = t.make("drop", source.kind, source, count)
        whole = t.make("onto", target.kind, cards, target) if pile else t.union(target, cards)
        return [
            Step("let", number, value=amount),
            Step("demand", "more cards are drawn than there are", value=enough, promise="cards"),
            *([self._room(count, target)] if pile else []),
            # Held before the pile is shortened: it could not be read from there afterwards.
            Step("let", drawn, value=taken),
            Step("put", variable=effect.source.variable, index=source_index, value=left),
            Step("put", variable=effect.target.variable, index=target_index, value=whole),
        ]

    def _room(self, more: Term, pile: Term) -> Step:
        """Return the demand that a pile has no more cards than the pack, when so many are put on it."""
        t = self.terms
        length = t.length(pile)
        test = t.compare("<=", t.add(more, length), t.count(t.cards))
        return Step("demand", "more cards are put on a pile than the pack has", value=test, promise="cards")
