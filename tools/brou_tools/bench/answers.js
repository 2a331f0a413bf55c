// Runs in the card page of a site: starts its rules anew and times them. Returns milliseconds.
async ([rounds]) => {
  const told = JSON.parse(document.getElementById("told").textContent);
  const listed = await (await fetch("situations.json")).json();
  const positions = [...told.situations, ...listed].slice(0, rounds);
  const begun = performance.now();
  const worker = new Worker(told.engine, { type: "module" });
  const next = () => new Promise((done, failed) => {
    worker.onmessage = ({ data }) => (data.broken || data.failed ? failed(new Error(data.broken || data.failed)) : done(data));
    worker.onerror = (error) => failed(new Error(error.message));
  });
  await next();
  const ready = performance.now() - begun;
  const time = async (question) => {
    const answer = next(), from = performance.now();
    worker.postMessage({ number: 1, game: told.bundle, text: JSON.stringify(question) });
    const { text } = await answer, took = performance.now() - from;
    if (JSON.parse(text).error) throw new Error(text);
    return took;
  };
  const found = { legal: [], why: [], readings: [] };
  for (const { rules, position } of positions) {
    const asked = { rules, lang: told.lang, seat: position.seat, position };
    const why = { ask: "why", ...asked, act: { play: position.hand[0] } };
    const questions = { legal: { ask: "legal", ...asked }, why: { ...why, readings: false }, readings: why };
    // The first time rules are fetched and made; a visitor who clicks has them.
    for (const one of Object.values(questions)) await time(one);
    for (const [kind, one] of Object.entries(questions)) found[kind].push(await time(one));
  }
  worker.terminate();
  return { ready, ...found, positions: positions.length };
}
