/**
 * Danish L'Hombre: one player, the hombre, against two; with four at the table
 * one sits out each deal. Seats count from 0, each sits at the right of the one
 * before. A card is rank then suit, as in "KH"; spadille is AS, basta AC.
 */

import { Unplayable } from "./brou.mjs";

const SUITS = ["S", "H", "D", "C"];
const RANKS = ["A", "K", "Q", "J", "7", "6", "5", "4", "3", "2"];
const PACK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const SPADILLE = "AS";
const BASTA = "AC";
const BLACK_ACES = [SPADILLE, BASTA];
const PACKETS = [3, 3, 3];
const TRICKS = 9;
const VOLE_TRICKS = 5;
const DEALS = { 3: 30, 4: 40 };

/** Plain suits and trumps from the strongest to the weakest; in nolo there are no trumps. */
const ORDER = {
  red: "KQJA234567",
  black: "KQJ765432",
  redNolo: "KQJA234567",
  blackNolo: "KQJ765432A",
  redTrump: "AKQJ23456",
  blackTrump: "KQJ76543",
};

/** Rank in the auction, gain and loss; whether cards are exchanged first, and whether tricks are shunned. */
const CONTRACTS = {
  demande: { rank: 0, c: 1, d: 2, buys: true },
  "demande-a-pique": { rank: 1, c: 1, d: 2, buys: true },
  tourne: { rank: 2, c: 2, d: 3, buys: true, turned: true },
  "nolo-en-demande": { rank: 2, c: 2, d: 3, buys: true, nolo: true },
  "grand-tourne": { rank: 3, c: 3, d: 4, buys: true, turned: true },
  "sans-prendre": { rank: 4, c: 3, d: 4 },
  "sans-prendre-a-pique": { rank: 5, c: 4, d: 5 },
  "pur-nolo": { rank: 5, c: 4, d: 5, nolo: true },
  "nolo-ouvert": { rank: 6, c: 6, d: 7, nolo: true },
};
const VOLE = 1;
/** What may still be chosen after these bids. */
const CHOICES = {
  demande: ["demande", "demande-a-pique", "tourne", "nolo-en-demande"],
  "sans-prendre": ["sans-prendre", "sans-prendre-a-pique"],
};
const IN_SPADES = ["demande-a-pique", "sans-prendre-a-pique"];

const suitOf = (card) => card[1];
const isRed = (suit) => suit === "H" || suit === "D";
const inOrder = (cards) => PACK.filter((card) => cards.includes(card));
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A match. An act is an object with one key; refused ones change nothing. */
export class Hombre {
  static game = "hombre";
  static edition = "danish";
  static setups = ["3", "4"];
  static values = {
    contract_points: ["union-table", "symbolic-only"],
    demande_spades: ["allowed", "becomes-demande-a-pique", "forbidden"],
    score_contract: ["as-chosen", "as-bid"],
    late_fifth_trick: ["no-engagement", "engages"],
    grand_tourne_bid_without_aces: ["illegal", "allowed-as-bid"],
    open_nolo_exposure: ["before-first-lead", "after-first-card", "after-first-trick"],
  };
  static usual = Object.fromEntries(Object.entries(this.values).map(([key, [first]]) => [key, first]));

  /** All readings, those given and the usual ones. */
  static follow(readings = {}) {
    const followed = { ...this.usual, ...readings };
    for (const [key, value] of Object.entries(followed)) {
      if (!this.values[key]?.includes(value)) throw new Unplayable(`${key}=${value} is not followed`);
    }
    return followed;
  }

  constructor(readings = {}, start = {}, setup = "3") {
    this.readings = this.constructor.follow(readings);
    this.seats = Number(setup);
    this.deals = start.deals ?? 0;
    this.accounts = [...(start.accounts ?? this.all().map(() => 0))];
    this.dealer = start.dealer ?? null;
    this.phase = this.dealer === null ? "draw" : "deal";
    this.drawn = this.all().map(() => null);
    this.clear();
  }

  all() {
    return Array.from({ length: this.seats }, (_, seat) => seat);
  }

  // Seats -----------------------------------------------------------------------

  get out() {
    return this.seats === 4 && this.dealer !== null ? (this.dealer + 2) % 4 : null;
  }

  /** The next seat that is in the deal. */
  rightOf(seat) {
    const right = (seat + 1) % this.seats;
    return right === this.out ? (right + 1) % this.seats : right;
  }

  /** First in hand, second, and the dealer. */
  get order() {
    const first = this.rightOf(this.dealer);
    return [first, this.rightOf(first), this.dealer];
  }

  clear() {
    this.cutAt = 0;
    this.hands = this.all().map(() => []);
    this.stock = [];
    this.calls = [];
    this.man = this.bidWon = this.contract = this.trump = this.turnup = null;
    this.turnupDrawn = false;
    this.discarded = this.all().map(() => null);
    this.toDiscard = [];
    this.shownAces = [];
    this.exposed = false;
    this.trick = [];
    this.tricks = [];
    this.manPlayed = false;
    this.vole = false;
    this.asked = null;
    this.leader = null;
    this.result = null;
    this.volePlayed = null;
    this.points = this.all().map(() => 0);
  }

  get turn() {
    if (this.phase === "play") return this.trick.length ? this.rightOf(this.trick.at(-1).seat) : this.leader;
    return ["bid", "choose", "declare", "show", "turn", "discard"].includes(this.phase) ? this.asked : null;
  }

  get lastWinner() {
    return this.tricks.at(-1)?.winner ?? null;
  }

  get terms() {
    return CONTRACTS[this.contract] ?? {};
  }

  won(seat) {
    return this.tricks.filter(({ winner }) => winner === seat).length;
  }

  // Acts ------------------------------------------------------------------------

  act(seat, act) {
    const [[name, value], ...more] = Object.entries(act);
    const offers = this.offers(seat);
    if (more.length || !Object.hasOwn(offers, name) || !this.offered(name, offers[name], value)) return false;
    this.acts[name](seat, value);
    return true;
  }

  legal(seat) {
    return Object.fromEntries(
      Object.entries(this.offers(seat)).filter(([, choices]) => !Array.isArray(choices) || choices.length),
    );
  }

  acts = {
    draw: (seat, card) => this.draw(seat, card),
    cut: (seat, count) => (this.cutAt = count),
    deal: (seat, deal) => this.deal(deal),
    bid: (seat, bid) => this.bid(seat, bid),
    choose: (seat, contract) => this.choose(contract),
    declare: (seat, suit) => this.declare(suit),
    show: (seat, card) => this.show(card),
    turn: () => this.turnUp(),
    discard: (seat, cards) => this.discard(seat, cards),
    play: (seat, card) => this.play(seat, card),
    surrender: () => this.finish("surrendered"),
    rest: () => this.finish("won"),
    next: () => this.writeDown(),
  };

  offers(seat) {
    const asked = seat === this.turn;
    const surrender = this.maySurrender(seat) ? [true] : [];
    switch (this.phase) {
      case "draw":
        return { draw: this.drawable(seat) };
      case "deal":
        return {
          ...((seat + 1) % this.seats === this.dealer && !this.cutAt ? { cut: { min: 1, max: PACK.length - 1 } } : {}),
          ...(seat === this.dealer ? { deal: { deck: { order: PACK }, packets: [PACKETS] } } : {}),
        };
      case "bid":
        return { bid: asked ? this.bids(seat) : [] };
      case "choose":
        return { choose: asked ? CHOICES[this.bidWon] : [] };
      case "declare":
        return { declare: asked ? this.trumpsOpen() : [] };
      case "show":
        return { show: asked ? BLACK_ACES.filter((ace) => !this.shownAces.includes(ace)) : [] };
      case "turn":
        return { turn: asked ? [true] : [] };
      case "discard":
        return { ...(asked ? { discard: this.discardable(seat) } : {}), surrender };
      case "play":
        return { play: asked ? this.playable(seat) : [], surrender, rest: this.mayRest(seat) ? [true] : [] };
      case "result":
        return { next: [true] };
      default:
        return {};
    }
  }

  offered(name, choices, value) {
    if (name === "deal") {
      const { deck, packets } = isObject(value) ? value : {};
      const whole = Array.isArray(deck) && deck.length === PACK.length && PACK.every((card) => deck.includes(card));
      return whole && alike(packets, PACKETS);
    }
    if (name === "cut") return Number.isInteger(value) && value >= choices.min && value <= choices.max;
    if (name === "discard") {
      const { from, min, max } = choices;
      const proper = Array.isArray(value) && new Set(value).size === value.length;
      return proper && value.length >= min && value.length <= max && value.every((card) => from.includes(card));
    }
    return choices.includes(value);
  }

  // Seats are drawn for -------------------------------------------------------------

  /** The ranks by place from the king's on, as far as the table has places. */
  get places() {
    return this.seats === 4 ? ["K", "Q", "A", "J"] : ["K", "Q", "J"];
  }

  drawable(seat) {
    if (this.drawn[seat]) return [];
    const other = this.drawn.findIndex((card) => card !== null);
    const places = this.places;
    if (other < 0) return PACK.filter((card) => places.includes(card[0]));
    const king = (other - places.indexOf(this.drawn[other][0]) + this.seats) % this.seats;
    const rank = places[(seat - king + this.seats) % this.seats];
    return PACK.filter((card) => card[0] === rank);
  }

  draw(seat, card) {
    this.drawn[seat] = card;
    if (this.drawn.includes(null)) return;
    this.dealer = this.drawn.findIndex((one) => one[0] === "K");
    this.drawn = this.all().map(() => null);
    this.phase = "deal";
  }

  deal({ deck }) {
    const cards = [...deck.slice(this.cutAt), ...deck.slice(0, this.cutAt)];
    for (const packet of PACKETS) {
      for (const seat of this.order) this.hands[seat].push(...cards.splice(0, packet));
    }
    this.stock = cards;
    this.phase = "bid";
    this.asked = this.order[0];
  }

  // The auction -----------------------------------------------------------------------

  lastBid(seat) {
    return this.calls.filter((call) => call.seat === seat && call.bid !== "pass").at(-1)?.bid ?? null;
  }

  passed(seat) {
    return this.calls.some((call) => call.seat === seat && call.bid === "pass");
  }

  /** What a seat may bid: who speaks earlier in the order may equal the last bid, others must top it. */
  bids(seat) {
    const last = this.calls.filter(({ bid }) => bid !== "pass").at(-1);
    const least = last ? CONTRACTS[last.bid].rank + (this.mayEqual(seat, last.seat) ? 0 : 1) : 0;
    const aces = BLACK_ACES.every((ace) => this.hands[seat].includes(ace));
    const grand = aces || this.readings.grand_tourne_bid_without_aces === "allowed-as-bid";
    const open = Object.keys(CONTRACTS).filter(
      (name) => CONTRACTS[name].rank >= least && (name !== "grand-tourne" || grand),
    );
    return [...open, "pass"];
  }

  /** Whether a seat need not top the bid of another. */
  mayEqual(seat, other) {
    return this.order.indexOf(seat) < this.order.indexOf(other);
  }

  bid(seat, bid) {
    this.calls.push({ seat, bid });
    const left = this.order.filter((one) => !this.passed(one));
    const silent = left.filter((one) => !this.calls.some((call) => call.seat === one));
    if (!left.length) return this.finish("passed-out");
    if (left.length === 1 && !silent.length) return this.wonBy(left[0]);
    this.asked = this.speakerAfter(seat, left, silent);
    return undefined;
  }

  /** The first two speak in turn until one passes; the other then stands against the dealer. */
  speakerAfter(seat, left, silent) {
    const [first, second, dealer] = this.order;
    if (seat === first && silent.includes(second)) return second;
    const early = [first, second].filter((one) => left.includes(one));
    if (early.length === 2) return early.find((one) => one !== seat);
    return seat === dealer ? early[0] : dealer;
  }

  wonBy(seat) {
    this.man = seat;
    this.bidWon = this.lastBid(seat);
    this.asked = seat;
    if (Object.hasOwn(CHOICES, this.bidWon)) this.phase = "choose";
    else this.begin(this.bidWon);
  }

  choose(contract) {
    if (contract === this.bidWon) {
      this.contract = contract;
      this.phase = "declare";
    } else this.begin(contract);
  }

  trumpsOpen() {
    const spades = this.contract === "demande" && this.readings.demande_spades !== "forbidden";
    return spades ? SUITS : SUITS.slice(1);
  }

  declare(suit) {
    if (suit === "S" && this.readings.demande_spades === "becomes-demande-a-pique") this.contract = "demande-a-pique";
    this.trump = suit;
    this.exchange();
  }

  begin(contract) {
    this.contract = contract;
    if (IN_SPADES.includes(contract)) this.trump = "S";
    if (contract === "grand-tourne") {
      if (!BLACK_ACES.every((ace) => this.hands[this.man].includes(ace))) this.finish("remise");
      else this.phase = "show";
    } else if (contract === "tourne") this.phase = "turn";
    else this.exchange();
  }

  show(ace) {
    this.shownAces.push(ace);
    if (this.shownAces.length === BLACK_ACES.length) this.phase = "turn";
  }

  turnUp() {
    this.turnup = this.stock[0];
    this.trump = suitOf(this.turnup);
    this.exchange();
  }

  // The exchange ----------------------------------------------------------------------

  exchange() {
    const right = this.rightOf(this.man);
    const opponents = this.opponentsBuy ? [right, this.rightOf(right)] : [];
    this.toDiscard = [...(this.terms.buys ? [this.man] : []), ...opponents];
    this.phase = "discard";
    this.askNext();
  }

  /** Whether the opponents may exchange cards. */
  get opponentsBuy() {
    return !this.terms.nolo;
  }

  askNext() {
    this.asked = this.stock.length ? (this.toDiscard.shift() ?? null) : null;
    if (this.asked !== null) return;
    this.phase = "play";
    this.leader = this.order[0];
    if (this.readings.open_nolo_exposure === "before-first-lead") this.expose();
  }

  discardable(seat) {
    const man = seat === this.man;
    const least = man ? (this.terms.turned ? 2 : 1) : 0;
    return { from: inOrder(this.hands[seat]), min: least, max: Math.min(TRICKS, this.stock.length) };
  }

  discard(seat, cards) {
    this.discarded[seat] = cards.length;
    this.hands[seat] = this.hands[seat].filter((card) => !cards.includes(card));
    this.hands[seat].push(...this.stock.splice(0, cards.length));
    if (seat === this.man && this.turnup) this.turnupDrawn = true;
    this.askNext();
  }

  maySurrender(seat) {
    const drawn = this.discarded[this.man] !== null && this.man !== null;
    return seat === this.man && this.terms.buys && !this.terms.nolo && drawn && !this.manPlayed;
  }

  // Play ------------------------------------------------------------------------------

  /** The strength of a trump, from 0 for the weakest; null for another card. */
  trumpForce(card) {
    if (this.trump === null) return null;
    const order = isRed(this.trump) ? ORDER.redTrump : ORDER.blackTrump;
    const top = this.matadors.indexOf(card);
    if (top >= 0) return 20 + top;
    return suitOf(card) === this.trump ? order.length - order.indexOf(card[0]) : null;
  }

  /** The three highest trumps, the lowest of them first. */
  get matadors() {
    return [BASTA, (isRed(this.trump) ? "7" : "2") + this.trump, SPADILLE];
  }

  isTrump(card) {
    return this.trumpForce(card) !== null;
  }

  isMatador(card) {
    return this.trumpForce(card) >= 20;
  }

  playable(seat) {
    const hand = inOrder(this.hands[seat]);
    if (!this.trick.length) return hand;
    const led = this.trick[0].card;
    if (!this.isTrump(led)) {
      const following = hand.filter((card) => suitOf(card) === suitOf(led) && !this.isTrump(card));
      return following.length ? following : hand;
    }
    const trumps = hand.filter((card) => this.isTrump(card));
    const ordinary = trumps.some((card) => !this.isMatador(card));
    return trumps.length && (ordinary || this.drawsOut(led, trumps)) ? trumps : hand;
  }

  /** Whether a trump that is led forces matadors out of a hand that has no other trumps. */
  drawsOut(led, matadors) {
    return this.isMatador(led) && matadors.some((card) => this.trumpForce(card) < this.trumpForce(led));
  }

  force(card, led) {
    const trump = this.trumpForce(card);
    if (trump !== null) return 100 + trump;
    if (this.isTrump(led) || suitOf(card) !== suitOf(led)) return -1;
    const colour = isRed(suitOf(card)) ? "red" : "black";
    const order = ORDER[this.terms.nolo ? `${colour}Nolo` : colour];
    return order.length - order.indexOf(card[0]);
  }

  play(seat, card) {
    this.hands[seat] = this.hands[seat].filter((held) => held !== card);
    this.trick.push({ seat, card });
    if (seat === this.man) {
      this.manPlayed = true;
      this.engage();
    }
    if (this.readings.open_nolo_exposure === "after-first-card") this.expose();
    if (this.trick.length === 3) this.take();
  }

  /** The hombre who has won five tricks and plays on wants them all. */
  engage() {
    const late = this.readings.late_fifth_trick === "engages" && this.won(this.man) === VOLE_TRICKS;
    const fifth = this.tricks.length === VOLE_TRICKS && this.won(this.man) === VOLE_TRICKS;
    const leads = this.trick.length === 1;
    const justFifth = leads && this.lastWinner === this.man;
    if (!this.terms.nolo && (fifth || (late && justFifth))) this.vole = true;
  }

  take() {
    const led = this.trick[0].card;
    const best = this.trick.reduce((one, other) => (this.force(other.card, led) > this.force(one.card, led) ? other : one));
    this.tricks.push({ winner: best.seat, cards: this.trick.map(({ card }) => card) });
    this.trick = [];
    this.leader = best.seat;
    if (this.readings.open_nolo_exposure === "after-first-trick") this.expose();
    const own = this.won(this.man);
    if (this.terms.nolo && own === 2) this.finish("codille");
    else if (this.tricks.length === TRICKS) this.finish(this.terms.nolo ? ["won", "remise"][own] : this.comparison(own));
  }

  comparison(own) {
    const most = Math.max(...this.all().map((seat) => (seat === this.man ? 0 : this.won(seat))));
    return own > most ? "won" : own === most ? "remise" : "codille";
  }

  mayRest(seat) {
    const onLead = !this.trick.length && this.leader === this.man;
    const fifth = this.won(this.man) === VOLE_TRICKS && this.lastWinner === this.man;
    return seat === this.man && !this.terms.nolo && onLead && fifth;
  }

  expose() {
    this.exposed ||= this.contract === "nolo-ouvert";
  }

  // The end of a deal --------------------------------------------------------------------

  finish(result) {
    this.result = result;
    this.phase = "result";
    this.trick = [];
    if (result === "passed-out") return;
    const whole = this.tricks.length === TRICKS;
    if (this.vole) this.volePlayed = whole && this.won(this.man) === TRICKS ? "made" : "missed";
    const { c, d, extra } = this.symbol;
    const row = CONTRACTS[this.counting];
    const worth = c * row.c + d * row.d + extra * VOLE;
    if (this.readings.contract_points === "union-table") this.points[this.man] = worth;
  }

  /** The contract whose row counts. */
  get counting() {
    return this.readings.score_contract === "as-bid" ? this.bidWon : this.contract;
  }

  get symbol() {
    const extra = { made: 1, missed: -1 }[this.volePlayed] ?? 0;
    const c = { won: 1, remise: -1, surrendered: -1 }[this.result] ?? 0;
    return { c, d: this.result === "codille" ? -1 : 0, extra };
  }

  writeDown() {
    this.accounts = this.accounts.map((account, seat) => account + this.points[seat]);
    this.deals += 1;
    this.dealer = (this.dealer + 1) % this.seats;
    this.phase = this.deals === DEALS[this.seats] ? "over" : "deal";
    this.clear();
  }

  // What is seen ----------------------------------------------------------------------------

  view(seat) {
    const looks = seat === this.turn && this.phase === "play" && this.tricks.length > 0;
    return {
      phase: this.phase,
      dealer: this.dealer,
      out: this.out,
      deals: this.deals,
      drawn: [...this.drawn],
      turn: this.turn,
      leader: this.phase === "play" ? this.leader : null,
      calls: [...this.calls],
      man: this.man,
      bid: this.bidWon,
      contract: this.contract,
      trump: this.trump,
      turnup: this.turnup && { card: this.turnup, exposed: !this.turnupDrawn },
      hand: inOrder(this.hands[seat]),
      hands: this.hands.map((hand) => hand.length),
      stock: this.stock.length,
      discards: [...this.discarded],
      shown: inOrder(this.shownAces),
      open: this.exposed ? inOrder(this.hands[this.man]) : null,
      trick: [...this.trick],
      won: this.all().map((one) => this.won(one)),
      vole: this.vole,
      ...(looks ? { tricks: this.tricks.map(({ winner, cards }) => ({ seat: winner, cards })) } : {}),
      accounts: [...this.accounts],
    };
  }

  score() {
    const told = this.phase === "result" && this.result !== "passed-out";
    return {
      before: [...this.accounts],
      accounts: this.accounts.map((account, seat) => account + this.points[seat]),
      points: [...this.points],
      man: this.man,
      contract: told ? this.counting : null,
      result: this.result,
      vole: this.volePlayed,
      worth: told ? this.points[this.man] : 0,
      symbol: told ? this.symbol : null,
      deals: this.deals,
      over: this.phase === "over",
    };
  }

  /** Deal as the dealer does. */
  dealOut(deck, packets = PACKETS) {
    if (!this.act(this.dealer, { deal: { deck, packets } })) throw new Unplayable("this is no way to deal this game");
  }
}
