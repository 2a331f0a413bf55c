"""Simulated tables: the interpreter under readings of its own, asked like people or like a program."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from brou import choose
from brou_conformance.questioning.courses import tell
from brou_conformance.questioning.interview import Interview
from brou_conformance.questioning.knowledge import begin
from brou_conformance.questioning.optimum import Optimum, best


@dataclass(frozen=True)
class Sitting:
    """A table that was asked: its readings, what was found of them, and with how many questions."""

    truth: Mapping[str, str]
    interview: Interview
    questions: int
    optimum: Optimum

    @property
    def wrong(self) -> dict[str, tuple[str, ...]]:
        """Return the readings of which the true value is not left."""
        known = self.interview.known
        return {key: known.list_left(key) for key, value in self.truth.items() if value not in known.list_left(key)}


def sit(name: str, seed: int, *, outright: bool = True) -> Sitting:
    """Return what is found of a table with random readings; numbers are named outright, or asked for by halves."""
    plain = choose(name)
    before = begin(plain, {})
    truth = before.draw(random.Random(seed))
    interview = Interview.begin(plain, before)
    numbers = [key for key in before.open if interview.interpreter.is_number(key)]
    for key in numbers if outright else ():
        interview.settle(key, truth[key])
    choice = interview.interpreter.choice(truth)
    while (question := interview.next()) is not None:
        interview.hear(question, [tell(question.course, question.number, choice).outcomes[-1]], "")
    found = [key for key in before.open if interview.known.find_settled(key) is not None]
    optimum = best(before, interview.scenarios, found, dict.fromkeys(numbers, outright))
    return Sitting(truth, interview, len(interview.asked) + (len(numbers) if outright else 0), optimum)


if __name__ == "__main__":
    import sys
    import time

    outright = "--halves" not in sys.argv
    for name in sys.argv[2:]:
        for seed in range(int(sys.argv[1])):
            if name.startswith("--"):
                continue
            begun = time.process_time()
            one = sit(name, seed, outright=outright)
            seconds = round(time.process_time() - begun, 1)
            left = {key: len(one.interview.known.list_left(key)) for key in one.interview.known.open}
            print(
                name, seed, "asked", one.questions, "optimum", round(one.optimum.average, 2), one.optimum.worst,
                "wrong", one.wrong, "misfits", sum(not asked.fits for asked in one.interview.asked),
                "open", left, "doubted", sorted(one.interview.find_doubtful()), seconds, flush=True,
            )  # fmt: skip
