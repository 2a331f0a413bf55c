"""Roots for people: what a program plays, in a sentence, then every change with a case, then what none explains."""

from __future__ import annotations

from collections.abc import Iterator

from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.changed_rules import tell_change
from brou_conformance.reports.summary import Summary, ToldBehaviour, ToldRoot, expect_shown


def tell_play(summary: Summary, teller: Teller) -> str:
    """Return in a sentence which rules a program plays that deviates; nothing where no change was found."""
    found, words = summary.run.explanation, teller.words
    if not summary.roots:
        return ""
    changes = "; ".join(_tell_brief(summary, one, teller) for one in summary.roots)
    read = ", ".join(f"{key} = {value}" for key, value in summary.otherwise_read)
    rules = words.say("with_readings", rules=summary.name, readings=read) if read else summary.name
    if found.is_whole:
        return words.say("plays", rules=rules, changes=changes)
    explained, cases = words.number(len(summary.explained)), words.count(len(summary.run.failing), "of_case")
    return words.say("plays_in_part", rules=rules, changes=changes, explained=explained, cases=cases)


def _tell_brief(summary: Summary, one: ToldRoot, teller: Teller) -> str:
    change = one.root.change
    told = tell_change(summary.choice(one.shown.setup), change, teller.words, summary.data)
    return teller.words.say("root", clause=one.root.clause or "/".join(change.at), change=told.brief)


def tell_roots(summary: Summary, teller: Teller, told: set[str]) -> Iterator[str]:
    """Yield the lines of every root and of what no change explains; the steps shown are added to those told."""
    found, words, page = summary.run.explanation, teller.words, teller.page
    if found.trace:
        yield from page.wrap(words.say("no_explanation"), "  ", "    ")
    for number, one in enumerate(summary.roots, 1):
        yield ""
        yield from _tell_root(summary, teller, number, one)
        told.add(one.shown.step)
    if summary.behaviours:
        yield ""
        yield from page.wrap(words.say("behaviours" if summary.roots else "behaviours_alone"), "  ", "    ")
        for behaviour in summary.behaviours:
            yield from page.wrap(tell_behaviour(behaviour, teller), "    ", "      ")
    if found.is_cut_short and not found.is_whole:
        yield from page.wrap(words.say("cut_short"), "  ", "    ")


def _tell_root(summary: Summary, teller: Teller, number: int, one: ToldRoot) -> Iterator[str]:
    """Yield a root: how much it explains, its clause, what stands there and instead, and its smallest case."""
    words, page, root = teller.words, teller.page, one.root
    place = ", ".join("/".join(at) for at, _, _ in root.change.sites)
    name = words.say("root_place", clause=root.clause, place=place) if root.clause else place
    yield f"  {page.paint(f'{number}. {name}', 'strong')}"
    case = summary.case(one.shown)
    change = tell_change(summary.choice(one.shown.setup), root.change, words, summary.data)
    if root.clause and not change.is_text:
        yield from teller.clause(summary, root.clause, one.shown.setup, "    ")
    if change.is_lifted:
        yield from page.wrap(words.say("lifted"), "      ")
    elif change.is_partial and not (change.before and change.after):
        said = words.say("asks_more" if change.after else "asks_less", what=change.after or change.before)
        yield from page.wrap(said, "      ", "        ")
    else:
        gone = words.say("gone")
        said, wanted = (words.say("program"), change.after or gone), (words.say("rules"), change.before or gone)
        yield from teller.answers(said, wanted, "      ")
    if root.clause:
        yield from teller.sources(case, root.clause, "    ")
    others = [clause for clause in root.clauses if clause != root.clause]
    if others:
        yield from page.wrap(words.say("or_clauses", clauses=", ".join(others)), "    ", "      ")
    yield from page.wrap(tell_counts(summary, one, teller), "    ", "      ")
    shown = expect_shown(case)
    yield from page.wrap(words.say("example", step=shown.step, place=shown.place), "    ", "      ")
    if len(summary.roots) > 1 and not root.untouched:
        yield from page.wrap(words.say("others_show"), "    ", "      ")
    yield from teller.moment(summary, case, shown, "      ")


def tell_counts(summary: Summary, one: ToldRoot, teller: Teller) -> str:
    """Return how many failing cases a root explains, alone and in all, and how many passing ones it would break."""
    words, root = teller.words, one.root
    explained, alone = words.number(len(root.explains)), words.number(len(root.alone))
    cases = words.count(len(summary.run.failing), "of_case")
    counted = words.say("root_explains", explained=explained, cases=cases, alone=alone)
    if not root.contradicts:
        return counted
    return f"{counted} {words.say('root_contradicts', broken=words.count(root.contradicts, 'case'))}"


def tell_behaviour(one: ToldBehaviour, teller: Teller) -> str:
    """Return what a program does otherwise, in how many cases, and the one that shows it soonest."""
    words, found = teller.words, one.behaviour
    does = words.say(f"it_{found.direction.value}", what=found.what)
    return words.say("topic", topic=does, cases=words.count(len(found.cases), "case"), step=one.shown.step)
