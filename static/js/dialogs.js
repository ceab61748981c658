// Opening and closing a dialog, and closing a menu by Escape or by a click beside it.
//   <button type="button" data-open-dialog="shortcuts">…</button>
//   <dialog class="dialog" id="shortcuts"> … <button type="button" data-close-dialog>…</button></dialog>
//   <details class="menu" data-menu><summary class="button">…</summary><div class="menu-list">…</div></details>
const openMenus = () => document.querySelectorAll("details[data-menu][open]");

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open-dialog]");
  if (opener) document.getElementById(opener.dataset.openDialog)?.showModal();
  if (event.target.closest("[data-close-dialog]")) event.target.closest("dialog")?.close();
  if (event.target.matches("dialog[open]")) event.target.close();
  for (const menu of openMenus()) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    event.preventDefault();
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
