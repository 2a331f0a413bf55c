// node run.mjs BUNDLE COMMAND...: judges a program by the portable corpus in a folder, with nothing else of Brou.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [bundle, ...command] = process.argv.slice(2), load = (name) => readFileSync(`${bundle}/${name}`, "utf8");
const HELLO = { op: "hello", protocol: 1 };
let child, replies, number = 0;
const stop = () => { child?.kill("SIGKILL"); child = undefined; };
async function ask(message, seconds = 5) { // returns the reply; who says anything else is started anew for the next one
  if (!child) {
    child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "ignore"] }).on("error", () => {});
    child.stdin.on("error", () => {});
    replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    if (message !== HELLO) await ask(HELLO, 30);
  }
  const id = ++number, late = setTimeout(stop, seconds * 1000);
  child?.stdin.write(JSON.stringify({ ...message, id }) + "\n");
  const reply = await replies.next().then((line) => JSON.parse(line.value)).catch(() => {}).finally(() => clearTimeout(late));
  return reply?.id === id && reply.ok === true ? reply : stop();
}

const form = (value, unordered) => JSON.stringify(value ?? null, (_, one) => (Array.isArray(one)
  ? (unordered ? [...new Set(one.map((item) => form(item, true)))].sort() : one) : one && typeof one === "object"
    ? Object.fromEntries(Object.entries(one).sort()) : one)); // keys in order, and lists where their order says nothing
const follows = ({ under = {}, within = {} }, readings) => Object.keys(under).every((key) => under[key].includes(readings[key]))
  && Object.keys(within).every((key) => within[key].least <= readings[key] && readings[key] <= within[key].greatest);
const fits = (check, result) => {
  const at = check.at.reduce((value, key) => value?.[key], result), told = check.has ? !!at?.includes?.(check.has) : at;
  return check.equals ? (check.optional && told === undefined)
    || check.equals.some((one) => form(one, check.unordered) === form(told, check.unordered)) : told !== undefined;
};

const index = JSON.parse(load("index.json")), hello = await ask(HELLO, 30);
const can = (needs = []) => needs.every((one) => hello.can.includes(one) || (one.startsWith("act ") && (hello.acts?.includes(one.slice(4)) ?? true)));
const chosen = (line, readings) => (can(["readings"]) ? { ...readings, ...line.premise } : readings);
// Returns the first step that deviates; behind one that play goes on from and that has no answer, nothing is judged.
function judge({ line, steps, results }, readings) {
  const wanted = chosen(line, readings), end = results.findIndex((one, n) => "skip" in one && steps[n].leads);
  return follows(line, wanted) && line.level !== "open" ? steps.slice(0, end < 0 ? steps.length : end).find(({ checks }, n) => !("skip" in results[n])
    && checks.some((check) => can(check.needs) && follows(check, wanted) && !fits(check, results[n]))) : undefined;
}

process.exitCode = hello ? 0 : 3;
for (const [name, { cases, readings: known }] of Object.entries(hello ? index.editions : {})) {
  const setups = hello.plays.flatMap((play) => (play.editions.some((one) => `${play.game}@${one}` === name) ? play.setups : []));
  const lines = load(cases).trimEnd().split("\n").map((text) => JSON.parse(text)).filter((line) => setups.includes(line.setup));
  const declared = hello.readings?.[name] ?? {}, heard = [];
  let readings = Object.fromEntries(Object.keys(known).map((key) => [key, `${declared[key] ?? known[key].default}`])), lost = false;
  for (const line of lines) for (const way of line.ways.filter(({ needs, instead }) => can(needs) && !(instead && can(instead)))) {
    const steps = way.steps.filter((step) => can(step.needs));
    const request = { ...way.request, steps: steps.map((step) => step.send), ...(can(["readings"]) && { readings: chosen(line, readings) }) };
    const results = steps.length ? (await ask(request))?.results : [];
    if (results?.length !== steps.length || results.some((one) => "err" in one)) lost = true;
    else if (results.some((one) => !("skip" in one))) heard.push({ line, steps, results });
  }
  // The one change of an undeclared reading after which least fails is made, as long as there is one.
  const free = Object.keys(known).filter((key) => !(key in declared) && !can(["readings"])), failing = (all) => heard.filter((one) => judge(one, all));
  for (let left = Infinity; (left = Math.min(left, failing(readings).length)) > 0;) {
    const tried = free.flatMap((key) => known[key].values.map((value) => ({ ...readings, [key]: value })));
    const [least, best] = tried.map((all) => [failing(all).length, all]).reduce((one, two) => (two[0] < one[0] ? two : one), [left]);
    if (least === left) break;
    readings = best;
  }
  const found = free.filter((key) => readings[key] !== known[key].default).map((key) => ` ${key}=${readings[key]}`), [wrong] = failing(readings);
  const verdict = wrong ? `deviates at ${wrong.line.id}#${judge(wrong, readings).id} (${wrong.line.clauses.join(" ")})`
    : lost || !heard.length ? "adapter" : found.length ? "follows-readings" : "follows";
  if (lines.length) console.log(`${name}: ${verdict}${found.join("")}`);
  process.exitCode ||= lines.length && !verdict.startsWith("follows") ? 1 : 0;
}
stop();
