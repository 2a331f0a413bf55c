// The same player with a mistake planted: it forgets that a trump must beat those in the trick.
"use strict";
const { Tarot, serve } = require("./tarot.js");

class Faulty extends Tarot {
  findPlayable(hand) {
    const lying = this.trick.map((one) => one.card).filter((card) => card !== "XE");
    if (!lying.length) return hand;
    const same = hand.filter((card) => card[1] === lying[0][1]);
    const trumps = hand.filter((card) => card[1] === "A");
    const chosen = same.length ? same : trumps;
    return chosen.length ? hand.filter((card) => chosen.includes(card) || card === "XE") : hand;
  }
}

serve(Faulty);
