// Answers questions by the rules: Pyodide with the library and a bundle of rules for each game, fetched when it is
// first asked about. `open` starts it in a browser; `start` is told how things are read, and serves Node as well.

/** Start Pyodide; `loader` holds what `loadPyodide` is told, `readRules(game)` gives the bytes of a bundle. */
export async function start(loadPyodide, loader, readRules) {
  const python = await loadPyodide({ lockFileContents: { info: loader.info, packages: {} }, ...loader.options });
  const ask = python.runPython("from pathlib import Path\nfrom brou.page import ask\nlambda text, path: ask(text, Path(path))");
  python.FS.mkdir("/rules");
  const known = new Set();
  return async (game, text) => {
    if (!known.has(game)) {
      python.FS.writeFile(`/rules/${game}`, await readRules(game));
      known.add(game);
    }
    return ask(text, `/rules/${game}`);
  };
}

/** Start it in a browser, from the folder that holds this file; bundles lie beside that folder. */
export async function open(info) {
  const here = new URL(".", import.meta.url);
  const unpack = async (name) => {
    const found = await fetch(new URL(name, here));
    if (!found.ok) throw new Error(`${name}: ${found.status}`);
    return new Response(found.body.pipeThrough(new DecompressionStream("gzip")));
  };
  // Pyodide asks for its files by name; two of them lie here packed.
  const plain = self.fetch.bind(self);
  const packed = { "pyodide.asm.wasm": "application/wasm", "library.zip": "application/zip" };
  self.fetch = async (asked, ...more) => {
    const name = new URL(asked.url || asked, here).pathname.split("/").pop();
    if (!Object.hasOwn(packed, name)) return plain(asked, ...more);
    const found = await plain(new URL(`${name}.gzip`, here), ...more);
    if (!found.ok) throw new Error(`${name}: ${found.status}`);
    return new Response(found.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": packed[name] } });
  };
  const { loadPyodide } = await import(new URL("pyodide.mjs", here));
  const options = { indexURL: here.href, stdLibURL: new URL("library.zip", here).href };
  return start(loadPyodide, { info, options }, async (game) => new Uint8Array(await (await unpack(`../${game}.gzip`)).arrayBuffer()));
}
