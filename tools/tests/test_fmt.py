"""`brou fmt`: one written form, which says what the file said."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from brou import Malformed
from brou.chapters.notation import ClauseForm, FurtherRule, Shape, list_keys
from brou.chapters.prelude_notation import ModuleRule
from brou.chapters.schema import FORMS, find_schema
from brou.games.folder import PRELUDE, root
from brou.language.source import parse_yaml
from brou_tools.cli import main
from brou_tools.fmt.files import list_chapter_files
from brou_tools.fmt.formatting import format_text
from brou_tools.fmt.layout import WIDTH
from brou_tools.fmt.tree import list_remarks

#: What stands in the one form already.
FORMATTED = (root() / "games", root() / PRELUDE)
FILES = sorted(
    {
        *list_chapter_files(root() / "games"),
        *list_chapter_files(root() / PRELUDE),
    }
)


@lru_cache(maxsize=200)
def form(text: str) -> str:
    """Return a text in its one form, which has a form no other than itself."""
    written = format_text(text.encode(), "x.yaml")
    assert format_text(written.encode(), "x.yaml") == written
    return written


def read_kind(path: Path) -> str:
    """Return the kind of a file, by the format that it names."""
    (kind,) = re.findall(r"^format: brou-(\w+)/2$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return str(kind)


def chapter(clauses: str, head: str = "format: brou-chapter/2\ngame: g\nchapter: c\ntitle: T\n") -> str:
    """Return the text of a chapter with some clauses."""
    return f"{head}clauses:\n{clauses}"


CLAUSE = "- clause: a.01\n  from: []\n  text: Words.\n"


@pytest.fixture
def untidy(tmp_path: Path) -> Path:
    """A chapter file that is not in its form."""
    path = tmp_path / "10-c.yaml"
    path.write_text(chapter("- from: []\n  clause: a.01\n  text: 'Words.'\n"))
    return path


# The files of the house -----------------------------------------------------------------------------------------------


@pytest.mark.sampled(7)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(root()).as_posix())
def test_a_file_of_ours_says_the_same_in_its_form(path: Path) -> None:
    """Formatted once and twice it is the same text, with the same data to any reader, and the same comments."""
    old = path.read_text(encoding="utf-8")
    new = form(old)
    assert yaml.safe_load(new) == parse_yaml(new, "new").plain() == parse_yaml(old, "old").plain()
    assert list_remarks(new) == list_remarks(old)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(root()).as_posix())
def test_no_line_is_too_long(path: Path) -> None:
    """No line of a formatted file is longer than the width, but for comments, names and expressions of one piece.

    All files stand in their one form, to which the next test holds them.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [one for one in lines if len(one) > WIDTH and not one.lstrip().startswith("#")] == []


@pytest.mark.slow
def test_what_is_formatted_stays_so(capsys: pytest.CaptureFixture[str]) -> None:
    """The chapters of Brouc and of the prelude stand in the one form."""
    assert main(["fmt", "--check", *map(str, FORMATTED)]) == 0, capsys.readouterr().out


@pytest.mark.slow
def test_every_kind_of_file_is_known() -> None:
    """The files of ours are of every format of the notation."""
    assert {read_kind(path) for path in FILES} == set(FORMS)


def test_make_check_holds_them_to_it() -> None:
    """What is formatted is checked whenever the rest of the house is."""
    makefile = Path(__file__).parents[2].joinpath("Makefile").read_text(encoding="utf-8")
    named = " ".join(f"spec/{path.relative_to(root()).as_posix()}" for path in FORMATTED)
    assert f"CHAPTERS := {named}\n" in makefile
    assert "\t$(BIN)/brou fmt --check $(CHAPTERS)\n" in makefile


# Keys -----------------------------------------------------------------------------------------------------------------


def all_forms(form_: type[Shape] = Shape) -> Iterator[type[Shape]]:
    """Yield the classes of the notation."""
    for one in form_.__subclasses__():
        yield one
        yield from all_forms(one)


@pytest.mark.parametrize("form_", sorted(set(all_forms()), key=str), ids=str)
def test_the_order_has_every_key_once(form_: type[Shape]) -> None:
    """The order of the keys of a record has each of them once."""
    import msgspec  # noqa: PLC0415 - this test alone asks for it

    assert sorted(list_keys(form_)) == sorted(one.encode_name for one in msgspec.structs.fields(form_))


@pytest.mark.parametrize("form_", [FurtherRule, ModuleRule])
def test_a_label_stands_first(form_: type[Shape]) -> None:
    """The keys of a rule stand behind its label."""
    assert list_keys(form_)[0] == "rule"


def test_a_clause_is_read_from_its_words_to_its_questions() -> None:
    """A clause has its words first, then what it declares, its rule, what it shows, and its questions."""
    keys = list_keys(ClauseForm)
    wanted = ["clause", "from", "tests", "only", "text", "means", "deny", "when", "code", "rules", "show", "open"]
    assert [key for key in keys if key in wanted] == wanted


@pytest.mark.sampled(11)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(root()).as_posix())
def test_keys_come_back_into_their_order(path: Path) -> None:
    """A file with the keys of all its records the other way round has the same form as the file."""
    old = path.read_text(encoding="utf-8")
    plain: Any = parse_yaml(old, "old").plain()
    for one in (*plain.get("clauses", ()), *plain.get("rules", ()), *plain.get("entries", ())):
        for question in one.get("open", ()):
            _turn(question)
        _turn(one)
    _turn(plain)
    turned = form(yaml.dump(plain, Dumper=_Quoting, sort_keys=False, allow_unicode=True))
    assert turned == form(re.sub(r"(?m)^ *#.*\n", "", old))


class _Quoting(yaml.SafeDumper):
    """Writes every text in quotes: what looks like a number of YAML 1.2 may look like none of YAML 1.1."""


_Quoting.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"'))


def _turn(record: dict[str, Any]) -> None:
    for key in list(record)[::-1]:
        record[key] = record.pop(key)


def test_the_order_of_names_is_kept() -> None:
    """The members of what is no record stay in their order: the first reading is the default."""
    written = form(chapter(f"{CLAUSE}  numbers: {{b: 1, a: 2}}\n"))
    assert "numbers: {b: 1, a: 2}" in written


# Layout ---------------------------------------------------------------------------------------------------------------


def test_a_short_rule_stands_in_one_line() -> None:
    """A further rule stands in one line if it fits, and has a line for each key otherwise."""
    short = f"{CLAUSE}  rules:\n  - rule: x\n    deny: play(p, c)\n    when: y\n"
    assert '  - {rule: x, deny: "play(p, c)", when: y}\n' in form(chapter(short))
    long = short.replace("when: y", f"when: {' and '.join(['something'] * 9)}")
    assert "  - rule: x\n    deny: play(p, c)\n    when: >-\n      something and" in form(chapter(long))


def test_steps_stand_one_below_the_other() -> None:
    """The steps of a rule have a line each; those of a step stand in its line if none of them has steps."""
    text = "  upon: x\n  do: [{set: {a: 1}}, {when: b, do: [{go: c}]}]\n"
    wanted = "  do:\n  - set: {a: 1}\n  - when: b\n    do: [{go: c}]\n"
    assert form(chapter(CLAUSE + text)).endswith(wanted)


def test_a_blank_line_parts_clauses() -> None:
    """There is one blank line between two clauses, and none elsewhere."""
    two = CLAUSE + "\n\n\n" + CLAUSE.replace("  text", "\n  text").replace("a.01", "a.02")
    assert form(chapter(two)) == chapter(CLAUSE + "\n" + CLAUSE.replace("a.01", "a.02"))


def test_a_long_text_is_folded() -> None:
    """A text that does not fit behind its key is folded, and comes back in one line where it fits."""
    long = " ".join(["word"] * 40)
    lines = form(chapter(CLAUSE.replace("Words.", long))).splitlines()
    assert lines[7] == "  text: >-"
    assert max(map(len, lines)) in range(WIDTH - 5, WIDTH + 1)
    assert "  text: Words. Words.\n" in form(chapter(CLAUSE.replace("Words.", ">-\n    Words.\n    Words.")))


def test_an_expression_is_folded_between_its_parts() -> None:
    """No comparison and no call is torn apart where the line has room for it; what binds least goes first."""
    parts = [f"count(rank(c) == ace for c in hand[{letter * 12}]) == numbers_of_it" for letter in "pqr"]
    joined = " and ".join(parts)
    lines = form(chapter(f"{CLAUSE}\n  deny: play(p, c)\n  when: {joined}\n")).splitlines()
    at = lines.index("  when: >-")
    assert lines[at + 1 : at + 4] == [f"    {parts[0]}", f"    and {parts[1]}", f"    and {parts[2]}"]


def test_a_long_chain_is_folded_before_its_signs() -> None:
    """A chain of comparisons that is longer than a line is folded before one of them, never inside brackets."""
    chain = " > ".join(f"height(card(king, {letter * 9}))" for letter in "abcdef")
    lines = form(chapter(f"{CLAUSE}\n  deny: play(p, c)\n  when: {chain}\n")).splitlines()
    folded = lines[lines.index("  when: >-") + 1 : -1]
    assert [line.count("(") - line.count(")") for line in folded] == [0] * len(folded)
    assert all(line.startswith("    > ") for line in folded[1:])


@pytest.mark.parametrize(
    "word", ["yes", "2022", "1e3", "null", "~", "", "12:30", "0o7", "- x", "a: b", "a #b", "'", "true"]
)
def test_a_word_has_quotes_where_a_reader_needs_them(word: str) -> None:
    """A word that some reader of YAML takes for something else, or no reader for a word, is kept as it is."""
    written = form(chapter(CLAUSE.replace("Words.", f'"{word}"')))
    assert yaml.safe_load(written)["clauses"][0]["text"] == word


def test_quotes_go_where_nobody_needs_them() -> None:
    """Quotes that are not needed are left out; marks of texts keep theirs."""
    words = 'format: "brou-words/2"\ngame: g\nlanguage: \'fr\'\nwords: {title: "Un jeu"}\nof: {title: "4f1f1eda"}\n'
    assert (
        form(words)
        == 'format: brou-words/2\ngame: g\nlanguage: fr\nwords:\n  title: Un jeu\nof:\n  title: "4f1f1eda"\n'
    )


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), max_size=200)
WORDS = st.lists(
    st.sampled_from(["a", "b:", "#c", "-", "?", "{d}", "'e'", '"f"', "ß", "x" * 60, "\\", "no", "1"]), max_size=40
)


@pytest.mark.slow
@given(st.one_of(TEXTS, WORDS.map(" ".join), WORDS.map("\n".join)))
@example(" a")
@example("a  b " * 50)
@example("a\n\nb" * 60)
@example("\u00a0x")
@example("\t")
@settings(max_examples=100, deadline=None)
def test_any_text_survives(text: str) -> None:
    """Whatever a text is, it is the same after formatting, as a value, in one line, as a key, and twice."""
    try:
        parse_yaml(yaml.safe_dump({"a": text}, allow_unicode=True), "x")
    except Malformed:  # what nobody sees is refused when it is read
        return
    plain = {
        "format": "brou-chapter/2",
        "game": "g",
        "chapter": "c",
        "title": text,
        "examples": [text, "x"],
        "clauses": [{"clause": "a", "from": [], "text": text, "says": {text[:50]: text}, "names": {"p": text[:20]}}],
    }
    assert yaml.safe_load(form(yaml.safe_dump(plain, allow_unicode=True, sort_keys=False))) == plain


# Comments -------------------------------------------------------------------------------------------------------------


def test_comments_move_with_their_keys() -> None:
    """A comment stays above, beside or below what it stands with, wherever that comes to stand."""
    text = (
        "# The head.\n\n# Still the head.\n" + chapter(
            "# About the clause.\n- text: Words.  # beside the text\n  # About its place.\n  from: []\n"
            "  clause: a.01 # beside the name\n  says:\n    x: y\n    # Below what it says.\n# The end.\n"
        )
    )  # fmt: skip
    assert form(text) == (
        "# The head.\n\n# Still the head.\n" + chapter(
            "# About the clause.\n- clause: a.01  # beside the name\n  # About its place.\n  from: []\n"
            "  text: Words.  # beside the text\n  says:\n    x: y\n    # Below what it says.\n# The end.\n"
        )
    )  # fmt: skip


def test_comments_inside_brackets_open_them() -> None:
    """What stands in brackets with comments inside has a line for each member instead."""
    numbers = "  numbers: {a: 1,  # one\n    # two\n    b: 2\n    # no more\n  }  # both\n"
    wanted = "  numbers:  # both\n    a: 1  # one\n    # two\n    b: 2\n    # no more\n"
    assert form(chapter(CLAUSE + numbers)) == chapter(CLAUSE + wanted)


@pytest.mark.parametrize(
    "lines",
    [
        "  text: >-  # folded\n    Words.\n",
        "  text:\n    # before the value\n    Words.\n",
        "  text: Words.\n  numbers: # before the list\n    {a: 1}\n",
        "  text: Words.\n  numbers:\n    # before the list\n    a: 1\n  # deep\n # deeper\n",
        "  text: Words.\n  show: {a: b} # 1\n  score: {  # 2\n    # 3\n  }\n",
        "  text: Words.\n  drops: [ # 1\n   a, # 2\n\n # 3\n\n   b]\n",
        "  text: Words.\n  rules:\n  -  # dash\n    rule: x\n    act: a(p)  # act\n  # last\n",
        "  text: Words.\n  rules:\n    - {rule: x, upon: y, do: [{go: z}]} # one\n    # two\n  open: []\n",
        "  text: 'a # b'  # c # d\n",
    ],
)
@pytest.mark.parametrize("after", ["", "# end\n", "\n\n# next\n\n- {clause: b, from: [], text: x}  # last\n"])
def test_no_comment_is_lost(lines: str, after: str) -> None:
    """Comments in any place are all there afterwards, and stay where they are from then on."""
    text = chapter(f"- clause: a.01\n  from: []\n{lines}{after}")
    assert list_remarks(form(text)) == list_remarks(text)


PIECES = st.sampled_from(["# c\n", "  # d\n", "    # e\n", "\n", "      # f\n"])


@pytest.mark.slow
@given(st.lists(PIECES, max_size=3), st.data())
@settings(max_examples=60, deadline=None)
def test_comments_may_stand_between_any_lines(pieces: list[str], data: st.DataObject) -> None:
    """Between any two lines of a file whose texts are not folded comments may stand, and are kept."""
    whole = [
        *chapter(CLAUSE).splitlines(keepends=True), "  numbers: {a: 1}\n", "  rules:\n", "  - {rule: x, upon: e}\n",
        "  open:\n", "  - id: amb.01\n", "    ask: What?\n", "    readings:\n", "      a: {why: x}\n", "      b:\n",
        "        why: y\n", *CLAUSE.splitlines(keepends=True),
    ]  # fmt: skip
    for piece in pieces:
        whole.insert(data.draw(st.integers(0, len(whole))), piece)
    assert list_remarks(form("".join(whole))) == list_remarks("".join(whole))


# The command ----------------------------------------------------------------------------------------------------------


def test_a_file_is_written_in_its_form(untidy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without options the file is written, keeps its rights, and a second time is left alone."""
    untidy.chmod(0o640)
    assert main(["fmt", str(untidy)]) == 0
    assert untidy.read_text() == chapter(CLAUSE)
    assert untidy.stat().st_mode & 0o777 == 0o640
    assert capsys.readouterr().out == "1 file reformatted\n"
    assert main(["fmt", str(untidy)]) == 0
    assert capsys.readouterr().out == "1 file left unchanged\n"


def test_check_names_what_would_change(untidy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --check the file is named and not written, and the exit code is 1."""
    old = untidy.read_text()
    (untidy.parent / "20-d.yaml").write_text(chapter(CLAUSE))
    assert main(["fmt", "--check", str(untidy.parent)]) == 1
    assert untidy.read_text() == old
    wanted = f"Would reformat: {untidy}\n1 file would be reformatted, 1 file already formatted\n"
    assert capsys.readouterr().out == wanted


def test_diff_shows_what_would_change(untidy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --diff the lines are shown and nothing is written, and the exit code is 1."""
    old = untidy.read_text()
    assert main(["fmt", "--diff", str(untidy)]) == 1
    assert untidy.read_text() == old
    shown = capsys.readouterr()
    assert shown.out.startswith(f"--- {untidy}\n+++ {untidy}\n")
    assert "-  text: 'Words.'\n+- clause: a.01\n+  from: []\n+  text: Words.\n" in shown.out
    assert shown.err == "1 file would be reformatted\n"


def test_other_files_of_a_folder_are_passed_over(untidy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a folder only chapter files are formatted; another file that is named is refused."""
    other = untidy.parent / "sources.yaml"
    other.write_text("a:   1\n")
    (untidy.parent / "notes.txt").write_text("format: brou-chapter/2\n")
    assert main(["fmt", str(untidy.parent)]) == 0
    assert other.read_text() == "a:   1\n"
    assert main(["fmt", str(other)]) == 2
    assert "no chapter file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (chapter("- clause: [\n"), ":7:1: no YAML"),
        (chapter(CLAUSE + "  txet: x\n"), ":9:3: unknown key 'txet'"),
        (chapter(CLAUSE + "  text: x\n"), ":9:3: the key 'text' appears twice"),
        (chapter(CLAUSE + "  note: &a x\n"), "an anchor"),
        ("format: brou-chapter/3\n", "no chapter file"),
        ("", "no chapter file"),
    ],
)
def test_a_file_at_fault_is_refused(untidy: Path, capsys: pytest.CaptureFixture[str], text: str, told: str) -> None:
    """A file that cannot be read is refused with its place, and no file is written."""
    faulty, old = untidy.parent / "99-faulty.yaml", untidy.read_text()
    faulty.write_text(text)
    assert main(["fmt", str(untidy), str(faulty)]) == 2
    said = capsys.readouterr().err
    assert str(faulty) in said
    assert told in said
    assert (untidy.read_text(), faulty.read_text()) == (old, text)


def test_a_file_at_fault_in_a_folder_is_told(untidy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A chapter file in a folder that is no YAML is not passed over."""
    (untidy.parent / "99-faulty.yaml").write_text(chapter("- clause: [\n"))
    assert main(["fmt", "--check", str(untidy.parent)]) == 2
    assert "99-faulty.yaml:7:1: no YAML" in capsys.readouterr().err


def test_a_link_is_not_followed(untidy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A link is refused, and neither it nor what it leads to is written."""
    old, link = untidy.read_text(), tmp_path / "link.yaml"
    link.symlink_to(untidy)
    assert main(["fmt", str(link)]) == 2
    assert "link.yaml:1:1: a link; name the file that it leads to" in capsys.readouterr().err
    assert link.is_symlink()
    assert untidy.read_text() == old


def test_a_pipe_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is neither a file nor a folder is refused unread."""
    os.mkfifo(tmp_path / "pipe.yaml")
    assert main(["fmt", str(tmp_path / "pipe.yaml")]) == 2
    assert "no plain file" in capsys.readouterr().err
    assert main(["fmt", str(tmp_path)]) == 0


def test_nothing_is_written_where_one_file_cannot_be(untidy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a file turns out not to be writable, the others keep their old content too."""
    other, old = untidy.parent / "20-d.yaml", untidy.read_text()
    other.write_text(old)
    monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != other.name)
    assert main(["fmt", str(untidy.parent)]) == 2
    assert untidy.read_text() == other.read_text() == old


def test_a_form_that_says_something_else_is_refused(untidy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the layout is found before anything is written."""
    from brou_tools.fmt import formatting, layout  # noqa: PLC0415 - one is broken here

    write = layout.write_file
    old = untidy.read_text()
    for wrong, right, told in [
        ("Words.", "Word.", "something else"),
        ("# c", "#", "comments"),
        ("game: g", "game: no", ""),
    ]:
        monkeypatch.setattr(formatting, "write_file", lambda *given, a=wrong, b=right: write(*given).replace(a, b))
        with pytest.raises(Malformed, match=f"cannot be formatted: .*{told}"):
            formatting.format_text(f"# c\n{old}".encode(), "x.yaml")


@pytest.mark.slow
def test_the_rules_stay_the_same(tmp_path: Path) -> None:
    """The chapters of a game without any form of their own make the same rules as those in their form."""
    from brou import rules  # noqa: PLC0415 - heavier than all else here
    from brou.games.data import read_section  # noqa: PLC0415 - likewise
    from brou.language.export import export_rules  # noqa: PLC0415 - likewise

    shutil.copytree(root(), tmp_path / "spec", ignore=shutil.ignore_patterns("games", "schemas"))
    shutil.copytree(root() / "games" / "brouc", tmp_path / "spec" / "games" / "brouc")
    for path in list_chapter_files(tmp_path / "spec" / "games" / "brouc"):
        plain = yaml.safe_load(path.read_text(encoding="utf-8"))
        path.write_text(yaml.dump(plain, Dumper=_Quoting, sort_keys=False, allow_unicode=True), encoding="utf-8")
    assert main(["fmt", "--check", str(tmp_path / "spec" / "games")]) == 1
    for choice in ("brouc@2022", "brouc@club-2026"):
        assert export_rules(rules(choice, tmp_path / "spec")) == export_rules(rules(choice))
    for section in ("clauses", "ambiguities", "editions"):
        found = [read_section("brouc", section, folder).plain() for folder in (tmp_path / "spec", root())]
        assert repr(found[0]) == repr(found[1])


# The line for editors -------------------------------------------------------------------------------------------------

MODELINE = "# yaml-language-server: $schema="


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(root()).as_posix())
def test_a_file_of_ours_names_its_schema_first(path: Path) -> None:
    """The first line leads from the file to the schema of its kind."""
    first, kind = path.read_text(encoding="utf-8").partition("\n")[0], read_kind(path)
    assert first.startswith(MODELINE)
    assert (path.parent / first.removeprefix(MODELINE)).resolve() == find_schema(root(), kind).resolve()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a game, in data that have schemas."""
    schema, folder = find_schema(tmp_path, "chapter"), tmp_path / "games" / "g"
    schema.parent.mkdir(parents=True)
    folder.mkdir(parents=True)
    schema.write_text("{}")
    return folder


def test_the_line_for_editors_is_written(data: Path) -> None:
    """A file without such a line gets it, above all other comments, and keeps it."""
    path = data / "10-c.yaml"
    path.write_text(f"# Words.\n{chapter(CLAUSE)}")
    assert main(["fmt", str(path)]) == 0
    written = path.read_text()
    assert written == f"{MODELINE}../../schemas/chapters/chapter.schema.json\n# Words.\n{chapter(CLAUSE)}"
    assert main(["fmt", "--check", str(path)]) == 0


def test_a_line_for_editors_of_ones_own_is_kept(data: Path) -> None:
    """A file that names another schema goes on naming it, in its first line."""
    path = data / "10-c.yaml"
    path.write_text(f"# Words.\n{MODELINE}https://example.org/x.json\n{chapter(CLAUSE)}")
    assert main(["fmt", str(path)]) == 0
    assert path.read_text() == f"{MODELINE}https://example.org/x.json\n# Words.\n{chapter(CLAUSE)}"


def test_without_schemas_nothing_is_written(untidy: Path) -> None:
    """A file in a folder that has no schemas above it gets no line for editors."""
    assert main(["fmt", str(untidy)]) == 0
    assert untidy.read_text() == chapter(CLAUSE)


def test_a_relative_name_leads_to_the_schemas_too(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is found by a name that begins in its own folder."""
    (data / "10-c.yaml").write_text(chapter(CLAUSE))
    monkeypatch.chdir(data)
    assert main(["fmt", "10-c.yaml"]) == 0
    assert (data / "10-c.yaml").read_text().startswith(f"{MODELINE}../../schemas/")


def test_a_file_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not advised to make a folder."""
    assert main(["fmt", str(tmp_path / "20-none.yaml")]) == 2
    assert capsys.readouterr().err.endswith(
        "no such file or folder; name a chapter file, or a folder that holds some\n"
    )
