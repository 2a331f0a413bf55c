"""A share of what `make fuzz` feeds, every finding that was ever made, and that the fuzzer would see one."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from brou import BrouError, Crash
from brou.language.source import parse_yaml
from brou_conformance.messages import ABILITIES
from brou_conformance.programs.engine import serve
from fuzzing import files, measuring, subject, wire
from fuzzing.__main__ import plan_tasks, tell_findings, tell_table
from fuzzing.agreement import Outputs, hold_outputs
from fuzzing.measuring import Outcome, feed, feed_seed, make_input
from fuzzing.mutation import BOMBS, make_bomb, mutate_bytes, mutate_expression, mutate_structure, write_json
from fuzzing.pool import feed_all
from fuzzing.subject import keep_engine
from fuzzing.talk import Talker, cover_editions
from fuzzing.target import ACCEPTED, REFUSED, Broken, Input, Target, call
from fuzzing.targets import TARGETS

NAMES = [target.name for target in TARGETS]
#: How many inputs of each kind are fed, and the seed of the first; `make fuzz` feeds thousands.
SHARE, FIRST = 2, 20260101


def feed_share(name: str) -> list[Outcome]:
    """Return how a share of inputs of a kind ended."""
    tasks = [(name, FIRST + number) for number in range(1 if name == "translations" else SHARE)]
    return list(feed_all(tasks, {target.name: target for target in TARGETS}, jobs=1))


@pytest.mark.sampled(10)
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_share_of_inputs_ends_well(name: str) -> None:
    """Nothing but a clean refusal or acceptance, within its budgets of computing and memory."""
    found = feed_share(name)

    assert {one.target for one in found} == {name}
    assert [(one.seed, one.finding, one.told) for one in found if one.finding] == []


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name != "translations"])
def test_sound_inputs_are_accepted(name: str, tmp_path: Path) -> None:
    """What inputs are made of is taken by what they are fed to, so that a mutation is what refuses them."""
    target = next(one for one in TARGETS if one.name == name)
    base = make_input(target, 1).base

    assert target.feed(target.keep_sound(base), tmp_path, set()) == ACCEPTED


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_seed_names_one_input(name: str) -> None:
    """The same target and seed are the same bytes, other seeds others."""
    target = next(one for one in TARGETS if one.name == name)
    made = [make_input(target, seed) for seed in (3, 3, 4, 5, 6)]

    assert made[0] == made[1]
    assert len(set(made)) > 2


# Findings -------------------------------------------------------------------------------------------------------------

#: What a program says instead of an honest result, each of which once ended a verification with an exception.
RESULTS = {
    "a lone surrogate for a refusal": {"no": "\ud800"},
    "a lone surrogate for a winner": {"winner": "\ud800"},
    "a lone surrogate for an act and its values": {"legal": {"\ud800": ["\ud800"]}},
    "a lone surrogate for a key": {"\ud800": 1},
    "no finite number in a view": {"view": {"zz": "raw:infinite"}},
    "what may be done instead of what was": {"legal": {}},
}


def program_input(
    game: str,
    wanted: Callable[[Any], bool],
    change: Callable[[Any], Any],
    can: Sequence[str] = ABILITIES,
    said: Mapping[str, Any] | None = None,
) -> Input:
    """Return a recorded conversation about scenarios of a kind, its results changed and more said in the greeting."""
    chosen = {item["id"]: item for item in files.list_corpus()[game] if wanted(item)}
    items = [*dict([*chosen.items()][:4]).values(), *(one for one in cover_editions(game) if one["id"] not in chosen)]
    recorded = wire.record_talk(Talker.able(game, can), items)
    greeting = {**json.loads(recorded["greeting"]), **(said or {})}
    answers = {}
    for name, line in recorded["answers"].items():
        message = json.loads(line)
        message["results"] = [change(result) for result in message["results"]]
        answers[name] = wire.write_line(message)
    told = {**recorded, "greeting": wire.write_line(greeting), "answers": answers}
    return Input(f"{game} 1", json.dumps(told).encode("ascii"))


def has_declaration(item: Mapping[str, Any]) -> bool:
    """Say whether a scenario has an act that is no card."""
    return any("act" in step and "play" not in step["act"] for step in item["steps"])


@pytest.mark.parametrize("strange", RESULTS)
def test_a_strange_result_costs_its_case_alone(strange: str) -> None:
    """All outputs come out, and agree."""
    given = program_input("homme-de-brou", has_declaration, lambda _: RESULTS[strange])

    assert feed(wire.Program(), given).finding == ""


def is_open_reading(item: Mapping[str, Any]) -> bool:
    """Say whether a scenario that any answer satisfies tells readings apart."""
    return item["level"] == "open" and any("readings" in step for step in item["steps"])


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [game for game, items in files.list_corpus().items() if any(map(is_open_reading, items))]
)
@pytest.mark.parametrize("lacking", ["readings", "why"])
def test_an_answer_that_fits_no_reading_is_judged(game: str, lacking: str) -> None:
    """A scenario that any answer satisfies may be answered as no reading has it, declared or not."""

    def emptied(result: Any) -> Any:
        return {key: {} if key in ("view", "score", "legal") else value for key, value in result.items()}

    given = program_input(game, is_open_reading, emptied, can=[one for one in ABILITIES if one != lacking])

    assert feed(wire.Program(), given).finding == ""


@pytest.mark.slow
def test_cases_of_an_edition_that_is_judged_again_count_once() -> None:
    """A program that follows readings without saying so is judged under them, and the record holds both times."""
    game, readings = "brouc", {"match_ticks": "7"}
    able = Talker.able(game, [one for one in ABILITIES if one != "readings"])
    talker = dataclasses.replace(able, followed={f"{game}@club-2026": readings})
    items = [one for one in files.list_corpus()[game] if one["id"] == "brouc.match.more-than-five"]
    recorded = wire.record_talk(talker, [*items, *cover_editions(game)])
    given = Input(f"{game} 1", json.dumps(recorded).encode("ascii"))

    assert feed(wire.Program(), given).finding == ""


@pytest.mark.parametrize(
    "greeting",
    [
        {"plays": [{"game": "\ud800", "editions": ["1"], "setups": ["1"]}]},
        {"readings": {"\ud800": {"x": "y"}}},
        {"engine": {"name": "\ud800"}},
        {"zz": "raw:infinite"},
    ],
    ids=["game", "readings", "name", "number"],
)
def test_a_strange_greeting_makes_a_program_unusable_at_worst(greeting: Mapping[str, Any]) -> None:
    """All outputs come out."""
    given = program_input("brouc", has_declaration, lambda result: result, said=greeting)

    assert feed(wire.Program(), given).finding == ""


@pytest.mark.parametrize(
    "line",
    [
        b'{"op":"ping","id":"\\ud800"}',
        b'{"op":"run","id":1,"game":"\\ud800"}',
        b"x" * (4 << 20) + b'{"op":"ping","id":666}',
        b'{"op":"ping","id":1}{"op":"ping","id":2}',
        b'{"op":"ping","id":1e999}',
        b"",
    ],
    ids=["surrogate", "surrogate in a request", "over-long", "two in one", "infinite", "empty"],
)
def test_a_strange_line_is_answered_once(line: bytes) -> None:
    """The process lives, and what comes after is answered in its turn."""
    given = Input("brouc", line + b'\n{"op":"ping","id":1000000}\n')

    assert feed(wire.Served(), given).finding == ""


def test_a_served_process_answers_as_the_engine_does() -> None:
    """`brou serve` on its pipes says the same as in this process, byte for byte, and ends well."""
    given = make_input(wire.Served(), 4)
    sink = io.BytesIO()
    serve(keep_engine(given.base), io.BytesIO(given.data), sink)
    brou = [sys.executable, "-P", "-m", "brou_tools.cli", "serve", given.base]
    done = subprocess.run(brou, input=given.data, capture_output=True, check=False)

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == sink.getvalue()


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
OBJECTS: dict[str, Any] = {
    "nothing": None, "a set": {1, 2}, "bytes": b"x", "a fraction": [{"view": {"a": 0.5}}],
    "no number": [{"view": {"a": float("nan")}}], "infinite": [{"winner": float("inf")}],
    "a large number": [{"winner": 10**400}], "half a character": [{"no": "\ud800"}], "itself": ENDLESS,
    "a key that is no text": [{1: 2, None: 3}], "an object": [object()], "a class": int, "a generator": iter([{}]),
    "an exception": ValueError("x"), "a date": [{"view": {"a": datetime(2026, 1, 1, tzinfo=UTC)}}],
}  # fmt: skip


@pytest.mark.sampled(10)
@pytest.mark.slow
@pytest.mark.parametrize("strange", OBJECTS)
@pytest.mark.parametrize("method", ["hello", "run"])
def test_a_strange_object_costs_what_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, strange: str
) -> None:
    """A Python object in this process may return anything: all outputs come out, and agree."""
    place = tmp_path / "corpus" / subject.GAME
    place.mkdir(parents=True)
    (place / "some.yaml").write_bytes(write_json(list(cover_editions(subject.GAME))))
    monkeypatch.setattr(subject.Honest, method, lambda *_: OBJECTS[strange])
    outputs = Outputs(tmp_path)
    honest = ("--scenarios", place.parent, "--python", "fuzzing.subject:Honest")
    ended = call("verify", *outputs.options, *honest, codes=(1, 3))

    assert hold_outputs(outputs, ended, document=False) in ("unusable", "adapter", "deviates")


def costly_rules(change: Callable[[Any], None]) -> Input:
    """Return the rules of the sixth game with something costly in them."""
    plain: Any = parse_yaml(files.list_rules()["sixth 1"], "base").plain()
    change(plain)
    return Input("sixth 1", write_json(plain))


def widen_strength(low: int) -> Callable[[Any], None]:
    """Return what makes a jack worth so little."""

    def widen(plain: Any) -> None:
        plain["attributes"]["strength"]["values"]["J"] = low

    return widen


def chain_functions(length: int, act: str) -> Callable[[Any], None]:
    """Return what adds so many functions, each of which calls the one before twice, and asks the last for an act."""

    def chain(plain: Any) -> None:
        functions = plain["functions"]
        functions["f0"] = {"args": {"p": "player"}, "type": "int", "is": "1", "clause": "a.b"}
        for number in range(1, length):
            called = f"f{number - 1}(p) + f{number - 1}(next(p))"
            functions[f"f{number}"] = {"args": {"p": "player"}, "type": "int", "is": called, "clause": "a.b"}
        plain["actions"][act]["legal"] = f"f{length - 1}(me) > 0"

    return chain


def nest_quantifiers(plain: Any) -> None:
    """Ask of every six cards of the pack."""
    tails = "".join(f" for q{number} in pack)" for number in range(6))
    plain["tables"]["may_play"]["rows"] = [{"id": "free", "when": f"not {'any(' * 6}False{tails}", "then": True}]
    plain["actions"]["deal"]["require"] = f"not {'any(' * 6}False{tails}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        widen_strength(-(10**6)),
        widen_strength(-(10**17)),
        chain_functions(26, "play"),
        chain_functions(20, "deal"),
        chain_functions(14, "discard"),
        nest_quantifiers,
    ],
    ids=["wide", "endless", "long chain", "chain", "short chain", "quantifiers"],
)
def test_costly_rules_are_refused_or_played_within_the_budget(change: Callable[[Any], None]) -> None:
    """A stranger's rules hang nothing."""
    assert feed_input(costly_rules(change), "rules").finding == ""


@pytest.mark.parametrize("key", ["like", "position"])
def test_a_position_that_is_not_there_is_a_fault(key: str) -> None:
    """What is to be proved of a position that no file has is refused, and not looked up."""
    data = files.list_obligations()["kept"]
    plain: Any = parse_yaml(data, "base").plain()
    items = plain["positions"] if key == "like" else plain["obligations"]
    next(iter(items.values()))[key] = "elsewhere"

    assert feed_input(Input("kept", write_json(plain)), "obligations").word == REFUSED


@pytest.mark.parametrize("sign", ["\ufeff", "\u202e", "\x9b", "\u200b"])
def test_what_nobody_sees_is_shown_escaped(sign: str) -> None:
    """A key that only looks like another, or that a terminal would obey, is told as what it is."""
    plain: Any = json.loads(files.list_records()["worked-0"])
    plain["deals"][0]["count"] = {f"resu{sign}lt": "deal"}

    assert feed_input(Input("worked-0", write_json(plain)), "records").finding == ""


def test_a_title_that_a_terminal_would_obey_is_refused() -> None:
    """A scenario says nothing that nobody sees, so that no list of scenarios does."""
    plain: Any = parse_yaml(files.list_scenarios()["brouc/0"], "base").plain()
    plain[0]["title"] = "A \x1b[31mred\x1b[0m title"
    given = Input("brouc/0", write_json(plain))

    assert (feed_input(given, "scenarios").word, feed_input(given, "scenarios").finding) == (REFUSED, "")


def test_many_faults_are_told_in_few_words() -> None:
    """A file of one key a hundred thousand times is refused, and not in megabytes."""
    assert feed_input(Input("brouc/0", b"a: 1\n" * 99_999), "scenarios").finding == ""


@dataclass(frozen=True, slots=True)
class Literal:
    """A target that makes one input, whatever the seed."""

    name: str
    given: Input
    weight: int = 1

    def make(self, chance: Random) -> Input:  # noqa: ARG002 - one signature for all targets
        """Return the input."""
        return self.given

    def keep_sound(self, base: str) -> Input:
        """Return the sound input of the true target."""
        return find_target(self.name).keep_sound(base)

    def feed(self, given: Input, folder: Path, seen: set[str]) -> str:
        """Feed it as the true target does."""
        return find_target(self.name).feed(given, folder, seen)


def find_target(name: str) -> Target:
    """Return a target by name."""
    return next(one for one in TARGETS if one.name == name)


def feed_input(given: Input, name: str) -> Outcome:
    """Feed an input in a process of its own, which may hang."""
    (outcome,) = feed_all([(name, 0)], {name: Literal(name, given)}, jobs=1, hard=10)
    return outcome


# The fuzzer itself ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Faulty:
    """A target that does what the seed says."""

    does: Mapping[int, Callable[[], object]]
    name: str = "faulty"
    weight: int = 1

    def make(self, chance: Random) -> Input:
        """Return an input that any number of bytes may be."""
        return Input("base", chance.randbytes(4))

    def keep_sound(self, base: str) -> Input:
        """Return an input at which nothing happens."""
        return Input(base, b"")

    def feed(self, given: Input, folder: Path, seen: set[str]) -> str:  # noqa: ARG002 - one signature for all targets
        """Do what the input says."""
        found = {make_input(self, seed).data: seed for seed in self.does}.get(given.data)
        if found is not None:
            self.does[found]()
        return ACCEPTED


def burn(seconds: float) -> None:
    """Compute for so long."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def fill(size: int) -> None:
    """Take memory, and give it back."""
    assert len(b"x" * size) == size


def fail(error: BaseException) -> Callable[[], object]:
    """Return what raises an error."""

    def failing() -> None:
        raise error

    return failing


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("does", "word", "finding"),
    [
        (fail(ValueError("lost")), "exception", "ValueError at test_fuzzing.py"),
        (fail(Crash("a promise")), "crash", "Crash: a promise at test_fuzzing.py"),
        (fail(Broken("two answers")), "broken", "two answers"),
        (partial(burn, 1.3), ACCEPTED, "costs too much computing"),
        (partial(fill, 300 << 20), ACCEPTED, "takes too much memory"),
        (fail(BrouError("refused")), REFUSED, ""),
        (lambda: None, ACCEPTED, ""),
    ],
    ids=["exception", "crash", "promise", "cost", "memory", "refused", "accepted"],
)
def test_every_kind_of_finding_is_made(does: Callable[[], object], word: str, finding: str) -> None:
    """What is no clean end is told as what it is, and a clean one is none."""
    outcome = feed_seed(Faulty({1: does}), 1)

    assert outcome.word == word
    assert outcome.finding.startswith(finding)
    assert bool(outcome.finding) == bool(finding)


@dataclass(frozen=True, slots=True)
class Slow:
    """A target whose inputs say how many seconds they cost."""

    name: str
    fed: list[bytes]
    weight: int = 1

    def make(self, chance: Random) -> Input:
        """Return an input of less than a second."""
        return Input("base", str(chance.random()).encode())

    def keep_sound(self, base: str) -> Input:
        """Return the sound input."""
        return Input(base, b"0.1")

    def feed(self, given: Input, folder: Path, seen: set[str]) -> str:  # noqa: ARG002 - one signature for all targets
        """Compute for as long as the input says."""
        self.fed.append(given.data)
        burn(float(given.data))
        return ACCEPTED


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "fed", "finding"),
    [
        (b"0.01", [b"0.01"], ""),
        (b"0.3", [b"0.3", b"0.1", b"0.1", b"0.3"], ""),
        (b"0.7", [b"0.7", b"0.1", b"0.1", b"0.7", b"0.7"], "costs too much computing"),
    ],
    ids=["the grace", "the budget", "more"],
)
def test_what_exceeds_the_grace_is_held_against_the_sound_input(
    monkeypatch: pytest.MonkeyPatch, data: bytes, fed: list[bytes], finding: str
) -> None:
    """Three times the sound input is allowed beside the grace; the sound input is fed where the grace is exceeded."""
    monkeypatch.setattr(measuring, "GRACE", 0.2)
    target = Slow(f"slow {data!r}", [])

    assert feed(target, Input("base", data)).finding == finding
    assert target.fed == fed


@pytest.mark.slow
def test_a_hang_and_a_death_cost_their_own_input() -> None:
    """Both are told, and what comes after is fed to a new process."""
    target = Faulty({1: partial(burn, 60), 2: os.abort})
    outcomes = list(feed_all([("faulty", seed) for seed in range(5)], {"faulty": target}, jobs=1, hard=1))

    assert [one.word for one in outcomes] == [ACCEPTED, "hang", "death", ACCEPTED, ACCEPTED]
    assert outcomes[1].finding.startswith("hangs")
    assert outcomes[2].finding == "ends the process (-6)"


@dataclass(frozen=True, slots=True)
class DearInput:
    """A target whose inputs take long to make and nothing to read."""

    name: str = "dear"
    weight: int = 1

    def make(self, chance: Random) -> Input:
        """Return an input after more computing than one may cost."""
        burn(2.5)
        return self.keep_sound(str(chance.random()))

    def keep_sound(self, base: str) -> Input:
        """Return an empty input."""
        return Input(base, b"")

    def feed(self, given: Input, folder: Path, seen: set[str]) -> str:  # noqa: ARG002 - one signature for all targets
        """Do nothing."""
        return ACCEPTED


@pytest.mark.slow
def test_an_input_is_not_charged_for_being_made() -> None:
    """Only what is computed once an input is fed may be a hang."""
    (outcome,) = feed_all([("dear", 1)], {"dear": DearInput()}, jobs=1, hard=1)

    assert outcome.word == ACCEPTED


def test_findings_are_told_with_how_to_make_them_again() -> None:
    """Each finding once, with its seeds; a table with every target."""
    outcomes = [Outcome("rules", seed, "exception", "KeyError at load.py:7 x", "lost") for seed in (4, 9)]
    told = tell_findings([*outcomes, Outcome("names", 5, REFUSED)])

    assert "KeyError at load.py:7 x: 2 of its inputs: seeds 4, 9" in told
    assert 'make fuzz ARGS="--target rules --seed 4"' in told
    assert tell_findings([Outcome("names", 5, REFUSED)]) == ""
    assert [line.split()[:2] for line in tell_table(outcomes).splitlines()[1:]] == [["rules", "2"]]


def test_tasks_are_spread_over_all_targets() -> None:
    """Every kind of input gets its share, under seeds that follow each other."""
    tasks = plan_tasks(TARGETS, 10_000, 7)

    assert {name for name, _ in tasks} == set(NAMES)
    assert [seed for _, seed in tasks] == list(range(7, 10_007))
    assert plan_tasks(TARGETS, 50, 7) == tasks[:50]


def test_mutations_change_what_they_are_given() -> None:
    """Nearly every mutation is another input than the sound one, and none of them touches the original."""
    plain = {"a": [1, 2, {"b": "x and y"}], "c": "AS", "d": ["7C", "KD"]}
    before = json.dumps(plain)
    made = [json.dumps(mutate_structure(plain, Random(seed))) for seed in range(300)]
    scarred = [mutate_bytes(before.encode(), Random(seed)) for seed in range(300)]
    spelt = [mutate_expression("x and y", Random(seed)) for seed in range(300)]

    assert json.dumps(plain) == before
    assert sum(one != before for one in made) > 200
    assert sum(one != before.encode() for one in scarred) > 200
    assert len({*spelt}) > 100


def test_bombs_are_large() -> None:
    """Every kind of whole file reaches the size that it is asked for, alias bombs aside."""
    assert all(len(bomb(100_000)) > 60_000 for bomb in BOMBS[:-1])
    assert len({make_bomb(Random(seed))[:20] for seed in range(200)}) > 20
