/** Cards are drawn in the order in which they were dealt. */

import { Brusquembille } from "../../adapters/javascript/brusquembille.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brusquembille {
  drawingOrder() {
    return this.round(this.right(this.dealer));
  }
}

await serve([Table]);
