/** Whoever took the last trick deals next. */

import { Brusquembille } from "../../adapters/javascript/brusquembille.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brusquembille {
  dealerAfter() {
    return this.lastWinner;
  }
}

await serve([Table]);
