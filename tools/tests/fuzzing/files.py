"""Every kind of file that somebody else may have written, and what is done with one."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import yaml
from identity import Pair, match
from nowhere import SOURCES

from brou import BrouError, Choice, Crash, Machine, Refusal, book, catalogue, choose, house, rules
from brou.chance import Chance
from brou.check import source_faults
from brou.games.catalogue import patch_rules, spread
from brou.games.folder import PRELUDE, root
from brou.interpreter.acts import fill_act
from brou.language.codec import outside
from brou.language.export import export_rules
from brou.language.load import load_rules
from brou.language.source import parse_yaml, read
from brou.language.syntax import Game
from brou_conformance.programs.engine import ReferenceEngine, choices
from brou_conformance.programs.in_process import Inside
from brou_conformance.programs.session import Session
from brou_conformance.reports.record import change, read_record
from brou_conformance.scenarios.corpus import corpus_root, is_translation
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import verify
from brou_tools.matches.policy import Players, conduct
from brou_tools.smt import obligations
from fuzzing import subject
from fuzzing.mutation import mutate_expression, mutate_structure, write_json
from fuzzing.target import ACCEPTED, INCOMPLETE, REFUSED, Apart, Broken, FileTarget, call
from provers.asked import GAMES, housed

_TESTS = Path(__file__).resolve().parents[3] / "conformance" / "tests"
SIXTH, SIXTH_SCENARIOS = _TESTS / "sixth", _TESTS / "sixth-scenarios"
_GOLDEN = Path(__file__).resolve().parents[1] / "golden"
#: Games in chapters that are none of the house.
_MADE = Path(__file__).resolve().parents[3] / "reference" / "tests"
#: How an act ends in both engines, if it ends well.
_WORDS = {
    "accepted",
    "refused",
    "crashed",
    "not even an act",
    "crashed at the beginning",
    "impossible at the beginning",
}
#: How many acts are played, for how many seconds of asking about each, and how many of them a question may take.
_DECISIONS, _PLAYED, _QUESTION, _TRIES = 25, 0.5, 3, 2
#: An honest program, asked only what it has scenarios for.
_HONEST = ("-k", ".", "--timeout", "60", "--python", "fuzzing.subject:Honest")


# Rules ----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def list_rules() -> Mapping[str, bytes]:
    """Return the rules that are made of the chapters of the sixth game, several times."""
    made = write_json(patch_rules(choose("bower", SIXTH), SIXTH).plain())
    return {f"sixth {number}": made for number in range(1, 8)}


def use_rules(base: str, data: bytes, folder: Path) -> str:
    """Check generated rules; play those that are accepted with both engines side by side."""
    path = folder / "rules.yaml"
    path.write_bytes(data)
    if call("check", path).code:
        return REFUSED
    play_rules(load_rules(read(path)), base)
    return ACCEPTED


def play_rules(game: Game, name: str) -> None:
    """Play some acts with the interpreter and with generated code, and ask what is seen and counted.

    Making both engines counts as reading the rules does. Playing is held to what is promised of rules that are
    accepted: what a seat may do is known within some seconds. Rules that take long are played for few acts.
    """
    pair = Pair.of(game, name)
    json.dumps(export_rules(game))
    with Apart.counted():
        cost = 0.0
        with suppress(Crash):
            cost = _ask_offers(Machine(game))
        decisions = max(2, min(_DECISIONS, int(_PLAYED / max(cost, 0.001))))
        tally: Counter[str] = Counter()
        match(pair, 1, decisions, tally)
        if not _WORDS.issuperset(tally):
            raise Broken(f"both engines end in {sorted(set(tally) - _WORDS)}")
        _see_all(Machine(game), decisions)


def _ask_offers(machine: Machine) -> float:
    """Ask at the beginning what every seat may do, and return how many seconds of computing that takes."""
    state = machine.begin()
    costs = [_ask_offer(machine, state, seat) for seat in range(machine.game.seats)]
    if max(costs, default=0.0) > _QUESTION:
        raise Broken(f"rules are accepted of which one question takes more than {_QUESTION} s")
    return sum(costs)


def _ask_offer(machine: Machine, state: Any, seat: int) -> float:
    """Return the seconds of computing that a question takes; a dear one is put again, for it may be chance."""
    costs: list[float] = []
    while not costs or (costs[-1] > _QUESTION and len(costs) < _TRIES):
        begun = time.process_time()
        machine.legal(state, seat)
        costs.append(time.process_time() - begun)
    return min(costs)


def _see_all(machine: Machine, decisions: int) -> None:
    """Play at random, and ask after every act what is seen and counted, and what invariants are broken.

    Rules that break a promise end it, as they may: that both engines crash alike has been seen.
    """
    with suppress(Crash):
        _see(machine, decisions)


def _see(machine: Machine, decisions: int) -> None:
    chance, state = Chance(1), machine.begin()
    for _ in range(decisions):
        for seat in range(machine.game.seats):
            json.dumps([machine.view(state, seat), machine.score(state), machine.find_broken_invariants(state)])
        acts = list(_list_acts(machine, state, chance))
        after = machine.act(state, *chance.pick(acts)) if acts else None
        if after is None or isinstance(after, Refusal):
            return
        state = after


def _list_acts(machine: Machine, state: Any, chance: Chance) -> Iterator[tuple[int, dict[str, Any]]]:
    for seat in range(machine.game.seats):
        for name, offered in machine.legal(state, seat).items():
            action = next(one for one in machine.game.actions.values() if outside(one.id) == name)
            described = any(parameter.described for parameter in action.parameters)
            values: Any = [fill_act(action, offered, chance)] if described else offered
            yield from ((seat, {name: value}) for value in values)


def cost_rules(data: bytes, chance: Random) -> bytes:
    """Return rules that cost: wide spans, nested quantifiers, chains of calls, many seats, long lists."""
    plain: Any = parse_yaml(data, "base").plain()
    functions, clause = plain["functions"], "a.b"
    condition = chance.choice(("True", "c == d", "me == me"))
    match chance.randrange(7):
        case 0:
            values = chance.choice([one["values"] for one in plain["attributes"].values() if "values" in one])
            values[chance.choice(sorted(values))] = chance.choice((-(10**6), 10**6, -(10**17), 10**17, 10**18))
        case 1:
            depth = chance.choice((3, 4, 5, 6))
            heads = "".join("any(" for _ in range(depth))
            tails = "".join(f" for q{n} in pack)" for n in range(depth))
            functions["costly"] = {"type": "bool", "is": f"{heads}False{tails}", "clause": clause}
            _require(plain, "not costly", chance)
        case 2:
            functions["f0"] = {"args": {"p": "player"}, "type": "int", "is": "1", "clause": clause}
            length = chance.choice((8, 14, 20, 26))
            for n in range(1, length):
                called = f"f{n - 1}(p) + f{n - 1}(next(p))"
                functions[f"f{n}"] = {"args": {"p": "player"}, "type": "int", "is": called, "clause": clause}
            _require(plain, f"f{length - 1}(me) > 0", chance)
        case 3:
            wide = chance.choice(("int 0..1000000", "int 0..1000000000000000000", "int -99999999999999999999..0"))
            first = next(iter(plain["state"].values()))
            first["wide"] = {"type": wide + chance.choice(("", "[player]", "[card]", "?", "[player][card]"))}
        case 4:
            for n in range(chance.choice((100, 600))):
                functions[f"many{n}"] = {"type": "bool", "is": condition if "c" not in condition else "True",
                                         "clause": clause}  # fmt: skip
        case 5:
            seats = chance.choice((1, 2, 16, 17, 200, 10**6))
            plain["seating"] = {"seats": seats, "clause": clause}
        case _:
            listed = chance.choice(("range(0, 100000)", "range(0, 5000000)", "subsets(pack, 1, 8)", "orders(pack)"))
            _require(plain, f"len({listed}) > 0", chance)
    return write_json(plain)


def _require(plain: Any, condition: str, chance: Random) -> None:
    """Let an act depend on a condition."""
    action = plain["actions"][chance.choice(sorted(plain["actions"]))]
    action["legal"] = f"({action['legal']}) and {condition}" if chance.random() < 0.5 else condition


# Folders --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def list_sixth() -> Mapping[str, bytes]:
    """Return the files of the sixth game."""
    return {str(path.relative_to(SIXTH)): path.read_bytes() for path in sorted(SIXTH.rglob("*.yaml"))}


def use_folder(base: str, data: bytes, folder: Path) -> str:
    """Check a folder of a stranger; let the reference engine go through the scenarios of one that is accepted."""
    data_folder = folder / "data"
    shutil.copytree(SIXTH, data_folder)
    (data_folder / base).write_bytes(data)
    if call("check", data_folder).code:
        return REFUSED
    game = Path(base).parent.name
    for choice in spread(game, data_folder):
        play_rules(rules(choice, data_folder), str(choice))
    engine = ReferenceEngine(choices([game], data_folder), data_folder)
    with Session(lambda: Inside(engine.answer)) as session:
        verify(session, Selection(corpus=SIXTH_SCENARIOS, data=data_folder))
    return ACCEPTED


@lru_cache(maxsize=1)
def list_data() -> Mapping[str, bytes]:
    """Return the data files of our own games; chapters are checked with their whole folder."""
    files = [path for path in sorted(root().rglob("*.yaml")) if path.name != "sources.yaml"]
    found = {str(path.relative_to(root())): path.read_bytes() for path in files}
    return {name: data for name, data in found.items() if not _CHAPTERED.search(data)}


def use_data(base: str, data: bytes, folder: Path) -> str:
    """Check a file, in the folder of its game if it has one."""
    game = Path(base).parent.name
    path = (copy_game(game, folder) if base.startswith("games/") else folder) / Path(base).name
    path.write_bytes(data)
    return call("check", path).word


#: The format of a file of chapters or of their prelude.
_CHAPTERED = re.compile(rb"^format: brou-[a-z]+/2$", re.MULTILINE)
#: How a fault names its place.
_PLACED = re.compile(r"^[^\s:]+\.yaml:[0-9]+:[0-9]+: ", re.MULTILINE)
#: The games whose chapters are mutated, the one of the house last.
_CHAPTERED_GAMES = (_MADE / "dummy", _MADE / "levels", root() / "games" / "brouc")


@lru_cache(maxsize=1)
def list_chapters() -> Mapping[str, bytes]:
    """Return the chapters of two games that are made up and of one of the house, and the prelude, by game and path.

    A module stands with the first of them that uses it, where it means something; with the last if none does.
    """
    prelude = dict(_list_prelude())
    found: dict[str, bytes] = {}
    for place in _CHAPTERED_GAMES:
        files = {path.name: path.read_bytes() for path in sorted(place.glob("*.yaml"))}
        own = {name: data for name, data in files.items() if _CHAPTERED.search(data)}
        found |= {f"{place.name}:games/{place.name}/{name}": data for name, data in own.items()}
        used = {path for path in prelude if place is _CHAPTERED_GAMES[-1] or _is_used(path, own.values())}
        found |= {f"{place.name}:{path}": prelude.pop(path) for path in sorted(used)}
    return found


@lru_cache(maxsize=1)
def _list_prelude() -> dict[str, bytes]:
    return {f"prelude/{path.name}": path.read_bytes() for path in sorted((root() / "prelude").glob("*.yaml"))}


def _is_used(path: str, chapters: Iterable[bytes]) -> bool:
    """Say whether some chapters use the module of a file."""
    used = f"\n  {Path(path).stem}: {{".encode("ascii")
    return any(used in data for data in chapters)


def use_chapters(base: str, data: bytes, folder: Path) -> str:
    """Check the folder of a game in chapters with one of its files changed; play the first rules of a sound one."""
    game, _, changed = base.partition(":")
    own = {
        path: kept for name, kept in list_chapters().items() if (path := name.partition(":")[2]).startswith("games/")
    }
    for path, kept in {**_list_prelude(), **own, changed: data}.items():
        if path.split("/")[1] == game or path.startswith("prelude/"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(kept)
    if game != _CHAPTERED_GAMES[-1].name:
        (folder / "sources.yaml").write_bytes(write_json(SOURCES))
    checked = call("check", folder)
    if checked.code:
        if not _PLACED.search(checked.out + checked.err):
            raise Broken("chapters are refused without a place", checked.out + checked.err)
        return REFUSED
    for choice in spread(game, folder)[:1]:
        play_rules(rules(choice, folder), str(choice))
    return ACCEPTED


_TRANSLATED = "brusquembille"


@lru_cache(maxsize=1)
def list_translations() -> Mapping[str, bytes]:
    """Return the files that hold the words of a game in all languages."""
    own = [f"games/{_TRANSLATED}/{name}.yaml" for name in ("book", "reviewed", "game", "words.fr", "words.de")]
    shared = [f"{PRELUDE}/words.{lang}.yaml" for lang in ("fr", "de")]
    return {name: (root() / name).read_bytes() for name in ("glossary.yaml", *shared, *own)}


def use_translation(base: str, data: bytes, folder: Path) -> str:
    """Check a whole folder with one of its texts changed."""
    data_folder = folder / "data"
    shutil.copytree(root() / "games" / _TRANSLATED, data_folder / "games" / _TRANSLATED)
    shutil.copytree(root() / PRELUDE, data_folder / PRELUDE)
    for name in ("glossary.yaml", "sources.yaml"):
        shutil.copy(root() / name, data_folder / name)
    (data_folder / base).write_bytes(data)
    return call("check", data_folder).word


@lru_cache(maxsize=1)
def list_sources() -> Mapping[str, bytes]:
    """Return the list of sources."""
    return {"sources.yaml": (root() / "sources.yaml").read_bytes()}


def use_sources(base: str, data: bytes, folder: Path) -> str:
    """Check a list of sources by itself, then against texts that are none of them."""
    path = folder / base
    path.write_bytes(data)
    word = call("check", path).word
    if word == ACCEPTED:
        texts = folder / "texts"
        texts.mkdir()
        for number in range(3):
            (texts / f"00{number}.txt").write_text("One line.\n\nAnother one.\n" * 20, encoding="utf-8")
        sum(1 for _ in source_faults(texts, folder))
    return word


# Scenarios ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def list_corpus() -> Mapping[str, tuple[dict[str, Any], ...]]:
    """Return all scenarios by game, as plain data."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(corpus_root().rglob("*.yaml")):
        if is_translation(path):
            continue
        plain = read(path).plain()
        assert isinstance(plain, list)
        found.setdefault(path.parent.name, []).extend(plain)  # type: ignore[arg-type] # scenario files hold mappings
    return {game: tuple(items) for game, items in found.items()}


@lru_cache(maxsize=1)
def list_scenarios() -> Mapping[str, bytes]:
    """Return small files of scenarios: of each game every scenario once, four by four."""
    found: dict[str, bytes] = {}
    for game, items in list_corpus().items():
        for number in range(0, len(items), 4):
            found[f"{game}/{number}"] = yaml.safe_dump(list(items[number : number + 4]), sort_keys=False).encode()
    return found


def use_scenarios(base: str, data: bytes, folder: Path) -> str:
    """Check a file of scenarios with their deals; let an honest program go through one that is accepted."""
    game = base.partition("/")[0]
    place = folder / "corpus" / game
    place.mkdir(parents=True)
    path = place / "some.yaml"
    path.write_bytes(data)
    if call("check", path).code:
        return REFUSED
    call("corpus", "list", "--scenarios", place.parent)
    with patch.object(subject, "GAME", game):
        # Scenarios that cannot be dealt are a fault of the suite, told with exit code 4.
        call("verify", "--scenarios", place.parent, *_HONEST, codes=(0, 1, 2, 3, 4))
    return ACCEPTED


# Records and positions ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def list_records() -> Mapping[str, bytes]:
    """Return records and positions: the golden ones, worked examples, and the moments of some scenarios."""
    files = [path for path in sorted(_GOLDEN.glob("*.yaml")) if path.stem != "worked"]
    found = {path.stem: path.read_bytes() for path in files}
    worked = read(_GOLDEN / "worked.yaml").plain()
    assert isinstance(worked, list)
    for number, one in enumerate(worked[::4]):
        assert isinstance(one, dict)
        kept = {"format": "brou-record/1", **{key: one[key] for key in ("rules", "start", "deals")}}
        found[f"worked-{number}"] = write_json(kept)
    for game, items in list_corpus().items():
        for number, one in enumerate(items[::9]):
            if one.get("deal") and not one.get("setup") and not one.get("edition"):
                found[f"position-{game}-{number}"] = write_json(_position(game, one))
    return found


def _position(game: str, scenario: Mapping[str, Any]) -> dict[str, Any]:
    acts = [step for step in scenario["steps"] if "act" in step and step.get("expect", "ok") == "ok"]
    steps = [{"by": step["by"], "act": step["act"]} for step in acts[:3]]
    told = {key: scenario[key] for key in ("deal", "before") if key in scenario}
    return {"format": "brou-position/1", "rules": game, **told, **({"steps": steps} if steps else {}), "seat": 1}


def use_record(base: str, data: bytes, folder: Path) -> str:
    """Settle a record, or explain it; a position can only be explained."""
    path = folder / f"{base}.yaml"
    path.write_bytes(data)
    if base.startswith("position") or len(data) % 2:
        return call("explain", "--lang", ("en", "fr", "de")[len(data) % 3], path).word
    return call("score", "--json", path).word


# What stands beside the rules -----------------------------------------------------------------------------------------


def _list_beside(name: str) -> Mapping[str, bytes]:
    return {game: (root() / "games" / game / f"{name}.yaml").read_bytes() for game in catalogue()}


def copy_game(game: str, folder: Path) -> Path:
    """Return the folder of a copy of a game's data."""
    place = folder / "games" / game
    shutil.copytree(root() / "games" / game, place)
    return place


@lru_cache(maxsize=1)
def list_conducts() -> Mapping[str, bytes]:
    """Return what random players of each game do."""
    return _list_beside("conduct")


def use_conduct(base: str, data: bytes, folder: Path) -> str:
    """Read what random players do, and let them do it for some acts."""
    path = copy_game(base, folder) / "conduct.yaml"
    path.write_bytes(data)
    if call("check", path).code:
        return REFUSED
    found = conduct(base, folder)
    choice: Choice = choose(base, folder)
    players = Players(choice, found.acts, found.tellings, folder)
    state, chance = players.engine.begin(), Chance(1)
    for _ in range(_DECISIONS):
        drawn = players.pick(state, chance)
        if drawn is None:
            break
        name, seat, values = drawn
        state = players.engine.play(state, seat, name, values)
    return ACCEPTED


@lru_cache(maxsize=1)
def list_obligations() -> Mapping[str, bytes]:
    """Return the obligations of each small game."""
    return {path.parent.name: path.read_bytes() for path in sorted(GAMES.glob("*/obligations.yaml"))}


@lru_cache(maxsize=16)
def _make_small_rules(game: str) -> bytes:
    """Return the generated rules of a small game in its first edition."""
    return write_json(patch_rules(choose(game, GAMES.parent), GAMES.parent).plain())


def use_obligations(base: str, data: bytes, folder: Path) -> str:
    """Read the obligations beside the generated rules of a game, and list the rules that each is about."""
    games = folder / "games"
    (games / base).mkdir(parents=True)
    (games / base / "rules.yaml").write_bytes(_make_small_rules(base))
    shutil.copytree(GAMES.parent / "prelude", folder / "prelude")
    path = games / base / "obligations.yaml"
    path.write_bytes(data)
    checked = call("check", path)
    with housed(folder, games):
        found = obligations.obligations.__wrapped__(base, house())
        for one in found.obligations[:3]:
            sum(1 for _ in obligations.choices(base, house(), one))
    found.standing()
    return checked.word


# Reports --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def list_reports() -> Mapping[str, bytes]:
    """Return whole records of small verifications."""
    found = {}
    for game, items in list_corpus().items():
        with TemporaryDirectory() as name:
            path = Path(name) / "report"
            _verify_some(game, items[:3], Path(name), "--report", path)
            found[game] = path.read_bytes()
    return found


def _verify_some(game: str, items: Any, folder: Path, *options: str | Path) -> int:
    """Verify an honest program by some scenarios, and return the exit code."""
    place = folder / "corpus" / game
    place.mkdir(parents=True, exist_ok=True)
    (place / "some.yaml").write_bytes(write_json(list(items)))
    with patch.object(subject, "GAME", game):
        return call("verify", "--scenarios", place.parent, *options, *_HONEST).code


def use_report(base: str, data: bytes, folder: Path) -> str:
    """Read a report, tell what has changed since it, and go on with it to a whole one."""
    path = folder / "report.ndjson"
    path.write_bytes(data)
    items = list_corpus()[base][:3]
    checked = call("check", path)
    try:
        known = read_record(path)
    except BrouError:
        call("verify", "--replay", path, "--scenarios", folder)
        return REFUSED
    change(known, ())
    if known.complete and _but_last(data) != _but_last(list_reports()[base]):
        raise Broken("a report that was changed is taken for a whole one")
    if known.complete != (checked.code == 0):
        raise Broken("`check` and the reader of a report differ on whether it is whole", checked.out)
    _verify_some(base, items, folder, "--since", path)
    call("verify", "--replay", path, "--scenarios", folder / "corpus", codes=(0, 1, 2, 3, 4))
    code = _verify_some(base, items, folder, "--report", path, "--resume")
    if code not in (0, 2):
        raise Broken("going on with a damaged report, an honest program does not conform")
    after = read_record(path)
    if code == 0 and not (after.complete and _name_cases(path.read_bytes()) == _name_cases(list_reports()[base])):
        raise Broken("going on with a damaged report leaves one that is not whole", f"{len(after.cases)} cases")
    return ACCEPTED if known.complete else INCOMPLETE


def _name_cases(data: bytes) -> set[tuple[str, str, str]]:
    """Return the edition, the set-up and the scenario of every case in a sound report."""
    lines = [json.loads(line) for line in data.splitlines()]
    return {(line["edition"], line["setup"], line["id"]) for line in lines if line["kind"] == "case"}


def _but_last(data: bytes) -> bytes:
    return data.removesuffix(b"\n").rpartition(b"\n")[0]


def mutate_report(data: bytes, chance: Random) -> bytes:
    """Return a report with one line changed as JSON."""
    lines = data.splitlines()
    at = chance.randrange(len(lines))
    lines[at] = write_json(mutate_structure(json.loads(lines[at]), chance), chance)
    return b"\n".join(lines) + b"\n"


# Lists and names ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def list_known() -> Mapping[str, bytes]:
    """Return lists of scenarios that are known to fail."""
    return {
        game: "".join(f"{one['id']}  # known\n" for one in items[:3]).encode() for game, items in list_corpus().items()
    }


def use_known(base: str, data: bytes, folder: Path) -> str:
    """Verify an honest program that is said to fail."""
    path = folder / "known"
    path.write_bytes(data)
    code = _verify_some(base, list_corpus()[base][:2], folder, "--known-failing", path)
    return ACCEPTED if code in (0, 1) else REFUSED


@lru_cache(maxsize=1)
def list_names() -> Mapping[str, bytes]:
    """Return names of rules in full, with all readings."""
    every = [choice for game in catalogue() for choice in spread(game)]
    return {str(one): f"{one}[{','.join(f'{key}={value}' for key, value in one.readings)}]".encode() for one in every}


def use_name(base: str, data: bytes, folder: Path) -> str:  # noqa: ARG001 - one signature for all kinds
    """Choose rules by a name, and find everything that it leaves open."""
    name = data.decode("utf-8", "surrogateescape")
    for choice in (choose(name), *spread(name)[:2]):
        assert choice.game in catalogue()
        assert choice.edition in book(choice.game).editions
    return ACCEPTED


def mutate_name(data: bytes, chance: Random) -> bytes:
    """Return a name with signs and words of it exchanged."""
    return mutate_expression(data.decode("utf-8", "replace"), chance).encode("utf-8", "surrogatepass")


TARGETS: tuple[FileTarget, ...] = (
    FileTarget("rules", 1800, list_rules, use_rules, own=(cost_rules,), kind=lambda base: base.partition(" ")[0]),
    FileTarget("folder", 900, list_sixth, use_folder),
    FileTarget("data", 900, list_data, use_data),
    FileTarget("chapters", 500, list_chapters, use_chapters, kind=lambda base: base.partition(":")[0]),
    # Whichever file is changed, the same folder is checked.
    FileTarget("translations", 80, list_translations, use_translation, kind=lambda base: ""),  # noqa: ARG005
    FileTarget("sources", 300, list_sources, use_sources),
    FileTarget("scenarios", 1100, list_scenarios, use_scenarios, kind=lambda base: base.partition("/")[0]),
    FileTarget("records", 500, list_records, use_record, kind=lambda base: base.rstrip("0123456789")),
    FileTarget("conduct", 500, list_conducts, use_conduct),
    FileTarget("obligations", 400, list_obligations, use_obligations),
    FileTarget("reports", 500, list_reports, use_report, structured=False, own=(mutate_report,) * 4),
    FileTarget("known", 120, list_known, use_known, structured=False),
    FileTarget("names", 400, list_names, use_name, structured=False, own=(mutate_name,)),
)
