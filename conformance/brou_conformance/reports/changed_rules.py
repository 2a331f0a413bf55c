"""Changes of the rules in words: what the rules say and what a program plays instead, whole and in brief."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from brou import Change, Choice, Expression, Folder, Game, Machine, Words, choose_text, glossary, prose, render, rules
from brou.language.tree import And, Literal, is_true
from brou.language.unparse import show
from brou.reasons.reasoner import Reasoner, Unsaid
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.sources import read_citable

#: How many words of a text stand in a brief.
_WORDS = 16


@dataclass(frozen=True, slots=True)
class ToldChange:
    """A change in words: what the rules say and what is played instead, nothing where that is gone; and in brief."""

    before: str
    after: str
    brief: str
    #: Whether these are the texts of the clause, and whether all of it is gone.
    is_text: bool = False
    is_lifted: bool = False


def tell_change(choice: Choice, change: Change, words: Sentences, data: Folder = None) -> ToldChange:
    """Return a change in a language: texts of its clause or conditions where there are words, else the rules."""
    return _ChangeTeller(choice, change, words, data).tell()


@dataclass(frozen=True)
class _ChangeTeller:
    choice: Choice
    change: Change
    words: Sentences
    data: Folder

    @cached_property
    def _folder(self) -> Folder:
        return self.data or self.choice.project

    @cached_property
    def _games(self) -> tuple[Game, Game]:
        """Return the rules before and after."""
        game = rules(self.choice, self.data)
        return game, self.change.apply(game)

    def tell(self) -> ToldChange:
        change = self.change
        if (texts := self._find_texts()) is not None:
            return ToldChange(*texts, self._instead(*self._tell_numbers(*texts)), is_text=True)
        if change.was is None:
            brief = self._instead(change.before, change.after) if change.after else self._without(change.before)
            return ToldChange(change.before, change.after, brief)
        before, after = self._condition(change.was), self._condition(change.becomes)
        if self._lifts_duty:
            text = self._quote(self._tell_clause(self._games[0]))
            return ToldChange(before, after, self.words.say("does_not_bind", text=text), is_lifted=True)
        return ToldChange(before, after, self._brief(change.was, change.becomes))

    # Numbers ----------------------------------------------------------------------------------

    def _find_texts(self) -> tuple[str, str] | None:
        """Return the text of the clause before and after, where it tells them apart."""
        before, after = map(self._tell_clause, self._games)
        return (before, after) if before != after else None

    def _tell_clause(self, game: Game) -> str:
        node = read_citable(self.choice.game, self._folder).get(self.change.clause)
        text = None if node is None else node.get("text") or node.get("question")
        if text is None or not choose_text(text, self.words.lang):
            return ""
        return prose(text, game, self.words.lang, self._folder)

    def _tell_numbers(self, *texts: str) -> tuple[str, str]:
        """Return the numbers that differ: those of ranks with them, one number with the word that it counts."""
        section, name = self.change.record
        if section == "attributes":
            ranks = [{card[0]: value for card, value in game.attributes[name].values.items()} for game in self._games]
            if any(len(set(one.values())) < len(one) for one in ranks):
                index, own = glossary(self._folder).index, ranks[0]
                differ = [rank for rank in own if own[rank] != ranks[1][rank]]
                one, two = (
                    ", ".join(f"{index(rank, self.words.lang)} = {of[rank]}" for rank in differ) for of in ranks
                )
                return one, two
        one, two = (render(f"{{{name}}}", game, self.words.lang, self._folder) for game in self._games)
        return _count(one, texts[0]), _count(two, texts[1])

    # Conditions -------------------------------------------------------------------------------

    @property
    def _lifts_duty(self) -> bool:
        """Say whether a row that refuses is gone, or never refuses any more."""
        section, name = self.change.record
        if section != "tables" or self.change.operator not in ("drop-row", "never"):
            return False
        row = next((row for row in self._games[0].tables[name].rows if row.id == self.change.part), None)
        return row is not None and is_false(row.then)

    @cached_property
    def _speakers(self) -> tuple[Reasoner, Words]:
        game = self._games[0]
        return Reasoner(Machine(game).evaluator), Words(game, self.words.lang, self._folder)

    def _condition(self, expression: Expression | None) -> str:
        """Return an expression in words, as the rules write it where they have none; nothing of none."""
        if expression is None:
            return ""
        if is_true(expression) or is_false(expression):
            return self.words.say("holds_always" if is_true(expression) else "holds_never")
        reasoner, words = self._speakers
        try:
            return words.sentence(reasoner.statement(expression))
        except Unsaid:
            pass
        try:
            return words.number_name(reasoner.outcome(expression))
        except Unsaid:
            return show(expression)

    def _brief(self, was: Expression, becomes: Expression | None) -> str:
        """Return what differs between two expressions: of conditions that all must hold only those on one side."""
        if becomes is None:
            return self._without(self._quote(self._condition(was)))
        before, after = (one.conditions if isinstance(one, And) else (one,) for one in (was, becomes))
        gone, come = (
            [one for one in first if one not in second] for first, second in ((before, after), (after, before))
        )
        told = ["; ".join(map(self._condition, parts)) for parts in (gone, come)]
        one, two = (self._quote(text) if text else "" for text in told)
        if not come:
            return self._without(one)
        return self._instead(one, two) if gone else self.words.say("besides", what=two)

    # Frames -----------------------------------------------------------------------------------

    def _quote(self, text: str) -> str:
        first = text.split()
        return self.words.say("quoted", text=" ".join([*first[:_WORDS], *(["…"] if len(first) > _WORDS else [])]))

    def _instead(self, before: str, after: str) -> str:
        return self.words.say("instead_of", before=before, after=after)

    def _without(self, before: str) -> str:
        return self.words.say("without", what=before)


def is_false(expression: Expression) -> bool:
    """Say whether an expression is the truth value that never holds."""
    return isinstance(expression, Literal) and expression.value is False


def _count(number: str, text: str) -> str:
    """Return a number with the word behind it in a text."""
    found = re.search(rf"(?<![\w-]){re.escape(number)} [^\W\d]+\b", text)
    return found[0] if found else number
