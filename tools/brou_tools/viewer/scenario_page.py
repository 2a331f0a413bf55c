"""A scenario as a page for browsers: every step with the table, the hand, and the legal cards."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from brou import Choice, Words, rules
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.sources import tell_clause
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import spell
from brou_tools.pages.card_text import CardText
from brou_tools.pages.page_writer import write_whole_page
from brou_tools.viewer.scenes import list_scenes, tell_score


def write_scenario_page(one: Scenario, choice: Choice, lang: str, folder: Path) -> str:
    """Return a page that needs no other file and shows a scenario as some rules play it."""
    words, sentences = Words(rules(choice), lang, choice.project), Sentences(lang, choice.project)
    cards = CardText(frozenset(words.game.deck.cards), lang, words.glossary)
    script = spell(one, choice)
    told = corpus.translate(one, lang, folder)

    def word(entry: str, /, **parts: object) -> str:
        return sentences.tell("page", entry, **parts)

    return write_whole_page(
        "scenario.html.jinja",
        cards.style_cards(),
        lang=lang,
        word=word,
        cards=cards,
        title=told.title,
        because=told.because,
        scenario=one,
        rules=str(choice),
        scenes=list(list_scenes(script, words)),
        score=tell_score(script, words),
        anchor=lambda clause: f"#clause-{clause}" if clause in one.clauses else "",
        clauses=[(clause, tell_clause(choice, clause, lang)) for clause in one.clauses],
        version=version("brou"),
    )
