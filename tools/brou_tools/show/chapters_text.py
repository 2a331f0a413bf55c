"""Chapters in a terminal: a clause as its file has it with all that names it, or what the duties of acts come to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brou import Project, Unknown, book, catalogue, choose
from brou.atomic import read_named
from brou.chapters import (
    ActRule,
    Answer,
    ClauseForm,
    DecisionTable,
    Variants,
    Volume,
    find_clause,
    find_mentions,
    find_restored,
    make_law,
    tabulate,
)
from brou.games import find_file

_MARKS: dict[Answer, str] = {True: "yes", False: "no", None: "-"}


def tell_rules(name: str, project: Project) -> str:
    """Return a clause, named like `brouc.over.05`, or an act, like `brouc@club-2026.play`, as its chapters have it.

    Of a game, like `brouc` or `brouc@club-2026`, return all acts. Raise `Unknown` for any other name.
    """
    head = re.split(r"[.@:\[]", name)[0]
    maker = _find_game(head, project)
    clause = find_clause(maker.volume, name.partition(".")[2])
    if clause is not None:
        return "\n".join(_clause(maker.volume, clause, project)) + "\n"
    rules, act = _split_act(name)
    if not rules or "." in rules.partition("[")[0]:
        labels = [maker.volume.frame.spell_id(one.clause) for one in maker.volume.clauses()]
        raise Unknown("clause or act (GAME.CLAUSE, GAME@EDITION.ACT)", name, labels, f"brou show {head}")
    choice = choose(rules, project)
    law = make_law(maker.volume, choice.edition, choice.setup, dict(choice.readings))
    acts = [act] if act else [one.head.name for one in law.of_kind(ActRule)]
    return "\n".join("\n".join(_act(*tabulate(law, one), str(choice))) + "\n" for one in acts)


def is_act(name: str, project: Project) -> bool:
    """Say whether a name is that of an act of a game in chapters, like `brouc.play`; raise `Unknown` for no edition."""
    rules, act = _split_act(name)
    game = re.split(r"[@:\[]", rules)[0]
    maker = book(game, project).maker if act and game in catalogue(project) else None
    if not isinstance(maker, Variants):
        return False
    choice = choose(rules, project)
    law = make_law(maker.volume, choice.edition, choice.setup, dict(choice.readings))
    return any(one.head.name == act for one in law.of_kind(ActRule))


def _split_act(name: str) -> tuple[str, str]:
    """Return the rules and the act of `brouc@2022[key=value].play`; without an act, all of it names rules."""
    chosen, bracket, rest = name.rpartition("]")
    rules, _, act = rest.rpartition(".")
    return (chosen + bracket + rules, act) if "." in rest else (name, "")


def _find_game(head: str, project: Project) -> Variants:
    """Return the chapters of a game by its name, or by the prefix of its ids."""
    for game in catalogue(project):
        maker = book(game, project).maker
        if isinstance(maker, Variants) and head in (game, maker.volume.frame.prefix):
            return maker
    raise Unknown("game in chapters", head, catalogue(project))


def _clause(volume: Volume, clause: ClauseForm, project: Project) -> Iterator[str]:
    place = clause.clause.place
    yield f"{volume.frame.spell_id(clause.clause)}  {place.file}:{place.line}"
    yield ""
    lines = read_named(find_file(project.data, place.file)).decode().splitlines()
    others = [one.clause.place.line for one in volume.clauses() if one.clause.place.file == place.file]
    end = min((line for line in others if line > place.line), default=len(lines) + 1)
    yield from "\n".join(lines[place.line - 1 : end - 1]).rstrip().splitlines()
    mentions = list(find_mentions(volume, clause))
    if mentions:
        yield ""
    for one in mentions:
        yield f"{one.label} {one.how}  {one.place.file}:{one.place.line}"
    for restoring in find_restored(volume, clause):
        yield ""
        what = f"{restoring.label} lifts {restoring.lifted}"
        yield f"{what}; where it applies, each of these binds if its condition holds:"
        yield from (f"  {duty}" for duty in restoring.duties)


def _act(act: ActRule, tables: tuple[DecisionTable, ...], rules: str) -> Iterator[str]:
    yield f"{act.head.word} of {rules}  {act.label.place.file}:{act.label.place.line}"
    if not tables:
        yield "no duty binds it"
    for table in tables:
        yield ""
        yield f"refused by {table.duty} {'where one of these columns holds' if table.conditions else 'always'}"
        yield from _columns(table)


def _columns(table: DecisionTable) -> Iterator[str]:
    """Yield a table with a line for each condition and a column for each case."""
    heads = [f"{line.refused.label} ({line.refused.code})" for line in table.lines]
    width = max(map(len, (*table.conditions, table.duty)), default=0)
    for number, condition in enumerate(table.conditions):
        answers = (_MARKS[line.answers[number]] for line in table.lines)
        yield "  ".join([f"  {condition:<{width}}", *(f"{answer:<3}" for answer in answers)]).rstrip()
    for number, head in enumerate(heads, 1):
        yield f"  case {number}: {head}"
