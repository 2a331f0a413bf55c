/* Deals of one engine with others beside it, each put where the match stands before a deal: in how many each answers
 * otherwise. The states of all have one form. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int32_t (*begin)(void *);
    int32_t (*step)(void *, uint64_t *, const void *, void *);
    int32_t (*apply)(void *, const void *);
    uint64_t (*meant)(const void *);
    uint64_t (*scored)(const void *);
    int32_t (*ends)(const void *, int32_t);
} brou_beside;

/* The states are of the first engine before and after an act, then one for each other. Others with the same number of
 * `keys` are values of one reading, which parts once in a deal: `counted` is the last deal in which it did. */
typedef struct {
    const brou_beside *engines;
    const int32_t *keys;
    int32_t others;
    int64_t size, deals;
    uint8_t *states, *alike;
    int64_t *counts, *counted;
} Comparison;

enum { FINE = 0, NOTHING = 4 };

static void *State_of(const Comparison *C, int32_t place) { return C->states + C->size * place; }

static int Is_crash(uint64_t found) { return found == UINT64_MAX; }

/* Leave behind those that answer otherwise; a crash of an engine is 0. */
static int Compare(Comparison *C, const void *here, int scores) {
    const brou_beside *E = C->engines;
    uint64_t ours = scores ? E->scored(here) : E->meant(here);
    if (Is_crash(ours)) return 0;
    for (int32_t n = 0; n < C->others; n++) {
        if (!C->alike[n]) continue;
        const void *there = State_of(C, n + 2);
        uint64_t theirs = scores ? E[n + 1].scored(there) : E[n + 1].meant(there);
        if (Is_crash(theirs)) return 0;
        C->alike[n] = ours == theirs;
    }
    return 1;
}

/* Count a deal, and put every other where the match stands. What it offers there, but not once it has been put there, is
 * an outcome of the deal. */
static int Close(Comparison *C, const void *here) {
    const brou_beside *E = C->engines;
    C->deals++;
    uint64_t ours = E->meant(here);
    if (Is_crash(ours)) return 0;
    for (int32_t n = 0; n < C->others; n++) {
        void *there = State_of(C, n + 2);
        int before = C->alike[n], left = 0;
        if (before) {
            uint64_t theirs = E[n + 1].meant(there);
            if (Is_crash(theirs)) return 0;
            left = theirs != ours;
        }
        memcpy(there, here, (size_t)C->size);
        uint64_t put = E[n + 1].meant(there);
        if (Is_crash(put)) return 0;
        C->alike[n] = put == ours;
        if ((before && !(left && C->alike[n])) || C->counted[C->keys[n]] == C->deals) continue;
        C->counted[C->keys[n]] = C->deals;
        C->counts[C->keys[n]]++;
    }
    return 1;
}

/* Play a match, until there are so many deals in all; a crash is 0. */
static int Match(Comparison *C, uint64_t seed, int64_t most, int64_t longest, const void *policy, void *act) {
    const brou_beside *E = C->engines;
    void *here = State_of(C, 0), *after = State_of(C, 1);
    int ended = 0;
    if (E->begin(here) != FINE) return 0;
    for (int32_t n = 0; n < C->others; n++) {
        if (E[n + 1].begin(State_of(C, n + 2)) != FINE) return 0;
        C->alike[n] = 1;
    }
    for (int64_t made = 0; made < longest; made++) {
        if (ended ? !Close(C, here) : !Compare(C, here, 0)) return 0;
        if (C->deals == most) break;
        memcpy(after, here, (size_t)C->size);
        int32_t code = E->step(after, &seed, policy, act);
        if (code == NOTHING) break;
        if (code != FINE) return 0;
        ended = E->ends(here, *(int16_t *)act);
        if (ended && !Compare(C, here, 1)) return 0;
        for (int32_t n = 0; n < C->others; n++)
            if (C->alike[n] && E[n + 1].apply(State_of(C, n + 2), act) != FINE) return 0;
        memcpy(here, after, (size_t)C->size);
        if (ended && !Compare(C, here, 1)) return 0;
    }
    return 1;
}

/* Play matches until so many deals have been counted; the next one begins with the seed after. `counted` holds zeros as
 * `counts` does. Returns 0 for a crash. */
int32_t brou_count_partings(const brou_beside *engines, const int32_t *keys, int32_t others, int64_t size, uint64_t seed,
                            int64_t deals, int64_t longest, const void *policy, int64_t passed, int64_t *counts,
                            int64_t *counted) {
    Comparison whole = {engines, keys, others, size, 0, 0, 0, counts, counted};
    void *act = calloc(1, (size_t)passed);
    whole.states = calloc((size_t)others + 2, (size_t)size);
    whole.alike = calloc((size_t)others + 1, 1);
    int fine = whole.states && whole.alike && act;
    while (fine && whole.deals < deals) fine = Match(&whole, seed++, deals, longest, policy, act);
    free(whole.states);
    free(whole.alike);
    free(act);
    return fine;
}
