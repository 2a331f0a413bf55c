"""A fourth language: a project in Dutch, which no file of Brou knows, through every command that speaks to people."""

from __future__ import annotations

import html
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from brou import Fault, Node, Words, choose, glossary, root, rules
from brou.games.bundling import write_bundle
from brou.language.source import parse_yaml
from brou.words.languages import find_language_faults, list_texts
from brou_conformance.reports.sentences import Sentences
from brou_tools.check.command import find_project_faults
from brou_tools.cli import main
from brou_tools.new.skeleton import list_skeleton_files
from brou_tools.situation.parts import list_parts

DUTCH = Path(__file__).parent / "dutch"
RECORD = """
format: brou-record/1
rules: slagen@house:2
start: {dealer: 0}
deals:
- deal:
    hands:
      "0": [9H, TC, 9C, JD, TD]
      "1": [AC, KC, QC, JC, AD]
    turnup: AH
    stock: [KH, QH, JH, TH, AS, KS, QS, JS, TS, 9S, KD, QD, 9D]
  steps:
  - {play: ["1: AC TC", "1: KC 9C", "1: AD JD", "1: QC TD", "1: JC 9H"]}
  - {by: 0, act: {next: true}}
  written: {points: [1, 4]}
"""


def write_project(home: Path) -> Path:
    """Write the skeleton of a game into a folder, and return the folder."""
    for name, text in list_skeleton_files("slagen").items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    return home


@pytest.fixture(scope="module")
def dutch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project with its texts in Dutch."""
    home = write_project(tmp_path_factory.mktemp("dutch"))
    shutil.copytree(DUTCH, home, dirs_exist_ok=True)
    (home / "evening.yaml").write_text(RECORD, encoding="utf-8")
    return home


@pytest.mark.slow
def test_a_project_in_a_fourth_language_has_no_fault(dutch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its texts are whole; what Brou says and it does not stands in English, which is no fault."""
    assert main(["check", "--data", str(dutch)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["explain", "slagen.follow.suit#s3"],
            [
                "Plaats 2 speelt H♥: verboden",
                "Wie een kaart van de gevraagde kleur heeft, moet bekennen.",
                "nee  de kaart is van de gevraagde kleur",
                "Geen van de uitzonderingen geldt:",
                "Geen open lezing zou hier iets veranderen.",
            ],
        ),
        (
            ["explain", "slagen.count.tricks"],
            ["Waarom is de stand zoals hij is?", "kaartpunten van het spel, plaats 1"],
        ),
        (["score", "evening.yaml"], ["Spel 1", "ervoor", "erna", "Elke slag is één punt waard"]),
        (
            ["show", "slagen.amb.01"],
            ["Mag een speler die niet kan bekennen iets bijspelen", "die haar aanhalen", "Elke kaart mag"],
        ),
        (["show", "slagen.play.02"], ["toegevoegd door de redactie", "Wie de gevraagde kleur heeft, bekent"]),
        (["ambiguities", "slagen"], ["Slagen: wat de tekst openlaat", "De tafel spreekt een getal af van 1 tot 99."]),
        (["corpus", "show", "slagen.follow.suit"], ["Wie de gevraagde kleur heeft, bekent"]),
        (
            ["verify", "--program", "mine"],
            ["slagen volgt de uitgave.", "16 vragen, geen fout", "1 verwachting (void=must-trump)"],
        ),
        (["verify", "--smoke", "--program", "mine"], ["de adapter deugt", "een stelling toont alleen de kaarten"]),
    ],
    ids=lambda value: "-".join(value[:2]) if isinstance(value, list) and value[0].isascii() else "",
)
def test_every_command_speaks_it(
    dutch: Path,
    words: list[str],
    told: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sentences of Brou, texts of the game, names of cards and acts, plurals."""
    monkeypatch.chdir(dutch)

    assert main([*words, "--lang", "nl"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert [one for one in told if " ".join(one.split()) not in said] == []


@pytest.mark.slow
def test_a_verdict_against_a_program_is_in_the_language(dutch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the clause that the program breaks, and what both sides say."""
    adapter = (dutch / "adapters" / "adapter.py").read_text(encoding="utf-8")
    (dutch / "adapters" / "lax.py").write_text(adapter.replace("led = trick[0][1]", "return hand"), encoding="utf-8")

    program = [sys.executable, str(dutch / "adapters" / "lax.py")]
    assert main(["verify", "--data", str(dutch), "--lang", "nl", "--", *program]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "slagen wijkt af van de uitgave." in said
    assert "Het speelt slagen@house, maar „Wie een kaart van de gevraagde kleur heeft, moet bekennen.” geldt er" in said


@pytest.mark.slow
def test_differences_in_matches_are_in_the_language(dutch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures, question and answers; what the program plays instead, and why the rules refuse it."""
    adapter = (dutch / "adapters" / "adapter.py").read_text(encoding="utf-8")
    (dutch / "adapters" / "loose.py").write_text(adapter.replace("led = trick[0][1]", "return hand"), encoding="utf-8")

    program = [sys.executable, str(dutch / "adapters" / "loose.py")]
    assert main(["fuzz", "--data", str(dutch), "--lang", "nl", "-n", "4", "--", *program]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "slagen@house: 4 partijen" in said
    assert "het eerst gezien in" in said


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
@pytest.mark.parametrize("program", ["node", "faulty"])
def test_random_matches_in_spanish_have_no_english(
    program: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example in Spanish alone brings every sentence of this report as well."""
    monkeypatch.chdir(SPANISH)

    main(["fuzz", "-n", "8", "--program", program])
    said = " ".join(capsys.readouterr().out.split())
    assert "alcanzados: " in said
    assert [one for one in list_english() if one in said] == []


def test_the_book_is_in_the_language(dutch: Path, tmp_path: Path) -> None:
    """Its sentences, its rules, the words of the game, and what the page says of its language."""
    words = ["rulebook", "slagen", "--data", str(dutch), "--lang", "nl", "--format", "html", "-o"]

    assert main([*words, str(tmp_path / "boek.html")]) == 0
    book = (tmp_path / "boek.html").read_text(encoding="utf-8")
    assert 'lang="nl"' in book
    for one in (
        "Hoe dit boek te lezen",
        "Wie een kaart van de gevraagde kleur heeft",
        "klaveren",
        "Open vraag",
        "bekennen",
    ):
        assert one in book


@pytest.mark.slow
def test_all_languages_of_a_project_are_offered(dutch: Path, tmp_path: Path) -> None:
    """A site of all languages has one in Dutch, called as it calls itself."""
    assert main(["site", "--data", str(dutch), "--lang", "nl,en", "--brief", "-o", str(tmp_path)]) == 0
    assert "Nederlands" in (tmp_path / "en" / "index.html").read_text(encoding="utf-8")
    assert "De spellen" in (tmp_path / "nl" / "index.html").read_text(encoding="utf-8")


def test_what_a_language_lacks_stands_in_english(dutch: Path) -> None:
    """Sentence by sentence, and set as English is."""
    said = Sentences("nl", choose("slagen", dutch).project)

    assert said.word("verdicts", "follows") == "{name} volgt de uitgave."
    assert said.word("verdicts", "adapter") == "{name} could not be judged throughout."


NAMES = """\
format: brou-glossary/1
games:
  slagen:
    acts:
      play: {en: "lays {playing}", nl: "legt {playing}"}
      next: {en: writes the tricks down, nl: schrijft de slagen op}
    phases: {result: {nl: uitslag}}
    fields: {points: {en: tricks of the match, nl: slagen van de wedstrijd}}
"""


@pytest.mark.slow
def test_a_project_names_what_only_its_game_has(
    dutch: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In any language, without the other words of a glossary; a bundle of it has them, too."""
    home = shutil.copytree(dutch, tmp_path / "project")
    (home / "glossary.yaml").write_text(NAMES, encoding="utf-8")

    assert main(["check", "--data", str(home)]) == 0
    assert main(["explain", "slagen.follow.suit#s3", "--lang", "nl", "--data", str(home)]) == 0
    assert "Plaats 2 legt H♥: verboden" in capsys.readouterr().out
    write_bundle(tmp_path / "slagen.bundle", ["slagen"], home)
    for project in (home, tmp_path / "slagen.bundle"):
        told = Words(rules("slagen", project), "nl", project)
        assert told.act(1, {"next": True}) == "Plaats 1 schrijft de slagen op"
        assert (told.name("phases", "result"), told.name("fields", "points")) == ("uitslag", "slagen van de wedstrijd")
        assert told.name("fields", "dealer") == Words(rules("slagen", dutch), "nl", dutch).name("fields", "dealer")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("acts: {plya: {en: lays a card}}", "slagen has no 'plya' among its acts; write 'play'"),
        ('acts: {play: {en: "lays {card}"}}', "{card} names no parameter or attribute; there are playing"),
        ("figures: {points: {en: tricks}}", "unknown key 'figures'"),
    ],
)
def test_a_name_that_nothing_has_is_told(
    line: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the line, and with what may be named there."""
    home = write_project(tmp_path)
    (home / "glossary.yaml").write_text(f"format: brou-glossary/1\ngames:\n  slagen:\n    {line}\n", encoding="utf-8")

    assert main(["check", "--data", str(home)]) == 1
    said = capsys.readouterr().out
    assert told in said
    assert said.startswith("glossary.yaml:4:")
    assert f"     4 |     {line}" in said


# A house without English ---------------------------------------------------------------------------------------------


def keep_french(node: object) -> object:
    """Return a tree of texts with no language but French."""
    if isinstance(node, dict):
        spoken = {"fr"} if "fr" in node else {*node}
        return {key: keep_french(item) for key, item in node.items() if key in spoken}
    return node


@pytest.fixture
def french(tmp_path: Path) -> Path:
    """Return a project with a glossary of its own, which has all words in French and none in English."""
    home = write_project(tmp_path / "french")
    words = {**yaml.safe_load((root() / "glossary.yaml").read_text(encoding="utf-8")), "games": {}}
    whole = yaml.safe_dump(keep_french(words), allow_unicode=True, sort_keys=False)
    (home / "glossary.yaml").write_text(whole, encoding="utf-8")
    manifest = home / "brou.toml"
    manifest.write_text('language = "fr"\n' + manifest.read_text(encoding="utf-8"), encoding="utf-8")
    return home


@pytest.mark.slow
def test_a_glossary_without_english_is_whole(french: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cards have its words and signs, refusals and phrases too, and nobody asks for another language."""
    assert {*glossary(french).languages} == {"fr"}
    assert main(["explain", "slagen.follow.suit#s3", "--data", str(french)]) == 0
    said = capsys.readouterr().out
    assert "La place 2 joue R♥" in said
    assert "la carte est de la couleur demandée" in said
    assert main(["explain", "slagen.follow.suit#s3", "--lang", "en", "--data", str(french)]) == 2
    assert "unknown language 'en'; known: fr" in capsys.readouterr().err


@pytest.mark.slow
def test_a_glossary_without_english_lets_our_modules_be(french: Path) -> None:
    """Their texts in languages that the folder does not speak are no fault of its own."""
    told = [fault for fault in find_project_faults(choose("slagen", french).project) if not fault.is_lagging]

    assert {fault.place.file for fault in told} == {"games/slagen/10-rules.yaml"}
    assert {fault.what.split(" ", 1)[1] for fault in told} == {"without a plain space in a text in fr"}


@pytest.mark.slow
def test_a_glossary_without_english_takes_more_languages(french: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of one in which Brou is not are begun; English words for cards belong in the glossary itself."""
    assert main(["words", "en", "--data", str(french)]) == 2
    assert "name it among `languages` of glossary.yaml" in capsys.readouterr().err
    assert main(["words", "nl", "--data", str(french)]) == 0
    capsys.readouterr()
    assert main(["explain", "slagen.follow.suit#s3", "--lang", "nl", "--data", str(french)]) == 0
    assert "La place 2 joue R♥" in capsys.readouterr().out


# A report in one language --------------------------------------------------------------------------------------------

SPANISH = Path(__file__).parents[2] / "examples" / "brisca"


def list_english() -> set[str]:
    """Return what Brou says in English in reports and explanations, in parts of two words or more."""
    found = set()
    for part in ("reports", "glossary"):
        for _, text in list_texts(list_parts(SPANISH)[part]):
            english = text.fields["en"]
            for one in [item.text for item in english.items] if isinstance(english.value, tuple) else [english.text]:
                found |= {piece.strip() for piece in re.split(r"{[^}]*}", one)}
    return {one for one in found if " " in one and len(one) > 5 and one.isascii()}


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
@pytest.mark.parametrize("program", ["node", "faulty"])
def test_a_report_in_spanish_has_no_english(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example in Spanish alone brings every sentence: verdict, summary in Markdown, page and JUnit file."""
    monkeypatch.chdir(SPANISH)
    files = {kind: tmp_path / kind for kind in ("markdown", "html", "junit")}

    main(["verify", "--program", program, "--all", *(f"--{kind}={file}" for kind, file in files.items())])
    written = [capsys.readouterr().out, *(file.read_text(encoding="utf-8") for file in files.values())]
    texts = (re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL) for text in written)
    said = [" ".join(html.unescape(text).split()) for text in texts]
    assert "brisca.js" in said[0]
    assert [one for one in list_english() for text in said if one in text] == []


# The command ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_new_language_has_every_text_in_english(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of Brou and of the game; the project stays usable in it, in English throughout."""
    home = write_project(tmp_path)

    assert main(["words", "cs", "--data", str(home)]) == 0
    assert {"cs", "en", "fr", "de"} == {*glossary(home).languages}
    assert capsys.readouterr().out.startswith("languages/cs.yaml: ")
    assert main(["words", "cs", "--missing", "--data", str(home)]) == 1
    missing = capsys.readouterr().out.splitlines()
    parts = list_parts(home)
    texts = sum(1 for part in parts.values() for _ in list_texts(part))
    assert len([line for line in missing if line.startswith("languages/cs.yaml: ")]) == texts
    assert "games/slagen/words.cs.yaml: play.02: Whoever has a card of the suit led must follow suit." in missing
    assert main(["explain", "slagen.follow.suit#s3", "--lang", "cs", "--data", str(home)]) == 0
    assert "Seat 2 plays K♥: refused" in capsys.readouterr().out


@pytest.mark.slow
def test_a_language_that_is_begun_gets_what_it_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every line that is there stays, comments too, and nothing is added twice."""
    home = write_project(tmp_path)
    shutil.copytree(DUTCH, home, dirs_exist_ok=True)
    file = home / "languages" / "nl.yaml"
    before = file.read_text(encoding="utf-8").replace("reports:\n", "reports:  # verdicts\n")
    file.write_text(before, encoding="utf-8")

    assert main(["words", "nl", "--data", str(home)]) == 0
    after = file.read_text(encoding="utf-8").splitlines()
    capsys.readouterr()
    assert [line for line in before.splitlines() if line not in after] == []
    assert main(["check", "--data", str(home)]) == 0
    assert main(["words", "nl", "--data", str(home)]) == 0
    assert file.read_text(encoding="utf-8").splitlines() == after


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "en is what the project is written in"), ("Dutch", "a language cannot be called 'Dutch'")],
)
def test_what_is_no_new_language_is_refused(
    lang: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what to write instead."""
    assert main(["words", lang, "--data", str(write_project(tmp_path))]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_a_language_of_brou_needs_the_words_of_the_game_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What Brou says is there in French; what a project in English says is not."""
    home = write_project(tmp_path)

    assert main(["words", "fr", "--data", str(home)]) == 0
    assert capsys.readouterr().out.startswith("games/slagen/words.fr.yaml: ")
    assert not (home / "languages").exists()
    assert main(["words", "fr", "--missing", "--data", str(home)]) == 1
    assert {line.split(":")[0] for line in capsys.readouterr().out.splitlines()} == {"games/slagen/words.fr.yaml"}


def test_brou_itself_gets_no_language_from_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A language belongs to a project."""
    monkeypatch.chdir(tmp_path)

    assert main(["words", "nl"]) == 2
    assert "no project" in capsys.readouterr().err


# What does not fit ---------------------------------------------------------------------------------------------------

HEAD = """\
format: brou-language/1
language: nl
writes: {name: Nederlands, minus: "-", thousands: ".", grouped_from: 5, set: {}}
"""


@pytest.fixture
def faults(tmp_path: Path) -> Callable[[str], list[str]]:
    """Return what is wrong in a language file with some lines."""
    parts: dict[str, Node] = {
        "reports": parse_yaml(
            '{nouns: {case: {en: [case, cases]}}, verdicts: {follows: {en: "{name} follows."}}}', "<test>"
        )
    }

    def find(lines: str) -> list[str]:
        folder = write_project(tmp_path / "project")
        (folder / "languages").mkdir(exist_ok=True)
        (folder / "languages" / "nl.yaml").write_text(HEAD + lines, encoding="utf-8")
        found: list[Fault] = list(find_language_faults(folder, parts))
        return [fault.what for fault in found]

    return find


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ('reports: {verdicts/follows: {en: "{name} follows.", nl: "{naam} volgt."}}', "does not fit the English text"),
        (
            'reports: {verdicts/follows: {en: "{name} follows.", nl: "{name.__class__}"}}',
            "does not fit the English text",
        ),
        ('reports: {verdicts/follows: {en: "{name} follows.", nl: "{name} } volgt"}}', "does not fit the English text"),
        ('reports: {verdicts/follows: {en: "{name} follows.", nl: ""}}', "does not fit the English text"),
        (
            'reports: {verdicts/follows: {en: "{name} followed.", nl: "{name} volgt."}}',
            "made from another English text",
        ),
        ("reports: {nouns/case: {en: [case, cases], nl: [geval]}}", "not 2 forms of a noun"),
        ("reports: {verdict/follows: {en: a, nl: b}}", "no text of Brou is called 'verdict/follows'"),
    ],
)
def test_what_does_not_fit_is_told(faults: Callable[[str], list[str]], lines: str, what: str) -> None:
    """Other words in braces, an older English text, too few forms, a path that nothing has."""
    (told,) = faults(lines)

    assert what in told


def test_a_letter_of_another_pack_is_named_beside_the_pack(tmp_path: Path) -> None:
    """It is no text of Brou; that of another letter, which is called nearly the same, would be a wrong one."""
    folder = write_project(tmp_path / "project")
    (folder / "languages").mkdir(exist_ok=True)
    lines = "glossary: {suits/B/name: {en: batons, nl: knuppels}}"
    (folder / "languages" / "nl.yaml").write_text(HEAD + lines, encoding="utf-8")
    parts = {"glossary": parse_yaml("{suits: {S: {name: {en: spades}}}}", "<test>")}

    (fault,) = find_language_faults(folder, parts)
    assert "prelude/packs.NAME.yaml" in fault.instead


def test_what_is_missing_is_no_fault(faults: Callable[[str], list[str]]) -> None:
    """A text without a translation waits for one."""
    assert faults('reports: {verdicts/follows: {en: "{name} follows."}}') == []


def test_what_does_not_fit_is_not_used(dutch: Path, tmp_path: Path) -> None:
    """English stands there: a faulty language file ends no command."""
    home = tmp_path / "copy"
    shutil.copytree(dutch, home)
    file = home / "languages" / "nl.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("{name} volgt de uitgave.", "{naam} volgt {0.x}"), encoding="utf-8")

    assert Sentences("nl", choose("slagen", home).project).word("verdicts", "follows") == "{name} follows the edition."


def test_a_plural_may_have_more_forms_than_two(dutch: Path, tmp_path: Path) -> None:
    """Polish has three, by the last digits of the number."""
    home = tmp_path / "copy"
    shutil.copytree(dutch, home)
    (home / "languages" / "pl.yaml").write_text(
        "format: brou-language/1\nlanguage: pl\n"
        'writes: {name: polski, minus: "-", thousands: " ", grouped_from: 5, set: {},\n'
        '  plural: ["n = 1", "n % 10 = 2..4 and n % 100 != 12..14"]}\n'
        "reports: {nouns/case: {en: [case, cases], pl: [przypadek, przypadki, przypadków]}}\n",
        encoding="utf-8",
    )
    said = Sentences("pl", choose("slagen", home).project)

    assert [said.count(number, "case").split(" ")[-1] for number in (1, 2, 5, 12, 22, 112)] == [
        "przypadek",
        "przypadki",
        "przypadków",
        "przypadków",
        "przypadki",
        "przypadków",
    ]


def test_words_that_meet_become_one(dutch: Path, tmp_path: Path) -> None:
    """An article behind a preposition, only where a word begins."""
    home = tmp_path / "copy"
    shutil.copytree(dutch, home)
    (home / "languages" / "it.yaml").write_text(
        "format: brou-language/1\nlanguage: it\n"
        'writes: {name: italiano, minus: "-", thousands: ".", grouped_from: 5, set: {}, joins: {"di il ": "del "}}\n',
        encoding="utf-8",
    )
    typeset = glossary(home).languages["it"].typeset

    assert typeset("la mano di il giocatore, quindi il seme") == "la mano del giocatore, quindi il seme"


# Files that change ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_rules_by_name_are_those_of_the_present_files(tmp_path: Path) -> None:
    """One process reads a file again when it has changed; what it holds already stays as it was."""
    home = write_project(tmp_path)
    before = rules("slagen", home)
    file = home / "games" / "slagen" / "10-rules.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("{target: 15}", "{target: 21}"), encoding="utf-8")
    frame = home / "games" / "slagen" / "game.yaml"
    frame.write_text(
        frame.read_text(encoding="utf-8").replace("match_points: 15", "match_points: 21"), encoding="utf-8"
    )

    assert (before.params["target"].value, rules("slagen", home).params["target"].value) == (15, 21)


@pytest.mark.slow
def test_checking_twice_in_one_process_finds_a_new_fault_and_its_remedy(tmp_path: Path) -> None:
    """Also where only a language or a scenario has changed."""
    home = write_project(tmp_path)
    file = home / "scenarios" / "slagen" / "first.yaml"
    text = file.read_text(encoding="utf-8")
    project = choose("slagen", home).project
    found = [len(list(find_project_faults(project)))]
    for changed in (text.replace("points: [1, 4]", "points: [2, 3]"), text):
        file.write_text(changed, encoding="utf-8")
        found.append(len(list(find_project_faults(project))))

    assert found == [0, 1, 0]
