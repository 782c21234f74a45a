// From passage to passage through a patient's notes; those that are not read yet are fetched when one comes to them.
// The record reads without it; nothing is stored.
"use strict";
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

  // The rows of a part come together, and each takes the place of the one that stood for it.
  const coming = new Map();
  const fetched = async (url) => {
    const answer = await fetch(url);
    if (!answer.ok || answer.redirected) throw new Error();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    page.querySelectorAll(".record-note").forEach((row) => {
      const old = document.getElementById(row.id);
      if (!old) return;
      const focused = old.contains(document.activeElement);
      old.replaceWith(document.adoptNode(row));
      if (focused) row.querySelector("a").focus({ preventScroll: true });
    });
    all("[data-part]").filter((row) => row.dataset.part === url).forEach((row) => row.removeAttribute("data-part"));
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

  const places = () => all(".record-snippet[data-match], .record-note[data-part]");
  const here = () => document.activeElement.closest(".record-snippet, .record-note")
    || one(".record-snippet[aria-current]") || one(".record-note:target");
  const neighbour = (from, step) => {
    if (step > 0 && from && from.dataset.part) return from;
    const side = step > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    return places().filter((place) => !from || from.compareDocumentPosition(place) & side).at(step > 0 ? 0 : -1);
  };

  const show = (passage, focus) => {
    const current = one(".record-snippet[aria-current]");
    if (current) current.removeAttribute("aria-current");
    passage.setAttribute("aria-current", "true");
    const more = passage.closest("details:not([open])");
    if (more) more.open = true;
    const link = passage.querySelector("a");
    if (focus) link.focus({ preventScroll: true });
    passage.scrollIntoView({ block: "center" });
    const row = passage.closest(".record-note");
    const place = [row.querySelector("time, .quiet"), row.querySelector(".hit-open"), link].map((part) => part.textContent.trim());
    // The focus has the passage read out; where it stays on a button, the words are said.
    say(`${Number(passage.dataset.match).toLocaleString("en")} of ${steps.dataset.passages}`, `: ${place.join(", ")}${focus ? "" : `: ${passage.lastElementChild.textContent}`}`);
  };

  let busy = false;
  const move = async (step, focus) => {
    if (busy) return;
    busy = true;
    try {
      const found = neighbour(here(), step);
      if (!found) { say(step > 0 ? "This is the last one." : "This is the first one."); return; }
      if (!found.dataset.part) { show(found, focus); return; }
      const { id } = found;
      if (!(await read(found))) return;
      const own = [...document.getElementById(id).querySelectorAll(".record-snippet")];
      if (own.length) show(own.at(step > 0 ? 0 : -1), focus);
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
