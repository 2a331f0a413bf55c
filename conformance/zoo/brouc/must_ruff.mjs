/**
 * Brouc. Who cannot follow suit has to trump, if he has a trump that may be
 * played.
 */

import { Brouc, HommeDeBrou, suitOf } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brouc {
  playable(hand) {
    const { suitLed, trump } = this.deal;
    const open = super.playable(hand);
    if (suitLed === null || open.some((card) => suitOf(card) === suitLed)) {
      return open;
    }
    const ruffs = open.filter((card) => suitOf(card) === trump);
    return ruffs.length > 0 ? ruffs : open;
  }
}

await serve([Table, HommeDeBrou]);
