"""Rules in which every deal ends by an act: what takes the cards together without one becomes an act of its own.

Whoever counts deals looks at a state in which a deal is over and its cards still lie. Where a phase without acts takes
them together behind the last card there is none. Here such a phase waits before it does, for an act that nobody else
sees. Nothing else of the rules is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from brou import Game, Node
from brou.language import make_node

#: An act that takes cards together bears the name of its phase behind this.
_HEAD = "ends_"


def end_apart(rules: Node, scope: str) -> Node:
    """Return rules in which the phases without acts that reset a scope wait for an act before they do."""
    phases, actions = dict(rules.fields["phases"].fields), dict(rules.fields["actions"].fields)
    for name, phase in list(phases.items()):
        do = phase.get("do")
        cut = None if do is None else _find_cut(do.items, scope)
        if do is None or cut is None:
            continue
        place, clause = phase.place, phase.fields["clause"]
        apart = _name_apart(name, {*phases, *actions})
        go = make_node({"goto": apart}, place)
        phases[name] = Node({**phase.fields, "do": Node((*do.items[:cut], go), do.place)}, place)
        phases[apart] = Node({"actions": make_node([apart], place), "clause": clause}, place)
        by = make_node({"who": "players"}, place)
        said = {"clause": clause, "by": by, "legal": Node("True", place), "do": Node(do.items[cut:], do.place)}
        actions[apart] = Node(said, place)
    changed = {"phases": phases, "actions": actions}
    return Node(
        {**rules.fields, **{key: Node(said, rules.fields[key].place) for key, said in changed.items()}}, rules.place
    )


def find_deal_scope(game: Game) -> str:
    """Return the scope whose reset takes all cards together, and no more than that; nothing where no cards lie."""
    scopes = [game.scopes.index(variable.scope) for variable in game.state.values() if variable.zone]
    return game.scopes[min(scopes)] if scopes else ""


def _name_apart(phase: str, taken: set[str]) -> str:
    name = f"{_HEAD}{phase}"
    while name in taken:
        name += "_too"
    return name


def _find_cut(effects: Sequence[Node], scope: str) -> int | None:
    """Return where the effects begin that reset a scope, with those that their locals are from."""
    cut = next((place for place, one in enumerate(effects) if scope in _list_resets(one)), None)
    while cut is not None:
        words = {word for one in effects[cut:] for word in _list_words(one)}
        needed = [place for place, one in enumerate(effects[:cut]) if one.string("let") in words - {""}]
        if not needed:
            return cut
        cut = needed[0]
    return None


def _list_resets(node: Node) -> Iterator[str]:
    """Yield the scopes that an effect, or one inside it, resets."""
    if isinstance(node.value, dict):
        for key, member in node.value.items():
            yield from [member.text] if key == "reset" else _list_resets(member)
    elif isinstance(node.value, tuple):
        for member in node.value:
            yield from _list_resets(member)


def _list_words(node: Node) -> Iterator[str]:
    """Yield the names in all texts of an effect."""
    if isinstance(node.value, dict):
        for member in node.value.values():
            yield from _list_words(member)
    elif isinstance(node.value, tuple):
        for member in node.value:
            yield from _list_words(member)
    elif isinstance(node.value, str):
        yield from re.findall(r"\w+", node.value)
