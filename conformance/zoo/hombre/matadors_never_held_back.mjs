/** A common trump has to be followed, with whatever trumps there are. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  drawsOut(led, matadors) {
    return !this.isMatador(led) || super.drawsOut(led, matadors);
  }
}

await serve([Table]);
