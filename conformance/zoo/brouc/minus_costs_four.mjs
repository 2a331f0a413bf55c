/**
 * Brouc. A lost partie costs one tick, two with less than fifteen written, four
 * with a minus.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brouc {
  ticksForLosing(team) {
    return this.accounts[team] < 0 ? 4 : super.ticksForLosing(team);
  }
}

await serve([Table, HommeDeBrou]);
