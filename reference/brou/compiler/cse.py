"""Common subexpression elimination: repeated terms are computed once, as late as possible."""

from __future__ import annotations

from collections.abc import Iterable

from brou.compiler.lowered import Term, every_part
from brou.compiler.term_builder import TermBuilder, there

#: What is cheaper than so many operations is as well computed again.
_WORTH = 3


def share(terms: TermBuilder, term: Term, taken: Iterable[str] = (), known: Iterable[Term] = ()) -> Term:
    """Return the same term with lets for parts that occur several times, or do not change inside a loop.

    `taken` are the locals in sight, `known` are tests that hold here. A let stands where a program may stop and
    compute: at the beginning, behind a test, in a branch. A part that is defined only behind a test is not computed
    before it.
    """
    proved = frozenset[Term]().union(*map(there, known))
    names = term.free.union(taken)
    found = terms.known.get(("shared", term, names, proved))
    if found is None:
        found = Sharing(terms, {*names, *bound_in(term)}).place_lets(term, proved)
        terms.known["shared", term, names, proved] = found
    return found


class Sharing:
    """Finds repeated parts; `names` are taken, and the names of all lets are added to them."""

    def __init__(self, terms: TermBuilder, names: set[str]) -> None:
        self.terms = terms
        self.names = names

    def place_lets(self, term: Term, proved: frozenset[Term]) -> Term:
        """Return the term with lets in it, the outermost first; the terms in `proved` are present."""
        t = self.terms
        found = self._find_repeated(term, proved)
        if found is not None:
            name = self.make_name(found)
            body = self.replace_part(term, found, t.local(name, found.kind))
            return t.make("let", term.kind, self.place_lets(found, proved), self.place_lets(body, proved), bound=name)
        # Nothing is shared at this place. Each side is asked only in its own case, so lets stand inside it, and there
        # the test has proved what it proves.
        match term.op:
            case "choose":
                test, yes, no = term.parts
                sides = (
                    self.place_lets(yes, proved | there(test)),
                    self.place_lets(no, proved | there(test, holds=False)),
                )
                return t.rebuild(term, [test, *sides])
            case "and" | "or":
                # The parts behind the first are a term of their own: a let for what they share stands behind the first,
                # which may decide alone.
                first, *others = term.parts
                rest = others[0] if len(others) == 1 else t.make(term.op, term.kind, *others)
                rest = self.place_lets(rest, proved | there(first, holds=term.op == "and"))
                return t.make(term.op, term.kind, first, *(rest.parts if rest.op == term.op else [rest]))
            case "let":
                return t.rebuild(term, [term.parts[0], self.place_lets(term.parts[1], proved)])
            case "loop":
                domain, test, body, *default = term.parts
                inside = self.place_lets(test, proved), self.place_lets(body, proved | there(test))
                return t.rebuild(term, [domain, *inside, *default])
        return term

    def _find_repeated(self, term: Term, proved: frozenset[Term]) -> Term | None:
        """Return the greatest part that is worth a let here rather than further inside."""
        bound, first = bound_in(term), self.counts(_first(term))
        worth = [
            part
            for part, count in self.counts(term).items()
            # A let is evaluated once and always. So the part must not crash, must not use a local that is bound further
            # inside, and must be evaluated anyway, or stand in what is evaluated first; else the work might be for
            # nothing.
            if count > 1 and part.total and part is not term and not part.free & bound
            if part.op == "call" or part.cost >= _WORTH
            if (part in first or self.strict(term, part)) and (part.needs <= proved or self.strict(term, part))
        ]
        return max(worth, key=lambda part: part.cost, default=None)

    def make_name(self, term: Term) -> str:
        """Return a new name for what a term gives."""
        stem = term.name if term.op == "call" else "kept"
        number, name = 1, f"{stem}_"
        while name in self.names:
            number += 1
            name = f"{stem}_{number}"
        self.names.add(name)
        return name

    def replace_part(self, term: Term, part: Term, local: Term) -> Term:
        """Return a term in which a local stands for a part; what its tests prove to be there is still known."""
        done: dict[Term, Term] = {}

        def walk(one: Term) -> Term:
            # No term costs less than its parts, so the part cannot be inside.
            if one.cost < part.cost:
                return one
            if self.bare(one) is part:
                return local if one is part else self.terms.present(local)
            if one not in done:
                parts = [walk(inner) for inner in one.parts]
                same = all(new is old for new, old in zip(parts, one.parts, strict=True))
                done[one] = one if same else self.terms.make(
                    one.op, one.kind, *parts, name=one.name, bound=one.bound, value=one.value, total=one.total,
                    needs=frozenset(map(walk, one.needs)), all_needs=True,
                )  # fmt: skip
            return done[one]

        return walk(term)

    def bare(self, term: Term) -> Term:
        """Return a term as it is where nothing proves that it is there: both are computed alike."""
        base = self.terms.maybe(term) if term.needs else term
        return base if base in term.needs else term

    def strict(self, term: Term, part: Term) -> bool:
        """Say whether a part is evaluated whenever the term is."""
        if term.cost < part.cost:
            return False
        if self.bare(term) is part:
            return True
        match term.op:
            case "and" | "or" | "loop":
                return self.strict(term.parts[0], part)
            case "choose":
                test, yes, no = term.parts
                return self.strict(test, part) or (self.strict(yes, part) and self.strict(no, part))
            case "unique":
                return any(self.strict(when, part) for when in term.parts[::2])
        return any(self.strict(one, part) for one in term.parts)

    def counts(self, term: Term) -> dict[Term, int]:
        """Return how often each part is evaluated, as far as can be seen: what a loop repeats counts twice."""
        counts: dict[Term, int] = {}

        def walk(one: Term, times: int) -> None:
            bare = self.bare(one)
            # Twice is as good as often. Terms are shared, and without this the walk would go through equal parts again
            # and again.
            seen = counts.get(bare, 0)
            if seen > 1:
                return
            counts[bare] = min(2, seen + times)
            for place, part in enumerate(one.parts):
                walk(part, 2 if one.op == "loop" and place in (1, 2) else times)

        walk(term, 1)
        return counts


def _first(term: Term) -> Term:
    """Return the part that is evaluated before a term branches."""
    return term.parts[0] if term.op in ("choose", "and", "or", "let") else term


def bound_in(term: Term) -> set[str]:
    """Return the locals that are bound inside a term."""
    return {one.bound for one in every_part([term]) if one.bound}
