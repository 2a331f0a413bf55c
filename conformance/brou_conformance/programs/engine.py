"""The reference engine: the interpreter speaking the protocol, for every game, edition, set-up and reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, BinaryIO

from brou import (
    ORIGINAL,
    ActRoute,
    BadAct,
    BrouError,
    Choice,
    Crash,
    Folder,
    Machine,
    Question,
    RouteAct,
    Unknown,
    Words,
    begin,
    book,
    catalogue,
    explain_briefly,
    spread,
    with_readings,
)
from brou.interpreter import OpenAnswer, SeatPosition, Sight, drop_unknown, find_sight
from brou.reasons import each_once
from brou_conformance.messages import ABILITIES, VERSION
from brou_conformance.protocol import Message, NoMessage, encode, fault, read_messages
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.script import machine


def choices(names: Iterable[str], folder: Folder = None) -> tuple[Choice, ...]:
    """Return the rule bases that names stand for: every edition and set-up of everything if there is none."""
    return tuple(choice for name in tuple(names) or catalogue(folder) for choice in spread(name, folder))


class ReferenceEngine:
    """Answers requests with the interpreter; nothing survives a request."""

    #: By what name it greets.
    name = "brou"

    def __init__(self, played: Iterable[Choice], folder: Folder = None) -> None:
        self._folder = folder
        self._played = {(choice.game, choice.edition, choice.setup): choice for choice in played}

    def answer(self, request: Message) -> Message:
        """Return the reply to any request."""
        operation = request.get("op")
        answers = {"hello": self._hello, "run": self._run, "why": self._why, "ping": _nothing, "bye": _nothing}
        id_ = request.get("id")
        head: Message = {"id": id_ if type(id_) is int and id_ >= 0 else None}
        if not isinstance(operation, str) or operation not in answers:
            return {**head, "ok": False, "error": f"unknown op; known: {', '.join(answers)}"}
        problem = fault(f"{operation}.request", request)
        if problem:
            return {**head, "ok": False, "error": problem}
        try:
            reply = {**head, "ok": True, **answers[operation](request)}
        except Crash:
            raise
        except BrouError as error:
            return {**head, "ok": False, "error": str(error)}
        problem = fault(f"{operation}.reply", reply)
        if problem:
            raise Crash(f"a reply of our own breaks the protocol: {problem}")
        return reply

    def _hello(self, request: Message) -> Message:  # noqa: ARG002 - one signature for all operations
        plays: dict[str, dict[str, dict[str, None]]] = {}
        for game, edition, setup in self._played:
            entry = plays.setdefault(f"{game}@{edition}", {"editions": {}, "setups": {}})
            entry["editions"][edition] = entry["setups"][setup] = None
        return {
            "protocol": VERSION,
            "engine": {"name": self.name, "version": find_version(), "language": "python"},
            "plays": [
                {"game": name.split("@")[0], **{key: list(values) for key, values in entry.items()}}
                for name, entry in plays.items()
            ],
            "readings": self._readings(),
            "can": list(ABILITIES),
            "max_in_flight": 16,
        }

    def _readings(self) -> dict[str, dict[str, str]]:
        """Return the readings of each edition: its own, except where one of its set-ups is played with others."""
        said: dict[str, dict[str, str]] = {}
        for choice in self._played.values():
            own = book(choice.game, self._folder or choice.project).editions[choice.edition].readings
            readings = said.setdefault(f"{choice.game}@{choice.edition}", dict(sorted(own.items())))
            readings |= {key: value for key, value in choice.readings if value != own[key]}
        return said

    def _run(self, request: Message) -> Message:
        steps, start = request["steps"], request.get("start", {})
        try:
            player = self.open_machine(self._choice(request))
            if "position" in start:
                return {"results": list(_answer_position(player, start["position"], steps))}
            state = begin(player, drop_unknown(player, start))
        except Crash:
            raise
        except BrouError as error:
            return {"results": [{"skip": str(error)} for _ in steps]}
        results = []
        for step in steps:
            result, state = take(player, state, step)
            results.append(result)
        return {"results": results}

    def _why(self, request: Message) -> Message:
        """Return in words why the last act of a script is taken or refused, and the clauses that say so."""
        *before, last = request["steps"]
        if "act" not in last:
            raise BadAct("a why request ends with an act")
        moves = tuple(
            RouteAct(f"s{number}", step["by"], step["act"]) for number, step in enumerate(before, 1) if "act" in step
        )
        choice = self._choice(request)
        script = ActRoute(drop_unknown(machine(choice, self._folder), request.get("start", {})), moves)
        found = explain_briefly(choice, script, Question("act", last["by"], last["act"]), self._folder)
        words = Words(machine(choice, self._folder).game, ORIGINAL, self._folder or choice.project)
        verdict = "allowed" if found.allowed else "refused"
        told = f"{words.judgement(found)}: {verdict}. {words.sentence(found.because)}".rstrip(". ")
        cited = each_once(found.clauses)
        texts = [f"{clause}: {text}" for clause in cited if (text := words.clause(clause))]
        return {"why": "\n".join([f"{told}.", *texts]), "clauses": list(cited)}

    def open_machine(self, choice: Choice) -> Machine:
        """Return the machine that plays by a choice of rules."""
        return machine(choice, self._folder)

    def _choice(self, request: Message) -> Choice:
        """Return the rule base that a request names, under its readings."""
        wanted = (request["game"], request["edition"], request["setup"])
        if wanted not in self._played:
            raise Unknown("rules", "{}@{}:{}".format(*wanted), map(str, self._played.values()))
        readings = {key: str(value) for key, value in request.get("readings", {}).items()}
        return with_readings(self._played[wanted], readings, self._folder)


def _nothing(request: Message) -> Message:  # noqa: ARG001 - one signature for all operations
    return {}


def find_version() -> str:
    """Return the version of the suite that is installed, 0 if it is not."""
    try:
        return version("brou")
    except PackageNotFoundError:
        return "0"


def _answer_position(player: Machine, position: Message, steps: Iterable[Mapping[str, Any]]) -> Iterator[Message]:
    """Yield the result of each step in a position: the acts open to a seat, as far as the position tells."""
    done = False
    for step in steps:
        seat = step.get("by", step.get("legal"))
        if done or seat is None:
            why = "an act has been done since" if done else f"it is not asked for {next(iter(step))}"
            yield {"skip": f"a position tells what may be done in it: {why}"}
        elif seat >= player.game.seats:
            yield {"err": f"there is no seat {seat}; seats are 0 to {player.game.seats - 1}"}
        elif "act" in step:
            result = _try_act(SeatPosition(player, position, seat), seat, step["act"])
            done = "ok" in result
            yield result
        else:
            yield _describe_offer(find_sight(player, position, seat))


def _describe_offer(sight: Sight) -> Message:
    """Return the acts that a position settles, and the variables that the others hang on; a skip if all are open."""
    hangs = {name: list(names) for name, names in sight.unsettled.items()}
    if hangs and not sight.legal:
        return {"skip": f"it hangs on {', '.join(sight.open)}, and the position does not tell"}
    return {"legal": dict(sight.legal), **({"open": hangs} if hangs else {})}


def _try_act(there: SeatPosition, seat: int, act: Message) -> Message:
    try:
        found = there.refusals(seat, act)
    except BadAct as error:
        return {"err": str(error)}
    if isinstance(found, OpenAnswer):
        return {"skip": f"it hangs on {', '.join(found.hangs)}, and the position does not tell"}
    codes = {refusal.code for refusal in found}
    return {"no": codes.pop() if len(codes) == 1 else True} if codes else {"ok": True}


def serve(engine: ReferenceEngine, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every line until goodbye or the end of the input."""
    for request in read_messages(source):
        if isinstance(request, NoMessage):
            sink.write(encode({"id": None, "ok": False, "error": str(request)}))
        else:
            sink.write(encode(engine.answer(request)))
            if request.get("op") == "bye":
                sink.flush()
                return
        sink.flush()
