// Starts Pyodide in Node and lets it pack its library: node pack.mjs PYODIDE WORK
// In WORK lie brou.zip, bundle, rules.json and pack_library.py; library.zip is written there.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, work] = process.argv.slice(2);
const read = (name) => new Uint8Array(readFileSync(`${work}/${name}`));
try {
  const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
  const { info } = JSON.parse(readFileSync(`${folder}/pyodide-lock.json`, "utf8"));
  const python = await loadPyodide({ indexURL: `${folder}/`, lockFileContents: { info, packages: {} } });
  python.FS.mkdir("/work");
  for (const name of ["brou.zip", "bundle", "rules.json"]) python.FS.writeFile(`/work/${name}`, read(name));
  python.runPython(readFileSync(`${work}/pack_library.py`, "utf8"));
  writeFileSync(`${work}/library.zip`, python.FS.readFile("/work/library.zip"));
} catch (error) {
  // An error of Pyodide prints a megabyte of its own code.
  console.error(String(error && error.message || error).slice(-2000));
  process.exit(1);
}
