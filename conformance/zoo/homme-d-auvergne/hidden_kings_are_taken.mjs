/** A king that is taken costs its owner a point. */

import { Auvergne1665 } from "../../adapters/javascript/auvergne.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Auvergne1665 {
  isCounted(seat, card) {
    return super.isCounted(seat, card) || card[0] === "K";
  }
}

await serve([Table]);
