/** After turning, the hombre buys as many cards as he likes, but at least the one turned. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  discardable(seat) {
    const described = super.discardable(seat);
    return { ...described, min: Math.min(described.min, 1) };
  }
}

await serve([Table]);
