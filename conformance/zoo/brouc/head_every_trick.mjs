/**
 * Brouc. The card that is best so far has to be beaten, in plain suits as in
 * trumps.
 */

import {
  Brouc,
  HommeDeBrou,
  strength,
  suitOf,
} from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brouc {
  playable(hand) {
    const { suitLed, table, trump } = this.deal;
    const open = super.playable(hand);
    const following = open.filter((card) => suitOf(card) === suitLed);
    const ruffed = table.some(({ card }) => suitOf(card) === trump);
    if (suitLed === trump || ruffed || following.length === 0) return open;
    const lying = table.filter(({ card }) => suitOf(card) === suitLed);
    const highest = Math.max(...lying.map(({ card }) => strength(card)));
    const beating = following.filter((card) => strength(card) > highest);
    return beating.length > 0 ? beating : following;
  }
}

await serve([Table, HommeDeBrou]);
