/** Only who holds a king gains by it. */

import { Auvergne1665 } from "../../adapters/javascript/auvergne.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Auvergne1665 {
  gain(seat, kings, fromHand) {
    if (fromHand) super.gain(seat, kings, fromHand);
  }
}

await serve([Table]);
