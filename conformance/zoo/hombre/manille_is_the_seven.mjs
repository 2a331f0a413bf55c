/** Manille is the seven of trumps. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  get matadors() {
    return ["AC", `7${this.trump}`, "AS"];
  }
}

await serve([Table]);
