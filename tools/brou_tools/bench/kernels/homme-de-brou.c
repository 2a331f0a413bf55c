/* Homme de Brou played at random, the cards alone, written by hand from the text of 1802; what it shares with Brouc stands
 * in tricks.c, behind this. A card is a bit, as there. */

#include <stdint.h>

/* What may be played: follow suit; nothing else is asked. */
static inline uint32_t Legal(uint32_t hand, uint32_t table, uint32_t led, uint32_t trumps) {
    (void)trumps;
    return table && hand & led ? hand & led : hand;
}
