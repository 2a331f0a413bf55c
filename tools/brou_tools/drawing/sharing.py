"""Pictures of one page that share their shapes: each is drawn once, and used wherever it is drawn."""

from __future__ import annotations

import re
from collections import Counter

#: A group without groups in it: its attributes and its content.
_GROUP = re.compile(r"<g( [^>]*)?>([^<]*(?:<(?!/?g[ >])[^<]*)*)</g>")
#: Shorter ones take less room than a reference.
_SHORT = 40


def share_shapes(page: str) -> str:
    """Return a page, or a part of one, in which groups that are drawn alike appear once, after all pictures.

    Pictures look as before, and their titles stay. The page may have been shared before; a part may not be put beside
    another one, for both name their shapes alike.
    """
    shapes: dict[str, str] = {}
    while True:
        alike = Counter(inner for _, inner in _GROUP.findall(page) if len(inner) > _SHORT)
        for inner, times in alike.items():
            if times > 1:
                shapes.setdefault(inner, f"drawn-{len(shapes) + 1}")
        shared = _GROUP.sub(lambda found: _refer(found, shapes), page)
        if shared == page:
            break
        page = shared
    if not shapes:
        return page
    kept = "".join(f'<g id="{name}">{inner}</g>' for inner, name in shapes.items())
    return f'{page}<svg width="0" height="0" aria-hidden="true"><defs>{kept}</defs></svg>\n'


def _refer(found: re.Match[str], shapes: dict[str, str]) -> str:
    name = shapes.get(found[2])
    return found[0] if name is None else f'<use href="#{name}"{found[1] or ""}/>'
