"use strict";
// A form for what stands on the slate. The rules settle it; the record stands in the address, and can be kept as a file.
(() => {
  const told = JSON.parse(document.getElementById("told").textContent);
  const $ = (id) => document.getElementById(id);
  const parts = makeParts(told.words), { say, make, option } = parts;
  const agreed = makeAgreement(told, parts);
  const tell = (text) => { $("state").textContent = text; };
  const { ask } = makeAsking(told, say, tell);
  const rules = document.querySelector("[name=rules]");
  const base = agreed.base;
  const record = { players: [], start: {}, deals: [] };
  const whole = () => ({
    format: "brou-record/1", rules: agreed.name(),
    players: base().seats.map((name, at) => record.players[at] || name),
    start: record.start, deals: record.deals,
  });
  const readRecord = (found) => {
    agreed.read(String(found.rules || ""));
    record.players = Array.isArray(found.players) ? found.players.map((name, at) => (String(name) === base().seats[at] ? "" : String(name))) : [];
    record.start = found.start && typeof found.start === "object" ? found.start : {};
    record.deals = Array.isArray(found.deals) ? found.deals.filter((one) => one && typeof one.short === "object") : [];
  };

  // The form ----------------------------------------------------------------------
  let written = "";
  const changed = () => {
    written = `#r=${encodeURIComponent(JSON.stringify(whole()))}`;
    history.replaceState(null, "", written);
    for (const link of document.querySelectorAll(".tongues a")) link.hash = written;
    $("save").href = `data:application/json;charset=utf-8,${encodeURIComponent(`${JSON.stringify(whole(), null, 1)}\n`)}`;
    $("agree").href = `agree.html#rules=${encodeURIComponent(agreed.name())}&${written.slice(1)}`;
    $("other").textContent = agreed.tell();
    // The old result keeps its room: the button above must not move under the hand that corrects a figure and clicks.
    $("result").classList.add("stale");
  };
  const players = (seats) => seats.map((seat) => record.players[seat] || base().seats[seat]).join(" + ");
  const nameOf = (field, one) => (field.type === "team" ? players(base().teams[one.value]) : field.type === "player" ? players([one.value]) : one.name);
  /** Return an input for one value: of a list, a number, or yes and no; `take` gets undefined where nothing is chosen. */
  const input = (field, value, take, label) => {
    if (field.values) {
      const pick = make("select", { "aria-label": label }, option("", "\u2013"), ...field.values.map((one, at) => option(String(at), nameOf(field, one))));
      const at = field.values.findIndex((one) => one.value === value);
      pick.value = at < 0 ? "" : String(at);
      pick.addEventListener("change", () => take(field.values[pick.value]?.value));
      return pick;
    }
    const number = make("input", { type: "number", inputMode: "numeric", "aria-label": label, min: field.from, max: field.to, value: value ?? "" });
    const hint = make("span", { className: "no", role: "status" });
    const check = () => {
      const given = Number(number.value), wrong = given % (field.unit || 1) !== 0;
      number.setAttribute("aria-invalid", String(wrong));
      hint.textContent = wrong ? ` ${say("score_points", { given, points: given * field.unit })}` : "";
    };
    number.addEventListener("change", () => { check(); take(number.value === "" ? undefined : Number(number.value)); });
    check();
    return make("span", {}, number, hint);
  };
  const set = (object, key, value) => { if (value === undefined) delete object[key]; else object[key] = value; changed(); };
  const capital = (text) => text.charAt(0).toLocaleUpperCase(told.lang) + text.slice(1);
  /** Return an entry of the state before the first deal; what stands on the slate in units is asked for in points. */
  const inPoints = (entry) => {
    const { unit, kept } = base().sheet;
    if (unit === 1 || !kept.includes(entry.key)) return entry;
    return { ...entry, name: `${entry.name} (${say("score_unit", { unit })})`, fields: entry.fields.map((field) => ({ ...field, unit })) };
  };
  /** Return inputs for one entry: as the record writes it, bare, by name, or one for each side. */
  const fill = (entry, value, take) => {
    const title = entry.name;
    if (entry.each) {
      const list = Array.isArray(value) ? [...value] : [];
      return entry.each.values.map((side, at) => make("label", {}, nameOf(entry.each, side), make("br"), input(entry.fields[0], list[at], (one) => {
        list[at] = one;
        take(entry.each.values.every((_, place) => list[place] === undefined) ? undefined : entry.each.values.map((_, place) => list[place] ?? 0));
      }, `${title}: ${nameOf(entry.each, side)}`)));
    }
    if (entry.fields.length === 1) return [input(entry.fields[0], value, take, title)];
    const parts = value && typeof value === "object" ? { ...value } : {};
    return entry.fields.map((field) => make("label", {}, capital(field.name), make("br"), input(field, parts[field.key], (one) => {
      if (one === undefined) delete parts[field.key]; else parts[field.key] = one;
      take(Object.keys(parts).length ? { ...parts } : undefined);
    }, `${title}: ${field.name}`)));
  };
  const showEntry = (entry, short) => {
    const key = entry.key, inner = make("div", { className: "row" });
    const draw = () => {
      if (!entry.many) { inner.replaceChildren(...fill(entry, short[key], (value) => set(short, key, value))); return; }
      const list = Array.isArray(short[key]) ? short[key] : [];
      const add = make("button", { type: "button", onclick: () => { set(short, key, [...list, {}]); draw(); } }, say("score_add"));
      inner.replaceChildren(...list.map((one, at) => make("div", { className: "row item" }, ...fill(entry, one, (value) => {
        list[at] = value ?? {};
        set(short, key, [...list]);
      }), make("button", { type: "button", onclick: () => { set(short, key, list.length > 1 ? list.filter((_, place) => place !== at) : undefined); draw(); } }, say("score_remove")))), add);
    };
    draw();
    return make("fieldset", { className: "switch" }, make("legend", {}, entry.name), inner);
  };
  const show = () => {
    rules.value = agreed.chosen.rules;
    $("players").replaceChildren(...base().seats.map((seat, at) => make("label", {}, seat, make("br"), make("input", {
      value: record.players[at] || "", autocomplete: "off", onchange: (event) => { record.players[at] = event.target.value.trim(); show(); changed(); },
    }))));
    $("start").replaceChildren(...base().sheet.start.map(inPoints).map((one) => make("fieldset", { className: "switch" }, make("legend", {}, one.name), make("div", { className: "row" }, ...fill(one, record.start[one.key], (value) => set(record.start, one.key, value))))));
    $("deals").replaceChildren(...record.deals.map((deal, at) => {
      const entries = base().sheet.entries, plain = entries.filter((one) => !one.settles), ending = entries.filter((one) => one.settles);
      const open = ending.some((one) => deal.short[one.key] !== undefined);
      return make("section", { className: "deal" }, make("h3", {}, say("score_deal", { number: at + 1 })),
        ...plain.map((one) => showEntry(one, deal.short)),
        make("details", { open }, make("summary", {}, say("score_ending")), ...ending.map((one) => showEntry(one, deal.short))),
        make("p", {}, make("button", { type: "button", onclick: () => { record.deals.splice(at, 1); show(); changed(); } }, say("score_drop", { number: at + 1 }))));
    }));
  };

  // The result --------------------------------------------------------------------
  const clauses = (list) => list.flatMap((one) => [" ", parts.clauseLink(told.passages, one.id ?? one)]);
  const change = (one) => `${one.whose ? `${one.whose}: ` : ""}${one.said} ${one.by === null ? one.shown : `${one.by < 0 ? "\u2212" : "+"}${Math.abs(one.by)} = ${one.shown}`}`;
  const showLine = (line) => make("li", {}, line.said, ...line.changes.map((one) => make("span", { className: "aside" }, ` \u2013 ${change(one)}`)), ...clauses(line.clauses));
  const cell = (value) => make("td", {}, value === null || value === undefined ? "" : String(value));
  /** Return the sums as they are written on the slate, where it is kept in units of several points. */
  const showKept = ({ figure, after }) => {
    const { unit, kept } = base().sheet;
    return unit > 1 && kept.includes(figure) ? make("tr", { className: "kept" }, make("th", { scope: "row" }, say("score_kept")), ...after.map((points) => cell(points / unit))) : "";
  };
  const showSlate = (slate) => make("table", { className: "slate" }, make("caption", {}, slate.said),
    make("thead", {}, make("tr", {}, make("td"), ...slate.whose.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, make("tr", {}, make("th", { scope: "row" }, say("score_before")), ...slate.before.map(cell)),
      ...slate.rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.what), ...row.values.map((value) => cell(value > 0 ? `+${value}` : value)))),
      make("tr", { className: "sum" }, make("th", { scope: "row" }, say("score_after")), ...slate.after.map(cell)), showKept(slate)));
  const showDeal = (deal) => make("section", { className: "scene" }, make("h3", {}, say("score_deal", { number: deal.id })),
    make("ul", {}, ...deal.lines.map(showLine)), make("div", { className: "table" }, ...deal.slate.map(showSlate)),
    make("ul", {}, ...deal.result.filter((one) => !one.empty).map((one) => make("li", {}, make("strong", {}, `${one.said}: ${one.shown}`),
      ...one.writes.filter((write) => write.because).map((write) => ` \u2013 ${write.because}`), ...clauses(one.clauses))),
      deal.count?.winner === null ? make("li", {}, say("score_nobody")) : ""));
  /** Return the heading of what is wrong: the moment before the first deal, an entry that is missing, or a deal. */
  const nameFault = ({ deal }, missing) => {
    if (!deal) return say("score_start_wrong");
    return missing.length ? say("score_missing", { number: deal, what: missing.join(", ") }) : say("score_impossible", { number: deal });
  };
  const showFault = (fault) => {
    const short = record.deals[Number(fault.deal) - 1]?.short || {};
    const left = (one) => one.entry && one.entry !== fault.entry && short[one.entry] === undefined;
    const missing = fault.meant.filter(left).map((one) => base().sheet.entries.find(({ key }) => key === one.entry)?.name || one.said);
    const meant = fault.meant.filter((one) => !left(one));
    return make("section", { className: "scene" }, make("h3", { className: "no" }, nameFault(fault, missing)),
      make("p", {}, [fault.said, fault.because].filter(Boolean).join(": "), ...clauses(fault.clauses)),
      ...(meant.length ? [make("p", {}, say("score_meant")), make("ul", {}, ...meant.map((one) => make("li", {}, one.said)))] : []));
  };
  const settle = async () => {
    $("result").replaceChildren();
    $("result").classList.remove("stale");
    const wrong = $("start").querySelector("[aria-invalid=true]");
    if (wrong) {
      $("result").replaceChildren(make("section", { className: "scene" }, make("h3", { className: "no" }, say("score_start_wrong")), make("p", {}, wrong.nextSibling.textContent.trim())));
      wrong.focus();
      return;
    }
    const answer = await ask("score", { ask: "score", rules: agreed.name(), lang: told.lang, record: whole() });
    if (!answer) return;
    const box = $("result");
    if (answer.error) { box.replaceChildren(make("p", { className: "no" }, answer.missing ? answer.error : say("play_error", { what: answer.error }))); return; }
    const found = answer.games[0];
    box.replaceChildren(...found.deals.map(showDeal), ...(found.fault ? [showFault(found.fault)] : []));
    box.focus();
  };

  // Beginning ---------------------------------------------------------------------
  const readAddress = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    try {
      readRecord(given.has("r") ? JSON.parse(given.get("r")) : { rules: given.get("rules") || "", deals: [{ short: {} }] });
    } catch {
      readRecord({ deals: [{ short: {} }] });
    }
    show();
    changed();
  };
  rules.append(...told.rules.map((one) => option(one.id, one.name)));
  rules.addEventListener("change", () => { agreed.change(rules.value); show(); changed(); });
  $("add").addEventListener("click", () => { record.deals.push({ short: {} }); show(); changed(); $("deals").lastElementChild.querySelector("select,input").focus(); });
  $("settle").addEventListener("click", settle);
  $("open").addEventListener("change", async () => {
    try {
      const found = JSON.parse(await $("open").files[0].text());
      if (found.format !== "brou-record/1") throw new TypeError("no record");
      readRecord(found);
      show();
      changed();
    } catch { tell(say("score_unreadable")); }
  });
  $("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      tell(say("play_copied"));
    } catch { tell(location.href); }
  });
  for (const form of document.querySelectorAll("#score form")) form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => { if (location.hash !== written) readAddress(); });
  $("score").hidden = false;
  if (!told.engine) tell(say("score_no_engine"));
  readAddress();
})();
