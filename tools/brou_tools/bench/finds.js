// Runs in the search page of a site: types a word and times until its finds are listed. Returns milliseconds.
async ([word, rounds]) => {
  const field = document.querySelector("#search [name=words]"), list = document.getElementById("found");
  const type = (text) => { field.value = text; field.dispatchEvent(new Event("input", { bubbles: true })); };
  const wait = async (fits) => { while (!fits()) await new Promise((done) => setTimeout(done, 1)); };
  const found = [];
  for (let round = 0; round < rounds; round += 1) {
    type("");
    await wait(() => !list.children.length);
    const begun = performance.now();
    type(word);
    await wait(() => list.children.length);
    found.push(performance.now() - begun);
  }
  return found;
}
