/* @RULES@, an engine in C: made from its rules by brou; change those, not this.
 *
 * readings  @READINGS@
 * rules     sha256 @HASH@
 * licence   MIT, as the rules have it
 *
 * No allocation, no globals that change, no input or output: everything is in what is passed. Seats, cards, suits and
 * all other values are their places, from 0; -1 says that there is none, and for a number PREFIX_NO_NUMBER.
 */

#ifndef PREFIX_H
#define PREFIX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PREFIX_INTERFACE 1
#define PREFIX_SEATS @SEATS@
#define PREFIX_CARDS @CARDS@
#define PREFIX_WORDS @WORDS@
#define PREFIX_ACTS @ACTS@
/* Values of an act; cards that are passed with one; entries that what is open takes at the most. */
#define PREFIX_VALUES @VALUES@
#define PREFIX_PASSED @PASSED@
#define PREFIX_OFFERS @OFFERS@
#define PREFIX_FIGURES @FIGURES@
/* Facts that a batch counts, numbers whose values it counts one by one, and up to how many values that is done. */
#define PREFIX_FACTS @FACTS@
#define PREFIX_NUMBERS @NUMBERS@
#define PREFIX_VARIETY @VARIETY@
#define PREFIX_NO_NUMBER (-2147483647 - 1)

#ifndef BROU_CODES
#define BROU_CODES
/* What functions return. Where a count is returned, a crash is BROU_CRASH. */
enum {
    BROU_FINE = 0,    /* done */
    BROU_REFUSED = 1, /* the act is not open; the state is as it was */
    BROU_CRASHED = 2, /* the rules broke a promise; the state is as it was */
    BROU_NO_ACT = 3,  /* no act of these rules, or a value that there cannot be */
    BROU_NOTHING = 4, /* nobody may do anything */
    BROU_CRASH = -1
};
/* What a described value is chosen from: a list, all cards of a set in some order, so many cards of a set, numbers. */
enum { BROU_LISTED, BROU_ORDERS, BROU_SUBSETS, BROU_RANGE };
/* What a batch is counted in. */
enum { BROU_ACTS, BROU_MATCHES };
#endif

@NAMES@

/* Sets of cards: bit n of the words is card n of the pack. */
typedef @SET@ prefix_set;
typedef struct { int16_t n; uint8_t at[@PILE@]; } prefix_pile;
typedef struct { int32_t n; int32_t at[@LIST@]; } prefix_list;
typedef struct { int32_t n; prefix_set at[@SETS@]; } prefix_sets;

/* A state: copy it, compare it byte by byte, store it, send it. */
typedef struct {
@STATE@
} prefix_state;

/* An act with its values: numbers, places, cards by place. Of an order or a subset the value is the number of its cards,
 * which stand in `cards`, those of one value behind those of the other. */
typedef struct {
    int16_t act, seat;
    int32_t value[PREFIX_VALUES];
    uint8_t cards[PREFIX_PASSED];
} prefix_act;

/* What is open: one act, or with `many` one for each of `cards` as the last value. It weighs `weight`, and counts
 * `count` with all its cards. Of a described act there are no values: see prefix_describe. */
typedef struct {
    int16_t act, seat;
    int32_t weight;
    int64_t count;
    int32_t value[PREFIX_VALUES];
    int32_t many;
    prefix_set cards;
} prefix_offer;

/* What a value of a described act is chosen from: `list` (or, of lists, places from 0 to `high`) or `cards` where it is
 * listed, all `cards` in order, from `low` to `high` of `cards`, or a number from `low` to `high`. */
typedef struct {
    int32_t form, low, high;
    prefix_list list;
    prefix_set cards;
} prefix_bound;

/* How random players choose: by the weights that were compiled in (`conduct`), or by one for each act; a null pointer
 * where acts are all alike. A match of a batch is left after `longest` acts, 0 for 20,000. With `packs` set the orders of
 * packs in a match of a batch come from its seed alone, so that other rules play the same deals. */
typedef struct {
    int32_t conduct, packs, weight[PREFIX_ACTS];
    int64_t longest;
} prefix_policy;

/* Sums over matches of a figure, of its square and of its product with the number of its cases; of the number of its
 * cases, and of its square. Sums of several batches are added. */
typedef struct { int64_t value, square, product, count, squared; } prefix_sum;

/* Sums over matches of how often something was so, of the square of that and of its product with the number of deals. */
typedef struct { int64_t value, square, product; } prefix_count;

/* The values that a number has had, as long as there are no more than there is room for, else one more; each with its
 * count. `now` is of the match that is played. */
typedef struct {
    int32_t many, value[PREFIX_VARIETY];
    int64_t now[PREFIX_VARIETY];
    prefix_count count[PREFIX_VARIETY];
} prefix_number;

typedef struct {
    uint64_t hash;     /* of all acts, in order, if `hashed` is set; start with 0 */
    int32_t hashed;
    int32_t unused;
    int64_t acts, matches, deals, deals_squared, unfinished, crashed;
    prefix_sum figure[PREFIX_FIGURES];
    prefix_count fact[PREFIX_FACTS];
    prefix_number number[PREFIX_NUMBERS];
} prefix_sums;

/* The name of the rule base with its readings, and the hash of its rules; the tables of names as JSON. */
const char *prefix_rules(void);
const char *prefix_hash(void);
const char *prefix_tables(void);
size_t prefix_size(void);

int32_t prefix_begin(prefix_state *);
int32_t prefix_over(const prefix_state *);
/* Write what is open, of the acts whose bits are set, as far as there is room; return how many entries there are. */
int32_t prefix_offers(const prefix_state *, uint64_t acts, prefix_offer *out, int32_t room);
/* The cards that may be the last value of an act of a seat. */
prefix_set prefix_cards(const prefix_state *, int32_t act, int32_t seat);
/* What the values of a described act are chosen from: one bound for each. */
int32_t prefix_describe(const prefix_state *, int32_t act, int32_t seat, prefix_bound *out);
int32_t prefix_apply(prefix_state *, const prefix_act *);
/* Make a random act, as the format has it; `out` may be null. */
int32_t prefix_step(prefix_state *, uint64_t *seed, const prefix_policy *, prefix_act *out);
/* Play so many acts from a state on, beginning anew where a match ends, or so many matches, each with its own seed, from
 * the first on. `sums` may be null. Returns how many were played, or BROU_CRASH, and then the state is of no use. */
int64_t prefix_play(prefix_state *, uint64_t *seed, int64_t count, int32_t unit, const prefix_policy *, prefix_sums *sums);
/* Answer a question that was compiled in, by its number in the tables. */
int32_t prefix_ask(const prefix_state *, int32_t question, const int32_t *given, int64_t *answer);
/* The invariants that do not hold, as bits; a crash is all bits. */
uint64_t prefix_broken(const prefix_state *);
/* Fingerprints below 2^63, or all bits for a crash: of what anybody may do that weighs anything, and of the score. Two
 * engines whose tables are alike have the same where they answer the same. */
uint64_t prefix_meant(const prefix_state *);
uint64_t prefix_scored(const prefix_state *);
/* Whether an act ends a deal in this state. */
int32_t prefix_ends(const prefix_state *, int32_t act);

/* Read an act of a seat, written as {"name": value} as `legal` lists it; BROU_NO_ACT where it is none. */
int32_t prefix_read(const char *text, int64_t length, int32_t seat, prefix_act *out);
/* Begin as the `start` of a script has it: an object with variables that the tables name, and the deal, if it has the
 * order of the pack; other keys are not looked at, and an empty one is the beginning of a match. BROU_REFUSED where no
 * game comes there. */
int32_t prefix_start(prefix_state *, const char *text, int64_t length);
/* The value of a key of an object, and an element of a list, from 0: where it stands and how long it is, or null. */
const char *prefix_member(const char *text, int64_t length, const char *key, int64_t *found);
const char *prefix_item(const char *text, int64_t length, int64_t place, int64_t *found);

/* JSON, as far as there is room; returns its length, or BROU_CRASH. No zero stands behind it. */
int64_t prefix_score(const prefix_state *, char *out, int64_t room);
int64_t prefix_view(const prefix_state *, int32_t seat, char *out, int64_t room);
int64_t prefix_legal(const prefix_state *, int32_t seat, char *out, int64_t room);
int64_t prefix_write(const prefix_state *, char *out, int64_t room);
/* The SHA-256 of the state and of all that each seat may do, as canonical JSON. */
int32_t prefix_digest(const prefix_state *, uint8_t out[32]);

#ifdef __cplusplus
}
#endif

#endif
