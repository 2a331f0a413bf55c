"""Programs cut down to a part of a game: cards, cards and winners, scores, views; each gets full marks for its part.

The example programs and the interpreter answer behind a wrapper that leaves
out what the part does not know, so that all they answer is right. A program of
scores or views takes every act that it is told, and judges none.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import cards_alone
from fairness import PLAYED, PROGRAMS
from wrapped import NODE, greet, interpreter, javascript, python, wrap

from brou import book, catalogue
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status
from brou_conformance.programs.engine import choices
from brou_conformance.programs.in_process import Inside
from brou_conformance.programs.session import Opener, Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import PLAY
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import RunObserver, verify


@dataclass(frozen=True)
class Part:
    """What a program knows of a game."""

    can: tuple[str, ...]
    #: The kinds of question that it answers, beside the acts that it takes.
    answers: frozenset[str]
    #: The acts that it knows; None if it takes all.
    acts: tuple[str, ...] | None = None


PARTS: Mapping[str, Part] = {
    "cards": Part(("deal",), frozenset({"act", "legal"}), (PLAY,)),
    "cards and winners": Part(("deal", "winner"), frozenset({"act", "legal", "winner"}), (PLAY,)),
    "scores": Part(("deal", "match", "score", "offturn"), frozenset({"score"})),
    "views": Part(("deal", "match", "view", "offturn"), frozenset({"view"})),
}
#: A program that is asked for cards alone, position by position; it is one of its own and no example program.
POSITIONS = "cards by position"


def programs(game: str) -> Iterator[tuple[str, Opener]]:
    """Yield the programs that play a game, in all editions and set-ups that they have."""
    yield PROGRAMS[0], interpreter(choices([game]))
    played = {name: any(edition.startswith(f"{game}@") for edition in PLAYED[name]) for name in PROGRAMS[1:]}
    if NODE and played["javascript"]:
        yield "javascript", javascript()
    if played["python"]:
        yield "python", python()


def cut(opener: Opener, part: Part) -> Opener:
    """Return what starts a program that has a part of what another one has."""
    told = greet(opener, can=list(part.can), acts=None if part.acts is None else list(part.acts))
    return wrap(told, lambda request, reply: _cut(request, reply, part), lambda request: _asked(request, part))


def _asked(request: Message, part: Part) -> Message:
    """Return a request without the acts that a program does not know."""
    if request["op"] != "run":
        return request
    return {**request, "steps": [step for step in request["steps"] if _takes(step, part)]}


def _takes(step: Mapping[str, Any], part: Part) -> bool:
    return part.acts is None or "act" not in step or set(step["act"]) <= set(part.acts)


def _cut(request: Message, reply: Message, part: Part) -> Message:
    if "results" not in reply:
        return reply
    results = iter(reply["results"])
    cut_down = [_result(step, next(results), part) if _takes(step, part) else _SKIP for step in request["steps"]]
    return {**reply, "results": cut_down}


_SKIP = {"skip": "it does not know this"}


def _result(step: Mapping[str, Any], result: Message, part: Part) -> Message:
    """Return what is left of a result; who judges no acts accepts those that count, and says nothing of the others."""
    if "skip" in result or "err" in result:
        return result
    verb = next(key for key in ("act", "legal", "winner", "view", "score") if key in step)
    if verb == "act" and verb not in part.answers:
        return result if "ok" in result else _SKIP
    if verb not in part.answers:
        return _SKIP
    if verb == "legal" and part.acts is not None:
        return {"legal": {act: value for act, value in result["legal"].items() if act in part.acts}}
    return result


def positions(game: str) -> Opener:
    """Return what starts the program that knows which cards may be played in a position, and nothing else."""
    plays = [
        {"game": game, "editions": [edition], "setups": list(data.setups)}
        for edition, data in book(game).editions.items()
    ]
    hello = {"protocol": 1, "engine": {"name": "cards"}, "plays": plays, "can": ["position"], "acts": [PLAY]}

    def answer(request: Message) -> Message:
        head = {"id": request["id"], "ok": True}
        match request["op"]:
            case "hello":
                return {**head, **hello}
            case "run":
                return {**head, **cards_alone.answer(request)}
        return head

    return lambda: Inside(answer)


#: Parts that know cards and play whole deals, and editions in which bids come before every card: nothing of these can
#: be asked of those, who are told so. By positions they are asked everything.
CARDS = ("cards", "cards and winners")
BEHIND_BIDS = frozenset({("homme-d-auvergne", "1718"), ("homme-d-auvergne", "1725")})


# Judged ---------------------------------------------------------------------------------------------------------------


@dataclass
class Marks:
    """What a program got for one edition."""

    game: str
    edition: str
    program: str
    part: str
    verdict: str = ""
    #: How many steps there are, were asked, and were answered wrongly, by verb.
    steps: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    #: How many steps of each skill were asked, answered wrongly and not asked, as the run has it.
    skills: dict[str, str] = field(default_factory=dict)
    #: The first steps that are held against it.
    against: list[str] = field(default_factory=list)

    @property
    def full(self) -> bool:
        """Say whether it was asked for its part, and found right; one edition may read a passage as another does."""
        if self.part in CARDS and (self.game, self.edition) in BEHIND_BIDS:
            return self.verdict == EditionVerdict.ADAPTER and not self.asked.total()
        return (
            self.verdict in (EditionVerdict.FOLLOWS, EditionVerdict.FOLLOWS_READINGS)
            and self.asked.total() > 0
            and not self.wrong
        )


class _Count(RunObserver):
    """Counts the steps of all cases of each edition."""

    def __init__(self) -> None:
        self.marks = Marks("", "", "", "")
        self.done: list[tuple[EditionRun, Marks]] = []

    def on_plan(self, name: str, total: int) -> None:  # noqa: ARG002 - as it is told
        """Begin anew."""
        self.marks = Marks("", "", "", "")

    def on_case(self, case: Case) -> None:
        """Count the steps of a case."""
        for number, one in enumerate(case.judgements):
            act = next(iter(case.script.messages[number].get("act", {})), "")
            kind = f"act {act}" if one.step.verb == "act" else one.step.verb
            self.marks.steps[kind] += 1
            self.marks.asked[kind] += one.status in {Status.PASS, Status.READING, Status.FAIL}
            if one.status in {Status.FAIL, Status.PROTOCOL, Status.CRASH}:
                self.marks.wrong[kind] += 1
                self.marks.against.append(f"{case.step(number)}: {one.said} (wanted: {one.wanted})")

    def on_edition_end(self, run: EditionRun) -> None:
        """Keep what was counted."""
        self.done.append((run, self.marks))


def examine(game: str, program: str, part: str, opener: Opener) -> Iterator[Marks]:
    """Yield what a program gets for each edition of a game."""
    count = _Count()
    with Session(opener) as session:
        report = verify(session, Selection(game), count)
    if report.unusable:
        raise RuntimeError(f"{program}, {part}: {report.unusable.what}")
    for run, marks in count.done:
        marks.game, marks.edition, marks.program, marks.part = run.game, run.edition, program, part
        marks.verdict = run.verdict.value
        marks.skills = {skill: f"{count.asked}/{count.wrong}/{count.unasked}" for skill, count in run.skills.items()}
        yield marks


def everything(games: tuple[str, ...]) -> Iterator[Marks]:
    """Yield the marks of all programs in all parts."""
    for game in games:
        yield from examine(game, "cards alone", POSITIONS, positions(game))
        for program, opener in programs(game):
            for part, known in PARTS.items():
                yield from examine(game, program, part, cut(opener, known))


def told(marks: Marks) -> str:
    """Return the marks in a line, and what is held against the program."""
    asked = sum(marks.asked.values())
    head = f"{marks.game}@{marks.edition}, {marks.program}, {marks.part}: {marks.verdict}"
    counts: Callable[[str], str] = lambda kind: f"{kind} {marks.asked[kind]}/{marks.steps[kind]}"  # noqa: E731
    verbs = ", ".join(counts(kind) for kind in ("act play", "legal", "winner", "view", "score") if marks.steps[kind])
    lines = [f"{head}; asked {asked} of {marks.steps.total()} steps, {marks.wrong.total()} wrong ({verbs})"]
    lines += [f"    asked/wrong/unasked: {marks.skills}"]
    return "\n".join([*lines, *(f"    {line}" for line in marks.against[:4])])


def main() -> int:
    """Judge all programs in all parts; 0 if each gets full marks for its part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    options = parser.parse_args()
    failed = 0
    for marks in everything(tuple(options.games or catalogue())):
        failed += not marks.full
        print(f"{'  ' if marks.full else '! '}{told(marks)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
