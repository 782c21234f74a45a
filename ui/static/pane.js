// The note of the chosen hit beside the hits, where there is room. The hits lead to their notes without it; nothing is
// stored.
"use strict";
(() => {
  const pane = document.querySelector("#pane");
  const results = document.querySelector("#results");
  const body = pane.querySelector(".pane-body");
  const words = pane.querySelector("template").content;
  const said = document.querySelector("#pane-said");
  const room = matchMedia("(min-width: 75rem)");

  const text = () => body.querySelector(".pane-text");
  let chosen = "";
  let asking = new AbortController();
  let resting = 0;

  const passage = (id) => text() && text().querySelector(`[data-passage="${CSS.escape(id)}"]`);

  // The note alone is scrolled, never the page.
  const stand = (first) => {
    const of = text();
    body.querySelectorAll("[aria-current]").forEach((one) => one.removeAttribute("aria-current"));
    const cell = body.querySelector(`[data-near="${CSS.escape(first.dataset.passage)}"]`);
    [first, cell].forEach((one) => { if (one) one.setAttribute("aria-current", "true"); });
    const away = first.getBoundingClientRect().top - of.getBoundingClientRect().top;
    of.scrollTop += away - of.clientHeight / 4;
  };
  const show = (number, told) => {
    const of = text();
    of.dataset.position = number;
    const first = body.querySelector(`[data-match="${number}"]`);
    if (!first) return;
    stand(first);
    const where = `Passage ${number} of ${of.dataset.passages}`;
    const at = body.querySelector(".pane-at");
    if (at) at.textContent = where;
    if (told) said.textContent = `${body.querySelector(".pane-head").dataset.name}, ${first.closest("section").getAttribute("aria-label")}. ${where}.`;
  };

  const step = (by) => {
    const of = text();
    const next = Number(of.dataset.position) + by;
    if (next < 1 || next > Number(of.dataset.passages)) {
      said.textContent = by > 0 ? "This is the last passage of the note." : "This is the first passage of the note.";
    } else {
      show(next, true);
    }
  };

  const says = (name) => body.replaceChildren(words.querySelector(name).cloneNode(true));
  const problem = (hit) => {
    says(".pane-failed");
    body.querySelector("a").href = hit.querySelector(".hit-open").href;
  };

  const load = async (hit, told) => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    body.setAttribute("aria-busy", "true");
    // No other patient's note stands beside the hit for long.
    const slow = setTimeout(() => says(".pane-reading"), 250);
    signal.addEventListener("abort", () => clearTimeout(slow));
    try {
      const answer = await fetch(hit.dataset.beside, { signal });
      if (!answer.ok || answer.redirected) throw new Error();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (signal.aborted) return;
      clearTimeout(slow);
      body.replaceChildren(...[...page.body.children].map((one) => document.adoptNode(one)));
      show(Number(text().dataset.position), told);
    } catch {
      if (signal.aborted) return;
      clearTimeout(slow);
      problem(hit);
      if (told) said.textContent = body.textContent.trim();
    }
    body.removeAttribute("aria-busy");
  };

  const mark = () => {
    results.querySelectorAll(".hit[aria-current]").forEach((one) => one.removeAttribute("aria-current"));
    const hit = document.getElementById(chosen);
    if (hit) hit.setAttribute("aria-current", "true");
    return hit;
  };

  const choose = (hit, told) => {
    clearTimeout(resting);
    if (!room.matches || !hit || hit.id === chosen) return;
    chosen = hit.id;
    mark();
    const here = passage(chosen.replace("hit-", ""));
    if (here && here.dataset.match) {
      asking.abort();
      body.removeAttribute("aria-busy");
      show(Number(here.dataset.match), told);
    } else {
      load(hit, told);
    }
  };

  // What is chosen by key is read once the key rests, so that going down a list loads no note on the way.
  const rest = (hit) => {
    clearTimeout(resting);
    resting = setTimeout(() => choose(hit, true), 150);
  };
  results.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) rest(event.target.closest(".hit"));
  });
  results.addEventListener("click", (event) => {
    const hit = event.target.closest(".hit");
    if (hit && !event.target.closest("a, button")) choose(hit, true);
  });
  pane.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(Number(button.dataset.step));
    // A cell of the heat strip, by a click that opens no other window.
    const cell = event.target.closest("[data-near]");
    const near = cell && !event.ctrlKey && !event.metaKey && !event.shiftKey && passage(cell.dataset.near);
    if (!near) return;
    event.preventDefault();
    if (near.dataset.match) show(Number(near.dataset.match), true);
    else {
      stand(near);
      said.textContent = `${cell.getAttribute("aria-label")}.`;
    }
  });

  const typing = (target) => target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  document.addEventListener("keydown", (event) => {
    const by = { n: 1, p: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (!room.matches || !text() || document.querySelector("#help").open) return;
    event.preventDefault();
    step(by);
  }, true);

  // It ends where the window does, also below what stands above the hits: a passage beyond could not be seen.
  const fit = () => pane.style.setProperty("--above", `${Math.round(pane.getBoundingClientRect().top)}px`);
  ["scroll", "resize"].forEach((moved) => window.addEventListener(moved, () => requestAnimationFrame(fit), { passive: true }));
  room.addEventListener("change", fit);
  fit();

  // The first hit, or that from whose note one comes; once the order of the hits is the final one.
  const begin = () => {
    if (mark()) return;
    const came = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    choose(came && came.matches(".hit") ? came : results.querySelector(".hit"), false);
  };
  const waits = document.querySelector("#order[data-reordered]");
  document.addEventListener("order", begin);
  room.addEventListener("change", begin);
  if (!waits) begin();
})();
