// From passage to passage through a patient's notes; those that are not read yet are fetched when one comes to them.
// The record reads without it; nothing is stored.
"use strict";
(() => {
  const sift = document.querySelector("#sift");
  if (!sift) return;
  const rows = [...document.querySelectorAll("[aria-labelledby=findings-title] tbody tr")]
    .map((row) => [row, row.cells[0].textContent.trim().toLowerCase()]);
  const told = document.querySelector("output[for=sift]");
  const sifted = () => {
    const words = sift.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter(([row, name]) => !(row.hidden = !words.every((word) => name.includes(word))));
    told.textContent = `${found.length.toLocaleString("en")} ${found.length === 1 ? "finding" : "findings"}`;
  };
  sift.addEventListener("input", sifted);
  sifted(); // a browser that comes back fills the field again
})();
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const steps = one(".record-steps");
  if (!steps) return;

  const told = document.createElement("p");
  told.className = "visually-hidden";
  told.setAttribute("role", "status");
  document.body.append(told);
  const at = one(".record-at");
  const say = (words, more = "") => { at.textContent = words; told.textContent = `${words}${more}`; };

  // The rows of a part come together, and take the place of those that stood for them.
  const coming = new Map();
  const fetched = async (url) => {
    const answer = await fetch(url);
    if (!answer.ok || answer.redirected) throw new Error();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [first, ...others] = all("[data-part]").filter((row) => row.dataset.part === url);
    const focused = document.activeElement.closest(".record-note");
    first.replaceWith(...[...page.body.children].map((row) => document.adoptNode(row)));
    others.forEach((row) => row.remove());
    if (focused && !focused.isConnected) {
      const row = document.getElementById(focused.id);
      if (row) row.querySelector("a").focus({ preventScroll: true });
    }
  };
  const read = async (row) => {
    const url = row.dataset.part;
    if (!coming.has(url)) {
      say("Reading more of the notes…");
      coming.set(url, fetched(url).finally(() => coming.delete(url)));
    }
    try {
      await coming.get(url);
      say("");
      return true;
    } catch {
      say("These passages cannot be read now. Reload the page.");
      return false;
    }
  };

  // Near-copies are passed over while they are folded.
  const places = () => all(".record-snippet[data-match], .record-note[data-part]")
    .filter((place) => !place.closest(".record-copies:not([open])"));
  const here = () => document.activeElement.closest(".record-snippet, .record-note")
    || one(".record-snippet[aria-current]") || one(".record-note:target");
  const neighbour = (from, step) => {
    if (step > 0 && from && from.dataset.part) return from;
    const side = step > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    return places().filter((place) => !from || from.compareDocumentPosition(place) & side).at(step > 0 ? 0 : -1);
  };

  const show = (passage, focus, from) => {
    const current = one(".record-snippet[aria-current]");
    if (current) current.removeAttribute("aria-current");
    passage.setAttribute("aria-current", "true");
    const more = passage.closest(".record-more:not([open])");
    if (more) more.open = true;
    const link = passage.querySelector("a");
    if (focus) link.focus({ preventScroll: true });
    passage.scrollIntoView({ block: "center" });
    const row = passage.closest(".record-note");
    const place = [row.querySelector("time, .quiet"), row.querySelector(".hit-open"), link].map((part) => part.textContent.trim());
    // The focus has the passage read out; where it stays on a button, the words are said.
    const number = Number(passage.dataset.match);
    const passed = from && from.dataset.match ? Math.abs(number - from.dataset.match) - 1 : 0;
    const over = passed > 0 ? `, ${passed} near-${passed === 1 ? "copy" : "copies"} passed over` : "";
    say(`${number.toLocaleString("en")} of ${steps.dataset.passages}${over}`, `: ${place.join(", ")}${focus ? "" : `: ${passage.querySelector(".record-words").textContent}`}`);
  };

  let busy = false;
  const move = async (step, focus) => {
    if (busy) return;
    busy = true;
    try {
      let from = here();
      let found = neighbour(from, step);
      while (found && found.dataset.part) {
        if (!(await read(found))) return;
        if (from && !from.isConnected) from = document.getElementById(from.id);
        found = neighbour(from, step);
      }
      if (found) show(found, focus, from);
      else say(step > 0 ? "This is the last one." : "This is the first one.");
    } finally {
      busy = false;
    }
  };

  steps.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) move(Number(button.dataset.step), false);
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".record-read");
    if (button && await read(button.closest(".record-note"))) at.textContent = `${steps.dataset.passages} passages`;
  });

  const typing = (target) => target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  document.addEventListener("keydown", (event) => {
    const step = { n: 1, p: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || one("#help").open) return;
    event.preventDefault();
    move(step, true);
  }, true);
})();
