/** Brusquembilles are paid at every table. */

import { Brusquembille } from "../../adapters/javascript/brusquembille.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brusquembille {
  constructor(...given) {
    super(...given);
    this.table = { ...this.table, pays: true };
  }
}

await serve([Table]);
