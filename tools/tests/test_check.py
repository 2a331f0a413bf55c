"""`brou check` looks at every file that it is given, by itself and in its folder, and says what it cannot look at."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from text_files import change

from brou import Fault, Place
from brou_tools.check.shown_line import show_line

ROOT = Path(__file__).parents[2]
GAME = "bower"
GOOD = {
    "conduct": "acts: {play: 2}\n",
    "witnesses": "witnesses: {bower.amb.01: [{pair: [free, stuck], harmless: It never parts them.}]}\n",
    "frequencies": "seed: 1\nfrequencies: {last_word: {parlour: {deals: 3, parted: 1}}}\n",
    "mutants": (
        "seed: 1\nall: {drawn: 1, invalid: 0, same: 0, scenarios: 1, obligations: 0, alive: 0}\n"
        "operators: {}\nsections: {}\nalive: []\n"
    ),
    "differences": (
        "old: brouc\nnew: bower\nrows:\n"
        "  f01: {topic: {en: a, fr: b, de: c}, old: [brouc.over.01], new: [bower.lead.01]}\n"
    ),
}
RECORD = "format: brou-record/1\nrules: brouc@2022\nstart: {dealer: 3, accounts: [0, 0]}\ndeals:\n"
RECORD += "- short: {trump: S, points: [60, 60]}\n"
POSITION = "format: brou-position/1\nrules: brouc@2022\nseat: 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of somebody's own game, with everything beside its rules that can stand there."""
    place = tmp_path / "own"
    shutil.copytree(ROOT / "conformance" / "tests" / "sixth", place)
    for kind, text in GOOD.items():
        (place / "games" / GAME / f"{kind}.yaml").write_text(f"format: brou-{kind}/1\ngame: {GAME}\n{text}", "utf-8")
    return place


def test_a_whole_folder_without_fault_is_passed_over_in_silence(
    folder: Path, told: Callable[[Path], list[str]]
) -> None:
    """A sound game with sound files beside it has nothing to tell."""
    assert told(folder) == []


def test_every_chapter_can_be_named_alone(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """A file of a game in chapters is looked at with its game, and has no fault where that has none."""
    files = sorted((folder / "games" / GAME).glob("*-*.yaml"))

    assert [line for path in (*files, folder / "games" / GAME / "game.yaml") for line in told(path)] == []


def test_a_chapter_tells_what_is_wrong_with_its_game(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """No chapter means anything without the others, so a fault of one is told of any."""
    first, *_, last = sorted((folder / "games" / GAME).glob("*-*.yaml"))
    change(first, "means:", "meens:")
    (found,) = told(last)

    assert found.startswith(f"{first}:")


@pytest.mark.parametrize("kind", GOOD)
def test_a_misshapen_file_beside_the_rules_is_told(folder: Path, told: Callable[[Path], list[str]], kind: str) -> None:
    """A key that no file of the kind has is a fault, in the folder and of the file by itself."""
    path = folder / "games" / GAME / f"{kind}.yaml"
    change(path, f"game: {GAME}\n", f"game: {GAME}\nnonsense: 1\n")
    (alone,) = told(path)
    what = alone.removeprefix(str(path))

    assert what.startswith(":3:1: unknown key 'nonsense'; leave it out")
    assert what.endswith(f"; see spec/schemas/{kind}.schema.json")
    assert told(folder) == [f"games/{GAME}/{kind}.yaml{what}"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("kind", "old", "new", "what"),
    [
        ("conduct", "play: 2", "plays: 2", "unknown action 'plays'"),
        ("conduct", "play: 2", "play: nobody", "unknown name 'nobody'"),
        ("witnesses", "bower.amb.01", "bower.amb.09", "unknown open passage 'bower.amb.09'"),
        ("witnesses", "free, stuck", "free, struck", "unknown value of last_word 'struck'"),
        ("frequencies", "last_word", "first_word", "unknown reading 'first_word'"),
        ("frequencies", "parlour", "salon", "unknown edition 'salon'"),
        ("frequencies", "parted: 1", "parted: 4", "4 of 3 deals"),
        ("differences", "old: brouc", "old: brock", "unknown game 'brock'"),
        ("differences", "brouc.over.01", "brouc.over.99", "unknown clause 'brouc.over.99'"),
        ("differences", "[bower.lead.01]", "[bower.led.01]", "unknown clause 'bower.led.01'"),
    ],
)
def test_what_is_named_beside_the_rules_must_be_there(
    folder: Path, told: Callable[[Path], list[str]], *, kind: str, old: str, new: str, what: str
) -> None:
    """Whoever names what the game does not have is told so at the place of the name, in the folder and by itself."""
    path = folder / "games" / GAME / f"{kind}.yaml"
    change(path, old, new)
    inside, alone = told(folder), told(path)

    assert [line for line in inside if f": {what}" in line and line.startswith(f"games/{GAME}/{kind}.yaml:")]
    assert [line.removeprefix(f"games/{GAME}/{kind}.yaml") for line in inside] == [
        line.removeprefix(str(path)) for line in alone
    ]


def test_a_file_of_another_kind_or_game_is_told(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """A file says of itself what its place says: the kind is its name, the game its folder."""
    place = folder / "games" / GAME
    change(place / "conduct.yaml", "brou-conduct/1", "brou-mutants/1")
    change(place / "witnesses.yaml", f"game: {GAME}", "game: brouc")

    assert told(folder) == [
        f"games/{GAME}/conduct.yaml:1:1: a file of the format brou-mutants/1; write brou-conduct/1, or rename it",
        (
            f"games/{GAME}/witnesses.yaml:2:7: this is about 'brouc', in the folder of 'bower'; "
            "name the game as its folder is called"
        ),
    ]


def test_a_file_that_nothing_reads_is_told(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """What has no known format, or stands where nothing looks for it, is no part of a silent check."""
    (folder / "games" / GAME / "notes.yaml").write_text("a: b\n", encoding="utf-8")
    (folder / "games" / "empty").mkdir()
    (folder / "games" / "empty" / "conduct.yaml").write_text("format: brou-conduct/1\n", encoding="utf-8")
    (folder / "more.yml").write_text("- {id: a}\n", encoding="utf-8")
    found = told(folder)

    assert [line.partition(":")[0] for line in found] == [
        *["games/bower/notes.yaml"],
        *["games/empty/conduct.yaml"] * (len(found) - 2),
        "more.yml",
    ]
    assert "no data file of a known format (none given)" in found[0]
    assert found[-1].endswith("scenarios are not read from a file that ends with .yml; name it .yaml")


def test_a_clause_that_is_stated_names_where(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """Who says that a text states a rule says which passage does."""
    change(folder / "games" / GAME / "40-play.yaml", "status: editor", "status: stated")
    (found,) = told(folder)

    assert found.startswith(f"games/{GAME}/40-play.yaml:")
    assert "is stated, and no passage is named that states it; anchor it in one" in found


def test_a_folder_with_nothing_in_it_is_told(tmp_path: Path, told: Callable[[Path], list[str]]) -> None:
    """Where there is nothing to check, that is a finding; files that hold no data make no difference."""
    (tmp_path / "README.md").write_text("# Nothing\n", encoding="utf-8")

    assert told(tmp_path) == [
        (
            f"{tmp_path}:1:1: nothing to check: no file of data lies here; "
            "name a file, or a folder with games/, scenarios, records or reports below it"
        )
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (RECORD, ""),
        (POSITION, ""),
        (RECORD.replace("brouc@2022", "brouc@1999"), ":2:8: unknown edition of brouc '1999'"),
        (POSITION.replace("brouc@2022", "whist"), ":2:8: unknown game 'whist'"),
        (RECORD.replace("deals:", "deal:"), ":4:1: unknown key 'deal'"),
        (RECORD + "- {id: '1', short: {points: [60, 60]}}\n", ":6:3: a second deal '1'; the first is at "),
        (
            POSITION + 'deal: {hands: {"0": [AS, AS]}}\n',
            ":4:26: AS lies here more often than the pack has it",
        ),
        (POSITION.replace("seat: 1", "seat: 99"), ":3:7: 99 is greater than the maximum of 15"),
    ],
)
def test_records_and_positions_are_looked_at(
    tmp_path: Path, told: Callable[[Path], list[str]], text: str, what: str
) -> None:
    """What comes from a real table has a shape and names rules, by itself and in a folder of its own."""
    path = tmp_path / "evening.yaml"
    path.write_text(text, encoding="utf-8")
    alone = told(path)

    assert any(line.startswith(f"{path}{what}") for line in alone) == bool(what)
    assert bool(alone) == bool(what)
    assert [line.removeprefix("evening.yaml") for line in told(tmp_path)] == [
        line.removeprefix(str(path)) for line in alone
    ]


def test_scenarios_are_found_at_any_depth(tmp_path: Path, told: Callable[[Path], list[str]]) -> None:
    """A folder that bears the name of a game holds its scenarios, wherever it lies, and may be named itself."""
    place = tmp_path / "mine" / "brouc"
    place.mkdir(parents=True)
    shutil.copy(ROOT / "conformance" / "scenarios" / "brouc" / "rank.yaml", place)
    change(place / "rank.yaml", "    brouc.rank.01: ", "    brouc.rank.99: ")
    above, within = told(tmp_path), told(place)

    assert ["unknown clause 'brouc.rank.99'" in line for line in (*above, *within)] == [True, True]
    assert above[0].startswith("mine/brouc/rank.yaml:")
    assert within[0].startswith("rank.yaml:")


def test_sound_scenarios_are_passed_over_in_silence(tmp_path: Path, told: Callable[[Path], list[str]]) -> None:
    """Scenarios of ours in somebody's folder have no fault there either."""
    (tmp_path / "mine" / "brouc").mkdir(parents=True)
    shutil.copy(ROOT / "conformance" / "scenarios" / "brouc" / "rank.yaml", tmp_path / "mine" / "brouc")

    assert told(tmp_path) == told(tmp_path / "mine" / "brouc") == []


def test_scenarios_of_a_game_in_the_folder_are_held_against_it(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """Scenarios beside a game of one's own are checked by its rules, not refused as those of an unknown game."""
    shutil.copytree(ROOT / "conformance" / "tests" / "sixth-scenarios", folder / "scenarios")
    change(folder / "scenarios" / GAME / "bowers.yaml", "bower.left.01: ", "bower.leff.01: ")

    assert ["unknown clause 'bower.leff.01'" in line for line in told(folder)] == [True]


def test_sound_scenarios_of_a_game_in_the_folder_are_passed_over(
    folder: Path, told: Callable[[Path], list[str]]
) -> None:
    """A game of one's own and its scenarios may lie in one folder."""
    shutil.copytree(ROOT / "conformance" / "tests" / "sixth-scenarios", folder / "scenarios")

    assert told(folder) == []


def test_translations_of_scenarios_are_looked_at(tmp_path: Path, told: Callable[[Path], list[str]]) -> None:
    """Alone, and in a folder with their scenarios, even where no scenarios lie beside them."""
    place = tmp_path / "mine" / "brouc"
    place.mkdir(parents=True)
    shutil.copy(ROOT / "conformance" / "scenarios" / "brouc" / "rank.yaml", place)
    (place / "rank.fr.yaml").write_text("brouc.rank.none:\n  title: a\n  because: b\n", "utf-8")
    (tmp_path / "other" / "brouc").mkdir(parents=True)
    (tmp_path / "other" / "brouc" / "lost.de.yaml").write_text("x:\n  title: a\n  because: b\n", "utf-8")
    alone, lost, both = (
        told(place / "rank.fr.yaml"),
        told(tmp_path / "other" / "brouc" / "lost.de.yaml"),
        told(tmp_path),
    )

    assert f"{place / 'rank.fr.yaml'}:2:3: rank.yaml has no scenario 'brouc.rank.none'" in "\n".join(alone)
    assert "there is no lost.yaml that it could be a translation of" in "\n".join(lost)
    assert len(both) == len(alone) + len(lost) == len({*both})
    assert "mine/brouc/rank.fr.yaml:2:3: rank.yaml has no scenario 'brouc.rank.none'" in "\n".join(both)


def test_data_of_another_format_may_be_called_like_a_translation(
    tmp_path: Path, told: Callable[[Path], list[str]]
) -> None:
    """What names its format is looked at as that."""
    (tmp_path / "evening.fr.yaml").write_text(RECORD, "utf-8")

    assert told(tmp_path) == told(tmp_path / "evening.fr.yaml") == []


def test_scenarios_of_an_unknown_game_are_not_passed_over(tmp_path: Path, told: Callable[[Path], list[str]]) -> None:
    """Of a scenario file of no game of ours the shape alone can be looked at, which is said."""
    (tmp_path / "whist").mkdir()
    path = tmp_path / "whist" / "rank.yaml"
    shutil.copy(ROOT / "conformance" / "scenarios" / "brouc" / "rank.yaml", path)

    assert told(path) == [
        (
            f"{path}:1:1: scenarios of 'whist', which is no game of ours: their shape alone was looked at; "
            "put them into a folder that bears the name of its game"
        )
    ]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the record of a short verification."""
    path = tmp_path_factory.mktemp("record") / "report.ndjson"
    command = [sys.executable, "-P", "-m", "brou_tools.cli", "verify", "-k", "brouc.rank", "--report", str(path)]
    program = [sys.executable, str(ROOT / "conformance" / "adapters" / "python" / "adapter.py")]
    subprocess.run([*command, "--", *program], capture_output=True, check=False)
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["report.ndjson", "report.txt"])
def test_reports_are_looked_at(tmp_path: Path, told: Callable[[Path], list[str]], recorded: bytes, name: str) -> None:
    """A whole record of `brou verify` is sound, whatever it is called; one that is cut off or damaged is told."""
    path = tmp_path / name
    path.write_bytes(recorded)
    assert told(path) == []

    lines = recorded.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    assert told(path) == [
        (
            f"{path}:{len(lines) - 1}:1: the record is cut off, or not as it was written; "
            "go on with it: brou verify --report FILE --resume"
        )
    ]

    path.write_bytes(b"".join([lines[0], b'{"kind": "case"}\n', *lines[2:]]))
    assert [line.partition(" ")[0] for line in told(path)] == [f"{path}:2:1:"]

    path.write_bytes(b"".join([*lines[:2], lines[2][:40] + b"\n", *lines[3:]]))
    assert told(path)[0].startswith(f"{path}:3:1: no JSON: ")


def test_reports_in_a_folder_are_looked_at(tmp_path: Path, told: Callable[[Path], list[str]], recorded: bytes) -> None:
    """In a folder records of `brou verify` are known by what they are called."""
    (tmp_path / "report.ndjson").write_bytes(recorded)
    assert told(tmp_path) == []

    (tmp_path / "report.ndjson").write_bytes(b"{}\n")
    assert len(told(tmp_path)) == 1


# Links, and names that are no text ------------------------------------------------------------------------------------

HIDDEN = "secret-word-of-somebody-else: true\n"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name",
    [
        *("games/bower/game.yaml", "games/bower/40-play.yaml", "games/bower/conduct.yaml", "games/bower/stray.yaml"),
        *("scenarios/bower/bowers.yaml", "scenarios/brouc/rank.yaml", "sources.yaml", "record.yaml"),
        "glossary.yaml",
    ],
)
def test_a_link_out_of_the_folder_is_refused_unread(folder: Path, told: Callable[[Path], list[str]], name: str) -> None:
    """A link that leads out of a folder is a fault, and nothing of what it leads to is shown."""
    outside = folder.parent / "outside.yaml"
    outside.write_text(HIDDEN, encoding="utf-8")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(outside)
    found = told(folder)

    assert f"{name}:1:1: a link that leads out of its folder; put the file itself there" in found
    assert "secret" not in "\n".join(found)


@pytest.mark.slow
def test_a_linked_folder_is_refused_unread(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """A link to a folder elsewhere is a fault as well."""
    (folder.parent / "outside").mkdir()
    (folder.parent / "outside" / "game.yaml").write_text(HIDDEN, encoding="utf-8")
    (folder / "games" / "linked").symlink_to(folder.parent / "outside", target_is_directory=True)
    found = told(folder)

    assert "games/linked:1:1: a link that leads out of its folder; put the folder itself there" in found
    assert "secret" not in "\n".join(found)


def test_a_link_within_the_folder_is_followed(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """Whoever keeps one text in two places of the same folder may."""
    place = folder / "games" / GAME
    (place / "conduct.yaml").rename(folder / "kept")
    (place / "conduct.yaml").symlink_to(folder / "kept")

    assert told(folder) == []


@pytest.mark.parametrize("target", ["nowhere.yaml", "conduct.yaml"])
def test_a_link_to_nothing_is_told(folder: Path, told: Callable[[Path], list[str]], target: str) -> None:
    """A link that leads nowhere, or to itself, is no absent file."""
    path = folder / "games" / GAME / "conduct.yaml"
    path.unlink()
    path.symlink_to(target)

    assert [line.partition(": cannot be read")[0] for line in told(folder)] == [f"games/{GAME}/conduct.yaml:1:1"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_waited_for(folder: Path, told: Callable[[Path], list[str]]) -> None:
    """A pipe with the name of a file of data is refused; to read it would wait for ever."""
    os.mkfifo(folder / "games" / GAME / "stray.yaml")

    assert told(folder) == [f"games/{GAME}/stray.yaml:1:1: no plain file; name a file of text"]


#: A locale that knows ASCII alone, as in a bare container.
ASCII = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="names are text there")
@pytest.mark.parametrize("surroundings", [{}, ASCII], ids=["utf-8", "ascii"])
def test_names_that_are_no_text_are_shown_escaped(tmp_path: Path, surroundings: dict[str, str]) -> None:
    """Folders and files may be called anything; what cannot be shown stands escaped in the messages."""
    odd = os.fsencode(tmp_path) + b"/d\xfc\x1br"
    place = odd + b"/brouc"
    Path(os.fsdecode(place)).mkdir(parents=True)
    whole = (ROOT / "conformance" / "scenarios" / "brouc" / "rank.yaml").read_bytes()
    Path(os.fsdecode(place + b"/r\xe4nk.yaml")).write_bytes(whole)
    Path(os.fsdecode(place + b"/\xf6.yaml")).write_bytes(b"[\n")

    def said(*command: str | bytes) -> tuple[int, str, str]:
        line = [sys.executable, "-P", "-m", "brou_tools.cli", *command]
        done = subprocess.run(line, capture_output=True, check=False, env={**os.environ, **surroundings})
        return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")

    fault = "brouc/\\xf6.yaml:2:1: no YAML: ".replace("\\xf6", "\\udcf6")
    code, out, _ = said("check", odd)
    assert (code, out.startswith(fault)) == (1, True)
    code, out, _ = said("check", place + b"/\xf6.yaml")
    assert (code, "/d\\udcfc\\x1br/brouc/\\udcf6.yaml:2:1: no YAML: " in out) == (1, True)
    code, _, err = said("corpus", "list", "--scenarios", odd)
    assert (code, err.startswith(f"brou: {fault}")) == (2, True)

    Path(os.fsdecode(place + b"/\xf6.yaml")).unlink()
    assert said("check", odd) == (0, "", "")
    assert said("check", place + b"/r\xe4nk.yaml") == (0, "", "")
    assert said("corpus", "list", "--scenarios", odd)[0] == 0
    assert said("draw", "card", "AS", "-o", odd + b"/\xfc.svg")[0] == 0
    assert said("check", odd + b"/\xfc.svg.yaml")[::2] == (
        2,
        f"brou: {tmp_path}/d\\udcfc\\x1br/\\udcfc.svg.yaml: no such file or folder; name one that is there\n",
    )


#: Prints which files below a folder are read in looking for the faults of a game that these are not said to rest on.
READING = """
import sys
from pathlib import Path
from brou import house
from brou.check import _game_faults, game_files
from brou.games.folder import root
from brou_conformance.scenarios.corpus import corpus_root
from brou_tools.check.scenario_faults import _scenario_faults
from brou_tools.check.side_files import _LOOKS, _find_faults, _rest_on

game, opened = sys.argv[1], set()
sys.addaudithook(lambda event, args: opened.add(str(args[0])) if event == "open" else None)

def surplus(made_of):
    below = {path for path in opened if path.endswith((".yaml", ".json")) and Path(path).is_file()}
    print(*sorted(below - {str(path) for path in made_of}))
    print(len(below), file=sys.stderr)
    opened.clear()

list(_game_faults(game, root()))
surplus(game_files(game, root()))
for kind in _LOOKS:
    list(_find_faults(kind, game, root()))
    surplus(_rest_on(kind, game, root()))
list(_scenario_faults(game, house()))
surplus([*game_files(game, root()), *(corpus_root() / game).glob("*.yaml")])
"""


@pytest.mark.slow
def test_faults_rest_on_no_other_files() -> None:
    """Whatever is read in looking for the faults of a game is among the files by which they are remembered."""
    command = [sys.executable, "-P", "-c", READING, "brusquembille"]
    done = subprocess.run(command, env={**os.environ, "BROU_CACHE": "off"}, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
    assert any(int(count) > 10 for count in done.stderr.split())


@pytest.mark.slow
def test_of_a_long_line_only_the_place_is_shown(tmp_path: Path) -> None:
    """A line that is one word of half a megabyte is cut, whether its place is quoted or not, and so is its mark."""
    (tmp_path / "long.yaml").write_text("key: " + "x" * 500_000, encoding="utf-8")
    place = Place("long.yaml", 1, 6)
    quoted = Fault(place, f"'{'x' * 500_000}' is no card", "name a card")

    for fault in (quoted, Fault(place, "this is no card", "name a card")):
        line, mark = show_line(fault, [tmp_path])
        assert len(line) < 120
        assert mark.count("^") == len(mark.strip(" |")) > 40
        assert len(mark) <= len(line)
