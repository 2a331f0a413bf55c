"""The zoo: programs with one misreading each, and whether a verdict names what their authors have misread."""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from brou import book
from brou.language.schema import shape_faults
from brou.language.source import read
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Session
from brou_conformance.scenarios.corpus import clauses, games
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import verify

ROOM = Path(__file__).resolve().parents[1]
ZOO = ROOM / "zoo"
NODE = shutil.which("node")
#: What programs of a language are started with, and what they are built on.
STARTERS = {".py": sys.executable, ".mjs": NODE}
TWINS = {".py": ROOM / "adapters" / "python" / "adapter.py", ".mjs": ROOM / "adapters" / "javascript" / "adapter.mjs"}
#: Files of a folder that are no programs.
KEEPERS = {"twin.py"}
A_CLAUSE = re.compile(r"\b(auv|brou|brouc|brus|omb)\.[a-z]+\.\d")
#: The files of the JavaScript twin.
PROGRAMS = ("auvergne", "brou", "brusquembille", "hombre")


@dataclass(frozen=True, slots=True)
class Animal:
    """A program of the zoo, as its keeper describes it."""

    program: Path
    game: str
    edition: str
    misreads: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the file, from the folder of the zoo."""
        return self.program.relative_to(ZOO).as_posix()


def animals() -> list[Animal]:
    """Return all that is written in the list of the zoo."""
    found = []
    for node in read(ZOO / "zoo.yaml", "zoo.yaml").items:
        game = node.string("game")
        edition = node.string("edition") if "edition" in node.fields else next(iter(book(game).editions))
        misreads = tuple(item.text for item in node.fields["misreads"].items)
        found.append(Animal(ZOO / node.string("program"), game, edition, misreads))
    return found


ANIMALS = animals()
each = pytest.mark.parametrize("animal", ANIMALS, ids=lambda animal: animal.name)


def judged(program: Path, game: str = "") -> tuple[EditionRun, ...]:
    """Return what is found of a program's play of one game, or of all; skip where its language is missing.

    Which changes of the rules explain it is looked for only where it seems to follow other readings: the search takes
    longer than all else, and says nothing of verdict and blame where it has no readings to take back.
    """
    starter = STARTERS[program.suffix]
    if starter is None:
        pytest.skip("node is not installed")
    runs: tuple[EditionRun, ...] = ()
    for explains in (False, True):
        if not explains or any(run.inferred for run in runs):
            with Session(lambda: Child.start([starter, str(program)])) as session:
                report = verify(session, Selection(game), explains=explains)
            assert report.unusable is None
            runs = report.runs
    return runs


#: One animal of so many is judged whole in the ordinary run. The others guard the same against misreadings of other
#: clauses, in `make thorough`; each takes up to half a minute.
SHARE = 24


@pytest.mark.parametrize(
    "animal",
    [
        pytest.param(one, id=one.name, marks=pytest.mark.thorough if number % SHARE else pytest.mark.slow)
        for number, one in enumerate(ANIMALS)
    ],
)
def test_a_misreading_is_named_first(animal: Animal) -> None:
    """The program deviates, what its author has misread is the first clause named, and at most two others are."""
    run = next(run for run in judged(animal.program, animal.game) if run.edition == animal.edition)
    named = [blame.clause for blame in run.blamed]

    assert run.verdict is EditionVerdict.DEVIATES
    assert named[:1] in [[clause] for clause in animal.misreads]
    assert len(named) <= 3


@pytest.mark.slow
@pytest.mark.parametrize("program", TWINS.values(), ids=lambda program: program.name)
def test_the_right_twin_is_blamed_for_nothing(program: Path) -> None:
    """The programs that those of the zoo are built on conform, and no clause is named."""
    runs = judged(program)

    assert {(run.verdict, run.blamed) for run in runs} == {(EditionVerdict.FOLLOWS, ())}


# The list -------------------------------------------------------------------------------------------------------------


def test_the_list_has_the_shape_of_its_schema() -> None:
    """Every entry says which program, which game, what is misread, and how."""
    assert list(shape_faults(read(ZOO / "zoo.yaml", "zoo.yaml"), ZOO / "zoo.schema.json")) == []


def test_the_list_is_complete() -> None:
    """Every program of the zoo stands in the list once, in the folder of its game."""
    present = {path for path in ZOO.glob("*/*") if path.suffix in STARTERS and path.name not in KEEPERS}

    assert Counter(animal.program for animal in ANIMALS) == Counter(present)
    assert [animal.name for animal in ANIMALS if animal.program.parent.name != animal.game] == []


@each
def test_what_is_misread_is_a_clause(animal: Animal) -> None:
    """What must be named is a clause of the game."""
    assert set(animal.misreads) <= set(clauses(animal.game))


def test_no_other_answer_is_good_enough() -> None:
    """That one of two clauses may be named is the exception: it holds for one program in eight at most."""
    assert sum(len(animal.misreads) > 1 for animal in ANIMALS) * 8 <= len(ANIMALS)


def test_every_game_has_its_misreadings() -> None:
    """The two games that the suite began with have most, and none has fewer than five."""
    counts = Counter(animal.game for animal in ANIMALS)

    assert set(counts) == set(games())
    assert min(counts.values()) >= 5


def test_both_languages_are_there() -> None:
    """Neither language has more than two programs of three."""
    counts = Counter(animal.program.suffix for animal in ANIMALS)

    assert set(counts) == set(STARTERS)
    assert max(counts.values()) * 3 <= 2 * len(ANIMALS)


# The programs ---------------------------------------------------------------------------------------------------------


@each
def test_a_program_is_short_and_knows_nothing_of_its_clause(animal: Animal) -> None:
    """A program is a page of its author's own: at most sixty lines, without the id of a clause."""
    text = animal.program.read_text(encoding="utf-8")

    assert len(text.splitlines()) <= 60
    assert A_CLAUSE.search(text) is None


@each
def test_a_program_is_built_on_the_twin_alone(animal: Animal) -> None:
    """All that it imports is the program of the adapters, and what its language brings along."""
    text = animal.program.read_text(encoding="utf-8")
    if animal.program.suffix == ".py":
        imported = set(re.findall(r"^(?:from|import) ([\w.]+)", text, re.MULTILINE)) - {"collections.abc", "typing"}
        assert imported == {"twin"}
    else:
        imported = set(re.findall(r'from "(.*)";', text))
        programs = {f"../../adapters/javascript/{name}.mjs" for name in PROGRAMS}
        assert "../../adapters/javascript/serve.mjs" in imported
        assert len(imported & programs) == 1
        assert imported <= {*programs, "../../adapters/javascript/serve.mjs"}
