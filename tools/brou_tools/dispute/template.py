"""The template of an objection: the case, the answer of the suite with its reasons, and questions to the objector."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from brou import ORIGINAL, Choice, Unknown
from brou_conformance.judging.judge import tell_result
from brou_conformance.portable.errata import Errata, read_errata
from brou_conformance.programs.engine import find_version
from brou_conformance.reports.sources import cite, tell_clause
from brou_conformance.scenarios.scenario import Pattern, Scenario, ScriptStep
from brou_conformance.scenarios.script import spell

_ASKED = """
## What should be said instead

The answer that is right:

Tick what it rests on, and fill in the lines below it.

- [ ] **The passage says otherwise.** Which words of it, at most eight:
- [ ] **The passage leaves it open**, and there is another reading. The question, the reading, an argument for it:
- [ ] **Another source settles it.** Author, title, place, year, passage, and where a copy can be seen:
- [ ] **The case is wrong in itself**: it cannot be dealt, or asks for something that no player can know:

Programs that play it that way, with version and date, if you know of any:
"""


def write_case(one: Scenario, choice: Choice, step: str, texts: Path | None = None) -> str:
    """Return the template for a scenario, or for one of its steps; raise `Unknown` for a step that it does not have."""
    script = spell(one, choice)
    steps = [found for found in script.steps if found.id == step] if step else [s for s in script.steps if s.named]
    if step and not steps:
        raise Unknown(f"step of {one.id}", step, [found.id for found in script.steps])
    name = f"{one.id}#{step}" if step else one.id
    request = script.request((found.message for found in script.steps), script.start, readings=bool(one.premise))
    lines = [
        *_begin(name, choice),
        f"- what it shows: {one.title} (`{one.place}`)",
        f"- why: {' '.join(one.because.split())}",
        f"- how strict: {one.level}",
        *_tell_changes(one.id, read_errata(choice.project)),
        f"- see also: `brou corpus show {one.id}`, `brou explain {name}`",
        "",
        *(f"- `{found.id}` {_ask(found)}: {_answer(found)}" for found in steps),
        "",
        "```json",
        json.dumps(request, ensure_ascii=False),
        "```",
        *_rest_on(one.clauses, choice, texts),
    ]
    return "\n".join(lines) + "\n" + _ASKED


def write_clause(id_: str, choice: Choice, texts: Path | None = None) -> str:
    """Return the template for a clause or an open passage."""
    lines = [*_begin(id_, choice), f"- see also: `brou show {id_}`", *_rest_on([id_], choice, texts)]
    return "\n".join(lines) + "\n" + _ASKED


def _begin(name: str, choice: Choice) -> Iterator[str]:
    yield from (f"# Dispute: {name}", "", "## What the suite says", "")
    yield f"- rules: {choice}, suite {find_version()}"


def _ask(step: ScriptStep) -> str:
    return f"`{json.dumps(step.message, ensure_ascii=False)}`"


def _answer(step: ScriptStep) -> str:
    """Return the expected answer, or that under each value of a reading."""
    if step.expected is not None:
        return _tell(step.expected)
    return "; ".join(f"{_tell(pattern)} if {step.reading}={value}" for value, pattern in step.values.items())


def _tell(pattern: Pattern) -> str:
    return tell_result(pattern.key, pattern.value, pattern.hides)


def _rest_on(clauses: Iterable[str], choice: Choice, texts: Path | None) -> Iterator[str]:
    """Yield the clauses with their texts, their passages, and since when they mean what they mean."""
    errata = read_errata(choice.project)
    yield from ("", "## What that rests on")
    for id_ in clauses:
        yield from ("", f"**{id_}** {tell_clause(choice, id_, ORIGINAL, choice.project)}", "")
        for source in cite(choice.game, id_, choice.project, texts):
            words = f": “{source.words}”" if source.words else ""
            yield f"- {source.title or source.work}, {source.at}{words}"
        yield from _tell_age(id_, errata)


def _tell_age(id_: str, errata: Errata) -> Iterator[str]:
    if not errata.tell_history(id_):
        yield f"- unchanged since {errata.index} or earlier"
    yield from _tell_changes(id_, errata)


def _tell_changes(id_: str, errata: Errata) -> Iterator[str]:
    """Yield since when a case, a clause or an open passage has meant something else, why, and by which passage."""
    for entry in errata.tell_history(id_):
        passage = f" ({entry.passage.source}, {entry.passage.at})" if entry.passage else ""
        yield f"- {entry.since}: {' '.join(entry.because.split())}{passage}"
