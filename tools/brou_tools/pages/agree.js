"use strict";
// A table ticks what it plays by: the page then links to pages that speak these rules. What is ticked stands in the address.
(() => {
  const told = JSON.parse(document.getElementById("told").textContent);
  const $ = (id) => document.getElementById(id);
  const parts = makeParts(told.words), { say, make, option } = parts;
  const agreed = makeAgreement(told, parts);
  const rules = document.querySelector("[name=rules]");
  let written = "";
  const show = () => {
    rules.value = agreed.chosen.rules;
    agreed.show($("readings"), show);
    $("agreement").textContent = agreed.file();
    const named = `rules=${encodeURIComponent(agreed.name())}`;
    written = `#${named}`;
    history.replaceState(null, "", written);
    for (const link of document.querySelectorAll("[data-page]")) link.href = `${link.dataset.page}.html#${named}`;
    for (const link of document.querySelectorAll(".tongues a")) link.hash = named;
    $("other").textContent = agreed.others().length ? say("agree_other", { number: agreed.others().length }) : say("agree_same");
    $("save").href = `data:text/yaml;charset=utf-8,${encodeURIComponent(`${agreed.file()}\n`)}`;
  };
  const readAddress = () => { agreed.read(new URLSearchParams(location.hash.slice(1)).get("rules") || ""); show(); };
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
