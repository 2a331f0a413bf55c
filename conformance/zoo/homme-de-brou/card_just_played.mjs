/**
 * Homme de Brou. The card that a player has just added to the trick his team
 * won is still good for his marriage.
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
    const { hands, lastTrick } = this.deal;
    const played = lastTrick.plays.find((play) => play.seat === seat).card;
    const cards = [...hands[seat], played];
    const done = this.ledger.from("hand").filter((one) => one.seat === seat);
    return SUITS.filter((suit) => done.every((one) => one.suit !== suit))
      .map((suit) => [suit, kindsIn(cards, suit)])
      .flatMap(([suit, kinds]) => kinds.map((kind) => ({ suit, kind })));
  }
}

await serve([Brouc, Table]);
