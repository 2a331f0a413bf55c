"use strict";
// A table ticks what it plays by: the page then links to pages that speak these rules. What is ticked stands in the address.
(() => {
  const told = JSON.parse(document.getElementById("told").textContent);
  const $ = (id) => document.getElementById(id);
  const parts = makeParts(told.words), { say, make, option } = parts;
  const agreed = makeAgreement(told, parts);
  const rules = document.querySelector("[name=rules]");
  let written = "", laid = new URLSearchParams();
  /** Return the address of a page that speaks these rules, with what was laid or noted there. */
  const locate = (page) => {
    const parts = new URLSearchParams(laid), record = parts.get("r");
    parts.delete("r");
    parts.set("rules", agreed.name());
    if (page !== "score") return parts;
    const plain = new URLSearchParams({ rules: agreed.name() });
    if (!record) return plain;
    try { return new URLSearchParams({ r: JSON.stringify({ ...JSON.parse(record), rules: agreed.name() }) }); } catch { return plain; }
  };
  const show = () => {
    rules.value = agreed.chosen.rules;
    agreed.show($("readings"), show);
    $("agreement").textContent = agreed.file();
    laid.set("rules", agreed.name());
    written = `#${laid}`;
    history.replaceState(null, "", written);
    for (const link of document.querySelectorAll("[data-page]")) link.href = `${link.dataset.page}.html#${locate(link.dataset.page)}`;
    for (const link of document.querySelectorAll(".tongues a")) link.hash = written;
    $("other").textContent = agreed.tell();
    $("save").href = `data:text/yaml;charset=utf-8,${encodeURIComponent(`${agreed.file()}\n`)}`;
  };
  const readAddress = () => {
    laid = new URLSearchParams(location.hash.slice(1));
    agreed.read(laid.get("rules") || "");
    show();
  };
  rules.append(...told.rules.map((one) => option(one.id, one.name)));
  rules.addEventListener("change", () => { agreed.change(rules.value); show(); });
  for (const form of document.querySelectorAll("#agreed form")) form.addEventListener("submit", (event) => event.preventDefault());
  $("print").addEventListener("click", () => print());
  $("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      $("state").textContent = say("play_copied");
    } catch { $("state").textContent = location.href; }
  });
  addEventListener("hashchange", () => { if (location.hash !== written) readAddress(); });
  $("agreed").hidden = false;
  readAddress();
})();
