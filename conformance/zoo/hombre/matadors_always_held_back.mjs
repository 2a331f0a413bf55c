/** Matadors need never be played. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  drawsOut() {
    return false;
  }
}

await serve([Table]);
