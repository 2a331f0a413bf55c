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
let number = 0;
async function ask(message) {
  const id = ++number;
  program.stdin.write(`${JSON.stringify({ ...message, id })}\n`);
  const reply = await replies.next().then((line) => JSON.parse(line.value)).catch(() => ({}));
  return reply?.id === id && reply.ok ? reply : { results: [] };
}

const hello = await ask({ op: "hello", protocol: 1 });
if (!hello.can) process.exit(3);
const plays = ({ game, edition, setup }) =>
  hello.plays.some((one) => one.game === game && one.editions.includes(edition) && one.setups.includes(setup));
const can = ({ needs, acts }) =>
  needs.every((one) => hello.can.includes(one)) && acts.every((one) => hello.acts?.includes(one) ?? true);
const binds = ({ under, within }, readings) =>
  Object.entries(under).every(([key, values]) => values.includes(String(readings[key]))) &&
  Object.entries(within).every(([key, [least, greatest]]) => least <= readings[key] && readings[key] <= greatest);
function holds({ at, equals, absent, set }, result) {
  const form = (value) => (set && Array.isArray(value) ? new Set(value) : value);
  const told = at.reduce((value, key) => (Array.isArray(value) ? value.includes(key) : value?.[key]), result);
  return told === undefined ? absent : equals.some((one) => isDeepStrictEqual(form(one), form(told)));
}

const takes = hello.can.includes("readings");
for (const [name, { cases, defaults, readings: known }] of Object.entries(JSON.parse(load("index.json")).editions)) {
  const declared = hello.readings?.[name] ?? {}, readings = { ...defaults, ...declared };
  const lines = load(cases).split("\n").map((text) => JSON.parse(text)).filter(plays);
  const ways = lines.flatMap((line) => (can(line.script) ? [line.script] : line.positions.filter(can))
    .map((way) => ({ line, request: way.request, steps: way.steps.filter(can) })));
  const failed = [];
  let answered = 0, lost = 0;
  for (const { line, request, steps } of ways.filter(({ steps }) => steps.length)) {
    const own = takes ? { readings: { ...readings, ...line.premise } } : {};
    const { results } = await ask({ ...request, ...own, steps: steps.map((step) => step.send) });
    lost += results.length !== steps.length;
    for (const [place, { id, kinds, leads, checks }] of steps.entries()) {
      const result = results[place] ?? {};
      if (kinds.some((kind) => kind in result)) {
        answered += 1;
        const wrong = checks.filter((check) => can(check) && !holds(check, result));
        failed.push(...wrong.map((check) => ({ line, id, check, own })));
      } else {
        lost += !("skip" in result);
        if (leads) break;
      }
    }
  }

  const failing = (all) => failed.filter(({ check, own }) => binds(check, own.readings ?? all));
  const free = Object.keys(takes ? {} : known).filter((key) => !(key in declared));
  for (const key of free) for (const value of known[key].values) {
    if (failing({ ...readings, [key]: value }).length < failing(readings).length) readings[key] = value;
  }
  const changed = free.filter((key) => readings[key] !== defaults[key]).map((key) => ` ${key}=${readings[key]}`);
  const [wrong] = failing(readings), follows = changed.length ? `follows-readings${changed.join("")}` : "follows";
  const deviates = wrong && `deviates at ${wrong.line.id}#${wrong.id} (${wrong.line.clauses.join(" ")})`;
  if (lines.length) console.log(`${name}: ${deviates ?? (lost || !answered ? "adapter" : follows)}`);
  if (lines.length && (wrong || lost || !answered)) process.exitCode = 1;
}
program.kill();
