/**
 * Protocol 1 for games like those of brou.mjs: a JSON object a line on
 * standard input, an answer a line on standard output, in the same order.
 */

import process from "node:process";

import { Unplayable } from "./brou.mjs";

const PROTOCOL = 1;
/** What a game is played with that does not say it. */
const SETUPS = ["4"];
const SEATS = 4;
const USAGE = "usage: node adapter.mjs [--reading game.key=value]...";

const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const setupsOf = (game) => game.setups ?? SETUPS;
const seatsOf = (match) => match.seats ?? SEATS;

/** The readings that words name for each game; every one is followed. */
function readingsFrom(words, games) {
  const named = Object.fromEntries(games.map(({ game }) => [game, {}]));
  for (let at = 0; at < words.length; at += 2) {
    const [, game, key, value] =
      /^([^.]+)\.([^=]+)=(.+)$/.exec(words[at + 1]) ?? [];
    if (words[at] !== "--reading" || !Object.hasOwn(named, game)) {
      throw new Error(USAGE);
    }
    named[game][key] = /^\d+$/.test(value) ? Number(value) : value;
  }
  return new Map(games.map((one) => [one, one.follow(named[one.game])]));
}

function hello(chosen) {
  const readings = [...chosen].map(([{ game, edition }, followed]) => {
    return [`${game}@${edition}`, followed];
  });
  return {
    protocol: PROTOCOL,
    engine: { name: "brou-mjs", version: "1.0", language: "javascript" },
    plays: [...chosen.keys()].map((one) => {
      const { game, edition } = one;
      return { game, editions: [edition], setups: setupsOf(one) };
    }),
    readings: Object.fromEntries(readings),
    can: ["deal", "match", "winner", "view", "score", "offturn"],
    max_in_flight: 64,
  };
}

/** A match that begins as the request wants it. */
function matchFor({ game, edition, setup, start = {} }, chosen) {
  const Game = [...chosen.keys()].find(
    (one) =>
      one.game === game &&
      one.edition === edition &&
      setupsOf(one).includes(setup),
  );
  if (!Game) throw new Unplayable("this is not played here");
  if (!isObject(start)) throw new Unplayable("start is not an object");
  const match = new Game(chosen.get(Game), start, setup);
  const { hands, turnup, deck, packets } = start;
  if (hands && match.lay) match.lay(Object.values(hands), turnup);
  else if (deck) match.dealOut(deck, packets);
  return match;
}

/** What the match answers to one step. */
function take(match, step) {
  if (!isObject(step)) return { err: "a step is an object" };
  const { act, by, legal, view, winner, score } = step;
  const seat = by ?? legal ?? view;
  const known = Number.isInteger(seat) && seat >= 0 && seat < seatsOf(match);
  if (seat !== undefined && !known) return { err: "no such seat" };
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

/** Play some games with whoever writes to standard input, until goodbye. */
export async function serve(games, words = []) {
  try {
    const chosen = readingsFrom(words, games);
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
}
