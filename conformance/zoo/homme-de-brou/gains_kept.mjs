/**
 * Homme de Brou. A wrong claim loses the partie; its worth is told by what the
 * claimants have at that moment.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  keptByClaimants(team) {
    return this.running(team);
  }
}

await serve([Brouc, Table]);
