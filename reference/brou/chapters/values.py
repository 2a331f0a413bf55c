"""Values as generated rules have them: a function for an expression or a sum, a table where there are exceptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brou.chapters.decode import refuse
from brou.chapters.exemptions import Exemptions
from brou.chapters.law import Law
from brou.chapters.nodes import Built
from brou.chapters.rules import Addend, Definition, Exemption
from brou.chapters.scope import Letters
from brou.chapters.terms import call, conjoin, negate, replace_names, slug, total
from brou.chapters.tokens import Snippet
from brou.language.node import Node


class ValueTables:
    """The values and the named expressions of a law."""

    def __init__(self, law: Law, letters: Letters, exemptions: Exemptions) -> None:
        self.law = law
        self.letters = letters
        self.exemptions = exemptions
        self.sums = {rule.head.name: rule for rule in law.of_kind(Definition) if rule.terms is not None}
        self.known = {rule.head.name for rule in law.of_kind(Definition)}

    def functions(self) -> Iterator[tuple[str, Built]]:
        """Yield the named expressions, the values that have neither exceptions nor cases, and the added terms.

        An added term is a function of its own, so that the clause that adds it is cited.
        """
        for meaning in self.law.means.values():
            arguments = self.letters.arguments(meaning.letters, meaning.names, meaning.gives.place)
            yield meaning.name, {"args": arguments or None, "is": meaning.gives.node, "clause": meaning.clause or None}
        for rule in self.law.of_kind(Definition):
            always = self.exemptions.find_always(rule.label)
            if always is not None:
                yield rule.head.name, {**self._heading(rule), "is": _value_of(always).node, "clause": always.clause}
            elif not self._is_table(rule):
                yield rule.head.name, {**self._heading(rule), "is": self._own(rule)}
        for addend in self.law.of_kind(Addend):
            yield slug(addend.label), self._term(addend)

    def _term(self, addend: Addend) -> Built:
        """Return an added term as a function of the letters of its sum, which stand for what they do there."""
        to = self.sums[addend.to.name]
        types = self.letters.arguments(to.head.letters, to.names, to.head.word.place)
        renamed = dict(zip(to.head.letters, addend.to.letters, strict=True))
        return {
            "args": {renamed[letter]: type_ for letter, type_ in types.items()} or None,
            "require": [Node(replace_names(word, renamed), word.place) for word in to.require] or None,
            "is": addend.gives.node,
            "clause": addend.clause,
        }

    def tables(self) -> Iterator[tuple[str, Built]]:
        """Yield the values with cases or exceptions: of their rows exactly one holds."""
        for rule in self.law.of_kind(Definition):
            if self._is_table(rule):
                yield rule.head.name, {**self._heading(rule), "policy": "unique", "rows": list(self._rows(rule))}

    def _is_table(self, rule: Definition) -> bool:
        """Say whether a value depends: on its cases, or on exceptions none of which always replaces it."""
        if self.exemptions.find_always(rule.label) is not None:
            return False
        return rule.cases is not None or bool(self.exemptions.of(rule.label))

    def _heading(self, rule: Definition) -> Mapping[str, Built]:
        arguments = self.letters.arguments(rule.head.letters, rule.names, rule.head.word.place)
        require: list[Built] = [Node(str(word), word.place) for word in rule.require]
        return {"args": arguments or None, "clause": rule.clause, "require": require or None}

    def _rows(self, rule: Definition) -> Iterator[Built]:
        for one, when in self.exemptions.conditions(rule.label):
            place = (one.when or one.label).place
            yield {"id": slug(one.label), "when": Node(when, place), "then": _value_of(one).node, "clause": one.clause}
        excepted = [negate(self.exemptions.any_of(rule.label))] if self.exemptions.of(rule.label) else []
        if rule.cases is None:
            yield {
                "id": slug(rule.label),
                "when": Node(conjoin(excepted), rule.head.word.place),
                "then": self._own(rule),
            }
        for id_, line in (rule.cases or {}).items():
            holds = Node(conjoin([line.when, *excepted]), line.when.place)
            yield {"id": slug(id_), "when": holds, "then": line.gives.node, "clause": line.clause}

    def _own(self, rule: Definition) -> Node:
        """Return what a value is while no exception replaces it: its expression, or the sum of all its terms."""
        if rule.terms is None:
            gives = rule.gives
            if gives is None:
                raise refuse(rule.label.place, f"{rule.label} gives no value", "write `is:`, `sum:` or `cases:`")
            return gives.node
        terms = dict(rule.terms)
        for addend in self.law.of_kind(Addend):
            if addend.to.name == rule.head.name:
                if addend.term in terms:
                    what = f"{rule.head.name} has a second term {addend.term!r}"
                    raise refuse(addend.term.place, what, "call it something else")
                named = call(slug(addend.label), rule.head.letters)
                terms[addend.term] = Snippet.at(named, addend.gives.place)
        return Node(total(terms.values()), rule.head.word.place)

    def check(self) -> None:
        """Raise `Invalid` where a term is added to a value that is no sum."""
        for addend in self.law.of_kind(Addend):
            if addend.to.name not in self.sums:
                known = ", ".join(self.sums)
                what = f"{addend.to.name} is not defined by a sum, so nothing can be added to it"
                raise refuse(addend.to.word.place, what, f"add to one of these: {known or 'none yet'}")
            if len(addend.to.letters) != len(wanted := self.sums[addend.to.name].head.letters):
                what = f"{addend.to.word} has {len(addend.to.letters)} letters"
                raise refuse(addend.to.word.place, what, f"write one for each of {', '.join(wanted) or 'none'}")


def _value_of(exception: Exemption) -> Snippet:
    if exception.gives is None:
        raise refuse(exception.label.place, f"{exception.label} gives no value", "write `is:`")
    return exception.gives
