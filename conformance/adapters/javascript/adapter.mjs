/**
 * Protocol 1 for the program in brou.mjs: a JSON object a line on standard
 * input, an answer a line on standard output, in the same order.
 *
 *     node adapter.mjs [--reading game.key=value]...
 */

import { stdin, stdout, argv, exit, stderr } from "node:process";

import { Brouc, HommeDeBrou, Unplayable } from "./brou.mjs";

const PROGRAMS = [Brouc, HommeDeBrou];
const PROTOCOL = 1;
const SETUP = "4";

/** The request cannot be understood at all. */
class Unreadable extends Error {}

const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isSeat = (value) => [0, 1, 2, 3].includes(value);

/** The readings asked for on the command line, by game; all are followed. */
function readingsFrom(words) {
  const chosen = Object.fromEntries(PROGRAMS.map(({ game }) => [game, {}]));
  for (let at = 0; at < words.length; at += 2) {
    const match = /^([^.=]+)\.([^.=]+)=(.+)$/.exec(words[at + 1] ?? "");
    if (words[at] !== "--reading" || !match || !Object.hasOwn(chosen, match[1])) {
      throw new Unplayable("usage: adapter.mjs [--reading game.key=value]...");
    }
    const [, game, key, value] = match;
    chosen[game][key] = /^\d+$/.test(value) ? Number(value) : value;
  }
  for (const program of PROGRAMS) program.follow(chosen[program.game]);
  return chosen;
}

function hello(chosen) {
  return {
    protocol: PROTOCOL,
    engine: { name: "brou-mjs", version: "1.0", language: "javascript" },
    plays: PROGRAMS.map(({ game, edition }) => ({
      game,
      editions: [edition],
      setups: [SETUP],
    })),
    readings: Object.fromEntries(
      PROGRAMS.map((program) => [
        `${program.game}@${program.edition}`,
        program.follow(chosen[program.game]),
      ]),
    ),
    can: ["deal", "match", "winner", "view", "score", "offturn"],
    max_in_flight: 64,
  };
}

/** A match as the request wants it to begin. */
function matchFor({ game, edition, setup, start = {} }, chosen) {
  const program = PROGRAMS.find(
    (one) => one.game === game && one.edition === edition && setup === SETUP,
  );
  if (!program) throw new Unplayable("this is not played here");
  if (!isObject(start)) throw new Unreadable("start is not an object");
  const match = new program(chosen[game], start);
  const { hands, turnup, deck, packets } = start;
  if (hands !== undefined) {
    const laid = [0, 1, 2, 3].map((seat) => hands?.[seat]);
    if (!laid.every(Array.isArray)) throw new Unplayable("a hand is missing");
    match.lay(laid, turnup);
  } else if (deck !== undefined) {
    if (!Array.isArray(deck)) throw new Unplayable("the deck is not a list");
    match.dealOut(deck, packets);
  }
  return match;
}

/** The answer of the match to one step. */
function take(match, step) {
  if (!isObject(step)) return { err: "a step is an object" };
  const { act, by, legal, view } = step;
  if (act !== undefined) {
    if (!isSeat(by) || !isObject(act)) return { err: "not an act of a seat" };
    return match.act(by, act) ? { ok: true } : { no: true };
  }
  if (legal !== undefined) {
    return isSeat(legal) ? { legal: match.legal(legal) } : { err: "no seat" };
  }
  if (view !== undefined) {
    return isSeat(view) ? { view: match.view(view) } : { err: "no seat" };
  }
  if (step.winner !== undefined) return { winner: match.lastWinner };
  if (step.score !== undefined) return { score: match.score() };
  return { skip: "a step of an unknown kind" };
}

/** The result of every step; all are skipped where the match cannot begin. */
function run(request, chosen) {
  const { steps } = request;
  if (!Array.isArray(steps)) throw new Unreadable("steps is not a list");
  try {
    const match = matchFor(request, chosen);
    // A view shares lists with the match, so it is put into words at once.
    const results = steps.map((step) => JSON.stringify(take(match, step)));
    return { results: results.map((result) => JSON.parse(result)) };
  } catch (problem) {
    if (!(problem instanceof Unplayable)) throw problem;
    return { results: steps.map(() => ({ skip: problem.message })) };
  }
}

/** What is said to one request, beyond its number. */
function respond(request, chosen) {
  switch (request.op) {
    case "hello":
      if (request.protocol === PROTOCOL) return hello(chosen);
      throw new Unreadable("only protocol 1 is spoken here");
    case "run":
      return run(request, chosen);
    case "ping":
    case "bye":
      return {};
    default:
      throw new Unreadable("an unknown operation");
  }
}

/** The reply to one line, and whether it was the last. */
function answer(line, chosen) {
  let id = null;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
    const request = JSON.parse(text);
    if (!isObject(request)) throw new Unreadable("a request is an object");
    if (!Number.isInteger(request.id)) throw new Unreadable("id is no integer");
    id = request.id;
    const reply = { id, ok: true, ...respond(request, chosen) };
    return { reply, last: request.op === "bye" };
  } catch (problem) {
    const error = problem.message || "the request cannot be read";
    return { reply: { id, ok: false, error }, last: false };
  }
}
