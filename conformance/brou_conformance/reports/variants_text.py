"""Metamorphic tests in words: the pairs asked, and the smallest pair of each kind with different answers."""

from __future__ import annotations

from collections.abc import Iterator

from brou_conformance.judging.case import tell_act, tell_question, tell_start, tell_value
from brou_conformance.judging.judge import tell_result
from brou_conformance.metamorphic.pairs import Counterexample, Relation
from brou_conformance.protocol import Message
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.sentences import Sentences, join
from brou_conformance.scenarios.scenario import ScriptStep
from brou_conformance.verdicts.verdict import EditionRun


def tell_variants(run: EditionRun, teller: Teller) -> Iterator[str]:
    """Yield how many pairs were put, and the smallest pair of each kind with different answers."""
    if not run.families:
        return
    words, page = teller.words, teller.page
    asked = [
        f"{words.word('pairs', kind.value)}: {words.number(one.pairs)}"
        for kind, one in run.families.items()
        if one.pairs
    ]
    yield from page.wrap(words.say("asked_in_pairs", kinds=", ".join(asked) or words.say("no_pairs")), "  ")
    lost = sum(family.lost for family in run.families.values())
    if lost:
        yield from page.wrap(words.say("pairs_lost", pairs=words.count(lost, "pair")), "  ")
    for kind, family in run.families.items():
        for example in family.examples[:1]:
            yield ""
            number, pairs = words.number(family.differ), words.count(family.pairs, "of_pair")
            name = words.word("pairs", kind.value)
            yield from page.wrap(words.say("pairs_differ", kind=name, number=number, pairs=pairs), "  ")
            yield from _tell_pair(example, teller)


def _tell_pair(example: Counterexample, teller: Teller) -> Iterator[str]:
    """Yield a pair: the deal, the acts, the question, and the two answers."""
    words, pair, (_, number) = teller.words, example.pair, example.difference.numbers
    step = pair.other.steps[number]
    base = pair.base.scenario
    yield from teller.page.wrap(words.say("smallest_pair", id=base.id, place=base.place), "    ")
    yield from (f"      {line}" for line in _tell_names(example, words))
    shown = pair.base if pair.kind is Relation.HIDDEN else pair.other
    for line in tell_start(shown.start):
        yield from teller.line(_echo_start(line, words), "      ")
    if pair.kind is Relation.HIDDEN:
        for line in tell_start(pair.other.start):
            if line not in {*tell_start(pair.base.start)}:
                yield from teller.line(words.say("or_so", line=_echo_start(line, words)), "      ")
    marked = {pair.other.steps[one].id for one in pair.refused}
    refused = f" [{words.echo('refused')}]"
    acts = [f"{tell_act(one)}{refused * (one.id in marked)}" for one in shown.steps[:number] if one.verb == "act"]
    if acts:
        yield from teller.line(teller.story(acts), "      ")
    yield from teller.line(words.echo(tell_question(step)), "      ")
    wanted, said = (words.echo(_tell_answer(step, one)) for one in (example.difference.wanted, example.difference.said))
    kind = pair.kind.value
    first = words.say("rules") if number in pair.refused else words.word("first_answers", kind)
    second = words.word("second_answers", kind) if words.has("second_answers", kind) else words.say("program")
    yield from teller.answers((first, wanted), (second, said), "        ")


def _echo_start(line: str, words: Sentences) -> str:
    return join(map(words.echo, line.split(", ")))


def _tell_names(example: Counterexample, words: Sentences) -> Iterator[str]:
    """Yield the seat that cannot tell the deals apart, or the exchanged names."""
    pair = example.pair
    if pair.seat is not None:
        yield words.say("cannot_tell_apart", seat=pair.seat)
    if pair.kind is Relation.SEATS:
        seats = list(pair.names.seats)
        yield words.say("seats_turned", one=tell_value(list(range(len(seats)))), two=tell_value(seats))
    if pair.kind is Relation.SUITS:
        suits = pair.names.suits
        yield words.say("suits_exchanged", one=tell_value(list(suits)), two=tell_value(list(suits.values())))


def _tell_answer(step: ScriptStep, said: Message) -> str:
    if step.verb in ("act", "winner"):
        return next(tell_result(key, value) for key, value in said.items())
    known = {key: value for key, value in said.items() if value is not None}
    return tell_result(step.verb, known, [key for key in said if key not in known])
