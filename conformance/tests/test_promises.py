"""Promises: ids keep their meaning, unless an entry says since when they have another one, and why."""

from __future__ import annotations

import json
import lzma
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import brou
from brou import Malformed
from brou.games.folder import read_file, root
from brou_conformance.portable.errata import Errata, Erratum, apply_errata, find_due, read_errata
from brou_conformance.portable.meanings import Meanings, describe_demand, index_meanings
from brou_conformance.scenarios.corpus import scenarios

FROZEN = Path(__file__).parent / "frozen" / "meanings.json.xz"


@pytest.fixture(scope="module")
def frozen() -> dict[str, Any]:
    """Return the first index of meanings."""
    with lzma.open(FROZEN, "rt", encoding="utf-8") as source:
        found: dict[str, Any] = json.load(source)
    return found


@pytest.fixture(scope="module")
def index(frozen: dict[str, Any]) -> Meanings:
    """Return that of the data alone."""
    return {kind: ids for kind, ids in frozen.items() if kind != "interface"}


@pytest.fixture(scope="module")
def now() -> dict[str, dict[str, str]]:
    """Return the meanings that ids have today."""
    return index_meanings()


def due(index: Meanings, now: Meanings, errata: Errata) -> list[str]:
    """Return what lacks an entry, as an entry has it."""
    found = find_due(apply_errata(index, errata), now)
    return [f"{kind}: {id_}: {'null' if meaning is None else json.dumps(meaning)}" for kind, id_, meaning in found]


@pytest.mark.slow
def test_every_change_of_meaning_has_an_entry(index: Meanings, now: Meanings) -> None:
    """An id that is gone or means something else stands in errata.yaml with its reason, and so does a new clause."""
    assert due(index, now, read_errata()) == []


@pytest.mark.slow
def test_the_first_index_is_whole(index: Meanings) -> None:
    """It has the ids of every kind that there were."""
    assert {kind: len(ids) for kind, ids in index.items()} == {
        "texts": 589,
        "readings": 143,
        "defaults": 125,
        "scenarios": 1095,
    }


@pytest.mark.slow
def test_entries_say_what_is_so(index: Meanings, now: Meanings) -> None:
    """Each entry changes the meaning that an id had before; the last one about an id tells its present meaning."""
    last: dict[tuple[str, str], str | None] = {
        (kind, id_): was for kind, ids in index.items() for id_, was in ids.items()
    }
    named: set[tuple[str, str]] = set()
    idle: list[tuple[str, str]] = []
    for one in read_errata().entries:
        told = {(kind, id_): meaning for kind, ids in one.ids.items() for id_, meaning in ids.items()}
        idle += [key for key, meaning in told.items() if last.get(key) == meaning]
        named |= told.keys()
        last |= told

    assert idle == []
    assert [key for key in named if now[key[0]].get(key[1]) != last[key]] == []


def test_entries_stand_in_the_order_of_their_days() -> None:
    """What comes later stands below, and all of it is later than the index."""
    errata = read_errata()
    days = [errata.index, *(one.since for one in errata.entries)]

    assert days == sorted(days)


def test_a_changed_clause_names_a_passage_that_there_is() -> None:
    """Who changes a clause says by which passage, and sources.yaml has it."""
    works = read_file(root(), "sources.yaml").fields["works"].items
    passages = {
        (work.string("id"), one.string("id"))
        for work in works
        for one in (work.fields["passages"].items if "passages" in work.fields else ())
    }
    named = [one.passage for one in read_errata().entries if one.passage]

    assert named
    assert [one for one in named if (one.source, one.at) not in passages] == []


@pytest.mark.slow
def test_a_changed_clause_says_by_which_passage_or_that_words_alone_have_changed(index: Meanings) -> None:
    """Its entry names the passage that demanded the change; or the clause rests on the passages that it had before."""
    for entry in read_errata().entries:
        old = [id_ for id_, meaning in (entry.ids.get("texts") or {}).items() if meaning and id_ in index["texts"]]
        assert not old or bool(entry.passage) != bool(entry.wording), (entry.since, old)


def changed(now: Meanings, kind: str, id_: str, meaning: str | None) -> dict[str, dict[str, str]]:
    """Return meanings with another one for an id, or none."""
    other = deepcopy({key: dict(ids) for key, ids in now.items()})
    if meaning is None:
        del other[kind][id_]
    else:
        other[kind][id_] = meaning
    return other


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["texts", "readings", "defaults", "scenarios"])
def test_an_id_that_changes_or_goes_without_an_entry_is_noticed(index: Meanings, now: Meanings, kind: str) -> None:
    """Of whatever kind; with an entry it is not."""
    errata = read_errata()
    id_ = next(iter(index[kind]))
    for meaning in ("0123456789abcdef", None):
        other = changed(now, kind, id_, meaning)
        entry = Erratum(since="2099-01-01", because="it was wrong", **{kind: {id_: meaning}})  # type: ignore[arg-type]

        assert due(index, other, errata) == [f"{kind}: {id_}: {'null' if meaning is None else json.dumps(meaning)}"]
        assert due(index, other, Errata(index=errata.index, entries=(*errata.entries, entry))) == []


@pytest.mark.slow
def test_new_ids_need_an_entry_where_their_age_is_told(index: Meanings, now: Meanings) -> None:
    """A new clause does; a new scenario may come without."""
    errata = read_errata()

    assert due(index, changed(now, "texts", "brouc.new.01", "0" * 16), errata)
    assert due(index, changed(now, "scenarios", "brouc.new.shown", "0" * 16), errata) == []


def test_the_history_of_a_clause_is_told() -> None:
    """An entry is found by the ids that it names; a clause without any is as old as the index."""
    errata = read_errata()

    assert [one.since for one in errata.tell_history("brou.stop.05")] == ["2026-11-22"]
    assert errata.tell_history("brouc.play.01") == ()


def test_words_of_a_scenario_are_no_part_of_its_meaning() -> None:
    """Title, reason and place may be put better; everything that is asked and expected belongs to it."""
    one = scenarios("brouc")[0]

    assert describe_demand(replace(one, title="x", because="y", place=one.lines[0].place)) == describe_demand(one)
    assert describe_demand(replace(one, lines=one.lines[1:])) != describe_demand(one)
    assert describe_demand(replace(one, level="open")) != describe_demand(one)


def test_a_file_of_errata_that_is_none_is_refused(tmp_path: Path) -> None:
    """An entry without a reason has its fault told with its place."""
    (tmp_path / "errata.yaml").write_text(
        'format: brou-errata/1\nindex: "2026-11-21"\nentries:\n- since: "2026-11-22"\n', encoding="utf-8"
    )
    with pytest.raises(Malformed, match="because"):
        read_errata(tmp_path)


def test_the_python_interface_keeps_its_names(frozen: dict[str, Any]) -> None:
    """Every name that `brou` offered is there."""
    assert set(frozen["interface"]) <= set(brou.__all__)
    assert [name for name in frozen["interface"] if not hasattr(brou, name)] == []
