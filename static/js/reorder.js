// Rearranging an ordered list: by dragging a grip, or by Alt and an arrow key. The server is told the new place and answers with the list.
//   <ol data-reorder="place-form"> <li data-row="…"> <button data-grip>…</button> … <button value="up"> <button value="down"> </li> </ol>
//   <form id="place-form"> <input type="hidden" name="tool"> <input type="hidden" name="place"> </form>
let dragged = null;

const rowsOf = (row) => [...row.parentElement.children];

function begin(event) {
  const row = event.target.closest?.("[data-reorder] [data-grip]")?.closest("[data-row]");
  if (!row || event.button !== 0) return;
  event.preventDefault();
  dragged = { row, from: rowsOf(row).indexOf(row), after: row.nextElementSibling };
  row.classList.add("dragging");
}

function drag({ clientY }) {
  if (!dragged) return;
  const { row } = dragged;
  const below = rowsOf(row).find((other) => {
    const box = other.getBoundingClientRect();
    return other !== row && clientY < box.top + box.height / 2;
  });
  if (row.nextElementSibling !== (below ?? null)) row.parentElement.insertBefore(row, below ?? null);
}

function drop() {
  if (!dragged) return;
  const { row, from } = dragged;
  end();
  const place = rowsOf(row).indexOf(row);
  const form = document.getElementById(row.parentElement.dataset.reorder);
  if (place === from || !form) return;
  form.elements.tool.value = row.dataset.row;
  form.elements.place.value = place;
  form.requestSubmit();
}

function end() {
  dragged?.row.classList.remove("dragging");
  dragged = null;
}

function putBack() {
  if (!dragged) return;
  dragged.row.parentElement.insertBefore(dragged.row, dragged.after);
  end();
}

document.addEventListener("pointerdown", begin);
document.addEventListener("pointermove", drag);
document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", putBack);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") putBack();
  const action = { ArrowUp: "up", ArrowDown: "down" }[event.key];
  const row = event.altKey && action && event.target.closest?.("[data-reorder] [data-row]");
  if (!row) return;
  event.preventDefault();
  row.querySelector(`button[value="${action}"]`)?.click();
});
