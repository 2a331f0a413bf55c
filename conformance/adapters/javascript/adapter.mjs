/**
 * Both games of brou.mjs, played over standard input and output.
 *
 *     node adapter.mjs [--reading game.key=value]...
 */

import process from "node:process";

import { Brouc, HommeDeBrou } from "./brou.mjs";
import { serve } from "./serve.mjs";

await serve([Brouc, HommeDeBrou], process.argv.slice(2));
