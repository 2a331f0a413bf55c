"""Rules as the chapters write them, as nodes to show beside their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from docutils import nodes

from brou import Project, Unknown, book
from brou.chapters import Variants
from brou_tools.documents.nodes import make_citation, make_code, paragraph, text
from brou_tools.situation.excerpts import Rule, by_key, quote_changes, quote_clause, quote_question


class WrittenRules:
    """Quotes the chapters of a game; raises `Unknown` for one that has none."""

    def __init__(self, game: str, project: Project) -> None:
        maker = book(game, project).maker
        if not isinstance(maker, Variants):
            raise Unknown("game in chapters", game, ())
        self.project = project
        self.volume = maker.volume
        self.folder = f"games/{game}"
        self.questions = by_key(self.volume)

    def of_clause(self, id_: str, has_place: Callable[[str], bool]) -> Sequence[nodes.Node]:
        """Return the rules of a clause, those of the prelude that cite it, and the ids of others with rules about it.

        An id is a link where it has a place of its own beside this.
        """
        quoted = list(quote_clause(self.volume, self.project, id_))
        own = self.volume.frame.read_label(id_)
        here = [rule for rule in quoted if own == _head(rule) or not rule.file.startswith(f"{self.folder}/")]
        others = dict.fromkeys(self.volume.frame.spell_id(_head(rule)) for rule in quoted if rule not in here)
        cited = [part for other in others for part in (text(" "), make_citation(other, here=has_place(other)))]
        return [*self._write(here), *([paragraph(text("→"), *cited, classes=["place"])] if cited else [])]

    def of_question(self, id_: str) -> Sequence[nodes.Node]:
        """Return what a question says that is no text: its key, where it arises, its number."""
        return self._write(quote_question(self.project, self.questions[id_]))

    def of_reading(self, id_: str, value: str) -> Sequence[nodes.Node]:
        """Return what a reading changes; nothing for one that leaves the rules as they are written."""
        return self._write(quote_changes(self.project, self.questions[id_], value))

    def _write(self, rules: Iterable[Rule]) -> Sequence[nodes.Node]:
        return [node for rule in rules for node in self._show(rule)]

    def _show(self, rule: Rule) -> Iterator[nodes.Node]:
        """Yield lines of a chapter under their label and place, named without the folder of the game."""
        place = f"{rule.file.removeprefix(f'{self.folder}/')}:{rule.line}"
        yield paragraph(nodes.literal(text=rule.path), nodes.Text(" "), nodes.literal(text=place), classes=["place"])
        yield make_code(rule.text, "yaml")


def _head(rule: Rule) -> str:
    """Return the label of the clause or question that a rule is labelled by."""
    return rule.path.partition("/")[0]
