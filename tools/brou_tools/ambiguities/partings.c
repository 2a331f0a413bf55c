/* Deals of one engine with others beside it, each put where the match stands before a deal: in how many each answers
 * otherwise. The states of all have one form. A deal is played once and then put to the others, one after the other, so
 * that the code of each is fetched once in a deal; where an other has the same state and the same code, it is not asked. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether the code differs from that of the first engine: what is offered by phase, what is done by act, the score. */
typedef struct {
    int32_t (*begin)(void *);
    int32_t (*step)(void *, uint64_t *, const void *, void *);
    int32_t (*apply)(void *, const void *);
    uint64_t (*meant)(const void *);
    uint64_t (*scored)(const void *);
    int32_t (*ends)(const void *, int32_t);
    const uint8_t *phases, *acts;
    int64_t score;
} brou_beside;

/* A deal: the state before each of its acts and after the last one, what is offered in each if that is known, the acts. */
typedef struct {
    int64_t many, room, size, passed;
    uint8_t *states, *acts, *known;
    uint64_t *offers;
} Trail;

/* `alike` says whether an other begins a deal like the first engine, `there` is the state of the one that is asked. Others with
 * the same number of `keys` are values of one reading, which parts once in a deal: `counted` is the last deal in which it did. */
typedef struct {
    const brou_beside *engines;
    const int32_t *keys;
    int32_t others;
    int64_t deals;
    uint8_t *there, *alike;
    int64_t *counts, *counted;
    Trail trail;
} Comparison;

enum { FINE = 0, NOTHING = 4 };

static int Is_crash(uint64_t found) { return found == UINT64_MAX; }

static int32_t Phase(const void *state) { return *(const int32_t *)state; }

static void *State_at(const Trail *T, int64_t place) { return T->states + T->size * place; }

static void *Act_at(const Trail *T, int64_t place) { return T->acts + T->passed * place; }

/* Make room for one act more. */
static int Grow(Trail *T) {
    if (T->many + 2 < T->room) return 1;
    int64_t room = T->room ? 2 * T->room : 64;
    uint8_t *states = realloc(T->states, (size_t)(room * T->size));
    if (states) T->states = states;
    uint8_t *acts = realloc(T->acts, (size_t)(room * T->passed));
    if (acts) T->acts = acts;
    uint8_t *known = realloc(T->known, (size_t)room);
    if (known) T->known = known;
    uint64_t *offers = realloc(T->offers, (size_t)room * sizeof *offers);
    if (offers) T->offers = offers;
    if (!states || !acts || !known || !offers) return 0;
    T->room = room;
    return 1;
}

/* What the first engine offers at a place; it is asked once. */
static uint64_t Offers(Comparison *C, int64_t place) {
    Trail *T = &C->trail;
    if (!T->known[place]) T->offers[place] = C->engines->meant(State_at(T, place));
    T->known[place] = 1;
    return T->offers[place];
}

/* Say whether an other, whose state may be the same, offers the same at a place; a crash is -1. */
static int Offers_alike(Comparison *C, const brou_beside *E, int64_t place, int same) {
    const void *here = State_at(&C->trail, place);
    if (same && !E->phases[Phase(here)]) return 1;
    uint64_t ours = Offers(C, place), theirs = E->meant(same ? here : C->there);
    return Is_crash(ours) || Is_crash(theirs) ? -1 : ours == theirs;
}

static int Scores_alike(Comparison *C, const brou_beside *E, int64_t place, int same) {
    const void *here = State_at(&C->trail, place);
    if (same && !E->score) return 1;
    uint64_t ours = C->engines->scored(here), theirs = E->scored(same ? here : C->there);
    return Is_crash(ours) || Is_crash(theirs) ? -1 : ours == theirs;
}

/* Put a whole deal to an other, and the other then where the match stands. What it offers there, but not once it has been
 * put there, is an outcome of the deal. A crash is 0. */
static int Put_deal(Comparison *C, int32_t n, int first) {
    const brou_beside *E = C->engines + n + 1;
    const Trail *T = &C->trail;
    int64_t last = T->many - 1;
    int alike = C->alike[n], same = 1, left = 0;
    if (first) {
        if (E->begin(C->there) != FINE) return 0;
        same = !memcmp(C->there, State_at(T, 0), (size_t)T->size);
        if ((alike = Offers_alike(C, E, 0, same)) < 0) return 0;
    }
    for (int64_t place = 0; place <= last && alike; place++) {
        const void *act = Act_at(T, place);
        if (place == last && (alike = Scores_alike(C, E, place, same)) < 0) return 0;
        if (!alike) break;
        if (!same || E->acts[*(const int16_t *)act]) {
            if (same) memcpy(C->there, State_at(T, place), (size_t)T->size);
            if (E->apply(C->there, act) != FINE) return 0;
            same = !memcmp(C->there, State_at(T, place + 1), (size_t)T->size);
        }
        alike = place == last ? Scores_alike(C, E, place + 1, same) : Offers_alike(C, E, place + 1, same);
        if (alike < 0) return 0;
    }
    if (alike) {
        int still = Offers_alike(C, E, T->many, same);
        if (still < 0) return 0;
        left = !still;
    }
    int put = Offers_alike(C, E, T->many, 1);
    if (put < 0) return 0;
    C->alike[n] = (uint8_t)put;
    if ((alike && !(left && put)) || C->counted[C->keys[n]] == C->deals) return 1;
    C->counted[C->keys[n]] = C->deals;
    C->counts[C->keys[n]]++;
    return 1;
}

/* Play a match, until there are so many deals in all; a crash is 0. */
static int Match(Comparison *C, uint64_t seed, int64_t most, int64_t longest, const void *policy) {
    const brou_beside *E = C->engines;
    Trail *T = &C->trail;
    int first = 1;
    T->many = 0;
    if (!Grow(T) || E->begin(State_at(T, 0)) != FINE) return 0;
    T->known[0] = 0;
    for (int64_t made = 0; made + 1 < longest; made++) {
        if (!Grow(T)) return 0;
        void *here = State_at(T, T->many), *after = State_at(T, T->many + 1), *act = Act_at(T, T->many);
        memcpy(after, here, (size_t)T->size);
        int32_t code = E->step(after, &seed, policy, act);
        if (code == NOTHING) break;
        if (code != FINE) return 0;
        T->known[++T->many] = 0;
        if (!E->ends(here, *(int16_t *)act)) continue;
        C->deals++;
        for (int32_t n = 0; n < C->others; n++)
            if (!Put_deal(C, n, first)) return 0;
        if (C->deals == most) break;
        first = 0;
        memcpy(State_at(T, 0), State_at(T, T->many), (size_t)T->size);
        T->known[0] = T->known[T->many];
        T->offers[0] = T->offers[T->many];
        T->many = 0;
    }
    return 1;
}

/* Play matches until so many deals have been counted; the next one begins with the seed after. `counted` holds zeros as
 * `counts` does. Returns 0 for a crash. */
int32_t brou_count_partings(const brou_beside *engines, const int32_t *keys, int32_t others, int64_t size, uint64_t seed,
                            int64_t deals, int64_t longest, const void *policy, int64_t passed, int64_t *counts,
                            int64_t *counted) {
    Comparison whole = {engines, keys, others, 0, 0, 0, counts, counted, {0, 0, size, passed, 0, 0, 0, 0}};
    whole.there = calloc(1, (size_t)size);
    whole.alike = calloc((size_t)others + 1, 1);
    int fine = whole.there && whole.alike;
    while (fine && whole.deals < deals) fine = Match(&whole, seed++, deals, longest, policy);
    free(whole.trail.states);
    free(whole.trail.acts);
    free(whole.trail.known);
    free(whole.trail.offers);
    free(whole.there);
    free(whole.alike);
    return fine;
}
