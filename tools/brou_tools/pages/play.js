"use strict";
// Lays cards and asks about them. Answers are written down in the page, or come from the rules in a worker; the page
// does not know which. What is laid stands in the address.
(() => {
  const told = JSON.parse(document.getElementById("told").textContent);
  const { words, cards } = told;
  const $ = (id) => document.getElementById(id);
  const parts = makeParts(words), { say, make, option } = parts;
  const agreed = makeAgreement(told, parts);
  const tell = (text) => { $("state").textContent = text; };
  const { ask, askSlowly, dropSlow, isKnown } = makeAsking(told, say, tell);

  // What is laid ------------------------------------------------------------------
  /** Stands for the suit where it is known that there is none, which is not the same as a suit that is not known. */
  const NO_TRUMP = "-";
  const laid = { seat: 0, trump: "", hand: [], trick: [], others: {}, asked: "", deal: null, players: "thumb" };
  const base = agreed.base;
  const seats = () => base().seats.length;
  const leader = () => (((laid.seat - laid.trick.length) % seats()) + seats()) % seats();
  const nameRules = agreed.name, readRules = agreed.read;
  const sort = (some) => base().pack.filter((card) => some.includes(card));
  const position = () => ({
    seat: laid.seat, phase: "play", ...(laid.trump ? { trump: laid.trump === NO_TRUMP ? null : laid.trump } : {}), leader: leader(), hand: sort(laid.hand),
    trick: laid.trick.map((card, at) => ({ seat: (leader() + at) % seats(), card })), ...laid.others,
  });
  const takePosition = (found) => {
    laid.seat = found.seat ?? 0;
    laid.trump = found.trump === null ? NO_TRUMP : found.trump ?? "";
    laid.hand = [...found.hand];
    laid.trick = (found.trick || []).map((one) => one.card);
    laid.others = Object.fromEntries(base().others.filter((one) => found[one.key] !== undefined && found[one.key] !== null).map((one) => [one.key, found[one.key]]));
    laid.asked = "";
  };
  const clean = () => {
    const pack = base().pack;
    laid.trick = laid.trick.filter((card, at, all) => pack.includes(card) && all.indexOf(card) === at).slice(0, seats() - 1);
    laid.hand = [...new Set(laid.hand)].filter((card) => pack.includes(card) && !laid.trick.includes(card));
    if (laid.seat >= seats()) laid.seat = 0;
    if (!base().suits.some((one) => one.id === laid.trump) && !(base().trumpless && laid.trump === NO_TRUMP)) laid.trump = "";
    if (!laid.hand.includes(laid.asked)) laid.asked = "";
    for (const key of Object.keys(laid.others)) if (!base().others.some((one) => one.key === key)) delete laid.others[key];
  };

  // The address -------------------------------------------------------------------
  let written = "";
  const writeAddress = () => {
    const parts = new URLSearchParams();
    parts.set("rules", nameRules());
    parts.set("seat", String(laid.seat));
    if (laid.trump) parts.set("trump", laid.trump);
    parts.set("hand", sort(laid.hand).join("."));
    if (laid.trick.length) parts.set("trick", laid.trick.join("."));
    for (const [key, value] of Object.entries(laid.others)) parts.set(`o-${key}`, JSON.stringify(value));
    if (laid.deal) parts.set("deal", JSON.stringify({ start: laid.deal.start, moves: laid.deal.moves }));
    if (laid.players !== "thumb") parts.set("players", laid.players);
    if (laid.asked) parts.set("card", laid.asked);
    written = `#${parts}`;
    history.replaceState(null, "", written);
    for (const link of document.querySelectorAll(".tongues a, a.agree")) link.hash = written;
  };
  const readAddress = () => {
    const parts = new URLSearchParams(location.hash.slice(1));
    if (!parts.has("rules")) return false;
    const list = (name) => (parts.get(name) || "").split(".").filter(Boolean);
    const json = (text) => { try { return JSON.parse(text); } catch { return undefined; } };
    readRules(parts.get("rules"));
    laid.seat = Number.parseInt(parts.get("seat"), 10) || 0;
    laid.trump = parts.get("trump") || "";
    laid.hand = list("hand");
    laid.trick = list("trick");
    laid.others = {};
    for (const { key, values } of base().others) {
      const value = json(parts.get(`o-${key}`));
      if (values.some((one) => one.value === value)) laid.others[key] = value;
    }
    const deal = parts.has("deal") ? json(parts.get("deal")) : null;
    laid.deal = deal && typeof deal === "object" && Array.isArray(deal.moves) && deal.start ? { start: deal.start, moves: deal.moves } : null;
    laid.players = parts.get("players") === "random" ? "random" : "thumb";
    laid.asked = parts.get("card") || "";
    clean();
    return true;
  };

  const question = (kind, more = {}) => ({ ask: kind, rules: nameRules(), lang: told.lang, seat: laid.seat, position: position(), ...more });

  // Cards -------------------------------------------------------------------------
  const verdicts = { yes: say("play_yes"), no: say("play_no"), open: say("play_open") };
  const marks = { yes: "\u2713", no: "\u00d7", open: "?" };
  const isDrawn = (card) => /^[A-Z0-9]+$/.test(card);
  // A card that is drawn has no text beside its picture; the name of one in letters begins with them.
  const face = (card) => make("i", { className: isDrawn(card) ? `c${card}` : "card", "aria-hidden": "true" }, isDrawn(card) ? "" : cards[card].short);
  const nameCard = (card) => (isDrawn(card) || cards[card].short === cards[card].name ? cards[card].name : `${cards[card].short}, ${cards[card].name}`);
  const cardButton = (card, { told: where, ...more } = {}) => make("button", { type: "button", ...more, "data-card": card, "aria-label": [nameCard(card), where].filter(Boolean).join(", ") }, face(card));
  /** Fill a list with its buttons, of which one is in the order of the keyboard; the focus stays on its card. */
  const fill = (list, items) => {
    const held = list.contains(document.activeElement) ? document.activeElement.dataset.card : null;
    const at = held === null ? -1 : [...list.querySelectorAll("button")].findIndex((one) => one.dataset.card === held);
    list.replaceChildren(...items);
    const buttons = [...list.querySelectorAll("button")];
    const first = buttons.find((one) => one.dataset.card === (held ?? laid.asked)) || buttons[Math.min(Math.max(at, 0), buttons.length - 1)];
    for (const one of buttons) one.tabIndex = one === first ? 0 : -1;
    if (held !== null && first) first.focus();
  };
  for (const list of [$("hand"), $("trick"), $("pack")]) {
    list.addEventListener("keydown", (event) => {
      const buttons = [...list.querySelectorAll("button")], at = buttons.indexOf(document.activeElement);
      if (at < 0) return;
      const top = buttons[0].getBoundingClientRect().top;
      const columns = buttons.filter((one) => Math.abs(one.getBoundingClientRect().top - top) < 30).length || 1;
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: buttons.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const next = buttons[Math.min(Math.max(to, 0), buttons.length - 1)];
      for (const one of buttons) one.tabIndex = one === next ? 0 : -1;
      next.focus();
    });
  }

  // Showing -----------------------------------------------------------------------
  let legal = {}, marked = false;
  const seatName = (seat) => {
    if (seat === laid.seat) return say("play_you");
    return base().seats[seat];
  };
  const showHand = () => {
    fill($("hand"), sort(laid.hand).map((card) => {
      const verdict = legal[card];
      const button = cardButton(card, { told: verdicts[verdict], className: verdict || "", "aria-pressed": String(card === laid.asked), onclick: () => { laid.asked = card; update(false); } });
      if (verdict) button.dataset.mark = marks[verdict];
      return make("li", {}, button);
    }));
    if (!laid.hand.length && !laid.deal) $("hand").append(make("li", { className: "aside" }, say("play_nothing")));
  };
  const showTrick = () => {
    fill($("trick"), laid.trick.map((card, at) => {
      const by = seatName((leader() + at) % seats());
      const button = cardButton(card, { told: say("play_by", { seat: by }), onclick: () => { if ($("lay").open) { laid.trick = laid.trick.filter((one) => one !== card); relay(); } } });
      return make("li", {}, button, by);
    }));
    if (!laid.trick.length && !laid.deal?.speaks) $("trick").append(make("li", { className: "aside" }, say("play_empty")));
  };
  const showPack = () => {
    if (!$("lay").open) return;
    fill($("pack"), base().pack.map((card) => {
      const where = laid.hand.includes(card) ? say("play_hand") : laid.trick.includes(card) ? say("play_trick") : "";
      return make("li", {}, cardButton(card, { told: where, "aria-pressed": String(Boolean(where)), onclick: () => layCard(card) }));
    }));
  };
  /** Ask anew after a change by hand: this is no deal that is played, and no situation of the list. */
  const relay = () => { laid.deal = null; situation.value = ""; update(); };
  const layCard = (card) => {
    const target = document.querySelector("[name=target]:checked").value;
    if (laid.hand.includes(card) || laid.trick.includes(card)) {
      laid.hand = laid.hand.filter((one) => one !== card);
      laid.trick = laid.trick.filter((one) => one !== card);
    } else if (target === "hand") laid.hand.push(card);
    else if (laid.trick.length < seats() - 1) laid.trick.push(card);
    relay();
  };
  /** Fill a box with its choices anew; the keyboard stays on the one that it stood on. */
  const renew = (box, items) => {
    const at = [...box.querySelectorAll("input, select")].indexOf(document.activeElement);
    box.replaceChildren(...items);
    if (at >= 0) box.querySelectorAll("input, select")[at]?.focus();
  };
  const choice = (name, values, chosen, take) => values.map(({ value, name: shown }) => make("label", {}, make("input", { type: "radio", name, checked: value === chosen, onchange: () => take(value) }), shown));
  const showChoices = () => {
    const none = base().trumpless ? [{ value: NO_TRUMP, name: say("play_no_trump") }] : [];
    const suits = [...base().suits.map((one) => ({ value: one.id, name: one.name })), ...none, { value: "", name: say("play_unknown") }];
    renew($("trump"), choice("trump", suits, laid.trump, (value) => { laid.trump = value; relay(); }));
    renew($("others"), base().others.map((one) => {
      const pick = make("select", { onchange: () => {
        const value = one.values[pick.value]?.value;
        if (value === undefined) delete laid.others[one.key]; else laid.others[one.key] = value;
        relay();
      } }, option("", say("play_unknown")), ...one.values.map((value, at) => option(String(at), value.name)));
      const at = one.values.findIndex((value) => value.value === laid.others[one.key]);
      pick.value = at < 0 ? "" : String(at);
      return make("label", {}, one.name, make("br"), pick);
    }));
    document.querySelector("[name=rules]").value = agreed.chosen.rules;
    document.querySelector(`[name=players][value=${laid.players}]`).checked = true;
  };
  const showReadings = () => {
    agreed.show($("readings"), relay);
    $("agreement").textContent = agreed.file();
    situation.options[0].textContent = say(laid.deal ? "play_dealt" : "play_own");
    $("other").textContent = agreed.tell();
  };
  const clauseLink = (id) => parts.clauseLink(told.passages, id);

  const showNothing = (...inner) => { $("answer").className = "answer"; $("answer").replaceChildren(...inner); };
  const showHint = () => showNothing(make("p", { className: "aside" }, say(laid.hand.length ? "play_ask" : "play_lay_first")));
  /** Return the name of a card as short as on the table, red where its suit is. */
  const shortName = (card) => make("span", { className: /[\u2665\u2666]/.test(cards[card].short) ? "red" : "" }, cards[card].short);
  /** Name the card that is asked about, and nothing that was said of another one. */
  const showWaiting = (card) => showNothing(make("h3", {}, shortName(card)), make("p", { className: "aside" }, say("play_looking")));
  const take = (reading) => {
    agreed.chosen.readings[reading.key] = reading.value;
    // The button goes; the keyboard stays with the card that was asked about.
    $("hand").querySelector("[aria-pressed=true]")?.focus();
    relay();
  };
  /** Show the readings under which the answer is another one, or that there is none; `search` is `busy`, `done` or "". */
  const showReadingsOf = (first, search) => {
    const place = $("answer").querySelector(".readings");
    if (search === "busy") { place.replaceChildren(make("p", { className: "aside" }, say("play_searching"))); return; }
    const others = (first.readings || []).filter((one) => one.then.allowed !== first.allowed);
    place.replaceChildren(...others.map((reading) => {
      const { allowed } = reading.then, open = allowed === undefined;
      const shown = told.readings[reading.key].values ? reading.name || reading.value : `${reading.name} ${reading.value}`;
      const said = [`${reading.title || reading.text}: ${shown}`, ...(open ? [] : [verdicts[allowed ? "yes" : "no"]])].join(" \u2013 ");
      return make("div", { className: "fork" },
        make("p", {}, make("strong", {}, say(open ? "play_other_open" : "play_other"))),
        make("p", {}, `${said} `, clauseLink(reading.id)),
        make("button", { type: "button", onclick: () => take(reading) }, say("play_take")));
    }));
    if (search === "done" && !others.length && Object.keys(base().readings).length) place.append(make("p", { className: "aside" }, say("play_same")));
  };
  const showAnswer = (card, answer, search) => {
    const box = $("answer");
    if (answer.error) { showNothing(make("p", {}, answer.missing ? answer.error : say("play_error", { what: answer.error }))); return; }
    const playThis = () => make("p", {}, make("button", { type: "button", onclick: () => playOn({ play: card }) }, say("play_this")));
    if (answer.hangs && laid.deal?.cards) {
      const mine = laid.deal.cards.includes(card);
      showNothing(make("h3", {}, shortName(card), " ", make("b", {}, verdicts[mine ? "yes" : "no"])), mine ? playThis() : "", make("p", { className: "aside" }, say("play_hangs", { what: answer.hangs.join(", ") })));
      box.className = `answer ${mine ? "yes" : "no"}`;
      return;
    }
    if (answer.hangs) {
      showNothing(make("h3", {}, shortName(card), ": ", make("b", {}, say("play_open"))), make("p", {}, say("play_hangs", { what: answer.hangs.join(", ") })));
      return;
    }
    const [game] = answer.games;
    const [first] = game.entries;
    box.className = `answer ${first.allowed ? "yes" : "no"}`;
    box.replaceChildren(make("h3", {}, shortName(card), " ", make("b", {}, first.allowed ? verdicts.yes : verdicts.no)));
    if (first.allowed && laid.deal) box.append(playThis());
    if (first.allowed) {
      const { because } = game.entries.find((one) => one.because) || first;
      box.append(make("p", {}, because ? say("play_free_because", { because }) : say("play_free")));
      for (const one of answer.grounds || []) box.append(make("p", { className: "aside" }, one.text, " ", clauseLink(one.id)));
    }
    // The clause by which cards are played at all refuses none, unless no other has a say.
    const { plain } = base();
    for (const entry of first.allowed ? [] : game.entries) {
      // An exception that does not apply says nothing about this card, unless something else lifts it.
      const rows = entry.rows || [];
      const idle = [...(rows.some((row) => row.clause === plain) ? [] : [plain]), ...rows.flatMap((row) => row.exceptions || []).filter((one) => !one.applies && !one.lifted_by).map((one) => one.clause)];
      const [clause, ...more] = entry.clauses.filter((one, at) => at === 0 || !idle.includes(one.id));
      if (clause) box.append(make("blockquote", {}, make("p", {}, clause.text, " ", clauseLink(clause.id))));
      if (entry.because) box.append(make("p", { className: "aside" }, `${say("play_because")}: ${entry.because}`));
      for (const one of more) box.append(make("p", { className: "aside" }, one.text, " ", clauseLink(one.id)));
    }
    box.append(make("div", { className: "readings" }));
    if (first.rows?.length) {
      // The row that lets a card pass is no duty.
      const rows = first.rows.filter((row) => row.clause && !(row.fired && first.allowed)).map((row) => make("li", {}, clauseLink(row.clause), ` ${row.fired ? say("play_decides") : row.holds ? say("play_binds") : say("play_passes")}. ${row.because}`,
        row.exceptions?.length ? make("ul", {}, ...row.exceptions.map((one) => make("li", {}, clauseLink(one.clause), ` ${one.because}`))) : null));
      if (rows.length) box.append(make("details", {}, make("summary", {}, say("play_rows")), make("ul", {}, ...rows)));
    }
    showReadingsOf(first, search);
  };
  let round = 0;
  const askWhy = async (mine) => {
    const card = laid.asked;
    if (!card) { showHint(); return; }
    const asked = question("why", { act: { play: card } });
    if (isKnown(asked) || !told.engine) { showAnswer(card, await ask("why", asked), "done"); return; }
    const brief = await ask("why", { ...asked, readings: false });
    if (mine !== round || brief === null) return;
    showAnswer(card, brief, "busy");
    if (brief.error || brief.hangs) return;
    const whole = await askSlowly(asked);
    if (mine !== round || whole === null) return;
    const [first] = (whole.games || brief.games)[0].entries;
    showReadingsOf(first, whole.games ? "done" : "");
  };
  /** Show what is laid and ask what may be played; of a card that was only chosen, ask why alone. */
  const update = async (changed = true) => {
    const mine = round += 1;
    dropSlow();
    clean();
    writeAddress();
    if (changed) {
      legal = {};
      marked = false;
    }
    if (laid.asked) showWaiting(laid.asked); else if (changed) showHint();
    showChoices();
    showReadings();
    showTrick();
    showHand();
    showPack();
    // A card may be chosen before it is known which may be played.
    if (laid.deal?.cards) {
      // Of a deal that is played all is known, however little the view of one player says.
      legal = Object.fromEntries(laid.hand.map((card) => [card, laid.deal.cards.includes(card) ? "yes" : "no"]));
      marked = true;
      showHand();
    }
    if (!marked && laid.hand.length && !laid.deal?.speaks) {
      const found = await ask("legal", question("legal"));
      if (mine !== round || found === null) return;
      if (found.error) { showAnswer(laid.asked, found, ""); return; }
      legal = found.cards;
      marked = true;
      showHand();
      if (!laid.asked && found.hangs.length) { showNothing(make("p", {}, say("play_hangs", { what: found.hangs.join(", ") }))); return; }
    }
    await askWhy(mine);
  };

  // A deal against others ------------------------------------------------------------
  const actButton = (one) => make("button", { type: "button", onclick: () => playOn(one.act) }, one.said);
  /** Return a form for an act whose values are too many for buttons: some cards of a list, or a number; else nothing. */
  const describe = ({ name, said, text, values: { from, min, max } }) => {
    if (min === undefined) return make("p", {}, say("play_stuck"));
    const number = from ? null : make("input", { type: "number", min, max, value: min, required: true });
    const boxes = (from || []).map((card) => make("input", { type: "checkbox", value: card }));
    const labels = boxes.map((box) => make("label", {}, box, face(box.value), cards[box.value].name));
    const done = make("button", {}, said);
    const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
    const check = () => { if (from) done.disabled = chosen().length < min || chosen().length > max; };
    const form = make("form", { onchange: check, onsubmit: (event) => { event.preventDefault(); playOn({ [name]: from ? chosen() : Number(number.value) }); } },
      make("p", {}, text), make("div", { className: "row choose" }, number || "", ...labels), make("p", {}, done));
    check();
    return form;
  };
  /** Return the figures that a deal which is over came to, with their clauses. */
  const showScore = async () => {
    const found = await ask("over", { ask: "explain", rules: nameRules(), lang: told.lang, ...laid.deal, question: { kind: "score", seat: 0 } });
    const lines = (found?.games?.[0].entries || []).filter((one) => !one.empty);
    return make("ul", {}, ...lines.map((one) => make("li", {}, `${one.said}: ${one.shown}`, ...one.clauses.flatMap(({ id }) => [" ", clauseLink(id)]))));
  };
  const playOn = async (act) => {
    const moves = laid.deal ? laid.deal.moves : [];
    const next = act ? [...moves, { step: `m${moves.length + 1}`, by: 0, act }] : moves;
    const seed = Math.floor(Math.random() * 2 ** 31);
    const found = await ask("play", { ask: "play", rules: nameRules(), lang: told.lang, seat: 0, seed, players: laid.players, ...(laid.deal ? { start: laid.deal.start, moves: next } : {}) });
    if (found === null) return;
    if (found.error) { showAnswer("", found, ""); return; }
    takePosition({ seat: 0, hand: [], trick: [], ...found.view });
    laid.deal = { start: found.start, moves: found.moves.map(({ step, by, act: done }) => ({ step, by, act: done })) };
    // Nobody asks about cards while there is something else to choose.
    laid.deal.cards = found.acts.flatMap((one) => (Object.hasOwn(one.act, "play") ? [one.act.play] : []));
    if (!laid.deal.cards.length) Object.assign(laid.deal, { speaks: true, cards: null });
    await update();
    const others = found.acts.filter((one) => !Object.hasOwn(one.act, "play"));
    const parts = [];
    const heard = found.moves.slice(next.length).filter((one) => one.said);
    if (heard.length) parts.push(make("h3", {}, say("play_meanwhile")), make("ol", { className: "aside" }, ...heard.map((one) => make("li", {}, one.said))));
    if (found.over) parts.push(make("h3", {}, say("play_over")), await showScore());
    else if (!found.acts.length && !found.described.length) parts.push(make("p", {}, say("play_stuck")));
    else {
      if (found.acts.length > others.length) parts.push(make("p", {}, say("play_turn")));
      if (others.length) parts.push(make("p", {}, say(found.acts.length > others.length ? "play_choose" : "play_must")), make("p", { className: "row" }, ...others.map(actButton)));
      parts.push(...found.described.map(describe));
    }
    // Who has chosen a card meanwhile reads about that card.
    if (laid.asked) return;
    showNothing(...parts);
    ($("hand").querySelector("button") || $("answer").querySelector("button, input"))?.focus();
  };

  // Beginning ---------------------------------------------------------------------
  const rulesChoice = document.querySelector("[name=rules]"), situation = document.querySelector("[name=situation]");
  rulesChoice.append(...told.rules.map((one) => option(one.id, one.name)));
  rulesChoice.addEventListener("change", () => { agreed.change(rulesChoice.value); relay(); });
  const list = (found) => situation.replaceChildren(option("", say("play_own")), ...found.map((one, at) => option(String(at), one.title)));
  let situations = told.situations;
  /** Lay a situation; what the table has agreed on stays, unless the situation is one of other rules. */
  const open = (one) => { if (one.rules !== agreed.chosen.rules) readRules(one.rules); laid.deal = null; takePosition(one.position); update(); };
  /** Take everything from the table, the trumps of the position before too, which nobody has chosen. */
  const clear = () => { laid.hand = []; laid.trick = []; laid.trump = ""; relay(); };
  situation.addEventListener("change", () => {
    const one = situations[situation.value];
    if (one) { open(one); return; }
    $("lay").open = true;
    clear();
  });
  list(situations);
  for (const form of document.querySelectorAll("#play form")) form.addEventListener("submit", (event) => event.preventDefault());
  $("lay").addEventListener("toggle", showPack);
  $("clear").addEventListener("click", clear);
  $("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      tell(say("play_copied"));
    } catch { tell(location.href); }
  });
  $("print").addEventListener("click", () => print());
  $("deal").addEventListener("click", () => {
    const byHand = !laid.deal && situation.value === "" && laid.hand.length + laid.trick.length > 0;
    if (byHand && !confirm(say("play_sure"))) return;
    laid.deal = null;
    situation.value = "";
    playOn();
  });
  for (const one of document.querySelectorAll("[name=players]")) one.addEventListener("change", () => { laid.players = one.value; writeAddress(); });
  /** Show what the address has; a deal goes on where it stood, and rules without cards are shown with a situation. */
  const restore = async () => {
    const { asked, deal } = laid;
    const one = situations.find((found) => found.rules === agreed.chosen.rules);
    if (deal && told.engine) {
      await playOn();
      if (asked && !laid.deal?.speaks) { laid.asked = asked; update(false); }
    } else if (!laid.hand.length && !laid.trick.length && !new URLSearchParams(location.hash.slice(1)).has("hand") && one) {
      situation.value = String(situations.indexOf(one));
      open(one);
    } else update();
  };
  addEventListener("hashchange", () => { if (location.hash !== written && readAddress()) { situation.value = ""; restore(); } });
  $("play").hidden = false;
  if (told.engine) {
    $("against").hidden = false;
    if (location.protocol !== "file:") fetch("situations.json").then((found) => found.json()).then((found) => { const at = situation.value; situations = [...told.situations, ...found]; list(situations); situation.value = at; }).catch(() => {});
  } else tell(say("play_no_engine"));
  if (readAddress()) { situation.value = ""; restore(); }
  else if (situations.length) { situation.value = "0"; open(situations[0]); }
  else { readRules(told.rules[0].id); update(); }
})();
