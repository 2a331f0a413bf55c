"""Changes of moments: an effect once more elsewhere, or for the other side too, or not undone by a reset."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from brou.dataclass import dataclass, field, replace
from brou.games.change import EFFECT_KEYS, Change, Edit, choose_records, locate_branch
from brou.interpreter.varied import Record
from brou.language.effects import (
    Add,
    Assign,
    Cases,
    Effect,
    For,
    Let,
    Reset,
    Target,
    gotos,
    name_effect,
    walk_effects,
)
from brou.language.node import Plain
from brou.language.syntax import Game, Variable
from brou.language.tree import Arithmetic, BuiltinCall, Index, Literal, LocalUse, VariableUse, walk
from brou.language.types import Int, Named
from brou.language.unparse import unparse_expression

#: What the local is called that keeps a value while its scope is reset, and effects that stand in two places.
_KEPT, _AGAIN = "kept_{}", "{}-again"
_NOUGHT = Literal(Int(), 0, "0")


@dataclass(frozen=True, slots=True)
class _EffectSite:
    """An effect of a record, its address and clause, and what the whole list becomes with others in its place."""

    effect: Effect
    at: tuple[str, ...]
    clause: str
    put: Callable[[tuple[Effect, ...]], tuple[Effect, ...]] = field(compare=False)

    def edit(self, operator: str, after: str, beside: tuple[tuple[str, Plain], ...], *made: Effect) -> _BodyEdit:
        """Return the change that some effects stand here, this one among them."""
        told = (operator, self.clause, self.at, self.effect.id, after, None)
        return Edit(*told, self.put(made), name_effect(self.effect), beside=beside)


_BodyEdit = Edit[tuple[Effect, ...]]


def add_effects(game: Game, within: Collection[Record] | None = None) -> Iterator[Change]:
    """Yield the changes by which an effect takes place once more elsewhere, or a reset leaves a variable as it is."""
    plain = list(_list_plain(game))
    for action in choose_records("actions", game.actions.values(), within):
        for edit in _edit_body(game, action.do, ("actions", action.id, "do"), action.clause, plain):
            yield edit.within(("actions", action.id), replace(action, do=edit.made))
    for phase in choose_records("phases", game.phases.values(), within):
        for edit in _edit_body(game, phase.do, ("phases", phase.id, "do"), phase.clause, plain):
            yield edit.within(("phases", phase.id), replace(phase, do=edit.made))


def _edit_body(
    game: Game, body: tuple[Effect, ...], at: tuple[str, ...], clause: str, plain: list[Assign | Add]
) -> Iterator[_BodyEdit]:
    for site in _list_sites(body, at, clause, lambda made: made):
        if isinstance(site.effect, Reset):
            yield from (_keep(site, site.effect, variable) for variable in _list_reset(game, site.effect))
        elif isinstance(site.effect, Add):
            yield from _mirror(site, site.effect)
    if body:
        inside = set(walk_effects(body))
        for effect in plain:
            if effect not in inside:
                yield from _do_again(body, at, clause, effect)


def _list_sites(
    body: tuple[Effect, ...],
    at: tuple[str, ...],
    clause: str,
    put: Callable[[tuple[Effect, ...]], tuple[Effect, ...]],
) -> Iterator[_EffectSite]:
    """Yield some effects and all inside them, each with its place."""
    for number, effect in enumerate(body):
        here, own = (*at, effect.id), effect.clause or clause

        def among(made: tuple[Effect, ...], number: int = number) -> tuple[Effect, ...]:
            return put((*body[:number], *made, *body[number + 1 :]))

        yield _EffectSite(effect, here, own, among)
        if isinstance(effect, For):

            def repeat(
                made: tuple[Effect, ...],
                effect: For = effect,
                among: Callable[[tuple[Effect, ...]], tuple[Effect, ...]] = among,
            ) -> tuple[Effect, ...]:
                return among((replace(effect, body=made),))

            yield from _list_sites(effect.body, (*here, "do"), own, repeat)
        elif isinstance(effect, Cases):
            for branch_number, branch in enumerate(effect.cases):

                def into(
                    made: tuple[Effect, ...],
                    effect: Cases = effect,
                    number: int = branch_number,
                    among: Callable[[tuple[Effect, ...]], tuple[Effect, ...]] = among,
                ) -> tuple[Effect, ...]:
                    cases = (
                        *effect.cases[:number],
                        replace(effect.cases[number], body=made),
                        *effect.cases[number + 1 :],
                    )
                    return among((replace(effect, cases=cases),))

                place = locate_branch(effect, branch_number, here)
                yield from _list_sites(branch.body, place.body, branch.clause or own, into)


# Kept state ---------------------------------------------------------------------------------


def _list_reset(game: Game, effect: Reset) -> Iterator[Variable]:
    """Yield the variables that a reset sets back."""
    inside = game.scopes[game.scopes.index(effect.scope) :] if effect.scope in game.scopes else (effect.scope,)
    yield from (variable for variable in game.state.values() if variable.scope in inside)


def _keep(site: _EffectSite, effect: Reset, variable: Variable) -> _BodyEdit:
    """Return the change that a variable is as it was before a reset."""
    name, use = _KEPT.format(variable.id), VariableUse(variable.type, variable.id)
    kept = Let(id=f"let-{name}", clause=site.clause, place=effect.place, name=name, value=use)
    target, value = Target(use, variable.id, ()), LocalUse(variable.type, name)
    put = Assign(id=f"set-{variable.id}", clause=site.clause, place=effect.place, target=target, value=value)
    beside: tuple[tuple[str, Plain], ...] = (("before", [_write(kept)]), ("after", [_write(put)]))
    edit = site.edit("keep", f"{effect.id}, but {variable.id}", beside, kept, effect, put)
    return replace(edit, clause=variable.clause or edit.clause)


# Once more ----------------------------------------------------------------------------------


def _mirror(site: _EffectSite, effect: Add) -> Iterator[_BodyEdit]:
    """Yield the change that the other side loses the number that one side gets."""
    last = effect.target.steps[-1] if effect.target.steps else None
    if last is None or not isinstance(last.key.type, Named) or last.key.type.name != "team":
        return
    other = Index(last.type, last.array, BuiltinCall(last.key.type, "other", (last.key,)))
    target = Target(other, effect.target.variable, (*effect.target.steps[:-1], other))
    value = Arithmetic(effect.value.type, "-", _NOUGHT, effect.value)
    made = replace(effect, id=_AGAIN.format(effect.id), target=target, value=value)
    yield site.edit("mirror", _tell(made), (("after", [_write(made)]),), effect, made)


def _list_plain(game: Game) -> Iterator[Assign | Add]:
    """Yield the effects of the game that name nothing but the state, each once."""
    seen = set[str]()
    for body in (*(one.do for one in game.actions.values()), *(one.do for one in game.phases.values())):
        for effect in walk_effects(body):
            if isinstance(effect, (Assign, Add)) and (told := _tell(effect)) not in seen:
                seen.add(told)
                used = (effect.value, effect.target.expression)
                names = (part for expression in used for part in walk(expression))
                if not any(isinstance(one, LocalUse) for one in names):
                    yield effect


def _do_again(body: tuple[Effect, ...], at: tuple[str, ...], clause: str, effect: Assign | Add) -> Iterator[_BodyEdit]:
    """Yield the change that an effect takes place here as well, before all others and behind them."""
    made = replace(effect, id=_AGAIN.format(effect.id))
    written: list[Plain] = [_write(made)]
    first, last = body[0], body[-1]
    ends_elsewhere = bool(gotos((last,)))
    behind = (*body[:-1], made, last) if ends_elsewhere else (*body, made)
    for verb, beside, whole in (
        ("before", first, (made, *body)),
        ("before" if ends_elsewhere else "after", last, behind),
    ):
        own = effect.clause or beside.clause or clause
        told = ("once-more", own, (*at, beside.id), "", _tell(made), None, whole, name_effect(first))
        yield Edit(*told, beside=((verb, written),))


# Text ---------------------------------------------------------------------------------------


def _write(effect: Assign | Add | Let) -> dict[str, Plain]:
    """Return an effect as rules files write it."""
    subject = effect.name if isinstance(effect, Let) else unparse_expression(effect.target.expression)
    written: dict[str, Plain] = {
        "id": effect.id,
        effect.op: subject,
        EFFECT_KEYS[effect.op]: unparse_expression(effect.value),
    }
    return {**written, "clause": effect.clause} if effect.clause else written


def _tell(effect: Assign | Add) -> str:
    """Return an effect as people who read rules write it."""
    sign = "=" if isinstance(effect, Assign) else "+="
    return f"{unparse_expression(effect.target.expression)} {sign} {unparse_expression(effect.value)}"
