// The slides of a run that goes on are brought anew, and whoever was at the last one stays at the last one. Where the page may
// no longer be seen, as its link was taken back or ended, or the session did, it is asked for anew and says so.
//   <main data-deck> <div data-deck-slides data-deck-live="12">…</div> <ul data-deck-pegs>…</ul> </main>   see deck.js
const AGAIN = 2000;
const GONE = new Set([401, 403, 404, 410]);
const deck = document.querySelector("[data-deck]");
const live = () => deck.querySelector("[data-deck-live]");
const slidesOf = (root) => [...root.querySelectorAll("[data-slide]")];
const lastOf = (root) => slidesOf(root).at(-1)?.dataset.slide;

function take(fresh) {
  const seq = slidesOf(deck).find((slide) => !slide.hidden)?.dataset.slide;
  const wasLast = lastOf(deck) === seq;
  for (const name of ["[data-deck-slides]", "[data-deck-pegs]"]) deck.querySelector(name).replaceWith(fresh.querySelector(name));
  const count = slidesOf(deck).length;
  deck.querySelector("[data-deck-count]").textContent = count;
  deck.querySelector("[data-deck-scrub]").max = count;
  deck.querySelector(".deck-progress").setAttribute("viewBox", `0 0 ${count} 1`);
  for (const slide of slidesOf(deck)) slide.hidden = slide.dataset.slide !== seq;
  deck.dispatchEvent(new CustomEvent("deck-go", { detail: wasLast ? lastOf(deck) : seq }));
}

async function bring() {
  const address = new URL(location.href);
  address.searchParams.set("after", live().dataset.deckLive);
  const answer = await fetch(address, { cache: "no-store" }).catch(() => null);
  const fresh = answer?.status === 200 && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer && (GONE.has(answer.status) || (fresh && !fresh.querySelector("[data-deck]")))) location.reload();
  else if (fresh && lastOf(deck)) take(fresh);
  else if (fresh && lastOf(fresh)) location.reload();
  if (live()) setTimeout(bring, AGAIN);
}

if (live()) setTimeout(bring, AGAIN);
