// Selecting rows: one box for all of them, and the count of the chosen ones in the bulk bar, which shows while there are any.
//   <form data-selection> <input type="checkbox" data-select-all> … <input type="checkbox" name="selected" value="…">
//     <div class="bulk" data-selection-bar hidden><span><b data-selection-count>0</b> selected
//       <span data-selection-elsewhere hidden>, <b></b> of them not in sight</span></span> <button type="button" data-selection-none>Clear</button> …</div> </form>
// With data-selection-keeps, rows stay selected while the list is paged, narrowed and sorted, and when one comes back to it;
// those out of sight go along as hidden fields.
const KEPT = "selected";
const isReturn = performance.getEntriesByType("navigation")[0]?.type !== "navigate";
const kept = new Set(isReturn ? JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") : []);

const boxesOf = (form) => [...form.querySelectorAll('[name="selected"][type="checkbox"]')];

function bringBack(form) {
  const boxes = boxesOf(form);
  for (const box of boxes) box.checked = kept.has(box.value);
  for (const field of form.querySelectorAll("[data-elsewhere]")) field.remove();
  const here = new Set(boxes.map((box) => box.value));
  for (const key of kept) {
    if (here.has(key)) continue;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "selected", value: key });
    field.dataset.elsewhere = "";
    form.append(field);
  }
}

function tell(form) {
  const boxes = boxesOf(form);
  const chosen = boxes.filter((box) => box.checked).length;
  const elsewhere = form.querySelectorAll("[data-elsewhere]").length;
  const all = form.querySelector("[data-select-all]");
  if (all) {
    all.checked = chosen > 0 && chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  }
  for (const count of form.querySelectorAll("[data-selection-count]")) count.textContent = chosen + elsewhere;
  for (const part of form.querySelectorAll("[data-selection-elsewhere]")) {
    part.hidden = elsewhere === 0;
    part.querySelector("b").textContent = elsewhere;
  }
  for (const bar of form.querySelectorAll("[data-selection-bar]")) {
    bar.hidden = chosen + elsewhere === 0;
    bar.dataset.told = ""; // until then it is not shown where there are scripts, so that it does not flash
  }
}

function changed(form) {
  if ("selectionKeeps" in form.dataset) {
    for (const box of boxesOf(form)) kept[box.checked ? "add" : "delete"](box.value);
    sessionStorage.setItem(KEPT, JSON.stringify([...kept]));
  }
  tell(form);
}

document.addEventListener("change", ({ target }) => {
  const form = target.closest("[data-selection]");
  if (!form) return;
  if (target.matches("[data-select-all]")) {
    for (const box of boxesOf(form)) box.checked = target.checked;
  }
  changed(form);
});

document.addEventListener("click", ({ target }) => {
  const form = target.closest("[data-selection-none]")?.form;
  if (!form) return;
  kept.clear();
  for (const field of form.querySelectorAll("[data-elsewhere]")) field.remove();
  for (const box of boxesOf(form)) box.checked = false;
  changed(form);
  boxesOf(form)[0]?.focus();
});

function showAll() {
  for (const form of document.querySelectorAll("[data-selection]")) {
    if ("selectionKeeps" in form.dataset) bringBack(form);
    tell(form);
  }
}

document.addEventListener("htmx:afterSettle", showAll);
document.addEventListener("htmx:historyRestore", showAll);
showAll();
