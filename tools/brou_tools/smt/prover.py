"""Proving: each kind of obligation as questions to a solver.

A statement is proved when the solver finds nothing against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from brou import Choice, Machine, choose, rules
from brou.errors import Unknown
from brou.language.node import Node
from brou.language.syntax import Action, Row, Table
from brou.language.tree import Expression
from brou.language.types import Array, Named, Type, as_number, inner
from brou.shelf.library import with_readings
from brou_tools.smt.asking import (
    PROVED,
    REFUTED,
    UNKNOWN,
    Disbelieved,
    Finding,
    acted,
    action_of,
    crashes,
    named,
    text_of,
    vain,
)
from brou_tools.smt.formula import Formula, Truth
from brou_tools.smt.ground import Ground, Position
from brou_tools.smt.obligations import Obligation
from brou_tools.smt.overlapping import Overlapping, called
from brou_tools.smt.solve import Answer, plain
from brou_tools.smt.symbols import Symbol, Untranslatable
from brou_tools.smt.translate import exactly_one


@dataclass(slots=True)
class Prover(Overlapping):
    """Proves the obligations of one rule base."""

    def prove(self, one: Obligation) -> Finding:  # noqa: PLR0912 - one method a kind
        """Return what comes of an obligation, the same whatever was asked before."""
        self.begin()
        match one.kind:
            case "claim":
                return self._claim(one)
            case "reachable":
                return self._reachable(one)
            case "conserved" | "zero_sum":
                return self._conserved(one)
            case "require":
                return self._require(one)
            case "never_empty":
                return self._never_empty(one)
            case "unique":
                return self._unique(one)
            case "gap_free":
                return self._gap_free(one)
            case "dead_rows":
                return self._dead_rows(one)
            case "order":
                return self._order(one)
            case "order_matters":
                return self._order_matters(one)
            case "refines":
                return self._refines(one)
            case "separates":
                return self._separates(one)
            case "maximum":
                return self._maximum(one)
            case "invariant":
                return self._invariant(one)
            case _:
                assert_never(one.kind)

    # Statements -------------------------------------------------------------------------------------------------------

    def _claim(self, one: Obligation) -> Finding:
        ground = self.given(one, one.position)
        if one.acts:
            return self._claim_of_act(one, ground)
        show = self.shown(one, ground)
        holds = ground.tell(show)
        return self.against(one, ground, ground.forms.no(holds), lambda position: not position.holds(show))

    def _reachable(self, one: Obligation) -> Finding:
        ground = self.given(one, one.position)
        if one.acts:
            found = self._claim_of_act(one, ground, holds=False)
            status = {PROVED: REFUTED, REFUTED: PROVED}.get(found.status, found.status)
            return replace(found, status=status)
        show = self.shown(one, ground)
        answer = self.ask(one, ground, ground.tell(show))
        if answer.status != "sat":
            return self._never(one, ground, answer)
        return Finding(PROVED, "", self.believed(one, ground, answer, lambda position: bool(position.holds(show))))

    def _never(self, one: Obligation, ground: Ground, answer: Answer) -> Finding:
        """Return that something never is, or why that is not known; there has to be something where it could be."""
        if answer.status != "unsat":
            return Finding(UNKNOWN, answer.reason)
        found = self.spoken_of_something(one, ground)
        return Finding(REFUTED) if found.status == PROVED else found

    def _claim_of_act(self, one: Obligation, ground: Ground, *, holds: bool = True) -> Finding:
        """Return whether something holds (or fails) after an act whenever it can be made."""
        action, run = self.done(ground, one.acts[0][0])
        show = self.shown(one, ground)
        after = ground.tell(show, run.values)
        wrong = ground.forms.no(after) if holds else after

        def seen(position: Position) -> bool:
            state = acted(position, action)
            moved = replace(position, state=state)
            return bool(moved.holds(show)) != holds

        return self.against(one, ground, wrong, seen)

    # Acts -------------------------------------------------------------------------------------------------------------

    def _conserved(self, one: Obligation) -> Finding:
        if not one.acts:
            return vain("there is no act")
        for name, where in one.acts:
            ground = self.given(one, where)
            node = one.node.fields["of"]
            number = ground.read(text_of(node), node.place)
            action, run = self.done(ground, name)
            before, after = (ground.tell(number, values) for values in (ground.values, run.values))
            wrong = ground.forms.no(ground.translator.symbols.equal(before, after))

            def seen(position: Position, action: Action = action, number: Expression = number) -> bool:
                moved = replace(position, state=acted(position, action))
                return bool(position.holds(number) != moved.holds(number))

            found = self.against(replace(one, position=where), ground, wrong, seen)
            if found.status != PROVED:
                return replace(found, reason=found.reason or f"the act {name} changes it")
        return Finding(PROVED)

    def _require(self, one: Obligation) -> Finding:
        node = one.node.get("promises")
        kinds = {"require", "unique", "cards"} if node is None else {item.text for item in node.items}
        if not one.acts:
            return vain("there is no act")
        for name, where in one.acts:
            allowed = self.allowed(one, self.given(one, where), name)
            if allowed.status != PROVED:
                return allowed
            ground = self.given(one, where)
            action, _ = self.done(ground, name)
            broken = [crash for crash in ground.broken if crash.kind in kinds]

            def seen(position: Position, action: Action = action) -> bool:
                return crashes(position, action)

            found = self.against(replace(one, position=where), ground, ground.forms.any(c.when for c in broken), seen)
            if found.status != PROVED:
                return replace(found, reason=found.reason or f"the act {name} breaks a promise")
        return Finding(PROVED)

    def _never_empty(self, one: Obligation) -> Finding:
        name, where = one.acts[0]
        ground = self.given(one, where)
        action = action_of(ground, name)
        ground.bind("me", ground.game.types["player"])
        ground.facts.append(ground.translator.symbols.member(ground.env["me"], ground.tell(action.by, env={})))
        with ground.telling():
            some = ground.forms.any(self._accepted(ground, action, 0, dict(ground.env), True))

        def seen(position: Position) -> bool:
            legal = Machine(ground.game).legal(position.state, position.locals["me"])
            return name.replace("_", "-") not in legal

        return self.against(one, ground, ground.forms.no(some), seen)

    def _accepted(
        self, ground: Ground, action: Action, number: int, env: dict[str, Symbol], when: Truth
    ) -> Iterator[Truth]:
        """Yield for each combination of parameters when it is accepted."""
        t = ground.translator
        if number == len(action.parameters):
            yield ground.forms.both(when, t.holds(action.legal, ground.values, env))
            return
        parameter = action.parameters[number]
        if parameter.described:
            raise Unknown("listed action", action.id, [])
        for truth, value in t.symbols.items(t.expression(parameter.domain, ground.values, env)):
            whole = ground.forms.both(when, truth)
            yield from self._accepted(ground, action, number + 1, {**env, parameter.id: value}, whole)

    # Tables -----------------------------------------------------------------------------------------------------------

    def _tables(self, one: Obligation, ground: Ground) -> Iterator[Table]:
        names = [item.text for item in one.texts("tables")]
        for name, table in ground.game.tables.items():
            if name in names or (not names and table.policy == "unique"):
                yield table

    def _missing(self, one: Obligation) -> str:
        """Return a table or a row that an obligation names and the rules do not have."""
        tables = self.ground(one.position).game.tables
        rows = {f"{name}/{row.id}" for name, table in tables.items() for row in table.rows}
        said = [*((item.text, tables) for item in one.texts("tables")), *((row, rows) for row in one.named("dead"))]
        return next((name for name, there in said if name not in there), "")

    def _unique(self, one: Obligation) -> Finding:
        return self._each_table(one, lambda ground, truths: ground.forms.no(_at_most_one(ground, truths)))

    def _gap_free(self, one: Obligation) -> Finding:
        return self._each_table(one, lambda ground, truths: ground.forms.no(ground.forms.any(truths)))

    def _each_table(self, one: Obligation, wrong: Callable[[Ground, Sequence[Truth]], Truth]) -> Finding:
        """Return whether the rows of some tables never fire in a wrong way."""
        if missing := self._missing(one):
            return vain(f"there is no {missing}")
        tables = list(self._tables(one, self.ground(one.position)))
        if not tables:
            return vain("there is no table of which exactly one row fires")
        for table in tables:
            ground = self.given(one, one.position)
            rows = self._fired(ground, table)

            def seen(position: Position, table: Table = table) -> bool:
                tests = [row.when for row in table.rows if row.when is not None]
                fired = [bool(position.holds(test)) for test in tests]
                return sum(fired) != 1

            found = self.against(one, ground, wrong(ground, [truth for truth, _ in rows]), seen)
            if found.status != PROVED:
                return replace(found, reason=found.reason or f"the table {table.id}")
        return Finding(PROVED)

    def _fired(self, ground: Ground, table: Table) -> list[tuple[Truth, Row]]:
        """Return when each row of a table fires for unknown arguments, within what the table requires."""
        called(ground, table)
        with ground.telling():
            return ground.translator.fired(table, ground.values, ground.env)

    def _dead_rows(self, one: Obligation) -> Finding:
        """Return that every row can fire but those that are said to be dead, which cannot."""
        if missing := self._missing(one):
            return vain(f"there is no {missing}")
        dead = set(one.named("dead"))
        names = [item.text for item in one.texts("tables")]
        tables = self.ground(one.position).game.tables.values()
        if not tables:
            return vain("there is no table")
        for table in tables:
            if names and table.id not in names:
                continue
            ground = self.given(one, one.position)
            rows = self._fired(ground, table)
            if all(f"{table.id}/{row.id}" in dead for _, row in rows):
                return vain(f"{table.id}: some row has to fire")
            for truth, row in rows:
                answer = self.ask(one, ground, truth)
                name = f"{table.id}/{row.id}"
                if answer.status == "unknown":
                    return Finding(UNKNOWN, f"{name}: {answer.reason}")
                if answer.status == "sat":
                    self.believed(one, ground, answer, partial(_fires, table, row))
                if (answer.status == "unsat") != (name in dead):
                    fires = "can fire" if name in dead else "never fires"
                    return Finding(REFUTED, f"the row {name} {fires}")
        return Finding(PROVED)

    def _order(self, one: Obligation) -> Finding:
        """Return whether a relation is a strict order in which any two different values stand one above the other."""
        ground = self.ground(one.position)
        among = one.node.fields["among"]
        type_ = ground.words.type(among.text, among.place)
        for name in ("one", "two", "three"):
            ground.bind(name, type_)
        node = one.node.fields["less"]
        less = ground.read(text_of(node), node.place)
        for condition in one.texts("where"):
            ground.suppose(text_of(condition), condition.place)
        t, forms, env = ground.translator, ground.forms, ground.env

        def below(a: str, b: str) -> Truth:
            truth: Truth = ground.tell(less, env={**env, "one": env[a], "two": env[b]})
            return truth

        same = t.symbols.equal(env["one"], env["two"])
        wrong = forms.any(
            [
                below("one", "one"),
                forms.both(below("one", "two"), below("two", "one")),
                forms.all([below("one", "two"), below("two", "three"), forms.no(below("one", "three"))]),
                forms.all([forms.no(same), forms.no(below("one", "two")), forms.no(below("two", "one"))]),
            ]
        )

        def seen(position: Position) -> bool:
            def under(a: str, b: str) -> bool:
                names = {**position.locals, "one": position.locals[a], "two": position.locals[b]}
                return bool(replace(position, locals=names).holds(less))

            apart = position.locals["one"] != position.locals["two"]
            lost = apart and not under("one", "two") and not under("two", "one")
            skips = under("one", "two") and under("two", "three") and not under("one", "three")
            both = under("one", "two") and under("two", "one")
            return under("one", "one") or both or skips or lost

        return self.against(one, ground, wrong, seen)

    # Other rules ------------------------------------------------------------------------------------------------------

    def other(self, ground: Ground, choice: Choice, mapped: Mapping[str, Node]) -> Ground:
        """Return other rules in the same state: variables of one name and type are one, others as mapped or unknown."""
        given: dict[str, Symbol] = {}
        for name, variable in rules(choice).state.items():
            here = ground.game.state.get(name)
            if name in mapped:
                expression = ground.read(text_of(mapped[name]), mapped[name].place)
                _compared(expression.type, variable.type, f"{name} of {choice}")
                given[name] = ground.tell(expression)
            elif here is not None and here.type == variable.type:
                given[name] = ground.values[name]
        if rules(choice).deck.cards != ground.game.deck.cards:
            raise Untranslatable(f"{choice} has other cards")
        made = Ground.around(choice, rules(choice), ground.forms, given, f" of {named(choice)}")
        made.unknowns.facts = ground.unknowns.facts
        made.env, made.types, made.asker = ground.env, ground.types, ground.asker
        made.facts = ground.facts
        return made

    def _refines(self, one: Obligation) -> Finding:
        ground = self.given(one, one.position)
        show = self.shown(one, ground)
        other = self.other(ground, choose(one.node.string("against")), one.named("map"))
        node = one.node.fields["there"]
        there = other.read(text_of(node), node.place)
        here, beyond = ground.tell(show), other.tell(there)
        ground.untold += [ground.forms.both(here, crash) for crash in other.untold]

        def seen(position: Position) -> bool:
            return bool(position.holds(show)) and not other.position(position.assigned).holds(there)

        return self.against(one, ground, ground.forms.both(here, ground.forms.no(beyond)), seen)

    def _separates(self, one: Obligation) -> Finding:
        """Return whether there is a position in which two values of a reading make a difference."""
        key, values = one.node.string("key"), [item.text for item in one.texts("values")]
        ground = self.given(one, one.position)
        first, second = (with_readings(self.choice, {key: value}) for value in values)
        if self.choice != first:
            ground = self.other(ground, first, {})
        other = self.other(ground, second, {})
        shows = [self.shown(one, here) for here in (ground, other)]
        _compared(shows[0].type, shows[1].type, one.id)
        found = [here.tell(show) for here, show in zip((ground, other), shows, strict=True)]
        ground.untold += other.untold
        answer = self.ask(one, ground, ground.forms.no(ground.translator.symbols.equal(*found)))
        if answer.status != "sat":
            return self._never(one, ground, answer)
        positions = [here.position(answer.model) for here in (ground, other)]
        if positions[0].holds(shows[0]) == positions[1].holds(shows[1]):
            raise Disbelieved(f"{one.id}: the interpreter sees no difference in {positions[0].plain()}")
        return Finding(PROVED, "", {"rules": named(self.choice), **positions[0].plain()})

    # Numbers ----------------------------------------------------------------------------------------------------------

    def _maximum(self, one: Obligation) -> Finding:
        """Return whether a number can be as great as is said, and no greater."""
        ground = self.given(one, one.position)
        of, value = (one.node.fields[key] for key in ("of", "value"))
        number, most = ground.read(text_of(of), of.place), ground.read(text_of(value), value.place)
        t = ground.translator
        reached, bound = ground.tell(number), ground.tell(most)
        if one.slow and isinstance(bound, int) and isinstance(reached, Formula) and plain([*ground.facts, reached]):
            return self._optimum(one, ground, reached, bound, lambda p: bool(p.holds(number) == p.holds(most)))
        above = t.symbols.ordered(">", reached, bound)
        found = self.against(one, ground, above, lambda p: as_number(p.holds(number)) > as_number(p.holds(most)))
        if found.status != PROVED or one.node.get("relaxed") is not None:
            return found
        answer = self.ask(one, ground, t.symbols.equal(reached, bound))
        if answer.status != "sat":
            return Finding(REFUTED if answer.status == "unsat" else UNKNOWN, answer.reason or "it is never as great")
        seen = self.believed(one, ground, answer, lambda p: bool(p.holds(number) == p.holds(most)))
        return Finding(PROVED, "", seen)

    def _optimum(
        self, one: Obligation, ground: Ground, reached: Formula, bound: int, seen: Callable[[Position], bool]
    ) -> Finding:
        """Return whether the greatest value of a number is the one that is said, by looking for the greatest."""
        facts = ground.unknowns.facts
        answer = ground.asker.greatest(facts, ground.facts, reached, self.options.limit)
        self.steps = max(self.steps, answer.steps)
        if answer.status != "sat" or answer.best is None:
            return Finding(UNKNOWN, answer.reason or "nothing is as it supposes")
        if answer.best != bound:
            return Finding(REFUTED, f"the greatest is {answer.best}")
        witness = self.believed(one, ground, answer, seen)
        told = self.told(one, ground)
        return replace(told, witness=witness) if told.status == PROVED else told


def _compared(one: Type, two: Type, what: str) -> None:
    """Raise where values of two rules are to be one and members of the same place have other names."""
    one, two = inner(one), inner(two)
    if isinstance(one, Array) and isinstance(two, Array):
        _compared(one.element, two.element, what)
    elif isinstance(one, Named) and isinstance(two, Named) and one != two:
        raise Untranslatable(f"{what}: {one} and {two} have other members")


def _fires(table: Table, row: Row, position: Position) -> bool:
    """Say whether a row of a table fires, as the interpreter has it: in a `first` table no row above does."""
    above = table.rows[: table.rows.index(row)] if table.policy == "first" else ()
    fired = [other.when is None or bool(position.holds(other.when)) for other in (*above, row)]
    return fired[-1] and not any(fired[:-1])


def _at_most_one(ground: Ground, truths: Sequence[Truth]) -> Truth:
    return ground.forms.either(exactly_one(ground.forms, truths), ground.forms.no(ground.forms.any(truths)))
