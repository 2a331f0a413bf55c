"""A finding as a scenario, ready to be committed: what the rules expect, with its clauses and the reason."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from brou import HANDS, Choice, Folder, Json, Machine, book, outside, parts, writer
from brou.atomic import make_folder, put
from brou_conformance.judging.reasons import AnswerReason, find_reason
from brou_conformance.scenarios.script import machine
from brou_tools.fuzz.lockstep import Finding

#: Columns of a file, and the letters of the hash in a name.
_COLUMNS, _LETTERS = 118, 8
#: The letters of a title at most.
_TITLE = 110


def name_scenario(finding: Finding, choice: Choice, reason: AnswerReason) -> str:
    """Return an id that hangs on nothing but the game, the clause and the situation."""
    about = json.dumps([choice.setup, finding.start, finding.messages], sort_keys=True)
    digest = hashlib.sha256(about.encode()).hexdigest()[:_LETTERS]
    topic = ".".join(reason.clauses[0].split(".")[1:]) if reason.clauses else finding.behaviour[1]
    slug = re.sub(r"[^a-z0-9]+", "-", topic.lower()).strip("-") or "answer"
    return f"{choice.game}.fuzz.{slug}-{digest}"


#: A scenario, or a step of one, as its file has it; which keys are there depends on the game and on the finding.
Written: TypeAlias = dict[str, Json]


def write_scenario(finding: Finding, choice: Choice, data: Folder = None) -> Written | None:
    """Return the scenario of a finding as its file has it; None for a mishap, which is no answer to be expected.

    What the rules answer is expected, of a list of acts, a view or a score only what the finding is about. Readings
    that are not the edition's own are its premise.
    """
    last, wanted = finding.messages[-1], finding.wanted
    if not wanted:
        return None
    reason = find_reason(finding.disputed, choice, data)
    clauses = reason.clauses or _fall_back(choice, data)
    own = book(choice.game, data or choice.project).editions[choice.edition].readings
    premise = {key: value for key, value in choice.readings if own.get(key) != value}
    player = machine(choice, data)
    given, deal = parts(player, finding.start)
    order = {outside(p.id) for p in player.game.actions[player.game.start.deal].parameters if p.described}
    # Hands say all that the order of the pack does, and can be read.
    dealt = {key: value for key, value in deal.items() if HANDS not in deal or key not in order}
    usual = _find_usual(player)
    before = {key: value for key, value in given.items() if key != "dealer" and usual.get(key) != value}
    with_dealer = {**({"dealer": given["dealer"]} if "dealer" in given else {}), **dealt}
    written: Written = {
        "id": name_scenario(finding, choice, reason),
        "title": _title(finding),
        "clauses": {clause: [_cell(finding)] if not place else ["interaction"] for place, clause in enumerate(clauses)},
        "level": "must",
        "origin": "fuzz",
        "edition": choice.edition,
        "setup": choice.setup,
        "readings": {**premise},
        "because": reason.sentence or "The rules answer so, and a program was seen to answer otherwise.",
        "deal": with_dealer if finding.start else {},
        "before": before if finding.start else {},
        "steps": [*map(dict, finding.messages[:-1]), _step(finding, dict(last))],
    }
    return {key: value for key, value in written.items() if value not in ({}, "")}


def _find_usual(player: Machine) -> Mapping[str, Json]:
    """Return the accounts before a deal that a start has unless it gives others."""
    state, game = player.start({}), player.game
    return {
        key: writer(game.state[name].type, game.deck)(player.get(state, name)) for key, name in game.start.given.items()
    }


def _fall_back(choice: Choice, data: Folder) -> tuple[str, ...]:
    """Return the first clause of the game, for what no clause is known to decide."""
    from brou_conformance.scenarios.corpus import clauses  # noqa: PLC0415 - only where no reason is known

    return (next(iter(clauses(choice.game, data or choice.project))),)


def _step(finding: Finding, last: Written) -> Written:
    """Return the last step with its expectation, under an id of its own."""
    wanted, what = finding.wanted, finding.behaviour[1]
    if "act" in last:
        return {"id": "asked", **last, "expect": "ok" if "ok" in wanted else "no"}
    kind = next(key for key in ("legal", "view", "score", "winner") if key in last)
    if kind == "winner":
        return {"id": "asked", **last, "expect": wanted["winner"]}
    told: Mapping[str, Json] = wanted[kind]
    if kind == "legal":
        return {"id": "asked", **last, "expect": {what: told.get(what, [])}}
    if what in told:
        return {"id": "asked", **last, "expect": {what: told[what]}}
    if kind == "view":
        return {"id": "asked", **last, "expect": {}, "hides": [what]}
    return {"id": "asked", **last, "expect": dict(told)}


def _cell(finding: Finding) -> str:
    """Return what the scenario shows of its clause."""
    last = finding.messages[-1]
    if "view" in last:
        return "shown" if finding.behaviour[1] in finding.wanted["view"] else "hidden"
    if "act" in last:
        return "permits" if "ok" in finding.wanted else "refuses"
    if "legal" in last:
        return "refuses" if finding.behaviour[0] == "offers" else "permits"
    return "value"


def _title(finding: Finding) -> str:
    """Return a title: the question, and after how many acts it is put."""
    last, acts = finding.messages[-1], len(finding.messages) - 1
    kind = next(key for key in ("act", "legal", "view", "score", "winner") if key in last)
    asked = {
        "act": f"Whether seat {last.get('by')} may {next(iter(last.get('act', {})), '')}",
        "legal": f"What seat {last.get('legal')} may {finding.behaviour[1]}",
        "view": f"What seat {last.get('view')} sees of {finding.behaviour[1]}",
        "score": f"The {finding.behaviour[1]} of the score",
        "winner": "Who took the trick",
    }[kind]
    return f"{asked}, after {acts} acts"[:_TITLE] if acts != 1 else f"{asked}, after an act"


def put_scenario(written: Mapping[str, Any], folder: Path, game: str) -> Path:
    """Write a scenario into a file of its own, in the folder of its game; return the file."""
    below = folder / game
    make_folder(below)
    path = below / f"{written['id'].partition('.')[2].replace('.', '-')}.yaml"
    put(path, yaml.dump([dict(written)], Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=_COLUMNS))
    return path


class _Dumper(yaml.SafeDumper):
    """Writes lists and records without others in them in one line: cards, acts, accounts."""


def _write_list(dumper: _Dumper, value: list[Any] | tuple[Any, ...]) -> yaml.Node:
    flow = not any(isinstance(one, dict) for one in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=flow)


def _write_record(dumper: _Dumper, value: Written) -> yaml.Node:
    nested = any(
        isinstance(one, dict) and any(isinstance(item, list) for item in one.values()) for one in value.values()
    )
    flow = not nested and (len(value) <= 1 or not all(isinstance(one, list) for one in value.values()))
    return dumper.represent_mapping("tag:yaml.org,2002:map", value.items(), flow_style=flow and "title" not in value)


_Dumper.add_representer(list, _write_list)
_Dumper.add_representer(tuple, _write_list)
_Dumper.add_representer(dict, _write_record)
