"""Files beside the rules of a game, checked against them: conduct, obligations, witnesses, counts, comparisons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from brou import (
    Book,
    BrouError,
    Fault,
    Game,
    Node,
    Unusable,
    book,
    catalogue,
    choose,
    open_project,
    root,
    rules,
    shape_faults,
    spread,
)
from brou.check import find_schemas, game_files, remembered_faults
from brou.games import has_file, read_file, read_obligations


def beside_faults(game: str, folder: Path, kinds: Iterable[str] = ()) -> Iterator[Fault]:
    """Yield names in the files beside the rules of a game that the game does not have, of all kinds if none is named.

    The rules and the shape of the files are without fault. What chapters stand for is looked at like a file.
    """
    for kind in kinds or _LOOKS:
        if kind in _LOOKS and (kind == _PROVING or has_file(folder, f"games/{game}/{kind}.yaml")):
            yield from remembered_faults(kind, _rest_on(kind, game, folder), partial(_find_faults, kind, game, folder))


def _find_faults(kind: str, game: str, folder: Path) -> Iterator[Fault]:
    name = f"games/{game}/{kind}.yaml"
    try:
        node = read_obligations(game, folder) if kind == _PROVING else read_file(folder, name)
        if node is None:
            return
        shape = () if has_file(folder, name) else tuple(shape_faults(node, find_schemas() / f"{kind}.schema.json"))
        yield from shape or _LOOKS[kind](_GameNames.of(game, folder), node)
    except Unusable as error:
        yield from error.faults


def _rest_on(kind: str, game: str, folder: Path) -> Iterator[Path]:
    """Yield the files that the faults of a kind rest on: comparisons on all games of the folder and all of ours."""
    compared = ((place, name) for place in (folder, root()) for name in catalogue(place))
    for place, name in compared if kind == _COMPARING else [(folder, game)]:
        yield from game_files(name, place)


@dataclass(frozen=True, slots=True)
class _GameNames:
    """A game with all that can be named in it, in any of its rule bases."""

    folder: Path
    data: Book
    citable: Mapping[str, Node]

    @classmethod
    def of(cls, game: str, folder: Path) -> _GameNames:
        from brou_conformance.scenarios.corpus import clauses  # noqa: PLC0415 - only where a file is looked at anew

        return cls(folder, book(game, folder), clauses(game, folder))

    def names(self, of: Callable[[Game], Iterable[str]]) -> set[str]:
        """Return the names that some rule base of the game has."""
        found = (rules(choice, self.folder) for choice in spread(self.data.game, self.folder))
        return {name for game in found for name in of(game)}

    def values(self, key: str) -> Collection[str] | None:
        """Return the values of a reading, or None where there is none of the name or it is a number."""
        reading = self.data.readings.get(key)
        return None if reading is None or reading.number is not None else reading.values


def _unknown(named: Iterable[Node], kind: str, known: Collection[str]) -> Iterator[Fault]:
    """Yield which names name nothing."""
    for node in named:
        if node.text not in known:
            yield Fault(node.place, f"unknown {kind} {node.text!r}", f"there are {', '.join(sorted(known)) or 'none'}")


def _keys(node: Node | None) -> list[Node]:
    """Return the keys of a mapping at the places of their values."""
    return [] if node is None else [Node(key, value.place) for key, value in node.fields.items()]


def _items(node: Node | None) -> tuple[Node, ...]:
    return () if node is None else node.items


def _present(*nodes: Node | None) -> list[Node]:
    return [node for node in nodes if node is not None]


# By kind --------------------------------------------------------------------------------------------------------------


def _conduct(known: _GameNames, _: Node) -> Iterator[Fault]:
    """Yield acts and figures of random players that mean nothing in some edition and set-up."""
    from brou_tools.matches.policy import conduct, teach_rules  # noqa: PLC0415 - only where a file is looked at anew

    found = conduct(known.data.game, known.folder)
    for choice in spread(known.data.game, known.folder):
        try:
            teach_rules(choice, found.acts, found.tellings, known.folder)
        except Unusable as error:
            yield from error.faults


def _obligations(known: _GameNames, node: Node) -> Iterator[Fault]:
    if known.data.maker is not None and has_file(known.folder, f"games/{known.data.game}/{_PROVING}.yaml"):
        yield Fault(node.place, "obligations beside chapters", "write each under `proves` of its clause")
    above: set[str] = set()
    phases, state = known.names(lambda game: game.phases), known.names(lambda game: game.state)
    positions = node.get("positions")
    for name, item in {} if positions is None else positions.fields.items():
        yield from _unknown(_present(item.get("like")), "position above", above)
        yield from _unknown(_present(item.get("phase")), "phase", phases)
        named = [*_items(item.get("untouched")), *_keys(item.get("longest")), *_keys(item.get("fixed"))]
        yield from _unknown(named, "variable", state)
        above.add(name)
    actions = known.names(lambda game: game.actions)
    for item in node.fields["obligations"].fields.values():
        acts = item.get("acts")
        yield from _unknown(_present(item.get("position"), *(acts.fields.values() if acts else ())), "position", above)
        yield from _unknown([*_present(item.get("act")), *_keys(acts), *_keys(item.get("except"))], "action", actions)
        yield from _clauses(_items(item.get("clauses")), known.citable)
        yield from _choices(item, known)


def _statements(known: _GameNames, node: Node) -> Iterator[Fault]:
    """Yield names that mean nothing; where there are none, clauses cited by statements that do not rest on them."""
    from brou_tools.smt.linting import find_idle_citations  # noqa: PLC0415 - only where a file is looked at anew

    found = list(_obligations(known, node))
    yield from found or find_idle_citations(known.data.game, open_project(known.folder))


def _choices(item: Node, known: _GameNames) -> Iterator[Fault]:
    """Yield the editions, set-ups and readings of a statement that its rules do not have."""
    editions = known.data.editions
    setups = {setup for edition in editions.values() for setup in edition.setups}
    yield from _unknown(_items(item.get("edition")), "edition", editions)
    yield from _unknown(_items(item.get("setup")), "set-up", setups)
    fixed = item.get("readings")
    chosen: dict[str, tuple[Node, ...]] = {}
    if fixed is not None and not isinstance(fixed.value, str):
        chosen = {key: (one,) for key, one in fixed.fields.items()}
    unless = item.get("unless")
    chosen |= {} if unless is None else {key: ones.items for key, ones in unless.fields.items()}
    for key, values in chosen.items():
        yield from _unknown((Node(key, node.place) for node in values[:1]), "reading", known.data.readings)
        if (of := known.values(key)) is not None:
            yield from _unknown(values, f"value of {key}", of)


def _witnesses(known: _GameNames, node: Node) -> Iterator[Fault]:
    keys = {reading.ambiguity: key for key, reading in known.data.readings.items()}
    yield from _unknown(_keys(node.get("exempt")), "open passage", known.citable)
    yield from _unknown(_keys(node.fields["witnesses"]), "open passage", keys)
    for id_, pairs in node.fields["witnesses"].fields.items():
        of = known.values(keys.get(id_, ""))
        if of is not None:
            named = chain.from_iterable(item.fields["pair"].items for item in pairs.items)
            yield from _unknown(named, f"value of {keys[id_]}", of)


def _frequencies(known: _GameNames, node: Node) -> Iterator[Fault]:
    counted = node.fields["frequencies"]
    yield from _unknown(_keys(counted), "reading", known.data.readings)
    for found in counted.fields.values():
        yield from _unknown(_keys(found), "edition", known.data.editions)
        for item in found.fields.values():
            parted, deals = item.fields["parted"], item.fields["deals"]
            if int(parted.text) > int(deals.text):
                yield Fault(parted.place, f"{parted.text} of {deals.text} deals", "a part is no more than the whole")


def _bites(known: _GameNames, node: Node) -> Iterator[Fault]:
    found = node.fields["clauses"]
    yield from _clauses([*_keys(found), *_keys(node.get("exempt"))], known.citable)
    stated = read_obligations(known.data.game, known.folder)
    statements = () if stated is None else stated.fields["obligations"].fields
    by = [one for entry in found.fields.values() for one in _present(entry.get("by"))]
    yield from _unknown(by, "statement", statements)


def _differences(known: _GameNames, node: Node) -> Iterator[Fault]:
    from brou_conformance.scenarios.corpus import clauses  # noqa: PLC0415 - only where a file is looked at anew

    for key in ("old", "new"):
        named = node.fields[key]
        game = named.text.partition("@")[0]
        # What is compared may be ours: a game of one's own beside one that it descends from.
        place = known.folder if game in catalogue(known.folder) else None
        try:
            choose(named.text, place)
        except BrouError as error:
            yield Fault(named.place, str(error))
            continue
        citable = clauses(game, place)
        for row in node.fields["rows"].fields.values():
            yield from _clauses(_items(row.get(key)), citable)


def _clauses(named: Iterable[Node], citable: Mapping[str, Node]) -> Iterator[Fault]:
    """Yield a fault for each cited clause that does not exist; a game without clauses has no such faults."""
    for node in named if citable else ():
        if node.text not in citable:
            yield Fault(node.place, f"unknown clause {node.text!r}", "name one that the game has")


#: The kind of file that is about two games.
_COMPARING = "differences"
#: The kind that chapters stand for.
_PROVING = "obligations"
_LOOKS: Mapping[str, Callable[[_GameNames, Node], Iterator[Fault]]] = {
    "conduct": _conduct,
    _PROVING: _statements,
    "witnesses": _witnesses,
    "frequencies": _frequencies,
    "bites": _bites,
    _COMPARING: _differences,
}
