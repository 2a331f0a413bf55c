"""Wrong provers: each is the prover with one small change, as somebody might make it, and a small obligation shows it.

A change replaces some words of a function by others; one whose words are not there exactly once is refused. Where the
prover is written anew, its changes have to be found anew, and nothing else.
"""

from __future__ import annotations
import __future__

import inspect
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import CodeType
from typing import Any

import pytest

from provers.asked import forget

SMT = "brou_tools.smt"


@dataclass(frozen=True, slots=True)
class Change:
    """A function, `module:name`, of which some words are replaced by others; without a dot it is of the prover."""

    where: str
    words: tuple[tuple[str, str], ...]

    def made(self) -> tuple[Any, CodeType]:
        """Return the function and the code that it has after the change."""
        module, _, name = self.where.partition(":")
        found: Any = import_module(module if "." in module else f"{SMT}.{module}")
        for part in name.split("."):
            found = inspect.getattr_static(found, part)
        found = inspect.unwrap(getattr(found, "fget", found))
        text = textwrap.dedent(inspect.getsource(found))
        for old, new in self.words:
            assert text.count(old) == 1, f"{self.where} has {old!r} {text.count(old)} times"
            text = text.replace(old, new)
        changed = compile(text, self.where, "exec", flags=__future__.annotations.compiler_flag)
        return found, next(one for one in changed.co_consts if isinstance(one, CodeType))


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong prover: its name, what is wrong with it, what shows that, and what it says of that."""

    name: str
    wrong: str
    shown_by: str
    says: str
    changes: tuple[Change, ...]

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let it be the prover, and remember nothing of what another one has said, nor leave anything to others."""
        with pytest.MonkeyPatch.context() as patch:
            for change in self.changes:
                function, code = change.made()
                patch.setattr(function, "__code__", code)
            forget()
            try:
                yield
            finally:
                forget()


def _wrong(name: str, wrong: str, shown_by: str, says: str, *changes: tuple[str, tuple[str, str]]) -> Wrong:
    """Return a wrong prover; changes of one function are one."""
    words: dict[str, tuple[tuple[str, str], ...]] = {}
    for where, pair in changes:
        words[where] = (*words.get(where, ()), pair)
    return Wrong(name, wrong, shown_by, says, tuple(Change(*change) for change in words.items()))


INDUCTION = (
    _wrong(
        "base-left-out",
        "the base case of the induction is left out: where a match begins is not looked at",
        "kept.base",
        "proved",
        ("keeping:_find_lost_at_the_start", ("if state.phase == kind.where.phase", "if False")),
    ),
    _wrong(
        "no-card-is-a-pack",
        "each card lies in one place, too, where none lies anywhere, as before a deal",
        "cards.nowhere",
        "proved",
        (
            "keeping:_is_scattered",
            ("return sorted(lying)", "return bool(lying) and sorted(lying)"),
        ),
    ),
    _wrong(
        "staying-is-no-way",
        "an act that stays in its phase is not held to lead there",
        "kept.few",
        "proved",
        ("keeping:_leads", ("before is not None and before.phase == where.phase", "False")),
    ),
    _wrong(
        "ways-through-phases-missed",
        "the ways into a phase are those of acts that name it, and not those through an automatic phase",
        "kept.nine",
        "proved",
        ("keeping:_find_reached", ("waiting += gotos(game.phases[name].do)", "pass")),
    ),
    _wrong(
        "first-act-alone",
        "of all acts that lead to a phase the first one alone is asked about",
        "kept.few",
        "proved",
        ("keeping:prove_invariant", ("for before, action in ways:", "for before, action in ways[:1]:")),
    ),
    _wrong(
        "conclusion-supposed",
        "what is to be shown of a phase is supposed in the phase before it",
        "kept.later",
        "proved",
        (
            "keeping:ways_into",
            ('here = where if phase.id == where.phase else Where(f"any {phase.id}", phase.id)', "here = where"),
        ),
    ),
    _wrong(
        "untouched-not-asked-after",
        "that variables are untouched is supposed before an act and not asked after it",
        "kept.clean",
        "proved",
        ("keeping:_list_conditions", ("for name in where.untouched:", "for name in ():")),
    ),
    _wrong(
        "pack-not-asked-after",
        "that each card lies in one place is supposed before an act and not asked after it",
        "cards.doubled",
        "proved",
        ("keeping:_list_conditions", ("if where.whole_pack:", "if False:")),
    ),
    _wrong(
        "lengths-not-asked-after",
        "piles are short before an act, and nobody asks how long they are after it",
        "kept.short",
        "proved",
        ("obligations:_where", ("*lengths, ", "")),
    ),
    _wrong(
        "condition-that-crashes",
        "a condition that crashes after an act is held to be kept",
        "kept.told",
        "proved",
        (
            "keeping:_list_conditions",
            (
                "ground.forms.all([truth, *(ground.forms.no(crash.when) for crash in noted)])",
                "ground.forms.any([truth, *(crash.when for crash in noted)])",
            ),
        ),
    ),
    _wrong(
        "last-question-kept",
        "the solver is not told to forget one question before the next, so that nothing speaks against the second",
        "kept.both",
        "proved",
        ("solve:_Solver.ask", ("self._solver.pop()", "pass")),
    ),
    _wrong(
        "silence-is-kept",
        "that the solver does not know what an act loses is taken for nothing",
        "hard.kept",
        "proved",
        ("keeping:_keep", ('if answer.status != "unsat":', "if False:")),
    ),
)

POSITIONS = (
    _wrong(
        "circular",
        "a position is kept, though what leads there begins in one that is not",
        "position last of kept",
        "kept, as far as entered is",
        ("obligations:ProofObligations.standing", ("kept -= lost", "break")),
    ),
    _wrong(
        "refuted-is-kept",
        "what is refuted as expected counts as held, and so its position as kept",
        "position low of kept",
        "kept",
        ("proving:Proofs.report", ("if result.finding.status != PROVED", "if not result.good")),
    ),
    _wrong(
        "exception-not-told",
        "that an act was left out is not told of the position that it leads to",
        "position resting of kept",
        "kept",
        ("obligations:ProofObligations.standing", ("if left_out else", "if False else")),
    ),
    _wrong(
        "exception-not-passed-on",
        "that an act was left out is told of its position, but not of those entered from there",
        "position left of kept",
        "kept",
        ("obligations:_behind", ("found, waiting = found + new, waiting + new", "pass")),
    ),
)

READINGS = (
    _wrong(
        "slice-without-goto",
        "slices too small: the phases that an act leads to are not in them",
        "open.behind",
        "proved",
        ("slices:_of_effects", ('yield from (f"phases/{name}" for name in gotos(body))', "yield from ()")),
    ),
    _wrong(
        "slice-without-params",
        "slices too small: numbers in which two rule bases differ are no difference",
        "open.most",
        "proved",
        ("slices:differing", ("for section in _SECTIONS:", 'for section in set(_SECTIONS) - {"params"}:')),
    ),
    _wrong(
        "slice-without-tables",
        "slices too small: tables in which two rule bases differ are no difference",
        "open.priced",
        "proved",
        ("slices:differing", ("for section in _SECTIONS:", 'for section in set(_SECTIONS) - {"tables"}:')),
    ),
    _wrong(
        "slice-without-callees",
        "slices too small: what a function is made of is not in them",
        "open.doubled",
        "proved",
        ("slices:_used", ("yield from names(expression)", "yield from ()")),
    ),
    _wrong(
        "slice-without-start",
        "slices too small: what a match begins with is no difference",
        "open.start",
        "proved",
        ("slices:differing", ("for section in _SECTIONS:", 'for section in set(_SECTIONS) - {"state"}:')),
    ),
    _wrong(
        "no-pairs",
        "readings are asked singly, and never two of them together",
        "open.together",
        "proved",
        ("proving:_tasks", ('if one.readings == "each":', "if False:")),
    ),
    _wrong(
        "numbers-not-varied",
        "a reading that is a number is asked under the number of the edition alone",
        "open.cost",
        "proved",
        ("obligations:_values", ("map(str, reading.number[:2])", "()")),
    ),
    _wrong(
        "first-edition-alone",
        "editions after the first one are not asked about",
        "open.later-edition",
        "proved",
        (
            "obligations:choices",
            (
                "for edition, record in book(game, project).editions.items():",
                "for edition, record in list(book(game, project).editions.items())[:1]:",
            ),
        ),
    ),
    _wrong(
        "first-set-up-alone",
        "set-ups after the first one are not asked about",
        "open.large",
        "proved",
        ("obligations:choices", ("for setup in record.setups:", "for setup in list(record.setups)[:1]:")),
    ),
    _wrong(
        "one-value-alone",
        "where two values of a reading are compared, the first one is compared with itself",
        "open.apart",
        "refuted",
        ("prover:_prove_separates", ("for value in values)", "for value in values[:1] * 2)")),
    ),
    _wrong(
        "two-positions",
        "where two values of a reading are compared, each is asked in a position of its own",
        "open.not-apart",
        "proved",
        ("prover:join_rules", ("elif here is not None and here.type == variable.type:", "elif False:")),
    ),
    _wrong(
        "numbers-of-formulas-twice",
        "the formulas of other rules are numbered as if there were none yet, and each is taken for one of these",
        "apart.alike",
        "fault",
        ("ground:ProofContext.around", ("Forms() if forms is None else forms", "forms or Forms()")),
    ),
    _wrong(
        "other-rules-are-ours",
        "where other rules are compared with these, these are compared with themselves",
        "open.refined",
        "proved",
        (
            "prover:_prove_refines",
            (
                'join_rules(ground, choose(one.node.string("against"), asking.choice.project), one.get_named("map"))',
                'join_rules(ground, asking.choice, one.get_named("map"))',
            ),
        ),
    ),
)

NOTHING = (
    _wrong(
        "nothing-at-all",
        "nobody asks whether there is anything that a statement is about",
        "acts.no-such-position",
        "proved",
        ("asking:Asking.check_not_vacuous", ('if answer.status == "unsat":', "if False:")),
        ("asking:Asking.check_not_vacuous", ('if answer.status != "sat":', "if False:")),
    ),
    _wrong(
        "never-made",
        "an act that never is legal is not noticed, so that anything holds after it",
        "acts.never",
        "proved",
        ("asking:Asking.refute", ("return self.check_not_vacuous(one, ground)", "return ObligationResult(PROVED)")),
    ),
    _wrong(
        "never-carried-out",
        "an act that is legal and always crashes is not noticed: it is not carried out",
        "acts.stumbled",
        "proved",
        ("asking:_carried_out", ("action is None or bool(play_act(position, action))", "True")),
        ("asking:Asking.check_defined", ("untold = ground.forms.any(ground.untold)", "untold = False")),
    ),
    _wrong(
        "never-for-want-of-anything",
        "that something never is so is concluded from there being nothing that it could be so of",
        "acts.no-such-reach",
        "refuted",
        (
            "prover:_refute_nothing",
            ("ObligationResult(REFUTED) if found.status == PROVED else found", "ObligationResult(REFUTED)"),
        ),
    ),
    _wrong(
        "misspelt-table",
        "a table that the rules do not have is passed over in silence",
        "tables.none",
        "proved",
        ("rows:_find_missing", ('if name not in there), "")', 'if False), "")')),
    ),
    _wrong(
        "no-acts",
        "nothing is wrong with any of no acts",
        "acts.no-promises",
        "proved",
        ("prover:_prove_require", ("if not one.acts:", "if False:")),
    ),
    _wrong(
        "nothing-changes",
        "none of no acts changes anything",
        "acts.no-change",
        "proved",
        ("prover:_prove_conserved", ("if not one.acts:", "if False:")),
    ),
    _wrong(
        "no-tables-at-all",
        "nothing is wrong with any of no tables",
        "acts.no-tables",
        "proved",
        ("rows:_prove_each_table", ("if not tables:", "if False:")),
    ),
    _wrong(
        "no-rows-at-all",
        "every row of no tables can fire",
        "cards.no-rows",
        "proved",
        ("rows:prove_dead_rows", ("if not tables:", "if False:")),
    ),
    _wrong(
        "no-pairs-at-all",
        "no rows of no tables stand in each other's way",
        "acts.no-pairs",
        "proved",
        ("overlapping:prove_order_matters", ('if not one.get_named("pairs"):', "if False:")),
    ),
    _wrong(
        "table-asked-at-will",
        "what a table requires is not supposed where it is asked, so that one that can never be asked is sound",
        "tables.shut",
        "proved",
        ("overlapping:bind_arguments", ("for condition in table.requires:", "for condition in ():")),
    ),
    _wrong(
        "way-from-nowhere",
        "what leads to a phase from nowhere leads to whatever is said",
        "kept.frozen",
        "proved",
        ("keeping:prove_invariant", ('if asking.ask(one, ground).status != "sat":', "if False:")),
    ),
    _wrong(
        "no-way-at-all",
        "a phase that nothing leads to is as is said",
        "kept.dark",
        "proved",
        ("keeping:prove_invariant", ("if not ways and", "if False and")),
    ),
)

ANSWERS = (
    _wrong(
        "silence-is-proof",
        "an unknown is taken for a proof",
        "hard.prime",
        "proved",
        ("asking:Asking.refute", ('if answer.status == "unknown":', "if False:")),
        ("asking:Asking.refute", ('if answer.status == "unsat":', 'if answer.status != "sat":')),
    ),
    _wrong(
        "silence-is-never",
        "an unknown is taken for something that never is so",
        "hard.never",
        "refuted",
        ("prover:_refute_nothing", ('if answer.status != "unsat":', "if False:")),
    ),
    _wrong(
        "silence-is-fine",
        "an unknown ends the run as if it had come out as it should",
        "hard.prime",
        "unnoticed",
        (
            "proving:Result.good",
            ("self.finding.status == self.one.expect", 'self.finding.status in (self.one.expect, "unknown")'),
        ),
    ),
    _wrong(
        "witness-not-replayed",
        "what the solver finds is believed, and the interpreter is not set down in it",
        "tables.untold",
        "refuted",
        ("asking:Asking.replay", ("if doubted or not seen(position):", "if False:")),
    ),
    _wrong(
        "loose-answer-believed",
        "what is possible as long as nothing is reckoned is taken for possible",
        "acts.reckoned",
        "fault",
        (
            "solve:IncrementalSolver.ask",
            ('if loosely.status == "unsat":', 'if loosely.status != "unknown":'),
        ),
    ),
    _wrong(
        "closed-answer-believed",
        "what is possible as long as no quotient is reckoned is taken for possible",
        "acts.divided",
        "fault",
        (
            "solve:IncrementalSolver.ask",
            ('return closed if closed.status == "unsat" else', 'return closed if closed.status != "unknown" else'),
        ),
    ),
    _wrong(
        "crash-is-success",
        "what the interpreter cannot tell counts as told",
        "tables.gapped",
        "proved",
        ("asking:Asking.check_defined", ('if answer.status == "sat":', "if False:")),
        (
            "asking:Asking.check_defined",
            (
                'return ObligationResult(UNKNOWN, f"can it be expressed: {answer.reason}")',
                "return ObligationResult(PROVED)",
            ),
        ),
    ),
    _wrong(
        "never-reached",
        "a greatest number need not be reached",
        "acts.most",
        "proved",
        ("prover:_prove_maximum", ('if found.status != PROVED or one.node.get("relaxed") is not None:', "if True:")),
    ),
    _wrong(
        "not-transitive",
        "an order need not be transitive",
        "acts.cycle",
        "proved",
        (
            "prover:_prove_order",
            ('forms.all([below("one", "two"), below("two", "three"), forms.no(below("one", "three"))]),', ""),
        ),
    ),
)

EFFECTS = (
    _wrong(
        "goto-not-followed",
        "what an automatic phase does behind an act is not done",
        "acts.after-a-step",
        "proved",
        ("running:Runner.settle", ("self.steps(self.t.lower_steps(phase), run, {}, when)", "pass")),
    ),
    _wrong(
        "condition-dropped",
        "what stands behind a condition is written wherever it leads",
        "acts.nudged",
        "proved",
        ("running:Runner._cases", ("self.forms.both(left, here))", "left)")),
        ("running:Runner._put", ("self.symbols.either_of(self.forms.both(when, truth), item, made[place])", "item")),
    ),
    _wrong(
        "cases-overlap",
        "a case is gone through where one above it holds already",
        "acts.sorted",
        "proved",
        ("running:Runner._cases", ("left = self.forms.both(left, self.forms.no(here))", "pass")),
    ),
    _wrong(
        "after-is-before",
        "what an act changes is looked for in the state after it, and compared with itself",
        "acts.bumps-count",
        "proved",
        ("prover:_prove_conserved", ("(ground.values, run.values)", "(run.values, run.values)")),
    ),
    _wrong(
        "whole-array-written",
        "the frame is forgotten: who writes one element of an array writes all",
        "acts.one-is-bumped",
        "proved",
        ("running:Runner._put", ("self.forms.both(when, truth),", "when,")),
    ),
    _wrong(
        "frame-forgotten",
        "the frame is forgotten: after an act nothing is known of a variable that it does not write",
        "acts.untouched",
        "fault",
        ("symbols:Values.copy", ("dict(self.known)", "{}")),
    ),
    _wrong(
        "inner-scopes-kept",
        "who resets a scope leaves alone those inside it",
        "acts.wiped",
        "proved",
        (
            "running:Runner._reset",
            ("self.game.scopes.index(step.name) :]", "self.game.scopes.index(step.name) :][:1]"),
        ),
    ),
    _wrong(
        "bounds-of-writes-forgotten",
        "bounds are forgotten: that an act writes a number which its variable cannot have breaks no promise",
        "acts.spilled",
        "proved",
        ("prover:_prove_require", ("if crash.kind in kinds", 'if crash.kind in kinds - {"bounds"}')),
    ),
    _wrong(
        "drawn-from-nothing",
        "that an act takes cards which do not lie there breaks no promise",
        "cards.taken",
        "proved",
        ("prover:_prove_require", ("if crash.kind in kinds", 'if crash.kind in kinds - {"cards"}')),
    ),
    _wrong(
        "cards-stay",
        "cards that are moved stay where they were, too",
        "cards.lost",
        "proved",
        ("brou.compiler.lower_steps:Steps._lower_move", ("value=t.without(source, cards)", "value=source")),
    ),
)

ACTS = (
    _wrong(
        "parameter-of-any-value",
        "the parameters of an act are not bound to their domains",
        "acts.picked",
        "refuted",
        ("asking:suppose_legal", ("ground.facts.append(inside)", "pass")),
    ),
    _wrong(
        "subset-of-any-size",
        "bounds are forgotten: a set that is chosen may have any number of cards",
        "cards.given",
        "refuted",
        ("asking:_lie_inside", ("forms.all([inside, *fits])", "inside")),
    ),
    _wrong(
        "permission-dropped",
        "a guard is dropped: what is said after an act is asked where it is not legal, too",
        "acts.dared",
        "refuted",
        ("asking:suppose_legal", ("ground.facts.append(legal)", "pass")),
        ("asking:suppose_legal", ("ground.assumed.append(action.legal)", "pass")),
    ),
    _wrong(
        "permission-not-asked",
        "whether an act can be made is asked of its parameters, and not of what makes it legal",
        "acts.greeted",
        "proved",
        ("prover:_accept", ("ground.forms.both(when, t.holds(action.legal, ground.values, env))", "when")),
    ),
    _wrong(
        "first-act-conserves",
        "what the first of several acts does not change none changes",
        "acts.neither-counts",
        "proved",
        ("prover:_prove_conserved", ("for name, where in one.acts:", "for name, where in one.acts[:1]:")),
    ),
)

MEANING = (
    _wrong(
        "bounds-forgotten",
        "bounds are forgotten: a number of many values is any number",
        "acts.wide",
        "refuted",
        (
            "unknown:Unknowns._number",
            ("self.facts += [self.forms.at_least(number, low), self.forms.at_least(high, number)]", "pass"),
        ),
    ),
    _wrong(
        "cards-anywhere",
        "that each card lies in one place is not supposed where it is said",
        "cards.scattered",
        "refuted",
        ("asking:Asking._make_ground", ("if where.whole_pack:", "if False:")),
    ),
    _wrong(
        "doubled-cards",
        "bounds are forgotten: a card may lie in a pile twice",
        "cards.once",
        "refuted",
        ("unknown:Unknowns.pile", ("if card is not None:", "if False:")),
    ),
    _wrong(
        "remembered-too-long",
        "what a function gave is remembered, whatever has been written since",
        "acts.notes-count",
        "proved",
        (
            "translate:Translator._call",
            ("tuple(map(key_of, arguments)), tuple(map(id, read)))", "tuple(map(key_of, arguments)))"),
        ),
    ),
    _wrong(
        "reads-of-callees-forgotten",
        "what a function gave is remembered, whatever has been written that a function reads which it calls",
        "acts.notes-count-beyond",
        "proved",
        (
            "brou.compiler.cse_steps:reading",
            (
                'frozenset(own).union(*(read_routine(part.name) for part in parts if part.op == "call"))',
                "frozenset(own)",
            ),
        ),
    ),
    _wrong(
        "other-domain",
        "a quantifier ranges over all cards, and not over those of its set",
        "cards.light",
        "proved",
        (
            "operations:SymbolicOperations._combine_sets",
            (
                'forms.both(a, b if op == "common" else forms.no(b))',
                'b if op == "common" else forms.both(a, forms.no(b))',
            ),
        ),
    ),
    _wrong(
        "last-seat-forgotten",
        "a quantifier over the seats ranges over all but the last",
        "acts.last-seat",
        "proved",
        (
            "brou.compiler.lower_expressions:Expressions._members",
            ("tuple(range(len(members)))", "tuple(range(len(members)))[:-1]"),
        ),
    ),
    _wrong(
        "filter-dropped",
        "a guard is dropped: a quantifier ranges over what its conditions leave out, too",
        "acts.others",
        "proved",
        (
            "brou.compiler.lower_quantifiers:Quantifiers._test_member",
            ("self.term(condition, env.knowing(*tests))", "self.terms.true"),
        ),
    ),
    _wrong(
        "seats-turned",
        "wrong seat arithmetic: the seats are gone through the other way round",
        "acts.next-but-one",
        "proved",
        (
            "brou.language.builtin:Tabled.table",
            (
                "map(self.meaning(world), range(",
                'map(lambda one, of=self.meaning(world): of(one)[::-1] if self.name == "seats" else of(one), range(',
            ),
        ),
    ),
    _wrong(
        "there-for-ever",
        "what is supposed to be there before an act is held to be there behind it",
        "cards.hidden",
        "fault",
        ("brou.compiler.lower:Lowering.expression", ("trusted=False", "trusted=True")),
    ),
    _wrong(
        "there-behind-a-name",
        "what is supposed to be there before an act is held to be there behind it where a name stands for something",
        "cards.hidden-from-all",
        "fault",
        (
            "brou.compiler.lower_kinds:Env.binding",
            (
                "return replace(self, values={**self.values, name: value}, live=self.live | value.free)",
                "return Env({**self.values, name: value}, self.live | value.free, self.opened, self.known)",
            ),
        ),
    ),
    _wrong(
        "guard-dropped",
        "a guard is dropped: what is asked behind a condition is held to be asked without it",
        "tables.guarded",
        "unknown",
        ("translate:Translator.crash", ("while guard is not None:", "while False:")),
    ),
    _wrong(
        "else-ignored",
        "the last row of a table, which decides where no other does, never fires",
        "tables.else",
        "proved",
        ("brou.compiler.lower_expressions:Expressions._first", ("found = rows[-1][1]", "found = rows[-2][1]")),
    ),
    _wrong(
        "rows-above-ignored",
        "a row of a table fires where one above it has fired",
        "rows.above",
        "proved",
        (
            "brou.compiler.lower_expressions:Expressions._first",
            ("in reversed(rows[:-1])", "in rows[:-1]"),
        ),
    ),
    _wrong(
        "no-row-is-no-crash",
        "a table of which no row fires gives something all the same",
        "tables.gapped",
        "proved",
        (
            "translate:Translator._unique",
            ('self.crash(self.forms.no(exactly_one(self.forms, whens)), guard, "unique")', "pass"),
        ),
    ),
    _wrong(
        "requirement-forgotten",
        "what a function requires is not asked of whoever calls it",
        "tables.broken",
        "proved",
        (
            "brou.compiler.lower_expressions:Expressions.find_demands",
            ("for condition in record.requires:", "for condition in ():"),
        ),
    ),
    _wrong(
        "dead-rows-passed-over",
        "a row that never fires is passed over; only one that is said to be dead and fires is told",
        "tables.dead",
        "proved",
        (
            "rows:prove_dead_rows",
            (
                'if (answer.status == "unsat") != (life.name in dead):',
                'if answer.status == "sat" and life.name in dead:',
            ),
        ),
    ),
    _wrong(
        "no-tables",
        "where no table is named none is asked about, instead of all",
        "tables.all",
        "vacuous",
        ("rows:_choose_tables", ('(not names and table.policy == "unique")', "False")),
    ),
    _wrong(
        "two-rows-are-one",
        "two rows that fire at once are as good as one",
        "tables.twin",
        "proved",
        ("rows:_at_most_one", ("exactly_one(ground.forms, truths)", "ground.forms.any(truths)")),
    ),
    _wrong(
        "no-row-is-a-row",
        "a table without a row for something has none too few",
        "tables.gap",
        "proved",
        (
            "rows:prove_gap_free",
            ("ground.forms.no(ground.forms.any(truths))", "ground.forms.no(_at_most_one(ground, truths))"),
        ),
    ),
    _wrong(
        "named-rows-alone",
        "rows stand in each other's way only where somebody has said so",
        "rows.order",
        "proved",
        ("overlapping:prove_order_matters", ("(*said, *_names(table))", "(*said,)")),
    ),
)

WRONG = (*INDUCTION, *POSITIONS, *READINGS, *NOTHING, *ANSWERS, *EFFECTS, *ACTS, *MEANING)
