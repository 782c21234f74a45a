// Keyboard and small comforts. The page works without any of it; nothing is stored.
"use strict";
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const line = one("#line");
  const help = one("#help");

  const typing = (target) =>
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) &&
    !/^(radio|checkbox|button|submit)$/.test(target.type || ""));

  const follow = (selector) => { const link = one(selector); if (link) link.click(); };

  const currentHit = () => document.activeElement && document.activeElement.closest(".hit");

  const move = (step) => {
    const links = all(".hit-open");
    if (!links.length) return;
    const here = currentHit() ? links.indexOf(currentHit().querySelector(".hit-open")) : -1;
    const next = here < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(here + step, 0), links.length - 1);
    links[next].focus({ preventScroll: true });
    links[next].closest(".hit").scrollIntoView({ block: "nearest" });
  };

  const why = () => {
    const hit = currentHit() || one(".hit");
    const details = hit && hit.querySelector(".why");
    if (details) details.open = !details.open;
  };

  const keys = {
    "/": () => { line.focus(); line.select(); },
    "?": () => help.showModal(),
    j: () => move(1),
    k: () => move(-1),
    o: () => { const hit = currentHit(); if (hit) hit.querySelector(".hit-open").click(); },
    w: why,
    n: () => follow("a[rel=next]"),
    p: () => follow("a[rel=prev]"),
    b: () => follow("#back"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  const opener = one("#help-open");
  if (opener) opener.addEventListener("click", () => help.showModal());
  help.addEventListener("click", (event) => { if (event.target === help) help.close(); });

  const toggle = one(".facets-toggle");
  if (toggle) {
    toggle.addEventListener("click", () => {
      const open = toggle.getAttribute("aria-expanded") !== "true";
      toggle.setAttribute("aria-expanded", String(open));
      toggle.closest(".facets").classList.toggle("facets-open", open);
    });
  }

  // Say that a search is under way; undone when the page comes back from the browser's cache.
  const go = one(".searchline-go");
  const label = go && go.textContent;
  document.addEventListener("submit", (event) => {
    if (event.target.method === "dialog" || !go) return;
    go.textContent = "Searching…";
    document.body.setAttribute("aria-busy", "true");
  });
  window.addEventListener("pageshow", () => {
    if (go) go.textContent = label;
    document.body.removeAttribute("aria-busy");
  });

  // A finding shows the words that decided it.
  const light = (event, on) => {
    const finding = event.target instanceof Element && event.target.closest("[data-finding]");
    if (!finding) return;
    const where = finding.closest(".hit-text, .note-paper");
    const number = finding.dataset.finding;
    if (where) where.querySelectorAll(`[data-triggers~="${number}"]`).forEach((word) => word.classList.toggle("lit", on));
  };
  document.addEventListener("mouseover", (event) => light(event, true));
  document.addEventListener("mouseout", (event) => light(event, false));

  // Names of concepts that go on from the words typed last; the browser's own list shows them.
  const names = one("#names");
  let waiting = 0;
  const complete = async () => {
    const words = line.value.split(/(?<=\s)/);
    for (let take = Math.min(3, words.length); take > 0; take -= 1) {
      const start = words.slice(-take).join("").replace(/^-/, "");
      if (start.trim().length < 2) return;
      const answer = await fetch(names.dataset.url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ start }),
      });
      const found = answer.ok ? await answer.json() : [];
      if (!found.length) continue;
      const before = line.value.slice(0, line.value.length - start.length);
      names.replaceChildren(...found.map((concept) => {
        const option = document.createElement("option");
        option.value = before + concept.name;
        option.label = `${concept.kind} · ${concept.passages} ${concept.passages === 1 ? "passage" : "passages"}`;
        return option;
      }));
      return;
    }
    names.replaceChildren();
  };
  if (line && names) {
    line.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => complete().catch(() => {}), 150); });
  }

  // Scopes chosen before the first search also hold for the examples.
  all(".scope-radio").forEach((radio) => radio.addEventListener("change", () => {
    const hidden = one("#ask input[name=scope]");
    if (hidden) hidden.value = radio.value;
  }));
})();
