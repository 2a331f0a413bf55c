"""What the first pages promise is so: README, the pages of `docs/` that open it, and the papers beside README.

Other tests hold their links, commands, examples and output (`test_house.py`, `test_first_verdict.py`,
`test_tutorial.py`), and what a release is made of (`test_papers.py`).
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from brou import Impossible, Node, book, catalogue, choose, read, rules
from brou_conformance.portable.errata import read_errata
from brou_conformance.programs.containment import is_contained
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_tools.cli import COMMANDS, main
from brou_tools.verify.first_verdict import examples
from verdict_picture import ADAPTER

ROOT = Path(__file__).parents[2]
SPEC, DOCS, ADAPTERS = ROOT / "spec", ROOT / "docs", ROOT / "conformance" / "adapters"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
README, CONTRIBUTING, PROMISES = ROOT / "README.md", ROOT / "CONTRIBUTING.md", DOCS / "promises.md"
#: Pages that are followed line by line.
FOLLOWED = [DOCS / "tutorial.md", DOCS / "first-game.md"]
FROZEN = ROOT / "conformance" / "tests" / "frozen"
#: What Python has declared since 0.2, room by room.
DECLARED = json.loads((FROZEN / "interface-0.2.json").read_text(encoding="utf-8"))
#: Which keys a file of each format had in 0.2, schema by schema.
FORMATS = json.loads((FROZEN / "formats-0.2.json").read_text(encoding="utf-8"))
TEXTS = os.environ.get("BROU_SOURCES", "")
#: A run of so many words is taken from somebody.
RUN = 9


def told(path: Path) -> str:
    """Return the text of a page, each paragraph in one line."""
    return re.sub(r"(?<=\S)\n *(?=\S)", " ", path.read_text(encoding="utf-8"))


def recipe(target: str) -> tuple[set[str], str]:
    """Return what a target of the Makefile needs, and the commands that make it."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(rf"^{target}:([^#\n]*).*\n((?:\t.*\n)*)", makefile, re.MULTILINE)
    assert found, target
    return set(found[1].split()), found[2]


def frame(game: str) -> Node:
    """Return the file that holds the chapters of a game together."""
    return read(SPEC / "games" / game / "game.yaml")


def runs(text: str) -> set[tuple[str, ...]]:
    """Return every run of nine words of a text."""
    words = re.findall(r"[\w'\u2019]+", text.lower())
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


# The games -----------------------------------------------------------------------------------------------------------


def test_the_first_page_counts_the_games() -> None:
    """It says of how many games there are rules."""
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven")

    assert f"rules of {numbers[len(catalogue())]} historical card games" in told(README)


@pytest.mark.parametrize("page", [README, DOCS / "index.md"], ids=lambda page: page.name)
@pytest.mark.parametrize("game", catalogue())
def test_a_first_page_names_every_game(page: Path, game: str) -> None:
    """By its title."""
    assert frame(game).string("title") in told(page)


@pytest.mark.parametrize("game", catalogue())
def test_the_first_page_names_every_edition(game: str) -> None:
    """By its year or its name."""
    (line,) = re.findall(r"^The games: .*", told(README), re.MULTILINE)

    assert [one for one in book(game).editions if one.rpartition("-")[2] not in line.lower()] == []


@pytest.mark.parametrize("game", catalogue())
def test_every_reading_can_be_chosen(game: str) -> None:
    """Each value of an open question, but for what cannot stand beside the other values of an edition."""
    data, other = book(game), 0
    for edition in data.editions.values():
        for key, value in ((one, value) for one in edition.readings for value in data.readings[one].values):
            with suppress(Impossible):
                chosen = dict(choose(f"{game}@{edition.id}[{key}={value}]").readings)
                other += chosen != dict(edition.readings)
                assert chosen[key] == value

    assert other


def test_deals_in_short_form_are_those_of_the_brou_games() -> None:
    """No other game has entries for what a deal came to."""
    assert {game for game in catalogue() if rules(game).summary} == {"brouc", "homme-de-brou"}


def test_every_clause_cites_its_source() -> None:
    """What it comes from stands beside it, or that the source is silent, with the passages that are."""
    chapters = [path for path in (SPEC / "games").glob("*/[0-9]*.yaml") if "clauses" in read(path).fields]
    clauses = [clause for path in chapters for clause in read(path).fields["clauses"].items]

    assert len(clauses) > 300
    assert [clause.string("clause") for clause in clauses if not clause.fields["from"].value] == []


@pytest.mark.parametrize("game", catalogue())
def test_no_run_of_nine_words_is_that_of_a_source(game: str) -> None:
    """The sources are not ours; where they are at hand, all files of a game are compared with them."""
    if not TEXTS:
        pytest.skip("the texts are not at hand; BROU_SOURCES=DIR names the directory of the *.txt files")
    theirs = set().union(*(runs(path.read_text(encoding="utf-8")) for path in Path(TEXTS).glob("*.txt")))
    ours = {path.name: runs(path.read_text(encoding="utf-8")) for path in (SPEC / "games" / game).rglob("*.yaml")}

    assert theirs
    assert {name: found & theirs for name, found in ours.items() if found & theirs} == {}


# To install ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [README, CONTRIBUTING, DOCS / "tutorial.md"], ids=lambda page: page.name)
def test_the_python_that_is_needed_is_told(page: Path) -> None:
    """The version is that which the package demands."""
    assert f"Python {PROJECT['requires-python'].removeprefix('>=')} or later" in told(page)


@pytest.mark.parametrize(
    ("extra", "package"), [("books", "typst"), ("prove", "z3-solver"), ("sign", "cryptography")], ids=str
)
def test_an_extra_brings_what_it_is_named_for(extra: str, package: str) -> None:
    """The books what prints them, the solver and the signatures."""
    assert package in {re.split(r"[<>=]", one)[0] for one in EXTRAS[extra]}


def test_the_licence_is_that_of_the_package() -> None:
    """README names it, LICENSE is its text, and the package says the same."""
    named = PROJECT["license"]

    assert f"[{named} licence](LICENSE)" in told(README)
    assert f"[{named} licence](LICENSE)" in told(CONTRIBUTING)
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith(f"{named} License\n")


# The commands --------------------------------------------------------------------------------------------------------


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Each begins a line of `brou --help`."""
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = set(re.findall(r"^ +([a-z]+)\b", capsys.readouterr().out, re.MULTILINE))

    assert set(COMMANDS) - listed == set()


def test_the_book_of_the_first_page_has_as_many_pages() -> None:
    """Twelve, and one of them has a deal; that the print has as many is tested with the book."""
    pages = [page.string("id") for page in read(SPEC / "games" / "brouc" / "players.yaml").fields["pages"].items]

    assert len(pages) == 12
    assert "`brou rulebook brouc --lang en` makes a book of twelve small pages with a whole deal" in told(README)
    assert "sample" in pages


@pytest.mark.slow
def test_the_explanation_of_the_first_page_names_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    """The card is refused, and a clause says why; `brou show` tells the source of that one."""
    (example,) = re.findall(r"`brou (explain [^`]+)`", told(README))
    (clause,) = re.findall(r"`brou (show [^`.]+\.[^`]+)`", told(README))
    assert main([*example.split(), "--lang", "en"]) == 0
    answer = capsys.readouterr().out
    assert main([*clause.split(), "--lang", "en"]) == 0

    assert ": refused [" in answer
    assert f"[{clause.split()[1]}]" in answer
    assert "\nSource\n" in capsys.readouterr().out


def test_one_example_program_has_a_mistake_and_it_is_that_of_the_picture() -> None:
    """All others conform, and README shows what is said of each."""
    programs = {str(one.folder.relative_to(ADAPTERS)): one for one in examples(ADAPTERS)}
    shown = re.findall(r"^(\S+): exit \d$", README.read_text(encoding="utf-8"), re.MULTILINE)
    wrong = [name for name, one in programs.items() if one.verdict is EditionVerdict.DEVIATES]

    assert sorted(shown) == sorted(programs)
    assert [ADAPTERS / name / "adapter.py" for name in wrong] == [ADAPTER]


def test_programs_are_confined_on_linux_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere nobody claims that they are."""
    monkeypatch.setattr("sys.platform", "darwin")

    assert not is_contained.__wrapped__()


# The rooms -----------------------------------------------------------------------------------------------------------


def test_a_room_holds_the_package_that_the_first_page_names() -> None:
    """And its first page is there."""
    rows = re.findall(
        r"^\| \[(\w+)\]\(\1/README\.md\) \|.*\| (?:`(\w+)`)? ?\|$", README.read_text("utf-8"), re.MULTILINE
    )

    assert [room for room, _ in rows] == ["spec", "reference", "conformance", "tools", "docs"]
    assert {room: package for room, package in rows if package} == {
        path.parents[1].name: path.parent.name
        for path in ROOT.glob("*/*/__init__.py")
        if path.parents[1].name in {"reference", "conformance", "tools"} and path.parent.name.startswith("brou")
    }


# What `make` does ----------------------------------------------------------------------------------------------------


def test_whatever_is_made_installs_first_what_it_needs() -> None:
    """Each target that uses the environment makes it."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.findall(r"^([a-z]+):", makefile, re.MULTILINE)

    assert [
        name
        for name in named
        if "$(BIN)" in recipe(name)[1] and not {"$(READY)", "wheel", "build/docs/index.html"} & recipe(name)[0]
    ] == []


@pytest.mark.parametrize(
    ("target", "left_out"), [("test", "not thorough"), ("quick", "not slow and not thorough"), ("thorough", "thorough")]
)
def test_make_runs_the_tests_that_it_is_told_to(target: str, left_out: str) -> None:
    """All but the longest, those of a moment, and the longest."""
    assert f"-m {left_out}\n" in recipe(target)[1].replace('"', "")


def test_make_thorough_adds_what_is_compared_at_random() -> None:
    """Agreement, identity, fairness and fuzzing, as the first page says."""
    (told_,) = re.findall(r"^\| `make thorough` \| (.*) \|$", README.read_text(encoding="utf-8"), re.MULTILINE)

    assert "$(MAKE) agree identity fairness fuzz\n" in recipe("thorough")[1]
    assert [word for word in ("agreement", "identity", "fairness", "fuzzing") if word not in told_] == []


@pytest.mark.parametrize(
    "part",
    [
        *("ruff format --check", "ruff check", "mypy", "lint-imports", "test_prose.py"),
        *("brou fmt --check", "brou check", "sphinx-build -q -W"),
    ],
)
def test_make_check_looks_at_what_is_promised(part: str) -> None:
    """Format, lint, types, imports, prose, data and pages."""
    assert part in recipe("check")[1]


def test_make_format_writes_code_and_chapters() -> None:
    """Both in their standard format."""
    assert "ruff format $(CODE)" in recipe("format")[1]
    assert "brou fmt $(CHAPTERS)" in recipe("format")[1]


def test_make_proofs_asks_two_solvers_of_the_brou_games() -> None:
    """Everything afresh."""
    assert "brou prove brouc homme-de-brou --second --slow --afresh" in recipe("proofs")[1]


def test_make_fuzz_feeds_ten_thousand(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Unless another number is named, as its help says."""
    monkeypatch.setattr("sys.argv", ["fuzzing", "--help"])
    with pytest.raises(SystemExit):
        import_module("fuzzing.__main__").main()

    assert "so many inputs (10000)" in capsys.readouterr().out
    assert "feeds ten thousand mutated files" in told(CONTRIBUTING)


def test_make_takes_another_python() -> None:
    """What the command line sets stands instead of the default."""
    assert re.search(r"^PYTHON \?= ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_a_release_is_a_wheel_an_archive_and_a_list_of_components() -> None:
    """All of them in `dist`."""
    assert recipe("release")[0] >= {"wheel", "components"}
    assert "--sdist" in recipe("release")[1]
    assert "--wheel" in recipe("wheel")[1]
    assert "dist/" in recipe("components")[1]


def test_the_changelog_has_a_section_for_what_comes() -> None:
    """It stands above the releases, of which the last is the present version."""
    heads = re.findall(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert heads[0] == "Unreleased" or heads[0] == PROJECT["version"]
    assert PROJECT["version"] in heads[:2]


# Pages that are followed ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", FOLLOWED, ids=lambda page: page.stem)
def test_no_command_of_a_tutorial_is_passed_over(page: Path) -> None:
    """Whatever a reader types stands where the test of the page looks for it, behind a dollar."""
    blocks = re.findall(r"^```(\S+)[^\n]*\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)

    assert [body for kind, body in blocks if kind == "console" and not body.startswith("$ ")] == []
    assert {kind for kind, _ in blocks} & {"bash", "sh", "shell"} == set()


# Promises ------------------------------------------------------------------------------------------------------------


def excerpts() -> Iterator[Any]:
    """Yield the entries of errata that the page of promises shows."""
    for shown in re.findall(r"^```yaml\n(.*?)^```", PROMISES.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        yield from yaml.safe_load(shown)


def test_the_entry_that_is_shown_is_one_of_the_errata() -> None:
    """Word by word."""
    entries = yaml.safe_load((SPEC / "errata.yaml").read_text(encoding="utf-8"))["entries"]

    assert list(excerpts())
    assert [one for one in excerpts() if one not in entries] == []


def test_the_day_of_the_first_index_is_told() -> None:
    """The page and the errata name the same."""
    day = str(read_errata().index)

    assert f"is the first index, of {day}:" in told(PROMISES)


def test_a_name_that_was_given_up_is_not_used_again() -> None:
    """No entry gives a meaning to an id after one that took it away."""
    gone: set[tuple[str, str]] = set()
    again = []
    for entry in yaml.safe_load((SPEC / "errata.yaml").read_text(encoding="utf-8"))["entries"]:
        kinds = {
            kind: ids for kind, ids in entry.items() if kind not in {"passage", "instead"} and isinstance(ids, dict)
        }
        for kind, id_, meaning in ((kind, *one) for kind, ids in kinds.items() for one in ids.items()):
            again += [id_] if meaning is not None and (kind, id_) in gone else []
            gone |= {(kind, id_)} if meaning is None else set()

    assert again == []


def test_schemas_that_are_promised_are_published() -> None:
    """The page of promises names two."""
    named = re.findall(r"schema `(\w+)`", told(PROMISES))

    assert named
    assert [one for one in named if not list(ROOT.glob(f"*/*/schemas/{one}.schema.json"))] == []


@pytest.mark.parametrize("room", DECLARED)
def test_no_name_of_python_has_gone_since_the_last_release(room: str) -> None:
    """What 0.2 declared is declared until 0.3."""
    assert PROJECT["version"].startswith("0.2."), "freeze the names of this minor version"
    assert set(DECLARED[room].split()) - set(import_module(room).__all__) == set()


@pytest.mark.parametrize("place", FORMATS, ids=lambda place: Path(place).name.partition(".")[0])
def test_a_format_keeps_its_keys(place: str) -> None:
    """Its files go on being read: a key may be added where the schema is open; else the format has another number."""
    then, now = FORMATS[place], json.loads((ROOT / place).read_text(encoding="utf-8"))
    if now["properties"]["format"].get("const") != then["format"]:
        return

    assert set(then["keys"].split()) - now["properties"].keys() == set()
    assert then["open"] or now["properties"].keys() <= set(then["keys"].split())
    assert set(now["required"]) <= set(then["required"].split())
