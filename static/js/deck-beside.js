// The slides and the speaker's notes, in two windows of one browser, go along with each other.
//   <main data-deck> <section data-slide="12">…</section> </main>   see deck.js, notes-window.js
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
