"""A project that is written in another language than English says what one says that is translated into it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from brou import Words, book, choose, rules
from brou.chapters.variants import Variants
from brou.games.bundling import write_bundle
from brou.games.folder import find_language
from brou_tools.cli import main
from brou_tools.new.skeleton import list_skeleton_files

DUTCH = Path(__file__).parent / "dutch"
#: Texts of the prelude, which is the house's and stays in English.
SHARED = "says."


def write_translated(home: Path) -> Path:
    """Write a project in English that is translated into Dutch, and return its folder."""
    for name, text in list_skeleton_files("slagen").items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    shutil.copytree(DUTCH, home, dirs_exist_ok=True)
    return home


def write_native(home: Path) -> Path:
    """Write the same project with its own texts in Dutch, none beside them, and return its folder."""
    write_translated(home)
    maker = book("slagen", home).maker
    assert isinstance(maker, Variants)
    originals = maker.volume.list_texts()
    words = home / "games" / "slagen" / "words.nl.yaml"
    said = yaml.safe_load(words.read_text(encoding="utf-8"))
    for id_, text in said["words"].items():
        if not id_.startswith(SHARED):
            file = home / originals[id_].place.file
            written = file.read_text(encoding="utf-8")
            quoted = json.dumps(text, ensure_ascii=False)
            file.write_text(written.replace(f": {originals[id_]}", f": {quoted}", 1), encoding="utf-8")
    for part in ("words", "of"):
        said[part] = {id_: text for id_, text in said[part].items() if id_.startswith(SHARED)}
    words.write_text(yaml.safe_dump(said, allow_unicode=True), encoding="utf-8")
    first = home / "scenarios" / "slagen" / "first.yaml"
    told = first.with_name("first.nl.yaml")
    translated = yaml.safe_load(told.read_text(encoding="utf-8"))
    scenarios = [{**one, **translated[one["id"]]} for one in yaml.safe_load(first.read_text(encoding="utf-8"))]
    first.write_text(yaml.safe_dump(scenarios, allow_unicode=True, sort_keys=False), encoding="utf-8")
    told.unlink()
    file = home / "brou.toml"
    file.write_text(f'language = "nl"\n{file.read_text(encoding="utf-8")}', encoding="utf-8")
    return home


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project in English, with its translation."""
    return write_translated(tmp_path_factory.mktemp("translated"))


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project in Dutch."""
    return write_native(tmp_path_factory.mktemp("native"))


@pytest.fixture(autouse=True)
def _no_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.slow
def test_a_project_in_one_language_is_whole(native: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No text of it is missing in English, or in any other language."""
    assert main(["check", "--data", str(native)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["explain", "slagen.follow.suit#s3"],
        ["explain", "slagen.count.tricks"],
        ["show", "slagen.amb.01"],
        ["ambiguities", "slagen"],
        ["corpus", "list", "slagen"],
        ["verify", "--program", "mine"],
        ["verify", "--program", "lax"],
        ["prove", "slagen", "--afresh"],
        ["corpus", "coverage", "slagen"],
    ],
    ids=" ".join,
)
def test_a_command_says_the_same(
    words: list[str],
    native: Path,
    translated: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The language of a project is spoken where nobody names another."""
    said = []
    for home, lang in ((native, []), (translated, ["--lang", "nl"])):
        adapter = (home / "adapters" / "adapter.py").read_text(encoding="utf-8")
        (home / "adapters" / "lax.py").write_text(adapter.replace("led = trick[0][1]", "return hand"), encoding="utf-8")
        with (home / "brou.toml").open("a", encoding="utf-8") as file:
            if words[-1] == "lax":
                file.write('lax = ["python3", "adapters/lax.py"]\n')
        monkeypatch.chdir(home)
        ends = main([*words, *(lang if words[0] not in ("prove", "corpus") or words[1] == "list" else [])])
        said.append((ends, re.sub(r"first\.yaml:\d+:\d+", "first.yaml", capsys.readouterr().out)))

    assert said[0] == said[1]


def test_its_book_is_the_same(native: Path, translated: Path, tmp_path: Path) -> None:
    """Word for word, but for the terms of the glossary, which are found by the words of all languages."""
    books = []
    for home, lang in ((native, []), (translated, ["--lang", "nl"])):
        file = tmp_path / "boek.html"
        words = ["rulebook", "slagen", "--format", "html", "-o", str(file)]
        assert main([*words, "--data", str(home), *lang]) == 0
        made = re.sub(r'<a class="term"[^>]*>(.*?)</a>', r"\1", file.read_text(encoding="utf-8"))
        books.append(re.sub(r'(<div id="term-[^"]*">)?<p class="entry">.*?</p>\s*(</div>\s*)?', "", made))

    assert 'lang="nl"' in books[0]
    assert "Wie een kaart van de gevraagde kleur heeft, moet bekennen." in books[0]
    assert books[0] == books[1]


def test_its_own_texts_have_its_language(native: Path) -> None:
    """Those of the house's prelude are in English, with their translation."""
    game = rules("slagen", native)
    maker = book("slagen", native).maker
    assert isinstance(maker, Variants)
    texts = maker.volume.texts
    found = {id_: {*texts.find(id_, text)} for id_, text in maker.volume.list_texts().items()}

    shared = [langs for id_, langs in found.items() if id_.startswith(SHARED)]
    assert [langs for langs in shared if langs != {"en", "fr", "de", "nl"}] == []
    assert {*map(frozenset, found.values())} == {frozenset(("nl",)), *map(frozenset, shared)}
    assert Words(game, "fr", native).clause("slagen.play.02").startswith("Wie een kaart")


def test_a_bundle_remembers_its_language(native: Path, tmp_path: Path) -> None:
    """A game that is varied there is written as the project is."""
    file = tmp_path / "slagen.bundle"
    write_bundle(file, ["slagen"], native)

    assert (find_language(file), find_language(file, "prelude/tricks.yaml")) == ("nl", "en")
    game = rules("slagen[void=must-trump]", file)
    assert Words(game, "nl", file).clause("slagen.play.02").startswith("Wie een kaart")


def test_it_is_translated_into_english(native: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`brou words en` asks for what the project says, and for nothing of Brou or of its prelude."""
    home = shutil.copytree(native, tmp_path / "project")

    assert main(["words", "en", "--data", str(home)]) == 0
    assert not (home / "languages" / "en.yaml").exists()
    written = (home / "games" / "slagen" / "words.en.yaml").read_text(encoding="utf-8")
    assert '"Wie een kaart van de gevraagde kleur heeft, moet bekennen."' in written
    assert SHARED not in written
    capsys.readouterr()
    assert main(["words", "en", "--missing", "--data", str(home)]) == 1
    assert "games/slagen/words.en.yaml: play.02: Wie een kaart" in capsys.readouterr().out


@pytest.mark.slow
def test_a_language_that_nobody_describes_writes_as_english_does(native: Path, tmp_path: Path) -> None:
    """The project is usable from its first line on; what Brou says stands in English."""
    home = shutil.copytree(native, tmp_path / "project")
    shutil.rmtree(home / "languages")
    (home / "games" / "slagen" / "words.nl.yaml").unlink()

    assert main(["check", "--data", str(home)]) == 0
    words = Words(rules("slagen", home), "nl", home)
    assert (words.seat(2), words.number(-1234)) == ("seat 2", "\N{MINUS SIGN}1,234")


def test_another_language_in_the_file_is_read_anew(native: Path, tmp_path: Path) -> None:
    """A process that has read the texts in one language reads them in the other."""
    home = shutil.copytree(native, tmp_path / "project")
    maker = book("slagen", choose("slagen", home).project).maker
    assert isinstance(maker, Variants)
    (home / "brou.toml").write_text('language = "da"\n', encoding="utf-8")
    changed = book("slagen", choose("slagen", home).project).maker
    assert isinstance(changed, Variants)

    assert [one.volume.texts.find_language(one.volume.frame.title) for one in (maker, changed)] == ["nl", "da"]
