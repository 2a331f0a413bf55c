// Juega a la brisca según rules.md sin saber nada de Brou; las últimas líneas hablan el protocolo.
// `node brisca.js faulty` tiene un error puesto a propósito: quien pierde la baza roba primero.
"use strict";
const readline = require("node:readline");

const RANKS = "A3RCS76542";
const DECK = [..."OCEB"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const POINTS = { A: 11, 3: 10, R: 4, C: 3, S: 2 };
const IS_FAULTY = process.argv.includes("faulty");

const inOrder = (cards) => DECK.filter((card) => cards.includes(card));

class Brisca {
  constructor() {
    this.dealer = 0;
    this.games = [0, 0];
    this.clear();
  }

  clear() {
    Object.assign(this, {
      phase: "deal", cutAt: 0, hands: [[], []], stock: [], turnup: null, trump: null, turn: null, leader: null, last: null,
      trick: [], done: 0, made: [0, 0],
    });
  }

  deal(deck) {
    const hands = [[], []];
    deck.slice(0, 6).forEach((card, at) => hands[at % 2 ? this.dealer : 1 - this.dealer].push(card));
    this.begin(hands, deck[6], [...deck.slice(7), deck[6]]);
  }

  begin(hands, turnup, stock) {
    Object.assign(this, { hands: hands.map((hand) => [...hand]), turnup, stock: [...stock], trump: turnup[1], phase: "play" });
    this.turn = this.leader = 1 - this.dealer;
  }

  legal(seat) {
    if (this.phase === "deal") {
      if (seat === this.dealer) return { deal: { deck: { order: DECK }, packets: [[1, 1, 1]] } };
      return this.cutAt ? {} : { cut: { min: 1, max: 39 } };
    }
    if (this.phase === "result") return { next: [true] };
    return this.phase === "play" && seat === this.turn ? { play: inOrder(this.hands[seat]) } : {};
  }

  // Hace lo que se le dice, o devuelve la razón de que no se pueda.
  act(seat, name, value) {
    const phase = { cut: "deal", deal: "deal", play: "play", next: "result" }[name];
    if (phase === undefined) return "not_available";
    if (phase !== this.phase) return "window_closed";
    if (name === "cut") {
      if (seat === this.dealer) return "not_your_role";
      if (this.cutAt) return "already_done";
      if (!(value >= 1 && value <= 39)) return "bad_amount";
      this.cutAt = value;
    }
    if (name === "deal") {
      if (seat !== this.dealer) return "not_your_role";
      this.deal([...value.deck.slice(this.cutAt), ...value.deck.slice(0, this.cutAt)]);
    }
    if (name === "play") {
      if (seat !== this.turn) return "not_your_turn";
      if (!this.hands[seat].includes(value)) return "not_in_hand";
      this.lay(seat, value);
    }
    if (name === "next") {
      this.games = this.games.map((games, one) => games + (this.made[one] > 60 ? 1 : 0));
      this.dealer = 1 - this.dealer;
      this.clear();
      if (Math.max(...this.games) >= 3) this.phase = "over";
    }
    return null;
  }

  lay(seat, card) {
    this.hands[seat] = this.hands[seat].filter((one) => one !== card);
    this.trick.push({ seat, card });
    this.turn = 1 - seat;
    if (this.trick.length < 2) return;
    const [one, two] = this.trick;
    const isHigher = two.card[1] === one.card[1] ? RANKS.indexOf(two.card[0]) < RANKS.indexOf(one.card[0]) : two.card[1] === this.trump;
    const winner = (isHigher ? two : one).seat;
    for (const laid of this.trick) this.made[winner] += POINTS[laid.card[0]] || 0;
    this.trick = [];
    this.turn = this.leader = this.last = winner;
    this.done += 1;
    for (const who of IS_FAULTY ? [1 - winner, winner] : [winner, 1 - winner]) {
      if (this.stock.length) this.hands[who].push(this.stock.shift());
    }
    if (this.done === 20) {
      this.phase = "result";
      this.turn = this.leader = null;
    }
  }

  view(seat) {
    return {
      phase: this.phase, dealer: this.dealer, hand: inOrder(this.hands[seat]), hands: this.hands.map((hand) => hand.length),
      stock: this.stock.length, turnup: this.turnup && { card: this.turnup, exposed: this.stock.length > 0 },
      trump: this.trump, turn: this.turn, leader: this.leader, trick: this.trick,
    };
  }
}

const HELLO = {
  protocol: 1,
  engine: { name: "brisca.js", language: "javascript" },
  plays: [{ game: "brisca", editions: ["casa"], setups: ["2"] }],
  can: ["deal", "match", "view", "winner", "score", "codes", "offturn"],
};

function begin(request) {
  const game = new Brisca();
  const start = request.start || {};
  if (start.dealer !== undefined) game.dealer = start.dealer;
  if (start.games) game.games = [...start.games];
  if (start.deck) game.deal(start.deck);
  else if (start.hands) game.begin(["0", "1"].map((seat) => start.hands[seat]), start.turnup, start.stock);
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
  return "score" in step ? { score: { made: game.made, games: game.games } } : { winner: game.last };
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
