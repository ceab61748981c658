// Keys. "/" goes to the page's search field, "?" opens the help, "g" and a letter goes to a page, "j" and "k" walk a list.
//   <input type="search" data-search-field>
//   <dialog id="shortcuts">
//   <a href="/tools/" data-go="t">Tools</a>
//   <ol data-walk> … <a data-walk-stop href="…"> … </ol>
let waitingForLetter = 0;

const isTyping = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");

function goTo(letter) {
  document.querySelector(`[data-go="${CSS.escape(letter)}"]`)?.click();
}

function focusSearch() {
  const field = document.querySelector("[data-search-field]");
  if (field) {
    field.focus();
    field.select();
  } else {
    goTo("s");
  }
}

function walk(step) {
  const stops = [...document.querySelectorAll("[data-walk] [data-walk-stop]")];
  const at = stops.findIndex((stop) => stop === document.activeElement || stop.closest("li, tr")?.contains(document.activeElement));
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
}

const keys = {
  "/": focusSearch,
  "?": () => document.getElementById("shortcuts")?.showModal(),
  g: () => { waitingForLetter = Date.now(); },
  j: () => walk(1),
  k: () => walk(-1),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape") {
      event.preventDefault(); // a search field would lose its query
      event.target.blur();
    }
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  if (Date.now() - waitingForLetter < 1200) {
    waitingForLetter = 0;
    event.preventDefault();
    goTo(event.key);
  } else if (event.key in keys) {
    event.preventDefault();
    keys[event.key]();
  }
});
