"""`brou show`: a clause or an open passage with its source, rules, readings, proofs and scenarios."""

from __future__ import annotations

import os
import shutil

from brou.words import find_user_language
from brou_conformance.reports.sources import find_texts
from brou_tools.documents.json_document import print_report, print_schema
from brou_tools.show.chapters_text import is_act, tell_rules
from brou_tools.show.clause import ClausesReport, gather, is_known, resolve
from brou_tools.show.clause_text import tell, tell_topic
from brou_tools.show.options import ShowOptions
from brou_tools.terminal.closing import conclude, count
from brou_tools.terminal.exits import Exit


def run(options: ShowOptions) -> int:
    """Show the clauses that are named, list those of a topic, tell when an act is refused; a name may be of two kinds.

    Or show all that is named as the chapters have it.
    """
    if options.schema:
        print_schema("clause")
        return Exit.FINE
    project = options.project
    if options.chapters:
        print("\n".join(tell_rules(name, project) for name in options.clauses), end="")
        return Exit.FINE
    lang = find_user_language(options.lang, os.environ, project)
    texts = find_texts(options.sources, os.environ)
    acts = [] if options.json else [name for name in options.clauses if is_act(name, project)]
    named = {name: resolve(name, project) for name in options.clauses if name not in acts or is_known(name, project)}
    conclude(f"found {count(len(options.clauses), 'name')}")
    if options.json:
        ids = dict.fromkeys(id_ for ids in named.values() for id_ in ids)
        print_report(ClausesReport(lang=lang, clauses=tuple(gather(id_, project, lang, texts) for id_ in ids)))
        return Exit.FINE
    width = shutil.get_terminal_size().columns
    parts = (
        tell(gather(name, project, lang, texts), project, width)
        if ids == (name,)
        else tell_topic(name, ids, project, lang, width)
        for name, ids in named.items()
    )
    print("\n".join((*parts, *(tell_rules(name, project) for name in acts))), end="")
    return Exit.FINE
