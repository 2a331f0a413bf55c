/** A brusquembille that is lost is paid to who took it. */

import { Brusquembille } from "../../adapters/javascript/brusquembille.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brusquembille {
  payBrusquembilles(winner) {
    for (const { seat, card } of this.trick) {
      const value = { A: 2, T: 1 }[card[0]] ?? 0;
      const payers = seat === winner ? this.round(0).filter((other) => other !== seat) : [seat];
      const taker = seat === winner ? seat : winner;
      for (const payer of payers) {
        this.gains[this.sideOf(payer)] -= value;
        this.gains[this.sideOf(taker)] += value;
      }
    }
  }
}

await serve([Table]);
