/**
 * Brouc. A marriage is worth 20, in trumps 40; the jack that extends it adds
 * another ten.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

const MARRIAGE = 20;
const JACK = 10;

class Table extends Brouc {
  worthInHand({ suit, kind }) {
    const couple = suit === this.deal.trump ? 2 * MARRIAGE : MARRIAGE;
    return kind === "grand" ? couple + JACK : couple;
  }
}

await serve([Table, HommeDeBrou]);
