// The final order of an answer, shown in place of the first one as long as nobody has moved on the page; else offered.
"use strict";
(() => {
  const results = document.querySelector("#results");
  const line = document.querySelector("#order");
  const words = line.querySelector("span");
  const link = line.querySelector("a");
  const before = words.textContent;
  const said = document.querySelector("#order-said");
  // All that both orders must have alike: where one of these differs, the notes have changed in between.
  const STEADY = ["#headline", ".criteria", ".counts-more", ".counts-hint > :first-child", "#facets-body", ".pages"];

  // Whether somebody reads here already: then nothing may change under them.
  const opened = performance.getEntriesByType("navigation")[0];
  let moved = Boolean(location.hash) || (opened && opened.type === "back_forward");
  const move = () => { moved = true; };
  for (const what of ["keydown", "pointerdown", "wheel", "input", "focusin"]) addEventListener(what, move, { capture: true, once: true, passive: true });
  results.addEventListener("pointermove", (event) => { if (event.movementX || event.movementY) move(); }, { passive: true });
  const reads = () => moved || scrollY > 0 || document.activeElement !== document.body || !getSelection().isCollapsed;

  const rows = () => [...results.querySelectorAll(":scope > .hit, :scope > .group")];
  const name = (row) => row.id || row.querySelector("h2").textContent;
  const steady = (page) => STEADY.every((one) => {
    const [here, there] = [document, page].map((of) => { const found = of.querySelector(one); return found && found.textContent; });
    return here === there;
  });

  // Told to what stands beside the hits.
  const settled = () => document.dispatchEvent(new Event("order"));

  const show = (page) => {
    const places = new Map(rows().map((row) => [name(row), row.getBoundingClientRect().top]));
    results.replaceChildren(...page.querySelector("#results").childNodes);
    line.remove();
    const timing = page.querySelector(".timing");
    if (timing) document.querySelector(".timing").replaceWith(timing);
    history.replaceState(history.state, "", link.href);
    settled();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const row of rows()) {
      const was = places.get(name(row));
      const by = was === undefined ? 0 : was - row.getBoundingClientRect().top;
      const from = was === undefined ? { opacity: 0 } : { transform: `translateY(${by}px)` };
      if (was === undefined || by) row.animate([from, {}], { duration: 250, easing: "ease-out" });
    }
  };

  // The button stands where the link stood, and the page's own Tab order goes on behind it.
  const offer = (page) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link-button";
    button.textContent = "Show it";
    words.textContent = "A closer reading has put these in another order.";
    link.replaceWith(button);
    button.addEventListener("click", () => {
      show(page);
      const first = results.querySelector(".hit-open");
      (first || results).focus({ preventScroll: true });
      results.scrollIntoView({ block: "nearest" });
    });
    said.textContent = words.textContent;
  };

  const bring = async () => {
    const answer = await fetch(line.dataset.reordered);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.querySelector("#results");
    if (!answer.ok || !found || !steady(page)) throw new Error("no such order");
    const same = rows().map(name).join() === [...found.querySelectorAll(":scope > .hit, :scope > .group")].map(name).join();
    if (!reads()) {
      show(page);
      if (!same) said.textContent = "A closer reading has put these in their final order.";
    } else if (same) {
      words.textContent = "A closer reading leaves these in their order.";
    } else {
      offer(page);
    }
  };

  words.textContent = "In the first order; a closer reading is under way.";
  link.hidden = true;
  bring().catch(() => {
    words.textContent = before;
    link.hidden = false;
  }).finally(settled);
})();
