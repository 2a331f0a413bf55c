/** A card of the suit led is due, if there is one. */

import { Brusquembille } from "../../adapters/javascript/brusquembille.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brusquembille {
  playable(seat) {
    const hand = this.hands[seat];
    const led = this.trick[0]?.card[1];
    const following = hand.filter((card) => card[1] === led);
    return following.length ? following : hand;
  }
}

await serve([Table]);
