"""The projects under `examples/` work for somebody who has installed the wheel and has no checkout."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest
import yaml

from installed import make_environment, run_command

EXAMPLES = Path(__file__).parents[2] / "examples"
#: Each project with its programs; one called `faulty` has a mistake planted in it.
PROJECTS = {
    path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))["programs"]
    for path in sorted(EXAMPLES.glob("*/brou.toml"))
}
#: The language of each book. Where a game has no words of its own, it is English.
LANGUAGES = {
    name: [path.suffixes[-2].removeprefix(".") for path in (EXAMPLES / name).glob("games/*/words.*.yaml")] or ["en"]
    for name in PROJECTS
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """Return a folder with an environment that has the wheel, and the projects beside it."""
    folder = tmp_path_factory.mktemp("examples")
    make_environment(folder)
    done = run_command("pip install brou", folder, wheel)
    assert done.returncode == 0, done.stderr
    for name in PROJECTS:
        shutil.copytree(EXAMPLES / name, folder / name)
    return folder


@pytest.mark.sampled(4)
@pytest.mark.parametrize("project", PROJECTS)
def test_nothing_is_wrong_with_it(project: str, away: Path, wheel: Path) -> None:
    """`brou check` says nothing, and every chapter stands in the one form."""
    checked = run_command("brou check", away, wheel, project)
    assert (checked.returncode, checked.stdout) == (0, ""), checked.stdout + checked.stderr

    formatted = run_command("brou fmt --check games", away, wheel, project)
    assert formatted.returncode == 0, formatted.stdout


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("project", "program"), [(one, name) for one, all_ in PROJECTS.items() for name in all_])
def test_its_programs_are_judged(project: str, program: str, away: Path, wheel: Path) -> None:
    """`brou verify` finds a mistake where one was planted, and none elsewhere."""
    runtime = PROJECTS[project][program][0]
    if shutil.which(runtime) is None:
        pytest.skip(f"there is no {runtime}")
    done = run_command(f"brou verify --program {program} --lang en --start-timeout 120", away, wheel, project)

    is_faulty = program == "faulty"
    assert done.returncode == is_faulty, done.stdout + done.stderr
    assert ("deviates" if is_faulty else "follows the edition") in done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("project", PROJECTS)
def test_its_job_on_github_is_green(project: str, away: Path, wheel: Path) -> None:
    """Every command of it but the installation, one after the other, writes a summary and ends well.

    What its commands do is tested above and below for one project in so many.
    """
    job = yaml.safe_load((EXAMPLES / project / ".github" / "workflows" / "rules.yml").read_text(encoding="utf-8"))
    steps = job["jobs"]["brou"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    runtime = next(words[0] for name, words in PROJECTS[project].items() if name != "faulty")
    if shutil.which(runtime) is None:
        pytest.skip(f"there is no {runtime}")
    summary = away / f"{project}.md"

    assert any(f"setup-{runtime}@" in step.get("uses", "") for step in steps)
    assert commands.pop(0).startswith("pip install")
    for command in commands:
        told = command.replace("$GITHUB_STEP_SUMMARY", str(summary))
        done = run_command(told, away, wheel, project)
        assert done.returncode == 0, f"{told}\n{done.stdout}{done.stderr}"
    assert f"{project}@" in summary.read_text(encoding="utf-8")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("project", PROJECTS)
def test_it_is_played_and_printed(project: str, away: Path, wheel: Path) -> None:
    """Random matches come to an end, and there is a book in each language that the game speaks."""
    (game,) = (path.name for path in (EXAMPLES / project / "games").iterdir())
    played = run_command(f"brou simulate {game} -n 1", away, wheel, project)

    assert played.returncode == 0, played.stderr
    assert "1 match" in played.stdout
    for language in LANGUAGES[project]:
        book = f"{game}-{language}.html"
        done = run_command(f"brou rulebook {game} --lang {language} --format html -o {book}", away, wheel, project)
        assert done.returncode == 0, done.stdout + done.stderr
        assert f'lang="{language}"' in (away / project / book).read_text(encoding="utf-8")


def test_a_book_is_written_in_polish(away: Path, wheel: Path) -> None:
    """A project brings a language that the wheel does not have: rules, headings, cards and figures of its book."""
    done = run_command("brou rulebook tysiac --lang pl --format html -o polski.html", away, wheel, "tysiac")
    assert done.returncode == 0, done.stdout + done.stderr
    book = (away / "tysiac" / "polski.html").read_text(encoding="utf-8")

    written = [
        "Lewę bierze najwyższy atut",  # a rule
        "Meldunki i rozgrywka",  # the title of a chapter
        "Spis treści",  # a heading of Brou
        "zagrywa W♥",  # an act, and a card by its index
        "Niedozwolone",  # what an example comes to
        "Zgłoszenie, że podejmie się gry.",  # a word of the game
    ]
    assert [text for text in written if text not in book] == []
    assert [text for text in ("Contents", "Open question", "Refused", "Words of the game") if text in book] == []


@pytest.mark.thorough
def test_a_verdict_is_written_in_polish(away: Path, wheel: Path) -> None:
    """Nouns stand behind numbers in the form that Polish wants."""
    if shutil.which("go") is None:
        pytest.skip("there is no go")
    done = run_command("brou verify --program faulty --start-timeout 120 --lang pl", away, wheel, "tysiac")

    assert done.returncode == 1, done.stdout + done.stderr
    assert "odbiega od tego wydania" in done.stdout
    assert "16 przypadków: 13 przechodzi, 3 nie przechodzą." in done.stdout


@pytest.mark.sampled(3)
@pytest.mark.parametrize("project", PROJECTS)
def test_its_own_tests_pass(project: str, away: Path, wheel: Path) -> None:
    """The oracle that was written first plays random deals as the rules do."""
    done = run_command("python -m pytest -q -p no:cacheprovider", away, wheel, project)

    assert done.returncode == 0, done.stdout + done.stderr
