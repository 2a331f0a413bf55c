/**
 * Homme de Brou. Points are marked to the nearest ten; at five, which is as
 * near to either, nothing is given away.
 */

import { Brouc, HommeDeBrou } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  roundToTen(points) {
    const units = points % 10;
    return units > 5 ? points - units + 10 : points - units;
  }
}

await serve([Brouc, Table]);
