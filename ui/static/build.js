// The builder without leaving the page: a step is sent as the form would send it, and its answer takes the page's place.
"use strict";
(() => {
  const form = () => document.querySelector("#refine");
  let running = 0;

  // What the form would send, with the button that was pressed.
  const sent = (button) => {
    const data = new URLSearchParams(new FormData(form()));
    if (button && button.name) data.append(button.name, button.value);
    return data;
  };

  const step = async (data) => {
    const mine = ++running;
    document.body.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form().action, { method: "POST", body: data });
      const made = new DOMParser().parseFromString(await answer.text(), "text/html");
      const builder = made.querySelector("#builder");
      if (mine !== running) return; // a later step has been sent
      if (!builder) { form().submit(); return; }
      const where = document.activeElement && document.activeElement.id;
      // The field that completes what is typed stays the same.
      for (const id of ["line", "names"]) {
        const kept = document.getElementById(id);
        const fresh = builder.querySelector(`#${id}`);
        if (id === "line") kept.value = fresh.value;
        fresh.replaceWith(kept);
      }
      document.querySelector("#builder").replaceWith(builder);
      const next = (where && document.getElementById(where)) || builder.querySelector("[role=alert]") || builder.querySelector("#line");
      next.focus({ preventScroll: true });
    } catch {
      form().submit();
    } finally {
      if (mine === running) document.body.removeAttribute("aria-busy");
    }
  };

  document.addEventListener("submit", (event) => {
    if (event.target !== form()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    step(sent(event.submitter));
  }, true);

  // Ctrl+Z and Ctrl+Y outside of fields go back and forth.
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, select, textarea")) return;
    const what = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
    const button = what && document.querySelector(`button[value=${what}]:not([disabled])`);
    if (button) { event.preventDefault(); button.click(); }
  });

  // Dragged onto a group, a criterion goes into it; ticks and "Move ticked here" do the same by keyboard.
  let dragged = null;
  const group = (target) => {
    const found = target instanceof Element && target.closest(".block-all, .block-any");
    return found && dragged && !dragged.contains(found) && found.querySelector(":scope > .block-add .block-here");
  };
  document.addEventListener("dragstart", (event) => {
    dragged = event.target instanceof Element ? event.target.closest(".block[draggable=true]") : null;
    if (dragged) { dragged.classList.add("dragged"); event.dataTransfer.effectAllowed = "move"; }
  });
  document.addEventListener("dragover", (event) => {
    document.querySelectorAll(".over").forEach((one) => one.classList.remove("over"));
    const here = group(event.target);
    if (!here) return;
    event.preventDefault();
    here.closest(".block").classList.add("over");
  });
  document.addEventListener("drop", (event) => {
    const here = group(event.target);
    if (!here) return;
    event.preventDefault();
    const data = new URLSearchParams(new FormData(form()));
    data.delete("at");
    data.append("at", dragged.dataset.path);
    data.append(here.name, here.value);
    step(data);
  });
  document.addEventListener("dragend", () => {
    if (dragged) dragged.classList.remove("dragged");
    document.querySelectorAll(".over").forEach((one) => one.classList.remove("over"));
    dragged = null;
  });
})();
