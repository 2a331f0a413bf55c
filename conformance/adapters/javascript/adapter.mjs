/**
 * Protocol 1 for the program in brou.mjs: a JSON object a line on standard
 * input, an answer a line on standard output, in the same order.
 *
 *     node adapter.mjs [--reading game.key=value]...
 */

import process from "node:process";

import { Brouc, HommeDeBrou, Unplayable } from "./brou.mjs";

const PROGRAMS = [Brouc, HommeDeBrou];
const PROTOCOL = 1;
const SETUP = "4";
const SEATS = [0, 1, 2, 3];
const USAGE = "usage: node adapter.mjs [--reading game.key=value]...";

const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isSeat = (value) => SEATS.includes(value);

/** The readings named on the command line, by game; every one is followed. */
function readingsFrom(words) {
  const chosen = new Map(PROGRAMS.map(({ game }) => [game, {}]));
  for (let at = 0; at < words.length; at += 2) {
    const [, game, key, value] =
      /^([^.]+)\.([^=]+)=(.+)$/.exec(words[at + 1]) ?? [];
    if (words[at] !== "--reading" || !chosen.has(game)) throw new Error(USAGE);
    chosen.get(game)[key] = /^\d+$/.test(value) ? Number(value) : value;
  }
  PROGRAMS.forEach((program) => program.follow(chosen.get(program.game)));
  return chosen;
}

function hello(chosen) {
  const names = PROGRAMS.map(({ game, edition }) => `${game}@${edition}`);
  const readings = PROGRAMS.map((one) => one.follow(chosen.get(one.game)));
  return {
    protocol: PROTOCOL,
    engine: { name: "brou-mjs", version: "1.0", language: "javascript" },
    plays: PROGRAMS.map(({ game, edition }) => {
      return { game, editions: [edition], setups: [SETUP] };
    }),
    readings: Object.fromEntries(names.map((name, at) => [name, readings[at]])),
    can: ["deal", "match", "winner", "view", "score", "offturn"],
    max_in_flight: 64,
  };
}

/** A match that begins as the request wants it. */
function matchFor({ game, edition, setup, start = {} }, chosen) {
  const Program = PROGRAMS.find(
    (one) => one.game === game && one.edition === edition && setup === SETUP,
  );
  if (!Program) throw new Unplayable("this is not played here");
  if (!isObject(start)) throw new Unplayable("start is not an object");
  const match = new Program(chosen.get(game), start);
  const { hands, turnup, deck, packets } = start;
  const laid = hands && SEATS.map((seat) => hands[seat]);
  if (laid) match.lay(laid, turnup);
  else if (deck) match.dealOut(deck, packets);
  return match;
}

/** What the match answers to one step. */
function take(match, step) {
  if (!isObject(step)) return { err: "a step is an object" };
  const { act, by, legal, view, winner, score } = step;
  const seat = by ?? legal ?? view;
  if (seat !== undefined && !isSeat(seat)) return { err: "no such seat" };
  if (act !== undefined) {
    if (by === undefined || !isObject(act)) return { err: "no act of a seat" };
    return match.act(by, act) ? { ok: true } : { no: true };
  }
  if (legal !== undefined) return { legal: match.legal(legal) };
  if (view !== undefined) return { view: match.view(view) };
  if (winner !== undefined) return { winner: match.lastWinner };
  if (score !== undefined) return { score: match.score() };
  return { skip: "this kind of step is not known here" };
}

/** A result for every step; each is skipped if the match cannot begin so. */
function run(request, chosen) {
  const { steps } = request;
  if (!Array.isArray(steps)) throw new Error("steps is not a list");
  try {
    const match = matchFor(request, chosen);
    return { results: steps.map((step) => take(match, step)) };
  } catch (problem) {
    if (!(problem instanceof Unplayable)) throw problem;
    return { results: steps.map(() => ({ skip: problem.message })) };
  }
}

/** What a request is answered with, beside its number. */
function respond(request, chosen) {
  if (request.op === "run") return run(request, chosen);
  if (request.op === "ping" || request.op === "bye") return {};
  if (request.op !== "hello") throw new Error("this operation is not known");
  if (request.protocol === PROTOCOL) return hello(chosen);
  throw new Error("only protocol 1 is spoken here");
}

/** The reply to a line, and whether it is the last one. */
function answer(line, chosen) {
  let id = null;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
    const request = JSON.parse(text);
    if (!Number.isInteger(request?.id)) throw new Error("there is no id");
    id = request.id;
    const reply = { id, ok: true, ...respond(request, chosen) };
    return [reply, request.op === "bye"];
  } catch (problem) {
    return [{ id, ok: false, error: `${problem.message}` }, false];
  }
}

/** The lines of a stream, ended by LF alone, as bytes. */
async function* linesOf(stream) {
  let begun = [];
  for await (const chunk of stream) {
    let from = 0;
    for (let to; (to = chunk.indexOf(10, from)) >= 0; from = to + 1) {
      yield Buffer.concat([...begun, chunk.subarray(from, to)]);
      begun = [];
    }
    begun.push(chunk.subarray(from));
  }
  yield Buffer.concat(begun);
}

try {
  const chosen = readingsFrom(process.argv.slice(2));
  for await (const line of linesOf(process.stdin)) {
    if (!line.toString("latin1").trim()) continue;
    const [reply, last] = answer(line, chosen);
    process.stdout.write(`${JSON.stringify(reply)}\n`);
    if (last) break;
  }
} catch (problem) {
  process.stderr.write(`${problem.message}\n`);
  process.exitCode = 2;
}
