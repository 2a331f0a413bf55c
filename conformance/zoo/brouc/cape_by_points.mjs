/** Brouc. A party that has all 120 points has made the cape. */

import { Brouc, HommeDeBrou, TEAMS } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

const PACK = 120;
const CAPE = 2;

class Table extends Brouc {
  count() {
    super.count();
    const winner = TEAMS.find((team) => this.ledger.cardPoints(team) === PACK);
    if (winner === undefined) return;
    const accounts = [...this.accounts];
    const carry = TEAMS.map(
      (team) => this.carry[team] + this.ledger.announced(team),
    );
    this.result = { kind: "cape", winner, worth: CAPE, accounts, carry };
  }
}

await serve([Table, HommeDeBrou]);
