/**
 * Brouc. A party that has more than 300 points when the deal is counted has won
 * the partie.
 */

import {
  Brouc,
  HommeDeBrou,
  LIMIT,
  TEAMS,
} from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

class Table extends Brouc {
  count() {
    super.count();
    if (this.result.kind !== "deal") return;
    const winner = TEAMS.find((team) => this.running(team) > LIMIT);
    if (winner !== undefined) this.claim(winner);
  }
}

await serve([Table, HommeDeBrou]);
