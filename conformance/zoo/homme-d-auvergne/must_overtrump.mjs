/** Who has to trump has to trump higher. */

import { Auvergne1665 } from "../../adapters/javascript/auvergne.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Auvergne1665 {
  playable(seat) {
    const cards = super.playable(seat);
    if (!this.trick.length || cards[0][1] !== this.trump) return cards;
    const lying = this.trick.filter(({ card }) => card[1] === this.trump);
    const highest = Math.max(-1, ...lying.map(({ card }) => this.strength(card)));
    const higher = cards.filter((card) => this.strength(card) > highest);
    return higher.length ? higher : cards;
  }
}

await serve([Table]);
