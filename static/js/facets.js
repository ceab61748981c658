// Choosing filters by keys: "f" finds one by its name, arrows walk from choice to choice.
//   <nav popover data-facets> <input type="search" data-facets-field> <a href="?server=…">…</a> … </nav>
const isTyping = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
const isShown = (element) => element.checkVisibility();

function find(rail) {
  const field = rail.querySelector("[data-facets-field]");
  if (!isShown(field)) rail.showPopover(); // a drawer, on a narrow screen
  field.focus();
  field.select();
}

function walk(rail, step) {
  const stops = [rail.querySelector("[data-facets-field]"), ...rail.querySelectorAll("a, summary")].filter(isShown);
  const at = stops.indexOf(document.activeElement);
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const rail = document.querySelector("[data-facets]");
  if (!rail || document.querySelector("dialog[open]")) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && rail.contains(event.target)) {
    event.preventDefault();
    walk(rail, step);
  } else if (event.key === "f" && !isTyping(event.target)) {
    event.preventDefault();
    find(rail);
  }
});
