// Once its session is over, by time or in another tab, nothing that a page showed stays on the screen.
"use strict";
(() => {
  const { sessionSeconds, door } = document.body.dataset;
  if (!sessionSeconds) return;
  // Tabs share the session: what one asks keeps it alive for all.
  const others = new BroadcastChannel("aspectra-session");
  let asked = Date.now();
  // Once: to begin again and again while the door is opened holds it shut, and until it opens a page shows nothing.
  const leave = () => { clearInterval(looking); document.body.replaceChildren(); location.replace(door); };
  const look = () => { if (Date.now() - asked > Number(sessionSeconds) * 1000) leave(); };
  const tell = () => { asked = Date.now(); others.postMessage("asked"); };
  others.addEventListener("message", (event) => { if (event.data === "over") leave(); else asked = Date.now(); });
  const ask = window.fetch;
  window.fetch = (...sent) => { tell(); return ask(...sent); };
  document.querySelector("form.account").addEventListener("submit", () => others.postMessage("over"));
  document.addEventListener("visibilitychange", look);
  window.addEventListener("pageshow", (event) => { if (event.persisted) look(); else tell(); });
  const looking = setInterval(look, 5000);
})();
