"""Words for records of the rules, values, acts and reasons in one language.

A reason holds everything that a sentence needs; the rules supply their texts alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import assert_never

from brou.errors import Unknown
from brou.games.folder import Folder
from brou.language.codec import Json, NoSuchValue, outside
from brou.language.codec import read as read_value
from brou.language.short_entry import SLOT
from brou.language.syntax import Entry, Game, Parameter
from brou.language.types import (
    Bool,
    Cards,
    Int,
    Named,
    Option,
    Pile,
    Type,
    Value,
    as_cards,
    as_name,
    as_number,
    as_row,
    element_of,
    finite,
)
from brou.language.unparse import unparse_expression
from brou.reasons.explanation import Display, DisplayList, DisplayRow, Judgement, Labelled
from brou.reasons.reason import (
    Act,
    Acted,
    Among,
    Coded,
    Either,
    Elsewhere,
    Entered,
    Every,
    Failed,
    Field,
    FilledText,
    FixedReason,
    GivenAnswer,
    Happened,
    Name,
    Negative,
    Noted,
    NotOver,
    OneOf,
    Origin,
    Product,
    Reason,
    RoutineStep,
    Sums,
    TextId,
    Theirs,
    TypedValue,
    Unlike,
    Unworded,
    Within,
    reason_texts,
)
from brou.reasons.settlement import RecordFault, Slip
from brou.words.glossary import Glossary, choose_text, glossary
from brou.words.text import citable, phrase, prose, render


class Words:
    """Tells one rule base in one language."""

    def __init__(self, game: Game, lang: str, folder: Folder = None, players: Sequence[str] = ()) -> None:
        self.game = game
        #: Who sits where, if people have names.
        self.players = tuple(players)
        self.lang = lang
        self.folder = folder
        self.glossary: Glossary = glossary(folder).of_pack(game.deck.suits, game.deck.ranks)
        self._clauses: dict[str, str] = {}

    # Texts ----------------------------------------------------------------------

    def clause(self, id_: str) -> str:
        """Return the text of a clause or the question of an open passage, or an empty text."""
        if id_ not in self._clauses:
            text = citable(self.game.id, self.folder).get(id_)
            self._clauses[id_] = "" if text is None else prose(text, self.game, self.lang, self.folder)
        return self._clauses[id_]

    def frame(self, name: str, **parts: str) -> str:
        """Return a phrase that joins texts."""
        return self.typeset(self.glossary.frame(name, self.lang, **parts))

    def typeset(self, text: str) -> str:
        """Return a text with its marks as the language prints them."""
        return self.glossary.language(self.lang).typeset(text)

    def number(self, number: int) -> str:
        """Return a whole number as the language writes it."""
        return self.glossary.language(self.lang).number(number)

    def text(self, texts: Mapping[str, str]) -> str:
        """Return a text of the data in this language, else in the original one, with its numbers."""
        found = texts.get(self.lang) or next(iter(texts.values()), "")
        return render(found, self.game, self.lang, self.folder)

    def name(self, kind: str, name: str) -> str:
        """Return the words for a name in the data."""
        return self.typeset(self.glossary.name(kind, name.replace("-", "_"), self.lang, self.game.id))

    def seat(self, seat: int) -> str:
        """Return the name of a seat."""
        return self.players[seat] if seat < len(self.players) else self.frame("seat", seat=str(seat))

    def act(self, seat: int, act: Act) -> str:
        """Return an act in words, with the name of the seat; an act of unknown form is just its name."""
        try:
            told = phrase(act, self.game, self.lang, self.folder)
        except (Unknown, KeyError, AttributeError, TypeError, ValueError):
            told = " ".join(map(str, act))
        return f"{self.capital(self.seat(seat))} {told}"

    def doing(self, name: str) -> str:
        """Return the words for an act whose parameters are not known yet."""
        return SLOT.sub("…", self.name("acts", name))

    def offer(self, act: str) -> str:
        """Return the words that offer an act whose parameters are not known yet, without one at their end."""
        found = self.glossary.find_choice(act, self.game.id)
        words = self.doing(act) if found is None else SLOT.sub("…", choose_text(found, self.lang))
        return self.capital(words.removesuffix("…").rstrip(" :") or act)

    def capital(self, text: str) -> str:
        """Return a text as the beginning of a sentence, with a capital."""
        return text[:1].upper() + text[1:]

    def team(self, team: int) -> str:
        """Return the name of a team."""
        if not self.players:
            return self.frame("team", team=str(team))
        return self.frame("together").join(map(self.seat, self.game.teams[team]))

    def value(self, type_: Type, value: Value) -> str:
        """Return a value in words."""
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
                cards = as_row(value) if isinstance(type_, Pile) else self._sort(as_cards(value))
                return " ".join(self.glossary.short(as_name(card), self.lang) for card in cards) or self.frame(
                    "nothing"
                )
            case Named(name=name):
                return self._write_named(name, value)
        return str(value)

    def _sort(self, cards: Iterable[str]) -> Sequence[str]:
        """Return cards in the order of the pack."""
        return sorted(cards, key=self.game.deck.cards.index)

    def _write_named(self, name: str, value: Value) -> str:
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
        """Return a JSON value in words, or unchanged if the type has no such value."""
        try:
            return self.value(type_, read_value(type_, value, self.game.deck))
        except NoSuchValue:
            return str(value)

    def range(self, type_: Type) -> str:
        """Return all values of a type, of numbers the least and the greatest."""
        if isinstance(type_, Int):
            return f"{self.number(type_.low)} … {self.number(type_.high)}"
        return ", ".join(self.value(type_, member) for member in finite(type_) or ())

    def typed_value(self, shown: TypedValue) -> str:
        """Return a value in words."""
        return self.value(shown.type, shown.value)

    def list_values(self, values: Iterable[TypedValue]) -> str:
        """Return several values one after the other."""
        return ", ".join(map(self.typed_value, values))

    def display(self, display: Display) -> str:
        """Return a display in words."""
        match display:
            case TypedValue():
                return self.typed_value(display)
            case Labelled(name, inner):
                return self.frame("is", what=self.name("fields", name), value=self.display(inner))
            case DisplayRow(parts):
                return ", ".join(map(self.display, parts))
            case DisplayList(parts):
                return self.frame("and").join(map(self.display, parts)) or self.frame("nothing")

    # Reasons ----------------------------------------------------------------------

    def sentence(self, reason: Reason | None) -> str:  # noqa: C901, PLR0912 - one form a case
        """Return a reason in words; an empty text for None."""
        match reason:
            case None:
                return ""
            case FilledText():
                return self._answer(reason) if reason.denied else self._fill(reason) + self._write_sums(reason.compared)
            case Unworded(expression, holds, compared):
                text = self.frame("holds" if holds else "fails", condition=unparse_expression(expression))
                return text + self._write_sums(compared)
            case Every(parts):
                return self.frame("and").join(dict.fromkeys(self._list(parts)))
            case Either(parts):
                return self.frame("or").join(self._list(parts))
            case GivenAnswer(action, given, seat):
                act = {outside(action): given}
                if seat is not None:
                    return self.act(seat, act)
                return self.frame("the_player", act=phrase(act, self.game, self.lang, self.folder))
            case OneOf(values):
                return self.frame("or").join(map(self.typed_value, values))
            case FixedReason():
                return self.frame(reason.value)
            case Elsewhere(phase, offering):
                there = ", ".join(self.name("phases", one) for one in offering) or self.frame("nothing")
                return self.frame("elsewhere", here=self.name("phases", phase), there=there)
            case Theirs(seats):
                told = ", ".join(map(self.seat, seats))
                return self.frame("theirs", seats=told) if seats else self.frame("nobodys")
            case Among(values):
                # Copies of a card are told once.
                told = ", ".join(dict.fromkeys(map(self.typed_value, values)))
                return self.frame("among", values=told or self.frame("nothing"))
            case Within(type_):
                return self.frame("among", values=self.range(type_))
            case Coded(code):
                return self.typeset(self.glossary.code(code, self.lang))
            case Unlike():
                figures = {"written": self._plainly(reason.written), "found": self._plainly(reason.found)}
                return self.frame("otherwise", what=self.name("fields", reason.name), **figures)
            case NotOver(phase):
                return self.frame("not_over", phase=self.name("phases", phase) if phase else "")
            case Failed(error):
                return str(error)
            case _:
                assert_never(reason)

    def _list(self, parts: Sequence[Reason]) -> Iterator[str]:
        """Yield reasons in words, each with yes or no where words for the contrary tell one of them."""
        answered = any(isinstance(part, FilledText) and part.denied for part in parts)
        for part in parts:
            yield self._answer(part) if answered and isinstance(part, FilledText) else self.sentence(part)

    def checklist(self, reason: Reason) -> Iterator[tuple[str, str]]:
        """Yield each part of a reason in words, after yes or no where it is a condition."""
        for part in reason.parts if isinstance(reason, Every) else (reason,):
            match part:
                case FilledText():
                    yield self._yes_or_no(not part.denied), self._fill(part) + self._write_sums(part.compared)
                case Unworded(expression, holds, compared):
                    yield self._yes_or_no(holds), unparse_expression(expression) + self._write_sums(compared)
                case _:
                    yield "", self.sentence(part)

    def answers(self, reason: Reason) -> str:
        """Return the parts of a reason in words, each condition followed by yes or no."""
        parts = (self.frame("is", what=text, value=mark) if mark else text for mark, text in self.checklist(reason))
        return self.frame("and").join(dict.fromkeys(parts))

    def _yes_or_no(self, holds: bool) -> str:  # noqa: FBT001 - what is put into words
        return self.frame("yes" if holds else "no")

    def _answer(self, said: FilledText) -> str:
        """Return what a text asks, with yes or no."""
        answer = self.frame("no" if said.denied else "yes")
        return self.frame("is", what=self._fill(said), value=answer) + self._write_sums(said.compared)

    @cached_property
    def _texts(self) -> Mapping[TextId, Mapping[str, str]]:
        """Return the texts of the rules that reasons name."""
        return reason_texts(self.game)

    def _fill(self, said: FilledText) -> str:
        """Return a text of the rules with what its arguments stand for."""
        shown = {name: self.typed_value(value) for name, value in said.fills}
        said_by = self._texts[said.text].items()
        return self.text({lang: SLOT.sub(lambda match: shown.get(match[1], match[0]), text) for lang, text in said_by})

    def _write_sums(self, sums: Sums) -> str:
        """Return the numbers that are compared, each as a sum with its result."""
        return f" ({', '.join(map(self._write_sum, sums))})" if sums else ""

    def _write_sum(self, values: tuple[int, ...]) -> str:
        total = self.number(sum(values))
        return f"{self.figures(values)} = {total}" if len(values) > 1 else total

    def figures(self, values: Sequence[int]) -> str:
        """Return the figures of a sum with their signs."""
        minus = self.glossary.language(self.lang).minus
        rest = (f"{'+' if value >= 0 else minus} {self.number(abs(value))}" for value in values[1:])
        return " ".join([self.number(values[0]), *rest])

    def _plainly(self, value: Json) -> str:
        if isinstance(value, list):
            return ", ".join(map(self._plainly, value))
        if isinstance(value, int) and not isinstance(value, bool):
            return self.number(value)
        return self.frame("nothing") if value is None else self.name("values", str(value))

    def number_name(self, name: Name | None) -> str:
        """Return the words for the name of a number; nothing if it has none."""
        match name:
            case None:
                return ""
            case FilledText():
                return self._fill(name)
            case Unworded(expression):
                return unparse_expression(expression)
            case Field(field):
                return self.name("fields", field)
            case Product(factors):
                return self.frame("times").join(map(self.number, factors))
            case TypedValue():
                return self.typed_value(name)
            case Negative(inner):
                return f"{self.glossary.language(self.lang).minus} {self.number_name(inner)}"

    def figure(self, name: str, of: Sequence[TypedValue]) -> str:
        """Return the name of a figure of the score, and whose it is."""
        return ", ".join([self.name("fields", name.rsplit("/", maxsplit=1)[-1]), *map(self.typed_value, of)])

    def judgement(self, found: Judgement) -> str:
        """Return a judged act in words; for one that is only described, its form."""
        if found.described:
            return f"{self.seat(found.seat)} {self.doing(next(iter(found.act)))}"
        return self.act(found.seat, found.act)

    def verdict(self, *, allowed: bool, why: str) -> str:
        """Return that something is allowed or refused, and why if there is anything to say."""
        verdict = self.frame("allowed" if allowed else "refused")
        return f"{verdict}{self.frame('dash')}{why}" if why else verdict

    def when(self, origin: Origin) -> str:
        """Return when something was written, or that it was there from the start."""
        return self.happening(origin.happened) if origin.effect else self.frame("given")

    # What happens -----------------------------------------------------------------

    def happening(self, happened: Happened | None) -> str:
        """Return a step in words; an empty text for an unknown one."""
        match happened:
            case None:
                return ""
            case Acted(seat, act):
                return self.act(seat, act)
            case Noted(name):
                return self._entry_name(self.game.summary[name])
            case Entered(name, each, value):
                return self._write_entry(self.game.summary[name], each, value)
            case RoutineStep.DEALT:
                return self.doing("deal")
            case RoutineStep.WRITTEN:
                return self.frame("written_down")
            case RoutineStep.SHEET:
                return self.frame("sheet_says")

    def _entry_name(self, entry: Entry) -> str:
        return self.text(entry.say) if entry.say else outside(entry.id)

    def _write_entry(self, entry: Entry, each: Value, value: Json) -> str:
        """Return an entry in words: its name, its owner, its value."""
        told = []
        if entry.each and entry.domain is not None:
            of = element_of(entry.domain.type, self.game.types["card"]) or entry.domain.type
            told.append(self.value(of, each))
        for parameter, given in _pair_parameters(entry, value):
            one = self.plain(parameter.type, given)
            named = isinstance(parameter.type, Bool)
            told.append(self.frame("is", what=self.name("fields", parameter.id), value=one) if named else one)
        return (
            self.frame("is", what=self._entry_name(entry), value=", ".join(told)) if told else self._entry_name(entry)
        )

    def fault_step(self, fault: RecordFault) -> str:
        """Return the words for the recorded step at fault."""
        return self.happening(fault.happened) or (fault.step if fault.deal else "")

    def slip(self, slip: Slip) -> str:
        """Return a suggested correction in words."""
        if slip.reading:
            return self.frame("read_as", reading="=".join(slip.reading))
        if slip.act is not None:
            return self.act(*slip.act)
        entry = self.game.summary[slip.entry]
        if slip.value is None:
            return self.frame("left_out", what=self._entry_name(entry))
        if slip.missing:
            return self.frame("noted", what=self._entry_name(entry))
        if not isinstance(slip.value, list):
            return self._write_entry(entry, None, slip.value)
        values = (
            ", ".join(self.plain(parameter.type, given) for parameter, given in _pair_parameters(entry, one))
            for one in slip.value
        )
        return self.frame("is", what=self._entry_name(entry), value=self.frame("beside").join(values))


def _pair_parameters(entry: Entry, value: Json) -> Iterator[tuple[Parameter, Json]]:
    """Yield the parameters of an entry with the values written for them."""
    names = [outside(parameter.id) for parameter in entry.parameters]
    given = value if len(names) > 1 and isinstance(value, dict) else dict.fromkeys(names, value)
    yield from ((parameter, given.get(name)) for name, parameter in zip(names, entry.parameters, strict=True))
