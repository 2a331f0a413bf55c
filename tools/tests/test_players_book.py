"""Books for players: every clause told, a sample that the rules allow, pages that hold what is on them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from pathlib import Path

import pypdf
import pytest
import yaml
from docutils import nodes
from test_rulebook_pages import unfiltered

from brou import (
    BrouError,
    Choice,
    Impossible,
    Malformed,
    Project,
    catalogue,
    choose,
    house,
    open_project,
    root,
    with_readings,
)
from brou.games.folder import read_file
from brou.words.glossary import glossary
from brou_conformance.programs.session import Hello
from brou_conformance.verdicts.plan import Selection, plans
from brou_tools.cli import main
from brou_tools.documents.nodes import drawing, tickbox
from brou_tools.options.agreed import letter_answers, name_agreement, number_question, read_agreement, shorten_agreement
from brou_tools.rulebook import players, printing
from brou_tools.rulebook.booklet import compose_agreement, compose_booklet
from brou_tools.rulebook.html_writer import page
from brou_tools.rulebook.players import list_editions, list_told, list_untold, play_sample, read_players, texts_for
from brou_tools.situation.edition import Matter

LANGUAGES = tuple(glossary().languages)
TOLD = [
    f"{game}@{edition}"
    for game in catalogue()
    if (data := read_players(game, house())) is not None
    for edition in list_editions(data)
]
BOOKS = [(game, lang) for game in TOLD for lang in LANGUAGES]
#: How many pages a book has at least and at most, and how high a band without ink may be, as a share of a page.
FEWEST, MOST, BAND = 8, 12, 1 / 3
DOTS, INK = 24, 225


def edition(name: str) -> Choice:
    """Return an edition that the texts of a game tell."""
    return choose(name)


@lru_cache(maxsize=4)
def booklet(game: str, lang: str) -> nodes.document:
    """Return a players' book, made once."""
    return compose_booklet(edition(game), lang)


def altered(folder: Path, **changes: object) -> Project:
    """Return a project with Brouc in it, its texts for players changed."""
    games = folder / "games" / "brouc"
    games.mkdir(parents=True)
    for path in (root() / "games" / "brouc").iterdir():
        if path.name != "players.yaml":
            (games / path.name).write_bytes(path.read_bytes())
    data = yaml.safe_load((root() / "games" / "brouc" / "players.yaml").read_text(encoding="utf-8"))
    (games / "players.yaml").write_text(yaml.safe_dump(data | changes, allow_unicode=True), encoding="utf-8")
    (folder / "brou.toml").write_text('data = "."\n', encoding="utf-8")
    return open_project(folder)


# What is told ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", TOLD)
def test_every_clause_that_can_be_tested_is_told(game: str) -> None:
    """A clause in force that no text names has a reason in the file, and no reason stands for a clause that is told."""
    data, matter = texts_for(edition(game)), Matter(edition(game), "en")
    printed = {id_: matter.clauses[id_] for id_ in matter.printed - matter.replaced.keys()}
    untold = list_untold(data, printed, matter.choice)
    reasons = data.get("untold")

    assert [id_ for id_, reason in untold.items() if not reason] == []
    assert reasons is None or reasons.fields.keys() <= untold.keys()


@pytest.mark.parametrize("game", TOLD)
def test_texts_name_clauses_of_the_game(game: str) -> None:
    """What a text says that it tells is there, in the book of the edition."""
    matter = Matter(edition(game), "en")

    assert list_told(texts_for(edition(game)), edition(game)) <= {id_.partition(".")[2] for id_ in matter.printed}


@pytest.mark.parametrize("game", TOLD)
def test_what_is_left_to_the_table_has_a_short_name(game: str) -> None:
    """Every question that the text leaves to the table is named in a few words, and none that has readings is."""
    data, matter = texts_for(edition(game)), Matter(edition(game), "en")
    chosen = dict(matter.choice.readings)
    left = {id_.partition(".")[2] for id_ in matter.open if matter.questions[id_].string("key") not in chosen}
    agree = data.get("agree")

    named = set() if agree is None else agree.fields.keys()

    assert left <= named
    assert all(
        matter.questions[f"{next(iter(matter.clauses)).split('.')[0]}.{id_}"].get("readings") is None for id_ in named
    )


@pytest.mark.parametrize("game", TOLD)
def test_a_players_book_asks_every_open_question(game: str) -> None:
    """What a table has to agree on stands on its pages, a line a question."""
    matter = Matter(edition(game), "en")
    asked = [one for one in booklet(game, "en").findall(nodes.paragraph) if "asked" in one["classes"]]

    assert len(asked) == len(matter.open)


def test_a_block_may_be_written_for_an_edition() -> None:
    """Where the dealer alone turns cards, the book says so, and the book of the older edition does not."""
    later, older = (booklet(f"homme-d-auvergne@{name}", "en").astext() for name in ("1725", "1665"))

    assert "Nobody but the dealer turns up the top card" in later
    assert "each player in turn may turn up the top card" in older
    assert "Nobody but the dealer" not in older
    assert "each player in turn may turn up" not in later


def test_a_clause_that_nothing_tells_is_found() -> None:
    """A testable clause is listed, one of history is not; a reason goes with it."""
    matter = Matter(choose("brouc@2022"), "en")
    data = read_file(root(), "games/brouc/players.yaml")
    clause, history = matter.clauses["brouc.over.01"], matter.clauses["brouc.hist.01"]

    assert list_untold(data, {"brouc.new.01": clause, "brouc.new.02": history}, matter.choice) == {"new.01": ""}


# The sample -----------------------------------------------------------------------------


def test_the_sample_comes_to_what_a_table_would_count() -> None:
    """Seventy-five and forty-five round to eighty and fifty; forty announced, twenty won and lost on the table."""
    sample = play_sample(texts_for(choose("brouc@2022")), choose("brouc@2022"), "accounts")

    assert sample.points == (75, 45)
    assert [now - then for then, now in zip(sample.before, sample.written, strict=True)] == [80 + 20, 50 + 40 - 20]
    assert [trick.winner for trick in sample.tricks] == [0, 1, 2, 0, 3, 0, 0, 1]


@pytest.mark.parametrize("game", TOLD)
def test_a_sample_goes_to_the_end_of_its_deal(game: str) -> None:
    """Nobody holds a card after the last trick; what is said and played has its remark in every language."""
    choice = edition(game)
    data, ledger = texts_for(choice), Matter(choice, "en").layout.fields["ledger"]
    sample = play_sample(data, choice, ledger.string("accounts"))

    assert sample.left == 0
    assert all(len(trick.cards) == len(sample.hands) for trick in sample.tricks)
    remarks = [*(one.remark for one in sample.opening), *(trick.remark for trick in sample.tricks)]
    assert all(set(remark.fields) == set(LANGUAGES) for remark in remarks)


@pytest.mark.slow
def test_a_sample_against_the_rules_is_refused(tmp_path: Path) -> None:
    """A card that may not be played is named with its trick and its seat."""
    data = yaml.safe_load((root() / "games" / "brouc" / "players.yaml").read_text(encoding="utf-8"))
    sample = data["sample"]
    sample["tricks"][0]["play"] = "0: AS TS TD 7H"
    project = altered(tmp_path, sample=sample)

    with pytest.raises(Impossible, match="trick 1: seat 3 may not"):
        compose_booklet(choose("brouc@2022", project), "en")


def test_texts_of_another_shape_are_refused(tmp_path: Path) -> None:
    """A key that no page has is told with its place."""
    project = altered(tmp_path, pages=[{"id": "one", "title": {"en": "One"}, "blocks": [{"verse": {"en": "No"}}]}])

    with pytest.raises(Malformed, match="verse"):
        read_players("brouc", project)


# The readings ---------------------------------------------------------------------------


def test_readings_that_the_texts_do_not_tell_have_a_book_for_arbiters() -> None:
    """A number is told as it is chosen; another reading would make a text false."""
    assert players.has_players_book(choose("brouc@2022[match_ticks=7]"))
    assert players.has_players_book(choose("brouc@2022[marking=explicit-any]"))
    assert not players.has_players_book(choose("brouc@2022[marking=explicit-before-lead]"))
    with pytest.raises(Impossible, match="does not tell marking=explicit-before-lead"):
        texts_for(choose("brouc@2022[marking=explicit-before-lead]"))
    with pytest.raises(Impossible, match="does not tell announced_debit=yes"):
        texts_for(choose("brouc@club-2026[announced_debit=yes]"))


def test_another_number_stands_wherever_the_book_says_it() -> None:
    """Seven ticks lose the match, and five are nowhere."""
    said = compose_booklet(choose("brouc@2022[match_ticks=7]"), "en").astext()

    assert "with 7 of them loses the match" in said
    assert "5 ticks" not in said


def test_the_association_counts_in_its_own_way() -> None:
    """The side with the slate is rounded and the other gets the rest; the marriage counts because it was marked."""
    choice = choose("brouc@club-2026")
    sample = play_sample(texts_for(choice), choice, "accounts")
    said = compose_booklet(choice, "en").astext()

    assert [now - then for then, now in zip(sample.before, sample.written, strict=True)] == [80 + 20, 40 + 40 - 20]
    assert "an unmarked marriage counts for nobody" in said
    assert "This book counts a marriage even if you forget" not in said
    assert "carry-over" not in said.split("Agree before you play", maxsplit=1)[0]


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["brouc"], {"brouc-2022-en-players.html"}),
        (["brouc", "--for", "arbiters"], {"brouc-2022-en.html"}),
        (["brouc", "--for", "table"], {"brouc-2022-en-table.html"}),
        (["brouc[marking=explicit-before-lead]", "--for", "table"], {"brouc-2022-en-table.html"}),
        (["brouc[marking=explicit-before-lead]"], {"brouc-2022-en.html"}),
        (["hombre", "--for", "table"], {"hombre-danish-en-table.html"}),
    ],
)
def test_a_book_is_named_by_whom_it_is_for(tmp_path: Path, arguments: list[str], names: set[str]) -> None:
    """Players are meant where a game has texts for them; the book for arbiters is called as it always was."""
    assert main(["rulebook", *arguments, "--lang", "en", "--format", "html", "-o", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == names


@pytest.mark.parametrize(
    "arguments",
    [["brouc[marking=explicit-before-lead]", "--for", "players"], ["brouc", "--for", "players", "--annotated"]],
)
def test_what_there_is_no_book_for_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """Readings that the texts do not tell; and what only arbiters have."""
    assert main(["rulebook", *arguments, "--lang", "en", "-o", str(tmp_path)]) == 2
    assert "--for arbiters" in capsys.readouterr().err


# The agreement --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["brouc@2022", "brouc@club-2026", "hombre"])
def test_the_sheet_asks_every_open_question_and_ticks_the_answer_of_the_edition(name: str) -> None:
    """A line a question; of what has readings exactly one is ticked, and it is the one that the edition follows."""
    choice = choose(name)
    matter, sheet = Matter(choice, "en"), compose_agreement(choice, "en")
    asked = [one for one in sheet.findall(nodes.paragraph) if "asked" in one["classes"]]
    chosen = dict(choice.readings)

    assert len(asked) == len(matter.open)
    for id_ in matter.open:
        node = matter.questions[id_]
        readings = node.get("readings")
        if readings is None or node.string("key") not in chosen:
            continue
        title = matter.fill_text(node.fields["title"])
        (line,) = (one for one in asked if one.astext().startswith(f"{number_question(id_)}\u2002{title}"))
        ticked = [one.astext() for one in line.findall(tickbox) if one["on"]]
        value = str(chosen[node.string("key")])
        assert ticked == [
            f"{letter_answers(node)[value]}\u00a0{matter.fill_text(readings.fields[value].fields['name'])}"
        ]


AGREEMENT = "format: brou-agreement/1\nrules: brouc@2022\nanswers: {marking: explicit-any, match_ticks: 7}\n"


def test_an_agreement_is_the_rules_that_it_names_with_its_answers(tmp_path: Path) -> None:
    """The answers that it gives, and the edition's for the rest."""
    path = tmp_path / "agreement.yaml"
    path.write_text(AGREEMENT, encoding="utf-8")

    assert read_agreement(str(path), house()) == choose("brouc@2022[marking=explicit-any,match_ticks=7]")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (AGREEMENT.replace("marking", "market"), "market"),
        (AGREEMENT.replace("explicit-any", "loudly"), "loudly"),
        (AGREEMENT.replace("answers", "replies"), "replies"),
    ],
)
def test_an_answer_that_no_question_has_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    """By its name, and no book is written."""
    path = tmp_path / "agreement.yaml"
    path.write_text(text, encoding="utf-8")

    assert main(["rulebook", "--agreement", str(path), "-o", str(tmp_path / "books")]) in (2, 3)
    assert told in capsys.readouterr().err
    assert not (tmp_path / "books").exists()


def test_the_sheet_of_an_agreement_ticks_what_was_agreed(tmp_path: Path) -> None:
    """Its own answers, not those of the edition."""
    path = tmp_path / "agreement.yaml"
    path.write_text(AGREEMENT, encoding="utf-8")
    sheet = compose_agreement(read_agreement(str(path), house()), "en")
    ticked = {one.astext() for one in sheet.findall(tickbox) if one["on"]}

    assert {"7", "C\u00a0Marked before the count"} <= ticked
    assert "A\u00a0Counts without a mark" not in ticked


def test_an_agreement_in_short_is_the_same_rules() -> None:
    """Numbers of questions and letters of answers as the sheet prints them, or names; small letters will do."""
    rules_ = choose("brouc@2022[marking=explicit-any,match_ticks=7]")

    assert read_agreement("brouc@2022 9=C 37=7", house()) == rules_
    assert read_agreement("brouc@2022 9=c match_ticks=7", house()) == rules_
    assert shorten_agreement(rules_) == "brouc@2022 9=C 37=7"
    assert shorten_agreement(choose("brouc@2022")) == "brouc@2022"


@pytest.mark.parametrize("game", catalogue())
def test_every_answer_has_a_short_form(game: str) -> None:
    """What one answer makes of an edition is written down in short and read back."""
    varied = list(vary(choose(game)))

    assert varied
    assert [read_agreement(shorten_agreement(one), house()) for one in varied] == varied


def vary(choice: Choice) -> Iterator[Choice]:
    """Yield the rules that one other answer makes of an edition, as far as they can stand."""
    for node in Matter(choice, "en").questions.values():
        if (key := node.string("key")) in dict(choice.readings):
            for value in letter_answers(node):
                with suppress(Impossible):
                    yield with_readings(choice, {key: value})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("brouc@2022 99=A", "unknown question '99'"),
        ("brouc@2022 9=Q", "unknown answer to question 9 'Q'"),
        ("brouc@2022 9=A marking=explicit-any", "leave one of the two out"),
        ("nowhere.yaml", "NUMBER=LETTER"),
    ],
)
def test_a_short_form_that_says_nothing_is_told(given: str, told: str) -> None:
    """With what there is instead."""
    with pytest.raises(BrouError, match=told):
        read_agreement(given, house())


def test_the_sheet_prints_numbers_and_letters() -> None:
    """So that it can be filled in and typed; the line below it names the answers that are not the edition's."""
    said = compose_agreement(choose("brouc@2022[marking=explicit-any]"), "en").astext()

    assert "9\u2002Marking a table marriage" in said
    assert "C\u00a0Marked before the count" in said
    assert "brouc@2022 9=C" in said


@pytest.mark.parametrize(("given", "audience"), [("brouc@2022 9=C", "players"), ("brouc@2022 9=B", "arbiters")])
def test_the_book_of_a_table_asks_nothing(tmp_path: Path, given: str, audience: str) -> None:
    """Its answers stand there, without a box, a question or a number of one, whoever it is for."""
    assert main(["rulebook", "--agreement", given, "--lang", "en", "--format", "html", "-o", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    made = path.read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"<[^>]+>", " ", made))

    assert ("players" in path.name) == (audience == "players")
    assert "As this table plays" in text
    assert re.search(r"Marking a table marriage:\s+Marked before", text)
    assert "Agree before you play" not in text
    assert "agree on the boxes" not in text
    assert 'class="question' not in made
    assert 'class="open' not in made


@pytest.mark.slow
def test_a_record_is_settled_by_what_was_agreed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Losers with 140 written mark two ticks, and one where the points of the deal protect them."""
    path, record = tmp_path / "agreement.yaml", tmp_path / "record.yaml"
    path.write_text(AGREEMENT.replace("marking: explicit-any", "loser_figure: slate-plus-raw"), encoding="utf-8")
    record.write_text(
        "format: brou-record/1\nrules: brouc@2022\nstart: {dealer: 0, accounts: [260, 140]}\n"
        "deals:\n- short: {trump: H, points: [50, 40], claim: 0}\n  written: {coches: [0, 1]}\n",
        encoding="utf-8",
    )

    assert main(["score", str(record), "--lang", "en"]) == 1
    assert main(["score", str(record), "--lang", "en", "--agreement", str(path)]) == 0
    capsys.readouterr()
    with pytest.raises(SystemExit, match="2"):
        main(["score", str(record), "--rules", "brouc", "--agreement", str(path)])
    assert "--agreement" in capsys.readouterr().err


def test_a_moment_is_explained_by_what_was_agreed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The answers of the file go before those of the edition, and names of rules beside it are refused."""
    path = tmp_path / "agreement.yaml"
    path.write_text(AGREEMENT, encoding="utf-8")

    assert main(["explain", "brouc.over.lower-trump-refused#seven", "--agreement", str(path), "--json"]) == 0
    readings = json.loads(capsys.readouterr().out)["games"][0]["readings"]
    assert (readings["marking"], str(readings["match_ticks"])) == ("explicit-any", "7")
    with pytest.raises(SystemExit, match="2"):
        main(["explain", "brouc.over.lower-trump-refused", "--rules", "brouc", "--agreement", str(path)])


def test_answers_of_an_agreement_are_known_and_the_rest_is_asked(tmp_path: Path) -> None:
    """Its name has the readings that it gives, and leaves the others to be found."""
    path = tmp_path / "agreement.yaml"
    path.write_text(AGREEMENT, encoding="utf-8")

    assert name_agreement(str(path), house()) == "brouc@2022[marking=explicit-any,match_ticks=7]"
    path.write_text("format: brou-agreement/1\nrules: brouc\n", encoding="utf-8")
    assert name_agreement(str(path), house()) == "brouc"


@pytest.mark.slow
def test_people_are_asked_what_the_agreement_leaves_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the file answers is told as known; rules named beside it are refused."""
    path, said = tmp_path / "agreement.yaml", tmp_path / "answers"
    path.write_text(AGREEMENT, encoding="utf-8")
    said.write_text("", encoding="utf-8")

    main(["ask", "--agreement", str(path), "--answers", str(said), "--lang", "en"])
    assert "match_ticks=7" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        main(["ask", "brouc", "--agreement", str(path)])


@pytest.mark.slow
def test_a_program_is_judged_by_what_was_agreed(tmp_path: Path) -> None:
    """Whatever it declares, and the report says so."""
    path = tmp_path / "agreement.yaml"
    path.write_text(AGREEMENT, encoding="utf-8")
    agreed = read_agreement(str(path), house())
    hello = Hello({}, (("brouc", "2022", "4"),), {"brouc@2022": {"marking": "implicit"}}, frozenset({"legal"}))
    (plan,) = plans(hello, Selection("brouc", "2022", agreed=agreed.readings), [])

    assert dict(plan.choice.readings)["marking"] == "explicit-any"
    assert plan.declared == {key for key, _ in agreed.readings}
    assert any("marking=explicit-any is agreed" in note for note in plan.notes)
    with pytest.raises(SystemExit, match="2"):
        main(["verify", "--game", "brouc", "--agreement", str(path), "--", "true"])


# The pages ------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_a_players_book_has_no_ids_no_seats_and_nothing_to_fill_in(game: str, lang: str) -> None:
    """Neither the names of clauses nor the numbers of seats stand in it, nor a slot, nor a mark of the notation."""
    said = booklet(game, lang).astext()
    shown = [one["picture"].words for one in booklet(game, lang).findall(drawing)]
    matter = Matter(edition(game), lang)

    assert not [id_ for id_ in (*matter.printed, *matter.open) if id_ in said]
    assert not any(mark in part for mark in ("{", "}", "**", '"') for part in (said, *shown))
    assert not any(matter.say("side", seats="0") in part for part in (said, *shown))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_a_players_book_reads_as_a_page(game: str, lang: str) -> None:
    """Each of its pages is a section with its heading, and every picture has its words."""
    made = page(booklet(game, lang))

    assert made.count("<h2>") == len(list(booklet(game, lang).findall(nodes.section)))
    assert "<title></title>" not in made


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_a_players_book_is_composed(game: str, lang: str) -> None:
    """As many pages in print as in the file, between eight and twelve: no page runs over into the next."""
    made = pypdf.PdfReader(BytesIO(printing.pdf(booklet(game, lang))))

    assert len(made.pages) == len(texts_for(edition(game)).fields["pages"].items)
    assert FEWEST <= len(made.pages) <= MOST


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_no_band_of_a_page_stays_empty(game: str, lang: str) -> None:
    """No page has a third of its height without ink."""
    empty = {}
    for number, made in enumerate(printing.pages(booklet(game, lang), resolution=DOTS), 1):
        lines = [min(line) < INK for line in unfiltered(made)]
        widest = max((len(list(run)) for ink, run in groupby(lines) if not ink), default=0)
        if widest > BAND * len(lines):
            empty[number] = widest / len(lines)

    assert empty == {}
