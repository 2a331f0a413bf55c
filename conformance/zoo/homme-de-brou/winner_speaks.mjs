/**
 * Homme de Brou. The player who has made a trick may announce the marriages in
 * his hand.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  mayAnnounce(seat) {
    return super.mayAnnounce(seat) && seat === this.deal.lastTrick.winner;
  }
}

await serve([Brouc, Table]);
