// node run.mjs BUNDLE COMMAND...: judges a program by the portable corpus in a folder, with nothing else of Brou.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [bundle, ...command] = process.argv.slice(2);
const load = (name) => readFileSync(`${bundle}/${name}`, "utf8");
let child, replies, number = 0;
const stop = () => { child?.kill("SIGKILL"); child = undefined; };

// Sends a request and returns the reply; a program that says anything else is started anew for the next request.
async function ask(message, seconds = 5) {
  if (!child) {
    child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "ignore"] }).on("error", () => {});
    child.stdin.on("error", () => {});
    replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    if (message.op !== "hello") await ask({ op: "hello", protocol: 1 }, 30);
  }
  const id = ++number, late = setTimeout(stop, seconds * 1000);
  child?.stdin.write(JSON.stringify({ ...message, id }) + "\n");
  const line = child && (await replies.next());
  clearTimeout(late);
  try {
    const reply = JSON.parse(line.value);
    if (reply.id === id && reply.ok === true) return reply;
  } catch {}
  stop();
}

// Values are the same if their JSON is; choices whatever their order, and a range of numbers as the list of them.
const order = (v) => (Array.isArray(v) ? v.map(order) : v && typeof v === "object"
  ? Object.fromEntries(Object.keys(v).sort().map((key) => [key, order(v[key])])) : v);
const form = (v) => JSON.stringify(order(v));
const spell = (v) => (form(Object.keys(v)) === '["max","min"]' || form(Object.keys(v)) === '["min","max"]') && v.max - v.min < 1000
  ? Array.from({ length: v.max - v.min + 1 }, (_, n) => v.min + n) : v;
const bag = (v) => (Array.isArray(v) ? [...new Set(v.map(form))].sort()
  : v && typeof v === "object" ? Object.entries(order(v)).map(([key, one]) => [key, bag(one)]) : v);
const same = (one, two) => form(bag(spell(one))) === form(bag(spell(two)));

function fits(want, said, hello) {
  if (want.ok) return said.ok === true;
  if (want.no) return "no" in said && (want.no === true || said.no === true || !hello.can.includes("codes") || want.no.includes(said.no));
  if (want.legal) return "legal" in said && Object.keys(want.legal).every((act) => !knows(hello, act) || same(want.legal[act], said.legal[act] ?? []));
  if ("winner" in want) return said.winner === want.winner;
  const key = want.view ? "view" : "score", told = said[key];
  return told !== undefined && Object.keys(want[key]).every((one) => !(one in told) || form(told[one]) === form(want[key][one]))
    && (want.hides ?? []).every((one) => (told[one] ?? null) === null);
}
const knows = (hello, act) => !hello.acts || hello.acts.includes(act);
const can = (hello, needs) => needs.every((one) => hello.can.includes(one));
const wish = (step, readings) => step.expect ?? step.values[readings[step.reading]];
const under = (line, hello, readings) => (hello.can.includes("readings") ? { ...readings, ...line.premise } : readings);
const holds = (line, readings) => Object.entries(line.premise ?? {}).every(([key, value]) => readings[key] === value)
  && Object.entries(line.silent ?? {}).every(([key, values]) => !values.includes(readings[key]))
  && Object.entries(line.within ?? {}).every(([key, { least = -Infinity, greatest = Infinity }]) => least <= +readings[key] && +readings[key] <= greatest);

// Asks a line: the whole script as far as the program knows its acts, or each position of it. Returns a result a step.
async function put(line, hello, readings) {
  const results = line.steps.map(() => undefined), chosen = under(line, hello, readings);
  const added = hello.can.includes("readings") ? { readings: chosen } : {};
  if (can(hello, line.needs)) {
    const known = line.request.steps.map((step) => Object.keys(step.act ?? {}).every((act) => knows(hello, act)));
    const end = line.steps.findIndex((step, n) => !known[n] && wish(step, chosen)?.ok);
    const asked = [...line.steps.keys()].filter((n) => can(hello, line.steps[n].needs) && known[n] && (end < 0 || n < end));
    const reply = asked.length ? await ask({ ...line.request, ...added, steps: asked.map((n) => line.request.steps[n]) }) : { results: [] };
    if (reply?.results?.length !== asked.length) return;
    asked.forEach((n, place) => { results[n] = reply.results[place]; });
  } else if (hello.can.includes("position")) {
    for (const one of line.positions.filter((one) => can(hello, one.needs))) {
      const said = (await ask({ ...one.request, ...added }))?.results?.at(-1);
      if (!said) return;
      const taken = said.legal?.play?.includes(one.card) ? { ok: true } : { no: true };
      results[one.step] = one.card && said.legal ? taken : said;
    }
  }
  return results;
}

// Returns the number of the first step that deviates, if there is one; behind an act that went another way nothing is judged.
function judge(line, results, hello, readings) {
  const whole = can(hello, line.needs), chosen = under(line, hello, readings);
  if (!holds(line, chosen)) return;
  for (const [n, said] of results.entries()) {
    const want = wish(line.steps[n], chosen);
    if (!said || !want) continue;
    const other = "skip" in said || "err" in said || !fits(want, said, hello);
    if (other && !("skip" in said || "err" in said) && line.level !== "open") return n;
    if (other && whole && line.request.steps[n].act && !("skip" in said && want.no)) return;
  }
}

const index = JSON.parse(load("index.json")), hello = await ask({ op: "hello", protocol: 1 }, 30);
if (!hello) console.log("no greeting");
process.exitCode = hello ? 0 : 3;
for (const [name, edition] of Object.entries(hello ? index.editions : {})) {
  const setups = hello.plays.filter((play) => play.editions.some((one) => `${play.game}@${one}` === name)).flatMap((play) => play.setups);
  const lines = load(edition.cases).trimEnd().split("\n").map((line) => JSON.parse(line)).filter((line) => setups.includes(line.setup));
  if (!lines.length) continue;
  let readings = Object.fromEntries(Object.entries(edition.readings).map(([key, one]) => [key, `${hello.readings?.[name]?.[key] ?? one.default}`]));
  const free = Object.entries(edition.readings).filter(([key]) => !hello.can.includes("readings") && !(key in (hello.readings?.[name] ?? {})));
  const heard = [];
  for (const line of lines) heard.push([line, await put(line, hello, readings)]);
  const judged = heard.filter(([, results]) => results?.some((said) => said && !("skip" in said)));
  let lost = !judged.length || heard.some(([, results]) => !results || results.some((said) => said && "err" in said));
  const failing = (chosen) => judged.filter(([line, results]) => judge(line, results, hello, chosen) !== undefined);
  // The one change of an undeclared reading after which least fails is made, as long as there is one.
  let left = failing(readings);
  for (let before = Infinity; left.length && left.length < before;) {
    before = left.length;
    for (const chosen of free.flatMap(([key, one]) => one.values.map((value) => ({ ...readings, [key]: value })))) {
      const rest = failing(chosen);
      if (rest.length < left.length) [left, readings] = [rest, chosen];
    }
  }
  // A line that fails is asked again: who then says something else is not judged by it.
  let deviates = "";
  for (const [line, results] of left) {
    const step = judge(line, results, hello, readings), again = await put(line, hello, readings);
    if (again && judge(line, again, hello, readings) === step) {
      deviates = `deviates at ${line.id}#${line.steps[step].id} (${line.clauses.join(" ")})`;
      break;
    }
    lost = true;
  }
  const found = free.filter(([key, one]) => readings[key] !== one.default).map(([key]) => `${key}=${readings[key]}`);
  console.log(`${name}: ${deviates || (lost ? "adapter" : found.length ? "follows-readings" : "follows")}${found.map((one) => ` ${one}`).join("")}`);
  process.exitCode ||= deviates || lost ? 1 : 0;
}
stop();
