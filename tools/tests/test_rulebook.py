"""Rulebooks: every rule with its note, in every language, the same whenever made, readable by eye and by ear."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes

from brou import book, catalogue, choose, house, rules
from brou.interpreter.evaluate import Evaluator
from brou.language.source import read
from brou.language.tree import And, Call, Expression, If, LocalUse, Or, is_true
from brou.language.types import Bool
from brou.language.unparse import unparse_expression
from brou.reasons.pattern import plain
from brou.reasons.reasoner import Reasoner
from brou.words.glossary import glossary
from brou_conformance.scenarios import corpus
from brou_tools.cli import main
from brou_tools.documents.nodes import cite, drawing, note, panel, rule
from brou_tools.new.skeleton import list_skeleton_files
from brou_tools.questions.register import Frequency, frequencies, interval
from brou_tools.rulebook import frequencies as often
from brou_tools.rulebook import printing
from brou_tools.rulebook.compose import compose
from brou_tools.rulebook.conditions import lines
from brou_tools.rulebook.html_writer import page
from brou_tools.rulebook.players import has_players_book
from brou_tools.situation import edition
from brou_tools.situation.edition import Matter
from brou_tools.situation.panels import Boxes
from printed import FONTS, document, fonts, lacking, letters, printed

LANGUAGES = tuple(glossary().languages)
#: The book that is looked at in every language; the others are looked at where their pages are.
GAME = "brusquembille"
SECONDS = 10
#: What only an expression of the rules has.
RAW = re.compile(r"==|!=|>=|<=|\bNone\b|\bTrue\b|\bFalse\b|[{}\[\]]|\w\(|[a-z]_[a-z]")
EVERY = [f"{game}@{edition}" for game in catalogue() for edition in book(game).editions]


# What stands in a book ------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_a_note_has_the_year_of_the_work_that_was_read(name: str) -> None:
    """No note gives a page of our day the year of the old book that it rests on."""
    matter = Matter(choose(name), "en")
    olds = {
        original.string("year")
        for id_ in matter.printed
        for source in matter.sources(id_)
        if (original := source.work.get("original")) is not None
    }
    told = [one.astext() for one in compose(choose(name), "en").findall(note)]

    assert told
    assert not [one for one in told for year in olds if year and f"({year})" in one]


def test_what_is_equal_in_an_older_game_has_not_changed() -> None:
    """Both make a partie of as many points, so the table is silent on it; what differs most stands first."""
    made = compose(choose("brouc@2022"), "en")
    (since,) = (one for one in made.findall(nodes.section) if "since" in one["ids"])
    rows = [[cell.astext() for cell in row.findall(nodes.entry)] for row in since.findall(nodes.row)][1:]

    assert rows[0][0] == "Playing a trump"
    assert all(there != here for _, there, here in rows)
    assert not any("Points that make a partie" in row[0] for row in rows)


# Beyond the book that `test_rulebook_pages.py` reads it guards another game in each language.
@pytest.mark.thorough
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_question_and_note_is_printed(lang: str) -> None:
    """Nothing is lost between the data and the page."""
    assert lacking(GAME, lang) == []


@pytest.mark.parametrize("game", catalogue())
def test_a_chapter_follows_the_order_of_its_groups(game: str) -> None:
    """What is named first in the layout is read first, whatever the order of the file."""
    matter = Matter(choose(game), "en")
    laid = {node.string("id"): node for node in matter.layout.fields["chapters"].items}
    for chapter in matter.chapters:
        groups = [part.text for part in laid[chapter.id].fields["groups"].items]
        parts = [id_.partition(".")[2] for id_ in chapter.clauses]
        placed = [groups.index(part if part in groups else part.rpartition(".")[0]) for part in parts]
        assert placed == sorted(placed), chapter.id


@pytest.mark.slow
def test_works_that_readings_rest_on_are_among_the_sources() -> None:
    """With the word that they have no authority over the text."""
    matter = Matter(choose("hombre"), "en")
    told = document("hombre", "en").astext()

    for work in matter.layout.fields["consulted"].items:
        assert matter.set(matter.works[work.text].string("title")) in told
    assert told.count(matter.say("outside_source")) == len(matter.layout.fields["consulted"].items)


@pytest.mark.slow
def test_a_book_without_sources_has_no_heading_for_them(tmp_path: Path) -> None:
    """The rules of a new project rest on no text; those of the house do."""
    for name, content in list_skeleton_files("duet").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    books = (compose(choose("duet", tmp_path), "en"), document(GAME, "en"))

    assert ["sources" in {id_ for part in one.findall(nodes.section) for id_ in part["ids"]} for one in books] == [
        False,
        True,
    ]


@pytest.mark.slow
def test_a_word_that_another_game_uses_otherwise_is_not_explained() -> None:
    """The homme of Homme de Brou is not the man who plays alone."""
    told = [entry.astext() for entry in document("homme-de-brou", "en").findall() if "entry" in classes(entry)]

    assert told
    assert not any(one.startswith(("man ", "hombre ")) for one in told)


def classes(node: nodes.Node) -> list[str]:
    """Return the classes of a node, none of a text."""
    return list(node["classes"]) if isinstance(node, nodes.Element) else []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_clause_of_an_edition_is_in_its_book(lang: str) -> None:
    """Each once."""
    found = [item["clause"] for item in document(GAME, lang).findall(rule)]
    assert sorted(found) == sorted(corpus.clauses(GAME).keys() & set(found))
    assert len(found) == len(Matter(choose(GAME), lang).clauses)


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_letter_has_a_shape_and_its_font_is_in_the_file(lang: str) -> None:
    """No font of the machine is used, and no letter is a box."""
    assert letters(GAME, lang).undefined == []
    assert all(name.startswith(FONTS) for name in fonts(GAME, lang))


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_left_unfilled(lang: str) -> None:
    """No question marks in place of words, no names in braces, nothing of the program's own."""
    text = document(GAME, lang).astext()

    assert "??" not in letters(GAME, lang).text
    assert not re.search(r"[{}]|: None\b|\bTrue\b|\bFalse\b", text)


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_picture_has_words(lang: str) -> None:
    """Those who cannot see it are told; the file says that it is made for them, and in which language."""
    catalog: Any = printed(GAME, lang).trailer["/Root"]

    assert all(found["picture"].words.strip() for found in document(GAME, lang).findall(drawing))
    assert catalog["/MarkInfo"]["/Marked"]
    assert b"pdfuaid" in catalog["/Metadata"].get_object().get_data()
    assert catalog["/Lang"] == lang


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_reader_shows_the_title_of_the_book(lang: str) -> None:
    """Game and edition, in place of the name of the file."""
    head, reader = document(GAME, lang).attributes, printed(GAME, lang)
    catalog: Any = reader.trailer["/Root"]

    assert reader.metadata is not None
    assert reader.metadata.title == f"{head['title']}. {head['subtitle']}"
    assert catalog["/ViewerPreferences"]["/DisplayDocTitle"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_chapter_has_a_bookmark(lang: str) -> None:
    """In the order of the book."""
    titles = [part.children[0].astext() for part in document(GAME, lang).findall(nodes.section)]
    assert [str(mark["/Title"]) for mark in printed(GAME, lang).outline if isinstance(mark, dict)] == titles


def test_french_keeps_its_spaces() -> None:
    """No line may end before a mark of two parts or inside guillemets."""
    text = document(GAME, "fr").astext()

    assert re.findall(r".{9}[ a-zé][;:!?»](?=\s)", text) == []
    assert "« " not in text


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_quotation_marks_are_those_of_the_language(lang: str) -> None:
    """None is straight, none is another language's."""
    foreign = {"en": "„«»", "fr": "„“”", "de": "”«»"}[lang]
    assert not set(document(GAME, lang).astext()) & {*foreign, '"', "'"}


def test_a_book_without_a_date_has_none() -> None:
    """With one it is printed, and nothing else changes."""
    dated = compose(choose(GAME), "en", "2026-02-03")

    assert "/CreationDate" not in (printed(GAME, "en").metadata or {})
    assert set(dated.astext().split("\n")) - set(document(GAME, "en").astext().split("\n")) == {"Date: 2026-02-03"}


@pytest.mark.slow
def test_the_same_book_is_the_same_bytes() -> None:
    """In print and as a page, whenever it is made."""
    again = compose(choose(GAME), "de")

    assert printing.pdf(again) == printing.pdf(document(GAME, "de"))
    assert page(again) == page(document(GAME, "de"))


@pytest.mark.slow
def test_numbers_come_from_the_rules() -> None:
    """Another reading, another number in the text of the rule and in the colophon."""
    choice = choose(f"{GAME}[tours=7]")
    told = {item["clause"]: item.astext() for item in compose(choice, "en").findall(rule)}
    before = {item["clause"]: item.astext() for item in document(GAME, "en").findall(rule)}

    changed = {id_ for id_, text in told.items() if text != before[id_]}
    assert changed == {"brus.tour.01"}
    assert "7" in told["brus.tour.01"]


# The page ---------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_holds_everything_that_the_print_holds(lang: str) -> None:
    """Every rule, each note with a way there and back, every picture with its words, and no other file."""
    doctree = document(GAME, lang)
    html = page(doctree)

    assert all(f'id="{item["clause"]}"' in html for item in doctree.findall(rule))
    count = len(list(doctree.findall(note)))
    assert all(html.count(f'{mark}-{number}"') == 2 for mark in ("note", "call") for number in range(1, count + 1))
    assert len(re.findall(r'<svg [^>]*aria-label="[^"]', html)) == len(list(doctree.findall(drawing)))
    assert not re.search(r'(src|href)="(?!#)', html)


def test_every_link_of_the_page_leads_somewhere() -> None:
    """Within the page."""
    html = page(document(GAME, "en"))
    assert set(re.findall(r'href="#([^"]*)"', html)) <= set(re.findall(r' id="([^"]*)"', html))


# The data ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_layouts_name_what_there_is(name: str) -> None:
    """Every clause has a chapter, every example is a scenario of some edition, every table is in the rules."""
    matter = Matter(choose(name), "en")
    scenarios = {one.id for one in corpus.scenarios(matter.choice.game)}

    assert {id_ for chapter in matter.chapters for id_ in chapter.clauses} == matter.printed
    assert {id_ for chapter in matter.chapters for id_, _ in chapter.examples} <= scenarios
    assert {id_ for chapter in matter.chapters for id_, _ in chapter.tables} <= set(matter.game.tables)
    assert set(matter.summary) <= matter.printed
    wanted = matter.layout.get("summary_tables")
    named = [] if wanted is None else [item.text for item in wanted.items]
    assert named == [id_ for id_, _ in matter.summary_tables]


def find_exceptions(names: set[str], matter: Matter) -> set[str]:
    """Return the exceptions that conditions with these names speak of, and those of these."""
    found = names & matter.exceptions
    inner = {name for one in found for name in re.findall(r"\w+", unparse_expression(matter.game.functions[one].body))}
    return found | (find_exceptions(inner - names, matter) if inner - names else set())


@pytest.mark.parametrize("name", EVERY)
def test_every_table_is_told_whole(name: str) -> None:
    """Every row in the words of every language, none as it stands in the rules, and a line for each exception.

    Of chapters, values with exceptions become tables too; those that the book does not print need no words.
    """
    for lang in LANGUAGES:
        matter = Matter(choose(name), lang)
        printed = {id_ for chapter in matter.chapters for id_, _ in chapter.tables}
        for table in matter.game.tables.values():
            found = lines(table, matter)
            if not found and table.id not in printed and not isinstance(table.type, Bool):
                continue
            said = {word for row in table.rows if row.when for word in re.findall(r"\w+", unparse_expression(row.when))}
            assert len(found) == len(table.rows) + len(find_exceptions(said, matter)), table.id
            assert all(line.when and line.then and line.clause for line in found)
            assert not [line for line in found if RAW.search(f"{line.when} {line.then}")]


@pytest.mark.parametrize("name", EVERY)
def test_no_two_lines_of_a_table_are_told_alike(name: str) -> None:
    """What fires in different cases is not called the same."""
    for lang in LANGUAGES:
        matter = Matter(choose(name), lang)
        for table in matter.game.tables.values():
            told = [line.when for line in lines(table, matter)]
            assert len(set(told)) == len(told), (table.id, lang)


@pytest.mark.parametrize("name", EVERY)
def test_every_condition_of_a_table_has_words(name: str) -> None:
    """So that an act can be explained at any moment without an expression of the rules."""
    reasoner = Reasoner(Evaluator(rules(choose(name))))
    bare = [
        (table.id, row.id, part)
        for table in reasoner.game.tables.values()
        for row in table.rows
        if row.when is not None and not is_true(row.when)
        for part in wordless(row.when, reasoner)
    ]
    assert bare == []


def wordless(condition: Expression, reasoner: Reasoner) -> Iterator[str]:
    """Yield every part of a condition that the data has no words for."""
    part, _ = plain(condition)
    spoken = reasoner.find_texts(part)
    function = reasoner.game.functions.get(part.name) if isinstance(part, Call) else None
    if spoken is not None and (spoken.say or spoken.deny):
        return
    if isinstance(part, (And, Or, If)):
        for inner in part.conditions if isinstance(part, (And, Or)) else (part.then, part.other):
            yield from wordless(inner, reasoner)
    elif function is not None:
        yield from wordless(function.body, reasoner)
    elif isinstance(part, Call):
        for row in reasoner.game.tables[part.name].rows:
            yield from () if row.when is None else wordless(row.when, reasoner)
    elif not isinstance(part, LocalUse) or part.name not in reasoner.answers:
        yield unparse_expression(part)


def test_an_inherited_rule_names_what_stands_instead() -> None:
    """Where an edition has a clause of its own for the same thing, and nowhere else."""
    found = {
        one["clause"]: [part.astext() for part in one.findall(cite)]
        for one in document("homme-d-auvergne@1725", "en").findall(rule)
    }

    assert {id_: own for id_, own in found.items() if own} == {
        "auv.equip.02": ["auv.1725.01"],
        "auv.turn.01": ["auv.1725.02"],
        "auv.king.02": ["auv.1725.03"],
        "auv.score.02": ["auv.1725.04"],
        "auv.game.01": ["auv.1725.05"],
    }


@pytest.mark.slow
def test_a_note_says_once_what_its_passages_have_in_common() -> None:
    """A run of paragraphs by the first and the last of them."""
    told = {
        one["clause"]: next(one.findall(note)).astext() for one in document("homme-de-brou@1802", "en").findall(rule)
    }

    assert "introduction, ¶ 2–7" in told["brou.hist.02"]  # noqa: RUF001
    assert "§ 1, ¶ 1, 2." in told["brou.equip.02"]


def test_an_example_tells_what_it_is_played_with() -> None:
    """If that is not what the edition follows."""
    told = {
        found["name"]: found.astext()
        for found in document("homme-de-brou@1802", "en").findall(panel)
        if found["kind"] == "example"
    }

    assert [id_ for id_, words in told.items() if "Agreed here" in words] == ["brou.match.to-ten"]
    assert "Agreed here: How many parties make a match? 10." in told["brou.match.to-ten"]


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_every_book_has_examples_in_its_main_chapters(name: str) -> None:
    """Of the deal, of the play and of what it comes to, in every edition."""
    boxes = Boxes(Matter(choose(name), "en"))
    shown = {
        chapter.id
        for chapter in boxes.matter.chapters
        if any(boxes.example(id_, title) is not None for id_, title in chapter.examples)
    }
    assert "play" in shown
    assert shown & {"deal", "turning"}
    assert shown & {"counting", "result"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_how_often_it_matters_is_told(lang: str) -> None:
    """Of every question that has been counted, in words with bounds."""
    for game in catalogue():
        matter = Matter(choose(game), lang)
        counted = [
            key
            for key, found in frequencies(game, house()).items()
            if any(one.edition == matter.choice.edition for one in found)
        ]
        told = {key: often.tell_frequency(matter, key) for key in counted}
        assert all(re.fullmatch(r"[^{}]+\d[^{}]*\.", text) for text in told.values()), told


def test_a_share_is_told_in_the_round_number_that_shows_it() -> None:
    """Of a hundred where a hundred is enough, of more where it is seldom, with its bounds beside it."""
    matter = Matter(choose(GAME), "en")

    assert often.tell_count(matter, frequency(30, 1000)).startswith(
        "The readings differ in about 3 of 100 random deals"
    )
    assert "about 4 of 1,000" in often.tell_count(matter, frequency(16, 4000))
    assert "not differ in any of 200 random deals (less than once in 53 deals)" in often.tell_count(
        matter, frequency(0, 200)
    )
    assert "about 11 of 1,000" in often.tell_count(matter, frequency(113, 10000)), (
        "bounds that would be the same number"
    )
    assert "(less than once in 26,000 deals)" in often.tell_count(matter, frequency(0, 100_000))
    assert "(less than once in 2,600,000 deals)" in often.tell_count(matter, frequency(0, 10_000_000))
    assert "in every one of 34 random deals" in often.tell_count(matter, frequency(34, 34))


def frequency(parted: int, deals: int) -> Frequency:
    """Return a count with its bounds."""
    return Frequency("1718", parted, deals, *interval(parted, deals))


def test_the_words_of_the_books_are_in_every_language() -> None:
    """With the same things to be filled in."""
    path = Path(edition.__file__).parent / "words.yaml"
    for name, entry in read(path, path.name).fields.items():
        assert tuple(sorted(entry.fields)) == tuple(sorted(LANGUAGES)), name
        assert len({tuple(sorted(re.findall(r"{\w+}", item.text))) for item in entry.fields.values()}) == 1, name


# The command ------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_writes_books(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One into a file, several into a folder under their names."""
    one = tmp_path / "book.html"
    named = [GAME, "--for", "arbiters"]
    assert main(["rulebook", *named, "--lang", "fr", "--format", "html", "-o", str(one)]) == 0
    assert main(["rulebook", *named, "--lang", "fr,de", "--format", "html", "-o", str(tmp_path / "books")]) == 0
    assert main(["rulebook", *named, "--lang", "fr", "--paper", "a4", "-o", str(tmp_path / "book.pdf")]) == 0

    assert (tmp_path / "book.pdf").read_bytes().startswith(b"%PDF")
    assert one.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    names = sorted(path.name for path in (tmp_path / "books").iterdir())
    assert names == [f"{GAME}-1718-{lang}.html" for lang in ("de", "fr")]
    assert str(one) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nothing"], "unknown game"),
        ([GAME, "--lang", "la"], "unknown language"),
        ([GAME, "--edition", "1999"], "unknown edition"),
        ([GAME, "--date", "yesterday"], "YYYY-MM-DD"),
        ([GAME, "--date", "2026-02-30"], "unknown date '2026-02-30'"),
        ([GAME, "--format", "html", "-o", "book.pdf"], "book.pdf is no name for html"),
        ([f"{GAME}@1718", "--edition", "1718"], "names an edition already"),
        ([GAME, "--lang", "fr,de", "-o", "book.pdf"], "name a folder"),
    ],
)
def test_what_cannot_be_made_is_told(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With what would do instead, and nothing is written."""
    assert main(["rulebook", *arguments]) == 2
    assert told in capsys.readouterr().err


@pytest.fixture
def quick_books(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command write books that name themselves and hold nothing else."""
    monkeypatch.setattr(
        "brou_tools.rulebook.command._make_book", lambda choice, lang, _: f"{choice.game} {lang}".encode()
    )


@pytest.mark.usefixtures("quick_books")
def test_one_command_writes_all_games_in_all_languages(tmp_path: Path) -> None:
    """Each game has its own book in each language."""
    assert main(["rulebook", "--lang", "all", "-o", str(tmp_path)]) == 0

    kinds = {game: "-players" if has_players_book(choose(game)) else "" for game in catalogue()}
    wanted = {
        f"{game}-{choose(game).edition}-{lang}{kind}.pdf": f"{game} {lang}"
        for game, kind in kinds.items()
        for lang in LANGUAGES
    }
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == wanted


# Beyond the test above it guards that the command itself makes all of them, and how much each costs.
@pytest.mark.thorough
def test_one_command_prints_all_games_in_all_languages(tmp_path: Path) -> None:
    """Fifteen books, each within its time of the processor."""
    began = time.process_time()
    assert main(["rulebook", "--lang", "all", "-o", str(tmp_path)]) == 0

    assert len(list(tmp_path.glob("*.pdf"))) == len(catalogue()) * len(LANGUAGES)
    assert time.process_time() - began < SECONDS * len(catalogue()) * len(LANGUAGES)
