"""Directives for the pages of `docs/`: content generated from the data is spliced in as nodes, never as text.

`{brou-coverage}` tells for every game which cells of its clauses the corpus fills. `{brou-registers}` lists the
registers of all games, `{brou-register} GAME LANGUAGE` is one of them. `{brou-clauses} GAME LANGUAGE` sets each clause
of a game beside its rules and readings, `{brou-games}` links these pages. `{brou-differences} RULES RULES LANGUAGE`
compares two rule bases. `{brou-mutants}` shows the mutation scores, `{brou-bites}` for which clauses statements bite,
`{brou-quick}` what the cases of a quick run notice, `{brou-implementations} FILE` tabulates programs. `{brou-adapter}
GAME` is the guide of a game for the author of an adapter, `{brou-adapters}` links the guides of all games.
`{brou-fields} NAME` tabulates the keys of a message or document and of its parts (`:top:` its own alone),
`{brou-documents}` those of every document.
`{brou-names} MODULE` with names below it describes these from the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.addnodes import pending_xref
from sphinx.util.typing import ExtensionMetadata

import brou
from brou import ORIGINAL, Node, Project, book, catalogue, choose_text, glossary, open_project, prose, root, rules
from brou.games import list_rule_files
from brou_conformance.messages import MESSAGES
from brou_conformance.reports.implementations import TableCell, read_implementations
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.coverage import Coverage, CoverageRow, coverage
from brou_conformance.scenarios.quick import read_quick
from brou_conformance.scenarios.scenario import CELLS
from brou_tools.ambiguities.register_pages import TREATMENTS, Register
from brou_tools.diff.comparison import comparison, example
from brou_tools.diff.wording import Differences
from brou_tools.guides.guide import guide
from brou_tools.guides.guide_page import page
from brou_tools.questions.bite_scores import BiteScores, ClauseBite, read_bites
from brou_tools.questions.mutation_scores import FateCounts, read_scores, sum_counts
from brou_tools.show.clause_pages import ClausePages
from brou_tools.site.field_tables import describe_shapes, section_document, tabulate_fields
from brou_tools.site.interface_entries import describe_names
from brou_tools.site.published_schemas import DOCUMENTS
from brou_tools.site.sphinx_nodes import on_page, table
from brou_tools.site.sphinx_pages import connect
from brou_tools.situation import REGISTER_WORDS
from brou_tools.situation.written import WrittenRules

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class QuickPage(Directive):
    """What the cases of a quick run notice, edition by edition."""

    def run(self) -> Sequence[nodes.Node]:
        """Return the table."""
        found = [(game, known) for game in catalogue() if (known := read_quick(game))]
        rows = [
            [
                [nodes.paragraph("", "", nodes.literal(text=f"{game}@{edition}"))],
                *(
                    [nodes.paragraph(text=text)]
                    for text in (
                        str(len(one.cases)),
                        f"{one.unseen.reached} of {one.unseen.noticed} ({one.unseen.share:.0%})",
                        str(one.noticed),
                        "yes" if one.least == len(one.cases) else f"at least {one.least} are needed",
                    )
                ),
            ]
            for game, known in found
            for edition, one in known.editions.items()
        ]
        heads = ("edition", "cases", "of other mutants they notice", "chosen by", "no fewer do")
        return [table(heads, rows, (30, 10, 30, 10, 20))]


class ImplementationsPage(Directive):
    """The programs of a file: their verdicts, and their known deviations."""

    required_arguments = 1

    def run(self) -> Sequence[nodes.Node]:
        """Return the tables."""
        page = Path(self.state.document.current_source or "")
        return [
            table(one.heads, [[[_show_cell(cell)] for cell in row] for row in one.rows], [1] * len(one.heads))
            for one in read_implementations(page.parent / self.arguments[0])
            if one.rows
        ]


def _show_cell(cell: TableCell) -> nodes.paragraph:
    """Return a cell; a link to a file of the house becomes the name of that file."""
    inner = nodes.literal(text=cell.text) if cell.is_name else nodes.Text(cell.text)
    if not cell.link:
        return nodes.paragraph("", "", inner)
    if cell.link.startswith("https://"):
        return nodes.paragraph("", "", nodes.reference("", "", inner, refuri=cell.link))
    return nodes.paragraph("", "", inner, nodes.Text(" "), nodes.literal(text=cell.link))


class CoveragePage(Directive):
    """A section for each game that has scenarios: totals, a table of clauses and cells, the empty cells and why."""

    def run(self) -> Sequence[nodes.Node]:
        """Return the sections."""
        project = _find_project(self)
        return [_section(project, coverage(game, project, project)) for game in corpus.games(project)]


def _section(project: Project, found: Coverage) -> nodes.section:
    title = choose_text(book(found.game, project).rules.fields["title"], ORIGINAL)
    section = nodes.section(ids=[f"coverage-{found.game}"])
    section += nodes.title(text=title)
    totals = found.totals
    told = (
        f"{totals.scenarios} scenarios, {totals.refusing} of which refuse something. {totals.needed} cells "
        f"are needed: {totals.filled} are filled, {totals.lacking} are empty for a reason"
    )
    section += nodes.paragraph(text=f"{told}, {totals.empty} are empty." if totals.empty else f"{told}.")
    texts = corpus.clauses(found.game, project)
    rows = [_cells(row, texts[row.clause], found.game, project) for row in found.rows]
    section += table(["clause", *CELLS], rows, [4, *[1] * len(CELLS)])
    reasons = list(_reasons(found))
    if reasons:
        section += nodes.rubric(text="Empty, and why")
        section += nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph(text=text)) for text in reasons))
    return section


def _cells(row: CoverageRow, clause: Node, game: str, project: Project) -> list[Sequence[nodes.Node]]:
    """Return a row of the table: the clause with its text, and the number of scenarios in each cell."""
    node = clause.get("text") or clause.get("question")
    said = nodes.paragraph("", "", nodes.literal(text=row.clause))
    text = nodes.paragraph(text=prose(node, rules(game, project), ORIGINAL, project) if node is not None else "")
    return [[said, text], *([_count(row, cell)] for cell in CELLS)]


def _count(row: CoverageRow, cell: str) -> nodes.paragraph:
    """Return how many scenarios fill a cell, with their names in a tooltip."""
    ids = row.cells.get(cell, ())
    if ids:
        return nodes.paragraph("", "", nodes.abbreviation(str(len(ids)), str(len(ids)), explanation=", ".join(ids)))
    return nodes.paragraph(text="empty" if cell in row.empty else "for a reason" if cell in row.lacking else "")


def _reasons(found: Coverage) -> Iterator[str]:
    for row in found.rows:
        yield from (f"{row.clause}, {cell}: {next(iter(row.lacks[cell].values()))}" for cell in row.lacking)
        yield from (f"{row.clause}, {cell}: no scenario yet" for cell in row.empty)
    yield from (f"{question.edition}, {question.key}: no scenario tells its values apart" for question in found.untold)


class RegisterPage(Directive):
    """The register of a game's open passages: its losses, all questions, each with its examples."""

    required_arguments = 2

    def run(self) -> Sequence[nodes.Node]:
        """Return the sections."""
        project = _find_project(self)
        game, lang = self.arguments
        _made_of(self, game)
        found = Register(game, project, lang)
        parts = list(found.sections())
        anchors = {*(entry.id for entry in found.entries), *(c for entry in found.entries for c in entry.clauses)}
        return [*_languages(f"{game}.{{}}", lang, project), *(on_page(part, anchors) for part in parts)]


class RegistersPage(Directive):
    """All registers: for each game how many questions of which treatment it has, with a link in every language."""

    def run(self) -> Sequence[nodes.Node]:
        """Return the table."""
        project = _find_project(self)
        _made_of(self, *catalogue(project))
        rows = [self._row(Register(game, project, ORIGINAL)) for game in catalogue(project)]
        return [table(["", *TREATMENTS, ""], rows, [4, 1, 1, 1, 1, 4])]

    def _row(self, found: Register) -> list[Sequence[nodes.Node]]:
        counted = [sum(entry.treatment == one for entry in found.entries) for one in TREATMENTS]
        links = nodes.paragraph("", "", *_links(f"ambiguities/{found.game}.{{}}", "", found.project))
        cells = [nodes.paragraph(text=str(number)) for number in counted]
        return [[nodes.paragraph(text=found.matter.title)], *([cell] for cell in cells), [links]]


class ClausesPage(Directive):
    """The clauses of a game, chapter by chapter: text, rule and readings side by side."""

    required_arguments = 2

    def run(self) -> Sequence[nodes.Node]:
        """Return the sections."""
        project = _find_project(self)
        game, lang = self.arguments
        _made_of(self, game)
        found = ClausePages(game, lang, project)
        return [
            *_languages(f"{game}.{{}}", lang, project),
            *(on_page(part, found.anchors) for part in found.sections()),
        ]


class GamesPage(Directive):
    """The pages of all games that tell their clauses, in every language."""

    def run(self) -> Sequence[nodes.Node]:
        """Return the table."""
        project = _find_project(self)
        _made_of(self, *catalogue(project))
        return [table(["", "", ""], [self._row(game, project) for game in catalogue(project)], [4, 1, 4])]

    @staticmethod
    def _row(game: str, project: Project) -> list[Sequence[nodes.Node]]:
        title = choose_text(book(game, project).rules.fields["title"], ORIGINAL)
        links = nodes.paragraph("", "", *_links(f"clauses/{game}.{{}}", "", project))
        stated = sum(1 for _ in WrittenRules(game, project).volume.clauses())
        return [[nodes.paragraph(text=title)], [nodes.paragraph(text=f"{stated} clauses")], [links]]


class DifferencesPage(Directive):
    """Two rule bases, topic by topic: a table of contents, then the rows with clauses, proofs and examples."""

    required_arguments = 3

    def run(self) -> Sequence[nodes.Node]:
        """Return the sections."""
        project = _find_project(self)
        one, two, lang = self.arguments
        found = comparison(one, two, project)
        _made_of(self, *(choice.game for choice in found.choices))
        told = Differences(found, lang)
        rows = [on_page(told.row(row, example(found, row)), ()) for row in found.rows]
        page = self.state.document.settings.env.docname.rsplit("/", 1)[-1].removesuffix(f".{lang}")
        return [*_languages(f"{page}.{{}}", lang, project), *rows]


class AdapterPage(Directive):
    """The guide of a game for the author of an adapter; its examples run when the page is made."""

    required_arguments = 1

    def run(self) -> Sequence[nodes.Node]:
        """Return the sections."""
        project = _find_project(self)
        (game,) = self.arguments
        _made_of(self, game)
        return [on_page(part, ()) for part in page(guide(game, project))]


class AdaptersPage(Directive):
    """The pages of all games for authors of adapters."""

    def run(self) -> Sequence[nodes.Node]:
        """Return the list."""
        project = _find_project(self)
        _made_of(self, *catalogue(project))
        items = [nodes.list_item("", nodes.paragraph("", "", self._link(game, project))) for game in catalogue(project)]
        return [nodes.bullet_list("", *items)]

    @staticmethod
    def _link(game: str, project: Project) -> nodes.Node:
        title = choose_text(book(game, project).rules.fields["title"], ORIGINAL)
        return _page_link(f"adapters/{game}", title)


class FieldsPart(Directive):
    """The keys of a message or of a document, from the shapes that state it."""

    required_arguments = 1
    option_spec: ClassVar = {"top": directives.flag}

    def run(self) -> Sequence[nodes.Node]:
        """Return a table a shape."""
        _made_of(self)
        stated = {**MESSAGES, **DOCUMENTS}[self.arguments[0]]
        return list(tabulate_fields(stated) if "top" in self.options else describe_shapes(stated))


class NamesPart(Directive):
    """Names of a module with their signatures, promises and members."""

    required_arguments = 1
    has_content = True

    def run(self) -> Sequence[nodes.Node]:
        """Return a list with an entry a name."""
        _made_of(self)
        return [describe_names(self.arguments[0], " ".join(self.content).split())]


class DocumentsPage(Directive):
    """A section for each document that a command writes."""

    def run(self) -> Sequence[nodes.Node]:
        """Return the sections, by the names of their schemas."""
        _made_of(self)
        return [section_document(name, DOCUMENTS[name]) for name in sorted(DOCUMENTS)]


class MutantsPage(Directive):
    """Mutation scores: a table of games, one of operators, one of the parts mutated."""

    def run(self) -> Sequence[nodes.Node]:
        """Return the tables, and the damages that no obligation has noticed."""
        project = _find_project(self)
        _made_of(self, *catalogue(project))
        found = [scores for game in catalogue(project) if (scores := read_scores(game, project)) is not None]
        games = {choose_text(book(one.game, project).rules.fields["title"], ORIGINAL): one.all for one in found}
        operators, sections = sum_counts(one.operators for one in found), sum_counts(one.sections for one in found)
        unseen = [name for name, tally in sections.items() if tally.others and not tally.obligations]
        told = f"Damage that no obligation has noticed in any game: {', '.join(unseen)}."
        return [
            *(_tabulate_noticed(head, sums) for head, sums in (("game", games), ("what is done", operators))),
            _tabulate_noticed("section of the rules", sections),
            *([nodes.paragraph(text=told)] if unseen else ()),
        ]


class BitesPage(Directive):
    """For which clauses statements bite: how many of each game, then each clause with a damage and who notices it."""

    def run(self) -> Sequence[nodes.Node]:
        """Return the tables."""
        project = _find_project(self)
        _made_of(self, *catalogue(project))
        found = [one for game in catalogue(project) if (one := read_bites(game, project)) is not None]
        titles = {one.game: choose_text(book(one.game, project).rules.fields["title"], ORIGINAL) for one in found}
        counted = [_cells_of(titles[one.game], *map(str, _count_bites(one))) for one in found]
        heads = ("game", "clauses with rules", "bite", "of these, cannot be stated", "do not bite", "without a rule")
        told: list[nodes.Node] = [table(heads, counted, [4, 1, 1, 1, 1, 1])]
        for one in found:
            rows = [_bite_row(id_, clause, one.exempt.get(id_, "")) for id_, clause in one.clauses.items()]
            part = nodes.section("", nodes.title(text=titles[one.game]), ids=[f"bites-{one.game}"])
            part += table(("clause", "statement", "damage that it notices"), rows, [2, 3, 4])
            told.append(part)
        return told


def _count_bites(one: BiteScores) -> tuple[int, ...]:
    """Return the numbers of clauses: with rules, that bite, by a lost statement alone, that do not, without rules."""
    damaged = [clause for clause in one.clauses.values() if clause.damages]
    bitten = [clause for clause in damaged if clause.bites]
    untold = sum(not clause.turned for clause in bitten)
    return len(damaged), len(bitten), untold, len(damaged) - len(bitten), len(one.clauses) - len(damaged)


def _bite_row(id_: str, clause: ClauseBite, why: str) -> list[Sequence[nodes.Node]]:
    """Return a row: a clause, the statement that bites, and the damage; or why there is none."""
    head = [nodes.paragraph("", "", nodes.literal(text=id_))]
    if not clause.bites:
        reason = why or ("not yet" if clause.damages else "no rule of its own")
        return [head, [nodes.paragraph()], [nodes.paragraph(text=reason)]]
    damage = nodes.paragraph("", "", nodes.literal(text=str(clause.mutant)))
    damage += nodes.Text("" if clause.turned else ": the statement can no longer be stated")
    return [head, [nodes.paragraph("", "", nodes.literal(text=str(clause.by)))], [damage]]


def _cells_of(*texts: str) -> list[Sequence[nodes.Node]]:
    return [[nodes.paragraph(text=text)] for text in texts]


def _tabulate_noticed(head: str, sums: Mapping[str, FateCounts]) -> nodes.table:
    """Return a table of mutation scores: how many other rules there were, and which evidence notices how many."""
    rows = []
    for name, tally in sums.items():
        noticed = (tally.scenarios, tally.obligations, tally.alive)
        parts = [f"{count / tally.others:.0%}" if tally.others else "" for count in noticed]
        rows.append([[nodes.paragraph(text=text)] for text in (name, str(tally.others), *parts)])
    return table([head, "other rules", "a scenario", "an obligation", "neither"], rows, [4, 1, 1, 1, 1])


def _find_project(directive: Directive) -> Project:
    """Return the project that the pages are about: the one that `conf.py` names as `brou_project`, or the house."""
    return open_project(directive.state.document.settings.env.config.brou_project or None)


def _made_of(directive: Directive, *games: str) -> None:
    """Tell Sphinx which files a page is made from, so that it is made anew when one of them has changed."""
    project = _find_project(directive)
    packages = (Path(__file__).parents[1], Path(brou.__file__).parent)
    own = [path for package in packages for path in package.rglob("*.py")]
    homes = {root(), project.data}
    named = [home / name for home in homes for name in ("sources.yaml", "glossary.yaml")]
    shared = [*(path for path in named if path.exists()), REGISTER_WORDS]
    data = [path for game in games for path in (*list_rule_files(game, project), *corpus.files(game, project))]
    for path in (*own, *shared, *data):
        directive.state.document.settings.env.note_dependency(str(path))


def _languages(pattern: str, lang: str, project: Project) -> Iterator[nodes.Node]:
    """Yield links to a page in the other languages."""
    yield nodes.paragraph("", "", *_links(pattern, lang, project), classes=["languages"])


def _links(pattern: str, lang: str, project: Project) -> Iterator[nodes.Node]:
    """Yield a link for each language but one, to the page that a pattern names."""
    others = [one for one in glossary(project).languages.values() if one.id != lang]
    for number, one in enumerate(others):
        if number:
            yield nodes.Text(" · ")
        yield _page_link(pattern.format(one.id), one.name)


def _page_link(target: str, words: str) -> nodes.Node:
    """Return a link to a page."""
    return pending_xref(
        "", nodes.inline(text=words), refdomain="std", reftype="doc", reftarget=target, refexplicit=True, refwarn=True
    )


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the directives known to Sphinx."""
    connect(app)
    app.add_config_value("brou_project", "", "env", [str])
    app.add_directive("brou-coverage", CoveragePage)
    app.add_directive("brou-quick", QuickPage)
    app.add_directive("brou-implementations", ImplementationsPage)
    app.add_directive("brou-register", RegisterPage)
    app.add_directive("brou-registers", RegistersPage)
    app.add_directive("brou-clauses", ClausesPage)
    app.add_directive("brou-games", GamesPage)
    app.add_directive("brou-differences", DifferencesPage)
    app.add_directive("brou-mutants", MutantsPage)
    app.add_directive("brou-bites", BitesPage)
    app.add_directive("brou-adapter", AdapterPage)
    app.add_directive("brou-adapters", AdaptersPage)
    app.add_directive("brou-fields", FieldsPart)
    app.add_directive("brou-names", NamesPart)
    app.add_directive("brou-documents", DocumentsPage)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
