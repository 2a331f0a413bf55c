"""Replaying what a prover shows: the interpreter is set down in the position, and says what the rules make of it.

Nothing of the prover is used. The expressions of an obligation become figures of a `score` and the names that it gives
become variables, so that the interpreter reads and evaluates them as it does those of any rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from brou import Crash, Machine, Refusal, State, choose, rules
from brou.errors import BadAct
from brou.games.catalogue import patch_rules
from brou.games.data import read_obligations
from brou.games.folder import root
from brou.language.codec import outside, read
from brou.language.load import load_rules
from brou.language.source import parse_yaml
from brou.language.types import cards_of

#: An obligation or a kind of positions, as the file has it.
Written = Mapping[str, Any]


def written(game: str) -> Written:
    """Return the file of obligations of a game."""
    found: Any = read_obligations(game, root())
    return dict(found.plain())


def listed(value: Any) -> list[Any]:
    """Return one or several as a list."""
    return value if isinstance(value, list) else [] if value is None else [value]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a prover shows for an obligation: a position, or the start of a match where it shows none."""

    one: Written
    kinds: Mapping[str, Written]
    #: The name of the rules, and the position with what the names of the obligation stand for in it.
    named: str
    witness: Mapping[str, Any] | None = None

    def confirmed(self) -> bool:
        """Say whether the interpreter sees in it what refutes the obligation, or what proves it by an example."""
        try:
            return bool(getattr(self, f"_{self.one['kind']}")())
        except BadAct:  # a value that its type does not have
            return False

    # What is so in a position -----------------------------------------------------------------------------------------

    @property
    def _machine(self) -> Machine:
        return Machine(rules(self.named))

    @property
    def _state(self) -> State:
        """Return the position as a state of the rules."""
        if self.witness is None:
            return self._machine.begin()
        game, said = self._machine.game, self.witness["state"]
        values = [
            read(variable.type, said[name], game.deck) if name in said else variable.default
            for name, variable in game.state.items()
        ]
        return State(self.witness["phase"], tuple(values))

    @property
    def _given(self) -> Mapping[str, Any]:
        return {} if self.witness is None else self.witness["given"]

    def _types(self) -> dict[str, str]:
        """Return the types of the names that the obligation gives."""
        compared = {name: self.one["among"] for name in ("one", "two", "three") if "among" in self.one}
        return {**self.one.get("given", {}), **compared}

    def _figures(
        self, asked: Sequence[Any], state: State, given: Mapping[str, Any] | None = None, named: str = ""
    ) -> list[Any] | None:
        """Return what expressions are in a state, under other rules if they are named; None where that crashes."""
        given = self._given if given is None else given
        plain: Any = patch_rules(choose(named or self.named)).plain()
        names = {name: _variable(type_, given[name]) for name, type_ in self._types().items()}
        plain["state"] = {**plain["state"], **({"asked": names} if names else {})}
        plain["score"] = {f"it{number}": text for number, text in enumerate(asked)}
        game = load_rules(parse_yaml(json.dumps(plain), "replayed.yaml"))
        here = dict(zip(self._machine.game.state, state.values, strict=True))
        values = [
            here[name] if name in here else read(variable.type, given[name], game.deck)
            for name, variable in game.state.items()
        ]
        try:
            return list(Machine(game).score(State(state.phase, tuple(values))).values())
        except Crash:
            return None

    def _all(self, asked: Sequence[Any], state: State) -> bool:
        """Say whether all of some conditions hold and can be told."""
        found = self._figures(asked, state)
        return found is not None and all(found)

    def _fits(self, name: str, state: State) -> bool:
        """Say whether a state is a position of a kind."""
        kind, machine = self.kinds[name], self._machine
        fresh = all(machine.get(state, one) == machine.game.state[one].default for one in kind.get("untouched", ()))
        whole = not kind.get("whole_pack") or sorted(_cards(machine, state)) == sorted(machine.game.deck.cards)
        short = [f"len({pile}) <= {most}" for pile, most in kind.get("longest", {}).items()]
        fixed = [f"{name} == {value}" for name, value in kind.get("fixed", {}).items()]
        said = [*short, *fixed, *kind.get("where", ())]
        return state.phase == kind["phase"] and fresh and whole and self._all(said, state)

    def _supposed(self) -> bool:
        """Say whether the position is one that the obligation is about."""
        return self._all(listed(self.one.get("where")), self._state) and (
            "position" not in self.one or self._fits(self.one["position"], self._state)
        )

    def _acts(self, names: Iterator[str] | Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the acts among some that the names of the position are parameters of."""
        actions = self._machine.game.actions
        for name in names:
            keys = [parameter.id for parameter in actions[name].parameters]
            if "me" in self._given and all(key in self._given for key in keys):
                parts = {outside(key): self._given[key] for key in keys}
                value = True if not parts else next(iter(parts.values())) if len(parts) == 1 else parts
                yield name, {outside(name): value}

    def _made(self, act: Mapping[str, Any]) -> State | None:
        """Return the state after an act of the one who acts; None where it is refused."""
        found = self._machine.act(self._state, self._given["me"], act)
        return None if isinstance(found, Refusal) else found

    # Kinds ------------------------------------------------------------------------------------------------------------

    def _claim(self) -> bool:
        if not self._supposed():
            return False
        if "act" not in self.one:
            return self._figures([self.one["show"]], self._state) == [False]
        after = [self._made(act) for _, act in self._acts([self.one["act"]])]
        return any(state is not None and self._figures([self.one["show"]], state) == [False] for state in after)

    def _conserved(self) -> bool:
        states = [self._made(act) for _, act in self._acts(list(self.one["acts"]))]
        before = self._figures([self.one["of"]], self._state)
        return any(state is not None and self._figures([self.one["of"]], state) != before for state in states)

    def _require(self) -> bool:
        return any(self._crashes(act) for _, act in self._acts(list(self.one["acts"])))

    def _crashes(self, act: Mapping[str, Any]) -> bool:
        try:
            self._made(act)
        except Crash:
            return True
        return False

    def _never_empty(self) -> bool:
        machine, name, me = self._machine, self.one["act"], self._given["me"]
        action: Any = patch_rules(choose(self.named)).fields["actions"].fields[name].plain()
        who = self._figures([action["by"]["who"]], self._state)
        return who is not None and me in who[0] and outside(name) not in machine.legal(self._state, me)

    def _invariant(self) -> bool:
        """Say whether the start, or what an act makes of a position of the kind that it is made in, is none."""
        name = self.one["position"]
        phase, state = self.kinds[name]["phase"], self._state
        if self.witness is None:
            return state.phase == phase and not self._fits(name, state)
        for id_, act in self._acts(self._machine.game.phases[state.phase].actions):
            made_in = self.one.get("acts", {}).get(id_, name if state.phase == phase else "")
            after = self._made(act) if not made_in or self._fits(made_in, state) else None
            if after is not None and after.phase == phase and not self._fits(name, after):
                return True
        return False

    def _unique(self) -> bool:
        found = self._machine.game.tables
        unique = [name for name, table in found.items() if table.policy == "unique" and not table.arguments]
        return self._supposed() and any(sum(self._fired(name)) != 1 for name in self.one.get("tables", unique))

    _gap_free = _unique

    def _fired(self, name: str) -> list[bool]:
        """Return for each row of a table that has a condition whether it holds."""
        table: Any = patch_rules(choose(self.named)).fields["tables"].fields[name].plain()
        found = self._figures([row["when"] for row in table["rows"] if "when" in row], self._state)
        assert found is not None
        return found

    def _order_matters(self) -> bool:
        """Say whether two rows of which that is not said hold at once, say something else, and none above them does."""
        for name, said in self.one["pairs"].items():
            table: Any = patch_rules(choose(self.named)).fields["tables"].fields[name].plain()
            held = self._fired(name)
            for above, below in combinations(range(len(held)), 2):
                one, two = table["rows"][above], table["rows"][below]
                both = held[above] and held[below] and not any(held[:above])
                if both and one["then"] != two["then"] and [one["id"], two["id"]] not in said:
                    return True
        return False

    def _order(self) -> bool:
        """Say whether three values show that a relation is no strict and total order."""
        names = ("one", "two", "three")

        def below(a: str, b: str) -> bool:
            given = {**self._given, "one": self._given[a], "two": self._given[b]}
            return self._figures([self.one["less"]], self._state, given) == [True]

        if any(below(a, a) for a in names):
            return True
        pairs = [(a, b) for a, b in product(names, names) if self._given[a] != self._given[b]]
        if any(below(a, b) == below(b, a) for a, b in pairs):
            return True
        return any(below(a, b) and below(b, c) and not below(a, c) for a, b in pairs for c in names)

    def _refines(self) -> bool:
        there = self._figures([self.one["there"]], self._state, named=self.one["against"])
        return self._supposed() and self._all([self.one["show"]], self._state) and there == [False]

    def _separates(self) -> bool:
        shows, key = [self.one["show"]], self.one["key"]
        name = str(choose(self.named))
        first, second = (self._figures(shows, self._state, named=f"{name}[{key}={one}]") for one in self.one["values"])
        return first != second


def _variable(type_: str, value: Any) -> dict[str, Any]:
    """Return a variable of a type, which has a first value where the type has none."""
    plain = isinstance(value, (int, str)) and not type_.endswith("?")
    return {"type": type_, **({"init": value} if plain else {})}


def _cards(machine: Machine, state: State) -> Iterator[str]:
    """Yield the cards that lie in all zones."""
    for name, variable in machine.game.state.items():
        if variable.zone:
            yield from cards_of(machine.get(state, name))
