"""`brou export`: typed or lowered rules as one JSON document, or the guide for an adapter as a page."""

from __future__ import annotations

from collections.abc import Sequence

from brou import Choice, Project, choose, rules
from brou.compiler import write_core
from brou.language import export_rules
from brou_conformance.programs.engine import choices
from brou_tools.documents.json_document import print_document, print_schema
from brou_tools.export.options import ExportOptions
from brou_tools.terminal.exits import Exit


def run(options: ExportOptions) -> int:
    """Write the rules that the names stand for, one rule base in the lowered form, or the guide for adapters."""
    if options.schema:
        print_schema("core")
        return Exit.FINE
    if options.core:
        choice = choose(options.rules[0], options.project)
        print_document("core", write_core(str(choice), dict(choice.readings), rules(choice)))
        return Exit.FINE
    if options.adapter:
        _tell(choices(options.rules, options.project), options.project)
        return Exit.FINE
    games = [
        {"rules": str(choice), "readings": dict(choice.readings), **export_rules(rules(choice))}
        for choice in choices(options.rules, options.project)
    ]
    print_document("export", {"games": games})
    return Exit.FINE


def _tell(chosen: Sequence[Choice], project: Project) -> None:
    """Print the guide of each game, for the rule bases that are chosen."""
    from brou_tools.guides.guide_text import write_guide  # noqa: PLC0415 - plays the corpus

    for game in dict.fromkeys(choice.game for choice in chosen):
        print(write_guide(game, project, [choice for choice in chosen if choice.game == game]))
