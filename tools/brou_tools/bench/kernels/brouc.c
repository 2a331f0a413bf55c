/* Brouc played at random, the cards alone, as somebody writes it who wants nothing else: no talk, no score but points.
 * It is written from the rules of 2022 by hand and has nothing of the engines; `brou bench` measures them beside it, and
 * a test compares what comes of both. What the two Brou games share stands in tricks.c, behind this.
 *
 * A card is a bit: eight to a suit, from seven to ace in their order of strength (7 8 9 J Q K T A). */

#include <stdint.h>

enum { JACK = 3, QUEEN, KING };

/* What may be played: follow suit; who plays a trump beats those that lie there, but for the three exceptions. */
static inline uint32_t Legal(uint32_t hand, uint32_t table, uint32_t led, uint32_t trumps) {
    uint32_t lie = table & trumps, follow = hand & led, base = follow ? follow : hand, own = base & trumps;
    if (!table || !lie || !own) return base;
    uint32_t above = trumps & ~((UINT32_C(2) << (31 - __builtin_clz(lie))) - 1);
    uint32_t free = base & (~trumps | above), low = trumps & -trumps;
    int bound = led == trumps || !(hand & ~trumps);
    if (bound && !(hand & above)) return base;
    if (bound) {
        uint32_t pair = (low << QUEEN) | (low << KING), trio = pair | (low << JACK);
        for (uint32_t left = own & trio; left; left &= left - 1) {
            uint32_t card = left & -left;
            if (!(pair & ~(table | card))) free |= card;
        }
    }
    return free;
}
