/**
 * Homme de Brou. Who is asked to stop agrees and takes the partie, or declines
 * and the deal goes on.
 */

import {
  against,
  Brouc,
  HommeDeBrou,
} from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  answer(team, agreed) {
    if (agreed) this.end("stop", team, this.worthOver(against(team)));
    else this.phase = "play";
  }
}

await serve([Brouc, Table]);
