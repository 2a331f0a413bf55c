/**
 * Homme d'Auvergne, as restored for 1665, and as far as it is known for 1718
 * and 1725: two to five players, five cards each, a suit turned up for whoever
 * says that he plays. Seats count from 0, each sits at the right of the one
 * before. A card is rank then suit, as in "KH".
 */

import { Unplayable } from "./brou.mjs";

const SUITS = ["S", "H", "D", "C"];
const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7"];
/** Ranks from the weakest to the strongest, in the game and at Piquet. */
const IN_THE_GAME = "789TAJQK";
const AT_PIQUET = "789TJQKA";
const PACKETS = [[3, 2], [2, 3]];
const TRICKS = 5;
/** The first turn-up and three rejouissances. */
const TURNS = 4;

const suitOf = (card) => card[1];
const kingOf = (suit) => `K${suit}`;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A partie. An act is an object with one key; refused ones change nothing. */
export class Auvergne1665 {
  static game = "homme-d-auvergne";
  static edition = "1665";
  static setups = ["2", "3", "4", "5"];
  static withoutSevens = ["2", "3"];
  static usual = {
    draw_order: "game-order",
    show_before_call: "until-own-call",
    capture_end: "at-once",
    simultaneous_target: "all-win",
    debt: "negative-integer",
    target: 5,
  };
  static values = {
    draw_order: ["game-order", "piquet-order"],
    show_before_call: ["until-own-call", "until-next-word"],
    capture_end: ["at-once", "end-of-deal"],
    simultaneous_target: ["all-win", "higher-score", "playing-order", "play-on"],
    debt: ["negative-integer", "single"],
  };

  /** All readings, those given and the usual ones. */
  static follow(readings = {}) {
    const followed = { ...this.usual, ...readings };
    for (const [key, value] of Object.entries(followed)) {
      const known = this.values[key] ?? [key in this.usual && Number.isInteger(value) ? value : null];
      if (!known.includes(value)) throw new Unplayable(`${key}=${value} is not followed`);
    }
    return followed;
  }

  constructor(readings = {}, start = {}, setup = "2") {
    this.readings = this.constructor.follow(readings);
    this.seats = Number(setup);
    const ranks = this.constructor.withoutSevens.includes(setup) ? RANKS.slice(0, -1) : RANKS;
    this.pack = SUITS.flatMap((suit) => ranks.map((rank) => rank + suit));
    this.accounts = [...(start.accounts ?? this.round(0).map(() => 0))];
    this.dealer = start.dealer ?? null;
    this.phase = this.dealer === null ? "draw" : "deal";
    this.winners = [];
    this.newDraw(this.round(0));
    this.clear();
  }

  right(seat) {
    return (seat + 1) % this.seats;
  }

  /** All seats from one on. */
  round(from) {
    return Array.from({ length: this.seats }, (_, step) => (from + step) % this.seats);
  }

  newDraw(seats) {
    this.drawing = seats;
    this.drawn = new Map();
  }

  /** Nothing of a deal is left. */
  clear() {
    this.cutAt = 0;
    this.hands = this.round(0).map(() => []);
    this.stock = [];
    this.turned = [];
    this.counted = [];
    this.man = null;
    this.trump = null;
    this.word = null;
    this.answered = 0;
    this.lately = null;
    this.leader = null;
    this.trick = [];
    this.takers = [];
    this.before = [...this.accounts];
    this.points = this.accounts.map(() => 0);
    this.result = null;
    this.gainers = [];
  }

  get first() {
    return this.right(this.dealer);
  }

  get turn() {
    if (this.phase === "play") return (this.leader + this.trick.length) % this.seats;
    return this.phase === "offer" || this.phase === "speak" ? this.word : null;
  }

  get lastWinner() {
    return this.takers.at(-1) ?? null;
  }

  get lastTurned() {
    return this.turned.at(-1) ?? null;
  }

  get over() {
    return this.phase === "over";
  }

  /** Whether the first card of the deal is still to be played. */
  get unplayed() {
    return this.phase === "play" && this.takers.length === 0 && this.trick.length === 0;
  }

  // Acts ------------------------------------------------------------------------

  act(seat, act) {
    const [[name, value], ...more] = Object.entries(act);
    const offers = this.offers(seat);
    if (more.length || !Object.hasOwn(offers, name) || !this.offered(name, offers[name], value)) return false;
    if (name === "turn") this.takeOffer(seat, value);
    else this[name](seat, value);
    return true;
  }

  legal(seat) {
    return Object.fromEntries(
      Object.entries(this.offers(seat)).filter(([, choices]) => !Array.isArray(choices) || choices.length),
    );
  }

  offers(seat) {
    const asked = seat === this.turn;
    switch (this.phase) {
      case "draw": {
        const taken = [...this.drawn.values()];
        const draws = this.drawing.includes(seat) && !this.drawn.has(seat);
        return { draw: draws ? this.pack.filter((card) => !taken.includes(card)) : [] };
      }
      case "deal":
        return {
          ...(this.right(seat) === this.dealer && !this.cutAt ? { cut: { min: 1, max: this.pack.length - 1 } } : {}),
          ...(seat === this.dealer ? { deal: { deck: { order: this.pack }, packets: PACKETS } } : {}),
        };
      case "offer":
        return { turn: asked ? [true, false] : [], show: this.kings(seat) };
      case "speak":
        return { say: asked ? ["play", "pass"] : [], show: this.kings(seat) };
      case "play":
        return { play: asked ? this.playable(seat) : [], show: this.kings(seat) };
      case "result":
        return { next: [true], show: this.kings(seat) };
      default:
        return {};
    }
  }

  offered(name, choices, value) {
    if (name === "deal") return isObject(value) && this.isDeal(value);
    if (name === "cut") return Number.isInteger(value) && value >= choices.min && value <= choices.max;
    return choices.includes(value);
  }

  isDeal({ deck, packets }) {
    const whole = Array.isArray(deck) && deck.length === this.pack.length && this.pack.every((card) => deck.includes(card));
    return whole && PACKETS.some((known) => alike(known, packets));
  }

  /** The cards that may be played: of the suit led, else trumps, else any. */
  playable(seat) {
    const hand = this.hands[seat];
    if (!this.trick.length) return hand;
    const of = (suit) => hand.filter((card) => suitOf(card) === suit);
    const [following, trumps] = [of(suitOf(this.trick[0].card)), of(this.trump)];
    return [following, trumps].find((cards) => cards.length) ?? hand;
  }

  /** The king that a seat may show now, if it holds it. */
  kings(seat) {
    if (!this.lastTurned || !this.inTime(seat)) return [];
    const king = kingOf(suitOf(this.lastTurned.card));
    const open = this.hands[seat].includes(king) && !this.counted.some(({ card }) => card === king);
    return open ? [king] : [];
  }

  inTime(seat) {
    const late = this.readings.show_before_call === "until-next-word" && seat === this.lately;
    if (late) return this.phase !== "play" || this.unplayed;
    if (this.phase === "speak") return seat === this.word;
    return this.unplayed && this.waiting.includes(seat);
  }

  /** The seats that were never called on in the round in which somebody said that he plays. */
  get waiting() {
    return this.round(this.first).slice(this.answered);
  }

  // Drawing and dealing ----------------------------------------------------------

  draw(seat, card) {
    this.drawn.set(seat, card);
    if (this.drawn.size < this.drawing.length) return;
    const order = this.readings.draw_order === "game-order" ? IN_THE_GAME : AT_PIQUET;
    const height = (one) => order.indexOf(this.drawn.get(one)[0]);
    const highest = Math.max(...this.drawing.map(height));
    const tied = this.drawing.filter((one) => height(one) === highest);
    this.newDraw(tied);
    if (tied.length === 1) [this.dealer, this.phase] = [tied[0], "deal"];
  }

  cut(seat, count) {
    this.cutAt = count;
  }

  deal(seat, { deck, packets }) {
    const cards = [...deck.slice(this.cutAt), ...deck.slice(0, this.cutAt)];
    this.before = [...this.accounts];
    for (const packet of packets) {
      for (const player of this.round(this.first)) this.hands[player].push(...cards.splice(0, packet));
    }
    this.stock = cards;
    this.beginOffer();
  }

  // Choosing the suit -------------------------------------------------------------

  beginOffer() {
    this.phase = "offer";
    this.word = this.first;
    this.answered = 0;
  }

  /** The number of refusals after which nobody is left to ask. */
  get asked() {
    return this.seats;
  }

  /** Called `turn` on the wire, where it is also the name of who is to act. */
  takeOffer(seat, wanted) {
    this.lately = null;
    if (wanted) {
      const card = this.stock.shift();
      this.turned.push({ seat, card });
      [this.phase, this.word, this.answered] = ["speak", this.first, 0];
      if (card === kingOf(suitOf(card))) this.gain(seat, [card], false);
      return;
    }
    this.answered += 1;
    if (this.answered === this.asked) this.finish("void", []);
    else this.word = this.right(this.word);
  }

  say(seat, word) {
    this.answered += 1;
    this.lately = seat;
    if (word === "play") {
      [this.man, this.trump, this.leader] = [seat, suitOf(this.lastTurned.card), this.first];
      this.phase = "play";
    } else if (this.answered < this.seats) this.word = this.right(this.word);
    else if (this.turned.length < TURNS) this.beginOffer();
    else this.finish("void", []);
  }

  show(seat, card) {
    this.gain(seat, this.countedWith(seat, card), true);
  }

  /** The kings that are counted when one is shown. */
  countedWith(seat, card) {
    return [card];
  }

  gain(seat, kings, fromHand) {
    if (fromHand) this.counted.push(...kings.map((card) => ({ seat, card })));
    this.accounts[seat] += kings.length;
    this.points[seat] += kings.length;
    this.judge("king");
  }

  // Playing -----------------------------------------------------------------------

  play(seat, card) {
    this.lately = null;
    this.hands[seat] = this.hands[seat].filter((held) => held !== card);
    this.trick.push({ seat, card });
    if (this.trick.length === this.seats) this.take();
  }

  take() {
    const force = ({ card }) =>
      (suitOf(card) === this.trump ? 200 : suitOf(card) === suitOf(this.trick[0].card) ? 100 : 0) +
      this.strength(card);
    const winner = this.trick.reduce((best, play) => (force(play) > force(best) ? play : best)).seat;
    const lost = this.trick.flatMap(({ seat, card }) =>
      seat !== winner && this.isCounted(seat, card) ? [{ seat, card }] : [],
    );
    for (const { seat } of lost) {
      for (const [one, by] of [[seat, -1], [winner, 1]]) {
        this.accounts[one] += by;
        this.points[one] += by;
      }
    }
    this.trick = [];
    this.takers.push(winner);
    this.leader = winner;
    const ended = lost.length && this.readings.capture_end === "at-once" && this.judge("capture");
    if (!ended && this.takers.length === TRICKS) this.settle();
  }

  strength(card) {
    return IN_THE_GAME.indexOf(card[0]);
  }

  /** Whether a card is a king that a seat has shown. */
  isCounted(seat, card) {
    return this.counted.some((king) => king.card === card && king.seat === seat);
  }

  /** Whether a seat has more tricks than every other, or as many and had them first. */
  isFirst(seat) {
    const tricks = (one) => this.takers.filter((taker) => taker === one).length;
    const reached = (one) => this.takers.lastIndexOf(one);
    return this.round(0).every(
      (other) =>
        other === seat ||
        tricks(other) < tricks(seat) ||
        (tricks(other) === tricks(seat) && reached(other) > reached(seat)),
    );
  }

  settle() {
    const most = Math.max(...this.round(0).filter((one) => one !== this.man).map((one) => this.takers.filter((taker) => taker === one).length));
    const own = this.takers.filter((taker) => taker === this.man).length;
    if (this.isFirst(this.man)) {
      this.accounts[this.man] += 1;
      this.finish(own > most ? "won-more" : "won-first", [this.man]);
    } else {
      const loss = this.accounts[this.man] - 1;
      this.accounts[this.man] =
        this.readings.debt === "single" ? Math.min(this.accounts[this.man], Math.max(loss, -1)) : loss;
      const gainers = this.gainersOfALoss().sort((one, other) => one - other);
      for (const one of gainers) this.accounts[one] += 1;
      this.finish("lost", gainers);
    }
    this.judge(this.result);
  }

  /** Who gains when the man loses. */
  gainersOfALoss() {
    return this.round(0).filter((seat) => seat !== this.man);
  }

  finish(result, gainers) {
    [this.phase, this.result, this.gainers] = ["result", result, gainers];
    this.leader = null;
    this.trick = [];
  }

  /** Look whether somebody has won the partie; if so, nothing more is played. */
  judge(result) {
    const reached = this.round(0).filter((seat) => this.accounts[seat] >= this.readings.target);
    this.winners = this.chosen(reached);
    if (this.winners.length) this.finish(result, result === this.result ? this.gainers : []);
    return this.winners.length > 0;
  }

  chosen(reached) {
    if (reached.length < 2 && this.readings.simultaneous_target !== "higher-score") return reached;
    const highest = Math.max(...reached.map((seat) => this.accounts[seat]));
    const ahead = reached.filter((seat) => this.accounts[seat] === highest);
    switch (this.readings.simultaneous_target) {
      case "all-win":
        return reached;
      case "higher-score":
        return ahead.length === 1 ? ahead : [];
      case "playing-order":
        return [this.round(this.first).find((seat) => reached.includes(seat))];
      default:
        return [];
    }
  }

  /** Who deals after a deal. */
  get nextDealer() {
    return this.right(this.dealer);
  }

  next() {
    this.dealer = this.nextDealer;
    this.phase = this.winners.length ? "over" : "deal";
    this.clear();
  }

  // What is seen --------------------------------------------------------------------

  view(seat) {
    const last = this.lastTurned;
    return {
      phase: this.phase,
      dealer: this.dealer,
      turn: this.turn,
      leader: this.phase === "play" ? this.leader : null,
      man: this.man,
      trump: this.trump,
      turnup: last && { card: last.card, exposed: true },
      turned: [...this.turned],
      shown: SUITS.flatMap((suit) => this.counted.filter(({ card }) => suitOf(card) === suit)),
      hand: this.pack.filter((card) => this.hands[seat].includes(card)),
      trick: [...this.trick],
      accounts: [...this.accounts],
      hands: this.hands.map((hand) => hand.length),
      stock: this.stock.length,
      won: this.round(0).map((one) => this.takers.filter((taker) => taker === one).length),
      takers: [...this.takers],
    };
  }

  score() {
    return {
      before: [...this.before],
      accounts: [...this.accounts],
      points: [...this.points],
      result: this.result,
      winners: [...this.gainers],
      over: [...this.winners],
    };
  }

  /** Deal as the dealer does. */
  dealOut(deck, packets = PACKETS[0]) {
    if (!this.act(this.dealer, { deal: { deck, packets } })) throw new Unplayable("this is no way to deal this game");
  }
}

/** 1718: every king beside the right one counts, and one opponent gains where the man loses. */
export class Auvergne1718 extends Auvergne1665 {
  static edition = "1718";
  static setups = ["2", "3", "4"];
  static usual = { ...Auvergne1665.usual, target: 7 };

  countedWith(seat, card) {
    const others = this.hands[seat].filter(
      (held) => held === kingOf(suitOf(held)) && held !== card && !this.counted.some((king) => king.card === held),
    );
    return [card, ...others];
  }

  gainersOfALoss() {
    return this.round(0).filter((seat) => this.isFirst(seat));
  }
}

/** 1725: as 1718, but only the dealer turns, and nobody takes the sevens out. */
export class Auvergne1725 extends Auvergne1718 {
  static edition = "1725";
  static setups = ["2", "3", "4", "5"];
  static withoutSevens = [];

  get asked() {
    return 1;
  }

  beginOffer() {
    super.beginOffer();
    this.word = this.dealer;
  }
}
