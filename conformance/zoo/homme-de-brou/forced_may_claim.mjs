/**
 * Homme de Brou. Who refuses to stop must make the vole, unless he ends the
 * partie with his 301 before it fails.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  offers(seat) {
    const offers = super.offers(seat);
    const forced = this.call?.kind === "forced" && this.phase === "play";
    return forced ? { ...offers, claim: [true] } : offers;
  }
}

await serve([Brouc, Table]);
