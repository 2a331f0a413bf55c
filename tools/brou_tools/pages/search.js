"use strict";
// Looks through the indices of the site, scripts of their own, so that it works from files as well. They are fetched one
// after the other once the page is there: the first one makes the list that the others add to.
(async () => {
  const form = document.getElementById("search");
  const [words, kind, told] = ["words", "kind", "told"].map((name) => form.elements.namedItem(name));
  const list = document.getElementById("found");
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  let rows = [];
  const read = () => {
    rows = searchIndex.map(([what, game, id, text, place, more]) => ({
      what, game, id, text, place, name: fold(id), title: fold(text), whole: fold(`${id} ${text} ${game} ${more || ""}`),
    }));
  };
  const most = Number(form.dataset.most);
  const rank = (row, wanted) => (row.name === wanted ? 0 : row.name.includes(wanted) ? 1 : row.title.includes(wanted) ? 2 : 3);
  const show = () => {
    const wanted = fold(words.value).split(/\s+/).filter(Boolean);
    const found = wanted.length === 0 ? [] : rows.filter((row) => (
      (!kind.value || row.what === kind.value) && wanted.every((word) => row.whole.includes(word))
    ));
    found.sort((one, other) => rank(one, wanted.join(" ")) - rank(other, wanted.join(" ")));
    list.replaceChildren(...found.slice(0, most).map((row) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const about = document.createElement("span");
      link.href = row.place;
      link.textContent = row.text;
      about.className = "id";
      about.textContent = `${form.dataset[row.what]}, ${row.game}${row.id ? `: ${row.id}` : ""}`;
      item.append(link, about);
      return item;
    }));
    told.value = wanted.length === 0 ? "" : (found.length > most ? form.dataset.more : form.dataset.told).replace("{number}", found.length);
    history.replaceState(null, "", `#${encodeURIComponent(words.value)}`);
  };
  words.value = decodeURIComponent(location.hash.slice(1));
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  for (const src of form.dataset.indices.split(" ")) {
    await new Promise((done) => {
      const script = document.createElement("script");
      script.onload = script.onerror = done;
      script.src = src;
      document.head.append(script);
    });
    if (typeof searchIndex !== "undefined") read();
    show();
  }
})();
