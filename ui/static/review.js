// Review by keyboard, with the next patient loaded ahead. Every form here works without it; nothing is stored.
"use strict";
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const root = () => one("[data-review]");
  if (!root()) return;

  const done = new Set();
  const DONE = { include: "included", exclude: "excluded", doubt: "left in doubt" };
  let ahead = null;
  let busy = false;

  const told = document.createElement("p");
  told.className = "visually-hidden";
  told.setAttribute("role", "status");
  document.body.append(told);

  const typing = (target) => target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

  // The page after this one, as it will be shown.
  const load = () => {
    const url = root().dataset.next;
    ahead = null;
    if (!url || done.has(url)) return;
    const page = fetch(url)
      .then((answer) => (answer.ok && !answer.redirected ? answer.text() : ""))
      .then((text) => text && new DOMParser().parseFromString(text, "text/html"))
      .catch(() => "");
    ahead = { url, page };
  };

  const post = (form, button) => {
    const body = new URLSearchParams(new FormData(form));
    if (button) body.append(button.name, button.value);
    return fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body });
  };

  const complain = (words) => {
    const place = one(".review-problem");
    place.textContent = words;
    place.hidden = false;
    place.scrollIntoView({ block: "nearest" });
  };

  const show = (page, url, answer, words) => {
    one("#main").replaceChildren(...page.querySelector("#main").childNodes);
    history.pushState(null, "", url);
    one("[data-decided]").textContent = answer.decided;
    const undo = one("#undo");
    undo.elements.decision.value = answer.undo;
    undo.hidden = false;
    window.scrollTo(0, 0);
    one("#patient").focus({ preventScroll: true });
    told.textContent = `${words}. Next: ${one("#patient").textContent}.`;
    load();
  };

  const decide = async (form, button) => {
    if (busy) return;
    busy = true;
    const words = `${one("#patient").textContent} ${DONE[button.value]}`;
    try {
      const answer = await post(form, button);
      const said = await answer.json();
      if (!answer.ok) { complain(said.problem); return; }
      done.add(location.pathname);
      const url = said.next;
      if (!url) { location.assign(root().dataset.done); return; }
      const page = ahead && ahead.url === url ? await ahead.page : "";
      if (page && page.querySelector("[data-review]")) show(page, url, said, words);
      else location.assign(url);
    } catch {
      complain("This was not kept. Reload the page and try again.");
    } finally {
      busy = false;
    }
  };

  const mark = async (form, button) => {
    const item = button.closest(".review-item");
    try {
      const answer = await post(form, button);
      const said = await answer.json();
      if (!answer.ok) throw new Error();
      item.querySelectorAll(".review-mark").forEach((each) =>
        each.setAttribute("aria-pressed", String(each.value.endsWith(` ${said.reading}`))));
    } catch {
      complain("This mark was not kept. Reload the page and try again.");
    }
  };

  document.addEventListener("submit", (event) => {
    const act = { decide, marks: mark }[event.target.id];
    if (!act || !event.submitter) return;
    event.preventDefault();
    act(event.target, event.submitter);
  }, true);
  window.addEventListener("popstate", () => location.reload());

  const item = () => document.activeElement && document.activeElement.closest(".review-item");
  const move = (step) => {
    const items = all(".review-item").filter((each) => !each.checkVisibility || each.checkVisibility());
    if (!items.length) return;
    const here = items.indexOf(item());
    const next = here < 0 ? (step > 0 ? 0 : items.length - 1) : Math.min(Math.max(here + step, 0), items.length - 1);
    items[next].focus({ preventScroll: true });
    (items[next].closest(".review-passage") || items[next]).scrollIntoView({ block: "nearest" });
  };
  const press = (selector) => { const button = item() && item().querySelector(selector); if (button) button.click(); };
  const click = (selector) => { const link = one(selector); if (link) link.click(); };
  const verdict = (key) => click(`.review-verdict[data-key="${key}"]`);

  // Words that are selected go into the quote that was last looked at, or the first.
  let quote = "";
  document.addEventListener("focusin", (event) => { if (event.target.matches("[data-quote]")) quote = event.target.id; });
  const take = (id) => {
    const field = document.getElementById(id || quote) || one("[data-quote]");
    const words = String(window.getSelection()).trim();
    if (!field || !words) return;
    field.value = words;
    told.textContent = "Quoted.";
  };
  document.addEventListener("mousedown", (event) => {
    // A button that takes the focus would take the selection away.
    if (event.target.closest("[data-take]")) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-take]");
    if (button) take(button.dataset.take);
  });

  const keys = {
    i: () => verdict("i"),
    e: () => verdict("e"),
    d: () => verdict("d"),
    u: () => { const undo = one("#undo"); if (!undo.hidden) undo.requestSubmit(); },
    n: () => move(1),
    p: () => move(-1),
    r: () => press(".review-right"),
    w: () => press(".review-wrong"),
    q: () => take(""),
    c: () => { const comment = one("#comment"); if (comment) comment.focus(); },
    o: () => { const note = item() && item().closest(".review-passage"); if (note) note.querySelector(".review-note").click(); },
    s: () => click("#skip"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || one("#help").open) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    if (!event.repeat || "np".includes(event.key)) act();
  }, true);

  load();
})();
