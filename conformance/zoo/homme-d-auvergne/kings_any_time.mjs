/** A king of the suit turned up may be shown at once. */

import { Auvergne1665 } from "../../adapters/javascript/auvergne.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Auvergne1665 {
  inTime(seat) {
    return super.inTime(seat) || this.phase === "speak";
  }
}

await serve([Table]);
