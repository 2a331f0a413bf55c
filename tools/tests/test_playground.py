"""The page on which cards are laid: what is written down in it, how it is used, and that its rules are the desk's."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest
from browsing import open_browser

from brou import (
    BrouError,
    Choice,
    Project,
    Question,
    book,
    catalogue,
    choose,
    identity,
    open_project,
    rules,
    with_readings,
)
from brou.games.bundling import write_bundle
from brou.page import ask
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import ScriptStep
from brou_conformance.scenarios.script import Script, spell
from brou_tools.cli import main
from brou_tools.pages.page_writer import read_asset
from brou_tools.site.engine import PACKAGE
from brou_tools.site.engine.engine_files import list_engine_files, place_engine
from brou_tools.site.play_page import PlayPage
from brou_tools.situation.examples import choose_rules

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
#: Where `make site` unpacks the npm package; another place may be named.
PYODIDE = Path(os.environ.get("BROU_PYODIDE", ROOT / "build" / "pyodide" / "package"))
#: What a visitor fetches before the rules, and with those of one game, in bytes as they are sent.
PAGE, ENGINE = 60_000, 6_000_000
LANGUAGES = ("en", "fr", "de")

in_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None, reason="no Chromium, or playwright is not installed"
)
with_engine = pytest.mark.skipif(
    shutil.which("node") is None or not (PYODIDE / "pyodide.mjs").is_file(),
    reason=f"no Node, or {PACKAGE} is not in build/pyodide (`make site`)",
)


#: A game in chapters, whose rules are made anew for choices that no bundle holds.
GAME = "homme-d-auvergne"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Return the site of a new project without the rules that answer everything, and its address."""
    folder = tmp_path_factory.mktemp("play")
    with chdir(folder), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["new", "duet"]) == 0
    with chdir(folder / "duet"), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["site", "--lang", "en", "--brief", "-o", "pages"]) == 0
    pages = folder / "duet" / "pages"
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(pages))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield pages, f"http://127.0.0.1:{server.server_port}/en/duet/play.html"
        server.shutdown()


@pytest.fixture(scope="module")
def page(site: tuple[Path, str]) -> Iterator[Page]:
    """Return its page in a browser."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not installed everywhere

    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        opened = browser.new_page()
        opened.goto(site[1])
        yield opened
        browser.close()


def list_changed(game: str) -> list[Choice]:
    """Return choices of the first edition: with each reading changed that may be, one after the other."""
    found, other = list[Choice](), choose(game)
    for key, reading in book(game).readings.items():
        for value in reading.values:
            if value != dict(other.readings).get(key):
                try:
                    other = with_readings(other, {key: value})
                except BrouError:
                    continue
                found.append(other)
                break
    return found[1:4]


def read_told(site: tuple[Path, str]) -> Any:
    """Return what the page is told as data."""
    text = (site[0] / "en" / "duet" / "play.html").read_text(encoding="utf-8")
    return json.loads(text.partition("id=told>")[2].partition("</script>")[0])


@pytest.mark.slow
def test_written_answers_are_those_of_the_rules(site: tuple[Path, str]) -> None:
    """Each situation has the answer to what may be played, and why for every card of the hand."""
    told = read_told(site)

    assert told["situations"]
    assert len(told["answers"]) == sum(1 + len(one["position"]["hand"]) for one in told["situations"])
    assert all(
        answer == json.loads(ask(json.dumps(question), open_project(site[0].parent)))
        for question, answer in told["answers"]
    )


@pytest.mark.slow
def test_a_page_without_rules_says_so_and_starts_no_worker(site: tuple[Path, str]) -> None:
    """It knows no engine, and none lies there."""
    assert read_told(site)["engine"] == ""
    assert not (site[0] / "run").exists()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["brouc"])
def test_a_page_is_small(game: str) -> None:
    """What is sent before the rules: page, style, script and the cards."""
    project = open_project(None)
    shown = PlayPage(game, "fr", project)
    data = json.dumps([shown.describe({}), shown.list_written(), shown.list_answered()], ensure_ascii=False)
    sent = [data, *map(read_asset, ("fonts.css", "look.css", "play.css", "live.js", "play.js", "page.js"))]

    assert sum(len(gzip.compress(one.encode())) for one in sent) < PAGE / 2


@pytest.mark.slow
@in_browser
def test_a_card_is_asked_about_with_the_mouse(page: Page) -> None:
    """A card that may not be played says so in its name, and the answer has a clause with a link to its page."""
    page.get_by_role("button", name="may not be played").first.click()

    answer = page.locator("#answer")
    assert "may not be played" in answer.inner_text()
    assert (answer.locator("a").first.get_attribute("href") or "").startswith("duet.")
    assert "card=" in page.url


@pytest.mark.slow
@in_browser
def test_a_card_is_asked_about_with_the_keyboard(page: Page) -> None:
    """Arrows move from card to card, of which one is reached by the tabulator; Enter asks."""
    cards = page.locator("#hand button")
    cards.first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")

    assert page.locator("#hand [tabindex='0']").count() == 1
    assert cards.nth(1).get_attribute("aria-pressed") == "true"
    assert page.locator("#answer h3").inner_text() != ""


@pytest.mark.slow
@in_browser
def test_arrows_stay_in_their_group(page: Page, site: tuple[Path, str]) -> None:
    """One trump after the other, without losing the keyboard between two of them."""
    page.locator("[name=trump]").first.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")

    suits = page.locator("[name=trump]")
    assert suits.nth(2).is_checked()
    assert suits.nth(2).evaluate("one => one === document.activeElement")
    page.goto("about:blank")
    page.goto(site[1])


@pytest.mark.slow
@in_browser
def test_who_lays_the_cards_begins_with_nothing(page: Page, site: tuple[Path, str]) -> None:
    """The place to lay them is open, and no card or trump of the position before is left."""
    page.get_by_role("combobox", name="Situation").select_option("")

    assert page.locator("#lay").evaluate("one => one.open")
    assert page.locator("#hand button, #trick button").count() == 0
    assert page.locator("[name=trump]").last.is_checked()
    page.goto("about:blank")
    page.goto(site[1])


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hombre", "brouc"])
def test_a_deal_without_trumps_can_be_laid_where_there_is_one(game: str) -> None:
    """That there is no trump is laid of it as known, and the page can choose it; in other games it cannot."""
    shown = PlayPage(game, "en", open_project(None))
    plain = [one for one in shown.situations if one.position.get("trump", "") is None]
    described = shown.describe({})["rules"]

    assert isinstance(described, list)
    assert all(one["trumpless"] == bool(plain) for one in described if isinstance(one, dict))
    assert bool(plain) == (game == "hombre")
    for one in plain[:1]:
        position = dict(one.position)
        asked = {"ask": "legal", "rules": one.rules, "lang": "en", "seat": one.seat, "position": position}
        answer = json.loads(ask(json.dumps(asked)))
        assert answer["hangs"] == []
        assert set(answer["cards"].values()) == {"yes"}


@pytest.mark.slow
@in_browser
def test_no_trump_is_chosen_and_stands_in_the_address(page: Page, site: tuple[Path, str]) -> None:
    """It is another choice than a trump that is not known, and comes back with the address."""

    def allow(route: Route) -> None:
        text = route.fetch().text()
        assert '"trumpless": false' in text
        route.fulfill(body=text.replace('"trumpless": false', '"trumpless": true'), content_type="text/html")

    page.route("**/play.html", allow)
    page.goto("about:blank")
    page.goto(site[1])
    page.get_by_label("no trump").check()
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    chosen = page.get_by_label("no trump").is_checked()
    page.unroute("**/play.html")
    page.goto("about:blank")
    page.goto(site[1])

    assert "trump=-" in address
    assert chosen


@pytest.mark.slow
@in_browser
def test_what_is_not_written_down_is_said_to_be_missing(page: Page, site: tuple[Path, str]) -> None:
    """Another trump is a question that nothing on the page answers."""
    page.get_by_role("radio").last.check()

    page.get_by_text("made without the rules").first.wait_for()
    page.goto("about:blank")
    page.goto(site[1])


@pytest.mark.slow
@in_browser
def test_an_address_leads_back_to_its_question(page: Page) -> None:
    """Opened anew, it shows the same card and the same answer."""
    page.get_by_role("button", name="may not be played").first.click()
    said, address = page.locator("#answer").inner_text(), page.url
    page.goto("about:blank")
    page.goto(address)

    page.locator("#answer h3").wait_for()
    assert page.locator("#answer").inner_text() == said


@pytest.mark.slow
@in_browser
def test_a_telephone_shows_four_cards_in_a_row(page: Page) -> None:
    """At 390 pixels, and nothing is wider than the screen."""
    page.set_viewport_size({"width": 390, "height": 844})
    tops = [box["y"] for one in page.locator("#hand li").all() if (box := one.bounding_box()) is not None]
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.set_viewport_size({"width": 1280, "height": 800})

    assert max(tops.count(top) for top in tops) <= 4
    assert wide <= 390


#: What stands for a worker: it keeps each question until the test has it answered.
STAND_IN = """window.workers = [];
window.Worker = class {
  constructor() {
    this.held = null;
    this.ended = false;
    workers.push(this);
    setTimeout(() => this.onmessage({ data: { ready: true } }));
  }
  postMessage({ number, text }) { this.held = { number, text }; }
  terminate() { this.ended = true; }
};"""


class HeldPage:
    """A card page whose questions are answered when the test says so."""

    def __init__(self, page: Page, project: Project) -> None:
        self.page, self.project = page, project
        self.answer = page.locator("#answer")
        self.cards = page.locator("#hand button")

    def reply(self, worker: int = 0) -> None:
        """Have the question that a worker holds answered by the rules."""
        held = self.page.evaluate(
            "at => { const { held } = workers[at]; workers[at].held = null; return held; }", worker
        )
        data = {"number": held["number"], "text": ask(held["text"], self.project)}
        self.page.evaluate("([at, data]) => workers[at].onmessage({ data })", [worker, data])

    def name(self, at: int) -> str:
        """Return the name of a card of the hand as the answer has it."""
        card = self.cards.nth(at).get_attribute("data-card")
        told = json.loads(self.page.locator("#told").text_content() or "")
        return str(told["cards"][card]["short"])


@pytest.fixture
def held_page(site: tuple[Path, str], page: Page) -> Iterator[HeldPage]:
    """Return the page with the first hand in it, knowing no answer yet but which cards may be played."""
    assert page.context.browser is not None
    opened = page.context.browser.new_page()

    def forget(route: Route) -> None:
        told = read_told(site)
        known = json.dumps({**told, "answers": [], "engine": "stand-in.mjs", "bundle": "duet"})
        before, _, rest = (site[0] / "en" / "duet" / "play.html").read_text(encoding="utf-8").partition("id=told>")
        body = f"{before}id=told>{known}</script>{rest.partition('</script>')[2]}"
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    opened.route("**/play.html", forget)
    opened.add_init_script(STAND_IN)
    opened.goto(site[1])
    opened.get_by_text("The rules answer here").wait_for()
    found = HeldPage(opened, open_project(site[0].parent))
    found.reply()
    yield found
    opened.close()


@pytest.mark.slow
@in_browser
def test_an_answer_goes_when_another_card_is_chosen(held_page: HeldPage) -> None:
    """The box names the new card at once, and its question does not wait for the search for other readings."""
    held_page.cards.nth(0).click()
    held_page.reply()
    held_page.answer.get_by_text("Checking whether another reading").wait_for()
    held_page.cards.nth(1).click()

    assert held_page.answer.inner_text().split("\n\n") == [held_page.name(1), "Looking up the rule."]
    assert [one["ended"] for one in held_page.page.evaluate("workers.map(({ ended }) => ({ ended }))")] == [False, True]
    held_page.reply()
    held_page.answer.get_by_text("be played").wait_for()
    assert held_page.answer.locator("h3").inner_text().startswith(held_page.name(1))


@pytest.mark.slow
@in_browser
def test_an_answer_that_no_reading_changes_says_so(held_page: HeldPage) -> None:
    """It says so only after all readings were looked at."""
    refused = held_page.page.locator("#hand .no").first
    refused.click()
    held_page.reply()
    same = held_page.answer.get_by_text("No other reading changes this.")
    held_page.answer.get_by_text("Checking whether another reading").wait_for()

    assert same.count() == 0
    held_page.reply(1)
    same.wait_for()


@pytest.mark.slow
@in_browser
def test_a_card_cites_no_clause_that_says_nothing_about_it(held_page: HeldPage) -> None:
    """Of a card that follows suit the duty to follow is cited, and not that everybody plays one card to each trick."""
    held_page.page.locator("#hand .yes").first.click()
    held_page.reply()
    held_page.answer.get_by_text("No duty stands in the way").wait_for()
    allowed = held_page.answer.locator("> p a.id").all_inner_texts()
    held_page.page.locator("#hand .no").first.click()
    held_page.reply()
    held_page.answer.locator("blockquote").wait_for()
    refused = held_page.answer.locator("> p a.id, blockquote a.id").all_inner_texts()
    plain = json.loads(held_page.page.locator("#told").text_content() or "")["rules"][0]["plain"]

    assert allowed == refused
    assert plain not in allowed


@pytest.mark.slow
@in_browser
def test_a_deal_marks_the_cards_that_the_rules_offer(held_page: HeldPage) -> None:
    """They are known from the deal: no question about the view is asked, and the chosen card can be played."""
    held_page.page.get_by_role("button", name="Deal", exact=True).click()
    held_page.reply()
    held_page.page.locator("#hand .yes").first.wait_for()
    assert held_page.page.evaluate("workers[0].held") is None
    held_page.page.locator("#hand .yes").first.click()
    held_page.reply()

    held_page.answer.get_by_role("button", name="Play this card").wait_for()
    assert '"cards"' not in parse_qs(held_page.page.url.partition("#")[2])["deal"][0]


@pytest.mark.slow
@in_browser
def test_the_language_and_the_agreement_keep_the_cards(site: tuple[Path, str], page: Page) -> None:
    """The link to the agreement takes along what is laid, and the link back has it still."""
    page.goto("about:blank")
    page.goto(site[1])
    page.locator("#hand button").nth(1).click()
    before = parse_qs(page.url.partition("#")[2])
    page.locator("a.agree").first.click()
    page.get_by_role("link", name="May I play this card, by these rules?").click()
    page.locator("#answer h3").wait_for()

    assert parse_qs(page.url.partition("#")[2]) == before
    page.goto("about:blank")
    page.goto(site[1])


@pytest.mark.slow
@in_browser
def test_rules_without_cards_are_shown_with_a_situation(site: tuple[Path, str], page: Page) -> None:
    """Whoever comes from an agreement finds cards on the table, and the agreement in force."""
    rules_id = read_told(site)["rules"][0]["id"]
    page.goto("about:blank")
    page.goto(f"{site[1]}#rules={rules_id}")
    page.locator("#hand button").first.wait_for()

    chosen = page.get_by_role("combobox", name="Situation").input_value()
    assert read_told(site)["situations"][int(chosen)]["rules"] == rules_id
    page.goto("about:blank")
    page.goto(site[1])


@pytest.mark.slow
@in_browser
def test_the_agreement_in_force_stands_above_the_cards(held_page: HeldPage) -> None:
    """The number of answers that differ from the edition, and which."""
    differs = held_page.page.locator("#other")
    before = differs.inner_text()
    held_page.page.locator("#agreed summary").click()
    held_page.page.locator("#readings [type=radio]:not(:checked)").first.click()

    assert before == "All as in the edition."
    assert differs.inner_text().startswith("Answers that differ from the edition: 1. ")


@pytest.mark.slow
def test_chapters_are_read_alike_without_msgspec(tmp_path: Path) -> None:
    """The rules of a choice that a bundle does not hold are the same with what stands for msgspec in a browser."""
    write_bundle(tmp_path / "rules", [GAME])
    program = (
        "import sys, runpy, types\n"
        "stand_in = types.ModuleType('msgspec'); sys.modules['msgspec'] = stand_in\n"
        "exec(compile(open(sys.argv[1], encoding='utf-8').read(), 'msgspec', 'exec'), stand_in.__dict__)\n"
        "from pathlib import Path\nfrom brou import choose, identity, rules\n"
        "assert not hasattr(stand_in, '_core')\n"
        "for name in sys.argv[3:]: print(identity(rules(choose(name, Path(sys.argv[2])), Path(sys.argv[2]))))"
    )
    stand_in = ROOT / "tools" / "brou_tools" / "site" / "engine" / "plain_msgspec.py"
    names = [choice.full for choice in list_changed(GAME)]
    ended = subprocess.run(
        [sys.executable, "-c", program, str(stand_in), str(tmp_path / "rules"), *names],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 0, ended.stderr[-2000:]
    assert ended.stdout.split() == [identity(rules(choose(name))) for name in names]


# The rules in a browser --------------------------------------------------------------


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what a site fetches to answer by the rules of Brouc, and a bundle of each game."""
    made = tmp_path_factory.mktemp("engine")
    for name, content in list_engine_files(PYODIDE, ["brouc"], open_project(None)):
        (made / name).write_bytes(content)
    (made / "library.zip").write_bytes(gzip.decompress((made / "library.zip.gzip").read_bytes()))
    (made / "rules").mkdir()
    (made / "rules" / "brouc").write_bytes(gzip.decompress((made / "brouc.gzip").read_bytes()))
    return made


def ask_there(engine: Path, questions: Sequence[Any]) -> list[Any]:
    """Return what the rules answer in Pyodide, in Node."""
    host = Path(__file__).with_name("engine_host.mjs")
    lines = [json.dumps({"game": one["rules"].partition("@")[0], "text": json.dumps(one)}) + "\n" for one in questions]
    ended = subprocess.run(
        ["node", str(host), str(PYODIDE.resolve()), str(engine), str(engine / "rules")],  # noqa: S607
        input="".join(lines),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    return [json.loads(line) for line in ended.stdout.splitlines()]


def list_steps(game: str) -> Iterator[tuple[Script, int, str]]:
    """Yield every step of every scenario of a game that can be dealt."""
    project = open_project(None)
    for one in corpus.scenarios(game, project):
        try:
            script = spell(one, choose_rules(one, None, project))
        except BrouError:
            continue
        yield from ((script, number, one.id) for number in range(len(script.steps)))


def put_step(script: Script, number: int, subject: str, lang: str) -> dict[str, Any]:
    """Return the question of a step, as a page asks it."""
    step = script.steps[number]
    question = _read_question(step)
    moves = [
        {"step": one.id, "by": one.deed[0], "act": dict(one.deed[1])}
        for one in script.steps[:number]
        if one.verb == "act"
    ]
    asked = {"kind": question.kind, "seat": question.seat, "act": question.act, "keys": list(question.keys)}
    return {
        "ask": "explain",
        "rules": script.choice.full,
        "lang": lang,
        "start": script.start,
        "moves": moves,
        "question": asked,
        "subject": f"{subject}#{step.id}",
    }


def _read_question(step: ScriptStep) -> Question:
    if step.verb == "act":
        return Question("act", *step.deed)
    asked = step.message[step.verb]
    keys = tuple(dict.fromkeys(key for pattern in step.patterns for key in pattern.hides))
    return Question(step.verb, asked if type(asked) is int else 0, None, keys)


@with_engine
@pytest.mark.slow
def test_the_rules_of_a_page_are_small(engine: Path) -> None:
    """All that is fetched for one game, as it is sent."""
    packed = [path for path in engine.iterdir() if path.suffix == ".gzip"]
    plain = [path for path in engine.iterdir() if path.suffix == ".mjs"]

    sent = sum(path.stat().st_size for path in packed)
    assert sent + sum(len(gzip.compress(path.read_bytes())) for path in plain) < ENGINE


@with_engine
@pytest.mark.slow
def test_a_share_of_the_steps_is_explained_as_on_the_desk(engine: Path) -> None:
    """One in forty of Brouc, with rules that no bundle holds among them, each in one language."""
    steps = list(list_steps("brouc"))[::40]
    questions = [put_step(*one, LANGUAGES[number % 3]) for number, one in enumerate(steps)]
    position = next(iter(PlayPage("brouc", "en", open_project(None)).situations))
    asked = {"ask": "legal", "lang": "de", "seat": position.seat, "position": dict(position.position)}
    questions += [
        {**asked, "rules": "brouc@2022[exception_scope=any-trump-play,marking=explicit-any]"},
        {**asked, "ask": "why", "rules": "brouc@2022[match_ticks=7]", "act": {"play": position.hand[0]}},
    ]

    assert ask_there(engine, questions) == [json.loads(ask(json.dumps(one))) for one in questions]


@with_engine
@pytest.mark.slow
def test_what_the_command_says_the_page_says(engine: Path) -> None:
    """The document of `brou explain --json`, letter by letter."""
    script, number, subject = next(iter(list_steps("brouc")))
    with redirect_stdout(StringIO()) as told, redirect_stderr(StringIO()):
        main(["explain", f"{subject}#{script.steps[number].id}", "--json", "--lang", "fr"])

    assert ask_there(engine, [put_step(script, number, subject, "fr")]) == [json.loads(told.getvalue())]


@with_engine
@pytest.mark.thorough
@pytest.mark.parametrize("game", catalogue())
def test_every_step_is_explained_as_on_the_desk(game: str, engine: Path) -> None:
    """All steps of all scenarios in all languages."""
    write_bundle(engine / "rules" / game, [game], varied=True)
    questions = [put_step(*one, lang) for one in list_steps(game) for lang in LANGUAGES]

    assert ask_there(engine, questions) == [json.loads(ask(json.dumps(one))) for one in questions]


#: Asks a worker of a page one question after the other.
ASKED = """async ([engine, bundle, questions]) => {
  const worker = window.asked ??= new Worker(engine, { type: "module" });
  const put = (text) => new Promise((done, fail) => {
    worker.onerror = (error) => fail(new Error(error.message));
    worker.onmessage = ({ data }) => {
      if (data.ready) return;
      if (data.text) done(data.text); else fail(new Error(data.broken || data.failed));
    };
    worker.postMessage({ number: 0, game: bundle, text });
  });
  const found = [];
  for (const one of questions) found.push(await put(one));
  return found;
}"""


@contextmanager
def serve(pages: Path) -> Iterator[str]:
    """Serve a folder of pages; yield the address of it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(pages))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def live_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of all games with what answers their questions."""
    pages = tmp_path_factory.mktemp("live") / "pages"
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["site", "--lang", "en", "--brief", "--engine", str(PYODIDE), "-o", str(pages)]) == 0
    return pages


@with_engine
@in_browser
@pytest.mark.thorough
@pytest.mark.parametrize("game", catalogue())
def test_every_step_is_explained_in_a_browser_as_on_the_desk(game: str, live_site: Path) -> None:
    """All steps of all scenarios in all languages, asked in a worker of the card page."""
    questions = [json.dumps(put_step(*one, lang)) for one in list_steps(game) for lang in LANGUAGES]
    with serve(live_site) as address, open_browser() as browser:
        page = browser.new_page()
        page.set_default_timeout(0)
        page.goto(f"{address}/en/{game}/play.html")
        told = json.loads(page.locator("#told").text_content() or "")
        for first in range(0, len(questions), 300):
            some = questions[first : first + 300]
            found = page.evaluate(ASKED, [told["engine"], told["bundle"], some])
            assert [json.loads(one) for one in found] == [json.loads(ask(one)) for one in some]


@with_engine
@in_browser
@pytest.mark.thorough
def test_a_deal_is_played_to_its_end_in_a_browser(live_site: Path) -> None:
    """By clicks: a card that lights up, and the button that plays it, until the page lists every figure of the deal."""
    with serve(live_site) as address, open_browser() as browser:
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{address}/en/brouc/play.html")
        page.get_by_role("button", name="Deal", exact=True).click()
        answer = page.locator("#answer")
        turn, end = answer.get_by_text("It is your turn"), answer.get_by_text("The deal is over")
        turn.wait_for()
        for _ in range(8):
            page.get_by_role("button", name="may be played").first.click()
            page.get_by_role("button", name="Play this card").click()
            turn.or_(end).first.wait_for()

        assert answer.get_by_text("card points of the deal").count() == 2
        assert answer.locator("li a.id").count() > 0


@pytest.mark.slow
def test_files_of_an_engine_are_placed_by_their_content() -> None:
    """Another bundle has another name and leaves the rest where it was; another worker moves all but the bundles."""
    files = {"worker.mjs": b"w", "engine.mjs": b"e", "a.gzip": b"rules"}
    placed = place_engine(files, ["a"])
    other = place_engine({**files, "a.gzip": b"other rules"}, ["a"])
    moved = place_engine({**files, "engine.mjs": b"newer"}, ["a"])

    assert placed.files[placed.worker] == b"w"
    assert placed.files[f"run/{placed.bundles['a']}.gzip"] == b"rules"
    assert (other.worker, other.bundles == placed.bundles) == (placed.worker, False)
    assert (moved.bundles, moved.worker == placed.worker) == (placed.bundles, False)
    assert len(placed.files) == len(files)
