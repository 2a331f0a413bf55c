"""From a law to the generated rules that say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from brou.chapters.declared import ChapterKey
from brou.chapters.decode import refuse
from brou.chapters.duties import DutyTables
from brou.chapters.exemptions import Exemptions
from brou.chapters.law import Law
from brou.chapters.nodes import Built, build
from brou.chapters.notation import DomainForm, PictureForm, RanksEntry, ShownEntry
from brou.chapters.rules import ActRule, Definition, Exemption, PhaseRule
from brou.chapters.scope import Letters, is_range, range_of
from brou.chapters.sheet import SheetWriter
from brou.chapters.steps import StepWriter
from brou.chapters.terms import call, free_names, replace_names, slug
from brou.chapters.texts import name_expression
from brou.chapters.tokens import Snippet, Token
from brou.chapters.values import ValueTables
from brou.language.node import Node

_EACH = re.compile(r"([a-z][a-z0-9_]*)\s+in\s+(.+)\Z", re.DOTALL)
_FIRST = re.compile(r"(.*), first (\S+)\Z", re.DOTALL)


def desugar(law: Law) -> Node:
    """Return the generated rules of a law; raise `Invalid` where the law contradicts itself."""
    return _Desugaring(law).rules()


class _Desugaring:
    def __init__(self, law: Law) -> None:
        self.law = law
        self.frame = law.frame
        self.letters = Letters(law)
        self.exemptions = Exemptions(law)
        self.duties = DutyTables(law, self.letters, self.exemptions)
        self.values = ValueTables(law, self.letters, self.exemptions)
        self.values.check()
        self.automatic = {rule.phase: rule for rule in law.of_kind(PhaseRule)}
        self.steps = StepWriter(law, self.letters, self.exemptions)
        self.sheet = SheetWriter(law, self.duties, self.steps)

    def rules(self) -> Node:
        """Return all sections."""
        law, frame = self.law, self.frame
        place = frame.game.place
        if law.seats is None or law.pack is None:
            raise refuse(
                place, "no clause says how many seats there are, or with which pack", "write `seats:`, `pack:`"
            )
        seats, seated = law.seats
        functions = dict([*self.values.functions(), *self.duties.functions()])
        sections: dict[str, Built] = {
            "format": "brou/1",
            "game": str(frame.game),
            "title": law.texts.of("title", frame.title),
            "chapters": True,
            "seating": {
                "seats": seats,
                "teams": [list(team) for team in law.teams] or None,
                "clause": str(seated),
            },
            "deck": {
                "suits": _texts(law.pack.suits),
                "ranks": _texts(law.pack.ranks),
                "without": _list_words(law.without),
                "copies": law.copies if law.copies > 1 else None,
                "clause": law.packed,
            },
            "attributes": {name: self._attribute(values, clause) for name, (values, clause) in law.attributes.items()},
            "params": {name: {"value": node, "clause": clause} for name, (node, clause) in law.numbers.items()},
            "types": {name: self._type(name) for name in law.types},
            "state": {scope: self._scope(scope) for scope in frame.scopes},
            "functions": functions,
            "tables": dict([*self.values.tables(), *self.duties.tables()]),
            "actions": {act.head.name: self._action(act) for act in law.of_kind(ActRule)},
            "phases": dict(self._phases()),
            "view": {key: self._key(sight) for key, sight in law.view.items()},
            "score": {key: self._account(sight) for key, sight in law.score.items()},
            "invariants": {name: written.node for name, written in law.always.items()},
            "start": {
                "phase": str(frame.start.phase),
                "deal": str(frame.start.deal),
                "given": _texts(frame.start.given),
            },
            "phrases": dict(self._phrases()),
            "summary": self.sheet.entries(),
        }
        self._check_scopes()
        return build(sections, seated.place, frame.spell_id)

    def _check_scopes(self) -> None:
        for variable in self.law.variables.values():
            if variable.scope not in self.frame.scopes:
                known = ", ".join(self.frame.scopes)
                raise refuse(variable.type.place, f"unknown scope {variable.scope!r}", f"scopes are {known}")

    # Material ---------------------------------------------------------------------

    def _attribute(self, values: Mapping[str, RanksEntry], clause: str) -> Built:
        by_suit = {suits: one.content for suits, one in values.items() if isinstance(one.content, Mapping)}
        if by_suit:
            groups: dict[str, Built] = {suits: _ranks(ranks) for suits, ranks in by_suit.items()}
            return {"by": "suit", "values": groups, "clause": clause}
        words = {ranks: one.content for ranks, one in values.items() if isinstance(one.content, Token)}
        return {"by": "rank", "values": _ranks(words), "clause": clause}

    def _type(self, name: str) -> Built:
        words, clause = self.law.types[name]
        body: Mapping[str, Built] = range_of(words[0]) if is_range(words) else {"values": [str(word) for word in words]}
        return {**body, "clause": clause or None}

    def _scope(self, scope: str) -> Mapping[str, Built]:
        found: dict[str, Built] = {}
        for variable in self.law.variables.values():
            if variable.scope == scope:
                first = _FIRST.match(variable.type)
                type_ = self.letters.type_of_variable(variable)
                spelt = type_ if first is None else type_.replace(f", first {first[2]}", "")
                init = None if first is None else _number(Token.at(first[2], variable.type.place))
                zone = True if variable.zone else None
                declared = {"type": Node(spelt, variable.type.place), "init": init, "zone": zone}
                found[variable.name] = {**declared, "clause": variable.clause or None}
        return found

    def _phrases(self) -> Iterator[tuple[str, Built]]:
        """Yield the words for conditions and figures, but for those of names that another reading brings."""
        called = {meaning.name: meaning.letters for meaning in self.law.means.values()}
        called |= {rule.head.name: rule.head.letters for rule in self.law.of_kind(Definition)}
        known = {*called, *self.law.variables, *self.law.numbers}
        for expression, saying in self.law.says.items():
            if expression.isidentifier() and expression not in known:
                continue
            pattern = call(expression, called.get(expression, ()))
            free = free_names(pattern) - set(self.law.variables)
            letters = [letter for letter in saying.names if letter in free]
            yield (
                name_expression(expression),
                {
                    "args": self.letters.arguments(letters, saying.names, saying.word.place) or None,
                    "is": Node(pattern, saying.word.place),
                    "say": self.law.texts.of(saying.id, saying.word),
                },
            )

    # Acts and phases ----------------------------------------------------------------

    def _action(self, act: ActRule) -> Built:
        names = self._name_letters(act)
        by = act.by.content if act.by is not None else None
        who = Node("players", act.label.place) if by is None else self._put(by.who, names)
        params = {name: self._parameter(ranging.content, names) for name, ranging in act.takes.items()}
        return {
            "clause": act.clause,
            "by": {"who": who, "clause": by.clause if by else None, "code": by.code if by else None},
            "params": params or None,
            "legal": self.duties.legal(act, names),
            "require": [self._put(word, names) for word in act.require] or None,
            "skill": act.skill or None,
            "do": self.steps.write(act.do, names, act.clause),
        }

    def _name_letters(self, act: ActRule) -> dict[str, str]:
        """Return the names for the letters of an act: the seat, then its parameters."""
        seat, *others = act.head.letters or ("",)
        if len(others) != len(act.takes):
            what = f"{act.head.word} has {len(others)} letters behind the seat and takes {len(act.takes)} values"
            raise refuse(act.head.word.place, what, "write a letter for the seat and one for each value that it takes")
        return {seat: "me", **dict(zip(others, act.takes, strict=True))}

    def _parameter(self, domain: DomainForm, names: Mapping[str, str]) -> Built:
        return {"in": self._put(domain.within, names), "code": domain.code, "clause": domain.clause}

    def _put(self, word: Token, names: Mapping[str, str]) -> Node:
        return Node(replace_names(word, names), word.place)

    def _phases(self) -> Iterator[tuple[str, Built]]:
        """Yield the phases in which somebody decides, in the order of the course, and after them the others."""
        for phase, clause in self.frame.course.items():
            acts: list[Built] = [act.head.name for act in self.law.of_kind(ActRule) if phase in act.phases]
            yield phase, {"actions": acts, "clause": clause} if acts else {"final": True, "clause": clause}
        for act in self.law.of_kind(ActRule):
            for word in act.phases:
                if word not in self.frame.course:
                    known = ", ".join(self.frame.course)
                    raise refuse(word.place, f"{word!r} is no phase of the course", f"there are {known}")
        for name, rule in self.automatic.items():
            require: list[Built] = [Node(str(word), word.place) for word in rule.require]
            yield name, {"clause": rule.clause, "require": require or None, "do": self._automatic(rule)}

    def _automatic(self, rule: PhaseRule) -> list[Built]:
        """Return what a phase does: where exceptions replace it, the innermost that holds decides."""
        always = self.exemptions.find_always(rule.label)
        if always is not None:
            return self.steps.write(always.do or (), {}, always.clause)
        replacing = self.exemptions.replacing(rule.label)
        own = self.steps.write(rule.do, {}, rule.clause)
        if not replacing:
            return own
        self._check_siblings(rule.label)
        cases: list[Built] = []
        for one in replacing:
            when = one.when.node if one.when is not None else Node("True", one.label.place)
            do = self.steps.write(one.do or (), {}, one.clause)
            cases.append({"id": slug(one.label), "when": when, "clause": one.clause, "do": do})
        return [{"cases": [*cases, {"id": slug(rule.label), "else": True, "do": own}]}]

    def _check_siblings(self, label: str) -> None:
        """Two exceptions of one rule exclude each other, or one is an exception of the other."""
        exceptions = self.exemptions.of(label)
        for number, one in enumerate(exceptions):
            for two in exceptions[number + 1 :]:
                if not self._is_settled(one, two):
                    what = f"{one.label} and {two.label} may both replace {label}"
                    raise refuse(two.label.place, what, "make one an exception of the other, or let them exclude it")
            self._check_siblings(one.label)

    def _is_settled(self, one: Exemption, two: Exemption) -> bool:
        under = {rule.label for rule in self.exemptions.replacing(one.label)}
        over = {rule.label for rule in self.exemptions.replacing(two.label)}
        apart = self.letters.conditions.exclude(one.when or "True", two.when or "True")
        return two.label in under or one.label in over or apart

    # View and score -----------------------------------------------------------------

    def _key(self, sight: ChapterKey) -> Built:
        content = sight.shown.content
        if isinstance(content, PictureForm):
            shown = self._picture(content)
            return {**shown, "level": content.level or "must", "clause": content.clause or sight.clause}
        return {"show": self._score(sight.shown), "level": "must", "clause": sight.clause}

    def _account(self, sight: ChapterKey) -> Built:
        content = sight.shown.content
        if isinstance(content, PictureForm):
            return {**self._picture(content), "clause": content.clause or sight.clause}
        return {"show": self._score(sight.shown), "clause": sight.clause}

    def _score(self, shown: ShownEntry) -> Built:
        content = shown.content
        if isinstance(content, PictureForm):
            return self._picture(content)
        if isinstance(content, Snippet):
            return content.node
        return {key: self._score(member) for key, member in content.items()}

    def _picture(self, picture: PictureForm) -> Mapping[str, Built]:
        when = None if picture.when is None else picture.when.node
        seen = None if picture.seen is None else picture.seen.node
        inner = self._score(picture.show)
        if picture.loop is not None:
            looped = {**_ranging(picture.loop), "when": when, "show": inner}
            each = picture.each
            if each is None:
                raise refuse(picture.loop.place, "`for` follows `each`", "write `each:` for a single loop")
            return {**_ranging(each), "seen": seen, "flat": True, "show": looped}
        each_ = {} if picture.each is None else _ranging(picture.each)
        return {**each_, "when": when, "seen": seen, "show": inner}


def _ranging(word: Token) -> Mapping[str, Built]:
    match = _EACH.match(word)
    if match is None:
        raise refuse(word.place, f"{word!r} is no loop", "write it like `p in players`")
    return {"each": match[1], "in": Node(match[2], word.place)}


def _ranks(words: Mapping[str, Token]) -> Built:
    """Return the numbers of ranks, those too that only an order names."""
    falling = words.get("descending", "").split()
    numbers: dict[str, Built] = {rank: len(falling) - number for number, rank in enumerate(falling)}
    return numbers | {ranks: _number(word) for ranks, word in words.items() if ranks != "descending"}


def _number(word: Token) -> Node:
    """Return a first value or a number: a truth, a number, or a name."""
    if word in ("True", "False"):
        return Node(word == "True", word.place)
    return Node(int(word) if re.fullmatch(r"-?[0-9]{1,18}", word) else str(word), word.place)


def _texts(words: Mapping[str, Token]) -> Built:
    return {key: str(word) for key, word in words.items()}


def _list_words(words: Iterable[Token]) -> list[Built] | None:
    return [Node(str(word), word.place) for word in words] or None
