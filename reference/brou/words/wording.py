"""Conditions and figures of the rules in words: the phrases of the data, numbers and clauses, in one language.

What is told is told of a moment: a state, and the locals of the place in the rules where the expression stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from brou.errors import Unknown
from brou.interpreter.evaluate import Evaluator
from brou.language.codec import Json, NoSuchValue, outside
from brou.language.codec import read as read_value
from brou.language.effects import Let, walk_effects
from brou.language.operations import place_of
from brou.language.show import show
from brou.language.syntax import Function, Game, Phrase, Row, Table
from brou.language.tree import (
    And,
    Arithmetic,
    AttributeOf,
    BuiltinCall,
    Call,
    Compare,
    Comprehension,
    Expression,
    Extreme,
    If,
    Literal,
    LocalUse,
    Or,
    ParamUse,
    Quantified,
    find_variable,
    walk,
)
from brou.language.types import Bool, Cards, Int, Named, Option, Pile, Type, Value, as_name, as_number, finite
from brou.words.glossary import Glossary, glossary
from brou.words.moment import Meant, Moment
from brou.words.pattern import matched, plain
from brou.words.text import SLOT, citable, phrase, prose, render

#: The local that whoever acts is called by.
_ME = "me"


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a sum: its value, what it is, and the clauses that it rests on, the most telling first."""

    value: int
    words: str
    clauses: tuple[str, ...] = ()
    #: Why it is so much, where a table of the rules has decided.
    because: str = ""
    #: The variable that it is kept in, with the positions of the element.
    kept: tuple[str, tuple[int, ...]] | None = None
    #: What it was made from, where it is no sum itself.
    of: tuple[Term, ...] = ()


class Words:
    """Tells one rule base in one language."""

    def __init__(self, game: Game, lang: str, folder: Path | None = None, players: Sequence[str] = ()) -> None:
        self.game = game
        #: Who sits where, if people have names.
        self.players = tuple(players)
        self.lang = lang
        self.folder = folder
        self.glossary: Glossary = glossary(folder)
        self.evaluator = Evaluator(game)
        self._clauses: dict[str, str] = {}

    # Texts ----------------------------------------------------------------------

    def clause(self, id_: str) -> str:
        """Return what a clause says, or what an open passage asks; nothing of one that is not written."""
        if id_ not in self._clauses:
            text = citable(self.game.id, self.folder).get(id_)
            self._clauses[id_] = "" if text is None else prose(text, self.game, self.lang, self.folder)
        return self._clauses[id_]

    def frame(self, name: str, **parts: str) -> str:
        """Return a phrase that joins texts."""
        return self.typeset(self.glossary.frame(name, self.lang, **parts))

    def typeset(self, text: str) -> str:
        """Return a text with its marks as the language prints them."""
        return self.glossary.languages[self.lang].typeset(text)

    def number(self, number: int) -> str:
        """Return a whole number as the language writes it."""
        return self.glossary.languages[self.lang].number(number)

    def text(self, texts: Mapping[str, str]) -> str:
        """Return a text of the data in this language, else in the original one, with its numbers."""
        found = texts.get(self.lang) or next(iter(texts.values()), "")
        return render(found, self.game, self.lang, self.folder)

    def name(self, kind: str, name: str) -> str:
        """Return how something is called that stands in the data by name."""
        return self.typeset(self.glossary.name(kind, name.replace("-", "_"), self.lang, self.game.id))

    def seat(self, seat: int) -> str:
        """Return how a seat is called."""
        return self.players[seat] if seat < len(self.players) else self.frame("seat", seat=str(seat))

    def act(self, seat: int, act: Mapping[str, Json]) -> str:
        """Return an act in words, with the name of who does it; one of no known form by its name alone."""
        try:
            told = phrase(act, self.game, self.lang, self.folder)
        except (Unknown, KeyError, AttributeError, TypeError, ValueError):
            told = " ".join(map(str, act))
        return f"{self.capital(self.seat(seat))} {told}"

    def doing(self, name: str) -> str:
        """Return what an act is called before it is known what is chosen in it."""
        return SLOT.sub("…", self.name("acts", name))

    def capital(self, text: str) -> str:
        """Return a text as it stands at the beginning of a sentence."""
        return text[:1].upper() + text[1:]

    def team(self, team: int) -> str:
        """Return how a team is called."""
        if not self.players:
            return self.frame("team", team=str(team))
        return self.frame("together").join(map(self.seat, self.game.teams[team]))

    def value(self, type_: Type, value: Value) -> str:
        """Return a value as people read it."""
        match type_:
            case _ if value is None:
                return self.frame("nothing")
            case Option(inner):
                return self.value(inner, value)
            case Bool():
                return self.frame("yes" if value else "no")
            case Int():
                return self.number(as_number(value))
            case Cards() | Pile():
                cards = map(as_name, self.evaluator.items(value))
                return " ".join(self.glossary.short(card, self.lang) for card in cards) or self.frame("nothing")
            case Named(name=name):
                return self._named(name, value)
        return str(value)

    def _named(self, name: str, value: Value) -> str:
        match name:
            case "card":
                return self.glossary.short(as_name(value), self.lang)
            case "suit":
                return self.glossary.suit(as_name(value), self.lang)
            case "rank":
                return self.glossary.rank(as_name(value), self.lang)
            case "player":
                return self.seat(as_number(value))
            case "team":
                return self.team(as_number(value))
        return self.number(value) if isinstance(value, int) else self.name("values", outside(as_name(value)))

    def plain(self, type_: Type, value: Json) -> str:
        """Return a value given as JSON as people read it, or as it is written if the type has no such value."""
        try:
            return self.value(type_, read_value(type_, value, self.game.deck))
        except NoSuchValue:
            return str(value)

    def range(self, type_: Type) -> str:
        """Return all values of a type, of numbers the least and the greatest."""
        if isinstance(type_, Int):
            return f"{self.number(type_.low)} … {self.number(type_.high)}"
        return ", ".join(self.value(type_, member) for member in finite(type_) or ())

    @cached_property
    def named_figures(self) -> frozenset[str]:
        """Return the variables that some phrase speaks of as figures."""
        bodies = [phrase.body for phrase in self.game.phrases if isinstance(phrase.body.type, Int)]
        return frozenset(name for body in bodies if (name := variable_of(body)))

    # Values at a moment -----------------------------------------------------------

    def at(self, expression: Expression, moment: Moment) -> Value:
        """Return the value of an expression at a moment."""
        return self.evaluator.expression(expression, moment.env)(moment.values, list(moment.locals))

    def amount(self, expression: Expression, moment: Moment) -> int:
        """Return the number that an expression has at a moment."""
        return as_number(self.at(expression, moment))

    def inside(self, called: Call, moment: Moment) -> Moment:
        """Return the moment inside a function or table that is called."""
        record: Function | Table = self.game.functions.get(called.name) or self.game.tables[called.name]
        names = [argument.name for argument in record.arguments]
        values = tuple(self.at(part, moment) for part in called.arguments)
        meanings = {name: (part, moment) for name, part in zip(names, called.arguments, strict=True)}
        return Moment(moment.values, self.evaluator.frame(names), values, meanings)

    # Conditions -----------------------------------------------------------------------

    def told(self, condition: Expression, moment: Moment) -> str:
        """Return a condition in words: what is so, or if it fails, the part that is not."""
        return self._told(condition, bool(self.at(condition, moment)), moment)

    def _told(self, condition: Expression, holds: bool, moment: Moment) -> str:  # noqa: FBT001 - what is told
        bare, opposite = plain(condition)
        holds = holds != opposite
        said = self._phrased(bare, moment, holds=holds)
        if said:
            return said
        match bare:
            case And() | Or():
                return self._joined(bare, moment, every=holds == isinstance(bare, And), holds=holds)
            case If():
                return self._told(self._chosen(bare, moment), holds, moment)
            case LocalUse() if bare.name in moment.meanings:
                return self._told(moment.meanings[bare.name][0], holds, moment.meanings[bare.name][1])
            case LocalUse() if told := self._local(bare.name, moment, holds=holds):
                return told
            case Call() if bare.name in self.game.functions:
                body = self.game.functions[bare.name].body
                return self._told(body, holds, self.inside(bare, moment))
            case Call():
                row = self.fired(bare, moment)
                return self.row(self.game.tables[bare.name], row, self.inside(bare, moment))
        return self.frame("holds" if holds else "fails", condition=show(bare)) + self._figures(bare, moment)

    def _chosen(self, choice: If, moment: Moment) -> Expression:
        return choice.then if self.at(choice.test, moment) else choice.other

    def _local(self, name: str, moment: Moment, *, holds: bool) -> str:
        """Return what a local that is so or not so stands for: an answer given in an act, or what has been kept."""
        if name in self.answers and _ME in moment.env:
            return self.act(as_number(moment.locals[moment.env[_ME]]), {outside(self.answers[name]): holds})
        kept = self._lets.get(name)
        if kept is None:
            return ""
        bare, opposite = plain(kept)
        return self._phrased(bare, moment, holds=holds != opposite)

    @cached_property
    def answers(self) -> Mapping[str, str]:
        """Return the actions that are an answer, yes or no, by the name of their parameter."""
        return {
            one.id: action.id
            for action in self.game.actions.values()
            for one in action.parameters
            if len(action.parameters) == 1 and isinstance(one.type, Bool)
        }

    @cached_property
    def _lets(self) -> Mapping[str, Expression]:
        bodies = [action.do for action in self.game.actions.values()]
        bodies += [phase.do for phase in self.game.phases.values()]
        effects = (effect for body in bodies for effect in walk_effects(body))
        return {effect.name: effect.value for effect in effects if isinstance(effect, Let)}

    def _joined(self, condition: And | Or, moment: Moment, *, every: bool, holds: bool) -> str:
        """Return all parts of a condition, or of one that hangs on a single part, the first that decides."""
        parts = condition.conditions
        if not every:
            # Parts behind the one that decides may ask for what is not there.
            parts = (next(part for part in parts if bool(self.at(part, moment)) == holds),)
        return self.frame("and").join(dict.fromkeys(self._told(part, holds, moment) for part in parts))

    def _phrased(self, condition: Expression, moment: Moment, *, holds: bool) -> str:
        """Return what the data says of a condition; nothing if it has no words for it."""
        found = self.phrase(condition)
        say: Mapping[str, str] = {}
        deny: Mapping[str, str] = {}
        if isinstance(condition, Call) and condition.name in self.game.functions:
            say = self.game.functions[condition.name].say
        spoken, bound = found if found is not None else (None, {})
        if spoken is not None:
            say, deny = spoken.say or say, spoken.deny
        right, wrong = (say, deny) if holds else (deny, say)
        if not right and not wrong:
            return ""
        text = self._filled(right or wrong, spoken, bound, moment)
        if not right:
            text = self.frame("not_so", condition=text)
        return text + self._figures(condition, moment)

    def _filled(
        self, texts: Mapping[str, str], spoken: Phrase | None, bound: Mapping[str, Expression], moment: Moment
    ) -> str:
        """Return a text with what its arguments stand for in this place."""
        arguments = () if spoken is None else spoken.arguments
        shown = {item.name: self.value(item.type, self.at(bound[item.name], moment)) for item in arguments}
        filled = {lang: SLOT.sub(lambda match: shown.get(match[1], match[0]), text) for lang, text in texts.items()}
        return self.text(filled)

    def phrase(self, expression: Expression) -> tuple[Phrase, Mapping[str, Expression]] | None:
        """Return the phrase that speaks of an expression, and what its arguments stand for there.

        It is the one that names the same locals, where there is such a one, else the first that fits.
        """
        found: tuple[Phrase, Mapping[str, Expression]] | None = None
        for known in self.game.phrases:
            body, opposite = plain(known.body)
            bound = matched(body, {argument.name: argument.type for argument in known.arguments}, expression)
            if bound is None:
                continue
            told = replace(known, say=known.deny, deny=known.say) if opposite else known
            if all(isinstance(part, LocalUse) and part.name == name for name, part in bound.items()):
                return told, bound
            found = found or (told, bound)
        return found

    def figured(self, condition: Expression, moment: Moment) -> str:
        """Return the numbers that a condition compares, nothing where it compares none."""
        return self._compared(plain(condition)[0], moment)

    def _figures(self, condition: Expression, moment: Moment) -> str:
        """Return the numbers that are more or less than others; which is equal to which, the words say."""
        if isinstance(condition, And):
            return self._figures(plain(condition.conditions[0])[0], moment)
        equal = isinstance(condition, Compare) and condition.operator == "=="
        return "" if equal else self._compared(condition, moment)

    def _compared(self, condition: Expression, moment: Moment) -> str:
        """Return the numbers that a comparison compares, those that stand in the rules aside."""
        if not isinstance(condition, Compare):
            return ""
        both = (condition.left, condition.right)
        if not all(isinstance(side.type, Int) for side in both):
            return ""
        sides = [side for side in both if not isinstance(side, (Literal, ParamUse))]
        return f" ({', '.join(self.summed(self.terms(side, moment)) for side in sides)})" if sides else ""

    # Rows -----------------------------------------------------------------------------

    def fired(self, called: Call, moment: Moment) -> Row:
        """Return the row that decides a call of a table."""
        table, inside = self.game.tables[called.name], self.inside(called, moment)
        return next(row for row in table.rows if row.when is None or self.at(row.when, inside))

    def row(self, table: Table, row: Row, inside: Moment) -> str:
        """Return why a row fires or is passed over; of the last one, that no row above it fired."""
        if row.when is not None:
            return self.told(row.when, inside)
        if len(table.rows) > 1:
            return self.frame("else")
        return self.frame("always" if isinstance(row.then, (Literal, ParamUse)) and row.then.value else "never")

    # Sums -----------------------------------------------------------------------------

    def terms(self, number: Expression, moment: Moment, sign: int = 1) -> list[Term]:
        """Return what a number is made of; parts that are nothing are left out unless all of them are."""
        found = list(self._terms(number, moment, sign, ()))
        return [term for term in found if term.value] or found[:1] or [Term(0, "")]

    def parts(self, number: Expression, moment: Moment) -> list[Term]:
        """Return what a number is made of, parts that are nothing included."""
        return list(self._terms(number, moment, 1, ()))

    def summed(self, terms: Sequence[Term]) -> str:
        """Return a sum as figures alone, its result last."""
        total = sum(term.value for term in terms)
        if len(terms) == 1:
            return self.number(total)
        return f"{self.figures(terms)} = {self.number(total)}"

    def figures(self, terms: Sequence[Term]) -> str:
        """Return the figures of some terms with their signs."""
        minus = self.glossary.languages[self.lang].minus
        rest = (f"{'+' if term.value >= 0 else minus} {self.number(abs(term.value))}" for term in terms[1:])
        return " ".join([self.number(terms[0].value), *rest])

    def _terms(self, number: Expression, moment: Moment, sign: int, clauses: tuple[str, ...]) -> Iterator[Term]:
        value = sign * self.amount(number, moment)
        found = self.phrase(number)
        if found is not None and found[0].say:
            words = self._filled(found[0].say, *found, moment)
            leaf = self._leaf(number, moment, value, words, clauses)
            yield replace(leaf, of=tuple(self._under(number, moment, value)))
            return
        match number:
            case Arithmetic(operator=("+" | "-") as operator, left=one, right=two):
                yield from self._terms(one, moment, sign, clauses)
                yield from self._terms(two, moment, sign if operator == "+" else -sign, clauses)
            case If():
                yield from self._terms(self._chosen(number, moment), moment, sign, clauses)
            case LocalUse() if number.name in moment.meanings:
                meant, where = moment.meanings[number.name]
                yield from self._terms(meant, where, sign, clauses)
            case BuiltinCall(name="least" | "most", arguments=numbers):
                chosen = next(one for one in numbers if sign * self.amount(one, moment) == value)
                yield from self._terms(chosen, moment, sign, clauses)
            case Quantified(quantifier="sum"):
                yield from (replace(term, value=sign * term.value) for term in self._members(number, moment))
            case Call() if number.name in self.game.functions:
                function = self.game.functions[number.name]
                inside = self.inside(number, moment)
                yield from self._terms(function.body, inside, sign, (function.clause, *clauses))
            case _:
                yield self._leaf(number, moment, value, self._called(number, moment), clauses)

    def _under(self, number: Expression, moment: Moment, value: int) -> Iterator[Term]:
        """Yield what a figure with words of its own was made from: the parts of a sum, or the one figure behind it."""
        if isinstance(number, Call) and number.name in self.game.functions:
            body, inside = self.game.functions[number.name].body, self.inside(number, moment)
            if isinstance(body, Quantified) and body.quantifier == "sum":
                yield from self._members(body, inside)
                return
            found = list(self._kept(body, inside))
            if len({term.kept for term in found}) == 1 and found[0].value != value:
                yield found[0]

    def _members(self, total: Quantified, moment: Moment) -> Iterator[Term]:
        """Yield the parts of a sum over some values."""
        domain, test, body = total.domain, total.condition, total.body
        slot = max(moment.env.values(), default=-1) + 1
        for member in self.evaluator.items(self.at(domain, moment)):
            locals_ = (*moment.locals[:slot], member)
            inside = Moment(moment.values, {**moment.env, total.bound: slot}, locals_, moment.meanings)
            if self.at(test, inside):
                yield from (term for term in self._terms(body, inside, 1, ()) if term.value)

    def _kept(self, number: Expression, moment: Moment) -> Iterator[Term]:
        """Yield the figures of the state that an expression is made from, each with words of its own."""
        if isinstance(number.type, Int) and self.place(number, moment) is not None:
            found = self.phrase(number)
            if found is not None and found[0].say:
                words = self._filled(found[0].say, *found, moment)
                yield self._leaf(number, moment, self.amount(number, moment), words, ())
            return
        match number:
            case LocalUse() if number.name in moment.meanings:
                yield from self._kept(*moment.meanings[number.name])
            case Call() if number.name in self.game.functions:
                yield from self._kept(self.game.functions[number.name].body, self.inside(number, moment))
            case Arithmetic():
                yield from self._kept(number.left, moment)
                yield from self._kept(number.right, moment)
            case If():
                yield from self._kept(self._chosen(number, moment), moment)

    def _leaf(self, number: Expression, moment: Moment, value: int, words: str, clauses: tuple[str, ...]) -> Term:
        """Return a part that is not split further, with what it rests on."""
        because = ""
        match number:
            case Call() if number.name in self.game.tables:
                table, row = self.game.tables[number.name], self.fired(number, moment)
                clauses = (row.clause, *clauses)
                because = self.row(table, row, self.inside(number, moment))
            case Call():
                clauses = (self.game.functions[number.name].clause, *clauses)
            case ParamUse():
                clauses = (self.game.params[number.name].clause, *clauses)
            case Quantified() | Extreme() | Comprehension():
                clauses = (*clauses, *self._attributed(number))
        kept = self.place(number, moment)
        return Term(value, words, tuple(dict.fromkeys(clause for clause in clauses if clause)), because, kept)

    def _attributed(self, number: Expression) -> Iterator[str]:
        """Yield the clauses of the numbers on cards that an expression reads."""
        for one in walk(number):
            if isinstance(one, AttributeOf):
                yield self.game.attributes[one.name].clause

    def place(self, number: Expression, moment: Moment) -> tuple[str, tuple[int, ...]] | None:
        """Return the variable and the positions that an expression names, None if it names no place of the state."""
        found = find_variable(number)
        if found is None:
            return None
        variable, steps = found
        return variable.name, tuple(place_of(step.whole.index, self.at(step.key, moment)) for step in steps)

    def behind(self, called: Expression, moment: Moment) -> Meant:
        """Return what functions that are called come to in the end, with the moment inside."""
        while isinstance(called, Call) and called.name in self.game.functions:
            body, moment = self.game.functions[called.name].body, self.inside(called, moment)
            called = body
        return called, moment

    def _called(self, number: Expression, moment: Moment) -> str:
        """Return the best name that there is for a part without a phrase."""
        variable = variable_of(number)
        if variable:
            return self.name("fields", variable)
        if isinstance(number, Arithmetic) and number.operator == "*":
            return self.frame("times").join(
                self.number(self.amount(one, moment)) for one in (number.left, number.right)
            )
        return "" if isinstance(number, (Literal, ParamUse, LocalUse)) else show(number)


def variable_of(expression: Expression) -> str:
    """Return the variable that an expression is, or is an element of; nothing of any other."""
    found = find_variable(expression)
    return "" if found is None else found[0].name
