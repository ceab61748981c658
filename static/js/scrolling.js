// A part that scrolls by itself stays where it was when a swap makes it anew, and when one comes back to its address; so does the
// page that has such parts.
//   <ul id="server-links" data-keep-scroll>…</ul>
const KEPT = "scrolled:";
const at = new Map();

const parts = () => [...document.querySelectorAll("[data-keep-scroll][id]")];
const keyOf = () => KEPT + location.pathname + location.search;

function keep() {
  const places = {};
  for (const part of parts()) if (part.scrollTop) places[part.id] = part.scrollTop;
  if (scrollY) places[""] = scrollY;
  if (Object.keys(places).length) sessionStorage.setItem(keyOf(), JSON.stringify(places));
  else sessionStorage.removeItem(keyOf());
}

function comeBack() {
  const places = JSON.parse(sessionStorage.getItem(keyOf()) ?? "{}");
  for (const part of parts()) if (places[part.id]) part.scrollTop = places[part.id];
  if (parts().length) scrollTo(0, places[""] ?? 0);
}

let waiting = 0;
document.addEventListener("scroll", ({ target }) => {
  if (target !== document && !target.matches?.("[data-keep-scroll]") || !parts().length) return;
  if (target !== document) at.set(target.id, target.scrollTop);
  clearTimeout(waiting);
  waiting = setTimeout(keep, 120);
}, { capture: true, passive: true });

document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  for (const part of detail.target.querySelectorAll("[data-keep-scroll][id]")) part.scrollTop = at.get(part.id) ?? 0;
});
document.addEventListener("htmx:pushedIntoHistory", keep);
document.addEventListener("htmx:historyRestore", comeBack);
if (performance.getEntriesByType("navigation")[0]?.type !== "navigate") comeBack();
