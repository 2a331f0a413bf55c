"""Checks of the chapters of a game beyond the shape of each file: faults of the chapters as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations

from brou.chapters.dead import find_dead
from brou.chapters.law import EDITION, SETUP, Law, Volume, find_touched, make_law
from brou.chapters.notation import ExclusionForm, QuestionForm
from brou.chapters.proofs import find_repeated
from brou.chapters.rules import Narrowing
from brou.chapters.scope import Letters
from brou.chapters.tokens import Token, Tokens
from brou.errors import Fault, Place, Unusable

#: How keys and values of readings are written.
_KEY, _VALUE = re.compile(r"[a-z][a-z0-9_]*\Z"), re.compile(r"[a-z0-9][a-z0-9-]*\Z")
#: The answers of which a question has one.
_ANSWERS = ("readings", "number", "settled", "agree")
#: The keys by which a reading changes something.
_CHANGES = ("changes", "adds", "drops", "means", "cards", "numbers", "show", "always", "without")


def check_volume(volume: Volume) -> Iterator[Fault]:
    """Yield the faults of questions, editions, obligations, readings and exceptions, under each edition and set-up."""
    faults = [*_question_faults(volume), *_edition_faults(volume), *_seat_faults(volume), *find_repeated(volume)]
    yield from faults
    if faults:
        return
    yield from _pair_faults(volume)
    try:
        laws = list(_make_laws(volume))
        yield from find_dead(laws)
        for law in laws:
            yield from _special_faults(law)
    except Unusable as error:
        yield from error.faults


# Questions and editions ----------------------------------------------------------


def _question_faults(volume: Volume) -> Iterator[Fault]:
    """Yield questions without one answer, with a key too many or too few, and limits by an unknown value."""
    values = _values(volume)
    for clause, question in volume.questions():
        given = [key for key in _ANSWERS if getattr(question, key)]
        if len(given) != 1:
            what = f"{question.id} has {' and '.join(given) or 'no answer'}"
            yield Fault(question.id.place, what, f"write one of {', '.join(_ANSWERS)}")
        if (question.key is not None) != bool(question.readings or question.number):
            yield Fault(
                question.id.place, f"{question.id}: a key is for what may be chosen", "write it there, and only there"
            )
        yield from _name_faults(question)
        for limits in (question.under, question.only, clause.only):
            yield from _limit_faults(limits, values)
        plain = [value for value, one in question.readings.items() if not any(getattr(one, key) for key in _CHANGES)]
        for value in plain[1:]:
            what = f"{question.key}={value} changes nothing, as {plain[0]} does"
            yield Fault(question.readings[value].why.place, what, f"write one of {', '.join(_CHANGES)}")


def _name_faults(question: QuestionForm) -> Iterator[Fault]:
    """Yield the key of a question and the names of its readings that nobody could write behind the name of a game."""
    if question.key is not None and not _KEY.match(question.key):
        what = f"{str(question.key)!r} is no key of a question"
        yield Fault(question.key.place, what, "write small letters, digits and underscores, such as cape_carry")
    for value, reading in question.readings.items():
        if not _VALUE.match(value):
            what = f"{value!r} is no name of a reading"
            yield Fault(reading.why.place, what, "write small letters, digits and hyphens, such as at-once")


def _values(volume: Volume) -> dict[str, frozenset[str]]:
    """Return the values of each key of `only` and `under`, set-ups included; a key without values takes any number."""
    found = {str(one.key): frozenset(one.readings) for _, one in volume.questions() if one.key is not None}
    setups = frozenset(str(setup) for one in volume.frame.editions.values() for setup in one.setups)
    return found | {SETUP: setups, EDITION: frozenset(volume.frame.editions)}


def _limit_faults(limits: Mapping[str, Tokens], values: Mapping[str, frozenset[str]]) -> Iterator[Fault]:
    for key, wanted in limits.items():
        for value in wanted:
            if key not in values:
                yield Fault(value.place, f"unknown reading {key!r}", f"readings are {', '.join(sorted(values))}")
            elif values[key] and value not in values[key]:
                yield Fault(value.place, f"{key} has no value {value!r}", f"it has {', '.join(sorted(values[key]))}")


def _edition_faults(volume: Volume) -> Iterator[Fault]:
    values = _values(volume)
    if not volume.frame.editions:
        yield Fault(volume.frame.game.place, "a game without an edition", "write one into `editions:`")
    for name, one in volume.frame.editions.items():
        if not one.setups:
            yield Fault(one.title.place, f"the edition {name} has no set-up", "write one into `setups:`")
        limits = {key: Tokens((value,)) for key, value in one.readings.items()}
        yield from _limit_faults(limits, values)
    yield from _order_faults(volume)
    for exclusion in volume.frame.exclusions:
        yield from _limit_faults(exclusion.together, values)
    for members in volume.frame.groups.values():
        yield from _limit_faults({SETUP: members}, values)


def _order_faults(volume: Volume) -> Iterator[Fault]:
    """Yield each question whose first reading is not the one that the first edition plays."""
    for name, edition in list(volume.frame.editions.items())[:1]:
        for _, question in volume.questions():
            own = edition.readings.get(str(question.key))
            if own in question.readings and own != next(iter(question.readings)):
                what = f"{question.id}: the edition {name} plays {question.key}={own}, which is not the first reading"
                yield Fault(question.id.place, what, f"put {own} first: readers take the first one for the usual one")


def _seat_faults(volume: Volume) -> Iterator[Fault]:
    """Yield seats of set-ups that no edition has."""
    known = _values(volume)[SETUP]
    for clause in volume.clauses():
        for setup in clause.seats if isinstance(clause.seats, Mapping) else ():
            if setup not in known:
                what = f"{clause.clause} has seats for the set-up {setup!r}"
                yield Fault(clause.clause.place, what, f"set-ups are {', '.join(sorted(known))}")


# Readings --------------------------------------------------------------------------


def _pair_faults(volume: Volume) -> Iterator[Fault]:
    """Yield the readings of two questions that can both apply and change the same."""
    questions = [question for _, question in volume.questions() if question.readings]
    touched = {
        (str(question.key), value): find_touched(volume, question, value)
        for question in questions
        for value in question.readings
    }
    for (one, ours), (two, theirs) in combinations(touched.items(), 2):
        if one[0] != two[0] and (label := _find_shared(ours, theirs)) and not _apart(volume, one, two):
            place = _find_change(volume, two, label)
            what = f"{'='.join(one)} and {'='.join(two)} both change {label}"
            yield Fault(
                place, what, "let them change different rules, or write into `exclusions` that they exclude each other"
            )


def _find_change(volume: Volume, reading: tuple[str, str], label: str) -> Place:
    """Return where a reading changes or drops a rule; where it does so by other means, its reason."""
    key, value = reading
    form = next(question.readings[value] for _, question in volume.questions() if question.key == key)
    changes = form.changes.get(label)
    said = [] if changes is None else [getattr(changes, name) for name in changes.__struct_fields__]
    tokens = [one for one in (*said, *form.drops) if isinstance(one, Token) and (one in said or one == label)]
    return next((one.place for one in tokens), form.why.place)


def _find_shared(ours: frozenset[tuple[str, str]], theirs: frozenset[tuple[str, str]]) -> str:
    """Return a rule of which two readings change the same key, or one changes all; an empty text if there is none."""
    for label, key in sorted(ours):
        for other, key_ in sorted(theirs):
            if label == other and (key == key_ or not key or not key_):
                return label
    return ""


def _apart(volume: Volume, one: tuple[str, str], two: tuple[str, str]) -> bool:
    """Say whether two readings cannot be chosen together."""
    chosen = dict((one, two))
    if any(_is_hit(exclusion, chosen) for exclusion in volume.frame.exclusions):
        return True
    return any(_is_idle(question, chosen) for _, question in volume.questions())


def _is_hit(exclusion: ExclusionForm, chosen: Mapping[str, str]) -> bool:
    return all(chosen.get(key) in values for key, values in exclusion.together.items())


def _is_idle(question: QuestionForm, chosen: Mapping[str, str]) -> bool:
    """Say whether a question that has been answered does not arise."""
    if str(question.key) not in chosen or chosen[str(question.key)] == next(iter(question.readings), None):
        return False
    return any(key in chosen and chosen[key] not in values for key, values in question.under.items())


# Exceptions ------------------------------------------------------------------------


def _make_laws(volume: Volume) -> Iterator[Law]:
    for edition, one in volume.frame.editions.items():
        for setup in one.setups:
            yield make_law(volume, edition, setup, volume.choose_readings(edition))


def _special_faults(law: Law) -> Iterator[Fault]:
    """Yield special cases of one duty that may hold together."""
    conditions = Letters(law).conditions
    for one, two in combinations(law.of_kind(Narrowing), 2):
        if one.duty == two.duty and not conditions.exclude(one.when, two.when):
            what = f"{one.label} and {two.label} may both be the special case of {one.duty}"
            yield Fault(two.when.place, what, "let their conditions exclude each other")
