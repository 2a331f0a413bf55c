/* What every engine in C takes for granted: sets of cards, piles, lists, chance, JSON and its hash.
 *
 * The text before it has the types brou_set, brou_pile, brou_list and brou_sets, and defines BROU_CARDS, the cards of
 * the pack, BROU_WORDS, the words of 64 bits in a set, BROU_PILE, the cards of the longest pile, and BROU_PASSED, those
 * that an act passes. C99, no library but memcpy, memset and their kin, no allocation, nothing that changes but what is
 * passed. Functions that an engine does not need fall away when it is compiled.
 */

#if defined(__GNUC__) || defined(__clang__)
#define BROU_UNUSED __attribute__((unused))
#define BROU_APART __attribute__((noinline))
#else
#define BROU_UNUSED
#define BROU_APART
#endif
#define BROU_INLINE static inline BROU_UNUSED

/* Sets of cards: bit n for card n; the bit behind the last card says that there is no set. */

BROU_INLINE int32_t brou_count_bits(uint64_t word) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_popcountll(word);
#else
    int32_t count = 0;
    for (; word; word &= word - 1) count++;
    return count;
#endif
}

BROU_INLINE int32_t brou_first_bit(uint64_t word) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(word);
#else
    int32_t place = 0;
    for (; !(word & 1); word >>= 1) place++;
    return place;
#endif
}

#if BROU_WORDS == 1

BROU_INLINE brou_set brou_union(brou_set one, brou_set two) { return one | two; }
BROU_INLINE brou_set brou_common(brou_set one, brou_set two) { return one & two; }
BROU_INLINE brou_set brou_without(brou_set one, brou_set two) { return one & ~two; }
BROU_INLINE int32_t brou_same(brou_set one, brou_set two) { return one == two; }
BROU_INLINE int32_t brou_some(brou_set set) { return set != 0; }
BROU_INLINE int32_t brou_size(brou_set set) { return brou_count_bits(set); }
BROU_INLINE brou_set brou_lowest(brou_set set) { return set & -set; }
BROU_INLINE brou_set brou_rest(brou_set set) { return set & (set - 1); }
BROU_INLINE int32_t brou_place(brou_set card) { return brou_first_bit(card); }
BROU_INLINE brou_set brou_card(int32_t place) { return (brou_set)1 << place; }
BROU_INLINE brou_set brou_nothing(void) { return 0; }

#else

BROU_INLINE brou_set brou_nothing(void) { brou_set none = {{0}}; return none; }

BROU_INLINE brou_set brou_union(brou_set one, brou_set two) {
    for (int n = 0; n < BROU_WORDS; n++) one.word[n] |= two.word[n];
    return one;
}

BROU_INLINE brou_set brou_common(brou_set one, brou_set two) {
    for (int n = 0; n < BROU_WORDS; n++) one.word[n] &= two.word[n];
    return one;
}

BROU_INLINE brou_set brou_without(brou_set one, brou_set two) {
    for (int n = 0; n < BROU_WORDS; n++) one.word[n] &= ~two.word[n];
    return one;
}

BROU_INLINE int32_t brou_same(brou_set one, brou_set two) {
    uint64_t other = 0;
    for (int n = 0; n < BROU_WORDS; n++) other |= one.word[n] ^ two.word[n];
    return other == 0;
}

BROU_INLINE int32_t brou_some(brou_set set) {
    uint64_t any = 0;
    for (int n = 0; n < BROU_WORDS; n++) any |= set.word[n];
    return any != 0;
}

BROU_INLINE int32_t brou_size(brou_set set) {
    int32_t size = 0;
    for (int n = 0; n < BROU_WORDS; n++) size += brou_count_bits(set.word[n]);
    return size;
}

/* The place of the first card; of no card the place behind the last word. */
BROU_INLINE int32_t brou_place(brou_set set) {
    int n = 0;
    while (n < BROU_WORDS && !set.word[n]) n++;
    return n < BROU_WORDS ? 64 * n + brou_first_bit(set.word[n]) : 64 * BROU_WORDS;
}

BROU_INLINE brou_set brou_card(int32_t place) {
    brou_set card = {{0}};
    card.word[place / 64] = UINT64_C(1) << place % 64;
    return card;
}

BROU_INLINE brou_set brou_lowest(brou_set set) { return brou_some(set) ? brou_card(brou_place(set)) : set; }

BROU_INLINE brou_set brou_rest(brou_set set) {
    int n = 0;
    while (n < BROU_WORDS && !set.word[n]) n++;
    if (n < BROU_WORDS) set.word[n] &= set.word[n] - 1;
    return set;
}

#endif

BROU_INLINE int32_t brou_holds(brou_set set, int32_t place) {
#if BROU_WORDS == 1
    return (int32_t)(set >> place & 1);
#else
    return (int32_t)(set.word[place / 64] >> place % 64 & 1);
#endif
}

/* The card of a set before which so many others stand. */
BROU_INLINE brou_set brou_choose(brou_set set, int64_t count) {
#if BROU_WORDS == 1 && defined(__BMI2__)
    return __builtin_ia32_pdep_di(UINT64_C(1) << count, set);
#else
    for (; count > 0; count--) set = brou_rest(set);
    return brou_lowest(set);
#endif
}

/* What a trait of cards comes to over a set. */

BROU_INLINE int32_t brou_total(const int32_t *trait, brou_set set) {
    int32_t sum = 0;
    for (; brou_some(set); set = brou_rest(set)) sum += trait[brou_place(set)];
    return sum;
}

BROU_INLINE brou_set brou_best(const int32_t *trait, brou_set set) {
    brou_set found = brou_lowest(set);
    for (set = brou_rest(set); brou_some(set); set = brou_rest(set))
        if (trait[brou_place(set)] > trait[brou_place(found)]) found = brou_lowest(set);
    return found;
}

BROU_INLINE int32_t brou_peak(const int32_t *trait, brou_set set, int32_t none) {
    return brou_some(set) ? trait[brou_place(brou_best(trait, set))] : none;
}

BROU_INLINE int32_t brou_floor(const int32_t *trait, brou_set set, int32_t none) {
    if (!brou_some(set)) return none;
    int32_t least = trait[brou_place(set)];
    for (set = brou_rest(set); brou_some(set); set = brou_rest(set))
        if (trait[brou_place(set)] < least) least = trait[brou_place(set)];
    return least;
}

/* Numbers. */

BROU_INLINE int64_t brou_divide(int64_t number, int64_t by) { return number / by - (number % by < 0); }
BROU_INLINE int64_t brou_min(int64_t one, int64_t two) { return one < two ? one : two; }
BROU_INLINE int64_t brou_max(int64_t one, int64_t two) { return one > two ? one : two; }
BROU_INLINE int64_t brou_abs(int64_t number) { return number < 0 ? -number : number; }
BROU_INLINE int32_t brou_is_bounded(int64_t number) { return -1000000000 <= number && number <= 1000000000; }

/* Piles, the top card first; a pile of which there is none has the length -1, and where a pointer is wanted is null. */

BROU_INLINE brou_set brou_spread(const brou_pile *pile) {
    brou_set set = brou_nothing();
    for (int n = 0; n < pile->n; n++) set = brou_union(set, brou_card(pile->at[n]));
    return set;
}

BROU_INLINE const brou_pile *brou_stack(brou_pile *out, brou_set set) {
    out->n = 0;
    for (; brou_some(set); set = brou_rest(set)) out->at[out->n++] = (uint8_t)brou_place(set);
    return out;
}

BROU_INLINE brou_set brou_top(const brou_pile *pile) {
    return pile->n ? brou_card(pile->at[0]) : brou_nothing();
}

BROU_INLINE brou_set brou_bottom(const brou_pile *pile) {
    return pile->n ? brou_card(pile->at[pile->n - 1]) : brou_nothing();
}

/* So many cards of a pile from a place on; counts below nothing are counted from the end. */
BROU_INLINE int32_t brou_bound(const brou_pile *pile, int32_t place) {
    place = place < 0 ? place + pile->n : place;
    return place < 0 ? 0 : place > pile->n ? pile->n : place;
}

BROU_INLINE const brou_pile *brou_slice(brou_pile *out, const brou_pile *pile, int32_t from, int32_t to) {
    from = brou_bound(pile, from);
    int32_t n = brou_bound(pile, to) - from;
    n = n > 0 ? n : 0;
    if (n) memmove(out->at, pile->at + from, (size_t)n);
    out->n = (int16_t)n;
    return out;
}

/* The set of so many cards from the top. */
BROU_INLINE brou_set brou_spread_first(const brou_pile *pile, int32_t count) {
    brou_set set = brou_nothing();
    count = brou_bound(pile, count);
    for (int n = 0; n < count; n++) set = brou_union(set, brou_card(pile->at[n]));
    return set;
}

BROU_INLINE const brou_pile *brou_onto(brou_pile *out, const brou_pile *one, const brou_pile *two) {
    memcpy(out->at, one->at, (size_t)one->n);
    memcpy(out->at + one->n, two->at, (size_t)two->n);
    out->n = (int16_t)(one->n + two->n);
    return out;
}

BROU_INLINE const brou_pile *brou_cut(brou_pile *out, const brou_pile *pile, int32_t count) {
    if (count <= 0 || count >= pile->n) return pile;
    memcpy(out->at, pile->at + count, (size_t)(pile->n - count));
    memcpy(out->at + pile->n - count, pile->at, (size_t)count);
    out->n = pile->n;
    return out;
}

BROU_INLINE int32_t brou_same_pile(const brou_pile *one, const brou_pile *two) {
    if (!one || !two) return one == two;
    return one->n == two->n && memcmp(one->at, two->at, (size_t)one->n) == 0;
}

/* Read so many cards of an act, from a place on that moves on, if they are cards of the pack and each is there once. */
BROU_INLINE int32_t brou_read_cards(const uint8_t *cards, int32_t count, int32_t *from, brou_pile *out) {
    brou_set seen = brou_nothing();
    if (count < 0 || count > BROU_PILE || count > BROU_PASSED - *from) return 0;
    for (int32_t n = 0; n < count; n++) {
        uint8_t card = cards[*from + n];
        if (card >= BROU_CARDS || brou_holds(seen, card)) return 0;
        seen = brou_union(seen, brou_card(card));
        out->at[n] = card;
    }
    out->n = (int16_t)count;
    *from += count;
    return 1;
}

/* The pile in a variable, null where there is none; and back. */
BROU_INLINE const brou_pile *brou_there(const brou_pile *pile) { return pile->n < 0 ? 0 : pile; }

BROU_INLINE void brou_put_cards(brou_pile *to, const uint8_t *cards, int32_t n) {
    if (n > 0) memmove(to->at, cards, (size_t)n);
    memset(to->at + n, 0, (size_t)(BROU_PILE - n));
    to->n = (int16_t)n;
}

BROU_INLINE void brou_put_pile(brou_pile *to, const brou_pile *pile) {
    brou_put_cards(to, pile ? pile->at : 0, pile ? pile->n : 0);
    if (!pile) to->n = -1;
}

BROU_INLINE void brou_put_slice(brou_pile *place, const brou_pile *pile, int32_t from, int32_t to) {
    from = brou_bound(pile, from);
    to = brou_bound(pile, to);
    brou_put_cards(place, pile->at + from, to > from ? to - from : 0);
}

/* Lists: of numbers and places, of sets and cards, of lists of numbers. */

typedef struct { int32_t n; const brou_list *at; } brou_lists;

BROU_INLINE int32_t brou_in_list(const brou_list *list, int32_t value) {
    for (int n = 0; n < list->n; n++) if (list->at[n] == value) return 1;
    return 0;
}

BROU_INLINE int32_t brou_in_sets(const brou_sets *list, brou_set value) {
    for (int n = 0; n < list->n; n++) if (brou_same(list->at[n], value)) return 1;
    return 0;
}

BROU_INLINE int32_t brou_same_list(const brou_list *one, const brou_list *two) {
    if (one->n != two->n) return 0;
    for (int n = 0; n < one->n; n++) if (one->at[n] != two->at[n]) return 0;
    return 1;
}

/* The place of a list among others, -1 where it is none of them. */
BROU_INLINE int32_t brou_find_list(const brou_lists *lists, const brou_list *list) {
    for (int n = 0; n < lists->n; n++) if (brou_same_list(lists->at + n, list)) return n;
    return -1;
}

/* Chance: splitmix64. */

BROU_INLINE uint64_t brou_word(uint64_t *seed) {
    uint64_t word = *seed += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

BROU_INLINE uint64_t brou_below(uint64_t *seed, uint64_t bound) {
    uint64_t word = brou_word(seed);
    /* 2^64 modulo the bound is that of what is left below it; from there on words are passed over. */
    while (word > -bound && -bound % bound && word >= -(-bound % bound)) word = brou_word(seed);
    return word % bound;
}

/* Shuffle cards, from the last place down. */
BROU_INLINE void brou_shuffle(uint64_t *seed, uint8_t *cards, int32_t count) {
    for (int32_t place = count - 1; place > 0; place--) {
        int32_t other = (int32_t)brou_below(seed, (uint64_t)place + 1);
        uint8_t card = cards[place];
        cards[place] = cards[other];
        cards[other] = card;
    }
}

/* SHA-256. */

typedef struct { uint32_t state[8]; uint64_t length; uint8_t block[64]; } brou_sha;

static const uint32_t brou_sha_constants[64] BROU_UNUSED = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

BROU_INLINE uint32_t brou_turn(uint32_t word, int by) { return word >> by | word << (32 - by); }

BROU_INLINE void brou_sha_mix(brou_sha *sha) {
    uint32_t w[64], s[8];
    for (int n = 0; n < 16; n++) {
        const uint8_t *b = sha->block + 4 * n;
        w[n] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (int n = 16; n < 64; n++) {
        uint32_t low = brou_turn(w[n - 15], 7) ^ brou_turn(w[n - 15], 18) ^ w[n - 15] >> 3;
        uint32_t high = brou_turn(w[n - 2], 17) ^ brou_turn(w[n - 2], 19) ^ w[n - 2] >> 10;
        w[n] = w[n - 16] + low + w[n - 7] + high;
    }
    memcpy(s, sha->state, sizeof s);
    for (int n = 0; n < 64; n++) {
        uint32_t one = brou_turn(s[4], 6) ^ brou_turn(s[4], 11) ^ brou_turn(s[4], 25);
        uint32_t first = s[7] + one + ((s[4] & s[5]) ^ (~s[4] & s[6])) + brou_sha_constants[n] + w[n];
        uint32_t two = brou_turn(s[0], 2) ^ brou_turn(s[0], 13) ^ brou_turn(s[0], 22);
        uint32_t second = two + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int n = 0; n < 8; n++) sha->state[n] += s[n];
}

BROU_INLINE void brou_sha_begin(brou_sha *sha) {
    static const uint32_t first[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    memcpy(sha->state, first, sizeof first);
    sha->length = 0;
}

BROU_INLINE void brou_sha_add(brou_sha *sha, uint8_t byte) {
    sha->block[sha->length++ % 64] = byte;
    if (sha->length % 64 == 0) brou_sha_mix(sha);
}

BROU_INLINE void brou_sha_end(brou_sha *sha, uint8_t out[32]) {
    uint64_t bits = sha->length * 8;
    brou_sha_add(sha, 0x80);
    while (sha->length % 64 != 56) brou_sha_add(sha, 0);
    for (int n = 56; n >= 0; n -= 8) brou_sha_add(sha, (uint8_t)(bits >> n));
    for (int n = 0; n < 32; n++) out[n] = (uint8_t)(sha->state[n / 4] >> (24 - 8 * (n % 4)));
}

/* JSON, written into as much room as there is; what does not fit is counted. A comma stands before whatever follows
 * something in the same list or object. `hash` is that of what was written (FNV). */

typedef struct { char *at; int64_t room, length; brou_sha *sha; int32_t comma; uint64_t hash; } brou_json;

BROU_INLINE void brou_char(brou_json *json, char one) {
    if (json->length < json->room) json->at[json->length] = one;
    if (json->sha) brou_sha_add(json->sha, (uint8_t)one);
    json->hash = (json->hash ^ (uint8_t)one) * UINT64_C(0x100000001b3);
    json->length++;
}

BROU_INLINE void brou_text(brou_json *json, const char *text) {
    while (*text) brou_char(json, *text++);
}

/* Write something whole, behind a comma where one is wanted. */
BROU_INLINE void brou_plain(brou_json *json, const char *text) {
    if (json->comma) brou_char(json, ',');
    brou_text(json, text);
    json->comma = 1;
}

BROU_INLINE void brou_open(brou_json *json, char bracket) {
    if (json->comma) brou_char(json, ',');
    brou_char(json, bracket);
    json->comma = 0;
}

BROU_INLINE void brou_close(brou_json *json, char bracket) {
    brou_char(json, bracket);
    json->comma = 1;
}

BROU_INLINE void brou_quote(brou_json *json, const char *name) {
    brou_open(json, '"');
    brou_text(json, name);
    brou_close(json, '"');
}

BROU_INLINE void brou_key(brou_json *json, const char *name) {
    brou_quote(json, name);
    brou_char(json, ':');
    json->comma = 0;
}

BROU_INLINE void brou_number(brou_json *json, int64_t number) {
    char digits[24];
    int n = sizeof digits;
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    digits[--n] = 0;
    do digits[--n] = (char)('0' + left % 10); while (left /= 10);
    if (number < 0) digits[--n] = '-';
    brou_plain(json, digits + n);
}

BROU_INLINE void brou_truth(brou_json *json, int32_t holds) { brou_plain(json, holds ? "true" : "false"); }

/* The cards of a set, or of a pile, one after the other. */

BROU_INLINE void brou_cards(brou_json *json, const char *const *codes, brou_set set) {
    for (; brou_some(set); set = brou_rest(set)) brou_quote(json, codes[brou_place(set)]);
}

BROU_INLINE void brou_pile_cards(brou_json *json, const char *const *codes, const brou_pile *pile) {
    for (int n = 0; n < pile->n; n++) brou_quote(json, codes[pile->at[n]]);
}

/* JSON, read where it stands: a text is looked through, not copied. It is taken as it stands: names with escapes are
 * names of nothing, and what is behind a value that is wrong may be passed over. */

typedef struct { const char *at; int64_t length; } brou_span;

BROU_INLINE int32_t brou_is_space(char one) { return one == ' ' || one == '\t' || one == '\n' || one == '\r'; }

BROU_INLINE void brou_pass(brou_span *rest, int64_t count) {
    rest->at += count;
    rest->length -= count;
}

/* Pass over blanks, and over a mark if it stands there; say whether it did. */
BROU_INLINE int32_t brou_meet(brou_span *rest, char mark) {
    while (rest->length > 0 && brou_is_space(*rest->at)) brou_pass(rest, 1);
    if (rest->length <= 0 || *rest->at != mark) return 0;
    brou_pass(rest, 1);
    return 1;
}

/* Take the value off the front of a text; it is empty where there is none. */
BROU_INLINE brou_span brou_take(brou_span *rest) {
    int32_t depth = 0, quoted = 0, ended = 0;
    while (rest->length > 0 && brou_is_space(*rest->at)) brou_pass(rest, 1);
    brou_span value = {rest->at, 0};
    while (rest->length > 0 && !ended) {
        char one = *rest->at;
        if (quoted) {
            if (one == '\\' && rest->length > 1) brou_pass(rest, 1);
            quoted = one != '"';
            ended = !quoted && !depth;
        } else if (one == '"') {
            quoted = 1;
        } else if (one == '[' || one == '{') {
            depth++;
        } else if (one == ']' || one == '}') {
            if (!depth) break;
            ended = !--depth;
        } else if (!depth && (one == ',' || one == ':' || brou_is_space(one))) {
            break;
        }
        brou_pass(rest, 1);
    }
    value.length = rest->at - value.at;
    return value;
}

/* Go into a list or an object, if it is one. */
BROU_INLINE int32_t brou_enter(brou_span *span, char bracket) {
    if (!brou_meet(span, bracket)) return 0;
    while (span->length > 0 && brou_is_space(span->at[span->length - 1])) span->length--;
    if (span->length <= 0 || span->at[span->length - 1] != bracket + 2) return 0;
    span->length--;
    return 1;
}

/* The next element of a list that was gone into, and the next key with its value; nothing where there is no more. */
BROU_INLINE int32_t brou_next(brou_span *rest, brou_span *item) {
    *item = brou_take(rest);
    brou_meet(rest, ',');
    return item->length > 0;
}

BROU_INLINE int32_t brou_next_key(brou_span *rest, brou_span *key, brou_span *value) {
    *key = brou_take(rest);
    return key->length > 0 && brou_meet(rest, ':') && brou_next(rest, value);
}

BROU_INLINE int32_t brou_is_text(brou_span span, const char *text) {
    int64_t n = 0;
    while (n < span.length && text[n] && span.at[n] == text[n]) n++;
    return n == span.length && !text[n];
}

BROU_INLINE int32_t brou_is_name(brou_span span, const char *name) {
    brou_span inner = {span.at + 1, span.length - 2};
    return span.length >= 2 && *span.at == '"' && brou_is_text(inner, name);
}

/* The value of a key of an object. */
BROU_INLINE int32_t brou_member(brou_span object, const char *name, brou_span *value) {
    brou_span key;
    if (!brou_enter(&object, '{')) return 0;
    while (brou_next_key(&object, &key, value)) if (brou_is_name(key, name)) return 1;
    return 0;
}

/* The place of a name among some, -1 where it is none of them. */
BROU_INLINE int32_t brou_read_name(brou_span span, const char *const *names, int32_t count) {
    for (int32_t n = 0; n < count; n++) if (brou_is_name(span, names[n])) return n;
    return -1;
}

/* A whole number of at most nine digits. */
BROU_INLINE int32_t brou_read_whole(brou_span span, int32_t *out) {
    int32_t minus = span.length > 0 && *span.at == '-', number = 0;
    if (minus) brou_pass(&span, 1);
    if (span.length < 1 || span.length > 9 || (*span.at == '0' && span.length > 1)) return 0;
    for (; span.length > 0; brou_pass(&span, 1)) {
        if (*span.at < '0' || *span.at > '9') return 0;
        number = 10 * number + (*span.at - '0');
    }
    *out = minus ? -number : number;
    return 1;
}

BROU_INLINE int32_t brou_read_truth(brou_span span, int32_t *out) {
    *out = brou_is_text(span, "true");
    return *out || brou_is_text(span, "false");
}

/* The places of the cards in a list, if each is one of the pack; their number, or -1. */
BROU_INLINE int32_t brou_read_places(brou_span span, const char *const *codes, uint8_t *out, int32_t room) {
    brou_span item;
    int32_t count = 0;
    if (!brou_enter(&span, '[')) return -1;
    while (brou_next(&span, &item)) {
        int32_t place = brou_read_name(item, codes, BROU_CARDS);
        if (place < 0 || count >= room) return -1;
        out[count++] = (uint8_t)place;
    }
    return count;
}

BROU_INLINE int32_t brou_read_numbers(brou_span span, brou_list *out) {
    brou_span item;
    memset(out, 0, sizeof *out);
    if (!brou_enter(&span, '[')) return 0;
    while (brou_next(&span, &item))
        if (out->n >= (int32_t)(sizeof out->at / sizeof *out->at) || !brou_read_whole(item, out->at + out->n++)) return 0;
    return 1;
}
