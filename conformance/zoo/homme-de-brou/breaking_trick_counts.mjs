/**
 * Homme de Brou. A declared vole is broken by a trick, which the others first
 * put to their account.
 */

import { Brouc, HommeDeBrou, teamOf } from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

const DOUBLED = 2;
const VOLE = 3;

class Table extends HommeDeBrou {
  trickMade(trick) {
    const team = teamOf(trick.winner);
    if (!this.call || this.call.team === team) {
      super.trickMade(trick);
      return;
    }
    this.book(trick, DOUBLED);
    this.end("partie-et-vole-failed", team, VOLE + this.worthOver(team));
  }
}

await serve([Brouc, Table]);
