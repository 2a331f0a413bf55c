/**
 * Brouc. A party with more than 300 points may say so until the deal is
 * written, whoever made the tricks.
 */

import {
  against,
  Brouc,
  HommeDeBrou,
  LIMIT,
} from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brouc {
  mayClaimAtTheCount() {
    return true;
  }

  claim(team) {
    const right = this.running(team) > LIMIT;
    const worth = this.ticksForLosing(against(team));
    if (right) this.end("claim-right", team, worth);
    else this.end("claim-wrong", against(team), worth);
  }
}

await serve([Table, HommeDeBrou]);
