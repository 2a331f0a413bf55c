"""Finds reasons: conditions and numbers of the rules are evaluated at a moment, and the results remembered.

The depth of a reason depends on the texts of the rules: an expression that has a text is not taken apart. The language
of the sentences plays no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from brou.dataclass import dataclass, replace
from brou.interpreter.evaluate import Evaluator
from brou.language import tree
from brou.language.effects import Let, walk_effects
from brou.language.operations import place_of
from brou.language.short_entry import SLOT
from brou.language.syntax import Argument, Function, Phrase, Row, Table
from brou.language.types import Bool, Int, Type, Value, as_number
from brou.reasons.explanation import RowReason
from brou.reasons.moment import Meant, Moment
from brou.reasons.pattern import match_pattern, plain
from brou.reasons.reason import (
    Either,
    Field,
    FigureTerm,
    FilledText,
    FixedReason,
    GivenAnswer,
    Name,
    Negative,
    Product,
    Reason,
    Spot,
    Sums,
    TextId,
    TypedValue,
    Unworded,
    each_once,
    join_reasons,
    reason_texts,
)
from brou.reasons.shape import find_exception, list_parts, match_named_values, rules_out

#: The local that whoever acts is called by.
ME = "me"


class Unsaid(Exception):
    """The rules have no text for a part of a condition."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The texts that speak of an expression, and what the arguments of their phrase stand for there."""

    say: TextId | None
    deny: TextId | None = None
    arguments: tuple[Argument, ...] = ()
    bound: Mapping[str, tree.Expression] | None = None


class Reasoner:
    """Finds reasons under the rule base of an evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.game = evaluator.game

    # Values at a moment -----------------------------------------------------------

    def at(self, expression: tree.Expression, moment: Moment) -> Value:
        """Return the value of an expression at a moment."""
        return self.evaluator.expression(expression, moment.env)(moment.values, list(moment.locals))

    def number(self, expression: tree.Expression, moment: Moment) -> int:
        """Return the number that an expression has at a moment."""
        return as_number(self.at(expression, moment))

    def items(self, expression: tree.Expression, moment: Moment) -> Sequence[Value]:
        """Return what a set, a list or an array has at a moment, in the order in which it is gone through."""
        return self.evaluator.items(self.at(expression, moment))

    def inside(self, called: tree.Call, moment: Moment) -> Moment:
        """Return the moment inside a function or table that is called."""
        record: Function | Table = self.game.functions.get(called.name) or self.game.tables[called.name]
        names = [argument.name for argument in record.arguments]
        values = tuple(self.at(part, moment) for part in called.arguments)
        meanings = {name: (part, moment) for name, part in zip(names, called.arguments, strict=True)}
        return Moment(moment.values, self.evaluator.frame(names), values, meanings)

    def members(self, domain: tree.Expression, name: str, moment: Moment) -> Iterator[Moment]:
        """Yield the moments in which a name stands for each member of a domain, the last local."""
        slot = max(moment.env.values(), default=-1) + 1
        env = {**moment.env, name: slot}
        for member in self.items(domain, moment):
            yield Moment(moment.values, env, (*moment.locals[:slot], member), moment.meanings)

    def place(self, number: tree.Expression, moment: Moment) -> Spot | None:
        """Return the variable and the positions that an expression names, None if it names no place of the state."""
        found = tree.find_variable(number)
        if found is None:
            return None
        variable, steps = found
        return variable.name, self.path(steps, moment)

    def path(self, steps: Iterable[tree.Index], moment: Moment) -> tuple[int, ...]:
        """Return the positions that lead to an element of an array."""
        return tuple(place_of(step.whole.index, self.at(step.key, moment)) for step in steps)

    def behind(self, called: tree.Expression, moment: Moment) -> Meant:
        """Return what functions that are called come to in the end, with the moment inside."""
        while isinstance(called, tree.Call) and called.name in self.game.functions:
            body, moment = self.game.functions[called.name].body, self.inside(called, moment)
            called = body
        return called, moment

    # Texts of the rules -----------------------------------------------------------

    def find_texts(self, expression: tree.Expression) -> Spoken | None:
        """Return the texts that speak of an expression: those of a phrase, else those of the function that it calls.

        A phrase that names the same locals goes before the first that fits.
        """
        own = None
        if isinstance(expression, tree.Call) and expression.name in self.game.functions:
            own = TextId("functions", expression.name, "say") if self.game.functions[expression.name].say else None
        found = self._phrase(expression)
        if found is None:
            return None if own is None else Spoken(own)
        return replace(found, say=found.say or own)

    def _phrase(self, expression: tree.Expression) -> Spoken | None:
        found: Spoken | None = None
        form = tree.head(expression)
        for known, body, opposite, arguments in self._patterns:
            # Most phrases are of another form, which is seen at once; one that is a mere argument has any form.
            if tree.head(body) != form and not isinstance(body, tree.LocalUse):
                continue
            bound = match_pattern(body, arguments, expression)
            if bound is None:
                continue
            say = TextId("phrases", known.id, "say") if known.say else None
            deny = TextId("phrases", known.id, "deny") if known.deny else None
            spoken = Spoken(*((deny, say) if opposite else (say, deny)), known.arguments, bound)
            if all(isinstance(part, tree.LocalUse) and part.name == name for name, part in bound.items()):
                return spoken
            found = found or spoken
        return found

    @cached_property
    def _patterns(self) -> Sequence[tuple[Phrase, tree.Expression, bool, Mapping[str, Type]]]:
        """Return the phrases, each with its body, whether that says the opposite, and the types of its arguments."""
        return [
            (known, *plain(known.body), {argument.name: argument.type for argument in known.arguments})
            for known in self.game.phrases
        ]

    @cached_property
    def _texts(self) -> Mapping[TextId, Mapping[str, str]]:
        return reason_texts(self.game)

    def _fills(self, text: TextId, spoken: Spoken, moment: Moment | None) -> tuple[tuple[str, TypedValue], ...] | None:
        """Return what fills the places of a text; None where a place cannot be filled without a moment."""
        places = {place for words in self._texts[text].values() for place in SLOT.findall(words)}
        wanted = [argument for argument in spoken.arguments if argument.name in places]
        if moment is None or spoken.bound is None:
            return None if wanted else ()
        return tuple((one.name, TypedValue(one.type, self.at(spoken.bound[one.name], moment))) for one in wanted)

    def name_number(self, number: tree.Expression, moment: Moment | None) -> FilledText | None:
        """Return the text that names a number, None if the rules have none."""
        spoken = self._phrase(number)
        if spoken is None or spoken.say is None:
            return None
        fills = self._fills(spoken.say, spoken, moment)
        return None if fills is None else FilledText(spoken.say, fills)

    # Conditions -------------------------------------------------------------------

    def reason(self, condition: tree.Expression, moment: Moment) -> Reason:
        """Return why a condition holds or fails: all that is so, or if it fails, the part that is not."""
        return self._reason(condition, moment, holds=bool(self.at(condition, moment)))

    def statement(self, condition: tree.Expression) -> Reason:
        """Return what a condition says at any moment; raise `Unsaid` where the rules have no text for a part of it."""
        bare, opposite = plain(condition)
        named = None if opposite else match_named_values(bare)
        return named or self._reason(condition, None, holds=True)

    def _reason(self, condition: tree.Expression, moment: Moment | None, *, holds: bool) -> Reason:
        bare, opposite = plain(condition)
        holds = holds != opposite
        return self._find_text(bare, moment, holds=holds) or (
            self._anywhere(bare, holds=holds) if moment is None else self._there(bare, moment, holds=holds)
        )

    def _there(self, bare: tree.Expression, moment: Moment, *, holds: bool) -> Reason:
        """Return the reason of a condition that no text speaks of, at a moment."""
        match bare:
            case tree.And() | tree.Or():
                parts = bare.conditions
                if holds != isinstance(bare, tree.And):
                    # Parts behind the one that decides may ask for what is not there.
                    parts = (next(part for part in parts if bool(self.at(part, moment)) == holds),)
                return join_reasons(self._reason(part, moment, holds=holds) for part in parts)
            case tree.If():
                return self._reason(self.choose_side(bare, moment), moment, holds=holds)
            case tree.LocalUse() if bare.name in moment.meanings:
                meant, where = moment.meanings[bare.name]
                return self._reason(meant, where, holds=holds)
            case tree.LocalUse() if (reason := self._local(bare.name, moment, holds=holds)) is not None:
                return reason
            case tree.Call() if bare.name in self.game.functions:
                return self._reason(self.game.functions[bare.name].body, self.inside(bare, moment), holds=holds)
            case tree.Call():
                return self.row(self.game.tables[bare.name], self.find_row(bare, moment), self.inside(bare, moment))
        return Unworded(bare, holds, self._figures(bare, moment))

    def _anywhere(self, bare: tree.Expression, *, holds: bool) -> Reason:
        """Return what a condition says that no text speaks of, at no moment of any game."""
        match bare:
            case tree.And() | tree.Or():
                reasons = tuple(self._reason(part, None, holds=holds) for part in bare.conditions)
                return join_reasons(reasons) if holds == isinstance(bare, tree.And) else Either(reasons)
            case tree.Literal():
                return FixedReason.ALWAYS if bare.value else FixedReason.NEVER
            case tree.LocalUse() if bare.name in self.answers:
                return GivenAnswer(self.answers[bare.name], holds)
            case tree.Call() if bare.name in self.game.functions:
                return self._reason(self.game.functions[bare.name].body, None, holds=holds)
            case tree.Compare() if holds and (named := match_named_values(bare)) is not None:
                return named
        raise Unsaid

    def choose_side(self, choice: tree.If, moment: Moment) -> tree.Expression:
        """Return the side of a choice that counts at a moment."""
        return choice.then if self.at(choice.test, moment) else choice.other

    def _local(self, name: str, moment: Moment, *, holds: bool) -> Reason | None:
        """Return the reason for a truth-valued local: an answer given in an act, or the condition kept in it."""
        if name in self.answers and ME in moment.env:
            return GivenAnswer(self.answers[name], holds, as_number(moment.locals[moment.env[ME]]))
        kept = self._lets.get(name)
        if kept is None:
            return None
        bare, opposite = plain(kept)
        return self._find_text(bare, moment, holds=holds != opposite)

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
    def _lets(self) -> Mapping[str, tree.Expression]:
        bodies = [action.do for action in self.game.actions.values()]
        bodies += [phase.do for phase in self.game.phases.values()]
        effects = (effect for body in bodies for effect in walk_effects(body))
        return {effect.name: effect.value for effect in effects if isinstance(effect, Let)}

    def _find_text(self, condition: tree.Expression, moment: Moment | None, *, holds: bool) -> FilledText | None:
        """Return the text that speaks of a condition, else the one that speaks of its opposite."""
        spoken = self.find_texts(condition)
        if spoken is None:
            return None
        right, wrong = (spoken.say, spoken.deny) if holds else (spoken.deny, spoken.say)
        text = right or wrong
        fills = None if text is None else self._fills(text, spoken, moment)
        if text is None or fills is None:
            return None
        return FilledText(text, fills, right is None, () if moment is None else self._figures(condition, moment))

    def _figures(self, condition: tree.Expression, moment: Moment) -> Sums:
        """Return the numbers that are more or less than others; which is equal to which, the words say."""
        if isinstance(condition, tree.And):
            return self._figures(plain(condition.conditions[0])[0], moment)
        equal = isinstance(condition, tree.Compare) and condition.operator == "=="
        return () if equal else self.list_compared(condition, moment)

    def list_compared(self, condition: tree.Expression, moment: Moment) -> Sums:
        """Return the numbers that a comparison compares, those that stand in the rules aside."""
        condition, _ = plain(condition)
        if not isinstance(condition, tree.Compare):
            return ()
        both = (condition.left, condition.right)
        if not all(isinstance(side.type, Int) for side in both):
            return ()
        sides = [side for side in both if not isinstance(side, (tree.Literal, tree.ParamUse))]
        return tuple(tuple(term.value for term in self.terms(side, moment)) for side in sides)

    # Rows -------------------------------------------------------------------------

    def find_row(self, called: tree.Call, moment: Moment) -> Row:
        """Return the row that decides a call of a table."""
        table, inside = self.game.tables[called.name], self.inside(called, moment)
        return next(row for row in table.rows if row.when is None or self.at(row.when, inside))

    def row(self, table: Table, row: Row, inside: Moment) -> Reason:
        """Return why a row fires or is passed over; of the last one, that no row above it fired."""
        if row.when is not None and not isinstance(row.when, tree.Literal):
            own = self.list_own_parts(table, row)
            if own and own != list(list_parts(row.when)) and self.at(row.when, inside):
                return join_reasons(self.reason(part, inside) for part in own)
            return self.reason(row.when, inside)
        if row.when is None and len(table.rows) > 1:
            return FixedReason.ELSE
        return (
            FixedReason.ALWAYS
            if isinstance(row.then, (tree.Literal, tree.ParamUse)) and row.then.value
            else FixedReason.NEVER
        )

    def list_own_parts(self, table: Table, row: Row) -> list[tree.Expression]:
        """Return what a row asks for by itself: its exceptions aside, and the special cases that have other rows."""
        if row.when is None:
            return []
        cases = [list_parts(one.when) for one in table.rows if one is not row and one.when is not None]
        return [
            part
            for part in list_parts(row.when)
            if self._find_exception(part) is None and not any(rules_out(part, case) for case in cases)
        ]

    def judge_row(self, table: Table, row: Row, inside: Moment) -> RowReason:
        """Return a row with why it fires or is passed over; of a duty, the exceptions that fail, or that lift it."""
        because = self.row(table, row, inside)
        if row.when is None:
            return RowReason(row.id, because, row.clause, holds=True)
        parts = list_parts(row.when)
        exceptions = list(filter(None, map(self._find_exception, parts)))
        if self.at(row.when, inside):
            undone = {id(one): tuple(self._list_undoing(one, inside)) for one in exceptions}
            failing = tuple(self._judge_exception(one, inside) for one in exceptions if not undone[id(one)])
            told = tuple(one for each in undone.values() for one in each)
            return RowReason(row.id, because, row.clause, holds=True, failing=failing, undone=told)
        if not all(self.at(part, inside) for part in parts if self._find_exception(part) is None):
            return RowReason(row.id, because, row.clause)
        lifting = tuple(self._judge_exception(one, inside) for one in exceptions if self.at(one, inside))
        return RowReason(row.id, because, row.clause, lifting=lifting)

    def _judge_exception(self, called: tree.Call, inside: Moment) -> tuple[str, Reason]:
        """Return the clause of an exception, and why it applies or does not."""
        return self.game.functions[called.name].clause, self.reason(called, inside)

    def _list_undoing(self, called: tree.Call, inside: Moment) -> Iterator[tuple[str, str, Reason]]:
        """Yield each exception that alone keeps an exception from applying, with the clauses of both, and why."""
        function, within = self.game.functions[called.name], self.inside(called, inside)
        parts = list_parts(function.body)
        if all(self.at(part, within) for part in parts if self._find_exception(part) is None):
            for one in filter(None, map(self._find_exception, parts)):
                if self.at(one, within):
                    yield (function.clause, *self._judge_exception(one, within))

    def _find_exception(self, part: tree.Expression) -> tree.Call | None:
        return find_exception(part, self.game.functions)

    # Sums -------------------------------------------------------------------------

    def terms(self, number: tree.Expression, moment: Moment) -> tuple[FigureTerm, ...]:
        """Return what a number is made of; parts that are nothing are left out unless all of them are."""
        found = self.parts(number, moment)
        return tuple(term for term in found if term.value) or found[:1] or (FigureTerm(0, None),)

    def parts(self, number: tree.Expression, moment: Moment) -> tuple[FigureTerm, ...]:
        """Return what a number is made of, parts that are nothing included."""
        return tuple(self._terms(number, moment, 1, ()))

    def _terms(
        self, number: tree.Expression, moment: Moment, sign: int, clauses: tuple[str, ...]
    ) -> Iterator[FigureTerm]:
        value = sign * self.number(number, moment)
        named = self.name_number(number, moment)
        if named is not None:
            leaf = self._leaf(number, moment, value, named, clauses)
            yield replace(leaf, parts=tuple(self._under(number, moment, value)))
            return
        match number:
            case tree.Arithmetic(operator=("+" | "-") as operator, left=one, right=two):
                yield from self._terms(one, moment, sign, clauses)
                yield from self._terms(two, moment, sign if operator == "+" else -sign, clauses)
            case tree.If():
                yield from self._terms(self.choose_side(number, moment), moment, sign, clauses)
            case tree.LocalUse() if number.name in moment.meanings:
                meant, where = moment.meanings[number.name]
                yield from self._terms(meant, where, sign, clauses)
            case tree.BuiltinCall(name="least" | "most", arguments=numbers):
                chosen = next(one for one in numbers if sign * self.number(one, moment) == value)
                yield from self._terms(chosen, moment, sign, clauses)
            case tree.Quantified(quantifier="sum"):
                yield from (replace(term, value=sign * term.value) for term in self._summands(number, moment))
            case tree.Call() if number.name in self.game.functions:
                function = self.game.functions[number.name]
                inside = self.inside(number, moment)
                yield from self._terms(function.body, inside, sign, (function.clause, *clauses))
            case tree.Call() if isinstance(then := (row := self.find_row(number, moment)).then, tree.Call):
                yield from self._terms(then, self.inside(number, moment), sign, (row.clause, *clauses))
            case _:
                yield self._leaf(number, moment, value, self._find_name(number, moment), clauses)

    def _under(self, number: tree.Expression, moment: Moment, value: int) -> Iterator[FigureTerm]:
        """Yield what a figure with words of its own was made from: the parts of a sum, or the one figure behind it."""
        if isinstance(number, tree.Call) and number.name in self.game.functions:
            body, inside = self.game.functions[number.name].body, self.inside(number, moment)
            if isinstance(body, tree.Quantified) and body.quantifier == "sum":
                yield from self._summands(body, inside)
                return
            found = list(self._collect_figures(body, inside))
            if len({term.kept for term in found}) == 1 and found[0].value != value:
                yield found[0]

    def _summands(self, total: tree.Quantified, moment: Moment) -> Iterator[FigureTerm]:
        """Yield the parts of a sum over some values."""
        for inside in self.members(total.domain, total.bound, moment):
            if self.at(total.condition, inside):
                yield from (term for term in self._terms(total.body, inside, 1, ()) if term.value)

    def _collect_figures(self, number: tree.Expression, moment: Moment) -> Iterator[FigureTerm]:
        """Yield the figures of the state that an expression is made from, each with words of its own."""
        if isinstance(number.type, Int) and self.place(number, moment) is not None:
            named = self.name_number(number, moment)
            if named is not None:
                yield self._leaf(number, moment, self.number(number, moment), named, ())
            return
        match number:
            case tree.LocalUse() if number.name in moment.meanings:
                yield from self._collect_figures(*moment.meanings[number.name])
            case tree.Call() if number.name in self.game.functions:
                yield from self._collect_figures(self.game.functions[number.name].body, self.inside(number, moment))
            case tree.Arithmetic():
                yield from self._collect_figures(number.left, moment)
                yield from self._collect_figures(number.right, moment)
            case tree.If():
                yield from self._collect_figures(self.choose_side(number, moment), moment)

    def _leaf(
        self, number: tree.Expression, moment: Moment, value: int, name: Name | None, clauses: tuple[str, ...]
    ) -> FigureTerm:
        """Return a part that is not split further, with its clauses and its reason."""
        because: Reason | None = None
        match number:
            case tree.Call() if number.name in self.game.tables:
                table, row = self.game.tables[number.name], self.find_row(number, moment)
                clauses = (row.clause, *clauses)
                because = self.row(table, row, self.inside(number, moment))
            case tree.Call():
                clauses = (self.game.functions[number.name].clause, *clauses)
            case tree.ParamUse():
                clauses = (self.game.params[number.name].clause, *clauses)
            case tree.Quantified() | tree.Extreme() | tree.Comprehension():
                read = (one.name for one in tree.walk(number) if isinstance(one, tree.AttributeOf))
                clauses = (*clauses, *(self.game.attributes[attribute].clause for attribute in read))
        return FigureTerm(value, name, each_once(clauses), because, self.place(number, moment))

    def _find_name(self, number: tree.Expression, moment: Moment) -> Name | None:
        """Return the best name that there is for a part without a text."""
        found = tree.find_variable(number)
        if found is not None:
            return Field(found[0].name)
        if isinstance(number, tree.Arithmetic) and number.operator == "*":
            return Product((self.number(number.left, moment), self.number(number.right, moment)))
        return None if isinstance(number, (tree.Literal, tree.ParamUse, tree.LocalUse)) else Unworded(number)

    def outcome(self, value: tree.Expression) -> Name:
        """Return what a table gives, at any moment; raise `Unsaid` where the rules have no text for it."""
        match value:
            case tree.ParamUse(value=int() as number) | tree.Literal(value=int() as number) if not isinstance(
                number, bool
            ):
                return TypedValue(Int(), number)
            case tree.Literal() if value.name:
                return TypedValue(value.type, value.value)
            case tree.Arithmetic(operator="-", left=tree.Literal(value=0), right=number):
                return Negative(self.outcome(number))
        named = self.name_number(value, None)
        if named is None:
            raise Unsaid
        return named

    @cached_property
    def named_figures(self) -> frozenset[str]:
        """Return the variables that some phrase speaks of as figures."""
        bodies = (phrase.body for phrase in self.game.phrases if isinstance(phrase.body.type, Int))
        return frozenset(found[0].name for body in bodies if (found := tree.find_variable(body)) is not None)
