// The rules as a page has them, in Node: node engine_host.mjs PYODIDE ENGINE RULES, where ENGINE holds engine.mjs,
// library.zip and info.mjs, and RULES a bundle by the name of each game. A line in is {game, text}, a line out an answer.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [pyodide, engine, rules] = process.argv.slice(2);
try {
  const { start } = await import(pathToFileURL(`${engine}/engine.mjs`));
  const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
  const { default: info } = await import(pathToFileURL(`${engine}/info.mjs`));
  const options = { indexURL: `${pyodide}/`, stdLibURL: `${engine}/library.zip` };
  const ask = await start(loadPyodide, { info, options }, async (game) => new Uint8Array(readFileSync(`${rules}/${game}`)));
  for await (const line of createInterface({ input: process.stdin })) {
    const { game, text } = JSON.parse(line);
    console.log(await ask(game, text));
  }
} catch (error) {
  console.error(String(error && error.message || error).slice(-2000));
  process.exit(1);
}
