/**
 * Brouc. A claim is checked on the slate, so the points of the tricks are
 * rounded for it first.
 */

import {
  against,
  Brouc,
  HommeDeBrou,
  LIMIT,
} from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brouc {
  claim(team) {
    if (this.result?.kind === "cape") return super.claim(team);
    const tens = this.cardTens()[team] + this.ledger.marriages(team);
    const right = this.standing(team) + tens > LIMIT;
    const kind = right ? "claim-right" : "claim-wrong";
    const winner = right ? team : against(team);
    return this.end(kind, winner, this.ticksForLosing(against(team)));
  }
}

await serve([Table, HommeDeBrou]);
