// A player of Differenzler that knows rules.md and nothing of Brou, and the few lines that speak the protocol.
// `node differenzler.js faulty` has a mistake planted in it: it has to play the under of trumps when it is the only one.
"use strict";
const readline = require("node:readline");

const RANKS = "AKOUB9876";
const TRUMPS = "U9AKOB876";
const DECK = [..."RGES"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const PLAIN_POINTS = { A: 11, K: 4, O: 3, U: 2, B: 10 };
const TRUMP_POINTS = { ...PLAIN_POINTS, U: 20, 9: 14 };
const ALL_POINTS = 157;
const IS_FAULTY = process.argv.includes("faulty");

const inOrder = (cards) => DECK.filter((card) => cards.includes(card));

class Differenzler {
  constructor(seats) {
    this.seats = seats;
    this.size = 36 / seats;
    this.dealer = 0;
    this.points = Array(seats).fill(0);
    this.deals = 0;
    this.clear();
  }

  clear() {
    Object.assign(this, {
      phase: "deal", cutAt: 0, hands: Array.from({ length: this.seats }, () => []), turnup: null, trump: null, turn: null,
      leader: null, last: null, trick: [], done: 0, announced: Array(this.seats).fill(null), made: Array(this.seats).fill(0),
    });
  }

  right(seat) {
    return (seat + 1) % this.seats;
  }

  deal(deck) {
    const hands = Array.from({ length: this.seats }, () => []);
    for (let at = 0; at < 36; at += 3) hands[(this.dealer + 1 + at / 3) % this.seats].push(...deck.slice(at, at + 3));
    this.begin(hands, deck[35]);
  }

  begin(hands, turnup) {
    this.hands = hands.map((hand) => [...hand]);
    this.turnup = turnup;
    this.trump = turnup[1];
    this.turn = this.leader = this.right(this.dealer);
    this.phase = "announce";
  }

  legal(seat) {
    if (this.phase === "deal") {
      if (seat === this.dealer) return { deal: { deck: { order: DECK }, packets: [Array(12 / this.seats).fill(3)] } };
      return this.right(seat) === this.dealer && !this.cutAt ? { cut: { min: 1, max: 35 } } : {};
    }
    if (this.phase === "announce") return this.announced[seat] === null ? { announce: { min: 0, max: ALL_POINTS } } : {};
    if (this.phase === "result") return { next: [true] };
    return this.phase === "play" && seat === this.turn ? { play: this.findPlayable(seat) } : {};
  }

  isBound(hand) {
    return hand.some((card) => card[1] === this.trump && (IS_FAULTY || card[0] !== "U"));
  }

  findPlayable(seat) {
    return inOrder(this.hands[seat]).filter((card) => !this.findRefusal(seat, card));
  }

  // Why a card of the hand may not be played, or null.
  findRefusal(seat, card) {
    if (!this.trick.length) return null;
    const hand = this.hands[seat];
    const led = this.trick[0].card[1];
    const isTrump = card[1] === this.trump;
    if (led === this.trump) return !isTrump && this.isBound(hand) ? "must_follow" : null;
    if (!isTrump) return card[1] !== led && hand.some((one) => one[1] === led) ? "must_follow" : null;
    const heights = this.trick.filter((one) => one.card[1] === this.trump).map((one) => TRUMPS.indexOf(one.card[0]));
    const isBelow = TRUMPS.indexOf(card[0]) > Math.min(...heights);
    return isBelow && hand.some((one) => one[1] !== this.trump) ? "too_low" : null;
  }

  // Does an act, or returns the code of its refusal.
  act(seat, name, value) {
    const phase = { cut: "deal", deal: "deal", announce: "announce", play: "play", next: "result" }[name];
    if (phase === undefined) return "not_available";
    if (phase !== this.phase) return "window_closed";
    if (name === "cut") {
      if (this.right(seat) !== this.dealer) return "not_your_role";
      if (this.cutAt) return "already_done";
      if (!(value >= 1 && value <= 35)) return "bad_amount";
      this.cutAt = value;
    }
    if (name === "deal") {
      if (seat !== this.dealer) return "not_your_role";
      this.deal([...value.deck.slice(this.cutAt), ...value.deck.slice(0, this.cutAt)]);
    }
    if (name === "announce") {
      if (!(value >= 0 && value <= ALL_POINTS)) return "bad_amount";
      if (this.announced[seat] !== null) return "already_done";
      this.announced[seat] = value;
      if (!this.announced.includes(null)) this.phase = "play";
    }
    if (name === "play") {
      if (seat !== this.turn) return "not_your_turn";
      if (!this.hands[seat].includes(value)) return "not_in_hand";
      const refusal = this.findRefusal(seat, value);
      if (refusal) return refusal;
      this.lay(seat, value);
    }
    if (name === "next") {
      const differences = this.findDifferences();
      this.points = this.points.map((points, one) => points + differences[one]);
      this.deals += 1;
      this.dealer = this.right(this.dealer);
      this.clear();
      if (this.deals >= 12) this.phase = "over";
    }
    return null;
  }

  lay(seat, card) {
    this.hands[seat] = this.hands[seat].filter((one) => one !== card);
    this.trick.push({ seat, card });
    this.turn = this.right(seat);
    if (this.trick.length < this.seats) return;
    const led = this.trick[0].card[1];
    const height = (one) => {
      if (one.card[1] === this.trump) return 100 - TRUMPS.indexOf(one.card[0]);
      return one.card[1] === led ? 50 - RANKS.indexOf(one.card[0]) : 0;
    };
    const winner = this.trick.reduce((best, one) => (height(one) > height(best) ? one : best)).seat;
    for (const { card: one } of this.trick) this.made[winner] += (one[1] === this.trump ? TRUMP_POINTS : PLAIN_POINTS)[one[0]] || 0;
    this.trick = [];
    this.turn = this.leader = this.last = winner;
    this.done += 1;
    if (this.done === this.size) {
      this.made[winner] += 5;
      this.phase = "result";
      this.turn = this.leader = null;
    }
  }

  findDifferences() {
    return this.made.map((made, seat) => Math.abs(made - this.announced[seat]));
  }

  score() {
    const told = { made: this.made, points: this.points };
    return this.phase === "result" ? { ...told, differences: this.findDifferences() } : told;
  }

  view(seat) {
    return {
      phase: this.phase, dealer: this.dealer, hand: inOrder(this.hands[seat]), hands: this.hands.map((hand) => hand.length),
      turnup: this.turnup, trump: this.trump, turn: this.turn, leader: this.leader, trick: this.trick,
      announced: this.announced[seat], has_announced: this.announced.map((points) => points !== null),
    };
  }
}

const HELLO = {
  protocol: 1,
  engine: { name: "differenzler.js", language: "javascript" },
  plays: [{ game: "differenzler", editions: ["house"], setups: ["4", "3"] }],
  can: ["deal", "match", "view", "winner", "score", "codes", "offturn"],
};

function begin(request) {
  const game = new Differenzler(Number(request.setup));
  const start = request.start || {};
  if (start.dealer !== undefined) game.dealer = start.dealer;
  if (start.points) game.points = [...start.points];
  if (start.deals) game.deals = start.deals;
  if (start.deck) game.deal(start.deck);
  else if (start.hands) game.begin(Object.keys(start.hands).sort().map((seat) => start.hands[seat]), start.turnup);
  return game;
}

function take(game, step) {
  if (step.act) {
    const [[name, value]] = Object.entries(step.act);
    const refusal = game.act(step.by, name, value);
    return refusal ? { no: refusal } : { ok: true };
  }
  if ("legal" in step) return { legal: game.legal(step.legal) };
  if ("view" in step) return { view: game.view(step.view) };
  return "score" in step ? { score: game.score() } : { winner: game.last };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  const reply = { id: request.id, ok: true };
  if (request.op === "hello") Object.assign(reply, HELLO);
  if (request.op === "run") {
    const game = begin(request);
    reply.results = request.steps.map((step) => take(game, step));
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
});
