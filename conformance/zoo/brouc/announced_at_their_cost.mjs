/** Brouc. Every marriage is plus for one party and minus for the other. */

import { Brouc, HommeDeBrou, teamOf } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brouc {
  announce(seat, marriage) {
    const worth = this.worthInHand(marriage);
    const entry = { seat, ...marriage };
    this.ledger.add("hand", teamOf(seat), worth, worth, entry);
  }
}

await serve([Table, HommeDeBrou]);
