"""The verdict as a page for browsers: whole in one file, the explanation first, and nothing in it acts."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from html.parser import HTMLParser
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from brou_conformance.programs.child import Failure
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.sentences import Sentences
from brou_conformance.verdicts.verify import Report
from brou_tools.cli import main
from brou_tools.verify.verdict_page import write_verdict_page

if TYPE_CHECKING:
    from playwright.sync_api import Page as BrowserPage

ROOT = Path(__file__).parents[2]
MISREAD = ROOT / "conformance" / "adapters" / "python" / "misread" / "adapter.py"
#: What the program misreads, and little more.
SOME = ["--game", "brouc", "-k", "brouc.over.f"]
CASE = "brouc.over.four-trumps-and-four-clubs"
HOSTILE = "</script><script>alert(1)</script><img src=https://evil.example/x onerror=alert(2)>\" ' {{ 7*7 }} \u202e&lt;"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
#: How large a page of many cases may be.
MANY, LARGEST = 2_000, 3_000_000


class Outline(HTMLParser):
    """Reads a page: its elements with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements = list[tuple[str, dict[str, str]]]()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.elements.append((tag, {key: value or "" for key, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.text += data

    def named(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of the elements of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]


def judge(*arguments: str) -> int:
    """Run `brou verify` without its text."""
    with redirect_stdout(StringIO()):
        return main(["verify", *arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the record and the page of a program that misreads a clause."""
    made = tmp_path_factory.mktemp("verdict")
    outputs = ("--report", str(made / "run.ndjson"), "--html", str(made / "page.html"))
    assert judge(*SOME, *outputs, "--", sys.executable, str(MISREAD)) == 1
    return made


@pytest.fixture(scope="module")
def page(folder: Path) -> Outline:
    """Return that page."""
    return Outline((folder / "page.html").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_what_explains_the_failures_comes_first(page: Outline) -> None:
    """Before readings, skills and cases, with clause, source and both sides of the change."""
    titles = [page.text.index(told) for told in ("What explains it", "Questions, by", "Failing cases", "Run it again")]

    assert titles == sorted(titles)
    explained = page.text[titles[0] : titles[1]]
    assert [
        one for one in ("Your program", "The rules", "brouc.over.", "Ulf Martin, Brouc") if one not in explained
    ] == []


# Beyond the test above it guards changes that add a condition, at several places: to find one takes ten seconds.
@pytest.mark.thorough
def test_page_and_text_tell_a_change_alike(tmp_path: Path) -> None:
    """A condition added at two places: both say what the program asks besides, and the page names the places."""
    spared, told = ROOT / "conformance" / "zoo" / "brouc" / "partner_is_spared.py", StringIO()
    with redirect_stdout(told):
        command = ["verify", "--game", "brouc", "-k", "brouc.over", "--html", str(tmp_path / "page.html")]
        assert main([*command, "--", sys.executable, str(spared)]) == 1
    text, page = (
        " ".join(one.split())
        for one in (told.getvalue(), Outline((tmp_path / "page.html").read_text(encoding="utf-8")).text)
    )

    assert "The program applies it only if this also holds: not (winning != None and team(winning) == team(p))." in text
    assert " 1. brouc.over.06 " in text
    explained = text[text.index("The program applies it") : text.index(" Source: ")]
    assert re.search(r"tables/may_play/rows/\w+/when, tables/may_play/rows/\w+/when", page)
    assert explained in page


@pytest.mark.slow
def test_every_failing_case_is_on_the_page(folder: Path, page: Outline) -> None:
    """Each is there once, with its command, as in the record."""
    cases = [json.loads(line) for line in (folder / "run.ndjson").read_text(encoding="ascii").splitlines()]
    failing = {one["id"] for one in cases if one["kind"] == "case" and one["status"] == "fail"}
    shown = [one["id"] for one in page.named("details") if "case" in one.get("class", "").split()]

    assert CASE in failing
    assert sorted(shown) == sorted(f"brouc@2022:4/{one}" for one in failing)
    assert all(f"brou explain {one}#" in page.text for one in failing)


@pytest.mark.slow
def test_a_page_needs_and_may_ask_nothing(page: Outline) -> None:
    """It names no other file or host, and its policy lets nothing run but its own style and script."""
    (policy,) = [one["content"] for one in page.named("meta") if one.get("http-equiv") == "Content-Security-Policy"]

    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")
    assert {tag for tag, _ in page.elements} & {"link", "img", "iframe", "base", "object"} == set()
    assert [value for _, one in page.elements for key, value in one.items() if key in ("src", "style")] == []
    assert [key for _, one in page.elements for key in one if key.startswith("on")] == []
    assert {one["href"][0] for one in page.named("a")} == {"#"}


@pytest.mark.slow
def test_every_link_leads_somewhere_and_no_id_stands_twice(page: Outline) -> None:
    """Clauses cited in cases are told below them."""
    ids = [one["id"] for _, one in page.elements if "id" in one]

    assert len(ids) == len(set(ids))
    assert {one["href"].removeprefix("#") for one in page.named("a")} <= set(ids)


@pytest.mark.slow
def test_cards_are_drawn_with_their_short_forms(page: Outline) -> None:
    """Each card of the explanation is an element with a picture and text that is read aloud."""
    classes = {kind for one in page.named("i") for kind in one["class"].split()} - {"x"}

    assert classes
    assert "♣" in page.text
    assert all(f".{one}{{background-image" in page.text for one in classes)


@pytest.mark.slow
def test_the_page_tells_how_to_come_to_it_again(page: Outline) -> None:
    """The command stands there as it was typed, but for its outputs."""
    assert f"brou verify --game brouc -k brouc.over.f -- {sys.executable} {MISREAD}" in page.text


@pytest.mark.usefixtures("unexplained")
@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(("lang", "told"), [("fr", "Votre programme"), ("de", "Ihr Programm")])
def test_a_page_speaks_a_language(folder: Path, tmp_path: Path, lang: str, told: str) -> None:
    """Its text is in the language of the reader, and says so."""
    made = tmp_path / "page.html"
    assert judge(*SOME, "--replay", str(folder / "run.ndjson"), "--lang", lang, "--html", str(made)) == 1
    found = Outline(made.read_text(encoding="utf-8"))

    assert found.named("html") == [{"lang": lang}]
    assert told in found.text
    assert "Your program" not in found.text


#: A program that greets as another one does and gives every question an answer that would act in a page.
ROGUE = """
import json, sys
greeting, text = json.loads({greeting!r}), {text!r}
greeting["engine"] = {{"name": text, "version": text}}
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        print(json.dumps({{"id": asked["id"], "ok": True, **greeting}}), flush=True)
    elif asked["op"] == "run":
        results = [{{"ok": True}} if "act" in step else {{"err": text}} for step in asked["steps"]]
        print(json.dumps({{"id": asked["id"], "ok": True, "results": results}}), flush=True)
    else:
        print(json.dumps({{"id": asked["id"], "ok": True}}), flush=True)
"""


@pytest.mark.slow
def test_answers_of_a_program_do_not_act(folder: Path, tmp_path: Path) -> None:
    """Its name and what it says are text: no element, no attribute and no style comes from them."""
    with (folder / "run.ndjson").open(encoding="ascii") as lines:
        greeting = json.dumps(json.loads(next(lines))["greeting"])
    made, program = tmp_path / "page.html", tmp_path / "rogue.py"
    program.write_text(ROGUE.format(greeting=greeting, text=HOSTILE), encoding="utf-8")
    judge("--game", "brouc", "-k", CASE, "--html", str(made), "--", sys.executable, str(program))
    page = made.read_text(encoding="utf-8")
    found = Outline(page)

    assert len(found.named("script")) == 1
    assert found.named("img") == []
    assert [key for _, one in found.elements for key in one if key.startswith("on") or key == "src"] == []
    assert found.text.count("alert(1)") >= 2
    assert "<script>alert" not in page


def test_nothing_that_a_program_says_acts() -> None:
    """A program that cannot be used is told in text alone: no element comes from its words."""
    plain = Report({"name": "x"}, (), unusable=Failure("crash", "it ended", "x"))
    report = replace(plain, engine={"name": HOSTILE}, unusable=Failure("crash", HOSTILE, HOSTILE), notes=(HOSTILE,))
    page, usual = (write_verdict_page(one, Teller(Sentences("en")), HOSTILE) for one in (report, plain))
    found = Outline(page)

    assert [tag for tag, _ in found.elements if tag != "p"] == [tag for tag, _ in Outline(usual).elements if tag != "p"]
    assert "<script>alert" not in page
    assert "49" not in found.text.split("</style>")[-1].replace("{{ 7*7 }}", "")
    assert found.text.count("<img src=https://evil.example") >= 3


@pytest.mark.slow
def test_two_thousand_cases_make_a_page_of_less_than_three_megabytes(folder: Path) -> None:
    """As much as a case takes here, so many would take, beside the rest of the page."""
    page = (folder / "page.html").read_bytes()
    cases = re.findall(rb"<details class=case .*?</details>", page, re.DOTALL)
    each = sum(map(len, cases)) / len(cases)

    assert len(page) - sum(map(len, cases)) + MANY * each < LARGEST


# In a browser -----------------------------------------------------------------


@pytest.fixture(scope="module")
def visit(folder: Path) -> Iterator[Callable[[int, str], BrowserPage]]:
    """Return what opens the page at a width in a colour scheme, and tells of requests and of what is refused."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium")
    if find_spec("playwright") is None:
        pytest.skip("playwright is not installed")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may be missing

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def open_page(width: int, scheme: str) -> BrowserPage:
            context = browser.new_context(
                viewport={"width": width, "height": 844}, color_scheme="dark" if scheme == "dark" else "light"
            )
            found = context.new_page()
            found.goto((folder / "page.html").as_uri())
            return found

        yield open_page
        browser.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_a_page_fits_a_screen_and_asks_nobody(visit: Callable[[int, str], BrowserPage], width: int) -> None:
    """Nothing sticks out at the side, nothing is refused by the policy, and only the file itself is fetched."""
    page = visit(width, "light")
    heard = list[str]()
    page.on("console", lambda message: heard.append(message.text))
    page.on("request", lambda request: heard.append(request.url))
    page.reload()

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert [one for one in heard if not one.startswith(("file:", "data:"))] == []


@pytest.mark.slow
def test_cases_can_be_filtered_and_read_with_the_keyboard_alone(visit: Callable[[int, str], BrowserPage]) -> None:
    """A word leaves the cases that have it; a key opens one, whose cards are drawn."""
    page = visit(1280, "light")
    page.get_by_role("searchbox").focus()
    page.keyboard.type("four-trumps")
    page.get_by_text("1 of ").wait_for()
    shown = page.locator("details.case:visible")
    shown.locator("summary").focus()
    page.keyboard.press("Enter")

    assert shown.count() == 1
    assert shown.get_by_text("Step by step").is_visible()
    assert shown.locator("ol.acts i").count() > 0


@pytest.mark.slow
def test_dark_is_dark(visit: Callable[[int, str], BrowserPage]) -> None:
    """The page follows what the reader has chosen."""
    shades = [
        visit(390, scheme).evaluate("getComputedStyle(document.body).backgroundColor") for scheme in ("light", "dark")
    ]
    light, dark = (sum(map(int, re.findall(r"\d+", shade)[:3])) for shade in shades)

    assert light > 700
    assert dark < 120
