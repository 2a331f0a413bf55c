/**
 * Brouc. One party's points are rounded; the other writes what is left of the
 * 120.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

const PACK = 120;

class Table extends Brouc {
  cardTens() {
    const ours = this.roundToTen(this.ledger.cardPoints(0));
    return [ours, PACK - ours];
  }
}

await serve([Table, HommeDeBrou]);
