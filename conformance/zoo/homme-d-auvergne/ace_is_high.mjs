/** Ace, king, queen, jack, ten, nine, eight, seven. */

import { Auvergne1665 } from "../../adapters/javascript/auvergne.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Auvergne1665 {
  strength(card) {
    return "789TJQKA".indexOf(card[0]);
  }
}

await serve([Table]);
