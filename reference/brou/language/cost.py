"""The cost of rules: a bound on the steps of every decision, found from the types alone.

A step is one operation of an expression or one effect; an operation on a whole set, pile or array counts a step for
`_BULK` members. Quantifiers go through all their values, of branches the dearest is taken, a call costs as much as its
body: no play of the rules takes more steps than that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from typing import TypeVar, cast

from brou.dataclass import dataclass
from brou.errors import Fault, Place
from brou.language import tree
from brou.language.budget import BUDGET
from brou.language.effects import Cases, Effect, For, Reset, Target, gotos, operand, targets
from brou.language.recent import Recent
from brou.language.syntax import Action, Entry, Function, Game, Phase, Show, Table
from brou.language.types import UNBOUNDED, Array, Cards, Domain, Numbers, Option, Pile, Type, finite

#: The most operations that all expressions may come to with every call in them written out, which is what compiling
#: goes through in about a second; the largest of the published games comes to less than half of it.
WRITTEN = 50_000

_Count = TypeVar("_Count")
#: So many countings are kept of one record.
_VERSIONS = 8

#: Members of a set, pile or array that are handled in the time of one step.
_BULK = 8


@dataclass(frozen=True, slots=True)
class CostedQuestion:
    """A question to the rules: its name, the most steps it can take, and the place of its dearest part."""

    name: str
    steps: int
    place: Place


@dataclass(frozen=True, slots=True)
class Called:
    """The cost of a call of a function or table: steps, operations written out, members of the result."""

    steps: int
    written: int
    given: int


@dataclass(frozen=True, slots=True)
class CountedRecord:
    """The cost of a record in a world, with the costs of the calls in it, and its operations in all."""

    world: tuple[int, ...]
    calls: Mapping[str, Called]
    counted: object
    written: int


def cost_faults(game: Game, memo: Recent[list[CountedRecord]] | None = None) -> list[Fault]:
    """Return the faults of rules that exceed the budget: single expressions, or else whole questions.

    Costs of records that were counted before are taken from the memo.
    """
    costs = Costs(game, memo)
    asked = list(costs.questions())
    if costs.found:
        return costs.found
    dear = [_dear(one.place, one.name, one.steps) for one in asked if one.steps > BUDGET]
    if dear or costs.written <= WRITTEN:
        return dear
    return [_long(*costs.longest, costs.written)] if memo is None else cost_faults(game)


def _dear(place: Place, what: str, steps: int) -> Fault:
    instead = f"at most {BUDGET}; nest fewer quantifiers, range over fewer values, or call less"
    return Fault(place, f"{what} can take {_write_number(steps)} steps", instead)


def _long(place: Place, size: int, written: int) -> Fault:
    what = f"this expression comes to {_write_number(size)} operations with all that it calls written out"
    return Fault(place, f"{what}, and the whole file to {_write_number(written)}", f"at most {WRITTEN}; call less")


def _write_number(number: int) -> str:
    return str(number) if number <= UNBOUNDED else f"more than {UNBOUNDED}"


class Costs:
    """The steps that expressions, effects and questions of one game can take; functions are counted once.

    `found` are the faults of expressions that cost more than the budget; whoever uses them is not blamed again.
    """

    def __init__(self, game: Game, memo: Recent[list[CountedRecord]] | None = None) -> None:
        self.game = game
        self.found: list[Fault] = []
        self._memo = memo
        self._called: dict[str, Called] = {}
        self._settled: dict[str, int] = {}
        self._sizes: dict[Type, int] = {}
        #: The whole expressions of the file with their places, by where they lie in memory: some are looked at twice.
        self._roots: dict[int, tuple[Place, int]] = {}
        #: What the records taken from the memo come to, written out.
        self._taken = 0
        #: The calls and whole expressions of the records that are being counted, the innermost last.
        self._counting: list[tuple[dict[str, Called], dict[int, int]]] = []
        self._cards = len(game.deck.cards)
        rows = [param.value for param in game.params.values() if isinstance(param.value, tuple)]
        lists = [row for value in rows for row in ([value] if not isinstance(value[:1], tuple) else [value, *value])]
        self._numbers = max((len(one) for one in lists if isinstance(one, tuple)), default=0)
        self._world = (game.seats, self._cards, self._numbers, len(game.state))

    # Records ------------------------------------------------------------------

    def _count(self, record: object, count: Callable[[], _Count]) -> _Count:
        """Return the cost of a record, from the memo if everything that it calls costs the same as then."""
        if self._memo is None:
            return count()
        versions = self._memo.find("", record) or self._memo.keep([], "", record)
        calls: dict[str, Called] = {}
        roots: dict[int, int] = {}
        self._counting.append(({}, {}))
        try:
            for kept in versions:
                if kept.world == self._world and all(self._call(name) == one for name, one in kept.calls.items()):
                    self._taken += kept.written
                    return cast(_Count, kept.counted)  # one record is counted in one way
            self._counting[-1] = calls, roots
            before = len(self.found)
            counted = count()
        finally:
            self._counting.pop()
        if len(self.found) == before:
            versions.insert(0, CountedRecord(self._world, calls, counted, sum(roots.values())))
            del versions[_VERSIONS:]
        return counted

    # Expressions --------------------------------------------------------------

    def root(self, expression: tree.Expression) -> int:
        """Return the steps of a whole expression of the file; one beyond the budget is a fault and then counts one."""
        written = self._spell(expression)
        self._roots[id(expression)] = expression.place, written
        if self._counting:
            self._counting[-1][1][id(expression)] = written
        return self._within(expression.place, "this expression", self.expression(expression))

    @property
    def written(self) -> int:
        """Return how many operations all expressions come to with every call written out."""
        return self._taken + sum(size for _, size in self._roots.values())

    @property
    def longest(self) -> tuple[Place, int]:
        """Return where the dearest expression is, and its cost."""
        return max(self._roots.values(), key=lambda one: one[1])

    def _spell(self, expression: tree.Expression) -> int:
        called = self._call(expression.name).written if isinstance(expression, tree.Call) else 0
        return 1 + called + sum(map(self._spell, tree.parts(expression)))

    def _within(self, place: Place, what: str, steps: int) -> int:
        if steps <= BUDGET:
            return steps
        self.found.append(_dear(place, what, steps))
        return 1

    def expression(self, expression: tree.Expression) -> int:
        """Return the most steps that one evaluation can take."""
        match expression:
            case tree.Quantified() | tree.Comprehension():
                return self._ranging(expression)
            case tree.Extreme():
                return self._ranging(expression) + self.expression(expression.default)
            case tree.Best():
                rated = self.size(expression.domain) * (1 + self.expression(expression.key))
                return 1 + self.expression(expression.domain) + rated
            case tree.If():
                sides = max(self.expression(expression.then), self.expression(expression.other))
                return 1 + self.expression(expression.test) + sides
            case tree.Call():
                return 1 + self._call(expression.name).steps + sum(map(self.expression, expression.arguments))
        return (
            1
            + sum(self.expression(part) + self._bulk(part) for part in tree.parts(expression))
            + self._bulk(expression)
        )

    def _ranging(self, expression: tree.Ranging) -> int:
        tested = self.size(expression.domain) * (1 + self.expression(expression.condition))
        done = self._count_chosen(expression) * self.expression(expression.body)
        return 1 + self.expression(expression.domain) + tested + done

    def _count_chosen(self, expression: tree.Ranging) -> int:
        """Return how many values of a quantifier's domain can meet its condition: one that names the value, but one."""
        return 1 if _names(expression.condition, expression.bound) else self.size(expression.domain)

    def _bulk(self, expression: tree.Expression) -> int:
        lying = isinstance(expression, (tree.VariableUse, tree.LocalUse, tree.Literal, tree.ParamUse))
        return 0 if lying else self.size(expression) // _BULK

    def size(self, expression: tree.Expression) -> int:
        """Return the most members that the value of an expression can have; a value without members counts as one."""
        most = self._size(expression.type)
        match expression:
            case tree.ParamUse(value=tuple() as numbers):
                return len(numbers)
            case tree.SetOf() | tree.ListOf():
                return len(expression.members)
            case tree.Comprehension():
                return min(most, self._count_chosen(expression))
            case tree.If():
                return max(self.size(expression.then), self.size(expression.other))
            case tree.Arithmetic(operator="|"):
                return min(most, self.size(expression.left) + self.size(expression.right))
            case tree.Arithmetic(operator="&"):
                return min(self.size(expression.left), self.size(expression.right))
            case tree.Arithmetic(operator="-"):
                return self.size(expression.left)
            case tree.Call():
                return min(most, self._call(expression.name).given)
        return most

    def _size(self, type_: Type) -> int:
        match type_:
            case Cards() | Pile():
                return self._cards
            case Numbers():
                return self._numbers
            case Domain(_, size):
                return size
            case Option(inner):
                return self._size(inner)
            case Array(index, element):
                if type_ not in self._sizes:
                    self._sizes[type_] = len(finite(index) or ()) * self._size(element)
                return self._sizes[type_]
        return 1

    # Functions and tables -----------------------------------------------------

    def _call(self, name: str) -> Called:
        if name not in self._called:
            game = self.game
            record = game.functions[name] if name in game.functions else game.tables[name]
            self._called[name] = self._count(record, lambda: self._callable(record))
        if self._counting:
            self._counting[-1][0][name] = self._called[name]
        return self._called[name]

    def _callable(self, record: Function | Table) -> Called:
        steps = sum(map(self.root, record.requires)) + self._record(record)
        asked = [*record.requires, *_list_expressions(record)]
        written = sum(self._roots[id(one)][1] for one in asked)
        within = self._within(record.place, f"the {_kind(record)} {record.id}", steps)
        return Called(within, written, max(map(self.size, _results(record))))

    def _record(self, record: Function | Table) -> int:
        if isinstance(record, Function):
            return self.root(record.body)
        tests = sum(1 + self.root(row.when) for row in record.rows if row.when is not None)
        return tests + max(self.root(row.then) for row in record.rows)

    # Effects ------------------------------------------------------------------

    def effects(self, body: Iterable[Effect]) -> int:
        """Return the most steps that a list of effects can take, the phases apart that it leads to."""
        return sum(self._within(effect.place, f"the effect {effect.id}", self._effect(effect)) for effect in body)

    def _effect(self, effect: Effect) -> int:
        written, taken = targets(effect), operand(effect)
        asked = [*(one.expression for one in written), *([taken] if taken is not None else [])]
        steps = 1 + sum(map(self.root, asked))
        match effect:
            case For():
                return steps + self.size(effect.domain) * (1 + self.effects(effect.body))
            case Cases():
                tests = sum(1 + self.root(case.when) for case in effect.cases if case.when is not None)
                return steps + tests + max((self.effects(case.body) for case in effect.cases), default=0)
            case Reset():
                return steps + len(self.game.state)
        return steps + sum(self.root(one.expression) + self._rewritten(one) for one in written)

    def _rewritten(self, target: Target) -> int:
        """Return the steps of writing a new value: the arrays around an element are made anew."""
        around = sum(1 + len(finite(step.whole.index) or ()) // _BULK for step in target.steps)
        return 1 + self.size(target.expression) // _BULK + around

    # Questions ----------------------------------------------------------------

    def questions(self) -> Iterator[CostedQuestion]:
        """Yield all questions to a game in play with their costs; automatic phases lead to no circle."""
        game = self.game
        for name in (*game.functions, *game.tables):
            self._call(name)
        for phrase in game.phrases:
            self._count_root(phrase, phrase.body)
        for name in TopologicalSorter({name: gotos(phase.do) for name, phase in game.phases.items()}).static_order():
            self._settled[name] = self._settles(game.phases[name])
        acts = {name: self._act(action) for name, action in game.actions.items()}
        shown = game.seats * sum(map(self._count_show, game.view)) + sum(map(self._count_show, game.score))
        shown += sum(self._count_root(one, one) for one in game.invariants.values())
        for name, phase in game.phases.items():
            yield self._decision(name, phase, acts, shown)
        for name, entry in game.summary.items():
            yield CostedQuestion(f"the entry {name}, with what follows,", self._entry(entry), entry.place)

    def _decision(self, name: str, phase: Phase, acts: Mapping[str, tuple[int, int]], shown: int) -> CostedQuestion:
        """Return the cost of a decision in a phase: reaching it, finding open acts, one act, the views behind it."""
        open_ = [acts[one][0] for one in phase.actions]
        made = max((acts[one][1] for one in phase.actions), default=0)
        dearest = max(phase.actions, key=lambda one: max(acts[one]), default="")
        place = self.game.actions[dearest].place if dearest and max(acts[dearest]) > shown else phase.place
        return CostedQuestion(f"a decision in the phase {name}", self._settled[name] + sum(open_) + made + shown, place)

    def _act(self, action: Action) -> tuple[int, int]:
        """Return the steps of finding whether an action is open, and those of one act, with the phases it leads to."""
        offered, carried = self._count(action, lambda: (self._count_offer(action), self._count_act(action)))
        return offered, carried + self._following(action.do)

    def _count_offer(self, action: Action) -> int:
        """Return the steps of finding the open acts: every value of every parameter is tried."""
        described = any(parameter.described for parameter in action.parameters)
        tried, steps = 1, 0
        for parameter in action.parameters:
            steps += tried * (1 + self.root(parameter.domain))
            tried *= 1 if described else self.size(parameter.domain)
        steps += tried * (1 + self.root(action.legal))
        return self.game.seats * (1 + self.root(action.by)) + self.size(action.by) * steps

    def _count_act(self, action: Action) -> int:
        """Return the steps of one act: its checks and its effects."""
        asked = [action.by, *(parameter.domain for parameter in action.parameters), action.legal, *action.requires]
        values = sum(self.size(parameter.domain) for parameter in action.parameters)
        return sum(map(self.root, asked)) + values // _BULK + self.effects(action.do)

    def _settles(self, phase: Phase) -> int:
        own = self._count(phase, lambda: sum(map(self.root, phase.requires)) + self.effects(phase.do))
        return own + self._following(phase.do)

    def _following(self, *lists: tuple[Effect, ...]) -> int:
        """Return the steps of the phases that effects lead to; those that wait for a decision take none."""
        return max((self._settled[name] for name in gotos(*lists)), default=0)

    def _entry(self, entry: Entry) -> int:
        around, times, inside = self._count(entry, lambda: self._count_entry(entry))
        return around + times * (inside + self._following(entry.do, entry.then))

    def _count_entry(self, entry: Entry) -> tuple[int, int, int]:
        """Return the steps of an entry: of finding how often it is given, how often that is, and of each time."""
        asked = [*(parameter.domain for parameter in entry.parameters), *(check.when for check in entry.checks)]
        for deed in entry.acts:
            asked += [deed.by, *deed.given.values(), *([] if deed.when is None else [deed.when])]
        around = 0 if entry.domain is None else self.root(entry.domain)
        times = 1 if entry.domain is None else self.size(entry.domain)
        return around, times, sum(map(self.root, asked)) + self.effects([*entry.do, *entry.then])

    def _count_root(self, record: object, expression: tree.Expression) -> int:
        return self._count(record, lambda: self.root(expression))

    def _count_show(self, show: Show) -> int:
        return self._count(show, lambda: self._show(show))

    def _show(self, show: Show) -> int:
        steps = 1 + sum(self.root(one) for one in (show.seen, show.domain) if one is not None)
        if show.value is not None:
            return steps + self.root(show.value) + self.size(show.value)
        inside = sum(map(self._show, show.fields)) + (0 if show.inner is None else self._show(show.inner))
        inside += 0 if show.when is None else self.root(show.when)
        return steps + inside * (1 if show.domain is None else self.size(show.domain))


def _names(condition: tree.Expression, local: str) -> bool:
    """Say whether a condition holds for one value of a local at most, since it says which one it is."""
    if isinstance(condition, tree.And):
        return any(_names(one, local) for one in condition.conditions)
    if not isinstance(condition, tree.Compare) or condition.operator != "==":
        return False
    one, two = condition.left, condition.right
    return any(
        isinstance(side, tree.LocalUse) and side.name == local and not tree.uses_local(other, local)
        for side, other in ((one, two), (two, one))
    )


def _list_expressions(record: Function | Table) -> list[tree.Expression]:
    """Return the expressions of a function or table, without its requirements."""
    tests = [] if isinstance(record, Function) else [row.when for row in record.rows if row.when is not None]
    return [*tests, *_results(record)]


def _kind(record: Function | Table) -> str:
    return "function" if isinstance(record, Function) else "table"


def _results(record: Function | Table) -> list[tree.Expression]:
    """Return the expressions that a function or table may give the value of."""
    return [record.body] if isinstance(record, Function) else [row.then for row in record.rows]
