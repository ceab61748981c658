// Walking hits with the arrows, from the query on; a click on a bar or a mark is one on its hit; the chosen hit stays in sight.
//   <input data-search-field> … <div data-hits> <ol> <li class="hit"> <a data-walk-stop aria-current="true">…</a> … <rect data-term="…"/> </li> </ol> </div>
const stopsOf = (hits) => [...hits.querySelectorAll("[data-walk-stop]")];

function walk(event, hits, step) {
  const stops = stopsOf(hits);
  const at = stops.indexOf(document.activeElement);
  const field = document.querySelector("[data-search-field]");
  if (at < 0 && (document.activeElement !== field || step < 0)) return;
  event.preventDefault();
  (at === 0 && step < 0 ? field : stops[Math.min(at + step, stops.length - 1)])?.focus();
}

document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const hits = document.querySelector("[data-hits]");
  if (step && hits && !event.ctrlKey && !event.metaKey && !event.altKey) walk(event, hits, step);
});

document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-hits]") || target.closest("a, summary, details")) return;
  if (target.closest("[data-term]")) target.closest(".hit")?.querySelector("[data-walk-stop]").click();
});

document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.matches?.("[data-hits]")) target.querySelector('[data-walk-stop][aria-current="true"]:focus')?.scrollIntoView({ block: "nearest" });
});
