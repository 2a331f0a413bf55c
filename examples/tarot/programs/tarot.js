// A player of Tarot that knows rules.md and nothing of Brou, and the few lines that speak the protocol.
// `node tarot.js rounding-down` plays by another reading; faulty.js beside it has a mistake.
"use strict";
const readline = require("node:readline");

const PLAIN = "RDCV0987654321";
const TRUMPS = "NMLJIHGFEBA0987654321";
const DECK = [
  ...[..."SHDC"].flatMap((suit) => [...PLAIN].map((rank) => rank + suit)),
  ...[...TRUMPS].map((rank) => rank + "A"),
  "XE",
];
const BIDS = ["pass", "petite", "garde", "garde-sans", "garde-contre"];
const TIMES = { petite: 1, garde: 2, "garde-sans": 4, "garde-contre": 6 };
const NEEDED = [56, 51, 41, 36];
const HANDFULS = { 4: { single: 10, double: 13, triple: 15 }, 3: { single: 13, double: 15, triple: 18 } };
const HANDFUL_WORTH = { single: 20, double: 30, triple: 40 };

const isTrump = (card) => card[1] === "A";
const isExcuse = (card) => card === "XE";
const isOudler = (card) => card === "1A" || card === "NA" || isExcuse(card);
const height = (card) => (isTrump(card) ? TRUMPS.length - TRUMPS.indexOf(card[0]) : PLAIN.length - PLAIN.indexOf(card[0]));

function countHalves(card) {
  if (isOudler(card)) return 9;
  return isTrump(card) ? 1 : { R: 9, D: 7, C: 5, V: 3 }[card[0]] || 1;
}

class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

class Tarot {
  constructor(seats, settings) {
    this.seats = seats;
    this.settings = settings;
    this.size = 72 / seats;
    this.dealer = 0;
    this.points = Array(seats).fill(0);
    this.deals = 0;
    this.clear();
  }

  clear() {
    Object.assign(this, {
      phase: "deal", turn: null, leader: null, cutAt: 0, calls: [], declarer: null, bid: null, dog: [], stock: [],
      away: [], slam: false, tricks: [], trick: [], hands: Array.from({ length: this.seats }, () => []),
      handfuls: Array(this.seats).fill(null),
    });
  }

  right(seat) {
    return (seat + 1) % this.seats;
  }

  begin(hands, stock) {
    this.hands = hands.map((hand) => [...hand]);
    this.stock = stock;
    this.phase = "bid";
    this.turn = this.right(this.dealer);
  }

  // What a seat may do now, by act. What is cut and dealt is described, not listed.
  legal(seat) {
    if (this.phase === "deal") {
      if (seat === this.dealer) {
        const packets = Array(6).fill(12 / this.seats);
        return { deal: { deck: { order: this.cutAt ? DECK : DECK }, packets: [packets] } };
      }
      return this.right(seat) === this.dealer && !this.cutAt ? { cut: { min: 1, max: DECK.length - 1 } } : {};
    }
    if (this.phase === "result") return { next: [true] };
    if (seat !== this.turn || this.phase === "over") return {};
    const hand = DECK.filter((card) => this.hands[seat].includes(card));
    if (this.phase === "bid") return { bid: BIDS.filter((bid) => bid === "pass" || BIDS.indexOf(bid) > BIDS.indexOf(this.bid)) };
    if (this.phase === "dog") return { "put-away": this.findPutAway(hand) };
    if (this.phase === "slam") return { slam: [false, true] };
    const acts = { play: this.findPlayable(hand) };
    const kinds = this.findHandfuls(seat);
    if (kinds.length) acts["show-handful"] = kinds;
    return acts;
  }

  findPutAway(hand) {
    const plain = hand.filter((card) => !isTrump(card) && !isExcuse(card) && card[0] !== "R");
    return plain.length ? plain : hand.filter((card) => isTrump(card) && !isOudler(card));
  }

  findHandfuls(seat) {
    if (this.tricks.length || this.handfuls[seat]) return [];
    const trumps = this.hands[seat].filter((card) => isTrump(card) || isExcuse(card)).length;
    return Object.entries(HANDFULS[this.seats]).filter(([, need]) => trumps >= need).map(([kind]) => kind);
  }

  findPlayable(hand) {
    const lying = this.trick.map((one) => one.card).filter((card) => !isExcuse(card));
    if (!lying.length) return hand;
    const led = lying[0][1];
    const best = Math.max(0, ...lying.filter(isTrump).map(height));
    const trumps = hand.filter(isTrump);
    const over = trumps.filter((card) => height(card) > best);
    const mustTrump = over.length ? over : trumps;
    const same = hand.filter((card) => card[1] === led);
    const chosen = led !== "A" && same.length ? same : mustTrump;
    return chosen.length ? hand.filter((card) => chosen.includes(card) || isExcuse(card)) : hand;
  }

  act(seat, name, value) {
    if (name === "cut" && this.phase === "deal" && !this.cutAt && this.right(seat) === this.dealer) {
      this.cutAt = value;
      return;
    }
    if (name === "deal" && this.phase === "deal" && seat === this.dealer) {
      this.deal([...value.deck.slice(this.cutAt), ...value.deck.slice(0, this.cutAt)]);
      return;
    }
    const choices = this.legal(seat)[name];
    if (!choices || !choices.includes(value)) throw new Refused(this.findCode(seat, name, value));
    if (name === "bid") this.doBid(seat, value);
    if (name === "put-away") this.doPutAway(seat, value);
    if (name === "slam") {
      this.slam = value;
      this.phase = "play";
      this.turn = this.leader = value ? seat : this.right(this.dealer);
    }
    if (name === "show-handful") this.handfuls[seat] = value;
    if (name === "play") this.doPlay(seat, value);
    if (name === "next") this.doNext();
  }

  // Why an act is refused. It is only asked about acts that are.
  findCode(seat, name, value) {
    const phases = { bid: "bid", "put-away": "dog", slam: "slam", "show-handful": "play", play: "play", next: "result", cut: "deal", deal: "deal" };
    if (phases[name] !== this.phase) return "window_closed";
    if (seat !== this.turn) return name === "bid" || name === "play" || name === "show-handful" ? "not_your_turn" : "not_your_role";
    if (name === "bid") return "too_low";
    if (name === "show-handful") {
      if (this.tricks.length) return "window_closed";
      return this.handfuls[seat] ? "already_done" : "condition_not_met";
    }
    if (!this.hands[seat].includes(value)) return "not_in_hand";
    if (name === "put-away") return "not_available";
    const lying = this.trick.map((one) => one.card).filter((card) => !isExcuse(card));
    const led = lying[0][1];
    if (value[1] !== led && this.hands[seat].some((card) => card[1] === led)) return "must_follow";
    return isTrump(value) ? "must_beat" : "must_trump";
  }

  deal(deck) {
    const packet = 12 / this.seats;
    const hands = Array.from({ length: this.seats }, () => []);
    let at = 0;
    for (let round = 0; round < 6; round++) {
      for (let k = 1; k <= this.seats; k++) {
        hands[(this.dealer + k) % this.seats].push(...deck.slice(at, at + packet));
        at += packet;
      }
    }
    this.begin(hands, deck.slice(at));
  }

  doBid(seat, value) {
    this.calls.push({ seat, bid: value });
    if (value !== "pass") [this.declarer, this.bid] = [seat, value];
    this.turn = this.right(seat);
    if (this.calls.length < this.seats) return;
    if (this.declarer === null) {
      this.phase = "result";
      this.turn = null;
      return;
    }
    this.turn = this.declarer;
    this.phase = "slam";
    if (this.bid === "petite" || this.bid === "garde") {
      this.phase = "dog";
      this.dog = this.stock;
      this.hands[this.declarer].push(...this.stock);
    }
  }

  doPutAway(seat, card) {
    this.hands[seat] = this.hands[seat].filter((one) => one !== card);
    this.away.push(card);
    if (this.away.length === 6) this.phase = "slam";
  }

  doPlay(seat, card) {
    this.hands[seat] = this.hands[seat].filter((one) => one !== card);
    this.trick.push({ seat, card });
    this.turn = this.right(seat);
    if (this.trick.length < this.seats) return;
    const winner = this.findWinner();
    this.tricks.push({ winner, cards: this.trick });
    this.trick = [];
    this.turn = this.leader = winner;
    if (this.tricks.length === this.size) {
      this.phase = "result";
      this.turn = this.leader = null;
    }
  }

  onSide(seat) {
    return seat === this.declarer;
  }

  findWinner() {
    const [first] = this.trick;
    const isLast = this.tricks.length === this.size - 1;
    const swept = this.tricks.every((one) => this.onSide(one.winner) === this.onSide(first.seat));
    if (isLast && isExcuse(first.card) && swept) return first.seat;
    const others = this.trick.filter((one) => !isExcuse(one.card));
    const led = others[0].card[1];
    const trumps = others.filter((one) => isTrump(one.card));
    const able = trumps.length ? trumps : others.filter((one) => one.card[1] === led);
    return able.reduce((best, one) => (height(one.card) > height(best.card) ? one : best)).seat;
  }

  // The half points and oudlers of the taker.
  count() {
    let halves = this.away.reduce((sum, card) => sum + countHalves(card), 0);
    let oudlers = 0;
    const take = (card) => {
      halves += countHalves(card);
      oudlers += isOudler(card) ? 1 : 0;
    };
    if (this.bid === "garde-sans") this.stock.forEach(take);
    this.tricks.forEach((trick, index) => {
      for (const { seat, card } of trick.cards) {
        if (!isExcuse(card)) {
          if (this.onSide(trick.winner)) take(card);
          continue;
        }
        const isLost = index === this.size - 1 && trick.winner !== seat;
        if (this.onSide(seat) !== isLost) take(card);
        if (!isLost) halves += (this.onSide(trick.winner) ? 1 : 0) - (this.onSide(seat) ? 1 : 0);
      }
    });
    return { halves, oudlers };
  }

  findWorth() {
    const { halves, oudlers } = this.count();
    const over = halves - 2 * NEEDED[oudlers];
    const made = over >= 0;
    const sign = made ? 1 : -1;
    const half = this.settings.half_points === "down" ? Math.floor : Math.ceil;
    let worth = (25 + half(Math.abs(over) / 2)) * TIMES[this.bid] * sign;
    const last = this.tricks[this.tricks.length - 1];
    if (last.cards.some((one) => one.card === "1A")) worth += 10 * TIMES[this.bid] * (this.onSide(last.winner) ? 1 : -1);
    for (const kind of this.handfuls) worth += kind ? HANDFUL_WORTH[kind] * sign : 0;
    const own = this.tricks.filter((one) => this.onSide(one.winner)).length;
    if (own === this.size) worth += this.slam ? 400 : 200;
    else worth -= (this.slam ? 200 : 0) + (own === 0 ? 200 : 0);
    return { halves, oudlers, made, worth };
  }

  findGains() {
    const { worth } = this.findWorth();
    return this.points.map((_, seat) => (this.onSide(seat) ? worth * (this.seats - 1) : -worth));
  }

  doNext() {
    if (this.declarer !== null) {
      const gains = this.findGains();
      this.points = this.points.map((points, seat) => points + gains[seat]);
      this.deals += 1;
    }
    this.dealer = this.right(this.dealer);
    this.clear();
    if (this.deals >= (this.settings.match_deals || 12)) this.phase = "over";
  }

  score() {
    if (this.phase !== "result" || this.declarer === null) return { points: this.points };
    const { halves, oudlers, made } = this.findWorth();
    return { points: this.points, halves, oudlers, made, gains: this.findGains() };
  }

  view(seat) {
    const inOrder = (cards) => DECK.filter((card) => cards.includes(card));
    const seen = {
      phase: this.phase, dealer: this.dealer, hand: inOrder(this.hands[seat]), hands: this.hands.map((hand) => hand.length),
      calls: this.calls, declarer: this.declarer, turn: this.turn, leader: this.leader, trick: this.trick,
      dog: inOrder(this.dog), trumps_away: inOrder(this.away.filter(isTrump)), slam: this.slam, handfuls: this.handfuls,
    };
    return seat === this.declarer ? { ...seen, away: inOrder(this.away) } : seen;
  }
}

const SETTINGS = { last_excuse: "other-side", half_points: process.argv.includes("rounding-down") ? "down" : "up" };
const HELLO = {
  protocol: 1,
  engine: { name: "tarot.js", language: "javascript" },
  plays: [{ game: "tarot", editions: ["house"], setups: ["4", "3"] }],
  readings: { "tarot@house": { ...SETTINGS, match_deals: 12 } },
  can: ["deal", "match", "view", "winner", "score", "codes", "offturn"],
};

function begin(Game, request) {
  const game = new Game(Number(request.setup), { ...SETTINGS, ...request.readings });
  const start = request.start || {};
  if (start.dealer !== undefined) game.dealer = start.dealer;
  if (start.points) game.points = [...start.points];
  if (start.deals) game.deals = start.deals;
  if (start.hands) {
    const hands = Object.keys(start.hands).sort().map((seat) => start.hands[seat]);
    game.begin(hands, start.stock || DECK.filter((card) => !hands.flat().includes(card)));
  } else if (start.deck) game.deal(start.deck);
  return game;
}

function take(game, step) {
  if (step.act) {
    const [[name, value]] = Object.entries(step.act);
    try {
      game.act(step.by, name, value);
      return { ok: true };
    } catch (error) {
      if (error instanceof Refused) return { no: error.code };
      throw error;
    }
  }
  if ("legal" in step) return { legal: game.legal(step.legal) };
  if ("view" in step) return { view: game.view(step.view) };
  if ("score" in step) return { score: game.score() };
  return { winner: game.tricks.length ? game.tricks[game.tricks.length - 1].winner : null };
}

function serve(Game) {
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const request = JSON.parse(line);
    const reply = { id: request.id, ok: true };
    if (request.op === "hello") Object.assign(reply, HELLO);
    if (request.op === "run") {
      const game = begin(Game, request);
      reply.results = request.steps.map((step) => take(game, step));
    }
    process.stdout.write(JSON.stringify(reply) + "\n");
  });
}

module.exports = { Tarot, serve };
if (require.main === module) serve(Tarot);
