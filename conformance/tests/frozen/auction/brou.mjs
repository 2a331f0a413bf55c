/**
 * Homme de Brou (Lyon, 1802) and Brouc (L'Etivaz, 2022): four players, two
 * teams, 32 cards. Seats are 0 to 3, each seat sits at the right of the one
 * before; seats 0 and 2 are team 0. A card is rank then suit, as in "KH".
 */

const SUITS = ["S", "H", "D", "C"];
const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7"];
const SEATS = [0, 1, 2, 3];
export const TEAMS = [0, 1];
const TRICKS = 8;

/** Every card once, in the order in which hands are shown. */
export const PACK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));

/** Ranks from the weakest to the strongest: at play, the ten is second. */
const AT_PLAY = "789JQKTA";
/** Ranks from the lowest to the highest where the dealer is drawn for. */
const AT_THE_DRAW = "789TJQKA";
const POINTS = { A: 11, T: 10, K: 4, Q: 3, J: 2, 9: 0, 8: 0, 7: 0 };

/** More than this wins a partie. */
export const LIMIT = 300;

export const suitOf = (card) => card[1];
export const strength = (card) => AT_PLAY.indexOf(card[0]);
const pointsOf = (cards) => sum(cards.map((card) => POINTS[card[0]]));
const inOrder = (cards) => PACK.filter((card) => cards.includes(card));

export const teamOf = (seat) => seat % 2;
export const against = (team) => 1 - team;
const rightOf = (seat) => (seat + 1) % 4;
const leftOf = (seat) => (seat + 3) % 4;

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const only = (choice, condition) => (condition ? [choice] : []);

/** The program does not play this: an unknown reading, or no proper deal. */
export class Unplayable extends Error {}

// Marriages ------------------------------------------------------------------

/** The kinds of marriage that cards of one suit allow; the grand one last. */
export function kindsIn(cards, suit) {
  const has = (rank) => cards.includes(rank + suit);
  if (!has("K") || !has("Q")) return [];
  return has("J") ? ["simple", "grand"] : ["simple"];
}

/** The marriages that lie in a trick, each once and as large as it is. */
function marriagesIn(cards) {
  return SUITS.flatMap((suit) =>
    kindsIn(cards, suit)
      .slice(-1)
      .map((kind) => ({ suit, kind })),
  );
}

// A deal ---------------------------------------------------------------------

/**
 * The cards of one deal. Every card is in a hand, on the table or in a trick;
 * as soon as four lie on the table they are a trick of whoever won them.
 */
class Deal {
  table = [];
  tricks = [];

  constructor(dealer, hands, turnup) {
    if (!isPack(hands.flat()) || hands.some((hand) => hand.length !== TRICKS)) {
      throw new Unplayable("not eight cards for each of four players");
    }
    if (!hands[dealer].includes(turnup)) {
      throw new Unplayable("the card turned up is not the dealer's");
    }
    this.dealer = dealer;
    this.hands = hands.map(inOrder);
    this.turnup = turnup;
    this.trump = suitOf(turnup);
    this.leader = rightOf(dealer);
  }

  /** Deal a pack, first card first, to the dealer's right and on from there. */
  static fromDeck(dealer, deck, packets) {
    if (!isPack(deck)) throw new Unplayable("the deck is not the whole pack");
    const hands = SEATS.map(() => []);
    const rest = [...deck];
    for (const size of packets) {
      for (const step of [1, 2, 3, 4]) {
        hands[(dealer + step) % 4].push(...rest.splice(0, size));
      }
    }
    return new Deal(dealer, hands, deck.at(-1));
  }

  /** Who must play the next card; after the last trick, nobody plays it. */
  get turn() {
    return (this.leader + this.table.length) % 4;
  }

  get lastTrick() {
    return this.tricks.at(-1) ?? null;
  }

  get suitLed() {
    return this.table.length ? suitOf(this.table[0].card) : null;
  }

  tricksOf(team) {
    return this.tricks.filter((trick) => teamOf(trick.winner) === team);
  }

  /** Whether no card lies on the table and the team made the last trick. */
  justWon(team) {
    return this.table.length === 0 && this.madeLast(team);
  }

  madeLast(team) {
    return this.lastTrick !== null && teamOf(this.lastTrick.winner) === team;
  }

  /** Move a card from the hand to the table; the trick, if that fills it. */
  play(seat, card) {
    this.hands[seat] = this.hands[seat].filter((other) => other !== card);
    this.table.push({ seat, card });
    if (this.table.length < 4) return null;
    const trick = { plays: this.table, winner: this.#best().seat };
    this.tricks.push(trick);
    this.table = [];
    this.leader = trick.winner;
    return trick;
  }

  /** The strongest card on the table: a trump, or one of the suit led. */
  #best() {
    const trumps = this.table.filter(({ card }) => suitOf(card) === this.trump);
    const suited = this.table.filter(
      ({ card }) => suitOf(card) === this.suitLed,
    );
    return (trumps.length ? trumps : suited).reduce((best, play) =>
      strength(play.card) > strength(best.card) ? play : best,
    );
  }
}

function isPack(cards) {
  return (
    Array.isArray(cards) &&
    cards.length === PACK.length &&
    PACK.every((card) => cards.includes(card))
  );
}

/** What follows suit; everything, where nothing does. */
function followingSuit(deal, hand) {
  const following = hand.filter((card) => suitOf(card) === deal.suitLed);
  return following.length ? following : hand;
}

/**
 * What a deal has brought, in the order in which it came about. An entry
 * raises one team's account and lowers the other's by its `loss`.
 */
class Ledger {
  entries = [];

  add(source, team, gain, loss = 0, marriage = {}) {
    this.entries.push({ source, team, gain, loss, ...marriage });
  }

  from(source) {
    return this.entries.filter((entry) => entry.source === source);
  }

  cardPoints(team) {
    return this.#sum(team, (entry) => entry.source === "cards");
  }

  marriages(team) {
    return this.#sum(team, (entry) => entry.source !== "cards");
  }

  announced(team) {
    return this.#sum(team, (entry) => entry.source === "hand");
  }

  total(team) {
    return this.#sum(team, () => true);
  }

  losses(team) {
    return sum(
      this.entries
        .filter((entry) => entry.team !== team)
        .map((entry) => entry.loss),
    );
  }

  /** After which entry a team passed the limit to stay above it, if it did. */
  passed(team, before) {
    let account = before;
    let since = account > LIMIT ? 0 : Infinity;
    this.entries.forEach((entry, index) => {
      account += effect(entry, team);
      since = account > LIMIT ? Math.min(since, index + 1) : Infinity;
    });
    return since;
  }

  #sum(team, counts) {
    return sum(this.entries.filter(counts).map((entry) => effect(entry, team)));
  }
}

const effect = (entry, team) =>
  entry.team === team ? entry.gain : -entry.loss;

// A match --------------------------------------------------------------------

/**
 * What both games share. An act is an object with one key; it is done if it
 * is among those that `legal` offers the seat, and changes nothing otherwise.
 */
class Match {
  deal = null;
  ledger = new Ledger();
  call = null;
  /** How the deal ended, from then until it is written down. */
  result = null;
  champion = null;
  #cut = 0;

  /**
   * Readings that are left out are the usual ones. A match begins with the
   * choice of a dealer, or, if one is given, with his first deal.
   */
  constructor(readings = {}, { dealer = null, accounts = [0, 0] } = {}) {
    this.readings = this.constructor.follow(readings);
    if (dealer !== null && !SEATS.includes(dealer)) {
      throw new Unplayable("the dealer is no seat");
    }
    this.dealer = dealer;
    this.accounts = pair(accounts);
    this.phase = dealer === null ? this.constructor.opening : "deal";
  }

  /** All readings, those given and the usual ones. */
  static follow(readings) {
    const followed = { ...this.usual, ...readings };
    for (const [key, value] of Object.entries(followed)) {
      const values = Object.hasOwn(this.switches, key)
        ? this.switches[key]
        : [this.usual[key]];
      if (value === undefined || !values.includes(value)) {
        throw new Unplayable(`${key}=${value} is not followed`);
      }
    }
    return followed;
  }

  get over() {
    return this.phase === "over";
  }

  /** Who made the last trick of the deal at hand, if any is made. */
  get lastWinner() {
    return this.deal?.lastTrick?.winner ?? null;
  }

  /** Put hands, by seat, and the card turned up before the players. */
  lay(hands, turnup) {
    this.#begin((dealer) => new Deal(dealer, hands, turnup));
  }

  /** Deal from a deck, as the dealer does. */
  dealOut(deck, packets = this.constructor.packets[0]) {
    if (!this.constructor.packets.some((known) => alike(known, packets))) {
      throw new Unplayable("this is no way to deal this game");
    }
    const cut = [...deck.slice(this.#cut), ...deck.slice(0, this.#cut)];
    this.#begin((dealer) => Deal.fromDeck(dealer, cut, packets));
  }

  #begin(deal) {
    if (this.phase !== "deal") throw new Unplayable("it is not time to deal");
    this.deal = deal(this.dealer);
    this.phase = "play";
  }

  /** The choices of each act that the seat may do now. */
  legal(seat) {
    return Object.fromEntries(
      Object.entries(this.offers(seat)).filter(
        ([, choices]) => !Array.isArray(choices) || choices.length > 0,
      ),
    );
  }

  /** Do an act; false if it was refused. */
  act(seat, act) {
    const names = Object.keys(act);
    const offers = this.offers(seat);
    if (names.length !== 1 || !Object.hasOwn(offers, names[0])) return false;
    const [name] = names;
    if (!offered(offers[name], act[name])) return false;
    this.acts[name](seat, act[name]);
    return true;
  }

  acts = {
    cut: (seat, count) => {
      this.#cut = count;
    },
    deal: (seat, { deck, packets }) => this.dealOut(deck, packets),
    play: (seat, card) => {
      const trick = this.deal.play(seat, card);
      if (trick) this.trickMade(trick);
    },
    announce: (seat, { suit, kind }) => this.announce(seat, { suit, kind }),
    claim: (seat) => this.claim(teamOf(seat)),
    next: () => this.writeDown(),
  };

  dealOffers(seat) {
    const cuts = seat === leftOf(this.dealer) && this.#cut === 0;
    const deals = seat === this.dealer;
    return {
      cut: cuts ? { min: 1, max: PACK.length - 1 } : [],
      deal: deals
        ? { deck: { order: PACK }, packets: this.constructor.packets }
        : [],
    };
  }

  playOffers(seat) {
    const { deal } = this;
    return {
      play: seat === deal.turn ? this.playable(deal.hands[seat]) : [],
      announce: this.mayAnnounce(seat) ? this.announceable(seat) : [],
    };
  }

  /** A suit is announced once; the jack of a grand marriage may be hidden. */
  announceable(seat) {
    const done = this.ledger.from("hand").filter((one) => one.seat === seat);
    return SUITS.filter((suit) => done.every((one) => one.suit !== suit))
      .map((suit) => [suit, kindsIn(this.deal.hands[seat], suit)])
      .flatMap(([suit, kinds]) => kinds.map((kind) => ({ suit, kind })));
  }

  /** An announced marriage is credited to the team of who holds it. */
  announce(seat, marriage) {
    const worth = this.worthInHand(marriage);
    this.ledger.add("hand", teamOf(seat), worth, 0, { seat, ...marriage });
  }

  /** What a marriage in the hand is worth. */
  worthInHand({ suit, kind }) {
    return (kind === "grand" ? 30 : 20) * (suit === this.deal.trump ? 2 : 1);
  }

  /** Write the cards and the marriages of a trick to the winner's team. */
  book(trick, factor) {
    const team = teamOf(trick.winner);
    const cards = trick.plays.map((play) => play.card);
    this.ledger.add("cards", team, pointsOf(cards));
    for (const marriage of marriagesIn(cards)) {
      const worth = factor * this.worthInHand(marriage);
      const place = { ...marriage, trick: this.deal.tricks.length };
      this.ledger.add("table", team, worth, worth, place);
    }
  }

  /** What a team would have if nothing more happened, not rounded. */
  running(team) {
    return this.accounts[team] + this.ledger.total(team);
  }

  /** To the nearest ten; five goes up. */
  roundToTen(points) {
    return 10 * Math.floor((points + 5) / 10);
  }

  /** What each team writes for the cards of the deal. */
  cardTens() {
    return TEAMS.map((team) => this.roundToTen(this.ledger.cardPoints(team)));
  }

  end(kind, winner, worth, after = {}) {
    this.result = { kind, winner, worth, accounts: [0, 0], ...after };
    this.phase = "result";
  }

  /** Leave the deal and everything that belonged to it. */
  clear() {
    this.deal = null;
    this.ledger = new Ledger();
    this.call = null;
    this.result = null;
    this.#cut = 0;
  }

  /** What a seat sees. */
  view(seat) {
    const { deal, ledger } = this;
    const playing = this.phase === "play";
    return {
      phase: this.phase,
      dealer: this.dealer,
      turn: playing ? deal.turn : null,
      leader: playing ? deal.leader : null,
      trump: deal?.trump ?? null,
      turnup: deal && { card: deal.turnup, exposed: this.turnupExposed() },
      hand: deal?.hands[seat] ?? [],
      hands: SEATS.map((other) => deal?.hands[other].length ?? 0),
      trick: playing ? [...deal.table] : [],
      won: TEAMS.map((team) => deal?.tricksOf(team).length ?? 0),
      markers: ledger
        .from("table")
        .map(({ trick, suit, kind, team }) => ({ trick, suit, kind, team })),
      announced: SEATS.flatMap((other) =>
        SUITS.flatMap((suit) =>
          ledger
            .from("hand")
            .filter((one) => one.seat === other && one.suit === suit)
            .map(({ kind }) => ({ seat: other, suit, kind })),
        ),
      ),
      call: this.call,
    };
  }

  /** Where the match stands. */
  score() {
    return {
      before: [...this.accounts],
      accounts: TEAMS.map((team) => this.running(team)),
      points: TEAMS.map((team) => this.ledger.cardPoints(team)),
      result: this.result?.kind ?? null,
      winner: this.result?.winner ?? null,
      worth: this.result?.worth ?? 0,
      over: this.champion,
    };
  }
}

function pair(numbers) {
  const right =
    Array.isArray(numbers) &&
    numbers.length === 2 &&
    numbers.every(Number.isInteger);
  if (!right) throw new Unplayable("not a number for each team");
  return [...numbers];
}

const alike = (one, two) =>
  Array.isArray(two) &&
  one.length === two.length &&
  one.every((item, index) => item === two[index]);

/** Whether a value is among the choices of an act, listed or described. */
function offered(choices, value) {
  if (Array.isArray(choices)) {
    return choices.some((choice) =>
      typeof choice === "object"
        ? choice.suit === value?.suit && choice.kind === value?.kind
        : choice === value,
    );
  }
  if ("min" in choices) {
    const inside = value >= choices.min && value <= choices.max;
    return Number.isInteger(value) && inside;
  }
  const known = choices.packets.some((way) => alike(way, value?.packets));
  return known && isPack(value.deck);
}

// Homme de Brou --------------------------------------------------------------

/** The game of 1802: parties of 301 points, won without a word or by a claim. */
export class HommeDeBrou extends Match {
  static game = "homme-de-brou";
  static edition = "1802";
  static opening = "draw";
  static packets = [
    [3, 3, 2],
    [2, 3, 3],
    [3, 2, 3],
  ];
  static usual = {
    both_over: "first-to-reach",
    loser_account: "raw",
    loser_account_unclaimed: "full-deal",
    wrong_claim_erasure: "gains-only",
    claim_window: "any-time",
    announce_window: "after-own-trick",
    extend_announced: "once-per-suit",
    announce_simple_with_jack: "allowed",
    turnup_announceable: "at-once",
    pv_threshold_base: "account-with-marriages",
    pv_below_threshold: "refused",
    pv_marriages: "count",
    pv_before_first: "no",
    pv_speaker: "leader",
    stop_window: "until-fifth-begun",
    stop_requires_all_tricks: "yes",
    stop_wrong: "illegal",
    dealer_rotation: "right",
    match_end: "immediately",
    match_parties: 12,
  };
  static switches = {
    announce_window: [
      "after-own-trick",
      "any-time",
      "until-next-trick-complete",
    ],
    wrong_claim_erasure: ["gains-only", "whole-deal"],
    match_parties: Array.from({ length: 99 }, (_, index) => index + 1),
  };

  #drawing = [...SEATS];
  #drawn = new Map();

  constructor(readings = {}, start = {}) {
    super(readings, start);
    this.parties = pair(start.parties ?? [0, 0]);
    Object.assign(this.acts, {
      draw: (seat, card) => this.#draw(seat, card),
      declare: (seat) => {
        this.call = { team: teamOf(seat), kind: "declared" };
      },
      stop: () => {
        this.phase = "stop";
      },
      answer: (seat, agreed) => this.answer(teamOf(seat), agreed),
    });
  }

  offers(seat) {
    switch (this.phase) {
      case "draw":
        return { draw: this.#drawable(seat) };
      case "deal":
        return this.dealOffers(seat);
      case "play":
        return {
          ...this.playOffers(seat),
          claim: only(true, !this.call),
          declare: only("vole", this.mayDeclare(seat)),
          stop: only(true, this.mayAskToStop(teamOf(seat))),
        };
      case "stop":
        return {
          answer: this.deal.madeLast(teamOf(seat)) ? [true, false] : [],
        };
      case "result":
        return { next: [true] };
      default:
        return {};
    }
  }

  #drawable(seat) {
    if (!this.#drawing.includes(seat) || this.#drawn.has(seat)) return [];
    const gone = [...this.#drawn.values()];
    return PACK.filter((card) => !gone.includes(card));
  }

  /** The lowest card deals; those who share it draw again from all cards. */
  #draw(seat, card) {
    this.#drawn.set(seat, card);
    if (this.#drawn.size < this.#drawing.length) return;
    const height = (one) => AT_THE_DRAW.indexOf(this.#drawn.get(one)[0]);
    const least = Math.min(...this.#drawing.map(height));
    this.#drawing = this.#drawing.filter((one) => height(one) === least);
    this.#drawn.clear();
    if (this.#drawing.length > 1) return;
    [this.dealer] = this.#drawing;
    this.phase = "deal";
  }

  /** One follows suit if one can; nothing else binds. */
  playable(hand) {
    return followingSuit(this.deal, hand);
  }

  mayAnnounce(seat) {
    const team = teamOf(seat);
    switch (this.readings.announce_window) {
      case "any-time":
        return this.deal.tricksOf(team).length > 0;
      case "until-next-trick-complete":
        return this.deal.madeLast(team);
      default:
        return this.deal.justWon(team);
    }
  }

  /** Whether the team on lead made every trick and the fifth is not begun. */
  mayStillMakeTheVole() {
    const { deal } = this;
    const made = deal.tricks.length;
    const all = deal.tricksOf(teamOf(deal.leader)).length === made;
    return !this.call && !deal.table.length && all && made >= 1 && made <= 4;
  }

  mayDeclare(seat) {
    const enough = this.written(teamOf(seat)) >= 190;
    return this.mayStillMakeTheVole() && seat === this.deal.leader && enough;
  }

  mayAskToStop(team) {
    const theirs = against(team) === teamOf(this.deal.leader);
    const reached = this.running(against(team)) > LIMIT;
    return this.mayStillMakeTheVole() && theirs && reached;
  }

  /** The account on the sheet, where marriages are entered as they occur. */
  written(team) {
    return this.accounts[team] + this.ledger.marriages(team);
  }

  answer(team, agreed) {
    if (agreed) {
      this.end("stop", team, this.worthOver(against(team)));
      return;
    }
    this.call = { team, kind: "forced" };
    this.phase = "play";
  }

  /** Parties for 301 points, by the account of the team given. */
  worthOver(team, account = this.running(team)) {
    if (account < 0) return 4;
    return account < 150 ? 2 : 1;
  }

  /**
   * A claim ends the partie. If it is wrong, the claimants' account decides,
   * with nothing of what the deal gave them, but less what it cost them.
   */
  claim(team) {
    const other = against(team);
    if (this.running(team) > LIMIT) {
      this.end("claim-right", team, this.worthOver(other));
      return;
    }
    const worth = this.worthOver(team, this.keptByClaimants(team));
    this.end("claim-wrong", other, worth);
  }

  /** What a team stands at that has claimed without being there. */
  keptByClaimants(team) {
    return this.readings.wrong_claim_erasure === "whole-deal"
      ? this.accounts[team]
      : this.accounts[team] - this.ledger.losses(team);
  }

  trickMade(trick) {
    const team = teamOf(trick.winner);
    if (this.call && team !== this.call.team) {
      const worth = 3 + this.worthOver(team);
      this.end("partie-et-vole-failed", team, worth);
      return;
    }
    this.book(trick, 2);
    if (this.deal.tricks.length === TRICKS) this.#endDeal();
  }

  #endDeal() {
    const sweeper = teamOf(this.deal.lastTrick.winner);
    if (this.deal.tricksOf(sweeper).length === TRICKS) {
      this.endVole(sweeper);
      return;
    }
    const passed = TEAMS.map((team) =>
      this.ledger.passed(team, this.accounts[team]),
    );
    const winner = passed.indexOf(Math.min(...passed));
    if (passed[winner] < Infinity) {
      this.end("partie", winner, this.worthOver(against(winner)));
      return;
    }
    const tens = this.cardTens();
    const accounts = TEAMS.map((team) => this.written(team) + tens[team]);
    this.end("deal", null, 0, { accounts });
  }

  /** Undeclared, a vole leaves the partie where it stood before the deal. */
  endVole(team) {
    if (this.call) {
      const worth = 3 + this.worthOver(against(team));
      this.end("partie-et-vole-made", team, worth);
    } else {
      this.end("vole", team, 3, { accounts: [...this.accounts] });
    }
  }

  writeDown() {
    const { winner, worth, accounts } = this.result;
    this.accounts = accounts;
    this.dealer = rightOf(this.dealer);
    this.clear();
    this.phase = "deal";
    if (winner !== null) this.mark(winner, worth);
  }

  /** The winners mark their parties, and may have won the match. */
  mark(winner, worth) {
    this.parties[winner] += worth;
    if (this.parties[winner] < this.readings.match_parties) return;
    this.champion = winner;
    this.phase = "over";
  }

  /** The dealer takes the card up after the first trick, unless played. */
  turnupExposed() {
    const { dealer, hands, tricks, turnup } = this.deal;
    return tricks.length === 0 && hands[dealer].includes(turnup);
  }

  /** Who is to play may look at the last trick and at his own team's. */
  view(seat) {
    const { deal } = this;
    const view = {
      ...super.view(seat),
      keeper: TEAMS.map((team) => deal?.tricksOf(team)[0]?.winner ?? null),
      accounts: TEAMS.map((team) => this.written(team)),
      parties: [...this.parties],
    };
    if (seat === view.turn) {
      view.own = deal
        .tricksOf(teamOf(seat))
        .map((trick) => trick.plays.map((play) => play.card));
      if (deal.lastTrick) view.last = deal.lastTrick.plays;
    }
    return view;
  }

  score() {
    return { ...super.score(), parties: [...this.parties] };
  }
}

// Brouc ----------------------------------------------------------------------

/** The game of 2022: only who says so has won; the losers mark coches. */
export class Brouc extends Match {
  static game = "brouc";
  static edition = "2022";
  static opening = "lot";
  static packets = [[1, 3, 4]];
  static usual = {
    claim_window: "any-time",
    claim_counts_open_trick: "no",
    claim_between_deals: "yes",
    claim_after_count: "until-written",
    loser_figure: "slate",
    claim_net_of_table_losses: "yes",
    marking: "implicit",
    marriage_exception: "complete-in-trick",
    exception_scope: "forced-only",
    announce_window: "any-time",
    extend_announced: "once-per-suit",
    announce_simple_with_jack: "allowed",
    rounding_order: "cards-then-marriages",
    cape_carry: "usable-at-once",
    cape_carry_on_second_cape: "pending",
    carry_in_thresholds: "no",
    cape_announce_moment: "any-moment",
    cape_announce_invalid: "refused",
    dehors_after_cape_announcement: "refused",
    cape_failure_moment: "at-once",
    cape_before_first: "yes",
    match_end: "immediately",
    match_ticks: 5,
  };
  static switches = {
    exception_scope: ["forced-only", "any-trump-play"],
    announce_window: ["any-time", "own-turn", "after-own-trick"],
    match_ticks: Array.from({ length: 99 }, (_, index) => index + 1),
  };

  constructor(readings = {}, start = {}) {
    super(readings, start);
    this.coches = pair(start.coches ?? [0, 0]);
    /** Announced in a cape, and counted with the next deal that is none. */
    this.carry = pair(start.carry ?? [0, 0]);
    Object.assign(this.acts, {
      lot: (seat, dealer) => {
        this.dealer = dealer;
        this.phase = "deal";
      },
      declare: (seat, kind) => {
        this.call = { team: teamOf(seat), kind };
      },
    });
  }

  offers(seat) {
    switch (this.phase) {
      case "lot":
        return { lot: SEATS };
      case "deal":
        return { ...this.dealOffers(seat), claim: [true] };
      case "play":
        return {
          ...this.playOffers(seat),
          claim: only(true, !this.call),
          declare: this.#declarable(seat),
        };
      case "count":
        return {
          claim: only(true, this.mayClaimAtTheCount(teamOf(seat))),
          next: [true],
        };
      case "result":
        return { next: [true] };
      default:
        return {};
    }
  }

  /**
   * A trump must beat those on the table. Where trump has to be played and
   * none can do so, any will; so will one that makes a trump marriage lie in
   * the trick.
   */
  playable(hand) {
    const { deal } = this;
    const isTrump = (card) => suitOf(card) === deal.trump;
    const open = followingSuit(deal, hand);
    const trumps = open.filter(isTrump);
    const table = deal.table.map((play) => play.card);
    const highest = Math.max(-1, ...table.filter(isTrump).map(strength));
    const beating = trumps.filter((card) => strength(card) > highest);
    const forced = trumps.length === open.length;
    if (forced && !beating.length) return open;
    const marries = forced || this.readings.exception_scope !== "forced-only";
    return open.filter(
      (card) =>
        !isTrump(card) ||
        beating.includes(card) ||
        (marries && this.#makesTrumpMarriage(card, table)),
    );
  }

  #makesTrumpMarriage(card, table) {
    const kinds = kindsIn([...table, card], this.deal.trump);
    return "KQJ".includes(card[0]) && kinds.length > 0;
  }

  mayAnnounce(seat) {
    const { deal } = this;
    const team = teamOf(seat);
    if (deal.tricksOf(team).length === 0) return false;
    switch (this.readings.announce_window) {
      case "own-turn":
        return seat === deal.turn;
      case "after-own-trick":
        return deal.justWon(team);
      default:
        return true;
    }
  }

  /** A cape is asked for once, with two cards in hand and no trick lost. */
  #declarable(seat) {
    const { deal } = this;
    const team = teamOf(seat);
    const possible =
      !this.call &&
      deal.hands[seat].length >= 2 &&
      deal.tricksOf(against(team)).length === 0 &&
      this.accounts[team] >= 190;
    if (!possible) return [];
    const low = this.accounts[against(team)] <= 140;
    return ["cape-dehors", ...only("pas-dedouble", low)];
  }

  /** What was there before the deal, with what a cape has left over. */
  standing(team) {
    return this.accounts[team] + this.carry[team];
  }

  running(team) {
    return this.standing(team) + this.ledger.total(team);
  }

  /** After a cape its points give no right to claim. */
  mayClaimAtTheCount(team) {
    return this.result.kind !== "cape" || this.standing(team) > LIMIT;
  }

  /** Right or wrong, the others' slate decides how much is marked. */
  claim(team) {
    const counted =
      this.result?.kind === "cape" ? this.standing(team) : this.running(team);
    const right = counted > LIMIT;
    const worth = this.ticksForLosing(against(team));
    const kind = right ? "claim-right" : "claim-wrong";
    this.end(kind, right ? team : against(team), worth);
  }

  /** What a party marks for a lost partie, by its slate. */
  ticksForLosing(team) {
    return this.accounts[team] < 150 ? 2 : 1;
  }

  end(kind, winner, worth) {
    super.end(kind, winner, worth, { carry: [0, 0] });
  }

  trickMade(trick) {
    this.book(trick, 1);
    const { call, deal } = this;
    const team = teamOf(trick.winner);
    const worth = call && this.ticksFor(call);
    if (call && team !== call.team) {
      this.end(`${call.kind}-failed`, team, worth);
    } else if (deal.tricks.length === TRICKS) {
      if (call) this.end(`${call.kind}-made`, team, worth);
      else this.count();
    }
  }

  /** What the losers of a cape asked for mark. */
  ticksFor(call) {
    return call.kind === "pas-dedouble" ? 4 : 3;
  }

  /** The deal is over and nothing written: there is still time to claim. */
  count() {
    const { carry, deal, ledger } = this;
    const sweeper = TEAMS.find((team) => deal.tricksOf(team).length === TRICKS);
    this.phase = "count";
    if (sweeper === undefined) {
      const tens = this.cardTens();
      const accounts = TEAMS.map(
        (team) => this.standing(team) + tens[team] + ledger.marriages(team),
      );
      const result = { kind: "deal", winner: null, worth: 0 };
      this.result = { ...result, accounts, carry: [0, 0] };
    } else {
      const accounts = [...this.accounts];
      const left = TEAMS.map((team) => carry[team] + ledger.announced(team));
      const result = { kind: "cape", winner: sweeper, worth: 2 };
      this.result = { ...result, accounts, carry: left };
    }
  }

  writeDown() {
    const { winner, worth, accounts, carry } = this.result;
    this.accounts = accounts;
    this.carry = carry;
    if (this.deal) this.dealer = rightOf(this.dealer);
    this.clear();
    this.phase = "deal";
    if (winner !== null) this.mark(winner, worth);
  }

  /** The losers mark their coches, and may have lost the match. */
  mark(winner, worth) {
    const loser = against(winner);
    this.coches[loser] += worth;
    if (this.coches[loser] < this.readings.match_ticks) return;
    this.champion = winner;
    this.phase = "over";
  }

  turnupExposed() {
    return false;
  }

  view(seat) {
    return {
      ...super.view(seat),
      accounts: [...this.accounts],
      coches: [...this.coches],
      carry: [...this.carry],
    };
  }

  score() {
    return {
      ...super.score(),
      coches: [...this.coches],
      carry: [...this.carry],
    };
  }
}
