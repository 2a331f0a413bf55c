// node run.mjs BUNDLE COMMAND...: judges a program by the corpus in a folder. README.md there says what is done here.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

const [bundle, command, ...words] = process.argv.slice(2);
const load = (name) => readFileSync(`${bundle}/${name}`, "utf8").trim();
const program = spawn(command, words, { stdio: ["pipe", "pipe", "ignore"], timeout: 900_000 }).on("error", () => {});
program.stdin.on("error", () => {});
const replies = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
let id = 0;
async function ask(message) {
  program.stdin.write(`${JSON.stringify({ ...message, id: ++id })}\n`);
  const reply = await replies.next().then((line) => JSON.parse(line.value)).catch(() => null);
  return reply?.id === id && reply.ok ? reply : {};
}

const hello = await ask({ op: "hello", protocol: 1 });
if (!hello.can) process.exit(3);
const plays = hello.plays.flatMap(({ game, editions, setups }) =>
  editions.flatMap((edition) => setups.map((setup) => `${game}@${edition}:${setup}`)));
const able = new Set([...hello.can, ...(hello.acts ?? []).map((act) => `act:${act}`)]);
const can = ({ needs }) => needs.every((need) => able.has(need) || (!hello.acts && need.startsWith("act:")));
function holds({ at, equals, absent, set }, result) {
  const told = at.reduce((value, key) => (Array.isArray(value) ? value.includes(key) : value?.[key]), result);
  const form = (value) => (set && Array.isArray(value) ? new Set(value) : value);
  return told === undefined ? absent : equals.some((one) => isDeepStrictEqual(form(one), form(told)));
}
const counts = ({ under, within }, followed) =>
  Object.entries(under).every(([key, values]) => values.includes(followed[key])) &&
  Object.entries(within).every(([key, [least, greatest]]) => least <= followed[key] && followed[key] <= greatest);

for (const { name, cases, defaults, readings } of JSON.parse(load("index.json")).editions) {
  const lines = load(cases).split("\n").map((text) => JSON.parse(text)).filter(({ rules }) => plays.includes(rules));
  if (!lines.length) continue;
  const declared = Object.entries(hello.readings?.[name] ?? {}).map(([key, value]) => [key, String(value)]);
  const first = { ...defaults, ...Object.fromEntries(declared) }, failed = [];
  let followed = first, answered = 0, lost = 0;
  for (const { id, clauses, premise, ways } of lines) {
    const own = able.has("readings") ? { readings: { ...first, ...premise } } : {};
    for (const { request, steps } of ways.map((ones) => ones.filter(can)).find((ones) => ones.length) ?? []) {
      const sent = steps.filter(can);
      if (!sent.length) continue;
      const results = [].concat((await ask({ ...request, ...own, steps: sent.map(({ send }) => send) })).results ?? []);
      lost += results.length !== sent.length;
      for (const [place, { id: step, kinds, leads, checks }] of sent.entries()) {
        const result = Object(results[place]), isAnswer = kinds.some((kind) => kind in result);
        const wrong = checks.filter((check) => isAnswer && can(check) && !holds(check, result));
        failed.push(...wrong.map((check) => ({ check, own, at: `${id}#${step} (${clauses.join(" ")})` })));
        answered += isAnswer;
        lost += !isAnswer && !("skip" in result);
        if (!isAnswer && leads) break;
      }
    }
  }
  const failing = (all) => failed.filter(({ check, own }) => counts(check, own.readings ?? all));
  const free = readings.filter((one) => !declared.some(([key]) => key === one.key));
  for (const { key, values } of free) for (const value of values) {
    const other = { ...followed, [key]: value };
    if (failing(other).length < failing(followed).length) followed = other;
  }
  const changed = free.filter(({ key }) => followed[key] !== first[key]).map(({ key }) => ` ${key}=${followed[key]}`);
  const [wrong] = failing(followed), follows = `follows${changed.length ? "-readings" : ""}${changed.join("")}`;
  console.log(`${name}: ${wrong ? `deviates at ${wrong.at}` : lost || !answered ? "adapter" : follows}`);
  if (wrong || lost || !answered) process.exitCode = 1;
}
program.kill();
