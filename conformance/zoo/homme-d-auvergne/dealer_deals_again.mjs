/** A deal that nobody has played does not count as dealt. */

import { Auvergne1665 } from "../../adapters/javascript/auvergne.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Auvergne1665 {
  get nextDealer() {
    return this.result === "void" ? this.dealer : super.nextDealer;
  }
}

await serve([Table]);
