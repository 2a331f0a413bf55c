/**
 * Homme de Brou. Two partners are one team: the king of one and the queen of
 * the other are a marriage.
 */

import {
  Brouc,
  HommeDeBrou,
  kindsIn,
} from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

const SUITS = ["S", "H", "D", "C"];

class Table extends HommeDeBrou {
  announceable(seat) {
    const partner = (seat + 2) % 4;
    const mine = this.deal.hands[seat];
    const ours = [...mine, ...this.deal.hands[partner]];
    const done = this.ledger
      .from("hand")
      .filter((one) => one.seat === seat || one.seat === partner)
      .map((one) => one.suit);
    return SUITS.filter((suit) => !done.includes(suit))
      .filter((suit) => mine.includes(`K${suit}`) || mine.includes(`Q${suit}`))
      .flatMap((suit) => kindsIn(ours, suit).map((kind) => ({ suit, kind })));
  }
}

await serve([Brouc, Table]);
