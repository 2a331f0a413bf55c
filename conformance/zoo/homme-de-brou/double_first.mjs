/**
 * Homme de Brou. One partie against 150 or more, two against less, four against
 * a deficit; the first that fits.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

const WORTHS = [
  { fits: (account) => account >= 150, parties: 1 },
  { fits: (account) => account < 150, parties: 2 },
  { fits: (account) => account < 0, parties: 4 },
];

class Table extends HommeDeBrou {
  worthOver(team, account = this.running(team)) {
    return WORTHS.find(({ fits }) => fits(account)).parties;
  }
}

await serve([Brouc, Table]);
