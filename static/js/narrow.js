// A field that hides the rows of a list in whose first part not every word stands. What is hidden is still sent with its form.
//   <input type="search" data-narrows="places"> <span role="status" data-narrowed="places"></span>
//   <ul id="places"> <li> <div>Calendar</div> … </li> </ul>
function narrow(field) {
  const list = document.getElementById(field.dataset.narrows);
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [...list.children];
  for (const row of rows) {
    const text = row.firstElementChild.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
  const shown = rows.filter((row) => !row.hidden).length;
  document.querySelector(`[data-narrowed="${list.id}"]`).textContent = words.length ? `${shown} of ${rows.length}` : "";
}

document.addEventListener("input", ({ target }) => {
  if (target.matches("[data-narrows]")) narrow(target);
});
