// One question at a time: {number, game, text} comes in, {number, text} or {number, failed} goes out.
import { open } from "./engine.mjs";
import info from "./info.mjs";

const ready = open(info);
ready.then(() => postMessage({ ready: true }), (error) => postMessage({ broken: String(error && error.message || error).slice(-500) }));
onmessage = async ({ data: { number, game, text } }) => {
  try {
    postMessage({ number, text: await (await ready)(game, text) });
  } catch (error) {
    postMessage({ number, failed: String(error && error.message || error).slice(-500) });
  }
};
