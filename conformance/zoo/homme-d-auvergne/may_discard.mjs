/** Who cannot follow may play what he likes. */

import { Auvergne1665 } from "../../adapters/javascript/auvergne.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Auvergne1665 {
  playable(seat) {
    const hand = this.hands[seat];
    const led = this.trick[0]?.card[1];
    const following = hand.filter((card) => card[1] === led);
    return following.length ? following : hand;
  }
}

await serve([Table]);
