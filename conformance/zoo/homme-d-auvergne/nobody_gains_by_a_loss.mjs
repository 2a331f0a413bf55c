/** When the man loses, he loses a point and that is all. */

import { Auvergne1665 } from "../../adapters/javascript/auvergne.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Auvergne1665 {
  gainersOfALoss() {
    return [];
  }
}

await serve([Table]);
