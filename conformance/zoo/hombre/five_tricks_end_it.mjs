/** With five tricks the hombre has won and may say so. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  mayRest(seat) {
    return seat === this.man && !this.terms.nolo && this.won(seat) >= 5;
  }
}

await serve([Table]);
