"use strict";
// Everything can be read without this: it filters lists, opens what an address names, and steps through scenes.
for (const form of document.querySelectorAll("form[data-filters]")) {
  const list = document.getElementById(form.dataset.filters);
  const rows = [...list.querySelectorAll(".case")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const [words, about, told] = ["words", "about", "told"].map((name) => form.elements.namedItem(name));
  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, number) => {
      const fits = wanted.every((word) => texts[number].includes(word))
        && (!about || !about.value || row.dataset.about.split(" ").includes(about.value));
      row.hidden = !fits;
      shown += fits;
    });
    told.value = form.dataset.told.replace("{shown}", shown).replace("{all}", rows.length);
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}
const open = () => {
  const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = named; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (named) named.scrollIntoView();
};
addEventListener("hashchange", open);
open();
const opened = [];
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details:not([open]):not([hidden])")) {
    one.open = true;
    opened.push(one);
  }
});
addEventListener("afterprint", () => opened.splice(0).forEach((one) => { one.open = false; }));
for (const course of document.querySelectorAll(".course")) {
  const scenes = [...course.querySelectorAll(".scene")];
  if (scenes.length < 2) continue;
  const bar = course.querySelector(".steps");
  const [back, all, on] = bar.querySelectorAll("button");
  const told = bar.querySelector("output");
  let at = 0, whole = false;
  const show = () => {
    scenes.forEach((scene, number) => { scene.hidden = !whole && number !== at; });
    back.disabled = whole || at === 0;
    on.disabled = whole || at === scenes.length - 1;
    all.setAttribute("aria-pressed", String(whole));
    told.value = whole ? "" : `${at + 1} / ${scenes.length}`;
  };
  const step = (by) => { at = Math.min(Math.max(at + by, 0), scenes.length - 1); show(); };
  back.addEventListener("click", () => step(-1));
  on.addEventListener("click", () => step(1));
  all.addEventListener("click", () => { whole = !whole; show(); });
  course.addEventListener("keydown", (event) => {
    if (whole || event.target.tagName === "INPUT") return;
    if (event.key === "ArrowRight") step(1);
    if (event.key === "ArrowLeft") step(-1);
  });
  bar.hidden = false;
  show();
}
// In lists of many cases cards stand as text; they are drawn when a case is opened.
for (const list of document.querySelectorAll("[data-cards]")) {
  const classes = JSON.parse(list.dataset.cards);
  list.addEventListener("toggle", (event) => {
    for (const part of event.target.querySelectorAll(".d")) {
      part.classList.remove("d");
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) if (walker.currentNode.parentNode.tagName !== "I") texts.push(walker.currentNode);
      for (const text of texts) {
        const parts = text.data.split(/(\s+)/).map((word) => {
          if (!Object.hasOwn(classes, word)) return document.createTextNode(word);
          const card = document.createElement("i");
          card.className = classes[word];
          card.textContent = word;
          return card;
        });
        text.replaceWith(...parts);
      }
    }
  }, true);
}
