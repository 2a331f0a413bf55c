"""Roots for people: what a program plays, in a sentence, then every change with a case, then what none explains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
    explained, cases = words.number(len(summary.explained)), words.count(len(summary.run.failing), "of_failing")
    return words.say("plays_in_part", rules=rules, changes=changes, explained=explained, cases=cases)


def _tell_brief(summary: Summary, one: ToldRoot, teller: Teller) -> str:
    """Return what a program plays otherwise; for a rule without words only that it differs, its text is shown below."""
    change = one.root.change
    told = tell_change(summary.choice(one.shown.setup), change, teller.words, summary.data)
    brief = teller.words.say("one_rule_differs") if told.is_code else told.brief
    return teller.words.say("root", clause=one.root.clause or "/".join(change.at), change=brief)


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


@dataclass(frozen=True, slots=True)
class RootText:
    """A root in words, for every form of the report; a text is empty where there is nothing to tell."""

    clause: str
    #: Every place of the rules that the change touches.
    place: str
    #: Whether the text of the clause says what the rules are: where the change has none of its own.
    cites_clause: bool
    #: What the program does with the rule, in a sentence; where it is empty, the two texts tell it.
    told: str
    before: str
    after: str
    #: The other clauses that no case tells from this one, and how much the root explains.
    others: str
    counts: str
    #: That its smallest case shows another change too.
    caution: str


def describe_root(summary: Summary, one: ToldRoot, teller: Teller) -> RootText:
    """Return a root in words: its place, what the program plays instead, and how much that explains."""
    words, root = teller.words, one.root
    change = tell_change(summary.choice(one.shown.setup), root.change, words, summary.data)
    told = words.say("lifted") if change.is_lifted else ""
    if not told and change.is_partial and not (change.before and change.after):
        told = words.say("asks_more" if change.after else "asks_less", what=change.after or change.before)
    others = [clause for clause in root.clauses if clause != root.clause]
    gone = words.say("gone")
    return RootText(
        clause=root.clause,
        place=", ".join(dict.fromkeys("/".join(at) for at, _, _ in root.change.sites)),
        cites_clause=bool(root.clause) and not change.is_text,
        told=told,
        before=change.before or gone,
        after=change.after or gone,
        others=words.say("or_clauses", clauses=", ".join(others)) if others else "",
        counts=_tell_counts(summary, one, teller),
        caution=words.say("others_show") if len(summary.roots) > 1 and not root.untouched else "",
    )


def _tell_root(summary: Summary, teller: Teller, number: int, one: ToldRoot) -> Iterator[str]:
    """Yield a root: its clause, both texts, how much it explains, and its smallest case."""
    words, page, root = teller.words, teller.page, describe_root(summary, one, teller)
    # Where it stands in the generated rules is for programs: a clause says it to people.
    yield f"  {page.paint(f'{number}. {root.clause or root.place}', 'strong')}"
    case = summary.case(one.shown)
    if root.cites_clause:
        yield from teller.clause(summary, root.clause, one.shown.setup, "    ")
    if root.told:
        yield from page.wrap(root.told, "      ", "        ")
    else:
        yield from teller.answers((words.say("program"), root.after), (words.say("rules"), root.before), "      ")
    if root.clause:
        yield from teller.sources(case, root.clause, "    ")
    shown = expect_shown(case)
    example = words.say("example", step=shown.step, place=shown.place)
    for line in filter(None, (root.others, root.counts, example, root.caution)):
        yield from page.wrap(line, "    ", "      ")
    yield from teller.moment(summary, case, shown, "      ")


def _tell_counts(summary: Summary, one: ToldRoot, teller: Teller) -> str:
    """Return how many failing cases a root explains, alone and in all, and how many passing ones it would break."""
    words, root = teller.words, one.root
    explained, alone = words.number(len(root.explains)), words.number(len(root.alone))
    cases = words.count(len(summary.run.failing), "of_failing")
    counted = words.say("root_explains", explained=explained, cases=cases, alone=alone)
    if not root.contradicts:
        return counted
    return f"{counted} {words.say('root_contradicts', broken=words.count(root.contradicts, 'passing'))}"


def tell_behaviour(one: ToldBehaviour, teller: Teller) -> str:
    """Return what a program does otherwise, in how many cases, and the one that shows it soonest."""
    words, found = teller.words, one.behaviour
    does = words.say(f"it_{found.direction.value}", what=found.what)
    return words.say("topic", topic=does, cases=words.count(len(found.cases), "case"), step=one.shown.step)
