// How far an export is, asked every other second until it is over; then the page is loaded anew, with the files.
"use strict";
(() => {
  const place = document.querySelector("#export");
  const words = document.querySelector("#export-words");
  const progress = document.querySelector("#export-progress");
  const every = 2000;

  const look = async () => {
    const answer = await fetch(place.dataset.url);
    if (!answer.ok) return answer.status === 429 || answer.status === 503;
    const told = await answer.json();
    if (told.over) { location.reload(); return false; }
    progress.value = told.percent;
    const said = told.words.charAt(0).toUpperCase() + told.words.slice(1);
    if (words.textContent !== said) words.textContent = said;
    return true;
  };
  const again = () => setTimeout(() => look().catch(() => true).then((more) => { if (more) again(); }), every);
  again();
})();
