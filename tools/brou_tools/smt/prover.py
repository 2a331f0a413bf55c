"""Proving: each kind of obligation as questions to a solver, each answer replayed by the interpreter.

A statement is proved when the solver finds nothing against it. What it finds is believed only if the interpreter,
set down in the same position, says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from brou import Choice, Crash, Machine, choose, rules
from brou.errors import BrouError, Unknown
from brou.library import with_readings
from brou.machine import State
from brou.source import Node
from brou.syntax import Action, Expression, Parameter, Table
from brou.types import NUMBERS, Int, Orders, Subsets
from brou_tools.smt.formula import Truth
from brou_tools.smt.ground import Ground, Position, at_first
from brou_tools.smt.obligations import Obligation, Where
from brou_tools.smt.running import Run
from brou_tools.smt.solve import Answer, second_opinion
from brou_tools.smt.symbols import Symbol
from brou_tools.smt.translate import exactly_one

PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"


class Disbelieved(BrouError):
    """The interpreter does not see what the solver has found: a fault of the translation."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of an obligation under one choice of rules."""

    status: str
    reason: str = ""
    witness: Mapping[str, Any] | None = None


@dataclass(slots=True)
class Options:
    """How questions are asked."""

    limit: int
    export: Path | None = None
    second: bool = False


@dataclass(slots=True)
class Prover:
    """Proves the obligations of one rule base."""

    choice: Choice
    options: Options
    make: Callable[[Choice], Ground] = Ground.of
    _grounds: dict[str, Ground] = field(default_factory=dict)
    _asked: int = 0

    def prove(self, one: Obligation) -> Finding:
        """Return what comes of an obligation."""
        self._asked = 0
        return getattr(self, f"_{one.kind}")(one)  # type: ignore[no-any-return]  # one method a kind

    # Where it is asked ------------------------------------------------------------------------------------------------

    def ground(self, where: Where | None) -> Ground:
        """Return the rules in a position of a kind; made once, to be narrowed by each question."""
        name = where.id if where else ""
        if name not in self._grounds:
            ground = self._grounds[name] = self.make(self.choice)
            if where is not None:
                for variable in where.untouched:
                    at_first(ground, variable)
                for condition in where.where:
                    ground.suppose(condition.text, condition.place)
                if where.whole_pack:
                    ground.suppose_pack()
                ground.settle()
        return self._grounds[name].further()

    def _given(self, one: Obligation, where: Where | None) -> Ground:
        """Return the ground of an obligation with all its names and conditions."""
        ground = self.ground(where)
        for name, type_ in one.named("given").items():
            ground.bind(name, ground.words.type(type_.text, type_.place))
        for name, node in one.named("let").items():
            expression = ground.read(_text(node), node.place)
            ground.bind(name, expression.type, ground.translator.expression(expression, ground.values, ground.env))
        for condition in one.texts("where"):
            ground.suppose(_text(condition), condition.place)
        return ground

    def _ask(self, one: Obligation, ground: Ground, *wanted: Truth) -> Answer:
        """Ask the solver, write the question down and get a second opinion where that is wanted."""
        answer = ground.ask(*wanted, limit=self.options.limit)
        self._asked += 1
        if self.options.export or self.options.second:
            text = ground.text(*wanted)
            if self.options.export:
                name = f"{one.id}.{self.choice.edition}.{self.choice.setup}.{self._asked}.smt2"
                (self.options.export / name).write_text(text, encoding="utf-8")
            said = second_opinion(text, self.options.limit) if self.options.second else None
            if said and "unknown" not in (said, answer.status) and said != answer.status:
                raise Disbelieved(f"{one.id}: one solver says {answer.status}, the other {said}")
        return answer

    def _against(self, one: Obligation, ground: Ground, wrong: Truth, seen: Callable[[Position], bool]) -> Finding:
        """Return that nothing is against a statement, or what is."""
        answer = self._ask(one, ground, wrong)
        if answer.status == "unknown":
            return Finding(UNKNOWN, answer.reason)
        if answer.status == "unsat":
            return self._spoken_of_something(one, ground)
        return Finding(REFUTED, "", self._believed(one, ground, answer, seen))

    def _spoken_of_something(self, one: Obligation, ground: Ground) -> Finding:
        """Return that a statement is proved, unless there is nothing that it is about."""
        answer = self._ask(one, ground)
        if answer.status == "sat":
            return Finding(PROVED)
        nothing = answer.status == "unsat"
        return Finding(UNKNOWN, "nothing is as it supposes" if nothing else f"is there any such: {answer.reason}")

    def _believed(
        self, one: Obligation, ground: Ground, answer: Answer, seen: Callable[[Position], bool]
    ) -> dict[str, Any]:
        """Return the position of an answer, once the interpreter has found in it what the solver says."""
        phase = one.position.phase if one.position else ""
        position = ground.position(answer.model, phase)
        doubted = [expression for expression in ground.assumed if not position.holds(expression)]
        if doubted or not seen(position):
            raise Disbelieved(f"{one.id}: the interpreter does not see {position.plain()}")
        return {"rules": named(self.choice), **position.plain()}

    # Statements -------------------------------------------------------------------------------------------------------

    def _claim(self, one: Obligation) -> Finding:
        ground = self._given(one, one.position)
        if one.acts:
            return self._claim_of_act(one, ground)
        show = self._shown(one, ground)
        holds = ground.translator.holds(show, ground.values, ground.env)
        return self._against(one, ground, ground.forms.no(holds), lambda position: not position.holds(show))

    def _shown(self, one: Obligation, ground: Ground) -> Expression:
        node = one.node.fields["show"]
        return ground.read(_text(node), node.place)

    def _reachable(self, one: Obligation) -> Finding:
        ground = self._given(one, one.position)
        if one.acts:
            found = self._claim_of_act(one, ground, holds=False)
            status = {PROVED: REFUTED, REFUTED: PROVED}.get(found.status, found.status)
            return replace(found, status=status)
        show = self._shown(one, ground)
        wanted = ground.translator.holds(show, ground.values, ground.env)
        answer = self._ask(one, ground, wanted)
        if answer.status != "sat":
            return Finding(REFUTED if answer.status == "unsat" else UNKNOWN, answer.reason)
        return Finding(PROVED, "", self._believed(one, ground, answer, lambda position: bool(position.holds(show))))

    def _claim_of_act(self, one: Obligation, ground: Ground, *, holds: bool = True) -> Finding:
        """Return whether something holds (or fails) after an act whenever it can be made."""
        action, run = self._done(ground, one.acts[0][0])
        show = self._shown(one, ground)
        after = ground.translator.holds(show, run.values, ground.env)
        wrong = ground.forms.no(after) if holds else after

        def seen(position: Position) -> bool:
            state = _acted(position, action)
            moved = replace(position, state=state)
            return bool(moved.holds(show)) != holds

        return self._against(one, ground, wrong, seen)

    # Acts -------------------------------------------------------------------------------------------------------------

    def _done(self, ground: Ground, name: str) -> tuple[Action, Run]:
        """Narrow a ground to where somebody makes an act, and return the state after it."""
        action = _action(ground, name)
        self._may(ground, action)
        return action, ground.runner().act(action, ground.values, ground.env)

    def _may(self, ground: Ground, action: Action) -> None:
        """Narrow a ground to where an act with unknown parameters is legal for an unknown seat."""
        t = ground.translator
        if "me" not in ground.env:
            ground.bind("me", ground.game.types["player"])
        ground.facts.append(t.member(ground.env["me"], t.expression(action.by, ground.values, {})))
        for parameter in action.parameters:
            domain = parameter.domain
            if parameter.id not in ground.env:
                ground.bind(parameter.id, parameter.type, self._unknown(ground, parameter))
            ground.facts.append(self._inside(ground, domain, ground.env[parameter.id]))
        ground.facts.append(t.holds(action.legal, ground.values, ground.env))
        ground.assumed.append(action.legal)

    def _unknown(self, ground: Ground, parameter: Parameter) -> Symbol | None:
        """Return what a parameter may be where its type does not say enough: a list of the data, the pack in order."""
        domain = parameter.domain
        if isinstance(domain.type, Orders):
            return ground.unknowns.order(parameter.id)
        if parameter.type != NUMBERS:
            return None
        values = ground.translator.expression(domain, ground.values, ground.env)
        made = ground.unknowns.of("which list", Int(0, len(values) - 1))
        options = ground.translator.symbols.options(made)
        return ground.translator.symbols.choice({values[place]: truth for place, truth in options.items()})

    def _inside(self, ground: Ground, domain: Expression, value: Symbol) -> Truth:
        """Return whether a parameter lies in its domain."""
        t, forms = ground.translator, ground.forms
        if isinstance(domain.type, Orders):
            cards = t.symbols.set(t.expression(domain.parts[0], ground.values, ground.env))
            return t.symbols.equal(t.symbols.set(value), cards)
        if isinstance(domain.type, Subsets):
            cards, low, high = (t.expression(part, ground.values, ground.env) for part in domain.parts)
            size = forms.linear((1, bit) for bit in t.symbols.set(value).bits)
            inside = forms.all(map(forms.implies, t.symbols.set(value).bits, t.symbols.set(cards).bits))
            return forms.all([inside, t.symbols.ordered("<=", low, size), t.symbols.ordered("<=", size, high)])
        return t.member(value, t.expression(domain, ground.values, ground.env))

    def _conserved(self, one: Obligation) -> Finding:
        for name, where in one.acts:
            ground = self._given(one, where)
            node = one.node.fields["of"]
            number = ground.read(_text(node), node.place)
            action, run = self._done(ground, name)
            t = ground.translator
            before, after = (t.expression(number, values, ground.env) for values in (ground.values, run.values))
            wrong = ground.forms.no(t.symbols.equal(before, after))

            def seen(position: Position, action: Action = action, number: Expression = number) -> bool:
                moved = replace(position, state=_acted(position, action))
                return bool(position.holds(number) != moved.holds(number))

            found = self._against(replace(one, position=where), ground, wrong, seen)
            if found.status != PROVED:
                return replace(found, reason=found.reason or f"the act {name} changes it")
        return Finding(PROVED)

    _zero_sum = _conserved

    def _require(self, one: Obligation) -> Finding:
        node = one.node.get("promises")
        kinds = {"require", "unique", "cards"} if node is None else {item.text for item in node.items}
        for name, where in one.acts:
            ground = self._given(one, where)
            crashes = ground.translator.crashes
            crashes.clear()
            action, _ = self._done(ground, name)
            broken = [crash for crash in crashes if crash.kind in kinds]
            crashes.clear()

            def seen(position: Position, action: Action = action) -> bool:
                return _crashes(position, action)

            found = self._against(replace(one, position=where), ground, ground.forms.any(c.when for c in broken), seen)
            if found.status != PROVED:
                return replace(found, reason=found.reason or f"the act {name} breaks a promise")
        return Finding(PROVED)

    def _never_empty(self, one: Obligation) -> Finding:
        name, where = one.acts[0]
        ground = self._given(one, where)
        action, t = _action(ground, name), ground.translator
        ground.bind("me", ground.game.types["player"])
        ground.facts.append(t.member(ground.env["me"], t.expression(action.by, ground.values, {})))
        some = ground.forms.any(self._accepted(ground, action, 0, dict(ground.env), True))

        def seen(position: Position) -> bool:
            legal = Machine(ground.game).legal(position.state, position.locals["me"])
            return name.replace("_", "-") not in legal

        return self._against(one, ground, ground.forms.no(some), seen)

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

    def _unique(self, one: Obligation) -> Finding:
        return self._each_table(one, lambda ground, truths: ground.forms.no(_at_most_one(ground, truths)))

    def _gap_free(self, one: Obligation) -> Finding:
        return self._each_table(one, lambda ground, truths: ground.forms.no(ground.forms.any(truths)))

    def _each_table(self, one: Obligation, wrong: Callable[[Ground, Sequence[Truth]], Truth]) -> Finding:
        """Return whether the rows of some tables never fire in a wrong way."""
        for table in self._tables(one, self.ground(one.position)):
            ground = self._given(one, one.position)
            rows = self._fired(ground, table)

            def seen(position: Position, table: Table = table) -> bool:
                tests = [row.when for row in table.rows if row.when is not None]
                fired = [bool(position.holds(test)) for test in tests]
                return sum(fired) != 1

            found = self._against(one, ground, wrong(ground, [truth for truth, _ in rows]), seen)
            if found.status != PROVED:
                return replace(found, reason=found.reason or f"the table {table.id}")
        return Finding(PROVED)

    def _fired(self, ground: Ground, table: Table) -> list[tuple[Truth, Any]]:
        """Return when each row of a table fires for unknown arguments, within what the table requires."""
        for argument in table.arguments:
            if argument.name not in ground.env:
                ground.bind(argument.name, argument.type)
        for condition in table.requires:
            ground.facts.append(ground.translator.holds(condition, ground.values, ground.env))
            ground.assumed.append(condition)
        return ground.translator.fired(table, ground.values, ground.env)

    def _dead_rows(self, one: Obligation) -> Finding:
        """Return that every row can fire but those that are said to be dead, which cannot."""
        dead = set(one.named("dead"))
        names = [item.text for item in one.texts("tables")]
        for table in self.ground(one.position).game.tables.values():
            if names and table.id not in names:
                continue
            ground = self._given(one, one.position)
            for truth, row in self._fired(ground, table):
                answer = self._ask(one, ground, truth)
                name = f"{table.id}/{row.id}"
                if answer.status == "unknown":
                    return Finding(UNKNOWN, f"{name}: {answer.reason}")
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
        less = ground.read(_text(node), node.place)
        for condition in one.texts("where"):
            ground.suppose(_text(condition), condition.place)
        t, forms, env = ground.translator, ground.forms, ground.env

        def below(a: str, b: str) -> Truth:
            return t.holds(less, ground.values, {**env, "one": env[a], "two": env[b]})

        same = t.symbols.equal(env["one"], env["two"])
        wrong = forms.any(
            [
                below("one", "one"),
                forms.both(below("one", "two"), below("two", "one")),
                forms.all([below("one", "two"), below("two", "three"), forms.no(below("one", "three"))]),
                forms.all([forms.no(same), forms.no(below("one", "two")), forms.no(below("two", "one"))]),
            ]
        )
        return self._against(one, ground, wrong, lambda _: True)

    # Other rules ------------------------------------------------------------------------------------------------------

    def other(self, ground: Ground, choice: Choice, mapped: Mapping[str, Node]) -> Ground:
        """Return other rules in the same state: variables of one name and type are one, others as mapped or unknown."""
        given: dict[str, Symbol] = {}
        for name, variable in rules(choice).state.items():
            here = ground.game.state.get(name)
            if name in mapped:
                given[name] = ground.say(_text(mapped[name]), mapped[name].place)
            elif here is not None and here.type == variable.type:
                given[name] = ground.values[name]
        made = Ground.of(choice, ground.forms, given)
        made.unknowns.facts = ground.unknowns.facts
        made.env, made.types, made.asker = ground.env, ground.types, ground.asker
        made.facts = ground.facts
        return made

    def _refines(self, one: Obligation) -> Finding:
        ground = self._given(one, one.position)
        show = self._shown(one, ground)
        other = self.other(ground, choose(one.node.string("against")), one.named("map"))
        node = one.node.fields["there"]
        there = other.read(_text(node), node.place)
        here = ground.translator.holds(show, ground.values, ground.env)
        beyond = other.translator.holds(there, other.values, other.env)

        def seen(position: Position) -> bool:
            return bool(position.holds(show)) and not other.position(position.assigned).holds(there)

        return self._against(one, ground, ground.forms.both(here, ground.forms.no(beyond)), seen)

    def _separates(self, one: Obligation) -> Finding:
        """Return whether there is a position in which two values of a reading make a difference."""
        key, values = one.node.string("key"), [item.text for item in one.texts("values")]
        ground = self._given(one, one.position)
        first, second = (with_readings(self.choice, {key: value}) for value in values)
        if self.choice != first:
            ground = self.other(ground, first, {})
        other = self.other(ground, second, {})
        shows = [self._shown(one, here) for here in (ground, other)]
        found = [g.translator.expression(e, g.values, g.env) for g, e in zip((ground, other), shows, strict=True)]
        answer = self._ask(one, ground, ground.forms.no(ground.translator.symbols.equal(*found)))
        if answer.status != "sat":
            return Finding(REFUTED if answer.status == "unsat" else UNKNOWN, answer.reason)
        positions = [here.position(answer.model) for here in (ground, other)]
        if positions[0].holds(shows[0]) == positions[1].holds(shows[1]):
            raise Disbelieved(f"{one.id}: the interpreter sees no difference in {positions[0].plain()}")
        return Finding(PROVED, "", {"rules": named(self.choice), **positions[0].plain()})

    # Numbers ----------------------------------------------------------------------------------------------------------

    def _maximum(self, one: Obligation) -> Finding:
        """Return whether a number can be as great as is said, and no greater."""
        ground = self._given(one, one.position)
        of, value = (one.node.fields[key] for key in ("of", "value"))
        number, most = ground.read(_text(of), of.place), ground.read(_text(value), value.place)
        t = ground.translator
        reached = t.expression(number, ground.values, ground.env)
        bound = t.expression(most, ground.values, ground.env)
        above = t.symbols.ordered(">", reached, bound)
        found = self._against(one, ground, above, lambda p: bool(p.holds(number) > p.holds(most)))
        if found.status != PROVED or one.node.get("relaxed") is not None:
            return found
        answer = self._ask(one, ground, t.symbols.equal(reached, bound))
        if answer.status != "sat":
            return Finding(REFUTED if answer.status == "unsat" else UNKNOWN, answer.reason or "it is never as great")
        seen = self._believed(one, ground, answer, lambda p: bool(p.holds(number) == p.holds(most)))
        return Finding(PROVED, "", seen)


def _at_most_one(ground: Ground, truths: Sequence[Truth]) -> Truth:
    return ground.forms.either(exactly_one(ground.forms, truths), ground.forms.no(ground.forms.any(truths)))


def _text(node: Node) -> str:
    return {True: "True", False: "False"}.get(node.value, node.text) if isinstance(node.value, bool) else node.text


def _action(ground: Ground, name: str) -> Action:
    if name not in ground.game.actions:
        raise Unknown("action", name, ground.game.actions)
    return ground.game.actions[name]


def _acted(position: Position, action: Action) -> State:
    """Return the state after an act, as the interpreter has it."""
    machine = Machine(position.ground.game)
    built = machine.actions[action.id]
    locals_ = [position.locals["me"], *(position.locals[parameter.id] for parameter in action.parameters)]
    built.promised(position.state.values, locals_)
    return machine.carried(position.state, built.do, locals_)


def _crashes(position: Position, action: Action) -> bool:
    """Say whether an act crashes the interpreter."""
    try:
        _acted(position, action)
    except Crash:
        return True
    return False


def named(choice: Choice) -> str:
    """Return the whole name of a choice: with the readings that are not those of its edition."""
    plain = dict(choose(str(choice)).readings)
    varied = [f"{key}={value}" for key, value in choice.readings if plain.get(key) != value]
    return f"{choice}[{','.join(varied)}]" if varied else str(choice)
