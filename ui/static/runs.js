// How far ingests are that go on, asked every other second until all is over; then the page is loaded anew.
"use strict";
(() => {
  const place = document.querySelector("#runs-look");
  const every = 2000;
  // By its address: the page may be the answer to a form, which must not be sent again.
  const anew = () => { location.assign(place.querySelector("a").href); return false; };

  const look = async () => {
    const answer = await fetch(place.dataset.url);
    if (!answer.ok) return answer.status === 429 || answer.status === 503;
    const told = await answer.json();
    if (told.over) return anew();
    for (const run of told.runs) {
      const row = document.querySelector(`[data-run="${run.number}"]`);
      if (!row) return anew(); // it began meanwhile
      row.querySelector("progress").value = run.percent;
      const words = row.querySelector(".run-words");
      if (words.textContent !== run.words) words.textContent = run.words;
    }
    return true;
  };
  const again = () => setTimeout(() => look().catch(() => true).then((more) => { if (more) again(); }), every);
  again();
})();
