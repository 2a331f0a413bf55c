"""Proving: each kind of obligation as questions to a solver.

A statement is proved when the solver finds nothing against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import assert_never

from brou import Action, Choice, Expression, Machine, Node, Unknown, choose, rules, with_readings
from brou.language.types import Array, Int, Named, Type, as_number, inner
from brou_tools.smt.asking import (
    PROVED,
    REFUTED,
    UNKNOWN,
    Asking,
    Disbelieved,
    ObligationResult,
    action_of,
    crashes,
    make_act,
    name_choice,
    play_act,
    read_shown,
    text_of,
    vain,
)
from brou_tools.smt.casing import prove_cases
from brou_tools.smt.formula import Formula, Truth
from brou_tools.smt.ground import ProofContext, SolvedPosition
from brou_tools.smt.keeping import prove_invariant
from brou_tools.smt.obligations import Obligation
from brou_tools.smt.overlapping import prove_order_matters
from brou_tools.smt.rows import prove_dead_rows, prove_gap_free, prove_unique
from brou_tools.smt.solve import Answer, plain
from brou_tools.smt.symbols import Symbol, Untranslatable

#: So many values of a name are asked about one after the other, and no more.
_FEW = 100


def prove_obligation(asking: Asking, one: Obligation) -> ObligationResult:
    """Return the result of an obligation, the same after any other obligations.

    It asks about each value of the names that a statement takes apart, up to the first for which it is not proved.
    """
    asking.begin()
    found = vain("nothing is asked")
    for pinned in _list_values(asking, one):
        found = _prove_one(asking, replace(one, pinned=pinned))
        if found.status != PROVED:
            break
    return found


def _list_values(asking: Asking, one: Obligation) -> Iterator[dict[str, int]]:
    """Yield each choice of values for the names and variables that a statement takes apart."""
    names = [node.text for node in one.texts("apart")]
    for values in product(*(_few_values(asking, one, name) for name in names)):
        yield dict(zip(names, values, strict=True))


def _few_values(asking: Asking, one: Obligation, name: str) -> range:
    """Return all values of a name under `given` or of a variable, as the formulas have them."""
    ground = asking.ground(None)
    node = one.get_named("given").get(name)
    if node is not None:
        type_ = ground.words.type(node.text, node.place)
    elif name in ground.game.state:
        type_ = ground.game.state[name].type
    else:
        raise Unknown("name to take apart", name, [*one.get_named("given"), *ground.game.state])
    if isinstance(type_, Named):
        return range(len(type_.members))
    if isinstance(type_, Int) and type_.high - type_.low < _FEW:
        return range(type_.low, type_.high + 1)
    raise Untranslatable(f"{name} has too many values to take them apart")


def _prove_one(asking: Asking, one: Obligation) -> ObligationResult:  # noqa: PLR0912 - one method a kind
    """Return the result of an obligation of one value of each name that it takes apart."""
    match one.kind:
        case "cases":
            return prove_cases(asking, one)
        case "claim":
            return _prove_claim(asking, one)
        case "reachable":
            return _prove_reachable(asking, one)
        case "conserved" | "zero_sum":
            return _prove_conserved(asking, one)
        case "require":
            return _prove_require(asking, one)
        case "never_empty":
            return _prove_never_empty(asking, one)
        case "unique":
            return prove_unique(asking, one)
        case "gap_free":
            return prove_gap_free(asking, one)
        case "dead_rows":
            return prove_dead_rows(asking, one)
        case "order":
            return _prove_order(asking, one)
        case "order_matters":
            return prove_order_matters(asking, one)
        case "refines":
            return _prove_refines(asking, one)
        case "separates":
            return _prove_separates(asking, one)
        case "maximum":
            return _prove_maximum(asking, one)
        case "invariant":
            return prove_invariant(asking, one)
        case _:
            assert_never(one.kind)


# Statements -------------------------------------------------------------------------------------------------------


def _prove_claim(asking: Asking, one: Obligation) -> ObligationResult:
    ground = asking.prepare(one, one.position)
    if one.acts:
        return _prove_claim_of_act(asking, one, ground)
    show = read_shown(one, ground)
    holds = ground.tell(show)
    return asking.refute(one, ground, ground.forms.no(holds), lambda position: not position.holds(show))


def _prove_reachable(asking: Asking, one: Obligation) -> ObligationResult:
    ground = asking.prepare(one, one.position)
    if one.acts:
        found = _prove_claim_of_act(asking, one, ground, holds=False)
        # Something can be after the act exactly if it does not always fail after it; what is unknown stays so.
        status = {PROVED: REFUTED, REFUTED: PROVED}.get(found.status, found.status)
        return replace(found, status=status)
    show = read_shown(one, ground)
    answer = asking.ask(one, ground, ground.tell(show))
    if answer.status != "sat":
        return _refute_nothing(asking, one, ground, answer)
    return ObligationResult(PROVED, "", asking.replay(one, ground, answer, lambda position: bool(position.holds(show))))


def _refute_nothing(asking: Asking, one: Obligation, ground: ProofContext, answer: Answer) -> ObligationResult:
    """Return that something never is, or why that is not known; there has to be something where it could be."""
    if answer.status != "unsat":
        return ObligationResult(UNKNOWN, answer.reason)
    # That nothing was found says something only if there is a position at all in which to look.
    found = asking.check_not_vacuous(one, ground)
    return ObligationResult(REFUTED) if found.status == PROVED else found


def _prove_claim_of_act(
    asking: Asking, one: Obligation, ground: ProofContext, *, holds: bool = True
) -> ObligationResult:
    """Return whether something holds (or fails) after an act whenever it can be made."""
    action, run = make_act(ground, one.acts[0][0])
    show = read_shown(one, ground)
    after = ground.tell(show, run.values)
    wrong = ground.forms.no(after) if holds else after

    def confirm(position: SolvedPosition) -> bool:
        state = play_act(position, action)
        moved = replace(position, state=state)
        return bool(moved.holds(show)) != holds

    return asking.refute(one, ground, wrong, confirm)


# Acts -------------------------------------------------------------------------------------------------------------


def _prove_conserved(asking: Asking, one: Obligation) -> ObligationResult:
    if not one.acts:
        return vain("there is no act")
    for name, where in one.acts:
        ground = asking.prepare(one, where)
        node = one.node.fields["of"]
        number = ground.read(text_of(node), node.place)
        action, run = make_act(ground, name)
        before, after = (ground.tell(number, values) for values in (ground.values, run.values))
        wrong = ground.forms.no(ground.translator.symbols.equal(before, after))

        def confirm(position: SolvedPosition, action: Action = action, number: Expression = number) -> bool:
            moved = replace(position, state=play_act(position, action))
            return bool(position.holds(number) != moved.holds(number))

        found = asking.refute(replace(one, position=where), ground, wrong, confirm)
        if found.status != PROVED:
            return replace(found, reason=found.reason or f"the act {name} changes it")
    return ObligationResult(PROVED)


def _prove_require(asking: Asking, one: Obligation) -> ObligationResult:
    node = one.node.get("promises")
    kinds = {"require", "unique", "cards"} if node is None else {item.text for item in node.items}
    if not one.acts:
        return vain("there is no act")
    for name, where in one.acts:
        allowed = asking.check_allowed(one, asking.prepare(one, where), name)
        if allowed.status != PROVED:
            return allowed
        ground = asking.prepare(one, where)
        action, _ = make_act(ground, name)
        # Translating the act has noted every place at which it would crash; a promise is kept if none of these
        # conditions can be met.
        broken = [crash for crash in ground.broken if crash.kind in kinds]

        def confirm(position: SolvedPosition, action: Action = action) -> bool:
            return crashes(position, action)

        found = asking.refute(replace(one, position=where), ground, ground.forms.any(c.when for c in broken), confirm)
        if found.status != PROVED:
            return replace(found, reason=found.reason or f"the act {name} breaks a promise")
    return ObligationResult(PROVED)


def _prove_never_empty(asking: Asking, one: Obligation) -> ObligationResult:
    name, where = one.acts[0]
    ground = asking.prepare(one, where)
    action = action_of(ground, name)
    ground.bind("me", ground.game.types["player"])
    ground.facts.append(ground.translator.symbols.member(ground.env["me"], ground.tell(action.by, env={})))
    with ground.telling():
        some = ground.forms.any(_accept(ground, action, 0, dict(ground.env), True))

    def confirm(position: SolvedPosition) -> bool:
        legal = Machine(ground.game).legal(position.state, position.locals["me"])
        return name.replace("_", "-") not in legal

    return asking.refute(one, ground, ground.forms.no(some), confirm)


def _accept(ground: ProofContext, action: Action, number: int, env: dict[str, Symbol], when: Truth) -> Iterator[Truth]:
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
        yield from _accept(ground, action, number + 1, {**env, parameter.id: value}, whole)


# Tables -----------------------------------------------------------------------------------------------------------


def _prove_order(asking: Asking, one: Obligation) -> ObligationResult:
    """Return whether a relation is a strict order in which any two different values stand one above the other."""
    ground = asking.ground(one.position)
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
    # Reflexive, symmetric, not transitive, or without an order between two different values: each way to be no strict
    # order, for three values that may be any.
    wrong = forms.any(
        [
            below("one", "one"),
            forms.both(below("one", "two"), below("two", "one")),
            forms.all([below("one", "two"), below("two", "three"), forms.no(below("one", "three"))]),
            forms.all([forms.no(same), forms.no(below("one", "two")), forms.no(below("two", "one"))]),
        ]
    )

    def confirm(position: SolvedPosition) -> bool:
        def under(a: str, b: str) -> bool:
            names = {**position.locals, "one": position.locals[a], "two": position.locals[b]}
            return bool(replace(position, locals=names).holds(less))

        apart = position.locals["one"] != position.locals["two"]
        lost = apart and not under("one", "two") and not under("two", "one")
        skips = under("one", "two") and under("two", "three") and not under("one", "three")
        both = under("one", "two") and under("two", "one")
        return under("one", "one") or both or skips or lost

    return asking.refute(one, ground, wrong, confirm)


# Other rules ------------------------------------------------------------------------------------------------------


def join_rules(ground: ProofContext, choice: Choice, mapped: Mapping[str, Node]) -> ProofContext:
    """Return other rules in the same state: variables of one name and type are one, others as mapped or unknown."""
    given: dict[str, Symbol] = {}
    for name, variable in rules(choice).state.items():
        here = ground.game.state.get(name)
        if name in mapped:
            expression = ground.read(text_of(mapped[name]), mapped[name].place)
            _check_members(expression.type, variable.type, f"{name} of {choice}")
            given[name] = ground.tell(expression)
        elif here is not None and here.type == variable.type:
            given[name] = ground.values[name]
    if rules(choice).deck.cards != ground.game.deck.cards:
        raise Untranslatable(f"{choice} has other cards")
    made = ProofContext.around(choice, rules(choice), ground.forms, given, f" of {name_choice(choice)}")
    made.unknowns.facts = ground.unknowns.facts
    made.env, made.types, made.asker = ground.env, ground.types, ground.asker
    made.facts = ground.facts
    return made


def _prove_refines(asking: Asking, one: Obligation) -> ObligationResult:
    ground = asking.prepare(one, one.position)
    show = read_shown(one, ground)
    other = join_rules(ground, choose(one.node.string("against"), asking.choice.project), one.get_named("map"))
    node = one.node.fields["there"]
    there = other.read(text_of(node), node.place)
    here, beyond = ground.tell(show), other.tell(there)
    # Where the other rules crash there is no value to compare with. It matters only where the first statement holds.
    ground.untold += [ground.forms.both(here, crash) for crash in other.untold]

    def confirm(position: SolvedPosition) -> bool:
        return bool(position.holds(show)) and not other.position(position.assigned).holds(there)

    return asking.refute(one, ground, ground.forms.both(here, ground.forms.no(beyond)), confirm)


def _prove_separates(asking: Asking, one: Obligation) -> ObligationResult:
    """Return whether there is a position in which two values of a reading make a difference."""
    key, values = one.node.string("key"), [item.text for item in one.texts("values")]
    ground = asking.prepare(one, one.position)
    first, second = (with_readings(asking.choice, {key: value}) for value in values)
    if asking.choice != first:
        ground = join_rules(ground, first, {})
    other = join_rules(ground, second, {})
    shows = [read_shown(one, here) for here in (ground, other)]
    _check_members(shows[0].type, shows[1].type, one.id)
    found = [here.tell(show) for here, show in zip((ground, other), shows, strict=True)]
    ground.untold += other.untold
    answer = asking.ask(one, ground, ground.forms.no(ground.translator.symbols.equal(*found)))
    if answer.status != "sat":
        return _refute_nothing(asking, one, ground, answer)
    positions = [here.position(answer.model) for here in (ground, other)]
    if positions[0].holds(shows[0]) == positions[1].holds(shows[1]):
        raise Disbelieved(f"{one.id}: the interpreter sees no difference in {positions[0].plain()}")
    return ObligationResult(PROVED, "", {"rules": name_choice(asking.choice), **positions[0].plain()})


# Numbers ----------------------------------------------------------------------------------------------------------


def _prove_maximum(asking: Asking, one: Obligation) -> ObligationResult:
    """Return whether the maximum of a number is the stated one."""
    ground = asking.prepare(one, one.position)
    of, value = (one.node.fields[key] for key in ("of", "value"))
    number, most = ground.read(text_of(of), of.place), ground.read(text_of(value), value.place)
    t = ground.translator
    reached, bound = ground.tell(number), ground.tell(most)
    if one.slow and isinstance(bound, int) and isinstance(reached, Formula) and plain([*ground.facts, reached]):
        return _prove_optimum(asking, one, ground, reached, bound, lambda p: bool(p.holds(number) == p.holds(most)))
    above = t.symbols.compare_order(">", reached, bound)
    found = asking.refute(one, ground, above, lambda p: as_number(p.holds(number)) > as_number(p.holds(most)))
    if found.status != PROVED or one.node.get("relaxed") is not None:
        return found
    answer = asking.ask(one, ground, t.symbols.equal(reached, bound))
    if answer.status != "sat":
        return ObligationResult(
            REFUTED if answer.status == "unsat" else UNKNOWN, answer.reason or "it is never as great"
        )
    seen = asking.replay(one, ground, answer, lambda p: bool(p.holds(number) == p.holds(most)))
    return ObligationResult(PROVED, "", seen)


def _prove_optimum(
    asking: Asking,
    one: Obligation,
    ground: ProofContext,
    reached: Formula,
    bound: int,
    seen: Callable[[SolvedPosition], bool],
) -> ObligationResult:
    """Return whether the maximum of a number is the stated one, by optimisation."""
    facts = ground.unknowns.facts
    answer = ground.asker.greatest(facts, ground.facts, reached, asking.options.limit)
    asking.steps = max(asking.steps, answer.steps)
    if answer.status != "sat" or answer.best is None:
        return ObligationResult(UNKNOWN, answer.reason or "nothing is as it supposes")
    if answer.best != bound:
        return ObligationResult(REFUTED, f"the greatest is {answer.best}")
    witness = asking.replay(one, ground, answer, seen)
    told = asking.check_defined(one, ground)
    return replace(told, witness=witness) if told.status == PROVED else told


def _check_members(one: Type, two: Type, what: str) -> None:
    """Raise where values of two rules are to be one and members of the same place have other names."""
    one, two = inner(one), inner(two)
    if isinstance(one, Array) and isinstance(two, Array):
        _check_members(one.element, two.element, what)
    elif isinstance(one, Named) and isinstance(two, Named) and one != two:
        raise Untranslatable(f"{what}: {one} and {two} have other members")
