/**
 * Brouc. A cape et dehors costs two ticks for the cape and what the lost partie
 * costs: one, or two below fifteen.
 */

import {
  against,
  Brouc,
  HommeDeBrou,
} from "../../adapters/javascript/brou.mjs";
import { serve } from "../../adapters/javascript/serve.mjs";

const CAPE = 2;

class Table extends Brouc {
  ticksFor(call) {
    return CAPE + this.ticksForLosing(against(call.team));
  }
}

await serve([Table, HommeDeBrou]);
