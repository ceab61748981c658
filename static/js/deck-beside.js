// The slides and the speaker's notes, in two windows of one browser, go along with each other; the slides of a run that goes
// on are brought anew, and whoever was at the last one stays at the last one.
//   <main data-deck> <div data-deck-slides data-deck-live>…</div> <ul data-deck-pegs>…</ul> </main>   see deck.js, notes-window.js
const AGAIN = 2000;
const deck = document.querySelector("[data-deck]");
const channel = new BroadcastChannel(`pegboard-${location.pathname.split("/")[2]}`);
let seq = deck.querySelector("[data-slide]:not([hidden])")?.dataset.slide;

deck.addEventListener("deck-shown", ({ detail }) => {
  if (detail !== seq) channel.postMessage({ seq: detail });
  seq = detail;
});
channel.addEventListener("message", ({ data }) => {
  if (data.asks) channel.postMessage({ seq });
  else if (data.seq !== seq) deck.dispatchEvent(new CustomEvent("deck-go", { detail: data.seq }));
});

const lastOf = (root) => [...root.querySelectorAll("[data-slide]")].at(-1)?.dataset.slide;

function take(fresh) {
  const wasLast = lastOf(deck) === seq;
  for (const name of ["[data-deck-slides]", "[data-deck-pegs]"]) deck.querySelector(name).replaceWith(fresh.querySelector(name));
  const count = deck.querySelectorAll("[data-slide]").length;
  deck.querySelector("[data-deck-count]").textContent = count;
  deck.querySelector("[data-deck-scrub]").max = count;
  deck.querySelector(".deck-progress").setAttribute("viewBox", `0 0 ${count} 1`);
  for (const slide of deck.querySelectorAll("[data-slide]")) slide.hidden = slide.dataset.slide !== seq;
  if (wasLast) deck.dispatchEvent(new CustomEvent("deck-go", { detail: lastOf(deck) }));
}

async function bring() {
  const answer = await fetch(location.href).catch(() => null);
  const fresh = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (fresh && lastOf(fresh) !== lastOf(deck)) {
    if (seq) take(fresh);
    else location.reload();
  }
  if (deck.querySelector("[data-deck-live]")) setTimeout(bring, AGAIN);
}

if (deck.querySelector("[data-deck-live]")) setTimeout(bring, AGAIN);
