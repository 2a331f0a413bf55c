/** Brouc. A marriage in the hand may be announced from the first card on. */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brouc {
  mayAnnounce() {
    return true;
  }
}

await serve([Table, HommeDeBrou]);
