"""Steps as effects of generated rules: named effects and what clauses do at events are put where they happen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from brou.chapters.decode import refuse
from brou.chapters.exemptions import Exemptions
from brou.chapters.law import Law
from brou.chapters.nodes import Built
from brou.chapters.notation import StepForm
from brou.chapters.rules import ActRule, Exemption, Handler, Heading, PhaseRule, Procedure
from brou.chapters.scope import Letters
from brou.chapters.terms import free_names, replace_names, slug
from brou.chapters.tokens import Snippet, Token
from brou.errors import Place
from brou.language.node import Node

#: What stands for the names of a place: expressions of the place where its steps are put.
Names = Mapping[str, str]

_LOOP = re.compile(r"([a-z][a-z0-9_]*)\s+in\s+(.+)\Z", re.DOTALL)
#: So deep may named effects and events lie within each other, and so many may one act or phase run.
_DEEPEST, _MOST = 20, 200


class StepWriter:
    """Writes the steps of one act or phase."""

    def __init__(self, law: Law, letters: Letters, exemptions: Exemptions) -> None:
        self.law = law
        self.letters = letters
        self.handlers = [_limit(rule, exemptions) for rule in law.of_kind(Handler)]
        self.procedures = {rule.head.name: rule for rule in law.of_kind(Procedure)}
        for name, steps in (law.sheet.effects if law.sheet is not None else {}).items():
            label = Token.at(f"sheet/{name}")
            self.procedures[name] = Procedure(label, "", {}, Heading(name, (), label), steps)
        self.raised = _find_raised(law)
        #: The locals of the act or phase that is being written, and how many effects and events it runs.
        self._locals: set[str] = set()
        self._ran = 0
        for handler in self.handlers:
            if handler.event.name not in self.raised:
                known = ", ".join(sorted(self.raised))
                raise refuse(
                    handler.event.word.place, f"no event {handler.event.name!r}", f"events are {known or 'none'}"
                )

    def write(self, steps: Sequence[StepForm], names: Names, clause: str) -> list[Built]:
        """Return steps as effects; `names` are put in the places of letters, `clause` is what they cite."""
        self._locals.clear()
        self._ran = 0
        return _number(list(self._list(steps, names, clause, 0)))

    def _list(self, steps: Sequence[StepForm], names: Names, clause: str, depth: int) -> Iterator[Built]:
        waiting: dict[str, list[Built]] = {}
        for number, step in enumerate(steps):
            own = step.clause or clause
            if step.happen is not None:
                event = Heading.of(step.happen)
                changes, ways = self._happen(event, names, depth)
                yield from changes
                if any(Heading.of(later.leave).name == event.name for later in steps[number + 1 :] if later.leave):
                    waiting[event.name] = ways
                else:
                    yield from ways
            elif step.leave is not None:
                event = Heading.of(step.leave)
                if event.name not in waiting:
                    raise refuse(step.leave.place, f"{event.name} has not happened here", "let it happen first")
                yield from waiting.pop(event.name)
            else:
                for effect, after in self._step(step, names, own, depth):
                    names = after
                    yield effect

    def _step(self, step: StepForm, names: Names, clause: str, depth: int) -> Iterator[tuple[Built, Names]]:
        """Yield the effects of one step, each with the names that hold behind it."""
        cited = {"clause": clause}
        for target, value in step.assign.items():
            yield {"set": self._target(target, value, names), "to": _put(value, names), **cited}, names
        for target, value in step.add.items():
            yield {"add": self._target(target, value, names), "by": _put(value, names), **cited}, names
        for name, value in step.let.items():
            made = _put(value, names)
            names = {**names, name: self._fresh(name, names)}
            yield {"let": names[name], "be": made, **cited}, names
        yield from ((effect, names) for effect in self._other(step, names, clause, depth))

    def _other(self, step: StepForm, names: Names, clause: str, depth: int) -> Iterator[Built]:
        cited = {"clause": clause}
        if step.move is not None or step.draw is not None:
            head = (
                {"move": _put(step.move, names)} if step.move is not None else {"draw": _put(_there(step.draw), names)}
            )
            yield {**head, "from": _put(_there(step.source), names), "to": _put(_there(step.target), names), **cited}
        elif step.loop is not None:
            bound, domain = read_loop(step.loop)
            inside = {**names, bound: self._fresh(bound, names)}
            within = Node(replace_names(domain, names), step.loop.place)
            body = self._nest(step.do or (), inside, clause, depth)
            yield {"for": inside[bound], "in": within, "do": body, **cited}
        elif step.when is not None:
            branch: Built = {
                "if": _put(step.when, names),
                "then": list(self._nest(step.do or (), names, clause, depth)),
            }
            other = None if step.otherwise is None else list(self._nest(step.otherwise, names, clause, depth))
            yield {**branch, "else": other, **cited}  # type: ignore[dict-item]  # what is None is left out when it is built
        elif step.run is not None:
            yield from self._run(step.run, names, clause, depth)
        elif step.go is not None:
            yield {"goto": Node(str(step.go), step.go.place), **cited}
        elif step.reset is not None:
            yield {"reset": Node(str(step.reset), step.reset.place), **cited}

    def _nest(self, steps: Sequence[StepForm], names: Names, clause: str, depth: int) -> list[Built]:
        return _number(list(self._list(steps, names, clause, depth)))

    def _run(self, word: Token, names: Names, clause: str, depth: int) -> Iterator[Built]:
        called = Heading.of(word)
        if called.name not in self.procedures:
            known = ", ".join(self.procedures)
            raise refuse(word.place, f"no effect {called.name!r}", f"effects are {known or 'none'}")
        procedure = self.procedures[called.name]
        inside = _match_letters(called, procedure.head, names)
        yield from self._list(procedure.do, inside, procedure.clause or clause, self._go_down(depth, word.place))

    def _go_down(self, depth: int, place: Place) -> int:
        """Return the depth below one; raise `Invalid` where effects lie too deep or run too many others."""
        self._ran += 1
        if depth == _DEEPEST:
            raise refuse(place, f"effects nested deeper than {_DEEPEST}", "an effect may not run itself")
        if self._ran > _MOST:
            raise refuse(place, f"effects and events run more than {_MOST} others", "let them run fewer")
        return depth + 1

    def _target(self, target: str, value: Snippet, names: Names) -> Node:
        return Node(replace_names(target, names), value.place)

    def _fresh(self, name: str, names: Names) -> str:
        """Return a name for a new local that occurs nowhere else in the written rules."""
        used = self._locals | {free for key, text in names.items() if key != name for free in free_names(text)}
        while name in used:
            name = f"{name}_"
        self._locals.add(name)
        return name

    # Events -----------------------------------------------------------------------

    def _happen(self, event: Heading, names: Names, depth: int) -> tuple[list[Built], list[Built]]:
        """Return the changes of the clauses at an event, and where they then go, as if it had changed nothing yet.

        The decisions where to go stand first, then the changes; those that read a variable precede its writers.
        """
        handlers = [rule for rule in self.handlers if rule.event.name == event.name]
        changes: list[Built] = []
        ways: list[Built] = []
        for handler in filter(_goes, handlers):
            inside = _match_letters(event, handler.event, names)
            flag = self._fresh(f"going_{slug(handler.label)}", names)
            when = Node(replace_names(handler.when or "True", inside), (handler.when or handler.label).place)
            changes.append({"let": flag, "be": when, "clause": handler.clause})
            goto = handler.do[-1].go or Token()
            then: list[Built] = [{"goto": Node(str(goto), goto.place)}]
            ways.append({"id": slug(handler.label), "if": flag, "then": then, "clause": handler.clause})
        for handler in self._order(handlers):
            changes += self._handle(handler, _match_letters(event, handler.event, names), depth)
        return changes, ways

    def _handle(self, handler: Handler, names: Names, depth: int) -> Iterator[Built]:
        steps = handler.do[:-1] if _goes(handler) else handler.do
        if not steps:
            return
        deeper = self._go_down(depth, handler.event.word.place)
        if handler.when is None:
            yield from self._list(steps, names, handler.clause, deeper)
            return
        then = self._nest(steps, names, handler.clause, deeper)
        yield {"id": slug(handler.label), "if": _put(handler.when, names), "then": then, "clause": handler.clause}

    def _order(self, handlers: Sequence[Handler]) -> list[Handler]:
        """Return the handlers of one event, readers of a variable before its writers, else in the order of the text.

        Raise `Invalid` where two handlers that may both come to pass contradict each other or wait for each other.
        """
        before = {one.label: [two.label for two in handlers if self._waits(one, two)] for one in handlers}
        for number, one in enumerate(handlers):
            for two in handlers[number + 1 :]:
                self._check_agreement(one, two)
        found: list[Handler] = []
        waiting = list(handlers)
        while waiting:
            labels = {one.label for one in waiting}
            free = next((one for one in waiting if not labels & set(before[one.label])), None)
            if free is None:
                what = f"{' and '.join(sorted(labels))} read and write the same at one event"
                raise refuse(
                    waiting[0].label.place, what, "let one of them keep what it reads in a variable of its own"
                )
            found.append(free)
            waiting.remove(free)
        return found

    def _waits(self, one: Handler, two: Handler) -> bool:
        """Say whether a handler changes what another still has to read."""
        if one is two:
            return False
        reading: list[str] = [two.when] if two.when is not None else []
        if not self._exclude(one, two):
            reading += list(_expressions(self._reach(two.do)))
        return bool(_find_changed(self._reach(one.do)) & self.letters.reads(reading))

    def _reach(self, steps: Iterable[StepForm]) -> list[StepForm]:
        """Return steps and those of all effects that they run, each effect once."""
        found, known = list(steps), set[str]()
        for step in found:  # grows while it is gone through
            for inner in _walk([step]):
                called = "" if inner.run is None else Heading.of(inner.run).name
                if called in self.procedures and called not in known:
                    known.add(called)
                    found += self.procedures[called].do
        return found

    def _exclude(self, one: Handler, two: Handler) -> bool:
        return self.letters.conditions.exclude(one.when or "True", two.when or "True")

    def _check_agreement(self, one: Handler, two: Handler) -> None:
        if self._exclude(one, two):
            return
        first, second = self._reach(one.do), self._reach(two.do)
        ours, theirs = set(_find_assigned(first)), set(_find_assigned(second))
        both = (ours & _find_changed(second)) | (theirs & _find_changed(first))
        if both:
            what = f"{one.label} and {two.label} both change {', '.join(sorted(both))} at one event"
            raise refuse(two.label.place, what, "let their conditions exclude each other, or add in both")


def _limit(rule: Handler, exemptions: Exemptions) -> Handler:
    """Return what a clause does at an event with its exceptions in its condition."""
    if not exemptions.of(rule.label):
        return rule
    when = Snippet.at(exemptions.standing(rule), (rule.when or rule.label).place)
    return Handler(rule.label, rule.clause, rule.names, rule.event, when, rule.do)


def _find_raised(law: Law) -> set[str]:
    """Return the names of all events that anything raises."""
    acting = (ActRule, PhaseRule, Exemption, Procedure, Handler)
    dos = (rule.do for rule in law.rules.values() if isinstance(rule, acting) and rule.do is not None)
    return {Heading.of(step.happen).name for do in dos for step in _walk(do) if step.happen is not None}


def _walk(steps: Iterable[StepForm]) -> Iterator[StepForm]:
    for step in steps:
        yield step
        yield from _walk(step.do or ())
        yield from _walk(step.otherwise or ())


def _goes(handler: Handler) -> bool:
    return bool(handler.do) and handler.do[-1].go is not None


def _find_changed(steps: Iterable[StepForm]) -> set[str]:
    """Return the variables that steps write."""
    found = {_base(target) for step in _walk(steps) for target in (*step.assign, *step.add)}
    return found | {_base(word) for step in _walk(steps) for word in (step.source, step.target) if word is not None}


def _find_assigned(steps: Iterable[StepForm]) -> Iterator[str]:
    yield from (_base(target) for step in _walk(steps) for target in step.assign)
    yield from (_base(word) for step in _walk(steps) for word in (step.source, step.target) if word is not None)


def _base(target: str) -> str:
    return target.split("[", maxsplit=1)[0].strip()


def _expressions(steps: Iterable[StepForm]) -> Iterator[str]:
    """Yield what steps read: values, conditions, domains and the indexes of what they write."""
    for step in _walk(steps):
        yield from (*step.assign.values(), *step.add.values(), *step.let.values())
        yield from (part for target in (*step.assign, *step.add) for part in re.findall(r"\[(.*?)\]", target))
        yield from (word for word in (step.move, step.draw, step.when) if word is not None)
        yield from Heading.of(step.run).letters if step.run is not None else ()
        if step.loop is not None:
            yield read_loop(step.loop)[1]


def _match_letters(called: Heading, head: Heading, names: Names) -> dict[str, str]:
    """Return the texts for the letters of an effect or event where it is called."""
    if len(called.letters) != len(head.letters):
        what = f"{called.word} gives {len(called.letters)} letters"
        raise refuse(called.word.place, what, f"write it like {head.word}")
    return {letter: replace_names(text, names) for letter, text in zip(head.letters, called.letters, strict=True)}


def _put(written: Snippet, names: Names) -> Node:
    return Node(replace_names(written, names), written.place)


def _there(written: Snippet | None) -> Snippet:
    if written is None:
        raise TypeError("a step that moves cards says from where to where")
    return written


def read_loop(loop: Token) -> tuple[str, str]:
    """Return the name and the domain of a loop such as `q in players`; raise `Invalid` where it is none."""
    match = _LOOP.match(loop)
    if match is None:
        raise refuse(loop.place, f"{loop!r} is no loop", "write it like `q in players`")
    return match[1], match[2]


def _number(effects: list[Built]) -> list[Built]:
    """Return effects with an id of its own each: where several have one, the second and later ones get a number."""
    seen: dict[str, int] = {}
    found: list[Built] = []
    for effect in effects:
        if isinstance(effect, Mapping):
            id_ = _identity(effect)
            seen[id_] = seen.get(id_, 0) + 1
            effect = effect if seen[id_] == 1 else {**effect, "id": f"{id_}-{seen[id_]}"}  # noqa: PLW2901
        found.append(effect)
    return found


def _identity(effect: Mapping[str, Built]) -> str:
    """Return the id that an effect has in generated rules without a number."""
    if "id" in effect:
        return str(effect["id"])
    for form in ("move", "draw"):
        if form in effect:
            return f"{form}-{_find_name(effect['from'])}-{_find_name(effect['to'])}"
    for form in ("set", "add", "let", "for", "reset"):
        if form in effect:
            return f"{form}-{_find_name(effect[form])}"
    return next(form for form in ("if", "cases", "goto") if form in effect)


def _find_name(value: Built) -> str:
    return _base(value.text if isinstance(value, Node) else str(value))
