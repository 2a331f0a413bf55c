"""The built-in functions as formulas: what each means of values that are not known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brou.language.primitives import BUILTINS, World
from brou.language.tree import BuiltinCall
from brou.language.types import Int
from brou_tools.smt.formula import Forms, Formula, Truth
from brou_tools.smt.symbols import Choice, Listing, Order, Stack, Symbol, Symbols, Untranslatable


@dataclass(frozen=True, slots=True)
class Primitives:
    """Calls the built-in functions of one game."""

    symbols: Symbols
    world: World

    @property
    def forms(self) -> Forms:
        """Return where formulas are made."""
        return self.symbols.forms

    def call(self, e: BuiltinCall, parts: Sequence[Symbol]) -> Symbol:  # noqa: C901, PLR0912 - a case a function
        """Return what a built-in function gives."""
        match e.name:
            case "suit" | "rank" | "card" | "next" | "previous" | "team" | "other":
                return self.symbols.map(BUILTINS[e.name].meaning(self.world), *parts)
            case "seats":
                return self._seats(parts[0])
            case "members":
                return self._members(parts[0])
            case "len":
                return self.forms.linear((1, truth) for truth, _ in self._present(parts[0]))
            case "empty":
                return self.forms.all(self.forms.no(truth) for truth, _ in self._present(parts[0]))
            case "top":
                slots = self.symbols.stack(parts[0]).slots
                return slots[0] if slots else None
            case "bottom":
                return self._bottom(self.symbols.stack(parts[0]))
            case "cut":
                return self._cut(self.symbols.stack(parts[0]), parts[1])
            case "cards":
                return self.symbols.set(parts[0] if isinstance(parts[0], Stack) else frozenset(parts[0]))
            case "otherwise":
                return self.symbols.either_of(
                    self.symbols.equal(parts[0], None), parts[1], self.symbols.present(parts[0])
                )
            case "least":
                return self._picked(min, "<=", parts)
            case "most":
                return self._picked(max, ">=", parts)
            case "abs":
                minus = self.symbols.calculated("-", 0, parts[0])
                return self.symbols.either_of(self.symbols.ordered(">=", parts[0], 0), parts[0], minus)
            case "range":
                return self._range(e, parts[0], parts[1])
            case _:
                raise Untranslatable(f"{e.name}: its values are described and never listed")

    def _seats(self, player: Symbol) -> tuple[Symbol, ...]:
        count = self.world.seats
        return tuple(self.symbols.map(lambda p, step=step: (p + step) % count, player) for step in range(count))

    def _members(self, of: Symbol) -> Symbol:
        cases = [(truth, self.world.teams[team]) for team, truth in self.symbols.options(of).items()]
        if len({len(seats) for _, seats in cases}) == 1:
            return self.symbols.select(cases)
        return Listing(tuple((truth, seat) for truth, seats in cases for seat in seats))

    def _present(self, value: Symbol) -> Sequence[tuple[Truth, Symbol]]:
        """Return what a set, a pile or a list may hold, each with the truth that it does."""
        if isinstance(value, Stack):
            return [(self.forms.no(self.symbols.equal(slot, None)), slot) for slot in value.slots]
        return self.symbols.items(value)

    def _bottom(self, pile: Stack) -> Symbol:
        cases: list[tuple[Truth, Symbol]] = []
        behind: Truth = True
        for slot in reversed(pile.slots):
            here = self.forms.no(self.symbols.equal(slot, None))
            cases.append((self.forms.both(behind, here), slot))
            behind = self.forms.both(behind, self.forms.no(here))
        return self.symbols.select([*cases, (behind, None)])

    def _cut(self, pile: Stack, count: Symbol) -> Symbol:
        slots = pile.slots
        if any(slot is None or (isinstance(slot, Choice) and None in slot.options) for slot in slots):
            raise Untranslatable("cutting a pile of unknown length")
        cases = self.symbols.options(count, range(1, len(slots))).items()
        turned = [(truth, Stack(slots[n:] + slots[:n])) for n, truth in cases if 0 < n < len(slots)]
        whole = self.forms.no(self.forms.any(truth for truth, _ in turned))
        return self.symbols.select([*turned, (whole, Stack(slots))])

    def _picked(self, pick: Callable[..., int], order: Order, parts: Sequence[Symbol]) -> Symbol:
        if not any(isinstance(part, Formula) for part in parts):
            return self.symbols.map(pick, *parts)
        return self.symbols.either_of(self.symbols.ordered(order, *parts), *parts)

    def _range(self, e: BuiltinCall, low: Symbol, high: Symbol) -> Listing:
        least, most = (argument.type for argument in e.arguments)
        if not isinstance(least, Int) or not isinstance(most, Int):
            raise Untranslatable(f"a range from {least} to {most}")
        symbols = self.symbols
        inside = [
            (self.forms.both(symbols.ordered("<=", low, n), symbols.ordered("<=", n, high)), n)
            for n in range(least.low, most.high + 1)
        ]
        return Listing(tuple((truth, n) for truth, n in inside if truth is not False))
