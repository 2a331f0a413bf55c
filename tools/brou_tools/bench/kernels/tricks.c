/* Four players, eight tricks, sides across the table: a deal played at random by the cards alone. `Legal`, which says what
 * may be played, stands before this. */

enum { CARDS = 32, SEATS = 4, TRICKS = 8 };

typedef struct { int64_t deals, points, voles; } brou_kernel_sums;

static const int32_t Pips[8] = {0, 0, 0, 2, 3, 4, 10, 11};

static inline uint64_t Next(uint64_t *seed) {
    uint64_t word = (*seed += UINT64_C(0x9E3779B97F4A7C15));
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

/* A number below a small bound; that some are likelier by one in 2^32 / bound does not show. */
static inline uint32_t Below(uint64_t *seed, uint32_t bound) {
    return (uint32_t)(((Next(seed) >> 32) * bound) >> 32);
}

static inline uint32_t Pick(uint64_t *seed, uint32_t among) {
    for (uint32_t skip = Below(seed, (uint32_t)__builtin_popcount(among)); skip; skip--) among &= among - 1;
    return among & -among;
}

/* For tests: the cards of a hand that may be played to a trick in which some lie, of which one suit was led. */
uint32_t brou_kernel_legal(uint32_t hand, uint32_t table, uint32_t led, uint32_t trumps) {
    return Legal(hand, table, led, trumps);
}

static inline int Suit(uint32_t card) { return __builtin_ctz(card) >> 3; }

static void Play_deal(uint64_t *seed, brou_kernel_sums *sums) {
    uint8_t pack[CARDS];
    uint32_t hands[SEATS] = {0, 0, 0, 0};
    int32_t points[2] = {0, 0}, won[2] = {0, 0}, leader = 0;
    for (int place = 0; place < CARDS; place++) {
        uint32_t other = Below(seed, (uint32_t)place + 1);
        pack[place] = pack[other];
        pack[other] = (uint8_t)place;
    }
    for (int place = 0; place < CARDS; place++) hands[place / TRICKS] |= UINT32_C(1) << pack[place];
    uint32_t trumps = UINT32_C(0xFF) << (pack[CARDS - 1] & ~7);
    for (int trick = 0; trick < TRICKS; trick++) {
        uint32_t table = 0, led = 0, best = 0;
        int32_t winner = leader, taken = 0;
        for (int turn = 0; turn < SEATS; turn++) {
            int32_t seat = (leader + turn) & 3;
            uint32_t card = Pick(seed, Legal(hands[seat], table, led, trumps));
            hands[seat] &= ~card;
            if (!turn) led = UINT32_C(0xFF) << (Suit(card) << 3);
            uint32_t rules = best & trumps ? trumps : led;
            if ((card & rules && card > best) || (card & trumps & ~rules)) best = card, winner = seat;
            table |= card;
            taken += Pips[__builtin_ctz(card) & 7];
        }
        won[winner & 1]++;
        points[winner & 1] += taken;
        leader = winner;
    }
    sums->deals++;
    sums->points += points[0];
    sums->voles += won[0] == TRICKS || won[1] == TRICKS;
}

/* Play so many deals. Seat 0 leads first, so the points are those of the side that does; the dealer sits before it. */
void brou_kernel_play(uint64_t seed, int64_t deals, brou_kernel_sums *sums) {
    for (int64_t deal = 0; deal < deals; deal++) Play_deal(&seed, sums);
}
