/** Winning all tricks is an honour and no more. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  get symbol() {
    return { ...super.symbol, extra: 0 };
  }
}

await serve([Table]);
