/** Of players with as many points, the one nearest to the dealer's right has won. */

import { Brusquembille } from "../../adapters/javascript/brusquembille.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brusquembille {
  first(sides) {
    const order = this.round(this.right(this.dealer)).map((seat) => this.sideOf(seat));
    return [order.find((side) => sides.includes(side))];
  }
}

await serve([Table]);
