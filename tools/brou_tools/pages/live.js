"use strict";
// What live pages share: elements, questions to the rules, and the readings that a table has agreed on.

/** Return what says the words of a page, and makes its elements. */
const makeParts = (words) => {
  const say = (entry, parts = {}) => words[entry].replace(/\{(\w+)\}/g, (whole, name) => parts[name] ?? whole);
  const make = (tag, more = {}, ...inner) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(more)) {
      if (name in made && name !== "list") made[name] = value;
      else made.setAttribute(name, value);
    }
    made.append(...inner.filter((one) => one !== null && one !== undefined && one !== ""));
    return made;
  };
  const option = (value, name) => make("option", { value }, name);
  const clauseLink = (passages, id) => make("a", { className: "id", href: passages.includes(id) ? `register.html#${id}` : `${id}.html` }, id);
  return { say, make, option, clauseLink };
};

/** Return what asks: answers are written down in the page, or come from the rules in a worker. */
const makeAsking = (told, say, tell) => {
  const order = (value) => {
    if (Array.isArray(value)) return value.map(order);
    if (value && typeof value === "object") return Object.fromEntries(Object.keys(value).sort().map((key) => [key, order(value[key])]));
    return value;
  };
  const key = (question) => JSON.stringify(order(question.position ? { ...question, position: { ...question.position, hand: [...question.position.hand].sort() } } : question));
  const answers = new Map(told.answers.map(([question, answer]) => [key(question), answer]));
  /** Return a worker with its queue, started at the first question; `tell` hears what it is doing. */
  const makeEngine = (tell) => {
    const engine = { worker: null, ready: false, broken: "", busy: null, waiting: new Map() };
    const send = () => {
      if (engine.busy || !engine.waiting.size) return;
      const [slot, one] = engine.waiting.entries().next().value;
      engine.waiting.delete(slot);
      // The same question may have been answered while it waited.
      const known = answers.get(key(one.question));
      if (known) { one.done(known); send(); return; }
      engine.busy = one;
      if (engine.ready) tell(say("play_thinking"));
      engine.worker.postMessage({ number: 0, game: told.bundle, text: JSON.stringify(one.question) });
    };
    const stop = (what) => {
      engine.broken = what;
      tell(say("play_broken", { what }));
      for (const one of [engine.busy, ...engine.waiting.values()]) if (one) one.done({ error: say("play_broken", { what }) });
      engine.busy = null;
      engine.waiting.clear();
    };
    const begin = () => {
      if (engine.worker) return;
      tell(say("play_fetching"));
      try {
        engine.worker = new Worker(told.engine, { type: "module" });
      } catch (error) {
        stop(error.message);
        return;
      }
      const { worker } = engine;
      worker.onerror = (error) => stop(error.message || told.engine);
      worker.onmessage = ({ data }) => {
        if (worker !== engine.worker) return;
        if (data.broken) { stop(data.broken); return; }
        if (data.ready) { engine.ready = true; performance.mark("brou-ready"); tell(say("play_ready")); return; }
        const { question, done } = engine.busy;
        engine.busy = null;
        const answer = data.failed ? { error: data.failed } : JSON.parse(data.text);
        if (!data.failed && question.ask !== "play") answers.set(key(question), answer);
        tell(say("play_ready"));
        done(answer);
        send();
      };
    };
    const put = (slot, question) => new Promise((done) => {
      engine.waiting.get(slot)?.done(null);
      engine.waiting.delete(slot);
      engine.waiting.set(slot, { question, done });
      begin();
      if (!engine.broken) send();
    });
    /** Give up what is asked and what waits; a worker cannot be interrupted, so a busy one is ended. */
    const drop = () => {
      for (const one of [engine.busy, ...engine.waiting.values()]) if (one) one.done(null);
      engine.waiting.clear();
      if (!engine.busy) return;
      engine.worker.terminate();
      Object.assign(engine, { worker: null, ready: false, busy: null });
    };
    return { engine, put, drop };
  };
  const main = makeEngine(tell);
  // What takes long has a worker of its own, so that no other question waits for it.
  const slow = makeEngine(() => {});
  const ask = (slot, question, { engine, put } = main) => {
    const known = answers.get(key(question));
    if (known) return Promise.resolve(known);
    if (!told.engine) return Promise.resolve({ error: say("play_no_engine"), missing: true });
    if (engine.broken) return Promise.resolve({ error: say("play_broken", { what: engine.broken }) });
    return put(slot, question);
  };
  return {
    /** Ask; of questions in one slot that wait, only the latest is asked. What is never asked is answered by null. */
    ask: (slot, question) => ask(slot, question),
    /** Ask what takes long; the answer to the question before is given up. */
    askSlowly: (question) => { slow.drop(); return ask("slow", question, slow); },
    dropSlow: slow.drop,
    isKnown: (question) => answers.has(key(question)),
  };
};

/** Return the rules that are chosen: an edition with its readings, by name, as a file and as a form of switches. */
const makeAgreement = (told, { say, make }) => {
  const chosen = { rules: told.rules[0].id, readings: { ...told.rules[0].readings } };
  const base = () => told.rules.find((one) => one.id === chosen.rules);
  const others = () => Object.keys(chosen.readings).filter((key) => chosen.readings[key] !== base().readings[key]).sort();
  const name = () => {
    const other = others();
    return other.length ? `${chosen.rules}[${other.map((key) => `${key}=${chosen.readings[key]}`).join(",")}]` : chosen.rules;
  };
  const read = (text) => {
    const [, id, given] = /^([^[]*)(?:\[(.*)\])?$/.exec(text) || [];
    const found = told.rules.find((one) => one.id === id) || told.rules[0];
    chosen.rules = found.id;
    chosen.readings = { ...found.readings };
    for (const pair of (given || "").split(",").filter(Boolean)) {
      const [key, value] = pair.split("=");
      if (Object.hasOwn(chosen.readings, key)) chosen.readings[key] = value;
    }
  };
  /** Take another edition; what the table answers to a question that it has too stays. */
  const change = (id) => {
    const kept = others().map((key) => [key, chosen.readings[key]]);
    read(id);
    for (const [key, value] of kept) if (Object.hasOwn(chosen.readings, key)) chosen.readings[key] = value;
  };
  const file = () => `format: brou-agreement/1\nrules: ${chosen.rules}\nanswers: {${Object.keys(base().readings).map((key) => `${key}: ${chosen.readings[key]}`).join(", ")}}`;
  /** Fill a form with a switch for each question: what the edition says is marked, and the focus stays. */
  const show = (form, changed) => {
    const own = base().readings, held = document.activeElement;
    const kept = form.contains(held) ? [held.name, held.value] : null;
    form.replaceChildren(...Object.keys(own).map((key) => {
      const reading = told.readings[key], group = `r-${key}`;
      const answer = (value) => { chosen.readings[key] = value; changed(); };
      const asked = make("p", { className: "aside" }, reading.question, " ", make("a", { className: "id", href: `register.html#${reading.id}` }, reading.id));
      const title = make("legend", {}, reading.title);
      const className = chosen.readings[key] === own[key] ? "switch" : "switch other";
      if (!reading.values) {
        const input = make("input", { name: group, type: "number", min: reading.from, max: reading.to, value: chosen.readings[key] });
        input.addEventListener("change", () => { if (input.value && input.checkValidity()) answer(input.value); });
        return make("fieldset", { className }, title, asked, make("label", {}, reading.name, " ", input));
      }
      return make("fieldset", { className }, title, asked, make("div", { className: "row" }, ...Object.entries(reading.values).map(([value, shown]) => make("label", {},
        make("input", { type: "radio", name: group, value, checked: value === chosen.readings[key], onchange: () => answer(value) }),
        shown, " ", value === own[key] ? make("span", { className: "aside" }, say("agree_own")) : ""))));
    }));
    if (kept) [...form.elements].find((one) => one.name === kept[0] && (one.type !== "radio" || one.value === kept[1]))?.focus();
  };
  /** Return the answers that differ from the edition, in words. */
  const list = () => others().map((key) => {
    const { title, values, name: unit } = told.readings[key], value = chosen.readings[key];
    return `${title}: ${values ? values[value] : `${unit} ${value}`}`;
  });
  /** Return how many answers differ, and which. */
  const tell = () => {
    const differing = list();
    return differing.length ? `${say("agree_other", { number: differing.length })} ${differing.join("; ")}.` : say("agree_same");
  };
  return { chosen, base, tell, name, read, change, file, show };
};
