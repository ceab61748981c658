// A list whose rows open beside it. Arrows walk as j and k do; "x" selects the row, "X" all from the last selected one; a letter does what is marked with it.
//   <div data-rows> <tbody data-walk><tr> <input type="checkbox" name="selected"> <a data-walk-stop data-tool="7">…</a> </tr></tbody>
//     <section id="detail"> <article data-shown="7"> <a data-key="e">Edit</a> <a data-key="Escape">Close</a> </article> </section> </div>
const isTyping = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
const rowOf = (element) => element.closest("[data-walk] tr");
let lastSelected = null;

function select(row, upTo) {
  const rows = [...row.parentElement.children];
  const box = (one) => one.querySelector('[name="selected"]');
  if (!box(row)) return;
  const start = upTo && rows.includes(lastSelected) ? lastSelected : row;
  const [from, to] = [rows.indexOf(start), rows.indexOf(row)].sort((a, b) => a - b);
  const isOn = upTo ? true : !box(row).checked;
  for (const one of rows.slice(from, to + 1)) box(one).checked = isOn;
  lastSelected = row;
  box(row).dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open], :popover-open")) return;
  if (isTyping(event.target)) return;
  const row = rowOf(event.target);
  const step = { ArrowDown: "j", ArrowUp: "k" }[event.key];
  if (row && step) {
    event.preventDefault();
    event.target.dispatchEvent(new KeyboardEvent("keydown", { key: step, bubbles: true, cancelable: true }));
  } else if (row && event.key.toLowerCase() === "x") {
    event.preventDefault();
    select(row, event.shiftKey);
  } else {
    const marked = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!marked?.checkVisibility()) return;
    event.preventDefault();
    marked.click();
  }
});

// A click with Shift on a box selects all rows from the last one, as lists do everywhere.
document.addEventListener("click", (event) => {
  if (!event.target.matches?.('[data-walk] [name="selected"]')) return;
  const row = rowOf(event.target);
  if (event.shiftKey && event.target.checked) select(row, true);
  lastSelected = row;
});

// On a phone the tool takes the place of the list: it begins at its top, and the list is where it was once the tool is closed.
const isListShown = () => document.getElementById("results")?.checkVisibility();
let listAt = 0;
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target?.id === "detail" && isListShown()) listAt = scrollY;
});

// The open row is marked, also where htmx opened it, and gets the keyboard back when its rail has no field to fill in.
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target?.id !== "detail") return;
  const shown = detail.target.querySelector("[data-shown]")?.dataset.shown;
  const before = document.querySelector("[data-rows] [data-tool][aria-current]");
  const now = shown ? document.querySelector(`[data-rows] [data-tool="${CSS.escape(shown)}"]`) : null;
  before?.removeAttribute("aria-current");
  now?.setAttribute("aria-current", "true");
  detail.target.scrollTop = 0;
  scrollTo(0, isListShown() ? listAt : 0);
  const field = detail.target.querySelector("form textarea");
  if (field) field.focus();
  else if (!document.activeElement || document.activeElement === document.body) (now ?? before)?.focus();
});

// The tool that is open stays in the address while the list beside it is narrowed; what says nothing is left out of it.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.target?.id !== "results") return;
  for (const [name, value] of Object.entries(detail.parameters)) {
    if (value === "") delete detail.parameters[name];
  }
  const open = new URLSearchParams(location.search).get("tool");
  if (open && !/[?&]tool=/.test(detail.path)) detail.parameters.tool = open;
});

// A link may have changed what the fields over the list say ("Clear all"); one that is being written in is left alone.
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target?.id !== "results") return;
  const said = new URLSearchParams(location.search);
  for (const field of document.getElementById("tools-form")?.elements ?? []) {
    if (field.name && field.type !== "hidden" && field !== document.activeElement) field.value = said.get(field.name) ?? "";
  }
});

document.querySelector("#detail form textarea")?.focus();
