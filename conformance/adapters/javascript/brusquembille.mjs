/**
 * Brusquembille (1718): two to five players, each for himself, or two against
 * two with partners side by side; for tokens, or for points alone. Seats count
 * from 0, each seat sits at the right of the one before. A side is whoever
 * wins and loses together. A card is rank then suit, as in "KH".
 */

import { Unplayable } from "./brou.mjs";

const SUITS = ["S", "H", "D", "C"];
const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7"];
/** Ranks from the weakest to the strongest, at play and at the draw. */
const AT_PLAY = "789JQKTA";
const AT_THE_DRAW = "789TJQKA";
const POINTS = { A: 11, T: 10, K: 4, Q: 3, J: 2, 9: 0, 8: 0, 7: 0 };
/** What a brusquembille is worth when it is paid. */
const PAID = { A: 2, T: 1 };
const FICHE = 20;
const HAND = 3;
const COLOURS = { black: ["7S", "7C"], red: ["7H", "7D"] };

/** How many sit down, with how many sevens, and who plays with whom. */
const TABLES = {
  2: { seats: 2, sides: [[0], [1]], whole: true, pays: false },
  3: { seats: 3, sides: [[0], [1], [2]], whole: false, pays: true },
  4: { seats: 4, sides: [[0], [1], [2], [3]], whole: true, pays: true },
  "4-partners": { seats: 4, sides: [[0, 1], [2, 3]], whole: true, pays: false },
  5: { seats: 5, sides: [[0], [1], [2], [3], [4]], whole: false, pays: true },
};
const FOR_POINTS = "-points";

const rankOf = (card) => card[0];
const suitOf = (card) => card[1];
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A whole match. An act is an object with one key; refused ones change nothing. */
export class Brusquembille {
  static game = "brusquembille";
  static edition = "1718";
  static setups = ["3", "2", "4", "4-partners", "5"].flatMap((name) => [name, `${name}${FOR_POINTS}`]);

  static usual = {
    removed_sevens: "black",
    tie_n: "equal-shares",
    tour_length: "one-deal-per-dealer",
    partners_stake: "each-player",
    points_end: "highest-at-coup-end",
    tours: 2,
    points_target: 300,
  };

  static values = {
    removed_sevens: ["black", "red"],
    tie_n: ["equal-shares", "carry", "replay"],
    tour_length: ["one-deal-per-dealer", "one-deal-per-player", "three"],
    partners_stake: ["each-player", "each-team"],
    points_end: ["highest-at-coup-end", "counting-order"],
  };

  /** All readings, those given and the usual ones. */
  static follow(readings = {}) {
    const followed = { ...this.usual, ...readings };
    for (const [key, value] of Object.entries(followed)) {
      const known = this.values[key] ?? [Number.isInteger(value) && value > 0 && key in this.usual ? value : null];
      if (!known.includes(value)) throw new Unplayable(`${key}=${value} is not followed`);
    }
    return followed;
  }

  constructor(readings = {}, start = {}, setup = "3") {
    this.readings = this.constructor.follow(readings);
    this.forPoints = setup.endsWith(FOR_POINTS);
    this.table = TABLES[this.forPoints ? setup.slice(0, -FOR_POINTS.length) : setup];
    this.seats = this.table.seats;
    this.sides = this.table.sides;
    const out = this.table.whole ? [] : COLOURS[this.readings.removed_sevens];
    this.pack = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)).filter((card) => !out.includes(card));
    this.gains = [...(start.gains ?? this.sides.map(() => 0))];
    this.pot = start.pot ?? 0;
    this.coups = start.coups ?? 0;
    this.dealer = start.dealer ?? null;
    this.phase = this.dealer === null ? "draw" : "deal";
    this.winner = null;
    this.replayed = false;
    this.newDraw(this.drawers());
    this.clear();
  }

  // Who sits where ---------------------------------------------------------------

  right(seat) {
    return (seat + 1) % this.seats;
  }

  sideOf(seat) {
    return this.sides.findIndex((side) => side.includes(seat));
  }

  get partners() {
    return this.sides.length < this.seats;
  }

  /** Who draws for the deal: everybody, or the rightmost of each side. */
  drawers() {
    return this.sides.map((side) => side.at(-1));
  }

  /** The players from the dealer's right on. */
  round(from) {
    return Array.from({ length: this.seats }, (_, step) => (from + step) % this.seats);
  }

  // The state between coups --------------------------------------------------------

  newDraw(seats) {
    this.drawing = seats;
    this.drawn = new Map();
  }

  clear() {
    this.cutAt = 0;
    this.hands = this.round(0).map(() => []);
    this.stock = [];
    this.turnup = null;
    this.trump = null;
    this.trick = [];
    this.leader = null;
    this.won = this.sides.map(() => 0);
    this.points = this.sides.map(() => 0);
    this.lastWinner = null;
    this.result = null;
    this.winners = [];
    this.worth = 0;
    this.before = [...this.accounts];
  }

  get turn() {
    return this.phase === "play" ? (this.leader + this.trick.length) % this.seats : null;
  }

  /** The coups of a whole partie. */
  get coupsInAll() {
    const { tours, tour_length: length } = this.readings;
    const dealers = this.partners && length === "one-deal-per-dealer" ? this.sides.length : this.seats;
    return tours * (length === "three" ? 3 : dealers);
  }

  /** What a side brings: for each player a fiche a coup, and one more in jetons. */
  cave(side) {
    return this.forPoints ? 0 : this.sides[side].length * FICHE * (this.coupsInAll + 1);
  }

  get accounts() {
    return this.gains.map((gain, side) => gain + this.cave(side));
  }

  // Acts ------------------------------------------------------------------------

  act(seat, act) {
    const [[name, value], ...more] = Object.entries(act);
    const offers = this.offers(seat);
    if (more.length || !Object.hasOwn(offers, name) || !this.offered(name, offers[name], value)) return false;
    this[name](seat, value);
    return true;
  }

  legal(seat) {
    return Object.fromEntries(
      Object.entries(this.offers(seat)).filter(([, choices]) => !Array.isArray(choices) || choices.length),
    );
  }

  offers(seat) {
    switch (this.phase) {
      case "draw": {
        const taken = [...this.drawn.values()];
        const draws = this.drawing.includes(seat) && !this.drawn.has(seat);
        return { draw: draws ? this.pack.filter((card) => !taken.includes(card)) : [] };
      }
      case "deal":
        return {
          ...(this.right(seat) === this.dealer && !this.cutAt ? { cut: { min: 1, max: this.pack.length - 1 } } : {}),
          ...(seat === this.dealer ? { deal: { deck: { order: this.pack }, packets: [[1, 1, 1]] } } : {}),
        };
      case "play":
        return { play: seat === this.turn ? this.playable(seat) : [] };
      case "result":
        return { next: [true] };
      default:
        return {};
    }
  }

  /** The cards of the hand that may be played: all of them. */
  playable(seat) {
    return this.hands[seat];
  }

  offered(name, choices, value) {
    if (name === "deal") return isObject(value) && this.isDeal(value);
    if (name === "cut") return Number.isInteger(value) && value >= choices.min && value <= choices.max;
    return choices.includes(value);
  }

  isDeal({ deck, packets }) {
    const whole = Array.isArray(deck) && deck.length === this.pack.length && this.pack.every((card) => deck.includes(card));
    return whole && alike(packets, [1, 1, 1]);
  }

  draw(seat, card) {
    this.drawn.set(seat, card);
    if (this.drawn.size < this.drawing.length) return;
    const height = (one) => AT_THE_DRAW.indexOf(rankOf(this.drawn.get(one)));
    const highest = Math.max(...this.drawing.map(height));
    const tied = this.drawing.filter((one) => height(one) === highest);
    this.newDraw(tied);
    if (tied.length === 1) [this.dealer, this.phase] = [tied[0], "deal"];
  }

  cut(seat, count) {
    this.cutAt = count;
  }

  deal(seat, { deck }) {
    const cards = [...deck.slice(this.cutAt), ...deck.slice(0, this.cutAt)];
    this.before = [...this.accounts];
    for (let packet = 0; packet < HAND; packet += 1) {
      for (const player of this.round(this.right(this.dealer))) this.hands[player].push(cards.shift());
    }
    this.turnup = cards.shift();
    this.trump = suitOf(this.turnup);
    this.stock = this.pile(cards);
    this.leader = this.right(this.dealer);
    if (!this.forPoints && !this.replayed) this.stake();
    this.replayed = false;
    this.phase = "play";
  }

  /** The cards that are left, the turn-up under them. */
  pile(cards) {
    return [...cards, this.turnup];
  }

  stake() {
    this.sides.forEach((side, number) => {
      const put = FICHE * (this.readings.partners_stake === "each-player" ? side.length : 1);
      this.gains[number] -= put;
      this.pot += put;
    });
  }

  play(seat, card) {
    this.hands[seat] = this.hands[seat].filter((held) => held !== card);
    this.trick.push({ seat, card });
    if (this.trick.length === this.seats) this.take();
  }

  /** The trick is complete: it is won, brusquembilles are paid, and everybody draws. */
  take() {
    const force = ({ card }) =>
      (suitOf(card) === this.trump ? 200 : suitOf(card) === suitOf(this.trick[0].card) ? 100 : 0) +
      this.strength(card);
    const winner = this.trick.reduce((best, play) => (force(play) > force(best) ? play : best)).seat;
    const side = this.sideOf(winner);
    this.won[side] += 1;
    this.points[side] += sum(this.trick.map(({ card }) => POINTS[rankOf(card)]));
    if (this.table.pays && !this.forPoints) this.payBrusquembilles(winner);
    this.trick = [];
    this.leader = this.lastWinner = winner;
    for (const player of this.drawingOrder(winner)) {
      if (this.stock.length) this.hands[player].push(this.stock.shift());
    }
    if (this.hands.every((hand) => !hand.length)) this.count();
  }

  strength(card) {
    return AT_PLAY.indexOf(rankOf(card));
  }

  /** Who draws after a trick, one after the other. */
  drawingOrder(winner) {
    return this.round(winner);
  }

  payBrusquembilles(winner) {
    for (const { seat, card } of this.trick) {
      const value = PAID[rankOf(card)] ?? 0;
      const gain = seat === winner ? value : -value;
      for (const other of this.round(0)) {
        if (other === seat) continue;
        this.gains[this.sideOf(seat)] += gain;
        this.gains[this.sideOf(other)] -= gain;
      }
    }
  }

  // Counting --------------------------------------------------------------------

  count() {
    this.phase = "result";
    const most = Math.max(...this.points);
    this.winners = this.first(this.sides.flatMap((_, side) => (this.points[side] === most ? [side] : [])));
    if (this.forPoints) {
      this.result = "counted";
      this.points.forEach((points, side) => (this.gains[side] += points));
      return;
    }
    const manner = this.winners.length > 2 ? this.readings.tie_n : "equal-shares";
    if (manner !== "equal-shares") {
      this.result = { carry: "carried", replay: "replayed" }[manner];
      return;
    }
    this.result = this.winners.length > 1 ? "shared" : "won";
    this.worth = Math.floor(this.pot / this.winners.length);
    for (const side of this.winners) this.gains[side] += this.worth;
    this.pot -= this.worth * this.winners.length;
  }

  /** Of the sides with most points, those who win: all of them. */
  first(sides) {
    return sides;
  }

  /** Who deals after a dealer. */
  dealerAfter(seat) {
    return this.partners ? this.right(this.right(seat)) : this.right(seat);
  }

  next() {
    const replay = this.result === "replayed";
    this.champion = this.forPoints ? this.pointsWinner() : null;
    if (!replay) {
      this.coups += 1;
      this.dealer = this.dealerAfter(this.dealer);
    }
    const ended = this.forPoints ? this.champion !== null : this.coups >= this.coupsInAll;
    this.phase = ended ? "over" : "deal";
    this.replayed = replay;
    this.clear();
  }

  /** The side that has reached the agreed points, as far as there is one now. */
  pointsWinner() {
    const reached = (side) => this.gains[side] >= this.readings.points_target;
    if (this.readings.points_end === "counting-order") {
      const order = this.round(this.right(this.dealer)).map((seat) => this.sideOf(seat));
      return order.find(reached) ?? null;
    }
    const highest = Math.max(...this.gains);
    const first = this.sides.flatMap((_, side) => (this.gains[side] === highest ? [side] : []));
    return first.length === 1 && reached(first[0]) ? first[0] : null;
  }

  // What is seen -----------------------------------------------------------------

  view(seat) {
    const turnup = this.turnup && { card: this.turnup, exposed: this.stock.length > 0 };
    const shown = (hand) => this.pack.filter((card) => hand.includes(card));
    const mates = this.sides[this.sideOf(seat)].filter((other) => other !== seat);
    return {
      phase: this.phase,
      dealer: this.dealer,
      turn: this.turn,
      leader: this.phase === "play" ? this.leader : null,
      trump: this.trump,
      turnup,
      hand: shown(this.hands[seat]),
      hands: this.hands.map((hand) => hand.length),
      ...(this.partners ? { partners: mates.map((mate) => ({ seat: mate, hand: shown(this.hands[mate]) })) } : {}),
      trick: [...this.trick],
      won: [...this.won],
      stock: this.stock.length,
      accounts: this.accounts,
      pot: this.pot,
      coups: this.coups,
    };
  }

  score() {
    const running = this.phase === "play" || this.phase === "result";
    const over = this.phase === "over";
    const ranks = this.gains.map((gain) => 1 + this.gains.filter((other) => other > gain).length);
    const ahead = ranks.flatMap((rank, side) => (rank === 1 ? [side] : []));
    const first = this.forPoints ? this.champion : ahead.length === 1 ? ahead[0] : null;
    return {
      before: running ? this.before : this.accounts,
      accounts: this.accounts,
      gains: [...this.gains],
      points: [...this.points],
      pot: this.pot,
      coups: this.coups,
      result: this.result,
      winners: this.winners,
      worth: this.worth,
      ranking: over && !this.forPoints ? ranks : [],
      over: over ? first : null,
    };
  }

  // For the adapter ----------------------------------------------------------------

  /** Deal as the dealer does. */
  dealOut(deck, packets = [1, 1, 1]) {
    if (!this.act(this.dealer, { deal: { deck, packets } })) throw new Unplayable("this is no way to deal this game");
  }
}
