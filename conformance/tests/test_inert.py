"""What a program answers acts nowhere: not in a page of Markdown, and not in what build servers read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from brou_conformance.programs.child import Failure
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message, shorten
from brou_conformance.reports.escaping import code, prose
from brou_conformance.reports.junit import junit
from brou_conformance.reports.markdown import markdown
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import Report, verify

JOINER = "\N{WORD JOINER}"
PAGES = MarkdownIt("commonmark").enable(["table", "strikethrough"])
#: What a page may hold that is no text: a table of headings and cells, and paragraphs.
PLAIN = {"table", "thead", "tbody", "tr", "th", "td", "paragraph", "heading", "inline"}
HOSTILE = [
    "[a](https://evil.example)",
    "![a](https://evil.example/pixel.png)",
    "[a]: https://evil.example",
    "<img src=x onerror=alert(1)>",
    "<!-- --> <script>alert(1)</script>",
    "*a* **b** _c_ __d__ ~~e~~ `f` ``g``",
    "a | b || c \\| d \\\\| e",
    "# heading",
    "- item",
    "1. item",
    "> quoted",
    "&lt;b&gt; &amp; &#64;",
    "\\*a\\*",
    "$x^2$ $$y$$",
    "line\nanother\r\n\n# heading\n```\ncode\n```",
    "`" * 7,
    "end with a backslash \\",
    "\x1b[31m red \x00 \ud800 \u202e turned",
]
TEXTS = st.lists(
    st.sampled_from(
        [*"\\`*_{}[]()#+-.!|<>~@&:$^=\n\r\t \"'/aZ0", "www.", "http://", "a", "&amp;", "<b>", "](x)", "![", "``"]
    )
    | st.characters(),
    max_size=30,
).map("".join)


def inline(page: str) -> Iterator[Token]:
    """Yield what a page has in its lines."""
    for token in PAGES.parse(page):
        assert token.type.removesuffix("_open").removesuffix("_close") in PLAIN, token.type
        yield from token.children or ()


def shown(page: str) -> str:
    """Return the text of a page, in which nothing but text and code stands."""
    return "".join(token.content for token in inline(page) if token.type in ("text", "text_special", "code_inline"))


def acting(page: str) -> list[str]:
    """Return what stands in the lines of a page besides text and code."""
    return [token.type for token in inline(page) if token.type not in ("text", "text_special", "code_inline")]


def celled(*cells: str) -> str:
    """Return a table with one row."""
    return f"| {' | '.join('x' for _ in cells)} |\n|{'---|' * len(cells)}\n| {' | '.join(cells)} |\n"


def columns(page: str) -> int:
    """Return how many cells a table has, its heading aside."""
    return sum(token.type == "td_open" for token in PAGES.parse(page))


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    "place", [lambda text: celled(text, "y"), lambda text: f"**It:** {text}\n"], ids=["cell", "line"]
)
def test_prose_is_text(text: str, place: Callable[[str], str]) -> None:
    """A hostile text is shown as it is, in a cell and in a paragraph, and nothing of it acts."""
    page = place(prose(text))

    assert set(acting(page)) <= {"strong_open", "strong_close"}
    assert acting(page) == [] or page.startswith("**It:**")
    assert shorten(text).strip() in shown(page).replace(JOINER, "")


@given(TEXTS)
def test_any_prose_is_one_cell_of_text(text: str) -> None:
    """Whatever a text is made of, it parts no cells, opens nothing and is shown as it is."""
    page = celled(prose(text), "y")

    assert (acting(page), columns(page)) == ([], 2)
    assert " ".join(shorten(text).split()) in " ".join(shown(page).replace(JOINER, "").split())


@given(TEXTS)
def test_any_code_is_one_span_in_one_cell(text: str) -> None:
    """A span of code holds all of a text, whatever backquotes and strokes are in it."""
    page = celled(code(text), "y")

    assert columns(page) == 2
    assert [token.type for token in inline(page) if token.type != "text"] == ["code_inline"]


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("@everyone", f"@{JOINER}everyone"),
        ("(@a-team)", f"(@{JOINER}a-team)"),
        ("a.b@c.example", f"a.b@{JOINER}c.example"),
        ("see #12", f"see \\#{JOINER}12"),
        ("owner/repo#12", f"owner/repo\\#{JOINER}12"),
        ("!12", f"\\!{JOINER}12"),
        ("GH-12", f"GH{JOINER}-12"),
        ("https://a.example", f"https{JOINER}://a.example"),
        ("HTTP://a.example", f"HTTP{JOINER}://a.example"),
        ("www.a.example", f"www{JOINER}.a.example"),
        ("mailto:a", f"mailto{JOINER}:a"),
        (":smile:", f":{JOINER}smile:"),
        ("a@b", "a@b"),
        ("turn: 2, a#turn", "turn: 2, a\\#turn"),
    ],
)
def test_what_acts_in_a_finished_page_is_parted(text: str, parted: str) -> None:
    """Mentions, references, addresses and small pictures are looked for where no backslash helps."""
    assert prose(text) == parted


def hostile(request: Message, reply: Message) -> Message:
    """Answer with a text that would act."""
    if request["op"] == "run":
        return {
            **reply,
            "results": [{"err": " ".join(HOSTILE).encode("utf-8", "replace").decode()}] * len(reply["results"]),
        }
    return reply


@pytest.fixture
def report(changed: Callable[..., Session], corpus: Callable[..., Path]) -> Report:
    """Return the report on a program that answers so."""
    with changed(hostile, "brouc@2022") as session:
        return verify(session, Selection(corpus=corpus("  steps:\n  - {winner: true, expect: null}")))


def test_a_whole_page_holds_what_we_wrote_alone(report: Report) -> None:
    """No link, no picture, no tag and no column comes from a program."""
    page = markdown(report)

    assert [kind for kind in acting(page) if kind not in ("strong_open", "strong_close")] == []
    assert all(token.tag != "h1" for token in PAGES.parse(page))
    assert "https://" not in page
    assert "@" not in page.replace("brouc@2022", "")


@pytest.mark.parametrize(
    "text", [*HOSTILE, "]]>", "<![CDATA[", "\x00\x08\x0b\x0c\x1f\x7f\x85", "\ufffe\uffff\ud800\udfff", "&"]
)
def test_junit_is_well_formed(text: str) -> None:
    """Control characters, ends of sections and halves of characters break no reader of XML."""
    root = ET.fromstring(junit(Report({}, (), unusable=Failure("crash", text, text))).encode())  # noqa: S314 - our own

    assert root[0][0][0].tag == "error"


def test_junit_of_hostile_answers_is_well_formed(report: Report) -> None:
    """A case whose answer would break it is one case with its text."""
    root = ET.fromstring(junit(report).encode())  # noqa: S314 - our own

    assert [suite.attrib["tests"] for suite in root] == ["1"]
