/** The turn-up lies open on the pile, for whoever draws first. */

import { Brusquembille } from "../../adapters/javascript/brusquembille.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brusquembille {
  pile(cards) {
    return [this.turnup, ...cards];
  }
}

await serve([Table]);
