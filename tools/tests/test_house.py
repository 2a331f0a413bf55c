"""The house is in order: what documents say is so, files are of a size to be read, and no code knows a game."""

from __future__ import annotations

import ast
import gc
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path

import pytest
from test_cookbook import PAGES

from brou import book, catalogue, choose, rules

ROOT = Path(__file__).parents[2]
ROOMS = ("spec", "reference", "conformance", "tools", "docs")
PAPERS = ("CONTRIBUTING.md", "SECURITY.md")
PACKAGES = ("reference/brou", "conformance/brou_conformance", "tools/brou_tools")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TEXTS = {".cfg", ".html", ".json", ".md", ".py", ".toml", ".yaml", ".yml"}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b")

#: Names that say nothing of what a module holds.
DRAWERS = {"base", "common", "core", "helper", "helpers", "manager", "misc", "util", "utils"}

#: None, one and a pair: indexes, steps, the two operands of an operator.
STRUCTURE = {0, 1, 2}

#: Every other whole number in the code, with the reason why it is none of a game: those stand in `spec/games`. Games
#: know no fractions, and the sizes of caches are nobody's business.
NUMBERS: dict[str, dict[int, str]] = {
    "brou_conformance/messages.py": {
        15: "the last seat that a message may name",
        16: "numbers in a list",
        52: "packets of a deal",
        64: "games, editions or set-ups in a list",
        104: "cards in a list, two packs",
        200: "characters of a name",
        1024: "requests in flight",
        10000: "steps of a script, and characters of a reason",
    },
    "brou_tools/bench/browser.py": {
        5: "positions that are asked about, and pages that are opened",
        100: "milliseconds until a page is there",
        5000: "milliseconds until the rules are ready",
        50: "milliseconds that somebody waits after a click",
        150: "milliseconds that somebody waits for a reason",
        300: "milliseconds that somebody waits for a reason with all readings",
    },
    "brou_tools/site/engine/engine_files.py": {
        9: "how hard a file is packed",
        12: "letters of a fingerprint in a name",
        1000: "characters of a message",
        1980: "the first year of an archive",
    },
    "brou_tools/site/engine/pack_library.py": {
        4: "bytes of a mark in a compiled module",
        8: "bytes of a hash in a compiled module",
        1980: "the first year of an archive",
    },
    "brou/interpreter/partial.py": {200: "how many values of a cell are tried one by one"},
    "brou/interpreter/view_reader.py": {
        128: "how many cases a view may leave open",
        3000: "how many steps reading a view back may take",
        200: "how much of a message is shown",
    },
    "brou/interpreter/sight.py": {10: "cases looked at for each card, and for an act that plays no card"},
    "brou/cache.py": {
        2048: "entries kept",
        0o700: "rights of a private folder",
        0o022: "rights that others have to write",
        32: "digits of a name",
    },
    "brou/dataclass.py": {50: "objects after which filling them is compiled"},
    "brou/key.py": {
        32: "bytes of a key",
        4: "bytes of a name that is drawn",
        0o600: "rights of a private file",
        0o700: "rights of a private folder",
        0o022: "rights that others have to write",
        0o077: "rights that others have",
    },
    "brou/errors.py": {
        1000: "characters of a name",
        100: "faults told at once",
        24: "names told of few",
        3: "names told of many",
    },
    "brou/atomic.py": {
        0o666: "rights of a new file",
        0o7777: "all rights of a file",
        40: "characters of a name",
        8: "bytes of a name",
        0o777: "rights of a new folder",
    },
    "brou/chapters/conditions.py": {8: "names spelt out one in another", 1000: "answers that are tried"},
    "brou/chapters/texts.py": {8: "digits of a mark"},
    "brou/chapters/short_names.py": {40: "characters of a title", 30: "characters of a name"},
    "brou/chapters/steps.py": {20: "effects that lie within each other", 200: "effects that an act runs"},
    "brou/chapters/exemptions.py": {30: "exceptions that are spelt out together"},
    "brou/chapters/terms.py": {100: "levels of a tree"},
    "brou/chance.py": {
        0x5851F42D4C957F2D: "what makes another seed of a seed",
        0x9E3779B97F4A7C15: "splitmix64",
        0xBF58476D1CE4E5B9: "splitmix64",
        0x94D049BB133111EB: "splitmix64",
        27: "splitmix64",
        30: "splitmix64",
        31: "splitmix64",
        64: "bits of a word",
        32: "words of a block",
        128: "bits of a lane",
    },
    "brou/language/budget.py": {10_000_000: "steps of a decision"},
    "brou/language/cost.py": {
        50_000: "operations of a file written out",
        8: "members that take one step",
    },
    "brou/language/memo.py": {16: "typings kept of one node"},
    "brou/games/catalogue.py": {4: "rule bases that are unpacked before one is typed"},
    "brou/language/codec.py": {200: "characters of a message"},
    "brou/compiler/memo.py": {50_000: "terms of a ground"},
    "brou/compiler/emit_lines.py": {110: "characters of a line"},
    "brou/compiler/emit_terms.py": {10: "operations written in one line"},
    "brou/core_terms.py": {3: "terms of a loop", 4: "and the default behind them"},
    "brou/native/c_module.py": {
        64: "bits of a mask of acts",
        4: "words of a set",
        100: "characters of a line",
    },
    "brou/native/c_terms.py": {4: "values asked one by one"},
    "brou/native/c_types.py": {31: "bits of a number", 4: "bytes of a number", 8: "bytes of a word"},
    "brou/native/structures.py": {5: "codes that functions return"},
    "brou/native/built_engines.py": {32: "letters of a name", 16: "letters of a hash in a name"},
    "brou/native/data_engine.py": {
        2048: "offers that a list has room for",
        256: "cards that an act passes",
        8: "values of an act",
        4: "sums of a run",
    },
    "brou/native/data_program.py": {
        255: "cards that a byte counts",
        4: "words of a set",
        8: "values of an act",
        96: "locals of a routine",
        4096: "values that are made on the way",
        3: "the place behind the body of a loop",
    },
    "brou/native/wasm_interface.py": {16: "power of two that is a page", 8: "bytes of a word"},
    "brou/native/loaded_engine.py": {
        32: "bytes of a fingerprint",
        14: "power of two that is the room for a document",
    },
    "brou/native/batch.py": {
        12: "values told one by one",
        20_000: "acts of a match that does not end",
        64: "bits of a hash",
        0x100000001B3: "the prime of the hash",
    },
    "brou/native/shared_object.py": {
        16: "letters of a name",
        500: "characters of a message",
        25: "a family of processors",
    },
    "brou_tools/build/built_in_advance.py": {4: "words of a set"},
    "brou_tools/bench/growth.py": {
        200: "mutants of a draw",
        2000: "random acts",
        1024: "kilobytes of a megabyte",
        1000: "deals, and cases",
        100: "cases",
        30: "rule bases",
        10: "what sizes grow by",
    },
    "brou_tools/bench/merging.py": {1000: "shards", 20: "matches of a shard", 3: "rounds"},
    "brou_tools/simulate/worth_page.py": {6: "digits that are kept"},
    "brou_tools/bench/growth_page.py": {
        70: "pixels",
        40: "pixels",
        300: "pixels",
        200: "pixels",
        90: "pixels",
        3: "pixels",
        5: "pixels",
        4: "pixels",
        10: "the base of the scales",
    },
    "brou_tools/bench/options.py": {100_000: "deals"},
    "brou_tools/mutate/random_play.py": {20_000: "random acts"},
    "brou/compiler/set_words.py": {64: "cards of a word"},
    "brou/compiler/finding.py": {64: "values of loops that are written out"},
    "brou/compiler/rebuild.py": {
        80: "different operations of a routine that is written out",
        200: "operations of a routine or a loop that is written out",
        20: "operations of a let that is written out",
    },
    "brou/compiler/cse_steps.py": {
        3: "operations that are worth a local",
        5: "operations that are computed for nothing",
        10: "operations that a call is worth",
    },
    "brou/compiler/case_analysis.py": {5000: "cases gone through"},
    "brou/language/advice.py": {
        16: "names listed in a message",
        80: "characters shown of an expression",
    },
    "brou/language/expression.py": {
        600: "characters of an expression",
        30: "levels of one",
        80: "characters shown of one",
        40: "characters shown of a literal",
    },
    "brou/language/load.py": {
        3: "operators in a cell of a table",
        30: "functions that call each other in a row",
        120: "operations within each other",
    },
    "brou/compiler/lower_expressions.py": {14: "operations of a function that is written out"},
    "brou/compiler/lower_quantifiers.py": {100: "operations of a quantifier that is written out"},
    "brou/compiler/lowered.py": {
        31: "bits of a number, its sign apart",
        4: "operations within each other that are written of a term",
    },
    "brou/language/declarations.py": {
        20: "most seats",
        1000: "most cards, members of a type",
        10_000: "most places of a state",
    },
    "brou/answers/suggest.py": {4: "possibilities named"},
    "brou/language/builtins/range.py": {10_000: "most values of a domain"},
    "brou/words/provenance.py": {8: "words of a source that are shown in one place"},
    "brou/words/reviews.py": {12: "digits of a fingerprint"},
    "brou/language/schema.py": {
        200: "characters of a message",
        160: "characters kept of a longer one",
        8: "known keys that are all named",
        3: "known keys named for being alike",
    },
    "brou/compiler/cse.py": {3: "operations that are worth a local"},
    "brou/language/unparse.py": {
        3: "how tightly `not` binds, and the parts of a quantifier before its default",
        4: "how tightly comparisons bind",
        5: "how tightly arithmetic binds",
        9: "what binds tighter than all operators",
    },
    "brou/language/source.py": {
        300_000: "bytes of a file",
        40: "levels of a file",
        50_000: "values of a file",
        1000: "members of a list or mapping",
        20_000: "characters of a text",
    },
    "brou/language/types.py": {
        10: "10**9, where nothing is known of a number",
        9: "its exponent",
        1000: "values of an index",
    },
    "brou_conformance/played/judging.py": {5: "places where judging stopped that are told one by one"},
    "brou_conformance/played/worlds.py": {
        20260101: "a seed",
        12: "worlds drawn by chance",
        80: "exchanges for one",
        4: "exchanges for another one",
    },
    "brou_tools/fuzz/command.py": {
        16: "matches of a round",
        8: "seeds for a match, and shorter findings shrunk",
        3: "findings shrunk that are alike",
    },
    "brou_tools/fuzz/coverage.py": {4: "numbers that count by themselves, and members of a short list"},
    "brou_tools/fuzz/drawing.py": {
        400: "acts of a match",
        4_000: "acts before a deal",
        12: "deals gone by before it",
        8: "one match in so many has no sense",
        6: "one act in so many has none",
        3: "kinds of start",
    },
    "brou_tools/fuzz/explaining.py": {5: "findings that are alike", 24: "matches without one"},
    "brou_tools/fuzz/options.py": {100: "matches of an edition"},
    "brou_tools/fuzz/report.py": {5: "seeds named", 3: "clauses told"},
    "brou_tools/fuzz/scenario_file.py": {118: "columns of a file", 110: "letters of a title", 8: "digits of a hash"},
    "brou_tools/fuzz/scripts.py": {
        0x9E3779B97F4A7C15: "what makes a seed of a seed",
        4: "one question in so many is off turn",
        6: "one in so many asks for a view or a score",
    },
    "brou_tools/fuzz/shrinking.py": {600: "questions to shrink a finding", 12: "those to shorten a mishap"},
    "brou_conformance/fitting/comparison.py": {5: "steps that a list of acts counts for"},
    "brou_conformance/fitting/search.py": {
        32: "cards of a usual pack",
        48_000: "steps of a search",
        8: "roots",
        4: "scripts tried first",
        3: "cases that are no chance, and changes tried with a second one",
    },
    "brou_conformance/reports/changed_rules.py": {16: "words of a brief", 3: "keys of the address of a row"},
    "brou/games/vocabulary.py": {4: "ways to fill a condition", 30: "parts of a function written out"},
    "brou_tools/fmt/scalars.py": {3: "thirds of a line"},
    "brou_conformance/portable/asking.py": {1000: "numbers that are spelt out"},
    "brou_conformance/reports/implementations.py": {24: "power of two that is the longest file", 32: "levels of one"},
    "brou_conformance/reports/signing.py": {24: "power of two that is the longest envelope", 32: "levels of one"},
    "brou/games/changed_expressions.py": {5: "terms of a sum of which several may go"},
    "brou/games/changes.py": {10: "what a number is increased or multiplied by"},
    "brou/games/project_file.py": {16: "power of two that is the longest file"},
    "brou_tools/mutate/quick.py": {20_000_000: "steps of the solver", 3: "every third mutant is held out"},
    "brou_tools/bench/portable.py": {
        12: "lines measured",
        1000: "bytes of a kilobyte",
        5: "kilobytes hoped for",
        100: "times hoped for",
    },
    "brou_tools/attested/command.py": {16: "digits shown of a hash"},
    "brou_tools/smt/known_proofs.py": {8192: "proofs of a game that are kept"},
    "brou_conformance/judging/case.py": {16: "digits of a key"},
    "brou_conformance/portable/bundling.py": {1980: "the first year that archives know"},
    "brou_conformance/portable/meanings.py": {16: "digits of a hash"},
    "brou_conformance/portable/spelling.py": {100: "numbers that are listed of a long range"},
    "brou_tools/fmt/layout.py": {120: "columns of a line"},
    "brou_conformance/programs/detour.py": {3: "cards tried in place of another"},
    "brou_conformance/verdicts/inference.py": {
        3: "steps that are named",
        12: "changes of a supposition, and numbers tried one by one",
        24: "pairs that are tried",
        60: "cases that are played",
    },
    "brou_conformance/verdicts/detour_search.py": {3: "ways round an act", 6: "acts of a script that are gone round"},
    "brou_conformance/verdicts/tally.py": {
        3: "steps that are named",
        30: "passing cases kept for a reading",
        400: "failing cases kept whole",
    },
    "brou_conformance/verdicts/verify.py": {4: "times that an edition is judged at most"},
    "brou_conformance/programs/child.py": {
        64: "64 << 10 bytes of a chunk",
        10: "a kibibyte as a shift",
    },
    "brou_conformance/programs/containment.py": {
        10: "a kibibyte as a shift",
        20: "a mebibyte as a shift",
        30: "a gibibyte as a shift",
        1000: "milliseconds of a second",
    },
    "brou_conformance/judging/diagnosis.py": {3: "clauses named", 30: "failures that give a fit half a vote"},
    "brou_conformance/programs/engine.py": {16: "requests in flight"},
    "brou_conformance/metamorphic/families.py": {
        32: "scripts whose variants are held at once",
        40: "smaller pairs tried",
    },
    "brou_conformance/judging/judge.py": {1000: "most members of a described range"},
    "brou_conformance/metamorphic/pairs.py": {3: "examples kept"},
    "brou_conformance/protocol.py": {
        4: "4 << 20 bytes of a line; times as many characters are cleaned before a text is cut",
        20: "a mebibyte as a shift",
        63: "bits of an integer beside its sign",
        256: "values of a byte",
        128: "those that are ASCII",
        8: "levels of most messages",
        40: "characters shown of a number",
        32: "levels of a message",
        200: "characters of a message",
    },
    "brou_tools/site/search_page.py": {50: "finds that are listed"},
    "brou_tools/verify/first_verdict.py": {150: "characters of a line"},
    "brou_conformance/reports/case_text.py": {12: "acts of a story shown", 1000: "characters of a text"},
    "brou_conformance/reports/comparing.py": {20: "cases told one by one"},
    "brou_conformance/reports/junit.py": {2000: "characters of a line"},
    "brou_conformance/reports/page.py": {
        40: "characters of the narrowest line",
        80: "characters of a line in a pipe",
        110: "characters of the widest line",
    },
    "brou_conformance/reports/text.py": {
        3: "readings that are named",
        5: "mishaps shown",
        8: "lines of standard error shown",
        12: "lines of a trace shown",
        20: "changes shown",
        1000: "characters of a text",
    },
    "brou_conformance/programs/supervisor.py": {
        5: "an argument of the command line",
        6: "the argument that the command begins with",
        4: "an argument of the command line",
        10: "times as long as a look at processes is waited before the next",
        3: "numbers of a structure of the kernel",
        36: "PR_SET_CHILD_SUBREAPER",
        38: "PR_SET_NO_NEW_PRIVS",
        444: "the system call landlock_create_ruleset",
        446: "the system call landlock_restrict_self",
        11: "processor time of a process in its stat",
        12: "the same, in the system",
        13: "processor time of its dead children",
        14: "the same, in the system",
        19: "when a process began, in its stat",
        21: "resident pages of a process in its stat",
        1000: "milliseconds of a second",
        1024: "bytes of a kibibyte",
        100: "dead processes that are buried at a time",
    },
    "brou_conformance/programs/session.py": {10: "restarts of a program", 32: "scripts under way at once"},
    "brou_conformance/questioning/interview.py": {6: "random choices that a question is held against"},
    "brou_conformance/questioning/splitting.py": {
        24: "rows asked one by one",
        96: "most rows of what is found by trying",
        128: "values of a number that are tried",
    },
    "brou_conformance/questioning/optimum.py": {16: "rows of a group that is solved"},
    "brou_tools/ask/people.py": {40: "characters shown of an answer"},
    "brou_tools/ask/command.py": {6: "values told one by one"},
    "brou_conformance/metamorphic/variants.py": {
        3: "moments of a script",
        6: "deals shuffled throughout",
        8: "bytes of a seed",
        12: "deals tried",
    },
    "brou_conformance/verdicts/desk.py": {64: "scripts taken at a time", 8: "shares of a session"},
    "brou_conformance/programs/identity.py": {
        50000: "most files of a program",
        4: "4 << 30 bytes of them at most",
        30: "a gibibyte as a shift",
        20: "1 << 20 bytes of a chunk",
        0o111: "the right to run a file",
    },
    "brou_conformance/scenarios/corpus.py": {
        17: "1 << 17 bytes of a batch",
        118: "columns of a scenario in another language",
    },
    "brou_conformance/smoke/accounts.py": {
        3: "teams whose orders are all tried",
        10: "times as much, or a tenth",
        100: "times as much",
    },
    "brou_conformance/smoke/wire.py": {60: "restarts of a program"},
    "brou_conformance/smoke/hint.py": {10: "cases at the beginning of a run"},
    "brou_conformance/smoke/probes.py": {
        20221: "a seed",
        8: "packs that are tried, and ways to the play of one",
        60: "acts up to the play of a deal",
        10: "round figures",
    },
    "brou_conformance/smoke/attribution.py": {4: "faults told apart"},
    "brou_conformance/reports/record.py": {
        16: "times as long as a line of the protocol",
        8: "levels deeper than it",
        10: "cases of a sample at least",
        20: "one in so many is asked again",
    },
    "brou_tools/bench/command.py": {
        10: "seconds of a quick run",
        1500: "steps of a slow program",
        1000: "milliseconds of a second",
        7: "rounds of a measurement",
        32: "scripts under way at once",
        20: "microseconds hoped for",
        5: "seconds hoped for",
    },
    "brou_tools/build/wrapper.py": {8: "letters of a version"},
    "brou_tools/build/golden.py": {1_000: "acts of a short run", 1_000_000: "acts of a long run"},
    "brou_tools/bench/native.py": {
        5: "rounds of a measurement",
        2_000: "acts compared",
        4_000: "acts of a turn",
        1_000_000: "acts of a turn",
        100_000: "acts of a turn",
        20_000: "acts of a turn",
        20: "times hoped for",
        12: "times hoped for",
        3: "times hoped for",
    },
    "brou_tools/bench/peers.py": {3_000: "rollouts of a turn", 60: "matches of a turn"},
    "brou_tools/simulate/idle.py": {2_000: "acts of a match"},
    "brou_tools/simulate/bars.py": {
        4: "parts of a scale",
        7: "width of a letter",
        11: "height of a bar",
        20: "height of a line",
        34: "height of a heading",
        130: "width of the figures",
        420: "width of a whole",
    },
    "brou_tools/guides/forms.py": {9999: "the greatest bound that is told"},
    "brou_tools/guides/guide_page.py": {
        3: "times the width of another column",
        4: "times the width of another column",
        5: "times the width of another column",
        6: "times the width of another column",
    },
    "brou_tools/bench/against.py": {7: "rounds", 6000: "decisions of a round"},
    "brou_tools/bench/loop.py": {3: "the third argument of its command line"},
    "brou_tools/bench/mutants.py": {2: "the second argument of its command line"},
    "brou_tools/bench/patches.py": {
        5: "rounds",
        30: "mutants of a round",
        8: "starts of an interpreter",
        3: "rounds of checking everything",
        200: "characters of a message",
    },
    "brou_tools/bench/start.py": {15: "rounds", 5: "starts hoped for", 3: "starts too", 8: "starts too, of a check"},
    "brou_tools/bench/kernel.py": {
        5: "rounds",
        300_000: "deals of a turn",
        400: "matches of a turn",
        4: "words of a question",
    },
    "brou_tools/bench/engines.py": {5: "rounds", 400: "decisions of a round", 8: "times as fast", 3: "views too"},
    "brou_tools/cli/__init__.py": {130: "exit code"},
    "brou_tools/simulate/options.py": {20_000: "acts of a match that does not end"},
    "brou_tools/simulate/shards.py": {
        16: "part of a shard at first",
        10: "matches of a small shard",
        100: "part of a shard, and matches before an interval is trusted",
        100_000: "matches of the greatest shard",
    },
    "brou_tools/matches/pairs.py": {2_000: "facts of a tally before it is settled", 3: "sums beside the cases"},
    "brou_tools/matches/plan.py": {12: "matches that are too few for C"},
    "brou_tools/simulate/fitting.py": {
        6: "weights of an act that have factors of their own",
        100: "steps; parts of the least weight",
        1_000_000: "a bound",
    },
    "brou_tools/terminal/cluster.py": {3: "parts for each thread", 10: "seconds", 60: "seconds"},
    "brou_tools/check/shown_line.py": {
        100: "columns of a line",
        40: "columns before a mark",
        20: "power of two of bytes",
    },
    "brou_tools/new/skeleton.py": {40: "letters of a name"},
    "brou_tools/words/command.py": {40: "letters of a name"},
    "brou_tools/words/language_file.py": {120: "characters of a line"},
    "brou/games/freshness.py": {256: "folders that are looked at again"},
    "brou_tools/perft/options.py": {3: "acts of a sequence"},
    "brou_tools/mutate/options.py": {200: "mutants of a draw"},
    "brou_tools/cli/help.py": {80: "columns of a page", 24: "columns of names"},
    "brou_tools/options/values.py": {
        256: "copies of a program",
        10: "seats, and powers of two between units",
        1_000_000_000: "the greatest count",
        64: "bits of a seed",
        100: "hundredths",
    },
    "brou_tools/check/command.py": {1_000_000: "bytes read of a first line"},
    "brou_tools/draw/command.py": {3: "cards offered"},
    "brou_tools/verify/smoke.py": {80: "columns of a page"},
    "brou_tools/simulate/command.py": {
        100: "matches of a simulation",
        10_000_000: "matches before an interval is given up",
    },
    "brou_tools/terminal/exits.py": {3: "exit code", 4: "exit code"},
    "brou_tools/verify/command.py": {20: "names told one by one"},
    "brou_tools/diff/wording.py": {5: "times the width of another column"},
    "brou_tools/documents/part_record.py": {40: "characters of a difference"},
    "brou_tools/site/sphinx_directives.py": {
        4: "times the width of another column",
        3: "two rules and a language",
        **dict.fromkeys((10, 20, 30), "parts of a width"),
    },
    "brou_tools/situation/view.py": {6: "acts told one by one"},
    "brou_tools/ambiguities/register_pages.py": {
        3: "times the width of another column",
        4: "times the width of another column",
        5: "times the width of another column",
        13: "times the width of another column",
    },
    "brou_tools/site/field_tables.py": {
        3: "width of a column of keys",
        4: "width of a column of types",
        8: "width of a column of sentences",
        12: "width of a column of meanings",
    },
    "brou_tools/site/interface_entries.py": {100: "characters of a value"},
    "brou_tools/verify/verdict_page.py": {
        1_000_000: "characters of a line, which browsers break",
        1000: "characters of a text of the program",
    },
    "brou_tools/site/sphinx_nodes.py": {5: "pixels of a millimetre"},
    "brou_tools/explain/explanation_text.py": {
        3: "acts told one by one",
        4: "columns that a figure is indented",
    },
    "brou_tools/simulate/figures.py": {4: "Wilson's interval, and an indent", 20: "letters of a name at least"},
    "brou_tools/terminal/columns.py": {40: "columns at least", 110: "columns at most"},
    "brou_tools/guides/guide_text.py": {110: "characters of a line"},
    "brou_tools/show/clause_pages.py": {5: "times the width of another column"},
    "brou_tools/show/clause_text.py": {
        3: "steps of an indent",
        20: "characters of the narrowest text",
    },
    "brou_tools/witness/search.py": {20260101: "a seed", 800: "acts of a search", 400: "acts of a play"},
    "brou_tools/situation/panels.py": {
        3: "pictures in a line, and times the width of another column",
        5: "cards of a short hand",
        9: "cards of a long hand",
    },
    "brou_tools/rulebook/booklet.py": {
        8: "millimetres of the name of a suit",
        4: "times the width of another column",
        5: "times the width of another column",
        27: "millimetres of a line that a trick takes",
        28: "millimetres of a line that a slate takes",
        32: "millimetres of a line that a slate takes",
        64: "millimetres of a line that words take beside slates",
        80: "millimetres of a line that a count takes",
        92: "millimetres of a line that words take beside a trick",
    },
    "brou_tools/rulebook/cases.py": {5: "times the width of another column"},
    "brou_tools/rulebook/compose.py": {
        16: "letters in a narrow column",
        3: "times the width of another column",
        4: "times the width of another column",
        5: "cards on a title page, and times the width of another column",
        6: "times the width of another column",
        7: "times the width of another column",
    },
    "brou_tools/situation/examples.py": {6: "cases that are tried for a question"},
    "brou_tools/rulebook/frequencies.py": {
        100: "deals",
        1_000: "deals",
        10_000: "deals",
        100_000: "deals",
        1_000_000: "deals",
        10: "figures of a number",
    },
    "brou_tools/situation/pictures.py": {3: "tricks in a line"},
    "brou_tools/rulebook/printing.py": {6: "times that the pages are made", 96: "dots of an inch"},
    "brou_tools/rulebook/typst_writer.py": {420: "letters of short rules"},
    "brou_tools/ambiguities/frequency.py": {
        20260101: "seed",
        5_000: "deals for which engines in C are made",
        10_000: "deals that generated Python counts",
    },
    "brou_tools/questions/register.py": {4: "the fourth part of Wilson's interval", 9: "digits of a share"},
    "brou_tools/smt/biting.py": {10_000_000: "steps of a question"},
    "brou_tools/smt/damages.py": {16: "letters of a hash"},
    "brou_tools/smt/linting.py": {10_000_000: "steps of a question"},
    "brou_tools/smt/formula.py": {80: "atoms of a sum that is kept whole", 5_000_000: "formulas of a game"},
    "brou_tools/smt/operations.py": {200: "numbers gone through one by one"},
    "brou_tools/smt/proving.py": {
        40: "tasks that read their rules once",
        1_000_000_000: "steps of a slow question",
    },
    "brou_tools/smt/prover.py": {100: "values that are asked about one by one"},
    "brou_tools/smt/solve.py": {
        200_000_000: "steps of a question",
        300_000: "steps of one without numbers",
        5_000_000: "steps of one with closed sums",
        4: "truths of a sum that is left open",
        10_000_000: "units of the second solver",
    },
    "brou_tools/smt/symbols.py": {48: "values of a choice"},
    "brou_tools/smt/unknown.py": {34: "values of a choice"},
    "brou_tools/perft/counting.py": {100_000_000: "acts gone through", 100: "acts of the longest sequence"},
    "brou_tools/matches/play.py": {20_000: "acts of a match that does not end"},
    "brou_tools/terminal/closing.py": {
        10: "seconds with a decimal",
        60: "seconds of a minute",
        3600: "seconds of an hour",
    },
    "brou_tools/terminal/progress.py": {
        30: "columns of a bar",
        10: "a rate that needs no digits",
    },
    "brou_tools/terminal/workers.py": {
        4: "parts for each process",
        128: "what shells add to a signal",
        10: "seconds to finish a file",
    },
    "brou_tools/score/settlement_text.py": {12: "characters of a column", 40: "characters of a name"},
}

#: What the examples of built-ins are written with: they are of a made-up game.
MADE_UP = {"Example", "made_up"}


def inside(path: Path) -> str:
    """Return the path of a module from its package on."""
    return path.relative_to(ROOT).as_posix().partition("/")[2]


def tree(path: Path) -> ast.Module:
    """Return the syntax of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, ast.Module]]:
    """Return the syntax of every module by its path: each is read once for all tests.

    The collector of garbage would go through millions of nodes again and again, and find none.
    """
    gc.disable()
    yield {inside(path): tree(path) for path in MODULES}
    gc.enable()


def commands(path: Path, program: str) -> set[str]:
    """Return the words that follow a program's name in the commands of a document: indented lines and code in text."""
    code = re.findall(r"^ {4}.*|`[^`\n]+`", path.read_text(encoding="utf-8"), re.MULTILINE)
    found = (re.match(rf"{program} (?:[A-Z]+=\S+ )?([a-z]+)\b", line.strip(" `")) for line in code)
    return {match[1] for match in found if match}


def targets() -> set[str]:
    """Return what the Makefile can make."""
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def documents() -> list[Path]:
    """Return the top README and the papers beside it, the READMEs of the rooms, and the pages of `docs`."""
    rooms = (ROOT / room / "README.md" for room in ROOMS)
    return sorted({ROOT / "README.md", *(ROOT / name for name in PAPERS), *rooms, *(ROOT / "docs").glob("*.md")})


@lru_cache(maxsize=1)
def offered() -> set[str]:
    """Return the words of `brou --help`."""
    script = "import sys; from brou_tools.cli import main; sys.exit(main())"
    shown = subprocess.run([sys.executable, "-P", "-c", script, "--help"], capture_output=True, text=True, check=True)
    return set(re.findall(r"[a-z]+", shown.stdout))


def files() -> Iterator[Path]:
    """Yield every text file of the rooms and of the top folder, hidden folders aside."""
    for path in chain(ROOT.glob("*"), *((ROOT / room).rglob("*") for room in ROOMS)):
        hidden = any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(ROOT).parts)
        if path.is_file() and not hidden and (path.suffix in TEXTS or path.name == "Makefile"):
            yield path


@lru_cache(maxsize=1)
def words_of_games() -> frozenset[str]:
    """Return the names of all games, editions, ranks and suits."""
    found: set[str] = set()
    for game in catalogue():
        editions = book(game).editions
        found |= {game, game.replace("-", "_"), *editions, *(f"{game}@{edition}" for edition in editions)}
        for edition in editions:
            deck = rules(choose(f"{game}@{edition}")).deck
            found |= {*deck.ranks, *deck.ranks.values(), *deck.suits, *deck.suits.values(), *deck.cards}
    return frozenset(found)


def words(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every string and every name of a module with its line; single letters only as strings."""
    for node in ast.walk(module):
        match node:
            case ast.Constant(str(value)):
                yield node.lineno, value
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) if len(name) > 1:
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name


def numbers(module: ast.Module) -> Iterator[tuple[int, int]]:
    """Yield every whole number of a module with its line, those aside that only fill caches and examples."""
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    aside = {
        id(part)
        for node in calls
        if ast.unparse(node.func) in {"lru_cache", "keep_until_changed", "Recent", *MADE_UP}
        for part in ast.walk(node)
    }
    for node in ast.walk(module):
        match node:
            case ast.Constant(int(value)) if not isinstance(value, bool) and id(node) not in aside:
                yield node.lineno, value


def named_by_games(module: ast.Module) -> list[str]:
    """Return the words of a module that belong to a game."""
    return [f"line {line}: {word!r}" for line, word in words(module) if word in words_of_games()]


def unexplained(module: ast.Module, known: dict[int, str]) -> list[str]:
    """Return the numbers of a module for which no reason is given."""
    return [f"line {line}: {number}" for line, number in numbers(module) if number not in {*STRUCTURE, *known}]


@pytest.mark.slow
def test_no_code_names_a_game(modules: dict[str, ast.Module]) -> None:
    """No name or string in the code is the name of a game, an edition, a rank, a suit or a card."""
    assert {name: found for name, module in modules.items() if (found := named_by_games(module))} == {}


#: Modules that change files without the one writer, each with the reason.
WRITERS = {
    "brou/atomic.py": "it is the writer",
    "brou/key.py": "a key is drawn once and linked into its place; it never takes that of another",
    "brou/native/shared_object.py": "a temporary folder",
    "brou_tools/bench/command.py": "a temporary folder",
    "brou_tools/bench/merging.py": "a folder that is gone at the end",
    "brou_tools/bench/against.py": "a temporary folder",
    "brou_tools/bench/patches.py": "a temporary folder",
    "brou_tools/bench/start.py": "a temporary folder",
    "brou_tools/site/engine/engine_files.py": "a temporary folder",
    "brou_tools/verify/first_verdict.py": "a temporary folder",
    "brou_conformance/programs/supervisor.py": "what is written goes nowhere",
    "brou_tools/terminal/streams.py": "what is written goes nowhere",
}
#: What changes files or folders, as methods of paths, functions of `os`, and whole modules.
CHANGING = {
    *(
        "chmod",
        "hardlink_to",
        "link",
        "link_to",
        "makedirs",
        "mkdir",
        "mkfifo",
        "mknod",
        "remove_tree",
        "rename",
        "renames",
    ),
    *("rmdir", "symlink", "symlink_to", "touch", "truncate", "unlink", "write_bytes", "write_text"),
}
OF_SYSTEM = {"open", "remove", "replace"}
#: What `open` is told where it is to write.
MODES = re.compile(r"[rbt]*[wax+][wax+rbt]*")


def changes(module: ast.Module) -> list[str]:
    """Return the calls of a module that write, move or remove files, or make folders."""
    found = []
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(ast.Name("os" | "shutil"), name) if name in OF_SYSTEM | CHANGING | {
                "copy",
                "copyfile",
                "move",
            }:
                found.append(f"line {node.lineno}: {name}")
            case ast.Attribute(attr=name) if name in CHANGING:
                found.append(f"line {node.lineno}: {name}")
            case ast.Attribute(attr="open") | ast.Name("open"):
                given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
                words = [one.value for one in given if isinstance(one, ast.Constant)]
                found += [f"line {node.lineno}: open" for word in words if MODES.fullmatch(str(word))]
            case ast.Attribute(ast.Name("tempfile"), name) | ast.Name("NamedTemporaryFile" as name):
                found.append(f"line {node.lineno}: {name}")
    return found


@pytest.mark.slow
def test_one_module_writes_files(modules: dict[str, ast.Module]) -> None:
    """Every other asks it to, or has a reason in the list above."""
    assert {name for name, module in modules.items() if changes(module)} == set(WRITERS)


@pytest.mark.parametrize(
    "source",
    [
        "path.write_text(text)",
        "Path(name).open('w', encoding='utf-8')",
        "open(name, mode='ab')",
        "open('w.txt', 'r+b')",
        "os.replace(one, two)",
        "shutil.copyfile(one, two)",
        "tempfile.mkdtemp()",
    ],
)
def test_what_writes_files_is_seen(source: str) -> None:
    """In every form; what only reads is not."""
    assert changes(ast.parse(source))
    assert not changes(ast.parse("path.open('rb'), open(name), text.replace('a', 'b'), path.read_text()"))


#: Modules that read files without `read_named`, each with what becomes of an error that names no file.
READERS = {
    "brou/atomic.py": "it names the file",
    "brou/cache.py": "an entry that cannot be read is made anew",
    "brou/games/project_file.py": "a fault with its place",
    "brou/key.py": "there is no key, and no cache",
    "brou/language/source.py": "a fault with its place",
    "brou/native/built_engines.py": "a part of the package",
    "brou_tools/build/golden.py": "a part of the package",
    "brou_tools/site/engine/engine_files.py": "a part of the package",
    "brou_tools/site/engine/pack_library.py": "it runs in Pyodide, where it has nothing but its own folder",
    "brou_tools/build/wrapper.py": "a part of the package",
    "brou_tools/ambiguities/native_partings.py": "a part of the package",
    "brou_tools/bench/kernel.py": "a part of the package",
    "brou/native/c_text.py": "a part of the package",
    "brou/native/shared_object.py": "a temporary folder",
    "brou_conformance/programs/containment.py": "a process that is no more has nothing to be read",
    "brou_conformance/programs/identity.py": "the hash says so",
    "brou_conformance/programs/supervisor.py": "a process that is no more has nothing to be read",
    "brou_conformance/reports/known_failures.py": "NoFile",
    "brou_conformance/reports/record.py": "NoFile",
    "brou_tools/check/command.py": "a fault, or no report",
    "brou_tools/site/components.py": "NoFile",
    "brou_tools/bench/parrot.py": "a program that is measured, and reads what was written for it",
    "brou_tools/documents/part_record.py": "NoFile",
    "brou_tools/terminal/streams.py": "it reads nothing",
}


def reads(module: ast.Module) -> list[str]:
    """Return the calls of a module that read files."""
    found = []
    for node in ast.walk(module):
        match node:
            case ast.Call(ast.Name("open" as name) | ast.Attribute(attr="read_bytes" | "read_text" as name)):
                found.append(f"line {node.lineno}: {name}")
            case ast.Call(ast.Attribute(attr="open"), [ast.Constant("r" | "rb")]) | ast.Call(
                ast.Attribute(attr="open"), [], [ast.keyword("encoding")]
            ):
                found.append(f"line {node.lineno}: open")
    return found


@pytest.mark.slow
def test_files_are_read_so_that_errors_name_them(modules: dict[str, ast.Module]) -> None:
    """Every module has it done by one function, or has a reason in the list above."""
    assert {name for name, module in modules.items() if reads(module)} == set(READERS)


@pytest.mark.parametrize("source", ["open(name)", "path.open('rb')", "path.open(encoding='utf-8')", "path.read_text()"])
def test_what_reads_files_is_seen(source: str) -> None:
    """In every form; what only writes, or opens something else, is not."""
    assert reads(ast.parse(source))
    assert not reads(ast.parse("path.open('w'), self.open(name), os.open(path, flags), path.write_text(text)"))


#: Modules of pictures: their numbers are lengths on paper.
PICTURES = "brou_tools/drawing/"


@pytest.mark.slow
def test_no_code_holds_a_number_of_a_game(modules: dict[str, ast.Module]) -> None:
    """Every number in the code is structure, or has a reason in the list above."""
    looked_at = {name: module for name, module in modules.items() if not name.startswith(PICTURES)}
    found = {name: unexplained(module, NUMBERS.get(name, {})) for name, module in looked_at.items()}

    assert {name: numbers for name, numbers in found.items() if numbers} == {}


@pytest.mark.slow
def test_the_list_of_numbers_is_no_longer_than_it_need_be(modules: dict[str, ast.Module]) -> None:
    """A number with a reason stands in the module for which it is given."""
    used = {name: {number for _, number in numbers(module)} for name, module in modules.items() if name in NUMBERS}

    assert [(module, n) for module, known in NUMBERS.items() for n in known if n not in used.get(module, set())] == []


@pytest.mark.parametrize("source", ["edition = '{edition}'", "def {suit}(): ...", "hand = ['{card}']", "x.{rank}"])
def test_a_name_of_a_game_is_seen(source: str) -> None:
    """A game's words are found as strings and as names."""
    game = catalogue()[0]
    edition = next(iter(book(game).editions))
    deck = rules(choose(game)).deck
    suit, rank = next(iter(deck.suits.values())), next(iter(deck.ranks.values()))

    assert named_by_games(ast.parse(source.format(edition=edition, suit=suit, rank=rank, card=deck.cards[0])))


def test_a_number_of_a_game_is_seen() -> None:
    """A number is found wherever it stands, and one with a reason is not."""
    assert unexplained(ast.parse("cards = hand[:32] + rest(-8)"), {8: "why"}) == ["line 1: 32"]


def test_modules_are_short() -> None:
    """A module of a package has at most 500 lines."""
    lengths = {inside(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}

    assert {name: length for name, length in lengths.items() if length > 500} == {}


def cut_off(modules: Mapping[str, ast.Module]) -> list[str]:
    """Return the classes that are no class of their own: one class of another module inherits them, and nothing else.

    Nothing makes one, asks for one or speaks of its type; so the two are one class, cut in two. A class of another
    package may well be made to be inherited.
    """
    homes: dict[str, str] = {}
    heirs: dict[str, list[str]] = {}
    spoken_of: set[str] = set()
    for path, module in modules.items():
        bases = set[ast.AST]()
        for one in ast.walk(module):
            if isinstance(one, ast.ClassDef):
                homes[one.name] = path
                bases.update(one.bases)
                for base in one.bases:
                    heirs.setdefault(ast.unparse(base).rpartition(".")[2], []).append(path)
        words = (one for one in ast.walk(module) if one not in bases)
        spoken_of.update(
            one.id if isinstance(one, ast.Name) else one.attr
            for one in words
            if isinstance(one, ast.Name | ast.Attribute)
        )
    return [
        name
        for name, (home, *others) in ((name, [homes[name], *heirs.get(name, [])]) for name in homes.keys() - spoken_of)
        if len(others) == 1 and others != [home] and others[0].split("/")[0] == home.split("/")[0]
    ]


@pytest.mark.slow
def test_no_class_is_cut_into_files(modules: dict[str, ast.Module]) -> None:
    """No class stands in one module so that a class of another one, alone, has the rest of its methods."""
    assert cut_off(modules) == []


@pytest.mark.parametrize(
    ("upper", "cut"),
    [
        ("class Rest(lower.Part): ...", ["Part"]),
        ("class Rest(Part): ...", ["Part"]),
        ("class Rest(Part): ...\nclass Other(Part): ...", []),
        ("class Rest(Part): ...\nmade = Part()", []),
        ("class Rest(Part): ...\ndef use(one: Part) -> None: ...", []),
    ],
)
def test_a_class_that_is_cut_is_seen(upper: str, cut: list[str]) -> None:
    """A class with one heir elsewhere is a part of it, but not where it is made, or asked for, or has other heirs."""
    assert cut_off({"package/lower": ast.parse("class Part: ..."), "package/upper": ast.parse(upper)}) == cut


def test_a_class_that_another_package_extends_is_whole() -> None:
    """What a package offers to another one to inherit is not cut."""
    assert cut_off({"lower/part": ast.parse("class Part: ..."), "upper/rest": ast.parse("class Rest(Part): ...")}) == []


def test_modules_are_named_for_what_they_hold() -> None:
    """No module of a package is a drawer for what found no place."""
    assert [inside(path) for path in MODULES if path.stem.strip("_") in DRAWERS] == []


def test_no_python_in_the_rules() -> None:
    """The room of the rules holds data alone."""
    assert sorted((ROOT / "spec").rglob("*.py")) == []


@pytest.mark.slow
def test_nothing_is_left_for_later() -> None:
    """No file holds a mark for work to come."""
    marked = [path for path in files() if UNFINISHED.search(path.read_text(encoding="utf-8"))]

    assert [str(path.relative_to(ROOT)) for path in marked if path != Path(__file__)] == []


def test_readmes_are_short() -> None:
    """The first page has fewer than 120 lines, and each room opens with one of at most 30."""
    lengths = {
        room: len((ROOT / room / "README.md").read_text(encoding="utf-8").splitlines()) for room in (".", *ROOMS)
    }

    assert lengths.pop(".") < 120
    assert {room: length for room, length in lengths.items() if length > 30} == {}


@pytest.mark.parametrize("package", [ROOT / package for package in PACKAGES], ids=lambda path: str(path.name))
def test_first_pages_list_the_rooms_that_there_are(package: Path) -> None:
    """Every room of a package stands on the page beside it, with modules to start at, and no other; commands apart."""
    page = (package.parent / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`\w+/`(?:, )?)+) \|(?:.*\|)?([^|]*)\|$", page, re.MULTILINE)
    named = {room: re.findall(r"`(\w+)`", rest) for rooms, rest in rows for room in re.findall(r"\w+", rooms)}
    rooms = {path.parent.name for path in package.glob("*/__init__.py")} - {"cli"}
    commands_ = {path.parent.name for path in package.glob("*/command.py")}

    assert {room for room in named if (package / room).is_dir()} == rooms - commands_
    assert [
        f"{room}: {start}"
        for room, starts in named.items()
        if (package / room).is_dir()
        for start in starts
        if not any((package / room / name).exists() for name in (f"{start}.py", start))
    ] == []


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_what_documents_make_can_be_made(path: Path) -> None:
    """Every `make` command of a document is a target of the Makefile."""
    assert commands(path, "make") - targets() == set()


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_documents_exist(path: Path) -> None:
    """Every `brou` command of a document is one that `brou --help` lists."""
    assert commands(path, "brou") - offered() == set()


def test_the_first_page_names_the_main_targets() -> None:
    """The first page tells how to see it work, test it and check it."""
    told = commands(ROOT / "README.md", "make")

    assert {"verify", "test", "check", "agree"} <= told


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_of_documents_lead_somewhere(path: Path) -> None:
    """Every relative link of a document names a file that is there."""
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8"))
    here = [link for link in links if "://" not in link]

    assert [link for link in here if not (path.parent / link).exists()] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [path for path in documents() if path.stem not in PAGES], ids=lambda path: str(path.relative_to(ROOT))
)
def test_examples_of_documents_run(path: Path) -> None:
    """Every Python example of a document runs; those about a project run in one (`test_cookbook.py`)."""
    for example in re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        exec(compile(example, str(path), "exec"), {})  # noqa: S102 - our own documents


def test_all_data_is_carried_by_the_wheel() -> None:
    """Everything in the room of the rules but its README is named among what a wheel carries."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    carried = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    present = {f"spec/{path.name}" for path in (ROOT / "spec").iterdir() if path.name != "README.md"}

    assert {name for name in carried if name.startswith("spec/")} == present


#: What tells the hour, as it is called in code; what counts computing time is none.
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time_ns"}


def wall_clocks(module: ast.Module) -> list[str]:
    """Return the uses of a wall clock in a module: by its own name, or as a function of the module `time`."""
    found = []
    for node in ast.walk(module):
        match node:
            case ast.Attribute(value=ast.Name(id="time"), attr="time"):
                found.append((node.lineno, "time.time"))
            case ast.Attribute(value=ast.Name(id="datetime" | "date"), attr="now" | "utcnow" | "today" as name):
                found.append((node.lineno, name))
            case ast.Attribute(attr=name) if name in CLOCKS:
                found.append((node.lineno, name))
            case ast.ImportFrom(module="time", names=names):
                found += [(node.lineno, each.name) for each in names if each.name in {"time", *CLOCKS}]
    return [f"line {line}: {name}" for line, name in sorted(found)]


@pytest.mark.slow
def test_no_test_reads_a_wall_clock() -> None:
    """How long something takes hangs on the machine and on its load; a test that compares it fails without a fault."""
    tests = sorted(ROOT.glob("*/tests/**/test_*.py"))

    assert tests
    assert {path.relative_to(ROOT).as_posix(): found for path in tests if (found := wall_clocks(tree(path)))} == {}


@pytest.mark.parametrize(
    "source", ["begun = time.monotonic()", "from time import perf_counter as now", "time.time() < 3", "datetime.now()"]
)
def test_a_wall_clock_is_seen(source: str) -> None:
    """A clock is found however it is called; computing time and waiting are none."""
    assert len(wall_clocks(ast.parse(source))) == 1
    assert wall_clocks(ast.parse("time.process_time(); time.sleep(1); begun.time(); state.now")) == []
