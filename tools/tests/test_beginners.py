"""The commonest faults of a first file: each is told with its line, a mark below it, and what to write instead."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

import pytest

from brou_tools.cli import main
from brou_tools.new.skeleton import list_skeleton_files

FRAME, RULES, CASES = "games/duet/game.yaml", "games/duet/10-rules.yaml", "scenarios/duet/first.yaml"
DUTY = "when: suit(c) != led and can_follow(p)"
#: A second question, whose reading changes what a reading of the first one changes.
SECOND = """\
  - id: amb.09
    key: free_lead
    title: Whether suit must be followed at all
    ask: Must suit be followed?
    readings:
      bound:
        name: Suit is followed
        why: It is said.
      unbound:
        name: Anything may be played
        why: It is not said of everybody.
        changes:
          play.02: {when: 'False'}
"""
TYPED = "  because: >-\n    Clubs"

#: By name: the file, what is written in it and by what it is replaced, what is told, and the line with its mark; an
#: empty file has none.
FAULTS: dict[str, tuple[str, tuple[str, str] | None, str, tuple[str, ...]]] = {
    "misspelt key": (
        RULES,
        ("  " + DUTY, "  wehn: suit(c) != led"),
        ":51:3: unknown key 'wehn'; did you mean 'when'?",
        ("  wehn: suit(c) != led", "  ^^^^"),
    ),
    "misspelt key of a scenario": (
        CASES,
        (TYPED, "  becuase: >-\n    Clubs"),
        ":7:3: unknown key 'becuase'; write because",
        ("  becuase: >-", "  ^^^^^^^"),
    ),
    "misspelt question": (
        CASES,
        ("{legal: 2,", "{leagl: 2,"),
        ":20:6: unknown key 'leagl'; write legal",
        ("  - {leagl: 2, expect: {play: [AC, TC]}}", "     ^^^^^"),
    ),
    "tab": (
        RULES,
        ("  deny: play(p, c)", "\tdeny: play(p, c)"),
        ":50:1: no YAML: found a tab character that violates indentation; write spaces in place of the tab",
        ("\\tdeny: play(p, c)", "^^"),
    ),
    "colon in a text": (
        RULES,
        ("text: Whoever has a card", "text: Follow suit: whoever has a card"),
        ":49:20: no YAML: mapping values are not allowed in this context; put a text that holds a colon in quotes",
        (
            "  text: Follow suit: whoever has a card of the suit led must follow suit.",
            "                   ^",
        ),
    ),
    "key further in": (
        RULES,
        ("  text: Whoever", "   text: Whoever"),
        "this key stands further in or out than the keys above it; indent the keys of a mapping alike",
        ("   text: Whoever has a card of the suit led must follow suit.", "       ^"),
    ),
    "number for a rank": (
        RULES,
        (DUTY, "when: rank(c) == 11"),
        ":51:9: `rank(c) == 11` compares rank with int 11..11; write one of ace, king, queen, jack, ten, nine",
        ("  when: rank(c) == 11", "        ^^^^^^^^^^^^^"),
    ),
    "letter for a suit": (
        RULES,
        (DUTY, "when: suit(c) == H"),
        ":51:9: unknown name 'H'; H is only for cards: write hearts",
        ("  when: suit(c) == H", "                   ^"),
    ),
    "name in quotes": (
        RULES,
        (DUTY, "when: suit(c) == 'hearts'"),
        ":51:9: the literal 'hearts'; write hearts without quotes",
        ("  when: suit(c) == 'hearts'", "                    ^^^^^^"),
    ),
    "forgotten go": (
        RULES,
        ("  score: {points", "  rules: [{rule: end.01/done, phase: done, do: [{reset: deal}]}]\n  score: {points"),
        "the phase done can end nowhere; let every path end with `go:` and a phase",
        ("  rules: [{rule: end.01/done, phase: done, do: [{reset: deal}]}]", " " * 56 + "^^^^"),
    ),
    "underscore for a hyphen": (
        FRAME,
        ("void: free", "void: must_trump"),
        ":34:13: void has no value 'must_trump'; it has free, must-trump",
        ("      void: must_trump", "            ^^^^^^^^^^"),
    ),
    "hyphen for an underscore": (
        RULES,
        ("any(suit(d) == trump for d in hand[p])", "len(hand[p]) == hand-size"),
        ":76:17: unknown name 'size'; did you mean 'hand_size'?",
        ("          when: not can_follow(p) and suit(c) != trump and len(hand[p]) == hand-size", " " * 80 + "^^^^"),
    ),
    "readings in conflict": (
        RULES,
        (
            "          code: must_trump\n",
            "          code: must_trump\n        changes:\n          play.02: {when: 'True'}\n" + SECOND,
        ),
        "void=must-trump and free_lead=unbound both change play.02; let them change different rules, or write into",
        ("          play.02: {when: 'False'}", " " * 26 + "^"),
    ),
    "missing text": (
        RULES,
        ("  text: Whoever has a card of the suit led must follow suit.\n", ""),
        ":45:3: object missing required field `text`; write `text:` and what it says",
        ("- clause: play.02", "  ^^^^^^"),
    ),
    "unknown clause": (
        RULES,
        ("play: play.01, turn", "play: play.09, turn"),
        ":9:37: no clause 'play.09'; write it into a chapter, or cite another: did you mean 'play.02'?",
        (
            "  tricks: {number: hand_size, play: play.09, turn: play.01, take: trick.01, lead: trick.01, then: re",
            " " * 36 + "^^^^^^^",
        ),
    ),
    "clause that a scenario does not find": (
        CASES,
        ("{duet.play.02:", "{duet.play.20:"),
        ":4:13: unknown clause 'duet.play.20'; did you mean 'duet.play.02'?",
        ("  clauses: {duet.play.20: [permits, refuses]}", "            ^^^^^^^^^^^^"),
    ),
    "second id": (
        RULES,
        ("- clause: play.02", "- clause: play.01"),
        ":45:11: a second 'play.01'; a name has one meaning: rename one of them",
        ("- clause: play.01", "          ^^^^^^^"),
    ),
    "word for a number": (
        RULES,
        ("hand_size: 5", "hand_size: five"),
        ":24:24: expected a number, not 'five'; write it in digits",
        ("  numbers: {hand_size: five, packet_patterns: [[2, 3], [3, 2]]}", "                       ^^^^"),
    ),
    "card that the pack lacks": (
        CASES,
        ("[KC, QC, AD, KD, QD]", "[KC, QC, AD, KD, 7D]"),
        "there is no card '7D' in this pack; ranks are A K Q J T 9, suits S H D C",
        ('      "1": [KC, QC, AD, KD, 7D]', "                            ^^"),
    ),
    "ten in two digits": (
        CASES,
        ("[AC, TC, KH, JD, TD]", "[AC, 10C, KH, JD, TD]"),
        ":15:17: '10C' is not of the form that is wanted; write a card, rank then suit",
        ('      "2": [AC, 10C, KH, JD, TD]', "                ^^^"),
    ),
    "seat that is not there": (
        CASES,
        ("{by: 2, act: {play: KH}", "{by: 3, act: {play: KH}"),
        ":21:5: duet.follow.suit#s3 names seat 3, and this set-up has 3; seats are 0 to 2",
        ('  - {by: 3, act: {play: KH}, expect: {"no": must_follow}}', "    ^"),
    ),
    "list for a mapping": (
        FRAME,
        (
            'setups:\n  "2": two players\n  "3": three players\n  "4": four players, each alone\n',
            "setups: [two, three]\n",
        ),
        "expected `object`, got `array`; write `key: value` pairs and no list",
        ("setups: [two, three]", "        ^"),
    ),
    "yes for True": (
        RULES,
        (DUTY, "when: yes"),
        ":51:9: unknown name 'yes'; write True",
        ("  when: yes", "        ^^^"),
    ),
    "empty file": (RULES, None, ":1:1: an empty file; begin it with `format: brou-chapter/2`", ()),
    "no format": (
        RULES,
        ("format: brou-chapter/2\n", ""),
        ":1:1: a file without a format; begin it with `format: brou-chapter/2`",
        ("game: duet", "^^^^"),
    ),
    "single equals sign": (
        RULES,
        (DUTY, "when: suit(c) = led"),
        ":51:9: no expression: 'suit(c) = led' (invalid syntax); write == to compare",
        ("  when: suit(c) = led", "        ^^^^^^^^^^^^^"),
    ),
    "signs of another language": (
        RULES,
        (DUTY, "when: suit(c) != led && can_follow(p)"),
        "write `and` instead of &&",
        ("  when: suit(c) != led && can_follow(p)", "        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"),
    ),
    "misspelt name": (
        RULES,
        (DUTY, "when: suit(c) != led and can_folow(p)"),
        ":51:9: unknown function 'can_folow'; did you mean 'can_follow'?",
        ("  when: suit(c) != led and can_folow(p)", "                           ^^^^^^^^^"),
    ),
    "misspelt code": (
        RULES,
        ("code: must_follow", "code: must_folow"),
        "not 'must_folow'; write must_follow",
        ("  code: must_folow", "        ^^^^^^^^^^"),
    ),
    "commas between ranks": (
        RULES,
        ("ranks: A K Q J T 9}\n  cards", "ranks: A, K, Q}\n  cards"),
        "unknown key 'K'; a comma begins a new key here: leave it out, or put a text with commas in quotes",
        ("  pack: {cards: french, ranks: A, K, Q}", "                                  ^"),
    ),
    "misspelt phase": (
        RULES,
        ("  in: result\n", "  in: reslut\n"),
        "'reslut' is no phase of the course; there are deal, play, result, over",
        ("  in: reslut", "      ^^^^^^"),
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", FAULTS)
def test_a_common_fault_is_told_with_its_remedy(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a project that was sound: what is wrong, what to write instead, and the line with a mark below the place."""
    file, change, told, shown = FAULTS[name]
    for path, text in list_skeleton_files("duet").items():
        assert path != file or change is None or change[0] in text
        broken = text if path != file else text.replace(*change, 1) if change else ""
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(broken, encoding="utf-8")

    assert main(["check", "--data", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    number = next((at for at, line in enumerate(lines) if told in line), None)
    assert number is not None, lines
    assert lines[number].startswith(f"{file}:" if told.startswith(":") else ("games/duet/", "scenarios/duet/"))
    below = takewhile(re.compile(r" +\d* \| ").match, lines[number + 1 :])
    assert [line.partition("| ")[2] for line in below] == [*shown]


def test_what_a_link_leads_to_is_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is a link out of the project is told, and no line of it is printed."""
    assert main(["new", "duet", "--data", str(tmp_path / "project")]) == 0
    secret = tmp_path / "secret.yaml"
    secret.write_text("password: hunter2\n", encoding="utf-8")
    rules = tmp_path / "project" / RULES
    rules.unlink()
    rules.symlink_to(secret)
    capsys.readouterr()

    assert main(["check", "--data", str(tmp_path / "project")]) == 1
    assert "hunter2" not in capsys.readouterr().out
