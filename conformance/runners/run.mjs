// node run.mjs BUNDLE COMMAND...: judges a program by the corpus in a folder. README.md there says what is done here.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const [bundle, command, ...words] = process.argv.slice(2);
const read = (file) => readFileSync(`${bundle}/${file}`, "utf8").trim();
const parse = (line) => { try { return JSON.parse(line); } catch { return null; } };
function ask(requests) {
  const input = requests.map((request, id) => `${JSON.stringify({ ...request, id })}\n`).join("");
  const { stdout } = spawnSync(command, words, { input, encoding: "utf8", maxBuffer: Infinity, timeout: 300_000 });
  return new Map((stdout ?? "").split("\n").map(parse).map((reply) => [reply?.id, reply]));
}

const { acts, editions } = JSON.parse(read("index.json"));
const hello = ask([{ op: "hello", protocol: 1 }]).get(0);
if (!hello?.can) process.exit(3);
const able = new Set([...hello.can, ...(hello.acts ?? acts).map((act) => `act:${act}`)]);
for (const { game, editions, setups } of hello.plays)
  for (const edition of editions) for (const setup of setups) able.add(`plays:${game}@${edition}:${setup}`);
const can = ({ needs }) => needs.every((need) => able.has(need));

function holds({ at, equals, absent, set }, result) {
  const told = at.reduce((value, key) => (Array.isArray(value) ? value.includes(key) : value?.[key]), result);
  const form = (value) => (set && Array.isArray(value) ? new Set(value) : value);
  return told === undefined ? absent : equals.some((one) => isDeepStrictEqual(form(one), form(told)));
}

for (const { name, cases, plays, defaults, readings } of editions) {
  if (!plays.some((play) => able.has(play))) continue;
  const declared = hello.readings?.[name], first = { ...defaults, ...declared };
  const asked = read(cases).split("\n").map(parse).flatMap(({ ways }) => ways.find(can).requests).map((one) =>
    ({ ...one, steps: one.steps.filter(can), own: able.has("readings") ? { ...first, ...one.premise } : undefined }));
  const sent = asked.filter(({ steps }) => steps.length);
  const replies = ask(sent.map(({ request, steps, own }) => ({ ...request, readings: own, steps: steps.map(({ send }) => send) })));
  const failed = [], heard = [];
  for (const [place, { id, own, steps }] of sent.entries()) for (const [number, { kinds, leads, checks }] of steps.entries()) {
    const result = replies.get(place)?.results?.[number];
    const isAnswer = kinds.some((kind) => result?.[kind] !== undefined);
    if (isAnswer) failed.push(...checks.filter((one) => can(one) && !holds(one, result)).map(({ under }) => ({ id, own, under })));
    if (isAnswer || result?.skip === undefined) heard.push(isAnswer);
    if (!isAnswer && leads) break;
  }
  const count = (followed) => failed.filter(({ own, under }) =>
    Object.entries(under).every(([key, values]) => values.includes(String({ ...followed, ...own }[key]))));
  let followed = first;
  for (const { key, values } of readings) for (const value of values) {
    const other = { ...followed, [key]: value, ...declared };
    if (count(other).length < count(followed).length) followed = other;
  }
  const changed = readings.filter(({ key }) => followed[key] !== first[key]).map(({ key }) => `${key}=${followed[key]}`);
  const wrong = new Set(count(followed).map(({ id }) => id)), isSound = heard.length && heard.every(Boolean);
  const verdict = wrong.size ? "deviates" : !isSound ? "adapter" : changed.length ? "follows-readings" : "follows";
  console.log([`${name}:`, verdict, ...changed, ...wrong].join(" "));
  if (wrong.size || !isSound) process.exitCode = 1;
}
