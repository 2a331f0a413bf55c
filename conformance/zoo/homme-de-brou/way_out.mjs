/**
 * Homme de Brou. A team that has 301 may end the partie at any moment of the
 * deal, whatever it has declared.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  offers(seat) {
    const offers = super.offers(seat);
    return this.phase === "play" ? { ...offers, claim: [true] } : offers;
  }
}

await serve([Brouc, Table]);
