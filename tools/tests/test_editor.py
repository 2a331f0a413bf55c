"""Chapter files in an editor: the YAML language server finds no fault in ours, and helps who writes one."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml
from language_server import EditorSession

from brou import root
from brou.chapters.schema import FORMS, find_schema

#: The server stands among the commands of the system, or of the environment that the tests run in.
SERVER = shutil.which("yaml-language-server", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        SERVER is None or shutil.which("node") is None,
        reason="the YAML language server is missing: npm install --global yaml-language-server",
    ),
]

#: A file of each kind.
FILES: Mapping[str, str] = {
    "game": "games/brouc/game.yaml",
    "chapter": "games/brouc/30-play.yaml",
    "sheet": "games/brouc/sheet.yaml",
    "prelude": "prelude/tricks.yaml",
    "packs": "prelude/packs.yaml",
    "words": "games/brouc/words.fr.yaml",
}
MODELINE = "# yaml-language-server: $schema="
CHAPTER = (
    f"{MODELINE}schemas/chapters/chapter.schema.json\nformat: brou-chapter/2\ngame: g\nchapter: c\ntitle: T\n"
    "clauses:\n- clause: a.01\n  from: []\n"
)
#: What every clause has stands behind what is tried: at the end of a file the server takes a line for a new clause.
END = "  text: Words.\n"
QUESTION = "  open:\n  - id: amb.1\n    ask: What?\n"
SHEET = f"{MODELINE}schemas/chapters/sheet.schema.json\nformat: brou-sheet/2\ngame: g\nentries:\n- entry: e\n"
#: No two texts that are tried have the same name, for the server is slow to forget one.
NUMBERS = count()


@pytest.fixture(scope="module")
def editor() -> Iterator[EditorSession]:
    """A session with the server."""
    with EditorSession(["node", str(Path(str(SERVER)).resolve()), "--stdio"]) as session:
        yield session


def open_text(editor: EditorSession, text: str) -> Path:
    """Return the path at which a text is open, beside our folder of schemas."""
    path = root() / f"tried-{next(NUMBERS)}.yaml"
    editor.open(path, text)
    return path


def offer(editor: EditorSession, text: str) -> dict[str, str]:
    """Return what is offered where a text has a bar, each with what is said of it."""
    before, after = text.split("|")
    path = open_text(editor, before + after)
    found = editor.complete(path, before.count("\n"), len(before.rpartition("\n")[2]))
    return {one["label"]: _tell(one.get("documentation", "")) for one in found}


def _tell(written: str | Mapping[str, str]) -> str:
    return written if isinstance(written, str) else written["value"]


def list_keys(record: str) -> set[str]:
    """Return the keys of a record of a chapter, as the schema has them."""
    schema: Any = json.loads(find_schema(root(), "chapter").read_bytes())
    return set(schema["$defs"][record]["properties"])


# Diagnostics ----------------------------------------------------------------------------------------------------------


def test_there_is_a_file_of_each_kind() -> None:
    """No kind of file is left out here."""
    assert FILES.keys() == FORMS.keys()


@pytest.mark.parametrize("file", FILES.values())
def test_no_fault_is_found_in_a_file_of_ours(editor: EditorSession, file: str) -> None:
    """By its first line the server finds the schema, and nothing to say against the file."""
    path = root() / file
    editor.open(path, path.read_text(encoding="utf-8"))

    assert editor.wait_diagnostics(path) == []


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        (CHAPTER + "  tets: play\n" + END, "tets", "Property tets is not allowed."),
        (CHAPTER + "  tests: plya\n" + END, "plya", 'Valid values: "play", "score", "view", "table", "advisory".'),
        (CHAPTER + "  code: must_folow\n" + END, "must_folow", '"must_follow"'),
        (CHAPTER, "clause: a.01", 'Missing property "text".'),
        (CHAPTER + "  deny: play(p, c)\n" + END, "clause: a.01", "missing property when required by property deny."),
        (CHAPTER + END + QUESTION + "    aks: What?\n", "aks", "Property aks is not allowed."),
        (CHAPTER + END + QUESTION + "    confidence: sure\n", "sure", 'Valid values: "high", "medium", "low".'),
        (CHAPTER + END + QUESTION + "    readings: {a: {why: W., wy: W.}}\n", "wy", "Property wy is not allowed."),
        (CHAPTER + "  upon: dealt\n  do: [{sett: {x: p}}]\n" + END, "sett", "Property sett is not allowed."),
        (CHAPTER + "  by: {who: turn, whom: turn}\n" + END, "whom", "Property whom is not allowed."),
        (CHAPTER + "  takes: {x: {in: hand, cde: f}}\n" + END, "cde", "Property cde is not allowed."),
        (CHAPTER + "  cases: {x: {wen: y, is: 1}}\n" + END, "wen", "Property wen is not allowed."),
        (CHAPTER + "  show: {x: {show: y, ech: z}}\n" + END, "ech", "Property ech is not allowed."),
        (CHAPTER + "  means: {x: {c for c in pack}}\n" + END, "{c for", "in quotes if it begins with [ or {."),
        (CHAPTER + "  lacks: {permit: Nothing.}\n" + END, "permit", "Property permit is not allowed."),
        (CHAPTER.replace("chapter/2", "chapter/1") + END, "brou-chapter/1", 'Value must be "brou-chapter/2".'),
        (SHEET + "  clause: a\n  says: e\n  settels: true\n", "settels", "Property settels is not allowed."),
    ],
    ids=lambda value: "" if "\n" in value else value.split()[0],
)
def test_a_mistake_is_told_at_its_place(editor: EditorSession, text: str, at: str, told: str) -> None:
    """There is one finding: at the wrong key or value, or at the record that lacks one, with words that help."""
    path = open_text(editor, text)
    found = [(one["range"]["start"], one["message"]) for one in editor.wait_diagnostics(path)]
    before = text[: text.index(at)]

    assert [place for place, _ in found] == [{"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}]
    assert told in found[0][1]


# Completion -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "record", "given"),
    [
        (CHAPTER + "  |\n" + END, "ClauseForm", {"clause", "from", "text"}),
        (CHAPTER + END + QUESTION + "    |\n", "QuestionForm", {"id", "ask"}),
        (CHAPTER + END + QUESTION + "    readings:\n      a:\n        |\n", "ReadingForm", set()),
        (CHAPTER + "  do:\n  - |\n" + END, "StepForm", set()),
        (CHAPTER + "  by:\n    |\n" + END, "ActorsEntry", set()),
        (CHAPTER + "  takes:\n    x:\n      |\n" + END, "DomainEntry", set()),
        (CHAPTER + "  cases:\n    x:\n      |\n" + END, "CaseEntry", set()),
        (CHAPTER + "  lacks:\n    |\n" + END, "LacksForm", set()),
        (CHAPTER + "  show:\n    x:\n      show: y\n      |\n" + END, "PictureForm", {"show"}),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_keys_are_offered(editor: EditorSession, text: str, record: str, given: set[str]) -> None:
    """Every key that a record may have and has not is offered, with a sentence."""
    found = offer(editor, text)

    assert list_keys(record) - given <= found.keys()
    assert given.isdisjoint(found)
    assert [key for key in list_keys(record) - given if not found[key].endswith(".")] == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (CHAPTER + "  tests: |\n" + END, "play score view table advisory"),
        (CHAPTER + "  status: |\n" + END, "stated inferred silent editor"),
        (CHAPTER + "  kind: |\n" + END, "D P S T A H"),
        (CHAPTER + "  skill: |\n" + END, "play announce claim deal"),
        (CHAPTER + END + QUESTION + "    confidence: |\n", "high medium low"),
        (CHAPTER + "  show:\n    x:\n      show: y\n      level: |\n" + END, "must may"),
        (SHEET + "  many: |\n", "true false"),
        (f"{MODELINE}schemas/chapters/words.schema.json\nformat: |\n", "brou-words/2"),
    ],
    ids=lambda value: "" if "\n" in value else value.split()[0],
)
def test_values_are_offered(editor: EditorSession, text: str, values: str) -> None:
    """Where one of a few words stands, they are offered, and nothing else."""
    assert sorted(offer(editor, text)) == sorted(values.split())


# Hover ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FORMS)
def test_every_key_is_explained(editor: EditorSession, kind: str) -> None:
    """Over each key of a file that has all of them the server says the sentence of the schema."""
    schema = json.loads(find_schema(root(), kind).read_bytes())
    plain = yaml.safe_dump(make_sample(schema, schema), sort_keys=False, default_flow_style=False)
    text = f"{MODELINE}schemas/chapters/{kind}.schema.json\n{plain}"
    path = open_text(editor, text)
    said = {
        (key.value, key.start_mark.line): editor.hover(path, key.start_mark.line, key.start_mark.column + 1)
        for key in find_keys(yaml.compose(text))
        if key.value != "any"
    }

    assert said
    assert [key for key, words in said.items() if "." not in words.partition("Source:")[0]] == []


def make_sample(schema: Mapping[str, Any], whole: Mapping[str, Any], above: tuple[str, ...] = ()) -> Any:
    """Return a value with every key that a schema names; names that are free are `any`."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return "x" if name in above else make_sample(whole["$defs"][name], whole, (*above, name))
    if "then" in schema:
        return make_sample(schema["then"], whole, above)
    if "properties" in schema:
        return {key: make_sample(one, whole, above) for key, one in schema["properties"].items()}
    if "additionalProperties" in schema:
        return {"any": make_sample(schema["additionalProperties"], whole, above)}
    return [make_sample(schema["items"], whole, above)] if schema.get("type") == "array" else "x"


def find_keys(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """Yield the keys of a text."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key
            yield from find_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for one in node.value:
            yield from find_keys(one)
