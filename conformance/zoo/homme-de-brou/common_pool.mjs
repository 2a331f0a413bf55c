/**
 * Homme de Brou. As many tokens as were agreed lie in the middle; when they are
 * gone, most tokens win the match.
 */

import {
  against,
  Brouc,
  HommeDeBrou,
} from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends HommeDeBrou {
  mark(winner, worth) {
    this.parties[winner] += worth;
    const [ours, theirs] = this.parties;
    if (ours + theirs < this.readings.match_parties) return;
    const ahead = this.parties[winner] > this.parties[against(winner)];
    this.champion = ahead ? winner : against(winner);
    this.phase = "over";
  }
}

await serve([Brouc, Table]);
