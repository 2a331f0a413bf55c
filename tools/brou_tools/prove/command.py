"""`brou prove`: properties of the rules proved by a solver, or refuted by a counterexample."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TypedDict

from brou import ORIGINAL, Project, Unknown, book, choose, choose_text
from brou.atomic import make_folder
from brou.words import citable
from brou_tools.documents.json_document import print_report, print_schema
from brou_tools.prove.options import ProveOptions
from brou_tools.prove.state_text import cards_in
from brou_tools.smt.asking import name_choice
from brou_tools.smt.obligations import obligations
from brou_tools.smt.proving import Proofs, Result, games_with_obligations, prove
from brou_tools.smt.report import ProofsReport
from brou_tools.smt.solve import has_second, z3
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.progress import ProgressLine


def run(options: ProveOptions) -> int:
    """Prove the obligations of the games named, or of all; 1 if one does not hold, or a game has none to ask."""
    if options.schema:
        print_schema("proofs")
        return Exit.FINE
    project = options.project
    games = [choose(game, project).game for game in options.games] or games_with_obligations(project)
    z3()
    if options.second and not has_second():
        print("no second solver answers: pip install 'brou[second]'", file=sys.stderr)
    for name in options.only:
        known = [one.id for game in games for one in obligations(game, project).obligations]
        if name not in known:
            raise Unknown("obligation", name, known)
    export = Path(options.smtlib) if options.smtlib else None
    if export is not None:
        make_folder(export)
    slow = options.slow or bool(options.only)
    progress = ProgressLine()
    told = partial(_show, progress)
    found = prove(
        games, project, options.only, slow=slow, export=export, second=options.second, afresh=options.afresh, told=told
    )
    progress.clear()
    idle = [] if options.only else [_idle(proofs) for proofs in found if not proofs.results]
    if not found:
        idle.append("nothing to prove: no game has obligations")
    conclude(f"asked about {count(sum(len(proofs.results) for proofs in found), 'statement')}")
    if options.json:
        print_report(ProofsReport(games=tuple(proofs.report for proofs in found)))
    else:
        for proofs in found:
            print(_game(proofs, asked_slow=slow) if proofs.results else "", end="")
    for line in idle:
        print(line, file=sys.stderr if options.json else sys.stdout)
    return Exit.FINDING if idle or any(proofs.failed for proofs in found) else Exit.FINE


def _idle(proofs: Proofs) -> str:
    """Return why a game has nothing to prove."""
    why = f"all its obligations are slow (--slow): {', '.join(proofs.slow)}" if proofs.slow else "it has no obligations"
    return f"{proofs.game}: nothing to prove: {why}"


def _show(progress: ProgressLine, done: int, whole: int, result: Result) -> None:
    progress.show(result.one.id, done, whole)


def _game(proofs: Proofs, *, asked_slow: bool) -> str:
    report = proofs.report
    asked = len({result.one.id for result in proofs.results})
    equal = sum(result.task.equal for result in proofs.results)
    lines = [f"{proofs.game}: {report.proved} of {asked} obligations hold"]
    lines.append(
        f"  asked under {count(len(proofs.results), 'choice')} of rules; {equal} more cannot change the answer"
    )
    if known := sum(result.known for result in proofs.results):
        lines.append(f"  {known} were proved before, and nothing has changed that they rest on (--afresh asks again)")
    lines += _tell_second(proofs)
    if proofs.slow and not asked_slow:
        lines.append(f"  {len(proofs.slow)} slow ones left out (--slow): {', '.join(proofs.slow)}")
    if any(result.one.kind == "invariant" for result in proofs.results):
        lines += [f"  position {name}: {how}" for name, how in report.positions.items()]
    for result in proofs.failed:
        lines += _tell_failure(proofs.game, result)
    return "\n".join(lines) + "\n"


def _tell_second(proofs: Proofs) -> list[str]:
    """Return what a second solver says, and of which statements it leaves a question open; nothing without one."""
    agreed, unsure = (sum(counts) for counts in zip(*((one.agreed, one.unsure) for one in proofs.results), strict=True))
    if not agreed and not unsure:
        return []
    told = f"  a second solver gives the same answer to {count(agreed, 'question')}"
    open_ = dict.fromkeys(one.one.id for one in proofs.results if one.unsure)
    return [f"{told} and leaves {count(unsure, 'question')} open, of {', '.join(open_)}" if unsure else told]


def _tell_failure(game: str, result: Result) -> list[str]:
    one, found = result.one, result.finding
    lines = [f"  {one.id} is {found.status}, not {one.expect}, under {name_choice(result.task.choice)}"]
    lines.append(f"    {one.says}")
    lines.append(f"    stated in {one.place.file}:{one.place.line}")
    texts = citable(game, result.task.choice.project)
    for clause in one.clauses:
        said = choose_text(texts[clause], ORIGINAL) if clause in texts else ""
        lines.append(f"    {clause}: {said}" if said else f"    {clause}")
    if found.reason:
        lines.append(f"    {found.reason}")
    if found.witness:
        lines += [f"    {line}" for line in cards_in(found.witness)]
    lines.append(f"    again: brou prove {game} --only {one.id}")
    return lines


class ObligationNames(TypedDict):
    """What a game has proved, without any proof."""

    game: str
    obligations: list[str]
    exempt: dict[str, str]


def document_of(game: str, project: Project) -> ObligationNames:
    """Return the obligations of a game, without proving them."""
    data = obligations(book(game, project).game, project)
    return {"game": game, "obligations": [one.id for one in data.obligations], "exempt": dict(data.exempt)}
