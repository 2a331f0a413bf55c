"""`brou explain`: why an act is allowed or not, how a figure comes about, why something is seen."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from brou import (
    ActRoute,
    Choice,
    Json,
    NoFile,
    Project,
    Question,
    RouteAct,
    Unknown,
    Words,
    choose,
    complete,
    explain,
    parts,
    rules,
)
from brou.answers import DEAL, RecordRoute, Route
from brou.games.record import COUNT, POSITION, WRITTEN, Dealt, GameRecord, identify, position, record
from brou.reasons import Explanation
from brou.words import ExplanationReport, document_explanation, find_user_language
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario, ScriptStep
from brou_conformance.scenarios.script import machine, spell
from brou_tools.documents.json_document import print_report, print_schema
from brou_tools.explain.explanation_text import tell_explanation
from brou_tools.explain.options import ExplainOptions
from brou_tools.options.agreed import read_agreement
from brou_tools.situation.examples import choose_rules
from brou_tools.terminal.closing import conclude
from brou_tools.terminal.exits import Exit


def run(options: ExplainOptions) -> int:
    """Explain a step of a scenario, a position or a moment of a record."""
    if options.schema:
        print_schema("explanation")
        return Exit.FINE
    lang = find_user_language(options.lang, os.environ, options.project)
    agreed = read_agreement(options.agreement, options.project).full if options.agreement else None
    found, subject, steps = _find_explanation(options.subject, agreed or options.rules, options.project)
    words = Words(rules(found.choice), lang, found.choice.project)
    conclude(f"explained {options.subject}")
    if options.json:
        print_report(ExplanationReport(games=(document_explanation(found, words, subject),)))
    else:
        print(tell_explanation(found, subject, words, steps), end="")
    return Exit.FINE


def _find_explanation(subject: str, named: str | None, project: Project) -> tuple[Explanation, str, Sequence[str]]:
    """Return the explanation, the name of its subject, and the named steps of a scenario if its last one was taken."""
    name, _, moment = subject.partition("#")
    if name.endswith((".yaml", ".yml")):
        return *_of_file(Path(name), moment, named, project), ()
    one = _scenario(name, project)
    choice = choose_rules(one, named, project)
    script = spell(one, choice)
    number = _number(script.steps, moment, one)
    moves = tuple(_move(step) for step in script.steps[:number] if step.verb == "act")
    found = explain(choice, ActRoute(script.start, moves), _question(script.steps[number]))
    last = script.steps[number]
    steps = () if moment else [step.id for step in script.steps if step.named or step is last]
    return found, f"{one.id}#{last.id}", steps


def _of_file(path: Path, moment: str, named: str | None, project: Project) -> tuple[Explanation, str]:
    """Explain a position, or a moment of a record."""
    if not path.is_file():
        raise NoFile(path, "a position (brou-position/1) or a record (brou-record/1)")
    kind, own = identify(path)
    choice = choose(named or own, project)
    game = rules(choice)
    route: Route
    if kind == POSITION:
        if moment:
            raise Unknown("moment of a position", moment, ["none: leave it out"])
        asked = position(path, game)
        moves = tuple(RouteAct(told.step, told.seat, told.act) for told in asked.steps)
        route = ActRoute(complete_start(choice, asked.start), moves)
        question = Question("act" if asked.act else "legal", asked.seat, asked.act)
    else:
        kept = record(path, game)
        deal, step = _moment(kept, moment)
        route = RecordRoute(kept, deal.id, step)
        told = next((told for told in (*deal.opening, *deal.steps) if told.step == step), None)
        question = Question("act", told.seat, told.act) if told else Question("score")
        moment = f"{deal.id}.{step}"
    return explain(choice, route, question), f"{path.name}#{moment}" if moment else path.name


def complete_start(choice: Choice, start: Mapping[str, Any]) -> dict[str, Json]:
    """Return a start with its deal spelt out, so that it can be dealt under other readings too."""
    player = machine(choice)
    given, deal = parts(player, start)
    return {**given, **(complete(player, player.start(given), deal) if deal else {})}


def _moment(kept: GameRecord, moment: str) -> tuple[Dealt, str]:
    """Return the deal and the step that a moment names; without a step the count, without anything the last deal."""
    name, _, step = moment.partition(".")
    deal = next((deal for deal in kept.deals if deal.id == name), None) if name else kept.deals[-1]
    if deal is None:
        raise Unknown("deal of the record", name, [deal.id for deal in kept.deals])
    entries = [f"{entry}, {entry}.1, ..." for entry in deal.short or ()]
    acts = [told.step for told in (*deal.opening, *deal.steps)]
    if step and step not in (COUNT, WRITTEN, DEAL, *acts) and step.partition(".")[0] not in (deal.short or ()):
        raise Unknown(f"moment of deal {deal.id}", step, [*entries, *acts, COUNT, WRITTEN])
    return deal, step or COUNT


def _scenario(name: str, project: Project) -> Scenario:
    everything = [one for game in corpus.games(project) for one in corpus.scenarios(game, project)]
    found = next((one for one in everything if one.id == name), None)
    if found is None:
        raise Unknown("scenario", name, (one.id for one in everything), "brou corpus list")
    return found


def _number(steps: Sequence[ScriptStep], asked: str, one: Scenario) -> int:
    if not asked:
        return len(steps) - 1
    number = next((number for number, step in enumerate(steps) if step.id == asked), None)
    if number is None:
        raise Unknown(f"step of {one.id}", asked, [step.id for step in steps])
    return number


def _move(step: ScriptStep) -> RouteAct:
    return RouteAct(step.id, *step.deed)


def _question(step: ScriptStep) -> Question:
    """Return the question of a step; of a view, also the keys that must be hidden."""
    if step.verb == "act":
        return Question("act", *step.deed)
    asked = step.message[step.verb]
    keys = tuple(dict.fromkeys(key for pattern in step.patterns for key in pattern.hides))
    return Question(step.verb, asked if type(asked) is int else 0, None, keys)
