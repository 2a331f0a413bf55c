"""A witness as people read it: the question, its two readings, the situation, and the answer of each reading."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from brou import (
    HANDS,
    STOCK,
    TURNUP,
    ActRoute,
    Choice,
    Impossible,
    Json,
    Project,
    Question,
    RouteAct,
    Words,
    book,
    explain_briefly,
)
from brou.shapes import ABSENT
from brou_conformance.metamorphic.renaming import canonical
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import machine, spell
from brou_tools.questions.compatible import full_name
from brou_tools.questions.parting import SeparatingScenario, find_parting
from brou_tools.questions.phrasing import (
    phrase_key,
    phrase_pair,
    phrase_question,
    phrase_route,
    phrase_start,
    wrap_lines,
)
from brou_tools.questions.register import Witness, questions
from brou_tools.questions.situation import Situation
from brou_tools.witness.report import ShownWitness


def parting_of(one: Witness, project: Project) -> SeparatingScenario:
    """Return the step at which the scenario of a witness distinguishes its two values."""
    game, scenario = next(
        (game, found)
        for game in corpus.games(project)
        for found in corpus.scenarios(game, project)
        if found.id == one.scenario
    )
    found = find_parting(scenario, project, questions(game, project)[one.ambiguity].string("key"), one.pair)
    if found is None:
        raise Impossible(f"{one.scenario} does not distinguish {' and '.join(one.pair)}")
    return found


def describe(one: Witness, project: Project) -> ShownWitness:
    """Return a witness as the document that programs read."""
    if not one.scenario:
        return ShownWitness(ambiguity=one.ambiguity, pair=one.pair, harmless=one.harmless)
    found = parting_of(one, project)
    return ShownWitness(
        ambiguity=one.ambiguity,
        pair=one.pair,
        scenario={key: member.plain() for key, member in corpus.source(found.scenario, project).fields.items()},
        step=found.step.id,
        asked=dict(found.step.message),
        answers=dict(zip(one.pair, map(dict, found.answers), strict=True)),
        deals=one.deals,
        decisions=one.decisions,
        tried=one.tried,
        cards=one.cards or ABSENT,
    )


def tell_witness(one: Witness, game: str, project: Project, lang: str) -> str:
    """Return a witness in words of a language."""
    words = Words(machine(_plain(game, project)).game, lang, project)
    lines = list(_head(one, game, project, words))
    if one.scenario:
        found = parting_of(one, project)
        lines += [
            *_situation(found, words),
            "",
            *_answers(one, found, words),
            "",
            *_bounds(one, words),
            *_replay(found),
        ]
    else:
        lines += wrap_lines(one.harmless, "  ")
    return "\n".join(lines) + "\n"


def _plain(game: str, project: Project) -> Choice:
    data = book(game, project)
    edition = next(iter(data.editions.values()))
    return Choice(game, edition.id, next(iter(edition.setups)), tuple(sorted(edition.readings.items())), project)


def _head(one: Witness, game: str, project: Project, words: Words) -> Iterator[str]:
    """Yield the question and the two readings with the arguments for them."""
    yield one.ambiguity
    yield from wrap_lines(words.clause(one.ambiguity), "  ")
    readings = questions(game, project)[one.ambiguity].fields["readings"].fields
    for value in one.pair:
        yield f"  - {value}"
        argument = readings[value].get("argument")
        if argument is not None:
            yield from wrap_lines(words.text({lang: item.text for lang, item in argument.fields.items()}), "      ")
    yield ""


# The situation ----------------------------------------------------------------


def _situation(found: SeparatingScenario, words: Words) -> Iterator[str]:
    """Yield the start, the hands, and the acts before the question."""
    choice, scenario = found.choices[0], found.scenario
    yield f"{choice}  {corpus.translate(scenario, words.lang, choice.project).title}"
    yield from phrase_start(spell(scenario, choice).start, words)
    steps = [step for step in scenario.steps(words.game.seats)[: found.number] if step.verb == "act"]
    accepted = [step.deed for step, answer in zip(steps, _list_taken(found), strict=True) if "ok" in answer]
    yield from phrase_route(accepted, words, told=bool(steps))


def _list_taken(found: SeparatingScenario) -> list[Mapping[str, Json]]:
    """Return the answers to the acts before the question, the same under both readings."""
    steps = found.scenario.steps(machine(found.choices[0]).game.seats)
    return [answer for answer, step in zip(found.tale, steps, strict=False) if step.verb == "act"]


# The answers ------------------------------------------------------------------


def _answers(one: Witness, found: SeparatingScenario, words: Words) -> Iterator[str]:
    """Yield the question, and the answer of each reading."""
    yield phrase_question(found.step, words)
    here, there = (_answer(found, side, words) for side in range(2))
    for value, lines in ((one.pair[0], here), (one.pair[1], there)):
        yield f"  {words.frame('is', what=words.frame('read_as', reading=value), value='').rstrip()}"
        for line in lines:
            yield from wrap_lines(line, "    ")


def _answer(found: SeparatingScenario, side: int, words: Words) -> list[str]:
    """Return the answer of one of the two rules, reduced to its difference from the other's."""
    if found.step.verb == "act":
        return [_verdict(found, found.choices[side], words)]
    mine, theirs = (_inside(found.answers[place]) for place in (side, 1 - side))
    lines = []
    for key in {**mine, **theirs}:
        if canonical(mine.get(key)) != canonical(theirs.get(key)):
            name = phrase_key(found.step, key, words)
            lines.append(phrase_pair(name, mine.get(key), words))
    return lines


def _inside(answer: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the fields of an answer."""
    value = next(iter(answer.values()))
    return value if isinstance(value, dict) else dict(answer)


def _verdict(found: SeparatingScenario, choice: Choice, words: Words) -> str:
    """Return whether the act is allowed, and why."""
    scenario: Scenario = found.scenario
    script = spell(scenario, choice)
    moves = tuple(RouteAct(step.id, *step.deed) for step in script.steps[: found.number] if step.verb == "act")
    judgement = explain_briefly(choice, ActRoute(script.start, moves), Question("act", *found.step.deed))
    spoken = Words(machine(choice).game, words.lang, choice.project)
    return spoken.verdict(allowed=judgement.allowed, why=spoken.sentence(judgement.because))


def _bounds(one: Witness, words: Words) -> Iterator[str]:
    """Yield how far it was looked for less."""
    if one.decisions and one.tried:
        yield words.frame("none_shorter", tried=words.number(one.tried))
    if one.cards:
        yield words.frame("never_fewer", cards=words.number(one.cards))
    if one.cards or (one.decisions and one.tried):
        yield ""


def _replay(found: SeparatingScenario) -> Iterator[str]:
    """Yield the commands that show it again, step by step."""
    yield f"$ brou corpus show {found.scenario.id}"
    for choice in found.choices:
        yield f"$ brou explain {found.scenario.id}#{found.step.id} --rules '{full_name(choice)}'"


def draft_scenario(one: Situation) -> str:
    """Return a situation as a scenario; its words, and the expectations of the text, are still to write."""
    start = {key: one.start[key] for key in ("dealer", HANDS, TURNUP, STOCK) if key in one.start}
    given = {key: value for key, value in one.start.items() if key in one.game.start.given and key != "dealer"}
    lines = [f"# {full_name(one.rules[0])}", f"- deal: {json.dumps(start)}", f"  before: {json.dumps(given)}"]
    lines.append("  steps:")
    lines += [f"  - {{by: {by}, act: {json.dumps(act)}}}" for by, act in one.acts]
    lines += [f"  - {json.dumps(one.question)}", *(f"    # {json.dumps(answer)}" for answer in one.answers())]
    return "\n".join(lines) + "\n"
