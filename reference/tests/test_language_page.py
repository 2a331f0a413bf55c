"""The page for who writes rules: its game plays, its examples fit, and it names every key, module and message."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import takewhile
from pathlib import Path

import pytest
import yaml

from brou import Invalid, Machine, State, glossary, rules
from brou.chance import Chance
from brou.chapters.notation import RuleKeys, StepForm, list_keys
from brou.chapters.prelude_notation import ModuleForm
from brou.chapters.reading import read_volume
from brou.chapters.rules import classify
from brou.chapters.schema import FORMS, make_schema
from brou.chapters.tokens import RefusalCode, Token
from brou.chapters.variants import Variants
from brou.check import check
from brou.compiler.playing import draw_act
from brou.errors import Fault
from brou.games.folder import list_files, read_file, root
from brou.language.builtins import BUILTINS
from brou.language.load import load_rules
from brou.language.node import Node
from brou.language.source import parse_yaml

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def list_named(page: str) -> set[str]:
    """Return what stands in backticks outside of fenced blocks."""
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.DOTALL | re.MULTILINE)
    return {" ".join(text.split()) for text in re.findall(r"`([^`]+)`", prose)}


NAMED = list_named(PAGE)
#: The page that has the keys of obligations.
PROOFS = (ROOT / "docs" / "proof.md").read_text(encoding="utf-8")
FRAME, CHAPTER, WORDS = (
    next(block for block in BLOCKS if block.startswith(f"format: {format_}\n"))
    for format_ in ("brou-game/2", "brou-chapter/2", "brou-words/2")
)
#: The clauses of a block that are not Duet's stand so in one of these files.
QUOTED = [
    path.read_text(encoding="utf-8")
    for folder, pattern in (
        (root(), "games/*/*.yaml"),
        (root(), "prelude/*.yaml"),
        (ROOT / "reference", "tests/dummy/*"),
    )
    for path in sorted(folder.glob(pattern))
]
#: The modules whose messages an author of chapters meets.
READERS = sorted((ROOT / "reference" / "brou" / "chapters").glob("*.py"))
#: Which argument of a call is the message.
RAISERS = {"refuse": 1, "Fault": 1}


def is_quoted(block: str) -> bool:
    """Say whether a block, or each clause of it, stands in a file of the repository as the page shows it."""
    parts = re.split(r"(?m)^(?=- clause: )", block)
    return all(any(part.strip("\n") in text for text in QUOTED) for part in parts if part.strip())


#: The blocks of clauses that are written for the game of the page.
ADDED = [block for block in BLOCKS if block.startswith("- clause:") and not is_quoted(block)]


def table(header: str) -> list[list[str]]:
    """Return the rows of the table of the page whose header begins so."""
    lines = takewhile(lambda line: line.startswith("|"), PAGE[PAGE.index(header) :].split("\n")[2:])
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def bare(cell: str) -> str:
    """Return what stands in the backticks that enclose a cell."""
    return cell.removeprefix("`").removesuffix("`")


def chapter_with(block: str) -> str:
    """Return the chapter of Duet with the clauses of a block, which go before those with the same ids."""
    ids = set(re.findall(r"(?m)^- clause: (\S+)", block))
    kept = [part for part in re.split(r"(?m)^(?=- clause: )", CHAPTER) if not ids & set(part.split()[2:3])]
    return "".join(kept).rstrip("\n") + "\n\n" + block


def chosen_readings(block: str) -> dict[str, list[str]]:
    """Return the keys of the open questions of a block with the values of their readings."""
    questions = [question for clause in yaml.safe_load(block) or [] for question in clause.get("open", [])]
    return {question["key"]: list(question["readings"]) for question in questions}


def write_duet(folder: Path, block: str = "", **files: str) -> Path:
    """Write Duet into a folder, with clauses of a block and with other files; return the folder."""
    game = folder / "games" / "duet"
    game.mkdir(parents=True, exist_ok=True)
    frame = FRAME
    for key, values in chosen_readings(block).items():
        frame = frame.replace("    readings:\n", f"    readings:\n      {key}: {values[0]}\n")
    (game / "game.yaml").write_text(frame, encoding="utf-8")
    (game / "10-duet.yaml").write_text(chapter_with(block) if block else CHAPTER, encoding="utf-8")
    for name, text in files.items():
        (game / f"{name.replace('_', '.')}.yaml").write_text(text, encoding="utf-8")
    return folder


def play_out(machine: Machine, seed: int) -> State:
    """Play a match at random, every invariant true throughout, and return its end."""
    chance, state = Chance(seed), machine.begin()
    while not machine.over(state):
        drawn = draw_act(machine, state, chance)
        assert drawn is not None
        after = machine.act(state, *drawn)
        assert isinstance(after, State), (drawn, after)
        assert machine.find_broken_invariants(after) == []
        state = after
    return state


@pytest.fixture(scope="module")
def duet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the game of the page."""
    return write_duet(tmp_path_factory.mktemp("duet"))


# The game -------------------------------------------------------------------------------------------------------------


def test_the_whole_game_is_short_and_without_fault(duet: Path) -> None:
    """The whole game has at most 175 lines, and a check of its folder finds nothing."""
    assert check(duet) == []
    assert len((FRAME + CHAPTER).splitlines()) <= 175


@pytest.mark.parametrize("name", ["duet", "duet[void=must-trump]", "duet[match_points=1]"])
def test_the_whole_game_plays_to_its_end(duet: Path, name: str) -> None:
    """Under each reading a match ends as soon as somebody has the points that the game asks for."""
    game = rules(name, duet)
    machine = Machine(game)
    for seed in range(5):
        points: object = machine.score(play_out(machine, seed))["points"]
        assert isinstance(points, list)
        assert max(points) >= game.params["target"].value > min(points)


def test_the_program_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It deals, exchanges nothing, and prints what may be played and why the other player may not."""
    (program,) = re.findall(r"^```{code-block} python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    write_duet(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "page.py", "exec"), {})  # noqa: S102 - the page is ours
    legal, refusals = capsys.readouterr().out.splitlines()

    assert len(ast.literal_eval(legal)["play"]) == 5
    assert "not_your_turn" in refusals


# Examples -------------------------------------------------------------------------------------------------------------


def test_clauses_of_the_games_are_quoted_and_others_fit() -> None:
    """Whatever is shown is of one of the two kinds, and there are both."""
    assert len(ADDED) == 5
    assert {block.split("\n")[0] for block in BLOCKS if block not in ADDED and is_quoted(block)} == {
        "- clause: over.01",
        "- clause: play.02",
        "- clause: five.01",
        "- clause: dummy.02",
        "- entry: trump(s)",
        "# A team has the points of the cards that it takes.",
    }
    assert len(ADDED) + 6 + 3 == len(BLOCKS)


@pytest.mark.parametrize("block", ADDED, ids=lambda block: str(block.split()[2]))
def test_clauses_for_the_game_fit_and_play(tmp_path: Path, block: str) -> None:
    """The game has no fault with them, under any reading, and plays to its end."""
    write_duet(tmp_path, block)

    assert check(tmp_path) == []
    for key, values in chosen_readings(block).items():
        for value in values:
            play_out(Machine(rules(f"duet[{key}={value}]", tmp_path)), 1)
    play_out(Machine(rules("duet", tmp_path)), 1)


def test_the_duty_of_the_page_binds_who_leads(tmp_path: Path) -> None:
    """With other cards in hand the jack of trumps is never to be led, and in the game as it was it is."""
    led = []
    for block in ("", next(block for block in ADDED if "play.04" in block)):
        machine = Machine(rules("duet", write_duet(tmp_path / f"with-{bool(block)}", block)))
        state = machine.begin()
        deck = ["JS", "KD", "AH", "KH", "JH", "AD", "AC", "JD", "AS", "KC", "JC", "KS"]
        for seat, act in ((0, {"deal": {"deck": deck, "packets": [5]}}), (1, {"exchange": []})):
            after = machine.act(state, seat, act)
            assert isinstance(after, State), after
            state = after
        led.append("JS" in str(machine.legal(state, 1)["play"]))

    assert led == [True, False]


def test_the_duty_of_the_page_without_its_exception_never_binds(tmp_path: Path) -> None:
    """What is told then is told on the page."""
    block = next(block for block in ADDED if "play.04" in block).partition("  rules:")[0]
    (fault,) = check(write_duet(tmp_path, block))

    assert fault.what in NAMED


def test_the_page_has_every_code_with_its_sentence() -> None:
    """The table of codes is that of the glossary, in its order."""
    rows = re.findall(r"^\| `(\w+)` \| (.+\.) \|$", PAGE, re.MULTILINE)
    said = {code: text.fields["en"].text for code, text in glossary().node.fields["codes"].fields.items()}

    assert dict(rows) == said
    assert [code for code, _ in rows] == list(said)


def test_the_words_of_the_page_bear_the_marks_of_the_english_texts(tmp_path: Path) -> None:
    """None of them is outdated; what the page leaves out is listed as missing."""
    folder = write_duet(tmp_path, words_fr=WORDS)
    volume = read_volume("duet", partial(list_files, folder), partial(read_file, folder))
    listed = [fault.what for fault in Variants(volume).find_outdated()]

    assert listed
    assert [what for what in listed if not what.endswith("is missing in 'fr'") and "says." not in what] == []


# Expressions and steps ------------------------------------------------------------------------------------------------


@cache
def made_rules(clauses: str = "") -> Node:
    """Return the rules that Duet amounts to, with further clauses."""
    files = {"games/duet/game.yaml": FRAME, "games/duet/10-duet.yaml": CHAPTER + "\n" + clauses}

    def read(path: str) -> Node:
        return parse_yaml(files[path], path) if path in files else read_file(root(), path)

    def list_all(pattern: str) -> list[str]:
        own = [path for path in files if Path(path).match(pattern)]
        return own or ([] if pattern.startswith("games/") else list_files(root(), pattern))

    variants = Variants.read("duet", list_all, read)
    edition, (readings, setups) = next(iter(variants.editions().items()))
    return variants.write_rules(edition, setups[0], readings)


def with_expression(text: str) -> Node:
    """Return Duet with an expression over a seat `me`, a player `p` and a card `c` in its view."""
    made = made_rules()
    probe = parse_yaml(f"{{each: p, in: players, show: {{each: c, in: pack, show: {text!r}}}}}", "<test>")
    view = Node({**made.fields["view"].fields, "probe": probe}, made.place)
    return Node({**made.fields, "view": view}, made.place)


def with_rule(keys: str) -> Node:
    """Return Duet with a rule, and with an effect and an event that it may name."""
    head = "- clause: probe.01\n  from: []\n  status: editor\n  text: A probe.\n"
    more = (
        "  rules:\n"
        "  - {rule: probe.01/effect, effect: next_deal, do: [{set: {turn: next(dealer)}}]}\n"
        "  - {rule: probe.01/handler, upon: 'gone(q, d)', do: [{add: {cut_at: 1}}]}\n"
        "  - {rule: probe.01/event, effect: 'lose(p, c)', do: [{happen: 'gone(p, c)'}]}\n"
    )
    return made_rules(head + keys + more)


@pytest.mark.parametrize("name", BUILTINS)
def test_every_built_in_has_its_row(name: str) -> None:
    """Every built-in has the row that its module writes."""
    assert BUILTINS[name].row in PAGE.splitlines()


def test_every_row_is_of_a_built_in() -> None:
    """No row of the table of built-ins is of anything else, and none stands twice."""
    assert sorted(bare(row[0]).split("(")[0] for row in table("| built-in |")) == sorted(BUILTINS)


@pytest.mark.parametrize("row", [*table("| form |"), *table("| built-in |")], ids=lambda row: bare(row[2]))
def test_expressions_load(row: list[str]) -> None:
    """Every expression of the tables can stand in Duet; those for parameters say what an act is chosen from."""
    expression = bare(row[2])
    if "for parameters only" not in row[1]:
        load_rules(with_expression(expression))
        return
    act = f"  act: probe(me, x)\n  in: play\n  takes: {{probed: {{in: {expression!r}}}}}\n  do: []\n"
    assert "probe" in load_rules(with_rule(act)).actions


@pytest.mark.parametrize("row", table("| refused: may be `None` |"), ids=lambda row: bare(row[0]))
def test_absent_values_are_refused_and_cured(row: list[str]) -> None:
    """What the page calls refused is refused because of None, and its cure loads."""
    with pytest.raises(Invalid, match="None"):
        load_rules(with_expression(bare(row[0])))

    load_rules(with_expression(bare(row[1])))


def test_every_step_has_a_row() -> None:
    """The table of steps has the keys of a step, and no others."""
    named = {name for row in table("| step |") for name in re.findall(r"`([a-z]+)`", row[0])}

    assert named | {"clause"} == set(list_keys(StepForm))


STEPS = [step for row in table("| step |") for step in re.findall(r"`(\{[^`]*\})`", row[1])]


@pytest.mark.parametrize("step", STEPS)
def test_steps_can_be_taken(step: str) -> None:
    """The examples of steps can stand in an act of Duet."""
    act = f"  act: probe(p, c)\n  in: play\n  takes: {{probed: 'hand[p]'}}\n  do:\n  - {step}\n"
    assert load_rules(with_rule(act)).actions["probe"].do


# Nothing is left out --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FORMS)
def test_every_key_is_named(kind: str, schema_keys: Callable[[object], set[str]]) -> None:
    """Every key that a file may have is named in backticks or stands in an example; those of proofs on their page."""
    examples = {key for block in BLOCKS for key in re.findall(r"([a-z]+):(?=\s)", block)}
    words = {word for text in NAMED for word in re.findall(r"[a-z]+", text)}
    schema = make_schema(FORMS[kind])
    proofs = {name: schema["$defs"].pop(name, {}) for name in ("ObligationForm", "PositionForm")}

    assert sorted(schema_keys(schema) - examples - words) == []
    assert (
        sorted(schema_keys(proofs) - {word for text in list_named(PROOFS) for word in re.findall(r"\w+", text)}) == []
    )


def test_every_kind_of_rule_has_a_row() -> None:
    """The table of rules has the keys that say of what kind a rule is, and no others."""
    named = {row[0].split(":")[0].removeprefix("`") for row in table("| rule | its keys |")}
    label = Token.at("probe.01")
    with pytest.raises(Invalid) as raised:
        classify(RuleKeys(code=RefusalCode.at("must_follow"), term=Token.at("x")), label, "probe.01", {})
    (fault,) = raised.value.faults

    assert named == set(fault.instead.removeprefix("write one of ").split(", "))


def modules() -> dict[str, ModuleForm]:
    """Return the modules of the prelude."""
    return dict(read_volume("brouc", partial(list_files, root()), partial(read_file, root())).modules)


def test_every_module_has_a_row() -> None:
    """The table has all modules of the prelude, and no others."""
    assert sorted(bare(row[0]) for row in table("| module |")) == sorted(modules())


@pytest.mark.parametrize("row", table("| module |"), ids=lambda row: bare(row[0]))
def test_a_row_has_all_that_a_module_takes_needs_and_gives(row: list[str]) -> None:
    """It names slots with defaults, what a game declares, and state, expressions, acts, effects, events and phases."""
    module = modules()[bare(row[0])]
    slots = [f"`{name}`{f' (`{module.defaults[name]}`)' if name in module.defaults else ''}" for name in module.takes]
    given = {heading for kept in (*module.places.values(), *module.keeps.values()) for heading in kept}
    given |= {*module.means, *module.numbers, *module.types}
    given |= {str(head) for rule in module.rules for head in (rule.act, rule.effect, rule.define, rule.phase) if head}
    text = (root() / "prelude" / f"{module.module}.yaml").read_text(encoding="utf-8")
    given |= {heading.strip('"') for heading in re.findall(r"happen: (\"[^\"]*\"|[^\n}]*)", text)}

    assert row[2] == ", ".join(slots)
    assert set(re.findall(r"`([^`]+)`", row[3])) == {name for names in module.needs for name in names.split(", ")}
    assert set(re.findall(r"`([^`]+)`", row[4])) == given


def messages() -> Iterator[str]:
    """Yield every message about chapters, with … for what is filled in; neighbours that are filled in are one."""
    for path in READERS:
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                yield from messages_in(function)


def messages_in(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the messages of a function, those too that it first gives a name."""
    named: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, []).append(node.value)
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISERS:
            for argument in node.args[RAISERS[node.func.id] :][:1]:
                texts = named.get(argument.id, []) if isinstance(argument, ast.Name) else [argument]
                yield from (re.sub("…( …)+", "…", text) for one in texts if (text := spell(one)).strip("… "))


def spell(message: ast.expr) -> str:
    """Return a text of a program with … for what is filled in, or nothing if it is none."""
    if isinstance(message, ast.Constant):
        return str(message.value)
    if isinstance(message, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in message.values)
    return ""


@pytest.mark.parametrize("message", sorted(set(messages())))
def test_every_message_is_explained(message: str) -> None:
    """Every message that an author of chapters may meet is named on the page."""
    assert message.replace("`", "") in {re.sub("…( …)+", "…", text) for text in NAMED}


def test_the_message_of_the_page_is_told(tmp_path: Path) -> None:
    """A misspelt key is told as the page shows it, line and column apart."""
    block = next(block for block in ADDED if "play.04" in block).replace("  when:", "  wehn:", 1)
    faults: list[Fault] = check(write_duet(tmp_path, block))
    (shown,) = re.findall(r"(?m)^    (games/duet/10-duet.yaml:.*)$", PAGE)

    assert [re.sub(r":\d+:\d+:", ":", str(fault)) for fault in faults] == [re.sub(r":\d+:\d+:", ":", shown)]


def test_any_reader_of_yaml_finds_the_same() -> None:
    """The commonest one finds in the examples what we find."""
    assert [yaml.safe_load(block) for block in BLOCKS] == [parse_yaml(block, "<page>").plain() for block in BLOCKS]
