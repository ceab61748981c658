// Selecting rows: one box for all of them, and the count of the chosen ones in the bulk bar, which shows while there are any.
//   <form data-selection> <input type="checkbox" data-select-all> … <input type="checkbox" name="selected" value="…">
//     <div class="bulk" data-selection-bar hidden><span><b data-selection-count>0</b> selected</span> …</div> </form>
function tell(form) {
  const boxes = [...form.querySelectorAll('[name="selected"]')];
  const chosen = boxes.filter((box) => box.checked).length;
  const all = form.querySelector("[data-select-all]");
  if (all) {
    all.checked = chosen > 0 && chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  }
  for (const count of form.querySelectorAll("[data-selection-count]")) count.textContent = chosen;
  for (const bar of form.querySelectorAll("[data-selection-bar]")) bar.hidden = chosen === 0;
}

document.addEventListener("change", ({ target }) => {
  const form = target.closest("[data-selection]");
  if (!form) return;
  if (target.matches("[data-select-all]")) {
    for (const box of form.querySelectorAll('[name="selected"]')) box.checked = target.checked;
  }
  tell(form);
});

const tellAll = () => document.querySelectorAll("[data-selection]").forEach(tell);
document.addEventListener("htmx:afterSettle", tellAll);
tellAll();
