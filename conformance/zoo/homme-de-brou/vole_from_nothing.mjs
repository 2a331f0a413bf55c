/**
 * Homme de Brou. A vole is worth three parties, and the accounts of both teams
 * go back to nothing.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  endVole(team) {
    if (this.call) super.endVole(team);
    else this.end("vole", team, 3, { accounts: [0, 0] });
  }
}

await serve([Brouc, Table]);
