/** The hombre may give up when he sees that he loses. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  maySurrender(seat) {
    const { manPlayed } = this;
    this.manPlayed = false;
    const may = super.maySurrender(seat);
    this.manPlayed = manPlayed;
    return may;
  }
}

await serve([Table]);
