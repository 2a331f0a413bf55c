/** Who has no more tricks than an opponent has lost codille. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  comparison(own) {
    return super.comparison(own) === "won" ? "won" : "codille";
  }
}

await serve([Table]);
