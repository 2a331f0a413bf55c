"""A verdict to show where a site has no programs: on a program that plays by its rules, one of which is damaged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from brou import BrouError, Choice, Machine, patch_rules
from brou.games import Mutant, list_mutants, load_mutant
from brou_conformance.programs.engine import ReferenceEngine
from brou_conformance.programs.in_process import Inside
from brou_conformance.programs.session import Session
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.summary import summarise
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import Report, verify
from brou_tools.site.game_pages import GamePages
from brou_tools.site.program_pages import SampleVerdict, show_verdict
from brou_tools.situation.examples import choose_rules
from brou_tools.verify.verdict_page import SitePlace, write_verdict_page

_PLACE = "verdict.html"


class DamagedEngine(ReferenceEngine):
    """The reference engine with a damage to the one rule base that it plays."""

    name = "example"

    def __init__(self, choice: Choice, mutant: Mutant) -> None:
        super().__init__([choice])
        self._damaged = Machine(load_mutant(choice, mutant))

    def open_machine(self, choice: Choice) -> Machine:  # noqa: ARG002 - it knows no other rules
        """Return the damaged machine."""
        return self._damaged


@dataclass(frozen=True, slots=True)
class ExampleVerdict:
    """Writes the verdict on a damaged engine: the damage is to a clause that refuses a card on the first screen."""

    report: Report

    @property
    def page_count(self) -> int:
        """Return how many pages there are in each language."""
        return 1

    @classmethod
    def find(cls, game: GamePages) -> ExampleVerdict | None:
        """Return the first verdict on a damaged engine with an explanation, or None."""
        # It is asked the scenarios that cite the clause.
        if game.sample is None:
            return None
        scenario, scene = game.sample
        choice = choose_rules(scenario, None, game.project)
        refusing = [clause for _, _, clause in scene.refused if clause]
        found = [one for one in list_mutants(patch_rules(choice)) if one.clause in refusing]
        # A duty that is not held to at all comes first: everybody understands it, and it has words in every language.
        for mutant in sorted(found, key=lambda one: (refusing.index(one.clause), one.operator != "drop-row")):
            try:
                engine = DamagedEngine(choice, mutant)
            except BrouError:
                continue
            cited = frozenset(one.id for one in game.scenarios if mutant.clause in one.clauses)
            selection = Selection(corpus=game.project, data=game.project, only=cited)
            with Session(partial(Inside, engine.answer)) as session:
                report = verify(session, selection)
            if any(summary.roots for summary in summarise(report.runs)):
                return cls(report)
        return None

    def show_sample(self, games: Sequence[GamePages]) -> SampleVerdict:
        """Return the verdict for the first screen."""
        return show_verdict(next(iter(summarise(self.report.runs))), _PLACE, games)

    def write_all(self, games: Sequence[GamePages], langs: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield its page in the language of some games, by its place."""
        words = games[0].words
        tongues = [(f"../{lang}/{_PLACE}", lang, words.name_language(lang)) for lang in langs]
        place = SitePlace([("index.html", "Brou")], tongues)
        teller = Teller(Sentences(words.lang, words.project))
        yield _PLACE, write_verdict_page(self.report, teller, "brou verify -- COMMAND", place=place)
