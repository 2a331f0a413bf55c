/** Ace, king, queen, jack, ten, nine, eight, seven. */

import { Brusquembille } from "../../adapters/javascript/brusquembille.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brusquembille {
  strength(card) {
    return "789TJQKA".indexOf(card[0]);
  }
}

await serve([Table]);
