"""Engines in C under the sanitizers: no byte is touched that is not theirs, and nothing undefined is done."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from brou import catalogue, choose, rules
from brou.compiler.lower import lower_whole
from brou.native.c_header import make_prefix
from brou.native.c_module import write_engine
from brou.native.data_machine import write_machine
from brou.native.data_program import encode_data
from brou.native.shared_object import find_compiler
from brou_tools.matches.engines import teach_engine

GAMES = list(catalogue())
CHECKED = ["-O1", "-g", "-std=c99", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

#: Play acts of three policies, ask everything of every state that is come to, and offer nonsense to it.
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine.h"

static char text[1 << 16];

static void look(const prefix_state *state) {
    uint8_t print[32];
    int64_t answer;
    int32_t given[4] = {0};
    static prefix_offer offers[PREFIX_OFFERS];
    if (prefix_digest(state, print) != BROU_FINE || prefix_broken(state)) exit(2);
    if (prefix_score(state, text, sizeof text) < 0 || prefix_write(state, text, 5) < 0) exit(3);
    for (int seat = 0; seat < PREFIX_SEATS; seat++)
        if (prefix_view(state, seat, text, sizeof text) < 0 || prefix_legal(state, seat, text, 0) < 0) exit(4);
    int32_t many = prefix_offers(state, UINT64_MAX, offers, PREFIX_OFFERS);
    for (int32_t n = 0; n < many; n++) prefix_cards(state, offers[n].act, offers[n].seat);
    for (int question = 0; question < QUESTIONS; question++) prefix_ask(state, question, given, &answer);
}

static void attempt(const prefix_state *state, uint64_t *seed) {
    prefix_state after = *state;
    prefix_act act;
    for (size_t n = 0; n < sizeof act; n++) {
        *seed = *seed * 6364136223846793005u + 1;
        ((uint8_t *)&act)[n] = (uint8_t)(*seed >> 60);
    }
    act.act = (int16_t)(*seed >> 33) % (PREFIX_ACTS + 1);
    for (int n = 0; n < PREFIX_VALUES; n++) act.value[n] %= 40;
    if (prefix_apply(&after, &act) != BROU_FINE && memcmp(&after, state, sizeof after)) exit(5);
}

/* Texts with a hole in them, cut off, and of other kinds: read, refused, or taken as they are; nothing else. */
static void read_nonsense(const prefix_state *state, uint64_t *seed) {
    static const char *const texts[] = {TEXTS};
    static char *room;
    prefix_state after = *state;
    prefix_act act;
    int64_t found;
    *seed = *seed * 6364136223846793005u + 1;
    const char *text = texts[(*seed >> 33) % (sizeof texts / sizeof *texts)];
    size_t length = strlen(text), cut = length - (*seed >> 40) % (length + 1) * (*seed >> 7 & 1);
    room = malloc(cut + 1);
    memcpy(room, text, cut);
    if (cut && *seed >> 9 & 1) room[(*seed >> 20) % cut] = "[]{},: 0-n\\\\"[(*seed >> 50) % 12];
    if (prefix_read(room, (int64_t)cut, 0, &act) == BROU_FINE) prefix_apply(&after, &act);
    after = *state;
    if (prefix_start(&after, room, (int64_t)cut) != BROU_FINE && memcmp(&after, state, sizeof after)) exit(7);
    prefix_member(room, (int64_t)cut, "deck", &found);
    prefix_item(room, (int64_t)cut, 1, &found);
    free(room);
}

int main(void) {
    uint64_t seed = 1, noise = 7;
    prefix_policy policies[2] = {{.conduct = 1}, {.longest = 300}};
    prefix_sums sums = {.hashed = 1};
    prefix_state state;
    for (int n = 0; n < PREFIX_ACTS; n++) policies[1].weight[n] = n % 3;
    if (prefix_begin(&state) != BROU_FINE) return 1;
    for (int n = 0; n < 3000; n++) {
        look(&state);
        for (int tries = 0; tries < 5; tries++) {
            attempt(&state, &noise);
            read_nonsense(&state, &noise);
        }
        int32_t code = prefix_step(&state, &seed, n % 3 ? policies + n % 2 : NULL, NULL);
        if (code == BROU_NOTHING) prefix_begin(&state);
        else if (code != BROU_FINE) return 6;
    }
    prefix_play(&state, &seed, 20000, BROU_ACTS, NULL, &sums);
    prefix_play(&state, &seed, 20, BROU_MATCHES, policies + 1, &sums);
    prefix_play(&state, &seed, 20, BROU_MATCHES, policies, &sums);
    printf("%lld acts\\n", (long long)sums.acts);
    return sums.crashed != 0;
}
"""


def list_texts(tables: Mapping[str, Any]) -> list[object]:
    """Return acts and starts in JSON, right and wrong."""
    cards, start = tables["cards"], tables["start"]
    given = dict.fromkeys(start["given"], 0)
    dealt = {**given, "dealer": 0, "deck": cards, "packets": [1, 2]}
    acts = [{act["name"]: value} for act in tables["acts"] for value in (True, cards[0], cards, 3, {"deck": cards})]
    return [{}, [], dealt, {**given, "dealer": None}, {"dealer": 99}, {"accounts": [1, 2, 3, 4, 5, 6, 7]}, *acts]


@pytest.mark.thorough
@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("game", GAMES)
def test_an_engine_keeps_to_its_own(game: str, tmp_path: Path) -> None:
    """Thousands of acts, all questions and acts of nonsense leave the sanitizers silent and refused states alone."""
    taught = teach_engine(choose(game))
    engine, header, tables = write_engine(taught.game, taught.label, taught.wish)
    prefix, questions = make_prefix(game), tables["questions"]
    assert isinstance(questions, list)
    program = PROGRAM.replace("prefix_", prefix).replace("PREFIX_", prefix.upper())
    (tmp_path / "engine.h").write_text(header, encoding="utf-8")
    (tmp_path / "engine.c").write_text(engine, encoding="utf-8")
    texts = ", ".join(json.dumps(json.dumps(text)) for text in list_texts(tables))
    program = program.replace("QUESTIONS", str(len(questions))).replace("TEXTS", texts)
    (tmp_path / "main.c").write_text(program, encoding="utf-8")
    command = [*(find_compiler() or ()), *CHECKED, "-o", "main", "main.c", "engine.c"]
    subprocess.run(command, cwd=tmp_path, check=True)

    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.stderr == ""
    assert done.returncode == 0
    assert int(done.stdout.split()[0]) > 20_000


#: Watched acts, acts of nonsense and states of nonsense, with a room that is no larger than it says.
DATA_PROGRAM = """
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static Offer found[2048];
    size_t size = (size_t)code[STATE_SIZE] * sizeof(Value);
    Value *own = malloc((size_t)code[ROOM] * sizeof *own), *state = malloc(size), *worse = malloc(size);
    uint64_t seed = 1, noise = 7, sums[4] = {0};
    Act act;
    memcpy(own, room, (size_t)code[ROOM] * sizeof *own);
    if (brou_machine_begin(code, own, state) != FINE) return 1;
    for (int n = 0; n < 1500; n++) {
        for (size_t byte = 0; byte < sizeof act; byte++) {
            noise = noise * 6364136223846793005u + 1;
            ((uint8_t *)&act)[byte] = (uint8_t)(noise >> 60);
        }
        act.act = (int16_t)((noise >> 33) % (uint64_t)(code[ACTS] + 1));
        memcpy(worse, state, size);
        if (brou_machine_apply(code, own, worse, &act) != FINE && memcmp(worse, state, size)) return 2;
        memcpy(worse, state, size);
        ((int64_t *)worse)[(noise >> 20) % (size / 8)] = n % 3 ? (int64_t)(noise >> 50) - 9 : (int64_t)noise;
        brou_machine_step(code, own, worse, &noise, 0, found, 2048);
        brou_machine_offers(code, own, worse, found, 2048);
        if (brou_machine_play(code, own, state, &seed, 3, 1, 0, found, 2048, sums) != FINE) return 3;
    }
    printf("%llu acts\\n", (unsigned long long)sums[3]);
    free(own);
    free(state);
    free(worse);
    return 0;
}
"""


@pytest.mark.thorough
@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("game", GAMES)
def test_the_machine_keeps_to_its_room(game: str, tmp_path: Path) -> None:
    """So does the machine that runs rules as data, and a word of a state that nobody could write is no harm."""
    data = encode_data(lower_whole(rules(game)))
    numbers = ", ".join(map(str, data.code))
    words = ", ".join(f"INT64_C({word})" if word > -(1 << 63) else "INT64_MIN" for word in data.room)
    tables = f"static const int32_t code[] = {{{numbers}}};\nstatic int64_t room[] = {{{words}}};\n"
    (tmp_path / "main.c").write_text(write_machine(data.words) + tables + DATA_PROGRAM, encoding="utf-8")
    command = [*(find_compiler() or ()), *CHECKED, "-o", "main", "main.c"]
    subprocess.run(command, cwd=tmp_path, check=True)

    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.stderr == ""
    assert done.returncode == 0
    assert int(done.stdout.split()[0]) > 3_000
