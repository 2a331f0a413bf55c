"""Changes of the rules in words: what the rules say and what a program plays instead, whole and in brief."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from brou import Change, Choice, Expression, Folder, Game, Machine, Words, choose_text, glossary, prose, render, rules
from brou.language import unparse_expression
from brou.language.tree import And, Literal, Not, is_true
from brou.reasons import Reasoner, Unsaid
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.sources import read_citable

#: How many words of a text stand in a brief.
_WORDS = 16


@dataclass(frozen=True, slots=True)
class ToldChange:
    """A change in words: the text of the rules and that of the program, empty for nothing; and in brief."""

    before: str
    after: str
    brief: str
    #: Whether these are the texts of the clause, and whether all of it is gone.
    is_text: bool = False
    is_lifted: bool = False
    #: Whether before and after are only the conditions that are on one side, beside others that both have.
    is_partial: bool = False
    #: Whether they stand as the rules write them, because the rules have no words for them.
    is_code: bool = False


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
            return ToldChange(change.before, change.after, brief, is_code=True)
        before, after, is_code = self._tell_conditions((change.was,), (change.becomes,))
        if change.becomes is None or self._lifts_duty:
            text = self._quote(self._tell_clause(self._games[0])) if self._lifts_duty else ""
            brief = self.words.say("does_not_bind", text=text) if text else self._without(self._quote(before))
            return ToldChange(before, after, brief, is_lifted=bool(text), is_code=is_code and not text)
        gone, come = _tell_apart(change.was, change.becomes)
        if gone == (change.was,):
            brief = self._instead(self._quote(before), self._quote(after))
            return ToldChange(before, after, brief, is_code=is_code)
        before, after, is_code = self._tell_conditions(gone, come)
        return ToldChange(before, after, self._brief(before, after), is_partial=True, is_code=is_code)

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
        change = self.change
        is_gone = change.operator in ("drop-row", "never", "no-duty")
        return self._is_duty and (is_gone or (change.becomes is not None and contradicts_itself(change.becomes)))

    @cached_property
    def _is_duty(self) -> bool:
        """Say whether the change is one of a row that refuses."""
        section, name = self.change.record
        if section != "tables":
            return False
        places = (self.change.part, *self.change.at[3:])
        row = next((row for row in self._games[0].tables[name].rows if row.id in places), None)
        return row is not None and is_false(row.then)

    @cached_property
    def _speakers(self) -> tuple[Reasoner, Words]:
        game = self._games[0]
        return Reasoner(Machine(game).evaluator), Words(game, self.words.lang, self._folder)

    def _tell_conditions(self, *sides: Sequence[Expression | None]) -> tuple[str, str, bool]:
        """Return the conditions of both sides in words, and whether some are as the rules write them.

        They do where the rules have no words for them, and all of them where the words of both sides are the same.
        """
        asked = [[one for one in side if one is not None] for side in sides]
        before, after = ("; ".join(map(self._condition, side)) for side in asked)
        if before == after:
            before, after = ("; ".join(map(unparse_expression, side)) for side in asked)
            return before, after, True
        return before, after, not all(self._find_words(one) for side in asked for one in side)

    def _condition(self, expression: Expression) -> str:
        """Return an expression in words, as the rules write it where they have none."""
        return self._find_words(expression) or unparse_expression(expression)

    def _find_words(self, expression: Expression) -> str:
        """Return an expression in words; nothing where the rules have none."""
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
            return ""

    def _brief(self, gone: str, come: str) -> str:
        """Return the conditions that one side alone asks."""
        if gone and come:
            return self._instead(self._quote(gone), self._quote(come))
        if not self._is_duty:
            return self.words.say("besides", what=self._quote(come)) if come else self._without(self._quote(gone))
        return self.words.say("binds_only_if" if come else "binds_without", what=self._quote(come or gone))

    # Frames -----------------------------------------------------------------------------------

    def _quote(self, text: str) -> str:
        first = text.split()
        return self.words.say("quoted", text=" ".join([*first[:_WORDS], *(["…"] if len(first) > _WORDS else [])]))

    def _instead(self, before: str, after: str) -> str:
        return self.words.say("instead_of", before=before, after=after)

    def _without(self, before: str) -> str:
        return self.words.say("without", what=before)


def _tell_apart(was: Expression, becomes: Expression) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
    """Return the conditions that all must hold on one side alone, before and after."""
    before, after = (one.conditions if isinstance(one, And) else (one,) for one in (was, becomes))
    return tuple(one for one in before if one not in after), tuple(one for one in after if one not in before)


def contradicts_itself(expression: Expression) -> bool:
    """Say whether an expression asks for a condition and for its opposite, so that it never holds.

    It compares the text alone: conditions that exclude each other in another way pass unnoticed.
    """
    asked = expression.conditions if isinstance(expression, And) else ()
    return any(isinstance(one, Not) and one.condition in asked for one in asked)


def is_false(expression: Expression) -> bool:
    """Say whether an expression is the truth value that never holds."""
    return isinstance(expression, Literal) and expression.value is False


def _count(number: str, text: str) -> str:
    """Return a number with the word behind it in a text."""
    found = re.search(rf"(?<![\w-]){re.escape(number)} [^\W\d]+\b", text)
    return found[0] if found else number
