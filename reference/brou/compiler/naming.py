"""Every local of a routine, an act or a stage has a name of its own: no binding hides another one.

Terms are shared by whole programs, so names are given last, when a routine, an act or a stage is made. A term that
stands in two places of one routine stays one term.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from brou.compiler import lowered
from brou.compiler.term_builder import TermBuilder
from brou.dataclass import replace

#: What stands behind a name that was taken.
_NUMBERED = re.compile(r"_\d*\Z")

#: What locals that were renamed are called now.
Names = Mapping[str, str]


def name_routine(terms: TermBuilder, routine: lowered.Routine) -> lowered.Routine:
    """Return a routine in which every name is bound once."""
    naming = Naming(terms, (name for name, _ in routine.arguments))
    return replace(routine, body=naming.term(routine.body))


def name_act(terms: TermBuilder, act: lowered.CoreAct) -> lowered.CoreAct:
    """Return an act in which every name is bound once."""
    naming = Naming(terms, act.locals)
    return replace(
        act,
        by=naming.term(act.by),
        choosing=tuple(map(naming.choosing, act.choosing)),
        legal=naming.term(act.legal),
        offers=tuple(map(naming.level, act.offers)),
        do=naming.steps(act.do),
    )


class Naming:
    """Gives names to the bound locals of one routine, act or stage; names that are `taken` stay as they are."""

    def __init__(self, terms: TermBuilder, taken: Iterable[str] = ()) -> None:
        self.terms = terms
        self._taken = set(taken)
        self._done: dict[tuple[lowered.Term, Sequence[tuple[str, str]]], lowered.Term] = {}
        self._bound: dict[object, str] = {}

    def term(self, term: lowered.Term, names: Names | None = None) -> lowered.Term:
        """Return a term that binds names of its own, its free locals called as `names` says."""
        renamed = names or {}
        free = tuple(sorted((name, renamed[name]) for name in term.free if name in renamed))
        key = (term, free)
        if key not in self._done:
            self._done[key] = self._rename(term, dict(free))
        return self._done[key]

    def _rename(self, term: lowered.Term, names: Names) -> lowered.Term:
        name, bound, inside = term.name, term.bound, names
        if term.op == "local":
            name = names.get(name, name)
        if bound:
            # Computed alike, whatever is known of its kind: so it is called alike.
            like = (term.op, term.name, term.bound, term.value, term.parts, tuple(sorted(names.items())))
            if like not in self._bound:
                self._bound[like] = self._fresh(bound)
            bound = self._bound[like]
            inside = {**names, term.bound: bound}
        parts = [self.term(part, inside if _bindable(term, place) else names) for place, part in enumerate(term.parts)]
        return self.terms.make(
            term.op, term.kind, *parts, name=name, bound=bound, value=term.value, total=term.total,
            needs=frozenset(self.term(needed, names) for needed in term.needs),
        )  # fmt: skip

    def _fresh(self, name: str) -> str:
        """Return a name that nothing else has here."""
        number, found, stem = 1, name, _NUMBERED.sub("", name)
        while found in self._taken:
            number += 1
            found = f"{stem}_{number}"
        self._taken.add(found)
        return found

    def choosing(self, item: lowered.ActParameter) -> lowered.ActParameter:
        """Return a parameter whose domain and bounds bind names of their own."""
        domain = None if item.domain is None else self.term(item.domain)
        return replace(item, domain=domain, bounds=tuple(map(self.term, item.bounds)))

    def level(self, level: lowered.LoopLevel) -> lowered.LoopLevel:
        """Return a level whose domain and guards bind names of their own."""
        domain = None if level.domain is None else self.term(level.domain)
        return replace(level, domain=domain, guards=tuple(map(self.term, level.guards)))

    def steps(self, steps: Sequence[lowered.Step], names: Names | None = None) -> tuple[lowered.Step, ...]:
        """Return steps that bind names of their own; a `let` is in sight of the steps behind it."""
        made: list[lowered.Step] = []
        renamed = dict(names or {})
        for step in steps:
            named = self._step(step, renamed)
            if step.op == "let":
                renamed[step.name] = named.name
            made.append(named)
        return tuple(made)

    def _step(self, step: lowered.Step, names: Names) -> lowered.Step:
        index, value = (None if term is None else self.term(term, names) for term in (step.index, step.value))
        name = self._fresh(step.name) if step.op in ("let", "loop") else step.name
        body = self.steps(step.body, {**names, step.name: name})
        cases = tuple(
            (None if test is None else self.term(test, names), self.steps(inner, names)) for test, inner in step.cases
        )
        return replace(step, name=name, index=index, value=value, body=body, cases=cases)

    def keys(self, keys: Sequence[lowered.ShownKey], names: Names | None = None) -> tuple[lowered.ShownKey, ...]:
        """Return keys under which nothing that is shown binds a name twice."""
        return tuple(replace(key, shown=self._rename_shown(key.shown, names or {})) for key in keys)

    def _rename_shown(self, shown: lowered.Shown, names: Names) -> lowered.Shown:
        match shown:
            case lowered.ShownValue():
                return replace(shown, value=self.term(shown.value, names))
            case lowered.ShownRecord():
                return replace(shown, keys=self.keys(shown.keys, names))
            case lowered.ShownOptional() | lowered.Withheld():
                condition = self.term(shown.condition, names)
                return replace(shown, condition=condition, inner=self._rename_shown(shown.inner, names))
            case lowered.ShownList():
                domain, local = self.term(shown.domain, names), self._fresh(shown.local)
                inside = {**names, shown.local: local}
                condition = self.term(shown.condition, inside)
                return lowered.ShownList(local, domain, condition, self._rename_shown(shown.inner, inside), shown.flat)
            case _:
                assert_never(shown)


def _bindable(term: lowered.Term, place: int) -> bool:
    """Say whether the local that a term binds is in sight of one of its parts."""
    return place == 1 if term.op == "let" else place in (1, 2)
