/** Spadille, basta, manille. */

import { Hombre } from "../../adapters/javascript/hombre.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Hombre {
  get matadors() {
    const [basta, manille, spadille] = super.matadors;
    return [manille, basta, spadille];
  }
}

await serve([Table]);
