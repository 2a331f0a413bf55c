/**
 * Homme de Brou. One follows suit; without the suit one trumps; without trumps
 * one throws what one likes.
 */

import { Brouc, HommeDeBrou, suitOf } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  playable(hand) {
    const { suitLed, trump } = this.deal;
    if (suitLed === null) return hand;
    const of = (suit) => hand.filter((card) => suitOf(card) === suit);
    return [of(suitLed), of(trump), hand].find((cards) => cards.length > 0);
  }
}

await serve([Brouc, Table]);
