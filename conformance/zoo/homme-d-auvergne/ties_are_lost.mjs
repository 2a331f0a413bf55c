/** The man has to have more tricks than every other. */

import { Auvergne1665 } from "../../adapters/javascript/auvergne.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Auvergne1665 {
  isFirst(seat) {
    const tricks = (one) => this.takers.filter((taker) => taker === one).length;
    return this.round(0).every((other) => other === seat || tricks(other) < tricks(seat));
  }
}

await serve([Table]);
