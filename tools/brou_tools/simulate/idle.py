"""Idle rules: duties that never bind and exceptions that never lift one in random matches.

A rule that is idle in a sample may apply in matches that nobody played; `brou prove` says whether it cannot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from brou import Chance, Choice, Game, Machine, State, rules
from brou.answers import Explainer, History
from brou.compiler import draw_act
from brou.language.tree import Call, Literal, walk
from brou.reasons import Reasoner
from brou_tools.terminal.progress import ProgressLine

#: No match of a sample is longer.
_LONGEST = 2_000


@dataclass(slots=True)
class IdleRules:
    """What came to nothing in a sample: duties by table and row with their clauses, and clauses of exceptions."""

    matches: int = 0
    #: How many acts were judged, legal or not.
    acts: int = 0
    duties: dict[str, str] = field(default_factory=dict)
    exceptions: set[str] = field(default_factory=set)

    def lines(self) -> Iterator[str]:
        """Yield the size of the sample, then a line for each duty and each clause of exceptions."""
        yield f"{self.matches} matches, {self.acts} acts judged"
        yield from (f"  no such act broke the duty {row} of {clause}" for row, clause in self.duties.items())
        yield from (f"  no duty was lifted by {clause}" for clause in sorted(self.exceptions))
        if not self.duties and not self.exceptions:
            yield "  every duty was broken and every exception lifted one"


def find_idle(choice: Choice, seeds: range, progress: ProgressLine | None = None) -> IdleRules:
    """Return the duties and exceptions of rules that come to nothing in the random matches of some seeds.

    In every position each act is judged that a player on turn could think of, so that one that is never drawn counts
    as well; of acts whose values are described, such as dealing, none is. The interpreter plays and explains them: a
    match takes a hundred times as long as one that is only counted.
    """
    game = rules(choice)
    found = IdleRules(
        len(seeds), 0, dict(_list_duties(game)), {one.clause for one in game.functions.values() if one.exception}
    )
    for number, seed in enumerate(seeds):
        if progress is not None:
            progress.show(f"{choice}: duties and exceptions", number, len(seeds))
        for explainer in _walk(game, Chance(seed)):
            _strike(explainer, found)
            if not found.duties and not found.exceptions:
                return found
    return found


def _list_duties(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the rows that forbid, of tables in which every row with a condition does, for acts that can be listed."""
    listed = [one.legal for one in game.actions.values() if not any(part.described for part in one.parameters)]
    asked = {one.name for legal in listed for one in walk(legal) if isinstance(one, Call)}
    for table in (one for one in game.tables.values() if one.id in asked):
        rows = [row for row in table.rows if row.when is not None]
        if rows and all(isinstance(row.then, Literal) and row.then.value is False for row in rows):
            yield from ((f"{table.id}/{row.id}", row.clause) for row in rows)


def _walk(game: Game, chance: Chance) -> Iterator[Explainer]:
    """Yield what explains each state of a random match."""
    history = History(game)
    machine = Machine(game, history)
    state: State = machine.begin()
    for _ in range(_LONGEST):
        yield Explainer(machine, Reasoner(machine.evaluator), history, state, (), {})
        drawn = draw_act(machine, state, chance)
        after = None if drawn is None else machine.act(state, *drawn)
        if not isinstance(after, State):
            return
        state = after


def _strike(explainer: Explainer, found: IdleRules) -> None:
    """Take the rules that do something in a state from those that are idle so far."""
    machine, state = explainer.machine, explainer.state
    for seat in range(machine.game.seats):
        for act in machine.imaginable(state, seat):
            found.acts += 1
            for decision in explainer.judge_act(seat, act).decisions:
                for row in decision.rows:
                    if row.holds:
                        found.duties.pop(f"{decision.table}/{row.row}", None)
                    found.exceptions -= {clause for clause, _ in row.lifting}
                    found.exceptions -= {by for _, by, _ in row.undone}
