/**
 * Homme de Brou. A marriage is 20 or 30, in trumps 40 or 60, in the hand or on
 * the table, where the others lose it.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  book(trick) {
    super.book(trick, 1);
  }
}

await serve([Brouc, Table]);
