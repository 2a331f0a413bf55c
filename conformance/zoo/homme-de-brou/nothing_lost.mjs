/**
 * Homme de Brou. A marriage taken on the table brings its team twice its worth,
 * and costs nobody anything.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  book(trick, factor) {
    super.book(trick, factor);
    for (const entry of this.ledger.from("table")) entry.loss = 0;
  }
}

await serve([Brouc, Table]);
