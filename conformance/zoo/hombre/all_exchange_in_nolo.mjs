/** After the hombre the others exchange, whatever is played. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  get opponentsBuy() {
    return !this.terms.nolo || this.terms.buys;
  }
}

await serve([Table]);
