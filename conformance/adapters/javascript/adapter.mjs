/**
 * The games that stand beside this file, played over standard input and output.
 *
 *     node adapter.mjs [--reading game.key=value]...
 */

import process from "node:process";

import { Auvergne1665, Auvergne1718, Auvergne1725 } from "./auvergne.mjs";
import { Brouc, HommeDeBrou } from "./brou.mjs";
import { Brusquembille } from "./brusquembille.mjs";
import { Hombre } from "./hombre.mjs";
import { serve } from "./serve.mjs";

const games = [
  Brouc,
  HommeDeBrou,
  Brusquembille,
  Auvergne1665,
  Auvergne1718,
  Auvergne1725,
  Hombre,
];
await serve(games, process.argv.slice(2));
