/** A bid has to be higher than the one before. */

import { Hombre } from "./hombre.mjs";
import { serve } from "./serve.mjs";

class Table extends Hombre {
  mayEqual() {
    return false;
  }
}

await serve([Table]);
