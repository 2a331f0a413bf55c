"""Both directions of the protocol: lines to `brou serve`, and answers of a program under test."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias
from unittest.mock import patch

from brou import catalogue
from brou_conformance.fitting.search import FailureExplanation
from brou_conformance.programs.engine import serve
from brou_conformance.programs.session import Session
from brou_conformance.protocol import MAX_LINE, Message, decode, encode, fault
from brou_conformance.verdicts.explaining import explain
from brou_conformance.verdicts.plan import EditionPlan, Selection
from brou_conformance.verdicts.tally import Tally
from brou_conformance.verdicts.verify import verify
from brou_tools.verify import command
from fuzzing.agreement import Outputs, hold_outputs
from fuzzing.mutation import SCALARS, find, list_paths, mutate_bytes, mutate_structure, write_json
from fuzzing.subject import keep_engine
from fuzzing.talk import NUMBER, Talker, Wire, cover_editions, draw_requests, draw_scenarios, name_request
from fuzzing.target import ACCEPTED, REFUSED, Apart, Broken, Ended, Input, call

_MARKER = re.compile(rb'\{"op":"ping","id":(1\d{6})\}\Z')


def mutate_message(message: Message, chance: Random) -> bytes:
    """Return a message as a line, its structure or its bytes mutated."""
    how = chance.random()
    if how < 0.65:
        return write_json(mutate_structure(message, chance), chance)
    if how < 0.75:
        return write_json(add_strange(message, chance), chance)
    return mutate_bytes(write_json(message), chance).replace(b"\n", b" ")


def add_strange(message: Message, chance: Random) -> Any:
    """Return a message with something strange put into one of its members: a scalar, or deep nesting."""
    plain = json.loads(json.dumps(message))
    places = [path for path in list_paths(plain) if isinstance(find(plain, path), (dict, list))]
    there = find(plain, chance.choice(places)) if places else plain
    strange: Any = chance.choice(SCALARS)
    if chance.random() < 0.2:
        for _ in range(chance.choice((30, 33, 500))):
            strange = [strange]
    if isinstance(there, dict):
        there[chance.choice(("zz", "extra", str(chance.choice(SCALARS))))] = strange
    else:
        there.append(strange)
    return plain


# Lines to the engine --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Served:
    """Lines to the reference engine, a sound one with a number of its own after each."""

    name: str = "serve"
    weight: int = 1200

    def make(self, chance: Random) -> Input:
        """Return some lines, most of them mutated."""
        game = chance.choice(catalogue())
        lines: list[bytes] = []
        for number, request in enumerate(draw_requests(game, chance, chance.randint(1, 5), set())):
            lines += [self._line(request, chance), b'{"op":"ping","id":%d}' % (1_000_000 + number)]
        end = chance.choice((b"\n", b"\n", b"\n", b""))
        return Input(game, b"\n".join(lines) + end)

    @staticmethod
    def _line(request: Message, chance: Random) -> bytes:
        how, sound = chance.random(), write_json(request)
        if how < 0.75:
            return mutate_message(request, chance)
        if how < 0.8:
            return sound + chance.choice((b"", b" ", b",", b"\r")) + write_json({"op": "ping", "id": 666})
        if how < 0.82:
            size = chance.choice((MAX_LINE - 40, MAX_LINE, MAX_LINE + 1, MAX_LINE + 5000))
            return b"x" * size + b'{"op":"ping","id":666}'
        if how < 0.83:
            return sound[:-1] + b" " * MAX_LINE + b"}"
        if how < 0.86:
            return chance.choice((b"", b"\r", b"null", b"[]", b"7", b'"x"', b"\x00", b"\xff\xfe", b"{}", b"[" * 9000))
        if how < 0.88:
            return write_json({"op": "bye", "id": 5})
        return sound

    def keep_sound(self, base: str) -> Input:
        """Return scripts of a game as they are."""
        lines = [write_json(request) for request in draw_requests(base, Random(1), 5, set())]
        return Input(base, b"\n".join(lines) + b"\n")

    def feed(self, given: Input, folder: Path, seen: set[str]) -> str:  # noqa: ARG002 - one signature for all
        """Serve the lines; every line has one answer, in their order, until goodbye."""
        sink = io.BytesIO()
        serve(keep_engine(given.base), io.BytesIO(given.data), sink)
        lines = given.data.split(b"\n")
        lines = lines if lines[-1] else lines[:-1]
        answers = sink.getvalue().split(b"\n")
        if answers.pop():
            raise Broken("the last answer is no whole line")
        hold_answers(lines, answers, seen)
        oks = [b'"ok":true' in answer for answer in answers[::2]]
        return ACCEPTED if any(oks) else REFUSED


def hold_answers(lines: Sequence[bytes], answers: Sequence[bytes], seen: set[str]) -> None:
    """Raise `Broken` unless each line is answered once, in order, by a message of the protocol."""
    for number, answer in enumerate(answers):
        line = lines[number] if number < len(lines) else b""
        reply = decode(answer)
        if reply.get("ok") is not True:
            problem = fault("error.reply", reply)
            if problem:
                raise Broken(f"an error that is none: {problem}")
        if marker := _MARKER.match(line):
            if reply != {"id": int(marker[1]), "ok": True}:
                raise Broken("a sound line is not answered in its turn", line, answer[:200])
        elif reply.get("ok") is True and len(line) < MAX_LINE:
            seen.add(_of_request(json.loads(line), reply))
    if len(answers) != len(lines) and not _is_goodbye(lines, answers):
        raise Broken("not one answer to each line", f"{len(answers)} answers to {len(lines)} lines")


def _of_request(request: Message, reply: Message) -> str:
    """Return what was answered, having looked whether the answer fits."""
    if request.get("id") != reply["id"]:
        raise Broken("an answer has the number of another request", f"{request.get('id')}: {reply['id']}")
    problem = fault(f"{request['op']}.reply", reply)
    if problem:
        raise Broken(f"a reply that is none: {problem}")
    if request["op"] == "run" and len(reply["results"]) != len(request["steps"]):
        raise Broken("not a result for each step")
    return f"{request['op']} {request.get('game', '')}"


def _is_goodbye(lines: Sequence[bytes], answers: Sequence[bytes]) -> bool:
    """Say whether the last answer is that to a goodbye, after which nobody listens."""
    if not answers or len(answers) > len(lines):
        return False
    try:
        request = json.loads(lines[len(answers) - 1])
    except (ValueError, RecursionError):
        return False
    return isinstance(request, dict) and request.get("op") == "bye" and decode(answers[-1]).get("ok") is True


# Answers of a program -------------------------------------------------------------------------------------------------

#: A program that answers with recorded lines, and with nothing that it can do where it has none.
REPLAY = """
import json, re, sys
recorded = json.load(open(sys.argv[1], encoding="ascii"))
lines = {name: line.encode("latin-1") for name, line in recorded["answers"].items()}
greeting = recorded["greeting"].encode("latin-1")
for line in sys.stdin.buffer:
    request = json.loads(line)
    number = request.pop("id")
    name = json.dumps(dict(sorted(request.items())), separators=(",", ":"))
    skips = {"id": number, "ok": True, "results": [{"skip": "not recorded"}] * len(request.get("steps", []))}
    said = greeting if request["op"] == "hello" else lines.get(name, json.dumps(skips).encode())
    sys.stdout.buffer.write(said.replace(b"7777777777", str(number).encode(), 1) + b"\\n")
    sys.stdout.buffer.flush()
"""


#: How a verification may end whatever the program says; 4 where the corpus has no scenario for what it plays.
_CODES = (0, 1, 3, 4)
#: Seconds of computing that the explanation of one edition's failures may cost.
_EXPLAINED = 5.0
#: The option that asks variants of the scripts too, which costs as much as they do.
_FAMILIES = "--families"


@dataclass(frozen=True, slots=True)
class Program:
    """A program whose greeting or answers are mutated, verified with every output."""

    name: str = "program"
    weight: int = 2300

    def make(self, chance: Random) -> Input:
        """Return a recorded conversation with something in it mutated, and with how it is asked for."""
        base = f"{chance.choice(catalogue())} {chance.getrandbits(32)}"
        recorded = _draw_named_talk(base)
        names = sorted(recorded["answers"])
        if chance.random() < 0.25 or not names:
            recorded["greeting"] = _mutate_line(recorded["greeting"], chance)
        sound = dict(recorded["answers"])
        for name in chance.sample(names, min(len(names), chance.choice((0, 1, 1, 2, 4)))):
            recorded["answers"][name] = mutate_answer(sound, name, chance)
        return Input(base, json.dumps(recorded).encode("ascii"))

    def keep_sound(self, base: str) -> Input:
        """Return the recorded conversation that an input was made of, with nothing in it mutated."""
        return Input(base, json.dumps(_draw_named_talk(base)).encode("ascii"))

    def feed(self, given: Input, folder: Path, seen: set[str]) -> str:
        """Verify the program by its scenarios, and hold all outputs together."""
        recorded = json.loads(given.data)
        played = given.base.partition(" ")[0]
        seen |= {item["id"] for item in recorded["scenarios"]}
        seen |= {f"{key}={value}" for said in recorded["followed"].values() for key, value in said.items()}
        for game in catalogue():
            place = folder / "corpus" / game
            place.mkdir(parents=True)
            items = recorded["scenarios"] if game == played else cover_editions(game)
            (place / "some.yaml").write_bytes(write_json(list(items)))
        outputs = Outputs(folder)
        options = ["--scenarios", str(folder / "corpus"), "--timeout", "60", *outputs.options, *recorded["options"]]
        if recorded["child"]:
            program, lines = folder / "program.py", folder / "recorded.json"
            program.write_text(REPLAY, encoding="utf-8")
            lines.write_bytes(given.data)
            command_line = ["--", sys.executable, "-I", "-S", str(program), str(lines)]
            ended = _verify(*options, *command_line)
        else:
            answer = _Replayed(recorded, played).answer
            # What the program is made of is no input: it is hashed where a report is read, and where a child runs.
            honest = ("--build", "fuzzed", "--python", "fuzzing.subject:Honest")
            with patch.object(command, "opener", lambda name: lambda: Wire(answer)):  # noqa: ARG005 - as it is called
                ended = _verify(*options, *honest)
        word = hold_outputs(outputs, ended, document="--json" in recorded["options"])
        seen.add(f"verdict {word}")
        return ACCEPTED if ended.code == 0 else REFUSED


def _verify(*options: str) -> Ended:
    """Call `brou verify`; the cost of explaining failures counts apart, and has a bound of its own."""
    with patch("brou_conformance.verdicts.verify.explain", _explain_within_bounds):
        return call("verify", *options, codes=_CODES)


def _explain_within_bounds(plan: EditionPlan, tally: Tally) -> FailureExplanation:
    """Explain failures; what seems to cost too much is explained once more, and the lesser cost counts."""
    found, spent = _explain_measured(plan, tally)
    if spent > _EXPLAINED:
        found, again = _explain_measured(plan, tally)
        spent = min(spent, again)
    if spent > _EXPLAINED:
        raise Broken("explaining costs too much computing", f"{spent:.1f} s, {_EXPLAINED:.0f} s are allowed")
    return found


def _explain_measured(plan: EditionPlan, tally: Tally) -> tuple[FailureExplanation, float]:
    """Return an explanation, and the seconds of computing that it cost."""
    before = Apart.seconds
    with Apart.counted():
        found = explain(plan, tally)
    return found, Apart.seconds - before


def _draw_named_talk(base: str) -> dict[str, Any]:
    """Return the conversation that a game and a seed name, like `brouc 7`."""
    game, seed = base.split(" ")
    return draw_talk(game, Random(int(seed)))


def draw_talk(game: str, chance: Random) -> dict[str, Any]:
    """Return a recorded conversation of a program with a verification by scenarios, all of it drawn at random."""
    talker = Talker.draw(game, chance)
    told = (("--json", 0.5), ("--trace", 0.2), (_FAMILIES, 0.06))
    options = [word for word, share in told if chance.random() < share]
    # Variants of one scenario are many.
    scenarios = draw_scenarios(talker, chance, 1 if _FAMILIES in options else chance.choice((1, 3, 6)))
    return {**record_talk(talker, scenarios), "options": options, "child": chance.random() < 0.04}


def record_talk(talker: Talker, scenarios: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a conversation of an honest program with a verification by some scenarios, every answer as a line."""
    lines: dict[str, str] = {}

    def answer(request: Message) -> bytes:
        line = talker.answer(request)
        if request["op"] == "run":
            lines[name_request(request)] = write_line({**json.loads(line), "id": NUMBER})
        return line

    with TemporaryDirectory(prefix="fuzz-talk-") as name:
        place = Path(name) / talker.game
        place.mkdir()
        (place / "some.yaml").write_bytes(write_json(list(scenarios)))
        with Session(lambda: Wire(answer)) as session:
            verify(session, Selection(corpus=Path(name)))
    greeting = write_line({"id": NUMBER, "ok": True, **talker.greeting})
    followed = {name: dict(values) for name, values in talker.followed.items()}
    return {
        "greeting": greeting, "answers": lines, "scenarios": list(scenarios), "followed": followed, "options": [],
        "child": False,
    }  # fmt: skip


def write_line(message: Message, chance: Random | None = None) -> str:
    """Return a message as a recorded line."""
    return write_json(message, chance).decode("latin-1")


def mutate_answer(answers: Mapping[str, str], name: str, chance: Random) -> str:
    """Return an answer mutated as a message, with the results of another, or with something of its results lost."""
    if chance.random() < 0.6:
        return _mutate_line(answers[name], chance)
    message = json.loads(answers[name])
    other = json.loads(answers[chance.choice(sorted(answers))])
    message["results"] = chance.choice(_RESULT_EDITS)(message.get("results", []), other.get("results", []), chance)
    return write_line(message, chance)


Results: TypeAlias = list[Any]


def _exchange_results(results: Results, others: Results, chance: Random) -> Results:  # noqa: ARG001 - one signature
    return others


def _count_wrong(results: Results, others: Results, chance: Random) -> Results:
    return results[:-1] if chance.random() < 0.5 else [*results, *others[:1]]


def _lose_keys(results: Results, others: Results, chance: Random) -> Results:  # noqa: ARG001 - one signature
    """Take some of what is seen or counted out."""
    for result in results:
        shown = result.get("view") or result.get("score") or {}
        for key in chance.sample(sorted(shown), min(len(shown), chance.choice((1, 2, 30)))):
            del shown[key]
    return results


def _lose_offers(results: Results, others: Results, chance: Random) -> Results:  # noqa: ARG001 - one signature
    """Take something out of what may be done."""
    for result in results:
        for offered in result.get("legal", {}).values():
            if isinstance(offered, list) and offered:
                offered.remove(chance.choice(offered))
    return results


_KINDS: tuple[Message, ...] = (
    {"ok": True}, {"no": True}, {"no": "too_low"}, {"winner": None}, {"winner": 15}, {"legal": {}}, {"view": {}},
    {"score": {}}, {"skip": "no"}, {"err": "x"}, {},
)  # fmt: skip


def _answer_otherwise(results: Results, others: Results, chance: Random) -> Results:  # noqa: ARG001 - one signature
    """Put results of any kind in the place of some."""
    return [chance.choice((result, result, chance.choice(_KINDS))) for result in results]


def _add_keys(results: Results, others: Results, chance: Random) -> Results:  # noqa: ARG001 - one signature
    """Let more be seen, counted or offered than there is."""
    for result in results:
        for key in ("view", "score", "legal"):
            if isinstance(result.get(key), dict):
                result[key] = add_strange(result[key], chance)
    return results


_RESULT_EDITS: tuple[Callable[[Results, Results, Random], Results], ...] = (
    _exchange_results, _count_wrong, _lose_keys, _lose_offers, _answer_otherwise, _add_keys,
)  # fmt: skip


def _mutate_line(line: str, chance: Random) -> str:
    return mutate_message(json.loads(line), chance).decode("latin-1")


class _Replayed:
    """A program that answers with recorded lines, and honestly where it has none."""

    def __init__(self, recorded: dict[str, Any], game: str) -> None:
        self._recorded = recorded
        self._talker = Talker(game, {}, recorded["followed"])

    def answer(self, request: Message) -> bytes:
        """Return the line for a request."""
        name = name_request(request)
        if request["op"] == "hello":
            line = self._recorded["greeting"]
        elif name in self._recorded["answers"]:
            line = self._recorded["answers"][name]
        else:
            return self._talker.answer(request) if request["op"] != "bye" else encode({"id": request["id"], "ok": True})
        written: bytes = line.encode("latin-1")
        return written.replace(str(NUMBER).encode(), str(request["id"]).encode(), 1)


TARGETS = (Served(), Program())
