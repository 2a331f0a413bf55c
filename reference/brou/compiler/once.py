"""What a block of tests asks several times is asked once: where the first that surely asks it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from brou.compiler.finding import Block, Each, Guarded, Item, Keep, Open
from brou.compiler.lowered import Term, every_part
from brou.compiler.share import Sharing, bound_in
from brou.compiler.terms import Terms, there

#: A local pays where it spares so many operations.
_WORTH = 3
#: A call, or going through cards or values, is worth so many operations.
_LONG = 10
_LONG_OPERATIONS = frozenset({"call", "loop", "best", "peak", "floor", "total", "unique"})
#: What is so cheap may be computed although nobody asks for it in the end.
_CHEAP = 5
#: What costs nothing.
_FREE = frozenset({"const", "local"})


def share_block(terms: Terms, block: Block) -> Block:
    """Return the same block with locals for what is asked more than once."""
    return _Once(terms, names_in(block)).placed(block, frozenset(), frozenset())


class _Once:
    def __init__(self, terms: Terms, names: set[str]) -> None:
        self.terms = terms
        self.sharing = Sharing(terms, names)
        self._counts: dict[Term, dict[Term, int]] = {}

    def placed(self, block: Block, bound: frozenset[str], proved: frozenset[Term]) -> Block:
        """Return a block with locals; `bound` are those in sight, what is `proved` is there."""
        items, made = list(block), list[Item]()
        while items:
            found = self._repeated(items, bound, proved)
            if found is not None:
                name = self.sharing.named(found)
                items = [self._replaced(item, found, self.terms.local(name, found.kind)) for item in items]
                items.insert(0, Keep(name, found))
                continue
            item = items.pop(0)
            bound |= {item.name} if isinstance(item, Keep) else frozenset()
            made.append(self._inside(item, bound, proved))
        return tuple(made)

    def _inside(self, item: Item, bound: frozenset[str], proved: frozenset[Term]) -> Item:
        match item:
            case Guarded():
                return replace(item, body=self.placed(item.body, bound, proved | there(item.condition)))
            case Each():
                return replace(item, body=self.placed(item.body, bound | {item.name}, proved))
            case _:
                return item

    def _repeated(self, items: Sequence[Item], bound: frozenset[str], proved: frozenset[Term]) -> Term | None:
        """Return the greatest part that the first item asks and something inside or behind it asks again."""
        own, inside = self._counted(_own(items[0])), self._counted(_inner(items[0]))
        behind = self._counted(term for item in items[1:] for term in (*_own(item), *_inner(item)))
        worth = [
            term
            for term in own | inside
            if term.free <= bound
            and term.total
            and (own[term] + inside[term] + behind[term] - 1) * _gain(term) >= _WORTH
            and (behind[term] or (own[term] and inside[term]))
            and self._sure(items[0], term, proved)
        ]
        return max(worth, key=_gain, default=None)

    def _sure(self, item: Item, term: Term, proved: frozenset[Term]) -> bool:
        """Say whether an item asks a term whatever comes; one that is cheap may be asked for nothing, if it can be."""
        if any(self.sharing.strict(one, term) for one in _own(item)):
            return True
        likely = item.body[:1] if isinstance(item, Guarded) and _is_seat(item.condition) else ()
        asked = any(self.sharing.strict(one, term) for inner in likely for one in _own(inner))
        return term.needs <= proved and (asked or _gain(term) <= _CHEAP)

    def _counted(self, terms: Iterable[Term]) -> Counter[Term]:
        """Return how often each part that is worth a local is asked."""
        found: Counter[Term] = Counter()
        for term in terms:
            if term not in self._counts:
                counts = self.sharing.counts(term)
                self._counts[term] = {part: count for part, count in counts.items() if part.op not in _FREE}
            found.update(self._counts[term])
        return found

    def _replaced(self, item: Item, part: Term, local: Term) -> Item:
        """Return an item in which a local stands for a part."""

        def put(term: Term) -> Term:
            return self.sharing.replaced(term, part, local)

        match item:
            case Guarded(condition, body):
                return Guarded(put(condition), tuple(self._replaced(one, part, local) for one in body))
            case Keep(name, value):
                return Keep(name, put(value))
            case Each(name, domain, body):
                return Each(name, put(domain), tuple(self._replaced(one, part, local) for one in body))
            case Open(act, seat, values, cards, weight):
                values = None if values is None else tuple(map(put, values))
                return Open(act, put(seat), values, None if cards is None else put(cards), put(weight))
            case _:
                assert_never(item)


def _is_seat(condition: Term) -> bool:
    """Say whether a test is that there is somebody whose turn it is, which is hardly ever not so."""
    if condition.op != "compare" or condition.name != ">=":
        return False
    one, two = condition.parts
    return one.op == "local" and two.op == "const" and two.value == 0


def _own(item: Item) -> tuple[Term, ...]:
    """Return what an item asks itself."""
    match item:
        case Guarded():
            return (item.condition,)
        case Keep():
            return (item.value,)
        case Each():
            return (item.domain,)
        case Open():
            return tuple(
                term for term in (item.seat, *(item.values or ()), item.cards, item.weight) if term is not None
            )
        case _:
            assert_never(item)


def _inner(item: Item) -> Iterator[Term]:
    """Yield what is asked inside an item."""
    for one in item.body if isinstance(item, (Guarded, Each)) else ():
        yield from _own(one)
        yield from _inner(one)


def _gain(term: Term) -> int:
    """Return how much work a term is."""
    return term.cost + _LONG * sum(part.op in _LONG_OPERATIONS for part in every_part([term]))


def names_in(block: Block) -> set[str]:
    """Return all names that a block uses."""
    found: set[str] = set()
    for item in block:
        if isinstance(item, (Keep, Each)):
            found.add(item.name)
        if isinstance(item, (Guarded, Each)):
            found |= names_in(item.body)
        found |= {name for term in _own(item) for name in term.free | bound_in(term)}
    return found
