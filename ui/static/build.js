// The builder without leaving the page: a step is sent as the form would send it, and its answer takes the page's place.
// What is typed meanwhile stays. Steps go one after the other, since each is a step from what the last one left.
"use strict";
(() => {
  const form = () => document.querySelector("#refine");
  const builder = () => document.querySelector("#builder");
  const fields = () => [...form().querySelectorAll("input[id]:not([type=hidden]), select[id]")];
  const buttons = () => [...form().querySelectorAll("button[name]")];
  const content = (field) => (field.type === "checkbox" ? field.checked : field.value);
  const fill = (field, value) => { if (field.type === "checkbox") field.checked = value; else field.value = value; };
  // Days that were written and not set: not what the page came with.
  const unasked = (field) => {
    if (!field.closest(".build-time")) return false;
    if (field.tagName !== "SELECT") return field.value !== field.defaultValue;
    return field.selectedIndex !== Math.max(0, [...field.options].findIndex((one) => one.defaultSelected));
  };
  const isAdd = (field) => field.matches(".block-add input");

  // Places move with each step; what stands there is known by what it is called.
  const called = (field) => (field.labels && field.labels.length ? field.labels[0].textContent.trim() : "");
  const said = (button) => {
    const block = button.closest(".block");
    // A finding is the same one, whatever of it does not count.
    const whose = block ? block.getAttribute("aria-label").replace(/ \(except [^)]*\)/g, "") : "";
    return `${whose}|${button.textContent.replace(/\s+/g, " ").trim()}`;
  };
  const pressed = (button) => ({ name: button.name, value: button.value, said: said(button), stays: button.matches(".switch") });
  const row = (field) => field.closest(".block .build-time");
  const remembered = (field) => ({
    id: field.id, label: called(field), add: isAdd(field), value: content(field), tied: Boolean(row(field) || field.closest(".block-tick")),
  });
  const find = (was) => {
    const alike = fields().filter((field) => called(field) === was.label);
    const same = alike.find((field) => field.id === was.id) || (alike.length === 1 && alike[0]);
    // A tick, and what is said of a time, belong to their criteria alone.
    if (same || was.tied) return same || null;
    return document.getElementById(was.id) || (was.add && form().querySelector(".block-add input")) || null;
  };
  const findButton = (was) => {
    const alike = buttons().filter((one) => one.name === was.name && said(one) === was.said && !one.disabled);
    return alike.find((one) => one.value === was.value) || (alike.length === 1 ? alike[0] : null);
  };

  // The same button; or, where it is gone or cannot be pressed any more, another of its criterion, or what stands there now.
  const nextButton = (was) => {
    const block = was.said.split("|")[0];
    const there = buttons().filter((one) => !one.disabled);
    return findButton(was) || (block && there.find((one) => one.closest(".block-act") && said(one).split("|")[0] === block))
      || there.find((one) => one.name === was.name && one.value === was.value);
  };

  const tell = (words) => {
    let alert = builder().querySelector("[role=alert]");
    if (!alert) {
      alert = document.createElement("p");
      alert.className = "door-problem";
      alert.setAttribute("role", "alert");
      builder().querySelector(".build-line").after(alert);
    }
    alert.append(` ${words}`);
  };

  // What the form would send for what was wanted; null where the last step took it away.
  const sent = (wanted) => {
    const data = new URLSearchParams(new FormData(form()));
    if (wanted.field) {
      const field = find(wanted.field);
      if (!field) return null;
      data.set(field.name, wanted.field.value);
      if (isAdd(field)) data.append("do", field.name);
      else [...data.keys()].filter((name) => name.includes(":")).forEach((name) => data.delete(name));
    }
    if (wanted.button) {
      const button = findButton(wanted.button);
      if (!button) return null;
      data.append(button.name, button.value);
    }
    if (wanted.dragged) {
      data.delete("at");
      wanted.dragged.forEach(([name, value]) => data.append(name, value));
    }
    return data;
  };

  // What has the focus, to be found again in what takes its place.
  const focused = () => {
    const now = document.activeElement;
    if (!now || !builder().contains(now)) return null;
    if (now.matches("button[name]")) return { button: pressed(now) };
    if (!now.matches("input[id], select[id]")) return {};
    const text = now.type === "checkbox" || now.tagName === "SELECT" ? [] : [now.selectionStart, now.selectionEnd, now.selectionDirection];
    return { field: remembered(now), text };
  };
  const refocus = (was) => {
    if (!was) return;
    const field = was.field && find(was.field);
    const next = field || (was.button && nextButton(was.button)) || document.querySelector("#line");
    const shut = next.closest("details:not([open])");
    (shut ? shut.querySelector("summary") : next).focus({ preventScroll: true });
    if (field && was.text.length && field.value) field.setSelectionRange(...was.text);
  };

  const replaced = (fresh, wanted, before) => {
    const was = focused();
    const done = !fresh.querySelector("[role=alert]");
    const used = (field) => done && wanted.button && row(field) && row(field).querySelector("button").value === wanted.button.value;
    const kept = fields().filter((field) => content(field) !== before.get(field.id) || (!used(field) && unasked(field))).map(remembered);
    // The field that completes what is typed stays the same, and so does the list of what it may become.
    const line = document.querySelector("#line");
    if (content(line) === before.get("line")) line.value = fresh.querySelector("#line").value;
    for (const one of [line, document.querySelector("#names")]) fresh.querySelector(`#${one.id}`).replaceWith(one);
    builder().replaceWith(fresh);
    // Several names are switched one after the other: their list stays open.
    const list = wanted.button && wanted.button.stays && findButton(wanted.button);
    if (list) list.closest("details").open = true;
    for (const one of kept) {
      const field = one.id === "line" ? null : find(one);
      if (!field) continue;
      // An addition that failed gives its words back; where others stand by now, they are told.
      const back = wanted.field && wanted.field.add && field.value === wanted.field.value;
      if (back && !done && field.value !== one.value) tell(`“${field.value}” was not added.`);
      fill(field, one.value);
      const shut = field.closest(".block-new");
      if (shut) shut.open = true;
    }
    refocus(was);
    if (was && was.field) preview(document.activeElement);
  };

  // A letter that is being composed of several keys is let come to its end.
  let composing = false;
  document.addEventListener("compositionstart", () => { composing = true; });
  document.addEventListener("compositionend", () => { composing = false; });
  const composed = async () => { while (composing) await new Promise((go) => setTimeout(go, 50)); };

  let running = false;
  const waiting = [];
  const step = async (wanted) => {
    if (running) { waiting.push(wanted); return; }
    const data = sent(wanted);
    if (!data) { tell("The question has changed meanwhile: this was not done."); giveBack(wanted); return; }
    running = true;
    forget();
    document.body.setAttribute("aria-busy", "true");
    const before = new Map(fields().map((field) => [field.id, content(field)]));
    const used = wanted.field && find(wanted.field);
    if (used) before.set(used.id, isAdd(used) ? "" : wanted.field.value);
    // The line is read alone: what stands in other fields is not sent with it.
    if (used && !isAdd(used)) fields().filter(isAdd).forEach((field) => before.set(field.id, ""));
    try {
      const answer = await fetch(form().action, { method: "POST", body: data });
      const made = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = made.querySelector("#builder");
      await composed();
      if (fresh) { replaced(fresh, wanted, before); return; }
      const title = made.querySelector("h1");
      failed(wanted, `This was not done. The page answered “${title ? title.textContent.trim() : answer.status}”.`);
    } catch {
      failed(wanted, "This was not done: the page does not answer.");
    } finally {
      running = false;
      document.body.removeAttribute("aria-busy");
      if (waiting.length) step(waiting.shift());
    }
  };
  const failed = (wanted, words) => {
    tell(`${words} What you typed is still here; do it again.`);
    [wanted, ...waiting.splice(0)].forEach(giveBack);
  };
  const giveBack = (wanted) => {
    const field = wanted.field && find(wanted.field);
    if (field && !content(field)) field.value = wanted.field.value;
    else if (wanted.field && !(field && content(field) === wanted.field.value)) tell(`“${wanted.field.value}” was not read.`);
  };

  document.addEventListener("submit", (event) => {
    if (event.target !== form()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const button = event.submitter && event.submitter.name ? event.submitter : null;
    if (button && !button.value.startsWith("add:")) {
      step({ button: pressed(button) });
      return;
    }
    const now = document.activeElement;
    const own = !button && now && now.closest(".build-time") ? now.closest(".build-time").querySelector("button") : null;
    if (own) { step({ button: pressed(own) }); return; }
    const line = document.querySelector("#line");
    const reads = now === line || (event.submitter && event.submitter.closest(".build-line"));
    const field = button ? button.closest(".block-add").querySelector("input") : now && isAdd(now) ? now : reads ? line : null;
    if (!field) return; // Enter on a tick asks for nothing
    const wanted = { field: remembered(field) };
    // It is taken; what is typed from now on is the next one.
    if (isAdd(field)) {
      if (!field.value.trim()) return;
      field.value = "";
    }
    step(wanted);
  }, true);

  // What is being typed, counted, once the typing rests.
  let soon = 0;
  let counting = new AbortController();
  const forget = () => { clearTimeout(soon); counting.abort(); };
  const preview = (field) => {
    if (!field.matches("#line, .block-add input")) return;
    forget();
    const shown = form().querySelector("[name=shown]").value;
    const out = field.parentElement.querySelector(".build-preview");
    if (!field.value.trim() || (field.id === "line" && field.value.trim() === shown)) { out.textContent = ""; return; }
    soon = setTimeout(() => count(field, out).catch(() => {}), 300);
  };
  const count = async (field, out) => {
    counting = new AbortController();
    const words = field.value;
    const data = new URLSearchParams(new FormData(form()));
    data.append("field", field.name);
    const answer = await fetch(form().dataset.preview, { method: "POST", body: data, signal: counting.signal });
    const told = answer.ok ? (await answer.json()).said : "";
    if (field.value === words) out.textContent = told;
  };
  document.addEventListener("input", (event) => preview(event.target));

  // How many patients each way to ask for a finding would have, once its list is open. By styles and as a description,
  // so that a button is still known by its words.
  const counted = async (list) => {
    const data = new URLSearchParams(new FormData(form()));
    data.set("place", list.dataset.place);
    const answer = await fetch(form().dataset.counts, { method: "POST", body: data });
    if (!answer.ok) return;
    const told = await answer.json();
    const write = (one, number) => {
      if (number === undefined) return;
      one.dataset.count = number.toLocaleString("en");
      one.setAttribute("aria-description", one.dataset.count);
    };
    list.querySelectorAll("[data-says]").forEach((one) => write(one, told.said[one.dataset.says]));
    list.querySelectorAll("[data-name]").forEach((one) => write(one, told.narrower[one.dataset.name]));
  };
  document.addEventListener("toggle", (event) => {
    const list = event.target;
    if (!(list instanceof Element) || !list.matches(".ways") || !list.open || list.dataset.counted) return;
    list.dataset.counted = "yes";
    counted(list).catch(() => {}); // they are a help, and no more
  }, true);

  // Ctrl+Z and Ctrl+Y outside of fields go back and forth.
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, select, textarea")) return;
    const what = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
    const button = what && document.querySelector(`button[value=${what}]:not([disabled])`);
    if (button) { event.preventDefault(); button.click(); }
  });

  // Dragged onto a group a criterion goes into it, onto the edge of another it goes beside that; ticks with "Move ticked
  // here", and "Move up" and "down", do the same by keyboard.
  let dragged = null;
  const rim = 8;
  const target = (event) => {
    const found = event.target instanceof Element && event.target.closest(".block-all, .block-any, .block[draggable=true]");
    if (!found || !dragged || dragged.contains(found)) return null;
    const box = found.getBoundingClientRect();
    const [above, below] = [event.clientY - box.top, box.bottom - event.clientY];
    const into = found.querySelector(":scope > .block-add .block-here");
    if (into && (!found.draggable || Math.min(above, below) > rim)) return { found, name: into.name, value: into.value, way: "over" };
    const path = found.dataset.path.split(".");
    const before = Number(path.pop()) + (above < below ? 0 : 1);
    return { found, name: "do", value: `put:${[...path, before].join(".")}`, way: above < below ? "over-before" : "over-after" };
  };
  const clear = () => builder().querySelectorAll(".over, .over-before, .over-after").forEach((one) => one.classList.remove("over", "over-before", "over-after"));
  document.addEventListener("dragstart", (event) => {
    dragged = event.target instanceof Element ? event.target.closest(".block[draggable=true]") : null;
    if (dragged) { dragged.classList.add("dragged"); event.dataTransfer.effectAllowed = "move"; }
  });
  document.addEventListener("dragover", (event) => {
    clear();
    const here = target(event);
    if (!here) return;
    event.preventDefault();
    here.found.classList.add(here.way);
  });
  document.addEventListener("drop", (event) => {
    const here = target(event);
    if (!here) return;
    event.preventDefault();
    if (!running) step({ dragged: [["at", dragged.dataset.path], [here.name, here.value]] });
  });
  document.addEventListener("dragend", () => {
    if (dragged) dragged.classList.remove("dragged");
    clear();
    dragged = null;
  });
})();
