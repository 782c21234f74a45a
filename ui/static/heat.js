// Along a heat strip by arrow keys: its cells are one stop of the Tab key. They are links without it.
"use strict";
(() => {
  const to = { ArrowLeft: (n) => n - 1, ArrowRight: (n) => n + 1, Home: () => 0, End: (_, last) => last };
  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest(".heat-strip a");
    const by = to[event.key];
    if (!cell || !by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const cells = [...cell.parentElement.querySelectorAll("a")];
    const next = cells[Math.min(Math.max(by(cells.indexOf(cell), cells.length - 1), 0), cells.length - 1)];
    cell.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
})();
