"""The obligations of a game in chapters as a file, with positions and exempt claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import fields

from brou.chapters.law import Volume
from brou.chapters.nodes import Built, build
from brou.chapters.notation import Alternative, ClauseForm, GameForm, ObligationForm, QuestionForm, Shape
from brou.chapters.tokens import Token
from brou.dataclass import dataclass
from brou.errors import Fault
from brou.language.node import Node

#: What comes of an obligation that does not say it.
_EXPECTED = "proved"
#: The keys that are written otherwise there.
_OWN = frozenset({"about", "claim", "expect"})


@dataclass(frozen=True, slots=True)
class StatedObligation:
    """An obligation with its name, and the label of its clause or question."""

    name: str
    under: Token
    form: ObligationForm


def write_obligations(volume: Volume) -> Node:
    """Return the obligations of a game as a file."""
    frame = volume.frame
    obligations = {frame.spell_id(one.name): _write_obligation(one, frame) for one in walk_obligations(volume)}
    positions = {name: _write_keys(form) for name, form in frame.positions.items()}
    exempt = {frame.spell_id(claim): _write(because) for claim, because in frame.exempt.items()}
    file: Mapping[str, Built] = {
        "format": "brou-obligations/1",
        "game": str(frame.game),
        "positions": positions or None,
        "exempt": exempt or None,
        "obligations": {name: build(one, frame.game.place) for name, one in obligations.items()},
    }
    return build(file, frame.game.place)


def walk_obligations(volume: Volume) -> Iterator[StatedObligation]:
    """Yield all obligations in the order of the text, those under a clause before those under its questions."""
    for clause in volume.clauses():
        yield from _list_stated(clause.clause, clause)
        for question in clause.open:
            yield from _list_stated(question.id, question)


def _list_stated(label: Token, stated: ClauseForm | QuestionForm) -> Iterator[StatedObligation]:
    return (StatedObligation(name, label, form) for name, form in stated.proves.items())


def find_repeated(volume: Volume) -> Iterator[Fault]:
    """Yield the obligations whose name an earlier one has."""
    seen: dict[str, Token] = {}
    for one in walk_obligations(volume):
        if one.name in seen:
            what = f"an obligation {one.name} is under {seen[one.name]} already"
            yield Fault(one.form.kind.place, what, "give it another name")
        seen.setdefault(one.name, one.under)


def _write_obligation(one: StatedObligation, frame: GameForm) -> Built:
    form, place = one.form, one.form.kind.place
    return {
        "kind": _write(form.kind),
        "says": _write(form.says),
        "clauses": [Node(frame.spell_id(label), label.place) for label in (one.under, *form.about)],
        "claim": None if form.claim is None else Node(frame.spell_id(form.claim), form.claim.place),
        "expect": Node(_EXPECTED, place) if form.expect is None else _write(form.expect),
        **_write_keys(form),
    }


def _write_keys(form: Shape) -> dict[str, Built]:
    """Return each key of a form that has a value, with that value as a node; `_OWN` names those that are left out."""
    written = ((one.encode_name, getattr(form, one.name)) for one in fields(form) if one.name not in _OWN)
    return {key: _write(value) for key, value in written if value}


def _write(value: object) -> Built:
    """Return a value of the notation as a node, its words at their places."""
    if isinstance(value, Alternative):
        return _write(value.content)
    if isinstance(value, Token):
        return Node(str(value), value.place)
    if isinstance(value, Mapping):
        return {key: _write(member) for key, member in value.items()}
    if isinstance(value, Sequence):
        return [_write(member) for member in value]
    return bool(value)
