"""The proof obligations of a game, read from its chapters, or beside rules in one file from `obligations.yaml`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from brou import (
    Choice,
    Fault,
    Impossible,
    Invalid,
    Malformed,
    Node,
    Place,
    Project,
    Reading,
    book,
    choose,
    keep_until_changed,
    root,
    shape_faults,
    with_readings,
)
from brou.chapters import KindOfObligation
from brou.games import read_obligations
from brou_tools.questions.compatible import fit_readings

KINDS: tuple[KindOfObligation, ...] = get_args(KindOfObligation)


@dataclass(frozen=True, slots=True)
class Where:
    """A kind of position: its phase, the variables that have their first values, and its conditions.

    The greatest lengths of piles and the values of variables stand apart, since a solver goes through fewer places
    faster; they are conditions, too.
    """

    id: str
    phase: str
    untouched: tuple[str, ...] = ()
    whole_pack: bool = False
    where: tuple[Node, ...] = ()
    like: str = ""
    longest: Mapping[str, Node] = field(default_factory=dict)
    fixed: Mapping[str, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Obligation:
    """One statement about the rules, and whether it should be provable."""

    id: str
    kind: KindOfObligation
    says: str
    clauses: tuple[str, ...]
    claim: str
    expect: str
    slow: bool
    node: Node
    position: Where | None
    acts: tuple[tuple[str, Where | None], ...]
    editions: tuple[str, ...]
    setups: tuple[str, ...]
    readings: str
    fixed: Mapping[str, str]
    unless: Mapping[str, tuple[str, ...]]
    place: Place = field(compare=False)
    #: Names under `given` that stand for one value each, while a statement is asked value by value.
    pinned: Mapping[str, int] = field(default_factory=dict)

    def texts(self, key: str) -> tuple[Node, ...]:
        """Return the expressions under a key: one or several."""
        node = self.node.get(key)
        if node is None:
            return ()
        return node.items if isinstance(node.value, tuple) else (node,)

    def get_named(self, key: str) -> Mapping[str, Node]:
        """Return the named expressions, or types, under a key."""
        node = self.node.get(key)
        return {} if node is None else node.fields


@dataclass(frozen=True, slots=True)
class ProofObligations:
    """All proof obligations of one game, and its exemptions."""

    game: str
    obligations: tuple[Obligation, ...]
    exempt: Mapping[str, str]
    positions: Mapping[str, Where] = field(default_factory=dict)

    def standing(self, held: Collection[str] = (), asked: Collection[str] = ()) -> dict[str, str]:
        """Return for each position how far the obligations that ran, and that hold, prove it.

        A position is inductive where every way into it, from inductive positions, leads to one; it may also be a part
        of an inductive one; otherwise it is assumed.
        """
        shown = {one.position.id: one for one in self.obligations if one.kind == "invariant" and one.position}
        kept = {name for name, one in shown.items() if one.id in held}
        # The greatest set of positions that support one another: all proved ones at first, and whatever leans on
        # another that was dropped is dropped, too, until nothing changes. Positions that lean on each other in a circle
        # may stay: the start of a match is proved for each, and every act into it.
        while lost := {name for name in kept if any(not self._all_in(kept, where) for _, where in shown[name].acts)}:
            kept -= lost
        found: dict[str, str] = {}
        for name, where in self.positions.items():
            if name in kept:
                left_out = list(shown[name].get_named("except"))
                found[name] = "kept" + (f", but by {', '.join(left_out)} it is assumed" if left_out else "")
                lean = [other for other in _behind(shown, name) if other != name and shown[other].get_named("except")]
                found[name] += (f", as far as {', '.join(lean)} is" if lean else "") + _only(shown[name])
            elif self._within(kept, where):
                found[name] = f"part of {where.like}"
            else:
                found[name] = _explain_assumed(shown.get(name), held, asked)
        return found

    def _within(self, kept: Collection[str], where: Where) -> bool:
        """Say whether a position is inductive, or narrows down one that is."""
        return any(wider.id in kept for wider in self._wider(where))

    def _all_in(self, kept: Collection[str], where: Where | None) -> bool:
        """Say whether play in the phase of a position reaches only such positions: it, or one in it, is inductive."""
        return where is None or any(where in self._wider(self.positions[name]) for name in kept)

    def _wider(self, where: Where) -> Iterator[Where]:
        """Yield a position and those of the same phase that it narrows down."""
        wider: Where | None = where
        while wider is not None and wider.phase == where.phase:
            yield wider
            wider = self.positions.get(wider.like)


def _behind(shown: Mapping[str, Obligation], name: str) -> list[str]:
    """Return the positions from which acts lead to one, at once or through others, and of which something is shown."""
    found, waiting = [name], [name]
    while waiting:
        before = [where.id for _, where in shown[waiting.pop()].acts if where is not None]
        new = [each for each in before if each in shown and each not in found]
        found, waiting = found + new, waiting + new
    return found


def _only(one: Obligation) -> str:
    """Return the limits of the rules that an obligation is about."""
    limits = [f" in edition {', '.join(one.editions)}"] if one.editions else []
    limits += [f" in set-up {', '.join(one.setups)}"] if one.setups else []
    readings = [f"{key}={value}" for key, value in one.fixed.items()]
    readings += [f"{key} not {' or '.join(values)}" for key, values in one.unless.items()]
    if one.readings == "default":
        readings.append("those of the edition")
    limits += [f" with readings {', '.join(readings)}"] if readings else []
    return "".join(f",{limit}" for limit in limits)


def _explain_assumed(one: Obligation | None, held: Collection[str], asked: Collection[str]) -> str:
    """Return why a position is only assumed: it has no obligation, or that did not run, or fails."""
    if one is None:
        return "assumed"
    if one.id not in asked:
        return f"assumed; {one.id} was not asked" + (" (--slow)" if one.slow else "")
    if one.id not in held:
        return f"not kept: {one.id} fails"
    return f"kept, if those are that {one.id} begins with"


@keep_until_changed(maxsize=16)
def obligations(game: str, project: Project) -> ProofObligations:
    """Return the obligations of a game in the order of its text; a game may have none.

    Raise `Malformed` where they have another shape, `Invalid` where they name a position that is not there.
    """
    book(game, project)
    node = read_obligations(game, project.data)
    if node is None:
        return ProofObligations(game, (), {})
    faults = list(shape_faults(node, root() / "schemas" / "obligations.schema.json"))
    if faults:
        raise Malformed(faults)
    if faults := list(_unknown_positions(node)):
        raise Invalid(faults)
    positions: dict[str, Where] = {}
    for id_, item in _fields(node, "positions").items():
        positions[id_] = _where(id_, item, positions.get(item.string("like")))
    found = tuple(_obligation(id_, item, positions) for id_, item in _fields(node, "obligations").items())
    return ProofObligations(game, found, {id_: item.text for id_, item in _fields(node, "exempt").items()}, positions)


def _unknown_positions(node: Node) -> Iterator[Fault]:
    """Yield where a position is named that the file does not have, or not before that which narrows it down."""
    known: list[str] = []
    for id_, item in _fields(node, "positions").items():
        yield from _unknown([item.get("like")], known)
        known.append(id_)
    for item in _fields(node, "obligations").values():
        yield from _unknown([item.get("position"), *_fields(item, "acts").values()], known)


def _unknown(named: Iterable[Node | None], known: Sequence[str]) -> Iterator[Fault]:
    for one in named:
        if one is not None and one.text not in known:
            yield Fault(one.place, f"unknown position {one.text!r}", f"there are {', '.join(known) or 'none'}")


def _fields(node: Node, key: str) -> Mapping[str, Node]:
    member = node.get(key)
    return {} if member is None else member.fields


def _texts(node: Node, key: str) -> tuple[str, ...]:
    member = node.get(key)
    return () if member is None else tuple(item.text for item in member.items)


def _where(id_: str, node: Node, like: Where | None) -> Where:
    where = node.get("where")
    longest, fixed = _fields(node, "longest"), _fields(node, "fixed")
    lengths = tuple(Node(f"len({name}) <= {most.text}", most.place) for name, most in longest.items())
    values = tuple(Node(f"{name} == {value.text}", value.place) for name, value in fixed.items())
    return Where(
        id_,
        node.string("phase", like.phase if like else ""),
        (*(like.untouched if like else ()), *_texts(node, "untouched")),
        node.string("whole_pack") == "true" or bool(like and like.whole_pack),
        (*(like.where if like else ()), *lengths, *values, *(() if where is None else where.items)),
        node.string("like"),
        {**(like.longest if like else {}), **longest},
        {**(like.fixed if like else {}), **fixed},
    )


def _obligation(id_: str, node: Node, positions: Mapping[str, Where]) -> Obligation:
    named = node.string("position")
    readings = node.get("readings")
    fixed = {} if readings is None or isinstance(readings.value, str) else readings.fields
    acts = tuple((act, positions[item.text]) for act, item in _fields(node, "acts").items())
    return Obligation(
        id=id_,
        kind=next(kind for kind in KINDS if kind == node.string("kind")),
        says=node.string("says"),
        clauses=_texts(node, "clauses"),
        claim=node.string("claim"),
        expect=node.string("expect"),
        slow=node.string("slow") == "true",
        node=node,
        position=positions[named] if named else None,
        acts=acts or tuple((name, positions[named] if named else None) for name in [node.string("act")] if name),
        editions=_texts(node, "edition"),
        setups=_texts(node, "setup"),
        readings="fixed" if fixed else node.string("readings", "each"),
        fixed={key: item.text for key, item in fixed.items()},
        unless={key: tuple(value.text for value in item.items) for key, item in _fields(node, "unless").items()},
        place=node.place,
    )


# Which rules it is about ----------------------------------------------------------------------------------------------


def choices(game: str, project: Project, one: Obligation) -> Iterator[tuple[Choice, Mapping[str, str]]]:
    """Yield the rules that an obligation is about, each with the readings that are not those of the edition."""
    for edition, record in book(game, project).editions.items():
        if one.editions and edition not in one.editions:
            continue
        for setup in record.setups:
            if one.setups and setup not in one.setups:
                continue
            yield from _vary_readings(choose(f"{game}@{edition}:{setup}", project), one)


def _values(reading: Reading) -> Iterable[str]:
    """Return the values of a reading to prove for; a number has its least and its greatest."""
    return reading.values if reading.number is None else map(str, reading.number[:2])


def _vary_readings(plain: Choice, one: Obligation) -> Iterator[tuple[Choice, Mapping[str, str]]]:
    data = book(plain.game, plain.project)
    own = data.editions[plain.edition].readings
    if one.readings == "fixed":
        known = {key: value for key, value in one.fixed.items() if key in own}
        try:
            yield with_readings(plain, known), known
        except Impossible:
            return
        return
    if not any(own.get(key) in values for key, values in one.unless.items()):
        yield plain, {}
    if one.readings == "default":
        return
    for key, chosen in own.items():
        for value in _values(data.readings[key]):
            if value == chosen or value in one.unless.get(key, ()):
                continue
            if any(own.get(other) in values for other, values in one.unless.items() if other != key):
                continue
            found = fit_readings(plain, [{key: value}])
            if found is not None:
                yield found[0], {key: value}
