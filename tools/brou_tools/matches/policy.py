"""The policy of sensible beginners: the weight of each act, and the headline figures, as data of a game.

`conduct.yaml` beside the rules gives acts a weight, an expression of the rule language over `me` and the parameters of
the act, and figures an expression to count. It is no rule: the rule base with its hash does not hold it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from brou import (
    Action,
    Choice,
    Compiled,
    CompiledState,
    Fault,
    Folder,
    Game,
    Invalid,
    Malformed,
    Node,
    NoFile,
    Place,
    Unknown,
    book,
    patch_rules,
    read,
    root,
    rules,
    shape_faults,
)
from brou.compiler import Offer, RandomPlayer
from brou.games import has_file, locate, read_file
from brou.language import Patch, apply_patches, load_rules
from brou.language.types import Type, lists_of
from brou_tools.matches.apart import end_apart, find_deal_scope

KIND = "conduct"


@dataclass(frozen=True, slots=True)
class HeadlineFigure:
    """A figure to tell first: a share or a mean, per deal or match, of those alone where `when` holds.

    With `each` there is one figure for every value of a list, which stands in the expressions by a name.
    """

    id: str
    say: Node
    value: Node
    share: bool
    per: str
    when: Node | None
    each: tuple[str, str] | None

    def type_in(self, game: Game) -> Type | None:
        """Return the type of the values that there is a figure for each of; None where there is one figure alone."""
        if self.each is None:
            return None
        (_, name), lists = self.each, lists_of(game.types)
        if name not in lists:
            raise Unknown(f"list of values of the figure {self.id}", name, lists)
        return lists[name].element

    def functions_in(self, game: Game) -> Mapping[str, Node]:
        """Return the functions that the figure needs in a game, by name."""
        args = {} if self.each is None else {self.each[0]: str(self.type_in(game))}
        made = {f"told_{self.id}": function(args, "bool" if self.share else "int", self.value)}
        if self.when is not None:
            made[f"among_{self.id}"] = function(args, "bool", self.when)
        return made


@dataclass(frozen=True, slots=True)
class Conduct:
    """The weights of acts, and the headline figures."""

    acts: Mapping[str, Node]
    tellings: tuple[HeadlineFigure, ...]


def conduct(game: str, folder: Folder = None) -> Conduct:
    """Return the conduct of a game, which is empty where no file says any; raise `Malformed` where it is wrong."""
    data, name = locate(folder), f"games/{game}/{KIND}.yaml"
    if not has_file(data, name):
        return Conduct({}, ())
    return _read(read_file(data, name))


def read_conduct(path: Path, games: Sequence[str]) -> Conduct:
    """Return the conduct in a file, of one of some games; raise `NoFile` without it, `Malformed` where it is wrong."""
    if not path.is_file():
        raise NoFile(path, "a conduct, as `brou simulate --fit` writes one")
    node = read(path)
    found = _read(node)
    game = node.fields["game"]
    if game.text not in games:
        raise Malformed([Fault(game.place, f"a conduct of {game.text}", f"name one of {', '.join(games)}")])
    return found


def _read(node: Node) -> Conduct:
    faults = list(shape_faults(node, root() / "schemas" / f"{KIND}.schema.json"))
    if faults:
        raise Malformed(faults)
    tell = node.get("tell")
    return Conduct(node.fields["acts"].fields, tuple(_telling(item) for item in (tell.items if tell else ())))


def _telling(node: Node) -> HeadlineFigure:
    share, each = node.get("share"), node.get("each")
    value = node.fields["mean"] if share is None else share
    over = None if each is None else next((name, said.text) for name, said in each.fields.items())
    per = node.string("per", "deal")
    return HeadlineFigure(node.string("id"), node.fields["say"], value, share is not None, per, node.get("when"), over)


def function(args: Mapping[str, str], type_: str, said: Node) -> Node:
    """Return a function of the rule language, at the place of its expression."""
    place = said.place
    parts = {
        "args": Node({name: Node(kind, place) for name, kind in args.items()}, place), "type": Node(type_, place),
        "is": said, "clause": Node(KIND, place),
    }  # fmt: skip
    return Node(parts, place)


def weights(given: Mapping[str, str]) -> dict[str, Node]:
    """Return weights as they are given on the command line."""
    return {name: Node(text, Place("--weigh", 1, 1)) for name, text in given.items()}


def weight_of(action: str) -> str:
    """Return the name of the function that weighs an action."""
    return f"weight_of_{action}"


class Players(RandomPlayer):
    """Random players of one rule base: the weight of an act is its probability."""

    def __init__(
        self,
        choice: Choice,
        acts: Mapping[str, Node],
        tellings: Sequence[HeadlineFigure] = (),
        folder: Path | None = None,
        *,
        apart: bool = False,
    ) -> None:
        self.game, functions = teach_rules(choice, acts, tellings, folder, apart=apart)
        super().__init__(Compiled(self.game, asked=functions), find_weights(choice, acts, folder))

    def weigh(self, state: CompiledState) -> list[tuple[Offer, int]]:
        """Return the open acts with their weights, without those that weigh nothing; where all do, each weighs one."""
        found = self.counting(state)[1]
        return [((name, seat, values, cards), weight) for _, weight, name, seat, values, cards in found]


def find_weights(choice: Choice, acts: Mapping[str, Node], folder: Path | None = None) -> dict[str, str]:
    """Return by act the name of the function that weighs it, of the acts that a rule base has."""
    return {name: weight_of(name) for name in _own(choice, acts, folder)}


def teach_rules(
    choice: Choice,
    acts: Mapping[str, Node],
    tellings: Sequence[HeadlineFigure] = (),
    folder: Path | None = None,
    *,
    apart: bool = False,
) -> tuple[Game, list[str]]:
    """Return a rule base with functions for weights and figures, and the names of these functions.

    With `apart` every deal ends by an act of its own, so that deals can be counted. Raise `Invalid` for an expression
    without meaning. Weights of acts that other rule bases of the game have are passed over.
    """
    known, own = rules(choice, folder), _own(choice, acts, folder)
    actions = known.actions
    functions = {
        weight_of(name): _weight(actions[name], _find_parameters(actions[name], said), said)
        for name, said in own.items()
    }
    for telling in tellings:
        functions |= telling.functions_in(known)
    node = patch_rules(choice, folder)
    if apart:
        node = end_apart(node, find_deal_scope(known))
    if functions:
        place = node.place
        node = apply_patches(node, [Patch(("functions",), Node({"add": Node(functions, place)}, place))])
    return load_rules(node, book(choice.game, folder or choice.project).codes), list(functions)


def _own(choice: Choice, acts: Mapping[str, Node], folder: Path | None) -> dict[str, Node]:
    """Return the weights of acts that a rule base has; refuse those of acts that none of the game has."""
    actions = rules(choice, folder).actions
    known = {*actions, *book(choice.game, folder or choice.project).rules.fields["actions"].fields}
    faults = [
        Fault(said.place, f"unknown action {name!r}", f"actions are {', '.join(sorted(known))}")
        for name, said in acts.items()
        if name not in known
    ]
    if faults:
        raise Invalid(faults)
    return {name: said for name, said in acts.items() if name in actions}


def _find_parameters(action: Action, said: Node) -> list[int]:
    """Return the places of the parameters that a weight asks for."""
    try:
        names = {node.id for node in ast.walk(ast.parse(said.text, mode="eval")) if isinstance(node, ast.Name)}
    except SyntaxError:
        return []
    return [place for place, p in enumerate(action.parameters) if p.id in names]


def _weight(action: Action, asked: Sequence[int], said: Node) -> Node:
    """Return the function that weighs an action."""
    parameters = [action.parameters[place] for place in asked]
    if any(p.described for p in parameters):
        raise Invalid(
            [Fault(said.place, f"the values of {action.id} are described", "weigh it without asking for them")]
        )
    return function({"me": "player", **{p.id: str(p.type) for p in parameters}}, "int", said)


def merge_weights(
    game: str, given: Mapping[str, str], folder: Folder = None, *, mindless: bool = False
) -> dict[str, Node]:
    """Return the weights of a game's conduct, or with `mindless` none, and those that are given in their place."""
    return {**({} if mindless else conduct(game, folder).acts), **weights(given)}


def check_weights(choice: Choice, given: Mapping[str, str]) -> None:
    """Raise `Unknown` or `Invalid` for weights that mean nothing in a rule base."""
    actions = rules(choice).actions
    for name in given:
        if name not in actions:
            raise Unknown(f"action of {choice.game}", name, actions)
    teach_rules(choice, weights(given))
