"""Pages from templates: every value is escaped, and the content policy allows the page's own style and script alone."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from brou.atomic import read_named

_FOLDER = Path(__file__).parent
#: What a page of a site may load: its own files alone.
LINKED_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; worker-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'"
)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    rooms = [_FOLDER / "templates"]
    return Environment(
        loader=FileSystemLoader(rooms), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def write_whole_page(template: str, style: str, **values: object) -> str:
    """Return a page that holds its style and script, and may neither ask a host nor run any other script."""
    whole, script = f"{read_asset('look.css')}{style}", read_asset("page.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src '{_fingerprint(whole)}'",
            f"script-src '{_fingerprint(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return (
        _environment()
        .get_template(template)
        .render(
            **values,
            policy=policy,
            # Ours, and whole between its tags: the policy names them by their fingerprints.
            style=Markup(whole),  # noqa: S704
            script=Markup(script),  # noqa: S704
        )
    )


def write_linked_page(template: str, root: str, **values: object) -> str:
    """Return a page of a site, whose style and script are in the folder `root`, and which may load nothing else."""
    return _environment().get_template(template).render(**values, policy=LINKED_POLICY, root=root)


def write_data(data: object) -> Markup:
    """Return data as JSON for a script element, which nothing in it can end."""
    return Markup(json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"))  # noqa: S704 - no mark-up is left


def read_asset(name: str) -> str:
    """Return a file that pages are made from."""
    return read_named(_FOLDER / name).decode()


def read_fonts() -> Mapping[str, bytes]:
    """Return the fonts of pages and their licence, by their places beside `fonts.css`."""
    return {f"fonts/{one.name}": read_named(one) for one in sorted((_FOLDER / "fonts").iterdir())}


def _fingerprint(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"
