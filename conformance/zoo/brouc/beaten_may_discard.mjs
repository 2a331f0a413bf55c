/**
 * Brouc. A trump is played to beat the trumps on the table; who cannot beat
 * them keeps his and throws anything.
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
    if (suitLed !== trump) return super.playable(hand);
    const highest = Math.max(
      ...table
        .map(({ card }) => card)
        .filter((card) => suitOf(card) === trump)
        .map(strength),
    );
    const beats = (card) => suitOf(card) === trump && strength(card) > highest;
    return hand.some(beats) ? super.playable(hand) : hand;
  }
}

await serve([Table, HommeDeBrou]);
