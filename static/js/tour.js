// Keys on the tour: ← and → go a stop back and on, by its links; htmx brings the stop without loading the page anew.
//   <div id="tour" data-tour> … <h2>…</h2> <a rel="prev" href="?step=2">…</a> <a rel="next" href="?step=4">…</a> … <li class="here">…</li> </div>
const keys = { ArrowLeft: "prev", ArrowRight: "next" };
const isTaken = (element) => element.closest("input, textarea, select, summary, [contenteditable], dialog, pre");
const tour = () => document.querySelector("[data-tour]");

// What the stop speaks of is brought into sight within its pane; a page that is one column stays at its caption.
function show() {
  const pane = tour()?.querySelector(".pane");
  if (!pane || getComputedStyle(pane).overflowY !== "auto") return;
  const here = pane.querySelector(".here") ?? pane.querySelector(".chat > :last-child");
  if (here) pane.scrollTop += here.getBoundingClientRect().bottom - pane.getBoundingClientRect().bottom + 40;
}

document.addEventListener("keydown", (event) => {
  if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
  const link = tour()?.querySelector(`a[rel="${keys[event.key]}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id !== "tour") return;
  show();
  document.getElementById("announcer").textContent = document.getElementById("tour-words").textContent.replace(/\s+/g, " ").trim();
});
show();
