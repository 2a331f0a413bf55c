"""`brou verify --smoke`: tell whether the adapter of a program is sound, before any rule is blamed."""

from __future__ import annotations

import json
import os
import shutil

from brou.shapes import write_object
from brou.words import find_user_language
from brou_conformance.programs.session import Limits, Opener
from brou_conformance.protocol import schema
from brou_conformance.reports.sentences import Sentences
from brou_conformance.smoke.adapter import Wanted, smoke
from brou_conformance.smoke.report import summary
from brou_tools.terminal.exits import Exit
from brou_tools.terminal.workers import exit_on_sigterm
from brou_tools.verify.options import VerifyOptions

#: Columns of a page that is no terminal.
_WIDTH = 80


def run(options: VerifyOptions, opener: Opener, limits: Limits) -> Exit:
    """Examine the adapter and print the findings."""
    if options.schema:
        print(json.dumps(schema("smoke"), indent=2))
        return Exit.FINE
    words = Sentences(find_user_language(options.lang, os.environ, options.project), options.project)
    with exit_on_sigterm():
        found = smoke(opener, limits, Wanted(options.game, options.edition, options.project))
    if options.json:
        print(json.dumps(write_object(found.report())))
    else:
        print(summary(found, shutil.get_terminal_size((_WIDTH, 0)).columns, words), end="")
    if found.unusable or not found.examinations:
        return Exit.UNUSABLE
    return Exit.FINDING if found.faults else Exit.FINE
