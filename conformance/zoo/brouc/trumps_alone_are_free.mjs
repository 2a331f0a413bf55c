/**
 * Brouc. In a ruffed trick, a hand of nothing but trumps may play any of them.
 */

import { Brouc, HommeDeBrou, suitOf } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brouc {
  playable(hand) {
    const { suitLed, trump } = this.deal;
    const onlyTrumps = hand.every((card) => suitOf(card) === trump);
    if (suitLed !== trump && onlyTrumps) return hand;
    return super.playable(hand);
  }
}

await serve([Table, HommeDeBrou]);
