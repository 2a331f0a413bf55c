"""The pages of `docs/` in the look of the site, and their sections as a file that the search of the site reads.

The theme `brou` has the head, the style and the content policy of all pages for browsers. `sections.json` lists every
section of a page: its page's title, its own, its place, and its words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

from brou import glossary
from brou.atomic import make_folder, put
from brou_tools.drawing.sharing import share_shapes
from brou_tools.pages.page_writer import LINKED_POLICY, read_asset, read_fonts

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SECTIONS = "sections.json"
_THEME, _LOOK = Path(__file__).parent / "theme", ("fonts.css", "look.css")
#: How Sphinx writes the title of a list of pages, and what it leaves out.
_CAPTION, _LEVEL = '<p class="caption" role="heading"', ' aria-level="2"'
_WORD = re.compile(r"[^\W_](?:[\w.'-]*\w)?")


def connect(app: Sphinx) -> None:
    """Let Sphinx write pages in this theme, and the sections beside them."""
    app.add_html_theme("brou", str(_THEME))
    app.add_config_value("brou_in_site", default=False, rebuild="html", types=[bool])
    app.connect("html-page-context", _describe_page)
    app.connect("build-finished", _finish)


def _describe_page(app: Sphinx, name: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Tell a page its language, which its name may end with, and its policy."""
    lang = name.rpartition(".")[2]
    context["page_lang"] = lang if lang in glossary().languages else "en"
    # Widths of columns and pictures are styles of their elements.
    context["policy"] = f"{LINKED_POLICY}; style-src-attr 'unsafe-inline'"
    context["in_site"] = app.config.brou_in_site
    if "body" in context:
        body = context["body"].replace(f"{_CAPTION}>", f"{_CAPTION}{_LEVEL}>")
        context["body"] = share_shapes(body)


def _finish(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        out = Path(app.outdir)
        assets: dict[str, str | bytes] = {name: read_asset(name) for name in _LOOK}
        for name, content in {**assets, **read_fonts()}.items():
            make_folder((out / "_static" / name).parent)
            put(out / "_static" / name, content)
        put(out / SECTIONS, json.dumps([*_list_sections(app)], ensure_ascii=False))


def _list_sections(app: Sphinx) -> Iterator[list[str]]:
    """Yield every section: the title of its page, its own, its place, and its words, each once.

    A page made from the data has an entry for all of it: its clauses and questions have entries of their own.
    """
    for name in sorted(app.env.found_docs):
        tree = app.env.get_doctree(name)
        title = app.env.titles[name].astext()
        place = app.builder.get_target_uri(name)
        if "/" in name:
            yield [title, title, place, ""]
            continue
        for number, section in enumerate(tree.findall(nodes.section)):
            head = next(iter(section.findall(nodes.title)), None)
            own = (one.astext() for one in section.children if not isinstance(one, nodes.section | nodes.title))
            words = " ".join(dict.fromkeys(_WORD.findall(" ".join(own).lower())))
            where = place if number == 0 else f"{place}#{section['ids'][0]}"
            yield [title, head.astext() if head is not None else title, where, words]
