/** A bid has to be higher than the one before. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  mayEqual() {
    return false;
  }
}

await serve([Table]);
