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

  const follow = (selector, within = document) => { const link = within.querySelector(selector); if (link) link.click(); };

  const row = ".hit, .record-note";
  const currentHit = () => document.activeElement && document.activeElement.closest(row);

  const move = (step) => {
    // Not those that are folded.
    const links = all(".hit-open").filter((link) => !link.checkVisibility || link.checkVisibility());
    if (!links.length) return;
    const here = currentHit() ? links.indexOf(currentHit().querySelector(".hit-open")) : -1;
    const next = here < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(here + step, 0), links.length - 1);
    links[next].focus({ preventScroll: true });
    links[next].closest(row).scrollIntoView({ block: "nearest" });
  };

  const why = () => {
    const hit = currentHit() || one(".hit");
    const details = hit && hit.querySelector(".why");
    if (details) details.open = !details.open;
  };

  const keys = {
    "/": () => { if (line) { line.focus(); line.select(); } },
    "?": () => help.showModal(),
    j: () => move(1),
    k: () => move(-1),
    o: () => { const hit = currentHit(); if (hit) (document.activeElement.closest(".record-snippet a") || hit.querySelector(".hit-open")).click(); },
    w: why,
    s: () => follow(".similar-link", document.activeElement.closest(".record-snippet") || currentHit() || document),
    n: () => follow("a[rel=next]"),
    p: () => follow("a[rel=prev]"),
    b: () => follow("#back"),
    u: () => follow("#undo-step"),
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
    if (event.defaultPrevented || event.target.method === "dialog" || !go) return;
    if (event.target.action === go.form.action) go.textContent = "Searching…";
    document.body.setAttribute("aria-busy", "true");
  });
  window.addEventListener("pageshow", () => {
    if (go) go.textContent = label;
    document.body.removeAttribute("aria-busy");
  });

  // With scripts an answer comes at once, in its first order; order.js brings the final one.
  document.addEventListener("formdata", (event) => {
    if (go && event.target.action === go.form.action) event.formData.set("order", "first");
  });

  // A finding shows the words that decided it.
  const light = (event, on) => {
    const finding = event.target instanceof Element && event.target.closest("[data-finding]");
    if (!finding) return;
    const where = finding.closest(".hit-text, .note-paper, .pane-text");
    const number = finding.dataset.finding;
    if (where) where.querySelectorAll(`[data-triggers~="${number}"]`).forEach((word) => word.classList.toggle("lit", on));
  };
  for (const [begins, ends] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
    document.addEventListener(begins, (event) => light(event, true));
    document.addEventListener(ends, (event) => light(event, false));
  }
  // A touch has no pointer to rest: a finding with words to show takes the focus.
  document.addEventListener("click", (event) => {
    const finding = event.target instanceof Element && event.target.closest("[data-finding][tabindex]");
    if (finding) finding.focus({ preventScroll: true });
  });
  // One list of ways or of what an account may do at a time, closed by Escape or by a click elsewhere.
  const ways = () => all(".ways[open], .account-menu[open]");
  document.addEventListener("click", (event) => ways().forEach((one) => { if (!one.contains(event.target)) one.open = false; }));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    ways().forEach((one) => { one.open = false; one.querySelector("summary").focus(); });
  });

  // Whole lines that go on from what is typed, with what they would count; the browser's own list shows them.
  const names = one("#names");
  let waiting = 0;
  let asking = new AbortController();
  const complete = async (field) => {
    if (field.value.trim().length < 2) { names.replaceChildren(); return; }
    asking.abort();
    asking = new AbortController();
    const answer = await fetch(names.dataset.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Form-Key": document.body.dataset.formKey ?? "" },
      body: JSON.stringify({ start: field.value }),
      signal: asking.signal,
    });
    const found = answer.ok ? await answer.json() : [];
    names.replaceChildren(...found.map((one) => {
      const option = document.createElement("option");
      option.value = one.line;
      option.label = one.line.endsWith(":") ? one.kind : `${one.kind} · ${one.passages} ${one.passages === 1 ? "passage" : "passages"}`;
      return option;
    }));
  };
  document.addEventListener("input", (event) => {
    if (!names || !event.target.matches("input[list=names]")) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => complete(event.target).catch(() => {}), 150);
  });

  // A list that is pasted keeps its items apart: a line of a form would make blanks of its line ends.
  if (line) {
    line.addEventListener("paste", (event) => {
      const items = event.clipboardData.getData("text").split(/[\r\n]+/).map((item) => item.trim()).filter(Boolean);
      if (items.length < 2) return;
      event.preventDefault();
      document.execCommand("insertText", false, items.join("; ").replaceAll(":; ", ": "));
    });
  }

  // Scopes chosen before the first search also hold for the examples.
  all(".scope-radio").forEach((radio) => radio.addEventListener("change", () => {
    const hidden = one("#ask input[name=scope]");
    if (hidden) hidden.value = radio.value;
  }));
})();
